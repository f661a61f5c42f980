//! What is certainly asked of a value that stands at a place of the document, whatever stands elsewhere.
//!
//! # Theory
//!
//! From the root down, step by step: what `properties`, `patternProperties`, `additionalProperties`, `prefixItems` and `items` ask of the member or
//! item, through `$ref` and `allOf`. The branches of unions and conditions, `not`, `dependentSchemas`, `contains` and `unevaluated…` depend on what
//! stands beside or around; they ask nothing here. So a value that breaks what is found here makes the document invalid, and one that does not may
//! still be part of one that is.

use std::collections::HashSet;

use serde_json::Value;

use super::SchemaOptions;
use super::leaf;
use super::table::{Id, Members, ROOT, Table};
use super::types::Types;

/// One step down.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
    /// It is written as both are.
    Either(String, usize),
}

/// The nodes that are certainly asked about the value at a place.
pub(super) fn at(table: &Table, options: &SchemaOptions, steps: &[Step]) -> Vec<Id> {
    let mut here = closed(table, vec![ROOT]);
    for step in steps {
        let below = match step {
            Step::Key(key) => members(table, options, &here, key),
            Step::Index(index) => items(table, &here, *index),
            Step::Either(key, index) => {
                let types = here.iter().fold(Types::ALL, |types, &id| types.and(table.types(id)));
                match (types.allows_objects(), types.allows_arrays()) {
                    (true, false) => members(table, options, &here, key),
                    (false, true) => items(table, &here, *index),
                    _ => Vec::new(),
                }
            }
        };
        here = closed(table, below);
    }
    here
}

/// With all that is asked of the same value too.
fn closed(table: &Table, mut waiting: Vec<Id>) -> Vec<Id> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    while let Some(id) = waiting.pop() {
        let node = table.node(id);
        // What it means depends on more than the table holds.
        if node.is_unsure || !seen.insert(id) {
            continue;
        }
        found.push(id);
        waiting.extend(&node.all);
    }
    found
}

fn members(table: &Table, options: &SchemaOptions, here: &[Id], key: &str) -> Vec<Id> {
    let asked = here.iter().filter_map(|&id| table.node(id).members.as_deref());
    asked.flat_map(|asked| member(asked, options, key)).collect()
}

fn member(asked: &Members, options: &SchemaOptions, key: &str) -> Vec<Id> {
    let mut found: Vec<Id> = asked.named.get(key).copied().into_iter().collect();
    let name = Value::from(key);
    let mut is_certain = true;
    for (pattern, id) in &asked.patterns {
        match leaf::holds(pattern, &name, options) {
            Some(true) => found.push(*id),
            Some(false) => {}
            None => is_certain = false,
        }
    }
    if found.is_empty() && is_certain {
        found.extend(asked.rest);
    }
    found
}

fn items(table: &Table, here: &[Id], index: usize) -> Vec<Id> {
    let asked = here.iter().filter_map(|&id| table.node(id).items.as_deref());
    asked.filter_map(|asked| asked.prefix.get(index).copied().or(asked.rest)).collect()
}
