//! The events of recorded bodies, and the tables that they are read by.

extern crate std;

use std::boxed::Box;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use crate::body::Body;
use crate::facts::{Facts, Slot};
use crate::provider::Provider;
use crate::walk::{Paths, walk};

/// Paths and what they are.
pub(crate) type Table = &'static [(&'static str, Slot)];

/// Everything, values and the containers around them, some twice.
pub(crate) const GREEDY: Table = &[
    ("", Slot::Error),
    ("choices", Slot::Error),
    ("choices/*", Slot::Error),
    ("choices/*/delta", Slot::Error),
    ("choices/*/delta/content", Slot::Text),
    ("choices/*/delta/content", Slot::Kind),
    ("choices/*/index", Slot::Choice),
    ("type", Slot::Type),
    ("delta", Slot::Error),
    ("delta/*", Slot::Error),
    ("delta/text", Slot::Text),
    ("delta/text", Slot::Inner),
    ("candidates/*/content/parts/*", Slot::Error),
    ("candidates/*/content/parts/*/text", Slot::Text),
    ("usageMetadata/promptTokenCount", Slot::UsageMember),
    ("usageMetadata", Slot::Usage),
    ("message", Slot::Error),
    ("message/content", Slot::Text),
    ("created", Slot::UsageMember),
    ("id", Slot::ToolId),
];

/// The tables of all dialects, and one that no provider has.
pub(crate) fn tables() -> Vec<Table> {
    let mut tables = std::vec![GREEDY];
    for (provider, _) in Provider::ALL {
        let table = provider.dialect().paths;
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables
}

/// A table as a tree that stays.
pub(crate) fn tree(table: Table) -> &'static Paths {
    Box::leak(Box::new(Paths::new(table)))
}

/// A recorded body.
pub(crate) struct Recorded {
    pub(crate) name: String,
    /// The data of its events, but for the mark of the end.
    pub(crate) events: Vec<Vec<u8>>,
}

impl Recorded {
    /// Many recordings of one server.
    pub(crate) fn is_capture(&self) -> bool {
        self.name.starts_with(|first: char| first.is_ascii_digit())
    }

    /// The table of the provider: the one that finds most.
    pub(crate) fn table(&self) -> Table {
        let found = |table: &Table| {
            let paths = Paths::new(table);
            let count = |event: &Vec<u8>| {
                let mut facts = Facts::new();
                let _ = walk(&paths, event, &mut facts);
                facts.len()
            };
            self.events.iter().map(count).sum::<usize>()
        };
        tables().into_iter().filter(|table| *table != GREEDY).max_by_key(found).expect("some tables")
    }

    /// All tables; of a capture, of which there are many, the provider's and the greedy one.
    pub(crate) fn tables(&self) -> Vec<Table> {
        if self.is_capture() { std::vec![GREEDY, self.table()] } else { tables() }
    }
}

/// All bodies that are kept here, by name.
pub(crate) fn recorded() -> Vec<Recorded> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let files = ["streams", "captures"].into_iter().flat_map(|directory| {
        let entries = std::fs::read_dir(corpus.join(directory)).expect("a directory");
        entries.map(|entry| entry.expect("an entry").path())
    });
    let is_body =
        |path: &PathBuf| ![".expected.json", ".meta.json"].iter().any(|end| path.to_string_lossy().ends_with(end));
    let mut files: Vec<_> = files.filter(is_body).collect();
    files.sort();
    files.iter().filter_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Option<Recorded> {
    let is_binary = path.extension().is_some_and(|extension| extension == "bin");
    if is_binary && cfg!(not(feature = "aws")) {
        return None;
    }
    let bytes = std::fs::read(path).expect("a file");
    let (mut body, mut chunk, mut events) = (Body::new(None), &bytes[..], Vec::new());
    while let Some(item) = body.next_item(&mut chunk).expect("a whole body") {
        events.extend(item.event().map(|event| event.data().to_vec()));
    }
    let eof = body.finish().expect("a whole body");
    events.extend(eof.whole_item().and_then(|item| item.event()).map(|event| event.data().to_vec()));
    events.retain(|event| event != b"[DONE]");
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    Some(Recorded { name, events })
}
