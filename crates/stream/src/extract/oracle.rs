//! The facts of an event as a parser of JSON gives them: slow, by whole paths, and with nothing of the scanner in it.

extern crate std;

use std::fmt;
use std::string::{String, ToString};
use std::vec::Vec;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::corpus::Table;
use crate::facts::{Fact, Facts, Written};

/// A value whose members are in order, of the same key as many as there are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Null,
    Boolean(bool),
    Number(Number),
    Text(String),
    List(Vec<Tree>),
    Record(Vec<(String, Tree)>),
}

/// A fact with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    row: usize,
    place: [u16; 3],
    value: Tree,
}

/// A step from a container to a value in it.
enum Step<'a> {
    Key(&'a str),
    Element(usize),
}

/// The facts of an event, or what the parser says of it.
pub(super) fn read(table: Table, data: &[u8]) -> Result<Vec<Told>, String> {
    let tree: Tree = serde_json::from_slice(data).map_err(|error| error.to_string())?;
    let mut told = Vec::new();
    visit(table, &tree, &mut Vec::new(), &mut told);
    Ok(told)
}

/// Whether the parser refuses what a string or number means, of which the scanner looks at the form alone.
pub(super) fn is_of_content(error: &str) -> bool {
    let contents = ["control character", "escape", "code point", "surrogate", "unicode", "number out of range"];
    contents.iter().any(|content| error.contains(content))
}

/// The facts of the scanner in the same form.
pub(super) fn told(facts: &Facts<'_>) -> Vec<Told> {
    let told = |fact: &Fact<'_>| {
        let text = match fact.written {
            Written::String => [b"\"", fact.text, b"\""].concat(),
            _ => fact.text.to_vec(),
        };
        let value: Tree = serde_json::from_slice(&text).expect("the text of a fact is a value");
        let written = match value {
            Tree::Null => panic!("null is no fact"),
            Tree::Boolean(_) => Written::Boolean,
            Tree::Number(_) => Written::Number,
            Tree::Text(_) => Written::String,
            Tree::List(_) | Tree::Record(_) => Written::Json,
        };
        assert_eq!(fact.written, written);
        Told { row: usize::from(fact.row), place: fact.place, value }
    };
    facts.iter().map(told).collect()
}

fn visit<'a>(table: Table, tree: &'a Tree, steps: &mut Vec<Step<'a>>, told: &mut Vec<Told>) {
    let rows = table.iter().enumerate().filter(|(_, (path, _))| fits(path, steps));
    let value = || tree.clone();
    if *tree != Tree::Null {
        told.extend(rows.map(|(row, _)| Told { row, place: place(steps), value: value() }));
    }
    match tree {
        Tree::List(elements) => {
            for (index, element) in elements.iter().enumerate() {
                steps.push(Step::Element(index));
                visit(table, element, steps, told);
                steps.pop();
            }
        }
        Tree::Record(members) => {
            for (key, member) in members {
                steps.push(Step::Key(key));
                visit(table, member, steps, told);
                steps.pop();
            }
        }
        _ => {}
    }
}

fn fits(path: &str, steps: &[Step<'_>]) -> bool {
    let keys: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
    let fits = |(key, step): (&&str, &Step<'_>)| match step {
        Step::Key(name) => key == name && *key != "*",
        Step::Element(_) => *key == "*",
    };
    keys.len() == steps.len() && keys.iter().zip(steps).all(fits)
}

fn place(steps: &[Step<'_>]) -> [u16; 3] {
    let mut place = [0; 3];
    let elements = steps.iter().filter_map(|step| match step {
        Step::Element(index) => Some(u16::try_from(*index).unwrap_or(u16::MAX)),
        Step::Key(_) => None,
    });
    place.iter_mut().zip(elements).for_each(|(place, element)| *place = element);
    place
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Grow)
    }
}

struct Grow;

impl<'de> Visitor<'de> for Grow {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Tree, E> {
        Number::from_f64(value).map(Tree::Number).ok_or_else(|| E::custom("no finite number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = access.next_element()? {
            elements.push(element);
        }
        Ok(Tree::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Tree::Record(members))
    }
}
