//! A reply as it comes: the text once, the scanner, and what is judged by text; behind `push` and `finish`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::choose::{Choice, Pick};
use crate::document::Document;
use crate::edits::Edits;
use crate::ending::{Cause, Ending, Progress};
use crate::expect::{Expect, Take};
use crate::failure::{Code, Failure, Inner};
use crate::guard::{Repetition, letters_in_string};
use crate::keys::Keys;
use crate::pieces::{Pieces, tile};
use crate::raw::Raw;
use crate::scan::{Doom, End, Scanner};
use crate::sink::{Event, Flow, Piece, Place, Sink};
use crate::span::Span;
use crate::trace::trace;
use crate::utf8::{self, Partial};
use crate::warnings::{Warning, WarningKind, look};

/// Reads one reply while it arrives.
///
/// ```
/// use thusfar_core::{Ending, Expect, Progress, Reply};
///
/// let mut reply = Reply::new(Expect::object());
/// for chunk in ["Sure: {\"id\": 4", "2, \"tags\": [\"a\", ", "\"b\",]}"] {
///     if reply.push(chunk).is_decided() {
///         break; // hang up on the provider here
///     }
/// }
/// let document = reply.finish(Ending::Stop)?;
/// assert_eq!(document.text(), "{\"id\": 42, \"tags\": [\"a\", \"b\"]}");
/// # Ok::<(), thusfar_core::Failure>(())
/// ```
///
/// A [`Sink`] may listen; it sees what the scanner sees, and may veto. `push` is linear in the chunk; it allocates only to grow
/// the text. What is pushed behind a decision is kept, up to the limit of the reply's length, and not read; behind bytes that
/// are no text, nothing is.
///
/// * Getters: [`progress`](Reply::progress), [`raw`](Reply::raw), [`sink`](Reply::sink), [`pieces`](Reply::pieces).
/// * Push: [`push`](Reply::push), [`push_bytes`](Reply::push_bytes).
/// * The end: [`finish`](Reply::finish), once.
#[derive(Clone)]
pub struct Reply<S: Sink = ()> {
    raw: Raw,
    scanner: Scanner,
    desk: Desk,
    repetition: Repetition,
    partial: Partial,
    /// A verdict that is not the scanner's: guards and limits on the text, and invalid bytes.
    doom: Option<Doom>,
    /// Bytes came that are no text: none behind them are kept.
    broken: bool,
    /// Up to this length nothing but scanning is to be done: no guard, no limit, no verdict is due.
    clear: usize,
    expect: Expect,
    sink: S,
}

/// What is judged by text, fed by the scanner.
#[derive(Clone, Default)]
struct Desk {
    edits: Edits,
    keys: Keys,
    choice: Choice,
    /// Edits in front of the candidate that is open.
    mark: usize,
    /// Some warning may be due.
    suspect: bool,
    /// The document that counted last, and the first whole one of the other kind.
    last: Option<Span>,
    last_bare: Option<Span>,
    other: Option<Span>,
}

/// The desk at work: with the text, and with the sink that listens.
struct AtWork<'a, S> {
    desk: &'a mut Desk,
    raw: &'a str,
    take: Take,
    key_limit: usize,
    sink: &'a mut S,
}

impl<S> AtWork<'_, S> {
    /// Events that a document of the plain kind has few of.
    #[inline(never)]
    fn rare(&mut self, event: Event) -> Flow {
        let Desk { edits, keys, choice, mark, suspect, last, last_bare, other } = &mut *self.desk;
        match event {
            Event::Begin { .. } => {
                keys.clear();
                *mark = edits.len();
            }
            Event::Discount => keys.rest(),
            Event::Abandon | Event::PassOver => edits.truncate(*mark),
            Event::OtherKind { span } => *other = Some(span),
            Event::Edit(edit) => edits.push(edit),
            Event::Suspect => *suspect = true,
            Event::Document { span, place } => {
                *last = Some(span);
                if place == Place::Bare {
                    *last_bare = Some(span);
                }
                *mark = edits.len();
                return choice.document(span, place, self.take, self.raw, edits);
            }
            Event::Alone => return choice.alone(self.take, self.raw, edits),
            Event::Final { opaque } => {
                return match choice.pick(self.take, self.raw, edits) {
                    Pick::Different(offset) => Flow::Doom(Code::DifferentDocuments, offset),
                    Pick::Document(span, Place::Bare) if opaque => Flow::Doom(Code::OpaqueDocument, span.start),
                    _ => Flow::Continue,
                };
            }
            _ => {}
        }
        Flow::Continue
    }
}

