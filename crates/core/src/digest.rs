//! Values by digest: equal values have equal digests, and nobody can make two others have.
//!
//! 128 bits of SHA-256 (FIPS 180-4): a fixed function, but not one that collisions or floods are known for, so that it needs no
//! secret. A string is taken unescaped, a number by its value, an object without regard to order, as [`value`](crate::value)
//! compares them. Texts come in pieces of any size; what waits between two pieces is bounded.

use crate::sha::Sha;

use crate::value::escaped_char;

/// The digest of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Digest([u8; 16]);

impl Digest {
    fn of(sha: Sha) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&sha.finalize()[..16]);
        Self(digest)
    }

    /// Of a string, or of a key, that is there as a whole and holds no escape.
    pub(crate) fn of_text(text: &[u8]) -> Self {
        Self::of(Sha::begun(b"\"").and(text))
    }

    /// Of a literal.
    pub(crate) fn of_literal(word: &str) -> Self {
        Self::of(Sha::begun(word))
    }

    /// Of an array that ends with one more element; `self` is that of the elements before.
    pub(crate) fn then(self, element: Self) -> Self {
        Self::of(Sha::begun(b"[").and(self.0).and(element.0))
    }

    /// Of the elements of an array, as that of a value.
    pub(crate) fn array(self) -> Self {
        Self::of(Sha::begun(b"]").and(self.0))
    }

    /// Of an object with these members, which are sorted.
    pub(crate) fn object(members: impl Iterator<Item = (Self, Self)>) -> Self {
        let add = |sha: Sha, (key, value): (Self, Self)| sha.and(key.0).and(value.0);
        Self::of(members.fold(Sha::begun(b"{"), add))
    }
}

/// The longest escape: a pair of surrogates.
const ESCAPE: usize = 12;

/// A string, piece by piece.
#[derive(Clone)]
pub(crate) struct Text {
    sha: Sha,
    /// An escape of which only the beginning is there.
    escape: [u8; ESCAPE],
    escape_len: u8,
}

impl Text {
    pub(crate) fn new() -> Self {
        Self { sha: Sha::begun(b"\""), escape: [0; ESCAPE], escape_len: 0 }
    }

    /// Takes more of the content, as it is written in strict JSON.
    pub(crate) fn feed(&mut self, mut content: &str) {
        while !content.is_empty() {
            if self.escape_len == 0 {
                let plain = content.find('\\').unwrap_or(content.len());
                self.sha.update(&content[..plain]);
                content = &content[plain..];
            }
            // A scanner has accepted it: an escape is ASCII.
            let Some((&byte, _)) = content.as_bytes().split_first() else { return };
            self.take(byte);
            content = content.get(1..).unwrap_or_default();
        }
    }

    /// Takes a byte of an escape.
    fn take(&mut self, byte: u8) {
        let len = usize::from(self.escape_len);
        self.escape[len] = byte;
        self.escape_len += 1;
        let escape = &self.escape[..=len];
        let high = matches!(escape, [_, b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', ..]);
        let whole = match escape.get(1) {
            None => ESCAPE,
            Some(b'u') if high => ESCAPE,
            Some(b'u') => ESCAPE / 2,
            Some(_) => 2,
        };
        if escape.len() == whole {
            let (char, _) = escaped_char(core::str::from_utf8(&escape[1..]).unwrap_or_default());
            self.sha.update(char.encode_utf8(&mut [0; 4]).as_bytes());
            self.escape_len = 0;
        }
    }

    pub(crate) fn digest(self) -> Digest {
        Digest::of(self.sha)
    }
}

/// Where in a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Fraction,
    Exponent,
}

/// A number, piece by piece: sign, significant digits, and the power of ten of the last one.
#[derive(Clone)]
pub(crate) struct Number {
    /// The significant digits.
    sha: Sha,
    part: Part,
    negative: bool,
    /// A digit that is not zero has come.
    significant: bool,
    /// Zeros since the last one; they count if another comes.
    zeros: u64,
    fraction_len: i64,
    /// Power of ten of the last significant digit, the exponent aside.
    shift: i64,
    exponent_negative: bool,
    exponent: u64,
    /// The exponent does not fit: its digits have gone to the digest.
    huge: bool,
}

impl Number {
    pub(crate) fn new() -> Self {
        Self {
            sha: Sha::begun(b"0"),
            part: Part::Whole,
            negative: false,
            significant: false,
            zeros: 0,
            fraction_len: 0,
            shift: 0,
            exponent_negative: false,
            exponent: 0,
            huge: false,
        }
    }

    /// Takes more of its characters.
    pub(crate) fn feed(&mut self, text: &str) {
        for byte in text.bytes() {
            match (byte, self.part) {
                (b'-', Part::Exponent) => self.exponent_negative = true,
                (b'-', _) => self.negative = true,
                (b'.', _) => self.part = Part::Fraction,
                (b'e' | b'E', _) => self.part = Part::Exponent,
                (b'0'..=b'9', Part::Exponent) => self.exponent_digit(byte),
                (b'0'..=b'9', _) => self.digit(byte),
                _ => {}
            }
        }
    }

