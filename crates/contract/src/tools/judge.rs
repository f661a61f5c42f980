//! Names and arguments held against what was offered.
//!
//! What comes out as a [`Call`] may be run: its name was offered, its arguments are an object that the model wrote to its end, and the
//! tool's schema allows it. Everything else is refused, with what is known of it.

use serde_json::Value;
use thusfar_core::{Code, Document, Ending, Event, Expect, Flow, Reply, Root, Sink, Span, Take, read};

use super::body::{Body, Read};
use super::call::{CallCode, RefusedCall, ToolCall};
use super::dialect::Dialect;
use super::heard::{Ear, Heard};
use super::input::{Arguments, Finding, Found, Input, Written, Wrong};
use super::{Tool, Tools, xml};
use crate::contract::Check;
use crate::violation::Violation;

/// Arguments with what the schema says of them.
struct Judged {
    arguments: Document,
    check: Check,
}

/// Where the parts of the arguments stand in the reply.
pub(super) enum Standing {
    /// They are a piece of it.
    From(usize),
    /// Somewhere inside a string that stands here.
    Inside(usize),
    /// Each parameter at its own place.
    Fields(Vec<(String, usize)>),
}

impl Standing {
    /// Where in the reply something stands.
    fn of(&self, path: &str, offset: usize) -> usize {
        match self {
            Standing::From(start) => start + offset,
            Standing::Inside(start) => *start,
            Standing::Fields(fields) => {
                let token = path.split('/').nth(1);
                let field = fields.iter().find(|(name, _)| token == Some(name)).or(fields.first());
                field.map_or(0, |(_, at)| *at)
            }
        }
    }
}

/// A call as a dialect has read it.
pub(super) fn written(input: &Input<'_>, dialect: Dialect, written: Written) -> Finding {
    let Written { name, id, arguments, span } = written;
    let arguments_at = match &arguments {
        Arguments::Json(span) => Some(span.start),
        _ => None,
    };
    let heard = arguments_at.and_then(|at| input.heard.iter().find(|heard| heard.start == at && heard.tool == name));
    let found = match judged(input.tools, input.text, &name, &arguments, span, heard.cloned()) {
        Ok(Judged { arguments, check }) => {
            Found::Call(ToolCall { name, arguments, id, dialect, span, arguments_at, check })
        }
        Err(wrong) => {
            let ending = input.end.unwrap_or(Ending::Unknown);
            Found::Refused(wrong.of(&name).refused(dialect, span, input.at, ending))
        }
    };
    Finding { found, is_bare: false, is_alone: false, is_joined: false }
}

fn judged(
    tools: &Tools,
    text: &str,
    name: &str,
    arguments: &Arguments,
    span: Span,
    heard: Option<Heard>,
) -> Result<Judged, Box<Wrong>> {
    let Some(tool) = tools.get(name) else {
        let whole = match arguments {
            Arguments::Json(span) => read(&text[span.range()], Expect::object().take(Take::Alone)).ok(),
            Arguments::Built(json, _) => read(json, Expect::object().take(Take::Alone)).ok(),
            _ => None,
        };
        return Err(Box::new(Wrong { arguments: whole, ..Wrong::new(CallCode::UnknownTool, span.start) }));
    };
    let (arguments, standing) = match arguments {
        Arguments::Missing => return none(tool, span.start),
        Arguments::Json(span) => (object(&text[span.range()], span.start)?, Standing::From(span.start)),
        Arguments::Inside(inner, span) if inner.trim().is_empty() => return none(tool, span.start),
        Arguments::Inside(inner, span) | Arguments::Built(inner, span) => {
            let document = object(inner, 0).map_err(|wrong| Box::new(Wrong { offset: span.start, ..*wrong }))?;
            (document, Standing::Inside(span.start))
        }
        Arguments::Fields(fields) if fields.is_empty() => return none(tool, span.start),
        Arguments::Fields(fields) => xml::object(tool, text, fields)?,
    };
    check(tool, arguments, &standing, heard)
}

