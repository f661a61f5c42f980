//! Why there is no document: the kind, the code, the place, what was open.
//!
//! Codes are stable names; messages are for people and may change. A [`Failure`] is one pointer wide.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::ending::Cause;
use crate::expect::Expect;
use crate::raw::Raw;
use crate::repair::Repair;
use crate::span::{Position, Span};
use crate::utf8::Partial;

/// The kinds of failure; the `outcome` of a report. Stable names: [`FailureKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The reply was cut. The text so far is the beginning of something.
    Truncated,
    /// The text is not JSON, and no allowed repair makes it so.
    Malformed,
    /// Two readings are possible; none was picked.
    Ambiguous,
    /// The reply carries no document.
    NotFound,
    /// The model repeats itself or pads; nothing more is to be expected.
    Runaway,
    /// The reply is larger or deeper than allowed.
    Limit,
    /// A sink refused what it was shown (a schema, say).
    Vetoed,
}

impl FailureKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            FailureKind::Truncated => "truncated",
            FailureKind::Malformed => "malformed",
            FailureKind::Ambiguous => "ambiguous",
            FailureKind::NotFound => "not_found",
            FailureKind::Runaway => "runaway",
            FailureKind::Limit => "limit",
            FailureKind::Vetoed => "vetoed",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal : $kind:ident, $message:literal;)*) => {
        /// What exactly went wrong. Stable names: [`Code::as_str`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
            /// A sink's own code.
            Veto(&'static str),
        }

        impl Code {
            /// Every code but the sinks' own.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                    Code::Veto(code) => code,
                }
            }

            /// The kind of failure it belongs to.
            #[must_use]
            pub const fn kind(self) -> FailureKind {
                match self {
                    $(Code::$name => FailureKind::$kind,)*
                    Code::Veto(_) => FailureKind::Vetoed,
                }
            }

            /// The sentence for people, without the place.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self {
                    $(Code::$name => $message,)*
                    Code::Veto(_) => "refused by the sink",
                }
            }
        }
    };
}

