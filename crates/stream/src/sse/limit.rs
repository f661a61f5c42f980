//! Whether a line and its event may be as long as they are. The error is the same however the line is cut: of both limits the one
//! that is passed first, at its first byte over.

use crate::error::{Error, ErrorKind};

use super::Decoder;

impl Decoder {
    /// Checks the line that is open, of which the last piece stands at an offset.
    #[cold]
    pub(super) fn check_open(&self, piece: &[u8], at: u64) -> Result<(), Error> {
        let kept = &self.text[self.line_start..];
        let len = kept.len() + piece.len();
        let mut front = [0; b"data: ".len()];
        for (to, from) in front.iter_mut().zip(kept.iter().chain(piece)) {
            *to = *from;
        }
        // Without its colon it may be another field.
        let value_len = front.starts_with(b"data:").then(|| len - if front[5] == b' ' { 6 } else { 5 });
        self.check(len, value_len, at - kept.len() as u64)
    }

    /// Whether a line at an offset may be so long, and, of a data line, the event with its value. If not, it is the first
    /// byte over a limit that counts: however the line is cut, it is the same.
    #[inline]
    pub(super) fn check(&self, len: usize, value_len: Option<usize>, start: u64) -> Result<(), Error> {
        let is_long = value_len.is_some_and(|value_len| self.event_len(value_len) > self.event_limit);
        if len <= self.line_limit && !is_long {
            return Ok(());
        }
        Err(self.too_long(len, value_len, start))
    }

    #[cold]
    pub(super) fn too_long(&self, len: usize, value_len: Option<usize>, start: u64) -> Error {
        let line_error = || Error::new(ErrorKind::LineTooLong(self.line_limit), start + self.line_limit as u64);
        let Some(value_len) = value_len.filter(|&value_len| self.event_len(value_len) > self.event_limit) else {
            return line_error();
        };
        let room = self.event_limit.checked_sub(self.event_len(0));
        let offset = room.map_or(start, |room| start + (len - value_len + room) as u64);
        if len > self.line_limit && start + self.line_limit as u64 <= offset {
            return line_error();
        }
        Error::new(ErrorKind::EventTooLong(self.event_limit), offset)
    }

    /// Bytes of the event with one more data line.
    pub(super) fn event_len(&self, value_len: usize) -> usize {
        let joined = if self.has_data { self.line_start - self.data_start + 1 } else { 0 };
        joined + value_len + self.name.len()
    }
}
