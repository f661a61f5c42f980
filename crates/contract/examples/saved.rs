//! How much of each reply that breaks its schema came behind the byte with which that was certain: `cargo run -p thusfar-contract --example saved`.
//!
//! The replies are those of the corpus of schemas that are whole and not valid; they are read byte by byte, as a gateway would that hangs up.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use thusfar_contract::Contract;
use thusfar_core::{Ending, Expect, Reply};
use thusfar_testkit::corpus;

/// Where the schemas with their replies stand, seen from the corpora.
const SCHEMAS: &str = "../../crates/contract/tests/schemas";

/// Of one schema: replies, those that are told before their last byte, bytes, bytes that need not have come.
#[derive(Clone, Copy, Default)]
struct Line {
    replies: usize,
    before_the_end: usize,
    bytes: usize,
    saved: usize,
}

impl Line {
    fn add(&mut self, other: Line) {
        self.replies += other.replies;
        self.before_the_end += other.before_the_end;
        self.bytes += other.bytes;
        self.saved += other.saved;
    }
}

fn main() -> io::Result<()> {
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    let all: Vec<_> = corpus::recordings(SCHEMAS, "jsonl");
    for (name, schema) in corpus::recordings(SCHEMAS, "json") {
        let schema = String::from_utf8(schema).map_err(io::Error::other)?;
        let contract = Contract::from_schema(&schema).map_err(io::Error::other)?;
        let cases = all.iter().find(|(cases, _)| cases.trim_end_matches(".cases") == name);
        let cases = cases.map(|(_, bytes)| String::from_utf8_lossy(bytes)).unwrap_or_default();
        for case in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(case)?;
            let reply = case["reply"].as_str().unwrap_or_default();
            if case["valid"] == false {
                lines.entry(name.clone()).or_default().add(line(&contract, reply));
            }
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "| schema | replies that break it | told before the last byte | bytes | not needed | |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    let mut total = Line::default();
    for (name, line) in &lines {
        total.add(*line);
        print(&mut out, name, line)?;
    }
    print(&mut out, "all", &total)
}

fn print(out: &mut impl io::Write, name: &str, line: &Line) -> io::Result<()> {
    let Line { replies, before_the_end, bytes, saved } = line;
    let share = *saved as f64 * 100.0 / (*bytes).max(1) as f64;
    writeln!(out, "| {name} | {replies} | {before_the_end} | {bytes} | {saved} | {share:.1} % |")
}

/// What a schema breaks counts; what is no JSON is another matter.
fn line(contract: &Contract, text: &str) -> Line {
    let expect = Expect::value();
    let mut reply = Reply::with_sink(expect, contract.monitor(&expect));
    let _ = reply.push(text);
    let (answer, monitor) = reply.finish_into(Ending::Stop);
    match (answer, monitor.violation()) {
        (Err(failure), Some(_)) => {
            let saved = text.len().saturating_sub(failure.decided_at() + 1);
            Line { replies: 1, before_the_end: usize::from(saved > 0), bytes: text.len(), saved }
        }
        (Ok(document), _) if !contract.check(&document).is_valid() => {
            Line { replies: 1, before_the_end: 0, bytes: text.len(), saved: 0 }
        }
        _ => Line::default(),
    }
}
