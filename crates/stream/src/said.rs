//! What an event means: more text of a lane, the end of a choice, usage, an error.
//!
//! Strings are as they were written in the event, between the quotes: whoever takes them undoes the escapes, since a
//! surrogate pair may be split over two events.

use core::fmt;

/// A string as it is written between the quotes of a JSON text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written<'a>(pub(crate) &'a [u8]);

/// Which voice of a choice a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LaneKind {
    /// The answer.
    Text,
    /// The reasoning that a provider tells apart from the answer.
    Reasoning,
    /// A refusal that a provider tells apart from the answer.
    Refusal,
    /// What is said in front of tool calls (Cohere).
    ToolPlan,
    /// The arguments of one tool call.
    ToolArgs,
}

impl LaneKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LaneKind::Text => "text",
            LaneKind::Reasoning => "reasoning",
            LaneKind::Refusal => "refusal",
            LaneKind::ToolPlan => "tool_plan",
            LaneKind::ToolArgs => "tool_args",
        }
    }
}

/// Why a choice ended, by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FinishClass {
    /// The model said it was done.
    Stop,
    /// It stopped to call tools.
    Tool,
    /// The budget of tokens, or the window, ran out.
    Length,
    /// A filter stopped it, or the model refused.
    Filter,
    /// The provider failed.
    Error,
    /// Somebody stopped it.
    Abort,
    /// A name that is not known.
    Unknown,
}

impl FinishClass {
    /// All of them.
    pub const ALL: [FinishClass; 7] = [
        FinishClass::Stop,
        FinishClass::Tool,
        FinishClass::Length,
        FinishClass::Filter,
        FinishClass::Error,
        FinishClass::Abort,
        FinishClass::Unknown,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            FinishClass::Stop => "stop",
            FinishClass::Tool => "tool",
            FinishClass::Length => "length",
            FinishClass::Filter => "filter",
            FinishClass::Error => "error",
            FinishClass::Abort => "abort",
            FinishClass::Unknown => "unknown",
        }
    }
}

/// One thing that an event says. An event says them in one order whatever the order of its keys: choice by choice
/// reasoning, text, refusal, tool calls and finish; then usage, error and terminal. Nothing empty is said, tool calls aside.
#[derive(Clone, Copy)]
pub(crate) enum Said<'a> {
    /// More text of a lane that is no tool call.
    Text { choice: u32, kind: LaneKind, text: Written<'a> },
    /// Something of a tool call; see [`Call`] for which lane, and [`Args`] for what it adds.
    Tool { choice: u32, call: Call<'a>, args: Args<'a> },
    /// A content block with tool calls in it is complete, as far as the provider says: it comes although the JSON is open
    /// when the budget ran out.
    BlockEnd { choice: u32, block: u64 },
    /// A choice has ended. A later one takes the place of an earlier one. Where the dialect does not
    /// [say so itself](crate::provider::Dialect::says_tools), a choice of class [`FinishClass::Stop`] that has a call of
    /// the caller's own tools is of class [`FinishClass::Tool`].
    Finish { choice: u32, raw: Written<'a>, class: FinishClass },
    /// Counts of tokens: a JSON object. A later one takes the place of an earlier one, member by member.
    Usage(&'a [u8]),
    /// One member of the counts, a number, where they stand in the event itself or only some of them count.
    UsageMember(&'static str, &'a [u8]),
    /// The provider failed: a JSON value, or the event itself. The first one stays.
    Error(&'a [u8]),
    /// The same, of which only a message is known.
    ErrorMessage(Written<'a>),
    /// The provider's last event, though usage may follow (Bedrock). It proves no success.
    Terminal(&'static str),
    /// The event of another protocol, in base64. It is another provider's, to be found out by itself.
    Inner(Written<'a>),
}

/// What an event says of a tool call, to find its lane among those of the choice, or to open one. Nothing here is empty.
///
/// The lane is, by the first of these that is there:
///
/// 1. `id`: the lane with that ID; none has it: a new one. Later events of the call need not repeat it.
/// 2. `item`: the lane with that item; none has it: go on.
/// 3. `is_new`: a new one.
/// 4. `index`: the *latest* lane opened with that index (some servers send 0 for every call); none has it: a new one.
/// 5. The latest lane of a tool call; there is none: a new one.
///
/// An ID, item, index or name stays as it was told first; a lane that lacked it takes a later one. The number of a lane is
/// its index if it has one that is free, else the smallest that is free from the count of calls before it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Call<'a> {
    /// The ID by which the result is sent back.
    pub(crate) id: Option<Written<'a>>,
    /// Another name of the call by which later events know it (Responses). It is not shown.
    pub(crate) item: Option<Written<'a>>,
    pub(crate) index: Option<u64>,
    pub(crate) name: Option<Written<'a>>,
    /// It begins a call, whatever came before (Gemini, Ollama: calls come whole and without ID or place).
    pub(crate) is_new: bool,
    /// The provider runs the tool itself: the caller has nothing to do, and a choice does not end to call it.
    pub(crate) is_hosted: bool,
    /// What it is given is plain text, a program or a patch, and no JSON.
    pub(crate) is_free: bool,
}

/// Arguments of a tool call.
#[derive(Clone, Copy)]
pub(crate) enum Args<'a> {
    /// None in this event.
    Nothing,
    /// More of their text, in a string.
    Text(Written<'a>),
    /// All of them, as a JSON value: its bytes are the lane's text, without an escape undone.
    Json(&'a [u8]),
    /// What stood at the beginning of a block, as a JSON value (Anthropic). It is nothing where text comes. Where none has
    /// come it is the lane's text: at [`Said::BlockEnd`] of its index; but an empty object, which stands there in front of
    /// every text, only when the choice finishes with [`FinishClass::Stop`] or [`FinishClass::Tool`]: before that, or cut
    /// by the budget, it would claim that the model had chosen no arguments.
    Placeholder(&'a [u8]),
    /// All of them once more, in a string (Responses). It is nothing where text has come, else the lane's text.
    Repeat(Written<'a>),
    /// A patch (Vertex): where, the value as it is written (a string without its quotes), whether more of it comes, to be
    /// joined to this one. The lane's text has to be made of the patches.
    Patch { path: Written<'a>, value: &'a [u8], is_string: bool, goes_on: bool },
}

impl fmt::Debug for Written<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes", self.0.len())
    }
}
