//! Verdicts, scores, flags and short texts read out of prose, or an honest word on why there is none.
//!
//! Where you control the producer, ask for JSON, or at least for labels: plain prose can be read with certainty only where it says one thing.

mod signal; // what became of a target
mod number; // decimals, compared by their digits
mod lexer; // words and marks
mod words; // words that say something about a value
mod phrases; // values and labels in one tree
mod hits; // what has been found for a target
mod prose; // what of a reply is prose
mod figure; // numbers as prose has them
mod reader; // words to hits
mod once; // JSON without a member twice
mod spec; // what is asked for
mod extract; // all of it behind `push` and `finish`

use std::sync::Arc;

use thusfar_core::Ending;

pub use extract::{ExtractOptions, Extracted, Extraction};
pub use signal::{Candidate, Signal, SignalCode, SignalOutcome, SignalValue, Via};
pub use spec::{SignalType, SpecError, Which};

/// What is to be read out of replies: named targets. Cheap to clone.
///
/// ```
/// use thusfar_contract::{SignalOutcome, Signals};
/// use thusfar_core::Ending;
///
/// let signals = Signals::from_spec(r#"{"targets": [
///     {"name": "verdict", "type": "enum", "values": ["approve", "reject"]},
///     {"name": "score", "type": "number", "min": 0, "max": 100}
/// ]}"#)?;
/// let found = signals.extract("My first instinct was to reject it.\n\n**Verdict:** approve\nScore: 85", Ending::Stop);
/// assert_eq!(found.get("verdict").and_then(|signal| signal.value()?.as_str()), Some("approve"));
/// assert_eq!(found.get("score").and_then(|signal| signal.value()?.as_number()), Some("85"));
///
/// let found = signals.extract("At first I'd reject it, but I approve.", Ending::Stop);
/// assert_eq!(found.get("verdict").map(|signal| signal.outcome()), Some(SignalOutcome::Ambiguous));
/// # Ok::<(), thusfar_contract::SpecError>(())
/// ```
#[derive(Clone)]
pub struct Signals {
    plan: Arc<spec::Plan>,
}

impl Signals {
    /// Reads a spec: `{"targets": [{"name": …, "type": …, …}]}`, at most 64 targets.
    ///
    /// | member | of | meaning |
    /// |---|---|---|
    /// | `name` | all | unlike every other one |
    /// | `type` | all | see [`SignalType`] |
    /// | `values` | enum | what is allowed |
    /// | `aliases` | enum, boolean | a value, and the list of other words for it |
    /// | `labels` | all | what announces the value; default: the name, and its words where `_` or `-` joins them |
    /// | `which` | all | see [`Which`]; default `only` |
    /// | `min`, `max` | numbers | both inclusive |
    /// | `scale` | numbers | the scale that may be written (`8/10`); default `max`; where neither is given, any |
    /// | `unit` | numbers | one word or sign that must be written; without it `%` may be, where `max` is 100 or not given |
    ///
    /// Case does not count in values, aliases and labels. At most 10,000 of them in all, each of 256 bytes and 16 words.
    ///
    /// # Errors
    /// When it is no such thing, has a member that is not known, one word for two values of a target, or one label for two targets. The error
    /// says where.
    pub fn from_spec(json: &str) -> Result<Self, SpecError> {
        Ok(Self { plan: Arc::new(spec::read(json)?) })
    }

    /// The names of the targets and their types, in the order of the spec.
    pub fn targets(&self) -> impl Iterator<Item = (&str, SignalType)> {
        self.plan.targets.iter().map(|target| (target.name.as_ref(), target.kind()))
    }

    /// How many targets there are: at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plan.targets.len()
    }

    /// Never: a spec without targets is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plan.targets.is_empty()
    }

    /// Reads a whole reply, in time linear in it.
    ///
    /// What touches the end of a reply that was cut may be longer, so it is no value: with any ending but `Stop`, `ToolUse` and `Unknown`.
    #[must_use]
    pub fn extract(&self, text: &str, ending: Ending) -> Extracted {
        let mut extraction = self.begin();
        let _ = extraction.push(text);
        extraction.finish(ending)
    }

    /// Begins to read a reply while it arrives.
    ///
    /// ```
    /// use thusfar_contract::{SignalCode, Signals};
    ///
    /// let signals = Signals::from_spec(r#"{"targets": [{"name": "verdict", "type": "enum", "values": ["pass", "fail"]}]}"#)?;
    /// let mut extraction = signals.begin();
    /// let chunks = ["Verdict: pass\n", "On reflection,\nVerdict: fa", "il\n", "and much more"];
    /// let told = chunks.iter().position(|chunk| extraction.push(chunk).is_decided());
    /// assert_eq!(told, Some(2), "two different verdicts: whoever pays for the rest hangs up here");
    /// let signal = extraction.decided("verdict").expect("it is certain");
    /// assert_eq!((signal.code(), signal.candidates().len()), (Some(SignalCode::TwoValues), 2));
    /// # Ok::<(), thusfar_contract::SpecError>(())
    /// ```
    #[must_use]
    pub fn begin(&self) -> Extraction {
        self.begin_with(ExtractOptions::default())
    }

    /// The same with options.
    #[must_use]
    pub fn begin_with(&self, options: ExtractOptions) -> Extraction {
        Extraction::new(Arc::clone(&self.plan), options)
    }
}

/// Only the number of targets: a spec may be a client's.
impl std::fmt::Debug for Signals {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Signals").field("len", &self.len()).finish_non_exhaustive()
    }
}
