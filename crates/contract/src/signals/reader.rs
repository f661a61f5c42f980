//! From words to hits: labels, values, and what the prose around them says of them.
//!
//! # Theory
//!
//! Tokens wait in a queue until it is known which phrase or number begins at the first of them; then that one is read, once, for every target.
//! Each target has a stage: it waits for nothing, for the mark behind its label, for the value behind the mark. What is found goes to one of three
//! lists: labelled, in brackets, in plain text. What the sentence still may say of a value is waited for: plain hits stand in the list of the sentence until it ends,
//! hits in quotes in lists of their own until the quote closes.
//!
//! # Invariants
//!
//! * Each token is read once. A step costs the targets, and the longest phrase.
//! * What is decided stays: a decided target takes no further hit.

mod quote; // what is quoted
mod sentence; // what a sentence says of its values
mod plain; // values without a label
mod stage; // from a label to its value
mod state; // what is known of one target

use thusfar_core::{Ending, Progress};

use super::figure::{self, Figure};
use super::lexer::{Kind, Token};
use super::phrases::{Numeral, Phrase, Use, Walk, Word};
use super::signal::{self, Signal, SignalCode};
use super::spec::{Plan, Takes};
use super::words::Class;
use quote::Quote;
use sentence::Sentence;
use stage::{LabelAt, Stage};
use state::State;

/// Marks of emphasis behind a value.
const LONGEST_EMPHASIS: usize = 3;

/// Reads tokens for the targets of a plan.
pub(super) struct Reader {
    queue: Vec<Token<Word>>,
    /// The first token of the queue that has not been read.
    head: usize,
    states: Vec<State>,
    line: LineStart,
    table: Table,
    sentence: Sentence,
    quote: Option<Quote>,
    /// How many `[` stand directly in front, and where the last one ends.
    brackets: (usize, usize),
    /// Inside a label up to here.
    label_end: usize,
    /// A value stands at the token that is read.
    noted: Option<usize>,
    /// It is a labelled one.
    is_claimed: bool,
    /// The targets to which the token is plain text.
    plain: Vec<usize>,
    /// An example or a format stands in the lines up to the next empty one.
    is_shown: bool,
    /// The reply was cut.
    is_cut: bool,
    /// A sentence ended directly in front of it.
    is_behind_stop: bool,
    /// Bytes of the reply that were needed for what is being read.
    seen: usize,
    /// Looks at a token, for each target.
    pub(super) steps: u64,
    /// Where its prose begins.
    begins: Option<usize>,
}

/// What stands to the left on the line.
struct LineStart {
    /// Nothing but marks of Markdown.
    is_blank: bool,
    /// Nothing but these and words that may stand in front of a label.
    leads: bool,
    /// No token at all.
    is_new: bool,
}

impl Default for LineStart {
    fn default() -> Self {
        Self { is_blank: true, leads: true, is_new: true }
    }
}

/// The table that lines belong to.
#[derive(Default)]
struct Table {
    /// This line is a row.
    is_row: bool,
    /// The line in front was one.
    was_row: bool,
    row: usize,
    column: usize,
}

/// A token and what begins with it.
struct Item<'r> {
    token: Token<Word>,
    found: Vec<Found<'r>>,
    figure: Option<Figure>,
    /// `[[` stands in front of the number, and `]]` behind it.
    is_bracketed: bool,
    reply: &'r str,
    /// The reply ends where a longer phrase could have gone on.
    is_open: bool,
    /// A number that numbers a list.
    is_list_number: bool,
}

/// A phrase that begins at a token.
#[derive(Clone, Copy)]
struct Found<'r> {
    phrases: &'r [Phrase],
    end: usize,
    right: Option<char>,
    is_joined: bool,
    is_last: bool,
    /// The word that follows on the same line.
    behind: Option<Class>,
    /// `]]` follows.
    is_bracketed: bool,
    /// Letters stand beside it, behind nothing but emphasis: `dis**approve**`.
    is_part: bool,
    /// `](` or `][` follows: the text of a link.
    is_link: bool,
}

