//! `thusfar audit` over the corpus, held against what `batch` prints for the same lines, counted here once more and in another way.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{File, run};
use thusfar_contract::Contract;
use thusfar_core::{Ending, Expect, Reply, Root};

fn corpus(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name);
    let text = fs::read_to_string(path).expect("the corpus");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

/// The rows of the corpus as requests.
fn requests() -> Vec<Value> {
    let captured = |row: Value| json!({"id": row["id"], "text": row["text"], "root": row["root"], "ending": row["ending"], "model": row["model"]});
    let made = |row: Value| json!({"text": row["text"], "root": row["root"]});
    let all =
        corpus("captures.jsonl").into_iter().map(captured).chain(corpus("known_truth.jsonl").into_iter().map(made));
    all.chain(corpus("cases.jsonl").into_iter().map(case)).collect()
}

/// A case is held against what its context names.
fn case(row: Value) -> Value {
    let context = &row["context"];
    let mut request = json!({"id": row["id"], "text": row["input"]});
    if context["payload"] == "arguments" {
        request["payload"] = json!("arguments");
        request["tool"] = context["tool"].clone();
    } else if context["tools"].is_array() {
        request["tools"] = context["tools"].clone();
    } else if row["kind"] == "schema" {
        request["schema"] = context["schema"].clone();
    }
    request
}

fn lines(requests: &[Value]) -> String {
    requests.iter().map(|request| format!("{request}\n")).collect()
}

/// What is counted of reports, member by member.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    outcomes: BTreeMap<String, u64>,
    /// How often, and in how many replies.
    repairs: BTreeMap<String, (u64, u64)>,
    warnings: BTreeMap<String, (u64, u64)>,
    codes: BTreeMap<(String, String), u64>,
}

fn text(value: &Value) -> String {
    value.as_str().expect("a name").to_owned()
}

fn list<'v>(value: &'v Value, of: &str) -> impl Iterator<Item = &'v Value> {
    value[of].as_array().into_iter().flatten()
}

fn add_kinds(all: &mut BTreeMap<String, (u64, u64)>, report: &Value, of: &str) {
    let own = list(report, of).chain(list(report, "calls").flat_map(|call| list(call, of)));
    let kinds: Vec<_> = own.map(|note| text(&note["kind"])).collect();
    for kind in &kinds {
        all.entry(kind.clone()).or_default().0 += 1;
    }
    let mut distinct = kinds;
    distinct.sort();
    distinct.dedup();
    for kind in distinct {
        all.entry(kind).or_default().1 += 1;
    }
}

fn count(reports: &[Value]) -> Found {
    let mut found = Found::default();
    for report in reports {
        let outcome = text(&report["outcome"]);
        *found.outcomes.entry(outcome.clone()).or_default() += 1;
        add_kinds(&mut found.repairs, report, "repairs");
        add_kinds(&mut found.warnings, report, "warnings");
        let broken = list(report, "refused").chain([report]).flat_map(|part| list(part, "violations"));
        let mut codes: Vec<_> = broken.map(|it| ("schema_mismatch".to_owned(), text(&it["keyword"]))).collect();
        codes.extend(list(report, "refused").map(|it| (text(&it["outcome"]), text(&it["code"]))));
        codes.extend(report.get("failure").map(|failure| (outcome, text(&failure["code"]))));
        codes.sort();
        codes.dedup();
        for code in codes {
            *found.codes.entry(code).or_default() += 1;
        }
    }
    found
}

/// What an audit says of the same. It tells twenty codes.
fn told(summary: &Value) -> Found {
    let number = |value: &Value| value.as_u64().expect("a number");
    let kind = |entry: &Value| (text(&entry["name"]), (number(&entry["count"]), number(&entry["replies"])));
    Found {
        outcomes: list(summary, "outcomes").map(|entry| (text(&entry["name"]), number(&entry["count"]))).collect(),
        repairs: list(summary, "repairs").map(kind).collect(),
        warnings: list(summary, "warnings").map(kind).collect(),
        codes: list(summary, "codes")
            .map(|entry| ((text(&entry["outcome"]), text(&entry["code"])), number(&entry["count"])))
            .collect(),
    }
}

