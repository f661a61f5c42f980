//! Properties over random documents and random text: every reply of every case is read under every split.
//!
//! The seed is fixed, so that a run is the same everywhere. `MORE_CASES=20 cargo test --test properties` tries twenty times as many
//! with a seed of its own.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use thusfar::{Cause, Code, Ending, Expect, FailureKind, Limits, RepairKind, Root, Take};
use thusfar_testkit::check::{Report, check, check_bytes};
use thusfar_testkit::tree::{QUOTING, Tree};
use thusfar_testkit::twin::equal_text;
use thusfar_testkit::workload::Random;

fn cases(count: u32) -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) };
    let default = ProptestConfig::default();
    let cases = count * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed: seed, failure_persistence: None, max_shrink_iters: 2_000, ..default }
}

// Documents.

/// What strings are made of, as it is written.
const CONTENT: [&str; 33] = [
    "a",
    "Zz ",
    "é",
    "😀",
    "{",
    "}",
    "[",
    "]",
    ",",
    ": ",
    "//",
    "/*",
    "*/",
    "```",
    "~~~json",
    "<think>",
    "</think>",
    "'",
    "\\\"",
    "\\\\",
    "\\/",
    "\\n",
    "\\t",
    "\\b",
    "\\f",
    "\\r",
    "\\u00e9",
    "\\ud83d\\uDE00",
    "\\u0000",
    "\\u0001",
    "\u{feff}",
    "\u{2028}",
    "\u{7f}",
];

const WORDS: [&str; 14] = [
    "true",
    "false",
    "null",
    "0",
    "-0",
    "12",
    "-0.5e3",
    "1.0",
    "1e-400",
    "1E+2",
    "18446744073709551616",
    "12345678901234567890123",
    "0.1234567890123456789",
    "999999999999999999999999999999999999999",
];

fn content() -> impl Strategy<Value = String> {
    prop_oneof![8 => vec(select(&CONTENT[..]), 0..5).prop_map(|pieces| pieces.concat()), 1 => Just(QUOTING.to_owned())]
}

fn word() -> impl Strategy<Value = String> {
    let float = any::<f64>().prop_filter("JSON has no such number", |number| number.is_finite());
    prop_oneof![
        select(&WORDS[..]).prop_map(str::to_owned),
        any::<i64>().prop_map(|number| number.to_string()),
        float.prop_map(|number| format!("{number:e}")),
    ]
}

/// Members without two equal keys.
fn record(members: Vec<(String, Tree)>) -> Tree {
    let mut seen = HashSet::new();
    let unescaped = |key: &str| serde_json::from_str::<String>(&format!("\"{key}\"")).expect("a string");
    Tree::Record(members.into_iter().filter(|(key, _)| seen.insert(unescaped(key))).collect())
}

/// Any value of about so many parts.
fn tree(size: u32) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![word().prop_map(Tree::Word), content().prop_map(Tree::Text)];
    leaf.prop_recursive(4, size, 4, |inner| {
        let list = vec(inner.clone(), 0..4).prop_map(Tree::List);
        prop_oneof![list, vec((content(), inner), 0..4).prop_map(record)]
    })
}

/// An object or an array.
fn root(size: u32) -> impl Strategy<Value = Tree> {
    let list = vec(tree(size), 0..4).prop_map(Tree::List);
    prop_oneof![list, vec((content(), tree(size)), 0..4).prop_map(record)]
}

/// An object with a member: nothing but JSON can have been meant.
fn object(size: u32) -> impl Strategy<Value = Tree> {
    vec((content(), tree(size)), 1..3).prop_map(record)
}

fn deep(tree: Tree, levels: usize) -> Tree {
    (0..levels).fold(tree, |tree, level| match level % 3 {
        0 => Tree::List(Vec::from([tree])),
        _ => Tree::Record(Vec::from([("k".to_owned(), tree)])),
    })
}

// What is expected.

fn ending() -> impl Strategy<Value = Ending> {
    select(Ending::ALL.map(|(ending, _)| ending).to_vec())
}

