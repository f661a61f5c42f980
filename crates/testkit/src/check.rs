//! `check()`: one reply, read under every way of cutting it, must give one report. Nothing else runs a parser test.
//!
//! Whole, byte by byte, at every 2-split (up to 2 KiB; sampled beyond), at 64 random 3-splits (fewer of a long one), with empty
//! pushes between and a clone half-way. On the way it holds what every reply owes: pieces tile it, each verdict is told at the byte
//! it names, progress never goes back from a decision, a document is what `serde_json` reads, steps are bounded, the scanner's
//! cleaned stream is the document.

use thusfar_core::{
    Cause, Code, Document, Ending, Event, Expect, Failure, Flow, Limits, Piece, Progress, RepairKind, Reply, Root,
    Scanner, Sink, Span, Take, WarningKind,
};

use crate::kept::{kept, resumed};
use crate::twin::equal_text;
use crate::workload::Random;

/// Everything a caller can see of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// A document.
    Document {
        /// Its strict text.
        text: String,
        /// Where it stood.
        span: Span,
        /// Kind, offset, before, after.
        repairs: Vec<(RepairKind, usize, String, String)>,
        /// Kind and span.
        warnings: Vec<(WarningKind, Span)>,
    },
    /// A failure.
    Failure {
        /// What went wrong.
        code: Code,
        /// Why it was cut.
        cause: Option<Cause>,
        /// Where.
        offset: usize,
        /// When that was certain.
        decided_at: usize,
        /// The JSON pointer.
        path: String,
        /// Offsets of the open frames.
        frames: Vec<usize>,
        /// Kind, offset, before, after.
        repairs: Vec<(RepairKind, usize, String, String)>,
        /// The text around the place.
        excerpt: String,
    },
}

impl Report {
    /// The report of an answer.
    #[must_use]
    pub fn of(answer: &Result<Document, Failure>) -> Self {
        let repair = |repair: &thusfar_core::Repair| {
            (repair.kind, repair.span.start, repair.before.clone(), repair.after.clone())
        };
        match answer {
            Ok(document) => Report::Document {
                text: document.text().to_owned(),
                span: document.span(),
                repairs: document.repairs().iter().map(repair).collect(),
                warnings: document.warnings().iter().map(|warning| (warning.kind, warning.span)).collect(),
            },
            Err(failure) => Report::Failure {
                code: failure.code(),
                cause: failure.cause(),
                offset: failure.offset(),
                decided_at: failure.decided_at(),
                path: failure.path().to_owned(),
                frames: failure.frames().iter().map(|frame| frame.offset).collect(),
                repairs: failure.repairs().iter().map(repair).collect(),
                excerpt: failure.excerpt().to_owned(),
            },
        }
    }

    /// The outcome's name, as in a report of the command.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self {
            Report::Document { .. } => "ok",
            Report::Failure { code, .. } => code.kind().as_str(),
        }
    }

    /// The document's text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Report::Document { text, .. } => Some(text),
            Report::Failure { .. } => None,
        }
    }

    /// Where it failed.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        match self {
            Report::Document { .. } => None,
            Report::Failure { offset, .. } => Some(*offset),
        }
    }

    /// The code of the failure.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Report::Document { .. } => None,
            Report::Failure { code, .. } => Some(*code),
        }
    }

    /// Kinds and offsets of the repairs.
    #[must_use]
    pub fn repairs(&self) -> Vec<(RepairKind, usize)> {
        let (Report::Document { repairs, .. } | Report::Failure { repairs, .. }) = self;
        repairs.iter().map(|repair| (repair.0, repair.1)).collect()
    }
}

/// Reads a reply under every way of cutting it; panics where two differ.
pub fn check(text: &str, expect: Expect, ending: Ending) -> Report {
    check_bytes(text.as_bytes(), expect, ending)
}

/// The same for bytes that may be no text.
pub fn check_bytes(bytes: &[u8], expect: Expect, ending: Ending) -> Report {
    let whole = read([bytes], expect, ending);
    let same = |other: &Report, how: &str| assert_eq!(*other, whole, "{how}: {:?}", String::from_utf8_lossy(bytes));
    same(&byte_by_byte(bytes, expect, ending), "byte by byte");
    for at in places(bytes.len()) {
        let (front, back) = bytes.split_at(at);
        same(&read([front, back], expect, ending), &format!("split at {at}"));
    }
    let mut random = Random::new(bytes.len() as u64 + 1);
    for _ in 0..samples(bytes.len()).div_ceil(8) {
        let mut cuts = [random.below(bytes.len() + 1), random.below(bytes.len() + 1)];
        cuts.sort_unstable();
        let chunks = [&bytes[..cuts[0]], &bytes[cuts[0]..cuts[1]], &bytes[cuts[1]..]];
        same(&read(chunks, expect, ending), &format!("split at {cuts:?}"));
    }
    let half = bytes.len() / 2;
    same(&cloned(&bytes[..half], &bytes[half..], expect, ending), "a clone half-way");
    resumed(bytes, expect, ending, &whole);
    kept(bytes, expect, ending);
    if let Ok(text) = core::str::from_utf8(bytes) {
        let mut reply = Reply::new(expect);
        let _ = reply.push(text);
        tiles(&reply, text);
        same(&Report::of(&reply.finish(ending)), "pushed as text");
        scanned(text, expect, &whole);
    }
    judged(&whole);
    whole
}

/// How many cuts are tried where not all are: 512, and of a long reply as many as push 8 MiB in all.
fn samples(len: usize) -> usize {
    ((8 << 20) / len.max(1)).clamp(4, 512)
}

/// Every place up to 2 KiB, a sample of them beyond.
fn places(len: usize) -> Vec<usize> {
    if len <= 2048 {
        return (0..=len).collect();
    }
    let mut random = Random::new(len as u64);
    (0..samples(len)).map(|_| random.below(len + 1)).collect()
}

fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, expect: Expect, ending: Ending) -> Report {
    let mut reply = Reply::new(expect);
    for chunk in chunks {
        let _ = reply.push_bytes(chunk);
    }
    Report::of(&reply.finish(ending))
}

fn cloned(front: &[u8], back: &[u8], expect: Expect, ending: Ending) -> Report {
    let mut reply = Reply::new(expect);
    let _ = reply.push_bytes(front);
    let mut copy = reply.clone();
    let _ = reply.push_bytes(b"{\"never\": \"read\"}");
    drop(reply);
    let _ = copy.push_bytes(back);
    Report::of(&copy.finish(ending))
}

/// One byte a push, with empty pushes between. The verdict is told at the byte that it names, and stays.
fn byte_by_byte(bytes: &[u8], expect: Expect, ending: Ending) -> Report {
    let mut reply = Reply::new(expect);
    let mut decided: Option<(usize, Progress)> = None;
    for (at, byte) in bytes.iter().enumerate() {
        let before = reply.progress();
        assert_eq!(reply.push_bytes(&[]), before, "an empty chunk is nothing");
        let progress = reply.push_bytes(core::slice::from_ref(byte));
        if let Some((since, verdict)) = decided {
            assert_eq!(progress, verdict, "decided at {since}");
        } else if progress.is_decided() {
            decided = Some((at, progress));
        }
    }
    let steps = reply.scanner().steps();
    assert!(steps <= 3 * bytes.len() as u64 + 8, "{steps} steps for {} bytes", bytes.len());
    let report = Report::of(&reply.finish(ending));
    match (&report, decided) {
        (Report::Failure { decided_at, .. }, Some((at, Progress::Doomed))) => {
            assert_eq!(*decided_at, at, "doomed: {:?}", String::from_utf8_lossy(bytes))
        }
        (Report::Failure { decided_at, .. }, None) => {
            assert_eq!(*decided_at, bytes_read(bytes), "at the end: {:?}", String::from_utf8_lossy(bytes))
        }
        (Report::Document { .. }, Some((_, Progress::Doomed))) => panic!("a doomed reply gave a document"),
        _ => {}
    }
    report
}

/// Bytes without those of a character that is not complete.
fn bytes_read(bytes: &[u8]) -> usize {
    match core::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Every byte of the reply lies in exactly one piece.
fn tiles(reply: &Reply, text: &str) {
    let mut at = 0;
    for (piece, span) in reply.pieces() {
        assert!(span.start == at && span.end > at, "{piece:?} {span:?} at {at}: {text:?}");
        at = span.end;
    }
    assert_eq!(at, reply.raw().len(), "{text:?}");
}

/// Records what a scanner tells.
#[derive(Default)]
struct Record {
    events: Vec<Event>,
    pieces: Vec<(Piece, Span)>,
    begun: usize,
    clean: String,
    documents: Vec<(Span, String)>,
}

impl Sink for Record {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Begin { at, .. } => {
                self.begun = at;
                self.clean.clear();
            }
            // All since the opener was text.
            Event::Abandon | Event::PassOver => {
                let since = self.pieces.iter_mut().rev().take_while(|(_, span)| span.start >= self.begun);
                since.for_each(|(piece, _)| *piece = Piece::Prose);
            }
            Event::Document { span, .. } => self.documents.push((span, self.clean.clone())),
            _ => {}
        }
        self.events.push(event);
        Flow::Continue
    }

    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        if !matches!(piece, Piece::Prose | Piece::Fence | Piece::Reasoning) {
            self.clean.push_str(text);
        }
        self.pieces.push((piece, span));
    }
}

impl Record {
    /// The pieces in order of offsets, neighbours of a kind as one.
    fn tiles(&self) -> Vec<(Piece, Span)> {
        let mut pieces = self.pieces.clone();
        pieces.sort_by_key(|(_, span)| span.start);
        pieces.dedup_by(|(piece, span), (before, so_far)| {
            let joins = piece == before && so_far.end == span.start;
            if joins {
                so_far.end = span.end;
            }
            joins
        });
        pieces
    }
}

/// The scanner alone: the same events and pieces character by character, and a cleaned stream that is the document. Beyond a MiB
/// it gets a hundred bytes at a time, or there would be more pieces than text.
fn scanned(text: &str, expect: Expect, report: &Report) {
    let (mut whole, mut chars) = (Record::default(), Record::default());
    let _ = Scanner::new(&expect).push(text, &mut whole);
    let mut scanner = Scanner::new(&expect);
    let least = if text.len() > 1 << 20 { 100 } else { 1 };
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, behind) =
            rest.split_at((least..rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len()));
        let _ = scanner.push(chunk, &mut chars);
        rest = behind;
    }
    assert_eq!(whole.events, chars.events, "{text:?}");
    assert_eq!(whole.tiles(), chars.tiles(), "{text:?}");
    if let Report::Document { text: document, span, .. } = report {
        for record in [&whole, &chars] {
            for (_, clean) in record.documents.iter().filter(|(other, _)| other == span) {
                assert!(equal_text(clean, document), "cleaned stream {clean:?} of {document:?}");
            }
        }
    }
}

/// A document is what `serde_json` reads, and read again it is whole and needs no repair.
fn judged(report: &Report) {
    if let Report::Document { text, .. } = report {
        if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
            panic!("{error}: {text:?}");
        }
        let again = Expect::root(Root::Value).take(Take::Only).limits(Limits::NONE);
        let again = read([text.as_bytes()], again, Ending::Stop);
        assert_eq!(again.text(), Some(&**text));
        assert!(again.repairs().is_empty(), "{text:?}");
    }
}
