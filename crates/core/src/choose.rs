//! Which document: one of several, or none because they differ.
//!
//! A fenced document stands above a bare one, but a different bare one behind the last fence that holds one, or in front of it
//! and alone on its lines, makes the reply ambiguous. Each class keeps its first document and the place where one differs.

use crate::edits::Edits;
use crate::expect::Take;
use crate::failure::Code;
use crate::sink::{Flow, Place};
use crate::span::Span;
use crate::value::equal;

/// The documents of one class: the shortest text of the first value, and where a different one stands.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    first: Option<Span>,
    shortest: Option<Span>,
    differs: Option<Span>,
}

impl Class {
    /// Takes one more; whether all are still equal.
    fn take(&mut self, span: Span, raw: &str, edits: &Edits) -> bool {
        match self.shortest {
            None => {
                self.first = Some(span);
                self.shortest = Some(span);
            }
            Some(_) if self.differs.is_some() => {}
            Some(first) if !same(first, span, raw, edits) => self.differs = Some(span),
            // The next one is compared with the shorter text, so that no long one is read again and again.
            Some(first) if span.len() < first.len() => self.shortest = Some(span),
            Some(_) => {}
        }
        self.differs.is_none()
    }
}

fn same(left: Span, right: Span, raw: &str, edits: &Edits) -> bool {
    left == right || equal(&edits.apply(raw, left), &edits.apply(raw, right))
}

/// All documents that counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    first: Option<Span>,
    last: Option<(Span, Place)>,
    fenced: Class,
    bare: Class,
    /// Bare ones alone on their lines.
    alone: Class,
    /// Bare ones behind the last fence that holds one.
    behind: Class,
    /// The fenced ones and those alone on their lines are known to be equal.
    agree: bool,
}

/// What the choice comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Document(Span, Place),
    /// Different documents; where the first that differs stands.
    Different(usize),
    None,
}

impl Choice {
    /// A document counted. Doomed if no later text can make it one.
    pub(crate) fn document(&mut self, span: Span, place: Place, take: Take, raw: &str, edits: &Edits) -> Flow {
        self.first.get_or_insert(span);
        self.last = Some((span, place));
        if take != Take::Only {
            return Flow::Continue;
        }
        if place == Place::Bare {
            self.bare.take(span, raw, edits);
            self.behind.take(span, raw, edits);
            return Flow::Continue;
        }
        self.behind = Class::default();
        self.fenced.take(span, raw, edits);
        self.doomed(raw, edits)
    }

    /// The last document, a bare one, stands alone on its lines.
    pub(crate) fn alone(&mut self, take: Take, raw: &str, edits: &Edits) -> Flow {
        let Some((span, Place::Bare)) = self.last.filter(|_| take == Take::Only) else { return Flow::Continue };
        self.alone.take(span, raw, edits);
        self.doomed(raw, edits)
    }

    fn doomed(&mut self, raw: &str, edits: &Edits) -> Flow {
        let fence = self.fenced.differs.or_else(|| self.alone_differs(raw, edits));
        // All of a class are equal: once compared is enough.
        self.agree |= fence.is_none() && self.fenced.first.is_some() && self.alone.first.is_some();
        let bare = self.alone.differs.and(self.bare.differs);
        match fence.map(|span| self.first_different(span, raw, edits)).or(bare) {
            Some(span) => Flow::Doom(Code::DifferentDocuments, span.start),
            None => Flow::Continue,
        }
    }

    /// A bare document alone on its lines that differs from the fenced one.
    fn alone_differs(&self, raw: &str, edits: &Edits) -> Option<Span> {
        let (fenced, alone) = (self.fenced.shortest?, self.alone.shortest?);
        if self.agree || same(fenced, alone, raw, edits) { self.alone.differs } else { self.alone.first }
    }

    /// The first document that differs from the fenced one: the given one, or a bare one behind the fence in front of that.
    fn first_different(&self, span: Span, raw: &str, edits: &Edits) -> Span {
        self.behind_differs(raw, edits).filter(|behind| behind.start < span.start).unwrap_or(span)
    }

    /// A bare document behind the last fence that differs from the fenced one.
    fn behind_differs(&self, raw: &str, edits: &Edits) -> Option<Span> {
        let (fenced, behind) = (self.fenced.shortest?, self.behind.shortest?);
        if same(fenced, behind, raw, edits) { self.behind.differs } else { self.behind.first }
    }

    /// The document that begins at an offset, of those that may differ.
    pub(crate) fn at(&self, offset: usize) -> Option<Span> {
        let classes = [&self.fenced, &self.bare, &self.alone, &self.behind];
        let mut spans = classes.into_iter().flat_map(|class| [class.first, class.differs]).flatten();
        spans.find(|span| span.start == offset)
    }

    /// Whether no document has counted.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// The choice, when nothing more comes.
    pub(crate) fn pick(&self, take: Take, raw: &str, edits: &Edits) -> Pick {
        let Some((last, place)) = self.last else { return Pick::None };
        match take {
            Take::Last | Take::Alone => Pick::Document(last, place),
            Take::First => self.first.map_or(Pick::None, |first| Pick::Document(first, place)),
            Take::Only => self.pick_only(raw, edits),
        }
    }

    fn pick_only(&self, raw: &str, edits: &Edits) -> Pick {
        let Some(fenced) = self.fenced.first else {
            return match (self.bare.differs, self.bare.first) {
                (Some(span), _) => Pick::Different(span.start),
                (None, Some(first)) => Pick::Document(first, Place::Bare),
                (None, None) => Pick::None,
            };
        };
        if let Some(span) = self.fenced.differs.or_else(|| self.alone_differs(raw, edits)) {
            return Pick::Different(self.first_different(span, raw, edits).start);
        }
        match self.behind_differs(raw, edits) {
            Some(span) => Pick::Different(span.start),
            None => Pick::Document(fenced, Place::Fenced),
        }
    }
}
