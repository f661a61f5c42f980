//! `Action:` and `Action Input:` on lines of their own (ReAct, as the prompts of `LangChain` and its kin ask for it).
//!
//! ```text
//! Thought: I have to count.
//! Action: count_letters
//! Action Input: {"word": "oak"}
//! Observation: 3
//! ```
//!
//! The object may stand in a fence, whose marks are markup then. What stands behind `Observation:` the model has invented: nothing from
//! there on counts. Where the reply ends inside the word, at a stop sequence, that piece of it is dropped. `Thought:` and `Final Answer:` are text.
//!
//! # Theory
//!
//! `Name` is the rest of the line, `Gap` the white space up to `Action Input:`, `Input` that in front of the object, `Fence` that behind
//! the marks of a fence. Behind the object come the marks that close the fence (`Mark`) and the rest of the line (`Line`); then it is `Behind`
//! until what follows shows that it did not close too early, and that it is no second set of arguments (`Second`). Several actions are several calls.
//!
//! # Invariants
//!
//! * `Action:` counts at the start of a line, and only with `Action Input:` on the next line that is not blank. All else is text, from
//!   directly behind `Action:`.
//! * A call is whole with the `}` of its object, in a fence or not: nothing else has to close it.

use thusfar_core::Span;

use super::super::call::CallCode;
use super::super::input::{Arguments, Input, LONGEST_TAG, Reader, Search, Seen, Step, Written, Wrong, starts};
use super::marked::{Held, Told, Value, no_call};
use super::{Before, Dialect};

const ACTION: &str = "Action:";
const INPUT: &str = "Action Input:";
const OBSERVATION: &str = "Observation:";
const THOUGHT: &str = "Thought:";
/// Bytes of a fence's marks, and of its label.
const LONGEST_LABEL: usize = 32;

/// An action, at the start of a line.
pub(super) fn opens(text: &str, before: Before) -> Result<usize, Seen> {
    if before.is_line_start { at_line_start(text, ACTION) } else { Err(Seen::No) }
}

fn at_line_start(text: &str, word: &str) -> Result<usize, Seen> {
    match starts(text, word) {
        Seen::Yes => Ok(word.len()),
        seen => Err(seen),
    }
}

/// Reads an action.
pub(super) struct React {
    state: State,
    name: String,
    fence: Option<Fence>,
}

#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    len: usize,
}

enum State {
    Name,
    Gap,
    /// Behind `Action Input:`, which ends at an offset.
    Input(usize),
    /// Behind the marks of a fence.
    Fence,
    Object(Value),
    /// Behind an object in a fence.
    Mark(Span),
    /// Behind an object, and the fence.
    Line(Span),
    /// Behind the line of an object, and where that ends.
    Behind(Held, usize),
    /// Behind a call that stands, whose line ends at an offset.
    Second(Span, usize),
    /// In the rest of a line that has been refused.
    Skip(Search),
}

impl React {
    pub(super) fn new() -> Self {
        Self { state: State::Name, name: String::new(), fence: None }
    }

    /// It is no call.
    fn text(input: &Input<'_>) -> Option<Step> {
        Some(Step::Text(input.start + ACTION.len()))
    }

    fn name(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let rest = input.rest();
        let window = &rest.as_bytes()[..rest.len().min(LONGEST_TAG)];
        let Some(len) = memchr::memchr2(b'\n', b'\r', window) else {
            return if rest.len() < LONGEST_TAG { Some(Step::More) } else { Self::text(input) };
        };
        rest[..len].trim().clone_into(&mut self.name);
        if self.name.is_empty() {
            return Self::text(input);
        }
        input.at += len;
        self.state = State::Gap;
        None
    }

    fn gap(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let is_more = input.skip_space();
        match if is_more { input.literal(INPUT) } else { Seen::More } {
            Seen::Yes => {
                self.state = State::Input(input.at);
                None
            }
            Seen::More => Some(Step::More),
            Seen::No => Self::text(input),
        }
    }

