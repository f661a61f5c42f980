//! Arguments that come as patches (Vertex `partialArgs`): where, and what. The text is the object written out.
//!
//! A patch goes on where the one before it ended: the same string, the next member or element, a new frame. The text is only
//! ever added to, so a patch that would go back is refused: the lane is malformed. Nothing closes the object but the end of
//! the call, so the closers are written when the choice has ended as it should.
//!
//! Invariants: each frame has at least one child; the newest child of each frame but the last is the next frame; a string is
//! open only as the newest child of the last frame.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use smallvec::SmallVec;

use super::limits::{LaneError, is_over};
use super::outcome::FaultCode;

/// What a key that is remembered counts, beside its bytes.
const KEY_COST: usize = 32;

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step<'a> {
    Key(&'a str),
    Index(u64),
}

/// A frame that is open.
enum Frame {
    /// Its keys stand in the list from here on; the newest is the last.
    Object { keys: usize },
    /// The number of its newest element.
    Array { newest: u64 },
}

/// What is open.
#[derive(Default)]
pub(super) struct Patch {
    frames: Vec<Frame>,
    /// The keys of the objects that are open, the outermost first.
    keys: Vec<Box<str>>,
    /// What they count.
    keys_len: usize,
    string: bool,
}

/// Why a patch is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Fault(FaultCode),
    Limit(LaneError),
}

/// A patch: the path, and the value. A string is its text, not as it was written.
pub(super) struct Piece<'a> {
    pub(super) path: &'a str,
    pub(super) value: &'a str,
    pub(super) is_string: bool,
    pub(super) goes_on: bool,
}

const ORDER: Refused = Refused::Fault(FaultCode::PatchOrder);
const PATH: Refused = Refused::Fault(FaultCode::PatchPath);

impl Patch {
    /// Writes one patch out, or nothing if it is refused. Linear in the patch and in the keys of one object.
    pub(super) fn apply(&mut self, piece: &Piece<'_>, limit: Option<usize>, out: &mut String) -> Result<(), Refused> {
        if let Some(limit) = is_over(self.keys_len + piece.path.len(), limit) {
            return Err(Refused::Limit(LaneError::PatchTooLong(limit)));
        }
        let steps = steps(piece.path).ok_or(PATH)?;
        if piece.value.is_empty() && !piece.is_string {
            return Err(PATH);
        }
        let common = self.common(&steps);
        let is_newest = self.newest(common) == Some(steps[common]);
        let is_last = is_newest && common + 1 == steps.len() && common + 1 == self.frames.len();
        if self.string {
            if !(is_last && piece.is_string) {
                return Err(ORDER);
            }
        } else {
            if is_newest || !self.fits(&steps, common) {
                return Err(ORDER);
            }
            let cost: usize = steps[common..].iter().map(Step::cost).sum();
            if let Some(limit) = is_over(self.keys_len + cost, limit) {
                return Err(Refused::Limit(LaneError::PatchTooLong(limit)));
            }
            self.go_to(&steps, common, out);
            out.push_str(if piece.is_string { "\"" } else { piece.value });
        }
        if piece.is_string {
            escape(piece.value, out);
            self.string = piece.goes_on;
            out.push_str(if piece.goes_on { "" } else { "\"" });
        }
        Ok(())
    }

    /// The call is over: closes what is open, unless it is a string, of which more was to come.
    pub(super) fn close(&mut self, out: &mut String) {
        if !self.string {
            self.close_to(0, out);
        }
    }

    /// How many frames a path goes down that are open.
    fn common(&self, steps: &[Step<'_>]) -> usize {
        let most = self.frames.len().min(steps.len()).saturating_sub(1);
        (0..most).take_while(|&at| self.newest(at) == Some(steps[at])).count()
    }

    /// The newest child of a frame.
    fn newest(&self, at: usize) -> Option<Step<'_>> {
        match self.frames.get(at)? {
            Frame::Array { newest } => Some(Step::Index(*newest)),
            Frame::Object { .. } => self.keys_of(at).last().map(|key| Step::Key(key)),
        }
    }

