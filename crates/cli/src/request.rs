//! One line of `batch`: JSON text to a request, or a word on why it is none.
//!
//! The buffers of a request are used again for the next one. Unknown members are read over without being kept, to any
//! depth and without recursion.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use thusfar_contract::SchemaError;
use thusfar_core::{Ending, Root, Take};

use crate::args::{self, PAYLOADS, Payload, ROOTS, TAKES};
use crate::terminal;

/// Bytes of the longest line that is read.
pub(crate) const LONGEST_LINE: usize = 64 << 20;
/// Bytes that a buffer keeps from one line to the next.
pub(crate) const KEPT: usize = 1 << 20;
/// What is said of a line without a reply.
const NO_REPLY: &str = "neither `text` nor `chunks`";
/// Characters of a message on either side of what is left out.
const SIDE: usize = 80;

/// What a line asks for.
#[derive(Default)]
pub(crate) struct Request {
    /// The reply, all chunks of it.
    pub(crate) text: String,
    /// Where chunks end in `text`; empty when it came whole. `cuts` rise, the last is `text.len()`.
    cuts: Vec<u32>,
    /// The schema as it was written; empty when there is none.
    schema: String,
    /// The list of tools in the same way.
    tools: String,
    /// The spec of signals in the same way.
    spec: String,
    /// The tool that is called with the text.
    tool: Option<String>,
    payload: Option<Payload>,
    pub(crate) root: Option<Root>,
    pub(crate) take: Option<Take>,
    pub(crate) ending: Option<Ending>,
    /// Members that a report has.
    marks: Marks,
}

/// Members of a line that are nothing to a request, and that a report has.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    outcome: bool,
    calls: bool,
}

/// What the text of a request is to be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted<'r> {
    /// What the options say.
    Default,
    /// A document as this schema asks.
    Schema(&'r str),
    /// Printed calls of these tools.
    Calls(&'r str),
    /// Signals as this spec asks.
    Signals(&'r str),
    /// The arguments of a call of this tool, which is one of these if they are listed.
    Arguments(&'r str, Option<&'r str>),
}

impl Request {
    /// Reads a line and gives its `id` as it was written. The line is at most `u32::MAX` bytes long.
    pub(crate) fn read<'a>(&mut self, line: &'a [u8]) -> Result<&'a str, NoRequest> {
        self.text.clear();
        self.cuts.clear();
        self.schema.clear();
        self.tools.clear();
        self.spec.clear();
        (self.tool, self.payload) = (None, None);
        (self.root, self.take, self.ending) = (None, None, None);
        self.marks = Marks::default();
        let text = std::str::from_utf8(line)
            .map_err(|error| NoRequest { at: error.valid_up_to() + 1, why: "not UTF-8".into() })?;
        let mut reader = serde_json::Deserializer::from_str(text);
        reader
            .deserialize_map(Members(self))
            .and_then(|id| reader.end().map(|()| id))
            .map_err(|error| NoRequest::of(&error))
    }

    /// Whether the line, as far as it was read, has the `outcome` of a report.
    pub(crate) fn has_outcome(&self) -> bool {
        self.marks.outcome
    }

    /// Whether it has `calls` besides: the report on calls has a `text`, which is what is left of the reply.
    pub(crate) fn has_calls(&self) -> bool {
        self.marks.outcome && self.marks.calls
    }

    /// The chunks, in order.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = &str> {
        let whole = self.cuts.is_empty().then_some(self.text.as_str());
        let starts = std::iter::once(0).chain(self.cuts.iter().copied());
        let pieces = starts.zip(&self.cuts).map(|(start, &end)| &self.text[start as usize..end as usize]);
        whole.into_iter().chain(pieces)
    }

    /// What the text is to be held against: the schema, the tools or the spec as they were written.
    pub(crate) fn wanted(&self) -> Result<Wanted<'_>, NoRequest> {
        let written = |text: &'_ str| !text.is_empty();
        if written(&self.spec) {
            return self.signals();
        }
        let tools = Some(self.tools.as_str()).filter(|tools| written(tools));
        match (self.payload, &self.tool, tools) {
            (_, _, Some(_)) if written(&self.schema) => Err(NoRequest::new("both `tools` and `schema`")),
            (Some(Payload::Arguments), None, _) => Err(NoRequest::new("`payload` says arguments, and no `tool` whose")),
            (Some(Payload::Arguments), _, _) if written(&self.schema) => {
                Err(NoRequest::new("`schema` beside arguments: that of a tool stands in `tools`"))
            }
            (Some(Payload::Arguments), Some(tool), tools) => Ok(Wanted::Arguments(tool, tools)),
            (_, Some(_), _) => {
                Err(NoRequest::new("`tool` names whose arguments the text is, and `payload` does not say it"))
            }
            (_, None, Some(tools)) => Ok(Wanted::Calls(tools)),
            (_, None, None) if written(&self.schema) => Ok(Wanted::Schema(&self.schema)),
            (_, None, None) => Ok(Wanted::Default),
        }
    }

    /// The spec, if nothing else is asked for beside it.
    fn signals(&self) -> Result<Wanted<'_>, NoRequest> {
        let others = [
            ("schema", !self.schema.is_empty()),
            ("tools", !self.tools.is_empty()),
            ("tool", self.tool.is_some()),
            ("payload", self.payload.is_some()),
        ];
        match others.iter().find(|(_, is_there)| *is_there) {
            Some((name, _)) => Err(NoRequest::new(&format!("both `spec` and `{name}`"))),
            None => Ok(Wanted::Signals(&self.spec)),
        }
    }

    /// Gives back what an unusually long line needed.
    pub(crate) fn shrink(&mut self, most: usize) {
        self.text.clear();
        self.text.shrink_to(most);
        self.cuts.clear();
        self.cuts.shrink_to(most / 4);
        for json in [&mut self.schema, &mut self.tools, &mut self.spec] {
            json.clear();
            json.shrink_to(most);
        }
    }
}

