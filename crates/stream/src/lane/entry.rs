//! One lane: its key, what is kept of its text, the engine that judges it, and how it ends.

use alloc::boxed::Box;
use alloc::string::String;

use thusfar_core::{Elements, Ending, Expect, FailureKind, Keep, Listener, Node, Progress, View};

use super::judge::Judge;
use super::limits::{LaneError, is_over};
use super::outcome::{Fault, FaultCode, LaneFailure, Outcome};
use super::patch::Patch;
use super::{Lane, LaneOptions};
use crate::said::{FinishClass, LaneKind};
use crate::text::{Damage, Half};

/// What is kept of a lane.
pub(super) enum Store {
    /// The engine reads it, and keeps what it was told to.
    Judged(Judge),
    /// Its text.
    Kept(String),
    /// Nothing.
    Counted,
    /// It was judged.
    Closed(Box<Closed>),
}

/// A lane that was judged.
pub(super) struct Closed {
    outcome: Outcome,
    /// Where the outcome does not hold the text.
    reply: Option<Judge>,
    /// Who listened, if there is no reply.
    listener: Option<Box<dyn Listener>>,
}

/// One lane.
pub(super) struct Entry {
    pub(super) choice: u32,
    pub(super) kind: LaneKind,
    /// The number that tells a tool call from the others of its choice.
    pub(super) tool: Option<u64>,
    /// The number that the provider gave it.
    pub(super) index: Option<u64>,
    /// Empty where there is none; so are the item, another name of the call that is not shown, and the tool's name.
    pub(super) id: Box<str>,
    pub(super) item: Box<str>,
    pub(super) name: Box<str>,
    pub(super) store: Store,
    /// Whether all of the text is kept.
    pub(super) keeps_all: bool,
    pub(super) half: Half,
    pub(super) patch: Option<Box<Patch>>,
    /// Bytes and deltas of text.
    pub(super) len: u64,
    pub(super) deltas: u64,
    /// Bytes of text that came when it was closed.
    pub(super) late: u64,
    pub(super) damage: Option<Damage>,
    pub(super) fault: Option<Fault>,
    pub(super) finish: Option<FinishClass>,
    /// Something but white space came.
    pub(super) has_ink: bool,
    /// All of its arguments came as one JSON value.
    pub(super) is_whole: bool,
    /// What stood at the beginning of its block. It is its text if no other comes.
    pub(super) placeholder: Option<Box<str>>,
    /// The provider runs the tool itself.
    pub(super) is_hosted: bool,
    /// The provider said that the block or the call is over.
    pub(super) is_ended: bool,
}

