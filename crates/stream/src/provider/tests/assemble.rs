//! A session made of the plain rules beside [`Said`], for tests: slow, without limits, and sure that its input is benign.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::std;
use crate::body::{Body, Framing};
use crate::event::Item;
use crate::facts::Facts;
use crate::provider::plain::{Members, facts_of};
use crate::provider::{Dialect, Provider, UNKNOWN, base64, detect, error_in, error_of, error_of_message};
use crate::said::{Args, Call, FinishClass, LaneKind, Said, Written};

/// What a body came to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Told {
    pub(super) lanes: Vec<Lane>,
    pub(super) finish: BTreeMap<u32, (String, FinishClass)>,
    pub(super) usage: Option<Map<String, Value>>,
    pub(super) error: Option<Value>,
    pub(super) terminal: Option<String>,
    /// Everything that was said, event by event.
    pub(super) said: Vec<String>,
}

/// A lane. The text of a call may be held back, as [`Args`] says.
#[derive(Debug, PartialEq)]
pub(super) struct Lane {
    pub(super) choice: u32,
    pub(super) kind: LaneKind,
    pub(super) number: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    index: Option<u64>,
    item: Option<String>,
    is_hosted: bool,
    /// As it is written in strings; undone at the end, since a surrogate pair may be split.
    escaped: String,
    json: String,
    placeholder: Option<String>,
    patched: Option<Value>,
}

impl Lane {
    fn new(choice: u32, kind: LaneKind) -> Self {
        let (number, id, name, index, item) = (None, None, None, None, None);
        let (escaped, json, placeholder, patched) = (String::new(), String::new(), None, None);
        Self { choice, kind, number, id, name, index, item, is_hosted: false, escaped, json, placeholder, patched }
    }

    pub(super) fn text(&self) -> String {
        match &self.patched {
            Some(value) => value.to_string(),
            None => unescaped(&self.escaped) + &self.json,
        }
    }

    fn settle(&mut self, is_finish: bool) {
        let Some(placeholder) = &self.placeholder else { return };
        let is_empty = serde_json::from_str(placeholder).is_ok_and(|value: Map<_, _>| value.is_empty());
        if self.text().is_empty() && (is_finish || !is_empty) {
            self.json = placeholder.clone();
        }
    }

    fn push(&mut self, args: Args<'_>) {
        match args {
            Args::Nothing => {}
            Args::Text(text) => self.escaped += utf8(text.0),
            Args::Json(json) => self.json += utf8(json),
            Args::Placeholder(json) => self.placeholder = Some(utf8(json).to_string()),
            Args::Repeat(text) if self.text().is_empty() => self.escaped += utf8(text.0),
            Args::Repeat(_) => {}
            Args::Patch { path, value, is_string, .. } => self.patch(utf8(path.0), utf8(value), is_string),
        }
    }

    /// Members of the root are enough here.
    fn patch(&mut self, path: &str, value: &str, is_string: bool) {
        let root = self.patched.get_or_insert_with(|| Value::Object(Map::new()));
        let slot = &mut root[path.strip_prefix("$.").expect("a member of the root")];
        match (slot.as_str(), is_string) {
            (front, true) => *slot = (front.unwrap_or_default().to_string() + &unescaped(value)).into(),
            (_, false) => *slot = serde_json::from_str(value).expect("JSON"),
        }
    }
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn unescaped(escaped: &str) -> String {
    serde_json::from_str(&format!("\"{escaped}\"")).expect("a string")
}

impl Told {
    pub(super) fn tell(&mut self, said: Said<'_>, dialect: &Dialect) {
        self.said.push(show(&said));
        match said {
            Said::Text { choice, kind, text } => {
                let known = self.lanes.iter().position(|lane| lane.choice == choice && lane.kind == kind);
                let at = known.unwrap_or_else(|| self.open(choice, kind));
                self.lanes[at].escaped += utf8(text.0);
            }
            Said::Tool { choice, call, args } => {
                let at = self.lane_of(choice, &call);
                self.lanes[at].push(args);
            }
            Said::BlockEnd { choice, block } => {
                let mut lanes = self.lanes.iter_mut().rev().filter(|lane| lane.choice == choice);
                if let Some(lane) = lanes.find(|lane| lane.index == Some(block)) {
                    lane.settle(false);
                }
            }
            Said::Finish { choice, raw, class } => self.end(choice, utf8(raw.0), class, dialect),
            Said::Usage(json) => {
                let usage: Map<_, _> = serde_json::from_slice(json).expect("an object");
                self.usage.get_or_insert_default().extend(usage);
            }
            Said::UsageMember(member, json) => {
                let count = serde_json::from_slice(json).expect("a number");
                self.usage.get_or_insert_default().insert(member.to_string(), count);
            }
            Said::Error(json) => self.fail(&error_of(b"", json)),
            Said::ErrorMessage(message) => self.fail(&error_of_message(message)),
            Said::Terminal(terminal) => self.terminal = Some(terminal.to_string()),
            Said::Inner(_) => {}
        }
    }

