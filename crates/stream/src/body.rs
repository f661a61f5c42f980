//! A body in whichever framing a provider chose: named by its content type, or guessed from its first byte.
//!
//! # Theory
//!
//! Server-sent events may begin with any byte, so a body is read as such from the beginning. The first byte that is
//! neither white space nor a byte order mark decides: `[` opens a JSON array, `{` the first of some JSON lines, a zero
//! byte the length of a binary frame; anything else stays what it is. Nothing has been handed out by then, so nothing is
//! taken back.
//!
//! A guess that comes to nothing is told at the end like a wrong name: by a [`Diagnosis`](crate::Diagnosis).

use alloc::boxed::Box;
use core::fmt;

use crate::array;
#[cfg(feature = "aws")]
use crate::aws;
use crate::buffer::BOM;
use crate::eof::Eof;
use crate::error::Error;
use crate::event::Item;
use crate::limits::Limits;
use crate::ndjson;
use crate::sse;

/// How events are put into a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// Server-sent events: `text/event-stream`. Most providers.
    Sse,
    /// JSON texts on lines: `application/x-ndjson`. Ollama.
    Ndjson,
    /// The elements of one JSON array. Gemini without `alt=sse`.
    JsonArray,
    /// Binary frames: `application/vnd.amazon.eventstream`. Bedrock.
    #[cfg(feature = "aws")]
    Aws,
}

impl Framing {
    /// All framings with their names on the command line.
    pub const ALL: &[(Framing, &'static str)] = &[
        (Framing::Sse, "sse"),
        (Framing::Ndjson, "ndjson"),
        (Framing::JsonArray, "json-array"),
        #[cfg(feature = "aws")]
        (Framing::Aws, "aws"),
    ];

    /// The framing that a `Content-Type` names; none for `application/json`, which may be an array or an error, and for
    /// what is not known. Parameters and case do not matter.
    ///
    /// ```
    /// use thusfar_stream::Framing;
    /// assert_eq!(Framing::of_content_type("Text/Event-Stream; charset=utf-8"), Some(Framing::Sse));
    /// assert_eq!(Framing::of_content_type("application/json"), None);
    /// ```
    #[must_use]
    pub fn of_content_type(value: &str) -> Option<Self> {
        let (essence, _) = value.split_once(';').unwrap_or((value, ""));
        let is = |name: &&str| essence.trim().eq_ignore_ascii_case(name);
        let lines = [
            "application/x-ndjson",
            "application/ndjson",
            "application/jsonl",
            "application/x-jsonlines",
            "application/jsonlines",
        ];
        if is(&"text/event-stream") {
            return Some(Framing::Sse);
        }
        if lines.iter().any(is) {
            return Some(Framing::Ndjson);
        }
        #[cfg(feature = "aws")]
        if is(&"application/vnd.amazon.eventstream") {
            return Some(Framing::Aws);
        }
        None
    }
}

/// Decodes a body in a framing that is named, or guessed.
///
/// ```
/// use thusfar_stream::{Body, BodyKind, Framing};
///
/// let mut body = Body::new(None);
/// let mut chunk = &b"{\"message\": {\"content\": \"Hi\"}}\n"[..];
/// assert_eq!(body.next_item(&mut chunk)?.and_then(|item| item.event()).map(|event| event.data().len()), Some(30));
/// assert_eq!(body.framing(), Some(Framing::Ndjson));
///
/// // Never an empty success.
/// let mut body = Body::new(Framing::of_content_type("text/event-stream"));
/// let mut chunk = &b"{\"error\": {\"message\": \"no such model\"}}"[..];
/// assert!(body.next_item(&mut chunk)?.is_none());
/// let eof = body.finish()?;
/// assert_eq!(eof.diagnosis().map(|diagnosis| diagnosis.kind()), Some(BodyKind::Json));
/// # Ok::<(), thusfar_stream::Error>(())
/// ```
#[derive(Clone)]
pub struct Body {
    limits: Limits,
    is_guessing: bool,
    /// How many bytes of a byte order mark have been seen; three also where there is none.
    mark_len: u8,
    decoder: Decoder,
}

/// Most bodies are server-sent events: that decoder lies here, the others are boxed.
#[derive(Clone)]
#[allow(clippy::large_enum_variant)]
enum Decoder {
    Sse(sse::Decoder),
    Ndjson(Box<ndjson::Decoder>),
    JsonArray(Box<array::Decoder>),
    #[cfg(feature = "aws")]
    Aws(Box<aws::Decoder>),
}

impl Body {
    /// A body of which nothing has come yet, with the default limits. Without a framing it is guessed.
    #[must_use]
    pub fn new(framing: Option<Framing>) -> Self {
        Self::with_limits(framing, Limits::default())
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(framing: Option<Framing>, limits: Limits) -> Self {
        let decoder = match framing {
            None | Some(Framing::Sse) => Decoder::Sse(sse::Decoder::with_limits(limits)),
            Some(Framing::Ndjson) => Decoder::Ndjson(Box::new(ndjson::Decoder::with_limits(limits))),
            Some(Framing::JsonArray) => Decoder::JsonArray(Box::new(array::Decoder::with_limits(limits))),
            #[cfg(feature = "aws")]
            Some(Framing::Aws) => Decoder::Aws(Box::new(aws::Decoder::with_limits(limits))),
        };
        Self { limits, is_guessing: framing.is_none(), mark_len: 0, decoder }
    }

    /// The framing, once it is known.
    #[must_use]
    pub fn framing(&self) -> Option<Framing> {
        if self.is_guessing {
            return None;
        }
        Some(match &self.decoder {
            Decoder::Sse(_) => Framing::Sse,
            Decoder::Ndjson(_) => Framing::Ndjson,
            Decoder::JsonArray(_) => Framing::JsonArray,
            #[cfg(feature = "aws")]
            Decoder::Aws(_) => Framing::Aws,
        })
    }

    /// Bytes taken so far.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match &self.decoder {
            Decoder::Sse(decoder) => decoder.offset(),
            Decoder::Ndjson(decoder) => decoder.offset(),
            Decoder::JsonArray(decoder) => decoder.offset(),
            #[cfg(feature = "aws")]
            Decoder::Aws(decoder) => decoder.offset(),
        }
    }

