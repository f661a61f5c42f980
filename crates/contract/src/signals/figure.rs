//! Numbers as prose has them: with scale and unit, or as something else than one plain number.

use thusfar_core::Span;

use super::hits::{Reading, Standing};
use super::lexer::{Kind, Token};
use super::number::Decimal;
use super::phrases::{Numeral, Word};
use super::signal::SignalCode;
use super::spec::{Bounds, Takes, Target};
use super::words::Class;

/// Marks of emphasis between a number and its unit or scale.
const LONGEST_EMPHASIS: usize = 4;

/// A number and what belongs to it.
#[derive(Clone)]
pub(super) struct Figure {
    /// The word with the digits.
    span: Span,
    is_plain: bool,
    /// Behind a percent sign or word.
    percent: Option<usize>,
    /// What stands behind the number: it may be the unit that the spec asks for.
    next: Option<Span>,
    scale: Option<Span>,
    /// Directly behind the digits a word begins that says nothing of them: they may count what it names.
    pub(super) may_count: bool,
    /// The other end of a range behind it, or another number.
    is_odd: bool,
    /// A sign directly in front of it.
    left: Option<char>,
    /// Two slashes.
    is_date: bool,
    /// A sign directly behind it, which may be a unit.
    has_sign: bool,
    /// A word follows: the number counts something.
    pub(super) counts: bool,
    /// Behind all of it.
    end: usize,
    /// How many tokens it is made of.
    pub(super) len: usize,
    pub(super) is_last: bool,
}

/// What a number is to a target.
pub(super) struct Judged {
    pub(super) value: Reading,
    pub(super) span: Span,
    pub(super) standing: Standing,
    pub(super) scale: Option<Span>,
    pub(super) unit: Option<Box<str>>,
    pub(super) end: usize,
}

/// Tokens from a number on, as far as they stand on its line.
struct Ahead<'t> {
    tokens: &'t [Token<Word>],
    is_end: bool,
    /// The reply ends among those that were asked for.
    is_last: bool,
}

/// More of the reply is needed.
struct More;

