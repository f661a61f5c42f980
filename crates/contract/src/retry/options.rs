//! What a policy is made with.

use std::fmt;
use std::time::Duration;

use crate::feedback::Quote;
use crate::remedy::Continuation;
use crate::words::Words;

/// A budget of tokens, and how far it may be raised: each time to twice as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// That of the first call.
    pub first: u64,
    /// The most that may be asked for.
    pub most: u64,
}

/// What to do with a document that had to be repaired. Stable names: [`Repaired::as_str`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Repaired {
    /// It is accepted, and called [`Confidence::Repaired`](crate::Confidence::Repaired).
    #[default]
    Accept,
    /// It is asked for again while there are attempts left. Where no better one comes, the last of them is accepted, and called what it
    /// is.
    ReAsk,
}

impl Repaired {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Repaired::Accept => "accept",
            Repaired::ReAsk => "re_ask",
        }
    }
}

/// How often and when a call is made again.
///
/// ```
/// use std::time::Duration;
/// use thusfar_contract::{Budget, Continuation, RetryOptions};
///
/// let options = RetryOptions::default()
///     .attempts(5)
///     .backoff(Duration::from_millis(200), Duration::from_secs(5))
///     .budget(Budget { first: 1_000, most: 8_000 })
///     .continuation(Continuation::Prefill);
/// ```
#[derive(Clone)]
pub struct RetryOptions {
    pub(crate) attempts: usize,
    pub(crate) base: Duration,
    pub(crate) most: Duration,
    pub(crate) deadline: Option<Duration>,
    pub(crate) budget: Option<Budget>,
    pub(crate) continuation: Continuation,
    pub(crate) repaired: Repaired,
    pub(crate) quote: Quote,
    pub(crate) words: Words,
    pub(crate) schema: Option<String>,
}

/// Three attempts; waits from half a second up to 30; no budget that could be raised, no provider that goes on; repaired documents are
/// accepted, and the model is quoted.
impl Default for RetryOptions {
    fn default() -> Self {
        Self {
            attempts: 3,
            base: Duration::from_millis(500),
            most: Duration::from_secs(30),
            deadline: None,
            budget: None,
            continuation: Continuation::default(),
            repaired: Repaired::default(),
            quote: Quote::default(),
            words: Words::default(),
            schema: None,
        }
    }
}

impl RetryOptions {
    /// How many calls may be made, the first among them. Less than one is one: the first has been made.
    #[must_use]
    pub fn attempts(mut self, attempts: usize) -> Self {
        self.attempts = attempts;
        self
    }

    /// The wait before the second call, doubled for each one after it, and the most it may be. What is waited is somewhere between
    /// half of that and all of it.
    #[must_use]
    pub fn backoff(mut self, base: Duration, most: Duration) -> Self {
        (self.base, self.most) = (base, most);
        self
    }

    /// The time after which no call is made any more, on the clock of the `now` that [`Retry::after`](crate::Retry::after) is given.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The budget of the first call, and how far it may be raised. Without one nothing can be raised: a reply that its budget has cut is
    /// escalated at once.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// How the provider takes up a reply that was cut, if it does.
    #[must_use]
    pub fn continuation(mut self, continuation: Continuation) -> Self {
        self.continuation = continuation;
        self
    }

    /// What to do with documents that had to be repaired.
    #[must_use]
    pub fn repaired(mut self, repaired: Repaired) -> Self {
        self.repaired = repaired;
        self
    }

    /// Whether re-asks quote the model. Going on is none: what a model is to go on from, it is shown ([`Continuation`]).
    #[must_use]
    pub fn quote(mut self, quote: Quote) -> Self {
        self.quote = quote;
        self
    }

    /// The texts of re-asks.
    #[must_use]
    pub fn words(mut self, words: Words) -> Self {
        self.words = words;
        self
    }

    /// The schema, as JSON, to be restated where no document was found.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.schema = Some(schema.into());
        self
    }
}

/// Without the schema.
impl fmt::Debug for RetryOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RetryOptions")
            .field("attempts", &self.attempts)
            .field("base", &self.base)
            .field("most", &self.most)
            .field("deadline", &self.deadline)
            .field("budget", &self.budget)
            .field("continuation", &self.continuation)
            .field("repaired", &self.repaired)
            .field("quote", &self.quote)
            .field("schema_len", &self.schema.as_ref().map(String::len))
            .finish_non_exhaustive()
    }
}
