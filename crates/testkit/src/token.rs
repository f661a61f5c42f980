//! What a document holds, in the order in which it is written: digits as they are, strings unescaped.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use thusfar_core::Kind;

use crate::twin::equal_text;

/// A part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// A frame opens.
    Open(Kind),
    /// A frame closes.
    Close(Kind),
    /// A key.
    Key(String),
    /// A string.
    Text(String),
    /// A number or a literal, as it is written.
    Word(String),
}

/// Members of an object in order, equal keys included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let members = serde_json::Deserializer::from_str(text).deserialize_map(Collect).ok()?;
        Some(Self(members))
    }
}

struct Collect;

impl<'a> Visitor<'a> for Collect {
    type Value = Vec<(String, &'a RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

fn elements(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// What `serde_json` says that a strict text holds.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    collect(text.trim_ascii(), &mut tokens);
    tokens
}

fn collect(text: &str, tokens: &mut Vec<Token>) {
    if let Some(Members(members)) = Members::of(text) {
        tokens.push(Token::Open(Kind::Object));
        for (key, value) in members {
            tokens.push(Token::Key(key));
            collect(value.get(), tokens);
        }
        tokens.push(Token::Close(Kind::Object));
    } else if let Some(elements) = elements(text) {
        tokens.push(Token::Open(Kind::Array));
        elements.into_iter().for_each(|value| collect(value.get(), tokens));
        tokens.push(Token::Close(Kind::Array));
    } else if let Ok(text) = serde_json::from_str(text) {
        tokens.push(Token::Text(text));
    } else {
        tokens.push(Token::Word(text.to_owned()));
    }
}

/// Whether some object of a strict text has two equal keys whose values differ.
#[must_use]
pub fn contradicts_itself(text: &str) -> bool {
    let text = text.trim_ascii();
    if let Some(Members(members)) = Members::of(text) {
        let differ = |(index, (key, value)): (usize, &(String, &RawValue))| {
            members[..index].iter().any(|(other, earlier)| key == other && !equal_text(value.get(), earlier.get()))
        };
        return members.iter().enumerate().any(differ)
            || members.iter().any(|(_, value)| contradicts_itself(value.get()));
    }
    elements(text).is_some_and(|elements| elements.iter().any(|value| contradicts_itself(value.get())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_order_are_kept() {
        let word = |text: &str| Token::Word(text.to_owned());
        let key = |text: &str| Token::Key(text.to_owned());
        let list = [Token::Open(Kind::Array), word("1.0"), word("null"), Token::Close(Kind::Array)];
        let mut want = vec![Token::Open(Kind::Object), key("b")];
        want.extend(list);
        want.extend([key("a"), Token::Text("é\n".to_owned()), key("a"), word("1e400"), Token::Close(Kind::Object)]);
        assert_eq!(tokens(" {\"b\": [1.0, null], \"a\": \"\\u00e9\\n\", \"\\u0061\": 1e400}\n"), want);
    }

    #[test]
    fn equal_keys_with_other_values_contradict() {
        for (text, contradicts) in [
            (r#"{"a": 1, "a": 1.0}"#, false),
            (r#"{"a": 1, "\u0061": 2}"#, true),
            (r#"[{"b": {"a": 1, "a": 2}}]"#, true),
            (r#"[{"a": 1}, {"a": 2}]"#, false),
            (r#"{"a": {"x": 1, "y": 2}, "a": {"y": 2, "x": 1}}"#, false),
        ] {
            assert_eq!(contradicts_itself(text), contradicts, "{text}");
        }
    }
}
