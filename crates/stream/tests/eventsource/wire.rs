//! A stream of bytes that does what is written down, and whoever polls it to its end.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;

/// How the transport fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reset;

impl fmt::Display for Reset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("connection reset")
    }
}

impl std::error::Error for Reset {}

/// What a stream of bytes does at one poll.
#[derive(Clone)]
pub(crate) enum Step {
    Chunk(Vec<u8>),
    Fail,
    Wait,
}

/// A stream of bytes that does what is written down, and counts. It panics when it is polled behind its end.
pub(crate) struct Wire {
    steps: VecDeque<Step>,
    is_ended: bool,
    pub(crate) count: Rc<Count>,
}

#[derive(Default)]
pub(crate) struct Count {
    pub(crate) polls: Cell<usize>,
    pub(crate) waits: Cell<usize>,
}

impl Wire {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().collect(), is_ended: false, count: Rc::default() }
    }

    pub(crate) fn of(chunks: &[&[u8]]) -> Self {
        Self::new(chunks.iter().map(|chunk| Step::Chunk(chunk.to_vec())))
    }
}

impl Stream for Wire {
    type Item = Result<Vec<u8>, Reset>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        assert!(!self.is_ended, "polled behind the end");
        self.count.polls.set(self.count.polls.get() + 1);
        match self.steps.pop_front() {
            Some(Step::Chunk(chunk)) => Poll::Ready(Some(Ok(chunk))),
            Some(Step::Fail) => Poll::Ready(Some(Err(Reset))),
            Some(Step::Wait) => {
                self.count.waits.set(self.count.waits.get() + 1);
                Poll::Pending
            }
            None => {
                self.is_ended = true;
                Poll::Ready(None)
            }
        }
    }
}

pub(crate) fn poll<S: Stream>(stream: Pin<&mut S>) -> Poll<Option<S::Item>> {
    stream.poll_next(&mut Context::from_waker(Waker::noop()))
}

/// All items of a stream. Behind the end there are none.
pub(crate) fn drain<S: Stream>(mut stream: Pin<&mut S>) -> Vec<S::Item> {
    let mut items = Vec::new();
    loop {
        match poll(stream.as_mut()) {
            Poll::Ready(Some(item)) => items.push(item),
            Poll::Pending => {}
            Poll::Ready(None) => break,
        }
    }
    for _ in 0..2 {
        assert!(matches!(poll(stream.as_mut()), Poll::Ready(None)), "fused");
    }
    items
}
