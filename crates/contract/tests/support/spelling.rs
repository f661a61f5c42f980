//! One value, written in several ways that mean the same.

use serde_json::{Number, Value};

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As short as it gets.
    Compact,
    /// Indented, a member a line.
    Pretty,
    /// The members of each object in the opposite order.
    Reversed,
    /// Each character of a string as `\u` escapes, keys too.
    Escaped,
    /// `1` as `1.0`, `0.5` as `0.50`.
    Dotted,
    /// `1` as `10e-1`.
    Exponent,
}

impl Spelling {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::Compact, Self::Pretty, Self::Reversed, Self::Escaped, Self::Dotted, Self::Exponent];

    /// Whether it writes a number in another way: in draft 4 alone `1.0` is no integer.
    pub(crate) const fn respells_numbers(self) -> bool {
        matches!(self, Self::Dotted | Self::Exponent)
    }

    /// Writes a value.
    pub(crate) fn write(self, value: &Value) -> String {
        let mut text = String::new();
        self.put(value, 0, &mut text);
        text
    }

    fn put(self, value: &Value, depth: usize, text: &mut String) {
        match value {
            Value::Null | Value::Bool(_) => text.push_str(&value.to_string()),
            Value::Number(number) => text.push_str(&self.number(number)),
            Value::String(string) => self.string(string, text),
            Value::Array(items) => self.container(['[', ']'], items.len(), depth, text, |at, text| {
                self.put(&items[at], depth + 1, text);
            }),
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                if self == Spelling::Reversed {
                    members.reverse();
                }
                self.container(['{', '}'], members.len(), depth, text, |at, text| {
                    let (key, value) = members[at];
                    self.string(key, text);
                    text.push_str(if self == Spelling::Pretty { ": " } else { ":" });
                    self.put(value, depth + 1, text);
                });
            }
        }
    }

    fn container(
        self,
        around: [char; 2],
        count: usize,
        depth: usize,
        text: &mut String,
        element: impl Fn(usize, &mut String),
    ) {
        let line = |depth: usize, text: &mut String| {
            if self == Spelling::Pretty && count > 0 {
                text.push('\n');
                text.push_str(&"  ".repeat(depth));
            }
        };
        text.push(around[0]);
        for at in 0..count {
            if at > 0 {
                text.push(',');
            }
            line(depth + 1, text);
            element(at, text);
        }
        line(depth, text);
        text.push(around[1]);
    }

    fn string(self, string: &str, text: &mut String) {
        if self != Spelling::Escaped {
            text.push_str(&Value::from(string).to_string());
            return;
        }
        text.push('"');
        for unit in string.encode_utf16() {
            text.push_str(&format!("\\u{unit:04x}"));
        }
        text.push('"');
    }

    /// Another way to write a number, where `f64` holds both to be the same; otherwise as it is.
    fn number(self, number: &Number) -> String {
        let plain = number.to_string();
        let is_exact = number.as_f64().is_some_and(|float| float.abs() < 9e15);
        let has = |letter: char| plain.contains(letter);
        match self {
            _ if !is_exact || has('e') => plain,
            Spelling::Dotted if has('.') => format!("{plain}0"),
            Spelling::Dotted => format!("{plain}.0"),
            Spelling::Exponent if has('.') || plain == "0" => format!("{plain}e0"),
            Spelling::Exponent => format!("{plain}0e-1"),
            _ => plain,
        }
    }
}