impl Ahead<'_> {
    fn at(&mut self, at: usize) -> Result<Option<&Token<Word>>, More> {
        match self.tokens.get(at) {
            Some(token) if matches!(token.kind, Kind::Line | Kind::Break) => Ok(None),
            Some(token) => Ok(Some(token)),
            None if self.is_end => {
                self.is_last = true;
                Ok(None)
            }
            None => Err(More),
        }
    }

    fn is(&mut self, at: usize, mark: char) -> Result<bool, More> {
        Ok(self.at(at)?.is_some_and(|token| token.kind == Kind::Mark(mark)))
    }

    fn has(&mut self, at: usize, class: Class) -> Result<bool, More> {
        Ok(self.at(at)?.is_some_and(|token| matches!(token.kind, Kind::Word(word) if word.class.has(class))))
    }

    fn plain(&mut self, at: usize) -> Result<Option<Span>, More> {
        Ok(self.at(at)?.filter(|token| numeral(token) == Numeral::Plain).map(|token| Span::new(token.start, token.end)))
    }

    fn is_number(&mut self, at: usize) -> Result<bool, More> {
        Ok(self.at(at)?.is_some_and(|token| numeral(token) != Numeral::None))
    }

    /// Behind marks of emphasis.
    fn emphasis(&mut self, from: usize) -> Result<usize, More> {
        let mut at = from;
        while at < from + LONGEST_EMPHASIS && (self.is(at, '*')? || self.is(at, '`')?) {
            at += 1;
        }
        Ok(at)
    }

    /// Where another number ends that makes one thing of both: a range, a list, a fraction, groups of digits, a step from one to the other.
    fn other_end(&mut self, from: usize) -> Result<Option<usize>, More> {
        let mut at = from;
        if let Some(end) = self.glued(at)? {
            return Ok(Some(end));
        }
        if self.has(at, Class::SO)? && self.has(at + 1, Class::CARRIES)? && self.has(at + 2, Class::HALF)? {
            return Ok(self.at(at + 2)?.map(|token| token.end));
        }
        if self.has(at, Class::RANGES)? || self.has(at, Class::SO)? || self.has(at, Class::PAIRS)? {
            at += 1;
        } else if self.is(at, '\u{2014}')? && self.at(at + 1)?.is_some_and(|token| token.is_spaced) {
            return Ok(None);
        } else {
            while at < from + LONGEST_EMPHASIS
                && self.at(at)?.is_some_and(|token| matches!(token.kind, Kind::Mark(mark) if is_link(mark)))
            {
                at += 1;
            }
        }
        let is_number = self.is_number(at)?;
        Ok(if is_number { self.at(at)?.map(|token| token.end) } else { None })
    }

    /// Where another number ends, with one mark and no space between: whatever the mark is, both are one thing.
    fn glued(&mut self, at: usize) -> Result<Option<usize>, More> {
        let is_glue = |token: &Token<Word>| matches!(token.kind, Kind::Mark(mark) if !token.is_spaced && !parts(mark));
        if !self.at(at)?.is_some_and(is_glue) {
            return Ok(None);
        }
        let number = self.at(at + 1)?.filter(|token| !token.is_spaced && numeral(token) != Numeral::None);
        Ok(number.map(|token| token.end))
    }

    /// Which token ends a scale, and its digits: `/ 10`, `of 10`, `out of 10`, each also behind a parenthesis; `(0-10)`, `(max 10)`.
    fn scale(&mut self, from: usize) -> Result<Option<(usize, Span)>, More> {
        if self.is(from, '(')? {
            if self.has(from + 1, Class::MAXIMUM)? {
                return Ok(self.plain(from + 2)?.map(|span| (from + 2, span)));
            }
            if let Some(span) = self.at(from + 1)?.and_then(upper_end) {
                return Ok(Some((from + 1, span)));
            }
        }
        let at = from + usize::from(self.is(from, '(')?);
        let at = if self.has(at, Class::OUT)? && self.has(at + 1, Class::OF)? {
            at + 2
        } else if self.is(at, '/')? || self.has(at, Class::OF)? {
            at + 1
        } else {
            return Ok(None);
        };
        let at = self.emphasis(at)?;
        let is_whole =
            !self.at(at)?.is_some_and(|token| token.is_joined || token.right.is_some_and(char::is_alphanumeric));
        Ok(self.plain(at)?.filter(|_| is_whole).map(|span| (at, span)))
    }

    /// Whether something stands where a scale does that is no number.
    fn may_be_scale(&mut self, from: usize) -> Result<bool, More> {
        let at = from + usize::from(self.is(from, '(')?);
        Ok(self.is(at, '/')? || (self.has(at, Class::OUT)? && self.has(at + 1, Class::OF)?))
    }
}

/// The upper end of a range from 0 or 1: `0-10`.
fn upper_end(token: &Token<Word>) -> Option<Span> {
    match token.kind {
        Kind::Word(Word { numeral: Numeral::Range, .. }) => Some(Span::new(token.start + 2, token.end)),
        _ => None,
    }
}

fn numeral(token: &Token<Word>) -> Numeral {
    match token.kind {
        Kind::Word(word) => word.numeral,
        _ => Numeral::None,
    }
}

/// Reads the number that a token begins. `None` where more of the reply is needed.
pub(super) fn read(tokens: &[Token<Word>], is_end: bool) -> Option<Figure> {
    let mut ahead = Ahead { tokens, is_end, is_last: false };
    figure(&mut ahead).ok()
}

