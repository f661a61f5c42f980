//! `check_wire()`: one body, read under every way of cutting it, must give one report. Nothing else runs a test of the wire.
//!
//! Whole; byte by byte with empty chunks between; at every 2-split (up to 2 KiB; sampled beyond); at random 3-splits; in
//! chunks of fixed lengths; and with a clone half-way. On the way it holds that
//!
//! * after each chunk the items are out that one push of these bytes gives, and the error is, if there is one;
//! * of each beginning of the body (sampled beyond 300 bytes) the decoder says what its twin says, up to the end;
//! * an empty chunk is nothing, and a chunk that gives no further item is used up;
//! * an error stays: no more bytes are taken, and the end is the same error;
//! * a body without items has a diagnosis, whose quotation stands where it says.

use std::slice;

use thusfar_stream::diagnosis::QUOTATION_LEN;
use thusfar_stream::{BodyKind, Error, Limits};

use super::decoder::{Decoder, Wire};
use super::record::{End, Report, Said, brief};
use super::twin::Told;
use crate::random::Random;

/// Chunk lengths that are tried besides, where they do not make too many chunks.
const LENGTHS: [usize; 10] = [2, 3, 5, 7, 16, 61, 100, 1000, 1400, 16 << 10];

/// Beginnings of a body that are shown to the twin: all of them up to so many.
const BEGINNINGS: usize = 300;

/// What is out after a chunk: how many items, and whether the error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Out {
    item_count: usize,
    has_failed: bool,
}

/// A body that was read in one way: the report, and what was out behind each chunk with the bytes up to there.
struct Reading {
    report: Report,
    borders: Vec<(usize, Out)>,
}

/// A decoder with the limits that it has here.
#[derive(Clone, Copy)]
struct Setting<'a> {
    decoder: &'a Decoder,
    limits: Limits,
    body: &'a [u8],
}

/// Reads a body under every way of cutting it; panics where two differ.
pub fn check_wire(decoder: &Decoder, limits: Limits, body: &[u8]) -> Report {
    let setting = Setting { decoder, limits, body };
    let (whole, outs) = setting.base();
    for at in places(body.len(), 2048, samples(body.len())) {
        let (front, back) = body.split_at(at);
        setting.same(&whole, &outs, [front, back], &format!("split at {at}"));
    }
    let mut random = Random::new(body.len() as u64 + 1);
    for _ in 0..samples(body.len()).div_ceil(8) {
        let mut cuts = [random.below(body.len() + 1), random.below(body.len() + 1)];
        cuts.sort_unstable();
        let chunks = [&body[..cuts[0]], &body[cuts[0]..cuts[1]], &body[cuts[1]..]];
        setting.same(&whole, &outs, chunks, &format!("split at {cuts:?}"));
    }
    for len in LENGTHS.into_iter().filter(|len| *len < body.len() && body.len() / len < 1 << 18) {
        setting.same(&whole, &outs, body.chunks(len), &format!("chunks of {len}"));
    }
    setting.cloned(&whole);
    setting.twin(places(body.len(), BEGINNINGS, ((1 << 20) / body.len().max(1)).clamp(1, 24)));
    whole
}

/// Less of the same for bodies of which there are many: whole, byte by byte, in chunks of some lengths, over and over,
/// which are not all zero; the twin says what it says of some beginnings.
pub fn cut_by(decoder: &Decoder, limits: Limits, body: &[u8], lengths: &[usize]) -> Report {
    let setting = Setting { decoder, limits, body };
    let (whole, outs) = setting.base();
    let mut rest = body;
    let chunks = lengths.iter().cycle().map_while(|&len| {
        let (chunk, behind) = rest.split_at(len.min(rest.len()));
        let was_empty = rest.is_empty();
        rest = behind;
        (!was_empty).then_some(chunk)
    });
    setting.same(&whole, &outs, chunks, &format!("chunks of {lengths:?}"));
    setting.twin(places(body.len(), 24, 16));
    whole
}

