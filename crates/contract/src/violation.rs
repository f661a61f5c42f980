//! What is wrong with a value: where, against which keyword, and the sentence to send back.
//!
//! The sentence names the place, what must be and what was there, on one line, and quotes no more than [`QUOTED`] characters of a value.

mod masked; // a violation for a log

use std::fmt::{self, Write as _};
use std::sync::Arc;

use serde_json::Value;
use thusfar_core::Span;

use crate::shown::on_one_line;
use masked::Extent;
pub(crate) use masked::{Names, pointer as masked_pointer, push_key as push_masked_key};

/// Characters of a value, a pattern or a name that a sentence quotes.
pub(crate) const QUOTED: usize = 60;
/// Names or values of a list that a sentence quotes.
const LISTED: usize = 20;
/// Names or values of a list that a violation holds.
const TOLD: usize = 256;
/// Bytes of such a list.
const TOLD_TEXT: usize = 8 << 10;
/// Bytes of a string up to which it is looked at for JSON in it.
const LONGEST_INSIDE: usize = 64 << 10;
/// Fields that are looked at for one that may have been meant.
const COMPARED: usize = 256;

/// When a violation is told. Stable names: [`Timing::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Timing {
    /// While the value is being written: at the first byte that leaves no valid way to go on.
    Early,
    /// When the value that it is about has closed.
    AtClose,
    /// When the document is there as a whole.
    Final,
}

impl Timing {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Timing::Early => "early",
            Timing::AtClose => "at_close",
            Timing::Final => "final",
        }
    }
}

/// One thing that a document breaks. `Debug` shows no text of the model.
#[derive(Clone, PartialEq)]
pub struct Violation {
    pub(crate) path: String,
    pub(crate) keyword: &'static str,
    pub(crate) expected: Value,
    pub(crate) got: Value,
    pub(crate) start: usize,
    pub(crate) offset: usize,
    pub(crate) message: String,
    pub(crate) masked: String,
    pub(crate) timing: Timing,
}

impl Violation {
    /// Which value it is about: a JSON pointer (RFC 6901), empty for the root. Of a missing field, the object that misses it; of a
    /// field that is not allowed, the field.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The keyword of JSON Schema that it breaks. `false` of a schema that allows nothing; `schema` where it is not known which.
    #[must_use]
    pub const fn keyword(&self) -> &'static str {
        self.keyword
    }

    /// What the keyword asks for: the allowed values, the bound, the type or a list of types, the name of a missing field, the names of
    /// the fields that are allowed. `null` where there is no such thing. Of a long list the first 256 values or 8 KiB; a long constant is cut.
    #[must_use]
    pub const fn expected(&self) -> &Value {
        &self.expected
    }

    /// What was found: the value; of `type` the name of its type, of a length or a count the number, of a missing field the names of
    /// the fields that are there. A long text is cut.
    #[must_use]
    pub const fn got(&self) -> &Value {
        &self.got
    }

    /// Where the value begins, in bytes of the raw reply; of a field that is not known, its key.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The byte of the raw reply, counted from 0, with which it became certain: behind it no way to go on is valid. Of what only the whole
    /// document tells ([`Timing::Final`]), its last byte.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// When it was told.
    #[must_use]
    pub const fn when(&self) -> Timing {
        self.timing
    }

    /// The sentence for a re-ask: one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The sentence for a log: nothing that the model wrote. In the path, a key that the schema does not name is `*`; a value is told by its type,
    /// a string by its length. What the schema says stays. Without which form of a union the value was taken for.
    ///
    /// ```
    /// use thusfar_contract::Contract;
    /// use thusfar_core::{Expect, read};
    ///
    /// let contract = Contract::from_schema(r#"{"additionalProperties": {"properties": {"age": {"maximum": 150}}}}"#)?;
    /// let check = contract.check(&read("{\"Ann Other\": {\"age\": 999}}", Expect::object())?);
    /// let [violation] = check.violations() else { panic!("one") };
    /// assert_eq!(violation.message(), "`/Ann Other/age` must be at most 150; you returned 999");
    /// assert_eq!(violation.masked(), "`/*/age` must be at most 150; you returned a number");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn masked(&self) -> &str {
        &self.masked
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// Keyword and place only: never the text.
impl fmt::Debug for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Violation")
            .field("keyword", &self.keyword)
            .field("when", &self.timing)
            .field("offset", &self.offset)
            .field("path_len", &self.path.len())
            .finish_non_exhaustive()
    }
}

