//! What is known of one target, and what it comes to.

use thusfar_core::Span;

use super::super::hits::{Hit, Hits, MOST, Reading, Standing};
use super::super::signal::{Candidate, Found, Signal, SignalCode, SignalValue, Valued, Via};
use super::super::spec::{Takes, Target, Which};
use super::stage::Stage;

/// Bytes of what stands behind a value.
const TAIL: usize = 256;

/// What is known of one target.
#[derive(Default)]
pub(super) struct State {
    pub(super) stage: Stage,
    /// Inside something that has been read, up to here.
    pub(super) inside: usize,
    /// Behind a label.
    pub(super) labelled: Hits,
    /// The same in front of a closing reasoning tag that was never opened.
    before: Hits,
    /// As `[[value]]`.
    pub(super) brackets: Hits,
    /// The same in quotes.
    planted: Hits,
    /// In plain text, in sentences that are over.
    pub(super) text: Hits,
    /// In plain text, in this sentence.
    pub(super) sentence: Hits,
    /// In a quote that is open: labelled, in brackets, plain.
    pub(super) quoted: [Hits; 3],
    /// A quoted value with which the reply begins.
    whole: Option<Hit>,
    /// The sentence of the last labelled value goes on.
    pub(super) is_same: bool,
    /// It stands on a line below its label, and their paragraph goes on: a second value there may be another choice.
    pub(super) is_below: bool,
    /// Something was taken back behind the last labelled value.
    pub(super) is_retracted: bool,
    /// The first or the last labelled value is contradicted where it stands.
    is_first_torn: bool,
    is_last_torn: bool,
    /// How many labelled values there are: 0, 1, more.
    labels: usize,
    /// Where the table has a column for it.
    pub(super) column: Option<usize>,
    pub(super) decided: Option<Signal>,
}

impl State {
    /// What stands in front was reasoning: or somebody planted the tag, so a labelled value there is not forgotten.
    pub(super) fn restart(&mut self) {
        let mut before = std::mem::take(&mut self.before);
        before.take(&mut self.labelled);
        *self = Self { before, ..Self::default() };
    }

    /// A labelled value.
    pub(super) fn push_labelled(&mut self, hit: Hit, target: &Target, seen: usize) {
        self.labels += 1;
        (self.is_last_torn, self.is_retracted, self.is_below) = (false, false, false);
        self.is_same = true;
        self.labelled.push(hit);
        self.decide(target, seen);
    }

    /// Another value beside the last labelled one.
    pub(super) fn contradict(&mut self, mut hit: Hit, target: &Target, seen: usize) {
        let Some(last) = self.labelled.last() else { return };
        let is_equal = last.value.is(&hit.value);
        match hit.standing {
            Standing::Negated if is_equal => hit.standing = Standing::Doubtful,
            Standing::Negated => return,
            Standing::Sure | Standing::Refused(_) if is_equal => return,
            Standing::Doubtful | Standing::Quoted | Standing::Asked
                if is_equal || (!self.is_same && !matches!(target.takes, Takes::Boolean)) =>
            {
                return;
            }
            _ => {}
        }
        self.is_first_torn |= self.labels == 1;
        self.is_last_torn = true;
        // The last labelled value stays the last one.
        let last = last.clone();
        self.labelled.push(hit);
        self.labelled.set_last(last);
        self.decide(target, seen);
    }

    /// The line of a labelled value ends.
    pub(super) fn end_tail(&mut self, target: &Target, end: usize, reply: &str, seen: usize) {
        self.is_same = false;
        self.labelled.end_line(end);
        if target.which != Which::First || self.decided.is_some() || matches!(self.stage, Stage::Got { .. }) {
            return;
        }
        if let Some(first) =
            self.labelled.first().filter(|first| first.standing == Standing::Sure && !self.is_first_torn)
        {
            let found = valued(first, target, Via::Label, reply);
            self.decided = Some(Signal { found, decided_at: seen });
        }
    }

    /// The quote has closed: what stands in it does not count, unless it is the whole reply. The reply may begin with a quote that holds this.
    pub(super) fn unquote(&mut self, first: Option<(usize, usize)>) {
        let [labelled, brackets, text] = &mut self.quoted;
        if let Some((start, end)) = first {
            let is_all = |hit: &&Hit| hit.span.start == start && hit.end == end && hit.standing == Standing::Sure;
            self.whole = text.last().filter(is_all).cloned();
        }
        labelled.clear();
        text.clear();
        self.planted.take(brackets);
    }

