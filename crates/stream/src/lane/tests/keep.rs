//! What lanes keep: limits at the last byte and one past it, memory, and nothing that shows text.

use core::mem::size_of;

use super::*;

fn options(limits: LaneLimits) -> LaneOptions {
    LaneOptions { limits, ..LaneOptions::default() }
}

#[test]
fn lanes_are_limited() {
    let mut fed = Fed::new(options(LaneLimits { lanes: Some(2), ..LaneLimits::default() }));
    let _ = fed.text(0, LaneKind::Text, "a");
    let _ = fed.args(("a", None, "f"), "{");
    let error = fed.0.text(1, LaneKind::Text, Written(b"b")).err();
    assert_eq!(error, Some(LaneError::TooManyLanes(2)));
    assert_eq!(fed.say(("b", None, "f"), Args::Nothing), Err(LaneError::TooManyLanes(2)));
    assert_eq!(fed.0.iter().len(), 2);
    // Those that are there go on.
    assert_eq!(fed.args(("a", None, ""), "}"), Some(Progress::Closed));
}

#[test]
fn labels_are_limited() {
    let limits = LaneLimits { id_len: Some(3), name_len: Some(2), ..LaneLimits::default() };
    let mut fed = Fed::new(options(limits));
    assert_eq!(fed.say(("abcd", None, "fg"), Args::Nothing), Err(LaneError::IdTooLong(3)));
    assert_eq!(fed.say(("abc", None, "fgh"), Args::Nothing), Err(LaneError::NameTooLong(2)));
    assert_eq!(fed.0.iter().len(), 0);
    assert!(fed.say(("abc", None, "fg"), Args::Nothing).is_ok());
    // What is counted is the text, not how it is written.
    assert!(fed.say(("\\u0061\\u0062\\u0063", None, "fg"), Args::Nothing).is_ok());
    assert_eq!(fed.0.iter().len(), 1);
}

#[test]
fn kept_text_is_limited() {
    let mut fed = Fed::new(options(LaneLimits { text_len: Some(4), ..LaneLimits::default() }));
    let _ = fed.text(0, LaneKind::Text, "abcd");
    for _ in 0..2 {
        let error = fed.0.text(0, LaneKind::Text, Written("é".as_bytes())).err();
        assert_eq!(error, Some(LaneError::TextTooLong(4)));
    }
    let _ = fed.text(0, LaneKind::Reasoning, "abc");
    let error = fed.0.text(0, LaneKind::Reasoning, Written("é".as_bytes())).err();
    assert_eq!(error, Some(LaneError::TextTooLong(4)));
    let texts: Vec<_> = fed.0.iter().map(|lane| lane.text()).collect();
    assert_eq!(texts, [Some("abcd"), Some("abc")], "no half characters");
    // What is not kept is not limited by it.
    let limits = LaneLimits { text_len: Some(4), ..LaneLimits::default() };
    let mut fed = Fed::new(LaneOptions { keep: Keep::Nothing, ..options(limits) });
    let _ = fed.text(0, LaneKind::Text, "abcdefgh");
    assert_eq!(fed.0.iter().map(|lane| (lane.text(), lane.text_len())).collect::<Vec<_>>(), [(None, 8)]);
}

#[test]
fn the_text_of_a_session_is_limited() {
    let mut fed = Fed::new(options(LaneLimits { session_len: Some(10), ..LaneLimits::default() }));
    let _ = fed.text(0, LaneKind::Text, "abcd");
    let _ = fed.args(("a", None, "f"), "{\"a\":");
    let _ = fed.text(0, LaneKind::Text, "e");
    for _ in 0..2 {
        let error = fed.0.text(0, LaneKind::Text, Written(b"f")).err();
        assert_eq!(error, Some(LaneError::SessionTooLong(10)));
        assert_eq!(fed.say(("a", None, ""), Args::Json(b"1")), Err(LaneError::SessionTooLong(10)));
    }
    assert_eq!(fed.0.iter().map(|lane| lane.text_len()).sum::<u64>(), 10);
}

