//! Limits: each with a reply at the limit and one past it. The guards have a file of their own, `guards.rs`.

use thusfar::{Ending, Expect, Limits};
use thusfar_testkit::check::check;
use thusfar_testkit::table::table;

const STOP: Ending = Ending::Stop;

fn object(limits: Limits) -> Expect {
    Expect::object().limits(limits)
}

#[test]
fn defaults() {
    let Limits { reply_len, nesting, repairs, keys, white_space, repetition, other_repetition, .. } = Limits::default();
    assert_eq!((reply_len, nesting, repairs, keys), (Some(8 << 20), Some(127), Some(10_000), Some(100_000)));
    assert_eq!((white_space, repetition, other_repetition), (Some(4096), Some(4096), Some(65_536)));
    let Limits { white_space_behind, text_behind, text_before, .. } = Limits::default();
    assert_eq!((white_space_behind, text_behind, text_before), (None, None, None));
}

#[test]
fn reply_len() {
    let limits = Limits { reply_len: Some(10), ..Limits::default() };
    table(
        object(limits),
        STOP,
        &[
            ("at the limit", "{\"a\": 123}", Ok("{\"a\": 123}"), "ten bytes are allowed"),
            ("one past it", "{\"a\": 1234}", Err(("reply_too_long", 10)), "the eleventh byte"),
            ("white space", "{\"a\": 12}  ", Err(("reply_too_long", 10)), "a closed document may still be spoilt"),
            ("in a character", "{\"a\": \"éé", Err(("reply_too_long", 10)), "a byte inside a character counts"),
            ("broken before", "{\"a\": x, \"b", Err(("invalid_literal", 6)), "the first verdict stands"),
        ],
    );
    let first = Expect::object().take(thusfar::Take::First).limits(limits);
    table(first, STOP, &[("final before", "{\"a\": 1} x", Ok("{\"a\": 1}"), "an answer stays")]);
}

#[test]
fn nesting() {
    let deep = |opener: &str, closer: &str, depth| opener.repeat(depth) + "1" + &closer.repeat(depth);
    let (at, past) = (deep("[", "]", 127), deep("[", "]", 128));
    let (object_at, object_past) = (deep("{\"a\":", "}", 127), deep("{\"a\":", "}", 128));
    table(
        Expect::any(),
        STOP,
        &[
            ("arrays at", &*at, Ok(&*at), "127 frames are allowed"),
            ("arrays past", &past, Err(("too_deep", 127)), "the opener that is one too many"),
            ("objects at", &object_at, Ok(&object_at), "objects count alike"),
            ("objects past", &object_past, Err(("too_deep", 635)), "the opener that is one too many"),
        ],
    );
    table(
        object(Limits { nesting: Some(2), ..Limits::default() }),
        STOP,
        &[
            ("at", "{\"a\": [1], \"b\": [2]}", Ok("{\"a\": [1], \"b\": [2]}"), "open at once, not in all"),
            ("past", "{\"a\": [[1]]}", Err(("too_deep", 7)), "the third frame"),
            ("in prose", "see [[[1]]] {\"a\": 1}", Err(("too_deep", 6)), "a limit is a failure whatever the opener is"),
        ],
    );
}

#[test]
fn repairs() {
    let run = format!("{{\"a\": \"{}\"}}", "\u{1}".repeat(50));
    let clean = run.replace('\u{1}', "\\u0001");
    let two_runs = format!("{{\"a\": \"{} {}\"}}", "\u{1}".repeat(50), "\u{1}");
    table(
        object(Limits { repairs: Some(1), ..Limits::default() }),
        STOP,
        &[
            ("a run", &*run, Ok(&*clean), "a run of control characters is one repair"),
            ("two runs", &two_runs, Err(("too_many_repairs", 58)), "the second run"),
            ("a string", "{\"a\": \\\"x\\\"}", Ok("{\"a\": \"x\"}"), "both delimiters are one repair"),
            ("a comma", "{\"a\": [1,]}", Ok("{\"a\": [1]}"), "one is allowed"),
            ("two commas", "{\"a\": [1,],}", Err(("too_many_repairs", 10)), "the second comma"),
            ("of a mark", "see [1 /**/ y] {\"a\": [1,]}", Err(("too_many_repairs", 23)), "the mark's comment counts"),
        ],
    );
    let none = object(Limits { repairs: Some(0), ..Limits::default() });
    table(none, STOP, &[("none", "{\"a\": [1,]}", Err(("too_many_repairs", 8)), "zero is a limit too")]);
}

