//! What holds for every reply: seven laws, each over one [`Input`]. The fuzz targets and `tests/laws.rs` run them.
//!
//! An input is a line of six characters, which choose, and the reply behind it. Of a character the low six bits count, so that
//! every choice can be written as text:
//!
//! | character | chooses | `@`, which is zero |
//! |---|---|---|
//! | 1 | the ending, one of 9; from the tenth on the reply begins inside reasoning | `stop` |
//! | 2 | two bits for the root, two for the take, two for the limits | `object`, `only`, the defaults |
//! | 3 | a bit for each repair that is allowed; `?` allows all six | none |
//! | 4 to 6 | the lengths of the chunks, over and over; the third is one more | an empty chunk; one byte |

use std::borrow::Cow;
use std::cell::RefCell;
use std::iter;
use std::ops::Range;

use serde_json::Value;
use thusfar_core::{
    Cause, Code, Document, Ending, Expect, Failure, Limits, Piece, Progress, Repair, RepairKind, Reply, Root, Scanner,
    Span, Take, WarningKind,
};

use crate::heard::{Refusal, always, hear, read};
use crate::live::{self, Marks};
use crate::record::{Record, Tap};
use crate::report::Report;
use crate::token::{contradicts_itself, tokens};
use crate::twin;

/// What holds for every input; panics where it does not.
pub type Law = fn(&Input<'_>);

/// The laws, with the names of their fuzz targets.
pub const ALL: [(&str, Law); 7] = [
    ("any_chunking", any_chunking),
    ("twin", same_as_the_twin),
    ("strict", strict),
    ("cleaned", cleaned),
    ("reread", reread),
    ("live", live),
    ("plain", plain),
];

/// The kinds of root, in the order of an input's bits.
pub const ROOTS: [Root; 4] = [Root::Object, Root::Array, Root::Any, Root::Value];

/// The takes, in the order of an input's bits.
pub const TAKES: [Take; 4] = [Take::Only, Take::First, Take::Last, Take::Alone];

/// Prefixes of a reply at which its view is looked at in full.
const MARKS: usize = 24;

/// A reply, and how it is read.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// What is expected.
    pub expect: Expect,
    /// What ended it.
    pub ending: Ending,
    /// The lengths of its chunks, over and over. They are not all zero.
    pub cuts: [usize; 3],
    /// Its bytes.
    pub reply: &'a [u8],
}

/// The defaults, or what a short reply reaches: counts, guards, guards on the text around a document.
fn limits(choice: usize) -> Limits {
    let defaults = Limits::default();
    let at = |len: usize| Some(len);
    match choice {
        0 => defaults,
        1 => Limits { nesting: at(3), repairs: at(2), keys: at(2), reply_len: at(300), ..defaults },
        2 => Limits { white_space: at(100), repetition: at(200), other_repetition: at(300), ..defaults },
        _ => Limits { white_space_behind: at(100), text_behind: at(300), text_before: at(300), ..defaults },
    }
}

impl<'a> Input<'a> {
    /// The input that some bytes are; `None` without a whole first line.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let (first_line, reply) = bytes.split_first_chunk::<7>()?;
        let [ending, expected, repairs, one, two, three, _] = first_line.map(|byte| usize::from(byte & 63));
        let expect = Expect::root(ROOTS[expected & 3]).take(TAKES[expected >> 2 & 3]).limits(limits(expected >> 4));
        let off = RepairKind::ALL.into_iter().filter(|kind| repairs & (1 << *kind as usize) == 0);
        let expect = off.fold(expect, Expect::without);
        let expect = if ending / 9 % 2 == 1 { expect.starts_in_reasoning() } else { expect };
        Some(Self { expect, ending: Ending::ALL[ending % 9].0, cuts: [one, two, three + 1], reply })
    }

    /// The reply as text; what is none is replaced.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.reply)
    }

    /// Bytes in chunks.
    fn chunks<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = &'b [u8]> + use<'b> {
        let mut rest = bytes;
        self.cuts.into_iter().cycle().map_while(move |len| {
            let (chunk, behind) = rest.split_at(len.min(rest.len()));
            let was_empty = rest.is_empty();
            rest = behind;
            (!was_empty).then_some(chunk)
        })
    }

    /// Text in chunks of whole characters.
    pub fn chunks_of_text<'b>(&self, text: &'b str) -> impl Iterator<Item = &'b str> + use<'b> {
        let mut from = 0;
        self.cuts.into_iter().cycle().map_while(move |len| {
            let chunk = &text[from..];
            let end = (len.min(chunk.len())..).find(|&at| chunk.is_char_boundary(at))?;
            from += end;
            (!chunk.is_empty()).then_some(&chunk[..end])
        })
    }

    /// The answer, and what a sink was told on the way.
    fn heard(&self) -> (Result<Document, Failure>, Record) {
        let record = RefCell::new(Record::default());
        let mut reply = Reply::with_sink(self.expect, Tap(&record));
        self.chunks(self.reply).for_each(|chunk| _ = reply.push_bytes(chunk));
        let answer = reply.finish(self.ending);
        (answer, record.into_inner())
    }
}

