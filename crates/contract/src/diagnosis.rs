//! What was wrong with a call, in one word: from the failure or the violations, and what the caller knows besides.
//!
//! A diagnosis is asked of a [`Case`]: what one call came to. The cure is another question ([`crate::Remedy`]).

use std::fmt;

use thusfar_core::{Cause, Code, Document, Ending, Failure, FailureKind};

use crate::contract::Check;
use crate::violation::Violation;

/// What was wrong with a call. Stable names: [`Diagnosis::as_str`]. What to change at the source for each of them: `docs/cures.md`.
///
/// | diagnosis | of |
/// |---|---|
/// | `truncation` | a reply that was cut: by its budget, a filter, us, nobody knows what; or that the model ended with something open. Its [`Cause`] says which |
/// | `malformation` | a reply that is not JSON, and that no allowed repair makes so |
/// | `schema_mismatch` | a document with violations, or a reply that a sink refused |
/// | `nothing_found` | a reply without a document |
/// | `ambiguous` | a reply with two readings |
/// | `runaway` | a reply that repeats itself, or pads |
/// | `limit` | a reply over a limit, or a schema that could not be judged within one ([`Check::limit`]) |
/// | `refusal` | a model that refused, and said so ([`Case::refused`]), or whose filter left no document ([`Case::ended`]) |
/// | `timed_out` | a call whose time ran out: a slow reply is not a broken one |
/// | `provider_error` | a provider that failed, a connection that went away, a rate limit |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Diagnosis {
    /// The reply was cut.
    Truncation,
    /// It is not JSON.
    Malformation,
    /// The document does not follow the schema.
    SchemaMismatch,
    /// There is no document.
    NothingFound,
    /// There are two readings.
    Ambiguous,
    /// The model repeats itself, or pads.
    Runaway,
    /// It is over a limit.
    Limit,
    /// The model refused.
    Refusal,
    /// Time ran out.
    TimedOut,
    /// The provider failed, or the way to it.
    ProviderError,
}

