//! Who listens to the lanes of a stream: asked when a lane begins.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use thusfar_core::{Expect, Listener};

use super::Lane;

/// The code of a veto that says that the lane can no longer be valid under its schema.
pub(crate) const SCHEMA_MISMATCH: &str = "schema_mismatch";

type Ask = dyn Fn(&Lane<'_>, &Expect) -> Option<Box<dyn Listener>> + Send + Sync;

/// Says who listens to a judged lane: a schema that is held against it while it comes, for one.
///
/// The caller's function is asked once for each judged lane, in front of the first byte of its text: a tool call then has its
/// [name](Lane::name), unless the provider tells it behind the arguments, and nobody asks again. It is given the lane, and what is expected
/// of it. Where it gives a [`Listener`], that one hears all that the engine reads of the lane; its veto dooms the lane exactly as broken
/// JSON does, with advice to stop or to hang up, and is its [outcome](Lane::outcome); the reason is [`Doomed`](crate::Reason::Doomed), or
/// [`Schema`](crate::Reason::Schema) where the code of the veto is `schema_mismatch`. What has been heard is found by
/// [`Lane::listener`], before the end and behind it: the lane owns its listener, so nothing has to be shared or locked.
///
/// Lanes that are not judged (reasoning, refusals, text of which no JSON is expected) have no listener and are not asked for.
/// A lane without one costs what it costs where nobody asks.
///
/// ```
/// use thusfar_core::{Ending, Event, Expect, Flow, Listener, Sink};
/// use thusfar_stream::{Advice, Listeners, Reason, Session, SessionOptions};
///
/// /// Wants arguments with one member.
/// #[derive(Default)]
/// struct OneMember {
///     keys: usize,
/// }
///
/// impl Sink for OneMember {
///     fn event(&mut self, event: Event) -> Flow {
///         let Event::Key { at, .. } = event else { return Flow::Continue };
///         self.keys += 1;
///         if self.keys > 1 { Flow::veto("second_member", at) } else { Flow::Continue }
///     }
/// }
///
/// let listeners = Listeners::new(|lane, _| {
///     let listens = lane.name() == Some("search");
///     listens.then(|| Box::new(OneMember::default()) as Box<dyn Listener>)
/// });
/// let mut session = Session::new(&SessionOptions::default().listeners(listeners));
/// let call = r#"{"index":0,"id":"call_1","function":{"name":"search","arguments":"{\"query\": \"lamp\", \"page\": "}}"#;
/// let event = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\n");
/// assert_eq!(session.push(event.as_bytes(), &mut |_| ()), Advice::Cancel(Reason::Doomed));
/// let summary = session.finish(Ending::Cancelled, &mut |_| ());
/// let lane = summary.lanes().next().expect("one call");
/// let failure = lane.outcome().and_then(|outcome| outcome.failure()).expect("it was refused");
/// assert_eq!((failure.code(), failure.offset()), ("second_member", 18));
/// assert_eq!(lane.listener::<OneMember>().map(|listener| listener.keys), Some(2));
/// ```
#[derive(Clone, Default)]
pub struct Listeners(Option<Arc<Ask>>);

impl Listeners {
    /// Whoever a function gives.
    #[must_use]
    pub fn new(ask: impl Fn(&Lane<'_>, &Expect) -> Option<Box<dyn Listener>> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    /// Nobody.
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// Who listens to a lane.
    pub(super) fn ask(&self, lane: &Lane<'_>, expect: &Expect) -> Option<Box<dyn Listener>> {
        self.0.as_ref().and_then(|ask| ask(lane, expect))
    }

    /// Whether somebody is to be asked.
    #[inline]
    pub(super) const fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// The same function, or none.
impl PartialEq for Listeners {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for Listeners {}

impl fmt::Debug for Listeners {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_some() { "Listeners(asked)" } else { "Listeners(none)" })
    }
}