/// What a caller saw of a reply.
#[derive(Debug, PartialEq)]
struct Seen {
    report: Report,
    progress: Progress,
    pieces: Vec<(Piece, Span)>,
}

/// However a reply is cut, a caller sees the same.
pub fn any_chunking(input: &Input<'_>) {
    let whole = see(iter::once(input.reply), input);
    assert_eq!(see(input.chunks(input.reply), input), whole, "{input:?}: {:?}", input.text());
}

fn see<'b>(chunks: impl Iterator<Item = &'b [u8]>, input: &Input<'_>) -> Seen {
    let (reply, verdict) = push(chunks, input.expect);
    let (progress, pieces) = (reply.progress(), tiled(&reply));
    Seen { report: finish(reply, verdict, input.ending), progress, pieces }
}

/// A verdict, and the chunk that brought it.
pub(crate) type Verdict = Option<(Range<usize>, Progress)>;

/// Pushes chunks. An empty one is nothing, and a verdict stays.
pub(crate) fn push<'b>(chunks: impl Iterator<Item = &'b [u8]>, expect: Expect) -> (Reply, Verdict) {
    let mut reply = Reply::new(expect);
    let mut verdict: Verdict = None;
    let mut at = 0;
    for chunk in chunks {
        let before = reply.progress();
        let progress = reply.push_bytes(chunk);
        assert!(!chunk.is_empty() || progress == before, "an empty chunk is nothing: {before:?} {progress:?}");
        match &verdict {
            Some((brought, decided)) => assert_eq!(progress, *decided, "decided in {brought:?}"),
            None => verdict = progress.is_decided().then_some((at..at + chunk.len(), progress)),
        }
        at += chunk.len();
    }
    (reply, verdict)
}

/// Ends a reply: what it says keeps to what was told before.
pub(crate) fn finish(reply: Reply, verdict: Verdict, ending: Ending) -> Report {
    let answer = reply.finish(ending);
    let report = Report::of(&answer);
    let raw = answer.as_ref().map_or_else(Failure::raw, Document::raw);
    match (&report, verdict) {
        (Report::Failure { decided_at, .. }, Some((brought, Progress::Doomed))) => {
            assert!(brought.contains(decided_at), "doomed in {brought:?}, and not at {decided_at}: {raw:?}");
        }
        (Report::Failure { decided_at, .. }, None) => assert_eq!(*decided_at, raw.len(), "at the end: {raw:?}"),
        (Report::Document { .. }, None | Some((_, Progress::Final))) => {}
        (report, verdict) => panic!("{verdict:?}, and then {report:?}: {raw:?}"),
    }
    report
}

/// The pieces of a reply: every byte lies in exactly one.
pub(crate) fn tiled(reply: &Reply) -> Vec<(Piece, Span)> {
    let pieces = reply.pieces();
    let mut at = 0;
    for (piece, span) in &pieces {
        assert!(span.start == at && span.end > at, "{piece:?} {span:?} at {at}: {:?}", reply.raw());
        at = span.end;
    }
    assert_eq!(at, reply.raw().len(), "{:?}", reply.raw());
    pieces
}

