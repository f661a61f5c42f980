//! What a terminal is shown: escaped text, colours, the source line with its caret.
//!
//! Model text is hostile: a control character can move the cursor, a bidirectional one can turn a line around. Both are
//! shown as `\u{…}` wherever text goes to a terminal, and always on standard error. Off a terminal standard output is
//! exact bytes.

use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a source line that are shown, and how many of them are kept for what stands behind the place.
const COLUMNS: usize = 88;
const BEHIND: usize = 32;
/// Bytes that are looked at on either side of the place: enough for the columns, whatever the characters.
const REACH: usize = 512;

/// Whether a character is shown as `\u{…}`: controls but line feed and tab, DEL, C1 and bidirectional controls.
pub(crate) fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

/// Text with its hidden characters shown.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        push_escaped(&mut shown, character);
    }
    shown
}

/// At most `most` characters of text on one line: line feeds and tabs as `\n` and `\t`.
pub(crate) fn on_one_line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        match character {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            _ => push_escaped(&mut shown, character),
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The beginning and the end of a message, so many characters of each: a text of the input may stand in its middle.
pub(crate) fn shortened(message: &str, side: usize) -> String {
    let end = message.char_indices().rev().nth(side - 1).map_or(0, |(at, _)| at);
    match message.char_indices().nth(side) {
        Some((start, _)) if start < end => format!("{}…{}", &message[..start], &message[end..]),
        _ => message.to_owned(),
    }
}

fn push_escaped(shown: &mut String, character: char) {
    if is_hidden(character) {
        // Writing to a `String` cannot fail.
        let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
    } else {
        shown.push(character);
    }
}

/// Standard output: exact bytes, unless it is a terminal.
#[derive(Debug)]
pub(crate) struct Output<W: Write = BufWriter<Stdout>> {
    writer: W,
    is_terminal: bool,
}

impl Output {
    /// Buffered standard output.
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self { writer: BufWriter::with_capacity(64 << 10, stdout), is_terminal }
    }
}

impl<W: Write> Output<W> {
    /// Whether what is written is shown to a person.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes text, escaped if this is a terminal.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        if !self.is_terminal {
            return self.writer.write_all(text.as_bytes());
        }
        let mut rest = text;
        while let Some(at) = rest.find(is_hidden) {
            let (plain, hidden) = rest.split_at(at);
            let mut hidden = hidden.chars();
            self.writer.write_all(plain.as_bytes())?;
            if let Some(character) = hidden.next() {
                write!(self.writer, "\\u{{{:x}}}", u32::from(character))?;
            }
            rest = hidden.as_str();
        }
        self.writer.write_all(rest.as_bytes())
    }

    /// Writes text whose foreign parts were escaped one by one, with its colours.
    pub(crate) fn painted(&mut self, text: &str) -> io::Result<()> {
        self.writer.write_all(text.as_bytes())
    }

    /// Hands on what is buffered.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The colours of a stream; all plain when it is no terminal or `NO_COLOR` is set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    pub(crate) failure: Style,
    pub(crate) warning: Style,
    pub(crate) repair: Style,
    pub(crate) frame: Style,
}

impl Palette {
    /// The palette of standard error.
    pub(crate) fn stderr() -> Self {
        Self::of(&io::stderr())
    }

    /// The palette of standard output.
    pub(crate) fn stdout() -> Self {
        Self::of(&io::stdout())
    }

    fn of(stream: &impl anstream::stream::RawStream) -> Self {
        if !stream.is_terminal() || anstream::AutoStream::choice(stream) == anstream::ColorChoice::Never {
            return Self::default();
        }
        Self {
            failure: AnsiColor::Red.on_default().bold(),
            warning: AnsiColor::Yellow.on_default().bold(),
            repair: AnsiColor::Green.on_default().bold(),
            frame: AnsiColor::Blue.on_default().bold(),
        }
    }
}

/// Writes notes to standard error in one piece. That nobody listens there changes nothing.
pub(crate) fn tell(notes: &str) {
    let _ = anstream::stderr().lock().write_all(notes.as_bytes());
}

/// A piece of a source line and the place in it.
pub(crate) struct Excerpt {
    /// The text as it is shown, at most about ninety columns.
    pub(crate) line: String,
    /// Columns in front of the caret.
    pub(crate) indent: usize,
    /// Columns that the place covers, at least one.
    pub(crate) width: usize,
}

impl Excerpt {
    /// The source line around `offset`, cut with `…` where it is long. Costs the same for every length of text.
    pub(crate) fn of(text: &[u8], offset: usize) -> Self {
        let offset = offset.min(text.len());
        let (front, starts) = line_in_front(text, offset);
        let (behind, ends) = line_behind(text, offset);
        let columns = |text: &str| text.chars().map(|character| cell(character).width()).sum::<usize>();
        let front_columns = COLUMNS - columns(&behind).min(BEHIND);
        let from = cut(front.char_indices().rev(), front_columns).map(|(at, character)| at + character.len_utf8());
        let shown = &front[from.unwrap_or(0)..];
        let to = cut(behind.char_indices(), COLUMNS - columns(shown)).map(|(at, _)| at);
        let mut line = String::new();
        if from.is_some() || !starts {
            line.push('…');
        }
        shown.chars().for_each(|character| line.push_str(&cell(character)));
        let indent = line.width();
        let width = behind.chars().next().map_or(1, |character| cell(character).width().max(1));
        behind[..to.unwrap_or(behind.len())].chars().for_each(|character| line.push_str(&cell(character)));
        if to.is_some() || !ends {
            line.push('…');
        }
        Self { line, indent, width }
    }

    /// The carets that stand below the line.
    pub(crate) fn carets(&self) -> String {
        " ".repeat(self.indent) + &"^".repeat(self.width)
    }
}

/// The first character that has no room in so many columns.
fn cut(mut characters: impl Iterator<Item = (usize, char)>, columns: usize) -> Option<(usize, char)> {
    let mut used = 0;
    characters.find(|&(_, character)| {
        used += cell(character).width();
        used > columns
    })
}

/// A character as it is shown in a source line: never empty of meaning, never a line end.
fn cell(character: char) -> String {
    match character {
        '\t' => "    ".into(),
        _ if character.width().is_none() || is_hidden(character) => format!("\\u{{{:x}}}", u32::from(character)),
        _ => character.into(),
    }
}

/// The line in front of `offset` as far as it is of interest, and whether it begins at the line's start.
fn line_in_front(text: &[u8], offset: usize) -> (String, bool) {
    let mut from = offset.saturating_sub(REACH);
    while from > 0 && from < offset && is_inside_character(text[from]) {
        from += 1;
    }
    let front = &text[from..offset];
    match front.iter().rposition(|&byte| byte == b'\n') {
        Some(at) => (lossy(&front[at + 1..]), true),
        None => (lossy(front), from == 0),
    }
}

/// The line from `offset` on as far as it is of interest, and whether it ends at the line's end.
fn line_behind(text: &[u8], offset: usize) -> (String, bool) {
    let mut to = text.len().min(offset + REACH);
    while to > offset && to < text.len() && is_inside_character(text[to]) {
        to -= 1;
    }
    let behind = &text[offset..to];
    match behind.iter().position(|&byte| byte == b'\n') {
        Some(at) => (lossy(behind[..at].strip_suffix(b"\r").unwrap_or(&behind[..at])), true),
        None => (lossy(behind), to == text.len()),
    }
}

pub(crate) fn is_inside_character(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests;
