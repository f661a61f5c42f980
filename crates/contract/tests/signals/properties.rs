//! What holds of every reply: a value stands in the text as a whole word, where it counts, and a second one never goes unnoticed.

use std::ops::Range;

use proptest::prelude::*;
use thusfar_contract::{Extracted, Signal, SignalValue, Via};
use thusfar_core::Ending;

use crate::extracted::{Asked, extracted};

/// A verdict, a score, a flag and a note; which of several counts is open.
const TARGETS: &str = concat!(
    r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject", "A", "pass with remarks"], "#,
    r#""aliases": {"reject": ["not recommended"]}, "which": "WHICH"},"#,
    r#"{"name": "score", "type": "number", "min": 0, "max": 10, "which": "WHICH"},"#,
    r#"{"name": "blocking", "type": "boolean", "which": "WHICH"},"#,
    r#"{"name": "note", "type": "text", "which": "WHICH"}"#
);

/// The targets one by one.
fn targets() -> Vec<String> {
    TARGETS.replace("},{", "}\n{").lines().map(str::to_owned).collect()
}

fn asked(which: &str) -> Asked {
    Asked::of(&TARGETS.replace("WHICH", which))
}

fn which() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["only", "first", "last"][..])
}

/// What sentences about a value are made of.
const SAID: &[&str] = &[
    "approve",
    "reject",
    "Reject",
    "APPROVE",
    "A",
    "a",
    "not recommended",
    "pass with remarks",
    "pass",
    "7",
    "8/10",
    "85%",
    "7-8",
    "1,000",
    "0.5",
    "3 out of 10",
    "-1",
    "12",
    "yes",
    "no",
    "true",
    "false",
    "Verdict",
    "verdict:",
    "Verdict: ",
    "Score: ",
    "score of ",
    "Blocking: ",
    "is",
    "note:",
    "not",
    "don't",
    "cannot",
    "never",
    "if",
    "unless",
    "actually",
    "wait",
    "but",
    "I",
    "would",
    "first",
    "was",
    "?",
    ".",
    ",",
    ";",
    "!",
    ":",
    "=",
    "-",
    " - ",
    "\u{2014}",
    "(",
    ")",
    "[",
    "]",
    "[[",
    "]]",
    "**",
    "_",
    "*",
    "|",
    "/",
    "@",
    "#",
    "+",
    "~",
    "%",
    "\u{2705}",
    "\u{E9}",
    "\u{301}",
    "\u{200B}",
    "\u{FF1A}",
    "groß",
    "tests",
    "x",
];

/// Marks that change what the text behind them is.
const MARKS: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    "\"",
    "'",
    "`",
    "\u{201C}",
    "\u{201D}",
    "\u{2018}",
    "\u{2019}",
    "\u{AB}",
    "\u{BB}",
    "```",
    "\n```\n",
    "~~~\n",
    "<think>",
    "\n<think>",
    "</think>",
    "<verdict>",
    "</verdict>",
    "<",
    ">",
    "# ",
    "\n## ",
    "\n- ",
    "\n1. ",
    "\n> ",
    "\n| ",
    " | ",
    "\n|---|---|\n",
    "---\n",
    "    ",
    "\t",
    "\u{1F44D}",
    "\u{0}",
    "\u{FEFF}",
    "\u{2028}",
];

/// A sentence on one line, without any mark that quotes.
fn sentence() -> impl Strategy<Value = String> {
    let part = (prop::sample::select(SAID), prop::sample::select(&["", " ", " "][..]));
    prop::collection::vec(part, 1..8).prop_map(|parts| {
        let said: String = parts.into_iter().flat_map(|(said, space)| [said, space]).collect();
        // An apostrophe would be a question of quotes.
        said.replace('\'', "")
    })
}

/// Something of known kind: whether values in it may count.
#[derive(Clone, Debug)]
struct Block {
    text: String,
    counts: bool,
}

fn block() -> impl Strategy<Value = Block> {
    let plain = |text: String| Block { text, counts: true };
    let mute = |text: String| Block { text, counts: false };
    let label = prop::sample::select(
        &["Verdict: ", "**Verdict:** ", "Score: ", "Blocking: ", "- Verdict: ", "## Verdict\n"][..],
    );
    let value = prop::sample::select(&["approve", "reject", "7", "8/10", "yes", "no", "A"][..]);
    prop_oneof![
        8 => (label, value).prop_map(move |(label, value)| plain(format!("{label}{value}"))),
        3 => sentence().prop_map(plain),
        1 => sentence().prop_map(move |said| mute(format!("The text \"x {said} x\""))),
        1 => sentence().prop_map(move |said| mute(format!("The text \u{201C}x {said} x\u{201D}"))),
        1 => sentence().prop_map(move |said| mute(format!("The text `x {said} x`"))),
        1 => sentence().prop_map(move |said| mute(format!("```\n{said}\n```"))),
        1 => sentence().prop_map(move |said| mute(format!("~~~text\n{said}\n~~~"))),
        1 => sentence().prop_map(move |said| mute(format!("<think>{said}</think>"))),
    ]
}

