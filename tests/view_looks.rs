//! Looks at a view that no table of pieces can say: loops, changes one by one, pointers, elements, settled views.

use thusfar::{Cursor, Elements, Live, Node, ValueKind, View};
use thusfar::{Ending, Expect, FailureKind, Reply, Take};
use thusfar_testkit::live::{Marks, live};

#[test]
fn a_loop_is_shown_as_far_as_it_was_read() {
    let text = format!("{{\"a\": 1, \"b\": \"{}", "again ".repeat(2000));
    let seen = live(text.as_bytes(), Expect::any(), Ending::Unknown, [1, 5, 99], Marks::Most(200));
    assert_eq!(seen.contradicting, 0);
    let mut reply = Reply::live(Expect::any());
    let _ = reply.push(&text);
    let tip = reply.view().tip().and_then(|tip| tip.text()).map(String::from);
    let failure = reply.finish(Ending::Unknown).expect_err("it repeats itself");
    assert_eq!(failure.kind(), FailureKind::Runaway);
    let partial = failure.partial().expect("a loop leaves what had been said");
    assert_eq!(partial.view().tip().and_then(|tip| tip.text()).map(String::from), tip);
    let tip = tip.expect("a string is open");
    assert!(tip.len() > 4000 && "again ".repeat(2000).starts_with(&tip), "{} bytes", tip.len());
}

#[test]
fn bytes_that_are_no_text() {
    let reply = b"{\"a\": \"x\xFFy\"}";
    let seen = live(reply, Expect::any(), Ending::Stop, [1, 2, 5], Marks::Every);
    assert_eq!(seen.contradicting, 0);
    let mut reading = Reply::live(Expect::any());
    let _ = reading.push_bytes(reply);
    assert_eq!(reading.view().json().as_deref(), Some("{\"a\": \"x\"}"));
}

/// A poll that is left half-way goes on there; one that comes late is told everything; text is told once.
#[test]
fn changes_one_by_one() {
    let text = r#"{"a": "x\n\ud83d\ude00y", "b": [1, {"c": null}], "d": "#;
    let told = |len: usize, most: usize| {
        let (mut reply, mut cursor) = (Reply::live(Expect::any()), Cursor::default());
        let mut told = Vec::new();
        for chunk in text.as_bytes().chunks(len) {
            let _ = reply.push_bytes(chunk);
            loop {
                let before = told.len();
                let changes = reply.view().changes(&mut cursor).take(most);
                told.extend(changes.map(|change| serde_json::to_string(&change).expect("JSON")));
                if told.len() == before {
                    break;
                }
            }
        }
        told
    };
    let wanted = [
        r#"{"seq":1,"change":"opened","path":"","kind":"object"}"#,
        r#"{"seq":2,"change":"opened","path":"/a","kind":"string"}"#,
        r#"{"seq":3,"change":"grew","path":"/a","text":"x\n😀y"}"#,
        r#"{"seq":4,"change":"closed","path":"/a","kind":"string"}"#,
        r#"{"seq":5,"change":"opened","path":"/b","kind":"array"}"#,
        r#"{"seq":6,"change":"closed","path":"/b/0","kind":"number","json":"1"}"#,
        r#"{"seq":7,"change":"opened","path":"/b/1","kind":"object"}"#,
        r#"{"seq":8,"change":"closed","path":"/b/1/c","kind":"null","json":"null"}"#,
        r#"{"seq":9,"change":"closed","path":"/b/1","kind":"object"}"#,
        r#"{"seq":10,"change":"closed","path":"/b","kind":"array"}"#,
    ];
    assert_eq!(told(text.len(), usize::MAX), wanted);
    assert_eq!(told(text.len(), 1), wanted);
    for len in 1..20 {
        assert_eq!(told(len, 1), told(len, usize::MAX), "chunks of {len}");
    }
}

