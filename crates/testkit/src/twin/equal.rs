//! Equality of documents by value: numbers exactly, strings after unescaping, objects without regard to order.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

/// Whether two strict JSON texts hold the same value. Numbers are compared as they are written, not as floats.
pub fn equal_text(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    if let (Some(one), Some(other)) = (members(one), members(other)) {
        let same_keys = one.keys().eq(other.keys());
        return same_keys && one.values().zip(other.values()).all(|(one, other)| equal_text(one.get(), other.get()));
    }
    if let (Some(one), Some(other)) = (elements(one), elements(other)) {
        return one.len() == other.len()
            && one.iter().zip(&other).all(|(one, other)| equal_text(one.get(), other.get()));
    }
    match (serde_json::from_str::<String>(one), serde_json::from_str::<String>(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ if one.starts_with(is_number) && other.starts_with(is_number) => equal_tokens(one, other),
        _ => one == other,
    }
}

fn members(text: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(text).ok()
}

fn elements(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

fn is_number(first: char) -> bool {
    first == '-' || first.is_ascii_digit()
}

/// Whether two values are equal.
pub fn equal_values(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => equal_numbers(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal_values(one, other))
        }
        (Value::Object(one), Value::Object(other)) => equal_objects(one, other),
        _ => one == other,
    }
}

fn equal_objects(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    one.len() == other.len()
        && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal_values(value, other)))
}

fn equal_numbers(one: &Number, other: &Number) -> bool {
    equal_tokens(&one.to_string(), &other.to_string())
}

fn equal_tokens(one: &str, other: &str) -> bool {
    match (Decimal::of(one), Decimal::of(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// A number as sign, digits without zeros at either end, and the power of ten of the last digit. Zero has no digits.
#[derive(PartialEq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    power: i128,
}

impl Decimal {
    /// `None` where the exponent is beyond counting.
    fn of(token: &str) -> Option<Self> {
        let (is_negative, unsigned) = token.strip_prefix('-').map_or((false, token), |rest| (true, rest));
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits: String::new(), power: 0 });
        }
        let dropped = all.len() - all.trim_end_matches('0').len();
        let power = exponent.parse::<i128>().ok()? - fraction.len() as i128 + dropped as i128;
        Some(Self { is_negative, digits: digits.to_owned(), power })
    }
}

/// A key of strict JSON text, unescaped.
pub(super) fn key_text(key: &str) -> String {
    serde_json::from_str(key).unwrap_or_else(|_| key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::equal_text;

    #[test]
    fn numbers_are_equal_by_value() {
        for (one, other) in [("1", "1.0"), ("1", "10e-1"), ("0", "-0.0e7"), ("1e2", "100"), ("12e-1", "1.20")] {
            assert!(equal_text(one, other), "{one} {other}");
        }
        for (one, other) in [("1", "-1"), ("9007199254740993", "9007199254740992"), ("1", "\"1\""), ("1e-400", "0")] {
            assert!(!equal_text(one, other), "{one} {other}");
        }
    }

    #[test]
    fn objects_are_equal_without_order() {
        assert!(equal_text(r#"{"a": 1, "\u0062": [2]}"#, r#"{"b":[2.0],"a":1}"#));
        assert!(!equal_text(r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#));
    }
}