fn figure(ahead: &mut Ahead<'_>) -> Result<Figure, More> {
    let token = ahead.tokens[0];
    let span = Span::new(token.start, token.end);
    let is_plain = numeral(&token) == Numeral::Plain;
    let mut figure = Figure {
        span,
        is_plain,
        percent: None,
        next: None,
        scale: None,
        may_count: false,
        is_odd: token.is_joined || token.right.is_some_and(char::is_alphanumeric),
        left: token.left.filter(|left| is_sign(*left)),
        is_date: false,
        has_sign: token.right.is_some_and(is_behind_sign),
        counts: false,
        end: span.end,
        len: 1,
        is_last: false,
    };
    figure.next = ahead.at(1)?.map(|token| Span::new(token.start, token.end));
    figure.may_count = ahead.at(1)?.is_some_and(
        |token| matches!(token.kind, Kind::Word(word) if token.is_spaced && !word.class.has(Class::JOINS)),
    );
    let mut at = ahead.emphasis(1)?;
    if ahead.is(at, '%')? || ahead.has(at, Class::PERCENT)? {
        figure.percent = ahead.at(at)?.map(|token| token.end);
        figure.end = figure.percent.unwrap_or(figure.end);
        at += 1;
        figure.len = at;
        at = ahead.emphasis(at)?;
    }
    let behind = at + usize::from(ahead.has(at, Class::POINTS)?);
    let behind = ahead.emphasis(behind)?;
    let scale = ahead.scale(behind)?;
    figure.is_odd |= scale.is_none() && ahead.may_be_scale(behind)?;
    if let Some((at_scale, scale)) = scale {
        figure.scale = Some(scale);
        figure.end = scale.end;
        at = at_scale + 1;
        figure.len = at;
        figure.is_date = ahead.is(at, '/')?;
        figure.is_odd |= figure.is_date || ahead.is(at, '%')?;
    }
    if let Some(end) = ahead.other_end(at)? {
        figure.is_odd = true;
        figure.end = end;
    }
    figure.has_sign |= ahead.at(at)?.is_some_and(|token| matches!(token.kind, Kind::Mark(mark) if is_currency(mark)));
    figure.counts = ahead.at(at)?.is_some_and(|token| matches!(token.kind, Kind::Word(_)));
    figure.is_last = ahead.is_last;
    Ok(figure)
}

/// A sign directly in front of a number that makes it something else.
fn is_sign(mark: char) -> bool {
    matches!(
        mark,
        '~' | '%' | '<' | '>' | '+' | '.' | '\u{2248}' | '\u{2264}' | '\u{2265}' | '\u{B1}' | '\u{2212}' | '^'
    ) || is_never_number(mark)
}

/// What stands directly behind a mark that opens something has no part in what stands in front of it.
fn parts(mark: char) -> bool {
    matches!(mark, '(' | '[' | '{' | '<' | '|' | '"' | '\u{201C}')
}

/// Between two numbers.
fn is_link(mark: char) -> bool {
    matches!(
        mark,
        '-' | '\u{2013}'
            | '\u{2014}'
            | '~'
            | '\u{2026}'
            | '.'
            | ','
            | '>'
            | '+'
            | '\u{2192}'
            | '\u{21D2}'
            | '\u{B1}'
            | '\u{2212}'
            | '\u{D7}'
    )
}

fn is_currency(mark: char) -> bool {
    matches!(mark, '$' | '\u{20AC}' | '\u{A3}' | '\u{A5}')
}

/// A sign in front of digits that are no number of their own.
pub(super) fn is_never_number(mark: char) -> bool {
    matches!(mark, '#' | '$' | '@' | '&' | '\\' | '/' | '\u{20AC}' | '\u{A3}' | '\u{A5}')
}

fn is_behind_sign(mark: char) -> bool {
    matches!(
        mark,
        '+' | '~'
            | '^'
            | '='
            | '\\'
            | '\u{B0}'
            | '\u{20AC}'
            | '\u{A3}'
            | '\u{A5}'
            | '$'
            | '#'
            | '&'
            | '@'
            | '\u{D7}'
            | '\u{2030}'
            | '\u{FF05}'
            | '\u{66A}'
    )
}

impl Figure {
    /// The same number, where the sign in front of it is a tag's.
    pub(super) fn behind_tag(mut self) -> Self {
        self.left = self.left.filter(|left| *left != '>');
        self
    }

    /// The text of all of it.
    fn whole(&self) -> Span {
        Span::new(self.span.start, self.end)
    }

