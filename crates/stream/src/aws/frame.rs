//! What stands in one frame: its headers, its payload, and the item that they make.

use core::fmt;

use crate::event::{Event, Item, WireError};

/// Bytes in front of the headers: the length of the frame, the length of the headers, a checksum of both.
pub(super) const PRELUDE_LEN: usize = 12;
/// Bytes of the checksum behind the payload.
pub(super) const CHECKSUM_LEN: usize = 4;

/// One frame, of which both checksums and all headers have been checked. `Debug` shows lengths, never text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    headers: &'a [u8],
    payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The frame that some bytes are whose prelude fits them; nothing where a header is malformed.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let frame = Self::split(bytes)?;
        let mut rest = frame.headers;
        while !rest.is_empty() {
            take_header(&mut rest)?;
        }
        Some(frame)
    }

    /// The same without a look at the headers.
    fn split(bytes: &'a [u8]) -> Option<Self> {
        let headers_len = usize::try_from(u32::from_be_bytes(*bytes.get(4..)?.first_chunk()?)).ok()?;
        let data = bytes.get(PRELUDE_LEN..bytes.len().checked_sub(CHECKSUM_LEN)?)?;
        let (headers, payload) = data.split_at_checked(headers_len)?;
        Some(Self { headers, payload })
    }

    /// The headers, in the order in which they came, which means nothing. That a name comes only once is not checked.
    #[must_use]
    pub const fn headers(&self) -> Headers<'a> {
        Headers { rest: self.headers }
    }

    /// The value of the first header of a name, which is compared literally. Linear in the headers.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<HeaderValue<'a>> {
        self.headers().find(|header| header.name == name).map(|header| header.value)
    }

    /// The payload as it came: what the header `:content-type` says, which for the models is JSON.
    #[must_use]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }
}

impl fmt::Debug for Frame<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Frame")
            .field("headers_len", &self.headers.len())
            .field("payload_len", &self.payload.len())
            .finish()
    }
}

/// The headers of a [`Frame`].
#[derive(Clone)]
pub struct Headers<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Headers<'a> {
    type Item = Header<'a>;

    fn next(&mut self) -> Option<Header<'a>> {
        // Of a `Frame` every header is well-formed, so only the end gives nothing.
        take_header(&mut self.rest)
    }
}

impl core::iter::FusedIterator for Headers<'_> {}

impl fmt::Debug for Headers<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Headers").field("rest_len", &self.rest.len()).finish()
    }
}

/// One header of a frame. `Debug` shows lengths, never text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Header<'a> {
    /// Its name, 1 to 255 bytes; those of the protocol itself begin with a colon.
    pub name: &'a str,
    /// Its value.
    pub value: HeaderValue<'a>,
}

impl fmt::Debug for Header<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Header").field("name_len", &self.name.len()).field("value", &self.value).finish()
    }
}

/// The value of a header (Amazon Event Stream Specification, "Headers Format"); the two booleans are types of their own
/// on the wire. `Debug` shows the type, and the length where there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderValue<'a> {
    /// Types 0 (true) and 1 (false).
    Boolean(bool),
    /// Type 2.
    Byte(i8),
    /// Type 3.
    Short(i16),
    /// Type 4.
    Integer(i32),
    /// Type 5.
    Long(i64),
    /// Type 6.
    ByteArray(&'a [u8]),
    /// Type 7.
    String(&'a str),
    /// Type 8: milliseconds from 1970-01-01T00:00:00Z. The specification calls it unsigned in its table and signed in
    /// its notation; the SDKs of AWS read it as signed.
    Timestamp(i64),
    /// Type 9: a UUID (RFC 9562), its bytes in order.
    Uuid(&'a [u8; 16]),
}

impl<'a> HeaderValue<'a> {
    /// The text, if it is a string.
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self {
            HeaderValue::String(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Debug for HeaderValue<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            HeaderValue::Boolean(_) => "Boolean",
            HeaderValue::Byte(_) => "Byte",
            HeaderValue::Short(_) => "Short",
            HeaderValue::Integer(_) => "Integer",
            HeaderValue::Long(_) => "Long",
            HeaderValue::Timestamp(_) => "Timestamp",
            HeaderValue::Uuid(_) => "Uuid",
            HeaderValue::ByteArray(bytes) => return write!(formatter, "ByteArray({} bytes)", bytes.len()),
            HeaderValue::String(text) => return write!(formatter, "String({} bytes)", text.len()),
        };
        formatter.write_str(name)
    }
}

/// Takes one header from the front; nothing where it is malformed, or where there is none.
fn take_header<'a>(rest: &mut &'a [u8]) -> Option<Header<'a>> {
    let (&name_len, behind) = rest.split_first()?;
    let (name, behind) = behind.split_at_checked(usize::from(name_len))?;
    if name.is_empty() {
        return None;
    }
    let (&kind, mut behind) = behind.split_first()?;
    let value = match kind {
        0 => HeaderValue::Boolean(true),
        1 => HeaderValue::Boolean(false),
        2 => HeaderValue::Byte(i8::from_be_bytes(*take(&mut behind)?)),
        3 => HeaderValue::Short(i16::from_be_bytes(*take(&mut behind)?)),
        4 => HeaderValue::Integer(i32::from_be_bytes(*take(&mut behind)?)),
        5 => HeaderValue::Long(i64::from_be_bytes(*take(&mut behind)?)),
        6 => HeaderValue::ByteArray(take_counted(&mut behind)?),
        7 => HeaderValue::String(core::str::from_utf8(take_counted(&mut behind)?).ok()?),
        8 => HeaderValue::Timestamp(i64::from_be_bytes(*take(&mut behind)?)),
        9 => HeaderValue::Uuid(take(&mut behind)?),
        _ => return None,
    };
    *rest = behind;
    Some(Header { name: core::str::from_utf8(name).ok()?, value })
}

