//! What the decoders hand out: events, and errors that a provider put beside them.
//!
//! Both borrow: from the chunk where they lie in one, from the decoder where they do not. `Debug` shows lengths, never
//! text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// One thing that a body said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item<'a> {
    /// An event.
    Event(Event<'a>),
    /// An error that stands beside the events, where a decoder to the letter would lose it.
    Error(WireError<'a>),
}

impl<'a> Item<'a> {
    /// The event, if it is one.
    #[must_use]
    pub fn event(&self) -> Option<Event<'a>> {
        match self {
            Item::Event(event) => Some(*event),
            Item::Error(_) => None,
        }
    }
}

/// One event: its type, data, id and retry (WHATWG HTML 9.2.6). Of NDJSON and JSON arrays it has the data alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) data: &'a [u8],
    pub(crate) id: &'a [u8],
    pub(crate) retry: Option<u64>,
}

impl<'a> Event<'a> {
    /// An event of which only the data are known.
    pub(crate) const fn of_data(data: &'a [u8]) -> Self {
        Self { name: b"", data, id: b"", retry: None }
    }

    /// The type: the value of `event`, or `message` where there is none. What is no UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn name(&self) -> Cow<'a, str> {
        if self.name.is_empty() { Cow::Borrowed("message") } else { String::from_utf8_lossy(self.name) }
    }

    /// The data as they came: lines joined by a line feed, not checked to be UTF-8.
    #[must_use]
    pub const fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The data as text. What is no UTF-8 is replaced by U+FFFD, as the WHATWG Encoding Standard says. Borrowed where
    /// nothing is.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.data)
    }

    /// The last event ID when the event was dispatched; it stays from event to event until it is changed.
    #[must_use]
    pub fn id(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.id)
    }

    /// The reconnection time that stands in this event's own lines, in milliseconds.
    #[must_use]
    pub const fn retry(&self) -> Option<u64> {
        self.retry
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Event")
            .field("name_len", &self.name.len())
            .field("data_len", &self.data.len())
            .field("id_len", &self.id.len())
            .field("retry", &self.retry)
            .finish()
    }
}

/// An error beside the events: a field named `error` of an event stream (servers derived from llama.cpp), or a frame
/// that is an exception (AWS).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WireError<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) value: &'a [u8],
}

impl<'a> WireError<'a> {
    /// `error`, or the type of the exception. What is no UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn name(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.name)
    }

    /// What it says, as it came; usually a JSON text.
    #[must_use]
    pub const fn data(&self) -> &'a [u8] {
        self.value
    }

    /// The same as text. What is no UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.value)
    }
}

impl fmt::Debug for WireError<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("WireError")
            .field("name_len", &self.name.len())
            .field("data_len", &self.value.len())
            .finish()
    }
}
