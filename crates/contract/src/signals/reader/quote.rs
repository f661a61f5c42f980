//! What is quoted: it does not count.

use super::super::hits::Standing;
use super::super::lexer::Token;
use super::super::phrases::Word;
use super::super::spec::Plan;
use super::Reader;
use super::stage::Stage;

/// A quote that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    mark: char,
    /// Bytes of its mark: backticks and `"""` come in runs.
    len: usize,
    pub(super) start: usize,
    /// Nothing stands behind the mark yet.
    is_new: bool,
}

impl Quote {
    /// The quote that a mark opens, if it may.
    pub(super) fn begin(mark: char, token: &Token<Word>) -> Option<Self> {
        let is_outside =
            token.is_spaced || token.left.is_none_or(|left| "([{<*_/|,:=>-\u{2013}\u{2014}".contains(left));
        let len = token.end - token.start;
        let opens = match mark {
            '\u{201C}' | '\u{201E}' | '\u{AB}' | '\u{2018}' | '\u{201A}' | '\u{300C}' | '\u{300E}' | '`' => true,
            '"' if len == 2 => false,
            '"' | '\'' => is_outside,
            _ => false,
        };
        opens.then_some(Self { mark, len, start: token.start, is_new: true })
    }

    /// Whether a mark closes it.
    pub(super) fn is_closed_by(&self, mark: char) -> bool {
        match self.mark {
            '"' => matches!(mark, '"' | '\u{201D}'),
            '\u{201C}' => matches!(mark, '\u{201D}' | '"'),
            '\u{201E}' => matches!(mark, '\u{201C}' | '\u{201D}' | '"'),
            '\u{AB}' => mark == '\u{BB}',
            '\u{300C}' => mark == '\u{300D}',
            '\u{300E}' => mark == '\u{300F}',
            '\u{2018}' | '\u{201A}' => matches!(mark, '\u{2019}' | '\u{2018}' | '\''),
            mine => mine == mark,
        }
    }

    /// Whether a mark is long enough to close it.
    fn is_as_long_as(&self, token: &Token<Word>) -> bool {
        let len = token.end - token.start;
        match self.mark {
            '`' => len == self.len,
            '"' => len >= self.len,
            _ => true,
        }
    }

    /// Whether empty lines may stand in it.
    const fn is_block(&self) -> bool {
        self.mark == '"' && self.len > 2
    }

    /// Whether it ends with its line: what it opens may be an apostrophe, or a mark of its own.
    const fn is_of_line(&self) -> bool {
        matches!(self.mark, '\'' | '\u{2018}' | '\u{201A}' | '`')
    }
}

impl Reader {
    /// White space behind a mark: it did not open a quote.
    pub(super) fn open_quote(&mut self, token: &Token<Word>) {
        let Some(quote) = &mut self.quote else { return };
        if quote.is_new && token.is_spaced && quote.mark != '`' && !quote.is_block() {
            self.quote = None;
        } else {
            quote.is_new = false;
        }
    }

    /// A mark opens a quote, or closes one.
    pub(super) fn close_quote(&mut self, mark: char, token: &Token<Word>) {
        match self.quote {
            None => self.quote = Quote::begin(mark, token),
            Some(quote) if quote.is_closed_by(mark) && quote.is_as_long_as(token) => {
                self.quote = None;
                let is_first = self.begins == Some(quote.start);
                for state in &mut self.states {
                    if state.stage.begins_behind(quote.start) {
                        state.stage = Stage::Idle;
                    }
                    state.unquote(is_first.then_some((quote.start + quote.len, token.start)));
                }
            }
            Some(_) => {}
        }
    }

    /// A line ends: what may have been an apostrophe was one.
    pub(super) fn break_quote(&mut self, plan: &Plan) {
        if let Some(quote) = self.quote.take_if(|quote| quote.is_of_line()) {
            let standing = (quote.mark != '\'').then_some(Standing::Quoted);
            self.take_quoted(standing, plan);
        }
    }

    /// A paragraph ends: nobody knows where the quote does.
    pub(super) fn fail_quote(&mut self, plan: &Plan, is_end: bool) {
        if let Some(quote) = self.quote.take_if(|quote| is_end || !quote.is_block()) {
            let standing = (quote.mark != '\'').then_some(Standing::Quoted);
            self.take_quoted(standing, plan);
        }
    }

    fn take_quoted(&mut self, standing: Option<Standing>, plan: &Plan) {
        for (state, target) in self.states.iter_mut().zip(&plan.targets) {
            state.take_quoted(standing, target, self.seen);
        }
    }

    /// Whether the mark that opened the quote is this one.
    pub(super) fn is_quoted_at(&self, start: Option<usize>) -> bool {
        self.quote.is_some_and(|quote| Some(quote.start) == start)
    }
}
