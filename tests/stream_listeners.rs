//! Lanes that somebody listens to: who is asked, what is heard, and what a veto comes to, in every cutting.

mod counting;

use std::sync::{Arc, Mutex};

use serde_json::json;
use thusfar::stream::{
    Advice, LaneKind, LaneOptions, Listeners, Outcome, Provider, Reason, Session, SessionEvent, SessionOptions,
    StreamOutcome, Summary, Watch,
};
use thusfar::{Elements, Ending, Event, Expect, Flow, Keep, Listener, Progress, Reply, Sink, Span};
use thusfar_testkit::corpus;
use thusfar_testkit::events::{self, DONE};
use thusfar_testkit::streams::{check_stream, cut_stream_by};

use counting::taken;

/// Writes down all that it hears, and refuses text at an exclamation mark.
#[derive(Default)]
struct Scribe {
    heard: String,
    is_refusing: bool,
}

impl Scribe {
    /// Content comes in pieces that depend on the chunks: what they come to does not.
    fn push(&mut self, what: &str, text: &str) {
        if !(what == "content" && self.heard.rsplit('\n').next().is_some_and(|last| last.starts_with("content"))) {
            self.heard += "\n";
            self.heard += what;
            self.heard += " ";
        }
        self.heard += text;
    }
}

impl Sink for Scribe {
    const CONTENT: bool = true;

    fn event(&mut self, event: Event) -> Flow {
        self.push("event", &format!("{event:?}"));
        Flow::Continue
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        self.push("content", text);
        match text.find('!') {
            Some(at) if self.is_refusing => Flow::veto("schema_mismatch", span.start + at),
            _ => Flow::Continue,
        }
    }
}

fn scribes() -> Listeners {
    Listeners::new(|_, _| Some(Box::new(Scribe::default())))
}

fn refusing() -> Listeners {
    Listeners::new(|_, _| Some(Box::new(Scribe { is_refusing: true, ..Scribe::default() })))
}

/// The bodies of every provider, and what a real server said.
fn bodies() -> Vec<(String, Vec<u8>)> {
    let of = |folder: &'static str, end: &'static str| corpus::recordings(folder, end).into_iter();
    let streams = ["sse", "ndjson", "bin"].into_iter().flat_map(|end| of("streams", end));
    streams
        .chain(of("captures", "sse"))
        .filter(|(name, _)| cfg!(feature = "aws") || !name.contains("bedrock"))
        .collect()
}

fn options(keep: Keep, watch: Watch, listeners: Listeners) -> SessionOptions {
    let text = Some(Expect::any().keep(keep));
    let tool_args = Expect::object().keep(keep);
    let lanes = LaneOptions { text, tool_args, watch, listeners, ..LaneOptions::default() };
    SessionOptions { lanes: Arc::new(lanes), ..SessionOptions::default() }
}

fn read(body: &[u8], options: &SessionOptions, len: usize) -> Summary {
    let mut session = Session::new(options);
    body.chunks(len.max(1)).for_each(|chunk| _ = session.push(chunk, &mut |_| ()));
    session.finish(Ending::Unknown, &mut |_| ())
}

fn watched() -> Watch {
    Watch::Elements(Elements::new("/-").expect("a pointer"))
}

/// What somebody hears who is given the text of a lane alone.
fn alone(text: &str, expect: Expect, ending: Ending) -> String {
    let mut reply = Reply::with_sink(expect, Scribe::default());
    let _ = reply.push(text);
    reply.finish_into(ending).1.heard
}

#[test]
fn a_lane_is_heard_as_its_text_would_be() {
    let mut heard = 0;
    for (name, body) in bodies() {
        for watch in [Watch::No, watched()] {
            let plain = check_stream(&body, &options(Keep::All, watch.clone(), Listeners::none()), Ending::Unknown);
            let listened = check_stream(&body, &options(Keep::All, watch.clone(), scribes()), Ending::Unknown);
            assert_eq!(listened, plain, "{name}: who only listens changes nothing");
            for len in [11, body.len()] {
                let summary = read(&body, &options(Keep::All, watch.clone(), scribes()), len);
                for lane in summary.lanes() {
                    let scribe = lane.listener::<Scribe>();
                    let is_heard = lane.is_judged() && lane.text_len() > 0;
                    assert_eq!(scribe.is_some(), is_heard, "{name}: {:?}", lane.key());
                    let Some(Scribe { heard: all, .. }) = scribe else { continue };
                    let is_call = lane.key().kind == LaneKind::ToolArgs;
                    let expect = if is_call { Expect::object() } else { Expect::any() };
                    let is_faulty =
                        matches!(lane.outcome(), Some(Outcome::Failure(failure)) if failure.reply().is_none());
                    if !is_faulty {
                        let text = lane.text().expect("it is kept");
                        let wanted = [Ending::Stop, Ending::Length].map(|ending| alone(text, expect, ending));
                        assert!(wanted.contains(all), "{name}: {:?}\n{all}\nnot\n{}", lane.key(), wanted[0]);
                        heard += 1;
                    }
                }
            }
        }
    }
    assert!(heard > 200, "{heard} lanes");
}

