//! Bodies of every kind, named: what comes out as items, what the end says of a cut, and what the body is that holds no events.

use thusfar::stream::{BodyKind, Framing, Limits};
use thusfar_testkit::wire::{Report, check_wire, named};

/// A body and what is made of it.
struct Row {
    why: &'static str,
    /// Which decoder.
    by: &'static str,
    body: &'static [u8],
    /// The data of its items.
    items: &'static [&'static str],
    /// `partial_line`, `pending_event`, and the data of what is whole all the same.
    end: (bool, bool, Option<&'static str>),
    /// What is said of the rest: its kind, where it begins.
    diagnosis: Option<(BodyKind, u64)>,
}

const CLEAN: (bool, bool, Option<&str>) = (false, false, None);
const INSIDE: (bool, bool, Option<&str>) = (true, false, None);

const fn row(
    why: &'static str,
    by: &'static str,
    body: &'static [u8],
    items: &'static [&'static str],
    end: (bool, bool, Option<&'static str>),
    diagnosis: Option<(BodyKind, u64)>,
) -> Row {
    Row { why, by, body, items, end, diagnosis }
}

fn hold(rows: &[Row]) {
    for Row { why, by, body, items, end, diagnosis } in rows {
        let report: Report = check_wire(&named(by), Limits::default(), body);
        let seen = report.end.as_ref().unwrap_or_else(|error| panic!("{why}: {error:?}"));
        assert_eq!(report.texts(), *items, "{why}: the items");
        let whole = seen.whole.as_ref().map(|said| said.text());
        assert_eq!((seen.partial_line, seen.pending_event, whole.as_deref()), *end, "{why}: the end");
        assert_eq!(seen.stray.as_ref().map(|stray| (stray.kind, stray.offset)), *diagnosis, "{why}: the diagnosis");
    }
}

#[test]
fn json_lines() {
    use BodyKind::{EventStream, Html, Json, Text};
    hold(&[
        row("each line a record", "ndjson", b"{\"a\":1}\n{\"b\":2}\n", &["{\"a\":1}", "{\"b\":2}"], CLEAN, None),
        row(
            "any line end, blank lines, a mark",
            "ndjson",
            b"\xef\xbb\xbf{}\r\n\n \t[1] \n",
            &["{}", "[1]"],
            CLEAN,
            None,
        ),
        row(
            "the last line end may be missing",
            "ndjson",
            b"{}\n{\"b\":2}",
            &["{}"],
            (true, false, Some("{\"b\":2}")),
            None,
        ),
        row("a record that is cut", "ndjson", b"{}\n{\"b\":", &["{}"], INSIDE, None),
        row("nothing but a record that is cut", "ndjson", b"{\"b\":", &[], INSIDE, Some((Json, 0))),
        row(
            "an error is a record where lines were promised",
            "ndjson",
            b"{\"error\":1}\n",
            &["{\"error\":1}"],
            CLEAN,
            None,
        ),
        row(
            "an indented error behind records",
            "ndjson",
            b"{}\n{\n \"error\": {\n  \"m\": 1 }\n}\n{\"b\":3}\n",
            &["{}", "{\"b\":3}"],
            CLEAN,
            Some((Json, 3)),
        ),
        row("a page", "ndjson", b"<html>\n</html>", &[], INSIDE, Some((Html, 0))),
        row("an event stream", "ndjson", b"data: {}\n\n", &[], CLEAN, Some((EventStream, 0))),
        row("words between records", "ndjson", b"{}\noops\n{}\n", &["{}", "{}"], CLEAN, Some((Text, 3))),
        row("nothing", "ndjson", b"", &[], CLEAN, Some((BodyKind::Empty, 0))),
    ]);
}

