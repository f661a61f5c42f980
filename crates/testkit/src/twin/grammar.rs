//! One candidate, read by the grammar of RFC 8259 and the six repairs: closed, broken, over a limit, or cut.
//!
//! The reader has the whole text and looks ahead as it likes. `Stop` carries the byte at which an event was certain;
//! for a broken candidate that is also the byte at which prose goes on. Frames are a stack, never recursion.

use std::collections::{BTreeMap, BTreeSet};

use thusfar_core::{Code, Expect, RepairKind};

use super::equal::{equal_text, key_text};
use super::prose::skip_spaces;

/// Where and how a candidate is read.
pub(super) struct Site<'a> {
    pub(super) expect: &'a Expect,
    /// A promise from its opener on.
    pub(super) forced: bool,
    /// A raw line end in the first key does not break it.
    pub(super) line_end_in_key: bool,
    /// It can be the document: equal keys with different values break it.
    pub(super) unique_keys: bool,
    /// It cannot if its first string opens with `\"`.
    pub(super) odd: bool,
    /// A wrong closer is repaired in what is no promise too.
    pub(super) weak_closers: bool,
    /// Repairs recorded in the reply so far.
    pub(super) repairs_before: usize,
}

/// How a candidate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Closed,
    Broken(Code, usize),
    Limit(Code, usize),
    Open(Code),
}

/// What was read of one candidate.
pub(super) struct Candidate {
    pub(super) start: usize,
    /// One past the closer, the breaking byte, or the end of the text.
    pub(super) end: usize,
    pub(super) outcome: Outcome,
    pub(super) promise: bool,
    /// The byte at which it was known to be one, if it was not from its opener on.
    pub(super) promised_at: Option<usize>,
    /// Its last closer stands directly behind an opener or a comma.
    pub(super) thin: bool,
    /// It stands behind a comma.
    pub(super) trailing: bool,
    /// A comma behind its opener broke it.
    pub(super) comma_first: bool,
    /// Its first string opens with `\"`.
    pub(super) quoted: bool,
    /// The frames still open: opener and offset.
    pub(super) frames: Vec<(u8, usize)>,
    pub(super) repairs: Vec<(RepairKind, usize)>,
    /// The strict text, once closed.
    pub(super) text: String,
    pub(super) strings: Vec<(usize, usize)>,
    pub(super) comments: Vec<(usize, usize)>,
}

/// Why reading stopped: code, offset, and the byte at which it was certain.
pub(super) enum Stop {
    Broken(Code, usize, usize),
    Limit(Code, usize, usize),
    Open(Code),
}

pub(super) type Step<T> = Result<T, Stop>;

/// Where in the grammar the next token stands; a comma in front of it is kept by its offset.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    FirstKey,
    Key(usize),
    Colon,
    FirstElement,
    Element(usize),
    Value,
    After,
}

impl Place {
    /// The failure of anything that may not stand here.
    fn code(self) -> Code {
        match self {
            Place::FirstKey | Place::Key(_) => Code::ExpectedKey,
            Place::Colon => Code::ExpectedColon,
            Place::FirstElement | Place::Element(_) | Place::Value => Code::ExpectedValue,
            Place::After => Code::ExpectedCommaOrCloser,
        }
    }

    fn takes_string(self) -> bool {
        !matches!(self, Place::Colon | Place::After)
    }
}

struct Frame {
    opener: u8,
    start: usize,
    key: (usize, usize),
    /// Equal ones once.
    keys: BTreeSet<String>,
    members: BTreeMap<String, String>,
}

pub(super) struct Grammar<'a> {
    pub(super) text: &'a str,
    pub(super) site: &'a Site<'a>,
    pub(super) at: usize,
    start: usize,
    pub(super) promise: bool,
    promised_at: Option<usize>,
    /// Nothing has settled yet that this is no promise.
    deciding: bool,
    quoted: Option<bool>,
    thin: bool,
    trailing: bool,
    /// Nothing but white space and comments stand behind the root's opener yet.
    bare: bool,
    frames: Vec<Frame>,
    repairs: Vec<(RepairKind, usize)>,
    edits: Vec<(usize, usize, String)>,
    strings: Vec<(usize, usize)>,
    comments: Vec<(usize, usize)>,
    /// The byte at which the end of the last string was certain: nothing behind it is certain earlier.
    pub(super) string_known: usize,
    /// The `\"` behind which more white space stood than can be held, and where the part of it begins that was too much: only what shows
    /// that it closed its string may follow.
    pub(super) doubt: Option<(usize, usize)>,
    /// The escaped closer that a comment may still stand behind.
    pub(super) escaped_closer: Option<usize>,
}

