//! What stands in a fence that is not labelled JSON: all of it one document, or code.

use thusfar_core::Code;

use super::super::Class;
use super::super::fence::Run;
use super::super::grammar::Outcome;
use super::super::prose::{Label, line_ends, skip_insignificant, tag};
use super::{Reader, Unfinished};

impl Reader<'_> {
    /// An opener at the beginning of a fence without a label, or with another one: it counts if it is all there is.
    pub(super) fn content(&mut self, label: Label) {
        let start = self.at;
        let is_expected = self.is_expected(self.byte(start));
        let mut candidate = self.read_candidate(false, true);
        candidate.promise |= candidate.comma_first;
        self.was_open(&candidate);
        let repairs = if candidate.promise { candidate.repairs.clone() } else { Vec::new() };
        match candidate.outcome {
            Outcome::Limit(code, offset) => {
                self.doom(code, offset, candidate.end, &repairs);
                self.at = self.text.len();
            }
            Outcome::Open(code) => {
                self.unfinished = Some(Unfinished { code, is_expected, repairs });
                self.at = self.text.len();
            }
            Outcome::Broken(code, offset) => {
                // It looked like a document.
                self.opaque |= is_expected && label == Label::Plain;
                if candidate.promise && label == Label::Plain {
                    if is_expected {
                        self.doom(code, offset, candidate.end, &repairs);
                    }
                    self.mark(&candidate.frames, true);
                }
                self.advance(candidate.end);
            }
            Outcome::Closed => {
                let end = candidate.end;
                self.trail.push_whole(&self.text[start..end]);
                self.at = end;
                let stop = skip_insignificant(self.text, end, false);
                self.pass_over(stop);
                // The byte at which it was all there is.
                let alone = match self.byte(stop) {
                    b'`' | b'~' => match self.fence_run(stop) {
                        Run::Close { decided, .. } | Run::Open { decided, .. } => Some(decided),
                        Run::Held => Some(self.text.len()),
                        Run::Text { .. } => None,
                    },
                    _ => (stop == self.text.len()).then_some(stop),
                };
                if let (Some(decided), true) = (alone, is_expected) {
                    let repairs = candidate.repairs.clone();
                    match self.inside() {
                        Some(outermost) => {
                            self.closed.push((end, usize::MAX));
                            self.doom(Code::InsideBroken, outermost, decided, &repairs);
                        }
                        None => self.count(candidate, None, decided, decided),
                    }
                } else if alone.is_some() {
                    self.wrong_root.get_or_insert((start, candidate.repairs));
                } else if is_expected {
                    let told = match (self.byte(stop), self.fence_run(stop)) {
                        (b'`' | b'~', Run::Text { resume }) => resume,
                        _ => stop,
                    };
                    self.closed.push((end, told));
                    if let Some((true, tag_end)) = tag(self.text, stop) {
                        self.doom(Code::CloseTagBehind, stop, tag_end - 1, &[]);
                    }
                    self.opaque |= label == Label::Plain;
                }
            }
        }
    }

    /// Code in a fence: its runs, and without a label its candidates.
    pub(super) fn opaque(&mut self, label: Label) {
        let start = self.at;
        match self.byte(start) {
            b'`' | b'~' => self.run(),
            b'{' | b'[' if label == Label::Plain && !self.is_quoted_mark() => {
                let is_expected = self.is_expected(self.byte(start));
                let blank = self.trail.blank();
                self.set_class(start, self.text.len(), Class::Apart);
                let candidate = self.read_candidate(false, false);
                self.set_class(candidate.end, self.text.len(), Class::Open);
                self.was_open(&candidate);
                let repairs = if candidate.promise { candidate.repairs.clone() } else { Vec::new() };
                let closed = candidate.outcome == Outcome::Closed;
                let counts = closed && blank && self.braces.is_empty() && self.squares.is_empty();
                let alone = counts && line_ends(self.text, candidate.end).is_some();
                self.opaque |= is_expected && (candidate.promise || alone);
                match candidate.outcome {
                    Outcome::Limit(code, offset) => self.doom(code, offset, candidate.end, &repairs),
                    // Code that is cut is code.
                    Outcome::Open(_) => {}
                    Outcome::Closed | Outcome::Broken(..) => return self.advance(candidate.end),
                }
                self.at = self.text.len();
            }
            _ => {
                self.advance_character();
                self.set_class(start, self.at, Class::Apart);
            }
        }
    }
}
