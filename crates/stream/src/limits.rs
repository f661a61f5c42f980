//! Every limit of the wire: its name, its unit, its default.

/// How large a line, an event and a frame may be. `None` turns one off.
///
/// A decoder holds at most what its limits allow: an event that is not complete and the line behind it, and the last event
/// ID, which is a line; or a frame. Spare room of its buffers may double that.
///
/// ```
/// use thusfar_stream::Limits;
/// let limits = Limits { line_len: Some(1 << 20), ..Limits::default() };
/// assert_eq!(limits.event_len, Some(8 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one line without its end; one more is over the limit. Default 8 MiB.
    pub line_len: Option<usize>,
    /// Bytes of one event's data and type, or of one element of a JSON array; one more is over the limit. Default 8 MiB.
    pub event_len: Option<usize>,
    /// Bytes of one binary frame; one more is over the limit. Default 32 MiB: the format allows 24 MiB
    /// of payload and 128 KiB of headers.
    pub frame_len: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_len: Some(8 << 20), event_len: Some(8 << 20), frame_len: Some(32 << 20) }
    }
}

impl Limits {
    /// No limit at all: for trusted bytes only.
    pub const NONE: Self = Self { line_len: None, event_len: None, frame_len: None };
}
