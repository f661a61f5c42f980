//! One delta given to its lane.

use alloc::string::String;

use thusfar_core::{Elements, Progress};

use super::entry::{Entry, is_white};
use super::find::Named;
use super::limits::{LaneError, LaneLimits, is_over};
use super::outcome::FaultCode;
use super::patch::{Piece, Refused};
use super::{Heard, Lane, LaneOptions};
use crate::said::{Args, Written};
use crate::text::{self, Damage, DamageKind, Half, Undone};

/// A lane that is about to hear a delta, and what of its stream is needed for it.
pub(super) struct Ear<'a> {
    pub(super) entry: &'a mut Entry,
    pub(super) turn: Turn<'a>,
    pub(super) buffer: &'a mut String,
    pub(super) patched: &'a mut String,
}

/// What is known beside the lane when the delta comes.
pub(super) struct Turn<'a> {
    pub(super) is_new: bool,
    /// What was known of it.
    pub(super) before: Option<Progress>,
    pub(super) elements: Option<&'a mut Elements>,
    /// Bytes of text of all lanes.
    pub(super) session_len: &'a mut usize,
    pub(super) options: &'a LaneOptions,
}

/// What a patch says, as it is written.
#[derive(Clone, Copy)]
struct Patched<'a> {
    path: Written<'a>,
    value: &'a [u8],
    is_string: bool,
    goes_on: bool,
}

/// No text.
const NONE: Undone<'static> = Undone { text: "", damage: None };

type Hearing<'a> = Result<Option<Heard<'a>>, LaneError>;

impl<'a> Ear<'a> {
    /// A string.
    #[inline]
    pub(super) fn string(self, raw: Written<'a>) -> Hearing<'a> {
        let undone = text::undo(raw.0, &mut self.entry.half, self.buffer);
        give(self.entry, self.turn, undone)
    }

    /// No text.
    fn nothing(self) -> Hearing<'a> {
        give(self.entry, self.turn, NONE)
    }

