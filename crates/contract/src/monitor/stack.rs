//! The values that are open, each with the subschemas that are asked of it.
//!
//! # Theory
//!
//! A value that is open is a [`Frame`]; a subschema that is asked of it is an [`Instance`] in the frame, one however many ask it. The
//! instances of a frame stand behind those that they combine (`allOf`, `anyOf`, `oneOf`, `not`, `if`, references), so that one walk in order
//! brings every status up to date. An instance dies by itself (*local*: its own keywords, or a value inside) or by what it combines.
//! An [`Edge`] leads from a value to the instance in the frame below that asks for it: what dies at its upper end dies at its lower one.
//!
//! # Invariants
//!
//! * Everything stands in stacks whose parts belong to the frames in order, so that a value that closes takes its part off each.
//! * A status that is decided never changes, and a frame has an instance for each subschema at most: the work for a frame is bounded by
//!   the square of the schema, and each death is found once.

use super::kleene::Status;
use crate::schema::Id;
use crate::schema::pattern::State;
use crate::schema::program::{Kind, Plan, Program};

/// Nothing: no instance, no offset, no place.
pub(super) const NONE: u32 = u32::MAX;
pub(super) const NOWHERE: usize = usize::MAX;

/// What an instance died of, by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It lives, or what it combines died.
    None,
    /// A value inside it.
    Child,
    Never,
    Type,
    Listed,
    /// A keyword that was asked of the whole value.
    Whole,
    MaxLength,
    MinLength,
    Pattern,
    /// A field that is not allowed: no other is, or its schema is `false`.
    Unknown,
    Forbidden,
    ForbiddenByPattern,
    Name,
    Required,
    Dependent,
    MaxProperties,
    MinProperties,
    MaxItems,
    MinItems,
    /// An item that is not allowed behind the prefix, or in it.
    Item,
    PrefixItem,
    Unique,
    MaxContains,
    Contains,
}

/// A subschema that is asked of a value.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) node: Id,
    pub(super) status: Status,
    pub(super) local: Status,
    pub(super) cause: Cause,
    /// Something that only the validator knows is asked as well.
    pub(super) is_tainted: bool,
    /// The event with which it died.
    pub(super) died: u32,
    /// The offset at which its status, or what it is by itself, was decided.
    pub(super) decided_at: usize,
    /// Where its links begin.
    pub(super) links: u32,
    /// Of a string, or of the key of a closed object: the words that are left.
    pub(super) low: u32,
    pub(super) high: u32,
    /// Of an object: where its bits begin, and how many fields are missing. Of an array: items that `contains` counts.
    pub(super) bits: u32,
    pub(super) missing: u32,
    /// Fields that are there, of those that a closed object allows.
    pub(super) allowed: u32,
    pub(super) contained: u64,
    pub(super) uncertain: u64,
    /// Of the key that is open: where it became certain that no allowed field is left which was not there before.
    pub(super) spent_at: usize,
    /// Of a string: the state of the automaton.
    pub(super) state: Option<State>,
}

impl Instance {
    fn new(node: Id, links: usize) -> Self {
        Self {
            node,
            status: Status::Pending,
            local: Status::Pending,
            cause: Cause::None,
            is_tainted: false,
            died: 0,
            decided_at: NOWHERE,
            links: links as u32,
            low: 0,
            high: 0,
            bits: NONE,
            missing: 0,
            allowed: 0,
            contained: 0,
            uncertain: 0,
            spent_at: NOWHERE,
            state: None,
        }
    }

    /// Whether its own keywords are still asked something.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.local == Status::Pending && self.status != Status::Dead
    }
}

/// What an instance asks a value inside for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// To be valid.
    Must,
    /// To be counted.
    Contains,
    /// To be a name of a field.
    Name,
}

/// From an instance of a value to one of the frame below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) parent: u32,
    pub(super) child: u32,
    pub(super) role: Role,
    pub(super) is_applied: bool,
}

