//! What of a scanner's state most pushes leave alone: a crowd of scanners whose turn comes round has less to fetch.

use crate::later::{Blank, Later};
use crate::locate::{behind::Behind, debris::Debris, fence::Fence, fence::Run, line::Line, tag::Tag};

use super::comment::Comment;
use super::escaped::Escaped;
use super::state::{Candidate, Found, Openers};

/// All that is not needed inside a string, between tokens and inside a number.
#[derive(Clone)]
pub(super) struct Cold {
    // Candidates.
    pub(super) candidate: Candidate,
    pub(super) repairs: u32,
    pub(super) comment: Later<Comment>,
    /// Where the last comment, or escaped white space, begins.
    pub(super) noise: usize,

    // Tokens.
    /// The code unit being read, and the high surrogate before it.
    pub(super) unit: u16,
    pub(super) high: u16,
    /// Where the escape began, and where the high surrogate's did.
    pub(super) escape: usize,
    pub(super) high_at: usize,
    pub(super) escaped: Later<Escaped>,

    // Text.
    pub(super) line: Line,
    pub(super) fence: Fence,
    pub(super) run: Later<Run>,
    pub(super) tag: Later<Tag>,
    pub(super) behind: Behind,
    pub(super) debris: Later<Debris>,
    /// Marks not closed yet, `{` and the `[` of broken promises; where the outermost stands.
    pub(super) braces: u32,
    pub(super) hidden: u32,
    /// All `[` marks not closed yet: a weak candidate among them may be a part of something.
    pub(super) brackets: u32,
    pub(super) outermost_brace: usize,
    pub(super) outermost_hidden: usize,
    /// Openers not closed yet behind the last bare document, and behind the last one in the fence that is open.
    pub(super) behind_bare: Openers,
    pub(super) behind_fenced: Openers,
    pub(super) found: Found,

    /// First offset that no piece was told for.
    pub(super) told: usize,
}

impl Blank for Cold {
    const BLANK: Self = Self {
        candidate: Candidate::NONE,
        repairs: 0,
        comment: Later::BLANK,
        noise: usize::MAX,
        unit: 0,
        high: 0,
        escape: 0,
        high_at: 0,
        escaped: Later::BLANK,
        line: Line::START,
        fence: Fence::NONE,
        run: Later::BLANK,
        tag: Later::BLANK,
        behind: Behind::NONE,
        debris: Later::BLANK,
        braces: 0,
        hidden: 0,
        brackets: 0,
        outermost_brace: 0,
        outermost_hidden: 0,
        behind_bare: Openers::NONE,
        behind_fenced: Openers::NONE,
        found: Found::NONE,
        told: 0,
    };

    fn blank() -> &'static Self {
        static BLANK: Cold = Cold::BLANK;
        &BLANK
    }
}
