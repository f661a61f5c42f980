//! What a view costs: allocations are counted, bytes are held, and deep and wide documents stay linear.

mod counting;

use std::fmt::Write;

use thusfar::{Cursor, Elements, Live, Node, Partial, Tree, ValueKind, View};
use thusfar::{Ending, Expect, Limits, Reply};
use thusfar_testkit::workload::{chunks, named};

use counting::{held, taken};

/// One poll: the view taken, its tip read, what has come told. Counts the changes, and the bytes of the tip and of what was told.
fn poll(reply: &Live, cursor: &mut Cursor) -> (usize, usize) {
    let view = reply.view();
    let tip = view.tip().map_or(0, |tip| tip.raw().len() + usize::from(tip.is_known()));
    let changes = view.changes(cursor).count();
    (changes, tip)
}

/// Of the second half in chunks of four bytes: how many allocations, and how many chunks hold a backslash. All polled.
fn second_half(text: &str) -> (usize, usize) {
    let pieces = chunks(text, 4);
    let (front, back) = pieces.split_at(pieces.len() / 2);
    let mut reply = Reply::live(Expect::any()).with_capacity(text.len());
    let mut cursor = Cursor::default();
    let mut told = 0;
    for chunk in front {
        let _ = reply.push(chunk);
        told += poll(&reply, &mut cursor).0;
    }
    let made = taken(|| {
        for chunk in back {
            let _ = reply.push(chunk);
            told += poll(&reply, &mut cursor).0;
        }
    });
    assert!(told as u64 == cursor.seq() && reply.view().root().is_some_and(|root| root.is_known()));
    (made.0, back.iter().filter(|chunk| chunk.contains('\\')).count())
}

/// The list of values doubles at most once in the second half. The text of an escape is the only thing that is made: at most two pieces
/// for each chunk with a backslash, since an escape may end in the next one.
#[test]
fn a_chunk_that_is_polled_allocates_nothing() {
    for name in ["W5", "W6"] {
        let (made, escapes) = second_half(&named(name).text);
        assert!(made <= 1 && escapes == 0, "{name}: {made}");
    }
    let plain = "more and more words of one long string, ".repeat(2).replace('w', "v");
    let mut text = String::from("{\"text\": \"");
    (0..2_000).for_each(|number| write!(text, "{number} {plain}").expect("a string takes all"));
    assert_eq!(second_half(&(text + "\"}")).0, 0, "a string without escapes");
    for name in ["W2", "W4"] {
        let (made, escapes) = second_half(&named(name).text);
        assert!(made <= 2 * escapes + 1, "{name}: {made} for {escapes} chunks with an escape");
    }
}

/// A value costs 32 bytes: what a live reply holds beside the same one without a view, with the room that its list has grown to.
#[test]
fn what_a_value_costs() {
    for name in ["W2", "W5", "W6"] {
        let text = named(name).text;
        let (plain, _reply) = held(|| {
            let mut reply = Reply::new(Expect::any()).with_capacity(text.len());
            chunks(&text, 64).into_iter().for_each(|chunk| _ = reply.push(chunk));
            reply
        });
        let (live, reply) = held(|| {
            let mut reply = Reply::live(Expect::any()).with_capacity(text.len());
            chunks(&text, 64).into_iter().for_each(|chunk| _ = reply.push(chunk));
            reply
        });
        let values = reply.view().nodes().len();
        let beside = usize::try_from(live - plain).expect("a view costs something");
        let list = 32 * values;
        // A list doubles, so that at most half of it is free; the frames that were open take 4 bytes each beyond eight.
        assert!((list..=2 * list + 1024).contains(&beside), "{name}: {beside} bytes for {values} values");
        let growth = taken(|| drop(live_of(&text))).1 - taken(|| drop(plain_of(&text))).1;
        assert!(growth <= 4 * list + 4096, "{name}: {growth} bytes asked for in all");
    }
}

fn live_of(text: &str) -> Live {
    let mut reply = Reply::live(Expect::any().limits(Limits::NONE)).with_capacity(text.len());
    chunks(text, 64).into_iter().for_each(|chunk| _ = reply.push(chunk));
    reply
}

fn plain_of(text: &str) -> Reply {
    let mut reply = Reply::new(Expect::any().limits(Limits::NONE)).with_capacity(text.len());
    chunks(text, 64).into_iter().for_each(|chunk| _ = reply.push(chunk));
    reply
}

/// Reads all of a view in each way that is linear: walked, listed, told, handed out. Counts what was met.
fn all_of(view: &View<'_>, place: &str) -> [usize; 4] {
    let mut walked = 0;
    let mut waiting: Vec<Node<'_>> = view.root().into_iter().collect();
    while let Some(node) = waiting.pop() {
        walked += 1;
        waiting.extend(node.children());
    }
    let listed = view.nodes().filter(|node| node.kind() != ValueKind::String || node.text().is_some()).count();
    let told = view.changes(&mut Cursor::default()).count();
    let mut elements = Elements::new(place).expect("a pointer");
    let given = std::iter::from_fn(|| elements.next(view)).count();
    [walked, listed, told, given]
}

