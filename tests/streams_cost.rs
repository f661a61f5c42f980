//! What a stream costs: allocations of a delta, the bytes that an idle session holds, and what hostile events can make of it.

mod counting;

use std::fmt::Write;
use std::sync::Arc;

use thusfar::stream::{
    Advice, Asked, LaneOptions, Reason, Session, SessionEvent, SessionOptions, StreamOutcome, Summary,
};
use thusfar::{Ending, Expect, Keep, Progress};

use counting::{held, taken};

/// How many sessions a gateway may hold in how many bytes.
const SESSIONS: usize = 10_000;
const SESSIONS_MOST: usize = 42_000_000;

/// How a provider frames the number of an event and its text.
type Frame = fn(usize, &str) -> String;

const PROVIDERS: [(&str, Frame); 3] = [("openai", openai), ("anthropic", anthropic), ("responses", responses)];

fn openai(index: usize, text: &str) -> String {
    let padding = &"0123456789abcdef"[..index % 16];
    format!(
        "data: {{\"id\":\"chatcmpl-0001\",\"object\":\"chat.completion.chunk\",\"created\":1750000000,\"model\":\"sample\",\
         \"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}},\"logprobs\":null,\"finish_reason\":null}}],\
         \"usage\":null,\"obfuscation\":\"{padding}\"}}\n\n"
    )
}

fn anthropic(_: usize, text: &str) -> String {
    format!(
        "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\
         \"text_delta\",\"text\":\"{text}\"}}}}\n\n"
    )
}

fn responses(index: usize, text: &str) -> String {
    format!(
        "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\"sequence_number\":{index},\
         \"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\"{text}\",\"logprobs\":[]}}\n\n"
    )
}

/// The text of a delta, of one object with a long array that does not repeat itself: with escapes, and with letters that
/// are no ASCII.
fn text(index: usize) -> String {
    let begin = if index == 0 { r#"{\"a\": [\"b"# } else { "" };
    let word = ["lorem ", r"ip\\n", "d\u{f6}lor", r"\u00e9", r#"\", \""#, " sit a"][index % 6];
    format!("{begin}{}{word}", index.wrapping_mul(7_919) % 10_007)
}

fn judged(keep: Keep) -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object().keep(keep))
}

fn unjudged(keep: Keep) -> SessionOptions {
    SessionOptions { lanes: Arc::new(LaneOptions { keep, ..LaneOptions::default() }), ..SessionOptions::default() }
}

fn push(session: &mut Session, bytes: &[u8]) -> Advice {
    session.push(bytes, &mut |_| ())
}

/// The allocations for the second half of some events, in chunks of so many bytes, or an event a chunk.
fn from_the_middle(options: &SessionOptions, frame: Frame, len: Option<usize>) -> (usize, usize) {
    const COUNT: usize = 2_000;
    let events: Vec<String> = (0..COUNT).map(|index| frame(index, &text(index))).collect();
    let body = events.concat();
    let chunks: Vec<&[u8]> = match len {
        Some(len) => body.as_bytes().chunks(len).collect(),
        None => events.iter().map(String::as_bytes).collect(),
    };
    let mut session = Session::new(options);
    let (front, back) = chunks.split_at(chunks.len() / 2);
    front.iter().for_each(|chunk| _ = push(&mut session, chunk));
    let cost = taken(|| back.iter().for_each(|chunk| _ = push(&mut session, chunk)));
    let lane = session.lanes().next().expect("a lane");
    assert_eq!((lane.delta_count(), session.lanes().len()), (COUNT as u64, 1));
    assert!(lane.progress().is_none_or(|progress| progress == Progress::Open), "{:?}", lane.progress());
    cost
}

#[test]
fn a_delta_allocates_nothing() {
    for (name, frame) in PROVIDERS {
        for len in [None, Some(100), Some(16 << 10)] {
            let cost = from_the_middle(&unjudged(Keep::Nothing), frame, len);
            assert_eq!(cost, (0, 0), "{name}: counted, chunks of {len:?}");
            let cost = from_the_middle(&judged(Keep::Nothing), frame, len);
            assert_eq!(cost, (0, 0), "{name}: judged and counted, chunks of {len:?}");
            let cost = from_the_middle(&judged(Keep::Tail(2_048)), frame, len);
            assert_eq!(cost, (0, 0), "{name}: judged, the tail, chunks of {len:?}");
        }
    }
}

