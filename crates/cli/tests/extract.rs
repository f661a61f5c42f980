//! `thusfar extract`, and the lines of `batch` that bring a spec, as a shell sees them.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{File, Run, example, run};

const SPEC: &str = r#"{"targets": [
    {"name": "verdict", "type": "enum", "values": ["approve", "reject"], "aliases": {"reject": ["not recommended"]},
     "labels": ["Verdict", "Decision"]},
    {"name": "score", "type": "number", "min": 0, "max": 100},
    {"name": "blocking", "type": "boolean"}
]}"#;

const VERDICT: &str = r#"{"targets": [{"name": "verdict", "type": "enum", "values": ["approve", "reject"]}]}"#;

fn extract(spec: &str, flags: &[&str], reply: impl AsRef<[u8]>) -> Run {
    let spec = File::with("extract-spec.json", spec);
    run(&[&["extract", "--spec", spec.path()], flags].concat(), reply)
}

/// The line of a run that printed one.
fn line(told: &Run) -> Value {
    assert_eq!((told.stdout.lines().count(), told.stderr.as_str()), (1, ""), "{told:?}");
    serde_json::from_str(&told.stdout).expect("the report is JSON")
}

fn report(spec: &str, flags: &[&str], reply: impl AsRef<[u8]>) -> (Option<i32>, Value) {
    let told = extract(spec, &[flags, &["--json"]].concat(), reply);
    (told.code, line(&told))
}

fn steers_a_terminal(told: &str) -> bool {
    told.contains(|shown: char| {
        !matches!(shown, '\n' | '\t') && shown.is_control() || "\u{202e}\u{2067}".contains(shown)
    })
}

#[test]
fn clean_prose_exits_0() {
    let told = extract(VERDICT, &[], "The tests pass and the change is small. I approve this change.\n");
    assert_eq!((told.code, told.stdout.as_str(), told.stderr.as_str()), (Some(0), "verdict\tapprove\n", ""));
}

#[test]
fn ambiguous_exits_1() {
    let told = extract(VERDICT, &[], "**Verdict:** approve\n\nOn second thought.\nVerdict: reject\n");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    let notes = "ambiguous: `verdict`: the reply holds different values at byte 50 (line 4, column 10) [two_values]\n \
                 --> standard input:4:10\n  |\n4 | Verdict: reject\n  |          ^\n  \
                 = candidates: `approve` at 1:14, `reject` at 4:10\n  = next: ask which is meant; none was picked\n";
    assert_eq!(told.stderr, notes);
    // A person who reads it knows; a first match would tell the opposite with full confidence.
    let reply = "My first instinct was to reject this, but on reflection I'd approve it.";
    let (code, told) = report(VERDICT, &[], reply);
    assert_eq!((code, &told["outcome"]), (Some(1), &json!("ambiguous")));
    let target = &told["targets"]["verdict"];
    assert!(target.get("value").is_none() && target["candidates"].as_array().is_some_and(|all| all.len() == 2));
}

