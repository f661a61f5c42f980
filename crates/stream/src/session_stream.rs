//! What happens in a streaming completion, out of a stream of bytes: owned events, and what it came to as the last one.
//!
//! ```
//! use std::convert::Infallible;
//! use std::pin::Pin;
//! use std::task::{Context, Poll, Waker};
//!
//! use futures_core::Stream;
//! use thusfar_core::Expect;
//! use thusfar_stream::session_stream::{OwnedEvent, SessionStream};
//! use thusfar_stream::{SessionOptions, StreamOutcome};
//!
//! /// What a client for HTTP gives: pieces of a body.
//! struct Body(std::vec::IntoIter<&'static str>);
//!
//! impl Stream for Body {
//!     type Item = Result<&'static str, Infallible>;
//!     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
//!         Poll::Ready(self.0.next().map(Ok))
//!     }
//! }
//!
//! let body = vec![
//!     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"ok\\\": \"}}]}\n\nda",
//!     "ta: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"true}\"},\"finish_reason\":\"stop\"}]}\n\n",
//!     "data: [DONE]\n\n",
//! ];
//! let options = SessionOptions::default().judge_text(Expect::object());
//! let mut events = Box::pin(SessionStream::new(Body(body.into_iter()), &options));
//! let mut context = Context::from_waker(Waker::noop()); // a runtime brings its own
//! let mut text = String::new();
//! while let Poll::Ready(Some(event)) = events.as_mut().poll_next(&mut context) {
//!     match event? {
//!         OwnedEvent::Text(_, added) => text.push_str(&added),
//!         OwnedEvent::Closed(closed) => {
//!             let document = closed.lane().outcome().and_then(|outcome| outcome.text());
//!             assert_eq!(document, Some("{\"ok\": true}"));
//!         }
//!         OwnedEvent::Ended(summary) => assert_eq!(summary.outcome(), StreamOutcome::Complete),
//!         _ => {}
//!     }
//! }
//! assert_eq!(text, "{\"ok\": true}");
//! # Ok::<(), Infallible>(())
//! ```
//!
//! # How it is polled
//!
//! The stream of bytes is polled only when all that the chunk before said has been handed out, so that a slow reader slows the sender
//! down; what waits is at most what one chunk said. `Pending` is given only when it has just given `Pending`. To cancel, drop it.
//!
//! An error of the transport is an error item, and the stream is polled again when the caller does; if no bytes come any more, what it
//! came to is that of a connection that was lost. Everything else that can be wrong is in the events.
//!
//! # The end
//!
//! The last item is [`OwnedEvent::Ended`], with the [`Summary`]. It is an item and not a getter, since most who read a stream have
//! given it away, to a combinator, a task or a channel, by the time at which it ends; and since a stream without that item was
//! dropped, while the end of a stream alone says nothing about the reply.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::Stream;
use pin_project_lite::pin_project;
use serde_core::de::DeserializeOwned;
use thusfar_core::{Ending, Node, Progress};

use crate::lane::{Lane, LaneKey};
use crate::said::FinishClass;
use crate::session::{Session, SessionEvent, SessionOptions, StreamWarning, Summary};

/// A value that has closed. `Debug` shows its length, never its text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// The lane it stands in.
    pub lane: LaneKey,
    /// Which candidate of the lane it belongs to. Another number than that of an element before says that those were no part of what
    /// is shown now.
    pub generation: u32,
    /// Its JSON pointer (RFC 6901).
    pub pointer: String,
    /// Its JSON text, as the document will hold it.
    pub json: String,
}

impl Element {
    fn of(lane: LaneKey, node: &Node<'_>) -> Self {
        let json = node.json().unwrap_or_default().into_owned();
        Self { lane, generation: node.generation(), pointer: node.pointer(), json }
    }

    /// The value as a type. Linear in its text.
    ///
    /// # Errors
    /// When it does not have the shape of `T`.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.json)
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Element")
            .field("lane", &self.lane)
            .field("generation", &self.generation)
            .field("json_len", &self.json.len())
            .finish_non_exhaustive()
    }
}

