//! Numbers in a row: the elements of an array, of which nobody wants to hear one by one.
//!
//! One look-up and one shift a byte, without a branch: a state is a number of bits, a byte a row of such numbers, and the next state stands in
//! the row where the last one says. What is not plain, an exponent among it, leads to [`DEAD`] and stays there; then nothing was
//! read, and the functions of the states do it byte by byte.

use crate::class::{LOW, OfNumbers, is_line_end, is_space, of_numbers as of_block, word};
use crate::limits::LEAST_WHITE_SPACE;
use crate::span::{MaybeOffset, Span};

use super::number::SHORT;
use super::{Flags, Scanner, State};

/// Bits of a state in a row.
const BITS: u64 = 6;

const DEAD: u64 = 0;
const MINUS: u64 = BITS;
const ZERO: u64 = 2 * BITS;
const INTEGER: u64 = 3 * BITS;
const POINT: u64 = 4 * BITS;
const FRACTION: u64 = 5 * BITS;
const NEXT: u64 = 6 * BITS;
const ELEMENT: u64 = 7 * BITS;

/// The states behind a byte, by the state in front of it.
const ROW: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0' => ZERO << MINUS | INTEGER << INTEGER | FRACTION << POINT | FRACTION << FRACTION | ZERO << ELEMENT,
            b'1'..=b'9' => {
                INTEGER << MINUS | INTEGER << INTEGER | FRACTION << POINT | FRACTION << FRACTION | INTEGER << ELEMENT
            }
            b'-' => MINUS << ELEMENT,
            b'.' => POINT << ZERO | POINT << INTEGER,
            b',' => ELEMENT << ZERO | ELEMENT << INTEGER | ELEMENT << FRACTION | ELEMENT << NEXT,
            byte if is_space(byte) => {
                NEXT << ZERO | NEXT << INTEGER | NEXT << FRACTION | NEXT << NEXT | ELEMENT << ELEMENT
            }
            _ => DEAD,
        };
        byte += 1;
    }
    table
};

/// Bytes that are read together.
pub(super) const WORD: usize = 8;

const HIGH: u64 = LOW << 7;

/// A high bit in each byte of a word that belongs to a number: of the bytes that no state dies of, those above the comma.
fn of_numbers(word: u64) -> u64 {
    word.wrapping_add(LOW * (0x80 - (b',' as u64 + 1))) & HIGH
}

/// Where a row is.
#[derive(Clone, Copy)]
pub(super) struct Row {
    state: u64,
    /// Characters of the number that is open.
    len: usize,
}

/// The states of the machine as they are called here, zero for the others; and the other way round. Looked up: what a chunk ends in cannot be
/// foretold.
const OF_STATE: [u8; State::Decided as usize + 1] = {
    let mut table = [0; State::Decided as usize + 1];
    let mut at = 1;
    while at < STATES.len() {
        table[STATES[at] as usize] = at as u8 * BITS as u8;
        at += 1;
    }
    table
};
const STATES: [State; 8] = [
    State::Decided,
    State::Minus,
    State::Zero,
    State::Integer,
    State::Point,
    State::Fraction,
    State::Next,
    State::NextElement,
];

impl Row {
    /// A row that goes on in a state, in a number of which so many characters are read, if it is in one.
    #[inline(always)]
    pub(super) fn new(state: State, len: usize) -> Option<Self> {
        let state = u64::from(OF_STATE[state as usize]);
        let len = if state < NEXT { len } else { 0 };
        (state != DEAD && len <= SHORT).then_some(Self { state, len })
    }

    /// Whether a number is open.
    #[inline(always)]
    pub(super) fn is_in_number(self) -> bool {
        (self.state & 63) < NEXT
    }

    #[inline(always)]
    fn state(self) -> State {
        STATES[((self.state & 63) / BITS) as usize & 7]
    }

