//! Deltas under every split that a server can make: `serde_json` reads the joined string, and is the judge.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;

/// The text of a lane whose deltas these are, and the first damage.
fn read(deltas: &[&str]) -> (String, Option<Damage>) {
    read_bytes(&deltas.iter().map(|delta| delta.as_bytes()).collect::<Vec<_>>())
}

fn read_bytes(deltas: &[&[u8]]) -> (String, Option<Damage>) {
    let (mut half, mut buffer) = (Half::default(), String::new());
    let (mut text, mut first) = (String::new(), None);
    for delta in deltas {
        let undone = undo(delta, &mut half, &mut buffer);
        let damage = undone.damage.map(|damage| Damage { offset: damage.offset + text.len() as u64, ..damage });
        first = first.or(damage);
        text.push_str(undone.text);
    }
    if half.is_open() {
        text.push('…');
    }
    (text, first)
}

/// Every way of cutting some atoms into up to three deltas, empty ones too.
fn cuts(atoms: &[&str]) -> Vec<[String; 3]> {
    let mut cuts = Vec::new();
    for first in 0..=atoms.len() {
        for second in first..=atoms.len() {
            cuts.push([atoms[..first].concat(), atoms[first..second].concat(), atoms[second..].concat()]);
        }
    }
    cuts
}

/// Every sequence of up to `most` atoms.
fn sequences<'a>(atoms: &[&'a str], most: usize) -> Vec<Vec<&'a str>> {
    let mut all = vec![Vec::new()];
    let mut newest = all.clone();
    for _ in 0..most {
        newest = newest
            .iter()
            .flat_map(|sequence| {
                atoms.iter().map(|atom| {
                    let mut longer = sequence.clone();
                    longer.push(*atom);
                    longer
                })
            })
            .collect();
        all.extend(newest.iter().cloned());
    }
    all
}

#[test]
fn escapes_are_undone_as_serde_json_does() {
    let atoms =
        ["a", "plain text", "é", "🌊", "\\n", "\\\"", "\\\\", "\\u00e9", "\\/", "\\b\\f\\r\\t", "\\ud83c|\\udf0a"];
    for sequence in sequences(&atoms, 3) {
        // A pair is two atoms: a server may cut it.
        let halves: Vec<&str> = sequence.iter().flat_map(|atom| atom.split('|')).collect();
        let json = format!("\"{}\"", halves.concat());
        let expected: String = serde_json::from_str(&json).expect("a JSON string");
        for [first, second, third] in cuts(&halves) {
            let found = read(&[&first, &second, &third]);
            assert_eq!(found, (expected.clone(), None), "{first:?} {second:?} {third:?}");
        }
    }
}

/// The same units of UTF-16 that a string of JSON names.
fn units(json: &str) -> Vec<u16> {
    let mut units = Vec::new();
    for (at, part) in json.split("\\u").enumerate() {
        let text = if at == 0 {
            part
        } else {
            units.push(u16::from_str_radix(&part[..4], 16).expect("four digits"));
            &part[4..]
        };
        units.extend(text.encode_utf16());
    }
    units
}

#[test]
fn half_a_pair_is_replaced_wherever_the_deltas_end() {
    let atoms = ["x", "é", "\\ud83d", "\\uDE00", "\\udbff", "\\udc00", "\\u0041"];
    for sequence in sequences(&atoms, 4) {
        let units = units(&sequence.concat());
        let waits = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        let mut expected = String::from_utf16_lossy(&units);
        if waits {
            expected.pop();
            expected.push('…');
        }
        let whole = &units[..units.len() - usize::from(waits)];
        let is_damaged = char::decode_utf16(whole.iter().copied()).any(|char| char.is_err());
        for [first, second, third] in cuts(&sequence) {
            let (text, damage) = read(&[&first, &second, &third]);
            assert_eq!(text, expected, "{first:?} {second:?} {third:?}");
            assert_eq!(damage.is_some(), is_damaged, "{first:?} {second:?} {third:?}");
            if let Some(damage) = damage {
                assert_eq!(damage.kind, DamageKind::LoneSurrogate);
                assert!(text[damage.offset as usize..].starts_with('\u{FFFD}'), "{text:?} at {}", damage.offset);
            }
        }
    }
}

/// A delta, its text, and the damage with its place.
type Case<'a> = (&'a [u8], &'a str, Option<(DamageKind, u64)>);

