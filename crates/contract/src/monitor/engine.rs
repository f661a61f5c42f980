//! The machine: what the scanner tells of a candidate, held against the plans.
//!
//! Values that nobody asks anything of are skipped; so are those whose fate is decided already. What they hold is looked at only as far as a
//! record of it is kept.

mod keys; // keys of objects
mod strings; // content, as it comes

use std::cell::OnceCell;

use serde_json::Value;

use super::MonitorLimits;
use super::kleene::Status;
use super::record::Record;
use super::stack::{Cause, NONE, NOWHERE, Role, Stack};
use super::text::{self, Heard, Text};
use crate::schema::pattern::{Automaton, State};
use crate::schema::program::{Kind, Program, Rest};
use crate::schema::{Id, ROOT, Schema, leaf};
use crate::violation::Violation;

/// Reasons of deaths that are kept, and bytes of the open keys up to which they are.
const MOST_REASONS: usize = 64;
const LONGEST_KEYS: usize = 4 << 10;
/// Values within one another that are compared as a whole: each is read once more.
const MOST_RECORDS: u32 = 8;

/// What the machine reads from.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub(super) schema: &'a Schema,
    pub(super) program: &'a Program,
}

impl<'a> With<'a> {
    pub(super) fn new(schema: &'a Schema) -> Self {
        Self { schema, program: schema.program() }
    }

    /// What the validator says of keywords about a value alone.
    pub(super) fn ask(self, node: Id, value: &Value) -> Option<bool> {
        let leaf = self.schema.table().node(node).leaf.as_deref();
        leaf.map_or(Some(true), |leaf| leaf::ask(leaf, value, self.schema.options()).is_valid)
    }
}

/// A value that is compared: nothing until somebody asks, and then nothing if not all of it is kept.
type Whole = OnceCell<Option<Value>>;

/// The machine's state.
#[derive(Clone)]
pub(super) struct Engine {
    pub(super) stack: Stack,
    pub(super) record: Record,
    /// The string or key that is open, or was last; and the number.
    pub(super) text: Text,
    pub(super) number: String,
    /// The newest keys of all open objects.
    pub(super) keys: String,
    /// What the value that begins next is asked.
    asked: Vec<(u32, Id, Role)>,
    /// Why some instances died, while their values are open.
    pub(super) reasons: Vec<(u32, Box<Violation>)>,
    heard: Vec<(usize, u32, Heard)>,
    /// Of the key that is open: an instance, one of the patterns that its names may match, and how far that is.
    key_states: Vec<(u32, u32, State)>,
    /// Frames that are open in a value that is skipped, itself among them; and a string, number or literal that is.
    skipped: u32,
    skips_leaf: bool,
    /// The value that is skipped, in so many frames that are, belongs to a second key: it is not recorded either.
    mute: Option<u32>,
    /// The key that closed last was there before.
    is_second: bool,
    pub(super) is_key_open: bool,
    in_number: bool,
    key_mark: usize,
    /// Two items that are equal.
    pub(super) equal: (u64, u64),
    /// The value of the frame that is closing.
    pub(super) closing: Option<usize>,
    /// Up to where the text, and the key, that are open are told: behind the character that something died of.
    pub(super) shown: Option<usize>,
    pub(super) key_shown: Option<usize>,
    /// The byte of some content with which something died last.
    pub(super) told_at: usize,
    /// What the root came to.
    pub(super) root: Option<Status>,
    pub(super) violation: Option<Box<Violation>>,
    /// Nothing more is looked at.
    pub(super) is_over: bool,
    /// A comma is never dropped.
    commas_stay: bool,
    limits: MonitorLimits,
}

