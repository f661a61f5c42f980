//! What a lane comes to: a document, a verdict, no arguments at all, or a failure.
//!
//! Most failures are the engine's. A few are the lane's own, where the stream did not say one thing for certain: damage on the
//! way, a second set of arguments, patches out of order.

use core::fmt;

use thusfar_core::{Document, Failure, FailureKind, Verdict};

use crate::text::DamageKind;

/// Why a lane fails whatever its text is. Stable names: [`FaultCode::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultCode {
    /// The text was damaged on its way.
    Damaged(DamageKind),
    /// An event of the stream was damaged and is lost: it may have held text of this lane.
    LostEvent,
    /// Arguments came although all of them were there: of the same call or of another one.
    SecondArguments,
    /// The call was told under two names.
    NameChanged,
    /// The path of a patch cannot be read, or it brings no value.
    PatchPath,
    /// A patch goes back to what was written already, or on while a string before it is not complete.
    PatchOrder,
}

impl FaultCode {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            FaultCode::Damaged(_) => "damaged",
            FaultCode::LostEvent => "lost_event",
            FaultCode::SecondArguments => "second_arguments",
            FaultCode::NameChanged => "name_changed",
            FaultCode::PatchPath => "patch_path",
            FaultCode::PatchOrder => "patch_order",
        }
    }

    /// The kind of failure that it is.
    #[must_use]
    pub const fn kind(self) -> FailureKind {
        match self {
            FaultCode::SecondArguments | FaultCode::NameChanged => FailureKind::Ambiguous,
            _ => FailureKind::Malformed,
        }
    }

    /// The sentence for people, without the place.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            FaultCode::Damaged(DamageKind::InvalidUtf8) => "damaged on its way: invalid UTF-8",
            FaultCode::Damaged(DamageKind::ControlCharacter) => "damaged on its way: a raw control character",
            FaultCode::Damaged(DamageKind::InvalidEscape) => "damaged on its way: an invalid escape",
            FaultCode::Damaged(DamageKind::InvalidUnicodeEscape) => "damaged on its way: an invalid unicode escape",
            FaultCode::Damaged(DamageKind::LoneSurrogate) => "damaged on its way: half of a surrogate pair",
            FaultCode::LostEvent => "an event was damaged and is lost",
            FaultCode::SecondArguments => "more arguments behind complete ones: one call or two",
            FaultCode::NameChanged => "the tool of the call has two names",
            FaultCode::PatchPath => "a patch whose path or value cannot be read",
            FaultCode::PatchOrder => "a patch that does not go on where the one before it ended",
        }
    }
}

/// A fault and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    pub(crate) code: FaultCode,
    pub(crate) offset: u64,
}

impl Fault {
    /// What it is.
    #[must_use]
    pub const fn code(&self) -> FaultCode {
        self.code
    }

    /// Where, in bytes of the lane's text.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

/// Why a judged lane has no document. `Debug` shows no text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LaneFailure {
    /// The engine's failure.
    Reply(Failure),
    /// The lane's own. It was certain before the engine had decided.
    Lane(Fault),
}

impl LaneFailure {
    /// The `outcome` of a report: the kind's stable name; of a veto, the code of whoever refused it.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self.kind() {
            FailureKind::Vetoed => self.code(),
            kind => kind.as_str(),
        }
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        match self {
            LaneFailure::Reply(failure) => failure.kind(),
            LaneFailure::Lane(fault) => fault.code.kind(),
        }
    }

    /// The code's stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            LaneFailure::Reply(failure) => failure.code().as_str(),
            LaneFailure::Lane(fault) => fault.code.as_str(),
        }
    }

    /// Where, in bytes of the lane's text.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self {
            LaneFailure::Reply(failure) => failure.offset() as u64,
            LaneFailure::Lane(fault) => fault.offset,
        }
    }

    /// The engine's failure, if it is that.
    #[must_use]
    pub fn reply(&self) -> Option<&Failure> {
        match self {
            LaneFailure::Reply(failure) => Some(failure),
            LaneFailure::Lane(_) => None,
        }
    }
}

impl fmt::Display for LaneFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaneFailure::Reply(failure) => failure.fmt(formatter),
            LaneFailure::Lane(fault) => write!(formatter, "{} at byte {}", fault.code.message(), fault.offset),
        }
    }
}

impl core::error::Error for LaneFailure {}

/// What a judged lane came to, once nothing more comes. `Debug` shows no text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The document, where all of the text was kept.
    Document(Document),
    /// That there is one, where less was kept.
    Verdict(Verdict),
    /// A tool call whose arguments never came, and whose choice ended as it should: `{}`, as all providers mean it. The lane's
    /// text has nothing of it.
    NoArguments,
    /// There is none, and why.
    Failure(LaneFailure),
}

impl Outcome {
    /// Whether it is a success.
    #[must_use]
    pub const fn is_ok(&self) -> bool {
        !matches!(self, Outcome::Failure(_))
    }

    /// The JSON text: the document's, or the `{}` of no arguments.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Outcome::Document(document) => Some(document.text()),
            Outcome::NoArguments => Some("{}"),
            Outcome::Verdict(_) | Outcome::Failure(_) => None,
        }
    }

    /// The failure, if it is one.
    #[must_use]
    pub const fn failure(&self) -> Option<&LaneFailure> {
        match self {
            Outcome::Failure(failure) => Some(failure),
            _ => None,
        }
    }
}
