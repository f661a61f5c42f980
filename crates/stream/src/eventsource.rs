//! Server-sent events out of a stream of bytes: the names of the crate `eventsource-stream` 0.2.3, over this crate's
//! decoder.
//!
//! ```
//! use std::convert::Infallible;
//! use std::pin::Pin;
//! use std::task::{Context, Poll, Waker};
//!
//! use futures_core::Stream;
//! use thusfar_stream::eventsource::Eventsource;
//!
//! /// What a client for HTTP gives: pieces of a body. The second one ends in the middle of an event.
//! struct Body(std::vec::IntoIter<&'static str>);
//!
//! impl Stream for Body {
//!     type Item = Result<&'static str, Infallible>;
//!     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
//!         Poll::Ready(self.0.next().map(Ok))
//!     }
//! }
//!
//! let body = vec!["event: tick\nda", "ta: {\"n\": 1}\n\ndata: {\"n\"", ": 2}\n\ndata: {\"n\": 3"];
//! let mut events = Box::pin(Body(body.into_iter()).eventsource());
//! let mut context = Context::from_waker(Waker::noop()); // a runtime brings its own
//! let mut seen = Vec::new();
//! while let Poll::Ready(Some(item)) = events.as_mut().poll_next(&mut context) {
//!     seen.push(match item {
//!         Ok(event) => format!("{}: {}", event.event, event.data),
//!         Err(error) => error.to_string(),
//!     });
//! }
//! assert_eq!(seen, ["tick: {\"n\": 1}", "message: {\"n\": 2}", "cut inside a line at byte 57"]);
//! ```
//!
//! # Coming from eventsource-stream
//!
//! One line changes, here with the facade and its feature `futures`:
//!
//! ```text
//! before:  use eventsource_stream::Eventsource;
//! after:   use thusfar::stream::eventsource::Eventsource;
//! ```
//!
//! [`Event`], [`EventStream`] and [`EventStreamError`] stand in the same module. For a body that both read right the
//! events are equal, field by field. This is what differs:
//!
//! | | `eventsource-stream` 0.2.3 | here |
//! |---|---|---|
//! | byte order mark in front | panics | skipped |
//! | blank line that is a lone CR at a chunk's end | the event waits for the next byte; at the end it is lost | the event is out at once |
//! | a long line in many chunks | read again from its beginning for each chunk | linear |
//! | bytes that are no UTF-8 | no event behind them, and an error at the end | replaced by U+FFFD, never an error |
//! | long lines and events | no limit | [`Limits`]; over one: [`Limit`](EventStreamError::Limit) |
//! | end in the middle of an event | the stream ends as if it were whole | [`Cut`](EventStreamError::Cut) |
//! | the same, but the data are a JSON text or `[DONE]` | the stream ends, the event is lost | the event, unless [`closed_events_only`](EventStream::closed_events_only) |
//! | JSON error, HTML page, no byte, no event | the stream ends as if it were whole | [`Body`](EventStreamError::Body) |
//! | compressed bytes | `Utf8` at the end | [`Body`](EventStreamError::Body) |
//! | a JSON error behind events | ignored | [`Body`](EventStreamError::Body) |
//! | a field named `error` | ignored | [`Field`](EventStreamError::Field), and the stream goes on |
//! | `retry: +5`; a time that no `u64` holds | five; ignored | ignored; the longest time |
//! | last event ID in a block without data | [`last_event_id`](EventStream::last_event_id) is the old one up to the next event | it is the new one with the blank line |
//! | variants of the error | `Utf8`, `Parser`, `Transport` | `Transport` and those above; non-exhaustive |
//! | `Error` for the error | for each `E: Display + Debug + Send + Sync`, without a source | for each `E: Error`, which is the source |
//!
//! # How it is polled
//!
//! An error of the transport is handed on, and the stream is polled again when the caller does, as there. Nothing is
//! polled behind the end, nor behind a limit. The end, too, comes as there, but behind an error item wherever the body
//! was not a whole one. Directly behind an error of the transport nothing unfinished is taken for an event, and that no
//! event came is not told once more.
//!
//! The stream of bytes is polled only when all that came of it has been handed out, so that a slow reader slows the
//! sender down; and `Pending` is given only when it has just given `Pending`, so that it has the waker. To cancel, drop
//! it: nothing else runs.
//!
//! What is deliberately absent: reconnecting, and a queue. An item is taken out of a chunk while the chunk is there; what
//! stands behind it is copied once and pulled empty before the next poll. (To hold the chunk itself would save that copy
//! where a chunk has several events, and would put bounds on `EventStream<S>` that the other crate's has not.)