#[test]
fn what_waits_for_the_end_of_its_block_is_limited() {
    let limits = LaneLimits { text_len: Some(4), session_len: Some(6), ..LaneLimits::default() };
    let mut fed = Fed::new(options(limits));
    assert_eq!(fed.say(("a", Some(0), "f"), Args::Placeholder(b"{ 1 }")), Err(LaneError::TextTooLong(4)));
    assert!(fed.say(("a", Some(0), "f"), Args::Placeholder(b"{1 }")).is_ok());
    assert_eq!(fed.say(("b", Some(1), "f"), Args::Placeholder(b"{1}")), Err(LaneError::SessionTooLong(6)));
    assert!(fed.say(("b", Some(1), "f"), Args::Placeholder(b"{}")).is_ok());
    // It is counted once.
    assert!(fed.0.block_end(0, 0).is_ok());
    assert_eq!(fed.0.len, 6);
    // Behind text it is nothing.
    assert!(fed.say(("a", Some(0), "f"), Args::Placeholder(b"{}")).is_ok());
    assert_eq!(fed.0.len, 6);
}

#[test]
fn patches_are_limited() {
    let mut fed = Fed::new(options(LaneLimits { patch_len: Some(68), ..LaneLimits::default() }));
    let patch = |path| Args::Patch { path: Written(path), value: b"1", is_string: false, goes_on: false };
    assert!(fed.say(("a", None, "f"), patch(b"$.ab")).is_ok());
    assert!(fed.say(("a", None, "f"), patch(b"$.cd")).is_ok());
    assert_eq!(fed.say(("a", None, "f"), patch(b"$.e")), Err(LaneError::PatchTooLong(68)));
    let mut fed = Fed::new(options(LaneLimits { patch_len: Some(4), ..LaneLimits::default() }));
    assert_eq!(fed.say(("a", None, "f"), patch(b"$.abc")), Err(LaneError::PatchTooLong(4)));
}

#[test]
fn errors_have_stable_names() {
    let errors = [
        LaneError::TooManyLanes(1),
        LaneError::IdTooLong(1),
        LaneError::NameTooLong(1),
        LaneError::TextTooLong(1),
        LaneError::SessionTooLong(1),
        LaneError::PatchTooLong(1),
    ];
    let names =
        ["too_many_lanes", "id_too_long", "name_too_long", "text_too_long", "session_too_long", "patch_too_long"];
    assert_eq!(errors.map(LaneError::as_str), names);
}

#[test]
fn a_lane_is_judged_alike_whatever_is_kept() {
    let expect = |keep| Expect::object().keep(keep);
    for (text, outcome) in [("{\"x\": [1, 2]}", "ok"), ("{\"x\": [1, 2", "truncated"), ("{\"x\" 1}", "malformed")] {
        for keep in [Keep::Tail(8), Keep::Nothing] {
            let mut fed = Fed::new(LaneOptions { tool_args: expect(keep), keep, ..LaneOptions::default() });
            let mut all = Fed::new(LaneOptions::default());
            for at in 0..text.len() {
                let _ = all.args(("a", None, "f"), &text[at..=at]);
                let _ = fed.args(("a", None, "f"), &text[at..=at]);
                let _ = fed.text(0, LaneKind::Reasoning, "x");
            }
            let lane = fed.0.iter().next().expect("a lane");
            assert_eq!(
                (lane.text(), lane.text_len(), lane.delta_count()),
                (None, text.len() as u64, text.len() as u64)
            );
            let (rows, all) = (fed.rows(FinishClass::Tool), all.rows(FinishClass::Tool));
            assert!(rows[0].starts_with(&format!("0 a f not kept => {outcome}")), "{rows:?}");
            assert_eq!(rows[1], "- - - not kept => not judged");
            if outcome != "ok" {
                assert_eq!(rows[0].split(" => ").last(), all[0].split(" => ").last());
            }
        }
    }
}

