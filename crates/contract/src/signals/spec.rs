//! A spec: which targets there are, and what each of them takes.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::number::Decimal;
use super::once::Once;
use super::phrases::{Phrases, Use};
use crate::shown::quoted;

/// Targets of one spec.
const MOST_TARGETS: usize = 64;
/// Values, aliases and labels of one spec.
const MOST_PHRASES: usize = 10_000;
/// Bytes of the longest name, value, alias, label or unit.
const LONGEST: usize = 256;
/// Characters of what an error quotes.
const QUOTED: usize = 60;
/// The largest number that a bound may be: up to here a double tells every integer.
const LARGEST_BOUND: f64 = 9_007_199_254_740_992.0;

/// What a target takes. Stable names: [`SignalType::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SignalType {
    /// One of some values.
    Enum,
    /// A decimal number, as it is written.
    Number,
    /// A number without a fraction.
    Integer,
    /// `true`, `false`, `yes`, `no`, and aliases.
    Boolean,
    /// What stands behind the label, up to the end of the line; or the paragraph below a label that stands alone.
    Text,
}

impl SignalType {
    const ALL: [SignalType; 5] =
        [SignalType::Enum, SignalType::Number, SignalType::Integer, SignalType::Boolean, SignalType::Text];

    /// The stable name, as a spec has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SignalType::Enum => "enum",
            SignalType::Number => "number",
            SignalType::Integer => "integer",
            SignalType::Boolean => "boolean",
            SignalType::Text => "text",
        }
    }

    pub(super) const fn is_number(self) -> bool {
        matches!(self, SignalType::Number | SignalType::Integer)
    }
}

/// Which of several labelled values counts. Stable names: [`Which::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Which {
    /// The only one: different ones are ambiguous.
    #[default]
    Only,
    /// The first.
    First,
    /// The last.
    Last,
}

impl Which {
    const ALL: [Which; 3] = [Which::Only, Which::First, Which::Last];

    /// The stable name, as a spec has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Which::Only => "only",
            Which::First => "first",
            Which::Last => "last",
        }
    }
}

/// A spec, read.
pub(super) struct Plan {
    pub(super) targets: Vec<Target>,
    pub(super) phrases: Phrases,
}

/// A target as it is asked for.
pub(super) struct Target {
    pub(super) name: Box<str>,
    pub(super) which: Which,
    pub(super) takes: Takes,
}

/// What a target takes.
pub(super) enum Takes {
    /// These values.
    Enum(Vec<Box<str>>),
    Number(Bounds),
    Integer(Bounds),
    Boolean,
    Text,
}

/// What a number is held against.
#[derive(Default)]
pub(super) struct Bounds {
    pub(super) min: Option<Decimal>,
    pub(super) max: Option<Decimal>,
    pub(super) scale: Option<Decimal>,
    pub(super) unit: Option<Box<str>>,
}

impl Target {
    pub(super) const fn kind(&self) -> SignalType {
        match self.takes {
            Takes::Enum(_) => SignalType::Enum,
            Takes::Number(_) => SignalType::Number,
            Takes::Integer(_) => SignalType::Integer,
            Takes::Boolean => SignalType::Boolean,
            Takes::Text => SignalType::Text,
        }
    }

    pub(super) const fn bounds(&self) -> Option<&Bounds> {
        match &self.takes {
            Takes::Number(bounds) | Takes::Integer(bounds) => Some(bounds),
            _ => None,
        }
    }
}

/// Why a spec cannot be used. It is the fault of whoever wrote it, never of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    path: String,
    message: String,
}

