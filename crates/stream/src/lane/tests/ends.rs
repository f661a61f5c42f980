//! How lanes end: by the word of the provider, by the end of the stream, with damage, without arguments, as patches.

use alloc::vec;

use super::*;

#[test]
fn arguments_that_never_came_are_empty_only_at_a_normal_stop() {
    for class in FinishClass::ALL {
        for (begin, written) in [(0, ""), (1, " "), (2, "{}"), (3, " {}")] {
            let mut fed = Fed::new(LaneOptions::default());
            match begin {
                0 => fed.nothing(("a", Some(1), "f")),
                1 => _ = fed.args(("a", Some(1), "f"), " "),
                _ => fed.held(("a", Some(1), "f"), "{}"),
            }
            let _ = fed.args(at(1), if begin == 3 { " " } else { "" });
            let heard = fed.0.block_end(0, 1).expect("within the limits");
            assert!(heard.is_none(), "the end of the block says nothing of them");
            let row = fed.rows(class).remove(0);
            if matches!(class, FinishClass::Stop | FinishClass::Tool) {
                assert_eq!(row, format!("1 a f {written} => ok {{}}"), "{class:?}");
            } else {
                assert!(row.contains("truncated") || row.contains("not_found"), "{class:?}: {row}");
                assert!(!row.contains('{'), "{class:?}: {row}");
            }
        }
    }
    // Nobody said that it was done.
    let mut fed = Fed::new(LaneOptions::default());
    fed.nothing(("a", Some(1), "f"));
    fed.0.close(Ending::Disconnected, &mut |_, _| ());
    assert_eq!(rows(&fed.0), ["1 a f  => truncated nothing_yet at 0"]);
}

#[test]
fn what_stands_at_the_beginning_of_a_block() {
    let run = |held: &[&str], text: &str, ends: bool, class| {
        let mut fed = Fed::new(LaneOptions::default());
        for held in held {
            fed.held(("a", Some(1), "f"), held);
        }
        let _ = fed.args(at(1), text);
        let heard = if ends { fed.0.block_end(0, 1).expect("within the limits") } else { None };
        (heard.map(|heard| heard.text.to_string()), fed.rows(class).remove(0))
    };
    let full = "{\"x\": 1}";
    let ok = format!("1 a f {full} => ok {full}");
    for class in FinishClass::ALL {
        // The end of the block says that no text comes.
        assert_eq!(run(&[full], "", true, class), (Some(full.into()), ok.clone()), "{class:?}");
        assert_eq!(run(&[full, full], "", true, class), (Some(full.into()), ok.clone()), "{class:?}");
        // It is nothing where text comes.
        assert_eq!(run(&["{\"y\": 2}"], full, true, class), (None, ok.clone()), "{class:?}");
    }
    assert_eq!(run(&[full], "", false, FinishClass::Tool).1, ok);
    assert_eq!(run(&[full], "", false, FinishClass::Length).1, "1 a f  => truncated nothing_yet at 0");
    assert_eq!(run(&[full], "{\"x", true, FinishClass::Tool).1, "1 a f {\"x => truncated open_key at 3");
    // Two that differ: nobody can tell which counts.
    let (_, row) = run(&[full, "{}"], "", true, FinishClass::Tool);
    assert_eq!(row, "1 a f {\"x\": 1} => ambiguous second_arguments at 0");
    // Of a block whose beginning was damaged.
    let mut fed = Fed::new(LaneOptions::default());
    let call = Call { id: Some(Written(b"a")), index: Some(1), ..Call::default() };
    fed.0.tool(0, &call, &Args::Placeholder(b"{\"x\": \"\xFF\"}")).expect("within the limits");
    assert_eq!(fed.rows(FinishClass::Tool), ["1 a -  => malformed damaged at 7"]);
}

