//! What the decoder tells of a body, in pieces of any kind, beside what the second reader makes of the whole of it.

use thusfar_stream::aws::{Decoder, Frame, HeaderValue};
use thusfar_stream::{Diagnosis, Item, Limits};

use crate::frames::{self, End, Read, Value};

/// An item: whether it is an event, its name, its data, and where it ends in the body.
pub(crate) type Told = (bool, String, Vec<u8>, usize);

pub(crate) fn owned(value: HeaderValue<'_>) -> Value {
    match value {
        HeaderValue::Boolean(is) => Value::Boolean(is),
        HeaderValue::Byte(number) => Value::Byte(number),
        HeaderValue::Short(number) => Value::Short(number),
        HeaderValue::Integer(number) => Value::Integer(number),
        HeaderValue::Long(number) => Value::Long(number),
        HeaderValue::ByteArray(bytes) => Value::ByteArray(bytes.to_vec()),
        HeaderValue::String(text) => Value::String(text.to_owned()),
        HeaderValue::Timestamp(number) => Value::Timestamp(number),
        HeaderValue::Uuid(bytes) => Value::Uuid(*bytes),
        _ => unreachable!("the set of types is fixed"),
    }
}

fn read_frame(frame: &Frame<'_>, end: usize) -> Read {
    let headers = frame.headers().map(|header| (header.name.to_owned(), owned(header.value))).collect();
    Read { headers, payload: frame.payload().to_vec(), end }
}

fn told_item(item: &Item<'_>, end: usize) -> Told {
    match item {
        Item::Event(event) => (true, event.name().into_owned(), event.data().to_vec(), end),
        Item::Error(error) => (false, error.name().into_owned(), error.data().to_vec(), end),
        _ => unreachable!("an event or an error"),
    }
}

/// What a frame means, read from the table of the specification; nothing if it cannot be told.
fn meaning(frame: &Read) -> Option<Told> {
    let label = |name: &str| {
        let mut values = frame.headers.iter().filter(|header| header.0 == name).map(|header| &header.1);
        match (values.next(), values.next()) {
            (None, _) => Some(None),
            (Some(Value::String(text)), None) => Some(Some(text.clone())),
            _ => None,
        }
    };
    let message_type = label(":message-type")?;
    let (event, exception) = (label(":event-type")?, label(":exception-type")?);
    let (code, message) = (label(":error-code")?, label(":error-message")?);
    let payload = frame.payload.clone();
    Some(match message_type.as_deref() {
        None | Some("event") => {
            (true, event.filter(|name| !name.is_empty()).unwrap_or("message".into()), payload, frame.end)
        }
        Some("exception") => (false, exception.unwrap_or("exception".into()), payload, frame.end),
        Some("error") => {
            let data = if payload.is_empty() { message.unwrap_or_default().into_bytes() } else { payload };
            (false, code.unwrap_or("error".into()), data, frame.end)
        }
        Some(other) => (false, other.to_owned(), payload, frame.end),
    })
}

/// Feeds pieces, and gives what was told with the end of the body.
fn tell<T>(
    pieces: &[&[u8]],
    limits: Limits,
    mut next: impl for<'a, 'c> FnMut(&'a mut Decoder, &mut &'c [u8]) -> Result<Option<T>, thusfar_stream::Error>,
) -> (Vec<T>, End, Option<Diagnosis>) {
    let (mut decoder, mut told, mut taken) = (Decoder::with_limits(limits), Vec::new(), 0);
    for piece in pieces {
        let mut chunk = *piece;
        loop {
            match next(&mut decoder, &mut chunk) {
                Ok(Some(item)) => told.push(item),
                Ok(None) => break,
                Err(error) => {
                    let offset = decoder.offset();
                    assert_eq!(offset as usize, taken + piece.len() - chunk.len(), "the bytes taken");
                    let mut more = &b"more"[..];
                    assert_eq!(next(&mut decoder, &mut more).err(), Some(error), "the error stays");
                    assert!(more.len() == 4 && decoder.offset() == offset, "no more bytes are taken");
                    assert_eq!(decoder.finish().err(), Some(error), "and it is the end");
                    return (told, End::Failed(error.kind(), error.offset()), None);
                }
            }
            assert_eq!(decoder.offset() as usize, taken + piece.len() - chunk.len(), "the bytes taken");
        }
        assert!(chunk.is_empty(), "the chunk is pulled empty");
        taken += piece.len();
        assert_eq!(decoder.offset() as usize, taken, "the bytes taken");
    }
    let eof = decoder.finish().expect("no error before");
    assert!(!eof.pending_event && eof.whole_item().is_none());
    let diagnosis = eof.diagnosis().cloned();
    (told, End::Body { is_partial: eof.partial_line }, diagnosis)
}

