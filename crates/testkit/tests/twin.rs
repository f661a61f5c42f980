//! The naive twin against the vectors: hand-written replies, replies of known truth, reported cases.

use serde_json::Value;
use thusfar_core::{Ending, Expect, FailureKind, Limits, RepairKind, Take};
use thusfar_testkit::corpus;
use thusfar_testkit::twin::{self, Verdict};

fn expect(root: &str) -> Expect {
    match root {
        "object" => Expect::object(),
        "array" => Expect::array(),
        "any" => Expect::any(),
        "value" => Expect::value(),
        _ => panic!("unknown root {root}"),
    }
}

fn outcome(verdict: &Verdict) -> &'static str {
    verdict.result.as_ref().map_or_else(|lost| lost.code.kind().as_str(), |_| "ok")
}

fn repairs(verdict: &Verdict) -> Vec<(&'static str, usize)> {
    let repairs = verdict.result.as_ref().map_or_else(|lost| &lost.repairs, |found| &found.repairs);
    repairs.iter().map(|&(kind, offset)| (kind.as_str(), offset)).collect()
}

fn value(verdict: &Verdict) -> Option<Value> {
    let text = &verdict.result.as_ref().ok()?.text;
    Some(serde_json::from_str(text).unwrap_or_else(|error| panic!("not strict: {error}: {text}")))
}

/// Equal by value, or as near as the file's own numbers: the vectors were written by a reader of doubles.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64().is_some_and(|number| Some(number) == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

