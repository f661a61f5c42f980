//! The only place that writes the page: markup of ours, text that is escaped, numbers that were worked out here.
//!
//! Markup is `&'static str`: what came with a log cannot become any. Text of a model, an id, a file or a code goes through [`Markup::text`],
//! and stands in a text node: there is no way to write it into an attribute.

use std::fmt::Write as _;

use crate::terminal;

/// A page while it is written.
#[derive(Debug, Default)]
pub(super) struct Markup {
    html: String,
}

impl Markup {
    /// The bytes of the page.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.html.as_bytes()
    }

    /// Adds markup of ours.
    pub(super) fn markup(&mut self, markup: &'static str) {
        self.html.push_str(markup);
    }

    /// Adds a text node. Controls, and what turns a line around, are shown as `\u{…}`, as on a terminal.
    pub(super) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                '\n' => self.html.push_str("\\n"),
                '\t' => self.html.push_str("\\t"),
                _ if is_hidden(character) => {
                    // Writing to a `String` cannot fail.
                    let _ = write!(self.html, "\\u{{{:x}}}", u32::from(character));
                }
                _ => self.html.push(character),
            }
        }
    }

    /// Adds a text node between markup of ours.
    pub(super) fn around(&mut self, open: &'static str, text: &str, close: &'static str) {
        self.markup(open);
        self.text(text);
        self.markup(close);
    }

    /// Adds an attribute that holds a number: a length in pixels, or whatever the viewport counts in.
    pub(super) fn number(&mut self, name: &'static str, value: f64) {
        self.attribute(name, value, "");
    }

    /// Adds an attribute that holds a length in percent.
    pub(super) fn percent(&mut self, name: &'static str, value: f64) {
        self.attribute(name, value, "%");
    }

    /// Adds the attribute that draws so much of a circle and leaves so much.
    pub(super) fn dashes(&mut self, drawn: f64, left: f64) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.html, " stroke-dasharray=\"{drawn:.2} {left:.2}\"");
    }

    fn attribute(&mut self, name: &'static str, value: f64, unit: &'static str) {
        // Finite: parts of nothing are nothing.
        let digits = format!("{value:.2}");
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        let _ = write!(self.html, " {name}=\"{digits}{unit}\"");
    }
}

/// Whether a character is shown by its number: what a terminal hides, what ends a line or is no character at all, and marks that nobody sees.
fn is_hidden(character: char) -> bool {
    match character {
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{FDD0}'..='\u{FDEF}' => true,
        '\u{E0000}'..='\u{E0FFF}' => true,
        _ => u32::from(character) & 0xFFFE == 0xFFFE || terminal::is_hidden(character),
    }
}

/// At most so many characters of a text, its beginning.
pub(super) fn beginning(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut kept: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        kept.push('…');
    }
    kept
}
