//! Llama's `<|python_tag|>` in front of JSON (the chat templates of Llama 3.1 to 3.3).
//!
//! ```text
//! <|python_tag|>{"name": "f", "parameters": {…}}; {"name": "g", "parameters": {…}}<|eom_id|>
//! ```
//!
//! The template asks for bare JSON too: that is read by `json.rs`. Behind the tag the model may also write Python, which is never
//! read: it is text, and told as call-like.
//!
//! # Theory
//!
//! `Opener` is in front of an object, `Value` in it. A call closes with its own bracket, so it is `Behind` until what follows shows
//! that it did not close too early: a `;` with the next object, one of the marks that end a turn, or text that cannot be more of it.
//!
//! # Invariants
//!
//! * Each call counts by itself: one that is cut takes none of those in front of it with it.

use thusfar_core::Span;

use super::super::call::CallCode;
use super::super::input::{Input, Reader, Seen, Step, Wrong, starts};
use super::super::shape::{self, Calls, Shape};
use super::Dialect;
use super::marked::{Held, Told, Value, first, is_meant, no_call, note};

pub(super) const OPENS: &str = "<|python_tag|>";
/// What ends a turn.
const ENDS: [&str; 2] = ["<|eom_id|>", "<|eot_id|>"];

/// Reads what stands behind `<|python_tag|>`.
pub(super) struct Llama {
    state: State,
    /// Where the call begins: its mark, if it is the first.
    start: Option<usize>,
}

enum State {
    Opener,
    Value(Value),
    Behind(Calls, Held),
    /// Behind a call, in front of what ends the turn.
    End,
}

/// What stands behind a call.
enum Next {
    Call(usize),
    End,
}

impl Llama {
    pub(super) fn new() -> Self {
        Self { state: State::Opener, start: None }
    }

    fn opener(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            return Some(Step::More);
        }
        if !input.rest().starts_with('{') {
            return Some(Step::Text(input.at));
        }
        self.start = Some(input.start);
        self.state = State::Value(Value::new(input));
        None
    }

    fn value(&mut self, input: &mut Input<'_>, mut value: Value) -> Option<Step> {
        match value.read(input) {
            Told::More => {
                self.state = State::Value(value);
                Some(Step::More)
            }
            Told::Closed(document, span) => match shape::of(&document, span.start, input.tools) {
                Shape::Calls(calls) => {
                    self.state = State::Behind(calls, Held::new(span));
                    None
                }
                Shape::Data => {
                    self.refuse(input, no_call(span.start));
                    Some(Step::Done)
                }
            },
            Told::Text(_) if self.start == Some(input.start) => Some(Step::Text(input.start + OPENS.len())),
            Told::Text(_) => {
                // What was read is short, and prose reads it again.
                input.at = self.start.unwrap_or(input.at);
                Some(Step::Done)
            }
            Told::Wrong(wrong) => {
                self.refuse(input, *wrong);
                Some(Step::Broken)
            }
        }
    }

    fn refuse(&self, input: &mut Input<'_>, wrong: Wrong) {
        let span = Span::new(self.start.unwrap_or(input.start), input.at);
        input.refuse_span(Dialect::Llama, span, wrong);
    }

    fn behind(&mut self, input: &mut Input<'_>, calls: Calls, mut held: Held) -> Option<Step> {
        let mut next = None;
        let settled = held.settle(input, |rest| match follows(rest) {
            Ok(found) => {
                next = Some(found);
                Seen::Yes
            }
            Err(seen) => seen,
        });
        let Some(settled) = settled else {
            self.state = State::Behind(calls, held);
            return Some(Step::More);
        };
        let (value, at) = (held.value(), input.at);
        input.at = value.end;
        if let Err(wrong) = settled {
            self.refuse(input, *wrong);
            return Some(Step::Broken);
        }
        note(input, Dialect::Llama, calls, Span::new(self.start.unwrap_or(input.start), value.end));
        match next {
            Some(Next::Call(len)) => {
                input.at = at + len;
                self.start = Some(input.at);
                self.state = State::Value(Value::new(input));
                None
            }
            Some(Next::End) => {
                input.at = at;
                self.state = State::End;
                None
            }
            None => Some(Step::Done),
        }
    }

    fn end(input: &mut Input<'_>) -> Step {
        for end in ENDS {
            let _ = input.literal(end);
        }
        Step::Done
    }
}

/// What stands behind a call: the next one, and how far ahead, or what ends the turn.
fn follows(rest: &str) -> Result<Next, Seen> {
    if let Some(behind) = rest.strip_prefix(';') {
        return match first(behind) {
            Ok((at, b'{')) => Ok(Next::Call(1 + at)),
            Ok(_) => Err(Seen::No),
            Err(seen) => Err(seen),
        };
    }
    match ENDS.map(|end| starts(rest, end)) {
        seen if seen.contains(&Seen::Yes) => Ok(Next::End),
        seen if rest.is_empty() || seen.contains(&Seen::More) => Err(Seen::More),
        _ => Err(Seen::No),
    }
}

impl Reader for Llama {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Opener) {
                State::Opener => self.opener(input),
                State::Value(value) => self.value(input, value),
                State::Behind(calls, held) => self.behind(input, calls, held),
                State::End => Some(Self::end(input)),
            };
            match step {
                Some(Step::More) if input.end.is_some() && self.start.is_none() && !is_meant(input, Dialect::Llama) => {
                    return Step::Text(input.at);
                }
                Some(step) => return step,
                None => {}
            }
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::Llama
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        Wrong::new(CallCode::OpenCall, input.text.len())
    }
}
