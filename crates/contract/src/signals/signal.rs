//! What became of a target: a value and where it stands, or why there is none.

use std::fmt;

use thusfar_core::Span;

/// What became of one target. Stable names: [`SignalOutcome::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SignalOutcome {
    /// One allowed value.
    Ok,
    /// The reply says nothing that could be it. Ask again, or apply a default of your own.
    NotFound,
    /// Different values, or one of which nobody can tell whether it is meant.
    Ambiguous,
    /// Something stands where the value belongs, and it is not allowed.
    Invalid,
}

impl SignalOutcome {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SignalOutcome::Ok => "ok",
            SignalOutcome::NotFound => "not_found",
            SignalOutcome::Ambiguous => "ambiguous",
            SignalOutcome::Invalid => "invalid",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal : $outcome:ident, $message:literal;)*) => {
        /// Why a target has no value. Stable names: [`SignalCode::as_str`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum SignalCode {
            $($(#[$doc])* $name,)*
        }

        impl SignalCode {
            /// Every code.
            pub const ALL: &'static [SignalCode] = &[$(SignalCode::$name,)*];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(SignalCode::$name => $text,)*
                }
            }

            /// The outcome it belongs to.
            #[must_use]
            pub const fn outcome(self) -> SignalOutcome {
                match self {
                    $(SignalCode::$name => SignalOutcome::$outcome,)*
                }
            }

            /// The sentence for people, without the place.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self {
                    $(SignalCode::$name => $message,)*
                }
            }
        }
    };
}

codes! {
    /// Neither a label with a value nor a value in the text.
    NoValue = "no_value": NotFound, "the reply holds no value";
    /// The reply was cut before any.
    CutBefore = "cut_before": NotFound, "the reply was cut before a value came";
    /// The reply ends inside reasoning.
    OpenReasoning = "open_reasoning": NotFound, "the reply ends inside reasoning";
    /// Longer than a reply may be: what was not read may say anything.
    ReplyTooLong = "reply_too_long": NotFound, "the reply is longer than allowed";
    /// Different values.
    TwoValues = "two_values": Ambiguous, "the reply holds different values";
    /// The only value stands in a question, a condition or near a negation.
    Doubtful = "doubtful": Ambiguous, "the value stands in a question, under a condition or near a negation";
    /// Another value stands in quotes, where it may have been planted; or where a quote ends cannot be told.
    Quoted = "quoted": Ambiguous, "it cannot be told which value is quoted";
    /// A closing reasoning tag that was never opened stands behind a labelled value, and what follows does not say the same.
    CloseTagBehind = "close_tag_behind": Ambiguous, "a closing reasoning tag that was never opened stands behind a value";
    /// What followed may have said otherwise: the reply was cut.
    CutBehind = "cut_behind": Ambiguous, "the reply was cut behind a value that was not the last word";
    /// What stands behind the label is no value.
    NotAValue = "not_a_value": Invalid, "what stands behind the label is none of the values";
    /// A number that can be read in two ways, or is none as JSON has them: `7-8`, `1,000`, `.5`.
    UnreadableNumber = "unreadable_number": Invalid, "what stands behind the label is not one plain number";
    /// Below `min` or above `max`.
    OutOfRange = "out_of_range": Invalid, "the number is out of range";
    /// A fraction where an integer is asked for.
    NotAnInteger = "not_an_integer": Invalid, "the number is not an integer";
    /// `8/10` where the scale is another one.
    OtherScale = "other_scale": Invalid, "the number is on another scale";
    /// `85%`, or no unit, where another is asked for.
    OtherUnit = "other_unit": Invalid, "the number has another unit";
    /// The value touches the end of a reply that was cut: it may be longer.
    CutValue = "cut_value": Invalid, "the reply was cut inside the value";
}

impl fmt::Display for SignalCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

/// How a value was found. Stable names: [`Via::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Via {
    /// Behind a label.
    Label,
    /// As `[[value]]`, without a label.
    Brackets,
    /// In plain text, without either.
    Text,
}

impl Via {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Via::Label => "label",
            Via::Brackets => "brackets",
            Via::Text => "text",
        }
    }
}

/// A value. `Debug` shows lengths, never the text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignalValue {
    /// A value of an enumeration as the spec spells it, or text as the reply has it.
    Text(Box<str>),
    /// A number: the digits that the reply has.
    Number(Box<str>),
    /// A boolean.
    Boolean(bool),
}

impl SignalValue {
    /// The text of an enumeration's value or of a text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            SignalValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The digits of a number.
    #[must_use]
    pub fn as_number(&self) -> Option<&str> {
        match self {
            SignalValue::Number(digits) => Some(digits),
            _ => None,
        }
    }

    /// The boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            SignalValue::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// Adds the value as JSON: a number has all of its digits.
    pub(crate) fn push_json(&self, json: &mut String) {
        match self {
            SignalValue::Text(text) => push_string(json, text),
            SignalValue::Number(digits) => json.push_str(digits),
            SignalValue::Boolean(value) => json.push_str(if *value { "true" } else { "false" }),
        }
    }
}

impl fmt::Debug for SignalValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignalValue::Text(text) => write!(formatter, "Text({} bytes)", text.len()),
            SignalValue::Number(digits) => write!(formatter, "Number({} bytes)", digits.len()),
            SignalValue::Boolean(_) => formatter.write_str("Boolean"),
        }
    }
}