    /// The same behind at most a word of bytes, which are not none; nothing if they are not plain, or hold a number that is too long, or no
    /// character of any.
    #[inline(always)]
    fn step(self, bytes: &[u8], word: Word) -> Option<Self> {
        let mut state = self.state;
        for &byte in bytes {
            state = ROW[byte as usize].wrapping_shr(state as u32);
        }
        let (front, len) = if word.others == 0 {
            (bytes.len(), self.len + bytes.len())
        } else {
            (
                (word.others.trailing_zeros() / 8) as usize,
                bytes.len() + (word.others.leading_zeros() / 8) as usize - WORD,
            )
        };
        let is_plain = state & 63 != DEAD && self.len + front <= SHORT && word.numbers != 0;
        is_plain.then_some(Self { state, len })
    }
}

/// At most eight bytes, the first one lowest, of which no state dies: a high bit in each that belongs to a number, and in each other.
#[derive(Clone, Copy)]
struct Word {
    bytes: u64,
    numbers: u64,
    others: u64,
}

impl Word {
    #[inline(always)]
    fn new(bytes: u64, len: usize) -> Self {
        let used = HIGH >> (8 * (WORD - len));
        let numbers = of_numbers(bytes) & used;
        Self { bytes, numbers, others: numbers ^ used }
    }

    /// Whether there is white space among the others: no state dies of that, of the comma, and of what is above it.
    #[inline(always)]
    fn has_white(self) -> bool {
        !self.bytes.wrapping_add(LOW * (0x80 - (b' ' as u64 + 1))) & self.others != 0
    }
}

impl Scanner {
    /// The row that may go on in a state, where nothing else is in the way.
    #[inline(always)]
    pub(super) fn row(&self, state: State, len: usize, at: usize) -> Option<Row> {
        // A run of white space that may be too long is not read here.
        let may_be_long = self.white.end == at && self.white.len() >= LEAST_WHITE_SPACE - WORD;
        if self.frames.is_object() || may_be_long { None } else { Row::new(state, len) }
    }

    /// Reads a chunk of at most a word that is more of a row, if it is.
    #[inline(never)]
    pub(super) fn take_row(&mut self, bytes: &[u8]) -> bool {
        let Some(row) = self.row(self.state, self.at - self.token, self.at) else { return false };
        let word = Word::new(word(bytes, 0), bytes.len());
        let Some(behind) = row.step(bytes, word) else { return false };
        if word.has_white() {
            self.took_row(row, behind, bytes, self.at);
            return true;
        }
        self.took_word(row, behind, word, bytes.len());
        true
    }

    /// The same for a word without white space, without a branch.
    #[inline(always)]
    fn took_word(&mut self, before: Row, behind: Row, word: Word, len: usize) {
        let goes_on = before.is_in_number() & (word.others == 0);
        let in_number = behind.is_in_number();
        let opens = in_number & !goes_on;
        // Where the number begins that is open.
        let begins = if opens { len - behind.len } else { 0 };
        let in_front = word.numbers & ((1 << (8 * begins as u32)) - 1);
        let has_ended = !goes_on & (before.is_in_number() | !opens | (in_front != 0));
        self.magnitude.take_word(word.bytes >> (8 * begins as u32), goes_on, behind.len);
        let fresh = self.flags.has(Flags::FRESH) & !self.flags.has(Flags::COMMENT_SEEN) & (begins == 0);
        let cleared = if has_ended { Flags::FRESH.with(Flags::LAST_STRING) } else { Flags::FRESH };
        let flags = self.flags.without(cleared);
        let begun = if fresh { flags.with(Flags::NUMBER_FRESH) } else { flags.without(Flags::NUMBER_FRESH) };
        self.flags = if opens { begun } else { flags };
        self.token = if opens { self.at + begins } else { self.token };
        // The comma is the last byte: there is no white space.
        self.comma = if in_number { MaybeOffset::NONE } else { (self.at + len - 1).into() };
        self.state = behind.state();
    }

