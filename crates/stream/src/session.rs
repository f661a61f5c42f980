//! A streaming completion from its first byte to its last: one lane for each voice, the end told as it was, and advice when to
//! hang up.
//!
//! # Theory
//!
//! ```text
//! bytes ── Body ── event ── Reader ── what it says ── Lanes ── what is known of each ── Advice
//! ```
//!
//! That a stream has ended says nothing about the reply: `[DONE]` follows errors, many providers send no last event, and
//! SDKs take a cut for an end. So the end is put together from what was said, each on its own: a finish reason for every
//! choice, no error, the provider's last event where it always sends one; and a document that is still open beats them all.
//!
//! # Invariants
//!
//! * Events, advice and the summary are the same however the body was cut.
//! * A decided lane is read no further, and a stream over a limit is taken no further.
//! * No clock: budgets and deadlines are the caller's, who tells of them by [`Session::cancel`].

mod reader; // what one event says
mod state; // what is known of the stream
mod summary; // what it came to

use alloc::sync::Arc;
use core::fmt;

use thusfar_core::{Ending, Expect, Node, Progress};

use crate::advice::{Advice, Reason};
use crate::asked::Asked;
use crate::body::{Body, Framing};
use crate::event::Item;
use crate::json::{self, Extent};
use crate::lane::{Lane, LaneOptions, Listeners, Watch};
use crate::limits::Limits;
use crate::provider::{self, Provider};
use crate::said::FinishClass;
use reader::{Plan, Reader};
#[cfg(feature = "http-body")]
pub(crate) use state::{Front, HangUp};
use state::{On, State};
pub use summary::{Cut, Finish, StreamOutcome, Summary};

/// What is known of a stream before it comes.
///
/// ```
/// use thusfar_core::Expect;
/// use thusfar_stream::{Asked, Framing, SessionOptions};
/// let request = br#"{"stream": true, "response_format": {"type": "json_object"}}"#;
/// let options = SessionOptions::default().framing(Framing::Sse).asked(Asked::of_request(request)?);
/// assert_eq!(options.lanes.text, Some(Expect::object()));
/// # Ok::<(), thusfar_stream::NotARequest>(())
/// ```
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// How events are put into the body; without it the first byte decides.
    pub framing: Option<Framing>,
    /// Whose events they are; without it the first event that tells decides.
    pub provider: Option<Provider>,
    /// What is expected of the lanes, and their limits.
    pub lanes: Arc<LaneOptions>,
    /// How many choices the request asked for: the advice to hang up waits for all of them.
    pub choice_count: u32,
    /// The limits of the wire.
    pub limits: Limits,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { framing: None, provider: None, lanes: Arc::default(), choice_count: 1, limits: Limits::default() }
    }
}

impl SessionOptions {
    /// Says how events are put into the body.
    #[must_use]
    pub fn framing(mut self, framing: impl Into<Option<Framing>>) -> Self {
        self.framing = framing.into();
        self
    }

    /// Says whose events they are.
    #[must_use]
    pub fn provider(mut self, provider: impl Into<Option<Provider>>) -> Self {
        self.provider = provider.into();
        self
    }

    /// Takes what the request asks for: how many choices, and what their text is to be. Where it asks for no JSON, what was
    /// said before stays.
    #[must_use]
    pub fn asked(mut self, asked: Asked) -> Self {
        self.choice_count = asked.choice_count;
        if let Some(root) = asked.text {
            Arc::make_mut(&mut self.lanes).text = Some(Expect::root(root));
        }
        self
    }

