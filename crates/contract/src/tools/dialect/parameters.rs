//! A call whose parameters are text between tags, read by the style of its tags.
//!
//! # Theory
//!
//! The opening tag names the tool; what follows it decides whether it is a call at all: a parameter, JSON where the style has it, or the
//! tag that ends the call. Anything else, and prose only mentioned a tag. From then on nothing is text: between parameters stand tags and
//! white space.
//!
//! A parameter's text is raw: nothing in it is escaped, so nothing in it can be told from the markup around it. `&lt;` stays `&lt;`,
//! since no template of these models escapes. It ends at the first tag that closes it, unless another tag of the dialect stands in
//! front of that: then either the parameter was cut, and a later call would close it, or its text is about calls. Nobody can tell, so
//! the call is refused, and so is all that follows to the end of the reply: a call in there may be a piece of the text.
//!
//! ```text
//! Head ── { ──> Json ──> JsonEnd ──> call
//!  │ │                      │
//!  │ └─ parameter ─> Text   └──> Broken ──> (the end)
//!  │                  │ ^          ^
//!  └─ end ─> call     v │          │
//!                   Between ───────┘
//! ```
//!
//! # Invariants
//!
//! * `at` stands behind the last whole tag, or inside a text at the first byte that may begin a tag.
//! * Nothing is noted before the last byte of what closes the call.
//!
//! # If you add a style
//!
//! [`Style::is_own`] must know every tag that shows that a parameter was not closed; a test cuts each whole call in front of another.

use thusfar_core::Span;

use super::super::body::{Body, Read};
use super::super::call::{CallCode, CallOutcome};
use super::super::heard::Ear;
use super::super::input::{
    Arguments, Field, FieldType, Input, LONGEST_TAG, Reader, Search, Seen, Step, Written, Wrong,
};
use super::Dialect;

/// What an opening tag of a call says.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) id: Option<String>,
    /// What stands in front of the names of its tags.
    pub(super) prefix: String,
    /// Bytes of the tag.
    pub(super) len: usize,
}

/// What an opening tag of a parameter says.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) says: FieldType,
    pub(super) prefix: String,
    pub(super) len: usize,
}

/// JSON as arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonBody {
    /// There is none: parameters only.
    None,
    /// It may stand in place of parameters, and the call ends with its tag.
    Closed,
    /// It stands in place of parameters, and the call ends with it.
    Bare,
}

/// How the tags of a dialect are written. Each function is asked at a `<`, and says [`Seen::More`] only of a short text.
pub(super) trait Style: Send + Sync {
    fn dialect(&self) -> Dialect;

    /// The tag that opens the call.
    fn header(&self, text: &str) -> Result<Header, Seen>;

    /// A tag that opens a parameter.
    fn opens(&self, text: &str) -> Result<Opened, Seen>;

    /// The tag that closes a parameter with this prefix.
    fn closes(&self, text: &str, prefix: &str) -> Result<usize, Seen>;

    /// The tag that ends a call with this prefix.
    fn ends(&self, text: &str, prefix: &str) -> Result<usize, Seen>;

    /// Whether a tag of the dialect begins here, of any prefix, complete or not.
    fn is_own(&self, text: &str) -> Seen;

    /// Whether JSON may stand in place of parameters.
    fn json(&self) -> JsonBody {
        JsonBody::None
    }

    /// Whether the call may stand behind a text.
    fn stands_behind(&self, _before: &str) -> bool {
        true
    }

    /// A parameter's text without what is markup too.
    fn content(&self, _text: &str, span: Span) -> Span {
        span
    }
}

/// Reads one call.
pub(super) struct Call<S> {
    style: S,
    header: Option<Header>,
    fields: Vec<Field>,
    state: State,
}

enum State {
    /// Behind the opening tag.
    Head,
    Between,
    Text(Opened, usize, Search),
    Json(Box<Body>),
    /// Behind JSON.
    JsonEnd(Span),
    /// Refused, to the end of the reply.
    Broken(Box<Wrong>),
}

/// What stands in a parameter's text.
enum Mark {
    /// What closes it, of so many bytes.
    Closes(usize),
    /// Another tag of the dialect.
    Own,
}

