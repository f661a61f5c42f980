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

/// The first index from `from` on that holds a quote, a backslash or a control character; `bytes.len()` if none does.
#[inline]
pub(crate) fn string_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes([block[0], block[1], block[2], block[3], block[4], block[5], block[6], block[7]]);
        let found = stops(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < bytes.len() && !STRING_STOP[bytes[at] as usize] {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_agrees_with_the_table() {
        let mut bytes = [b'a'; 40];
        for stop in 0..=255u8 {
            for place in 0..40 {
                bytes[place] = stop;
                let slow = (0..40).find(|&at| STRING_STOP[bytes[at] as usize]).unwrap_or(40);
                assert_eq!(string_stop(&bytes, 0), slow, "byte {stop:#x} at {place}");
                bytes[place] = b'a';
            }
        }
    }
}
