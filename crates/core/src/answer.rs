//! What a reply comes to: a document, a verdict or a failure.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::choose::Pick;
use crate::desk::Desk;
use crate::document::{Document, Verdict};
use crate::ending::{Cause, Ending, Progress};
#[cfg(feature = "bytes")]
use crate::expect::Keep;
use crate::expect::{Expect, Take};
use crate::failure::{Code, Failure, Inner};
use crate::raw::Raw;
use crate::reply::Reply;
use crate::scan::{Doom, End};
use crate::sink::{Place, Sink};
use crate::span::Span;
use crate::trace::trace;
use crate::warnings::{Warning, WarningKind, look};

/// The document that was chosen.
struct Answer {
    span: Span,
    place: Place,
    warnings: Vec<Warning>,
}

/// A reply that has ended.
pub(crate) struct Ended {
    /// What was known before.
    before: Progress,
    /// What the scanner says.
    end: End,
}

impl<S: Sink> Reply<S> {
    /// Says what ended the reply, and gives the answer. Linear in the reply at most.
    ///
    /// # Errors
    /// A [`Failure`] when the reply carries no document, or not certainly one; `not_kept` where [`Keep`](crate::Keep) asked for less than all.
    pub fn finish(mut self, ending: Ending) -> Result<Document, Failure> {
        let ended = self.end(ending);
        self.document(ended, ending)
    }

    /// The same, with the sink that listened. Of a [`Live`](crate::Live) reply that is its tree, which holds the caller's own sink:
    /// [`Tree::into_inner`](crate::Tree::into_inner).
    pub fn finish_into(mut self, ending: Ending) -> (Result<Document, Failure>, S) {
        let ended = self.end(ending);
        let answer = self.document(ended, ending);
        (answer, self.into_sink())
    }

    /// The document, when nothing more comes.
    pub(crate) fn document(&mut self, ended: Ended, ending: Ending) -> Result<Document, Failure> {
        let answer = self.settle(ended, ending)?;
        if matches!(self.raw, Raw::Tail(_)) {
            let doom = Doom { code: Code::NotKept, offset: answer.span.start, decided_at: self.raw.len() };
            return Err(self.fail(doom, None, false));
        }
        let Answer { span, warnings, .. } = answer;
        let raw = core::mem::replace(&mut self.raw, Raw::Owned(String::new()));
        let edits = &self.judges.desk.edits;
        let repairs = edits.repairs(raw.as_str(), span);
        let clean = match edits.apply(raw.as_str(), span) {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        };
        Ok(Document { raw, span, clean, repairs, warnings })
    }

    /// The same without the document's text: for gateways, and for whoever does not [keep](crate::Keep) the text.
    ///
    /// # Errors
    /// A [`Failure`] when the reply carries no document, or not certainly one.
    pub fn verdict(mut self, ending: Ending) -> Result<Verdict, Failure> {
        self.weigh(ending)
    }

    /// The same, with the sink that listened.
    pub fn verdict_into(mut self, ending: Ending) -> (Result<Verdict, Failure>, S) {
        let answer = self.weigh(ending);
        (answer, self.into_sink())
    }

    fn weigh(&mut self, ending: Ending) -> Result<Verdict, Failure> {
        let ended = self.end(ending);
        let Answer { span, place, warnings } = self.settle(ended, ending)?;
        let repair_count = match &self.judges.desk.ledger {
            Some(ledger) => ledger.repair_count(span),
            None => self.judges.desk.edits.repair_count(span),
        };
        Ok(Verdict { span, place, repair_count, warnings })
    }

    /// Nothing more comes: the scanner, and whoever listens, is told so.
    pub(crate) fn end(&mut self, ending: Ending) -> Ended {
        let _ = self.catch_up();
        self.raw.settle();
        let before = self.progress();
        Ended { before, end: if self.doom.is_some() { End::Doomed } else { self.finish_scanner(ending) } }
    }

