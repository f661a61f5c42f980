//! Invariants of the sources: headers, lengths, the order of modules, and nothing of the machine they were written on.

use std::fs;
use std::path::{Path, PathBuf};

/// A file over so many lines of code is two files.
const LONGEST: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Everything below a directory but what is built, fetched or found by fuzzing.
fn files(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![below.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).expect("a directory").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let skipped = ["target", ".git", "artifacts", "coverage"].iter().any(|skipped| *skipped == name)
                || path.ends_with("fuzz/corpus");
            if path.is_dir() && !skipped {
                waiting.push(path);
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Name and text of every Rust file.
fn sources() -> Vec<(String, String)> {
    let rust = files(root()).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.map(|path| (name(&path), fs::read_to_string(&path).expect("UTF-8"))).collect()
}

fn none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let sources = sources();
    assert!(sources.len() > 40, "the sources are found");
    let bare: Vec<_> =
        sources.into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(name, _)| name).collect();
    none("no `//!` in the first line", &bare);
}

#[test]
fn no_file_is_too_long() {
    let code =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    let lengths = sources().into_iter().map(|(name, text)| (name, code(&text)));
    let long: Vec<_> = lengths.filter(|(_, len)| *len > LONGEST).map(|(name, len)| format!("{name}: {len}")).collect();
    none("too many lines of code", &long);
}

/// The `mod` lines of a `lib.rs`, in order.
fn modules(lib: &str) -> Vec<&str> {
    let names = lib.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    names.filter_map(|rest| rest.split_once(';')).map(|(name, _)| name).collect()
}

/// The modules of the crate that a text names behind `crate::`, comments aside.
fn used<'a>(text: &str, modules: &[&'a str]) -> Vec<&'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let after = code.flat_map(|line| line.split("crate::").skip(1));
    let first = after.map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next());
    let found: Vec<_> = first.flatten().filter_map(|word| modules.iter().find(|module| **module == word)).collect();
    found.into_iter().copied().collect()
}

/// The uses of later modules in a crate with at least so many modules.
fn later_uses(of: &str, least: usize) -> Vec<String> {
    let source = root().join(of);
    let lib = fs::read_to_string(source.join("lib.rs")).expect("UTF-8");
    let listed = modules(&lib);
    assert!(listed.len() > least, "the modules of {of} are found");
    let place = |module: &str| listed.iter().position(|other| *other == module);
    let mut wrong = Vec::new();
    for path in files(&source) {
        let inside = path.strip_prefix(&source).unwrap_or(&path);
        let first = inside.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let module = first.unwrap_or_default().trim_end_matches(".rs").to_owned();
        let Some(here) = place(&module) else { continue };
        let text = fs::read_to_string(&path).expect("UTF-8");
        for other in used(&text, &listed) {
            if place(other) > Some(here) {
                wrong.push(format!("{of}: {module} uses {other}"));
            }
        }
    }
    wrong
}

#[test]
fn modules_use_only_what_stands_before_them() {
    none("uses of later modules", &later_uses("crates/core/src", 20));
    none("uses of later modules", &later_uses("crates/stream/src", 10));
    none("uses of later modules", &later_uses("crates/contract/src", 3));
}

#[test]
fn nothing_of_a_machine() {
    // Written apart, so that this file does not hold what it looks for.
    let paths = [["/wo", "rk/"], ["/ho", "me/"], ["/ro", "ot/"], ["/tmp/bash_", "jobs"]].map(|parts| parts.concat());
    let mut found = Vec::new();
    for path in files(root()) {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
        let machine = paths.iter().filter(|part| text.contains(&***part));
        found.extend(machine.map(|part| format!("{}: {part}", name(&path))));
    }
    none("paths of a machine", &found);
}

