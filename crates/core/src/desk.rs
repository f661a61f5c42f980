//! The desk: what a reply judges as its scanner speaks. Edits, equal keys, which document; by text, or by digest where none is kept.

use alloc::boxed::Box;

use crate::choose::{Choice, Pick, Same};
use crate::edits::Edits;
use crate::expect::Take;
use crate::failure::Code;
use crate::keys::{Closed, Keys, Nth};
use crate::later::{Blank, Later};
use crate::ledger::Ledger;
use crate::sink::{Event, Flow, Piece, Place, Sink};
use crate::span::{MaybeSpan, Span};
use crate::value::equal;

/// What is judged, fed by the scanner.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) edits: Edits,
    /// Instead of both, where no text is kept.
    pub(crate) ledger: Option<Box<Ledger>>,
    pub(crate) choice: Choice,
    /// Edits in front of the candidate that is open.
    mark: usize,
    /// Some warning may be due.
    pub(crate) suspect: bool,
    /// The bare document that counted last, and the first whole one of the other kind.
    pub(crate) last_bare: MaybeSpan,
    pub(crate) other: MaybeSpan,
}

impl Blank for Desk {
    const BLANK: Self = Self {
        edits: Edits::NONE,
        ledger: None,
        choice: Choice::NONE,
        mark: 0,
        suspect: false,
        last_bare: MaybeSpan::NONE,
        other: MaybeSpan::NONE,
    };

    fn blank() -> &'static Self {
        static BLANK: Desk = Desk::BLANK;
        &BLANK
    }
}

impl Desk {
    /// A desk that judges by digest.
    pub(crate) fn by_digest() -> Later<Self> {
        let mut desk = Later::default();
        *desk = Self { ledger: Some(Box::new(Ledger::new())), ..Self::BLANK };
        desk
    }

    /// What the choice comes to, when nothing more comes.
    pub(crate) fn pick(&self, take: Take, raw: &str) -> Pick {
        match &self.ledger {
            Some(ledger) => self.choice.pick(take, &|left, right| ledger.same(left, right)),
            None => self.choice.pick(take, &|left, right| same_text(left, right, raw, &self.edits)),
        }
    }

    /// A document counted.
    fn document(&mut self, span: Span, place: Place, take: Take, raw: &str) -> Flow {
        if place == Place::Bare {
            self.last_bare = span.into();
        }
        self.mark = self.edits.len();
        if let Some(ledger) = &mut self.ledger {
            ledger.document(span, |start| self.choice.holds(start));
        }
        self.judge(raw, |choice, same| choice.document(span, place, take, same))
    }

    fn judge(&mut self, raw: &str, judge: impl FnOnce(&mut Choice, Same<'_>) -> Flow) -> Flow {
        match &self.ledger {
            Some(ledger) => judge(&mut self.choice, &|left, right| ledger.same(left, right)),
            None => judge(&mut self.choice, &|left, right| same_text(left, right, raw, &self.edits)),
        }
    }

    /// Events that a document of the plain kind has few of, edits and candidates aside.
    fn rare(&mut self, event: Event, take: Take, raw: &str) -> Flow {
        match event {
            Event::OtherKind { span } => self.other = span.into(),
            Event::Suspect => self.suspect = true,
            Event::Document { span, place } => return self.document(span, place, take, raw),
            Event::Alone => return self.judge(raw, |choice, same| choice.alone(take, same)),
            Event::Final { opaque } => {
                return match self.pick(take, raw) {
                    Pick::Different(offset) => Flow::Doom(Code::DifferentDocuments, offset),
                    Pick::Document(span, Place::Bare) if opaque => Flow::Doom(Code::OpaqueDocument, span.start),
                    _ => Flow::Continue,
                };
            }
            _ => {}
        }
        Flow::Continue
    }
}

fn same_text(left: Span, right: Span, raw: &str, edits: &Edits) -> bool {
    left == right || equal(&edits.apply(raw, left), &edits.apply(raw, right))
}

/// Whoever is told what the scanner finds: those who judge it, and the sink that listens.
#[derive(Clone)]
pub(crate) struct Judges<S> {
    pub(crate) keys: Keys,
    pub(crate) desk: Later<Desk>,
    pub(crate) take: Take,
    pub(crate) sink: S,
}

/// They at work with the whole text so far.
pub(crate) struct ByText<'a, S> {
    pub(crate) judges: &'a mut Judges<S>,
    pub(crate) raw: &'a str,
}

impl<S> ByText<'_, S> {
    #[inline(never)]
    fn rare(&mut self, event: Event) -> Flow {
        let Judges { keys, desk, take, .. } = &mut *self.judges;
        match event {
            Event::Begin { .. } => {
                keys.clear();
                desk.mark = desk.edits.len();
            }
            Event::Discount => keys.rest(),
            Event::Abandon | Event::PassOver => {
                let mark = desk.mark;
                desk.edits.truncate(mark);
            }
            Event::Edit(edit) => desk.edits.push(edit),
            rare => return desk.rare(rare, *take, self.raw),
        }
        Flow::Continue
    }
}

impl<S: Sink> ByText<'_, S> {
    /// A key that has to be searched for. What an event holds is handed over piece by piece: the usual key makes none.
    #[cold]
    #[inline(never)]
    fn search(&mut self, content: Span, at: usize, end: usize, escaped: bool) -> Flow {
        let event = Event::Key { content, at, end, escaped, second: false };
        match self.judges.keys.search(Closed { content, at, end, escaped }, self.raw) {
            Nth::First => self.judges.sink.event(event),
            Nth::Second => tell_second(event, &mut self.judges.sink),
            Nth::OverLimit => Flow::Break(Code::TooManyKeys, at),
        }
    }
}

