//! Names that the project knows: their words, and the colour that goes with them through the page.

/// A colour of the style, by what it stands for. What a log calls something else is [`Tint::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tint {
    Ok,
    Cut,
    Broken,
    Mismatch,
    Nothing,
    Ambiguous,
    Plain,
    Other,
}

impl Tint {
    /// Of an outcome or a diagnosis.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "ok" => Tint::Ok,
            "truncated" | "truncation" | "truncated_length" | "truncated_cut" | "cancelled" => Tint::Cut,
            "malformed" | "malformation" => Tint::Broken,
            "schema_mismatch" | "invalid" => Tint::Mismatch,
            "not_found" | "nothing_found" => Tint::Nothing,
            "ambiguous" => Tint::Ambiguous,
            _ => Tint::Other,
        }
    }

    /// A class attribute, with the space in front.
    pub(super) const fn attribute(self) -> &'static str {
        match self {
            Tint::Ok => " class=\"ok\"",
            Tint::Cut => " class=\"cut\"",
            Tint::Broken => " class=\"broken\"",
            Tint::Mismatch => " class=\"mismatch\"",
            Tint::Nothing => " class=\"nothing\"",
            Tint::Ambiguous => " class=\"ambiguous\"",
            Tint::Plain => " class=\"plain\"",
            Tint::Other => " class=\"other\"",
        }
    }
}

/// What an outcome means; nothing of a name that is not known.
pub(super) fn outcome(name: &str) -> &'static str {
    match name {
        "ok" => "what was asked for is there, and valid",
        "truncated" => "the reply was cut",
        "malformed" => "no JSON, and no allowed repair makes it so",
        "schema_mismatch" => "the document does not follow the schema",
        "not_found" => "nothing there that was asked for",
        "ambiguous" => "two readings, and none was picked",
        "runaway" => "it repeats itself, or pads",
        "limit" => "over a limit",
        "invalid" => "found, and not allowed",
        // Of a stream of which nothing was judged.
        "truncated_length" => "the token budget ended the stream",
        "truncated_cut" => "the stream broke off",
        "filtered" => "a filter ended the stream",
        "error" => "the provider told of an error",
        "cancelled" => "whoever read it hung up",
        _ => "",
    }
}

/// What a diagnosis is called in a sentence; the stable name stands beside it.
pub(super) fn diagnosis(name: &str) -> &'static str {
    match name {
        "truncation" => "Cut off",
        "malformation" => "Broken JSON",
        "schema_mismatch" => "Against the schema",
        "nothing_found" => "Nothing found",
        "ambiguous" => "Two readings",
        "runaway" => "Runaway",
        "limit" => "Over a limit",
        "refusal" => "Refused",
        "timed_out" => "Out of time",
        "provider_error" => "The provider failed",
        _ => "Another kind",
    }
}

/// What a repair undoes.
pub(super) fn repair(name: &str) -> &'static str {
    match name {
        "escaped_delimiter" => "quotes written as \\\"",
        "escaped_whitespace" => "a line end written as a backslash and an n",
        "comment" => "a comment between values",
        "trailing_comma" => "a comma in front of a closer",
        "bracket_kind" => "a closer of the wrong kind",
        "raw_control" => "a raw tab or line end in a string",
        _ => "",
    }
}

/// What a warning is about.
pub(super) fn warning(name: &str) -> &'static str {
    match name {
        "lossy_number" => "a 64-bit float does not hold this number exactly",
        "commented_member" => "a dropped comment looks like a member",
        "suspicious_escape" => "this escape may have been meant as a backslash",
        "ended_by_length" => "the token budget ended the reply behind the document",
        "ended_by_filter" => "a filter ended the reply behind the document",
        "tail_unread" => "reading stopped behind the document",
        "stitched" => "put together from two completions",
        _ => "",
    }
}
