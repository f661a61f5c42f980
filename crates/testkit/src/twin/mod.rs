//! The naive twin: a second reader of replies, written apart from the machine, against which it is tested.
//!
//! It has the whole text, looks ahead and back as it likes, reads again, allocates, and may be quadratic. What it lacks
//! in speed it owes in plainness: each file follows one section of `DECISIONS.md`.

mod behind;
mod choose;
mod equal;
mod fence;
mod grammar;
mod guard;
mod locate;
mod partial;
mod prose;
mod strings;
mod whole;

use thusfar_core::{Cause, Code, Ending, Expect, RepairKind, Root, Take};

pub use equal::{equal_text, equal_values};
pub use partial::partial;

/// What the twin says of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The document, or why there is none.
    pub result: Result<Found, Lost>,
}

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its strict text: the raw bytes with the edits applied.
    pub text: String,
    /// Where it stands in the reply: first byte, and one past the last.
    pub span: (usize, usize),
    /// Its repairs, sorted by offset.
    pub repairs: Vec<(RepairKind, usize)>,
}

/// No document, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// What went wrong.
    pub code: Code,
    /// Why the reply counts as cut; only where it does.
    pub cause: Option<Cause>,
    /// Where it went wrong.
    pub offset: usize,
    /// The byte whose arrival made it certain; the length of the reply where its end did.
    pub decided_at: usize,
    /// Repairs of the promise or document that the failure belongs to, sorted by offset.
    pub repairs: Vec<(RepairKind, usize)>,
}

/// What one byte is to the guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Prose, or between tokens: white space counts here.
    Open,
    InString,
    /// Comments, reasoning, opaque text.
    Apart,
}

/// A verdict without guards, and what the guards need to know.
struct Reading {
    result: Result<Found, Lost>,
    /// The byte at which the verdict was certain.
    decided_at: usize,
    classes: Vec<Class>,
    /// From where to where a document had closed.
    closed: Vec<(usize, usize)>,
    /// From where to where a candidate was open.
    opened: Vec<(usize, usize)>,
    /// The repairs of the promise that is open at the end, whatever had closed before.
    open_repairs: Vec<(RepairKind, usize)>,
}

/// Reads a whole reply.
///
/// Limits on text and white space around a document (`white_space_behind`, `text_behind`, `text_before`) are not
/// judged.
#[must_use]
pub fn read(text: &str, expect: &Expect, ending: Ending) -> Verdict {
    let reading = plain(text, expect, ending);
    let trip = guard::first(text, expect.limits_in_force(), &reading);
    // A character tells with its last byte.
    let told = (reading.decided_at..text.len()).find(|&at| text.is_char_boundary(at + 1)).unwrap_or(reading.decided_at);
    let Some(trip) = trip.filter(|trip| trip.decided <= told) else {
        return Verdict { result: reading.result };
    };
    if trip.code != Code::ReplyTooLong && guard::stands(trip.decided, &reading) {
        // Nothing behind this byte is read: the reply is judged as if it ended here, and is final.
        let ending = if ending == Ending::Cancelled { Ending::Stop } else { ending };
        let end = (0..=trip.decided).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        let mut result = plain(&text[..end], expect, ending).result;
        if let Err(lost) = &mut result {
            // The byte in front of the place where it was judged made it certain.
            lost.decided_at = lost.decided_at.min(trip.decided.saturating_sub(1));
        }
        return Verdict { result };
    }
    let repairs = open_repairs(text, expect, trip.decided);
    // A guard is judged in front of a byte: the one before it made it certain.
    let decided_at = if trip.code == Code::ReplyTooLong { trip.decided } else { trip.decided.saturating_sub(1) };
    let lost = Lost { code: trip.code, cause: None, offset: trip.offset, decided_at, repairs };
    Verdict { result: Err(lost) }
}

/// The repairs of the promise that was open when `end` bytes had arrived.
fn open_repairs(text: &str, expect: &Expect, end: usize) -> Vec<(RepairKind, usize)> {
    let end = (0..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    plain(&text[..end], expect, Ending::Unknown).open_repairs
}

fn plain(text: &str, expect: &Expect, ending: Ending) -> Reading {
    if expect.expected_root() == Root::Value || expect.taken() == Take::Alone {
        whole::read(text, expect, ending)
    } else {
        locate::read(text, expect, ending)
    }
}
