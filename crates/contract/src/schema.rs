//! A schema, compiled: how it is to be read, what it may cost, and why it cannot be used.
//!
//! An unreadable schema is the fault of whoever wrote it, never of a model: it has an error of its own, [`SchemaError`], and is told
//! before any reply is read.

mod judge; // the validator that has the last word
mod table; // the subschemas side by side
mod cost; // what a schema can ask for
pub(crate) mod leaf; // what the validator says of keywords about a value alone
mod explain; // why a value is not valid
mod within; // what is asked of a value at a place
mod types; // which types it leaves open
mod union; // which branch of a union was meant
pub(crate) mod pattern; // a pattern, stepped byte by byte
pub(crate) mod program; // all of it arranged for one pass

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::violation::Names;
use cost::Cost;
pub(crate) use explain::Explained;
use judge::Judge;
use program::Program;
pub(crate) use table::{Contains, Id, Leaf, Places, ROOT, Table, whole};
use thusfar_core::{Code, Expect, Limits, RepairKind, Root, Take};
pub(crate) use types::{FieldTypes, Types};
pub(crate) use union::{forms, telling_field};
pub(crate) use within::Step;

/// Things that a document breaks, at most so many are told.
pub(crate) const MOST_BROKEN: usize = 1_000;
/// One more is collected, so that it is known whether these were all.
pub(crate) const COLLECTED: usize = MOST_BROKEN + 1;

/// A compiled schema with everything that is known of it.
pub(crate) struct Schema {
    text: Value,
    options: SchemaOptions,
    table: Table,
    cost: Cost,
    judge: Judge,
    program: OnceLock<Program>,
    names: OnceLock<Names>,
}

impl Schema {
    /// Compiles the JSON text of a schema. What it costs is known before anything is built that could cost it.
    pub(crate) fn new(text: &str, options: &SchemaOptions) -> Result<Self, SchemaError> {
        let text = parse(text, options)?;
        let documents = judge::documents(options)?;
        let table = Table::new(&text, &documents, options)?;
        let cost = Cost::of(&table, &options.limits)?;
        let judge = Judge::new(&text, &documents, options)?;
        drop(documents);
        Ok(Self {
            text,
            options: options.clone(),
            table,
            cost,
            judge,
            program: OnceLock::new(),
            names: OnceLock::new(),
        })
    }

    /// How many subschemas it reaches, itself among them.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Its subschemas.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Where its subschemas lie: in its text, in the documents it was read with, or in a meta-schema. Found anew at the cost of its table.
    pub(crate) fn places(&self) -> Places {
        let documents = judge::documents(&self.options);
        let places = documents.and_then(|documents| Table::with_places(&self.text, &documents, &self.options));
        // It could be read before.
        places.map(|(_, places)| places).unwrap_or_default()
    }

    /// The names that it has for fields. Found when they are asked for first.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| self.table.names())
    }

    /// The draft that it is of.
    pub(crate) fn draft(&self) -> Option<Draft> {
        judge::known(judge::draft(&self.text, &self.options))
    }

    /// How it was read.
    pub(crate) fn options(&self) -> &SchemaOptions {
        &self.options
    }

    /// The same arranged for one pass. Made when it is asked for first.
    pub(crate) fn program(&self) -> &Program {
        self.program.get_or_init(|| Program::new(self))
    }

    /// The schema as it was read.
    pub(crate) fn text(&self) -> &Value {
        &self.text
    }

    /// Whether it allows neither objects nor arrays.
    pub(crate) fn is_scalar(&self) -> bool {
        let types = self.table.types(ROOT);
        types != Types::NONE && !types.allows_containers()
    }

    /// The types that it leaves open to fields of an object.
    pub(crate) fn field_types(&self) -> FieldTypes<'_> {
        self.table.field_types()
    }

    /// Whether a value can be judged within bounds.
    pub(crate) fn allows(&self, value: &Value) -> bool {
        self.cost.allows(&self.table, value)
    }

    /// Whether a value is valid; asked only of those that can be judged within bounds.
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.judge.is_valid(value)
    }

    /// Why it is not.
    pub(crate) fn explain<'v>(&self, value: &'v Value) -> Explained<'v> {
        explain::explain(&self.table, &self.options, value)
    }

    /// Why a value that stands at a place of the document is not valid, as far as that is certain without the rest; nothing where nothing is
    /// certainly asked of it.
    pub(crate) fn explain_at<'v>(&self, steps: &[Step], value: &'v Value) -> Option<Explained<'v>> {
        let asked = within::at(&self.table, &self.options, steps);
        (!asked.is_empty()).then(|| explain::explain_by(&self.table, &self.options, &asked, value))
    }

    /// Whether a value is the schema, or describes the very fields that the schema does.
    pub(crate) fn is_echoed_by(&self, value: &Value) -> bool {
        let names = |schema: &Value| -> Option<Vec<String>> {
            let properties = schema.get("properties")?.as_object()?;
            (!properties.is_empty() && properties.values().all(|it| it.is_object() || it.is_boolean()))
                .then(|| properties.keys().cloned().collect())
        };
        value == &self.text || names(value).is_some_and(|found| names(&self.text) == Some(found))
    }

    /// The one key of an object, unknown to the schema, under which a value stands that is valid and has a field that the schema knows.
    pub(crate) fn wrapper<'v>(&self, value: &'v Value) -> Option<&'v str> {
        let members = value.as_object().filter(|members| members.len() == 1)?;
        let (key, inner) = members.iter().next()?;
        let known = self.text.get("properties")?.as_object()?;
        let is_known = |key: &String| known.contains_key(key);
        let is_meant = !is_known(key) && inner.as_object()?.keys().any(is_known);
        (is_meant && self.is_valid(inner)).then_some(key.as_str())
    }
}