    /// Arguments of a call.
    pub(super) fn arguments(self, named: &Named<'_>, args: Args<'a>) -> Hearing<'a> {
        match args {
            Args::Nothing => self.nothing(),
            Args::Text(raw) => self.fragment(named, raw),
            Args::Json(raw) => self.json(raw),
            Args::Placeholder(raw) => self.placeholder(raw),
            Args::Repeat(_) if self.entry.len > 0 => self.nothing(),
            Args::Repeat(raw) => self.string(raw),
            Args::Patch { path, value, is_string, goes_on } => self.patch(Patched { path, value, is_string, goes_on }),
        }
    }

    /// More of their text.
    fn fragment(self, named: &Named<'_>, raw: Written<'a>) -> Hearing<'a> {
        let entry = self.entry;
        let undone = text::undo(raw.0, &mut entry.half, self.buffer);
        let first = undone.text.bytes().find(|byte| !is_white(byte));
        // Nothing says whose they are, and those of the latest call are complete: they may be another call's.
        let is_doubtful = named.is_nameless() && first == Some(b'{') && entry.is_complete();
        if first.is_some() && (is_doubtful || entry.is_whole || entry.patch.is_some()) {
            entry.fail(FaultCode::SecondArguments, entry.len);
        }
        give(entry, self.turn, undone)
    }

    /// All of them.
    fn json(self, raw: &'a [u8]) -> Hearing<'a> {
        let entry = self.entry;
        if entry.has_ink {
            entry.fail(FaultCode::SecondArguments, entry.len);
        }
        entry.is_whole = true;
        let undone = text::decode(raw, self.buffer);
        give(entry, self.turn, undone)
    }

    /// What stands at the beginning of their block. It is kept until it is known whether text comes.
    fn placeholder(self, raw: &'a [u8]) -> Hearing<'a> {
        if self.entry.has_ink {
            return self.nothing();
        }
        let undone = text::decode(raw, self.buffer);
        if let Some(held) = &self.entry.placeholder {
            if **held != *undone.text {
                self.entry.fail(FaultCode::SecondArguments, self.entry.len);
            }
            return give(self.entry, self.turn, NONE);
        }
        if let Some(limit) = is_over(undone.text.len(), self.turn.options.limits.text_len) {
            return Err(LaneError::TextTooLong(limit));
        }
        if let Some(limit) =
            is_over(self.turn.session_len.saturating_add(undone.text.len()), self.turn.options.limits.session_len)
        {
            return Err(LaneError::SessionTooLong(limit));
        }
        *self.turn.session_len += undone.text.len();
        self.entry.placeholder = Some(undone.text.into());
        if let Some(damage) = undone.damage {
            self.entry.damaged(damage);
        }
        give(self.entry, self.turn, NONE)
    }

    /// The block is over: what stood at its beginning is the text, if no other came. An empty object stands in front of every
    /// text, and says nothing yet.
    pub(super) fn block_end(self) -> Hearing<'a> {
        self.entry.is_ended = true;
        if self.entry.has_ink || !self.entry.placeholder.as_deref().is_some_and(is_held) {
            return Ok(None);
        }
        // It has been counted.
        let text = self.entry.placeholder.take().unwrap_or_default();
        *self.turn.session_len -= text.len();
        text::clear(self.patched);
        self.patched.push_str(&text);
        let undone = Undone { text: self.patched, damage: None };
        give(self.entry, self.turn, undone)
    }

    /// A patch of them: what it comes to is the text. Behind a fault there is nothing that it could go on with.
    fn patch(self, patched: Patched<'_>) -> Hearing<'a> {
        let has_other = self.entry.has_ink || self.entry.placeholder.as_deref().is_some_and(is_held);
        if self.entry.patch.is_none() && has_other {
            self.entry.fail(FaultCode::SecondArguments, self.entry.len);
        }
        if self.entry.fault.is_some() {
            return self.nothing();
        }
        let entry = self.entry;
        text::clear(self.patched);
        match write(entry, patched, &self.turn.options.limits, self.buffer, self.patched) {
            Ok(()) => {}
            Err(Refused::Fault(FaultCode::Damaged(kind))) => entry.damaged(Damage { kind, offset: entry.len }),
            Err(Refused::Fault(code)) => entry.fail(code, entry.len),
            Err(Refused::Limit(error)) => return Err(error),
        }
        let undone = Undone { text: self.patched, damage: None };
        give(entry, self.turn, undone)
    }
}

/// Writes a patch out.
fn write(
    entry: &mut Entry,
    Patched { path, value, is_string, goes_on }: Patched<'_>,
    limits: &LaneLimits,
    buffer: &mut String,
    out: &mut String,
) -> Result<(), Refused> {
    let mut plain = String::new();
    let (path, damage) = label(Some(path), &mut plain);
    let value = if is_string { text::undo(value, &mut entry.half, buffer) } else { text::decode(value, buffer) };
    // Of a string that is complete nothing may wait.
    let is_cut = is_string && !goes_on && core::mem::take(&mut entry.half).is_open();
    let kind = damage.or(value.damage).map(|damage| damage.kind).or(is_cut.then_some(DamageKind::LoneSurrogate));
    if let Some(kind) = kind {
        return Err(Refused::Fault(FaultCode::Damaged(kind)));
    }
    let piece = Piece { path, value: value.text, is_string, goes_on };
    entry.patch.get_or_insert_default().apply(&piece, limits.patch_len, out)
}

/// Gives text to a lane.
#[inline]
fn give<'a>(
    entry: &'a mut Entry,
    Turn { is_new, before, elements, session_len, options }: Turn<'a>,
    Undone { text, damage }: Undone<'a>,
) -> Hearing<'a> {
    if let Some(limit) = is_over(session_len.saturating_add(text.len()), options.limits.session_len) {
        return Err(LaneError::SessionTooLong(limit));
    }
    *session_len += text.len();
    entry.deltas += u64::from(!text.is_empty());
    entry.take(text, damage, options)?;
    Ok(Some(Heard { lane: Lane { entry }, text, is_new, before, elements }))
}

/// An ID, a name or a path, and damage in it.
#[inline]
pub(super) fn label<'a>(raw: Option<Written<'a>>, buffer: &'a mut String) -> (&'a str, Option<Damage>) {
    let Some(Written(raw)) = raw else { return ("", None) };
    let mut half = Half::default();
    let undone = text::undo(raw, &mut half, buffer);
    let lone = half.is_open().then_some(Damage { kind: DamageKind::LoneSurrogate, offset: 0 });
    (undone.text, undone.damage.or(lone))
}

/// Whether what stands at the beginning of a block is anything but an object without members.
fn is_held(text: &str) -> bool {
    let mut ink = text.bytes().filter(|byte| !is_white(byte));
    !(ink.next() == Some(b'{') && ink.next() == Some(b'}') && ink.next().is_none())
}
