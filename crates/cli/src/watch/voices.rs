//! Who speaks, and what is known of what they say: the one reply, or the lanes of a body that may carry a document.

use std::sync::Arc;

use thusfar_core::{Ending, Expect, FailureKind, Live, Progress, Reply, View};
use thusfar_stream::{
    Lane, LaneKey, LaneKind, Outcome, Session, SessionEvent, SessionOptions, StreamOutcome, Summary, Watch,
};

use crate::args::{MaybeProvider, WatchArgs};
use crate::notes;
use crate::report::{self, Verdict};
use crate::stream::{self, Silence};
use crate::terminal::Palette;

/// Which lane of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub(super) key: LaneKey,
    /// The name of the tool.
    pub(super) name: Option<&'a str>,
}

impl<'a> Tag<'a> {
    fn of(lane: Lane<'a>) -> Self {
        Self { key: lane.key(), name: lane.name() }
    }
}

/// One that speaks.
#[derive(Clone, Copy)]
pub(super) struct Voice<'a> {
    /// Its number: it stays.
    pub(super) at: usize,
    /// None of a reply that is no lane.
    pub(super) lane: Option<Tag<'a>>,
    pub(super) view: View<'a>,
    pub(super) progress: Progress,
}

/// Where the bytes go.
enum Ear {
    /// A reply, and its bytes.
    Reply(Box<Live>, Vec<u8>),
    /// A body.
    Body(Box<Session>),
}

/// All that speak, in the order in which they began.
pub(super) struct Voices {
    ear: Ear,
    /// What is expected of a reply or of the text of a body, and of the arguments of tools.
    text: Expect,
    arguments: Expect,
    /// Which lanes spoke in the last piece, each once, and which was the last of them ever.
    spoke: Vec<LaneKey>,
    last: Option<LaneKey>,
    bytes: u64,
}

impl Voices {
    pub(super) fn new(args: &WatchArgs) -> Self {
        let text = args.judging.expect(None);
        let arguments = args.judging.no_repair.iter().fold(Expect::object(), |expect, &kind| expect.without(kind));
        let ear = match args.provider {
            None => Ear::Reply(Box::new(Reply::live(text)), Vec::new()),
            Some(MaybeProvider(provider)) => {
                let mut options = SessionOptions::default().provider(provider).judge_text(text).watch(Watch::View);
                Arc::make_mut(&mut options.lanes).tool_args = arguments;
                Ear::Body(Box::new(Session::new(&options)))
            }
        };
        Self { ear, text, arguments, spoke: Vec::new(), last: None, bytes: 0 }
    }

    /// Takes more of the input; whether nothing that follows can matter.
    pub(super) fn push(&mut self, piece: &[u8]) -> bool {
        self.bytes += piece.len() as u64;
        self.spoke.clear();
        let Self { ear, spoke, last, .. } = self;
        match ear {
            Ear::Reply(live, seen) => {
                seen.extend_from_slice(piece);
                live.push_bytes(piece).is_decided()
            }
            Ear::Body(session) => {
                let _ = session.push(piece, &mut |event| {
                    let SessionEvent::Text(lane, _) = event else { return };
                    let key = lane.key();
                    if lane.is_judged() {
                        *last = Some(key);
                        if !spoke.contains(&key) {
                            spoke.push(key);
                        }
                    }
                });
                false
            }
        }
    }

    /// Whether the input is a body.
    pub(super) fn is_body(&self) -> bool {
        matches!(self.ear, Ear::Body(_))
    }

