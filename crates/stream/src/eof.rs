//! What was left when a body ended: the evidence of a cut, and what may be taken although nothing closed it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::diagnosis::Diagnosis;
use crate::event::{Event, Item, WireError};

/// The end of a body. `Debug` shows lengths, never text.
///
/// To the letter (WHATWG HTML 9.2.6) what was not closed is discarded. That is what the decoders do; this says what it was.
pub struct Eof {
    /// The body ended inside a line, an element or a frame.
    pub partial_line: bool,
    /// The body ended behind data that no blank line closed; of a JSON array: it is not closed.
    pub pending_event: bool,
    pub(crate) is_cut: bool,
    pub(crate) diagnosis: Option<Box<Diagnosis>>,
    pub(crate) left: Left,
}

/// What an event that was not closed has left.
#[derive(Default)]
pub(crate) struct Left {
    pub(crate) whole: Whole,
    /// Holds the data, and the line that was not ended.
    pub(crate) text: Vec<u8>,
    pub(crate) data: Range<usize>,
    pub(crate) name: Vec<u8>,
    pub(crate) id: Vec<u8>,
    pub(crate) retry: Option<u64>,
}

/// As what `data` may be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Whole {
    #[default]
    Nothing,
    Event,
    Error,
}

impl Eof {
    /// What was not closed but is whole all the same: an event whose data are one JSON text or `[DONE]`, or a field
    /// named `error` whose value is one JSON text. Some servers leave the last blank line away.
    ///
    /// To take it is a leniency: nothing says that the event would have had no further lines.
    #[must_use]
    pub fn whole_item(&self) -> Option<Item<'_>> {
        let left = &self.left;
        let data = &left.text[left.data.clone()];
        match left.whole {
            Whole::Nothing => None,
            Whole::Event => Some(Item::Event(Event { name: &left.name, data, id: &left.id, retry: left.retry })),
            Whole::Error => Some(Item::Error(WireError { name: b"error", value: data })),
        }
    }

    /// What the body is instead of events, or what stands beside them; always there when no item was read and none is
    /// offered by [`whole_item`](Self::whole_item).
    #[must_use]
    pub fn diagnosis(&self) -> Option<&Diagnosis> {
        self.diagnosis.as_deref()
    }

    /// Whether the body ended inside of something: a line, an event of which data, a type, an ID or a reconnection time were
    /// told, an element, an array, a frame. A comment that was not ended is no cut, nor is the last of some JSON lines if it
    /// is whole.
    ///
    /// An event that [`whole_item`](Self::whole_item) offers was cut all the same: it lacks its blank line.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether nothing was cut and nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        !self.is_cut && self.diagnosis.is_none()
    }
}

impl fmt::Debug for Eof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Eof")
            .field("partial_line", &self.partial_line)
            .field("pending_event", &self.pending_event)
            .field("is_cut", &self.is_cut)
            .field("whole", &self.left.whole)
            .field("left_len", &self.left.text.len())
            .field("diagnosis", &self.diagnosis)
            .finish()
    }
}
