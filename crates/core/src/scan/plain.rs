//! The usual way through a candidate: white space, structure, strings, numbers and literals that need no decision.
//!
//! What is read here is read in one function, without going back to the state between tokens. It does what the functions of the
//! states do, and they go on where it stops: at a byte that is not plain (a comment, an escape between tokens, a raw control
//! character, a wrong closer, one behind a comma, the root's), and at the end of the chunk. A sink that wants pieces is never
//! read to like this: what it is told is the twin of what is told here.

use crate::class::{BLOCK, block_at, holds_line_end, is_space, is_string_stop, stops_in_64, white};
use crate::limits::LEAST_WHITE_SPACE;
use crate::number::is_small;
use crate::sink::{Event, Flow, Kind, Sink};
use crate::span::{MaybeOffset, Span};

use super::number::{SHORT, literal_of};
use super::row::{FEWEST, read_row};
use super::{Cursor, Flags, Scanner, State};

/// What an escape of one letter does to a string; zero for other letters.
const ESCAPE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = SIMPLE | QUOTE;
    table[b'\\' as usize] = SIMPLE | BACKSLASH;
    table[b'/' as usize] = SIMPLE;
    table[b'b' as usize] = SIMPLE | SUSPECT;
    table[b'f' as usize] = SIMPLE | SUSPECT;
    table[b'n' as usize] = SIMPLE | PATH;
    table[b'r' as usize] = SIMPLE | PATH;
    table[b't' as usize] = SIMPLE | PATH;
    table
};
const SIMPLE: u8 = 1;
const QUOTE: u8 = 2;
const BACKSLASH: u8 = 4;
const SUSPECT: u8 = 8;
/// Suspect behind what looks like a path.
const PATH: u8 = 16;

/// The state behind the first character of a number.
#[inline(always)]
fn first_state(first: u8) -> State {
    match first {
        b'-' => State::Minus,
        b'0' => State::Zero,
        _ => State::Integer,
    }
}

/// The state behind one more character of a number. Where it is not a part of it: [`State::Next`] if the number is whole,
/// [`State::Value`] if it is and has an exponent, [`State::Decided`] if something is to be decided.
const NUMBER: [[State; 256]; NUMBER_STATES] = {
    let mut table = [[State::Decided; 256]; NUMBER_STATES];
    let mut from = 0;
    while from < NUMBER_STATES {
        let mut byte = 0;
        while byte < 256 {
            let digit = byte >= b'0' as usize && byte <= b'9' as usize;
            table[from][byte] = match (NUMBER_STATE[from], byte as u8) {
                (State::Minus, b'0') => State::Zero,
                (State::Minus | State::Integer, _) if digit => State::Integer,
                (State::Zero | State::Integer, b'.') => State::Point,
                (State::Point | State::Fraction, _) if digit => State::Fraction,
                (State::Zero | State::Integer | State::Fraction, b'e' | b'E') => State::Exponent,
                (State::Exponent, b'+' | b'-') => State::ExponentSign,
                (State::Exponent | State::ExponentSign | State::ExponentDigits, _) if digit => State::ExponentDigits,
                (State::Zero | State::Integer | State::Fraction, byte) if ends_value(byte) => State::Next,
                (State::ExponentDigits, byte) if ends_value(byte) => State::Value,
                _ => State::Decided,
            };
            byte += 1;
        }
        from += 1;
    }
    table
};

const NUMBER_STATES: usize = NUMBER_STATE.len();
const NUMBER_STATE: [State; 8] = [
    State::Minus,
    State::Zero,
    State::Integer,
    State::Point,
    State::Fraction,
    State::Exponent,
    State::ExponentSign,
    State::ExponentDigits,
];

/// How far the number whose next character stands at an index goes, and the state behind it.
#[inline(never)]
fn number_part(bytes: &[u8], from: usize, state: State) -> (usize, State) {
    let (mut at, mut state) = (from, state);
    while let Some(&byte) = bytes.get(at) {
        let row = (state as usize).wrapping_sub(State::Minus as usize);
        state = NUMBER.get(row).map_or(State::Decided, |row| row[byte as usize]);
        if matches!(state, State::Next | State::Value | State::Decided) {
            break;
        }
        at += 1;
    }
    (at, state)
}

/// Nothing of the chunk is left.
pub(super) const DONE: usize = usize::MAX;

