//! The elements of a document out of a stream of bytes: each as it closes, while the rest is still being written.
//!
//! ```
//! use std::convert::Infallible;
//! use std::pin::Pin;
//! use std::task::{Context, Poll, Waker};
//!
//! use futures_core::Stream;
//! use thusfar_core::{Elements, Expect};
//! use thusfar_stream::SessionOptions;
//! use thusfar_stream::element_stream::ElementStream;
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
//!     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"items\\\": [{\\\"id\\\": 1}, {\\\"i\"}}]}\n\n",
//!     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"d\\\": 2}, {\\\"id\\\": 3\"},\"finish_reason\":\"length\"}]}\n\n",
//!     "data: [DONE]\n\n",
//! ];
//! let options = SessionOptions::default().judge_text(Expect::object());
//! let mut items = Box::pin(ElementStream::new(Body(body.into_iter()), options, Elements::new("/items/-")?));
//! let mut context = Context::from_waker(Waker::noop()); // a runtime brings its own
//! let mut seen = Vec::new();
//! while let Poll::Ready(Some(item)) = items.as_mut().poll_next(&mut context) {
//!     seen.push(match item {
//!         Ok(item) => item.json,
//!         Err(error) => error.to_string(),
//!     });
//! }
//! assert_eq!(seen, [
//!     "{\"id\": 1}",
//!     "{\"id\": 2}",
//!     "the stream ended as truncated_length: cut inside a number at byte 41 (line 1, column 42)",
//! ]);
//! # Ok::<(), thusfar_core::PointerError>(())
//! ```
//!
//! # How it is polled
//!
//! The stream of bytes is polled only when all that closed in the chunk before has been handed out, so that a slow reader slows the
//! sender down; what waits is at most what one chunk closed. `Pending` is given only when it has just given `Pending`. To cancel,
//! drop it. An end that is none, or a reply that is no document, is an error item, so that a cut is never taken for the last element.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::Stream;
use pin_project_lite::pin_project;
use serde_core::de::DeserializeOwned;
use thusfar_core::{Elements, Ending, Node};

use crate::lane::{LaneFailure, LaneKey, Outcome, Watch};
use crate::session::{Session, SessionEvent, SessionOptions, StreamOutcome, Summary};

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

/// What stands in the stream where no element does.
#[derive(Debug)]
#[non_exhaustive]
pub enum ElementStreamError<E> {
    /// The stream of bytes gave an error. What it gives behind it is read on.
    Transport(E),
    /// The completion is not whole, or a reply in it is no document. The last item.
    Incomplete(Incomplete),
}

impl<E: fmt::Display> fmt::Display for ElementStreamError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementStreamError::Transport(error) => write!(formatter, "transport error: {error}"),
            ElementStreamError::Incomplete(incomplete) => incomplete.fmt(formatter),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for ElementStreamError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ElementStreamError::Transport(error) => Some(error),
            ElementStreamError::Incomplete(_) => None,
        }
    }
}

/// Why the elements are not all there are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Incomplete {
    /// What the completion came to.
    pub outcome: StreamOutcome,
    /// Why the first lane failed that did, and which.
    pub failure: Option<(LaneKey, LaneFailure)>,
}

impl Incomplete {
    fn of(summary: &Summary) -> Option<Self> {
        let outcome = summary.outcome();
        let failed = |lane: crate::Lane<'_>| Some((lane.key(), lane.outcome().and_then(Outcome::failure)?.clone()));
        let failure = summary.lanes().find_map(failed);
        (outcome != StreamOutcome::Complete || failure.is_some()).then_some(Self { outcome, failure })
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the stream ended as {}", self.outcome.as_str())?;
        match &self.failure {
            Some((_, failure)) => write!(formatter, ": {failure}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Incomplete {}

pin_project! {
    /// The elements in a stream of bytes.
    ///
    /// * Make: [`new`](ElementStream::new), [`hanging_up`](ElementStream::hanging_up).
    /// * Poll: [`poll_next`](Stream::poll_next).
    /// * At the end: [`summary`](ElementStream::summary).
    pub struct ElementStream<S> {
        #[pin]
        stream: Option<S>,
        reader: Reader,
    }
}

/// All but the stream of bytes.
struct Reader {
    /// Until it has ended.
    session: Option<Box<Session>>,
    summary: Option<Box<Summary>>,
    /// What one chunk closed.
    closed: VecDeque<Element>,
    incomplete: Option<Incomplete>,
    hangs_up: bool,
    is_broken: bool,
}

impl<S> ElementStream<S> {
    /// The values at a place of each judged lane. What `options` say of watching does not count.
    pub fn new(stream: S, options: SessionOptions, elements: Elements) -> Self {
        let session = Session::new(&options.watch(Watch::Elements(elements)));
        let reader = Reader {
            session: Some(Box::new(session)),
            summary: None,
            closed: VecDeque::new(),
            incomplete: None,
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

    /// What the completion came to, once the stream has ended.
    pub fn summary(&self) -> Option<&Summary> {
        self.reader.summary.as_deref()
    }
}

impl<S, B, E> Stream for ElementStream<S>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    type Item = Result<Element, ElementStreamError<E>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        loop {
            if let Some(element) = this.reader.closed.pop_front() {
                return Poll::Ready(Some(Ok(element)));
            }
            let Some(stream) = this.stream.as_mut().as_pin_mut() else {
                let last = this.reader.incomplete.take();
                return Poll::Ready(last.map(|incomplete| Err(ElementStreamError::Incomplete(incomplete))));
            };
            let goes_on = match ready!(stream.poll_next(context)) {
                Some(Ok(chunk)) => this.reader.read(chunk.as_ref()),
                Some(Err(error)) => {
                    this.reader.is_broken = true;
                    return Poll::Ready(Some(Err(ElementStreamError::Transport(error))));
                }
                None => {
                    let ending = if this.reader.is_broken { Ending::Disconnected } else { Ending::Unknown };
                    this.reader.end(ending);
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
        let Self { session: Some(session), closed, .. } = self else { return false };
        self.is_broken &= chunk.is_empty();
        let advice = session.push(chunk, &mut |event| take(&event, closed));
        let crate::Advice::Cancel(reason) = advice else { return true };
        if self.hangs_up {
            session.cancel(reason);
            self.end(Ending::Cancelled);
        }
        !self.hangs_up
    }

    fn end(&mut self, ending: Ending) {
        let Some(session) = self.session.take() else { return };
        let closed = &mut self.closed;
        let summary = session.finish(ending, &mut |event| take(&event, closed));
        self.incomplete = Incomplete::of(&summary);
        self.summary = Some(Box::new(summary));
    }
}

fn take(event: &SessionEvent<'_>, closed: &mut VecDeque<Element>) {
    if let SessionEvent::Element(lane, node) = event {
        closed.push_back(Element::of(lane.key(), node));
    }
}

/// Counts and states only.
impl<S> fmt::Debug for ElementStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ElementStream")
            .field("session", &self.reader.session)
            .field("summary", &self.reader.summary)
            .field("waiting", &self.reader.closed.len())
            .finish_non_exhaustive()
    }
}