    /// The quote was none, or nobody knows where it ends.
    pub(super) fn take_quoted(&mut self, standing: Option<Standing>, target: &Target, seen: usize) {
        let mut quoted = std::mem::take(&mut self.quoted);
        if let Some(standing) = standing {
            quoted.iter_mut().for_each(|hits| hits.doubt(standing));
        }
        let [labelled, brackets, text] = &mut quoted;
        if self.decided.is_none() {
            self.labels += usize::from(!labelled.is_empty());
            self.labelled.take(labelled);
            self.brackets.take(brackets);
            self.text.take(text);
            self.decide(target, seen);
        }
    }

    /// Decides what is certain to have no value.
    pub(super) fn decide(&mut self, target: &Target, seen: usize) {
        if self.decided.is_some() {
            return;
        }
        let found = match target.which {
            Which::Only if !self.labelled.is_empty() && self.contradiction().is_some() => {
                self.contradiction().map(|hits| Found::Several(SignalCode::CloseTagBehind, candidates(hits, target)))
            }
            Which::Only => {
                several(&self.labelled, target).or_else(|| self.labelled.iter().find_map(|hit| refusal(hit, target)))
            }
            Which::First if self.is_first_torn => {
                several(&self.labelled, target).or_else(|| doubtful(&self.labelled, target))
            }
            Which::First => self.labelled.first().and_then(|hit| refusal(hit, target)),
            Which::Last => None,
        };
        self.decided = found.map(|found| Signal { found, decided_at: seen });
    }

    /// The reply ends.
    pub(super) fn finish(&mut self, target: &Target, reply: &str, is_cut: bool, nothing: Option<SignalCode>) {
        if self.decided.is_some() {
            return;
        }
        let found = if nothing == Some(SignalCode::ReplyTooLong) {
            // What was not read may say anything.
            Found::Nothing(SignalCode::ReplyTooLong)
        } else if self.labelled.is_empty() && !self.before.is_empty() {
            Found::Several(SignalCode::CloseTagBehind, candidates(self.before.different(), target))
        } else if !self.labelled.is_empty() {
            self.end_labelled(target, reply, is_cut)
        } else if !self.brackets.is_empty() {
            self.end_brackets(target, reply, is_cut)
        } else {
            self.end_text(target, reply, is_cut, nothing)
        };
        self.decided = Some(Signal { found, decided_at: reply.len() });
    }

    /// The labelled values on both sides of a closing tag that was never opened, if they are not the same.
    fn contradiction(&self) -> Option<Vec<&Hit>> {
        let last = self.labelled.last()?;
        let is_other = self.before.iter().any(|hit| !hit.value.is(&last.value));
        is_other.then(|| {
            let mut hits = self.before.different();
            hits.truncate(MOST - 1);
            hits.push(last);
            hits
        })
    }

    fn end_labelled(&self, target: &Target, reply: &str, is_cut: bool) -> Found {
        let hits = &self.labelled;
        let chosen = match target.which {
            Which::Last => hits.last(),
            _ => hits.first(),
        };
        let Some(hit) = chosen else { return Found::Nothing(SignalCode::NoValue) };
        if target.which == Which::Last && self.is_last_torn {
            return several(hits, target)
                .or_else(|| doubtful(hits, target))
                .unwrap_or(Found::Nothing(SignalCode::NoValue));
        }
        let ends = hits.last().map_or(hit, |last| last);
        if is_cut && ends.is_last && ends.standing == Standing::Sure {
            return refused(SignalCode::CutValue, ends, target);
        }
        if is_cut && (self.is_same || target.which == Which::Last) {
            return Found::Several(SignalCode::CutBehind, [hit.candidate(|at| name(target, at))].into());
        }
        refusal(hit, target).unwrap_or_else(|| valued(hit, target, Via::Label, reply))
    }

    fn end_brackets(&self, target: &Target, reply: &str, is_cut: bool) -> Found {
        let hits = &self.brackets;
        let chosen = if target.which == Which::Last { hits.last() } else { hits.first() };
        let Some(hit) = chosen else { return Found::Nothing(SignalCode::NoValue) };
        if let Some(found) = (target.which == Which::Only).then(|| several(hits, target)).flatten() {
            return found;
        }
        let planted: Vec<&Hit> = self.planted.iter().filter(|planted| !planted.value.is(&hit.value)).collect();
        if !planted.is_empty() {
            let mut all: Vec<&Hit> = planted.into_iter().chain([hit]).collect();
            all.sort_by_key(|hit| hit.span.start);
            return Found::Several(SignalCode::Quoted, candidates(all, target));
        }
        if is_cut {
            return Found::Several(SignalCode::CutBehind, [hit.candidate(|at| name(target, at))].into());
        }
        refusal(hit, target).unwrap_or_else(|| valued(hit, target, Via::Brackets, reply))
    }