    fn fail(&mut self, error: &str) {
        self.error.get_or_insert_with(|| serde_json::from_str(error).expect("JSON"));
    }

    fn end(&mut self, choice: u32, raw: &str, class: FinishClass, dialect: &Dialect) {
        let mut calls = self.lanes.iter_mut().filter(|lane| lane.choice == choice && lane.kind == LaneKind::ToolArgs);
        if matches!(class, FinishClass::Stop | FinishClass::Tool) {
            calls.by_ref().for_each(|lane| lane.settle(true));
        }
        let is_call = |lane: &Lane| lane.choice == choice && lane.kind == LaneKind::ToolArgs && !lane.is_hosted;
        let is_raised = class == FinishClass::Stop && !dialect.says_tools && self.lanes.iter().any(is_call);
        let class = if is_raised { FinishClass::Tool } else { class };
        self.finish.insert(choice, (raw.to_string(), class));
    }

    fn open(&mut self, choice: u32, kind: LaneKind) -> usize {
        self.lanes.push(Lane::new(choice, kind));
        self.lanes.len() - 1
    }

    fn lane_of(&mut self, choice: u32, call: &Call<'_>) -> usize {
        let string = |written: Option<Written<'_>>| written.map(|written| unescaped(utf8(written.0)));
        let (id, item) = (string(call.id), string(call.item));
        let find = |is_it: &dyn Fn(&Lane) -> bool| {
            let is_call = |lane: &Lane| lane.choice == choice && lane.kind == LaneKind::ToolArgs;
            self.lanes.iter().rposition(|lane| is_call(lane) && is_it(lane))
        };
        let by_item = || item.as_ref().and_then(|item| find(&|lane| lane.item.as_ref() == Some(item)));
        let known = match (&id, call.index) {
            (Some(id), _) => find(&|lane| lane.id.as_ref() == Some(id)),
            (None, _) if by_item().is_some() => by_item(),
            (None, _) if call.is_new => None,
            (None, Some(index)) => find(&|lane| lane.index == Some(index)),
            (None, None) => find(&|_| true),
        };
        let at = known.unwrap_or_else(|| {
            let calls = self.lanes.iter().filter(|lane| lane.choice == choice && lane.number.is_some());
            let taken: Vec<_> = calls.filter_map(|lane| lane.number).collect();
            let own = call.index.filter(|index| !taken.contains(index));
            let free = (taken.len() as u64..).find(|number| !taken.contains(number));
            let at = self.open(choice, LaneKind::ToolArgs);
            self.lanes[at].number = own.or(free);
            at
        });
        let lane = &mut self.lanes[at];
        lane.id = lane.id.take().or(id);
        lane.item = lane.item.take().or(item);
        lane.index = lane.index.or(call.index);
        lane.name = lane.name.take().or_else(|| string(call.name));
        lane.is_hosted |= call.is_hosted;
        at
    }
}

/// What is said, in words; members of objects sorted.
pub(super) fn show(said: &Said<'_>) -> String {
    let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON").to_string();
    match *said {
        Said::Text { choice, kind, text } => format!("{choice} {} `{}`", kind.as_str(), utf8(text.0)),
        Said::Tool { choice, call, args } => {
            let mut words = format!("{choice} call");
            for (word, part) in [("id", call.id), ("item", call.item), ("name", call.name)] {
                words += &part.map_or(String::new(), |part| format!(" {word}={}", utf8(part.0)));
            }
            words += &call.index.map_or(String::new(), |index| format!(" index={index}"));
            for (word, is_so) in [("new", call.is_new), ("hosted", call.is_hosted), ("free", call.is_free)] {
                words += &if is_so { format!(" {word}") } else { String::new() };
            }
            words
                + &match args {
                    Args::Nothing => String::new(),
                    Args::Text(text) => format!(" `{}`", utf8(text.0)),
                    Args::Json(value) => format!(" json {}", json(value)),
                    Args::Placeholder(value) => format!(" placeholder {}", json(value)),
                    Args::Repeat(text) => format!(" repeat `{}`", utf8(text.0)),
                    Args::Patch { path, value, is_string, goes_on } => {
                        let (quote, more) = (if is_string { "`" } else { "" }, if goes_on { " ..." } else { "" });
                        format!(" patch {} {quote}{}{quote}{more}", utf8(path.0), utf8(value))
                    }
                }
        }
        Said::BlockEnd { choice, block } => format!("{choice} end of block {block}"),
        Said::Finish { choice, raw, class } => format!("{choice} finish {} {}", utf8(raw.0), class.as_str()),
        Said::Usage(usage) => format!("usage {}", json(usage)),
        Said::UsageMember(member, count) => format!("usage {member} {}", utf8(count)),
        Said::Error(error) => format!("error {}", json(error)),
        Said::ErrorMessage(message) => format!("error `{}`", utf8(message.0)),
        Said::Terminal(terminal) => format!("terminal {terminal}"),
        Said::Inner(_) => "inner".to_string(),
    }
}

/// The same JSON text with the members of all its objects in the opposite order.
pub(super) fn turned(text: &str) -> String {
    match text.as_bytes().first() {
        Some(b'{') => {
            let Members(mut members) = serde_json::from_str(text).expect("an object");
            members.reverse();
            let member = |(key, value): (Cow<'_, str>, &RawValue)| {
                [serde_json::to_string(&key).expect("a string"), turned(value.get())].join(":")
            };
            let members: Vec<_> = members.into_iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).expect("an array");
            let elements: Vec<_> = elements.into_iter().map(|value| turned(value.get())).collect();
            format!("[{}]", elements.join(","))
        }
        _ => text.to_string(),
    }
}

