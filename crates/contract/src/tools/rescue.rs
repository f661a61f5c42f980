//! Calls that were printed as text: all of it behind `push` and `finish`.

use std::fmt;

use thusfar_core::{Ending, Progress, Span};

use super::call::{CallCode, RefusedCall, Rescued};
use super::dialect::Dialect;
use super::finder::Finder;
use super::input::{Found, Wrong};
use super::judge::nothing;
use super::{Tools, hint};
use crate::violation::Violation;

/// When printed calls are looked for. Stable names: [`When::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum When {
    /// Where the provider's own channel carried no call and the reply is otherwise complete: else the text is what it says it is.
    #[default]
    Fallback,
    /// Always.
    Always,
}

impl When {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            When::Fallback => "fallback",
            When::Always => "always",
        }
    }

    /// Whether to look, in a reply with so many calls in the provider's own channel, which ended like this.
    #[must_use]
    pub const fn applies(self, native_calls: usize, ending: Ending) -> bool {
        match self {
            When::Always => true,
            When::Fallback => native_calls == 0 && matches!(ending, Ending::Stop | Ending::ToolUse),
        }
    }
}

/// How a reply is read for printed calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RescueOptions {
    /// The reply begins inside reasoning: the template opened it in the prompt.
    pub starts_in_reasoning: bool,
    /// Bytes of the longest reply that is read. Default: 8 MiB.
    pub reply_len: usize,
}

impl Default for RescueOptions {
    fn default() -> Self {
        Self { starts_in_reasoning: false, reply_len: 8 << 20 }
    }
}

/// Reads a reply for calls that were printed as text. Made by [`Tools::rescue`].
///
/// * [`push`](Rescue::push) the reply as it comes, [`finish`](Rescue::finish) it with what ended it.
/// * On the way: [`text`](Rescue::text), which may be shown.
///
/// Same answer for every chunking. Linear in the reply, which is kept once; [`text`](Rescue::text) is kept beside it.
pub struct Rescue {
    finder: Finder,
    options: RescueOptions,
}

impl Rescue {
    pub(super) fn new(tools: Tools, options: RescueOptions) -> Self {
        let mut finder = Finder::new(tools);
        if options.starts_in_reasoning {
            finder.begin_in_reasoning();
        }
        Self { finder, options }
    }

    /// Takes more of the reply. An empty chunk is nothing.
    ///
    /// [`Progress::Open`] while something is read that may be a call, [`Progress::Closed`] behind one, [`Progress::Doomed`] where nothing
    /// that follows counts.
    pub fn push(&mut self, chunk: &str) -> Progress {
        let room = self.options.reply_len - self.finder.reply.len().min(self.options.reply_len);
        if chunk.len() > room {
            let mut fits = room;
            while !chunk.is_char_boundary(fits) {
                fits -= 1;
            }
            self.finder.push(&chunk[..fits]);
            if !self.finder.is_over() {
                self.finder.stop(Wrong::new(CallCode::ReplyTooLong, self.options.reply_len));
            }
        } else {
            self.finder.push(chunk);
        }
        self.progress()
    }

    /// What is known.
    pub fn progress(&self) -> Progress {
        match () {
            () if self.finder.is_over() && self.finder.over.is_none() => Progress::Final,
            () if self.finder.is_over() => Progress::Doomed,
            () if self.finder.is_open() => Progress::Open,
            () if self.finder.found.is_empty() => Progress::Searching,
            () => Progress::Closed,
        }
    }

