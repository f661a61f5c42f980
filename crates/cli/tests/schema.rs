//! `thusfar schema`, as a shell sees it: what of a schema is told when.

mod support;

use serde_json::{Value, json};
use support::{File, Run, example_schema, run};

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "label": {"enum": ["positive", "negative"]},
    "confidence": {"maximum": 100},
    "note": {"title": "anything", "maxLength": 9, "pattern": "^(?=x)"}
  },
  "unevaluatedProperties": false
}"#;

fn report(told: &Run) -> Value {
    assert_eq!((told.code, told.stdout.lines().count(), told.stderr.as_str()), (Some(0), 1, ""), "{told:?}");
    serde_json::from_str(&told.stdout).expect("the report is JSON")
}

#[test]
fn each_keyword_is_a_line() {
    let told = run(&["schema"], SCHEMA);
    assert_eq!(told.code, Some(0));
    let lines: Vec<_> = told.stdout.lines().map(|line| line.split("  (").next().unwrap_or_default()).collect();
    assert_eq!(
        lines,
        [
            "at_close  /properties/confidence/maximum",
            "early     /properties/label/enum",
            "early     /properties/note/maxLength",
            "at_close  /properties/note/pattern",
            "early     /type",
            "final     /unevaluatedProperties",
        ]
    );
    // What is told in the end has its reason.
    assert!(told.stdout.lines().any(|line| line.starts_with("final ") && line.ends_with(')')), "{}", told.stdout);
    assert_eq!(told.stderr, "6 keywords of draft 2020-12: 3 early, 2 at close, 1 final\n");
    let file = File::with("covered.json", SCHEMA);
    assert_eq!(run(&["schema", file.path()], ""), told);
    assert_eq!(run(&["schema", "-"], format!("\u{feff}{SCHEMA}")), told);
}

#[test]
fn a_program_gets_one_object() {
    let told = report(&run(&["schema", "--json"], SCHEMA));
    let counts = [&told["early"], &told["at_close"], &told["final"]];
    assert_eq!((&told["draft"], counts), (&json!("2020-12"), [&json!(3), &json!(2), &json!(1)]));
    let coverage = told["coverage"].as_array().expect("keywords");
    assert_eq!(coverage[1], json!({"pointer": "/properties/label/enum", "keyword": "enum", "when": "early"}));
    assert!(coverage[3]["why"].is_string() && coverage[5]["why"].is_string(), "{told}");
    assert_eq!(told.get("more_keywords"), None);
    let none = json!({"draft": "2020-12", "coverage": [], "early": 0, "at_close": 0, "final": 0});
    assert_eq!(report(&run(&["schema", "--json"], "true")), none);
    let draft = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "minLength": 1}"#;
    assert_eq!(report(&run(&["schema", "--json"], draft))["draft"], "7");
}

#[test]
fn what_is_told_of_a_reply_is_told_when_the_coverage_says() {
    let file = File::with("covered-told.json", SCHEMA);
    let coverage = report(&run(&["schema", "--json", file.path()], ""));
    for (reply, keyword) in [
        (r#"{"label": "maybe"}"#, "enum"),
        (r#"{"confidence": 150}"#, "maximum"),
        (r#"{"note": "xxxxxxxxxx"}"#, "maxLength"),
        (r#"{"note": "a"}"#, "pattern"),
        (r#"{"more": 1}"#, "unevaluatedProperties"),
    ] {
        let told = run(&["validate", "--json", "--schema", file.path()], reply);
        let told: Value = serde_json::from_str(&told.stdout).expect("the report is JSON");
        let violation = &told["violations"][0];
        let mut listed = coverage["coverage"].as_array().expect("keywords").iter();
        let listed = listed.find(|it| it["keyword"] == keyword).expect("the keyword is listed");
        assert_eq!((&violation["keyword"], &violation["when"]), (&json!(keyword), &listed["when"]), "{reply}");
    }
}

#[test]
fn a_schema_that_is_none_exits_2() {
    for (text, why) in [
        ("", "[schema_not_json]"),
        ("{\"type\": 12}", "[schema_invalid]"),
        ("{\"$ref\": \"https://example.com/a.json\"}", "[schema_reference]"),
        ("{\"pattern\": \"(\"}", "[schema_pattern]"),
    ] {
        for args in [&["schema"][..], &["schema", "--json"]] {
            let told = run(args, text);
            assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{text}");
            assert!(
                told.stderr.starts_with("thusfar: standard input: ") && told.stderr.contains(why),
                "{}",
                told.stderr
            );
        }
    }
    let long = run(&["schema"], format!("{{\"title\": \"{}\"}}", "x".repeat(1 << 20)));
    assert!(long.code == Some(2) && long.stderr.contains("longer than 1048576 bytes [schema_limit]"), "{long:?}");
    let told = run(&["schema", "no/such.json"], "");
    assert_eq!((told.code, &*told.stderr), (Some(2), "thusfar: cannot read no/such.json: no such file or directory\n"));
}

#[test]
fn a_schema_does_not_steer_a_terminal_nor_make_lines() {
    let told = run(&["schema"], r#"{"properties": {"a\n\u001b\u202e": {"type": "null"}}}"#);
    assert_eq!(told.stdout, "early     /properties/a\\n\\u{1b}\\u{202e}/type\n");
}

#[test]
fn the_example_of_the_readme_is_what_comes_out() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).expect("the README");
    assert!(readme.contains("`thusfar schema examples/schemas/verdict.json`"), "the command stands there");
    let told = run(&["schema", &example_schema("verdict.json")], "");
    assert!(
        readme.contains(&format!("```text\n{}{}```\n", told.stdout, told.stderr)),
        "{}{}",
        told.stdout,
        told.stderr
    );
}
