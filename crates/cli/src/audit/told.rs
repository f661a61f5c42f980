//! A line that is a report: what `batch`, `parse --json`, `validate --json`, `tools --json`, `extract --json` and `stream --json` print.
//!
//! Nothing in it is believed to be bounded. Lists are read item by item and counted under bounded names, texts are shortened as they are
//! read, and everything else is read over, to any depth and without recursion.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use thusfar_contract::Diagnosis;

use super::counted::{Counted, EXCERPT, Excerpt, One, diagnosis_of_signals};
use super::names::{CodeName, Name, Named};
use super::targets::{Outcomes, Targets};
use crate::report::SCHEMA_MISMATCH;

/// Characters of a text that are read: one more than are shown tells that there are more.
const READ: usize = EXCERPT + 1;

/// Why a line is no report.
pub(super) enum NoReport {
    /// It has no `outcome`: it does not say that it is one. Where it has an `error` instead, what that says.
    Silent(Option<String>),
    /// It is one that cannot be read, and why.
    Broken(serde_json::Error),
}

/// Reads a line.
pub(super) fn read(line: &[u8]) -> Result<Counted, NoReport> {
    let line: Line = serde_json::from_slice(line).map_err(NoReport::Broken)?;
    let Some(Short(outcome)) = line.outcome else { return Err(NoReport::Silent(line.error.and_then(|text| text.0))) };
    let mut counted = Counted::default();
    match line.lanes {
        Some(Each { all, .. }) => {
            counted = all.counted;
            if counted.replies == 0 {
                counted.add(of_stream(&outcome, &all.said));
            }
        }
        None => counted.add(
            Report {
                outcome: Short(outcome),
                repairs: line.repairs,
                warnings: line.warnings,
                calls: line.calls,
                refused: line.refused,
                violations: line.violations,
                targets: line.targets,
                failure: line.failure,
            }
            .one(),
        ),
    }
    Ok(counted)
}

/// What becomes of a stream of which no lane was judged: its end decides, and whether it said anything.
fn of_stream(outcome: &str, said: &Said) -> One {
    let (outcome, diagnosis) = match (outcome, said) {
        ("complete", Said::Something) => ("ok", None),
        ("complete", Said::Refusal) => ("not_found", Some(Diagnosis::Refusal)),
        ("complete", Said::Nothing) => ("not_found", Some(Diagnosis::NothingFound)),
        ("truncated_length" | "cancelled", _) => (outcome, Some(Diagnosis::Truncation)),
        ("truncated_cut" | "error", _) => (outcome, Some(Diagnosis::ProviderError)),
        ("filtered", _) => (outcome, Some(Diagnosis::Refusal)),
        _ => (outcome, None),
    };
    One { outcome: Some(Name::of(outcome)), diagnosis, ..One::default() }
}

#[derive(Deserialize)]
struct Line {
    outcome: Option<Short>,
    error: Option<AnyText>,
    lanes: Option<Each<Lane, Lanes>>,
    repairs: Option<Each<Kind, Kinds>>,
    warnings: Option<Each<Kind, Kinds>>,
    calls: Option<Each<Call, Calls>>,
    refused: Option<Each<Refused, Codes>>,
    violations: Option<Each<Violated, Codes>>,
    targets: Option<Signals>,
    failure: Option<Failed>,
}

/// The same of a lane.
#[derive(Deserialize)]
struct Report {
    outcome: Short,
    repairs: Option<Each<Kind, Kinds>>,
    warnings: Option<Each<Kind, Kinds>>,
    calls: Option<Each<Call, Calls>>,
    refused: Option<Each<Refused, Codes>>,
    violations: Option<Each<Violated, Codes>>,
    targets: Option<Signals>,
    failure: Option<Failed>,
}

impl Report {
    /// Whether it says of calls that something was refused, as the command that printed it does: not that nothing was found.
    fn is_refusal(&self) -> bool {
        matches!(self.outcome.0.as_str(), "limit" | "runaway")
            || self.refused.as_ref().is_some_and(|refused| refused.all.len() > 0)
            || self.failure.as_ref().is_some_and(|failure| failure.code.0 == "invalid_utf8")
    }

