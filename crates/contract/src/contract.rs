//! A compiled schema, and what a document breaks of it.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use thusfar_core::{Document, Root, Span, WarningKind};

use crate::places::Reread;
use crate::schema::{Schema, SchemaError, SchemaOptions};
use crate::violation::{About, Broken, Violation, on_one_line};

/// A compiled JSON Schema: made once, cheap to clone, `Send + Sync`.
///
/// * Made by [`from_schema`](Contract::from_schema), [`with_options`](Contract::with_options).
/// * Asked with [`check`](Contract::check), [`is_valid`](Contract::is_valid).
#[derive(Clone, Debug)]
pub struct Contract {
    schema: Arc<Schema>,
}

impl Contract {
    /// Compiles the JSON text of a schema that is part of a program or its configuration. Of one that came with a request:
    /// [`with_options`](Contract::with_options) and [`SchemaOptions::untrusted`].
    ///
    /// # Errors
    /// When it is no schema, refers to something outside it, or is over a limit.
    pub fn from_schema(schema: &str) -> Result<Self, SchemaError> {
        Self::with_options(schema, &SchemaOptions::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// When it is no schema, refers to something outside it, or is over a limit.
    pub fn with_options(schema: &str, options: &SchemaOptions) -> Result<Self, SchemaError> {
        Ok(Self { schema: Arc::new(Schema::new(schema, options)?) })
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Value {
        self.schema.text()
    }

    /// The kind of root to expect of a reply: [`Root::Value`] where the schema's `type` is neither object nor array, otherwise
    /// [`Root::Any`], so that a document of the other kind is found and told to be one.
    #[must_use]
    pub fn root(&self) -> Root {
        let is_container = |kind: &Value| matches!(kind.as_str(), Some("object" | "array"));
        match self.schema.text().get("type") {
            Some(Value::Array(kinds)) if !kinds.iter().any(is_container) => Root::Value,
            Some(kind @ Value::String(_)) if !is_container(kind) => Root::Value,
            _ => Root::Any,
        }
    }

    /// Whether a value is valid, and nothing else.
    ///
    /// # Errors
    /// Where that cannot be said within bounds.
    pub fn is_valid(&self, value: &Value) -> Result<bool, EngineLimit> {
        if !self.schema.allows(value) {
            return Err(EngineLimit::Combinations);
        }
        if self.schema.is_valid(value) {
            return Ok(true);
        }
        let explained = self.schema.explain(value);
        if explained.is_valid != Some(false) && explained.gave_up { Err(EngineLimit::Backtracking) } else { Ok(false) }
    }

    /// Everything that a document breaks, in the order of the document (see [`Check::is_complete`]).
    ///
    /// A valid document costs about a third of parsing it. Of one that is not, the pairs of a value and a subschema are looked at once each.
    pub fn check(&self, document: &Document) -> Check {
        let Ok(value) = document.deserialize::<Value>() else {
            return Check { limit: Some(EngineLimit::Combinations), ..Check::default() };
        };
        if !self.schema.allows(&value) {
            return Check { limit: Some(EngineLimit::Combinations), ..Check::default() };
        }
        let lossy: Vec<Span> =
            document.warnings().iter().filter(|it| it.kind == WarningKind::LossyNumber).map(|it| it.span).collect();
        let is_valid = self.schema.is_valid(&value);
        if is_valid && lossy.is_empty() {
            return Check::default();
        }
        let explained = self.schema.explain(&value);
        let reread = Reread::new(document);
        let places = reread.places(&value);
        let mut check = Check::default();
        for (value, keyword) in if lossy.is_empty() { Vec::new() } else { explained.touched } {
            let (_, span) = places.of(value);
            let inside = lossy.iter().filter(|lossy| span.start <= lossy.start && lossy.end <= span.end);
            check.lossy.extend(inside.map(|&span| Lossy { span, keyword }));
        }
        check.lossy.sort_by_key(|lossy| (lossy.span.start, lossy.keyword));
        check.lossy.dedup();
        if is_valid {
            return check;
        }
        if explained.is_valid != Some(false) && explained.gave_up {
            check.limit = Some(EngineLimit::Backtracking);
            return check;
        }
        let mut broken = explained.broken;
        check.is_cut = !explained.is_complete;
        if broken.is_empty() {
            broken.push(Broken { at: &value, keyword: "schema", about: About::Unknown, form: None });
        }
        check.violations = broken
            .iter()
            .map(|broken| {
                let (path, span) = places.of(broken.at);
                broken.violation(path, span.start)
            })
            .collect();
        check.violations.sort_by_key(|violation| violation.offset);
        self.hint(&value, &mut check);
        check
    }

    /// What a person would see at once: the schema sent back, or the answer one field too deep.
    fn hint(&self, value: &Value, check: &mut Check) {
        let Some(first) = check.violations.first_mut() else { return };
        if self.schema.is_echoed_by(value) {
            first.message.push_str(". What you returned is the schema itself: return data that follows it");
        } else if let Some(key) = self.schema.wrapper(value) {
            let key = on_one_line(key, 60);
            first.message.push_str(&format!(". What stands under `{key}` follows the schema: return it by itself"));
        }
    }

    /// A document that is valid, as a value of a type.
    ///
    /// # Errors
    /// When it is not valid, or does not have the shape of `T` although it is.
    pub fn accept<T: DeserializeOwned>(&self, document: &Document) -> Result<T, NotAccepted> {
        let check = self.check(document);
        if !check.is_valid() {
            return Err(NotAccepted::Check(check));
        }
        document.deserialize().map_err(NotAccepted::Shape)
    }
}

/// What became of a check.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Check {
    pub(crate) violations: Vec<Violation>,
    pub(crate) lossy: Vec<Lossy>,
    pub(crate) limit: Option<EngineLimit>,
    /// More is broken than is told.
    pub(crate) is_cut: bool,
}

impl Check {
    /// Whether the document is valid. Neither where it breaks something, nor where an engine gave up.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty() && self.limit.is_none()
    }

    /// What it breaks, in the order of the document.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether that is everything it breaks: no more than 1,000 violations are told, and no more than 200,000 pairs of a value and a subschema
    /// are looked at for them.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.is_cut
    }

