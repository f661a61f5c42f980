//! What ended a reply, and what the caller should do after a push.

/// What ended the reply, as the caller or the transport tells it. It is reported, not trusted: open frames beat
/// [`Stop`](Ending::Stop), and a closed root beats a missing signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// The model said it was done.
    Stop,
    /// The model stopped to call a tool.
    ToolUse,
    /// The token budget ran out.
    Length,
    /// A content filter stopped it.
    Filtered,
    /// Time ran out.
    TimedOut,
    /// The connection went away.
    Disconnected,
    /// The provider reported a failure.
    Failed,
    /// We stopped reading.
    Cancelled,
    /// Nobody said.
    Unknown,
}

impl Ending {
    /// All endings with their names on the command line.
    pub const ALL: [(Ending, &'static str); 9] = [
        (Ending::Stop, "stop"),
        (Ending::ToolUse, "tool-use"),
        (Ending::Length, "length"),
        (Ending::Filtered, "filtered"),
        (Ending::TimedOut, "timed-out"),
        (Ending::Disconnected, "disconnected"),
        (Ending::Failed, "failed"),
        (Ending::Cancelled, "cancelled"),
        (Ending::Unknown, "unknown"),
    ];
}

/// Why a reply counts as cut. Stable names: [`Cause::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The model thinks it is done, but frames are open.
    Unclosed,
    /// The token budget ran out.
    Budget,
    /// A content filter stopped it.
    Filtered,
    /// Time ran out.
    TimedOut,
    /// The connection went away.
    Disconnected,
    /// The provider reported a failure.
    Failed,
    /// We stopped reading.
    Cancelled,
    /// Nobody said.
    Unknown,
}

impl Cause {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Cause::Unclosed => "unclosed",
            Cause::Budget => "budget",
            Cause::Filtered => "filtered",
            Cause::TimedOut => "timed_out",
            Cause::Disconnected => "disconnected",
            Cause::Failed => "failed",
            Cause::Cancelled => "cancelled",
            Cause::Unknown => "unknown",
        }
    }

    /// The cause that an ending gives to a reply with something open.
    #[must_use]
    pub const fn of(ending: Ending) -> Self {
        match ending {
            Ending::Stop | Ending::ToolUse => Cause::Unclosed,
            Ending::Length => Cause::Budget,
            Ending::Filtered => Cause::Filtered,
            Ending::TimedOut => Cause::TimedOut,
            Ending::Disconnected => Cause::Disconnected,
            Ending::Failed => Cause::Failed,
            Ending::Cancelled => Cause::Cancelled,
            Ending::Unknown => Cause::Unknown,
        }
    }
}

/// What is known after a push, and whether to go on reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a decided reply needs no more bytes: hang up"]
pub enum Progress {
    /// No document yet. Read on.
    Searching,
    /// A document is open. Read on.
    Open,
    /// A document has closed; what follows can still outrank, double or spoil it. To stop here is at the caller's risk,
    /// with [`Ending::Cancelled`].
    Closed,
    /// No continuation changes the answer. Stop reading.
    Final,
    /// No continuation saves it. Stop reading.
    Doomed,
}

impl Progress {
    /// Whether the answer is certain: [`Final`](Progress::Final) or [`Doomed`](Progress::Doomed).
    ///
    /// ```
    /// use thusfar_core::Progress;
    /// assert!(Progress::Doomed.is_decided());
    /// assert!(!Progress::Closed.is_decided());
    /// ```
    #[must_use]
    pub const fn is_decided(self) -> bool {
        matches!(self, Progress::Final | Progress::Doomed)
    }
}
