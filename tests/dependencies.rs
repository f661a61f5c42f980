//! What `cargo add thusfar` brings.

use std::collections::BTreeSet;
use std::process::Command;

/// The crates of a build of the library without features, itself included.
fn crates() -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "thusfar", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .args(["--no-default-features", "--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let text = String::from_utf8(tree.stdout).expect("text");
    text.lines().filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_library_brings_few_crates() {
    let all = crates();
    assert!(all.contains("thusfar-core") && all.contains("serde_json"), "{all:?}");
    assert!(all.len() < 15, "{}: {all:?}", all.len());
    let heavy = ["tokio", "hyper", "http-body", "futures-core", "tracing", "metrics", "syn", "sha2"];
    assert!(heavy.iter().all(|name| !all.contains(*name)), "{all:?}");
}
