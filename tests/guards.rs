//! Guards: each with a reply at it and one past it, texts that must not trip one, and places that are awkward to judge.
//!
//! Guards are judged where the offset is a multiple of 256. The offsets in the tables follow: a run that begins at byte 5 under a
//! limit of 300 is judged at byte 512, the first multiple of 256 that is not below 305.

use std::fs;
use std::path::Path;

use thusfar::{Code, Ending, Expect, FailureKind, Limits, WarningKind};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::honest::{self, Honest};
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

/// The byte in front of a place where text is judged ends what might have been a document: it is judged all the same, whatever chunk ends
/// there.
#[test]
fn text_before_judged_as_a_candidate_ends() {
    let words = "so it goes. ".repeat(60);
    let limits = Limits { text_before: Some(300), ..Limits::default() };
    for ended in ["[1 x", "[12 x", "[1, 2, x", "[\"a\" x", "[[1] x", "[true x"] {
        let text = format!("{}{ended} and on {{\"a\": 1}}", &words[..512 - ended.len()]);
        let report = check(&text, object(limits), STOP);
        assert!(
            matches!(report, Report::Failure { code: Code::NoDocument, offset: 512, decided_at: 511, .. }),
            "{ended}: {report:?}"
        );
    }
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

/// Honest texts that the guard on repetition takes for a loop all the same, and the number of parts from which on it does. Of
/// those that are not listed none trips at ten times the size of these.
const TAKEN_FOR_LOOPS: &[(&str, usize)] = &[
    ("equal values", 726),
    ("equal long values", 242),
    ("equal objects", 162),
    ("points at the origin", 242),
    ("hex of ones", 1448),
    ("table of equal rows", 218),
    ("csv of equal rows", 242),
    ("log of one second", 125),
    ("chorus", 87),
    ("lorem ipsum", 19),
    ("laughter", 2171),
    ("stairs of an SVG", 1086),
];

fn trips(text: &Honest) -> Option<usize> {
    TAKEN_FOR_LOOPS.iter().find(|(name, _)| *name == text.name).map(|(_, count)| *count)
}

/// Text that people and models write on purpose, as long as they would write it.
#[test]
fn what_is_written_on_purpose_does_not_trip() {
    let mut wrong = Vec::new();
    for text in honest::all() {
        let made = text.usual();
        let report = check(&made.reply, Expect::any(), STOP);
        let may_trip = trips(&text).is_some_and(|count| count <= text.usual);
        let fits = if may_trip { report.outcome() == "runaway" } else { is_whole(&report, &made.document) };
        if !fits {
            wrong.push(format!("{}, {} bytes: {:?}", text.name, made.reply.len(), report.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of what was taken for a loop: one part fewer is read, and the page says so.
#[test]
fn what_is_taken_for_a_loop_is_known() {
    let design = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("DESIGN.md")).expect("the page");
    let mut missing = Vec::new();
    for text in honest::all() {
        let Some(count) = trips(&text) else {
            if text.name == "indentation" {
                continue; // Levels have a limit of their own.
            }
            let most = text.of(text.within(40 << 10));
            let report = check(&most.reply, Expect::any(), STOP);
            assert!(is_whole(&report, &most.document), "{}: {:?}", text.name, report.code());
            continue;
        };
        let (at, past) = (text.of(count - 1), text.of(count));
        assert!(is_whole(&check(&at.reply, Expect::any(), STOP), &at.document), "{} at {count}", text.name);
        assert_eq!(check(&past.reply, Expect::any(), STOP).code(), Some(Code::Repetition), "{} at {count}", text.name);
        let row = format!("| {} | {} | {count} | {} |", text.name, text.part, past.reply.len());
        if !design.contains(&row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "not in DESIGN.md:\n{}", missing.join("\n"));
}

/// A long period that holds a run of its own is still a period.
#[test]
fn a_run_around_runs_trips() {
    let period = format!("{}and so it goes again", "-".repeat(880));
    let past = format!("{{\"a\": \"{}", period.repeat(18));
    table(Expect::object(), STOP, &[("past", &*past, Err(("repetition", 7)), "eight copies are there at byte 7424")]);
}

/// A document, and all of the reply was read.
fn is_whole(report: &Report, document: &str) -> bool {
    matches!(report, Report::Document { text, warnings, .. } if text == document && warnings.is_empty())
}

/// Runs whose places of judgement lie inside characters and escapes: the same byte for every shift and, by `check()`, every cut.
#[test]
fn judged_inside_characters_and_escapes() {
    let limits = Limits { repetition: Some(300), other_repetition: Some(300), ..Limits::default() };
    let copies = [
        "é",
        "éè",
        "日本",
        "🙂",
        "日🙂",
        "so on é ",
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude42",
        "\\\\",
        "\\\"",
        "a\\n",
        "\\\\\\t",
    ];
    for copy in copies {
        for shift in 1..=copy.len() {
            let start = 7 + shift;
            let text = |len: usize| {
                let count = (len - start).div_ceil(copy.len());
                format!("{{\"a\": \"{}{}\"}}", "x".repeat(shift), copy.repeat(count))
            };
            let judged = (start + 300).next_multiple_of(256);
            let past = text(judged);
            let report = check(&past, object(limits), STOP);
            // A character of several bytes shows what it is with its last.
            let certain = (judged..).find(|&end| past.is_char_boundary(end)).map(|end| end - 1);
            let Report::Failure { code: Code::Repetition, offset, decided_at, .. } = report else {
                panic!("{copy} behind {shift}: {report:?}")
            };
            assert_eq!((offset, Some(decided_at)), (start, certain), "{copy} behind {shift}");
            if shift == 1 {
                let at = text(judged - copy.len());
                assert_eq!(check(&at, object(limits), STOP).text(), Some(&*at), "{copy}");
            }
        }
    }
}

/// The same for the guards on text around a document.
#[test]
fn text_guards_judged_inside_characters() {
    let limits = Limits { text_before: Some(300), text_behind: Some(300), ..Limits::default() };
    let words: String = (0..200).map(|at| ["é", "日本 ", "🙂", "ok, "][at * at % 7 % 4]).collect();
    let document = "{\"a\": 1}";
    for shift in 0..=8 {
        let before = "x".repeat(shift) + &words;
        let before = format!("{} {document}", &before[..before.floor_char_boundary(600)]);
        let report = check(&before, object(limits), STOP);
        let certain = (512..).find(|&end| before.is_char_boundary(end)).map(|end| end - 1);
        let Report::Failure { code: Code::NoDocument, decided_at, .. } = report else { panic!("{shift}: {report:?}") };
        assert_eq!(Some(decided_at), certain, "behind {shift}");
        let behind = format!("{document} {}{words} {{\"b\": 2}}", "x".repeat(shift));
        assert!(is_final(&check(&behind, object(limits), STOP), document), "behind {shift}");
    }
}
