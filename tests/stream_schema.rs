//! Streams whose lanes are held against a schema while they come: the text by a contract, tool calls by the schema of their tool.

use thusfar::stream::{Advice, Listeners, Reason, Session, SessionOptions, Summary};
use thusfar::{Ending, Expect, Listener};
use thusfar_contract::{Contract, Monitor, Timing, Tools};
use thusfar_testkit::events::{self, DONE};
use thusfar_testkit::streams::check_stream;

/// The factory that a gateway has: one for all of its streams.
fn listeners(contract: Contract, tools: Tools) -> Listeners {
    Listeners::new(move |lane, expect| {
        let monitor = match lane.key().tool {
            None => Some(contract.monitor(expect)),
            Some(_) => tools.monitor(lane.name()?, expect),
        };
        monitor.map(|monitor| Box::new(monitor) as Box<dyn Listener>)
    })
}

fn options() -> SessionOptions {
    let contract = Contract::from_schema(r#"{"properties": {"verdict": {"enum": ["yes", "no"]}}}"#).expect("a schema");
    let tools = r#"[{"name": "search", "input_schema": {"properties": {"page": {"type": "integer", "maximum": 9}}}}]"#;
    let tools = Tools::from_json(tools).expect("tools");
    SessionOptions::default().judge_text(Expect::object()).listeners(listeners(contract, tools))
}

fn summary(body: &str, len: usize) -> Summary {
    let mut session = Session::new(&options());
    body.as_bytes().chunks(len).for_each(|chunk| _ = session.push(chunk, &mut |_| ()));
    session.finish(Ending::Unknown, &mut |_| ())
}

#[test]
fn a_text_that_its_schema_does_not_allow() {
    let pieces = ["{\"verdict\"", ": \"n", "ay\"}"].map(|piece| events::text(0, piece));
    let body = pieces.concat() + DONE;
    let report = check_stream(body.as_bytes(), &options(), Ending::Unknown);
    assert_eq!(report.advice, Some(("schema".to_owned(), pieces.concat().len() as u64)));
    for len in [1, 7, body.len()] {
        let summary = summary(&body, len);
        let lane = summary.lanes().next().expect("a lane");
        let violation = lane.listener::<Monitor>().and_then(Monitor::violation).expect("it was told");
        assert_eq!((violation.path(), violation.offset(), violation.when()), ("/verdict", 14, Timing::Early));
        let failure = lane.outcome().and_then(|outcome| outcome.failure()).expect("it was refused");
        assert_eq!((failure.outcome(), failure.offset()), ("schema_mismatch", 14));
        assert_eq!(failure.reply().map(|reply| reply.decided_at()), Some(14));
    }
}

#[test]
fn arguments_that_the_schema_of_their_tool_does_not_allow() {
    let body = events::call(0, 0, "call_1", "search")
        + &events::arguments(0, 0, "{\"page\": 1")
        + &events::arguments(0, 0, "0")
        + &events::arguments(0, 0, "}")
        + &events::finish(0, "tool_calls")
        + DONE;
    let report = check_stream(body.as_bytes(), &options(), Ending::Unknown);
    assert_eq!(report.outcomes, [Some(Err(("vetoed".to_owned(), "schema_mismatch".to_owned())))]);
    let summary = summary(&body, 50);
    let lane = summary.lanes().next().expect("a lane");
    let violation = lane.listener::<Monitor>().and_then(Monitor::violation).expect("it was told");
    assert_eq!(violation.message(), "`/page` must be at most 9; you returned 10");
    assert_eq!(violation.offset(), 11, "the byte behind the number");
}

/// Another tool, and what is valid, come to what they are.
#[test]
fn what_is_valid_is_not_touched() {
    let body = events::call(0, 0, "call_1", "search")
        + &events::arguments(0, 0, "{\"page\": 9}")
        + &events::call(0, 1, "call_2", "other")
        + &events::arguments(0, 1, "{\"page\": \"x\"}")
        + &events::text(0, "{\"verdict\": \"no\"}")
        + &events::finish(0, "tool_calls")
        + DONE;
    let summary = summary(&body, 33);
    assert!(summary.lanes().all(|lane| lane.outcome().is_some_and(|outcome| outcome.is_ok())));
    let heard: Vec<_> =
        summary.lanes().map(|lane| lane.listener::<Monitor>().map(|it| it.violation().is_some())).collect();
    assert_eq!(heard, [Some(false), None, Some(false)]);
}

#[test]
fn the_advice_comes_with_the_event_that_decides_it() {
    let mut session = Session::new(&options());
    let mut push = |event: String| session.push(event.as_bytes(), &mut |_| ());
    assert_eq!(push(events::text(0, "{\"verdict\": \"n")), Advice::GoOn);
    assert_eq!(push(events::text(0, "ever")), Advice::Cancel(Reason::Schema));
}
