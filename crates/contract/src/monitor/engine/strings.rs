//! Content of strings, keys and numbers, as it comes.

use thusfar_core::Span;

use super::{Engine, With};
use crate::monitor::kleene::Status;
use crate::monitor::stack::Cause;
use crate::monitor::text::{self, Heard};
use crate::schema::program::Kind;

impl Engine {
    /// More of a string, a key or a number.
    pub(in crate::monitor) fn content(&mut self, with: With<'_>, span: Span, text: &str) {
        if self.is_recorded() {
            if self.in_number { self.record.push(text) } else { self.record.push_content(text) }
        }
        if self.skipped > 0 {
            return;
        }
        if self.is_key_open {
            if self.keys.len() + text.len() > self.limits.keys {
                return self.give_up();
            }
            self.keys.push_str(text);
            self.narrow_key(with, span, text);
        } else if self.skips_leaf {
            return;
        } else if self.in_number {
            if self.number.len() + text.len() <= self.limits.text && !self.number.ends_with('?') {
                self.number.push_str(text);
            } else if !self.number.ends_with('?') {
                // No number, so that nothing is said of it.
                self.number.push('?');
            }
            return;
        }
        self.hear(with, span, text);
    }

    /// Holds more of a string or key against what is asked of it.
    fn hear(&mut self, with: With<'_>, span: Span, text: &str) {
        let Some(top) = self.stack.frames.len().checked_sub(1) else { return };
        let before = self.text.len;
        if self.stack.frames[top].kind == Kind::String {
            for i in self.stack.range(top) {
                let instance = &mut self.stack.instances[i];
                if !instance.is_open() {
                    continue;
                }
                let Some(plan) = &with.program.plan(instance.node).text else { continue };
                match text::hear(plan, instance, &self.text, text) {
                    Heard::Nothing => {}
                    heard @ (Heard::Valid(at) | Heard::Dead(at, _)) => self.heard.push((at, i as u32, heard)),
                }
            }
            self.text.take(text, self.limits.text);
        }
        if !self.heard.is_empty() {
            self.act(with, span, text, before);
        }
    }

    /// Acts on what was heard byte by byte, as if the bytes had come one by one.
    #[cold]
    fn act(&mut self, with: With<'_>, span: Span, text: &str, before: usize) {
        let top = self.stack.frames.len() - 1;
        let mut heard = std::mem::take(&mut self.heard);
        heard.sort_unstable_by_key(|&(at, i, _)| (at, i));
        let is_escape = span.len() != text.len();
        for same in heard.chunk_by(|one, other| one.0 == other.0) {
            self.stack.event += 1;
            let at = same[0].0;
            let offset = if is_escape { span.end - 1 } else { span.start + at };
            for &(_, i, heard) in same {
                let instance = &mut self.stack.instances[i as usize];
                match heard {
                    Heard::Valid(_) if instance.is_open() => instance.local = Status::Valid,
                    // A character too many begins with its escape.
                    Heard::Dead(_, cause @ Cause::MaxLength) if is_escape => {
                        self.stack.kill(i as usize, cause, span.start);
                    }
                    Heard::Dead(_, cause @ Cause::Unknown) => {
                        let offset = instance.spent_at.min(offset);
                        self.stack.kill(i as usize, cause, offset);
                    }
                    Heard::Dead(_, cause) => self.stack.kill(i as usize, cause, offset),
                    _ => {}
                }
            }
            self.told_at = offset;
            self.shown = Some(before + character_end(text, at));
            self.key_shown = self.is_key_open.then(|| self.keys.len() - text.len() + character_end(text, at));
            let first = self.stack.frames[top].first;
            let is_below = |same: &[(usize, u32, Heard)]| same.iter().any(|&(_, i, _)| i < first);
            if is_below(same) && self.sink(with, top - 1, offset) {
                break;
            }
            if self.sink(with, top, offset) {
                break;
            }
        }
        heard.clear();
        self.heard = heard;
        (self.shown, self.key_shown) = (None, None);
        let kind = self.stack.frames[top].kind;
        if !self.is_over && kind == Kind::String {
            self.close_decided(top, kind);
        }
    }
}

/// Where the character ends that holds the byte with an index.
fn character_end(text: &str, at: usize) -> usize {
    (at + 1..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len())
}