/// How the end of string content is found.
trait Search {
    /// Whether there is more than a few bytes.
    const IS_LONG: bool;

    /// The first index from `from` on that holds a quote, a backslash or a control character; `bytes.len()` if none does. Later calls ask
    /// no further in front.
    fn stop(&mut self, bytes: &[u8], from: usize) -> usize;
}

/// A few bytes: one by one.
#[derive(Clone, Copy)]
pub(super) struct Short;

impl Short {
    /// The longest chunk.
    pub(super) const MOST: usize = 8;
}

impl Search for Short {
    const IS_LONG: bool = false;

    #[inline(always)]
    fn stop(&mut self, bytes: &[u8], from: usize) -> usize {
        let mut at = from;
        while bytes.get(at).is_some_and(|&byte| !is_string_stop(byte)) {
            at += 1;
        }
        at
    }
}

/// Any chunk, 64 bytes at a time: what was found in them is kept, since most strings are shorter.
#[derive(Clone, Copy, Default)]
struct Long {
    /// One past the bytes that were searched last; one bit for each of them, the last one highest.
    end: usize,
    found: u64,
}

impl Search for Long {
    const IS_LONG: bool = true;

    #[inline(always)]
    fn stop(&mut self, bytes: &[u8], from: usize) -> usize {
        let mut next = from;
        if from < self.end {
            let found = self.found >> (64 - (self.end - from));
            if found != 0 {
                return from + found.trailing_zeros() as usize;
            }
            next = self.end;
        }
        while next < bytes.len() {
            self.found = stops_in_64(bytes, next);
            self.end = next + 64;
            if self.found != 0 {
                return next + self.found.trailing_zeros() as usize;
            }
            next = self.end;
        }
        bytes.len()
    }
}

/// What may stand behind a value without a decision.
#[inline(always)]
const fn ends_value(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']') || is_space(byte)
}

/// Where the literal that begins at an index ends, if all of it is in the chunk and in front of what may stand behind a value.
#[inline(always)]
fn literal_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    let word = rest.first_chunk::<4>()?;
    let end = match word {
        b"true" | b"null" => 4,
        b"fals" if rest.get(4) == Some(&b'e') => 5,
        _ => return None,
    };
    ends_value(*rest.get(end)?).then_some(start + end)
}

