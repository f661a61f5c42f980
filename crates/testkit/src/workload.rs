//! The texts that the benches read, made from fixed seeds: the same bytes on every machine.
//!
//! | name | what | holds |
//! |---|---|---|
//! | W1 | 2 KB, one indented object | |
//! | W2 | 100 KB, an array of objects with strings | 12 % quotes, 0.3 % backslashes, 1 % bytes above U+007F |
//! | W3 | the same, 1 MB | the same |
//! | W4 | 100 KB, one string of code in a small object | 4 % backslashes |
//! | W5 | 100 KB, towers of objects and arrays | depth 64 |
//! | W6 | 100 KB, one array of numbers | no string at all |
//! | dirty W2 | W2 with repairs to make | 200 trailing commas, 200 line comments |
//!
//! | S | W2 as the server-sent events of an OpenAI chat reply | 293 B an event, 4 or 5 characters of content in each |
//! | A | the same as Anthropic's | two lines and 120 B an event |
//!
//! W1 to W6 are strict JSON, and none repeats itself: two places never hold the same long text, so that neither
//! a repetition guard nor a branch predictor is fooled by a loop. 1 KB is 1,000 bytes here.
//!
//! Proportions are steered, not hoped for: a generator looks at what it has written so far and makes the rarer thing
//! likelier. The tests hold the proportions.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

pub use crate::random::Random;

/// A named text.
#[derive(Clone, Debug)]
pub struct Workload {
    /// `W1` to `W6`.
    pub name: &'static str,
    /// The text, strict JSON.
    pub text: String,
}

/// W1 to W6, in order.
#[must_use]
pub fn all() -> Vec<Workload> {
    let text = [w1(), w2(), w3(), w4(), w5(), w6()];
    ["W1", "W2", "W3", "W4", "W5", "W6"].into_iter().zip(text).map(|(name, text)| Workload { name, text }).collect()
}

/// One workload of [`all`] by its name. Panics when there is none of that name.
#[must_use]
pub fn named(name: &str) -> Workload {
    let make = match name {
        "W1" => w1,
        "W2" => w2,
        "W3" => w3,
        "W4" => w4,
        "W5" => w5,
        "W6" => w6,
        _ => panic!("no workload of the name {name:?}"),
    };
    Workload { name: ["W1", "W2", "W3", "W4", "W5", "W6"][usize::from(name.as_bytes()[1] - b'1')], text: make() }
}

