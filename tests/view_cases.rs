//! What a view shows when, rule by rule: a reply piece by piece, and what stands there behind each.

use thusfar::{Ending, Expect, Limits, Reply, Take};
use thusfar_testkit::live::{Marks, live};

/// Name; each piece with what is shown behind it, nothing if that is empty; how often something was taken back in all; why.
type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], u32, &'a str);

/// Reads every row, and holds the law of live replies to it at every byte; panics with all rows that differ.
fn table(expect: Expect, rows: &[Row<'_>]) {
    let mut wrong = Vec::new();
    for (name, pieces, restarts, why) in rows {
        let mut reply = Reply::live(expect);
        let mut text = String::new();
        for (piece, wanted) in *pieces {
            let _ = reply.push(piece);
            text.push_str(piece);
            let shown = reply.view().json().unwrap_or_default().into_owned();
            if shown != *wanted {
                wrong.push(format!("{name} ({why}):\n  {text:?}\n  wanted {wanted}\n  shown  {shown}"));
            }
        }
        if reply.view().generation() != *restarts {
            wrong.push(format!("{name} ({why}): taken back {} times, not {restarts}", reply.view().generation()));
        }
        for ending in [Ending::Stop, Ending::Length] {
            let seen = live(text.as_bytes(), expect, ending, [2, 0, 4], Marks::Every);
            assert_eq!(seen.contradicting, 0, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn values_that_are_not_there_yet() {
    table(
        Expect::any(),
        &[
            ("number", &[("[1", "[]"), ("2", "[]"), (",", "[12]")], 0, "it may become 120"),
            ("number behind a point", &[("[1.", "[]"), ("50", "[]"), (" ", "[1.50]")], 0, "digits are kept"),
            ("number and closer", &[("[[-1e", "[[]]"), ("5]", "[[-1e5]]")], 0, "the closer ends it"),
            ("literal", &[("[tru", "[]"), ("e", "[]"), (",", "[true]")], 0, "it has ended with the byte behind it"),
            (
                "key",
                &[("{", "{}"), ("\"a", "{}"), ("\"", "{}"), (" :", "{}"), (" \"", "{\"a\" : \"\"}")],
                0,
                "no key without a value",
            ),
            ("key of a number", &[("{\"a\": 1", "{}"), ("}", "{\"a\": 1}")], 0, "the key comes with the value"),
            ("key of a container", &[("{\"a\":[", "{\"a\":[]}"), ("{", "{\"a\":[{}]}")], 0, "with its opener"),
            (
                "string",
                &[("[\"", "[\"\"]"), ("x", "[\"x\"]"), ("y\"", "[\"xy\"]"), (",", "[\"xy\"]")],
                0,
                "at its opening quote",
            ),
            ("half an escape", &[("[\"x\\", "[\"x\"]"), ("n", "[\"x\\n\"]")], 0, "a backslash says nothing"),
            (
                "four digits",
                &[("[\"x\\u00", "[\"x\"]"), ("e", "[\"x\"]"), ("9", "[\"x\\u00e9\"]")],
                0,
                "they are one escape",
            ),
            (
                "half a pair",
                &[
                    ("[\"x\\ud83d", "[\"x\"]"),
                    ("\\", "[\"x\"]"),
                    ("u", "[\"x\"]"),
                    ("de0", "[\"x\"]"),
                    ("0", "[\"x\\ud83d\\ude00\"]"),
                ],
                0,
                "half a character is none",
            ),
            (
                "raw control",
                &[("[\"x\t", "[\"x\\t\"]"), ("\n", "[\"x\\t\\n\"]"), ("y", "[\"x\\t\\ny\"]")],
                0,
                "shown as its escape",
            ),
            ("character in pieces", &[("[\"é", "[\"é\"]"), ("\u{1f600}", "[\"é\u{1f600}\"]")], 0, "the law cuts it"),
        ],
    );
}

#[test]
fn escaped_delimiters() {
    table(
        Expect::any(),
        &[
            (
                "a quote that waits closes",
                &[
                    ("{\\\"a\\\": \\\"x", "{\"a\": \"x\"}"),
                    ("\\", "{\"a\": \"x\"}"),
                    ("\"", "{\"a\": \"x\"}"),
                    (" ", "{\"a\": \"x\"}"),
                    ("}", "{\"a\": \"x\" }"),
                ],
                0,
                "what stands behind it decides",
            ),
            (
                "a quote that waits is text",
                &[
                    ("{\\\"a\\\": \\\"say ", "{\"a\": \"say \"}"),
                    ("\\\"", "{\"a\": \"say \"}"),
                    ("hi", "{\"a\": \"say \\\"hi\"}"),
                    ("\\\"", "{\"a\": \"say \\\"hi\"}"),
                    (" now", "{\"a\": \"say \\\"hi\\\" now\"}"),
                    ("\\\"}", "{\"a\": \"say \\\"hi\\\" now\"}"),
                ],
                0,
                "an inner quote belongs to the text once that is certain",
            ),
            (
                "closed by a plain one",
                &[("[\\\"x", "[\"x\"]"), ("\"", "[\"x\"]"), (",", "[\"x\"]")],
                0,
                "a repair as well",
            ),
            (
                "a slash that waits",
                &[("[\\\"x\\\"/", "[\"x\"]"), ("* c */,", "[\"x\"]")],
                0,
                "a comment follows the quote",
            ),
            ("escaped white space", &[("{\\n\\\"a\\\": 1", "{}"), ("\\n", "{\n\"a\": 1}")], 0, "what it names"),
        ],
    );
}

#[test]
fn repairs() {
    table(
        Expect::any(),
        &[
            (
                "comment",
                &[
                    ("{\"a\": 1, /* x", "{\"a\": 1}"),
                    (" */ \"b\": 2,", "{\"a\": 1,  \"b\": 2}"),
                    ("}", "{\"a\": 1,  \"b\": 2}"),
                ],
                0,
                "it is dropped",
            ),
            (
                "comment behind a value",
                &[("[1 // x", "[1]"), ("\n", "[1]"), (", 2]", "[1 \n, 2]")],
                0,
                "it ends a number",
            ),
            ("trailing comma", &[("[1,", "[1]"), ("]", "[1]")], 0, "it may be the last one"),
            (
                "closer of the wrong kind",
                &[("{\"a\": [1", "{\"a\": []}"), ("}", "{\"a\": [1]}"), ("]", "{\"a\": [1]}")],
                0,
                "as its opener needs",
            ),
            ("all in one value", &[("[[1, /**/], ", "[[1 ]]"), ("2]", "[[1 ], 2]")], 0, "a known value has its edits"),
        ],
    );
}

#[test]
fn second_keys() {
    table(
        Expect::any(),
        &[
            (
                "scalar",
                &[
                    ("{\"a\": 1, \"a\": 1", "{\"a\": 1}"),
                    (",", "{\"a\": 1}"),
                    ("\"b\": 2,", "{\"a\": 1, \"a\": 1,\"b\": 2}"),
                ],
                0,
                "it shows nothing; the text in front of what follows is the document's",
            ),
            (
                "string",
                &[("{\"a\": \"x\", \"a\": \"x", "{\"a\": \"x\"}"), ("\"}", "{\"a\": \"x\", \"a\": \"x\"}")],
                0,
                "nor does it grow",
            ),
            ("array", &[("{\"a\": [1], \"a\": [1", "{\"a\": [1]}"), ("]", "{\"a\": [1]}")], 0, "nor open"),
            (
                "and then more",
                &[
                    ("{\"a\": [1], \"a\": [1], ", "{\"a\": [1]}"),
                    ("\"c\": \"", "{\"a\": [1], \"a\": [1], \"c\": \"\"}"),
                ],
                0,
                "behind it all goes on",
            ),
            (
                "a second one in a second one",
                &[
                    ("{\"a\": {\"b\": 1, \"b\": 1}, ", "{\"a\": {\"b\": 1, \"b\": 1}}"),
                    ("\"a\": {\"b\": 1, \"b\": ", "{\"a\": {\"b\": 1, \"b\": 1}}"),
                    ("1}, \"c\": {", "{\"a\": {\"b\": 1, \"b\": 1}, \"a\": {\"b\": 1, \"b\": 1}, \"c\": {}}"),
                ],
                0,
                "the outer one hides it",
            ),
            (
                "nested",
                &[
                    ("[{\"a\": {}, \"a\": {", "[{\"a\": {}}]"),
                    ("}}", "[{\"a\": {}, \"a\": {}}]"),
                    (", {", "[{\"a\": {}, \"a\": {}}, {}]"),
                ],
                0,
                "in the object that it stands in",
            ),
            (
                "written otherwise",
                &[("{\"a\": 1, \"\\u0061\": 1.0", "{\"a\": 1}"), ("}", "{\"a\": 1, \"\\u0061\": 1.0}")],
                0,
                "equal by value",
            ),
            (
                "another value",
                &[("{\"a\": \"x\", \"a\": \"y", "{\"a\": \"x\"}"), ("\"", "{\"a\": \"x\"}")],
                0,
                "ambiguous, and never shown",
            ),
        ],
    );
}

#[test]
fn which_candidate() {
    table(
        Expect::any(),
        &[
            ("the first thing", &[("[", "[]"), ("Note] Well", "")], 1, "shown at once, and taken back"),
            ("in a sentence", &[("So: {", ""), ("\"a\"", ""), (":", "{}")], 0, "from the moment that it is a promise"),
            ("a mark in prose", &[("A {", ""), ("x} b {\"a\": ", "{}")], 0, "nothing was shown of it"),
            ("a weak one", &[("See:\n[1]", ""), ("\n", "[1]")], 0, "it counts when it is alone on its lines"),
            ("a weak one in a sentence", &[("See [1]", ""), (" there\n", "")], 0, "it never counts"),
            ("an argument in code", &[("f({\"a\": 1", ""), ("})", "")], 0, "discounted"),
            (
                "inside a mark",
                &[("Well {oops ", ""), ("{\"a\": \"x", "")],
                0,
                "a brace that is open hides what is inside",
            ),
            ("inside the first thing", &[("{", "{}"), ("oops {\"a\": \"x", "")], 1, "which is no document"),
            ("a member", &[("\"k\": {\"a\": \"x", ""), ("\"}", "")], 0, "of an object that is not there"),
            (
                "behind a bare one",
                &[("{\"a\": 1}\n", "{\"a\": 1}"), ("and {\"b\": 2}", "{\"a\": 1}")],
                0,
                "of several different ones there is no answer: the first stays",
            ),
            (
                "fenced behind a bare one",
                &[("So {\"a\": 1} or\n", "{\"a\": 1}"), ("```json\n{", "{}"), ("\"a\": 2}\n```\n", "{\"a\": 2}")],
                1,
                "a fence stands above",
            ),
            (
                "code after all",
                &[
                    ("So {\"a\": 1} or\n", "{\"a\": 1}"),
                    ("```\n{\"b\": \"x", "{\"a\": 1}"),
                    ("\"}\nfoo()\n", "{\"a\": 1}"),
                ],
                0,
                "what stands is not left for what may be code",
            ),
            (
                "code after all, and nothing stood",
                &[("```\n{\"b\": 1", "{}"), ("}", "{\"b\": 1}"), ("\nfoo()\n", "")],
                1,
                "more than one document stands in it",
            ),
        ],
    );
    table(
        Expect::any().take(Take::Last),
        &[(
            "the last one",
            &[
                ("{\"a\": 1} ", "{\"a\": 1}"),
                ("and {\"b\"", "{\"a\": 1}"),
                (": \"", "{\"b\": \"\"}"),
                ("x\"}", "{\"b\": \"x\"}"),
            ],
            1,
            "a newer one takes the place",
        )],
    );
    table(
        Expect::any(),
        &[(
            "behind a second key in what was none",
            &[
                ("\n~~~js\n{\"b\":  {\"a\"  :null},\"b\"  :1}\n~~~\n", ""),
                ("<think>{\"a\":1}</think>\n~~~js\n[  []/*c*/]\n~~~\n", "[  []]"),
            ],
            1,
            "nothing of a candidate is left for the next",
        )],
    );
    table(Expect::object(), &[("the other kind", &[("[{", ""), ("\"a\": 1", "")], 0, "what is inside is hidden")]);
}

#[test]
fn what_stands_is_not_left_for_what_may_be_code() {
    table(
        Expect::any().take(Take::Last),
        &[(
            "a fence that is code",
            &[
                ("{\"a\": 1}\n", "{\"a\": 1}"),
                ("```\n{\"b\": \"x", "{\"a\": 1}"),
                ("\"}", "{\"a\": 1}"),
                ("\nfoo()\n```\n", "{\"a\": 1}"),
                ("```\n{\"b\": 2}", "{\"a\": 1}"),
                ("\n```\n", "{\"b\": 2}"),
            ],
            1,
            "it is left when the fence has ended, and counts",
        )],
    );
}

#[test]
fn failures_keep_their_last_view() {
    table(
        Expect::any(),
        &[
            ("malformed", &[("{\"a\": 1, b", "{\"a\": 1}"), (": 2}", "{\"a\": 1}")], 0, "what is broken is not shown"),
            (
                "inside an escape",
                &[("{\"a\":\"x\\q", "{\"a\":\"x\"}"), ("yz\"}", "{\"a\":\"x\"}")],
                0,
                "nor what was refused",
            ),
            (
                "half a pair",
                &[("{\"a\":\"x\\ud83dy", "{\"a\":\"x\"}"), ("z\"}", "{\"a\":\"x\"}")],
                0,
                "nor what waited",
            ),
            (
                "no promise",
                &[("[\"x", "[\"x\"]"), ("\\qyz\"]", "")],
                1,
                "a candidate that comes to nothing is taken back",
            ),
            (
                "two readings",
                &[
                    ("{\"a\":\\\"x \\\"y", "{\"a\":\"x \\\"y\"}"),
                    ("\"", "{\"a\":\"x \\\"y\"}"),
                    ("}", "{\"a\":\"x \\\"y\"}"),
                ],
                0,
                "what was certain stays",
            ),
            (
                "two readings, and a quote that waits",
                &[
                    ("{\"a\":\\\"x \\\"y", "{\"a\":\"x \\\"y\"}"),
                    ("\\\"", "{\"a\":\"x \\\"y\"}"),
                    ("}", "{\"a\":\"x \\\"y\"}"),
                ],
                0,
                "what waited when it was refused stays uncertain",
            ),
            ("behind the root", &[("{\"a\": 1}", "{\"a\": 1}"), (", \"b\": 2}", "{\"a\": 1}")], 0, "closed too early"),
        ],
    );
    let short = Limits { reply_len: Some(10), ..Limits::default() };
    table(
        Expect::any().limits(short),
        &[("too long", &[("[1, \"abcdef", "[1, \"abcde\"]"), ("g", "[1, \"abcde\"]")], 0, "up to the limit")],
    );
    let repairs = Limits { repairs: Some(1), ..Limits::default() };
    table(
        Expect::any().limits(repairs),
        &[("repairs", &[("[\"\tx\ty", "[\"\\tx\"]")], 0, "what is too many is not made")],
    );
    let none = Limits { repairs: Some(0), ..Limits::default() };
    let begun = "a string whose delimiter is refused has not begun";
    table(Expect::any().limits(none), &[("delimiters", &[("[1, \\\"", "[1]"), ("x", "[1]")], 0, begun)]);
    let nesting = Limits { nesting: Some(2), ..Limits::default() };
    table(Expect::any().limits(nesting), &[("nesting", &[("[[1, [", "[[1]]")], 0, "what is too deep is not opened")]);
}

#[test]
fn roots_of_any_kind() {
    table(
        Expect::value(),
        &[
            ("string", &[("\"a", "\"a\""), ("\\", "\"a\""), ("n\"", "\"a\\n\""), ("\n", "\"a\\n\"")], 0, "it grows"),
            ("number", &[("12", ""), (" ", "12")], 0, "at the end it may go on"),
            ("literal", &[("nul", ""), ("l", ""), ("\n", "null")], 0, "so may a literal"),
            ("fenced", &[("```json\n", ""), ("\"x\"", "\"x\""), ("\n```", "\"x\"")], 0, "as behind a fence"),
        ],
    );
    for (text, last) in [("42", "42"), ("true", "true"), ("-0.50", "-0.50"), ("\"x\"", "\"x\"")] {
        let mut reply = Reply::live(Expect::value());
        let _ = reply.push(text);
        let mut shown = None;
        let document = reply.finish_with(Ending::Stop, |view| shown = view.json().map(String::from));
        assert_eq!((document.expect("a value").text(), shown.as_deref()), (text, Some(last)), "the end ends it");
    }
}