use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;

use futures_core::Stream;
use pin_project_lite::pin_project;

use crate::diagnosis::{BodyKind, Diagnosis};
use crate::eof::Eof;
use crate::error::Error;
use crate::event::{self, Item};
use crate::limits::Limits;
use crate::sse::Decoder;

/// The rest of a chunk that has grown beyond this many bytes is let go when it is used up.
const RETAINED_LEN: usize = 64 << 10;

/// Gives streams of bytes the method [`eventsource`](Eventsource::eventsource).
pub trait Eventsource: Sized {
    /// The server-sent events in a stream of bytes, with the default [`Limits`].
    fn eventsource(self) -> EventStream<Self>;
}

impl<S, B, E> Eventsource for S
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    fn eventsource(self) -> EventStream<Self> {
        EventStream::new(self)
    }
}

/// One event, as text that is owned. What was no UTF-8 is U+FFFD. Unlike elsewhere in this crate `Debug` shows the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The type: the value of `event`, or `message` where there is none.
    pub event: String,
    /// The data: lines joined by a line feed.
    pub data: String,
    /// The last event ID when the event was dispatched; it stays from event to event until it is changed.
    pub id: String,
    /// The reconnection time that stands in this event's own lines.
    pub retry: Option<Duration>,
}

impl From<event::Event<'_>> for Event {
    fn from(event: event::Event<'_>) -> Self {
        Self {
            event: event.name().into_owned(),
            data: event.text().into_owned(),
            id: event.id().into_owned(),
            retry: event.retry().map(Duration::from_millis),
        }
    }
}

/// What stands in a stream where no event does. Neither `Debug` nor `Display` shows text of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventStreamError<E> {
    /// The stream of bytes gave an error. What it gives behind it is read on.
    Transport(E),
    /// A line or an event is over its limit. The stream ends.
    Limit(Error),
    /// The body ended in the middle of an event. The stream ends.
    Cut(Cut),
    /// The body is something else than events, or something else stands in it behind them: an error of the provider, a
    /// page of a proxy. The stream ends.
    Body(Diagnosis),
    /// A field named `error`. The stream goes on.
    Field(FieldError),
}

impl EventStreamError<Infallible> {
    /// The same where the transport may fail too.
    fn widen<E>(self) -> EventStreamError<E> {
        match self {
            EventStreamError::Transport(never) => match never {},
            EventStreamError::Limit(error) => EventStreamError::Limit(error),
            EventStreamError::Cut(cut) => EventStreamError::Cut(cut),
            EventStreamError::Body(diagnosis) => EventStreamError::Body(diagnosis),
            EventStreamError::Field(error) => EventStreamError::Field(error),
        }
    }
}

impl<E: fmt::Display> fmt::Display for EventStreamError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventStreamError::Transport(error) => write!(formatter, "transport error: {error}"),
            EventStreamError::Limit(error) => error.fmt(formatter),
            EventStreamError::Cut(cut) => cut.fmt(formatter),
            EventStreamError::Body(diagnosis) => diagnosis.fmt(formatter),
            EventStreamError::Field(error) => error.fmt(formatter),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for EventStreamError<E> {
    /// The error of the transport; the others have none.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            EventStreamError::Transport(error) => Some(error),
            _ => None,
        }
    }
}

/// Where a body ended too early, and in what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Cut {
    /// The bytes that there were.
    pub offset: u64,
    /// The last line was not ended.
    pub partial_line: bool,
    /// There were data, or other fields, that no blank line closed.
    pub pending_event: bool,
}

impl fmt::Display for Cut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.partial_line { "inside a line" } else { "in front of the blank line that closes an event" };
        write!(formatter, "cut {place} at byte {}", self.offset)
    }
}

impl core::error::Error for Cut {}

/// A field named `error`: how servers derived from llama.cpp tell one. `Debug` shows its length.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FieldError {
    text: String,
}

impl FieldError {
    /// What it says, usually a JSON text. What was no UTF-8 is U+FFFD.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FieldError").field("text_len", &self.text.len()).finish()
    }
}

/// Without the text, which is a provider's.
impl fmt::Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "field `error` of {} bytes instead of an event", self.text.len())
    }
}

impl core::error::Error for FieldError {}

