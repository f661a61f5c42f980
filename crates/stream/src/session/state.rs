//! What is known of a stream while it comes.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use smallvec::SmallVec;
use thusfar_core::{Elements, Ending, FailureKind, Progress};

use super::summary::{Cut, Finish, Summary};
use super::{SessionEvent, SessionOptions, StreamWarning};
use crate::advice::{Advice, Reason};
use crate::body::Framing;
use crate::diagnosis::BodyKind;
use crate::eof::Eof;
use crate::error::{Error, ErrorKind};
use crate::json::{self, Extent};
use crate::lane::{Heard, Lane, LaneError, LaneKey, Lanes, SCHEMA_MISMATCH};
use crate::provider::{self, Provider, base64};
use crate::said::{FinishClass, LaneKind, Said, Written};

/// Whom it is told.
pub(super) type On<'a> = dyn FnMut(SessionEvent<'_>) + 'a;

/// The counts of tokens as one JSON object, member by member.
#[derive(Default)]
struct Usage {
    members: Vec<(String, String)>,
}

/// The most members that usage may have, and their bytes: what is more is left away.
const MOST_COUNTS: usize = 64;
const LONGEST_COUNT: usize = 4 << 10;

impl Usage {
    /// Nobody has looked into strings: a member with one that is broken is left away.
    fn set(&mut self, key: &str, value: &str) {
        if self.members.iter().any(|(other, old)| other == key && old == value) {
            return;
        }
        let is_plain = |text: &str| !text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | ..=0x1f));
        let is_json = || json::extent(format!("{{\"{key}\":{value}}}").as_bytes()) == Extent::Whole;
        if !(is_plain(key) && is_plain(value) || is_json()) {
            return;
        }
        if let Some((_, old)) = self.members.iter_mut().find(|(other, _)| other == key) {
            *old = value.to_string();
        } else if self.members.len() < MOST_COUNTS && key.len() + value.len() <= LONGEST_COUNT {
            self.members.push((key.to_string(), value.to_string()));
        }
    }

    fn object(&self) -> Option<String> {
        if self.members.is_empty() {
            return None;
        }
        let members: Vec<_> = self.members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        Some(format!("{{{}}}", members.join(",")))
    }
}

/// Why to hang up, and by which byte of the body that was certain.
#[derive(Clone, Copy)]
pub(crate) struct HangUp {
    pub(crate) reason: Reason,
    pub(crate) at: u64,
    /// What stands in front of that byte, which is the end of an event if the body can be decoded.
    #[cfg_attr(not(feature = "http-body"), expect(dead_code, reason = "only the tap puts something there"))]
    pub(crate) front: Front,
}

/// What stands in front of a byte of the body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    WholeEvents,
    /// Anything: the body cannot be decoded, or it is the caller who hung up.
    Anything,
}

/// What is known of a stream.
pub(super) struct State {
    pub(super) lanes: Lanes,
    choice_count: u32,
    finishes: SmallVec<[Finish; 1]>,
    usage: Usage,
    error: Option<Box<str>>,
    pub(super) terminal: Option<&'static str>,
    pub(super) lane_advice: Option<(LaneKey, Reason)>,
    /// Why to hang up; why the caller did.
    pub(super) cancel: Option<HangUp>,
    /// Why nothing more is read, also behind advice that a tap does not act upon. Boxed: it is seldom there.
    #[cfg(feature = "http-body")]
    pub(super) lost: Option<Box<HangUp>>,
    cancelled: Option<Reason>,
    /// A limit was passed, or the body is broken: nothing more is taken.
    is_over: bool,
    pub(super) cut: Cut,
    warnings: Vec<(StreamWarning, u64)>,
    /// The event in the event that was heard last.
    pub(super) inner: Option<Vec<u8>>,
    /// Bytes of the body up to the end of the item that is being heard.
    pub(super) at: u64,
}

/// The most choices whose end is noted, and the most warnings.
const MOST_FINISHES: usize = 256;
const MOST_WARNINGS: usize = 100;
/// The longest word for an end that is noted, in bytes.
const LONGEST_FINISH: usize = 256;

impl State {
    pub(super) fn new(options: &SessionOptions) -> Self {
        Self {
            lanes: Lanes::new(options.lanes.clone()),
            choice_count: options.choice_count,
            finishes: SmallVec::new(),
            usage: Usage::default(),
            error: None,
            terminal: None,
            lane_advice: None,
            cancel: None,
            #[cfg(feature = "http-body")]
            lost: None,
            cancelled: None,
            is_over: false,
            cut: Cut::default(),
            warnings: Vec::new(),
            inner: None,
            at: 0,
        }
    }