    /// A row was read: some bytes from an offset on.
    #[inline(never)]
    pub(super) fn took_row(&mut self, before: Row, behind: Row, bytes: &[u8], at: usize) {
        self.state = behind.state();
        if before.is_in_number() && behind.is_in_number() && behind.len == before.len + bytes.len() {
            // More of one number.
            return self.magnitude.feed(bytes);
        }
        // In front of the number that is open.
        let number = if behind.is_in_number() { behind.len } else { 0 };
        let (front, number) = bytes.split_at(bytes.len() - number);
        let white = front.iter().rev().take_while(|&&byte| is_space(byte)).count();
        let (rest, white) = front.split_at(front.len() - white);
        let mut flags = self.flags;
        if before.is_in_number() || !rest.is_empty() {
            flags = flags.without(Flags::FRESH);
        }
        if before.is_in_number() || rest.iter().any(|&byte| byte != b',' && !is_space(byte)) {
            flags = flags.without(Flags::LAST_STRING);
        }
        if front.iter().copied().any(is_line_end) {
            flags = flags.without(Flags::COMMENT_SEEN.with(Flags::ODD)).with(Flags::LINE_SEEN);
        }
        if white.iter().copied().any(is_line_end) {
            flags = flags.with(Flags::FRESH);
        }
        if !white.is_empty() {
            let start = if rest.is_empty() && self.white.end == at { self.white.start } else { at + rest.len() };
            self.white = Span::new(start, at + front.len());
        }
        match rest.last() {
            _ if !number.is_empty() => {
                self.comma = MaybeOffset::NONE;
                self.token = at + front.len();
                self.magnitude.begin();
                self.magnitude.feed(number);
                let fresh = flags.has(Flags::FRESH) && !flags.has(Flags::COMMENT_SEEN);
                flags.set(Flags::NUMBER_FRESH, fresh);
                flags = flags.without(Flags::FRESH);
            }
            Some(b',') => self.comma = (at + rest.len() - 1).into(),
            Some(_) => self.comma = MaybeOffset::NONE,
            None => {}
        }
        self.flags = flags;
    }
}

/// What was read of a row at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    /// The index behind its last comma.
    pub(super) end: usize,
    /// A number in it is suspect.
    pub(super) is_suspect: bool,
}

/// The fewest bytes for which that is worth it.
pub(super) const FEWEST: usize = 16;

/// Reads elements that are plain numbers from an index on, where one begins, 64 bytes at a time and up to the last comma in them: nothing is
/// carried from one block to the next. Where it stops something is not plain, or less than [`FEWEST`] bytes are left.
#[inline(never)]
pub(super) fn read_row(bytes: &[u8], from: usize) -> Read {
    let mut read = Read { end: from, is_suspect: false };
    loop {
        let rest = &bytes[read.end..];
        let mut padded;
        let block = match rest.first_chunk() {
            Some(block) => block,
            None if rest.len() >= FEWEST => {
                padded = [b' '; 64];
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            }
            None => return read,
        };
        let block = Elements::new(&of_block(block));
        if block.len == 0 {
            return read;
        }
        read.end += block.len as usize;
        read.is_suspect |= block.is_suspect;
    }
}

/// What 64 bytes behind a comma, or behind the opener of an array, begin with.
struct Elements {
    /// Bytes of plain elements, each with its comma.
    len: u32,
    is_suspect: bool,
}

impl Elements {
    /// The grammar of RFC 8259, section 6, on one bit a byte. `x << 1` is what stands behind an `x`. To add a bit to the first bit of a run
    /// carries it to the place behind the run: so what stands behind digits, or behind white space, is found for all runs at once. A place where
    /// something is wrong lies between the comma in front of that element and its own. What is rare counts as wrong: tabs, carriage returns, a plus.
    #[inline(always)]
    fn new(of: &OfNumbers<u64>) -> Self {
        let &OfNumbers { digits, zeros, minus, point, exponent, comma, white } = of;
        let numbers = digits | minus | point | exponent;
        let behind_numbers = numbers << 1 & !numbers;
        let starts = numbers & !(numbers << 1);
        let mut wrong = !(numbers | comma | white);

        // What stands behind a character, and in front of it.
        let behind_exponent = exponent << 1;
        wrong |= (minus | point) << 1 & !digits;
        wrong |= behind_exponent & !(digits | minus);
        wrong |= minus & !(starts | behind_exponent);
        wrong |= (point | exponent) & !(digits << 1);
        // No digit behind a zero that is the first one.
        wrong |= ((starts | (starts & minus) << 1) & zeros) << 1 & digits;
        // No point behind the digits behind a point; behind those of an exponent no exponent either, and they are at most two: then the number
        // is finite, since the rest of it is shorter than this block.
        let behind_fraction = digits.wrapping_add(point << 1) & !digits;
        wrong |= behind_fraction & point;
        let powers = behind_exponent & digits | (behind_exponent & minus) << 1;
        let behind_powers = digits.wrapping_add(powers) & !digits;
        wrong |= behind_powers & (point | exponent);
        wrong |= powers & digits >> 1 & digits >> 2;

        // Behind a number and white space a comma; behind a comma and white space a number.
        let behind_both = (behind_numbers & white).wrapping_add(white) & !white;
        wrong |= behind_both & !comma;
        let behind_comma = comma << 1 | 1;
        let next = (behind_comma & white).wrapping_add(white) & !white | behind_comma & !white;
        wrong |= next & !numbers;

        let right = (wrong & wrong.wrapping_neg()).wrapping_sub(1);
        let len = u64::BITS - (comma & right).leading_zeros();
        let read = u64::MAX.checked_shr(u64::BITS - len).unwrap_or(0);
        Self { len, is_suspect: (exponent | longer_than_short(numbers)) & read != 0 }
    }
}