/// The same verdicts where no text is kept, and the same is heard.
#[test]
fn a_lane_is_heard_where_nothing_is_kept() {
    for (name, body) in bodies() {
        let all = read(&body, &options(Keep::All, Watch::No, scribes()), 64);
        for keep in [Keep::Nothing, Keep::Tail(16)] {
            let less = read(&body, &options(keep, Watch::No, scribes()), 64);
            let heard = |summary: &Summary| -> Vec<_> {
                let of = |lane: thusfar::stream::Lane<'_>| lane.listener::<Scribe>().map(|scribe| scribe.heard.clone());
                summary.lanes().map(of).collect()
            };
            assert_eq!(heard(&less), heard(&all), "{name}");
            let is_ok = |summary: &Summary| -> Vec<_> {
                summary.lanes().map(|lane| lane.outcome().map(Outcome::is_ok)).collect()
            };
            assert_eq!(is_ok(&less), is_ok(&all), "{name}");
        }
    }
}

// Who is asked.

/// What was known of each lane when somebody was asked.
fn asked(body: &str, options: SessionOptions) -> Vec<String> {
    let known = Arc::new(Mutex::new(Vec::new()));
    let into = known.clone();
    let listeners = Listeners::new(move |lane, expect| {
        let root = *expect == Expect::object();
        let key = lane.key();
        let line = format!("{} {:?} {:?} {:?} {root}", key.kind.as_str(), key.tool, lane.name(), lane.text_len());
        into.lock().expect("nobody panics").push(line);
        None
    });
    let options = options.listeners(listeners);
    let summary = read(body.as_bytes(), &options, 20);
    assert!(summary.lanes().all(|lane| lane.listener::<Scribe>().is_none()));
    let known = known.lock().expect("nobody panics");
    known.clone()
}

fn judged() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object())
}

#[test]
fn each_judged_lane_is_asked_for_once_in_front_of_its_text() {
    let body = events::chat(0, &json!({"reasoning_content": "Well. {\"a\": 1}"}), None)
        + &events::text(0, "{\"a\": ")
        + &events::text(0, "1}")
        + &events::call(0, 0, "call_1", "search")
        + &events::arguments(0, 0, "{\"q\"")
        + &events::arguments(0, 0, ": 1}")
        + &events::call(0, 1, "call_2", "weather")
        + DONE;
    let call = "tool_args Some(0) Some(\"search\") 0 true";
    assert_eq!(asked(&body, judged()), ["text None None 0 true", call], "no arguments came of the second call");
    assert_eq!(asked(&body, SessionOptions::default()), [call], "text of which no JSON is expected");
}

#[test]
fn a_name_that_comes_behind_the_arguments() {
    let bare = |arguments: &str| {
        events::chat(0, &json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]}), None)
    };
    let body = bare("{\"q\": ") + &events::call(0, 0, "", "search") + &bare("1}");
    assert_eq!(asked(&body, judged()), ["tool_args Some(0) None 0 true"], "nobody asks again");
}

/// Arguments that stand in the block's beginning count only when nothing else came.
#[test]
fn arguments_that_stand_at_the_beginning_of_their_block() {
    let tool = |input| json!({"type": "tool_use", "id": "t", "name": "search", "input": input});
    let start = |input| json!({"type": "content_block_start", "index": 0, "content_block": tool(input)});
    let delta = |text: &str| json!({"type": "input_json_delta", "partial_json": text});
    let body =
        events::message(&start(json!({"q": 1}))) + &events::message(&json!({"type": "content_block_stop", "index": 0}));
    let options = judged().provider(Provider::Anthropic);
    assert_eq!(asked(&body, options.clone()), ["tool_args Some(0) Some(\"search\") 0 true"]);
    let body = events::message(&start(json!({})))
        + &events::message(&json!({"type": "content_block_delta", "index": 0, "delta": delta("{\"q\": 1}")}));
    assert_eq!(asked(&body, options), ["tool_args Some(0) Some(\"search\") 0 true"]);
}

