//! Signals read from a reply: all of it behind `push` and `finish`.

use std::fmt;
use std::sync::Arc;

use thusfar_core::{Ending, Progress};

use super::lexer::Lexer;
use super::prose::{Piece, Prose};
use super::reader::Reader;
use super::signal::{Signal, SignalCode, SignalOutcome, push_string};
use super::spec::Plan;

/// How a reply is read for signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// The reply begins inside reasoning: the template opened it in the prompt.
    pub starts_in_reasoning: bool,
    /// Bytes of the longest reply that is read. Default: 8 MiB.
    pub reply_len: usize,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self { starts_in_reasoning: false, reply_len: 8 << 20 }
    }
}

/// Reads a reply for signals. Made by [`Signals::begin`](super::Signals::begin).
///
/// Same answer for every chunking. Linear in the reply, which is kept once.
pub struct Extraction {
    plan: Arc<Plan>,
    options: ExtractOptions,
    prose: Prose,
    lexer: Lexer,
    reader: Reader,
    /// Longer than allowed: the rest is not read.
    is_too_long: bool,
}

impl Extraction {
    pub(super) fn new(plan: Arc<Plan>, options: ExtractOptions) -> Self {
        let prose = Prose::new(options.starts_in_reasoning);
        let reader = Reader::new(&plan);
        Self { plan, options, prose, lexer: Lexer::default(), reader, is_too_long: false }
    }

    /// Takes more of the reply. An empty chunk is nothing.
    ///
    /// [`Progress::Doomed`] from the byte on at which it is certain that some target will have no value, whatever follows (two different
    /// labelled values, say): whoever needs all of them stops here. The others are read on. [`Progress::Final`] where nothing that follows
    /// can change any target: all of them take the `first`. [`Progress::Closed`] where each has a labelled value so far.
    pub fn push(&mut self, chunk: &str) -> Progress {
        let room = self.options.reply_len.saturating_sub(self.prose.reply.len());
        let mut fits = chunk.len().min(room);
        while !chunk.is_char_boundary(fits) {
            fits -= 1;
        }
        if !self.is_too_long {
            self.is_too_long = fits < chunk.len();
            self.prose.reply.push_str(&chunk[..fits]);
            self.read(false);
        }
        self.progress()
    }

    fn read(&mut self, is_end: bool) {
        let Self { plan, prose, lexer, reader, .. } = self;
        let known = |folded: &str| plan.phrases.word(folded);
        loop {
            if let Some((start, end, seen)) = prose.letters() {
                let reply = prose.reply.as_str();
                lexer.letters(&reply[start..end], start, &known, &mut |token| reader.take(token, plan, reply, seen));
            }
            let Some((piece, seen)) = prose.next(is_end) else { break };
            let reply = prose.reply.as_str();
            let take = &mut |token| reader.take(token, plan, reply, seen);
            match piece {
                Piece::Character(character, at) => lexer.take(character, at, &known, take),
                Piece::Break(at) => lexer.interrupt(at, &known, take),
                Piece::Unopened => {
                    *lexer = Lexer::default();
                    reader.restart();
                }
            }
        }
    }

    /// What is known.
    pub fn progress(&self) -> Progress {
        self.reader.progress()
    }

    /// Looks at bytes and at words so far, for each target: at most a constant times the bytes taken. For tests of the cost.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.prose.steps + self.reader.steps
    }

    /// What is certain of a target already, whatever follows; none where nothing is, or no target has that name.
    #[must_use]
    pub fn decided(&self, name: &str) -> Option<&Signal> {
        let at = self.plan.targets.iter().position(|target| *target.name == *name)?;
        self.reader.decided(at)
    }

    /// Ends the reply.
    #[must_use]
    pub fn finish(mut self, ending: Ending) -> Extracted {
        self.read(true);
        let Self { plan, prose, mut lexer, mut reader, is_too_long, .. } = self;
        let reply = prose.reply.as_str();
        let known = |folded: &str| plan.phrases.word(folded);
        lexer.finish(&known, &mut |token| reader.take(token, &plan, reply, reply.len()));
        let nothing = match () {
            () if is_too_long => Some(SignalCode::ReplyTooLong),
            () if prose.is_reasoning() => Some(SignalCode::OpenReasoning),
            () => None,
        };
        reader.finish(&plan, reply, ending, nothing);
        Extracted { plan, signals: reader.signals(reply.len()) }
    }
}

/// Only lengths: never the text.
impl fmt::Debug for Extraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Extraction");
        shown.field("progress", &self.progress()).field("len", &self.prose.reply.len()).finish_non_exhaustive()
    }
}

/// What became of every target.
#[derive(Clone)]
pub struct Extracted {
    plan: Arc<Plan>,
    signals: Vec<Signal>,
}

impl Extracted {
    /// The signals with the names of their targets, in the order of the spec.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Signal)> {
        self.plan.targets.iter().map(|target| target.name.as_ref()).zip(&self.signals)
    }

    /// The signal of a target; none where no target has that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Signal> {
        self.iter().find(|(target, _)| *target == name).map(|(_, signal)| signal)
    }

    /// Whether every target has a value.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.signals.iter().all(Signal::is_ok)
    }

    /// The one word for all targets: ok if all are; else that of the worst, where ambiguous is worse than invalid, and that than not found.
    #[must_use]
    pub fn outcome(&self) -> SignalOutcome {
        let order = [SignalOutcome::Ambiguous, SignalOutcome::Invalid, SignalOutcome::NotFound];
        let is_any = |outcome: &SignalOutcome| self.signals.iter().any(|signal| signal.outcome() == *outcome);
        order.into_iter().find(is_any).unwrap_or(SignalOutcome::Ok)
    }

    /// One JSON object on one line: a member for each target, in the order of the spec. Numbers have the digits of the reply.
    ///
    /// `{"verdict":{"outcome":"ok","value":"approve","via":"label","start":31,"end":38}}`; `scale`, `unit` and `tail` where there are any;
    /// `code` and `decided_at` where the outcome is not ok, with `candidates` or with `got`, `start` and `end`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::from("{");
        for (at, (name, signal)) in self.iter().enumerate() {
            if at > 0 {
                json.push(',');
            }
            push_string(&mut json, name);
            json.push(':');
            signal.push_json(&mut json);
        }
        json.push('}');
        json
    }
}

/// Only outcomes: never the text.
impl fmt::Debug for Extracted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(&self.signals).finish()
    }
}