fn audit(args: &[&str], log: &File) -> Value {
    let told = run(&[&["audit", "--json"], args, &[log.path()]].concat(), "");
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    serde_json::from_str(&told.stdout).expect("JSON")
}

/// The most frequent codes, ties by name: what an audit may tell.
fn most(found: &Found) -> (BTreeMap<(String, String), u64>, usize) {
    let mut codes: Vec<_> = found.codes.iter().map(|(name, count)| (name.clone(), *count)).collect();
    codes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let more = codes.len().saturating_sub(20);
    (codes.into_iter().take(20).collect(), more)
}

#[test]
fn the_numbers_are_those_of_the_reports() {
    let requests = requests();
    let log = File::with("audit-corpus.jsonl", lines(&requests));
    let reports = run(&["batch", log.path()], "").stdout;
    let expected =
        count(&reports.lines().map(|line| serde_json::from_str(line).expect("a report")).collect::<Vec<_>>());
    let (codes, more) = most(&expected);
    assert!(expected.outcomes.len() > 5 && more > 10 && expected.repairs.len() == 6, "{expected:?}");
    let expected = Found { codes, ..expected };
    let reports = File::with("audit-corpus-reports.jsonl", reports);
    for log in [&log, &reports] {
        let summary = audit(&[], log);
        assert_eq!(told(&summary), expected);
        assert_eq!(summary["more_codes"], more);
        assert_eq!(summary["lines"], requests.len());
        for of in ["outcomes", "repairs", "warnings", "codes"] {
            let counts: Vec<_> = list(&summary, of).map(|entry| entry["count"].as_u64()).collect();
            assert!(counts.is_sorted_by(|one, other| one >= other), "{of}: most frequent first");
        }
    }
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads() {
    // Long enough for many blocks.
    let requests = requests();
    let reports = run(&["batch", "-"], lines(&requests)).stdout;
    let log = File::with("audit-threads.jsonl", (lines(&requests) + &reports + "no line\n").repeat(3));
    for args in [&["--json"][..], &[]] {
        let told =
            ["1", "2", "4", "7"].map(|jobs| run(&[&["audit", "--jobs", jobs], args, &[log.path()]].concat(), ""));
        assert_eq!(told[0].code, Some(2));
        assert!(told.iter().all(|other| *other == told[0]));
    }
}

#[test]
fn examples_are_the_first_line_with_their_code() {
    let requests = requests();
    let log = File::with("audit-examples.jsonl", lines(&requests));
    let reports: Vec<Value> = run(&["batch", log.path()], "")
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("a report"))
        .collect();
    for entry in list(&audit(&[], &log), "codes") {
        let code = (text(&entry["outcome"]), text(&entry["code"]));
        let first = reports.iter().position(|report| count(std::slice::from_ref(report)).codes.contains_key(&code));
        let first = first.expect("some report has the code");
        let example = &entry["example"];
        assert_eq!(example["line"], first + 1, "{code:?}");
        let request = &requests[first];
        assert_eq!((&example["id"], &example["model"]), (&request["id"], request.get("model").unwrap_or(&Value::Null)));
        let excerpt = text(&example["excerpt"]);
        assert!(request["text"].as_str().is_some_and(|text| text.contains(&excerpt)), "{code:?}: {excerpt:?}");
        assert!(excerpt.chars().count() <= 120);
    }
}