/// A lane of which nothing more comes. It shares the summary: nothing of the lane is copied.
#[derive(Clone)]
pub struct ClosedLane {
    summary: Arc<Summary>,
    key: LaneKey,
}

impl ClosedLane {
    /// The lane: its key, ID, name and text, and if it is judged its [`outcome`](Lane::outcome).
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn lane(&self) -> Lane<'_> {
        self.summary.lanes().find(|lane| lane.key() == self.key).expect("made of one of its lanes")
    }
}

impl fmt::Debug for ClosedLane {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lane().fmt(formatter)
    }
}

/// What happens in a stream: a [`SessionEvent`] that borrows nothing. `Debug` shows no text.
#[derive(Clone)]
#[non_exhaustive]
pub enum OwnedEvent {
    /// A lane has opened. Its text follows. Of a tool call: the ID and the name, if they are there; they may come later.
    Opened {
        /// The lane.
        lane: LaneKey,
        /// The ID of the tool call.
        id: Option<Box<str>>,
        /// The name of the tool.
        name: Option<Box<str>>,
    },
    /// Text was added to a lane.
    Text(LaneKey, String),
    /// A value has closed in a lane that is [watched](crate::Watch), at the place that was asked for.
    Element(Element),
    /// More is known of a lane that is judged.
    Progress(LaneKey, Progress),
    /// Nothing more comes of a lane. Told at the end.
    Closed(ClosedLane),
    /// A choice has ended, says the provider: its number, the word, the class.
    Finished(u32, String, FinishClass),
    /// Counts of tokens: those so far, as a JSON object.
    Usage(String),
    /// The provider failed: a JSON object.
    Failed(String),
    /// Something that is not as it should be, and where, in bytes from the body's beginning.
    Warning(StreamWarning, u64),
    /// The last item: what the completion came to.
    Ended(Arc<Summary>),
}

impl OwnedEvent {
    /// Of what closes nothing is there: it is told of the summary.
    fn of(event: &SessionEvent<'_>) -> Option<Self> {
        Some(match *event {
            SessionEvent::Opened(lane) => {
                Self::Opened { lane: lane.key(), id: lane.id().map(Box::from), name: lane.name().map(Box::from) }
            }
            SessionEvent::Text(lane, text) => Self::Text(lane.key(), text.into()),
            SessionEvent::Element(lane, ref node) => Self::Element(Element::of(lane.key(), node)),
            SessionEvent::Progress(lane, progress) => Self::Progress(lane.key(), progress),
            SessionEvent::Closed(_) => return None,
            SessionEvent::Finished(choice, raw, class) => Self::Finished(choice, raw.into(), class),
            SessionEvent::Usage(usage) => Self::Usage(usage.into()),
            SessionEvent::Failed(error) => Self::Failed(error.into()),
            SessionEvent::Warning(warning, at) => Self::Warning(warning, at),
        })
    }
}

/// Lengths and states only: never the text.
impl fmt::Debug for OwnedEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Opened { lane, id, name } => formatter
                .debug_struct("Opened")
                .field("lane", lane)
                .field("id_len", &id.as_deref().map(str::len))
                .field("name_len", &name.as_deref().map(str::len))
                .finish(),
            Self::Text(lane, text) => formatter.debug_tuple("Text").field(lane).field(&text.len()).finish(),
            Self::Element(element) => formatter.debug_tuple("Element").field(element).finish(),
            Self::Progress(lane, progress) => formatter.debug_tuple("Progress").field(lane).field(progress).finish(),
            Self::Closed(closed) => formatter.debug_tuple("Closed").field(closed).finish(),
            Self::Finished(choice, raw, class) => {
                formatter.debug_tuple("Finished").field(choice).field(&raw.len()).field(class).finish()
            }
            Self::Usage(usage) => formatter.debug_tuple("Usage").field(&usage.len()).finish(),
            Self::Failed(error) => formatter.debug_tuple("Failed").field(&error.len()).finish(),
            Self::Warning(warning, at) => formatter.debug_tuple("Warning").field(warning).field(at).finish(),
            Self::Ended(summary) => formatter.debug_tuple("Ended").field(summary).finish(),
        }
    }
}