    /// What it all comes to.
    fn settle(&mut self, Ended { before, end }: Ended, ending: Ending) -> Result<Answer, Failure> {
        if let Some(doom) = self.doom.as_deref().copied() {
            let open = self.scanner.is_in_candidate() && self.scanner.is_counting();
            return Err(self.decided(doom, open));
        }
        let stopped = before == Progress::Final && self.scanner.taken() != Take::First;
        let unread = ending == Ending::Cancelled && !before.is_decided() && !self.judges.desk.choice.is_empty();
        if unread && !matches!(end, End::Open(_)) {
            // What only the end would make certain is not certain where we stopped reading.
            return Err(self.truncated(Code::Unsettled, ending));
        }
        let len = self.raw.len();
        match end {
            End::Doomed => {
                let unknown = Doom { code: Code::NoDocument, offset: len, decided_at: len };
                let doom = self.scanner.doomed().unwrap_or(unknown);
                let open = self.scanner.is_in_candidate();
                Err(if before == Progress::Doomed { self.decided(doom, open) } else { self.fail(doom, None, open) })
            }
            End::Open(code) => Err(self.truncated(code, ending)),
            End::Rest(cut) => self.answer(cut, ending, stopped),
        }
    }

    fn finish_scanner(&mut self, ending: Ending) -> End {
        let partial = self.partial.is_open();
        if self.judges.desk.ledger.is_some() {
            return self.by_digest("", |scanner, desk| scanner.finish(ending, partial, desk));
        }
        let (scanner, mut desk) = self.by_text();
        scanner.finish(ending, partial, &mut desk)
    }

    /// Nothing is open: the document, or why there is none.
    fn answer(&mut self, cut: Code, ending: Ending, stopped: bool) -> Result<Answer, Failure> {
        let len = self.raw.len();
        let at_end = |code: Code, offset: usize| Doom { code, offset, decided_at: len };
        match self.judges.desk.pick(self.scanner.taken(), self.raw.as_str()) {
            Pick::Different(offset) => Err(self.fail(at_end(Code::DifferentDocuments, offset), None, false)),
            Pick::Document(span, Place::Bare) if self.scanner.is_opaque() => {
                Err(self.fail(at_end(Code::OpaqueDocument, span.start), None, false))
            }
            Pick::Document(span, place) => {
                let mut warnings = Vec::new();
                if self.judges.desk.suspect && !matches!(self.raw, Raw::Tail(_)) {
                    warnings = look(self.raw.as_str(), span, &self.expect());
                }
                warnings.extend(self.seams.iter().map(|&seam| Warning::new(WarningKind::Stitched, seam)));
                let told = match ending {
                    _ if stopped || ending == Ending::Cancelled => Some(WarningKind::TailUnread),
                    Ending::Length => Some(WarningKind::EndedByLength),
                    Ending::Filtered => Some(WarningKind::EndedByFilter),
                    _ => None,
                };
                warnings.extend(told.map(|kind| Warning::new(kind, Span::new(span.end, span.end))));
                warnings.sort_by_key(|warning| warning.span.start);
                Ok(Answer { span, place, warnings })
            }
            Pick::None => Err(self.nothing(cut, ending)),
        }
    }

    /// No document, and nothing open.
    fn nothing(&mut self, cut: Code, ending: Ending) -> Failure {
        let len = self.raw.len();
        let at_end = |code, offset| Doom { code, offset, decided_at: len };
        if let Some(Doom { code, offset, .. }) = self.scanner.first_break() {
            return self.fail(at_end(code, offset), None, false);
        }
        if let Some(offset) = self.scanner.other_kind() {
            return self.fail(at_end(Code::WrongRoot, offset), None, false);
        }
        match ending {
            Ending::Stop | Ending::ToolUse | Ending::Filtered | Ending::Unknown => {
                self.fail(at_end(Code::NoDocument, len), None, false)
            }
            _ => self.fail(at_end(cut, len), Some(Cause::of(ending)), false),
        }
    }

    fn truncated(&mut self, code: Code, ending: Ending) -> Failure {
        let len = self.raw.len();
        let open = self.scanner.is_in_candidate() && code != Code::Unsettled;
        self.fail(Doom { code, offset: len, decided_at: len }, Some(Cause::of(ending)), open)
    }

