//! A body of HTTP that does what is written down, and what comes out of another one.

use std::collections::VecDeque;
use std::fmt;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};

/// What a body does at a poll.
#[derive(Clone)]
pub(crate) enum Step {
    Data(Bytes),
    Trailers(HeaderMap),
    Pending,
    Reset,
}

/// Whether a body knows what it will do: as one with a `Content-Length` does, or a chunked one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Known,
    Unknown,
}

/// The error of a connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reset;

impl fmt::Display for Reset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("reset")
    }
}

impl std::error::Error for Reset {}

pub(crate) struct Wire {
    steps: VecDeque<Step>,
    length: Length,
    polls: Arc<AtomicUsize>,
    /// Set when it is let go.
    is_dropped: Arc<AtomicUsize>,
}

/// What is seen of a body from outside.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    polls: Arc<AtomicUsize>,
    is_dropped: Arc<AtomicUsize>,
}

impl Seen {
    pub(crate) fn polls(&self) -> usize {
        self.polls.load(Ordering::SeqCst)
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.is_dropped.load(Ordering::SeqCst) == 1
    }
}

impl Wire {
    pub(crate) fn of(steps: impl IntoIterator<Item = Step>, length: Length) -> Self {
        let Seen { polls, is_dropped } = Seen::default();
        Self { steps: steps.into_iter().collect(), length, polls, is_dropped }
    }

    /// Frames of so many bytes.
    pub(crate) fn of_bytes(bytes: &[u8], len: usize) -> Self {
        Self::of(pieces(bytes, len), Length::Unknown)
    }

    pub(crate) fn seen(&self) -> Seen {
        Seen { polls: self.polls.clone(), is_dropped: self.is_dropped.clone() }
    }
}

/// Frames of so many bytes.
pub(crate) fn pieces(bytes: &[u8], len: usize) -> Vec<Step> {
    bytes.chunks(len).map(|piece| Step::Data(Bytes::copy_from_slice(piece))).collect()
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.is_dropped.store(1, Ordering::SeqCst);
    }
}

impl Body for Wire {
    type Data = Bytes;
    type Error = Reset;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Reset>>> {
        self.polls.fetch_add(1, Ordering::SeqCst);
        match self.steps.pop_front() {
            None => Poll::Ready(None),
            Some(Step::Data(data)) => Poll::Ready(Some(Ok(Frame::data(data)))),
            Some(Step::Trailers(trailers)) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Some(Step::Pending) => Poll::Pending,
            Some(Step::Reset) => Poll::Ready(Some(Err(Reset))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.length == Length::Known && self.steps.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        if self.length == Length::Unknown {
            return SizeHint::default();
        }
        let lengths = self.steps.iter().map(|step| if let Step::Data(data) = step { data.len() } else { 0 });
        SizeHint::with_exact(lengths.sum::<usize>() as u64)
    }
}

type Polled<B> = Poll<Option<Result<Frame<<B as Body>::Data>, <B as Body>::Error>>>;

/// One poll.
pub(crate) fn poll<B: Body + Unpin>(body: &mut B) -> Polled<B> {
    pin!(body).poll_frame(&mut Context::from_waker(Waker::noop()))
}

/// How a body ended.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(crate) enum End {
    Clean,
    Error(String),
}

/// All that a client gets. Holds what every body must: nothing comes behind what is called the end, nor more than its size.
pub(crate) fn drain<B: Body<Data = Bytes, Error: ToString> + Unpin>(body: &mut B) -> (Vec<u8>, End) {
    let mut all = Vec::new();
    loop {
        let (is_ended, most) = (body.is_end_stream(), body.size_hint().upper());
        match poll(body) {
            Poll::Pending => assert!(!is_ended),
            Poll::Ready(None) => return (all, End::Clean),
            Poll::Ready(Some(Err(error))) => {
                assert!(!is_ended);
                return (all, End::Error(error.to_string()));
            }
            Poll::Ready(Some(Ok(frame))) => {
                assert!(!is_ended);
                if let Ok(data) = frame.into_data() {
                    assert!(most.is_none_or(|most| data.len() as u64 <= most));
                    all.extend(data);
                }
            }
        }
    }
}
