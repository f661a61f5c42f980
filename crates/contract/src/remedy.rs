//! The one cure for what was wrong.
//!
//! A generic retry repeats the same cut. So each diagnosis has one remedy, and a truncation one for each cause.

use thusfar_core::{Cause, Code, Failure, FailureKind};

use crate::diagnosis::{Case, Diagnosis};

/// Characters of a reply's end that a model is asked to begin with when it goes on.
const TAIL: usize = 400;

/// What to do next, one for each case. Stable names: [`Remedy::as_str`].
///
/// | diagnosis | cause | remedy | why |
/// |---|---|---|---|
/// | `truncation` | `budget`, `unknown` | `continue`, where the provider can go on and there is a text to go on from; else `raise_budget` | what was said is paid for and right so far; the same budget gives the same cut. Where nobody says why a reply ended, a cut by a budget is the one that a second call cures |
/// | | `unclosed` | `re_ask` | the model thinks that it is done: it has to be told what is open. The budget is raised too: providers say `stop` of cut replies |
/// | | `filtered` | `escalate` | the same question is filtered again; what to change about it a person decides |
/// | | `cancelled` | `give_up` | we stopped reading: whoever did it knows why, and nobody waits for an answer |
/// | `malformation` | | `re_ask` | a model that is shown the place mends it |
/// | `schema_mismatch` | | `re_ask` | the violations say what to change |
/// | `ambiguous` | | `re_ask` | only the model knows which of them it meant |
/// | `nothing_found` | | `restate_schema` | there is no place to show: what was asked for was not understood, or not seen |
/// | `runaway` | | `re_issue`, once | a loop is an accident of sampling: words about it would be part of the next loop; a second one is none |
/// | `timed_out` | | `re_issue`, once | nothing is wrong with the question; a second slow reply is no accident |
/// | `limit` | | `escalate` | which is wrong, the limit or the reply, a person has to say; the same question gives the same |
/// | `refusal` | | `escalate` | a model is not argued with |
/// | `provider_error` | | `give_up` | it is raised at once: whoever calls providers has a policy for them, and two policies multiply |
///
/// Where the attempts, the time or the budget are used up, [`Retry`](crate::Retry) escalates instead, with the raw replies attached.
///
/// # Going on
///
/// Two ways, and the caller says which of them its provider has ([`Continuation`]). [`Failure::resume`] is for the first,
/// [`Failure::stitch`] for the second:
///
/// ```
/// use thusfar_contract::{Case, Continuation, Remedy, tail};
/// use thusfar_core::{Ending, Expect, Reply, Verbatim};
///
/// let mut reply = Reply::new(Expect::object());
/// let _ = reply.push("{\"title\": \"Minutes of the meeting\", \"pages\": [1");
/// let cut = reply.finish(Ending::Length).unwrap_err();
/// assert_eq!(Remedy::of(&Case::failed(&cut), Continuation::None), Some(Remedy::RaiseBudget));
/// assert_eq!(Remedy::of(&Case::failed(&cut), Continuation::Prefill), Some(Remedy::Continue));
///
/// // The next call begins the model's turn with `cut.raw()`; what comes is the very continuation.
/// let mut reply = cut.clone().resume(Verbatim)?;
/// let _ = reply.push("2, 13]}");
/// assert_eq!(reply.finish(Ending::Stop)?.value()["pages"][0], 12);
///
/// // Or the model is shown the tail, and asked to begin with it.
/// assert!(cut.raw().ends_with(tail(&cut)));
/// let next = "\"Minutes of the meeting\", \"pages\": [12, 13]}";
/// assert_eq!(cut.stitch(next, Ending::Stop)?.value()["pages"][0], 12);
/// # Ok::<(), thusfar_core::Failure>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// Ask the same with a larger budget.
    RaiseBudget,
    /// Let the model go on where it was cut.
    Continue,
    /// Ask again, and say what was wrong.
    ReAsk,
    /// Ask again, and say once more what is asked for.
    RestateSchema,
    /// Ask the very same, once.
    ReIssue,
    /// Give it to a person, with the raw replies.
    Escalate,
    /// Raise it at once.
    GiveUp,
}

