//! The text of one delta: the escapes of a JSON string undone, and what waits for the next delta of its lane.
//!
//! A delta is what stands between the quotes of one string of one event. Most have no escape and are handed on as they
//! lie; else the runs between the backslashes go into a buffer. The one thing that may span two deltas is a surrogate pair
//! (RFC 8259, section 7): a server that cuts text by UTF-16 units ends one event with `\ud83d` and begins the next with
//! `\ude00`.
//!
//! What JSON does not allow in a string is damage, done on the way: it is told with its place, and nothing is lost that can
//! be kept. Bytes that are no UTF-8 become U+FFFD, as the WHATWG Encoding Standard says; a backslash that begins no escape
//! becomes U+FFFD and what stands behind it is text; half of a surrogate pair becomes U+FFFD; a raw control character stays
//! what it is, since it can be nothing else.

use alloc::string::String;

use memchr::memchr;

use crate::buffer::RETAINED_LEN;

/// What was damaged on its way. Stable names: [`DamageKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DamageKind {
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// A raw control character in a string.
    ControlCharacter,
    /// A backslash before a character that JSON does not escape, or before nothing.
    InvalidEscape,
    /// `\u` without four hexadecimal digits.
    InvalidUnicodeEscape,
    /// Half of a surrogate pair.
    LoneSurrogate,
}

impl DamageKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DamageKind::InvalidUtf8 => "invalid_utf8",
            DamageKind::ControlCharacter => "control_character",
            DamageKind::InvalidEscape => "invalid_escape",
            DamageKind::InvalidUnicodeEscape => "invalid_unicode_escape",
            DamageKind::LoneSurrogate => "lone_surrogate",
        }
    }
}

/// Damage and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Damage {
    pub(crate) kind: DamageKind,
    pub(crate) offset: u64,
}

impl Damage {
    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> DamageKind {
        self.kind
    }

    /// Where, in bytes of the lane's text: where the character stands that was put in, or kept, for what was damaged.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

/// What a lane holds back between two deltas: the first half of a surrogate pair, or nothing.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Half(u16);

impl Half {
    /// Whether half of a character waits for the rest.
    pub(crate) const fn is_open(self) -> bool {
        self.0 != 0
    }
}

/// The text of a delta, and the first damage in it; its offset counts from the text's beginning.
#[derive(Clone, Copy)]
pub(crate) struct Undone<'a> {
    pub(crate) text: &'a str,
    pub(crate) damage: Option<Damage>,
}

/// Undoes the escapes of a delta. Borrowed from it where there are none, else from `buffer`, which is emptied first. Linear.
#[inline]
pub(crate) fn undo<'a>(raw: &'a [u8], half: &mut Half, buffer: &'a mut String) -> Undone<'a> {
    if !half.is_open() && is_plain(raw) {
        if let Ok(text) = core::str::from_utf8(raw) {
            return Undone { text, damage: None };
        }
    }
    clear(buffer);
    if !half.is_open() && undo_few(raw, buffer) {
        return Undone { text: buffer, damage: None };
    }
    let damage = undo_into(raw, half, buffer);
    Undone { text: buffer, damage }
}

/// How long a delta may be that is undone byte by byte.
const FEW: usize = 32;

/// Undoes a short delta whose escapes are two bytes each, into a buffer that is empty; says whether it was one. JSON in a
/// string is full of them (`benches/wire.rs`, `9 session judged/S`).
fn undo_few(raw: &[u8], buffer: &mut String) -> bool {
    let (mut few, mut len, mut is_escaped) = ([0; FEW], 0, false);
    if raw.len() > FEW {
        return false;
    }
    for &byte in raw {
        let meant = match (is_escaped, byte) {
            (false, b'\\') => {
                is_escaped = true;
                continue;
            }
            (false, b' '..) | (true, b'"' | b'\\' | b'/') => byte,
            (true, b'n') => b'\n',
            (true, b't') => b'\t',
            (true, b'r') => b'\r',
            _ => return false,
        };
        is_escaped = false;
        few[len] = meant;
        len += 1;
    }
    match core::str::from_utf8(&few[..len]) {
        Ok(text) if !is_escaped => {
            buffer.push_str(text);
            true
        }
        _ => false,
    }
}

/// Text as it is, without escapes: damage is what is no UTF-8.
pub(crate) fn decode<'a>(raw: &'a [u8], buffer: &'a mut String) -> Undone<'a> {
    if let Ok(text) = core::str::from_utf8(raw) {
        return Undone { text, damage: None };
    }
    clear(buffer);
    let mut undoing = Undoing { buffer, half: &mut Half::default(), damage: None };
    undoing.run(raw, false);
    let damage = undoing.damage;
    Undone { text: buffer, damage }
}

/// Empties a buffer, and lets it go if it has grown large.
pub(crate) fn clear(buffer: &mut String) {
    if buffer.capacity() > RETAINED_LEN {
        *buffer = String::new();
    }
    buffer.clear();
}

