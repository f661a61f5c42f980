//! The end of a body of server-sent events: what was left, what of it is whole, what the body is instead.

use alloc::boxed::Box;
use core::mem;
use core::ops::Range;

use crate::buffer::BOM;
use crate::diagnosis::{Diagnosis, Quotation};
use crate::eof::{Eof, Left, Whole};
use crate::error::Error;
use crate::json;

use super::Decoder;
use super::line::{data_of, is_stray, split};

impl Decoder {
    /// Ends the body: says what was left.
    ///
    /// # Errors
    ///
    /// The error that [`next_item`](Self::next_item) has given.
    pub fn finish(mut self) -> Result<Eof, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.let_go();
        let mark_len = usize::from(self.bom) % BOM.len();
        if mark_len > 0 {
            self.text.extend_from_slice(&BOM[..mark_len]);
            self.check(mark_len, None, self.at - mark_len as u64)?;
        }
        let line_len = self.open_len();
        let (partial_line, pending_event) = (line_len > 0, self.has_data);
        let has_fields = self.has_data || self.has_next_id || !self.name.is_empty() || self.retry.is_some();
        let is_cut = has_fields || line_len > self.comment_len;
        let line = &self.text[self.line_start..];
        let is_error = split(line).0 == b"error" && line.len() > b"error".len();
        let is_stray = is_stray(line);
        let mut left = Quotation::default();
        left.push(line, self.at - line.len() as u64);
        let (whole, data) = self.whole_data();
        let text = mem::take(&mut self.text);
        if is_stray {
            let line = &text[self.line_start..];
            self.stray(line, self.at - line.len() as u64, false);
        }
        let has_items = self.has_items || whole != Whole::Nothing;
        let is_empty = !self.has_lines && !partial_line;
        let diagnosis = match self.stray.take() {
            // An error that is cut is quoted, whatever stands in front of it.
            _ if is_error && whole != Whole::Error => Some(Diagnosis::quoting(left)),
            None if has_items => None,
            None => Some(Diagnosis::without_events(is_empty, left)),
            Some(stray) => {
                let diagnosis = Diagnosis::quoting(stray.into_quotation());
                (!has_items || diagnosis.kind().is_document()).then_some(diagnosis)
            }
        };
        self.commit_id();
        let left = Left { whole, text, data, name: self.name, id: self.id, retry: self.retry };
        Ok(Eof { partial_line, pending_event, is_cut, diagnosis: diagnosis.map(Box::new), left })
    }

    /// What was not closed, if it is whole all the same. Data and a last data line become one.
    fn whole_data(&mut self) -> (Whole, Range<usize>) {
        let line = &self.text[self.line_start..];
        let value_len = data_of(line).map(<[u8]>::len);
        let is_error = split(line).0 == b"error";
        let value = self.text.len() - split(line).1.len()..self.text.len();
        if is_error && json::is_whole_text(&self.text[value.clone()], false) {
            return (Whole::Error, value);
        }
        let is_ended = line.is_empty();
        match value_len {
            None if !is_ended || !self.has_data => return (Whole::Nothing, 0..0),
            None => {}
            Some(len) if self.event_len(len) > self.event_limit => return (Whole::Nothing, 0..0),
            Some(len) => self.join(len),
        }
        let data = self.data_start..self.line_start;
        let whole = json::is_whole_data(&self.text[data.clone()], is_ended);
        if whole { (Whole::Event, data) } else { (Whole::Nothing, 0..0) }
    }
}
