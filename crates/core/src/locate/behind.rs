//! Directly behind a closed root: did it close too early?
//!
//! White space, escaped white space and comments are skipped. A closer, a quote, a colon with JSON behind it, or a comma
//! with something behind it that can only be more of the document, means that the root closed too early. The first
//! byte that is none of these settles it; everything taken until then was plain text.
//!
//! The same machine looks at what follows a value that stands directly behind a root and does not count: there only a comma tells.

use crate::class::{is_line_end, is_space, is_word};

/// The state: where in the look at what follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind {
    phase: Phase,
    /// Behind a comma, and behind a token behind it (whether that is a number): where comments and escapes return to.
    comma: bool,
    token: Option<bool>,
    from: From,
    /// The number of `"` in the comment is odd: it may have swallowed the rest of a string.
    odd: bool,
    /// Where a backslash or slash stands.
    mark: usize,
    /// Where the comma, the colon or the backslash stands.
    at: usize,
}

/// What the bytes stand behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum From {
    #[default]
    Root,
    /// Nothing was read yet behind a root that closed where a value or key could stand.
    ThinRoot,
    /// A value that stands directly behind a root.
    Beside,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Space,
    Backslash,
    Slash,
    LineComment,
    BlockComment,
    BlockStar,
    /// A number without a comma in front of it; whether an exponent's sign may follow.
    Number(bool),
    /// In front of its digits.
    NumberMinus,
    /// Behind it.
    BehindNumber,
    Colon,
    ColonMinus,
    /// Which literal, how much of it.
    ColonWord(u8, u8),
    Comma,
    Tilde(u8),
    /// Inside a character above U+007F: its bytes so far.
    Lead(u16),
    CommaMinus,
    Token {
        number: bool,
    },
    BehindToken {
        number: bool,
    },
}

/// What a byte said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Not decided yet; the byte is taken.
    More,
    /// Nothing wrong; the byte is not taken.
    Settled,
    /// The root closed too early; where that shows.
    Broken(usize),
}

const LITERALS: [&[u8]; 3] = [b"true", b"false", b"null"];

impl Behind {
    /// Behind nothing.
    pub(crate) const NONE: Self =
        Self { phase: Phase::Space, comma: false, token: None, from: From::Root, odd: false, mark: 0, at: 0 };

    /// Behind a root; `thin`: it closed directly behind its opener or a comma.
    pub(crate) fn root(thin: bool) -> Self {
        Self { from: if thin { From::ThinRoot } else { From::Root }, ..Self::NONE }
    }

    /// Behind a value that stands directly behind a root.
    pub(crate) fn beside() -> Self {
        Self { from: From::Beside, ..Self::NONE }
    }

    /// Whether the byte that settled it stands directly behind.
    pub(crate) fn is_direct(&self) -> bool {
        self.phase == Phase::Space
    }

    /// Takes the byte at offset `at`.
    pub(crate) fn step(&mut self, byte: u8, at: usize) -> Step {
        match self.phase {
            Phase::Space => self.space(byte, at),
            Phase::Backslash => match byte {
                b'n' | b'r' | b't' => self.go(self.home()),
                b'"' if self.token.is_none() && (self.comma || self.from != From::Beside) => {
                    Step::Broken(if self.comma { self.at } else { self.mark })
                }
                _ => Step::Settled,
            },
            Phase::Slash => {
                self.odd = false;
                match byte {
                    b'/' => self.go(Phase::LineComment),
                    b'*' => self.go(Phase::BlockComment),
                    _ => Step::Settled,
                }
            }
            Phase::LineComment if is_line_end(byte) => self.end_comment(),
            Phase::BlockStar if byte == b'/' => self.end_comment(),
            Phase::LineComment | Phase::BlockComment | Phase::BlockStar => {
                self.odd ^= byte == b'"';
                self.go(match (self.phase, byte) {
                    (Phase::LineComment, _) => Phase::LineComment,
                    (_, b'*') => Phase::BlockStar,
                    _ => Phase::BlockComment,
                })
            }
            Phase::NumberMinus if byte.is_ascii_digit() => self.go(Phase::Number(false)),
            Phase::NumberMinus => Step::Settled,
            Phase::Number(exponent) => match byte {
                b'0'..=b'9' | b'.' => self.go(Phase::Number(false)),
                b'e' | b'E' => self.go(Phase::Number(true)),
                b'+' | b'-' if exponent => self.go(Phase::Number(false)),
                _ => self.behind_number(byte, at),
            },
            Phase::BehindNumber => self.behind_number(byte, at),
            Phase::Colon => self.colon(byte),
            Phase::ColonMinus if byte.is_ascii_digit() => Step::Broken(self.at),
            Phase::ColonMinus => Step::Settled,
            Phase::ColonWord(which, len) => match LITERALS[which as usize].get(len as usize) {
                Some(&letter) if letter == byte => self.go(Phase::ColonWord(which, len + 1)),
                Some(_) => Step::Settled,
                None if is_word(byte) => Step::Settled,
                None => Step::Broken(self.at),
            },
            Phase::Comma => self.comma(byte, at),
            Phase::Tilde(2) if byte == b'~' => Step::Broken(self.at),
            Phase::Tilde(len) if byte == b'~' => self.go(Phase::Tilde(len + 1)),
            Phase::Tilde(_) => Step::Settled,
            Phase::Lead(bytes) => match (bytes, byte) {
                (0xE2, 0x80) => self.go(Phase::Lead(0xE280)),
                (0xE280, 0x98 | 0x99 | 0x9C | 0x9D) | (0xC2, 0xAB | 0xBB) => Step::Broken(self.at),
                _ => self.token(byte, at, false),
            },
            Phase::CommaMinus => self.token(byte, at, byte.is_ascii_digit()),
            Phase::Token { number } => self.token(byte, at, number),
            Phase::BehindToken { number } => self.behind_token(byte, at, number),
        }
    }

