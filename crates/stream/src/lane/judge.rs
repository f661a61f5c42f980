//! The engine that reads a lane: with a view or without, with a listener or without.

use alloc::boxed::Box;

use thusfar_core::{Code, Document, Ending, Expect, Failure, Listener, Live, Progress, Reply, Verdict, View};

/// The reply of a lane. Boxed: a stream has room for many lanes, and most have no view and no listener.
pub(super) enum Judge {
    Blind(Box<Reply>),
    Live(Box<Live>),
    Heard(Box<Reply<Box<dyn Listener>>>),
    LiveHeard(Box<Live<Box<dyn Listener>>>),
}

/// The same of each.
macro_rules! each {
    ($judge:expr, $reply:ident => $what:expr) => {
        match $judge {
            Judge::Blind($reply) => $what,
            Judge::Live($reply) => $what,
            Judge::Heard($reply) => $what,
            Judge::LiveHeard($reply) => $what,
        }
    };
}

/// What an engine answers, and who listened.
pub(super) type Answer<T> = (Result<T, Failure>, Option<Box<dyn Listener>>);

impl Judge {
    pub(super) fn new(expect: Expect, is_live: bool) -> Self {
        if is_live { Judge::Live(Box::new(Reply::live(expect))) } else { Judge::Blind(Box::new(Reply::new(expect))) }
    }

    /// The same, and somebody listens. Nothing has been pushed yet.
    pub(super) fn heard_by(&mut self, listener: Box<dyn Listener>) {
        let expect = self.expect();
        *self = match self {
            Judge::Blind(_) | Judge::Heard(_) => Judge::Heard(Box::new(Reply::with_sink(expect, listener))),
            Judge::Live(_) | Judge::LiveHeard(_) => Judge::LiveHeard(Box::new(Reply::live_with(expect, listener))),
        };
    }

    pub(super) fn expect(&self) -> Expect {
        each!(self, reply => reply.expect())
    }

    #[inline]
    pub(super) fn push(&mut self, text: &str) -> Progress {
        each!(self, reply => reply.push(text))
    }

    #[inline]
    pub(super) fn progress(&self) -> Progress {
        each!(self, reply => reply.progress())
    }

    pub(super) fn doomed(&self) -> Option<Code> {
        each!(self, reply => reply.doomed())
    }

    pub(super) fn repair_count(&self) -> usize {
        each!(self, reply => reply.repair_count())
    }

    pub(super) fn raw(&self) -> &str {
        each!(self, reply => reply.raw())
    }

    pub(super) fn view(&self) -> Option<View<'_>> {
        match self {
            Judge::Blind(_) | Judge::Heard(_) => None,
            Judge::Live(reply) => Some(reply.view()),
            Judge::LiveHeard(reply) => Some(reply.view()),
        }
    }

    /// Who listens.
    pub(super) fn listener(&self) -> Option<&dyn Listener> {
        match self {
            Judge::Blind(_) | Judge::Live(_) => None,
            Judge::Heard(reply) => Some(&**reply.sink()),
            Judge::LiveHeard(reply) => Some(&**reply.sink().inner()),
        }
    }

    /// The document. A view is shown once more before.
    pub(super) fn finish(self, ending: Ending, last: impl FnOnce(&View<'_>)) -> Answer<Document> {
        match self {
            Judge::Blind(reply) => (reply.finish(ending), None),
            Judge::Live(reply) => (reply.finish_with(ending, |view| last(&view)), None),
            Judge::Heard(reply) => with_listener(reply.finish_into(ending)),
            Judge::LiveHeard(reply) => with_listener(reply.finish_into_with(ending, |view| last(&view))),
        }
    }

    pub(super) fn verdict(self, ending: Ending) -> Answer<Verdict> {
        match self {
            Judge::Blind(reply) => (reply.verdict(ending), None),
            Judge::Live(reply) => (reply.verdict(ending), None),
            Judge::Heard(reply) => with_listener(reply.verdict_into(ending)),
            Judge::LiveHeard(reply) => {
                let (answer, tree) = reply.verdict_into(ending);
                (answer, Some(tree.into_inner()))
            }
        }
    }
}

fn with_listener<T>((answer, listener): (Result<T, Failure>, Box<dyn Listener>)) -> Answer<T> {
    (answer, Some(listener))
}
