//! A learned template: the bytes that the events of one shape have in common, and holes where they differ.
//!
//! # Theory
//!
//! A template is an event that the path scanner has accepted, cut at its holes: `literal hole literal hole … literal`.
//! Another event fits when all its bytes outside the holes are the same and each hole holds what a hole holds: a string
//! up to its closing quote, or one number. The scanner gives the same answer on both, since it would take the same steps:
//! it looks at a string only for its end, and at a number only for its grammar, by the functions used here. So the
//! facts stand at the same places, moved by what the holes in front of them have grown.
//!
//! The values of an event, keys aside, that are strings or numbers are its *scalars*; the bytes between them are its
//! *skeleton*. `true`, `false` and `null` belong to the skeleton, so that events of one skeleton have the same facts.
//!
//! ```text
//! scalars, holes and literals are in order and do not overlap; literals and holes tile the event
//! every string that is more of a lane is a hole from the beginning; any other scalar once it has differed
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::facts::{Fact, Facts, Slot, Written};
use crate::walk::{self, Scalars, number_end, string_end};

/// The longest event that is learned, how many scalars and facts it may have, and how many scalars may be holes.
pub(crate) const LONGEST: usize = 16 << 10;
const MOST_SCALARS: usize = 512;
const MOST_MARKS: usize = 256;
pub(crate) const MOST_HOLES: usize = 64;

/// What a scalar is to the facts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// No fact, though it may stand inside of one.
    Filler,
    /// More of a lane.
    Lane,
    /// Any other fact.
    Fact,
}

/// A string, between its quotes, or a number.
#[derive(Clone, Copy)]
struct Scalar {
    begin: u16,
    end: u16,
    is_string: bool,
    is_hole: bool,
    role: Role,
}

impl Scalar {
    fn range(self) -> Range<usize> {
        usize::from(self.begin)..usize::from(self.end)
    }
}

/// The scalars of the event that is being looked at.
#[derive(Default)]
pub(crate) struct Seen {
    scalars: Vec<Scalar>,
    is_too_much: bool,
}

impl Scalars for Seen {
    #[inline(always)]
    fn see(&mut self, scalar: walk::Scalar) {
        if self.scalars.len() == MOST_SCALARS || scalar.end > LONGEST {
            self.is_too_much = true;
            return;
        }
        let (begin, end) = (scalar.begin as u16, scalar.end as u16);
        self.scalars.push(Scalar { begin, end, is_string: scalar.is_string, is_hole: false, role: Role::Filler });
    }
}

impl Seen {
    pub(crate) fn clear(&mut self) {
        self.scalars.clear();
        self.is_too_much = false;
    }

    #[cfg(test)]
    pub(crate) fn heap_len(&self) -> usize {
        self.scalars.capacity() * size_of::<Scalar>()
    }

    /// Marks which scalars are facts, and makes holes of those that are more of a lane. Says whether the event can be
    /// learned.
    pub(crate) fn settle(&mut self, data: &[u8], facts: &Facts<'_>) -> bool {
        if self.is_too_much || data.len() > LONGEST || facts.len() > MOST_MARKS {
            return false;
        }
        let mut scalars = self.scalars.iter_mut().peekable();
        for fact in facts.iter().filter(|fact| matches!(fact.written, Written::String | Written::Number)) {
            let begin = offset(data, fact.text);
            while scalars.next_if(|scalar| usize::from(scalar.begin) < begin).is_some() {}
            // Two rows may name one value.
            let Some(scalar) = scalars.peek_mut() else { continue };
            scalar.role = if is_lane(fact) || scalar.role == Role::Lane { Role::Lane } else { Role::Fact };
            scalar.is_hole = scalar.role == Role::Lane;
        }
        true
    }
}

/// Where a part of the data stands in them.
fn offset(data: &[u8], part: &[u8]) -> usize {
    part.as_ptr().addr() - data.as_ptr().addr()
}

fn is_lane(fact: &Fact<'_>) -> bool {
    let slots = [Slot::Text, Slot::Reasoning, Slot::Refusal, Slot::Plan, Slot::ToolText];
    fact.written == Written::String && slots.contains(&fact.slot)
}

