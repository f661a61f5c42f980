//! The limits of lanes: their names, units and defaults; and the error that names the one that was passed.

use core::fmt;

/// How many lanes a stream may have, and how much of each is kept. `None` turns one off.
///
/// The length of a lane that is judged is bounded by the engine's own limit, and fails that lane alone.
///
/// ```
/// use thusfar_stream::LaneLimits;
/// let limits = LaneLimits { lanes: Some(8), ..LaneLimits::default() };
/// assert_eq!(limits.text_len, Some(8 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneLimits {
    /// Lanes of one stream; one more is over the limit. Default 256. Each delta of a tool call is compared with the calls that
    /// are there, so the limit bounds its cost too.
    pub lanes: Option<usize>,
    /// Bytes of the ID of one tool call. Default 4 KiB.
    pub id_len: Option<usize>,
    /// Bytes of the name of one tool. Default 1 KiB.
    pub name_len: Option<usize>,
    /// Bytes of text that are kept of one lane that is not judged. Default 8 MiB.
    pub text_len: Option<usize>,
    /// Bytes of the text of all lanes together, kept or not. Default 64 MiB.
    pub session_len: Option<usize>,
    /// Bytes that the patches of one tool call may hold: their longest path, and each key of an open object with 32 bytes more.
    /// Default 64 KiB.
    pub patch_len: Option<usize>,
}

impl Default for LaneLimits {
    fn default() -> Self {
        Self {
            lanes: Some(256),
            id_len: Some(4 << 10),
            name_len: Some(1 << 10),
            text_len: Some(8 << 20),
            session_len: Some(64 << 20),
            patch_len: Some(64 << 10),
        }
    }
}

impl LaneLimits {
    /// No limit at all: for trusted streams only. The cost of a delta then grows with the number of tool calls.
    pub const NONE: Self =
        Self { lanes: None, id_len: None, name_len: None, text_len: None, session_len: None, patch_len: None };
}

/// A stream that is over one of the [`LaneLimits`], which is given. What was taken before stays; nothing grows any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LaneError {
    /// Over [`LaneLimits::lanes`].
    TooManyLanes(usize),
    /// Over [`LaneLimits::id_len`].
    IdTooLong(usize),
    /// Over [`LaneLimits::name_len`].
    NameTooLong(usize),
    /// Over [`LaneLimits::text_len`].
    TextTooLong(usize),
    /// Over [`LaneLimits::session_len`].
    SessionTooLong(usize),
    /// Over [`LaneLimits::patch_len`].
    PatchTooLong(usize),
}

impl LaneError {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LaneError::TooManyLanes(_) => "too_many_lanes",
            LaneError::IdTooLong(_) => "id_too_long",
            LaneError::NameTooLong(_) => "name_too_long",
            LaneError::TextTooLong(_) => "text_too_long",
            LaneError::SessionTooLong(_) => "session_too_long",
            LaneError::PatchTooLong(_) => "patch_too_long",
        }
    }
}

impl fmt::Display for LaneError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaneError::TooManyLanes(limit) => write!(formatter, "more than {limit} lanes"),
            LaneError::IdTooLong(limit) => write!(formatter, "ID of a tool call longer than {limit} bytes"),
            LaneError::NameTooLong(limit) => write!(formatter, "name of a tool longer than {limit} bytes"),
            LaneError::TextTooLong(limit) => write!(formatter, "text of a lane longer than {limit} bytes"),
            LaneError::SessionTooLong(limit) => write!(formatter, "text of all lanes longer than {limit} bytes"),
            LaneError::PatchTooLong(limit) => write!(formatter, "patches of a tool call that hold over {limit} bytes"),
        }
    }
}

impl core::error::Error for LaneError {}

/// Whether a length is over a limit.
#[inline]
pub(super) fn is_over(len: usize, limit: Option<usize>) -> Option<usize> {
    limit.filter(|&limit| len > limit)
}
