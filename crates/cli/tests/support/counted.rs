//! What `audit` counted, out of its line of JSON.

use serde_json::Value;

use super::{Run, run};

pub(crate) fn audit(args: &[&str], stdin: &str) -> Run {
    run(&[&["audit"], args].concat(), stdin)
}

pub(crate) fn summary(told: &Run) -> Value {
    assert_eq!((told.stdout.lines().count(), told.stderr.as_str()), (1, ""), "{told:?}");
    serde_json::from_str(&told.stdout).expect("JSON")
}

/// The names of counts with their counts, in order.
pub(crate) fn counts(summary: &Value, of: &str) -> Vec<(String, u64)> {
    let entry = |count: &Value| {
        let name = count["name"].as_str().expect("a name");
        (name.to_owned(), count["count"].as_u64().expect("a count"))
    };
    summary[of].as_array().expect("a list").iter().map(entry).collect()
}

/// Outcome, code and count, in order.
pub(crate) fn codes(summary: &Value) -> Vec<(String, String, u64)> {
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let entry = |code: &Value| (text(&code["outcome"]), text(&code["code"]), code["count"].as_u64().expect("a count"));
    summary["codes"].as_array().expect("a list").iter().map(entry).collect()
}

pub(crate) fn named(pairs: &[(&str, u64)]) -> Vec<(String, u64)> {
    pairs.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}
