//! Readers of the vector files in `tests/corpus`: one JSON object a line, one struct a file.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thusfar_core::Root;

/// A hand-written reply, one idea each (`reference.jsonl`).
#[derive(Debug, Clone, Deserialize)]
pub struct ReferenceRow {
    /// Its name.
    pub name: String,
    /// The expected root: `object`, `array`, `any` or `value`.
    pub root: String,
    /// The reply.
    pub text: String,
    /// What a reader should say.
    pub want: Want,
}

/// What a reader should say of a [`ReferenceRow`].
#[derive(Debug, Clone, Deserialize)]
pub struct Want {
    /// The outcome, as in a report.
    pub outcome: String,
    /// The value of the document.
    pub value: Option<Value>,
    /// Where it failed, in bytes.
    pub offset: Option<usize>,
    /// Where it failed, line.
    pub line: Option<usize>,
    /// Where it failed, column.
    pub column: Option<usize>,
    /// The reason, for people.
    pub why: Option<String>,
    /// The repairs, in order.
    pub repairs: Vec<WantedRepair>,
}

/// A repair that should be recorded.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
pub struct WantedRepair {
    /// Its kind.
    pub kind: String,
    /// Where it stands, in bytes.
    pub offset: usize,
    /// Where it stands, line.
    pub line: usize,
    /// Where it stands, column.
    pub column: usize,
}

/// A reply made from a known document by known damage (`known_truth.jsonl`).
#[derive(Debug, Clone, Deserialize)]
pub struct TruthRow {
    /// Its name.
    pub id: String,
    /// The kinds of damage.
    pub kinds: Vec<String>,
    /// The reply.
    pub text: String,
    /// The document it was made from: no other value may ever come out.
    pub truth: Value,
    /// `value`, or the outcome of the failure.
    pub want: String,
    /// The expected root.
    pub root: String,
}

/// A small input re-created from a public report (`cases.jsonl`).
#[derive(Debug, Clone, Deserialize)]
pub struct CaseRow {
    /// Its name.
    pub id: String,
    /// The family it belongs to.
    pub family: String,
    /// `json`, `tool_call`, `signal`, `sse` or `schema`.
    pub kind: String,
    /// The whole input.
    pub input: String,
    /// The input in pieces, where the borders matter.
    pub chunks: Option<Vec<String>>,
    /// The same, as bytes in base64.
    pub chunks_b64: Option<Vec<String>>,
    /// What the caller knows.
    #[serde(default)]
    pub context: Value,
    /// What should come out; its members depend on the kind.
    pub expected: Value,
}

/// What a small model said to a real server (`captures.jsonl`): one row a stream, labelled by a person who read it.
#[derive(Debug, Clone, Deserialize)]
pub struct CaptureRow {
    /// Its name.
    pub id: String,
    /// What the request was made to show.
    pub category: String,
    /// The model.
    pub model: String,
    /// The reason for the end, in the provider's words; empty if the stream told none.
    pub finish: String,
    /// The same as an ending of the command line.
    pub ending: String,
    /// The kind of root that the request asked for; `any` if it asked for none.
    pub root: String,
    /// The first choice's text, or the arguments of its first tool call.
    pub text: String,
    /// The length of each delta of the text, in bytes.
    pub chunks: Vec<usize>,
    /// What the reply holds.
    pub label: Label,
    /// Where the text or the ending needs a word.
    pub note: Option<String>,
}

/// What a careful person says that a [`CaptureRow`] holds.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// `document`, `cut`, `loop`, `broken`, `none` or `several`.
    pub is: String,
    /// Of a document: its value.
    pub value: Option<Value>,
    /// Of `none`: the whole document of a kind that was not asked for.
    pub other_kind: Option<Value>,
    /// Of a loop: the byte at which it begins.
    pub from: Option<usize>,
    /// The reason, for people.
    pub why: Option<String>,
    /// Whether a person could say otherwise.
    #[serde(default)]
    pub arguable: bool,
}

/// An event stream, and what is out after each of its chunks (`sse.jsonl`).
#[derive(Debug, Clone, Deserialize)]
pub struct SseRow {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub group: String,
    /// Its chunks, in base64.
    pub chunks_b64: Vec<String>,
    /// The events, to the letter.
    pub events: Vec<SseEvent>,
    /// How many events are out after each chunk.
    pub events_by_chunk: Vec<usize>,
    /// What is known at the end.
    #[serde(rename = "final")]
    pub known: SseFinal,
    /// What is left at the end.
    pub eof: SseEof,
    /// What a reader adds that takes whatever is pending as an event.
    pub events_eof_flush: Vec<SseEvent>,
    /// The reason, for people.
    pub note: String,
}