/// A value that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) is_key: bool,
    /// Where the value begins in the raw reply.
    pub(super) start: usize,
    /// The first of its instances, links, edges, bits.
    pub(super) first: u32,
    pub(super) links: u32,
    pub(super) edges: u32,
    pub(super) bits: u32,
    /// Members or items so far, and where the last comma stands.
    pub(super) count: u64,
    pub(super) comma: usize,
    /// Of an object: where the key of its newest member begins, among the keys. Of an array that is compared: the newest item, in the record.
    pub(super) newest: usize,
    /// Of an object: where that key stands in the raw reply.
    pub(super) key_at: usize,
    /// Where its text begins in the record, if that is kept.
    pub(super) record: usize,
    /// What dies in it may come to count later, so that the reason is kept.
    pub(super) keeps_reasons: bool,
    /// Its set of items, if they must differ.
    pub(super) items: u32,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pub(super) frames: Vec<Frame>,
    pub(super) instances: Vec<Instance>,
    pub(super) edges: Vec<Edge>,
    links: Vec<u32>,
    /// Which words of its plan an object has.
    bits: Vec<u64>,
    /// The event that is being acted on.
    pub(super) event: u32,
    /// By subschema: the frame whose instance it last was, and which one.
    slots: Vec<(u32, u32)>,
    /// A number for each frame there ever was.
    serial: u32,
    waiting: Vec<(Id, u32)>,
    /// Instances that died of a value inside just now, whose reason is kept.
    pub(super) bereaved: Vec<u32>,
    /// The most instances there ever were at once.
    pub(super) high_water: usize,
    /// As many as there may be; and whether that was not enough.
    pub(super) most: usize,
    pub(super) is_full: bool,
}

/// A link to an instance that is being made: a ring, of which nothing is known.
const RING: u32 = u32::MAX;
/// In `slots`: being made.
const MAKING: u32 = u32::MAX - 1;

