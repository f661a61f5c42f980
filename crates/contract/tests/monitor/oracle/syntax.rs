//! JSON as the reader takes it, and nothing more: whether a text can go on, whether it is whole, and the value that it is then.
//!
//! Written apart from the reader and from the monitor. It knows two languages: strict JSON whose objects hold each key once, and the one in
//! which a comma may stand in front of a closer and a member may stand twice with equal values.

use serde_json::{Map, Value};

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    Object,
    Array,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Value,
    /// Directly behind an opener.
    First(Frame),
    /// Behind a comma.
    Again(Frame),
    Colon,
    CommaOrCloser,
    Nothing,
}

/// What is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Nothing,
    String {
        is_key: bool,
        chars: usize,
    },
    Escape {
        is_key: bool,
        chars: usize,
    },
    Hex {
        is_key: bool,
        chars: usize,
        left: u8,
        code: u32,
        high: Option<u32>,
    },
    /// Behind a high surrogate.
    Low {
        is_key: bool,
        chars: usize,
        high: u32,
    },
    Literal {
        rest: &'static [u8],
    },
    Number(Number),
}

/// A place in the grammar of numbers (RFC 8259, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Digits(usize),
    Point,
    Fraction(usize),
    E,
    Sign,
    Exponent(usize),
}

/// How long things may get: without this there is no end of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Characters of a string.
    pub(super) chars: usize,
    /// Digits of each part of a number.
    pub(super) digits: usize,
    /// Open frames.
    pub(super) depth: usize,
}

/// A text so far.
#[derive(Clone, Debug)]
pub(super) struct Syntax {
    frames: Vec<Frame>,
    next: Next,
    inside: Inside,
    room: Room,
}

impl Syntax {
    pub(super) fn new(room: Room) -> Self {
        Self { frames: Vec::new(), next: Next::Value, inside: Inside::Nothing, room }
    }

    /// Whether the text is a whole document if nothing more comes.
    pub(super) fn is_whole(&self) -> bool {
        let number = match self.inside {
            Inside::Number(number) => number.may_end(),
            inside => inside == Inside::Nothing && self.next == Next::Nothing,
        };
        number && self.frames.is_empty()
    }