/// Reads the value that starts at `start`.
pub(super) fn read(text: &str, start: usize, site: &Site<'_>) -> Candidate {
    let mut grammar = Grammar {
        text,
        site,
        at: start,
        start,
        promise: site.forced,
        promised_at: None,
        deciding: true,
        quoted: None,
        thin: false,
        trailing: false,
        bare: false,
        frames: Vec::new(),
        repairs: Vec::new(),
        edits: Vec::new(),
        strings: Vec::new(),
        comments: Vec::new(),
        string_known: start,
        doubt: None,
        escaped_closer: None,
    };
    let (outcome, end) = match grammar.root() {
        Ok(()) => (Outcome::Closed, grammar.at),
        Err(Stop::Broken(code, offset, at)) => (Outcome::Broken(code, offset), at),
        Err(Stop::Limit(code, offset, at)) => (Outcome::Limit(code, offset), at),
        Err(Stop::Open(code)) => (Outcome::Open(code), text.len()),
    };
    grammar.repairs.sort_by_key(|&(kind, offset)| (offset, kind));
    Candidate {
        start,
        end,
        outcome,
        promise: grammar.promise,
        promised_at: grammar.promised_at,
        quoted: grammar.quoted == Some(true),
        thin: grammar.thin,
        trailing: grammar.trailing,
        comma_first: grammar.bare
            && matches!(outcome, Outcome::Broken(Code::ExpectedKey | Code::ExpectedValue, _))
            && grammar.byte(end) == Some(b','),
        frames: grammar.frames.iter().map(|frame| (frame.opener, frame.start)).collect(),
        text: if outcome == Outcome::Closed { grammar.strict(start, end) } else { String::new() },
        repairs: grammar.repairs,
        strings: grammar.strings,
        comments: grammar.comments,
    }
}

