//! The texts of re-asks: filled once, never expanded again, and wrong ones refused when they are given.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use thusfar_contract::{Contract, Feedback, Filling, Quote, Wording, Words};
use thusfar_core::{Expect, read};

fn failure(text: &str) -> Feedback {
    Feedback::of_failure(&read(text, Expect::object()).expect_err("no document"))
}

fn filling<'a>(feedback: &'a Feedback, schema: Option<&'a str>, tail: Option<&'a str>) -> Filling<'a> {
    let mut filling = Filling::default();
    (filling.feedback, filling.schema, filling.tail) = (Some(feedback), schema, tail);
    filling
}

#[test]
fn each_kind_has_a_text_of_its_own() {
    let words = Words::default();
    let texts: Vec<_> = Wording::ALL.iter().map(|wording| words.text(*wording)).collect();
    for (at, (wording, text)) in Wording::ALL.iter().zip(&texts).enumerate() {
        assert!(text.len() > 40 && !texts[..at].contains(text), "{wording:?}");
        let other = Words::default().with(*wording, "other").expect("no placeholder");
        for read in Wording::ALL {
            assert_eq!(other.text(read) == "other", read == *wording, "{wording:?} and {read:?}");
        }
    }
    let names: Vec<_> = Wording::ALL.iter().map(|wording| wording.as_str()).collect();
    assert_eq!(
        names,
        [
            "malformation",
            "ambiguous",
            "schema_mismatch",
            "unclosed",
            "nothing_found",
            "restate_schema",
            "continue",
            "repaired"
        ]
    );
}