    /// The failure was certain before the end.
    fn decided(&mut self, doom: Doom, open: bool) -> Failure {
        let mut failure = self.fail(doom, None, open);
        failure.0.decided = true;
        failure
    }

    /// The failure; `open`: it is about the candidate that is open.
    fn fail(&mut self, doom: Doom, cause: Option<Cause>, open: bool) -> Failure {
        let expect = self.expect();
        let mut span = self.judged(&doom);
        let raw = core::mem::replace(&mut self.raw, Raw::Owned(String::new()));
        let len = raw.len();
        let (mut path, mut frames) = (String::new(), Vec::new());
        if open {
            let (start, promise) = self.scanner.candidate_start();
            let read = self.scanner.len().clamp(start, len);
            if let Some(text) = raw.get(Span::new(start, read)) {
                (path, frames) = trace(text, start, doom.offset, &expect);
            }
            span = promise.then_some(Span::new(start, len));
        }
        let repairs = span.map(|span| self.judges.desk.edits.repairs(raw.as_str(), span)).unwrap_or_default();
        Failure(Box::new(Inner {
            code: doom.code,
            cause,
            offset: doom.offset,
            decided_at: doom.decided_at,
            path,
            frames,
            repairs,
            raw,
            partial: self.partial,
            cut: doom.code,
            decided: false,
            documents: !self.judges.desk.choice.is_empty(),
            seams: core::mem::take(&mut self.seams),
            expect,
        }))
    }

    /// From an offset to the end.
    fn behind(&self, offset: usize) -> Span {
        Span::new(offset, self.raw.len().max(offset))
    }

    /// The document that a failure is about, where nothing is open.
    fn judged(&self, doom: &Doom) -> Option<Span> {
        let Desk { choice, last_bare, other, .. } = &*self.judges.desk;
        let last = choice.last().map(|(span, _)| span);
        match doom.code {
            Code::DifferentDocuments | Code::OpaqueDocument => choice.at(doom.offset).or(last),
            Code::ClosedTooEarly if !self.scanner.is_debris_in_fence() => last_bare.get(),
            Code::ClosedTooEarly | Code::Unsettled | Code::TextAround => last,
            Code::InsideBroken => Some(self.behind(self.scanner.candidate_start().0)),
            Code::WrongRoot => other.get().or(Some(self.behind(doom.offset))),
            _ => None,
        }
    }
}

/// Reads a whole reply that stopped by itself.
///
/// ```
/// use thusfar_core::{Expect, read};
/// let document = read("```json\n{\"ok\": true, // yes\n}\n```", Expect::object())?;
/// assert_eq!(document.text(), "{\"ok\": true \n}");
/// # Ok::<(), thusfar_core::Failure>(())
/// ```
///
/// # Errors
/// A [`Failure`] when the reply carries no document, or not certainly one.
pub fn read(text: &str, expect: Expect) -> Result<Document, Failure> {
    let mut reply = Reply::new(expect).with_capacity(text.len());
    let _ = reply.push(text);
    reply.finish(Ending::Stop)
}

/// Reads a whole reply that stopped by itself, without copying it: the document keeps the bytes.
///
/// # Errors
/// A [`Failure`] when the reply carries no document, or not certainly one.
#[cfg(feature = "bytes")]
pub fn read_bytes(bytes: bytes::Bytes, expect: Expect) -> Result<Document, Failure> {
    let fits = expect.limits.reply_len.is_none_or(|limit| bytes.len() <= limit) && expect.keep == Keep::All;
    match bytestring::ByteString::try_from(bytes.clone()) {
        Ok(text) if fits => {
            let mut reply = Reply::over(Raw::Shared(text.clone()), expect, ());
            reply.read(&text, 0);
            reply.finish(Ending::Stop)
        }
        _ => {
            let mut reply = Reply::new(expect);
            let _ = reply.push_bytes(&bytes);
            reply.finish(Ending::Stop)
        }
    }
}
