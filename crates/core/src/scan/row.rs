//! Numbers in a row: the elements of an array, of which nobody wants to hear one by one.
//!
//! A bit for each of 64 bytes, and the grammar on all bits at once, without a branch. What is not plain ends the row: the functions of the states
//! go on in front of it.

use crate::class::{OfNumbers, of_numbers};
use crate::skim::Skim;

use super::number::SHORT;
use super::{Scanner, State};

impl Scanner {
    /// Where a text stands that may be skimmed from here on, if it may.
    pub(crate) fn skim(&self) -> Skim {
        let state = match self.state {
            State::NextElement if self.comma.get().is_some_and(|comma| comma + 1 == self.at) => Skim::ELEMENT,
            State::Minus => Skim::MINUS,
            State::Zero => Skim::ZERO,
            State::Integer => Skim::INTEGER,
            State::Point => Skim::POINT,
            State::Fraction => Skim::FRACTION,
            _ => return Skim::OFF,
        };
        let is_short = self.state == State::NextElement || self.at - self.token <= Skim::IN_FRONT;
        if is_short && self.is_plain() && !self.frames.is_object() { state } else { Skim::OFF }
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
        let block = Elements::new(&of_numbers(block));
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
            let elements = Elements::new(&of_numbers(block));
            let (end, is_suspect) = slow(&bytes);
            assert_eq!((elements.len as usize, elements.is_suspect), (end, is_suspect), "{}", bytes.escape_ascii());
            all += usize::from(end > 32);
            some += usize::from(end <= 32);
        }
        assert!(all > 20_000 && some > 20_000, "{all} {some}");
    }
}