#[test]
fn keys() {
    table(
        object(Limits { keys: Some(2), ..Limits::default() }),
        STOP,
        &[
            ("at", "{\"a\": 1, \"b\": 2}", Ok("{\"a\": 1, \"b\": 2}"), "two are allowed"),
            ("past", "{\"a\": 1, \"b\": 2, \"c\": 3}", Err(("too_many_keys", 17)), "at the third key's quote"),
            ("nested", "{\"a\": {\"b\": 1}, \"c\": 2}", Ok("{\"a\": {\"b\": 1}, \"c\": 2}"), "in one object"),
            ("equal", "{\"a\":1,\"b\":2,\"a\":1}", Ok("{\"a\":1,\"b\":2,\"a\":1}"), "one key, twice"),
            ("open", "{\"a\": 1, \"b\": 2, \"c", Err(("open_key", 19)), "it may yet be one of the two"),
        ],
    );
}

/// The limits of the contract, with nothing lowered.
#[test]
fn default_repairs() {
    // Numbers that all differ, or a guard would trip first.
    let numbers = |count, between: &str| {
        format!("{{\"a\": [{}0]}}", (0..count).map(|number| format!("{number}{between},")).collect::<String>())
    };
    let past = numbers(10_001, "/**/");
    table(
        Expect::object(),
        STOP,
        &[
            ("at", &*numbers(10_000, "/**/"), Ok(&*numbers(10_000, "")), "ten thousand comments"),
            ("past", &past, Err(("too_many_repairs", past.len() - 8)), "the comment that is one too many"),
        ],
    );
}

#[test]
fn default_keys() {
    let keys = |count| format!("{{{}\"id\":0}}", (1..count).map(|key| format!("\"{key}\":0,")).collect::<String>());
    let (at, past) = (keys(100_000), keys(100_001));
    table(
        Expect::object(),
        STOP,
        &[
            ("at", &*at, Ok(&*at), "a hundred thousand different keys in one object"),
            ("past", &past, Err(("too_many_keys", past.len() - 7)), "at the quote of the key that is one too many"),
        ],
    );
}

#[test]
fn default_reply_len() {
    // No guard trips over a string of words that all differ.
    let words = |len: usize| {
        let text: String = (0..1 << 21).map(|word| format!("{word:x} ")).collect();
        format!("{{\"a\": \"{}\"}}", &text[..len - 9])
    };
    let (at, past) = (words(8 << 20), words((8 << 20) + 1));
    table(
        Expect::object(),
        STOP,
        &[
            ("at", &*at, Ok(&*at), "8 MiB"),
            ("past", &past, Err(("reply_too_long", 8 << 20)), "the closer is one byte too many"),
        ],
    );
}

#[test]
fn none_turns_all_off() {
    let deep = "[".repeat(1000) + &"]".repeat(1000);
    let wide = format!("words {}{{\"a\": 1}}{}", "so on ".repeat(12_000), " ".repeat(5000));
    let zeros = format!("[{}", "0, ".repeat(25_000));
    let report = check(&wide, object(Limits::NONE), STOP);
    assert_eq!(report.text(), Some("{\"a\": 1}"));
    let rows = [("zeros", &*zeros, Err(("open_frame", 75_001)), "no repetition is judged")];
    table(Expect::any().limits(Limits::NONE), STOP, &rows);
    // Deeper than `serde_json` reads, so not under `check()`, which asks it.
    let mut reply = thusfar::Reply::new(Expect::any().limits(Limits::NONE));
    let _ = reply.push(&deep);
    assert_eq!(reply.finish(STOP).map(|document| document.text().len()).ok(), Some(2000));
}