    /// The end of the reply: where it shows that the root closed too early, if it does.
    pub(crate) fn end(&self) -> Option<usize> {
        let in_comment = matches!(self.phase, Phase::LineComment | Phase::BlockComment | Phase::BlockStar);
        if in_comment && self.odd {
            return Some(self.mark);
        }
        let broken = match self.phase {
            Phase::Colon
            | Phase::Comma
            | Phase::CommaMinus
            | Phase::Lead(_)
            | Phase::Token { .. }
            | Phase::BehindToken { .. } => true,
            Phase::LineComment | Phase::BlockComment | Phase::BlockStar => self.comma,
            Phase::ColonWord(which, len) => LITERALS[which as usize].len() == len as usize,
            _ => false,
        };
        broken.then_some(self.at)
    }

    /// Whether the byte just taken is inside a comment, so that nothing else looks at it.
    pub(crate) fn in_comment(&self) -> bool {
        matches!(self.phase, Phase::Slash | Phase::LineComment | Phase::BlockComment | Phase::BlockStar)
    }

    fn go(&mut self, phase: Phase) -> Step {
        self.phase = phase;
        Step::More
    }

    fn home(&self) -> Phase {
        match self.token {
            Some(number) => Phase::BehindToken { number },
            None if self.comma => Phase::Comma,
            None => Phase::Space,
        }
    }

    fn end_comment(&mut self) -> Step {
        if self.odd { Step::Broken(self.mark) } else { self.go(self.home()) }
    }

    /// A backslash or a slash at an offset.
    fn go_mark(&mut self, phase: Phase, at: usize) -> Step {
        self.mark = at;
        self.go(phase)
    }

    fn space(&mut self, byte: u8, at: usize) -> Step {
        if is_space(byte) {
            self.leave_closer();
            return Step::More;
        }
        self.at = at;
        let root = self.from != From::Beside;
        let begins = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'{' | b'[');
        if self.leave_closer() && begins {
            return Step::Broken(at);
        }
        match byte {
            b'0'..=b'9' if root => self.go(Phase::Number(false)),
            b'-' if root => self.go(Phase::NumberMinus),
            b'}' | b']' | b'"' if root => Step::Broken(at),
            b'\\' => self.go_mark(Phase::Backslash, at),
            b'/' => self.go_mark(Phase::Slash, at),
            b':' if root => self.go(Phase::Colon),
            b',' => self.begin_comma(at),
            _ => Step::Settled,
        }
    }

    /// A byte is read; whether it is the first behind a closer that stands where a value or key could.
    fn leave_closer(&mut self) -> bool {
        let thin = self.from == From::ThinRoot;
        if thin {
            self.from = From::Root;
        }
        thin
    }

    /// A comma there is judged as one directly behind the root.
    fn behind_number(&mut self, byte: u8, at: usize) -> Step {
        match byte {
            _ if is_space(byte) => self.go(Phase::BehindNumber),
            b',' => self.begin_comma(at),
            _ => Step::Settled,
        }
    }

    fn begin_comma(&mut self, at: usize) -> Step {
        self.at = at;
        self.comma = true;
        self.go(Phase::Comma)
    }

    fn colon(&mut self, byte: u8) -> Step {
        match byte {
            _ if is_space(byte) => Step::More,
            b'"' | b'{' | b'[' | b'0'..=b'9' => Step::Broken(self.at),
            b'-' => self.go(Phase::ColonMinus),
            b't' => self.go(Phase::ColonWord(0, 1)),
            b'f' => self.go(Phase::ColonWord(1, 1)),
            b'n' => self.go(Phase::ColonWord(2, 1)),
            _ => Step::Settled,
        }
    }

    fn comma(&mut self, byte: u8, at: usize) -> Step {
        match byte {
            _ if is_space(byte) => Step::More,
            b'"' | b'\'' | b'`' | b'{' | b'}' | b'[' | b']' | b',' => Step::Broken(self.at),
            b'\\' => self.go_mark(Phase::Backslash, at),
            b'/' => self.go_mark(Phase::Slash, at),
            b'~' => self.go(Phase::Tilde(1)),
            0xC2 | 0xE2 => self.go(Phase::Lead(u16::from(byte))),
            b'-' => self.go(Phase::CommaMinus),
            _ if is_word(byte) => self.go(Phase::Token { number: byte.is_ascii_digit() }),
            _ => Step::Settled,
        }
    }

    fn token(&mut self, byte: u8, at: usize, number: bool) -> Step {
        if is_word(byte) || (number && matches!(byte, b'.' | b'+')) {
            return self.go(Phase::Token { number });
        }
        self.phase = Phase::BehindToken { number };
        self.token = Some(number);
        self.behind_token(byte, at, number)
    }

    fn behind_token(&mut self, byte: u8, at: usize, number: bool) -> Step {
        match byte {
            _ if is_space(byte) => Step::More,
            b'\\' => self.go_mark(Phase::Backslash, at),
            b'/' => self.go_mark(Phase::Slash, at),
            b',' | b'}' | b']' | b':' => Step::Broken(self.at),
            b')' if !number => Step::Broken(self.at),
            _ => Step::Settled,
        }
    }
}
