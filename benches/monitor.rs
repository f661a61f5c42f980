//! What it costs to hold a schema against a reply while it arrives: nanoseconds a byte on top of the push alone.
//!
//! The two cases of a row read the same pieces, one with a monitor as its sink; the figure is the difference of the same round. Each
//! monitor is asserted to have found its document valid, without the full validator where that is possible.
#![allow(clippy::print_stdout)] // The table is what it is for.

use std::hint::black_box;

use serde_json::{Value, json};
use thusfar::{Ending, Progress, Reply};
use thusfar_contract::{Contract, Monitor};
use thusfar_testkit::workload;

#[path = "common/ratios.rs"]
mod ratios;

use ratios::{Case, Options, Row, Unit, case, expect_for};

/// An object of 20 properties of all kinds, 2 KB, indented.
fn record() -> String {
    let prose = |at: usize| "it was written down as it came, and looked at twice ".repeat(1 + at % 3);
    let document = json!({
        "id": "A-00042", "title": "An order of many things", "status": "confirmed", "priority": 3, "total": 1204.75,
        "currency": "EUR", "paid": true, "note": null, "customer": "Lindqvist & daughters", "email": "orders@example.org",
        "street": "14 Harbour Lane", "city": "Visby", "country": "SE", "tags": ["paid", "fragile", "gift"], "weight": 12.5,
        "lines": [
            {"sku": "B-10001", "quantity": 2, "price": 19.99, "kind": "new"},
            {"sku": "B-10002", "quantity": 1, "price": 5, "kind": "used"},
            {"sku": "B-10003", "quantity": 12, "price": 0.75, "kind": "new"},
        ],
        "comment": prose(2), "history": [prose(1), prose(0), prose(2)], "rating": 4, "source": "web",
    });
    serde_json::to_string_pretty(&document).expect("a document")
}

fn record_schema(is_closed: bool) -> Value {
    let text = |most: u64| json!({"type": "string", "maxLength": most});
    json!({
        "type": "object",
        "additionalProperties": !is_closed,
        "required": ["id", "title", "status", "total", "currency", "lines"],
        "properties": {
            "id": {"type": "string", "pattern": "^[A-Z]-[0-9]{5}$"}, "title": text(80),
            "status": {"enum": ["draft", "confirmed", "shipped", "cancelled"]},
            "priority": {"type": "integer", "minimum": 0, "maximum": 9}, "total": {"type": "number", "minimum": 0},
            "currency": {"enum": ["EUR", "SEK", "USD"]}, "paid": {"type": "boolean"}, "note": {"type": ["string", "null"]},
            "customer": text(100), "email": {"type": "string"}, "street": text(100), "city": text(60),
            "country": {"type": "string", "minLength": 2, "maxLength": 2}, "tags": {"type": "array", "items": text(20)},
            "weight": {"type": "number"},
            "lines": {"type": "array", "minItems": 1, "items": {
                "type": "object", "additionalProperties": !is_closed, "required": ["sku", "quantity"],
                "properties": {
                    "sku": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1},
                    "price": {"type": "number", "minimum": 0}, "kind": {"enum": ["new", "used"]},
                },
            }},
            "comment": text(500), "history": {"type": "array", "items": {"type": "string"}},
            "rating": {"type": "integer"}, "source": {"enum": ["web", "shop", "phone"]},
        },
    })
}

/// The records of W2 and W3, or any other document: each field is text of some length, a number or a list.
fn records_schema(text: &str) -> Value {
    fn of(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let properties: serde_json::Map<_, _> =
                    members.iter().map(|(key, value)| (key.clone(), of(value))).collect();
                json!({"type": "object", "properties": properties})
            }
            Value::Array(items) => json!({"type": "array", "items": items.first().map_or(json!(true), of)}),
            Value::String(_) => json!({"type": "string", "maxLength": 100_000_000}),
            Value::Number(_) => json!({"type": "number", "minimum": -1_000_000}),
            Value::Bool(_) => json!({"type": ["boolean", "null"]}),
            Value::Null => json!({}),
        }
    }
    of(&serde_json::from_str(text).expect("JSON"))
}

fn plain<'a>(pieces: &'a [&'a str], len: usize) -> Case<'a> {
    let run = move |(reply, progress): &mut (Reply, Progress)| {
        for piece in black_box(pieces) {
            *progress = reply.push(piece);
        }
    };
    case(
        len,
        move || (Reply::new(expect_for(len)), Progress::Searching),
        run,
        |(_, progress)| {
            assert_eq!(progress, Progress::Closed);
        },
    )
}

fn monitored<'a>(contract: &'a Contract, pieces: &'a [&'a str], len: usize) -> Case<'a> {
    let expect = expect_for(len);
    let make = move || (Reply::with_sink(expect, contract.monitor(&expect)), Progress::Searching);
    let run = move |(reply, progress): &mut (Reply<Monitor>, Progress)| {
        for piece in black_box(pieces) {
            *progress = reply.push(piece);
        }
    };
    case(len, make, run, |(reply, progress)| {
        assert_eq!(progress, Progress::Closed);
        let (document, monitor) = reply.finish_into(Ending::Stop);
        let document = document.expect("a document");
        assert_eq!(monitor.verdict(document.span()), Some(true));
    })
}

/// A row: the difference for each byte.
fn measure(options: &Options, name: &str, schema: &Value, text: &str, chunk: usize, bars: Option<(f64, f64)>) {
    let Some(name) = options.wanted(name.to_owned()) else { return };
    let contract = Contract::from_schema(&schema.to_string()).expect("a schema");
    let pieces = workload::chunks(text, chunk);
    options.difference(
        Row {
            name,
            ours: monitored(&contract, &pieces, text.len()),
            yardstick: plain(&pieces, text.len()),
            unit: Unit::Bytes(text.len()),
            bars,
        },
        text.len(),
    );
}

fn main() {
    let options = Options::from_args();
    options.begin();
    let record = record();
    let (w2, w4) = (workload::w2(), workload::w4());
    for (what, is_closed) in [("open", false), ("closed", true)] {
        let schema = record_schema(is_closed);
        for (chunking, chunk) in [("4B", 4), ("250B", 250), ("whole", usize::MAX)] {
            let bars = Some((15.0, 5.0));
            measure(&options, &format!("12 monitor/20 {what}/{chunking} : ns/B"), &schema, &record, chunk, bars);
        }
    }
    for (corpus, text) in [("W2", &w2), ("W4", &w4)] {
        let schema = records_schema(text);
        for (chunking, chunk) in [("4B", 4), ("16KB", 16_384)] {
            measure(&options, &format!("12 monitor/{corpus}/{chunking} : ns/B"), &schema, text, chunk, None);
        }
    }
    let name = "12 growth of monitor/W2/4B";
    if options.wanted_growth(name) {
        let contract = Contract::from_schema(&records_schema(&w2).to_string()).expect("a schema");
        let whole = options.growing_lens().map(workload::w2_of);
        let texts = [&whole[0], &whole[1], &whole[2]].map(|text| (text.len(), workload::chunks(text, 4)));
        let unit = |(len, _): &(usize, Vec<&str>)| (*len, Unit::Bytes(*len));
        options.growths(name, &texts, |(len, pieces)| monitored(&contract, pieces, *len), unit);
    }
}