impl Diagnosis {
    /// All of them.
    pub const ALL: [Diagnosis; 10] = [
        Diagnosis::Truncation,
        Diagnosis::Malformation,
        Diagnosis::SchemaMismatch,
        Diagnosis::NothingFound,
        Diagnosis::Ambiguous,
        Diagnosis::Runaway,
        Diagnosis::Limit,
        Diagnosis::Refusal,
        Diagnosis::TimedOut,
        Diagnosis::ProviderError,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Diagnosis::Truncation => "truncation",
            Diagnosis::Malformation => "malformation",
            Diagnosis::SchemaMismatch => "schema_mismatch",
            Diagnosis::NothingFound => "nothing_found",
            Diagnosis::Ambiguous => "ambiguous",
            Diagnosis::Runaway => "runaway",
            Diagnosis::Limit => "limit",
            Diagnosis::Refusal => "refusal",
            Diagnosis::TimedOut => "timed_out",
            Diagnosis::ProviderError => "provider_error",
        }
    }

    /// Of a failure by itself.
    ///
    /// ```
    /// use thusfar_contract::Diagnosis;
    /// use thusfar_core::{Ending, Expect, Reply};
    ///
    /// let mut reply = Reply::new(Expect::object());
    /// let _ = reply.push("{\"a\": [1, 2");
    /// let slow = reply.finish(Ending::TimedOut).unwrap_err();
    /// assert_eq!(Diagnosis::of_failure(&slow), Diagnosis::TimedOut);
    /// ```
    #[must_use]
    pub fn of_failure(failure: &Failure) -> Self {
        match (failure.kind(), failure.cause()) {
            (FailureKind::Truncated, Some(Cause::TimedOut)) => Diagnosis::TimedOut,
            (FailureKind::Truncated, Some(Cause::Failed | Cause::Disconnected)) => Diagnosis::ProviderError,
            (FailureKind::Truncated, _) => Diagnosis::Truncation,
            (FailureKind::Malformed, _) => Diagnosis::Malformation,
            (FailureKind::Ambiguous, _) => Diagnosis::Ambiguous,
            (FailureKind::NotFound, _) => Diagnosis::NothingFound,
            (FailureKind::Runaway, _) => Diagnosis::Runaway,
            (FailureKind::Vetoed, _) => Diagnosis::SchemaMismatch,
            // What is new is over a limit of this code.
            _ => Diagnosis::Limit,
        }
    }

    /// Of a report, which has names alone: its `outcome` and, of what was cut, the `cause`. Nothing of `ok`, and of a name that is no
    /// outcome. A call that nobody can make (`invalid`) is a schema mismatch: it is not what the tool asks for.
    ///
    /// ```
    /// use thusfar_contract::Diagnosis;
    ///
    /// assert_eq!(Diagnosis::of_outcome("truncated", Some("budget")), Some(Diagnosis::Truncation));
    /// assert_eq!(Diagnosis::of_outcome("truncated", Some("disconnected")), Some(Diagnosis::ProviderError));
    /// assert_eq!(Diagnosis::of_outcome("ok", None), None);
    /// ```
    #[must_use]
    pub fn of_outcome(outcome: &str, cause: Option<&str>) -> Option<Self> {
        Some(match (outcome, cause) {
            ("truncated", Some("timed_out")) => Diagnosis::TimedOut,
            ("truncated", Some("failed" | "disconnected")) => Diagnosis::ProviderError,
            ("truncated", _) => Diagnosis::Truncation,
            ("malformed", _) => Diagnosis::Malformation,
            ("schema_mismatch" | "invalid" | "vetoed", _) => Diagnosis::SchemaMismatch,
            ("not_found", _) => Diagnosis::NothingFound,
            ("ambiguous", _) => Diagnosis::Ambiguous,
            ("runaway", _) => Diagnosis::Runaway,
            ("limit", _) => Diagnosis::Limit,
            _ => return None,
        })
    }

    /// What to change in the request so that it comes up less often: one sentence. The page of cures says more.
    ///
    /// ```
    /// use thusfar_contract::Diagnosis;
    /// assert!(Diagnosis::Truncation.cure().starts_with("Give the budget headroom: "));
    /// ```
    #[must_use]
    pub const fn cure(self) -> &'static str {
        match self {
            Diagnosis::Truncation => {
                "Give the budget headroom: twice the tokens of the longest good reply, and reasoning on top where it is billed to the same \
                 budget."
            }
            Diagnosis::Malformation => {
                "Use native tool calls or the structured output of the provider, where the server holds the model to the grammar."
            }
            Diagnosis::SchemaMismatch => {
                "Show an example document beside the schema, and say in the field's description what the violation says."
            }
            Diagnosis::NothingFound => {
                "Say at the end of the prompt that the answer is one JSON document, and show it; or make it a tool that has to be called."
            }
            Diagnosis::Ambiguous => {
                "Ask for one document, once: label the final answer in prose, and keep drafts and examples out of the reply."
            }
            Diagnosis::Runaway => {
                "Bound what may be long: `maxItems` and `maxLength` in the schema, a penalty on repetition, and a stop at the first certain \
                 byte."
            }
            Diagnosis::Limit => "Ask for less at once, or raise the limit that has been named: the code says which.",
            Diagnosis::Refusal => {
                "Read what it says, and change the task, its context or the model: the same question is refused again."
            }
            Diagnosis::TimedOut => {
                "Wait by the byte and not by the reply: a limit on the time to the first byte and between two bytes, and a long one on the \
                 whole."
            }
            Diagnosis::ProviderError => {
                "Leave it to the policy of the client that calls the provider: a queue with its rate, and one place that retries."
            }
        }
    }

    /// Of a check by itself: nothing where the document is valid. Where there is no verdict that is a limit, and no violation.
    #[must_use]
    pub fn of_check(check: &Check) -> Option<Self> {
        match check.limit() {
            Some(_) => Some(Diagnosis::Limit),
            None if check.is_valid() => None,
            None => Some(Diagnosis::SchemaMismatch),
        }
    }
}

