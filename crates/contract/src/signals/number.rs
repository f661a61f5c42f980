//! Plain decimal numbers, compared by their digits.

use std::cmp::Ordering;

/// A number: an optional minus, digits, and perhaps a point and digits. No exponent.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    is_negative: bool,
    /// Without zeros in front.
    whole: Box<str>,
    /// Without zeros behind.
    fraction: Box<str>,
}

impl Decimal {
    /// Reads a number as JSON writes one without an exponent.
    pub(super) fn read(text: &str) -> Option<Self> {
        if !is_plain(text) {
            return None;
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Self { is_negative: text.starts_with('-') && !is_zero, whole: whole.into(), fraction: fraction.into() })
    }

    /// The shortest decimal of a double.
    pub(super) fn of(number: f64) -> Option<Self> {
        Self::read(&number.to_string())
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_size = |left: &Self, right: &Self| {
            let by_whole = left.whole.len().cmp(&right.whole.len()).then_with(|| left.whole.cmp(&right.whole));
            by_whole.then_with(|| left.fraction.cmp(&right.fraction))
        };
        match (self.is_negative, other.is_negative) {
            (false, false) => by_size(self, other),
            (true, true) => by_size(other, self),
            (is_negative, _) => {
                if is_negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

/// Whether a text is a number as JSON writes one, without an exponent.
pub(super) fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_their_digits() {
        let rising = ["-10", "-9.5", "-0.01", "0", "0.1", "0.11", "0.2", "9", "9.99", "10", "12345678901234567890123"];
        for pair in rising.windows(2) {
            let [left, right] = pair else { panic!("two") };
            assert!(Decimal::read(left) < Decimal::read(right), "{left} {right}");
        }
        for (left, right) in [("8", "8.0"), ("-0", "0"), ("0.50", "0.5")] {
            assert_eq!(Decimal::read(left), Decimal::read(right));
        }
        for text in ["", "-", "+1", ".5", "5.", "01", "1e3", "1,000", "٣", "1.2.3", "--1"] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
