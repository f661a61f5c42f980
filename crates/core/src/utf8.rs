//! Bytes to text across chunks (RFC 3629): the bytes of a character that is not complete yet wait for the next chunk.

/// The beginning of a character, at most three bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Partial {
    bytes: [u8; 4],
    len: u8,
}

/// The next piece of text in some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text that lies in the bytes.
    Text(&'a str),
    /// The character that an earlier chunk began.
    Char(char),
    /// Bytes that are no UTF-8; how many bytes the character began with before this one showed it.
    Invalid(usize),
}

impl Partial {
    /// Whether a character is open.
    pub(crate) fn is_open(&self) -> bool {
        self.len > 0
    }

    /// What is there of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }

    /// Takes the next piece from the front of `bytes`; nothing when they are used up.
    pub(crate) fn next<'a>(&mut self, bytes: &mut &'a [u8]) -> Option<Piece<'a>> {
        if self.len > 0 {
            return self.complete(bytes);
        }
        if bytes.is_empty() {
            return None;
        }
        let all = *bytes;
        match core::str::from_utf8(all) {
            Ok(text) => {
                *bytes = &[];
                Some(Piece::Text(text))
            }
            Err(error) => {
                let (valid, rest) = all.split_at(error.valid_up_to());
                *bytes = rest;
                if !valid.is_empty() {
                    return core::str::from_utf8(valid).ok().map(Piece::Text);
                }
                self.complete(bytes)
            }
        }
    }

    /// Takes bytes one by one until a character is complete or cannot be.
    fn complete<'a>(&mut self, bytes: &mut &'a [u8]) -> Option<Piece<'a>> {
        while let Some((&first, rest)) = bytes.split_first() {
            let len = self.len as usize;
            self.bytes[len] = first;
            match core::str::from_utf8(&self.bytes[..=len]) {
                Ok(text) => {
                    *bytes = rest;
                    self.len = 0;
                    return text.chars().next().map(Piece::Char);
                }
                Err(error) if error.error_len().is_some() => return Some(Piece::Invalid(len)),
                Err(_) => {
                    *bytes = rest;
                    self.len += 1;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// The text, and where it broke: the character's first byte and the byte that showed it.
    fn feed<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> (String, Option<(usize, usize)>) {
        let (mut partial, mut text) = (Partial::default(), String::new());
        for mut chunk in chunks {
            while let Some(piece) = partial.next(&mut chunk) {
                match piece {
                    Piece::Text(piece) => text.push_str(piece),
                    Piece::Char(piece) => text.push(piece),
                    Piece::Invalid(before) => {
                        let start = text.len();
                        return (text, Some((start, start + before)));
                    }
                }
            }
        }
        (text, None)
    }

    #[test]
    fn every_chunking_gives_the_same() {
        let cases: [&[u8]; 9] = [
            "aé茶🐢z".as_bytes(),
            b"a\xFFb",
            b"a\xE8\x41",
            b"\xF0\x9F\x90",
            b"x\xC0\x80",
            b"\xED\xA0\x80",
            b"\xF4\x90\x80\x80",
            b"ok \xE2\x82",
            b"\xF0\x9F\x41",
        ];
        for case in cases {
            let whole = feed(core::iter::once(case));
            assert_eq!(whole, feed(case.chunks(1)));
            for split in 0..=case.len() {
                let (front, back) = case.split_at(split);
                assert_eq!(whole, feed([front, back].into_iter()));
            }
        }
    }
}
