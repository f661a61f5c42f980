//! Indentation: strict JSON text with new white space between its tokens; every token stays as it was written.
//!
//! One pass, one counter: depth is never recursion, and nothing is collected, for a deep document can grow a hundredfold.

use std::io;

/// The white space of one level.
pub(crate) const INDENT: &str = "  ";

/// Writes `text`, which is one strict JSON value, with one member or element a line. `emit` gets the pieces in order.
pub(crate) fn indent(text: &str, mut emit: impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = skip_white_space(bytes, 0);
    while let Some(&byte) = bytes.get(at) {
        let end = token_end(bytes, at);
        let next = skip_white_space(bytes, end);
        match byte {
            b'{' | b'[' if matches!(bytes.get(next), Some(b'}' | b']')) => {
                emit(&text[at..end])?;
                emit(&text[next..=next])?;
                at = skip_white_space(bytes, next + 1);
                continue;
            }
            b'{' | b'[' => {
                emit(&text[at..end])?;
                depth += 1;
                new_line(depth, &mut emit)?;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                new_line(depth, &mut emit)?;
                emit(&text[at..end])?;
            }
            b',' => {
                emit(",")?;
                new_line(depth, &mut emit)?;
            }
            b':' => emit(": ")?,
            _ => emit(&text[at..end])?,
        }
        at = next;
    }
    Ok(())
}

fn new_line(depth: usize, emit: &mut impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    emit("\n")?;
    (0..depth).try_for_each(|_| emit(INDENT))
}

fn skip_white_space(bytes: &[u8], at: usize) -> usize {
    let run = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    at + run.count()
}

/// One past the token that starts at `at`. `at < token_end <= bytes.len()`
fn token_end(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => at + 1,
        b'"' => {
            let mut end = at + 1;
            while let Some(&byte) = bytes.get(end) {
                match byte {
                    b'"' => return end + 1,
                    b'\\' => end += 2,
                    _ => end += 1,
                }
            }
            bytes.len()
        }
        _ => {
            let ends =
                |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b' ' | b'\t' | b'\n' | b'\r');
            bytes[at..].iter().position(ends).map_or(bytes.len(), |len| at + len)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indented(text: &str) -> String {
        let mut out = String::new();
        let done = indent(text, |piece| {
            out.push_str(piece);
            Ok(())
        });
        assert!(done.is_ok());
        out
    }

    #[test]
    fn tokens_stay_and_white_space_is_new() {
        for (text, pretty) in [
            ("{}", "{}"),
            ("[ \n ]", "[]"),
            (" 1.50e+0 ", "1.50e+0"),
            (r#""a\u00e9""#, r#""a\u00e9""#),
            (r#"{"a":1.0,"b":[]}"#, "{\n  \"a\": 1.0,\n  \"b\": []\n}"),
            ("[1,\r\n[-0,{\"k\" :null}]]", "[\n  1,\n  [\n    -0,\n    {\n      \"k\": null\n    }\n  ]\n]"),
            (r#"{"a, b: {\"[":"\\","c":"é ,"}"#, "{\n  \"a, b: {\\\"[\": \"\\\\\",\n  \"c\": \"é ,\"\n}"),
            ("[1e400000000000000000001]", "[\n  1e400000000000000000001\n]"),
        ] {
            assert_eq!(indented(text), pretty, "{text}");
        }
    }

    #[test]
    fn indenting_twice_changes_nothing() {
        let once = indented(r#"{"a":[{"b":[1,2,{}]},"x",true],"c":{"d":[]}}"#);
        assert_eq!(indented(&once), once);
    }

    #[test]
    fn depth_is_no_recursion() {
        let deep = "[".repeat(2_000) + &"]".repeat(2_000);
        assert_eq!(indented(&deep).lines().count(), 3_999);
    }
}
