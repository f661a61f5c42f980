//! Rows of spec, reply and what is expected of it.

use std::panic;

use thusfar_contract::{Signal, SignalCode, SignalOutcome};
use thusfar_core::Ending;

use crate::extracted::{Asked, extracted};

/// A spec's targets, a reply, and what each target comes to.
///
/// What is expected of one target: `= value`, with `scale 10` and `unit %` behind it where they are written, and `via text`; the name of a code or of an
/// outcome; `refused`, anything but ok; `never value`, anything but ok with that value; `never value but value`, that or not ok. Of several
/// targets: `name: …; name: …`.
pub(crate) type Row<'a> = (&'a str, &'a str, &'a str);

pub(crate) const VERDICT: &str = r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject"]}"#;
pub(crate) const FIRST: &str =
    r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject"], "which": "first"}"#;
pub(crate) const LAST: &str =
    r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject"], "which": "last"}"#;
pub(crate) const PASS: &str = r#"{"name": "verdict", "type": "enum", "values": ["PASS", "FAIL"]}"#;
pub(crate) const LETTER: &str = r#"{"name": "answer", "type": "enum", "values": ["A", "B", "C"]}"#;
pub(crate) const WINNER: &str = r#"{"name": "winner", "type": "enum", "values": ["A", "B", "tie"], "aliases": {"A": ["Assistant A", "Response A"], "B": ["Assistant B", "Response B"]}}"#;
pub(crate) const REVIEW: &str = r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject", "request_changes"], "aliases": {"reject": ["not recommended"], "approve": ["LGTM"]}, "labels": ["Verdict", "Decision", "Final verdict"]}"#;
pub(crate) const LEVEL: &str =
    r#"{"name": "risk_level", "type": "enum", "values": ["low", "medium", "high", "very high"]}"#;
pub(crate) const ANY_SCORE: &str = r#"{"name": "score", "type": "number"}"#;
pub(crate) const TO_1: &str = r#"{"name": "score", "type": "number", "min": 0, "max": 1}"#;
pub(crate) const TO_10: &str = r#"{"name": "score", "type": "number", "min": 0, "max": 10}"#;
pub(crate) const TO_100: &str = r#"{"name": "score", "type": "number", "min": 0, "max": 100}"#;
pub(crate) const COUNT: &str = r#"{"name": "bug_count", "type": "integer", "min": 0, "max": 50}"#;
pub(crate) const MILLIS: &str = r#"{"name": "latency", "type": "number", "unit": "ms"}"#;
pub(crate) const BLOCKING: &str = r#"{"name": "blocking", "type": "boolean"}"#;
pub(crate) const SUMMARY: &str = r#"{"name": "summary", "type": "text"}"#;
/// Verdict, score and flag together.
pub(crate) const ALL: &str = concat!(
    r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject"]},"#,
    r#"{"name": "score", "type": "number", "min": 0, "max": 10},"#,
    r#"{"name": "blocking", "type": "boolean"}"#
);

/// Every row under every way of cutting its reply.
///
/// # Panics
/// When some are not as expected; all of those are named.
pub(crate) fn check(rows: &[Row<'_>]) {
    let ended: Vec<_> = rows.iter().map(|&(spec, reply, wanted)| (spec, reply, Ending::Stop, wanted)).collect();
    check_ended(&ended);
}

/// The same of replies that end in a certain way.
///
/// # Panics
/// When some are not as expected; all of those are named.
pub(crate) fn check_ended(rows: &[(&str, &str, Ending, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|&(spec, reply, ending, wanted)| {
            // What does not hold of a reply is told with the rows that are not as expected.
            let read = panic::catch_unwind(|| extracted(&Asked::of(spec), reply, ending));
            let Ok(extracted) = read else {
                return Some(format!("{reply:?} {ending:?}\n  wanted {wanted}\n  found  what holds of no reply"));
            };
            let is_single = extracted.iter().count() == 1;
            let parts: Vec<(&str, &str)> = if is_single {
                vec![(extracted.iter().next().map_or("", |(name, _)| name), wanted)]
            } else {
                wanted.split("; ").map(|part| part.split_once(": ").expect("a name and what is expected")).collect()
            };
            let holds = parts.iter().all(|(name, wanted)| is_as(extracted.get(name).expect("a target"), wanted));
            (!holds).then(|| format!("{reply:?} {ending:?}\n  wanted {wanted}\n  found  {}", extracted.to_json()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// A value as rows spell it.
fn spelled(signal: &Signal) -> Option<String> {
    let value = signal.value()?;
    let text = value.as_str().or_else(|| value.as_number()).map(str::to_owned);
    text.or_else(|| value.as_bool().map(|flag| flag.to_string()))
}

fn is_as(signal: &Signal, wanted: &str) -> bool {
    let value = spelled(signal);
    if let Some(wanted) = wanted.strip_prefix("= ") {
        let (wanted, via) = wanted.split_once(" via ").map_or((wanted, None), |(wanted, via)| (wanted, Some(via)));
        let (wanted, unit) = wanted.split_once(" unit ").map_or((wanted, None), |(wanted, unit)| (wanted, Some(unit)));
        let (wanted, scale) =
            wanted.split_once(" scale ").map_or((wanted, None), |(wanted, scale)| (wanted, Some(scale)));
        let is_via = via.is_none_or(|via| signal.via().is_some_and(|found| found.as_str() == via));
        return value.as_deref() == Some(wanted) && signal.scale() == scale && signal.unit() == unit && is_via;
    }
    if let Some(never) = wanted.strip_prefix("never ") {
        return match never.split_once(" but ") {
            Some((_, allowed)) => value.is_none_or(|value| value == allowed),
            None => value.is_none_or(|value| value != never),
        };
    }
    if wanted == "refused" {
        return !signal.is_ok();
    }
    let is_code = SignalCode::ALL.iter().any(|code| code.as_str() == wanted);
    let outcomes = [SignalOutcome::NotFound, SignalOutcome::Ambiguous, SignalOutcome::Invalid];
    assert!(is_code || outcomes.iter().any(|outcome| outcome.as_str() == wanted), "an unknown word: {wanted}");
    signal.outcome().as_str() == wanted || signal.code().is_some_and(|code| code.as_str() == wanted)
}
