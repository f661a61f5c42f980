//! What a sentence says of the values in it: that one is denied, in doubt, under a condition, taken back.

use super::super::hits::Standing;
use super::super::lexer::Token;
use super::super::phrases::Word;
use super::super::spec::Plan;
use super::super::words::Class;
use super::Reader;
use super::state::State;

/// Words between a correction and the number that it brings.
const NEAR: usize = 2;

/// What has been said so far.
#[derive(Default)]
pub(super) struct Sentence {
    /// Negations in the clause.
    negations: usize,
    /// Since the last one only words that carry it on.
    is_carried: bool,
    /// Other words of the clause that leave what follows in doubt.
    doubts: usize,
    /// A condition, in the sentence.
    is_conditional: bool,
    /// Something is taken back, so many words ago.
    corrected: Option<usize>,
    /// The same by a word that says nothing of numbers.
    is_turned: bool,
    /// It begins with a clause that another one follows.
    gives: bool,
    /// A number directly here is only near, or a bound.
    rounds: bool,
    /// An example is spoken of, or a format.
    pub(super) shows: bool,
    words: usize,
    last: Class,
    /// The last token is a comma.
    is_comma: bool,
    /// The last word may begin a clause, if a subject follows.
    is_so: bool,
    /// Where the last value stands, and how many words stand behind it.
    value: Option<(usize, usize)>,
    /// It is a number.
    is_number: bool,
    /// A full stop, an exclamation or a question mark stands directly in front.
    pub(super) is_stopped: bool,
    /// A colon is the last mark.
    pub(super) is_colon: bool,
    /// A colon or an equals sign stands directly in front, behind a word.
    is_named: bool,
    /// A line ended.
    pub(super) is_broken: bool,
}

impl Sentence {
    pub(super) fn is_in_doubt(&self) -> bool {
        self.negations > 0 || self.doubts > 0 || self.is_conditional || self.shows
    }

    /// How a value stands here.
    pub(super) fn standing(&self) -> Standing {
        match self.negations {
            _ if self.doubts > 0 || self.is_conditional || self.shows => Standing::Doubtful,
            0 => Standing::Sure,
            1 if self.is_carried => Standing::Negated,
            _ => Standing::Doubtful,
        }
    }

    /// Whether a number directly here is only near, or a bound; or has a name that is no label.
    pub(super) fn is_other_number(&self) -> bool {
        self.rounds || self.is_named
    }

    /// Nothing has been said yet.
    pub(super) fn is_new(&self) -> bool {
        self.words == 0
    }

    /// Something has been taken back; for a number, directly in front of it.
    pub(super) fn corrects(&self, is_number: bool) -> bool {
        match is_number {
            true => self.corrected.is_some_and(|words| words <= NEAR),
            false => self.corrected.is_some() || self.is_turned,
        }
    }

    /// A value stands here.
    pub(super) fn note_value(&mut self, start: usize, is_number: bool) {
        self.value = Some((start, 0));
        self.is_number = is_number;
        self.rounds = false;
        self.words += 1;
        (self.is_comma, self.is_named) = (false, false);
        self.last = Class::default();
    }

    /// A word of a value or of a label: it says nothing of others, and carries nothing on.
    pub(super) fn pass(&mut self) {
        self.is_carried = false;
        self.corrected = self.corrected.map(|words| words + 1);
    }

    /// What follows in the clause need not be meant.
    pub(super) fn doubt(&mut self) {
        self.doubts += 1;
    }

    fn begin_clause(&mut self) {
        (self.negations, self.doubts, self.is_carried) = (0, 0, false);
    }
}

