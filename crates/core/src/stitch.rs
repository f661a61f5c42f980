//! Going on after a cut: with the very text that follows, or with another completion.
//!
//! A verbatim continuation is the caller's word, and is pushed on. An ordinary completion may begin anywhere: where the cut one
//! ended, a little earlier, or anew. Two readings of it are told apart by what both texts hold, or not at all.
//!
//! # Theory
//!
//! An *overlap* is a beginning of the next text that is an end of the cut one, [`OVERLAP`] bytes or more. It fixes the place if it is
//! the only one, and if the cut text holds it nowhere else: where the tail repeats, each copy is a place. A *restart* is a next text
//! that is a whole document alone. It stands for the cut one if the two cannot be one text (joined they are broken), or if it begins
//! as the cut document did; `{"a": ` and then `{"b": 1}` may be either.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::document::Document;
use crate::ending::Ending;
use crate::expect::{Expect, Root};
use crate::failure::{Code, Failure, FailureKind};
use crate::limits::Limits;
use crate::raw::Raw;
use crate::reply::Reply;
use crate::scan::Scanner;
use crate::sink::{Piece, Sink};
use crate::span::Span;
use crate::value::{equal, extends};
use crate::warnings::{Warning, WarningKind};

/// Bytes that two completions must have in common.
const OVERLAP: usize = 32;

/// The caller's word that what follows is the very text that the model would have gone on with: a turn that began with the cut
/// reply, byte for byte. Nothing checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verbatim;

impl Failure {
    /// Goes on behind the cut: what is pushed now follows the reply's last byte. The answer is that of the uncut reply.
    ///
    /// Reads the text once more.
    ///
    /// ```
    /// use thusfar_core::{Ending, Expect, Reply, Verbatim};
    /// let mut reply = Reply::new(Expect::object());
    /// let _ = reply.push("{\"items\": [1, 2, 3");
    /// let failure = reply.finish(Ending::Length).unwrap_err();
    /// let mut reply = failure.resume(Verbatim)?;
    /// let _ = reply.push("4, 5]}");
    /// assert_eq!(reply.finish(Ending::Stop)?.text(), "{\"items\": [1, 2, 34, 5]}");
    /// # Ok::<(), thusfar_core::Failure>(())
    /// ```
    ///
    /// # Errors
    /// The failure itself, where it was certain before the end, so that nothing that follows cures it; or where not all of the text was
    /// [kept](crate::Keep).
    pub fn resume(self, word: Verbatim) -> Result<Reply, Failure> {
        self.resume_with(word, ())
    }

    /// The same for a provider that is given the reply without the white space at its end (some accept no other): what is pushed now
    /// follows the last character that is none.
    ///
    /// # Errors
    /// The failure itself, where it was certain before the end, so that nothing that follows cures it; or where not all of the text was
    /// [kept](crate::Keep).
    pub fn resume_trimmed(mut self, word: Verbatim) -> Result<Reply, Failure> {
        if self.0.decided || self.0.partial.is_open() {
            return self.resume(word);
        }
        if let Some(text) = self.0.raw.to_mut() {
            text.truncate(text.trim_end_matches(SPACE).len());
        }
        let len = self.0.raw.len();
        self.0.seams.iter_mut().for_each(|seam| *seam = Span::new(seam.start.min(len), seam.end.min(len)));
        self.resume(word)
    }

    /// The same as [`resume`](Failure::resume), with a sink, which is told everything from the beginning.
    ///
    /// # Errors
    /// The failure itself, where it was certain before the end, so that nothing that follows cures it; or where not all of the text was
    /// [kept](crate::Keep).
    pub fn resume_with<S: Sink>(mut self, _: Verbatim, sink: S) -> Result<Reply<S>, Failure> {
        if self.0.decided || matches!(self.0.raw, Raw::Tail(_)) {
            return Err(self);
        }
        let mut reply = Reply::with_sink(self.0.expect, sink).with_capacity(self.raw().len());
        reply.seams = core::mem::take(&mut self.0.seams);
        let _ = reply.push(self.raw());
        let _ = reply.push_bytes(self.0.partial.bytes());
        Ok(reply)
    }

