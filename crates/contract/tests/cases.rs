//! Re-created public reports about replies and their schemas (`cases.jsonl`, kind `schema`): nothing is coerced, and the sentence says
//! what a person would see at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use thusfar_contract::{Check, Contract, Violation};
use thusfar_core::{Document, Ending, Expect, Failure, Reply, Root};
use thusfar_testkit::check::check;
use thusfar_testkit::corpus::{self, CaseRow};

/// What a row's remark asks of the sentences: row, and words that one of them holds.
const SAID: [(&str, &[&str]); 7] = [
    ("dbl-array-param-as-string", &["string holds the array that is wanted"]),
    ("dbl-object-param-as-string", &["string holds the object that is wanted"]),
    ("schema-echo", &["the schema itself", "data"]),
    ("schema-wrapped-output-key", &["under `output`", "by itself"]),
    ("schema-enum-case", &["\"lead\"", "\"won\"", "upper and lower case"]),
    ("schema-key-case", &["`Name`", "write `name`"]),
    ("schema-number-as-string", &["must be a number", "a string"]),
];

fn rows() -> Vec<CaseRow> {
    corpus::cases().into_iter().filter(|row| row.kind == "schema").collect()
}

fn contract(row: &CaseRow) -> Contract {
    Contract::from_schema(&row.context["schema"].to_string()).expect("the row's schema")
}

fn read(chunks: &[&str], root: Root) -> Result<Document, Failure> {
    let mut reply = Reply::new(Expect::root(root));
    for chunk in chunks {
        let _ = reply.push(chunk);
    }
    reply.finish(Ending::Unknown)
}

/// What the schema says however the reply is cut: in two at every place, and byte by byte where bytes are characters.
fn checked(row: &CaseRow, contract: &Contract) -> (Document, Check) {
    let text = row.input.as_str();
    let document = read(&[text], contract.root()).expect("a document");
    let check = contract.check(&document);
    for (at, _) in text.char_indices() {
        let cut = read(&[&text[..at], &text[at..]], contract.root()).expect("a document");
        assert_eq!(contract.check(&cut), check, "{} cut at {at}", row.id);
    }
    let pieces: Vec<_> = text.split_inclusive(|_| true).collect();
    assert_eq!(contract.check(&read(&pieces, contract.root()).expect("a document")), check, "{} in pieces", row.id);
    (document, check)
}

/// The pointers to fields that are missing, and to those that are there and that the schema does not name.
fn fields(schema: &Value, check: &Check) -> (BTreeSet<String>, BTreeSet<String>) {
    let of_required = |it: &&Violation| it.keyword() == "required" && it.path().is_empty();
    let (mut missing, mut extra) = (BTreeSet::new(), BTreeSet::new());
    for violation in check.violations().iter().filter(of_required) {
        missing.extend(violation.expected().as_str().map(|name| format!("/{name}")));
        let present = violation.got().as_array().expect("the fields that are there");
        let unknown = present.iter().filter_map(Value::as_str).filter(|name| schema["properties"].get(name).is_none());
        extra.extend(unknown.map(|name| format!("/{name}")));
    }
    (missing, extra)
}