#[test]
fn damage_is_told_with_its_place() {
    use DamageKind::{ControlCharacter, InvalidEscape, InvalidUnicodeEscape, InvalidUtf8, LoneSurrogate};
    let cases: [Case<'_>; 19] = [
        (b"", "", None),
        (b"ab\x7f", "ab\x7f", None),
        (b"ab\\", "ab\u{FFFD}", Some((InvalidEscape, 2))),
        (b"\\x41", "\u{FFFD}x41", Some((InvalidEscape, 0))),
        (b"a\\n\\x", "a\n\u{FFFD}x", Some((InvalidEscape, 2))),
        (b"\\u12", "\u{FFFD}u12", Some((InvalidUnicodeEscape, 0))),
        (b"\\u", "\u{FFFD}u", Some((InvalidUnicodeEscape, 0))),
        (b"\\u+123", "\u{FFFD}u+123", Some((InvalidUnicodeEscape, 0))),
        (b"\\u12\\n4", "\u{FFFD}u12\n4", Some((InvalidUnicodeEscape, 0))),
        (b"\\U0041", "\u{FFFD}U0041", Some((InvalidEscape, 0))),
        (b"a\nb", "a\nb", Some((ControlCharacter, 1))),
        (b"\x00", "\x00", Some((ControlCharacter, 0))),
        ("é\t\u{1F}".as_bytes(), "é\t\u{1F}", Some((ControlCharacter, 2))),
        (b"a\xFFb", "a\u{FFFD}b", Some((InvalidUtf8, 1))),
        (b"\xE2\x82", "\u{FFFD}", Some((InvalidUtf8, 0))),
        (b"\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}", Some((InvalidUtf8, 0))),
        (b"\\ud83dx\\y", "\u{FFFD}x\u{FFFD}y", Some((LoneSurrogate, 0))),
        (b"\\ud83d\\y", "\u{FFFD}\u{FFFD}y", Some((LoneSurrogate, 0))),
        (b"x\\ude00", "x\u{FFFD}", Some((LoneSurrogate, 1))),
    ];
    for (raw, text, damage) in cases {
        let expected = (text.to_string(), damage.map(|(kind, offset)| Damage { kind, offset }));
        assert_eq!(read_bytes(&[raw]), expected, "{:?}", raw.escape_ascii().to_string());
    }
}

#[test]
fn only_what_json_allows_is_undamaged() {
    for first in 0..=u8::MAX {
        for rest in [&b""[..], b"1234", b"0041z", b"d83"] {
            let raw = [b"ab\\", &[first][..], rest].concat();
            let quoted = [b"\"", &raw[..], b"\""].concat();
            let (text, damage) = read_bytes(&[&raw]);
            match serde_json::from_slice::<String>(&quoted) {
                Ok(expected) => assert_eq!((text, damage), (expected, None)),
                // `\"` closes the string there; a delta is what stands between the quotes.
                Err(_) if first == b'"' => assert_eq!(damage, None),
                Err(_) => assert!(damage.is_some(), "{:?}", raw.escape_ascii().to_string()),
            }
        }
    }
}

#[test]
fn plain_is_told_at_every_place_and_length() {
    for len in 0..40 {
        for at in 0..len {
            for byte in 0..=u8::MAX {
                let mut raw = vec![b'a'; len];
                raw[at] = byte;
                assert_eq!(is_plain(&raw), byte >= b' ' && byte != b'\\', "{byte} at {at} of {len}");
            }
        }
    }
    // Neighbours that borrow from each other must not hide one another.
    for pair in 0..=u16::MAX {
        let [first, second] = pair.to_be_bytes();
        let expected = [first, second].iter().all(|&byte| byte >= b' ' && byte != b'\\');
        assert_eq!(is_plain(&[b'~', first, second, 0x80, 0xFF]), expected, "{first} {second}");
    }
}

#[test]
fn a_plain_delta_is_borrowed() {
    let (mut half, mut buffer) = (Half::default(), String::new());
    for raw in ["", "a", " word", "Ny-Ålesund", "a long delta of more than sixteen bytes 🌊"] {
        let undone = undo(raw.as_bytes(), &mut half, &mut buffer);
        assert_eq!(undone.text.as_ptr(), raw.as_ptr());
    }
    assert_eq!(buffer.capacity(), 0, "nothing was copied");
}

#[test]
fn a_large_buffer_is_let_go() {
    let (mut half, mut buffer) = (Half::default(), String::new());
    let large = "\\n".repeat(RETAINED_LEN + 1);
    undo(large.as_bytes(), &mut half, &mut buffer);
    assert!(buffer.capacity() > RETAINED_LEN);
    undo(b"\\n", &mut half, &mut buffer);
    assert!(buffer.capacity() < 64);
}

#[test]
fn text_without_escapes_is_only_decoded() {
    let mut buffer = String::new();
    assert_eq!(decode(b"{\"a\": \"\\n\",\n\t\"b\": 1}", &mut buffer).text, "{\"a\": \"\\n\",\n\t\"b\": 1}");
    let undone = decode(b"{\"a\n\": \"\xFF\"}", &mut buffer);
    assert_eq!(undone.text, "{\"a\n\": \"\u{FFFD}\"}");
    assert_eq!(undone.damage, Some(Damage { kind: DamageKind::InvalidUtf8, offset: 8 }));
}
