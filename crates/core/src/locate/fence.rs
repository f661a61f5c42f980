//! Code fences: a run of three or more backticks or tildes, and the label behind it.

use crate::class::{is_line_end, is_space};
use crate::later::Blank;

/// The labels of a fence that is read.
const JSON: [&[u8]; 4] = [b"json", b"jsonc", b"json5", b"jsonl"];

/// How many bytes of a label are kept; a longer one is no JSON label.
const LABEL: usize = 6;

/// What a fence says about its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Label {
    /// No fence is open.
    #[default]
    None,
    /// A JSON label: read like prose, fenced.
    Json,
    /// No label: counts when it is one document, whole.
    Plain,
    /// Another label: the same, but a broken promise is code.
    Other,
}

/// The fence that is open.
#[derive(Clone, Copy, Debug)]
pub struct Fence {
    pub label: Label,
    mark: u8,
    len: u32,
}

impl Default for Fence {
    fn default() -> Self {
        Self::NONE
    }
}

impl Fence {
    /// No fence.
    pub const NONE: Self = Self { label: Label::None, mark: 0, len: 0 };

    /// Whether a fence is open, and made of this mark.
    pub fn is_mark(&self, byte: u8) -> bool {
        self.label != Label::None && self.mark == byte
    }
}

/// A run of marks and what follows, while it is not decided what it is.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    mark: u8,
    len: u32,
    /// Where the run stands on its line: a fence with any label may open.
    marks: bool,
    /// Directly behind a quote or a closer.
    glued: bool,
    phase: Phase,
    label: [u8; LABEL],
    label_len: u8,
    start: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Marks,
    /// The run opens a fence if any label follows; white space in front of it is allowed.
    OpenAny,
    /// A label in a fence at the beginning of a line, directly behind the run.
    ReopenAny,
    /// Only a JSON label with a line end or an opener behind it opens a fence; else it is text, or closes.
    JsonOnly,
    /// Behind such a label.
    JsonBehind,
    /// The rest of the line of another label.
    Info,
}

/// What a byte did to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Not decided yet; the byte belongs to the run.
    More,
    /// A fence opens; the byte is the first of its content.
    Open(Label),
    /// The fence closes at the end of the run of marks; what is held behind it, and the byte, are text.
    Close,
    /// No fence: all of it is text, the byte not included.
    Text,
}

impl Default for Run {
    fn default() -> Self {
        Self::NONE
    }
}

impl Blank for Run {
    const BLANK: Self = Run::NONE;

    fn blank() -> &'static Self {
        static BLANK: Run = Run::NONE;
        &BLANK
    }
}

impl Run {
    /// No run.
    pub const NONE: Self = Self {
        mark: 0,
        len: 0,
        marks: false,
        glued: false,
        phase: Phase::Marks,
        label: [0; LABEL],
        label_len: 0,
        start: 0,
    };

    /// Begins with its first mark, at an offset; `marks`: where a fence with any label may open; `glued`: directly behind
    /// a quote or a closer, where it is text of a string or of something broken.
    pub fn begin(mark: u8, marks: bool, glued: bool, start: usize) -> Self {
        Self { mark, len: 1, marks, glued, start, ..Self::NONE }
    }

    /// Offset of its first mark.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Offset behind its last mark.
    pub fn end(&self) -> usize {
        self.start + self.len as usize
    }

    /// The fence that this run opens.
    pub fn fence(&self, label: Label) -> Fence {
        Fence { label, mark: self.mark, len: self.len }
    }

    /// Whether there are too few marks for a fence.
    pub fn is_short(&self) -> bool {
        self.len < 3
    }

    /// Whether a label, or what may be one, stands behind the marks with this byte.
    pub fn is_over(&self, byte: u8) -> bool {
        self.phase != Phase::Marks && !is_space(byte)
    }

    /// Whether the label is over, and the rest of its line is being read.
    pub fn has_label(&self) -> bool {
        self.phase == Phase::Info
    }

