//! Whether some bytes are one whole JSON text, asked of the engine's own scanner.
//!
//! The bytes of the wire may be no UTF-8. Only the grammar matters here, so what is no UTF-8 is shown to the scanner as
//! question marks, as many as there were bytes: inside a string they are content, anywhere else they are as wrong as
//! what they stand for.

use thusfar_core::{Event, Expect, Flow, Limits, Progress, RepairKind, Scanner, Sink, Span};

/// Question marks for what is no UTF-8: a sequence that is cut has at most three bytes.
const MASK: &str = "???";

/// A scanner for JSON to the letter: no repair, no limit, one root of any kind.
pub(crate) fn strict() -> Scanner {
    let expect = Expect::value().limits(Limits::NONE);
    Scanner::new(&RepairKind::ALL.into_iter().fold(expect, Expect::without))
}

/// Pushes bytes that may be no UTF-8, or a character in two pieces. One byte is one byte of the scanner's offsets.
pub(crate) fn push<S: Sink>(scanner: &mut Scanner, bytes: &[u8], sink: &mut S) -> Progress {
    if let Ok(text) = core::str::from_utf8(bytes) {
        return scanner.push(text, sink);
    }
    for piece in bytes.utf8_chunks() {
        let _ = scanner.push(piece.valid(), sink);
        let _ = scanner.push(&MASK[..piece.invalid().len()], sink);
    }
    scanner.progress()
}

/// White space of JSON (RFC 8259, section 2).
const fn is_white(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Bytes without the white space in front.
pub(crate) fn trim_start(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().take_while(|byte| is_white(byte)).count();
    &bytes[len..]
}

/// Bytes without the white space behind.
pub(crate) fn trim_end(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rev().take_while(|byte| is_white(byte)).count();
    &bytes[..bytes.len() - len]
}

/// Bytes without the white space around.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    trim_end(trim_start(bytes))
}

/// What stands first in some bytes, white space aside.
pub(crate) fn first(bytes: &[u8]) -> Option<u8> {
    trim_start(bytes).first().copied()
}

/// How far some bytes are JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A whole JSON text and nothing else.
    Whole,
    /// The beginning of one.
    Prefix,
    /// Neither.
    Not,
}

/// How far some bytes are JSON. Linear; the memory is a bit for each open frame.
pub(crate) fn extent(bytes: &[u8]) -> Extent {
    extent_by(&mut strict(), bytes)
}

/// The same, by a scanner that begins again: for many lines, room is made once.
pub(crate) fn extent_by(scanner: &mut Scanner, bytes: &[u8]) -> Extent {
    /// Where the document is, once one has closed.
    struct Root(Option<Span>);
    impl Sink for Root {
        const BYTES: bool = false;
        fn event(&mut self, event: Event) -> Flow {
            if let Event::Document { span, .. } = event {
                self.0 = Some(span);
            }
            Flow::Continue
        }
    }

    // The scanner reads over a fence or a tag of reasoning in front; on the wire they are no JSON.
    if !first(bytes).is_some_and(|byte| matches!(byte, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')) {
        return Extent::Not;
    }
    scanner.restart();
    let mut root = Root(None);
    let text = trim_end(bytes);
    let progress = push(scanner, text, &mut root);
    if progress == Progress::Doomed {
        return Extent::Not;
    }
    // A number ends with what stands behind it.
    let _ = scanner.push(" ", &mut root);
    match root.0 {
        Some(span) if span.end == text.len() => Extent::Whole,
        Some(_) => Extent::Not,
        None => Extent::Prefix,
    }
}

/// Whether data may be taken as one JSON text although nothing closed the event. `is_ended` says that their last line was.
///
/// A number at the end of a line that was not ended may have more digits and does not count.
pub(crate) fn is_whole_text(data: &[u8], is_ended: bool) -> bool {
    let is_number = matches!(first(data), Some(b'-' | b'0'..=b'9'));
    let may_go_on = is_number && !is_ended && !data[trim_end(data).len()..].contains(&b'\n');
    !may_go_on && extent(data) == Extent::Whole
}

/// The same, or the `[DONE]` that ends the streams of OpenAI and of whoever speaks its dialect.
pub(crate) fn is_whole_data(data: &[u8], is_ended: bool) -> bool {
    data == b"[DONE]" || is_whole_text(data, is_ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn how_far_bytes_are_json() {
        let cases: [(&[u8], Extent); 29] = [
            (b"{}", Extent::Whole),
            (b" {\"a\": [1, 2.5e3, null]} \r\n", Extent::Whole),
            (b"[]", Extent::Whole),
            (b"12", Extent::Whole),
            (b"-0.5", Extent::Whole),
            (b"true", Extent::Whole),
            (b"\"a\"", Extent::Whole),
            (b"\"\xff\xe8\x8c\"", Extent::Whole),
            ("\"茶\"".as_bytes(), Extent::Whole),
            (b"{", Extent::Prefix),
            (b"{\"a\": \"b", Extent::Prefix),
            (b"{\"a\": \"b\\", Extent::Prefix),
            (b"[1, 2", Extent::Prefix),
            (b"tru", Extent::Prefix),
            (b"-", Extent::Prefix),
            (b"", Extent::Not),
            (b"  ", Extent::Not),
            (b"{} {}", Extent::Not),
            (b"{}\n{}", Extent::Not),
            (b"{}x", Extent::Not),
            (b"{} ```", Extent::Not),
            (b"```json\n{}\n```", Extent::Not),
            (b"<think>a</think>{}", Extent::Not),
            (b"{\"a\": 1,}", Extent::Not),
            (b"{\"a\": \xff}", Extent::Not),
            (b"[DONE]", Extent::Not),
            (b"{}\x0c", Extent::Not),
            (b"\x0c{}", Extent::Not),
            (b"data: {}", Extent::Not),
        ];
        for (bytes, expected) in cases {
            assert_eq!(extent(bytes), expected, "{:?}", bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn a_number_may_go_on() {
        assert!(is_whole_data(b"12", true) && !is_whole_data(b"12", false) && !is_whole_data(b"12 ", false));
        assert!(is_whole_data(b"12\n", false), "its line has ended");
        assert!(is_whole_data(b"[DONE]", false) && is_whole_data(b"null", false));
        assert!(!is_whole_data(b"[DONE", false) && !is_whole_data(b"", true));
    }
}