impl Reader {
    /// Takes a word that is no part of a label or a value.
    pub(super) fn word(&mut self, word: Word, token: &Token<Word>, plan: &Plan) {
        let class = word.class;
        // `No, …`: an interjection.
        let is_alone = token.right.is_some_and(|right| !right.is_alphanumeric());
        let sentence = &mut self.sentence;
        let (last, value) = (sentence.last, sentence.value);
        let is_instead = class.has(Class::OF) && last.has(Class::INSTEAD);
        let negates = is_instead || (class.has(Class::NEGATES) && !(class.has(Class::CORRECTS) && is_alone));
        let is_new_clause = (class.has(Class::BUT) && sentence.is_comma)
            || (class.has(Class::SUBJECT) && sentence.is_so)
            || (class.has(Class::SPEAKER) && (last.has(Class::SO) || last.has(Class::BUT)))
            || (class.has(Class::SPEAKER) && sentence.gives && sentence.is_comma);
        sentence.gives |= class.has(Class::GIVES) && sentence.words == 0;
        sentence.is_so = class.has(Class::SO) && sentence.is_comma;
        if is_new_clause {
            sentence.begin_clause();
        }
        let is_denied = sentence.is_carried;
        if negates {
            sentence.negations += 1;
            sentence.is_carried = true;
        } else if !class.has(Class::CARRIES) {
            sentence.is_carried = false;
        }
        let is_first = class.has(Class::DOUBTS) && token.right == Some(',') && sentence.words == 0;
        let would_be =
            class.has(Class::WOULD) && !last.has(Class::SUBJECT) && !last.has(Class::SO) && sentence.words > 0;
        let was_going = class.has(Class::GOING) && last.has(Class::WAS);
        let fails = class.has(Class::RANGES) && class.has(Class::CARRIES) && last.has(Class::FAILS);
        let doubts = (class.has(Class::DOUBTS) && !is_first) || would_be || was_going || fails;
        sentence.doubts += usize::from(doubts);
        let is_directly = matches!(value, Some((_, 0))) || last.has(Class::ONLY);
        let limits = class.has(Class::LIMITS)
            || (class.has(Class::SURE) && is_denied)
            || (class.has(Class::AFTER) && is_directly)
            || (class.has(Class::WHEN) && sentence.words == 0)
            || (class.has(Class::LONG) && last.has(Class::AS));
        sentence.is_conditional |= limits;
        sentence.rounds = class.has(Class::ROUNDS) || (sentence.rounds && class.has(Class::CARRIES));
        sentence.corrected = sentence.corrected.map(|words| words + 1);
        let concludes = class.has(Class::CONCLUDES) && token.right == Some(':');
        let corrects = concludes || (class.has(Class::CORRECTS) && (!class.has(Class::NEGATES) || is_alone));
        if corrects {
            sentence.corrected = Some(0);
        }
        let retracts = class.has(Class::RETRACTS) || (class.has(Class::MIND) && last.has(Class::LEADS));
        sentence.is_turned |= class.has(Class::TURNS);
        let corrects = corrects || class.has(Class::TURNS);
        sentence.shows |= class.has(Class::SHOWS);
        // A sentence of one word: `NOT.` One that is a condition alone: `Only if …`
        let contradicts = (sentence.words == 0 && negates && matches!(token.right, Some('.' | '!')))
            || (limits && last.has(Class::ONLY) && sentence.words == 1);
        sentence.words += 1;
        sentence.last = class;
        (sentence.is_comma, sentence.is_colon, sentence.is_named) = (false, false, false);
        if let Some((start, words)) = value {
            let denies = match words {
                0 if self.sentence.is_number && (class.has(Class::IS) || class.has(Class::WAS)) => true,
                0 => class.has(Class::NEGATES) || class.has(Class::SUPPOSES),
                1 if class.has(Class::MORE) && (last.has(Class::RANGES) || last.has(Class::SO)) => true,
                1 if last.has(Class::IS) || last.has(Class::WAS) || last.has(Class::SUPPOSES) => {
                    class.has(Class::NEGATES) || class.has(Class::SUPPOSES) || class.has(Class::DOUBTS)
                }
                _ => false,
            };
            self.sentence.value = Some((start, words + 1));
            if denies {
                self.doubt(Some(start), plan);
            }
        }
        if limits {
            self.doubt(None, plan);
        }
        if corrects {
            self.correct(plan);
        }
        // What stands in front of a labelled value takes nothing of it back.
        self.states.iter_mut().for_each(|state| state.is_retracted |= retracts && !state.labelled.is_empty());
        if contradicts {
            self.contradict(plan);
        }
        if class.has(Class::EXPLAINS) {
            self.states.iter_mut().for_each(|state| state.is_same = false);
        }
    }

