//! JSON texts on lines of their own (NDJSON, JSON Lines), out of bytes in any pieces.
//!
//! # Theory
//!
//! A line ends with LF; white space around its text is none of it, and a line without text is nothing. A record is a
//! line that begins and ends as an object or an array does: that much is looked at, the rest is for whoever reads the
//! record. A line that is none is quoted for the diagnosis.
//!
//! A line that opens an object or array and does not close it may be the first one of a document over several lines,
//! an error say that was indented for people. It is then read on as JSON (`Stray`), and its lines are no records until it
//! closes or turns out to be no JSON, or a line is whole by itself.
//!
//! A body whose kind was guessed from its first byte (`Doubt`) may be one JSON text and no NDJSON at all. A line end behind
//! a whole object decides for NDJSON, unless the object says `error` first: servers answer with such a line and nothing else.
//! That one is held until more text follows.
//!
//! # Invariants
//!
//! * `text` holds the line that is not ended, or the record that was handed out or is held (`State`).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::mem;

use memchr::memchr;

use crate::buffer::{BOM, empty};
use crate::diagnosis::{Diagnosis, Quotation};
use crate::eof::{Eof, Left, Whole};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Item};
use crate::json::{self, Extent};
use crate::limits::Limits;
use crate::stray::Stray;

/// Decodes JSON texts on lines of their own.
///
/// ```
/// use thusfar_stream::ndjson::Decoder;
///
/// let mut decoder = Decoder::new();
/// let mut seen = Vec::new();
/// for mut chunk in [&b"{\"response\": \"a\"}\r"[..], b"\n\n{\"respon", b"se\": \"b\"}\n{\"done\": true}"] {
///     while let Some(item) = decoder.next_item(&mut chunk)? {
///         seen.extend(item.event().map(|event| event.text().into_owned()));
///     }
/// }
/// // The last line end may be missing.
/// let eof = decoder.finish()?;
/// seen.extend(eof.whole_item().and_then(|item| item.event()).map(|event| event.text().into_owned()));
/// assert_eq!(seen, [r#"{"response": "a"}"#, r#"{"response": "b"}"#, r#"{"done": true}"#]);
/// # Ok::<(), thusfar_stream::Error>(())
/// ```
///
/// * Getters: [`offset`](Decoder::offset), [`heap_len`](Decoder::heap_len).
/// * Pull: [`next_item`](Decoder::next_item) until it gives nothing, chunk after chunk.
/// * End: [`finish`](Decoder::finish).
#[derive(Clone)]
pub struct Decoder {
    line_limit: usize,
    event_limit: usize,
    text: Vec<u8>,
    at: u64,
    /// Where the record that is held begins.
    held_at: u64,
    state: State,
    doubt: Doubt,
    has_items: bool,
    /// Lines that are no records.
    stray: Option<Box<Stray>>,
    failed: Option<Error>,
}

/// What `text` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The line that is not ended.
    Open,
    /// What was handed out.
    Spent,
    /// A first record that may be all there is.
    Held,
}

/// Whether the body may be one JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// The body was said to be NDJSON.
    No,
    /// It was guessed, and no line has ended.
    Yes,
    /// It was guessed, and the first line has ended.
    Past,
}

/// Where the next record is.
enum Found<'c> {
    Nothing,
    /// In the chunk.
    Record(&'c [u8]),
    /// The one that is kept.
    Kept,
}

