//! AWS event-stream frames (`application/vnd.amazon.eventstream`), out of bytes in any pieces: what Bedrock sends.
//!
//! The format is that of the [Amazon Event Stream Specification](https://smithy.io/2.0/aws/amazon-eventstream.html); the
//! words in quotation marks below are its headings.
//!
//! # Theory
//!
//! A body is frames, and each says how long it is ("Message Format"; numbers are big-endian):
//!
//! ```text
//! 0             4               8             12                     frame_len - 4       frame_len
//! | frame_len   | headers_len   | checksum    | headers  |  payload  | checksum          |
//!                                 of 0..8                              of 0..frame_len - 4
//! ```
//!
//! The checksums are CRC-32 (RFC 1952, section 8). A frame that lies in one chunk is handed out as slices of it; the
//! beginning of another one is kept in one buffer until its end comes. The first twelve bytes, the *prelude*, are judged
//! as soon as they are there, each in this order: checksum, lengths, limit. The rest is judged with the last byte of the
//! frame: checksum, headers. So what is wrong, and where, does not depend on the chunks.
//!
//! A body whose first prelude has a wrong checksum is not made of frames: an error in plain JSON, a page of a proxy. It
//! is swallowed and told as a [`Diagnosis`] at the end. Behind a prelude that fits, what does not fit
//! is an [`Error`].
//!
//! # Invariants
//!
//! * `buffer.len() < PRELUDE_LEN` while `frame_len` is zero, `buffer.len() < frame_len` otherwise, unless it is spent.
//! * The buffer grows by the bytes that came, never by a length that was announced.
//! * A failed decoder gives its error again and takes no bytes.
//!
//! What is deliberately absent: the sizes that the specification allows (headers of 128 KiB, payloads of 24 MiB), since
//! "Clients MUST NOT validate them" ([`Limits::frame_len`] is the caller's own), signatures of frames, and any look into
//! the payload. InvokeModel's payloads wrap the model's own events in base64.

mod frame;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::mem;

use crate::buffer::empty;
use crate::diagnosis::{Diagnosis, Quotation};
use crate::eof::{Eof, Left};
use crate::error::{Error, ErrorKind};
use crate::event::Item;
use crate::limits::Limits;
use frame::{CHECKSUM_LEN, PRELUDE_LEN};

#[cfg(feature = "http-body")]
pub(crate) use frame::frame_of;
pub use frame::{Frame, Header, HeaderValue, Headers};

/// Decodes AWS event-stream frames.
///
/// Each chunk is pulled empty; each item is out with the chunk that ends it.
///
/// ```
/// use thusfar_stream::aws::Decoder;
///
/// /// A frame with headers that are strings.
/// fn frame(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
///     let mut named = Vec::new();
///     for (name, value) in headers {
///         named.push(name.len() as u8);
///         named.extend(name.bytes());
///         named.push(7);
///         named.extend((value.len() as u16).to_be_bytes());
///         named.extend(value.bytes());
///     }
///     let mut frame = ((named.len() + payload.len() + 16) as u32).to_be_bytes().to_vec();
///     frame.extend((named.len() as u32).to_be_bytes());
///     frame.extend(crc32fast::hash(&frame).to_be_bytes());
///     frame.extend(named);
///     frame.extend(payload.bytes());
///     frame.extend(crc32fast::hash(&frame).to_be_bytes());
///     frame
/// }
///
/// let mut body = frame(&[(":message-type", "event"), (":event-type", "messageStop")], "{\"stopReason\": \"end_turn\"}");
/// body.extend(frame(&[(":message-type", "exception"), (":exception-type", "throttlingException")], "{}"));
///
/// let mut decoder = Decoder::new();
/// let mut seen = Vec::new();
/// for mut chunk in body.chunks(50) {
///     while let Some(item) = decoder.next_item(&mut chunk)? {
///         seen.push(match item {
///             thusfar_stream::Item::Event(event) => format!("{} {}", event.name(), event.text()),
///             thusfar_stream::Item::Error(error) => format!("error {} {}", error.name(), error.text()),
///             _ => unreachable!("an event or an error"),
///         });
///     }
/// }
/// assert_eq!(seen, ["messageStop {\"stopReason\": \"end_turn\"}", "error throttlingException {}"]);
/// assert!(decoder.finish()?.is_clean());
/// # Ok::<(), thusfar_stream::Error>(())
/// ```
///
/// * Getters: [`offset`](Decoder::offset), [`heap_len`](Decoder::heap_len).
/// * Pull: [`next_item`](Decoder::next_item) until it gives nothing, chunk after chunk;
///   [`next_frame`](Decoder::next_frame) for whoever wants all headers. They may be mixed.
/// * End: [`finish`](Decoder::finish).
#[derive(Clone)]
pub struct Decoder {
    /// The most bytes of a frame.
    limit: usize,
    /// The beginning of a frame, or a whole one that was handed out.
    buffer: Vec<u8>,
    /// Bytes of the frame that is open; zero while its prelude is not all there.
    frame_len: usize,
    /// Bytes taken.
    at: u64,
    /// What is in the buffer was handed out and is let go at the next call: the caller may be looking at it.
    is_spent: bool,
    has_frames: bool,
    /// The body, if it is not made of frames.
    stray: Option<Box<Quotation>>,
    failed: Option<Error>,
}