impl Reader {
    pub(super) fn new(plan: &Plan) -> Self {
        let states = plan.targets.iter().map(|_| State::default()).collect();
        Self {
            queue: Vec::new(),
            head: 0,
            states,
            line: LineStart::default(),
            table: Table::default(),
            sentence: Sentence::default(),
            quote: None,
            brackets: (0, 0),
            label_end: 0,
            noted: None,
            is_claimed: false,
            plain: Vec::new(),
            is_shown: false,
            is_cut: false,
            is_behind_stop: false,
            seen: 0,
            steps: 0,
            begins: None,
        }
    }

    /// Takes a token; so many bytes of the reply are known.
    pub(super) fn take(&mut self, token: Token<Word>, plan: &Plan, reply: &str, seen: usize) {
        self.queue.push(token);
        self.seen = seen;
        self.read(plan, reply, false);
    }

    /// What stands in front was reasoning.
    pub(super) fn restart(&mut self) {
        for state in self.states.iter_mut().filter(|state| state.decided.is_none()) {
            state.restart();
        }
        self.queue.clear();
        self.head = 0;
        self.line = LineStart::default();
        self.table = Table::default();
        self.sentence = Sentence::default();
        self.quote = None;
        self.brackets = (0, 0);
        (self.is_shown, self.begins) = (false, None);
    }

    /// Takes the end of the reply.
    pub(super) fn finish(&mut self, plan: &Plan, reply: &str, ending: Ending, nothing: Option<SignalCode>) {
        self.seen = reply.len();
        self.read(plan, reply, true);
        self.is_cut = nothing.is_some() || !matches!(ending, Ending::Stop | Ending::ToolUse | Ending::Unknown);
        self.end_paragraph(reply.len(), reply, plan, true);
        for (state, target) in self.states.iter_mut().zip(&plan.targets) {
            state.finish(target, reply, self.is_cut, nothing);
        }
    }

    fn read(&mut self, plan: &Plan, reply: &str, is_end: bool) {
        while let Some(&token) = self.queue.get(self.head) {
            self.steps += 1 + self.states.len() as u64;
            let Some(item) = self.item(token, plan, reply, is_end) else { break };
            self.head += 1;
            self.step(&item, plan);
        }
        if self.head == self.queue.len() {
            self.queue.clear();
            self.head = 0;
        } else if self.head > 64 {
            self.queue.drain(..self.head);
            self.head = 0;
        }
    }

    /// What begins at the first token; `None` where more of the reply is needed.
    fn item<'r>(&self, token: Token<Word>, plan: &'r Plan, reply: &'r str, is_end: bool) -> Option<Item<'r>> {
        let tokens = &self.queue[self.head..];
        let Walk { matches, is_open } = plan.phrases.walk(tokens, is_end)?;
        let is_known = |len: usize| is_end || tokens.len() > len;
        let mut found = Vec::with_capacity(matches.len());
        for (len, phrases) in matches {
            let last = tokens[len - 1];
            if matches!(last.kind, Kind::Mark(_)) && !is_known(len) {
                return None;
            }
            let right = reply[last.end..].chars().next().filter(|right| !right.is_whitespace());
            let is_bracketed = self.brackets == (2, token.start) && right == Some(']');
            let stars = tokens[len..].iter().take(LONGEST_EMPHASIS).take_while(|token| is_star(token)).count();
            let asks_further = right == Some(']') || (right == Some('*') && stars < LONGEST_EMPHASIS);
            if (asks_further && !is_known(len + stars.max(1)))
                || (right.is_none() && self.asks_behind(phrases, plan) && !is_known(len))
            {
                return None;
            }
            let behind = match tokens.get(len).map(|behind| behind.kind) {
                Some(Kind::Word(word)) if right.is_none() => Some(word.class),
                _ => None,
            };
            found.push(Found {
                phrases,
                end: last.end,
                right,
                is_joined: last.is_joined,
                is_last: last.is_last || (matches!(last.kind, Kind::Mark(_)) && last.end == reply.len()),
                behind,
                is_bracketed: is_bracketed && closes_brackets(&tokens[len..]),
                is_part: is_in_word(&reply[..token.start], token.left)
                    || tokens
                        .get(len + stars)
                        .is_some_and(|behind| stars > 0 && !behind.is_spaced && matches!(behind.kind, Kind::Word(_))),
                is_link: right == Some(']')
                    && tokens
                        .get(len + 1)
                        .is_some_and(|behind| !behind.is_spaced && matches!(behind.kind, Kind::Mark('(' | '['))),
            });
        }
        let is_number = matches!(token.kind, Kind::Word(word) if word.numeral != Numeral::None);
        let figure = if is_number { Some(figure::read(tokens, is_end)?) } else { None };
        let len = figure.as_ref().map_or(0, |figure| figure.len);
        let may_close = figure.is_some() && self.brackets == (2, token.start);
        if may_close && !is_known(len + 1) {
            return None;
        }
        let is_bracketed = may_close && closes_brackets(&tokens[len..]);
        let may_list = is_number && self.line.is_blank && matches!(token.right, Some('.' | ')'));
        if may_list && !is_known(2) {
            return None;
        }
        let is_list_number =
            may_list && tokens.get(2).is_some_and(|behind| behind.is_spaced && behind.kind != Kind::Line);
        Some(Item { token, found, figure, is_bracketed, reply, is_open, is_list_number })
    }

