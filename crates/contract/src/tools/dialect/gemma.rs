//! Gemma's `call:name{…}` between tags: Gemma 4 and `FunctionGemma` (their chat templates; "`FunctionGemma` formatting and best
//! practices" of the Gemma documentation).
//!
//! ```text
//! <|tool_call>call:f{word:<|"|>oak<|"|>,count:2,all:[true,<|"|>x<|"|>],at:{x:1.5}}<tool_call|>
//! <start_function_call>call:f{word:<escape>oak<escape>}<end_function_call>
//! ```
//!
//! A string stands between two quote marks of its own and knows no escapes. A key is bare, or a string. Everything else is JSON: numbers
//! and literals, JSON's own strings, lists and objects of the same kind. A bare word is none of these, and is not made a string.
//!
//! What stands behind `<|tool_response>` or `<start_function_response>` the model has invented: nothing from there on counts.
//!
//! # Theory
//!
//! One state a token; open lists and objects are a stack of bounded height. The JSON text is put together while it is read: a number keeps
//! its digits, a string gets JSON's escapes. Two equal keys are for the engine to judge, as in any JSON text.
//!
//! # Invariants
//!
//! * A call counts with its closing tag. What is broken is left behind up to that tag, or to the end.
//! * What does not begin with `call:` and a name and `{` is text.

use serde_json::Value;
use thusfar_core::{Code, Span};

use super::super::call::CallCode;
use super::super::input::{Arguments, Input, LONGEST_TAG, Reader, Search, Seen, Step, Written, Wrong, starts};
use super::Dialect;
use super::marked::{is_meant, name, no_call};

/// How the tags are written.
pub(super) struct Tags {
    pub(super) opens: &'static str,
    closes: &'static str,
    pub(super) quote: &'static str,
}

/// Gemma 4.
pub(super) const FOUR: Tags = Tags { opens: "<|tool_call>", closes: "<tool_call|>", quote: "<|\"|>" };
/// `FunctionGemma`, a Gemma 3.
pub(super) const THREE: Tags =
    Tags { opens: "<start_function_call>", closes: "<end_function_call>", quote: "<escape>" };

const CALL: &str = "call:";
/// Lists and objects in one another.
const MOST_NESTED: usize = 64;

/// A reader of calls with these tags.
pub(super) fn reader(tags: &'static Tags) -> Box<dyn Reader> {
    Box::new(Gemma { tags, state: State::Call, name: String::new(), start: 0, json: String::new(), open: Vec::new() })
}

struct Gemma {
    tags: &'static Tags,
    state: State,
    name: String,
    /// Where the arguments begin.
    start: usize,
    json: String,
    open: Vec<Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    List,
}

/// What a quoted text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Key,
    Value,
}

enum State {
    /// In front of `call:`.
    Call,
    Name,
    /// Behind an opener or a comma: in front of a key or a value.
    Item,
    /// Behind a key.
    Colon,
    /// In front of a value.
    Value,
    /// Between two quote marks.
    Quoted(Role, Search),
    /// In a string of JSON's own that begins at an offset; whether the next byte is escaped.
    String(usize, Escape),
    /// In a number or a literal that begins at an offset.
    Scalar(usize),
    /// Behind a value.
    Behind,
    /// In front of the closing tag.
    Close,
    /// In what is left of a call that has been refused.
    Rest(Search),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    Yes,
    No,
}

impl Gemma {
    /// In front of the name.
    fn call(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let is_more = input.skip_space();
        match if is_more { input.literal(CALL) } else { Seen::More } {
            Seen::Yes => {
                self.state = State::Name;
                None
            }
            Seen::More => Some(Step::More),
            Seen::No => Some(Step::Text(input.at)),
        }
    }

    fn name(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let rest = input.rest();
        match name(rest) {
            Ok(len) if rest[len..].starts_with('{') => {
                rest[..len].clone_into(&mut self.name);
                input.at += len;
                self.start = input.at;
                self.open(input, Kind::Object)
            }
            Err(Seen::More) => {
                self.state = State::Name;
                Some(Step::More)
            }
            _ => Some(Step::Text(input.at)),
        }
    }

