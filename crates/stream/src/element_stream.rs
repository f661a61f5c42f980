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

use alloc::sync::Arc;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::Stream;
use pin_project_lite::pin_project;
use thusfar_core::Elements;

use crate::lane::{LaneFailure, LaneKey, Outcome, Watch};
use crate::session::{SessionOptions, StreamOutcome, Summary};
pub use crate::session_stream::Element;
use crate::session_stream::{OwnedEvent, SessionStream};

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
        events: SessionStream<S>,
        summary: Option<Arc<Summary>>,
    }
}

impl<S> ElementStream<S> {
    /// The values at a place of each judged lane. What `options` say of watching does not count.
    pub fn new(stream: S, options: SessionOptions, elements: Elements) -> Self {
        let options = options.watch(Watch::Elements(elements));
        Self { events: SessionStream::new(stream, &options).elements_only(), summary: None }
    }

    /// The same, but the stream of bytes is dropped as soon as nothing that follows can matter: a document is final, or no
    /// continuation saves the reply. Counts of tokens are lost then.
    #[must_use]
    pub fn hanging_up(mut self) -> Self {
        self.events = self.events.hanging_up();
        self
    }

    /// What the completion came to, once the stream has ended.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_deref()
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
            let item = match ready!(this.events.as_mut().poll_next(context)) {
                Some(Ok(OwnedEvent::Element(element))) => Ok(element),
                Some(Ok(OwnedEvent::Ended(summary))) => {
                    let incomplete = Incomplete::of(&summary);
                    *this.summary = Some(summary);
                    let Some(incomplete) = incomplete else { continue };
                    Err(ElementStreamError::Incomplete(incomplete))
                }
                Some(Ok(_)) => continue,
                Some(Err(error)) => Err(ElementStreamError::Transport(error)),
                None => return Poll::Ready(None),
            };
            return Poll::Ready(Some(item));
        }
    }
}

/// Counts and states only.
impl<S> fmt::Debug for ElementStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ElementStream")
            .field("events", &self.events)
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}
