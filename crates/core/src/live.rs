//! A reply with its view.

use crate::choose::Pick;
use crate::document::Document;
use crate::ending::Ending;
use crate::expect::Expect;
use crate::failure::{Failure, FailureKind};
use crate::raw::Raw;
use crate::reply::Reply;
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
pub type Live = Reply<Tree>;

impl Reply {
    /// A reply whose document can be looked at while it comes. All of its text is kept, whatever `expect` says of that.
    #[must_use]
    pub fn live(expect: Expect) -> Live {
        let expect = expect.keep(crate::expect::Keep::All);
        Reply::with_sink(expect, Tree::new(expect.taken()))
    }
}

impl Reply<Tree> {
    /// What is known of the document so far. O(1).
    #[must_use]
    #[inline]
    pub fn view(&self) -> View<'_> {
        let scanner = self.scanner();
        let ground = Ground {
            raw: self.raw(),
            edits: &self.desk.edits,
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
    pub fn finish_with(mut self, ending: Ending, last: impl FnOnce(View<'_>)) -> Result<Document, Failure> {
        let ended = self.end(ending);
        last(self.view());
        self.document(ended, ending)
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
        let differ = matches!(reply.desk.pick(self.0.expect.taken(), self.raw()), Pick::Different(_));
        (!is_other && !differ).then_some(Partial { reply })
    }

    /// The same as [`resume`](Failure::resume), with a view of the whole.
    ///
    /// # Errors
    /// The failure itself, where it was certain before the end, so that nothing that follows cures it; or where not all of the text was
    /// [kept](crate::Keep).
    pub fn resume_live(self, word: Verbatim) -> Result<Live, Failure> {
        let take = self.0.expect.taken();
        self.resume_with(word, Tree::new(take))
    }
}
