//! Closing tags that close nothing. Behind a call, a model that is caught in a loop prints thousands of them. Behind other text, one that
//! closes a parameter says that a raw text may have closed too early.

use super::super::input::{Seen, starts};
use super::gemma;
use super::tag::{Head, Prefix, closed, head};

/// The names of the tags that calls are written with.
const NAMES: [&str; 8] =
    ["tool_call", "tool_calls", "function", "function_call", "function_calls", "parameter", "parameters", "invoke"];
/// Those that close a parameter.
const PARAMETERS: [&str; 2] = ["parameter", "arg_value"];

/// The length of a closing tag at the beginning of a text, whatever its namespace.
pub(in super::super) fn closer(text: &str) -> Result<usize, Seen> {
    closing(text, |head| NAMES.contains(&head.name))
}

/// The same of a tag that closes a parameter, or of a mark that closes a text.
pub(in super::super) fn parameter_closer(text: &str) -> Result<usize, Seen> {
    let mut seen = Seen::No;
    for mark in [gemma::FOUR.quote, gemma::THREE.quote] {
        match starts(text, mark) {
            Seen::Yes => return Ok(mark.len()),
            Seen::More => seen = Seen::More,
            Seen::No => {}
        }
    }
    match closing(text, |head| PARAMETERS.contains(&head.name)) {
        Err(Seen::No) => Err(seen),
        found => found,
    }
}

fn closing(text: &str, is_one: impl Fn(&Head<'_>) -> bool) -> Result<usize, Seen> {
    let of = |prefix| {
        let head = head(text, prefix)?;
        if head.is_closing && is_one(&head) { closed(text, &head) } else { Err(Seen::No) }
    };
    match of(Prefix::Namespace) {
        Err(Seen::No) => of(Prefix::Dsml),
        seen => seen,
    }
}
