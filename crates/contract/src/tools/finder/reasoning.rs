//! What stands between reasoning tags, and what tags show that was taken for something else.

use thusfar_core::locate::line::Line;
use thusfar_core::locate::tag::{Step as TagStep, Tag};
use thusfar_core::{Ending, Span};

use super::super::call::CallCode;
use super::super::dialect;
use super::super::input::{Found, Seen, Wrong};
use super::{Finder, MOST_CLOSERS, State};

impl Finder {
    /// A reasoning tag, or closing tags behind a call.
    pub(super) fn tag(&mut self, end: Option<Ending>) -> Option<bool> {
        if let Some(start) = self.closers.filter(|_| self.lone.is_none()) {
            match dialect::closer(&self.reply[self.at..]) {
                Ok(len) => {
                    self.hand_on(self.at);
                    self.at += len;
                    self.told = self.at;
                    if self.at - start > MOST_CLOSERS {
                        self.stop(Wrong::new(CallCode::ClosingTags, start));
                    }
                    return Some(true);
                }
                Err(Seen::More) if end.is_none() => return Some(false),
                Err(_) => {}
            }
        }
        if self.raw_from.is_some() && !self.is_code && !self.line.odd {
            match dialect::parameter_closer(&self.reply[self.at..]) {
                Ok(_) => self.doubt_raw(),
                Err(Seen::More) if end.is_none() => return Some(false),
                Err(_) => {}
            }
        }
        if !self.has_reasoning {
            return None;
        }
        match reasoning_tag(&self.reply[self.at..], self.line.blank) {
            (TagStep::More, _) if end.is_none() => Some(false),
            (TagStep::Open, len) if self.line.blank => {
                self.separate(b'<');
                self.hand_on(self.at);
                self.at += len;
                self.told = self.at;
                self.state = State::Reasoning { start: self.at, depth: 1 };
                Some(true)
            }
            (TagStep::Close, len) => {
                self.close_unopened(len);
                Some(true)
            }
            _ => None,
        }
    }

    /// Behind text, a parameter closes that is not open: the text of a call went on, and what was found since may be a piece of it.
    fn doubt_raw(&mut self) {
        let Some(from) = self.raw_from.take() else { return };
        for finding in &mut self.found[from..] {
            if let Found::Call(call) = &finding.found {
                let wrong = Wrong::new(CallCode::ExpectedMarkup, self.at).of(&call.name);
                finding.found = Found::Refused(wrong.refused(call.dialect, call.span, self.at, Ending::Unknown));
            }
        }
    }

    /// A closing tag that was never opened: what stands before it was reasoning.
    fn close_unopened(&mut self, len: usize) {
        let end = self.at + len;
        for finding in &mut self.found[self.doubted..] {
            if let Found::Call(call) = &finding.found {
                let wrong = Wrong::new(CallCode::CloseTagBehind, self.at).of(&call.name);
                finding.found = Found::Refused(wrong.refused(call.dialect, call.span, end, Ending::Unknown));
            }
        }
        self.doubted = self.found.len();
        let (from, len) = self.unopened;
        self.reasoning.truncate(len);
        self.reasoning.push_str(&self.reply[from..self.at]);
        self.unopened = (end, self.reasoning.len());
        self.restarts += usize::from(!self.prose.is_empty());
        self.prose.clear();
        self.pieces.clear();
        self.has_words = false;
        (self.at, self.told) = (end, end);
        self.lone = None;
        (self.joint, self.closers, self.is_debris, self.braces, self.is_code) = (None, None, false, 0, false);
        self.line = Line::default();
    }

    /// Reads reasoning up to the tag that closes it.
    pub(super) fn think(&mut self, start: usize, mut depth: usize, end: Option<Ending>) -> bool {
        while let Some(&byte) = self.reply.as_bytes().get(self.at) {
            if byte == b'<' {
                match reasoning_tag(&self.reply[self.at..], self.line.blank) {
                    (TagStep::More, _) if end.is_none() => break,
                    (TagStep::Open, _) if self.line.blank => depth += 1,
                    (TagStep::Close, len) => {
                        depth -= 1;
                        if depth == 0 {
                            self.close_reasoning(start, self.at);
                            self.at += len;
                            self.told = self.at;
                            // Behind it a line begins.
                            self.line = Line::default();
                            return true;
                        }
                    }
                    _ => {}
                }
            }
            self.line.note(byte);
            self.at += 1;
        }
        self.state = State::Reasoning { start, depth };
        false
    }

    /// Looks at the reasoning between two offsets.
    pub(super) fn close_reasoning(&mut self, start: usize, end: usize) {
        let content = &self.reply[start..end];
        self.reasoning.push_str(content);
        if !self.has_reasoning {
            return;
        }
        let mut inner = Finder::new(self.tools.clone());
        inner.has_reasoning = false;
        inner.push(content);
        inner.finish(Ending::Unknown);
        self.steps += inner.steps + content.len() as u64;
        for finding in inner.found {
            if let Found::Call(mut call) = finding.found {
                call.span = Span::new(start + call.span.start, start + call.span.end);
                self.in_reasoning.push(call);
            }
        }
    }
}

/// The reasoning tag at the beginning of a text, and its length.
fn reasoning_tag(text: &str, is_blank: bool) -> (TagStep, usize) {
    let mut tag = Tag::begin(is_blank, 0);
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match tag.step(byte) {
            TagStep::More => {}
            step => return (step, at + 1),
        }
    }
    (TagStep::More, text.len())
}
