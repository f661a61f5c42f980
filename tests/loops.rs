//! Loops that small models ran into, as they were captured and as they would have gone on: where a guard hangs up, and what it saves.

use std::fs;
use std::path::Path;

use thusfar::{Ending, Expect, FailureKind, Limits, Reply, WarningKind};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::corpus::{self, CaptureRow};
use thusfar_testkit::honest;

/// Every loop goes on to this length: a little more than the 64 KiB after which any exact repetition trips.
const GOES_ON_TO: usize = 68 << 10;

/// How a loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Byte for byte, with this period.
    Exact(usize),
    /// These lines, each level indented by so many spaces more: never the same bytes.
    Nested(&'static [&'static str], usize),
    /// Like itself and not the same: all of it once more, and again.
    Again,
}

use How::{Again, Exact, Nested};

const TYPE_AND_DATA: &[&str] = &["\"type\": \"json\",", "\"data\": {"];
const TYPE_AND_LIST: &[&str] = &["\"type\": \"json\",", "\"data\": [", "{"];

/// Capture, how it goes on, what stops it under the defaults, the byte at which that is certain, and what hanging up there saves of
/// 68 KiB: bytes, and deltas of the stream.
type Row = (&'static str, How, &'static str, usize, usize, usize);

/// A nest never repeats exactly: its depth stops it. What stands outside a document, or in a fence of another language, is not known
/// to be text in a string: 64 KiB.
const LOOPS: &[Row] = &[
    ("010", Nested(TYPE_AND_DATA, 2), "too_deep", 36_294, 33_337, 7279),
    ("013", Exact(6), "repetition", 4351, 65_280, 32_744),
    ("022", Nested(TYPE_AND_DATA, 4), "too_deep", 66_306, 3325, 373),
    ("039", Again, "repetition", 4351, 65_280, 15_490),
    ("042", Exact(6), "repetition", 4351, 65_280, 43_520),
    ("050", Exact(17), "repetition", 4351, 65_280, 23_029),
    ("088", Exact(85), "repetition", 65_535, 4096, 1445),
    ("099", Exact(63), "repetition", 4351, 65_280, 30_362),
    ("109", Exact(38), "repetition", 65_791, 3840, 1420),
    ("111", Nested(TYPE_AND_LIST, 4), "too_deep", 50_442, 19_189, 3140),
    ("119", Exact(15), "repetition", 65_791, 3840, 1522),
    ("129", Exact(29), "repetition", 65_791, 3840, 1428),
];

/// The limits on repetition that the page compares; the last is the default.
const LOWERED: [usize; 4] = [512, 1024, 2048, 4096];

fn expect(row: &CaptureRow, limits: Limits) -> Expect {
    let expect = match &*row.root {
        "object" => Expect::object(),
        "array" => Expect::array(),
        "value" => Expect::value(),
        _ => Expect::any(),
    };
    expect.limits(limits)
}

/// The loops of the captures, each with how it goes on.
fn loops() -> Vec<(CaptureRow, Row)> {
    let rows: Vec<_> = corpus::captures().into_iter().filter(|row| row.label.is == "loop").collect();
    assert_eq!(rows.len(), LOOPS.len(), "each has a row");
    let known = |row: &CaptureRow| *LOOPS.iter().find(|known| known.0 == row.id).expect("a row");
    rows.into_iter().map(|row| (known(&row), row)).map(|(known, row)| (row, known)).collect()
}

fn lowered(repetition: usize) -> Limits {
    Limits { repetition: Some(repetition), ..Limits::default() }
}

/// The smallest period of a text that stands in it twice.
fn period(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (1..=bytes.len() / 2).find(|&period| bytes[period..] == bytes[..bytes.len() - period])
}

/// The text with its loop going on to a length.
fn going_on(row: &CaptureRow, how: How, len: usize) -> String {
    let from = row.label.from.expect("a loop says where it begins");
    let mut text = row.text.clone();
    match how {
        Exact(period) => {
            while text.len() < len {
                let next = text[text.len() - period..].chars().next().expect("a period");
                text.push(next);
            }
        }
        Again => {
            while text.len() < len {
                text.push_str(&row.text[from..]);
            }
        }
        Nested(lines, step) => {
            // The last line is not whole: the loop goes on behind the one before it.
            text.truncate(text.rfind('\n').expect("lines"));
            let last = text.lines().next_back().expect("lines");
            let mut indent = last.len() - last.trim_start().len();
            let mut at = lines.iter().position(|line| *line == last.trim_start()).expect("a line of the loop");
            while text.len() < len {
                indent += if lines[at].ends_with(['{', '[']) { step } else { 0 };
                at = (at + 1) % lines.len();
                text.push_str(&format!("\n{}{}", " ".repeat(indent), lines[at]));
            }
        }
    }
    text.truncate((0..=len).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default());
    text
}

/// The code and the byte at which it was certain.
fn stop(report: &Report) -> (&'static str, usize) {
    match report {
        Report::Failure { code, decided_at, .. } => (code.as_str(), *decided_at),
        Report::Document { .. } => ("ok", usize::MAX),
    }
}

