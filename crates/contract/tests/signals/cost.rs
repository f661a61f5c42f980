//! What looking for signals costs: linear in the reply, whatever is in it and however it is cut.

use std::time::{Duration, Instant};

use thusfar_core::Ending;

use crate::extracted::Asked;
use crate::rows::ALL;

/// Texts that are nearly a label, a value, a quote or a number, over and over.
const NEAR: &[&str] = &[
    "v",
    "verdict",
    "verdict ",
    "Verdict:",
    "Verdict: ",
    "Verdict: approv ",
    "Verdict: approve ",
    "Verdict: approve\n",
    "Verdict\n",
    "## Verdict\n\n",
    "Verdict (",
    "Verdict (((",
    "approve ",
    "approve",
    "approve.",
    "I approve. ",
    "not approve ",
    "not ",
    "not a to be the would ",
    "if ",
    "? ",
    "! ",
    "\"",
    "\"\n",
    "'",
    " '",
    "`",
    "``",
    "\u{201C}",
    "\u{201D}",
    "\u{AB}",
    "[",
    "[[",
    "]]",
    "[[approve",
    "[[approve]]",
    "<",
    "<verdict>",
    "</think>",
    "<think>",
    "1",
    ".",
    "1.",
    "1 ",
    "8/",
    "8/10 ",
    "8 out of ",
    "85%",
    "1,",
    "-",
    "- ",
    "_",
    "**",
    "*",
    "|",
    "| ",
    "| a ",
    "|\n",
    "|---",
    "\n",
    "\r\n",
    " ",
    "\u{200B}",
    "\u{301}",
    "\u{E9}",
    "\u{1F44D}",
    "```",
    "```\n",
    "~~~\n",
    "> ",
    "# ",
    "=",
    ":",
    "\u{FF1A}",
    "Score: ",
    "Score: 8\n",
    "score of ",
    "yes ",
    "Yes. ",
    "no, ",
    "actually ",
    "Note: x",
];

/// Pushes a text in chunks of at least so many bytes, and tells how many steps that took.
fn pushed(text: &str, chunk_len: usize) -> u64 {
    let asked = Asked::of(&format!("{ALL},{{\"name\": \"note\", \"type\": \"text\"}}"));
    let mut extraction = asked.signals.begin();
    let mut rest = text;
    while !rest.is_empty() {
        let mut at = chunk_len.min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let _ = extraction.push(&rest[..at]);
        rest = &rest[at..];
    }
    let steps = extraction.steps();
    let _ = extraction.finish(Ending::Stop);
    steps
}

fn took(text: &str, chunk_len: usize) -> Duration {
    let begun = Instant::now();
    pushed(text, chunk_len);
    begun.elapsed()
}

#[test]
fn near_labels_cost_a_bounded_number_of_steps_a_byte() {
    for near in NEAR {
        let text = near.repeat(40_000 / near.len() + 1);
        for chunk_len in [usize::MAX, 1] {
            let steps = pushed(&text, chunk_len) as f64 / text.len() as f64;
            assert!(steps < 40.0, "{near:?} in chunks of {chunk_len}: {steps} steps a byte");
        }
    }
}

#[allow(clippy::print_stdout)] // it is asked for by hand
/// Prints what a megabyte of each costs, and what a quarter of it does; run by hand, in release.
#[test]
#[ignore = "a measurement"]
fn a_megabyte_of_near_labels() {
    for near in NEAR {
        let text = near.repeat((1 << 20) / near.len() + 1);
        let quarter = near.repeat((1 << 18) / near.len() + 1);
        for chunk_len in [usize::MAX, 1] {
            let (all, part) = (took(&text, chunk_len), took(&quarter, chunk_len));
            let (all, part) = (all.as_secs_f64() * 1e3, part.as_secs_f64() * 1e3);
            println!(
                "{all:>8.1} ms, a quarter {part:>8.1} ms, {:>5.1} times  {near:?} in chunks of {chunk_len}",
                all / part
            );
        }
    }
}