#[test]
fn recorded_streams_are_read_and_are_what_stream_says() {
    let streams = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/streams");
    let mut judged_count = 0;
    for file in fs::read_dir(streams).expect("the corpus").flatten().map(|file| file.path()) {
        if file.extension().is_some_and(|extension| extension == "json") {
            continue;
        }
        let path = file.to_str().expect("a path in UTF-8");
        let told = run(&["stream", "--json", "--judge", "text", path], "");
        if told.code == Some(2) {
            continue;
        }
        let audited = run(&["audit", "--json", "-"], &told.stdout);
        let line: Value = serde_json::from_str(&told.stdout).expect("a line");
        let summary: Value = serde_json::from_str(&audited.stdout).expect("JSON");
        assert_eq!(summary["unreadable"], 0, "{path}: {summary}");
        let judged = list(&line, "lanes").filter(|lane| !lane["report"].is_null()).count();
        assert_eq!(summary["reported"], judged.max(1), "{path}");
        // A stream that was cut behind its document is no failure of the reply.
        let is_cut_behind = audited.code == Some(0) && line["outcome"] != "complete";
        assert!(audited.code == told.code || is_cut_behind, "{path}: {:?} and {:?}", told.code, audited.code);
        judged_count += judged;
    }
    assert!(judged_count > 20, "{judged_count} lanes were judged");
}

/// Bytes of the shortest beginning that decides, tried one after the other.
fn certain_len(text: &str, expect: &Expect, contract: Option<&Contract>) -> usize {
    let ends = (0..=text.len()).filter(|&end| text.is_char_boundary(end));
    let decides = |end: &usize| match contract {
        Some(contract) => Reply::with_sink(*expect, contract.monitor(expect)).push(&text[..*end]).is_decided(),
        None => Reply::new(*expect).push(&text[..*end]).is_decided(),
    };
    ends.clone().find(decides).unwrap_or(text.len())
}

#[test]
fn lengths_and_what_came_after_the_answer_are_those_of_the_texts() {
    let documents: Vec<_> =
        requests().into_iter().filter(|it| it.get("tools").is_none() && it.get("payload").is_none()).collect();
    let texts: Vec<_> = documents.iter().map(|request| text(&request["text"])).collect();
    let mut lengths: Vec<_> = texts.iter().map(String::len).collect();
    lengths.sort_unstable();
    let log = File::with("audit-lengths.jsonl", lines(&documents));
    for (flags, take) in [(&[][..], thusfar_core::Take::Only), (&["--take", "first"], thusfar_core::Take::First)] {
        let summary = audit(flags, &log);
        let at = |percent: usize| lengths[(lengths.len() * percent).div_ceil(100) - 1];
        assert!(lengths.last().is_some_and(|longest| *longest > 2048), "some are longer than what is exact");
        for (name, exact) in
            [("min", at(1).min(lengths[0])), ("median", at(50)), ("p90", at(90)), ("p99", at(99)), ("max", at(100))]
        {
            let told = summary["lengths"][name].as_u64().expect("a length") as usize;
            assert!(exact <= told && told - exact <= exact / 1000, "{name}: {told} for {exact}");
        }
        assert_eq!(summary["lengths"]["bytes"], lengths.iter().sum::<usize>());
        let behind = |(request, text): (&Value, &String)| {
            let schema = request.get("schema");
            let contract = schema.map(|schema| Contract::from_schema(&schema.to_string()).expect("a schema"));
            let root = match request["root"].as_str() {
                Some("object") => Root::Object,
                Some("array") => Root::Array,
                Some("value") => Root::Value,
                _ => contract.as_ref().map_or(Root::Any, Contract::root),
            };
            text.len() - certain_len(text, &Expect::root(root).take(take), contract.as_ref())
        };
        let behind: Vec<_> = documents.iter().zip(&texts).map(behind).collect();
        let (replies, bytes) = (behind.iter().filter(|&&len| len > 0).count(), behind.iter().sum::<usize>());
        assert!(replies > 100, "the corpus has such replies");
        assert_eq!(
            (&summary["wasted"]["replies"], &summary["wasted"]["bytes"]),
            (&json!(replies), &json!(bytes)),
            "{flags:?}"
        );
    }
}

