//! The raw text of a reply, kept once.

use alloc::string::String;

/// The raw text of a reply.
#[derive(Clone)]
pub(crate) enum Raw {
    /// Pushed piece by piece.
    Owned(String),
    /// Handed over whole.
    #[cfg(feature = "bytes")]
    Shared(bytestring::ByteString),
}

impl Raw {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Raw::Owned(text) => text,
            #[cfg(feature = "bytes")]
            Raw::Shared(text) => text,
        }
    }

    /// The text to append to; shared text is copied first.
    pub(crate) fn to_mut(&mut self) -> &mut String {
        #[cfg(feature = "bytes")]
        if let Raw::Shared(text) = self {
            *self = Raw::Owned(String::from(&**text));
        }
        match self {
            Raw::Owned(text) => text,
            #[cfg(feature = "bytes")]
            Raw::Shared(_) => unreachable!("made owned above"),
        }
    }
}
