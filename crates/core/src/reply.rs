//! A reply as it comes: the text once, the scanner, and the desk that judges; behind `push`.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::desk::{ByDigest, ByText, Desk, Judges};
use crate::ending::Progress;
use crate::expect::{Expect, Keep};
use crate::failure::Code;
use crate::guard::{REACH, Repeats, Repetition, Window, letters_in_string};
use crate::keys::Keys;
use crate::later::Later;
use crate::limits::{GUARD_STRIDE, Limits};
use crate::pieces::{Pieces, tile};
use crate::raw::Raw;
use crate::scan::{Doom, Scanner, last_byte};
use crate::sink::{Piece, Sink};
use crate::skim::Skim;
use crate::span::Span;
use crate::utf8::{self, Partial};

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
/// * The end: [`finish`](Reply::finish) or [`verdict`](Reply::verdict), once.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Reply<S: Sink = ()> {
    // What every push touches comes first, up to the first fields of the scanner: one line of a processor's cache.
    pub(crate) raw: Raw,
    /// Up to this length nothing but scanning, or skimming, is to be done: no guard, no limit, no verdict is due.
    clear: u32,
    /// Where the text is while the scanner lags behind it.
    skim: Skim,
    pub(crate) scanner: Scanner,
    pub(crate) judges: Judges<S>,
    pub(crate) partial: Partial,
    /// A verdict that is not the scanner's: guards and limits on the text, and invalid bytes. Boxed: there is at most one.
    pub(crate) doom: Option<Box<Doom>>,
    /// Bytes came that are no text: none behind them are kept.
    pub(crate) broken: bool,
    rest: Rest,
    /// Where completions were put together.
    pub(crate) seams: Box<[Span]>,
}

/// What is due every few hundred bytes, or never.
#[derive(Clone)]
struct Rest {
    repetition: Repetition,
    bounds: Bounds,
    in_reasoning: bool,
}

/// The limits that are not the scanner's; the highest number is none.
#[derive(Clone, Copy)]
struct Bounds {
    reply_len: usize,
    keys: usize,
    repetition: usize,
    other_repetition: usize,
}

impl Bounds {
    fn new(limits: &Limits) -> Self {
        let bound = |limit: Option<usize>| limit.unwrap_or(usize::MAX);
        Self {
            reply_len: bound(limits.reply_len),
            keys: bound(limits.keys),
            repetition: bound(limits.repetition),
            other_repetition: bound(limits.other_repetition),
        }
    }

    fn limits(&self, scanner: &Limits) -> Limits {
        let limit = |bound: usize| (bound < usize::MAX).then_some(bound);
        Limits {
            reply_len: limit(self.reply_len),
            keys: limit(self.keys),
            repetition: limit(self.repetition),
            other_repetition: limit(self.other_repetition),
            ..*scanner
        }
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
        Self::over(Raw::new(expect.keep), expect, sink)
    }

    pub(crate) fn over(raw: Raw, expect: Expect, sink: S) -> Self {
        let mut repetition = Repetition::new(expect.limits_in_force());
        if expect.keep == Keep::Nothing {
            repetition = Repetition::new(&Limits::NONE);
        }
        let bounds = Bounds::new(expect.limits_in_force());
        Self {
            raw,
            scanner: Scanner::new(&expect),
            judges: Judges {
                keys: Keys::new(bounds.keys),
                desk: if expect.keep == Keep::All { Later::default() } else { Desk::by_digest() },
                take: expect.taken(),
                sink,
            },
            partial: Partial::default(),
            doom: None,
            broken: false,
            clear: 0,
            skim: Skim::OFF,
            rest: Rest { repetition, bounds, in_reasoning: expect.in_reasoning },
            seams: Box::default(),
        }
    }

