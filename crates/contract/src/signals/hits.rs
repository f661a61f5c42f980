//! What has been found for a target.

use thusfar_core::Span;

use super::number::Decimal;
use super::signal::{Candidate, SignalCode, SignalValue};

/// Different ones that are kept.
pub(super) const MOST: usize = 8;

/// Something that may be a target's value.
#[derive(Clone)]
pub(super) struct Hit {
    pub(super) value: Reading,
    pub(super) span: Span,
    pub(super) standing: Standing,
    pub(super) scale: Option<Span>,
    pub(super) unit: Option<Box<str>>,
    /// Behind the value and all that belongs to it.
    pub(super) end: usize,
    /// The reply ends with it.
    pub(super) is_last: bool,
    /// Where its line ends, once that is known.
    pub(super) line_end: Option<usize>,
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The value of an enumeration or a boolean with this number.
    Value(u32),
    /// A number and its digits.
    Number(Decimal, Box<str>),
    Text(Box<str>),
    /// No value.
    Other(Box<str>),
}

/// Whether it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Sure,
    /// It need not be.
    Doubtful,
    /// A question names it: that says neither yes nor no.
    Asked,
    /// The value is denied: no hit, but it contradicts one.
    Negated,
    /// It stands behind a quote that never closed.
    Quoted,
    /// It is not allowed.
    Refused(SignalCode),
}

impl Reading {
    pub(super) fn is(&self, other: &Reading) -> bool {
        match (self, other) {
            (Reading::Number(left, _), Reading::Number(right, _)) => left == right,
            _ => self == other,
        }
    }

    /// As the caller sees it.
    pub(super) fn value(&self, name: impl Fn(u32) -> SignalValue) -> SignalValue {
        match self {
            Reading::Value(number) => name(*number),
            Reading::Number(_, digits) => SignalValue::Number(digits.clone()),
            Reading::Text(text) | Reading::Other(text) => SignalValue::Text(text.clone()),
        }
    }
}

/// Hits of one kind, the different ones in the order of their places.
#[derive(Clone, Default)]
pub(super) struct Hits {
    list: Vec<Hit>,
    last: Option<Box<Hit>>,
}

impl Hits {
    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.last = None;
    }

    pub(super) fn push(&mut self, hit: Hit) {
        let is_known = self.list.iter().any(|known| known.standing == hit.standing && known.value.is(&hit.value));
        if !is_known && self.list.len() < MOST {
            self.list.push(hit.clone());
        }
        self.last = Some(Box::new(hit));
    }

    /// Takes all of another list.
    pub(super) fn take(&mut self, other: &mut Hits) {
        let last = other.last.take();
        for hit in other.list.drain(..) {
            self.push(hit);
        }
        if last.is_some() {
            self.last = last;
        }
    }

    /// The line of the last one ends, if it has not.
    pub(super) fn end_line(&mut self, end: usize) {
        let Some(last) = self.last.as_deref_mut().filter(|last| last.line_end.is_none()) else { return };
        last.line_end = Some(end);
        let span = last.span;
        if let Some(hit) = self.list.iter_mut().find(|hit| hit.span == span) {
            hit.line_end = Some(end);
        }
    }

    /// Which one is the last.
    pub(super) fn set_last(&mut self, hit: Hit) {
        self.last = Some(Box::new(hit));
    }

    pub(super) fn first(&self) -> Option<&Hit> {
        self.list.first()
    }

    pub(super) fn last(&self) -> Option<&Hit> {
        self.last.as_deref()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Hit> {
        self.list.iter()
    }

    /// Those that are meant, or may be, are in doubt from now on.
    pub(super) fn doubt(&mut self, standing: Standing) {
        let last = self.last.iter_mut().map(|last| &mut **last);
        for hit in self.list.iter_mut().chain(last).filter(|hit| hit.standing == Standing::Sure) {
            hit.standing = standing;
        }
    }

    /// The last hit is in doubt from now on.
    pub(super) fn doubt_last(&mut self) {
        let Some(last) = self.last.as_deref_mut().filter(|last| last.standing == Standing::Sure) else { return };
        last.standing = Standing::Doubtful;
        let span = last.span;
        match self.list.iter().position(|hit| hit.span == span) {
            Some(at) => self.list[at].standing = Standing::Doubtful,
            // Behind an equal one it is not in the list.
            None if self.list.len() < MOST => self.list.push(last.clone()),
            None => {}
        }
    }

    /// Different values, in the order of their places.
    pub(super) fn different(&self) -> Vec<&Hit> {
        let mut different: Vec<&Hit> = Vec::new();
        for hit in self.list.iter().filter(|hit| hit.standing != Standing::Negated) {
            if !different.iter().any(|known| known.value.is(&hit.value)) {
                different.push(hit);
            }
        }
        different.sort_by_key(|hit| hit.span.start);
        different
    }
}

impl Hit {
    pub(super) fn candidate(&self, name: impl Fn(u32) -> SignalValue) -> Candidate {
        Candidate { value: self.value.value(name), span: self.span }
    }
}
