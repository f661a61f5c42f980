//! What stands in a fence: calls and nothing else, or code.

use thusfar_core::Ending;
use thusfar_core::locate::fence::{Fence, Label, Run, Step as Mark};

use super::super::call::CallCode;
use super::super::dialect::{Json, Stand};
use super::super::input::{Found, Step, Wrong};
use super::{Finder, Open, State};

/// A fence and what is known of its content.
pub(super) struct Fenced {
    fence: Fence,
    /// Where its marks stand.
    start: usize,
    phase: Phase,
    /// Findings in front of it.
    found: usize,
}

enum Phase {
    /// Nothing but white space yet.
    Lead,
    Value(Open),
    /// Behind a call.
    Tail,
    /// Code.
    Opaque,
    /// Marks that may close it; whether only calls stand in front of them.
    Run(Run, bool),
}

impl Finder {
    /// Reads marks in prose that may open a fence.
    pub(super) fn run(&mut self, mut run: Run, end: Option<Ending>) -> bool {
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            match run.step(byte, &Fence::default()) {
                Mark::More => self.at += 1,
                Mark::Open(label) => {
                    if self.joint.is_none() {
                        self.hand_on(run.start());
                    }
                    self.open_fence(run, label);
                    return true;
                }
                Mark::Close | Mark::Text => {
                    self.run_is_text(run);
                    return true;
                }
            }
        }
        if end.is_some() {
            self.run_is_text(run);
            return true;
        }
        self.state = State::Run(run);
        false
    }

    fn run_is_text(&mut self, run: Run) {
        let to = self.at;
        self.at = run.start();
        self.note_to(to);
    }

    fn open_fence(&mut self, run: Run, label: Label) {
        self.drop_lone();
        let (fence, start, found) = (run.fence(label), run.start(), self.found.len());
        self.state = State::Fence(Box::new(Fenced { fence, start, phase: Phase::Lead, found }));
    }

    /// Reads in a fence.
    pub(super) fn fence(&mut self, mut fenced: Box<Fenced>, end: Option<Ending>) -> bool {
        match fenced.phase {
            Phase::Lead | Phase::Tail => {
                let is_tail = matches!(fenced.phase, Phase::Tail);
                let is_blank = |byte: u8| byte.is_ascii_whitespace() || (is_tail && byte == b';');
                while let Some(&byte) = self.reply.as_bytes().get(self.at).filter(|byte| is_blank(**byte)) {
                    self.line.note(byte);
                    self.at += 1;
                }
                let Some(&byte) = self.reply.as_bytes().get(self.at) else {
                    if is_tail && end.is_some() {
                        self.close_fence(&fenced, self.at);
                    } else {
                        self.state = State::Fence(fenced);
                    }
                    return false;
                };
                if matches!(byte, b'{' | b'[') {
                    let reader = Box::new(Json::new(Stand { is_fenced: true, is_inside: self.is_debris }));
                    fenced.phase = Phase::Value(Open {
                        start: self.at,
                        at: self.at,
                        is_line_start: true,
                        found: self.found.len(),
                        reader,
                    });
                } else if fenced.fence.is_mark(byte) {
                    fenced.phase = Phase::Run(Run::begin(byte, self.line.marks(), false, self.at), is_tail);
                    self.at += 1;
                } else {
                    let at = self.at;
                    self.is_code_fence(&mut fenced, at);
                }
            }
            Phase::Value(open) => {
                fenced.phase = Phase::Tail;
                let moves = self.fenced_value(&mut fenced, open, end);
                self.state = State::Fence(fenced);
                return moves;
            }
            Phase::Opaque => {
                while let Some(&byte) = self.reply.as_bytes().get(self.at) {
                    if fenced.fence.is_mark(byte) {
                        break;
                    }
                    self.line.note(byte);
                    self.at += 1;
                }
                self.hand_on(self.at);
                let Some(&byte) = self.reply.as_bytes().get(self.at) else {
                    self.state = State::Fence(fenced);
                    return false;
                };
                let is_glued = matches!(self.line.last(), b'"' | b'\'' | b'}' | b']');
                fenced.phase = Phase::Run(Run::begin(byte, self.line.marks(), is_glued, self.at), false);
                self.at += 1;
            }
            Phase::Run(run, is_tail) => return self.fence_run(fenced, run, is_tail, end),
        }
        self.state = State::Fence(fenced);
        true
    }

    /// The fence holds something else than calls, from an offset on.
    fn is_code_fence(&mut self, fenced: &mut Fenced, at: usize) {
        for finding in &mut self.found[fenced.found..] {
            if let Found::Call(call) = &finding.found {
                let wrong = Wrong::new(CallCode::TextAround, at).of(&call.name);
                finding.found = Found::Refused(wrong.refused(call.dialect, call.span, at, Ending::Unknown));
            }
        }
        if self.found.len() > fenced.found {
            self.told = self.told.max(at);
        }
        self.joint = None;
        fenced.phase = Phase::Opaque;
    }

    fn fenced_value(&mut self, fenced: &mut Fenced, mut open: Open, end: Option<Ending>) -> bool {
        match self.read(&mut open, end) {
            Step::More => {
                if open.reader.is_text() {
                    self.is_code_fence(fenced, open.start);
                    self.hand_on(open.at);
                }
                fenced.phase = Phase::Value(open);
                return false;
            }
            Step::Text(to) | Step::Data(to) | Step::Debris(to) => {
                for at in self.at..to {
                    self.line.note(self.reply.as_bytes()[at]);
                }
                self.at = to;
                self.is_code_fence(fenced, open.start);
            }
            Step::Done | Step::Broken | Step::Stop(_) => {
                self.line.absorb(&self.reply.as_bytes()[self.at..open.at]);
                self.at = open.at;
                for at in open.found + 1..self.found.len() {
                    self.found[at].is_joined = true;
                }
                fenced.phase = Phase::Tail;
            }
        }
        true
    }

    /// Reads marks that may close a fence.
    fn fence_run(&mut self, mut fenced: Box<Fenced>, mut run: Run, is_tail: bool, end: Option<Ending>) -> bool {
        fenced.phase = if is_tail { Phase::Tail } else { Phase::Opaque };
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            match run.step(byte, &fenced.fence) {
                Mark::More => self.at += 1,
                Mark::Close => {
                    self.at = run.end();
                    self.close_fence(&fenced, self.at);
                    return true;
                }
                Mark::Open(label) => {
                    self.close_fence(&fenced, run.start());
                    self.open_fence(run, label);
                    return true;
                }
                Mark::Text => {
                    self.mark_is_content(&mut fenced, run, is_tail);
                    self.state = State::Fence(fenced);
                    return true;
                }
            }
        }
        if end.is_none() {
            fenced.phase = Phase::Run(run, is_tail);
            self.state = State::Fence(fenced);
            return false;
        }
        if is_tail || run.closes_at_end(&fenced.fence) {
            self.close_fence(&fenced, self.reply.len());
        } else {
            self.mark_is_content(&mut fenced, run, is_tail);
            self.state = State::Fence(fenced);
        }
        true
    }

    fn mark_is_content(&mut self, fenced: &mut Fenced, run: Run, is_tail: bool) {
        let to = self.at;
        for at in run.start()..to {
            self.line.note(self.reply.as_bytes()[at]);
        }
        self.at = to;
        if is_tail {
            self.is_code_fence(fenced, run.start());
        } else {
            fenced.phase = Phase::Opaque;
        }
    }

    /// The fence is over at an offset.
    fn close_fence(&mut self, fenced: &Fenced, to: usize) {
        self.line.absorb(&self.reply.as_bytes()[to.saturating_sub(4)..to]);
        if self.found.len() > fenced.found && matches!(fenced.phase, Phase::Tail) {
            self.join(fenced.found, fenced.start);
            self.joint = Some(to);
            if !self.doubt(fenced.found) {
                self.told = to;
            }
        } else {
            self.joint = None;
            self.hand_on(to);
        }
    }
}
