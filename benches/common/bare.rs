//! The yardstick: the least that a reader of JSON structure can do, chunk by chunk.
//!
//! `memchr2` for `"` and `\` inside strings, a table of 256 classes outside, a stack of bracket kinds, one bit each.
//! Nothing else: no grammar, no numbers, no text kept, no UTF-8. What it knows at the end of a chunk it still knows at
//! the start of the next: whether it is in a string, behind a backslash, and which brackets are open.
//!
//! It is never made faster or slower to flatter a ratio. `push` is not inlined: a yardstick must not depend on how many
//! places call it.

/// What a byte means outside strings.
const PLAIN: u8 = 0;
const QUOTE: u8 = 1;
const OPENER: u8 = 2;
const CLOSER: u8 = 3;
/// Beside the class of a bracket: it is a square one.
const SQUARE: u8 = 4;

const CLASS: [u8; 256] = {
    let mut class = [PLAIN; 256];
    class[b'"' as usize] = QUOTE;
    class[b'{' as usize] = OPENER;
    class[b'}' as usize] = CLOSER;
    class[b'[' as usize] = OPENER | SQUARE;
    class[b']' as usize] = CLOSER | SQUARE;
    class
};

/// The scanner between two chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bare {
    in_string: bool,
    /// The last byte was a backslash that escapes the next one.
    escaped: bool,
    /// A closer met the wrong opener or none, or there were more than 64 open.
    failed: bool,
    depth: u32,
    /// One bit for each open bracket, the innermost lowest: 1 is square.
    stack: u64,
}

impl Bare {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Reads one chunk.
    #[inline(never)]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let mut at = 0;
        if self.in_string {
            if self.escaped && !bytes.is_empty() {
                self.escaped = false;
                at = 1;
            }
            at = self.string(bytes, at);
        }
        while at < bytes.len() {
            let class = CLASS[usize::from(bytes[at])];
            at += 1;
            if class == PLAIN {
                continue;
            }
            match class {
                QUOTE => at = self.string(bytes, at),
                _ if class & !SQUARE == OPENER => {
                    self.failed |= self.depth == u64::BITS;
                    self.depth = self.depth.wrapping_add(1);
                    self.stack = self.stack << 1 | u64::from(class & SQUARE != 0);
                }
                _ => {
                    self.failed |= self.depth == 0 || self.stack & 1 != u64::from(class & SQUARE != 0);
                    self.depth = self.depth.wrapping_sub(1);
                    self.stack >>= 1;
                }
            }
        }
    }

    /// Reads on in a string; gives the place behind its closing quote or the end of the chunk.
    #[inline(always)]
    fn string(&mut self, bytes: &[u8], mut at: usize) -> usize {
        loop {
            let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) else {
                self.in_string = true;
                return bytes.len();
            };
            at += found + 1;
            if bytes[at - 1] == b'"' {
                self.in_string = false;
                return at;
            }
            if at == bytes.len() {
                self.in_string = true;
                self.escaped = true;
                return at;
            }
            at += 1;
        }
    }

    /// Asserts that a whole document has been read.
    pub(crate) fn assert_done(&self) {
        assert_eq!(*self, Self::default(), "the bare scanner has read a whole document");
    }
}

/// The same, as plainly as it can be said: what [`Bare`] is checked against.
#[derive(Default)]
struct Plain {
    in_string: bool,
    escaped: bool,
    open: Vec<u8>,
}

impl Plain {
    fn step(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            b'{' | b'[' if !self.in_string => self.open.push(byte),
            b'}' | b']' if !self.in_string => assert_eq!(self.open.pop(), Some(if byte == b'}' { b'{' } else { b'[' })),
            _ => {}
        }
    }

    fn bare(&self) -> Bare {
        Bare {
            in_string: self.in_string,
            escaped: self.escaped,
            failed: false,
            depth: self.open.len() as u32,
            stack: self.open.iter().fold(0, |stack, &opener| stack << 1 | u64::from(opener == b'[')),
        }
    }
}

/// Asserts that the yardstick is right: behind every chunk, however the text is cut, it knows what plain reading knows.
pub(crate) fn check(text: &str) {
    for len in [1, 2, 3, 4, 7, 64, 250, 1_400, 16_384, usize::MAX] {
        let (mut bare, mut plain) = (Bare::new(), Plain::default());
        for chunk in text.as_bytes().chunks(len) {
            bare.push(chunk);
            chunk.iter().for_each(|&byte| plain.step(byte));
            assert_eq!(bare, plain.bare(), "in chunks of {len}");
        }
        bare.assert_done();
    }
}