    /// Says that the documents of judged lanes are looked at while they come.
    ///
    /// ```
    /// use thusfar_core::{Elements, Expect};
    /// use thusfar_stream::{Session, SessionEvent, SessionOptions, Watch};
    ///
    /// let items = Watch::Elements(Elements::new("/items/-")?);
    /// let mut session = Session::new(&SessionOptions::default().judge_text(Expect::object()).watch(items));
    /// let mut started = Vec::new();
    /// for text in ["{\\\"items\\\": [{\\\"id\\\": 1}, {\\\"i", "d\\\": 2}, {\\\"id\\\""] {
    ///     let event = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
    ///     let _ = session.push(event.as_bytes(), &mut |event| {
    ///         if let SessionEvent::Element(_, item) = event {
    ///             started.push(item.json().unwrap_or_default().into_owned());
    ///         }
    ///     });
    /// }
    /// assert_eq!(started, ["{\"id\": 1}", "{\"id\": 2}"]);
    /// # Ok::<(), thusfar_core::PointerError>(())
    /// ```
    #[must_use]
    pub fn watch(mut self, watch: Watch) -> Self {
        Arc::make_mut(&mut self.lanes).watch = watch;
        self
    }

    /// Says who listens to judged lanes.
    #[must_use]
    pub fn listeners(mut self, listeners: Listeners) -> Self {
        Arc::make_mut(&mut self.lanes).listeners = listeners;
        self
    }

    /// Says that the text of each choice is JSON, and what it is expected to be.
    #[must_use]
    pub fn judge_text(mut self, expect: Expect) -> Self {
        Arc::make_mut(&mut self.lanes).text = Some(expect);
        self
    }
}

/// What happens in a stream. It borrows until the callback returns. `Debug` shows no text.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum SessionEvent<'a> {
    /// A lane has opened. Its text follows.
    Opened(Lane<'a>),
    /// Text was added to a lane. The lane has it already.
    Text(Lane<'a>, &'a str),
    /// A value has closed in a lane that is watched, at the place that was asked for. Each is told once, behind the text that closed
    /// it. When [`View::generation`](thusfar_core::View::generation) has changed since the last one, those before it were no part of
    /// what is shown now.
    Element(Lane<'a>, Node<'a>),
    /// More is known of a lane that is judged.
    Progress(Lane<'a>, Progress),
    /// Nothing more comes of a lane: its [`outcome`](Lane::outcome) is there, if it is judged. Told at the end.
    Closed(Lane<'a>),
    /// A choice has ended, says the provider: its number, the word, the class.
    Finished(u32, &'a str, FinishClass),
    /// Counts of tokens: those so far, as a JSON object.
    Usage(&'a str),
    /// The provider failed: a JSON object.
    Failed(&'a str),
    /// Something that is not as it should be, and where, in bytes from the body's beginning.
    Warning(StreamWarning, u64),
}

/// Lengths and states only: never the text.
impl fmt::Debug for SessionEvent<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionEvent::Opened(lane) => formatter.debug_tuple("Opened").field(lane).finish(),
            SessionEvent::Text(lane, text) => formatter.debug_tuple("Text").field(lane).field(&text.len()).finish(),
            SessionEvent::Element(lane, element) => {
                formatter.debug_tuple("Element").field(lane).field(element).finish()
            }
            SessionEvent::Progress(lane, progress) => {
                formatter.debug_tuple("Progress").field(lane).field(progress).finish()
            }
            SessionEvent::Closed(lane) => formatter.debug_tuple("Closed").field(lane).finish(),
            SessionEvent::Finished(choice, raw, class) => {
                formatter.debug_tuple("Finished").field(choice).field(&raw.len()).field(class).finish()
            }
            SessionEvent::Usage(usage) => formatter.debug_tuple("Usage").field(&usage.len()).finish(),
            SessionEvent::Failed(error) => formatter.debug_tuple("Failed").field(&error.len()).finish(),
            SessionEvent::Warning(warning, at) => formatter.debug_tuple("Warning").field(warning).field(at).finish(),
        }
    }
}

/// What was not as it should be. Stable names: [`StreamWarning::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamWarning {
    /// An event held several JSON texts on lines: they were read as several events. The server forgets blank lines.
    JoinedEvents,
    /// An event was no JSON and was passed over.
    NoJson,
    /// The same, but it began as JSON does: something of the reply is lost, and no judged lane that is open can be whole.
    DamagedEvent,
}

impl StreamWarning {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            StreamWarning::JoinedEvents => "joined_events",
            StreamWarning::NoJson => "no_json",
            StreamWarning::DamagedEvent => "damaged_event",
        }
    }
}

