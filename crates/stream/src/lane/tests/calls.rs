//! Which call a delta belongs to: servers that give no number, always the same number, no ID, or a name with each delta.

use alloc::vec;

use super::*;

/// Each case: who the deltas are of and what they say, and what the calls come to.
type Case<'a> = (&'a str, &'a [(Key<'a>, &'a str)], &'a [&'a str]);

fn check(cases: &[Case<'_>]) {
    for (why, deltas, expected) in cases {
        let mut fed = Fed::new(LaneOptions::default());
        for (key, text) in *deltas {
            let _ = fed.args(*key, text);
        }
        assert_eq!(fed.rows(FinishClass::Tool), *expected, "{why}");
    }
}

const ONE: &str = "{\"x\": 1}";
const TWO: &str = "{\"y\": 2}";

#[test]
fn by_id_then_by_number_then_the_latest() {
    check(&[
        (
            "two calls that take turns",
            &[
                (("a", Some(0), "f"), ""),
                (("b", Some(1), "g"), ""),
                (at(0), "{\"x\""),
                (at(1), "{\"y\": "),
                (at(0), ": 1}"),
                (at(1), "2}"),
            ],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 b g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "numbers are keys: content blocks and output items count other things too",
            &[(("a", Some(7), "f"), ONE), (("b", Some(u64::MAX), "g"), TWO), (at(7), " ")],
            &["7 a f {\"x\": 1}  => ok {\"x\": 1}", "18446744073709551615 b g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "no numbers: the latest",
            &[(("a", None, "f"), ONE), (("b", None, "g"), "{\"y\""), (NONE, ": 2}")],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 b g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "the ID with each delta, no numbers, taking turns",
            &[
                (("a", None, "f"), "{\"x\""),
                (("b", None, "g"), "{\"y\""),
                (("a", None, ""), ": 1}"),
                (("b", None, "g"), ": 2}"),
            ],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 b g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "the ID is right where the number is wrong",
            &[(("a", Some(0), "f"), "{\"x\""), (("b", Some(1), "g"), TWO), (("a", Some(1), ""), ": 1}")],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 b g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "an empty ID says nothing",
            &[(("a", Some(0), "f"), "{\"x\""), (("", Some(0), ""), ": 1}")],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}"],
        ),
        (
            "one call without anything (legacy functions)",
            &[(("", None, "f"), ""), (NONE, "{\"x\""), (NONE, ": 1}")],
            &["0 - f {\"x\": 1} => ok {\"x\": 1}"],
        ),
        (
            "the number comes late",
            &[(("a", None, "f"), "{\"x\""), (at(0), ": 1}"), (at(0), " ")],
            &["0 a f {\"x\": 1}  => ok {\"x\": 1}"],
        ),
        (
            "the ID comes late, and the name",
            &[(at(3), " "), (("", Some(3), "f"), ""), (("a", Some(3), ""), ONE)],
            &["3 a f  {\"x\": 1} => ok {\"x\": 1}"],
        ),
        (
            "the ID comes with arguments behind others'",
            &[(("", Some(0), "f"), ONE), (("a", Some(0), ""), TWO)],
            &["0 - f {\"x\": 1} => ok {\"x\": 1}", "1 a - {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "the ID comes with another name",
            &[(("", Some(0), "f"), ""), (("a", Some(0), "g"), TWO)],
            &["0 - f  => ok {}", "1 a g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "a number that is new, behind a call that is complete",
            &[(("a", None, "f"), ONE), (at(0), TWO)],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 - - {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "a number that is new, with a name",
            &[(("a", None, "f"), "{\"x\""), (("", Some(0), "f"), TWO), (("a", None, ""), ": 1}")],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 - f {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "a number that is new, behind another number",
            &[(("a", Some(1), "f"), "{\"x\""), (at(0), TWO), (at(1), ": 1}")],
            &["1 a f {\"x\": 1} => ok {\"x\": 1}", "0 - - {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "the name comes behind arguments that are complete",
            &[(NONE, ONE), (("", None, "f"), TWO)],
            &["0 - - {\"x\": 1} => ok {\"x\": 1}", "1 - f {\"y\": 2} => ok {\"y\": 2}"],
        ),
        ("nothing of nobody", &[(NONE, ""), (at(4), "")], &[]),
    ]);
}

#[test]
fn a_number_that_is_used_again_is_another_call() {
    check(&[
        (
            "always 0, new IDs",
            &[(("a", Some(0), "f"), "{\"x\""), (at(0), ": 1}"), (("b", Some(0), "f"), "{\"y\""), (at(0), ": 2}")],
            &["0 a f {\"x\": 1} => ok {\"x\": 1}", "1 b f {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "always 0, no IDs, new names",
            &[(("", Some(0), "f"), ONE), (("", Some(0), "g"), TWO)],
            &["0 - f {\"x\": 1} => ok {\"x\": 1}", "1 - g {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "always 0, no IDs, the same tool twice",
            &[(("", Some(0), "f"), ONE), (("", Some(0), "f"), TWO)],
            &["0 - f {\"x\": 1} => ok {\"x\": 1}", "1 - f {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "the name with each delta",
            &[(("", Some(0), "f"), "{\"x\""), (("", Some(0), "f"), ": 1}"), (("", Some(0), "f"), "\n")],
            &["0 - f {\"x\": 1}\n => ok {\"x\": 1}"],
        ),
        (
            "the name with each delta, nothing else",
            &[(("", None, "f"), "{\"x\""), (("", None, "f"), ": 1}"), (("", None, "f"), " {\"y\": 2}")],
            &["0 - f {\"x\": 1} => ok {\"x\": 1}", "1 - f  {\"y\": 2} => ok {\"y\": 2}"],
        ),
        (
            "the number that would be counted is taken, and the one that is given",
            &[
                (("a", Some(1), "f"), ONE),
                (("b", None, "f"), ONE),
                (("c", Some(1), "f"), ONE),
                (("d", Some(0), "f"), ONE),
            ],
            &[
                "1 a f {\"x\": 1} => ok {\"x\": 1}",
                "2 b f {\"x\": 1} => ok {\"x\": 1}",
                "3 c f {\"x\": 1} => ok {\"x\": 1}",
                "0 d f {\"x\": 1} => ok {\"x\": 1}",
            ],
        ),
        (
            "a new ID with each delta: nothing is joined, and nothing is taken for whole",
            &[(("a", Some(0), "f"), "{\"x\""), (("b", Some(0), ""), ": 1}")],
            &["0 a f {\"x\" => truncated open_frame at 4", "1 b - : 1} => not_found no_document at 4"],
        ),
    ]);
}

#[test]
fn the_same_name_again_without_anything_else() {
    let f = ("", None, "f");
    let mut fed = Fed::new(LaneOptions::default());
    fed.nothing(f);
    fed.nothing(f);
    let _ = fed.whole(f, ONE);
    assert_eq!(
        fed.rows(FinishClass::Tool),
        ["0 - f  => ok {}", "1 - f  => ok {}", "2 - f {\"x\": 1} => ok {\"x\": 1}"]
    );
    // White space in front may be escaped.
    let mut fed = Fed::new(LaneOptions::default());
    for text in [ONE, "\n \t\r", "\n\t {\"y\": 2}"] {
        let _ = fed.args(f, text);
    }
    let expected = ["0 - f {\"x\": 1}\n \t\r => ok {\"x\": 1}", "1 - f \n\t {\"y\": 2} => ok {\"y\": 2}"];
    assert_eq!(fed.rows(FinishClass::Tool), expected);
}

#[test]
fn behind_the_end_of_its_block_a_name_begins_a_call() {
    let f = ("", Some(0), "f");
    let mut fed = Fed::new(LaneOptions::default());
    for _ in 0..2 {
        let _ = fed.args(f, "");
        fed.0.block_end(0, 0).expect("within the limits");
    }
    assert_eq!(fed.rows(FinishClass::Tool), ["0 - f  => ok {}", "1 - f  => ok {}"]);
    let mut fed = Fed::new(LaneOptions::default());
    fed.nothing(f);
    for value in ["1", "2"] {
        fed.0.block_end(0, 0).expect("within the limits");
        let _ = fed.patch(f, "$.a", value);
    }
    let expected = ["0 - f  => ok {}", "1 - f {\"a\":1} => ok {\"a\":1}", "2 - f {\"a\":2} => ok {\"a\":2}"];
    assert_eq!(fed.rows(FinishClass::Tool), expected);
}

#[test]
fn no_split_of_its_deltas_changes_what_a_call_comes_to() {
    let texts = [
        "{\"a\": [1, \"é\\\"🌊\\u00e9\\\\\"], \"b\": {}}",
        "\n{\"a\": 1,} // so\n",
        "{\"a\": \"line one\\nline two\\",
        "{\"a\": 1}{\"b\": 2}",
        "{\"a\" 1}",
        "",
    ];
    for text in texts {
        let run = |pieces: &[&str]| {
            let mut fed = Fed::new(LaneOptions::default());
            fed.nothing(("a", Some(2), "f"));
            for piece in pieces {
                let _ = fed.args(at(2), piece);
            }
            fed.rows(FinishClass::Tool)
        };
        let whole = run(&[text]);
        let places: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        for &first in &places {
            for &second in places.iter().filter(|&&second| second >= first) {
                assert_eq!(run(&[&text[..first], &text[first..second], &text[second..]]), whole, "{first} {second}");
            }
        }
        let single: Vec<_> = places.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
        assert_eq!(run(&single), whole);
    }
}

#[test]
fn items_tell_calls_apart() {
    let mut fed = Fed::new(LaneOptions::default());
    let said = [
        ("", "i", Some(0), "{\\\"x\\\""),
        ("", "k", Some(0), "{\\\"y\\\""),
        ("", "i", Some(0), ": 1"),
        ("a", "i", None, "}"),
        ("b", "i", None, "{}"),
        ("", "k", None, ": 2}"),
    ];
    for (id, item, index, raw) in said {
        let (id, item) = (Some(Written(id.as_bytes())), Some(Written(item.as_bytes())));
        let call = Call { id, item, index, ..Call::default() };
        fed.0.tool(0, &call, &Args::Text(Written(raw.as_bytes()))).expect("within the limits");
    }
    let expected = ["0 a - {\"x\": 1} => ok {\"x\": 1}", "1 - - {\"y\": 2} => ok {\"y\": 2}", "2 b - {} => ok {}"];
    assert_eq!(fed.rows(FinishClass::Tool), expected, "an ID says more than an item");
}

#[test]
fn choices_have_calls_of_their_own() {
    let mut fed = Fed::new(LaneOptions::default());
    let held = Args::Placeholder(b"{\"x\": 1}");
    for choice in [1, 0] {
        fed.say_of(choice, ("a", Some(0), "f"), held).expect("within the limits");
        fed.say_of(choice, ("b", None, "f"), Args::Text(Written(b"{"))).expect("within the limits");
    }
    fed.say_of(1, NONE, Args::Text(Written(b"}"))).expect("within the limits");
    let heard = fed.0.block_end(1, 0).expect("within the limits").expect("text");
    assert_eq!(heard.lane.key(), LaneKey { choice: 1, kind: LaneKind::ToolArgs, tool: Some(0) });
    let expected = [
        "0 a f {\"x\": 1} => ok {\"x\": 1}",
        "1 b f {} => ok {}",
        "0 a f  => truncated nothing_yet at 0",
        "1 b f { => truncated open_frame at 1",
    ];
    assert_eq!(fed.rows(FinishClass::Length), expected);
}

#[test]
fn two_readings_are_told() {
    let ambiguous =
        |texts: &[&str], at: usize| vec![format!("0 - - {} => ambiguous second_arguments at {at}", texts.concat())];
    for (texts, offset) in [
        (&[ONE, TWO][..], 8),
        // The same twice may be the same call twice.
        (&[ONE, ONE], 8),
        (&[ONE, " ", "\n{", "\"y\": 2}"], 9),
    ] {
        let mut fed = Fed::new(LaneOptions::default());
        let known: Vec<_> = texts.iter().map(|text| fed.args(NONE, text)).collect();
        assert_eq!((known[0], known.last().copied().flatten()), (Some(Progress::Closed), Some(Progress::Doomed)));
        assert_eq!(fed.rows(FinishClass::Tool), ambiguous(texts, offset));
    }
    check(&[
        (
            "one call by its number: the engine compares",
            &[(("a", Some(0), "f"), ONE), (at(0), TWO)],
            &["0 a f {\"x\": 1}{\"y\": 2} => ambiguous different_documents at 8"],
        ),
        (
            "prose behind arguments is no second call",
            &[(("a", None, "f"), ONE), (NONE, " done")],
            &["0 a f {\"x\": 1} done => ok {\"x\": 1}"],
        ),
        (
            "one ID, two names",
            &[(("a", Some(0), "f"), "{\"x\""), (("a", Some(0), "g"), ": 1}")],
            &["0 a f {\"x\": 1} => ambiguous name_changed at 4"],
        ),
    ]);
}

#[test]
fn whole_arguments() {
    let check = |deltas: &[(Key<'_>, &str)], expected: &[&str]| {
        let mut fed = Fed::new(LaneOptions::default());
        for (key, text) in deltas {
            match text.strip_prefix("text:") {
                Some(text) => _ = fed.args(*key, text),
                None => _ = fed.whole(*key, text),
            }
        }
        assert_eq!(fed.rows(FinishClass::Tool), expected);
    };
    // As they were written: nothing is undone.
    check(
        &[(("", None, "f"), "{\"x\":\"\\u00e9\\\"\"}")],
        &["0 - f {\"x\":\"\\u00e9\\\"\"} => ok {\"x\":\"\\u00e9\\\"\"}"],
    );
    // Each is a call, of the same tool and under the same number.
    check(
        &[(("", None, "f"), ONE), (("", None, "f"), ONE), (("", None, "g"), "{}")],
        &["0 - f {\"x\": 1} => ok {\"x\": 1}", "1 - f {\"x\": 1} => ok {\"x\": 1}", "2 - g {} => ok {}"],
    );
    check(
        &[(("", Some(0), "f"), ONE), (("", Some(0), "f"), TWO)],
        &["0 - f {\"x\": 1} => ok {\"x\": 1}", "1 - f {\"y\": 2} => ok {\"y\": 2}"],
    );
    // The same call by its ID: no reader can tell which counts.
    check(
        &[(("a", None, "f"), ONE), (("a", None, "f"), ONE)],
        &["0 a f {\"x\": 1}{\"x\": 1} => ambiguous second_arguments at 8"],
    );
    check(
        &[(("a", Some(1), "f"), ONE), (at(1), "text: {\"x\": 1}")],
        &["1 a f {\"x\": 1} {\"x\": 1} => ambiguous second_arguments at 8"],
    );
    // An empty object is arguments too.
    check(&[(("a", None, "f"), "{}"), (NONE, "text: ")], &["0 a f {}  => ok {}"]);
    check(&[(("a", None, "f"), "{}"), (NONE, "text:{}")], &["0 a f {}{} => ambiguous second_arguments at 2"]);
    check(
        &[(("a", Some(1), "f"), "text:{\"x\": 1}"), (at(1), "{}")],
        &["1 a f {\"x\": 1}{} => ambiguous second_arguments at 8"],
    );
}

#[test]
fn what_begins_a_call_whatever_came_before() {
    let mut fed = Fed::new(LaneOptions::default());
    for (id, raw) in [("", ONE), ("", ONE), ("a", TWO), ("b", "{}")] {
        let (id, name) = (Some(Written(id.as_bytes())), Some(Written(b"f")));
        let call = Call { id, index: Some(0), name, is_new: true, ..Call::default() };
        fed.0.tool(0, &call, &Args::Json(raw.as_bytes())).expect("within the limits");
    }
    let expected = [
        "0 - f {\"x\": 1} => ok {\"x\": 1}",
        "1 - f {\"x\": 1} => ok {\"x\": 1}",
        "2 a f {\"y\": 2} => ok {\"y\": 2}",
        "3 b f {} => ok {}",
    ];
    assert_eq!(fed.rows(FinishClass::Tool), expected);
}

#[test]
fn a_new_call_does_not_take_the_place_of_one_without_arguments() {
    let mut fed = Fed::new(LaneOptions::default());
    for id in ["", "a"] {
        let (id, name) = (Some(Written(id.as_bytes())), Some(Written(b"f")));
        let call = Call { id, name, is_new: true, ..Call::default() };
        fed.0.tool(0, &call, &Args::Nothing).expect("within the limits");
    }
    assert_eq!(fed.rows(FinishClass::Tool), ["0 - f  => ok {}", "1 a f  => ok {}"]);
}

#[test]
fn voices_are_told_apart() {
    let mut fed = Fed::new(LaneOptions { text: Some(Expect::object()), ..LaneOptions::default() });
    let said = [
        (1, LaneKind::Text, "{\\\"b\\\""),
        (0, LaneKind::Reasoning, "so"),
        (0, LaneKind::Text, ""),
        (1, LaneKind::Reasoning, "hm"),
        (0, LaneKind::Text, "{\\\"a\\\""),
        (1, LaneKind::Text, ": 2}"),
        (0, LaneKind::Reasoning, "\\ud83d"),
        (0, LaneKind::Text, ": \\\"\\ud83c"),
        (0, LaneKind::Reasoning, "\\ude00"),
        (0, LaneKind::Text, "\\udf0a\\\"}"),
        (0, LaneKind::Refusal, "no"),
        (0, LaneKind::ToolPlan, "call"),
    ];
    for (choice, kind, raw) in said {
        let _ = fed.text(choice, kind, raw);
    }
    fed.0.close(Ending::Stop, &mut |_, _| ());
    let keys: Vec<_> =
        fed.0.iter().map(|lane| (lane.key().choice, lane.key().kind.as_str(), lane.key().tool)).collect();
    let order = [
        (1, "text", None),
        (0, "reasoning", None),
        (1, "reasoning", None),
        (0, "text", None),
        (0, "refusal", None),
        (0, "tool_plan", None),
    ];
    assert_eq!(keys, order, "in the order of their first text; an empty string opens none");
    let expected = [
        "- - - {\"b\": 2} => ok {\"b\": 2}",
        "- - - so😀 => not judged",
        "- - - hm => not judged",
        "- - - {\"a\": \"🌊\"} => ok {\"a\": \"🌊\"}",
        "- - - no => not judged",
        "- - - call => not judged",
    ];
    assert_eq!(rows(&fed.0), expected);
}
