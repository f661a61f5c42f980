//! Guards against replies that go nowhere, judged on the text in front of each multiple of the stride.

use thusfar_core::{Code, Limits};

use super::prose::SPACES;
use super::{Class, Reading};

// DECISIONS.md: judged at multiples of 256; periods of at most 1,024 bytes; at least 8 copies.
const STRIDE: usize = 256;
const LONGEST_PERIOD: usize = 1024;
const FEWEST_COPIES: usize = 8;

/// A guard or limit that trips: where it stands and the byte at which it was certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    pub(super) code: Code,
    pub(super) offset: usize,
    pub(super) decided: usize,
}

/// The first trip, if any.
pub(super) fn first(text: &str, limits: &Limits, reading: &Reading) -> Option<Trip> {
    let mut trips = Vec::new();
    trips.extend(white_space(text, limits, reading));
    trips.extend(repetition(text, limits, reading));
    let too_long = limits.reply_len.filter(|&limit| text.len() > limit);
    trips.extend(too_long.map(|limit| Trip { code: Code::ReplyTooLong, offset: limit, decided: limit }));
    trips.into_iter().min_by_key(|trip| trip.decided)
}

fn white_space(text: &str, limits: &Limits, reading: &Reading) -> Option<Trip> {
    // DECISIONS.md: a lower one counts as this.
    let limit = limits.white_space?.max(128);
    let bytes = text.as_bytes();
    let counts = |at: usize| reading.classes[at] == Class::Open && SPACES.contains(&char::from(bytes[at]));
    (1..=text.len() / STRIDE).map(|index| index * STRIDE).find_map(|decided| {
        let run = (0..decided).rev().take_while(|&at| counts(at)).count();
        let trips = run > 0 && run >= limit;
        trips.then_some(Trip { code: Code::WhiteSpaceRun, offset: decided - run, decided })
    })
}

fn repetition(text: &str, limits: &Limits, reading: &Reading) -> Option<Trip> {
    let least = [limits.repetition, limits.other_repetition].into_iter().flatten().min()?;
    let bytes = text.as_bytes();
    (1..=text.len() / STRIDE).map(|index| index * STRIDE).filter(|&decided| decided >= least).find_map(|decided| {
        (1..=LONGEST_PERIOD.min(decided)).find_map(|period| {
            let copied = (period..decided).rev().take_while(|&at| bytes[at] == bytes[at - period]).count();
            let run = copied + period;
            if run < least.max(FEWEST_COPIES * period) {
                return None;
            }
            let told = is_telling(text, decided - period, decided, reading);
            let limit = if told { limits.repetition } else { limits.other_repetition }?;
            let trips = run >= limit.max(FEWEST_COPIES * period);
            trips.then_some(Trip { code: Code::Repetition, offset: decided - run, decided })
        })
    })
}

/// Whether a period holds letters inside a string, and is not one character over and over.
fn is_telling(text: &str, start: usize, end: usize, reading: &Reading) -> bool {
    let mut inside = text.char_indices().filter(|&(at, _)| start <= at && at < end);
    // What an escape names is no letter, unless it is written by its number.
    let escapes = |at: usize| text.as_bytes()[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1;
    let is_letter = |at: usize, letter: char| letter.is_alphabetic() && (letter == 'u' || !escapes(at));
    let has_letter = inside.any(|(at, letter)| is_letter(at, letter) && reading.classes[at] == Class::InString);
    let mut all = text.char_indices().filter(|&(at, character)| at + character.len_utf8() > start && at < end);
    let first = all.next().map(|(_, character)| character);
    has_letter && all.any(|(_, character)| Some(character) != first)
}

/// Whether a document had closed and nothing was open when `at` bytes had arrived.
pub(super) fn stands(at: usize, reading: &Reading) -> bool {
    reading.closed.iter().any(|&(from, until)| from <= at && at <= until)
        && !reading.opened.iter().any(|&(from, until)| from < at && at < until)
}