impl<'a> Setting<'a> {
    /// The report of the whole body, and what is out behind each byte of it.
    fn base(&self) -> (Report, Vec<Out>) {
        let whole = self.read([self.body]);
        self.lawful(&whole.report);
        let bytes = self.body.iter().flat_map(|byte| [&[], slice::from_ref(byte)]);
        let single = self.read(bytes);
        assert_eq!(single.report, whole.report, "byte by byte: {self}");
        let mut outs = vec![Out { item_count: 0, has_failed: false }; self.body.len() + 1];
        single.borders.into_iter().for_each(|(at, out)| outs[at] = out);
        assert_eq!(whole.borders.last().map(|(_, out)| out), outs.last(), "out at last, byte by byte: {self}");
        (whole.report, outs)
    }

    fn same(&self, whole: &Report, outs: &[Out], chunks: impl IntoIterator<Item = &'a [u8]>, how: &str) {
        let reading = self.read(chunks);
        assert_eq!(reading.report, *whole, "{how}: {self}");
        for (at, out) in reading.borders {
            assert_eq!(out, outs[at], "out behind {at} bytes, {how}: {self}");
        }
    }

    /// A clone half-way goes on by itself.
    fn cloned(&self, whole: &Report) {
        let (front, back) = self.body.split_at(self.body.len() / 2);
        let mut first = (self.decoder.make)(self.limits);
        let mut reading = Reading { report: Report::empty(), borders: Vec::new() };
        let mut failed = self.pull(&mut *first, front, &mut reading);
        let mut copy = first.copy();
        let _ = self.pull(
            &mut *first,
            b"data: never read\n\n{}\n",
            &mut Reading { report: Report::empty(), borders: Vec::new() },
        );
        drop(first);
        if failed.is_none() {
            failed = self.pull(&mut *copy, back, &mut reading);
        }
        self.end(copy, failed, &mut reading.report);
        assert_eq!(reading.report, *whole, "a clone half-way: {self}");
    }

    /// Reads chunks, and then the end.
    fn read(&self, chunks: impl IntoIterator<Item = &'a [u8]>) -> Reading {
        let mut wire = (self.decoder.make)(self.limits);
        let mut reading = Reading { report: Report::empty(), borders: Vec::new() };
        let (mut at, mut failed) = (0, None);
        for chunk in chunks {
            at += chunk.len();
            if failed.is_none() {
                let item_count = reading.report.items.len();
                failed = self.pull(&mut *wire, chunk, &mut reading);
                let is_nothing = !chunk.is_empty() || (failed.is_none() && reading.report.items.len() == item_count);
                assert!(is_nothing, "an empty chunk is nothing: {self}");
            }
            let out = Out { item_count: reading.report.items.len(), has_failed: failed.is_some() };
            reading.borders.push((at, out));
        }
        self.end(wire, failed, &mut reading.report);
        reading
    }

    /// Pulls a chunk empty, or up to an error.
    fn pull(&self, wire: &mut dyn Wire, chunk: &[u8], reading: &mut Reading) -> Option<Error> {
        let mut rest = chunk;
        loop {
            match wire.next_item(&mut rest) {
                Ok(Some(item)) => reading.report.items.push(Said::of(&item)),
                Ok(None) => {
                    assert!(rest.is_empty(), "{} bytes are left and no item is: {self}", rest.len());
                    return None;
                }
                Err(error) => {
                    self.stays(wire, error);
                    return Some(error);
                }
            }
            assert!(chunk.ends_with(rest), "taken from the front: {self}");
            assert!(reading.report.items.len() <= self.body.len() + chunk.len(), "items without end: {self}");
        }
    }

    /// An error is given again, whatever is asked.
    fn stays(&self, wire: &mut dyn Wire, error: Error) {
        for chunk in [&b""[..], b"data: 1\n\n", b"{}\n", b"]"] {
            let mut rest = chunk;
            assert_eq!(wire.next_item(&mut rest).err(), Some(error), "it stays: {self}");
            assert_eq!(rest, chunk, "and takes no bytes: {self}");
        }
    }

    fn end(&self, wire: Box<dyn Wire>, failed: Option<Error>, report: &mut Report) {
        report.told = wire.told();
        report.end = wire.finish().map(|eof| End::of(&eof));
        if let Some(error) = failed {
            assert_eq!(report.end, Err(error), "the end is the error: {self}");
        }
    }