#[test]
fn packages_come_from_the_public_registry() {
    let mut found = Vec::new();
    for path in
        files(root()).into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml" || end == "lock"))
    {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let public = "\"registry+https://github.com/rust-lang/crates.io-index\"";
        let odd = text.lines().filter(|line| match line.strip_prefix("source = ") {
            Some(source) => source != public,
            None => ["[source", "replace-with", "registry =", "[registries"].iter().any(|word| line.starts_with(word)),
        });
        found.extend(odd.map(|line| format!("{}: {line}", name(&path))));
    }
    none("another registry", &found);
}

/// A section of the README, and the newest of the files of results with that end, which it names.
fn published(heading: &str, results: &str, end: &str) -> (String, String) {
    let readme = fs::read_to_string(root().join("README.md")).expect("UTF-8");
    let section = readme.split(heading).nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let mut recorded = files(&root().join(results)).into_iter().filter(|path| name(path).ends_with(end));
    let newest = recorded.next_back().expect("a file of results");
    assert!(section.contains(&name(&newest)), "the README names {}", name(&newest));
    (section.to_owned(), fs::read_to_string(&newest).expect("UTF-8"))
}

/// A row of results: name, ours, yardstick, ratio, spread, and the two bars. Two blanks or more stand between the cells.
fn recorded_row(line: &str) -> Option<Vec<&str>> {
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let kept = [0, 1, 2, 3, 5, 6].iter().map(|&at| cells.get(at).copied()).collect::<Option<Vec<_>>>()?;
    (cells[0] != "name").then_some(kept)
}

/// Every row of the README's numbers stands in the newest file of results, cell by cell, and every row of that file that has bars in the README; of
/// each number of the bars there is one.
#[test]
fn the_numbers_of_the_readme_are_the_recorded_ones() {
    let (numbers, recorded) = published("## Numbers", "benches/results", ".txt");
    for head in ["date ", "commit ", "cpu ", "rustc ", "command "] {
        assert!(recorded.lines().any(|line| line.starts_with(head)), "the results say their {head}");
    }
    let results: Vec<Vec<&str>> = recorded.lines().filter_map(recorded_row).collect();
    let rows = numbers.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| row "));
    let rows = rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    // The table of the prefixes has other columns.
    let rows: Vec<Vec<&str>> = rows.filter(|cells| cells.len() == 6).collect();
    assert!(rows.len() >= 60, "the rows are found: {}", rows.len());
    let invented = rows.iter().filter(|row| !results.contains(row));
    none("not recorded", &invented.map(|row| row.join(" | ")).collect::<Vec<_>>());
    let hidden = results.iter().filter(|row| row[4] != "-" && !rows.contains(row));
    none("not in the README", &hidden.map(|row| row.join(" | ")).collect::<Vec<_>>());
    for number in 1..=12 {
        let begins = |row: &Vec<&str>| row[4] != "-" && row[0].starts_with(&format!("{number} "));
        assert!(rows.iter().any(begins), "a row of {number} with its bars");
    }
}

/// Every row of the README's comparison stands in the newest file of results as it is, and so do what we lose, the
/// commit and the versions of the others.
#[test]
fn the_comparison_of_the_readme_is_the_recorded_one() {
    let (section, recorded) = published("## Beside other readers", "compare/results", ".md");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 18, "the rows are found");
    let unknown = rows.into_iter().filter(|row| !recorded.lines().any(|line| line == *row));
    none("not recorded", &unknown.map(str::to_owned).collect::<Vec<_>>());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lost = section.split("\n\n").find(|part| part.starts_with("thusfar loses ")).expect("what we lose");
    let sentence = words(lost).split_inclusive(". ").next().unwrap_or_default().trim().to_owned();
    assert!(words(&recorded).contains(&sentence), "not recorded: {sentence}");
    let versions = recorded.lines().filter_map(|line| {
        ["commit ", "PyPI ", "npm ", "crates.io "]
            .iter()
            .find_map(|registry| line.strip_prefix(registry))
            .map(str::trim)
    });
    let versions: Vec<_> = versions.collect();
    assert_eq!(versions.len(), 7, "the versions are found");
    for version in versions {
        assert!(words(&section).contains(version), "the README names {version}");
    }
}
