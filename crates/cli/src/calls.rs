//! What became of a reply that may call tools: of one that was read for printed calls, of the arguments of one call, of reasoning.

use std::slice;

use thusfar_contract::{CallCode, CallOutcome, RefusedCall, Rescue, Rescued, ToolCall, Tools};
use thusfar_core::{Ending, Progress, Repair, Span};

use crate::seen::{Damage, Seen, whole_characters};

/// What was found, and how it is to be told.
pub(crate) struct Calls {
    found: Found,
    damage: Option<Damage>,
    /// Bytes of the reply, where not all of them were looked at.
    len: Option<usize>,
    /// It was certain before the end.
    is_decided: bool,
}

enum Found {
    /// In text.
    Printed(Box<Rescued>),
    /// In reasoning: nothing there is a call. Beside it what a reply comes to that holds none.
    Drafts(Box<Rescued>, Box<Rescued>),
    /// The arguments of one call.
    Native(Box<Result<ToolCall, Box<RefusedCall>>>),
    /// They were damaged: nothing is known of them.
    Nothing,
}

/// Why a reply is not ok.
pub(crate) enum Failing<'c> {
    Call(&'c RefusedCall),
    Damage(&'c Damage),
}

impl Calls {
    /// Of text that was damaged somewhere, or was not.
    pub(crate) fn printed(rescued: Rescued, damage: Option<Damage>) -> Self {
        Self { found: Found::Printed(Box::new(rescued)), damage, len: None, is_decided: false }
    }

    /// Of the text of a lane of reasoning.
    pub(crate) fn drafts(tools: &Tools, rescued: Rescued) -> Self {
        let nothing = tools.rescue().finish(Ending::Stop);
        Self { found: Found::Drafts(Box::new(rescued), Box::new(nothing)), damage: None, len: None, is_decided: false }
    }

    /// Of arguments.
    pub(crate) fn native(judged: Result<ToolCall, Box<RefusedCall>>) -> Self {
        Self { found: Found::Native(Box::new(judged)), damage: None, len: None, is_decided: false }
    }

    /// Of the bytes of arguments.
    pub(crate) fn of_arguments(tools: &Tools, name: &str, bytes: &[u8], ending: Ending) -> Self {
        match whole_characters(bytes) {
            Ok(text) => Self::native(tools.arguments(name, text, ending)),
            Err(damage) => Self { found: Found::Nothing, damage: Some(damage), len: None, is_decided: false },
        }
    }

    /// The one word for what became of it.
    pub(crate) fn outcome(&self) -> CallOutcome {
        match self.failing() {
            None => CallOutcome::Ok,
            Some(Failing::Damage(_)) => CallOutcome::Malformed,
            Some(Failing::Call(refused)) => refused.outcome(),
        }
    }

    /// Whether text was read of which the end could change nothing any more.
    pub(crate) fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Whether something was refused: more than that nothing was found.
    pub(crate) fn is_refusal(&self) -> bool {
        let is_over = matches!(self.outcome(), CallOutcome::Limit | CallOutcome::Runaway);
        is_over || !self.refused().is_empty() || self.damage.is_some()
    }

    /// The calls that may be run.
    pub(crate) fn calls(&self) -> &[ToolCall] {
        match &self.found {
            Found::Printed(rescued) => rescued.calls(),
            Found::Native(judged) => judged.as_ref().as_ref().map_or(&[], slice::from_ref),
            _ => &[],
        }
    }

    /// What was meant as a call and is none.
    pub(crate) fn refused(&self) -> &[RefusedCall] {
        match &self.found {
            Found::Printed(rescued) => rescued.refused(),
            Found::Native(judged) => judged.as_ref().as_ref().err().map_or(&[], |refused| slice::from_ref(refused)),
            _ => &[],
        }
    }

    /// Calls in reasoning.
    pub(crate) fn in_reasoning(&self) -> impl Iterator<Item = &ToolCall> + Clone {
        let (first, more) = match &self.found {
            Found::Printed(rescued) => (rescued.in_reasoning(), &[][..]),
            Found::Drafts(rescued, _) => (rescued.in_reasoning(), rescued.calls()),
            _ => (&[][..], &[][..]),
        };
        first.iter().chain(more)
    }

    /// Repairs of JSON around calls, with their places in the reply.
    pub(crate) fn repairs(&self) -> &[Repair] {
        self.rescued().map_or(&[], Rescued::repairs)
    }

    /// The text that is left for the user.
    pub(crate) fn text(&self) -> &str {
        self.rescued().map_or("", Rescued::text)
    }

    pub(crate) fn reasoning(&self) -> &str {
        self.rescued().map_or("", Rescued::reasoning)
    }

    /// Where text looks like a call that cannot be read.
    pub(crate) fn call_like(&self) -> Option<Span> {
        self.rescued()?.call_like()
    }

    /// What the model wrote in the name of a tool.
    pub(crate) fn invented(&self) -> Option<Span> {
        let invented = self.rescued()?.invented()?;
        Some(Span::new(invented.start, self.len.unwrap_or(invented.end)))
    }

    /// Why it is not ok.
    pub(crate) fn failing(&self) -> Option<Failing<'_>> {
        if let Some(damage) = &self.damage {
            return Some(Failing::Damage(damage));
        }
        match &self.found {
            Found::Printed(rescued) => rescued.failure().map(Failing::Call),
            Found::Drafts(_, nothing) => nothing.failure().map(Failing::Call),
            Found::Native(judged) => judged.as_ref().as_ref().err().map(|refused| Failing::Call(refused)),
            Found::Nothing => None,
        }
    }

    fn rescued(&self) -> Option<&Rescued> {
        match &self.found {
            Found::Printed(rescued) => Some(rescued),
            _ => None,
        }
    }
}

