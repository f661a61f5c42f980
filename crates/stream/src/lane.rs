//! The lanes of a stream: which one a delta belongs to, what is known of it, and what it comes to.
//!
//! A lane is one voice of a choice: its text, its reasoning, a refusal, the arguments of one tool call. A lane of which a
//! document is expected has a [`Reply`](thusfar_core::Reply) of the engine that judges it: tool calls whose arguments are
//! JSON, and text where the caller says so. The others keep their text, or are counted.
//!
//! A lane is open until its choice or the stream has ended, even if its JSON was complete before: text may come that spoils
//! it. The text of two calls is never joined. The numbers that a provider names are keys that are compared, never places.
//! Nothing is allocated for a delta but what its text needs to be kept.

mod limits; // every limit, its name and default
mod outcome; // what a lane comes to
mod patch; // arguments as patches
mod listeners; // who listens
mod judge; // the engine of one lane
mod entry; // one lane
mod find; // which call is meant
mod hear; // a delta given to its lane

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use thusfar_core::{Elements, Ending, Expect, FailureKind, Keep, Listener, Node, Progress, View};

use entry::Entry;
use find::{Found, Named};
use hear::{Ear, Turn, label};
pub use limits::{LaneError, LaneLimits};
pub use listeners::Listeners;
pub(crate) use listeners::SCHEMA_MISMATCH;
pub use outcome::{Fault, FaultCode, LaneFailure, Outcome};

use crate::said::{Args, Call, FinishClass, LaneKind, Written};
use crate::text::Damage;

/// What is expected of the lanes of a stream, and how much of them is kept.
///
/// ```
/// use thusfar_core::{Expect, Keep};
/// use thusfar_stream::LaneOptions;
/// // A gateway that judges text and tool calls, and holds a few kilobytes for each.
/// let expect = Expect::object().keep(Keep::Tail(2048));
/// let options = LaneOptions { text: Some(expect), tool_args: expect, keep: Keep::Nothing, ..LaneOptions::default() };
/// assert_eq!(options.limits.lanes, Some(256));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneOptions {
    /// What the text of each choice is expected to carry; nothing if it is no JSON.
    pub text: Option<Expect>,
    /// What the arguments of each tool call are expected to be. Default: one object, its text kept.
    pub tool_args: Expect,
    /// Of lanes that are not judged: all of their text, or only counts where it says less. Default: all.
    pub keep: Keep,
    /// How the document of a judged lane can be looked at while it comes. Default: not at all, which costs nothing.
    pub watch: Watch,
    /// Who listens to judged lanes. Default: nobody.
    pub listeners: Listeners,
    /// How many lanes, and how much of each.
    pub limits: LaneLimits,
}

/// How the document of a judged lane can be looked at while it comes.
///
/// A lane that is watched keeps all of its text, whatever is said elsewhere of that.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Watch {
    /// Not at all.
    #[default]
    No,
    /// Through [`Lane::view`].
    View,
    /// The same; and the values at a place are told as they close, each once, by
    /// [`SessionEvent::Element`](crate::SessionEvent::Element).
    Elements(Elements),
}

impl Default for LaneOptions {
    fn default() -> Self {
        Self {
            text: None,
            tool_args: Expect::object(),
            keep: Keep::All,
            watch: Watch::No,
            listeners: Listeners::none(),
            limits: LaneLimits::default(),
        }
    }
}

/// What tells a lane from the others of its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaneKey {
    /// The number of the choice.
    pub choice: u32,
    /// Which voice of it.
    pub kind: LaneKind,
    /// Of a tool call: the number that the provider gave it, if no other call of the choice has it; else how many calls came
    /// before, or the next number that is free.
    pub tool: Option<u64>,
}

/// A lane as it stands. `Debug` shows no text, IDs or names.
#[derive(Clone, Copy)]
pub struct Lane<'a> {
    entry: &'a Entry,
}

impl<'a> Lane<'a> {
    /// What tells it from the others.
    #[must_use]
    pub fn key(&self) -> LaneKey {
        LaneKey { choice: self.entry.choice, kind: self.entry.kind, tool: self.entry.tool }
    }