#[test]
fn missing_exits_1() {
    let reply = "A fine patch.\nNothing to say.";
    let told = extract(VERDICT, &[], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    let notes = "not found: `verdict`: the reply holds no value at byte 29 (line 2, column 16) [no_value]\n \
                 --> standard input:2:16\n  |\n2 | Nothing to say.\n  |                ^\n  \
                 = next: ask again, for a line with its label; or apply a default of your own\n";
    assert_eq!(told.stderr, notes);
    let (code, told) = report(VERDICT, &[], reply);
    let target = json!({"outcome": "not_found", "code": "no_value", "decided_at": 29});
    assert_eq!((code, &told), (Some(1), &json!({"outcome": "not_found", "targets": {"verdict": target}})));
    assert_eq!(extract(VERDICT, &[], "").code, Some(1), "nothing at all");
}

#[test]
fn out_of_range_exits_1() {
    let spec = r#"{"targets": [{"name": "score", "type": "number", "min": 0, "max": 100}]}"#;
    let told = extract(spec, &[], "Score: 150\n");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    let notes = "invalid: `score`: the number is out of range at byte 7 (line 1, column 8) [out_of_range]\n \
                 --> standard input:1:8\n  |\n1 | Score: 150\n  |        ^\n  = got: `150`\n  \
                 = next: ask again, naming the bounds; nothing was clamped\n";
    assert_eq!(told.stderr, notes);
    let (code, told) = report(spec, &[], "Score: 150\n");
    let target = &told["targets"]["score"];
    assert_eq!((code, &target["outcome"], &target["code"]), (Some(1), &json!("invalid"), &json!("out_of_range")));
    assert_eq!((&target["got"], &target["start"], &target["end"]), (&json!(150), &json!(7), &json!(10)));
}

#[test]
fn a_missing_spec_exits_2() {
    let told = run(&["extract", "--spec", "no/such/spec.json"], "Verdict: approve");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert_eq!(told.stderr, "thusfar: cannot read no/such/spec.json: no such file or directory\n");
    let told = run(&["extract"], "Verdict: approve");
    assert!(told.code == Some(2) && told.stderr.contains("--spec <FILE>"), "{told:?}");
    // It is read before the reply.
    let told = run(&["extract", "--spec", "no/such/spec.json", "no/such/reply"], "");
    assert!(told.code == Some(2) && told.stderr.contains("no/such/spec.json"), "{told:?}");
    let spec = File::with("extract-no-reply.json", VERDICT);
    let told = run(&["extract", "--spec", spec.path(), "no/such/reply"], "");
    assert_eq!(told.stderr, "thusfar: cannot read no/such/reply: no such file or directory\n");
    assert_eq!(told.code, Some(2));
}

#[test]
fn an_unreadable_spec_exits_2_and_names_the_place() {
    for (spec, why) in [
        (&b"{\"targets\": ["[..], "not JSON: "),
        (b"{\"targets\": \n[}", "at line 2 column 2"),
        (b"\xff", "not UTF-8 from byte 1 on"),
        (b"[]", "expected an object that has `targets`"),
        (b"{\"targets\": []}", "/targets: expected 1 to 64 targets"),
        (br#"{"targets": [{"name": "a", "type": "word"}]}"#, "/targets/0/type: expected one of enum, number"),
        (br#"{"targets": [{"name": "a", "type": "enum"}]}"#, "/targets/0/values: missing"),
        (br#"{"targets": [{"name": "a", "type": "text", "min": 1}]}"#, "/targets/0: unknown member"),
    ] {
        let spec = File::with("extract-bad-spec.json", spec);
        let told = run(&["extract", "--json", "--spec", spec.path()], "Verdict: approve");
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{why}");
        let start = format!("thusfar: {}: ", spec.path());
        assert!(told.stderr.starts_with(&start) && told.stderr.contains(why), "{why}: {}", told.stderr);
        assert_eq!(told.stderr.lines().count(), 1, "{}", told.stderr);
    }
    let hostile =
        json!({"targets": [{"name": "\u{1b}]0;x\u{7}\u{202e}", "type": "enum", "values": []}], "\u{9b}2J": 1});
    let spec = File::with("extract-hostile-spec.json", hostile.to_string());
    let told = run(&["extract", "--spec", spec.path()], "");
    assert!(told.code == Some(2) && !steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
}

#[test]
fn labels_in_markdown_are_read() {
    for reply in [
        "Verdict: approve",
        "**Verdict:** approve",
        "**Verdict**: **approve**\n",
        "- *Decision* = `approve`",
        "> VERDICT: \"Approve\".",
        "## Verdict\n\napprove\n",
        "1. Final verdict: approve ✅",
        "| Verdict | approve |\n|---|---|\n",
        "| Verdict | Why |\n|---|---|\n| approve | It works. |\n",
        "I would never reject work like this.\n\nVerdict: approve\n",
        "<think>Verdict: reject</think>\nVerdict: approve",
        "```text\nVerdict: reject\n```\nVerdict: approve",
    ] {
        let spec = VERDICT.replace(r#""values""#, r#""labels": ["Verdict", "Decision"], "values""#);
        let (code, told) = report(&spec, &[], reply);
        let target = &told["targets"]["verdict"];
        assert_eq!((code, &target["value"], &target["via"]), (Some(0), &json!("approve"), &json!("label")), "{reply}");
        let span = |end: &str| target[end].as_u64().and_then(|at| usize::try_from(at).ok());
        let written = span("start").zip(span("end")).and_then(|(start, end)| reply.get(start..end));
        assert!(written.is_some_and(|written| written.eq_ignore_ascii_case("approve")), "{reply}: {target}");
    }
}

#[test]
fn the_report_is_one_line() {
    let reply = "Fine work, all in all.\nVerdict: approve\nScore: 8.50\nBlocking: no\n";
    let told = extract(SPEC, &["--json"], reply);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        told.stdout,
        "{\"outcome\":\"ok\",\"targets\":{\
         \"verdict\":{\"outcome\":\"ok\",\"value\":\"approve\",\"via\":\"label\",\"start\":32,\"end\":39},\
         \"score\":{\"outcome\":\"ok\",\"value\":8.50,\"via\":\"label\",\"start\":47,\"end\":51},\
         \"blocking\":{\"outcome\":\"ok\",\"value\":false,\"via\":\"label\",\"start\":62,\"end\":64}}}\n"
    );
    let told = extract(SPEC, &[], reply);
    let values = "verdict\tapprove\nscore\t8.50\nblocking\tfalse\n";
    assert_eq!((told.code, told.stdout.as_str(), told.stderr.as_str()), (Some(0), values, ""));
}

#[test]
fn the_outcome_is_that_of_the_worst_and_the_others_keep_theirs() {
    let reply = "Verdict: not recommended\nScore: 850\n";
    let told = extract(SPEC, &[], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), "verdict\treject\n"));
    let heads: Vec<_> = told.stderr.lines().filter_map(|line| line.split_once("`: ")).map(|(head, _)| head).collect();
    assert_eq!(heads, ["invalid: `score", "not found: `blocking"], "{}", told.stderr);
    let (code, told) = report(SPEC, &[], reply);
    assert_eq!((code, &told["outcome"]), (Some(1), &json!("invalid")));
    assert_eq!(told["targets"]["verdict"]["outcome"], "ok");
    assert_eq!(told["targets"]["blocking"]["outcome"], "not_found");
}

#[test]
fn a_value_is_one_line_and_otherwise_exact() {
    let spec = r#"{"targets": [{"name": "why", "type": "text"}]}"#;
    let reply = "## Why\n\nIt  works,\r\nand C:\\new is kept.\n\nMore.";
    let (code, told) = report(spec, &[], reply);
    assert_eq!((code, &told["targets"]["why"]["value"]), (Some(0), &json!("It  works,\r\nand C:\\new is kept.")));
    assert_eq!(extract(spec, &[], reply).stdout, "why\tIt  works, and C:\\new is kept.\n");
}

#[test]
fn the_reply_comes_from_a_file_or_standard_input() {
    let (spec, reply) = (File::with("extract-stdin.json", VERDICT), File::with("extract-reply.txt", "Verdict: reject"));
    for (args, stdin) in [
        (&["--spec", spec.path()][..], "Verdict: reject"),
        (&["--spec", spec.path(), "-"], "Verdict: reject"),
        (&["--spec", spec.path(), reply.path()], ""),
        (&["--spec", "-", reply.path()], VERDICT),
    ] {
        let told = run(&[&["extract"], args].concat(), stdin);
        assert_eq!((told.code, told.stdout.as_str(), told.stderr.as_str()), (Some(0), "verdict\treject\n", ""));
    }
    let told = run(&["extract", "--spec", "-"], VERDICT);
    assert_eq!(told.stderr, "thusfar: --spec: standard input cannot be the spec and the input\n");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let missing = File::with("extract-missing.txt", "Nothing.");
    let told = run(&["extract", "--spec", spec.path(), missing.path()], "");
    assert!(told.stderr.contains(&format!(" --> {}:1:9\n", missing.path())), "{}", told.stderr);
}

#[test]
fn a_value_that_was_cut_is_none() {
    for (ending, code) in [("stop", 0), ("tool-use", 0), ("unknown", 0), ("length", 1), ("disconnected", 1)] {
        let (told, report) = report(VERDICT, &["--ending", ending], "Verdict: approve");
        assert_eq!(told, Some(code), "{ending}");
        let is_cut = report["targets"]["verdict"]["code"] == "cut_value";
        assert_eq!(is_cut, code == 1, "{ending}: {report}");
    }
    let told = extract(VERDICT, &["--ending", "length"], "Verdict: approve");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.starts_with("invalid: `verdict`: the reply was cut inside the value at byte 9 "), "{told:?}");
    assert!(told.stderr.contains("[cut_value]\n") && told.stderr.contains("a larger budget"), "{}", told.stderr);
    // Who had enough of another target may have hung up for it.
    let told = extract(SPEC, &["--ending", "cancelled"], "Verdict: approve\nVerdict: reject\nScore: 8");
    assert!(told.stderr.contains("[cut_value]\n") && !told.stderr.contains("a larger budget"), "{}", told.stderr);
    assert_eq!(extract(VERDICT, &["--ending", "never"], "").code, Some(2));
    // What ends inside a character was cut, whatever is said of it.
    let (code, told) = report(VERDICT, &["--ending", "stop"], b"Verdict: approve\xc3");
    assert_eq!((code, &told["targets"]["verdict"]["code"]), (Some(1), &json!("cut_value")));
    assert!(told.get("failure").is_none(), "{told}");
}

#[test]
fn what_is_no_text_is_read_up_to_there() {
    let reply = b"Verdict: approve.\n\nScore: \xff80\nVerdict: reject\n";
    let told = extract(SPEC, &["--json", "--ending", "stop"], reply);
    let report = line(&told);
    assert_eq!((told.code, &report["outcome"]), (Some(1), &json!("malformed")));
    assert_eq!(report["targets"]["verdict"]["value"], "approve", "it was said in front of it: {report}");
    assert_ne!(report["targets"]["score"]["outcome"], "ok");
    let failure = json!({"code": "invalid_utf8", "message": report["failure"]["message"], "offset": 26, "decided_at": 26,
        "line": 3, "column": 8, "path": "", "excerpt": report["failure"]["excerpt"]});
    assert_eq!(report["failure"], failure);
    let told = extract(SPEC, &[], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), "verdict\tapprove\n"));
    let note = "malformed: invalid UTF-8 at byte 26 (line 3, column 8) [invalid_utf8]\n --> standard input:3:8\n";
    assert!(told.stderr.contains(note) && told.stderr.ends_with("nothing behind this place was read\n"), "{told:?}");
    assert!(!told.stderr.contains("a larger budget"), "it is damage that cut it: {told:?}");
    // All of the targets were there: still nobody knows what the rest says.
    let (code, told) = report_of(VERDICT, b"Verdict: approve.\n\n\xff");
    assert_eq!((code, &told["targets"]["verdict"]["outcome"]), (Some(1), &json!("ok")));
}

