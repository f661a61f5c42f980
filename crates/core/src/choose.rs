//! Which document: one of several, or none because they differ.
//!
//! A fenced document stands above a bare one, but a different bare one behind the last fence that holds one, or in front of it
//! and alone on its lines, makes the reply ambiguous. Each class keeps its first document and the place where one differs.

use crate::expect::Take;
use crate::failure::Code;
use crate::sink::{Flow, Place};
use crate::span::{MaybeSpan, Span};

/// Whether two documents are equal by value.
pub(crate) type Same<'a> = &'a dyn Fn(Span, Span) -> bool;

/// The documents of one class: the shortest text of the first value, and where a different one stands.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    first: MaybeSpan,
    shortest: MaybeSpan,
    differs: MaybeSpan,
}

impl Class {
    const NONE: Self = Self { first: MaybeSpan::NONE, shortest: MaybeSpan::NONE, differs: MaybeSpan::NONE };

    /// Takes one more.
    fn take(&mut self, span: Span, same: Same<'_>) {
        match self.shortest.get() {
            None => {
                self.first = span.into();
                self.shortest = span.into();
            }
            Some(_) if self.differs.get().is_some() => {}
            Some(first) if !same(first, span) => self.differs = span.into(),
            // The next one is compared with the shorter text, so that no long one is read again and again.
            Some(first) if span.len() < first.len() => self.shortest = span.into(),
            Some(_) => {}
        }
    }
}

/// All documents that counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    first: MaybeSpan,
    last: MaybeSpan,
    /// Where the last one stands.
    place: Option<Place>,
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
    pub(crate) const NONE: Self = Self {
        first: MaybeSpan::NONE,
        last: MaybeSpan::NONE,
        place: None,
        fenced: Class::NONE,
        bare: Class::NONE,
        alone: Class::NONE,
        behind: Class::NONE,
        agree: false,
    };

    /// A document counted. Doomed if no later text can make it one.
    pub(crate) fn document(&mut self, span: Span, place: Place, take: Take, same: Same<'_>) -> Flow {
        if self.is_empty() {
            self.first = span.into();
        }
        self.last = span.into();
        self.place = Some(place);
        if take != Take::Only {
            return Flow::Continue;
        }
        if place == Place::Bare {
            self.bare.take(span, same);
            self.behind.take(span, same);
            return Flow::Continue;
        }
        self.behind = Class::default();
        self.fenced.take(span, same);
        self.doomed(same)
    }

    /// The last document, a bare one, stands alone on its lines.
    pub(crate) fn alone(&mut self, take: Take, same: Same<'_>) -> Flow {
        let Some((span, Place::Bare)) = self.last().filter(|_| take == Take::Only) else { return Flow::Continue };
        self.alone.take(span, same);
        self.doomed(same)
    }

    fn doomed(&mut self, same: Same<'_>) -> Flow {
        let fence = self.fenced.differs.get().or_else(|| self.alone_differs(same));
        // All of a class are equal: once compared is enough.
        self.agree |= fence.is_none() && self.fenced.first.get().is_some() && self.alone.first.get().is_some();
        let bare = self.alone.differs.get().and(self.bare.differs.get());
        match fence.map(|span| self.first_different(span, same)).or(bare) {
            Some(span) => Flow::Doom(Code::DifferentDocuments, span.start),
            None => Flow::Continue,
        }
    }

    /// A bare document alone on its lines that differs from the fenced one.
    fn alone_differs(&self, same: Same<'_>) -> Option<Span> {
        let (fenced, alone) = (self.fenced.shortest.get()?, self.alone.shortest.get()?);
        if self.agree || same(fenced, alone) { self.alone.differs.get() } else { self.alone.first.get() }
    }

    /// The first document that differs from the fenced one: the given one, or a bare one behind the fence in front of that.
    fn first_different(&self, span: Span, same: Same<'_>) -> Span {
        self.behind_differs(same).filter(|behind| behind.start < span.start).unwrap_or(span)
    }

    /// A bare document behind the last fence that differs from the fenced one.
    fn behind_differs(&self, same: Same<'_>) -> Option<Span> {
        let (fenced, behind) = (self.fenced.shortest.get()?, self.behind.shortest.get()?);
        if same(fenced, behind) { self.behind.differs.get() } else { self.behind.first.get() }
    }

    /// The document that begins at an offset, of those that may differ.
    pub(crate) fn at(&self, offset: usize) -> Option<Span> {
        let classes = [&self.fenced, &self.bare, &self.alone, &self.behind];
        let mut spans = classes.into_iter().flat_map(|class| [class.first, class.differs]).filter_map(MaybeSpan::get);
        spans.find(|span| span.start == offset)
    }

    /// Whether the document that begins at an offset may still be compared or chosen.
    pub(crate) fn holds(&self, offset: usize) -> bool {
        let classes = [&self.fenced, &self.bare, &self.alone, &self.behind];
        let spans = classes.into_iter().flat_map(|class| [class.first, class.shortest, class.differs]);
        spans.chain([self.first, self.last]).filter_map(MaybeSpan::get).any(|span| span.start == offset)
    }

    /// Whether no document has counted.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.get().is_none()
    }

    /// The document that counted last, and where it stands.
    pub(crate) fn last(&self) -> Option<(Span, Place)> {
        self.last.get().zip(self.place)
    }

    /// The choice, when nothing more comes.
    pub(crate) fn pick(&self, take: Take, same: Same<'_>) -> Pick {
        let Some((last, place)) = self.last() else { return Pick::None };
        match take {
            Take::Last | Take::Alone => Pick::Document(last, place),
            Take::First => self.first.get().map_or(Pick::None, |first| Pick::Document(first, place)),
            Take::Only => self.pick_only(same),
        }
    }

    fn pick_only(&self, same: Same<'_>) -> Pick {
        let Some(fenced) = self.fenced.first.get() else {
            return match (self.bare.differs.get(), self.bare.first.get()) {
                (Some(span), _) => Pick::Different(span.start),
                (None, Some(first)) => Pick::Document(first, Place::Bare),
                (None, None) => Pick::None,
            };
        };
        if let Some(span) = self.fenced.differs.get().or_else(|| self.alone_differs(same)) {
            return Pick::Different(self.first_different(span, same).start);
        }
        match self.behind_differs(same) {
            Some(span) => Pick::Different(span.start),
            None => Pick::Document(fenced, Place::Fenced),
        }
    }
}