impl<S: Sink> Sink for AtWork<'_, S> {
    const BYTES: bool = S::BYTES;

    #[inline(always)]
    fn event(&mut self, event: Event) -> Flow {
        let Desk { edits, keys, .. } = &mut *self.desk;
        let second = match event {
            Event::StringOpen { .. } | Event::ScalarOpen { .. } => None,
            Event::Key { content, at, escaped } => {
                if !keys.key(content, at, escaped, self.key_limit, self.raw) {
                    return Flow::Break(Code::TooManyKeys, at);
                }
                None
            }
            Event::String { end, .. } => keys.value(end, self.raw, edits),
            Event::Number { span } | Event::Literal { span } => keys.value(span.end, self.raw, edits),
            Event::Open { kind, .. } => {
                keys.open(kind);
                None
            }
            Event::Close { at, .. } => {
                keys.close();
                keys.value(at + 1, self.raw, edits)
            }
            rare => match self.rare(rare) {
                Flow::Continue => None,
                refused => return refused,
            },
        };
        match second {
            None => self.sink.event(event),
            Some(at) => Flow::Break(Code::DuplicateKey, at),
        }
    }

    #[inline]
    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        self.sink.bytes(piece, span, text);
    }
}

impl Reply {
    /// A reply of which nothing has come yet.
    #[must_use]
    pub fn new(expect: Expect) -> Self {
        Self::with_sink(expect, ())
    }
}

impl<S: Sink> Reply<S> {
    /// A reply that a sink listens to.
    #[must_use]
    pub fn with_sink(expect: Expect, sink: S) -> Self {
        Self::over(Raw::Owned(String::new()), expect, sink)
    }

    fn over(raw: Raw, expect: Expect, sink: S) -> Self {
        Self {
            raw,
            scanner: Scanner::new(&expect),
            desk: Desk::default(),
            repetition: Repetition::new(expect.limits_in_force()),
            partial: Partial::default(),
            doom: None,
            broken: false,
            clear: 0,
            expect,
            sink,
        }
    }

