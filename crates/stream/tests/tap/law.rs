//! What holds of every body, recorded and cut anywhere, of every dialect, in every chunking, whatever is judged.
//!
//! What a client gets of an acting tap is upstream's body, with upstream's end; or its bytes up to the end of an event, one error
//! event, and the end; or its first bytes, and an error.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use thusfar_core::{Ending, Expect, Take};
use thusfar_stream::tap::{Act, TapOptions};
use thusfar_stream::{
    Advice, Body, Framing, LaneLimits, LaneOptions, Limits, Reason, Session, SessionEvent, SessionOptions,
    StreamOutcome, Summary,
};
use thusfar_testkit::random::Random;

use crate::recordings;
use crate::wire::{End, Length, Step, Wire, drain, pieces};

/// What makes replies lost that are not.
fn options() -> Vec<(&'static str, SessionOptions)> {
    let judged = |take| SessionOptions::default().judge_text(Expect::object().take(take));
    let short =
        LaneOptions { limits: LaneLimits { session_len: Some(20), ..LaneLimits::default() }, ..LaneOptions::default() };
    let narrow = Limits { line_len: Some(300), event_len: Some(300), frame_len: Some(300) };
    vec![
        ("plain", SessionOptions::default()),
        ("any", judged(Take::Only)),
        ("alone", judged(Take::Alone)),
        ("short", SessionOptions { lanes: Arc::new(short), ..SessionOptions::default() }),
        ("narrow", SessionOptions { limits: narrow, ..judged(Take::Alone) }),
    ]
}

/// The framing that a body is found to have.
fn framing(body: &[u8]) -> Option<Framing> {
    let mut decoder = Body::new(None);
    let mut rest = body;
    while let Ok(Some(_)) = decoder.next_item(&mut rest) {}
    decoder.framing()
}

/// Whether some bytes end between two events, seen without the decoders.
fn ends_an_event(bytes: &[u8], framing: Framing) -> bool {
    match framing {
        // The LF of the last CR is part of what closes it.
        Framing::Sse => [&b"\n\n"[..], b"\r\n\r", b"\r\r"].iter().any(|end| bytes.ends_with(end)),
        Framing::Ndjson => bytes.ends_with(b"\n"),
        Framing::JsonArray => serde_json::from_slice::<serde_json::Value>(&[bytes, b"]"].concat()).is_ok(),
        Framing::Aws => {
            let mut rest = bytes;
            while let Some(len) = rest.first_chunk() {
                rest = rest.get(u32::from_be_bytes(*len) as usize..).unwrap_or(b"?");
            }
            rest.is_empty()
        }
        _ => false,
    }
}

/// How often a body tells an error, and what it comes to.
fn errors(body: &[u8]) -> (usize, StreamOutcome) {
    let mut session = Session::new(&SessionOptions::default());
    let mut count = 0;
    let mut on = |event: SessionEvent<'_>| count += usize::from(matches!(event, SessionEvent::Failed(_)));
    let _ = session.push(body, &mut on);
    let outcome = session.finish(Ending::Unknown, &mut on).outcome();
    (count, outcome)
}

/// Whether a session that gets these frames says to hang up because the reply is lost.
fn is_lost(frames: &[Step], options: &SessionOptions) -> bool {
    let mut session = Session::new(options);
    frames.iter().any(|frame| {
        let Step::Data(data) = frame else { return false };
        let advice = session.push(data, &mut |_| ());
        matches!(advice, Advice::Cancel(Reason::Doomed | Reason::Runaway | Reason::Limit))
    })
}

/// How a body came out: untouched, closed by an event, or by an error.
type Closed = &'static str;

fn hold(
    name: &str,
    body: &[u8],
    len: usize,
    ending: Option<Step>,
    options: &SessionOptions,
    act: Act,
) -> (Closed, Summary) {
    let is_reset = ending.is_some();
    let frames: Vec<Step> = pieces(body, len).into_iter().chain(ending).collect();
    let lost = is_lost(&frames, options);
    let summary = Rc::new(RefCell::new(None));
    let into = summary.clone();
    let tap = TapOptions::new(options.clone()).acting(act).on_end(move |summary| {
        assert!(into.borrow_mut().replace(summary).is_none(), "told once");
    });
    let upstream = Wire::of(frames, Length::Unknown);
    let (got, end) = drain(&mut tap.body(upstream));
    let summary = summary.borrow_mut().take().expect("told");
    let at = summary.advice().map(|(_, at)| at as usize);
    let what = || format!("{name}, {} bytes in frames of {len}, {act:?}: {at:?}, {end:?}", body.len());
    let closed = match &end {
        _ if !lost => {
            assert_eq!((&got[..], end == End::Clean), (body, !is_reset), "{}", what());
            "untouched"
        }
        End::Error(error) => {
            assert!(body.starts_with(&got) && error.starts_with("hung up on upstream"), "{}", what());
            "error"
        }
        End::Clean => {
            assert_eq!(act, Act::ErrorEvent, "{}", what());
            let at = at.expect("it was cut");
            let framing = framing(body).expect("it was found out");
            assert_eq!(got[..at], body[..at], "{}", what());
            assert!(ends_an_event(&body[..at], framing), "{}: {:?}", what(), body[..at].escape_ascii().to_string());
            let (before, after) = (errors(&body[..at]).0, errors(&got));
            assert_eq!(
                after,
                (before + 1, StreamOutcome::Error),
                "{}: {:?}",
                what(),
                got[at..].escape_ascii().to_string()
            );
            "event"
        }
    };
    (closed, summary)
}

#[test]
fn no_cut_is_taken_for_a_whole() {
    let mut count: BTreeMap<(String, Closed), usize> = BTreeMap::new();
    let mut random = Random::new(7);
    for (name, body) in recordings() {
        let mut cuts: Vec<usize> =
            (0..(60_000 / body.len().max(1)).clamp(2, 16)).map(|_| random.below(body.len())).collect();
        cuts.push(body.len());
        for (judged, options) in options() {
            for &cut in &cuts {
                let len = [1, 7, 64, 1400, body.len()][random.below(5)];
                let ending = [None, Some(Step::Reset)][random.below(2)].clone();
                for act in [Act::ErrorEvent, Act::BodyError] {
                    let name = format!("{name} ({judged})");
                    let (closed, summary) = hold(&name, &body[..cut], len, ending.clone(), &options, act);
                    let provider = summary.provider().map_or("nobody", |provider| provider.as_str());
                    *count.entry((provider.to_owned(), closed)).or_default() += 1;
                }
            }
        }
    }
    let all = |closed: Closed| count.iter().filter(move |((_, other), _)| *other == closed);
    let closed_by_event: Vec<_> = all("event").map(|((provider, _), _)| &**provider).collect();
    let dialects = [
        "anthropic",
        "bedrock-converse",
        "bedrock-invoke",
        "cohere",
        "gemini",
        "llama.cpp",
        "ollama",
        "openai",
        "openai-responses",
    ];
    assert_eq!(closed_by_event, dialects, "{count:?}");
    for closed in ["untouched", "error"] {
        assert!(all(closed).map(|(_, count)| count).sum::<usize>() > 500, "{count:?}");
    }
}