impl Scanner {
    /// Whether what comes next may be read plainly.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.state.is_plain() && !self.flags.has(Flags::DECIDING.with(Flags::ESCAPED)) && self.frames.depth() > 0
    }

    /// Whether a number with an exponent is finite at a glance: this is its end, and behind others or not.
    fn is_small(&self, end: &[u8], behind_others: bool) -> bool {
        if !behind_others {
            return is_small(end);
        }
        let mut whole = self.magnitude.clone();
        whole.feed(end);
        whole.is_small()
    }

    /// The same in a chunk of a few bytes.
    #[inline(never)]
    pub(super) fn plain_short<S: Sink>(&mut self, chunk: &str, from: usize, begun: usize, sink: &mut S) -> usize {
        self.plain(Short, chunk, from, begun, sink)
    }

    /// The same in one of any length.
    #[inline(never)]
    pub(super) fn plain_long<S: Sink>(&mut self, chunk: &str, from: usize, begun: usize, sink: &mut S) -> usize {
        self.plain(Long::default(), chunk, from, begun, sink)
    }

    /// Reads on in a chunk from an index on, as far as it is plain: up to which index, or [`DONE`]. What is left is for the functions of
    /// the states. `begun`: where in the chunk the candidate began; zero if it began before.
    #[inline(always)]
    fn plain<S: Sink, Q: Search>(
        &mut self,
        mut search: Q,
        chunk: &str,
        from: usize,
        begun: usize,
        sink: &mut S,
    ) -> usize {
        let (bytes, base) = (chunk.as_bytes(), self.at);
        let mut i = from;
        let (mut state, mut flags, mut token) = (self.state, self.flags, self.token);
        // In front of this index no row of numbers is looked for: none in front of a first number, nor where it is known not to be plain.
        let mut no_row = usize::MAX;
        macro_rules! leave {
            () => {
                (self.state, self.flags, self.token) = (state, flags, token);
            };
        }
        macro_rules! tell {
            ($event:expr) => {
                let flow = sink.event($event);
                if flow != Flow::Continue {
                    leave!();
                    return self.refused(flow, chunk, i, begun, sink);
                }
            };
        }
        // Opens a string at the quote that is read next.
        macro_rules! open {
            ($key:literal) => {
                token = base + i;
                self.comma = MaybeOffset::NONE;
                flags = flags.without(Flags::OF_STRING.with(Flags::FRESH)).with(Flags::STRING_SEEN);
                flags.set(Flags::KEY, $key);
                state = State::String;
                tell!(Event::StringOpen { at: token, key: $key });
                flags.flip(Flags::ODD);
                i += 1;
            };
        }
        // Reads on in a string, to its closing quote. What stops it otherwise leaves the lane.
        macro_rules! string {
            ($lane:lifetime) => {
                loop {
                    let stop = search.stop(bytes, i);
                    if stop > i {
                        if S::CONTENT {
                            // One that is refused is told again where that is acted on.
                            let span = Span::new(base + i, base + stop);
                            if sink.content(span, &chunk[i..stop]) != Flow::Continue {
                                break $lane;
                            }
                        }
                        i = stop;
                    }
                    match bytes.get(i) {
                        Some(b'"') => break,
                        Some(b'\\') if !S::CONTENT => {
                            let what = bytes.get(i + 1).map_or(0, |&letter| ESCAPE[letter as usize]);
                            let before = if i > 0 { bytes[i - 1] } else { self.recent as u8 };
                            if what != 0 {
                                flags = behind_escape(flags, what, before);
                                i += 2;
                            } else if Q::IS_LONG && is_unicode_escape(bytes, i) {
                                flags = behind_escape(flags, SIMPLE, before);
                                i += 6;
                            } else {
                                break $lane;
                            }
                        }
                        _ => break $lane,
                    }
                }
            };
        }
        // The string ends at the quote that is read next.
        macro_rules! close {
            ($key:expr) => {
                let content = Span::new(token + 1, base + i);
                let (end, escaped) = (content.end + 1, flags.has(Flags::EDITED));
                if $key {
                    state = State::Colon;
                    tell!(Event::Key { content, at: token, end, escaped, second: false });
                } else {
                    state = State::Next;
                    tell!(Event::String { content, end, escaped });
                }
                if flags.has(Flags::SUSPECT) {
                    flags = flags.without(Flags::SUSPECT);
                    tell!(Event::Suspect);
                }
                flags = flags.without(Flags::CLOSED_ESCAPED).with(Flags::LAST_STRING);
                flags.flip(Flags::ODD);
                i += 1;
            };
        }
        // Takes the comma that is read next.
        macro_rules! comma {
            ($next:expr) => {
                let at = base + i;
                self.comma = at.into();
                flags = flags.without(Flags::FRESH);
                state = $next;
                tell!(Event::Comma { at });
                i += 1;
            };
        }
        // Reads on in a number that is at a state, from an index on; what opens it if it begins at the byte that is read next. What is not of
        // the usual kind leaves the lane with nothing of it read.
        macro_rules! number {
            ($lane:lifetime, $from:expr, $state:expr, $open:block) => {
                let start = i;
                let (end, behind) = number_part(bytes, $from, $state);
                if end < bytes.len() {
                    let begins = if $from > i { base + i } else { token };
                    let is_short = base + end - begins <= SHORT;
                    let is_usual = match behind {
                        State::Next => is_short,
                        State::Value => is_short && self.is_small(&bytes[i..end], begins < base + i),
                        _ => false,
                    };
                    if !is_usual {
                        break $lane;
                    }
                }
                $open
                i = end;
                if S::CONTENT && i > start {
                    state = if i < bytes.len() { state } else { behind };
                    let flow = sink.content(Span::new(base + start, base + i), &chunk[start..i]);
                    if flow != Flow::Continue {
                        leave!();
                        return self.refused(flow, chunk, i, begun, sink);
                    }
                }
                if i == bytes.len() {
                    state = behind;
                    self.magnitude.feed(&bytes[start..]);
                    break $lane;
                }
                if behind == State::Value {
                    state = State::ExponentDigits;
                    tell!(Event::Suspect);
                }
                state = State::Next;
                flags = flags.without(Flags::LAST_STRING);
                tell!(Event::Number { span: Span::new(token, base + i) });
                if no_row == usize::MAX {
                    no_row = 0;
                }
            };
        }
        #[allow(clippy::never_loop)] // What leaves it is what goes on behind it.
        'lane: loop {
            if state == State::String {
                if bytes.get(i).is_some_and(|&byte| !is_string_stop(byte)) {
                    flags = flags.without(Flags::CONTROL_RUN);
                }
                string!('lane);
                close!(flags.has(Flags::KEY));
            } else if state.is_number() {
                number!('lane, i, state, {});
            }
            while let Some(&byte) = bytes.get(i) {
                if is_space(byte) {
                    let start = i;
                    // One bit a value: all are below 64.
                    let mut seen = 1_u64 << (byte & 63);
                    let mut end = i + 1;
                    while let Some(block) = block_at(bytes, end).filter(|_| Q::IS_LONG) {
                        let (spaces, lines) = white(block);
                        let len = spaces.trailing_ones();
                        if lines & ((1 << len) - 1) != 0 {
                            seen |= 1 << b'\n';
                        }
                        end += len as usize;
                        if (len as usize) < BLOCK {
                            break;
                        }
                    }
                    while let Some(&byte) = bytes.get(end).filter(|&&byte| is_space(byte)) {
                        seen |= 1 << (byte & 63);
                        end += 1;
                    }
                    // A run goes on where the last one ended.
                    let run = if self.white.end == base + start { self.white.start } else { base + start };
                    if base + end - run >= LEAST_WHITE_SPACE {
                        // It may be too long.
                        break;
                    }
                    self.white = Span::new(run, base + end);
                    if seen & (1 << b'\n' | 1 << b'\r') != 0 {
                        let ended = Flags::COMMENT_SEEN.with(Flags::ODD);
                        flags = flags.without(ended).with(Flags::FRESH).with(Flags::LINE_SEEN);
                    }
                    i = end;
                    continue;
                }
                match state {
                    State::Next => match byte {
                        b',' => {
                            comma!(if self.frames.is_object() { State::NextKey } else { State::NextElement });
                            continue;
                        }
                        b'}' | b']' => {
                            let mut closer = byte;
                            loop {
                                let object = self.frames.is_object();
                                if (closer == b'}') != object || self.frames.depth() < 2 {
                                    break 'lane;
                                }
                                flags = flags.without(Flags::FRESH.with(Flags::LAST_STRING));
                                self.frames.pop();
                                let kind = if object { Kind::Object } else { Kind::Array };
                                tell!(Event::Close { kind, at: base + i });
                                i += 1;
                                match bytes.get(i) {
                                    Some(&next @ (b'}' | b']')) => closer = next,
                                    _ => break,
                                }
                            }
                        }
                        _ => break,
                    },
                    State::FirstKey | State::NextKey => {
                        if byte != b'"' {
                            break;
                        }
                        // Members with strings go on at once.
                        loop {
                            open!(true);
                            string!('lane);
                            close!(true);
                            if bytes.get(i) != Some(&b':') {
                                break;
                            }
                            flags = flags.without(Flags::FRESH);
                            state = State::Value;
                            i += 1;
                            if bytes.get(i) != Some(&b'"') {
                                break;
                            }
                            open!(false);
                            string!('lane);
                            close!(false);
                            if bytes.get(i) != Some(&b',') {
                                break;
                            }
                            comma!(State::NextKey);
                            if bytes.get(i) != Some(&b'"') {
                                break;
                            }
                        }
                        continue;
                    }
                    State::Colon => {
                        if byte != b':' {
                            break;
                        }
                        flags = flags.without(Flags::FRESH);
                        state = State::Value;
                        i += 1;
                        continue;
                    }
                    State::Value | State::FirstElement | State::NextElement => match byte {
                        b'"' => {
                            open!(false);
                            string!('lane);
                            close!(false);
                        }
                        b'{' | b'[' => {
                            if self.frames.depth() >= self.nesting {
                                break;
                            }
                            let kind = if byte == b'{' { Kind::Object } else { Kind::Array };
                            self.comma = MaybeOffset::NONE;
                            flags = flags.without(Flags::FRESH);
                            self.note_outermost(kind, base + i);
                            self.frames.push(kind);
                            no_row = usize::MAX;
                            state = if byte == b'{' { State::FirstKey } else { State::FirstElement };
                            tell!(Event::Open { kind, at: base + i });
                            i += 1;
                            continue;
                        }
                        b'0'..=b'9' | b'-' => {
                            let may_be_row = Q::IS_LONG && !S::CONTENT && bytes.len() - i >= FEWEST && i >= no_row;
                            if may_be_row && !self.frames.is_object() && !sink.wants_scalars() {
                                let (start, row) = (i, read_row(bytes, i));
                                if row.end > i {
                                    i = row.end;
                                    flags = flags.without(Flags::FRESH.with(Flags::LAST_STRING));
                                    let ended = Flags::COMMENT_SEEN.with(Flags::ODD);
                                    let knows = flags.has(Flags::LINE_SEEN) && !flags.has(ended);
                                    if !knows && holds_line_end(&bytes[start..i]) {
                                        flags = flags.without(ended).with(Flags::LINE_SEEN);
                                    }
                                    self.comma = (base + i - 1).into();
                                    state = State::NextElement;
                                    if row.is_suspect {
                                        tell!(Event::Suspect);
                                    }
                                    continue;
                                }
                                no_row = i + 64;
                            }
                            number!('lane, i + 1, first_state(byte), {
                                let fresh = flags.has(Flags::FRESH) && !flags.has(Flags::COMMENT_SEEN);
                                flags.set(Flags::NUMBER_FRESH, fresh);
                                flags = flags.without(Flags::FRESH);
                                (self.comma, token) = (MaybeOffset::NONE, base + i);
                                state = first_state(byte);
                                tell!(Event::ScalarOpen { at: token, first: byte });
                                self.magnitude.begin();
                            });
                        }
                        b']' if state == State::FirstElement && self.frames.depth() > 1 => {
                            flags = flags.without(Flags::FRESH.with(Flags::LAST_STRING));
                            self.frames.pop();
                            state = State::Next;
                            tell!(Event::Close { kind: Kind::Array, at: base + i });
                            i += 1;
                        }
                        b't' | b'f' | b'n' => {
                            let Some(end) = literal_end(bytes, i) else { break };
                            flags = flags.without(Flags::FRESH);
                            (self.comma, token) = (MaybeOffset::NONE, base + i);
                            state = State::Literal;
                            (self.literal, self.taken) = (literal_of(byte), 1);
                            tell!(Event::ScalarOpen { at: token, first: byte });
                            state = State::Next;
                            flags = flags.without(Flags::LAST_STRING);
                            i = end;
                            tell!(Event::Literal { span: Span::new(token, base + end) });
                        }
                        _ => break,
                    },
                    _ => break,
                }
                // A value has ended; the usual one stands in front of a comma.
                if bytes.get(i) == Some(&b',') {
                    comma!(if self.frames.is_object() { State::NextKey } else { State::NextElement });
                }
            }
            break;
        }
        leave!();
        i
    }

    /// A sink has refused something; the byte that is read next is at an index. Reads the rest of the chunk.
    #[cold]
    #[inline(never)]
    fn refused<S: Sink>(&mut self, flow: Flow, chunk: &str, i: usize, begun: usize, sink: &mut S) -> usize {
        let mut cursor = Cursor { text: chunk, bytes: chunk.as_bytes(), i, base: self.at, from: begun };
        self.emit(flow, &mut cursor, sink);
        self.take_rest(cursor, sink);
        DONE
    }
}

/// Whether the escape at an index is one of four digits, all of it there, and stands for a character by itself.
#[cold]
#[inline(never)]
fn is_unicode_escape(bytes: &[u8], at: usize) -> bool {
    let Some(&[b'\\', b'u', first, second, third, fourth]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<6>())
    else {
        return false;
    };
    let digits = [first, second, third, fourth].iter().all(u8::is_ascii_hexdigit);
    let half = matches!((first, second), (b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'));
    digits && !half
}

/// What is known of a string behind an escape of one letter, which does `what` and stands behind a byte.
#[inline(always)]
fn behind_escape(flags: Flags, what: u8, before: u8) -> Flags {
    let mut flags = flags.without(Flags::CONTROL_RUN).with(Flags::EDITED);
    if before == b':' {
        flags = flags.with(Flags::BACKSLASHES);
    }
    if what & SUSPECT != 0 || what & PATH != 0 && flags.has(Flags::BACKSLASHES) {
        flags = flags.with(Flags::SUSPECT);
    }
    if what & QUOTE != 0 {
        flags.flip(Flags::ODD);
    }
    if what & BACKSLASH != 0 {
        flags = flags.with(Flags::BACKSLASHES);
    }
    flags
}
