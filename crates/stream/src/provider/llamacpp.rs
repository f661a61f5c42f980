//! The `/completion` of llama.cpp's server. Its `/v1` endpoints speak OpenAI's and Anthropic's protocols.

use crate::facts::{Facts, Slot};
use crate::provider::finish;
use crate::provider::read::{Tell, choice, is_true, string, tell_counts, tell_error, tell_text};
use crate::provider::{Dialect, Errors};
use crate::said::{LaneKind, Said, Written};
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: false, errors: Errors::LlamaCpp, read };

const PATHS: &[(&str, Slot)] = &[
    ("index", Slot::Choice),
    ("content", Slot::Text),
    ("stop", Slot::Done),
    ("stop_type", Slot::Finish),
    ("error", Slot::Error),
    ("tokens_evaluated", Slot::UsageMember),
    ("tokens_predicted", Slot::UsageMember),
    // Older servers say it so.
    ("stopped_limit", Slot::FinishDetail),
    ("stopped_word", Slot::FinishDetail),
    ("stopped_eos", Slot::FinishDetail),
];

const USAGE_ROW: u8 = 5;
const USAGE: [&str; 2] = ["tokens_evaluated", "tokens_predicted"];

const STOPPED_ROW: u8 = 7;
const STOPPED: [&str; 3] = ["limit", "word", "eos"];

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    let choice = choice(facts);
    tell_text(choice, LaneKind::Text, Slot::Text, facts, tell);
    let is_done = is_true(facts, Slot::Done);
    if is_done {
        let raw = string(facts, Slot::Finish).unwrap_or_else(|| Written(stopped(facts).as_bytes()));
        tell(Said::Finish { choice, raw, class: finish::class_of(raw.0) });
        tell_counts(USAGE_ROW, &USAGE, facts, tell);
    }
    tell_error(name, data, facts, tell);
    if is_done {
        tell(Said::Terminal("stop:true"));
    }
}

fn stopped(facts: &Facts<'_>) -> &'static str {
    let is_said = |row: u8| facts.iter().any(|fact| fact.row == row && fact.text == b"true");
    (STOPPED_ROW..).zip(STOPPED).find(|(row, _)| is_said(*row)).map_or("", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_their_numbers_say() {
        for (row, member) in (USAGE_ROW..).zip(USAGE) {
            assert_eq!(PATHS[usize::from(row)].0, member);
        }
        for (row, name) in (STOPPED_ROW..).zip(STOPPED) {
            assert_eq!(PATHS[usize::from(row)].0.strip_prefix("stopped_"), Some(name));
        }
    }
}
