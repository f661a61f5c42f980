//! What a body is that holds no events: an error in plain JSON, a page of a proxy, compressed bytes, nothing at all.
//!
//! A decoder that finds no event in such a body has read it to the letter, and "no events" looks like a short, successful
//! reply. So whoever decodes gets a [`Diagnosis`] with a bounded quotation instead. It is made once, at the end; until
//! then a decoder keeps no more of what it does not understand than the quotation.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::json::{self, Extent};

/// The longest quotation, in bytes.
pub const QUOTATION_LEN: usize = 4096;

/// What a body turned out to be. Stable names: [`BodyKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyKind {
    /// Nothing, or nothing but white space.
    Empty,
    /// What it should be, but without a single event: comments, fields without data, an empty array.
    NoEvents,
    /// One JSON text, or the beginning of one; usually an error.
    Json,
    /// JSON texts on lines of their own.
    Ndjson,
    /// Server-sent events.
    EventStream,
    /// An HTML page.
    Html,
    /// XML, or HTML that does not say so.
    Xml,
    /// Compressed with gzip (RFC 1952): a `Content-Encoding` that nobody undid.
    Gzip,
    /// Compressed with zlib (RFC 1950).
    Zlib,
    /// Compressed with Zstandard (RFC 8878).
    Zstd,
    /// Plain words.
    Text,
    /// Bytes that are no text.
    Binary,
}

impl BodyKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            BodyKind::Empty => "empty",
            BodyKind::NoEvents => "no_events",
            BodyKind::Json => "json",
            BodyKind::Ndjson => "ndjson",
            BodyKind::EventStream => "event_stream",
            BodyKind::Html => "html",
            BodyKind::Xml => "xml",
            BodyKind::Gzip => "gzip",
            BodyKind::Zlib => "zlib",
            BodyKind::Zstd => "zstd",
            BodyKind::Text => "text",
            BodyKind::Binary => "binary",
        }
    }

    const fn message(self) -> &'static str {
        match self {
            BodyKind::Empty => "the body is empty",
            BodyKind::NoEvents => "the body holds no event",
            BodyKind::Json => "plain JSON where events were expected",
            BodyKind::Ndjson => "JSON lines where something else was expected",
            BodyKind::EventStream => "server-sent events where something else was expected",
            BodyKind::Html => "an HTML page where events were expected",
            BodyKind::Xml => "XML where events were expected",
            BodyKind::Gzip => "bytes compressed with gzip where events were expected",
            BodyKind::Zlib => "bytes compressed with zlib where events were expected",
            BodyKind::Zstd => "bytes compressed with Zstandard where events were expected",
            BodyKind::Text => "plain text where events were expected",
            BodyKind::Binary => "binary data where events were expected",
        }
    }

    /// Whether it is never what a field that nobody knows looks like, so that it is told behind events too.
    pub(crate) const fn is_document(self) -> bool {
        matches!(self, BodyKind::Json | BodyKind::Ndjson | BodyKind::Html | BodyKind::Xml)
    }
}

/// What a body, or what stands in it beside the events, is instead of events. `Debug` shows no text.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnosis {
    kind: BodyKind,
    quotation: Quotation,
}

impl Diagnosis {
    /// Says what a body is of which the first bytes are known. `is_whole` says that these are all there are.
    ///
    /// Linear in at most [`QUOTATION_LEN`] bytes; what stands behind them is not looked at.
    ///
    /// ```
    /// use thusfar_stream::{BodyKind, Diagnosis};
    /// let page = Diagnosis::of(b"<!DOCTYPE html><title>502 Bad Gateway</title>", true);
    /// assert_eq!(page.kind(), BodyKind::Html);
    /// assert_eq!(page.to_string(), "an HTML page where events were expected at byte 0");
    /// ```
    #[must_use]
    pub fn of(body: &[u8], is_whole: bool) -> Self {
        let mut quotation = Quotation::default();
        quotation.push(body, 0);
        quotation.is_cut |= !is_whole;
        Self::quoting(quotation)
    }

    /// What quoted bytes are.
    pub(crate) fn quoting(quotation: Quotation) -> Self {
        Self { kind: kind(&quotation.text, quotation.is_cut), quotation }
    }

