//! What a reply was found to hold: calls that may be run, and what is none, and why.

use std::fmt;

use thusfar_core::{Cause, Document, Repair, Span};

use super::dialect::Dialect;
use crate::contract::Check;
use crate::violation::{Timing, Violation};

/// What became of a reply, or of one call of it. Stable names: [`CallOutcome::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallOutcome {
    /// Whole, offered, valid.
    Ok,
    /// Cut.
    Truncated,
    /// Broken.
    Malformed,
    /// Two readings.
    Ambiguous,
    /// No call in the reply.
    NotFound,
    /// The model repeats itself.
    Runaway,
    /// Over a limit.
    Limit,
    /// A call, but not one that can be made: an unknown tool, arguments that are no object or are missing.
    Invalid,
    /// The arguments break the tool's schema.
    SchemaMismatch,
}

impl CallOutcome {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            CallOutcome::Ok => "ok",
            CallOutcome::Truncated => "truncated",
            CallOutcome::Malformed => "malformed",
            CallOutcome::Ambiguous => "ambiguous",
            CallOutcome::NotFound => "not_found",
            CallOutcome::Runaway => "runaway",
            CallOutcome::Limit => "limit",
            CallOutcome::Invalid => "invalid",
            CallOutcome::SchemaMismatch => "schema_mismatch",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal : $outcome:ident, $message:literal;)*) => {
        /// What exactly is wrong with a call. Stable names: [`CallCode::as_str`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum CallCode {
            $($(#[$doc])* $name,)*
            /// The engine's code for a JSON value.
            Json(thusfar_core::Code),
        }

        impl CallCode {
            /// Every code but the engine's.
            pub const ALL: &'static [CallCode] = &[$(CallCode::$name,)*];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(CallCode::$name => $text,)*
                    CallCode::Json(code) => code.as_str(),
                }
            }

            /// The outcome it belongs to.
            #[must_use]
            pub const fn outcome(self) -> CallOutcome {
                match self {
                    $(CallCode::$name => CallOutcome::$outcome,)*
                    CallCode::Json(code) => of_json(code),
                }
            }

            /// The sentence for people, without the place.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self {
                    $(CallCode::$name => $message,)*
                    CallCode::Json(code) => code.message(),
                }
            }
        }
    };
}

const fn of_json(code: thusfar_core::Code) -> CallOutcome {
    use thusfar_core::FailureKind;
    match code.kind() {
        FailureKind::Truncated => CallOutcome::Truncated,
        FailureKind::Ambiguous => CallOutcome::Ambiguous,
        FailureKind::NotFound => CallOutcome::NotFound,
        FailureKind::Runaway => CallOutcome::Runaway,
        FailureKind::Limit => CallOutcome::Limit,
        _ => CallOutcome::Malformed,
    }
}

