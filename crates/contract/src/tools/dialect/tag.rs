//! One tag of a dialect with tags: its namespace, its name, its attributes.
//!
//! # Invariants
//!
//! A tag that may be incomplete is at most [`LONGEST_TAG`] bytes long: what is longer is no tag. So whoever waits for one waits for few
//! bytes, and looks at few bytes again.

use super::super::input::{LONGEST_TAG, Seen, starts};
use super::super::list::LONGEST_NAME;

/// Bytes of the longest namespace, and of the longest word of a tag.
const LONGEST_WORD: usize = 40;

/// What stands in front of the name of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// A namespace and a colon, or nothing.
    Namespace,
    /// `｜DSML｜`, with one bar or two, of either kind.
    Dsml,
}

/// A tag up to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'t> {
    pub(super) is_closing: bool,
    /// All that stands in front of the name.
    pub(super) prefix: &'t str,
    pub(super) name: &'t str,
    /// Bytes up to what follows the name.
    pub(super) len: usize,
}

/// An attribute: its name and its text, as it stands there.
pub(super) type Attribute<'t> = (&'t str, &'t str);

/// As much of a text as a tag can be, and what is said where a tag goes on behind it.
fn window(text: &str) -> (&str, Seen) {
    if text.len() < LONGEST_TAG {
        return (text, Seen::More);
    }
    let end = (0..=LONGEST_TAG).rev().find(|&at| text.is_char_boundary(at));
    (&text[..end.unwrap_or_default()], Seen::No)
}

/// The bytes of a word at the beginning of a text; none is [`Seen::No`].
fn word(text: &str, more: Seen) -> Result<usize, Seen> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    match text.bytes().take(LONGEST_WORD + 1).position(|byte| !is_part(byte)) {
        Some(0) => Err(Seen::No),
        Some(len) => Ok(len),
        None if text.len() > LONGEST_WORD => Err(Seen::No),
        None => Err(more),
    }
}

/// The tag that begins here, up to its name.
pub(super) fn head(text: &str, prefix: Prefix) -> Result<Head<'_>, Seen> {
    let (text, more) = window(text);
    let missing = |seen: Seen| if seen == Seen::More { more } else { Seen::No };
    let is_closing = match (starts(text, "<"), starts(text, "</")) {
        (_, Seen::Yes) => true,
        (Seen::Yes, Seen::No) => false,
        (Seen::Yes, _) => return Err(more),
        (seen, _) => return Err(missing(seen)),
    };
    let start = if is_closing { 2 } else { 1 };
    let at = match prefix {
        Prefix::Dsml => start + marker(&text[start..]).map_err(missing)?,
        Prefix::Namespace => {
            let len = word(&text[start..], more)?;
            if text[start + len..].starts_with(':') { start + len + 1 } else { start }
        }
    };
    let len = at + word(&text[at..], more)?;
    Ok(Head { is_closing, prefix: &text[start..at], name: &text[at..len], len })
}

/// The length of `｜DSML｜`.
fn marker(text: &str) -> Result<usize, Seen> {
    let front = bars(text)?;
    match starts(&text[front..], "DSML") {
        Seen::Yes => Ok(front + 4 + bars(&text[front + 4..])?),
        seen => Err(seen),
    }
}

/// The length of one bar or two.
fn bars(text: &str) -> Result<usize, Seen> {
    let is_bar = |character: &char| matches!(character, '｜' | '|');
    match text.chars().take_while(is_bar).take(2).map(char::len_utf8).sum() {
        0 if text.is_empty() => Err(Seen::More),
        0 => Err(Seen::No),
        // Another bar may follow.
        len if len == text.len() => Err(Seen::More),
        len => Ok(len),
    }
}

/// What stands behind the name of a tag up to its end, if that is nothing but attributes; and where the tag ends.
pub(super) fn attributes<'t>(text: &'t str, head: &Head<'_>) -> Result<(Vec<Attribute<'t>>, usize), Seen> {
    let (text, more) = window(text);
    let mut found = Vec::new();
    let mut at = head.len;
    loop {
        let gap = space(&text[at..]);
        at += gap;
        match text.as_bytes().get(at) {
            None => return Err(more),
            Some(b'>') => return Ok((found, at + 1)),
            Some(_) if gap == 0 => return Err(Seen::No),
            Some(_) => {}
        }
        let name = &text[at..at + word(&text[at..], more)?];
        at += name.len();
        at += space(&text[at..]);
        at += exactly(&text[at..], "=", more)?;
        at += space(&text[at..]);
        let (value, len) = quoted(&text[at..], more)?;
        at += len;
        if found.iter().any(|(known, _)| *known == name) {
            return Err(Seen::No);
        }
        found.push((name, value));
    }
}

/// A text between quotes, and its length with them.
fn quoted(text: &str, more: Seen) -> Result<(&str, usize), Seen> {
    let Some(&quote) = text.as_bytes().first() else { return Err(more) };
    if !matches!(quote, b'"' | b'\'') {
        return Err(Seen::No);
    }
    match text.bytes().skip(1).position(|byte| byte == quote || matches!(byte, b'\n' | b'\r' | b'<')) {
        Some(len) if text.as_bytes()[len + 1] == quote => Ok((&text[1..=len], len + 2)),
        Some(_) => Err(Seen::No),
        None => Err(more),
    }
}

fn exactly(text: &str, literal: &str, more: Seen) -> Result<usize, Seen> {
    match starts(text, literal) {
        Seen::Yes => Ok(literal.len()),
        Seen::More => Err(more),
        Seen::No => Err(Seen::No),
    }
}

/// The bytes of white space at the beginning of a text: as many as a tag has.
pub(super) fn space(text: &str) -> usize {
    text.bytes().take(LONGEST_TAG).take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Whether a tag ends behind its name: `>` and nothing else.
pub(super) fn closed(text: &str, head: &Head<'_>) -> Result<usize, Seen> {
    exactly(&text[head.len..], ">", Seen::More).map(|len| head.len + len)
}

/// Whether a text can be the name of a tool or of a parameter.
pub(super) fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
}

/// What stands between an opener and a closer, without white space around it: a name, so it is on one line and holds no `<`. Its length
/// counts the opener and the closer too.
pub(super) fn between<'t>(text: &'t str, opener: &str, closer: &str) -> Result<(&'t str, usize), Seen> {
    let (text, more) = window(text);
    let start = exactly(text, opener, more)?;
    let rest = &text[start..];
    let stop = |byte: u8| matches!(byte, b'<' | b'\n' | b'\r') || Some(&byte) == closer.as_bytes().first();
    let len = rest.bytes().position(stop).ok_or(more)?;
    let end = start + len + exactly(&rest[len..], closer, more)?;
    let name = rest[..len].trim_matches([' ', '\t']);
    if is_name(name) { Ok((name, end)) } else { Err(Seen::No) }
}
