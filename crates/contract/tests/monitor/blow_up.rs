//! Schemas and replies that multiply: the monitor stays within bounds that are counted, and what it cannot keep it leaves to the full validator.

use std::ops::Range;
use std::thread;

use serde_json::{Map, Value, json};
use thusfar_contract::{Contract, Monitor, MonitorLimits, SchemaErrorKind, SchemaOptions, Timing};
use thusfar_core::{Ending, Expect, Limits, Progress, Reply, read};

use crate::feeding::{Feed, REFUSED, Told};
use crate::official::say;

/// What came of a long reply: the violation and the byte it was told with, and the most subschemas that were applied at once.
struct Came {
    told: Option<(Told, usize)>,
    is_document: bool,
    verdict: Option<bool>,
    instances: usize,
}

fn expect() -> Expect {
    Expect::value().limits(Limits::NONE)
}

/// Reads a reply in pieces, without the full validator: it may not be able to.
fn came(contract: &Contract, limits: MonitorLimits, reply: &str, piece: usize) -> Came {
    let mut read: Reply<Monitor> = Reply::with_sink(expect(), contract.monitor_with(&expect(), limits));
    for piece in reply.as_bytes().chunks(piece) {
        if read.push_bytes(piece) == Progress::Doomed {
            break;
        }
    }
    let (end, monitor) = read.finish_into(Ending::Stop);
    let told = monitor.violation().map(Told::of);
    let instances = monitor.instances();
    match end {
        Ok(document) => {
            let verdict = monitor.verdict(document.span());
            Came { told: None, is_document: true, verdict, instances }
        }
        Err(failure) => {
            assert_eq!(failure.code(), REFUSED, "{failure}");
            Came { told: told.map(|told| (told, failure.decided_at())), is_document: false, verdict: None, instances }
        }
    }
}

fn default(contract: &Contract, reply: &str) -> Came {
    let whole = came(contract, MonitorLimits::default(), reply, usize::MAX);
    let cut = came(contract, MonitorLimits::default(), reply, 7);
    assert_eq!((&whole.told, whole.verdict), (&cut.told, cut.verdict));
    assert_eq!(whole.instances, cut.instances, "the same work for every chunking");
    whole
}

fn told_at(came: &Came) -> Option<(usize, &str)> {
    came.told.as_ref().map(|(told, _)| (told.offset, told.keyword))
}

fn on_a_thread(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread").join().expect("no panic");
}

fn compiled(schema: &Value) -> Contract {
    Contract::from_schema(&schema.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

/// Each level is asked twice about the next: without sharing, a quarter of a million times at depth 18.
#[test]
fn branches_that_lead_to_the_same() {
    let branch = |name: &str| json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "kind": {"const": name}}, "required": ["next"]});
    let schema =
        json!({"$ref": "#/$defs/node", "$defs": {"node": {"anyOf": [branch("a"), branch("b"), {"type": "null"}]}}});
    let contract = compiled(&schema);
    for depth in [6, 18, 100] {
        let front = "{\"next\": ".repeat(depth);
        let valid = default(&contract, &format!("{front}null{}", "}".repeat(depth)));
        assert!(valid.told.is_none() && valid.is_document && valid.verdict != Some(false), "{depth}");
        let wrong = default(&contract, &format!("{front}7{}", "}".repeat(depth)));
        assert_eq!(told_at(&wrong).map(|(offset, _)| offset), Some(front.len()), "{depth}");
        say(&format!("anyOf and $ref, {depth} deep: {} subschemas at once", valid.instances));
        // Fewer than all schemas there are, for each open value.
        assert!(valid.instances <= 10 * (depth + 1), "{depth}: {}", valid.instances);
        assert!(wrong.instances <= 10 * (depth + 1), "{depth}: {}", wrong.instances);
    }
}

#[test]
fn unions_of_many_branches() {
    let branch = |at: usize| {
        let own = format!("field{at}");
        json!({"properties": {"kind": {"const": format!("kind-{at:04}")}, own.clone(): {"type": "integer"}}, "required": ["kind", own], "additionalProperties": false})
    };
    for keyword in ["anyOf", "oneOf"] {
        let schema = json!({"items": {keyword: (0..300).map(branch).collect::<Value>()}});
        let contract = compiled(&schema);
        let item = |at: usize| format!("{{\"kind\": \"kind-{at:04}\", \"field{at}\": 1}}");
        let valid: Vec<_> = (0..300).map(item).collect();
        let came = default(&contract, &format!("[{}]", valid.join(", ")));
        assert!(came.told.is_none() && came.verdict == Some(true), "{keyword}: {:?}", came.told);
        assert!(came.instances <= 300 * 8, "{keyword}: {}", came.instances);
        say(&format!("{keyword} of 300 branches: {} subschemas at once", came.instances));
        let wrong = "[{\"kind\": \"kind-0299\", \"field298\": 1}]";
        let came = default(&contract, wrong);
        let at = wrong.find("8\": 1").expect("a place");
        assert_eq!(told_at(&came), Some((at, "additionalProperties")), "{keyword}");
    }
}