pin_project! {
    /// What happens in a streaming completion, out of a stream of bytes.
    ///
    /// * Make: [`new`](SessionStream::new), [`hanging_up`](SessionStream::hanging_up).
    /// * Poll: [`poll_next`](Stream::poll_next); the last item is [`OwnedEvent::Ended`].
    pub struct SessionStream<S> {
        #[pin]
        stream: Option<S>,
        reader: Reader,
    }
}

/// Which events are handed out. The end always is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Elements,
}

/// All but the stream of bytes.
struct Reader {
    /// Until it has ended.
    session: Option<Box<Session>>,
    wanted: Wanted,
    /// What one chunk said.
    waiting: VecDeque<OwnedEvent>,
    hangs_up: bool,
    /// The transport gave an error, and no bytes since.
    is_broken: bool,
}

impl<S> SessionStream<S> {
    /// All that happens in the completion whose body `stream` gives.
    pub fn new(stream: S, options: &SessionOptions) -> Self {
        let reader = Reader {
            session: Some(Box::new(Session::new(options))),
            wanted: Wanted::All,
            waiting: VecDeque::new(),
            hangs_up: false,
            is_broken: false,
        };
        Self { stream: Some(stream), reader }
    }

    /// The same, but the stream of bytes is dropped as soon as nothing that follows can matter: a document is final, or no
    /// continuation saves the reply. Counts of tokens are lost then.
    #[must_use]
    pub fn hanging_up(mut self) -> Self {
        self.reader.hangs_up = true;
        self
    }

    /// Elements and the end: the others are not even copied.
    pub(crate) fn elements_only(mut self) -> Self {
        self.reader.wanted = Wanted::Elements;
        self
    }
}

impl<S, B, E> Stream for SessionStream<S>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    type Item = Result<OwnedEvent, E>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        loop {
            if let Some(event) = this.reader.waiting.pop_front() {
                return Poll::Ready(Some(Ok(event)));
            }
            let Some(stream) = this.stream.as_mut().as_pin_mut() else { return Poll::Ready(None) };
            let goes_on = match ready!(stream.poll_next(context)) {
                Some(Ok(chunk)) => this.reader.read(chunk.as_ref()),
                Some(Err(error)) => {
                    this.reader.is_broken = true;
                    return Poll::Ready(Some(Err(error)));
                }
                None => {
                    this.reader.end(if this.reader.is_broken { Ending::Disconnected } else { Ending::Unknown });
                    false
                }
            };
            if !goes_on {
                this.stream.set(None);
            }
        }
    }
}

impl Reader {
    /// Takes a chunk; whether the next one is wanted.
    fn read(&mut self, chunk: &[u8]) -> bool {
        let Self { session: Some(session), waiting, wanted, .. } = self else { return false };
        self.is_broken &= chunk.is_empty();
        let advice = session.push(chunk, &mut |event| wanted.keep(&event, waiting));
        let is_over = self.hangs_up && advice.is_cancel();
        if is_over {
            self.end(Ending::Cancelled);
        }
        !is_over
    }

    fn end(&mut self, ending: Ending) {
        let Some(session) = self.session.take() else { return };
        let Self { waiting, wanted, .. } = self;
        // Lanes close behind all else, in the order in which the summary has them.
        let summary = Arc::new(session.finish(ending, &mut |event| wanted.keep(&event, waiting)));
        if *wanted == Wanted::All {
            let closed = |lane: Lane<'_>| ClosedLane { summary: summary.clone(), key: lane.key() };
            waiting.extend(summary.lanes().map(|lane| OwnedEvent::Closed(closed(lane))));
        }
        waiting.push_back(OwnedEvent::Ended(summary));
    }
}

impl Wanted {
    fn keep(self, event: &SessionEvent<'_>, waiting: &mut VecDeque<OwnedEvent>) {
        if self == Wanted::All || matches!(event, SessionEvent::Element(..)) {
            waiting.extend(OwnedEvent::of(event));
        }
    }
}

/// Counts and states only.
impl<S> fmt::Debug for SessionStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SessionStream")
            .field("session", &self.reader.session)
            .field("waiting", &self.reader.waiting.len())
            .finish_non_exhaustive()
    }
}