    /// Makes room for a reply of so many bytes, if the caller knows and all are kept.
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        if let Some(text) = self.raw.to_mut() {
            text.reserve(bytes);
        }
        self
    }

    /// What is known.
    pub fn progress(&self) -> Progress {
        if self.doom.is_some() { Progress::Doomed } else { self.scanner.progress() }
    }

    /// Why no continuation saves it, if none does.
    ///
    /// ```
    /// use thusfar_core::{Code, Expect, Reply};
    /// let mut reply = Reply::new(Expect::object());
    /// let _ = reply.push("{\"a\": x");
    /// assert_eq!(reply.doomed(), Some(Code::InvalidLiteral));
    /// ```
    #[must_use]
    pub fn doomed(&self) -> Option<Code> {
        self.doom.as_deref().copied().or_else(|| self.scanner.doomed()).map(|doom| doom.code)
    }

    /// Repairs made so far, those of candidates that came to nothing among them; a document has its own list.
    #[must_use]
    pub fn repair_count(&self) -> usize {
        self.scanner.repair_count()
    }

    /// The reply as far as it was pushed, without the bytes of a character that is not complete. Of a tail, at most what is kept,
    /// ended by the newest byte; while it is being read, less may lie in one piece.
    #[must_use]
    #[inline]
    pub fn raw(&self) -> &str {
        self.raw.as_str()
    }

    /// The sink that listens.
    pub fn sink(&self) -> &S {
        &self.judges.sink
    }

    pub(crate) fn into_sink(self) -> S {
        self.judges.sink
    }

    /// What the caller expects.
    #[must_use]
    pub fn expect(&self) -> Expect {
        let expect = self.scanner.expect();
        let limits = self.rest.bounds.limits(expect.limits_in_force());
        Expect { in_reasoning: self.rest.in_reasoning, keep: self.raw.keep(), ..expect }.limits(limits)
    }

    /// The state of the scanner behind all there is, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn scanner(&mut self) -> &Scanner {
        let _ = self.catch_up();
        &self.scanner
    }

    /// What each byte of the reply is, as far as it was read: pieces that tile it. Reads the text once more; none where not all of it
    /// is kept.
    #[must_use]
    pub fn pieces(&self) -> Vec<(Piece, Span)> {
        if matches!(self.raw, Raw::Tail(_)) {
            return Vec::new();
        }
        let read = if self.skim.is_on() { self.raw() } else { &self.raw()[..self.scanner.len().min(self.raw().len())] };
        let mut pieces = Pieces::default();
        let _ = Scanner::new(&self.expect()).push(read, &mut pieces);
        tile(pieces, self.raw().len())
    }

    /// Takes more of the reply. An empty chunk is nothing. Linear in the chunk.
    #[inline]
    pub fn push(&mut self, chunk: &str) -> Progress {
        if let Raw::Owned(text) = &mut self.raw {
            if text.len() + chunk.len() < self.clear as usize {
                text.push_str(chunk);
                if self.skim.is_on() {
                    return self.skim(chunk);
                }
                if let Some(progress) = self.scanner.push_content::<S>(chunk) {
                    return progress;
                }
                let mut desk = ByText { judges: &mut self.judges, raw: text };
                let progress = self.scanner.push(chunk, &mut desk);
                if !self.judges.sink.wants_scalars() && self.scanner.is_in_row() && chunk.len() <= Skim::SHORT {
                    self.begin_to_skim();
                }
                return progress;
            }
        }
        self.push_checked(chunk)
    }

    /// Skims a chunk that was appended.
    #[inline(always)]
    fn skim(&mut self, chunk: &str) -> Progress {
        let is_short = chunk.len() <= Skim::SHORT;
        let skim = if is_short { self.skim.step(chunk.as_bytes()) } else { Skim::OFF };
        if skim.is_on() {
            self.skim = skim;
            return self.scanner.known();
        }
        let progress = self.catch_up();
        if is_short {
            self.begin_to_skim();
        }
        progress
    }

    /// From here on short chunks are skimmed, where they may be. The scanner has read all there is, or is decided.
    #[inline(never)]
    fn begin_to_skim(&mut self) {
        let is_told = S::BYTES || S::CONTENT || self.judges.sink.wants_scalars() || self.judges.keys.has_second();
        let len = self.raw.len();
        let clear = self.due().min(u32::try_from(len + Skim::MOST).unwrap_or(0));
        if !is_told && clear as usize > len {
            self.skim = self.scanner.skim();
            if self.skim.is_on() {
                self.clear = clear;
            }
        }
    }

    /// The scanner reads what was skimmed, if anything was.
    #[inline(never)]
    pub(crate) fn catch_up(&mut self) -> Progress {
        if !self.skim.is_on() {
            return self.progress();
        }
        self.skim = Skim::OFF;
        self.clear = self.due();
        let (scanner, mut desk) = self.by_text();
        let unread = &desk.raw[scanner.len()..];
        scanner.push(unread, &mut desk)
    }

    /// The length up to which nothing but scanning is to be done.
    fn due(&self) -> u32 {
        if self.doom.is_some() || self.partial.is_open() {
            return 0;
        }
        let due = self.rest.repetition.due(self.raw.len()).min(self.rest.bounds.reply_len);
        u32::try_from(due).unwrap_or(u32::MAX)
    }

    fn push_checked(&mut self, chunk: &str) -> Progress {
        if self.skim.is_on() {
            let _ = self.catch_up();
            // The rest is as if it had never been skimmed.
            return self.push(chunk);
        }
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
                    let offset = self.raw.len();
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
            self.doom = Some(Box::new(Doom { code, offset, decided_at }));
        }
    }

    fn take(&mut self, chunk: &str) {
        let _ = self.catch_up();
        let from = self.raw.len();
        let limit = self.rest.bounds.reply_len;
        let Some(room) = limit.checked_sub(from) else { return };
        let chunk = if chunk.len() <= room { chunk } else { cut(chunk, room) };
        let readable = (0..=room.min(chunk.len())).rev().find(|&end| chunk.is_char_boundary(end)).unwrap_or_default();
        match self.raw.to_mut() {
            Some(text) => {
                if text.capacity() == 0 {
                    text.reserve(FIRST_ROOM.max(chunk.len()));
                }
                text.push_str(chunk);
                if self.doom.is_none() {
                    self.read(&chunk[..readable], from);
                }
            }
            None => self.take_tail(chunk, readable, from),
        }
        if from + chunk.len() > limit {
            self.refuse(Code::ReplyTooLong, limit, from + chunk.len() - 1);
        }
        self.clear = self.due();
    }

    /// Scans text that was just appended; stops where a repetition is to be judged.
    #[inline]
    pub(crate) fn read(&mut self, chunk: &str, from: usize) {
        let base = from;
        let mut from = from;
        // The scanner stops between characters, the guard at any byte.
        while let Some(repeats) = self.rest.repetition.next(window(&self.raw), from) {
            self.scan_up_to(repeats.at, chunk, base);
            from = repeats.at;
            if self.progress().is_decided() || self.judge(repeats, last_byte(chunk, base, repeats.at - 1)) {
                return;
            }
        }
        self.scan_up_to(base + chunk.len(), chunk, base);
    }

    /// Takes text of which only a tail is kept, stride by stride: a repetition is judged with as many bytes whatever the chunks.
    fn take_tail(&mut self, chunk: &str, readable: usize, base: usize) {
        let mut at = 0;
        while at < chunk.len() {
            let stride = GUARD_STRIDE - (base + at) % GUARD_STRIDE;
            let end = (at + stride).min(chunk.len());
            if let Raw::Tail(tail) = &mut self.raw {
                tail.push(&chunk.as_bytes()[at..end]);
            }
            if !self.progress().is_decided() {
                self.scan_up_to(base + readable.min(end), chunk, base);
            }
            let judged = end - at == stride && self.rest.repetition.is_due(base + end);
            if judged && !self.progress().is_decided() {
                if let Raw::Tail(tail) = &mut self.raw {
                    tail.gather(REACH);
                }
                if let Some(repeats) = self.rest.repetition.next(window(&self.raw), base + at) {
                    self.judge(repeats, last_byte(chunk, base, repeats.at - 1));
                }
            }
            at = end;
        }
    }

    /// Scans a chunk, which begins at `base`, up to an offset, or to the character in front of it.
    #[inline]
    fn scan_up_to(&mut self, end: usize, chunk: &str, base: usize) {
        let read = self.scanner.len().max(base) - base;
        let mut end = end - base;
        while !chunk.is_char_boundary(end) {
            end -= 1;
        }
        if end > read {
            let _ = self.scan(&chunk[read..end]);
        }
    }

    /// Judges a repetition, certain at an offset; whether it ends the reading.
    fn judge(&mut self, repeats: Repeats, decided_at: usize) -> bool {
        let in_string = self.scanner.is_in_string();
        let letters = self.scanner.is_in_candidate()
            && letters_in_string(window(&self.raw).up_to(repeats.at).bytes, repeats.period, in_string);
        if !repeats.exceeds(if letters { self.rest.bounds.repetition } else { self.rest.bounds.other_repetition }) {
            return false;
        }
        if self.scanner.is_at_rest() {
            self.conclude(decided_at);
        } else {
            self.refuse(Code::Repetition, repeats.start, decided_at);
        }
        true
    }

    #[inline]
    fn scan(&mut self, chunk: &str) -> Progress {
        if self.judges.desk.ledger.is_some() {
            return self.by_digest(chunk, |scanner, desk| scanner.push(chunk, desk));
        }
        let (scanner, mut desk) = self.by_text();
        scanner.push(chunk, &mut desk)
    }

    /// Reading stops behind a closed document; certain at offset `at`.
    #[cold]
    fn conclude(&mut self, at: usize) {
        if self.judges.desk.ledger.is_some() {
            return self.by_digest("", |scanner, desk| scanner.conclude(at, desk));
        }
        let (scanner, mut desk) = self.by_text();
        scanner.conclude(at, &mut desk);
    }

    #[inline]
    pub(crate) fn by_text(&mut self) -> (&mut Scanner, ByText<'_, S>) {
        (&mut self.scanner, ByText { judges: &mut self.judges, raw: self.raw.as_str() })
    }

    #[inline(never)]
    pub(crate) fn by_digest<T>(
        &mut self,
        chunk: &str,
        work: impl FnOnce(&mut Scanner, &mut ByDigest<'_, S>) -> T,
    ) -> T {
        let mut desk = ByDigest {
            desk: &mut self.judges.desk,
            chunk,
            base: self.scanner.len(),
            take: self.scanner.taken(),
            key_limit: self.rest.bounds.keys,
            sink: &mut self.judges.sink,
        };
        work(&mut self.scanner, &mut desk)
    }
}

/// Bytes of room for the text of a reply that has begun: most are no shorter, and to double from a few bytes on costs more than to read them.
const FIRST_ROOM: usize = 1024;

/// What the guard can look at.
fn window(raw: &Raw) -> Window<'_> {
    match raw {
        Raw::Tail(tail) => {
            let (bytes, start) = tail.gathered(REACH);
            Window { bytes, start }
        }
        text => Window { bytes: text.as_str().as_bytes(), start: 0 },
    }
}

/// As much of a chunk as shows that the reply is too long: up to the character with the first byte that is too many.
#[cold]
fn cut(chunk: &str, room: usize) -> &str {
    let mut end = room + 1;
    while end < chunk.len() && !chunk.is_char_boundary(end) {
        end += 1;
    }
    chunk.get(..end).unwrap_or(chunk)
}

/// Lengths and states only: never the text.
impl<S: Sink> fmt::Debug for Reply<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reply")
            .field("raw_len", &self.raw.len())
            .field("progress", &self.progress())
            .field("edits", &self.judges.desk.edits.len())
            .finish_non_exhaustive()
    }
}