/// What a value breaks, before its place is known.
#[derive(Clone, Debug)]
pub(crate) struct Broken<'v> {
    pub(crate) at: &'v Value,
    pub(crate) keyword: &'static str,
    pub(crate) about: About,
    /// Which form of a union the value is taken for.
    pub(crate) form: Option<String>,
}

/// What is asked and was not given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum About {
    Type(Vec<&'static str>),
    /// An array of the values that are allowed.
    Enum(Arc<Value>),
    Const(Arc<Value>),
    /// `at least`, `at most`, `more than`, `less than`, `a multiple of`.
    Bound(&'static str, Value),
    /// Characters, items or fields: how many at least or at most, and how many there are.
    Count {
        unit: Unit,
        bound: &'static str,
        limit: u64,
        got: u64,
    },
    Pattern(String),
    Format(String),
    /// Two items are equal.
    Unique(Option<(usize, usize)>),
    Missing {
        name: String,
        present: Present,
        because: Option<String>,
    },
    /// More characters, items or fields than are allowed: one too many was begun.
    TooMany {
        unit: Unit,
        limit: u64,
    },
    /// A field that is not allowed, and those that are.
    Field(Option<Arc<[String]>>),
    /// The same of a field of whose name only the beginning is there.
    Begun(String, Option<Arc<[String]>>),
    /// An item behind the last that is allowed.
    Item(Option<usize>),
    /// How many items match `contains`.
    Contains {
        least: u64,
        most: Option<u64>,
        got: u64,
    },
    /// The name of a field breaks something.
    Name {
        name: String,
        why: String,
    },
    /// A union of these forms, of which so many match; which they are, or what the closest one asks.
    Union {
        forms: Vec<String>,
        matching: usize,
        closest: Option<String>,
    },
    Not,
    Never,
    /// What an encoding or media type asks of a string.
    Content(String),
    Unknown,
}

/// The fields that are there: the first of them, how many there are, and the one that may have been meant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Present {
    names: Vec<String>,
    count: usize,
    similar: Option<String>,
}

impl Present {
    /// The first names of an object, of so many fields.
    pub(crate) fn known(names: Vec<String>, count: usize, missing: &str) -> Self {
        let similar = names.iter().take(COMPARED).find(|name| is_similar(name, missing)).cloned();
        Self { names: names.iter().take(LISTED).map(|name| shortened(name)).collect(), count, similar }
    }

    /// Those of an object in which `missing` is missed.
    pub(crate) fn of(value: &Value, missing: &str) -> Self {
        let Some(members) = value.as_object() else { return Self::default() };
        let names = members.keys().take(LISTED).map(|name| shortened(name)).collect();
        let similar = members.keys().take(COMPARED).find(|name| is_similar(name, missing)).cloned();
        Self { names, count: members.len(), similar }
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Character,
    Item,
    Field,
}

impl Unit {
    const fn name(self, count: u64) -> &'static str {
        match (self, count) {
            (Unit::Character, 1) => "character",
            (Unit::Character, _) => "characters",
            (Unit::Item, 1) => "item",
            (Unit::Item, _) => "items",
            (Unit::Field, 1) => "field",
            (Unit::Field, _) => "fields",
        }
    }
}

impl Broken<'_> {
    /// The violation, once the place in the raw reply is known, and its masked pointer: of a document that is there as a whole.
    pub(crate) fn violation(&self, (path, masked): (String, &str), span: Span, document: Span, raw: &str) -> Violation {
        // A number as it was written, with all its digits.
        let written = raw.get(span.range()).filter(|_| self.at.is_number());
        let message = self.told(&path, "the document", written);
        let (expected, got) = (self.about.expected(), self.about.got(self.at));
        let (keyword, start, offset) = (self.keyword, span.start, document.end.saturating_sub(1));
        let masked = masked::sentence(&self.about, masked, self.at, Extent::Whole);
        Violation { path, keyword, expected, got, start, offset, message, masked, timing: Timing::Final }
    }

    /// The sentence inside another, in which the root is `it`.
    pub(crate) fn inner_sentence(&self, path: &str) -> String {
        self.told(path, "it", None)
    }

    fn told(&self, path: &str, root: &str, written: Option<&str>) -> String {
        let mut sentence = String::new();
        if let Some(form) = &self.form {
            // Writing to a `String` cannot fail.
            let _ = write!(sentence, "as {form}: ");
        }
        let got = written.map_or_else(|| quoted(self.at), |written| on_one_line(written, QUOTED));
        let place = if path.is_empty() { root.to_owned() } else { ticked(path, 4 * QUOTED) };
        let _ = self.about.tell(&Got { place: &place, path, value: self.at, quoted: &got }, &mut sentence);
        sentence
    }
}

