//! The frames of a tap.
//!
//! `Flow` holds the invariant: upstream's own end is the only `None` while it is open, and `Closed` stands behind a `Close` that
//! was handed out, which is an error of one kind or the other.

use alloc::boxed::Box;
use core::error::Error;
use core::fmt;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use thusfar_core::Ending;

use super::watcher::{Cut, Watcher};
use super::{Act, HungUp, TapOptions};
use crate::session::{Session, SessionEvent, SessionOptions, Summary};

pin_project! {
    /// A body that goes on as it comes, watched.
    ///
    /// Its error is upstream's, or [`HungUp`], in a box. `Debug` shows lengths and states, never text.
    ///
    /// * Make: [`new`](Tap::new) to watch alone; [`TapOptions`] for the rest.
    /// * Getters: [`session`](Tap::session), [`watching`](Tap::watching).
    /// * Poll: [`poll_frame`](Body::poll_frame).
    pub struct Tap<B, On = fn(SessionEvent<'_>), End = fn(Summary)>
    where
        On: FnMut(SessionEvent<'_>),
        End: FnOnce(Summary),
    {
        // Nothing once it was let go.
        #[pin]
        upstream: Option<B>,
        flow: Flow,
        act: Option<Act>,
        // Nothing where the body cannot be read.
        watcher: Option<Watcher<On, End>>,
    }
}

/// How far a body has come.
enum Flow {
    /// Upstream is read.
    Open,
    /// Upstream was let go, and this comes next.
    Closing(Close),
    /// That was handed out.
    Closed,
}

/// What stands behind the last byte of upstream that is passed on, where upstream did not end.
enum Close {
    Event(Bytes),
    Error(HungUp),
}

impl Close {
    /// Of a cut, as was asked for.
    fn of(cut: Cut, act: Act) -> Self {
        match (act, cut.event) {
            (Act::ErrorEvent, Some(event)) => Close::Event(event),
            _ => Close::Error(cut.hung_up),
        }
    }

    fn frame(self) -> Result<Frame<Bytes>, BoxError> {
        match self {
            Close::Event(event) => Ok(Frame::data(event)),
            Close::Error(hung_up) => Err(hung_up.into()),
        }
    }
}

type BoxError = Box<dyn Error + Send + Sync>;

/// Whether the bytes of a tap are heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Watching {
    /// They are, or were until the session was ended.
    Yes,
    /// They are in a content coding, and go on as they are. Ask upstream for `Accept-Encoding: identity`.
    Encoded,
}

impl<B: Body> Tap<B> {
    /// Watches a body, which is in no content coding.
    pub fn new(upstream: B, session: SessionOptions) -> Self {
        TapOptions::new(session).body(upstream)
    }
}

impl<B, On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> Tap<B, On, End> {
    pub(super) fn of(upstream: B, act: Option<Act>, watcher: Option<Watcher<On, End>>) -> Self {
        Self { upstream: Some(upstream), flow: Flow::Open, act, watcher }
    }

    /// What is known of the stream so far; nothing behind its end, and where it is not watched.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.watcher.as_ref().and_then(Watcher::session)
    }

    /// Whether it is watched at all. What is not watched is never acted upon, and no end of it is told.
    #[must_use]
    pub const fn watching(&self) -> Watching {
        if self.watcher.is_some() { Watching::Yes } else { Watching::Encoded }
    }

    /// Whether bytes may still be cut off or added.
    fn may_act(&self) -> bool {
        self.act.is_some() && self.session().is_some()
    }
}

impl<B, On, End> Body for Tap<B, On, End>
where
    B: Body<Data = Bytes, Error: Into<BoxError>>,
    On: FnMut(SessionEvent<'_>),
    End: FnOnce(Summary),
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let mut this = self.project();
        let (Some(mut upstream), Flow::Open) = (this.upstream.as_mut().as_pin_mut(), &*this.flow) else {
            return Poll::Ready(match mem::replace(this.flow, Flow::Closed) {
                Flow::Closing(close) => Some(close.frame()),
                Flow::Open | Flow::Closed => None,
            });
        };
        let frame = ready!(upstream.as_mut().poll_frame(context));
        let Some(watcher) = this.watcher else { return Poll::Ready(frame.map(|frame| frame.map_err(Into::into))) };
        let frame = match frame {
            None => {
                watcher.finish(Ending::Unknown, None);
                return Poll::Ready(None);
            }
            Some(Err(error)) => {
                watcher.finish(Ending::Disconnected, None);
                return Poll::Ready(Some(Err(error.into())));
            }
            Some(Ok(frame)) => frame,
        };
        let cut = frame.data_ref().and_then(|data| watcher.hear(data));
        let (Some(cut), Some(act)) = (cut, *this.act) else {
            // Nobody has to poll a body again that says so.
            if upstream.is_end_stream() {
                watcher.finish(Ending::Unknown, None);
            }
            return Poll::Ready(Some(Ok(frame)));
        };
        watcher.finish(Ending::Cancelled, Some(cut.hung_up.reason()));
        this.upstream.set(None);
        let len = cut.len;
        let close = Close::of(cut, act);
        match frame.into_data() {
            Ok(data) if len > 0 => {
                *this.flow = Flow::Closing(close);
                Poll::Ready(Some(Ok(Frame::data(data.slice(..len)))))
            }
            _ => {
                *this.flow = Flow::Closed;
                Poll::Ready(Some(close.frame()))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match (&self.flow, &self.upstream) {
            (Flow::Open, Some(upstream)) => upstream.is_end_stream(),
            (Flow::Closing(_), _) => false,
            (Flow::Open | Flow::Closed, _) => true,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match (&self.flow, &self.upstream) {
            (Flow::Open, Some(_)) if self.may_act() => SizeHint::default(),
            (Flow::Open, Some(upstream)) => upstream.size_hint(),
            (Flow::Closing(Close::Event(event)), _) => SizeHint::with_exact(event.len() as u64),
            (Flow::Closing(Close::Error(_)), _) => SizeHint::default(),
            (Flow::Open | Flow::Closed, _) => SizeHint::with_exact(0),
        }
    }
}

impl<B, On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> fmt::Debug for Tap<B, On, End> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flow = match self.flow {
            Flow::Open => "open",
            Flow::Closing(_) => "closing",
            Flow::Closed => "closed",
        };
        formatter
            .debug_struct("Tap")
            .field("flow", &flow)
            .field("act", &self.act)
            .field("watching", &self.watching())
            .field("offset", &self.session().map(Session::offset))
            .field("provider", &self.session().and_then(Session::provider))
            .finish_non_exhaustive()
    }
}
