//! Which document is taken, what each repair is when it is off, what is told on the way, and what a sink may refuse.

use thusfar::{Code, Ending, Event, Expect, FailureKind, Flow, Progress, RepairKind, Reply, Root, Sink, Take};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::table::{Want, table};

const STOP: Ending = Ending::Stop;

#[test]
fn first() {
    let fence = "```json\n{\"b\": 2}\n```\n";
    table(
        Expect::object().take(Take::First),
        STOP,
        &[
            ("two", "{\"a\": 1} then {\"b\": 2}", Ok("{\"a\": 1}"), "the first in time"),
            ("bare before fenced", &*format!("Say {{\"a\": 1}} or\n{fence}"), Ok("{\"a\": 1}"), "in time, not in rank"),
            ("spoilt behind", "{\"a\": 1} x }", Ok("{\"a\": 1}"), "it was final before"),
            ("spoilt at once", "{\"a\": 1} }", Err(("closed_too_early", 9)), "the byte behind it has to settle"),
            (
                "other kind first",
                "[\"x\"] {\"a\": 1} .",
                Ok("{\"a\": 1}"),
                "a whole document of the other kind is none",
            ),
            (
                "broken first",
                "{\"a\": x} {\"b\": 2} .",
                Err(("invalid_literal", 6)),
                "a broken promise ends the search",
            ),
            ("inside a mark", "{x {\"a\": 1} .", Err(("inside_broken", 0)), "a piece of something else"),
            ("no label", "```\n{\"a\": 1}\n```\n{\"b\": 2}", Ok("{\"a\": 1}"), "counts where its fence ends"),
        ],
    );
}

#[test]
fn last() {
    table(
        Expect::object().take(Take::Last),
        STOP,
        &[
            ("two", "{\"a\": 1} then {\"b\": 2}", Ok("{\"b\": 2}"), "the last in time"),
            ("fenced before bare", "```json\n{\"a\": 1}\n```\n{\"b\": 2}", Ok("{\"b\": 2}"), "in time, not in rank"),
            ("open behind", "{\"a\": 1} then {\"b\": ", Err(("open_frame", 20)), "the last one is not closed yet"),
            (
                "broken behind",
                "{\"a\": 1} then {\"b\": x}",
                Err(("invalid_literal", 20)),
                "a broken promise ends the search",
            ),
            ("one", "{\"a\": 1}", Ok("{\"a\": 1}"), "the only one is the last"),
        ],
    );
}

#[test]
fn only() {
    table(
        Expect::object(),
        STOP,
        &[
            ("equal", "{\"a\": 1} or {\"a\":1.0}", Ok("{\"a\": 1}"), "equal by value; the first of them"),
            ("order", "{\"a\": 1, \"b\": 2} or {\"b\":2,\"a\":1}", Ok("{\"a\": 1, \"b\": 2}"), "objects have no order"),
            ("different", "{\"a\": 1} or {\"a\": 2}", Err(("different_documents", 12)), "at the one that differs"),
            ("example", "like {\"a\": 1} so\n```json\n{\"a\": 2}\n```", Ok("{\"a\": 2}"), "in a sentence in front"),
            ("draft", "{\"a\": 1}\n```json\n{\"a\": 2}\n```", Err(("different_documents", 0)), "alone on its lines"),
            (
                "behind",
                "```json\n{\"a\": 1}\n```\nso {\"a\": 2}.",
                Err(("different_documents", 24)),
                "the fence may be the example",
            ),
            (
                "two fences",
                "```json\n{\"a\": 1}\n```\n```json\n{\"a\": 2}\n```",
                Err(("different_documents", 29)),
                "two answers",
            ),
        ],
    );
}

