//! Verdicts, scores, flags and texts read out of prose: found where they are meant, and never a value that nobody gave.

mod extracted; // a reply under every way of cutting it
mod rows; // rows of spec, reply and what is expected
mod cases; // re-created public reports
mod rules; // where a value stands: labels, quotes, fences, several targets, the end
mod rules_words; // what a sentence says about a value
mod rules_numbers; // numbers, booleans, texts
mod hostile; // what must not come out with the wrong value
mod strange; // where a value is part of something else
mod specs; // what is wrong with a spec
mod honest; // what judges really write, and must come out
mod properties; // what holds of every reply
mod cost; // what looking costs
