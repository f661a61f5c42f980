//! The page of an audit: one file that needs nothing else, for people who would rather look than read.
//!
//! There is no script in it, nothing is fetched, and a policy at its head forbids both. What came with the logs (ids, models, files, codes,
//! excerpts) is hostile text: `markup` escapes all of it and has no way to put it anywhere but into a text node. The same summary gives the
//! same bytes.

mod markup; // markup, text and numbers out
mod figures; // numbers as words
mod words; // names that are known, and their colours
mod charts; // SVG
mod tables; // rows with bars
mod sections; // what the page says, in its order

use std::io::{self, Write};

use self::markup::Markup;
use super::summary::Summary;

/// What stands in the page's one `<style>`.
const STYLE: &str = include_str!("page/style.css");

/// How each page begins.
pub(crate) const BEGINNING: &str = "<!doctype html>";

/// The head. The policy stands in front of all that it is for; it names the digest of the style.
const HEAD: &str = concat!(
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ",
    "style-src 'sha256-8hy57AxG/NxNK67WJdBOHUPcjoaCJe2CyqDIrzfe1Wo='; ",
    "base-uri 'none'; form-action 'none'\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n",
    "<meta name=\"referrer\" content=\"no-referrer\">\n",
);

/// Writes the page.
///
/// # Errors
///
/// Those of `out`.
pub(crate) fn write(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    let mut page = Markup::default();
    page.markup(HEAD);
    page.around("<title>", &sections::headline(summary), " · thusfar audit</title>\n<style>");
    page.markup(STYLE);
    page.markup("</style>\n</head>\n<body>\n");
    sections::push(&mut page, summary);
    page.markup("</body>\n</html>\n");
    out.write_all(page.as_bytes())
}

#[cfg(test)]
mod tests;
