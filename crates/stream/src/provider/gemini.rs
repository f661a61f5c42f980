//! Gemini's streams, at Google AI and at Vertex.
//!
//! A call comes whole, its arguments an object. Vertex may send them in pieces: first a name, then parts without one that
//! hold patches, last an empty part. A call without an ID is a new one whenever it has a name. The prompt may be blocked,
//! and then there is no candidate.

use crate::facts::{Fact, Facts, Slot};
use crate::provider::members::{elements, members, unquoted};
use crate::provider::read::{
    Tell, call, choice, find, is_true, string, tell_call, tell_error, tell_finish, tell_text, tell_usage,
};
use crate::provider::{Dialect, Errors};
use crate::said::{Args, Call, FinishClass, LaneKind, Said, Written};
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: false, errors: Errors::Google, read };

const PATHS: &[(&str, Slot)] = &[
    ("error", Slot::Error),
    ("usageMetadata", Slot::Usage),
    ("promptFeedback/blockReason", Slot::FinishDetail),
    ("candidates/*/index", Slot::Choice),
    ("candidates/*/finishReason", Slot::Finish),
    ("candidates/*/content/parts/*/text", Slot::Text),
    ("candidates/*/content/parts/*/thought", Slot::IsThought),
    ("candidates/*/content/parts/*/functionCall/id", Slot::ToolId),
    ("candidates/*/content/parts/*/functionCall/name", Slot::ToolName),
    ("candidates/*/content/parts/*/functionCall/args", Slot::ToolJson),
    ("candidates/*/content/parts/*/functionCall/partialArgs", Slot::Patches),
    ("candidates/*/content/parts/*/functionCall/willContinue", Slot::GoesOn),
];

/// From this row on a fact is of a candidate; from the next one, of a part.
const CANDIDATE_ROW: u8 = 3;
const PART_ROW: u8 = 5;

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    let is_of_candidate = |fact: &Fact<'_>| fact.row >= CANDIDATE_ROW;
    let is_one = |a: &Fact<'_>, b: &Fact<'_>| is_of_candidate(a) && is_of_candidate(b) && a.place[0] == b.place[0];
    for candidate in facts.chunk_by(is_one).filter(|facts| facts.iter().any(is_of_candidate)) {
        read_candidate(candidate, tell);
    }
    if let Some(raw) = string(facts, Slot::FinishDetail) {
        tell(Said::Finish { choice: 0, raw, class: FinishClass::Filter });
    }
    tell_usage(facts, tell);
    tell_error(name, data, facts, tell);
}

fn read_candidate(facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    let choice = choice(facts);
    let is_one = |a: &Fact<'_>, b: &Fact<'_>| a.row >= PART_ROW && b.row >= PART_ROW && a.place[1] == b.place[1];
    for part in facts.chunk_by(is_one).filter(|facts| facts.iter().any(|fact| fact.row >= PART_ROW)) {
        let kind = if is_true(part, Slot::IsThought) { LaneKind::Reasoning } else { LaneKind::Text };
        tell_text(choice, kind, Slot::Text, part, tell);
        read_call(choice, part, tell);
    }
    tell_finish(choice, facts, tell);
}

fn read_call(choice: u32, part: &[Fact<'_>], tell: &mut Tell<'_>) {
    let named = call(part);
    let mut call = Call { is_new: named.name.is_some(), ..named };
    let args = find(part, Slot::ToolJson).filter(|fact| fact.text.starts_with(b"{")).map(|fact| fact.text);
    let Some(patches) = find(part, Slot::Patches) else {
        // Where more comes this is no more than where it begins.
        let begins = is_true(part, Slot::GoesOn);
        let args = args.map_or(Args::Nothing, |args| if begins { Args::Placeholder(args) } else { Args::Json(args) });
        return tell_call(choice, call, args, tell);
    };
    tell_call(choice, call, Args::Nothing, tell);
    // Each patch is of the call that was told just now, or of the latest.
    call = Call { id: call.id, ..Call::default() };
    for patch in elements(patches.text) {
        if let Some(args) = read_patch(patch) {
            tell_call(choice, call, args, tell);
        }
    }
}

/// A patch, if it names a place and a value.
fn read_patch(patch: &[u8]) -> Option<Args<'_>> {
    let (mut path, mut value, mut goes_on) = (None, None, false);
    for (key, written) in members(patch) {
        match key {
            b"jsonPath" => path = unquoted(written),
            b"stringValue" | b"numberValue" | b"boolValue" => value = Some(written),
            b"nullValue" => value = Some(&b"null"[..]),
            b"willContinue" => goes_on = written == b"true",
            _ => {}
        }
    }
    let value = value?;
    let inside = unquoted(value);
    Some(Args::Patch { path: Written(path?), value: inside.unwrap_or(value), is_string: inside.is_some(), goes_on })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_their_numbers_say() {
        let first = |start: &str| PATHS.iter().position(|(path, _)| path.starts_with(start));
        assert_eq!(first("candidates/"), Some(usize::from(CANDIDATE_ROW)));
        assert_eq!(first("candidates/*/content/"), Some(usize::from(PART_ROW)));
        assert!(PATHS[usize::from(CANDIDATE_ROW)..].iter().all(|(path, _)| path.starts_with("candidates/*/")));
        assert!(PATHS[usize::from(PART_ROW)..].iter().all(|(path, _)| path.contains("/parts/*/")));
    }
}