#[test]
fn arguments_that_are_told_again() {
    for (text, again, expected) in
        [("{\"x\": 1}", "{\"x\": 1}", "{\"x\": 1}"), ("", "{\"x\": 1}", "{\"x\": 1}"), ("{\"x\": 1}", "", "{\"x\": 1}")]
    {
        let mut fed = Fed::new(LaneOptions::default());
        let item = Some(Written(b"item"));
        let begin =
            Call { id: Some(Written(b"a")), item, index: Some(4), name: Some(Written(b"f")), ..Call::default() };
        fed.0.tool(0, &begin, &Args::Nothing).expect("within the limits");
        // A delta knows the call by its item, another one has come since.
        let _ = fed.args(("b", Some(4), "f"), "{}");
        let raw = super::json(text);
        let delta = Call { item, index: Some(4), ..Call::default() };
        fed.0.tool(0, &delta, &Args::Text(Written(raw.as_bytes()))).expect("within the limits");
        let raw = super::json(again);
        fed.0.tool(0, &begin, &Args::Repeat(Written(raw.as_bytes()))).expect("within the limits");
        assert_eq!(
            fed.rows(FinishClass::Tool),
            [format!("4 a f {expected} => ok {expected}"), "1 b f {} => ok {}".into()]
        );
    }
}

#[test]
fn what_a_tool_is_given_may_be_plain_text() {
    let mut fed = Fed::new(LaneOptions::default());
    let call = Call { id: Some(Written(b"a")), is_free: true, is_hosted: true, ..Call::default() };
    fed.0.tool(0, &call, &Args::Text(Written(b"print(1)\\n"))).expect("within the limits");
    let lane = fed.0.iter().next().expect("a lane");
    assert!(lane.is_hosted() && !lane.is_judged());
    assert_eq!(fed.rows(FinishClass::Tool), ["0 a - print(1)\n => not judged"]);
}

#[test]
fn a_lane_is_final_only_at_the_end() {
    let mut fed = Fed::new(LaneOptions::default());
    assert_eq!(fed.args(("a", Some(0), "f"), "{\"q\": 1}"), Some(Progress::Closed));
    fed.0.block_end(0, 0).expect("within the limits");
    fed.0.finish(0, FinishClass::Tool);
    let lane = fed.0.iter().next().expect("a lane");
    assert!(lane.is_block_ended() && lane.outcome().is_none());
    assert_eq!(lane.progress(), Some(Progress::Closed));
    // Text behind the reason to finish counts: some servers give one with each event. The last reason counts.
    assert_eq!(fed.args(at(0), "}"), Some(Progress::Doomed));
    fed.0.finish(0, FinishClass::Length);
    fed.0.close(Ending::Unknown, &mut |_, _| ());
    assert_eq!(rows(&fed.0), ["0 a f {\"q\": 1}} => malformed closed_too_early at 8"]);
    // Behind the end it is counted, and changes nothing.
    assert_eq!(fed.args(at(0), "late"), Some(Progress::Doomed));
    fed.0.close(Ending::Stop, &mut |_, _| ());
    let lane = fed.0.iter().next().expect("a lane");
    assert_eq!((lane.late_len(), lane.text_len(), lane.delta_count()), (4, 9, 3));
    assert_eq!(rows(&fed.0), ["0 a f {\"q\": 1}} => malformed closed_too_early at 8"]);
    // Nor is a lane judged twice.
    let mut fed = Fed::new(LaneOptions::default());
    fed.held(("a", Some(0), "f"), "{}");
    for class in [FinishClass::Length, FinishClass::Tool] {
        fed.0.finish(0, class);
        fed.0.close(Ending::Unknown, &mut |_, _| ());
    }
    assert_eq!(rows(&fed.0), ["0 a f  => truncated nothing_yet at 0"]);
    assert_eq!(fed.0.iter().next().map(|lane| lane.late_len()), Some(0));
}