fn expect() -> impl Strategy<Value = Expect> {
    let root = select(vec![Root::Object, Root::Array, Root::Any, Root::Any, Root::Value]);
    let take = select(vec![Take::Only, Take::Only, Take::First, Take::Last, Take::Alone]);
    let without = prop_oneof![3 => Just(None), 1 => select(RepairKind::ALL.to_vec()).prop_map(Some)];
    let small = Limits { nesting: Some(2), repairs: Some(2), keys: Some(1), reply_len: Some(40), ..Limits::default() };
    let limits = prop_oneof![8 => Just(Limits::default()), 1 => Just(small)];
    (root, take, without, prop::bool::weighted(0.1), limits).prop_map(|(root, take, without, reasoning, limits)| {
        let expect = Expect::root(root).take(take).limits(limits);
        let expect = without.map_or(expect, |kind| expect.without(kind));
        if reasoning { expect.starts_in_reasoning() } else { expect }
    })
}

/// Strict JSON alone: no repair is allowed, nothing may stand around.
fn strict(root: Root) -> Expect {
    RepairKind::ALL.into_iter().fold(Expect::root(root).take(Take::Alone), Expect::without)
}

fn is_truncated(report: &Report, why: Cause) -> bool {
    matches!(report, Report::Failure { code, cause, .. } if code.kind() == FailureKind::Truncated && *cause == Some(why))
}

/// Repairs in no order.
fn sorted(mut kinds: Vec<RepairKind>) -> Vec<RepairKind> {
    kinds.sort_unstable();
    kinds
}

fn made(report: &Report) -> Vec<RepairKind> {
    sorted(report.repairs().into_iter().map(|(kind, _)| kind).collect())
}

// Text.

const FRAGMENTS: [&str; 64] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\\"",
    "\\",
    "\\n",
    "\\t",
    "//",
    "// c\n",
    "/*",
    "*/",
    "/* c */",
    "```",
    "~~~",
    "```json\n",
    "```\n",
    "```js\n",
    "json",
    "<think>",
    "</think>",
    "<reasoning>",
    "true",
    "nul",
    "null",
    "12",
    "-0.5e3",
    "01",
    "-",
    "abc",
    "é",
    "😀",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "(",
    ")",
    "f(",
    "'",
    "`",
    "…",
    "...",
    "\u{1}",
    "\u{feff}",
    "\\u0041",
    "\\ud83d",
    "\\ude00",
    "\"a\"",
    "\"a\": ",
    "\"b\": 2",
    "\\\"v\\\"",
    "{\"a\": 1}",
    "{\"a\": 1.0}",
    "{}",
    "[1]",
    "[\"x\"]",
    "> ",
    "- ",
    "\"x",
];

/// At most about sixty bytes, so that every split stays cheap.
fn text() -> impl Strategy<Value = String> {
    vec(select(&FRAGMENTS[..]), 0..24).prop_map(|pieces| {
        let mut text = pieces.concat();
        while text.len() > 64 {
            text.pop();
        }
        text
    })
}

