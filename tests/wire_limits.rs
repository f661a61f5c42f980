//! The limits of the wire: at each of them and one past, under every way of cutting.

use thusfar::stream::{Error, ErrorKind, Limits};
use thusfar_testkit::corpus;
use thusfar_testkit::wire::{Decoder, Report, SSE, check_wire, named};

const LINE: fn(usize) -> ErrorKind = ErrorKind::LineTooLong;
const EVENT: fn(usize) -> ErrorKind = ErrorKind::EventTooLong;

/// What a body comes to: its texts, and the limit that ended it with the byte at which it did.
fn outcome(report: &Report) -> (Vec<String>, Option<(ErrorKind, u64)>) {
    let texts = report.items.iter().map(|said| said.text()).collect();
    (texts, report.end.as_ref().err().map(|error: &Error| (error.kind(), error.offset())))
}

/// At the limit nothing happens; with a limit that is one less, the body ends there, and these items are out.
fn hold(decoder: &Decoder, kind: fn(usize) -> ErrorKind, limit: usize, body: &str, items: &[&str], offset: u64) {
    let limits = |len: usize| match kind(0) {
        ErrorKind::LineTooLong(_) => Limits { line_len: Some(len), ..Limits::NONE },
        _ => Limits { event_len: Some(len), ..Limits::NONE },
    };
    let free = outcome(&check_wire(decoder, Limits::NONE, body.as_bytes()));
    assert_eq!(free.1, None, "without a limit: {body:?}");
    let at = outcome(&check_wire(decoder, limits(limit), body.as_bytes()));
    assert_eq!(at, free, "at the limit of {limit}: {body:?}");
    let past = outcome(&check_wire(decoder, limits(limit - 1), body.as_bytes()));
    let items: Vec<_> = items.iter().map(|&item| item.to_owned()).collect();
    assert_eq!(past, (items, Some((kind(limit - 1), offset))), "past the limit of {}: {body:?}", limit - 1);
}

#[test]
fn lines_of_event_streams() {
    let cases: [(usize, &str, &[&str], u64); 17] = [
        (9, "data: abc\n\n", &[], 8),
        (9, "data: abc\r\n\r\n", &[], 8),
        (9, "data: abc", &[], 8),
        (7, "data:é\n\n", &[], 6),
        (11, "data: 1\n\n: a comment\n", &["1"], 19),
        (11, "data: 1\n\n: a comment", &["1"], 19),
        (10, ":\n:123456789\n", &[], 11),
        (11, "data: 1\n\nunknown: ab\n", &["1"], 19),
        (7, "unknown\n", &[], 6),
        (11, "data: 1\n\nevent: tick\ndata: 2\n\n", &["1"], 19),
        (8, "id: 1234\ndata: 1\n\n", &[], 7),
        (9, "retry: 10\ndata: 1\n\n", &[], 8),
        (9, "error: {}\n", &[], 8),
        (9, "data: 1\n\nerror: {}", &["1"], 17),
        // A line is one line, however many an event has.
        (8, "data: 1\ndata: 22\ndata: 3\n\n", &[], 15),
        // The byte order mark is none of it; half of one is.
        (7, "\u{FEFF}data: 1\n\n", &[], 9),
        (3, "\u{FEFF}\u{FEFF}", &[], 5),
    ];
    for (limit, body, items, offset) in cases {
        hold(&SSE, LINE, limit, body, items, offset);
    }
}

#[test]
fn half_a_byte_order_mark_is_a_line() {
    let limits = |len| Limits { line_len: Some(len), ..Limits::NONE };
    let report = check_wire(&SSE, limits(1), b"\xEF\xBB");
    assert_eq!(outcome(&report).1, Some((LINE(1), 1)), "nobody knows before the end");
    assert_eq!(outcome(&check_wire(&SSE, limits(2), b"\xEF\xBB")).1, None);
    assert_eq!(outcome(&check_wire(&SSE, limits(2), b"\xEF\xBBx")).1, Some((LINE(2), 2)));
}

#[test]
fn events_of_event_streams() {
    let cases: [(usize, &str, &[&str], u64); 12] = [
        (3, "data: 1\n\ndata: abc\n\n", &["1"], 17),
        (3, "data:abc\r\n\r\n", &[], 7),
        (3, "data: abc", &[], 8),
        // With the line feeds between lines, and not the one behind the last.
        (5, "data: ab\ndata: cd\n\n", &[], 16),
        // A line that makes the event too long by being there at all.
        (2, "data\ndata\ndata\n\n", &[], 10),
        (3, "data: ab\ndata: \n\n", &[], 9),
        (3, "data: ab\ndata:", &[], 9),
        // And the type, in whatever order.
        (5, "event: abc\ndata: de\n\n", &[], 18),
        (5, "data: de\nevent: abc\n\n", &[], 18),
        (3, "event: abc\n\ndata: 1\n\n", &[], 9),
        (7, "event: abcdefg\nevent: a\ndata: 1\n\n", &[], 13),
        // What stands in another event is none of this one.
        (3, "data: ab\n\nevent: abc\n\ndata: cde\n\n", &["ab"], 19),
    ];
    for (limit, body, items, offset) in cases {
        hold(&SSE, EVENT, limit, body, items, offset);
    }
}