#[test]
fn a_lane_that_is_decided_is_read_no_further() {
    for (keep, raw) in [(Keep::All, "{\"x\" 1 and more"), (Keep::Tail(64), "{\"x\" 1")] {
        let mut fed = Fed::new(LaneOptions { tool_args: Expect::object().keep(keep), ..LaneOptions::default() });
        assert_eq!(fed.args(("a", None, "f"), "{\"x\" 1"), Some(Progress::Doomed));
        let _ = fed.args(("a", None, "f"), " and more");
        fed.0.close(Ending::Stop, &mut |_, _| ());
        let lane = fed.0.iter().next().expect("a lane");
        let failure = lane.outcome().and_then(Outcome::failure).and_then(LaneFailure::reply).expect("a failure");
        assert_eq!((failure.raw(), lane.text_len()), (raw, 15));
    }
}

#[test]
fn a_document_keeps_its_text_once() {
    let mut fed = Fed::new(LaneOptions::default());
    let _ = fed.args(("a", None, "f"), "so: {\"x\": 1,}");
    fed.0.finish(0, FinishClass::Tool);
    fed.0.close(Ending::Unknown, &mut |_, _| ());
    let lane = fed.0.iter().next().expect("a lane");
    let Some(Outcome::Document(document)) = lane.outcome() else { panic!("a document") };
    assert_eq!((document.text(), document.repairs().len()), ("{\"x\": 1}", 1));
    assert_eq!(lane.text().map(str::as_ptr), Some(document.raw().as_ptr()));
}

#[test]
fn sizes() {
    assert!(size_of::<Entry>() <= 200, "{}", size_of::<Entry>());
    assert!(size_of::<Lanes>() <= 120, "{}", size_of::<Lanes>());
    assert_eq!(size_of::<crate::text::Half>(), 2);
}

#[test]
fn nothing_shows_text() {
    const CANARY: &str = "canary";
    let hold = |what: &dyn fmt::Debug| {
        let shown = format!("{what:?} {what:#?}");
        assert!(!shown.contains(CANARY), "{shown}");
    };
    for tail in ["", "\"}", "\"} {\"b\": 1}", "\", 'canary'", "\"}{\"canary\": 1}"] {
        for class in [FinishClass::Tool, FinishClass::Length] {
            let mut fed = Fed::new(LaneOptions::default());
            let _ = fed.args(("canary", None, "canary"), &format!("{{\"canary\": \"canary{tail}"));
            let _ = fed.args(NONE, "{\"canary\": 1}");
            let _ = fed.patch(("", None, "g"), "$.canary", "'canary");
            let _ = fed.patch(NONE, "$.canary", "'canary");
            let _ = fed.text(0, LaneKind::Text, "canary\\ud83d");
            hold(&fed.0);
            fed.0.finish(0, class);
            fed.0.close(Ending::Unknown, &mut |_, _| ());
            hold(&fed.0);
            for lane in fed.0.iter() {
                hold(&lane);
                hold(&lane.outcome());
                hold(&lane.damage());
            }
        }
    }
}

#[test]
fn plain_deltas_leave_the_buffers_alone() {
    let mut fed = Fed::new(LaneOptions { keep: Keep::Nothing, ..LaneOptions::default() });
    for _ in 0..100 {
        let _ = fed.text(0, LaneKind::Text, " word");
        let _ = fed.text(0, LaneKind::Reasoning, "é🌊");
    }
    assert_eq!((fed.0.buffer.capacity(), fed.0.patched.capacity(), fed.0.entries.capacity()), (0, 0, 4));
    let _ = fed.text(0, LaneKind::Text, "a\\nb");
    let held = fed.0.buffer.capacity();
    for _ in 0..100 {
        let _ = fed.text(0, LaneKind::Text, "a\\nb");
    }
    assert_eq!(fed.0.buffer.capacity(), held);
}
