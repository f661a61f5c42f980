//! What it costs to read prose: for printed tool calls, in prose that has none, in a JSON answer, in a call of each dialect, and in what is nearly
//! one; and for signals, in a judge's prose, in one of labels, and in what is nearly a label.
//!
//! Groups are named tools or signals / what is read / the length of the chunks. Each answer is asserted.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use thusfar_contract::{Extracted, Rescued, SignalOutcome, Signals, Tools};
use thusfar_core::Ending;

/// The list that a request offers.
const TOOLS: &str = r#"[{"name": "weather", "input_schema": {"type": "object", "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"}, "note": {"type": "string"}}, "required": ["city"]}}]"#;

/// Lines up to a length, each with its number: what repeats itself is a runaway.
fn long(text: &str) -> String {
    (0..100_000 / text.len()).map(|number| format!("{number} {text}")).collect()
}

/// What is read, and how many calls it holds.
fn replies() -> Vec<(&'static str, String, usize)> {
    let note = long("It may rain, it may not; bring a coat. ");
    let json = format!("{{\"city\": \"Oslo\", \"days\": 3, \"note\": \"{note}\"}}");
    vec![
        ("prose", long("It's 21 °C in Oslo (a < b), and `code` is [code]; nothing else to say about it.\n"), 0),
        ("answer", format!("{{\"forecast\": \"{note}\"}}"), 0),
        ("json", format!("{{\"name\": \"weather\", \"arguments\": {json}}}"), 1),
        ("hermes", format!("<tool_call>{{\"name\": \"weather\", \"arguments\": {json}}}</tool_call>"), 1),
        (
            "qwen",
            format!(
                "<function=weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=note>\n{note}\n</parameter>\n</function>"
            ),
            1,
        ),
        ("mistral", format!("[TOOL_CALLS]weather{json}"), 1),
        ("near", long("x <tool_cal {y <function=z> "), 0),
    ]
}

/// What a judge is asked for.
const SPEC: &str = r#"{"targets": [
    {"name": "verdict", "type": "enum", "values": ["approve", "reject"], "aliases": {"reject": ["not recommended"]}},
    {"name": "score", "type": "number", "min": 0, "max": 10}, {"name": "blocking", "type": "boolean"}]}"#;

/// What judges write, and what the verdict comes to.
fn judgements() -> Vec<(&'static str, String, SignalOutcome)> {
    let prose =
        long("The tests cover what the change does (mostly), and `parse` is no slower; it isn't urgent, though.\n");
    vec![
        ("prose", format!("{prose}\n**Verdict:** approve\nScore: 8/10\nBlocking: no\n"), SignalOutcome::Ok),
        ("labels", format!("{}Verdict: reject", "**Verdict:** reject (see below)\n".repeat(3_000)), SignalOutcome::Ok),
        ("near", long("verdic not appro \"score [[ 7/ verdict (x) "), SignalOutcome::NotFound),
    ]
}

/// A reply in chunks of at least so many bytes.
fn chunks(mut rest: &str, chunk_len: usize, mut push: impl FnMut(&str)) {
    while !rest.is_empty() {
        let mut at = chunk_len.min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let (chunk, behind) = rest.split_at(at);
        push(chunk);
        rest = behind;
    }
}

fn extract(signals: &Signals, reply: &str, chunk_len: usize) -> Extracted {
    let mut extraction = signals.begin();
    chunks(reply, chunk_len, |chunk| {
        let _ = extraction.push(chunk);
    });
    extraction.finish(Ending::Stop)
}

fn rescue(tools: &Tools, reply: &str, chunk_len: usize) -> Rescued {
    let mut rescue = tools.rescue();
    chunks(reply, chunk_len, |chunk| {
        let _ = rescue.push(chunk);
    });
    rescue.finish(Ending::Stop)
}

fn tools(criterion: &mut Criterion) {
    let tools = Tools::from_json(TOOLS).expect("tools");
    for (name, reply, calls) in replies() {
        let mut group = criterion.benchmark_group(format!("tools/{name}"));
        group.throughput(Throughput::Bytes(reply.len() as u64));
        for chunk_len in [4, 16_384] {
            assert_eq!(rescue(&tools, &reply, chunk_len).calls().len(), calls, "{name}");
            group.bench_with_input(BenchmarkId::from_parameter(chunk_len), &reply, |bencher, reply| {
                bencher.iter(|| rescue(&tools, black_box(reply), chunk_len));
            });
        }
        group.finish();
    }
}

fn signals(criterion: &mut Criterion) {
    let signals = Signals::from_spec(SPEC).expect("a spec");
    for (name, reply, outcome) in judgements() {
        let mut group = criterion.benchmark_group(format!("signals/{name}"));
        group.throughput(Throughput::Bytes(reply.len() as u64));
        for chunk_len in [4, 16 << 10] {
            let verdict = |extracted: &Extracted| extracted.get("verdict").map(|signal| signal.outcome());
            assert_eq!(verdict(&extract(&signals, &reply, chunk_len)), Some(outcome), "{name}");
            group.bench_function(BenchmarkId::from_parameter(chunk_len), |bencher| {
                bencher.iter(|| extract(&signals, black_box(&reply), chunk_len));
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    tools(&mut criterion);
    signals(&mut criterion);
    criterion.final_summary();
}
