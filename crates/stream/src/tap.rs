//! A body of HTTP that goes on to somebody else and is watched on the way: what a gateway puts between a provider and a client.
//!
//! # Theory
//!
//! ```text
//! upstream ── frame ──┬── the very same frame ──────────────── client
//!                     └── Session ── events, Summary ──────── whoever asked
//!                            └── advice ── only where acting was asked for: cut, close, drop upstream
//! ```
//!
//! By default a tap changes nothing: each frame goes on as it came, the same [`Bytes`](bytes::Bytes), with the end, the trailers,
//! the errors and the size that upstream has. It holds no frame back.
//!
//! Clients take a body that ends for a reply that is whole: their SDKs raise nothing for a stream that was cut cleanly. So a tap
//! that acts closes the body with an error that they raise: an event of the dialect, or an error of the body itself.
//!
//! # Invariants
//!
//! * A body never ends without an error unless upstream's did: what closes it is chosen before upstream is let go, and `Closed`
//!   is reached by handing it out (`tap/body`).
//! * What a client got is all of upstream's body; or its bytes up to the end of an event, and one error event; or its first bytes,
//!   and an error.
//! * One poll of upstream a poll, and nothing waits but the closing event.
//!
//! What is deliberately absent: queues, tasks, clocks, decompression. A body in a content coding goes on unwatched.

mod body; // the frames
mod response; // the headers that go with them
mod watcher; // the session, and whom it is told

use core::fmt;

use http_body::Body;

use crate::advice::Reason;
use crate::provider::Closing;
use crate::session::{SessionEvent, SessionOptions, Summary};
use watcher::Watcher;

pub use body::{Tap, Watching};

/// How a tap ends a body whose reply is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// With the error event that the provider's dialect has, and then the end; with an error of the body where it has none, where
    /// it is not known whose events they are, and where the body cannot be decoded.
    ErrorEvent,
    /// With an error of the body: HTTP/1.1 ends without the last chunk, HTTP/2 resets the stream. A server may lose what it has not
    /// written by then.
    BodyError,
}

/// Which advice a tap acts upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cuts {
    Lost,
    /// Also what stands behind a document that is final.
    LostAndFinal,
}

/// What is known of a body before it is tapped, and what is done with what it says.
///
/// ```
/// use http::{Response, header::CONTENT_LENGTH};
/// use thusfar_core::Expect;
/// use thusfar_stream::SessionOptions;
/// use thusfar_stream::tap::{Act, TapOptions};
/// # use std::{convert::Infallible, pin::Pin, task::{Context, Poll}};
/// # struct Full(Option<bytes::Bytes>);
/// # impl http_body::Body for Full {
/// #     type Data = bytes::Bytes;
/// #     type Error = Infallible;
/// #     fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<http_body::Frame<bytes::Bytes>, Infallible>>> {
/// #         Poll::Ready(self.0.take().map(|data| Ok(http_body::Frame::data(data))))
/// #     }
/// # }
///
/// fn forward(upstream: Response<Full>) -> Response<impl http_body::Body<Data = bytes::Bytes>> {
///     TapOptions::new(SessionOptions::default().judge_text(Expect::object()))
///         .acting(Act::ErrorEvent)
///         .on_end(|summary| println!("{} {:?}", summary.outcome().as_str(), summary.advice()))
///         .response(upstream)
/// }
/// # let response = Response::builder().header(CONTENT_LENGTH, 0).body(Full(None))?;
/// # assert!(!forward(response).headers().contains_key(CONTENT_LENGTH));
/// # Ok::<(), http::Error>(())
/// ```
///
/// * Say: [`acting`](Self::acting), [`acting_when_final`](Self::acting_when_final), [`on_event`](Self::on_event),
///   [`on_end`](Self::on_end).
/// * Tap: [`response`](Self::response), or [`body`](Self::body) for whoever minds the headers.
#[derive(Clone)]
pub struct TapOptions<On = fn(SessionEvent<'_>), End = fn(Summary)> {
    session: SessionOptions,
    act: Option<Act>,
    cuts: Cuts,
    on: On,
    end: End,
}