    /// Takes bytes; whether they may stand there.
    pub(super) fn push_all(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| self.push(byte))
    }

    /// Takes a token; inside a string only one that is a character there.
    pub(super) fn push_token(&mut self, token: &str) -> bool {
        let in_string = matches!(self.inside, Inside::String { .. });
        let is_character = token.chars().count() == 1 || token.starts_with(['\\', '"']);
        (!in_string || is_character) && self.push_all(token.as_bytes())
    }

    fn push(&mut self, byte: u8) -> bool {
        match self.inside {
            Inside::Nothing => self.token(byte),
            Inside::String { is_key, chars } => self.string(byte, is_key, chars),
            Inside::Escape { is_key, chars } => self.escape(byte, is_key, chars),
            Inside::Hex { is_key, chars, left, code, high } => self.hex(byte, is_key, chars, (left, code, high)),
            Inside::Low { is_key, chars, high } => {
                self.inside = Inside::Escape { is_key, chars };
                byte == b'\\' && {
                    self.inside = Inside::Hex { is_key, chars, left: 5, code: 0, high: Some(high) };
                    true
                }
            }
            Inside::Literal { rest } => {
                let goes_on = rest.first() == Some(&byte);
                match rest {
                    [_] => self.value_ends(),
                    [_, rest @ ..] => self.inside = Inside::Literal { rest },
                    [] => return false,
                }
                goes_on
            }
            Inside::Number(number) => match number.push(byte, self.room.digits) {
                Some(number) => {
                    self.inside = Inside::Number(number);
                    true
                }
                None if number.may_end() && !self.frames.is_empty() => {
                    self.value_ends();
                    self.token(byte)
                }
                None => false,
            },
        }
    }

    fn value_ends(&mut self) {
        self.inside = Inside::Nothing;
        self.next = if self.frames.is_empty() { Next::Nothing } else { Next::CommaOrCloser };
    }

    fn token(&mut self, byte: u8) -> bool {
        match (self.next, byte) {
            (Next::First(Frame::Object) | Next::Again(Frame::Object), b'"') => {
                self.inside = Inside::String { is_key: true, chars: 0 };
                true
            }
            (Next::First(frame) | Next::Again(frame), b'}' | b']') => self.close(frame, byte),
            (Next::CommaOrCloser, b'}' | b']' | b',') => {
                let Some(&frame) = self.frames.last() else { return false };
                if byte != b',' {
                    return self.close(frame, byte);
                }
                self.next = Next::Again(frame);
                true
            }
            (Next::Colon, b':') => {
                self.next = Next::Value;
                true
            }
            (Next::Value | Next::First(Frame::Array) | Next::Again(Frame::Array), _) => self.value(byte),
            _ => false,
        }
    }

    fn close(&mut self, frame: Frame, byte: u8) -> bool {
        self.frames.pop();
        self.value_ends();
        byte == if frame == Frame::Object { b'}' } else { b']' }
    }

    fn value(&mut self, byte: u8) -> bool {
        self.inside = match byte {
            b'"' => Inside::String { is_key: false, chars: 0 },
            b't' => Inside::Literal { rest: b"rue" },
            b'f' => Inside::Literal { rest: b"alse" },
            b'n' => Inside::Literal { rest: b"ull" },
            b'-' => Inside::Number(Number::Minus),
            b'0' => Inside::Number(Number::Zero),
            b'1'..=b'9' => Inside::Number(Number::Digits(1)),
            b'{' | b'[' => {
                let frame = if byte == b'{' { Frame::Object } else { Frame::Array };
                self.frames.push(frame);
                self.next = Next::First(frame);
                return self.frames.len() <= self.room.depth;
            }
            _ => return false,
        };
        true
    }

    fn string(&mut self, byte: u8, is_key: bool, chars: usize) -> bool {
        match byte {
            b'"' if is_key => {
                self.inside = Inside::Nothing;
                self.next = Next::Colon;
            }
            b'"' => self.value_ends(),
            b'\\' => self.inside = Inside::Escape { is_key, chars },
            0..0x20 => return false,
            // The first byte of a character.
            _ if byte & 0xc0 != 0x80 => {
                self.inside = Inside::String { is_key, chars: chars + 1 };
                return chars < self.room.chars;
            }
            _ => {}
        }
        true
    }

    fn escape(&mut self, byte: u8, is_key: bool, chars: usize) -> bool {
        self.inside = match byte {
            b'u' => Inside::Hex { is_key, chars, left: 4, code: 0, high: None },
            _ => Inside::String { is_key, chars: chars + 1 },
        };
        b"\"\\/bfnrtu".contains(&byte) && chars < self.room.chars
    }

    fn hex(&mut self, byte: u8, is_key: bool, chars: usize, state: (u8, u32, Option<u32>)) -> bool {
        let (left, code, high) = state;
        if left == 5 {
            self.inside = Inside::Hex { is_key, chars, left: 4, code, high };
            return byte == b'u';
        }
        let Some(digit) = char::from(byte).to_digit(16) else { return false };
        let code = code << 4 | digit;
        let done = Inside::String { is_key, chars: chars + 1 };
        let is_low = (0xdc00..0xe000).contains(&code);
        self.inside = match (left, high) {
            (2.., _) => Inside::Hex { is_key, chars, left: left - 1, code, high },
            (_, Some(_)) if is_low => done,
            (_, None) if (0xd800..0xdc00).contains(&code) => Inside::Low { is_key, chars, high: code },
            (_, None) if !is_low => done,
            _ => return false,
        };
        true
    }
}

impl Number {
    fn may_end(self) -> bool {
        matches!(self, Number::Zero | Number::Digits(_) | Number::Fraction(_) | Number::Exponent(_))
    }

    fn push(self, byte: u8, digits: usize) -> Option<Self> {
        let next = match (self, byte) {
            (Number::Minus, b'0') => Number::Zero,
            (Number::Minus, b'1'..=b'9') => Number::Digits(1),
            (Number::Digits(count), b'0'..=b'9') if count < digits => Number::Digits(count + 1),
            (Number::Zero | Number::Digits(_), b'.') => Number::Point,
            (Number::Point, b'0'..=b'9') => Number::Fraction(1),
            (Number::Fraction(count), b'0'..=b'9') if count < digits => Number::Fraction(count + 1),
            (Number::Zero | Number::Digits(_) | Number::Fraction(_), b'e' | b'E') => Number::E,
            (Number::E, b'+' | b'-') => Number::Sign,
            (Number::E | Number::Sign, b'0'..=b'9') => Number::Exponent(1),
            (Number::Exponent(count), b'0'..=b'9') if count < digits => Number::Exponent(count + 1),
            _ => return None,
        };
        Some(next)
    }
}

