//! What stands where in a reply: prose, fences, reasoning, calls.
//!
//! # Theory
//!
//! The reading rules for what surrounds a call are the engine's, and so are the machines that know them: the line to the left, fences,
//! reasoning tags. In prose, an opener of a dialect or of JSON hands the reply to a reader; what the reader takes for no call is
//! text, and prose goes on where the reader stopped. In a fence only JSON is read, and only where the fence holds calls and nothing else.
//!
//! # Invariants
//!
//! * `told <= at <= reply.len()`. What stands between is held: it may be no text. All in front of `told` has been handed on, or is no text.
//! * `at` never moves back, and no state depends on where a chunk ended.

mod fence; // what stands in a fence
mod reasoning; // what stands between reasoning tags

use thusfar_core::locate::fence::Run;
use thusfar_core::locate::line::{Line, Marks};
use thusfar_core::{Ending, Repair, Span};

use super::Tools;
use super::call::{CallCode, ToolCall};
use super::dialect::{self, Before, Dialect, Json, Stand};
use super::heard::Heard;
use super::input::{Finding, Found, Input, Reader, Seen, Step, Wrong};
use crate::violation::Violation;
use fence::Fenced;

/// Bytes of closing tags behind a call that make a loop.
const MOST_CLOSERS: usize = 4096;
/// Findings in one reply.
const MOST_FOUND: usize = 10_000;
/// Bytes of all that is told of broken schemas in one reply.
const MOST_TOLD: usize = 8 << 20;

/// Finds the calls of a text.
pub(super) struct Finder {
    pub(super) tools: Tools,
    /// Whether reasoning tags mean anything: not in reasoning.
    has_reasoning: bool,
    pub(super) reply: String,
    /// Bytes looked at, as far as they are counted.
    pub(super) steps: u64,
    /// Bytes of the reply so far; those behind what ended the reading are not kept.
    pub(super) len: usize,
    at: usize,
    told: usize,
    line: Line,
    /// Between two backticks, or behind one.
    is_code: bool,
    /// Braces of prose that are open.
    braces: usize,
    is_debris: bool,
    state: State,
    pub(super) found: Vec<Finding>,
    /// Findings in front of the last reasoning tag that was never opened.
    doubted: usize,
    /// Where that tag ended, and how much reasoning stood in front of it.
    unopened: (usize, usize),
    /// What has been handed on, and where it stands; whether there is a word in it.
    pub(super) prose: String,
    has_words: bool,
    pub(super) pieces: Vec<Span>,
    pub(super) reasoning: String,
    pub(super) in_reasoning: Vec<ToolCall>,
    pub(super) repairs: Vec<Repair>,
    /// The dialect whose messages the reply is made of, once one has been seen.
    within: Option<Dialect>,
    /// Where the bare calls end behind which only separators have been seen.
    joint: Option<usize>,
    /// Where something ends that counts only as the whole reply, and its first finding; all since its beginning is held.
    lone: Option<(usize, usize)>,
    /// Where an opener ends that is quoted: what it would open is quoted too.
    quoted: Option<usize>,
    /// The same of a call and closing tags: where the call ended.
    closers: Option<usize>,
    /// The first finding whose text is raw: nothing in it is escaped.
    raw_from: Option<usize>,
    /// Findings of which the weight is known, and that weight.
    weighed: usize,
    weight: usize,
    /// What ended the reading before the reply ended.
    pub(super) over: Option<Wrong>,
    pub(super) invented: Option<usize>,
    /// What arguments break in the value that was read last; it may be open.
    pub(super) heard: Vec<Heard>,
    /// How often what was handed on turned out to be reasoning.
    pub(super) restarts: usize,
}

enum State {
    Prose,
    /// Marks that may open a fence.
    Run(Run),
    Fence(Box<Fenced>),
    /// Reasoning whose content begins at an offset.
    Reasoning {
        start: usize,
        depth: usize,
    },
    /// A call, if it is one.
    Call(Box<Open>),
    Over,
}

/// What a reader is reading.
struct Open {
    start: usize,
    at: usize,
    is_line_start: bool,
    /// Findings in front of it.
    found: usize,
    reader: Box<dyn Reader>,
}

