//! Tags around calls of the dialects with tags: `<function_calls>`, `<minimax:tool_call>`, `<｜DSML｜tool_calls>`.
//!
//! # Theory
//!
//! Each call in there is whole at its own closing tag, so a cut behind it leaves it whole. A model whose stop sequence is the tag that
//! closes them all never prints it. Text in front of the first call, and the tag was only mentioned: all of it is text. Text behind a
//! call, or a tag that opens no call, and that call may have closed too early: its last parameter was about such tags, and what follows is the
//! rest of it. So that call is refused, with all that follows to the end of the reply.
//!
//! # Invariants
//!
//! * Between calls nothing but white space has been passed.
//! * Calls are held until the tag closes or the reply ends, since what follows one may refuse it.

use super::super::call::CallCode;
use super::super::input::{Finding, Found, Input, Reader, Seen, Step, Wrong, starts};
use super::tag::Prefix;
use super::{Dialect, function, invoke};

/// Reads what stands between the tags.
pub(super) struct Around {
    prefix: Prefix,
    /// The tag that closes them, once it is known.
    closes: String,
    state: State,
    held: Vec<Finding>,
}

enum State {
    Between,
    /// A call, whose opener stands at an offset.
    Inner(usize, Box<dyn Reader>),
    /// The call that ended at an offset is refused, to the end of the reply.
    Broken(Box<Wrong>),
}

/// The opener.
pub(super) fn opens(text: &str, prefix: Prefix) -> Result<usize, Seen> {
    invoke::around(text, prefix).map(|(len, _)| len)
}

/// The opener of a call in there, and who reads it.
fn inner(text: &str) -> Result<(usize, Box<dyn Reader>), Seen> {
    let openers = [
        function::opens(text).map(|len| (len, Box::new(function::reader()) as Box<dyn Reader>)),
        invoke::opens(text, Prefix::Namespace).map(|len| (len, Box::new(invoke::reader(Prefix::Namespace)) as _)),
        invoke::opens(text, Prefix::Dsml).map(|len| (len, Box::new(invoke::reader(Prefix::Dsml)) as _)),
    ];
    let mut none = Seen::No;
    for opener in openers {
        match opener {
            Ok(found) => return Ok(found),
            Err(Seen::More) => none = Seen::More,
            Err(_) => {}
        }
    }
    Err(none)
}

impl Around {
    pub(super) fn new(prefix: Prefix) -> Self {
        Self { prefix, closes: String::new(), state: State::Between, held: Vec::new() }
    }

    fn between(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if self.closes.is_empty() {
            match invoke::around(&input.text[input.start..], self.prefix) {
                Ok((_, closes)) => self.closes = closes,
                Err(_) => return Some(Step::Text(input.at)),
            }
        }
        if !input.skip_space() {
            return Some(self.more(input));
        }
        match starts(input.rest(), &self.closes) {
            Seen::Yes if !self.held.is_empty() => {
                input.at += self.closes.len();
                return Some(self.close(input));
            }
            Seen::More => return Some(self.more(input)),
            _ => {}
        }
        match inner(input.rest()) {
            Ok((len, reader)) => {
                self.state = State::Inner(input.at, reader);
                input.at += len;
                None
            }
            Err(Seen::More) => Some(self.more(input)),
            Err(_) => Some(self.otherwise(input)),
        }
    }

    /// Something else than a call stands between the tags.
    fn otherwise(&mut self, input: &mut Input<'_>) -> Step {
        let Some(last) = self.held.pop() else { return Step::Text(input.at) };
        let wrong = Wrong::new(CallCode::ExpectedMarkup, input.at);
        let name = match &last.found {
            Found::Call(call) => Some(call.name.clone()),
            Found::Refused(refused) => refused.name.clone(),
        };
        self.state = State::Broken(Box::new(Wrong { name, ..wrong }));
        self.more(input)
    }

    fn inner(&mut self, input: &mut Input<'_>, start: usize, mut reader: Box<dyn Reader>) -> Option<Step> {
        let outer = std::mem::replace(&mut input.start, start);
        std::mem::swap(input.found, &mut self.held);
        let step = reader.read(input);
        std::mem::swap(input.found, &mut self.held);
        input.start = outer;
        match step {
            Step::More => {
                self.state = State::Inner(start, reader);
                Some(self.more(input))
            }
            Step::Done => None,
            step if self.held.is_empty() => Some(step),
            _ => Some(self.otherwise(input)),
        }
    }

    /// More text is needed. At the end of the reply, what is whole is given; the reader above tells the rest.
    fn more(&mut self, input: &mut Input<'_>) -> Step {
        if input.end.is_none() {
            return Step::More;
        }
        let is_whole = matches!(self.state, State::Between)
            && !self.held.is_empty()
            && starts(input.rest(), &self.closes) == Seen::More;
        if is_whole {
            input.at = input.text.len();
            return self.close(input);
        }
        if !input.is_line_start && self.held.is_empty() && matches!(self.state, State::Between) {
            return Step::Text(input.text.len());
        }
        input.found.append(&mut self.held);
        Step::More
    }

    fn close(&mut self, input: &mut Input<'_>) -> Step {
        input.found.append(&mut self.held);
        Step::Done
    }
}

impl Reader for Around {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Between) {
                State::Between => self.between(input),
                State::Inner(start, reader) => self.inner(input, start, reader),
                State::Broken(wrong) => {
                    self.state = State::Broken(wrong);
                    Some(self.more(input))
                }
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn dialect(&self) -> Dialect {
        match (&self.state, self.prefix) {
            (State::Inner(_, reader), _) => reader.dialect(),
            (_, Prefix::Dsml) => Dialect::Dsml,
            (_, Prefix::Namespace) => Dialect::Invoke,
        }
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        match &self.state {
            State::Inner(_, reader) => reader.cut(input),
            State::Broken(wrong) => (**wrong).clone(),
            State::Between => Wrong::new(CallCode::OpenCall, input.text.len()),
        }
    }
}
