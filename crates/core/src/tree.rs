//! The values of the document that is open, as a flat list: a sink that grows with what the scanner says.
//!
//! # Theory
//!
//! A value is there from the first thing that can be shown of it: a container with its opener, a string with its delimiter, a number
//! or literal when it has ended. Slots stand in the order of the text, a container in front of all it holds, so the list only
//! grows at its end, and what came since a place in it is what stands behind that place. Of the string that is open nothing is
//! noted as it grows: the scanner knows how far it is certain.
//!
//! A list that doubled for ever would be copied whenever it grows, to memory that was never touched, and leave as much behind: what a page
//! of fresh memory costs is then most of what a value does. So it doubles up to a block, and then has one more of these.
//!
//! Which candidate is shown is decided here as the desk decides which document counts: the newest one that would be the document
//! if it goes on as it began. A document that stands is kept until another one counts in its place, and shown until that is certain.
//!
//! Another sink may listen beside it. It is asked first: of what it refuses nothing is noted, as nothing is of what is broken.
//!
//! # Invariants
//!
//! * `standing` is the document that stands, `slots` the candidate that is open; ids count from the first of its own.
//! * Of [`Slots`] all blocks in `full` are full; the newest slot is in `tail`.
//! * `open` holds the containers of the candidate that are open, outermost first; a string that is open is the last slot.
//! * A slot of which `end` is [`OPEN`] is in `open`, or that string.

use alloc::boxed::Box;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::expect::Take;
use crate::sink::{Event, Flow, Kind, Piece, Place, Sink};
use crate::span::Span;

/// The end of a value that is open.
pub(crate) const OPEN: u32 = u32::MAX;
/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

/// What a value is, as far as it is told without the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Object,
    Array,
    String,
    /// A number or literal.
    Scalar,
}

impl Shape {
    pub(crate) const fn is_container(self) -> bool {
        matches!(self, Shape::Object | Shape::Array)
    }
}

impl From<Kind> for Shape {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Object => Shape::Object,
            Kind::Array => Shape::Array,
        }
    }
}

/// One value. 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Its first byte in the raw reply.
    pub(crate) start: u32,
    /// One past its last byte.
    pub(crate) end: u32,
    /// In an object: where the content of its key begins. In an array: its index.
    pub(crate) label: u32,
    /// In an object: the length of the key's content.
    pub(crate) key_len: u32,
    /// The container that it stands in.
    pub(crate) parent: u32,
    /// Of a container: how many values stand directly in it.
    pub(crate) count: u32,
    /// Of a string: where its content ends. Of a container: one past the last slot in it.
    pub(crate) last: u32,
    pub(crate) shape: Shape,
    pub(crate) has_key: bool,
    /// The key holds escapes; the string does.
    pub(crate) is_key_escaped: bool,
    pub(crate) is_escaped: bool,
}

const _: () = assert!(size_of::<Slot>() == 32, "what a value costs is told in the documentation");

/// As many slots as a block holds: half a megabyte.
const BLOCK: usize = 1 << 14;

/// A list of slots that are not moved any more once there are many of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// The newest ones.
    tail: Vec<Slot>,
    /// How many stand in front of these.
    before: usize,
    full: SmallVec<[Box<[Slot]>; 2]>,
}

impl Slots {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.before + self.tail.len()
    }

    /// The slot of a value that is there.
    #[inline(always)]
    pub(crate) fn at(&self, id: u32) -> &Slot {
        match (id as usize).checked_sub(self.before) {
            Some(at) => &self.tail[at],
            None => self.older(id),
        }
    }

    #[inline(never)]
    fn older(&self, id: u32) -> &Slot {
        &self.full[id as usize / BLOCK][id as usize % BLOCK]
    }

    #[inline(always)]
    fn at_mut(&mut self, id: u32) -> &mut Slot {
        match (id as usize).checked_sub(self.before) {
            Some(at) => &mut self.tail[at],
            None => self.older_mut(id),
        }
    }

    #[inline(never)]
    fn older_mut(&mut self, id: u32) -> &mut Slot {
        &mut self.full[id as usize / BLOCK][id as usize % BLOCK]
    }

    #[inline(always)]
    fn push(&mut self, slot: Slot) {
        if self.tail.len() == BLOCK {
            self.begin_block();
        }
        self.tail.push(slot);
    }

    #[cold]
    #[inline(never)]
    fn begin_block(&mut self) {
        let full = core::mem::replace(&mut self.tail, Vec::with_capacity(BLOCK));
        self.before += full.len();
        self.full.push(full.into_boxed_slice());
    }

    fn clear(&mut self) {
        self.tail.clear();
        self.before = 0;
        self.full.clear();
    }
}

/// A key whose value has not begun.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    start: u32,
    len: u32,
    is_escaped: bool,
}

