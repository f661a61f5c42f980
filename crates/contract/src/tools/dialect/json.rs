//! JSON without markup, bare or in a fence: only its shape says that it is a call.
//!
//! A value that turns out to be data is text, handed on as soon as that is certain. A bare call is held until what stands behind it
//! shows that it did not close too early, as the engine does with any document. With `</tool_call>` behind it, it is a call of that
//! dialect whose opening tag is missing.

use thusfar_core::{Document, FailureKind, Span};

use super::super::body::{Body, Outline, Read};
use super::super::call::CallCode;
use super::super::heard::Ear;
use super::super::input::{Finding, Input, Reader, Seen, Step, Wrong, starts};
use super::super::shape::{self, Calls, Form, Key, Shape, Shaped};
use super::super::{Tools, judge};
use super::marked::Held;
use super::{Dialect, hermes};

/// Where it stands.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Stand {
    /// In a fence.
    pub(in super::super) is_fenced: bool,
    /// Inside something that is open or broken.
    pub(in super::super) is_inside: bool,
}

/// A JSON value that may be a call.
pub(in super::super) struct Json {
    stand: Stand,
    state: State,
    /// It has a member that no call has.
    is_data: bool,
}

enum State {
    /// In front of its opener.
    Opener,
    /// In the value.
    Value(Box<Body>),
    /// Behind it, in text that may show that it closed too early.
    Behind(Box<Closed>),
    Over,
}

/// A value that has closed and is a call.
struct Closed {
    calls: Calls,
    held: Held,
}

impl Form {
    pub(in super::super) const fn dialect(self) -> Dialect {
        match self {
            Form::Plain => Dialect::Json,
            Form::Parameters => Dialect::Llama,
            Form::OpenAi => Dialect::OpenAi,
            Form::Key => Dialect::Key,
        }
    }
}

impl Json {
    pub(in super::super) fn new(stand: Stand) -> Self {
        Self { stand, state: State::Opener, is_data: false }
    }

    /// What stands behind the opener: most that begins like a value is prose, and costs no engine.
    fn opener(&mut self, input: &mut Input<'_>) -> Option<Step> {
        input.at = input.at.max(input.start + 1);
        if !input.skip_space() {
            return Some(Step::More);
        }
        let is_array = input.text[input.start..].starts_with('[');
        let may_follow: &[char] = if is_array { &['{', '"', '/', '\\'] } else { &['"', '/', '\\'] };
        if !input.rest().starts_with(may_follow) {
            return Some(Step::Text(input.at));
        }
        self.state = State::Value(Box::new(Body::heard_by(input.start, Ear::inside(input.tools))));
        None
    }

    fn value(&mut self, input: &mut Input<'_>, mut body: Box<Body>) -> Option<Step> {
        let read = input.value(&mut body);
        let start = body.start();
        let outline = body.outline();
        self.is_data = self.is_data || is_data(outline, start, input);
        match read {
            Read::More => {
                self.state = State::Value(body);
                Some(Step::More)
            }
            Read::Closed(document, end) => {
                input.at = end;
                self.closed(input, &document, end)
            }
            Read::Broken(failure) => {
                let at = input.at;
                let is_cut = failure.kind() == FailureKind::Truncated;
                Some(match (is_cut, self.is_data) {
                    (true, true) => Step::Text(at),
                    (true, false) if is_refuted(outline, start, input) => Step::Text(at),
                    (false, _) if !outline.is_promise => Step::Text(at),
                    (false, true) => Step::Debris(at),
                    (false, false) if !is_meant(outline, start, input) => Step::Debris(at),
                    _ => {
                        let name = name(outline, start, input).map(str::to_owned);
                        let wrong = Wrong { name, ..Wrong::of_call(&failure, start, input.tools) };
                        let wrong = input.broken(wrong);
                        input.refuse(Dialect::Json, wrong);
                        self.note_bare(input, 1);
                        if is_cut { Step::Done } else { Step::Broken }
                    }
                })
            }
        }
    }

    fn closed(&mut self, input: &mut Input<'_>, document: &Document, end: usize) -> Option<Step> {
        if self.is_data {
            return Some(Step::Data(end));
        }
        match shape::of(document, input.start, input.tools) {
            Shape::Data => Some(Step::Data(end)),
            Shape::Calls(calls) => {
                let held = Held::new(Span::new(input.start, end));
                self.state = State::Behind(Box::new(Closed { calls, held }));
                None
            }
        }
    }