/// Cuts a text into pieces of `len` bytes, each a few bytes longer where a character would be cut.
///
/// Panics when `len` is 0.
#[must_use]
pub fn chunks(text: &str, len: usize) -> Vec<&str> {
    assert!(len > 0, "a chunk holds something");
    let mut rest = text;
    let mut pieces = Vec::with_capacity(text.len() / len + 1);
    while !rest.is_empty() {
        let mut cut = len.min(rest.len());
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        let (piece, tail) = rest.split_at(cut);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

const WORDS: &[&str] = &[
    "about", "account", "after", "amber", "answer", "before", "border", "branch", "carry", "change", "clear", "corner",
    "count", "daily", "delay", "double", "early", "east", "empty", "engine", "field", "figure", "first", "garden",
    "gate", "grain", "green", "harbour", "hold", "house", "index", "iron", "island", "keep", "kind", "label", "large",
    "ledger", "letter", "light", "margin", "market", "metal", "mixed", "narrow", "north", "number", "offer", "open",
    "order", "paper", "part", "plain", "point", "quick", "quiet", "range", "record", "river", "round", "sample",
    "second", "shelf", "short", "simple", "south", "stone", "table", "third", "tower", "under", "value", "water",
    "west", "white", "wide", "window", "winter", "yellow", "zone",
];
const FOREIGN: &[&str] = &["über", "déjà", "naïve", "søster", "Łódź", "дом", "東京", "café", "😀", "señor"];
const ESCAPES: &[&str] = &["\\n", "\\\"", "\\t", "\\\\", "\\n\\n", "\\u00e9"];

/// Counts what a growing text holds, so that a generator can steer.
struct Steered {
    text: String,
    counted: usize,
    quotes: usize,
    backslashes: usize,
    high: usize,
}

impl Steered {
    fn new() -> Self {
        Self { text: String::new(), counted: 0, quotes: 0, backslashes: 0, high: 0 }
    }

    fn count(&mut self) {
        for &byte in &self.text.as_bytes()[self.counted..] {
            self.quotes += usize::from(byte == b'"');
            self.backslashes += usize::from(byte == b'\\');
            self.high += usize::from(byte >= 0x80);
        }
        self.counted = self.text.len();
    }

    /// Whether `count` is below `per_mille` of the text so far.
    fn lacks(&self, count: usize, per_mille: usize) -> bool {
        count * 1_000 < self.counted * per_mille
    }
}

/// Some words, now and then with an escape or a foreign word among them where the text lacks them.
fn prose(out: &mut Steered, random: &mut Random, words: usize) {
    for word in 0..words {
        if word > 0 {
            out.text.push(' ');
        }
        out.count();
        if out.lacks(out.high, 10) && random.chance(40) {
            out.text.push_str(random.pick(FOREIGN));
        } else if out.lacks(out.backslashes, 3) && random.chance(30) {
            out.text.push_str(random.pick(ESCAPES));
            out.text.push_str(random.pick(WORDS));
        } else {
            out.text.push_str(random.pick(WORDS));
        }
    }
}

/// W1: 2 KB, one indented object.
#[must_use]
pub fn w1() -> String {
    w1_of(1)
}

/// Another text like W1 for each seed: what many streams at once would read.
#[must_use]
pub fn w1_of(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut out = Steered::new();
    let _ = write!(out.text, "{{\n  \"order\": {},\n  \"customer\": {{\n    \"name\": \"", random.below(1_000_000));
    prose(&mut out, &mut random, 2);
    let _ = write!(out.text, "\",\n    \"active\": {},\n    \"note\": null\n  }},\n  \"items\": [", random.chance(50));
    let mut first = true;
    while out.text.len() < 1_850 {
        out.text.push_str(if first { "\n    {\n      \"title\": \"" } else { ",\n    {\n      \"title\": \"" });
        first = false;
        let words = 2 + random.below(4);
        prose(&mut out, &mut random, words);
        let (count, units, cents) = (1 + random.below(40), random.below(300), random.below(100));
        let _ = write!(out.text, "\",\n      \"count\": {count},\n      \"price\": {units}.{cents:02}\n    }}");
    }
    out.text.push_str("\n  ],\n  \"comment\": \"");
    while out.text.len() < 1_992 {
        prose(&mut out, &mut random, 1);
        out.text.push(' ');
    }
    out.text.push_str("\"\n}");
    out.text
}

/// A schema that a document follows, written from it: each text has a most length, each number bounds, and each key of an object its
/// schema; an array says what its elements are where they are alike.
///
/// Panics when the text is not JSON.
#[must_use]
pub fn schema_of(text: &str) -> String {
    fn of(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let properties: Map<_, _> = members.iter().map(|(key, value)| (key.clone(), of(value))).collect();
                json!({"type": "object", "properties": properties, "required": members.keys().collect::<Vec<_>>()})
            }
            Value::Array(items) => {
                let mut shapes: Vec<_> = items.iter().map(of).collect();
                shapes.dedup();
                json!({"type": "array", "items": if shapes.len() == 1 { shapes.remove(0) } else { json!(true) }})
            }
            Value::String(_) => json!({"type": "string", "maxLength": 100_000_000}),
            Value::Number(_) => json!({"type": "number", "minimum": -1e40, "maximum": 1e40}),
            Value::Bool(_) => json!({"type": ["boolean", "null"]}),
            Value::Null => json!({}),
        }
    }
    of(&serde_json::from_str(text).expect("JSON")).to_string()
}

