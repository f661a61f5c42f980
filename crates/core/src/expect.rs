//! What the caller expects of a reply: the kind of root, which document, which repairs, which limits.

use crate::limits::Limits;
use crate::repair::RepairKind;

/// The kind of JSON value a reply is expected to carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// One object.
    Object,
    /// One array.
    Array,
    /// An object or an array.
    Any,
    /// The whole reply, one fence and reasoning aside, is one JSON value of any kind.
    Value,
}

/// Which document counts when a reply holds several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Take {
    /// The one document, or several that are equal by value; different ones are ambiguous.
    #[default]
    Only,
    /// The first in time; final once the byte behind it has settled.
    First,
    /// The last in time.
    Last,
    /// Nothing but white space (and one JSON fence) may stand around it.
    Alone,
}

/// What the caller expects; the one argument of [`Reply::new`](crate::Reply::new) and [`read`](crate::read).
///
/// ```
/// use thusfar_core::{Expect, RepairKind, Take};
/// let expect = Expect::object().take(Take::Last).without(RepairKind::BracketKind);
/// assert!(!expect.allows(RepairKind::BracketKind));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expect {
    pub(crate) root: Root,
    pub(crate) take: Take,
    pub(crate) repairs: u8,
    pub(crate) in_reasoning: bool,
    pub(crate) limits: Limits,
}

impl Expect {
    /// Expects a root of the given kind, the only document, all repairs, default limits.
    #[must_use]
    pub fn root(root: Root) -> Self {
        Self { root, take: Take::Only, repairs: u8::MAX, in_reasoning: false, limits: Limits::default() }
    }

    /// Expects one object.
    #[must_use]
    pub fn object() -> Self {
        Self::root(Root::Object)
    }

    /// Expects one array.
    #[must_use]
    pub fn array() -> Self {
        Self::root(Root::Array)
    }

    /// Expects an object or an array.
    #[must_use]
    pub fn any() -> Self {
        Self::root(Root::Any)
    }

    /// Expects the whole reply to be one JSON value of any kind.
    #[must_use]
    pub fn value() -> Self {
        Self::root(Root::Value)
    }

    /// Says which document counts when there are several.
    #[must_use]
    pub fn take(mut self, take: Take) -> Self {
        self.take = take;
        self
    }

    /// Switches one repair off: what it would have undone is malformed.
    #[must_use]
    pub fn without(mut self, kind: RepairKind) -> Self {
        self.repairs &= !(1 << kind as u8);
        self
    }

    /// Says that the prompt already opened a reasoning tag: the reply begins inside reasoning.
    #[must_use]
    pub fn starts_in_reasoning(mut self) -> Self {
        self.in_reasoning = true;
        self
    }

    /// Sets the limits and guards.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether a repair is allowed.
    #[must_use]
    pub fn allows(&self, kind: RepairKind) -> bool {
        self.repairs & (1 << kind as u8) != 0
    }

    /// The kind of root that is expected.
    #[must_use]
    pub fn expected_root(&self) -> Root {
        self.root
    }

    /// Which document counts.
    #[must_use]
    pub fn taken(&self) -> Take {
        self.take
    }

    /// Whether the reply begins inside reasoning.
    #[must_use]
    pub fn begins_in_reasoning(&self) -> bool {
        self.in_reasoning
    }

    /// The limits and guards in force.
    #[must_use]
    pub fn limits_in_force(&self) -> &Limits {
        &self.limits
    }
}
