//! The text so far as a reader of a dialect sees it, and what it says of it.
//!
//! # Theory
//!
//! A reader is called with all text so far and goes on where it stood (`at`). It moves `at` over what it has understood, and says
//! [`Step::More`] where a token is not complete. Tokens that may be incomplete are short (the longest tag, the longest name), searches
//! remember how far they came, and JSON is pushed into the engine once: so reading is linear, however the text is cut.
//!
//! # Invariants
//!
//! * A reader never moves back, and never asks what a shorter text would have answered otherwise.
//! * With `end`, [`Step::More`] means that the reply was cut inside the call.

use memchr::memmem;
use thusfar_core::{Cause, Document, Ending, Failure, Repair, Span};

use super::Tools;
use super::body::{Body, Read};
use super::call::{CallCode, RefusedCall, ToolCall};
use super::dialect::Dialect;
use super::heard::Heard;
use super::judge;
use super::list::LONGEST_NAME;
use super::shape;
use crate::contract::Check;

/// Bytes of the longest tag, its name included.
pub(super) const LONGEST_TAG: usize = LONGEST_NAME + 64;

/// What a reader says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// More text is needed.
    More,
    /// It was no call: all up to here is text, and reading goes on here.
    Text(usize),
    /// It was a whole JSON value that is data: the same, and nothing inside it matters.
    Data(usize),
    /// It was no call, but something that is broken: the same, and what follows may be a piece of it.
    Debris(usize),
    /// What there was to say has been said; reading goes on at `at`.
    Done,
    /// The same, but it was broken, and what follows may be a piece of it.
    Broken,
    /// The same, and from an offset on nothing counts: the model wrote in another's name.
    Stop(usize),
}

/// Reads what one dialect's opener began.
pub(super) trait Reader: Send + Sync {
    /// Goes on.
    fn read(&mut self, input: &mut Input<'_>) -> Step;

    /// Whether it is certain already that all of it is text; then it is handed on before it is over.
    fn is_text(&self) -> bool {
        false
    }

    /// Which dialect it is, as far as that is known.
    fn dialect(&self) -> Dialect;

    /// What is said of it when the reply ends inside it.
    fn cut(&self, input: &Input<'_>) -> Wrong {
        Wrong::new(CallCode::OpenCall, input.text.len())
    }
}

/// The text so far, and what has been found in it.
pub(super) struct Input<'a> {
    pub(super) tools: &'a Tools,
    pub(super) text: &'a str,
    /// Where the opener stands.
    pub(super) start: usize,
    /// Where reading goes on.
    pub(super) at: usize,
    /// Whether nothing but white space stands in front of the opener on its line.
    pub(super) is_line_start: bool,
    /// What ended the reply, if it has ended.
    pub(super) end: Option<Ending>,
    pub(super) found: &'a mut Vec<Finding>,
    /// Where reasoning stands that a dialect marks by itself.
    pub(super) reasoning: &'a mut Vec<Span>,
    /// The dialect whose messages the reply is made of, once one has been seen.
    pub(super) within: &'a mut Option<Dialect>,
    /// Repairs of JSON around calls, with their places in the reply.
    pub(super) repairs: &'a mut Vec<Repair>,
    /// Bytes looked at.
    pub(super) steps: &'a mut u64,
    /// What arguments in the value that was read last break of their tool's schema.
    pub(super) heard: &'a mut Vec<Heard>,
}

/// A call or what is none, and what that depends on.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) found: Found,
    /// It has no markup of its own: only its shape says that it is a call.
    pub(super) is_bare: bool,
    /// It counts only when nothing else stands in the reply.
    pub(super) is_alone: bool,
    /// Only separators stand between it and the bare call in front of it.
    pub(super) is_joined: bool,
}

#[derive(Debug)]
pub(super) enum Found {
    Call(ToolCall),
    Refused(RefusedCall),
}

