//! `thusfar audit`, as a shell sees it.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::counted::{audit, codes, counts, named, summary};
use support::{File, command, run};

/// A log of requests: two good ones, a cut, a broken one, one without a document.
const REQUESTS: &str = r#"{"id":"a1","text":"{\"n\": 1}"}
{"id":"a2","text":"So: {\"n\": [1,],}","model":"small"}
{"id":"a3","text":"{\"n\": \"ab","ending":"length","model":"large"}
{"id":"a4","text":"{\"n\" 1} and more","root":"object"}

{"id":"a5","chunks":["Sor","ry."]}
"#;

/// The reports of the same.
fn reports() -> String {
    run(&["batch"], REQUESTS).stdout
}

fn steers_a_terminal(told: &str) -> bool {
    told.contains(|shown: char| {
        !matches!(shown, '\n' | '\t') && shown.is_control() || "\u{202e}\u{2067}".contains(shown)
    })
}

#[test]
fn requests_are_judged_and_counted() {
    let told = audit(&["--json", "-"], REQUESTS);
    assert_eq!(told.code, Some(1));
    let found = summary(&told);
    for (name, value) in [("lines", 5), ("judged", 5), ("reported", 0), ("unreadable", 0), ("more_codes", 0)] {
        assert_eq!(found[name], value, "{name}");
    }
    let outcomes = named(&[("ok", 2), ("malformed", 1), ("not_found", 1), ("truncated", 1)]);
    assert_eq!(counts(&found, "outcomes"), outcomes);
    assert_eq!(found["outcomes"][0]["share"], 0.4);
    let repair = json!([{"name": "trailing_comma", "count": 2, "replies": 1, "share": 0.2}]);
    assert_eq!((&found["repairs"], &found["warnings"]), (&repair, &json!([])));
    let three = ["expected_colon", "no_document", "open_string"];
    assert_eq!(codes(&found).iter().map(|(_, code, _)| code.as_str()).collect::<Vec<_>>(), three);
    let example = json!({"file": "-", "line": 3, "id": "a3", "model": "large", "excerpt": "{\"n\": \"ab"});
    assert_eq!(found["codes"][2]["example"], example);
    assert_eq!(found["codes"][1]["example"]["line"], 6, "blank lines are lines");
    let diagnoses = named(&[("truncation", 1), ("malformation", 1), ("nothing_found", 1)]);
    assert_eq!(counts(&found, "diagnoses"), diagnoses);
    assert_eq!(found["cure"]["diagnosis"], "truncation");
    assert!(found["cure"]["text"].as_str().is_some_and(|cure| cure.starts_with("Give the budget headroom")));
}

