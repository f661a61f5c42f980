//! Going on after a cut: with the very text, and with another completion. That a reply which is cut anywhere and resumed is the one
//! that was not cut, `check()` holds for every reply of every test.

use thusfar::{
    Code, Document, Ending, Event, Expect, Failure, FailureKind, Flow, Limits, Reply, Sink, Span, Verbatim, WarningKind,
};

fn cut(text: &str) -> Failure {
    let mut reply = Reply::new(Expect::any());
    let _ = reply.push(text);
    reply.finish(Ending::Length).expect_err("cut")
}

fn stitch(text: &str, next: &str) -> Result<Document, Failure> {
    cut(text).stitch(next, Ending::Stop)
}

/// Parent and child begin alike.
const SCHEMA: &str = "{\"type\": \"object\", \"properties\": {\"address\": ";

/// The first completion: cut in each of the ways that matter.
const BEFORE: &str = "Here you are:\n\n```json\n{\n  \"title\": \"Notes on the annual meeting\",\n  \"pages\": 12,\n  \"people\": [\"Ada\", ";

#[test]
fn resumed_behind_white_space_that_was_not_sent() {
    let failure = cut("{\"a\": [1, \n ");
    let mut reply = failure.clone().resume_trimmed(Verbatim).expect("all is kept");
    let _ = reply.push(" 2]}");
    assert_eq!(reply.finish(Ending::Stop).expect("a document").text(), "{\"a\": [1, 2]}");
    let mut reply = failure.resume(Verbatim).expect("all is kept");
    let _ = reply.push("2]}");
    assert_eq!(reply.finish(Ending::Stop).expect("a document").text(), "{\"a\": [1, \n 2]}");
}

#[test]
fn resumed_again_and_again() {
    let mut failure = cut("{\"a\": \"");
    for piece in ["x\\u00", "e9", "y\", \"b\": [tr", "ue, 1"] {
        let mut reply = failure.resume(Verbatim).expect("all is kept");
        let _ = reply.push(piece);
        failure = reply.finish(Ending::Length).expect_err("still cut");
        assert_eq!(failure.kind(), FailureKind::Truncated);
    }
    let mut reply = failure.resume(Verbatim).expect("all is kept");
    let _ = reply.push("2.5]}");
    assert_eq!(reply.finish(Ending::Stop).expect("a document").text(), "{\"a\": \"x\\u00e9y\", \"b\": [true, 12.5]}");
}

/// Refuses the second string.
#[derive(Default)]
struct Second(usize);

impl Sink for Second {
    const BYTES: bool = false;

    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::String { end, .. } => {
                self.0 += 1;
                if self.0 == 2 { Flow::veto("second", end) } else { Flow::Continue }
            }
            _ => Flow::Continue,
        }
    }
}

#[test]
fn what_had_failed_does_not_go_on() {
    let mut refused = Reply::with_sink(Expect::object(), Second::default());
    let _ = refused.push("{\"a\": [\"x\", \"y\"");
    let mut no_text = Reply::new(Expect::object());
    let _ = no_text.push_bytes(b"{\"a\": \"\xFF");
    let mut long = Reply::new(Expect::object().limits(Limits { reply_len: Some(5), ..Limits::default() }));
    let _ = long.push("{\"a\": 1");
    let failures = [
        (cut("{\"a\": x"), Code::InvalidLiteral),
        (cut("{\"a\": 1, \"a\": 2,"), Code::DuplicateKey),
        (refused.finish(Ending::Length).expect_err("refused"), Code::Veto("second")),
        (no_text.finish(Ending::Length).expect_err("no text"), Code::InvalidUtf8),
        (long.finish(Ending::Length).expect_err("too long"), Code::ReplyTooLong),
    ];
    for (failure, code) in failures {
        assert!(failure.clone().resume(Verbatim).is_err_and(|it| it.code() == code));
        assert!(failure.stitch("{\"a\": 1}", Ending::Stop).is_err_and(|it| it.code() == code));
    }
}

#[test]
fn resumed_with_a_sink_that_hears_it_all() {
    let mut reply = cut("{\"a\": [\"x\", ").resume_with(Verbatim, Second::default()).expect("all is kept");
    let _ = reply.push("\"y\"]}");
    assert_eq!((reply.sink().0, reply.finish(Ending::Stop).expect_err("refused").code()), (2, Code::Veto("second")));
}

