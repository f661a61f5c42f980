//! Messages of OpenAI's Harmony format (`docs/format.md` of `openai/harmony`; the gpt-oss models).
//!
//! ```text
//! <|channel|>analysis<|message|>TEXT<|end|>
//! <|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>
//! <|start|>assistant to=functions.f<|channel|>commentary json<|message|>{…}<|call|>
//! <|start|>assistant<|channel|>final<|message|>TEXT<|return|>
//! ```
//!
//! | message | what it is |
//! |---|---|
//! | with a recipient, in any channel | a call: from `<\|call\|>` on; of `functions.f` the tool `f`, of another recipient the tool of that whole name |
//! | `analysis` | reasoning |
//! | `final`, `commentary`, no channel | text for the user, without its marks |
//! | of another role than `assistant` | invented: nothing from its first mark on counts |
//!
//! # Theory
//!
//! The first message begins where the prompt ended, so it may begin with its channel. `Header` goes mark by mark and word by word up to
//! `<|message|>`. A `Body` with a recipient is an `Object` and its `Close`; what else stands there is `Other`, and what is broken is left
//! behind as `Rest`, up to the mark that ends the message. The body of a message for the user is prose, which the finder reads as it reads
//! any: fences and calls of other dialects in it mean what they always do. That the reply is made of messages it is told by
//! `Input::within`, and the marks that end a message (`end`) are markup from then on.
//!
//! # Invariants
//!
//! * A header is markup where a message can stand: at the start of a line, or behind another message. Elsewhere only one with a recipient
//!   and an object is.
//! * What is no header is text, from the word on that shows it.

use thusfar_core::Span;

use super::super::call::CallCode;
use super::super::input::{Arguments, Input, Reader, Search, Seen, Step, Written, Wrong, starts};
use super::super::list::LONGEST_NAME;
use super::Dialect;
use super::marked::{Told, Value, no_call};

pub(super) const START: &str = "<|start|>";
pub(super) const CHANNEL: &str = "<|channel|>";
const CONSTRAIN: &str = "<|constrain|>";
const MESSAGE: &str = "<|message|>";
const CALL: &str = "<|call|>";
/// What ends a message and is part of it.
const ENDS: [&str; 3] = [CALL, "<|end|>", "<|return|>"];
/// Bytes in front of a name in a word of a header.
const RECIPIENT: &str = "to=";
const NAMESPACE: &str = "functions.";

/// Reads a message.
pub(super) struct Harmony {
    header: Header,
    state: State,
}

#[derive(Default)]
struct Header {
    part: Part,
    role: Option<Span>,
    channel: Option<Span>,
    recipient: Option<Span>,
    /// A recipient that is another one.
    second: Option<Span>,
}

/// What the words of a header stand behind.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    /// The opener has not been read.
    #[default]
    Opener,
    Start,
    Channel,
    Constrain,
    /// The type of the body.
    Type,
}

enum State {
    Header,
    /// Behind `<|message|>`, with a recipient.
    Body,
    Object(Value),
    /// Behind the object, in front of `<|call|>`.
    Close(Span),
    /// In a body that is no object; where it begins.
    Other(usize, Search),
    /// In what is left of a message that has been refused.
    Rest(Search),
    /// In the analysis that begins at an offset.
    Analysis(usize, Search),
}

impl Harmony {
    pub(super) fn new() -> Self {
        Self { header: Header::default(), state: State::Header }
    }

    /// Reads on in the header.
    fn header(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if self.header.part == Part::Opener {
            let is_start = input.text[input.start..].starts_with(START);
            self.header.part = if is_start { Part::Start } else { Part::Channel };
        }
        loop {
            let rest = input.rest();
            input.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let rest = input.rest();
            let is_taken = match rest.bytes().next() {
                None => return Some(Step::More),
                Some(b'<') => match self.mark(rest) {
                    Ok((len, is_message)) => {
                        input.at += len;
                        if is_message {
                            return self.body_begins(input);
                        }
                        true
                    }
                    Err(Seen::More) => return Some(Step::More),
                    Err(_) => false,
                },
                Some(_) => match word(rest) {
                    Ok(len) => {
                        let is_word = self.header.word(&rest[..len], input);
                        input.at += if is_word { len } else { 0 };
                        is_word
                    }
                    Err(Seen::More) => return Some(Step::More),
                    Err(_) => false,
                },
            };
            if !is_taken {
                return Some(Step::Text(input.at));
            }
        }
    }

    /// A mark of a header: its length, and whether the body begins behind it.
    fn mark(&mut self, rest: &str) -> Result<(usize, bool), Seen> {
        let Header { part, role, channel, .. } = &mut self.header;
        let mut none = Seen::No;
        for mark in [CHANNEL, CONSTRAIN, MESSAGE] {
            match starts(rest, mark) {
                Seen::Yes if *part == Part::Start && role.is_none() => return Err(Seen::No),
                Seen::Yes if *part == Part::Channel && channel.is_none() => return Err(Seen::No),
                Seen::Yes if mark == MESSAGE => return Ok((mark.len(), true)),
                Seen::Yes if mark == CHANNEL && *part == Part::Start => *part = Part::Channel,
                Seen::Yes if mark == CONSTRAIN && matches!(part, Part::Start | Part::Channel) => {
                    *part = Part::Constrain
                }
                Seen::Yes => return Err(Seen::No),
                Seen::More => {
                    none = Seen::More;
                    continue;
                }
                Seen::No => continue,
            }
            return Ok((mark.len(), false));
        }
        Err(none)
    }

