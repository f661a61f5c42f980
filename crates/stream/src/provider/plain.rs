//! The facts of an event, read plainly with `serde_json`: slow, and the oracle of whoever reads them fast.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::facts::{Fact, Facts, Slot, Written};

type Paths = [(&'static str, Slot)];

/// The members of an object in the order in which they are written, each value as it is written.
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reads;
        impl<'de> Visitor<'de> for Reads {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reads)
    }
}

#[derive(Clone)]
enum Step<'a> {
    Member(Cow<'a, str>),
    Element(u16),
}

/// The facts of one JSON text; none if it is none.
pub(crate) fn facts_of<'a>(paths: &Paths, data: &'a [u8]) -> Option<Facts<'a>> {
    let root: &RawValue = serde_json::from_slice(data).ok()?;
    let mut facts = Facts::new();
    walk(root.get(), &mut Vec::new(), paths, &mut facts);
    Some(facts)
}

fn walk<'a>(text: &'a str, steps: &mut Vec<Step<'a>>, paths: &Paths, facts: &mut Facts<'a>) {
    facts.extend(fact(text, steps, paths));
    match text.as_bytes()[0] {
        b'{' => {
            let Members(members) = serde_json::from_str(text).expect("an object");
            for (key, value) in members {
                steps.push(Step::Member(key));
                walk(value.get(), steps, paths, facts);
                steps.pop();
            }
        }
        b'[' => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).expect("an array");
            for (place, value) in elements.into_iter().enumerate() {
                steps.push(Step::Element(u16::try_from(place).unwrap_or(u16::MAX)));
                walk(value.get(), steps, paths, facts);
                steps.pop();
            }
        }
        _ => {}
    }
}

/// The fact that a value is, if it stands at one of the paths.
fn fact<'a>(text: &'a str, steps: &[Step<'_>], paths: &Paths) -> Option<Fact<'a>> {
    let row = paths.iter().position(|(path, _)| is_at(path, steps))?;
    let (written, text) = match text.as_bytes()[0] {
        b'n' => return None,
        b'"' => (Written::String, &text[1..text.len() - 1]),
        b't' | b'f' => (Written::Boolean, text),
        b'{' | b'[' => (Written::Json, text),
        _ => (Written::Number, text),
    };
    let places = steps.iter().filter_map(|step| match step {
        Step::Element(place) => Some(*place),
        Step::Member(_) => None,
    });
    let mut place = [0; 3];
    place.iter_mut().zip(places).for_each(|(slot, place)| *slot = place);
    Some(Fact { slot: paths[row].1, written, row: u8::try_from(row).expect("a row"), place, text: text.as_bytes() })
}

fn is_at(path: &str, steps: &[Step<'_>]) -> bool {
    let is_step = |(part, step): (&str, &Step<'_>)| match step {
        Step::Member(key) => part != "*" && part == key,
        Step::Element(_) => part == "*",
    };
    path.split('/').count() == steps.len() && path.split('/').zip(steps).all(is_step)
}
