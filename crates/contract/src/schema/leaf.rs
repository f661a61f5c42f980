//! What the validator says of keywords about a value alone.
//!
//! The keywords were taken apart from those that look into the value, so that a validator of its own judges them: in a time that does not depend
//! on the rest of the schema, and by the same code as the whole.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Number, Value};

use super::COLLECTED;
use super::SchemaOptions;
use super::table::Leaf;
use crate::violation::{About, Broken, Present, Unit};

/// What a leaf says of a value.
#[derive(Debug, Default)]
pub(crate) struct Said<'v> {
    pub(crate) broken: Vec<Broken<'v>>,
    /// Whether it is broken for certain, whole for certain, or nobody knows.
    pub(crate) is_valid: Option<bool>,
    /// A pattern took more steps back than allowed.
    pub(crate) gave_up: bool,
}

/// Asks a leaf about a value.
pub(crate) fn ask<'v>(leaf: &Leaf, value: &'v Value, options: &SchemaOptions) -> Said<'v> {
    let Some(validator) = leaf.validator(options) else { return Said::default() };
    let mut said = Said { is_valid: Some(true), ..Said::default() };
    for error in validator.iter_errors(value).take(COLLECTED) {
        if matches!(
            error.kind(),
            ValidationErrorKind::BacktrackLimitExceeded { .. } | ValidationErrorKind::RegexEngineFailure { .. }
        ) {
            said.gave_up = true;
            continue;
        }
        let keyword = keyword(&error);
        said.broken.push(Broken { at: value, keyword, about: about(&error, leaf, value), form: None });
    }
    if !said.broken.is_empty() {
        said.is_valid = Some(false);
    } else if said.gave_up {
        said.is_valid = None;
    }
    said
}

/// Whether a number, or a literal, is as a leaf asks.
pub(crate) fn holds(leaf: &Leaf, value: &Value, options: &SchemaOptions) -> Option<bool> {
    leaf.validator(options).map(|validator| validator.is_valid(value))
}

/// The keyword as the schema has it.
fn keyword(error: &ValidationError<'_>) -> &'static str {
    let first = error.schema_path().as_str().split('/').nth(1);
    match first {
        Some("dependentRequired") => "dependentRequired",
        Some("dependencies") => "dependencies",
        _ => known(error.kind().keyword()),
    }
}

/// A keyword of the validator as one of ours.
fn known(keyword: &str) -> &'static str {
    super::table::LEAF.iter().find(|known| **known == keyword).copied().unwrap_or("schema")
}

fn about(error: &ValidationError<'_>, leaf: &Leaf, value: &Value) -> About {
    let count = |unit, bound, limit: u64| About::Count { unit, bound, limit, got: size(value) };
    match error.kind() {
        ValidationErrorKind::Type { kind } => About::Type(kinds(kind, leaf.keywords.get("type"))),
        ValidationErrorKind::Enum { options } => About::Enum(Arc::clone(options)),
        ValidationErrorKind::Constant { expected_value } => About::Const(Arc::clone(expected_value)),
        ValidationErrorKind::Maximum { limit } => About::Bound("at most", limit.clone()),
        ValidationErrorKind::Minimum { limit } => About::Bound("at least", limit.clone()),
        ValidationErrorKind::ExclusiveMaximum { limit } => About::Bound("less than", limit.clone()),
        ValidationErrorKind::ExclusiveMinimum { limit } => About::Bound("more than", limit.clone()),
        ValidationErrorKind::MultipleOf { .. } => {
            About::Bound("a multiple of", leaf.keywords.get("multipleOf").cloned().unwrap_or_default())
        }
        ValidationErrorKind::MaxLength { limit } => count(Unit::Character, "at most", *limit),
        ValidationErrorKind::MinLength { limit } => count(Unit::Character, "at least", *limit),
        ValidationErrorKind::MaxItems { limit } => count(Unit::Item, "at most", *limit),
        ValidationErrorKind::MinItems { limit } => count(Unit::Item, "at least", *limit),
        ValidationErrorKind::MaxProperties { limit } => count(Unit::Field, "at most", *limit),
        ValidationErrorKind::MinProperties { limit } => count(Unit::Field, "at least", *limit),
        ValidationErrorKind::UniqueItems => About::Unique(equal_items(value)),
        ValidationErrorKind::Pattern { pattern } => About::Pattern(pattern.clone()),
        ValidationErrorKind::Format { format } => About::Format(format.clone()),
        ValidationErrorKind::Required { property } => missing(property, error, leaf, value),
        ValidationErrorKind::ContentEncoding { content_encoding } => About::Content(content_encoding.clone()),
        ValidationErrorKind::ContentMediaType { content_media_type } => About::Content(content_media_type.clone()),
        _ => About::Unknown,
    }
}

fn missing(property: &Value, error: &ValidationError<'_>, leaf: &Leaf, value: &Value) -> About {
    let name = property.as_str().unwrap_or_default().to_owned();
    let present = Present::of(value, &name);
    About::Missing { because: because(property, error, leaf, value), name, present }
}

/// The field that is there and asks for one that is not.
fn because(property: &Value, error: &ValidationError<'_>, leaf: &Leaf, value: &Value) -> Option<String> {
    let lists = leaf.keywords.get(keyword(error)).filter(|lists| lists.is_object())?.as_object()?;
    let asks = |names: &Value| names.as_array().is_some_and(|names| names.contains(property));
    let mut asking = lists.iter().filter(|(key, names)| value.get(key.as_str()).is_some() && asks(names));
    asking.next().map(|(key, _)| key.clone())
}

/// Characters of a string, items of an array, fields of an object.
fn size(value: &Value) -> u64 {
    let size = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    size as u64
}

/// The types that are wanted, in the order of the schema.
fn kinds(kind: &TypeKind, written: Option<&Value>) -> Vec<&'static str> {
    let name = |kind: JsonType| match kind {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    };
    let mut kinds: Vec<_> = match kind {
        TypeKind::Single(kind) => vec![name(*kind)],
        TypeKind::Multiple(kinds) => kinds.iter().map(name).collect(),
    };
    let place = |kind: &str| written?.as_array()?.iter().position(|written| written == kind);
    kinds.sort_by_key(|kind| place(kind));
    kinds
}

/// The first two items of an array that are equal.
fn equal_items(value: &Value) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    value.as_array()?.iter().enumerate().find_map(|(at, item)| {
        let mut text = String::new();
        canonical(item, &mut text);
        seen.insert(text, at).map(|first| (first, at))
    })
}

/// A text that equal values share: numbers by value, members in order.
pub(crate) fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&plain(number)),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (key, item) in members {
                canonical(&Value::from(key.as_str()), out);
                out.push(':');
                canonical(item, out);
                out.push(',');
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn plain(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if !number.is_i64() && !number.is_u64() && float.fract() == 0.0 && float.abs() < 1e15 => {
            (float as i64).to_string()
        }
        _ => number.to_string(),
    }
}