/// Takes so many bytes from the front.
fn take<'a, const LEN: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; LEN]> {
    let (taken, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(taken)
}

/// Takes bytes with their number in front. The notation of the specification says 1 to 32767 of them, its text only that
/// the number has two bytes; what is shorter or longer can be read all the same.
fn take_counted<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = u16::from_be_bytes(*take(rest)?);
    let (taken, behind) = rest.split_at_checked(usize::from(len))?;
    *rest = behind;
    Some(taken)
}

/// The headers that say what a frame means ("Amazon Event Semantics").
#[derive(Default)]
struct Labels<'a> {
    message_type: Option<&'a str>,
    event_type: Option<&'a str>,
    exception_type: Option<&'a str>,
    error_code: Option<&'a str>,
    error_message: Option<&'a str>,
}

impl<'a> Labels<'a> {
    /// Takes a header, if it is one of them. Nothing if it is no string or comes again: then the frame means two things.
    fn take(&mut self, header: &Header<'a>) -> Option<()> {
        let label = match header.name {
            ":message-type" => &mut self.message_type,
            ":event-type" => &mut self.event_type,
            ":exception-type" => &mut self.exception_type,
            ":error-code" => &mut self.error_code,
            ":error-message" => &mut self.error_message,
            _ => return Some(()),
        };
        let text = header.value.as_str()?;
        label.replace(text).is_none().then_some(())
    }

    fn item(&self, payload: &'a [u8]) -> Item<'a> {
        let error = |name: &'a str, value| Item::Error(WireError { name: name.as_bytes(), value });
        match self.message_type {
            None | Some("event") => {
                Item::Event(Event { name: self.event_type.unwrap_or("").as_bytes(), ..Event::of_data(payload) })
            }
            Some("error") => {
                let message = self.error_message.unwrap_or("").as_bytes();
                error(self.error_code.unwrap_or("error"), if payload.is_empty() { message } else { payload })
            }
            Some("exception") => error(self.exception_type.unwrap_or("exception"), payload),
            Some(unknown) => error(unknown, payload),
        }
    }
}

/// The item that a frame is; nothing where a header is malformed. The headers are walked through once.
pub(super) fn item(bytes: &[u8]) -> Option<Item<'_>> {
    let frame = Frame::split(bytes)?;
    let (mut rest, mut labels) = (frame.headers, Labels::default());
    while !rest.is_empty() {
        labels.take(&take_header(&mut rest)?)?;
    }
    Some(labels.item(frame.payload))
}

/// The frame with these headers, which are strings, and this payload: all of them short.
#[cfg(feature = "http-body")]
pub(crate) fn frame_of(headers: &[(&str, &str)], payload: &[u8]) -> alloc::vec::Vec<u8> {
    let mut written = alloc::vec::Vec::new();
    for (name, value) in headers {
        written.push(name.len() as u8);
        written.extend(name.bytes());
        // A string.
        written.push(7);
        written.extend((value.len() as u16).to_be_bytes());
        written.extend(value.bytes());
    }
    let frame_len = PRELUDE_LEN + written.len() + payload.len() + CHECKSUM_LEN;
    let mut frame = (frame_len as u32).to_be_bytes().to_vec();
    frame.extend((written.len() as u32).to_be_bytes());
    frame.extend(crc32fast::hash(&frame).to_be_bytes());
    frame.extend(written);
    frame.extend(payload);
    frame.extend(crc32fast::hash(&frame).to_be_bytes());
    frame
}