/// Eight times the same byte.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Whether one of eight bytes is a backslash or a control character (Hacker's Delight, 6-1: exact as to whether there is one).
const fn has_special(word: u64) -> bool {
    let slash = word ^ each(b'\\');
    let low = word.wrapping_sub(each(b' ')) & !word;
    let zero = slash.wrapping_sub(each(1)) & !slash;
    (low | zero) & each(0x80) != 0
}

/// Whether a delta has neither backslashes nor control characters.
#[inline]
fn is_plain(raw: &[u8]) -> bool {
    // The usual delta is a token of a few bytes: two reads of four that overlap show all of it.
    if let (4..=8, Some(front), Some(back)) = (raw.len(), raw.first_chunk::<4>(), raw.last_chunk::<4>()) {
        let front = u64::from(u32::from_ne_bytes(*front));
        return !has_special(front << 32 | u64::from(u32::from_ne_bytes(*back)));
    }
    // No early end: the compiler makes vectors of it.
    raw.iter().fold(true, |plain, &byte| plain & (byte >= b' ') & (byte != b'\\'))
}

/// The same with escapes or damage in it, into a buffer.
#[inline(never)]
fn undo_into(raw: &[u8], half: &mut Half, buffer: &mut String) -> Option<Damage> {
    let mut undoing = Undoing { buffer, half, damage: None };
    let mut rest = raw;
    while let Some(at) = memchr(b'\\', rest) {
        undoing.run(&rest[..at], true);
        rest = undoing.escape(&rest[at + 1..]);
    }
    undoing.run(rest, true);
    undoing.damage
}

struct Undoing<'b> {
    buffer: &'b mut String,
    half: &'b mut Half,
    damage: Option<Damage>,
}

impl Undoing<'_> {
    fn damaged(&mut self, kind: DamageKind) {
        let offset = self.buffer.len() as u64;
        self.damage.get_or_insert(Damage { kind, offset });
    }

    /// Something came that is no second half: the first one stays alone.
    fn settle(&mut self) {
        if self.half.is_open() {
            self.damaged(DamageKind::LoneSurrogate);
            self.buffer.push(char::REPLACEMENT_CHARACTER);
            *self.half = Half::default();
        }
    }

    fn char(&mut self, char: char) {
        self.settle();
        self.buffer.push(char);
    }

    /// Takes bytes without a backslash; `is_string`: control characters are damage.
    fn run(&mut self, run: &[u8], is_string: bool) {
        if run.is_empty() {
            return;
        }
        self.settle();
        let control = if is_string { run.iter().position(|&byte| byte < b' ') } else { None };
        if let (Ok(text), None) = (core::str::from_utf8(run), control) {
            self.buffer.push_str(text);
            return;
        }
        for piece in run.utf8_chunks() {
            for char in piece.valid().chars() {
                if is_string && char < ' ' {
                    self.damaged(DamageKind::ControlCharacter);
                }
                self.buffer.push(char);
            }
            if !piece.invalid().is_empty() {
                self.damaged(DamageKind::InvalidUtf8);
                self.buffer.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }

    /// Takes what stands behind a backslash, and gives what stands behind the escape.
    fn escape<'r>(&mut self, rest: &'r [u8]) -> &'r [u8] {
        let char = match rest.first() {
            Some(b'n') => '\n',
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b't') => '\t',
            Some(b'/') => '/',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let Some(unit) = rest.get(1..5).and_then(unit) else {
                    return self.no_escape(DamageKind::InvalidUnicodeEscape, rest);
                };
                self.unit(unit);
                return &rest[5..];
            }
            _ => return self.no_escape(DamageKind::InvalidEscape, rest),
        };
        self.char(char);
        &rest[1..]
    }

    /// The backslash meant nothing; what stands behind it is text.
    fn no_escape<'r>(&mut self, kind: DamageKind, rest: &'r [u8]) -> &'r [u8] {
        self.settle();
        self.damaged(kind);
        self.buffer.push(char::REPLACEMENT_CHARACTER);
        rest
    }

    /// Takes one unit of UTF-16.
    fn unit(&mut self, unit: u16) {
        let pair = [self.half.0, unit];
        let units = if self.half.is_open() { &pair[..] } else { &pair[1..] };
        let mut chars = char::decode_utf16(units.iter().copied());
        match (chars.next(), chars.next()) {
            (Some(Ok(char)), None) => {
                self.buffer.push(char);
                *self.half = Half::default();
            }
            // Alone, or behind a first half that stays alone.
            _ => {
                self.settle();
                match char::from_u32(u32::from(unit)) {
                    Some(char) => self.buffer.push(char),
                    None if unit < 0xDC00 => *self.half = Half(unit),
                    None => {
                        self.damaged(DamageKind::LoneSurrogate);
                        self.buffer.push(char::REPLACEMENT_CHARACTER);
                    }
                }
            }
        }
    }
}

/// Four hexadecimal digits.
fn unit(digits: &[u8]) -> Option<u16> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    digits.iter().try_fold(0_u16, |unit, &byte| Some(unit << 4 | digit(byte)? as u16))
}

#[cfg(test)]
mod tests;