#[test]
fn lengths_and_what_came_after_the_answer_are_counted() {
    let found = summary(&audit(&["--json", "-"], REQUESTS));
    // The replies are 8, 16, 9, 16 and 6 bytes long.
    let lengths = &found["lengths"];
    for (name, value) in
        [("replies", 5), ("min", 6), ("median", 9), ("p90", 16), ("p99", 16), ("max", 16), ("bytes", 55)]
    {
        assert_eq!(lengths[name], value, "{name}");
    }
    let buckets = json!([
        {"from": 6, "to": 8, "count": 1}, {"from": 8, "to": 12, "count": 2}, {"from": 12, "to": 16, "count": 0},
        {"from": 16, "to": 24, "count": 2}]);
    assert_eq!(lengths["buckets"], buckets);
    // Of `{"n" 1} and more` the byte of `1`, the sixth, decides.
    assert_eq!(found["wasted"], json!({"replies": 1, "bytes": 10, "share": 10.0 / 55.0}));

    let take = |text: &str, rest: &[&str]| {
        let line = json!({"text": text}).to_string();
        summary(&audit(&[&["--json", "-"], rest].concat(), &line))["wasted"]["bytes"].clone()
    };
    let first = "é {\"n\": 1} é and {\"n\": 2}";
    assert_eq!(take(first, &["--take", "first"]), 13, "all behind the first word behind the document");
    assert_eq!(take(first, &["--take", "last"]), 0, "another one may come");
    let long = format!("{} {{\"n\": 1}} tail", "word ".repeat(2000));
    assert_eq!(take(&long, &["--take", "first"]), 3, "however far it is");
    let tools = File::with("audit-tools.json", r#"["f"]"#);
    let call = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    assert_eq!(take(&format!("{call} and more"), &["--tools", tools.path()]), 0, "another call may come");
}

#[test]
fn reports_count_as_what_they_report() {
    let told = audit(&["--json", "-"], &reports());
    assert_eq!(told.code, Some(1));
    let (found, judged) = (summary(&told), summary(&audit(&["--json", "-"], REQUESTS)));
    assert_eq!((&found["judged"], &found["reported"], &found["lines"]), (&json!(0), &json!(5), &json!(5)));
    for what in ["outcomes", "repairs", "warnings", "diagnoses", "cure"] {
        assert_eq!(found[what], judged[what], "{what}");
    }
    assert_eq!(codes(&found), codes(&judged));
    assert_eq!(found["codes"][2]["example"]["excerpt"], "{\"n\": \"ab");
    assert_eq!((&found["lengths"]["replies"], &found["lengths"]["buckets"]), (&json!(0), &json!([])));
    assert_eq!(found["wasted"], json!({"replies": 0, "bytes": 0, "share": 0.0}));
}

#[test]
fn several_files_and_both_kinds_of_lines_are_one_log() {
    let (one, two) = (File::with("audit-one.jsonl", REQUESTS), File::with("audit-two.jsonl", reports()));
    let told = audit(&["--json", one.path(), "-", two.path()], &format!("\u{feff}{}", REQUESTS.trim_end()));
    let found = summary(&told);
    assert_eq!((&found["lines"], &found["judged"], &found["reported"]), (&json!(15), &json!(10), &json!(5)));
    let outcomes = named(&[("ok", 6), ("malformed", 3), ("not_found", 3), ("truncated", 3)]);
    assert_eq!(counts(&found, "outcomes"), outcomes);
    let example = &found["codes"][0]["example"];
    assert_eq!((&example["file"], &example["line"]), (&json!(one.path()), &json!(4)), "the first of all");
    let told = audit(&["--json", two.path(), one.path()], "");
    assert_eq!(summary(&told)["codes"][0]["example"]["file"], two.path(), "files count in the order given");
}

#[test]
fn the_exit_code_is_the_worst_line() {
    let (ok, failure, bad) = (r#"{"text":"{}"}"#, r#"{"text":"no"}"#, r#"{"text":1}"#);
    let (good, poor) = (r#"{"outcome":"ok","document":{}}"#, r#"{"outcome":"limit"}"#);
    for (lines, code) in [
        (vec![], 0),
        (vec!["", " \t"], 0),
        (vec![ok, good], 0),
        (vec![failure, ok], 1),
        (vec![ok, poor], 1),
        (vec![bad, ok], 2),
        (vec![failure, bad, poor], 2),
    ] {
        assert_eq!(audit(&["-"], &lines.join("\n")).code, Some(code), "{lines:?}");
    }
}

#[test]
fn a_line_that_is_neither_is_told_with_its_place() {
    let lines = [
        r#"{"text":"{}"}"#,
        r#"{"id":7,"model":"m","outcome":"truncated","failure":5}"#,
        "not JSON",
        r#"{"id":"x","messages":[]}"#,
        r#"{"error":"line 2: `schema`: no","id":null}"#,
        r#"{"text":"{}","schema":7}"#,
        r#"[{"text":"{}"}]"#,
        r#"{"outcome":5}"#,
        "\u{feff}{\"text\":\"{}\"}",
    ];
    let told = audit(&["--json", "-"], &lines.join("\n"));
    assert_eq!(told.code, Some(2));
    let found = summary(&told);
    assert_eq!((&found["lines"], &found["judged"], &found["unreadable"]), (&json!(9), &json!(1), &json!(8)));
    let examples = found["unreadable_examples"].as_array().expect("a list");
    assert_eq!(examples.len(), 3);
    let excerpt = |line: &str| {
        let found = summary(&audit(&["--json", "-"], line));
        found["unreadable_examples"][0]["excerpt"].as_str().expect("why").to_owned()
    };
    // It has a reply, or was to have one: that it is no report is not what is wrong.
    assert_eq!(excerpt(r#"{"text":5}"#), "byte 9: invalid type: integer `5`, expected a string");
    assert!(excerpt(r#"{"id":1,"id":2,"text":""}"#).ends_with(": duplicate field `id`"));
    let whys = lines[1..8].iter().map(|line| excerpt(line)).collect::<Vec<_>>();
    for (why, part) in whys.iter().zip([
        "invalid type: integer `5`",
        "byte 2: expected ident",
        "neither `text` nor `chunks`, and no `outcome`",
        "no request: line 2: `schema`: no",
        "`schema`: ",
        "expected a request object",
        "invalid type: integer `5`, expected a string",
    ]) {
        assert!(why.contains(part), "{why}: {part}");
    }
    assert_eq!(
        (&examples[0]["id"], &examples[0]["model"], &examples[0]["line"]),
        (&json!("7"), &json!("m"), &json!(2))
    );
    let told = audit(&["-"], &lines.join("\n"));
    for part in [
        "\n8 lines are neither a request nor a report\n",
        "\n  -:3: byte 2: ",
        "\n  and 5 more\n  a line is one object",
    ] {
        assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
    }
}

#[test]
fn what_cannot_be_opened_is_told_before_anything_is_judged() {
    let good = File::with("audit-good.jsonl", REQUESTS);
    let other = File::with("audit-other.jsonl", REQUESTS);
    let directory = std::env::temp_dir();
    let directory = directory.to_str().expect("a path in UTF-8");
    for (args, why) in [
        (vec![good.path(), "no/such.jsonl"], "cannot read no/such.jsonl: no such file or directory"),
        (vec![good.path(), directory], "is a directory"),
        (vec!["-", "-"], "standard input can be read once"),
        (vec!["--schema", "no/such.json", good.path()], "cannot read no/such.json"),
        (vec!["--schema", "-", good.path(), "-"], "standard input cannot be the schema and the input"),
        (vec!["--html", good.path(), good.path()], "the page would replace a log"),
        (vec!["--html", other.path(), good.path()], "what is there is no page"),
        (vec!["--html", directory, good.path()], "is a directory"),
        (vec!["--html", "no/such/page.html", good.path()], "cannot write no/such/page.html: no such file or directory"),
        (vec!["--html", "no-such-directory/", good.path()], "cannot write no-such-directory/: is a directory"),
        (vec!["--html", "-", good.path()], "--html: the page needs the name of a file"),
        (vec![], "required"),
        (vec!["--jobs", "0", "-"], "--jobs"),
        (vec!["--schema", good.path(), "--tools", good.path(), "-"], "cannot be used with"),
    ] {
        let told = audit(&args, "");
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(told.stderr.contains(why), "{args:?}: {}", told.stderr);
    }
    for log in [good, other] {
        assert_eq!(fs::read_to_string(log.path()).expect("the log"), REQUESTS, "it is as it was");
    }
}

#[test]
fn a_log_that_comes_in_is_not_replaced_by_the_page() {
    let log = File::with("audit-comes-in.jsonl", REQUESTS);
    let input = fs::File::open(log.path()).expect("the log");
    let told = command(&["audit", "--html", log.path(), "-"]).stdin(input).output().expect("the command runs");
    assert_eq!((told.status.code(), told.stdout.is_empty()), (Some(2), true));
    assert_eq!(fs::read_to_string(log.path()).expect("the log"), REQUESTS);
}

#[test]
fn the_options_are_for_lines_that_say_nothing_else() {
    let schema = File::with("audit-schema.json", r#"{"properties": {"n": {"maximum": 5, "type": "integer"}}}"#);
    let lines = [
        json!({"text": "{\"n\": 7.5}"}),
        json!({"text": "{\"n\": 7.5}", "schema": true}),
        json!({"text": "{\"n\": \"é\"}"}),
        json!({"text": "{\"city\": 5}", "tools": [{"name": "f", "parameters": {"required": ["x"]}}], "payload": "arguments", "tool": "f"}),
    ]
    .map(|line| line.to_string())
    .join("\n");
    let found = summary(&audit(&["--json", "--schema", schema.path(), "-"], &lines));
    assert_eq!(counts(&found, "outcomes"), named(&[("schema_mismatch", 3), ("ok", 1)]));
    let mut broken = codes(&found);
    broken.iter_mut().for_each(|(outcome, ..)| assert_eq!(std::mem::take(outcome), "schema_mismatch"));
    let broken: Vec<_> = broken.iter().map(|(_, code, count)| (code.as_str(), *count)).collect();
    assert_eq!(broken, [("type", 2), ("maximum", 1), ("required", 1), ("schema", 1)]);
    let reports = run(&["batch", "--schema", schema.path()], &lines).stdout;
    assert_eq!(codes(&summary(&audit(&["--json", "-"], &reports))), codes(&found));

    let line = r#"{"text":"{\"a\": 1, // one\n}"}"#;
    let found = summary(&audit(&["--json", "--no-repair", "comment", "-"], line));
    assert_eq!(counts(&found, "outcomes"), named(&[("malformed", 1)]));
    let found = summary(&audit(&["--json", "--root", "array", "--ending", "timed-out", "-"], r#"{"text":"{}\n["}"#));
    assert_eq!(counts(&found, "diagnoses"), named(&[("timed_out", 1)]));
}

#[test]
fn reports_of_every_command_are_read() {
    let tools = r#"["f"]"#;
    let list = File::with("audit-list.json", tools);
    let text = r#"<tool_call>{"name": "f", "arguments": {"a": [1,]}}</tool_call><tool_call>{"name": "g", "arguments": {}}</tool_call>"#;
    let called = run(&["tools", "--json", "--tools", list.path()], text).stdout;
    let parsed = run(&["parse", "--json"], "{\"a\": 1,}").stdout;
    let schema = File::with("audit-one-schema.json", r#"{"maxProperties": 0, "required": ["b"]}"#);
    let validated = run(&["validate", "--json", "--schema", schema.path()], "{\"a\": 1}").stdout;
    let told = audit(&["--json", "-"], &(called + &parsed + &validated));
    let found = summary(&told);
    assert_eq!((&found["reported"], &found["judged"]), (&json!(3), &json!(0)), "{found}");
    assert_eq!(counts(&found, "outcomes"), named(&[("invalid", 1), ("ok", 1), ("schema_mismatch", 1)]));
    assert_eq!(counts(&found, "repairs"), named(&[("trailing_comma", 2)]));
    let found: Vec<_> = codes(&found).into_iter().map(|(outcome, code, _)| outcome + " " + &code).collect();
    let expected = ["invalid unknown_tool", "schema_mismatch maxProperties", "schema_mismatch required"];
    assert_eq!(found, expected);
}

#[test]
fn the_lanes_of_a_stream_are_replies() {
    let lane =
        |kind: &str, report: Value| json!({"choice": 0, "kind": kind, "tool": null, "text": "…", "report": report});
    let (ok, cut) = (
        json!({"outcome": "ok", "document": {}, "repairs": [{"kind": "comment"}], "warnings": []}),
        json!({"outcome": "truncated", "failure": {"code": "open_key", "cause": "budget", "excerpt": "{\"a"}}),
    );
    let stream = |outcome: &str, lanes: Vec<Value>| {
        let line = json!({"provider": "openai", "outcome": outcome, "lanes": lanes, "error": {"text": 5}});
        summary(&audit(&["--json", "-"], &line.to_string()))
    };
    let found = stream(
        "truncated_length",
        vec![lane("text", ok.clone()), lane("tool_args", cut.clone()), lane("reasoning", Value::Null)],
    );
    assert_eq!((&found["lines"], &found["reported"]), (&json!(1), &json!(2)));
    assert_eq!(counts(&found, "outcomes"), named(&[("ok", 1), ("truncated", 1)]));
    assert_eq!(codes(&found), [("truncated".into(), "open_key".into(), 1)]);
    assert_eq!(counts(&found, "repairs"), named(&[("comment", 1)]));

    let with_calls = |kind: &str, report: &Value, calls: Value| {
        let mut lane = lane(kind, report.clone());
        lane["tool_report"] = calls;
        counts(&stream("complete", vec![lane]), "outcomes")
    };
    let refused = json!({"outcome": "invalid", "refused": [{"outcome": "invalid", "code": "unknown_tool"}]});
    assert_eq!(with_calls("tool_args", &ok, refused.clone()), named(&[("invalid", 1)]), "a call that nobody can make");
    let none = json!({"outcome": "not_found", "failure": {"code": "no_call"}});
    assert_eq!(with_calls("text", &ok, none.clone()), named(&[("ok", 1)]), "a document is no call");
    assert_eq!(with_calls("text", &Value::Null, none), named(&[("ok", 1)]), "text that was not judged");
    let called = json!({"outcome": "ok", "calls": []});
    assert_eq!(with_calls("text", &cut, called), named(&[("ok", 1)]), "text that is calls need be no document");

    for (outcome, diagnosis) in
        [("truncated_cut", "provider_error"), ("filtered", "refusal"), ("cancelled", "truncation")]
    {
        let found = stream(outcome, vec![]);
        assert_eq!(counts(&found, "outcomes"), named(&[(outcome, 1)]));
        assert_eq!(counts(&found, "diagnoses"), named(&[(diagnosis, 1)]));
    }
    assert_eq!(counts(&stream("complete", vec![]), "outcomes"), named(&[("not_found", 1)]), "nothing was said");
    let refused = stream("complete", vec![lane("reasoning", Value::Null), lane("refusal", Value::Null)]);
    assert_eq!(counts(&refused, "diagnoses"), named(&[("refusal", 1)]), "the model said that it refuses");
}

#[test]
fn a_report_on_calls_has_a_text_and_a_request_may_have_an_outcome() {
    let kinds = |line: Value| {
        let found = summary(&audit(&["--json", "-"], &line.to_string()));
        (found["judged"].clone(), found["reported"].clone(), found["outcomes"][0]["name"].clone())
    };
    assert_eq!(
        kinds(json!({"text": "{}", "outcome": "not_found", "calls": []})),
        (json!(0), json!(1), json!("not_found"))
    );
    assert_eq!(kinds(json!({"text": "{}", "outcome": "not_found"})), (json!(1), json!(0), json!("ok")));
    assert_eq!(kinds(json!({"text": "{}", "calls": []})), (json!(1), json!(0), json!("ok")));
    assert_eq!(kinds(json!({"text": "{}", "outcome": 5, "calls": []})), (json!(1), json!(0), json!("ok")));
    assert_eq!(kinds(json!({"text": null, "outcome": "limit"})), (json!(0), json!(1), json!("limit")));
}

#[test]
fn foreign_text_stays_text() {
    let hostile = "\u{1b}[2J\u{202e}</script><img src=x onerror=alert(1)>\r\n\u{2067}\u{0}\u{9b}";
    let lines = [
        json!({"id": hostile, "model": hostile, "text": format!("{{\"{hostile}\" 1}}")}),
        json!({"id": {"a": hostile}, "model": [hostile], "text": "{\"a\" 1}"}),
        json!({"id": hostile, "outcome": hostile, "failure": {"code": hostile, "excerpt": hostile}}),
        json!({"outcome": "ok", "repairs": [{"kind": hostile}, {"kind": "Trailing"}], "warnings": [{"kind": "x".repeat(41)}]}),
        json!({"outcome": "limit", "violations": [{"keyword": hostile, "message": hostile}]}),
        json!({"id": hostile, "error": hostile}),
        json!({"id": "y".repeat(1_000_000), "model": "é".repeat(121), "outcome": "vetoed", "failure": {"code": "a_veto"}}),
    ];
    let name = File::with("audit-\u{202e}.jsonl", lines.map(|line| line.to_string()).join("\n"));
    for args in [&["--json", name.path()][..], &[name.path()]] {
        let told = audit(args, "");
        assert!(!steers_a_terminal(&told.stdout) && told.stderr.is_empty(), "{told:?}");
        assert!(told.stdout.len() < 20_000, "{}", told.stdout.len());
    }
    let found = summary(&audit(&["--json", name.path()], ""));
    let other = |of: &str| counts(&found, of).into_iter().find(|(name, _)| name == "other").map(|(_, count)| count);
    assert_eq!((other("outcomes"), other("repairs"), other("warnings")), (Some(1), Some(2), Some(1)));
    assert!(codes(&found).contains(&("other".into(), "other".into(), 1)), "{found}");
    let first = &found["codes"][0]["example"];
    assert_eq!((&first["id"], &first["model"]), (&json!(hostile), &json!(hostile)));
    let veto = found["codes"].as_array().and_then(|codes| codes.iter().find(|code| code["code"] == "a_veto"));
    let veto = &veto.expect("a code of its own")["example"];
    assert_eq!((&veto["id"], &veto["model"]), (&json!("y".repeat(120) + "…"), &json!("é".repeat(120) + "…")));
    assert_eq!(audit(&[name.path()], "").code, Some(2));
}

#[test]
fn depth_is_no_recursion() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let lines = [
        format!(
            r#"{{"outcome":"ok","document":{deep},"repairs":[{{"kind":"comment","x":{deep}}}],"id":{deep},"model":{deep}}}"#
        ),
        format!(r#"{{"text":"{{}}","id":{deep},"model":{deep},"outcome":{deep}}}"#),
        format!(r#"{{"outcome":"limit","failure":{{"code":"too_deep"}},"model":{deep},"id":{deep}}}"#),
    ];
    let found = summary(&audit(&["--json", "-"], &lines.join("\n")));
    assert_eq!(counts(&found, "outcomes"), named(&[("ok", 2), ("limit", 1)]), "{found}");
    assert_eq!(found["codes"][0]["example"]["model"], Value::Null);
}

#[test]
fn too_many_names_are_other_whoever_counts_them() {
    let report = |number: usize| {
        let name = format!("n{number:04}");
        json!({"id": number, "outcome": name, "repairs": [{"kind": name}], "failure": {"code": name, "excerpt": name}})
    };
    let pad = "x".repeat(500);
    let lines = |order: &mut dyn Iterator<Item = usize>| -> String {
        order.map(|number| format!("{}\n{}\n", report(number), json!({"text": "{}", "pad": pad}))).collect()
    };
    let told = [lines(&mut (0..2000)), lines(&mut (0..2000).rev())].map(|log| {
        let log = File::with("audit-names.jsonl", log);
        let told = ["1", "4"].map(|jobs| audit(&["--json", "--jobs", jobs, log.path()], ""));
        let [one, four] = told.map(|told| told.stdout.replace(log.path(), "log"));
        assert_eq!(one, four);
        serde_json::from_str::<Value>(&one).expect("JSON")
    });
    for found in &told {
        assert_eq!(counts(found, "outcomes").len(), 257, "`ok`, 255 of those that are not ours, `other`");
        assert_eq!(counts(found, "outcomes")[..3], named(&[("ok", 2000), ("other", 1745), ("n0000", 1)]));
        assert_eq!(found["more_codes"], 237);
    }
    assert_eq!(told[0]["outcomes"], told[1]["outcomes"], "in whatever order they come");
}

#[test]
fn a_line_over_the_limit_is_an_error_and_the_run_goes_on() {
    const LIMIT: usize = 64 << 20;
    let line = |len: usize| {
        let head = r#"{"text":"{}","pad":""#;
        format!("{head}{}\"}}\n", "x".repeat(len - head.len() - 2))
    };
    let log = line(40) + &line(LIMIT) + &line(LIMIT + 1) + &line(40) + &line(LIMIT + (1 << 20)) + &line(40);
    let log = File::with("audit-long.jsonl", log);
    let found = summary(&audit(&["--json", "--jobs", "2", log.path()], ""));
    assert_eq!((&found["judged"], &found["unreadable"], &found["lines"]), (&json!(4), &json!(2), &json!(6)));
    let places: Vec<_> = [0, 1].map(|at| found["unreadable_examples"][at]["line"].clone()).into();
    assert_eq!(places, [json!(3), json!(5)]);
    assert_eq!(found["unreadable_examples"][0]["excerpt"], "longer than 67108864 bytes");
}

#[test]
fn the_report_is_for_people() {
    let told = audit(&["-"], REQUESTS);
    assert_eq!(told.stderr, "");
    assert!(told.stdout.starts_with("5 replies: 2 ok (40.0%), 3 not\n"), "{}", told.stdout);
    for part in [
        "\noutcomes\n  ok         2   40.0%  ██████████\n  malformed  1   20.0%  █████\n",
        "\nrepairs\n  trailing_comma  2  in 1 reply (20.0%)\n",
        "\n  1   20.0%  truncated open_string\n             -:3, id a3, model large\n             | {\"n\": \"ab\n",
        "  of 5 replies, in bytes: median 9, 90% up to 16, 99% up to 16, longest 16\n  too few to size a budget by: ",
        "  10 bytes (18.2%) in 1 reply came after the answer was certain: hang up there\n",
        "  cure of truncation: Give the budget headroom: ",
    ] {
        assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
    }
    let parts = ["\noutcomes\n", "\nwhat was wrong\n", "\nrepairs\n", "\nlengths\n", "\ncodes\n"];
    let places = parts.map(|part| told.stdout.find(part));
    assert!(places.is_sorted() && places[0].is_some(), "the cure stands on the first screen: {}", told.stdout);
    let told = audit(&["-"], &(REQUESTS.to_owned() + &reports() + "7\n"));
    let below = "\n  5 judged here, 5 as others report them\n  1 line could not be read: see the end\n";
    assert!(told.stdout.contains(below), "{}", told.stdout);
    assert_eq!(audit(&["-"], "").stdout, "no replies\n");
}

#[test]
fn what_comes_behind_a_broken_schema_is_wasted() {
    let schema = json!({"properties": {"label": {"enum": ["yes", "no"]}, "n": {"maximum": 100}}});
    let rows = [
        // Where there is a document, all that it breaks is counted; where there is none, what was told.
        (r#"{"label": "maybe", "n": 150}"#, 16),
        (r#"{"label": "maybe", "n": 15"#, 14),
        (r#"{"n": 15, "label": "yes"}"#, 0),
    ];
    let lines = rows.map(|(text, _)| json!({"text": text, "schema": schema}).to_string() + "\n").concat();
    let found = summary(&audit(&["--json", "-"], &lines));
    assert_eq!(counts(&found, "outcomes"), named(&[("schema_mismatch", 2), ("ok", 1)]));
    let schema_mismatch = |code: &str, count| ("schema_mismatch".to_owned(), code.to_owned(), count);
    assert_eq!(codes(&found), [schema_mismatch("enum", 2), schema_mismatch("maximum", 1)]);
    let wasted = rows.iter().map(|(_, wasted)| wasted).sum::<usize>();
    assert_eq!((&found["wasted"]["replies"], &found["wasted"]["bytes"]), (&json!(2), &json!(wasted)));
    assert_eq!(counts(&found, "diagnoses"), named(&[("schema_mismatch", 2)]));
    // Of the reports the same is counted.
    let reported = summary(&audit(&["--json", "-"], &run(&["batch"], &lines).stdout));
    for of in ["outcomes", "diagnoses"] {
        assert_eq!(counts(&reported, of), counts(&found, of), "{of}");
    }
    assert_eq!(codes(&reported), codes(&found));
}

#[test]
fn a_percentile_is_told_of_enough_replies() {
    let line = "{\"text\":\"{}\"}\n";
    for (replies, budget, too_few) in [(99, false, true), (100, true, false)] {
        let told = audit(&["-"], &line.repeat(replies)).stdout;
        let has = |part: &str| told.contains(part);
        assert_eq!(
            (has("a budget for 99 of 100 replies is what 2 bytes"), has("too few")),
            (budget, too_few),
            "{told}"
        );
    }
    let told = audit(&["-"], &reports()).stdout;
    assert!(told.contains("\nlengths\n  not known: ") && !told.contains("budget by"), "{told}");
    let cut = "{\"text\":\"Verdict: appr\",\"ending\":\"length\",\"spec\":\
        {\"targets\":[{\"name\":\"verdict\",\"type\":\"enum\",\"values\":[\"approve\"]}]}}";
    let told = audit(&["-"], cut).stdout;
    assert!(told.contains("  replies that were cut count as far as they came"), "{told}");
}

#[test]
fn the_example_of_the_readme_is_what_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let args = ["audit", "--schema", "examples/schemas/review.json", "examples/logs/week.jsonl"];
    assert!(readme.contains(&format!("`thusfar {}`", args.join(" "))), "the command stands there");
    let told = command(&args).current_dir(root).output().expect("the command runs");
    assert_eq!((told.status.code(), told.stderr.is_empty()), (Some(1), true));
    let told = String::from_utf8(told.stdout).expect("UTF-8");
    assert!(readme.contains(&format!("```text\n{told}```\n")), "{told}");
}

#[test]
fn a_page_is_written_whole_or_not_at_all() {
    let log = File::with("audit-page.jsonl", REQUESTS);
    let page = File::with("audit-page.html", "<!doctype html>what stood there before");
    let told = audit(&["--html", page.path(), log.path()], "");
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    assert_eq!(told.stdout, audit(&[log.path()], "").stdout, "the report is told as well");
    let html = fs::read_to_string(page.path()).expect("the page");
    assert!(html.starts_with("<!doctype html>\n") && !html.contains("what stood there before"), "{html}");
    let beside = |path: &Path| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let files = fs::read_dir(path.parent().expect("a directory")).expect("a directory").flatten();
        files.filter(|file| file.file_name().to_string_lossy().starts_with(&name)).count()
    };
    assert_eq!(beside(Path::new(page.path())), 1, "nothing is left beside it");
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_page_and_a_device_stays_one() {
    use std::os::unix::fs::PermissionsExt as _;

    let log = File::with("audit-linked.jsonl", REQUESTS);
    let page = File::with("audit-linked.html", "");
    let link = format!("{}.link", page.path());
    std::os::unix::fs::symlink(page.path(), &link).expect("a link");
    fs::set_permissions(page.path(), fs::Permissions::from_mode(0o640)).expect("it is ours");
    let told = audit(&["--json", "--html", &link, log.path()], "");
    let mode = fs::metadata(page.path()).expect("the page").permissions().mode();
    assert_eq!(mode & 0o777, 0o640, "whoever could read it still can, and nobody else");
    let is_link = fs::symlink_metadata(&link).is_ok_and(|link| link.is_symlink());
    fs::remove_file(&link).expect("the link is there");
    assert!(is_link && told.code == Some(1), "{told:?}");
    assert!(fs::read_to_string(page.path()).expect("the page").starts_with("<!doctype html>"));
    let link = format!("{}.leads-on", page.path());
    let new = format!("{}.new", page.path());
    std::os::unix::fs::symlink(Path::new(&new).file_name().expect("a name"), &link).expect("a link");
    let told = audit(&["--json", "--html", &link, log.path()], "");
    let is_link = fs::symlink_metadata(&link).is_ok_and(|link| link.is_symlink());
    let html = fs::read_to_string(&new);
    fs::remove_file(&link).and_then(|()| fs::remove_file(&new)).expect("both are there");
    assert!(is_link && told.code == Some(1) && html.is_ok_and(|html| html.starts_with("<!doctype html>")), "{told:?}");
    assert_eq!(audit(&["--json", "--html", "/dev/null", log.path()], "").code, Some(1));
    assert!(!fs::metadata("/dev/null").expect("the device").is_file());
}
