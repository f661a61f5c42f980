//! Frames as a sender makes them, and a second reader: slow, of the whole body at once, with a checksum of its own.

use thusfar_stream::ErrorKind;

/// CRC-32 bit by bit (RFC 1952, section 8).
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| shift(crc)))
}

/// The value of a header.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Integer(i32),
    Long(i64),
    ByteArray(Vec<u8>),
    String(String),
    Timestamp(i64),
    Uuid([u8; 16]),
}

pub(crate) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn counted(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let len = u16::try_from(bytes.len()).expect("a value of at most 65535 bytes");
    [&[kind][..], &len.to_be_bytes(), bytes].concat()
}

/// A header on the wire.
pub(crate) fn header(name: &str, value: &Value) -> Vec<u8> {
    let value = match value {
        Value::Boolean(true) => vec![0],
        Value::Boolean(false) => vec![1],
        Value::Byte(number) => [&[2][..], &number.to_be_bytes()].concat(),
        Value::Short(number) => [&[3][..], &number.to_be_bytes()].concat(),
        Value::Integer(number) => [&[4][..], &number.to_be_bytes()].concat(),
        Value::Long(number) => [&[5][..], &number.to_be_bytes()].concat(),
        Value::ByteArray(bytes) => counted(6, bytes),
        Value::String(text) => counted(7, text.as_bytes()),
        Value::Timestamp(number) => [&[8][..], &number.to_be_bytes()].concat(),
        Value::Uuid(bytes) => [&[9][..], bytes].concat(),
    };
    [&[u8::try_from(name.len()).expect("a short name")][..], name.as_bytes(), &value].concat()
}

/// A prelude with a checksum that fits, whatever the lengths say.
pub(crate) fn prelude(frame_len: u32, headers_len: u32) -> Vec<u8> {
    let lengths = [frame_len.to_be_bytes(), headers_len.to_be_bytes()].concat();
    let crc = crc(&lengths).to_be_bytes();
    [&lengths[..], &crc].concat()
}

/// A frame with headers that are written out.
pub(crate) fn raw_frame(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let len = |bytes: usize| u32::try_from(bytes).expect("a small frame");
    let mut frame = prelude(len(headers.len() + payload.len() + 16), len(headers.len()));
    frame.extend_from_slice(headers);
    frame.extend_from_slice(payload);
    frame.extend_from_slice(&crc(&frame).to_be_bytes());
    frame
}

pub(crate) fn frame(headers: &[(&str, Value)], payload: &[u8]) -> Vec<u8> {
    let headers: Vec<u8> = headers.iter().flat_map(|(name, value)| header(name, value)).collect();
    raw_frame(&headers, payload)
}

/// An event as Bedrock sends it.
pub(crate) fn event(name: &str, payload: &str) -> Vec<u8> {
    let headers = [(":event-type", text(name)), (":message-type", text("event"))];
    frame(&headers, payload.as_bytes())
}

/// A frame that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) headers: Vec<(String, Value)>,
    pub(crate) payload: Vec<u8>,
    /// Where it ends in the body.
    pub(crate) end: usize,
}

/// How a body ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    /// Behind a frame, or inside one.
    Body {
        is_partial: bool,
    },
    /// It is something else.
    Stray,
    Failed(ErrorKind, u64),
}

fn number<const LEN: usize>(bytes: &[u8], from: &mut usize) -> Option<[u8; LEN]> {
    let number = bytes.get(*from..*from + LEN)?.try_into().ok();
    *from += LEN;
    number
}

/// A length, wide enough to add to.
fn length(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 4].iter().fold(0, |len, &byte| len * 256 + u64::from(byte))
}

/// All headers, or nothing if they are malformed.
pub(crate) fn headers(bytes: &[u8]) -> Option<Vec<(String, Value)>> {
    let (mut from, mut headers) = (0, Vec::new());
    while from < bytes.len() {
        let name_len = usize::from(bytes[from]);
        let name = String::from_utf8(bytes.get(from + 1..from + 1 + name_len)?.to_vec()).ok()?;
        from += 1 + name_len;
        let kind = *bytes.get(from)?;
        from += 1;
        let value = match kind {
            0 | 1 => Value::Boolean(kind == 0),
            2 => Value::Byte(i8::from_be_bytes(number(bytes, &mut from)?)),
            3 => Value::Short(i16::from_be_bytes(number(bytes, &mut from)?)),
            4 => Value::Integer(i32::from_be_bytes(number(bytes, &mut from)?)),
            5 => Value::Long(i64::from_be_bytes(number(bytes, &mut from)?)),
            6 | 7 => {
                let len = usize::from(u16::from_be_bytes(number(bytes, &mut from)?));
                let value = bytes.get(from..from + len)?.to_vec();
                from += len;
                if kind == 6 { Value::ByteArray(value) } else { Value::String(String::from_utf8(value).ok()?) }
            }
            8 => Value::Timestamp(i64::from_be_bytes(number(bytes, &mut from)?)),
            9 => Value::Uuid(number(bytes, &mut from)?),
            _ => return None,
        };
        if name.is_empty() {
            return None;
        }
        headers.push((name, value));
    }
    Some(headers)
}

/// Reads a whole body.
pub(crate) fn read(body: &[u8], limit: usize) -> (Vec<Read>, End) {
    let (mut frames, mut at) = (Vec::new(), 0);
    loop {
        let rest = &body[at..];
        if rest.len() < 12 {
            let is_stray = frames.is_empty() && at == 0;
            return (frames, if is_stray { End::Stray } else { End::Body { is_partial: !rest.is_empty() } });
        }
        let failed = |kind| End::Failed(kind, at as u64);
        if crc(&rest[..8]) != u32::from_be_bytes(rest[8..12].try_into().expect("four bytes")) {
            let end = if frames.is_empty() { End::Stray } else { failed(ErrorKind::Checksum) };
            return (frames, end);
        }
        let (frame_len, headers_len) = (length(rest, 0), length(rest, 4));
        if headers_len + 16 > frame_len {
            return (frames, failed(ErrorKind::Frame));
        }
        if frame_len > limit as u64 {
            return (frames, failed(ErrorKind::FrameTooLong(limit)));
        }
        if (rest.len() as u64) < frame_len {
            return (frames, End::Body { is_partial: true });
        }
        let (frame_len, headers_len) = (frame_len as usize, headers_len as usize);
        let (data, checksum) = rest[..frame_len].split_at(frame_len - 4);
        if crc(data).to_be_bytes() != checksum {
            return (frames, failed(ErrorKind::Checksum));
        }
        let Some(headers) = headers(&data[12..12 + headers_len]) else {
            return (frames, failed(ErrorKind::Frame));
        };
        at += frame_len;
        frames.push(Read { headers, payload: data[12 + headers_len..].to_vec(), end: at });
    }
}