/// One of several values, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The value; text where what was found is no value.
    pub value: SignalValue,
    /// Where it stands in the reply, in bytes.
    pub span: Span,
}

/// What became of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub(super) found: Found,
    pub(super) decided_at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Value(Box<Valued>),
    Nothing(SignalCode),
    Several(SignalCode, Box<[Candidate]>),
    Refused(SignalCode, Box<Candidate>),
}

/// A value and all that was written with it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Valued {
    pub(super) value: SignalValue,
    pub(super) span: Span,
    pub(super) via: Via,
    pub(super) scale: Option<Box<str>>,
    pub(super) unit: Option<Box<str>>,
    pub(super) tail: Box<str>,
}

impl fmt::Debug for Valued {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Valued").field("value", &self.value).field("span", &self.span).finish_non_exhaustive()
    }
}

impl Signal {
    /// The one word for what became of it.
    #[must_use]
    pub fn outcome(&self) -> SignalOutcome {
        self.code().map_or(SignalOutcome::Ok, SignalCode::outcome)
    }

    /// Whether there is a value.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self.found, Found::Value(_))
    }

    /// Why there is no value.
    #[must_use]
    pub fn code(&self) -> Option<SignalCode> {
        match &self.found {
            Found::Value(_) => None,
            Found::Nothing(code) | Found::Several(code, _) | Found::Refused(code, _) => Some(*code),
        }
    }

    fn valued(&self) -> Option<&Valued> {
        match &self.found {
            Found::Value(valued) => Some(valued),
            _ => None,
        }
    }

    /// The value, where the outcome is ok.
    #[must_use]
    pub fn value(&self) -> Option<&SignalValue> {
        self.valued().map(|valued| &valued.value)
    }

    /// Where the value stands in the reply, or what is not allowed, in bytes.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        match &self.found {
            Found::Value(valued) => Some(valued.span),
            Found::Refused(_, candidate) => Some(candidate.span),
            _ => None,
        }
    }

    /// How the value was found.
    #[must_use]
    pub fn via(&self) -> Option<Via> {
        self.valued().map(|valued| valued.via)
    }

    /// The digits of the scale that was written with a number: 10 of `8/10` and of `8 out of 10`.
    #[must_use]
    pub fn scale(&self) -> Option<&str> {
        self.valued()?.scale.as_deref()
    }

    /// The unit that was written with a number: `%` of `85%` and of `85 percent`.
    #[must_use]
    pub fn unit(&self) -> Option<&str> {
        self.valued()?.unit.as_deref()
    }

    /// What stands behind a labelled value on its line, at most 256 bytes; empty if nothing does.
    #[must_use]
    pub fn tail(&self) -> &str {
        self.valued().map_or("", |valued| &valued.tail)
    }

    /// The values that were found, in the order of their places, where the outcome is ambiguous: different ones, at most eight.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        match &self.found {
            Found::Several(_, candidates) => candidates,
            _ => &[],
        }
    }

    /// What stands where the value belongs, where the outcome is invalid: a number, or the text that was found.
    #[must_use]
    pub fn got(&self) -> Option<&SignalValue> {
        match &self.found {
            Found::Refused(_, candidate) => Some(&candidate.value),
            _ => None,
        }
    }

    /// How many bytes of the reply made it certain.
    #[must_use]
    pub const fn decided_at(&self) -> usize {
        self.decided_at
    }

    /// Adds the signal as a JSON object.
    pub(crate) fn push_json(&self, json: &mut String) {
        json.push_str("{\"outcome\":\"");
        json.push_str(self.outcome().as_str());
        json.push('"');
        if let Some(code) = self.code() {
            push_member(json, "code", code.as_str());
        }
        match &self.found {
            Found::Value(valued) => valued.push_json(json),
            Found::Nothing(_) => {}
            Found::Several(_, candidates) => {
                json.push_str(",\"candidates\":[");
                for (at, candidate) in candidates.iter().enumerate() {
                    json.push_str(if at == 0 { "{\"value\":" } else { ",{\"value\":" });
                    candidate.value.push_json(json);
                    push_span(json, candidate.span);
                    json.push('}');
                }
                json.push(']');
            }
            Found::Refused(_, candidate) => {
                json.push_str(",\"got\":");
                candidate.value.push_json(json);
                push_span(json, candidate.span);
            }
        }
        if !self.is_ok() {
            push_number(json, "decided_at", self.decided_at);
        }
        json.push('}');
    }
}

impl Valued {
    fn push_json(&self, json: &mut String) {
        json.push_str(",\"value\":");
        self.value.push_json(json);
        push_member(json, "via", self.via.as_str());
        push_span(json, self.span);
        if let Some(scale) = &self.scale {
            json.push_str(",\"scale\":");
            json.push_str(scale);
        }
        if let Some(unit) = &self.unit {
            push_member(json, "unit", unit);
        }
        if !self.tail.is_empty() {
            push_member(json, "tail", &self.tail);
        }
    }
}

fn push_span(json: &mut String, span: Span) {
    push_number(json, "start", span.start);
    push_number(json, "end", span.end);
}

fn push_number(json: &mut String, name: &str, number: usize) {
    json.push_str(&format!(",\"{name}\":{number}"));
}

fn push_member(json: &mut String, name: &str, text: &str) {
    json.push_str(&format!(",\"{name}\":"));
    push_string(json, text);
}

pub(super) fn push_string(json: &mut String, text: &str) {
    // A string always has a JSON text.
    json.push_str(&serde_json::to_string(text).unwrap_or_default());
}