fn pointers(expected: &Value) -> BTreeSet<String> {
    expected.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What is wrong with a row's answer; nothing if it is as expected.
fn faults(row: &CaseRow) -> Vec<String> {
    let (contract, expected) = (contract(row), &row.expected);
    let report = check(&row.input, Expect::root(contract.root()), Ending::Unknown);
    if report.outcome() != "ok" {
        let same = expected["outcome"] == report.outcome();
        return (!same).then(|| format!("outcome {}", report.outcome())).into_iter().collect();
    }
    let (document, check) = checked(row, &contract);
    let outcome = if check.is_valid() { "ok" } else { "schema_mismatch" };
    let mut faults = Vec::new();
    let mut hold = |holds: bool, what: &str| {
        if !holds {
            faults.push(what.to_owned());
        }
    };
    hold(expected["outcome"] == outcome && check.limit().is_none(), "outcome");
    hold(contract.is_valid(&document.value()) == Ok(check.is_valid()), "one verdict");
    hold(expected.get("value").is_none_or(|value| *value == document.value()), "value");
    hold(document.text() == row.input && !document.is_repaired(), "the document is what was written");
    if let Some(path) = expected["path"].as_str() {
        let about: Vec<_> = check.violations().iter().filter(|violation| violation.path() == path).collect();
        hold(about.len() == 1 && check.violations().len() == 1, "one violation, at the path");
        for violation in about {
            let wanted = expected.get("wanted").or(expected.get("allowed"));
            hold(wanted == Some(violation.expected()), "what was wanted");
            hold(expected.get("got").is_none_or(|got| got == violation.got()), "what was found");
            hold(violation.message().contains(&format!("`{path}`")), "the sentence names the place");
            let value = &row.input[violation.start()..];
            hold(value.starts_with('"'), "the offset is that of the value");
        }
    }
    let (missing, extra) = fields(&row.context["schema"], &check);
    hold(pointers(&expected["missing"]) == missing, "missing fields");
    hold(pointers(&expected["extra"]).is_subset(&extra), "fields that the schema does not name");
    let said: String = check.violations().iter().map(|violation| violation.message().to_owned() + "\n").collect();
    for words in SAID.iter().filter(|(id, _)| *id == row.id).flat_map(|(_, words)| *words) {
        hold(said.contains(words), &format!("the sentences say {words:?}: {said}"));
    }
    faults
}

#[test]
fn every_row_is_as_expected() {
    let rows = rows();
    assert_eq!(rows.len(), 11);
    for (id, _) in SAID {
        assert!(rows.iter().any(|row| row.id == id), "there is a row {id}");
    }
    let wrong: Vec<_> = rows
        .iter()
        .map(|row| (row, faults(row)))
        .filter(|(_, faults)| !faults.is_empty())
        .map(|(row, faults)| format!("{}: {}\n  wanted {}\n  {}", row.id, row.input, row.expected, faults.join("\n  ")))
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// A member of a row that no test looks at would hold nothing.
#[test]
fn nothing_that_a_row_expects_is_passed_over() {
    let looked_at = ["outcome", "value", "path", "wanted", "got", "allowed", "missing", "extra", "partial_view"];
    let words = ["note", "feedback_hint", "debatable", "why_debatable"];
    for row in rows() {
        for member in row.expected.as_object().expect("an object").keys() {
            assert!(looked_at.contains(&&**member) || words.contains(&&**member), "{}: {member}", row.id);
        }
    }
}

/// What is not JSON inside a string is never taken for a list, nor called one.
#[test]
fn a_string_that_holds_no_json_is_not_said_to_hold_any() {
    let row = rows().into_iter().find(|row| row.id == "dbl-py-literal-list-in-string").expect("the row");
    let (_, check) = checked(&row, &contract(&row));
    assert_eq!(check.violations()[0].message(), "`/labels` must be an array; you returned a string");
}

/// Of a cut reply what is shown is what the row says; there is no document, so no schema is asked.
#[test]
fn a_cut_reply_has_its_view() {
    let row = rows().into_iter().find(|row| row.id == "partial-constraint-while-open").expect("the row");
    for (at, _) in row.input.char_indices() {
        let mut reply = Reply::live(Expect::root(contract(&row).root()));
        let _ = reply.push(&row.input[..at]);
        let _ = reply.push(&row.input[at..]);
        assert_eq!(reply.view().to_value().as_ref(), row.expected.get("partial_view"), "cut at {at}");
        let user = reply.view().get("/user").expect("it has been opened");
        let bio = reply.view().get("/bio").expect("it has been opened");
        assert!(user.is_known() && !bio.is_known(), "the one can be judged, the other not yet");
        let failure = reply.finish(Ending::Unknown).expect_err("it is cut");
        assert_eq!(json!(failure.kind().as_str()), row.expected["outcome"]);
    }
}