/// Blocks with empty lines between them, and where each of them stands.
fn joined(blocks: &[Block]) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut places = Vec::new();
    for block in blocks {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        places.push(text.len()..text.len() + block.text.len());
        text.push_str(&block.text);
    }
    (text, places)
}

/// What is part of a word by tables of our own: letters, digits, marks that combine, what has no width, `-` and `_`.
fn is_of_a_word(one: char) -> bool {
    let combines = matches!(one, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{20D0}'..='\u{20FF}');
    let has_no_width = matches!(one, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}');
    one.is_alphanumeric() || combines || has_no_width || one == '-' || one == '_'
}

/// Why the text at a span is no whole word; nothing if it is.
fn not_whole(text: &str, span: Range<usize>) -> Option<String> {
    let (mut front, mut behind) = (&text[..span.start], &text[span.end..]);
    // Underscores on both sides are emphasis.
    while let (Some(less), Some(rest)) = (front.strip_suffix('_'), behind.strip_prefix('_')) {
        (front, behind) = (less, rest);
    }
    // What has no width, or combines with what stands in front of it, begins no word by itself.
    let bare = front.trim_end_matches(|one: char| !one.is_alphanumeric() && !"-_".contains(one) && is_of_a_word(one));
    let front = if bare.len() == front.len() || bare.ends_with(is_of_a_word) { front } else { "" };
    let (before, after) = (front.chars().next_back(), behind.chars().next());
    let then = behind.chars().nth(1);
    let is_number = text[span].ends_with(|one: char| one.is_ascii_digit());
    let goes_on = |one: char| ".,:/".contains(one) && is_number && then.is_some_and(|then| then.is_ascii_digit());
    if let Some(before) = before.filter(|&before| is_of_a_word(before) || "/\\@#$&+^~%".contains(before)) {
        return Some(format!("{before:?} in front"));
    }
    // Digits and a slash are the value of a scale, which is written apart.
    let is_scaled = after == Some('/') && is_number;
    let is_bad =
        |one: char| is_of_a_word(one) || (goes_on(one) && !is_scaled) || ("/\\@#$&+=^~".contains(one) && !is_scaled);
    if let Some(after) = after.filter(|&after| is_bad(after)) {
        return Some(format!("{after:?} behind"));
    }
    let is_glued = after == Some('.') && then.is_some_and(is_of_a_word);
    is_glued.then(|| "a full stop and a word behind".to_owned())
}

/// Values and their places; a text is more than a word.
fn words_found(extracted: &Extracted) -> Vec<(&str, Range<usize>, &Signal)> {
    let found = extracted.iter().filter(|(name, signal)| *name != "note" && signal.is_ok());
    let placed = found.map(|(name, signal)| (name, signal.span().expect("a place"), signal));
    placed.map(|(name, span, signal)| (name, span.start..span.end, signal)).collect()
}

fn endings() -> impl Strategy<Value = Ending> {
    prop::sample::select(&[Ending::Stop, Ending::Unknown, Ending::ToolUse, Ending::Length, Ending::Disconnected][..])
}

fn cases() -> ProptestConfig {
    let more: u32 = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    // A failure is kept as a row of a test that says what it is.
    ProptestConfig { cases: 150 * more, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_value_is_a_whole_word_where_it_counts(blocks in prop::collection::vec(block(), 1..6), which in which(), ending in endings()) {
        let (text, places) = joined(&blocks);
        let found = extracted(&asked(which), &text, ending);
        for (name, span, _) in words_found(&found) {
            prop_assert_eq!(not_whole(&text, span.clone()), None, "{}: {:?} in {:?}", name, &text[span], text);
            let block = places.iter().position(|place| place.start <= span.start && span.end <= place.end);
            prop_assert!(block.is_some_and(|at| blocks[at].counts), "{}: {:?} counts in {:?}", name, &text[span], text);
        }
    }

    #[test]
    fn a_second_labelled_value_never_goes_unnoticed(blocks in prop::collection::vec(block(), 1..6), at in any::<prop::sample::Index>(), pick in 0..3usize) {
        let (text, _) = joined(&blocks);
        let asked = asked("only");
        let found = extracted(&asked, &text, Ending::Stop);
        let (name, lines) = [
            ("verdict", ["Verdict: approve", "Verdict: reject"]),
            ("score", ["Score: 3", "Score: 4.5"]),
            ("blocking", ["Blocking: true", "Blocking: no"]),
        ][pick];
        let signal = found.get(name).expect("a target");
        for (line, value) in lines.iter().zip([["approve", "3", "true"], ["reject", "4.5", "false"]]) {
            let value = value[pick];
            let is_other = match signal.value() {
                Some(SignalValue::Boolean(found)) => found.to_string() != value,
                Some(found) => found.as_str().or_else(|| found.as_number()) != Some(value),
                None => false,
            };
            if signal.via() == Some(Via::Label) && is_other {
                let mut more = blocks.clone();
                more.insert(at.index(blocks.len() + 1), Block { text: (*line).to_owned(), counts: true });
                let (text, _) = joined(&more);
                let found = extracted(&asked, &text, Ending::Stop);
                prop_assert!(!found.get(name).expect("a target").is_ok(), "{} is still ok in {:?}", name, text);
            }
        }
    }

    #[test]
    fn pieces_in_any_order_read_alike(
        pieces in prop::collection::vec(prop_oneof![2 => prop::sample::select(SAID), 1 => prop::sample::select(MARKS)], 0..24),
        spaces in any::<u32>(),
        which in which(),
        ending in endings(),
    ) {
        let spaced = pieces.iter().enumerate().map(|(at, piece)| if spaces >> at & 1 == 1 { format!("{piece} ") } else { (*piece).to_owned() });
        let text: String = spaced.collect();
        let found = extracted(&asked(which), &text, ending);
        for (name, span, _) in words_found(&found) {
            prop_assert_eq!(not_whole(&text, span.clone()), None, "{}: {:?} in {:?}", name, &text[span], text);
        }
    }

    #[test]
    fn targets_in_any_order_read_alike(
        pieces in prop::collection::vec(prop_oneof![2 => prop::sample::select(SAID), 1 => prop::sample::select(MARKS)], 0..24),
        which in which(),
        turn in 1..4usize,
    ) {
        let text = pieces.join(" ");
        let mut targets = targets();
        let straight = asked(which).signals.extract(&text, Ending::Stop);
        targets.rotate_left(turn);
        for targets in [targets.clone(), targets.into_iter().rev().collect::<Vec<_>>()] {
            let spec = targets.join(",").replace("WHICH", which);
            let turned = Asked::of(&spec).signals.extract(&text, Ending::Stop);
            for (name, signal) in straight.iter() {
                prop_assert_eq!(Some(signal), turned.get(name), "{} in {:?}", name, text);
            }
        }
    }

    #[test]
    fn targets_that_are_not_spoken_of_change_nothing(
        pieces in prop::collection::vec(prop_oneof![2 => prop::sample::select(SAID), 1 => prop::sample::select(MARKS)], 0..24),
        which in which(),
    ) {
        let text = pieces.join(" ");
        let all = asked(which).signals.extract(&text, Ending::Stop);
        let says = |name: &str| text.to_lowercase().contains(name);
        for target in targets() {
            let alone = Asked::of(&target.replace("WHICH", which)).signals.extract(&text, Ending::Stop);
            let (name, signal) = alone.iter().next().expect("a target");
            let others = ["verdict", "score", "blocking", "note"].into_iter().filter(|other| *other != name);
            // Of words of several the others are parts: `not recommended` denies nothing.
            if others.into_iter().chain(["not recommended", "pass with remarks"]).all(|other| !says(other)) {
                // Only when it is told may depend on others, whose words are longer.
                let told = |signal: &Signal| (signal.code(), signal.value().cloned(), signal.span(), signal.candidates().to_vec());
                prop_assert_eq!(Some(told(signal)), all.get(name).map(told), "{} in {:?}", name, text);
            }
        }
    }

    #[test]
    fn a_cut_reply_has_no_value_that_the_whole_has_not(
        blocks in prop::collection::vec(block(), 1..4),
        which in which(),
        ending in prop::sample::select(&[Ending::Length, Ending::Filtered, Ending::Disconnected, Ending::TimedOut][..]),
    ) {
        let (text, _) = joined(&blocks);
        let asked = asked(which);
        for (cut, _) in text.char_indices() {
            let found = asked.signals.extract(&text[..cut], ending);
            for (name, span, signal) in words_found(&found) {
                prop_assert_eq!(not_whole(&text, span.clone()), None, "{}: {:?}, cut at {}: {:?}", name, &text[span], cut, text);
                // A scale that comes later would have been part of it.
                let is_scaled = text[span.end..].trim_start_matches([' ', '*']).starts_with('/');
                let is_number = signal.value().is_some_and(|value| value.as_number().is_some());
                prop_assert!(!is_number || !is_scaled || signal.scale().is_some(), "{}: cut at {}: {:?}", name, cut, text);
            }
        }
    }
}
