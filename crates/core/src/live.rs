//! A reply with its view.

use crate::choose::Pick;
use crate::document::Document;
use crate::ending::Ending;
use crate::expect::Expect;
use crate::failure::{Failure, FailureKind};
use crate::raw::Raw;
use crate::reply::Reply;
use crate::sink::Sink;
use crate::stitch::Verbatim;
use crate::tree::Tree;
use crate::view::{Ground, View};

/// A reply whose document can be looked at while it comes. Made by [`Reply::live`].
///
/// It costs 32 bytes for each value besides the reply, and a few nanoseconds for each value as it is read.
///
/// ```
/// use thusfar_core::{Expect, Live, Reply};
///
/// let mut reply: Live = Reply::live(Expect::object());
/// for chunk in ["{\"city\": \"Berl", "in\", \"population\": 36", "00000}"] {
///     let _ = reply.push(chunk);
///     println!("{:?}", reply.view().to_value());
/// }
/// ```
///
/// Another sink may listen beside the view: [`Reply::live_with`].
pub type Live<S = ()> = Reply<Tree<S>>;

impl Reply {
    /// A reply whose document can be looked at while it comes. All of its text is kept, whatever `expect` says of that.
    #[must_use]
    pub fn live(expect: Expect) -> Live {
        Reply::live_with(expect, ())
    }

    /// The same, and a sink listens. It is told everything before it is shown; its veto ends the reply as ever, and what it refused is
    /// not shown: a value that it refuses as it closes stays open.
    ///
    /// ```
    /// use thusfar_core::{Code, Ending, Event, Expect, Flow, Reply, Sink};
    ///
    /// /// Wants no `null`.
    /// #[derive(Default)]
    /// struct NoNull {
    ///     seen: usize,
    /// }
    ///
    /// impl Sink for NoNull {
    ///     const BYTES: bool = false;
    ///
    ///     fn event(&mut self, event: Event) -> Flow {
    ///         match event {
    ///             Event::ScalarOpen { at, first: b'n' } => {
    ///                 self.seen += 1;
    ///                 Flow::veto("null_found", at)
    ///             }
    ///             _ => Flow::Continue,
    ///         }
    ///     }
    /// }
    ///
    /// let mut reply = Reply::live_with(Expect::object(), NoNull::default());
    /// let _ = reply.push("{\"city\": \"Berlin\", \"population\": n");
    /// assert_eq!(reply.doomed(), Some(Code::Veto("null_found")));
    /// assert_eq!(reply.view().json().as_deref(), Some("{\"city\": \"Berlin\"}"));
    /// assert_eq!(reply.sink().inner().seen, 1);
    /// let (answer, tree) = reply.finish_into(Ending::Cancelled);
    /// assert_eq!(answer.unwrap_err().offset(), 33);
    /// assert_eq!(tree.into_inner().seen, 1);
    /// ```
    #[must_use]
    pub fn live_with<S: Sink>(expect: Expect, sink: S) -> Live<S> {
        let expect = expect.keep(crate::expect::Keep::All);
        Reply::with_sink(expect, Tree::new(expect.taken(), sink))
    }
}

