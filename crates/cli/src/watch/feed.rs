//! The input in pieces: as it comes, so long each, at a rate.

use std::thread;
use std::time::{Duration, Instant};

use crate::args::WatchArgs;
use crate::input::{CHUNK_LEN, Input, Piece, Trouble};

/// Bytes of the prefixes that `--views` shows, where nothing else is said.
const VIEWS_LEN: usize = 64;
/// Pieces in a second at a rate.
const PIECES: u64 = 30;

/// An input and how it is taken.
pub(super) struct Feed {
    input: Input,
    piece: Piece,
    taken: Vec<u8>,
    pace: Option<Pace>,
}

/// So many bytes a second, since when, and how many so far.
struct Pace {
    rate: u64,
    since: Option<Instant>,
    given: u64,
}

impl Feed {
    pub(super) fn open(args: &WatchArgs) -> Result<Self, Trouble> {
        let input = Input::open(args.file.as_ref())?;
        let rate = args.rate.map(u64::from);
        let pace = rate.map(|rate| Pace { rate, since: None, given: 0 });
        Ok(Self { input, piece: piece(args), taken: Vec::new(), pace })
    }

    /// What to call the input.
    pub(super) fn name(&self) -> &str {
        &self.input.name
    }

    /// Whether the next piece may be waited for.
    pub(super) fn may_wait(&self) -> bool {
        self.pace.is_some() || self.input.may_wait()
    }

    /// The next piece, when it is time; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Trouble> {
        self.input.next_piece(self.piece, &mut self.taken)?;
        if let Some(pace) = &mut self.pace {
            pace.wait(self.taken.len());
        }
        Ok(Some(self.taken.as_slice()).filter(|piece| !piece.is_empty()))
    }
}

impl Pace {
    /// Waits until the bytes in front of the next ones have had their time.
    fn wait(&mut self, len: usize) {
        let since = *self.since.get_or_insert_with(Instant::now);
        let due = Duration::try_from_secs_f64(self.given as f64 / self.rate as f64).unwrap_or(Duration::MAX);
        thread::sleep(due.saturating_sub(since.elapsed()));
        self.given += len as u64;
    }
}

fn piece(args: &WatchArgs) -> Piece {
    let at_rate = |rate: u64| usize::try_from(rate / PIECES).unwrap_or(CHUNK_LEN).clamp(1, CHUNK_LEN);
    match (args.chunk, args.rate) {
        (Some(len), _) => Piece::Exactly(len.get()),
        (None, _) if args.views => Piece::Exactly(VIEWS_LEN),
        (None, Some(rate)) => Piece::UpTo(at_rate(rate.get())),
        (None, None) => Piece::UpTo(CHUNK_LEN),
    }
}
