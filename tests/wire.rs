//! The wire: the vectors of event streams, cases, recordings of providers, and bodies made by chance, under every way of cutting.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use serde_json::value::RawValue;
use thusfar::stream::diagnosis::QUOTATION_LEN;
use thusfar::stream::{BodyKind, Limits};
use thusfar_testkit::corpus::{self, CaseRow, SseEvent, SseRow};
use thusfar_testkit::random::Random;
use thusfar_testkit::wire::{self, Decoder, End, Report, SSE, Said, check_wire, cut_by, is_whole_data, named};

fn read(body: &[u8]) -> Report {
    check_wire(&SSE, Limits::default(), body)
}

fn end(report: &Report) -> &End {
    report.end.as_ref().expect("no limit is reached")
}

// The vectors.

/// An event as a row would tell it.
fn event(said: &Said) -> SseEvent {
    let Said::Event { name, id, retry, .. } = said else { panic!("no event: {said:?}") };
    SseEvent { event: name.clone(), data: said.text(), id: id.clone(), retry: *retry }
}

fn events(report: &Report) -> Vec<SseEvent> {
    report.items.iter().filter(|said| matches!(said, Said::Event { .. })).map(event).collect()
}

/// How many events are out after each chunk.
fn events_by_chunk(chunks: &[Vec<u8>]) -> Vec<usize> {
    let mut decoder = (SSE.make)(Limits::default());
    let mut count = 0;
    let out = chunks.iter().map(|chunk| {
        let mut rest = &chunk[..];
        while let Some(item) = decoder.next_item(&mut rest).expect("no limit is reached") {
            count += usize::from(item.event().is_some());
        }
        count
    });
    out.collect()
}

fn hold(row: &SseRow) {
    let (name, chunks) = (&row.name, corpus::chunks(&row.chunks_b64));
    assert_eq!(events_by_chunk(&chunks), row.events_by_chunk, "{name}: after each chunk");
    let report = read(&chunks.concat());
    assert_eq!(events(&report), row.events, "{name}");
    let known = (row.known.last_event_id.clone().into_bytes(), row.known.retry);
    assert_eq!(report.told, Some(known), "{name}: at the end");
    let end = end(&report);
    let flags = (end.partial_line, end.pending_event);
    assert_eq!(flags, (row.eof.partial_line, row.eof.pending_event), "{name}: left at the end");
    // A lenient reader takes what is pending as it is; here it must be whole besides.
    let whole = row.events_eof_flush.iter().filter(|event| is_whole_data(&event.data, row.eof.partial_line));
    assert_eq!(end.whole.iter().map(event).collect::<Vec<_>>(), whole.cloned().collect::<Vec<_>>(), "{name}: whole");
}

#[test]
fn vectors() {
    let rows = corpus::sse();
    assert_eq!(rows.len(), 179);
    rows.iter().for_each(hold);
    let flushed = rows.iter().filter(|row| !row.events_eof_flush.is_empty()).count();
    assert!(flushed > 10, "{flushed} rows have something to offer");
}

/// What no row of the vectors says: a name, a body, the items, and what of the rest is whole.
#[test]
fn beside_the_vectors() {
    let error = |data: &str| Said::Error { name: "error".to_owned(), data: data.into() };
    let event =
        |data: &str, retry| Said::Event { name: "message".to_owned(), data: data.into(), id: String::new(), retry };
    let cases: [(&str, &str, &[Said], Option<Said>); 20] = [
        ("an error is out with its line", "error: {\"code\": 1}\n", &[error("{\"code\": 1}")], None),
        ("an error inside an event", "data: 1\nerror:x\ndata: 2\n\n", &[error("x"), event("1\n2", None)], None),
        ("an error without a value", "error\n", &[error("")], None),
        ("names of errors are whole", "errors: 1\nerro: 1\n error: 1\nError: 1\n", &[], None),
        ("an error without its end", "error: {}", &[], Some(error("{}"))),
        ("a word is no error that is whole", "error: [DONE]", &[], None),
        ("a number may go on", "error: 12", &[], None),
        ("an error takes the place of the event before it", "data: {}\nerror: {}", &[], Some(error("{}"))),
        ("retry is that of its own block", "retry: 5\n\ndata: 1\n\n", &[event("1", None)], None),
        ("the last retry of a block", "retry: 5\nretry: 6\nretry: x\ndata: 1\n\n", &[event("1", Some(6))], None),
        ("longer than any number", "retry: 99999999999999999999\ndata: 1\n\n", &[event("1", Some(u64::MAX))], None),
        ("pending data and the rest of them", "data: {\ndata: }", &[], Some(event("{\n}", None))),
        ("a comment is no field", "data: {}\n: cut", &[], Some(event("{}", None))),
        ("a line that was cut may be a field", "data: {}\nda", &[], None),
        ("or any other", "data: {}\nid: 1", &[], None),
        ("a number that was ended", "data: 12\n", &[], Some(event("12", None))),
        ("a number that was not", "data: 12", &[], None),
        ("a number that was ended, and an empty line", "data: 12\ndata:", &[], Some(event("12\n", None))),
        ("a line separator ends no line", "data: \"\u{2028}\"", &[], Some(event("\"\u{2028}\"", None))),
        ("a form feed is no white space", "data: {}\u{C}\n", &[], None),
    ];
    for (why, body, items, whole) in cases {
        let report = read(body.as_bytes());
        assert_eq!((&*report.items, &end(&report).whole), (items, &whole), "{why}: {body:?}");
    }
}

