//! `thusfar validate`, as a shell sees it: the checklist of a validator that people write by hand, and what it forgets.

mod support;

use std::io::Write as _;

use serde_json::{Value, json};
use support::{File, Run, command, example, example_schema, run};

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "label": {"enum": ["positive", "negative", "neutral"]},
    "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2}
  },
  "required": ["label", "confidence"],
  "additionalProperties": false
}"#;

const CLEAN: &str = r#"{"label": "positive", "confidence": 15}"#;

/// Each test has files of its own: they run side by side.
fn schema(text: &str) -> File {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    File::with(&format!("schema-{}.json", COUNT.fetch_add(1, Ordering::Relaxed)), text)
}

fn validate(schema_text: &str, args: &[&str], reply: impl AsRef<[u8]>) -> Run {
    let schema = schema(schema_text);
    run(&[&["validate", "--schema", schema.path()], args].concat(), reply)
}

/// The report, and the exit code.
fn report(schema_text: &str, reply: impl AsRef<[u8]>) -> (Option<i32>, Value) {
    let told = validate(schema_text, &["--json"], reply);
    assert_eq!((told.stdout.lines().count(), told.stderr.as_str()), (1, ""), "{told:?}");
    (told.code, serde_json::from_str(&told.stdout).expect("the report is JSON"))
}

/// The one violation of a reply.
fn violation(schema_text: &str, reply: &str) -> Value {
    let (code, report) = report(schema_text, reply);
    let violations = report["violations"].as_array().expect("violations").clone();
    assert_eq!((code, &report["outcome"], violations.len()), (Some(1), &json!("schema_mismatch"), 1), "{report}");
    violations[0].clone()
}

#[test]
fn clean_json_exits_0() {
    let expected = Run { code: Some(0), stdout: format!("{CLEAN}\n"), stderr: String::new() };
    assert_eq!(validate(SCHEMA, &[], CLEAN), expected);
    assert_eq!(validate(SCHEMA, &["-"], CLEAN), expected);
    let file = File::with("validate-reply.txt", CLEAN);
    assert_eq!(validate(SCHEMA, &[file.path()], ""), expected);
    let (code, told) = report(SCHEMA, CLEAN);
    let document: Value = serde_json::from_str(CLEAN).expect("JSON");
    let whole = json!({"outcome": "ok", "document": document, "repairs": [], "warnings": [], "violations": []});
    assert_eq!((code, told), (Some(0), whole));
}

#[test]
fn fenced_json_exits_0() {
    let told = validate(SCHEMA, &[], format!("Here it is:\n\n```json\n{CLEAN}\n```\nAnything else?\n"));
    assert_eq!(told, Run { code: Some(0), stdout: format!("{CLEAN}\n"), stderr: String::new() });
}

#[test]
fn json_in_prose_exits_0() {
    let told = validate(SCHEMA, &[], format!("I would say {CLEAN} but others may differ."));
    assert_eq!(told, Run { code: Some(0), stdout: format!("{CLEAN}\n"), stderr: String::new() });
}

