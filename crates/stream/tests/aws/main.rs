//! AWS event-stream frames: recorded bodies, every type of header, every flipped bit, every cut, hostile lengths.

#![cfg(feature = "aws")]

mod frames;
mod told;

use frames::{End, Value, crc, event, frame, header, prelude, raw_frame, text};
use thusfar_stream::aws::Decoder;
use thusfar_stream::{BodyKind, ErrorKind, Limits};
use told::{check, failure, items};

macro_rules! recorded {
    ($name:literal) => {
        include_bytes!(concat!("../../../../tests/corpus/streams/", $name))
    };
}

fn limited(frame_len: usize) -> Limits {
    Limits { frame_len: Some(frame_len), ..Limits::NONE }
}

fn failed(kind: ErrorKind, offset: usize) -> End {
    End::Failed(kind, offset as u64)
}

#[test]
fn recorded_bodies() {
    let names = |body: &[u8]| items(body).into_iter().map(|(_, name, _)| name).collect::<Vec<_>>().join(" ");
    let (start, delta, stop) = ("messageStart", "contentBlockDelta", "contentBlockStop");
    assert_eq!(
        names(recorded!("bedrock_converse_max_tokens.bin")),
        format!("{start} {delta} {stop} {delta} {stop} messageStop metadata")
    );
    assert_eq!(
        names(recorded!("bedrock_converse_tools.bin")),
        format!("{start} {delta} {delta} {stop} contentBlockStart {delta} {delta} {stop} messageStop metadata")
    );
    assert_eq!(names(recorded!("bedrock_invoke_anthropic.bin")), ["chunk"; 7].join(" "));
    let exception = items(recorded!("bedrock_converse_exception.bin"));
    assert_eq!(exception[0], (true, start.to_owned(), "{\"role\":\"assistant\"}".to_owned()));
    let error = "{\"message\":\"Too many tokens\"}".to_owned();
    assert_eq!(exception[2..], [(false, "throttlingException".to_owned(), error)]);
}

/// Frames that AWS has published the bytes of: nothing in one, and a payload with its type.
#[test]
fn known_frames() {
    assert_eq!(crc(b"123456789"), 0xCBF4_3926, "the check value of CRC-32");
    let empty = b"\x00\x00\x00\x10\x00\x00\x00\x00\x05\xc2\x48\xeb\x7d\x98\xc8\xff";
    assert_eq!(frame(&[], b""), empty);
    assert_eq!(items(empty), [(true, "message".to_owned(), String::new())]);
    let typed = b"\x00\x00\x00\x3d\x00\x00\x00\x20\x07\xfd\x83\x96\x0ccontent-type\x07\x00\x10application/json{'foo':'bar'}\x8d\x9c\x08\xb1";
    assert_eq!(frame(&[("content-type", text("application/json"))], b"{'foo':'bar'}"), typed);
    assert_eq!(items(typed), [(true, "message".to_owned(), "{'foo':'bar'}".to_owned())]);
}

#[test]
fn every_type_of_header() {
    let uuid = *b"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff";
    let headers = [
        ("true", Value::Boolean(true)),
        ("false", Value::Boolean(false)),
        ("byte", Value::Byte(-2)),
        ("short", Value::Short(i16::MIN)),
        ("integer", Value::Integer(-40_972)),
        ("long", Value::Long(i64::MAX)),
        ("bytes", Value::ByteArray(b"\x00\xff".to_vec())),
        ("string", text("h\u{e9}llo \u{8336}")),
        ("timestamp", Value::Timestamp(-1)),
        ("uuid", Value::Uuid(uuid)),
        ("no bytes", Value::ByteArray(Vec::new())),
        ("no text", text("")),
        ("\u{8336}", Value::Boolean(true)),
    ];
    let body = frame(&headers, b"payload");
    let read = check(&body, Limits::default());
    assert_eq!(read.end, End::Body { is_partial: false });
    assert_eq!(read.frames.len(), 1);
    let named = |name: &str| headers.iter().find(|header| header.0 == name).map(|header| header.1.clone());
    let (mut decoder, mut chunk) = (Decoder::new(), &body[..]);
    let frame = decoder.next_frame(&mut chunk).expect("well-formed").expect("whole");
    for (name, _) in &headers {
        assert_eq!(frame.header(name).map(told::owned), named(name), "{name}");
    }
    assert_eq!(frame.header("String"), None, "names are compared literally");
    assert_eq!(frame.headers().count(), headers.len());
    assert_eq!(frame.payload(), b"payload");
    assert_eq!(frame.header("string").and_then(|value| value.as_str()), Some("h\u{e9}llo \u{8336}"));
    assert_eq!(frame.header("bytes").and_then(|value| value.as_str()), None);
}