#[test]
fn each_choice_ends_for_itself() {
    let mut fed = Fed::new(LaneOptions { text: Some(Expect::object()), ..LaneOptions::default() });
    for choice in [1, 0, 2] {
        let _ = fed.text(choice, LaneKind::Text, "{\\\"a\\\": [1");
    }
    let _ = fed.text(0, LaneKind::Text, "]}");
    fed.0.finish(0, FinishClass::Stop);
    fed.0.finish(1, FinishClass::Length);
    fed.0.close(Ending::Disconnected, &mut |_, _| ());
    let causes = fed.0.iter().map(|lane| {
        let failure = lane.outcome().and_then(Outcome::failure).and_then(LaneFailure::reply);
        failure.and_then(thusfar_core::Failure::cause).map(thusfar_core::Cause::as_str)
    });
    assert_eq!(causes.collect::<Vec<_>>(), [Some("budget"), None, Some("disconnected")]);
}

#[test]
fn a_lane_that_comes_behind_the_reason_to_finish_has_it_too() {
    let mut fed = Fed::new(LaneOptions { text: Some(Expect::object()), ..LaneOptions::default() });
    let _ = fed.text(0, LaneKind::Text, " ");
    fed.0.finish(0, FinishClass::Tool);
    fed.nothing(("a", Some(0), "f"));
    fed.0.close(Ending::Disconnected, &mut |_, _| ());
    // Text of white space is no call without arguments.
    assert_eq!(rows(&fed.0), ["- - -   => not_found no_document at 1", "0 a f  => ok {}"]);
}

#[test]
fn open_frames_beat_the_word_of_the_provider() {
    for class in FinishClass::ALL {
        let mut fed = Fed::new(LaneOptions::default());
        let _ = fed.args(("a", Some(0), "f"), "{\"path\": \"/tmp/a\", \"body\": \"line\\");
        let row = fed.rows(class).remove(0);
        assert!(row.ends_with("truncated open_escape at 33"), "{class:?}: {row}");
    }
}

#[test]
fn damage_fails_a_lane_that_is_judged() {
    let run = |first: &str, raw: &[u8]| {
        let mut fed = Fed::new(LaneOptions { text: Some(Expect::object()), ..LaneOptions::default() });
        let _ = fed.text(0, LaneKind::Text, first);
        let _ = fed.text(0, LaneKind::Reasoning, first);
        for kind in [LaneKind::Text, LaneKind::Reasoning] {
            let heard = fed.0.text(0, kind, Written(raw)).expect("within the limits").expect("text");
            assert_eq!(heard.lane.progress(), (kind == LaneKind::Text).then_some(Progress::Doomed));
            let _ = fed.text(0, kind, "\\\"}");
        }
        let damage = fed.0.iter().map(|lane| lane.damage().map(|damage| (damage.kind().as_str(), damage.offset())));
        let damage: Vec<_> = damage.collect();
        assert_eq!(damage[0], damage[1]);
        (fed.rows(FinishClass::Stop), damage[0])
    };
    let open = "{\\\"a\\\": \\\"é";
    for (raw, kind, text) in [
        (&b"x\xFF"[..], "invalid_utf8", "x\u{FFFD}"),
        (b"x\\y", "invalid_escape", "x\u{FFFD}y"),
        (b"x\\u12", "invalid_unicode_escape", "x\u{FFFD}u12"),
        (b"x\\ude00", "lone_surrogate", "x\u{FFFD}"),
        (b"x\x01", "control_character", "x\u{1}"),
    ] {
        let expected = vec![
            format!("- - - {{\"a\": \"é{text}\"}} => malformed damaged at 10"),
            format!("- - - {{\"a\": \"é{text}\"}} => not judged"),
        ];
        assert_eq!(run(open, raw), (expected, Some((kind, 10))));
    }
    // The engine had decided before.
    let mut fed = Fed::new(LaneOptions::default());
    assert_eq!(fed.args(("a", None, "f"), "{\"a\" 1"), Some(Progress::Doomed));
    let call = Call { id: Some(Written(b"a")), ..Call::default() };
    fed.0.tool(0, &call, &Args::Text(Written(b"\\y"))).expect("within the limits");
    assert_eq!(fed.rows(FinishClass::Stop), ["0 a f {\"a\" 1\u{FFFD}y => malformed expected_colon at 5"]);
}

