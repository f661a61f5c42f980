//! The notes on signals: of each target that has no value why, where, and what was found.

use thusfar_contract::{Candidate, Signal, SignalCode, SignalValue};
use thusfar_core::Position;

use super::{Framed, at, push_damage, push_head, push_line, quoted};
use crate::report::{places_of, text_of};
use crate::signalled::{Signalled, offset};
use crate::terminal::{self, Palette};

/// Characters of a value that are shown.
const VALUE: usize = 160;

/// Everything but the values themselves. The offsets are those of `seen`. Empty when every target has a value.
pub(crate) fn on_signals(signalled: &Signalled, name: &str, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    let failing = || signalled.extracted().iter().filter(|(_, signal)| !signal.is_ok());
    // There may be many of them: their places are found in one pass.
    let offsets = |signal: &Signal| {
        let of_candidates: Vec<_> = signal.candidates().iter().map(|candidate| candidate.span.start).collect();
        std::iter::once(offset(signal)).chain(of_candidates)
    };
    // Where one target has no value for another reason, whoever read may have hung up for it: nobody's budget was short.
    let is_budget = failing().all(|(_, signal)| signal.code().is_some_and(is_cut)) && signalled.damage().is_none();
    let mut places = places_of(seen, failing().flat_map(|(_, signal)| offsets(signal))).into_iter();
    for (target, signal) in failing() {
        let place = places.next().unwrap_or(Position { line: 1, column: 1 });
        let candidates = signal.candidates().iter().zip(places.by_ref());
        let candidates: Vec<_> = candidates.map(|(candidate, place)| shown(candidate, place)).collect();
        let mut framed = failing_at(&mut notes, target, signal, Spot { name, seen, place, palette });
        if let Some(got) = signal.got() {
            framed.line(&format!("got: {}", shown_value(got)));
        }
        if !candidates.is_empty() {
            framed.line(&format!("candidates: {}", candidates.join(", ")));
        }
        // Where the text is damaged that is the cut, and what is said of it below is what to do.
        if let Some(code) = signal.code().filter(|code| is_budget || !is_cut(*code)) {
            framed.line(&format!("next: {}", hint(code)));
        }
    }
    if let Some(damage) = signalled.damage() {
        push_damage(&mut notes, damage, name, seen, palette);
    }
    notes
}

/// The notes on text that is one voice of a stream: its values too, for standard output has only the text.
pub(crate) fn on_signals_of_lane(signalled: &Signalled, name: &str, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    let starts = signalled.extracted().iter().filter_map(|(_, signal)| signal.span().filter(|_| signal.is_ok()));
    let mut places = places_of(seen, starts.map(|span| span.start)).into_iter();
    for (target, signal) in signalled.extracted().iter() {
        let (Some(value), Some(via)) = (signal.value(), signal.via()) else { continue };
        let Position { line, column } = places.next().unwrap_or(Position { line: 1, column: 1 });
        let (target, value) = (quoted(target), shown_value(value));
        push_head(&mut notes, palette.repair, "signal");
        push_line(&mut notes, format_args!(": {target} is {value} at line {line}, column {column} [{}]", via.as_str()));
    }
    notes + &on_signals(signalled, name, seen, palette)
}

/// A place in the reply, and who is told of it.
struct Spot<'a> {
    name: &'a str,
    seen: &'a [u8],
    place: Position,
    palette: Palette,
}

/// The line on a target that has no value, and the frame below it.
fn failing_at<'n>(notes: &'n mut String, target: &str, signal: &Signal, spot: Spot<'_>) -> Framed<'n> {
    let Spot { name, seen, place, palette } = spot;
    let offset = offset(signal).min(seen.len());
    let (message, code) = signal.code().map_or(("", ""), |code| (code.message(), code.as_str()));
    push_head(notes, palette.failure, &signal.outcome().as_str().replace('_', " "));
    push_line(notes, format_args!(": {}: {message} {} [{code}]", quoted(target), at(offset, place)));
    Framed::place(notes, palette, name, seen, offset, place)
}

fn shown(candidate: &Candidate, Position { line, column }: Position) -> String {
    format!("{} at {line}:{column}", shown_value(&candidate.value))
}

fn shown_value(value: &SignalValue) -> String {
    format!("`{}`", terminal::on_one_line(text_of(value), VALUE))
}

fn is_cut(code: SignalCode) -> bool {
    matches!(code, SignalCode::CutBefore | SignalCode::CutBehind | SignalCode::CutValue)
}

/// What to do next.
fn hint(code: SignalCode) -> &'static str {
    match code {
        SignalCode::NoValue => "ask again, for a line with its label; or apply a default of your own",
        _ if is_cut(code) => "ask again with a larger budget, or let the model go on",
        SignalCode::OpenReasoning => "ask again, with room for an answer behind the reasoning",
        SignalCode::ReplyTooLong => "ask for less at a time",
        SignalCode::TwoValues => "ask which is meant; none was picked",
        SignalCode::Doubtful | SignalCode::Quoted => "ask for it alone behind its label; none was picked",
        SignalCode::CloseTagBehind => "ask again, for the value behind all reasoning; none was picked",
        SignalCode::NotAValue => "ask again, naming the values that are allowed",
        SignalCode::UnreadableNumber => "ask again, for one plain number behind the label",
        SignalCode::OutOfRange => "ask again, naming the bounds; nothing was clamped",
        SignalCode::NotAnInteger => "ask again, for a whole number; nothing was rounded",
        SignalCode::OtherScale | SignalCode::OtherUnit => "ask again, naming scale and unit; nothing was converted",
        _ => "ask again",
    }
}