/// The longest name and values; the specification's notation ends at 32767, its two bytes of length do not.
#[test]
fn longest_headers() {
    let name = "n".repeat(255);
    for len in [32_767, 32_768, 65_535] {
        let value = Value::String("v".repeat(len));
        let body = frame(&[(&name, value.clone()), ("b", Value::ByteArray(vec![0; len]))], b"");
        let expected = told::Expected::of(&body, Limits::default());
        assert_eq!(expected.frames[0].headers[0], (name.clone(), value));
        for step in [1, 7, 4096, body.len()] {
            expected.holds(&body.chunks(step).collect::<Vec<_>>());
        }
    }
}

#[test]
fn malformed_headers() {
    let good = header("a", &text("b"));
    let cases: [(&str, &[u8]); 21] = [
        ("a name without a byte", b"\x00\x07\x00\x01b"),
        ("a name without a byte, of a true", b"\x00\x00"),
        ("a name longer than the headers", b"\x05name"),
        ("a name of 255 bytes in one", b"\xffn"),
        ("a name and no type", b"\x01n"),
        ("a length alone", b"\x01"),
        ("type 10", b"\x01n\x0a"),
        ("type 255", b"\x01n\xff"),
        ("a byte without one", b"\x01n\x02"),
        ("a short of one byte", b"\x01n\x03\x00"),
        ("an integer of three bytes", b"\x01n\x04\x00\x00\x00"),
        ("a long of seven bytes", b"\x01n\x05\x00\x00\x00\x00\x00\x00\x00"),
        ("bytes with half a length", b"\x01n\x06\x00"),
        ("bytes that are too few", b"\x01n\x06\x00\x02b"),
        ("text without a length", b"\x01n\x07"),
        ("text that is too short", b"\x01n\x07\xff\xffb"),
        ("text that is no UTF-8", b"\x01n\x07\x00\x01\xff"),
        ("a name that is no UTF-8", b"\x01\xff\x00"),
        ("a timestamp of seven bytes", b"\x01n\x08\x00\x00\x00\x00\x00\x00\x00"),
        ("a UUID of 15 bytes", b"\x01n\x09\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"),
        ("text that ends in a character", b"\x01n\x07\x00\x01\xc3"),
    ];
    for (why, headers) in cases {
        // The payload would be read on as a header by a reader that looks behind the end of the headers.
        let frame = raw_frame(headers, b"\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00");
        assert_eq!(failure(&frame, Limits::default()), (0, failed(ErrorKind::Frame, 0)), "{why}");
        let behind = [event("e", "{}"), raw_frame(&[&good, headers].concat(), b"")].concat();
        let at = event("e", "{}").len();
        let told = failure(&behind, Limits::default());
        assert_eq!(told, (1, failed(ErrorKind::Frame, at)), "{why}, behind a header and a frame");
    }
}

#[test]
fn what_frames_mean() {
    type Row<'a> = (&'a [(&'a str, &'a str)], &'a str, (bool, &'a str, &'a str));
    let (kind, named, code, says) = (":message-type", ":exception-type", ":error-code", ":error-message");
    let rows: [Row<'_>; 14] = [
        (&[(kind, "event"), (":event-type", "ping")], "{}", (true, "ping", "{}")),
        (&[(":event-type", "ping"), (kind, "event")], "", (true, "ping", "")),
        (&[(kind, "event")], "{}", (true, "message", "{}")),
        (&[(":event-type", "ping")], "{}", (true, "ping", "{}")),
        (&[], "{}", (true, "message", "{}")),
        (&[(kind, "exception"), (named, "throttled")], "{}", (false, "throttled", "{}")),
        (&[(kind, "exception"), (":event-type", "ping")], "{}", (false, "exception", "{}")),
        (&[(kind, "exception"), (named, "throttled"), (says, "text")], "", (false, "throttled", "")),
        (&[(kind, "error"), (code, "Internal"), (says, "text")], "", (false, "Internal", "text")),
        (&[(kind, "error"), (code, "Internal"), (says, "text")], "{}", (false, "Internal", "{}")),
        (&[(kind, "error"), (named, "throttled")], "", (false, "error", "")),
        (&[(kind, "Event"), (":event-type", "ping")], "{}", (false, "Event", "{}")),
        (&[(kind, ""), (":event-type", "ping")], "{}", (false, "", "{}")),
        (&[("message-type", "error"), (":event-type", "ping")], "{}", (true, "ping", "{}")),
    ];
    for (headers, payload, (is_event, name, data)) in rows {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, text(value))).collect();
        let told = items(&frame(&headers, payload.as_bytes()));
        assert_eq!(told, [(is_event, name.to_owned(), data.to_owned())], "{headers:?}");
    }
}

