//! The naive twin against the rules of `DECISIONS.md` that the vectors do not reach: one row a rule.

use thusfar_core::{Ending, Expect, Take};
use thusfar_testkit::twin;

/// Root and take, ending, reply, and what the twin says: the document's text, or code and offset.
type Row = (Expect, Ending, &'static str, Result<&'static str, (&'static str, usize)>);

fn check(rows: &[Row]) {
    for (expect, ending, text, wanted) in rows {
        let verdict = twin::read(text, expect, *ending);
        let got = match &verdict.result {
            Ok(found) => Ok(found.text.as_str()),
            Err(lost) => Err((lost.code.as_str(), lost.offset)),
        };
        assert_eq!(got, *wanted, "{text:?} {ending:?}");
    }
}

#[test]
fn behind_the_root() {
    let object = Expect::object();
    check(&[
        (object, Ending::Unknown, "see [here {\"a\": 1} ok]", Err(("closed_too_early", 21))),
        (object, Ending::Unknown, "{\"a\": 1} see [\"x\" y]", Err(("closed_too_early", 13))),
        (object, Ending::Unknown, "{\"a\": 1} ok )}", Err(("closed_too_early", 13))),
        (object, Ending::Unknown, "{\"a\": 1} fine, \"b\": 2", Err(("closed_too_early", 13))),
        (object, Ending::Unknown, "{\"a\": 1}: true", Err(("closed_too_early", 8))),
        (object, Ending::Unknown, "{\"a\": 1}: trueish", Ok("{\"a\": 1}")),
        (object, Ending::Unknown, "{\"a\": 1}, b)", Err(("closed_too_early", 8))),
        (object, Ending::Unknown, "{\"a\": 1}, 2)", Ok("{\"a\": 1}")),
        (object, Ending::Unknown, "{\"a\": 1} /* , */ , \"x\"", Err(("closed_too_early", 17))),
        (object, Ending::Unknown, "{\"a\": 1} // {\"b\": 2}\n", Ok("{\"a\": 1}")),
    ]);
}

#[test]
fn candidates_and_marks() {
    let object = Expect::object();
    check(&[
        (object, Ending::Unknown, "Use {\"a\" or \"b\"}", Err(("expected_colon", 9))),
        (object, Ending::Unknown, "x {} y", Err(("no_document", 6))),
        (object, Ending::Unknown, "x\n{}\ny", Ok("{}")),
        (object, Ending::Unknown, "x\n{} </think>", Err(("close_tag_behind", 5))),
        (object, Ending::Unknown, "[\"a\", x {\"b\": 1} \n", Err(("inside_broken", 0))),
        (object, Ending::Unknown, "[\"a\", {\"b\": 1} x]\n{\"c\": 1}", Ok("{\"c\": 1}")),
        (object, Ending::Unknown, "{\"a\": 1} and {", Err(("open_frame", 14))),
        (object, Ending::Unknown, "{\"a\": 1} and [", Ok("{\"a\": 1}")),
        (Expect::any(), Ending::Unknown, "{\"a\": 1} and [1", Err(("open_number", 15))),
        (Expect::any(), Ending::Unknown, "[1, {\"a\": 1, \"a\": 2}]", Err(("duplicate_key", 13))),
    ]);
}

#[test]
fn fences_and_which_one() {
    let object = Expect::object();
    check(&[
        (object, Ending::Unknown, "```\n{\"a\": 1}\nx\n```\n{\"b\": 2}", Err(("opaque_document", 19))),
        (object, Ending::Unknown, "```js\n{\"a\": 1\n```\n{\"b\": 1}", Ok("{\"b\": 1}")),
        (object, Ending::Unknown, "```\n{\"a\": x\n```\n{\"b\": 1}", Err(("invalid_literal", 10))),
        (object, Ending::Unknown, "```python\nprint(\"```\")\n```\n{\"a\": 1}", Ok("{\"a\": 1}")),
        (object, Ending::Unknown, "~~~json\n{\"a\": 1}\n~~~\n`{\"a\": 1.0}`", Ok("{\"a\": 1}")),
        (object, Ending::Unknown, "say {\"a\": 1} x\n```json\n{\"a\": 2}\n```", Ok("{\"a\": 2}")),
        (object, Ending::Unknown, "{\"a\": 1} then {\"b\": 2}", Err(("different_documents", 14))),
        (object.take(Take::First), Ending::Unknown, "{\"a\": 1} then {\"b\": 2}", Ok("{\"a\": 1}")),
        (object.take(Take::Last), Ending::Unknown, "{\"a\": 1} then {\"b\": 2}", Ok("{\"b\": 2}")),
        (object.take(Take::Alone), Ending::Unknown, "```json\n{\"a\": 1}\n```\n", Ok("{\"a\": 1}")),
        (object.take(Take::Alone), Ending::Unknown, " {\"a\": 1}}", Err(("text_around", 9))),
    ]);
}

#[test]
fn strings_and_comments() {
    let object = Expect::object();
    check(&[
        (object, Ending::Unknown, r#"{"a": \"x\" /* \" */}"#, Err(("escaped_quote_two_readings", 9))),
        (object, Ending::Unknown, r#"{"a": \"say (\"hi\") x\"}"#, Ok(r#"{"a": "say (\"hi\") x"}"#)),
        (object, Ending::Unknown, r#"{"a": \"\"hi\" x\"}"#, Err(("escaped_quote_two_readings", 8))),
        (object, Ending::Unknown, r#"{"a": \"he \"hi \" x\"}"#, Err(("escaped_quote_two_readings", 16))),
        (object, Ending::Unknown, "{\"a\": 1, // note: \"b\"\n \"c\": 1}", Err(("comment_swallowed", 9))),
        (object, Ending::Unknown, "{\"a\": 1,\n// note: \"b\"\n\"c\": 1}", Ok("{\"a\": 1,\n\n\"c\": 1}")),
        (object, Ending::Unknown, "{\"a\": 1, // \"b\n \"c\": 1, \n}", Ok("{\"a\": 1, \n \"c\": 1 \n}")),
        (object, Ending::Unknown, "{\"a\": 1, // b\"\n \"c\": 1}", Err(("comment_swallowed", 9))),
    ]);
}

#[test]
fn the_end() {
    let object = Expect::object();
    let value = Expect::value();
    check(&[
        (object, Ending::Length, "```json", Err(("nothing_yet", 7))),
        (object, Ending::Length, "```json\n", Err(("open_fence", 8))),
        (object, Ending::Stop, "hello", Err(("no_document", 5))),
        (object, Ending::Cancelled, "{\"a\": 1}", Err(("unsettled", 8))),
        (object.take(Take::First), Ending::Cancelled, "{\"a\": 1}", Err(("unsettled", 8))),
        (object.take(Take::First), Ending::Cancelled, "{\"a\": 1} x", Ok("{\"a\": 1}")),
        (value, Ending::Stop, "42", Ok("42")),
        (value, Ending::Unknown, "42", Err(("open_number", 2))),
        (value, Ending::Unknown, "```\n42\n```", Ok("42")),
        (value, Ending::Unknown, "<think>a</think> true", Ok("true")),
        (value, Ending::Unknown, "{\"a\": 1} x", Err(("text_around", 9))),
    ]);
}
