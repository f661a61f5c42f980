//! What the scanner tells whoever listens: events, and what each byte of the reply is.
//!
//! A [`Sink`] has only methods that do nothing by default. It answers an event with a [`Flow`]: go on, or a veto, which
//! ends the search as a broken document does.

use crate::failure::Code;
use crate::repair::RepairKind;
use crate::span::Span;

/// The kind of a frame: `{ }` or `[ ]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `{ }`
    Object,
    /// `[ ]`
    Array,
}

impl Kind {
    pub(crate) const fn opener(self) -> char {
        match self {
            Kind::Object => '{',
            Kind::Array => '[',
        }
    }

    pub(crate) const fn closer(self) -> &'static str {
        match self {
            Kind::Object => "}",
            Kind::Array => "]",
        }
    }
}

/// What a byte of the reply is. The pieces tile the reply: every byte lies in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Piece {
    /// Plain words, and what is inside an opaque code fence.
    Prose,
    /// Reasoning, its tags included.
    Reasoning,
    /// The markers of a code fence with their label.
    Fence,
    /// Text of a document, kept as it is.
    Kept,
    /// Text inside a document that a repair drops.
    Dropped,
    /// Text inside a document that a repair replaces.
    Replaced,
    /// Text whose meaning the following bytes decide; only at the end of what was pushed.
    Held,
}

/// How a document stands in the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In plain words.
    Bare,
    /// In a code fence that counts.
    Fenced,
}

/// One thing the scanner has recognised. Offsets and spans are bytes of the raw reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An opener that may start the document. What follows belongs to it until [`Event::Abandon`] or [`Event::Document`].
    Begin {
        /// The kind of root.
        kind: Kind,
        /// Where the opener stands. For a scalar root: where it starts.
        at: usize,
    },
    /// The candidate cannot be the document, whatever follows: code, quoted text, the other kind of root. It is read all the same.
    Discount,
    /// The candidate is the document if it goes on as it began: a promise, or the first thing of the reply or of a fence. Told once
    /// of a candidate at most, behind its beginning; [`Event::Discount`] takes it back. The answer does not count.
    Preview {
        /// Where it stands.
        place: Place,
        /// Whether it counts when it closes, and fails the reply when it breaks: nothing but that takes it back.
        certain: bool,
    },
    /// From here on the reply fails where the candidate is refused: nothing but the document can have been meant. Told once of a candidate at
    /// most, in front of what makes it so; [`Event::Discount`] takes it back.
    Promise,
    /// The candidate came to nothing: all since its beginning was text.
    Abandon,
    /// The candidate closed, but does not count.
    PassOver,
    /// The candidate closed; it is a whole document of the other kind.
    OtherKind {
        /// Its text.
        span: Span,
    },
    /// A frame opened.
    Open {
        /// Its kind.
        kind: Kind,
        /// Where the opener stands.
        at: usize,
    },
    /// A frame closed.
    Close {
        /// Its kind.
        kind: Kind,
        /// Where the closer stands.
        at: usize,
    },
    /// A string opened.
    StringOpen {
        /// Where its delimiter stands.
        at: usize,
        /// Whether it is a key.
        key: bool,
    },
    /// A number or literal began.
    ScalarOpen {
        /// Where its first character stands.
        at: usize,
        /// That character.
        first: u8,
    },
    /// A comma between members or elements; or in front of a closer, where a repair may drop it.
    Comma {
        /// Where it stands.
        at: usize,
    },
    /// A key closed.
    Key {
        /// Its content, without the delimiters.
        content: Span,
        /// Where the opening delimiter stands.
        at: usize,
        /// One past the closing delimiter.
        end: usize,
        /// Whether the content holds escapes or raw control characters.
        escaped: bool,
        /// Whether it stood in its object before. Known to a [`Reply`](crate::Reply) alone, which tells [`Event::SecondKey`] behind it.
        second: bool,
    },
    /// The key that closed just now stood in its object before: its value must be equal to the first one's. Told by a
    /// [`Reply`](crate::Reply), behind [`Event::Key`].
    SecondKey,
    /// A string value closed.
    String {
        /// Its content, without the delimiters.
        content: Span,
        /// One past the closing delimiter.
        end: usize,
        /// Whether the content holds escapes or raw control characters.
        escaped: bool,
    },
    /// A number ended.
    Number {
        /// Its text.
        span: Span,
    },
    /// `true`, `false` or `null` ended.
    Literal {
        /// Its text.
        span: Span,
    },
    /// An edit, in order of offsets.
    Edit(Edit),
    /// Something that the document's warnings should be looked for.
    Suspect,
    /// A document has closed, and counts.
    Document {
        /// Its text.
        span: Span,
        /// Where it stands.
        place: Place,
    },
    /// The bare document that closed last stands alone on its lines.
    Alone,
    /// Reading stops, with what was found. `opaque`: a code block without a label may hold the document instead.
    Final {
        /// Whether it may.
        opaque: bool,
    },
}