    /// What holds for the report of any body.
    fn lawful(&self, report: &Report) {
        let end = match &report.end {
            Ok(end) => end,
            Err(error) => return assert!(error.offset() <= self.body.len() as u64, "{error}: {self}"),
        };
        let has_items = !report.items.is_empty() || end.whole.is_some();
        let Some(stray) = &end.stray else { return assert!(has_items, "no item, and no diagnosis: {self}") };
        let quoted = String::from_utf8_lossy(&stray.quotation);
        let is_bare = match stray.kind {
            BodyKind::Empty => quoted.trim_start_matches('\u{FEFF}').trim_ascii().is_empty(),
            // What was left of an event may be quoted.
            BodyKind::NoEvents => quoted.is_empty() || end.is_cut,
            _ => !quoted.is_empty(),
        };
        assert!(is_bare, "{stray:?}: {self}");
        assert!(stray.quotation.len() <= QUOTATION_LEN, "{stray:?}: {self}");
        // Line ends may be others.
        let line_len = stray.quotation.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let line = &stray.quotation[..line_len.unwrap_or(stray.quotation.len())];
        let behind = usize::try_from(stray.offset).ok().and_then(|offset| self.body.get(offset..));
        assert!(behind.is_some_and(|behind| behind.starts_with(line)), "{stray:?} stands there: {self}");
    }

    /// The twin says the same of beginnings of the body, and of all of it.
    fn twin(&self, places: Vec<usize>) {
        for at in places {
            let beginning = Setting { body: &self.body[..at], ..*self };
            let reading = beginning.read([beginning.body]);
            beginning.lawful(&reading.report);
            if let Some(told) = (self.decoder.twin)(beginning.body, &self.limits) {
                beginning.agree(&reading, &told);
            }
        }
    }

    fn agree(&self, reading: &Reading, told: &Told) {
        let report = &reading.report;
        let items: Vec<_> = report.items.iter().map(Said::decoded).collect();
        assert_eq!(items, told.items, "items, and the twin's: {self}");
        let has_failed = reading.borders.iter().any(|(_, out)| out.has_failed);
        let is_over = told.over.as_ref().is_some_and(|over| over.is_certain);
        assert_eq!(has_failed, is_over, "failed, and the twin's {:?}: {self}", told.over);
        match (&report.end, &told.over) {
            (Ok(end), None) => {
                let flags = (end.partial_line, end.pending_event, end.is_cut);
                assert_eq!(
                    flags,
                    (told.partial_line, told.pending_event, told.is_cut),
                    "flags, and the twin's: {self}"
                );
                let whole = end.whole.as_ref().map(Said::decoded);
                assert_eq!(whole, told.whole, "whole, and the twin's: {self}");
                if let Some((last_event_id, retry)) = &report.told {
                    let last_event_id = String::from_utf8_lossy(last_event_id);
                    let twins = (&*told.last_event_id, told.retry);
                    assert_eq!((&*last_event_id, *retry), twins, "id and retry, and the twin's: {self}");
                }
                let has_items = !items.is_empty() || whole.is_some();
                let stray = end.stray.as_ref();
                let is_document =
                    |kind| matches!(kind, BodyKind::Json | BodyKind::Ndjson | BodyKind::Html | BodyKind::Xml);
                let is_news = match told.cut_error {
                    Some(at) => stray.is_some_and(|stray| stray.offset == at),
                    None => stray.is_none_or(|stray| !has_items || is_document(stray.kind)),
                };
                assert!(is_news, "{stray:?} beside items, cut error {:?}: {self}", told.cut_error);
            }
            (Err(error), Some(over)) => {
                let found = (error.kind(), error.offset());
                assert_eq!(found, (over.kind, over.offset), "over a limit, and the twin's: {self}");
            }
            (end, over) => panic!("{end:?}, and the twin's {over:?}: {self}"),
        }
    }
}

impl std::fmt::Display for Setting<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.decoder.name, brief(self.body))?;
        if self.limits == Limits::default() { Ok(()) } else { write!(formatter, " {:?}", self.limits) }
    }
}

/// How many cuts are tried where not all are: 512, and of a long body as many as push 4 MiB in all.
fn samples(len: usize) -> usize {
    ((4 << 20) / len.max(1)).clamp(4, 512)
}

/// Every place in a body that is not longer than `all`; else a sample of them, and both ends.
fn places(len: usize, all: usize, samples: usize) -> Vec<usize> {
    if len <= all {
        return (0..=len).collect();
    }
    let mut random = Random::new(len as u64);
    let sampled = (0..samples).map(|_| random.below(len + 1));
    sampled.chain([0, len]).collect()
}
