//! What a policy says and keeps: the step, the call to make, the attempts, the counters.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use thusfar_core::Code;

use crate::diagnosis::{Case, Diagnosis};
use crate::remedy::Remedy;

/// What to do after a call. Stable names: [`Step::as_str`]. `Debug` shows no text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// It is done: take the document of an attempt.
    Accept {
        /// Which one, from 0: an index into [`Retry::attempts`](crate::Retry::attempts). It is the last, but where a repaired document
        /// was asked for again and no better one came: then also behind a call without a reply. Its text is [`Attempt::strict`].
        attempt: usize,
        /// How sure the document is.
        confidence: Confidence,
    },
    /// Make another call.
    Call(Box<Call>),
    /// Give it to a person.
    Escalate {
        /// Why.
        reason: Reason,
        /// What each call came to: the raw replies among it, in order.
        attempts: Arc<[Attempt]>,
    },
    /// Raise it at once.
    GiveUp(Diagnosis),
}

impl Step {
    /// A person is asked; the attempts are attached when it is told.
    pub(super) fn escalate(reason: Reason) -> Self {
        Step::Escalate { reason, attempts: Arc::new([]) }
    }

    /// The stable name: `accept`, or that of the remedy.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Step::Accept { .. } => "accept",
            Step::Call(call) => call.remedy.as_str(),
            Step::Escalate { .. } => Remedy::Escalate.as_str(),
            Step::GiveUp(_) => Remedy::GiveUp.as_str(),
        }
    }
}

/// How sure an accepted document is. Stable names: [`Confidence::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Confidence {
    /// As it was written.
    Full,
    /// It had to be repaired: lower. Both texts are in the attempt.
    Repaired,
}

impl Confidence {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Confidence::Full => "full",
            Confidence::Repaired => "repaired",
        }
    }
}

/// Why a person is asked. Stable names: [`Reason::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// As many calls were made as are allowed.
    AttemptsUsedUp,
    /// The next call would come behind the deadline.
    TimeUsedUp,
    /// The reply was cut, the budget cannot be raised, and the provider does not go on.
    BudgetUsedUp,
    /// The same syntax error came twice.
    SameError,
    /// It was issued again once, and came to the same.
    SameAgain,
    /// The remedy is a person: a filter, a refusal, a limit.
    Remedy,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 6] = [
        Reason::AttemptsUsedUp,
        Reason::TimeUsedUp,
        Reason::BudgetUsedUp,
        Reason::SameError,
        Reason::SameAgain,
        Reason::Remedy,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::AttemptsUsedUp => "attempts_used_up",
            Reason::TimeUsedUp => "time_used_up",
            Reason::BudgetUsedUp => "budget_used_up",
            Reason::SameError => "same_error",
            Reason::SameAgain => "same_again",
            Reason::Remedy => "remedy",
        }
    }
}

/// Another call: why, when, with what budget, and what to say. Where there is neither a text nor a prefill, what was sent last is sent
/// again, whatever that began with. `Debug` shows no text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// What it is to cure. [`Remedy::ReAsk`] where a repaired document is asked for again.
    pub remedy: Remedy,
    /// The time before which it is not to be made, on the clock of the `now` that was given.
    pub not_before: Duration,
    /// Its budget of tokens, where one is known.
    pub budget: Option<u64>,
    /// What to say behind the reply, if anything: the call before, the reply, this text.
    pub text: Option<String>,
    /// What the model's turn begins with, where the provider takes up what was cut ([`Continuation::Prefill`](crate::Continuation::Prefill)): the raw reply.
    pub prefill: Option<String>,
}

impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Call")
            .field("remedy", &self.remedy)
            .field("not_before", &self.not_before)
            .field("budget", &self.budget)
            .field("text_len", &self.text.as_ref().map(String::len))
            .field("prefill_len", &self.prefill.as_ref().map(String::len))
            .finish()
    }
}

/// A call that was made, and what came of it. `Debug` shows no text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The reply as it came, or as much of it as was kept. Empty where none came.
    pub raw: String,
    /// The strict text of the document, where it had to be repaired.
    pub strict: Option<String>,
    /// What the model said when it refused.
    pub refusal: Option<String>,
    /// What was wrong: nothing where the document is valid.
    pub diagnosis: Option<Diagnosis>,
    /// The exact code of a failure.
    pub code: Option<Code>,
    /// The budget of the call.
    pub budget: Option<u64>,
}

impl Attempt {
    pub(super) fn of(case: &Case<'_>, budget: Option<u64>) -> Self {
        let repaired = case.as_document().filter(|document| document.is_repaired());
        Self {
            raw: case.raw().to_owned(),
            strict: repaired.map(|document| document.text().to_owned()),
            refusal: case.refusal().map(str::to_owned),
            diagnosis: case.diagnosis(),
            code: case.code(),
            budget,
        }
    }

    /// Whether its document is valid, and had to be repaired.
    pub(super) const fn is_usable(&self) -> bool {
        self.diagnosis.is_none() && self.strict.is_some()
    }
}

impl fmt::Debug for Attempt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Attempt")
            .field("raw_len", &self.raw.len())
            .field("strict_len", &self.strict.as_ref().map(String::len))
            .field("refusal_len", &self.refusal.as_ref().map(String::len))
            .field("diagnosis", &self.diagnosis)
            .field("code", &self.code)
            .field("budget", &self.budget)
            .finish()
    }
}

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// What is counted. Stable names: [`Counter::as_str`]; the table stands at [`Retry`](crate::Retry).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Counter {
            $($(#[$doc])* $name,)*
        }

        impl Counter {
            /// All of them.
            pub const ALL: &'static [Counter] = &[$(Counter::$name,)*];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Counter::$name => $text,)*
                }
            }
        }
    };
}

counters! {
    /// A call is made again, since its reply could not be used.
    ParseRetry = "llm/parse_retry";
    /// A person is asked, since no reply could be used.
    ParseAbandoned = "llm/parse_abandoned";
    /// A document needed a bracket of another kind.
    BracketRepair = "llm/json_bracket_repair";
    /// A document is accepted.
    Accept = "llm/step/accept";
    /// A call with a larger budget.
    RaiseBudget = "llm/step/raise_budget";
    /// A call that goes on.
    Continue = "llm/step/continue";
    /// A call that says what was wrong.
    ReAsk = "llm/step/re_ask";
    /// A call that says once more what is asked for.
    RestateSchema = "llm/step/restate_schema";
    /// The very same call.
    ReIssue = "llm/step/re_issue";
    /// A person is asked.
    Escalate = "llm/step/escalate";
    /// It is raised.
    GiveUp = "llm/step/give_up";
}

impl Counter {
    /// The counter of a step.
    pub(super) const fn of(step: &Step) -> Self {
        match step {
            Step::Accept { .. } => Counter::Accept,
            Step::Escalate { .. } => Counter::Escalate,
            Step::GiveUp(_) => Counter::GiveUp,
            Step::Call(call) => match call.remedy {
                Remedy::RaiseBudget => Counter::RaiseBudget,
                Remedy::Continue => Counter::Continue,
                Remedy::ReAsk => Counter::ReAsk,
                Remedy::RestateSchema => Counter::RestateSchema,
                Remedy::ReIssue => Counter::ReIssue,
                Remedy::Escalate => Counter::Escalate,
                Remedy::GiveUp => Counter::GiveUp,
            },
        }
    }
}
