//! The pieces of a reply, put together so that they tile it.

use alloc::vec::Vec;

use crate::sink::{Event, Flow, Piece, Sink};
use crate::span::Span;

/// Collects what a scanner tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    list: Vec<(Piece, Span)>,
    /// Where the candidate begins that is open.
    candidate: Option<usize>,
}

impl Pieces {
    /// The candidate was text after all.
    fn as_prose(&mut self) {
        if let Some(start) = self.candidate.take() {
            for (piece, _) in self.list.iter_mut().rev().take_while(|(_, span)| span.start >= start) {
                *piece = Piece::Prose;
            }
        }
    }
}

impl Sink for Pieces {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Begin { at, .. } => self.candidate = Some(at),
            Event::Abandon | Event::PassOver => self.as_prose(),
            Event::Document { .. } => self.candidate = None,
            _ => {}
        }
        Flow::Continue
    }

    fn bytes(&mut self, piece: Piece, span: Span, _text: &str) {
        self.list.push((piece, span));
    }
}

/// The pieces in order, neighbours of a kind as one, what was not told as held; what was not read is prose.
pub(crate) fn tile(mut pieces: Pieces, len: usize) -> Vec<(Piece, Span)> {
    pieces.list.sort_by_key(|(_, span)| span.start);
    let mut tiles: Vec<(Piece, Span)> = Vec::new();
    let mut at = 0;
    let all = pieces.list.into_iter().chain([(Piece::Held, Span::new(len, len))]);
    for (piece, span) in all {
        let gap = (Piece::Held, Span::new(at, span.start));
        for (piece, span) in [gap, (piece, span)] {
            match tiles.last_mut() {
                _ if span.start >= span.end => {}
                Some((last, before)) if *last == piece => before.end = span.end,
                _ => tiles.push((piece, span)),
            }
        }
        at = span.end;
    }
    tiles
}