fn report_of(spec: &str, reply: &[u8]) -> (Option<i32>, Value) {
    report(spec, &[], reply)
}

#[test]
fn nobody_is_steered() {
    let hostile = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{2067}";
    let spec = json!({"targets": [
        {"name": format!("a{hostile}"), "type": "text", "labels": ["Why"]},
        {"name": format!("b{hostile}"), "type": "enum", "values": [format!("c{hostile}"), "d"], "labels": ["Mood"]},
        {"name": "score", "type": "integer"}
    ]});
    for reply in [
        format!("{hostile} nothing {hostile}"),
        format!("Why: {hostile} x\nMood: {hostile}{hostile}\nScore: {hostile}"),
        format!("Mood: d {hostile}\nMood: c{hostile}\nScore: 5\nScore: 6 {hostile}"),
        format!("Why: {hostile} x\n{hostile}Score: 7-8{hostile}"),
    ] {
        let told = extract(&spec.to_string(), &[], &reply);
        assert_eq!(told.code, Some(1), "{}", reply.escape_debug());
        assert!(told.stderr.contains("\\u{") && !steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
        let told = extract(&spec.to_string(), &["--json"], &reply);
        assert!(serde_json::from_str::<Value>(&told.stdout).is_ok(), "{}", told.stdout.escape_debug());
    }
}

#[test]
fn the_example_of_the_readme_is_what_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let spec = root.join("examples/specs/review.json");
    let spec = spec.to_str().expect("a path in UTF-8");
    for (name, code) in [("review-labelled.txt", 0), ("review-aloud.txt", 1)] {
        let command = format!("thusfar extract --spec examples/specs/review.json examples/replies/{name}");
        assert!(readme.contains(&format!("`{command}`")), "the command stands there: {command}");
        let told = run(&["extract", "--spec", spec, &example(name)], "");
        assert_eq!(told.code, Some(code), "{told:?}");
        let notes = told.stderr.replace(&example(name), &format!("examples/replies/{name}"));
        assert!(readme.contains(&format!("```text\n{}{notes}```\n", told.stdout)), "{}{notes}", told.stdout);
    }
}

