//! Patches in document order against `serde_json`; and everything else refused.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use serde_json::{Map, Value};

use super::*;

/// Applies patches; the text, and the first that was refused.
fn apply(pieces: &[(&str, &str)]) -> (String, Option<(usize, Refused)>) {
    let (mut patch, mut out) = (Patch::default(), String::new());
    for (at, (path, value)) in pieces.iter().enumerate() {
        let (value, goes_on) = value.strip_suffix('…').map_or((*value, false), |value| (value, true));
        let (value, is_string) = value.strip_prefix('\'').map_or((value, false), |value| (value, true));
        let before = out.len();
        if let Err(refused) = patch.apply(&Piece { path, value, is_string, goes_on }, None, &mut out) {
            assert_eq!(out.len(), before, "what is refused writes nothing");
            return (out, Some((at, refused)));
        }
    }
    patch.close(&mut out);
    (out, None)
}

#[test]
fn in_order() {
    let cases: [(&[(&str, &str)], &str); 10] = [
        (&[("$.a", "1")], "{\"a\":1}"),
        (&[("$['a b']", "1"), ("$[\"c.d\"]", "2")], "{\"a b\":1,\"c.d\":2}"),
        (&[("$.a", "'x…"), ("$.a", "'y…"), ("$.a", "'"), ("$.b", "null")], "{\"a\":\"xy\",\"b\":null}"),
        (&[("$.a.b", "1"), ("$.a.c", "2"), ("$.d.b", "3")], "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"b\":3}}"),
        (&[("$.a[0]", "1"), ("$.a[1]", "'x"), ("$.a[2].b", "true")], "{\"a\":[1,\"x\",{\"b\":true}]}"),
        (&[("$.a[0].b", "1"), ("$.a[0].c", "2"), ("$.a[1].b", "3")], "{\"a\":[{\"b\":1,\"c\":2},{\"b\":3}]}"),
        (&[("$.a[0][0]", "1"), ("$.a[0][1]", "2"), ("$.a[1][0]", "3")], "{\"a\":[[1,2],[3]]}"),
        (&[("$[0]", "1"), ("$[1]", "2")], "[1,2]"),
        (&[("$.a", "{\"b\": []}"), ("$.c", "'")], "{\"a\":{\"b\": []},\"c\":\"\"}"),
        (&[("$.\"é\n", "'\u{1}\\\"\u{8}\u{c}\r\n\t")], "{\"\\\"é\\n\":\"\\u0001\\\\\\\"\\b\\f\\r\\n\\t\"}"),
    ];
    for (pieces, expected) in cases {
        assert_eq!(apply(pieces), (expected.to_string(), None), "{pieces:?}");
        serde_json::from_str::<Value>(expected).expect("JSON");
    }
}

#[test]
fn what_is_refused() {
    let cases: [(&[(&str, &str)], FaultCode); 26] = [
        (&[("", "1")], FaultCode::PatchPath),
        (&[("$", "1")], FaultCode::PatchPath),
        (&[("a", "1")], FaultCode::PatchPath),
        (&[("$a", "1")], FaultCode::PatchPath),
        (&[("$.", "1")], FaultCode::PatchPath),
        (&[("$..a", "1")], FaultCode::PatchPath),
        (&[("$.a[", "1")], FaultCode::PatchPath),
        (&[("$.a[]", "1")], FaultCode::PatchPath),
        (&[("$.a[+1]", "1")], FaultCode::PatchPath),
        (&[("$.a[*]", "1")], FaultCode::PatchPath),
        (&[("$.a[18446744073709551616]", "1")], FaultCode::PatchPath),
        (&[("$['a", "1")], FaultCode::PatchPath),
        (&[("$['a'", "1")], FaultCode::PatchPath),
        (&[("$['a\\'b']", "1")], FaultCode::PatchPath),
        (&[("$.a", "")], FaultCode::PatchPath),
        (&[("$.a[1]", "1")], FaultCode::PatchOrder),
        (&[("$.a", "1"), ("$.a", "2")], FaultCode::PatchOrder),
        (&[("$.a", "'x"), ("$.a", "'y")], FaultCode::PatchOrder),
        (&[("$.a", "'x…"), ("$.a", "1")], FaultCode::PatchOrder),
        (&[("$.a", "'x…"), ("$.b", "'y")], FaultCode::PatchOrder),
        (&[("$.a", "1"), ("$.a.b", "2")], FaultCode::PatchOrder),
        (&[("$.a.b", "1"), ("$.a", "2")], FaultCode::PatchOrder),
        (&[("$.a.b", "1"), ("$.c", "2"), ("$.a.d", "3")], FaultCode::PatchOrder),
        (&[("$.a[0]", "1"), ("$.a[2]", "2")], FaultCode::PatchOrder),
        (&[("$.a[0]", "1"), ("$.a.b", "2")], FaultCode::PatchOrder),
        (&[("$.a[0]", "1"), ("$.a[1]", "2"), ("$.a[0]", "3")], FaultCode::PatchOrder),
    ];
    for (pieces, code) in cases {
        assert_eq!(apply(pieces).1, Some((pieces.len() - 1, Refused::Fault(code))), "{pieces:?}");
    }
}

/// The patches of a value, in document order; strings in two pieces.
fn pieces(value: &Value, path: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(key, value)| pieces(value, &format!("{path}['{key}']"), out));
        }
        Value::Array(list) if !list.is_empty() => {
            list.iter().enumerate().for_each(|(at, value)| pieces(value, &format!("{path}[{at}]"), out));
        }
        Value::String(text) => {
            let half = text.char_indices().nth(1).map_or(0, |(at, _)| at);
            out.push((path.into(), format!("'{}…", &text[..half])));
            out.push((path.into(), format!("'{}", &text[half..])));
        }
        other => out.push((path.into(), other.to_string())),
    }
}

#[test]
fn what_serde_json_writes() {
    let mut random = 7_u64;
    let mut next = move |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    fn tree(next: &mut impl FnMut(u64) -> u64, depth: u64) -> Value {
        match next(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => Value::Bool(next(2) == 1),
            2 => Value::from(next(1000)),
            3 => Value::String("é\"\\\n🌊 text".chars().skip(next(8) as usize).collect()),
            4 => vec![Value::Object(Map::new()), Value::Array(vec![])].remove(next(2) as usize),
            5 => (0..next(4)).map(|_| tree(next, depth - 1)).collect(),
            _ => object(next, depth - 1),
        }
    }
    fn object(next: &mut impl FnMut(u64) -> u64, depth: u64) -> Value {
        (0..=next(4)).map(|at| (format!("k{at} \"."), tree(next, depth))).collect::<Map<_, _>>().into()
    }
    for _ in 0..2000 {
        let value = object(&mut next, 4);
        let mut all = Vec::new();
        pieces(&value, "$", &mut all);
        let borrowed: Vec<_> = all.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
        assert_eq!(apply(&borrowed), (value.to_string(), None), "{all:?}");
    }
}

#[test]
fn frames_are_counted_and_let_go() {
    let (mut patch, mut out) = (Patch::default(), String::new());
    for at in 0..1000 {
        let path = format!("$.list[{at}].member");
        let piece = Piece { path: &path, value: "1", is_string: false, goes_on: false };
        assert_eq!(patch.apply(&piece, Some(128), &mut out), Ok(()), "{at}");
    }
    assert_eq!((patch.frames.len(), patch.keys.len(), patch.keys_len), (3, 2, 10 + 2 * KEY_COST));
    patch.close(&mut out);
    assert_eq!((patch.frames.len(), patch.keys.len(), patch.keys_len), (0, 0, 0));
}