/// Where all of the text is kept it grows, and nothing else does.
#[test]
fn only_text_that_is_kept_grows() {
    for (name, frame) in PROVIDERS {
        for options in [judged(Keep::All), unjudged(Keep::All)] {
            let (count, bytes) = from_the_middle(&options, frame, None);
            assert!(count <= 1 && bytes <= 32 << 10, "{name}: {count} allocations of {bytes} bytes");
        }
    }
}

/// A session in the middle of a reply: a role, and fifty deltas.
fn idle(options: &SessionOptions, frame: Frame) -> Session {
    let mut session = Session::new(options);
    for index in 0..50 {
        let _ = push(&mut session, frame(index, &text(index)).as_bytes());
    }
    assert_eq!(session.lanes().next().and_then(|lane| lane.progress()), Some(Progress::Open));
    session
}

#[test]
fn ten_thousand_idle_sessions() {
    let expect = Expect::object().keep(Keep::Tail(2_048));
    let lanes = LaneOptions { text: Some(expect), tool_args: expect, keep: Keep::Nothing, ..LaneOptions::default() };
    let options = SessionOptions { lanes: Arc::new(lanes), ..SessionOptions::default() };
    for (name, frame) in PROVIDERS {
        let (bytes, sessions) = held(|| (0..SESSIONS).map(|_| idle(&options, frame)).collect::<Vec<_>>());
        let bytes = usize::try_from(bytes).expect("something");
        assert!(bytes <= SESSIONS_MOST, "{name}: {bytes} bytes, {} each", bytes / sessions.len());
        drop(sessions);
    }
}

#[test]
fn a_session_can_be_sent_and_shared() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Session>();
    shared::<SessionOptions>();
    shared::<Summary>();
    shared::<Asked>();
}

/// What a body costs, in chunks of so many bytes: allocations, bytes asked for, and how it ends.
fn cost(options: &SessionOptions, body: &str, len: usize) -> (usize, usize, Summary) {
    let mut session = Session::new(options);
    let mut events = 0_usize;
    let (count, bytes) = taken(|| {
        for chunk in body.as_bytes().chunks(len) {
            let _ = session.push(chunk, &mut |_| events += 1);
        }
    });
    assert!(events <= body.len(), "{events} events of {} bytes", body.len());
    (count, bytes, session.finish(Ending::Unknown, &mut |_| ()))
}

/// That the bytes asked for are in proportion to the body.
fn assert_linear(name: &str, make: impl Fn(usize) -> String, count: usize, most_each_byte: usize) {
    let options = unjudged(Keep::Nothing);
    for len in [64, 64 << 10] {
        let (few, many) = (make(count), make(4 * count));
        let (_, few_bytes, _) = cost(&options, &few, len);
        let (_, many_bytes, _) = cost(&options, &many, len);
        assert!(
            many_bytes <= 5 * few_bytes + (64 << 10),
            "{name}: {few_bytes} bytes, {many_bytes} of four times as much"
        );
        assert!(many_bytes <= most_each_byte * many.len() + (64 << 10), "{name}: {many_bytes} bytes of {}", many.len());
    }
}

/// A million events, none like the one before, so that templates are of no use.
#[test]
fn a_million_tiny_events() {
    let shapes = [
        r#"{"choices":[{"delta":{"content":"a"}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"b"}}]}"#,
        r#"{"choices":[{"delta":{"content":"c"},"index":0}]}"#,
        r#"{"x":1,"choices":[{"delta":{"content":"d"}}]}"#,
        r#"{"x":[],"choices":[{"delta":{"content":"e"}}]}"#,
        r#"{"x":{},"choices":[{"delta":{"content":"f"}}]}"#,
        r#"{"choices":[]}"#,
        r#"{"choices":[{"delta":{"reasoning":"g"}}]}"#,
        r#"{"choices":[{"delta":{"content":"h"},"y":null}]}"#,
        "[]",
    ];
    let block: String = (0..1_000).fold(String::new(), |mut block, index: usize| {
        let shape = shapes[index.wrapping_mul(7_919) % 10];
        let _ = write!(block, "data: {shape}\n\n");
        block
    });
    let mut session = Session::new(&unjudged(Keep::Nothing));
    let mut costs = Vec::new();
    for _ in 0..1_000 {
        let (count, bytes) = taken(|| _ = push(&mut session, block.as_bytes()));
        costs.push((count, bytes));
    }
    let lane = session.lanes().next().expect("a lane");
    assert_eq!((lane.delta_count(), lane.text_len()), (700_000, 700_000));
    let most = costs.iter().max().expect("a thousand blocks");
    assert!(most.0 <= 1_000, "at most one allocation for an event: {most:?}");
    let half = |costs: &[(usize, usize)]| costs.iter().map(|(_, bytes)| bytes).sum::<usize>();
    let (front, back) = costs.split_at(500);
    assert!(half(back) <= half(front) + (64 << 10), "{} bytes after {}", half(back), half(front));
}

