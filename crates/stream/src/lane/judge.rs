//! The engine that reads a lane: with a view, or without.

use alloc::boxed::Box;

use thusfar_core::{Code, Document, Ending, Expect, Failure, Live, Progress, Reply, Verdict, View};

/// The reply of a lane. Boxed: a stream has room for many lanes, and most have no view.
pub(super) enum Judge {
    Blind(Box<Reply>),
    Live(Box<Live>),
}

/// The same of either.
macro_rules! either {
    ($judge:expr, $reply:ident => $what:expr) => {
        match $judge {
            Judge::Blind($reply) => $what,
            Judge::Live($reply) => $what,
        }
    };
}

impl Judge {
    pub(super) fn new(expect: Expect, is_live: bool) -> Self {
        if is_live { Judge::Live(Box::new(Reply::live(expect))) } else { Judge::Blind(Box::new(Reply::new(expect))) }
    }

    #[inline]
    pub(super) fn push(&mut self, text: &str) -> Progress {
        either!(self, reply => reply.push(text))
    }

    #[inline]
    pub(super) fn progress(&self) -> Progress {
        either!(self, reply => reply.progress())
    }

    pub(super) fn doomed(&self) -> Option<Code> {
        either!(self, reply => reply.doomed())
    }

    pub(super) fn repair_count(&self) -> usize {
        either!(self, reply => reply.repair_count())
    }

    pub(super) fn raw(&self) -> &str {
        either!(self, reply => reply.raw())
    }

    pub(super) fn view(&self) -> Option<View<'_>> {
        match self {
            Judge::Blind(_) => None,
            Judge::Live(reply) => Some(reply.view()),
        }
    }

    /// The document. A view is shown once more before.
    pub(super) fn finish(self, ending: Ending, last: impl FnOnce(&View<'_>)) -> Result<Document, Failure> {
        match self {
            Judge::Blind(reply) => reply.finish(ending),
            Judge::Live(reply) => reply.finish_with(ending, |view| last(&view)),
        }
    }

    pub(super) fn verdict(self, ending: Ending) -> Result<Verdict, Failure> {
        either!(self, reply => reply.verdict(ending))
    }
}