/// A frame that means two things means none.
#[test]
fn labels_that_are_no_strings_or_come_twice() {
    let labels = [":message-type", ":event-type", ":exception-type", ":error-code", ":error-message"];
    for label in labels {
        let good = event("e", "{}");
        for wrong in [
            frame(&[(label, Value::Boolean(true))], b"{}"),
            frame(&[(label, Value::ByteArray(b"event".to_vec()))], b"{}"),
            frame(&[(label, text("event")), ("a", Value::Byte(1)), (label, text("event"))], b"{}"),
        ] {
            let body = [&good[..], &wrong, &good].concat();
            assert_eq!(failure(&body, Limits::default()), (1, failed(ErrorKind::Frame, good.len())), "{label}");
            let read = check(&body, Limits::default());
            assert_eq!((read.frames.len(), read.end), (3, End::Body { is_partial: false }), "frames are well-formed");
        }
    }
    let twice = frame(&[("a", text("b")), ("a", text("c"))], b"{}");
    assert_eq!(items(&twice).len(), 1, "what is not read is not compared");
}

/// A CRC finds every single flipped bit: nothing but what stood in front is ever told.
#[test]
fn every_flipped_bit() {
    let (first, second) = (event("a", "{\"n\": 1}"), event("b", "{\"n\": 2}"));
    let body = [&first[..], &second].concat();
    for bit in 0..body.len() * 8 {
        let mut flipped = body.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let expected = told::Expected::of(&flipped, Limits::default());
        let (index, in_second) = (bit / 8, bit / 8 >= first.len());
        let end = match index {
            0..12 => End::Stray,
            _ => failed(ErrorKind::Checksum, if in_second { first.len() } else { 0 }),
        };
        assert_eq!((expected.frames.len(), &expected.end), (usize::from(in_second), &end), "bit {bit}");
        expected.holds(&[&flipped]);
        expected.holds(&flipped.chunks(1).collect::<Vec<_>>());
        expected.holds(&flipped.chunks(11).collect::<Vec<_>>());
        let (front, back) = flipped.split_at(index);
        expected.holds(&[front, back]);
    }
}

#[test]
fn every_cut() {
    let (first, second) = (event("a", "{}"), event("b", "{}"));
    let body = [&first[..], &second].concat();
    for len in 0..=body.len() {
        let read = check(&body[..len], Limits::default());
        assert_eq!(read.frames.len(), usize::from(len >= first.len()) + usize::from(len == body.len()), "{len}");
        let end = match len {
            0..12 => End::Stray,
            _ => End::Body { is_partial: len != first.len() && len != body.len() },
        };
        assert_eq!(read.end, end, "{len}");
    }
}

#[test]
fn limits_at_and_past() {
    let (short, long) = (event("a", "{}"), event("a", "{\"n\": 1}"));
    let body = [&short[..], &long].concat();
    assert_eq!(failure(&body, limited(long.len())), (2, End::Body { is_partial: false }));
    let past = limited(long.len() - 1);
    assert_eq!(failure(&body, past), (1, failed(ErrorKind::FrameTooLong(long.len() - 1), short.len())));
    let smallest = frame(&[], b"");
    assert_eq!(failure(&smallest, limited(16)), (1, End::Body { is_partial: false }));
    assert_eq!(failure(&smallest, limited(15)), (0, failed(ErrorKind::FrameTooLong(15), 0)));
    // It is told with the prelude, not with the bytes that it announces.
    let announced = prelude(101, 0);
    assert_eq!(failure(&announced, limited(100)), (0, failed(ErrorKind::FrameTooLong(100), 0)));
    assert_eq!(failure(&announced[..11], limited(100)), (0, End::Stray));
}

