//! How large a number is, digit by digit: whether its `f64` would be infinite, decided without its text.
//!
//! RFC 8259, section 6, leaves the range open; a number that no `f64` holds is refused here. The least decimal that rounds to
//! infinity is 2^1024 - 2^970, an integer of 309 digits. A number is compared with it by its decimal exponent first, and
//! digit by digit where that is equal: O(1) state, exact.

use core::cmp::Ordering;

use crate::class::word;
use crate::later::{Blank, Later};

/// 2^1024 - 2^970: the least magnitude that rounds to infinity.
const LEAST_INFINITE: &[u8; 309] = b"179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792";

/// As many bytes of a number wait as they are: most are no longer, and are never measured.
const WAITING: usize = 16;

/// What has been seen of a number so far. Feed it every character of the number's text, in any pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Magnitude {
    /// The first bytes, the first one lowest.
    waiting: [u64; 2],
    /// How many of them; beyond that, what came is measured.
    len: u8,
    measure: Later<Measure>,
}

impl Magnitude {
    /// Bytes on the heap.
    pub(crate) fn heap_len(&self) -> usize {
        self.measure.heap_len()
    }

    /// A number begins.
    #[inline]
    pub(crate) fn begin(&mut self) {
        (self.waiting, self.len) = ([0; 2], 0);
    }

    /// Takes more of the number's text.
    #[inline]
    pub(crate) fn feed(&mut self, text: &[u8]) {
        let len = self.len as usize + text.len();
        if len > WAITING {
            return self.feed_more(text);
        }
        let (front, rest) = text.split_at(text.len().min(8));
        self.wait(word(front, 0), front.len());
        if !rest.is_empty() {
            self.wait(word(rest, 0), rest.len());
        }
    }

    /// Takes `len` bytes of a word: no more than wait.
    #[inline(always)]
    fn wait(&mut self, word: u64, len: usize) {
        let before = u32::from(self.len);
        let high = match before {
            0 => 0,
            1..=8 => word >> (64 - 8 * before),
            _ => word.checked_shl(8 * before - 64).unwrap_or(0),
        };
        self.waiting[0] |= word.checked_shl(8 * before).unwrap_or(0);
        self.waiting[1] |= high;
        self.len += len as u8;
    }

    #[cold]
    #[inline(never)]
    fn feed_more(&mut self, text: &[u8]) {
        *self.measure = self.measured();
        self.len = WAITING as u8 + 1;
        self.measure.feed(text);
    }

    /// The bytes that wait, and zeros.
    fn text(&self) -> [u8; WAITING] {
        let mut text = [0; WAITING];
        text[..8].copy_from_slice(&self.waiting[0].to_le_bytes());
        text[8..].copy_from_slice(&self.waiting[1].to_le_bytes());
        text
    }

    fn measured(&self) -> Measure {
        let mut measure = *self.measure;
        if self.len as usize <= WAITING {
            measure = Measure::default();
            measure.feed(&self.text()[..self.len as usize]);
        }
        measure
    }

    /// Whether the number fed so far, which has an exponent, is finite at a glance.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.text().get(..self.len as usize).is_some_and(is_small)
    }

    /// Whether the number fed so far is too large for an `f64`.
    #[cold]
    pub(crate) fn is_infinite(&self) -> bool {
        self.measured().is_infinite()
    }
}

/// Whether a short number with an exponent is finite at a glance: its exponent has one digit or two.
#[inline]
pub(crate) fn is_small(text: &[u8]) -> bool {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    text.len() <= WAITING && digits <= 2
}

/// A number measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Measure {
    /// Significant digits so far (leading zeros aside).
    digits: u32,
    /// Digits between the first significant one and the point, the first included; negative: zeros behind the point.
    scale: i64,
    /// The digits against those of [`LEAST_INFINITE`].
    order: Option<Ordering>,
    exponent: i64,
    part: Part,
    negative_exponent: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Integer,
    Fraction,
    Exponent,
}

impl Blank for Measure {
    const BLANK: Self =
        Self { digits: 0, scale: 0, order: None, exponent: 0, part: Part::Integer, negative_exponent: false };

