//! When to call again, with what, and when to stop: a policy without a clock, a random number or a connection of its own.
//!
//! Invariants, each a test:
//! * `attempts.len() <= options.attempts`, and a step that calls is told only while there is one left
//! * the budget of a call behind a truncation is larger than that of the truncated one, or the call goes on behind more than the one before
//! * `now + wait / 2 <= not_before <= now + wait`, where `wait = min(most, base * 2^(calls - 1))`
//! * an end stays

mod options; // what a policy is made with
mod step; // what it says and keeps

use std::fmt;
use std::time::Duration;

use thusfar_core::{Cause, Code, Document, FailureKind, RepairKind};

use crate::diagnosis::{Case, Diagnosis};
use crate::feedback::Feedback;
use crate::remedy::{Continuation, Remedy, tail};
use crate::words::{Filling, Wording};

pub use options::{Budget, Repaired, RetryOptions};
pub use step::{Attempt, Call, Confidence, Counter, Reason, Step};

/// The policy of one question: it is told what each call came to, and says what to do next.
///
/// ```
/// use std::time::Duration;
/// use thusfar_contract::{Budget, Case, Confidence, Remedy, Retry, RetryOptions, Step};
/// use thusfar_core::{Ending, Expect, Reply};
///
/// let mut retry = Retry::new(RetryOptions::default().budget(Budget { first: 100, most: 1_000 }));
/// let mut reply = Reply::new(Expect::object());
/// let _ = reply.push("{\"title\": \"Minutes");
/// let cut = reply.finish(Ending::Length).unwrap_err();
///
/// // Time and randomness are the caller's: 4 s on its clock, and 64 random bits.
/// let Step::Call(call) = retry.after(&Case::failed(&cut), Duration::from_secs(4), 0) else { panic!("ask again") };
/// assert_eq!((call.remedy, call.budget), (Remedy::RaiseBudget, Some(200)));
/// assert_eq!(call.not_before, Duration::from_millis(4_250));
///
/// let document = thusfar_core::read("{\"title\": \"Minutes\",}", Expect::object())?;
/// let step = retry.after(&Case::document(&document), Duration::from_secs(6), 0);
/// assert_eq!(step, Step::Accept { attempt: 1, confidence: Confidence::Repaired });
/// assert_eq!(retry.attempts()[1].strict.as_deref(), Some("{\"title\": \"Minutes\"}"));
/// # Ok::<(), thusfar_core::Failure>(())
/// ```
///
/// # Rules
///
/// * The step is that of the [`Remedy`], within these bounds.
/// * At most so many calls as [`RetryOptions::attempts`] says, 3 by default; then a person.
/// * The same syntax error twice in these calls ends them: the same [`Code`] of a malformed reply, wherever it stood. Violations of a schema
///   do not count, nor do the codes of a cut.
/// * Only replies that could not be used are asked for again. A rate limit, a connection that failed, an error of the provider is
///   [`GiveUp`](Step::GiveUp) at once.
/// * Whatever ends the calls: where a repaired document was put aside to ask for a better one, it is accepted instead.
/// * A timeout, or a runaway reply, is issued again once; the second one is for a person.
/// * A truncated reply is never asked for with the same budget: the call says the new one, or goes on where it was cut; where neither can
///   be, a person is asked. A cut that the model made itself is no exception, where a budget is known; nor is a call that went on and
///   brought nothing: it goes on again with a larger budget only.
/// * Between calls there is a wait that doubles, with jitter between half of it and all of it.
/// * A document that had to be repaired is accepted with a lower [`Confidence`], or asked for again ([`Repaired`]).
/// * An end stays: what comes behind it changes nothing, and is not kept.
///
/// # A loop
///
/// ```
/// use std::time::Duration;
/// use thusfar_contract::{Case, Contract, Retry, RetryOptions, Step};
/// use thusfar_core::{Document, Ending, Expect, Reply};
///
/// /// `send` is yours: it waits until the call may be made, sends the messages with the budget, and gives the text and what ended it.
/// fn ask(
///     contract: &Contract,
///     mut send: impl FnMut(&[String], Option<u64>, Duration) -> (String, Ending),
/// ) -> Result<Document, &'static str> {
///     let mut retry = Retry::new(RetryOptions::default());
///     let mut messages = vec!["How sure are you? Answer with {\"confidence\": 0 to 100}.".to_owned()];
///     let (mut documents, mut not_before) = (Vec::new(), Duration::ZERO);
///     loop {
///         let (text, ending) = send(&messages, retry.budget(), not_before);
///         let mut reply = Reply::new(Expect::root(contract.root()));
///         let _ = reply.push(&text);
///         let read = reply.finish(ending);
///         let check = read.as_ref().ok().map(|document| contract.check(document));
///         let case = Case::read(&read, check.as_ref());
///         let (now, random) = (Duration::from_secs(1), 0); // of your clock, and 64 random bits
///         let step = retry.after(&case.ended(ending), now, random);
///         documents.push(read.ok());
///         match step {
///             // Not always the newest: see `Repaired::ReAsk`.
///             Step::Accept { attempt, .. } => return documents.swap_remove(attempt).ok_or("no document"),
///             Step::Call(call) => {
///                 not_before = call.not_before;
///                 // The reply, and what was wrong with it. Without a text the same messages are sent again.
///                 messages.extend(call.text.into_iter().flat_map(|said| [text.clone(), said]));
///             }
///             // With the attempts, which hold each reply as it came.
///             Step::Escalate { reason, .. } => return Err(reason.as_str()),
///             step => return Err(step.as_str()),
///         }
///     }
/// }
///
/// let contract = Contract::from_schema(r#"{"properties": {"confidence": {"maximum": 100}}}"#)?;
/// let mut replies = ["Very.", "{\"confidence\": 150}", "{\"confidence\": 95}"].into_iter();
/// let document = ask(&contract, |messages, _, _| {
///     assert!(messages.len() != 5 || messages[4].contains("`/confidence` must be at most 100; you returned 150"));
///     (replies.next().unwrap_or_default().to_owned(), Ending::Stop)
/// })?;
/// assert_eq!((document.text(), replies.len()), ("{\"confidence\": 95}", 0));
/// let never = ask(&contract, |_, _, _| ("{\"confidence\": 150}".to_owned(), Ending::Stop));
/// assert_eq!(never.err(), Some("attempts_used_up"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Counters
///
/// | counter | counts |
/// |---|---|
/// | `llm/parse_retry` | calls that are made again, since a reply could not be used: all but those behind a timeout, or for a document that was repaired |
/// | `llm/parse_abandoned` | questions that a person is asked, since no reply could be used: not behind a timeout or a refusal |
/// | `llm/json_bracket_repair` | replies whose document needed a bracket of another kind |
/// | `llm/step/accept`, `llm/step/raise_budget`, `llm/step/continue`, `llm/step/re_ask`, `llm/step/restate_schema`, `llm/step/re_issue`, `llm/step/escalate`, `llm/step/give_up` | steps, by name |
///
/// Keeps the raw reply of every attempt, and both texts of a repaired one: as many replies as calls, whole. `Debug` shows no text.
pub struct Retry {
    options: RetryOptions,
    attempts: Vec<Attempt>,
    budget: Option<u64>,
    /// How much of a reply the call that is under way goes on behind, in bytes.
    goes_on_behind: Option<usize>,
    counts: [u64; Counter::ALL.len()],
    end: Option<Step>,
}

