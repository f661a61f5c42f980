//! Twenty schemas as people write them (`schemas/`): none trips a limit, and every reply gets the verdict that stands beside it.

#[path = "support/written_schemas.rs"]
mod written_schemas;

use thusfar_contract::{Contract, SchemaOptions};
use thusfar_core::{Ending, Expect, read};
use thusfar_testkit::check::check;
use written_schemas::{Schema, schemas};

#[test]
fn every_reply_gets_its_verdict() {
    let schemas = schemas();
    assert_eq!(schemas.len(), 20);
    let (mut replies, mut refused) = (0, Vec::new());
    for Schema { name, text, rows } in schemas {
        let contracts = [SchemaOptions::trusted(), SchemaOptions::untrusted()]
            .map(|options| Contract::with_options(&text, &options).unwrap_or_else(|error| panic!("{name}: {error}")));
        for row in rows {
            let witness = row.witness();
            let place = format!("{name}: {}", row.why);
            for contract in &contracts {
                for reply in row.valid.then_some(&row.reply).into_iter().chain(&witness) {
                    assert!(is_valid(contract, reply, &place), "{place}: {reply}");
                }
                let outcome = check(&row.reply, Expect::value(), Ending::Stop).outcome();
                if outcome != "ok" {
                    assert!(!row.valid && row.is_for_the_reader() && row.v1_lag.is_none(), "{place}: {outcome}");
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
