//! Reasoning tags: `<think>`, `<thinking>`, `<reasoning>` and their closing forms, ASCII case ignored.

use crate::later::Blank;

/// The tags, without the first `<`.
const NAMES: [&[u8]; 3] = [b"think>", b"thinking>", b"reasoning>"];

/// The longest tag, `</reasoning>`.
const LONGEST: usize = 12;

/// A tag being read.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    held: [u8; LONGEST],
    len: u8,
    blank: bool,
    start: usize,
}

/// What a byte did to a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Not decided yet; the byte is held.
    More,
    /// An opening tag is complete with this byte.
    Open,
    /// A closing tag is complete with this byte.
    Close,
    /// No tag; the byte is not part of it.
    Text,
}

impl Default for Tag {
    fn default() -> Self {
        Self::NONE
    }
}

impl Blank for Tag {
    const BLANK: Self = Tag::NONE;

    fn blank() -> &'static Self {
        static BLANK: Tag = Tag::NONE;
        &BLANK
    }
}

impl Tag {
    /// No tag.
    pub const NONE: Self = Self { held: [0; LONGEST], len: 0, blank: false, start: 0 };

    /// Begins with `<` at an offset; `blank`: nothing but white space stands before on its line.
    pub fn begin(blank: bool, start: usize) -> Self {
        let mut held = [0; LONGEST];
        held[0] = b'<';
        Self { held, len: 1, blank, start }
    }

    /// Whether an opening tag may stand here.
    pub fn blank(&self) -> bool {
        self.blank
    }

    /// Offset of its `<`.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Takes the next byte.
    pub fn step(&mut self, byte: u8) -> Step {
        let len = self.len as usize;
        if len == LONGEST {
            return Step::Text;
        }
        self.held[len] = byte;
        let (name, close) = match &self.held[1..=len] {
            [b'/', name @ ..] => (name, true),
            name => (name, false),
        };
        let mut more = false;
        for tag in NAMES {
            if name.len() <= tag.len() && tag[..name.len()].eq_ignore_ascii_case(name) {
                if name.len() == tag.len() {
                    return if close { Step::Close } else { Step::Open };
                }
                more = true;
            }
        }
        if !more {
            return Step::Text;
        }
        self.len += 1;
        Step::More
    }
}
