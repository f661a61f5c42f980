//! The table against the judge: what is said of a value is what the judge says, or "cannot tell".
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Draft, Schema, SchemaOptions};

/// Where the official suite lies, if it does.
fn suite() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/json-schema-suite");
    let given = std::env::var_os("THUSFAR_SCHEMA_SUITE").map(PathBuf::from);
    given.or_else(|| Some(beside()).filter(|path| path.is_dir()))
}

fn files(below: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> =
        fs::read_dir(below).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    found.sort();
    found
}

/// Folders of drafts are for their own draft; all others for all.
fn is_for(path: &Path, draft: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_drafts_own = name.starts_with("draft") || name == "v1";
    !is_drafts_own || name == draft
}

/// The documents that the suite refers to: those of all drafts, and of this one.
fn with_remotes(remotes: &Path, draft: &str) -> SchemaOptions {
    let mut options = SchemaOptions::trusted();
    let mut waiting: Vec<_> = files(remotes).into_iter().filter(|path| is_for(path, draft)).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(files(&path));
        } else if let Some(value) = fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
            let name = path.strip_prefix(remotes).expect("below").to_string_lossy().into_owned();
            options = options.document(format!("http://localhost:1234/{name}"), value);
        }
    }
    options
}

#[test]
fn the_table_says_what_the_judge_says_of_the_suite() {
    let Some(suite) = suite() else {
        return eprintln!("the suite is not here: skipped");
    };
    let (mut pairs, mut unknown, mut unread) = (0, 0, 0);
    for (folder, draft) in [("draft7", Draft::Draft7), ("draft2020-12", Draft::Draft202012)] {
        let options = with_remotes(&suite.join("remotes"), folder);
        for path in files(&suite.join(folder)).into_iter().filter(|path| path.is_file()) {
            let groups: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
            for group in groups.as_array().into_iter().flatten() {
                let schema = match Schema::new(&group["schema"].to_string(), &options.clone().draft(draft)) {
                    Ok(schema) => schema,
                    Err(error) => {
                        println!("not compiled: {}: {}: {error}", path.display(), group["description"]);
                        unread += 1;
                        continue;
                    }
                };
                for case in group["tests"].as_array().into_iter().flatten() {
                    let value = &case["data"];
                    let (explained, judged) = (schema.explain(value), schema.is_valid(value));
                    let place = format!("{}: {}: {}", path.display(), group["description"], case["description"]);
                    assert!(explained.is_valid.is_none_or(|valid| valid == judged), "{place}: {judged}");
                    assert_eq!(explained.broken.is_empty(), explained.is_valid != Some(false), "{place}");
                    pairs += 1;
                    if explained.is_valid.is_none() {
                        println!("unknown: {place}");
                        unknown += 1;
                    }
                }
            }
        }
    }
    println!("{pairs} pairs, {unknown} unknown, {unread} schemas not compiled");
    assert!(pairs > 2_000, "{pairs}");
}

#[test]
fn what_a_schema_costs_is_known_before_it_is_built() {
    let doubling = |count: usize, more: &Value| {
        let mut definitions = serde_json::Map::new();
        for at in 0..count {
            let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
            let mut definition = json!({ "anyOf": [next, next] });
            definition.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            definitions.insert(format!("d{at}"), definition);
        }
        definitions.insert(format!("d{count}"), json!({ "type": "string" }));
        json!({ "$defs": definitions, "$ref": "#/$defs/d0" }).to_string()
    };
    let options = SchemaOptions::trusted();
    assert!(Schema::new(&doubling(12, &json!({})), &options).is_ok());
    assert!(Schema::new(&doubling(16, &json!({})), &options).is_err());
    assert!(Schema::new(&doubling(16, &json!({ "unevaluatedProperties": false })), &options).is_err());
}
