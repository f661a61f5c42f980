//! Numbers as a person reads them: grouped, as a share, as a length.

const MILLION: u64 = 1_000_000;
const BILLION: u64 = 1_000 * MILLION;
const TRILLION: u64 = 1_000 * BILLION;
/// The narrow space between a number and its unit: they stay on one line.
const SPACE: char = '\u{202F}';

/// `12,480`.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A count for a cell: exact up to nine digits, then `9.87 tn`.
pub(super) fn count(count: u64) -> String {
    match count {
        0..BILLION => grouped(count),
        BILLION..TRILLION => format!("{}{SPACE}bn", three_digits(count, BILLION)),
        TRILLION.. => format!("{}{SPACE}tn", three_digits(count, TRILLION)),
    }
}

/// A count for a headline: exact up to seven digits, then `12.5 million`.
pub(super) fn headline(count: u64) -> String {
    const EXACT: u64 = 10 * MILLION;
    match count {
        0..EXACT => grouped(count),
        EXACT..BILLION => format!("{}{SPACE}million", three_digits(count, MILLION)),
        BILLION..TRILLION => format!("{}{SPACE}billion", three_digits(count, BILLION)),
        TRILLION.. => format!("{}{SPACE}trillion", three_digits(count, TRILLION)),
    }
}

/// A count with its noun: `1 reply`, `2 replies`.
pub(super) fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{} {}", headline(count), if count == 1 { one } else { more })
}

/// What part of a whole is, from 0 to 1; nothing of nothing is 0.
pub(super) fn part(of: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (of as f64 / whole as f64).min(1.0) }
}

/// A share in percent with one digit. Only all is `100%`, and only nothing is `0%`.
pub(super) fn share(of: u64, whole: u64) -> String {
    let percent = part(of, whole) * 100.0;
    match () {
        () if of == 0 || whole == 0 => "0%".into(),
        () if of >= whole => "100%".into(),
        () if percent < 0.1 => "<0.1%".into(),
        () if percent > 99.9 => ">99.9%".into(),
        () => format!("{percent:.1}%"),
    }
}

/// A length: exact up to four digits, then with three digits that count, `4.21 kB`.
pub(super) fn bytes(len: u64) -> String {
    const UNITS: [(u64, &str); 6] = [
        (1_000_000_000_000_000_000, "EB"),
        (1_000_000_000_000_000, "PB"),
        (1_000_000_000_000, "TB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
        (1_000, "kB"),
    ];
    match UNITS.into_iter().find(|(unit, _)| len >= 10_000 && len >= *unit) {
        Some((unit, name)) => format!("{}{SPACE}{name}", three_digits(len, unit)),
        None => format!("{}{SPACE}B", grouped(len)),
    }
}

/// A number in a unit, with three digits that count, the last one rounded.
fn three_digits(count: u64, unit: u64) -> String {
    let (count, unit) = (u128::from(count), u128::from(unit));
    for (places, power) in [(2, 100), (1, 10)] {
        let rounded = (count * power + unit / 2) / unit;
        if rounded < 1_000 {
            return format!("{}.{:0places$}", rounded / power, rounded % power);
        }
    }
    grouped(((count + unit / 2) / unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        let shown = [0, 7, 999, 1_000, 12_480, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "7", "999", "1,000", "12,480", "1,234,567"]);
        assert_eq!([999_999_999, 9_876_543_210].map(count), ["999,999,999", "9.88\u{202F}bn"]);
        assert_eq!(count(u64::MAX), "18,446,744\u{202F}tn");
        assert_eq!([9_999_999, 12_540_000].map(headline), ["9,999,999", "12.5\u{202F}million"]);
        assert_eq!(counted(1, "reply", "replies") + &counted(0, "reply", "replies"), "1 reply0 replies");
    }

    #[test]
    fn only_all_is_all_and_only_nothing_is_nothing() {
        let shown = [(0, 9), (1, 10_000), (1, 8), (9_999, 10_000), (8, 8), (0, 0), (1, 0), (9, 8)];
        let shown = shown.map(|(of, whole)| share(of, whole));
        assert_eq!(shown, ["0%", "<0.1%", "12.5%", ">99.9%", "100%", "0%", "0%", "100%"]);
        for of in 1..10_000 {
            assert!(!["0%", "0.0%", "100%", "100.0%"].contains(&&*share(of, 10_000)), "{of}");
        }
        assert!(share(u64::MAX - 1, u64::MAX) != "100%");
    }

    #[test]
    fn lengths_keep_three_digits() {
        let shown = [0, 9_999, 10_000, 18_449, 99_950, 999_499, 999_500, 1_005_000, u64::MAX].map(bytes);
        let wanted = ["0 B", "9,999 B", "10.0 kB", "18.4 kB", "100 kB", "999 kB", "1,000 kB", "1.01 MB", "18.4 EB"];
        assert_eq!(shown, wanted.map(|text| text.replace(' ', "\u{202F}")));
    }
}
