//! What the dialects share: facts by slot, and the order in which things are said.

use crate::facts::{Fact, Slot, Written as As};
use crate::provider::finish;
use crate::said::{Args, Call, LaneKind, Said, Written};

pub(crate) type Tell<'t> = dyn FnMut(Said<'_>) + 't;

impl Fact<'_> {
    /// A string that is not empty.
    fn is_text(&self) -> bool {
        self.written == As::String && !self.text.is_empty()
    }
}

/// The fact of a slot; of several rows the first one's, whatever stands first in the event.
pub(crate) fn find<'f, 'a>(facts: &'f [Fact<'a>], slot: Slot) -> Option<&'f Fact<'a>> {
    facts.iter().filter(|fact| fact.slot == slot).min_by_key(|fact| fact.row)
}

/// The string of a slot, if it is not empty.
pub(crate) fn string<'a>(facts: &[Fact<'a>], slot: Slot) -> Option<Written<'a>> {
    let strings = facts.iter().filter(|fact| fact.slot == slot && fact.is_text());
    strings.min_by_key(|fact| fact.row).map(|fact| Written(fact.text))
}

/// The whole number of a slot.
pub(crate) fn number(facts: &[Fact<'_>], slot: Slot) -> Option<u64> {
    let text = core::str::from_utf8(find(facts, slot)?.text).ok()?;
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Whether a slot says `true`.
pub(crate) fn is_true(facts: &[Fact<'_>], slot: Slot) -> bool {
    find(facts, slot).is_some_and(|fact| fact.written == As::Boolean && fact.text == b"true")
}

/// The number of the choice that all of these facts are of: its own, else its place.
pub(crate) fn choice(facts: &[Fact<'_>]) -> u32 {
    let own = number(facts, Slot::Choice).and_then(|number| u32::try_from(number).ok());
    own.unwrap_or_else(|| facts.first().map_or(0, |fact| u32::from(fact.place[0])))
}

/// What an event is: its own type, else its name on the wire.
pub(crate) fn type_of<'a>(name: &'a [u8], facts: &[Fact<'a>]) -> &'a [u8] {
    string(facts, Slot::Type).map_or(name, |written| written.0)
}

/// More text of a lane. Where it stands in several rows, which repeat each other, that of the first one.
pub(crate) fn tell_text(choice: u32, kind: LaneKind, slot: Slot, facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    let texts = || facts.iter().filter(|fact| fact.slot == slot && fact.is_text());
    let Some(row) = texts().map(|fact| fact.row).min() else { return };
    for fact in texts().filter(|fact| fact.row == row) {
        tell(Said::Text { choice, kind, text: Written(fact.text) });
    }
}

/// More of a tool call, if anything is said of it but its place.
pub(crate) fn tell_call(choice: u32, call: Call<'_>, args: Args<'_>, tell: &mut Tell<'_>) {
    if call.id.is_some() || call.name.is_some() || !matches!(args, Args::Nothing) {
        tell(Said::Tool { choice, call, args });
    }
}

/// A call of which these are the facts.
pub(crate) fn call<'a>(facts: &[Fact<'a>]) -> Call<'a> {
    Call {
        id: string(facts, Slot::ToolId),
        item: string(facts, Slot::Item),
        index: number(facts, Slot::ToolIndex).or_else(|| number(facts, Slot::Block)),
        name: string(facts, Slot::ToolName),
        ..Call::default()
    }
}

/// Its arguments: more of them in a string, or all of them as an object, which some servers send in the string's place.
pub(crate) fn args<'a>(facts: &[Fact<'a>]) -> Args<'a> {
    match facts.iter().find(|fact| matches!(fact.slot, Slot::ToolText | Slot::ToolJson)) {
        Some(fact) if fact.written == As::Json => Args::Json(fact.text),
        Some(fact) if fact.is_text() && fact.slot == Slot::ToolText => Args::Text(Written(fact.text)),
        _ => Args::Nothing,
    }
}

/// Why a choice ended, if it says so.
pub(crate) fn tell_finish(choice: u32, facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    if let Some(raw) = string(facts, Slot::Finish) {
        tell(Said::Finish { choice, raw, class: finish::class_of(raw.0) });
    }
}

/// The counts of tokens that stand in one object.
pub(crate) fn tell_usage(facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    let usage = facts.iter().filter(|fact| fact.slot == Slot::Usage && fact.text.starts_with(b"{"));
    if let Some(fact) = usage.min_by_key(|fact| fact.row) {
        tell(Said::Usage(fact.text));
    }
}

/// Counts of tokens that stand in the event itself, in the rows from one on.
pub(crate) fn tell_counts(row: u8, members: &[&'static str], facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    for (row, member) in (row..).zip(members) {
        if let Some(fact) = facts.iter().find(|fact| fact.row == row && fact.written == As::Number) {
            tell(Said::UsageMember(member, fact.text));
        }
    }
}

/// An error: of its own, or the event itself, where its type or name says so.
pub(crate) fn tell_error(name: &[u8], data: &[u8], facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    let is_error = |fact: &&Fact<'_>| {
        fact.slot == Slot::Error && (fact.is_text() || matches!(fact.written, As::Json | As::Number))
    };
    let is_said = |fact: &Fact<'_>| matches!(fact.slot, Slot::ErrorMember | Slot::Type) && fact.text == b"error";
    match facts.iter().filter(is_error).min_by_key(|fact| fact.row) {
        Some(fact) if fact.written == As::String => tell(Said::ErrorMessage(Written(fact.text))),
        Some(fact) => tell(Said::Error(fact.text)),
        None if name == b"error" || facts.iter().any(is_said) => tell(Said::Error(data)),
        None => {}
    }
}
