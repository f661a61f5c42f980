//! What was wrong and what cures it: a row for each failure, cause and thing that a caller may know.

use thusfar_contract::{Case, Continuation, Contract, Diagnosis, NoReply, Remedy, tail};
use thusfar_core::{Cause, Code, Ending, Event, Expect, Failure, Flow, Keep, Limits, Reply, Sink, Verbatim, read};

fn failed(text: &str, ending: Ending) -> Failure {
    let mut reply = Reply::new(Expect::object().limits(Limits { nesting: Some(4), ..Limits::default() }));
    let _ = reply.push(text);
    reply.finish(ending).expect_err("no document")
}

/// Refuses every number.
struct Refusing;

impl Sink for Refusing {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::ScalarOpen { at, .. } => Flow::veto("no_numbers", at),
            _ => Flow::Continue,
        }
    }
}

const CUT: &str = "{\"a\": [1, \"b";

#[test]
fn each_failure_has_its_diagnosis_and_its_remedy() {
    let loops = "{\"a\": \"".to_owned() + &"once more ".repeat(1000);
    let rows: [(&str, Ending, Diagnosis, Remedy); 19] = [
        (CUT, Ending::Length, Diagnosis::Truncation, Remedy::RaiseBudget),
        (CUT, Ending::Unknown, Diagnosis::Truncation, Remedy::RaiseBudget),
        (CUT, Ending::Stop, Diagnosis::Truncation, Remedy::ReAsk),
        (CUT, Ending::ToolUse, Diagnosis::Truncation, Remedy::ReAsk),
        (CUT, Ending::Filtered, Diagnosis::Truncation, Remedy::Escalate),
        (CUT, Ending::Cancelled, Diagnosis::Truncation, Remedy::GiveUp),
        (CUT, Ending::TimedOut, Diagnosis::TimedOut, Remedy::ReIssue),
        (CUT, Ending::Disconnected, Diagnosis::ProviderError, Remedy::GiveUp),
        (CUT, Ending::Failed, Diagnosis::ProviderError, Remedy::GiveUp),
        ("", Ending::TimedOut, Diagnosis::TimedOut, Remedy::ReIssue),
        ("", Ending::Failed, Diagnosis::ProviderError, Remedy::GiveUp),
        ("", Ending::Length, Diagnosis::Truncation, Remedy::RaiseBudget),
        ("", Ending::Stop, Diagnosis::NothingFound, Remedy::RestateSchema),
        ("Sorry.", Ending::Unknown, Diagnosis::NothingFound, Remedy::RestateSchema),
        // What the text shows stands above how it ended.
        ("{\"a\": tru}", Ending::TimedOut, Diagnosis::Malformation, Remedy::ReAsk),
        ("{\"a\": tru}", Ending::Failed, Diagnosis::Malformation, Remedy::ReAsk),
        ("{\"a\": 1} or {\"a\": 2}", Ending::Stop, Diagnosis::Ambiguous, Remedy::ReAsk),
        (&loops, Ending::Length, Diagnosis::Runaway, Remedy::ReIssue),
        ("{\"a\": [[[[[", Ending::Length, Diagnosis::Limit, Remedy::Escalate),
    ];
    for (text, ending, diagnosis, remedy) in rows {
        let failure = failed(text, ending);
        let case = Case::failed(&failure);
        let found = (Diagnosis::of_failure(&failure), case.diagnosis(), Remedy::of(&case, Continuation::None));
        assert_eq!(found, (diagnosis, Some(diagnosis), Some(remedy)), "{failure} after {ending:?}");
        let named = Diagnosis::of_outcome(failure.kind().as_str(), failure.cause().map(Cause::as_str));
        assert_eq!(named, Some(diagnosis), "{failure} after {ending:?}, by its names");
        assert_eq!((case.cause(), case.code(), case.raw()), (failure.cause(), Some(failure.code()), text));
    }
}

