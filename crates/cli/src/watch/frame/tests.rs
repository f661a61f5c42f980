//! Frames of replies, in terminals of some sizes.

use thusfar_core::{Ending, Expect, Live, Reply};
use thusfar_stream::{LaneKey, LaneKind};

use super::*;

fn live(text: &str) -> Live {
    let mut reply = Reply::live(Expect::any());
    let _ = reply.push(text);
    reply
}

fn frame(view: View<'_>) -> Frame {
    let mut frame = Frame::new(Status { word: "open", ..Status::default() });
    frame.push(None, view, true);
    frame
}

fn told(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| format!("{}{}", row.text, row.mark)).collect()
}

/// The rows of a reply without its status line, in a terminal of this size.
fn rows(text: &str, width: usize, height: usize) -> Vec<String> {
    let mut rows = told(&frame(live(text).view()).fit(width, height));
    assert!(rows.len() <= height.max(2), "{text}");
    assert!(rows.iter().all(|row| row.width() <= width.max(4)), "{rows:?}");
    let status = rows.pop().expect("a status line");
    assert!(status.starts_with("byt"), "{status}");
    rows
}

#[test]
fn what_grows_is_marked_and_nothing_moves_when_it_closes() {
    for (text, expected) in [
        ("", &[][..]),
        ("Sure: ", &[]),
        ("{", &["{", "…"]),
        ("{\"a", &["{", "…"]),
        ("{\"a\": \"", &["{", "  \"a\": \"▌", "…"]),
        ("{\"a\": \"b ", &["{", "  \"a\": \"b ▌", "…"]),
        ("{\"a\": \"b \\", &["{", "  \"a\": \"b ▌", "…"]),
        ("{\"a\": \"b \", \"n\": 1", &["{", "  \"a\": \"b \"", "…"]),
        ("{\"a\": \"b \", \"n\": 12,", &["{", "  \"a\": \"b \",", "  \"n\": 12", "…"]),
        ("{\"a\": [", &["{", "  \"a\": [", "  …", "…"]),
        ("{\"a\": [[], {}, \"x", &["{", "  \"a\": [", "    [],", "    {},", "    \"x▌", "  …", "…"]),
        ("{\"a\": [[], {}, \"x\"]}", &["{", "  \"a\": [", "    [],", "    {},", "    \"x\"", "  ]", "}"]),
        (r#"{\"a\": \"x"#, &["{", "  \"a\": \"x▌", "…"]),
        ("{\"a\": 1, /* one */ \"b\": [2,", &["{", "  \"a\": 1,", "  \"b\": [", "    2", "  …", "…"]),
        ("{\"a\": \"x\ny", &["{", "  \"a\": \"x\\ny▌", "…"]),
    ] {
        assert_eq!(rows(text, 80, 24), expected, "{text}");
    }
}

#[test]
fn the_whole_is_what_parse_shows() {
    let text = "{\"a\": [1.50, {\"b\": \"\\u00e9, {\"}], \"c\": {}, \"d\": [ ]}";
    let mut pretty = String::new();
    let _ = pretty::indent(text, |piece| {
        pretty.push_str(piece);
        Ok(())
    });
    let reply = live(text);
    let mut whole = told(&frame(reply.view()).whole());
    assert!(whole.pop().is_some_and(|status| status.starts_with("bytes ")));
    assert_eq!(whole.join("\n"), pretty);
}

#[test]
fn the_tip_is_shown_however_low_the_terminal_is() {
    let items: Vec<_> = (10..40).map(|n| n.to_string()).collect();
    let text = format!("{{\"items\": [{}, \"tip", items.join(", "));
    assert_eq!(rows(&text, 80, 100).len(), 2 + 30 + 1 + 2);
    for height in 2..40 {
        let rows = rows(&text, 80, height);
        assert_eq!(rows.len(), (height - 1).min(35), "{height}");
        assert!(rows.iter().any(|row| row == "    \"tip▌"), "{height}: {rows:?}");
    }
    assert_eq!(rows(&text, 80, 5), ["    38,", "    39,", "    \"tip▌", "  …"]);
    let deep = format!("{}\"tip", "[".repeat(100));
    assert_eq!(rows(&deep, 300, 6).iter().filter(|row| row.ends_with("\"tip▌")).count(), 1);
}

#[test]
fn long_lines_are_broken_and_end_in_the_tip() {
    assert_eq!(rows("[\"abcdefgh", 8, 24), ["[", "  \"abcde", "fgh▌", "…"]);
    assert_eq!(rows("[\"abcdefghijklm", 8, 24), ["[", "  \"abcde", "fghijklm", "▌", "…"]);
    assert_eq!(rows("[\"漢字漢字", 8, 24), ["[", "  \"漢字", "漢字▌", "…"]);
    assert_eq!(rows("[\"abcdefghijklm", 8, 3), ["fghijklm", "▌"]);
    let long = "x".repeat(10_000);
    assert_eq!(rows(&format!("[\"{long}"), 10, 3), ["x".repeat(10), "xxx▌".into()]);
    assert_eq!(rows(&format!("[\"{long}"), 10, 5), ["x".repeat(10), "x".repeat(10), "xxx▌".into(), "…".into()]);
}

#[test]
fn nothing_steers_the_terminal() {
    let text = "{\"a\u{202e}\": \"b\u{7f}\u{9b}\u{200b}c";
    assert_eq!(rows(text, 80, 24)[1], "  \"a\\u{202e}\": \"b\\u{7f}\\u{9b}\u{200b}c▌");
    let key = LaneKey { choice: 1, kind: LaneKind::ToolArgs, tool: Some(2) };
    let tag = Tag { key, name: Some("f\u{1b}[2J\ng") };
    let mut frame = Frame::new(Status::default());
    frame.push(Some(tag), live("[").view(), true);
    let heading = "[tool_args 2 f\\u{1b}[2J\\ng of choice 1]";
    assert_eq!(told(&frame.fit(80, 24))[..3], [heading, "[", "…"]);
    assert_eq!(told(&frame.whole())[0], heading);
    let drawn = [frame.fit(80, 24), frame.whole(), self::frame(live(text).view()).whole()].concat();
    assert!(!drawn.iter().any(|row| row.text.contains(terminal::is_hidden)));
}

#[test]
fn each_lane_stands_under_its_heading_and_the_last_one_that_spoke_is_in_sight() {
    let tag = |tool| Tag { key: LaneKey { choice: 0, kind: LaneKind::ToolArgs, tool: Some(tool) }, name: None };
    let (first, second) = (live("{\"a\": [1, 2, 3"), live("{\"b\": \"x"));
    let draw = |last: u64, height| {
        let mut frame = Frame::new(Status::default());
        for (tool, reply) in [(0, &first), (1, &second)] {
            frame.push(Some(tag(tool)), reply.view(), tool == last);
        }
        told(&frame.fit(80, height))
    };
    let all =
        ["[tool_args 0]", "{", "  \"a\": [", "    1,", "    2", "  …", "…", "[tool_args 1]", "{", "  \"b\": \"x▌", "…"];
    for last in 0..2 {
        assert_eq!(draw(last, 24)[..11], all);
    }
    assert_eq!(draw(0, 5)[..4], ["  \"a\": [", "    1,", "    2", "  …"]);
    assert!(draw(1, 5).contains(&"  \"b\": \"x▌".to_owned()));
}

#[test]
fn the_status_counts_and_judges() {
    let reply = live("{\"a\": [1, \"x");
    let mut frame = frame(reply.view());
    assert_eq!(told(&frame.fit(80, 24)).pop().as_deref(), Some("bytes 0 | values 4 | growing 3 | repairs 0 | open"));
    assert_eq!(told(&frame.fit(10, 24)).pop().as_deref(), Some("bytes 0 |…"));
    frame.status.verdict = Some(("not_found", false));
    let row = frame.fit(200, 24).pop().expect("a status line");
    assert_eq!((row.role, row.text.split(" | ").last()), (Role::Bad, Some("not found: what is shown is no document")));
    frame.status.verdict = Some(("ok", true));
    assert_eq!(frame.whole().pop().map(|row| row.role), Some(Role::Good));
}

#[test]
fn what_was_cut_has_no_cursor() {
    let mut frame = Frame::new(Status::default());
    frame.is_over = true;
    let done = live("{\"a\": [\"x").finish_with(Ending::Length, |view| frame.push(None, view, true));
    assert!(done.is_err());
    assert_eq!(told(&frame.whole())[..5], ["{", "  \"a\": [", "    \"x…", "  …", "…"]);
}

#[test]
fn the_frame_of_the_readme_is_drawn_so() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("a file");
    let (readme, reply) = (read("README.md"), read("examples/replies/recipe.txt"));
    let shown = readme
        .split("```text\n")
        .find_map(|block| block.split_once("\n```").map(|(block, _)| block).filter(|block| block.contains('▌')));
    let shown: Vec<_> = shown.expect("a frame").lines().collect();
    let bytes = shown.last().and_then(|status| status.split(' ').nth(1)?.parse::<usize>().ok()).expect("a status line");
    let reply = live(&reply[..bytes]);
    let mut frame = Frame::new(Status { bytes: bytes as u64, word: live::word(reply.progress()), ..Status::default() });
    frame.push(None, reply.view(), true);
    assert_eq!(told(&frame.fit(80, 24)), shown);
}