    /// Bytes that are held on the heap now, spare room among them.
    #[must_use]
    pub fn heap_len(&self) -> usize {
        match &self.decoder {
            Decoder::Sse(decoder) => decoder.heap_len(),
            Decoder::Ndjson(decoder) => size_of_val(&**decoder) + decoder.heap_len(),
            Decoder::JsonArray(decoder) => size_of_val(&**decoder) + decoder.heap_len(),
            #[cfg(feature = "aws")]
            Decoder::Aws(decoder) => size_of_val(&**decoder) + decoder.heap_len(),
        }
    }

    /// Takes bytes from the front of `chunk` up to the end of the next item, and gives it; nothing when the chunk is used
    /// up. What has no end yet is kept. Linear in the bytes taken.
    ///
    /// # Errors
    ///
    /// Those of the framing's decoder: a limit, a broken frame, a broken array. The error stays, and no more bytes are taken.
    #[inline]
    pub fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error> {
        self.settle(chunk)?;
        match &mut self.decoder {
            Decoder::Sse(decoder) => decoder.next_item(chunk),
            Decoder::Ndjson(decoder) => decoder.next_item(chunk),
            Decoder::JsonArray(decoder) => decoder.next_item(chunk),
            #[cfg(feature = "aws")]
            Decoder::Aws(decoder) => decoder.next_item(chunk),
        }
    }

    /// Decides which framing it is, if it has to be guessed and the byte that decides is there.
    #[inline]
    pub(crate) fn settle(&mut self, chunk: &mut &[u8]) -> Result<(), Error> {
        if self.is_guessing { self.guess(chunk) } else { Ok(()) }
    }

    /// Reads up to the byte that decides.
    #[cold]
    fn guess(&mut self, chunk: &mut &[u8]) -> Result<(), Error> {
        let Decoder::Sse(decoder) = &mut self.decoder else { return Ok(()) };
        let mut len = 0;
        for byte in *chunk {
            match byte {
                _ if BOM.get(usize::from(self.mark_len)) == Some(byte) => self.mark_len += 1,
                b' ' | b'\t' | b'\n' | b'\r' if matches!(self.mark_len, 0 | 3) => self.mark_len = BOM.len() as u8,
                _ => break,
            }
            len += 1;
        }
        let (mut front, rest) = chunk.split_at(len);
        // It holds no more than blank lines and the beginning of one.
        let _ = decoder.next_item(&mut front)?;
        *chunk = rest;
        let Some(first) = rest.first() else { return Ok(()) };
        self.is_guessing = false;
        if matches!(self.mark_len, 1 | 2) {
            // Neither is it a mark.
            return Ok(());
        }
        let (limits, offset) = (self.limits, decoder.offset());
        match first {
            b'[' => self.decoder = Decoder::JsonArray(Box::new(array::Decoder::guessed(limits, offset))),
            b'{' => self.decoder = Decoder::Ndjson(Box::new(ndjson::Decoder::guessed(limits, offset))),
            #[cfg(feature = "aws")]
            0 if offset == 0 => self.decoder = Decoder::Aws(Box::new(aws::Decoder::with_limits(limits))),
            _ => {}
        }
        Ok(())
    }

    /// Ends the body: says what was left.
    ///
    /// # Errors
    ///
    /// The error that [`next_item`](Self::next_item) has given.
    pub fn finish(self) -> Result<Eof, Error> {
        match self.decoder {
            Decoder::Sse(decoder) => decoder.finish(),
            Decoder::Ndjson(decoder) => decoder.finish(),
            Decoder::JsonArray(decoder) => decoder.finish(),
            #[cfg(feature = "aws")]
            Decoder::Aws(decoder) => decoder.finish(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Body")
            .field("framing", &self.framing())
            .field("offset", &self.offset())
            .finish_non_exhaustive()
    }
}
