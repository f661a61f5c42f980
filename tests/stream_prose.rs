//! Replies that are no JSON: prose full of braces, code and tables goes through a stream as it is, and nothing is said of it.

use thusfar::Ending;
use thusfar::stream::SessionOptions;
use thusfar_testkit::events;
use thusfar_testkit::random::Random;
use thusfar_testkit::streams::{StreamReport, check_stream, cut_stream_by};

/// What prose is made of.
const PARTS: &[&str] = &[
    "In Rust you would write `fn main() { println!(\"{}\", 1); }` for that.\n",
    "```python\nprint({'a': 1, \"b\": [2, 3,]})\n```\n",
    "```json\n{\"a\": 1, \"b\": [true, null]}\n```\n",
    "```json\n{\"never\": \"closed\n```\n",
    "| name | value |\n|---|---|\n| {x} | [1, 2] |\n| \"q\" | \\n |\n",
    "A set {1, 2, 3}, a map {key: value}, an interval [0, 1).\n",
    "if (x) { y(); } else { z[0] = {}; }\n",
    "<think>{\"a\": 1}</think>\n",
    "C:\\temp\\new, a tab\tand a \u{1}control.\n",
    "Ünïcödé, 日本語, emoji 👩‍👩‍👧 and a flag 🇨🇭.\n",
    "data: {\"choices\": [{\"delta\": {\"content\": \"quoted\"}}]}\n\ndata: [DONE]\n\n",
    "event: error\ndata: {\"error\": \"not one\"}\n\n",
    "{\"tool_calls\": [{\"function\": {\"arguments\": \"{'a'\"}}]}\n",
    "{{{{ ]]]] }}}} [[[[\n",
    "\"finish_reason\": \"length\"\r\n",
    "- one\n- two\n  - {three}\n",
    "${variable} #{ruby} {{mustache}} {% raw %}\n",
    "// a comment } /* and { another */\n",
];

fn prose(random: &mut Random) -> String {
    (0..2 + random.below(7)).map(|_| random.pick(PARTS)).collect()
}

/// Pieces of one to eight characters.
fn deltas<'a>(random: &mut Random, text: &'a str) -> Vec<&'a str> {
    let mut rest = text;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let len = rest.char_indices().nth(1 + random.below(8)).map_or(rest.len(), |(at, _)| at);
        let (piece, behind) = rest.split_at(len);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn hold(report: &StreamReport, texts: &[&str], seed: u64) {
    let lanes = report.summary["lanes"].as_array().expect("lanes");
    let found: Vec<_> = lanes.iter().map(|lane| lane["text"].as_str().expect("text")).collect();
    assert_eq!(found, texts, "seed {seed}");
    assert!(lanes.iter().all(|lane| lane["kind"] == "text"), "seed {seed}: {lanes:?}");
    assert!(report.outcomes.iter().all(Option::is_none), "seed {seed}: nothing is judged");
    assert_eq!((&report.advice, &*report.warnings), (&None, &[][..]), "seed {seed}");
    assert_eq!(report.summary["outcome"], "complete", "seed {seed}");
    assert!(report.summary["error"].is_null(), "seed {seed}");
}

/// Every tenth is cut in many ways, the others in a few.
fn read(body: &str, seed: u64) -> StreamReport {
    let options = SessionOptions::default();
    match seed % 10 {
        0 => check_stream(body.as_bytes(), &options, Ending::Unknown),
        _ => cut_stream_by(body.as_bytes(), &options, Ending::Unknown, &[seed as usize % 97, 0, 13]),
    }
}

#[test]
fn chat_completions() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let text = prose(&mut random);
        let body: String = deltas(&mut random, &text).into_iter().map(|delta| events::text(0, delta)).collect();
        let report = read(&(body + &events::finish(0, "stop") + events::DONE), seed);
        hold(&report, &[&text], seed);
    }
}

#[test]
fn choices_that_take_turns() {
    for seed in 1000..1040 {
        let mut random = Random::new(seed);
        let texts = [prose(&mut random), prose(&mut random)];
        let mut queues = texts.each_ref().map(|text| deltas(&mut random, text));
        queues.iter_mut().for_each(|queue| queue.reverse());
        let mut body =
            queues.iter_mut().zip(0..).filter_map(|(queue, choice)| Some(events::text(choice, queue.pop()?)));
        let mut body: String = body.by_ref().collect();
        while queues.iter().any(|queue| !queue.is_empty()) {
            let choice = random.below(2);
            body += &queues[choice].pop().map_or(String::new(), |delta| events::text(choice as u32, delta));
        }
        body = body + &events::finish(1, "stop") + &events::finish(0, "stop") + events::DONE;
        hold(&read(&body, seed), &[&texts[0], &texts[1]], seed);
    }
}

#[test]
fn messages() {
    for seed in 2000..2200 {
        let mut random = Random::new(seed);
        let text = prose(&mut random);
        let body = events::text_message(deltas(&mut random, &text), "end_turn");
        hold(&read(&body, seed), &[&text], seed);
    }
}