impl Retry {
    /// Before the first call.
    #[must_use]
    pub fn new(options: RetryOptions) -> Self {
        let budget = options.budget.map(|budget| budget.first);
        Self { options, attempts: Vec::new(), budget, goes_on_behind: None, counts: [0; Counter::ALL.len()], end: None }
    }

    /// What to do after a call, whose outcome is `case`. `now` is the time of any clock that does not go back, `random` are 64 random bits.
    ///
    /// Costs a copy of the reply, and where it is asked about again what [`Feedback`] costs.
    #[must_use]
    pub fn after(&mut self, case: &Case<'_>, now: Duration, random: u64) -> Step {
        if let Some(end) = &self.end {
            return end.clone();
        }
        self.attempts.push(Attempt::of(case, self.budget));
        let needed = |document: &Document| document.repairs().iter().any(|it| it.kind == RepairKind::BracketKind);
        if case.as_document().is_some_and(needed) {
            self.count(Counter::BracketRepair);
        }
        let step = match self.call(case, now, random) {
            Ok(call) => Step::Call(Box::new(call)),
            Err(end) => self.end_with(end),
        };
        let goes_on = matches!(&step, Step::Call(call) if call.remedy == Remedy::Continue);
        self.goes_on_behind = goes_on.then(|| failed_len(case));
        self.count_step(&step, case.diagnosis());
        step
    }

    /// The budget of the next call, or of the one that is under way.
    #[must_use]
    pub const fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// The calls that were made, in order.
    #[must_use]
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The same, to be handed on.
    #[must_use]
    pub fn into_attempts(self) -> Vec<Attempt> {
        self.attempts
    }

    /// What a counter counts so far.
    #[must_use]
    pub const fn count_of(&self, counter: Counter) -> u64 {
        self.counts[counter as usize]
    }