/// Why a line is no request.
#[derive(Debug)]
pub(crate) struct NoRequest {
    /// The byte of the line, from 1; 0 where the line as a whole is meant.
    pub(crate) at: usize,
    /// In words.
    pub(crate) why: String,
}

impl NoRequest {
    /// A line whose schema is none.
    pub(crate) fn of_schema(error: &SchemaError) -> Self {
        Self { at: 0, why: terminal::shortened(&format!("`schema`: {error}"), SIDE) }
    }

    /// A line whose list of tools is none.
    pub(crate) fn of_tools(why: &str) -> Self {
        Self { at: 0, why: terminal::shortened(&format!("`tools`: {why}"), SIDE) }
    }

    /// A line of which only the beginning was kept.
    pub(crate) fn too_long() -> Self {
        Self { at: 0, why: format!("longer than {LONGEST_LINE} bytes") }
    }

    /// A line whose spec is none.
    pub(crate) fn of_spec(why: &str) -> Self {
        Self { at: 0, why: terminal::shortened(&format!("`spec`: {why}"), SIDE) }
    }

    /// Whether there is no reply, and nothing else was wrong in front of that.
    pub(crate) fn has_no_reply(&self) -> bool {
        self.why == NO_REPLY
    }

    /// In words, with the place in the line.
    pub(crate) fn told(&self) -> String {
        if self.at == 0 { self.why.clone() } else { format!("byte {}: {}", self.at, self.why) }
    }

    fn new(why: &str) -> Self {
        Self { at: 0, why: why.to_owned() }
    }

    /// A line that is not JSON, or not as it should be.
    pub(crate) fn of(error: &serde_json::Error) -> Self {
        let said = error.to_string();
        let why = said.rsplit_once(" at line ").map_or(said.as_str(), |(why, _)| why);
        Self { at: error.column(), why: terminal::shortened(why, SIDE) }
    }
}

/// The `id` of a line that is no request, as far as one can be read: of the first bytes that are JSON, and only one.
pub(crate) fn readable_id(line: &[u8]) -> Option<&str> {
    let mut found = Ids::default();
    // What is wrong with the line has been said already.
    let _ = serde_json::Deserializer::from_slice(line).deserialize_map(&mut found);
    found.first.filter(|_| found.count == 1)
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Id,
    Text,
    Chunks,
    Root,
    Take,
    Ending,
    Schema,
    Tools,
    Spec,
    Tool,
    Payload,
    Outcome,
    Calls,
    #[serde(other)]
    Other,
}

struct Members<'r>(&'r mut Request);

