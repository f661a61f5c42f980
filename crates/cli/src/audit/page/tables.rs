//! Tables of names, each row with a bar. Shares are of all replies, as those of the summary are.

use super::charts::{self, Scale};
use super::figures::{self, share};
use super::markup::{Markup, beginning};
use super::words::Tint;

/// Rows of a table that are shown; the others are one row.
const ROWS: usize = 16;
/// Characters of a name that are shown.
const NAME: usize = 120;

/// A name, how often it came up, in how many replies, and what it means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    pub(super) note: &'static str,
    pub(super) tint: Tint,
    pub(super) count: u64,
    pub(super) replies: u64,
}

/// What a table counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counts {
    /// Replies, each once: the bars are parts of them all.
    Replies,
    /// What a reply may have several of: the longest bar is that of the most replies.
    Kinds,
}

/// Adds a table. `open` is its tag with its caption; there are so many replies in all.
pub(super) fn push(page: &mut Markup, open: &'static str, counts: Counts, rows: &[Row<'_>], all: u64) {
    page.markup(open);
    page.markup("<thead><tr><th scope=\"col\">Name</th><td class=\"space\"></td>");
    if matches!(counts, Counts::Kinds) {
        page.markup("<th scope=\"col\" class=\"figure\">Count</th>");
    }
    page.markup("<th scope=\"col\" class=\"figure\">Replies</th><th scope=\"col\" class=\"figure\">Share</th>");
    page.markup("</tr></thead>\n<tbody>\n");
    let most = rows.iter().map(|row| row.replies).max().unwrap_or(0);
    let scale = match counts {
        Counts::Replies => Scale::Of(all),
        Counts::Kinds => Scale::To(most),
    };
    let (shown, rest) = rows.split_at(if rows.len() > ROWS { ROWS - 1 } else { rows.len() });
    for row in shown {
        name(page, row);
        page.markup("<td class=\"space\">");
        charts::bar(page, row.tint, row.replies, scale);
        page.markup("</td>");
        if matches!(counts, Counts::Kinds) {
            figure(page, &figures::count(row.count));
        }
        figure(page, &figures::count(row.replies));
        figure(page, &share(row.replies, all));
        page.markup("</tr>\n");
    }
    if !rest.is_empty() {
        others(page, counts, rest, all);
    }
    page.markup("</tbody></table>\n");
}

fn name(page: &mut Markup, row: &Row<'_>) {
    page.markup("<tr><th scope=\"row\"><span");
    page.markup(row.tint.attribute());
    page.markup("></span>");
    said(page, "<code class=\"said\">", row.name, "</code>");
    if !row.note.is_empty() {
        page.around("<span class=\"note\">", row.note, "</span>");
    }
    page.markup("</th>");
}

/// What has no row of its own. How many replies have one of several kinds is not known.
fn others(page: &mut Markup, counts: Counts, rest: &[Row<'_>], all: u64) {
    let names = format!("{} more names", figures::count(rest.len() as u64));
    page.around("<tr><th scope=\"row\">", &names, "</th><td class=\"space\"></td>");
    let count = rest.iter().fold(0, |sum: u64, row| sum.saturating_add(row.count));
    figure(page, &figures::count(count));
    match counts {
        Counts::Replies => figure(page, &share(count, all)),
        Counts::Kinds => page.markup("<td></td><td></td>"),
    }
    page.markup("</tr>\n");
}

fn figure(page: &mut Markup, figure: &str) {
    page.around("<td class=\"figure\">", figure, "</td>");
}

/// Adds text of a log, bounded.
pub(super) fn said(page: &mut Markup, open: &'static str, text: &str, close: &'static str) {
    page.around(open, &beginning(text, NAME), close);
}