    /// Makes room for a reply of so many bytes, if the caller knows.
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.raw.to_mut().reserve(bytes);
        self
    }

    /// What is known.
    pub fn progress(&self) -> Progress {
        if self.doom.is_some() { Progress::Doomed } else { self.scanner.progress() }
    }

    /// The reply as far as it was pushed; without the bytes of a character that is not complete.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.raw.as_str()
    }

    /// The sink that listens.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// The state of the scanner, for tests of the cost.
    #[doc(hidden)]
    #[must_use]
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// What each byte of the reply is, as far as it was read: pieces that tile it. Reads the text once more.
    #[must_use]
    pub fn pieces(&self) -> Vec<(Piece, Span)> {
        let read = &self.raw()[..self.scanner.len().min(self.raw().len())];
        let mut pieces = Pieces::default();
        let _ = Scanner::new(&self.expect).push(read, &mut pieces);
        tile(pieces, self.raw().len())
    }

    /// Takes more of the reply. An empty chunk is nothing. Linear in the chunk.
    #[inline]
    pub fn push(&mut self, chunk: &str) -> Progress {
        if self.raw.as_str().len() + chunk.len() < self.clear {
            self.raw.to_mut().push_str(chunk);
            return self.scan(chunk);
        }
        self.push_checked(chunk)
    }

    fn push_checked(&mut self, chunk: &str) -> Progress {
        if self.partial.is_open() || self.broken {
            return self.push_bytes(chunk.as_bytes());
        }
        self.take(chunk);
        self.progress()
    }

    /// Takes more of the reply as bytes; a chunk may end inside a character. Linear in the chunk.
    pub fn push_bytes(&mut self, chunk: &[u8]) -> Progress {
        if self.broken {
            return self.progress();
        }
        let mut rest = chunk;
        let mut partial = self.partial;
        while let Some(piece) = partial.next(&mut rest) {
            match piece {
                utf8::Piece::Text(text) => self.take(text),
                utf8::Piece::Char(char) => self.take(char.encode_utf8(&mut [0; 4])),
                utf8::Piece::Invalid(before) => {
                    let offset = self.raw().len();
                    self.refuse(Code::InvalidUtf8, offset, offset + before);
                    self.broken = true;
                    partial = Partial::default();
                    break;
                }
            }
        }
        self.partial = partial;
        if partial.is_open() || self.broken || self.doom.is_some() {
            self.clear = 0;
        }
        self.progress()
    }

    /// A verdict that is not the scanner's, unless there is one.
    fn refuse(&mut self, code: Code, offset: usize, decided_at: usize) {
        if !self.progress().is_decided() {
            self.doom = Some(Doom { code, offset, decided_at });
        }
    }

    fn take(&mut self, chunk: &str) {
        let from = self.raw.as_str().len();
        let Some(room) = self.expect.limits.reply_len.unwrap_or(usize::MAX).checked_sub(from) else { return };
        let chunk = if chunk.len() <= room { chunk } else { self.cut(chunk, room) };
        self.raw.to_mut().push_str(chunk);
        if self.doom.is_none() {
            let readable =
                (0..=room.min(chunk.len())).rev().find(|&end| chunk.is_char_boundary(end)).unwrap_or_default();
            self.read(&chunk[..readable], from);
        }
        if let Some(limit) = self.expect.limits.reply_len.filter(|&limit| from + chunk.len() > limit) {
            self.refuse(Code::ReplyTooLong, limit, limit);
        }
        self.clear = 0;
        if self.doom.is_none() && !self.partial.is_open() {
            let limit = self.expect.limits.reply_len.unwrap_or(usize::MAX);
            self.clear = self.repetition.due(from + chunk.len()).min(limit);
        }
    }

    /// As much of a chunk as shows that the reply is too long: up to the character with the first byte that is too many.
    #[cold]
    fn cut<'a>(&self, chunk: &'a str, room: usize) -> &'a str {
        let mut end = room + 1;
        while end < chunk.len() && !chunk.is_char_boundary(end) {
            end += 1;
        }
        chunk.get(..end).unwrap_or(chunk)
    }

    /// Scans text that was just appended; stops where a repetition is to be judged.
    #[inline]
    fn read(&mut self, chunk: &str, from: usize) {
        let base = from;
        let mut from = from;
        // The scanner stops between characters, the guard at any byte.
        while let Some(repeats) = self.repetition.next(self.raw.as_str().as_bytes(), from) {
            let mut end = repeats.at;
            while !self.raw.as_str().is_char_boundary(end) {
                end -= 1;
            }
            let read = self.scanner.len().max(base) - base;
            if end > base + read {
                let _ = self.scan(&chunk[read..end - base]);
            }
            from = repeats.at;
            if self.progress().is_decided() {
                return;
            }
            let text = &self.raw.as_str().as_bytes()[..repeats.at];
            let in_candidate = self.scanner.is_in_candidate();
            let letters = in_candidate && letters_in_string(text, repeats.period, self.scanner.is_in_string());
            let limits = &self.expect.limits;
            if repeats.exceeds(if letters { limits.repetition } else { limits.other_repetition }) {
                if self.scanner.is_at_rest() {
                    self.conclude(repeats.at - 1);
                } else {
                    self.refuse(Code::Repetition, repeats.start, repeats.at - 1);
                }
                return;
            }
        }
        let rest = self.scanner.len().max(base) - base;
        let _ = self.scan(&chunk[rest..]);
    }

    #[inline]
    fn scan(&mut self, chunk: &str) -> Progress {
        let (scanner, mut desk) = self.at_work();
        scanner.push(chunk, &mut desk)
    }

    /// Reading stops behind a closed document; certain at offset `at`.
    #[cold]
    fn conclude(&mut self, at: usize) {
        let (scanner, mut desk) = self.at_work();
        scanner.conclude(at, &mut desk);
    }

    #[inline]
    fn at_work(&mut self) -> (&mut Scanner, AtWork<'_, S>) {
        let desk = AtWork {
            desk: &mut self.desk,
            raw: self.raw.as_str(),
            take: self.expect.take,
            key_limit: self.expect.limits.keys.unwrap_or(usize::MAX),
            sink: &mut self.sink,
        };
        (&mut self.scanner, desk)
    }

    /// Says what ended the reply, and gives the answer. Linear in the reply at most.
    ///
    /// # Errors
    /// A [`Failure`] when the reply carries no document, or not certainly one.
    pub fn finish(mut self, ending: Ending) -> Result<Document, Failure> {
        if let Some(doom) = self.doom {
            let open = self.scanner.is_in_candidate() && self.scanner.is_counting();
            return Err(self.fail(doom, None, open));
        }
        let was_doomed = self.progress() == Progress::Doomed;
        let final_before = self.progress() == Progress::Final;
        let end = self.finish_scanner(ending);
        let stopped = final_before && self.expect.take != Take::First;
        let unread = ending == Ending::Cancelled && !final_before && !self.desk.choice.is_empty();
        if unread && !was_doomed && !matches!(end, End::Open(_)) {
            // What only the end would make certain is not certain where we stopped reading.
            return Err(self.truncated(Code::Unsettled, ending));
        }
        let len = self.raw().len();
        match end {
            End::Doomed => {
                let unknown = Doom { code: Code::NoDocument, offset: len, decided_at: len };
                let doom = self.scanner.doomed().unwrap_or(unknown);
                Err(self.failure(doom))
            }
            End::Open(code) => Err(self.truncated(code, ending)),
            End::Rest(cut) => self.answer(cut, ending, stopped),
        }
    }

    fn finish_scanner(&mut self, ending: Ending) -> End {
        let partial = self.partial.is_open();
        let (scanner, mut desk) = self.at_work();
        scanner.finish(ending, partial, &mut desk)
    }

    /// Nothing is open: the document, or why there is none.
    fn answer(mut self, cut: Code, ending: Ending, stopped: bool) -> Result<Document, Failure> {
        let len = self.raw().len();
        let at_end = |code: Code, offset: usize| Doom { code, offset, decided_at: len };
        let pick = self.desk.choice.pick(self.expect.take, self.raw.as_str(), &self.desk.edits);
        match pick {
            Pick::Different(offset) => Err(self.fail(at_end(Code::DifferentDocuments, offset), None, false)),
            Pick::Document(span, Place::Bare) if self.scanner.is_opaque() => {
                Err(self.fail(at_end(Code::OpaqueDocument, span.start), None, false))
            }
            Pick::Document(span, _) => {
                let mut warnings = Vec::new();
                if self.desk.suspect {
                    warnings = look(self.raw.as_str(), span, &self.expect);
                }
                let told = match ending {
                    _ if stopped || ending == Ending::Cancelled => Some(WarningKind::TailUnread),
                    Ending::Length => Some(WarningKind::EndedByLength),
                    Ending::Filtered => Some(WarningKind::EndedByFilter),
                    _ => None,
                };
                warnings.extend(told.map(|kind| Warning::new(kind, Span::new(span.end, span.end))));
                Ok(self.document(span, warnings))
            }
            Pick::None => Err(self.nothing(cut, ending)),
        }
    }

    fn document(&mut self, span: Span, warnings: Vec<Warning>) -> Document {
        let raw = core::mem::replace(&mut self.raw, Raw::Owned(String::new()));
        let edits = &self.desk.edits;
        let repairs = edits.repairs(raw.as_str(), span);
        let clean = match edits.apply(raw.as_str(), span) {
            alloc::borrow::Cow::Borrowed(_) => None,
            alloc::borrow::Cow::Owned(text) => Some(text),
        };
        Document { raw, span, clean, repairs, warnings }
    }

    /// No document, and nothing open.
    fn nothing(mut self, cut: Code, ending: Ending) -> Failure {
        let len = self.raw().len();
        let at_end = |code, offset| Doom { code, offset, decided_at: len };
        if let Some(Doom { code, offset, .. }) = self.scanner.first_break() {
            return self.fail(at_end(code, offset), None, false);
        }
        if let Some(offset) = self.scanner.other_kind() {
            return self.fail(at_end(Code::WrongRoot, offset), None, false);
        }
        match ending {
            Ending::Stop | Ending::ToolUse | Ending::Filtered | Ending::Unknown => {
                self.fail(at_end(Code::NoDocument, len), None, false)
            }
            _ => self.fail(at_end(cut, len), Some(Cause::of(ending)), false),
        }
    }

    fn truncated(mut self, code: Code, ending: Ending) -> Failure {
        let len = self.raw().len();
        let open = self.scanner.is_in_candidate() && code != Code::Unsettled;
        self.fail(Doom { code, offset: len, decided_at: len }, Some(Cause::of(ending)), open)
    }

    fn failure(mut self, doom: Doom) -> Failure {
        let open = self.scanner.is_in_candidate();
        self.fail(doom, None, open)
    }

    /// The failure; `open`: it is about the candidate that is open.
    fn fail(&mut self, doom: Doom, cause: Option<Cause>, open: bool) -> Failure {
        let mut span = self.judged(&doom);
        let raw = core::mem::replace(&mut self.raw, Raw::Owned(String::new()));
        let text = raw.as_str();
        // A character shows what it is with its last byte.
        let shown = (doom.decided_at..text.len()).find(|&at| text.is_char_boundary(at + 1));
        let (mut path, mut frames) = (String::new(), Vec::new());
        if open {
            let (start, promise) = self.scanner.candidate_start();
            let read = self.scanner.len().clamp(start, text.len());
            (path, frames) = trace(&text[start..read], start, doom.offset, &self.expect);
            span = promise.then_some(Span::new(start, text.len()));
        }
        let repairs = span.map(|span| self.desk.edits.repairs(text, span)).unwrap_or_default();
        Failure(alloc::boxed::Box::new(Inner {
            code: doom.code,
            cause,
            offset: doom.offset,
            decided_at: shown.unwrap_or(doom.decided_at),
            path,
            frames,
            repairs,
            raw,
        }))
    }

    /// From an offset to the end.
    fn behind(&self, offset: usize) -> Span {
        Span::new(offset, self.raw().len().max(offset))
    }

    /// The document that a failure is about, where nothing is open.
    fn judged(&self, doom: &Doom) -> Option<Span> {
        match doom.code {
            Code::DifferentDocuments | Code::OpaqueDocument => self.desk.choice.at(doom.offset).or(self.desk.last),
            Code::ClosedTooEarly if !self.scanner.is_debris_in_fence() => self.desk.last_bare,
            Code::ClosedTooEarly | Code::Unsettled | Code::TextAround => self.desk.last,
            Code::InsideBroken => Some(self.behind(self.scanner.candidate_start().0)),
            Code::WrongRoot => self.desk.other.or(Some(self.behind(doom.offset))),
            _ => None,
        }
    }
}

