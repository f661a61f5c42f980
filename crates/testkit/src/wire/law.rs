//! What holds for every body, over one [`Input`]. The fuzz target `wire` runs it.
//!
//! An input is a line of five characters, which choose, and the body behind it. Of a character the low six bits count, so
//! that every choice can be written as text:
//!
//! | character | chooses | `@`, which is zero |
//! |---|---|---|
//! | 1 | the decoder, a row of [`ALL`](super::ALL); the first where there is none | `sse` |
//! | 2 | three bits for the limit of a line, three for those of an event and of a frame | the defaults |
//! | 3 to 5 | the lengths of the chunks, over and over; the third is one more | an empty chunk; one byte |

use thusfar_stream::Limits;

use super::check::cut_by;
use super::decoder::{ALL, Decoder};

/// Limits that a short body reaches; the first is the default.
const LIMITS: [usize; 8] = [8 << 20, 0, 1, 2, 6, 11, 20, 60];

/// A body, and how it is read.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The decoder.
    pub decoder: &'static Decoder,
    /// Its limits.
    pub limits: Limits,
    /// The lengths of the chunks, over and over. They are not all zero.
    pub cuts: [usize; 3],
    /// The bytes.
    pub body: &'a [u8],
}

impl<'a> Input<'a> {
    /// The input that some bytes are; `None` without a whole first line.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        static DECODERS: &[Decoder] = &ALL;
        let (first_line, body) = bytes.split_first_chunk::<6>()?;
        let [decoder, limits, one, two, three, _] = first_line.map(|byte| usize::from(byte & 63));
        let (line_len, event_len) = (Some(LIMITS[limits & 7]), Some(LIMITS[limits >> 3]));
        // A frame has sixteen bytes of its own.
        let frame_len = Limits::default().frame_len.filter(|_| limits >> 3 == 0).or(event_len.map(|len| len + 16));
        let limits = Limits { line_len, event_len, frame_len };
        let decoder = DECODERS.get(decoder).unwrap_or(&DECODERS[0]);
        Some(Self { decoder, limits, cuts: [one, two, three + 1], body })
    }
}

/// However a body is cut, a caller sees the same, and it is what the twin says.
pub fn any_cut(input: &Input<'_>) {
    let _ = cut_by(input.decoder, input.limits, input.body, &input.cuts);
}