/// A bit in each run of more than [`SHORT`] bits.
#[inline(always)]
fn longer_than_short(runs: u64) -> u64 {
    const { assert!(SHORT == 15, "as many as are asked for below") }
    let mut runs = runs;
    for bits in [1, 2, 4, 8] {
        runs &= runs << bits;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The same element by element.
    fn slow(bytes: &[u8]) -> (usize, bool) {
        let (mut end, mut read) = (0, (0, false));
        while let Some(len) = bytes[end..].iter().position(|&byte| byte == b',') {
            let element = &bytes[end..end + len];
            let text = core::str::from_utf8(element).unwrap_or("?").trim_matches([' ', '\n']);
            let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
            let whole = whole.strip_prefix('-').unwrap_or(whole);
            let power = power.strip_prefix('-').unwrap_or(power);
            let is_plain = digits(whole)
                && (whole == "0" || !whole.starts_with('0'))
                && digits(fraction)
                && digits(power)
                && power.len() <= 2;
            if !is_plain {
                break;
            }
            end += len + 1;
            let suspect = text.len() > SHORT || text.contains(['e', 'E']);
            read = (end, read.1 | suspect);
        }
        read
    }

    #[test]
    fn sixty_four_bytes_are_their_elements() {
        let mut random = 1_u64;
        let mut next = |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % most
        };
        let parts: [&[u8]; 24] = [
            b"0",
            b"1",
            b"7",
            b"12",
            b"305",
            b"1.5",
            b"-2",
            b"0.25",
            b"1e5",
            b"2E10",
            b"3.1e-7",
            b"123456789012345",
            b"1234567890123456",
            b"0.1234567890123456",
            b"1e308",
            b" ",
            b"\n",
            b"\t \r",
            b",",
            b"-",
            b".",
            b"e",
            b"+",
            b"]",
        ];
        let (mut all, mut some) = (0, 0);
        for _ in 0..200_000 {
            let mut bytes = Vec::new();
            // Mostly right, sometimes anything.
            let odd = [0, 3, 20][next(3)];
            while bytes.len() < 64 {
                if next(100) < odd {
                    bytes.extend(parts[next(parts.len())]);
                    continue;
                }
                let white = |next: usize| if next < 3 { parts[15 + next] } else { b"" };
                for part in [white(next(9)), parts[next(14)], white(next(9)), b","] {
                    bytes.extend(part);
                }
            }
            bytes.truncate(64);
            let block = bytes.first_chunk().expect("64 bytes");
            let elements = Elements::new(&of_block(block));
            let (end, is_suspect) = slow(&bytes);
            assert_eq!((elements.len as usize, elements.is_suspect), (end, is_suspect), "{}", bytes.escape_ascii());
            all += usize::from(end > 32);
            some += usize::from(end <= 32);
        }
        assert!(all > 20_000 && some > 20_000, "{all} {some}");
    }

    #[test]
    fn what_dies_or_is_above_the_comma_is_a_number() {
        for byte in 0..=255u8 {
            let alive = ROW[byte as usize] != 0;
            let number = matches!(byte, b'0'..=b'9' | b'-' | b'.');
            assert!(!alive || (of_numbers(u64::from(byte) | LOW << 8) & 0x80 != 0) == number, "{byte}");
        }
    }
}
