//! The bytes of a reply as they come, and how far they are text.

use thusfar_core::{Code, Progress};

/// Where text stops being what the model wrote: it is read up to there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
    pub(crate) offset: usize,
}

impl Damage {
    /// Bytes that are no UTF-8.
    fn invalid_utf8(offset: usize) -> Self {
        let code = Code::InvalidUtf8;
        Self { code: code.as_str(), message: code.message(), offset }
    }
}

/// The text of bytes; without the beginning of a character that the end has cut, which is nothing yet.
pub(crate) fn whole_characters(bytes: &[u8]) -> Result<&str, Damage> {
    std::str::from_utf8(bytes).or_else(|error| match error.error_len() {
        Some(_) => Err(Damage::invalid_utf8(error.valid_up_to())),
        None => Ok(std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()),
    })
}

/// All bytes so far, handed on as text up to the first that is none.
#[derive(Default)]
pub(crate) struct Seen {
    bytes: Vec<u8>,
    /// 0 <= told <= bytes.len(): what was handed on, which is text.
    told: usize,
    damage: Option<Damage>,
}

impl Seen {
    /// Takes more and hands on its text, which may be empty, with what was left of a character before. `take` says what is known then:
    /// behind a decision nothing is damage.
    pub(crate) fn push(&mut self, chunk: &[u8], take: impl FnOnce(&str) -> Progress) -> Progress {
        self.bytes.extend_from_slice(chunk);
        let rest = &self.bytes[self.told..];
        let (text, is_broken) = match std::str::from_utf8(rest) {
            Ok(text) => (text, false),
            Err(error) => {
                let text = std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default();
                (text, error.error_len().is_some())
            }
        };
        let progress = take(text);
        self.told += text.len();
        if is_broken && !progress.is_decided() {
            self.damage = Some(Damage::invalid_utf8(self.told));
        }
        progress
    }

    /// Whether the end has cut a character, as far as it is known.
    pub(crate) fn is_inside_character(&self) -> bool {
        self.damage.is_none() && self.told < self.bytes.len()
    }

    /// The first bytes that are no text.
    pub(crate) fn damage(&self) -> Option<Damage> {
        self.damage
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is handed on of bytes that come `step` at a time, and the place of the damage.
    fn told(bytes: &[u8], step: usize) -> (String, Option<usize>) {
        let (mut seen, mut text) = (Seen::default(), String::new());
        for chunk in bytes.chunks(step) {
            let _ = seen.push(chunk, |more| {
                text.push_str(more);
                Progress::Searching
            });
            if seen.damage().is_some() {
                break;
            }
        }
        let offset = seen.damage().map(|damage| damage.offset);
        (text, offset)
    }

    #[test]
    fn text_is_the_same_however_it_comes() {
        for (bytes, text, damage) in [
            (&b""[..], "", None),
            ("aé漢𝄞".as_bytes(), "aé漢𝄞", None),
            (b"a\xc3", "a", None),
            (b"a\xffb", "a", Some(1)),
            (b"\xe6\xbca", "", Some(0)),
            (b"\xc3\xa9\x80", "é", Some(2)),
        ] {
            for step in 1..=bytes.len().max(1) {
                assert_eq!(told(bytes, step), (text.to_owned(), damage), "{bytes:?} by {step}");
            }
        }
    }

    #[test]
    fn behind_a_decision_nothing_is_damage() {
        let mut seen = Seen::default();
        let progress = seen.push(b"a\xff", |text| if text == "a" { Progress::Final } else { Progress::Open });
        assert_eq!(progress, Progress::Final);
        assert_eq!((seen.damage(), seen.into_bytes()), (None, b"a\xff".to_vec()));
    }
}