impl<'de> Visitor<'de> for Members<'_> {
    type Value = &'de str;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a request object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<&'de str, A::Error> {
        let request = self.0;
        let mut id = None;
        let (mut has_text, mut has_chunks) = (None, None);
        let (mut root, mut take, mut ending, mut schema) = (None, None, None, None);
        let (mut tools, mut spec, mut tool, mut payload) = (None, None, None, None);
        while let Some(member) = map.next_key()? {
            match member {
                Member::Id => once("id", &mut id, map.next_value::<&RawValue>()?.get())?,
                Member::Text => once("text", &mut has_text, map.next_value_seed(Maybe(Text(&mut request.text)))?)?,
                Member::Chunks => once("chunks", &mut has_chunks, map.next_value_seed(Maybe(Chunks(request)))?)?,
                Member::Root => once("root", &mut root, map.next_value_seed(Maybe(Named(&ROOTS)))?)?,
                Member::Take => once("take", &mut take, map.next_value_seed(Maybe(Named(&TAKES)))?)?,
                Member::Ending => once("ending", &mut ending, map.next_value_seed(Maybe(Named(&Ending::ALL)))?)?,
                Member::Schema => once("schema", &mut schema, map.next_value::<&RawValue>()?.get())?,
                Member::Tools => once("tools", &mut tools, map.next_value::<&RawValue>()?.get())?,
                Member::Spec => once("spec", &mut spec, map.next_value::<&RawValue>()?.get())?,
                Member::Tool => once("tool", &mut tool, map.next_value::<Option<String>>()?)?,
                Member::Payload => once("payload", &mut payload, map.next_value_seed(Maybe(Named(&PAYLOADS)))?)?,
                Member::Outcome => {
                    map.next_value::<IgnoredAny>()?;
                    request.marks.outcome = true;
                }
                Member::Calls => {
                    map.next_value::<IgnoredAny>()?;
                    request.marks.calls = true;
                }
                Member::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        match (has_text.flatten(), has_chunks.flatten()) {
            (Some(()), Some(())) => return Err(A::Error::custom("both `text` and `chunks`")),
            (None, None) => return Err(A::Error::custom(NO_REPLY)),
            _ => {}
        }
        (request.root, request.take, request.ending) = (root.flatten(), take.flatten(), ending.flatten());
        (request.tool, request.payload) = (tool.flatten(), payload.flatten());
        let Request { schema: kept_schema, tools: kept_tools, spec: kept_spec, .. } = request;
        for (kept, json) in [(kept_schema, schema), (kept_tools, tools), (kept_spec, spec)] {
            kept.push_str(json.filter(|json| *json != "null").unwrap_or_default());
        }
        Ok(id.unwrap_or("null"))
    }
}

/// Keeps the value of a member; a second one of the same name is an error.
fn once<T, E: serde::de::Error>(name: &'static str, place: &mut Option<T>, value: T) -> Result<(), E> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

/// A value that may be `null`, which is the same as none.
struct Maybe<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Maybe<S> {
    type Value = Option<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_option(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Maybe<S> {
    type Value = Option<S::Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value or null")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(reader).map(Some)
    }
}

/// A string that is added to a text.
struct Text<'t>(&'t mut String);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.push_str(text);
        Ok(())
    }
}

/// The strings of an array, added to the text one behind the other.
struct Chunks<'r>(&'r mut Request);

impl<'de> DeserializeSeed<'de> for Chunks<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Chunks<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut chunks: A) -> Result<(), A::Error> {
        let Request { text, cuts, .. } = self.0;
        while let Some(()) = chunks.next_element_seed(Text(text))? {
            let end = u32::try_from(text.len()).map_err(A::Error::custom)?;
            // An empty chunk is nothing.
            if cuts.last().copied().unwrap_or(0) < end {
                cuts.push(end);
            }
        }
        Ok(())
    }
}

/// A name out of a table.
struct Named<T: 'static>(&'static [(T, &'static str)]);

impl<'de, T: Copy> DeserializeSeed<'de> for Named<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<T, D::Error> {
        reader.deserialize_str(self)
    }
}

impl<T: Copy> Visitor<'_> for Named<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|&(_, name)| name).collect();
        write!(formatter, "one of {}", names.join(", "))
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        let shown = terminal::on_one_line(name, 32);
        args::named(self.0, name).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(&shown), &self))
    }
}

/// Every `id` of an object, kept as it goes: what breaks behind one takes nothing away.
#[derive(Default)]
struct Ids<'de> {
    first: Option<&'de str>,
    count: usize,
}

