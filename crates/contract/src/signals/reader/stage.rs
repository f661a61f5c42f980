//! From a label to its value.

use thusfar_core::Span;

use super::super::figure::Judged;
use super::super::hits::{Hit, Reading, Standing};
use super::super::lexer::{Kind, Token};
use super::super::phrases::{Phrase, Use, Word};
use super::super::signal::SignalCode;
use super::super::spec::{Plan, Takes, Target};
use super::super::words::{self, Class};
use super::quote::Quote;
use super::state::beginning;
use super::{Found, Item, Reader, is_decoration, is_glue};

/// Bytes of a pair of parentheses between a label and its mark.
const LONGEST_ASIDE: usize = 64;
/// Line ends between a label and its value.
const MOST_LINES: u8 = 3;
/// Bytes of what is told of something that is no value.
const LONGEST_GOT: usize = 64;

/// What a target waits for.
#[derive(Default)]
pub(super) enum Stage {
    #[default]
    Idle,
    /// The mark behind a label.
    Label(LabelAt),
    /// The value.
    Value(Awaited),
    /// The end of a text.
    Text {
        start: usize,
        end: usize,
        is_block: bool,
        is_in_doubt: bool,
        is_emphasised: bool,
        /// A tag closes it.
        is_tag: bool,
        lines: u8,
    },
    /// The end of what stands where the value was promised.
    Got { start: usize, end: usize, code: SignalCode },
}

/// A label that has been read.
#[derive(Clone, Copy, Default)]
pub(super) struct LabelAt {
    /// With its mark it promises a value.
    pub(super) promises: bool,
    /// Nothing stands in front of it on its line.
    pub(super) is_alone: bool,
    pub(super) is_in_doubt: bool,
    /// A tag: `>` stands for the mark.
    pub(super) is_tag: bool,
    /// Inside parentheses that began here.
    pub(super) aside: Option<usize>,
}

/// A value that is waited for.
#[derive(Clone, Copy, Default)]
pub(super) struct Awaited {
    promises: bool,
    is_in_doubt: bool,
    /// The quote that was opened around it: its mark and where.
    wrap: Option<(Quote, usize)>,
    lines: u8,
    cells: u8,
    /// A mark of emphasis in front of it.
    is_emphasised: bool,
    /// Something stands behind the mark.
    is_begun: bool,
    /// `>` belongs to the mark.
    is_arrow: bool,
    /// `>` is the mark.
    is_tag: bool,
}

impl Stage {
    pub(super) fn value(promises: bool, is_in_doubt: bool) -> Self {
        Stage::Value(Awaited { promises, is_in_doubt, ..Awaited::default() })
    }

    /// Whether something is open that goes on up to its end.
    pub(super) const fn is_open(&self) -> bool {
        matches!(self, Stage::Text { .. } | Stage::Got { .. })
    }

    /// Whether something is open that began behind an offset.
    pub(super) const fn begins_behind(&self, offset: usize) -> bool {
        matches!(self, Stage::Text { start, .. } | Stage::Got { start, .. } if *start > offset)
    }

    /// Whether a value may come next.
    pub(super) const fn awaits(&self) -> bool {
        matches!(self, Stage::Value(_) | Stage::Label(_))
    }
}

/// What became of a token.
enum Step {
    /// It belongs to the stage.
    Taken(Stage),
    /// The stage is over, and the token is read as plain text.
    Over,
    /// A value, whether it is quoted alone, and whether it stands on a line below its label.
    Hit(Hit, bool, bool),
}

