//! Text of a model as a prompt may hold it: between fences that it cannot close, or in one line; and nothing that cannot be seen.
//!
//! What is written by a model and put into the next prompt may try to look like the words around it. So
//! * a fence is a run of one character that is longer than any such run in the text;
//! * what may not be seen, or turns a line around, is shown as `\u{…}`: controls but line ends and tabs, bidirectional controls, line and
//!   paragraph separators, tags and other characters without a width. The joiners U+200C and U+200D stay: scripts and emoji need them.

use std::fmt::Write as _;

/// Whether a character is shown as `\u{…}`. A carriage return in front of a line feed is none of them.
fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => true,
        '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => character.is_control(),
    }
}

/// Whether a text may stand in a prompt only with some characters shown otherwise.
pub(crate) fn has_hidden(text: &str) -> bool {
    hidden(text).next().is_some()
}

/// Places and characters that are shown otherwise.
fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let is_line_end = |at: usize| text[at..].starts_with("\r\n");
    text.char_indices().filter(move |&(at, character)| is_hidden(character) && !is_line_end(at))
}

/// A text of several lines as it is shown.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, character) in hidden(text) {
        out.push_str(&text[from..at]);
        push_escaped(&mut out, character);
        from = at + character.len_utf8();
    }
    out.push_str(&text[from..]);
    out
}

/// At most `most` characters of a text in one line, `...` behind them where it is longer.
pub(crate) fn on_one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if is_hidden(character) => push_escaped(&mut out, character),
            _ => out.push(character),
        }
    }
    if characters.next().is_some() {
        out.push_str("...");
    }
    out
}

/// The same between quotes that it does not close.
pub(crate) fn quoted(text: &str, most: usize) -> String {
    let escaped = text.chars().take(most + 1).fold(String::new(), |mut out, character| {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
        out
    });
    // A backslash and what it escapes stay together.
    let count = text.chars().take(most).map(|character| 1 + usize::from(matches!(character, '"' | '\\'))).sum();
    format!("\"{}\"", on_one_line(&escaped, count))
}

fn push_escaped(out: &mut String, character: char) {
    // Writing to a `String` cannot fail.
    let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
}

/// A run of backticks or tildes, three or more, that stands in none of these texts: the shorter of both.
pub(crate) fn delimiter<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> String {
    let run = |mark: char| texts.clone().map(|text| longest_run(text, mark)).max().unwrap_or(0) + 1;
    let (ticks, tildes) = (run('`').max(3), run('~').max(3));
    if ticks <= tildes { "`".repeat(ticks) } else { "~".repeat(tildes) }
}

fn longest_run(text: &str, mark: char) -> usize {
    text.split(|other| other != mark).map(str::len).max().unwrap_or(0)
}

/// A text between fences that do not occur in it, exactly as it is.
pub(crate) fn fenced(text: &str) -> String {
    let fence = delimiter([text].into_iter());
    format!("{fence}\n{text}\n{fence}")
}
