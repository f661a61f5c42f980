//! The text of each choice, read for signals while it comes; and when what was read makes it useless to read on.

use std::collections::HashMap;

use thusfar_contract::{Extraction, Signals};
use thusfar_core::{Ending, Progress};
use thusfar_stream::{
    Advice, DamageKind, FaultCode, Finish, Lane, LaneKey, LaneKind, Reason, Session, SessionEvent, StreamWarning,
    Summary,
};

use super::offered;
use crate::seen::Damage;
use crate::signalled::Signalled;

/// The signals of a stream.
pub(super) struct Heard {
    signals: Signals,
    /// How many choices were asked for.
    choice_count: u32,
    texts: Vec<Text>,
    /// An event was damaged and is lost: what comes behind it does not go on where the text ended.
    is_lost: bool,
    /// Something has happened that may make it useless to read on.
    is_news: bool,
    /// Why to hang up, and the byte of the body by which that was certain.
    advice: Option<(Reason, u64)>,
}

/// The text of a choice.
struct Text {
    key: LaneKey,
    /// Bytes of it so far.
    len: usize,
    extraction: Extraction,
    progress: Progress,
    damage: Option<Damage>,
}

impl Text {
    /// Takes more of a lane, up to the first damage, unless everything is decided in front of it.
    fn take(&mut self, lane: &Lane<'_>, added: &str) {
        let start = self.len;
        self.len += added.len();
        if self.damage.is_some() {
            return;
        }
        let damage = lane.damage().map(|damage| {
            let offset = usize::try_from(damage.offset()).unwrap_or(usize::MAX).max(start);
            offered::damage_of(FaultCode::Damaged(damage.kind()), offset)
        });
        let whole = damage.and_then(|damage| added.get(..damage.offset - start)).unwrap_or(added);
        self.progress = self.extraction.push(whole);
        self.damaged(damage);
    }

    /// Behind damage nothing is read.
    fn damaged(&mut self, damage: Option<Damage>) {
        if self.progress != Progress::Final && self.damage.is_none() {
            self.damage = damage;
        }
    }

    /// Whether some target can have no value any more, or nothing can change any.
    fn is_decided(&self) -> bool {
        self.progress.is_decided() || self.damage.is_some()
    }
}

impl Heard {
    pub(super) fn new(signals: Signals, choice_count: u32) -> Self {
        Self { signals, choice_count, texts: Vec::new(), is_lost: false, is_news: false, advice: None }
    }

    /// Hears what happens.
    pub(super) fn take(&mut self, event: &SessionEvent<'_>) {
        self.is_news = true;
        match event {
            SessionEvent::Text(lane, added) if lane.key().kind == LaneKind::Text => self.take_text(lane, added),
            SessionEvent::Warning(StreamWarning::DamagedEvent, _) => self.lose(),
            _ => {}
        }
    }

    fn take_text(&mut self, lane: &Lane<'_>, added: &str) {
        let at = self.texts.iter().position(|text| text.key == lane.key()).unwrap_or_else(|| {
            let extraction = self.signals.begin();
            let damage = self.is_lost.then(|| offered::damage_of(FaultCode::LostEvent, 0));
            self.texts.push(Text { key: lane.key(), len: 0, extraction, progress: Progress::Searching, damage });
            self.texts.len() - 1
        });
        let Some(text) = self.texts.get_mut(at) else { return };
        text.take(lane, added);
    }

    /// An event is lost: nobody knows of which choice it was, nor what it said.
    fn lose(&mut self) {
        self.is_lost = true;
        for text in &mut self.texts {
            text.damaged(Some(offered::damage_of(FaultCode::LostEvent, text.len)));
        }
    }

    /// Why to hang up, once that is certain. `advice` is the session's at this byte: it knows of documents and calls, not of signals.
    pub(super) fn hang_up(&mut self, session: &Session, advice: Advice) -> Option<Reason> {
        if std::mem::take(&mut self.is_news) && self.advice.is_none() {
            self.advice = self.reason(session, advice).map(|reason| (reason, session.offset()));
        }
        self.advice.map(|(reason, _)| reason)
    }

    fn reason(&self, session: &Session, advice: Advice) -> Option<Reason> {
        let is_decided = |lane: &Lane<'_>| lane.progress().is_some_and(Progress::is_decided);
        match advice {
            // The body is broken or over a limit, and read no further.
            Advice::Cancel(reason) if reason == Reason::Limit || !session.lanes().any(|lane| is_decided(&lane)) => {
                return Some(reason);
            }
            _ => {}
        }
        let is_open = |lane: Lane<'_>| match lane.key().kind {
            LaneKind::Text => lane.is_judged() && !is_decided(&lane),
            LaneKind::ToolArgs => !is_decided(&lane) && !lane.is_block_ended() && lane.text_len() > 0,
            _ => false,
        };
        let is_everything = self.texts.len() >= self.choice_count as usize && self.texts.iter().all(Text::is_decided);
        if !is_everything || session.lanes().any(is_open) {
            return None;
        }
        match advice {
            _ if self.texts.iter().any(|text| text.progress != Progress::Final) => Some(Reason::Doomed),
            Advice::Cancel(reason) => Some(reason),
            _ => Some(Reason::Final),
        }
    }

    /// Why to hang up, and the byte of the body by which that was certain.
    pub(super) fn advice(&self) -> Option<(Reason, u64)> {
        self.advice
    }

    /// What became of the text of each choice.
    pub(super) fn finish(self, summary: &Summary) -> HashMap<LaneKey, Signalled> {
        let texts = self.texts.into_iter();
        texts
            .map(|mut text| {
                if summary.lanes().any(|lane| lane.key() == text.key && ends_in_half(lane, text.len)) {
                    let code = FaultCode::Damaged(DamageKind::LoneSurrogate);
                    text.damaged(Some(offered::damage_of(code, text.len)));
                }
                let ending = if text.damage.is_some() { Ending::Failed } else { ending(summary, text.key.choice) };
                (text.key, Signalled::new(text.extraction.finish(ending), text.damage))
            })
            .collect()
    }
}

/// Whether the text ends with half of a character, which is added when the lane closes, and not told.
fn ends_in_half(lane: Lane<'_>, heard_len: usize) -> bool {
    lane.text().and_then(|text| text.get(heard_len..)) == Some("\u{FFFD}")
}

/// What ended a choice. One of which nobody said why it ended was cut.
fn ending(summary: &Summary, choice: u32) -> Ending {
    let is_said = |finish: &Finish| finish.choice == choice && !finish.raw.is_empty();
    match offered::ending(summary, choice) {
        Ending::Unknown if !summary.finishes().iter().any(is_said) => Ending::Disconnected,
        ending => ending,
    }
}
