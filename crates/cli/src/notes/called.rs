//! The notes on calls: what was repaired in them, what was refused, drafts, and the text that is left.

use thusfar_contract::{CallCode, CallOutcome, Dialect, RefusedCall};
use thusfar_core::Position;

use super::{
    About, Framed, at, hint_on_cut, on_mismatch, push_damage, push_head, push_line, push_repairs, push_warnings, quoted,
};
use crate::calls::{Calls, Failing, in_reply, is_nothing};
use crate::report::Places;
use crate::terminal::{self, Palette};

/// Calls and refusals that are shown, the first ones.
const SHOWN: usize = 20;
/// Characters of the text that is left that are shown, on either side of what is left out.
const SIDE: usize = 1_000;
/// Readings that are shown, and characters of each.
const READINGS: usize = 4;
const READING: usize = 80;

/// Everything but the calls themselves: repairs and warnings of their arguments, refusals, drafts, invented observations; or why there is
/// nothing. The offsets are those of `seen`.
pub(crate) fn on_calls(calls: &Calls, name: &str, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    push_repairs(&mut notes, &calls.repairs()[..calls.repairs().len().min(SHOWN)], &About::whole(seen), palette);
    push_hidden(&mut notes, calls.repairs().len());
    for call in calls.calls().iter().take(SHOWN) {
        let (arguments, of) = (call.arguments(), format!(", in the arguments of {}", quoted(call.name())));
        let about = About { seen, of: &of, in_seen: &|offset| in_reply(call, offset) };
        push_repairs(&mut notes, arguments.repairs(), &about, palette);
        push_warnings(&mut notes, arguments, Some(call.check()), &about, palette);
    }
    for refused in calls.refused().iter().take(SHOWN) {
        push_refused(&mut notes, refused, name, seen, palette);
    }
    push_hidden(&mut notes, calls.refused().len());
    push_apart(&mut notes, calls, seen, palette);
    match calls.failing() {
        // It stands among them.
        Some(Failing::Call(_)) if !calls.refused().is_empty() && !is_over(calls) => {}
        Some(Failing::Call(refused)) => push_failure(&mut notes, refused, name, seen, palette),
        Some(Failing::Damage(damage)) => push_damage(&mut notes, damage, name, seen, palette),
        None => {}
    }
    notes
}

/// The notes on text that is one voice of a stream: its calls, for standard output has only the text; that there is none is no news.
pub(crate) fn on_lane(calls: &Calls, name: &str, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    for call in calls.calls().iter().take(SHOWN) {
        let arguments = terminal::on_one_line(call.arguments().text(), 2 * READING);
        push_head(&mut notes, palette.repair, "call");
        push_line(&mut notes, format_args!(": {} {arguments} [{}]", quoted(call.name()), call.dialect().as_str()));
    }
    push_hidden(&mut notes, calls.calls().len());
    if calls.is_refusal() || calls.outcome() == CallOutcome::Ok {
        return notes + &on_calls(calls, name, seen, palette);
    }
    push_apart(&mut notes, calls, seen, palette);
    if let Some(like) = calls.call_like() {
        let (place, code) = (Places::of(seen).at(like.start), CallCode::UnknownDialect);
        push_head(&mut notes, palette.warning, "warning");
        push_line(
            &mut notes,
            format_args!(": {name}: {} {} [{}]", code.message(), at(like.start, place), code.as_str()),
        );
    }
    notes
}

/// What stands apart from the calls: drafts in reasoning, and what a tool is said to have answered.
fn push_apart(notes: &mut String, calls: &Calls, seen: &[u8], palette: Palette) {
    let mut places = Places::of(seen);
    for draft in calls.in_reasoning().take(SHOWN) {
        let Position { line, column } = places.at(draft.span().start);
        let (tool, dialect) = (quoted(draft.name()), draft.dialect().as_str());
        push_head(notes, palette.warning, "draft");
        push_line(notes, format_args!(": {tool} is called in reasoning at line {line}, column {column} [{dialect}]"));
    }
    push_hidden(notes, calls.in_reasoning().count());
    if let Some(invented) = calls.invented() {
        let place = Places::of(seen).at(invented.start);
        push_head(notes, palette.warning, "warning");
        let at = at(invented.start, place);
        push_line(notes, format_args!(": the model invents what a tool answered {at}: it is left out [invented]"));
    }
}

