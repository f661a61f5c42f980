//! A sink that writes down what it is told, and refuses some of it. One that wants pieces is told by the functions of the states, one that
//! wants none by the way that reads much at once.

use std::cell::RefCell;
use std::fmt::Write as _;

use thusfar_core::{Code, Ending, Event, Expect, Flow, Reply, Sink, Span};

use crate::report::Report;

/// What a sink is told, pieces aside.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Told {
    Event(Event),
    Content(Span, String),
}

/// What a sink refuses.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Refusal {
    Nothing,
    /// An event, by its number; as the document's end or as the reply's.
    Event(usize, bool),
    /// Content that holds an offset.
    Content(usize),
}

/// Writes down what it is told.
pub(crate) struct Heard<'a, const PIECES: bool, const CONTENT: bool> {
    told: &'a RefCell<Vec<Told>>,
    refusal: Refusal,
}

impl<const PIECES: bool, const CONTENT: bool> Sink for Heard<'_, PIECES, CONTENT> {
    const BYTES: bool = PIECES;
    const CONTENT: bool = CONTENT;

    fn event(&mut self, event: Event) -> Flow {
        let mut told = self.told.borrow_mut();
        told.push(Told::Event(event));
        match self.refusal {
            Refusal::Event(number, ends) if number + 1 == told.len() => match ends {
                true => Flow::Doom(Code::Veto("no"), number),
                false => Flow::Break(Code::Veto("no"), number),
            },
            _ => Flow::Continue,
        }
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        match self.refusal {
            // It may be told once more.
            Refusal::Content(at) if span.range().contains(&at) => Flow::Break(Code::Veto("no"), at),
            _ => {
                self.told.borrow_mut().push(Told::Content(span, text.to_owned()));
                Flow::Continue
            }
        }
    }
}

/// Behind all chunks.
pub(crate) fn always(_: usize) -> bool {
    true
}

/// What a sink was told in all, and what the caller saw behind each chunk and at the end.
pub(crate) type Outcome = (Vec<Told>, Vec<String>, Report);

/// Reads chunks, with a sink. `looks`: behind which chunks the scanner is looked at, which makes it read all there is.
pub(crate) fn read<S: Sink>(
    chunks: &[&str],
    expect: Expect,
    ending: Ending,
    sink: S,
    looks: fn(usize) -> bool,
) -> (Vec<String>, Report) {
    let mut reply = Reply::with_sink(expect, sink);
    let mut seen = Vec::new();
    for (number, chunk) in chunks.iter().enumerate() {
        let progress = reply.push(chunk);
        assert_eq!(progress, reply.progress(), "what a push says is what is so: {chunks:?}");
        let mut line = format!("{progress:?}");
        if looks(number) {
            let scanner = reply.scanner();
            let _ = write!(line, " {scanner:?} {:x}", scanner.print());
        }
        seen.push(line);
    }
    (seen, Report::of(&reply.finish(ending)))
}

/// The same, with one that writes down what it is told, and refuses something.
pub(crate) fn hear<const PIECES: bool, const CONTENT: bool>(
    chunks: &[&str],
    expect: Expect,
    ending: Ending,
    refusal: Refusal,
    looks: fn(usize) -> bool,
) -> Outcome {
    let told = RefCell::default();
    let (seen, report) = read(chunks, expect, ending, Heard::<PIECES, CONTENT> { told: &told, refusal }, looks);
    (told.into_inner(), seen, report)
}