    fn blank() -> &'static Self {
        static BLANK: Measure = Measure::BLANK;
        &BLANK
    }
}

impl Measure {
    fn feed(&mut self, text: &[u8]) {
        let mut rest = text;
        while let Some(&byte) = rest.first() {
            let len = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
            if len > 0 {
                let (digits, behind) = rest.split_at(len);
                rest = behind;
                self.digits(digits);
                continue;
            }
            match byte {
                b'.' => self.part = Part::Fraction,
                b'e' | b'E' => self.part = Part::Exponent,
                b'-' => self.negative_exponent = self.part == Part::Exponent,
                _ => {}
            }
            rest = &rest[1..];
        }
    }

    /// Digits in a row.
    fn digits(&mut self, digits: &[u8]) {
        if self.part == Part::Exponent {
            for digit in digits {
                let more = self.exponent.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
                self.exponent = more.min(i64::MAX / 4);
            }
            return;
        }
        let mut digits = digits;
        if self.digits == 0 {
            let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
            if self.part == Part::Fraction {
                self.scale -= zeros as i64;
            }
            digits = &digits[zeros..];
        }
        if self.order.is_none() && !digits.is_empty() {
            let least = &LEAST_INFINITE[(self.digits as usize).min(LEAST_INFINITE.len())..];
            let mut pairs = digits.iter().zip(least.iter().chain(core::iter::repeat(&b'0')));
            self.order = pairs.find(|(digit, least)| digit != least).map(|(digit, least)| digit.cmp(least));
        }
        self.digits = self.digits.saturating_add(digits.len() as u32);
        if self.part == Part::Integer {
            self.scale += digits.len() as i64;
        }
    }

    fn is_infinite(&self) -> bool {
        if self.digits == 0 {
            return false;
        }
        let exponent = if self.negative_exponent { -self.exponent } else { self.exponent };
        match self.scale.saturating_add(exponent).cmp(&(LEAST_INFINITE.len() as i64)) {
            Ordering::Less => false,
            Ordering::Greater => true,
            // Equal so far: the digits that did not come are zeros, and only zeros of the other may be left.
            Ordering::Equal => match self.order {
                Some(order) => order.is_gt(),
                None => {
                    LEAST_INFINITE[(self.digits as usize).min(LEAST_INFINITE.len())..].iter().all(|&byte| byte == b'0')
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn infinite(text: &str) -> bool {
        let mut magnitude = Magnitude::default();
        magnitude.feed(text.as_bytes());
        let mut piecewise = Magnitude::default();
        text.as_bytes().iter().for_each(|&byte| piecewise.feed(&[byte]));
        assert_eq!(magnitude.measured(), piecewise.measured());
        for len in 2..=17 {
            let mut parts = Magnitude::default();
            text.as_bytes().chunks(len).for_each(|part| parts.feed(part));
            assert_eq!(magnitude.measured(), parts.measured(), "{text} in parts of {len}");
            assert_eq!(parts.len as usize > WAITING, text.len() > WAITING, "{text} in parts of {len}");
        }
        assert!(!text.contains('e') || !magnitude.is_small() || !magnitude.is_infinite(), "{text}");
        magnitude.is_infinite()
    }

    #[test]
    fn it_agrees_with_the_standard_library() {
        let least = core::str::from_utf8(LEAST_INFINITE).expect("digits");
        let below: String = format!("{}79", &least[..least.len() - 2]);
        let shifted = format!("{}.{}e308", &least[..1], &least[1..]);
        let fraction = format!("0.000{least}e312");
        let more = format!("{least}.000");
        let cases = [
            "0",
            "-0",
            "0e999999999999999999999",
            "1e308",
            "1e309",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "17976931348623158e292",
            "0.00000017976931348623159e315",
            "1e-400",
            "-1e400",
            "1e00000000000000000000308",
            "100000e304",
            "0.1e309",
            "0.1e310",
            "9e307",
            "1e99999999999999999999999",
            "1e-99999999999999999999999",
            least,
            &below,
            &shifted,
            &fraction,
            &more,
        ];
        for text in cases {
            let value: f64 = text.parse().expect("a number");
            assert_eq!(infinite(text), value.is_infinite(), "{text}");
        }
    }
}