/// What a value breaks that may still be open.
pub(crate) struct Early<'v> {
    pub(crate) path: String,
    /// The path, masked.
    pub(crate) masked: String,
    pub(crate) keyword: &'static str,
    pub(crate) about: About,
    pub(crate) form: Option<String>,
    /// The value as far as it is there, and how a sentence has it where that is not its JSON text.
    pub(crate) value: &'v Value,
    pub(crate) written: Option<String>,
    pub(crate) start: usize,
    pub(crate) offset: usize,
    /// Whether the value is there, and not only its beginning.
    pub(crate) is_there: bool,
    pub(crate) timing: Timing,
}

impl Early<'_> {
    pub(crate) fn violation(self) -> Violation {
        let Self { path, masked, keyword, about, form, value, written, start, offset, is_there, timing } = self;
        let extent = if written.is_some() { Extent::Begun } else { Extent::Whole };
        let masked = masked::sentence(&about, &masked, value, extent);
        let mut message = String::new();
        if let Some(form) = form {
            // Writing to a `String` cannot fail.
            let _ = write!(message, "as {form}: ");
        }
        let quoted = written.unwrap_or_else(|| quoted(value));
        let place = if path.is_empty() { "the document".to_owned() } else { ticked(&path, 4 * QUOTED) };
        let _ = about.tell(&Got { place: &place, path: &path, value, quoted: &quoted }, &mut message);
        let got = if is_there || !about.shows_value() { about.got(value) } else { Value::Null };
        let expected = about.expected();
        Violation { path, keyword, expected, got, start, offset, message, masked, timing }
    }

    /// The sentence alone, about a key.
    pub(crate) fn name_sentence(about: &About, value: &Value) -> String {
        let mut sentence = String::new();
        let _ = about.tell(&Got { place: "it", path: "", value, quoted: &quoted(value) }, &mut sentence);
        sentence
    }
}

impl Violation {
    /// Bytes of text in it.
    pub(crate) fn len(&self) -> usize {
        let value = |value: &Value| match value {
            Value::String(text) => text.len(),
            Value::Array(_) | Value::Object(_) => value.to_string().len(),
            _ => 0,
        };
        self.path.len() + self.message.len() + self.masked.len() + value(&self.expected) + value(&self.got)
    }
}

/// What a sentence is about.
struct Got<'a> {
    /// The place as a sentence has it, and its pointer.
    place: &'a str,
    path: &'a str,
    value: &'a Value,
    /// The value as a sentence has it.
    quoted: &'a str,
}

impl About {
    /// Bytes of text that it holds by itself.
    pub(crate) fn len(&self) -> usize {
        let sum = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
        let maybe = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        match self {
            About::Pattern(text) | About::Format(text) | About::Content(text) => text.len(),
            About::Missing { name, present, because } => {
                name.len() + maybe(because) + sum(&present.names) + maybe(&present.similar)
            }
            About::Name { name, why } => name.len() + why.len(),
            About::Begun(name, _) => name.len(),
            About::Union { forms, closest, .. } => sum(forms) + maybe(closest),
            _ => 0,
        }
    }

    fn expected(&self) -> Value {
        match self {
            About::Type(kinds) => match kinds.as_slice() {
                [kind] => Value::from(*kind),
                kinds => kinds.iter().copied().map(Value::from).collect(),
            },
            About::Enum(values) => told(values.as_array().into_iter().flatten().cloned()),
            About::Const(value) => short(value),
            About::Bound(_, value) => value.clone(),
            About::Count { limit, .. } | About::TooMany { limit, .. } => Value::from(*limit),
            About::Pattern(text) | About::Format(text) | About::Content(text) => Value::from(text.as_str()),
            About::Missing { name, .. } => Value::from(name.as_str()),
            About::Field(allowed) => allowed
                .iter()
                .flat_map(|names| names.iter())
                .take(TOLD)
                .map(|name| Value::from(name.as_str()))
                .collect(),
            About::Begun(_, allowed) => allowed
                .iter()
                .flat_map(|names| names.iter())
                .take(TOLD)
                .map(|name| Value::from(name.as_str()))
                .collect(),
            About::Item(most) => most.map_or(Value::Null, |most| Value::from(most as u64)),
            About::Contains { least, most, got } => match most {
                Some(most) if got > most => Value::from(*most),
                _ => Value::from(*least),
            },
            About::Union { forms, .. } => forms.iter().map(|form| Value::from(form.as_str())).collect(),
            About::Unique(_) => Value::from(true),
            About::Name { .. } | About::Not | About::Never | About::Unknown => Value::Null,
        }
    }