/// Whether much is read at once or little, a sink is told the same, may refuse the same, and the answer is the same.
pub fn plain(input: &Input<'_>) {
    let text = input.text();
    let chunks: Vec<&str> = input.chunks_of_text(&text).collect();
    let (expect, ending) = (input.expect, input.ending);
    let len = text.len() + 1;
    let [one, two, three] = input.cuts;
    let chosen = one * 977 + two * 31 + three;
    for refusal in [
        Refusal::Nothing,
        Refusal::Event(chosen % len, false),
        Refusal::Event(chosen / 3 % len, true),
        Refusal::Content(chosen % len),
    ] {
        let slow = hear::<true, false>(&chunks, expect, ending, refusal, always);
        let plain = hear::<false, false>(&chunks, expect, ending, refusal, always);
        assert_eq!(plain, slow, "{refusal:?} {input:?}: {chunks:?}");
        if let Refusal::Nothing = refusal {
            // Whoever listens is read to chunk by chunk; else some are skimmed, and read later.
            for looks in [always, |number| number % 7 == 6, |_| false] {
                let (_, seen, report) = hear::<true, false>(&chunks, expect, ending, refusal, looks);
                let nobody = read(&chunks, expect, ending, (), looks);
                assert_eq!(nobody, (seen, report), "to nobody: {input:?}: {chunks:?}");
            }
        }
        let slow = hear::<true, true>(&chunks, expect, ending, refusal, always);
        let plain = hear::<false, true>(&chunks, expect, ending, refusal, always);
        assert_eq!(plain, slow, "content, {refusal:?} {input:?}: {chunks:?}");
    }
}

/// What both readers say of a reply.
#[derive(Debug, PartialEq)]
enum Answer {
    Document(String, Span, Vec<(RepairKind, usize)>),
    Failure(Code, Option<Cause>, usize, usize, Vec<(RepairKind, usize)>),
}

/// The machine and the naive twin give one answer.
pub fn same_as_the_twin(input: &Input<'_>) {
    let text = input.text();
    // The twin does not judge text around a document.
    let limits =
        Limits { white_space_behind: None, text_behind: None, text_before: None, ..*input.expect.limits_in_force() };
    let expect = input.expect.limits(limits);
    let (reply, _) = push(input.chunks(text.as_bytes()), expect);
    agree(&reply, &expect, input.ending);
}

/// What the machine says if the reply ends here is what the twin says.
pub fn agree(reply: &Reply, expect: &Expect, ending: Ending) {
    let places = |repairs: &[Repair]| repairs.iter().map(|repair| (repair.kind, repair.span.start)).collect();
    let machine = match reply.clone().finish(ending) {
        Ok(it) => Answer::Document(it.text().to_owned(), it.span(), places(it.repairs())),
        Err(it) => Answer::Failure(it.code(), it.cause(), it.offset(), it.decided_at(), places(it.repairs())),
    };
    assert_eq!(machine, naive(reply.raw(), expect, ending), "{:?} {expect:?} {ending:?}", reply.raw());
}

fn naive(text: &str, expect: &Expect, ending: Ending) -> Answer {
    match twin::read(text, expect, ending).result {
        Ok(found) => Answer::Document(found.text, Span::new(found.span.0, found.span.1), found.repairs),
        Err(lost) => {
            // A character shows what it is with its last byte; the twin names its first.
            let shown = (lost.decided_at..text.len()).find(|&at| text.is_char_boundary(at + 1));
            Answer::Failure(lost.code, lost.cause, lost.offset, shown.unwrap_or(lost.decided_at), lost.repairs)
        }
    }
}

/// A value with no repair allowed is what `serde_json` accepts and nothing else; what events say that a document holds is what
/// `serde_json` reads in it.
pub fn strict(input: &Input<'_>) {
    accepted_alike(&input.text(), input);
    let (answer, record) = input.heard();
    if let Ok(document) = answer {
        let judged = serde_json::from_str::<Value>(document.text());
        assert!(judged.is_ok(), "{judged:?}: {:?}", document.text());
        let told = record.document(document.span()).unwrap_or_else(|| panic!("no event told of {:?}", document.text()));
        let held = told.tokens(document.raw());
        assert_eq!(held, tokens(document.text()), "{:?} in {:?}", document.text(), document.raw());
    }
}

