//! The elements of one JSON array, each as soon as it closes: what Gemini sends where nobody asks for server-sent events.
//!
//! # Theory
//!
//! The engine's own scanner reads the body as JSON to the letter, without repairs, and tells its depth. What stands at depth
//! one is an element. The scanner gets the body in pieces that end where an element can end: inside an element that is an
//! object or array at a closer, outside at each mark of structure. So a piece ends at most one element, and the
//! rest of the chunk is left for the next call.
//!
//! An element that lies in one chunk is a slice of it; otherwise its bytes are gathered in `text`.
//!
//! # Invariants
//!
//! * While an element is open, `text` holds its bytes of earlier chunks; otherwise it is empty or handed out (`spent`).
//! * What is no UTF-8 is content inside strings and handed out as it came; see `json.rs`.
//!
//! What is deliberately absent: elements of arrays in arrays, and JSON that is not strict.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::mem;

use memchr::memchr2_iter;
use thusfar_core::{Event as Told, Flow, Progress, Scanner, Sink, Span};

use crate::buffer::{BOM, empty};
use crate::diagnosis::{Diagnosis, Quotation};
use crate::eof::{Eof, Left};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Item};
use crate::json;
use crate::limits::Limits;

/// Decodes the elements of a JSON array.
///
/// ```
/// use thusfar_stream::array::Decoder;
///
/// let mut decoder = Decoder::new();
/// let mut seen = Vec::new();
/// for mut chunk in [&b"[{\"text\": \"a\"},\n{\"te"[..], b"xt\": \"b]\"}", b"\n,\n{\"text\": \"c"] {
///     while let Some(item) = decoder.next_item(&mut chunk)? {
///         seen.extend(item.event().map(|event| event.text().into_owned()));
///     }
/// }
/// assert_eq!(seen, [r#"{"text": "a"}"#, r#"{"text": "b]"}"#]);
/// let eof = decoder.finish()?;
/// assert!(eof.partial_line && eof.pending_event); // cut inside an element, and the array is open
/// # Ok::<(), thusfar_stream::Error>(())
/// ```
///
/// * Getters: [`offset`](Decoder::offset), [`heap_len`](Decoder::heap_len).
/// * Pull: [`next_item`](Decoder::next_item) until it gives nothing, chunk after chunk.
/// * End: [`finish`](Decoder::finish).
#[derive(Clone)]
pub struct Decoder {
    event_limit: usize,
    text: Vec<u8>,
    spent: bool,
    at: u64,
    /// Where the scanner began.
    start: u64,
    place: Place,
    scanner: Box<Scanner>,
    elements: Elements,
    has_items: bool,
    /// What the body is instead.
    other: Option<Box<Quotation>>,
    failed: Option<Error>,
}

/// Where the decoder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In front of the array: so many bytes of a byte order mark have been seen.
    Before(u8),
    /// In the array, or behind it.
    Array,
    /// In something that is no array.
    Other,
}

/// Where elements begin and end, in the scanner's offsets.
#[derive(Clone, Copy, Default)]
struct Elements {
    depth: usize,
    open: Option<usize>,
    closed: Option<Span>,
    is_over: bool,
}

impl Elements {
    fn begin(&mut self, at: usize) {
        if self.depth == 1 {
            self.open = Some(at);
        }
    }

    fn end(&mut self, end: usize) {
        if self.depth == 1 {
            self.closed = self.open.take().map(|start| Span::new(start, end));
        }
    }
}

impl Sink for Elements {
    const BYTES: bool = false;

    fn event(&mut self, event: Told) -> Flow {
        match event {
            Told::Open { at, .. } => {
                self.begin(at);
                self.depth += 1;
            }
            Told::StringOpen { at, key: false } | Told::ScalarOpen { at, .. } => self.begin(at),
            Told::Close { at, .. } => {
                self.depth = self.depth.saturating_sub(1);
                self.is_over = self.depth == 0;
                self.end(at + 1);
            }
            Told::String { end, .. } => self.end(end),
            Told::Number { span } | Told::Literal { span } => self.end(span.end),
            _ => {}
        }
        Flow::Continue
    }
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