    /// Takes an opener.
    fn open(&mut self, input: &mut Input<'_>, kind: Kind) -> Option<Step> {
        if self.open.len() == MOST_NESTED {
            let wrong = Wrong::new(CallCode::Json(Code::TooDeep), input.at);
            return self.refuse(input, wrong);
        }
        self.open.push(kind);
        self.json.push(if kind == Kind::Object { '{' } else { '[' });
        input.at += 1;
        self.state = State::Item;
        None
    }

    /// Takes a closer.
    fn close(&mut self, input: &mut Input<'_>, kind: Kind) -> Option<Step> {
        if self.open.last() != Some(&kind) {
            return self.broken(input);
        }
        self.open.pop();
        self.json.push(if kind == Kind::Object { '}' } else { ']' });
        input.at += 1;
        self.state = if self.open.is_empty() { State::Close } else { State::Behind };
        None
    }

    /// In front of a key, a value, or the closer of what is empty.
    fn item(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            self.state = State::Item;
            return Some(Step::More);
        }
        let is_first = self.json.ends_with(['{', '[']);
        match (input.rest().as_bytes()[0], self.open.last()) {
            (b'}', _) if is_first => self.close(input, Kind::Object),
            (b']', _) if is_first => self.close(input, Kind::List),
            (_, Some(Kind::List)) => self.value(input),
            _ => self.key(input),
        }
    }

    fn key(&mut self, input: &mut Input<'_>) -> Option<Step> {
        match input.literal(self.tags.quote) {
            Seen::Yes => {
                self.state = State::Quoted(Role::Key, Search::new(input.at));
                return None;
            }
            Seen::More => {
                self.state = State::Item;
                return Some(Step::More);
            }
            Seen::No => {}
        }
        let rest = input.rest();
        let is_key = |byte: &u8| !byte.is_ascii_whitespace() && !b":,{}[]<>\"".contains(byte);
        match rest.bytes().take(LONGEST_TAG).position(|byte| !is_key(&byte)) {
            Some(len) if len > 0 => {
                self.json.push_str(&Value::from(&rest[..len]).to_string());
                input.at += len;
                self.state = State::Colon;
                None
            }
            None if rest.len() < LONGEST_TAG => {
                self.state = State::Item;
                Some(Step::More)
            }
            _ => self.broken(input),
        }
    }

    fn colon(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            self.state = State::Colon;
            return Some(Step::More);
        }
        if input.literal(":") != Seen::Yes {
            return self.broken(input);
        }
        self.json.push_str(": ");
        self.state = State::Value;
        None
    }

    fn value(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            self.state = State::Value;
            return Some(Step::More);
        }
        match input.literal(self.tags.quote) {
            Seen::Yes => {
                self.state = State::Quoted(Role::Value, Search::new(input.at));
                return None;
            }
            Seen::More => {
                self.state = State::Value;
                return Some(Step::More);
            }
            Seen::No => {}
        }
        match input.rest().as_bytes()[0] {
            b'{' => self.open(input, Kind::Object),
            b'[' => self.open(input, Kind::List),
            b'"' => {
                self.state = State::String(input.at, Escape::No);
                input.at += 1;
                None
            }
            _ => {
                self.state = State::Scalar(input.at);
                None
            }
        }
    }

    fn quoted(&mut self, input: &mut Input<'_>, role: Role, mut search: Search) -> Option<Step> {
        let quote = self.tags.quote;
        let found = search.find(input.text, b'<', |text| match starts(text, quote) {
            Seen::Yes => Ok(()),
            seen => Err(seen),
        });
        let Some((end, ())) = found else {
            self.state = State::Quoted(role, search);
            return Some(Step::More);
        };
        self.json.push_str(&Value::from(&input.text[input.at..end]).to_string());
        input.at = end + quote.len();
        self.state = if role == Role::Key { State::Colon } else { State::Behind };
        None
    }

    fn string(&mut self, input: &mut Input<'_>, start: usize, mut escape: Escape) -> Option<Step> {
        let rest = input.rest();
        for (at, byte) in rest.bytes().enumerate() {
            match (escape, byte) {
                (Escape::No, b'"') => {
                    input.at += at + 1;
                    return self.scalar_is(input, start);
                }
                (Escape::No, b'\\') => escape = Escape::Yes,
                _ => escape = Escape::No,
            }
        }
        input.at = input.text.len();
        self.state = State::String(start, escape);
        Some(Step::More)
    }

    fn scalar(&mut self, input: &mut Input<'_>, start: usize) -> Option<Step> {
        let rest = input.rest();
        let is_end = |byte: u8| byte.is_ascii_whitespace() || b",}]<".contains(&byte);
        let Some(len) = rest.bytes().position(is_end) else {
            input.at = input.text.len();
            self.state = State::Scalar(start);
            return Some(Step::More);
        };
        input.at += len;
        self.scalar_is(input, start)
    }

    /// A scalar ends here.
    fn scalar_is(&mut self, input: &mut Input<'_>, start: usize) -> Option<Step> {
        let written = &input.text[start..input.at];
        if serde_json::from_str::<Value>(written).is_err() {
            return self.refuse(input, no_call(start));
        }
        self.json.push_str(written);
        self.state = State::Behind;
        None
    }

    fn behind(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            self.state = State::Behind;
            return Some(Step::More);
        }
        match input.rest().as_bytes()[0] {
            b',' => {
                input.at += 1;
                self.json.push_str(", ");
                self.state = State::Item;
                None
            }
            b'}' => self.close(input, Kind::Object),
            b']' => self.close(input, Kind::List),
            _ => self.broken(input),
        }
    }

    fn closing_tag(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let end = input.at;
        let is_more = input.skip_space();
        match if is_more { input.literal(self.tags.closes) } else { Seen::More } {
            Seen::Yes => {
                let (name, json) = (std::mem::take(&mut self.name), std::mem::take(&mut self.json));
                let arguments = Arguments::Built(json, Span::new(self.start, end));
                let span = input.span();
                input.call(Dialect::Gemma, Written { name, id: None, arguments, span });
                Some(Step::Done)
            }
            Seen::More => {
                self.state = State::Close;
                Some(Step::More)
            }
            Seen::No => self.broken(input),
        }
    }

    /// Something else stands here than may.
    fn broken(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let wrong = no_call(input.at);
        self.refuse(input, wrong)
    }

    fn refuse(&mut self, input: &mut Input<'_>, wrong: Wrong) -> Option<Step> {
        input.refuse(Dialect::Gemma, wrong.of(&self.name));
        self.state = State::Rest(Search::new(input.at));
        None
    }

    fn rest(&mut self, input: &mut Input<'_>, mut search: Search) -> Option<Step> {
        let closes = self.tags.closes;
        let found = search.find(input.text, b'<', |text| match starts(text, closes) {
            Seen::Yes => Ok(()),
            seen => Err(seen),
        });
        if found.is_none() && input.end.is_none() {
            self.state = State::Rest(search);
            return Some(Step::More);
        }
        input.at = found.map_or(input.text.len(), |(at, ())| at + closes.len());
        Some(Step::Broken)
    }
}

impl Reader for Gemma {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Call) {
                State::Call => self.call(input),
                State::Name => self.name(input),
                State::Item => self.item(input),
                State::Colon => self.colon(input),
                State::Value => self.value(input),
                State::Quoted(role, search) => self.quoted(input, role, search),
                State::String(start, escape) => self.string(input, start, escape),
                State::Scalar(start) => self.scalar(input, start),
                State::Behind => self.behind(input),
                State::Close => self.closing_tag(input),
                State::Rest(search) => self.rest(input, search),
            };
            match step {
                Some(Step::More)
                    if input.end.is_some()
                        && matches!(self.state, State::Call | State::Name)
                        && !is_meant(input, Dialect::Gemma) =>
                {
                    return Step::Text(input.at);
                }
                Some(step) => return step,
                None => {}
            }
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::Gemma
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        let is_text = matches!(self.state, State::Quoted(Role::Value, _) | State::String(..));
        let code = if is_text { CallCode::OpenParameter } else { CallCode::OpenCall };
        let wrong = Wrong::new(code, input.text.len());
        if self.name.is_empty() { wrong } else { wrong.of(&self.name) }
    }
}