    fn one(self) -> One {
        let all = |kinds: Option<Each<Kind, Kinds>>| kinds.map(|kinds| kinds.all).unwrap_or_default();
        let Short(outcome) = self.outcome;
        let cause = self.failure.as_ref().and_then(|failure| failure.cause.as_ref());
        let diagnosis = match &self.targets {
            Some(signals) => diagnosis_of_signals(&outcome, signals.first_code(&outcome)),
            None => Diagnosis::of_outcome(&outcome, cause.map(|cause| cause.0.as_str())),
        };
        let Calls { mut repairs, mut warnings } = self.calls.map(|calls| calls.all).unwrap_or_default();
        repairs.merge(all(self.repairs));
        warnings.merge(all(self.warnings));
        let mut codes = Codes::default();
        // What a schema refused counts under its keyword.
        let has_keyword = self.violations.as_ref().is_some_and(|violations| violations.all.len() > 0);
        let counts = |failure: &Failed| outcome != "ok" && !(has_keyword && failure.code.0 == SCHEMA_MISMATCH);
        if let Some(failure) = self.failure.filter(counts) {
            let code = CodeName::new(Name::of(&outcome), Name::of(&failure.code.0));
            let Short(excerpt) = failure.excerpt.or(failure.message).unwrap_or_default();
            codes.add(code, Excerpt(excerpt));
        }
        for more in [self.violations.map(|all| all.all), self.refused.map(|all| all.all)] {
            codes.merge(more.unwrap_or_default());
        }
        let Signals { targets, codes: of_targets, .. } = self.targets.unwrap_or_default();
        codes.merge(of_targets);
        One { outcome: Some(Name::of(&outcome)), repairs, warnings, codes, targets, diagnosis }
    }
}

type Kinds = Named<Name, u64>;
type Codes = Named<CodeName, Excerpt>;

/// A repair or a warning.
#[derive(Deserialize)]
struct Kind {
    kind: Short,
}

#[derive(Deserialize)]
struct Failed {
    code: Short,
    cause: Option<Short>,
    message: Option<Short>,
    excerpt: Option<Short>,
}

#[derive(Deserialize)]
struct Violated {
    keyword: Short,
    message: Option<Short>,
}

#[derive(Deserialize)]
struct Refused {
    outcome: Short,
    code: Short,
    message: Option<Short>,
    violations: Option<Each<Violated, Codes>>,
}

#[derive(Deserialize)]
struct Call {
    repairs: Option<Each<Kind, Kinds>>,
    warnings: Option<Each<Kind, Kinds>>,
}

/// What the arguments of calls needed.
#[derive(Default)]
struct Calls {
    repairs: Kinds,
    warnings: Kinds,
}

#[derive(Deserialize)]
struct Lane {
    kind: Short,
    report: Option<Report>,
    tool_report: Option<Report>,
    signal_report: Option<Report>,
}

/// One target of signals.
#[derive(Deserialize)]
struct Target<'a> {
    outcome: Short,
    code: Option<Short>,
    #[serde(borrow)]
    got: Option<&'a RawValue>,
}

/// What became of all of them.
#[derive(Default)]
struct Signals {
    targets: Targets,
    codes: Codes,
    /// Outcomes that are not ok, each with the code of the first target that has it.
    firsts: [Option<(String, String)>; 3],
}

impl Signals {
    fn add(&mut self, name: &str, target: Target<'_>) {
        let (Short(outcome), code) = (target.outcome, target.code.map(|code| code.0));
        // What is none of the four would be a row of nothing.
        let counted = Outcomes::one(&outcome);
        if counted != Outcomes::default() {
            self.targets.add(Name::of_target(name), counted);
        }
        let Some(code) = code.filter(|_| outcome != "ok") else { return };
        let got = target.got.map_or("", RawValue::get);
        let excerpt = Excerpt(got.chars().take(READ).collect());
        self.codes.add(CodeName::new(Name::of(&outcome), Name::of(&code)), excerpt);
        if self.first_code(&outcome).is_none()
            && let Some(free) = self.firsts.iter_mut().find(|first| first.is_none())
        {
            *free = Some((outcome, code));
        }
    }

    fn first_code(&self, outcome: &str) -> Option<&str> {
        let first = self.firsts.iter().flatten().find(|(known, _)| known == outcome);
        first.map(|(_, code)| code.as_str())
    }
}