/// The reports of a batch.
fn batch(flags: &[&str], lines: &[Value]) -> (Option<i32>, Vec<Value>) {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let told = run(&[&["batch"], flags].concat(), lines.join("\n"));
    let reports: Vec<_> = told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((reports.len(), told.stderr.as_str()), (lines.len(), ""), "{told:?}");
    (told.code, reports)
}

#[test]
fn a_line_of_a_batch_may_bring_a_spec() {
    let spec: Value = serde_json::from_str(SPEC).expect("JSON");
    let reply = "Verdict: approve\nScore: 8.50\nBlocking: no\n";
    let (code, reports) = batch(
        &[],
        &[
            json!({"id": 1, "text": reply, "spec": spec}),
            json!({"id": 2, "text": "Verdict: approve", "spec": spec, "ending": "length"}),
            json!({"id": 3, "text": "{\"a\": 1}", "spec": null}),
        ],
    );
    assert_eq!(code, Some(1));
    let mut alone = line(&extract(SPEC, &["--json"], reply));
    alone["id"] = json!(1);
    assert_eq!(reports[0], alone);
    assert_eq!((&reports[1]["id"], &reports[1]["outcome"]), (&json!(2), &json!("invalid")));
    assert_eq!(reports[1]["targets"]["verdict"]["code"], "cut_value");
    assert_eq!((&reports[2]["outcome"], &reports[2]["document"]), (&json!("ok"), &json!({"a": 1})));
}

