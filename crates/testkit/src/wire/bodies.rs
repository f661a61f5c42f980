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

/// A body of pieces of JSON: lines of it, an array, or neither.
#[must_use]
pub fn json(random: &mut Random) -> Vec<u8> {
    let begins = random.pick(&[&b""[..], b"[", b"{", b"{\"error\": "]);
    let rest = body(random, |random, body| body.extend_from_slice(random.pick(&JSON)));
    [begins, &rest].concat()
}