#[test]
fn what_came_after_calls_is_what_no_longer_counts() {
    let tools = thusfar_contract::Tools::from_json(r#"["f"]"#).expect("a list");
    let invented = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n<tool_response>\n{\"é\": 20}\n</tool_response>\nIt is 20.";
    let react = "Thought: look\nAction: f\nAction Input: {}\nObservation: it is 20 degrees\nFinal Answer: 20";
    let closing = "</tool_call>".repeat(1500);
    let whole = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call> Done.";
    let long = format!("{}{react}", "I think. ".repeat(1000));
    let mut decided = 0;
    for text in [invented, react, &closing, whole, &long] {
        let decides = |end: &usize| {
            let mut rescue = tools.rescue();
            rescue.push(&text[..*end]).is_decided()
        };
        let ends: Vec<_> = (0..=text.len()).filter(|&end| text.is_char_boundary(end)).collect();
        let certain = ends[ends.partition_point(|end| !decides(end)).min(ends.len() - 1)];
        let log = File::with(
            "audit-calls.jsonl",
            json!({"text": text, "tools": ["f"], "ending": Ending::ALL[0].1}).to_string(),
        );
        let told = run(&["audit", "--json", log.path()], "");
        let summary: Value = serde_json::from_str(&told.stdout).expect("JSON");
        assert_eq!(summary["wasted"]["bytes"], text.len() - certain, "{text}");
        decided += usize::from(certain < text.len());
    }
    assert!(decided >= 2, "some of them are certain before the end: {decided}");

    for (arguments, bytes) in [("{\"a\": 1}", 0), ("{\"a\" 1} and", 5), ("[1] and more", 0)] {
        let line = json!({"text": arguments, "payload": "arguments", "tool": "f"}).to_string();
        let summary: Value = serde_json::from_str(&run(&["audit", "--json", "-"], line).stdout).expect("JSON");
        assert_eq!(summary["wasted"]["bytes"], bytes, "{arguments}");
    }
}

/// Lines of the corpus and their reports, damaged by a generator with a fixed seed.
fn damaged(lines: &str) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let pieces: [&[u8]; 12] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b",",
        b"null",
        b"\xff",
        b"\\u0000",
        b"\"outcome\":\"ok\",",
        b"\"calls\":[],",
        b"\"lanes\":[{}],",
    ];
    let mut all = Vec::new();
    for line in lines.lines() {
        let mut line = line.as_bytes().to_vec();
        for _ in 0..=next(3) {
            let at = next(line.len() + 1);
            match next(3) {
                0 => line.truncate(at),
                1 => drop(line.splice(at..at, pieces[next(pieces.len())].iter().copied())),
                _ => drop(line.splice(at..(at + next(9)).min(line.len()), pieces[next(pieces.len())].iter().copied())),
            }
        }
        all.extend(line);
        all.push(b'\n');
    }
    all
}

#[test]
fn damaged_lines_are_counted_all_the_same() {
    let requests = lines(&requests());
    let reports = run(&["batch", "-"], &requests).stdout;
    let tools =
        lines(&corpus("cases.jsonl").into_iter().map(case).filter(|it| it.get("tools").is_some()).collect::<Vec<_>>());
    let calls = run(&["batch", "-"], tools).stdout.repeat(10);
    let damaged = damaged(&(reports + &calls + &requests));
    let log = File::with("audit-damaged.jsonl", &damaged);
    let told = ["1", "3"].map(|jobs| run(&["audit", "--json", "--jobs", jobs, log.path()], ""));
    assert_eq!(told[0], told[1]);
    assert_eq!((told[0].code, told[0].stderr.as_str()), (Some(2), ""), "nothing panics");
    let summary: Value = serde_json::from_str(&told[0].stdout).expect("JSON");
    let number = |name: &str| summary[name].as_u64().expect("a number");
    let lines = damaged.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    assert_eq!(number("lines"), lines as u64);
    // A line of lanes may be several replies: the damage here adds one that says nothing.
    assert_eq!(number("judged") + number("reported") + number("unreadable"), lines as u64);
    assert!(number("judged") > 100 && number("reported") > 100 && number("unreadable") > 100, "{summary}");
    let outcomes: u64 = list(&summary, "outcomes").map(|entry| entry["count"].as_u64().expect("a count")).sum();
    assert_eq!(outcomes, number("judged") + number("reported"));
}
