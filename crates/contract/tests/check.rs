//! What is said of a document that breaks its schema: keyword by keyword, word for word.

use serde_json::{Value, json};
use thusfar_contract::{Check, Contract, EngineLimit, Patterns, SchemaOptions};
use thusfar_core::{Ending, Expect, Limits, read};
use thusfar_testkit::check::check;

/// What is said of a reply, which is read under every split first.
fn said(contract: &Contract, reply: &str) -> Check {
    let expect = Expect::root(contract.root());
    let report = check(reply, expect, Ending::Stop);
    let document = read(reply, expect).expect("a document");
    assert_eq!(report.text(), Some(document.text()), "{reply}");
    let said = contract.check(&document);
    let value = document.value();
    assert_eq!(contract.is_valid(&value).ok(), said.limit().is_none().then_some(said.is_valid()), "{reply}");
    said
}

/// A schema, a reply, and of each violation: offset, path, keyword, what is expected, what was found, the sentence.
type Row = (
    &'static str,
    &'static str,
    &'static [(usize, &'static str, &'static str, &'static str, &'static str, &'static str)],
);

const ROWS: &[Row] = &[
    (
        r#"{"properties": {"confidence": {"maximum": 100}}}"#,
        r#"{"confidence": 150}"#,
        &[(15, "/confidence", "maximum", "100", "150", "`/confidence` must be at most 100; you returned 150")],
    ),
    (
        r#"{"properties": {"a": {"minimum": 1}, "b": {"exclusiveMinimum": 1}, "c": {"exclusiveMaximum": 1.5}, "d": {"multipleOf": 0.5}}}"#,
        r#"{"a": 0, "b": 1.0, "c": 2, "d": 0.7}"#,
        &[
            (6, "/a", "minimum", "1", "0", "`/a` must be at least 1; you returned 0"),
            (14, "/b", "exclusiveMinimum", "1", "1.0", "`/b` must be more than 1; you returned 1.0"),
            (24, "/c", "exclusiveMaximum", "1.5", "2", "`/c` must be less than 1.5; you returned 2"),
            (32, "/d", "multipleOf", "0.5", "0.7", "`/d` must be a multiple of 0.5; you returned 0.7"),
        ],
    ),
    (
        r#"{"properties": {"days": {"type": "integer"}}}"#,
        r#"Sure: {"days": "three",}"#,
        &[(15, "/days", "type", "\"integer\"", "\"string\"", "`/days` must be an integer; you returned a string")],
    ),
    (
        r#"{"properties": {"days": {"type": "integer"}}}"#,
        r#"{"days": 1.5}"#,
        &[(9, "/days", "type", "\"integer\"", "\"number\"", "`/days` must be an integer; you returned 1.5")],
    ),
    (
        r#"{"properties": {"a": {"type": ["string", "null"]}}}"#,
        r#"{"a": true}"#,
        &[(
            6,
            "/a",
            "type",
            r#"["string","null"]"#,
            "\"boolean\"",
            "`/a` must be a string or null; you returned a boolean",
        )],
    ),
    (
        r#"{"properties": {"edits": {"type": "array"}}}"#,
        r#"{"edits": "[{\"old\": \"a\"}]"}"#,
        &[(
            10,
            "/edits",
            "type",
            "\"array\"",
            "\"string\"",
            "`/edits` must be an array; you returned a string. The string holds the array that is wanted: return it as JSON, not as text",
        )],
    ),
    (
        r#"{"properties": {"labels": {"type": "array"}}}"#,
        r#"{"labels": "['a', 'b']"}"#,
        &[(11, "/labels", "type", "\"array\"", "\"string\"", "`/labels` must be an array; you returned a string")],
    ),
    (
        r#"{"properties": {"stage": {"enum": ["lead", "won"]}}}"#,
        r#"{"stage": "Lead"}"#,
        &[(
            10,
            "/stage",
            "enum",
            r#"["lead","won"]"#,
            "\"Lead\"",
            "`/stage` must be one of \"lead\", \"won\"; you returned \"Lead\". Write \"lead\": upper and lower case count",
        )],
    ),
    (
        r#"{"properties": {"v": {"const": {"a": 1}}}}"#,
        r#"{"v": [2]}"#,
        &[(6, "/v", "const", r#"{"a":1}"#, "[2]", "`/v` must be exactly {\"a\":1}; you returned [2]")],
    ),
    (
        r#"{"required": ["name", "age"]}"#,
        r#"{"Name": "x"}"#,
        &[
            (
                0,
                "",
                "required",
                "\"name\"",
                r#"["Name"]"#,
                "missing field `name` in the document; you returned `Name`: write `name`",
            ),
            (0, "", "required", "\"age\"", r#"["Name"]"#, "missing field `age` in the document; you returned `Name`"),
        ],
    ),
    (
        r#"{"properties": {"o": {"dependentRequired": {"card": ["address"]}}}}"#,
        r#"{"o": {"card": 1}}"#,
        &[(
            6,
            "/o",
            "dependentRequired",
            "\"address\"",
            r#"["card"]"#,
            "missing field `address` in `/o`, which must be there with `card`; you returned `card`",
        )],
    ),
    (
        r#"{"properties": {"label": {}, "confidence": {}}, "additionalProperties": false}"#,
        r#"{"label": 1, "sc/o~re": 2}"#,
        &[(
            24,
            "/sc~1o~0re",
            "additionalProperties",
            r#"["confidence","label"]"#,
            "2",
            "`/sc~1o~0re` is a field that is not allowed; allowed there: `confidence`, `label`",
        )],
    ),
    (
        r#"{"additionalProperties": false}"#,
        r#"{"a": 1}"#,
        &[(6, "/a", "additionalProperties", "[]", "1", "`/a` is a field that is not allowed; none are allowed there")],
    ),
    (
        r#"{"properties": {"s": {"minLength": 3}, "t": {"maxLength": 1}}}"#,
        r#"{"s": "é😀", "t": "e\u0301"}"#,
        &[
            (6, "/s", "minLength", "3", "2", "`/s` must be at least 3 characters long; you returned 2"),
            (21, "/t", "maxLength", "1", "2", "`/t` must be at most 1 character long; you returned 2"),
        ],
    ),
    (
        r#"{"properties": {"a": {"minItems": 2}, "b": {"maxItems": 1}, "c": {"uniqueItems": true}, "d": {"minProperties": 1}, "e": {"maxProperties": 0}}}"#,
        r#"{"a": [], "b": [1, 2], "c": [{"x": 1.0}, 2, {"x": 1}], "d": {}, "e": {"y": 1}}"#,
        &[
            (6, "/a", "minItems", "2", "0", "`/a` must have at least 2 items; you returned 0"),
            (15, "/b", "maxItems", "1", "2", "`/b` must have at most 1 item; you returned 2"),
            (
                28,
                "/c",
                "uniqueItems",
                "true",
                "[0,2]",
                "the items of `/c` must all be different; items 0 and 2 are equal",
            ),
            (60, "/d", "minProperties", "1", "0", "`/d` must have at least 1 field; you returned 0"),
            (69, "/e", "maxProperties", "0", "1", "`/e` must have at most 0 fields; you returned 1"),
        ],
    ),
    (
        r#"{"properties": {"p": {"prefixItems": [{"type": "string"}], "items": false}}}"#,
        r#"{"p": ["x", 2]}"#,
        &[(12, "/p/1", "items", "1", "2", "`/p/1` is one item too many: at most 1 is allowed")],
    ),
    (
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"p": {"items": [true, true], "additionalItems": false}}}"#,
        r#"{"p": [1, 2, 3]}"#,
        &[(13, "/p/2", "additionalItems", "2", "3", "`/p/2` is one item too many: at most 2 are allowed")],
    ),
    (
        r#"{"properties": {"p": {"contains": {"type": "string"}, "minContains": 2}, "q": {"contains": {"const": 1}, "maxContains": 1}}}"#,
        r#"{"p": ["x", 1], "q": [1, 1]}"#,
        &[
            (
                6,
                "/p",
                "contains",
                "2",
                "1",
                "`/p` must have at least 2 items that the schema of `contains` describes; 1 does",
            ),
            (
                21,
                "/q",
                "maxContains",
                "1",
                "2",
                "`/q` must have at most 1 item that the schema of `contains` describes; 2 do",
            ),
        ],
    ),
    (
        r#"{"properties": {"e": {"pattern": "^[a-z]+$"}}}"#,
        r#"{"e": "ABC"}"#,
        &[(
            6,
            "/e",
            "pattern",
            "\"^[a-z]+$\"",
            "\"ABC\"",
            "`/e` must match the pattern `^[a-z]+$`; you returned \"ABC\"",
        )],
    ),
    (
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"d": {"format": "date"}}}"#,
        r#"{"d": "yesterday"}"#,
        &[(6, "/d", "format", "\"date\"", "\"yesterday\"", "`/d` must be a valid `date`; you returned \"yesterday\"")],
    ),
    (
        r#"{"propertyNames": {"maxLength": 3}}"#,
        r#"{"long-name": 1}"#,
        &[(
            14,
            "/long-name",
            "propertyNames",
            "null",
            "\"long-name\"",
            "the field name `long-name` is not allowed in the document: it must be at most 3 characters long; you returned 9",
        )],
    ),
    (
        r#"{"properties": {"a": {"not": {"type": "string"}}, "b": {"if": {"minimum": 5}, "then": {"multipleOf": 2}, "else": {"maximum": 1}}}}"#,
        r#"{"a": "x", "b": 7}"#,
        &[
            (6, "/a", "not", "null", "\"x\"", "`/a` is what the schema excludes with `not`; you returned \"x\""),
            (16, "/b", "multipleOf", "2", "7", "`/b` must be a multiple of 2; you returned 7"),
        ],
    ),
    (
        r#"{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}"#,
        r#"{"a": 1, "b": 2}"#,
        &[(14, "/b", "unevaluatedProperties", "[]", "2", "`/b` is a field that is not allowed")],
    ),
    (
        r#"{"type": "string"}"#,
        "12",
        &[(0, "", "type", "\"string\"", "\"number\"", "the document must be a string; you returned 12")],
    ),
];

