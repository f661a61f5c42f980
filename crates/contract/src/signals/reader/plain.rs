//! Values without a label: in brackets, and in plain text.

use super::super::hits::{Hit, Standing};
use super::super::lexer::Kind;
use super::super::phrases::Phrase;
use super::super::spec::{Plan, Takes, Target};
use super::stage::{hit_of, is_glued, valued};
use super::{Found, Item, Reader, is_glue};

impl Reader {
    /// Reads a token as plain text for one target.
    pub(super) fn plain(&mut self, at: usize, item: &Item<'_>, value: Option<(Found<'_>, &Phrase)>, plan: &Plan) {
        let target = &plan.targets[at];
        let is_number = target.kind().is_number();
        let found = match (&item.figure, value) {
            _ if matches!(target.takes, Takes::Text) => None,
            (Some(_), _) if is_number => self.number(item, target),
            (_, Some((found, phrase))) if !is_number => self.value(item, &found, phrase, target),
            _ => None,
        };
        let Some((hit, is_bracketed)) = found else { return };
        let (start, end) = (hit.span.start, hit.end);
        let is_quoted = self.quote.is_some();
        let state = &mut self.states[at];
        state.inside = end;
        self.noted = Some(start);
        if state.decided.is_some() {
            return;
        }
        match (is_quoted, is_bracketed) {
            (true, true) => return state.quoted[1].push(hit),
            (true, false) => return state.quoted[2].push(hit),
            (false, true) => return state.brackets.push(hit),
            (false, false) => {}
        }
        // A number that counts something is no correction of a score.
        let counts = item.figure.as_ref().is_some_and(|figure| figure.counts);
        let corrects = self.sentence.corrects(is_number) && !counts || state.is_retracted && !is_number;
        // `Reject.`: a sentence that is a value is said as plainly as a labelled one.
        let is_alone =
            !is_number && self.sentence.is_new() && matches!(item.reply[end..].chars().next(), Some('.' | '!'));
        if corrects || ((state.is_same || state.is_below || is_alone) && !is_number) {
            state.contradict(hit.clone(), target, self.seen);
        }
        state.sentence.push(hit);
    }

    /// A number.
    fn number(&self, item: &Item<'_>, target: &Target) -> Option<(Hit, bool)> {
        let figure = item.figure.as_ref()?;
        // Behind an underscore that does not close with it, it is part of a name, as a word is.
        let is_named = item.token.left == Some('_') && !item.is_bracketed;
        if item.is_list_number || is_named || figure.is_noise(item.token.left, item.reply) {
            return None;
        }
        let mut hit = hit_of(figure.judge(target, item.reply), figure.is_last);
        if item.is_bracketed {
            return Some((hit, true));
        }
        if hit.standing == Standing::Sure {
            // `3 typos`: a number with a unit is no count, and an integer may be one.
            let is_measure = matches!(target.takes, Takes::Number(_));
            let counts = is_measure && figure.may_count && hit.unit.is_none() && hit.scale.is_none();
            hit.standing =
                if counts || self.sentence.is_other_number() { Standing::Doubtful } else { self.sentence.standing() };
        }
        Some((hit, false))
    }

    /// A value of an enumeration, or a boolean.
    fn value(&self, item: &Item<'_>, found: &Found<'_>, phrase: &Phrase, target: &Target) -> Option<(Hit, bool)> {
        let token = &item.token;
        let mut hit = valued(item, found, phrase)?;
        if found.is_bracketed {
            return Some((hit, true));
        }
        // Two words joined by a slash: one of them may be meant, or the name of a file.
        let is_joined = found.right == Some('/') || token.left == Some('/');
        let is_path = token.left.is_some_and(|left| is_glue(left) || matches!(left, '.' | '_'))
            || found.right != Some('/') && is_glued(found);
        if is_path || found.is_joined || found.is_link {
            return None;
        }
        hit.standing = self.sentence.standing();
        let mut is_doubtful = is_joined;
        if matches!(target.takes, Takes::Boolean) {
            if found.behind.is_some() {
                return None;
            }
            is_doubtful |= !self.sentence.is_new();
        } else if let Some(common) = &phrase.common {
            // `No.` is an answer, `No problem` is none; `a` is an article wherever it stands.
            let is_spelt = item.reply.get(token.start..found.end) == Some(common);
            if !is_spelt && (found.behind.is_some() || common.chars().nth(1).is_none()) {
                return None;
            }
            if found.behind.is_some() {
                let is_capital = common.chars().next().is_some_and(|first| !first.is_lowercase());
                if !is_capital {
                    return None;
                }
                is_doubtful = true;
            }
            // A list, or a name for what follows.
            is_doubtful |= found.right == Some(':');
        }
        if is_doubtful && hit.standing == Standing::Sure {
            hit.standing = Standing::Doubtful;
        }
        debug_assert!(!matches!(token.kind, Kind::Line | Kind::Break), "a value begins with a word or a mark");
        Some((hit, false))
    }
}