    /// The ID of the tool call, if it has one.
    #[must_use]
    pub fn id(&self) -> Option<&'a str> {
        Some(&*self.entry.id).filter(|id| !id.is_empty())
    }

    /// The name of the tool, if it was told.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        Some(&*self.entry.name).filter(|name| !name.is_empty())
    }

    /// The text so far, as it came, where all of it is kept. Without half a surrogate pair, whose other half may come.
    #[must_use]
    pub fn text(&self) -> Option<&'a str> {
        self.entry.text()
    }

    /// Bytes of its text so far, kept or not.
    #[must_use]
    pub fn text_len(&self) -> u64 {
        self.entry.len
    }

    /// How many deltas had text for it.
    #[must_use]
    pub fn delta_count(&self) -> u64 {
        self.entry.deltas
    }

    /// Bytes of text that came when it had been judged already; they are not part of its text.
    #[must_use]
    pub fn late_len(&self) -> u64 {
        self.entry.late
    }

    /// Whether it is a call of a tool that the provider runs itself.
    #[must_use]
    pub fn is_hosted(&self) -> bool {
        self.entry.is_hosted
    }

    /// Whether the engine judges it: a tool call, unless what its tool is given is plain text, and text where it is expected.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.progress().is_some()
    }

    /// What is known, if it is judged. A complete document is `Closed` until the end: more text may spoil it.
    #[must_use]
    #[inline]
    pub fn progress(&self) -> Option<Progress> {
        self.entry.progress()
    }

    /// Repairs made so far, if it is judged.
    #[must_use]
    pub fn repair_count(&self) -> usize {
        self.entry.repair_count()
    }

    /// The kind of failure it comes to whatever follows, if that is certain.
    #[must_use]
    pub fn doomed(&self) -> Option<FailureKind> {
        self.entry.doomed().map(|(kind, _)| kind)
    }

    /// The stable name of what makes it fail, if that is certain: of a veto, the [listener](Listeners)'s own code.
    #[must_use]
    pub fn doomed_by(&self) -> Option<&'static str> {
        self.entry.doomed().map(|(_, code)| code)
    }

    /// What is known of its document, if it is judged and [watched](Watch), while it is open; nothing once something of its text is lost or
    /// damaged, since what comes then may be more of another value. Behind its end there is the
    /// [`outcome`](Lane::outcome), and of a lane that was cut [`Failure::partial`](thusfar_core::Failure::partial).
    #[must_use]
    pub fn view(&self) -> Option<View<'a>> {
        self.entry.view()
    }

    /// What [listens](Listeners) to it, or did until its end, if that is of this type.
    #[must_use]
    pub fn listener<T: Listener>(&self) -> Option<&'a T> {
        self.entry.listener()?.downcast_ref()
    }

    /// The first damage that its text took on its way.
    #[must_use]
    pub fn damage(&self) -> Option<Damage> {
        self.entry.damage
    }

    /// Whether the provider said that its content block is over. That says nothing about its text.
    #[must_use]
    pub fn is_block_ended(&self) -> bool {
        self.entry.is_ended
    }

    /// What it came to, once nothing more comes, if it is judged.
    #[must_use]
    pub fn outcome(&self) -> Option<&'a Outcome> {
        self.entry.outcome()
    }
}

/// Lengths and states only: never the text.
impl fmt::Debug for Lane<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Lane")
            .field("key", &self.key())
            .field("id_len", &self.entry.id.len())
            .field("name_len", &self.entry.name.len())
            .field("text_len", &self.text_len())
            .field("delta_count", &self.delta_count())
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

/// What a delta changed.
pub(crate) struct Heard<'a> {
    /// The lane, with the delta in it.
    pub(crate) lane: Lane<'a>,
    /// The text that was added. Of patches: the JSON text that they come to.
    pub(crate) text: &'a str,
    /// Whether the delta opened the lane.
    pub(crate) is_new: bool,
    /// What was known before, if the lane is judged.
    pub(crate) before: Option<Progress>,
    /// Those of its elements that were told, if they are wanted.
    pub(crate) elements: Option<&'a mut Elements>,
}

