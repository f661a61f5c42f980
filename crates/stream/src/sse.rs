//! Server-sent events, to the letter of WHATWG HTML 9.2.5 and 9.2.6, out of bytes in any pieces.
//!
//! # Theory
//!
//! A body is lines; a line ends with CRLF, LF or CR. A CR ends its line at once, and an LF that follows, in this chunk
//! or at the front of the next, belongs to it (`skip_lf`). A line is a comment, a field, or blank; a blank line dispatches
//! the event if there was a `data` field.
//!
//! Where an event has one `data` line and lies in one chunk with the blank line behind it, its data are a slice of the
//! chunk and nothing is copied. Otherwise what is not finished goes to one buffer:
//!
//! ```text
//! text = [name of the first data field] data lines, joined by LF | line that is not ended
//!                                      ^ data_start              ^ line_start              ^ text.len()
//! ```
//!
//! The first data line stays where it is when its end comes, so a long line is copied once.
//!
//! Behind an event that has left nothing (`Settled`) the usual one, at most a type and one data line, is found in one step
//! that leaves the state as it is (`quick`). Whatever else comes goes line by line (`lines`), which needs no such step.
//!
//! # Invariants
//!
//! * `data_start <= line_start <= text.len()`; without data both are zero.
//! * A line of which bytes are kept is not a comment: of those only the length is known.
//! * What was handed out (`spent`) is let go at the next call, not before: the caller may be looking at it.
//! * A failed decoder gives its error again and takes no bytes.
//!
//! What is deliberately absent: reconnecting, and any look into the data while they come.

mod end; // the end of a body
mod limit; // how long lines and events may be
mod line; // lines and fields

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::mem;
use core::ops::Range;

use crate::buffer::{BOM, empty};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Item, WireError};
use crate::limits::Limits;
use crate::stray::Stray;
use line::{Quick, data_of, find_end, line_end, quick, split};

/// Decodes server-sent events.
///
/// Each chunk is pulled empty; each item is out with the chunk that ends it.
///
/// ```
/// use thusfar_stream::sse::Decoder;
///
/// let mut decoder = Decoder::new();
/// let mut seen = Vec::new();
/// for mut chunk in [&b"event: tick\r\nda"[..], b"ta: {\"n\": 1}\r\n\r", b"\n: ping\n\ndata: [DONE]"] {
///     while let Some(item) = decoder.next_item(&mut chunk)? {
///         let event = item.event().expect("no error field");
///         seen.push(format!("{} {}", event.name(), event.text()));
///     }
/// }
/// let eof = decoder.finish()?;
/// assert_eq!(seen, ["tick {\"n\": 1}"]);
/// assert!(eof.partial_line && !eof.pending_event);
/// assert_eq!(eof.whole_item().and_then(|item| item.event()).map(|event| event.data()), Some(&b"[DONE]"[..]));
/// # Ok::<(), thusfar_stream::Error>(())
/// ```
///
/// * Getters: [`offset`](Decoder::offset), [`last_event_id`](Decoder::last_event_id), [`reconnection_time`](Decoder::reconnection_time),
///   [`heap_len`](Decoder::heap_len).
/// * Pull: [`next_item`](Decoder::next_item) until it gives nothing, chunk after chunk.
/// * End: [`finish`](Decoder::finish).
#[derive(Clone)]
pub struct Decoder {
    /// The most bytes of a line and of an event.
    line_limit: usize,
    event_limit: usize,
    text: Vec<u8>,
    data_start: usize,
    line_start: usize,
    /// Bytes of the comment that is open, the colon among them; zero if none is.
    comment_len: usize,
    name: Vec<u8>,
    /// The last event ID, and the one that the next blank line makes it.
    id: Vec<u8>,
    next_id: Vec<u8>,
    has_next_id: bool,
    /// The reconnection time: of this event, and the last one.
    retry: Option<u64>,
    reconnection_time: Option<u64>,
    /// Bytes taken.
    at: u64,
    /// How many bytes of a byte order mark have been seen; three also where there is none.
    bom: u8,
    skip_lf: bool,
    has_data: bool,
    /// What was handed out: the event, or the line at the end of `text`.
    spent: Spent,
    has_items: bool,
    /// Some line was not blank.
    has_lines: bool,
    /// Lines that are no field of the specification, and whether no event came behind the last of them.
    stray: Option<Box<Stray>>,
    stray_goes_on: bool,
    failed: Option<Error>,
}

