//! A JSON value in a reply, read as it comes by the engine, and not a byte further.
//!
//! # Theory
//!
//! The engine is told that the value stands alone, so its opener is a promise and every byte that breaks it is told at once. It gets
//! the text in pieces that end where the value can end, at closers: so it is stopped exactly behind the root, and what follows is for
//! the dialect to judge.

use memchr::memchr2_iter;
use thusfar_core::{Document, Ending, Event, Expect, Failure, Flow, Kind, Progress, Reply, Sink, Span, Take};

use super::heard::{Ear, Heard};

/// A value being read.
pub(super) struct Body {
    reply: Option<Reply<Outline>>,
    start: usize,
    read: usize,
    /// What had been seen when it was over.
    seen: Outline,
}

/// What became of it.
pub(super) enum Read {
    /// More text is needed.
    More,
    /// It closed: the document, and where it ends in the reply.
    Closed(Box<Document>, usize),
    /// It broke, or the reply ended inside it.
    Broken(Box<Failure>),
}

/// What is seen of the value's outermost members while it is read, in bytes from its opener; and heard of the arguments in it.
#[derive(Default)]
pub(super) struct Outline {
    depth: usize,
    /// How deep its members stand: those of the root, or of the objects in it where it is an array.
    members_at: usize,
    is_closed: bool,
    /// Nothing but JSON can have been meant: a first value has begun.
    pub(super) is_promise: bool,
    /// Keys of the outermost object, with their value where it is a string that has closed.
    pub(super) members: Vec<Seen>,
    ear: Ear,
}

/// A member that has been seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) key: Span,
    pub(super) is_escaped: bool,
    pub(super) text: Option<Span>,
}

/// Bytes of the first piece.
const FIRST_PIECE: usize = 128;
/// More outermost members than a call has.
const MOST_MEMBERS: usize = 64;

impl Sink for Outline {
    const BYTES: bool = false;
    const CONTENT: bool = true;

    fn event(&mut self, event: Event) -> Flow {
        self.ear.event(event);
        match event {
            Event::Open { kind, .. } => {
                if self.depth == 0 {
                    self.members_at = if kind == Kind::Object { 1 } else { 2 };
                }
                self.is_promise |= self.depth > 0;
                self.depth += 1;
            }
            Event::Close { .. } => {
                self.depth = self.depth.saturating_sub(1);
                self.is_closed = self.depth == 0;
            }
            Event::StringOpen { key: false, .. } | Event::ScalarOpen { .. } => self.is_promise = true,
            Event::Key { content, escaped, .. }
                if self.depth == self.members_at && self.members.len() < MOST_MEMBERS =>
            {
                self.members.push(Seen { key: content, is_escaped: escaped, text: None });
            }
            Event::String { content, .. } if self.depth == self.members_at => {
                if let Some(member) = self.members.last_mut() {
                    member.text.get_or_insert(content);
                }
            }
            _ => {}
        }
        Flow::Continue
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        self.ear.content(span, text);
        Flow::Continue
    }
}

impl Body {
    /// A value whose opener stands at an offset of the reply.
    pub(super) fn new(start: usize) -> Self {
        Self::heard_by(start, Ear::default())
    }

    /// The same, and arguments in it are listened to.
    pub(super) fn heard_by(start: usize, ear: Ear) -> Self {
        let expect = Expect::any().take(Take::Alone);
        let reply = Some(Reply::with_sink(expect, Outline { ear, ..Outline::default() }));
        Self { reply, start, read: start, seen: Outline::default() }
    }

    /// Where its opener stands.
    pub(super) const fn start(&self) -> usize {
        self.start
    }

    /// Where reading stands, in bytes of the reply.
    pub(super) const fn read_to(&self) -> usize {
        self.read
    }

    /// What has been seen so far.
    pub(super) fn outline(&self) -> &Outline {
        self.reply.as_ref().map_or(&self.seen, Reply::sink)
    }

    /// What arguments in it break, as far as it was read: the first of each.
    pub(super) fn heard(&self) -> impl Iterator<Item = Heard> {
        self.outline().ear.found.iter().map(|heard| heard.clone().behind(self.start))
    }

    /// Reads on, in all text so far. With an ending, a value that is open is broken.
    pub(super) fn read(&mut self, text: &str, end: Option<Ending>) -> Read {
        while let Some(reply) = &mut self.reply {
            let rest = &text[self.read..];
            if rest.is_empty() {
                break;
            }
            // No more than was read already: most of what begins like a value breaks soon, and the rest is not looked at for it.
            let rest = &rest[..boundary(rest, FIRST_PIECE.max(self.read - self.start).min(rest.len()))];
            let depth = reply.sink().depth.max(1);
            let end = memchr2_iter(b'}', b']', rest.as_bytes()).nth(depth - 1);
            let piece = &rest[..end.map_or(rest.len(), |at| at + 1)];
            let progress = reply.push(piece);
            self.read += piece.len();
            if reply.sink().is_closed || progress == Progress::Doomed {
                return self.finish(text, Ending::Stop);
            }
        }
        match end {
            Some(ending) => self.finish(text, ending),
            None => Read::More,
        }
    }

    fn finish(&mut self, text: &str, ending: Ending) -> Read {
        let Some(reply) = self.reply.take() else { return Read::More };
        let (answer, seen) = reply.finish_into(ending);
        self.seen = seen;
        match answer {
            Ok(document) => Read::Closed(Box::new(document), self.read),
            Err(failure) => {
                // Where it was certain, whatever was pushed behind.
                self.read = boundary(text, self.start + failure.decided_at().clamp(1, self.read - self.start));
                Read::Broken(Box::new(failure))
            }
        }
    }
}

/// The next character boundary.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// What stands behind a value without markup, read until it is certain that the value did not close too early.
pub(super) struct Behind {
    reply: Reply,
    read: usize,
}

impl Behind {
    /// A value that has closed.
    pub(super) fn new(value: &str, end: usize) -> Self {
        let mut reply = Reply::new(Expect::any().take(Take::First));
        let _ = reply.push(value);
        Self { reply, read: end }
    }

    /// Whether it stands, once that is certain.
    pub(super) fn read(&mut self, text: &str, end: Option<Ending>) -> Option<Result<(), Box<Failure>>> {
        for character in text[self.read..].chars() {
            if self.reply.progress().is_decided() {
                break;
            }
            self.read += character.len_utf8();
            let _ = self.reply.push(character.encode_utf8(&mut [0; 4]));
        }
        match (self.reply.progress(), end) {
            (Progress::Final, _) => Some(Ok(())),
            (Progress::Doomed, _) | (_, Some(_)) => {
                let reply = std::mem::replace(&mut self.reply, Reply::new(Expect::any()));
                Some(reply.finish(Ending::Stop).map(|_| ()).map_err(Box::new))
            }
            _ => None,
        }
    }
}