// A veto.

fn failure(summary: &Summary) -> (String, u64, Option<usize>) {
    let lane = summary.lanes().next().expect("a lane");
    let failure = lane.outcome().and_then(Outcome::failure).expect("it was refused");
    (failure.outcome().to_owned(), failure.offset(), failure.reply().map(|reply| reply.decided_at()))
}

#[test]
fn a_veto_is_advice_to_hang_up() {
    let pieces = ["{\"a\": \"one", " two", " thr!ee", " four\"}"];
    let events: Vec<_> = pieces.iter().map(|piece| events::text(0, piece)).collect();
    let body = events.concat() + DONE;
    let told_at = events[..3].concat().len() as u64;
    for watch in [Watch::No, watched()] {
        for keep in [Keep::All, Keep::Nothing, Keep::Tail(4)] {
            let options = options(keep, watch.clone(), refusing());
            let report = check_stream(body.as_bytes(), &options, Ending::Unknown);
            assert_eq!(report.advice, Some(("schema".to_owned(), told_at)), "the byte of the body");
            let refused = ("vetoed".to_owned(), "schema_mismatch".to_owned());
            assert_eq!(report.outcomes, [Some(Err(refused))]);
            for len in [1, 9, body.len()] {
                let summary = read(body.as_bytes(), &options, len);
                assert_eq!(summary.advice(), Some((Reason::Schema, told_at)));
                assert_eq!(failure(&summary), ("schema_mismatch".to_owned(), 18, Some(18)));
                let lane = summary.lanes().next().expect("a lane");
                let heard = &lane.listener::<Scribe>().expect("it listened").heard;
                assert!(heard.contains("content one two thr!") && !heard.contains("four"), "{heard}");
                assert_eq!(lane.doomed_by(), Some("schema_mismatch"));
                assert_eq!(lane.text().is_some(), keep == Keep::All || watch != Watch::No);
                assert_eq!(summary.outcome(), StreamOutcome::TruncatedCut);
            }
        }
    }
}

/// Other codes are the caller's own business.
#[test]
fn a_veto_with_another_code() {
    struct NoNumbers;
    impl Sink for NoNumbers {
        fn event(&mut self, event: Event) -> Flow {
            match event {
                Event::ScalarOpen { at, .. } => Flow::veto("no_numbers", at),
                _ => Flow::Continue,
            }
        }
    }
    let listeners = Listeners::new(|_, _| Some(Box::new(NoNumbers)));
    let mut session = Session::new(&judged().listeners(listeners));
    let advice = session.push(events::text(0, "{\"a\": 1").as_bytes(), &mut |_| ());
    assert_eq!(advice, Advice::Cancel(Reason::Doomed));
    let lane = session.lanes().next().expect("a lane");
    assert_eq!((lane.progress(), lane.doomed_by()), (Some(Progress::Doomed), Some("no_numbers")));
    assert!(lane.listener::<NoNumbers>().is_some() && lane.listener::<Scribe>().is_none());
    let summary = session.finish(Ending::Cancelled, &mut |_| ());
    assert_eq!(failure(&summary), ("no_numbers".to_owned(), 6, Some(6)));
}

#[test]
fn one_of_two_calls_is_refused() {
    let body = [
        events::call(0, 0, "call_1", "search"),
        events::call(0, 1, "call_2", "weather"),
        events::arguments(0, 1, "{\"q\": "),
        events::arguments(0, 0, "{\"q\": \"no!"),
        events::arguments(0, 1, "\"yes!\"}"),
        events::arguments(0, 0, "\"}"),
        events::finish(0, "tool_calls"),
        DONE.to_owned(),
    ];
    let listeners = Listeners::new(|lane, _| {
        let scribe = Scribe { is_refusing: lane.name() == Some("search"), ..Scribe::default() };
        Some(Box::new(scribe) as Box<dyn Listener>)
    });
    let options = SessionOptions::default().listeners(listeners);
    let mut session = Session::new(&options);
    let advice: Vec<_> = body.iter().map(|event| session.push(event.as_bytes(), &mut |_| ())).collect();
    assert!(matches!(advice[3], Advice::StopLane(key, Reason::Schema) if key.tool == Some(0)), "{:?}", advice[3]);
    let summary = session.finish(Ending::Unknown, &mut |_| ());
    let outcomes: Vec<_> =
        summary.lanes().map(|lane| lane.outcome().and_then(Outcome::text).map(str::to_owned)).collect();
    assert_eq!(outcomes, [None, Some("{\"q\": \"yes!\"}".to_owned())]);
    let report = check_stream(body.concat().as_bytes(), &options, Ending::Unknown);
    assert_eq!(report.outcomes.len(), 2);
}

