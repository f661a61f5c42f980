//! JSON that means a call: which members name the tool, which hold the arguments.
//!
//! # Theory
//!
//! A call is an object with a name and arguments, under one of the keys that models use, and nothing else but a few members that say
//! nothing about the call. An object with any other member is data. One level of wrapping is known: a list of calls, a member that
//! says that its value is a call, OpenAI's `function`.

use serde_json::{Map, Value};
use thusfar_core::{Document, Expect, Repair, Span, Take, read};

use super::Tools;
use super::call::CallCode;
use super::input::{Arguments, Written, Wrong};
use crate::places::{Places, Reread};

/// Members that name the tool.
pub(super) const NAMES: [&str; 6] = ["name", "tool", "tool_name", "toolname", "function", "action"];
/// Those of them that mean nothing else.
const PLAIN_NAMES: [&str; 3] = ["tool", "tool_name", "toolname"];
/// Members that hold the arguments.
pub(super) const ARGUMENTS: [&str; 7] =
    ["arguments", "args", "parameters", "params", "input", "action_input", "tool_input"];
/// Members whose value is a call, or a list of calls.
const WRAPPERS: [&str; 4] = ["tool_calls", "tool_call", "function_call", "function_calls"];
/// Members that give the call an identifier.
const IDENTIFIERS: [&str; 3] = ["id", "call_id", "tool_call_id"];
/// Members beside a call that change nothing about it.
const BESIDE: [&str; 9] =
    ["type", "index", "role", "content", "refusal", "thought", "thoughts", "reasoning", "explanation"];
/// What `type` says of a call; anything else says that it is something else: a result, a declaration.
const TYPES: [&str; 6] = ["function", "function_call", "tool_call", "tool_use", "tool", "call"];
/// Whose message a call is; of another role it is what a tool answered.
const CALLER: &str = "assistant";
/// Members of the declaration of a tool.
const DECLARES: [&str; 5] = ["description", "strict", "input_schema", "inputSchema", "required"];

/// What the key of an outermost member says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// It names the tool.
    Name,
    /// It holds the arguments, or calls.
    Inside,
    /// It changes nothing.
    Beside,
    /// It is the name of a tool that was offered.
    Tool,
    /// It is data.
    Data,
}

impl Key {
    pub(super) fn of(key: &str, tools: &Tools) -> Self {
        match key {
            _ if NAMES.contains(&key) => Key::Name,
            _ if ARGUMENTS.contains(&key) || WRAPPERS.contains(&key) => Key::Inside,
            _ if IDENTIFIERS.contains(&key) || BESIDE.contains(&key) => Key::Beside,
            _ if tools.get(key).is_some() => Key::Tool,
            _ => Key::Data,
        }
    }
}

/// What a JSON value means.
pub(super) enum Shape {
    /// Data.
    Data,
    /// Calls.
    Calls(Calls),
}

/// The calls of a JSON value.
pub(super) struct Calls {
    pub(super) all: Vec<Shaped>,
    pub(super) form: Form,
    /// Repairs outside their arguments, with their places in the reply.
    pub(super) repairs: Vec<Repair>,
}

/// How calls are written in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A name beside arguments.
    Plain,
    /// The same, with `parameters`: as Llama was taught.
    Parameters,
    /// A list under `tool_calls`, or calls with `function`.
    OpenAi,
    /// The name as the only key.
    Key,
}

/// One call of a JSON value.
pub(super) struct Shaped {
    pub(super) call: Result<Written, Box<Wrong>>,
    pub(super) span: Span,
    /// It has a name and nothing else: it may be data.
    pub(super) is_alone: bool,
}

/// What of the arguments a JSON pointer into a call is about; empty where it is about something else.
pub(super) fn path_inside(path: &str, tools: &Tools) -> String {
    let mut rest = path;
    while let Some(behind) = rest.strip_prefix('/') {
        let (token, inner) = behind.find('/').map_or((behind, ""), |at| behind.split_at(at));
        let is_around =
            token == "function" || WRAPPERS.contains(&token) || token.bytes().all(|byte| byte.is_ascii_digit());
        if ARGUMENTS.contains(&token) || (rest.len() == path.len() && !is_around && tools.get(token).is_some()) {
            return inner.to_owned();
        }
        if !is_around {
            break;
        }
        rest = inner;
    }
    String::new()
}