    /// The keys of a frame.
    fn keys_of(&self, at: usize) -> &[Box<str>] {
        let Some(Frame::Object { keys }) = self.frames.get(at) else { return &[] };
        let behind = self.frames[at + 1..].iter().find_map(|frame| match frame {
            Frame::Object { keys } => Some(*keys),
            Frame::Array { .. } => None,
        });
        &self.keys[*keys..behind.unwrap_or(self.keys.len())]
    }

    /// Whether the next child of a frame can be what the path says, and all below it begins at its beginning.
    fn fits(&self, steps: &[Step<'_>], common: usize) -> bool {
        let below = &steps[common + usize::from(!self.frames.is_empty())..];
        let fits = match (self.frames.get(common), steps[common]) {
            (None, _) => true,
            (Some(Frame::Array { newest }), Step::Index(index)) => newest.checked_add(1) == Some(index),
            (Some(Frame::Object { .. }), Step::Key(key)) => self.keys_of(common).iter().all(|other| **other != *key),
            _ => false,
        };
        fits && below.iter().all(|step| !matches!(step, Step::Index(1..)))
    }

    /// Closes what the path leaves and opens what it enters, up to the value.
    fn go_to(&mut self, steps: &[Step<'_>], common: usize, out: &mut String) {
        let mut rest = &steps[common..];
        if !self.frames.is_empty() {
            self.close_to(common + 1, out);
            out.push(',');
            if let (Some(Frame::Array { newest }), Step::Index(index)) = (self.frames.last_mut(), rest[0]) {
                *newest = index;
            }
            self.child(rest[0], out);
            rest = &rest[1..];
        }
        for &step in rest {
            let (frame, opener) = match step {
                Step::Key(_) => (Frame::Object { keys: self.keys.len() }, '{'),
                Step::Index(newest) => (Frame::Array { newest }, '['),
            };
            self.frames.push(frame);
            out.push(opener);
            self.child(step, out);
        }
    }

    /// Writes what stands in front of a value.
    fn child(&mut self, step: Step<'_>, out: &mut String) {
        if let Step::Key(key) = step {
            self.keys_len += step.cost();
            self.keys.push(key.into());
            out.push('"');
            escape(key, out);
            out.push_str("\":");
        }
    }

    /// Closes frames until so many are open.
    fn close_to(&mut self, open: usize, out: &mut String) {
        while self.frames.len() > open {
            match self.frames.pop() {
                Some(Frame::Object { keys }) => {
                    let gone: usize = self.keys.drain(keys..).map(|key| key.len() + KEY_COST).sum();
                    self.keys_len -= gone;
                    out.push('}');
                }
                _ => out.push(']'),
            }
        }
    }
}

impl Step<'_> {
    /// What it counts to remember it.
    fn cost(&self) -> usize {
        match self {
            Step::Key(key) => key.len() + KEY_COST,
            Step::Index(_) => 0,
        }
    }
}

/// The steps of a path: `$`, then `.name`, `['name']`, `["name"]` or `[0]`, at least one. Nothing if it is anything else.
fn steps(path: &str) -> Option<SmallVec<[Step<'_>; 8]>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = SmallVec::new();
    while !rest.is_empty() {
        let (step, behind) = match rest.strip_prefix('.') {
            Some(name) => {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                (Step::Key(&name[..end]), &name[end..])
            }
            None => bracket(rest.strip_prefix('[')?)?,
        };
        if matches!(step, Step::Key("")) {
            return None;
        }
        steps.push(step);
        rest = behind;
    }
    (!steps.is_empty()).then_some(steps)
}

/// What stands between brackets, and what stands behind them. A quoted name with a backslash has no one reading.
fn bracket(rest: &str) -> Option<(Step<'_>, &str)> {
    if let Some(quote @ ('\'' | '"')) = rest.chars().next() {
        let (name, behind) = rest[1..].split_once(quote)?;
        let name = Some(name).filter(|name| !name.contains('\\'))?;
        return Some((Step::Key(name), behind.strip_prefix(']')?));
    }
    let (digits, behind) = rest.split_once(']')?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((Step::Index(digits.parse().ok().filter(|_| is_number)?), behind))
}

/// Writes text as it stands in a JSON string.
fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            // Writing to a string cannot fail.
            '\0'..' ' => _ = write!(out, "\\u{:04x}", u32::from(char)),
            _ => out.push(char),
        }
    }
}

#[cfg(test)]
mod tests;
