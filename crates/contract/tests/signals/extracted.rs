//! A reply read for signals, under every way of cutting it.

use std::fmt::Write as _;

use serde_json::Value;
use thusfar_contract::{Candidate, Extracted, Extraction, Signal, SignalOutcome, SignalValue, Signals};
use thusfar_core::{Ending, Progress};

/// Replies up to so many bytes are cut in two everywhere; longer ones at some places.
const CUT_EVERYWHERE: usize = 600;

/// Most candidates that are kept of an ambiguous target.
const MOST_CANDIDATES: usize = 8;

/// Words that `Debug` has of itself, whatever the reply says.
const OF_DEBUG: &str = "signal signals found valued value values text number boolean bytes span start end nothing several refused candidate \
    decided_at extraction extracted progress len searching open closed final doomed plan options via label brackets none some true false \
    novalue cutbefore openreasoning replytoolong twovalues doubtful quoted cutbehind notavalue unreadablenumber outofrange notaninteger \
    otherscale otherunit cutvalue";

/// A spec, and the same as the engine took it.
pub(crate) struct Asked {
    pub(crate) signals: Signals,
    targets: Vec<Value>,
}

impl Asked {
    /// Of targets, with commas between them.
    ///
    /// # Panics
    /// When it is no spec.
    #[must_use]
    pub(crate) fn of(targets: &str) -> Self {
        let spec = format!("{{\"targets\": [{targets}]}}");
        let signals = Signals::from_spec(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let spec: Value = serde_json::from_str(&spec).expect("JSON");
        Self { signals, targets: spec["targets"].as_array().expect("targets").clone() }
    }

    /// The words for a value of a target: itself and its aliases.
    fn words(&self, name: &str, value: &str) -> Vec<String> {
        let target = self.targets.iter().find(|target| target["name"] == name).expect("a target");
        let own = match (target["type"].as_str(), value) {
            (Some("boolean"), "true") => vec!["true", "yes"],
            (Some("boolean"), _) => vec!["false", "no"],
            _ => vec![value],
        };
        let aliases = target["aliases"][value].as_array().cloned().unwrap_or_default();
        let aliases = aliases.iter().map(|alias| alias.as_str().expect("a text").to_owned());
        own.into_iter().map(str::to_owned).chain(aliases).collect()
    }
}

/// What a reply comes to, which is the same however it is cut: whole, character by character, in two everywhere, with empty chunks.
///
/// # Panics
/// When it is not, or when something does not hold that holds of every reply.
#[must_use]
pub(crate) fn extracted(asked: &Asked, text: &str, ending: Ending) -> Extracted {
    let whole = read(asked, &[text], ending);
    let expected = told(&whole);
    assert_eq!(told(&asked.signals.extract(text, ending)), expected, "in one call: {text:?}");
    assert_eq!(told(&watched(asked, text, ending)), expected, "character by character: {text:?}");
    let stride = text.len() / CUT_EVERYWHERE + 1;
    for (at, _) in text.char_indices().skip(1).step_by(stride) {
        let (front, behind) = text.split_at(at);
        assert_eq!(told(&read(asked, &["", front, "", behind, ""], ending)), expected, "cut at {at}: {text:?}");
    }
    holds(asked, text, &whole);
    whole
}

fn read(asked: &Asked, chunks: &[&str], ending: Ending) -> Extracted {
    let mut extraction = asked.signals.begin();
    let mut before = extraction.progress();
    for chunk in chunks {
        before = pushed(&mut extraction, chunk, before);
    }
    extraction.finish(ending)
}

/// Pushes; what was certain stays certain.
fn pushed(extraction: &mut Extraction, chunk: &str, before: Progress) -> Progress {
    let progress = extraction.push(chunk);
    assert_eq!(progress, extraction.progress(), "what a push tells is what is known");
    assert!(!before.is_decided() || progress == before, "{before:?} became {progress:?}");
    assert!(!chunk.is_empty() || progress == before, "an empty chunk is nothing");
    progress
}

/// Reads character by character, and holds what is told on the way against what came out.
fn watched(asked: &Asked, text: &str, ending: Ending) -> Extracted {
    let mut extraction = asked.signals.begin();
    let mut progress = extraction.progress();
    let mut doomed_at = None;
    let mut decided: Vec<(String, Option<Signal>)> =
        asked.signals.targets().map(|(name, _)| (name.to_owned(), None)).collect();
    for (at, piece) in text.char_indices() {
        let end = at + piece.len_utf8();
        progress = pushed(&mut extraction, piece.encode_utf8(&mut [0; 4]), progress);
        if progress == Progress::Doomed {
            doomed_at.get_or_insert(end);
        }
        for (name, known) in &mut decided {
            let now = extraction.decided(name);
            match known {
                Some(known) => assert_eq!(now, Some(&*known), "{name} changed at {end}: {text:?}"),
                None if now.is_some() => {
                    let at = now.map(Signal::decided_at);
                    assert_eq!(at, Some(end), "{name} is told when it is certain: {text:?}");
                    *known = now.cloned();
                }
                None => {}
            }
        }
    }
    hidden(text, &format!("{extraction:?} {extraction:#?}"));
    let extracted = extraction.finish(ending);
    for (name, known) in &decided {
        let last = extracted.get(name).expect("a target");
        assert!(known.as_ref().is_none_or(|known| known == last), "{name} was decided otherwise: {text:?}");
        let is_early = !last.is_ok() && last.decided_at() < text.len();
        assert!(!is_early || known.is_some(), "{name} was certain at {} and not told: {text:?}", last.decided_at());
    }
    let refused = decided.iter().filter_map(|(_, known)| known.as_ref()).filter(|known| !known.is_ok());
    assert_eq!(doomed_at, refused.map(Signal::decided_at).min(), "doomed when the first target is: {text:?}");
    extracted
}

/// What holds of everything that is found.
fn holds(asked: &Asked, text: &str, extracted: &Extracted) {
    assert_eq!(extracted.is_ok(), extracted.outcome() == SignalOutcome::Ok);
    for (name, signal) in extracted.iter() {
        assert!(signal.decided_at() <= text.len() && text.is_char_boundary(signal.decided_at()), "{name}: {text:?}");
        let outcome = signal.outcome();
        assert_eq!(signal.is_ok(), outcome == SignalOutcome::Ok);
        assert_eq!(signal.value().is_some() && signal.via().is_some(), signal.is_ok());
        assert_eq!(signal.got().is_some(), outcome == SignalOutcome::Invalid, "{name}: {text:?}");
        assert_eq!(!signal.candidates().is_empty(), outcome == SignalOutcome::Ambiguous, "{name}: {text:?}");
        if let (Some(value), Some(span)) = (signal.value(), signal.span()) {
            stands_at(asked, name, value, slice(text, span.start, span.end));
            assert!(text[span.end..].contains(signal.tail()), "a tail stands behind: {text:?}");
        }
        if let (Some(_), Some(span)) = (signal.got(), signal.span()) {
            slice(text, span.start, span.end);
        }
        candidates_hold(asked, name, text, signal.candidates());
    }
    hidden(text, &format!("{extracted:?} {extracted:#?}"));
    let json: Value = serde_json::from_str(&extracted.to_json()).expect("JSON");
    let members = json.as_object().expect("an object");
    assert_eq!(members.len(), asked.targets.len());
    for (name, signal) in extracted.iter() {
        assert_eq!(members[name]["outcome"], signal.outcome().as_str());
    }
}

fn slice(text: &str, start: usize, end: usize) -> &str {
    assert!(start < end, "an empty span {start}..{end} in {text:?}");
    text.get(start..end).unwrap_or_else(|| panic!("{start}..{end} is no piece of {text:?}"))
}

fn candidates_hold(asked: &Asked, name: &str, text: &str, candidates: &[Candidate]) {
    assert!(candidates.len() <= MOST_CANDIDATES);
    let mut before = 0;
    for candidate in candidates {
        let piece = slice(text, candidate.span.start, candidate.span.end);
        assert!(candidate.span.start >= before, "{name}: candidates in the order of their places: {text:?}");
        before = candidate.span.start;
        match &candidate.value {
            // What was found may be no value; then it is as it stands there.
            SignalValue::Text(found) if folded(found) == folded(piece) => {}
            value => stands_at(asked, name, value, piece),
        }
    }
}

/// The reply's text is the value, or another word for it.
fn stands_at(asked: &Asked, name: &str, value: &SignalValue, piece: &str) {
    let value = match value {
        SignalValue::Number(digits) => return assert_eq!(piece, &**digits, "{name}: a number has its digits"),
        SignalValue::Boolean(value) => value.to_string(),
        other => other.as_str().expect("a text").to_owned(),
    };
    let words = asked.words(name, &value);
    assert!(words.iter().any(|word| folded(word) == folded(piece)), "{name}: {value:?} does not stand in {piece:?}");
}

/// Text as it is compared: without case, emphasis and the number of spaces.
pub(crate) fn folded(text: &str) -> String {
    let upper: String = text.chars().flat_map(char::to_uppercase).collect();
    let lower: String = upper.chars().flat_map(char::to_lowercase).filter(|one| !"*_".contains(*one)).collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `Debug` has no word of the reply but its own.
fn hidden(text: &str, shown: &str) {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|one: char| !one.is_alphanumeric() && one != '_').filter(|word| word.len() > 1);
        words.map(str::to_lowercase).filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).collect()
    };
    let own = words(OF_DEBUG);
    let said = words(text);
    let leaked: Vec<_> = words(shown).into_iter().filter(|word| said.contains(word) && !own.contains(word)).collect();
    assert!(leaked.is_empty(), "`Debug` shows {leaked:?}");
}

/// Everything a caller can see, written down.
#[must_use]
pub(crate) fn told(extracted: &Extracted) -> String {
    let mut told = format!("{} {}\n", extracted.outcome().as_str(), extracted.to_json());
    for (name, signal) in extracted.iter() {
        let _ = writeln!(told, "{name} {:?} {:?} at {}", signal.code(), signal.span(), signal.decided_at());
        let _ = writeln!(told, "  {:?} {:?} {:?}", signal.scale(), signal.unit(), signal.tail());
        let texts =
            signal.value().into_iter().chain(signal.got()).chain(signal.candidates().iter().map(|one| &one.value));
        for value in texts {
            let _ = writeln!(told, "  {:?} {:?} {:?}", value.as_str(), value.as_number(), value.as_bool());
        }
    }
    told
}