/// Where in the reply an offset of a call's arguments stands; where they are no piece of it, since they stood in a string or between tags,
/// the call.
pub(crate) fn in_reply(call: &ToolCall, offset: usize) -> usize {
    call.arguments_at().map_or(call.span().start, |start| start + offset)
}

/// Whether the code says that there was nothing, rather than that something is wrong.
pub(crate) fn is_nothing(code: CallCode) -> bool {
    matches!(code, CallCode::NoCall | CallCode::UnknownDialect)
}

/// Reads bytes for printed calls, piece by piece, up to the first that is no text.
pub(crate) struct Reading {
    rescue: Rescue,
    seen: Seen,
    /// Bytes behind the place from which on nothing counts: they are not kept.
    behind: Option<usize>,
}

impl Reading {
    pub(crate) fn new(tools: &Tools) -> Self {
        Self { rescue: tools.rescue(), seen: Seen::default(), behind: None }
    }

    /// Takes more; whether what follows can change nothing. Behind an invented observation nothing counts, but how much there is of it is
    /// told, however it was cut.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> bool {
        if let Some(behind) = &mut self.behind {
            *behind += chunk.len();
            return false;
        }
        let Self { rescue, seen, .. } = self;
        let progress = seen.push(chunk, |text| rescue.push(text));
        self.behind = (progress == Progress::Final).then_some(0);
        self.seen.damage().is_some() || (progress.is_decided() && self.behind.is_none())
    }

    /// What was found, and the bytes that were read. Behind damage nothing is known, whatever ended the reply.
    pub(crate) fn finish(self, ending: Ending) -> (Calls, Vec<u8>) {
        let damage = self.seen.damage();
        let ending = if damage.is_some() { Ending::Failed } else { ending };
        let is_decided = self.rescue.progress().is_decided();
        let calls = Calls::printed(self.rescue.finish(ending), damage);
        let seen = self.seen.into_bytes();
        (Calls { len: self.behind.map(|behind| seen.len() + behind), is_decided, ..calls }, seen)
    }
}