    /// Takes the next byte. `open` is the fence the run stands in.
    pub fn step(&mut self, byte: u8, open: &Fence) -> Step {
        match self.phase {
            Phase::Marks if byte == self.mark => {
                self.len = self.len.saturating_add(1);
                Step::More
            }
            Phase::Marks => self.behind_marks(byte, open),
            Phase::OpenAny => self.label(byte, true),
            Phase::ReopenAny => self.label(byte, false),
            Phase::JsonOnly => self.json_label(byte, open),
            Phase::JsonBehind => match byte {
                b' ' | b'\t' => Step::More,
                b'{' | b'[' | b'\n' | b'\r' => Step::Open(Label::Json),
                _ => self.not_opened(open),
            },
            Phase::Info if is_line_end(byte) => Step::Open(self.other()),
            Phase::Info if byte == b'`' && self.mark == b'`' => Step::Text,
            Phase::Info => Step::More,
        }
    }

    fn behind_marks(&mut self, byte: u8, open: &Fence) -> Step {
        let inside = open.label != Label::None;
        if self.len < 3 || (inside && (self.mark != open.mark || self.len < open.len)) {
            return Step::Text;
        }
        self.phase = match (inside, self.marks) {
            // The end of a string.
            (false, true) if matches!(byte, b'"' | b'\\') => return Step::Text,
            (false, true) => Phase::OpenAny,
            (_, false) if self.glued => return self.not_opened(open),
            (true, true) if byte.is_ascii_alphanumeric() => Phase::ReopenAny,
            _ => Phase::JsonOnly,
        };
        self.step(byte, open)
    }

    /// Any label: up to white space, a backtick or an opener.
    fn label(&mut self, byte: u8, plain: bool) -> Step {
        match byte {
            b' ' | b'\t' if self.label_len == 0 => return Step::More,
            b'{' | b'[' if self.label_len == 0 && plain => return Step::Open(Label::Plain),
            b'\n' | b'\r' if self.label_len == 0 => return Step::Open(Label::Plain),
            b'{' | b'[' | b'`' => {}
            _ if is_space(byte) => {}
            _ => {
                self.keep(byte);
                return Step::More;
            }
        }
        if self.is_json() {
            return Step::Open(Label::Json);
        }
        self.phase = Phase::Info;
        match byte {
            b'`' if self.mark == b'`' => Step::Text,
            b'\n' | b'\r' => Step::Open(self.other()),
            _ => Step::More,
        }
    }

    /// What a label is that is no JSON label; it may be empty in front of a backtick.
    fn other(&self) -> Label {
        if self.label_len == 0 { Label::Plain } else { Label::Other }
    }

    fn json_label(&mut self, byte: u8, open: &Fence) -> Step {
        match byte {
            b' ' | b'\t' if self.label_len == 0 => return Step::More,
            b' ' | b'\t' | b'{' | b'[' | b'\n' | b'\r' if self.is_json() => {
                self.phase = Phase::JsonBehind;
                return self.step(byte, open);
            }
            _ if byte.is_ascii_alphanumeric() => {
                self.keep(byte);
                let label = &self.label[..self.label_len as usize];
                let may_be = JSON.iter().any(|json| json.len() >= label.len() && json[..label.len()] == *label);
                if may_be {
                    return Step::More;
                }
                self.label_len -= 1;
            }
            _ => {}
        }
        self.not_opened(open)
    }

    fn not_opened(&self, open: &Fence) -> Step {
        if open.label == Label::None { Step::Text } else { Step::Close }
    }

    fn keep(&mut self, byte: u8) {
        if let Some(place) = self.label.get_mut(self.label_len as usize) {
            *place = byte.to_ascii_lowercase();
            self.label_len += 1;
        }
    }

    fn is_json(&self) -> bool {
        JSON.iter().any(|json| **json == self.label[..self.label_len as usize])
    }

    /// What the end of the reply makes of it: whether an open fence closes here. With an unfinished label it does not.
    pub fn closes_at_end(&self, open: &Fence) -> bool {
        let mut run = *self;
        open.label != Label::None && run.label_len == 0 && run.step(b'\n', open) == Step::Close
    }

    /// Whether an open fence ends with it, another one opening or not.
    pub fn ends_at_end(&self, open: &Fence) -> bool {
        let mut run = *self;
        open.label != Label::None && run.step(b'\n', open) != Step::Text
    }
}