    fn digit(&mut self, digit: u8) {
        let in_fraction = self.part == Part::Fraction;
        self.fraction_len += i64::from(in_fraction);
        if digit == b'0' {
            self.zeros += u64::from(self.significant);
            self.shift += i64::from(self.significant && !in_fraction);
            return;
        }
        while self.zeros > 0 {
            let some = self.zeros.min(64);
            self.sha.update(&[b'0'; 64][..some as usize]);
            self.zeros -= some;
        }
        self.sha.update([digit]);
        self.significant = true;
        self.shift = -self.fraction_len;
    }

    fn exponent_digit(&mut self, digit: u8) {
        if self.huge {
            self.sha.update([digit]);
            return;
        }
        let more = self.exponent.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit - b'0')));
        match more {
            Some(exponent) => self.exponent = exponent,
            None => {
                self.spell_exponent();
                self.sha.update([digit]);
            }
        }
    }

    /// The exponent cannot be added to: its digits say what it is.
    fn spell_exponent(&mut self) {
        self.huge = true;
        self.sha.update(b"E");
        let mut digits = [0; 20];
        let mut rest = self.exponent;
        let mut at = digits.len();
        while rest > 0 {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.sha.update(&digits[at..]);
    }

    /// The power of ten of the last significant digit, if it can be held.
    fn power(&self) -> Option<i64> {
        let exponent = match self.exponent_negative {
            true => 0i64.checked_sub_unsigned(self.exponent),
            false => i64::try_from(self.exponent).ok(),
        };
        exponent.filter(|_| !self.huge)?.checked_add(self.shift)
    }

    pub(crate) fn digest(mut self) -> Digest {
        if !self.significant {
            return Digest::of(Sha::begun(b"0"));
        }
        let power = self.power();
        if power.is_none() && !self.huge {
            self.spell_exponent();
        }
        let signs = match power {
            Some(_) => [b'e', u8::from(self.negative)],
            None => [b'E' + u8::from(self.exponent_negative), u8::from(self.negative)],
        };
        Digest::of(self.sha.and(signs).and(power.unwrap_or(self.shift).to_le_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::same_number;
    use alloc::vec::Vec;

    fn text(content: &str, step: usize) -> Digest {
        let mut text = Text::new();
        let chars: Vec<char> = content.chars().collect();
        chars.chunks(step).for_each(|piece| text.feed(&piece.iter().collect::<alloc::string::String>()));
        text.digest()
    }

    #[test]
    fn strings_are_taken_unescaped_however_they_are_cut() {
        let same = [
            (r"a", r"\u0061"),
            (r"\ud83d\ude00x", "😀x"),
            (r"\uD83D\uDE00", "😀"),
            (r"\n\t\/", "\n\t/"),
            (r"\\u0061", "\\\\u0061"),
            (r"é\u00e9", "éé"),
        ];
        for (left, right) in same {
            let all: Vec<_> = [1, 2, 3, 5, 100].map(|step| (text(left, step), text(right, step))).into();
            assert!(all.iter().all(|pair| pair.0 == all[0].0 && pair.1 == all[0].0), "{left} {right}");
        }
        assert_eq!(text(r"\u0061b", 1), Digest::of_text(b"ab"));
        for (left, right) in [(r"\\u0061", "a"), ("a", "b"), ("", " "), (r"\ud83d\ude00", r"\ud83d\ude01")] {
            assert_ne!(text(left, 1), text(right, 1));
        }
    }

    #[test]
    fn numbers_are_equal_exactly_when_they_are_compared_equal() {
        let numbers = [
            "0",
            "-0",
            "0.0",
            "0e5",
            "1",
            "1.0",
            "10",
            "1e1",
            "1E+1",
            "10e0",
            "100e-2",
            "-1",
            "0.1",
            "1e-1",
            "0.10",
            "1.01",
            "101e-2",
            "1001",
            "1000000000000000000000000000000000000000000000000000000000000000000000000000000001",
            "1.000000000000000000000000000000000000000000000000000000000000000000000000000000001e81",
            "12",
            "120e-1",
            "0.0012",
            "1.2e-3",
            "1e99999999999999999999",
            "10e99999999999999999999",
            "1.0e99999999999999999999",
            "1e+0099999999999999999999",
            "1e-99999999999999999999",
            "1e9223372036854775807",
            "10e9223372036854775807",
            "1e9223372036854775808",
            "1e-9223372036854775808",
            "0.1e-9223372036854775808",
            "1e18446744073709551616",
        ];
        let digest = |number: &str, step: usize| {
            let mut reading = Number::new();
            for piece in number.as_bytes().chunks(step) {
                reading.feed(core::str::from_utf8(piece).expect("ASCII"));
            }
            reading.digest()
        };
        for left in numbers {
            assert_eq!(digest(left, 1), digest(left, 100));
            for right in numbers {
                assert_eq!(digest(left, 3) == digest(right, 7), same_number(left, right), "{left} {right}");
            }
        }
    }
}