    /// A sentence denies all that was said.
    fn contradict(&mut self, plan: &Plan) {
        for (state, target) in self.states.iter_mut().zip(&plan.targets) {
            state.labelled.doubt_last();
            state.text.doubt_last();
            state.decide(target, self.seen);
        }
    }

    /// The values of this sentence are in doubt: all, or the one at an offset.
    fn doubt(&mut self, start: Option<usize>, plan: &Plan) {
        for (state, target) in self.states.iter_mut().zip(&plan.targets).filter(|(state, _)| state.decided.is_none()) {
            let is_here = |at: Option<usize>| start.is_none() || at == start;
            if start.is_none() {
                state.sentence.doubt(Standing::Doubtful);
            } else if is_here(state.sentence.last().map(|hit| hit.span.start)) {
                state.sentence.doubt_last();
            }
            if state.is_same && is_here(state.labelled.last().map(|hit| hit.span.start)) {
                state.labelled.doubt_last();
                state.decide(target, self.seen);
            }
        }
    }

    /// The sentence is a question: its values are named, not said, and a labelled one in it is in doubt.
    fn ask(&mut self, plan: &Plan) {
        for state in &mut self.states {
            state.sentence.doubt(Standing::Asked);
        }
        self.doubt(None, plan);
    }

    /// The sentence takes something back: its values count beside the labelled ones.
    fn correct(&mut self, plan: &Plan) {
        for (state, target) in self.states.iter_mut().zip(&plan.targets) {
            if state.labelled.is_empty() || state.decided.is_some() || target.kind().is_number() {
                continue;
            }
            let hits: Vec<_> = state.sentence.iter().cloned().collect();
            for hit in hits {
                state.contradict(hit, target, self.seen);
            }
        }
    }

    /// Takes a mark.
    pub(super) fn punctuate(&mut self, mark: char, plan: &Plan) {
        let sentence = &mut self.sentence;
        let is_comma = matches!(mark, ',' | '\u{FF0C}' | '\u{3001}');
        // `e.g.`
        let is_short = mark == '.' && sentence.last.has(Class::SHOWS);
        if !matches!(mark, '*' | '_') {
            sentence.is_carried = false;
            (sentence.is_comma, sentence.is_colon) = (is_comma, matches!(mark, ':' | '\u{FF1A}'));
            let parts = is_comma || matches!(mark, '(' | '-' | '\u{2013}' | '\u{2014}');
            sentence.value = sentence.value.filter(|_| !parts);
            sentence.is_named = matches!(mark, ':' | '\u{FF1A}' | '=') && sentence.words > 0;
            sentence.last = Class::default();
        }
        match mark {
            '.' | '!' => sentence.is_stopped = !is_short,
            '\u{3002}' | '\u{FF01}' => self.end_sentence(),
            '?' | '\u{FF1F}' => {
                sentence.is_stopped = true;
                self.ask(plan);
            }
            '=' => {
                if let Some((start, 0)) = sentence.value {
                    self.doubt(Some(start), plan);
                }
            }
            ';' | '\u{FF1B}' => self.end_sentence(),
            _ => {}
        }
    }

    /// The sentence ends: nothing more is said of its values.
    pub(super) fn end_sentence(&mut self) {
        self.end_sentence_at(false);
    }

    /// The same at the end of the reply, where the sentence of a labelled value may have gone on.
    pub(super) fn end_sentence_at(&mut self, is_end: bool) {
        let Sentence { is_broken, .. } = self.sentence;
        self.sentence = Sentence { is_broken, ..Sentence::default() };
        for state in &mut self.states {
            state.is_same &= is_end;
            let State { sentence, text, .. } = state;
            text.take(sentence);
        }
    }
}