/// No arguments.
fn none(tool: &Tool, at: usize) -> Result<Judged, Box<Wrong>> {
    match read("{}", Expect::object()) {
        Ok(arguments) if tool.needs_none => Ok(Judged { arguments, check: Check::default() }),
        _ => Err(Box::new(Wrong::new(CallCode::MissingArguments, at))),
    }
}

/// A JSON text that must be an object.
fn object(text: &str, start: usize) -> Result<Document, Box<Wrong>> {
    if !text.trim_start().starts_with('{') {
        return Err(Box::new(Wrong::new(CallCode::ArgumentsNotObject, start)));
    }
    read(text, Expect::object().take(Take::Alone)).map_err(|failure| Box::new(Wrong::of_json(&failure, start)))
}

/// What the tool's schema says; `heard`: what it had said while they came.
fn check(tool: &Tool, arguments: Document, standing: &Standing, heard: Option<Heard>) -> Result<Judged, Box<Wrong>> {
    let Some(contract) = &tool.contract else { return Ok(Judged { arguments, check: Check::default() }) };
    if arguments.deserialize::<Value>().is_ok_and(|value| value == *contract.schema()) {
        let wrong = Wrong::new(CallCode::DeclarationEchoed, standing.of("", 0));
        return Err(Box::new(Wrong { arguments: Some(arguments), ..wrong }));
    }
    let mut check = contract.check(&arguments);
    if check.is_valid() {
        return Ok(Judged { arguments, check });
    }
    for violation in &mut check.violations {
        violation.start = standing.of(&violation.path, violation.start);
        violation.offset = standing.of(&violation.path, violation.offset);
    }
    let decided_at = heard.as_ref().map(|heard| heard.decided_at);
    if let Some(Heard { violation, .. }) = heard {
        told_first(&mut check.violations, violation);
    }
    let (code, offset, path) = match check.violations().first() {
        Some(first) => (CallCode::Schema, first.start(), first.path().to_owned()),
        None => (CallCode::Unchecked, standing.of("", 0), String::new()),
    };
    Err(Box::new(Wrong { arguments: Some(arguments), check, decided_at, ..Wrong::new(code, offset).at(path) }))
}

/// Takes what was told while the arguments came into the list of what they break, which stays in the order of the document.
fn told_first(violations: &mut Vec<Violation>, first: Violation) {
    let is_same = |it: &Violation| (&*it.path, it.keyword) == (&*first.path, first.keyword);
    if let Some(same) = violations.iter_mut().find(|it| is_same(it)) {
        // The sentence of the check knows the whole document.
        (same.offset, same.timing) = (first.offset, first.timing);
        return;
    }
    let at = violations.partition_point(|it| it.start <= first.start);
    violations.insert(at, first);
}

/// What whole arguments break, as it would have been told while they came.
fn heard(tools: &Tools, name: &str, arguments: &Document) -> Option<Heard> {
    let span = arguments.span();
    let mut body = Body::heard_by(span.start, Ear::named(tools, name));
    let _ = body.read(&arguments.raw()[..span.end], Some(Ending::Stop));
    body.heard().next()
}

/// The documents of a text.
#[derive(Default)]
struct Documents(Vec<Span>);

/// More documents than one are too many.
const TOLD: usize = 8;

impl Sink for Documents {
    const BYTES: bool = false;

    fn event(&mut self, event: Event) -> Flow {
        if let Event::Document { span, .. } = event {
            if self.0.len() < TOLD {
                self.0.push(span);
            }
        }
        Flow::Continue
    }
}