/// What the second completion says, and what becomes of it: the text, or the code.
fn rows(rows: &[(&str, &str, &str, Result<&str, Code>)]) {
    for (name, text, next, want) in rows {
        let got = stitch(text, next);
        let got = got.as_ref().map(Document::text).map_err(Failure::code);
        assert_eq!(got, *want, "{name}");
    }
}

#[test]
fn overlaps() {
    let tail = "\"pages\": 12,\n  \"people\": [\"Ada\", ";
    assert!(tail.len() >= 32 && BEFORE.ends_with(tail));
    let whole =
        "{\n  \"title\": \"Notes on the annual meeting\",\n  \"pages\": 12,\n  \"people\": [\"Ada\", \"Bob\"]\n}";
    let next = |front: &str, shared: &str, back: &str| [front, shared, back].concat();
    let end = "\"Bob\"]\n}\n```";
    rows(&[
        ("exactly", BEFORE, &next("", tail, end), Ok(whole)),
        ("white space in front", BEFORE, &next("\n\n", tail, end), Ok(whole)),
        ("a fence in front", BEFORE, &next("```json\n", tail, end), Ok(whole)),
        ("a fence and white space", BEFORE, &next("```\n\n  ", tail, end), Ok(whole)),
        ("all of it", BEFORE, &next("", BEFORE, end), Ok(whole)),
        ("from the opener on", BEFORE, &next("", &BEFORE[BEFORE.find('{').expect("one")..], end), Ok(whole)),
        ("31 bytes", BEFORE, &next("", &BEFORE[BEFORE.len() - 31..], end), Err(Code::StitchUncertain)),
        ("32 bytes", BEFORE, &next("", &BEFORE[BEFORE.len() - 32..], end), Ok(whole)),
        ("not to the end", BEFORE, &next("", &tail[..tail.len() - 6], end), Err(Code::StitchUncertain)),
        ("one byte differs", BEFORE, &next("", &tail.replace("12", "13"), end), Err(Code::StitchUncertain)),
        ("chatter in front", BEFORE, &next("Sure, here is the rest:\n", tail, end), Err(Code::StitchUncertain)),
        ("the rest alone", BEFORE, end, Err(Code::StitchUncertain)),
        ("nothing", BEFORE, "", Err(Code::StitchUncertain)),
        ("cut again", BEFORE, &next("", tail, "\"Bo"), Err(Code::OpenString)),
        ("nothing new", BEFORE, tail, Err(Code::OpenFrame)),
        ("broken behind", BEFORE, &next("", tail, "Bob]}"), Err(Code::InvalidLiteral)),
        (
            "inside a string",
            "{\"note\": \"it was a long and quiet evening by the la",
            "it was a long and quiet evening by the lake.\"}",
            Ok("{\"note\": \"it was a long and quiet evening by the lake.\"}"),
        ),
        (
            "inside a number",
            "{\"measured\": [100.25, 200.5, 300.75], \"total\": 60",
            "[100.25, 200.5, 300.75], \"total\": 601.5}",
            Ok("{\"measured\": [100.25, 200.5, 300.75], \"total\": 601.5}"),
        ),
        (
            "inside reasoning",
            "<think>\nThey want the totals of the year, not of the mon",
            "want the totals of the year, not of the month.\n</think>\n{\"a\": 1}",
            Ok("{\"a\": 1}"),
        ),
        (
            "a bare document and a fence",
            "{\"title\": \"Notes on the annual meeting\", \"pages\": ",
            "```json\n\"Notes on the annual meeting\", \"pages\": 12}\n```",
            Ok("{\"title\": \"Notes on the annual meeting\", \"pages\": 12}"),
        ),
    ]);
}

#[test]
fn white_space_that_was_trimmed() {
    let text = "{\"title\": \"Notes on the annual meeting\",\n  \"pages\":  ";
    let want = |white: &str| format!("{{\"title\": \"Notes on the annual meeting\",\n  \"pages\":  {white}12}}");
    rows(&[
        ("the copy", text, &format!("{} 12}}", text.trim_end()), Ok(&*want(" "))),
        ("of one", text, &format!("{}12}}", &text[..text.len() - 1]), Ok(&*want(" "))),
        ("all of it", text, &format!("{}12}}", text.trim_end()), Ok(&*want(""))),
    ]);
    // A number that had ended goes on in the copy, and a line comment.
    let number = "{\"title\": \"Notes on the annual meeting\", \"pages\": [1 ";
    rows(&[("a number", number, &format!("{}2]}}", number.trim_end()), Err(Code::StitchUncertain))]);
    let comment = "{\"a\": 1 // the number of the pages in it\n";
    let next = "// the number of the pages in it, \"b\": 2\n}";
    rows(&[("a comment", comment, next, Err(Code::StitchUncertain))]);
    // In a string it is content.
    let string = "{\"title\": \"Notes on the annual meeting, and more  ";
    rows(&[
        ("a string", string, &format!("{} x", string.trim_end()), Err(Code::StitchUncertain)),
        (
            "and exactly",
            string,
            &format!("{string}x\"}}"),
            Ok("{\"title\": \"Notes on the annual meeting, and more  x\"}"),
        ),
    ]);
}