    /// Numbers that no `f64` holds exactly and that a bound, `enum` or `const` was asked of: the verdict is that of the nearest `f64`.
    #[must_use]
    pub fn lossy(&self) -> &[Lossy] {
        &self.lossy
    }

    /// What kept the question from being answered: then there is no verdict.
    #[must_use]
    pub const fn limit(&self) -> Option<EngineLimit> {
        self.limit
    }
}

/// A number that no `f64` holds exactly, and the keyword that it was held against.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lossy {
    /// Where it stands in the raw reply.
    pub span: Span,
    /// The keyword.
    pub keyword: &'static str,
}

/// What kept a question from being answered. Stable names: [`EngineLimit::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineLimit {
    /// A pattern took more steps back than allowed.
    Backtracking,
    /// Document and schema together ask for more work, or are nested deeper, than allowed.
    Combinations,
}

impl EngineLimit {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EngineLimit::Backtracking => "pattern_backtracking",
            EngineLimit::Combinations => "schema_combinations",
        }
    }

    /// The sentence for people.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            EngineLimit::Backtracking => "a pattern of the schema took more steps than allowed",
            EngineLimit::Combinations => {
                "document and schema together ask for more work, or are nested deeper, than allowed"
            }
        }
    }
}

/// Why a document gives no value of a type.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotAccepted {
    /// The schema: what the document breaks of it.
    Check(Check),
    /// It is valid, and does not have the shape of the type all the same: schema and type are not about the same thing.
    Shape(serde_json::Error),
}

impl fmt::Display for NotAccepted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAccepted::Check(check) => check.fmt(formatter),
            NotAccepted::Shape(error) => write!(formatter, "valid, but not of the type: {error}"),
        }
    }
}

impl std::error::Error for NotAccepted {}

/// The first violation, and how many there are.
impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.violations.as_slice(), self.limit) {
            ([], None) => formatter.write_str("valid"),
            ([], Some(limit)) => formatter.write_str(limit.message()),
            ([one], _) => one.fmt(formatter),
            ([first, rest @ ..], _) => write!(formatter, "{first} (and {} more)", rest.len()),
        }
    }
}