/// Reads one streaming completion.
///
/// ```
/// use thusfar_core::{Ending, Expect};
/// use thusfar_stream::{Advice, Session, SessionEvent, SessionOptions, StreamOutcome};
///
/// let body = concat!(
///     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"ok\\\": tr\"}}]}\n\n",
///     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ue}\"},\"finish_reason\":\"stop\"}]}\n\n",
///     "data: [DONE]\n\n",
/// );
/// let mut session = Session::new(&SessionOptions::default().judge_text(Expect::object()));
/// let mut text = String::new();
/// for chunk in body.as_bytes().chunks(7) {
///     let advice = session.push(chunk, &mut |event| {
///         if let SessionEvent::Text(_, added) = event {
///             text.push_str(added);
///         }
///     });
///     if advice.is_cancel() {
///         break; // drop the body of the response here
///     }
/// }
/// let summary = session.finish(Ending::Unknown, &mut |_| ());
/// assert_eq!((summary.outcome(), text.as_str()), (StreamOutcome::Complete, "{\"ok\": true}"));
/// let document = summary.lanes().next().and_then(|lane| lane.outcome()?.text());
/// assert_eq!(document, Some("{\"ok\": true}"));
/// ```
///
/// * Getters: [`provider`](Session::provider), [`lanes`](Session::lanes), [`offset`](Session::offset).
/// * Push: [`push`](Session::push); [`cancel`](Session::cancel) when the caller hangs up.
/// * End: [`finish`](Session::finish).
pub struct Session {
    body: Body,
    reader: Reader,
    /// Of events in events.
    inner: Option<alloc::boxed::Box<Reader>>,
    state: State,
    /// Bytes taken.
    at: u64,
}

impl Session {
    /// A stream of which nothing has come yet.
    #[must_use]
    pub fn new(options: &SessionOptions) -> Self {
        Self {
            body: Body::with_limits(options.framing, options.limits),
            reader: Reader::new(options.provider),
            inner: None,
            state: State::new(options),
            at: 0,
        }
    }

    /// Whose events these are, once it is known. Of events in events: whose they are.
    #[must_use]
    pub fn provider(&self) -> Option<Provider> {
        self.reader.provider()
    }

