//! What a schema costs: compiled, asked of a document that follows it, and of one that does not.
//!
//! Groups are named contract / what is done. Beside the check stands what has been paid before it, the parse into a `serde_json::Value`, which the check
//! does once more for its own; and `jsonschema` alone on a value that is there. Each answer is asserted.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use serde_json::{Value, json};
use thusfar::{Document, Expect, read};
use thusfar_contract::Contract;

/// An order of so many lines; in one that is broken every tenth quantity is too large.
fn order(count: usize, is_broken: bool) -> String {
    let line = |at: usize| {
        let quantity = if is_broken && at % 10 == 9 { 1_000 } else { at % 50 + 1 };
        let kind = if at.is_multiple_of(2) { "new" } else { "used" };
        json!({"sku": format!("A-{at:05}"), "quantity": quantity, "price": at as f64 / 7.0, "kind": kind,
            "note": format!("line {at} of the order, as it was written down"), "tags": ["paid", "fragile"]})
    };
    json!({"id": 7, "lines": (0..count).map(line).collect::<Vec<_>>()}).to_string()
}

fn schema() -> String {
    let line = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["sku", "quantity", "price", "kind"],
        "properties": {
            "sku": {"type": "string", "pattern": "^[A-Z]-[0-9]{5}$"},
            "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
            "price": {"type": "number", "minimum": 0},
            "kind": {"enum": ["new", "used"]},
            "note": {"type": ["string", "null"], "maxLength": 200},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
        },
    });
    json!({
        "type": "object",
        "required": ["id", "lines"],
        "properties": {"id": {"type": "integer"}, "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}}},
        "$defs": {"line": line},
    })
    .to_string()
}

fn document(text: &str) -> Document {
    read(text, Expect::object()).expect("a document")
}

fn contract(criterion: &mut Criterion) {
    let schema = schema();
    criterion.bench_function("contract/compile", |bencher| {
        bencher.iter(|| Contract::from_schema(black_box(&schema)).expect("a schema"));
    });

    let contract = Contract::from_schema(&schema).expect("a schema");
    let alone = jsonschema::validator_for(contract.schema()).expect("a schema");
    for (name, is_broken) in [("valid", false), ("broken", true)] {
        let text = order(60, is_broken);
        let document = document(&text);
        let check = contract.check(&document);
        assert_eq!(check.violations().len(), if is_broken { 6 } else { 0 });

        let mut group = criterion.benchmark_group(format!("contract/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("check", |bencher| bencher.iter(|| contract.check(black_box(&document))));
        group.bench_function("parse", |bencher| {
            bencher.iter(|| serde_json::from_str::<Value>(black_box(document.text())).expect("JSON"));
        });
        let value = document.value();
        group.bench_function("jsonschema", |bencher| {
            bencher.iter(|| assert_eq!(alone.is_valid(black_box(&value)), !is_broken));
        });
        group.bench_function("jsonschema_errors", |bencher| {
            bencher.iter(|| assert_eq!(alone.iter_errors(black_box(&value)).count(), if is_broken { 6 } else { 0 }));
        });
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    contract(&mut criterion);
    criterion.final_summary();
}
