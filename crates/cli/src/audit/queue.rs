//! What waits between the one who reads and those who judge: bounded in bytes, whatever the lines.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that may wait or be worked on. A longer piece passes alone.
const MOST: usize = 8 << 20;

/// Something that takes room.
pub(super) trait Piece {
    fn len(&self) -> usize;
}

/// Pieces in the order in which they came.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    waiting: VecDeque<T>,
    /// Bytes that wait or are worked on.
    held: usize,
    is_closed: bool,
    takers: usize,
}

impl<T: Piece> Queue<T> {
    /// A queue for so many takers.
    pub(super) fn new(takers: usize) -> Self {
        let state = State { waiting: VecDeque::new(), held: 0, is_closed: false, takers };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a piece as soon as there is room. Without takers it is lost.
    pub(super) fn push(&self, piece: T) {
        let len = piece.len();
        let has_no_room = |state: &mut State<T>| state.takers > 0 && state.held > 0 && state.held + len > MOST;
        let mut state = self.changed.wait_while(self.lock(), has_no_room).unwrap_or_else(PoisonError::into_inner);
        state.held += len;
        state.waiting.push_back(piece);
        drop(state);
        self.changed.notify_all();
    }

    /// Nothing more comes.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Hands each piece to `work` until the queue is closed and empty.
    pub(super) fn take_all(&self, mut work: impl FnMut(&T)) {
        // However this ends, nobody waits for this taker.
        let _leaving = Leaving(self);
        loop {
            let is_idle = |state: &mut State<T>| state.waiting.is_empty() && !state.is_closed;
            let mut state = self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
            let Some(piece) = state.waiting.pop_front() else { return };
            drop(state);
            work(&piece);
            self.lock().held -= piece.len();
            drop(piece);
            self.changed.notify_all();
        }
    }

    /// One taker less.
    pub(super) fn leave(&self) {
        self.lock().takers -= 1;
        self.changed.notify_all();
    }

    /// Nothing is done under the lock that could fail half-way.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Leaving<'q, T: Piece>(&'q Queue<T>);

impl<T: Piece> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    impl Piece for Vec<u8> {
        fn len(&self) -> usize {
            self.as_slice().len()
        }
    }

    #[test]
    fn every_piece_is_taken_once_and_few_wait() {
        for takers in [1, 3] {
            let queue = Queue::new(takers);
            let (sum, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            thread::scope(|scope| {
                for _ in 0..takers {
                    scope.spawn(|| {
                        queue.take_all(|piece: &Vec<u8>| {
                            sum.fetch_add(piece.as_slice().len(), Ordering::Relaxed);
                            most.fetch_max(queue.lock().held, Ordering::Relaxed);
                        });
                    });
                }
                for len in [1, 5, MOST + 7, 3, MOST, MOST, 0, 2] {
                    queue.push(vec![0; len]);
                }
                queue.close();
            });
            assert_eq!(sum.into_inner(), 3 * MOST + 18);
            assert!(most.into_inner() <= MOST + 7);
            assert_eq!(queue.lock().held, 0);
        }
    }

    #[test]
    fn nobody_waits_for_takers_that_are_gone() {
        let queue = Queue::new(1);
        thread::scope(|scope| {
            let taker = scope.spawn(|| queue.take_all(|_: &Vec<u8>| panic!("a taker ends")));
            for _ in 0..4 {
                queue.push(vec![0; MOST]);
            }
            assert!(taker.join().is_err());
        });
    }
}