impl<S: Style> Call<S> {
    pub(super) fn new(style: S) -> Self {
        Self { style, header: None, fields: Vec::new(), state: State::Head }
    }

    fn name(&self) -> &str {
        self.header.as_ref().map_or("", |header| &header.name)
    }

    fn prefix(&self) -> &str {
        self.header.as_ref().map_or("", |header| &header.prefix)
    }

    /// Whether prose may only have mentioned the tags: the name was not offered, and words stand in front of it on its line.
    fn is_mention(&self, input: &Input<'_>) -> bool {
        input.tools.get(self.name()).is_none() && !stands_apart(input)
    }

    fn head(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if self.header.is_none() {
            let Ok(header) = self.style.header(&input.text[input.start..]) else { return Some(Step::Text(input.at)) };
            if !self.style.stands_behind(&input.text[..input.start]) {
                return Some(Step::Text(input.at));
            }
            self.header = Some(header);
        }
        if !input.skip_space() {
            return Some(self.more(input));
        }
        if self.style.json() != JsonBody::None && input.rest().starts_with('{') {
            self.state = State::Json(Box::new(Body::heard_by(input.at, Ear::named(input.tools, self.name()))));
            return None;
        }
        match self.style.ends(input.rest(), self.prefix()) {
            // A call of nothing, among words: they are about the tag.
            Ok(_) if !stands_apart(input) => return Some(Step::Text(input.at)),
            Ok(len) => return Some(self.close(input, len)),
            Err(Seen::More) => return Some(self.more(input)),
            Err(_) => {}
        }
        match self.style.opens(input.rest()) {
            Ok(opened) => {
                self.open(input, opened);
                None
            }
            Err(Seen::More) => Some(self.more(input)),
            Err(_) => Some(Step::Text(input.at)),
        }
    }

    fn between(&mut self, input: &mut Input<'_>) -> Option<Step> {
        if !input.skip_space() {
            return Some(self.more(input));
        }
        match self.style.ends(input.rest(), self.prefix()) {
            Ok(len) => return Some(self.close(input, len)),
            Err(Seen::More) => return Some(self.more(input)),
            Err(_) => {}
        }
        match self.style.opens(input.rest()) {
            Ok(opened) => {
                self.open(input, opened);
                None
            }
            Err(Seen::More) => Some(self.more(input)),
            Err(_) => {
                let is_tag = match self.style.is_own(input.rest()) {
                    Seen::More if input.end.is_none() => return Some(Step::More),
                    seen => seen == Seen::Yes,
                };
                let code = if is_tag { CallCode::ExpectedMarkup } else { CallCode::TextBetween };
                Some(self.refuse(input, Wrong::new(code, input.at)))
            }
        }
    }

    fn open(&mut self, input: &mut Input<'_>, opened: Opened) {
        input.at += opened.len;
        self.state = State::Text(opened, input.at, Search::new(input.at));
    }

    fn text(&mut self, input: &mut Input<'_>, opened: Opened, start: usize, mut search: Search) -> Option<Step> {
        let style = &self.style;
        let found = search.find(input.text, b'<', |text| match style.closes(text, &opened.prefix) {
            Ok(len) => Ok(Mark::Closes(len)),
            Err(Seen::More) => Err(Seen::More),
            Err(_) => match style.is_own(text) {
                Seen::Yes => Ok(Mark::Own),
                seen => Err(seen),
            },
        });
        match found {
            None => {
                self.state = State::Text(opened, start, search);
                Some(self.more(input))
            }
            Some((at, Mark::Own)) => {
                input.at = at;
                let path = super::super::judge::token(&opened.name);
                Some(self.refuse(input, Wrong::new(CallCode::UnclosedParameter, at).at(format!("/{path}"))))
            }
            Some((at, Mark::Closes(len))) => {
                input.at = at + len;
                let text = self.style.content(input.text, Span::new(start, at));
                self.fields.push(Field { name: opened.name, text, says: opened.says });
                self.state = State::Between;
                None
            }
        }
    }