/// A strict document with up to two places changed.
fn nearly_strict() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), prop::bool::ANY, select(&FRAGMENTS[..]));
    (tree(8), prop::bool::ANY, vec(change, 0..3)).prop_map(|(tree, pretty, changes)| {
        let mut text = if pretty { tree.pretty() } else { tree.compact() };
        for (place, delete, insert) in changes {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = places.get(place.index(places.len().max(1))).copied().unwrap_or(0);
            if delete && at < text.len() {
                text.remove(at);
            } else {
                text.insert_str(at, insert);
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(cases(400))]

    /// The scanner and `serde_json` agree on what is JSON, both ways.
    #[test]
    fn what_serde_json_reads_and_nothing_else(text in nearly_strict()) {
        // What thusfar reads beyond a value: reasoning, a fence, a byte order mark.
        prop_assume!(!text.trim_start().starts_with(['<', '`', '~', '\u{feff}']));
        let report = check(&text, strict(Root::Value), Ending::Stop);
        let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        prop_assume!(report.code() != Some(Code::DuplicateKey)); // a value to serde_json
        prop_assert_eq!(report.text().is_some(), is_json, "{:?}: {:?}", text, report);
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn strict_documents_come_out_byte_for_byte(root in root(16), levels in 0..60_usize, deep_one in prop::bool::weighted(0.2)) {
        let tree = if deep_one { deep(root, levels) } else { root };
        for text in [tree.compact(), tree.pretty()] {
            for ending in [Ending::Stop, Ending::Unknown] {
                let report = check(&text, Expect::any(), ending);
                prop_assert_eq!(report.text(), Some(&*text));
                prop_assert!(report.repairs().is_empty());
            }
        }
    }

    /// The same for what `serde_json` prints.
    #[test]
    fn printed_values_come_out_byte_for_byte(tree in root(16)) {
        let value: serde_json::Value = serde_json::from_str(&tree.compact()).expect("strict JSON");
        for text in [value.to_string(), format!("{value:#}")] {
            let report = check(&text, Expect::any(), Ending::Stop);
            prop_assert_eq!(report.text(), Some(&*text));
        }
    }

    /// A cut anywhere inside the document never yields one.
    #[test]
    fn a_cut_is_truncated(tree in root(5), seed: u64, front in 0..5_usize, ending in ending()) {
        let mut random = Random::new(seed);
        let kinds = if random.chance(50) { &RepairKind::ALL[..] } else { &[] };
        // Where nothing is promised a raw line end in the first key shows that its opener was none.
        let kinds = if matches!(front, 1 | 3) && !kinds.is_empty() { &RepairKind::ALL[..5] } else { kinds };
        let (document, _) = tree.dirty(&mut random, kinds);
        let front = ["", "Here it is: ", "```json\n", "~~~~\n", "Yes.\n```JSON5\n// as asked\n"][front];
        prop_assume!(front.len() + document.len() < 200);
        let whole = format!("{front}{document}");
        for end in front.len() + 1..whole.len() {
            let report = check_bytes(&whole.as_bytes()[..end], Expect::any(), ending);
            prop_assert!(is_truncated(&report, Cause::of(ending)), "{:?} cut at {}: {:?}", whole, end, report);
        }
    }

    /// Repairs undo what was done, and nothing else.
    #[test]
    fn repaired_documents_equal_the_clean_one(tree in root(12), seed: u64) {
        let (dirty, kinds) = tree.dirty(&mut Random::new(seed), &RepairKind::ALL);
        let report = check(&dirty, Expect::any(), Ending::Stop);
        let text = report.text();
        prop_assert!(text.is_some_and(|text| equal_text(text, &tree.compact())), "{:?}: {:?}", dirty, report);
        prop_assert_eq!(made(&report), sorted(kinds), "{:?}", dirty);
    }

    /// With a repair switched off, a document that needs it is none.
    #[test]
    fn with_a_repair_off_there_is_no_document(tree in root(8), seed: u64, kind in select(RepairKind::ALL.to_vec())) {
        let (dirty, kinds) = tree.dirty(&mut Random::new(seed), &[kind]);
        let report = check(&dirty, Expect::any().without(kind), Ending::Stop);
        prop_assert_eq!(report.text().is_some(), kinds.is_empty(), "{:?}: {:?}", dirty, report);
    }

    /// Two documents that are equal are one; two that differ are ambiguous.
    #[test]
    fn two_documents(one in object(6), other in object(6), frame in 0..4_usize) {
        let [front, between, behind] = [
            ["First ", " and then ", " done"],
            ["", "\n\nand\n\n", "\n"],
            ["```json\n", "\n```\nor\n```json\n", "\n```\n"],
            ["A draft:\n", "\n\n~~~json\n", "\n~~~\nbye"],
        ][frame];
        let (first, again, other) = (one.compact(), one.pretty(), other.compact());
        let equal = check(&[front, &first, between, &again, behind].concat(), Expect::any(), Ending::Stop);
        prop_assert!(equal.text().is_some_and(|text| equal_text(text, &first)), "{:?}", equal);
        let differ = !equal_text(&first, &other);
        let report = check(&[front, &first, between, &other, behind].concat(), Expect::any(), Ending::Stop);
        prop_assert_eq!(report.code() == Some(Code::DifferentDocuments), differ, "{:?}", report);
    }
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn text_read_in_any_chunks(text in text(), expect in expect(), ending in ending()) {
        check(&text, expect, ending);
    }

    #[test]
    fn bytes_read_in_any_chunks(
        parts in vec((select(&FRAGMENTS[..]), vec(any::<u8>(), 0..3), prop::bool::weighted(0.7)), 0..14),
        expect in expect(),
        ending in ending(),
    ) {
        let mut bytes = Vec::new();
        for (fragment, noise, clean) in parts {
            bytes.extend_from_slice(fragment.as_bytes());
            if !clean {
                bytes.extend_from_slice(&noise);
            }
        }
        bytes.truncate(64);
        check_bytes(&bytes, expect, ending);
    }
}
