//! Warnings: legal text that is probably not what was meant. They never stop anything.
//!
//! Looked for once, behind the search, and only where the scanner met something suspect: the document is read again.

use alloc::vec::Vec;
use core::fmt::Write;

use crate::ending::Ending;
use crate::expect::{Expect, Root};
use crate::limits::Limits;
use crate::repair::RepairKind;
use crate::scan::Scanner;
use crate::sink::{Event, Flow, Part, Sink};
use crate::span::Span;
use crate::value::same_number;

/// The kinds of warning. Stable names: [`WarningKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// A number that no `f64` holds exactly as written; its digits are kept.
    LossyNumber,
    /// A dropped comment on a line of its own that looks like a member.
    CommentedMember,
    /// An escape that is legal, but looks like a path or a command: `\t` in `C:\temp`, `\f` in `\frac`.
    SuspiciousEscape,
    /// The token budget ended the reply, behind the document.
    EndedByLength,
    /// A filter ended the reply, behind the document.
    EndedByFilter,
    /// Reading stopped behind the document, before the reply ended.
    TailUnread,
    /// The text is that of two completions. The span is what both of them hold; or, where the second is a document by itself, that
    /// document.
    Stitched,
}

impl WarningKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WarningKind::LossyNumber => "lossy_number",
            WarningKind::CommentedMember => "commented_member",
            WarningKind::SuspiciousEscape => "suspicious_escape",
            WarningKind::EndedByLength => "ended_by_length",
            WarningKind::EndedByFilter => "ended_by_filter",
            WarningKind::TailUnread => "tail_unread",
            WarningKind::Stitched => "stitched",
        }
    }

    /// The sentence for people.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            WarningKind::LossyNumber => "a 64-bit float does not hold this number exactly",
            WarningKind::CommentedMember => "a dropped comment looks like a member",
            WarningKind::SuspiciousEscape => "this escape may have been meant as a backslash",
            WarningKind::EndedByLength => "the token budget ended the reply behind the document",
            WarningKind::EndedByFilter => "a filter ended the reply behind the document",
            WarningKind::TailUnread => "reading stopped behind the document",
            WarningKind::Stitched => "put together from two completions",
        }
    }
}

/// One warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// The bytes of the raw reply it is about; empty, behind the document, when it is about the end.
    pub span: Span,
}

impl Warning {
    pub(crate) const fn new(kind: WarningKind, span: Span) -> Self {
        Self { kind, span }
    }
}

/// The warnings about the text of a document, sorted by offset. One pass over it.
pub(crate) fn look(raw: &str, document: Span, expect: &Expect) -> Vec<Warning> {
    let text = &raw[document.range()];
    let again = Expect { root: Root::Value, in_reasoning: false, ..*expect }.limits(Limits::NONE);
    let mut look = Look { text, offset: document.start, warnings: Vec::new() };
    let mut scanner = Scanner::new(&again);
    let _ = scanner.push(text, &mut look);
    // A number that is the root ends with the text.
    let _ = scanner.finish(Ending::Stop, false, &mut look);
    look.warnings.sort_by_key(|warning| warning.span.start);
    look.warnings
}

struct Look<'a> {
    text: &'a str,
    offset: usize,
    warnings: Vec<Warning>,
}

impl Look<'_> {
    fn warn(&mut self, kind: WarningKind, span: Span) {
        self.warnings.push(Warning::new(kind, Span::new(self.offset + span.start, self.offset + span.end)));
    }
}

impl Sink for Look<'_> {
    const BYTES: bool = false;

    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Number { span } if is_lossy(&self.text[span.range()]) => self.warn(WarningKind::LossyNumber, span),
            Event::Key { content, .. } | Event::String { content, .. } => {
                let text = self.text;
                for place in suspicious_escapes(&text[content.range()]) {
                    let start = content.start + place;
                    self.warn(WarningKind::SuspiciousEscape, Span::new(start, start + 2));
                }
            }
            Event::Edit(edit) if edit.kind == RepairKind::Comment && edit.part == Part::First => {
                let comment = &self.text[edit.span.range()];
                let member = comment.find('"').is_some_and(|quote| comment[quote..].contains(':'));
                if member {
                    self.warn(WarningKind::CommentedMember, edit.span);
                }
            }
            _ => {}
        }
        Flow::Continue
    }
}