#[test]
fn lengths_that_contradict_each_other() {
    for (frame_len, headers_len) in [(0, 0), (15, 0), (16, 1), (20, 5), (16, u32::MAX), (u32::MAX, u32::MAX - 15)] {
        let lengths = prelude(frame_len, headers_len);
        assert_eq!(failure(&lengths, Limits::NONE), (0, failed(ErrorKind::Frame, 0)), "{frame_len} {headers_len}");
        let behind = [event("a", "{}"), lengths].concat();
        let at = event("a", "{}").len();
        assert_eq!(failure(&behind, Limits::default()), (1, failed(ErrorKind::Frame, at)), "{frame_len} {headers_len}");
    }
    for (frame_len, headers_len) in [(u32::MAX, 0), (u32::MAX, u32::MAX - 16)] {
        let lengths = prelude(frame_len, headers_len);
        let limit = Limits::default().frame_len.expect("a limit");
        assert_eq!(failure(&lengths, Limits::default()), (0, failed(ErrorKind::FrameTooLong(limit), 0)));
        assert_eq!(failure(&lengths, Limits::NONE), (0, End::Body { is_partial: true }), "it may still come");
    }
}

/// What is announced is not reserved, and what had grown is let go.
#[test]
fn memory() {
    let mut decoder = Decoder::with_limits(Limits::NONE);
    let mut chunk = &[prelude(u32::MAX, 0), vec![b'x'; 1000]].concat()[..];
    assert!(matches!(decoder.next_item(&mut chunk), Ok(None)));
    assert!(chunk.is_empty() && (1012..=4096).contains(&decoder.heap_len()), "{}", decoder.heap_len());

    let (small, large) = (event("a", "{}"), event("a", &"x".repeat(100_000)));
    let body = [&small[..], &large, &small].concat();
    let (mut decoder, mut chunk, mut count) = (Decoder::new(), &body[..], 0);
    while decoder.next_item(&mut chunk).expect("good frames").is_some() {
        assert_eq!(decoder.heap_len(), 0, "each frame lies in the chunk");
        count += 1;
    }
    assert_eq!(count, 3);

    let (mut decoder, mut longest) = (Decoder::new(), 0);
    for mut chunk in body.chunks(1000) {
        while decoder.next_item(&mut chunk).expect("good frames").is_some() {
            longest = longest.max(decoder.heap_len());
        }
    }
    assert!((large.len()..=2 * large.len()).contains(&longest), "{longest}");
    assert!(matches!(decoder.next_item(&mut &b""[..]), Ok(None)));
    assert!(decoder.heap_len() <= 16 << 10, "{}", decoder.heap_len());
}

#[test]
fn bodies_that_are_something_else() {
    let page = format!("<!DOCTYPE html><p>{}", "x".repeat(5000));
    let cases: [(&[u8], BodyKind, bool); 12] = [
        (b"", BodyKind::Empty, true),
        (b" \r\n", BodyKind::Empty, true),
        (b"{}", BodyKind::Json, true),
        (b"{\"message\": \"no", BodyKind::Json, true),
        (b"{\"Output\":{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}}", BodyKind::Json, true),
        (page.as_bytes(), BodyKind::Html, false),
        (b"<AccessDenied/>", BodyKind::Xml, true),
        (b"data: {}\n\ndata: [DONE]\n\n", BodyKind::EventStream, true),
        (b"{\"a\": 1}\n{\"a\": 2}\n", BodyKind::Ndjson, true),
        (b"no healthy upstream", BodyKind::Text, true),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x63\x60", BodyKind::Gzip, true),
        (&[0; 40], BodyKind::Binary, true),
    ];
    for (body, kind, is_whole) in cases {
        let expected = told::Expected::of(body, Limits::default());
        assert_eq!((expected.frames.len(), &expected.end), (0, &End::Stray), "{kind:?}");
        for step in [1, 5, 11, 12, 13, 5000, 6000] {
            expected.holds(&body.chunks(step).collect::<Vec<_>>());
            let mut decoder = Decoder::new();
            for mut chunk in body.chunks(step) {
                assert!(matches!(decoder.next_item(&mut chunk), Ok(None)), "nothing is told of it");
                assert!(decoder.heap_len() <= 3 * 4096, "only the quotation is kept");
            }
            let eof = decoder.finish().expect("no error");
            let diagnosis = eof.diagnosis().expect("a diagnosis");
            assert_eq!((diagnosis.kind(), diagnosis.is_whole()), (kind, is_whole), "in pieces of {step}");
            assert!(!eof.is_clean());
        }
    }
}

