//! Signals: what became of each target of a specification.

use super::counted;
use crate::audit::page::charts::{self, Slice};
use crate::audit::page::figures;
use crate::audit::page::markup::Markup;
use crate::audit::page::tables::said;
use crate::audit::page::words::Tint;
use crate::audit::summary::{Summary, TargetCount};

/// Targets that are shown.
const TARGETS: usize = 32;

/// Adds the section, if signals were looked for.
pub(super) fn push(page: &mut Markup, summary: &Summary) {
    if summary.targets.is_empty() {
        return;
    }
    page.markup("<section class=\"card\" aria-labelledby=\"signals\">\n<h2 id=\"signals\">Signals in prose</h2>\n");
    page.markup("<table class=\"signals\"><caption>Replies by target and outcome</caption>\n<thead><tr><th scope=\"col\">Target</th>");
    page.markup("<th scope=\"col\" class=\"figure\"><span class=\"ok\"></span>ok</th>");
    page.markup("<th scope=\"col\" class=\"figure\"><span class=\"nothing\"></span>not found</th>");
    page.markup("<th scope=\"col\" class=\"figure\"><span class=\"ambiguous\"></span>ambiguous</th>");
    page.markup("<th scope=\"col\" class=\"figure\"><span class=\"mismatch\"></span>invalid</th></tr></thead>\n");
    for target in summary.targets.iter().take(TARGETS) {
        row(page, target);
    }
    page.markup("</table>\n");
    let more = summary.targets.len().saturating_sub(TARGETS) as u64;
    if more > 0 {
        page.around("<p class=\"note\">", &counted(more, "more target", "more targets"), " not shown.</p>\n");
    }
    page.markup("</section>\n");
}

fn row(page: &mut Markup, target: &TargetCount) {
    let TargetCount { name, ok, not_found, ambiguous, invalid } = target;
    let four =
        [(Tint::Ok, *ok), (Tint::Nothing, *not_found), (Tint::Ambiguous, *ambiguous), (Tint::Mismatch, *invalid)];
    said(page, "<tbody><tr><th scope=\"rowgroup\"><span class=\"said\">", name, "</span></th>");
    for (_, count) in four {
        page.around("<td class=\"figure\">", &figures::count(count), "</td>");
    }
    page.markup("</tr>\n<tr aria-hidden=\"true\"><td colspan=\"5\">");
    charts::stacked(page, &four.map(|(tint, count)| Slice { tint, count }), None);
    page.markup("</td></tr></tbody>\n");
}