impl TapOptions {
    /// A tap that watches, and tells nobody.
    #[must_use]
    pub fn new(session: SessionOptions) -> Self {
        Self { session, act: None, cuts: Cuts::Lost, on: |_| (), end: |_| () }
    }
}

impl<On, End> TapOptions<On, End> {
    /// Says that a body whose reply is lost is ended there, and how: when it is doomed, without end or over a limit, by
    /// [`Advice::Cancel`](crate::Advice::Cancel), which is for all choices. Upstream is dropped, which is how it is told.
    #[must_use]
    pub fn acting(mut self, act: Act) -> Self {
        self.act = Some(act);
        self
    }

    /// The same, and a body is also ended when its document is final: what would still come of finish reasons and usage is lost,
    /// and the client gets an error all the same, since only upstream can end a body cleanly.
    #[must_use]
    pub fn acting_when_final(mut self, act: Act) -> Self {
        (self.act, self.cuts) = (Some(act), Cuts::LostAndFinal);
        self
    }

    /// Says who is told what happens, by the poll in which it does. It holds the body up for as long as it takes.
    /// Of a frame that is cut all is told, also what the client does not get.
    #[must_use]
    pub fn on_event<New: FnMut(SessionEvent<'_>)>(self, on: New) -> TapOptions<New, End> {
        let Self { session, act, cuts, end, .. } = self;
        TapOptions { session, act, cuts, on, end }
    }

    /// Says who is told what it came to, once: when upstream's body ends, when it is cut, and when the tap is dropped before,
    /// which is a client that has gone away ([`Reason::ClientGone`]), unless the provider's last event had come: many hang up
    /// behind that. Behind a callback of events that has panicked nobody is told.
    #[must_use]
    pub fn on_end<New: FnOnce(Summary)>(self, end: New) -> TapOptions<On, New> {
        let Self { session, act, cuts, on, .. } = self;
        TapOptions { session, act, cuts, on, end }
    }
}

impl<On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> TapOptions<On, End> {
    /// Taps a body that is in no content coding. Where the tap acts, headers that tell its length or its digest are no longer
    /// true: see [`response`](Self::response).
    pub fn body<B: Body>(self, upstream: B) -> Tap<B, On, End> {
        let act = self.act;
        let watcher = if upstream.is_end_stream() { Watcher::of_nothing(self) } else { Watcher::new(self) };
        Tap::of(upstream, act, Some(watcher))
    }
}

/// Lengths and states only: never the text.
impl<On, End> fmt::Debug for TapOptions<On, End> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TapOptions")
            .field("session", &self.session)
            .field("act", &self.act)
            .field("cuts", &self.cuts)
            .finish_non_exhaustive()
    }
}

/// The error by which a tap ended a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HungUp {
    reason: Reason,
    at: u64,
}

impl HungUp {
    /// Why.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// The byte of upstream's body by which that was certain.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.at
    }
}

impl fmt::Display for HungUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, at } = self;
        write!(formatter, "hung up on upstream at byte {at}: {}", reason.as_str())
    }
}

impl core::error::Error for HungUp {}

/// What a client is told; nothing for the reasons that only a caller has.
const fn words(reason: Reason) -> Option<Closing> {
    let (code, message) = match reason {
        Reason::Doomed => ("thusfar_doomed", "no continuation makes this reply the JSON that was asked for"),
        Reason::Runaway => ("thusfar_runaway", "this reply repeats itself without end"),
        Reason::Limit => ("thusfar_limit", "this reply is over a limit"),
        Reason::Schema => ("thusfar_schema", "this reply can no longer be valid under its schema"),
        Reason::Final => ("thusfar_final", "the document is whole, and what follows it was cut off"),
        Reason::Budget | Reason::Deadline | Reason::ClientGone => return None,
    };
    Some(Closing { code, message })
}

#[cfg(all(test, any(feature = "tracing", feature = "metrics")))]
mod tests {
    use super::{Reason, words};
    use crate::telemetry::is_known_error;

    #[test]
    fn what_a_tap_writes_is_recorded_by_its_name() {
        let codes = Reason::ALL.into_iter().filter_map(words).map(|closing| closing.code);
        assert_eq!(codes.clone().count(), 5);
        assert!(codes.clone().all(is_known_error), "{:?}", codes.collect::<alloc::vec::Vec<_>>());
    }
}