    /// Looks at what stands behind: text that shows that it closed too early, or the closing tag of a call whose opening tag is missing.
    fn behind(&mut self, input: &mut Input<'_>, mut closed: Box<Closed>) -> Option<Step> {
        if self.stand.is_fenced {
            return Some(self.over(input, *closed, None));
        }
        let Some(settled) = closed.held.settle(input, |rest| starts(rest, hermes::CLOSES)) else {
            self.state = State::Behind(closed);
            return Some(Step::More);
        };
        if let Err(wrong) = settled {
            let path = shape::path_inside(&wrong.path, input.tools);
            input.refuse(closed.calls.form.dialect(), wrong.at(path));
            self.note_bare(input, 1);
            return Some(Step::Broken);
        }
        let tag = (input.literal(hermes::CLOSES) == Seen::Yes).then_some(Dialect::Hermes);
        Some(self.over(input, *closed, tag))
    }

    /// Notes the calls.
    fn over(&mut self, input: &mut Input<'_>, closed: Closed, tag: Option<Dialect>) -> Step {
        let end = closed.held.value().end;
        if tag.is_none() {
            input.at = end;
        }
        let dialect = tag.unwrap_or(closed.calls.form.dialect());
        let from = input.found.len();
        shape_found(input, dialect, closed.calls, self.stand.is_inside);
        // A closing tag whose opening tag is missing stands behind the call, and is no text.
        let span = Span::new(input.start, end);
        if let [one] = &mut input.found[from..] {
            // What is around it is about this one call.
            one.found.widen(span);
        }
        if tag.is_none() {
            let count = input.found.len() - from;
            self.note_bare(input, count);
        }
        Step::Done
    }

    /// The last findings have no markup.
    fn note_bare(&self, input: &mut Input<'_>, count: usize) {
        let from = input.found.len() - count;
        for finding in &mut input.found[from..] {
            finding.is_bare = true;
        }
    }
}

impl Reader for Json {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Over) {
                State::Opener => {
                    self.state = State::Opener;
                    self.opener(input)
                }
                State::Value(body) => self.value(input, body),
                State::Behind(closed) => self.behind(input, closed),
                State::Over => Some(Step::Done),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn is_text(&self) -> bool {
        self.is_data
    }

    fn dialect(&self) -> Dialect {
        Dialect::Json
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        Wrong::new(CallCode::OpenCall, input.text.len())
    }
}

/// Notes what a value means.
pub(in super::super) fn shape_found(input: &mut Input<'_>, dialect: Dialect, calls: Calls, is_inside: bool) {
    input.repairs.extend(calls.repairs);
    for Shaped { call, span, is_alone } in calls.all {
        match call {
            _ if is_inside => input.refuse_span(dialect, span, Wrong::new(CallCode::InsideBroken, span.start)),
            Ok(written) => {
                let finding = judge::written(input, dialect, written);
                input.found.push(Finding { is_alone, ..finding });
            }
            Err(wrong) => input.refuse_span(dialect, span, *wrong),
        }
    }
}

/// Outermost keys that have been seen, with what they say.
fn keys<'a>(outline: &'a Outline, start: usize, input: &'a Input<'_>) -> impl Iterator<Item = (Key, Option<&'a str>)> {
    outline.members.iter().filter(|member| !member.is_escaped).map(move |member| {
        let text = |span: Span| &input.text[start + span.start..start + span.end];
        (Key::of(text(member.key), input.tools), member.text.map(text))
    })
}

/// Whether a member has been seen that no call has, and no name of a tool in front of it.
fn is_data(outline: &Outline, start: usize, input: &Input<'_>) -> bool {
    let first = keys(outline, start, input).find(|(key, text)| match key {
        Key::Data => true,
        Key::Name => text.is_some_and(|name| input.tools.get(name).is_some()),
        _ => false,
    });
    first.is_some_and(|(key, _)| key == Key::Data)
}

/// The name of a tool that has been seen.
pub(in super::super) fn name<'a>(outline: &'a Outline, start: usize, input: &'a Input<'_>) -> Option<&'a str> {
    let offered = |tools: &Tools, name: &str| tools.get(name).is_some();
    keys(outline, start, input)
        .find_map(|(key, text)| text.filter(|name| key == Key::Name && offered(input.tools, name)))
}

/// Whether a value that is cut was not meant as a call: it names something else, and nothing else of a call has been seen.
fn is_refuted(outline: &Outline, start: usize, input: &Input<'_>) -> bool {
    let names_other = keys(outline, start, input).any(|(key, text)| key == Key::Name && text.is_some());
    let has_inside = keys(outline, start, input).any(|(key, _)| key == Key::Inside);
    names_other && !has_inside && name(outline, start, input).is_none()
}

/// Whether a value that is broken was meant as a call.
fn is_meant(outline: &Outline, start: usize, input: &Input<'_>) -> bool {
    let has = |wanted: Key| keys(outline, start, input).any(|(key, _)| key == wanted);
    name(outline, start, input).is_some() || has(Key::Tool) || (has(Key::Name) && has(Key::Inside))
}