    /// The same with other limits; an element is an event.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self::guessed(limits, 0)
    }

    /// A decoder for a body of which so many bytes of white space have been read.
    pub(crate) fn guessed(limits: Limits, offset: u64) -> Self {
        Self {
            event_limit: limits.event_len.unwrap_or(usize::MAX),
            text: Vec::new(),
            spent: false,
            at: offset,
            start: 0,
            place: Place::Before(if offset == 0 { 0 } else { BOM.len() as u8 }),
            scanner: Box::new(json::strict()),
            elements: Elements::default(),
            has_items: false,
            other: None,
            failed: None,
        }
    }

    /// Bytes taken so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.at
    }

    /// Bytes that are held on the heap now, spare room among them: the scanner, and an element that had to wait for its end.
    #[must_use]
    pub fn heap_len(&self) -> usize {
        let other_len = self.other.as_ref().map_or(0, |other| mem::size_of::<Quotation>() + other.heap_len());
        self.text.capacity() + mem::size_of::<Scanner>() + self.scanner.heap_len() + other_len
    }

    /// Takes bytes from the front of `chunk` up to the end of the next element, and gives it; nothing when the chunk is used
    /// up. What has no end yet is kept. Linear in the bytes taken.
    ///
    /// # Errors
    ///
    /// An element is over its limit, or the body is no longer a JSON array. The error stays, and no more bytes are taken.
    pub fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error> {
        if self.spent {
            empty(&mut self.text);
            self.spent = false;
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.begin(chunk);
        if self.place == Place::Other {
            self.quote(chunk);
        }
        if self.place != Place::Array {
            return Ok(None);
        }
        let (whole, base): (&'c [u8], _) = (chunk, self.scanner.len());
        while !chunk.is_empty() {
            let (piece, rest) = chunk.split_at(self.piece_len(chunk));
            *chunk = rest;
            self.at += piece.len() as u64;
            self.failed = self.scan(piece);
            if let Some(span) = self.elements.closed.take() {
                self.has_items = true;
                let front = &whole[..span.end - base];
                if span.start >= base {
                    return Ok(Some(Item::Event(Event::of_data(&front[span.start - base..]))));
                }
                self.text.extend_from_slice(front);
                self.spent = true;
                return Ok(Some(Item::Event(Event::of_data(&self.text))));
            }
            if let Some(error) = self.failed {
                return Err(error);
            }
        }
        if let Some(open) = self.elements.open {
            self.text.extend_from_slice(&whole[open.saturating_sub(base)..]);
        }
        Ok(None)
    }

    /// Scans a piece. What was closed is left in `elements`, unless it is over the limit.
    fn scan(&mut self, piece: &[u8]) -> Option<Error> {
        let progress = json::push(&mut self.scanner, piece, &mut self.elements);
        let read = self.scanner.len();
        let element = self.elements.closed.or(self.elements.open.map(|start| Span::new(start, read)));
        if let Some(span) = element.filter(|span| span.len() > self.event_limit) {
            self.elements.closed = None;
            let offset = self.start + (span.start + self.event_limit) as u64;
            return Some(Error::new(ErrorKind::EventTooLong(self.event_limit), offset));
        }
        // The byte that breaks it is not taken.
        let offset = self.start + read as u64;
        (progress == Progress::Doomed).then(|| Error::new(ErrorKind::Json, offset))
    }

    /// How far to scan: to where an element can end. At depth n there are n - 1 closers to come before it does; those in
    /// strings are counted too, which only makes the piece shorter.
    fn piece_len(&self, chunk: &[u8]) -> usize {
        let end = match self.elements.depth {
            0 | 1 => chunk.iter().position(|byte| matches!(byte, b',' | b']' | b'}' | b'[' | b'{')),
            depth => memchr2_iter(b'}', b']', chunk).nth(depth - 2),
        };
        end.map_or(chunk.len(), |at| at + 1)
    }

    /// Reads up to the array's opener.
    fn begin(&mut self, chunk: &mut &[u8]) {
        while let (Place::Before(mark), Some((&first, rest))) = (self.place, chunk.split_first()) {
            let is_mark = BOM.get(usize::from(mark)) == Some(&first);
            self.place = match first {
                _ if is_mark => Place::Before(mark + 1),
                b' ' | b'\t' | b'\r' | b'\n' if matches!(mark, 0 | 3) => Place::Before(BOM.len() as u8),
                b'[' if matches!(mark, 0 | 3) => Place::Array,
                _ => Place::Other,
            };
            match self.place {
                Place::Before(_) => {
                    self.at += 1;
                    *chunk = rest;
                }
                Place::Array => self.start = self.at,
                Place::Other if mark < 3 => {
                    // What looked like a mark is the beginning of it.
                    let front = &BOM[..usize::from(mark)];
                    self.other.get_or_insert_default().push(front, self.at - u64::from(mark));
                }
                Place::Other => {}
            }
        }
    }

    /// Takes what is no array.
    fn quote(&mut self, chunk: &mut &[u8]) {
        self.other.get_or_insert_default().push(chunk, self.at);
        self.at += chunk.len() as u64;
        *chunk = &[];
    }

    /// Ends the body: says what was left. `partial_line` means inside an element, `pending_event` that the array is open.
    ///
    /// # Errors
    ///
    /// The error that [`next_item`](Self::next_item) has given.
    pub fn finish(mut self) -> Result<Eof, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let partial_line = self.elements.open.is_some();
        let pending_event = self.place == Place::Array && !self.elements.is_over;
        if let (Some(open), false) = (self.elements.open, self.has_items) {
            // All that was said is cut: it is quoted.
            self.other.get_or_insert_default().push(&self.text, self.start + open as u64);
        }
        let diagnosis = match self.other {
            Some(other) => Some(Diagnosis::quoting(*other)),
            None if self.has_items => None,
            None => Some(Diagnosis::without_events(self.place != Place::Array, Quotation::default())),
        };
        let is_cut = partial_line || pending_event;
        Ok(Eof { partial_line, pending_event, is_cut, diagnosis: diagnosis.map(Box::new), left: Left::default() })
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decoder")
            .field("offset", &self.at)
            .field("place", &self.place)
            .field("depth", &self.elements.depth)
            .field("text_len", &self.text.len())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}