#[test]
fn alone() {
    table(
        Expect::object().take(Take::Alone),
        STOP,
        &[
            ("bare", " \n{\"a\": 1}\n ", Ok("{\"a\": 1}"), "white space may stand around"),
            ("fence", "```json\n{\"a\": 1}\n```\n", Ok("{\"a\": 1}"), "one JSON fence may"),
            ("open fence", "```json\n{\"a\": 1}\n", Ok("{\"a\": 1}"), "it may stay open"),
            ("empty", "{}", Ok("{}"), "its first opener is a promise"),
            ("words", "Here: {\"a\": 1}", Err(("text_around", 0)), "words in front"),
            ("words behind", "{\"a\": 1} ok", Err(("text_around", 9)), "words behind"),
            ("comma behind", "{\"a\": 1},", Err(("text_around", 8)), "anything behind"),
            ("another", "{\"a\": 1}\n{\"a\": 1}", Err(("text_around", 9)), "even an equal one"),
            ("in the fence", "```json\n{\"a\": 1} x\n```", Err(("text_around", 17)), "nothing else in the fence"),
            ("behind the fence", "```json\n{\"a\": 1}\n```\nok", Err(("text_around", 21)), "nothing behind the fence"),
            ("no label", "```\n{\"a\": 1}\n```", Err(("text_around", 0)), "only a JSON fence may"),
            ("reasoning", "<think>x</think>{\"a\": 1}", Err(("text_around", 0)), "no tags"),
            ("other kind", "[1]", Err(("wrong_root", 0)), "the only document is an array"),
            ("broken", "{x}", Err(("expected_key", 1)), "a promise at once"),
            ("nothing", " \n", Err(("no_document", 2)), "white space is nothing"),
        ],
    );
}

#[test]
fn value() {
    table(
        Expect::value(),
        STOP,
        &[
            ("number", " 42\n", Ok("42"), "any kind of value"),
            ("string", "\"a\\nb\"", Ok("\"a\\nb\""), "any kind of value"),
            ("literal", "null", Ok("null"), "any kind of value"),
            ("array", "[1, {}]", Ok("[1, {}]"), "any kind of value"),
            ("fence", "```json\ntrue\n```", Ok("true"), "one fence aside"),
            ("no label", "```\ntrue\n```", Ok("true"), "one fence aside"),
            ("reasoning", "<think>1</think>\n2", Ok("2"), "reasoning aside"),
            ("repaired", "[1,]", Ok("[1]"), "repairs as anywhere"),
            ("two", "1 2", Err(("text_around", 2)), "one value"),
            ("mark", "?", Err(("text_around", 0)), "no value begins like this"),
            ("bad literal", "trues", Err(("invalid_literal", 0)), "it begins like one"),
            ("bad number", "01", Err(("invalid_number", 0)), "it begins like one"),
            ("label", "```js\n1\n```", Err(("text_around", 0)), "not a fence of another label"),
            ("behind the fence", "```\n1\n```\n.", Err(("text_around", 10)), "nothing behind the fence"),
            ("nothing", "", Err(("no_document", 0)), "nothing at all"),
        ],
    );
    for take in [Take::First, Take::Last, Take::Alone] {
        let rows = [("take", "<think>1</think>\n2", Ok("2"), "it does not matter which is taken")];
        table(Expect::value().take(take), STOP, &rows);
    }
}

/// Roots that are asked for.
#[test]
fn roots() {
    let both = "First [\"x\"] and {\"a\": 1} there";
    table(Expect::object(), STOP, &[("object", both, Ok("{\"a\": 1}"), "the array is passed over")]);
    table(Expect::array(), STOP, &[("array", both, Ok("[\"x\"]"), "the object is passed over")]);
    table(Expect::any(), STOP, &[("any", both, Err(("different_documents", 16)), "both count")]);
    table(Expect::array(), STOP, &[("wrong", "so {\"a\": 1}", Err(("wrong_root", 3)), "nothing else is there")]);
}

