//! The machine: text in, events out, one pass, O(depth) state.
//!
//! # Theory
//!
//! A [`Scanner`] reads each byte once and never moves back. It is always in one [`State`]; the states fall into three
//! groups, each in files of its own:
//!
//! * *text* ([`text`], [`fences`]): prose, reasoning, fences, and what stands behind a closed root. The small machines of
//!   [`locate`](crate::locate) say what a byte is; this module acts on it.
//! * *between tokens* ([`between`], [`comment`]): inside a candidate, outside strings, numbers and literals. The state says
//!   what may come next.
//! * *tokens* ([`string`], [`escaped`], [`number`]): inside one of those.
//!
//! Above the last two groups lies [`plain`], with [`row`]: tokens that need no decision, read at once where the sink does not want pieces. It has
//! no state and no rule of its own: it leaves what a function of a state would leave, and tells what that would tell.
//!
//! A candidate is entered in [`candidate`] and left in three ways: it closes, it breaks, or the reply ends. A byte that ends what a
//! state waited for (it breaks a candidate which is no promise, ends a run of marks or a tag, settles what stands behind a root) is
//! handed to the next state; an earlier byte never is. So a byte is looked at a few times at most.
//!
//! # Invariants
//!
//! * `at` is the number of bytes taken; inside a push, byte `i` of the chunk has offset `at + i`.
//! * What a state waits with is in the state's own fields and bounded: a comma, a backslash, a slash, the text behind
//!   an escaped quote (64 bytes), a fence run's length and label (6 bytes), a tag (12 bytes).
//! * `depth` frames are open exactly in the candidate states; it is zero in the text states.
//! * A decided scanner takes no more bytes: `State::Decided` is sticky.
//!
//! # If you add a state
//!
//! A state that is new is not plain. Put it into its group in [`State`], give it one function, and say in [`finish`] what it means when the reply ends there, and
//! in `suspend` (in [`between`]) what of its bytes is not assigned yet.

mod state; // states, candidate, findings, rules
mod cold; // what most pushes leave alone
mod frames; // the stack of open frames
mod candidate; // from the opener to the root's closer
mod between; // between tokens
mod row; // numbers in a row
mod plain; // the usual way through a candidate
mod comment; // comments between tokens
mod string; // strings
mod escaped; // strings in escaped delimiters
mod number; // numbers and literals
mod text; // prose, tags, and what stands behind a root
mod fences; // code fences: lead, whole and opaque
mod finish; // the end of the reply

use alloc::boxed::Box;
use core::fmt;

use crate::class::{holds_stop, padded};
use crate::ending::Progress;
use crate::expect::{Expect, Take};
use crate::failure::Code;
use crate::later::Later;
use crate::limits::GUARD_STRIDE;
use crate::locate::line::absorb;
use crate::number::Magnitude;
use crate::sink::{Event, Flow, Piece, Sink};
use crate::span::{MaybeOffset, Span};

use cold::Cold;
pub(crate) use finish::End;
use frames::Frames;
use plain::{DONE, Short};
use state::{Flags, Found, Openers, Rules, State};
pub(crate) use string::control_escape;

/// The verdict of a scanner that is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doom {
    pub(crate) code: Code,
    pub(crate) offset: usize,
    pub(crate) decided_at: usize,
}