    /// Whether nothing more is taken.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn advice(&self) -> Advice {
        match (self.cancel, self.lane_advice) {
            (Some(hang_up), _) => Advice::Cancel(hang_up.reason),
            (None, Some((lane, reason))) => Advice::StopLane(lane, reason),
            (None, None) => Advice::GoOn,
        }
    }

    /// Hears one thing that an event says.
    pub(super) fn hear(&mut self, said: Said<'_>, on: &mut On<'_>) {
        if self.is_over() {
            return;
        }
        let heard = match said {
            Said::Text { choice, kind, text } => return self.hear_text(choice, kind, text, on),
            Said::Tool { choice, call, args } => self.lanes.tool(choice, &call, &args),
            Said::BlockEnd { choice, block } => self.lanes.block_end(choice, block),
            other => return self.hear_rarely(other, on),
        };
        let decided = match heard {
            Ok(None) => None,
            Ok(Some(heard)) => tell(heard, on),
            Err(error) => return self.over(error, on),
        };
        if let Some((lane, reason)) = decided {
            self.decide(lane, reason);
        }
    }

    /// Hears more text of a lane that is no tool call.
    #[inline]
    pub(super) fn hear_text(
        &mut self,
        choice: u32,
        kind: LaneKind,
        text: Written<'_>,
        on: &mut (impl FnMut(SessionEvent<'_>) + ?Sized),
    ) {
        let decided = match self.lanes.text(choice, kind, text) {
            Ok(None) => None,
            Ok(Some(heard)) => tell(heard, on),
            Err(error) => return self.over(error, on),
        };
        if let Some((lane, reason)) = decided {
            self.decide(lane, reason);
        }
    }

    #[cold]
    fn hear_rarely(&mut self, said: Said<'_>, on: &mut On<'_>) {
        match said {
            Said::Finish { choice, raw, class } => self.finish(choice, raw, class, on),
            Said::Usage(object) => {
                let members = provider::members(object);
                members.for_each(|(key, value)| self.usage.set(&text_of(key), &text_of(value)));
                self.tell_usage(on);
            }
            Said::UsageMember(key, value) => {
                self.usage.set(key, &text_of(value));
                self.tell_usage(on);
            }
            Said::Error(value) => self.failed(provider::error_of(b"", value), on),
            Said::ErrorMessage(message) => self.failed(provider::error_of_message(message), on),
            Said::Terminal(terminal) => self.terminal = Some(terminal),
            Said::Inner(written) => {
                let mut bytes = Vec::new();
                if base64(written.0, &mut bytes) {
                    self.inner = Some(bytes);
                } else {
                    self.damaged(on);
                }
            }
            Said::Text { .. } | Said::Tool { .. } | Said::BlockEnd { .. } => {}
        }
    }

    fn tell_usage(&self, on: &mut On<'_>) {
        if let Some(usage) = self.usage.object() {
            on(SessionEvent::Usage(&usage));
        }
    }

    fn finish(&mut self, choice: u32, raw: Written<'_>, class: FinishClass, on: &mut On<'_>) {
        self.lanes.finish(choice, class);
        let raw = unescaped(raw);
        on(SessionEvent::Finished(choice, &raw, class));
        let finish = Finish { choice, raw: raw.into(), class };
        match self.finishes.iter().position(|other| other.choice == choice) {
            Some(at) => self.finishes[at] = finish,
            None if self.finishes.len() < MOST_FINISHES => self.finishes.push(finish),
            None => {}
        }
    }

    /// The provider failed. The first error stays.
    pub(super) fn failed(&mut self, error: String, on: &mut (impl FnMut(SessionEvent<'_>) + ?Sized)) {
        on(SessionEvent::Failed(&error));
        self.error.get_or_insert_with(|| error.into());
    }

    pub(super) fn warn(&mut self, warning: StreamWarning, on: &mut On<'_>) {
        on(SessionEvent::Warning(warning, self.at));
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push((warning, self.at));
        }
    }

    /// An event is no JSON.
    pub(super) fn pass_over(&mut self, data: &[u8], on: &mut On<'_>) {
        match data.trim_ascii_start().first() {
            Some(b'{' | b'[') => self.damaged(on),
            _ => self.warn(StreamWarning::NoJson, on),
        }
    }

    /// Something of the reply is lost.
    fn damaged(&mut self, on: &mut On<'_>) {
        self.warn(StreamWarning::DamagedEvent, on);
        self.lanes.lose();
        self.cut.lost_event = true;
    }

    /// A lane, or all of them, are over a limit: what is more is not taken.
    #[cold]
    fn over(&mut self, error: LaneError, on: &mut (impl FnMut(SessionEvent<'_>) + ?Sized)) {
        self.is_over = true;
        self.failed(format!("{{\"type\":\"{}\",\"message\":\"{error}\"}}", error.as_str()), on);
        self.lose(HangUp { reason: Reason::Limit, at: self.at, front: Front::WholeEvents });
    }

    /// The body cannot be decoded any further.
    pub(super) fn broke(&mut self, error: Error, on: &mut On<'_>) {
        if self.is_over {
            return;
        }
        self.is_over = true;
        self.failed(format!("{{\"type\":\"{}\",\"message\":\"{error}\"}}", error.kind().as_str()), on);
        let reason = match error.kind() {
            ErrorKind::LineTooLong(_) | ErrorKind::EventTooLong(_) | ErrorKind::FrameTooLong(_) => Reason::Limit,
            ErrorKind::Checksum | ErrorKind::Frame | ErrorKind::Json => Reason::Doomed,
        };
        self.lose(HangUp { reason, at: error.offset(), front: Front::Anything });
    }

    /// Nothing more is read. Advice that was given stays; who does not act upon that acts upon this.
    fn lose(&mut self, hang_up: HangUp) {
        self.cancel.get_or_insert(hang_up);
        #[cfg(feature = "http-body")]
        self.lost.get_or_insert_with(|| Box::new(hang_up));
    }

    pub(super) fn cancelled(&mut self, reason: Reason) {
        self.cancelled = Some(reason);
        self.cancel.get_or_insert(HangUp { reason, at: self.at, front: Front::Anything });
    }

    /// A lane was decided. Hanging up is for all lanes: each choice must have one that is decided, and none that is not.
    #[cold]
    fn decide(&mut self, lane: LaneKey, reason: Reason) {
        self.lane_advice = Some((lane, reason));
        if self.cancel.is_some() {
            return;
        }
        let matters = |lane: &Lane<'_>| matches!(lane.key().kind, LaneKind::Text | LaneKind::ToolArgs);
        // Of judged text more may come in another block, and spoil it.
        let is_over =
            |lane: &Lane<'_>| lane.is_block_ended() && (lane.key().kind == LaneKind::ToolArgs || !lane.is_judged());
        let is_open = |lane: &Lane<'_>| {
            !lane.progress().is_some_and(Progress::is_decided) && !is_over(lane) && lane.text_len() > 0
        };
        if self.lanes.iter().filter(matters).any(|lane| is_open(&lane)) {
            return;
        }
        let mut choices: SmallVec<[u32; 4]> = SmallVec::new();
        for lane in self.lanes.iter().filter(|lane| lane.progress().is_some_and(Progress::is_decided)) {
            if !choices.contains(&lane.key().choice) {
                choices.push(lane.key().choice);
            }
        }
        if choices.len() >= self.choice_count as usize {
            self.cancel = Some(HangUp { reason, at: self.at, front: Front::WholeEvents });
        }
    }

    /// What was left when the body ended.
    pub(super) fn ended(&mut self, eof: &Eof, framing: Option<Framing>, on: &mut On<'_>) {
        let is_taken = eof.whole_item().is_some();
        self.cut.partial_line = eof.partial_line && !is_taken && eof.is_cut();
        self.cut.pending_event = eof.pending_event && !is_taken;
        if framing == Some(Framing::JsonArray) && !eof.is_cut() && eof.diagnosis().is_none() {
            self.terminal = Some("]");
        }
        let Some(diagnosis) = eof.diagnosis() else { return };
        if let Some(error) = provider::error_in(diagnosis.quotation()) {
            self.failed(error, on);
        } else if !matches!(diagnosis.kind(), BodyKind::Empty | BodyKind::NoEvents) {
            self.failed(format!("{{\"type\":\"{}\",\"message\":\"{diagnosis}\"}}", diagnosis.kind().as_str()), on);
        }
    }

    /// Judges the lanes and puts together what the stream came to.
    pub(super) fn summary(
        mut self,
        provider: Option<Provider>,
        told_by: Option<Provider>,
        ending: Ending,
        on: &mut On<'_>,
    ) -> Summary {
        // Where the provider does not say so itself, a call of the caller's own tools is what a choice stopped for.
        if told_by.is_some_and(|provider| !provider.dialect().says_tools) {
            for finish in self.finishes.iter_mut().filter(|finish| finish.class == FinishClass::Stop) {
                let calls = |lane: Lane<'_>| {
                    lane.key().choice == finish.choice && lane.key().kind == LaneKind::ToolArgs && !lane.is_hosted()
                };
                if self.lanes.iter().any(calls) {
                    finish.class = FinishClass::Tool;
                }
            }
        }
        let is_cancelled = self.cancelled.is_some() || ending == Ending::Cancelled;
        let is_cut = self.cut.partial_line || self.cut.pending_event;
        let ending = match ending {
            // Behind a limit nothing is read: what was dropped may have spoiled a document that was there.
            _ if is_cancelled || self.is_over() => Ending::Cancelled,
            Ending::Unknown if self.error.is_some() => Ending::Failed,
            Ending::Unknown if is_cut => Ending::Disconnected,
            ending => ending,
        };
        self.lanes.close(ending, &mut |lane, element| on(SessionEvent::Element(lane, element)));
        self.lanes.iter().for_each(|lane| on(SessionEvent::Closed(lane)));
        self.finishes.sort_by_key(|finish| finish.choice);
        self.cut.needs_terminal = told_by.is_some_and(needs_terminal) && self.terminal.is_none();
        let mut seen: SmallVec<[u32; 4]> = self.lanes.iter().map(|lane| lane.key().choice).collect();
        seen.sort_unstable();
        seen.dedup();
        let has_finish = |choice: &u32| self.finishes.iter().any(|finish| finish.choice == *choice);
        self.cut.choices_without_finish = seen.into_iter().filter(|choice| !has_finish(choice)).collect();
        let is_open = |lane: &Lane<'_>| {
            lane.outcome()
                .and_then(|outcome| outcome.failure())
                .is_some_and(|failure| failure.kind() == FailureKind::Truncated)
        };
        self.cut.open_lanes = self.lanes.iter().filter(is_open).map(|lane| lane.key()).collect();
        Summary {
            provider,
            lanes: self.lanes,
            finishes: self.finishes.into_vec(),
            usage: self.usage.object(),
            error: self.error.map(String::from),
            terminal: self.terminal,
            advice: self.cancel.map(|hang_up| (hang_up.reason, hang_up.at)),
            is_cancelled,
            is_over: self.is_over,
            cut: self.cut,
            warnings: self.warnings,
        }
    }
}

/// Tells what a delta changed; gives the lane and the reason if it has decided it.
#[inline]
fn tell(heard: Heard<'_>, on: &mut (impl FnMut(SessionEvent<'_>) + ?Sized)) -> Option<(LaneKey, Reason)> {
    let lane = heard.lane;
    if heard.is_new {
        on(SessionEvent::Opened(lane));
    }
    if !heard.text.is_empty() {
        on(SessionEvent::Text(lane, heard.text));
    }
    if let Some(elements) = heard.elements {
        tell_elements(lane, elements, &mut |event| on(event));
    }
    let progress = lane.progress();
    if progress == heard.before {
        return None;
    }
    progress.and_then(|progress| tell_progress(lane, progress, &mut |event| on(event)))
}