codes! {
    /// Cut inside the markup of a call, or behind its arguments and in front of what closes it.
    OpenCall = "open_call": Truncated, "cut inside a tool call";
    /// Cut inside a parameter's text.
    OpenParameter = "open_parameter": Truncated, "cut inside a parameter of a tool call";
    /// Cut inside reasoning.
    OpenReasoning = "open_reasoning": Truncated, "cut inside reasoning";
    /// Cut before a call began.
    NothingYet = "nothing_yet": Truncated, "cut before a tool call began";
    /// The markup of the dialect asks for something else here.
    ExpectedMarkup = "expected_markup": Malformed, "the markup of the tool call goes on otherwise than its dialect asks";
    /// Text between parameters that is neither a tag nor white space.
    TextBetween = "text_between": Malformed, "text between the parameters of a tool call";
    /// A tag of the call stands in a parameter that was not closed.
    UnclosedParameter = "unclosed_parameter": Malformed, "a parameter of the tool call was not closed before the next tag";
    /// A parameter that is declared to be JSON holds none.
    ParameterNotJson = "parameter_not_json": Malformed, "a parameter that says it is JSON is none";
    /// The call stands inside something that is broken.
    InsideBroken = "inside_broken": Malformed, "the tool call is a piece of something that is broken";
    /// A fence that holds a call holds other text too.
    TextAround = "text_around": Malformed, "the code fence of a tool call holds other text";
    /// Two names.
    TwoNames = "two_names": Ambiguous, "the tool call has two names";
    /// Two sets of arguments.
    TwoArguments = "two_arguments": Ambiguous, "the tool call has two sets of arguments";
    /// Members that no call has stand beside name and arguments: a call, or the record of one.
    OtherMembers = "other_members": Ambiguous, "a tool call with other members: a call, or the record of one";
    /// A parameter that was given twice, with different text.
    RepeatedParameter = "repeated_parameter": Ambiguous, "a parameter of the tool call was given twice";
    /// A parameter's text may be a string, or a value of another type that its schema allows too.
    TwoTypes = "two_types": Ambiguous, "the text of a parameter may be a string or another value";
    /// Calls without markup, with other text between them: a draft and the call, or two calls.
    SeveralBare = "several_bare": Ambiguous, "several tool calls without markup: drafts or calls";
    /// A reasoning tag closes behind the call: it may have been a draft.
    CloseTagBehind = "close_tag_behind": Ambiguous, "a reasoning tag closes behind the tool call";
    /// No call in the reply.
    NoCall = "no_call": NotFound, "no tool call in the reply";
    /// No call in a dialect that is known, but text that looks like one.
    UnknownDialect = "unknown_dialect": NotFound, "no tool call that can be read, but text that looks like one";
    /// Tags that close nothing, again and again.
    ClosingTags = "closing_tags": Runaway, "closing tags repeat and do not end";
    /// The reply is longer than allowed.
    ReplyTooLong = "reply_too_long": Limit, "the reply is longer than allowed";
    /// More calls than allowed.
    TooManyCalls = "too_many_calls": Limit, "more tool calls than allowed";
    /// More than could be checked within bounds.
    Unchecked = "unchecked": Limit, "the arguments could not be checked within bounds";
    /// The name is not that of an offered tool.
    UnknownTool = "unknown_tool": Invalid, "no tool of this name was offered";
    /// The arguments are no object.
    ArgumentsNotObject = "arguments_not_object": Invalid, "the arguments of a tool call must be an object";
    /// No arguments, though the tool has required parameters.
    MissingArguments = "missing_arguments": Invalid, "the tool call has no arguments, and the tool requires some";
    /// The arguments are the tool's declaration.
    DeclarationEchoed = "declaration_echoed": Invalid, "the arguments are the declaration of the tool";
    /// The arguments break the tool's schema.
    Schema = "schema": SchemaMismatch, "the arguments break the schema of the tool";
}

/// A call that may be run: whole, of an offered tool, its arguments valid. `Debug` shows no text of the model.
#[derive(Clone)]
pub struct ToolCall {
    pub(super) name: String,
    pub(super) arguments: Document,
    pub(super) id: Option<String>,
    pub(super) dialect: Dialect,
    pub(super) span: Span,
    pub(super) arguments_at: Option<usize>,
    pub(super) check: Check,
}

impl ToolCall {
    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments: an object, as the model wrote it.
    ///
    /// A document of its own, so that its positions count from its beginning: [`Document::raw`] is the text that it was read from.
    #[must_use]
    pub const fn arguments(&self) -> &Document {
        &self.arguments
    }

    /// Where the text of [`arguments`](ToolCall::arguments) begins in the reply; none where they do not stand in it as JSON: in a
    /// string, or as parameters between tags.
    #[must_use]
    pub const fn arguments_at(&self) -> Option<usize> {
        self.arguments_at
    }

    /// The identifier that the model gave the call, if it did.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// How it was written.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Where it stands in the reply, its own markup included: not the tags around several calls, nor a closing tag whose opening tag is
    /// missing.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What the schema said: valid; the numbers that no `f64` holds exactly, with their places in the arguments.
    pub const fn check(&self) -> &Check {
        &self.check
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("ToolCall");
        shown.field("name_len", &self.name.len()).field("arguments", &self.arguments);
        shown.field("dialect", &self.dialect).field("span", &self.span).finish_non_exhaustive()
    }
}

/// Something that was meant as a call and is none that may be run. `Debug` shows no text of the model.
#[derive(Clone)]
pub struct RefusedCall {
    pub(super) code: CallCode,
    pub(super) cause: Option<Cause>,
    pub(super) dialect: Dialect,
    pub(super) span: Span,
    pub(super) offset: usize,
    pub(super) decided_at: usize,
    pub(super) path: String,
    pub(super) name: Option<String>,
    pub(super) arguments: Option<Document>,
    pub(super) candidates: Vec<String>,
    pub(super) check: Check,
}

impl RefusedCall {
    /// What exactly is wrong.
    #[must_use]
    pub const fn code(&self) -> CallCode {
        self.code
    }

    /// The outcome that the code belongs to.
    #[must_use]
    pub const fn outcome(&self) -> CallOutcome {
        self.code.outcome()
    }

