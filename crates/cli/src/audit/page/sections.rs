//! What the page says, section by section. What a log has nothing of is left out.

mod kinds; // which failure it is, and its cure
mod codes; // the exact codes, with an example each
mod sizes; // lengths, and what was written in vain
mod targets; // signals

use super::charts::{self, Slice};
use super::figures::{self, counted, share};
use super::markup::Markup;
use super::tables::{self, Counts, Row};
use super::words::{self, Tint};
use crate::audit::summary::{Count, Summary};

/// Adds all of the body.
pub(super) fn push(page: &mut Markup, summary: &Summary) {
    page.markup("<header><p class=\"brand\">thusfar audit</p>\n");
    page.around("<h1>", &headline(summary), "</h1>\n</header>\n<main>\n");
    overview(page, summary);
    kinds::push(page, summary);
    if !summary.outcomes.is_empty() {
        page.markup("<div class=\"row\">\n");
        outcomes(page, summary);
        repairs(page, summary);
        page.markup("</div>\n");
    }
    sizes::push(page, summary);
    targets::push(page, summary);
    codes::push(page, summary);
    warnings(page, summary);
    codes::unreadable(page, summary);
    page.markup("</main>\n<footer><p>Shares are of all replies where nothing else is said. Made by ");
    page.markup(concat!("thusfar ", env!("CARGO_PKG_VERSION"), ".</p></footer>\n"));
}

/// The page in one line.
pub(super) fn headline(summary: &Summary) -> String {
    let (ok, replies) = (ok(summary), replies(summary));
    match replies {
        0 => "No replies".into(),
        1 => format!("1 reply: {}", if ok == 1 { "ok" } else { "not ok" }),
        _ => format!("{} replies: {} ok", figures::headline(replies), share(ok, replies)),
    }
}

/// Replies that came to something.
fn replies(summary: &Summary) -> u64 {
    sum(summary, |_| true)
}

fn ok(summary: &Summary) -> u64 {
    sum(summary, |name| name == "ok")
}

fn not_ok(summary: &Summary) -> u64 {
    sum(summary, |name| name != "ok")
}

fn sum(summary: &Summary, counts: fn(&str) -> bool) -> u64 {
    let counted = summary.outcomes.iter().filter(|outcome| counts(&outcome.name));
    counted.fold(0, |sum: u64, outcome| sum.saturating_add(outcome.count))
}

/// The ring and the key figures.
fn overview(page: &mut Markup, summary: &Summary) {
    let (ok, not_ok, replies) = (ok(summary), not_ok(summary), replies(summary));
    page.markup("<section class=\"card overview\" aria-labelledby=\"overview\">\n<h2 id=\"overview\" class=\"unseen\">Overview</h2>\n");
    let slices: Vec<_> = summary.outcomes.iter().map(|outcome| slice(&outcome.name, outcome.count)).collect();
    let title =
        format!("{} of {}, {}, are ok", figures::count(ok), counted(replies, "reply", "replies"), share(ok, replies));
    let middle = if replies == 0 { "–".into() } else { share(ok, replies) };
    charts::donut(page, &slices, &title, &middle, if replies == 0 { "nothing read" } else { "ok" });
    page.markup("<dl class=\"tiles\">\n");
    tile(page, "<dt>Replies</dt>", &figures::headline(replies), &where_from(summary));
    tile(page, "<dt>Not ok</dt>", &figures::headline(not_ok), &of_all(not_ok, replies));
    if summary.lengths.replies > 0 {
        let longest = match summary.lengths.has_percentile() {
            true => format!("99 of 100 are no longer; the longest {}", figures::bytes(summary.lengths.max)),
            false => "the longest of fewer than 100 replies".into(),
        };
        tile(page, "<dt>99th percentile of length</dt>", &figures::bytes(summary.lengths.p99), &longest);
        let wasted = &summary.wasted;
        let of = match wasted.bytes {
            0 => "no reply went on behind its answer".into(),
            bytes => format!("{}, of {}", figures::bytes(bytes), counted(wasted.replies, "reply", "replies")),
        };
        tile(page, "<dt>Written after the answer was certain</dt>", &share(wasted.bytes, summary.lengths.bytes), &of);
    }
    page.markup("</dl>\n</section>\n");
}

fn tile(page: &mut Markup, name: &'static str, figure: &str, below: &str) {
    page.markup("<div>");
    page.markup(name);
    page.around("<dd>", figure, "</dd>");
    page.around("<dd class=\"note\">", below, "</dd></div>\n");
}

fn where_from(summary: &Summary) -> String {
    let judged = format!("{} judged here", figures::count(summary.judged));
    let reported = format!("{} read from reports", figures::count(summary.reported));
    let unreadable = format!("{} not readable", counted(summary.unreadable, "line", "lines"));
    let all = [(summary.judged, judged), (summary.reported, reported), (summary.unreadable, unreadable)];
    let said: Vec<_> = all.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if said.is_empty() { "the logs are empty".into() } else { said.join(", ") }
}

fn of_all(count: u64, replies: u64) -> String {
    match (count, replies) {
        (_, 0) => "nothing to judge".into(),
        (0, _) => "every reply is ok".into(),
        _ => format!("{} of all replies", share(count, replies)),
    }
}

fn slice(name: &str, count: u64) -> Slice {
    Slice { tint: Tint::of(name), count }
}

fn outcomes(page: &mut Markup, summary: &Summary) {
    page.markup("<section class=\"card\" aria-labelledby=\"outcomes\">\n");
    page.markup("<h2 id=\"outcomes\">What became of them</h2>\n");
    let open = "<table class=\"bars\"><caption>Replies by outcome</caption>\n";
    let rows = rows(&summary.outcomes, words::outcome, Tint::of);
    tables::push(page, open, Counts::Replies, &rows, replies(summary));
    page.markup("</section>\n");
}

fn repairs(page: &mut Markup, summary: &Summary) {
    if summary.repairs.is_empty() {
        return;
    }
    page.markup("<section class=\"card\" aria-labelledby=\"repairs\">\n<h2 id=\"repairs\">What was repaired</h2>\n");
    let open = "<table class=\"bars kinds-of\"><caption>Repairs by kind, and the replies that needed them</caption>\n";
    let rows = rows(&summary.repairs, words::repair, |_| Tint::Plain);
    tables::push(page, open, Counts::Kinds, &rows, replies(summary));
    page.markup("</section>\n");
}

fn warnings(page: &mut Markup, summary: &Summary) {
    if summary.warnings.is_empty() {
        return;
    }
    page.markup("<section class=\"card\" aria-labelledby=\"warnings\">\n<h2 id=\"warnings\">What looks odd</h2>\n");
    let open = "<table class=\"bars kinds-of\"><caption>Warnings by kind, and the replies that have them</caption>\n";
    let rows = rows(&summary.warnings, words::warning, |_| Tint::Plain);
    tables::push(page, open, Counts::Kinds, &rows, replies(summary));
    page.markup("</section>\n");
}

fn rows(counts: &[Count], note: fn(&str) -> &'static str, tint: fn(&str) -> Tint) -> Vec<Row<'_>> {
    let row = |count| {
        let Count { name, count, replies, .. }: &Count = count;
        Row { name, note: note(name), tint: tint(name), count: *count, replies: *replies }
    };
    counts.iter().map(row).collect()
}