/// As deep as the default allows, and far deeper where there is no limit: nothing is recursion.
#[test]
fn deep_documents() {
    for (depth, limits) in [(127, Limits::default()), (10_000, Limits::NONE)] {
        for (opener, closer) in [("[", "]"), ("{\"a\":", "}")] {
            let all = opener.repeat(depth);
            let bytes = taken(|| drop(live_of(&all))).1 - taken(|| drop(plain_of(&all))).1;
            // 32 bytes for the value, 4 for the frame that is open, in lists that double.
            assert!(bytes < 4 * (32 + 4) * depth, "{bytes} bytes for {depth} frames");
            let expect = Expect::any().limits(limits);
            let mut reply = Reply::live(expect);
            let innermost = if opener == "[" { "[" } else { "{" };
            let text = opener.repeat(depth - 1) + innermost;
            let mut cursor = Cursor::default();
            for chunk in chunks(&text, 4) {
                let _ = reply.push(chunk);
                let tip = reply.view().tip();
                assert!(tip.is_some_and(|tip| !tip.is_known()));
                reply.view().changes(&mut cursor).for_each(drop);
            }
            let view = reply.view();
            assert_eq!((view.nodes().len(), cursor.seq()), (depth, depth as u64));
            let tip = view.tip().expect("the innermost one");
            let pointer = tip.pointer();
            assert_eq!(pointer.matches('/').count(), depth - 1);
            assert_eq!(view.get(&pointer).map(|node| node.span()), Some(tip.span()));
            let json = view.json().expect("a document");
            assert_eq!(json.len(), text.len() + depth, "a closer for each that is open");
            assert_eq!(view.to_value().is_some(), depth <= 127, "as deep as `serde_json` reads");
            let places = "/-".repeat(depth - 1);
            assert_eq!(all_of(&view, &places), [depth, depth, depth, 0]);
            let _ = reply.push(innermost.replace('[', "]").replace('{', "}").as_str());
            let _ = reply.push(&closer.repeat(depth - 1));
            let view = reply.view();
            assert!(view.nodes().all(|node| node.is_known()) && view.tip().is_none());
            assert_eq!(view.changes(&mut cursor).count(), depth + 1, "each closes, and the root is whole");
            let failure = {
                let mut cut = Reply::live(expect);
                let _ = cut.push(&text);
                cut.finish(Ending::Length).expect_err("it was cut")
            };
            let partial = failure.partial().expect("it was cut");
            assert_eq!(partial.view().json().map(|json| json.len()), Some(text.len() + depth));
            assert!(reply.finish(Ending::Stop).is_ok());
        }
    }
}

/// 100,000 keys and 1,000,000 elements: polled chunk by chunk, all that is asked of the allocator is linear in the values.
#[test]
fn wide_documents() {
    let mut object = String::from("{");
    (0..100_000).for_each(|key| write!(object, "\"k{key}\":{key},").expect("a string takes all"));
    object.replace_range(object.len() - 1.., "}");
    let mut array = String::from("[");
    (0..1_000_000).for_each(|_| array.push_str("1,"));
    array.replace_range(array.len() - 1.., "]");
    for (text, values, place) in [(object, 100_001, "/k99999"), (array, 1_000_001, "/-")] {
        let mut told = 0;
        let asked = |text: &str| taken(|| drop(live_of(text))).1 - taken(|| drop(plain_of(text))).1;
        // The list doubles: all its sizes together are less than twice the last, which is less than twice what is used.
        let bytes = asked(&text);
        assert!(bytes < 4 * 32 * values, "{bytes} bytes for {values} values");
        let mut reply = Reply::live(Expect::any().limits(Limits::NONE)).with_capacity(text.len());
        let mut cursor = Cursor::default();
        let mut elements = Elements::new(place).expect("a pointer");
        let mut given = 0;
        let (_, made) = taken(|| {
            for chunk in chunks(&text, 16) {
                let _ = reply.push(chunk);
                told += poll(&reply, &mut cursor).0;
                let view = reply.view();
                while elements.next(&view).is_some() {
                    given += 1;
                }
            }
        });
        assert!(made < 64 * text.len(), "{made} bytes asked for while {} were polled", text.len());
        assert_eq!(told, values + 2, "each value, the root that opened, and its end");
        assert_eq!(given, if place == "/-" { values - 1 } else { 1 });
        let view = reply.view();
        let root = view.root().expect("a document");
        assert_eq!((root.len(), root.children().count()), (values - 1, values - 1));
        if root.kind() == ValueKind::Array {
            // By index: no walk through the elements in front of it.
            assert!(
                (0..values - 1).step_by(997).all(|index| root.at(index).and_then(|node| node.index()) == Some(index))
            );
        } else {
            assert_eq!(view.get(place).and_then(|node| node.json()).as_deref(), Some("99999"));
        }
        assert_eq!(all_of(&view, place), [values, values, values + 2, given]);
    }
}

/// A chunk costs what it brings, whatever stands in front of it: looks in the middle of a wide document make nothing.
#[test]
fn a_look_costs_nothing() {
    let mut text = String::from("{\"items\": [");
    (0..10_000).for_each(|number| write!(text, "{{\"n\": {number}}}, ").expect("a string takes all"));
    let reply = live_of(&text);
    let looks = || {
        for _ in 0..1_000 {
            let view = reply.view();
            let tip = view.tip().expect("the array is open");
            assert_eq!((tip.len(), tip.key().as_deref()), (10_000, Some("items")));
            assert_eq!(tip.at(5_000).and_then(|node| node.index()), Some(5_000));
            assert!(view.settled().tip().is_some() && view.changes(&mut Cursor::default()).next().is_some());
        }
    };
    assert_eq!(taken(looks).0, 0);
    assert_eq!(taken(|| drop(Reply::live(Expect::any()))).0, 0, "nor does a reply of which nothing has come");
}

#[test]
fn everything_can_be_sent_and_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<View<'_>>();
    shared::<Node<'_>>();
    shared::<thusfar::Change<'_>>();
    shared::<thusfar::Changes<'_, '_>>();
    shared::<Cursor>();
    shared::<Elements>();
    shared::<Partial>();
    shared::<Live>();
    shared::<Tree>();
}