    /// The header is over.
    fn body_begins(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let role = self.header.role.map_or("assistant", |role| &input.text[role.range()]);
        let is_call = role == "assistant" && self.header.recipient.is_some();
        if is_call {
            self.state = State::Body;
        }
        if !Self::is_placed(input) {
            return if is_call { None } else { Some(Step::Text(input.at)) };
        }
        *input.within = Some(Dialect::Harmony);
        if is_call {
            return None;
        }
        if role != "assistant" {
            return Some(Step::Stop(input.start));
        }
        if self.header.channel.is_some_and(|channel| &input.text[channel.range()] == "analysis") {
            self.state = State::Analysis(input.at, Search::new(input.at));
            return None;
        }
        Some(Step::Done)
    }

    /// The reply ends in the header: it says nothing yet, unless it names a recipient where a message can stand.
    fn header_ends(&self, input: &mut Input<'_>) -> Step {
        let is_named = self.header.recipient.is_some() || input.rest().starts_with(RECIPIENT);
        match is_named {
            true if Self::is_placed(input) => Step::More,
            false if *input.within == Some(Dialect::Harmony) => {
                input.at = input.text.len();
                Step::Done
            }
            _ => Step::Text(input.at),
        }
    }

    /// Whether a message can stand here.
    fn is_placed(input: &Input<'_>) -> bool {
        input.is_line_start || *input.within == Some(Dialect::Harmony)
    }

    /// The name of the tool that is called.
    fn name<'a>(&self, input: &Input<'a>) -> &'a str {
        let whole = self.header.recipient.map_or("", |recipient| &input.text[recipient.range()]);
        match whole.strip_prefix(NAMESPACE) {
            Some(name) if input.tools.get(whole).is_none() => name,
            _ => whole,
        }
    }

    fn body(&mut self, input: &mut Input<'_>) -> Option<Step> {
        let start = input.at;
        if !input.skip_space() {
            return Some(Step::More);
        }
        if input.rest().starts_with('{') {
            self.state = State::Object(Value::arguments(input, self.name(input)));
            return None;
        }
        if !Self::is_placed(input) && input.tools.get(self.name(input)).is_none() {
            return Some(Step::Text(start));
        }
        self.state = State::Other(input.at, Search::new(input.at));
        None
    }

    fn object(&mut self, input: &mut Input<'_>, mut value: Value) -> Option<Step> {
        match value.read(input) {
            Told::More => {
                self.state = State::Object(value);
                Some(Step::More)
            }
            Told::Closed(_, span) => {
                self.state = State::Close(span);
                None
            }
            Told::Text(_) if !Self::is_placed(input) => Some(Step::Text(input.at)),
            Told::Text(wrong) | Told::Wrong(wrong) => self.refuse(input, *wrong),
        }
    }

    fn close(&mut self, input: &mut Input<'_>, object: Span) -> Option<Step> {
        let is_more = input.skip_space();
        match if is_more { input.literal(CALL) } else { Seen::More } {
            Seen::Yes => self.call(input, Arguments::Json(object)),
            Seen::More => {
                self.state = State::Close(object);
                Some(Step::More)
            }
            Seen::No => self.refuse(input, no_call(input.at)),
        }
    }

    /// A body that is no object: what it is, is known when its message ends.
    fn other(&mut self, input: &mut Input<'_>, start: usize, mut search: Search) -> Option<Step> {
        let Some((at, mark)) = search.find(input.text, b'<', end_of_message) else {
            self.state = State::Other(start, search);
            return Some(Step::More);
        };
        input.at = at;
        if mark != CALL {
            return self.refuse(input, no_call(at));
        }
        input.at += CALL.len();
        if at == start {
            return self.call(input, Arguments::Missing);
        }
        let is_offered = input.tools.get(self.name(input)).is_some();
        let code = if is_offered { CallCode::ArgumentsNotObject } else { CallCode::UnknownTool };
        input.refuse(Dialect::Harmony, Wrong::new(code, start).of(self.name(input)));
        Some(Step::Done)
    }

    /// The call is whole.
    fn call(&mut self, input: &mut Input<'_>, arguments: Arguments) -> Option<Step> {
        *input.within = Some(Dialect::Harmony);
        let name = self.name(input).to_owned();
        if let (Some(first), Some(second)) = (self.header.recipient, self.header.second) {
            let texts = [first, second].map(|span| serde_json::Value::from(&input.text[span.range()]).to_string());
            let wrong = Wrong::new(CallCode::TwoNames, second.start).of(&name);
            input.refuse(Dialect::Harmony, Wrong { candidates: texts.to_vec(), ..wrong });
        } else {
            let span = input.span();
            input.call(Dialect::Harmony, Written { name, id: None, arguments, span });
        }
        Some(Step::Done)
    }

    /// It is broken: what is left of the message is no text.
    fn refuse(&mut self, input: &mut Input<'_>, wrong: Wrong) -> Option<Step> {
        let name = self.name(input);
        input.refuse(Dialect::Harmony, wrong.of(name));
        self.state = State::Rest(Search::new(input.at));
        None
    }

    fn rest(&mut self, input: &mut Input<'_>, mut search: Search) -> Option<Step> {
        let found = search.find(input.text, b'<', end_of_message);
        if found.is_none() && input.end.is_none() {
            self.state = State::Rest(search);
            return Some(Step::More);
        }
        input.at = found.map_or(input.text.len(), |(at, mark)| at + own_len(mark));
        Some(Step::Broken)
    }

    fn analysis(&mut self, input: &mut Input<'_>, start: usize, mut search: Search) -> Option<Step> {
        let found = search.find(input.text, b'<', end_of_message);
        self.state = State::Analysis(start, search);
        match found {
            Some((at, mark)) => {
                input.reasoning.push(Span::new(start, at));
                input.at = at + own_len(mark);
                Some(Step::Done)
            }
            None => {
                if input.end.is_some() {
                    input.reasoning.push(Span::new(start, input.text.len()));
                }
                Some(Step::More)
            }
        }
    }
}

