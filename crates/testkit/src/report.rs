//! Everything a caller can see of an answer, as one value to compare.

use thusfar_core::{Cause, Code, Document, Failure, RepairKind, Span, WarningKind};

/// Everything a caller can see of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// A document.
    Document {
        /// Its strict text.
        text: String,
        /// Where it stood.
        span: Span,
        /// Kind, offset, before, after.
        repairs: Vec<(RepairKind, usize, String, String)>,
        /// Kind and span.
        warnings: Vec<(WarningKind, Span)>,
    },
    /// A failure.
    Failure {
        /// What went wrong.
        code: Code,
        /// Why it was cut.
        cause: Option<Cause>,
        /// Where.
        offset: usize,
        /// When that was certain.
        decided_at: usize,
        /// The JSON pointer.
        path: String,
        /// Offsets of the open frames.
        frames: Vec<usize>,
        /// Kind, offset, before, after.
        repairs: Vec<(RepairKind, usize, String, String)>,
        /// The text around the place.
        excerpt: String,
    },
}

impl Report {
    /// The report of an answer.
    #[must_use]
    pub fn of(answer: &Result<Document, Failure>) -> Self {
        let repair = |repair: &thusfar_core::Repair| {
            (repair.kind, repair.span.start, repair.before.clone(), repair.after.clone())
        };
        match answer {
            Ok(document) => Report::Document {
                text: document.text().to_owned(),
                span: document.span(),
                repairs: document.repairs().iter().map(repair).collect(),
                warnings: document.warnings().iter().map(|warning| (warning.kind, warning.span)).collect(),
            },
            Err(failure) => Report::Failure {
                code: failure.code(),
                cause: failure.cause(),
                offset: failure.offset(),
                decided_at: failure.decided_at(),
                path: failure.path().to_owned(),
                frames: failure.frames().iter().map(|frame| frame.offset).collect(),
                repairs: failure.repairs().iter().map(repair).collect(),
                excerpt: failure.excerpt().to_owned(),
            },
        }
    }

    /// The outcome's name, as in a report of the command.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self {
            Report::Document { .. } => "ok",
            Report::Failure { code, .. } => code.kind().as_str(),
        }
    }

    /// The document's text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Report::Document { text, .. } => Some(text),
            Report::Failure { .. } => None,
        }
    }

    /// Where it failed.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        match self {
            Report::Document { .. } => None,
            Report::Failure { offset, .. } => Some(*offset),
        }
    }

    /// The code of the failure.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Report::Document { .. } => None,
            Report::Failure { code, .. } => Some(*code),
        }
    }

    /// Kinds and offsets of the repairs.
    #[must_use]
    pub fn repairs(&self) -> Vec<(RepairKind, usize)> {
        let (Report::Document { repairs, .. } | Report::Failure { repairs, .. }) = self;
        repairs.iter().map(|repair| (repair.0, repair.1)).collect()
    }

    /// Kinds and spans of the warnings; none of a failure.
    #[must_use]
    pub fn warnings(&self) -> &[(WarningKind, Span)] {
        match self {
            Report::Document { warnings, .. } => warnings,
            Report::Failure { .. } => &[],
        }
    }
}
