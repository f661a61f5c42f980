//! Twenty schemas as people write them (`schemas/`), each with replies and the earliest byte at which they can no longer be valid.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// A reply to one of the schemas.
#[derive(Deserialize)]
pub(crate) struct Row {
    pub(crate) reply: String,
    pub(crate) valid: bool,
    /// The byte with which no valid document was possible any more.
    pub(crate) earliest_violation_byte: Option<usize>,
    pub(crate) why: String,
    /// Behind all that stood before that byte, it makes a valid document.
    pub(crate) witness_suffix: Option<String>,
    /// Nothing is wrong but that the rest is missing.
    #[serde(default)]
    pub(crate) at_eof: bool,
    /// Why it may be told later than at that byte.
    pub(crate) v1_lag: Option<String>,
}

impl Row {
    /// All that stood before the byte with which it was lost, made whole in another way.
    pub(crate) fn witness(&self) -> Option<String> {
        let at = self.earliest_violation_byte.unwrap_or(self.reply.len());
        self.witness_suffix.as_ref().map(|suffix| format!("{}{suffix}", &self.reply[..at]))
    }

    /// Whether it is lost as JSON, or as a reply, and not because of the schema: then whoever reads it says so.
    pub(crate) fn is_for_the_reader(&self) -> bool {
        self.at_eof || self.why.starts_with("syntax") || self.why.starts_with("duplicate key")
    }
}

/// A schema, with its name and its replies.
pub(crate) struct Schema {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) rows: Vec<Row>,
}

/// All of them.
pub(crate) fn schemas() -> Vec<Schema> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let names = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name());
    let names = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".cases.jsonl")?.to_owned()));
    let mut names: Vec<_> = names.collect();
    names.sort();
    let schema = |name: String| {
        let text = |end: &str| fs::read_to_string(folder.join(format!("{name}.{end}"))).expect("UTF-8");
        let rows = text("cases.jsonl").lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
        Schema { text: text("json"), rows, name }
    };
    names.into_iter().map(schema).collect()
}
