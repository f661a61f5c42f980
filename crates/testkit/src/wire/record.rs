//! What a decoder said, owned, so that two readings can be compared.

use std::fmt;

use thusfar_stream::{BodyKind, Eof, Error, Item};

/// An item.
#[derive(Clone, PartialEq, Eq)]
pub enum Said {
    /// An event.
    Event {
        /// Its type.
        name: String,
        /// Its data, as they came.
        data: Vec<u8>,
        /// The last event ID.
        id: String,
        /// The reconnection time in its own lines.
        retry: Option<u64>,
    },
    /// An error beside the events.
    Error {
        /// `error`, or the type of an exception.
        name: String,
        /// What it says, as it came.
        data: Vec<u8>,
    },
}

impl Said {
    /// Copies an item, and looks at all of it.
    #[must_use]
    pub fn of(item: &Item<'_>) -> Self {
        let (said, text) = match item {
            Item::Event(event) => {
                let (name, id) = (event.name().into_owned(), event.id().into_owned());
                (Said::Event { name, data: event.data().to_vec(), id, retry: event.retry() }, event.text())
            }
            Item::Error(error) => {
                (Said::Error { name: error.name().into_owned(), data: error.data().to_vec() }, error.text())
            }
            other => panic!("an item of a new kind: {other:?}"),
        };
        assert_eq!(item.event().is_some(), matches!(said, Said::Event { .. }));
        assert_eq!(text, said.text(), "the text is the data");
        said
    }

    /// The data.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        match self {
            Said::Event { data, .. } | Said::Error { data, .. } => data,
        }
    }

    /// The data as text; what is no UTF-8 is replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.data()).into_owned()
    }

    /// The same with its data as text.
    #[must_use]
    pub fn decoded(&self) -> Self {
        let mut said = self.clone();
        match &mut said {
            Said::Event { data, .. } | Said::Error { data, .. } => *data = self.text().into_bytes(),
        }
        said
    }
}

impl fmt::Debug for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = brief(self.data());
        match self {
            Said::Event { name, id, retry, .. } => write!(formatter, "event {name:?} {data} id {id:?} retry {retry:?}"),
            Said::Error { name, .. } => write!(formatter, "error {name:?} {data}"),
        }
    }
}

/// Bytes for a message: their length and their beginning.
pub(crate) fn brief(bytes: &[u8]) -> String {
    let front = &bytes[..bytes.len().min(600)];
    format!("b\"{}\" ({} bytes)", front.escape_ascii(), bytes.len())
}

/// What stands in a body instead of events or beside them.
#[derive(Clone, PartialEq, Eq)]
pub struct Stray {
    /// What it is.
    pub kind: BodyKind,
    /// Where it begins.
    pub offset: u64,
    /// Its beginning.
    pub quotation: Vec<u8>,
    /// Whether that is all of it.
    pub is_whole: bool,
}

impl fmt::Debug for Stray {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} at {} {} whole {}", self.kind, self.offset, brief(&self.quotation), self.is_whole)
    }
}

/// What a decoder said at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The body ended inside a line.
    pub partial_line: bool,
    /// The body ended behind data that nothing closed.
    pub pending_event: bool,
    /// The body ended inside of something.
    pub is_cut: bool,
    /// What may be taken although nothing closed it.
    pub whole: Option<Said>,
    /// What stands in the body instead of events or beside them.
    pub stray: Option<Stray>,
}

impl End {
    /// Copies the end of a body.
    #[must_use]
    pub fn of(eof: &Eof) -> Self {
        let stray = eof.diagnosis().map(|diagnosis| Stray {
            kind: diagnosis.kind(),
            offset: diagnosis.offset(),
            quotation: diagnosis.quotation().to_vec(),
            is_whole: diagnosis.is_whole(),
        });
        let (partial_line, pending_event, is_cut) = (eof.partial_line, eof.pending_event, eof.is_cut());
        assert_eq!(eof.is_clean(), !is_cut && stray.is_none());
        Self { partial_line, pending_event, is_cut, whole: eof.whole_item().as_ref().map(Said::of), stray }
    }
}

/// Everything that a caller can see of a body. The items are those to the letter: what may be taken besides stands in
/// the end, for whoever wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The items, in order.
    pub items: Vec<Said>,
    /// The last event ID and the reconnection time, where the decoder tells them.
    pub told: Option<(Vec<u8>, Option<u64>)>,
    /// The end, or the error that came before it.
    pub end: Result<End, Error>,
}

impl Report {
    /// What is said of nothing.
    pub(crate) fn empty() -> Self {
        let end = End { partial_line: false, pending_event: false, is_cut: false, whole: None, stray: None };
        Self { items: Vec::new(), told: None, end: Ok(end) }
    }

    /// The data of the events as text.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.items.iter().filter(|said| matches!(said, Said::Event { .. })).map(Said::text).collect()
    }
}