impl Grammar<'_> {
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// If it is not decided yet, it is a promise; certain at byte `at`.
    fn promised(&mut self, at: usize) {
        if self.undecided() {
            self.promise = true;
            self.promised_at = Some(at);
        }
    }

    pub(super) fn undecided(&self) -> bool {
        self.deciding && !self.promise
    }

    /// Records a repair that became certain at byte `decided`.
    pub(super) fn repair(&mut self, kind: RepairKind, offset: usize, decided: usize) -> Step<()> {
        let count = self.site.repairs_before + self.repairs.len() + 1;
        if self.site.expect.limits_in_force().repairs.is_some_and(|limit| count > limit) {
            return Err(Stop::Limit(Code::TooManyRepairs, offset, decided.max(self.string_known)));
        }
        self.repairs.push((kind, offset));
        Ok(())
    }

    pub(super) fn edit(&mut self, start: usize, end: usize, after: impl Into<String>) {
        self.edits.push((start, end, after.into()));
    }

    /// The text between two offsets with its edits applied.
    fn strict(&self, start: usize, end: usize) -> String {
        let mut edits: Vec<_> = self.edits.iter().filter(|edit| start <= edit.0 && edit.1 <= end).collect();
        edits.sort_by_key(|edit| edit.0);
        let mut strict = String::new();
        let mut at = start;
        for (from, to, after) in edits {
            strict.push_str(&self.text[at..*from]);
            strict.push_str(after);
            at = *to;
        }
        strict.push_str(&self.text[at..end]);
        strict
    }

    fn root(&mut self) -> Step<()> {
        let mut place = Place::Value;
        loop {
            self.bare = self.frames.len() == 1 && matches!(place, Place::FirstKey | Place::FirstElement);
            self.gap(place)?;
            let at = self.at;
            let Some(byte) = self.byte(at) else { return Err(Stop::Open(Code::OpenFrame)) };
            let doubt = self.doubt.take().filter(|_| !b",}]:".contains(&byte));
            if let Some((quote, _)) = doubt {
                return Err(Stop::Broken(Code::EscapedQuoteTwoReadings, quote, at));
            }
            place = match (place, byte) {
                (Place::FirstKey | Place::Key(_), b'"' | b'\\') => self.key()?,
                (Place::Colon, b':') => {
                    self.promised(at);
                    self.at += 1;
                    Place::Value
                }
                (Place::Colon, _) => {
                    // `{"x", "y"}` is a set: no promise, and no failure. Anything else was meant as a member.
                    if !matches!(byte, b',' | b'}') {
                        self.promised(at);
                    }
                    return Err(Stop::Broken(place.code(), at, at));
                }
                (Place::After, b',') => {
                    self.at += 1;
                    let in_object = self.frames.last().is_some_and(|frame| frame.opener == b'{');
                    if in_object { Place::Key(at) } else { Place::Element(at) }
                }
                (Place::Value, b'}' | b']') => return Err(Stop::Broken(place.code(), at, at)),
                (_, b'}' | b']') => self.close(place, byte)?,
                (Place::FirstElement | Place::Element(_) | Place::Value, _) => self.value(place, byte)?,
                _ => return Err(Stop::Broken(place.code(), at, at)),
            };
            if place == Place::After && self.frames.is_empty() {
                return Ok(());
            }
        }
    }

    fn judges_keys(&self) -> bool {
        self.site.unique_keys && !(self.site.odd && self.quoted == Some(true))
    }

    fn key(&mut self) -> Step<Place> {
        let start = self.at;
        let closed = self.string(true)?;
        let limit = self.site.expect.limits_in_force().keys.filter(|_| self.judges_keys());
        let end = self.at;
        let key = key_text(&self.strict(start, end));
        if let Some(frame) = self.frames.last_mut() {
            frame.key = (start, end);
            frame.keys.insert(key);
            if limit.is_some_and(|limit| frame.keys.len() > limit) {
                return Err(Stop::Limit(Code::TooManyKeys, start, closed));
            }
        }
        Ok(Place::Colon)
    }

    fn value(&mut self, place: Place, byte: u8) -> Step<Place> {
        let start = self.at;
        match byte {
            b'{' | b'[' => {
                let limit = self.site.expect.limits_in_force().nesting;
                if limit.is_some_and(|limit| self.frames.len() >= limit) {
                    return Err(Stop::Limit(Code::TooDeep, start, start));
                }
                self.frames.push(Frame {
                    opener: byte,
                    start,
                    key: (start, start),
                    keys: BTreeSet::new(),
                    members: BTreeMap::new(),
                });
                self.at += 1;
                return Ok(if byte == b'{' { Place::FirstKey } else { Place::FirstElement });
            }
            b'"' | b'\\' => {
                let decided = self.string(false)?;
                self.promised(decided);
                self.done(start, decided)?;
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' => {
                self.deciding = false;
                self.number(start)?;
                self.done(start, self.at)?;
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                self.deciding = false;
                self.literal(start)?;
                self.done(start, self.at)?;
            }
            _ => return Err(Stop::Broken(place.code(), start, start)),
        }
        Ok(Place::After)
    }

    fn close(&mut self, place: Place, closer: u8) -> Step<Place> {
        let at = self.at;
        self.thin = place != Place::After;
        self.trailing = matches!(place, Place::Key(_) | Place::Element(_));
        let (opener, start) = self.frames.last().map_or((b'{', at), |frame| (frame.opener, frame.start));
        if let Place::Key(comma) | Place::Element(comma) = place {
            if !self.site.expect.allows(RepairKind::TrailingComma) {
                return Err(Stop::Broken(place.code(), at, at));
            }
            self.repair(RepairKind::TrailingComma, comma, at)?;
            self.edit(comma, comma + 1, "");
        }
        let right = if opener == b'{' { b'}' } else { b']' };
        if closer != right && !self.promise && !self.site.weak_closers {
            return Err(Stop::Broken(place.code(), at, at));
        }
        if closer != right {
            if !self.site.expect.allows(RepairKind::BracketKind) {
                return Err(Stop::Broken(place.code(), at, at));
            }
            self.repair(RepairKind::BracketKind, at, at)?;
            self.edit(at, at + 1, char::from(right));
        }
        if matches!(place, Place::FirstKey | Place::FirstElement) {
            self.deciding = false;
        }
        self.at += 1;
        self.frames.pop();
        self.done(start, at)?;
        Ok(Place::After)
    }

    /// A value has closed; `decided` is the byte that told. Equal keys must have equal values.
    fn done(&mut self, start: usize, decided: usize) -> Step<()> {
        let end = self.at;
        // At one byte the grammar comes first: a byte that may not stand behind a value is its own failure.
        let teller = if decided > end && self.doubt.is_none() { skip_spaces(self.text, end) } else { end };
        let next = self.byte(teller).filter(|_| decided >= end);
        if !self.judges_keys()
            || decided >= self.text.len()
            || next.is_some_and(|next| !b" \t\r\n,}]/\\".contains(&next))
        {
            return Ok(());
        }
        let Some(frame) = self.frames.last().filter(|frame| frame.opener == b'{') else { return Ok(()) };
        let key_start = frame.key.0;
        let key = key_text(&self.strict(key_start, frame.key.1));
        let value = self.strict(start, end);
        match frame.members.get(&key) {
            Some(earlier) if equal_text(earlier, &value) => {}
            Some(_) => return Err(Stop::Broken(Code::DuplicateKey, key_start, decided)),
            None => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.members.insert(key, value);
                }
            }
        }
        Ok(())
    }

    /// White space, escaped white space and comments between tokens.
    fn gap(&mut self, place: Place) -> Step<()> {
        while let Some(byte) = self.byte(self.at) {
            let (at, next) = (self.at, self.byte(self.at + 1));
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'\\' => {
                    let may_quote = place.takes_string() && self.site.expect.allows(RepairKind::EscapedDelimiter);
                    let may_space = self.site.expect.allows(RepairKind::EscapedWhitespace);
                    let named = match next {
                        _ if !may_quote && !may_space => return self.unexpected(place, at),
                        None => return Err(Stop::Open(Code::OpenEscape)),
                        Some(b'"') if may_quote => break,
                        Some(b'n') if may_space => "\n",
                        Some(b'r') if may_space => "\r",
                        Some(b't') if may_space => "\t",
                        Some(_) => return self.unexpected(place, at + 1),
                    };
                    self.repair(RepairKind::EscapedWhitespace, at, at + 1)?;
                    self.edit(at, at + 2, named);
                    self.at += 2;
                }
                b'/' => match next {
                    _ if !self.site.expect.allows(RepairKind::Comment) => return self.unexpected(place, at),
                    None => return Err(Stop::Open(Code::OpenComment)),
                    Some(b'/' | b'*') => {
                        self.doubt = None;
                        self.comment()?;
                    }
                    Some(_) => return self.unexpected(place, at + 1),
                },
                _ => break,
            }
        }
        self.escaped_closer = None;
        Ok(())
    }

    /// A backslash or slash that begins nothing: the failure of the place, certain at `decided`.
    fn unexpected(&mut self, place: Place, decided: usize) -> Step<()> {
        let decided = decided.max(self.string_known);
        if let Some((quote, _)) = self.doubt.filter(|doubt| doubt.1 <= self.at) {
            return Err(Stop::Broken(Code::EscapedQuoteTwoReadings, quote, decided));
        }
        if place == Place::Colon {
            self.promised(decided);
        }
        Err(Stop::Broken(place.code(), self.at, decided))
    }

    fn comment(&mut self) -> Step<()> {
        let start = self.at;
        let is_line = self.byte(start + 1) == Some(b'/');
        let body = &self.text[start + 2..];
        let (body, tail) = if is_line {
            (body.split(['\n', '\r']).next().unwrap_or(body), "")
        } else {
            (body.split("*/").next().unwrap_or(body), "*/")
        };
        let end = start + 2 + body.len() + tail.len();
        let is_open = if is_line { end == self.text.len() } else { end > self.text.len() };

        // The first reason to be certain wins; the ones below wait for the end of the comment.
        let dots = body.find("...").map(|dot| dot + 2).into_iter().chain(body.find('…').map(|dot| dot + 2)).min();
        let dots = dots.map(|last| (start + 2 + last, start, Code::CommentEllipsis));
        let line_end = ["\\n", "\\r"].iter().filter_map(|escape| body.find(escape)).min().filter(|_| is_line);
        let line_end = line_end.map(|slash| (start + 3 + slash, start + 2 + slash, Code::CommentLineEnd));
        if let Some((decided, offset, code)) = dots.into_iter().chain(line_end).min_by_key(|reason| reason.0) {
            return Err(Stop::Broken(code, offset, decided));
        }
        if is_open {
            self.comments.push((start, self.text.len()));
            return Err(Stop::Open(Code::OpenComment));
        }
        let decided = if is_line { end } else { end - 1 };
        let quotes = body.matches('"').count();
        let told = body.trim_end_matches([' ', '\t', '\n', '\r']);
        let ends_in_quote = told.ends_with('"') || told.ends_with("\",");
        let crossed = if is_line { body.contains("*/") } else { self.text[start + 2..end - 1].contains("/*") };
        if crossed
            || (quotes > 0 && body.contains(':') && self.token_on_line(start))
            || (is_line
                && quotes % 2 == 1
                && (ends_in_quote || self.text[..start].ends_with(['"', ',', ':', '{', '['])))
        {
            return Err(Stop::Broken(Code::CommentSwallowed, start, decided));
        }
        if let Some(closer) = self.escaped_closer.filter(|_| body.contains("\\\"")) {
            return Err(Stop::Broken(Code::EscapedQuoteTwoReadings, closer, decided));
        }
        self.repair(RepairKind::Comment, start, decided)?;
        self.edit(start, end, "");
        self.comments.push((start, end));
        self.at = end;
        Ok(())
    }

    /// Whether anything but white space and comments stands between the last raw line end and `start`.
    fn token_on_line(&self, start: usize) -> bool {
        let line = self.text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        line <= self.start
            || self.text[line..start].char_indices().any(|(at, character)| {
                let at = line + at;
                !" \t".contains(character) && !self.comments.iter().any(|&(from, to)| from <= at && at < to)
            })
    }

    /// Reads a string and gives the byte at which its end was certain.
    fn string(&mut self, is_key: bool) -> Step<usize> {
        let start = self.at;
        let escaped = self.byte(start) == Some(b'\\');
        self.quoted.get_or_insert(escaped);
        let read = if escaped { self.escaped_string(is_key) } else { self.plain_string(is_key) };
        let end = match &read {
            Ok(_) => self.at,
            Err(Stop::Open(_)) => self.text.len(),
            Err(Stop::Broken(_, _, decided) | Stop::Limit(_, _, decided)) => *decided,
        };
        self.strings.push((start, end));
        self.string_known = end.max(*read.as_ref().unwrap_or(&end));
        read
    }

    fn number(&mut self, start: usize) -> Step<()> {
        loop {
            match self.byte(self.at) {
                Some(byte) if byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte) => {
                    if number_state(&self.text[start..=self.at]).is_none() {
                        return Err(Stop::Broken(Code::InvalidNumber, start, self.at));
                    }
                    self.at += 1;
                }
                None => return Err(Stop::Open(Code::OpenNumber)),
                Some(_) => break,
            }
        }
        let token = &self.text[start..self.at];
        if number_state(token) != Some(true) {
            return Err(Stop::Broken(Code::InvalidNumber, start, self.at));
        }
        if is_infinite(token) {
            return Err(Stop::Broken(Code::NumberOutOfRange, start, self.at));
        }
        Ok(())
    }

    fn literal(&mut self, start: usize) -> Step<()> {
        let is_whole = |token: &str| ["true", "false", "null"].contains(&token);
        loop {
            match self.byte(self.at) {
                Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => {
                    let token = &self.text[start..=self.at];
                    if !["true", "false", "null"].iter().any(|literal| literal.starts_with(token)) {
                        return Err(Stop::Broken(Code::InvalidLiteral, start, self.at));
                    }
                    self.at += 1;
                }
                None if !is_whole(&self.text[start..]) => return Err(Stop::Open(Code::OpenLiteral)),
                Some(_) if !is_whole(&self.text[start..self.at]) => {
                    return Err(Stop::Broken(Code::InvalidLiteral, start, self.at));
                }
                _ => return Ok(()),
            }
        }
    }
}

/// Whether a token is a whole JSON number, may become one (`Some(false)`), or neither.
pub(super) fn number_state(token: &str) -> Option<bool> {
    let unsigned = token.strip_prefix('-').unwrap_or(token);
    let digits = |text: &str| text.len() - text.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.starts_with('0')) {
        return (whole == 0 && unsigned.is_empty()).then_some(false);
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        rest = &fraction[count..];
        if count == 0 {
            return rest.is_empty().then_some(false);
        }
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        rest = &exponent[count..];
        if count == 0 {
            return rest.is_empty().then_some(false);
        }
    }
    rest.is_empty().then_some(true)
}

/// Whether a JSON number is too large for an `f64`.
pub(super) fn is_infinite(token: &str) -> bool {
    token.parse::<f64>().is_ok_and(f64::is_infinite)
}