/// Reads the JSON text of a schema, to the letter: no repair, nothing around it, no two equal keys.
fn parse(text: &str, options: &SchemaOptions) -> Result<Value, SchemaError> {
    let limits = &options.limits;
    if text.len() > limits.len {
        return Err(SchemaError::over("bytes", limits.len));
    }
    // It is no model's text: it may repeat itself.
    let unguarded = Limits { nesting: Limits::default().nesting, ..Limits::NONE };
    let expect = Expect::root(Root::Value).take(Take::Alone).limits(unguarded);
    let expect = RepairKind::ALL.iter().fold(expect, |expect, kind| expect.without(*kind));
    let not_json = |why: &dyn fmt::Display| SchemaError::new(SchemaErrorKind::NotJson, "", format!("not JSON: {why}"));
    thusfar_core::read(text, expect).map_err(|failure| match failure.code() {
        Code::TooDeep => SchemaError::new(SchemaErrorKind::Limit, "", failure.to_string()),
        _ => not_json(&failure),
    })?;
    // Of a reply a code fence around the document is read over; of a file it is not.
    let value: Value =
        serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| not_json(&error))?;
    let (mut values, mut patterns) = (0_usize, 0_usize);
    let mut waiting = vec![&value];
    while let Some(value) = waiting.pop() {
        values += 1;
        match value {
            Value::Object(members) => {
                patterns += usize::from(members.get("pattern").is_some_and(Value::is_string));
                patterns += members.get("patternProperties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
                waiting.extend(members.values());
            }
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    match () {
        () if values > limits.values => Err(SchemaError::over("values", limits.values)),
        () if patterns > limits.patterns => Err(SchemaError::over("patterns", limits.patterns)),
        () => Ok(value),
    }
}

/// The drafts of JSON Schema that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// Draft 2019-09.
    Draft201909,
    /// Draft 2020-12.
    Draft202012,
}

impl Draft {
    /// All of them with their names.
    pub const ALL: [(Draft, &str); 5] = [
        (Draft::Draft4, "4"),
        (Draft::Draft6, "6"),
        (Draft::Draft7, "7"),
        (Draft::Draft201909, "2019-09"),
        (Draft::Draft202012, "2020-12"),
    ];
}

/// How `pattern` and `patternProperties` are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Patterns {
    /// In time linear in the text. Look-around and back-references are refused when the schema is compiled.
    Linear,
    /// With look-around and back-references. A match that takes more than so many steps back is given up: the outcome is a limit, never
    /// a violation.
    Backtracking {
        /// Steps back for one match.
        limit: usize,
    },
}

/// What a schema may be and ask for. A schema over a limit is not compiled.
///
/// ```
/// use thusfar_contract::SchemaLimits;
/// let limits = SchemaLimits { nesting: 16, ..SchemaLimits::UNTRUSTED };
/// assert_eq!(limits.patterns, 200);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaLimits {
    /// Bytes of its JSON text. 1 MiB; of an untrusted one 256 KiB.
    pub len: usize,
    /// JSON values in it, of all kinds. 100,000; of an untrusted one 20,000.
    pub values: usize,
    /// Patterns in it. 2,000; of an untrusted one 200.
    pub patterns: usize,
    /// Bytes of one compiled pattern, about. 10 MiB; of an untrusted one 256 KiB.
    pub pattern_size: usize,
    /// Bytes of all automata of patterns that a [`Monitor`](crate::Monitor) steps through, of one an eighth of it. A pattern that does not fit is asked
    /// when the string has closed. 4 MiB; of an untrusted one 1 MiB.
    pub automata: usize,
    /// Ways in which one value may be asked the same again, through references and alternatives. 20,000.
    pub combinations: usize,
    /// Schemas that may be applied within one another to one value: references, alternatives, conditions. 64.
    pub nesting: usize,
}