    /// All counters that have counted something, by name.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = Counter::ALL.iter().map(|&counter| (counter.as_str(), self.count_of(counter)));
        all.filter(|(_, count)| *count > 0)
    }

    /// The next call, or the end.
    fn call(&mut self, case: &Case<'_>, now: Duration, random: u64) -> Result<Call, Step> {
        let Some(diagnosis) = case.diagnosis() else { return self.call_for_better(case, now, random) };
        if self.is_same_error() {
            return Err(Step::escalate(Reason::SameError));
        }
        // A diagnosis has a remedy.
        let remedy = Remedy::of(case, self.options.continuation).unwrap_or(Remedy::Escalate);
        match remedy {
            Remedy::GiveUp => return Err(Step::GiveUp(diagnosis)),
            Remedy::Escalate => return Err(Step::escalate(Reason::Remedy)),
            Remedy::ReIssue if self.came_before(diagnosis) => return Err(Step::escalate(Reason::SameAgain)),
            _ => {}
        }
        let not_before = self.when(now, random)?;
        // A call that begins anew goes on behind nothing, `None`, which is less than any length.
        let goes_on_behind = (remedy == Remedy::Continue).then(|| failed_len(case));
        if diagnosis == Diagnosis::Truncation && goes_on_behind <= self.goes_on_behind {
            self.raise_budget(case.cause())?;
        }
        let text = self.text(remedy, diagnosis, case);
        let is_prefill = remedy == Remedy::Continue && self.options.continuation == Continuation::Prefill;
        let prefill = is_prefill.then(|| case.raw().to_owned());
        Ok(Call { remedy, not_before, budget: self.budget, text, prefill })
    }

    /// A document that is valid: accepted, or asked for again if it had to be repaired.
    fn call_for_better(&self, case: &Case<'_>, now: Duration, random: u64) -> Result<Call, Step> {
        let repaired = case.as_document().filter(|document| document.is_repaired());
        let Some(document) = repaired else { return Err(self.accept(Confidence::Full)) };
        let accept = self.accept(Confidence::Repaired);
        if self.options.repaired == Repaired::Accept {
            return Err(accept);
        }
        let not_before = self.when(now, random).map_err(|_| accept)?;
        let feedback = of_repairs(document).quote(self.options.quote);
        let text = Some(self.options.words.fill(Wording::Repaired, &feedback));
        Ok(Call { remedy: Remedy::ReAsk, not_before, budget: self.budget, text, prefill: None })
    }

    fn accept(&self, confidence: Confidence) -> Step {
        Step::Accept { attempt: self.attempts.len().saturating_sub(1), confidence }
    }

    /// Whether the newest attempt has the same syntax error as one before it.
    fn is_same_error(&self) -> bool {
        let Some((newest, before)) = self.attempts.split_last() else { return false };
        let is_syntax = |code: &Code| code.kind() == FailureKind::Malformed;
        newest.code.filter(is_syntax).is_some_and(|code| before.iter().any(|attempt| attempt.code == Some(code)))
    }

    /// Whether an attempt before the newest had the same diagnosis.
    fn came_before(&self, diagnosis: Diagnosis) -> bool {
        self.attempts.iter().rev().skip(1).any(|attempt| attempt.diagnosis == Some(diagnosis))
    }

    /// When the next call may be made, if it may.
    fn when(&self, now: Duration, random: u64) -> Result<Duration, Step> {
        if self.attempts.len() >= self.options.attempts {
            return Err(Step::escalate(Reason::AttemptsUsedUp));
        }
        let doublings = u32::try_from(self.attempts.len() - 1).unwrap_or(u32::MAX).min(31);
        let wait = self.options.base.saturating_mul(1 << doublings).min(self.options.most);
        let not_before = now.saturating_add(jittered(wait, random));
        match self.options.deadline {
            Some(deadline) if not_before > deadline => Err(Step::escalate(Reason::TimeUsedUp)),
            _ => Ok(not_before),
        }
    }

    /// Twice the budget, as far as it may go.
    fn raise_budget(&mut self, cause: Option<Cause>) -> Result<(), Step> {
        match (self.options.budget, self.budget) {
            (Some(Budget { most, .. }), Some(now)) if now < most => {
                self.budget = Some(now.saturating_mul(2).clamp(now + 1, most));
                Ok(())
            }
            // No budget is known, and none has cut it.
            (None, _) if cause == Some(Cause::Unclosed) => Ok(()),
            _ => Err(Step::escalate(Reason::BudgetUsedUp)),
        }
    }

    /// What to say, where something is to be said.
    fn text(&self, remedy: Remedy, diagnosis: Diagnosis, case: &Case<'_>) -> Option<String> {
        let wording = match (remedy, diagnosis) {
            (Remedy::Continue, _) if self.options.continuation == Continuation::Repeat => Wording::Continue,
            (Remedy::RestateSchema, _) if self.options.schema.is_some() => Wording::RestateSchema,
            (Remedy::RestateSchema, _) => Wording::NothingFound,
            (Remedy::ReAsk, Diagnosis::Truncation) => Wording::Unclosed,
            (Remedy::ReAsk, Diagnosis::SchemaMismatch) => Wording::SchemaMismatch,
            (Remedy::ReAsk, Diagnosis::Ambiguous) => Wording::Ambiguous,
            (Remedy::ReAsk, _) => Wording::Malformation,
            _ => return None,
        };
        let of_check = || case.as_document().zip(case.check()).and_then(|(it, check)| Feedback::of_check(check, it));
        let feedback = of_completion(case).or_else(|| of_failure(case)).or_else(of_check);
        let feedback = feedback.map(|feedback| feedback.quote(self.options.quote));
        let filling = Filling {
            feedback: feedback.as_ref(),
            schema: self.options.schema.as_deref(),
            tail: case.failure().map(tail),
        };
        Some(self.options.words.fill_with(wording, &filling))
    }

    /// The end, which stays; an attempt with a repaired document is better than none.
    fn end_with(&mut self, end: Step) -> Step {
        let usable = self.attempts.iter().rposition(Attempt::is_usable);
        let end = match (end, usable) {
            (end @ Step::Accept { .. }, _) => end,
            (_, Some(attempt)) => Step::Accept { attempt, confidence: Confidence::Repaired },
            (Step::Escalate { reason, .. }, None) => {
                Step::Escalate { reason, attempts: self.attempts.as_slice().into() }
            }
            (end, None) => end,
        };
        self.end = Some(end.clone());
        end
    }

    fn count_step(&mut self, step: &Step, diagnosis: Option<Diagnosis>) {
        self.count(Counter::of(step));
        let is_unusable = diagnosis.is_some_and(is_of_reply);
        match step {
            Step::Call(_) if is_unusable => self.count(Counter::ParseRetry),
            Step::Escalate { .. } if is_unusable => self.count(Counter::ParseAbandoned),
            _ => {}
        }
    }

    fn count(&mut self, counter: Counter) {
        self.counts[counter as usize] += 1;
    }
}