#[test]
fn arrays() {
    use BodyKind::{Binary, Empty, Json, NoEvents};
    const OPEN: (bool, bool, Option<&str>) = (false, true, None);
    hold(&[
        row(
            "each element",
            "array",
            b"[{\"a\":[1,{}]},\n{\"b\":\"]},\"}\n,\n{}]\n",
            &["{\"a\":[1,{}]}", "{\"b\":\"]},\"}", "{}"],
            CLEAN,
            None,
        ),
        row(
            "of any kind",
            "array",
            b" [1, 2 ,true,\"a\\\"b\",null,[],[[1]],-1.5e3]",
            &["1", "2", "true", "\"a\\\"b\"", "null", "[]", "[[1]]", "-1.5e3"],
            CLEAN,
            None,
        ),
        row(
            "what is no UTF-8 is content",
            "array",
            b"[\"\xff\xe8\x8c\",\"\xe8\x8c\xb6\"]",
            &["\"\u{fffd}\u{fffd}\"", "\"\u{8336}\""],
            CLEAN,
            None,
        ),
        row("the array is open", "array", b"[{}", &["{}"], OPEN, None),
        row("behind a comma", "array", b"[{},", &["{}"], OPEN, None),
        row("inside an element", "array", b"[{},{\"b\"", &["{}"], (true, true, None), None),
        row(
            "nothing but an element that is cut",
            "array",
            b"[{\"error\": {\"a",
            &[],
            (true, true, None),
            Some((Json, 1)),
        ),
        row("an empty array holds no event", "array", b"[]", &[], CLEAN, Some((NoEvents, 0))),
        row("an object", "array", b"{\"error\": 1}", &[], CLEAN, Some((Json, 0))),
        row("half a mark", "array", b"\xef\xbbx", &[], CLEAN, Some((Binary, 0))),
        row("nothing", "array", b" \n", &[], CLEAN, Some((Empty, 0))),
    ]);
}

#[test]
fn arrays_that_break() {
    let cases: [(&str, &[u8], &[&str], u64); 6] = [
        ("no comma", b"[1 2]", &["1"], 3),
        ("text behind the array", b"[{\"a\":1}] x", &["{\"a\":1}"], 10),
        ("the other closer", b"[{\"a\":1}}", &["{\"a\":1}"], 8),
        ("a trailing comma", b"[{},]", &["{}"], 4),
        ("no UTF-8 outside a string", b"[{\"a\": \xff}]", &[], 7),
        ("inside an element", b"[{\"a\" 1}]", &[], 6),
    ];
    for (why, body, items, offset) in cases {
        let report = check_wire(&named("array"), Limits::default(), body);
        let error = report.end.as_ref().expect_err(why);
        assert_eq!(report.texts(), items, "{why}");
        assert_eq!((error.kind().as_str(), error.offset()), ("json", offset), "{why}");
    }
}

#[test]
fn guessed() {
    use BodyKind::{Empty, Gzip, Html, Json, Ndjson, NoEvents, Text, Xml, Zlib, Zstd};
    hold(&[
        row("JSON lines", "body", b" {\"a\":1}\n{\"b\":2}", &["{\"a\":1}"], (true, false, Some("{\"b\":2}")), None),
        row("an array", "body", b"\xef\xbb\xbf\r\n[1]", &["1"], CLEAN, None),
        row("a zero byte", "body", b"\0\0\0\x10 no frame", &[], CLEAN, Some((BodyKind::Binary, 0))),
        row("an event stream behind blank lines", "body", b"\n\r\n  \ndata: 1\n\n", &["1"], CLEAN, None),
        row("a JSON text without a line end", "body", b"{\"response\":\"a\"}", &[], INSIDE, Some((Json, 0))),
        row("an error and nothing else", "body", b"{\"error\":{\"m\":1}}\n \n", &[], CLEAN, Some((Json, 0))),
        row(
            "an error and then more",
            "body",
            b"{\"error\":{\"m\":1}}\n {\"b\":2}\n",
            &["{\"error\":{\"m\":1}}", "{\"b\":2}"],
            CLEAN,
            None,
        ),
        row("an indented document is one", "body", b"{\n  \"error\": [\n{}\n] }\n", &[], CLEAN, Some((Json, 0))),
        row("a page", "body", b"<!DOCTYPE html><p>x", &[], INSIDE, Some((Html, 0))),
        row("XML of a store", "body", b"<?xml version=\"1.0\"?>\n<Error/>\n", &[], CLEAN, Some((Xml, 0))),
        row("words of a proxy", "body", b"upstream connect error", &[], INSIDE, Some((Text, 0))),
        row("gzip", "body", b"\x1f\x8b\x08\0\0\0\n\0\0", &[], INSIDE, Some((Gzip, 0))),
        row("zlib", "body", b"x\x9c\x01\n", &[], CLEAN, Some((Zlib, 0))),
        row("Zstandard", "body", b"\x28\xb5\x2f\xfd\x04\n", &[], CLEAN, Some((Zstd, 0))),
        row("comments alone", "body", b": ping\n\n", &[], CLEAN, Some((NoEvents, 0))),
        row("blank lines alone", "body", b"\n\r\n", &[], CLEAN, Some((Empty, 0))),
        row("half a byte order mark is none", "body", b"\xef{}\n", &[], CLEAN, Some((BodyKind::Binary, 0))),
        row(
            "of event streams: JSON lines",
            "body of server-sent events",
            b"{\"a\":1}\n{\"b\":2}\n",
            &[],
            CLEAN,
            Some((Ndjson, 0)),
        ),
        row(
            "of event streams: an array",
            "body of server-sent events",
            b"[{\"a\":1}\n,\n{\"b\":2}\n",
            &[],
            CLEAN,
            Some((Json, 0)),
        ),
    ]);
}