codes! {
    /// Cut between tokens, with frames open.
    OpenFrame = "open_frame": Truncated, "not closed yet";
    /// Cut inside a key.
    OpenKey = "open_key": Truncated, "cut inside a key";
    /// Cut inside a string.
    OpenString = "open_string": Truncated, "cut inside a string";
    /// Cut inside an escape.
    OpenEscape = "open_escape": Truncated, "cut inside an escape";
    /// Cut inside or right behind a number, which may be longer than it looks.
    OpenNumber = "open_number": Truncated, "cut inside a number";
    /// Cut inside a literal.
    OpenLiteral = "open_literal": Truncated, "cut inside a literal";
    /// Cut inside a comment.
    OpenComment = "open_comment": Truncated, "cut inside a comment";
    /// Cut inside a fence, before a document.
    OpenFence = "open_fence": Truncated, "cut inside a code fence";
    /// Cut inside reasoning.
    OpenReasoning = "open_reasoning": Truncated, "cut inside reasoning";
    /// Cut before anything was found.
    NothingYet = "nothing_yet": Truncated, "cut before a document began";
    /// We stopped reading when a document had closed, but the answer was not certain yet.
    Unsettled = "unsettled": Truncated, "reading stopped before the answer was certain";
    /// A key or a closer must stand here.
    ExpectedKey = "expected_key": Malformed, "expected a key or a closer";
    /// A colon must stand here.
    ExpectedColon = "expected_colon": Malformed, "expected `:`";
    /// A value must stand here.
    ExpectedValue = "expected_value": Malformed, "expected a value";
    /// A comma or a closer must stand here.
    ExpectedCommaOrCloser = "expected_comma_or_closer": Malformed, "expected `,` or a closer";
    /// A number that JSON does not allow.
    InvalidNumber = "invalid_number": Malformed, "not a JSON number";
    /// A word that is not `true`, `false` or `null`.
    InvalidLiteral = "invalid_literal": Malformed, "not a JSON value";
    /// A number whose `f64` is infinite.
    NumberOutOfRange = "number_out_of_range": Malformed, "number out of range";
    /// A backslash before a character that JSON does not escape.
    InvalidEscape = "invalid_escape": Malformed, "invalid escape";
    /// `\u` without four hexadecimal digits.
    InvalidUnicodeEscape = "invalid_unicode_escape": Malformed, "invalid unicode escape";
    /// Half of a surrogate pair.
    LoneSurrogate = "lone_surrogate": Malformed, "lone surrogate";
    /// A raw control character in a string, where that repair is off.
    ControlCharacter = "control_character": Malformed, "raw control character in a string";
    /// Bytes that are not UTF-8.
    InvalidUtf8 = "invalid_utf8": Malformed, "invalid UTF-8";
    /// An escaped quote inside an escaped string that can be read in two ways.
    EscapedQuoteTwoReadings = "escaped_quote_two_readings": Malformed, "an escaped quote has two readings";
    /// `\\` inside an escaped string.
    EscapedBackslashTwoReadings = "escaped_backslash_two_readings": Malformed, "an escape has two readings";
    /// An escaped line end inside a line comment.
    CommentLineEnd = "comment_line_end": Malformed, "a line comment with an escaped line end has two readings";
    /// A comment that says that something was left out.
    CommentEllipsis = "comment_ellipsis": Malformed, "a comment says that something was left out";
    /// A comment that may have swallowed a member or the end of a string.
    CommentSwallowed = "comment_swallowed": Malformed, "a comment may have swallowed part of the document";
    /// The root closed before the document was over.
    ClosedTooEarly = "closed_too_early": Malformed, "the root closed too early: text of the document follows";
    /// The document stands inside something broken.
    InsideBroken = "inside_broken": Malformed, "the document is a piece of something that is not JSON";
    /// The only document is of the other kind.
    WrongRoot = "wrong_root": Malformed, "another kind of root was expected";
    /// Text around a document that was to stand alone.
    TextAround = "text_around": Malformed, "nothing but white space may stand around the document";
    /// Documents that differ.
    DifferentDocuments = "different_documents": Ambiguous, "the reply holds different documents";
    /// Two equal keys with different values.
    DuplicateKey = "duplicate_key": Ambiguous, "two equal keys have different values";
    /// A reasoning tag closes behind a document.
    CloseTagBehind = "close_tag_behind": Ambiguous, "a reasoning tag closes behind a document";
    /// Something that is no document may hold the answer (a code fence, `{}` in a sentence), and a bare document stands elsewhere.
    OpaqueDocument = "opaque_document": Ambiguous, "a code block or an empty value elsewhere may be the answer instead";
    /// Another completion neither goes on where this one was cut, nor is a whole document that stands for it.
    StitchUncertain = "stitch_uncertain": Ambiguous, "the next completion may be a continuation or a new document";
    /// No document.
    NoDocument = "no_document": NotFound, "no document in the reply";
    /// A run of white space.
    WhiteSpaceRun = "white_space_run": Runaway, "a run of white space does not end";
    /// A repetition.
    Repetition = "repetition": Runaway, "the same text repeats and does not end";
    /// The reply is too long.
    ReplyTooLong = "reply_too_long": Limit, "the reply is longer than allowed";
    /// Frames are nested too deep.
    TooDeep = "too_deep": Limit, "nested deeper than allowed";
    /// Too many repairs.
    TooManyRepairs = "too_many_repairs": Limit, "more repairs than allowed";
    /// Too many keys in one object.
    TooManyKeys = "too_many_keys": Limit, "more keys in one object than allowed";
    /// A document was asked for, but its text was not kept.
    NotKept = "not_kept": Limit, "the document's text was not kept: ask for the verdict";
}

/// A frame that was open when the reply failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Frame {
    /// `{` or `[`.
    pub opener: char,
    /// Where the opener stands, in bytes of the raw reply.
    pub offset: usize,
}

/// Why a reply gave no document. One pointer wide.
///
/// ```
/// use thusfar_core::{Expect, FailureKind, read};
/// let failure = read("{\"a\": [1 2]}", Expect::object()).unwrap_err();
/// assert_eq!(failure.kind(), FailureKind::Malformed);
/// assert_eq!(failure.code().as_str(), "expected_comma_or_closer");
/// assert_eq!((failure.offset(), failure.path()), (9, "/a"));
/// assert_eq!(failure.to_string(), "expected `,` or a closer, found `2` at byte 9 (line 1, column 10)");
/// ```
///
/// * What: [`kind`](Failure::kind), [`code`](Failure::code), [`cause`](Failure::cause).
/// * Where: [`offset`](Failure::offset), [`decided_at`](Failure::decided_at), [`position`](Failure::position),
///   [`path`](Failure::path), [`frames`](Failure::frames), [`excerpt`](Failure::excerpt).
/// * The reply: [`raw`](Failure::raw), [`raw_start`](Failure::raw_start), [`repairs`](Failure::repairs).
/// * Going on behind a cut: [`resume`](Failure::resume), [`resume_trimmed`](Failure::resume_trimmed),
///   [`resume_with`](Failure::resume_with), [`stitch`](Failure::stitch).
#[derive(Clone)]
pub struct Failure(pub(crate) Box<Inner>);

