//! Byte classes beside the grammar they quote (RFC 8259, sections 2 to 7), and the search inside strings.

/// RFC 8259, section 2: `ws = *( %x20 / %x09 / %x0A / %x0D )`.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// CR or LF.
pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A character of a word in prose: everything above U+007F counts.
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-') || byte >= 0x80
}

/// What would make a number longer, or wrong.
pub(crate) const fn continues_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-')
}

/// What would make a literal another word.
pub(crate) const fn continues_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// RFC 8259, section 7: `unescaped = %x20-21 / %x23-5B / %x5D-10FFFF`; true for what is not.
const STRING_STOP: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

/// Whether a byte ends the content of a string, for now: it is no part of `unescaped`.
#[inline(always)]
pub(crate) fn is_string_stop(byte: u8) -> bool {
    STRING_STOP[byte as usize]
}

/// The lowest bit of each byte.
pub(crate) const LOW: u64 = u64::MAX / 255;

/// A word of one byte eight times.
const fn spread(byte: u8) -> u64 {
    LOW * byte as u64
}

/// A high bit in each byte of `word` that is zero.
const fn zeros(word: u64) -> u64 {
    let low = LOW * 0x7F;
    !(((word & low) + low) | word) & !low
}

/// A high bit in each byte of `word` that is a quote, a backslash or a control character.
pub(crate) const fn stops(word: u64) -> u64 {
    zeros(word ^ spread(b'"')) | zeros(word ^ spread(b'\\')) | zeros(word & spread(0xE0))
}

/// Whether one of the bytes of `word` is a quote, a backslash or a control character: fewer steps than to know which.
#[inline(always)]
pub(crate) const fn holds_stop(word: u64) -> bool {
    let (quote, backslash) = (word ^ spread(b'"'), word ^ spread(b'\\'));
    let zero = quote.wrapping_sub(LOW) & !quote | backslash.wrapping_sub(LOW) & !backslash;
    (zero | word.wrapping_sub(spread(0x20)) & !word) & (LOW << 7) != 0
}