/// What a call has found, before it borrows.
enum Found<'c> {
    Nothing,
    /// A frame, a slice of the chunk.
    Frame(&'c [u8]),
    /// The frame that is kept.
    Kept,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder at the beginning of a body, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// The same with another [`Limits::frame_len`]; the other limits do not concern frames.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            limit: limits.frame_len.unwrap_or(usize::MAX),
            buffer: Vec::new(),
            frame_len: 0,
            at: 0,
            is_spent: false,
            has_frames: false,
            stray: None,
            failed: None,
        }
    }

    /// Bytes taken so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.at
    }

    /// Bytes that are held on the heap now, spare room among them: none while each frame lies in one chunk.
    #[must_use]
    pub fn heap_len(&self) -> usize {
        let stray_len = self.stray.as_ref().map_or(0, |stray| mem::size_of::<Quotation>() + stray.heap_len());
        self.buffer.capacity() + stray_len
    }

    /// Takes bytes from the front of `chunk` up to the end of the next frame, and gives what it means ("Amazon Event
    /// Semantics"); nothing when the chunk is used up. What has no end yet is kept.
    ///
    /// | `:message-type` | item | name | data |
    /// |---|---|---|---|
    /// | `event` | [`Event`](crate::Event) | `:event-type` | payload |
    /// | `exception` | [`WireError`](crate::WireError) | `:exception-type` | payload |
    /// | `error` | [`WireError`](crate::WireError) | `:error-code` | payload; where it is empty, `:error-message` |
    ///
    /// The specification requires all of these headers. A frame without `:message-type` is read as an event all the same,
    /// and an error that has no name is called `exception` or `error`. The specification knows no other types of message:
    /// a frame of another one is a `WireError` named by that type, so that its data are neither lost nor taken for an event's.
    ///
    /// Each byte is looked at by the checksum, each header once more; a frame in pieces is copied.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Checksum`], [`ErrorKind::Frame`] (also where one of the headers in the table is no string or comes
    /// twice) and [`ErrorKind::FrameTooLong`], at the offset of the frame. The error stays, and no more bytes are taken.
    #[inline]
    pub fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error> {
        self.next(chunk, frame::item)
    }

    /// The same without a look at what the headers mean: gives the frame.
    ///
    /// # Errors
    ///
    /// As [`next_item`](Self::next_item), of well-formed headers none.
    #[inline]
    pub fn next_frame<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Frame<'a>>, Error> {
        self.next(chunk, Frame::of)
    }

    /// Reads the next frame as something; where it cannot be read as that, its headers are wrong.
    fn next<'a, 'c: 'a, T>(
        &'a mut self,
        chunk: &mut &'c [u8],
        read: impl FnOnce(&'a [u8]) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let found = self.advance(chunk)?;
        let Self { buffer, at, has_frames, failed, .. } = self;
        let bytes = match found {
            Found::Nothing => return Ok(None),
            Found::Frame(bytes) => bytes,
            Found::Kept => buffer,
        };
        *has_frames = true;
        let read = read(bytes);
        if read.is_none() {
            let error = Error::new(ErrorKind::Frame, *at - bytes.len() as u64);
            *failed = Some(error);
            return Err(error);
        }
        Ok(read)
    }

    /// Takes bytes up to the end of a frame whose checksums fit.
    fn advance<'c>(&mut self, chunk: &mut &'c [u8]) -> Result<Found<'c>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.let_go();
        if self.stray.is_some() {
            self.swallow(chunk);
            return Ok(Found::Nothing);
        }
        if self.frame_len == 0 {
            let known_len = self.buffer.len();
            let Some((piece, behind)) = chunk.split_at_checked(PRELUDE_LEN - known_len) else {
                self.keep(chunk);
                return Ok(Found::Nothing);
            };
            let mut prelude = [0; PRELUDE_LEN];
            prelude[..known_len].copy_from_slice(&self.buffer);
            prelude[known_len..].copy_from_slice(piece);
            match self.judge(prelude) {
                Ok(frame_len) => self.frame_len = frame_len,
                Err(kind) => {
                    self.at += piece.len() as u64;
                    *chunk = behind;
                    return self.misfit(kind, prelude, chunk);
                }
            }
        }
        let Some((piece, behind)) = chunk.split_at_checked(self.frame_len - self.buffer.len()) else {
            self.keep(chunk);
            return Ok(Found::Nothing);
        };
        self.at += piece.len() as u64;
        *chunk = behind;
        self.frame_len = 0;
        if self.buffer.is_empty() {
            self.check(piece)?;
            return Ok(Found::Frame(piece));
        }
        self.buffer.extend_from_slice(piece);
        self.is_spent = true;
        let buffer = mem::take(&mut self.buffer);
        let checked = self.check(&buffer);
        self.buffer = buffer;
        checked.map(|()| Found::Kept)
    }

    /// The length of the frame that a prelude announces.
    fn judge(&self, prelude: [u8; PRELUDE_LEN]) -> Result<usize, ErrorKind> {
        let [a, b, c, d, e, f, g, h, checksum @ ..] = prelude;
        if crc32fast::hash(&[a, b, c, d, e, f, g, h]) != u32::from_be_bytes(checksum) {
            return Err(ErrorKind::Checksum);
        }
        let (frame_len, headers_len) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
        let data_len = frame_len.checked_sub((PRELUDE_LEN + CHECKSUM_LEN) as u32);
        if data_len.is_none_or(|data_len| data_len < headers_len) {
            return Err(ErrorKind::Frame);
        }
        let frame_len = usize::try_from(frame_len).ok();
        frame_len.filter(|&len| len <= self.limit).ok_or(ErrorKind::FrameTooLong(self.limit))
    }

    /// A prelude does not fit: in front of all frames the body is something else if it is the checksum.
    #[cold]
    fn misfit<'c>(
        &mut self,
        kind: ErrorKind,
        prelude: [u8; PRELUDE_LEN],
        chunk: &mut &'c [u8],
    ) -> Result<Found<'c>, Error> {
        if kind != ErrorKind::Checksum || self.has_frames {
            return Err(self.fail(kind, PRELUDE_LEN));
        }
        let mut stray = Quotation::default();
        stray.push(&prelude, 0);
        self.stray = Some(Box::new(stray));
        self.buffer = Vec::new();
        self.swallow(chunk);
        Ok(Found::Nothing)
    }

    /// Checks the checksum at the end of a frame, all of whose bytes have been taken.
    fn check(&mut self, frame: &[u8]) -> Result<(), Error> {
        let fits = frame
            .split_last_chunk::<CHECKSUM_LEN>()
            .is_some_and(|(bytes, checksum)| crc32fast::hash(bytes) == u32::from_be_bytes(*checksum));
        if fits { Ok(()) } else { Err(self.fail(ErrorKind::Checksum, frame.len())) }
    }

    /// Fails at the beginning of a frame of which so many bytes have been taken.
    #[cold]
    fn fail(&mut self, kind: ErrorKind, taken_len: usize) -> Error {
        let error = Error::new(kind, self.at - taken_len as u64);
        self.failed = Some(error);
        error
    }

    /// Keeps all of a chunk, which does not end the frame.
    fn keep(&mut self, chunk: &mut &[u8]) {
        self.buffer.extend_from_slice(chunk);
        self.at += chunk.len() as u64;
        *chunk = &[];
    }

    /// Takes all of a chunk of a body that is something else.
    #[cold]
    fn swallow(&mut self, chunk: &mut &[u8]) {
        if let Some(stray) = &mut self.stray {
            stray.push(chunk, self.at);
        }
        self.at += chunk.len() as u64;
        *chunk = &[];
    }

    /// Lets go of what the caller has seen.
    fn let_go(&mut self) {
        if mem::take(&mut self.is_spent) {
            empty(&mut self.buffer);
        }
    }

    /// Ends the body: says what was left. [`Eof::partial_line`] says that it ended inside a frame; nothing of such a frame
    /// is handed out, for its checksum is not there. Where it ended inside a prelude, which no checksum vouches for, a
    /// diagnosis tells what stands there: without a frame in front always, behind one if it begins as a document does.
    ///
    /// # Errors
    ///
    /// The error that [`next_item`](Self::next_item) has given.
    pub fn finish(mut self) -> Result<Eof, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.let_go();
        let partial_line = !self.buffer.is_empty();
        let mut stray = self.stray.take().map_or_else(Quotation::default, |stray| *stray);
        if self.frame_len == 0 {
            stray.push(&self.buffer, self.at - self.buffer.len() as u64);
        }
        let diagnosis = match stray.is_empty() {
            true if self.has_frames => None,
            true => Some(Diagnosis::without_events(self.at == 0, stray)),
            false => Some(Diagnosis::quoting(stray)),
        };
        let diagnosis = diagnosis.filter(|diagnosis| !self.has_frames || diagnosis.kind().is_document()).map(Box::new);
        Ok(Eof { partial_line, pending_event: false, is_cut: partial_line, diagnosis, left: Left::default() })
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decoder")
            .field("offset", &self.at)
            .field("kept_len", &self.buffer.len())
            .field("frame_len", &self.frame_len)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}