#[test]
fn a_tail_that_repeats_has_more_than_one_place() {
    let row = "{\"kind\": \"a long enough constant text\", \"n\": ";
    let text = format!("[{row}1}}, {row}");
    rows(&[
        ("the last row, or both", &text, &format!("{row}1}}, {row}2}}]"), Err(Code::StitchUncertain)),
        ("the last row, seen before", &text, &format!("{row}2}}]"), Err(Code::StitchUncertain)),
        ("all", &text, &format!("{text}2}}]"), Ok(&*format!("{text}2}}]"))),
        (
            "zeros",
            "{\"row\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ",
            "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]}",
            Err(Code::StitchUncertain),
        ),
    ]);
}

#[test]
fn restarts() {
    let whole = "{\"title\": \"Notes on the annual meeting\", \"pages\": 12}";
    let between = "{\"title\": \"Notes on the annual meeting\", \"pages\": ";
    let in_string = &between[..between.find("annual").expect("there")];
    rows(&[
        ("in a string", in_string, whole, Ok(whole)),
        ("with chatter and a fence", in_string, &format!("Sorry, all of it:\n```json\n{whole}\n```"), Ok(whole)),
        ("where a value may stand, with the same beginning", between, &format!("Again: {whole}"), Ok(whole)),
        ("where a value may stand", "{\"user\": ", "{\"id\": 2}", Err(Code::StitchUncertain)),
        ("where an element may stand", "[[1, 2], ", "[3, 4]", Err(Code::StitchUncertain)),
        ("of one open value", "{\"users\": [{\"name\": \"Al", "{\"name\": \"Alan\"}", Err(Code::StitchUncertain)),
        ("of one like the root", "{\"n\": 1, \"in\": {\"n\": \"x", "{\"n\": \"xy\"}", Err(Code::StitchUncertain)),
        ("of another name", "{\"users\": [{\"name\": \"Al", "{\"u\": \"Alan\"}", Err(Code::StitchUncertain)),
        (
            "in an inner value",
            "{\"users\": [{\"name\": \"Al",
            "{\"users\": [{\"name\": \"Alan\"}]}",
            Ok("{\"users\": [{\"name\": \"Alan\"}]}"),
        ),
        (
            "in other words",
            "{\"users\": [{\"name\": \"Al",
            "{\"users\": [{\"name\": \"Bo\"}]}",
            Err(Code::StitchUncertain),
        ),
        (
            "in another order",
            "{\"a\": 1.0, \"b\": \"x",
            "{\"b\": \"xy\",\n \"a\": 1}",
            Ok("{\"b\": \"xy\",\n \"a\": 1}"),
        ),
        ("of the rest", "{\"a\": {\"x\": 1}, \"b\": \"fo", "{\"b\": \"foo\", \"c\": 3}", Err(Code::StitchUncertain)),
        ("of the other rows", "[{\"id\": 1}", "[{\"id\": 2}, {\"id\": 3}]", Err(Code::StitchUncertain)),
        ("of the last row", "[[1, 2], [3, \"x", "[[3, \"xy\"]]", Err(Code::StitchUncertain)),
        ("of a value cut", "[1, 2", "[1, 23]", Ok("[1, 23]")),
        ("of an error", "{\"note\": \"He li", "{\"error\": \"I cannot go on\"}", Err(Code::StitchUncertain)),
        ("of a child", SCHEMA, "{\"type\": \"object\", \"properties\": {\"street\": {}}}", Err(Code::StitchUncertain)),
        (
            "of a shared digit",
            "{\"id\": 1, \"rows\": [{\"id\": 9, \"n\": \"x",
            "{\"id\": 10}",
            Err(Code::StitchUncertain),
        ),
        ("behind another", "{\"a\": 1}\n\n{\"b\": \"x", "{\"b\": \"xy\"}", Err(Code::StitchUncertain)),
        (
            "of what needed repairs",
            "{\"a\": [1, // one\n], \"b\": \"x",
            "{\"a\": [1], \"b\": \"xy\"}",
            Ok("{\"a\": [1], \"b\": \"xy\"}"),
        ),
        ("of the other kind", "{\"a\": \"Al", "[\"Alan\"]", Err(Code::StitchUncertain)),
        ("of an inner kind", "{\"a\": [\"Al", "[\"Alan\"]", Err(Code::StitchUncertain)),
        ("before anything", "Let me think. ", whole, Ok(whole)),
        ("in reasoning", "<think>They want", whole, Err(Code::StitchUncertain)),
        ("cut again", in_string, between, Err(Code::StitchUncertain)),
        ("two", in_string, &format!("{whole}\nor\n{{\"b\": 1}}"), Err(Code::StitchUncertain)),
        ("a piece of it", in_string, "meeting\", \"pages\": 12}", Err(Code::StitchUncertain)),
    ]);
}

