//! A compiled schema, and what a document breaks of it.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use thusfar_core::{Document, Root, Span, WarningKind};

use crate::places::{Places, Reread};
use crate::schema::{Draft, Explained, FieldTypes, Schema, SchemaError, SchemaOptions};
use crate::violation::{About, Broken, Violation, masked_pointer, named};

/// Bytes of all violations of a document together: a path is as long as the keys that the model wrote.
const MOST_TEXT: usize = 1 << 20;

/// A compiled JSON Schema: made once, cheap to clone, `Send + Sync`.
///
/// * Made by [`from_schema`](Contract::from_schema), [`with_options`](Contract::with_options).
/// * Asked with [`check`](Contract::check), [`is_valid`](Contract::is_valid).
#[derive(Clone)]
pub struct Contract {
    schema: Arc<Schema>,
}

/// Sizes only: a schema may be a client's.
impl fmt::Debug for Contract {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Contract").field("subschemas", &self.schema.len()).finish_non_exhaustive()
    }
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

    /// The same of a schema that has been read already.
    ///
    /// # Errors
    /// When it is no schema, refers to something outside it, or is over a limit.
    pub fn from_value(schema: &Value, options: &SchemaOptions) -> Result<Self, SchemaError> {
        Self::with_options(&schema.to_string(), options)
    }

    /// The schema of a Rust type, compiled.
    ///
    /// # Errors
    /// When the schema that the type gives itself is none, or is over a limit.
    ///
    /// ```
    /// use thusfar_contract::Contract;
    /// use thusfar_core::{Expect, read};
    ///
    /// #[derive(schemars::JsonSchema, serde::Deserialize)]
    /// struct Review {
    ///     #[schemars(range(max = 100))]
    ///     confidence: u8,
    /// }
    /// let contract = Contract::of::<Review>()?;
    /// let review: Review = contract.accept(&read("{\"confidence\": 85}", Expect::object())?)?;
    /// assert_eq!(review.confidence, 85);
    /// let refused = contract.accept::<Review>(&read("{\"confidence\": 150}", Expect::object())?);
    /// assert_eq!(refused.err().expect("too much").to_string(), "`/confidence` must be at most 100; you returned 150");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema>() -> Result<Self, SchemaError> {
        Self::from_schema(&schemars::schema_for!(T).as_value().to_string())
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Value {
        self.schema.text()
    }

    /// The draft that the schema is read as: the one that it names, or that of the options. None where it names a dialect of its own.
    #[must_use]
    pub fn draft(&self) -> Option<Draft> {
        self.schema.draft()
    }

    /// The kind of root to expect of a reply: [`Root::Value`] where types and lists of values allow neither object nor array, otherwise
    /// [`Root::Any`], so that a document of the other kind is found and told to be one.
    #[must_use]
    pub fn root(&self) -> Root {
        if self.schema.is_scalar() { Root::Value } else { Root::Any }
    }

    pub(crate) fn shared(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    /// The types that the schema leaves open to fields of an object.
    pub(crate) fn field_types(&self) -> FieldTypes<'_> {
        self.schema.field_types()
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
    /// Of a document that is not valid, each pair of a value and a subschema is looked at once, and the document is read once more for its places.
    pub fn check(&self, document: &Document) -> Check {
        // Deeper than a value can be, where the limit of the reader was raised.
        let Ok(value) = document.deserialize::<Value>() else { return Check::limited(EngineLimit::Combinations) };
        if !self.schema.allows(&value) {
            return Check::limited(EngineLimit::Combinations);
        }
        let warnings = document.warnings().iter();
        let numbers: Vec<_> =
            warnings.filter(|warning| warning.kind == WarningKind::LossyNumber).map(|warning| warning.span).collect();
        let is_valid = self.schema.is_valid(&value);
        if is_valid && numbers.is_empty() {
            return Check::default();
        }
        let mut explained = self.schema.explain(&value);
        if numbers.is_empty() {
            explained.touched.clear();
        }
        // The judge has the last word.
        if !is_valid && explained.broken.is_empty() && !explained.gave_up {
            explained.broken.push(Broken { at: &value, keyword: "schema", about: About::Unknown, form: None });
        }
        let broken = explained.broken.iter().map(|broken| broken.at);
        let reread = Reread::new(document);
        let places = reread.places(&value, broken.chain(explained.touched.iter().map(|&(value, _)| value)));
        let mut check = Check { lossy: touched(&explained, &places, &numbers), ..Check::default() };
        if !is_valid {
            self.tell(&value, document, explained, &places, &mut check);
        }
        check
    }

    /// What is told of a document that is not valid.
    fn tell(
        &self,
        value: &Value,
        document: &Document,
        explained: Explained<'_>,
        places: &Places<'_>,
        check: &mut Check,
    ) {
        if explained.broken.is_empty() {
            check.limit = Some(EngineLimit::Backtracking);
            return;
        }
        check.is_cut = !explained.is_complete;
        let mut room = MOST_TEXT;
        // Keywords that differ in what is not said say the same.
        let mut said = HashSet::new();
        for broken in &explained.broken {
            let (path, span) = places.of(broken.at);
            let masked = masked_pointer(&path, value, self.schema.names());
            let violation = broken.violation((path, &masked), span, document.span(), document.raw());
            // Two long paths, or two that differ in what cannot be seen, may look alike in the sentence.
            if !said.insert((std::ptr::from_ref(broken.at), violation.keyword, violation.message.clone())) {
                continue;
            }
            match room.checked_sub(violation.len()) {
                Some(rest) => room = rest,
                None => {
                    check.is_cut = true;
                    break;
                }
            }
            check.violations.push(violation);
        }
        check.violations.sort_by_key(|violation| violation.start);
        self.hint(value, check);
    }

    /// What a person would see at once: the schema sent back, or the answer one field too deep.
    fn hint(&self, value: &Value, check: &mut Check) {
        let Some(first) = check.violations.first_mut() else { return };
        if self.schema.is_echoed_by(value) {
            first.message.push_str(". What you returned is the schema itself: return data that follows it");
        } else if let Some(key) = self.schema.wrapper(value) {
            let key = named(key);
            first.message.push_str(&format!(". What stands under {key} follows the schema: return it by itself"));
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

/// The lossy numbers, in order, that a keyword was asked of: themselves, or in an array or object that was compared as a whole.
fn touched(explained: &Explained<'_>, places: &Places<'_>, numbers: &[Span]) -> Vec<Lossy> {
    let mut lossy = Vec::new();
    for &(value, keyword) in &explained.touched {
        let (_, span) = places.of(value);
        let first = numbers.partition_point(|number| number.start < span.start);
        let inside = numbers[first..].iter().take_while(|number| number.end <= span.end);
        lossy.extend(inside.map(|&span| Lossy { span, keyword }));
    }
    lossy.sort_by_key(|lossy| (lossy.span.start, lossy.keyword));
    lossy.dedup();
    lossy
}

impl Check {
    pub(crate) fn limited(limit: EngineLimit) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

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

    /// Whether that is everything it breaks: no more than 1,000 violations are told, of 1 MiB together, and no more than 200,000 pairs of a
    /// value and a subschema are looked at for them.
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
#[non_exhaustive]
pub enum NotAccepted {
    /// The schema: what the document breaks of it.
    Check(Check),
    /// It is valid, and does not have the shape of the type all the same: schema and type are not about the same thing.
    Shape(serde_json::Error),
}

/// Without what `serde_json` says, which quotes the model.
impl fmt::Debug for NotAccepted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAccepted::Check(check) => formatter.debug_tuple("Check").field(check).finish(),
            NotAccepted::Shape(error) => formatter.debug_tuple("Shape").field(&error.classify()).finish(),
        }
    }
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
