//! Short chunks of an array of numbers, looked at and read later.
//!
//! A chunk of which it is certain that it is more of such an array changes nothing that a caller can see, but for the text. So it is only checked
//! against the grammar of numbers, a look-up and a shift a byte; the scanner lags behind, and reads all that it lacks at once, which is much less work
//! than to read it in pieces. It lacks little, at most [`Skim::MOST`] bytes, and nothing as soon as a byte comes that is anything else.
//!
//! What makes it certain: inside an array there is nothing to tell of a number to somebody who does not listen; a run of white space
//! that began here is too short to be judged; and a number that began here, or shortly before, is finite, since it is short and its exponent
//! has two digits at most.

use crate::class::is_space;
use crate::limits::LEAST_WHITE_SPACE;

/// Where the text is while the scanner lags behind; nowhere if it does not. A number of bits: see [`ROW`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skim(u8);

/// Bits of a state in a row.
const BITS: u8 = 6;

/// The states behind a byte, by the state in front of it: a state is a number of bits, and the next one stands in the row of the byte where the last
/// one says. So a byte costs one shift; the look-up waits for nothing.
const ROW: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0' => DIGIT | Skim::ELEMENT.to(Skim::ZERO) | Skim::MINUS.to(Skim::ZERO),
            b'1'..=b'9' => DIGIT | Skim::ELEMENT.to(Skim::INTEGER) | Skim::MINUS.to(Skim::INTEGER),
            b'-' => Skim::ELEMENT.to(Skim::MINUS) | Skim::EXPONENT.to(Skim::SIGN),
            b'+' => Skim::EXPONENT.to(Skim::SIGN),
            b'.' => Skim::ZERO.to(Skim::POINT) | Skim::INTEGER.to(Skim::POINT),
            b'e' | b'E' => {
                Skim::ZERO.to(Skim::EXPONENT) | Skim::INTEGER.to(Skim::EXPONENT) | Skim::FRACTION.to(Skim::EXPONENT)
            }
            b',' => {
                Skim::ZERO.to(Skim::ELEMENT)
                    | Skim::INTEGER.to(Skim::ELEMENT)
                    | Skim::FRACTION.to(Skim::ELEMENT)
                    | Skim::POWER.to(Skim::ELEMENT)
                    | Skim::SECOND_POWER.to(Skim::ELEMENT)
            }
            byte if is_space(byte) => Skim::ELEMENT.to(Skim::ELEMENT),
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// What any digit does.
const DIGIT: u64 = Skim::INTEGER.to(Skim::INTEGER)
    | Skim::POINT.to(Skim::FRACTION)
    | Skim::FRACTION.to(Skim::FRACTION)
    | Skim::EXPONENT.to(Skim::POWER)
    | Skim::SIGN.to(Skim::POWER)
    | Skim::POWER.to(Skim::SECOND_POWER);

impl Skim {
    /// The scanner has read all there is, or has to.
    pub(crate) const OFF: Self = Self(0);
    /// Behind a comma, and white space or none: an element follows.
    pub(crate) const ELEMENT: Self = Self(BITS);
    // Inside a number.
    pub(crate) const MINUS: Self = Self(2 * BITS);
    pub(crate) const ZERO: Self = Self(3 * BITS);
    pub(crate) const INTEGER: Self = Self(4 * BITS);
    pub(crate) const POINT: Self = Self(5 * BITS);
    pub(crate) const FRACTION: Self = Self(6 * BITS);
    const EXPONENT: Self = Self(7 * BITS);
    const SIGN: Self = Self(8 * BITS);
    const POWER: Self = Self(9 * BITS);
    /// Four bits are left for it, which is enough for what follows it.
    const SECOND_POWER: Self = Self(10 * BITS);

    /// The bits of a row that lead from this state to another one.
    const fn to(self, next: Self) -> u64 {
        assert!(self.0 + BITS <= 64 || next.0 < 1 << (64 - self.0), "it fits into the row");
        (next.0 as u64) << self.0
    }

    /// Bytes that the scanner may lack: a run of white space in them is never judged.
    pub(crate) const MOST: usize = LEAST_WHITE_SPACE - 1;

    /// Bytes of a chunk that is worth it; a longer one is read with all that was skimmed.
    pub(crate) const SHORT: usize = 32;

    /// Characters that a number may have already: with [`Skim::MOST`] more, and an exponent of two digits, it is finite.
    pub(crate) const IN_FRONT: usize = 15;

    #[inline(always)]
    pub(crate) fn is_on(self) -> bool {
        self != Self::OFF
    }

    /// The same behind a chunk; off if it is not certain to be more of the array.
    #[inline(always)]
    pub(crate) fn step(self, chunk: &[u8]) -> Self {
        let mut state = u64::from(self.0);
        for &byte in chunk {
            state = ROW[usize::from(byte)].wrapping_shr(state as u32);
        }
        Self(state as u8 & 63)
    }
}

const _: () = assert!(Skim::MOST + Skim::IN_FRONT + 99 < 308, "every number that is skimmed is finite");

#[cfg(test)]
mod tests {
    use super::*;

    /// All texts of a few characters: an element is plain exactly if it is a number of the grammar with a short exponent, behind white space or
    /// none.
    #[test]
    fn what_is_skimmed_is_an_array_of_numbers() {
        const ALPHABET: &[u8; 9] = b"01-+.e, a";
        let is_number = |text: &str| {
            let short = text.split_once('e').is_none_or(|(_, power)| power.trim_start_matches(['+', '-']).len() < 3);
            short && is_of_the_grammar(text)
        };
        let (mut on, mut off) = (0, 0);
        for number in 0..ALPHABET.len().pow(6) {
            let text: [u8; 6] = core::array::from_fn(|place| ALPHABET[number / 9_usize.pow(place as u32) % 9]);
            // Behind another comma all is told of the last element.
            let behind = Skim::ELEMENT.step(&text).step(b",");
            let text = core::str::from_utf8(&text).unwrap_or_default();
            let plain = text.split(',').all(|element| is_number(element.trim_start_matches(' ')));
            assert_eq!(behind == Skim::ELEMENT, plain, "{text:?}");
            on += usize::from(plain);
            off += usize::from(!plain);
        }
        assert!(on > 1_000 && off > 1_000, "{on} {off}");
    }

    /// RFC 8259, section 6, character by character.
    fn is_of_the_grammar(text: &str) -> bool {
        let text = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, power) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        digits(whole) && (whole == "0" || !whole.starts_with('0')) && digits(fraction) && digits(power)
    }
}