/// The value of a whole text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Whole {
    /// Each key stands once, and no comma in front of a closer.
    Strict(Value),
    /// A comma in front of a closer, or a member twice.
    Lenient(Value),
    /// Two values under one key, or a number that is too large: no document.
    Refused,
}

/// Reads a whole text.
pub(super) fn whole(text: &str) -> Whole {
    let mut reader = Reader { rest: text, is_strict: true, is_refused: false };
    let value = reader.value();
    match (reader.is_refused, reader.is_strict) {
        (true, _) => Whole::Refused,
        (false, true) => Whole::Strict(value),
        (false, false) => Whole::Lenient(value),
    }
}

struct Reader<'t> {
    rest: &'t str,
    is_strict: bool,
    is_refused: bool,
}

impl Reader<'_> {
    fn take(&mut self, byte: char) -> bool {
        let rest = self.rest.strip_prefix(byte);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Whether another element comes; drops the comma in front of a closer.
    fn goes_on(&mut self, closer: char, is_first: bool) -> bool {
        let comma = !is_first && self.take(',');
        let closes = self.take(closer);
        self.is_strict &= !(comma && closes);
        !closes
    }

    fn value(&mut self) -> Value {
        if self.take('[') {
            let mut items = Vec::new();
            while self.goes_on(']', items.is_empty()) {
                items.push(self.value());
            }
            return Value::Array(items);
        }
        if self.take('{') {
            let (mut members, mut is_first) = (Map::new(), true);
            while self.goes_on('}', std::mem::take(&mut is_first)) {
                let key = self.scalar().as_str().expect("a key").to_owned();
                assert!(self.take(':'), "a colon");
                let value = self.value();
                match members.get(&key) {
                    Some(first) => {
                        self.is_strict = false;
                        self.is_refused |= !equal(first, &value);
                    }
                    None => _ = members.insert(key, value),
                }
            }
            return Value::Object(members);
        }
        self.scalar()
    }

    fn scalar(&mut self) -> Value {
        let in_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        let number = self.rest.bytes().take_while(in_number).count();
        if self.rest[..number].parse::<f64>().is_ok_and(f64::is_infinite) {
            self.is_refused = true;
            self.rest = &self.rest[number..];
            return Value::Null;
        }
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
        let value = values.next().expect("a value").expect("JSON");
        self.rest = &self.rest[values.byte_offset()..];
        value
    }
}

/// Numbers by value.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let same = |(key, value): (&String, &Value)| right.get(key).is_some_and(|other| equal(value, other));
            left.len() == right.len() && left.iter().all(same)
        }
        _ => left == right,
    }
}

#[test]
fn it_takes_what_json_is() {
    let room = Room { chars: 9, digits: 9, depth: 9 };
    let is_whole = |text: &str| {
        let mut syntax = Syntax::new(room);
        syntax.push_all(text.as_bytes()) && syntax.is_whole()
    };
    let texts = [
        "1",
        "-0.5e-10",
        "0",
        "\"a\\u00e9\\n\"",
        "\"\\ud83d\\ude00\"",
        "null",
        "true",
        "false",
        "[]",
        "{}",
        "[1,[2],{}]",
        "{\"a\":{\"b\":[null,\"x\"]},\"c\":1}",
        "\"é\"",
        "[0,-1,1e5]",
    ];
    for text in texts {
        assert!(is_whole(text), "{text}");
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(whole(text), Whole::Strict(value), "{text}");
        for (at, _) in text.char_indices().skip(1) {
            let is_json = serde_json::from_str::<Value>(&text[..at]).is_ok();
            assert_eq!(is_whole(&text[..at]), is_json, "{}", &text[..at]);
        }
    }
    for text in ["01", "1.", "-", "[1 2]", "[,]", "[1,,2]", "{\"a\"}", "{a:1}", "\"\\x\"", "\"\\ud83d\"", "nul", "[1}"]
    {
        assert!(!is_whole(text), "{text}");
    }
    assert!(is_whole("[1,]") && whole("[1,]") == Whole::Lenient(Value::from(vec![1])));
    assert_eq!(whole("{\"a\":1,\"a\":1.0}"), Whole::Lenient(serde_json::json!({"a": 1})));
    assert_eq!(whole("{\"a\":1,\"a\":2}"), Whole::Refused);
    assert_eq!(whole("[1e400,1]"), Whole::Refused);
}
