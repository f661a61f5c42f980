//! Twenty schemas as people write them (`schemas/`): none trips a limit, and every reply gets the verdict that stands beside it.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use thusfar_contract::{Contract, SchemaOptions};
use thusfar_core::{Ending, Expect, read};
use thusfar_testkit::check::check;

/// A reply to one of the schemas.
#[derive(Deserialize)]
struct Row {
    reply: String,
    valid: bool,
    /// The byte with which no valid document was possible any more.
    earliest_violation_byte: Option<usize>,
    why: String,
    /// Behind all that stood before that byte, it makes a valid document.
    witness_suffix: Option<String>,
}

/// A schema, with its name and its replies.
struct Schema {
    name: String,
    text: String,
    rows: Vec<Row>,
}

fn schemas() -> Vec<Schema> {
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

#[test]
fn every_reply_gets_its_verdict() {
    let schemas = schemas();
    assert_eq!(schemas.len(), 20);
    let (mut replies, mut refused) = (0, Vec::new());
    for Schema { name, text, rows } in schemas {
        let contracts = [SchemaOptions::trusted(), SchemaOptions::untrusted()]
            .map(|options| Contract::with_options(&text, &options).unwrap_or_else(|error| panic!("{name}: {error}")));
        for row in rows {
            let at = row.earliest_violation_byte.unwrap_or(row.reply.len());
            let witness = row.witness_suffix.as_ref().map(|suffix| format!("{}{suffix}", &row.reply[..at]));
            let place = format!("{name}: {}", row.why);
            for contract in &contracts {
                for reply in row.valid.then_some(&row.reply).into_iter().chain(&witness) {
                    assert!(is_valid(contract, reply, &place), "{place}: {reply}");
                }
                let outcome = check(&row.reply, Expect::value(), Ending::Stop).outcome();
                if outcome != "ok" {
                    assert!(!row.valid, "{place}: {outcome}");
                    refused.push(outcome);
                } else if !row.valid {
                    assert!(!is_valid(contract, &row.reply, &place), "{place}: {}", row.reply);
                }
            }
            replies += 1;
        }
    }
    assert_eq!(replies, 111);
    // What is no JSON, and one object with two values for a key, in each of the two contracts.
    let count = |of: &str| refused.iter().filter(|outcome| **outcome == of).count() / 2;
    assert_eq!((count("truncated"), count("malformed"), count("ambiguous")), (3, 7, 2), "{refused:?}");
}

/// Whether a reply is valid; what is not breaks something.
fn is_valid(contract: &Contract, reply: &str, place: &str) -> bool {
    assert_eq!(check(reply, Expect::value(), Ending::Stop).outcome(), "ok", "{place}: {reply}");
    let found = contract.check(&read(reply, Expect::value()).expect("a document"));
    assert_eq!(found.limit(), None, "{place}: {reply}");
    assert_eq!(found.is_valid(), found.violations().is_empty(), "{place}: {reply}");
    found.is_valid()
}