/// Reads a reply and tells a [`Sink`] what it is: O(depth) state, no text, no allocation in steady state.
///
/// A [`Reply`](crate::Reply) keeps the text and judges what needs it: which of several documents, duplicate keys,
/// repetition. A scanner alone says what can be said without: where documents open and close, what each byte is, whether the
/// text is broken, and where.
///
/// ```
/// use thusfar_core::{Expect, Piece, Progress, Scanner, Sink, Span};
///
/// #[derive(Default)]
/// struct Clean(String);
/// impl Sink for Clean {
///     fn bytes(&mut self, piece: Piece, _: Span, text: &str) {
///         self.0.push_str(text);
///     }
/// }
///
/// let (mut scanner, mut clean) = (Scanner::new(&Expect::object()), Clean::default());
/// for chunk in ["{\"a\": [1, 2", ",]", " // two\n", "}"] {
///     let _: Progress = scanner.push(chunk, &mut clean);
/// }
/// assert_eq!(scanner.progress(), Progress::Closed);
/// assert_eq!(clean.0, "{\"a\": [1 ,2] \n}");
/// ```
///
/// * Getters: [`progress`](Scanner::progress), [`len`](Scanner::len), [`steps`](Scanner::steps).
/// * Push: [`push`](Scanner::push); the end is told to a [`Reply`](crate::Reply).
#[derive(Clone)]
#[repr(C)]
pub struct Scanner {
    // All that a push into a string touches: half a line of a processor's cache.
    at: usize,
    state: State,
    /// What was known behind the last push.
    known: Progress,
    flags: Flags,
    /// The last four bytes in front of the chunk, the last one lowest, while a candidate is open.
    recent: u32,
    token: usize,
    /// A comma that may be trailing.
    comma: MaybeOffset,

    // And one between tokens.
    /// Which literal.
    literal: u8,
    /// How much of a literal or of four hex digits.
    taken: u8,
    /// Text around documents is judged.
    judges_text: bool,
    /// Frames that may be open at once.
    nesting: u32,
    steps: u64,
    /// The last run of white space where it is guarded.
    white: Span,
    frames: Frames,
    magnitude: Magnitude,
    /// Boxed: there is at most one in the life of a scanner.
    doom: Option<Box<Doom>>,
    rules: Rules,
    /// Where a text state returns to from a tag, a run, a comment.
    home: State,
    /// Where a state between tokens returns to from white space escapes and comments.
    back: State,
    /// Depth of reasoning tags.
    reasoning: u32,
    cold: Later<Cold>,
}

/// Lengths and states only: never the text, nor the few bytes of it that wait.
impl fmt::Debug for Scanner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Scanner")
            .field("len", &self.at)
            .field("state", &self.state)
            .field("depth", &self.frames.depth())
            .field("doom", &self.doom)
            .finish_non_exhaustive()
    }
}

/// The chunk being read.
struct Cursor<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// The next byte to read.
    i: usize,
    /// Offset of the chunk's first byte.
    base: usize,
    /// Where in this chunk the candidate began; zero if it began before.
    from: usize,
}

/// The offset of the last byte of the character that holds byte `at`; the text begins at `base`.
pub(crate) fn last_byte(text: &str, base: usize, at: usize) -> usize {
    let index = at.saturating_sub(base);
    let behind = (index + 1..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
    if index < text.len() { base + behind - 1 } else { at }
}

impl Cursor<'_> {
    /// Offset of the next byte.
    fn at(&self) -> usize {
        self.base + self.i
    }
}

impl Scanner {
    /// A scanner at the beginning of a reply.
    #[must_use]
    pub fn new(expect: &Expect) -> Self {
        let rules = Rules::new(expect);
        let text = if rules.is_strict() { State::Before } else { State::Text };
        Self {
            at: 0,
            state: if expect.in_reasoning { State::Reasoning } else { text },
            known: Progress::Searching,
            flags: Flags::default(),
            recent: 0,
            token: 0,
            comma: MaybeOffset::NONE,
            literal: 0,
            taken: 0,
            judges_text: rules.judges_text,
            nesting: rules.nesting,
            steps: 0,
            white: Span::new(0, 0),
            frames: Frames::default(),
            magnitude: Magnitude::default(),
            doom: None,
            rules,
            home: text,
            back: text,
            reasoning: u32::from(expect.in_reasoning),
            cold: Later::default(),
        }
    }

    /// Begins again, as if it was new, and keeps its room.
    #[doc(hidden)]
    pub fn restart(&mut self) {
        let mut cold = core::mem::take(&mut self.cold);
        cold.clear();
        *self = Self { cold, ..Self::new(&self.expect()) };
    }

