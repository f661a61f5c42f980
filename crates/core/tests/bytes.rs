//! Feature `bytes`: a whole reply is read where it lies.
#![cfg(feature = "bytes")]

use bytes::Bytes;
use thusfar_core::{Code, Expect, Limits, read, read_bytes};

#[test]
fn nothing_is_copied() {
    let bytes = Bytes::from_static(b"Here: {\"a\": [1, 2]} Enjoy!");
    let document = read_bytes(bytes.clone(), Expect::object()).expect("a document");
    assert_eq!(document.text(), "{\"a\": [1, 2]}");
    assert_eq!(document.raw().as_ptr(), bytes.as_ptr());
    assert_eq!(document.text().as_ptr(), bytes[6..].as_ptr());
}

#[test]
fn the_answer_is_that_of_read() {
    for text in [
        "{\"a\": 1,}",
        "[1,,2]",
        "no",
        "```json\n{\"a\": \"é\"}\n```",
        "{\"a\": {\"b\": \"cut",
        "{\"a\": 1} {\"a\": 2}",
    ] {
        let bytes = read_bytes(Bytes::copy_from_slice(text.as_bytes()), Expect::any());
        match (read(text, Expect::any()), bytes) {
            (Ok(one), Ok(other)) => assert_eq!((one.text(), one.repairs()), (other.text(), other.repairs())),
            (Err(one), Err(other)) => assert_eq!((one.code(), one.offset()), (other.code(), other.offset())),
            _ => panic!("{text}"),
        }
    }
}

#[test]
fn bytes_that_are_no_text_and_replies_that_are_too_long_fail() {
    let failure = read_bytes(Bytes::from_static(b"{\"a\": \"\xFF\"}"), Expect::object()).expect_err("no text");
    assert_eq!((failure.code(), failure.offset()), (Code::InvalidUtf8, 7));
    let short = Expect::object().limits(Limits { reply_len: Some(4), ..Limits::default() });
    let failure = read_bytes(Bytes::from_static(b"{\"a\": 1}"), short).expect_err("too long");
    assert_eq!((failure.code(), failure.offset()), (Code::ReplyTooLong, 4));
}
