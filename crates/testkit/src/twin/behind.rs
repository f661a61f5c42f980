//! What stands behind a root: whether it closed too early, and debris of something larger.

use super::prose::{comment_end, is_word, skip_raw_spaces, skip_spaces};

/// What the text behind a root says.
pub(super) enum Behind {
    /// It closed too early: the offset that shows it, and the byte at which that was certain.
    TooEarly { offset: usize, decided: usize },
    /// It stands: where prose goes on, and the byte at which that was certain.
    Settled { resume: usize, decided: usize },
}

/// Judges what stands behind a root that ends at `end`; `thin`: its closer stands directly behind its opener or a comma.
pub(super) fn behind(text: &str, end: usize, thin: bool) -> Behind {
    let begins = |first: char| first.is_ascii_alphanumeric() || "-{[".contains(first);
    if thin && text[end..].starts_with(begins) {
        return Behind::TooEarly { offset: end, decided: end };
    }
    let at = match skip(text, end) {
        Ok(at) => at,
        Err((offset, decided)) => return Behind::TooEarly { offset, decided },
    };
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
        Some(',') => comma(text, at),
        Some('-' | '0'..='9') => number(text, at),
        _ => Behind::Settled { resume: at, decided: at },
    }
}

/// Judges what stands behind a value that stands directly behind a root and does not count: only a comma tells.
pub(super) fn beside(text: &str, end: usize) -> Behind {
    match skip(text, end) {
        Err((offset, decided)) => Behind::TooEarly { offset, decided },
        Ok(at) if text[at..].starts_with(',') => comma(text, at),
        Ok(at) if text[at..].starts_with(['\\', '/']) => {
            Behind::Settled { resume: at, decided: (at + 1).min(text.len()) }
        }
        Ok(at) => Behind::Settled { resume: at, decided: at },
    }
}

/// Judges the number at `at`, without a comma in front of it: one behind it is judged as if the number were not there.
fn number(text: &str, at: usize) -> Behind {
    let digits = at + usize::from(text[at..].starts_with('-'));
    let mut end = digits;
    for (inside, next) in text[digits..].char_indices() {
        let sign = inside > 0 && text[..digits + inside].ends_with(['e', 'E']) && "+-".contains(next);
        if !(next.is_ascii_digit() || sign || (inside > 0 && ".eE".contains(next))) {
            break;
        }
        end = digits + inside + 1;
    }
    if end == digits {
        return Behind::Settled { resume: at, decided: digits };
    }
    let teller = skip_raw_spaces(text, end);
    if text[teller..].starts_with(',') { comma(text, teller) } else { Behind::Settled { resume: at, decided: teller } }
}

/// Judges the comma at `at`.
fn comma(text: &str, at: usize) -> Behind {
    match member_follows(text, at + 1) {
        Member::Follows(decided) => Behind::TooEarly { offset: at, decided },
        Member::Swallowed(offset, decided) => Behind::TooEarly { offset, decided },
        Member::No(resume, decided) => Behind::Settled { resume, decided },
    }
}

/// Whether a JSON value begins at `at`; either way the byte that tells.
fn value_begins(text: &str, at: usize) -> Result<usize, usize> {
    let rest = &text[at..];
    if rest.is_empty() || rest.starts_with(['"', '{', '[']) || rest.starts_with(|digit: char| digit.is_ascii_digit()) {
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

/// What stands behind a comma; each with the byte that tells.
enum Member {
    Follows(usize),
    /// A comment that may have swallowed it: where.
    Swallowed(usize, usize),
    /// Prose, and where it goes on.
    No(usize, usize),
}

/// Skips white space, escaped white space and comments. One with an odd number of quotes may have swallowed the rest of a string: where,
/// and the byte that tells.
fn skip(text: &str, mut at: usize) -> Result<usize, (usize, usize)> {
    loop {
        at = skip_spaces(text, at);
        let Some(end) = comment_end(text, at) else { return Ok(at) };
        if text[at..end].matches('"').count() % 2 == 1 {
            let is_block = text[at..].starts_with("/*") && text[at + 2..end].ends_with("*/");
            return Err((at, if is_block { end - 1 } else { end }));
        }
        at = end;
    }
}

/// Where what stands directly behind `end` begins.
pub(super) fn directly_behind(text: &str, end: usize) -> Option<usize> {
    skip(text, end).ok()
}

/// Whether what stands behind a comma belongs to a document.
fn member_follows(text: &str, at: usize) -> Member {
    let at = match skip(text, at) {
        Ok(at) => at,
        Err((offset, decided)) => return Member::Swallowed(offset, decided),
    };
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return Member::Follows(at) };
    if "\"'`“”‘’«»{}[],".contains(first) {
        return Member::Follows(at);
    }
    if rest.starts_with("\\\"") {
        return Member::Follows(at + 1);
    }
    if rest.starts_with("~~~") {
        return Member::Follows(at + 2);
    }
    if !is_word(first) {
        let tildes = rest.len() - rest.trim_start_matches('~').len();
        let decided = at + if "\\/".contains(first) { 1 } else { tildes };
        return Member::No(at, decided.min(text.len()));
    }
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    let is_number = digits.starts_with(|digit: char| digit.is_ascii_digit());
    let token = rest.trim_start_matches(|next: char| is_word(next) || (is_number && ".+".contains(next)));
    let behind = match skip(text, text.len() - token.len()) {
        Ok(behind) => behind,
        Err((offset, decided)) => return Member::Swallowed(offset, decided),
    };
    match text[behind..].chars().next() {
        None | Some(',' | '}' | ']' | ':') => Member::Follows(behind),
        Some(')') if !is_number => Member::Follows(behind),
        Some('\\' | '/') => Member::No(behind, (behind + 1).min(text.len())),
        Some(_) => Member::No(behind, behind),
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