/// Whether the shortest decimal of the number's `f64` is numerically not what was written. Integers of 64 bits are exact.
fn is_lossy(number: &str) -> bool {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return false;
    }
    let Ok(value) = number.parse::<f64>() else { return true };
    let mut shortest = alloc::string::String::new();
    write!(shortest, "{value:e}").is_err() || !same_number(number, &shortest)
}

/// Places (of the backslash, in the content of a string) of escapes that may have been meant as a backslash.
///
/// `\b` and `\f` in front of a letter; any control escape behind a drive letter and colon at the beginning of a word; and a control
/// escape in front of a letter in a path: behind a drive letter, or behind `\\` between word characters.
fn suspicious_escapes(content: &str) -> impl Iterator<Item = usize> {
    let bytes = content.as_bytes();
    let is_piece = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'$');
    let mut at = 0;
    let mut in_path = false;
    core::iter::from_fn(move || {
        while at < bytes.len() {
            let here = at;
            if bytes[here] != b'\\' {
                at += 1;
                in_path &= is_piece(bytes[here]) || is_drive(bytes, here);
                continue;
            }
            at += 2;
            let letter = bytes.get(here + 1).copied().unwrap_or_default();
            let letter_next = bytes.get(here + 2).is_some_and(u8::is_ascii_alphabetic);
            let drive = here > 0 && is_drive(bytes, here - 1);
            let found = match letter {
                b'b' | b'f' => letter_next || drive,
                b'n' | b'r' | b't' => drive || (in_path && letter_next),
                _ => false,
            };
            in_path = match letter {
                b'\\' => in_path || drive || here == 0 || is_piece(bytes[here - 1]),
                b'b' | b'f' | b'n' | b'r' | b't' => in_path || drive,
                _ => false,
            };
            if found {
                return Some(here);
            }
        }
        None
    })
}

/// Whether the byte at `colon` is a colon behind a single letter.
fn is_drive(bytes: &[u8], colon: usize) -> bool {
    let letter = colon.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_alphabetic());
    let word_before = colon.checked_sub(2).is_some_and(|at| bytes[at].is_ascii_alphanumeric());
    bytes[colon] == b':' && letter && !word_before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lossy_numbers() {
        for exact in
            ["0", "-0", "0.1", "1e-07", "18446744073709551615", "-9223372036854775808", "1e21", "1.5e300", "0e-999"]
        {
            assert!(!is_lossy(exact), "{exact}");
        }
        for lossy in [
            "0.1234567890123456789",
            "1e-400",
            "12345678901234567890123",
            "18446744073709551617",
            "0.10000000000000001",
        ] {
            assert!(is_lossy(lossy), "{lossy}");
        }
    }

    #[test]
    fn escapes_that_look_like_paths_or_commands() {
        let cases: [(&str, &[usize]); 12] = [
            (r"C:\temp", &[2]),
            (r"C:\temp\new", &[2, 7]),
            (r"\frac{1}{2}", &[0]),
            (r"a \beta", &[2]),
            (r"dir\\sub\temp", &[8]),
            (r"line one\nline two", &[]),
            (r"note:\n- item", &[]),
            (r"x:\\n is a newline", &[]),
            (r"tab\there", &[]),
            (r"C:\\temp\\new", &[]),
            (r#"printf(\"a\\n\")\nreturn"#, &[]),
            (r"\b", &[]),
        ];
        for (content, places) in cases {
            assert!(suspicious_escapes(content).eq(places.iter().copied()), "{content}");
        }
    }
}