/// What a document means that was read from an offset of the reply.
pub(super) fn of(document: &Document, start: usize, tools: &Tools) -> Shape {
    let Ok(value) = document.deserialize::<Value>() else { return Shape::Data };
    let Some((meant, form)) = root(&value, tools) else { return Shape::Data };
    let reread = Reread::new(document);
    let wanted = meant.iter().flat_map(|meant| meant.values());
    let places = reread.places(&value, wanted);
    let place = Place { places: &places, raw: document.raw(), start };
    let all: Vec<_> = meant.iter().map(|meant| meant.shaped(&place, tools)).collect();
    let mut inner: Vec<_> =
        meant.iter().flat_map(|meant| meant.arguments.iter().map(|value| place.of(value))).collect();
    let moved = |repair: &Repair| {
        let mut moved = repair.clone();
        moved.span = Span::new(start + repair.span.start, start + repair.span.end);
        moved
    };
    inner.sort_by_key(|span| span.start);
    // Both stand in the order of the reply.
    let is_outside = |repair: &Repair| {
        let at = inner.partition_point(|span| span.end <= repair.span.start);
        inner.get(at).is_none_or(|span| repair.span.start < span.start)
    };
    let repairs = document.repairs().iter().map(moved).filter(is_outside).collect();
    Shape::Calls(Calls { all, form, repairs })
}

/// A call in a value, its parts not judged.
struct Meant<'v> {
    whole: &'v Value,
    names: Vec<&'v str>,
    /// Arguments that differ.
    arguments: Vec<&'v Value>,
    id: Option<&'v str>,
    is_alone: bool,
    /// It has members that no call has: it may be the record of one.
    has_others: bool,
}

struct Place<'p> {
    places: &'p Places<'p>,
    /// The text that they are places of.
    raw: &'p str,
    start: usize,
}

impl Place<'_> {
    fn of(&self, value: &Value) -> Span {
        let (_, span) = self.places.of(value);
        Span::new(self.start + span.start, self.start + span.end)
    }
}

fn root<'v>(value: &'v Value, tools: &Tools) -> Option<(Vec<Meant<'v>>, Form)> {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let meant: Option<Vec<_>> = items.iter().map(|item| single(item, tools)).collect();
            let (meant, forms): (Vec<_>, Vec<_>) = meant?.into_iter().unzip();
            Some((meant, forms[0]))
        }
        Value::Object(members) => match wrapped(members) {
            Some(inner @ Value::Array(_)) => root(inner, tools).map(|(meant, _)| (meant, Form::OpenAi)),
            Some(inner) => single(inner, tools).map(|(meant, _)| (vec![meant], Form::OpenAi)),
            None => single(value, tools).map(|(meant, form)| (vec![meant], form)),
        },
        _ => None,
    }
}

/// What stands under the one member that says that its value is a call.
fn wrapped(members: &Map<String, Value>) -> Option<&Value> {
    let mut inner = None;
    for (key, value) in members {
        match key.as_str() {
            key if WRAPPERS.contains(&key) && inner.is_none() && (value.is_object() || value.is_array()) => {
                inner = Some(value);
            }
            key if IDENTIFIERS.contains(&key) || is_beside(key, value) => {}
            _ => return None,
        }
    }
    inner
}

/// Whether a member beside a call changes nothing about it.
fn is_beside(key: &str, value: &Value) -> bool {
    match key {
        "type" => value.as_str().is_some_and(|word| TYPES.contains(&word)),
        "role" => value.as_str() == Some(CALLER),
        _ => BESIDE.contains(&key),
    }
}

/// One call.
fn single<'v>(value: &'v Value, tools: &Tools) -> Option<(Meant<'v>, Form)> {
    let members = value.as_object()?;
    if let Some(function) = members.get("function").filter(|function| function.is_object()) {
        let is_known = |(key, value): (&String, &Value)| {
            key == "function" || IDENTIFIERS.contains(&key.as_str()) || is_beside(key, value)
        };
        let inner = named(function, tools).filter(|_| members.iter().all(is_known))?;
        return Some((Meant { whole: value, id: identifier(members).or(inner.id), ..inner }, Form::OpenAi));
    }
    named(value, tools).map(|meant| (meant, form(members))).or_else(|| by_key(value, tools))
}

fn form(members: &Map<String, Value>) -> Form {
    let is_llama = members.contains_key("name") && members.contains_key("parameters");
    if is_llama { Form::Parameters } else { Form::Plain }
}