/// Fails with every row that differs, so that one run tells all.
fn report(differences: &[String]) {
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn agrees_with_the_hand_written_replies() {
    let mut differences = Vec::new();
    for row in corpus::reference() {
        let verdict = twin::read(&row.text, &expect(&row.root), Ending::Unknown);
        let wanted: Vec<_> = row.want.repairs.iter().map(|repair| (repair.kind.as_str(), repair.offset)).collect();
        let offset = verdict.result.as_ref().err().map(|lost| lost.offset);
        let same_value =
            row.want.value.as_ref().is_none_or(|want| value(&verdict).is_some_and(|got| equal(want, &got)));
        if outcome(&verdict) != row.want.outcome
            || !same_value
            || repairs(&verdict) != wanted
            || (row.want.offset.is_some() && offset != row.want.offset)
        {
            differences.push(format!("{} {:?}: {:?} {:?}", row.name, row.text, row.want, verdict.result));
        }
    }
    report(&differences);
}

#[test]
fn never_gives_another_value_than_the_known_truth() {
    let mut differences = Vec::new();
    for row in corpus::known_truth() {
        let verdict = twin::read(&row.text, &expect(&row.root), Ending::Unknown);
        let as_wanted = match value(&verdict) {
            Some(value) => row.want == "value" && equal(&row.truth, &value),
            None => outcome(&verdict) == row.want,
        };
        if !as_wanted {
            differences.push(format!("{} {:?} {:?}: {} {:?}", row.id, row.kinds, row.text, row.want, verdict.result));
        }
    }
    report(&differences);
}

/// Rows whose offset is another one than the contract's, and why.
const OTHER_OFFSETS: [(&str, &str); 2] = [
    (
        "surrogate-lone-high-complete",
        "a lone surrogate stands at its backslash, as in `lone_surrogate` of the reference",
    ),
    ("brace-template-doubled", "the inner document closes too early, as in `inner_of_js` of the reference"),
];

#[test]
fn agrees_with_the_reported_cases() {
    let mut differences = Vec::new();
    for row in corpus::cases().iter().filter(|row| row.kind == "json") {
        let wanted = &row.expected;
        if row.chunks_b64.is_some() && row.input.contains('\u{fffd}') {
            continue; // not UTF-8: the twin reads text
        }
        let is_list = row.input.trim_start().starts_with('[') || wanted["value"].is_array();
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let defaults = Limits::default();
        let repetition = number(&row.context["guard"]["repetition"]);
        let limits = Limits {
            repetition: repetition.or(defaults.repetition),
            other_repetition: repetition.or(defaults.other_repetition),
            nesting: number(&row.context["max_depth"]).or(defaults.nesting),
            ..defaults
        };
        let expect = expect(if is_list { "any" } else { "object" }).limits(limits);
        let verdict = twin::read(&row.input, &expect, Ending::Unknown);

        let mut kinds: Vec<_> = repairs(&verdict).into_iter().map(|(kind, _)| kind).collect();
        let mut wanted_kinds: Vec<&str> =
            wanted["repairs"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for kinds in [&mut kinds, &mut wanted_kinds] {
            kinds.sort_unstable();
            kinds.dedup();
        }
        let got = if outcome(&verdict) == "ok" && !kinds.is_empty() { "ok_repaired" } else { outcome(&verdict) };
        let same_value = match value(&verdict) {
            Some(value) => wanted.get("value").is_none_or(|wanted| equal(wanted, &value)) && kinds == wanted_kinds,
            None => true,
        };
        let offset = verdict.result.as_ref().err().map(|lost| lost.offset);
        let is_other = OTHER_OFFSETS.iter().any(|(id, _)| *id == row.id);
        let same_offset = is_other || number(&wanted["offset"]).is_none_or(|wanted| offset == Some(wanted));
        if wanted["outcome"] != got || !same_value || !same_offset {
            differences.push(format!("{} {:?}: {} {:?}", row.id, row.input, wanted, verdict.result));
        }
    }
    report(&differences);
}

/// Every prefix of every vector, under every ending and expectation: no panic, and offsets that make sense.
#[test]
fn reads_every_prefix() {
    let roots = [Expect::object(), Expect::array(), Expect::any(), Expect::value()];
    let takes = [Take::Only, Take::First, Take::Last, Take::Alone];
    for row in corpus::reference() {
        for end in (0..=row.text.len()).filter(|&end| row.text.is_char_boundary(end)) {
            let text = &row.text[..end];
            for (expect, (ending, _)) in roots.iter().flat_map(|root| Ending::ALL.map(|ending| (root, ending))) {
                for take in takes {
                    match twin::read(text, &expect.take(take), ending).result {
                        Ok(found) => {
                            let parsed = serde_json::from_str::<Value>(&found.text);
                            assert!(parsed.is_ok(), "{text:?}: {}", found.text);
                            let raw = &text[found.span.0..found.span.1];
                            assert!(!found.repairs.is_empty() || raw == found.text, "{text:?}");
                        }
                        Err(lost) => {
                            assert!(
                                lost.offset <= lost.decided_at && lost.decided_at <= text.len(),
                                "{text:?}: {lost:?}"
                            );
                            assert_eq!(lost.cause.is_some(), lost.code.kind() == FailureKind::Truncated, "{text:?}");
                        }
                    }
                }
            }
        }
    }
}

/// Pieces that replies are made of where the rules meet.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "{\"a\": 1}",
    "{\"b\": [1, 2]}",
    "{\"a\": 1.0}",
    "{}",
    "[1]",
    "[\"x\"]",
    "\"a\": ",
    "\"k\"",
    ",",
    ":",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\\\"",
    "\\\"v\\\"",
    "\\n",
    "\\t",
    "\\",
    "\"",
    "'",
    "`",
    "```",
    "```json",
    "```json\n",
    "```\n",
    "```js\n",
    "~~~",
    "````",
    "<think>",
    "</think>",
    "<think>\n",
    "// c\n",
    "/* c */",
    "// \"q\": 1\n",
    "/* ... */",
    "// …\n",
    "1",
    "-1",
    "1e5",
    "01",
    "true",
    "null",
    "nul",
    "word",
    "f(",
    "(",
    ")",
    "é",
    "😀",
    "\u{1}",
    "\\u0041",
    "\\ud83d",
    "\\ude00",
    "- ",
    "1. ",
    "> ",
    ":-}",
    "…",
    ", and ",
    ", 2 items",
    "{\"a\": \\\"x\\\"}",
    "{\"a\": 2, \"a\": 2}",
    "{\"a\": 1, \"a\": 2}",
    "{\\\"a\\\": 1}",
    "\u{feff}",
];

/// A small generator of numbers: the same replies in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

/// Mostly the defaults, else limits that small replies reach.
fn limits(numbers: &mut Numbers) -> Limits {
    let defaults = Limits::default();
    match numbers.below(8) {
        0 => Limits { nesting: Some(1 + numbers.below(4)), keys: Some(numbers.below(3)), ..defaults },
        1 => Limits { repairs: Some(numbers.below(4)), reply_len: Some(numbers.below(60)), ..defaults },
        2 => Limits { white_space: Some(numbers.below(300)), ..defaults },
        3 => Limits { repetition: Some(numbers.below(600)), other_repetition: Some(numbers.below(600)), ..defaults },
        4 => Limits::NONE,
        _ => defaults,
    }
}

/// What is certain at a byte stays so: cut anywhere behind it, and ended in any way, the reply fails the same way.
#[test]
fn what_is_certain_stays_certain() {
    let roots = [Expect::object(), Expect::array(), Expect::any(), Expect::value()];
    let takes = [Take::Only, Take::First, Take::Last, Take::Alone];
    let mut numbers = Numbers(1);
    for _ in 0..samples() {
        let count = 1 + numbers.below(14);
        let mut text: String = (0..count).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
        if numbers.below(16) == 0 {
            let piece = PIECES[numbers.below(PIECES.len())].repeat(300);
            let at = numbers.below(text.len());
            text.insert_str((0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0), &piece);
        }
        let mut expect = roots[numbers.below(4)].take(takes[numbers.below(4)]).limits(limits(&mut numbers));
        if numbers.below(8) == 0 {
            expect = expect.without(RepairKind::ALL[numbers.below(6)]);
        }
        if numbers.below(16) == 0 {
            expect = expect.starts_in_reasoning();
        }
        let ending = Ending::ALL[numbers.below(9)].0;
        let verdict = twin::read(&text, &expect, ending);
        let Err(lost) = &verdict.result else { continue };
        let stride = 1 + text.len() / 200;
        for end in (lost.decided_at + 1..text.len()).step_by(stride).filter(|&end| text.is_char_boundary(end)) {
            let other = Ending::ALL[numbers.below(9)].0;
            let cut = twin::read(&text[..end], &expect, other);
            assert_eq!(cut, verdict, "{:?} cut at {end} of {text:?}, {expect:?}", &text[..end]);
        }
        for end in (0..lost.decided_at).rev().step_by(stride).filter(|&end| text.is_char_boundary(end)) {
            // Nothing is called certain before the byte that is named for it.
            if let Err(early) = twin::read(&text[..end], &expect, ending).result {
                assert!(early.decided_at >= end, "{:?} of {text:?}: {early:?} {lost:?}", &text[..end]);
            }
        }
    }
}

/// How many replies are tried; more with `TWIN_SAMPLES`.
fn samples() -> usize {
    std::env::var("TWIN_SAMPLES").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000)
}
