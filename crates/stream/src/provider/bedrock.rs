//! Bedrock: `ConverseStream`, whose events say what they are in the frame alone, and `InvokeModelWithResponseStream`, whose
//! events hold those of the model's own provider in base64.
//!
//! Exceptions are frames of their own, and no events.

use alloc::vec::Vec;

use crate::facts::{Facts, Slot};
use crate::provider::read::{
    Tell, args, call, number, string, tell_call, tell_error, tell_finish, tell_text, tell_usage,
};
use crate::provider::{Dialect, Errors};
use crate::said::{Call, LaneKind, Said};
use crate::walk::Paths;

pub(super) const CONVERSE: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: true, errors: Errors::Aws, read };

pub(super) const INVOKE: Dialect = Dialect {
    paths: INVOKED,
    tree: &const { Paths::new(INVOKED) },
    says_tools: true,
    errors: Errors::Aws,
    read: read_invoke,
};

const INVOKED: &[(&str, Slot)] = &[("bytes", Slot::Inner), ("error", Slot::Error)];

const PATHS: &[(&str, Slot)] = &[
    ("contentBlockIndex", Slot::Block),
    ("delta/text", Slot::Text),
    ("delta/reasoningContent/text", Slot::Reasoning),
    ("delta/toolUse/input", Slot::ToolText),
    ("start/toolUse/type", Slot::Kind),
    ("start/toolUse/toolUseId", Slot::ToolId),
    ("start/toolUse/name", Slot::ToolName),
    ("stopReason", Slot::Finish),
    ("usage", Slot::Usage),
    ("error", Slot::Error),
];

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    tell_text(0, LaneKind::Reasoning, Slot::Reasoning, facts, tell);
    tell_text(0, LaneKind::Text, Slot::Text, facts, tell);
    let is_hosted = string(facts, Slot::Kind).is_some_and(|kind| kind.0 == b"server_tool_use");
    tell_call(0, Call { is_hosted, ..call(facts) }, args(facts), tell);
    if let (b"contentBlockStop", Some(block)) = (name, number(facts, Slot::Block)) {
        tell(Said::BlockEnd { choice: 0, block });
    }
    tell_finish(0, facts, tell);
    tell_usage(facts, tell);
    tell_error(name, data, facts, tell);
    if name == b"messageStop" {
        // Usage follows it.
        tell(Said::Terminal("messageStop"));
    }
}

fn read_invoke(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    if let Some(inner) = string(facts, Slot::Inner) {
        tell(Said::Inner(inner));
    }
    tell_error(name, data, facts, tell);
}

/// Undoes base64 (RFC 4648, section 4), as it is written in a JSON string: `/` may be `\/`. Says whether it was base64; of
/// what is none, some bytes come out.
pub(crate) fn base64(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    let (mut bits, mut bit_count, mut padding) = (0_u32, 0_u32, 0);
    for (at, letter) in text.iter().enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'\\' if text.get(at + 1) == Some(&b'/') => continue,
            b'=' if padding < 2 => {
                padding += 1;
                continue;
            }
            _ => return false,
        };
        if padding > 0 {
            return false;
        }
        (bits, bit_count) = (bits << 6 | u32::from(value), bit_count + 6);
        if bit_count >= 8 {
            bit_count -= 8;
            bytes.push((bits >> bit_count) as u8);
        }
    }
    // Two bits are left of a group of three letters, four of one of two; one letter is no group.
    bit_count < 6 && (padding == 0 || padding * 2 == bit_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_it_is_written() {
        let cases: [(&[u8], Option<&[u8]>); 14] = [
            (b"", Some(b"")),
            (b"Zg==", Some(b"f")),
            (b"Zm8=", Some(b"fo")),
            (b"Zm9v", Some(b"foo")),
            (b"Zm9vYg==", Some(b"foob")),
            (b"Zg", Some(b"f")),
            (b"/+/+", Some(b"\xff\xef\xfe")),
            (br"\/+\/+", Some(b"\xff\xef\xfe")),
            (b"Zg=", None),
            (b"Z", None),
            (b"Zg===", None),
            (b"Zg==Zg==", None),
            (b"Z g==", None),
            (br"Zg\n", None),
        ];
        for (text, expected) in cases {
            let mut bytes = Vec::new();
            let is_base64 = base64(text, &mut bytes);
            assert_eq!(is_base64.then_some(&bytes[..]), expected, "{:?}", text.escape_ascii());
        }
    }
}
