//! A violation for a log: nothing in it that the model wrote.
//!
//! Of a path, keys stay that the schema names somewhere, and indices; a value is told by its type, and a string by its length. What the schema
//! says stays: bounds, allowed values, patterns, names of missing fields.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{About, Got, Present, QUOTED, kind, ticked, with_article};

/// What stands for a name that the schema does not have.
const MASK: &str = "*";

/// The names that a schema has for fields.
pub(crate) type Names = HashSet<Box<str>>;

/// Adds a key to a pointer: masked where the schema has no such name.
pub(crate) fn push_key(pointer: &mut String, key: &str, names: &Names) {
    pointer.push('/');
    match names.contains(key) {
        true => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
        false => pointer.push_str(MASK),
    }
}

/// The pointer to a value of a document, masked.
pub(crate) fn pointer(pointer: &str, root: &Value, names: &Names) -> String {
    let mut masked = String::with_capacity(pointer.len());
    let mut at = Some(root);
    for token in pointer.split('/').skip(1) {
        // A key may look like an index.
        if let Some(Value::Array(items)) = at {
            masked.push('/');
            masked.push_str(token);
            at = token.parse::<usize>().ok().and_then(|index| items.get(index));
        } else {
            let key = token.replace("~1", "/").replace("~0", "~");
            push_key(&mut masked, &key, names);
            at = at.and_then(|value| value.get(key.as_str()));
        }
    }
    masked
}

/// Whether a value is there as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    Begun,
}

/// The sentence about a value at a masked pointer.
pub(super) fn sentence(about: &About, pointer: &str, value: &Value, extent: Extent) -> String {
    let place = if pointer.is_empty() { "the document".to_owned() } else { ticked(pointer, 4 * QUOTED) };
    let quoted = match (value.as_str().map(|text| text.chars().count()), extent) {
        (Some(1), Extent::Whole) => "a string of 1 character".to_owned(),
        (Some(count), Extent::Whole) => format!("a string of {count} characters"),
        _ => with_article(kind(value)),
    };
    let mut sentence = String::new();
    // Writing to a `String` cannot fail.
    let _ = about
        .masked()
        .tell(&Got { place: &place, path: pointer, value: &blank(value), quoted: &quoted }, &mut sentence);
    sentence
}

/// A value of the same type with nothing in it.
fn blank(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::String(String::new()),
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(_) => Value::Object(Map::new()),
        Value::Number(_) => Value::from(0),
        Value::Bool(_) | Value::Null => value.clone(),
    }
}

impl About {
    /// The same without what the model wrote.
    fn masked(&self) -> About {
        match self {
            About::Missing { name, present, because } => {
                let present = Present { count: present.count, ..Present::default() };
                About::Missing { name: name.clone(), present, because: because.clone() }
            }
            About::Begun(name, allowed) => {
                let name = if name.is_empty() { "" } else { MASK };
                About::Begun(name.to_owned(), allowed.clone())
            }
            About::Name { .. } => {
                About::Name { name: MASK.to_owned(), why: "it does not follow the schema of names".to_owned() }
            }
            // Of several that match, these are their names in the schema; otherwise it is a sentence about the value.
            About::Union { forms, matching, closest } => {
                let closest = closest.clone().filter(|_| *matching > 0);
                About::Union { forms: forms.clone(), matching: *matching, closest }
            }
            other => other.clone(),
        }
    }
}