    /// Whether what was found is the value itself.
    fn shows_value(&self) -> bool {
        !matches!(
            self,
            About::Type(_)
                | About::Count { .. }
                | About::TooMany { .. }
                | About::Contains { .. }
                | About::Missing { .. }
                | About::Name { .. }
                | About::Begun(..)
                | About::Unique(Some(_))
        )
    }

    fn got(&self, value: &Value) -> Value {
        match self {
            About::Type(_) => Value::from(kind(value)),
            About::Count { got, .. } | About::Contains { got, .. } => Value::from(*got),
            About::Missing { present, .. } => present.names.iter().map(|name| Value::from(name.as_str())).collect(),
            About::Name { name, .. } | About::Begun(name, _) => Value::from(on_one_line(name, QUOTED)),
            About::TooMany { limit, .. } => Value::from(limit.saturating_add(1)),
            About::Unique(Some((first, second))) => vec![*first as u64, *second as u64].into(),
            About::Union { matching, .. } if *matching > 0 => Value::from(*matching as u64),
            _ => short(value),
        }
    }

    /// Writes the sentence.
    fn tell(&self, it: &Got<'_>, out: &mut String) -> fmt::Result {
        let Got { place, value, quoted: got, .. } = *it;
        match self {
            About::Type(kinds) => tell_type(it, kinds, out),
            About::Enum(allowed) => tell_enum(it, allowed.as_array().map(Vec::as_slice).unwrap_or_default(), out),
            About::Const(wanted) => write!(out, "{place} must be exactly {}; you returned {got}", quoted(wanted)),
            About::Bound(bound, limit) => write!(out, "{place} must be {bound} {}; you returned {got}", quoted(limit)),
            About::Count { unit: Unit::Character, bound, limit, got } => {
                let unit = Unit::Character.name(*limit);
                write!(out, "{place} must be {bound} {limit} {unit} long; you returned {got}")
            }
            About::Count { unit, bound, limit, got } => {
                write!(out, "{place} must have {bound} {limit} {}; you returned {got}", unit.name(*limit))
            }
            About::Pattern(pattern) => {
                write!(out, "{place} must match the pattern {}; you returned {got}", ticked(pattern, 4 * QUOTED))
            }
            About::Format(format) => write!(out, "{place} must be a valid {}; you returned {got}", named(format)),
            About::Unique(items) => tell_unique(place, *items, out),
            About::Missing { name, present, because } => tell_missing(place, name, present, because.as_deref(), out),
            About::TooMany { unit: unit @ Unit::Character, limit } => {
                let unit = unit.name(*limit);
                write!(out, "{place} must be at most {limit} {unit} long; you wrote more")
            }
            About::TooMany { unit, limit } => {
                write!(out, "{place} must have at most {limit} {}; you began another one", unit.name(*limit))
            }
            About::Field(allowed) => tell_field(place, allowed.as_deref(), out),
            About::Begun(name, allowed) => tell_begun(place, name, allowed.as_deref(), out),
            About::Item(Some(1)) => write!(out, "{place} is one item too many: at most 1 is allowed"),
            About::Item(Some(most)) => write!(out, "{place} is one item too many: at most {most} are allowed"),
            About::Item(None) => write!(out, "{place} is an item that is not allowed"),
            About::Contains { least, most, got } => tell_contains(place, *least, *most, *got, out),
            About::Name { name, why } => tell_name(it, name, why, out),
            About::Union { forms, matching, closest } => tell_union(place, forms, *matching, closest.as_deref(), out),
            About::Not => write!(out, "{place} is what the schema excludes with `not`; you returned {got}"),
            About::Content(wanted) => write!(out, "{place} must hold valid {}; you returned {got}", named(wanted)),
            About::Never => write!(out, "no value is allowed at {place}; you returned {got}"),
            About::Unknown if value.is_object() || value.is_array() => {
                write!(out, "{place} does not follow the schema")
            }
            About::Unknown => write!(out, "{place} does not follow the schema; you returned {got}"),
        }
    }
}