/// What was handed out and is let go at the next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spent {
    Nothing,
    Event,
    Line,
    /// The event, and it was let go: nothing is kept, pending, to skip or wrong.
    Settled,
}

/// What a call has found, before it borrows.
enum Found<'c> {
    Nothing,
    /// The event's data, a slice of the chunk.
    Event(&'c [u8]),
    /// The event whose data are kept.
    KeptEvent,
    /// The value of an `error` field, a slice of the chunk.
    Error(&'c [u8]),
    /// The same where it is kept.
    KeptError(Range<usize>),
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
            data_start: 0,
            line_start: 0,
            comment_len: 0,
            name: Vec::new(),
            id: Vec::new(),
            next_id: Vec::new(),
            has_next_id: false,
            retry: None,
            reconnection_time: None,
            at: 0,
            bom: 0,
            skip_lf: false,
            has_data: false,
            spent: Spent::Nothing,
            has_items: false,
            has_lines: false,
            stray: None,
            stray_goes_on: false,
            failed: None,
        }
    }

    /// Bytes taken so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.at
    }

    /// The last event ID, as the last blank line left it: what a client sends as `Last-Event-ID` when it reconnects. It is
    /// not checked to be UTF-8.
    #[must_use]
    pub fn last_event_id(&self) -> &[u8] {
        &self.id
    }

    /// The reconnection time that was told last, in milliseconds.
    #[must_use]
    pub const fn reconnection_time(&self) -> Option<u64> {
        self.reconnection_time
    }

    /// Bytes that are held on the heap now, spare room among them: none before something had to wait for its end.
    #[must_use]
    pub fn heap_len(&self) -> usize {
        let kept = [&self.text, &self.name, &self.id, &self.next_id];
        let stray_len = self.stray.as_ref().map_or(0, |stray| stray.heap_len());
        kept.map(Vec::capacity).iter().sum::<usize>() + stray_len
    }

    /// Takes bytes from the front of `chunk` up to the end of the next item, and gives it; nothing when the chunk is used
    /// up. What has no end yet is kept. Linear in the bytes taken.
    ///
    /// # Errors
    ///
    /// A line or an event is over its limit. The error stays, and no more bytes are taken.
    #[inline]
    pub fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error> {
        if self.spent == Spent::Event {
            self.clear_event();
            self.spent = if self.skip_lf { Spent::Nothing } else { Spent::Settled };
        }
        if self.spent == Spent::Settled {
            if chunk.is_empty() {
                return Ok(None);
            }
            match quick(chunk) {
                Quick::Event { name, data, len } if len <= self.line_limit.min(self.event_limit) => {
                    self.take(chunk, len);
                    return Ok(Some(Item::Event(Event { name, data, id: &self.id, retry: None })));
                }
                Quick::Piece => return self.begin_line(mem::take(chunk)).map(|()| None),
                _ => {}
            }
        }
        let found = self.advance(chunk)?;
        let error = |value| Some(Item::Error(WireError { name: b"error", value }));
        Ok(match found {
            Found::Nothing => None,
            Found::Event(data) => Some(Item::Event(self.event(data))),
            Found::KeptEvent => Some(Item::Event(self.event(&self.text[self.data_start..self.line_start]))),
            Found::Error(value) => error(value),
            Found::KeptError(range) => error(&self.text[range]),
        })
    }

    fn event<'a>(&'a self, data: &'a [u8]) -> Event<'a> {
        Event { name: &self.name, data, id: &self.id, retry: self.retry }
    }

    /// Keeps the beginning of a line behind an event.
    fn begin_line(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.spent = Spent::Nothing;
        let at = self.at;
        self.at += piece.len() as u64;
        self.keep(piece, at).inspect_err(|error| self.failed = Some(*error))
    }

    /// Goes on to the next item, line by line.
    fn advance<'c>(&mut self, chunk: &mut &'c [u8]) -> Result<Found<'c>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.spent != Spent::Nothing {
            self.let_go();
        }
        let from = self.begin(chunk);
        self.take(chunk, from);
        self.lines(chunk).inspect_err(|error| self.failed = Some(*error))
    }

    /// Leaves so many bytes behind.
    #[inline]
    fn take(&mut self, chunk: &mut &[u8], len: usize) {
        self.at += len as u64;
        *chunk = &chunk[len..];
    }

    /// Takes lines up to the one that ends an item.
    #[inline]
    fn lines<'c>(&mut self, chunk: &mut &'c [u8]) -> Result<Found<'c>, Error> {
        loop {
            let (rest, at) = (*chunk, self.at);
            let found = match rest.first() {
                Some(b'\n' | b'\r') => Some(0),
                _ => find_end(rest),
            };
            let Some(len) = found else {
                self.take(chunk, rest.len());
                self.keep(rest, at)?;
                return Ok(Found::Nothing);
            };
            let (line, end) = (&rest[..len], line_end(rest, len));
            self.skip_lf = end.may_go_on;
            self.take(chunk, end.behind);
            if self.text.len() > self.line_start || self.comment_len > 0 {
                self.keep(line, at)?;
                match self.kept_line(at + len as u64)? {
                    Found::Nothing => {}
                    found => return Ok(found),
                }
            } else if let Some(value) = data_of(line) {
                // The usual event ends here.
                match chunk.first() {
                    Some(b'\n' | b'\r') if !self.has_data => {
                        self.whole_event(value, len, at)?;
                        let end = line_end(chunk, 0);
                        self.skip_lf = end.may_go_on;
                        self.take(chunk, end.behind);
                        return Ok(Found::Event(value));
                    }
                    _ => self.data(value, len, at)?,
                }
            } else {
                match self.line(line, at)? {
                    Found::Nothing => {}
                    found => return Ok(found),
                }
            }
        }
    }

    /// Lets go of what the caller has seen.
    #[inline]
    fn let_go(&mut self) {
        match self.spent {
            Spent::Nothing | Spent::Settled => {}
            Spent::Event => self.clear_event(),
            Spent::Line => self.drop_line(),
        }
        self.spent = Spent::Nothing;
    }

    /// Lets go of the line at the end of what is kept.
    fn drop_line(&mut self) {
        match self.line_start {
            0 => empty(&mut self.text),
            _ => self.text.truncate(self.line_start),
        }
    }

    fn clear_event(&mut self) {
        empty(&mut self.text);
        self.data_start = 0;
        self.line_start = 0;
        self.has_data = false;
        empty(&mut self.name);
        self.retry = None;
    }

    /// Takes what belongs to the bytes before: the second half of a line end, the byte order mark. Gives its length.
    fn begin(&mut self, chunk: &[u8]) -> usize {
        let mut from = 0;
        if self.skip_lf && !chunk.is_empty() {
            self.skip_lf = false;
            from = usize::from(chunk[0] == b'\n');
        }
        while usize::from(self.bom) < BOM.len() && from < chunk.len() {
            if chunk[from] != BOM[usize::from(self.bom)] {
                // There is none, and what looked like one is the beginning of a line.
                self.text.extend_from_slice(&BOM[..usize::from(self.bom)]);
                self.bom = BOM.len() as u8;
                break;
            }
            self.bom += 1;
            from += 1;
        }
        from
    }

    /// Keeps the beginning of a line, or more of one, which stands at an offset.
    fn keep(&mut self, piece: &[u8], at: u64) -> Result<(), Error> {
        if self.comment_len > 0 || (self.text.len() == self.line_start && piece.first() == Some(&b':')) {
            let start = at - self.comment_len as u64;
            self.comment_len = self.comment_len.saturating_add(piece.len());
            return self.check(self.comment_len, None, start);
        }
        let len = self.text.len() + piece.len();
        if len - self.line_start > self.line_limit || len - self.data_start + self.name.len() > self.event_limit {
            self.check_open(piece, at)?;
        }
        self.text.extend_from_slice(piece);
        Ok(())
    }

    /// Bytes of the line that is open.
    fn open_len(&self) -> usize {
        self.text.len() - self.line_start + self.comment_len
    }

    /// The line that is kept has ended, at an offset.
    #[inline]
    fn kept_line<'c>(&mut self, end: u64) -> Result<Found<'c>, Error> {
        if self.comment_len > 0 {
            self.comment_len = 0;
            self.has_lines = true;
            return Ok(Found::Nothing);
        }
        match data_of(&self.text[self.line_start..]).map(<[u8]>::len) {
            Some(value_len) => self.keep_data(value_len, end).map(|()| Found::Nothing),
            None => self.kept_field(end),
        }
    }

    /// The same of a line that is no data line.
    fn kept_field<'c>(&mut self, end: u64) -> Result<Found<'c>, Error> {
        let text = mem::take(&mut self.text);
        let line = &text[self.line_start..];
        let found = self.field(line, end - line.len() as u64).map(|found| match found {
            Found::Error(value) => {
                self.spent = Spent::Line;
                Found::KeptError(text.len() - value.len()..text.len())
            }
            _ => Found::Nothing,
        });
        self.text = text;
        if self.spent == Spent::Nothing {
            self.drop_line();
        }
        found
    }

    /// The line that is kept is a data line whose value has so many bytes: it becomes part of the data.
    fn keep_data(&mut self, value_len: usize, end: u64) -> Result<(), Error> {
        self.has_lines = true;
        let len = self.text.len() - self.line_start;
        self.check(len, Some(value_len), end - len as u64)?;
        self.join(value_len);
        Ok(())
    }

    /// The same without a look at the limits.
    fn join(&mut self, value_len: usize) {
        if self.has_data {
            self.text[self.line_start] = b'\n';
            let value = self.text.len() - value_len..self.text.len();
            self.text.copy_within(value, self.line_start + 1);
            self.text.truncate(self.line_start + 1 + value_len);
        } else {
            self.data_start = self.text.len() - value_len;
            self.has_data = true;
        }
        self.line_start = self.text.len();
    }

    /// A line that lies in the chunk and is no data line.
    fn line<'c>(&mut self, line: &'c [u8], at: u64) -> Result<Found<'c>, Error> {
        if line.is_empty() {
            return Ok(self.blank());
        }
        self.check(line.len(), None, at)?;
        self.field(line, at)
    }

    /// A data line that lies in the chunk.
    fn data(&mut self, value: &[u8], line_len: usize, at: u64) -> Result<(), Error> {
        self.check(line_len, Some(value.len()), at)?;
        self.has_lines = true;
        if self.has_data {
            self.text.push(b'\n');
        }
        self.text.extend_from_slice(value);
        self.has_data = true;
        self.line_start = self.text.len();
        Ok(())
    }

    /// An event with one data line and the blank line behind it, both in the chunk.
    #[inline]
    fn whole_event(&mut self, value: &[u8], line_len: usize, at: u64) -> Result<(), Error> {
        self.check(line_len, Some(value.len()), at)?;
        self.dispatch();
        Ok(())
    }

    /// A blank line: the end of an event, if it has data.
    fn blank<'c>(&mut self) -> Found<'c> {
        if self.has_data {
            self.dispatch();
            return Found::KeptEvent;
        }
        self.commit_id();
        empty(&mut self.name);
        self.retry = None;
        Found::Nothing
    }

    fn dispatch(&mut self) {
        self.commit_id();
        self.spent = Spent::Event;
        self.has_items = true;
        self.stray_goes_on = false;
    }

    fn commit_id(&mut self) {
        if self.has_next_id {
            self.has_next_id = false;
            mem::swap(&mut self.id, &mut self.next_id);
            empty(&mut self.next_id);
        }
    }

    /// A field that is not data, or a comment.
    fn field<'c>(&mut self, line: &'c [u8], at: u64) -> Result<Found<'c>, Error> {
        self.has_lines = true;
        let (name, value) = split(line);
        match name {
            b"" => {}
            b"event" => {
                let room = self.event_limit - (self.line_start - self.data_start);
                if value.len() > room {
                    let offset = at + (line.len() - value.len() + room) as u64;
                    return Err(Error::new(ErrorKind::EventTooLong(self.event_limit), offset));
                }
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            b"id" if value.contains(&0) => {}
            b"id" => {
                self.next_id.clear();
                self.next_id.extend_from_slice(value);
                self.has_next_id = true;
            }
            b"retry" => self.set_retry(value),
            b"error" => {
                self.has_items = true;
                return Ok(Found::Error(value));
            }
            _ => self.stray(line, at, true),
        }
        Ok(Found::Nothing)
    }

    /// Only ASCII digits count; a time that no `u64` holds is the longest one.
    fn set_retry(&mut self, value: &[u8]) {
        if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
            return;
        }
        let time =
            value.iter().fold(0_u64, |time, digit| time.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        self.retry = Some(time);
        self.reconnection_time = Some(time);
    }

    /// A line, or the beginning of one, that is no field of the specification.
    #[cold]
    fn stray(&mut self, line: &[u8], at: u64, is_ended: bool) {
        let goes_on = mem::replace(&mut self.stray_goes_on, true);
        let stray = self.stray.get_or_insert_default();
        if !goes_on {
            stray.interrupt();
        }
        stray.line(line, at, is_ended);
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decoder")
            .field("offset", &self.at)
            .field("has_data", &self.has_data)
            .field("line_len", &self.open_len())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}