#[test]
fn enums_of_a_thousand_values() {
    let values: Vec<_> = (0..1_000).map(|at| format!("{}-{at:03}", "common-beginning")).collect();
    let contract = compiled(&json!({"items": {"enum": values}}));
    let all = serde_json::to_string(&values).expect("JSON");
    let came = default(&contract, &all);
    assert!(came.verdict == Some(true) && came.told.is_none());
    assert!(came.instances < 10, "{}", came.instances);
    for (reply, offset) in [
        ("[\"common-beginning-99x\"]", 21),
        ("[\"common-beginning-1234\"]", 22),
        ("[\"common-b\"]", 10),
        ("[\"d\"]", 2),
    ] {
        assert_eq!(told_at(&default(&contract, reply)), Some((offset, "enum")), "{reply}");
    }
    let numbers: Vec<_> = (0..1_000).map(|at| at * 7).collect();
    let contract = compiled(&json!({"items": {"enum": numbers}}));
    assert_eq!(default(&contract, &serde_json::to_string(&numbers).expect("JSON")).verdict, Some(true));
    assert_eq!(told_at(&default(&contract, "[7, 8, 14]")), Some((5, "enum")));
}

/// So many fields in an object, and in its schema.
#[test]
fn objects_of_ten_thousand_fields() {
    let name = |at: usize| format!("field-{at:05}");
    let properties: Map<String, Value> = (0..10_000).map(|at| (name(at), json!({"type": "integer"}))).collect();
    let required: Vec<_> = (0..10_000).map(name).collect();
    let closed = json!({"properties": properties, "required": required, "additionalProperties": false});
    let mut fields: Vec<_> = (0..10_000).rev().map(|at| format!("\"{}\": {at}", name(at))).collect();
    let contract = compiled(&closed);
    let whole = format!("{{{}}}", fields.join(","));
    let came = default(&contract, &whole);
    assert!(came.verdict == Some(true) && came.told.is_none() && came.instances < 10, "{}", came.instances);
    // One more: none is left.
    let more = format!("{{{}, \"field-x\": 1}}", fields.join(","));
    assert_eq!(told_at(&default(&contract, &more)), Some((whole.len() - 1, "additionalProperties")));
    // The last one is not there.
    let last = fields.pop();
    let less = format!("{{{}}}", fields.join(","));
    assert_eq!(told_at(&default(&contract, &less)), Some((less.len() - 1, "required")));
    fields.extend(last);
    // Any name is allowed: what was seen is remembered up to a limit, and the verdict is right all the same.
    let open = compiled(&json!({"additionalProperties": {"type": "integer"}, "maxProperties": 9_999}));
    let answer = default(&open, &whole);
    let is_told = told_at(&answer).is_some_and(|(_, keyword)| keyword == "maxProperties");
    assert!(is_told || answer.is_document && answer.verdict != Some(true), "{:?}", answer.told);
    let open =
        compiled(&json!({"additionalProperties": {"type": "integer"}, "minProperties": 10_000, "required": [name(0)]}));
    assert!(default(&open, &whole).verdict != Some(false));
    let wrong = whole.replace(": 5000,", ": \"x\",");
    let at = wrong.find("\"x\"").expect("a place");
    assert_eq!(told_at(&default(&open, &wrong)), Some((at, "type")));
}