impl SchemaLimits {
    /// Those of a schema that is part of a program or its configuration.
    pub const TRUSTED: Self = Self {
        len: 1 << 20,
        values: 100_000,
        patterns: 2_000,
        pattern_size: 10 << 20,
        automata: 4 << 20,
        combinations: 20_000,
        nesting: 64,
    };
    /// Those of a schema that came with a request.
    pub const UNTRUSTED: Self = Self {
        len: 256 << 10,
        values: 20_000,
        patterns: 200,
        pattern_size: 256 << 10,
        automata: 1 << 20,
        ..Self::TRUSTED
    };
}

/// How a schema is read.
///
/// ```
/// use thusfar_contract::{Contract, SchemaErrorKind, SchemaOptions};
///
/// let client = r#"{"properties": {"id": {"pattern": "^(?=a).*$"}}}"#;
/// let refused = Contract::with_options(client, &SchemaOptions::untrusted()).unwrap_err();
/// assert_eq!(refused.kind(), SchemaErrorKind::Pattern); // look-ahead
/// assert!(Contract::with_options(client, &SchemaOptions::trusted()).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct SchemaOptions {
    pub(crate) draft: Option<Draft>,
    pub(crate) formats: Option<bool>,
    pub(crate) patterns: Patterns,
    pub(crate) limits: SchemaLimits,
    pub(crate) documents: Vec<(String, Arc<Value>)>,
    pub(crate) is_untrusted: bool,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        Self::trusted()
    }
}

impl SchemaOptions {
    /// For a schema that is part of a program or its configuration: patterns may look around, with 100,000 steps back for each match.
    #[must_use]
    pub fn trusted() -> Self {
        Self {
            draft: None,
            formats: None,
            patterns: Patterns::Backtracking { limit: 100_000 },
            limits: SchemaLimits::TRUSTED,
            documents: Vec::new(),
            is_untrusted: false,
        }
    }

    /// For a schema that came with a request: patterns in linear time alone, no dynamic reference that may mean several schemas, and closer limits.
    #[must_use]
    pub fn untrusted() -> Self {
        Self { patterns: Patterns::Linear, limits: SchemaLimits::UNTRUSTED, is_untrusted: true, ..Self::trusted() }
    }

    /// The draft of a schema that does not name one with `$schema`. Without this it is 2020-12.
    #[must_use]
    pub fn draft(mut self, draft: Draft) -> Self {
        self.draft = Some(draft);
        self
    }

    /// Whether `format` is asserted. Without this it is as the draft says: up to draft 7 yes, later no.
    #[must_use]
    pub fn formats(mut self, asserted: bool) -> Self {
        self.formats = Some(asserted);
        self
    }

    /// How patterns are matched.
    #[must_use]
    pub fn patterns(mut self, patterns: Patterns) -> Self {
        self.patterns = patterns;
        self
    }

    /// What the schema may be and ask for.
    #[must_use]
    pub fn limits(mut self, limits: SchemaLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Another schema, under the URI by which `$ref` may name it. Nothing else outside the schema can be referred to: nothing is fetched.
    #[must_use]
    pub fn document(mut self, uri: impl Into<String>, schema: Value) -> Self {
        self.documents.push((uri.into(), Arc::new(schema)));
        self
    }
}

/// Why a schema cannot be used. Stable names: [`SchemaErrorKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaErrorKind {
    /// It is not JSON.
    NotJson,
    /// It is not a schema of its draft, or of a draft that nobody knows.
    NotASchema,
    /// A reference to something outside it, or to nothing.
    Reference,
    /// A pattern that cannot be compiled, or only with backtracking where that is not allowed.
    Pattern,
    /// It is over a limit.
    Limit,
}

impl SchemaErrorKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SchemaErrorKind::NotJson => "schema_not_json",
            SchemaErrorKind::NotASchema => "schema_invalid",
            SchemaErrorKind::Reference => "schema_reference",
            SchemaErrorKind::Pattern => "schema_pattern",
            SchemaErrorKind::Limit => "schema_limit",
        }
    }
}

/// A schema that cannot be used, and why: the fault of whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    kind: SchemaErrorKind,
    path: String,
    message: String,
}

impl SchemaError {
    pub(crate) fn new(kind: SchemaErrorKind, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, path: path.into(), message: message.into() }
    }

    pub(crate) fn over(what: &str, most: usize) -> Self {
        Self::new(SchemaErrorKind::Limit, "", format!("the schema has more than {most} {what}"))
    }

    /// Why.
    #[must_use]
    pub const fn kind(&self) -> SchemaErrorKind {
        self.kind
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where in the schema: a JSON pointer (RFC 6901), empty where it is about all of it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match self.path.as_str() {
            "" => write!(formatter, " [{}]", self.kind.as_str()),
            path => write!(formatter, " at `{path}` of the schema [{}]", self.kind.as_str()),
        }
    }
}

impl std::error::Error for SchemaError {}

#[cfg(test)]
mod tests;