/// Where a body was cut inside of something, and where not: beside what `tests/wire_bodies.rs` tells.
#[test]
fn cuts() {
    let cases = [
        ("sse", "data: {}\n", true),
        ("sse", "event: a\n", true),
        ("sse", "id: 1\n", true),
        ("sse", "id\n", true),
        ("sse", "retry: 1\n", true),
        ("sse", "x", true),
        ("sse", "\u{FEFF}\u{FEFF}", true),
        ("sse", "event:\n", false),
        ("sse", "id: \0\n", false),
        ("sse", "retry: x\n", false),
        ("sse", "unknown: 1\n", false),
        ("sse", "error: 1\n", false),
        ("sse", "event: a\n\n", false),
        ("sse", ": ping", false),
        ("sse", "\u{FEFF}", false),
        ("ndjson", "{}\n[1", true),
        ("ndjson", "{}\nword", true),
        ("ndjson", "{}\n[1]", false),
        ("ndjson", "{}\n ", false),
        ("array", "[1", true),
        ("array", "[1,", true),
        ("array", "[1] ", false),
        ("aws", "\0\0", true),
        ("aws", "", false),
        ("body", "{\"a\": 1}\n{\"b\": 2", true),
        ("body", "{\"a\": 1}\n{\"b\": 2}", false),
        ("body", "{\"error\": 1}\n\n", false),
    ];
    for (framing, body, is_cut) in cases {
        let report = check_wire(&named(framing), Limits::default(), body.as_bytes());
        assert_eq!(end(&report).is_cut, is_cut, "{framing} {body:?}");
    }
}

/// The first document is quoted, and nothing else of what is no event.
#[test]
fn quotations() {
    let cases = [
        ("sse", "what\nis this\n", "what\nis this\n", true),
        ("sse", "what\r\nis this", "what\nis this", true),
        ("sse", "what\n{\n1\n{\"a\": 1}\nbehind\n", "{\"a\": 1}\n", true),
        ("sse", "{\"a\": 1}\ndata: 1\n\nword\n{\"b\": 2}\n", "{\"a\": 1}\n", true),
        ("sse", "data: {}\n\n{\n\"a\":\n1}\n\nword\n", "{\n\"a\":\n1}\n", true),
        ("sse", "data: {}\n\nerror: {\"a\": ", "error: {\"a\": ", true),
        ("sse", "data: {\"a\": ", "data: {\"a\": ", true),
        ("ndjson", "{}\nword\n{}\nword\n", "word\nword\n", true),
        ("array", "{\"error\": 1}\n", "{\"error\": 1}\n", true),
    ];
    for (framing, body, quotation, is_whole) in cases {
        let report = check_wire(&named(framing), Limits::default(), body.as_bytes());
        let stray = end(&report).stray.as_ref().expect("a diagnosis");
        let quoted = String::from_utf8_lossy(&stray.quotation);
        assert_eq!((&*quoted, stray.is_whole), (quotation, is_whole), "{framing} {body:?}");
    }
    for framing in ["sse", "ndjson", "array", "aws", "body"] {
        let long = "<html>".to_owned() + &"x".repeat(QUOTATION_LEN);
        for (body, is_whole) in [(&long[..QUOTATION_LEN], true), (&long[..=QUOTATION_LEN], false)] {
            let report = check_wire(&named(framing), Limits::default(), body.as_bytes());
            let stray = end(&report).stray.as_ref().expect("a diagnosis");
            assert_eq!(stray.quotation, &body.as_bytes()[..QUOTATION_LEN], "{framing}");
            assert_eq!((stray.kind, stray.is_whole), (BodyKind::Html, is_whole), "{framing}");
        }
    }
}

// The cases.

/// What only the layer above can say: the events are read, and nothing is left.
const LATER: [&str; 7] = [
    "sse-error-as-string",
    "sse-eof-no-finish-no-done",
    "sse-eof-no-done-but-finish",
    "sse-finish-null-but-complete",
    "sse-usage-shape-differs",
    "sse-event-error-named",
    "sse-finish-reason-aliases",
];

