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

const LOW: u64 = u64::MAX / 255;
const HIGH: u64 = LOW << 7;

/// A high bit in each byte of `word` that is a quote, a backslash or a control character. Bits above the lowest may be
/// false, the lowest never is: borrows travel upwards only.
const fn stops(word: u64) -> u64 {
    let quote = word ^ (LOW * b'"' as u64);
    let backslash = word ^ (LOW * b'\\' as u64);
    let below = word.wrapping_sub(LOW * 0x20) & !word;
    ((quote.wrapping_sub(LOW) & !quote) | (backslash.wrapping_sub(LOW) & !backslash) | below) & HIGH
}

/// Eight bytes from an index on, if there are so many.
#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Four bytes from an index on, if there are so many.
#[inline]
fn half(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

/// The first index from `from` on that holds a quote, a backslash or a control character; `bytes.len()` if none does.
#[inline]
pub(crate) fn string_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    // Most strings are short: one word first, then blocks.
    if let Some(first) = word(bytes, at) {
        let found = stops(first);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at = long_string_stop(bytes, at + 8);
    } else if let Some(first) = half(bytes, at) {
        // Bits of the absent bytes are set: there is no stop among them, they are no control characters.
        let found = stops(first | (LOW << 6) << 32);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 4;
    }
    while at < bytes.len() && !STRING_STOP[bytes[at] as usize] {
        at += 1;
    }
    at
}

/// Bytes of a block: one vector register on the usual machines.
const BLOCK: usize = 16;

/// The same in blocks and words; stops short of the end where there is none.
fn long_string_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        // Without branches, so that the compiler makes vector instructions of it.
        let stop = |byte: u8| u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(byte < 0x20);
        if block.iter().fold(0, |any, &byte| any | stop(byte)) != 0 {
            break;
        }
        at += BLOCK;
    }
    while let Some(word) = word(bytes, at) {
        let found = stops(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_agrees_with_the_table() {
        let mut bytes = [b'a'; 60];
        for stop in 0..=255u8 {
            for place in 0..60 {
                bytes[place] = stop;
                for len in [place, place + 1, place + 3, 60] {
                    let text = &bytes[..len.min(60)];
                    for from in 0..=text.len().min(9) {
                        let slow = (from..text.len()).find(|&at| STRING_STOP[text[at] as usize]).unwrap_or(text.len());
                        assert_eq!(string_stop(text, from), slow, "byte {stop:#x} at {place} of {len} from {from}");
                    }
                }
                bytes[place] = b'a';
            }
        }
    }
}