#[test]
fn damage_in_a_label_fails_its_call() {
    for (id, name) in [(&b"a\xFF"[..], &b"f"[..]), (b"a", b"f\\y"), (b"\\ud83d", b"f")] {
        let mut fed = Fed::new(LaneOptions::default());
        let call = Call { id: Some(Written(id)), index: Some(0), name: Some(Written(name)), ..Call::default() };
        fed.0.tool(0, &call, &Args::Json(b"{\"x\": 1}")).expect("within the limits");
        let row = fed.rows(FinishClass::Tool).remove(0);
        assert!(row.ends_with("malformed damaged at 0"), "{row}");
    }
}

#[test]
fn half_a_character_at_the_end() {
    for class in FinishClass::ALL {
        let mut fed = Fed::new(LaneOptions { text: Some(Expect::object()), ..LaneOptions::default() });
        for kind in [LaneKind::Text, LaneKind::Reasoning] {
            let _ = fed.text(0, kind, "{\\\"a\\\": \\\"\\ud83d");
        }
        let rows = fed.rows(class);
        assert_eq!(rows[0], "- - - {\"a\": \" => truncated open_string at 7", "{class:?}");
        assert_eq!(rows[1], "- - - {\"a\": \"\u{FFFD} => not judged", "{class:?}");
    }
}

#[test]
fn patches_become_the_object_written_out() {
    let call = ("", None, "cook");
    let mut fed = Fed::new(LaneOptions::default());
    fed.nothing(call);
    assert_eq!(fed.patch(NONE, "$.dish", "'fish …"), Some(Progress::Open));
    let _ = fed.patch(NONE, "$.dish", "'stew \\ud83d…");
    let _ = fed.patch(NONE, "$.dish", "'\\ude00 \\\"hot\\\"");
    let _ = fed.patch(NONE, "$.serves", "4");
    fed.nothing(NONE);
    let text = "{\"dish\":\"fish stew 😀 \\\"hot\\\"\",\"serves\":4";
    assert_eq!(fed.0.iter().next().and_then(|lane| lane.text()), Some(text));
    assert_eq!(fed.rows(FinishClass::Stop), [format!("0 - cook {text}}} => ok {text}}}")]);
}

#[test]
fn the_sample_of_patches() {
    let stream = include_str!("../../../../../tests/corpus/streams/gemini_vertex_partial_args.sse");
    let expected = include_str!("../../../../../tests/corpus/streams/gemini_vertex_partial_args.expected.json");
    let mut fed = Fed::new(LaneOptions::default());
    for data in stream.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let event: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let call = &event["candidates"][0]["content"]["parts"][0]["functionCall"];
        let name = call["name"].as_str().unwrap_or_default();
        match &call["partialArgs"][0] {
            serde_json::Value::Null => fed.nothing(("", None, name)),
            patch => {
                let string = patch["stringValue"].as_str().map(|text| format!("'{}", super::json(text)));
                let value = string.unwrap_or_else(|| patch["numberValue"].to_string());
                let goes_on = if patch["willContinue"] == true { "…" } else { "" };
                let path = patch["jsonPath"].as_str().expect("a path");
                let _ = fed.patch(("", None, name), path, &format!("{value}{goes_on}"));
            }
        }
    }
    let expected: serde_json::Value = serde_json::from_str(expected).expect("JSON");
    let text = expected["lanes"][0]["text"].as_str().expect("a text");
    assert_eq!(fed.rows(FinishClass::Stop), [format!("0 - cook {text} => ok {text}")]);
}

#[test]
fn patches_close_only_at_a_normal_stop() {
    for class in FinishClass::ALL {
        let mut fed = Fed::new(LaneOptions::default());
        let _ = fed.patch(("", None, "f"), "$.a[0].b", "true");
        let row = fed.rows(class).remove(0);
        let expected = match class {
            FinishClass::Stop | FinishClass::Tool => "{\"a\":[{\"b\":true}]} => ok {\"a\":[{\"b\":true}]}",
            _ => "{\"a\":[{\"b\":true => truncated open_frame at 15",
        };
        assert_eq!(row, format!("0 - f {expected}"), "{class:?}");
        // A string of which more was to come is not whole, whatever the provider says.
        let mut fed = Fed::new(LaneOptions::default());
        let _ = fed.patch(("", None, "f"), "$.a", "'b…");
        assert_eq!(fed.rows(class), ["0 - f {\"a\":\"b => truncated open_string at 7"], "{class:?}");
    }
}

