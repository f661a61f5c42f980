//! A line that is shown: where it stands, whose it is, and what is said of it.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::counted::EXCERPT;
use super::names::Sum;
use super::summary::Example;
use super::told::AnyText;

/// Where a line stands: the number of the file among those that were given, and of the line in it, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) line: u64,
}

/// A line.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) place: Place,
    owner: Owner,
    excerpt: String,
}

/// Whose a line is.
#[derive(Clone, Debug, Default)]
pub(super) struct Owner {
    id: Option<String>,
    model: Option<String>,
}

impl Owner {
    /// Reads a line once more: few are shown.
    pub(super) fn of(line: &[u8]) -> Self {
        let mut whose = Whose::default();
        // A line that breaks off has said what it said.
        let _ = serde_json::Deserializer::from_slice(line).deserialize_map(&mut whose);
        let id = whose.id.filter(|id| *id != "null").map(|id| match serde_json::from_str::<String>(id) {
            Ok(text) => shortened(&text),
            Err(_) => shortened(id),
        });
        Self { id, model: whose.model.map(|model| shortened(&model)) }
    }
}

impl Sample {
    pub(super) fn new(place: Place, owner: Owner, excerpt: &str) -> Self {
        Self { place, owner, excerpt: shortened(excerpt) }
    }

    pub(super) fn example(self, files: &[String]) -> Example {
        let Self { place, owner: Owner { id, model }, excerpt } = self;
        let file = files.get(place.file).cloned().unwrap_or_default();
        Example { file, line: place.line, id, model, excerpt }
    }
}

/// In how many replies a code came up, and the first line.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) replies: u64,
    pub(super) first: Sample,
}

impl Sum for Shown {
    fn add(&mut self, more: Self) {
        self.replies += more.replies;
        if more.first.place < self.first.place {
            self.first = more.first;
        }
    }
}

/// The first characters, and a mark where there are more.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The first `id` and the first `model` of an object.
#[derive(Default)]
struct Whose<'de> {
    id: Option<&'de str>,
    model: Option<String>,
}

impl<'de> Visitor<'de> for &mut Whose<'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key::<Member>()? {
            match member {
                Member::Id if self.id.is_none() => self.id = Some(map.next_value::<&RawValue>()?.get()),
                Member::Model if self.model.is_none() => self.model = map.next_value::<AnyText>()?.0,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Id,
    Model,
    #[serde(other)]
    Other,
}