    /// Puts a cut reply and the next completion together: an ordinary one, asked for the rest or for all of it again.
    ///
    /// It is accepted if it begins with the last 32 or more bytes of the cut reply (white space, or a fence marker, may stand in
    /// front), and only one place fits; or if it is a whole document by itself that says all that the cut one had said. The document
    /// carries the warning `stitched`. Linear in both texts. A restart in other words is nobody's continuation: read it alone.
    ///
    /// ```
    /// use thusfar_core::{Ending, Expect, Reply, WarningKind};
    /// let mut reply = Reply::new(Expect::object());
    /// let _ = reply.push("{\"title\": \"Minutes of the meeting\", \"pages\": 1");
    /// let cut = reply.finish(Ending::Length).unwrap_err();
    /// let document = cut.stitch("\"Minutes of the meeting\", \"pages\": 12}", Ending::Stop)?;
    /// assert_eq!(document.text(), "{\"title\": \"Minutes of the meeting\", \"pages\": 12}");
    /// assert_eq!(document.warnings()[0].kind, WarningKind::Stitched);
    /// # Ok::<(), thusfar_core::Failure>(())
    /// ```
    ///
    /// # Errors
    /// The failure of the two texts together (keep a clone of the cut one to try another); `stitch_uncertain` where neither reading is certain, which can be stitched again; the
    /// failure itself, where the reply was not cut or not all of its text was [kept](crate::Keep).
    pub fn stitch(self, next: &str, ending: Ending) -> Result<Document, Failure> {
        let cut = self.kind() == FailureKind::Truncated || self.code() == Code::StitchUncertain;
        if !cut || matches!(self.0.raw, Raw::Tail(_)) {
            return Err(self);
        }
        let whole = self.whole(next, ending);
        let joined = match self.overlap(next) {
            Overlap::At { seam, rest } => {
                let seams = self.0.seams.iter().copied().chain([seam]).collect();
                self.joined(&next[rest..], seams, ending)
            }
            Overlap::Several => return Err(self.uncertain()),
            Overlap::None => return self.restarted(whole, next, ending),
        };
        match (joined, whole) {
            // A document both ways, and not the same one.
            (Ok(joined), Some(whole)) if !equal(joined.text(), whole.text()) => Err(self.uncertain()),
            (joined, _) => joined,
        }
    }

    /// The next completion by itself.
    fn whole(&self, next: &str, ending: Ending) -> Option<Document> {
        let mut reply = Reply::new(self.0.expect);
        let _ = reply.push(next);
        reply.finish(ending).ok()
    }

    /// The cut text and what follows, read as one.
    fn joined(&self, rest: &str, seams: Box<[Span]>, ending: Ending) -> Result<Document, Failure> {
        let mut reply = Reply::new(self.0.expect).with_capacity(self.raw().len() + rest.len());
        reply.seams = seams;
        let _ = reply.push(self.raw());
        let _ = reply.push(rest);
        reply.finish(ending)
    }

    /// Nothing overlaps: the next completion stands for the cut one, or nobody knows.
    fn restarted(self, whole: Option<Document>, next: &str, ending: Ending) -> Result<Document, Failure> {
        let Some(mut document) = whole else { return Err(self.uncertain()) };
        let new = document.text();
        let certain = match self.joined(next, Box::default(), ending) {
            Ok(joined) => equal(joined.text(), new),
            Err(joined) if joined.kind() != FailureKind::Truncated => self.is_extended_by(new),
            Err(_) => self.is_extended_by(new) && self.begins_as(&next[document.span().start..]),
        };
        if !certain {
            return Err(self.uncertain());
        }
        let warning = Warning::new(WarningKind::Stitched, document.span());
        let place = document.warnings.partition_point(|other| other.span.start < warning.span.start);
        document.warnings.insert(place, warning);
        Ok(document)
    }

    /// Whether the cut document and another begin with the same bytes, enough of them.
    fn begins_as(&self, other: &str) -> bool {
        let cut = self.frames().first().and_then(|root| self.raw().get(root.offset..)).unwrap_or_default();
        cut.bytes().zip(other.bytes()).take_while(|(left, right)| left == right).count() >= OVERLAP
    }

    /// Whether another document says all that the cut reply had said: it held no other document, and the one that was open goes on in
    /// this one.
    fn is_extended_by(&self, document: &str) -> bool {
        let Some(root) = self.frames().first().filter(|_| !self.0.documents) else { return false };
        let again = Expect { root: Root::Value, in_reasoning: false, ..self.0.expect }.limits(Limits::NONE);
        let mut clean = Clean(String::new());
        let _ = Scanner::new(&again).push(&self.raw()[root.offset..], &mut clean);
        extends(&clean.0, document)
    }

    fn uncertain(mut self) -> Failure {
        self.0.code = Code::StitchUncertain;
        self.0.cause = None;
        self
    }

    /// Where the next completion takes up the cut one: to the last byte, or else, between two tokens, to the last that says something.
    fn overlap(&self, next: &str) -> Overlap {
        let raw = self.raw();
        let trimmed = raw.trim_end_matches(SPACE);
        match self.overlap_before(raw.len(), next) {
            Overlap::None if trimmed.len() < raw.len() && self.is_between(trimmed) => {
                self.overlap_before(trimmed.len(), next)
            }
            overlap => overlap,
        }
    }