#[test]
fn patches_that_are_refused() {
    let check = |patches: &[(Key<'_>, &str, &str)], expected: &[&str]| {
        let mut fed = Fed::new(LaneOptions::default());
        for (key, path, value) in patches {
            let _ = fed.patch(*key, path, value);
        }
        assert_eq!(fed.rows(FinishClass::Stop), expected);
    };
    let call = ("", None, "f");
    check(
        &[(call, "$.a", "1"), (NONE, "$.b", "2"), (NONE, "$.a", "3"), (NONE, "$.c", "4")],
        &["0 - f {\"a\":1,\"b\":2 => malformed patch_order at 12"],
    );
    check(&[(call, "a", "1")], &["0 - f  => malformed patch_path at 0"]);
    check(&[(call, "$.a", "'\\ud83d")], &["0 - f  => malformed damaged at 0"]);
    check(&[(call, "$.a", "'b\\")], &["0 - f  => malformed damaged at 0"]);
    let mut fed = Fed::new(LaneOptions::default());
    let args = Args::Patch { path: Written(b"$.\\y"), value: b"1", is_string: false, goes_on: false };
    fed.0.tool(0, &Call { name: Some(Written(b"f")), ..Call::default() }, &args).expect("within the limits");
    assert_eq!(fed.rows(FinishClass::Stop), ["0 - f  => malformed damaged at 0"]);
    // Two calls of one tool, or one call.
    check(&[(call, "$.a", "1"), (call, "$.b", "2")], &["0 - f {\"a\":1 => ambiguous second_arguments at 6"]);
    check(
        &[(call, "$.a", "1"), (("", None, "g"), "$.b", "2")],
        &["0 - f {\"a\":1} => ok {\"a\":1}", "1 - g {\"b\":2} => ok {\"b\":2}"],
    );
    check(
        &[(("a", None, "f"), "$.a", "1"), (("a", None, "f"), "$.b", "2")],
        &["0 a f {\"a\":1,\"b\":2} => ok {\"a\":1,\"b\":2}"],
    );
    // The dialect says that each is a call.
    let mut fed = Fed::new(LaneOptions::default());
    for value in ["1", "2"] {
        let begin = Call { name: Some(Written(b"f")), is_new: true, ..Call::default() };
        fed.0.tool(0, &begin, &Args::Nothing).expect("within the limits");
        let _ = fed.patch(NONE, "$.a", value);
    }
    assert_eq!(fed.rows(FinishClass::Stop), ["0 - f {\"a\":1} => ok {\"a\":1}", "1 - f {\"a\":2} => ok {\"a\":2}"]);
    // Beside other arguments.
    let mut fed = Fed::new(LaneOptions::default());
    let _ = fed.patch(("a", None, "f"), "$.b", "2");
    let _ = fed.args(("a", None, "f"), "}");
    assert_eq!(fed.rows(FinishClass::Stop), ["0 a f {\"b\":2} => ambiguous second_arguments at 6"]);
    let mut fed = Fed::new(LaneOptions::default());
    let _ = fed.whole(("a", None, "f"), "{\"a\": 1}");
    let _ = fed.patch(("a", None, "f"), "$.b", "2");
    assert_eq!(fed.rows(FinishClass::Stop), ["0 a f {\"a\": 1} => ambiguous second_arguments at 8"]);
    for (held, expected) in
        [("{\"a\": 1}", "0 a f  => ambiguous second_arguments at 0"), ("{}", "0 a f {\"b\":2} => ok {\"b\":2}")]
    {
        let mut fed = Fed::new(LaneOptions::default());
        fed.held(("a", None, "f"), held);
        let _ = fed.patch(("a", None, "f"), "$.b", "2");
        assert_eq!(fed.rows(FinishClass::Stop), [expected]);
    }
}