    /// Why it counts as cut, if it does.
    #[must_use]
    pub const fn cause(&self) -> Option<Cause> {
        self.cause
    }

    /// How it was written.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Where it stands in the reply.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Where it is wrong, in bytes of the reply.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The byte of the reply at which that was certain.
    #[must_use]
    pub const fn decided_at(&self) -> usize {
        self.decided_at
    }

    /// What of the arguments it is about: a JSON pointer (RFC 6901), empty where that is not known or all of them.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The name that was called, as far as it is known.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The arguments, where they are whole: of an unknown tool, or with a broken schema.
    #[must_use]
    pub const fn arguments(&self) -> Option<&Document> {
        self.arguments.as_ref()
    }

    /// The readings of which none was picked: JSON texts.
    #[must_use]
    pub fn candidates(&self) -> &[String] {
        &self.candidates
    }

    /// What of its schema was broken first, as it was told while the arguments came: with the byte of the reply behind which no way to go on
    /// was valid. None where only the whole arguments told: the name stood behind them, or they are a string or parameters between tags.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        self.check.violations().iter().find(|violation| violation.when() != Timing::Final)
    }

    /// What the schema said. The offsets of violations are those of the reply; numbers that no `f64` holds exactly have their places in
    /// the arguments.
    pub const fn check(&self) -> &Check {
        &self.check
    }
}

/// What is wrong, without the place, which a caller knows how to show: of a broken schema, the first violation.
impl fmt::Display for RefusedCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.check.violations().first() {
            Some(violation) => formatter.write_str(violation.message()),
            None => formatter.write_str(self.code.message()),
        }
    }
}

impl fmt::Debug for RefusedCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("RefusedCall");
        shown.field("code", &self.code).field("cause", &self.cause).field("dialect", &self.dialect);
        shown.field("span", &self.span).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl std::error::Error for RefusedCall {}

/// What a reply came to. `Debug` shows no text of the model.
#[derive(Clone)]
pub struct Rescued {
    pub(super) calls: Vec<ToolCall>,
    pub(super) refused: Vec<RefusedCall>,
    pub(super) in_reasoning: Vec<ToolCall>,
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) repairs: Vec<Repair>,
    pub(super) call_like: Option<Span>,
    pub(super) invented: Option<Span>,
    pub(super) restarts: usize,
    pub(super) failure: Option<Box<RefusedCall>>,
}

impl Rescued {
    /// What became of the reply: ok where there are calls and nothing else was meant as one; otherwise what
    /// [`failure`](Rescued::failure) says. Each of [`calls`](Rescued::calls) is whole all the same.
    #[must_use]
    pub fn outcome(&self) -> CallOutcome {
        self.failure.as_ref().map_or(CallOutcome::Ok, |failure| failure.outcome())
    }

    /// The calls that may be run, in the order of the reply.
    #[must_use]
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// What was meant as a call and is none, in the order of the reply.
    #[must_use]
    pub fn refused(&self) -> &[RefusedCall] {
        &self.refused
    }

    /// Calls in reasoning: drafts. They are told, and never among [`calls`](Rescued::calls).
    #[must_use]
    pub fn in_reasoning(&self) -> &[ToolCall] {
        &self.in_reasoning
    }

    /// The repairs of JSON around calls, with their places in the reply. Those of the arguments are the arguments' own.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The text that is left for the user: without calls, reasoning, and what stands behind an invented observation.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reasoning, without its tags.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        &self.reasoning
    }

    /// Where text looks like a call in no dialect that is read.
    #[must_use]
    pub const fn call_like(&self) -> Option<Span> {
        self.call_like
    }

    /// What the model wrote in the name of its tools: an observation that it invented, and all behind it.
    #[must_use]
    pub const fn invented(&self) -> Option<Span> {
        self.invented
    }

    /// How often the text began anew, as [`Rescue::restarts`](super::Rescue::restarts) counts it: text that was held may have been
    /// reasoning.
    #[must_use]
    pub const fn restarts(&self) -> usize {
        self.restarts
    }

    /// Why the reply is not ok: the first that is wrong with it.
    #[must_use]
    pub fn failure(&self) -> Option<&RefusedCall> {
        self.failure.as_deref()
    }
}

impl fmt::Debug for Rescued {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Rescued");
        shown.field("calls", &self.calls).field("refused", &self.refused).field("in_reasoning", &self.in_reasoning);
        shown.field("text_len", &self.text.len()).field("failure", &self.failure).finish_non_exhaustive()
    }
}
