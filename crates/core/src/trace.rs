//! Where in the document a place is: its JSON pointer (RFC 6901) and the frames around it.
//!
//! Worked out when a reply has failed, by reading the candidate once more; the hot path keeps neither keys nor indices for it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::expect::{Expect, Root};
use crate::failure::Frame;
use crate::limits::Limits;
use crate::scan::Scanner;
use crate::sink::{Event, Flow, Kind, Sink};
use crate::span::Span;
use crate::value::unescape;

/// The pointer of the innermost value that had begun at `offset` (or whose key was known), and the frames open there. `text` is
/// the candidate from its opener, at `start`, up to where the verdict was certain.
pub(crate) fn trace(text: &str, start: usize, offset: usize, expect: &Expect) -> (String, Vec<Frame>) {
    let again = Expect { root: Root::Value, in_reasoning: false, ..*expect }.limits(Limits::NONE);
    let mut trace = Trace { text, stop: offset.saturating_sub(start), frames: Vec::new() };
    let _ = Scanner::new(&again).push(text, &mut trace);
    let frame = |level: &Level| Frame { opener: level.kind.opener(), offset: start + level.at };
    let frames = trace.frames.iter().map(frame).collect();
    (trace.pointer(), frames)
}

struct Level {
    kind: Kind,
    at: usize,
    key: Option<Span>,
    index: usize,
    /// A value is open, or its key is known.
    begun: bool,
}

struct Trace<'a> {
    text: &'a str,
    stop: usize,
    frames: Vec<Level>,
}

impl Trace<'_> {
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for level in self.frames.iter().filter(|level| level.begun) {
            pointer.push('/');
            match level.key {
                Some(key) => {
                    let key = unescape(&self.text[key.range()]);
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                None => {
                    let _ = write!(pointer, "{}", level.index);
                }
            }
        }
        pointer
    }

    fn begin(&mut self) {
        if let Some(level) = self.frames.last_mut().filter(|level| level.kind == Kind::Array) {
            level.begun = true;
        }
    }

    fn end(&mut self) {
        if let Some(level) = self.frames.last_mut() {
            level.begun = false;
            level.key = None;
            level.index += 1;
        }
    }
}

impl Sink for Trace<'_> {
    const BYTES: bool = false;

    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Open { kind, at } if at <= self.stop => {
                self.begin();
                self.frames.push(Level { kind, at, key: None, index: 0, begun: false });
            }
            Event::Close { at, .. } if at < self.stop => {
                self.frames.pop();
                self.end();
            }
            Event::StringOpen { at, key: false } | Event::ScalarOpen { at, .. } if at <= self.stop => self.begin(),
            Event::Key { content, at, .. } if at <= self.stop => {
                if let Some(level) = self.frames.last_mut() {
                    level.key = Some(content);
                    level.begun = true;
                }
            }
            Event::String { end, .. } if end <= self.stop => self.end(),
            Event::Number { span } | Event::Literal { span } if span.end <= self.stop => self.end(),
            _ => {}
        }
        Flow::Continue
    }
}