/// Patterns that are dear to those who go back, or large: none keeps the monitor from its verdict.
#[test]
fn hostile_patterns() {
    let words: Vec<_> = (0..2_000).map(|at| format!("word{}", at * 7_919)).collect();
    let alternation = format!("^({})$", words.join("|"));
    let long = "a".repeat(20_000);
    let rows: [(&str, String, bool); 9] = [
        ("^(a+)+$", long.clone(), true),
        ("^(a+)+$", format!("{long}b"), false),
        ("(a+)+b$", long.clone(), false),
        ("^(x{0,50}){0,50}$", "x".repeat(2_000), true),
        ("^(x{0,50}){0,50}$", "x".repeat(2_501), false),
        ("^(a|aa)+b?$", format!("{long}c"), false),
        (&alternation, words[1_999].clone(), true),
        (&alternation, "word1".to_owned(), false),
        ("^(.*a){12}$", format!("{}b", "ab".repeat(50)), false),
    ];
    for (pattern, text, valid) in rows {
        for options in [SchemaOptions::trusted(), SchemaOptions::untrusted()] {
            let contract = match Contract::with_options(&json!({ "pattern": pattern }).to_string(), &options) {
                Ok(contract) => contract,
                Err(error) => {
                    assert!(matches!(error.kind(), SchemaErrorKind::Pattern | SchemaErrorKind::Limit), "{error}");
                    continue;
                }
            };
            let reply = Value::from(text.clone()).to_string();
            let check = contract.check(&read(&reply, expect()).expect("a document"));
            let came = default(&contract, &reply);
            let short = &pattern[..pattern.len().min(40)];
            match check.limit() {
                Some(_) => assert!(came.verdict.is_none_or(|verdict| verdict == valid), "{short}"),
                None => {
                    assert_eq!(check.is_valid(), valid, "{short}");
                    assert!(!valid || came.told.is_none() && came.verdict != Some(false), "{short}: {:?}", came.told);
                    assert!(valid || came.told.is_some() || came.verdict != Some(true), "{short}");
                }
            }
        }
    }
}

/// Too large for any automaton: left to the end, and no wrong word.
#[test]
fn patterns_over_the_cap() {
    for pattern in ["^(x{0,500}){0,500}$", "^[a-z\\p{L}]{1,400}(\\p{Lu}|\\w{3}){1,200}$", "(.*a.{40})"] {
        let Ok(contract) = Contract::from_schema(&json!({ "pattern": pattern }).to_string()) else { continue };
        for text in ["x", "xxxxxxxx", "", "ax", "aB", &"a".repeat(300)] {
            let reply = Value::from(text).to_string();
            let check = contract.check(&read(&reply, expect()).expect("a document"));
            let came = default(&contract, &reply);
            let is_valid = check.limit().is_none().then_some(check.is_valid());
            assert!(came.told.is_none() || is_valid != Some(true), "{pattern}: {text}");
            assert!(came.verdict.is_none() || is_valid.is_none() || came.verdict == is_valid, "{pattern}: {text}");
        }
    }
}

/// As deep as a reply gets, on the stack of a thread.
#[test]
fn deep_nesting() {
    on_a_thread(|| {
        let tree = json!({"$ref": "#/$defs/t", "$defs": {"t": {"type": ["array", "null"], "maxItems": 2, "items": {"$ref": "#/$defs/t"}}}});
        let contract = compiled(&tree);
        for depth in [120, 200, 5_000, 100_000] {
            let valid = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let came = default(&contract, &valid);
            assert!(came.told.is_none() && came.verdict != Some(false), "{depth}");
            assert!(came.instances <= MonitorLimits::default().instances, "{depth}: {}", came.instances);
            let wrong = format!("{}7{}", "[".repeat(depth), "]".repeat(depth));
            let came = default(&contract, &wrong);
            match told_at(&came) {
                Some(told) => assert_eq!(told, (depth, "type"), "{depth}"),
                // Deeper than what is kept: for the validator.
                None => assert!(depth >= 5_000 && came.verdict != Some(true), "{depth}"),
            }
        }
    });
}

/// The least limit with which something is told, of those up to `most`; with each lower one it is not, and no verdict is wrong.
fn least(contract: &Contract, reply: &str, among: Range<usize>, limits: impl Fn(usize) -> MonitorLimits) -> usize {
    let mut least = None;
    for limit in among {
        let feed = Feed { limits: limits(limit), ..Feed::new(contract, Expect::value()) };
        let answer = feed.cut_at(reply, 6);
        assert_eq!(answer.is_valid(), Some(false), "{limit}: {reply}");
        match answer.refusal() {
            Some((told, _)) => {
                assert!(told.when != Timing::Final);
                least.get_or_insert(limit);
            }
            None => assert!(least.is_none(), "told with less than {limit}, and not with it: {reply}"),
        }
    }
    least.unwrap_or_else(|| panic!("not told: {reply}"))
}