    /// All that carry a document, or may.
    pub(super) fn all(&self) -> impl Iterator<Item = Voice<'_>> {
        let (reply, session) = match &self.ear {
            Ear::Reply(live, _) => (Some(live), None),
            Ear::Body(session) => (None, Some(session)),
        };
        let reply = reply.map(|live| Voice { at: 0, lane: None, view: live.view(), progress: live.progress() });
        let lanes = session.into_iter().flat_map(|session| session.lanes().enumerate());
        let lanes = lanes.filter_map(|(at, lane)| {
            let (view, progress) = (lane.view()?, lane.progress()?);
            Some(Voice { at, lane: Some(Tag::of(lane)), view, progress })
        });
        reply.into_iter().chain(lanes)
    }

    /// Those who spoke in the last piece.
    pub(super) fn spoke(&self) -> impl Iterator<Item = Voice<'_>> {
        self.all().filter(|voice| voice.lane.is_none_or(|tag| self.spoke.contains(&tag.key)))
    }

    /// Who spoke last.
    pub(super) fn last(&self) -> Option<Voice<'_>> {
        self.all().find(|voice| voice.lane.map(|tag| tag.key) == self.last)
    }

    /// Bytes of the input so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Repairs so far.
    pub(super) fn repair_count(&self) -> usize {
        match &self.ear {
            Ear::Reply(live, _) => live.repair_count(),
            Ear::Body(session) => session.lanes().map(|lane| lane.repair_count()).sum(),
        }
    }

    /// Ends it; `last` is given what each shows then, some of which only the end makes certain: its number, its lane, its view.
    pub(super) fn finish(self, ending: Ending, mut last: impl FnMut(usize, Option<Tag<'_>>, View<'_>)) -> End {
        let session = match self.ear {
            Ear::Reply(live, seen) => {
                let verdict = live.finish_with(ending, |view| last(0, None, view));
                return End::Reply(Box::new(verdict), seen);
            }
            Ear::Body(session) => session,
        };
        let summary = session.finish(ending, &mut |_| ());
        for (at, lane) in summary.lanes().enumerate() {
            let Some(outcome) = lane.outcome() else { continue };
            // A lane that is closed has no view any more. Its text read again shows the same, and what the end added.
            let expect = if lane.key().kind == LaneKind::Text { self.text } else { self.arguments };
            let mut live = Reply::live(expect);
            let _ = live.push(lane.text().unwrap_or_default());
            let tag = Some(Tag::of(lane));
            match outcome.failure() {
                Some(failure) if failure.reply().is_none() => last(at, tag, live.view()),
                // The verdict is the session's; this says no more than whether there is more to be certain of.
                Some(_) => drop(live.finish_with(Ending::Length, |view| last(at, tag, view))),
                None => drop(live.finish_with(Ending::Stop, |view| last(at, tag, view))),
            }
        }
        End::Body(Box::new(summary))
    }
}

/// What it came to.
pub(super) enum End {
    /// Of a reply, with its bytes.
    Reply(Box<Verdict>, Vec<u8>),
    /// Of a body.
    Body(Box<Summary>),
}

impl End {
    /// Whether there is a document; of a body whether it is complete and each lane that counts has one.
    pub(super) fn is_good(&self) -> bool {
        match self {
            Self::Reply(verdict, _) => verdict.is_ok(),
            Self::Body(summary) => {
                let is_ok = |lane: Lane<'_>| lane.outcome().is_none_or(Outcome::is_ok);
                let is_complete = summary.outcome() == StreamOutcome::Complete;
                let has_all = summary.lanes().filter(|lane| counts(summary, lane)).all(is_ok);
                is_complete && has_all && Silence::NoAnswer.choices(summary).is_empty()
            }
        }
    }

    /// The outcome in a word: of a body the stream's, unless that is complete and a lane failed.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Reply(verdict, _) => {
                verdict.as_ref().as_ref().map_or_else(|failure| failure.kind().as_str(), |_| "ok")
            }
            Self::Body(summary) => {
                let failed = summary.lanes().filter(|lane| counts(summary, lane));
                let failed = failed.filter_map(|lane| lane.outcome()?.failure()).next();
                match (summary.outcome(), failed) {
                    (StreamOutcome::Complete, Some(failure)) => failure.kind().as_str(),
                    (StreamOutcome::Complete, None) if !Silence::NoAnswer.choices(summary).is_empty() => {
                        FailureKind::NotFound.as_str()
                    }
                    (outcome, _) => outcome.as_str(),
                }
            }
        }
    }

    /// What a person is told of it.
    pub(super) fn notes(&self, name: &str) -> String {
        let palette = Palette::stderr();
        match self {
            Self::Reply(verdict, seen) => match verdict.as_ref() {
                Ok(document) => notes::on_document(document, None, seen, palette),
                Err(failure) => notes::on_failure(failure, name, seen, palette),
            },
            Self::Body(summary) => {
                Silence::NoAnswer.notes(summary, name)
                    + &stream::notes_on(summary, &[], summary.advice(), name, |lane| counts(summary, lane))
            }
        }
    }

    /// Adds the report: that of `parse --json`, or the line of `stream --json`.
    pub(super) fn push_report(&self, line: &mut String) {
        match self {
            Self::Reply(verdict, seen) => report::push_report_object(line, None, seen, verdict.as_ref().as_ref(), None),
            Self::Body(summary) => stream::line::push_object(line, summary, &[], summary.advice()),
        }
    }
}

/// Whether it matters what a lane came to. Words around tool calls are text in which no document is found, and need none.
fn counts(summary: &Summary, lane: &Lane<'_>) -> bool {
    let failure = lane.outcome().and_then(Outcome::failure);
    let has_none = failure.is_some_and(|failure| failure.kind() == FailureKind::NotFound);
    let is_call = |other: &Lane<'_>| other.key().kind == LaneKind::ToolArgs && other.key().choice == lane.key().choice;
    !(has_none && lane.key().kind == LaneKind::Text && summary.lanes().any(|other| is_call(&other)))
}