impl SpecError {
    fn new(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), message: message.into() }
    }

    /// Where in the spec, as a JSON pointer (RFC 6901); empty for the whole.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => formatter.write_str(&self.message),
            path => write!(formatter, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for SpecError {}

/// Reads a spec.
pub(super) fn read(json: &str) -> Result<Plan, SpecError> {
    let Once(spec) = serde_json::from_str(json).map_err(|error| {
        let why = if error.is_data() { "" } else { "not JSON: " };
        SpecError::new("", format!("{why}{error}"))
    })?;
    let Some(spec) = spec.as_object() else { return Err(SpecError::new("", "expected an object that has `targets`")) };
    only_known(spec, "", &["targets"])?;
    let Some(Value::Array(items)) = spec.get("targets") else {
        return Err(SpecError::new("/targets", "expected an array of targets"));
    };
    if items.is_empty() || items.len() > MOST_TARGETS {
        return Err(SpecError::new("/targets", format!("expected 1 to {MOST_TARGETS} targets")));
    }
    let mut plan = Plan { targets: Vec::with_capacity(items.len()), phrases: Phrases::default() };
    for (at, item) in items.iter().enumerate() {
        Reading { path: format!("/targets/{at}"), plan: &mut plan }.target(item)?;
    }
    Ok(plan)
}

fn only_known(object: &Map<String, Value>, path: &str, known: &[&str]) -> Result<(), SpecError> {
    let unknown = object.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| {
        let known = known.join(", ");
        Err(SpecError::new(path, format!("unknown member {}; known here: {known}", quoted(key, QUOTED))))
    })
}

/// One target being read.
struct Reading<'p> {
    path: String,
    plan: &'p mut Plan,
}

