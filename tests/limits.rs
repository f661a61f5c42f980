//! Limits and guards: each with a reply at the limit and one past it.
//!
//! Guards are judged where the offset is a multiple of 256. The offsets in the tables follow: a run that begins at byte 5 under a
//! limit of 300 is judged at byte 512, the first multiple of 256 that is not below 305.

use thusfar::{Ending, Expect, FailureKind, Limits, WarningKind};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::table::table;
use thusfar_testkit::workload::Random;

const STOP: Ending = Ending::Stop;

fn object(limits: Limits) -> Expect {
    Expect::object().limits(limits)
}

/// A document, and nothing behind it was read.
fn is_final(report: &Report, text: &str) -> bool {
    let unread = |warnings: &[(WarningKind, _)]| warnings.iter().any(|(kind, _)| *kind == WarningKind::TailUnread);
    matches!(report, Report::Document { text: got, warnings, .. } if got == text && unread(warnings))
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
        ],
    );
}

#[test]
fn white_space() {
    let limits = Limits { white_space: Some(300), ..Limits::default() };
    let between = |len| format!("{{\"a\":{}1}}", " ".repeat(len));
    let prose = |len| format!("Hi{}{{\"a\": 1}}", "\n".repeat(len));
    let (at, past) = (between(506), between(507));
    table(
        object(limits),
        STOP,
        &[
            ("between tokens, at", &*at, Ok(&*at), "the run ends in front of byte 512"),
            ("between tokens, past", &past, Err(("white_space_run", 5)), "the run reaches byte 512"),
            ("in prose, at", &prose(509), Ok("{\"a\": 1}"), "the run ends in front of byte 512"),
            ("in prose, past", &prose(510), Err(("white_space_run", 2)), "the run reaches byte 512"),
            ("in front, at", &prose(509)[2..], Ok("{\"a\": 1}"), "white space first"),
            ("in front, past", &prose(512)[2..], Err(("white_space_run", 0)), "300 bytes are there at byte 512"),
        ],
    );
    let wide = " ".repeat(6000);
    let string = format!("{{\"a\": \"{wide}\"}}");
    let comment = format!("{{\"a\": 1 /*{wide}*/}}");
    let reasoning = format!("<think>{wide}</think>{{\"a\": 1}}");
    let code = format!("```py\nx{wide}\n```\n{{\"a\": 1}}");
    table(
        object(limits),
        STOP,
        &[
            ("in a string", &*string, Ok(&*string), "a string's own business"),
            ("in a comment", &comment, Ok("{\"a\": 1 }"), "comments are dropped anyway"),
            ("in reasoning", &reasoning, Ok("{\"a\": 1}"), "only tags are looked for there"),
            ("in code", &code, Ok("{\"a\": 1}"), "opaque text"),
        ],
    );
    // The default of 4 KiB.
    let (at, past) = (between(4346), between(4347));
    let rows = [
        ("default, at", &*at, Ok(&*at), "judged at byte 4352"),
        ("default, past", &past, Err(("white_space_run", 5)), "judged at byte 4352"),
    ];
    table(Expect::object(), STOP, &rows);
}

#[test]
fn white_space_behind_a_document_makes_it_final() {
    let behind = |len| format!("{{\"a\": 1}}{}{{\"b\": 2}}", " ".repeat(len));
    for limits in [
        Limits { white_space: Some(300), ..Limits::default() },
        Limits { white_space_behind: Some(300), ..Limits::default() },
        Limits { text_behind: Some(300), ..Limits::default() },
    ] {
        let at = check(&behind(503), object(limits), STOP);
        assert_eq!(at.outcome(), "ambiguous", "the run ends in front of byte 512: {at:?}");
        let past = check(&behind(504), object(limits), STOP);
        assert!(is_final(&past, "{\"a\": 1}"), "the run reaches byte 512: {past:?}");
    }
    // Off by default, but for the run that is a runaway elsewhere.
    assert_eq!(check(&behind(4343), Expect::object(), STOP).outcome(), "ambiguous");
    assert!(is_final(&check(&behind(4344), Expect::object(), STOP), "{\"a\": 1}"));
}

#[test]
fn text_behind() {
    let words = "so it goes. ".repeat(60);
    let behind = |len| format!("{{\"a\": 1}}{}{{\"b\": 2}}", &words[..len]);
    let limits = Limits { text_behind: Some(300), ..Limits::default() };
    assert_eq!(check(&behind(503), object(limits), STOP).outcome(), "ambiguous");
    assert!(is_final(&check(&behind(504), object(limits), STOP), "{\"a\": 1}"));
    assert_eq!(check(&behind(600), Expect::object(), STOP).outcome(), "ambiguous", "off by default");
}

#[test]
fn text_before() {
    let words = "so it goes. ".repeat(60);
    let before = |len| format!("{}{{\"a\": 1}}", &words[..len]);
    table(
        object(Limits { text_before: Some(300), ..Limits::default() }),
        STOP,
        &[
            ("at", &*before(511), Ok("{\"a\": 1}"), "a document is open at byte 512"),
            ("past", &before(512), Err(("no_document", 512)), "512 bytes and nothing found"),
        ],
    );
    table(Expect::object(), STOP, &[("off by default", &*before(700), Ok("{\"a\": 1}"), "words are allowed")]);
}