/// What a line is.
enum Line {
    Record,
    Held,
    Other,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder at the beginning of a body, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            line_limit: limits.line_len.unwrap_or(usize::MAX),
            event_limit: limits.event_len.unwrap_or(usize::MAX),
            text: Vec::new(),
            at: 0,
            held_at: 0,
            state: State::Open,
            doubt: Doubt::No,
            has_items: false,
            stray: None,
            failed: None,
        }
    }

    /// A decoder for a body that was guessed to be NDJSON, of which so many bytes of white space have been read.
    pub(crate) fn guessed(limits: Limits, offset: u64) -> Self {
        Self { at: offset, doubt: Doubt::Yes, ..Self::with_limits(limits) }
    }

    /// Bytes taken so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.at
    }

    /// Bytes that are held on the heap now, spare room among them: none before a line had to wait for its end.
    #[must_use]
    pub fn heap_len(&self) -> usize {
        self.text.capacity() + self.stray.as_ref().map_or(0, |stray| stray.heap_len())
    }

    /// Takes bytes from the front of `chunk` up to the end of the next record, and gives it; nothing when the chunk is
    /// used up. What has no end yet is kept. Linear in the bytes taken.
    ///
    /// # Errors
    ///
    /// A line or a record is over its limit. The error stays, and no more bytes are taken.
    pub fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let data = match self.advance(chunk).inspect_err(|error| self.failed = Some(*error))? {
            Found::Nothing => return Ok(None),
            Found::Record(data) => data,
            Found::Kept => json::trim(&self.text),
        };
        Ok(Some(Item::Event(Event::of_data(data))))
    }

    /// Takes lines up to the one that is a record.
    fn advance<'c>(&mut self, chunk: &mut &'c [u8]) -> Result<Found<'c>, Error> {
        if self.state == State::Spent {
            empty(&mut self.text);
            self.state = State::Open;
        }
        if self.state == State::Held {
            return Ok(self.release(chunk));
        }
        while let Some(len) = memchr(b'\n', chunk) {
            let (piece, rest) = (&chunk[..len], &chunk[len + 1..]);
            let is_open = !self.text.is_empty();
            self.check_line(self.text.len() + len, self.at + len as u64)?;
            if is_open {
                self.text.extend_from_slice(piece);
            }
            let text = mem::take(&mut self.text);
            let line = if is_open { &text[..] } else { piece };
            let start = self.at + len as u64 - line.len() as u64;
            let kind = self.line(line, start);
            let is_held = matches!(kind, Ok(Line::Held));
            self.at += len as u64 + 1;
            *chunk = rest;
            self.text = text;
            if is_held && !is_open {
                self.text.extend_from_slice(piece);
            }
            if start == 0 && self.text.starts_with(&BOM) {
                self.text.drain(..BOM.len());
            }
            match kind? {
                Line::Record => {
                    self.state = if is_open { State::Spent } else { State::Open };
                    let data = json::trim(without_mark(piece, start));
                    return Ok(if is_open { Found::Kept } else { Found::Record(data) });
                }
                Line::Held => {
                    self.state = State::Held;
                    self.held_at = start;
                    return Ok(self.release(chunk));
                }
                Line::Other => empty(&mut self.text),
            }
        }
        self.check_line(self.text.len() + chunk.len(), self.at + chunk.len() as u64)?;
        self.text.extend_from_slice(chunk);
        self.at += chunk.len() as u64;
        *chunk = &[];
        Ok(Found::Nothing)
    }

    /// Hands the record out that is held, if text stands behind it.
    fn release<'c>(&mut self, chunk: &mut &[u8]) -> Found<'c> {
        let rest = json::trim_start(chunk);
        self.at += (chunk.len() - rest.len()) as u64;
        *chunk = rest;
        if rest.is_empty() {
            return Found::Nothing;
        }
        self.state = State::Spent;
        self.has_items = true;
        Found::Kept
    }

    fn check_line(&self, len: usize, end: u64) -> Result<(), Error> {
        match len.saturating_sub(self.line_limit) {
            0 => Ok(()),
            over => Err(Error::new(ErrorKind::LineTooLong(self.line_limit), end - over as u64)),
        }
    }

    /// Whether the text of a line at an offset may be as long as it is.
    fn check_record(&self, line: &[u8], text: &[u8], at: u64) -> Result<(), Error> {
        if text.len() <= self.event_limit {
            return Ok(());
        }
        let front_len = line.len() - json::trim_start(without_mark(line, at)).len();
        let offset = at + (front_len + self.event_limit) as u64;
        Err(Error::new(ErrorKind::EventTooLong(self.event_limit), offset))
    }

    /// A line that has ended and stands at an offset.
    fn line(&mut self, line: &[u8], at: u64) -> Result<Line, Error> {
        let text = json::trim(without_mark(line, at));
        if text.is_empty() {
            return Ok(Line::Other);
        }
        let is_first = self.doubt == Doubt::Yes;
        // The first line was none: so it was the first one of a document.
        let is_document = self.doubt == Doubt::Past && !self.has_items;
        if is_first {
            self.doubt = Doubt::Past;
        }
        let open = self.stray.as_mut().filter(|stray| stray.is_open());
        let is_record = match (is_first, open) {
            (_, Some(_)) if is_document => false,
            // An indented line of a document may be whole, too.
            (_, Some(stray)) => {
                json::trim_start(line).len() == line.len() && stray.extent(text) == Extent::Whole && is_bracketed(text)
            }
            (true, None) => json::extent(text) == Extent::Whole,
            (false, None) => is_bracketed(text),
        };
        if !is_record {
            self.stray.get_or_insert_default().line(line, at, true);
            return Ok(Line::Other);
        }
        if let Some(stray) = &mut self.stray {
            stray.interrupt();
        }
        self.check_record(line, text, at)?;
        if is_first && says_error_first(text) {
            return Ok(Line::Held);
        }
        self.has_items = true;
        Ok(Line::Record)
    }

    /// Ends the body: says what was left.
    ///
    /// A last line without its end is offered by [`Eof::whole_item`] if it is one JSON text, which NDJSON allows.
    ///
    /// # Errors
    ///
    /// The error that [`next_item`](Self::next_item) has given.
    pub fn finish(mut self) -> Result<Eof, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.state == State::Spent {
            self.text.clear();
        }
        let line = mem::take(&mut self.text);
        let start = if self.state == State::Held { self.held_at } else { self.at - line.len() as u64 };
        let text = json::trim(without_mark(&line, start));
        let extent = json::extent(text);
        let is_alone = self.doubt == Doubt::Yes || self.state == State::Held;
        let is_open = self.stray.as_ref().is_some_and(|stray| stray.is_open());
        let is_whole = json::is_whole_data(text, false) && !is_alone && !is_open;
        if is_whole {
            self.check_record(&line, text, start)?;
        }
        let partial_line = !text.is_empty() && self.state != State::Held;
        // A record that is cut is no news behind others; what cannot be one is.
        let is_news = !self.has_items || is_open || extent == Extent::Not;
        if !text.is_empty() && !is_whole && is_news {
            self.stray.get_or_insert_default().line(&line, start, false);
        }
        let diagnosis = match self.stray {
            Some(stray) => Some(Diagnosis::quoting(stray.into_quotation())),
            None if self.has_items || is_whole => None,
            None => Some(Diagnosis::without_events(true, Quotation::default())),
        };
        let data_start = line.len() - json::trim_start(without_mark(&line, start)).len();
        let data = if is_whole { data_start..data_start + text.len() } else { 0..0 };
        let whole = if is_whole { Whole::Event } else { Whole::Nothing };
        let left = Left { whole, data, text: line, ..Left::default() };
        let is_cut = partial_line && !is_whole;
        Ok(Eof { partial_line, pending_event: false, is_cut, diagnosis: diagnosis.map(Box::new), left })
    }
}

/// A line at an offset, without the byte order mark if it is the first.
fn without_mark(line: &[u8], at: u64) -> &[u8] {
    if at == 0 { line.strip_prefix(&BOM).unwrap_or(line) } else { line }
}

/// Whether a text begins and ends as an object or an array does.
fn is_bracketed(text: &[u8]) -> bool {
    matches!(text, [b'{', .., b'}'] | [b'[', .., b']'])
}

/// Whether the first key of an object is `error`.
fn says_error_first(text: &[u8]) -> bool {
    text.strip_prefix(b"{").is_some_and(|rest| json::trim_start(rest).starts_with(b"\"error\""))
}

impl fmt::Debug for Decoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decoder")
            .field("offset", &self.at)
            .field("state", &self.state)
            .field("text_len", &self.text.len())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}