/// The text that is left for the user, below a heading. Empty when that is white space.
pub(crate) fn on_text(calls: &Calls, palette: Palette) -> String {
    let text = calls.text().trim();
    if text.is_empty() {
        return String::new();
    }
    let style = palette.frame;
    format!("{style}text:{style:#}\n{}\n", terminal::escaped(&terminal::shortened(text, SIDE)))
}

/// Whether the reply as a whole was given up: that is told beside what was refused in it.
fn is_over(calls: &Calls) -> bool {
    matches!(calls.outcome(), CallOutcome::Limit | CallOutcome::Runaway)
        && calls.refused().iter().all(|refused| refused.outcome() != calls.outcome())
}

fn push_hidden(notes: &mut String, count: usize) {
    if count > SHOWN {
        push_line(notes, format_args!("and {} more", count - SHOWN));
    }
}

/// What was meant as a call: whose, then what is wrong with it.
fn push_refused(notes: &mut String, refused: &RefusedCall, name: &str, seen: &[u8], palette: Palette) {
    let tool = refused.name().map_or_else(|| "a call".to_owned(), |tool| format!("the call of {}", quoted(tool)));
    push_head(notes, palette.failure, "refused");
    push_line(notes, format_args!(": {tool} [{}]", refused.dialect().as_str()));
    if refused.check().violations().is_empty() && refused.check().limit().is_none() {
        return push_failure(notes, refused, name, seen, palette);
    }
    notes.push_str(&on_mismatch(refused.check(), refused.offset(), name, seen, palette));
}

fn push_failure(notes: &mut String, refused: &RefusedCall, name: &str, seen: &[u8], palette: Palette) {
    let place = Places::of(seen).at(refused.offset());
    let kind = refused.outcome().as_str().replace('_', " ");
    let message = terminal::on_one_line(&refused.to_string(), usize::MAX);
    let cause = refused.cause().map(|cause| format!(", {}", cause.as_str())).unwrap_or_default();
    let at = at(refused.offset(), place);
    push_head(notes, palette.failure, &kind);
    push_line(notes, format_args!(": {message} {at} [{}{cause}]", refused.code().as_str()));
    let mut framed = Framed::place(notes, palette, name, seen, refused.offset(), place);
    framed.path(refused.path());
    if !refused.candidates().is_empty() {
        let shown = refused.candidates().iter().take(READINGS);
        let shown: Vec<_> = shown.map(|reading| format!("`{}`", terminal::on_one_line(reading, READING))).collect();
        framed.line(&format!("readings: {}", shown.join(", ")));
    }
    framed.line(&format!("next: {}", hint(refused, place)));
}

/// What to do next.
fn hint(refused: &RefusedCall, Position { line, column }: Position) -> String {
    match (refused.outcome(), refused.code()) {
        (CallOutcome::Truncated, _) => hint_on_cut(refused.cause()).into(),
        (CallOutcome::Ambiguous, _) => {
            format!("ask which is meant, naming line {line}, column {column}; none was picked")
        }
        (CallOutcome::Invalid, CallCode::UnknownTool) => "ask again, naming the tools that are offered".into(),
        (CallOutcome::Invalid, CallCode::DeclarationEchoed) => {
            "ask again: the model sent back what declares the tool".into()
        }
        (CallOutcome::Invalid, _) => "ask again, naming the parameters of the tool".into(),
        (CallOutcome::NotFound, CallCode::UnknownDialect) => "look at the text: a call may have been meant".into(),
        (CallOutcome::NotFound, _) if refused.dialect() == Dialect::Native => {
            "ask again for the arguments, as one JSON object".into()
        }
        (_, code) if is_nothing(code) => "take the reply as text, or ask for a call".into(),
        (CallOutcome::Runaway, _) => "ask again rather than go on: more of it is more of the same".into(),
        (CallOutcome::Limit, _) => "ask for less at a time".into(),
        _ => format!("ask again, naming line {line}, column {column} and what stands there"),
    }
}
