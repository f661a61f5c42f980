//! `Debug` never shows text: a canary is put into every place of a reply, and looked for in all that can be printed.

use std::fmt::Debug;

use thusfar::{Cursor, Elements, View};
use thusfar::{Ending, Expect, Keep, Reply, Scanner, Take, Verbatim};

const CANARY: &str = "canary";

/// Replies with the canary in each place, for each kind of answer.
const REPLIES: [&str; 24] = [
    "canary",
    "canary {\"a\": 1} canary",
    "{\"canary\": \"canary\"}",
    "{\"canary\": canary}",
    "{canary}",
    "[\"canary\", 1canary]",
    "{\"a\": \"\\canary\"}",
    "{\"a\": \"\\ucanary\"}",
    "{\"a\": 1 /* canary */, // canary\n \"b\": [1,]}",
    "{\"a\": 1, // \"canary\": 2\n \"b\": 1}",
    "{\"a\": 1,\n// \"canary\": 2\n \"b\": 1}",
    "{\\\"canary\\\": \\\"canary \\\"canary\\\" x\\\"}",
    "{\"a\": \\\"x\\\"canary\\\"\\\"}",
    "{\"canary\": \"\u{1}canary\u{2}\n\"}",
    "{\"canary\": 1, \"canary\": 2}",
    "{\"a\": \"canary\"} or {\"a\": \"canary!\"}",
    "{\"a\": 1}, \"canary\": 2",
    "<think>canary</think>\n{\"a\": \"canary\"}",
    "{\"a\": \"canary\"}</think>",
    "```canary\ncanary\n```\n```json\n{\"a\": \"canary\"}\n```",
    "```\n{\"canary\": 1}\ncanary\n```\n{\"a\": 1}",
    "{\"canary\": {\"canary\": [\"canary\", {\"canary\": ",
    "{\"a\": \"C:\\canary\\temp \\frac canary\", \"n\": 0.1234567890123456789}",
    "{canary {\"canary\": 1}",
];

fn hold(what: &str, thing: &impl Debug, reply: &str) {
    // Nor as numbers, as a list of bytes would show them.
    let bytes: Vec<String> = CANARY.bytes().take(4).map(|byte| byte.to_string()).collect();
    for shown in [format!("{thing:?}"), format!("{thing:#?}")] {
        assert!(!shown.contains(CANARY), "{what} of {reply:?}: {shown}");
        let flat: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!flat.contains(&bytes.join(", ")), "{what} of {reply:?}: {shown}");
    }
}

#[test]
fn nothing_shows_text() {
    for reply in REPLIES {
        for end in (0..=reply.len()).filter(|&end| reply.is_char_boundary(end)) {
            for expect in [Expect::any(), Expect::object().take(Take::First), Expect::value()] {
                read(&reply[..end], expect);
            }
        }
    }
}

/// The reply while it is read, the scanner alone, and every answer with what it holds.
fn read(text: &str, expect: Expect) {
    let mut reply = Reply::new(expect);
    hold("reply", &reply, text);
    let _ = reply.push(text);
    hold("reply", &reply, text);
    let mut scanner = Scanner::new(&expect);
    let _ = scanner.push(text, &mut ());
    hold("scanner", &scanner, text);
    for keep in [Keep::All, Keep::Tail(20), Keep::Nothing] {
        let mut reply = Reply::new(expect.keep(keep));
        let _ = reply.push(text);
        hold("reply", &reply, text);
        hold("verdict", &reply.verdict(Ending::Unknown), text);
    }
    for ending in [Ending::Stop, Ending::Length, Ending::Cancelled] {
        let answer = reply.clone().finish(ending);
        hold("answer", &answer, text);
        match answer {
            Ok(document) => {
                document.repairs().iter().for_each(|repair| hold("repair", repair, text));
                document.warnings().iter().for_each(|warning| hold("warning", warning, text));
            }
            Err(failure) => {
                failure.repairs().iter().for_each(|repair| hold("repair", repair, text));
                failure.frames().iter().for_each(|frame| hold("frame", frame, text));
                hold("failure", &failure, text);
                hold("resumed", &failure.clone().resume(Verbatim), text);
                hold("stitched", &failure.stitch("{\"canary\": 1}", ending), text);
            }
        }
    }
}

/// The reply while it is looked at, byte by byte, and all that a view gives.
#[test]
fn nothing_of_a_view_shows_text() {
    for text in REPLIES {
        for expect in [Expect::any(), Expect::object().take(Take::Last), Expect::value()] {
            let mut reply = Reply::live(expect);
            let mut cursor = Cursor::default();
            for char in text.chars() {
                let _ = reply.push(char.encode_utf8(&mut [0; 4]));
                hold("live reply", &reply, text);
                hold("tree", reply.sink(), text);
                look(&reply.view(), &mut cursor, text);
            }
            for ending in [Ending::Stop, Ending::Length] {
                let answer = reply.clone().finish_with(ending, |view| look(&view, &mut cursor.clone(), text));
                let Err(failure) = answer else { continue };
                if let Some(partial) = failure.partial() {
                    hold("partial", &partial, text);
                    hold("optional partial", &Some(partial), text);
                }
                hold("resumed", &failure.resume_live(Verbatim), text);
            }
        }
    }
}

/// A view, its nodes, what has come, and what hands it out. The place of elements is the caller's own text.
fn look(view: &View<'_>, cursor: &mut Cursor, text: &str) {
    hold("view", view, text);
    hold("settled view", &view.settled(), text);
    hold("nodes", &view.nodes().collect::<Vec<_>>(), text);
    hold("tip", &view.tip(), text);
    let mut elements = Elements::new("/-").expect("a pointer");
    while let Some(element) = elements.next(view) {
        hold("element", &element, text);
    }
    hold("elements", &elements, text);
    hold("cursor", cursor, text);
    hold("changes", &view.changes(&mut cursor.clone()), text);
    for change in view.changes(cursor) {
        hold("change", &change, text);
        hold("kind of change", &change.kind, text);
    }
}

/// The canary would be seen: what is meant to show text does.
#[test]
fn the_canary_sings_where_it_may() {
    let failure = thusfar::read("{\"a\": canary}", Expect::object()).expect_err("no JSON");
    assert!(failure.raw().contains(CANARY) && failure.excerpt().contains(CANARY));
    let document = thusfar::read("{\"a\": 1 /* canary */}", Expect::object()).expect("a comment is dropped");
    assert!(document.repairs()[0].before.contains(CANARY));
}