/// What a body is expected to be.
pub(crate) struct Expected {
    pub(crate) frames: Vec<Read>,
    pub(crate) end: End,
    items: Vec<Told>,
    items_end: End,
    diagnosis: Option<Diagnosis>,
    limits: Limits,
}

impl Expected {
    pub(crate) fn of(body: &[u8], limits: Limits) -> Self {
        let (frames, end) = frames::read(body, limits.frame_len.unwrap_or(usize::MAX));
        let items: Vec<Told> = frames.iter().map_while(meaning).collect();
        let items_end = if items.len() == frames.len() {
            end.clone()
        } else {
            let from = items.last().map_or(0, |item| item.3);
            End::Failed(thusfar_stream::ErrorKind::Frame, from as u64)
        };
        let diagnosis = (end == End::Stray).then(|| Diagnosis::of(body, true));
        Self { frames, end, items, items_end, diagnosis, limits }
    }

    fn end_holds(&self, expected: &End, told: &End, diagnosis: Option<&Diagnosis>, body: &[u8]) {
        match expected {
            End::Failed(..) => assert_eq!(told, expected),
            End::Stray if body.is_empty() => {
                assert_eq!(*told, End::Body { is_partial: false });
                assert_eq!(diagnosis.map(Diagnosis::kind), Some(thusfar_stream::BodyKind::Empty));
            }
            End::Stray => {
                assert_eq!(*told, End::Body { is_partial: body.len() < 12 });
                assert_eq!(diagnosis, self.diagnosis.as_ref());
                let quoted = diagnosis.map(|diagnosis| (diagnosis.quotation(), diagnosis.offset()));
                assert_eq!(quoted, Some((&body[..body.len().min(4096)], 0)));
            }
            End::Body { .. } => {
                assert_eq!(told, expected);
                let kind = diagnosis.map(Diagnosis::kind);
                assert_eq!(kind, self.frames.is_empty().then_some(thusfar_stream::BodyKind::NoEvents));
            }
        }
    }

    /// Feeds the body in pieces to both layers, and asks for what the second reader has said.
    pub(crate) fn holds(&self, pieces: &[&[u8]]) {
        let body = pieces.concat();
        let (frames, end, diagnosis) = tell(pieces, self.limits, |decoder, chunk| {
            let frame = decoder.next_frame(chunk)?.map(|frame| read_frame(&frame, 0));
            Ok(frame.map(|frame| Read { end: decoder.offset() as usize, ..frame }))
        });
        assert_eq!(frames, self.frames);
        self.end_holds(&self.end, &end, diagnosis.as_ref(), &body);
        let (items, end, diagnosis) = tell(pieces, self.limits, |decoder, chunk| {
            let item = decoder.next_item(chunk)?.map(|item| told_item(&item, 0));
            Ok(item.map(|item| (item.0, item.1, item.2, decoder.offset() as usize)))
        });
        assert_eq!(items, self.items);
        self.end_holds(&self.items_end, &end, diagnosis.as_ref(), &body);
    }
}

/// Reads a body under every split in two, byte by byte, whole, with empty chunks, and a short one under every split in
/// three. Gives what is in it.
pub(crate) fn check(body: &[u8], limits: Limits) -> Expected {
    let expected = Expected::of(body, limits);
    expected.holds(&[body]);
    expected.holds(&body.chunks(1).collect::<Vec<_>>());
    expected.holds(&body.chunks(1).flat_map(|byte| [byte, &[]]).collect::<Vec<_>>());
    for first in 0..=body.len() {
        let (front, back) = body.split_at(first);
        expected.holds(&[front, &[], back]);
        if body.len() <= 100 {
            for second in first..body.len() {
                expected.holds(&[front, &body[first..second], &body[second..]]);
            }
        }
    }
    expected
}

/// The items of a body, as [`check`] has seen them.
pub(crate) fn items(body: &[u8]) -> Vec<(bool, String, String)> {
    let expected = check(body, Limits::default());
    assert_eq!(expected.items_end, End::Body { is_partial: false });
    let text = |data: Vec<u8>| String::from_utf8(data).expect("text");
    expected.items.into_iter().map(|(is_event, name, data, _)| (is_event, name, text(data))).collect()
}

/// Where reading a body as items fails, as [`check`] has seen it.
pub(crate) fn failure(body: &[u8], limits: Limits) -> (usize, End) {
    let expected = check(body, limits);
    (expected.items.len(), expected.items_end)
}