impl Found {
    /// Takes in the markup around it.
    pub(super) fn widen(&mut self, around: Span) {
        match self {
            Found::Call(call) => call.span = around,
            Found::Refused(refused) => refused.span = around,
        }
    }

    pub(super) const fn dialect(&self) -> Dialect {
        match self {
            Found::Call(call) => call.dialect,
            Found::Refused(refused) => refused.dialect,
        }
    }
}

/// What is wrong with a call, and where.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    pub(super) code: CallCode,
    pub(super) offset: usize,
    pub(super) path: String,
    pub(super) name: Option<String>,
    pub(super) candidates: Vec<String>,
    pub(super) arguments: Option<Document>,
    pub(super) check: Check,
    /// The byte at which it was certain, if that is not the one that was read last.
    pub(super) decided_at: Option<usize>,
}

impl Wrong {
    pub(super) fn new(code: CallCode, offset: usize) -> Self {
        let (path, name, candidates, arguments) = (String::new(), None, Vec::new(), None);
        Self { code, offset, path, name, candidates, arguments, check: Check::default(), decided_at: None }
    }

    /// Arguments that break their tool's schema, whatever else is wrong with the call behind that.
    pub(super) fn of_schema(heard: &Heard) -> Self {
        let Heard { tool, violation, decided_at, .. } = heard;
        let check = Check { violations: vec![violation.clone()], is_cut: true, ..Check::default() };
        let wrong = Self::new(CallCode::Schema, violation.start).at(violation.path.clone()).of(tool);
        Self { check, decided_at: Some(*decided_at), ..wrong }
    }

    /// The engine's failure on a text that begins at an offset of the reply.
    pub(super) fn of_json(failure: &Failure, start: usize) -> Self {
        let wrong = Self::new(CallCode::Json(failure.code()), start + failure.offset());
        Self { path: failure.path().to_owned(), ..wrong }
    }

    /// The engine's failure on a call that is written as JSON, which begins at an offset of the reply.
    pub(super) fn of_call(failure: &Failure, start: usize, tools: &Tools) -> Self {
        let wrong = Self::of_json(failure, start);
        Self { path: shape::path_inside(&wrong.path, tools), ..wrong }
    }

    /// The same with the name of the tool.
    pub(super) fn of(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }

    /// The same about a part of the arguments.
    pub(super) fn at(self, path: String) -> Self {
        Self { path, ..self }
    }

    /// The refusal of what stands in `span`, certain at `decided_at`.
    pub(super) fn refused(self, dialect: Dialect, span: Span, decided_at: usize, ending: Ending) -> RefusedCall {
        let is_cut = self.code.outcome() == super::CallOutcome::Truncated;
        RefusedCall {
            code: self.code,
            cause: is_cut.then_some(Cause::of(ending)),
            dialect,
            span,
            offset: self.offset,
            decided_at: self.decided_at.unwrap_or(decided_at),
            path: self.path,
            name: self.name,
            arguments: self.arguments,
            candidates: self.candidates,
            check: self.check,
        }
    }
}

/// A call as a dialect has read it, not judged yet. Spans are bytes of the reply.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) arguments: Arguments,
    pub(super) span: Span,
}

/// Arguments as a dialect has read them.
#[derive(Clone, Debug)]
pub(super) enum Arguments {
    /// There are none.
    Missing,
    /// A JSON value of the reply.
    Json(Span),
    /// A JSON string of the reply, which may hold an object: its content.
    Inside(String, Span),
    /// A JSON text that was put together from what stands here.
    Built(String, Span),
    /// Parameters with their text.
    Fields(Vec<Field>),
}

/// One parameter as text between tags.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its text, without the markup around it.
    pub(super) text: Span,
    pub(super) says: FieldType,
}

/// What the markup says of a parameter's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldType {
    /// Nothing: the declared schema says it.
    Declared,
    /// A string.
    Text,
    /// A JSON value.
    Json,
}