    fn input(&mut self, input: &mut Input<'_>, start: usize) -> Option<Step> {
        if !input.skip_space() {
            return Some(Step::More);
        }
        let rest = input.rest();
        if rest.starts_with('{') {
            self.state = State::Object(Value::arguments(input, &self.name));
            return None;
        }
        match fence(rest) {
            Ok((fence, len)) => {
                self.fence = Some(fence);
                input.at += len;
                self.state = State::Fence;
                return None;
            }
            Err(Seen::More) => return Some(Step::More),
            Err(_) => {}
        }
        let is_empty = input.text[start..input.at].contains(['\n', '\r']);
        if is_empty {
            match [OBSERVATION, THOUGHT].map(|word| starts(rest, word)) {
                seen if seen.contains(&Seen::Yes) => return self.missing(input, start),
                seen if seen.contains(&Seen::More) && input.end.is_none() => return Some(Step::More),
                _ => {}
            }
        }
        self.no_object(input, is_empty)
    }

    /// Nothing stands behind `Action Input:`.
    fn missing(&mut self, input: &mut Input<'_>, end: usize) -> Option<Step> {
        let (name, span) = (std::mem::take(&mut self.name), Span::new(input.start, end));
        input.call(Dialect::React, Written { name, id: None, arguments: Arguments::Missing, span });
        Some(Step::Done)
    }

    /// Something else than an object stands there.
    fn no_object(&mut self, input: &mut Input<'_>, is_next_line: bool) -> Option<Step> {
        if input.tools.get(&self.name).is_none() {
            return Self::text(input);
        }
        input.refuse(Dialect::React, Wrong::new(CallCode::ArgumentsNotObject, input.at).of(&self.name));
        if is_next_line {
            return Some(Step::Done);
        }
        self.state = State::Skip(Search::new(input.at));
        None
    }

    fn in_fence(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            return Some(Step::More);
        }
        if !input.rest().starts_with('{') {
            return self.no_object(input, true);
        }
        self.state = State::Object(Value::arguments(input, &self.name));
        None
    }

    fn object(&mut self, input: &mut Input<'_>, mut value: Value) -> Option<Step> {
        match value.read(input) {
            Told::More => {
                self.state = State::Object(value);
                Some(Step::More)
            }
            Told::Closed(_, span) => {
                self.state = if self.fence.is_some() { State::Mark(span) } else { State::Line(span) };
                None
            }
            Told::Text(_) if input.tools.get(&self.name).is_none() => Self::text(input),
            Told::Text(wrong) | Told::Wrong(wrong) => self.refuse(input, *wrong),
        }
    }

    fn refuse(&mut self, input: &mut Input<'_>, wrong: Wrong) -> Option<Step> {
        input.refuse(Dialect::React, wrong.of(&self.name));
        Some(Step::Broken)
    }

    /// The marks that close the fence, or the end of the reply.
    fn mark(&mut self, input: &mut Input<'_>, object: Span) -> Option<Step> {
        let is_more = input.skip_space();
        if !is_more && input.end.is_some() {
            self.fence = None;
        }
        let Some(Fence { mark, len }) = self.fence else {
            self.state = State::Line(object);
            return None;
        };
        let rest = input.rest();
        let marks = rest.bytes().take(LONGEST_LABEL).take_while(|&byte| byte == mark as u8).count();
        if marks == rest.len() && marks < LONGEST_LABEL && input.end.is_none() {
            self.state = State::Mark(object);
            return Some(Step::More);
        }
        if marks == LONGEST_LABEL || (marks < len && marks < rest.len()) {
            return self.refuse(input, Wrong::new(CallCode::TextAround, input.at));
        }
        input.at += marks;
        self.state = State::Line(object);
        None
    }

    /// The rest of the object's line.
    fn line(&mut self, input: &mut Input<'_>, object: Span) -> Option<Step> {
        let rest = input.rest();
        input.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        match input.rest().bytes().next() {
            Some(b'\n') => input.at += 1,
            Some(_) => return self.refuse(input, no_call(input.at)),
            None if input.end.is_none() => {
                self.state = State::Line(object);
                return Some(Step::More);
            }
            None => {}
        }
        self.state = State::Behind(Held::new(object), input.at);
        None
    }

    fn behind(&mut self, input: &mut Input<'_>, mut held: Held, end: usize) -> Option<Step> {
        // The marks of a fence have shown already where the object ends.
        let settled = if self.fence.is_some() { Some(Ok(())) } else { held.settle(input, |_| Seen::No) };
        let Some(settled) = settled else {
            self.state = State::Behind(held, end);
            return Some(Step::More);
        };
        input.at = end;
        let object = held.value();
        if let Err(wrong) = settled {
            return self.refuse(input, *wrong);
        }
        self.state = State::Second(object, end);
        None
    }

    /// What stands behind a call: not a second set of arguments.
    fn second(&mut self, input: &mut Input<'_>, object: Span, end: usize) -> Option<Step> {
        let is_more = input.skip_space();
        let seen = if is_more { input.literal(INPUT) } else { Seen::More };
        if seen == Seen::Yes || input.rest().starts_with('{') {
            let wrong = Wrong::new(CallCode::TwoArguments, input.at);
            return self.refuse(input, wrong);
        }
        if seen == Seen::More && input.end.is_none() {
            self.state = State::Second(object, end);
            return Some(Step::More);
        }
        input.at = end;
        let (name, span) = (std::mem::take(&mut self.name), Span::new(input.start, object.end));
        input.call(Dialect::React, Written { name, id: None, arguments: Arguments::Json(object), span });
        Some(Step::Done)
    }

    fn skip(&mut self, input: &mut Input<'_>, mut search: Search) -> Option<Step> {
        let found = search.find(input.text, b'\n', |_| Ok(()));
        if found.is_none() && input.end.is_none() {
            self.state = State::Skip(search);
            return Some(Step::More);
        }
        input.at = found.map_or(input.text.len(), |(at, ())| at + 1);
        Some(Step::Done)
    }

    /// What the end of the reply makes of what is open.
    fn ends(&self, input: &Input<'_>) -> Step {
        let is_early = match self.state {
            State::Name => input.tools.get(input.rest().trim()).is_none(),
            State::Gap | State::Input(_) | State::Fence => input.tools.get(&self.name).is_none(),
            _ => false,
        };
        if is_early { Step::Text(input.start + ACTION.len()) } else { Step::More }
    }
}