    /// Whether the cut text, and what is left of it without white space at its end, both end between two tokens: not in a comment that a
    /// line end had ended, nor in a number.
    fn is_between(&self, trimmed: &str) -> bool {
        let mut reply = Reply::new(self.0.expect);
        let _ = reply.push(trimmed);
        self.0.cut == Code::OpenFrame && reply.finish(Ending::Length).is_err_and(|it| it.code() == Code::OpenFrame)
    }

    /// The same, where the cut text counts up to an offset.
    fn overlap_before(&self, end: usize, next: &str) -> Overlap {
        let raw = self.raw();
        let mut found: Option<(Span, usize)> = None;
        for front in fronts(next) {
            for len in overlaps(&raw.as_bytes()[..end], &next.as_bytes()[front..]) {
                match found {
                    None => found = Some((Span::new(end - len, end), front + len)),
                    Some((_, rest)) if rest == front + len => {}
                    Some(_) => return Overlap::Several,
                }
            }
        }
        let Some((shared, rest)) = found else { return Overlap::None };
        // Where it stands further in front, that is a place too.
        match raw.find(&raw[shared.range()]) {
            Some(first) if first < shared.start => Overlap::Several,
            _ => Overlap::At { seam: Span::new(shared.start, raw.len()), rest },
        }
    }
}

/// The cleaned text of a candidate.
struct Clean(String);

impl Sink for Clean {
    fn bytes(&mut self, piece: Piece, _: Span, text: &str) {
        if matches!(piece, Piece::Kept | Piece::Replaced) {
            self.0.push_str(text);
        }
    }
}

/// Where the next completion takes up the cut one.
enum Overlap {
    None,
    /// At more than one place.
    Several,
    /// What both hold ends the cut text; the rest of the next one begins at an offset.
    At {
        seam: Span,
        rest: usize,
    },
}

/// White space of JSON (RFC 8259, section 2).
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Where a completion may begin: at once, behind white space, behind the marker of a fence and its label, and white space behind it.
fn fronts(next: &str) -> impl Iterator<Item = usize> {
    let text = next.trim_start_matches(SPACE);
    let marker = text.chars().next().filter(|first| matches!(first, '`' | '~'));
    let behind = marker.and_then(|marker| {
        let label = text.trim_start_matches(marker);
        let line_end = label.find('\n').filter(|_| text.len() - label.len() >= 3)?;
        let is_label = label[..line_end].trim().bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_label.then_some(&label[line_end + 1..])
    });
    let rests = [Some(next), Some(text), behind, behind.map(|rest| rest.trim_start_matches(SPACE))];
    let len = next.len();
    rests.into_iter().flatten().map(move |rest| len - rest.len())
}

/// The lengths of the two longest beginnings of `next` that end `cut`, of [`OVERLAP`] bytes or more. Linear (Knuth, Morris, Pratt 1977).
fn overlaps(cut: &[u8], next: &[u8]) -> impl Iterator<Item = usize> {
    let len = cut.len().min(next.len());
    let pattern = &next[..len];
    // `borders[i]`: the longest beginning of the pattern that also ends its first `i + 1` bytes, and is shorter.
    let mut borders: Vec<u32> = Vec::with_capacity(len);
    let step = |borders: &[u32], mut matched: usize, byte: u8| {
        while matched > 0 && pattern.get(matched) != Some(&byte) {
            matched = borders[matched - 1] as usize;
        }
        matched + usize::from(pattern[matched] == byte)
    };
    for (at, &byte) in pattern.iter().enumerate() {
        let border = if at == 0 { 0 } else { step(&borders, borders[at - 1] as usize, byte) };
        borders.push(border as u32);
    }
    let longest = cut[cut.len() - len..].iter().fold(0, |matched, &byte| step(&borders, matched, byte));
    let shorter = longest.checked_sub(1).map_or(0, |last| borders[last] as usize);
    [longest, shorter].into_iter().filter(|&len| len >= OVERLAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn the_two_longest_overlaps() {
        let text = "abcdefghijklmnopqrstuvwxyz0123456789";
        let found = |cut: &str, next: &str| overlaps(cut.as_bytes(), next.as_bytes()).collect::<Vec<_>>();
        assert_eq!(found(&format!("x{text}"), &format!("{text}y")), [36]);
        let none: [usize; 0] = [];
        assert_eq!(found(text, &text[..31]), none);
        assert_eq!(found(text, &text[4..]), [32]);
        assert_eq!(found(&text[..31], text), none);
        assert_eq!(found(text, &format!("{}!", &text[4..])), [32]);
        assert_eq!(found(&"ab".repeat(40), &"ab".repeat(18)), [36, 34]);
        assert_eq!(found("", text), none);
        assert_eq!(found(text, ""), none);
    }
}