/// The high bits of the bytes side by side, the first byte's lowest.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
const fn pack(word: u64) -> u32 {
    ((word >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// Bytes of a block: one vector register on the usual machines.
pub(crate) const BLOCK: usize = 16;

/// A block as one register: SSE2 is a part of x86-64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod block {
    use safe_arch::{
        cmp_eq_mask_i8_m128i, load_unaligned_m128i, m128i, min_u8_m128i, move_mask_i8_m128i, set_splat_i8_m128i,
        sub_i8_m128i,
    };

    use super::{BLOCK, OfNumbers};

    #[inline(always)]
    fn all(byte: u8) -> m128i {
        set_splat_i8_m128i(byte as i8)
    }

    #[inline(always)]
    fn is(bytes: m128i, byte: u8) -> m128i {
        cmp_eq_mask_i8_m128i(bytes, all(byte))
    }

    #[inline(always)]
    fn at_most(bytes: m128i, byte: u8) -> m128i {
        cmp_eq_mask_i8_m128i(min_u8_m128i(bytes, all(byte)), bytes)
    }

    /// One bit a byte.
    #[inline(always)]
    fn bits(mask: m128i) -> u32 {
        move_mask_i8_m128i(mask) as u32
    }

    #[inline(always)]
    pub(crate) fn stops(block: &[u8; BLOCK]) -> u32 {
        let bytes = load_unaligned_m128i(block);
        bits(is(bytes, b'"') | is(bytes, b'\\') | at_most(bytes, 0x1F))
    }

    #[inline(always)]
    pub(crate) fn same(block: &[u8; BLOCK], byte: u8) -> u32 {
        bits(is(load_unaligned_m128i(block), byte))
    }

    #[inline(always)]
    pub(crate) fn white(block: &[u8; BLOCK]) -> (u32, u32) {
        let bytes = load_unaligned_m128i(block);
        let lines = is(bytes, b'\n') | is(bytes, b'\r');
        (bits(lines | is(bytes, b' ') | is(bytes, b'\t')), bits(lines))
    }

    #[inline(always)]
    pub(crate) fn of_numbers(block: &[u8; BLOCK]) -> OfNumbers<u32> {
        let bytes = load_unaligned_m128i(block);
        OfNumbers {
            digits: bits(at_most(sub_i8_m128i(bytes, all(b'0')), 9)),
            zeros: bits(is(bytes, b'0')),
            minus: bits(is(bytes, b'-')),
            point: bits(is(bytes, b'.')),
            exponent: bits(is(bytes | all(0x20), b'e')),
            comma: bits(is(bytes, b',')),
            white: bits(is(bytes, b' ') | is(bytes, b'\n')),
        }
    }
}

/// The same, a word of eight bytes at a time.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod words {
    use super::{BLOCK, LOW, OfNumbers, pack, spread, zeros};

    #[inline]
    fn bits(block: &[u8; BLOCK], wanted: impl Fn(u64) -> u64) -> u32 {
        let half = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&block[at..at + 8]);
            pack(wanted(u64::from_le_bytes(bytes)))
        };
        half(0) | half(8) << 8
    }

    pub(crate) fn stops(block: &[u8; BLOCK]) -> u32 {
        bits(block, super::stops)
    }

    pub(crate) fn same(block: &[u8; BLOCK], byte: u8) -> u32 {
        bits(block, |word| zeros(word ^ spread(byte)))
    }

    pub(crate) fn white(block: &[u8; BLOCK]) -> (u32, u32) {
        let lines = |word| zeros(word ^ spread(b'\n')) | zeros(word ^ spread(b'\r'));
        let others = |word| zeros(word ^ spread(b' ')) | zeros(word ^ spread(b'\t'));
        (bits(block, |word| lines(word) | others(word)), bits(block, lines))
    }

    pub(crate) fn of_numbers(block: &[u8; BLOCK]) -> OfNumbers<u32> {
        let digits = |word: u64| {
            let value = word ^ spread(b'0');
            !(((value & (LOW * 0x7F)) + LOW * (0x7F - 9)) | value) & (LOW << 7)
        };
        OfNumbers {
            digits: bits(block, digits),
            zeros: same(block, b'0'),
            minus: same(block, b'-'),
            point: same(block, b'.'),
            exponent: bits(block, |word| zeros((word | spread(0x20)) ^ spread(b'e'))),
            comma: same(block, b','),
            white: same(block, b' ') | same(block, b'\n'),
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
use words as block;

// Of a block, one bit a byte, the first one lowest: where a byte stands; where content ends; where white space and where a line end stands.
pub(crate) use block::{same, stops as block_stops, white};

/// What stands in and between usual numbers: one bit a byte, the first one lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfNumbers<B> {
    pub(crate) digits: B,
    /// Of the digits.
    pub(crate) zeros: B,
    pub(crate) minus: B,
    pub(crate) point: B,
    /// `e` and `E`.
    pub(crate) exponent: B,
    pub(crate) comma: B,
    /// A space or a line feed.
    pub(crate) white: B,
}

/// The same of 64 bytes.
#[inline(always)]
pub(crate) fn of_numbers(bytes: &[u8; 64]) -> OfNumbers<u64> {
    let (front, back) = bytes.split_at(2 * BLOCK);
    let of = |half: &[u8], at: usize| half[at..].first_chunk().map(block::of_numbers).unwrap_or_default();
    let (first, second, third, fourth) = (of(front, 0), of(front, BLOCK), of(back, 0), of(back, BLOCK));
    macro_rules! all {
        ($field:ident) => {
            u64::from(first.$field | second.$field << BLOCK) | u64::from(third.$field | fourth.$field << BLOCK) << 32
        };
    }
    OfNumbers {
        digits: all!(digits),
        zeros: all!(zeros),
        minus: all!(minus),
        point: all!(point),
        exponent: all!(exponent),
        comma: all!(comma),
        white: all!(white),
    }
}

/// A block from an index on, if there is so much.
#[inline(always)]
pub(crate) fn block_at(bytes: &[u8], at: usize) -> Option<&[u8; BLOCK]> {
    bytes.get(at..)?.first_chunk()
}

/// Whether a line ends in some bytes.
pub(crate) fn holds_line_end(bytes: &[u8]) -> bool {
    let blocks = bytes.chunks_exact(BLOCK);
    let mut rest = blocks.remainder().iter();
    blocks.filter_map(|block| block.first_chunk()).any(|block| white(block).1 != 0)
        || rest.any(|&byte| is_line_end(byte))
}

/// The first index from `from` on that holds a quote, a backslash or a control character; `bytes.len()` if none does.
#[inline(always)]
pub(crate) fn string_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = block_at(bytes, at) {
        let found = block_stops(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += BLOCK;
    }
    let Some(rest @ 1..) = bytes.len().checked_sub(at) else { return at };
    if let Some(last) = bytes.last_chunk::<BLOCK>() {
        // The last block again, without what was searched.
        let found = block_stops(last) >> (BLOCK - rest);
        return if found == 0 { bytes.len() } else { at + found.trailing_zeros() as usize };
    }
    short_stop(bytes, at)
}

/// Where content ends in the 64 bytes from an index on: one bit a byte, the first one lowest. Behind the last byte it does not.
#[inline(always)]
pub(crate) fn stops_in_64(bytes: &[u8], from: usize) -> u64 {
    let Some(blocks) = bytes.get(from..).and_then(|rest| rest.first_chunk::<64>()) else {
        return stops_in_rest(bytes, from);
    };
    let found = |at: usize| block_at(blocks, at).map_or(0, |block| u64::from(block_stops(block)) << at);
    found(0) | found(BLOCK) | found(2 * BLOCK) | found(3 * BLOCK)
}

/// The same where fewer are left.
fn stops_in_rest(bytes: &[u8], from: usize) -> u64 {
    let (mut found, mut at) = (0, from);
    while let Some(block) = block_at(bytes, at) {
        found |= u64::from(block_stops(block)) << (at - from);
        at += BLOCK;
    }
    let rest = bytes.len() - at;
    if let (Some(last), 1..) = (bytes.last_chunk::<BLOCK>(), rest) {
        // The last block again, without what was searched.
        return found | u64::from(block_stops(last) >> (BLOCK - rest)) << (at - from);
    }
    bytes[at..]
        .iter()
        .zip(at - from..)
        .fold(found, |found, (&byte, at)| found | u64::from(STRING_STOP[byte as usize]) << at)
}

/// The same where all of `bytes` is shorter than a block.
#[inline]
fn short_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.len() - at > 8 {
        let word = word(bytes, at);
        let found = stops(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.len() - at;
    if rest == 0 {
        return at;
    }
    // Bytes behind the last one are no stops.
    let found = stops(word(bytes, at) | filler(rest));
    if found == 0 { bytes.len() } else { at + (found.trailing_zeros() / 8) as usize }
}

/// Bytes that are letters behind so many that are zero.
#[inline(always)]
fn filler(len: usize) -> u64 {
    (LOW << 6).checked_shl(8 * len as u32).unwrap_or(0)
}

/// At most eight bytes, the first one lowest; letters behind them.
#[inline(always)]
pub(crate) fn padded(bytes: &[u8]) -> u64 {
    word(bytes, 0) | filler(bytes.len())
}

/// The bytes from an index on, up to eight, the first one lowest; zeros where there are none.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    if let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        return u64::from_le_bytes(*word);
    }
    let rest = 8 * (bytes.len() - at) as u32;
    if let Some(last) = bytes.last_chunk() {
        return u64::from_le_bytes(*last).checked_shr(64 - rest).unwrap_or(0);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)));
        return (first | last << (8 * (bytes.len() - 4))) >> (8 * at);
    }
    bytes[at..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_agrees_with_the_table() {
        let mut bytes = [b'a'; 90];
        for stop in 0..=255u8 {
            for place in 0..90 {
                bytes[place] = stop;
                for len in [place, place + 1, place + 3, 90] {
                    let text = &bytes[..len.min(90)];
                    for from in 0..=text.len().min(20) {
                        let slow = (from..text.len()).find(|&at| STRING_STOP[text[at] as usize]).unwrap_or(text.len());
                        let many = stops_in_64(text, from).trailing_zeros() as usize;
                        let many = if many < 64 { many } else { slow - from };
                        assert!(slow - from < 64 || stops_in_64(text, from) == 0);
                        assert_eq!(
                            (from + many).min(text.len()),
                            slow,
                            "byte {stop:#x} at {place} of {len} from {from}"
                        );
                        assert_eq!(string_stop(text, from), slow, "byte {stop:#x} at {place} of {len} from {from}");
                    }
                }
                bytes[place] = b'a';
            }
        }
    }

    #[test]
    fn a_block_is_its_bytes() {
        let bits = |block: &[u8; BLOCK], wanted: &dyn Fn(u8) -> bool| {
            block.iter().enumerate().fold(0, |bits, (at, &byte)| bits | u32::from(wanted(byte)) << at)
        };
        for byte in 0..=255u8 {
            for place in 0..BLOCK {
                let mut bytes = *b"0 9:/a\xC3{\x7F\"\\5\x1F\n-\xA0";
                bytes[place] = byte;
                let stop = bits(&bytes, &|byte| STRING_STOP[byte as usize]);
                for len in 1..=8 {
                    let slow = bytes[..len].iter().any(|&byte| STRING_STOP[byte as usize]);
                    assert_eq!(holds_stop(padded(&bytes[..len])), slow, "{len} of {bytes:?}");
                }
                assert_eq!([block_stops(&bytes), words::stops(&bytes)], [stop; 2], "{bytes:?}");
                let spaces = (bits(&bytes, &is_space), bits(&bytes, &is_line_end));
                assert_eq!([white(&bytes), words::white(&bytes)], [spaces; 2], "{bytes:?}");
                let numbers = OfNumbers {
                    digits: bits(&bytes, &|byte| byte.is_ascii_digit()),
                    zeros: bits(&bytes, &|byte| byte == b'0'),
                    minus: bits(&bytes, &|byte| byte == b'-'),
                    point: bits(&bytes, &|byte| byte == b'.'),
                    exponent: bits(&bytes, &|byte| matches!(byte, b'e' | b'E')),
                    comma: bits(&bytes, &|byte| byte == b','),
                    white: bits(&bytes, &|byte| matches!(byte, b' ' | b'\n')),
                };
                assert_eq!([block::of_numbers(&bytes), words::of_numbers(&bytes)], [numbers; 2], "{bytes:?}");
                let colon = bits(&bytes, &|byte| byte == b':');
                assert_eq!([same(&bytes, b':'), words::same(&bytes, b':')], [colon; 2], "{bytes:?}");
            }
        }
    }
}
