//! `check_stream()`: one streaming completion, read under many ways of cutting it, must tell the same and come to the same.
//!
//! Whole, byte by byte with empty chunks between, in pieces of fixed lengths, cut in two and in three at random.

use serde::de::IgnoredAny;
use serde_json::{Value, json};
use thusfar_core::Ending;
use thusfar_stream::{Lane, LaneKind, Outcome, Session, SessionEvent, SessionOptions, Summary};

use crate::random::Random;

/// The document of a lane, or the kind and code of the failure.
pub type Answer = Result<String, (String, String)>;

/// All that a caller can see of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamReport {
    /// What was told, in order, in words.
    pub told: Vec<String>,
    /// What it came to, as `thusfar stream --json` prints it, without the reports of the lanes.
    pub summary: Value,
    /// The outcome of each lane that is judged.
    pub outcomes: Vec<Option<Answer>>,
    /// Names of the warnings, and where.
    pub warnings: Vec<(String, u64)>,
    /// The byte by which hanging up was certain, and why.
    pub advice: Option<(String, u64)>,
}

/// Reads a stream under many ways of cutting it; panics where two differ.
pub fn check_stream(body: &[u8], options: &SessionOptions, ending: Ending) -> StreamReport {
    let whole = read([body], options, ending);
    let same = |other: StreamReport, how: &str| assert_eq!(other, whole, "{how}: {:?}", String::from_utf8_lossy(body));
    same(read(body.iter().flat_map(|byte| [&[], core::slice::from_ref(byte)]), options, ending), "byte by byte");
    for len in [3, 7, 64, 300, 1400] {
        same(read(body.chunks(len), options, ending), &format!("in pieces of {len} bytes"));
    }
    let mut random = Random::new(body.len() as u64);
    for _ in 0..((1 << 19) / body.len().max(1)).clamp(4, 200) {
        let mut cuts = [random.below(body.len() + 1), random.below(body.len() + 1)];
        cuts.sort_unstable();
        let chunks = [&body[..cuts[0]], &body[cuts[0]..cuts[1]], &body[cuts[1]..]];
        same(read(chunks, options, ending), &format!("cut at {cuts:?}"));
    }
    whole
}

/// Less of the same for bodies of which there are many: whole, byte by byte, in chunks of some lengths, over and over, which
/// are not all zero.
pub fn cut_stream_by(body: &[u8], options: &SessionOptions, ending: Ending, lengths: &[usize]) -> StreamReport {
    let whole = read([body], options, ending);
    let same = |other: StreamReport, how: &str| assert_eq!(other, whole, "{how}: {:?}", String::from_utf8_lossy(body));
    same(read(body.chunks(1), options, ending), "byte by byte");
    let mut rest = body;
    let chunks = lengths.iter().cycle().map_while(|&len| {
        let (chunk, behind) = rest.split_at(len.min(rest.len()));
        let was_empty = rest.is_empty();
        rest = behind;
        (!was_empty).then_some(chunk)
    });
    same(read(chunks, options, ending), "in chunks by turns");
    whole
}

/// Reads a stream as it was cut.
pub fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, options: &SessionOptions, ending: Ending) -> StreamReport {
    let mut told = Vec::new();
    let mut session = Session::new(options);
    let mut cancelled = false;
    for chunk in chunks {
        let advice = session.push(chunk, &mut |event| told.push(words(&event)));
        assert!(advice.is_cancel() || !cancelled, "advice to hang up stays");
        cancelled = advice.is_cancel();
    }
    let summary = session.finish(ending, &mut |event| told.push(words(&event)));
    StreamReport {
        told,
        summary: value(&summary),
        outcomes: summary.lanes().map(|lane| lane.outcome().map(outcome)).collect(),
        warnings: summary.warnings().iter().map(|(warning, at)| (warning.as_str().to_owned(), *at)).collect(),
        advice: summary.advice().map(|(reason, at)| (reason.as_str().to_owned(), at)),
    }
}

fn words(event: &SessionEvent<'_>) -> String {
    let name = |lane: &Lane<'_>| format!("{:?}", lane.key());
    match event {
        SessionEvent::Opened(lane) => format!("opened {} {:?} {:?}", name(lane), lane.id(), lane.name()),
        SessionEvent::Text(lane, text) => format!("text {} {text:?}", name(lane)),
        SessionEvent::Element(lane, element) => {
            format!("element {} {} {}", name(lane), element.pointer(), element.json().unwrap_or_default())
        }
        SessionEvent::Progress(lane, progress) => format!("progress {} {progress:?}", name(lane)),
        SessionEvent::Closed(lane) => format!("closed {} {:?}", name(lane), lane.text_len()),
        other => format!("{}", Shown(other)),
    }
}

struct Shown<'a>(&'a SessionEvent<'a>);

impl core::fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            SessionEvent::Finished(choice, raw, class) => write!(formatter, "finished {choice} {raw} {class:?}"),
            SessionEvent::Usage(usage) => write!(formatter, "usage {usage}"),
            SessionEvent::Failed(error) => write!(formatter, "failed {error}"),
            SessionEvent::Warning(warning, at) => write!(formatter, "warning {} at {at}", warning.as_str()),
            other => write!(formatter, "{other:?}"),
        }
    }
}

fn outcome(outcome: &Outcome) -> Answer {
    match outcome.failure() {
        Some(failure) => Err((failure.kind().as_str().to_owned(), failure.code().to_owned())),
        None => Ok(outcome.text().unwrap_or("").to_owned()),
    }
}

/// A summary as JSON.
#[must_use]
pub fn value(summary: &Summary) -> Value {
    let object = |text: Option<&str>| text.map(object);
    let lanes: Vec<_> = summary.lanes().map(|lane| lane_value(&lane)).collect();
    let finish: Vec<_> = summary
        .finishes()
        .iter()
        .map(|finish| json!({"choice": finish.choice, "raw": &*finish.raw, "class": finish.class.as_str()}))
        .collect();
    json!({
        "lanes": lanes,
        "finish": finish,
        "outcome": summary.outcome().as_str(),
        "terminal": summary.terminal(),
        "usage": object(summary.usage()),
        "error": object(summary.error()),
    })
}

/// Usage or an error. Of numbers out of range and half a surrogate pair there is no [`Value`]: they come as the text.
fn object(text: &str) -> Value {
    assert!(serde_json::from_str::<IgnoredAny>(text).is_ok(), "usage and errors are JSON: {text:?}");
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn lane_value(lane: &Lane<'_>) -> Value {
    let key = lane.key();
    let tool = key.tool.filter(|_| key.kind == LaneKind::ToolArgs);
    json!({
        "choice": key.choice, "kind": key.kind.as_str(), "tool": tool,
        "id": lane.id(), "name": lane.name(), "text": lane.text(),
    })
}