/// A literal and the hole behind it.
struct Step {
    from: u16,
    to: u16,
    is_string: bool,
}

/// A fact without its text: where it begins and ends in the template's own event, and how many holes lie in front of
/// each of the two.
struct Mark {
    slot: Slot,
    written: Written,
    row: u8,
    place: [u16; 3],
    begin: u16,
    end: u16,
    holes_before: u8,
    holes_until: u8,
}

/// How an event compares with a template of its skeleton.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Another skeleton.
    None,
    /// The same one, and facts differ that are literal.
    OtherFacts,
    /// The same one and the same literal facts.
    SameFacts,
}

/// The bytes of an accepted event, its holes and its facts.
pub(crate) struct Template<P> {
    event: Box<[u8]>,
    scalars: Box<[Scalar]>,
    marks: Box<[Mark]>,
    steps: Vec<Step>,
    /// The literal behind the last hole.
    tail: u16,
    /// No event that fits is shorter.
    least_len: usize,
    /// What is to be done with the text of the one hole that matters.
    plan: Option<(P, usize)>,
}

impl<P: Copy> Template<P> {
    /// A template of an event that was settled. None when it has too many holes.
    pub(crate) fn new(data: &[u8], seen: &Seen, facts: &Facts<'_>) -> Option<Self> {
        let mark = |fact: &Fact<'_>| {
            let begin = offset(data, fact.text) as u16;
            let end = begin + fact.text.len() as u16;
            let Fact { slot, written, row, place, .. } = *fact;
            Mark { slot, written, row, place, begin, end, holes_before: 0, holes_until: 0 }
        };
        let mut template = Self {
            event: data.into(),
            scalars: seen.scalars.as_slice().into(),
            marks: facts.iter().map(mark).collect(),
            steps: Vec::new(),
            tail: 0,
            least_len: 0,
            plan: None,
        };
        template.cut().then_some(template)
    }

    /// Cuts the event at its holes. Says whether there are few enough.
    fn cut(&mut self) -> bool {
        let holes: Vec<Scalar> = self.scalars.iter().copied().filter(|scalar| scalar.is_hole).collect();
        self.steps.clear();
        (self.tail, self.least_len) = (0, self.event.len());
        for hole in &holes {
            self.steps.push(Step { from: self.tail, to: hole.begin, is_string: hole.is_string });
            self.tail = hole.end;
            self.least_len -= hole.range().len() - usize::from(!hole.is_string);
        }
        for mark in &mut self.marks {
            // An empty hole ends where it begins: a fact in it begins in front of it.
            let before = holes.iter().filter(|hole| hole.begin < mark.begin).count();
            let until = holes.iter().filter(|hole| hole.end <= mark.end).count();
            (mark.holes_before, mark.holes_until) = (before as u8, until as u8);
        }
        holes.len() <= MOST_HOLES
    }

    #[cfg(test)]
    pub(crate) fn heap_len(&self) -> usize {
        let fixed = self.event.len() + size_of_val(&*self.scalars) + size_of_val(&*self.marks);
        fixed + self.steps.capacity() * size_of::<Step>()
    }

    pub(crate) fn hole_count(&self) -> usize {
        self.steps.len()
    }

    /// Whether an event fits; tells each hole: its number, and where it begins and ends.
    #[inline(always)]
    fn fit(&self, data: &[u8], mut tell: impl FnMut(usize, usize, usize)) -> bool {
        if data.len() < self.least_len {
            return false;
        }
        let mut at = 0;
        for (number, step) in self.steps.iter().enumerate() {
            let literal = &self.event[usize::from(step.from)..usize::from(step.to)];
            if !data.get(at..).is_some_and(|rest| rest.starts_with(literal)) {
                return false;
            }
            at += literal.len();
            let end = if step.is_string { string_end(data, at) } else { number_end(data, at) };
            let Some(end) = end else { return false };
            tell(number, at, end);
            at = end;
        }
        data.get(at..).is_some_and(|rest| *rest == self.event[usize::from(self.tail)..])
    }

    /// The facts of an event that fits; says whether it does. `ends` is room for the ends of the holes.
    pub(crate) fn facts<'a>(&self, data: &'a [u8], ends: &mut Vec<usize>, facts: &mut Facts<'a>) -> bool {
        ends.clear();
        if !self.fit(data, |_, _, end| ends.push(end)) {
            return false;
        }
        for mark in &self.marks {
            let place = |at: u16, holes: u8| match usize::from(holes).checked_sub(1) {
                None => usize::from(at),
                Some(last) => ends[last] + usize::from(at) - self.hole_end(last),
            };
            let text = &data[place(mark.begin, mark.holes_before)..place(mark.end, mark.holes_until)];
            let Mark { slot, written, row, place, .. } = *mark;
            facts.push(Fact { slot, written, row, place, text });
        }
        true
    }

    /// Where a hole ends in the template's own event: where the next literal begins.
    #[inline(always)]
    fn hole_end(&self, number: usize) -> usize {
        usize::from(self.steps.get(number + 1).map_or(self.tail, |step| step.from))
    }

    /// The plan and the text of its hole, if there is a plan and the event fits.
    #[inline(always)]
    pub(crate) fn quick<'a>(&self, data: &'a [u8]) -> Option<(P, &'a [u8])> {
        let (plan, hole) = self.plan?;
        let mut text = 0..0;
        let fits = self.fit(data, |number, begin, end| {
            if number == hole {
                text = begin..end;
            }
        });
        if fits { Some((plan, data.get(text)?)) } else { None }
    }

    pub(crate) fn has_plan(&self) -> bool {
        self.plan.is_some()
    }

    pub(crate) fn forget_plan(&mut self) {
        self.plan = None;
    }

    /// Attaches a plan if only one fact moves and it is a string in a hole; says whether.
    pub(crate) fn attach(&mut self, plan: P) -> bool {
        self.plan = self.moving_string().map(|hole| (plan, hole));
        self.has_plan()
    }

    /// The hole of the only fact that moves, if it is a string.
    fn moving_string(&self) -> Option<usize> {
        let moving = &self.marks[self.moving_fact()?];
        (moving.written == Written::String).then_some(usize::from(moving.holes_before))
    }

    /// Which fact moves, if it is only one.
    pub(crate) fn moving_fact(&self) -> Option<usize> {
        let moves = |mark: &Mark| mark.holes_before != mark.holes_until;
        let first = self.marks.iter().position(moves)?;
        (!self.marks[first + 1..].iter().any(moves)).then_some(first)
    }

    /// How an event compares that was settled.
    pub(crate) fn likeness(&self, data: &[u8], seen: &Seen) -> Likeness {
        if self.scalars.len() != seen.scalars.len() {
            return Likeness::None;
        }
        let (mut ours, mut theirs, mut likeness) = (0, 0, Likeness::SameFacts);
        for (our, their) in self.scalars.iter().zip(&seen.scalars) {
            // A quote in front tells a string from a number.
            if self.event[ours..our.range().start] != data[theirs..their.range().start] {
                return Likeness::None;
            }
            let differs = !our.is_hole && self.event[our.range()] != data[their.range()];
            if differs && our.role == Role::Fact {
                likeness = Likeness::OtherFacts;
            }
            (ours, theirs) = (our.range().end, their.range().end);
        }
        if self.event[ours..] == data[theirs..] { likeness } else { Likeness::None }
    }

    /// Makes holes of the scalars in which an event of the same skeleton differs. Says whether they are few enough; if
    /// not, the template is of no use any more.
    pub(crate) fn widen(&mut self, data: &[u8], seen: &Seen) -> bool {
        for (our, their) in self.scalars.iter_mut().zip(&seen.scalars) {
            our.is_hole |= self.event[our.range()] != data[their.range()];
        }
        let plan = self.plan.take().map(|(plan, _)| plan);
        let is_cut = self.cut();
        // A plan was made for these literal facts: it is good as long as no other fact moves.
        if let Some(plan) = plan {
            self.attach(plan);
        }
        is_cut
    }

    /// Makes the holes of an event of the same skeleton that it will have soon: the scalars that are holes here and are no
    /// facts.
    pub(crate) fn lend(&self, seen: &mut Seen) {
        for (our, their) in self.scalars.iter().zip(&mut seen.scalars) {
            their.is_hole |= our.is_hole && our.role == Role::Filler;
        }
    }
}