/// W2: 100 KB, an array of objects with strings, one object on a line.
#[must_use]
pub fn w2() -> String {
    w2_of(100_000)
}

/// A text like W2 of another length.
#[must_use]
pub fn w2_of(len: usize) -> String {
    records(len, None)
}

/// W3: like W2, 1 MB.
#[must_use]
pub fn w3() -> String {
    records(1_000_000, None)
}

/// One server-sent event as it stands on the wire.
#[derive(Clone, Debug)]
pub struct WireEvent {
    /// Its lines and the blank line.
    pub text: String,
    /// The bytes of its data.
    pub data_len: usize,
    /// What it says of the reply.
    pub content: String,
}

/// S: W2 as a provider in the manner of OpenAI sends it. First the role, last why it ended and the mark of the end.
#[must_use]
pub fn s() -> Vec<WireEvent> {
    s_of(&w2())
}

/// The events of another text.
#[must_use]
pub fn s_of(text: &str) -> Vec<WireEvent> {
    let mut random = Random::new(7);
    let mut events = vec![chat_event(&mut random, r#"{"role":"assistant","content":"","refusal":null}"#, "", "null")];
    for content in contents(text, &mut random) {
        let delta = format!(r#"{{"content":{}}}"#, quoted(&content));
        events.push(chat_event(&mut random, &delta, &content, "null"));
    }
    events.push(chat_event(&mut random, "{}", "", r#""stop""#));
    events.push(wire_event("", "[DONE]", ""));
    events
}

/// A: W2 as a provider in the manner of Anthropic sends it, the deltas alone.
#[must_use]
pub fn a() -> Vec<WireEvent> {
    let event = |content: String| {
        let text = quoted(&content);
        let data = format!(
            "{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":{text}}}}}"
        );
        wire_event("event: content_block_delta\n", &data, &content)
    };
    contents(&w2(), &mut Random::new(8)).into_iter().map(event).collect()
}

/// A text in pieces of 4 or 5 characters.
fn contents(text: &str, random: &mut Random) -> Vec<String> {
    let mut letters = text.chars();
    let piece = || {
        let piece: String = letters.by_ref().take(4 + random.below(2)).collect();
        (!piece.is_empty()).then_some(piece)
    };
    std::iter::from_fn(piece).collect()
}

fn quoted(content: &str) -> String {
    Value::from(content).to_string()
}

/// The random string is of random length too: it hides how long the content is.
fn chat_event(random: &mut Random, delta: &str, content: &str, reason: &str) -> WireEvent {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let hidden: String = (0..1 + random.below(12)).map(|_| char::from(LETTERS[random.below(LETTERS.len())])).collect();
    let data = format!(
        "{{\"id\":\"chatcmpl-7\",\"object\":\"chat.completion.chunk\",\"created\":1760000000,\
         \"model\":\"sample-4o-2026-01-01\",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_5a3c\",\
         \"choices\":[{{\"index\":0,\"delta\":{delta},\"logprobs\":null,\"finish_reason\":{reason}}}],\
         \"usage\":null,\"obfuscation\":\"{hidden}\"}}"
    );
    wire_event("", &data, content)
}

fn wire_event(name: &str, data: &str, content: &str) -> WireEvent {
    WireEvent { text: format!("{name}data: {data}\n\n"), data_len: data.len(), content: content.to_owned() }
}

/// W2 with 200 trailing commas and 200 line comments, each comment on a line of its own. What it means is [`w2`].
#[must_use]
pub fn dirty_w2() -> String {
    records(100_000, Some(200))
}

/// An array of records of about `len` bytes without the dirt. `dirt` says how many trailing commas, and how many
/// comments; they come from a generator of their own, so that the records stay the same.
fn records(len: usize, dirt: Option<usize>) -> String {
    let mut random = Random::new(2);
    let mut clean = Steered::new();
    let mut lines: Vec<String> = Vec::new();
    clean.text.push_str("[\n");
    while clean.text.len() < len - 140 {
        let start = clean.text.len();
        record(&mut clean, &mut random, lines.len());
        lines.push(clean.text[start..].to_owned());
        clean.text.push_str(",\n");
    }
    let dirt = dirt.unwrap_or(0);
    let mut dirty = Random::new(22);
    let mut out = String::from("[\n");
    let count = lines.len();
    for (index, line) in lines.into_iter().enumerate() {
        // Spread evenly: the number of marks up to here is index * dirt / count.
        let comma = (index + 1) * dirt / count - index * dirt / count;
        let shifted = index + count / 2;
        let comment = (shifted + 1) * dirt / count - shifted * dirt / count;
        for _ in 0..comment {
            let _ = writeln!(out, "// {} {} {}", dirty.pick(WORDS), dirty.pick(WORDS), dirty.pick(WORDS));
        }
        // A record ends in `]}`: the comma goes in front of one of the two.
        let (head, tail) = line.split_at(line.len() - if dirty.chance(50) { 1 } else { 2 });
        out.push_str(head);
        out.push_str(if comma > 0 { "," } else { "" });
        out.push_str(tail);
        out.push_str(if index + 1 < count { ",\n" } else { "\n" });
    }
    out.push(']');
    out
}

fn record(out: &mut Steered, random: &mut Random, index: usize) {
    let _ = write!(out.text, "{{\"id\":\"r{index}-{:x}\",\"name\":\"", random.below(0x10_0000));
    let words = 1 + random.below(3);
    prose(out, random, words);
    let states = ["open", "held", "sent", "closed", "returned"];
    let _ =
        write!(out.text, "\",\"state\":\"{}\",\"score\":{},\"note\":\"", random.pick(&states), random.below(10_000));
    // The note is the rudder: long where the text has more quotes than it should.
    out.count();
    let words = if out.lacks(out.quotes, 120) { 1 + random.below(8) } else { 10 + random.below(16) };
    prose(out, random, words);
    let _ = write!(out.text, "\",\"done\":{},\"tags\":[", random.chance(50));
    for tag in 0..1 + random.below(4) {
        let _ = write!(out.text, "{}\"{}\"", if tag > 0 { "," } else { "" }, random.pick(WORDS));
    }
    out.text.push_str("]}");
}

/// W4: 100 KB, one string of code in a small object.
#[must_use]
pub fn w4() -> String {
    w4_of(100_000)
}

/// A text like W4 of another length.
#[must_use]
pub fn w4_of(len: usize) -> String {
    let mut random = Random::new(4);
    let mut out = Steered::new();
    out.text.push_str("{\"path\":\"src/lib.rs\",\"code\":\"");
    let mut depth = 0;
    while out.text.len() < len - 100 {
        for _ in 0..depth {
            out.text.push_str("    ");
        }
        out.count();
        let (name, other, number) = (random.pick(WORDS), random.pick(WORDS), random.below(100_000));
        let quoted = out.lacks(out.backslashes, 40);
        let _ = match random.below(6) {
            0 if depth < 4 => {
                depth += 1;
                write!(out.text, "for {name} in {other}.iter().take({number}) {{")
            }
            1 if depth < 4 => {
                depth += 1;
                write!(out.text, "if {name}_{other}.len() > {number} {{")
            }
            0..=2 if depth > 0 => {
                depth -= 1;
                write!(out.text, "}} // {name} {other} {number}")
            }
            _ if quoted => match random.below(3) {
                0 => write!(out.text, "println!(\\\"{name}: {{}}\\\", {other}[{number}]);"),
                1 => write!(out.text, "{name}.insert(\\\"{other}\\\", \\\"{number}\\\");"),
                _ => write!(out.text, "let {name} = '\\\\t'; //\\t{other} {number}"),
            },
            _ => write!(out.text, "let {name}_{other} = self.{other}.saturating_add({number}) & {name};"),
        };
        out.text.push_str("\\n");
    }
    out.text.push_str("\",\"lines\":2500}");
    out.text
}

/// W5: 100 KB, an array of towers of objects and arrays, 64 deep with the array itself.
#[must_use]
pub fn w5() -> String {
    let mut random = Random::new(5);
    let mut out = String::from("[");
    let mut closers = Vec::new();
    while out.len() < 99_800 {
        if out.len() > 1 {
            out.push(',');
        }
        // The outer array is one level.
        while closers.len() < 63 {
            if random.chance(50) {
                let _ = write!(out, "{{\"{}\":", &random.pick(WORDS)[..1]);
                closers.push("}");
            } else {
                out.push('[');
                closers.push("]");
                if random.chance(20) {
                    let _ = write!(out, "{},", random.below(100));
                }
            }
        }
        let _ = write!(out, "{}", random.below(1_000));
        while let Some(closer) = closers.pop() {
            out.push_str(closer);
        }
    }
    out.push(']');
    out
}

/// W6: 100 KB, one array of numbers, 16 on a line: whole ones, decimals, and now and then an exponent.
#[must_use]
pub fn w6() -> String {
    let mut random = Random::new(6);
    let mut out = String::from("[");
    let mut count = 0;
    while out.len() < 99_990 {
        out.push_str(if count == 0 { "\n" } else { "," });
        out.push_str(if count % 16 == 0 && count > 0 { "\n" } else { "" });
        count += 1;
        if random.chance(20) {
            out.push('-');
        }
        let bound = 10_usize.pow(1 + random.below(9) as u32);
        let whole = random.below(bound);
        let _ = match random.below(20) {
            0..=15 => write!(out, "{whole}"),
            16..=18 => write!(out, "{}.{:02}", whole % 10_000, random.below(100)),
            _ => write!(out, "{}.{}e{}", 1 + whole % 9, random.below(1_000), random.below(30)),
        };
    }
    out.push_str("\n]");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str, wanted: impl Fn(u8) -> bool) -> f64 {
        100.0 * text.bytes().filter(|&byte| wanted(byte)).count() as f64 / text.len() as f64
    }

    fn assert_near(what: &str, found: f64, wanted: f64, tolerance: f64) {
        assert!((found - wanted).abs() <= tolerance, "{what}: {found} is not {wanted} ± {tolerance}");
    }

    fn value(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON: {error}"))
    }

    fn depth(value: &serde_json::Value) -> usize {
        match value {
            serde_json::Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
            serde_json::Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The length of the longest run that repeats with some period of up to 1,024 bytes.
    fn longest_repetition(text: &[u8]) -> usize {
        let run = |period: usize| {
            let mut longest = 0;
            let mut now = 0;
            for (near, far) in text[period..].iter().zip(text) {
                now = if near == far { now + 1 } else { 0 };
                longest = longest.max(now);
            }
            longest
        };
        (1..=1_024.min(text.len() - 1)).map(run).max().unwrap_or(0)
    }

    #[test]
    fn each_is_strict_json_of_its_size() {
        for (workload, size) in all().into_iter().zip([2e3, 1e5, 1e6, 1e5, 1e5, 1e5]) {
            let _ = value(&workload.text);
            assert_near(workload.name, workload.text.len() as f64, size, size * 0.03);
            assert_eq!(named(workload.name).text, workload.text, "the same bytes each time");
        }
    }

    #[test]
    fn proportions_are_as_stated() {
        for text in [w2(), w3()] {
            assert_near("quotes", share(&text, |byte| byte == b'"'), 12.0, 1.0);
            assert_near("backslashes", share(&text, |byte| byte == b'\\'), 0.3, 0.05);
            assert_near("above U+007F", share(&text, |byte| byte >= 0x80), 1.0, 0.1);
        }
        assert_near("backslashes", share(&w4(), |byte| byte == b'\\'), 4.0, 0.4);
        assert!(value(&w4())["code"].as_str().is_some_and(|code| code.len() > 94_000), "one string holds it all");
        assert_eq!(depth(&value(&w5())), 64);
        assert_eq!(share(&w6(), |byte| byte == b'"'), 0.0);
        assert!(w1().contains("\n      \"count\": "), "indented");
    }

    #[test]
    fn none_repeats_itself() {
        for workload in all() {
            // The beginning tells: the generators do not change on the way.
            let text = &workload.text.as_bytes()[..workload.text.len().min(40_000)];
            let longest = longest_repetition(text);
            assert!(longest < 200, "{}: {longest} bytes repeat", workload.name);
        }
    }

    #[test]
    fn numbers_of_w6_can_be_held() {
        let mut count = 0;
        for number in value(&w6()).as_array().expect("one array") {
            assert!(number.as_f64().is_some_and(f64::is_finite), "{number}");
            count += 1;
        }
        assert!(count > 10_000, "{count} numbers");
    }

    #[test]
    fn dirty_w2_means_w2() {
        let (dirty, mut comments, mut commas) = (dirty_w2(), 0, 0);
        let mut cleaned = String::new();
        for line in dirty.split_inclusive('\n') {
            if let Some(comment) = line.strip_prefix("//") {
                assert!(comment.trim().bytes().all(|byte| byte == b' ' || byte.is_ascii_lowercase()), "{comment:?}");
                comments += 1;
                continue;
            }
            let clean = line.replace(",}", "}").replace(",]}", "]}");
            commas += line.len() - clean.len();
            cleaned.push_str(&clean);
        }
        assert_eq!((comments, commas), (200, 200));
        assert_eq!(cleaned, w2());
    }

    #[test]
    fn chunks_give_the_text_back() {
        let text = w2();
        for len in [1, 4, 64, 1_400, usize::MAX] {
            let pieces = chunks(&text, len);
            assert_eq!(pieces.concat(), text);
            assert!(pieces[..pieces.len() - 1].iter().all(|piece| (len..len + 4).contains(&piece.len())));
        }
    }

    #[test]
    fn a_schema_says_what_is_alike() {
        assert_eq!(value(&schema_of("[{\"a\": [1, null]}]"))["items"]["properties"]["a"]["items"], true);
        let of_w2 = value(&schema_of(&w2()));
        assert_eq!(of_w2["items"]["properties"].as_object().map(Map::len), Some(7));
        assert_eq!(value(&schema_of(&w1()))["properties"]["items"]["items"]["required"][0], "count");
    }

    #[test]
    fn events_say_w2() {
        for (events, len) in [(s(), 293.0), (a(), 120.0)] {
            let said: String = events.iter().map(|event| event.content.as_str()).collect();
            assert_eq!(said, w2());
            let total: usize = events.iter().map(|event| event.text.len()).sum();
            assert_near("bytes of an event", total as f64 / events.len() as f64, len, 1.0);
            for event in events {
                let data = event.text.split("data: ").nth(1).and_then(|rest| rest.strip_suffix("\n\n")).expect("data");
                assert_eq!(data.len(), event.data_len);
                if data != "[DONE]" {
                    let (data, content) = (value(data), event.content.as_str());
                    let found = data.pointer("/choices/0/delta/content").or(data.pointer("/delta/text"));
                    assert_eq!(found.and_then(serde_json::Value::as_str).unwrap_or(""), content);
                }
            }
        }
    }

    #[test]
    fn seeds_make_different_texts_of_one_size() {
        for seed in 1..200 {
            let text = w1_of(seed);
            let _ = value(&text);
            assert_near("size", text.len() as f64, 2_000.0, 60.0);
            assert_ne!(text, w1_of(seed + 1));
        }
    }
}