    /// Whether it matters what stands behind these phrases: of a boolean not where a value is waited for.
    fn asks_behind(&self, phrases: &[Phrase], plan: &Plan) -> bool {
        phrases.iter().any(|phrase| {
            let is_boolean = matches!(plan.targets[phrase.target].takes, Takes::Boolean);
            let is_value = matches!(phrase.what, Use::Value(_));
            let awaits = self.states[phrase.target].stage.awaits();
            is_value && if is_boolean { !awaits } else { phrase.common.is_some() }
        })
    }

    fn step(&mut self, item: &Item<'_>, plan: &Plan) {
        let token = item.token;
        self.begin_token(&token, item);
        let label = self.label(item);
        if let Some((found, phrase)) = label {
            self.begin_label(item, &found, phrase, plan);
        }
        if token.start >= self.label_end || label.is_some() {
            self.targets(item, label, plan);
        } else {
            // A text goes on, whatever the words in it are to others.
            for at in 0..self.states.len() {
                if self.states[at].stage.is_open() {
                    self.in_open(at, item, plan);
                }
            }
        }
        match token.kind {
            Kind::Line => self.end_line(token.start, item.reply, plan),
            Kind::Break => self.end_paragraph(token.start, item.reply, plan, false),
            Kind::Mark(mark) => self.mark(mark, &token, plan),
            Kind::Word(word) => {
                // `no` may be a value of one target and what denies that of another.
                let is_value = self.states.iter().any(|state| token.start < state.inside);
                let is_phrase = self.states.iter().any(|state| token.start < state.inside && token.end < state.inside);
                if token.start >= self.label_end && !is_phrase && (!is_value || word.class != Class::default()) {
                    self.word(word, &token, plan);
                } else {
                    self.sentence.pass();
                }
                self.line.leads &= word.class.has(Class::LEADS) || item.is_list_number;
                self.line.is_blank &= item.is_list_number;
            }
        }
        if let Some(start) = self.noted.take() {
            self.sentence.note_value(start, item.figure.is_some());
        }
        self.line.is_new &= matches!(token.kind, Kind::Line);
    }

    /// What the beginning of a token ends.
    fn begin_token(&mut self, token: &Token<Word>, item: &Item<'_>) {
        if token.kind == Kind::Line || token.kind == Kind::Break {
            return;
        }
        self.begins.get_or_insert(token.start);
        self.open_quote(token);
        let begins = self.line.is_new && self.sentence.is_broken && begins_block(token, item);
        self.is_behind_stop = self.sentence.is_stopped;
        if begins || (self.sentence.is_stopped && token.is_spaced) {
            self.end_sentence();
        }
        self.sentence.is_stopped = false;
        self.sentence.is_broken = false;
    }