/// Why a call brought no reply at all. Stable names: [`NoReply::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoReply {
    /// The provider says that there were too many calls.
    RateLimited,
    /// The connection could not be made, or went away.
    Connection,
    /// Time ran out.
    TimedOut,
    /// The provider reported another error.
    Provider,
}

impl NoReply {
    /// All of them.
    pub const ALL: [NoReply; 4] = [NoReply::RateLimited, NoReply::Connection, NoReply::TimedOut, NoReply::Provider];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            NoReply::RateLimited => "rate_limited",
            NoReply::Connection => "connection",
            NoReply::TimedOut => "timed_out",
            NoReply::Provider => "provider",
        }
    }
}

/// What one call came to, as far as the caller knows.
///
/// ```
/// use thusfar_contract::{Case, Contract, Diagnosis, NoReply};
/// use thusfar_core::{Expect, read};
///
/// let contract = Contract::from_schema(r#"{"properties": {"confidence": {"maximum": 100}}}"#)?;
/// let document = read("{\"confidence\": 150}", Expect::object())?;
/// let check = contract.check(&document);
/// assert_eq!(Case::checked(&document, &check).diagnosis(), Some(Diagnosis::SchemaMismatch));
/// assert_eq!(Case::document(&document).diagnosis(), None);
///
/// // A model that refuses says so beside its reply, or by why it ended: nothing was broken.
/// let failure = read("", Expect::object()).unwrap_err();
/// assert_eq!(Case::failed(&failure).diagnosis(), Some(Diagnosis::NothingFound));
/// assert_eq!(Case::failed(&failure).refused("I cannot help with that.").diagnosis(), Some(Diagnosis::Refusal));
///
/// assert_eq!(Case::no_reply(NoReply::RateLimited).diagnosis(), Some(Diagnosis::ProviderError));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `Debug` shows no text.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    came: Came<'a>,
    violation: Option<&'a Violation>,
    refusal: Option<&'a str>,
    ending: Option<Ending>,
    completion: Option<&'a str>,
}

/// The reply, or that there was none.
#[derive(Clone, Copy)]
enum Came<'a> {
    Document(&'a Document, Option<&'a Check>),
    Failure(&'a Failure),
    NoReply(NoReply),
}

impl<'a> Case<'a> {
    const fn of(came: Came<'a>) -> Self {
        Self { came, violation: None, refusal: None, ending: None, completion: None }
    }

    /// What reading a reply gave, and what its schema says of the document, where there are both.
    #[must_use]
    pub const fn read(read: &'a Result<Document, Failure>, check: Option<&'a Check>) -> Self {
        match read {
            Ok(document) => Self::of(Came::Document(document, check)),
            Err(failure) => Self::failed(failure),
        }
    }

    /// A document, with no schema to hold it against, or a valid one. Whatever ended the reply: a document is a document.
    #[must_use]
    pub const fn document(document: &'a Document) -> Self {
        Self::of(Came::Document(document, None))
    }

    /// A document and what its schema says of it.
    #[must_use]
    pub const fn checked(document: &'a Document, check: &'a Check) -> Self {
        Self::of(Came::Document(document, Some(check)))
    }

    /// A failure.
    #[must_use]
    pub const fn failed(failure: &'a Failure) -> Self {
        Self::of(Came::Failure(failure))
    }

    /// What a reply was refused for while it came ([`Monitor::violation`](crate::Monitor::violation)): the words to ask again with say it.
    #[must_use]
    pub const fn violating(mut self, violation: &'a Violation) -> Self {
        self.violation = Some(violation);
        self
    }

    /// No reply at all.
    #[must_use]
    pub const fn no_reply(why: NoReply) -> Self {
        Self::of(Came::NoReply(why))
    }

    /// The model refused, and it was said: in a lane of its own, whose text this is, or by the reason for the end; then the text may be
    /// empty.
    #[must_use]
    pub const fn refused(mut self, text: &'a str) -> Self {
        self.refusal = Some(text);
        self
    }