#[test]
fn each_placeholder_is_filled() {
    let contract = Contract::from_schema(r#"{"properties": {"n": {"maximum": 3}}}"#).expect("a schema");
    let document = read("See:\n{\"n\": 7}", Expect::object()).expect("a document");
    let feedback = Feedback::of_check(&contract.check(&document), &document).expect("not valid");
    let filling = filling(&feedback, Some("{\"a\": \"```\"}"), Some("tail"));
    for (text, want) in [
        ("<{message}>", "<the reply does not follow the schema>".to_owned()),
        ("<{line}:{column}>", "<2:7>".to_owned()),
        ("<{path}>", "<\"/n\">".to_owned()),
        ("<{excerpt}>", format!("<{}>", feedback.excerpt())),
        ("<{violations}>", "<- `/n` must be at most 3; you returned 7 (line 2, column 7)>".to_owned()),
        ("<{feedback}>", format!("<{feedback}>")),
        ("<{schema}>", "<~~~\n{\"a\": \"```\"}\n~~~>".to_owned()),
        ("<{tail}>", "<```\ntail\n```>".to_owned()),
        ("{line}{line}", "22".to_owned()),
        ("", String::new()),
        ("{line}\n\n", "2".to_owned()),
    ] {
        let words = Words::default().with(Wording::SchemaMismatch, text).expect(text);
        assert_eq!(words.fill_with(Wording::SchemaMismatch, &filling), want, "{text}");
    }
}

#[test]
fn what_is_not_known_is_empty_or_says_so() {
    let words = |text: &str| Words::default().with(Wording::NothingFound, text).expect("known placeholders");
    let nothing = failure("Sorry, no.");
    let text = "{line}|{column}|{path}|{violations}|{schema}|{tail}|.";
    assert_eq!(words(text).fill(Wording::NothingFound, &nothing), "?|?|the reply||||.");
    let plain = failure("{\"secret\": tru}").quote(Quote::Nothing);
    assert_eq!(words("{path}|{excerpt}|{line}.").fill(Wording::NothingFound, &plain), "the reply||1.");
    assert_eq!(words("{message}{feedback}{excerpt}.").fill_with(Wording::NothingFound, &Filling::default()), ".");
}

#[test]
fn braces_that_are_no_placeholders_stand_for_themselves() {
    let feedback = failure("x");
    for (text, want) in [
        ("{\"a\": {\"b\": {}}}", "{\"a\": {\"b\": {}}}"),
        ("{", "{"),
        ("{{", "{{"),
        ("{}", "{}"),
        ("{line", "{line"),
        ("{ line }", "{ line }"),
        ("{Line}", "{Line}"),
        ("{line2}", "{line2}"),
        ("{{path}", "{path}"),
        ("{{{path}", "{{path}"),
        ("{{nobody}", "{nobody}"),
        ("{{path}}", "{path}}"),
        ("é{path}é", "éthe replyé"),
    ] {
        let words = Words::default().with(Wording::Malformation, text).expect(text);
        assert_eq!(words.fill(Wording::Malformation, &feedback), want, "{text}");
        assert_eq!(words.text(Wording::Malformation), text);
    }
}

#[test]
fn an_unknown_placeholder_is_refused_when_it_is_given() {
    for (text, name, offset) in [
        ("{place}", "place", 0),
        ("é {lines} {line}", "lines", 3),
        ("{line} {_}", "_", 7),
        ("{{line} {mesage}", "mesage", 8),
        ("{ {nobody}", "nobody", 2),
    ] {
        let error = Words::default().with(Wording::Unclosed, text).expect_err(text);
        assert_eq!((error.wording(), error.name(), error.offset()), (Wording::Unclosed, name, offset), "{text}");
    }
}

#[test]
fn what_a_model_wrote_is_never_expanded() {
    let hostile = "{\"{schema}\": {message} {{path} {nobody}";
    let words = Words::default().with(Wording::Malformation, "{excerpt}|{path}|{tail}|{schema}").expect("known");
    let feedback = failure(hostile);
    let filled = words.fill_with(Wording::Malformation, &filling(&feedback, Some("{line}"), Some("{column}")));
    let want = format!("{}|\"/{{schema}}\"|```\n{{column}}\n```|```\n{{line}}\n```", feedback.excerpt());
    assert_eq!(filled, want);
    assert!(feedback.excerpt().contains(hostile));
}

#[test]
fn a_tail_goes_out_to_the_letter() {
    let tail = "a\u{202e}b\u{1b}\r\n```";
    let filled = Words::default().fill_with(Wording::Continue, &filling(&failure("x"), None, Some(tail)));
    assert!(filled.contains(&format!("\n~~~\n{tail}\n~~~\n")), "{filled}");
}

#[test]
fn debug_shows_no_text() {
    let shown = format!("{:?}", filling(&failure("canary"), Some("canary"), Some("canary")));
    assert!(!shown.contains("canary"), "{shown}");
}

/// `MORE_CASES=20` tries twenty times as many, with a seed of its own.
fn cases() -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(8) };
    let cases = 400 * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed: seed, failure_persistence: None, ..ProptestConfig::default() }
}

/// A piece of a text, and what comes of it; of a placeholder without a value here, the value itself.
const PIECES: [(&str, Option<&str>); 9] = [
    ("{line}", Some("1")),
    ("{tail}", None),
    ("{{line}", Some("{line}")),
    ("{{nobody}", Some("{nobody}")),
    (" { ", Some(" { ")),
    ("{\"a\": {}}", Some("{\"a\": {}}")),
    ("}", Some("}")),
    ("line", Some("line")),
    ("é", Some("é")),
];

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_text_is_its_pieces_filled(pieces in vec(select(&PIECES[..]), 0..12), tail in "[{}a-z`~ ]{0,12}|\\{line\\}") {
        let text: String = pieces.iter().map(|(piece, _)| *piece).collect();
        let feedback = Feedback::of_message("x", "y", Some(0));
        let fill = |text: &str| {
            let words = Words::default().with(Wording::Malformation, text).expect("known placeholders");
            words.fill_with(Wording::Malformation, &filling(&feedback, None, Some(&tail)))
        };
        let value = fill("{tail}");
        prop_assert!(value.contains(&tail));
        let want: String = pieces.iter().map(|(_, becomes)| becomes.unwrap_or(&value)).collect();
        prop_assert_eq!(fill(&text), want.trim_end());
    }
}
