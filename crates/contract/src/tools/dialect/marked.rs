//! A JSON value behind a mark of a dialect, and what shows that it did not close too early.
//!
//! Where a value breaks, reading goes on at the byte that showed it, which no chunking changes: not where the engine has been fed to.

use thusfar_core::{Code, Document, Span};

use super::super::body::{Behind, Body, Read};
use super::super::call::{CallCode, CallOutcome};
use super::super::heard::Ear;
use super::super::input::{Input, LONGEST_TAG, Seen, Written, Wrong};
use super::super::judge;
use super::super::list::LONGEST_NAME;
use super::super::shape::{Calls, Shaped};
use super::Dialect;

/// A value being read.
pub(super) struct Value(Box<Body>);

/// What became of it.
pub(super) enum Told {
    /// More text is needed.
    More,
    /// It closed.
    Closed(Box<Document>, Span),
    /// It broke before anything showed that JSON was meant; what is wrong with it if it was.
    Text(Box<Wrong>),
    /// It broke, or it is cut.
    Wrong(Box<Wrong>),
}

impl Value {
    /// One whose opener stands where reading stands, and that may describe calls.
    pub(super) fn new(input: &Input<'_>) -> Self {
        Self(Box::new(Body::heard_by(input.at, Ear::inside(input.tools))))
    }

    /// The arguments of a tool, whose opener stands where reading stands.
    pub(super) fn arguments(input: &Input<'_>, name: &str) -> Self {
        Self(Box::new(Body::heard_by(input.at, Ear::named(input.tools, name))))
    }

    /// Reads on.
    pub(super) fn read(&mut self, input: &mut Input<'_>) -> Told {
        let start = self.0.start();
        match input.value(&mut self.0) {
            Read::More => Told::More,
            Read::Closed(document, end) => {
                input.at = end;
                Told::Closed(document, Span::new(start, end))
            }
            Read::Broken(failure) => {
                let wrong = Wrong::of_json(&failure, start);
                let is_cut = wrong.code.outcome() == CallOutcome::Truncated;
                let wrong = Box::new(input.broken(wrong));
                if is_cut || self.0.outline().is_promise { Told::Wrong(wrong) } else { Told::Text(wrong) }
            }
        }
    }
}

/// A value that has closed and has no closing markup: held until it is certain that it did not close too early.
pub(super) struct Held {
    value: Span,
    /// How far markup has been looked for that makes it certain.
    peek: usize,
    behind: Option<Box<Behind>>,
}

impl Held {
    pub(super) const fn new(value: Span) -> Self {
        Self { value, peek: value.end, behind: None }
    }

    /// Where it stands.
    pub(super) const fn value(&self) -> Span {
        self.value
    }

    /// Whether it stands, once that is certain; what is wrong if it does not. It does where `is_markup` says so of what stands behind it,
    /// white space aside.
    pub(super) fn settle(
        &mut self,
        input: &mut Input<'_>,
        is_markup: impl FnOnce(&str) -> Seen,
    ) -> Option<Result<(), Box<Wrong>>> {
        if self.behind.is_none() {
            input.at = self.peek;
            input.skip_space();
            self.peek = input.at;
            match is_markup(input.rest()) {
                Seen::Yes => return Some(Ok(())),
                Seen::More if input.end.is_none() => return None,
                _ => {}
            }
            if self.is_mended(input) {
                input.at = self.value.end;
                let wrong = Wrong::new(CallCode::Json(Code::ClosedTooEarly), self.value.end - 1);
                return Some(Err(Box::new(wrong)));
            }
            self.behind = Some(Box::new(Behind::new(&input.text[self.value.range()], self.value.end)));
        }
        let settled = self.behind.as_mut()?.read(input.text, input.end);
        if settled.is_some() {
            input.at = self.value.end;
        }
        settled.map(|stands| stands.map_err(|failure| Box::new(Wrong::of_json(&failure, self.value.start))))
    }

    /// Whether a closer of the other kind closed it. It may have been text of a string that ended too early, `{"re": "[^"]+"}`, and the
    /// reply may be cut behind it. Only markup behind it shows that it was the closer.
    fn is_mended(&self, input: &Input<'_>) -> bool {
        let value = &input.text[self.value.range()];
        value.starts_with('{') != value.ends_with('}')
    }
}

/// Whether what stands at the opener is more than a mention: nothing in front of it on its line, or a call of the same dialect before.
pub(super) fn is_meant(input: &Input<'_>, dialect: Dialect) -> bool {
    input.is_line_start || input.found.last().is_some_and(|finding| finding.found.dialect() == dialect)
}

/// The length of the name at the beginning of a text; none where a name that is too long, or none, stands there.
pub(super) fn name(text: &str) -> Result<usize, Seen> {
    let is_name = |character: char| character.is_alphanumeric() || "_-./:".contains(character);
    let len = text.char_indices().take(LONGEST_NAME + 1).find(|&(_, character)| !is_name(character));
    match len {
        Some((len, _)) if (1..=LONGEST_NAME).contains(&len) => Ok(len),
        None if text.len() <= LONGEST_NAME => Err(Seen::More),
        _ => Err(Seen::No),
    }
}

/// The first byte of a text that is no white space, and where it stands. What stands further away than a tag is long is not looked at.
pub(super) fn first(text: &str) -> Result<(usize, u8), Seen> {
    let window = &text.as_bytes()[..text.len().min(LONGEST_TAG)];
    match window.iter().position(|byte| !b" \t\n\r".contains(byte)) {
        Some(at) => Ok((at, window[at])),
        None if text.len() < LONGEST_TAG => Err(Seen::More),
        None => Err(Seen::No),
    }
}

/// Notes the calls of a value behind a mark. One call includes the markup from an offset on; of several, each is its own value.
pub(super) fn note(input: &mut Input<'_>, dialect: Dialect, calls: Calls, around: Span) {
    input.repairs.extend(calls.repairs);
    let is_one = calls.all.len() == 1;
    for Shaped { call, span, .. } in calls.all {
        let span = if is_one { around } else { span };
        match call {
            Ok(written) => {
                let finding = judge::written(input, dialect, Written { span, ..written });
                input.found.push(finding);
            }
            Err(wrong) => input.refuse_span(dialect, span, *wrong),
        }
    }
}

/// What of a value is no call.
pub(super) fn no_call(at: usize) -> Wrong {
    Wrong::new(CallCode::ExpectedMarkup, at)
}