pin_project! {
    /// The events in a stream of bytes.
    ///
    /// * Make: [`eventsource`](Eventsource::eventsource), [`new`](EventStream::new),
    ///   [`with_limits`](EventStream::with_limits); then [`closed_events_only`](EventStream::closed_events_only).
    /// * Poll: [`poll_next`](Stream::poll_next).
    /// * Reconnect: [`last_event_id`](EventStream::last_event_id),
    ///   [`set_last_event_id`](EventStream::set_last_event_id).
    /// * Watch: [`heap_len`](EventStream::heap_len).
    pub struct EventStream<S> {
        #[pin]
        stream: S,
        reader: Reader,
    }
}

impl<S> EventStream<S> {
    /// The events in a stream of bytes, with the default [`Limits`].
    pub fn new(stream: S) -> Self {
        Self::with_limits(stream, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(stream: S, limits: Limits) -> Self {
        Self { stream, reader: Reader::new(limits) }
    }

    /// The same to the letter of WHATWG HTML 9.2.6: an event that no blank line closed is a [`Cut`], even if its data are
    /// a whole JSON text or `[DONE]`, which is taken otherwise because some servers leave the last blank line away.
    #[must_use]
    pub fn closed_events_only(mut self) -> Self {
        self.reader.unclosed = Unclosed::Refuse;
        self
    }

    /// Says what the last event ID was, for whoever goes on behind another connection. It is what
    /// [`last_event_id`](Self::last_event_id) gives up to the next event or ID; the events do not show it.
    pub fn set_last_event_id(&mut self, id: impl Into<String>) {
        self.reader.last_event_id = id.into();
    }

    /// The ID of the last event, or of a block without data behind it: what a client sends as `Last-Event-ID` when it
    /// reconnects.
    pub fn last_event_id(&self) -> &str {
        &self.reader.last_event_id
    }

    /// Bytes that are held on the heap now, spare room among them: what waits for its end, the rest of a chunk, and the
    /// last event ID.
    #[must_use]
    pub fn heap_len(&self) -> usize {
        let reader = &self.reader;
        let kept_len = reader.rest.capacity() + reader.last_event_id.capacity() + reader.decoder_id.capacity();
        reader.decoder.heap_len() + kept_len
    }
}

impl<S> fmt::Debug for EventStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EventStream")
            .field("decoder", &self.reader.decoder)
            .field("rest_len", &(self.reader.rest.len() - self.reader.from))
            .field("is_ended", &self.reader.is_ended)
            .finish_non_exhaustive()
    }
}

impl<S, B, E> Stream for EventStream<S>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    type Item = Result<Event, EventStreamError<E>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        let found = loop {
            if let Some(found) = this.reader.held() {
                break found;
            }
            if this.reader.is_ended {
                return Poll::Ready(None);
            }
            let found = match ready!(this.stream.as_mut().poll_next(context)) {
                Some(Ok(chunk)) => this.reader.read(chunk.as_ref()),
                Some(Err(error)) => {
                    this.reader.is_broken = true;
                    return Poll::Ready(Some(Err(EventStreamError::Transport(error))));
                }
                None => this.reader.end(),
            };
            if let Some(found) = found {
                break found;
            }
        };
        Poll::Ready(Some(found.map_err(EventStreamError::widen)))
    }
}

/// An item, before it is known how the transport may fail.
type Found = Result<Event, EventStreamError<Infallible>>;

/// What is done with an event that nothing closed, and whose data are whole all the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unclosed {
    Take,
    Refuse,
}

/// All but the stream of bytes.
///
/// * `from <= rest.len()`; a chunk is read only where they are equal.
/// * Once it `is_ended`, nothing but `last` is left.
struct Reader {
    decoder: Decoder,
    unclosed: Unclosed,
    /// What of a chunk stands behind the item that was taken out of it, and how far it is used up.
    rest: Vec<u8>,
    from: usize,
    /// As the caller knows it, and as the decoder has it: they differ where the caller has set it.
    last_event_id: String,
    decoder_id: String,
    /// The transport gave an error, and no bytes since.
    is_broken: bool,
    is_ended: bool,
    /// The error that stands behind the item of the end.
    last: Option<EventStreamError<Infallible>>,
}

impl Reader {
    fn new(limits: Limits) -> Self {
        Self {
            decoder: Decoder::with_limits(limits),
            unclosed: Unclosed::Take,
            rest: Vec::new(),
            from: 0,
            last_event_id: String::new(),
            decoder_id: String::new(),
            is_broken: false,
            is_ended: false,
            last: None,
        }
    }