impl Finder {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            has_reasoning: true,
            reply: String::new(),
            steps: 0,
            len: 0,
            at: 0,
            told: 0,
            line: Line::default(),
            is_code: false,
            braces: 0,
            is_debris: false,
            state: State::Prose,
            found: Vec::new(),
            doubted: 0,
            unopened: (0, 0),
            prose: String::new(),
            has_words: false,
            pieces: Vec::new(),
            reasoning: String::new(),
            in_reasoning: Vec::new(),
            repairs: Vec::new(),
            within: None,
            joint: None,
            lone: None,
            quoted: None,
            closers: None,
            raw_from: None,
            weighed: 0,
            weight: 0,
            over: None,
            invented: None,
            heard: Vec::new(),
            restarts: 0,
        }
    }

    /// The reply begins inside reasoning.
    pub(super) fn begin_in_reasoning(&mut self) {
        self.state = State::Reasoning { start: 0, depth: 1 };
    }

    /// Whether nothing that follows is read.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Whether something is open that may be a call.
    pub(super) fn is_open(&self) -> bool {
        self.told < self.reply.len() && matches!(self.state, State::Call(_) | State::Fence(_))
    }

    /// Takes more text.
    pub(super) fn push(&mut self, chunk: &str) {
        self.len += chunk.len();
        if self.is_over() {
            return;
        }
        self.reply.push_str(chunk);
        self.advance(None);
    }

    /// Takes the end.
    pub(super) fn finish(&mut self, ending: Ending) {
        self.advance(Some(ending));
        if let State::Reasoning { start, .. } = self.state {
            self.close_reasoning(start, self.reply.len());
            if self.found.is_empty() {
                self.over = Some(Wrong::new(CallCode::OpenReasoning, self.reply.len()));
            }
        } else if self.invented.is_none() && self.over.is_none() {
            self.told = self.lone.map_or(self.told, |(end, _)| end);
            self.hand_on(self.reply.len());
        }
        self.state = State::Over;
    }

    /// Reads on until more text is needed.
    fn advance(&mut self, end: Option<Ending>) {
        let mut moves = true;
        while moves {
            moves = match std::mem::replace(&mut self.state, State::Prose) {
                State::Prose => self.prose(end),
                State::Run(run) => self.run(run, end),
                State::Fence(fenced) => self.fence(fenced, end),
                State::Reasoning { start, depth } => self.think(start, depth, end),
                State::Call(open) => self.call(*open, end),
                State::Over => {
                    self.state = State::Over;
                    false
                }
            };
            let new = self.found.get(self.weighed..).unwrap_or_default();
            self.weight += new.iter().map(weight).sum::<usize>();
            self.weighed = self.found.len();
            if self.found.len() > MOST_FOUND || self.weight > MOST_TOLD {
                self.found.truncate(MOST_FOUND);
                self.stop(Wrong::new(CallCode::TooManyCalls, self.at));
                moves = false;
            }
        }
    }

    /// Ends the reading.
    pub(super) fn stop(&mut self, wrong: Wrong) {
        self.over = Some(wrong);
        self.reply.truncate(self.at);
        self.state = State::Over;
    }

    /// Hands text on.
    fn hand_on(&mut self, to: usize) {
        let Some(text) = self.reply.get(self.told..to).filter(|text| !text.is_empty()) else { return };
        self.has_words |= !text.trim_ascii().is_empty();
        self.prose.push_str(text);
        match self.pieces.last_mut() {
            Some(piece) if piece.end == self.told => piece.end = to,
            _ => self.pieces.push(Span::new(self.told, to)),
        }
        self.told = to;
    }

    /// The findings from here on count only as the whole reply: whether they still may. If not, they are text.
    fn doubt(&mut self, from: usize) -> bool {
        let is_lone = |finding: &Finding| finding.is_bare && finding.is_alone;
        if self.found.len() == from || !self.found[from..].iter().all(is_lone) {
            return false;
        }
        self.lone = Some((self.at, from));
        if from > 0 || self.has_words {
            self.drop_lone();
        }
        true
    }

    /// It is text.
    fn drop_lone(&mut self) {
        if let Some((_, from)) = self.lone.take() {
            self.found.truncate(from);
            self.joint = None;
        }
    }

    /// Takes one byte of prose.
    fn note(&mut self, byte: u8) {
        self.steps += 1;
        match byte {
            b'`' => self.is_code ^= self.line.last() != b'`',
            b'\n' | b'\r' => self.is_code = false,
            b'{' => self.braces += 1,
            b'}' => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.line.note(byte);
    }

    /// Takes a run of lower-case letters of prose, of which most prose is made: none of them opens anything.
    fn letters(&mut self) {
        let rest = &self.reply.as_bytes()[self.at..];
        let len = rest.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(rest.len());
        self.line.letters(&rest[..len]);
        self.at += len;
        self.steps += len as u64;
        self.separate(b'a');
    }

    /// Takes text up to an offset as prose.
    fn note_to(&mut self, to: usize) {
        for at in self.at..to {
            self.note(self.reply.as_bytes()[at]);
        }
        self.at = self.at.max(to);
    }

    /// Reads prose up to something else.
    fn prose(&mut self, end: Option<Ending>) -> bool {
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            let moves = match byte {
                b'`' | b'~' => {
                    let is_glued = matches!(self.line.last(), b'"' | b'\'' | b'}' | b']');
                    self.separate(byte);
                    self.state = State::Run(Run::begin(byte, self.line.marks(), is_glued, self.at));
                    self.at += 1;
                    Some(true)
                }
                b'<' => self.tag(end).or_else(|| self.markup(byte, end)),
                b'{' | b'[' => self.markup(byte, end).or_else(|| self.bare()),
                b'a'..=b'z' => {
                    self.letters();
                    continue;
                }
                _ if dialect::may_open(byte) => self.markup(byte, end),
                _ => None,
            };
            match moves {
                Some(true) => return true,
                Some(false) => break,
                None => {
                    self.separate(byte);
                    self.note(byte);
                    self.at += 1;
                }
            }
        }
        if self.joint.is_none() {
            self.hand_on(self.at);
        }
        false
    }

    /// What a byte of prose between calls says about them.
    fn separate(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            return;
        }
        self.closers = None;
        self.drop_lone();
        if byte != b';' {
            self.joint = None;
        }
    }

    /// An opener of a dialect.
    fn markup(&mut self, byte: u8, end: Option<Ending>) -> Option<bool> {
        if !dialect::may_open(byte) {
            return None;
        }
        let is_quoted = self.is_code || self.line.odd;
        let before = Before {
            is_line_start: self.line.blank,
            is_behind_call: self.closers.is_some(),
            is_behind_quote: matches!(self.line.last(), b'"' | b'\'' | b'`'),
            last: self.found.last().map(|finding| finding.found.dialect()),
            within: self.within,
            is_end: end.is_some(),
        };
        if is_quoted {
            return self.quotes(before, end);
        }
        self.steps += 1;
        match dialect::opener(&self.reply[self.at..], before) {
            Ok((len, reader)) => {
                self.begin(reader, len);
                Some(true)
            }
            Err(Seen::More) if end.is_none() => Some(false),
            // Of this quote mark nobody knows whether it opens or closes.
            Err(_) if self.line.last() == b'\'' => self.quotes(before, end),
            Err(_) => None,
        }
    }

    /// An opener in a quotation is text, and so is the JSON directly behind it.
    fn quotes(&mut self, before: Before, end: Option<Ending>) -> Option<bool> {
        self.steps += 1;
        let before = Before { is_behind_quote: false, within: None, ..before };
        match dialect::opener(&self.reply[self.at..], before) {
            Ok((len, _)) => self.quoted = Some(self.at + len),
            Err(Seen::More) if end.is_none() => return Some(false),
            Err(_) => {}
        }
        None
    }

    /// JSON without markup.
    fn bare(&mut self) -> Option<bool> {
        match self.quoted.take() {
            Some(from) if self.at < from => {
                self.quoted = Some(from);
                return None;
            }
            Some(from) if self.reply[from..self.at].trim_ascii().is_empty() => {
                self.quoted = Some(self.at + 1);
                return None;
            }
            _ => {}
        }
        let line = &self.line;
        if self.is_code || line.odd || line.last() == b'\'' || line.behind_call() || line.behind_member() {
            return None;
        }
        let is_inside = self.braces > 0 || self.is_debris;
        self.begin(Box::new(Json::new(Stand { is_fenced: false, is_inside })), 0);
        Some(true)
    }

    fn begin(&mut self, reader: Box<dyn Reader>, len: usize) {
        self.drop_lone();
        if self.joint.is_none() {
            self.hand_on(self.at);
        }
        let (start, at) = (self.at, self.at + len);
        self.state =
            State::Call(Box::new(Open { start, at, is_line_start: self.line.blank, found: self.found.len(), reader }));
    }

    /// Lets a reader go on; gives what it says, its cut told.
    fn read(&mut self, open: &mut Open, end: Option<Ending>) -> Step {
        let mut reasoning = Vec::new();
        let mut input = Input {
            tools: &self.tools,
            text: &self.reply,
            start: open.start,
            at: open.at,
            is_line_start: open.is_line_start,
            end,
            found: &mut self.found,
            reasoning: &mut reasoning,
            within: &mut self.within,
            repairs: &mut self.repairs,
            steps: &mut self.steps,
            heard: &mut self.heard,
        };
        *input.steps += 1;
        let mut step = open.reader.read(&mut input);
        if step == Step::More && end.is_some() {
            if open.reader.is_text() {
                step = Step::Text(self.reply.len());
            } else {
                let wrong = open.reader.cut(&input);
                input.at = self.reply.len();
                if wrong.code != CallCode::OpenReasoning {
                    input.refuse(open.reader.dialect(), wrong);
                } else if input.found.is_empty() {
                    self.over = Some(wrong);
                }
                step = Step::Done;
            }
        }
        open.at = input.at;
        if step != Step::More {
            self.heard.clear();
        }
        if self.is_debris {
            self.refuse_inside(open.found);
        }
        self.is_debris |= step == Step::Broken;
        for span in reasoning {
            self.close_reasoning(span.start, span.end);
        }
        step
    }

    /// What is found behind something broken may be a piece of it.
    fn refuse_inside(&mut self, from: usize) {
        for finding in &mut self.found[from..] {
            if let Found::Call(call) = &finding.found {
                let wrong = Wrong::new(CallCode::InsideBroken, call.span.start).of(&call.name);
                let end = call.span.end;
                finding.found = Found::Refused(wrong.refused(call.dialect, call.span, end, Ending::Unknown));
            }
        }
    }

    /// Reads what may be a call.
    fn call(&mut self, mut open: Open, end: Option<Ending>) -> bool {
        let found = open.found;
        let step = self.read(&mut open, end);
        match step {
            Step::More => {
                if open.reader.is_text() {
                    self.joint = None;
                    self.hand_on(open.at);
                }
                self.state = State::Call(Box::new(open));
                return false;
            }
            Step::Text(to) | Step::Data(to) | Step::Debris(to) => {
                self.separate(b'<');
                if matches!(step, Step::Data(_)) {
                    self.line.absorb(&self.reply.as_bytes()[self.at..to]);
                    self.at = to;
                } else {
                    self.note_to(to);
                    self.is_debris |= matches!(step, Step::Debris(_));
                }
                self.hand_on(self.at);
            }
            Step::Done | Step::Broken | Step::Stop(_) => {
                self.line.absorb(&self.reply.as_bytes()[self.at..open.at]);
                self.at = open.at;
                self.join(found, open.start);
                if !self.doubt(found) {
                    self.told = self.at;
                }
                if step == Step::Broken {
                    self.line.resume(Marks::No, false, false);
                }
                if let Step::Stop(from) = step {
                    self.invented = Some(from);
                    self.reply.truncate(self.at);
                    self.state = State::Over;
                }
            }
        }
        true
    }

    /// What the findings from here on are to those in front of them.
    fn join(&mut self, from: usize, start: usize) {
        let is_bare = self.found[from..].last().is_some_and(|finding| finding.is_bare);
        if is_bare && self.joint.is_some() {
            if let Some(first) = self.found.get_mut(from) {
                first.is_joined = true;
            }
        } else {
            self.hand_on(start);
        }
        for at in from + 1..self.found.len() {
            self.found[at].is_joined = true;
        }
        let is_raw = |at: &usize| self.found[*at].found.dialect().is_raw();
        self.raw_from = self.raw_from.or_else(|| (from..self.found.len()).find(is_raw));
        self.joint = is_bare.then_some(self.at);
        self.closers = (self.found.len() > from).then_some(self.at);
    }
}

/// Bytes that are told of what a call breaks.
fn weight(finding: &Finding) -> usize {
    match &finding.found {
        Found::Refused(refused) => refused.check.violations().iter().map(Violation::len).sum(),
        Found::Call(_) => 0,
    }
}