/// The marks that open a fence, with the label and the line end behind them.
fn fence(text: &str) -> Result<(Fence, usize), Seen> {
    let Some(mark) = text.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { return Err(Seen::No) };
    let marks: usize = text.bytes().take(LONGEST_LABEL).take_while(|&byte| byte == mark as u8).count();
    if marks == text.len() {
        return Err(Seen::More);
    }
    if !(3..LONGEST_LABEL).contains(&marks) {
        return Err(Seen::No);
    }
    let label = text[marks..].bytes().take(LONGEST_LABEL).position(|byte| !byte.is_ascii_alphanumeric());
    match label.map(|len| text.as_bytes()[marks + len]) {
        Some(b'\n' | b'\r' | b' ' | b'{') => Ok((Fence { mark, len: marks }, marks + label.unwrap_or_default())),
        Some(_) => Err(Seen::No),
        None if text.len() - marks < LONGEST_LABEL => Err(Seen::More),
        None => Err(Seen::No),
    }
}

impl Reader for React {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Name) {
                State::Name => self.name(input),
                State::Gap => {
                    self.state = State::Gap;
                    self.gap(input)
                }
                State::Input(start) => {
                    self.state = State::Input(start);
                    self.input(input, start)
                }
                State::Fence => {
                    self.state = State::Fence;
                    self.in_fence(input)
                }
                State::Object(value) => self.object(input, value),
                State::Mark(object) => self.mark(input, object),
                State::Line(object) => self.line(input, object),
                State::Behind(held, end) => self.behind(input, held, end),
                State::Second(object, end) => self.second(input, object, end),
                State::Skip(search) => self.skip(input, search),
            };
            match step {
                Some(Step::More) if input.end.is_some() => return self.ends(input),
                Some(step) => return step,
                None => {}
            }
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::React
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        let wrong = Wrong::new(CallCode::OpenCall, input.text.len());
        if self.name.is_empty() { wrong } else { wrong.of(&self.name) }
    }
}
