//! Contradicting prefixes: how often a reader of unfinished JSON shows what the document does not hold.
//!
//! Every document that thusfar gives for a reply of the corpora, cut behind every byte. A prefix is *contradicting* when the value
//! that is shown for it holds what the whole document does not extend: another number or literal, a string that the
//! whole one does not begin with, an element or key that is not there. To show nothing contradicts nothing.

use std::collections::BTreeSet;

use jiter::{JsonValue, PartialMode};
use serde_json::Value;
use thusfar::{Ending, Expect, Reply};
use thusfar_testkit::corpus;

/// Whether a whole value extends a part of it.
fn extends(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::String(whole), Value::String(part)) => whole.starts_with(part.as_str()),
        (Value::Array(whole), Value::Array(part)) => {
            part.len() <= whole.len() && whole.iter().zip(part).all(|(whole, part)| extends(whole, part))
        }
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| extends(whole, part)))
        }
        (Value::Number(whole), Value::Number(part)) => whole == part || whole.as_f64() == part.as_f64(),
        _ => whole == part,
    }
}

/// The same value in the words of `serde_json`; of equal keys the last one, as `jiter` says it.
pub(crate) fn of_jiter(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(bool) => Value::Bool(*bool),
        JsonValue::Int(int) => Value::from(*int),
        JsonValue::Float(float) => Value::from(*float),
        JsonValue::Str(text) => Value::from(text.as_ref()),
        JsonValue::Array(elements) => elements.iter().map(of_jiter).collect(),
        JsonValue::Object(members) => {
            members.iter().map(|(key, value)| (key.as_ref().to_owned(), of_jiter(value))).collect()
        }
    }
}

/// What a reader has shown.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Prefixes with a value.
    shown: usize,
    /// The lengths of those values as JSON text: who shows little contradicts little.
    len: usize,
    contradicting: usize,
    documents: usize,
    restarts: usize,
}

impl Tally {
    fn add(&mut self, whole: &Value, parts: impl IntoIterator<Item = Option<Value>>) {
        let before = self.contradicting;
        for part in parts.into_iter().flatten() {
            self.shown += 1;
            self.len += part.to_string().len();
            self.contradicting += usize::from(!extends(whole, &part));
        }
        self.documents += usize::from(self.contradicting > before);
    }

    /// Ours: what a reply has shown behind each of its bytes. Restarts are counted apart: a prefix belongs to the document if the candidate that
    /// it shows is the one that stands at the end.
    fn add_ours(&mut self, whole: &Value, expect: Expect, reply: &str) {
        let mut reading = Reply::live(expect);
        let mut parts = Vec::new();
        for byte in reply.as_bytes() {
            let _ = reading.push_bytes(&[*byte]);
            parts.push((reading.view().generation(), reading.view().to_value()));
        }
        let last = reading.view().generation();
        self.restarts += last as usize;
        self.add(whole, parts.into_iter().filter(|(generation, _)| *generation == last).map(|(_, part)| part));
    }

    fn add_jiter(&mut self, whole: &Value, text: &str, mode: PartialMode) {
        let part = |end| JsonValue::parse_with_config(&text.as_bytes()[..end], false, mode).ok();
        self.add(whole, (1..=text.len()).map(|end| part(end).as_ref().map(of_jiter)));
    }

    fn print(self, reader: &str) {
        let Self { shown, len, contradicting, documents, restarts } = self;
        println!("{reader:<30} {shown:>10} {len:>14} {contradicting:>14} {documents:>14} {restarts:>10}");
    }
}

/// Expectation, reply and document of each reply of the corpora that has one.
fn documents() -> Vec<(Expect, String, String)> {
    let captures = corpus::captures().into_iter().map(|row| match row.root.as_str() {
        "object" => (Expect::object(), row.text),
        "array" => (Expect::array(), row.text),
        _ => (Expect::any(), row.text),
    });
    let replies = corpus::replies().into_iter().map(|(_, root, text)| (Expect::root(root), text));
    let read = |(expect, reply): (Expect, String)| {
        let mut reading = Reply::new(expect);
        let _ = reading.push(&reply);
        let document = reading.finish(Ending::Stop).ok()?;
        Some((expect, reply, document.text().to_owned()))
    };
    captures.chain(replies).filter_map(read).collect()
}

/// The second table.
pub(crate) fn print(test: bool) {
    let mut replies = documents();
    if test {
        replies.truncate(20);
    }
    let texts: BTreeSet<&str> = replies.iter().map(|(_, _, document)| &**document).collect();
    let prefixes: usize = texts.iter().map(|text| text.len()).sum();
    let reply_prefixes: usize = replies.iter().map(|(_, reply, _)| reply.len()).sum();
    println!(
        "\n{} different documents of the corpora, {prefixes} prefixes; {} replies around them, {reply_prefixes} prefixes",
        texts.len(),
        replies.len()
    );
    println!(
        "{:<30} {:>10} {:>14} {:>14} {:>14} {:>10}",
        "reader", "shown", "bytes of it", "contradicting", "in documents", "restarts"
    );
    let mut tallies = [Tally::default(); 4];
    for text in texts {
        let whole: Value = serde_json::from_str(text).expect("a document is strict");
        tallies[0].add_ours(&whole, Expect::value(), text);
        tallies[2].add_jiter(&whole, text, PartialMode::TrailingStrings);
        tallies[3].add_jiter(&whole, text, PartialMode::On);
    }
    for (expect, reply, document) in &replies {
        let whole: Value = serde_json::from_str(document).expect("a document is strict");
        tallies[1].add_ours(&whole, *expect, reply);
    }
    assert_eq!(tallies[0].contradicting + tallies[1].contradicting, 0, "a view only grows");
    let readers = ["thusfar", "thusfar, the whole replies", "jiter, trailing strings", "jiter, partial"];
    for (reader, tally) in readers.into_iter().zip(tallies) {
        tally.print(reader);
    }
}
