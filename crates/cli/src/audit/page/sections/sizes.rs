//! How long replies are, for sizing a budget, and how much of them was written after the answer was certain.

use super::counted;
use crate::audit::page::charts::{self, Slice};
use crate::audit::page::figures::{self, bytes, share};
use crate::audit::page::markup::Markup;
use crate::audit::page::words::Tint;
use crate::audit::summary::{Lengths, Summary, Wasted};

/// Adds both, if a length is known.
pub(super) fn push(page: &mut Markup, summary: &Summary) {
    if summary.lengths.replies == 0 {
        return;
    }
    page.markup("<div class=\"row\">\n");
    lengths(page, summary);
    wasted(page, &summary.wasted, &summary.lengths);
    page.markup("</div>\n");
}

fn lengths(page: &mut Markup, summary: &Summary) {
    let lengths = &summary.lengths;
    page.markup(
        "<section class=\"card wide\" aria-labelledby=\"lengths\">\n<h2 id=\"lengths\">How long they are</h2>\n",
    );
    if lengths.buckets.len() > 1 {
        charts::histogram(page, lengths);
        page.markup(
            "<p class=\"note\">Replies by length. Each column begins about half as long again as the one before.</p>\n",
        );
    }
    page.markup("<table class=\"lengths\"><caption>");
    page.around("Length of ", &counted(lengths.replies, "reply", "replies"), ", in bytes</caption>\n");
    page.markup(
        "<thead><tr><th scope=\"col\">shortest</th><th scope=\"col\">median</th><th scope=\"col\">90th percentile</th>",
    );
    page.markup("<th scope=\"col\" class=\"strong\">99th percentile</th><th scope=\"col\">longest</th></tr></thead>\n<tbody><tr>");
    let Lengths { min, median, p90, p99, max, .. } = *lengths;
    for len in [min, median, p90] {
        page.around("<td>", &figures::count(len), "</td>");
    }
    page.around("<td class=\"strong\">", &figures::count(p99), "</td>");
    page.around("<td>", &figures::count(max), "</td></tr>");
    page.markup("</tbody></table>\n<p class=\"note\">");
    page.markup(if lengths.has_percentile() {
        "A budget that holds the 99th percentile cuts one reply in a hundred. "
    } else {
        "Too few to size a budget by: of fewer than 100 replies the 99th percentile is the longest. "
    });
    page.markup("How many tokens a byte is depends on the model: measure it there. Percentiles are exact below 2,048 bytes, else at most 0.1% too high.");
    if summary.has_cuts() {
        page.markup(" Replies that were cut count as far as they came: they would have been longer.");
    }
    page.markup("</p>\n</section>\n");
}

fn wasted(page: &mut Markup, wasted: &Wasted, lengths: &Lengths) {
    page.markup(
        "<section class=\"card\" aria-labelledby=\"wasted\">\n<h2 id=\"wasted\">What was written in vain</h2>\n",
    );
    let used = lengths.bytes.saturating_sub(wasted.bytes);
    let title = format!("{} of all bytes came after the answer was certain", share(wasted.bytes, lengths.bytes));
    page.around(
        "<p class=\"figure\">",
        &share(wasted.bytes, lengths.bytes),
        " <span class=\"note\">of all bytes</span></p>\n",
    );
    let slices = [Slice { tint: Tint::Ok, count: used }, Slice { tint: Tint::Cut, count: wasted.bytes }];
    charts::stacked(page, &slices, Some(&title));
    page.markup("<table><caption>Bytes by when they came</caption>\n<tbody>");
    page.around(
        "<tr><th scope=\"row\"><span class=\"ok\"></span>until it was certain</th><td class=\"figure\">",
        &bytes(used),
        "</td></tr>\n",
    );
    page.around(
        "<tr><th scope=\"row\"><span class=\"cut\"></span>after that</th><td class=\"figure\">",
        &bytes(wasted.bytes),
        "</td></tr>",
    );
    page.markup("</tbody></table>\n");
    let of = match wasted.bytes {
        0 => "Every reply ended where its answer was certain.".to_owned(),
        _ => format!(
            "{} went on behind a certain answer. Whoever hangs up there does not wait for the rest, and does not pay for it.",
            counted(wasted.replies, "reply", "replies")
        ),
    };
    page.around("<p class=\"note\">", &of, "</p>\n</section>\n");
}
