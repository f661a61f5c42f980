//! The end of a reply: every ending with something closed, open, or not found, and what was open.

use thusfar::{Cause, Code, Ending, Expect, Take, WarningKind};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::table::table;

/// A report in short: `ok` with its warnings, or the outcome, code and cause.
fn short(report: &Report) -> String {
    match report {
        Report::Document { warnings, .. } => {
            let names = warnings.iter().map(|(kind, _)| format!(" {}", kind.as_str()));
            "ok".to_owned() + &names.collect::<String>()
        }
        Report::Failure { code, cause, .. } => {
            let cause = cause.map_or(String::new(), |cause| format!(" {}", cause.as_str()));
            format!("{} {}{cause}", report.outcome(), code.as_str())
        }
    }
}

/// One thing under every ending, in the order of [`Ending::ALL`].
fn under_all(reply: &str, expect: Expect, want: [&str; 9]) {
    for ((ending, name), want) in Ending::ALL.into_iter().zip(want) {
        assert_eq!(short(&check(reply, expect, ending)), want, "{name}: {reply:?}");
    }
}

/// Truncated under every ending, by its own cause.
fn truncated_by_all(reply: &str, expect: Expect, code: Code) {
    for (ending, name) in Ending::ALL {
        let want = format!("truncated {} {}", code.as_str(), Cause::of(ending).as_str());
        assert_eq!(short(&check(reply, expect, ending)), want, "{name}: {reply:?}");
    }
}

const CLOSED: [&str; 9] =
    ["ok", "ok", "ok ended_by_length", "ok ended_by_filter", "ok", "ok", "ok", "truncated unsettled cancelled", "ok"];

#[test]
fn a_closed_root_is_a_document_unless_we_stopped_reading() {
    for reply in [
        "{\"a\": 1}",
        "Here: {\"a\": 1}\nDone.",
        "```json\n{\"a\": 1}\n```\n",
        "```json\n{\"a\": 1}\n",
        "```\n{\"a\": 1}\n",
        "```js\n{\"a\": 1} // x",
        "<think>hm</think>{\"a\": 1}",
        "{\"a\": 1} <",
        "{\"a\": 1} /* c",
        "{\"a\": 1} and [",
        "{}",
        "Well:\n{}",
    ] {
        under_all(reply, Expect::object(), CLOSED);
    }
}

#[test]
fn what_is_open_is_truncated_by_its_cause() {
    let object = Expect::object();
    for (reply, code) in [
        ("{\"a\": [", Code::OpenFrame),                      // a promise
        ("Well: {\"a\": 1,", Code::OpenFrame),               // in prose
        ("{", Code::OpenFrame),                              // a candidate
        ("Well: {\"a", Code::OpenKey),                       // a candidate
        ("[1, ", Code::OpenFrame),                           // of the other kind, nothing closed
        ("```json\n{", Code::OpenFrame),                     // in a fence
        ("```\n{\"a\": 1, ", Code::OpenFrame),               // in a fence without a label
        ("{\"a\": 1} and {\"b\": ", Code::OpenFrame),        // a document closed before
        ("<think>hm {\"a\": 1}", Code::OpenReasoning),       // in reasoning
        ("<think>\n<think>\n</think>", Code::OpenReasoning), // a tag at the start of a line nests
        ("{\"a\": 1, \"b\": 2", Code::OpenNumber),           // it may be longer than it looks
        ("{\"a\": 1}\n<think>", Code::OpenReasoning),        // behind a document
    ] {
        truncated_by_all(reply, object, code);
    }
    truncated_by_all("hm", object.starts_in_reasoning(), Code::OpenReasoning);
}

fn nothing(code: &str) -> [String; 9] {
    Ending::ALL.map(|(ending, _)| match ending {
        Ending::Stop | Ending::ToolUse | Ending::Filtered | Ending::Unknown => "not_found no_document".to_owned(),
        _ => format!("truncated {code} {}", Cause::of(ending).as_str()),
    })
}

#[test]
fn nothing_found() {
    let object = Expect::object();
    for (reply, code) in [
        ("", "nothing_yet"),
        (" \n", "nothing_yet"),
        ("I cannot do that.", "nothing_yet"),
        ("see [1] there", "nothing_yet"),
        ("<think>hm</think>", "nothing_yet"),
        ("`", "nothing_yet"),
        ("```", "nothing_yet"),
        ("<thin", "nothing_yet"),
        ("```json\n", "open_fence"),
        ("```json\nnot yet", "open_fence"),
        ("```py\nx = {\"a\": 1}", "open_fence"),
        ("```json\nno\n```\n", "nothing_yet"),
    ] {
        under_all(reply, object, nothing(code).each_ref().map(String::as_str));
    }
}

#[test]
fn what_broke_first_is_told_under_every_ending() {
    under_all("{oops}", Expect::object(), ["malformed expected_key"; 9]);
    under_all("[1, 2]", Expect::object(), ["malformed wrong_root"; 9]);
    under_all("{\"a\": 1} }", Expect::object(), ["malformed closed_too_early"; 9]);
    // Where more could cure it, we stopped reading too early to tell.
    let mut different = ["ambiguous different_documents"; 9];
    under_all("{\"a\": 1}\n{\"b\": 1}\n", Expect::object(), different);
    different[7] = "truncated unsettled cancelled";
    under_all("{\"a\": 1} then {\"b\": 1}", Expect::object(), different);
    let mut comma = ["malformed closed_too_early"; 9];
    comma[7] = "truncated unsettled cancelled";
    under_all("{\"a\": 1}, ", Expect::object(), comma);
}