fn tell_type(it: &Got<'_>, kinds: &[&'static str], out: &mut String) -> fmt::Result {
    let Got { place, value, quoted, .. } = *it;
    let got = if value.is_number() { quoted.to_owned() } else { with_article(kind(value)) };
    write!(out, "{place} must be {}; you returned {got}", one_of_kinds(kinds))?;
    match inside(value, kinds) {
        Some(inner) => {
            write!(out, ". The string holds the {inner} that is wanted: return it as JSON, not as text")
        }
        None => Ok(()),
    }
}

fn tell_enum(it: &Got<'_>, allowed: &[Value], out: &mut String) -> fmt::Result {
    let listed = list(allowed.iter().map(quoted), ", ");
    write!(out, "{} must be one of {listed}; you returned {}", it.place, it.quoted)?;
    match allowed.iter().take(COMPARED).find(|allowed| differs_in_case(allowed, it.value)) {
        Some(same) => write!(out, ". Write {}: upper and lower case count", quoted(same)),
        None => Ok(()),
    }
}

fn tell_unique(place: &str, items: Option<(usize, usize)>, out: &mut String) -> fmt::Result {
    write!(out, "the items of {place} must all be different")?;
    match items {
        Some((first, second)) => write!(out, "; items {first} and {second} are equal"),
        None => Ok(()),
    }
}

fn tell_name(it: &Got<'_>, name: &str, why: &str, out: &mut String) -> fmt::Result {
    let object = match it.path.rsplit_once('/') {
        Some((object, _)) if !object.is_empty() => ticked(object, 4 * QUOTED),
        _ => "the document".to_owned(),
    };
    write!(out, "the field name {} is not allowed in {object}: {why}", named(name))
}

fn tell_missing(place: &str, name: &str, present: &Present, because: Option<&str>, out: &mut String) -> fmt::Result {
    write!(out, "missing field {} in {place}", named(name))?;
    if let Some(because) = because {
        write!(out, ", which must be there with {}", named(because))?;
    }
    match (&present.similar, present.names.as_slice()) {
        (Some(similar), _) => write!(out, "; you returned {}: write {}", named(similar), named(name)),
        (None, []) if present.count == 0 => out.write_str("; you returned no fields"),
        (None, []) => Ok(()),
        (None, names) => {
            write!(out, "; you returned {}", list_of(names.iter().map(|name| named(name)), present.count, ", "))
        }
    }
}

/// A name as a sentence has it.
pub(crate) fn named(name: &str) -> String {
    ticked(name, QUOTED)
}

/// Text between backticks; as a JSON string where it holds one itself, so that it cannot look like our words.
fn ticked(text: &str, most: usize) -> String {
    let text = on_one_line(text, most);
    if text.contains('`') { Value::from(text).to_string() } else { format!("`{text}`") }
}

fn tell_field(place: &str, allowed: Option<&[String]>, out: &mut String) -> fmt::Result {
    write!(out, "{place} is a field that is not allowed")?;
    match allowed {
        None => Ok(()),
        Some([]) => out.write_str("; none are allowed there"),
        Some(allowed) => write!(out, "; allowed there: {}", list(allowed.iter().map(|name| named(name)), ", ")),
    }
}

fn tell_begun(place: &str, name: &str, allowed: Option<&[String]>, out: &mut String) -> fmt::Result {
    match name {
        "" => write!(out, "{place} has a field that is not allowed")?,
        name => write!(out, "{place} has a field that is not allowed, whose name begins with {}", named(name))?,
    }
    match allowed {
        None => Ok(()),
        Some([]) => out.write_str("; none are allowed there"),
        Some(allowed) => write!(out, "; allowed there: {}", list(allowed.iter().map(|name| named(name)), ", ")),
    }
}

fn tell_contains(place: &str, least: u64, most: Option<u64>, got: u64, out: &mut String) -> fmt::Result {
    let (bound, limit) = match most {
        Some(most) if got > most => ("at most", most),
        _ => ("at least", least),
    };
    let (unit, verb) = (Unit::Item.name(limit), if got == 1 { "does" } else { "do" });
    write!(out, "{place} must have {bound} {limit} {unit} that the schema of `contains` describes; {got} {verb}")
}