#[test]
fn beside_events() {
    use BodyKind::{Html, Json, Ndjson, NoEvents, Text};
    hold(&[
        row(
            "an indented error",
            "sse",
            b"data: 1\n\n{\n  \"error\": {\n    \"code\": 503\n  }\n}\n",
            &["1"],
            CLEAN,
            Some((Json, 9)),
        ),
        row(
            "and fields behind it",
            "sse",
            b"data: 1\n\n{\"error\":\"x\"}\nserver: y\n\n",
            &["1"],
            CLEAN,
            Some((Json, 9)),
        ),
        row(
            "an error between events",
            "sse",
            b"data: 1\n\n{\"error\":\"x\"}\n\ndata: [DONE]\n\n",
            &["1", "[DONE]"],
            CLEAN,
            Some((Json, 9)),
        ),
        row("words in front of it", "sse", b"oops\n{\"error\":1}\n\ndata: 1\n\n", &["1"], CLEAN, Some((Json, 5))),
        row(
            "a bare `[DONE]` is no document",
            "sse",
            b"data: 1\n\n[DONE]\n{\"error\":{\"m\":\"x\"}}",
            &["1"],
            INSIDE,
            Some((Json, 16)),
        ),
        row(
            "nor is a mark of a model",
            "sse",
            b"<|im_start|>\n\ndata: 1\n\n{\"error\":1}",
            &["1"],
            INSIDE,
            Some((Json, 23)),
        ),
        row(
            "two of them are lines",
            "sse",
            b"data: 1\n\n{\"error\":1}\n\n{\"error\":2}\n",
            &["1"],
            CLEAN,
            Some((Ndjson, 9)),
        ),
        row("a page", "sse", b"data: 1\n\n<html>\n<b>504</b>\n", &["1"], CLEAN, Some((Html, 9))),
        row(
            "fields that nobody knows are none",
            "sse",
            b"data: 1\n\nfoo: 1\ndata: 2\n\nbar\n\n",
            &["1", "2"],
            CLEAN,
            None,
        ),
        row("an error that is cut", "sse", b"data: 1\n\nerror: upstream time", &["1"], INSIDE, Some((Text, 9))),
        row("no event but data that are cut", "sse", b"data: oops, the ser", &[], INSIDE, Some((NoEvents, 0))),
    ]);
}

#[test]
fn content_types() {
    for (value, framing) in [
        ("text/event-stream", Some(Framing::Sse)),
        ("Text/Event-Stream;charset=utf-8", Some(Framing::Sse)),
        (" text/event-stream ; x=y", Some(Framing::Sse)),
        ("application/x-ndjson", Some(Framing::Ndjson)),
        ("application/jsonl", Some(Framing::Ndjson)),
        ("application/json", None),
        ("text/html", None),
        ("", None),
    ] {
        assert_eq!(Framing::of_content_type(value), framing, "{value}");
    }
}
