//! One line: judged, or read as a report, or neither.

use super::counted::{Counted, One};
use super::logs::Block;
use super::sample::Place;
use super::tally::Tally;
use super::told::{self, NoReport};
use crate::args::Judging;
use crate::judged::{Judged, Known};
use crate::request::{KEPT, LONGEST_LINE, NoRequest, Request};

/// One of those who judge: what lines are held against, buffers that are used again, and what was counted.
pub(super) struct Worker<'a> {
    known: Known,
    defaults: &'a Judging,
    request: Request,
    pub(super) tally: Tally,
}

impl<'a> Worker<'a> {
    pub(super) fn new(known: Known, defaults: &'a Judging) -> Self {
        Self { known, defaults, request: Request::default(), tally: Tally::default() }
    }

    /// Takes every line of a block.
    pub(super) fn take(&mut self, block: &Block) {
        for (line, number) in block.bytes.split(|&byte| byte == b'\n').zip(block.start.line..) {
            let place = Place { line: number, ..block.start };
            self.line(place, if number == 1 { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line });
            self.request.shrink(KEPT);
        }
    }

    fn line(&mut self, place: Place, line: &[u8]) {
        if line.len() > LONGEST_LINE {
            return self.tally.add_unreadable(place, line, &NoRequest::too_long().told());
        }
        if line.trim_ascii().is_empty() {
            return;
        }
        let asked = self.request.read(line).map(drop);
        if asked.is_err() || self.request.has_calls() {
            match told::read(line) {
                Ok(counted) => return self.tally.add_reported(place, line, counted),
                // It has a text: it is a request, whatever else it calls an outcome.
                Err(_) if asked.is_ok() => {}
                Err(why) => return self.unreadable(place, line, asked, &why),
            }
        }
        match self.known.judge(&self.request, self.defaults) {
            Ok(judged) => self.judged(place, line, &judged),
            Err(why) => self.tally.add_unreadable(place, line, &why.told()),
        }
    }

    fn judged(&mut self, place: Place, line: &[u8], judged: &Judged) {
        let text = &self.request.text;
        let ending = self.request.ending.unwrap_or(self.defaults.ending);
        let mut counted = Counted::default();
        counted.add(One::judged(judged, text, ending));
        let certain_len = self.known.certain_len(&self.request, self.defaults, judged);
        self.tally.add_judged(place, line, counted, text.len(), certain_len);
    }

    /// A line that is neither: a report that is broken, or else no request.
    fn unreadable(&mut self, place: Place, line: &[u8], asked: Result<(), NoRequest>, why: &NoReport) {
        let no_request = asked.as_ref().map_or_else(NoRequest::told, |()| String::new());
        let told = match why {
            NoReport::Silent(Some(error)) => format!("no request: {error}"),
            NoReport::Silent(None) if asked.is_err_and(|why| why.has_no_reply()) => {
                format!("{no_request}, and no `outcome`")
            }
            NoReport::Broken(error) if self.request.has_outcome() => NoRequest::of(error).told(),
            // Something else is wrong with a request, or it is no JSON.
            NoReport::Silent(None) | NoReport::Broken(_) => no_request,
        };
        self.tally.add_unreadable(place, line, &told);
    }
}