/// One edit of the document's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes of the raw reply it replaces.
    pub span: Span,
    /// The repair it belongs to.
    pub kind: RepairKind,
    /// Whether it is a further part of the repair before: more of the same run of control characters, or the closing
    /// delimiter of an escaped string.
    pub part: Part,
}

/// Which part of its repair an [`Edit`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first, or the only one: a repair is recorded.
    First,
    /// More of the same run.
    More,
    /// The closing delimiter of an escaped string.
    Closing,
}

/// A sink's answer to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Flow {
    /// Go on.
    Continue,
    /// The document is refused, at a byte offset of the raw reply: as if it were broken there.
    Break(Code, usize),
    /// The reply is refused, whatever this candidate is.
    Doom(Code, usize),
}

impl Flow {
    /// Refuses the document with a sink's own code.
    pub const fn veto(code: &'static str, offset: usize) -> Self {
        Flow::Break(Code::Veto(code), offset)
    }
}

/// Listens to a [`Scanner`](crate::Scanner). Every method does nothing by default.
pub trait Sink {
    /// Whether [`Sink::bytes`] is wanted. Without it the scanner does not work the pieces out.
    const BYTES: bool = true;
    /// Whether [`Sink::content`] is wanted. Without it the scanner does not decode strings.
    const CONTENT: bool = false;

    /// Something was recognised. The answer counts where it can still matter: not to [`Event::Discount`], [`Event::Preview`],
    /// [`Event::PassOver`], [`Event::OtherKind`] and [`Event::Abandon`].
    fn event(&mut self, event: Event) -> Flow {
        let _ = event;
        Flow::Continue
    }

    /// What some bytes are, and their text in the cleaned stream: the bytes themselves for [`Piece::Kept`] (a slice of the
    /// caller's chunk where it lies in one), the replacement for [`Piece::Replaced`], nothing for the others.
    ///
    /// Spans come in order of offsets, but for a comma: it is held until the next token shows that it stays.
    /// Insignificant white space behind it comes first.
    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        let _ = (piece, span, text);
    }

    /// More of the string that is open, key or value, decoded; or of a number. In order with the events: all of it comes in front of
    /// [`Event::Key`], [`Event::String`] and [`Event::Number`].
    ///
    /// `text` is what stands at `span`: the bytes themselves, as many as the chunk holds, or the one character that an escape (a pair of
    /// them, of a surrogate pair) or a raw control character is. A refusal is acted on at the byte of
    /// [`Sink::refused_with`]; the same content may be told once more before that, and is to be refused again.
    fn content(&mut self, span: Span, text: &str) -> Flow {
        let _ = (span, text);
        Flow::Continue
    }

    /// The byte of the content that was refused last with which that was certain, where it is another than the offset of the refusal. As
    /// far as this byte the reply is read, however much came in one piece.
    fn refused_with(&self) -> Option<usize> {
        None
    }

    /// Whether numbers that are elements, and the commas between them, are to be told at the moment. Only who has no use for them
    /// says no; of many in a row they are then read together, and it is told once of all that are [suspect](Event::Suspect).
    #[doc(hidden)]
    fn wants_scalars(&self) -> bool {
        true
    }
}

/// The sink of whoever does not listen.
impl Sink for () {
    const BYTES: bool = false;

    #[inline(always)]
    fn wants_scalars(&self) -> bool {
        false
    }
}