/// All lanes of a stream, in the order in which they were opened.
pub(crate) struct Lanes {
    entries: Vec<Entry>,
    /// Of each lane, if elements are wanted.
    elements: Vec<Elements>,
    options: Arc<LaneOptions>,
    /// Which lane the last delta of text was for: most often the next one is for it too.
    last: usize,
    /// Bytes of text of all lanes.
    len: usize,
    /// Text whose escapes were undone, and patches.
    buffer: String,
    patched: String,
}

impl Lanes {
    /// No lanes yet. The options are shared: a gateway has one for all of its streams.
    pub(crate) fn new(options: Arc<LaneOptions>) -> Self {
        Self {
            entries: Vec::new(),
            elements: Vec::new(),
            options,
            last: 0,
            len: 0,
            buffer: String::new(),
            patched: String::new(),
        }
    }

    /// The lanes, in the order in which they were opened.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Lane<'_>> {
        self.entries.iter().map(|entry| Lane { entry })
    }

    /// Takes more text of a lane that is no tool call. An empty string says nothing, and opens nothing.
    #[inline]
    pub(crate) fn text<'a>(
        &'a mut self,
        choice: u32,
        kind: LaneKind,
        raw: Written<'a>,
    ) -> Result<Option<Heard<'a>>, LaneError> {
        if raw.0.is_empty() {
            return Ok(None);
        }
        let fits = |entry: &Entry| entry.choice == choice && entry.kind == kind;
        let count = self.entries.len();
        if !self.entries.get(self.last).is_some_and(fits) {
            self.last = match self.entries.iter().position(fits) {
                Some(at) => at,
                None => self.open(choice, kind)?,
            };
        }
        let is_new = self.entries.len() > count;
        let ear = self.ear(self.last, is_new);
        // Another block of it.
        ear.entry.is_ended = false;
        ear.string(raw)
    }

    /// Takes what an event says of a tool call. Nothing comes of it where it says nothing of a call that is not there.
    pub(crate) fn tool<'a>(
        &'a mut self,
        choice: u32,
        call: &Call<'a>,
        args: &Args<'a>,
    ) -> Result<Option<Heard<'a>>, LaneError> {
        let mut buffers = [const { String::new() }; 3];
        let [id, item, name] = &mut buffers;
        let labels = [label(call.id, id), label(call.item, item), label(call.name, name)];
        let [(id, _), (item, _), (name, _)] = labels;
        let damage = labels.into_iter().find_map(|(_, damage)| damage);
        let limits = &self.options.limits;
        if let Some(limit) = limits::is_over(id.len().max(item.len()), limits.id_len) {
            return Err(LaneError::IdTooLong(limit));
        }
        if let Some(limit) = limits::is_over(name.len(), limits.name_len) {
            return Err(LaneError::NameTooLong(limit));
        }
        let named = Named { id, item, index: call.index, name, is_new: call.is_new };
        let says_nothing = matches!(args, Args::Nothing | Args::Text(Written(b"")) | Args::Repeat(Written(b"")));
        let found = find::find(&self.entries, choice, &named, args);
        if says_nothing && (named.is_nameless() || found == Found::New && id.is_empty() && name.is_empty()) {
            return Ok(None);
        }
        let (at, doubt) = match found {
            Found::New => (self.open_call(choice, call)?, None),
            Found::At(at) => (at, None),
            Found::Doubt(at, code) => (at, Some(code)),
        };
        let ear = self.ear(at, found == Found::New);
        ear.entry.index = ear.entry.index.or(call.index);
        ear.entry.is_hosted |= call.is_hosted;
        let kept = [&mut ear.entry.id, &mut ear.entry.item, &mut ear.entry.name];
        for (kept, label) in kept.into_iter().zip([id, item, name]) {
            if kept.is_empty() && !label.is_empty() {
                *kept = label.into();
            }
        }
        let offset = ear.entry.len;
        if let Some(damage) = damage {
            ear.entry.damaged(Damage { offset, ..damage });
        }
        if let Some(code) = doubt {
            ear.entry.fail(code, offset);
        }
        ear.arguments(&named, *args)
    }

    /// The provider says that a content block is over. The lane stays open until its choice has ended, but what stood at
    /// the beginning of the block may be its text.
    pub(crate) fn block_end(&mut self, choice: u32, block: u64) -> Result<Option<Heard<'_>>, LaneError> {
        let is_it = |entry: &Entry| entry.choice == choice && entry.index == Some(block);
        if let Some(at) = self.entries.iter().rposition(is_it) {
            return self.ear(at, false).block_end();
        }
        // Text has no number of its own: blocks come one behind the other, so it is the text that came last.
        if let Some(entry) = self.entries.get_mut(self.last) {
            entry.is_ended |= entry.choice == choice && entry.tool.is_none();
        }
        Ok(None)
    }

    /// An event was lost: of no lane that is open and judged it is known that nothing is missing.
    pub(crate) fn lose(&mut self) {
        for entry in &mut self.entries {
            let offset = entry.len;
            entry.fail(FaultCode::LostEvent, offset);
        }
    }

    /// Why a choice ended. Its lanes stay open: some providers say so with each event. The last word counts.
    pub(crate) fn finish(&mut self, choice: u32, class: FinishClass) {
        for entry in self.entries.iter_mut().filter(|entry| entry.choice == choice) {
            entry.finish = Some(class);
        }
    }

    /// Nothing more comes at all. `ending` is for the choices that have not said why they ended.
    /// `on` is told of elements that close with the end.
    pub(crate) fn close(&mut self, ending: Ending, on: &mut dyn FnMut(Lane<'_>, Node<'_>)) {
        for (at, entry) in self.entries.iter_mut().enumerate() {
            entry.close(ending, &self.options, self.elements.get_mut(at), on);
        }
    }

    fn is_watched(&self) -> bool {
        self.options.watch != Watch::No
    }

    /// Opens a lane that is no tool call; its place.
    fn open(&mut self, choice: u32, kind: LaneKind) -> Result<usize, LaneError> {
        let expect = self.options.text.filter(|_| kind == LaneKind::Text);
        self.push(Entry::new(choice, kind, expect, self.options.keep, self.is_watched()))
    }

    /// Opens the lane of a tool call, and gives it the number that tells it from the others; its place.
    fn open_call(&mut self, choice: u32, call: &Call<'_>) -> Result<usize, LaneError> {
        let calls = || self.entries.iter().filter(|entry| entry.choice == choice && entry.tool.is_some());
        let is_free = |number: &u64| calls().all(|entry| entry.tool != Some(*number));
        let count = calls().count() as u64;
        // Of one number more than there are calls, one is free.
        let tool = call.index.filter(is_free).or_else(|| (count..=2 * count).find(is_free));
        let expect = Some(self.options.tool_args).filter(|_| !call.is_free);
        let entry = Entry::new(choice, LaneKind::ToolArgs, expect, self.options.keep, self.is_watched());
        self.push(Entry { tool, index: call.index, ..entry })
    }

    fn push(&mut self, mut entry: Entry) -> Result<usize, LaneError> {
        if let Some(limit) = limits::is_over(self.entries.len() + 1, self.options.limits.lanes) {
            return Err(LaneError::TooManyLanes(limit));
        }
        entry.finish = self.entries.iter().find(|other| other.choice == entry.choice).and_then(|other| other.finish);
        // Most streams have one lane.
        if self.entries.is_empty() {
            self.entries.reserve_exact(1);
        }
        self.entries.push(entry);
        if let Watch::Elements(elements) = &self.options.watch {
            self.elements.push(elements.clone());
        }
        Ok(self.entries.len() - 1)
    }

    /// A lane, to be given a delta.
    #[inline]
    fn ear(&mut self, at: usize, is_new: bool) -> Ear<'_> {
        let entry = &mut self.entries[at];
        let before = if is_new { None } else { entry.progress() };
        let turn = Turn {
            is_new,
            before,
            elements: self.elements.get_mut(at),
            session_len: &mut self.len,
            options: &self.options,
        };
        Ear { entry, turn, buffer: &mut self.buffer, patched: &mut self.patched }
    }
}

/// Lengths and states only: never the text.
impl fmt::Debug for Lanes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests;