#[test]
fn cancelled_when_final() {
    let first = Expect::object().take(Take::First);
    for (reply, want) in [
        ("{\"a\": 1} and", "ok tail_unread"),
        ("{\"a\": 1} ", "truncated unsettled cancelled"),
        ("{\"a\": 1}", "truncated unsettled cancelled"),
        ("```\n{\"a\": 1}\n```\n", "ok tail_unread"),
    ] {
        assert_eq!(short(&check(reply, first, Ending::Cancelled)), want, "{reply:?}");
    }
    assert_eq!(short(&check("{\"a\": 1} and", first, Ending::Stop)), "ok", "nothing was left unread by us");
}

#[test]
fn where_warnings_of_the_end_stand() {
    let report = check("Well: {\"a\": 1} ok", Expect::object(), Ending::Length);
    let Report::Document { span, warnings, .. } = &report else { panic!("{report:?}") };
    let (kind, place) = warnings[0];
    assert_eq!((kind, place.start, place.end), (WarningKind::EndedByLength, span.end, span.end));
}

#[test]
fn a_number_at_the_very_end() {
    let value = Expect::value();
    let open = Ending::ALL.map(|(ending, _)| match ending {
        Ending::Stop => "ok".to_owned(),
        _ => format!("truncated open_number {}", Cause::of(ending).as_str()),
    });
    for reply in ["42", "-0", "1.5", "1e5", "<think>x</think>7", "```json\n42"] {
        under_all(reply, value, open.each_ref().map(String::as_str));
    }
    for reply in ["-", "1.", "1e", "1e+"] {
        truncated_by_all(reply, value, Code::OpenNumber);
    }
    // Something behind it shows that it is whole; a literal is.
    for reply in ["42 ", "42\n", "true", "null", "\"x\"", "```\n42\n```"] {
        under_all(reply, value, CLOSED);
    }
    truncated_by_all("tru", value, Code::OpenLiteral);
    truncated_by_all("\"x", value, Code::OpenString);
    truncated_by_all("[1, 2", value, Code::OpenNumber);
}

#[test]
fn what_was_open() {
    table(
        Expect::object(),
        Ending::Length,
        &[
            ("opener", "{", Err(("open_frame", 1)), "between tokens"),
            ("behind a key", "{\"a\"", Err(("open_frame", 4)), "between tokens"),
            ("behind a colon", "{\"a\": ", Err(("open_frame", 6)), "between tokens"),
            ("behind a comma", "{\"a\": 1, ", Err(("open_frame", 9)), "between tokens"),
            ("key", "{\"a\": 1, \"b", Err(("open_key", 11)), "a key is no value"),
            ("string", "{\"a\": \"x", Err(("open_string", 8)), "inside a string"),
            ("backslash", "{\"a\": \"\\", Err(("open_escape", 8)), "half an escape"),
            ("hex", "{\"a\": \"\\u00e", Err(("open_escape", 12)), "half an escape"),
            ("low half", "{\"a\": \"\\ud83d\\u", Err(("open_escape", 15)), "half a pair"),
            ("escape in a key", "{\"a\\", Err(("open_escape", 4)), "an escape is more than a key"),
            ("minus", "{\"a\": -", Err(("open_number", 7)), "not a number yet"),
            ("number", "{\"a\": 12", Err(("open_number", 8)), "it may be longer than it looks"),
            ("exponent", "{\"a\": 1e", Err(("open_number", 8)), "not a number yet"),
            ("literal", "{\"a\": fals", Err(("open_literal", 10)), "not a literal yet"),
            ("whole literal", "{\"a\": false", Err(("open_frame", 11)), "nothing longer is a literal"),
            ("slash", "{\"a\": 1 /", Err(("open_comment", 9)), "nothing else can follow"),
            ("line comment", "{\"a\": 1 // x", Err(("open_comment", 12)), "it has not ended"),
            ("block comment", "{\"a\": 1 /* x *", Err(("open_comment", 14)), "it has not ended"),
            ("in a character", "{\"a\": \"é", Err(("open_string", 9)), "the character is whole"),
        ],
    );
}

#[test]
fn where_it_was_open() {
    let report = check("ok: {\"a\": [1, {\"b/c\": \"x", Expect::object(), Ending::Disconnected);
    let Report::Failure { code, path, frames, cause, .. } = &report else { panic!("{report:?}") };
    assert_eq!((*code, &**path, &**frames), (Code::OpenString, "/a/1/b~1c", &[4, 10, 14][..]));
    assert_eq!(*cause, Some(Cause::Disconnected));
}

#[test]
fn a_reply_that_ends_inside_a_character() {
    use thusfar_testkit::check::check_bytes;
    let cut = |text: &'static str| &text.as_bytes()[..text.len() - 1];
    for (ending, want) in [
        (Ending::Stop, "malformed invalid_utf8"),
        (Ending::ToolUse, "malformed invalid_utf8"),
        (Ending::Length, "truncated nothing_yet budget"),
        (Ending::Unknown, "not_found no_document"),
    ] {
        assert_eq!(short(&check_bytes(cut("né"), Expect::object(), ending)), want, "{ending:?}");
    }
    let open = check_bytes(cut("{\"a\": \"é"), Expect::object(), Ending::Stop);
    assert_eq!(short(&open), "truncated open_string unclosed", "a frame is open");
    let closed = check_bytes(cut("{\"a\": 1} é"), Expect::object(), Ending::Unknown);
    assert_eq!(short(&closed), "ok", "the bytes count as cut away");
}