/// Whether a literal stands here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Yes,
    No,
    /// The text ends inside it.
    More,
}

impl<'a> Input<'a> {
    /// What has not been understood yet.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads on in a value.
    pub(super) fn value(&mut self, body: &mut Body) -> Read {
        let read = body.read(self.text, self.end);
        self.at = body.read_to();
        self.heard.clear();
        self.heard.extend(body.heard());
        read
    }

    /// What is wrong with a value that is broken: what its arguments break, if that was certain before.
    pub(super) fn broken(&self, wrong: Wrong) -> Wrong {
        self.heard.first().map_or(wrong, Wrong::of_schema)
    }

    /// Passes white space. Whether something stands behind it.
    pub(super) fn skip_space(&mut self) -> bool {
        let rest = self.rest();
        let len = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        *self.steps += len as u64 + 1;
        self.at += len;
        self.at < self.text.len()
    }

    /// Passes a literal if it stands here.
    pub(super) fn literal(&mut self, literal: &str) -> Seen {
        let seen = starts(self.rest(), literal);
        *self.steps += literal.len() as u64;
        if seen == Seen::Yes {
            self.at += literal.len();
        }
        seen
    }

    /// Passes what stands in front of a literal, and the literal; gives what stands in front of it. No literal within the longest tag is
    /// [`Seen::No`].
    pub(super) fn up_to(&mut self, literal: &str) -> Result<&'a str, Seen> {
        let rest = self.rest();
        *self.steps += rest.len().min(LONGEST_TAG) as u64;
        match memmem::find(&rest.as_bytes()[..rest.len().min(LONGEST_TAG)], literal.as_bytes()) {
            Some(at) => {
                self.at += at + literal.len();
                Ok(&rest[..at])
            }
            None if rest.len() < LONGEST_TAG => Err(Seen::More),
            None => Err(Seen::No),
        }
    }

    /// From the opener to where reading stands.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.at)
    }

    /// Notes a call with markup of its own, once it is judged.
    pub(super) fn call(&mut self, dialect: Dialect, written: Written) {
        let finding = judge::written(self, dialect, written);
        self.found.push(finding);
    }

    /// Notes that what began at the opener, and has been read up to here, is no call that may be run.
    pub(super) fn refuse(&mut self, dialect: Dialect, wrong: Wrong) {
        let span = self.span();
        self.refuse_span(dialect, span, wrong);
    }

    /// The same of a part of it.
    pub(super) fn refuse_span(&mut self, dialect: Dialect, span: Span, wrong: Wrong) {
        let refused = wrong.refused(dialect, span, self.at, self.end.unwrap_or(Ending::Unknown));
        self.found.push(Finding { found: Found::Refused(refused), is_bare: false, is_alone: false, is_joined: false });
    }
}

/// Whether a text starts with a literal, or ends inside it.
pub(super) fn starts(text: &str, literal: &str) -> Seen {
    match text.len() < literal.len() {
        _ if text.starts_with(literal) => Seen::Yes,
        true if literal.starts_with(text) => Seen::More,
        _ => Seen::No,
    }
}

/// A search that goes on where it stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    from: usize,
}

impl Search {
    pub(super) const fn new(from: usize) -> Self {
        Self { from }
    }

    /// The first place from which `is_one` finds something. It is asked at each `first` byte, with the text from there on; the first
    /// place where it needs more text is where the search goes on.
    pub(super) fn find<T>(
        &mut self,
        text: &str,
        first: u8,
        mut is_one: impl FnMut(&str) -> Result<T, Seen>,
    ) -> Option<(usize, T)> {
        while let Some(at) = memchr::memchr(first, &text.as_bytes()[self.from..]) {
            self.from += at;
            match is_one(&text[self.from..]) {
                Ok(found) => return Some((self.from, found)),
                Err(Seen::More) => return None,
                Err(_) => self.from += 1,
            }
        }
        self.from = text.len();
        None
    }
}
