//! The session of a tap, and whom it is told: heard chunk by chunk, ended once.

use alloc::boxed::Box;

use bytes::Bytes;
use thusfar_core::Ending;

use super::{Cuts, HungUp, TapOptions, words};
use crate::advice::Reason;
use crate::provider::closing;
use crate::session::{Front, HangUp, Session, SessionEvent, Summary};

/// The session, until it is ended: at the latest when it is dropped.
pub(super) struct Watcher<On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> {
    watched: Option<Watched<On, End>>,
    cuts: Cuts,
    /// The last byte of the body so far.
    last: u8,
}

struct Watched<On, End> {
    session: Box<Session>,
    on: On,
    end: End,
}

/// A frame in which a body is to be ended: how many of its bytes go on, and why.
pub(super) struct Cut {
    pub(super) len: usize,
    pub(super) hung_up: HungUp,
    /// The dialect's error event, where there is one and the bytes end an event.
    pub(super) event: Option<Bytes>,
}

impl<On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> Watcher<On, End> {
    pub(super) fn new(options: TapOptions<On, End>) -> Self {
        let TapOptions { session, cuts, on, end, .. } = options;
        let session = Box::new(Session::new(&session));
        Self { watched: Some(Watched { session, on, end }), cuts, last: 0 }
    }

    /// The same of a body that has ended, which nobody may poll.
    pub(super) fn of_nothing(options: TapOptions<On, End>) -> Self {
        let mut watcher = Self::new(options);
        watcher.finish(Ending::Unknown, None);
        watcher
    }

    /// The session, until it is ended.
    pub(super) fn session(&self) -> Option<&Session> {
        self.watched.as_ref().map(|watched| &*watched.session)
    }

    /// Hears more of the body. Says where it would be cut.
    pub(super) fn hear(&mut self, data: &Bytes) -> Option<Cut> {
        // Taken out: of a callback that panics no second one is asked for by `drop`, which would abort the process.
        let mut watched = self.watched.take()?;
        let start = watched.session.offset();
        // What it advises is asked for with its place.
        let _ = watched.session.push(data, &mut watched.on);
        let session = &*self.watched.insert(watched).session;
        let before = self.last;
        self.last = data.last().copied().unwrap_or(before);
        let HangUp { reason, at, front } =
            session.hang_ups().into_iter().flatten().find(|hang_up| self.cuts.has(hang_up.reason))?;
        let len = at.checked_sub(start).and_then(|len| usize::try_from(len).ok()).filter(|len| *len <= data.len());
        let last = len.and_then(|len| data[..len].last()).copied().unwrap_or(before);
        let event = match (front, len, session.provider(), session.framing()) {
            (Front::WholeEvents, Some(_), Some(provider), Some(framing)) => {
                words(reason).and_then(|why| closing(provider, framing, last, why))
            }
            _ => None,
        };
        // Of a body that cannot be decoded what came goes on up to the byte that broke it.
        Some(Cut { len: len.unwrap_or(0), hung_up: HungUp { reason, at }, event: event.map(Bytes::from) })
    }

    /// Ends the session, if that was not done before.
    pub(super) fn finish(&mut self, ending: Ending, hung_up: Option<Reason>) {
        let Some(Watched { mut session, mut on, end }) = self.watched.take() else { return };
        if let Some(reason) = hung_up {
            session.cancel(reason);
        }
        end(session.finish(ending, &mut on));
    }
}

impl<On: FnMut(SessionEvent<'_>), End: FnOnce(Summary)> Drop for Watcher<On, End> {
    /// Clients hang up behind the last event, and do not wait for the end of the body: then nothing was cancelled.
    fn drop(&mut self) {
        match self.session() {
            Some(session) if session.has_terminal() => self.finish(Ending::Unknown, None),
            _ => self.finish(Ending::Cancelled, Some(Reason::ClientGone)),
        }
    }
}

impl Cuts {
    /// Whether a body is cut for this reason. Those that only a caller has are none.
    fn has(self, reason: Reason) -> bool {
        match reason {
            Reason::Doomed | Reason::Runaway | Reason::Limit | Reason::Schema => true,
            Reason::Final => self == Cuts::LostAndFinal,
            Reason::Budget | Reason::Deadline | Reason::ClientGone => false,
        }
    }
}
