//! What one event says, before anybody knows what it means: values at the paths that a dialect names.
//!
//! A dialect is a table of paths. An event is walked once, and each value that stands at one of the paths is a fact: its
//! slot, where in the arrays on its way it stood, and its text as it was written. `null` is no fact.

use smallvec::SmallVec;

/// What a value is to a dialect. One list for all dialects: each uses what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// The event's own name for what it is.
    Type,
    /// The number of a choice, which is a key and not a place.
    Choice,
    /// The number of a content block or output item.
    Block,
    /// The ID of an output item, by which later events name it (Responses).
    Item,
    /// What a block or part is.
    Kind,
    /// More of the answer.
    Text,
    /// More of the reasoning.
    Reasoning,
    /// More of a refusal.
    Refusal,
    /// More of what is said in front of tool calls (Cohere).
    Plan,
    /// `true`: the text of this part is reasoning (Gemini).
    IsThought,
    /// Of a tool call: its number, ID and name, more of its arguments as a string, all of them as JSON.
    ToolIndex,
    ToolId,
    ToolName,
    ToolText,
    ToolJson,
    /// Patches of the arguments (Vertex), as one JSON value: a `null` in them counts, and would be no fact.
    Patches,
    /// `true`: more of the arguments comes (Vertex).
    GoesOn,
    /// Why it ended, and what more is said of that.
    Finish,
    FinishDetail,
    /// `true`: the reply is done.
    Done,
    /// The counts of tokens, as one JSON value, or as members of the event itself.
    Usage,
    UsageMember,
    /// An error, as one JSON value; and what says that the event itself is one.
    Error,
    ErrorMember,
    /// The event of another protocol, in base64 (Bedrock).
    Inner,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Written {
    /// A string; the text is what stands between the quotes, escapes and all.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object or array, with its brackets.
    Json,
}

/// A value at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fact<'a> {
    pub(crate) slot: Slot,
    pub(crate) written: Written,
    /// Which row of the table.
    pub(crate) row: u8,
    /// Where it stood in the arrays on its way, the outermost first.
    pub(crate) place: [u16; 3],
    /// Its text as it was written.
    pub(crate) text: &'a [u8],
}

/// The facts of one event, in the order in which they were written; a container stands where it begins.
pub(crate) type Facts<'a> = SmallVec<[Fact<'a>; 16]>;
