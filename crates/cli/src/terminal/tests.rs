//! Tests of what a terminal is shown.

use super::*;

#[test]
fn what_could_steer_a_terminal_is_shown() {
    for (text, shown) in [
        ("a\tb\n", "a\tb\n"),
        ("\u{1b}[31m", "\\u{1b}[31m"),
        ("a\rb\0", "a\\u{d}b\\u{0}"),
        ("\u{7f}\u{85}\u{9b}", "\\u{7f}\\u{85}\\u{9b}"),
        ("\u{61c}\u{200e}\u{200f}", "\\u{61c}\\u{200e}\\u{200f}"),
        ("\u{202a}\u{202e}\u{2066}\u{2069}", "\\u{202a}\\u{202e}\\u{2066}\\u{2069}"),
        ("\u{2029}\u{202f}\u{2065}é漢🦀", "\u{2029}\u{202f}\u{2065}é漢🦀"),
    ] {
        assert_eq!(escaped(text), shown);
    }
}

#[test]
fn a_terminal_gets_escapes_and_a_pipe_gets_bytes() {
    let text = "{\"a\":\"\u{202e}é\u{7f}\"}\r\n";
    for (is_terminal, written) in [(true, "{\"a\":\"\\u{202e}é\\u{7f}\"}\\u{d}\n"), (false, text)] {
        let mut output = Output { writer: Vec::new(), is_terminal };
        assert!(output.text(text).is_ok());
        assert_eq!(String::from_utf8_lossy(&output.writer), written);
    }
}

#[test]
fn one_line_stays_one_line() {
    assert_eq!(on_one_line("a\n\tb\r", 9), "a\\n\\tb\\u{d}");
    assert_eq!(on_one_line("漢字漢字", 4), "漢字漢字");
    assert_eq!(on_one_line("漢字漢字", 3), "漢字漢…");
}

/// The line and its carets, one below the other.
fn shown(text: impl AsRef<[u8]>, offset: usize) -> String {
    let excerpt = Excerpt::of(text.as_ref(), offset);
    format!("{}\n{}", excerpt.line, excerpt.carets())
}

#[test]
fn a_caret_stands_below_its_character() {
    for (text, offset, expected) in [
        ("", 0, "\n^"),
        ("abc", 0, "abc\n^"),
        ("abc", 2, "abc\n  ^"),
        ("abc", 3, "abc\n   ^"),
        ("abc", 99, "abc\n   ^"),
        ("one\ntwo\nthree", 5, "two\n ^"),
        ("one\r\ntwo", 3, "one\n   ^"),
        ("one\rtwo", 3, "one\\u{d}two\n   ^^^^^"),
        ("one\r\ntwo", 1, "one\n ^"),
        ("one\ntwo", 3, "one\n   ^"),
        ("one\n", 4, "\n^"),
        ("\t\tx", 2, "        x\n        ^"),
        ("漢字x", 3, "漢字x\n  ^^"),
        ("漢字x", 6, "漢字x\n    ^"),
        ("e\u{301}x", 3, "e\u{301}x\n ^"),
        ("\u{202e}ab", 3, "\\u{202e}ab\n        ^"),
        ("a\u{1b}b", 1, "a\\u{1b}b\n ^^^^^^"),
    ] {
        assert_eq!(shown(text, offset), expected, "{text:?} at {offset}");
    }
}

#[test]
fn a_long_line_is_cut_on_both_sides() {
    let line = "x".repeat(10_000) + "!" + &"y".repeat(10_000);
    let excerpt = Excerpt::of(line.as_bytes(), 10_000);
    assert_eq!(excerpt.line, format!("…{}!{}…", "x".repeat(COLUMNS - BEHIND), "y".repeat(BEHIND - 1)));
    assert_eq!((excerpt.indent, excerpt.width), (COLUMNS - BEHIND + 1, 1));
}

#[test]
fn room_that_one_side_leaves_is_for_the_other() {
    let line = "x".repeat(COLUMNS);
    for offset in 0..=COLUMNS {
        assert_eq!(shown(&line, offset), format!("{line}\n{}^", " ".repeat(offset)));
    }
    assert_eq!(Excerpt::of("x".repeat(COLUMNS + 1).as_bytes(), 1).line, format!("{line}…"));
    assert_eq!(Excerpt::of("x".repeat(COLUMNS + 1).as_bytes(), COLUMNS + 1).line, format!("…{line}"));
}

#[test]
fn a_window_holds_wide_and_hidden_characters_whole() {
    for piece in ["漢", "🦀", "\u{202e}", "é", "\t", "a\u{301}\u{301}"] {
        let text = piece.repeat(500);
        for offset in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let excerpt = Excerpt::of(text.as_bytes(), offset);
            assert!(excerpt.line.width() <= COLUMNS + 2, "{piece:?} at {offset}");
            assert!(!excerpt.line.contains('\u{fffd}'), "{piece:?} at {offset}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_marked() {
    assert_eq!(shown(b"ab\xffcd", 2), "ab\u{fffd}cd\n  ^");
}

#[test]
fn a_long_message_keeps_both_ends() {
    for len in [0, 79, 80, 81, 159, 160] {
        assert_eq!(shortened(&"é".repeat(len), 80), "é".repeat(len));
    }
    assert_eq!(
        shortened(&("a".to_owned() + &"é".repeat(159) + "z"), 80),
        format!("a{}…{}z", "é".repeat(79), "é".repeat(79))
    );
}
