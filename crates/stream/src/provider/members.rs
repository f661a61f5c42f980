//! The members of one object, or the elements of one array, where no table is worth its while: to find out whose an event
//! is, in errors, in patches.
//!
//! JSON is not checked: of what is none, some members come out, or none. Linear in the bytes; nesting costs nothing.

use crate::json::trim_start;

/// The members of an object: keys without their quotes, escapes and all, and values as they are written.
pub(crate) fn members(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = trim_start(bytes).strip_prefix(b"{").unwrap_or_default();
    core::iter::from_fn(move || {
        let key_len = string_len(behind_comma(rest))?;
        let (key, behind) = behind_comma(rest).split_at(key_len);
        let value = trim_start(trim_start(behind).strip_prefix(b":")?);
        let (value, behind) = value.split_at(value_len(value)?);
        rest = behind;
        Some((&key[1..key_len - 1], value))
    })
}

/// The elements of an array as they are written.
pub(crate) fn elements(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = trim_start(bytes).strip_prefix(b"[").unwrap_or_default();
    core::iter::from_fn(move || {
        let front = behind_comma(rest);
        let (value, behind) = front.split_at(value_len(front)?);
        rest = behind;
        Some(value)
    })
}

/// What stands between the quotes, if the value is a string.
pub(crate) fn unquoted(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

fn behind_comma(bytes: &[u8]) -> &[u8] {
    let bytes = trim_start(bytes);
    bytes.strip_prefix(b",").map_or(bytes, trim_start)
}

/// The length of the string in front, with its quotes.
fn string_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    bytes.first().filter(|&&byte| byte == b'"')?;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

/// The length of the value in front; none where there is no end, or no value.
fn value_len(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' => string_len(bytes),
        b'{' | b'[' => nested_len(bytes),
        _ => {
            let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
            let len = bytes.iter().position(is_end).unwrap_or(bytes.len());
            (len > 0).then_some(len)
        }
    }
}

fn nested_len(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match bytes.get(at)? {
            b'"' => at += string_len(&bytes[at..])? - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn pairs(text: &str) -> String {
        let show =
            |(key, value): (&[u8], &[u8])| [String::from_utf8_lossy(key), String::from_utf8_lossy(value)].join("=");
        members(text.as_bytes()).map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn members_as_they_are_written() {
        let cases = [
            (r#"{"a":1,"b":"x"}"#, r#"a=1 b="x""#),
            (" { \"a\" : [1, {\"b\": \"]\"}] ,\n\"c\":null }", r#"a=[1, {"b": "]"}] c=null"#),
            (r#"{"a\"b":"c\\","d":{"e":"}\""}}"#, r#"a\"b="c\\" d={"e":"}\""}"#),
            (r#"{"a":true}"#, "a=true"),
            ("{}", ""),
            ("[1]", ""),
            ("", ""),
            (r#"{"a":1,"b"#, "a=1"),
            (r#"{"a":1,"b":"#, "a=1"),
            (r#"{"a":{"b":1"#, ""),
            (r#"{"a":"b\"#, ""),
            ("{a:1}", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(pairs(text), expected, "{text}");
        }
    }

    #[test]
    fn elements_as_they_are_written() {
        let show = |text: &'static str| elements(text.as_bytes()).map(String::from_utf8_lossy).collect::<Vec<_>>();
        assert_eq!(show(r#"[1, "a,]", {"b": []} , null]"#), ["1", "\"a,]\"", "{\"b\": []}", "null"]);
        assert!(show("[]").is_empty() && show("{}").is_empty() && show("[").is_empty() && show("[{").is_empty());
        assert_eq!(show("[1"), ["1"]);
    }

    #[test]
    fn depth_costs_nothing() {
        let deep = [r#"{"a":"#, &"[".repeat(1 << 20), &"]".repeat(1 << 20), "}"].concat();
        assert_eq!(members(deep.as_bytes()).map(|(_, value)| value.len()).collect::<Vec<_>>(), [1 << 21]);
    }
}
