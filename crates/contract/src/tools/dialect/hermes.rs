//! `<tool_call>` and `</tool_call>` around JSON, or around calls of other dialects.

use super::super::body::{Body, Read};
use super::super::call::CallCode;
use super::super::heard::Ear;
use super::super::input::{Finding, Input, Reader, Seen, Step, Wrong};
use super::super::shape::{self, Shape};
use super::json::{name, shape_found};
use super::{Before, Dialect, opener};

pub(super) const OPENS: &str = "<tool_call>";
pub(super) const CLOSES: &str = "</tool_call>";

/// Reads what stands between the tags.
pub(super) struct Hermes {
    state: State,
    /// What has been found between them: nothing of it counts before they close.
    found: Vec<Finding>,
}

enum State {
    /// In front of a call, or of the closing tag.
    Between,
    Value(Box<Body>),
    /// A call of another dialect, whose opener stands at an offset.
    Inner(usize, Box<dyn Reader>),
    /// Refused, to the end of the reply.
    Broken(Box<Wrong>),
}

impl Hermes {
    pub(super) fn new() -> Self {
        Self { state: State::Between, found: Vec::new() }
    }

    fn between(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            return Some(Step::More);
        }
        if !self.found.is_empty() {
            match input.literal(CLOSES) {
                Seen::Yes => return Some(self.close(input)),
                Seen::More => return Some(Step::More),
                Seen::No => {}
            }
        }
        let rest = input.rest();
        if rest.starts_with(['{', '[']) {
            self.state = State::Value(Box::new(Body::heard_by(input.at, Ear::inside(input.tools))));
            return None;
        }
        let before = Before { is_end: input.end.is_some(), ..Before::default() };
        match opener(rest, before) {
            Ok((len, reader)) if !rest.starts_with(OPENS) => {
                self.state = State::Inner(input.at, reader);
                input.at += len;
                None
            }
            // At the end of the reply it is cut inside the opener.
            Err(Seen::More) => Some(Step::More),
            _ => Some(self.otherwise(input)),
        }
    }

    /// Something else than a call stands between the tags.
    fn otherwise(&mut self, input: &mut Input<'_>) -> Step {
        if self.found.is_empty() {
            return Step::Text(input.at);
        }
        let wrong = Wrong::new(CallCode::ExpectedMarkup, input.at);
        // A raw text may have closed too early, and what follows may be the rest of it.
        if self.found.iter().any(|finding| finding.found.dialect().is_raw()) {
            self.state = State::Broken(Box::new(wrong));
            return Step::More;
        }
        input.refuse(Dialect::Hermes, wrong);
        Step::Done
    }

    fn value(&mut self, input: &mut Input<'_>, mut body: Box<Body>) -> Option<Step> {
        match input.value(&mut body) {
            Read::More => {
                self.state = State::Value(body);
                return Some(Step::More);
            }
            Read::Closed(document, end) => {
                input.at = end;
                match shape::of(&document, body.start(), input.tools) {
                    Shape::Calls(calls) => {
                        self.inside(input, |input| shape_found(input, Dialect::Hermes, calls, false))
                    }
                    Shape::Data => {
                        let wrong = Wrong::new(CallCode::ExpectedMarkup, body.start());
                        self.inside(input, |input| input.refuse(Dialect::Hermes, wrong));
                    }
                }
            }
            Read::Broken(failure) => {
                let name = name(body.outline(), body.start(), input).map(str::to_owned);
                let wrong = Wrong { name, ..Wrong::of_call(&failure, body.start(), input.tools) };
                if !body.outline().is_promise
                    && !input.is_line_start
                    && wrong.code.outcome() != super::super::CallOutcome::Truncated
                {
                    return Some(Step::Text(input.at));
                }
                let wrong = input.broken(wrong);
                input.refuse(Dialect::Hermes, wrong);
                return Some(Step::Broken);
            }
        }
        None
    }

    fn inner(&mut self, input: &mut Input<'_>, start: usize, mut reader: Box<dyn Reader>) -> Option<Step> {
        let mut step = Step::Done;
        let outer = std::mem::replace(&mut input.start, start);
        self.inside(input, |input| step = reader.read(input));
        input.start = outer;
        match step {
            Step::More => {
                self.state = State::Inner(start, reader);
                Some(Step::More)
            }
            Step::Done => None,
            Step::Debris(_) if self.found.is_empty() => Some(step),
            _ => Some(self.otherwise(input)),
        }
    }

    /// Reads with findings of our own.
    fn inside(&mut self, input: &mut Input<'_>, read: impl FnOnce(&mut Input<'_>)) {
        std::mem::swap(input.found, &mut self.found);
        read(input);
        std::mem::swap(input.found, &mut self.found);
    }

    fn close(&mut self, input: &mut Input<'_>) -> Step {
        if let [finding] = &mut self.found[..] {
            finding.found.widen(input.span());
        }
        input.found.append(&mut self.found);
        Step::Done
    }
}

impl Reader for Hermes {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Between) {
                State::Between => self.between(input),
                State::Value(body) => self.value(input, body),
                State::Inner(start, reader) => self.inner(input, start, reader),
                State::Broken(wrong) => {
                    self.state = State::Broken(wrong);
                    Some(Step::More)
                }
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn dialect(&self) -> Dialect {
        match &self.state {
            State::Inner(_, reader) => reader.dialect(),
            _ => Dialect::Hermes,
        }
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        match &self.state {
            State::Inner(_, reader) => reader.cut(input),
            State::Broken(wrong) => (**wrong).clone(),
            _ => Wrong::new(CallCode::OpenCall, input.text.len()),
        }
    }
}
