//! Replies and damaged replies as `proptest` strategies.
//!
//! A strategy makes tapes of choices, and a case is what the generators make of them: a shorter tape and smaller numbers are a
//! simpler case, so shrinking works on the tapes alone. Each part of a case has a tape of its own (how it is written, the text
//! around, the document, the repairs, the damage), so that one part becomes simpler and the others stay as they are. A fuzzer can
//! give the tapes as well.

use proptest::collection::vec;
use proptest::prelude::*;
use thusfar_core::Root;

use crate::around::{Around, around};
use crate::damage::{Case, Damaged};
use crate::random::Random;
use crate::shapes::document;
use crate::tree::Tree;
use crate::written::{Look, write};

/// The choices that make a case, part by part.
#[derive(Clone, Debug)]
pub struct Tapes {
    /// How the document is written.
    pub look: Vec<u16>,
    /// The text around it.
    pub around: Vec<u16>,
    /// The document.
    pub document: Vec<u16>,
    /// White space and repairs.
    pub writing: Vec<u16>,
}

impl Tapes {
    /// The case that they make.
    #[must_use]
    pub fn case(self) -> Case {
        parts([self.look, self.around, self.document, self.writing].map(Random::tape))
    }
}

/// A reply and what it means: a small document or a larger one, without repairs to make or with some, and text around it.
pub fn case(random: &mut Random) -> Case {
    parts(core::array::from_fn(|_| Random::new(random.next_number())))
}

fn parts([mut look, mut place, mut shape, mut writing]: [Random; 4]) -> Case {
    let look = if look.chance(60) { Look::dirty(&mut look) } else { Look::clean(&mut look) };
    let around = around(&mut place);
    let small = !shape.chance(20);
    of(&document(&mut shape, small), look, around, &mut writing)
}

/// A case of a document.
pub fn of(tree: &Tree, look: Look, around: Around, random: &mut Random) -> Case {
    let written = write(tree, &look, random);
    Case {
        around,
        text: written.text,
        tokens: written.tokens,
        places: written.places,
        truth: tree.compact(),
        root: if matches!(tree, Tree::List(_)) { Root::Array } else { Root::Object },
        look,
    }
}

fn tapes() -> impl Strategy<Value = Tapes> {
    let tape = |len: core::ops::Range<usize>| vec(any::<u16>(), len);
    let parts = (tape(0..6), tape(0..8), tape(0..150), tape(0..400));
    parts.prop_map(|(look, around, document, writing)| Tapes { look, around, document, writing })
}

/// Replies without damage.
pub fn cases() -> impl Strategy<Value = Case> {
    tapes().prop_map(Tapes::case)
}

/// Damaged replies, each with the case it was made of.
pub fn damaged() -> impl Strategy<Value = (Case, Damaged)> {
    (tapes(), vec(any::<u16>(), 0..40)).prop_map(|(tapes, damage)| {
        let case = tapes.case();
        let damaged = case.one(&mut Random::tape(damage));
        (case, damaged)
    })
}
