//! What was wrong with the replies of the corpus, and what cures it, as a table: `remedies`.
//!
//! Of `captures.jsonl` all replies, with the ending that was said. Of `cases.jsonl` the replies that are JSON, those with a schema, and the
//! arguments of tool calls; the others are about what stands in front of a document.

use std::collections::BTreeMap;
use std::io::{self, Write};

use thusfar_contract::{Case, Continuation, Contract, Remedy};
use thusfar_core::{Ending, Expect, Limits, Reply};
use thusfar_testkit::corpus::{self, CaptureRow, CaseRow};

/// File, diagnosis and cause, remedy, remedy where the provider goes on: how many replies.
type Table = BTreeMap<[String; 4], usize>;

fn main() -> io::Result<()> {
    let mut table = Table::new();
    let captures = corpus::captures();
    captures.iter().for_each(|row| capture(row, &mut table));
    let (judged, other): (Vec<_>, Vec<_>) = corpus::cases().into_iter().partition(is_judged);
    judged.iter().for_each(|row| case(row, &mut table));

    let mut out = io::stdout().lock();
    writeln!(out, "| file | diagnosis | remedy | where the provider goes on | replies |")?;
    writeln!(out, "|---|---|---|---|--:|")?;
    for ([file, diagnosis, remedy, going_on], count) in &table {
        writeln!(out, "| {file} | {diagnosis} | {remedy} | {going_on} | {count} |")?;
    }
    writeln!(out, "\n{} captures, {} cases; {} cases are not judged here", captures.len(), judged.len(), other.len())
}

fn is_judged(row: &CaseRow) -> bool {
    matches!(&*row.kind, "json" | "schema") || (row.kind == "tool_call" && row.context["payload"] == "arguments")
}

fn capture(row: &CaptureRow, table: &mut Table) {
    let expect = match &*row.root {
        "object" => Expect::object(),
        "array" => Expect::array(),
        "value" => Expect::value(),
        _ => Expect::any(),
    };
    let ending =
        Ending::ALL.iter().find(|(_, name)| *name == row.ending).map_or(Ending::Unknown, |(ending, _)| *ending);
    judge("captures", row.text.as_bytes(), expect, ending, None, table);
}

fn case(row: &CaseRow, table: &mut Table) {
    let bytes = match &row.chunks_b64 {
        Some(chunks) => corpus::chunks(chunks).concat(),
        None => row.input.clone().into_bytes(),
    };
    let mut limits = Limits::default();
    let size = |value: &serde_json::Value| value.as_u64().and_then(|size| usize::try_from(size).ok());
    limits.repetition = size(&row.context["guard"]["repetition"]).or(limits.repetition);
    limits.nesting = size(&row.context["max_depth"]).or(limits.nesting);
    let is_list = row.expected["value"].is_array() || row.input.trim_start().starts_with('[');
    let expect = if is_list { Expect::any() } else { Expect::object() }.limits(limits);
    let ending = match row.context["finish_reason"].as_str() {
        Some("length") => Ending::Length,
        Some("tool_calls") => Ending::ToolUse,
        Some("stop") => Ending::Stop,
        _ => Ending::Unknown,
    };
    let schema = row.context.get("schema").map(ToString::to_string);
    let contract =
        schema.map(|schema| Contract::from_schema(&schema).unwrap_or_else(|error| panic!("{}: {error}", row.id)));
    judge(&format!("cases: {}", row.kind), &bytes, expect, ending, contract.as_ref(), table);
}

/// One reply.
fn judge(file: &str, reply: &[u8], expect: Expect, ending: Ending, contract: Option<&Contract>, table: &mut Table) {
    let mut reading = Reply::new(expect);
    let _ = reading.push_bytes(reply);
    let read = reading.finish(ending);
    let check = read.as_ref().ok().zip(contract).map(|(document, contract)| contract.check(document));
    let case = match (&read, &check) {
        (Ok(document), Some(check)) => Case::checked(document, check),
        (Ok(document), None) => Case::document(document),
        (Err(failure), _) => Case::failed(failure),
    };
    let diagnosis = match (case.diagnosis(), case.cause()) {
        (None, _) => "none: a document".to_owned(),
        (Some(diagnosis), None) => diagnosis.as_str().to_owned(),
        (Some(diagnosis), Some(cause)) => format!("{} ({})", diagnosis.as_str(), cause.as_str()),
    };
    let remedy = |continuation| Remedy::of(&case, continuation).map_or("-", Remedy::as_str).to_owned();
    let row = [file.to_owned(), diagnosis, remedy(Continuation::None), remedy(Continuation::Prefill)];
    *table.entry(row).or_default() += 1;
}
