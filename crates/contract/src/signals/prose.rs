//! What of a reply is prose: no reasoning, no fence.
//!
//! The rules are the engine's, and so are the machines that know them: the line to the left, fences, reasoning tags.
//!
//! # Invariants
//!
//! * `at` never moves back, and no state depends on where a chunk ended. All in front of `at` has been handed on, or is no prose.
//! * `at <= seen <= reply.len()`: what has been handed on was known when `seen` bytes were.

use thusfar_core::locate::fence::{Fence, Label, Run, Step as Mark};
use thusfar_core::locate::line::Line;
use thusfar_core::locate::tag::{Step as Tag, Tag as Tags};

/// Finds the prose of a reply.
pub(super) struct Prose {
    pub(super) reply: String,
    at: usize,
    seen: usize,
    line: Line,
    /// Up to here marks that might have been a fence are text.
    plain_to: usize,
    state: State,
    /// Looks at a byte.
    pub(super) steps: u64,
}

#[derive(Clone, Copy)]
enum State {
    Text,
    /// Marks that may open a fence, or, in one, close it.
    Run(Run, Fence),
    Fence(Fence),
    /// Reasoning, so many tags deep.
    Reasoning(usize),
}

/// A piece of a reply, and how many bytes of it were needed to know it.
pub(super) enum Piece {
    Character(char, usize),
    /// Something that is no prose begins or ends here.
    Break(usize),
    /// A closing tag that was never opened: what stands in front of it was reasoning.
    Unopened,
}

impl Prose {
    pub(super) fn new(starts_in_reasoning: bool) -> Self {
        let state = if starts_in_reasoning { State::Reasoning(1) } else { State::Text };
        Self { reply: String::new(), at: 0, seen: 0, line: Line::default(), plain_to: 0, state, steps: 0 }
    }

    /// Whether reasoning is open.
    pub(super) const fn is_reasoning(&self) -> bool {
        matches!(self.state, State::Reasoning(_))
    }

    /// The next piece, and how many bytes had to be known for it. `None` where more of the reply is needed.
    pub(super) fn next(&mut self, is_end: bool) -> Option<(Piece, usize)> {
        loop {
            self.steps += 1;
            let piece = match self.state {
                State::Text => self.text(is_end)?,
                State::Run(run, fence) => self.run(run, fence, is_end)?,
                State::Fence(fence) => self.fence(fence)?,
                State::Reasoning(depth) => self.reasoning(depth, is_end)?,
            };
            if let Some(piece) = piece {
                // A reply comes in whole characters.
                while !self.reply.is_char_boundary(self.seen) {
                    self.seen += 1;
                }
                return Some((piece, self.seen));
            }
        }
    }

    /// The lower-case letters that come next, of which most prose is made: where they begin, where they end, and how many bytes had to be known
    /// for the first of them. None of them opens anything, so they are what [`next`](Self::next) would hand on one by one.
    pub(super) fn letters(&mut self) -> Option<(usize, usize, usize)> {
        let rest = self.reply.as_bytes().get(self.at..).filter(|_| matches!(self.state, State::Text))?;
        let len = rest.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(rest.len());
        if len == 0 {
            return None;
        }
        self.line.letters(&rest[..len]);
        let start = self.at;
        let seen = self.seen.max(start + 1);
        self.at += len;
        self.seen = self.seen.max(self.at);
        Some((start, self.at, seen))
    }

    /// Prose; `Some(None)` where something else begins.
    fn text(&mut self, is_end: bool) -> Option<Option<Piece>> {
        let character = self.reply[self.at..].chars().next()?;
        match character {
            '`' | '~' if self.at >= self.plain_to => {
                let run = Run::begin(character as u8, self.line.marks(), self.is_glued(), self.at);
                self.state = State::Run(run, Fence::default());
                self.at += 1;
                return Some(None);
            }
            '<' if self.at >= self.plain_to => match self.tag() {
                (Tag::More, _) if !is_end => return None,
                (Tag::Open, len) if self.line.blank => {
                    self.state = State::Reasoning(1);
                    self.at += len;
                    return Some(Some(Piece::Break(self.at - len)));
                }
                (Tag::Close, len) => {
                    self.at += len;
                    self.line = Line::default();
                    return Some(Some(Piece::Unopened));
                }
                _ => {}
            },
            _ => {}
        }
        let at = self.at;
        self.skip(character.len_utf8());
        self.seen = self.seen.max(self.at);
        Some(Some(Piece::Character(character, at)))
    }