impl<S: Sink> Sink for ByText<'_, S> {
    const BYTES: bool = S::BYTES;
    const CONTENT: bool = S::CONTENT;

    #[inline(always)]
    fn event(&mut self, event: Event) -> Flow {
        let Judges { keys, desk, .. } = &mut *self.judges;
        let second = match event {
            Event::StringOpen { .. } | Event::ScalarOpen { .. } | Event::Comma { .. } => None,
            Event::Key { content, at, end, escaped, .. } => {
                if escaped || !keys.is_new(content, at, end, self.raw) {
                    return self.search(content, at, end, escaped);
                }
                None
            }
            Event::String { end, .. } => keys.value(end, self.raw, &desk.edits),
            Event::Number { span } | Event::Literal { span } => keys.value(span.end, self.raw, &desk.edits),
            Event::Open { kind, .. } => {
                keys.open(kind);
                None
            }
            Event::Close { kind, at } => {
                keys.close(kind);
                keys.value(at + 1, self.raw, &desk.edits)
            }
            rare => match self.rare(rare) {
                Flow::Continue => None,
                refused => return refused,
            },
        };
        match second {
            None => self.judges.sink.event(event),
            Some(at) => Flow::Break(Code::DuplicateKey, at),
        }
    }

    #[inline]
    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        self.judges.sink.bytes(piece, span, text);
    }

    #[inline]
    fn content(&mut self, span: Span, text: &str) -> Flow {
        self.judges.sink.content(span, text)
    }

    #[inline(always)]
    fn wants_scalars(&self) -> bool {
        self.judges.keys.has_second() || self.judges.sink.wants_scalars()
    }

    fn refused_with(&self) -> Option<usize> {
        self.judges.sink.refused_with()
    }
}

/// Tells of a key that stood in its object before.
#[cold]
fn tell_second(mut key: Event, sink: &mut impl Sink) -> Flow {
    if let Event::Key { second, .. } = &mut key {
        *second = true;
    }
    match sink.event(key) {
        Flow::Continue => sink.event(Event::SecondKey),
        refused => refused,
    }
}

/// What the digests say of an event.
enum Heard {
    Nothing,
    /// A key that stood in its object before.
    SecondKey,
    /// The value of the second key that stands there has closed and differs.
    Differs(usize),
}

impl From<Option<usize>> for Heard {
    fn from(differs: Option<usize>) -> Self {
        differs.map_or(Heard::Nothing, Heard::Differs)
    }
}

/// The desk at work with nothing but the chunk that is read.
pub(crate) struct ByDigest<'a, S> {
    pub(crate) desk: &'a mut Later<Desk>,
    pub(crate) chunk: &'a str,
    /// Offset of the chunk's first byte.
    pub(crate) base: usize,
    pub(crate) take: Take,
    pub(crate) key_limit: usize,
    pub(crate) sink: &'a mut S,
}

impl<S> ByDigest<'_, S> {
    fn judge(&mut self, event: Event) -> Result<Heard, Flow> {
        let (chunk, base) = (self.chunk, self.base);
        let Some(ledger) = &mut self.desk.ledger else { return Ok(Heard::Nothing) };
        match event {
            Event::StringOpen { at, .. } => ledger.open_text(at),
            Event::ScalarOpen { at, .. } => ledger.open_scalar(at),
            Event::Key { content, at, .. } => match ledger.key(content.end, at, self.key_limit, chunk, base) {
                Nth::First => {}
                Nth::Second => return Ok(Heard::SecondKey),
                Nth::OverLimit => return Err(Flow::Break(Code::TooManyKeys, at)),
            },
            Event::String { content, .. } => return Ok(ledger.text(content.end, chunk, base).into()),
            Event::Number { span } | Event::Literal { span } => return Ok(ledger.scalar(span.end, chunk, base).into()),
            Event::Open { kind, .. } => ledger.open(kind),
            Event::Close { .. } => return Ok(ledger.close().into()),
            Event::Begin { .. } => ledger.begin(),
            Event::Discount => ledger.rest(),
            Event::Edit(edit) => ledger.edit(edit),
            rare => {
                return match self.desk.rare(rare, self.take, "") {
                    Flow::Continue => Ok(Heard::Nothing),
                    refused => Err(refused),
                };
            }
        }
        Ok(Heard::Nothing)
    }
}

impl<S: Sink> Sink for ByDigest<'_, S> {
    const CONTENT: bool = S::CONTENT;

    fn event(&mut self, event: Event) -> Flow {
        match self.judge(event) {
            Ok(Heard::Nothing) => self.sink.event(event),
            Ok(Heard::SecondKey) => tell_second(event, self.sink),
            Ok(Heard::Differs(at)) => Flow::Break(Code::DuplicateKey, at),
            Err(refused) => refused,
        }
    }

    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        if let Some(ledger) = &mut self.desk.ledger {
            ledger.bytes(piece, span, text);
        }
        if S::BYTES {
            self.sink.bytes(piece, span, text);
        }
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        self.sink.content(span, text)
    }

    fn refused_with(&self) -> Option<usize> {
        self.sink.refused_with()
    }
}