#[test]
fn text_at_the_limit_and_one_past_it() {
    let date = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": {"format": "date"}}"#;
    let long = format!("[\"{}\", 1]", "yesterday ".repeat(40));
    // As many bytes as what is compared has without white space; of an array up to the item that is equal to another.
    let rows = [
        (r#"{"uniqueItems": true}"#, "[\"abcdefghij\", 12, \"abcdefghij\", 1]", "[\"abcdefghij\",12,\"abcdefghij\""),
        (r#"{"uniqueItems": true}"#, "[{\"a\": [1, 2]}, {\"a\": [1, 2]}, 1]", "[{\"a\":[1,2]},{\"a\":[1,2]}"),
        (r#"{"items": {"enum": [[1, 2], {"a": 1}]}}"#, "[[1, 2], [1, 2, 3, 4], [1, 2]]", "[1,2,3,4]"),
        // Some of a string is kept in any case, for the sentence.
        (date, &long, &long[2..402]),
    ];
    for (schema, reply, compared) in rows {
        let contract = Contract::from_schema(schema).expect("a schema");
        let among = compared.len().saturating_sub(40)..compared.len() + 20;
        let found = least(&contract, reply, among, |text| MonitorLimits { text, ..MonitorLimits::default() });
        assert_eq!(found, compared.len(), "{reply}");
    }
    // What needs no text is told without any.
    for (schema, reply) in [(r#"{"items": {"enum": ["abc"]}}"#, "[\"abd\"]"), (r#"{"required": ["a"]}"#, "{\"b\": 1}")]
    {
        let contract = Contract::from_schema(schema).expect("a schema");
        assert_eq!(least(&contract, reply, 0..4, |text| MonitorLimits { text, ..MonitorLimits::default() }), 0);
    }
}

#[test]
fn subschemas_at_the_limit_and_one_past_it() {
    let schema = r##"{"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/t"}}, {"type": "null"}]}}}"##;
    let contract = Contract::from_schema(schema).expect("a schema");
    let mut before = 0;
    for depth in [1, 2, 4, 8] {
        let reply = format!("{}7{}", "[".repeat(depth), "]".repeat(depth));
        let found = least(&contract, &reply, 0..16 * (depth + 1), |instances| MonitorLimits {
            instances,
            ..MonitorLimits::default()
        });
        say(&format!("{depth} deep: told with {found} subschemas"));
        assert!(found > before, "deeper asks for more: {found}");
        before = found;
    }
}

/// What the shapes above cost: `cargo test --release -p thusfar-contract --test monitor blow_up -- --ignored --nocapture`.
#[test]
#[ignore = "figures, no verdict"]
fn what_multiplies_in_figures() {
    let names = |count: usize| (0..count).map(|at| format!("field_{at:05}")).collect::<Vec<_>>();
    let properties =
        |count| names(count).into_iter().map(|name| (name, json!({"type": "integer"}))).collect::<Map<_, _>>();
    let members = |count| names(count).into_iter().map(|name| (name, json!(1))).collect::<Map<_, _>>();
    let branch = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "v": {"type": "integer"}}});
    let recursive = json!({"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [branch, branch, {"type": "null"}]}}});
    let words: Vec<_> = (0..1_000).map(|at| format!("a word of some length, number {at}")).collect();
    let patterns = ["(a+)+$", "(x{0,500}){0,500}", "^(a|b|ab)*c$", "^[a-z ]{1,200}$"];
    let shapes = [
        ("anyOf through $ref, depth 18", recursive, format!("{}null{}", "{\"a\": ".repeat(18), "}".repeat(18))),
        ("enum of 1,000", json!({"items": {"enum": words}}), Value::from(words.clone()).to_string()),
        (
            "10,000 properties, closed",
            json!({"properties": properties(10_000), "additionalProperties": false}),
            Value::from(members(10_000)).to_string(),
        ),
        (
            "10,000 properties, open",
            json!({"properties": properties(10_000)}),
            Value::from(members(10_000)).to_string(),
        ),
        (
            "hostile patterns",
            json!({"items": {"anyOf": patterns.map(|pattern| json!({"pattern": pattern}))}}),
            Value::from(vec!["a".repeat(150); 100]).to_string(),
        ),
    ];
    for (name, schema, reply) in shapes {
        let contract = Contract::from_schema(&schema.to_string()).expect("a schema");
        let _ = contract.monitor(&expect());
        let (mut instances, mut bytes, mut best) = (0, 0, f64::MAX);
        for _ in 0..20 {
            let mut read: Reply<Monitor> = Reply::with_sink(expect(), contract.monitor(&expect()));
            let start = std::time::Instant::now();
            let _ = reply.as_bytes().chunks(16).map(|piece| read.push_bytes(piece)).last();
            let spent = start.elapsed().as_secs_f64();
            best = best.min(spent * 1e9 / reply.len() as f64);
            (instances, bytes) = (read.sink().instances(), read.sink().heap_bytes());
        }
        say(&format!(
            "{name}: {} bytes of reply, {instances} instances, {bytes} bytes held, {best:.1} ns a byte, push included",
            reply.len()
        ));
    }
}