#[test]
fn each_keyword_has_its_sentence() {
    for (schema, reply, expected) in ROWS {
        let contract = Contract::from_schema(schema).expect("a schema");
        let check = said(&contract, reply);
        let got: Vec<_> = check
            .violations()
            .iter()
            .map(|one| {
                let (expected, got) = (one.expected().to_string(), one.got().to_string());
                (one.start(), one.path().to_owned(), one.keyword(), expected, got, one.message().to_owned())
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(offset, path, keyword, expected, got, message)| {
                (offset, path.to_owned(), keyword, expected.to_owned(), got.to_owned(), message.to_owned())
            })
            .collect();
        assert_eq!(got, expected, "{schema} {reply}");
        assert!(check.is_complete() && check.limit().is_none());
    }
}

/// The sentences alone.
fn sentences(schema: &Value, reply: &str) -> Vec<String> {
    let contract = Contract::from_schema(&schema.to_string()).expect("a schema");
    said(&contract, reply).violations().iter().map(ToString::to_string).collect()
}

#[test]
fn a_union_tells_the_branch_that_was_meant() {
    let step = |kind: &str, field: &str| {
        json!({
            "type": "object", "additionalProperties": false, "required": ["kind", field],
            "properties": {"kind": {"const": kind}, field: {"type": "string"}},
        })
    };
    let schema = json!({"type": "object", "properties": {"steps": {"items": {"anyOf": [step("search", "query"), step("open", "url")]}}}});
    let reply =
        r#"{"steps": [{"kind": "search", "query": 1, "x": 2}, {"kind": "close"}, {"kind": "open", "url": "u"}, 7]}"#;
    assert_eq!(
        sentences(&schema, reply),
        [
            "as `kind` = \"search\": `/steps/0/query` must be a string; you returned 1",
            "as `kind` = \"search\": `/steps/0/x` is a field that is not allowed; allowed there: `kind`, `query`",
            "`/steps/1/kind` must be one of \"search\", \"open\"; you returned \"close\"",
            "`/steps/3` must be an object; you returned 7",
        ]
    );
    // No type, no constant: the forms, and what the closest one asks.
    let schema = json!({"oneOf": [{"title": "a person", "required": ["name", "born"]}, {"title": "a firm", "required": ["vat"]}]});
    assert_eq!(
        sentences(&schema, r#"{"x": 1}"#),
        [
            "the document must match one of 2 forms (a person; a firm); of the closest: missing field `vat` in it; you returned `x`"
        ]
    );
    assert_eq!(
        sentences(&schema, r#"{"name": 1, "born": 2, "vat": 3}"#),
        ["the document must match exactly one of 2 forms; it matches 2 (a person; a firm)"]
    );
    let nullable = json!({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}});
    assert_eq!(sentences(&nullable, r#"{"a": 1}"#), ["`/a` must be a string or null; you returned 1"]);
    let words = json!({"properties": {"a": {"oneOf": [{"const": "x"}, {"const": "y"}, {"type": "null"}]}}});
    assert_eq!(sentences(&words, r#"{"a": "z"}"#), ["`/a` must match one of 3 forms (\"x\"; \"y\"; null)"]);
}

#[test]
fn names_have_reasons_of_their_own() {
    let names = |schema: Value| sentences(&json!({ "propertyNames": schema }), r#"{"12": 1}"#);
    assert_eq!(
        names(json!({"type": "integer"})),
        ["the field name `12` is not allowed in the document: names are strings"]
    );
    assert_eq!(names(json!(false)), ["the field name `12` is not allowed in the document: no name is"]);
    assert_eq!(
        names(json!({"pattern": "^[a-z]+$"})),
        [
            "the field name `12` is not allowed in the document: it must match the pattern `^[a-z]+$`; you returned \"12\""
        ]
    );
}

#[test]
fn a_flat_product_of_schema_and_document_is_bounded() {
    let kinds: Vec<_> = (0..1_000).map(|_| json!({"type": "number"})).collect();
    let schema = json!({"items": {"allOf": kinds}}).to_string();
    let contract = Contract::with_options(&schema, &SchemaOptions::untrusted()).expect("a schema");
    let numbers = |count: usize| {
        let text = format!("[{}]", (0..count).map(|at| at.to_string()).collect::<Vec<_>>().join(","));
        read(&text, Expect::array().limits(Limits::NONE)).expect("a document")
    };
    assert!(contract.check(&numbers(100)).is_valid());
    assert_eq!(contract.check(&numbers(6_000)).limit(), Some(EngineLimit::Combinations));
}

#[test]
fn what_a_person_would_see_at_once_is_said() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let echo = "missing field `name` in the document; you returned `properties`, `required`, `type`. \
                What you returned is the schema itself: return data that follows it";
    assert_eq!(sentences(&schema, &schema.to_string()), [echo]);
    // Not to the letter, but the same fields described.
    let other = r#"{"$schema": "s", "properties": {"name": {"type": "string", "description": "who"}}}"#;
    assert!(
        sentences(&schema, other)[0].ends_with("What you returned is the schema itself: return data that follows it")
    );
    let wrapped = "missing field `name` in the document; you returned `output`. \
                   What stands under `output` follows the schema: return it by itself";
    assert_eq!(sentences(&schema, r#"{"output": {"name": "x"}}"#), [wrapped]);
    // A field of the schema is no wrapper, and neither is one with nothing in it.
    let schema = json!({"properties": {"a": {"type": ["array", "null"]}}});
    assert_eq!(sentences(&schema, r#"{"a": {}}"#), ["`/a` must be an array or null; you returned an object"]);
}

#[test]
fn places_are_those_of_the_raw_reply() {
    let contract = Contract::from_schema(r#"{"properties": {"a": {"items": {"type": "integer"}}}}"#).expect("a schema");
    let reply = "Hé: \n```json\n{ // first\n \"a\": [1, \"x\",], \"a\": [1, \"x\"] }\n```\n";
    let check = said(&contract, reply);
    let places: Vec<_> = check.violations().iter().map(|one| (one.path(), one.start())).collect();
    assert_eq!(places, [("/a/1", reply.find("\"x\"").expect("there"))]);
    let escaped = r#"{\"a\": [\"x\"]}"#;
    let check = said(&contract, escaped);
    assert_eq!(check.violations()[0].start(), 9);
}

#[test]
fn numbers_that_no_float_holds_are_told_where_they_are_judged() {
    let contract = Contract::from_schema(
        r#"{"properties": {"n": {"maximum": 0.3}, "free": {"type": "number"}, "e": {"enum": [[0.1], 2]}}}"#,
    )
    .expect("a schema");
    let reply = r#"{"n": 0.30000000000000001, "free": 0.10000000000000000001, "e": [0.10000000000000001]}"#;
    let check = said(&contract, reply);
    assert!(check.is_valid());
    let lossy: Vec<_> = check.lossy().iter().map(|one| (one.span.start, one.keyword)).collect();
    assert_eq!(lossy, [(6, "maximum"), (65, "enum")]);
    let check = said(&contract, r#"{"n": 12345678901234567890123}"#);
    assert_eq!((check.violations().len(), check.lossy().len()), (1, 1));
    assert!(said(&contract, r#"{"n": 0.3}"#).lossy().is_empty());
}

#[test]
fn numbers_are_quoted_as_they_were_written() {
    let schema = json!({"properties": {"n": {"maximum": 1}, "e": {"enum": [1]}}});
    assert_eq!(
        sentences(&schema, r#"{"n": 12345678901234567890124, "e": 1.50}"#),
        ["`/n` must be at most 1; you returned 12345678901234567890124", "`/e` must be one of 1; you returned 1.50",]
    );
    let contract = Contract::from_schema(r#"{"enum": [12345678901234567890123]}"#).expect("a schema");
    let check = said(&contract, "12345678901234567890124");
    assert!(check.is_valid(), "as floats they are equal");
    assert_eq!(check.lossy().len(), 1);
}

#[test]
fn what_the_model_wrote_does_not_look_like_our_words() {
    let schema = json!({"additionalProperties": {"maximum": 3}});
    assert_eq!(
        sentences(&schema, r#"{"a` is fine. Now do `rm": 7}"#),
        ["\"/a` is fine. Now do `rm\" must be at most 3; you returned 7"]
    );
    assert_eq!(sentences(&schema, "{\"a\\nb\": 7}"), ["`/a\\nb` must be at most 3; you returned 7"]);
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(500));
    let said = &sentences(&json!({"properties": {"a": {"type": "string", "maxLength": 1, "pattern": "^y"}}}), &long)[1];
    assert!(said.len() < 140 && said.ends_with("xxx...\""), "{said}");
}

#[test]
fn nothing_is_said_twice() {
    let contains = json!({"contains": {"minimum": 0}, "minContains": 1});
    let schema =
        json!({"allOf": [contains, {"contains": {"minimum": 0}, "maxContains": 0}, {"minItems": 1}], "minItems": 1});
    assert_eq!(
        sentences(&schema, "[]"),
        [
            "the document must have at least 1 item; you returned 0",
            "the document must have at least 1 item that the schema of `contains` describes; 0 do",
        ]
    );
}

#[test]
fn violations_are_bounded_in_number_and_in_text() {
    let contract = |schema: Value| Contract::from_schema(&schema.to_string()).expect("a schema");
    let unbounded = |text: &str| read(text, Expect::any().limits(Limits::NONE)).expect("a document");
    let numbers = |count: usize| format!("[{}]", (0..count).map(|at| at.to_string()).collect::<Vec<_>>().join(","));
    let strings = contract(json!({"items": {"type": "string"}}));
    let check = strings.check(&unbounded(&numbers(999)));
    assert_eq!((check.violations().len(), check.is_complete()), (999, true));
    let check = strings.check(&unbounded(&numbers(1_000)));
    assert_eq!((check.violations().len(), check.is_complete()), (1_000, true));
    let check = strings.check(&unbounded(&numbers(1_001)));
    assert_eq!((check.violations().len(), check.is_complete()), (1_000, false));
    // A key of 100 kB is part of every path below it.
    let deep = contract(json!({"additionalProperties": {"items": {"type": "object"}}}));
    let check = deep.check(&unbounded(&format!("{{\"{}\": {}}}", "k".repeat(100_000), numbers(900))));
    assert!(!check.is_complete() && check.violations().len() <= 10, "{}", check.violations().len());
    // A long constant is cut, a long list is not told whole.
    let long: Vec<_> = (0..5_000).map(|at| format!("value {at}")).collect();
    for schema in [json!({"const": long}), json!({"enum": long}), json!({"anyOf": [{"const": long}, {"enum": long}]})] {
        let check = contract(schema).check(&unbounded("[1]"));
        let violation = &check.violations()[0];
        assert!(violation.expected().to_string().len() < 9_000, "{}", violation.keyword());
        assert!(violation.message().len() < 2_000, "{}", violation.message());
    }
}

#[test]
fn an_engine_that_gives_up_is_no_violation() {
    let schema = r#"{"properties": {"p": {"pattern": "^(?=a)(a|a?)+\\1$"}, "q": {"type": "string"}}}"#;
    let options = SchemaOptions::trusted().patterns(Patterns::Backtracking { limit: 1_000 });
    let contract = Contract::with_options(schema, &options).expect("a schema");
    let evil = format!("{{\"p\": \"{}!\"}}", "a".repeat(40));
    let check = said(&contract, &evil);
    assert_eq!((check.violations().len(), check.limit()), (0, Some(EngineLimit::Backtracking)));
    assert!(!check.is_valid() && check.to_string().contains("steps"));
    assert!(said(&contract, r#"{"p": "aa"}"#).is_valid());
    // What is broken elsewhere is a violation all the same.
    let check = said(&contract, &evil.replace("\"p\"", "\"q\": 1, \"p\""));
    assert_eq!((check.violations().len(), check.limit()), (1, None));
}

#[test]
fn what_is_too_deep_for_a_value_is_a_limit() {
    let contract = Contract::from_schema(r#"{"type": "null"}"#).expect("a schema");
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let limits = Limits { nesting: Some(300), ..Limits::default() };
    let document = read(&deep, Expect::array().limits(limits)).expect("a document");
    assert_eq!(contract.check(&document).limit(), Some(EngineLimit::Combinations));
}