#[test]
fn what_is_taken_back_is_told_once() {
    let mut reply = Reply::live(Expect::any().take(Take::Last));
    let mut cursors = [Cursor::default(); 3];
    let mut poll = |reply: &Live, which: usize| -> Vec<String> {
        reply.view().changes(&mut cursors[which]).map(|change| change.kind.as_str().to_owned()).collect()
    };
    let _ = reply.push("{\"a\": 1}\n");
    assert_eq!(poll(&reply, 0), ["opened", "closed", "closed", "root_closed"]);
    let _ = reply.push("```json\n{\"b\": \"x");
    assert_eq!(poll(&reply, 0), ["restarted", "opened", "opened", "grew"]);
    assert_eq!(poll(&reply, 1), ["opened", "opened", "grew"], "what was not told is not taken back");
    let _ = reply.push("\"}\n```\n{\"c\": 3}\n");
    for which in [0, 1] {
        assert_eq!(poll(&reply, which), ["restarted", "opened", "closed", "closed", "root_closed"]);
        assert!(poll(&reply, which).is_empty(), "once");
    }
    assert_eq!(poll(&reply, 2), ["opened", "closed", "closed", "root_closed"]);
    assert_eq!(reply.view().generation(), 2);
}

fn pushed(text: &str) -> Live {
    let mut reply = Reply::live(Expect::any());
    let _ = reply.push(text);
    reply
}

