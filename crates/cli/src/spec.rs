//! Where a spec of signals comes from: a file that a flag names, or a line of a batch.
//!
//! A spec bounds itself: how many targets, values and labels, and how long. So both are read alike, but for how long the text may be.

use std::path::PathBuf;

use thusfar_contract::Signals;

use crate::input::{self, Trouble};
use crate::kept::Kept;
use crate::terminal;

/// Bytes of the longest spec that a flag may name.
const LONGEST: usize = 16 << 20;
/// Characters of an error on either side of what is left out: what a spec holds may stand in its middle.
const SIDE: usize = 200;

/// The spec of a file. `input` is where the replies come from.
pub(crate) fn of_file(path: &PathBuf, input: Option<&PathBuf>) -> Result<Signals, Trouble> {
    // One byte more than is allowed shows that it is too long.
    let (bytes, name) = input::configuration("--spec", path, input, LONGEST + 1)?;
    read(&bytes).map_err(|why| Trouble::Unusable(name, why))
}

fn read(bytes: &[u8]) -> Result<Signals, String> {
    if bytes.len() > LONGEST {
        return Err(format!("longer than {LONGEST} bytes"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text =
        std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8 from byte {} on", error.valid_up_to() + 1))?;
    compile(text)
}

fn compile(text: &str) -> Result<Signals, String> {
    let told = |why: String| terminal::on_one_line(&terminal::shortened(&why, SIDE), usize::MAX);
    Signals::from_spec(text).map_err(|error| told(error.to_string()))
}

/// The specs of a batch.
pub(crate) fn specs(given: Option<Signals>) -> Kept<Signals> {
    Kept::new(given, compile)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"{"targets": [{"name": "blocking", "type": "boolean"}]}"#;

    fn names(signals: &Signals) -> Vec<&str> {
        signals.targets().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_file_is_read_with_its_mark_and_up_to_its_limit() {
        let marked = format!("\u{feff}{SPEC}");
        assert_eq!(read(marked.as_bytes()).as_ref().map(names), Ok(vec!["blocking"]));
        let why = |bytes: &[u8]| read(bytes).err().unwrap_or_default();
        assert_eq!(why(b"{\"targets\": \xff}"), "not UTF-8 from byte 13 on");
        assert_eq!(why(&vec![b' '; LONGEST + 1]), "longer than 16777216 bytes");
        assert_eq!(why(&vec![0xff; LONGEST + 1]), "longer than 16777216 bytes");
        assert!(why(b"{\"targets\": [7]}").starts_with("/targets/0: "), "{}", why(b"{\"targets\": [7]}"));
    }

    #[test]
    fn a_spec_steers_nobody() {
        let hostile = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";
        let text = serde_json::json!({"targets": [{"name": "a", "type": "enum", "values": ["b"], hostile: 1}]});
        let why = compile(&text.to_string()).err().unwrap_or_default();
        assert!(!why.contains(terminal::is_hidden) && !why.contains('\n') && !why.is_empty(), "{}", why.escape_debug());
    }
}
