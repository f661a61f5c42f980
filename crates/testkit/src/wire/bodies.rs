//! Bodies that look like what the decoders read, and those that nearly do.

use crate::random::Random;

const NAMES: [&[u8]; 24] = [
    b"data",
    b"data",
    b"data",
    b"data",
    b"event",
    b"id",
    b"retry",
    b"error",
    b"",
    b"dat",
    b"d",
    b"datax",
    b"Data",
    b" data",
    b"data ",
    b"even",
    b"i",
    b"ids",
    b"retr",
    b"err",
    b"errors",
    b"x",
    b"\xEF\xBB\xBFdata",
    b"{\"a\"",
];

const COLONS: [&[u8]; 8] = [b": ", b": ", b":", b":", b"", b":  ", b" : ", b":\t"];

const VALUES: [&[u8]; 44] = [
    b"{}",
    b"a",
    b"",
    b"[DONE]",
    b"1",
    b"12",
    b"-0.5e3",
    b"{\"a\": [1, 2]}",
    b"{\"a\":",
    b"1}",
    b"\"b\"",
    b"\"b",
    b"null",
    b"tru",
    b"true",
    b"[",
    b"]",
    b"{\"error\": {\"code\": 500}}",
    b"[DONE",
    b"[DONE] ",
    b" ",
    b":",
    b"::",
    b"tick",
    b"7",
    b"0010",
    b"1500",
    b"99999999999999999999999",
    b"+5",
    b"1 ",
    b"x\0y",
    b"\0",
    b"\xFF",
    b"\xE8\x8C",
    b"\xE8\x8C\xB6",
    b"\"\xF0\x9F\xA6\"",
    b"\xEF\xBB\xBF",
    b"\xC2\x85",
    b"\xE2\x80\xA8",
    b"\x0B\x0C",
    b"{}\x0C",
    b"\x0C{}",
    b"data: 1",
    b"{\"a\": 1, \"a\": 2}",
];

const ENDS: [&[u8]; 12] =
    [b"\n", b"\n", b"\n", b"\n\n", b"\n\n", b"\r\n", b"\r\n\r\n", b"\r", b"\r\r", b"\n\r", b"\r\r\n", b""];

const PIECES: [&[u8]; 24] = [
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\r\n\r\n",
    b":",
    b" ",
    b"\xEF",
    b"\xBB",
    b"\xBF",
    b"\xEF\xBB\xBF",
    b"\0",
    b"\xF0\x9F",
    b"da",
    b"ta",
    b"data:",
    b"data: {}\n\n",
    b": ping\n",
    b"event: tick\n",
    b"id\n",
    b"<html>\n",
    b"{\n",
    b"}\n",
    b"error: {\"code\": 1}\n",
];

/// Events that a decoder may know a short way for.
const PLAIN: [&[u8]; 10] = [
    b"data: {}\n\n",
    b"data: {\"a\": 1}\n\n",
    b"data: {}\r\n\r\n",
    b"data:1\r\r",
    b"event: tick\ndata: {}\n\n",
    b"event:tick\r\ndata:1\r\n\r\n",
    b"event: tick\rdata: 1\n\n",
    b"event:\ndata: 1\n\n",
    b"data\n\n",
    b"data: [DONE]\n\n",
];

const JSON: [&[u8]; 40] = [
    b"{\"a\": 1}",
    b"\n",
    b"{}",
    b"[",
    b"]",
    b",",
    b" ",
    b"1",
    b"12",
    b"-0.5",
    b"true",
    b"null",
    b"\"a\"",
    b"{\"error\": 1}",
    b"{\"error\":",
    b"{\"a\": {\"b\": [\"}]\"]}}",
    b"[1, 2]",
    b"[]",
    b"{",
    b"}",
    b":",
    b"\"",
    b"\\",
    b"\"\\\"",
    b"\"a",
    b"\r\n",
    b"\t",
    b"  1\n",
    b"\t{}\n",
    b"tru",
    b"-",
    b"x",
    b"\0",
    b"\x0C",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"\xFF",
    b"\xE8\x8C\xB6",
    b"\"\xE8\x8C\"",
    b"<html>",
];