/// Lengths and codes only: never the text.
impl fmt::Debug for Retry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Retry")
            .field("options", &self.options)
            .field("attempts", &self.attempts)
            .field("budget", &self.budget)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

/// Whether it is the reply that could not be used.
const fn is_of_reply(diagnosis: Diagnosis) -> bool {
    !matches!(diagnosis, Diagnosis::TimedOut | Diagnosis::Refusal | Diagnosis::ProviderError)
}

/// The length of all that came of a reply that failed, in bytes.
fn failed_len(case: &Case<'_>) -> usize {
    case.failure().map_or(0, |failure| failure.raw().len())
}

/// Between half of a wait and all of it.
fn jittered(wait: Duration, random: u64) -> Duration {
    let half = wait / 2;
    // Less than 2^95 times less than 2^32, so that it cannot overflow.
    let more = ((wait - half).as_nanos() * u128::from(random >> 32)) >> 32;
    let (seconds, nanos) = (more / 1_000_000_000, more % 1_000_000_000);
    half + Duration::new(u64::try_from(seconds).unwrap_or(u64::MAX), nanos as u32)
}

/// What to say of a completion that may be the rest of the reply before it, or not.
fn of_completion(case: &Case<'_>) -> Option<Feedback> {
    let is_uncertain = case.code() == Some(Code::StitchUncertain);
    let said = "it may go on with the reply before it, which was cut, or begin anew";
    case.as_completion().filter(|_| is_uncertain).map(|completion| Feedback::of_message(said, completion, None))
}

/// What to say of a failure: what the reply breaks of its schema, where it was refused for that.
fn of_failure(case: &Case<'_>) -> Option<Feedback> {
    let failure = case.failure()?;
    Some(match case.violation().filter(|_| failure.kind() == FailureKind::Vetoed) {
        Some(violation) => Feedback::of_violation(violation, failure),
        None => Feedback::of_failure(failure),
    })
}

/// What to say of a document that had to be repaired: the kinds, each once, and the place of the first.
fn of_repairs(document: &Document) -> Feedback {
    let repairs = document.repairs();
    let kinds: Vec<_> = RepairKind::ALL.into_iter().filter(|kind| repairs.iter().any(|it| it.kind == *kind)).collect();
    let names: Vec<_> = kinds.into_iter().map(RepairKind::as_str).collect();
    let first = repairs.first().map(|repair| repair.span.start);
    Feedback::of_message(&format!("it needed {}", names.join(", ")), document.raw(), first)
}