/// What the view of a reply is made of: the sink of a [`Live`](crate::Live) reply. It takes 32 bytes for each value, and no text.
///
/// It is read through [`Live::view`](crate::Reply::view). Where a reply is longer than 4 GiB nothing is shown any more.
///
/// By itself it never vetoes. The sink in it is told everything first, and its veto counts: what it refuses is not shown.
#[derive(Clone)]
pub struct Tree<S: Sink = ()> {
    slots: Slots,
    standing: Slots,
    open: SmallVec<[u32; 8]>,
    /// The last slot is a string that is open.
    in_string: bool,
    key: Key,
    /// In the value of a second key: how many frames are open in it, and one more.
    muted: u32,
    /// Nothing is noted of the candidate.
    is_idle: bool,
    /// The candidate is shown, and not what stands.
    is_shown: bool,
    /// Where the document stands that counts so far.
    stands: Option<Place>,
    /// How often something that was shown has been taken back.
    generation: u32,
    take: Take,
    /// There is more than can be counted.
    is_over: bool,
    sink: S,
}

/// The part of a tree that is shown.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    slots: &'a Slots,
    /// How many of them: one that is growing may be hidden.
    pub(crate) len: usize,
    pub(crate) open: &'a [u32],
    pub(crate) in_string: bool,
    pub(crate) generation: u32,
}

impl<'a> Shown<'a> {
    /// The slot of a value that is there.
    #[inline(always)]
    pub(crate) fn at(&self, id: u32) -> &'a Slot {
        self.slots.at(id)
    }

    #[inline(always)]
    pub(crate) fn get(&self, id: u32) -> Option<&'a Slot> {
        ((id as usize) < self.len).then(|| self.slots.at(id))
    }
}

impl<S: Sink> Tree<S> {
    pub(crate) fn new(take: Take, sink: S) -> Self {
        Self {
            slots: Slots::default(),
            standing: Slots::default(),
            open: SmallVec::new(),
            in_string: false,
            key: Key::default(),
            muted: 0,
            is_idle: true,
            is_shown: false,
            stands: None,
            generation: 0,
            take,
            is_over: false,
            sink,
        }
    }

    /// The sink that listens beside it.
    pub fn inner(&self) -> &S {
        &self.sink
    }

    /// The same, for good.
    pub fn into_inner(self) -> S {
        self.sink
    }

