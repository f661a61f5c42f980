//! The raw text of a reply, or as much of it as is kept.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::expect::Keep;
use crate::span::{Position, Span};

/// The raw text of a reply.
#[derive(Clone)]
pub(crate) enum Raw {
    /// Pushed piece by piece.
    Owned(String),
    /// Handed over whole.
    #[cfg(feature = "bytes")]
    Shared(bytestring::ByteString),
    /// The last bytes only.
    Tail(Box<Tail>),
}

impl Raw {
    pub(crate) fn new(keep: Keep) -> Self {
        match keep {
            Keep::All => Raw::Owned(String::new()),
            Keep::Tail(most) => Raw::Tail(Box::new(Tail::new(most))),
            Keep::Nothing => Raw::Tail(Box::new(Tail::new(0))),
        }
    }

    /// How much is kept.
    pub(crate) fn keep(&self) -> Keep {
        match self {
            Raw::Tail(tail) if tail.most == 0 => Keep::Nothing,
            Raw::Tail(tail) => Keep::Tail(tail.most),
            _ => Keep::All,
        }
    }

    /// What is kept, ended by the newest byte. While a tail is being read it may be less; see [`Raw::settle`].
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Raw::Owned(text) => text,
            #[cfg(feature = "bytes")]
            Raw::Shared(text) => text,
            Raw::Tail(tail) => tail.newest(),
        }
    }

    /// Length of the whole reply, in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Raw::Tail(tail) => tail.dropped + tail.ring.len(),
            text => text.as_str().len(),
        }
    }

    /// Offset of the first byte of [`Raw::as_str`].
    pub(crate) fn start(&self) -> usize {
        self.len() - self.as_str().len()
    }

    /// Some text by its offsets, if it is kept.
    pub(crate) fn get(&self, span: Span) -> Option<&str> {
        let start = self.start();
        self.as_str().get(span.start.checked_sub(start)?..span.end.checked_sub(start)?)
    }

    /// Line and column of an offset, if it is kept.
    pub(crate) fn position(&self, offset: usize) -> Option<Position> {
        let offset = offset.checked_sub(self.start())?;
        let mut position = Position::of(self.as_str(), offset);
        if let Raw::Tail(tail) = self {
            if position.line == 1 {
                position.column += tail.column;
            }
            position.line += tail.lines;
        }
        Some(position)
    }

    /// The text to append to; shared text is copied first. Nothing for a tail.
    pub(crate) fn to_mut(&mut self) -> Option<&mut String> {
        #[cfg(feature = "bytes")]
        if let Raw::Shared(text) = self {
            *self = Raw::Owned(String::from(&**text));
        }
        match self {
            Raw::Owned(text) => Some(text),
            _ => None,
        }
    }

    /// Nothing more comes: all of a tail is put in order.
    pub(crate) fn settle(&mut self) {
        if let Raw::Tail(tail) = self {
            tail.settle();
        }
    }
}

/// The last bytes of a reply, in a ring; and what line and column stand in front of them.
#[derive(Clone)]
pub(crate) struct Tail {
    /// `ring[head..]`, then `ring[..head]`.
    ring: Vec<u8>,
    head: usize,
    most: usize,
    dropped: usize,
    lines: usize,
    column: usize,
}

impl Tail {
    fn new(most: usize) -> Self {
        Self { ring: Vec::new(), head: 0, most, dropped: 0, lines: 0, column: 0 }
    }

    /// Takes more bytes.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) {
        let room = (self.most - self.ring.len()).min(bytes.len());
        if room > 0 {
            let needed = self.ring.len() + room;
            if needed > self.ring.capacity() {
                // Twice as much, but never more than is kept.
                self.ring.reserve_exact(needed.max(2 * self.ring.capacity()).min(self.most) - self.ring.len());
            }
            self.ring.extend_from_slice(&bytes[..room]);
            bytes = &bytes[room..];
        }
        if self.most == 0 {
            self.forget(bytes);
            return;
        }
        while !bytes.is_empty() {
            let len = bytes.len().min(self.ring.len() - self.head);
            let (new, rest) = bytes.split_at(len);
            let ring = core::mem::take(&mut self.ring);
            self.forget(&ring[self.head..self.head + len]);
            self.ring = ring;
            self.ring[self.head..self.head + len].copy_from_slice(new);
            self.head = (self.head + len) % self.ring.len();
            bytes = rest;
        }
    }

    /// Some bytes are no longer kept.
    fn forget(&mut self, bytes: &[u8]) {
        self.dropped += bytes.len();
        for &byte in bytes {
            match byte {
                b'\n' => (self.lines, self.column) = (self.lines + 1, 0),
                _ => self.column += usize::from(byte & 0xC0 != 0x80),
            }
        }
    }

    /// Puts the bytes in order.
    pub(crate) fn settle(&mut self) {
        self.ring.rotate_left(self.head);
        self.head = 0;
    }

    /// Sees to it that so many of the newest bytes lie in one piece, or all there are.
    pub(crate) fn gather(&mut self, len: usize) {
        if self.head < len {
            self.settle();
        }
    }

    /// The newest bytes, so many or all there are, and the offset of the first; gathered before.
    pub(crate) fn gathered(&self, len: usize) -> (&[u8], usize) {
        let bytes = if self.head == 0 { &self.ring[..] } else { &self.ring[..self.head] };
        let bytes = &bytes[bytes.len().saturating_sub(len)..];
        (bytes, self.dropped + self.ring.len() - bytes.len())
    }

    /// The newest part that lies in one piece, without the end of a character that began before.
    fn newest(&self) -> &str {
        let bytes = if self.head == 0 { &self.ring } else { &self.ring[..self.head] };
        let cut = bytes.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
        core::str::from_utf8(&bytes[cut..]).unwrap_or_default()
    }
}
