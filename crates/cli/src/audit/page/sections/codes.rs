//! The exact codes, each with the first reply that has it; and the lines that nobody could read.

use super::{counted, replies};
use crate::audit::page::charts::{self, Scale};
use crate::audit::page::figures::{self, share};
use crate::audit::page::markup::{Markup, beginning};
use crate::audit::page::tables::said;
use crate::audit::page::words::Tint;
use crate::audit::summary::{CodeCount, Example, Summary};
use crate::terminal;

/// Characters of an excerpt that are shown.
const EXCERPT: usize = 240;
/// Characters of either end of a file's name that are shown.
const FILE: usize = 60;

/// Adds the section, if there is a code.
pub(super) fn push(page: &mut Markup, summary: &Summary) {
    if summary.codes.is_empty() {
        return;
    }
    page.markup("<section class=\"card\" aria-labelledby=\"codes\">\n<h2 id=\"codes\">Where exactly</h2>\n");
    page.markup(
        "<table class=\"codes\"><caption>The most frequent codes, each with the first reply that has it</caption>\n",
    );
    page.markup("<thead><tr><th scope=\"col\">Code</th><th scope=\"col\" class=\"outcome\">Outcome</th><td class=\"space\"></td>");
    page.markup(
        "<th scope=\"col\" class=\"figure\">Replies</th><th scope=\"col\" class=\"figure\">Share</th></tr></thead>\n",
    );
    let (all, most) = (replies(summary), summary.codes.iter().map(|code| code.count).max().unwrap_or(0));
    for code in &summary.codes {
        row(page, code, most, all);
    }
    page.markup("</table>\n");
    if summary.more_codes > 0 {
        let more = format!(
            "{} less frequent {} not shown.",
            counted(summary.more_codes, "code", "codes"),
            is(summary.more_codes)
        );
        page.around("<p class=\"note\">", &more, "</p>\n");
    }
    page.markup("</section>\n");
}

fn is(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn row(page: &mut Markup, code: &CodeCount, most: u64, all: u64) {
    let tint = Tint::of(&code.outcome);
    page.markup("<tbody><tr><th scope=\"rowgroup\"><span");
    page.markup(tint.attribute());
    page.markup("></span>");
    said(page, "<code class=\"said\">", &code.code, "</code></th>");
    said(page, "<td class=\"outcome\"><span class=\"said\">", &code.outcome, "</span></td><td class=\"space\">");
    charts::bar(page, tint, code.count, Scale::To(most));
    page.around("</td><td class=\"figure\">", &figures::count(code.count), "</td>");
    page.around("<td class=\"figure\">", &share(code.count, all), "</td></tr>\n");
    page.markup("<tr class=\"example\"><td colspan=\"5\">");
    example(page, &code.example);
    page.markup("</td></tr></tbody>\n");
}

/// Where a line stands, whose it is, and what it says there.
fn example(page: &mut Markup, example: &Example) {
    page.around(
        "<p class=\"place\"><span><span class=\"said\">",
        &terminal::shortened(&example.file, FILE),
        "</span>:",
    );
    page.around("", &example.line.to_string(), "</span>");
    if let Some(id) = &example.id {
        said(page, " <span class=\"said\"><b>id</b> ", id, "</span>");
    }
    if let Some(model) = &example.model {
        said(page, " <span class=\"said\"><b>model</b> ", model, "</span>");
    }
    page.markup("</p>");
    if !example.excerpt.is_empty() {
        page.around("<pre class=\"said\"><code>", &beginning(&example.excerpt, EXCERPT), "</code></pre>");
    }
}

/// Adds what could not be read, if there is such a line.
pub(super) fn unreadable(page: &mut Markup, summary: &Summary) {
    if summary.unreadable == 0 {
        return;
    }
    page.markup(
        "<section class=\"card\" aria-labelledby=\"unreadable\">\n<h2 id=\"unreadable\">What could not be read</h2>\n",
    );
    let said = format!(
        "{} neither requests nor reports, and count nowhere else.",
        counted(summary.unreadable, "line is", "lines are")
    );
    page.around("<p>", &said, "</p>\n<ul class=\"list\">\n");
    for unread in &summary.unreadable_examples {
        page.markup("<li>");
        example(page, unread);
        page.markup("</li>\n");
    }
    page.markup("</ul>\n</section>\n");
}