    /// The lanes, in the order in which they opened.
    pub fn lanes(&self) -> impl ExactSizeIterator<Item = Lane<'_>> {
        self.state.lanes.iter()
    }

    /// Bytes taken so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.at
    }

    /// Takes more of the body, tells what happens, and says what to do. Linear in the chunk.
    ///
    /// Advice to stop a lane is given once, by the push in which the lane was decided; advice to hang up stays.
    pub fn push(&mut self, chunk: &[u8], on: &mut impl FnMut(SessionEvent<'_>)) -> Advice {
        self.state.lane_advice = None;
        let (start, mut rest) = (self.at, chunk);
        // An error of it comes again with the first item. Until the framing is known there is none.
        let _ = self.body.settle(&mut rest);
        // Of server-sent events a CR ends a line at once. An LF behind it may be in another chunk: it does not count.
        let is_sse = self.body.framing() == Some(Framing::Sse);
        while !self.state.is_over() {
            let found = self.body.next_item(&mut rest);
            let taken = &chunk[..chunk.len() - rest.len()];
            self.at = start + taken.len() as u64;
            match found {
                Ok(None) => break,
                Ok(Some(item)) => {
                    let has_lf = is_sse && taken.ends_with(b"\r\n");
                    self.state.at = self.at - u64::from(has_lf);
                    if let Item::Event(event) = item {
                        if let Some((Plan { choice, kind }, text)) = self.reader.quick(event.name, event.data) {
                            self.state.hear_text(choice, kind, text, on);
                            continue;
                        }
                    }
                    take(item, &mut self.reader, &mut self.inner, &mut self.state, on);
                }
                Err(error) => self.state.broke(error, on),
            }
        }
        self.at = start + chunk.len() as u64;
        self.state.advice()
    }

    /// Why to hang up, once that is certain; and why nothing more is read, which may come behind it.
    #[cfg(feature = "http-body")]
    pub(crate) fn hang_ups(&self) -> [Option<HangUp>; 2] {
        [self.state.cancel, self.state.lost.as_deref().copied()]
    }

    /// Whether the provider's last event has come.
    #[cfg(feature = "http-body")]
    pub(crate) const fn has_terminal(&self) -> bool {
        self.state.terminal.is_some()
    }

    /// The framing, once it is known.
    #[cfg(feature = "http-body")]
    pub(crate) fn framing(&self) -> Option<Framing> {
        self.body.framing()
    }

    /// Notes that the caller hangs up, and why: the end is then [`StreamOutcome::Cancelled`], unless advice to do so had been
    /// given, which stays.
    pub fn cancel(&mut self, reason: Reason) {
        self.state.at = self.at;
        self.state.cancelled(reason);
    }

    /// Ends the stream: judges the lanes, and says what it came to. `ending` is what the transport says; a finish reason
    /// stands above it for its choice.
    pub fn finish(self, ending: Ending, on: &mut impl FnMut(SessionEvent<'_>)) -> Summary {
        let Self { body, mut reader, mut inner, mut state, at } = self;
        let on: &mut On<'_> = on;
        state.at = at;
        let framing = body.framing();
        match body.finish() {
            Ok(eof) => {
                if let (Some(item), false) = (eof.whole_item(), state.is_over()) {
                    take(item, &mut reader, &mut inner, &mut state, on);
                }
                state.ended(&eof, framing, on);
            }
            Err(error) => state.broke(error, on),
        }
        let provider = reader.provider();
        let told_by = inner.as_ref().map_or(provider, |inner| inner.provider());
        state.summary(provider, told_by, ending, on)
    }
}

/// Takes one item of the body, of which it is not known what it says.
#[inline(never)]
fn take(
    item: Item<'_>,
    reader: &mut Reader,
    inner: &mut Option<alloc::boxed::Box<Reader>>,
    state: &mut State,
    on: &mut On<'_>,
) {
    match item {
        Item::Event(event) => {
            take_event(event.name, event.data, reader, state, on);
            while let Some(bytes) = state.inner.take() {
                let inner = inner.get_or_insert_with(|| Reader::new(None).into());
                match inner.quick(b"", &bytes) {
                    Some((Plan { choice, kind }, text)) => state.hear_text(choice, kind, text, on),
                    None => take_event(b"", &bytes, inner, state, on),
                }
            }
        }
        Item::Error(error) => state.failed(provider::error_of(error.name, error.value), on),
    }
}

fn take_event(name: &[u8], data: &[u8], reader: &mut Reader, state: &mut State, on: &mut On<'_>) {
    if data.trim_ascii() == b"[DONE]" {
        state.terminal = Some("[DONE]");
        return;
    }
    let Err(_) = reader.read(name, data, &mut |said| state.hear(said, on)) else { return };
    let is_whole = |line: &[u8]| line.trim_ascii() == b"[DONE]" || json::extent(line) == Extent::Whole;
    let mut lines = data.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    if lines.clone().nth(1).is_some() && lines.clone().all(is_whole) {
        state.warn(StreamWarning::JoinedEvents, on);
        lines.for_each(|line| take_event(name, line, reader, state, on));
    } else if lines.next().is_some() {
        state.pass_over(data, on);
    }
}

/// Lengths and states only: never the text.
impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("provider", &self.provider())
            .field("offset", &self.at)
            .field("lane_count", &self.lanes().len())
            .field("advice", &self.state.advice())
            .finish_non_exhaustive()
    }
}