impl<S: Sink> Live<S> {
    /// What is known of the document so far. O(1).
    #[must_use]
    #[inline]
    pub fn view(&self) -> View<'_> {
        let scanner = &self.scanner;
        let ground = Ground {
            raw: self.raw(),
            edits: &self.judges.desk.edits,
            read: scanner.len(),
            string_end: scanner.content_end(),
            is_escaped: scanner.is_string_escaped(),
        };
        View::new(self.sink().shown(), ground)
    }

    /// The same as [`finish`](Reply::finish), for whoever follows the changes: `last` is given the view once more in front of the
    /// answer. A number that is the root, and a document that only the end of the reply makes one, are not there before.
    ///
    /// ```
    /// use thusfar_core::{Ending, Expect, Reply};
    /// let mut reply = Reply::live(Expect::value());
    /// let _ = reply.push("42");
    /// assert!(reply.view().is_empty()); // it may become 420
    /// let mut shown = None;
    /// let document = reply.finish_with(Ending::Stop, |view| shown = view.to_value())?;
    /// assert_eq!((document.text(), shown), ("42", Some(42.into())));
    /// # Ok::<(), thusfar_core::Failure>(())
    /// ```
    ///
    /// # Errors
    /// A [`Failure`] when the reply carries no document, or not certainly one.
    pub fn finish_with(self, ending: Ending, last: impl FnOnce(View<'_>)) -> Result<Document, Failure> {
        self.finish_into_with(ending, last).0
    }

    /// The same, with the sink that listened beside the view.
    pub fn finish_into_with(mut self, ending: Ending, last: impl FnOnce(View<'_>)) -> (Result<Document, Failure>, S) {
        let ended = self.end(ending);
        last(self.view());
        let answer = self.document(ended, ending);
        (answer, self.into_sink().into_inner())
    }
}

/// What was known of a document when its reply was cut. It is no document and will not grow any more; but what has closed in it
/// had been said, and may be worth having.
#[derive(Clone, Debug)]
pub struct Partial {
    reply: Live,
}

impl Partial {
    /// The view of the reply as it was cut.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        self.reply.view()
    }
}

impl Failure {
    /// What was known of the document when the reply was cut, or stopped by a guard or a limit. None of one that is malformed,
    /// ambiguous or not found, whose parts mean nothing certain; none where a document had closed in front of what was cut and would not
    /// have left its place to it; and none where not all of the text was [kept](crate::Keep).
    ///
    /// Reads the text once more.
    ///
    /// ```
    /// use thusfar_core::{Elements, Ending, Expect, Reply};
    /// let mut reply = Reply::new(Expect::object());
    /// let _ = reply.push("{\"adverts\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3, \"te");
    /// let failure = reply.finish(Ending::Length).unwrap_err();
    /// let partial = failure.partial().expect("it was cut");
    /// let mut adverts = Elements::new("/adverts/-")?;
    /// let view = partial.view();
    /// assert_eq!(std::iter::from_fn(|| adverts.next(&view)).count(), 2);
    /// # Ok::<(), thusfar_core::PointerError>(())
    /// ```
    #[must_use]
    pub fn partial(&self) -> Option<Partial> {
        let is_cut = matches!(self.kind(), FailureKind::Truncated | FailureKind::Runaway | FailureKind::Limit);
        if !is_cut || matches!(self.0.raw, Raw::Tail(_)) {
            return None;
        }
        let mut reply = Reply::live(self.0.expect);
        let _ = reply.push(self.raw());
        let _ = reply.push_bytes(self.0.partial.bytes());
        // What was cut is not what stands; or documents had come that differ.
        let view = reply.view();
        let is_other = !self.frames().is_empty() && !view.is_empty() && view.tip().is_none();
        let differ = matches!(reply.judges.desk.pick(self.0.expect.taken(), self.raw()), Pick::Different(_));
        (!is_other && !differ).then_some(Partial { reply })
    }

    /// The same as [`resume`](Failure::resume), with a view of the whole.
    ///
    /// # Errors
    /// The failure itself, where it was certain before the end, so that nothing that follows cures it; or where not all of the text was
    /// [kept](crate::Keep).
    pub fn resume_live(self, word: Verbatim) -> Result<Live, Failure> {
        self.resume_live_with(word, ())
    }

    /// The same, with a sink beside the view, which is told everything from the beginning: one that has not listened yet.
    ///
    /// # Errors
    /// The failure itself, where it was certain before the end, so that nothing that follows cures it; or where not all of the text was
    /// [kept](crate::Keep).
    pub fn resume_live_with<S: Sink>(self, word: Verbatim, sink: S) -> Result<Live<S>, Failure> {
        let take = self.0.expect.taken();
        self.resume_with(word, Tree::new(take, sink))
    }
}