    #[inline]
    pub(crate) fn shown(&self) -> Shown<'_> {
        let generation = self.generation;
        if self.is_shown {
            let slots = &self.slots;
            return Shown { slots, len: slots.len(), open: &self.open, in_string: self.in_string, generation };
        }
        let slots = &self.standing;
        Shown { slots, len: slots.len(), open: &[], in_string: false, generation }
    }

    /// Whether a candidate takes the place of what stands, if it counts.
    fn takes_place(&self, place: Place) -> bool {
        match (self.stands, self.take) {
            (None, _) | (_, Take::Last) => true,
            (Some(stands), _) => stands == Place::Bare && place == Place::Fenced,
        }
    }

    /// The candidate came to nothing, or another one begins.
    fn drop_candidate(&mut self) {
        self.slots.clear();
        self.open.clear();
        self.in_string = false;
        self.muted = 0;
        self.is_idle = true;
        if self.is_shown {
            self.is_shown = false;
            self.generation += 1;
        }
    }

    #[inline(never)]
    fn rare(&mut self, event: Event) {
        match event {
            Event::Begin { .. } => {
                self.drop_candidate();
                self.is_idle = self.is_over;
            }
            Event::Preview { place, certain } if self.takes_place(place) && (certain || self.stands.is_none()) => {
                self.is_shown = !self.is_idle;
                self.generation += u32::from(self.is_shown && self.stands.is_some());
            }
            // A document that stands is left for good, or each piece of code behind it would have all of it told again.
            Event::Preview { place, .. } if self.takes_place(place) => {}
            Event::Document { place, .. } if self.takes_place(place) && !self.is_idle => {
                self.generation += u32::from(self.stands.is_some() && !self.is_shown);
                core::mem::swap(&mut self.slots, &mut self.standing);
                self.slots.clear();
                self.stands = Some(place);
                self.is_shown = false;
                self.is_idle = true;
            }
            Event::Discount | Event::Abandon | Event::PassOver | Event::OtherKind { .. } => self.drop_candidate(),
            Event::Preview { .. } | Event::Document { .. } => self.drop_candidate(),
            Event::SecondKey if self.muted == 0 => self.muted = 1,
            _ => {}
        }
    }

    /// More than can be counted has come: nothing is shown any more.
    #[cold]
    fn give_up(&mut self) {
        self.standing.clear();
        self.is_shown = true;
        self.is_over = true;
        self.drop_candidate();
    }

    /// A value begins; `end` is one past it, if it has ended.
    #[inline(always)]
    fn begin(&mut self, shape: Shape, start: usize, end: Option<usize>) {
        let id = self.slots.len();
        let past = end.unwrap_or(start);
        if past >= OPEN as usize || id >= NONE as usize {
            return self.give_up();
        }
        let parent = self.open.last().copied();
        let mut slot = Slot {
            start: start as u32,
            end: end.map_or(OPEN, |end| end as u32),
            label: 0,
            key_len: 0,
            parent: parent.unwrap_or(NONE),
            count: 0,
            last: OPEN,
            shape,
            has_key: false,
            is_key_escaped: false,
            is_escaped: false,
        };
        if let Some(parent) = parent {
            let container = self.slots.at_mut(parent);
            if container.shape == Shape::Object {
                slot.label = self.key.start;
                slot.key_len = self.key.len;
                slot.has_key = true;
                slot.is_key_escaped = self.key.is_escaped;
            } else {
                slot.label = container.count;
            }
            container.count += 1;
        }
        self.slots.push(slot);
        match shape {
            Shape::Object | Shape::Array => self.open.push(id as u32),
            Shape::String => self.in_string = true,
            Shape::Scalar => {}
        }
    }

    #[inline]
    fn close(&mut self, at: usize) {
        if self.muted > 0 {
            // The frame was the value itself, or stands in it.
            self.muted = if self.muted == 2 { 0 } else { self.muted - 1 };
            return;
        }
        let last = self.slots.len() as u32;
        if at + 1 >= OPEN as usize {
            return self.give_up();
        }
        if let Some(id) = self.open.pop() {
            let slot = self.slots.at_mut(id);
            slot.end = (at + 1) as u32;
            slot.last = last;
        }
    }

    #[inline]
    fn close_string(&mut self, content: Span, end: usize, is_escaped: bool) {
        if end >= OPEN as usize {
            return self.give_up();
        }
        self.in_string = false;
        if let Some(slot) = self.slots.tail.last_mut() {
            slot.last = content.end as u32;
            slot.end = end as u32;
            slot.is_escaped = is_escaped;
        }
    }

    /// Whether a value without frames, which has ended now, is not noted: it belongs to a second key.
    #[inline]
    fn is_muted(&mut self) -> bool {
        let is_muted = self.muted > 0;
        if self.muted == 1 {
            self.muted = 0;
        }
        is_muted
    }

    #[inline(always)]
    fn note(&mut self, event: Event) {
        match event {
            Event::Key { content, escaped, .. } if !self.is_idle => {
                // What has a place beyond 4 GiB is never shown.
                self.key = Key { start: content.start as u32, len: content.len() as u32, is_escaped: escaped };
            }
            Event::StringOpen { at, key: false } if !self.is_idle && self.muted == 0 => {
                self.begin(Shape::String, at, None);
            }
            Event::String { content, end, escaped } if !self.is_idle => {
                if !self.is_muted() {
                    self.close_string(content, end, escaped);
                }
            }
            Event::Number { span } | Event::Literal { span } if !self.is_idle => {
                if !self.is_muted() {
                    self.begin(Shape::Scalar, span.start, Some(span.end));
                }
            }
            Event::Open { kind, at } if !self.is_idle => match self.muted {
                0 => self.begin(kind.into(), at, None),
                _ => self.muted += 1,
            },
            Event::Close { at, .. } if !self.is_idle => self.close(at),
            Event::Key { .. } | Event::StringOpen { .. } | Event::ScalarOpen { .. } | Event::Edit(_) => {}
            Event::String { .. } | Event::Number { .. } | Event::Literal { .. } => {}
            Event::Open { .. } | Event::Close { .. } | Event::Comma { .. } => {}
            rare => self.rare(rare),
        }
    }
}

impl<S: Sink> Sink for Tree<S> {
    const BYTES: bool = S::BYTES;
    const CONTENT: bool = S::CONTENT;

    // Where the scanner tells of something it knows of what: there one arm is left.
    #[inline(always)]
    fn event(&mut self, event: Event) -> Flow {
        let flow = self.sink.event(event);
        if flow == Flow::Continue || is_told(event) {
            self.note(event);
        }
        flow
    }

    #[inline]
    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        self.sink.bytes(piece, span, text);
    }

    #[inline]
    fn content(&mut self, span: Span, text: &str) -> Flow {
        self.sink.content(span, text)
    }

    fn refused_with(&self) -> Option<usize> {
        self.sink.refused_with()
    }
}

/// Whether an event tells what is so already, whatever a sink answers.
const fn is_told(event: Event) -> bool {
    matches!(
        event,
        Event::Discount | Event::Preview { .. } | Event::PassOver | Event::OtherKind { .. } | Event::Abandon
    )
}

/// Counts only: never places.
impl<S: Sink> core::fmt::Debug for Tree<S> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter
            .debug_struct("Tree")
            .field("values", &self.shown().len)
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}