/// Lengths and states only: never the text.
impl<S: Sink> fmt::Debug for Reply<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reply")
            .field("raw_len", &self.raw().len())
            .field("progress", &self.progress())
            .field("edits", &self.desk.edits.len())
            .finish_non_exhaustive()
    }
}

/// Reads a whole reply that stopped by itself.
///
/// ```
/// use thusfar_core::{Expect, read};
/// let document = read("```json\n{\"ok\": true, // yes\n}\n```", Expect::object())?;
/// assert_eq!(document.text(), "{\"ok\": true \n}");
/// # Ok::<(), thusfar_core::Failure>(())
/// ```
///
/// # Errors
/// A [`Failure`] when the reply carries no document, or not certainly one.
pub fn read(text: &str, expect: Expect) -> Result<Document, Failure> {
    let mut reply = Reply::new(expect).with_capacity(text.len());
    let _ = reply.push(text);
    reply.finish(Ending::Stop)
}

/// Reads a whole reply that stopped by itself, without copying it: the document keeps the bytes.
///
/// # Errors
/// A [`Failure`] when the reply carries no document, or not certainly one.
#[cfg(feature = "bytes")]
pub fn read_bytes(bytes: bytes::Bytes, expect: Expect) -> Result<Document, Failure> {
    let fits = expect.limits.reply_len.is_none_or(|limit| bytes.len() <= limit);
    match bytestring::ByteString::try_from(bytes.clone()) {
        Ok(text) if fits => {
            let mut reply = Reply::over(Raw::Shared(text.clone()), expect, ());
            reply.read(&text, 0);
            reply.finish(Ending::Stop)
        }
        _ => {
            let mut reply = Reply::new(expect);
            let _ = reply.push_bytes(&bytes);
            reply.finish(Ending::Stop)
        }
    }
}
