//! A schema held against a reply while it arrives: what can no longer become valid is told at the earliest byte at which that is certain.
//!
//! # Theory
//!
//! A [`Monitor`] is a sink: it hears what the scanner has recognised, so that the text is read once. Of each value that is open it knows the
//! subschemas that are asked of it, each once ([`stack`]), and what is known of each by Kleene's logic ([`kleene`]): what is not certain is
//! never called so, and spreads upwards as *unknown*, so that the full validator decides it in the end. Strings are narrowed character
//! by character ([`text`]); numbers, formats and whatever is compared as a whole are asked of the validator's own code when they have closed.
//! When the root dies, [`blame`] finds out why.
//!
//! # Invariants
//!
//! * A promise is refused only where no way to go on with it is valid that the engine would accept: with a comma that is dropped before a closer,
//!   and members that come twice with equal values. It ends the search as a broken one does, though a fenced document behind it might have outranked it. The *offset* is that of the byte without which these two could not have helped.
//! * A verdict, where there is one, is the full validator's.

mod kleene; // three-valued logic
mod stack; // the values that are open
mod text; // strings as they come
mod record; // what is compared as a whole
mod engine; // what the scanner tells, acted on
mod blame; // why the root died
mod coverage; // when each keyword is told

use std::fmt;
use std::sync::Arc;

use thusfar_core::{Event, Expect, Flow, Kind, RepairKind, Sink, Span, Take};

use crate::contract::Contract;
use crate::schema::Schema;
use crate::schema::program::Kind as Begun;
use crate::violation::Violation;
pub use coverage::{Coverage, CoverageCounts, Covered};
use engine::{Engine, With};
use kleene::Status;

/// The code of a reply that a [`Monitor`] refuses.
pub(crate) const SCHEMA_MISMATCH: &str = "schema_mismatch";

/// Documents whose verdict is kept: the newest.
const KEPT: usize = 16;

/// How much a [`Monitor`] keeps. Over one of these a keyword, or all of the document, is left to its end; nothing is guessed.
///
/// Besides the instances, of about 100 bytes each, it keeps at most four times `text` and once `keys`: the value that is compared with the canonical text
/// of its items, the string and the number that are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorLimits {
    /// Bytes of a value that is kept to be compared as a whole: arrays of unique items, objects and arrays of an `enum`; of a string with a `format`;
    /// of a number. 64 KiB.
    pub text: usize,
    /// Bytes of the newest keys of all open objects together. Over it the whole document is left to its end. 64 KiB.
    pub keys: usize,
    /// Subschemas applied to all open values together. Over it the whole document is left to its end. 16,384.
    pub instances: usize,
}

impl Default for MonitorLimits {
    fn default() -> Self {
        Self { text: 64 << 10, keys: 64 << 10, instances: 1 << 14 }
    }
}

/// A sink that refuses a reply with the code `schema_mismatch` once no way to go on is valid. Made by [`Contract::monitor`].
///
/// A byte costs time in proportion to the subschemas that are asked of the innermost open value (a few nanoseconds where there are few), a key or closer to
/// those of its object or array. It is to listen to a [`Reply`](thusfar_core::Reply), which knows the keys that come twice.
///
/// ```
/// use thusfar_contract::Contract;
/// use thusfar_core::{Expect, Progress, Reply};
///
/// let contract = Contract::from_schema(r#"{"properties": {"label": {"enum": ["positive", "negative"]}}}"#)?;
/// let expect = Expect::object();
/// let mut reply = Reply::with_sink(expect, contract.monitor(&expect));
/// assert_eq!(reply.push("{\"label\": \"pos"), Progress::Open);
/// assert_eq!(reply.push("sibly"), Progress::Doomed);
/// let violation = reply.sink().violation().expect("it is refused");
/// assert_eq!((violation.path(), violation.offset()), ("/label", 14));
/// assert_eq!(violation.message(), "`/label` must be one of \"positive\", \"negative\"; you returned \"poss...\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Monitor {
    schema: Arc<Schema>,
    engine: Engine,
    is_last: bool,
    /// The candidate may be the document; a refusal ends the reply.
    counts: bool,
    /// Where it begins.
    start: usize,
    is_bound: bool,
    /// What documents came to.
    verdicts: Vec<(Span, Option<bool>, Option<Box<Violation>>)>,
}

impl Contract {
    /// A sink for a [`Reply`](thusfar_core::Reply) that is read with `expect`. Made at the cost of a few hundred bytes.
    #[must_use]
    pub fn monitor(&self, expect: &Expect) -> Monitor {
        self.monitor_with(expect, MonitorLimits::default())
    }