    /// The next item of a chunk. What stands behind it is kept.
    fn read(&mut self, chunk: &[u8]) -> Option<Found> {
        self.is_broken &= chunk.is_empty();
        let mut unread = chunk;
        let found = pull(&mut self.decoder, &mut unread);
        self.rest.extend_from_slice(unread);
        self.told(found)
    }

    /// The next item of what is kept.
    fn held(&mut self) -> Option<Found> {
        if let Some(error) = self.last.take() {
            return Some(Err(error));
        }
        let mut unread = self.rest.get(self.from..).filter(|rest| !rest.is_empty())?;
        let found = pull(&mut self.decoder, &mut unread);
        self.from = self.rest.len() - unread.len();
        if unread.is_empty() {
            self.let_go();
        }
        self.told(found)
    }

    /// Lets go of what is kept.
    fn let_go(&mut self) {
        if self.rest.capacity() > RETAINED_LEN {
            self.rest = Vec::new();
        }
        self.rest.clear();
        self.from = 0;
    }

    /// Notes what an item changes.
    fn told(&mut self, found: Option<Found>) -> Option<Found> {
        if let Some(Err(EventStreamError::Limit(_))) = found {
            self.is_ended = true;
            self.let_go();
        }
        let id = String::from_utf8_lossy(self.decoder.last_event_id());
        if matches!(found, Some(Ok(_))) || *id != *self.decoder_id {
            self.decoder_id.clear();
            self.decoder_id.push_str(&id);
            self.last_event_id.clone_from(&self.decoder_id);
        }
        found
    }

    /// The body is over: the event that is taken although nothing closed it, and behind it what is wrong.
    fn end(&mut self) -> Option<Found> {
        self.is_ended = true;
        let offset = self.decoder.offset();
        let mut eof = match mem::take(&mut self.decoder).finish() {
            Ok(eof) => eof,
            Err(error) => return Some(Err(EventStreamError::Limit(error))),
        };
        let takes = self.unclosed == Unclosed::Take && !self.is_broken;
        // An error that is told is never kept back.
        let found = eof.whole_item().filter(|item| takes || item.event().is_none()).map(owned);
        if let Some(Ok(event)) = &found {
            self.last_event_id.clone_from(&event.id);
        }
        let cut = cut(&eof, offset, if takes { found.as_ref() } else { None });
        let diagnosis = eof.diagnosis.take().map(|diagnosis| *diagnosis);
        self.last = wrong(diagnosis, cut, self.is_broken);
        found.or_else(|| self.held())
    }
}

/// The next item of a chunk, owned.
fn pull(decoder: &mut Decoder, chunk: &mut &[u8]) -> Option<Found> {
    match decoder.next_item(chunk) {
        Ok(item) => item.map(owned),
        Err(error) => Some(Err(EventStreamError::Limit(error))),
    }
}

fn owned(item: Item<'_>) -> Found {
    match item {
        Item::Event(event) => Ok(event.into()),
        Item::Error(error) => Err(EventStreamError::Field(FieldError { text: error.text().into_owned() })),
    }
}

/// What was cut off at the end, aside from what was taken.
fn cut(eof: &Eof, offset: u64, taken: Option<&Found>) -> Option<Cut> {
    // An event takes all that is left; an error its line, and not the data in front of it.
    let is_cut = match taken {
        Some(Ok(_)) => false,
        Some(Err(_)) => eof.pending_event,
        None => eof.is_cut(),
    };
    let partial_line = eof.partial_line && taken.is_none();
    is_cut.then_some(Cut { offset, partial_line, pending_event: eof.pending_event || !partial_line })
}

/// The one thing that is told of what is wrong: the words of the body before where it ended, and that before its silence.
fn wrong(diagnosis: Option<Diagnosis>, cut: Option<Cut>, is_broken: bool) -> Option<EventStreamError<Infallible>> {
    let silent = |diagnosis: &Diagnosis| matches!(diagnosis.kind(), BodyKind::Empty | BodyKind::NoEvents);
    match (diagnosis, cut) {
        (Some(diagnosis), _) if !silent(&diagnosis) => Some(EventStreamError::Body(diagnosis)),
        (_, Some(cut)) => Some(EventStreamError::Cut(cut)),
        (Some(_), None) if is_broken => None,
        (diagnosis, None) => diagnosis.map(EventStreamError::Body),
    }
}