    /// What ended the reply. A failure without a document does not know: where a filter ended the reply, the model was kept from
    /// answering, and is not asked the same again.
    ///
    /// ```
    /// use thusfar_contract::{Case, Diagnosis};
    /// use thusfar_core::{Ending, Expect, Reply};
    ///
    /// let failure = Reply::new(Expect::object()).finish(Ending::Filtered).unwrap_err();
    /// assert_eq!(Case::failed(&failure).diagnosis(), Some(Diagnosis::NothingFound));
    /// assert_eq!(Case::failed(&failure).ended(Ending::Filtered).diagnosis(), Some(Diagnosis::Refusal));
    /// ```
    #[must_use]
    pub const fn ended(mut self, ending: Ending) -> Self {
        self.ending = Some(ending);
        self
    }

    /// What came in this call, where the document or the failure is of more than that: of a cut reply and a completion that were
    /// [stitched](Failure::stitch) together. It is [`raw`](Case::raw) from then on.
    #[must_use]
    pub const fn completion(mut self, text: &'a str) -> Self {
        self.completion = Some(text);
        self
    }

    /// What was wrong: nothing with a document that is valid.
    ///
    /// A refusal that was said stands above `nothing_found` and `truncation`: there is nothing to find behind it, and more budget makes a
    /// longer refusal. It stands below what the reply itself shows: a model that wrote broken JSON, or a document, tried to answer.
    #[must_use]
    pub fn diagnosis(&self) -> Option<Diagnosis> {
        let found = match self.came {
            Came::Document(_, check) => check.and_then(Diagnosis::of_check)?,
            Came::Failure(failure) => Diagnosis::of_failure(failure),
            Came::NoReply(NoReply::TimedOut) => Diagnosis::TimedOut,
            Came::NoReply(_) => Diagnosis::ProviderError,
        };
        let is_refused = match found {
            Diagnosis::NothingFound => self.refusal.is_some() || self.ending == Some(Ending::Filtered),
            Diagnosis::Truncation => self.refusal.is_some(),
            _ => false,
        };
        Some(if is_refused { Diagnosis::Refusal } else { found })
    }

    /// The failure, if it is one.
    #[must_use]
    pub const fn failure(&self) -> Option<&'a Failure> {
        match self.came {
            Came::Failure(failure) => Some(failure),
            _ => None,
        }
    }

    /// Why the reply was cut, if it was.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        self.failure().and_then(Failure::cause)
    }

    /// The exact code of a failure.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        self.failure().map(Failure::code)
    }

    /// The document, valid or not.
    #[must_use]
    pub const fn as_document(&self) -> Option<&'a Document> {
        match self.came {
            Came::Document(document, _) => Some(document),
            _ => None,
        }
    }

    /// The check, if one was made.
    #[must_use]
    pub const fn check(&self) -> Option<&'a Check> {
        match self.came {
            Came::Document(_, check) => check,
            _ => None,
        }
    }

    /// What it was refused for, if that was said.
    #[must_use]
    pub const fn violation(&self) -> Option<&'a Violation> {
        self.violation
    }

    /// The reply as it came. Empty where there was none.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        if let Some(completion) = self.completion {
            return completion;
        }
        match self.came {
            Came::Document(document, _) => document.raw(),
            Came::Failure(failure) => failure.raw(),
            Came::NoReply(_) => "",
        }
    }

    /// What came in this call, where that was given by itself.
    pub(crate) const fn as_completion(&self) -> Option<&'a str> {
        self.completion
    }

    /// What the model said when it refused.
    #[must_use]
    pub const fn refusal(&self) -> Option<&'a str> {
        self.refusal
    }
}

/// Codes and lengths only: never the text.
impl fmt::Debug for Case<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Case")
            .field("diagnosis", &self.diagnosis())
            .field("code", &self.code())
            .field("cause", &self.cause())
            .field("raw_len", &self.raw().len())
            .field("refusal_len", &self.refusal.map(str::len))
            .finish()
    }
}