/// A name beside arguments.
fn named<'v>(value: &'v Value, tools: &Tools) -> Option<Meant<'v>> {
    let members = value.as_object()?;
    let (names, arguments, id) = (Vec::new(), Vec::new(), identifier(members));
    let mut meant = Meant { whole: value, names, arguments, id, is_alone: false, has_others: false };
    let mut is_plain = false;
    for (key, value) in members {
        match (key.as_str(), value) {
            (key, Value::String(name)) if NAMES.contains(&key) => {
                is_plain |= PLAIN_NAMES.contains(&key);
                if !meant.names.contains(&name.as_str()) {
                    meant.names.push(name);
                }
            }
            (key, value) if ARGUMENTS.contains(&key) => meant.arguments.push(value),
            (key, value) if IDENTIFIERS.contains(&key) || is_beside(key, value) => {}
            (key, _) if DECLARES.contains(&key) => return None,
            _ => meant.has_others = true,
        }
    }
    let is_offered = meant.names.iter().any(|name| tools.get(name).is_some());
    let holds_object = |value: &&Value| value.is_object() || value.as_str().is_some_and(holds_object);
    // Of a name that was not offered, only the shape says that a call was meant.
    let is_call = match &meant.arguments[..] {
        _ if meant.has_others => is_offered && !meant.arguments.is_empty(),
        // A name beside a content is what the tool answered.
        [] => is_offered && members.get("content").is_none_or(Value::is_null),
        values => is_offered || (!meant.names.is_empty() && values.iter().all(holds_object)),
    };
    meant.is_alone = meant.arguments.is_empty() && !is_plain;
    is_call.then_some(meant)
}

fn holds_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.trim_end().ends_with('}')
}

/// The name as the only key.
fn by_key<'v>(value: &'v Value, tools: &Tools) -> Option<(Meant<'v>, Form)> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    let (name, arguments) = members.iter().next()?;
    let is_call = tools.get(name).is_some() && arguments.is_object();
    let (names, arguments) = (vec![name.as_str()], vec![arguments]);
    let meant = Meant { whole: value, names, arguments, id: None, is_alone: false, has_others: false };
    is_call.then_some((meant, Form::Key))
}

/// Whether two JSON texts are the same value, digits and all: as the engine judges two equal keys.
fn is_same(one: &str, other: &str) -> bool {
    one == other || read(&format!("{{\"a\": {one}, \"a\": {other}}}"), Expect::object()).is_ok()
}

/// A JSON text with its repairs made, digits and all.
fn strict(text: &str, value: &Value) -> String {
    let document = read(text, Expect::value().take(Take::Alone));
    document.map_or_else(|_| value.to_string(), |document| document.text().to_owned())
}

fn identifier(members: &Map<String, Value>) -> Option<&str> {
    IDENTIFIERS.iter().find_map(|key| members.get(*key)?.as_str())
}

impl Meant<'_> {
    /// The values whose places are asked for.
    fn values(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(self.whole).chain(self.arguments.iter().copied())
    }

    fn shaped(&self, place: &Place<'_>, tools: &Tools) -> Shaped {
        let span = place.of(self.whole);
        Shaped { call: self.written(place, span, tools), span, is_alone: self.is_alone }
    }

    fn written(&self, place: &Place<'_>, span: Span, tools: &Tools) -> Result<Written, Box<Wrong>> {
        let known = self.names.iter().find(|name| tools.get(name).is_some()).or(self.names.first());
        let name = known.copied().unwrap_or_default();
        if self.names.len() > 1 {
            let candidates = self.names.iter().map(|name| Value::from(*name).to_string()).collect();
            return Err(Box::new(Wrong { candidates, ..Wrong::new(CallCode::TwoNames, span.start) }.of(name)));
        }
        if self.has_others {
            return Err(Box::new(Wrong::new(CallCode::OtherMembers, span.start).of(name)));
        }
        let arguments = match &self.arguments[..] {
            [] => Arguments::Missing,
            [first, others @ ..] => {
                let text = |value: &Value| &place.raw[place.places.of(value).1.range()];
                if let Some(other) = others.iter().find(|other| !is_same(text(first), text(other))) {
                    let candidates = [first, *other].map(|value| strict(text(value), value)).to_vec();
                    let wrong = Wrong::new(CallCode::TwoArguments, place.of(other).start);
                    return Err(Box::new(Wrong { candidates, ..wrong }.of(name)));
                }
                match first {
                    Value::String(text) => Arguments::Inside(text.clone(), place.of(first)),
                    value => Arguments::Json(place.of(value)),
                }
            }
        };
        Ok(Written { name: name.to_owned(), id: self.id.map(str::to_owned), arguments, span })
    }
}