impl Stack {
    /// An empty one, for so many instances at most.
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.instances.clear();
        self.edges.clear();
        self.links.clear();
        self.bits.clear();
        self.bereaved.clear();
        self.waiting.clear();
        self.is_full = false;
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let frames = self.frames.capacity() * size_of::<Frame>() + self.instances.capacity() * size_of::<Instance>();
        let links = self.edges.capacity() * size_of::<Edge>() + self.links.capacity() * size_of::<u32>();
        frames + links + self.bits.capacity() * size_of::<u64>() + self.slots.capacity() * size_of::<(u32, u32)>()
    }

    /// Room for a document of a usual shape.
    pub(super) fn reserve(&mut self) {
        self.frames.reserve(8);
        self.instances.reserve(8);
        self.edges.reserve(8);
        self.bits.reserve(8);
    }

    #[inline]
    pub(super) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The instances of a frame.
    #[inline]
    pub(super) fn range(&self, frame: usize) -> std::ops::Range<usize> {
        let end = self.frames.get(frame + 1).map_or(self.instances.len(), |next| next.first as usize);
        self.frames[frame].first as usize..end
    }

    /// The edges of a frame.
    #[inline]
    pub(super) fn edges_of(&self, frame: usize) -> std::ops::Range<usize> {
        let end = self.frames.get(frame + 1).map_or(self.edges.len(), |next| next.edges as usize);
        self.frames[frame].edges as usize..end
    }

    /// Opens a frame for a value without any instance.
    pub(super) fn open(&mut self, kind: Kind, is_key: bool, start: usize) {
        self.serial = self.serial.wrapping_add(1);
        self.frames.push(Frame {
            kind,
            is_key,
            start,
            first: self.instances.len() as u32,
            links: self.links.len() as u32,
            edges: self.edges.len() as u32,
            bits: self.bits.len() as u32,
            count: 0,
            comma: NOWHERE,
            newest: 0,
            key_at: start,
            record: NOWHERE,
            keeps_reasons: false,
            items: NONE,
        });
    }

    /// Takes the newest frame off.
    pub(super) fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.instances.truncate(frame.first as usize);
            self.links.truncate(frame.links as usize);
            self.edges.truncate(frame.edges as usize);
            self.bits.truncate(frame.bits as usize);
        }
    }

    /// Asks a subschema of the newest value: for an instance of the frame below.
    pub(super) fn ask(&mut self, program: &Program, node: Id, parent: u32, role: Role) {
        let first = self.frames.last().map_or(0, |frame| frame.first as usize);
        if self.is_full || self.instances.len() >= self.most {
            self.is_full = true;
            return;
        }
        let child = if first == self.instances.len() && program.plan(node).is_simple() {
            self.instances.push(Instance::new(node, self.links.len()));
            first as u32
        } else {
            self.instance(program, node, first)
        };
        self.edges.push(Edge { parent, child, role, is_applied: false });
        self.high_water = self.high_water.max(self.instances.len());
    }

    /// The instance of a subschema in the newest frame, made where there is none, with all that it combines in front of it.
    fn instance(&mut self, program: &Program, node: Id, first: usize) -> u32 {
        if self.slots.is_empty() {
            self.slots = vec![(0, 0); program.len()];
        }
        if self.instances.len() == first + 1 {
            // It was made without being noted.
            let only = self.instances[first].node;
            if self.slots[only as usize].0 != self.serial {
                self.slots[only as usize] = (self.serial, first as u32);
            }
        }
        if self.slots[node as usize].0 == self.serial {
            return self.slots[node as usize].1;
        }
        self.waiting.push((node, 0));
        self.slots[node as usize] = (self.serial, MAKING);
        while let Some(&(node, next)) = self.waiting.last() {
            let plan = program.plan(node);
            if let Some(&child) = plan.children.get(next as usize) {
                if let Some(last) = self.waiting.last_mut() {
                    last.1 += 1;
                }
                if self.slots[child as usize].0 != self.serial {
                    self.slots[child as usize] = (self.serial, MAKING);
                    self.waiting.push((child, 0));
                }
                continue;
            }
            self.waiting.pop();
            if self.instances.len() >= self.most {
                self.is_full = true;
                break;
            }
            let mut instance = Instance::new(node, self.links.len());
            for &child in &plan.children {
                let link = self.slots[child as usize].1;
                let is_ring = link == MAKING;
                instance.is_tainted |= is_ring;
                self.links.push(if is_ring { RING } else { link });
            }
            self.slots[node as usize] = (self.serial, self.instances.len() as u32);
            self.instances.push(instance);
        }
        self.slots[node as usize].1
    }

    /// Makes room for so many bits of an object, all unset, for an instance.
    pub(super) fn add_bits(&mut self, at: usize, count: usize) {
        self.instances[at].bits = self.bits.len() as u32;
        self.bits.resize(self.bits.len() + count.div_ceil(64), 0);
    }

    #[inline]
    pub(super) fn has_bit(&self, at: usize, word: u32) -> bool {
        let bits = self.instances[at].bits;
        bits != NONE && self.bits[bits as usize + word as usize / 64] & (1 << (word % 64)) != 0
    }

    /// Sets a bit; whether it was not set.
    #[inline]
    pub(super) fn set_bit(&mut self, at: usize, word: u32) -> bool {
        let bits = self.instances[at].bits as usize;
        let (place, bit) = (&mut self.bits[bits + word as usize / 64], 1 << (word % 64));
        let is_new = *place & bit == 0;
        *place |= bit;
        is_new
    }

    /// An instance dies by itself.
    pub(super) fn kill(&mut self, at: usize, cause: Cause, offset: usize) {
        let event = self.event;
        let instance = &mut self.instances[at];
        if instance.local == Status::Pending {
            instance.local = Status::Dead;
            instance.cause = cause;
            instance.died = event;
            instance.decided_at = offset;
        }
    }

    /// The status of what an instance combines.
    fn linked(&self, instance: &Instance, link: usize) -> (Status, usize) {
        match self.links[instance.links as usize + link] {
            RING => (Status::Unknown, NOWHERE),
            at => (self.instances[at as usize].status, self.instances[at as usize].decided_at),
        }
    }

    /// The instance that a link leads to.
    pub(super) fn link(&self, at: usize, link: usize) -> Option<usize> {
        let at = self.links[self.instances[at].links as usize + link];
        (at != RING).then_some(at as usize)
    }

    /// Brings the statuses of a frame up to date, at an offset. `is_over`: the value has closed.
    pub(super) fn settle(&mut self, program: &Program, frame: usize, offset: usize, is_over: bool) {
        for at in self.range(frame) {
            let instance = &self.instances[at];
            if instance.status.is_decided() {
                continue;
            }
            let plan = program.plan(instance.node);
            let (status, decided_at) = if plan.is_simple() {
                (instance.local, instance.decided_at)
            } else {
                self.combined(plan, at, offset, is_over)
            };
            let event = self.event;
            let instance = &mut self.instances[at];
            instance.status = status;
            match status {
                Status::Dead => {
                    instance.died = event;
                    instance.decided_at = decided_at;
                }
                Status::Valid => instance.decided_at = offset,
                _ => {}
            }
        }
    }

    /// What an instance comes to with all that it combines, and where it died if it is dead.
    fn combined(&self, plan: &Plan, at: usize, offset: usize, is_over: bool) -> (Status, usize) {
        let instance = &self.instances[at];
        let layout = &plan.layout;
        let mut status = instance.local;
        let mut decided_at = if status == Status::Dead { instance.decided_at } else { NOWHERE };
        let mut must = |one: Status, at: usize| {
            status = status.and(one);
            if one == Status::Dead {
                decided_at = decided_at.min(at);
            }
        };
        for link in 0..layout.all {
            let (one, at) = self.linked(instance, link);
            // A subschema that leads back to itself asks nothing new of the value, but what the validator makes of it is its own matter.
            must(if one == Status::Unknown && !is_over { Status::Pending } else { one }, at);
        }
        let open = |one: Status| if one == Status::Unknown && !is_over { Status::Pending } else { one };
        if let Some(any) = &layout.any {
            let (mut status, mut last) = (Status::Dead, 0);
            for link in any.clone() {
                let (one, at) = self.linked(instance, link);
                status = status.or(open(one));
                last = last.max(at);
            }
            must(status, if any.is_empty() { offset } else { last });
        }
        if let Some(one) = &layout.one {
            let status = Status::exactly_one(one.clone().map(|link| open(self.linked(instance, link).0)));
            let is_none = one.clone().all(|link| self.linked(instance, link).0 == Status::Dead);
            let last = one.clone().map(|link| self.linked(instance, link).1).max().unwrap_or(offset);
            must(status, if is_none { last } else { offset });
        }
        if let Some(link) = layout.not {
            let (one, at) = self.linked(instance, link);
            must(open(one).not(), at);
        }
        if let Some(test) = layout.test {
            let branch = |link: Option<usize>| {
                link.map_or((Status::Valid, NOWHERE), |link| {
                    let (one, at) = self.linked(instance, link);
                    (open(one), at)
                })
            };
            let (then, otherwise) = (branch(layout.then), branch(layout.otherwise));
            let (test, at) = self.linked(instance, test);
            let decided_at = match test {
                Status::Valid => at.max(then.1),
                Status::Dead => at.max(otherwise.1),
                _ => then.1.max(otherwise.1),
            };
            must(open(test).choose(then.0, otherwise.0), decided_at);
        }
        let gates = layout.gates..plan.children.len();
        for (link, &word) in gates.zip(&layout.gate_words) {
            let (one, at) = self.linked(instance, link);
            let is_there = self.frame_is_object(instance) && self.has_bit_of(instance, word);
            match (is_there, open(one)) {
                (true, one) => must(one, at.max(offset)),
                (false, Status::Valid) => {}
                (false, _) if is_over || instance.bits == NONE => {}
                (false, _) => must(Status::Pending, NOWHERE),
            }
        }
        if status == Status::Dead && decided_at == NOWHERE {
            decided_at = offset;
        }
        (status, decided_at)
    }

    fn frame_is_object(&self, instance: &Instance) -> bool {
        instance.bits != NONE
    }

    fn has_bit_of(&self, instance: &Instance, word: u32) -> bool {
        self.bits[instance.bits as usize + word as usize / 64] & (1 << (word % 64)) != 0
    }

    /// What has died in a frame dies below, frame by frame. Whether the root has died.
    pub(super) fn sink(&mut self, program: &Program, mut frame: usize, offset: usize) -> bool {
        loop {
            self.settle(program, frame, offset, false);
            if !self.apply(frame) {
                return false;
            }
            if frame == 0 {
                return true;
            }
            frame -= 1;
        }
    }

    /// Hands deaths of a frame down to the frame below; whether there were any. Of the root: whether it is dead.
    pub(super) fn apply(&mut self, frame: usize) -> bool {
        let mut is_changed = false;
        for at in self.edges_of(frame) {
            let Edge { parent, child, role, is_applied } = self.edges[at];
            let child = &self.instances[child as usize];
            if is_applied || child.status != Status::Dead || role == Role::Contains {
                continue;
            }
            let decided_at = child.decided_at;
            self.edges[at].is_applied = true;
            if parent == NONE {
                return true;
            }
            let cause = if role == Role::Name { Cause::Name } else { Cause::Child };
            if self.instances[parent as usize].local == Status::Pending {
                self.kill(parent as usize, cause, decided_at);
                is_changed = true;
                if self.frames[frame - 1].keeps_reasons {
                    self.bereaved.push(parent);
                }
            }
        }
        is_changed
    }
}