/// Reads bodies.
#[derive(Default)]
pub(super) struct Session {
    pub(super) told: Told,
    pub(super) provider: Option<Provider>,
    inner: Option<Provider>,
    is_turned: bool,
}

impl Session {
    pub(super) fn read(body: &[u8], framing: Option<Framing>, is_turned: bool) -> Self {
        let mut session = Self { is_turned, ..Self::default() };
        let (mut decoder, mut chunk) = (Body::new(framing), body);
        while let Some(item) = decoder.next_item(&mut chunk).expect("no limit is met") {
            session.item(item);
        }
        let framing = decoder.framing();
        let eof = decoder.finish().expect("no limit is met");
        if let Some(item) = eof.whole_item() {
            session.item(item);
        }
        if let Some(error) = eof.diagnosis().and_then(|diagnosis| error_in(diagnosis.quotation())) {
            session.told.fail(&error);
        }
        if framing == Some(Framing::JsonArray) && eof.is_clean() {
            session.told.terminal = Some("]".to_string());
        }
        session
    }

    fn item(&mut self, item: Item<'_>) {
        match item {
            Item::Event(event) => self.event(event.name, event.data, false),
            Item::Error(error) => self.told.fail(&error_of(error.name, error.value)),
        }
    }

    fn event(&mut self, name: &[u8], data: &[u8], is_inner: bool) {
        let is_json = |line: &[u8]| line == b"[DONE]" || serde_json::from_slice::<&RawValue>(line).is_ok();
        if data == b"[DONE]" {
            self.told.terminal = Some("[DONE]".to_string());
        } else if is_json(data) {
            let turned = if self.is_turned { turned(utf8(data)) } else { utf8(data).to_string() };
            self.json(name, turned.as_bytes(), is_inner);
        } else if data.split(|&byte| byte == b'\n').all(is_json) {
            data.split(|&byte| byte == b'\n').for_each(|line| self.event(name, line, is_inner));
        }
    }

    fn json(&mut self, name: &[u8], data: &[u8], is_inner: bool) {
        let provider = if is_inner { &mut self.inner } else { &mut self.provider };
        *provider = provider.or_else(|| detect(name, data));
        let dialect = provider.map_or(&UNKNOWN, Provider::dialect);
        let facts: Facts<'_> = facts_of(dialect.paths, data).expect("JSON");
        let mut inner = Vec::new();
        self.told.said.push("--".to_string());
        (dialect.read)(name, data, &facts, &mut |said| {
            if let Said::Inner(text) = said {
                assert!(base64(text.0, &mut inner), "base64");
            }
            self.told.tell(said, dialect);
        });
        if !inner.is_empty() {
            self.event(b"", &inner, true);
        }
    }
}