#[test]
fn what_no_limit_of_an_event_counts() {
    let limits = Limits { event_len: Some(2), ..Limits::NONE };
    let bodies = [
        "id: 123456\nretry: 123456\nunknown: 123456\n: comment\nerror: 123456\ndata: ab\n\n",
        // Without its end it is no type yet, and without its colon no data.
        "event: 123456",
        "data: ab\ndata",
        "data: ab\ndatax: 123456\n\n",
    ];
    for body in bodies {
        assert_eq!(outcome(&check_wire(&SSE, limits, body.as_bytes())).1, None, "{body:?}");
    }
}

#[test]
fn the_first_byte_over_a_limit_counts() {
    let limits = |line, event| Limits { line_len: Some(line), event_len: Some(event), ..Limits::NONE };
    let body = b"data: abcdef\n\n";
    let failed = |line, event| outcome(&check_wire(&SSE, limits(line, event), body)).1;
    assert_eq!([failed(11, 3), failed(11, 6)], [Some((EVENT(3), 9)), Some((LINE(11), 11))]);
    assert_eq!([failed(9, 4), failed(10, 4)], [Some((LINE(9), 9)), Some((LINE(10), 10))], "a line is judged first");
    assert_eq!(outcome(&check_wire(&SSE, limits(0, 0), b"\n\r\n\r")).1, None, "blank lines");
    assert_eq!(outcome(&check_wire(&SSE, limits(0, 0), b"\n:\n")).1, Some((LINE(0), 1)));
    assert_eq!(outcome(&check_wire(&SSE, limits(9, 0), b"data\n\n")), (vec![String::new()], None), "no bytes");
}

#[test]
fn the_other_framings() {
    let (lines, array) = (named("ndjson"), named("array"));
    hold(&lines, LINE, 7, "{}\n{\"a\":1}\n", &["{}"], 9);
    hold(&lines, LINE, 9, "{}\n  {\"a\":1}\n", &["{}"], 11);
    hold(&lines, LINE, 4, "{}\nnone\n", &["{}"], 6);
    hold(&lines, EVENT, 7, "{}\n {\"a\":1} \n", &["{}"], 10);
    hold(&lines, EVENT, 7, "{}\n {\"a\":1}", &["{}"], 10);
    hold(&array, EVENT, 7, "[{},{\"a\":1}]", &["{}"], 10);
    hold(&array, EVENT, 5, "[1, \"abc\", 2]", &["1"], 8);
    hold(&array, EVENT, 3, "[1,123]", &["1"], 5);
    hold(&array, EVENT, 4, "[null", &[], 4);
}

/// The longest frame of a recording fits, and one byte less does not.
#[test]
fn frames() {
    let (_, body) = &corpus::recordings("streams", "bin")[0];
    let mut frames = Vec::new();
    let mut at = 0;
    while let Some(len) =
        body.get(at..).and_then(|rest| rest.first_chunk()).map(|len| u32::from_be_bytes(*len) as usize)
    {
        frames.push((len, at));
        at += len;
    }
    let (longest, _) = *frames.iter().max().expect("frames");
    let before = frames.iter().position(|(len, _)| *len == longest).expect("it is one of them");
    let read = |len| check_wire(&named("aws"), Limits { frame_len: Some(len), ..Limits::NONE }, body);
    assert_eq!(read(longest).items.len(), frames.len());
    let past = read(longest - 1);
    let error = Some((ErrorKind::FrameTooLong(longest - 1), frames[before].1 as u64));
    assert_eq!((past.items.len(), outcome(&past).1), (before, error));
}

/// The names of the errors, and that they are what [`Error`] says.
#[test]
fn an_error_says_what_and_where() {
    let limits = Limits { line_len: Some(8), event_len: Some(3), ..Limits::NONE };
    let error = |body: &[u8]| check_wire(&SSE, limits, body).end.expect_err("it is over a limit");
    let long_line = error(b": a comment");
    assert_eq!((long_line.kind().as_str(), long_line.offset()), ("line_too_long", 8));
    assert_eq!(long_line.to_string(), "line longer than 8 bytes at byte 8");
    let long_event = error(b"event:ab\ndata:cd\n\n");
    assert_eq!((long_event.kind().as_str(), long_event.offset()), ("event_too_long", 15));
    assert_eq!(long_event.to_string(), "event longer than 3 bytes at byte 15");
}

/// Once with the limits that everybody has.
#[test]
fn the_defaults() {
    const MOST: usize = 8 << 20;
    let limits = Limits::default();
    assert_eq!((limits.line_len, limits.event_len, limits.frame_len), (Some(MOST), Some(MOST), Some(4 * MOST)));
    let read = |body: &[&[u8]]| {
        let report = check_wire(&SSE, limits, &body.concat());
        let lens: Vec<_> = report.items.iter().map(|said| said.data().len()).collect();
        (lens, outcome(&report).1)
    };
    let letters = vec![b'x'; MOST];
    let end = MOST as u64;
    assert_eq!(read(&[b"data: ", &letters[6..], b"\ndata: 12345\n\n"]), (vec![MOST], None));
    let over = read(&[b"data: ", &letters[6..], b"\ndata: 123456\n\n"]);
    assert_eq!(over, (vec![], Some((EVENT(MOST), end + 12))));
    assert_eq!(read(&[b"data: 1\n\n:", &letters, b"\ndata: 2\n\n"]), (vec![1], Some((LINE(MOST), end + 9))));
}