#[test]
fn repetition_trips() {
    let in_string = |copy: &str, len: usize| {
        let content: String = copy.chars().cycle().take(len).collect();
        format!("{{\"a\": \"{content}\"}}")
    };
    let (loop_at, loop_past) = (in_string("so on ", 4344), in_string("so on ", 4345));
    let array = |len: usize| format!("[{}", "\"lorem ipsum\", ".repeat(400))[..len].to_owned();
    let zeros = |len: usize| format!("[{}", "0, ".repeat(30_000))[..len].to_owned();
    let mut random = Random::new(3);
    let block: String = (0..1000).map(|_| char::from(b'a' + random.below(26) as u8)).collect();
    let (blocks_at, blocks_past) = (in_string(&block, 8184), in_string(&block, 8185));
    let prose = |len: usize| "-=-=".repeat(20_000)[..len].to_owned();
    table(
        Expect::any(),
        Ending::Unknown,
        &[
            ("words, at", &*loop_at, Ok(&*loop_at), "the run ends in front of byte 4352"),
            ("words, past", &loop_past, Err(("repetition", 7)), "4 KiB from byte 7 on are there at byte 4352"),
            ("elements, at", &array(4351), Err(("open_frame", 4351)), "not judged yet"),
            ("elements, past", &array(4352), Err(("repetition", 1)), "a period of a string, a comma and a space"),
            ("long period, at", &blocks_at, Ok(&blocks_at), "the run ends in front of byte 8192"),
            ("long period, past", &blocks_past, Err(("repetition", 7)), "eight copies are there at byte 8192"),
            ("numbers, at", &zeros(65_791), Err(("open_frame", 65_791)), "not judged yet"),
            ("numbers, past", &zeros(65_792), Err(("repetition", 1)), "64 KiB of anything"),
            ("prose, at", &prose(65_535), Err(("no_document", 65_535)), "not judged yet"),
            ("prose, past", &prose(65_536), Err(("repetition", 0)), "64 KiB of anything"),
        ],
    );
    let limits = Limits { repetition: Some(8192), other_repetition: Some(1000), ..Limits::default() };
    let dashes = in_string("-", 2000);
    table(
        object(limits),
        STOP,
        &[
            ("raised", &loop_past[..loop_past.len() - 2], Err(("open_string", 4352)), "8 KiB are allowed"),
            ("lowered", &dashes, Err(("repetition", 7)), "no letters"),
        ],
    );
}

#[test]
fn repetition_behind_a_document_makes_it_final() {
    let text = format!("{{\"a\": 1}}\n{}", "=-".repeat(40_000));
    let report = check(&text, Expect::object(), STOP);
    assert!(is_final(&report, "{\"a\": 1}"), "{:?}", report.code());
    let open = check(&format!("{{\"a\": 1}}\n{{\"b\": \"{}", "so on ".repeat(1000)), Expect::object(), STOP);
    assert_eq!(open.code().map(|code| code.kind()), Some(FailureKind::Runaway), "something is open");
}

/// Text that people and models write on purpose.
#[test]
fn what_must_not_trip() {
    let mut random = Random::new(5);
    let zeros = format!("[{}]", vec![format!("[{}]", vec!["0"; 64].join(", ")); 64].join(",\n "));
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64: String = (0..32 << 10).map(|_| char::from(digits[random.below(64)])).collect();
    let base64 = format!("{{\"data\": \"{base64}\"}}");
    let letters = format!("{{\"data\": \"{}\"}}", "A".repeat(32 << 10));
    let rules = format!("{}\n{{\"rule\": \"{}\"}}\n{}", "-".repeat(300), "=".repeat(5000), "- ".repeat(500));
    let rule = rules.lines().nth(1).unwrap_or_default();
    let row = |index: usize| format!("| {index} | item | {} | yes |\\n", index * 7);
    let cells = format!("{{\"table\": \"{}\"}}", (0..500).map(row).collect::<String>());
    let levels = |open: fn(usize) -> String| (0..120).map(open).collect::<String>();
    let indented = levels(|level| format!("[\n{}", "    ".repeat(level + 1)))
        + "1"
        + &levels(|level| format!("\n{}]", "    ".repeat(119 - level)));
    let nulls = format!("[{}null]", "null, ".repeat(999));
    table(
        Expect::any(),
        STOP,
        &[
            ("zero matrix", &*zeros, Ok(&*zeros), "64 rows of 64 zeros"),
            ("base64", &base64, Ok(&base64), "32 KiB in one string"),
            ("one letter", &letters, Ok(&letters), "base64 of zeros"),
            ("rules", &rules, Ok(rule), "dashes in prose and in a string"),
            ("table", &cells, Ok(&cells), "500 rows, the cells differ"),
            ("indentation", &indented, Ok(&indented), "120 levels of four spaces"),
            ("nulls", &nulls, Ok(&nulls), "a thousand literals"),
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