    /// Holds it against what a target asks for.
    pub(super) fn judge(&self, target: &Target, reply: &str) -> Judged {
        let none = Bounds::default();
        let bounds = target.bounds().unwrap_or(&none);
        let (digits, unit, end) = self.unit(bounds, reply);
        let text = |span: Span| reply.get(span.start..span.end).unwrap_or_default();
        let is_odd = self.is_odd
            || is_below_zero(reply.get(..self.span.start).unwrap_or_default())
            || self.left.is_some()
            || (self.has_sign && (unit.is_none() || self.percent.is_some()));
        let number = Decimal::read(digits).filter(|_| !is_odd);
        let refuse = |code, span: Span| Judged {
            value: Reading::Other(text(span).into()),
            span,
            standing: Standing::Refused(code),
            scale: None,
            unit: None,
            end: self.end,
        };
        let Some(number) = number else { return refuse(SignalCode::UnreadableNumber, self.whole()) };
        if unit.is_none() && bounds.unit.is_some() {
            return refuse(SignalCode::OtherUnit, self.whole());
        }
        let hundred = Decimal::read("100");
        let is_of_hundred = |bound: &Option<Decimal>| bound.is_none() || *bound == hundred;
        let scale = if bounds.scale.is_some() { &bounds.scale } else { &bounds.max };
        if bounds.unit.is_none() && unit.is_some() && !is_of_hundred(scale) {
            return refuse(SignalCode::OtherUnit, self.whole());
        }
        let written = self.scale.and_then(|span| Decimal::read(text(span)));
        if written.is_some() && scale.is_some() && written != *scale {
            return refuse(SignalCode::OtherScale, self.whole());
        }
        let code = match target.takes {
            Takes::Integer(_) if digits.contains('.') => Some(SignalCode::NotAnInteger),
            _ if bounds.min.as_ref().is_some_and(|min| number < *min) => Some(SignalCode::OutOfRange),
            _ if bounds.max.as_ref().is_some_and(|max| number > *max) => Some(SignalCode::OutOfRange),
            _ => None,
        };
        Judged {
            value: Reading::Number(number, digits.into()),
            span: Span::new(self.span.start, self.span.start + digits.len()),
            standing: code.map_or(Standing::Sure, Standing::Refused),
            scale: self.scale,
            unit,
            end,
        }
    }

    /// The digits, the unit behind them, and where all ends.
    fn unit<'r>(&self, bounds: &Bounds, reply: &'r str) -> (&'r str, Option<Box<str>>, usize) {
        let text = |span: Span| reply.get(span.start..span.end).unwrap_or_default();
        let word = text(self.span);
        match &bounds.unit {
            Some(unit) if **unit == *"%" => {}
            Some(unit) => {
                let glued = word.strip_suffix(&**unit).filter(|digits| Decimal::read(digits).is_some());
                if let Some(digits) = glued {
                    return (digits, Some(unit.clone()), self.end);
                }
                if let Some(next) = self.next.filter(|next| text(*next) == &**unit) {
                    return (word, Some(unit.clone()), self.end.max(next.end));
                }
                return (word, None, self.end);
            }
            None => {}
        }
        (word, self.percent.map(|_| "%".into()), self.end)
    }

    /// Whether it is no number at all to plain text: an ordinal, a date, a time, money. What may be a number stays: `7-8`, `1,000`.
    pub(super) fn is_noise(&self, left: Option<char>, reply: &str) -> bool {
        let word = reply.get(self.span.start..self.span.end).unwrap_or_default();
        let may_be =
            |mark: char| word.split_once(mark).is_some_and(|(front, behind)| is_digits(front) && is_digits(behind));
        self.is_date || left.is_some_and(is_never_number) || !(self.is_plain || may_be('-') || may_be(','))
    }
}

/// Whether a text ends with a dash that looks like a minus: nothing stands in front of it.
fn is_below_zero(front: &str) -> bool {
    let front = front.strip_suffix(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{FE63}', '\u{FF0D}']);
    front.is_some_and(|front| front.chars().next_back().is_none_or(|left| left.is_whitespace() || left == '('))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