/// Which payloads are skipped, too.
const SKIPPING: &str = "sse-keepalive-wrapped-as-data";

fn hold_case(row: &CaseRow) {
    let id = &*row.id;
    let decoder = if row.context["framing"] == "ndjson" { named("ndjson") } else { SSE };
    let body = match &row.chunks_b64 {
        Some(chunks) => corpus::chunks(chunks).concat(),
        None => row.input.clone().into_bytes(),
    };
    let report = check_wire(&decoder, Limits::default(), &body);
    let (end, outcome) = (end(&report), row.expected["outcome"].as_str());
    let kind = end.stray.as_ref().map(|stray| stray.kind);
    let mut said = report.texts();
    said.extend(end.whole.iter().map(Said::text));
    if LATER.contains(&id) {
        assert!(!said.is_empty() && !end.partial_line && kind.is_none(), "{id}: {report:?}");
        return;
    }
    if id == SKIPPING {
        return assert_eq!(said, [": WAIT", "{\"t\":\"a\"}", "[DONE]"], "{id}");
    }
    let wanted = row.expected["events"].as_array().map_or(&[][..], |events| events);
    let wanted = wanted.iter().map(|event| event["data"].as_str().map_or_else(|| event.to_string(), str::to_owned));
    let value = |text: &String| serde_json::from_str::<Value>(text).unwrap_or_else(|_| text.clone().into());
    let values = |texts: &[String]| texts.iter().map(value).collect::<Vec<_>>();
    assert_eq!(values(&said), values(&wanted.collect::<Vec<_>>()), "{id}");
    match (id, outcome) {
        ("sse-cut-inside-last-data", _) => assert!(end.partial_line && end.whole.is_none(), "{id}"),
        ("sse-empty-body-200", _) => assert_eq!(kind, Some(BodyKind::Empty), "{id}"),
        ("sse-gzip-bytes", _) => assert_eq!(kind, Some(BodyKind::Gzip), "{id}"),
        ("sse-body-is-json-not-sse", _) => {
            assert_eq!(kind, Some(BodyKind::Json), "{id}");
            assert!(end.stray.as_ref().is_some_and(|stray| stray.quotation == body), "{id}");
        }
        (_, Some("ok" | "malformed")) => assert!(!said.is_empty() && kind.is_none(), "{id}: {report:?}"),
        other => panic!("what does it want? {other:?}"),
    }
}

#[test]
fn cases() {
    let rows: Vec<_> = corpus::cases().into_iter().filter(|row| row.kind == "sse").collect();
    assert_eq!(rows.len(), 25);
    rows.iter().for_each(hold_case);
}

// The recordings.

fn is_json(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok()
}

/// Reads a recording by its decoder and as a body whose framing is guessed, which must say the same.
fn recorded(decoder: &Decoder, name: &str, body: &[u8]) -> Report {
    let report = check_wire(decoder, Limits::default(), body);
    let guessed = check_wire(&named("body"), Limits::default(), body);
    assert_eq!((&guessed.items, &guessed.end), (&report.items, &report.end), "{name}, guessed");
    report
}

#[test]
fn recorded_event_streams() {
    let mut count = 0;
    for folder in ["streams", "captures"] {
        for (name, body) in corpus::recordings(folder, "sse") {
            count += 1;
            // A plain error of a server instead of events.
            if name == "124" {
                let kind = end(&read(&body)).stray.as_ref().map(|stray| stray.kind);
                assert_eq!(kind, Some(BodyKind::Json), "{name}");
                continue;
            }
            let report = recorded(&SSE, &name, &body);
            let end = end(&report);
            // One server forgets blank lines; one tells its error in bare lines, one in a field.
            let odd = report.texts().iter().any(|text| !is_json(text) && text != "[DONE]");
            assert_eq!(odd, name == "compat_single_newline", "{name}");
            let stray = end.stray.as_ref().map(|stray| stray.kind);
            assert_eq!(stray, (name == "gemini_error_midstream").then_some(BodyKind::Json), "{name}");
            let has_error = report.items.iter().any(|said| matches!(said, Said::Error { .. }));
            assert_eq!(has_error, name == "llamacpp_error_field_legacy", "{name}");
            let whole = end.whole.as_ref().map(Said::text);
            assert_eq!(whole.as_deref(), (name == "openai_chat_done_unterminated").then_some("[DONE]"), "{name}");
            assert!(!end.pending_event && end.partial_line == whole.is_some(), "{name}: {end:?}");
        }
    }
    assert_eq!(count, 39 + 92);
}

