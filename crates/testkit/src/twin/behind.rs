//! What stands behind a root: whether it closed too early, and debris of something larger.

use super::prose::{SPACES, is_word, skip_insignificant, skip_raw_spaces};

/// What the text behind a root says.
pub(super) enum Behind {
    /// It closed too early: the offset that shows it, and the byte at which that was certain.
    TooEarly { offset: usize, decided: usize },
    /// It stands: where prose goes on, and the byte at which that was certain.
    Settled { resume: usize, decided: usize },
}

/// Judges what stands behind a root that ends at `end`.
pub(super) fn behind(text: &str, end: usize) -> Behind {
    let at = skip_insignificant(text, end, true);
    let rest = &text[at..];
    let early = |decided| Behind::TooEarly { offset: at, decided };
    match rest.chars().next() {
        Some('}' | ']' | '"') => early(at),
        Some('\\') if rest.starts_with("\\\"") => early(at + 1),
        Some('\\' | '/') => Behind::Settled { resume: at, decided: (at + 1).min(text.len()) },
        Some(':') => match value_begins(text, skip_raw_spaces(text, at + 1)) {
            Ok(decided) => early(decided),
            Err(decided) => Behind::Settled { resume: at, decided },
        },
        Some(',') => match member_follows(text, at + 1) {
            Ok(decided) => early(decided),
            Err((resume, decided)) => Behind::Settled { resume, decided },
        },
        _ => Behind::Settled { resume: at, decided: at },
    }
}

/// Whether a JSON value begins at `at`; either way the byte that tells.
fn value_begins(text: &str, at: usize) -> Result<usize, usize> {
    let rest = &text[at..];
    if rest.starts_with(['"', '{', '[']) || rest.starts_with(|digit: char| digit.is_ascii_digit()) {
        return Ok(at);
    }
    if let Some(rest) = rest.strip_prefix('-') {
        let is_number = rest.starts_with(|digit: char| digit.is_ascii_digit());
        return if is_number { Ok(at + 1) } else { Err((at + 1).min(text.len())) };
    }
    let word = text.len() - rest.trim_start_matches(is_word).len();
    if ["true", "false", "null"].contains(&&text[at..word]) {
        return Ok(word);
    }
    let alike = |literal: &str| literal.bytes().zip(rest.bytes()).take_while(|(one, other)| one == other).count();
    Err(at + ["true", "false", "null"].into_iter().map(alike).max().unwrap_or(0))
}

/// Whether what stands behind a comma belongs to a document; the byte that tells, or where prose goes on and that byte.
fn member_follows(text: &str, at: usize) -> Result<usize, (usize, usize)> {
    let at = skip_insignificant(text, at, true);
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return Ok(at) };
    if "\"'`“”‘’«»{}[],".contains(first) {
        return Ok(at);
    }
    if rest.starts_with("\\\"") {
        return Ok(at + 1);
    }
    if rest.starts_with("~~~") {
        return Ok(at + 2);
    }
    if !is_word(first) {
        let decided = if "\\/~".contains(first) { at + 1 } else { at };
        return Err((at, decided.min(text.len())));
    }
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    let is_number = digits.starts_with(|digit: char| digit.is_ascii_digit());
    let token = rest.trim_start_matches(|next: char| is_word(next) || (is_number && ".+".contains(next)));
    let behind = token.trim_start_matches(SPACES);
    let decided = text.len() - behind.len();
    match behind.chars().next() {
        None | Some(',' | '}' | ']' | ':') => Ok(decided),
        Some(')') if !is_number => Ok(decided),
        Some(_) => Err((at, decided)),
    }
}

/// The colon of `, "key" :` where `at` is behind the comma.
pub(super) fn member_colon(text: &str, at: usize) -> Option<usize> {
    let start = skip_raw_spaces(text, at);
    let mut characters = text.get(start..)?.strip_prefix('"')?.char_indices();
    let end = loop {
        match characters.next()? {
            (at, '"') => break start + 1 + at + 1,
            (_, '\\') => match characters.next()?.1 {
                '\n' | '\r' => return None,
                _ => {}
            },
            (_, '\n' | '\r') => return None,
            _ => {}
        }
    };
    let colon = skip_raw_spaces(text, end);
    text[colon..].starts_with(':').then_some(colon)
}