impl Header {
    /// Takes a word, if it may stand there.
    fn word(&mut self, word: &str, input: &Input<'_>) -> bool {
        let span = Span::new(input.at, input.at + word.len());
        if let Some(name) = word.strip_prefix(RECIPIENT) {
            let span = Span::new(span.end - name.len(), span.end);
            match self.recipient {
                None => self.recipient = Some(span),
                Some(first) if &input.text[first.range()] != name => self.second = Some(span),
                Some(_) => {}
            }
            return !name.is_empty();
        }
        match self.part {
            Part::Start if self.role.is_none() => self.role = Some(span),
            Part::Channel if self.channel.is_none() => {
                self.channel = Some(span);
                return ["analysis", "commentary", "final"].contains(&word);
            }
            Part::Channel | Part::Constrain => {
                let is_type = self.part == Part::Constrain || ["json", "code"].contains(&word);
                self.part = Part::Type;
                return is_type;
            }
            _ => return false,
        }
        true
    }
}

/// The length of the word at the beginning of a text, which holds nothing that could open a call.
fn word(rest: &str) -> Result<usize, Seen> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.=/:".contains(byte);
    let longest = LONGEST_NAME + RECIPIENT.len() + NAMESPACE.len();
    match rest.bytes().take(longest + 1).position(|byte| !is_word(&byte)) {
        Some(0) => Err(Seen::No),
        Some(len) => Ok(len),
        None if rest.len() <= longest => Err(Seen::More),
        None => Err(Seen::No),
    }
}

/// The mark that ends a message, at the beginning of a text: its own, or the first of another message.
fn end_of_message(text: &str) -> Result<&'static str, Seen> {
    let mut none = Seen::No;
    for mark in ENDS.into_iter().chain([START, CHANNEL]) {
        match starts(text, mark) {
            Seen::Yes => return Ok(mark),
            Seen::More => none = Seen::More,
            Seen::No => {}
        }
    }
    Err(none)
}

/// How much of a mark that ends a message is part of it.
fn own_len(mark: &str) -> usize {
    if ENDS.contains(&mark) { mark.len() } else { 0 }
}

/// The length of a mark that ends a message, at the beginning of a text.
pub(super) fn end(text: &str) -> Result<usize, Seen> {
    match end_of_message(text) {
        Ok(mark) if own_len(mark) > 0 => Ok(mark.len()),
        Ok(_) => Err(Seen::No),
        Err(seen) => Err(seen),
    }
}

impl Reader for Harmony {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Header) {
                State::Header => self.header(input),
                State::Body => {
                    self.state = State::Body;
                    self.body(input)
                }
                State::Object(value) => self.object(input, value),
                State::Close(object) => self.close(input, object),
                State::Other(start, search) => self.other(input, start, search),
                State::Rest(search) => self.rest(input, search),
                State::Analysis(start, search) => self.analysis(input, start, search),
            };
            match step {
                Some(Step::More) if input.end.is_some() && matches!(self.state, State::Header) => {
                    return self.header_ends(input);
                }
                Some(step) => return step,
                None => {}
            }
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::Harmony
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        match self.state {
            State::Analysis(..) => Wrong::new(CallCode::OpenReasoning, input.text.len()),
            _ => Wrong::new(CallCode::OpenCall, input.text.len()).of(self.name(input)),
        }
    }
}

/// The end of a message for the user: markup.
pub(super) struct End;

impl Reader for End {
    fn read(&mut self, _: &mut Input<'_>) -> Step {
        Step::Done
    }

    fn dialect(&self) -> Dialect {
        Dialect::Harmony
    }
}