/// The text of a native call's arguments.
pub(super) fn native(tools: &Tools, name: &str, text: &str, ending: Ending) -> Result<ToolCall, Box<RefusedCall>> {
    let whole = Span::new(0, text.len());
    let refuse = |wrong: Wrong, at| Box::new(wrong.of(name).refused(Dialect::Native, whole, at, ending));
    let call = |judged: Judged| ToolCall {
        name: name.to_owned(),
        arguments: judged.arguments,
        id: None,
        dialect: Dialect::Native,
        span: whole,
        arguments_at: Some(0),
        check: judged.check,
    };
    let Some(tool) = tools.get(name) else { return Err(refuse(Wrong::new(CallCode::UnknownTool, 0), 0)) };
    if text.trim_matches([' ', '\t', '\n', '\r']).is_empty() {
        let judged = match ending {
            Ending::Stop | Ending::ToolUse => none(tool, text.len()),
            _ => Err(Box::new(Wrong::new(nothing(ending), text.len()))),
        };
        return judged.map(call).map_err(|wrong| refuse(*wrong, text.len()));
    }
    let mut reply = Reply::with_sink(Expect::root(Root::Object), Documents::default()).with_capacity(text.len());
    let _ = reply.push(text);
    let found = side_by_side(text).unwrap_or_else(|| reply.sink().0.clone());
    match reply.finish(ending) {
        _ if found.len() > 1 => {
            let second = found[1];
            let wrong = Wrong { candidates: texts(text, &found), ..Wrong::new(CallCode::TwoArguments, second.start) };
            Err(refuse(wrong, second.end))
        }
        Ok(document) => {
            let heard = heard(tools, name, &document);
            let judged = check(tool, document, &Standing::From(0), heard);
            judged.map(call).map_err(|wrong| refuse(*wrong, text.len()))
        }
        Err(failure) => {
            let mut wrong = Wrong::of_json(&failure, 0);
            if failure.code() == Code::WrongRoot {
                wrong.code = CallCode::ArgumentsNotObject;
            }
            Err(refuse(wrong, failure.decided_at()))
        }
    }
}

/// The values of a text that is several whole values and nothing else: one call with two sets of arguments, or two calls.
fn side_by_side(text: &str) -> Option<Vec<Span>> {
    let mut spans = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\t', '\n', '\r']).len();
        if at == text.len() {
            return (spans.len() > 1).then_some(spans);
        }
        if !text[at..].starts_with('{') {
            return None;
        }
        let Read::Closed(_, end) = Body::new(at).read(text, Some(Ending::Unknown)) else { return None };
        if spans.len() < TOLD {
            spans.push(Span::new(at, end));
        }
        at = end;
    }
}

/// Documents as texts of their own.
fn texts(text: &str, spans: &[Span]) -> Vec<String> {
    let one = |span: &Span| read(&text[span.range()], Expect::any()).ok().map(|document| document.text().to_owned());
    spans.iter().filter_map(one).collect()
}

/// Arguments that a session has read.
pub(super) fn document(tools: &Tools, name: &str, arguments: Document) -> Result<ToolCall, Box<RefusedCall>> {
    let span = arguments.span();
    let refuse = |wrong: Wrong| Box::new(wrong.of(name).refused(Dialect::Native, span, span.end, Ending::Unknown));
    let Some(tool) = tools.get(name) else {
        let wrong = Wrong::new(CallCode::UnknownTool, span.start);
        return Err(refuse(Wrong { arguments: Some(arguments), ..wrong }));
    };
    if !arguments.text().starts_with('{') {
        return Err(refuse(Wrong::new(CallCode::ArgumentsNotObject, span.start)));
    }
    let heard = heard(tools, name, &arguments);
    let judged = check(tool, arguments, &Standing::From(0), heard).map_err(|wrong| refuse(*wrong))?;
    let Judged { arguments, check } = judged;
    Ok(ToolCall {
        name: name.to_owned(),
        arguments,
        id: None,
        dialect: Dialect::Native,
        span,
        arguments_at: Some(0),
        check,
    })
}

/// What a reply is called in which nothing was found.
pub(super) const fn nothing(ending: Ending) -> CallCode {
    match ending {
        Ending::Stop | Ending::ToolUse | Ending::Filtered | Ending::Unknown => CallCode::NoCall,
        _ => CallCode::NothingYet,
    }
}

/// A parameter's name as a token of a JSON pointer.
pub(super) fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