#[test]
fn each_kind_of_code_has_a_diagnosis() {
    let mut reply = Reply::with_sink(Expect::object(), Refusing);
    let _ = reply.push("{\"n\": 1}");
    let vetoed = reply.finish(Ending::Stop).expect_err("refused");
    assert_eq!(vetoed.code(), Code::Veto("no_numbers"));
    assert_eq!(Diagnosis::of_failure(&vetoed), Diagnosis::SchemaMismatch);

    let mut reply = Reply::new(Expect::object().keep(Keep::Nothing));
    let _ = reply.push("{}");
    let not_kept = reply.finish(Ending::Stop).expect_err("not kept");
    assert_eq!(Diagnosis::of_failure(&not_kept), Diagnosis::Limit);
}

#[test]
fn names_that_only_calls_and_schemas_have_are_diagnosed_too() {
    for outcome in ["schema_mismatch", "invalid", "vetoed"] {
        assert_eq!(Diagnosis::of_outcome(outcome, None), Some(Diagnosis::SchemaMismatch), "{outcome}");
    }
    for outcome in ["ok", "", "Truncated", "complete", "truncation"] {
        assert_eq!(Diagnosis::of_outcome(outcome, Some("timed_out")), None, "{outcome}");
    }
}

#[test]
fn a_valid_document_has_no_diagnosis_whatever_ended_it() {
    let contract = Contract::from_schema(r#"{"required": ["a"]}"#).expect("a schema");
    for (ending, name) in Ending::ALL {
        // The byte behind the document has settled it.
        let mut reply = Reply::new(Expect::object().take(thusfar_core::Take::First));
        let _ = reply.push("{\"a\": 1}\nDone.");
        let document = reply.finish(ending).expect(name);
        let check = contract.check(&document);
        for case in [Case::document(&document), Case::checked(&document, &check)] {
            assert_eq!((case.diagnosis(), Remedy::of(&case, Continuation::Prefill)), (None, None), "{name}");
            assert_eq!(case.refused("I will not.").diagnosis(), None, "{name}");
        }
    }
}

#[test]
fn what_reading_gave_is_a_case() {
    let contract = Contract::from_schema(r#"{"properties": {"n": {"maximum": 5}}}"#).expect("a schema");
    for (text, diagnosis) in [
        ("{\"n\": 5}", None),
        ("{\"n\": 6}", Some(Diagnosis::SchemaMismatch)),
        ("{\"n\": x}", Some(Diagnosis::Malformation)),
    ] {
        let read = read(text, Expect::object());
        let check = read.as_ref().ok().map(|document| contract.check(document));
        let case = Case::read(&read, check.as_ref());
        assert_eq!((case.diagnosis(), case.raw()), (diagnosis, text));
    }
}

#[test]
fn violations_and_engine_limits() {
    let document = read("{\"n\": 7}", Expect::object()).expect("a document");
    let contract = Contract::from_schema(r#"{"properties": {"n": {"maximum": 3}}}"#).expect("a schema");
    let check = contract.check(&document);
    let case = Case::checked(&document, &check);
    assert_eq!(Diagnosis::of_check(&check), Some(Diagnosis::SchemaMismatch));
    assert_eq!(Remedy::of(&case, Continuation::Prefill), Some(Remedy::ReAsk));
    // A refusal does not undo that a document was written.
    assert_eq!(case.refused("").diagnosis(), Some(Diagnosis::SchemaMismatch));

    // A pattern that goes back and forth: there is no verdict.
    let hostile = format!("{{\"s\": \"{}!\"}}", "a".repeat(60));
    let document = read(&hostile, Expect::object()).expect("a document");
    let schema = r#"{"properties": {"s": {"pattern": "^(a|aa|(?=b))+c$"}}}"#;
    let check = Contract::from_schema(schema).expect("a schema").check(&document);
    assert!(check.limit().is_some(), "{check:?}");
    assert_eq!(Diagnosis::of_check(&check), Some(Diagnosis::Limit));
    assert_eq!(Remedy::of(&Case::checked(&document, &check), Continuation::None), Some(Remedy::Escalate));
}

#[test]
fn a_refusal_that_was_said_stands_above_silence_and_a_cut() {
    for (text, ending, wanted) in [
        ("", Ending::Stop, Diagnosis::Refusal),
        ("", Ending::Unknown, Diagnosis::Refusal),
        ("I cannot.", Ending::Stop, Diagnosis::Refusal),
        ("", Ending::Length, Diagnosis::Refusal),
        ("", Ending::Filtered, Diagnosis::Refusal),
        (CUT, Ending::Filtered, Diagnosis::Refusal),
        (CUT, Ending::Length, Diagnosis::Refusal),
        (CUT, Ending::Cancelled, Diagnosis::Refusal),
        // Not above the way to the provider, nor above what the model wrote.
        ("", Ending::TimedOut, Diagnosis::TimedOut),
        (CUT, Ending::Failed, Diagnosis::ProviderError),
        ("{\"a\": tru}", Ending::Stop, Diagnosis::Malformation),
        ("{\"a\": 1} or {\"a\": 2}", Ending::Stop, Diagnosis::Ambiguous),
    ] {
        let failure = failed(text, ending);
        for said in ["", "I cannot help with that."] {
            let case = Case::failed(&failure).refused(said);
            assert_eq!(case.diagnosis(), Some(wanted), "{text:?} after {ending:?}");
            assert_eq!(case.refusal(), Some(said));
            if wanted == Diagnosis::Refusal {
                assert_eq!(Remedy::of(&case, Continuation::Prefill), Some(Remedy::Escalate));
            }
        }
    }
}

#[test]
fn what_a_filter_left_without_a_document_is_a_refusal() {
    for (text, ending, wanted) in [
        ("", Ending::Filtered, Diagnosis::Refusal),
        ("I was about to", Ending::Filtered, Diagnosis::Refusal),
        ("", Ending::Stop, Diagnosis::NothingFound),
        ("", Ending::Length, Diagnosis::Truncation),
        (CUT, Ending::Filtered, Diagnosis::Truncation),
        ("{\"a\": tru}", Ending::Filtered, Diagnosis::Malformation),
    ] {
        let failure = failed(text, ending);
        let case = Case::failed(&failure).ended(ending);
        assert_eq!(case.diagnosis(), Some(wanted), "{text:?} after {ending:?}");
        if ending == Ending::Filtered && wanted != Diagnosis::Malformation {
            assert_eq!(Remedy::of(&case, Continuation::Prefill), Some(Remedy::Escalate), "{text:?}");
        }
    }
}

#[test]
fn a_reply_that_is_cut_inside_a_character_does_not_go_on() {
    let mut reply = Reply::new(Expect::object());
    let _ = reply.push_bytes(b"{\"a\": \"caf\xc3");
    let failure = reply.finish(Ending::Length).expect_err("cut");
    assert!(failure.is_inside_character() && !failed(CUT, Ending::Length).is_inside_character());
    for continuation in [Continuation::Prefill, Continuation::Repeat] {
        assert_eq!(Remedy::of(&Case::failed(&failure), continuation), Some(Remedy::RaiseBudget));
    }
}

#[test]
fn calls_without_a_reply() {
    for (why, diagnosis, remedy) in [
        (NoReply::RateLimited, Diagnosis::ProviderError, Remedy::GiveUp),
        (NoReply::Connection, Diagnosis::ProviderError, Remedy::GiveUp),
        (NoReply::Provider, Diagnosis::ProviderError, Remedy::GiveUp),
        (NoReply::TimedOut, Diagnosis::TimedOut, Remedy::ReIssue),
    ] {
        let case = Case::no_reply(why);
        assert_eq!(case.diagnosis(), Some(diagnosis), "{}", why.as_str());
        assert_eq!(Remedy::of(&case, Continuation::Prefill), Some(remedy), "{}", why.as_str());
        assert_eq!((case.raw(), case.code(), case.cause()), ("", None, None));
    }
}

#[test]
fn only_a_cut_that_can_go_on_is_continued() {
    for (text, ending, wanted) in [
        (CUT, Ending::Length, Remedy::Continue),
        (CUT, Ending::Unknown, Remedy::Continue),
        ("Sure, here: ", Ending::Length, Remedy::RaiseBudget),
        ("", Ending::Length, Remedy::RaiseBudget),
        ("<think> so", Ending::Length, Remedy::RaiseBudget),
        (CUT, Ending::Stop, Remedy::ReAsk),
        (CUT, Ending::Filtered, Remedy::Escalate),
        (CUT, Ending::Cancelled, Remedy::GiveUp),
    ] {
        let failure = failed(text, ending);
        for continuation in [Continuation::Prefill, Continuation::Repeat] {
            let remedy = Remedy::of(&Case::failed(&failure), continuation);
            assert_eq!(remedy, Some(wanted), "{text:?} after {ending:?}");
        }
        if wanted == Remedy::Continue {
            assert!(failure.resume(Verbatim).is_ok(), "{text:?}");
        }
    }
    // Only the end was kept: nobody can go on from there.
    let mut reply = Reply::new(Expect::object().keep(Keep::Tail(4)));
    let _ = reply.push(CUT);
    let failure = reply.verdict(Ending::Length).expect_err("cut");
    assert_eq!(failure.cause(), Some(Cause::Budget));
    assert_eq!(Remedy::of(&Case::failed(&failure), Continuation::Prefill), Some(Remedy::RaiseBudget));
}

#[test]
fn a_tail_is_an_end_on_a_border() {
    for one in ["a", "é", "漢", "🦀"] {
        for (count, kept) in [(0, 6), (1, 7), (393, 399), (394, 400), (395, 400), (2000, 400)] {
            let text = format!("{{\"a\":\"{}", one.repeat(count));
            let failure = failed(&text, Ending::Length);
            let tail = tail(&failure);
            assert!(text.ends_with(tail), "{count} of {one}");
            assert_eq!(tail.chars().count(), kept, "{count} of {one}");
        }
    }
    assert_eq!(tail(&failed("", Ending::Length)), "");
}

#[test]
fn a_completion_that_begins_with_the_tail_is_stitched() {
    let whole = format!(
        "{{\"items\": [{}]}}",
        (0..200).map(|number| format!("\"number {number}\"")).collect::<Vec<_>>().join(", ")
    );
    for at in (40..whole.len()).step_by(97) {
        let failure = failed(&whole[..at], Ending::Length);
        let next = format!("{}{}", tail(&failure), &whole[at..]);
        let document = failure.stitch(&next, Ending::Stop).expect("one place");
        assert_eq!(document.text(), whole, "cut at {at}");
    }
}

#[test]
fn names_are_stable() {
    let names: Vec<_> = Diagnosis::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(
        names,
        [
            "truncation",
            "malformation",
            "schema_mismatch",
            "nothing_found",
            "ambiguous",
            "runaway",
            "limit",
            "refusal",
            "timed_out",
            "provider_error"
        ]
    );
    let names: Vec<_> = Remedy::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(names, ["raise_budget", "continue", "re_ask", "restate_schema", "re_issue", "escalate", "give_up"]);
    let names: Vec<_> = NoReply::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(names, ["rate_limited", "connection", "timed_out", "provider"]);
}

#[test]
fn debug_shows_no_text() {
    let failure = failed("{\"canary\": canary}", Ending::Stop);
    let shown = format!("{:?}", Case::failed(&failure).refused("canary"));
    assert!(!shown.contains("canary"), "{shown}");
}