/// Deltas of the loop that so many bytes take.
fn deltas(row: &CaptureRow, bytes: usize) -> usize {
    let from = row.label.from.unwrap_or_default();
    let mut at = 0;
    let inside = row.chunks.iter().filter(|&len| {
        at += len;
        at > from
    });
    bytes * inside.count() / (row.text.len() - from)
}

#[test]
fn a_loop_that_goes_on_is_stopped() {
    for (row, known) in loops() {
        let (id, how, ..) = known;
        if let Exact(known) = how {
            let tail = &row.text[row.label.from.expect("a beginning")..];
            assert_eq!(period(tail), Some(known), "{id}");
        }
        let text = going_on(&row, how, GOES_ON_TO);
        let (code, at) = stop(&check(&text, expect(&row, Limits::default()), Ending::Unknown));
        let saved = text.len().saturating_sub(at.saturating_add(1));
        let deep = text.bytes().take(at.saturating_add(1)).filter(|byte| b"{[".contains(byte)).count();
        assert!(code != "too_deep" || deep == 128, "{id}: the opener that is one too many");
        assert_eq!((id, how, code, at, saved, deltas(&row, saved)), known);
    }
}

/// None of the loops is stopped as it was captured, under any of these limits: the models' budgets, 40 to 300 tokens, ended first.
#[test]
fn a_budget_of_a_few_hundred_bytes_ends_before_a_guard() {
    for (row, _) in loops() {
        assert!(row.text.len() < 1100, "{}", row.id);
        for limit in LOWERED {
            let report = check(&row.text, expect(&row, lowered(limit)), Ending::Unknown);
            assert_ne!(report.outcome(), "runaway", "{} at {limit}", row.id);
        }
    }
}

/// A nest is stopped earlier by a lower limit of nesting, a loop without JSON by a guard on the text before the document.
#[test]
fn other_limits_stop_what_does_not_repeat_in_a_string() {
    let limits = Limits { nesting: Some(32), text_before: Some(4096), ..Limits::default() };
    let wanted = [
        ("010", "too_deep", 3044),
        ("022", "too_deep", 4556),
        ("088", "no_document", 4095),
        ("109", "no_document", 4095),
        ("111", "too_deep", 3684),
        ("119", "no_document", 4095),
        ("129", "no_document", 4095),
    ];
    let others = loops().into_iter().filter(|(_, known)| known.3 > 4351);
    let got: Vec<_> = others
        .map(|(row, (id, how, ..))| {
            let text = going_on(&row, how, 8192);
            let (code, at) = stop(&check(&text, expect(&row, limits), Ending::Unknown));
            let deep = text[..=at].matches(['{', '[']).count();
            assert!(code != "too_deep" || deep == 33, "{id}: the opener that is one too many");
            (id, code, at)
        })
        .collect();
    assert_eq!(got, wanted);
}

/// Whether a guard on white space or repetition stops a reply. Each text here is under `check()` elsewhere; this counts.
fn trips(text: &str, expect: Expect) -> bool {
    let mut reply = Reply::new(expect);
    let _ = reply.push(text);
    match reply.finish(Ending::Unknown) {
        Ok(document) => document.warnings().iter().any(|warning| warning.kind == WarningKind::TailUnread),
        Err(failure) => failure.kind() == FailureKind::Runaway,
    }
}

/// The row of the page for one limit: loops that are stopped within 8 KiB and the bytes read until then, and what else is stopped.
fn gain(limit: usize) -> String {
    let limits = lowered(limit);
    let stops: Vec<_> = loops()
        .iter()
        .filter_map(|(row, (_, how, ..))| {
            let text = going_on(row, *how, 8192);
            let (code, at) = stop(&check(&text, expect(row, limits), Ending::Unknown));
            (code == "repetition").then_some(at + 1)
        })
        .collect();
    let mean = stops.iter().sum::<usize>() / stops.len();
    let honest = honest::all();
    let taken = honest.iter().filter(|text| trips(&text.usual().reply, Expect::any().limits(limits))).count();
    let captures = corpus::captures().into_iter().filter(|row| row.label.is != "loop");
    let captures = captures.filter(|row| trips(&row.text, expect(row, limits))).count();
    let texts = corpus::reference().into_iter().map(|row| row.text);
    let texts = texts.chain(corpus::known_truth().into_iter().map(|row| row.text));
    let cases = corpus::cases().into_iter().filter(|row| row.kind == "json" && row.expected["outcome"] != "runaway");
    let texts = texts.chain(cases.map(|row| row.input));
    let rows = texts.filter(|text| trips(text, Expect::any().limits(limits))).count();
    format!("| {limit} | {} | {mean} | {taken} of {} | {captures} | {rows} |", stops.len(), honest.len())
}

/// The page tells what a lower limit gains and what it costs.
#[test]
fn what_a_lower_limit_gains() {
    let design = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("DESIGN.md")).expect("the page");
    let rows: Vec<_> = LOWERED.iter().rev().map(|limit| gain(*limit)).collect();
    let missing: Vec<_> = rows.iter().filter(|row| !design.contains(*row)).cloned().collect();
    assert!(missing.is_empty(), "not in DESIGN.md:\n{}", missing.join("\n"));
}
