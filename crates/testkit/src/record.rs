//! A sink that writes down what it is told: events, pieces, and of each document its cleaned stream and its tokens.

use std::cell::RefCell;
use std::mem;

use thusfar_core::{Event, Flow, Piece, Sink, Span};

use crate::token::Token;

/// What a scanner told.
#[derive(Debug, Default)]
pub struct Record {
    /// Every event.
    pub events: Vec<Event>,
    /// Every document that counted.
    pub documents: Vec<Told>,
    pieces: Vec<(Piece, Span)>,
    open: Told,
}

/// What was told of one document.
#[derive(Debug, Default)]
pub struct Told {
    /// Where it stands; until it has closed, where it begins.
    pub span: Span,
    /// The text of its pieces.
    pub clean: String,
    grammar: Vec<Event>,
}

impl Told {
    /// What its events say that it holds.
    #[must_use]
    pub fn tokens(&self, raw: &str) -> Vec<Token> {
        let token = |event: &Event| match *event {
            Event::Open { kind, .. } => Token::Open(kind),
            Event::Close { kind, .. } => Token::Close(kind),
            Event::Key { content, .. } => Token::Key(unescaped(&raw[content.range()])),
            Event::String { content, .. } => Token::Text(unescaped(&raw[content.range()])),
            Event::Number { span } | Event::Literal { span } => Token::Word(raw[span.range()].to_owned()),
            other => panic!("{other:?} is no token"),
        };
        self.grammar.iter().map(token).collect()
    }
}

/// The content of a string, in which raw control characters stand for themselves.
fn unescaped(content: &str) -> String {
    let mut quoted = String::from("\"");
    for char in content.chars() {
        match char {
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(char))),
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    serde_json::from_str(&quoted).unwrap_or_else(|error| panic!("{error}: the content of a string, {quoted:?}"))
}

impl Sink for Record {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Begin { at, .. } => self.open = Told { span: Span::new(at, at), ..Told::default() },
            // All since the opener was text.
            Event::Abandon | Event::PassOver => {
                let begun = self.open.span.start;
                let since = self.pieces.iter_mut().rev().take_while(|(_, span)| span.start >= begun);
                since.for_each(|(piece, _)| *piece = Piece::Prose);
            }
            Event::Document { span, .. } => self.documents.push(Told { span, ..mem::take(&mut self.open) }),
            Event::Open { .. } | Event::Close { .. } | Event::Key { .. } | Event::String { .. } => {
                self.open.grammar.push(event);
            }
            Event::Number { .. } | Event::Literal { .. } => self.open.grammar.push(event),
            _ => {}
        }
        self.events.push(event);
        Flow::Continue
    }

    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        if !matches!(piece, Piece::Prose | Piece::Fence | Piece::Reasoning) {
            self.open.clean.push_str(text);
        }
        self.pieces.push((piece, span));
    }
}

impl Record {
    /// The pieces in order of offsets, neighbours of a kind as one.
    #[must_use]
    pub fn tiles(&self) -> Vec<(Piece, Span)> {
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

    /// Where the candidate begins that is open.
    #[must_use]
    pub fn candidate(&self) -> Option<usize> {
        let last = self.events.iter().rev().find_map(|event| match *event {
            Event::Begin { at, .. } => Some(Some(at)),
            Event::Abandon | Event::PassOver | Event::OtherKind { .. } | Event::Document { .. } => Some(None),
            _ => None,
        });
        last.flatten()
    }

    /// The document that stands there.
    #[must_use]
    pub fn document(&self, span: Span) -> Option<&Told> {
        self.documents.iter().find(|told| told.span == span)
    }
}

/// A record that outlives the reply it listens to.
#[derive(Debug, Clone, Copy)]
pub struct Tap<'a>(pub &'a RefCell<Record>);

impl Sink for Tap<'_> {
    fn event(&mut self, event: Event) -> Flow {
        self.0.borrow_mut().event(event)
    }

    fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        self.0.borrow_mut().bytes(piece, span, text);
    }
}