/// White space of JSON (RFC 8259, section 2).
pub(super) const fn is_white(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

impl Entry {
    /// A lane of which nothing has come yet. `expect`: what is expected of a lane that is judged.
    pub(super) fn new(choice: u32, kind: LaneKind, expect: Option<Expect>, keep: Keep, is_live: bool) -> Self {
        // A view is of the text.
        let kept = |expect: Expect| if is_live { Keep::All } else { expect.kept() };
        let keep = expect.map_or(keep, kept);
        let store = match (expect, keep) {
            (Some(expect), _) => Store::Judged(Judge::new(expect, is_live)),
            (None, Keep::All) => Store::Kept(String::new()),
            (None, _) => Store::Counted,
        };
        Self {
            choice,
            kind,
            tool: None,
            index: None,
            id: Box::default(),
            item: Box::default(),
            name: Box::default(),
            store,
            keeps_all: keep == Keep::All,
            half: Half::default(),
            patch: None,
            len: 0,
            deltas: 0,
            late: 0,
            damage: None,
            fault: None,
            finish: None,
            has_ink: false,
            is_whole: false,
            placeholder: None,
            is_hosted: false,
            is_ended: false,
        }
    }

    /// What is known of a lane that is judged.
    #[inline]
    pub(super) fn progress(&self) -> Option<Progress> {
        match &self.store {
            Store::Judged(_) if self.fault.is_some() => Some(Progress::Doomed),
            Store::Judged(reply) => Some(reply.progress()),
            Store::Closed(closed) if closed.outcome.is_ok() => Some(Progress::Final),
            Store::Closed(_) => Some(Progress::Doomed),
            Store::Kept(_) | Store::Counted => None,
        }
    }

    /// The kind of failure it comes to and its code, if that is certain.
    pub(super) fn doomed(&self) -> Option<(FailureKind, &'static str)> {
        match (&self.store, self.fault) {
            (Store::Judged(_), Some(fault)) => Some((fault.code.kind(), fault.code.as_str())),
            (Store::Judged(reply), None) => reply.doomed().map(|code| (code.kind(), code.as_str())),
            (Store::Closed(closed), _) => closed.outcome.failure().map(|failure| (failure.kind(), failure.code())),
            (Store::Kept(_) | Store::Counted, _) => None,
        }
    }

    /// Repairs so far.
    pub(super) fn repair_count(&self) -> usize {
        match &self.store {
            Store::Judged(reply) => reply.repair_count(),
            Store::Closed(closed) => match &closed.outcome {
                Outcome::Document(document) => document.repairs().len(),
                Outcome::Verdict(verdict) => verdict.repair_count(),
                _ => 0,
            },
            Store::Kept(_) | Store::Counted => 0,
        }
    }

    /// Whether a document has closed.
    pub(super) fn is_complete(&self) -> bool {
        matches!(&self.store, Store::Judged(reply) if matches!(reply.progress(), Progress::Closed | Progress::Final))
    }

    /// Whether anything came that arguments are made of.
    pub(super) fn has_arguments(&self) -> bool {
        self.has_ink || self.placeholder.is_some() || self.patch.is_some()
    }

    /// The text, where all of it is kept.
    pub(super) fn text(&self) -> Option<&str> {
        let text = match &self.store {
            Store::Kept(text) => Some(text.as_str()),
            Store::Counted => None,
            Store::Judged(reply) => Some(reply.raw()),
            Store::Closed(closed) => match (&closed.reply, &closed.outcome) {
                (Some(reply), _) => Some(reply.raw()),
                (None, Outcome::Document(document)) => Some(document.raw()),
                (None, Outcome::Failure(LaneFailure::Reply(failure))) => Some(failure.raw()),
                _ => None,
            },
        };
        text.filter(|_| self.keeps_all)
    }

    /// What is known of the document of a lane that is judged, while it is open. Nothing behind a fault: the text that comes then is
    /// read on beside what is missing of it.
    pub(super) fn view(&self) -> Option<View<'_>> {
        match &self.store {
            Store::Judged(reply) if self.fault.is_none() => reply.view(),
            _ => None,
        }
    }

    pub(super) fn outcome(&self) -> Option<&Outcome> {
        match &self.store {
            Store::Closed(closed) => Some(&closed.outcome),
            _ => None,
        }
    }

    /// Who listens, or did.
    pub(super) fn listener(&self) -> Option<&dyn Listener> {
        match &self.store {
            Store::Judged(reply) => reply.listener(),
            Store::Closed(closed) => closed.listener.as_deref().or_else(|| closed.reply.as_ref()?.listener()),
            Store::Kept(_) | Store::Counted => None,
        }
    }

    /// Asks who listens, in front of the first text.
    #[cold]
    fn ask(&mut self, options: &LaneOptions) {
        let Store::Judged(reply) = &self.store else { return };
        if let Some(listener) = options.listeners.ask(&Lane { entry: self }, &reply.expect()) {
            if let Store::Judged(reply) = &mut self.store {
                reply.heard_by(listener);
            }
        }
    }

    /// Whatever the text is, there is no document; unless the engine has decided already, or another fault came first.
    pub(super) fn fail(&mut self, code: FaultCode, offset: u64) {
        if self.fault.is_none() && !self.progress().is_some_and(Progress::is_decided) {
            self.fault = Some(Fault { code, offset });
        }
    }

    /// Notes damage at an offset of the lane's text.
    pub(super) fn damaged(&mut self, damage: Damage) {
        self.damage.get_or_insert(damage);
        self.fail(FaultCode::Damaged(damage.kind), damage.offset);
    }

    /// Takes more text; damage in it is told with its offset in the text. Over a limit as much is kept as the limit allows.
    #[inline]
    pub(super) fn take(&mut self, text: &str, damage: Option<Damage>, options: &LaneOptions) -> Result<(), LaneError> {
        if matches!(self.store, Store::Closed(_)) {
            self.late += text.len() as u64;
            return Ok(());
        }
        if self.len == 0 && options.listeners.is_some() && !text.is_empty() {
            self.ask(options);
        }
        if let Some(damage) = damage {
            self.damaged(Damage { offset: damage.offset + self.len, ..damage });
        }
        self.len += text.len() as u64;
        self.has_ink = self.has_ink || !text.bytes().all(|byte| is_white(&byte));
        match &mut self.store {
            Store::Judged(reply) => {
                // A lane that is decided is read no further; its text goes on where all of it is kept.
                let is_decided = self.fault.is_some() || reply.progress().is_decided();
                if !is_decided || self.keeps_all {
                    let _ = reply.push(text);
                }
            }
            Store::Kept(kept) => {
                if let Some(limit) = is_over(kept.len() + text.len(), options.limits.text_len) {
                    let room = limit.saturating_sub(kept.len());
                    let end = (0..=room).rev().find(|&end| text.is_char_boundary(end));
                    kept.push_str(&text[..end.unwrap_or_default()]);
                    return Err(LaneError::TextTooLong(limit));
                }
                kept.push_str(text);
            }
            Store::Counted | Store::Closed(_) => {}
        }
        Ok(())
    }

    /// Nothing more comes. What it comes to, where it is judged; `ending` counts unless the choice has said why it ended.
    /// `elements`, where they are wanted, are told of what closes with the end.
    pub(super) fn close(
        &mut self,
        ending: Ending,
        options: &LaneOptions,
        elements: Option<&mut Elements>,
        on: &mut dyn FnMut(Lane<'_>, Node<'_>),
    ) {
        if matches!(self.store, Store::Closed(_)) {
            return;
        }
        let ending = self.finish.map_or(ending, ending_of);
        let is_normal = matches!(ending, Ending::Stop | Ending::ToolUse);
        if core::mem::take(&mut self.half).is_open() && !matches!(self.store, Store::Judged(_)) {
            // Half a character, which is not there yet in text that was cut, is nothing of a document.
            let _ = self.take("\u{FFFD}", None, options);
        }
        if is_normal && self.fault.is_none() {
            self.complete(options);
        }
        match core::mem::replace(&mut self.store, Store::Counted) {
            Store::Judged(reply) => {
                let last = |view: &View<'_>| {
                    let elements = elements.into_iter();
                    elements.for_each(|elements| {
                        while let Some(element) = elements.next(view) {
                            on(Lane { entry: self }, element);
                        }
                    });
                };
                let closed = self.judge(reply, ending, is_normal, last);
                self.store = Store::Closed(Box::new(closed));
            }
            other => self.store = other,
        }
    }

    /// What the end of a call says without words: the closers behind patches, or what stood at the beginning of its block.
    fn complete(&mut self, options: &LaneOptions) {
        let mut rest = String::new();
        if let Some(patch) = &mut self.patch {
            patch.close(&mut rest);
        } else if !self.has_ink {
            rest = self.placeholder.take().unwrap_or_default().into();
        }
        let _ = self.take(&rest, None, options);
    }

    fn judge(&self, reply: Judge, ending: Ending, is_normal: bool, last: impl FnOnce(&View<'_>)) -> Closed {
        if let Some(fault) = self.fault {
            return Closed { outcome: Outcome::Failure(LaneFailure::Lane(fault)), reply: Some(reply), listener: None };
        }
        if is_normal && self.kind == LaneKind::ToolArgs && !self.has_ink {
            return Closed { outcome: Outcome::NoArguments, reply: Some(reply), listener: None };
        }
        let (answer, listener) = if self.keeps_all {
            let (answer, listener) = reply.finish(ending, last);
            (answer.map(Outcome::Document), listener)
        } else {
            let (answer, listener) = reply.verdict(ending);
            (answer.map(Outcome::Verdict), listener)
        };
        let outcome = answer.unwrap_or_else(|failure| Outcome::Failure(LaneFailure::Reply(failure)));
        Closed { outcome, reply: None, listener }
    }
}

/// What ended the text of a choice.
pub(super) const fn ending_of(class: FinishClass) -> Ending {
    match class {
        FinishClass::Stop => Ending::Stop,
        FinishClass::Tool => Ending::ToolUse,
        FinishClass::Length => Ending::Length,
        FinishClass::Filter => Ending::Filtered,
        // Nothing is left unread of what somebody else aborted, as it is where we cancel.
        FinishClass::Error | FinishClass::Abort => Ending::Failed,
        FinishClass::Unknown => Ending::Unknown,
    }
}