#[test]
fn recorded_lines_and_arrays() {
    let lines = corpus::recordings("streams", "ndjson");
    assert_eq!(lines.len(), 6);
    for (name, body) in lines {
        let report = recorded(&named("ndjson"), &name, &body);
        let mut texts = report.texts();
        texts.extend(end(&report).whole.iter().map(Said::text));
        let text = String::from_utf8(body).expect("UTF-8");
        let (whole, cut): (Vec<_>, Vec<_>) = text.lines().partition(|line| is_json(line));
        assert_eq!(texts, whole, "{name}");
        assert_eq!(!cut.is_empty(), name == "ollama_cut", "{name}");
        assert_eq!(end(&report).partial_line, !text.ends_with('\n'), "{name}");
    }
    let (name, body) =
        corpus::recordings("streams", "json").into_iter().find(|(name, _)| name == "gemini_array").expect("it");
    let report = recorded(&named("array"), &name, &body);
    assert_eq!(report.texts(), elements(std::str::from_utf8(&body).expect("UTF-8")), "{name}");
    assert!(!end(&report).partial_line && !end(&report).pending_event && end(&report).stray.is_none());
}

#[test]
fn recorded_frames() {
    let bodies = corpus::recordings("streams", "bin");
    assert_eq!(bodies.len(), 4);
    for (name, body) in bodies {
        let report = recorded(&named("aws"), &name, &body);
        assert!(report.texts().iter().all(|text| is_json(text)) && report.items.len() > 2, "{name}");
        let has_error = report.items.iter().any(|said| matches!(said, Said::Error { .. }));
        assert_eq!(has_error, name == "bedrock_converse_exception", "{name}");
        assert!(!end(&report).is_cut && end(&report).stray.is_none(), "{name}");
    }
}

fn elements(array: &str) -> Vec<String> {
    let elements: Vec<&RawValue> = serde_json::from_str(array).expect("an array");
    elements.into_iter().map(|element| element.get().to_owned()).collect()
}

// Bodies by chance.

/// `MORE_CASES=20` tries twenty times as many, from a seed of its own.
fn by_chance(count: u32) -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(9) };
    let cases = count * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed: seed, failure_persistence: None, ..ProptestConfig::default() }
}

/// Limits that a short body reaches, now and then.
fn limits(random: &mut Random) -> Limits {
    let mut limit = |default| if random.chance(15) { Some(random.below(24)) } else { default };
    let Limits { line_len, event_len, frame_len } = Limits::default();
    Limits { line_len: limit(line_len), event_len: limit(event_len), frame_len: limit(frame_len).map(|len| len * 4) }
}

fn body(kind: usize, random: &mut Random) -> Vec<u8> {
    [wire::event_stream, wire::json, wire::frames][kind](random)
}

proptest! {
    #![proptest_config(by_chance(25_000))]

    #[test]
    fn event_streams_by_chance(tape in vec(any::<u16>(), 0..90), cuts in [0..9_usize, 0..9, 1..9]) {
        let mut random = Random::tape(tape);
        let (limits, body) = (limits(&mut random), wire::event_stream(&mut random));
        let _ = cut_by(&SSE, limits, &body, &cuts);
    }

    /// Each decoder on bodies that are for it, and on those that are not.
    #[test]
    fn bodies_by_chance(row in 0..wire::ALL.len(), kind in 0..3_usize, tape in vec(any::<u16>(), 0..90), cuts in [0..9_usize, 0..9, 1..9]) {
        let mut random = Random::tape(tape);
        let (limits, body) = (limits(&mut random), body(kind, &mut random));
        let _ = cut_by(&wire::ALL[row], limits, &body, &cuts);
    }
}

proptest! {
    #![proptest_config(by_chance(2_000))]

    /// The same under every way of cutting.
    #[test]
    fn every_cut_by_chance(row in 0..wire::ALL.len(), kind in 0..3_usize, tape in vec(any::<u16>(), 0..90)) {
        let mut random = Random::tape(tape);
        let (limits, body) = (limits(&mut random), body(kind, &mut random));
        let _ = check_wire(&wire::ALL[row], limits, &body);
    }
}

/// All that an input of the fuzzer can choose can be written as text.
#[test]
fn every_choice_can_be_written() {
    let letters = || b'?'..=b'~';
    let choices = |place: usize| {
        let chosen = letters().map(|letter| {
            let mut bytes = *b"@@@@@\n";
            bytes[place] = letter;
            let input = wire::Input::of(&bytes).expect("a first line");
            format!("{} {:?} {:?}", input.decoder.name, input.limits, input.cuts)
        });
        chosen.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!([0, 1, 2, 3, 4].map(choices), [wire::ALL.len(), 64, 64, 64, 64]);
}
