//! The machine and the naive twin: one answer, at every prefix, for the corpora and for generated replies.

use thusfar::{Ending, Expect, Limits, RepairKind, Reply, Root, Take};
use thusfar_testkit::generate::case;
use thusfar_testkit::workload::Random;
use thusfar_testkit::{corpus, law};

/// The whole text, and what the machine says when it is cut behind each of its last characters.
fn agree(text: &str, prefixes: bool, expect: Expect, ending: Ending) {
    let mut reply = Reply::new(expect);
    for (at, char) in text.char_indices() {
        let end = at + char.len_utf8();
        let _ = reply.push(&text[at..end]);
        if prefixes || end == text.len() {
            law::agree(&reply, &expect, ending);
        }
    }
}

#[test]
fn the_reference_at_every_prefix() {
    for row in corpus::reference() {
        for root in [Root::Object, Root::Array, Root::Any, Root::Value] {
            for take in [Take::Only, Take::First, Take::Last, Take::Alone] {
                agree(&row.text, true, Expect::root(root).take(take), Ending::Unknown);
            }
            agree(&row.text, true, Expect::root(root), Ending::Stop);
            agree(&row.text, true, Expect::root(root), Ending::Cancelled);
        }
    }
}

#[test]
fn known_truth_whole_and_cut() {
    for (index, row) in corpus::known_truth().iter().enumerate() {
        agree(&row.text, false, Expect::object(), Ending::Unknown);
        let cut = row.text.floor_char_boundary(row.text.len() * (index % 10) / 10);
        agree(&row.text[..cut], false, Expect::any(), Ending::Length);
    }
}

/// What models said, and every beginning of it, for each kind of root.
#[test]
fn captures_whole_and_cut() {
    for row in corpus::captures() {
        for root in [Root::Object, Root::Array, Root::Any, Root::Value] {
            agree(&row.text, false, Expect::root(root), Ending::Stop);
            let mut end = 0;
            for chunk in &row.chunks {
                end += chunk;
                let whole = row.text.floor_char_boundary(end);
                agree(&row.text[..whole], false, Expect::root(root), Ending::Length);
            }
        }
    }
}

/// Pieces of replies; their neighbours are chance.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\\"",
    "\\n",
    "\\t",
    "//",
    "/*",
    "*/",
    "```",
    "~~~",
    "json",
    "<think>",
    "</think>",
    " ",
    "\n",
    "a",
    "b",
    "12",
    "-0.5e3",
    "1e400",
    "true",
    "null",
    "(",
    "f(",
    "'",
    "`",
    "...",
    "é",
    "”",
    "😀",
    "\"a\"",
    "\"b\"",
    "{\"a\": 1}",
    "{\"b\": [2]}",
    "[1]",
    "{}",
    "\\\\",
    "\\u0041",
    "\\ud83d",
    "\\ude00",
    "-",
    "*",
    "1.",
    ".",
    "\t",
    "\r\n",
    "python",
    "\"a\": 1",
    "\\\"x\\\"",
    "{\\\"a\\\": \\\"b\\\"}",
    "; ",
    ":-}",
    "\u{feff}",
    "```json\n",
    "```\n",
    "// c\n",
    "\"a\":",
    "\u{1}",
    "=",
    "{\"a\"",
    "[\"x\"",
    "say \\\"hi\\\" to",
    "```js\n",
    "}, \"c\": ",
    "<THINKING>",
    "$",
    "_",
    "/",
    "~",
];

fn pick<T: Copy>(random: &mut Random, items: &[T]) -> T {
    items[random.below(items.len())]
}

/// `MORE_CASES=N` makes it N times as many.
#[test]
fn generated_replies() {
    let more = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    let mut random = Random::new(2 + more as u64);
    for case in 0..20_000 * more {
        let text: String = (0..1 + random.below(14)).map(|_| pick(&mut random, PIECES)).collect();
        let mut expect =
            Expect::root(pick(&mut random, &[Root::Object, Root::Object, Root::Any, Root::Array, Root::Value]))
                .take(pick(&mut random, &[Take::Only, Take::Only, Take::First, Take::Last, Take::Alone]));
        if case % 12 == 0 {
            expect = expect.without(pick(&mut random, &RepairKind::ALL));
        }
        if case % 20 == 0 {
            expect = expect.starts_in_reasoning();
        }
        let ending =
            pick(&mut random, &[Ending::Stop, Ending::Unknown, Ending::Length, Ending::Cancelled, Ending::Filtered]);
        agree(&text, false, expect, ending);
    }
}

/// Replies of known truth, whole and damaged, asked for in every way.
#[test]
fn damaged_replies() {
    let more = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    for seed in 0..1_000 * more {
        let mut random = Random::new(seed);
        let case = case(&mut random);
        let damaged = (0..6).map(|_| case.one(&mut random).reply).chain([case.reply()]);
        for reply in damaged.collect::<Vec<_>>() {
            let root = pick(&mut random, &[case.root, case.root, Root::Any, Root::Object, Root::Array, Root::Value]);
            let take = pick(&mut random, &[Take::Only, Take::Only, Take::First, Take::Last, Take::Alone]);
            let ending = pick(&mut random, &[Ending::Stop, Ending::Unknown, Ending::Length, Ending::Cancelled]);
            agree(&reply, false, Expect::root(root).take(take), ending);
        }
    }
}

/// Runs of white space and of words, around and behind documents, under small guards.
#[test]
fn guards() {
    let limits = Limits {
        white_space: Some(300),
        repetition: Some(512),
        other_repetition: Some(1024),
        reply_len: Some(6000),
        ..Limits::default()
    };
    let mut random = Random::new(7);
    let words =
        ["{\"a\": \"", "{\"a\": 1}", "[", "\"}", "see ", "{\"b\": [", "]}", "```json\n", "\n```\n", "1, ", ",", "}"];
    let fillings = [
        (" ", 700),
        ("so on ", 150),
        ("\n", 400),
        ("0, ", 500),
        ("-", 1500),
        ("", 1),
        // The places of judgement lie inside characters and escapes.
        ("é ", 400),
        ("日本", 200),
        ("🙂", 300),
        ("\\n", 500),
        ("\\u00e9", 200),
        ("\\\\\\\"", 300),
        ("one sentence of some length that a model says again and again, ", 24),
    ];
    for _ in 0..600 {
        let mut text = String::new();
        for _ in 0..1 + random.below(5) {
            text.push_str(pick(&mut random, &words));
            let (filling, count) = pick(&mut random, &fillings);
            text.push_str(&filling.repeat(random.below(count)));
        }
        let take = pick(&mut random, &[Take::Only, Take::First, Take::Last]);
        agree(
            &text,
            false,
            Expect::object().take(take).limits(limits),
            pick(&mut random, &[Ending::Stop, Ending::Length]),
        );
    }
}
