//! What broke once, each as the smallest reply that showed it.

use thusfar::{Ending, Event, Expect, Flow, Limits, Piece, Progress, Reply, Sink, Span};
use thusfar_testkit::check::{Report, check_bytes};

/// Name, reply, what is expected, the outcome (a document's text, or code and offset), and what broke.
type Row = (&'static str, Vec<u8>, Expect, Result<&'static str, (&'static str, usize)>, &'static str);

fn rows() -> Vec<Row> {
    let object = Expect::object();
    let spaces = " ".repeat(5000);
    let limited = |limits: Limits| object.limits(limits);
    vec![
        (
            "em_dashes",
            "—".repeat(3000).into(),
            object,
            Err(("no_document", 9000)),
            "the repetition guard judged inside a character, and the scan went on from there",
        ),
        (
            "far_past_the_length",
            b"words and words and words".into(),
            limited(Limits { reply_len: Some(10), ..Limits::default() }),
            Err(("reply_too_long", 10)),
            "each push behind the limit kept one byte more",
        ),
        (
            "bytes_behind_a_decision",
            b"]\x80{".into(),
            Expect::value(),
            Err(("text_around", 0)),
            "bytes behind invalid ones were kept where the reply was doomed before",
        ),
        (
            "debris_abandoned",
            b"{\"a\": 1}[\"a\"*/".into(),
            object,
            Err(("closed_too_early", 8)),
            "a candidate that dooms as debris was not abandoned first",
        ),
        (
            "debris_abandoned_in_an_array",
            b"[1]{\"a\"\"".into(),
            Expect::array(),
            Err(("closed_too_early", 3)),
            "the same where an array is expected",
        ),
        (
            "white_space_stops_where_it_is_judged",
            ["x", &" ".repeat(300)].concat().into(),
            limited(Limits { white_space: Some(100), ..Limits::default() }),
            Err(("white_space_run", 1)),
            "the rest of the run was taken too, if it came in the same chunk",
        ),
        (
            "a_scalar_is_no_text_before",
            ["\"", &"word ".repeat(80), "\""].concat().into(),
            Expect::value().limits(Limits { text_before: Some(100), repetition: None, ..Limits::default() }),
            Ok(WORDS),
            "an open scalar root counted as text in front of a document",
        ),
        (
            "a_comma_before_a_run_of_white_space",
            ["{\"a\": 1},", &spaces, "\"b\": 2}"].concat().into(),
            object,
            Err(("closed_too_early", 8)),
            "the guard made the piece in front of the comma final",
        ),
        (
            "inside_a_brace_before_a_run_of_white_space",
            ["x { see {\"a\": 1}", &spaces].concat().into(),
            object,
            Err(("inside_broken", 2)),
            "the guard made a piece of something broken final",
        ),
        (
            "a_whole_fence_before_a_run_of_white_space",
            ["```\n{\"a\": 1}", &spaces].concat().into(),
            object,
            Ok("{\"a\": 1}"),
            "a document that waits for its fence to end did not count for the guard",
        ),
        (
            "different_ones_before_a_run_of_white_space",
            ["see {\"a\": 1} and {\"a\": 2}", &spaces].concat().into(),
            object,
            Err(("different_documents", 17)),
            "the guard called it final, and the end called it ambiguous",
        ),
        (
            "one_letter_over_and_over",
            ["{\"a\": \"", &"a".repeat(5000)].concat().into(),
            object,
            Err(("open_string", 5007)),
            "one character is no word loop",
        ),
        (
            "a_path_to_a_number",
            b"{\"a\": [1, 12".into(),
            object,
            Err(("open_number", 12)),
            "the path ended at the array",
        ),
        (
            "quotes_in_opaque_text",
            b"```\n[\"\\x41```json\\n{\\\"a\\\": 1}\\n```\"]\n".into(),
            Expect::array(),
            Err(("wrong_root", 19)),
            "the quotes of a candidate that broke in opaque text counted behind its fence",
        ),
    ]
}

const WORDS: &str = concat!(
    "\"word word word word word word word word word word word word word word word word word word word word ",
    "word word word word word word word word word word word word word word word word word word word word ",
    "word word word word word word word word word word word word word word word word word word word word ",
    "word word word word word word word word word word word word word word word word word word word word \"",
);

#[test]
fn what_broke_once() {
    for (name, reply, expect, want, why) in rows() {
        let report = check_bytes(&reply, expect, Ending::Unknown);
        let got = match &report {
            Report::Document { text, .. } => Ok(&**text),
            Report::Failure { code, offset, .. } => Err((code.as_str(), *offset)),
        };
        assert_eq!(got, want, "{name}: {why}");
        if let ("a_path_to_a_number", Report::Failure { path, .. }) = (name, &report) {
            assert_eq!(path, "/a/1");
        }
    }
}

/// A comma in front of what broke a candidate stayed held for good: a piece in the middle of words.
#[test]
fn a_held_comma_is_text_where_its_candidate_was() {
    for text in ["See [1, b].", "{1, [2, {3,b"] {
        let mut reply = Reply::new(Expect::any());
        let _ = reply.push(text);
        assert_eq!(reply.pieces(), [(Piece::Prose, Span::new(0, text.len()))], "{text}");
    }
}

/// Refuses whatever is suspect.
struct Wary;

impl Sink for Wary {
    fn event(&mut self, event: Event) -> Flow {
        if event == Event::Suspect { Flow::veto("suspect", 0) } else { Flow::Continue }
    }
}

/// A veto at an event that only asks for warnings went round in circles.
#[test]
fn a_veto_ends_the_reply() {
    for reply in ["{\"a\": 1e3}", "{\"a\": \"C:\\temp\"}", "{\n// \"b\": 2\n\"a\": 1}", "[\"x\", 1e3]"] {
        let mut wary = Reply::with_sink(Expect::any(), Wary);
        let progress = wary.push(reply);
        assert!(matches!(progress, Progress::Doomed | Progress::Searching), "{reply}: {progress:?}");
        assert!(wary.finish(Ending::Stop).is_err(), "{reply}");
    }
}

/// Refuses every event from one on, or that one alone.
struct Stubborn {
    from: usize,
    once: bool,
    seen: usize,
}

impl Sink for Stubborn {
    fn event(&mut self, _: Event) -> Flow {
        self.seen += 1;
        let refuses = if self.once { self.seen == self.from } else { self.seen >= self.from };
        if refuses { Flow::veto("stubborn", 0) } else { Flow::Continue }
    }
}

/// A veto at the opener of a root was answered by beginning at that opener again, without end.
#[test]
fn a_veto_at_any_event_goes_on() {
    let replies = [
        "{\"a\": 1}",
        "see {\"a\": 1} and [2]",
        "[1, {\"a\": [true, \"x\",]}]",
        "```json\n{\"a\": {}}\n```",
        "```\n[{\"a\": 'b'}]\n```\n{\"c\": 1}",
        "`{` f({\"a\": 1}) {{{ [[",
    ];
    for reply in replies {
        for (from, once) in (1..=40).flat_map(|from| [(from, true), (from, false)]) {
            let read = |size: usize| {
                let mut reader = Reply::with_sink(Expect::any(), Stubborn { from, once, seen: 0 });
                for chunk in reply.as_bytes().chunks(size) {
                    let _ = reader.push(std::str::from_utf8(chunk).expect("ASCII"));
                }
                let answer = reader.finish(Ending::Stop);
                answer.map(|document| document.text().to_owned()).map_err(|failure| failure.offset())
            };
            let whole = read(reply.len());
            for size in 1..reply.len() {
                assert_eq!(
                    read(size),
                    whole,
                    "{reply}: refused from event {from}, once: {once}, {size} bytes at a time"
                );
            }
            if from == 1 && !once {
                assert!(whole.is_err(), "{reply}: all refused, and yet {whole:?}");
            }
        }
    }
}
