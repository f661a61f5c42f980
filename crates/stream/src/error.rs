//! What ends the decoding of a body: a limit, or bytes that are broken beyond a doubt.

use core::fmt;

/// Why a body cannot be decoded any further. It is sticky: the decoder gives it again whatever is asked of it.
///
/// The events in front of it have been handed out, the same ones however the body was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    offset: u64,
}

/// What kind of [`Error`] it is. Stable names: [`ErrorKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A line is over [`Limits::line_len`](crate::Limits::line_len), which is given in bytes.
    LineTooLong(usize),
    /// An event is over [`Limits::event_len`](crate::Limits::event_len), which is given in bytes.
    EventTooLong(usize),
    /// A frame says that it is longer than [`Limits::frame_len`](crate::Limits::frame_len), which is given in bytes.
    FrameTooLong(usize),
    /// The checksum of a frame or of its prelude does not fit.
    Checksum,
    /// The lengths or headers of a frame contradict each other.
    Frame,
    /// The body is no JSON array, or no longer one.
    Json,
}

impl ErrorKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorKind::LineTooLong(_) => "line_too_long",
            ErrorKind::EventTooLong(_) => "event_too_long",
            ErrorKind::FrameTooLong(_) => "frame_too_long",
            ErrorKind::Checksum => "checksum",
            ErrorKind::Frame => "frame",
            ErrorKind::Json => "json",
        }
    }
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where, in bytes from the body's beginning: the first byte that is over the limit, the first byte of a frame, the byte
    /// at which JSON broke. Where a line makes an event too long by being there at all: its first byte.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::LineTooLong(limit) => write!(formatter, "line longer than {limit} bytes")?,
            ErrorKind::EventTooLong(limit) => write!(formatter, "event longer than {limit} bytes")?,
            ErrorKind::FrameTooLong(limit) => write!(formatter, "frame longer than {limit} bytes")?,
            ErrorKind::Checksum => formatter.write_str("frame with a wrong checksum")?,
            ErrorKind::Frame => formatter.write_str("frame whose lengths or headers do not fit")?,
            ErrorKind::Json => formatter.write_str("no element of a JSON array")?,
        }
        write!(formatter, " at byte {}", self.offset)
    }
}

impl core::error::Error for Error {}