    /// A body without a single event, or without a byte; what was left is quoted.
    pub(crate) fn without_events(is_empty: bool, left: Quotation) -> Self {
        let kind = if is_empty { BodyKind::Empty } else { BodyKind::NoEvents };
        Self { kind, quotation: left }
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Where it begins, in bytes from the body's beginning.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.quotation.at
    }

    /// Its first bytes, at most [`QUOTATION_LEN`] of them; line ends may be line feeds where they were others.
    #[must_use]
    pub fn quotation(&self) -> &[u8] {
        &self.quotation.text
    }

    /// The same as text. What is no UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.quotation.text)
    }

    /// Whether the quotation holds all of it.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        !self.quotation.is_cut
    }
}

impl fmt::Debug for Diagnosis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Diagnosis")
            .field("kind", &self.kind)
            .field("offset", &self.quotation.at)
            .field("quotation_len", &self.quotation.text.len())
            .finish()
    }
}

/// Without the quotation, which is a provider's text.
impl fmt::Display for Diagnosis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.message())?;
        match self.kind {
            BodyKind::Empty | BodyKind::NoEvents => Ok(()),
            _ => write!(formatter, " at byte {}", self.quotation.at),
        }
    }
}

impl core::error::Error for Diagnosis {}

/// The beginning of what was not understood, at most [`QUOTATION_LEN`] bytes.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Quotation {
    text: Vec<u8>,
    at: u64,
    is_cut: bool,
}

impl Quotation {
    /// Whether nothing is quoted.
    #[cfg(feature = "aws")]
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes bytes that stand at an offset, as far as there is room.
    pub(crate) fn push(&mut self, bytes: &[u8], at: u64) {
        if self.text.is_empty() && !bytes.is_empty() {
            self.at = at;
        }
        let len = bytes.len().min(QUOTATION_LEN - self.text.len());
        self.text.extend_from_slice(&bytes[..len]);
        self.is_cut |= len < bytes.len();
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.at = 0;
        self.is_cut = false;
    }

    /// Bytes on the heap.
    pub(crate) fn heap_len(&self) -> usize {
        self.text.capacity()
    }
}

const MAGIC: [(&[u8], BodyKind); 5] = [
    (b"\x1f\x8b", BodyKind::Gzip),
    (b"\x28\xb5\x2f\xfd", BodyKind::Zstd),
    (b"\x78\x01", BodyKind::Zlib),
    (b"\x78\x9c", BodyKind::Zlib),
    (b"\x78\xda", BodyKind::Zlib),
];

const HTML: [&[u8]; 7] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<center", b"<h1"];

const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

/// What the first bytes of something say that it is.
fn kind(bytes: &[u8], is_cut: bool) -> BodyKind {
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return *kind;
    }
    let text = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    match text.first() {
        None => BodyKind::Empty,
        Some(b'{' | b'[' | b'"') if json::extent(text) != Extent::Not => BodyKind::Json,
        Some(b'{' | b'[') if is_ndjson(text) => BodyKind::Ndjson,
        Some(b'<') if is_html(text) => BodyKind::Html,
        Some(b'<') if is_xml(text) => BodyKind::Xml,
        Some(_) if FIELDS.iter().any(|field| text.starts_with(field)) => BodyKind::EventStream,
        Some(_) if is_text(text, is_cut) => BodyKind::Text,
        Some(_) => BodyKind::Binary,
    }
}

/// Whether a text begins as a page does.
pub(crate) fn is_page(text: &[u8]) -> bool {
    let text = json::trim_start(text);
    is_html(text) || starts_with(text, b"<?xml")
}

fn is_html(text: &[u8]) -> bool {
    HTML.iter().any(|word| starts_with(text, word))
}

fn is_xml(text: &[u8]) -> bool {
    matches!(text, [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'?' | b'!', ..])
}

/// Whether a text begins with a word, in whatever case.
fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|front| front.eq_ignore_ascii_case(word))
}

/// Whether every line is a JSON text; the last one may be cut.
fn is_ndjson(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| json::first(line).is_some());
    let last = lines.next_back();
    lines.all(|line| json::extent(line) == Extent::Whole) && last.is_none_or(|line| json::extent(line) != Extent::Not)
}

/// Whether it is UTF-8 without control characters but white space; a character at the end may be cut.
fn is_text(bytes: &[u8], is_cut: bool) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let is_utf8 = match core::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => is_cut && error.error_len().is_none(),
    };
    is_utf8 && !bytes.iter().any(is_control)
}