fn tell_union(place: &str, forms: &[String], matching: usize, closest: Option<&str>, out: &mut String) -> fmt::Result {
    if matching > 0 {
        write!(out, "{place} must match exactly one of {} forms; it matches {matching}", forms.len())?;
        return match closest {
            Some(which) => write!(out, " ({which})"),
            None => Ok(()),
        };
    }
    write!(out, "{place} must match one of {} forms ({})", forms.len(), list(forms.iter().cloned(), "; "))?;
    match closest {
        Some(closest) => write!(out, "; of the closest: {closest}"),
        None => Ok(()),
    }
}

/// The name of a value's type (draft 2020-12, validation, section 6.1.1).
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

pub(crate) fn with_article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "array" | "object" | "integer" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

fn one_of_kinds(kinds: &[&'static str]) -> String {
    match kinds {
        [] => "of a type that is allowed".to_owned(),
        [one] => with_article(one),
        [front @ .., last] => {
            let front: Vec<_> = front.iter().map(|kind| with_article(kind)).collect();
            format!("{} or {}", front.join(", "), with_article(last))
        }
    }
}

/// What a string holds, where that is JSON of a wanted type.
fn inside(value: &Value, wanted: &[&'static str]) -> Option<&'static str> {
    let text = value.as_str().filter(|text| text.len() <= LONGEST_INSIDE)?;
    let inner: Value = serde_json::from_str(text).ok()?;
    let is_integer = inner.as_f64().is_some_and(|number| number.fract() == 0.0);
    wanted.iter().copied().find(|wanted| *wanted == kind(&inner) || *wanted == "integer" && is_integer)
}

fn differs_in_case(allowed: &Value, value: &Value) -> bool {
    match (allowed.as_str(), value.as_str()) {
        (Some(allowed), Some(value)) => {
            let [allowed_plain, plain] = [allowed, value].map(|text| text.chars().flat_map(char::to_lowercase));
            allowed != value && allowed_plain.eq(plain)
        }
        _ => false,
    }
}

/// The characters of a name that tell it from others, one by one: most names differ in the first.
fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|char| !matches!(char, '_' | '-')).flat_map(char::to_lowercase)
}

/// Whether two names differ in case and in `_` and `-` alone.
fn is_similar(one: &str, other: &str) -> bool {
    one != other && plain(one).eq(plain(other))
}

/// A list for a sentence, of which not too many are named.
fn list(names: impl ExactSizeIterator<Item = String>, between: &str) -> String {
    let count = names.len();
    list_of(names, count, between)
}

/// The same of the first of so many.
fn list_of(names: impl Iterator<Item = String>, count: usize, between: &str) -> String {
    let mut listed: Vec<_> = names.take(LISTED).collect();
    let rest = count.saturating_sub(listed.len());
    if rest > 0 {
        listed.push(format!("{rest} more"));
    }
    listed.join(between)
}

/// The first values of a list: no more than a violation holds.
fn told(values: impl Iterator<Item = Value>) -> Value {
    let mut room = TOLD_TEXT;
    let fits = |value: &Value| match room.checked_sub(value.to_string().len()) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    };
    values.take(TOLD).take_while(fits).collect()
}

/// The JSON text of a value, cut.
pub(crate) fn quoted(value: &Value) -> String {
    if let Value::String(text) = value {
        return Value::from(shortened(text)).to_string();
    }
    let mut text = Cut { text: String::new(), room: QUOTED };
    match write!(text, "{value}") {
        Ok(()) => text.text,
        Err(_) => text.text + "...",
    }
}

/// A value as it is told: itself where it is short.
fn short(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(shortened(text)),
        Value::Array(_) | Value::Object(_) => {
            let mut text = Cut { text: String::new(), room: QUOTED };
            match write!(text, "{value}") {
                Ok(()) => value.clone(),
                Err(_) => Value::from(text.text + "..."),
            }
        }
        value => value.clone(),
    }
}

/// A text with no more than so many characters that a sentence quotes, and `...` where it is cut.
fn shortened(text: &str) -> String {
    let short = cut(text, QUOTED);
    if short.len() < text.len() { format!("{short}...") } else { short.to_owned() }
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// Takes no more than so many characters; then writing fails, and ends.
struct Cut {
    text: String,
    room: usize,
}

impl fmt::Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            self.room = self.room.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(char);
        }
        Ok(())
    }
}