/// What is refused is no element.
#[test]
fn elements_in_front_of_a_veto() {
    let watch = Watch::Elements(Elements::new("/items/-").expect("a pointer"));
    let options = options(Keep::All, watch, refusing());
    let body = events::text(0, "{\"items\": [\"a\", \"b!\", \"c\"]}") + DONE;
    let report = cut_stream_by(body.as_bytes(), &options, Ending::Unknown, &[5, 1, 30]);
    let elements = report.told.iter().filter(|told| told.starts_with("element"));
    assert_eq!(elements.map(|told| told.rsplit(' ').next()).collect::<Vec<_>>(), [Some("\"a\"")]);
}

/// A fault of the lane comes first, or is kept out by the veto; the listener is there in both.
#[test]
fn a_veto_beside_a_fault() {
    let lost = "data: {\"choices\":[{\"ind\n\n";
    for (body, wanted) in [
        (events::text(0, "{\"a\": \"b") + lost + &events::text(0, "c!\"}"), "lost_event"),
        (events::text(0, "{\"a\": \"b!") + lost + &events::text(0, "c\"}"), "schema_mismatch"),
    ] {
        let options = options(Keep::All, Watch::No, refusing());
        let report = check_stream(body.as_bytes(), &options, Ending::Unknown);
        let Some(Err((_, code))) = &report.outcomes[0] else { panic!("{:?}", report.outcomes) };
        assert_eq!(code, wanted);
        let summary = read(body.as_bytes(), &options, body.len());
        assert!(summary.lanes().next().expect("a lane").listener::<Scribe>().is_some(), "{wanted}");
    }
}

// What it costs.

fn delta(index: usize) -> String {
    let begin = if index == 0 { "{\"a\": [\"b" } else { "" };
    events::text(0, &format!("{begin}{}, d\u{f6}lor", index.wrapping_mul(7_919) % 10_007))
}

/// Bytes asked for and allocations for the second half of some events.
fn from_the_middle(options: &SessionOptions) -> (usize, usize) {
    let events: Vec<_> = (0..1_000).map(delta).collect();
    let mut session = Session::new(options);
    let (front, back) = events.split_at(500);
    front.iter().for_each(|event| _ = session.push(event.as_bytes(), &mut |_| ()));
    let cost = taken(|| back.iter().for_each(|event| _ = session.push(event.as_bytes(), &mut |_| ())));
    assert_eq!(session.lanes().next().and_then(|lane| lane.progress()), Some(Progress::Open));
    cost
}

#[test]
fn a_delta_allocates_nothing() {
    /// Only counts.
    struct Counter(usize);
    impl Sink for Counter {
        fn event(&mut self, _: Event) -> Flow {
            self.0 += 1;
            Flow::Continue
        }
    }
    let nobody = Listeners::new(|_, _| None);
    let somebody = Listeners::new(|_, _| Some(Box::new(Counter(0))));
    for keep in [Keep::Nothing, Keep::Tail(2_048)] {
        for listeners in [&nobody, &somebody] {
            assert_eq!(from_the_middle(&options(keep, Watch::No, listeners.clone())), (0, 0), "{keep:?}");
        }
    }
}

#[test]
fn what_is_shown_of_listeners() {
    let (one, other) = (scribes(), scribes());
    assert!(one == one.clone() && one != other && one != Listeners::none());
    assert_eq!(format!("{one:?} {:?}", Listeners::none()), "Listeners(asked) Listeners(none)");
    let options = judged().listeners(one);
    assert!(format!("{options:?}").contains("listeners: Listeners(asked)"));
    let mut session = Session::new(&options);
    let mut shown = String::new();
    let _ = session.push(events::text(0, "{\"canary\": \"canary").as_bytes(), &mut |event| {
        if let SessionEvent::Progress(..) | SessionEvent::Opened(_) = event {
            shown += &format!("{event:?}");
        }
    });
    assert!(!shown.is_empty() && !(shown + &format!("{session:?}")).contains("canary"));
}