impl Engine {
    pub(super) fn new(limits: MonitorLimits, commas_stay: bool) -> Self {
        Self {
            stack: Stack::new(limits.instances),
            record: Record::new(limits.text),
            text: Text::default(),
            number: String::new(),
            keys: String::new(),
            asked: Vec::new(),
            reasons: Vec::new(),
            heard: Vec::new(),
            key_states: Vec::new(),
            skipped: 0,
            skips_leaf: false,
            mute: None,
            is_second: false,
            is_key_open: false,
            in_number: false,
            key_mark: 0,
            equal: (0, 0),
            closing: None,
            told_at: 0,
            shown: None,
            key_shown: None,
            root: None,
            violation: None,
            is_over: false,
            commas_stay,
            limits,
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let texts = self.text.text.capacity() + self.number.capacity() + self.keys.capacity();
        self.stack.heap_bytes() + self.record.heap_bytes() + texts
    }

    /// Another candidate begins.
    pub(super) fn begin(&mut self) {
        self.stack.clear();
        if self.stack.frames.capacity() == 0 {
            self.stack.reserve();
            self.keys.reserve(64);
            self.text.text.reserve(64);
        }
        self.record.clear();
        self.text.is_open = false;
        self.keys.clear();
        self.asked.clear();
        self.reasons.clear();
        self.skipped = 0;
        self.skips_leaf = false;
        self.mute = None;
        self.is_second = false;
        self.is_key_open = false;
        self.in_number = false;
        self.closing = None;
        (self.shown, self.key_shown) = (None, None);
        self.root = None;
        self.violation = None;
        self.is_over = false;
    }

    /// A value begins.
    pub(super) fn value(&mut self, with: With<'_>, kind: Kind, at: usize) {
        self.stack.event += 1;
        self.in_number = kind == Kind::Number;
        if self.in_number {
            self.number.clear();
        }
        let mut place = NOWHERE;
        if std::mem::take(&mut self.is_second) {
            self.mute = self.mute.or(Some(self.skipped));
            return self.skip(kind);
        }
        if self.is_recorded() {
            place = self.record.begin(opener(kind));
        }
        if self.skipped > 0 {
            return self.skip(kind);
        }
        self.asked_of(with, at, place);
        if self.is_over {
            return;
        }
        if self.asked.is_empty() {
            return self.skip(kind);
        }
        self.stack.open(kind, false, at);
        self.open(with, kind, at, place);
    }

    /// More is asked than is kept track of.
    fn give_up(&mut self) {
        self.is_over = true;
        self.root = Some(Status::Unknown);
    }

    fn skip(&mut self, kind: Kind) {
        match kind {
            Kind::Object | Kind::Array => self.skipped += 1,
            _ => self.skips_leaf = true,
        }
    }

    /// Works out what is asked of the value that begins.
    fn asked_of(&mut self, with: With<'_>, at: usize, place: usize) {
        match self.stack.frames.len() {
            0 => self.asked.push((NONE, ROOT, Role::Must)),
            depth => {
                if self.stack.frames[depth - 1].kind == Kind::Array {
                    self.stack.frames[depth - 1].newest = place;
                    self.item(with, at);
                }
            }
        }
    }

    /// An item of an array begins.
    fn item(&mut self, with: With<'_>, at: usize) {
        let top = self.stack.frames.len() - 1;
        let frame = &mut self.stack.frames[top];
        let index = frame.count;
        frame.count += 1;
        let offset = if index > 0 { frame.comma } else { at };
        if self.refuse_item(with, top, index, offset) {
            return;
        }
        for i in self.stack.range(top) {
            let instance = &self.stack.instances[i];
            let Some(plan) = &with.program.plan(instance.node).array else { continue };
            if !instance.is_open() {
                continue;
            }
            if let Rest::Schema(id) = plan.of_item(index) {
                self.asked.push((i as u32, id, Role::Must));
            }
            if let Some(contains) = plan.contains {
                self.asked.push((i as u32, contains.item, Role::Contains));
            }
        }
    }

    /// Whether an item with this index ends it all, by its being there.
    fn refuse_item(&mut self, with: With<'_>, top: usize, index: u64, offset: usize) -> bool {
        let mut is_refused = false;
        for i in self.stack.range(top) {
            let instance = &self.stack.instances[i];
            let Some(plan) = &with.program.plan(instance.node).array else { continue };
            if !instance.is_open() {
                continue;
            }
            let cause = match plan.of_item(index) {
                _ if index >= plan.most => Cause::MaxItems,
                Rest::Closed if index < plan.prefix.len() as u64 => Cause::PrefixItem,
                Rest::Closed => Cause::Item,
                _ => continue,
            };
            self.stack.kill(i, cause, offset);
            is_refused = true;
        }
        is_refused && self.sink(with, top, offset)
    }

    /// What has died is handed down from a frame; whether that was the end.
    fn sink(&mut self, with: With<'_>, frame: usize, offset: usize) -> bool {
        if self.stack.sink(with.program, frame, offset) {
            self.die(with);
        } else if !self.stack.bereaved.is_empty() {
            self.keep_reasons(with);
        }
        self.is_over
    }

    /// Keeps why instances died whose death counts only if something else turns out so: the value that they died of will be gone.
    #[cold]
    fn keep_reasons(&mut self, with: With<'_>) {
        for at in std::mem::take(&mut self.stack.bereaved) {
            let frame = self.stack.frames.partition_point(|frame| frame.first <= at) - 1;
            if self.reasons.len() < MOST_REASONS && self.keys.len() <= LONGEST_KEYS {
                let reason = self.reason(with, frame, at as usize);
                self.reasons.push((at, Box::new(reason)));
            }
        }
    }

    fn die(&mut self, with: With<'_>) {
        self.violation = Some(Box::new(self.blame(with)));
        self.root = Some(Status::Dead);
        self.is_over = true;
    }

    /// The frame of a value, or a key, is opened: who asks what.
    fn open(&mut self, with: With<'_>, kind: Kind, at: usize, place: usize) {
        let top = self.stack.frames.len() - 1;
        let mut asked = std::mem::take(&mut self.asked);
        for (parent, node, role) in asked.drain(..) {
            self.stack.ask(with.program, node, parent, role);
        }
        self.asked = asked;
        if self.stack.is_full {
            return self.give_up();
        }
        if kind == Kind::String {
            self.text.begin();
        }
        let mut is_plain = true;
        let (mut wants_record, mut wants_items, mut keeps_reasons) = (false, false, false);
        for i in self.stack.range(top) {
            let instance = &self.stack.instances[i];
            let plan = with.program.plan(instance.node);
            is_plain &= plan.is_simple();
            keeps_reasons |= plan.is_conditional();
            match plan.verdict {
                Some(true) => self.stack.instances[i].local = Status::Valid,
                Some(false) => self.stack.kill(i, Cause::Never, at),
                None if !plan.kinds.has(kind) => {
                    let cause = if plan.by_type.has(kind) { Cause::Listed } else { Cause::Type };
                    self.stack.kill(i, cause, at);
                }
                None if plan.is_content(kind) && !instance.is_tainted => {
                    self.stack.instances[i].local = Status::Valid;
                }
                None => {
                    wants_record |= plan.asks_whole.has(kind);
                    match kind {
                        Kind::String => {
                            let words = plan.text.as_ref().and_then(|text| text.words.as_ref());
                            self.stack.instances[i].high = words.map_or(0, |words| words.len() as u32);
                            let automaton = plan.text.as_ref().and_then(|text| text.automaton.as_ref());
                            self.stack.instances[i].state = automaton.map(Automaton::start);
                            if automaton.is_some_and(|it| Automaton::known(it.start()) == Some(false)) {
                                self.stack.kill(i, Cause::Pattern, at);
                            }
                            self.text.is_kept |= plan.text.as_ref().is_some_and(|text| text.asks_whole);
                        }
                        Kind::Object => {
                            if let Some(object) = &plan.object {
                                self.stack.add_bits(i, object.words.len());
                                self.stack.instances[i].missing = object.required;
                            }
                        }
                        Kind::Array => {
                            wants_items |= plan.array.as_ref().is_some_and(|array| array.is_unique);
                        }
                        _ => {}
                    }
                }
            }
            is_plain &= !self.stack.instances[i].local.is_decided();
        }
        self.stack.frames[top].newest = self.keys.len();
        self.stack.frames[top].keeps_reasons = keeps_reasons;
        if !is_plain && self.sink(with, top, at) {
            return;
        }
        if self.close_decided(top, kind) {
            return;
        }
        if (wants_record || wants_items) && self.record.wanted() < MOST_RECORDS {
            let is_on = self.record.is_on();
            self.record.want();
            self.stack.frames[top].record = if is_on { place } else { self.record.begin(opener(kind)) };
        }
        if wants_items && self.stack.frames[top].record != NOWHERE {
            self.stack.frames[top].items = self.record.open_items();
        }
    }

    /// Takes the newest frame off if what it was asked is decided: the rest of the value is skipped.
    fn close_decided(&mut self, top: usize, kind: Kind) -> bool {
        let edges = &self.stack.edges[self.stack.edges_of(top)];
        let is_decided = edges
            .iter()
            .all(|edge| edge.role != Role::Contains && self.stack.instances[edge.child as usize].status.is_decided());
        if !is_decided {
            return false;
        }
        if top == 0 {
            self.root = Some(Status::Valid);
            self.is_over = true;
        }
        let is_key = self.stack.frames[top].is_key;
        self.take_off();
        if !is_key {
            self.skip(kind);
        }
        true
    }

    /// Takes the newest frame off, with all that belongs to it.
    fn take_off(&mut self) {
        if let Some(frame) = self.stack.top() {
            while self.reasons.last().is_some_and(|(at, _)| *at >= frame.first) {
                self.reasons.pop();
            }
            if frame.record != NOWHERE {
                self.record.release();
            }
            if frame.items != NONE {
                self.record.close_items();
            }
            if frame.kind == Kind::Object {
                self.keys.truncate(frame.newest);
            }
        }
        self.stack.close();
    }

    /// A comma.
    pub(super) fn comma(&mut self, with: With<'_>, at: usize) {
        if self.skipped > 0 {
            return;
        }
        let Some(top) = self.stack.frames.len().checked_sub(1) else { return };
        let frame = &mut self.stack.frames[top];
        frame.comma = at;
        if self.commas_stay && frame.kind == Kind::Array {
            self.stack.event += 1;
            // It is told as the item that it announces.
            let index = self.stack.frames[top].count;
            self.stack.frames[top].count += 1;
            if !self.refuse_item(with, top, index, at) {
                self.stack.frames[top].count = index;
            }
        }
    }

    /// A container closes.
    pub(super) fn close(&mut self, with: With<'_>, kind: Kind, at: usize) {
        if self.is_recorded() {
            self.record.push(if kind == Kind::Object { "}" } else { "]" });
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return self.skipped_over(with, at);
        }
        self.finish(with, at);
    }

    /// A string, number or literal has closed; certain at an offset.
    pub(super) fn leaf(&mut self, with: With<'_>, offset: usize, is_string: bool) {
        if is_string && self.is_recorded() {
            self.record.push("\"");
        }
        self.in_number = false;
        if std::mem::take(&mut self.skips_leaf) || self.skipped > 0 {
            return self.skipped_over(with, offset);
        }
        self.text.is_open = false;
        self.finish(with, offset);
    }

    /// A value that was skipped is over.
    fn skipped_over(&mut self, with: With<'_>, offset: usize) {
        if self.mute == Some(self.skipped) {
            self.mute = None;
        } else if self.skipped == 0 {
            self.item_is_over(with, offset);
        }
    }

    /// Whether what comes is written down.
    fn is_recorded(&self) -> bool {
        self.record.is_on() && self.mute.is_none()
    }

    /// The newest value has closed: what it came to.
    fn finish(&mut self, with: With<'_>, offset: usize) {
        self.stack.event += 1;
        let Some(top) = self.stack.frames.len().checked_sub(1) else { return };
        self.closing = Some(top);
        let whole = OnceCell::new();
        for i in self.stack.range(top) {
            if self.stack.instances[i].local != Status::Pending {
                continue;
            }
            match self.closed(with, top, i, &whole) {
                (Status::Dead, cause) => self.stack.kill(i, cause, offset),
                (status, _) => {
                    let instance = &mut self.stack.instances[i];
                    instance.local = if instance.is_tainted { Status::Unknown } else { status };
                }
            }
        }
        self.stack.settle(with.program, top, offset, true);
        if top == 0 {
            let root = self.stack.edges.first().map(|edge| self.stack.instances[edge.child as usize].status);
            match root {
                Some(Status::Dead) => return self.die(with),
                root => self.root = root,
            }
            self.take_off();
            self.is_over = true;
            return;
        }
        if self.hand_down(with, top, offset) && self.sink(with, top - 1, offset) {
            return;
        }
        self.closing = None;
        let is_key = self.stack.frames[top].is_key;
        self.take_off();
        if !is_key {
            self.item_is_over(with, offset);
        }
    }

    /// What a value has come to counts for those that asked. Whether something died of it.
    fn hand_down(&mut self, with: With<'_>, top: usize, offset: usize) -> bool {
        let mut is_changed = self.stack.apply(top);
        for at in self.stack.edges_of(top) {
            let edge = self.stack.edges[at];
            let status = self.stack.instances[edge.child as usize].status;
            let parent = &mut self.stack.instances[edge.parent as usize];
            match (edge.role, status) {
                (Role::Contains, Status::Valid) => {
                    parent.contained += 1;
                    let plan = with.program.plan(parent.node).array.as_ref().and_then(|array| array.contains);
                    if plan.is_some_and(|plan| plan.most.is_some_and(|most| parent.contained > most)) {
                        self.stack.kill(edge.parent as usize, Cause::MaxContains, offset);
                        is_changed = true;
                    }
                }
                (Role::Contains, Status::Dead) => {}
                (Role::Contains, _) => parent.uncertain += 1,
                (_, Status::Unknown | Status::Pending) => parent.is_tainted = true,
                _ => {}
            }
        }
        is_changed
    }

    /// What the value of a frame, which has closed, is to an instance by itself.
    fn closed(&self, with: With<'_>, top: usize, i: usize, whole: &Whole) -> (Status, Cause) {
        let instance = &self.stack.instances[i];
        let plan = with.program.plan(instance.node);
        let frame = &self.stack.frames[top];
        if plan.is_unsure {
            return (Status::Unknown, Cause::None);
        }
        let mut known = (Status::Valid, Cause::None);
        match frame.kind {
            Kind::Object => known = self.closed_object(with, top, i, whole),
            Kind::Array => known = self.closed_array(with, top, i, whole),
            Kind::String => {
                if let Some(plan) = &plan.text {
                    let (status, cause) = text::close(plan, instance, &self.text);
                    let asked = || self.whole(top, whole).and_then(|value| with.ask(instance.node, value));
                    known = (status.unwrap_or_else(|| Status::of(asked())), cause);
                }
            }
            Kind::Number if plan.asks_numbers => {
                known = (self.compared(with, top, i, whole), Cause::Whole);
            }
            _ => {}
        }
        if plan.asks_unevaluated.has(frame.kind) && known.0 != Status::Dead {
            known = (Status::Unknown, Cause::None);
        }
        known
    }

    fn closed_object(&self, with: With<'_>, top: usize, i: usize, whole: &Whole) -> (Status, Cause) {
        let instance = &self.stack.instances[i];
        let plan = with.program.plan(instance.node);
        if let Some(object) = &plan.object {
            if instance.missing > 0 {
                return (Status::Dead, Cause::Required);
            }
            if self.stack.frames[top].count < object.least {
                return (Status::Dead, Cause::MinProperties);
            }
            let misses = |(word, others): &(u32, Box<[u32]>)| {
                self.stack.has_bit(i, *word) && others.iter().any(|&other| !self.stack.has_bit(i, other))
            };
            if object.dependent.iter().any(misses) {
                return (Status::Dead, Cause::Dependent);
            }
        }
        match plan.asks_whole.has(Kind::Object) {
            true => (self.compared(with, top, i, whole), Cause::Whole),
            false => (Status::Valid, Cause::None),
        }
    }

    fn closed_array(&self, with: With<'_>, top: usize, i: usize, whole: &Whole) -> (Status, Cause) {
        let instance = &self.stack.instances[i];
        let plan = with.program.plan(instance.node);
        let mut asks_whole = plan.asks_whole.has(Kind::Array);
        let mut is_certain = true;
        if let Some(array) = &plan.array {
            let count = self.stack.frames[top].count;
            if count < array.least {
                return (Status::Dead, Cause::MinItems);
            }
            if let Some(contains) = array.contains {
                if instance.contained + instance.uncertain < contains.least {
                    return (Status::Dead, Cause::Contains);
                }
                let may_be_more = contains.most.is_some_and(|most| instance.contained + instance.uncertain > most);
                is_certain = instance.contained >= contains.least && !may_be_more;
            }
            asks_whole |= array.is_unique && count > 1;
        }
        let status = if asks_whole { self.compared(with, top, i, whole) } else { Status::Valid };
        match status {
            Status::Valid if !is_certain => (Status::Unknown, Cause::None),
            status => (status, Cause::Whole),
        }
    }

    /// The value of a frame, which has closed, if all of it is kept. Read once for all that ask.
    fn whole<'w>(&self, top: usize, whole: &'w Whole) -> Option<&'w Value> {
        let read = || match self.stack.frames[top].kind {
            Kind::String => self.text.whole().map(Value::from),
            Kind::Number => serde_json::from_str(&self.number).ok(),
            _ => self.record.value(self.stack.frames[top].record),
        };
        whole.get_or_init(read).as_ref()
    }

    /// What the validator says of a number, or of an array or object that is compared.
    fn compared(&self, with: With<'_>, top: usize, i: usize, whole: &Whole) -> Status {
        let leaf = with.schema.table().node(self.stack.instances[i].node).leaf.as_deref();
        let asked = leaf.zip(self.whole(top, whole));
        Status::of(asked.and_then(|(leaf, value)| leaf::holds(leaf, value, with.schema.options())))
    }

    /// A value has closed: if it is an item of an array whose items must differ, it is compared.
    fn item_is_over(&mut self, with: With<'_>, offset: usize) {
        let Some(top) = self.stack.frames.len().checked_sub(1) else { return };
        let frame = self.stack.frames[top];
        if frame.kind != Kind::Array || frame.items == NONE {
            return;
        }
        let index = frame.count.saturating_sub(1);
        let Some((first, pair)) = self.record.item(frame.items, frame.newest, index) else { return };
        let pair = Value::from(Vec::from(pair));
        if leaf::holds(&with.program.unique, &pair, with.schema.options()) != Some(false) {
            return;
        }
        self.equal = (first, index);
        self.stack.event += 1;
        for i in self.stack.range(top) {
            let plan = with.program.plan(self.stack.instances[i].node);
            if plan.array.as_ref().is_some_and(|array| array.is_unique) {
                self.stack.kill(i, Cause::Unique, offset);
            }
        }
        self.sink(with, top, offset);
    }
}

const fn opener(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "{",
        Kind::Array => "[",
        Kind::String => "\"",
        Kind::Number => "",
        Kind::True => "true",
        Kind::False => "false",
        Kind::Null => "null",
    }
}