#[test]
fn pointers_name_nodes() {
    let reply = pushed(r#"{"": 1, "a/b": {"m~n": [[7], {"~1": 8}]}, "k\u0065y\"": 9, "0": [], "~01": "x"#);
    let view = reply.view();
    let found = |pointer: &str| view.get(pointer).map(|node| node.json().unwrap_or_default().into_owned());
    let rows = [
        ("/", Some("1"), "a key that is empty"),
        ("/a~1b/m~0n/0/0", Some("7"), "escapes of RFC 6901"),
        ("/a~1b/m~0n/1/~01", Some("8"), "`~01` is `~1`"),
        ("/~001", Some(""), "a string that is growing has no text yet that is JSON"),
        ("/key\"", Some("9"), "a key with escapes"),
        ("/0", Some("[]"), "in an object digits are a key"),
        ("/a~1b/m~0n/-", None, "behind the last one there is nothing"),
        ("/a~1b/m~0n/01", None, "no leading zero"),
        ("/a~1b/m~0n/2", None, "beyond the end"),
        ("/a/b", None, "a slash is a step"),
        ("a", None, "no pointer"),
        ("/~2", None, "no escape"),
        ("//", None, "no step into a number"),
    ];
    for (pointer, wanted, why) in rows {
        assert_eq!(found(pointer).as_deref(), wanted, "{pointer}: {why}");
    }
    let pointers: Vec<_> = view.nodes().map(|node| node.pointer()).collect();
    let wanted = [
        "",
        "/",
        "/a~1b",
        "/a~1b/m~0n",
        "/a~1b/m~0n/0",
        "/a~1b/m~0n/0/0",
        "/a~1b/m~0n/1",
        "/a~1b/m~0n/1/~01",
        "/key\"",
        "/0",
        "/~001",
    ];
    assert_eq!(pointers, wanted);
    assert!(pointers.iter().all(|pointer| view.get(pointer).is_some_and(|node| node.pointer() == *pointer)));
}

#[test]
fn elements_of_arrays_by_index() {
    for open in [false, true] {
        for count in 0..40 {
            // Elements of every size, so that the search lands anywhere.
            let element = |index: usize| format!("[{}]", vec!["[0,[1]]"; index % 5].join(","));
            let list: Vec<String> = (0..count).map(element).collect();
            let reply = pushed(&format!("[{}{}", list.join(","), if open { "" } else { "]" }));
            let view = reply.view();
            let root = view.root().expect("an array");
            assert_eq!(root.len(), count);
            for (index, element) in list.iter().enumerate() {
                let json = root.at(index).and_then(|node| node.json()).map(String::from);
                assert_eq!(json.as_ref(), Some(element), "{index} of {count}");
            }
            assert!(root.at(count).is_none() && root.at(usize::MAX).is_none());
        }
    }
    assert!(pushed("{\"a\": 1, ").view().root().is_some_and(|root| root.at(0).is_none()), "an object has keys");
}

#[test]
fn elements_at_their_places() {
    let text =
        r#"{"items": [{"n": [1, 2]}, {"n": [], "-": 3}, {"n": [[4]]}], "-": "x", "last": {"0": 5, "-": 6}, "cut": [7"#;
    let rows: [(&str, &[&str]); 10] = [
        ("/items/-", &["{\"n\": [1, 2]}", "{\"n\": [], \"-\": 3}", "{\"n\": [[4]]}"]),
        ("/items/-/n", &["[1, 2]", "[]", "[[4]]"]),
        ("/items/-/n/-", &["1", "2", "[4]"]),
        ("/items/1", &["{\"n\": [], \"-\": 3}"]),
        ("/items/-/-", &["3"]),
        ("/-", &["\"x\""]),
        ("/last/-", &["6"]),
        ("/last/0", &["5"]),
        ("/cut/-", &[]),
        ("", &[]),
    ];
    for (place, wanted) in rows {
        for len in [1, 2, 7, 1000] {
            let (mut reply, mut elements) = (Reply::live(Expect::any()), Elements::new(place).expect("a pointer"));
            let mut given = Vec::new();
            for chunk in text.as_bytes().chunks(len) {
                let _ = reply.push_bytes(chunk);
                while let Some(element) = elements.next(&reply.view()) {
                    given.push(element.json().expect("it has closed").into_owned());
                }
            }
            assert_eq!(given, wanted, "{place:?} in chunks of {len}");
        }
    }
    for place in ["x", "-", "/~", "/~2", "/a~"] {
        assert!(Elements::new(place).is_err(), "{place}");
    }
}

/// The values of a view, with whether each is whole.
fn states(view: &View<'_>) -> Vec<(String, bool)> {
    view.nodes().map(|node: Node<'_>| (node.pointer(), node.is_known())).collect()
}

#[test]
fn settled_views_hide_half_a_word() {
    let rows = [
        ("{\"id\": 7, \"word\": \"ha", Some("{\"id\": 7}"), "containers stay as they are"),
        ("{\"word\": \"ha", Some("{}"), "it is the only value"),
        ("[[1], [\"", Some("[[1], []]"), "it is the only value of an inner one"),
        ("[\"a\", \"", Some("[\"a\"]"), "what has closed stays"),
        ("[1, 2", Some("[1]"), "there is no string to hide"),
        ("[\"a\"]", Some("[\"a\"]"), "nor here"),
    ];
    for (text, wanted, why) in rows {
        let reply = pushed(text);
        let settled = reply.view().settled();
        assert_eq!(settled.json().as_deref(), wanted, "{text}: {why}");
        for node in settled.nodes().filter(|node| matches!(node.kind(), ValueKind::Array | ValueKind::Object)) {
            assert_eq!(
                (node.len(), node.is_empty()),
                (node.children().count(), node.children().next().is_none()),
                "{text}"
            );
            assert!(node.at(node.len()).is_none(), "{text}");
        }
        assert_eq!(states(&settled), states(&settled.settled()), "{text}: twice is once");
    }
    let mut root = Reply::live(Expect::value());
    let _ = root.push("\"half");
    assert!(root.view().settled().is_empty() && root.view().settled().json().is_none());
}

/// Code behind a document is no reason to tell the document again.
#[test]
fn what_stands_is_told_once() {
    for take in [Take::Only, Take::Last] {
        let document = format!("{{\"a\": [{}0]}}", "1, ".repeat(999));
        let mut reply = Reply::live(Expect::any().take(take));
        let (mut cursor, mut items) = (Cursor::default(), Elements::new("/a/-").expect("a pointer"));
        let (mut changes, mut elements) = (0, 0);
        let pieces = ["```js\n{", "x1}\n", "```\n", "```\n[", "x]\n", "```\n", "```js\n{\"b\": 1", "} x\n```\n"];
        for piece in [document.as_str(), "\n"].into_iter().chain(pieces.into_iter().cycle().take(800)) {
            let _ = reply.push(piece);
            changes += reply.view().changes(&mut cursor).count();
            elements += std::iter::from_fn(|| items.next(&reply.view())).count();
        }
        assert_eq!((changes, elements, reply.view().generation()), (1000 + 5, 1000, 0), "{take:?}");
        assert_eq!(reply.view().json().as_deref(), Some(document.as_str()));
    }
}

/// A cursor that has read another reply says something wrong, and nothing breaks.
#[test]
fn a_cursor_of_another_reply() {
    let (mut cursor, mut items) = (Cursor::default(), Elements::new("/-/-").expect("a pointer"));
    for text in ["[1, \"x", "[[[[1]]]]", "{\"a\": {}}", "[", "[[1, [2]], 3]"] {
        let reply = pushed(text);
        let _ = reply.view().changes(&mut cursor).count();
        while items.next(&reply.view()).is_some() {}
    }
}

#[test]
fn a_partial_is_of_what_was_cut() {
    let partial = |text: &str| {
        let failure = pushed(text).finish(Ending::Length).expect_err("it was cut");
        assert_eq!(failure.kind(), FailureKind::Truncated, "{text}");
        failure.partial().and_then(|partial| partial.view().json().map(String::from))
    };
    assert_eq!(partial("{\"a\":1} and ```json\n{\"b\": [2, 3").as_deref(), Some("{\"b\": [2]}"));
    assert_eq!(partial("so: {\"b\": [2, 3").as_deref(), Some("{\"b\": [2]}"));
    // Another document stands there, or several.
    assert_eq!(partial("{\"a\":1} and then {\"b\": 2"), None);
    assert_eq!(partial("{\"a\":1} and {\"a\":2} and {\"a\":3"), None);
}

/// More values than stand in one block of a list: each is found, whatever took the place of what, and the string that begins a block may
/// be hidden.
#[test]
fn many_values() {
    let text = |name: &str, count: usize| {
        let element = |number: usize| format!("{{\"{name}\": {number}, \"s\": \"{number}\"}}");
        (0..count).map(element).collect::<Vec<_>>().join(",")
    };
    let (mut reply, mut cursor) = (Reply::live(Expect::any().take(Take::Last)), Cursor::default());
    for (name, count) in [("a", 40_000), ("b", 15_000), ("c", 30_000)] {
        let _ = reply.push("\n[");
        let _ = reply.push(&text(name, count));
        let generation = reply.view().generation();
        let (mut told, mut closed) = (0, 0);
        for change in reply.view().changes(&mut cursor) {
            told += 1;
            closed += usize::from(matches!(change.kind, thusfar::ChangeKind::Closed(_)));
        }
        // A number closes, an object and a string are opened as well, a string grows.
        assert!(closed == 3 * count && told >= 6 * count, "{closed} and {told} of {count}");
        let _ = reply.push("]\n");
        let view = reply.view();
        assert_eq!((view.generation(), view.nodes().len()), (generation, 3 * count + 1));
        let root = view.root().expect("a document");
        assert!(root.children().enumerate().all(|(at, element)| element.index() == Some(at) && element.len() == 2));
        for at in (0..count).step_by(997).chain([count - 1]) {
            let element = root.at(at).expect("an element");
            let number = element.member(name).expect("a member");
            assert_eq!(number.json().as_deref(), Some(&*at.to_string()));
            assert_eq!(number.pointer(), format!("/{at}/{name}"));
            assert_eq!(number.parent().map(|parent| parent.span()), Some(element.span()));
        }
        assert_eq!(view.changes(&mut cursor).count(), 2, "the root closes, and is whole");
    }
    for count in 16_381..16_390 {
        let mut reply = Reply::live(Expect::any());
        let _ = reply.push(&format!("[{}\"x", "1,".repeat(count)));
        let (view, settled) = (reply.view(), reply.view().settled());
        assert_eq!((view.nodes().len(), settled.nodes().len()), (count + 2, count + 1));
        assert_eq!(view.tip().and_then(|tip| tip.index()), Some(count));
        assert_eq!(settled.root().map(|root| (root.len(), root.at(count).is_none())), Some((count, true)));
        assert_eq!(settled.nodes().filter(|node| node.is_known()).count(), count);
        assert_eq!(settled.changes(&mut Cursor::default()).count(), count + 1);
    }
}