    /// The text for the user so far: what may still be part of a call is held back. It only grows, unless a reasoning tag closes that was
    /// never opened: then it begins anew, and [`restarts`](Rescue::restarts) counts one more.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.finder.prose
    }

    /// What the arguments that are being read break of their tool's schema, as soon as that is certain: whatever follows, they are no call
    /// that may be run. Known where the tool's name stood in front of them; with the offset in the reply.
    ///
    /// Behind markup of a dialect a call was meant. A value without markup may still turn out to be none: a declaration of the tool.
    ///
    /// ```
    /// use thusfar_contract::Tools;
    /// let tools = Tools::from_json(
    ///     r#"[{"name": "weather", "input_schema": {"properties": {"unit": {"enum": ["C", "F"]}}}}]"#,
    /// )?;
    /// let mut rescue = tools.rescue();
    /// let _ = rescue.push("<tool_call>{\"name\": \"weather\", \"arguments\": {\"unit\": \"");
    /// assert!(rescue.violation().is_none());
    /// let _ = rescue.push("K");
    /// let violation = rescue.violation().expect("no unit begins like this");
    /// assert_eq!((violation.path(), violation.offset()), ("/unit", 54));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        self.finder.heard.first().map(|heard| &heard.violation)
    }

    /// How often [`text`](Rescue::text) began anew.
    #[must_use]
    pub fn restarts(&self) -> usize {
        self.finder.restarts
    }

    /// Bytes looked at so far: at most a constant times the bytes taken. For tests of the cost.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.finder.steps
    }

    /// Ends the reply. What is open is cut.
    #[must_use]
    pub fn finish(mut self, ending: Ending) -> Rescued {
        if !self.finder.is_over() {
            self.finder.finish(ending);
        }
        let mut finder = self.finder;
        settle(&mut finder);
        let len = finder.len;
        let (mut calls, mut refused) = (Vec::new(), Vec::new());
        for finding in finder.found {
            match finding.found {
                Found::Call(call) => calls.push(call),
                Found::Refused(it) => refused.push(it),
            }
        }
        let is_empty = calls.is_empty() && refused.is_empty();
        let call_like = if is_empty { hint::call_like(&finder.reply, &finder.pieces, &finder.tools) } else { None };
        let whole = Span::new(0, finder.reply.len());
        let failure = match finder.over {
            Some(wrong) => Some(wrong.refused(Dialect::Json, whole, finder.reply.len(), ending)),
            None => refused.first().cloned(),
        };
        let failure = failure.or_else(|| is_empty.then(|| none(ending, call_like, len)));
        Rescued {
            calls,
            refused,
            in_reasoning: finder.in_reasoning,
            text: finder.prose,
            reasoning: finder.reasoning,
            repairs: finder.repairs,
            call_like,
            restarts: finder.restarts,
            invented: finder.invented.map(|start| Span::new(start, len)),
            failure: failure.map(Box::new),
        }
    }
}

/// Only lengths: never the text.
impl fmt::Debug for Rescue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Rescue");
        shown.field("progress", &self.progress()).field("len", &self.finder.reply.len());
        shown.field("found", &self.finder.found.len()).finish_non_exhaustive()
    }
}

/// Why there is nothing.
fn none(ending: Ending, call_like: Option<Span>, len: usize) -> RefusedCall {
    let span = Span::new(0, len);
    let wrong = match (nothing(ending), call_like) {
        (CallCode::NoCall, Some(like)) => Wrong::new(CallCode::UnknownDialect, like.start),
        (code, _) => Wrong::new(code, len),
    };
    wrong.refused(Dialect::Json, span, len, ending)
}

/// What calls without markup are, now that the whole reply is known.
///
/// Only their shape says that they are calls, so they count where one reading is left: one run of them, and no call with markup.
fn settle(finder: &mut Finder) {
    let found = &finder.found;
    let runs = found.iter().filter(|finding| finding.is_bare && !finding.is_joined).count();
    let has_markup = found.iter().any(|finding| !finding.is_bare);
    if runs < 2 && !(runs == 1 && has_markup) {
        return;
    }
    for finding in finder.found.iter_mut().filter(|finding| finding.is_bare) {
        if let Found::Call(call) = &finding.found {
            let wrong = Wrong::new(CallCode::SeveralBare, call.span.start).of(&call.name);
            let refused = wrong.refused(call.dialect, call.span, finder.reply.len(), Ending::Unknown);
            finding.found = Found::Refused(refused);
        }
    }
}
