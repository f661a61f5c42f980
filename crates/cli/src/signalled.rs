//! What became of a reply that was read for signals, and how far it was text.

use thusfar_contract::{ExtractOptions, Extracted, Extraction, Signal, Signals};
use thusfar_core::{Ending, FailureKind, Progress};

use crate::seen::{Damage, Seen};

/// The signals of a reply.
pub(crate) struct Signalled {
    extracted: Extracted,
    damage: Option<Damage>,
}

impl Signalled {
    /// Of text that was damaged somewhere, or was not: then it was read up to there.
    pub(crate) fn new(extracted: Extracted, damage: Option<Damage>) -> Self {
        Self { extracted, damage }
    }

    pub(crate) fn extracted(&self) -> &Extracted {
        &self.extracted
    }

    /// Where it stopped being text.
    pub(crate) fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Whether every target has a value, and all of the reply was read for it: behind damage another one may stand.
    pub(crate) fn is_ok(&self) -> bool {
        self.damage.is_none() && self.extracted.is_ok()
    }

    /// Bytes of the shortest beginning of the reply that makes it certain that some target has no value; else that each has its own.
    pub(crate) fn certain_len(&self) -> usize {
        let decided = |is_ok| {
            let signals = self.extracted.iter().filter(move |(_, signal)| signal.is_ok() == is_ok);
            signals.map(|(_, signal)| signal.decided_at())
        };
        decided(false).min().or(decided(true).max()).unwrap_or_default()
    }

    /// The one word for what became of it.
    pub(crate) fn outcome(&self) -> &'static str {
        match self.damage {
            Some(_) => FailureKind::Malformed.as_str(),
            None => self.extracted.outcome().as_str(),
        }
    }
}

/// Where to look for why a target has no value: at what is not allowed; at the value that contradicts the first; else where it was certain.
pub(crate) fn offset(signal: &Signal) -> usize {
    let candidate = signal.candidates().get(1).or(signal.candidates().first());
    let span = signal.span().or(candidate.map(|candidate| candidate.span));
    span.map_or(signal.decided_at(), |span| span.start)
}

/// Reads bytes for signals, piece by piece, up to the first that is no text.
pub(crate) struct Listening {
    extraction: Extraction,
    seen: Seen,
    /// Bytes of text so far, and of the longest that is read.
    len: usize,
    most: usize,
}

impl Listening {
    pub(crate) fn new(signals: &Signals) -> Self {
        let most = ExtractOptions::default().reply_len;
        Self { extraction: signals.begin(), seen: Seen::default(), most, len: 0 }
    }

    /// Takes more; whether what follows can change nothing. That one target can have no value any more does not keep the others from one.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> bool {
        let Self { extraction, seen, len, .. } = self;
        let progress = seen.push(chunk, |text| {
            *len += text.len();
            match extraction.push(text) {
                Progress::Doomed => Progress::Open,
                progress => progress,
            }
        });
        progress.is_decided() || self.seen.damage().is_some() || self.len > self.most
    }

    /// What was found, and the bytes that were read. Behind damage nothing is known, whatever ended the reply; and one that ends inside a
    /// character was cut, whatever is said of it.
    pub(crate) fn finish(self, ending: Ending) -> (Signalled, Vec<u8>) {
        let damage = self.seen.damage();
        let is_said_whole = matches!(ending, Ending::Stop | Ending::ToolUse | Ending::Unknown);
        let ending = match damage {
            Some(_) => Ending::Failed,
            None if self.seen.is_inside_character() && is_said_whole => Ending::Disconnected,
            None => ending,
        };
        (Signalled::new(self.extraction.finish(ending), damage), self.seen.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use thusfar_contract::SignalCode;

    use super::*;

    fn listening() -> Listening {
        let spec = r#"{"targets": [{"name": "verdict", "type": "enum", "values": ["approve", "reject"]}]}"#;
        Listening::new(&Signals::from_spec(spec).expect("a spec"))
    }

    #[test]
    fn a_reply_that_is_too_long_is_not_read_to_its_end() {
        let mut listening = listening();
        let most = vec![b'\n'; ExtractOptions::default().reply_len];
        let pushes = [&most[..], b"\xc3", b"\xa9"].map(|chunk| listening.push(chunk));
        assert_eq!(pushes, [false, false, true], "half of a character is nothing yet");
        let (signalled, seen) = listening.finish(Ending::Stop);
        let code = signalled.extracted().get("verdict").and_then(|signal| signal.code());
        assert_eq!((code, seen.len()), (Some(SignalCode::ReplyTooLong), most.len() + 2));
    }

    #[test]
    fn what_damage_touches_is_no_value() {
        for (reply, code) in [
            (&b"Verdict: approve\xff"[..], Some(SignalCode::CutValue)),
            (b"Verdict: approve.\n\n\xff", None),
            (b"I approve it. \xff", Some(SignalCode::CutBehind)),
        ] {
            for len in 1..=reply.len() {
                let mut listening = listening();
                let is_over = reply.chunks(len).any(|chunk| listening.push(chunk));
                let (signalled, _) = listening.finish(Ending::Stop);
                let found = signalled.extracted().get("verdict").and_then(|signal| signal.code());
                assert_eq!((is_over, found, signalled.is_ok()), (true, code, false), "{reply:?} by {len}");
                assert_eq!((signalled.outcome(), signalled.damage().is_some()), ("malformed", true));
            }
        }
    }
}
