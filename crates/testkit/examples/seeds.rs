//! Writes what the corpora hold into a folder, each row as an input of the fuzz targets: `seeds FOLDER`. `fuzz/smoke.sh` runs it.
//!
//! `FOLDER/replies` is for the targets that read a reply, `FOLDER/wire` for the one that reads bytes of the wire,
//! `FOLDER/streams` for the one that reads streams, `FOLDER/tools` for the one that looks for printed calls, `FOLDER/signals` for the one
//! that reads signals, `FOLDER/monitor` for the one that holds schemas against replies.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use thusfar_core::Root;
use thusfar_testkit::corpus;

/// Longer replies hold little that is new, and slow each round down.
const LONGEST: usize = 400;

/// Where the schemas with their replies stand, seen from the corpora.
const SCHEMAS: &str = "../../crates/contract/tests/schemas";

/// The same of bodies, of which some are recordings.
const LONGEST_BODY: usize = 1800;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: seeds FOLDER"))?);
    replies(&folder.join("replies"))?;
    wire(&folder.join("wire"))?;
    streams(&folder.join("streams"))?;
    tools(&folder.join("tools"))?;
    signals(&folder.join("signals"))?;
    monitor(&folder.join("monitor"))
}

fn replies(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let short = corpus::replies().into_iter().filter(|(.., text)| text.len() <= LONGEST);
    for (name, root, text) in short {
        let root = match root {
            Root::Object => '@',
            Root::Array => 'A',
            Root::Any => 'B',
            Root::Value => 'C',
        };
        // Ending unknown, all repairs, chunks of 3, 1 and 8 bytes.
        fs::write(folder.join(name), format!("H{root}?CAG\n{text}"))?;
    }
    Ok(())
}

/// The default limits, chunks of 3, 1 and 8 bytes.
fn wire(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let write = |name: &str, decoder: char, body: &[u8]| {
        let first_line = format!("{decoder}@CAG\n");
        fs::write(folder.join(name.replace('/', "_")), [first_line.as_bytes(), body].concat())
    };
    let mut written = HashSet::new();
    for row in corpus::sse() {
        let body = corpus::chunks(&row.chunks_b64).concat();
        // A row comes in several cuts.
        if body.len() <= LONGEST && written.insert(body.clone()) {
            write(&row.name, '@', &body)?;
        }
    }
    for (end, decoder) in [("ndjson", 'A'), ("json", 'B'), ("sse", 'C'), ("bin", 'E')] {
        let short = corpus::recordings("streams", end).into_iter().filter(|(_, body)| body.len() <= LONGEST_BODY);
        for (name, body) in short.filter(|(name, _)| !name.ends_with(".expected")) {
            write(&name, decoder, &body)?;
        }
    }
    Ok(())
}

/// The recordings, unjudged and judged as objects: provider and framing found out, the default limits, chunks of 3, 1 and 8
/// bytes.
fn streams(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for end in ["sse", "ndjson", "json", "bin"] {
        let short = corpus::recordings("streams", end).into_iter().filter(|(_, body)| body.len() <= LONGEST_BODY);
        for (name, body) in short.filter(|(name, _)| !name.ends_with(".expected")) {
            for (judged, first_line) in [("", "@@@@@CAG\n"), (".judged", "@@B@@CAG\n")] {
                fs::write(folder.join(format!("{name}{judged}")), [first_line.as_bytes(), &body].concat())?;
            }
        }
    }
    Ok(())
}

/// Ending stop, chunks of 3 characters.
fn tools(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let rows = corpus::cases().into_iter().filter(|row| row.kind == "tool_call" && row.input.len() <= LONGEST);
    for row in rows {
        fs::write(folder.join(&row.id), format!("@b\n{}", row.input))?;
    }
    Ok(())
}

/// Each reply with its schema, in chunks of 3 bytes.
fn monitor(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, schema) in corpus::recordings(SCHEMAS, "json") {
        let schema = String::from_utf8(schema).map_err(io::Error::other)?;
        let cases = corpus::recordings(SCHEMAS, "jsonl").into_iter().find(|(cases, _)| cases.starts_with(&*name));
        let lines = String::from_utf8(cases.map(|(_, cases)| cases).unwrap_or_default()).map_err(io::Error::other)?;
        for (at, line) in lines.lines().enumerate() {
            let case: serde_json::Value = serde_json::from_str(line)?;
            let reply = case["reply"].as_str().unwrap_or_default();
            fs::write(folder.join(format!("{name}-{at}")), format!("@A{schema}\u{1e}{reply}"))?;
        }
    }
    Ok(())
}

fn signals(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let rows = corpus::cases().into_iter().filter(|row| row.kind == "signal" && row.input.len() <= LONGEST);
    for row in rows {
        fs::write(folder.join(&row.id), format!("@{}", row.input))?;
    }
    Ok(())
}