/// Kind, reply, the document when it is on, the failure when it is off.
type Switch = (RepairKind, &'static str, &'static str, (&'static str, usize));

#[test]
fn a_repair_that_is_off_is_the_strict_failure() {
    let switches: [Switch; 14] = [
        (RepairKind::EscapedDelimiter, r#"{\"a\": 1}"#, r#"{"a": 1}"#, ("expected_key", 1)),
        (RepairKind::EscapedDelimiter, r#"{"a": \"x\"}"#, r#"{"a": "x"}"#, ("expected_value", 6)),
        (RepairKind::EscapedDelimiter, r#"["x", \"y\"]"#, r#"["x", "y"]"#, ("expected_value", 6)),
        (RepairKind::EscapedWhitespace, r#"{"a":\n 1}"#, "{\"a\":\n 1}", ("expected_value", 5)),
        (RepairKind::EscapedWhitespace, r#"{"a": 1\t}"#, "{\"a\": 1\t}", ("expected_comma_or_closer", 7)),
        (RepairKind::Comment, "{\"a\": 1 // c\n}", "{\"a\": 1 \n}", ("expected_comma_or_closer", 8)),
        (RepairKind::Comment, r#"{"a": /* c */ 1}"#, r#"{"a":  1}"#, ("expected_value", 6)),
        (RepairKind::Comment, r#"{/**/"a": 1}"#, r#"{"a": 1}"#, ("expected_key", 1)),
        (RepairKind::TrailingComma, r#"{"a": 1, }"#, r#"{"a": 1 }"#, ("expected_key", 9)),
        (RepairKind::TrailingComma, r#"["a",]"#, r#"["a"]"#, ("expected_value", 5)),
        (RepairKind::BracketKind, r#"{"a": [1}}"#, r#"{"a": [1]}"#, ("expected_comma_or_closer", 8)),
        (RepairKind::BracketKind, r#"{"a": 1]"#, r#"{"a": 1}"#, ("expected_comma_or_closer", 7)),
        (RepairKind::RawControl, "{\"a\": \"x\u{1}\ny\"}", r#"{"a": "x\u0001\ny"}"#, ("control_character", 8)),
        (RepairKind::RawControl, "{\"a\tb\": 1}", r#"{"a\tb": 1}"#, ("control_character", 3)),
    ];
    for (kind, reply, repaired, strict) in switches {
        let on = check(reply, Expect::any(), STOP);
        assert_eq!(on.text(), Some(repaired), "{reply:?}");
        assert!(on.repairs().iter().all(|repair| repair.0 == kind), "{reply:?}");
        let others = RepairKind::ALL.into_iter().filter(|other| *other != kind);
        let expect = others.fold(Expect::any(), Expect::without);
        assert_eq!(check(reply, expect, STOP).text(), Some(repaired), "the others are off: {reply:?}");
        let off = check(reply, Expect::any().without(kind), STOP);
        assert_eq!((off.code().map(Code::as_str), off.offset()), (Some(strict.0), Some(strict.1)), "{reply:?}");
    }
}

#[test]
fn starts_in_reasoning() {
    table(
        Expect::object().starts_in_reasoning(),
        STOP,
        &[
            ("closed", "{\"a\": 1}</think>{\"b\": 2}", Ok("{\"b\": 2}"), "the prompt opened the tag"),
            ("another name", "hm</reasoning>\n{\"b\": 2}", Ok("{\"b\": 2}"), "any close tag closes a level"),
            (
                "nested",
                "a\n<think>\n</think>{\"a\": 1}</think>{\"b\": 2}",
                Ok("{\"b\": 2}"),
                "a tag at a line's start nests",
            ),
            ("open", "{\"a\": 1}", Err(("open_reasoning", 8)), "all of it is reasoning"),
        ],
    );
    let rows = [("value", "7</think>8", Ok("8"), "reasoning aside")];
    table(Expect::value().starts_in_reasoning(), STOP, &rows);
    // Without it, what stands before a close tag that was never opened is reasoning, if no document has closed.
    table(
        Expect::object(),
        STOP,
        &[
            ("unopened", "hm {x </think>{\"b\": 2}", Ok("{\"b\": 2}"), "all before was reasoning"),
            ("behind", "{\"a\": 1}</think>{\"b\": 2}", Err(("close_tag_behind", 8)), "which of the two?"),
        ],
    );
}

// What is told on the way.

/// Where progress changes, and to what.
type Changes<'a> = &'a [(usize, Progress)];

/// The byte at which progress changes, and to what, read byte by byte.
fn progress(text: &str, expect: Expect) -> Vec<(usize, Progress)> {
    check(text, expect, STOP);
    let mut reply = Reply::new(expect);
    let mut changes = Vec::new();
    let mut last = reply.progress();
    assert_eq!(last, Progress::Searching);
    for at in 0..text.len() {
        let now = reply.push_bytes(&text.as_bytes()[at..=at]);
        assert_eq!(now, reply.progress());
        if now != last {
            changes.push((at, now));
            last = now;
        }
    }
    changes
}

#[test]
fn progress_is_told_at_the_byte_that_makes_it_certain() {
    use Progress::{Closed, Doomed, Final, Open, Searching};
    let (object, first) = (Expect::object(), Expect::object().take(Take::First));
    let rows: [(&str, Expect, Changes<'_>); 13] = [
        ("Hi {\"a\": 1} ok", object, &[(7, Open), (10, Closed)]),
        ("Hi {\"a\": 1} ok", first, &[(7, Open), (10, Closed), (12, Final)]),
        ("Hi {x} {\"a\": 1}", object, &[(11, Open), (14, Closed)]),
        ("{\"a\": x}", object, &[(4, Open), (6, Doomed)]),
        ("{\"a\": 1}}", object, &[(4, Open), (7, Closed), (8, Doomed)]),
        ("{\"a\": 1} {\"a\": 1} ", object, &[(4, Open), (7, Closed), (13, Open), (16, Closed)]),
        ("{\"a\": 1}\n{\"b\": 2}\n", object, &[(4, Open), (7, Closed), (13, Open), (16, Closed), (17, Doomed)]),
        ("```json\n{\"a\"", object, &[(8, Open)]),
        ("```\n{\"a\": 1}\n```\n", first, &[(8, Open), (11, Closed), (16, Final)]),
        ("<think>{\"a\": 1}</think>{", object, &[]),
        ("[\"x\"] {\"a\": 1}", object, &[(10, Open), (13, Closed)]),
        ("{}", object, &[(1, Closed)]),
        ("x \u{0}", Expect::value(), &[(0, Doomed)]),
    ];
    for (text, expect, want) in rows {
        assert_eq!(progress(text, expect), want, "{text:?}");
    }
    assert_eq!(Reply::new(object).push(""), Searching, "an empty chunk is nothing");
}

// What a sink may refuse.

/// Refuses every literal of four letters: as if the document were broken there, or the whole reply.
struct NoNull(fn(Code, usize) -> Flow);

impl Sink for NoNull {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Literal { span } if span.len() == 4 => (self.0)(Code::Veto("no_null"), span.start),
            _ => Flow::Continue,
        }
    }
}

/// Reads under every split in two; what comes of it, and the byte at which it was certain.
fn vetoed(text: &str, expect: Expect, flow: fn(Code, usize) -> Flow) -> (Report, Option<FailureKind>) {
    let mut reports = (0..=text.len()).map(|at| {
        let mut reply = Reply::with_sink(expect, NoNull(flow));
        let _ = reply.push_bytes(&text.as_bytes()[..at]);
        let _ = reply.push_bytes(&text.as_bytes()[at..]);
        let answer = reply.finish(STOP);
        let kind = answer.as_ref().err().map(thusfar::Failure::kind);
        (Report::of(&answer), kind)
    });
    let first = reports.next().expect("a split");
    assert!(reports.all(|report| report == first), "{text:?}");
    first
}

#[test]
fn a_veto() {
    let rows: [(&str, Want<'_>, &str); 5] = [
        ("so {\"a\": null, \"b\": 1}", Err(("no_null", 9)), "refused at the literal"),
        ("so {\"a\": 1, \"b\": 1}", Ok("{\"a\": 1, \"b\": 1}"), "nothing to refuse"),
        ("so [null] and {\"a\": 1}", Ok("{\"a\": 1}"), "what is no promise is passed over"),
        ("[null] and {\"a\": 1}", Ok("{\"a\": 1}"), "that it came first does not matter"),
        ("{\"a\": nul", Err(("open_literal", 9)), "not read yet"),
    ];
    for (text, want, why) in rows {
        let (report, kind) = vetoed(text, Expect::object(), Flow::Break);
        assert_eq!(thusfar_testkit::table::got(&report), want, "{why}: {text:?}");
        assert_eq!(kind == Some(FailureKind::Vetoed), want == Err(("no_null", 9)));
    }
    assert!(matches!(Flow::veto("no_null", 3), Flow::Break(Code::Veto("no_null"), 3)));
}

#[test]
fn a_veto_of_the_whole_reply() {
    let (report, kind) = vetoed("so [null] and {\"a\": 1}", Expect::object(), Flow::Doom);
    assert_eq!((report.code(), report.offset()), (Some(Code::Veto("no_null")), Some(4)), "whatever the candidate is");
    assert_eq!(kind, Some(FailureKind::Vetoed));
    assert_eq!(report.outcome(), "vetoed");
}

#[test]
fn a_veto_names_path_and_byte() {
    let (report, _) = vetoed("so {\"a\": {\"b\": null}, \"c\": 1}", Expect::root(Root::Object), Flow::Break);
    let Report::Failure { offset, decided_at, path, frames, .. } = &report else { panic!("{report:?}") };
    assert_eq!((*offset, *decided_at, &**path, &**frames), (15, 19, "/a/b", &[3, 9][..]));
}