    fn json(&mut self, input: &mut Input<'_>, mut body: Box<Body>) -> Option<Step> {
        match input.value(&mut body) {
            Read::More => {
                self.state = State::Json(body);
                Some(Step::More)
            }
            Read::Closed(_, end) => {
                input.at = end;
                self.state = State::JsonEnd(Span::new(body.start(), end));
                None
            }
            Read::Broken(failure) => {
                let wrong = Wrong::of_json(&failure, body.start());
                Some(match wrong.code.outcome() == CallOutcome::Truncated {
                    true if self.is_mention(input) => Step::Text(input.text.len()),
                    false if !body.outline().is_promise && self.is_mention(input) => Step::Text(input.at),
                    _ => self.refuse(input, input.broken(wrong)),
                })
            }
        }
    }

    fn json_end(&mut self, input: &mut Input<'_>, json: Span) -> Option<Step> {
        if self.style.json() == JsonBody::Bare {
            return Some(self.note(input, Arguments::Json(json)));
        }
        self.state = State::JsonEnd(json);
        if !input.skip_space() {
            return Some(self.more(input));
        }
        match self.style.ends(input.rest(), self.prefix()) {
            Ok(len) => {
                input.at += len;
                Some(self.note(input, Arguments::Json(json)))
            }
            Err(Seen::More) => Some(self.more(input)),
            Err(_) => Some(self.refuse(input, Wrong::new(CallCode::ExpectedMarkup, input.at))),
        }
    }

    fn close(&mut self, input: &mut Input<'_>, len: usize) -> Step {
        input.at += len;
        let fields = std::mem::take(&mut self.fields);
        self.note(input, Arguments::Fields(fields))
    }

    fn note(&mut self, input: &mut Input<'_>, arguments: Arguments) -> Step {
        let Some(Header { name, id, .. }) = self.header.take() else { return Step::Done };
        input.call(self.dialect_of(&arguments), Written { name, id, arguments, span: input.span() });
        Step::Done
    }

    fn dialect_of(&self, arguments: &Arguments) -> Dialect {
        match arguments {
            Arguments::Json(_) => Dialect::Function,
            _ => self.style.dialect(),
        }
    }

    /// More text is needed; at the end of the reply it is cut, if a call was meant.
    fn more(&self, input: &Input<'_>) -> Step {
        match input.end {
            Some(_) if self.is_mention(input) => Step::Text(input.text.len()),
            _ => Step::More,
        }
    }

    /// Refuses the call, and all that follows.
    fn refuse(&mut self, input: &Input<'_>, wrong: Wrong) -> Step {
        if self.is_mention(input) {
            return Step::Debris(input.at);
        }
        self.state = State::Broken(Box::new(wrong));
        Step::More
    }
}

/// Whether nothing stands in front of the opener on its line, or a tag does: no arrow, and no mark of a quotation.
fn stands_apart(input: &Input<'_>) -> bool {
    input.is_line_start || ends_with_tag(input.text[..input.start].trim_end())
}

fn ends_with_tag(text: &str) -> bool {
    let Some(inner) = text.strip_suffix('>') else { return false };
    let window = &inner.as_bytes()[inner.len().saturating_sub(LONGEST_TAG)..];
    let opens = memchr::memrchr2(b'<', b'>', window).filter(|&at| window[at] == b'<');
    opens.and_then(|at| window.get(at + 1)).is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'-')
}

impl<S: Style> Reader for Call<S> {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        loop {
            let step = match std::mem::replace(&mut self.state, State::Between) {
                State::Head => {
                    self.state = State::Head;
                    self.head(input)
                }
                State::Between => self.between(input),
                State::Text(opened, start, search) => self.text(input, opened, start, search),
                State::Json(body) => self.json(input, body),
                State::JsonEnd(json) => self.json_end(input, json),
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
        match (&self.state, self.style.json()) {
            (State::Json(_) | State::JsonEnd(_), _) | (_, JsonBody::Bare) => Dialect::Function,
            _ => self.style.dialect(),
        }
    }

    fn cut(&self, input: &Input<'_>) -> Wrong {
        let end = input.text.len();
        let wrong = match &self.state {
            State::Broken(wrong) => (**wrong).clone(),
            State::Text(opened, ..) => {
                let path = super::super::judge::token(&opened.name);
                Wrong::new(CallCode::OpenParameter, end).at(format!("/{path}"))
            }
            _ => Wrong::new(CallCode::OpenCall, end),
        };
        match self.header.as_ref() {
            Some(header) => wrong.of(&header.name),
            None => wrong,
        }
    }
}