    /// The same with other limits.
    #[must_use]
    pub fn monitor_with(&self, expect: &Expect, limits: MonitorLimits) -> Monitor {
        let commas_stay = !expect.allows(RepairKind::TrailingComma);
        Monitor {
            schema: self.shared(),
            engine: Engine::new(limits, commas_stay),
            is_last: expect.taken() == Take::Last,
            counts: false,
            start: 0,
            is_bound: false,
            verdicts: Vec::new(),
        }
    }
}

impl Monitor {
    /// What the candidate that is open, or the document that came last, breaks.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        let of_last = || self.verdicts.last().and_then(|(_, _, violation)| violation.as_deref());
        self.engine.violation.as_deref().or_else(of_last)
    }

    /// Whether the document at a place of the raw reply is valid; nothing where only the full validator knows.
    #[must_use]
    pub fn verdict(&self, document: Span) -> Option<bool> {
        self.verdicts.iter().find(|(span, ..)| *span == document).and_then(|(_, verdict, _)| *verdict)
    }

    /// What the document at a place of the raw reply breaks, as it was told first.
    #[must_use]
    pub fn violation_of(&self, document: Span) -> Option<&Violation> {
        self.verdicts.iter().find(|(span, ..)| *span == document).and_then(|(_, _, violation)| violation.as_deref())
    }

    /// The most subschemas that were applied to all open values together.
    #[doc(hidden)]
    #[must_use]
    pub fn instances(&self) -> usize {
        self.engine.stack.high_water
    }

    /// Bytes that it holds on the heap, verdicts and violations aside.
    #[doc(hidden)]
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.engine.heap_bytes()
    }

    /// The candidate closed, and counts.
    fn document(&mut self, span: Span) {
        let verdict = match self.engine.root.take().filter(|_| self.start == span.start) {
            Some(Status::Valid) => Some(true),
            Some(Status::Dead) => Some(false),
            _ => None,
        };
        if self.verdicts.len() == KEPT {
            self.verdicts.remove(0);
        }
        self.verdicts.push((span, verdict, self.engine.violation.take()));
        self.drop_candidate();
    }

    fn drop_candidate(&mut self) {
        self.counts = false;
        self.is_bound = false;
        self.engine.violation = None;
    }

    /// The answer to whatever was heard.
    fn answer(&self) -> Flow {
        match &self.engine.violation {
            Some(violation) if self.is_bound && !self.is_last => Flow::veto(SCHEMA_MISMATCH, violation.offset),
            _ => Flow::Continue,
        }
    }

    /// What has to do with candidates.
    fn candidate(&mut self, event: Event) -> Flow {
        match event {
            Event::Begin { at, .. } => {
                self.engine.begin();
                self.start = at;
                self.counts = true;
                self.is_bound = false;
            }
            Event::Promise => {
                self.is_bound = self.counts;
                return self.answer();
            }
            Event::Discount | Event::Abandon | Event::PassOver | Event::OtherKind { .. } => self.drop_candidate(),
            Event::Document { span, .. } => self.document(span),
            _ => {}
        }
        Flow::Continue
    }
}

impl Sink for Monitor {
    const BYTES: bool = false;
    const CONTENT: bool = true;

    fn event(&mut self, event: Event) -> Flow {
        if !self.counts || self.engine.is_over {
            return match self.candidate(event) {
                // A violation in what was no promise is told when it is one.
                Flow::Continue => self.answer(),
                refused => refused,
            };
        }
        let with = With::new(&self.schema);
        let engine = &mut self.engine;
        match event {
            Event::Open { kind, at } => engine.value(with, kind_of(kind), at),
            Event::Close { kind, at } => engine.close(with, kind_of(kind), at),
            Event::StringOpen { at, key: true } => engine.begin_key(with, at),
            Event::StringOpen { at, key: false } => engine.value(with, Begun::String, at),
            Event::ScalarOpen { at, first } => engine.value(with, Begun::of_scalar(first), at),
            Event::Key { end, second, .. } => engine.key(with, end, second),
            Event::String { end, .. } => engine.leaf(with, end - 1, true),
            Event::Number { span } => engine.leaf(with, span.end, false),
            Event::Literal { span } => engine.leaf(with, span.end - 1, false),
            Event::Comma { at } => engine.comma(with, at),
            Event::Edit(_) | Event::SecondKey | Event::Suspect => return Flow::Continue,
            other => return self.candidate(other),
        }
        self.answer()
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        if !self.counts || self.engine.is_over {
            return self.answer();
        }
        self.engine.content(With::new(&self.schema), span, text);
        self.answer()
    }

    fn refused_with(&self) -> Option<usize> {
        Some(self.engine.told_at)
    }
}

const fn kind_of(kind: Kind) -> Begun {
    match kind {
        Kind::Object => Begun::Object,
        Kind::Array => Begun::Array,
    }
}

/// Sizes only: never the text.
impl fmt::Debug for Monitor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Monitor");
        shown
            .field("depth", &self.engine.stack.frames.len())
            .field("violation", &self.violation())
            .finish_non_exhaustive()
    }
}
