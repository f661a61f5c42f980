//! The report on signals: what became of each target, and where the reply stopped being text.

use thusfar_contract::{Extracted, SignalValue};

use super::{FailureNote, Places, excerpt, push_json, push_start};
use crate::seen::Damage;
use crate::signalled::Signalled;

/// Adds the report on a reply, of which `seen` has been read, with its line feed. Without an `id` there is no member `id`.
pub(crate) fn push_signals(line: &mut String, id: Option<&str>, seen: &[u8], signalled: &Signalled) {
    push_signals_object(line, id, seen, signalled);
    line.push('\n');
}

/// The same without the line feed.
pub(crate) fn push_signals_object(line: &mut String, id: Option<&str>, seen: &[u8], signalled: &Signalled) {
    push_start(line, id);
    push_json(line, &signalled.outcome());
    line.push_str(",\"targets\":");
    line.push_str(&signalled.extracted().to_json());
    if let Some(damage) = signalled.damage() {
        line.push_str(",\"failure\":");
        push_damage(line, damage, seen);
    }
    line.push('}');
}

fn push_damage(line: &mut String, damage: &Damage, seen: &[u8]) {
    let place = Places::of(seen).at(damage.offset);
    push_json(
        line,
        &FailureNote {
            code: damage.code,
            cause: None,
            message: damage.message.to_owned(),
            offset: damage.offset,
            decided_at: damage.offset,
            line: place.line,
            column: place.column,
            path: "",
            excerpt: &excerpt(seen, damage.offset),
        },
    );
}

/// Adds a line for each target that has a value: its name, a tab, the value as the report has it. So that each is one line, a line end in
/// it becomes a space, and so does a tab in the name.
pub(crate) fn push_signal_lines(lines: &mut String, extracted: &Extracted) {
    for (name, signal) in extracted.iter() {
        let Some(value) = signal.value() else { continue };
        push_spaced(lines, name, &['\n', '\r', '\t']);
        lines.push('\t');
        push_spaced(lines, text_of(value), &['\n', '\r']);
        lines.push('\n');
    }
}

/// A value as text: the digits of a number, `true` or `false`.
pub(crate) fn text_of(value: &SignalValue) -> &str {
    let of_boolean = |is_so| if is_so { "true" } else { "false" };
    let text = value.as_str().or(value.as_number()).or(value.as_bool().map(of_boolean));
    text.unwrap_or_default()
}

/// Adds text with a space for each of these characters; for both of CR LF one.
fn push_spaced(line: &mut String, text: &str, ends: &[char]) {
    let mut last = ' ';
    for character in text.chars() {
        match character {
            '\n' if last == '\r' => {}
            _ if ends.contains(&character) => line.push(' '),
            _ => line.push(character),
        }
        last = character;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_line() {
        let mut line = String::new();
        push_spaced(&mut line, "a\r\nb\rc\n\nd\te\\n", &['\n', '\r']);
        assert_eq!(line, "a b c  d\te\\n");
    }
}
