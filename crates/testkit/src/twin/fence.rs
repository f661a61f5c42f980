//! Fences: what a run of backticks or tildes means where it stands.

use super::locate::Reader;
use super::prose::{Info, Label, may_be_json, not_json};

/// A fence that is open.
pub(super) struct Fence {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) mark: u8,
    pub(super) len: usize,
    pub(super) label: Label,
    pub(super) inside: Inside,
}

/// Where in a fence the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Lead,
    Prose,
    Opaque,
}

/// What a run means; `decided` is the byte that told.
pub(super) enum Run {
    Text {
        resume: usize,
    },
    /// The reply ends before it is known: text, and nothing more to read.
    Held,
    Open {
        marker_end: usize,
        label: Label,
        content: usize,
        decided: usize,
    },
    Close {
        end: usize,
        decided: usize,
    },
}

/// Whether a label directly behind a run in a fence cannot begin like this.
fn is_no_label(character: char) -> bool {
    !character.is_ascii_alphanumeric()
}

impl Reader<'_> {
    /// What the run at `at` means.
    pub(super) fn fence_run(&self, at: usize) -> Run {
        let mark = self.byte(at);
        let len = self.text.as_bytes()[at..].iter().take_while(|&&byte| byte == mark).count();
        let end = at + len;
        let fits = self.fence.as_ref().is_none_or(|fence| fence.mark == mark && len >= fence.len);
        if len < 3 || !fits {
            return Run::Text { resume: end };
        }
        let is_prose = self.fence.as_ref().is_none_or(|fence| fence.inside == Inside::Prose);
        let mut glued = is_prose && ['"', '}', ']'].iter().any(|&before| self.trail.ends_with(before));
        if self.trail.marks() {
            glued = self.fence.is_none() && self.text[end..].starts_with(['"', '\\']);
        }
        if glued {
            // Of a string: nothing opens.
            let is_open = self.fence.is_some();
            return if is_open { Run::Close { end, decided: end } } else { Run::Text { resume: end } };
        }
        let Some(info) = Info::of(self.text, end) else {
            let word = self.text[end..].trim_start_matches([' ', '\t']);
            let is_direct = word.len() == self.text.len() - end && !word.starts_with(is_no_label);
            let any_label = self.trail.marks() && (self.fence.is_none() || is_direct);
            return match self.fence {
                _ if any_label || may_be_json(word) => Run::Held,
                Some(_) => Run::Close { end, decided: not_json(self.text, end) },
                None => Run::Text { resume: end },
            };
        };
        let label = info.label;
        let is_direct = info.start == end && label != Label::Plain && !self.text[end..].starts_with(is_no_label);
        if self.trail.marks() && (self.fence.is_none() || is_direct) {
            let opener_follows = matches!(self.byte(info.end), b'{' | b'[');
            if label == Label::Json || (label == Label::Plain && opener_follows) {
                return Run::Open { marker_end: end, label, content: info.end, decided: info.end };
            }
            let line = self.text[end..].split(['\n', '\r']).next().unwrap_or("");
            return match line.find('`').filter(|_| mark == b'`') {
                Some(tick) => Run::Text { resume: end + tick },
                None => Run::Open { marker_end: end, label, content: end + line.len(), decided: end + line.len() },
            };
        }
        match info.opens_json(self.text) {
            Some(true) => Run::Open { marker_end: end, label, content: info.end, decided: not_json(self.text, end) },
            Some(false) if self.fence.is_some() => Run::Close { end, decided: not_json(self.text, end) },
            Some(false) => Run::Text { resume: end },
            None => Run::Held,
        }
    }
}
