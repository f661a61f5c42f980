//! Mistral's `[TOOL_CALLS]`, in the forms of its tokenizers (`mistral-common`, versions 3, 11 and 13).
//!
//! ```text
//! [TOOL_CALLS] [{"name": "f", "arguments": {…}}, …]        a list counts when it closes
//! [TOOL_CALLS] {"name": "f", "arguments": {…}}
//! [TOOL_CALLS]f{…}[TOOL_CALLS]g{…}
//! [TOOL_CALLS]f[CALL_ID]abc123def[ARGS]{…}                 the identifier may be missing
//! ```
//!
//! # Theory
//!
//! `Opener` is behind the mark. A list or an object is a `Calls`; a name goes on as `Mark`, perhaps `Identifier`, and `Arguments`, to
//! the object (`Object`). Nothing closes a call but its own bracket, so it is `Behind` until what follows shows that it did not close
//! too early; the next mark shows it.
//!
//! # Invariants
//!
//! * What does not go on like a call is text, from directly behind the mark.
//! * A mark in the middle of a line at the end of the reply is a mention; at the start of one it is a call that is cut.

use thusfar_core::Span;

use super::super::call::CallCode;
use super::super::input::{Arguments, Input, Reader, Seen, Step, Written, Wrong, starts};
use super::super::shape::{self, Calls, Shape};
use super::Dialect;
use super::marked::{Held, Told, Value, first, is_meant, name, no_call, note};

pub(super) const OPENS: &str = "[TOOL_CALLS]";
const IDENTIFIER: &str = "[CALL_ID]";
const ARGUMENTS: &str = "[ARGS]";

/// Reads what stands behind `[TOOL_CALLS]`.
pub(super) struct Mistral {
    state: State,
    name: String,
    id: Option<String>,
}

enum State {
    Opener,
    Calls(Value),
    /// Behind the name.
    Mark,
    /// In the identifier.
    Identifier,
    /// In front of the arguments.
    Arguments,
    Object(Value),
    Behind(Whole, Held),
}

/// Calls that have closed.
enum Whole {
    Calls(Calls),
    Named,
}

impl Mistral {
    pub(super) fn new() -> Self {
        Self { state: State::Opener, name: String::new(), id: None }
    }

    /// It is no call: prose goes on behind the mark.
    fn text(input: &Input<'_>) -> Option<Step> {
        Some(Step::Text(input.start + OPENS.len()))
    }