#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) code: Code,
    pub(crate) cause: Option<Cause>,
    pub(crate) offset: usize,
    pub(crate) decided_at: usize,
    pub(crate) path: String,
    pub(crate) frames: Vec<Frame>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) raw: Raw,
    /// The beginning of a character.
    pub(crate) partial: Partial,
    /// What was open or wrong in the first place, where [`code`](Failure::code) has become that of a stitch.
    pub(crate) cut: Code,
    /// It was certain before the end.
    pub(crate) decided: bool,
    /// Documents had counted.
    pub(crate) documents: bool,
    /// Where completions were put together.
    pub(crate) seams: Box<[Span]>,
    pub(crate) expect: Expect,
}

/// Bytes of an excerpt in front of the place and behind it.
const EXCERPT: (usize, usize) = (40, 24);

impl Failure {
    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        self.0.code.kind()
    }

    /// What exactly went wrong.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Why the reply was cut, if it was.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        self.0.cause
    }

    /// Where the offending token starts, in bytes of the raw reply.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The byte whose arrival made the failure certain; the reply's length if only its end did.
    #[must_use]
    pub fn decided_at(&self) -> usize {
        self.0.decided_at
    }

    /// Line and column of [`offset`](Failure::offset), unless the text there was not [kept](crate::Keep). One pass over the text in
    /// front.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.raw.position(self.0.offset)
    }

    /// JSON pointer (RFC 6901) of the innermost value that had begun at the place, or whose key was known.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The frames that were open, outermost first.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.0.frames
    }

    /// The repairs recorded before it failed, sorted by offset.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.0.repairs
    }

    /// The reply as far as it was pushed, and kept.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.0.raw.as_str()
    }

    /// Where [`raw`](Failure::raw) begins, in bytes of the reply: 0, unless only the last bytes were [kept](crate::Keep).
    #[must_use]
    pub fn raw_start(&self) -> usize {
        self.0.raw.start()
    }

    /// Whether the reply ends inside a character, whose first bytes [`raw`](Failure::raw) does not hold and
    /// [`resume`](Failure::resume) goes on behind.
    #[must_use]
    pub fn is_inside_character(&self) -> bool {
        self.0.partial.is_open()
    }

    /// Some text around the place: at most 40 bytes in front of it and 24 behind, cut between characters.
    #[must_use]
    pub fn excerpt(&self) -> &str {
        let raw = self.raw();
        let Some(offset) = self.0.offset.checked_sub(self.0.raw.start()) else { return "" };
        let mut start = offset.saturating_sub(EXCERPT.0).min(raw.len());
        let mut end = offset.saturating_add(EXCERPT.1).min(raw.len());
        while !raw.is_char_boundary(start) {
            start += 1;
        }
        while !raw.is_char_boundary(end) {
            end -= 1;
        }
        raw.get(start..end).unwrap_or_default()
    }

    /// Whether what was found there is worth telling.
    fn found(&self) -> Option<char> {
        let expected = matches!(
            self.0.code,
            Code::ExpectedKey | Code::ExpectedColon | Code::ExpectedValue | Code::ExpectedCommaOrCloser
        );
        self.0.raw.get(Span::new(self.0.offset, self.0.raw.len())).filter(|_| expected)?.chars().next()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.code.message())?;
        if let Some(found) = self.found() {
            match found {
                '"' | '\'' => write!(formatter, ", found `{found}`")?,
                _ => write!(formatter, ", found `{}`", found.escape_debug())?,
            }
        }
        write!(formatter, " at byte {}", self.0.offset)?;
        match self.position() {
            Some(Position { line, column }) => write!(formatter, " (line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

/// Lengths and codes only: never the text.
impl fmt::Debug for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Failure")
            .field("code", &self.0.code)
            .field("cause", &self.0.cause)
            .field("offset", &self.0.offset)
            .field("decided_at", &self.0.decided_at)
            .field("frames", &self.0.frames.len())
            .field("repairs", &self.0.repairs.len())
            .field("raw_len", &self.0.raw.len())
            .finish()
    }
}

impl core::error::Error for Failure {}