/// Tells the values that have closed at the place that is watched.
fn tell_elements(lane: Lane<'_>, elements: &mut Elements, on: &mut On<'_>) {
    let Some(view) = lane.view() else { return };
    while let Some(element) = elements.next(&view) {
        on(SessionEvent::Element(lane, element));
    }
}

fn tell_progress(lane: Lane<'_>, progress: Progress, on: &mut On<'_>) -> Option<(LaneKey, Reason)> {
    on(SessionEvent::Progress(lane, progress));
    let reason = match (progress, lane.doomed()) {
        (Progress::Final, _) => Reason::Final,
        (Progress::Doomed, Some(FailureKind::Vetoed)) if lane.doomed_by() == Some(SCHEMA_MISMATCH) => Reason::Schema,
        (Progress::Doomed, Some(FailureKind::Runaway)) => Reason::Runaway,
        (Progress::Doomed, Some(FailureKind::Limit)) => Reason::Limit,
        (Progress::Doomed, _) => Reason::Doomed,
        _ => return None,
    };
    Some((lane.key(), reason))
}

/// Whether a provider ends each stream with an event that says so.
const fn needs_terminal(provider: Provider) -> bool {
    matches!(
        provider,
        Provider::Anthropic
            | Provider::OpenAiResponses
            | Provider::Cohere
            | Provider::BedrockConverse
            | Provider::Ollama
            | Provider::LlamaCpp
    )
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// A word as it is meant; at most so much of it as is noted.
fn unescaped(raw: Written<'_>) -> String {
    let raw = &raw.0[..raw.0.len().min(LONGEST_FINISH)];
    let (mut half, mut buffer) = (crate::text::Half::default(), String::new());
    crate::text::undo(raw, &mut half, &mut buffer).text.to_string()
}
