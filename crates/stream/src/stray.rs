//! Lines that are no events: the first document among them is quoted, or else their first words.
//!
//! # Theory
//!
//! A line that begins as a JSON object or array or as a page begins a document. A document takes the lines behind it: one
//! in JSON until it is whole, breaks, or something else comes between; then further JSON on the next lines makes it
//! JSON lines. What was quoted before and is no document makes room for it. The first document stays.
//!
//! # Invariants
//!
//! * `scanner` is there once a JSON document was begun, and reads the one that is open.

use alloc::boxed::Box;

use thusfar_core::{Progress, Scanner};

use crate::diagnosis::{self, Quotation};
use crate::json::{self, Extent};

/// What has been quoted of the lines so far.
#[derive(Clone, Default)]
pub(crate) struct Stray {
    quotation: Quotation,
    reading: Reading,
    scanner: Option<Box<Scanner>>,
    /// Reads lines by themselves while that one is at work.
    judge: Option<Box<Scanner>>,
}

/// How the next line is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reading {
    /// No document yet.
    #[default]
    Words,
    /// A JSON document is open.
    Json,
    /// One was whole with the line before.
    Lines,
    /// A page: it takes all that follows.
    Page,
    /// The document is over.
    Over,
}

impl Stray {
    /// Takes a line that stands at an offset, or at the end of the body the beginning of one.
    pub(crate) fn line(&mut self, line: &[u8], at: u64, is_ended: bool) {
        let begins = match self.reading {
            Reading::Over => return,
            Reading::Json | Reading::Page => false,
            Reading::Lines => {
                if self.extent(line) == Extent::Not {
                    self.reading = Reading::Over;
                    return;
                }
                true
            }
            Reading::Words => self.begins_document(line),
        };
        self.quotation.push(line, at);
        if is_ended {
            self.quotation.push(b"\n", at);
        }
        if begins && self.reading != Reading::Page {
            self.reading = Reading::Json;
            self.scanner.get_or_insert_with(|| Box::new(json::strict())).restart();
        }
        let Some(scanner) = self.scanner.as_mut().filter(|_| self.reading == Reading::Json) else { return };
        let _ = json::push(scanner, line, &mut ());
        // A line end, or what can only stand for one.
        self.reading = match json::push(scanner, b"\n", &mut ()) {
            Progress::Open => Reading::Json,
            Progress::Doomed => Reading::Words,
            _ => Reading::Lines,
        };
    }

    /// How far a line is JSON by itself.
    pub(crate) fn extent(&mut self, line: &[u8]) -> Extent {
        let idle = if self.is_open() { &mut self.judge } else { &mut self.scanner };
        json::extent_by(idle.get_or_insert_with(|| Box::new(json::strict())), line)
    }

    /// Whether a line begins a document; what was quoted before makes room.
    fn begins_document(&mut self, line: &[u8]) -> bool {
        let is_page = diagnosis::is_page(line);
        let is_json = matches!(json::first(line), Some(b'{' | b'[')) && self.extent(line) != Extent::Not;
        if is_page || is_json {
            self.quotation.clear();
        }
        if is_page {
            self.reading = Reading::Page;
        }
        is_page || is_json
    }

    /// Something that is no stray line came between.
    pub(crate) fn interrupt(&mut self) {
        if self.reading != Reading::Words {
            self.reading = Reading::Over;
        }
    }

    /// Whether a JSON document is open.
    pub(crate) fn is_open(&self) -> bool {
        self.reading == Reading::Json
    }

    /// What is quoted.
    pub(crate) fn into_quotation(self) -> Quotation {
        self.quotation
    }

    /// Bytes on the heap, those of the stray lines themselves among them.
    pub(crate) fn heap_len(&self) -> usize {
        let scanners = [&self.scanner, &self.judge].into_iter().flatten();
        let scanners_len: usize = scanners.map(|scanner| size_of::<Scanner>() + scanner.heap_len()).sum();
        size_of::<Self>() + self.quotation.heap_len() + scanners_len
    }
}