    fn opener(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            return Some(Step::More);
        }
        let rest = input.rest();
        if let Some(items) = rest.strip_prefix('[') {
            // A list of something else than objects is a footnote or a link.
            match first(items) {
                Ok((_, b'{')) => {}
                Err(Seen::More) => return Some(Step::More),
                _ => return Self::text(input),
            }
        }
        if rest.starts_with(['[', '{']) {
            self.state = State::Calls(Value::new(input));
            return None;
        }
        match name(rest) {
            Ok(len) if rest.starts_with(|first: char| first.is_alphanumeric() || first == '_') => {
                rest[..len].clone_into(&mut self.name);
                input.at += len;
                self.state = State::Mark;
                None
            }
            Err(Seen::More) => Some(Step::More),
            _ => Self::text(input),
        }
    }

    fn mark(&mut self, input: &mut Input<'_>) -> Option<Step> {
        for (mark, next) in [(IDENTIFIER, State::Identifier), (ARGUMENTS, State::Arguments)] {
            match input.literal(mark) {
                Seen::Yes => {
                    self.state = next;
                    return None;
                }
                Seen::More => return Some(Step::More),
                Seen::No => {}
            }
        }
        // Reading stays behind the name: behind white space, the marks above are none.
        match first(input.rest()) {
            Ok((space, b'{')) => {
                input.at += space;
                self.state = State::Object(Value::arguments(input, &self.name));
                None
            }
            Err(Seen::More) => Some(Step::More),
            _ => Self::text(input),
        }
    }

    fn identifier(&mut self, input: &mut Input<'_>) -> Option<Step> {
        match input.up_to(ARGUMENTS) {
            Ok(id) if !id.trim().is_empty() && !id.contains(['[', ']', '{', '\n']) => {
                self.id = Some(id.trim().to_owned());
                self.state = State::Arguments;
                None
            }
            Err(Seen::More) => Some(Step::More),
            _ => Self::text(input),
        }
    }

    fn arguments(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            return Some(Step::More);
        }
        if input.rest().starts_with('{') {
            self.state = State::Object(Value::arguments(input, &self.name));
            return None;
        }
        let wrong = Wrong::new(CallCode::ArgumentsNotObject, input.at).of(&self.name);
        input.refuse(Dialect::Mistral, wrong);
        Some(Step::Broken)
    }

    fn calls(&mut self, input: &mut Input<'_>, mut value: Value) -> Option<Step> {
        match value.read(input) {
            Told::More => {
                self.state = State::Calls(value);
                Some(Step::More)
            }
            Told::Closed(document, span) => match shape::of(&document, span.start, input.tools) {
                Shape::Calls(calls) => {
                    self.state = State::Behind(Whole::Calls(calls), Held::new(span));
                    None
                }
                Shape::Data => {
                    input.refuse(Dialect::Mistral, no_call(span.start));
                    Some(Step::Done)
                }
            },
            told => self.broken(input, told),
        }
    }

    fn object(&mut self, input: &mut Input<'_>, mut value: Value) -> Option<Step> {
        match value.read(input) {
            Told::More => {
                self.state = State::Object(value);
                Some(Step::More)
            }
            Told::Closed(_, span) => {
                self.state = State::Behind(Whole::Named, Held::new(span));
                None
            }
            told => self.broken(input, told),
        }
    }

    fn broken(&mut self, input: &mut Input<'_>, told: Told) -> Option<Step> {
        let Told::Wrong(wrong) = told else { return Self::text(input) };
        let wrong = if self.name.is_empty() { *wrong } else { wrong.of(&self.name) };
        input.refuse(Dialect::Mistral, wrong);
        Some(Step::Broken)
    }

    fn behind(&mut self, input: &mut Input<'_>, whole: Whole, mut held: Held) -> Option<Step> {
        let Some(settled) = held.settle(input, |rest| starts(rest, OPENS)) else {
            self.state = State::Behind(whole, held);
            return Some(Step::More);
        };
        let value = held.value();
        input.at = value.end;
        if let Err(wrong) = settled {
            return self.broken(input, Told::Wrong(wrong));
        }
        if matches!(whole, Whole::Named) {
            match first(input.rest()) {
                Ok((space, b'{')) => {
                    let wrong = Wrong::new(CallCode::TwoArguments, value.end + space).of(&self.name);
                    input.refuse(Dialect::Mistral, wrong);
                    return Some(Step::Broken);
                }
                Err(Seen::More) if input.end.is_none() => {
                    self.state = State::Behind(whole, held);
                    return Some(Step::More);
                }
                _ => {}
            }
        }
        let around = Span::new(input.start, value.end);
        match whole {
            Whole::Calls(calls) => note(input, Dialect::Mistral, calls, around),
            Whole::Named => {
                let (name, id) = (std::mem::take(&mut self.name), self.id.take());
                input.call(Dialect::Mistral, Written { name, id, arguments: Arguments::Json(value), span: around });
            }
        }
        Some(Step::Done)
    }

    /// Whether nothing of a call stands behind a mark that is only mentioned.
    fn is_mention(&self, input: &Input<'_>) -> bool {
        let is_early = matches!(self.state, State::Opener | State::Mark);
        is_early && !is_meant(input, Dialect::Mistral) && input.tools.get(&self.name).is_none()
    }
}

impl Reader for Mistral {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Opener) {
                State::Opener => self.opener(input),
                State::Calls(value) => self.calls(input, value),
                State::Mark => {
                    self.state = State::Mark;
                    self.mark(input)
                }
                State::Identifier => {
                    self.state = State::Identifier;
                    self.identifier(input)
                }
                State::Arguments => {
                    self.state = State::Arguments;
                    self.arguments(input)
                }
                State::Object(value) => self.object(input, value),
                State::Behind(whole, held) => self.behind(input, whole, held),
            };
            match step {
                Some(Step::More) if input.end.is_some() && self.is_mention(input) => {
                    return Step::Text(input.start + OPENS.len());
                }
                Some(step) => return step,
                None => {}
            }
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::Mistral
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        let wrong = Wrong::new(CallCode::OpenCall, input.text.len());
        if self.name.is_empty() { wrong } else { wrong.of(&self.name) }
    }
}