impl<'de> Deserialize<'de> for Signals {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_map(Signals::default())
    }
}

impl<'de> Visitor<'de> for Signals {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of targets")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut members: M) -> Result<Self, M::Error> {
        while let Some((Short(name), target)) = members.next_entry()? {
            self.add(&name, target);
        }
        Ok(self)
    }
}

/// Whether a stream said something that could be judged.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    #[default]
    Nothing,
    /// That the model refuses.
    Refusal,
    Something,
}

#[derive(Default)]
struct Lanes {
    counted: Counted,
    said: Said,
}

/// Something that is counted, and then let go.
trait Item<A> {
    fn count(self, all: &mut A);
}

impl Item<Kinds> for Kind {
    fn count(self, all: &mut Kinds) {
        all.add(Name::of(&self.kind.0), 1);
    }
}

impl Item<Codes> for Violated {
    fn count(self, all: &mut Codes) {
        let code = CodeName::new(Name::ours(SCHEMA_MISMATCH), Name::of_keyword(&self.keyword.0));
        all.add(code, Excerpt(self.message.unwrap_or_default().0));
    }
}

impl Item<Codes> for Refused {
    fn count(self, all: &mut Codes) {
        let code = CodeName::new(Name::of(&self.outcome.0), Name::of(&self.code.0));
        all.add(code, Excerpt(self.message.unwrap_or_default().0));
        all.merge(self.violations.map(|violations| violations.all).unwrap_or_default());
    }
}

impl Item<Calls> for Call {
    fn count(self, all: &mut Calls) {
        all.repairs.merge(self.repairs.map(|repairs| repairs.all).unwrap_or_default());
        all.warnings.merge(self.warnings.map(|warnings| warnings.all).unwrap_or_default());
    }
}

/// A lane is what its signals are where they are not ok, else what its calls are, or what its document is: as `stream` decides whether it is
/// good.
impl Item<Lanes> for Lane {
    fn count(self, all: &mut Lanes) {
        let is_text = self.kind.0 == "text";
        all.said = all.said.max(match self.kind.0.as_str() {
            "text" | "tool_args" => Said::Something,
            "refusal" => Said::Refusal,
            _ => Said::Nothing,
        });
        let counts = match (self.tool_report, self.report) {
            (Some(calls), _) if calls.is_refusal() || (is_text && calls.outcome.0 == "ok") => Some(calls),
            (_, report) => report,
        };
        let one = match (self.signal_report, counts) {
            (Some(signals), Some(report)) if signals.outcome.0 == "ok" => {
                Some(One { targets: signals.one().targets, ..report.one() })
            }
            (Some(signals), _) => Some(signals.one()),
            (None, report) => report.map(Report::one),
        };
        one.into_iter().for_each(|one| all.counted.add(one));
    }
}

/// A list, counted item by item.
struct Each<T, A> {
    all: A,
    items: PhantomData<T>,
}

impl<'de, T: Deserialize<'de> + Item<A>, A: Default> Deserialize<'de> for Each<T, A> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_seq(Each { all: A::default(), items: PhantomData })
    }
}

impl<'de, T: Deserialize<'de> + Item<A>, A> Visitor<'de> for Each<T, A> {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<S: SeqAccess<'de>>(mut self, mut items: S) -> Result<Self, S::Error> {
        while let Some(item) = items.next_element::<T>()? {
            item.count(&mut self.all);
        }
        Ok(self)
    }
}

/// The beginning of a text: longer than any name, and as much as is shown.
#[derive(Default)]
struct Short(String);

impl<'de> Deserialize<'de> for Short {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_str(Short::default())
    }
}

impl Visitor<'_> for Short {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self, E> {
        Ok(Short(text.chars().take(READ).collect()))
    }
}

/// A text, or something else, which is read over.
pub(super) struct AnyText(pub(super) Option<String>);

impl<'de> Deserialize<'de> for AnyText {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(AnyText(None))
    }
}

impl<'de> Visitor<'de> for AnyText {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self, E> {
        Ok(AnyText(Some(text.chars().take(READ).collect())))
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Self, S::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Self, M::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}