#[test]
fn a_trailing_comma_exits_0() {
    let told = validate(SCHEMA, &[], r#"{"label": "positive", "confidence": 15,}"#);
    assert_eq!((told.code, told.stdout), (Some(0), format!("{CLEAN}\n")));
    assert_eq!(told.stderr, "repaired: `,` to nothing at line 1, column 39 [trailing_comma]\n");
    let (_, told) = report(SCHEMA, r#"{"label": "positive", "confidence": 15,}"#);
    assert_eq!((&told["outcome"], &told["repairs"][0]["kind"]), (&json!("ok"), &json!("trailing_comma")));
    let told = validate(SCHEMA, &["--no-repair", "trailing_comma"], r#"{"label": "positive", "confidence": 15,}"#);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_bad_enum_exits_1() {
    let reply = r#"{"label": "possibly", "confidence": 15}"#;
    let told = validate(SCHEMA, &[], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    for part in ["`/label`", "\"positive\", \"negative\", \"neutral\"", "\"poss...\""] {
        assert!(told.stderr.contains(part), "{part}: {}", told.stderr);
    }
    let told = violation(SCHEMA, reply);
    assert_eq!((&told["path"], &told["keyword"]), (&json!("/label"), &json!("enum")));
    assert_eq!((&told["expected"], &told["got"]), (&json!(["positive", "negative", "neutral"]), &json!("poss")));
    // No allowed word begins so.
    assert_eq!((&told["when"], &told["offset"]), (&json!("early"), &json!(14)));
    assert_eq!((&told["start"], &told["line"], &told["column"]), (&json!(10), &json!(1), &json!(11)));
}

#[test]
fn a_bad_bound_exits_1() {
    let reply = "Sure:\n{\"label\": \"é\",\n \"confidence\": 150}".replace('é', "neutral");
    let told = violation(SCHEMA, &reply);
    assert_eq!((&told["path"], &told["keyword"]), (&json!("/confidence"), &json!("maximum")));
    assert_eq!((&told["expected"], &told["got"]), (&json!(100), &json!(150)));
    assert_eq!((&told["start"], &told["line"], &told["column"]), (&json!(42), &json!(3), &json!(16)));
    assert_eq!(told["message"], "`/confidence` must be at most 100; you returned 150");
    let told = validate(SCHEMA, &[], &reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.contains("`/confidence` must be at most 100; you returned 150"), "{}", told.stderr);
}

#[test]
fn no_json_exits_1() {
    let told = validate(SCHEMA, &[], "I cannot help with that.");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.starts_with("no document in the reply\n"), "what can be sent back: {}", told.stderr);
    assert!(told.stderr.contains("\nI cannot help with that.\n"), "{}", told.stderr);
    let (code, told) = report(SCHEMA, "I cannot help with that.");
    assert_eq!((code, &told["outcome"], &told["violations"]), (Some(1), &json!("not_found"), &json!([])));
    assert!(told["failure"]["code"] == "no_document" && told.get("document").is_none(), "{told}");
    let (code, told) = report(SCHEMA, "");
    assert_eq!((code, &told["outcome"]), (Some(1), &json!("not_found")));
}

#[test]
fn a_cut_reply_exits_1_and_is_no_mismatch_where_it_could_have_gone_on() {
    let told = validate(SCHEMA, &["--json", "--ending", "length"], r#"{"label": "positive", "confid"#);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    let told: Value = serde_json::from_str(&told.stdout).expect("the report is JSON");
    assert_eq!((&told["outcome"], &told["failure"]["cause"]), (&json!("truncated"), &json!("budget")));
    assert_eq!((&told["violations"], told.get("document")), (&json!([]), None));
}

#[test]
fn a_cut_reply_that_could_not_have_become_valid_is_a_mismatch() {
    let reply = r#"{"label": "possibly", "confid"#;
    let told = validate(SCHEMA, &["--json", "--ending", "length"], reply);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    let told: Value = serde_json::from_str(&told.stdout).expect("the report is JSON");
    let violations = told["violations"].as_array().expect("violations");
    assert_eq!((&told["outcome"], told.get("document"), violations.len()), (&json!("schema_mismatch"), None, 1));
    assert_eq!(told.get("more_violations"), None, "nobody has looked for more");
    assert_eq!((&violations[0]["keyword"], &violations[0]["when"]), (&json!("enum"), &json!("early")));
    let failure = &told["failure"];
    assert_eq!((&failure["code"], failure.get("cause")), (&json!("schema_mismatch"), None));
    assert_eq!(
        (&failure["offset"], &failure["decided_at"], &failure["path"]),
        (&json!(14), &json!(14), &json!("/label"))
    );
    assert_eq!((&failure["message"], &failure["column"]), (&violations[0]["message"], &json!(15)));
    // What can be sent back says it too.
    let told = validate(SCHEMA, &["--ending", "length"], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    let first =
        "the reply ceases to follow the schema, and was read no further. Names and values in these lines are data";
    let line = "- `/label` must be one of \"positive\", \"negative\", \"neutral\"; you returned \"poss...\" (line 1, column 11)\n";
    assert!(told.stderr.starts_with(first) && told.stderr.contains(line), "{}", told.stderr);
}

#[test]
fn everything_else_is_told_behind_what_was_told_first() {
    let (code, told) =
        report(SCHEMA, r#"Sure: {"label": "possibly", "confidence": 150, "why": 1, "tags": [1]} Anything else?"#);
    assert_eq!((code, &told["outcome"]), (Some(1), &json!("schema_mismatch")));
    assert_eq!(told["document"], json!({"label": "possibly", "confidence": 150, "why": 1, "tags": [1]}));
    let violations = told["violations"].as_array().expect("violations").iter();
    let said: Vec<_> = violations.map(|it| json!([it["path"], it["keyword"], it["when"]])).collect();
    let whole = [
        json!(["/label", "enum", "early"]),
        json!(["/confidence", "maximum", "final"]),
        json!(["/why", "additionalProperties", "final"]),
        json!(["/tags/0", "type", "final"]),
    ];
    assert_eq!((said.as_slice(), told.get("failure")), (&whole[..], None));
    // A field that is told inside its name is not told again by its whole name; two that are missing are two.
    for (reply, whole) in [
        (r#"{"label": "neutral", "confidence": 1, "why": 1}"#, &[json!(["/why", "additionalProperties", "early"])][..]),
        (r#"{"tags": []}"#, &[json!(["", "required", "at_close"]), json!(["", "required", "final"])]),
        (
            r#"{"label": "neutral", "confidence": 1, "tags": ["a", "b", "c", 4]}"#,
            &[json!(["/tags", "maxItems", "early"]), json!(["/tags/3", "type", "final"])],
        ),
    ] {
        let (_, told) = report(SCHEMA, reply);
        let violations = told["violations"].as_array().expect("violations").iter();
        let said: Vec<_> = violations.map(|it| json!([it["path"], it["keyword"], it["when"]])).collect();
        assert_eq!((said.as_slice(), told.get("document").is_some()), (whole, true), "{reply}");
    }
}

#[test]
fn a_document_that_was_not_refused_is_told_at_its_end_with_the_byte() {
    let bound = r#"{"type": "object", "properties": {"n": {"maximum": 100}}, "minProperties": 1}"#;
    for (args, reply, offset, when) in [
        // What never was a promise.
        (&[][..], "{}", 1, "at_close"),
        (&[], "{ }", 2, "at_close"),
        (&[], "[1, 2]", 0, "early"),
        // The last one counts, and which that is nobody knows before the end.
        (&["--take", "last"], r#"{"n": 200} {"n": 150}"#, 20, "at_close"),
        (&["--take", "first"], r#"{"n": 150} {"n": 1}"#, 9, "at_close"),
        (&[], r#"{"n": 150}"#, 9, "at_close"),
    ] {
        let told = validate(bound, &[&["--json"], args].concat(), reply);
        let told: Value = serde_json::from_str(&told.stdout).expect("the report is JSON");
        let violation = &told["violations"][0];
        assert_eq!(told["outcome"], "schema_mismatch", "{reply}");
        assert_eq!((&violation["offset"], &violation["when"]), (&json!(offset), &json!(when)), "{reply}");
        assert!(told.get("document").is_some() && told.get("failure").is_none(), "{reply}");
    }
    let unevaluated = r#"{"properties": {"a": true}, "unevaluatedProperties": {"type": "integer"}}"#;
    assert_eq!(violation(unevaluated, r#"{"a": 1, "b": "x"}"#)["when"], "final");
    // A number that is the whole reply ends with it.
    let told = validate(r#"{"type": "integer", "maximum": 100}"#, &["--json", "--ending", "stop"], "150");
    let told: Value = serde_json::from_str(&told.stdout).expect("the report is JSON");
    let (told, document) = (&told["violations"][0], &told["document"]);
    assert_eq!(document, &json!(150));
    assert_eq!((&told["offset"], &told["when"], &told["start"]), (&json!(3), &json!("at_close"), &json!(0)));
}

/// Nothing on standard output, whatever the reply is, and it is not even read.
fn is_refused(told: &Run, why: &str) {
    assert_eq!((told.code, told.stdout.as_str(), told.stderr.lines().count()), (Some(2), "", 1), "{told:?}");
    assert!(told.stderr.starts_with("thusfar: ") && told.stderr.contains(why), "{why}: {}", told.stderr);
}

#[test]
fn a_missing_schema_exits_2() {
    for args in [&["--json"][..], &[]] {
        let told = run(&[&["validate", "--schema", "no/such.json"], args].concat(), CLEAN);
        is_refused(&told, "cannot read no/such.json: no such file or directory");
    }
    let told = run(&["validate", "--schema", ".", "-"], CLEAN);
    is_refused(&told, "cannot read .: ");
    // The schema is looked at before the reply.
    is_refused(&run(&["validate", "--schema", "no/such.json", "nor/this.txt"], ""), "no/such.json");
    assert_eq!(run(&["validate"], CLEAN).code, Some(2));
}

#[test]
fn a_broken_schema_exits_2() {
    for (text, why) in [
        ("", "[schema_not_json]"),
        ("{\"type\": \"object\"", "[schema_not_json]"),
        ("{\"type\": 12}", "at `/type` of the schema [schema_invalid]"),
        ("{\"minimum\": \"low\"}", "at `/minimum` of the schema [schema_invalid]"),
        ("[]", "[schema_invalid]"),
        ("null", "[schema_invalid]"),
        ("{\"$ref\": \"https://example.com/a.json\"}", "[schema_reference]"),
        ("{\"$ref\": \"#/$defs/none\"}", "[schema_reference]"),
        ("{\"pattern\": \"(\"}", "[schema_pattern]"),
    ] {
        for reply in [CLEAN, "no document"] {
            let schema = schema(text);
            let told = run(&["validate", "--json", "--schema", schema.path()], reply);
            is_refused(&told, why);
            assert!(told.stderr.contains(schema.path()), "the file is named: {}", told.stderr);
        }
    }
    let latin = File::with("latin-schema.json", b"{\"title\": \"caf\xe9\"}");
    is_refused(&run(&["validate", "--schema", latin.path()], CLEAN), "not UTF-8 from byte 15 on [schema_not_json]");
    let long = schema(&format!("{{\"title\": \"{}\"}}", "x".repeat(1 << 20)));
    is_refused(&run(&["validate", "--schema", long.path()], CLEAN), "longer than 1048576 bytes [schema_limit]");
}

#[test]
fn standard_input_is_read_once() {
    let told = run(&["validate", "--schema", "-"], "{}");
    is_refused(&told, "standard input cannot be the schema and the input");
    is_refused(&run(&["validate", "--schema", "-", "-"], "{}"), "standard input");
    let reply = File::with("validate-other.txt", r#"{"label": "bad"}"#);
    assert_eq!(run(&["validate", "--schema", "-", reply.path()], SCHEMA).code, Some(1));
    assert_eq!(run(&["validate", "--schema", "-", reply.path()], "\u{feff}true").code, Some(0));
}

#[test]
fn of_an_endless_schema_no_more_is_read_than_is_allowed() {
    let reply = File::with("validate-endless.txt", CLEAN);
    let mut child = command(&["validate", "--schema", "-", reply.path()]).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    // The pipe stays open: only a command that stops reading by itself ends.
    let refused = (0..4096).any(|_| input.write_all(&[b' '; 4096]).is_err());
    assert!(refused, "16 MiB were read");
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(2));
    drop(input);
}

#[test]
fn what_was_asked_and_what_was_found() {
    for (schema_text, reply, path, keyword, expected, got) in [
        (
            SCHEMA,
            r#"{"label": "neutral", "confidence": "15"}"#,
            "/confidence",
            "type",
            json!("integer"),
            json!("string"),
        ),
        (SCHEMA, r#"{"label": "neutral", "confidence": -1}"#, "/confidence", "minimum", json!(0), json!(-1)),
        (SCHEMA, r#"{"label": "neutral"}"#, "", "required", json!("confidence"), json!(["label"])),
        (
            SCHEMA,
            r#"{"label": "neutral", "confidence": 1, "why": 1}"#,
            "/why",
            "additionalProperties",
            json!(["confidence", "label", "tags"]),
            json!("why"),
        ),
        (
            SCHEMA,
            r#"{"label": "neutral", "confidence": 1, "tags": ["a", "b", "c"]}"#,
            "/tags",
            "maxItems",
            json!(2),
            json!(3),
        ),
        (
            SCHEMA,
            r#"{"label": "neutral", "confidence": 1, "tags": ["a", null]}"#,
            "/tags/1",
            "type",
            json!("string"),
            json!("null"),
        ),
        (r#"{"properties": {"a": {"const": [1]}}}"#, r#"{"a": [1, 2]}"#, "/a", "const", json!([1]), json!([1, 2])),
        (
            r#"{"properties": {"a": {"type": ["array", "null"]}}}"#,
            r#"{"a": {}}"#,
            "/a",
            "type",
            json!(["array", "null"]),
            json!("object"),
        ),
        (r#"{"properties": {"a": {"minLength": 3}}}"#, r#"{"a": "é!"}"#, "/a", "minLength", json!(3), json!(2)),
        (r#"{"properties": {"a": {"pattern": "^x"}}}"#, r#"{"a": "y"}"#, "/a", "pattern", json!("^x"), json!("y")),
        (
            r#"{"properties": {"a/b~c": {"multipleOf": 2}}}"#,
            r#"{"a/b~c": 3}"#,
            "/a~1b~0c",
            "multipleOf",
            json!(2),
            json!(3),
        ),
    ] {
        let told = violation(schema_text, reply);
        assert_eq!((&told["path"], &told["keyword"]), (&json!(path), &json!(keyword)), "{told}");
        assert_eq!((&told["expected"], &told["got"]), (&expected, &got), "{told}");
        assert!(told["message"].as_str().is_some_and(|message| !message.is_empty()), "{told}");
    }
}

#[test]
fn missing_and_extra_fields_have_pointers() {
    let object =
        r#"{"properties": {"in": {"properties": {"a~/": {}}, "required": ["a~/"], "additionalProperties": false}}}"#;
    let (code, told) = report(object, r#"{"in": {"A/~": 1}}"#);
    let violations = told["violations"].as_array().expect("violations");
    assert_eq!((code, violations.len()), (Some(1), 2), "{told}");
    let missing = violations.iter().find(|violation| violation["keyword"] == "required").expect("what is missing");
    assert_eq!(
        (&missing["path"], &missing["missing"], missing.get("extra")),
        (&json!("/in"), &json!(["/in/a~0~1"]), None)
    );
    let extra =
        violations.iter().find(|violation| violation["keyword"] == "additionalProperties").expect("what is not");
    assert_eq!((&extra["extra"], extra.get("missing")), (&json!(["/in/A~1~0"]), None));
    // A field that was told inside its name has no pointer while that is not there.
    let cut = r#"{"in": {"a~/": 1, "A"#;
    for (reply, path, pointers) in
        [(cut.to_owned(), "/in", None), (format!("{cut}/~\": 1}}}}"), "/in/A~1~0", Some(json!(["/in/A~1~0"])))]
    {
        let (_, told) = report(object, &reply);
        let extra = &told["violations"][0];
        assert_eq!(
            (&extra["path"], &extra["when"], extra.get("extra")),
            (&json!(path), &json!("early"), pointers.as_ref())
        );
    }
    for schema_text in [
        r#"{"properties": {"a": false}}"#,
        r#"{"patternProperties": {"^a": false}}"#,
        r#"{"additionalProperties": false}"#,
        r#"{"unevaluatedProperties": false}"#,
        r#"{"propertyNames": {"maxLength": 0}}"#,
    ] {
        let extra = violation(schema_text, r#"{"a": {"b": 1}}"#);
        assert_eq!((&extra["path"], &extra["extra"], extra.get("missing")), (&json!("/a"), &json!(["/a"]), None));
    }
    for schema_text in [
        r#"{"dependentRequired": {"a": ["n/m"]}}"#,
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["n/m"]}}"#,
    ] {
        let missing = violation(schema_text, r#"{"a": 1}"#);
        assert_eq!((&missing["missing"], missing.get("extra")), (&json!(["/n~1m"]), None), "{missing}");
    }
    let bound = violation(SCHEMA, r#"{"label": "neutral", "confidence": 101}"#);
    assert!(bound.get("missing").is_none() && bound.get("extra").is_none(), "{bound}");
}

#[test]
fn nothing_is_coerced_defaulted_or_unwrapped() {
    let defaults = r#"{"properties": {"n": {"type": "integer", "default": 1}}, "required": ["n"]}"#;
    for reply in
        [r#"{"n": "1"}"#, r#"{"n": 1.5}"#, r#"{"n": null}"#, r#"{"n": true}"#, r#"{}"#, r#"{"answer": {"n": 1}}"#]
    {
        let (code, told) = report(defaults, reply);
        assert_eq!((code, &told["outcome"]), (Some(1), &json!("schema_mismatch")), "{reply}");
        let written: Value = serde_json::from_str(reply).expect("JSON");
        assert_eq!(told["document"], written, "the report holds what the model wrote");
    }
    // An integer is a number without a fraction, however it is written (draft 6 and later).
    assert_eq!(validate(defaults, &[], r#"{"n": 1.0}"#).stdout, "{\"n\": 1.0}\n");
    // Of a root of the other kind the schema says what is wrong.
    let told = violation(r#"{"type": "object"}"#, "[1]");
    assert_eq!((&told["path"], &told["expected"], &told["got"]), (&json!(""), &json!("object"), &json!("array")));
}

#[test]
fn the_schema_says_which_root_and_the_option_stands_above_it() {
    let string = r#"{"type": "string", "maxLength": 3}"#;
    assert_eq!(validate(string, &[], "\"abc\"").stdout, "\"abc\"\n");
    assert_eq!(violation(string, "\"abcd\"")["keyword"], "maxLength");
    let word = r#"{"enum": ["positive", "negative"]}"#;
    assert_eq!(validate(word, &[], "```json\n\"positive\"\n```").stdout, "\"positive\"\n");
    assert_eq!(violation(word, "\"neutral\"")["keyword"], "enum");
    assert_eq!(validate(string, &["--root", "any"], "\"abc\"").code, Some(1));
    let told = validate("true", &["--root", "object", "--json"], "[1]");
    assert!(told.code == Some(1) && told.stdout.contains("\"code\":\"wrong_root\""), "{told:?}");
    let several = r#"{"confidence": 1} or {"confidence": 200}"#;
    let bound = r#"{"properties": {"confidence": {"maximum": 100}}}"#;
    // The second one ends the search: it can no longer be valid before it is another document.
    let (_, told) = report(bound, several);
    assert_eq!((&told["outcome"], &told["failure"]["offset"]), (&json!("schema_mismatch"), &json!(39)));
    assert_eq!(report(bound, r#"{"confidence": 1} or {"confidence": 2}"#).1["outcome"], "ambiguous");
    assert_eq!(validate(bound, &["--take", "first"], several).stdout, "{\"confidence\": 1}\n");
    assert_eq!(validate(bound, &["--take", "last"], several).code, Some(1));
}

#[test]
fn violations_stand_in_the_order_of_the_document_and_are_bounded_for_people() {
    let schema_text = r#"{"items": {"type": "integer"}}"#;
    let reply = format!("[{}]", (0..25).map(|n| format!("\n\"{n}\"")).collect::<Vec<_>>().join(","));
    let (_, told) = report(schema_text, &reply);
    let paths: Vec<_> =
        told["violations"].as_array().expect("violations").iter().map(|it| it["path"].clone()).collect();
    assert_eq!(paths, (0..25).map(|n| json!(format!("/{n}"))).collect::<Vec<_>>());
    let told = validate(schema_text, &[], &reply);
    for (shown, is_there) in [("`/0`", true), ("`/19`", true), ("`/20`", false)] {
        assert_eq!(told.stderr.contains(shown), is_there, "{shown}: {}", told.stderr);
    }
    assert!(told.stderr.contains("and 5 more"), "{}", told.stderr);
}

#[test]
fn violations_that_are_not_listed_are_not_passed_over() {
    let list = |count: usize| format!("[{}]", (0..count).map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(","));
    for (count, more) in [(20, None), (1_200, Some(&json!(true)))] {
        let (code, told) = report(r#"{"items": {"type": "integer"}}"#, list(count));
        let listed = told["violations"].as_array().map(Vec::len);
        assert_eq!((code, listed, told.get("more_violations")), (Some(1), Some(count.min(1_000)), more));
    }
}

#[test]
fn a_number_that_no_float_holds_names_the_keyword() {
    let schema_text = r#"{"properties": {"a": {"maximum": 0.5}, "b": {}}}"#;
    let reply = r#"{"a": 0.1234567890123456789, "b": 0.1234567890123456789}"#;
    let (code, told) = report(schema_text, reply);
    let warning = |offset: usize| json!({"kind": "lossy_number", "offset": offset, "line": 1, "column": offset + 1});
    let (mut judged, other) = (warning(6), warning(34));
    judged["keyword"] = json!("maximum");
    assert_eq!((code, &told["warnings"]), (Some(0), &json!([judged, other])));
    let told = validate(schema_text, &[], reply);
    assert_eq!(told.code, Some(0));
    assert!(told.stderr.contains("column 7 [lossy_number, maximum]\n"), "{}", told.stderr);
    assert!(told.stderr.ends_with("column 35 [lossy_number]\n"), "{}", told.stderr);
    // The verdict is that of the neighbour, and does not pass for more than it is.
    let root = r#"{"enum": [12345678901234567890123]}"#;
    let told = validate(root, &["--json", "--ending", "stop"], "12345678901234567890124");
    let told: Value = serde_json::from_str(&told.stdout).expect("the report is JSON");
    let named = json!([{"kind": "lossy_number", "offset": 0, "line": 1, "column": 1, "keyword": "enum"}]);
    assert_eq!((&told["outcome"], &told["warnings"]), (&json!("ok"), &named));
}

#[test]
fn an_engine_that_gives_up_is_a_limit_and_no_violation() {
    // Two ways to read each letter, and the end fits none of them: an engine that goes back tries them all.
    let schema_text = r#"{"properties": {"a": {"pattern": "^((?=a)a|a)*c$"}}}"#;
    let reply = format!(r#"{{"a": "{}!"}}"#, "a".repeat(200));
    let (code, told) = report(schema_text, &reply);
    assert_eq!((code, &told["outcome"], &told["violations"]), (Some(1), &json!("limit"), &json!([])), "{told}");
    let failure = &told["failure"];
    assert_eq!((&failure["code"], &failure["offset"]), (&json!("pattern_backtracking"), &json!(0)));
    assert_eq!(
        (&failure["decided_at"], &failure["line"], &failure["path"]),
        (&json!(reply.len()), &json!(1), &json!(""))
    );
    assert!(failure["message"].is_string() && failure["excerpt"].is_string() && failure.get("cause").is_none());
    let told = validate(schema_text, &[], &reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.starts_with("limit: ") && told.stderr.contains("[pattern_backtracking]"), "{}", told.stderr);
}

fn steers_a_terminal(told: &str) -> bool {
    told.contains(|shown: char| shown != '\n' && shown.is_control() || ('\u{202a}'..='\u{202e}').contains(&shown))
}

#[test]
fn neither_the_model_nor_the_schema_steers_a_terminal() {
    let hostile = "\\u001b]0;x\\u0007\\u009b2J\\u202e";
    let raw = "\u{9b}2J\u{202e}";
    let schema_text =
        format!(r#"{{"properties": {{"a": {{"enum": ["{hostile}{raw}"]}}}}, "required": ["{hostile}{raw}"]}}"#);
    let told = validate(&schema_text, &[], format!("{{\"a\": \"{hostile}{raw}\", \"{hostile}{raw}b\": 1}}"));
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(!steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
    assert!(told.stderr.contains("\\u{9b}2J\\u{202e}"), "{}", told.stderr);
    // So does an error about the schema itself, and the name of its file.
    for broken in [
        format!(r#"{{"type": "{hostile}{raw}"}}"#),
        format!(r#"{{"$ref": "https://e.example/{raw}"}}"#),
        format!("{{\"a\": {raw}"),
    ] {
        let told = validate(&broken, &[], "{}");
        is_refused(&told, "[schema_");
        assert!(!steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
    }
    let told = run(&["validate", "--schema", "no/\u{202e}\u{1b}.json"], "{}");
    is_refused(&told, "\\u{202e}\\u{1b}");
    assert!(!steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
}

#[test]
fn a_schema_that_is_said_at_length_is_cut() {
    let long: String = (0..2000).map(|n| format!("{n} ")).collect();
    let told = validate(&format!(r#"{{"type": "{long}"}}"#), &[], "{}");
    is_refused(&told, "at `/type` of the schema [schema_invalid]");
    assert!(told.stderr.len() < 1000, "{} bytes", told.stderr.len());
}

/// The examples that are shown to people, and what becomes of them.
#[test]
fn the_examples_are_what_they_say() {
    let told = run(&["validate", "--schema", &example_schema("verdict.json"), &example("bare-in-prose.txt")], "");
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    assert!(told.stdout.starts_with("{\"winner\": \"B\", \"score_a\": 6.50,"), "{}", told.stdout);
    let args = ["validate", "--json", "--schema", &example_schema("export.json"), &example("fenced-with-comments.txt")];
    let told: Value = serde_json::from_str(&run(&args, "").stdout).expect("the report is JSON");
    let paths: Vec<_> =
        told["violations"].as_array().expect("violations").iter().map(|it| it["path"].clone()).collect();
    assert_eq!(paths, ["/timeout_seconds", "/destinations/1/kind"]);
}
