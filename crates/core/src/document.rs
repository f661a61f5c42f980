//! A finished document: its strict text, where it stood, what was repaired, what to be wary of; or all but the text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::DeserializeOwned;

use crate::raw::Raw;
use crate::repair::Repair;
use crate::sink::Place;
use crate::span::Span;
use crate::warnings::Warning;

/// The one JSON value that a reply carries, made strict.
///
/// ```
/// use thusfar_core::{Expect, read};
/// let document = read("Here: {\"a\": [1, 2,]}", Expect::object())?;
/// assert_eq!(document.text(), "{\"a\": [1, 2]}");
/// assert_eq!(document.value()["a"][1], 2);
/// assert_eq!(document.repairs()[0].span.start, 17);
/// # Ok::<(), thusfar_core::Failure>(())
/// ```
#[derive(Clone)]
pub struct Document {
    pub(crate) raw: Raw,
    pub(crate) span: Span,
    /// The text with the edits applied, if there are any.
    pub(crate) clean: Option<String>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) warnings: Vec<Warning>,
}

impl Document {
    /// The strict JSON text (RFC 8259). Without repairs: byte for byte what the model wrote.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.clean {
            Some(text) => text,
            None => &self.raw.as_str()[self.span.range()],
        }
    }

    /// The whole reply, as it came.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.raw.as_str()
    }

    /// Where the document stood in the raw reply.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// What was undone, sorted by offset.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// Whether anything was undone.
    #[must_use]
    pub fn is_repaired(&self) -> bool {
        !self.repairs.is_empty()
    }

    /// What is legal but probably not what was meant, sorted by offset.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The document as a `serde_json::Value`. Linear. `Null` where `serde_json` refuses it: deeper than 128 frames, which only
    /// a raised nesting limit lets through.
    #[must_use]
    pub fn value(&self) -> serde_json::Value {
        self.deserialize().unwrap_or_default()
    }

    /// Deserialises the document. Linear.
    ///
    /// # Errors
    /// When the document does not have the shape of `T`, or is deeper than `serde_json` reads.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text())
    }
}

/// That a reply carries one document, without its text.
#[derive(Clone, PartialEq, Eq)]
pub struct Verdict {
    pub(crate) span: Span,
    pub(crate) place: Place,
    pub(crate) repair_count: usize,
    pub(crate) warnings: Vec<Warning>,
}

impl Verdict {
    /// Where the document stood in the raw reply.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it stood in a code fence.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// How many repairs it needed.
    #[must_use]
    pub fn repair_count(&self) -> usize {
        self.repair_count
    }

    /// What to be wary of, sorted by offset: all of it where the text was kept, else only what is about the end.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Verdict")
            .field("span", &self.span)
            .field("place", &self.place)
            .field("repair_count", &self.repair_count)
            .field("warnings", &self.warnings)
            .finish()
    }
}

/// Lengths only: never the text.
impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Document")
            .field("raw_len", &self.raw().len())
            .field("span", &self.span)
            .field("repairs", &self.repairs.len())
            .field("warnings", &self.warnings)
            .finish()
    }
}
