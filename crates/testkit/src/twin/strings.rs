//! Strings: plain ones, and ones that `\"` opened, where each `\"` inside is a closer, an inner quote, or two readings.

use thusfar_core::{Code, RepairKind};

use super::grammar::{Grammar, Step, Stop};
use super::prose::{is_word, skip_spaces, skip_spaces_back};

/// White space behind `\"` that a reader of a stream can hold, in bytes.
const LONGEST_HELD: usize = 64;

impl Grammar<'_> {
    pub(super) fn plain_string(&mut self, is_key: bool) -> Step<usize> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.at - 1);
                }
                Some(b'\\') => self.escape(is_key)?,
                _ => self.character(start, is_key)?,
            }
        }
    }

    pub(super) fn escaped_string(&mut self, is_key: bool) -> Step<usize> {
        let start = self.at;
        self.repair(RepairKind::EscapedDelimiter, start, start + 1)?;
        self.edit(start, start + 2, "\"");
        self.at += 2;
        let mut inner_count = 0;
        let odd = |decided| Err(Stop::Broken(Code::EscapedQuoteTwoReadings, start, decided));
        loop {
            let at = self.at;
            match (self.byte(at), self.byte(at + 1)) {
                (Some(b'"'), _) => {
                    if inner_count % 2 == 1 {
                        return odd(at);
                    }
                    self.at += 1;
                    return Ok(at);
                }
                (Some(b'\\'), Some(b'\\')) => {
                    return Err(Stop::Broken(Code::EscapedBackslashTwoReadings, at, at + 1));
                }
                (Some(b'\\'), Some(b'"')) if self.overflow(at + 2).is_some() => {
                    let (from, decided) = self.overflow(at + 2).unwrap_or((at, at));
                    if inner_count % 2 == 1 {
                        return odd(decided);
                    }
                    self.edit(at, at + 2, "\"");
                    self.at += 2;
                    self.escaped_closer = Some(at);
                    self.doubt = Some((at, from));
                    return Ok(decided);
                }
                (Some(b'\\'), Some(b'"')) => match self.behind_quote(at, is_key)? {
                    Quote::Closer { decided } => {
                        if inner_count % 2 == 1 {
                            return odd(decided);
                        }
                        self.edit(at, at + 2, "\"");
                        self.at += 2;
                        self.escaped_closer = Some(at);
                        return Ok(decided);
                    }
                    Quote::Inner { decided } => {
                        self.judge_inner(start, at, is_key, inner_count, decided)?;
                        inner_count += 1;
                        self.string_known = decided;
                        self.at += 2;
                    }
                },
                (Some(b'\\'), _) => self.escape(is_key)?,
                _ => self.character(start, is_key)?,
            }
        }
    }

    /// Where more white space stands than can be held: what is too much, and the byte that tells.
    fn overflow(&self, start: usize) -> Option<(usize, usize)> {
        let mut at = start;
        loop {
            let len = match (self.byte(at)?, self.byte(at + 1)) {
                (b' ' | b'\t' | b'\n' | b'\r', _) => 1,
                (b'\\', Some(b'n' | b'r' | b't')) => 2,
                _ => return None,
            };
            if at + len - start > LONGEST_HELD {
                return Some((at, at + len - 1));
            }
            at += len;
        }
    }

    /// What the `\"` at `at` is, from what stands behind it.
    fn behind_quote(&self, at: usize, is_key: bool) -> Step<Quote> {
        let behind = skip_spaces(self.text, at + 2);
        match (self.byte(behind), self.byte(behind + 1)) {
            (Some(b',' | b'}' | b']' | b':'), _) => Ok(Quote::Closer { decided: behind }),
            (Some(b'/'), Some(b'/' | b'*')) => Ok(Quote::Closer { decided: behind + 1 }),
            (Some(b'/'), None) => Err(Stop::Open(open_code(is_key))),
            (Some(b'\\'), None) => Err(Stop::Open(Code::OpenEscape)),
            // The end closes it, and the frame around it stays open.
            (None, _) => Err(Stop::Open(Code::OpenFrame)),
            (Some(b'/' | b'\\'), Some(_)) => Ok(Quote::Inner { decided: behind + 1 }),
            (Some(_), _) => Ok(Quote::Inner { decided: behind }),
        }
    }

    /// The rules for an inner quote, in their order; all of them fail in the same way.
    fn judge_inner(&self, start: usize, at: usize, is_key: bool, count: usize, decided: usize) -> Step<()> {
        let before = &self.text[start + 2..at];
        let trimmed = skip_spaces_back(before);
        let behind = skip_spaces(self.text, at + 2);
        let space_before = trimmed.len() < before.len();
        let text_behind = behind == at + 2 && self.byte(behind) != Some(b'"');
        let next = self.text[at + 2..].chars().next();
        let word_behind = match next {
            Some('\\') => behind == at + 2,
            next => next.is_some_and(|next| is_word(next) && next != '-'),
        };
        let broken = is_key
            || self.text[behind..].starts_with("\\\"")
            || trimmed.ends_with([',', ':', '{', '['])
            || (count.is_multiple_of(2) && !((space_before || before.ends_with(['(', '='])) && text_behind))
            || (count % 2 == 1 && (space_before || word_behind));
        if broken { Err(Stop::Broken(Code::EscapedQuoteTwoReadings, at, decided)) } else { Ok(()) }
    }

    /// One character of a string that is neither a quote nor an escape.
    fn character(&mut self, start: usize, is_key: bool) -> Step<()> {
        let at = self.at;
        let Some(character) = self.text[at..].chars().next() else { return Err(Stop::Open(open_code(is_key))) };
        self.at += character.len_utf8();
        if character >= ' ' {
            return Ok(());
        }
        let is_line_end = matches!(character, '\n' | '\r');
        let breaks_key = is_line_end && is_key && self.undecided() && !self.site.line_end_in_key;
        if breaks_key || !self.site.expect.allows(RepairKind::RawControl) {
            return Err(Stop::Broken(Code::ControlCharacter, at, at.max(self.string_known)));
        }
        if at == start + 1 || self.byte(at - 1).is_none_or(|before| before >= b' ') {
            self.repair(RepairKind::RawControl, at, at)?;
        }
        let escape = match character {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\u{8}' => "\\b".to_owned(),
            '\u{c}' => "\\f".to_owned(),
            _ => format!("\\u{:04x}", u32::from(character)),
        };
        self.edit(at, at + 1, escape);
        Ok(())
    }

    fn escape(&mut self, is_key: bool) -> Step<()> {
        let at = self.at;
        match self.byte(at + 1) {
            None => return Err(Stop::Open(Code::OpenEscape)),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let unit = self.hexadecimal(at)?;
                let lone = |decided| Err(Stop::Broken(Code::LoneSurrogate, at, decided));
                if (0xDC00..0xE000).contains(&unit) {
                    return lone(at + 5);
                }
                self.at += 6;
                if (0xD800..0xDC00).contains(&unit) {
                    match (self.byte(at + 6), self.byte(at + 7)) {
                        (None, _) => return Err(Stop::Open(open_code(is_key))),
                        (Some(b'\\'), None) => return Err(Stop::Open(Code::OpenEscape)),
                        (Some(b'\\'), Some(b'u')) => {}
                        (Some(b'\\'), Some(_)) => return lone(at + 7),
                        (Some(_), _) => return lone(at + 6),
                    }
                    if !(0xDC00..0xE000).contains(&self.hexadecimal(at + 6)?) {
                        return lone(at + 11);
                    }
                    self.at += 6;
                }
            }
            Some(_) => return Err(Stop::Broken(Code::InvalidEscape, at, at + 1)),
        }
        Ok(())
    }

    /// The four hexadecimal digits of the `\u` at `at`.
    fn hexadecimal(&self, at: usize) -> Step<u32> {
        let mut unit = 0;
        for digit_at in at + 2..at + 6 {
            let Some(byte) = self.byte(digit_at) else { return Err(Stop::Open(Code::OpenEscape)) };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(Stop::Broken(Code::InvalidUnicodeEscape, at, digit_at));
            };
            unit = unit * 16 + digit;
        }
        Ok(unit)
    }
}

/// The two things a `\"` in an escaped string can be, and the byte that told.
enum Quote {
    Closer { decided: usize },
    Inner { decided: usize },
}

fn open_code(is_key: bool) -> Code {
    if is_key { Code::OpenKey } else { Code::OpenString }
}
