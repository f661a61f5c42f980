//! What is wrong with a value: where, against which keyword, and the sentence to send back.

use std::fmt;

use serde_json::Value;

/// One thing that a document breaks. `Debug` shows no text of the model.
#[derive(Clone, PartialEq)]
pub struct Violation {
    pub(crate) path: String,
    pub(crate) keyword: &'static str,
    pub(crate) expected: Value,
    pub(crate) got: Value,
    pub(crate) offset: usize,
    pub(crate) message: String,
}

impl Violation {
    /// Which value it is about: a JSON pointer (RFC 6901), empty for the root. Of a missing field, the object that misses it; of a
    /// field that is not allowed, the field.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The keyword of JSON Schema that it breaks.
    #[must_use]
    pub const fn keyword(&self) -> &'static str {
        self.keyword
    }

    /// What the keyword asks for: the allowed values, the bound, the type or list of types, the name of a missing field, the names of
    /// the fields that are allowed.
    #[must_use]
    pub const fn expected(&self) -> &Value {
        &self.expected
    }

    /// What was found: the value; for `type` the name of its type, for a length its length, for a missing field the fields that are there. A long string is cut.
    #[must_use]
    pub const fn got(&self) -> &Value {
        &self.got
    }

    /// Where the value begins, in bytes of the raw reply.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The sentence for a re-ask.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// Keyword and place only: never the text.
impl fmt::Debug for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Violation")
            .field("keyword", &self.keyword)
            .field("offset", &self.offset)
            .field("path_len", &self.path.len())
            .finish_non_exhaustive()
    }
}
