//! What to do with the upstream: read on, stop feeding a lane, hang up; and why.

use crate::lane::LaneKey;

/// Why a lane, or a whole stream, need not be read any further. The one list of such reasons; stable names:
/// [`Reason::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The answer is there, and nothing that follows changes it.
    Final,
    /// No continuation saves it.
    Doomed,
    /// It repeats itself, or white space, without end.
    Runaway,
    /// It is over a limit.
    Limit,
    /// It can no longer be valid under the schema.
    Schema,
    /// The caller's budget is spent.
    Budget,
    /// The caller's time is over.
    Deadline,
    /// Whoever asked has gone away.
    ClientGone,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 8] = [
        Reason::Final,
        Reason::Doomed,
        Reason::Runaway,
        Reason::Limit,
        Reason::Schema,
        Reason::Budget,
        Reason::Deadline,
        Reason::ClientGone,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Final => "final",
            Reason::Doomed => "doomed",
            Reason::Runaway => "runaway",
            Reason::Limit => "limit",
            Reason::Schema => "schema",
            Reason::Budget => "budget",
            Reason::Deadline => "deadline",
            Reason::ClientGone => "client_gone",
        }
    }
}

/// What to do after a push. Only [`Cancel`](Advice::Cancel) is about the connection, which all lanes share: one lane of several
/// cannot be cancelled alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a stream that need not be read any further costs until it is cancelled"]
pub enum Advice {
    /// Read on.
    GoOn,
    /// The lane that was decided last needs no more of its text; others are still open.
    StopLane(LaneKey, Reason),
    /// Hang up: every lane that could matter is decided.
    Cancel(Reason),
}

impl Advice {
    /// Whether it is to hang up.
    #[must_use]
    pub const fn is_cancel(&self) -> bool {
        matches!(self, Advice::Cancel(_))
    }
}