    /// The longest label that begins here.
    fn label<'r>(&self, item: &Item<'r>) -> Option<(Found<'r>, &'r Phrase)> {
        let is_glued = |mark: char| matches!(mark, '/' | '\\' | '@' | '#' | '$' | '&' | '+' | '^' | '~' | '%' | '.');
        if item.token.start < self.label_end || item.token.left.is_some_and(is_glued) {
            return None;
        }
        let mut found =
            item.found.iter().rev().filter(|found| !found.right.is_some_and(|right| right != '.' && is_glued(right)));
        found.find_map(|found| {
            let label = found.phrases.iter().find(|phrase| phrase.what == Use::Label)?;
            let state = &self.states[label.target];
            // The name may be a value too: behind the label.
            let is_value = |phrase: &Phrase| phrase.target == label.target && phrase.what != Use::Label;
            let is_awaited = matches!(state.stage, Stage::Value(_)) && found.phrases.iter().any(is_value);
            (!found.is_joined && !is_awaited && item.token.start >= state.inside).then_some((*found, label))
        })
    }

    fn begin_label(&mut self, item: &Item<'_>, found: &Found<'_>, phrase: &Phrase, plan: &Plan) {
        let token = &item.token;
        if self.line.is_blank && !self.table.is_row {
            self.end_sentence();
        }
        for at in 0..self.states.len() {
            if self.line.is_blank || at == phrase.target {
                self.close_stage(at, item.reply, plan, false);
            }
        }
        self.noted = None;
        let is_in_doubt = self.is_shown || (!self.line.is_blank && self.sentence.is_in_doubt());
        let label = LabelAt {
            promises: self.line.leads,
            is_alone: self.line.is_blank,
            is_in_doubt,
            is_tag: token.left == Some('<'),
            ..LabelAt::default()
        };
        let state = &mut self.states[phrase.target];
        state.stage = if phrase.announces { Stage::value(false, is_in_doubt) } else { Stage::Label(label) };
        state.inside = found.end;
        self.label_end = found.end;
    }

    /// Reads a token for every target: first for those that wait for a value behind their label, which is then no other's.
    fn targets(&mut self, item: &Item<'_>, label: Option<(Found<'_>, &Phrase)>, plan: &Plan) {
        let value = |at: usize| {
            let is_value = |phrase: &&Phrase| phrase.target == at && matches!(phrase.what, Use::Value(_));
            let value = item
                .found
                .iter()
                .rev()
                .find_map(|found| found.phrases.iter().find(is_value).map(|phrase| (*found, phrase)));
            // Of a label only the whole is more than its words.
            value.filter(|(found, _)| label.is_none_or(|(label, _)| found.end >= label.end))
        };
        self.is_claimed = false;
        // Most words are no target's: nothing is waited for, and nothing begins with them.
        let is_nothing = item.found.is_empty() && item.figure.is_none();
        if is_nothing && self.states.iter().all(|state| matches!(state.stage, Stage::Idle)) {
            return;
        }
        self.plain.clear();
        for at in 0..self.states.len() {
            if item.token.start >= self.states[at].inside && !self.stage(at, item, value(at), plan) {
                self.plain.push(at);
            }
        }
        if self.is_claimed {
            return;
        }
        let plain = std::mem::take(&mut self.plain);
        for &at in &plain {
            self.plain(at, item, value(at), plan);
        }
        self.plain = plain;
    }

    fn mark(&mut self, mark: char, token: &Token<Word>, plan: &Plan) {
        match mark {
            '[' if self.brackets.1 == token.start => self.brackets = (self.brackets.0 + 1, token.end),
            '[' => self.brackets = (1, token.end),
            '|' if self.line.is_new || self.table.is_row => self.cell(),
            '=' if token.left == Some('!') && !token.is_spaced => self.sentence.doubt(),
            '\u{2260}' | '\u{AC}' => self.sentence.doubt(),
            _ => {}
        }
        let is_markup =
            matches!(mark, '#' | '>' | '*' | '_' | '-' | '+' | '|' | '`' | '(' | ')' | '.') || is_decoration(mark);
        self.line.is_blank &= is_markup;
        self.line.leads &= is_markup || mark == '<';
        self.close_quote(mark, token);
        self.punctuate(mark, plan);
    }

    /// A cell of a table ends, and another one begins.
    fn cell(&mut self) {
        if self.line.is_new {
            self.table.row = if self.table.was_row { self.table.row + 1 } else { 0 };
            (self.table.is_row, self.table.column) = (true, 0);
        }
        self.table.column += 1;
        self.end_sentence();
        (self.line.is_blank, self.line.leads) = (true, true);
        let Table { row, column, .. } = self.table;
        for state in &mut self.states {
            if row > 0 && state.column == Some(column) && matches!(state.stage, Stage::Idle) {
                state.stage = Stage::value(false, false);
            }
        }
    }

    fn end_line(&mut self, at: usize, reply: &str, plan: &Plan) {
        let is_blank = self.line.is_new;
        if is_blank {
            self.end_paragraph(at, reply, plan, false);
        }
        self.break_quote(plan);
        let is_labelled = self.states.iter().any(|state| state.is_same);
        self.end_tail(at, reply, plan);
        self.is_shown |= self.sentence.is_colon && self.sentence.shows;
        if self.table.is_row || is_labelled || self.sentence.is_colon {
            self.end_sentence();
        }
        self.sentence.is_broken = true;
        if !self.table.is_row {
            self.states.iter_mut().for_each(|state| state.column = None);
        }
        self.table.was_row = std::mem::take(&mut self.table.is_row);
        self.line = LineStart::default();
    }

    /// A paragraph ends, or something that is no prose begins.
    fn end_paragraph(&mut self, end: usize, reply: &str, plan: &Plan, is_end: bool) {
        self.fail_quote(plan, is_end);
        for at in 0..self.states.len() {
            if is_end || !self.states[at].stage.awaits() {
                self.close_stage(at, reply, plan, is_end);
            }
        }
        // At the end the sentence of a value is still open.
        if !is_end {
            self.end_tail(end, reply, plan);
        }
        self.end_sentence_at(is_end);
        self.states.iter_mut().for_each(|state| state.is_below = false);
        self.is_shown = false;
    }

    /// What stands behind a labelled value ends at an offset.
    fn end_tail(&mut self, end: usize, reply: &str, plan: &Plan) {
        for (state, target) in self.states.iter_mut().zip(&plan.targets) {
            state.end_tail(target, end, reply, self.seen);
        }
    }

    /// What is known of all targets.
    pub(super) fn progress(&self) -> Progress {
        let is_decided = |is_ok: bool| {
            let decided = self.states.iter().filter_map(|state| state.decided.as_ref());
            decided.filter(move |signal| signal.is_ok() == is_ok)
        };
        match () {
            () if is_decided(false).next().is_some() => Progress::Doomed,
            () if is_decided(true).count() == self.states.len() => Progress::Final,
            () if self.states.iter().all(|state| !state.labelled.is_empty()) => Progress::Closed,
            () => Progress::Searching,
        }
    }

    /// What became of all targets of a reply of so many bytes.
    pub(super) fn signals(self, len: usize) -> Vec<Signal> {
        let nothing = || Signal { found: signal::Found::Nothing(SignalCode::NoValue), decided_at: len };
        self.states.into_iter().map(|state| state.decided.unwrap_or_else(nothing)).collect()
    }

    /// What is decided of a target.
    pub(super) fn decided(&self, at: usize) -> Option<&Signal> {
        self.states[at].decided.as_ref()
    }
}