/// Where they differ on purpose: reasoning, a fence, a byte order mark, and equal keys with different values.
fn accepted_alike(text: &str, input: &Input<'_>) {
    // As deep as `serde_json` reads, and no guards.
    let limits = Limits { nesting: Some(127), ..Limits::NONE };
    let expect = RepairKind::ALL.into_iter().fold(Expect::value().limits(limits), Expect::without);
    let (reply, _) = push(input.chunks(text.as_bytes()), expect);
    let answer = reply.finish(Ending::Stop);
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text).trim_matches([' ', '\t', '\n', '\r']);
    let is_json = serde_json::from_str::<Value>(bare).is_ok();
    match answer {
        // Something stood around it.
        Ok(document) if document.text() != bare => {
            assert!(bare.starts_with(['<', '`', '~']) && !is_json, "{:?} of {text:?}", document.text());
        }
        Ok(_) => assert!(is_json && !contradicts_itself(bare), "accepted: {text:?}"),
        Err(failure) if failure.code() == Code::DuplicateKey => {
            assert!(!is_json || contradicts_itself(bare), "no key twice: {text:?}");
        }
        Err(failure) => assert!(!is_json, "{failure}: {text:?}"),
    }
}

/// What a sink was told is the same under any chunking and tiles the reply; what it was told of a document is the document.
pub fn cleaned(input: &Input<'_>) {
    let text = input.text();
    let whole = scan(iter::once(&*text), &input.expect);
    let cut = scan(input.chunks_of_text(&text), &input.expect);
    assert_eq!(cut.events, whole.events, "{text:?}");
    assert_eq!(cut.tiles(), whole.tiles(), "{text:?}");
    let (answer, record) = input.heard();
    if let Ok(document) = answer {
        let told = record.document(document.span()).unwrap_or_else(|| panic!("no event told of {:?}", document.text()));
        assert_eq!(tokens(&told.clean), tokens(document.text()), "{:?} of {:?}", told.clean, document.text());
    }
}

/// What a scanner says of some text by itself. Every byte that it has told of lies in one piece, but for a comma that it holds in a
/// candidate that is open.
fn scan<'b>(chunks: impl Iterator<Item = &'b str>, expect: &Expect) -> Record {
    let mut record = Record::default();
    let mut scanner = Scanner::new(expect);
    let mut text = String::new();
    for chunk in chunks {
        let _ = scanner.push(chunk, &mut record);
        text.push_str(chunk);
    }
    let mut open = record.candidate();
    let mut at = 0;
    for (piece, span) in record.tiles() {
        let is_held = text.get(at..span.start) == Some(",") && open.take_if(|open| *open <= at).is_some();
        assert!(span.start == at || is_held, "{piece:?} {span:?} behind {at}: {text:?}");
        at = span.end;
    }
    assert!(at <= text.len(), "{at}: {text:?}");
    record
}

/// A document read again, by itself, is the same document and needs no repair.
pub fn reread(input: &Input<'_>) {
    let (reply, verdict) = push(input.chunks(input.reply), input.expect);
    let report = finish(reply, verdict, input.ending);
    let Some(text) = report.text() else { return };
    let first = text.bytes().next();
    for root in ROOTS {
        let fits = match root {
            Root::Object => first == Some(b'{'),
            Root::Array => first == Some(b'['),
            Root::Any => matches!(first, Some(b'{' | b'[')),
            Root::Value => true,
        };
        if fits {
            // No limits: the text is another, and its runs stand elsewhere.
            let expect = Expect::root(root).take(input.expect.taken()).limits(Limits::NONE);
            read_as_itself(&report, input.chunks(text.as_bytes()), expect);
        }
    }
}

/// A live reply shows what only grows, in every way of following it, until it is the document.
pub fn live(input: &Input<'_>) {
    live_at(input, MARKS);
}

/// The same, looked at in full at so many places.
pub(crate) fn live_at(input: &Input<'_>, most: usize) {
    let seen = live::live(input.reply, input.expect, input.ending, input.cuts, Marks::Most(most));
    assert_eq!(seen.contradicting, 0, "{input:?}: {:?}", input.text());
}

/// The chunks of a document's text give that document.
pub(crate) fn read_as_itself<'b>(report: &Report, chunks: impl Iterator<Item = &'b [u8]>, expect: Expect) {
    let (reply, verdict) = push(chunks, expect);
    let again = finish(reply, verdict, Ending::Stop);
    assert_eq!(again.text(), report.text(), "{expect:?}");
    assert!(again.repairs().is_empty(), "{again:?}");
    let lossy =
        |report: &Report| report.warnings().iter().filter(|(kind, _)| *kind == WarningKind::LossyNumber).count();
    assert_eq!(lossy(&again), lossy(report), "{report:?}");
}