    fn end_text(&self, target: &Target, reply: &str, is_cut: bool, nothing: Option<SignalCode>) -> Found {
        let hits = &self.text;
        let different = hits.different();
        if let Some(whole) = self.whole.as_ref().filter(|whole| different.is_empty() && !is_cut && is_all(whole, reply))
        {
            return valued(whole, target, Via::Text, reply);
        }
        let Some(hit) = different.first() else {
            let code = if is_cut { SignalCode::CutBefore } else { SignalCode::NoValue };
            return Found::Nothing(nothing.unwrap_or(code));
        };
        if let Some(found) = several(hits, target) {
            return found;
        }
        if is_cut {
            return Found::Several(SignalCode::CutBehind, candidates(different, target));
        }
        // What stands against the one value: doubts of it, a negation of it. That it was asked for stands only where nothing answers.
        let said = hits.iter().find(|other| other.standing == Standing::Sure);
        let is_against =
            |other: &&Hit| other.standing != Standing::Sure && !(other.standing == Standing::Asked && said.is_some());
        let hit = said.unwrap_or(hit);
        let against = hits.iter().filter(|other| other.value.is(&hit.value)).find(is_against);
        if let Some(against) = against {
            let mut found = hit.clone();
            found.standing = if against.standing == Standing::Negated { Standing::Doubtful } else { against.standing };
            return refusal(&found, target).unwrap_or(Found::Nothing(SignalCode::NoValue));
        }
        refusal(hit, target).unwrap_or_else(|| valued(hit, target, Via::Text, reply))
    }
}

/// Whether behind a quoted value nothing stands but its quote and white space.
fn is_all(hit: &Hit, reply: &str) -> bool {
    let behind = reply.get(hit.end..).unwrap_or_default();
    behind.trim_end().chars().all(|mark| "\"'`\u{201D}\u{2019}\u{BB}\u{201C}\u{2018}".contains(mark))
}

/// The name of a value.
fn name(target: &Target, at: u32) -> SignalValue {
    match &target.takes {
        Takes::Enum(values) => SignalValue::Text(values.get(at as usize).cloned().unwrap_or_default()),
        _ => SignalValue::Boolean(at == 0),
    }
}

fn candidates(hits: Vec<&Hit>, target: &Target) -> Box<[Candidate]> {
    hits.into_iter().map(|hit| hit.candidate(|at| name(target, at))).collect()
}

/// Different values.
fn several(hits: &Hits, target: &Target) -> Option<Found> {
    let different = hits.different();
    (different.len() > 1).then(|| Found::Several(SignalCode::TwoValues, candidates(different, target)))
}

/// A value that stands twice, once in doubt.
fn doubtful(hits: &Hits, target: &Target) -> Option<Found> {
    let hit = hits.first()?;
    Some(Found::Several(SignalCode::Doubtful, [hit.candidate(|at| name(target, at))].into()))
}

fn refused(code: SignalCode, hit: &Hit, target: &Target) -> Found {
    Found::Refused(code, Box::new(hit.candidate(|at| name(target, at))))
}

/// Why a hit is no value.
fn refusal(hit: &Hit, target: &Target) -> Option<Found> {
    let code = match hit.standing {
        Standing::Sure => return None,
        Standing::Refused(code) => return Some(refused(code, hit, target)),
        Standing::Doubtful | Standing::Negated | Standing::Asked => SignalCode::Doubtful,
        Standing::Quoted => SignalCode::Quoted,
    };
    Some(Found::Several(code, [hit.candidate(|at| name(target, at))].into()))
}

fn valued(hit: &Hit, target: &Target, via: Via, reply: &str) -> Found {
    let text = |span: Span| reply.get(span.start..span.end).unwrap_or_default();
    let is_text = matches!(hit.value, Reading::Text(_));
    Found::Value(Box::new(Valued {
        value: hit.value.value(|at| name(target, at)),
        span: hit.span,
        via,
        scale: hit.scale.map(|span| text(span).into()),
        unit: hit.unit.clone(),
        tail: if via == Via::Label && !is_text { tail(reply, hit).into() } else { Box::default() },
    }))
}

/// What stands behind a value on its line, or in its cell.
fn tail<'r>(reply: &'r str, hit: &Hit) -> &'r str {
    let end = hit.line_end.unwrap_or(reply.len());
    let rest = reply.get(hit.end..end).unwrap_or_default();
    let line = rest.split(['\n', '\r', '|']).next().unwrap_or_default();
    let line =
        line.trim_start_matches(|mark: char| mark.is_whitespace() || "*_`\"'\u{201D}\u{2019}\u{BB}])".contains(mark));
    let line = beginning(line, TAIL).trim_end_matches(|mark: char| mark.is_whitespace() || "*_`".contains(mark));
    if line.chars().all(|mark| mark.is_ascii_punctuation()) { "" } else { line }
}

/// At most so many bytes of a text, in whole characters.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut len = text.len().min(most);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    &text[..len]
}
