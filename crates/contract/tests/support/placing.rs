//! A document as a model may write it, and where each value begins: noted while it is written, not found again.

use std::collections::BTreeMap;

use serde_json::Value;
use thusfar_testkit::random::Random;

/// A reply, and the offset of each value by its JSON pointer.
pub(crate) struct Placed {
    pub(crate) reply: String,
    pub(crate) places: BTreeMap<String, usize>,
}

/// Writes a document with white space, comments and commas too many, in prose and fences where it is an object or an array. One of those
/// may have a backslash before each of its quotes instead.
pub(crate) fn write(value: &Value, random: &mut Random) -> Placed {
    let is_container = value.is_array() || value.is_object();
    let quote = if is_container && random.chance(10) { "\\\"" } else { "\"" };
    let mut writer = Writer { placed: Placed { reply: String::new(), places: BTreeMap::new() }, random, quote };
    let around = writer.random.below(if is_container { 4 } else { 2 });
    writer.placed.reply.push_str(["", " \n", "Here it is: 😀\n\n```json\n", "<think>short</think>\nSure:\n"][around]);
    writer.value(value, "");
    writer.placed.reply.push_str(["", "\n", "\n```\nAnything else?", ""][around]);
    writer.placed
}

struct Writer<'r> {
    placed: Placed,
    random: &'r mut Random,
    /// What a string begins and ends with.
    quote: &'static str,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.placed.reply.push_str(text);
    }

    /// What may stand between two tokens.
    fn gap(&mut self) {
        let gaps = ["", " ", "\n  ", " /* é */ ", " // to the end\n"];
        let at = if self.quote == "\"" && self.random.chance(20) { 1 + self.random.below(4) } else { 0 };
        self.put(gaps[at]);
    }

    fn value(&mut self, value: &Value, pointer: &str) {
        self.placed.places.insert(pointer.to_owned(), self.placed.reply.len());
        match value {
            Value::Array(items) => {
                self.put("[");
                for (at, item) in items.iter().enumerate() {
                    self.comma(at);
                    self.value(item, &format!("{pointer}/{at}"));
                }
                self.close(items.len(), "]");
            }
            Value::Object(members) => {
                self.put("{");
                for (at, (key, member)) in members.iter().enumerate() {
                    self.comma(at);
                    self.string(key);
                    self.gap();
                    self.put(":");
                    self.gap();
                    self.value(member, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")));
                }
                self.close(members.len(), "}");
            }
            Value::String(text) => self.string(text),
            other => self.put(&other.to_string()),
        }
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.gap();
            self.put(",");
        }
        self.gap();
    }

    fn close(&mut self, count: usize, closer: &str) {
        if count > 0 && self.random.chance(15) {
            self.put(",");
        }
        self.gap();
        self.put(closer);
    }

    fn string(&mut self, text: &str) {
        if self.quote != "\"" {
            // Nothing here needs an escape of its own.
            self.put(&format!("{0}{text}{0}", self.quote));
        } else if self.random.chance(15) {
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            self.put(&format!("\"{escaped}\""));
        } else {
            self.put(&Value::from(text).to_string());
        }
    }
}