/// Whether a token at the beginning of a line begins a block of its own.
fn begins_block(token: &Token<Word>, item: &Item<'_>) -> bool {
    item.is_list_number || matches!(token.kind, Kind::Mark('#' | '>' | '*' | '-' | '+' | '|'))
}

fn is_star(token: &Token<Word>) -> bool {
    token.kind == Kind::Mark('*') && !token.is_spaced
}

/// Whether a word goes on in front of marks of emphasis with which a text ends.
fn is_in_word(front: &str, left: Option<char>) -> bool {
    left == Some('*') && front.trim_end_matches('*').ends_with(char::is_alphanumeric)
}

fn closes_brackets(behind: &[Token<Word>]) -> bool {
    let is_closer = |at: usize| behind.get(at).is_some_and(|token| token.kind == Kind::Mark(']') && !token.is_spaced);
    is_closer(0) && is_closer(1)
}

/// Emoji and signs that mean nothing to a value.
fn is_decoration(mark: char) -> bool {
    matches!(mark, '\u{2300}'..='\u{23FF}' | '\u{25A0}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{FE0F}' | '\u{2022}')
        || ('\u{1F000}'..='\u{1FAFF}').contains(&mark)
}

/// Marks that make a value part of something else.
fn is_glue(mark: char) -> bool {
    matches!(mark, '\\' | '@' | '#' | '$' | '&' | '+' | '=' | '^' | '~' | '%')
}