/// Behind a good frame nothing is taken for another body.
#[test]
fn something_else_behind_a_frame() {
    let good = event("a", "{}");
    for body in [&b"<html><title>502 Bad Gateway</title>"[..], &[0; 12], b"{\"error\": 1}"] {
        let body = [&good[..], body].concat();
        assert_eq!(failure(&body, Limits::default()), (1, failed(ErrorKind::Checksum, good.len())));
    }
    let short = [&good[..], b"\r\n"].concat();
    assert_eq!(failure(&short, Limits::default()), (1, End::Body { is_partial: true }));
}

/// A tail too short for a prelude is a cut frame; it is quoted where no frame begins like that.
#[test]
fn short_tails_behind_a_frame() {
    let good = event("a", "{}");
    let cases: [(&[u8], Option<BodyKind>); 7] = [
        (&good[..11], None),
        (b"\x00", None),
        (b"\r\n", None),
        (b"upstream", None),
        (b"{\"e\": 1}", Some(BodyKind::Json)),
        (b"<html>", Some(BodyKind::Html)),
        (b"<Error>", Some(BodyKind::Xml)),
    ];
    for (tail, kind) in cases {
        for step in [1, 7, 1000] {
            let (mut decoder, body) = (Decoder::new(), [&good[..], tail].concat());
            for mut chunk in body.chunks(step) {
                while decoder.next_item(&mut chunk).expect("no error").is_some() {}
            }
            let eof = decoder.finish().expect("no error");
            let told = eof.diagnosis().map(|diagnosis| (diagnosis.kind(), diagnosis.offset(), diagnosis.quotation()));
            assert_eq!(told, kind.map(|kind| (kind, good.len() as u64, tail)));
            assert!(eof.partial_line);
        }
    }
}

/// Frames and items may be pulled in turns, and what was handed out is not touched before the next call.
#[test]
fn layers_in_turns() {
    let body = [event("a", "1"), event("b", "2"), event("c", "3")].concat();
    let mut decoder = Decoder::new();
    let (mut front, mut back) = body.split_at(5);
    assert!(matches!(decoder.next_frame(&mut front), Ok(None)));
    let frame = decoder.next_frame(&mut back).expect("good").expect("whole");
    assert_eq!(frame.header(":event-type").and_then(|value| value.as_str()), Some("a"));
    let item = decoder.next_item(&mut back).expect("good").expect("whole");
    assert_eq!(item.event().map(|event| event.data()), Some(&b"2"[..]));
    assert_eq!(decoder.next_frame(&mut back).expect("good").expect("whole").payload(), b"3");
    assert!(decoder.next_item(&mut back).expect("good").is_none());
    assert!(decoder.finish().expect("good").is_clean());
}

/// The end may come right behind an item that was put together in the decoder.
#[test]
fn the_end_behind_a_frame_in_pieces() {
    let body = event("a", "1");
    let (mut decoder, (mut front, mut back)) = (Decoder::new(), body.split_at(20));
    assert!(decoder.next_item(&mut front).expect("good").is_none());
    assert!(decoder.next_item(&mut back).expect("good").is_some());
    assert!(decoder.finish().expect("good").is_clean());
}

#[test]
fn debug_shows_no_text() {
    let body = frame(&[("secret-name", text("secret")), ("n", Value::Integer(4711))], b"secret");
    let (mut decoder, mut chunk) = (Decoder::new(), &body[..]);
    let frame = decoder.next_frame(&mut chunk).expect("good").expect("whole");
    let headers: Vec<_> = frame.headers().collect();
    let shown = format!("{frame:?} {:?} {headers:?}", frame.headers());
    assert!(!shown.contains("secret") && !shown.contains("4711"), "{shown}");
    assert!(shown.contains("payload_len: 6") && shown.contains("String(6 bytes)"), "{shown}");
    let mut chunk = &body[..30];
    assert!(matches!(decoder.next_item(&mut chunk), Ok(None)));
    let shown = format!("{decoder:?}");
    assert!(!shown.contains("secret") && shown.contains("kept_len: 30"), "{shown}");
}