    /// Takes bytes that are what they are.
    fn skip(&mut self, len: usize) {
        for byte in &self.reply.as_bytes()[self.at..self.at + len] {
            self.line.note(*byte);
        }
        self.at += len;
        self.steps += len as u64;
    }

    fn is_glued(&self) -> bool {
        matches!(self.line.last(), b'"' | b'\'' | b'}' | b']')
    }

    /// The reasoning tag that begins here, and its length.
    fn tag(&mut self) -> (Tag, usize) {
        let mut tag = Tags::begin(self.line.blank, self.at);
        for (at, byte) in self.reply[self.at..].bytes().enumerate().skip(1) {
            self.steps += 1;
            self.seen = self.seen.max(self.at + at + 1);
            match tag.step(byte) {
                Tag::More => {}
                step => return (step, at + 1),
            }
        }
        (Tag::More, self.reply.len() - self.at)
    }

    /// Marks that may open or close a fence.
    fn run(&mut self, mut run: Run, fence: Fence, is_end: bool) -> Option<Option<Piece>> {
        let is_inside = fence.label != Label::None;
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            self.seen = self.seen.max(self.at + 1);
            match run.step(byte, &fence) {
                Mark::More => self.at += 1,
                Mark::Open(label) => {
                    self.state = State::Fence(run.fence(label));
                    return Some((!is_inside).then_some(Piece::Break(run.start())));
                }
                Mark::Close => return Some(Some(self.close(run.end()))),
                Mark::Text => {
                    self.held_is_text(run.start(), fence);
                    return Some(None);
                }
            }
        }
        if !is_end {
            self.state = State::Run(run, fence);
            return None;
        }
        if run.closes_at_end(&fence) {
            let end = self.reply.len();
            return Some(Some(self.close(end)));
        }
        self.held_is_text(run.start(), fence);
        Some(None)
    }

    fn held_is_text(&mut self, start: usize, fence: Fence) {
        self.plain_to = self.at;
        if fence.label == Label::None {
            self.at = start;
            self.state = State::Text;
        } else {
            let len = self.at - start;
            self.at = start;
            self.skip(len);
            self.state = State::Fence(fence);
        }
    }

    fn close(&mut self, end: usize) -> Piece {
        self.at = end;
        self.line.absorb(&self.reply.as_bytes()[end.saturating_sub(4)..end]);
        self.state = State::Text;
        Piece::Break(end)
    }

    /// The content of a fence.
    fn fence(&mut self, fence: Fence) -> Option<Option<Piece>> {
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            if fence.is_mark(byte) && self.at >= self.plain_to {
                let run = Run::begin(byte, self.line.marks(), self.is_glued(), self.at);
                self.at += 1;
                self.state = State::Run(run, fence);
                return Some(None);
            }
            self.skip(1);
            self.seen = self.seen.max(self.at);
        }
        None
    }

    /// What stands between reasoning tags.
    fn reasoning(&mut self, mut depth: usize, is_end: bool) -> Option<Option<Piece>> {
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            if byte == b'<' {
                match self.tag() {
                    (Tag::More, _) if !is_end => return None,
                    (Tag::Open, _) if self.line.blank => depth += 1,
                    (Tag::Close, len) => {
                        depth -= 1;
                        if depth == 0 {
                            self.at += len;
                            self.line = Line::default();
                            self.state = State::Text;
                            return Some(Some(Piece::Break(self.at)));
                        }
                    }
                    _ => {}
                }
            }
            self.skip(1);
            self.seen = self.seen.max(self.at);
            self.state = State::Reasoning(depth);
        }
        None
    }
}
