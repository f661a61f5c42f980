//! What holds for every body that is read as a stream, over one [`Input`]. The fuzz target `stream` runs it.
//!
//! An input is a line of eight characters, which choose, and the body behind it. Of a character the low six bits count, so
//! that every choice can be written as text:
//!
//! | character | chooses | `@`, which is zero |
//! |---|---|---|
//! | 1 | the provider, a row of [`Provider::ALL`] behind none | found out |
//! | 2 | two bits for how many choices there are, three for the framing | one; found out |
//! | 3 | what the text is judged as, which document is taken, one bit: judged lanes are watched | it is not judged |
//! | 4 | three bits for the limits of the lanes, three for those of the wire | the defaults |
//! | 5 | two bits for what is kept, four for what ended the body | all; nobody said |
//! | 6 to 8 | the lengths of the chunks, over and over; the third is one more | an empty chunk; one byte |

use std::sync::Arc;

use thusfar_core::{Elements, Ending, Expect, Keep, Limits as ReplyLimits, Take};
use thusfar_stream::{Framing, LaneLimits, LaneOptions, Limits, Provider, SessionOptions, Watch};

use crate::streams::cut_stream_by;

/// A body, and how it is read.
pub struct Input<'a> {
    /// What is known of it.
    pub options: SessionOptions,
    /// What the transport says.
    pub ending: Ending,
    /// The lengths of the chunks, over and over. They are not all zero.
    pub cuts: [usize; 3],
    /// The bytes.
    pub body: &'a [u8],
}

const FRAMINGS: [Option<Framing>; 5] =
    [None, Some(Framing::Sse), Some(Framing::Ndjson), Some(Framing::JsonArray), Some(Framing::Aws)];
const TAKES: [Take; 4] = [Take::Only, Take::First, Take::Last, Take::Alone];
const KEEPS: [Keep; 4] = [Keep::All, Keep::Nothing, Keep::Tail(0), Keep::Tail(8)];
/// Limits that a short body reaches; the first is left as it is.
const LIMITS: [usize; 8] = [0, 0, 1, 2, 6, 11, 20, 60];

impl<'a> Input<'a> {
    /// The input that some bytes are; `None` without a whole first line.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let (first_line, body) = bytes.split_first_chunk::<9>()?;
        let [provider, shape, judged, limits, end, one, two, three, _] = first_line.map(|byte| usize::from(byte & 63));
        let lane_limits = lane_limits(limits & 7);
        let keep = KEEPS[end & 3];
        let judge = |expect: Expect| expect.take(TAKES[judged >> 3 & 3]).keep(keep).limits(reply_limits(limits & 7));
        let text = match judged & 7 {
            0 => None,
            1 | 5.. => Some(Expect::any()),
            2 => Some(Expect::object()),
            3 => Some(Expect::array()),
            4 => Some(Expect::value()),
        };
        let watch = if judged & 32 == 0 { Watch::No } else { Watch::Elements(items()) };
        let lanes = LaneOptions {
            text: text.map(judge),
            tool_args: judge(Expect::object()),
            keep,
            watch,
            limits: lane_limits,
            ..LaneOptions::default()
        };
        let options = SessionOptions {
            framing: FRAMINGS.get(shape >> 2 & 7).copied().flatten(),
            provider: provider.checked_sub(1).and_then(|row| Provider::ALL.get(row)).map(|(provider, _)| *provider),
            lanes: Arc::new(lanes),
            choice_count: 1 + (shape & 3) as u32,
            limits: wire_limits(limits >> 3),
        };
        let ending = Ending::ALL.get((end >> 2).wrapping_sub(1)).map_or(Ending::Unknown, |(ending, _)| *ending);
        Some(Self { options, ending, cuts: [one, two, three + 1], body })
    }
}

/// The elements of a root that is an array, and the member `-` of one that is an object.
fn items() -> Elements {
    Elements::new("/-").expect("it is a pointer")
}

fn lane_limits(row: usize) -> LaneLimits {
    match LIMITS[row] {
        _ if row == 0 => LaneLimits::default(),
        limit => LaneLimits {
            lanes: Some(limit.min(4)),
            id_len: Some(limit),
            name_len: Some(limit),
            text_len: Some(limit * 4),
            session_len: Some(limit * 8),
            patch_len: Some(limit * 8),
        },
    }
}

fn reply_limits(row: usize) -> ReplyLimits {
    let default = ReplyLimits::default();
    if row == 0 { default } else { ReplyLimits { reply_len: Some(LIMITS[row] * 6), ..default } }
}

fn wire_limits(row: usize) -> Limits {
    match LIMITS[row] {
        _ if row == 0 => Limits::default(),
        limit => Limits { line_len: Some(limit * 8), event_len: Some(limit * 6), frame_len: Some(limit * 6 + 16) },
    }
}

/// However a body is cut, a caller is told the same, and it comes to the same.
pub fn any_cut(input: &Input<'_>) {
    let _ = cut_stream_by(input.body, &input.options, input.ending, &input.cuts);
}