impl Reading<'_> {
    fn target(&mut self, item: &Value) -> Result<(), SpecError> {
        let Some(item) = item.as_object() else { return Err(self.error("", "expected an object")) };
        let name = item.get("name").ok_or_else(|| self.error("/name", "missing"))?;
        let name = self.phrase(name, "/name")?;
        if self.plan.targets.iter().any(|target| *target.name == *name) {
            return Err(self.error("/name", format!("two targets are named {}", quoted(name, QUOTED))));
        }
        let kind = self.word(item, "type", &SignalType::ALL, SignalType::as_str)?;
        let kind = kind.ok_or_else(|| self.error("/type", "missing"))?;
        let own: &[&str] = match kind {
            SignalType::Enum => &["values", "aliases"],
            SignalType::Boolean => &["aliases"],
            SignalType::Text => &[],
            _ => &["min", "max", "scale", "unit"],
        };
        only_known(item, &self.path, &[&["name", "type", "labels", "which"], own].concat())?;
        let which = self.word(item, "which", &Which::ALL, Which::as_str)?.unwrap_or_default();
        let takes = match kind {
            SignalType::Enum => Takes::Enum(self.values(item)?),
            SignalType::Number => Takes::Number(self.bounds(item)?),
            SignalType::Integer => Takes::Integer(self.bounds(item)?),
            SignalType::Boolean => {
                for (word, value) in [("true", 0), ("false", 1), ("yes", 0), ("no", 1)] {
                    self.add(word, Use::Value(value), "/type")?;
                }
                self.aliases(item, &["true".into(), "false".into()])?;
                Takes::Boolean
            }
            SignalType::Text => Takes::Text,
        };
        self.labels(item, name)?;
        self.plan.targets.push(Target { name: name.into(), which, takes });
        Ok(())
    }

    fn error(&self, part: &str, message: impl Into<String>) -> SpecError {
        SpecError::new(&format!("{}{part}", self.path), message)
    }

    /// One of some words.
    fn word<T: Copy>(
        &self,
        item: &Map<String, Value>,
        key: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, SpecError> {
        let Some(given) = item.get(key) else { return Ok(None) };
        let found = all.iter().copied().find(|one| given.as_str() == Some(name(*one)));
        found.map(Some).ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|one| name(*one)).collect();
            self.error(&format!("/{key}"), format!("expected one of {}", names.join(", ")))
        })
    }

    fn phrase<'v>(&self, value: &'v Value, part: &str) -> Result<&'v str, SpecError> {
        let text = value.as_str().map(str::trim).filter(|text| !text.is_empty() && text.len() <= LONGEST);
        text.ok_or_else(|| self.error(part, format!("expected a text of 1 to {LONGEST} bytes")))
    }

    fn list<'v>(&self, value: &'v Value, part: &str) -> Result<&'v [Value], SpecError> {
        let items = value.as_array().filter(|items| !items.is_empty());
        items.map(Vec::as_slice).ok_or_else(|| self.error(part, "expected an array that is not empty"))
    }

    /// Adds a phrase that is looked for.
    fn add(&mut self, text: &str, what: Use, part: &str) -> Result<(), SpecError> {
        if self.plan.phrases.len() >= MOST_PHRASES {
            return Err(self.error(part, format!("more than {MOST_PHRASES} values, aliases and labels")));
        }
        let target = self.plan.targets.len();
        self.plan.phrases.add(text, target, what).map_err(|why| self.error(part, why))
    }

    fn values(&mut self, item: &Map<String, Value>) -> Result<Vec<Box<str>>, SpecError> {
        let given = item.get("values").ok_or_else(|| self.error("/values", "missing"))?;
        let mut values: Vec<Box<str>> = Vec::new();
        for (at, value) in self.list(given, "/values")?.iter().enumerate() {
            let part = format!("/values/{at}");
            let value = self.phrase(value, &part)?;
            self.add(value, Use::Value(at as u32), &part)?;
            values.push(value.into());
        }
        self.aliases(item, &values)?;
        Ok(values)
    }

    fn aliases(&mut self, item: &Map<String, Value>, values: &[Box<str>]) -> Result<(), SpecError> {
        let Some(given) = item.get("aliases") else { return Ok(()) };
        let Some(given) = given.as_object() else {
            return Err(self.error("/aliases", "expected an object: a value and the list of its aliases"));
        };
        for (value, aliases) in given {
            let part = format!("/aliases/{}", value.replace('~', "~0").replace('/', "~1"));
            let Some(at) = values.iter().position(|known| **known == **value) else {
                return Err(self.error(&part, format!("{} is none of the values", quoted(value, QUOTED))));
            };
            for (number, alias) in self.list(aliases, &part)?.iter().enumerate() {
                let part = format!("{part}/{number}");
                let alias = self.phrase(alias, &part)?;
                self.add(alias, Use::Value(at as u32), &part)?;
            }
        }
        Ok(())
    }

    /// The labels; the name is one if none is given, and as its words if it is made of several.
    fn labels(&mut self, item: &Map<String, Value>, name: &str) -> Result<(), SpecError> {
        let Some(given) = item.get("labels") else {
            self.add(name, Use::Label, "/name")?;
            let words = name.replace(['_', '-'], " ");
            let words = words.trim();
            return if words == name || words.is_empty() { Ok(()) } else { self.add(words, Use::Label, "/name") };
        };
        for (at, label) in self.list(given, "/labels")?.iter().enumerate() {
            let part = format!("/labels/{at}");
            // The mark behind a label is looked for anyway.
            let label = self.phrase(label, &part)?.trim_end_matches([':', '=', ' ', '\u{FF1A}']);
            self.add(label, Use::Label, &part)?;
        }
        Ok(())
    }

    fn bounds(&mut self, item: &Map<String, Value>) -> Result<Bounds, SpecError> {
        let min = self.bound(item, "min")?;
        let max = self.bound(item, "max")?;
        if let (Some(min), Some(max)) = (&min, &max)
            && min > max
        {
            return Err(self.error("/min", "greater than `max`"));
        }
        let scale = self.bound(item, "scale")?;
        let unit = item.get("unit").map(|unit| self.phrase(unit, "/unit")).transpose()?;
        if unit.is_some_and(|unit| unit.contains(char::is_whitespace)) {
            return Err(self.error("/unit", "expected one word or sign"));
        }
        Ok(Bounds { min, max, scale, unit: unit.map(Into::into) })
    }

    fn bound(&self, item: &Map<String, Value>, key: &str) -> Result<Option<Decimal>, SpecError> {
        let Some(given) = item.get(key) else { return Ok(None) };
        let number =
            given.as_number().filter(|number| is_exact(number)).and_then(|number| Decimal::of(number.as_f64()?));
        let part = format!("/{key}");
        number.map(Some).ok_or_else(|| self.error(&part, "expected a number that is not too large to be exact"))
    }
}

fn is_exact(number: &Number) -> bool {
    number.as_f64().is_some_and(|number| number.abs() <= LARGEST_BOUND)
}