#[test]
fn more_calls_than_lanes() {
    let call = |index: usize| {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":{index},\"id\":\"call_{index}\",\
             \"function\":{{\"name\":\"f\",\"arguments\":\"{{\"}}}}]}}}}]}}\n\n"
        )
    };
    let mut session = Session::new(&SessionOptions::default());
    let advice: Vec<Advice> = (0..300).map(|index| push(&mut session, call(index).as_bytes())).collect();
    assert_eq!(session.lanes().len(), 256);
    assert!(advice[..256].iter().all(|advice| *advice == Advice::GoOn), "256 calls are allowed");
    assert!(advice[256..].iter().all(|advice| *advice == Advice::Cancel(Reason::Limit)), "one more is not");
    let more = call(300).repeat(100);
    let (count, bytes) = taken(|| _ = push(&mut session, more.as_bytes()));
    assert_eq!((count, bytes), (0, 0), "a stream over its limit is read no further");
    assert_eq!(session.finish(Ending::Unknown, &mut |_| ()).outcome(), StreamOutcome::Error);
}

#[test]
fn an_event_of_a_megabyte() {
    let long = |len: usize| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x\\n".repeat(len / 3))
    };
    assert_linear("escapes", long, 1 << 20, 8);
    let long =
        |len: usize| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x".repeat(len));
    assert_linear("plain", long, 1 << 20, 8);
    // Nothing of it stays.
    let body = openai(0, "a") + &long(1 << 20) + &openai(1, "b").repeat(3);
    for len in [1_000, body.len()] {
        let (bytes, session) = held(|| {
            let mut session = Session::new(&unjudged(Keep::Nothing));
            body.as_bytes().chunks(len).for_each(|chunk| _ = push(&mut session, chunk));
            session
        });
        assert!(bytes <= 64 << 10, "{bytes} bytes behind it, chunks of {len}");
        assert_eq!(session.lanes().next().map(|lane| lane.delta_count()), Some(5));
    }
}

#[test]
fn an_event_of_many_brackets() {
    let deep = |depth: usize| {
        format!(
            "{}data: {}{}\n\n{}",
            openai(0, "a"),
            "{\"choices\":[".repeat(depth),
            "]}".repeat(depth),
            openai(1, "b")
        )
    };
    assert_linear("brackets", deep, 1 << 18, 4);
    let (_, _, summary) = cost(&unjudged(Keep::All), &deep(1 << 16), 1 << 14);
    assert_eq!(summary.lanes().next().and_then(|lane| lane.text()), Some("ab"));
    assert!(summary.cut().lost_event, "it may have held something");
}

#[test]
fn an_event_of_many_choices() {
    let choices = |count: usize| {
        let choice = |index| format!("{{\"index\":{index},\"delta\":{{\"content\":\"a\"}}}}");
        format!("data: {{\"choices\":[{}]}}\n\n", (0..count).map(choice).collect::<Vec<_>>().join(","))
    };
    for count in [1_000, 5_000, 100_000] {
        let body = choices(count);
        let mut session = Session::new(&SessionOptions::default());
        let mut opened = 0;
        let (_, bytes) = taken(|| {
            let mut see = |event: SessionEvent<'_>| opened += usize::from(matches!(event, SessionEvent::Opened(_)));
            let _ = session.push(body.as_bytes(), &mut see);
        });
        assert!(opened <= 256 && session.lanes().len() <= 256, "{opened} lanes of {count}");
        assert!(bytes <= 40 * body.len() + (64 << 10), "{bytes} bytes of {}", body.len());
        let summary = session.finish(Ending::Unknown, &mut |_| ());
        assert_ne!(summary.outcome(), StreamOutcome::Complete);
    }
}