impl<'de> Visitor<'de> for &mut Ids<'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key()? {
            if matches!(member, Member::Id) {
                let id = map.next_value::<&RawValue>()?.get();
                self.first.get_or_insert(id);
                self.count += 1;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_its_text_or_its_chunks() {
        let mut request = Request::default();
        assert_eq!(request.read(br#"{"id":1.50,"text":"a\nb","x":[{}],"root":null,"take":"last"}"#).ok(), Some("1.50"));
        assert_eq!(request.chunks().collect::<Vec<_>>(), ["a\nb"]);
        assert_eq!((request.root, request.take, request.ending), (None, Some(Take::Last), None));
        assert_eq!(request.read(r#"{"chunks":["","a","","é",""],"ending":"tool-use"}"#.as_bytes()).ok(), Some("null"));
        assert_eq!(request.chunks().collect::<Vec<_>>(), ["a", "é"]);
        assert_eq!((request.take, request.ending), (None, Some(Ending::ToolUse)));
        assert_eq!(request.read(br#"{"chunks":[]}"#).ok(), Some("null"));
        assert_eq!(request.chunks().collect::<String>(), "");
    }

    #[test]
    fn a_schema_is_kept_as_it_was_written() {
        let mut request = Request::default();
        for (schema, kept) in [
            (r#"{"maximum" : 1.50, "maximum": 2}"#, Some(r#"{"maximum" : 1.50, "maximum": 2}"#)),
            ("true", Some("true")),
            (" null ", None),
            ("[", None),
            ("7", Some("7")),
        ] {
            let _ = request.read(format!(r#"{{"text":"","schema": {schema}}}"#).as_bytes());
            let wanted = kept.map_or(Wanted::Default, Wanted::Schema);
            assert_eq!(request.wanted().ok(), Some(wanted), "{schema}");
        }
        assert!(request.read(br#"{"text":""}"#).is_ok());
        assert_eq!(request.wanted().ok(), Some(Wanted::Default), "that of the line before is gone");
        request.shrink(0);
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(request.read(format!(r#"{{"schema":{deep},"text":"a"}}"#).as_bytes()).is_ok());
        assert_eq!(request.wanted().ok(), Some(Wanted::Schema(&deep)));
    }

    #[test]
    fn tools_are_kept_as_they_were_written() {
        let mut request = Request::default();
        for (members, wanted) in [
            (r#""tools": ["f" ]"#, Ok(Wanted::Calls(r#"["f" ]"#))),
            (r#""tools": [7], "payload": "text", "tool": null"#, Ok(Wanted::Calls("[7]"))),
            (r#""tools": null, "schema": {}"#, Ok(Wanted::Schema("{}"))),
            (r#""tools": null, "payload": null"#, Ok(Wanted::Default)),
            (r#""payload": "text""#, Ok(Wanted::Default)),
            (r#""payload": "arguments", "tool": "f""#, Ok(Wanted::Arguments("f", None))),
            (r#""payload": "arguments", "tool": "f", "tools": []"#, Ok(Wanted::Arguments("f", Some("[]")))),
            (r#""payload": "arguments""#, Err("no `tool`")),
            (r#""tools": ["f"], "schema": true"#, Err("both `tools` and `schema`")),
            (r#""payload": "arguments", "tool": "f", "schema": true"#, Err("`schema` beside arguments")),
            (r#""tools": ["f"], "tool": "f""#, Err("`payload` does not say it")),
        ] {
            assert!(request.read(format!(r#"{{"text":"",{members}}}"#).as_bytes()).is_ok(), "{members}");
            match (request.wanted(), wanted) {
                (Ok(found), Ok(wanted)) => assert_eq!(found, wanted, "{members}"),
                (Err(error), Err(why)) => assert!(error.why.contains(why), "{members}: {}", error.why),
                (found, _) => panic!("{members}: {found:?}"),
            }
        }
        assert!(request.read(br#"{"text":""}"#).is_ok());
        assert_eq!(request.wanted().ok(), Some(Wanted::Default), "those of the line before are gone");
    }

    #[test]
    fn a_spec_stands_alone() {
        let mut request = Request::default();
        for (members, wanted) in [
            (r#""spec": {"targets" : []}"#, Ok(Wanted::Signals(r#"{"targets" : []}"#))),
            (r#""spec": 7, "schema": null, "tools": null, "payload": null, "tool": null"#, Ok(Wanted::Signals("7"))),
            (r#""spec": null, "schema": {}"#, Ok(Wanted::Schema("{}"))),
            (r#""spec": null"#, Ok(Wanted::Default)),
            (r#""spec": {}, "schema": true"#, Err("both `spec` and `schema`")),
            (r#""tools": [], "spec": {}"#, Err("both `spec` and `tools`")),
            (r#""spec": {}, "payload": "text""#, Err("both `spec` and `payload`")),
            (r#""spec": {}, "tool": "f""#, Err("both `spec` and `tool`")),
        ] {
            assert!(request.read(format!(r#"{{"text":"",{members}}}"#).as_bytes()).is_ok(), "{members}");
            assert_eq!(request.wanted().map_err(|error| error.why), wanted.map_err(str::to_owned), "{members}");
        }
        assert!(request.read(br#"{"text":"","spec":{}}"#).is_ok() && request.read(br#"{"text":""}"#).is_ok());
        assert_eq!(request.wanted().ok(), Some(Wanted::Default), "that of the line before is gone");
    }

    #[test]
    fn what_is_no_request_says_why() {
        for (line, why) in [
            (&b"7"[..], "expected a request object"),
            (br#"["a","text"]"#, "expected a request object"),
            (b"{\"text\":\"\xff\"}", "not UTF-8"),
            (br#"{"text":"\ud800"}"#, "hex escape"),
            (br#"{"text":"\ud800x"}"#, "hex escape"),
            (br#"{"text":"a","chunks":[]}"#, "both"),
            (br#"{"text":null}"#, "neither"),
            (br#"{"text":"a","text":"b"}"#, "duplicate field `text`"),
            (br#"{"text":"a","schema":{},"schema":{}}"#, "duplicate field `schema`"),
            (br#"{"text":"a","tools":[],"tools":[]}"#, "duplicate field `tools`"),
            (br#"{"text":"a","spec":{},"spec":{}}"#, "duplicate field `spec`"),
            (br#"{"text":"a","payload":"call"}"#, "expected one of text, arguments"),
            (br#"{"text":"a","tool":5}"#, "expected a string"),
            (br#"{"text":5}"#, "expected a string"),
            (br#"{"chunks":["a",5]}"#, "expected a string"),
            (br#"{"chunks":"a"}"#, "expected an array of strings"),
            (br#"{"text":"a","root":"map"}"#, "expected one of object, array, any, value"),
            (br#"{"text":"a"} {}"#, "trailing characters"),
            (br#"{"text":"a""#, "EOF"),
        ] {
            let told = Request::default().read(line).map_err(|error| error.why);
            assert!(told.as_ref().is_err_and(|told| told.contains(why)), "{told:?} says {why}");
        }
    }

    #[test]
    fn a_long_message_keeps_what_was_expected() {
        let line = format!(r#"{{"chunks":"{}"}}"#, "é".repeat(10_000));
        let told = Request::default().read(line.as_bytes()).map_err(|error| error.why);
        let told = told.expect_err("a string is no array");
        assert!(told.starts_with("invalid type: string") && told.ends_with("expected an array of strings"), "{told}");
        assert_eq!(told.chars().count(), 161);
    }

    #[test]
    fn an_id_is_read_as_far_as_it_can_be() {
        for (line, id) in [
            (&br#"{"id": {"a" :[1.0]} ,"text":5}"#[..], Some(r#"{"a" :[1.0]}"#)),
            (br#"{"text":5,"id":"b"}"#, Some("\"b\"")),
            (b"{\"text\":\"\xff\",\"id\":\"b\"}", Some("\"b\"")),
            (br#"{"id":"c","text":"#, Some("\"c\"")),
            (br#"{"id":"c"} x"#, Some("\"c\"")),
            (br#"{"id":1,"id":2,"text":"a"}"#, None),
            (br#"{"id":"c"#, None),
            (br#"[{"id":1}]"#, None),
            (b"", None),
        ] {
            assert_eq!(readable_id(line), id);
        }
    }

    #[test]
    fn depth_is_no_recursion() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let line = format!(r#"{{"x":{deep},"id":{deep},"text":"a"}}"#);
        assert_eq!(Request::default().read(line.as_bytes()).ok(), Some(deep.as_str()));
    }
}
