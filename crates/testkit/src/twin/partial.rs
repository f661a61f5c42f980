//! What may be shown of the beginning of a document without repairs: a plain recursive reader, against which views are tested.

use serde_json::{Map, Value};

/// What may be shown of a document of which so much is there; white space may stand in front of it. It must be the beginning of strict JSON:
/// nothing is judged here. A number or literal at the end of the text may go on, so it is not there yet, and neither is half an
/// escape, half a surrogate pair, or a key without the first thing that can be shown of its value. Of equal keys the first counts.
#[must_use]
pub fn partial(text: &str) -> Option<Value> {
    Reader { bytes: text.as_bytes(), at: 0 }.value().0
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// What can be shown of the value that begins here, and whether it is whole.
    fn value(&mut self) -> (Option<Value>, bool) {
        match self.next() {
            None => (None, false),
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => {
                let (text, whole) = self.string();
                (Some(Value::String(text)), whole)
            }
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            Some(_) => self.number(),
        }
    }

    fn object(&mut self) -> (Option<Value>, bool) {
        self.at += 1;
        let mut members = Map::new();
        loop {
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return (Some(Value::Object(members)), true);
                }
                Some(_) => {
                    let (key, true) = self.string() else { break };
                    let Some(_colon) = self.next() else { break };
                    self.at += 1;
                    let (value, whole) = self.value();
                    if let Some(value) = value {
                        members.entry(key).or_insert(value);
                    }
                    if !whole {
                        break;
                    }
                }
                None => break,
            }
        }
        (Some(Value::Object(members)), false)
    }

    fn array(&mut self) -> (Option<Value>, bool) {
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return (Some(Value::Array(elements)), true);
                }
                Some(_) => {
                    let (value, whole) = self.value();
                    elements.extend(value);
                    if !whole {
                        break;
                    }
                }
                None => break,
            }
        }
        (Some(Value::Array(elements)), false)
    }

    /// The text of the string that begins here as far as it is certain, and whether it has closed.
    fn string(&mut self) -> (String, bool) {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.bytes.get(self.at..).unwrap_or_default() {
                [] => break,
                [b'"', ..] => {
                    self.at += 1;
                    return (as_text(text), true);
                }
                [b'\\', rest @ ..] => {
                    let Some((char, len)) = escape(rest) else { break };
                    text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    self.at += 1 + len;
                }
                [byte, ..] => {
                    text.push(*byte);
                    self.at += 1;
                }
            }
        }
        self.at = self.bytes.len();
        (as_text(text), false)
    }

    fn literal(&mut self, word: &str, value: Value) -> (Option<Value>, bool) {
        self.at += word.len();
        // `nullable` is no JSON, so that a literal has ended with the byte behind it.
        if self.at < self.bytes.len() { (Some(value), true) } else { (None, false) }
    }

    fn number(&mut self) -> (Option<Value>, bool) {
        let rest = &self.bytes[self.at..];
        let belongs = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let Some(len) = rest.iter().position(|byte| !belongs(byte)) else {
            self.at = self.bytes.len();
            return (None, false);
        };
        self.at += len;
        (serde_json::from_slice(&rest[..len]).ok(), true)
    }
}

fn as_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

/// The character that an escape stands for and its length, both without the backslash; none of one that is not whole.
fn escape(rest: &[u8]) -> Option<(char, usize)> {
    let char = match rest.first()? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = unit(rest.get(1..5)?)?;
            if let Some(char) = char::from_u32(unit) {
                return Some((char, 5));
            }
            let low = rest.get(5..11).filter(|low| low.starts_with(b"\\u")).and_then(|low| self::unit(&low[2..]))?;
            let char = char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + low.checked_sub(0xDC00)?)?;
            return Some((char, 11));
        }
        other => char::from(*other),
    };
    Some((char, 1))
}

fn unit(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::partial;

    /// What the pages say, rule by rule.
    #[test]
    fn what_may_be_shown() {
        let rows = [
            ("", None),
            (" {", Some(json!({}))),
            ("{\"a\"", Some(json!({}))),
            ("{\"a\":", Some(json!({}))),
            ("{\"a\":\"", Some(json!({"a": ""}))),
            ("{\"a\":[", Some(json!({"a": []}))),
            ("{\"a\":1", Some(json!({}))),
            ("{\"a\":1,", Some(json!({"a": 1}))),
            ("{\"a\":tru", Some(json!({}))),
            ("{\"a\":true", Some(json!({}))),
            ("{\"a\":true ", Some(json!({"a": true}))),
            ("[\"x\\", Some(json!(["x"]))),
            ("[\"x\\u00", Some(json!(["x"]))),
            ("[\"x\\u00e9", Some(json!(["x\u{e9}"]))),
            ("[\"x\\ud83d", Some(json!(["x"]))),
            ("[\"x\\ud83d\\ude0", Some(json!(["x"]))),
            ("[\"x\\ud83d\\ude00", Some(json!(["x\u{1f600}"]))),
            ("{\"a\":{\"b\":1},\"a\":{\"b\":1", Some(json!({"a": {"b": 1}}))),
            ("12", None),
        ];
        for (text, shown) in rows {
            assert_eq!(partial(text), shown, "{text}");
        }
    }
}
