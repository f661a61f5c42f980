//! Errors as they are reported: one JSON object, with the members that the provider sent.

use alloc::format;
use alloc::string::String;

use crate::facts::{Facts, Slot};
use crate::json::{self, Extent};
use crate::provider::members::{members, unquoted};
use crate::provider::read::{Tell, tell_error};
use crate::provider::{Dialect, Errors};
use crate::said::Written;
use crate::walk::Paths;

/// The dialect of whoever has not been found out: an event may be an error before it is anybody's.
pub(crate) const UNKNOWN: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: true, errors: Errors::OpenAi, read };

const PATHS: &[(&str, Slot)] = &[("error", Slot::Error), ("object", Slot::ErrorMember), ("type", Slot::Type)];

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    tell_error(name, data, facts, tell);
}

/// The JSON object to report for an error: what [`Said::Error`](crate::said::Said::Error) holds, under the name `""`, or
/// an error beside the events under its own name.
///
/// * An object that holds nothing but one object under `error`, as in plain bodies and behind a field named `error`, is
///   that object. Any other object is as it was sent.
/// * Anything else is the `message` of an object; what is no JSON, as a string.
/// * The name of an exception (AWS) is its `type`, unless it has one.
pub(crate) fn error_of(name: &[u8], value: &[u8]) -> String {
    let is_json = json::extent(value) == Extent::Whole;
    let value = json::trim(value);
    let value = sole_error(value).filter(|_| is_json).unwrap_or(value);
    let text = String::from_utf8_lossy(value);
    let object = match value.first() {
        Some(b'{') if is_json => text.into_owned(),
        _ if is_json => format!("{{\"message\":{text}}}"),
        _ => format!("{{\"message\":\"{}\"}}", escaped(&text)),
    };
    let is_exception =
        !name.is_empty() && name != b"error" && !members(object.as_bytes()).any(|(key, _)| key == b"type");
    if !is_exception {
        return object;
    }
    let comma = if members(object.as_bytes()).next().is_some() { "," } else { "" };
    format!("{{\"type\":\"{}\"{comma}{}", escaped(&String::from_utf8_lossy(name)), &object[1..])
}

/// The same of an error that is no more than a message, as it is written between its quotes. Nobody has looked into it: what
/// may not stand in a string is escaped once more.
pub(crate) fn error_of_message(message: Written<'_>) -> String {
    let text = String::from_utf8_lossy(message.0);
    let object = format!("{{\"message\":\"{text}\"}}");
    match json::extent(object.as_bytes()) {
        Extent::Whole => object,
        _ => format!("{{\"message\":\"{}\"}}", escaped(&text)),
    }
}

/// The error that a body without events holds, if it is one: an object with `error` in it, or one that says it is.
pub(crate) fn error_in(body: &[u8]) -> Option<String> {
    if json::extent(body) != Extent::Whole {
        return None;
    }
    let error = members(body).find(|(key, value)| *key == b"error" && !matches!(*value, b"null" | b"false" | b"\"\""));
    let is_said =
        |(key, value): (&[u8], &[u8])| matches!(key, b"object" | b"type") && unquoted(value) == Some(b"error");
    match error {
        Some((_, value)) => Some(error_of(b"", value)),
        None if members(body).any(is_said) => Some(error_of(b"", body)),
        None => None,
    }
}

/// The object under `error`, where that is the only member.
fn sole_error(object: &[u8]) -> Option<&[u8]> {
    let mut all = members(object);
    let (key, value) = all.next()?;
    (key == b"error" && value.first() == Some(&b'{') && all.next().is_none()).then_some(value)
}

/// A text as it stands in a JSON string.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            control if control < ' ' => written.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => written.push(other),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_a_string_whatever_it_is() {
        for (written, expected) in [
            ("a \\\"b\\\" \\u00e9", r#"{"message":"a \"b\" \u00e9"}"#),
            ("a\u{8}b", r#"{"message":"a\u0008b"}"#),
            ("\\q", r#"{"message":"\\q"}"#),
            ("\\u12", r#"{"message":"\\u12"}"#),
        ] {
            assert_eq!(error_of_message(Written(written.as_bytes())), expected);
        }
    }

    #[test]
    fn errors_keep_the_members_that_were_sent() {
        let cases: [(&str, &str, &str); 14] = [
            ("", r#"{"message":"x","code":null}"#, r#"{"message":"x","code":null}"#),
            ("", " {\"message\": \"x\"}\n", "{\"message\": \"x\"}"),
            ("", r#"{"type":"error","error":1}"#, r#"{"type":"error","error":1}"#),
            ("error", r#"{"code":500,"type":"server_error"}"#, r#"{"code":500,"type":"server_error"}"#),
            ("error", r#"{"error":{"message":"x"}}"#, r#"{"message":"x"}"#),
            ("error", r#"{"error":{"message":"x"},"id":1}"#, r#"{"error":{"message":"x"},"id":1}"#),
            ("throttlingException", r#"{"message":"x"}"#, r#"{"type":"throttlingException","message":"x"}"#),
            ("throttlingException", "{}", r#"{"type":"throttlingException"}"#),
            ("throttlingException", r#"{"type":"t"}"#, r#"{"type":"t"}"#),
            ("InternalError", "it \"broke\"\n", r#"{"type":"InternalError","message":"it \"broke\""}"#),
            ("", "", r#"{"message":""}"#),
            ("", "\u{1}\\", r#"{"message":"\u0001\\"}"#),
            ("", "7", r#"{"message":7}"#),
            ("error", r#""boom""#, r#"{"message":"boom"}"#),
        ];
        for (name, value, expected) in cases {
            assert_eq!(error_of(name.as_bytes(), value.as_bytes()), expected, "{value}");
        }
        assert_eq!(error_of_message(Written(br#"a\"b"#)), r#"{"message":"a\"b"}"#);
        assert_eq!(
            error_of(b"", b"{\"error\":{\"a\xff\":1}"),
            "{\"message\":\"{\\\"error\\\":{\\\"a\u{FFFD}\\\":1}\"}"
        );
    }

    #[test]
    fn errors_of_plain_bodies() {
        let cases: [(&str, Option<&str>); 8] = [
            (r#"{"error":{"code":400}}"#, Some(r#"{"code":400}"#)),
            ("{\n \"error\": {\"code\": 400},\n \"id\": 1}\n", Some(r#"{"code": 400}"#)),
            (r#"{"error":"no such model"}"#, Some(r#"{"message":"no such model"}"#)),
            (r#"{"object":"error","message":"x"}"#, Some(r#"{"object":"error","message":"x"}"#)),
            (r#"{"type":"error","error":{"type":"t"}}"#, Some(r#"{"type":"t"}"#)),
            (r#"{"error":null,"choices":[]}"#, None),
            (r#"{"error":{"code":400}"#, None),
            ("<html>", None),
        ];
        for (body, expected) in cases {
            assert_eq!(error_in(body.as_bytes()).as_deref(), expected, "{body}");
        }
    }
}