impl Reader {
    /// Takes a token on the way from a label to its value: whether it is no plain text.
    pub(super) fn stage(
        &mut self,
        at: usize,
        item: &Item<'_>,
        value: Option<(Found<'_>, &Phrase)>,
        plan: &Plan,
    ) -> bool {
        if matches!(self.states[at].stage, Stage::Idle) {
            return false;
        }
        let target = &plan.targets[at];
        let step = match std::mem::take(&mut self.states[at].stage) {
            Stage::Idle => return false,
            Stage::Label(label) => self.behind_label(at, label, item, target),
            Stage::Value(awaited) => self.awaited(awaited, item, value, target),
            open @ (Stage::Text { .. } | Stage::Got { .. }) => {
                self.states[at].stage = open;
                return self.in_open(at, item, plan);
            }
        };
        match step {
            Step::Taken(stage) => self.states[at].stage = stage,
            Step::Over => return false,
            Step::Hit(hit, is_wrapped, is_below) => {
                (self.noted, self.is_claimed) = (Some(hit.span.start), true);
                self.label_end = self.label_end.max(hit.end);
                self.labelled(at, hit, is_wrapped, target);
                self.states[at].is_below = is_below;
            }
        }
        true
    }

    /// A labelled value, quoted or not.
    fn labelled(&mut self, at: usize, hit: Hit, is_wrapped: bool, target: &Target) {
        let state = &mut self.states[at];
        state.inside = hit.end;
        if state.decided.is_none() {
            if self.quote.is_some() && !is_wrapped {
                state.quoted[0].push(hit);
            } else {
                state.push_labelled(hit, target, self.seen);
            }
        }
    }

    /// Between a label and its mark.
    fn behind_label(&mut self, at: usize, mut label: LabelAt, item: &Item<'_>, target: &Target) -> Step {
        let token = &item.token;
        if let Some(start) = label.aside {
            let is_over = matches!(token.kind, Kind::Line | Kind::Break) || token.end - start > LONGEST_ASIDE;
            match token.kind {
                Kind::Mark(')') => label.aside = None,
                Kind::Word(word) => label.is_in_doubt |= word.class.has(Class::DOUBTS),
                _ => {}
            }
            return if is_over { Step::Over } else { Step::Taken(Stage::Label(label)) };
        }
        let value = |promises| Step::Taken(Stage::value(promises, label.is_in_doubt));
        match token.kind {
            Kind::Mark(':' | '=' | '\u{FF1A}') => {
                self.end_tails(at);
                value(label.promises)
            }
            Kind::Mark('*' | '_' | '`' | '"' | '\'' | '\u{201D}' | '\u{2019}' | '\u{BB}') => {
                Step::Taken(Stage::Label(label))
            }
            Kind::Mark('(') => {
                label.aside = Some(token.start);
                Step::Taken(Stage::Label(label))
            }
            Kind::Mark('|') if self.table.is_row => {
                self.end_tails(at);
                if label.is_alone && self.table.row == 0 {
                    self.states[at].column = Some(self.table.column);
                }
                let is_text = matches!(target.takes, Takes::Text);
                if is_text && self.table.row == 0 { Step::Over } else { value(false) }
            }
            Kind::Mark('>') if label.is_tag => Step::Taken(Stage::Value(Awaited {
                is_tag: true,
                is_in_doubt: label.is_in_doubt,
                ..Awaited::default()
            })),
            Kind::Mark('-') if token.is_spaced || token.right == Some('>') => {
                let is_arrow = token.right == Some('>');
                let is_in_doubt = label.is_in_doubt;
                Step::Taken(Stage::Value(Awaited { is_arrow, is_in_doubt, ..Awaited::default() }))
            }
            Kind::Mark('\u{2013}' | '\u{2014}' | '\u{2192}' | '\u{21D2}') => value(false),
            Kind::Mark('[') => value(false),
            Kind::Word(word) if word.class.has(Class::IS) && !matches!(target.takes, Takes::Text) => value(false),
            Kind::Word(word) if word.class.has(Class::WAS) => Step::Taken(Stage::value(false, true)),
            Kind::Word(word) if word.class.has(Class::OF) && target.kind().is_number() => value(false),
            Kind::Line if label.is_alone && !self.table.is_row => {
                Step::Taken(Stage::Value(Awaited { lines: 1, is_in_doubt: label.is_in_doubt, ..Awaited::default() }))
            }
            _ => Step::Over,
        }
    }

    /// Another label comes to its mark: sentences of values in front are over.
    fn end_tails(&mut self, at: usize) {
        for (other, state) in self.states.iter_mut().enumerate() {
            state.is_same &= other == at;
        }
    }

    /// Where a value is waited for.
    fn awaited(
        &mut self,
        mut awaited: Awaited,
        item: &Item<'_>,
        value: Option<(Found<'_>, &Phrase)>,
        target: &Target,
    ) -> Step {
        let token = &item.token;
        let is_value = value.is_some() || (item.figure.is_some() && target.kind().is_number());
        match token.kind {
            Kind::Line if awaited.wrap.is_none() => {
                awaited.lines += 1;
                awaited.promises &= awaited.lines == 0;
                let is_over = awaited.lines > MOST_LINES || self.table.is_row || awaited.is_begun;
                return if is_over { Step::Over } else { Step::Taken(Stage::Value(awaited)) };
            }
            Kind::Line | Kind::Break => return Step::Over,
            Kind::Mark(mark) if !is_value && self.is_skipped(mark, token, &mut awaited, target) => {
                return Step::Taken(Stage::Value(awaited));
            }
            _ => {}
        }
        if item.is_list_number && target.kind().is_number() {
            return Step::Over;
        }
        if matches!(target.takes, Takes::Text) {
            return Step::Taken(Stage::Text {
                start: token.start,
                end: token.end,
                is_block: awaited.lines > 0,
                is_in_doubt: awaited.is_in_doubt,
                is_emphasised: awaited.is_emphasised,
                is_tag: awaited.is_tag,
                lines: 0,
            });
        }
        let hit = match (&item.figure, value) {
            (Some(figure), _) if target.kind().is_number() => {
                let figure = if awaited.is_tag { figure.clone().behind_tag() } else { figure.clone() };
                Some(hit_of(figure.judge(target, item.reply), figure.is_last))
            }
            (_, Some((found, phrase))) => standing(item, &found, phrase, awaited.promises)
                .and_then(|standing| Some(Hit { standing, ..valued(item, &found, phrase)? })),
            _ => None,
        };
        let right = |end: usize| item.reply[end..].chars().next();
        let hit = hit.filter(|hit| {
            awaited.wrap.is_none_or(|(quote, _)| right(hit.end).is_some_and(|mark| quote.is_closed_by(mark)))
        });
        match hit {
            Some(mut hit) => {
                if awaited.is_in_doubt && hit.standing == Standing::Sure {
                    hit.standing = Standing::Doubtful;
                }
                let is_wrapped = self.is_quoted_at(awaited.wrap.map(|(_, start)| start));
                Step::Hit(hit, is_wrapped, awaited.lines > 0)
            }
            None if awaited.promises => {
                let is_number =
                    target.kind().is_number() && (item.figure.is_some() || !matches!(token.kind, Kind::Word(_)));
                let code = if is_number { SignalCode::UnreadableNumber } else { SignalCode::NotAValue };
                Step::Taken(Stage::Got { start: token.start, end: token.end, code })
            }
            None => Step::Over,
        }
    }

    /// Whether a mark may stand between a label's mark and its value.
    fn is_skipped(&self, mark: char, token: &Token<Word>, awaited: &mut Awaited, target: &Target) -> bool {
        let is_next_line = awaited.lines > 0 && self.line.is_blank;
        match mark {
            '*' | '_' => {
                awaited.is_emphasised = true;
                true
            }
            // `==` compares.
            '=' if token.left == Some('=') && !token.is_spaced => false,
            ':' | '=' | '\u{FF1A}' => !awaited.is_begun && awaited.lines == 0,
            '#' | '>' | '-' | '+' if is_next_line => true,
            '>' => std::mem::take(&mut awaited.is_arrow),
            '[' | '(' | '{' if !matches!(target.takes, Takes::Text) => {
                awaited.is_begun = true;
                true
            }
            '|' if self.table.is_row => {
                awaited.cells += 1;
                awaited.cells == 1 && !awaited.is_begun
            }
            _ if is_decoration(mark) => true,
            _ if matches!(target.takes, Takes::Text) => false,
            _ => {
                let quote = Quote::begin(mark, token).filter(|_| awaited.wrap.is_none());
                awaited.is_begun |= quote.is_some();
                awaited.wrap = quote.map(|quote| (quote, token.start)).or(awaited.wrap);
                quote.is_some()
            }
        }
    }

    /// In the text of a target, or in what stands where a value was promised.
    pub(super) fn in_open(&mut self, at: usize, item: &Item<'_>, plan: &Plan) -> bool {
        let token = &item.token;
        let is_line = matches!(token.kind, Kind::Line | Kind::Break);
        let is_cell = self.table.is_row && token.kind == Kind::Mark('|');
        let is_stopped = token.is_spaced && self.is_behind_stop;
        let is_over = match &mut self.states[at].stage {
            Stage::Text { end, is_block, lines, .. } if is_line => {
                *lines += if token.kind == Kind::Break { 2 } else { 1 };
                // Below a label that stands alone: a paragraph.
                !*is_block || *lines > 1 || *end > token.start
            }
            Stage::Text { end, lines, is_block, is_tag, .. } => {
                let is_heading = *is_block && *lines > 0 && token.kind == Kind::Mark('#');
                let is_over = is_cell || is_heading || (*is_tag && token.kind == Kind::Mark('<'));
                if !is_over {
                    (*end, *lines) = (token.end, 0);
                }
                is_over
            }
            Stage::Got { start, end, .. } => {
                let is_over = is_line || is_cell || is_stopped || token.end - *start > LONGEST_GOT;
                if !is_over {
                    *end = token.end.max(*end);
                }
                is_over
            }
            _ => false,
        };
        if is_over {
            self.close_stage(at, item.reply, plan, false);
        }
        !is_over
    }

    /// Closes what is open of a target.
    pub(super) fn close_stage(&mut self, at: usize, reply: &str, plan: &Plan, is_end: bool) {
        let target = &plan.targets[at];
        let text = |start: usize, end: usize| reply.get(start..end).unwrap_or_default();
        let (start, end, text, standing) = match std::mem::take(&mut self.states[at].stage) {
            Stage::Text { start, end, is_in_doubt, is_emphasised, .. } => {
                let text = text(start, end).trim_end();
                let text = if is_emphasised { text.trim_end_matches(['*', '_']).trim_end() } else { text };
                let standing = match () {
                    () if !text.contains(char::is_alphanumeric) => Standing::Refused(SignalCode::NotAValue),
                    () if is_in_doubt => Standing::Doubtful,
                    () => Standing::Sure,
                };
                (start, end, text, standing)
            }
            Stage::Got { start, end, code } => {
                let all = text(start, end).trim_end();
                let text = all.trim_end_matches(['*', '_', '`', '"']).trim_end();
                let text = if text.is_empty() { all } else { text };
                let text = beginning(text, LONGEST_GOT);
                let is_cut = is_end && self.is_cut && end == reply.len();
                (start, end, text, Standing::Refused(if is_cut { SignalCode::CutValue } else { code }))
            }
            _ => return,
        };
        let value = if standing == Standing::Sure || standing == Standing::Doubtful {
            Reading::Text(text.into())
        } else {
            Reading::Other(text.into())
        };
        let span = Span::new(start, start + text.len());
        let is_last = is_end && end == reply.len();
        let hit = Hit { value, span, standing, scale: None, unit: None, end: span.end, is_last, line_end: None };
        self.labelled(at, hit, false, target);
    }
}

pub(super) fn hit_of(judged: Judged, is_last: bool) -> Hit {
    let Judged { value, span, standing, scale, unit, end } = judged;
    Hit { value, span, standing, scale, unit, end, is_last, line_end: None }
}

/// The value of an enumeration or a boolean.
pub(super) fn valued(item: &Item<'_>, found: &Found<'_>, phrase: &Phrase) -> Option<Hit> {
    let Use::Value(value) = phrase.what else { return None };
    Some(Hit {
        value: Reading::Value(value),
        span: Span::new(item.token.start, found.end),
        standing: Standing::Sure,
        scale: None,
        unit: None,
        end: found.end,
        is_last: found.is_last || item.is_open,
        line_end: None,
    })
}

/// How a value stands behind its label, if it is one.
///
/// A word that prose is made of, in front of another word, is in doubt, unless what follows explains; where no value was promised it is none.
/// So is a character that is no word, where none was promised. What is joined by a slash is in doubt.
fn standing(item: &Item<'_>, found: &Found<'_>, phrase: &Phrase, promises: bool) -> Option<Standing> {
    if found.right == Some('/') {
        return Some(Standing::Doubtful);
    }
    if is_glued(found) || item.token.left == Some('_') {
        return None;
    }
    let goes_on = found.behind.is_some_and(|class| !class.has(Class::EXPLAINS));
    let Some(common) = phrase.common.as_ref().filter(|_| goes_on) else { return Some(Standing::Sure) };
    if !promises {
        return None;
    }
    let is_spelt = item.reply.get(item.token.start..found.end) == Some(common);
    let is_word = words::is_common_word(&common.to_lowercase());
    Some(if is_spelt && !is_word { Standing::Sure } else { Standing::Doubtful })
}

/// Whether a value is part of something else. A digit above or below the line is no word of its own.
pub(super) fn is_glued(found: &Found<'_>) -> bool {
    found.is_joined
        || found.is_part
        || found.right.is_some_and(|right| is_glue(right) || right.is_alphanumeric() || matches!(right, '/' | '('))
}