mod generated {
    //! Bodies from seeds: good ones, and ones with damage whose checksums were made to fit again.

    use super::*;
    use crate::told::Expected;

    /// splitmix64.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }

        fn below(&mut self, end: usize) -> usize {
            (self.next() % end as u64) as usize
        }

        fn bytes(&mut self, end: usize) -> Vec<u8> {
            let len = self.below(end);
            (0..len).map(|_| self.next() as u8).collect()
        }
    }

    fn value(random: &mut Random) -> Value {
        match random.below(10) {
            0 => Value::Boolean(random.below(2) == 0),
            1 => Value::Byte(random.next() as i8),
            2 => Value::Short(random.next() as i16),
            3 => Value::Integer(random.next() as i32),
            4 => Value::Long(random.next() as i64),
            5 => Value::ByteArray(random.bytes(40)),
            6 => Value::Timestamp(random.next() as i64),
            7 => Value::Uuid(std::array::from_fn(|_| random.next() as u8)),
            _ => Value::String(["event", "exception", "error", "", "\u{8336}"][random.below(5)].to_owned()),
        }
    }

    fn any_frame(random: &mut Random) -> Vec<u8> {
        let names =
            [":message-type", ":event-type", ":exception-type", ":error-code", ":error-message", "a", "\u{8336}"];
        let count = random.below(5);
        let mut headers: Vec<_> = (0..count).map(|_| (names[random.below(names.len())], value(random))).collect();
        if random.below(4) > 0 {
            // One that means something, most of the time.
            headers.retain(|(name, value)| !name.starts_with(':') || matches!(value, Value::String(_)));
            headers.sort_by_key(|header| header.0);
            headers.dedup_by_key(|header| header.0);
        }
        frame(&headers, &random.bytes(60))
    }

    /// Changes a byte of a frame, and makes its checksums fit again.
    fn damage(random: &mut Random, frame: &mut [u8]) {
        let at = random.below(frame.len());
        frame[at] = [0, 1, 7, 9, 10, 0xff, random.next() as u8][random.below(7)];
        let sealed = crc(&frame[..8]).to_be_bytes();
        frame[8..12].copy_from_slice(&sealed);
        let end = frame.len() - 4;
        let sealed = crc(&frame[..end]).to_be_bytes();
        frame[end..].copy_from_slice(&sealed);
    }

    fn in_pieces<'a>(random: &mut Random, mut body: &'a [u8]) -> Vec<&'a [u8]> {
        let (mut pieces, longest) = (Vec::new(), [3, 20, 200][random.below(3)]);
        while !body.is_empty() {
            let (piece, rest) = body.split_at(random.below(longest).min(body.len()));
            pieces.push(piece);
            body = rest;
        }
        pieces
    }

    #[test]
    fn bodies() {
        let (mut good, mut failed, mut cut) = (0, 0, 0);
        for seed in 0..3000 {
            let mut random = Random(seed);
            let mut frames: Vec<_> = (0..1 + random.below(4)).map(|_| any_frame(&mut random)).collect();
            if random.below(2) == 0 {
                let last = frames.len() - 1;
                damage(&mut random, &mut frames[last]);
            }
            let mut body = frames.concat();
            if random.below(4) == 0 {
                body.truncate(random.below(body.len()));
            }
            let limits = if random.below(4) == 0 { limited(16 + random.below(150)) } else { Limits::default() };
            let expected = Expected::of(&body, limits);
            match expected.end {
                End::Body { is_partial: false } => good += 1,
                End::Body { is_partial: true } => cut += 1,
                End::Failed(..) => failed += 1,
                End::Stray => {}
            }
            expected.holds(&[&body]);
            expected.holds(&body.chunks(1).collect::<Vec<_>>());
            for _ in 0..4 {
                expected.holds(&in_pieces(&mut random, &body));
            }
        }
        assert!(good > 1000 && failed > 300 && cut > 300, "{good} good, {failed} failed, {cut} cut");
    }
}
