//! Every limit and guard: its name, its unit, its default.
//!
//! A limit refuses what is too large for the caller; a guard refuses what cannot be going anywhere. Guards are judged at
//! offsets that are multiples of [`GUARD_STRIDE`], so that the verdict does not depend on how the reply was cut into
//! chunks.

/// Guards are judged where the offset in the raw reply is a multiple of this many bytes.
pub const GUARD_STRIDE: usize = 256;

/// The longest period, in bytes, that counts as a repetition.
pub const LONGEST_PERIOD: usize = 1024;

/// A repetition has at least this many copies of its period.
pub const FEWEST_COPIES: usize = 8;

/// A lower limit for runs of white space counts as this: behind an escaped quote some of it waits before it is known what it is.
pub const LEAST_WHITE_SPACE: usize = 128;

/// The limits and guards of one reply. `None` turns one off.
///
/// ```
/// use thusfar_core::Limits;
/// let limits = Limits { nesting: Some(16), ..Limits::default() };
/// assert_eq!(limits.reply_len, Some(8 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole reply; one more is over the limit. Default 8 MiB.
    pub reply_len: Option<usize>,
    /// Open frames at once; one more is over the limit. Default 127, which `serde_json` still reads.
    pub nesting: Option<usize>,
    /// Repairs recorded in the whole reply; one more is over the limit. Default 10,000.
    pub repairs: Option<usize>,
    /// Keys in one object; one more is over the limit. Default 100,000.
    pub keys: Option<usize>,
    /// Bytes of one run of white space between tokens or in prose, at least [`LEAST_WHITE_SPACE`]: runaway. Default 4 KiB.
    pub white_space: Option<usize>,
    /// Bytes of an exact repetition whose period holds letters inside a string: runaway. Default 4 KiB.
    pub repetition: Option<usize>,
    /// Bytes of any other exact repetition: runaway. Default 64 KiB.
    pub other_repetition: Option<usize>,
    /// Bytes of one run of white space behind a closed document that make it final. Default off.
    pub white_space_behind: Option<usize>,
    /// Bytes of any text behind a closed document that make it final. Default off.
    pub text_behind: Option<usize>,
    /// Bytes of text before anything was found that make it "not found". Default off.
    pub text_before: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            reply_len: Some(8 << 20),
            nesting: Some(127),
            repairs: Some(10_000),
            keys: Some(100_000),
            white_space: Some(4 << 10),
            repetition: Some(4 << 10),
            other_repetition: Some(64 << 10),
            white_space_behind: None,
            text_behind: None,
            text_before: None,
        }
    }
}

impl Limits {
    /// No limit and no guard at all: for trusted text only.
    pub const NONE: Self = Self {
        reply_len: None,
        nesting: None,
        repairs: None,
        keys: None,
        white_space: None,
        repetition: None,
        other_repetition: None,
        white_space_behind: None,
        text_behind: None,
        text_before: None,
    };
}