    /// Bytes that are held on the heap now.
    #[doc(hidden)]
    #[must_use]
    pub fn heap_len(&self) -> usize {
        let dooms = [&self.doom, &self.cold.found.first_break].into_iter().flatten().count() * size_of::<Doom>();
        let Cold { escaped, comment, run, tag, debris, .. } = &*self.cold;
        let tokens = escaped.heap_len() + comment.heap_len() + self.magnitude.heap_len();
        let later = tokens + run.heap_len() + tag.heap_len() + debris.heap_len() + self.rules.around.heap_len();
        self.cold.heap_len() + later + dooms + self.frames.heap_len()
    }

    /// Bytes taken. A decided scanner takes no more.
    #[must_use]
    pub fn len(&self) -> usize {
        self.at
    }

    /// Whether nothing was taken yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.at == 0
    }

    pub(crate) fn repair_count(&self) -> usize {
        self.cold.repairs as usize
    }

    /// How often the function of a state, or the one that reads plainly, has begun so far: at most a small constant times the bytes taken. What
    /// one of them reads is as much as it can. For tests of the cost.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// A digest of what is known of the last tokens of the candidate that is open, for tests that hold two ways of reading to each other:
    /// equal where that is. Zero if none is open.
    #[doc(hidden)]
    #[must_use]
    pub fn print(&self) -> u64 {
        if self.frames.depth() == 0 {
            return 0;
        }
        let comma = self.comma.get().map_or(0, |at| at as u64 + 1);
        // Where a number began is asked inside it alone.
        let stale = if self.state.is_number() { Flags::default() } else { Flags::NUMBER_FRESH };
        let known =
            [u64::from(self.flags.without(stale).bits()), comma, u64::from(self.recent), self.frames.depth().into()];
        known.iter().fold(0, |print: u64, &part| (print ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }

    /// What was known behind the last push, unless that decided.
    #[inline(always)]
    pub(crate) fn known(&self) -> Progress {
        self.known
    }

    /// Whether an element of an array is open that is a number, or one may follow a comma.
    #[inline(always)]
    pub(crate) fn is_in_row(&self) -> bool {
        self.state.is_in_row() && !self.frames.is_object()
    }

    /// What is known.
    #[inline]
    pub fn progress(&self) -> Progress {
        match (self.state, &self.doom) {
            (State::Decided, Some(_)) => Progress::Doomed,
            (State::Decided, None) => Progress::Final,
            // Between two pushes nothing else becomes known.
            _ => self.known,
        }
    }

    /// Finds out what is known behind a push.
    fn look_round(&mut self) -> Progress {
        let open = self.frames.depth() > 0 && self.cold.candidate.promise && self.cold.candidate.counts;
        let whole = self.cold.found.whole.is_some() && !self.cold.found.whole_other;
        self.known = match (open, self.cold.found.closed || whole) {
            (true, _) => Progress::Open,
            (false, true) => Progress::Closed,
            (false, false) => Progress::Searching,
        };
        self.progress()
    }

    /// Takes more of the reply. An empty chunk is nothing. Linear in the chunk.
    #[inline]
    pub fn push<S: Sink>(&mut self, chunk: &str, sink: &mut S) -> Progress {
        if !S::BYTES && !chunk.is_empty() && self.is_plain() && self.is_inside_stride(chunk) {
            return self.push_plain(chunk, sink);
        }
        self.push_any(chunk, sink)
    }

    /// Takes a short chunk that is content of a string, if it is that and nobody wants to hear of it.
    #[inline(always)]
    pub(crate) fn push_content<S: Sink>(&mut self, chunk: &str) -> Option<Progress> {
        if S::BYTES || S::CONTENT || self.state != State::String || self.flags.has(Flags::ESCAPED) {
            return None;
        }
        let bytes = chunk.as_bytes();
        if !matches!(bytes.len(), 1..=Short::MOST) || holds_stop(padded(bytes)) {
            return None;
        }
        self.flags.set(Flags::CONTROL_RUN, false);
        Some(self.took(bytes))
    }

    /// Reads what may be read plainly, which is most often all of it.
    #[inline(always)]
    fn push_plain<S: Sink>(&mut self, chunk: &str, sink: &mut S) -> Progress {
        self.steps += 1;
        let i = if chunk.len() <= Short::MOST {
            self.plain_short(chunk, 0, 0, sink)
        } else {
            self.plain_long(chunk, 0, 0, sink)
        };
        if i == chunk.len() { self.took(chunk.as_bytes()) } else { self.push_rest(chunk, i, sink) }
    }

    /// Takes what was read plainly, all of it.
    #[inline(always)]
    fn took(&mut self, bytes: &[u8]) -> Progress {
        self.recent = absorb(self.recent, bytes);
        self.debris_absorbs(bytes);
        self.at += bytes.len();
        // What is plain changes nothing of this.
        self.known
    }

    /// Goes on with a chunk at an index.
    #[inline(never)]
    fn push_rest<S: Sink>(&mut self, chunk: &str, i: usize, sink: &mut S) -> Progress {
        if i != DONE {
            self.take_rest(Cursor { text: chunk, bytes: chunk.as_bytes(), i, base: self.at, from: 0 }, sink);
        }
        self.look_round()
    }

    #[inline(never)]
    fn push_any<S: Sink>(&mut self, chunk: &str, sink: &mut S) -> Progress {
        if self.judges_text {
            self.push_guarded(chunk, sink);
        } else {
            self.take(chunk, sink);
        }
        self.look_round()
    }

    /// Whether text is judged neither in a chunk nor at its end.
    #[inline(always)]
    fn is_inside_stride(&self, chunk: &str) -> bool {
        !self.judges_text || self.at % GUARD_STRIDE + chunk.len() < GUARD_STRIDE
    }

    /// With guards on the text around documents: stops at each place where they are judged.
    fn push_guarded<S: Sink>(&mut self, chunk: &str, sink: &mut S) {
        let mut rest = chunk;
        while !rest.is_empty() && self.state != State::Decided {
            let mut len = (GUARD_STRIDE - self.at % GUARD_STRIDE).min(rest.len());
            while !rest.is_char_boundary(len) {
                len += 1;
            }
            let (front, back) = rest.split_at(len);
            let stride = self.at / GUARD_STRIDE;
            self.take(front, sink);
            rest = back;
            if self.at / GUARD_STRIDE != stride && self.state != State::Decided && !self.is_in_candidate() {
                self.judge_text(sink);
            }
        }
    }

    fn judge_text<S: Sink>(&mut self, sink: &mut S) {
        let judged = self.at - self.at % GUARD_STRIDE;
        if self.is_at_rest() {
            let end = self.cold.found.whole.get().map_or(self.cold.found.closed_end, |whole| whole.end);
            if judged.saturating_sub(end) >= self.rules.around.text_behind {
                self.conclude(self.at - 1, sink);
            }
        } else if judged >= self.rules.around.text_before {
            self.doom(Code::NoDocument, judged, self.at.saturating_sub(1));
        }
    }

    fn take<S: Sink>(&mut self, chunk: &str, sink: &mut S) {
        if self.state == State::Decided || chunk.is_empty() {
            return;
        }
        let bytes = chunk.as_bytes();
        let mut cursor = Cursor { text: chunk, bytes, i: 0, base: self.at, from: 0 };
        if self.at == 0 && chunk.starts_with('\u{FEFF}') {
            // A byte order mark in front of everything counts as white space.
            cursor.i = '\u{FEFF}'.len_utf8();
        }
        self.take_rest(cursor, sink);
    }

    /// Takes what is left of a chunk.
    fn take_rest<S: Sink>(&mut self, mut cursor: Cursor<'_>, sink: &mut S) {
        let (chunk, bytes) = (cursor.text, cursor.bytes);
        while cursor.i < bytes.len() && self.state != State::Decided {
            self.steps += 1;
            if !S::BYTES && self.is_plain() {
                cursor.i = if bytes.len() <= Short::MOST {
                    self.plain_short(chunk, cursor.i, cursor.from, sink)
                } else {
                    self.plain_long(chunk, cursor.i, cursor.from, sink)
                };
                if cursor.i == DONE {
                    return;
                }
                if cursor.i == bytes.len() {
                    break;
                }
            }
            self.step(&mut cursor, sink);
        }
        // A decision inside a character takes all of it: a character shows what it is with its last byte.
        while !chunk.is_char_boundary(cursor.i) {
            cursor.i += 1;
        }
        if let Some(doom) = self.doom.as_deref_mut() {
            doom.decided_at = last_byte(chunk, self.at, doom.decided_at);
        }
        self.suspend(&cursor, sink);
        self.at += cursor.i;
    }

    /// One function a state, or a group that reads alike.
    #[inline]
    fn step<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        match self.state {
            state if state.is_between() => self.between(cursor, sink),
            State::String => self.string(cursor, sink),
            State::Escape => self.escape(cursor, sink),
            State::Hex => self.hex(cursor, sink),
            State::LowBackslash | State::LowU => self.low_half(cursor, sink),
            State::Quote => self.quote(cursor, sink),
            State::QuoteBackslash => self.quote_backslash(cursor, sink),
            State::QuoteSlash => self.quote_slash(cursor, sink),
            state if state.is_number() => self.number(cursor, sink),
            State::Literal => self.literal(cursor, sink),
            State::Backslash => self.backslash(cursor, sink),
            State::Slash => self.slash(cursor, sink),
            State::LineComment => self.line_comment(cursor, sink),
            State::BlockComment | State::BlockStar => self.block_comment(cursor, sink),
            State::Text | State::Opaque | State::Code => self.text(cursor, sink),
            State::Lead => self.lead(cursor, sink),
            State::Whole => self.whole(cursor, sink),
            State::OutsideSlash | State::OutsideLine | State::OutsideBlock | State::OutsideStar => {
                self.outside_comment(cursor, sink);
            }
            State::Tag => self.tag(cursor, sink),
            State::Run => self.run(cursor, sink),
            State::Tick => self.tick(cursor, sink),
            State::Reasoning => self.reasoning(cursor, sink),
            State::Behind => self.behind(cursor, sink),
            State::Before => self.before(cursor, sink),
            State::After => self.after(cursor, sink),
            _ => {}
        }
    }

    /// Which document counts.
    #[inline]
    pub(crate) fn taken(&self) -> Take {
        self.rules.take
    }

    /// What the caller expects, as far as the machine knows it.
    pub(crate) fn expect(&self) -> Expect {
        self.rules.expect()
    }

    /// The verdict, if it is a failure.
    pub(crate) fn doomed(&self) -> Option<Doom> {
        self.doom.as_deref().copied()
    }

    /// Ends the search with a failure.
    pub(crate) fn doom(&mut self, code: Code, offset: usize, decided_at: usize) {
        if self.doom.is_none() {
            self.doom = Some(Box::new(Doom { code, offset, decided_at }));
        }
        // What waits in a string stays uncertain.
        self.cold.escape = self.waiting().unwrap_or(usize::MAX);
        self.state = State::Decided;
    }

    /// Ends the search with what was found.
    pub(super) fn decide_final<S: Sink>(&mut self, at: usize, sink: &mut S) {
        let flow = sink.event(Event::Final { opaque: self.cold.found.opaque });
        self.state = State::Decided;
        if let Flow::Break(code, offset) | Flow::Doom(code, offset) = flow {
            self.doom(code, offset, at);
        }
    }

    /// Reading stops behind a closed document: what was found is judged as if the reply had ended; certain at offset `at`.
    pub(crate) fn conclude<S: Sink>(&mut self, at: usize, sink: &mut S) {
        self.come_to_rest(at, sink);
        if self.state != State::Decided {
            self.decide_final(at, sink);
        }
    }

    /// Whether a document has closed and nothing that matters is open.
    pub(crate) fn is_at_rest(&self) -> bool {
        let whole = self.cold.found.whole.is_some() && !self.cold.found.whole_other;
        (self.cold.found.closed || whole) && self.frames.depth() == 0 && self.reasoning == 0
    }

    /// Whether debris is behind a document in the fence that is open.
    pub(crate) fn is_debris_in_fence(&self) -> bool {
        self.cold.found.in_fence
    }

    /// Whether the next byte belongs to a string of a candidate.
    pub(crate) fn is_in_string(&self) -> bool {
        let token = matches!(
            self.state,
            State::String | State::Escape | State::Hex | State::LowBackslash | State::LowU | State::Quote
        );
        token || matches!(self.state, State::QuoteBackslash | State::QuoteSlash)
    }

    /// Whether a candidate is open.
    pub(crate) fn is_in_candidate(&self) -> bool {
        self.frames.depth() > 0 || self.cold.candidate.is_scalar
    }

    /// Whether the candidate that is open, or was last, is neither code nor quoted text.
    pub(crate) fn is_counting(&self) -> bool {
        !self.cold.candidate.passed && (self.home != State::Opaque || self.cold.candidate.first)
    }

    /// Where the candidate that is open, or was last, begins; whether it is a promise.
    pub(crate) fn candidate_start(&self) -> (usize, bool) {
        (self.cold.candidate.start, self.cold.candidate.promise)
    }

    /// Where the first thing of the reply came to nothing, if it did.
    pub(crate) fn first_break(&self) -> Option<Doom> {
        self.cold.found.first_break.as_deref().copied()
    }

    /// Where the first whole document of the other kind begins.
    pub(crate) fn other_kind(&self) -> Option<usize> {
        self.cold.found.other_kind.get()
    }

    /// Whether something like a document stands in an opaque fence.
    pub(crate) fn is_opaque(&self) -> bool {
        self.cold.found.opaque
    }

    /// Is the last run of white space one too long?
    #[cold]
    fn guard_white<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let (len, end) = (self.white.len(), self.white.end);
        if self.is_in_candidate() && !self.is_counting() && !self.cold.candidate.passed {
            // Opaque text.
            return;
        }
        let behind = self.is_at_rest();
        let limit = if behind {
            self.rules.white_space.min(self.rules.around.white_space_behind)
        } else {
            self.rules.white_space
        };
        if len < limit {
            return;
        }
        let start = end - len;
        let judged = (start + limit).next_multiple_of(GUARD_STRIDE);
        if judged > end {
            return;
        }
        // What follows is not taken.
        cursor.i = judged.saturating_sub(cursor.base);
        if behind {
            self.conclude(judged - 1, sink);
        } else {
            self.doom(Code::WhiteSpaceRun, start, judged - 1);
        }
    }

    /// Tells the sink what the bytes up to `end` (an offset) are; they lie in this chunk and keep their text.
    fn tell<S: Sink>(&mut self, cursor: &Cursor<'_>, end: usize, piece: Piece, sink: &mut S) {
        if S::BYTES && self.cold.told < end {
            let span = Span::new(self.cold.told, end);
            let text = match piece {
                Piece::Kept => &cursor.text[self.cold.told.saturating_sub(cursor.base)..end - cursor.base],
                _ => "",
            };
            sink.bytes(piece, span, text);
            self.cold.told = end;
        }
    }

    /// The same, for bytes that may lie in an earlier chunk, with their text in the cleaned stream.
    fn tell_as<S: Sink>(&mut self, end: usize, piece: Piece, text: &str, sink: &mut S) {
        if S::BYTES && self.cold.told < end {
            sink.bytes(piece, Span::new(self.cold.told, end), text);
            self.cold.told = end;
        }
    }
}