#[test]
fn a_stitched_document_says_so() {
    let seams = |document: &Document| {
        let stitched = document.warnings().iter().filter(|it| it.kind == WarningKind::Stitched);
        stitched.map(|it| it.span).collect::<Vec<Span>>()
    };
    let (first, second) =
        ("{\"title\": \"Notes on the annual meeting\", \"pa", "\"Notes on the annual meeting\", \"pages\": ");
    let failure = cut(first).stitch(second, Ending::Length).expect_err("cut again");
    assert_eq!((failure.kind(), failure.path()), (FailureKind::Truncated, "/pages"));
    let document = failure.stitch("on the annual meeting\", \"pages\": 12}", Ending::Length).expect("a document");
    assert_eq!(document.raw(), "{\"title\": \"Notes on the annual meeting\", \"pages\": 12}");
    assert_eq!(seams(&document), [Span::new(10, 44), Span::new(17, 50)]);
    let names: Vec<_> = document.warnings().iter().map(|it| it.kind.as_str()).collect();
    assert_eq!(names, ["stitched", "stitched", "ended_by_length"]);

    let document = stitch("{\"title\": \"No", "Again: {\"title\": \"Notes\"}").expect("a restart");
    assert_eq!((document.raw(), seams(&document)), ("Again: {\"title\": \"Notes\"}", vec![Span::new(7, 25)]));
}

#[test]
fn what_does_not_go_on_comes_back_as_it_was() {
    let failure = cut("{\"a\": x}   \n  ");
    assert!(failure.resume_trimmed(Verbatim).is_err_and(|it| it.raw().len() == 14));
    let mut reply = Reply::new(Expect::any());
    let _ = reply.push("{\"a\": 1} and");
    let closed = reply.finish(Ending::Cancelled).expect_err("unsettled");
    assert!(closed.stitch("{\"b\": 2}", Ending::Stop).is_err_and(|it| it.code() == Code::StitchUncertain));
}

/// A seam ends no later than the text of the first completion that is left.
#[test]
fn a_seam_stays_in_the_text() {
    let first = "{\"title\": \"Notes on the annual meeting\", \"pages\":  ";
    let failure = cut(first).stitch(first.trim_end(), Ending::Length).expect_err("cut again");
    let mut reply = failure.resume_trimmed(Verbatim).expect("all is kept");
    let _ = reply.push("\"é\"}");
    let document = reply.finish(Ending::Stop).expect("a document");
    let seam = document.warnings().iter().find(|it| it.kind == WarningKind::Stitched).expect("a seam").span;
    assert!(document.raw().get(seam.range()).is_some(), "{seam:?}");
}

#[test]
fn an_uncertain_stitch_loses_nothing() {
    let failure = stitch(BEFORE, "I cannot go on.").expect_err("nothing to go on with");
    assert_eq!(
        (failure.kind(), failure.code(), failure.cause()),
        (FailureKind::Ambiguous, Code::StitchUncertain, None)
    );
    assert_eq!((failure.raw(), failure.offset(), failure.path()), (BEFORE, BEFORE.len(), "/people"));
    let document =
        failure.clone().stitch(&format!("{} \"Bob\"]}}", BEFORE.trim_end()), Ending::Stop).expect("the rest");
    assert!(document.text().ends_with("[\"Ada\", \"Bob\"]}"));
    let mut reply = failure.resume(Verbatim).expect("all is kept");
    let _ = reply.push("\"Bob\"]}\n```");
    assert!(reply.finish(Ending::Stop).is_ok());
}