impl Remedy {
    /// All of them.
    pub const ALL: [Remedy; 7] = [
        Remedy::RaiseBudget,
        Remedy::Continue,
        Remedy::ReAsk,
        Remedy::RestateSchema,
        Remedy::ReIssue,
        Remedy::Escalate,
        Remedy::GiveUp,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Remedy::RaiseBudget => "raise_budget",
            Remedy::Continue => "continue",
            Remedy::ReAsk => "re_ask",
            Remedy::RestateSchema => "restate_schema",
            Remedy::ReIssue => "re_issue",
            Remedy::Escalate => "escalate",
            Remedy::GiveUp => "give_up",
        }
    }

    /// The remedy for what a call came to; none where nothing was wrong.
    #[must_use]
    pub fn of(case: &Case<'_>, continuation: Continuation) -> Option<Self> {
        let remedy = match case.diagnosis()? {
            Diagnosis::Truncation => of_cut(case, continuation),
            Diagnosis::Malformation | Diagnosis::SchemaMismatch | Diagnosis::Ambiguous => Remedy::ReAsk,
            Diagnosis::NothingFound => Remedy::RestateSchema,
            Diagnosis::Runaway | Diagnosis::TimedOut => Remedy::ReIssue,
            Diagnosis::Limit | Diagnosis::Refusal => Remedy::Escalate,
            Diagnosis::ProviderError => Remedy::GiveUp,
        };
        Some(remedy)
    }
}

/// The remedy for a reply that was cut.
fn of_cut(case: &Case<'_>, continuation: Continuation) -> Remedy {
    match case.cause() {
        Some(Cause::Unclosed) => Remedy::ReAsk,
        Some(Cause::Filtered) => Remedy::Escalate,
        Some(Cause::Cancelled) => Remedy::GiveUp,
        _ if continuation != Continuation::None && case.failure().is_some_and(goes_on) => Remedy::Continue,
        _ => Remedy::RaiseBudget,
    }
}

/// Whether there is something to go on from: all of the reply, in whole characters, since no prompt holds half of one; and a document
/// that has begun; not only prose, nor reasoning, which a provider does not take up.
fn goes_on(failure: &Failure) -> bool {
    let is_text = !matches!(failure.code(), Code::OpenReasoning | Code::NothingYet);
    let is_whole = failure.raw_start() == 0 && !failure.is_inside_character();
    failure.kind() == FailureKind::Truncated && is_text && is_whole
}

/// How a provider takes up a reply that was cut, if it does. Only the caller knows. Stable names:
/// [`Continuation::as_str`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Continuation {
    /// It does not.
    #[default]
    None,
    /// The next call begins the model's turn with the raw reply, and what comes follows its last byte: [`Failure::resume`]. For a provider
    /// that takes no white space at the end of a turn, cut it off, and go on with [`Failure::resume_trimmed`].
    Prefill,
    /// The model is asked for the rest, and to begin with the [`tail`] to the letter: [`Failure::stitch`]. That quotes the model whatever
    /// [`RetryOptions::quote`](crate::RetryOptions::quote) says. Give the completion to [`Case::completion`].
    Repeat,
}

impl Continuation {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Continuation::None => "none",
            Continuation::Prefill => "prefill",
            Continuation::Repeat => "repeat",
        }
    }
}

/// The end of a reply that was cut, for a model that is to go on there: its last 400 characters, exactly as they were written, or all
/// of it. [`Failure::stitch`] accepts a completion that begins with it, where it stands nowhere else in the reply.
///
/// Costs as much as the tail is long.
#[must_use]
pub fn tail(failure: &Failure) -> &str {
    let raw = failure.raw();
    let start = raw.char_indices().rev().take(TAIL).last().map_or(0, |(at, _)| at);
    &raw[start..]
}
