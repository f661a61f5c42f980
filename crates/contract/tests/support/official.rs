//! Where the official suite of JSON Schema lies, and what its schemas may refer to.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

/// The URI that the suite says its `remotes` are served under.
const SERVED: &str = "http://localhost:1234/";

/// The folders of the drafts that are read.
const FOLDERS: [&str; 5] = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"];

/// Says something although the test passes.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The folder of the drafts' folders, and that of the remotes.
pub(crate) struct Suite {
    pub(crate) drafts: PathBuf,
    pub(crate) remotes: PathBuf,
}

impl Suite {
    /// The suite's own layout has the drafts in `tests`.
    fn below(folder: &Path) -> Option<Self> {
        let mut layouts = [folder.join("tests"), folder.to_owned()].into_iter();
        let drafts = layouts.find(|drafts| drafts.join("draft7").is_dir())?;
        Some(Self { drafts, remotes: folder.join("remotes") })
    }

    pub(crate) fn found() -> Option<Self> {
        if let Some(folder) = env::var_os("THUSFAR_SCHEMA_SUITE") {
            let suite = Self::below(Path::new(&folder));
            assert!(suite.is_some(), "THUSFAR_SCHEMA_SUITE holds no suite: {}", folder.display());
            return suite;
        }
        let suite = Self::below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/json-schema-suite"));
        if suite.is_none() {
            say("skipped: the official suite of JSON Schema is not here, see CONTRIBUTING.md");
        }
        suite
    }

    /// What the schemas of a draft may refer to, by URI: what lies in its own folder or in none of a draft, and of other drafts what
    /// names its own.
    pub(crate) fn remotes(&self, folder: &str) -> Vec<(String, Value)> {
        let mut remotes = Vec::new();
        for path in files(&self.remotes) {
            let (name, document) = (name(&path, &self.remotes), json(&path));
            let of = name.split('/').next().unwrap_or_default();
            let is_for_it = match of {
                _ if of == folder => true,
                _ if FOLDERS.contains(&of) => document.get("$schema").is_some(),
                _ if of.starts_with("draft") || of == "v1" => false,
                // `$defs` came with 2019-09: to an older draft what stands in it is no schema, and has no identifier.
                _ => folder.starts_with("draft20") || document.get("$defs").is_none(),
            };
            if is_for_it {
                remotes.push((format!("{SERVED}{name}"), document));
            }
        }
        assert!(remotes.len() >= 8, "the remotes are found");
        remotes
    }
}

pub(crate) fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("UTF-8");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A path below a folder, with `/` on every system.
pub(crate) fn name(path: &Path, below: &Path) -> String {
    path.strip_prefix(below).expect("a path below it").display().to_string().replace('\\', "/")
}

/// All `.json` files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|end| end == "json") {
                found.insert(path);
            }
        }
    }
    found.into_iter().collect()
}