/// An event of an [`SseRow`].
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
pub struct SseEvent {
    /// Its type.
    pub event: String,
    /// Its data.
    pub data: String,
    /// The last event ID.
    pub id: String,
    /// The reconnection time in its own lines.
    pub retry: Option<u64>,
}

/// What is known at the end of an [`SseRow`].
#[derive(Debug, Clone, Deserialize)]
pub struct SseFinal {
    /// The last event ID.
    pub last_event_id: String,
    /// The reconnection time.
    pub retry: Option<u64>,
}

/// What is left at the end of an [`SseRow`].
#[derive(Debug, Clone, Deserialize)]
pub struct SseEof {
    /// The body ends inside a line.
    pub partial_line: bool,
    /// The body ends behind data that no blank line closed.
    pub pending_event: bool,
}

/// The folder that holds the corpus.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// Reads `reference.jsonl`.
///
/// # Panics
///
/// If the file is missing or a line is not such a row; so do the other readers.
#[must_use]
pub fn reference() -> Vec<ReferenceRow> {
    rows("reference.jsonl")
}

/// Reads `known_truth.jsonl`.
#[must_use]
pub fn known_truth() -> Vec<TruthRow> {
    rows("known_truth.jsonl")
}

/// Reads `cases.jsonl`.
#[must_use]
pub fn cases() -> Vec<CaseRow> {
    rows("cases.jsonl")
}

/// Reads `captures.jsonl`.
#[must_use]
pub fn captures() -> Vec<CaptureRow> {
    rows("captures.jsonl")
}

/// Reads `sse.jsonl`.
#[must_use]
pub fn sse() -> Vec<SseRow> {
    rows("sse.jsonl")
}

/// Recorded bodies: the files of a folder whose names have such an extension, each with its name.
///
/// # Panics
///
/// If the folder is missing.
#[must_use]
pub fn recordings(inside: &str, extension: &str) -> Vec<(String, Vec<u8>)> {
    let inside = folder().join(inside);
    let files = fs::read_dir(&inside).unwrap_or_else(|error| panic!("{}: {error}", inside.display()));
    let mut paths: Vec<_> = files.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    paths.iter().map(|path| (name(path), bytes(path))).collect()
}

/// A row's chunks as bytes.
///
/// # Panics
///
/// If one is no base64 (RFC 4648, section 4).
#[must_use]
pub fn chunks(chunks_b64: &[String]) -> Vec<Vec<u8>> {
    chunks_b64.iter().map(|chunk| base64(chunk)).collect()
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert!(text.len().is_multiple_of(4), "whole groups: {text:?}");
    let group = |group: &[u8]| {
        let padding = group.iter().rev().take_while(|letter| **letter == b'=').count();
        let sixes = group[..4 - padding].iter().map(|letter| {
            LETTERS.iter().position(|other| other == letter).unwrap_or_else(|| panic!("a letter of base64: {text:?}"))
        });
        let bits = sixes.fold(0, |bits, six| bits << 6 | six) << (6 * padding);
        (bits as u32).to_be_bytes()[1..4 - padding].to_vec()
    };
    text.as_bytes().chunks(4).flat_map(group).collect()
}

/// The replies of all three files that are JSON: name, expected root, text.
#[must_use]
pub fn replies() -> Vec<(String, Root, String)> {
    let root = |name: &str| match name {
        "object" => Root::Object,
        "array" => Root::Array,
        "value" => Root::Value,
        _ => Root::Any,
    };
    let reference = reference().into_iter().map(|row| (row.name, root(&row.root), row.text));
    let cases = cases().into_iter().filter(|row| row.kind == "json").map(|row| (row.id, Root::Any, row.input));
    let known_truth = known_truth().into_iter().map(|row| (row.id, root(&row.root), row.text));
    reference.chain(cases).chain(known_truth).collect()
}

/// The rows of one file. A corpus that cannot be read is a broken checkout: nothing could be tested, so it panics.
fn rows<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = folder().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let row = |(index, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), index + 1))
    };
    text.lines().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::base64;

    /// RFC 4648, section 10.
    #[test]
    fn base64_of_the_rfc() {
        let pairs =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmFy", "foobar")];
        for (text, bytes) in pairs {
            assert_eq!(base64(text), bytes.as_bytes());
        }
        assert_eq!(base64("/+8="), [0xFF, 0xEF]);
    }
}
