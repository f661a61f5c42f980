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

/// How much of a reply's text is kept while it is read.
///
/// The verdict is the same, repetition aside: outcome, code, offset, the byte at which it was certain. What else can be said:
///
/// | | `All` | `Tail(n)` | `Nothing` |
/// |---|---|---|---|
/// | memory | the reply | n bytes, at most | none of the text |
/// | [`finish`](crate::Reply::finish) gives the document | yes | no: `not_kept` | no: `not_kept` |
/// | [`verdict`](crate::Reply::verdict): place, repair count | yes | yes | yes |
/// | equal keys and documents are judged | by text | by digest (128 bits of SHA-256) | by digest |
/// | exact repetition | periods up to 1 KiB | of at most n/2 and n - 256 bytes; below 8.5 KB it may be told later | not seen |
/// | warnings about the text, repairs with their text, [`resume`](crate::Failure::resume), [`stitch`](crate::Failure::stitch) | yes | no | no |
/// | [`raw`](crate::Reply::raw), excerpt, line and column | yes | of what is kept | no |
/// | path and frames | yes | if the candidate's beginning is kept | no |
///
/// Where not all is kept, a reply keeps what is open: a digest for each key and value of the objects that are open, a bit for each
/// frame. The digests cost more time than the text would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Keep {
    /// All of it.
    #[default]
    All,
    /// The last bytes, so many of them.
    Tail(usize),
    /// None of it.
    Nothing,
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
    pub(crate) keep: Keep,
    pub(crate) limits: Limits,
}

impl Expect {
    /// Expects a root of the given kind, the only document, all repairs, default limits.
    #[must_use]
    pub fn root(root: Root) -> Self {
        Self {
            root,
            take: Take::Only,
            repairs: u8::MAX,
            in_reasoning: false,
            keep: Keep::All,
            limits: Limits::default(),
        }
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

    /// Says how much of the text is kept.
    ///
    /// ```
    /// use thusfar_core::{Ending, Expect, Keep, Reply};
    /// let mut reply = Reply::new(Expect::object().keep(Keep::Tail(4096)));
    /// let _ = reply.push("Here it comes: {\"a\": [1, 2,]}");
    /// let verdict = reply.verdict(Ending::Stop)?;
    /// assert_eq!((verdict.span().start, verdict.repair_count()), (15, 1));
    /// # Ok::<(), thusfar_core::Failure>(())
    /// ```
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
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

    /// How much of the text is kept.
    #[must_use]
    pub fn kept(&self) -> Keep {
        self.keep
    }

    /// The limits and guards in force.
    #[must_use]
    pub fn limits_in_force(&self) -> &Limits {
        &self.limits
    }
}