/// A mark in front, or a part of it; pieces; and perhaps a cut.
fn body(random: &mut Random, piece: fn(&mut Random, &mut Vec<u8>)) -> Vec<u8> {
    let mut body = Vec::new();
    if random.chance(6) {
        body.extend_from_slice(&b"\xEF\xBB\xBF\xEF\xBB"[..1 + random.below(5)]);
    }
    for _ in 0..random.below(14) {
        piece(random, &mut body);
    }
    if random.chance(30) {
        body.truncate(random.below(body.len() + 1));
    }
    body
}

/// A body of some lines and pieces of lines.
#[must_use]
pub fn event_stream(random: &mut Random) -> Vec<u8> {
    body(random, |random, body| {
        if random.chance(25) {
            body.extend_from_slice(random.pick(&PIECES));
        } else if random.chance(25) {
            (0..=random.below(3)).for_each(|_| body.extend_from_slice(random.pick(&PLAIN)));
        } else if random.chance(4) {
            body.extend((0..random.below(5)).map(|_| random.below(256) as u8));
        } else {
            line(random, body);
        }
    })
}

fn line(random: &mut Random, body: &mut Vec<u8>) {
    body.extend_from_slice(random.pick(&NAMES));
    body.extend_from_slice(random.pick(&COLONS));
    body.extend_from_slice(random.pick(&VALUES));
    if random.chance(10) {
        body.extend_from_slice(random.pick(&VALUES));
    }
    body.extend_from_slice(random.pick(&ENDS));
}

/// Whole lines of JSON, some of which are one document together.
const JSON_LINES: [&[u8]; 16] = [
    b"{\"a\": 1}\n",
    b"{\"error\": 1}\n",
    b"{\n",
    b"  \"error\": {\n",
    b"  }\n",
    b"}\n",
    b"[\n",
    b"]\n",
    b"[{\"a\": 1}]\n",
    b"[{\"a\": 1}\n",
    b",{\"b\": [2]}\r\n",
    b"\n",
    b" \r\n",
    b"{\"a\": \"b\n",
    b"<html>\n",
    b"word\n",
];

/// A body of pieces of JSON: lines of it, an array, or neither.
#[must_use]
pub fn json(random: &mut Random) -> Vec<u8> {
    let begins = random.pick(&[&b""[..], b"", b"[", b"{", b"{\"error\": "]);
    let rest = if random.chance(40) {
        body(random, |random, body| {
            body.extend_from_slice(if random.chance(20) { random.pick(&JSON) } else { random.pick(&JSON_LINES) });
        })
    } else {
        body(random, |random, body| body.extend_from_slice(random.pick(&JSON)))
    };
    [begins, &rest].concat()
}

/// CRC-32 (RFC 1952, section 8), bit by bit.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    let bit = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| bit(crc)))
}

const HEADERS: [(&str, &str); 7] = [
    (":message-type", "event"),
    (":event-type", "chunk"),
    (":message-type", "exception"),
    (":exception-type", "throttlingException"),
    (":message-type", "error"),
    (":error-code", "500"),
    (":content-type", "application/json"),
];

/// A body of AWS frames, now and then with a byte that is another, missing or one too many.
#[must_use]
pub fn frames(random: &mut Random) -> Vec<u8> {
    let mut body = Vec::new();
    for _ in 0..random.below(5) {
        let mut headers = Vec::new();
        for _ in 0..random.below(4) {
            let (name, value) = HEADERS[random.below(HEADERS.len())];
            headers.push(name.len() as u8);
            headers.extend_from_slice(name.as_bytes());
            // The type of a string, now and then another.
            headers.push(if random.chance(10) { random.below(11) as u8 } else { 7 });
            headers.extend_from_slice(&(value.len() as u16).to_be_bytes());
            headers.extend_from_slice(value.as_bytes());
        }
        body.extend_from_slice(&frame(&headers, random.pick(&VALUES)));
    }
    if random.chance(30) && !body.is_empty() {
        let at = random.below(body.len());
        match random.below(3) {
            0 => body[at] ^= 1 << random.below(8),
            1 => drop(body.remove(at)),
            _ => body.insert(at, 0),
        }
    }
    if random.chance(30) {
        body.truncate(random.below(body.len() + 1));
    }
    body
}

fn frame(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let len = headers.len() + payload.len() + 16;
    let mut frame = [(len as u32).to_be_bytes(), (headers.len() as u32).to_be_bytes()].concat();
    frame.extend_from_slice(&checksum(&frame).to_be_bytes());
    frame.extend_from_slice(headers);
    frame.extend_from_slice(payload);
    frame.extend_from_slice(&checksum(&frame).to_be_bytes());
    frame
}