#[test]
fn a_report_is_the_same_however_the_text_was_cut() {
    let spec: Value = serde_json::from_str(SPEC).expect("JSON");
    for reply in [
        "**Verdict:** approve\n\n| Score | Blocking |\n|---|---|\n| 8/10 | no |\n",
        "Verdict: approve\nVerdict: reject é\nScore: 101",
        "I would not reject this. I approve it, 85 % sure.",
        "<think>Verdict: reject</think>Ünd so: I reject.",
    ] {
        let pieces = |len: usize| -> Vec<_> {
            let characters: Vec<_> = reply.chars().collect();
            characters.chunks(len).map(|piece| piece.iter().collect::<String>()).collect()
        };
        let whole = json!({"text": reply, "spec": spec});
        let cut = (1..12).map(|len| json!({"chunks": pieces(len), "spec": spec}));
        let (_, reports) = batch(&[], &std::iter::once(whole).chain(cut).collect::<Vec<_>>());
        assert!(reports.iter().all(|report| *report == reports[0]), "{reply}: {reports:?}");
    }
}

#[test]
fn the_spec_of_the_option_is_for_lines_that_ask_for_nothing() {
    let given = File::with("batch-spec.json", VERDICT);
    let other = json!({"targets": [{"name": "mood", "type": "enum", "values": ["calm", "cross"]}]});
    let (code, reports) = batch(
        &["--spec", given.path()],
        &[
            json!({"id": "a", "text": "Verdict: approve"}),
            json!({"id": "b", "text": "Mood: calm", "spec": other}),
            json!({"id": "c", "text": "{\"a\": 1}", "schema": true}),
            json!({"id": "d", "text": "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", "tools": ["f"]}),
            json!({"id": "e", "text": "{}", "payload": "arguments", "tool": "f"}),
        ],
    );
    assert_eq!(code, Some(0), "{reports:?}");
    assert_eq!(reports[0]["targets"]["verdict"]["value"], "approve");
    assert_eq!(reports[1]["targets"]["mood"]["value"], "calm");
    assert!(reports[1]["targets"].get("verdict").is_none());
    assert_eq!(reports[2]["document"], json!({"a": 1}));
    assert_eq!((&reports[3]["calls"][0]["name"], &reports[4]["calls"][0]["name"]), (&json!("f"), &json!("f")));
    for flag in ["--schema", "--tools"] {
        let told = run(&["batch", "--spec", given.path(), flag, given.path()], "");
        assert!(told.code == Some(2) && told.stderr.contains("cannot be used with"), "{flag}: {told:?}");
    }
    assert_eq!(run(&["batch", "--spec", "no/such/spec.json"], "").code, Some(2));
}

#[test]
fn a_line_asks_for_one_thing() {
    let spec: Value = serde_json::from_str(VERDICT).expect("JSON");
    let (code, reports) = batch(
        &[],
        &[
            json!({"id": 1, "text": "", "spec": spec, "schema": {}}),
            json!({"id": 2, "text": "", "spec": spec, "tools": ["f"]}),
            json!({"id": 3, "text": "", "spec": spec, "payload": "text"}),
            json!({"id": 4, "text": "", "spec": spec, "payload": "arguments", "tool": "f"}),
            json!({"id": 5, "text": "", "spec": {"targets": [{"name": "a", "type": "word"}]}}),
            json!({"id": 6, "text": "", "spec": "verdict"}),
            json!({"id": 7, "text": "Verdict: approve", "spec": spec}),
        ],
    );
    assert_eq!(code, Some(2));
    for (report, why) in reports.iter().zip([
        "line 1: both `spec` and `schema`",
        "line 2: both `spec` and `tools`",
        "line 3: both `spec` and `payload`",
        "line 4: both `spec` and `tool`",
        "line 5: `spec`: /targets/0/type: expected one of enum, number, integer, boolean, text",
        "line 6: `spec`: expected an object that has `targets`",
    ]) {
        assert_eq!(report["error"], why, "{report}");
    }
    assert_eq!(reports[6]["outcome"], "ok", "the run goes on");
}
