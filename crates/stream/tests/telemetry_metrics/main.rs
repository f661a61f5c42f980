//! Metrics of replies: to the value, over the recordings of all providers; their labels; what they are called in Prometheus.

#[path = "../canary/mod.rs"]
mod canary; // bodies that hold it wherever somebody writes
#[path = "../../../../tests/counting/mod.rs"]
mod counting; // an allocator that counts

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use canary::{CANARY, bodies, options, read};
use counting::taken;
use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
    with_local_recorder,
};
use metrics_exporter_prometheus::PrometheusBuilder;
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use thusfar_core::{Event, Expect, Flow, Keep, Sink, Take};
use thusfar_stream::telemetry::{Conventions, Labels, Telemetry};
use thusfar_stream::{Asked, Listeners, Provider, Session, SessionEvent, SessionOptions};
use thusfar_testkit::corpus;
use thusfar_testkit::events::{self, DONE};

/// The labels that every metric has.
const BASE: &str = "gen_ai.operation.name=chat,gen_ai.provider.name=openai,gen_ai.request.model=m-1";

fn telemetry(conventions: Conventions) -> Telemetry {
    Telemetry::new(Labels::of(Provider::OpenAi).model("m-1"), conventions)
}

/// What was recorded: names with the labels that not all have, to counts or values. What is zero or empty is left away.
fn record(conventions: Conventions, work: impl FnOnce(&Telemetry)) -> BTreeMap<String, String> {
    let recorder = DebuggingRecorder::new();
    with_local_recorder(&recorder, || work(&telemetry(conventions)));
    let all = recorder.snapshotter().snapshot().into_vec();
    let shown = all.into_iter().filter_map(|(key, _, _, value)| {
        let labels: Vec<_> = key.key().labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        let labels = labels.join(",");
        let more = labels.strip_prefix(BASE).expect("the labels of the caller").trim_start_matches(',');
        let name = key.key().name();
        let name = if more.is_empty() { name.to_owned() } else { format!("{name}{{{more}}}") };
        let value = match value {
            DebugValue::Counter(0) => return None,
            DebugValue::Counter(count) => count.to_string(),
            DebugValue::Histogram(values) if values.is_empty() => return None,
            DebugValue::Histogram(values) => format!("{:?}", values.iter().map(|value| value.0).collect::<Vec<_>>()),
            DebugValue::Gauge(value) => panic!("a gauge {value}"),
        };
        Some((name, value))
    });
    shown.collect()
}

fn assert_is(recorded: &BTreeMap<String, String>, expected: &[(&str, &str)]) {
    let expected: BTreeMap<_, _> = expected.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    assert_eq!(recorded, &expected);
}

/// The same of counters and sizes alone: what does not hang on the pieces.
fn without_times(mut recorded: BTreeMap<String, String>) -> BTreeMap<String, String> {
    recorded.retain(|name, _| !name.contains("time_") && !name.contains("duration"));
    recorded
}

fn recording(name: &str) -> Vec<u8> {
    let all = ["sse", "ndjson", "json"].into_iter().flat_map(|end| corpus::recordings("streams", end));
    all.into_iter().find(|(other, _)| other == name).expect("a recording").1
}

fn judged() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object())
}

// To the value.

#[test]
fn a_reply_under_1_41() {
    let body = recording("openai_chat_text");
    // Three chunks, at 0.5, 0.75 and 1 s; read at 1.25 s.
    let recorded = record(Conventions::V1_41, |telemetry| {
        read(telemetry, &body, &SessionOptions::default(), body.len().div_ceil(3));
    });
    assert_is(
        &recorded,
        &[
            ("gen_ai.client.operation.duration", "[1.25]"),
            ("gen_ai.client.operation.time_to_first_chunk", "[0.5]"),
            ("gen_ai.client.operation.time_per_output_chunk", "[0.25, 0.25]"),
            ("gen_ai.client.token.usage{gen_ai.token.type=input}", "[21.0]"),
            ("gen_ai.client.token.usage{gen_ai.token.type=output}", "[17.0]"),
            ("thusfar.replies{thusfar.outcome=complete}", "1"),
            ("thusfar.finishes{thusfar.finish=stop}", "1"),
            ("thusfar.time_to_first_text", "[0.5]"),
            ("thusfar.body.size", "[3981.0]"),
            ("thusfar.text.size", "[60.0]"),
            ("thusfar.deltas", "[10.0]"),
        ],
    );
}

#[test]
fn the_same_under_its_successor() {
    let body = recording("openai_chat_text");
    let recorded = record(Conventions::GenAi, |telemetry| {
        read(telemetry, &body, &SessionOptions::default(), body.len());
    });
    assert_is(
        &recorded,
        &[
            ("gen_ai.client.inference.duration", "[0.75]"),
            ("gen_ai.client.inference.time_to_first_chunk", "[0.5]"),
            ("gen_ai.client.inference.usage.input_tokens{gen_ai.token.modality=unknown}", "21"),
            ("gen_ai.client.inference.usage.output_tokens{gen_ai.token.modality=unknown}", "17"),
            ("gen_ai.client.inference.operation.input_tokens", "[21.0]"),
            ("gen_ai.client.inference.operation.output_tokens", "[17.0]"),
            ("thusfar.replies{thusfar.outcome=complete}", "1"),
            ("thusfar.finishes{thusfar.finish=stop}", "1"),
            ("thusfar.time_to_first_text", "[0.5]"),
            ("thusfar.body.size", "[3981.0]"),
            ("thusfar.text.size", "[60.0]"),
            ("thusfar.deltas", "[10.0]"),
        ],
    );
}

/// An error of the provider: its class is a label, and tokens that were not told are nothing, or zero.
#[test]
fn an_error() {
    let body = "data: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}\n\n";
    let read = |telemetry: &Telemetry| drop(read(telemetry, body.as_bytes(), &SessionOptions::default(), 1000));
    let ours = [
        ("thusfar.replies{thusfar.outcome=error}", "1"),
        ("thusfar.body.size", "[59.0]"),
        ("thusfar.text.size", "[0.0]"),
        ("thusfar.deltas", "[0.0]"),
    ];
    assert_is(
        &record(Conventions::V1_41, read),
        &[
            &ours[..],
            &[
                ("gen_ai.client.operation.duration{error.type=overloaded_error}", "[0.75]"),
                ("gen_ai.client.operation.time_to_first_chunk", "[0.5]"),
            ],
        ]
        .concat(),
    );
    assert_is(
        &record(Conventions::GenAi, read),
        &[
            &ours[..],
            &[
                ("gen_ai.client.inference.duration{error.type=overloaded_error}", "[0.75]"),
                ("gen_ai.client.inference.time_to_first_chunk", "[0.5]"),
                ("gen_ai.client.inference.operation.input_tokens{error.type=overloaded_error}", "[0.0]"),
                ("gen_ai.client.inference.operation.output_tokens{error.type=overloaded_error}", "[0.0]"),
            ],
        ]
        .concat(),
    );
}

/// Outcome, end and tokens of every recording, from what is noted of it; the same however it was cut.
#[test]
fn every_recording() {
    let tokens = |name: &str| match name {
        "anthropic_context_window" => Some((25, Some(2))),
        "anthropic_refusal" => Some((25, Some(0))),
        "gemini_prompt_blocked" => Some((9, None)),
        "vllm_reasoning" => Some((4, Some(9))),
        "openai_chat_text" => Some((21, Some(17))),
        name if name.starts_with("anthropic_") => Some((25, Some(15))),
        name if name.starts_with("cohere_") => Some((5, Some(3))),
        name if name.starts_with("mistral_") => Some((8, Some(12))),
        "gemini_error_midstream" | "ollama_cut" | "ollama_error" | "ollama_v1" | "openai_responses_failed" => None,
        name if name.starts_with("gemini_") => Some((9, Some(12))),
        name if name.starts_with("ollama_") => Some((11, Some(4))),
        name if name.starts_with("openai_responses_") => Some((30, Some(19))),
        _ => None,
    };
    let known = corpus::recordings("streams", "json");
    let mut count = 0;
    for (name, body) in ["sse", "ndjson", "json"].into_iter().flat_map(|end| corpus::recordings("streams", end)) {
        let Some((_, expected)) = known.iter().find(|(other, _)| *other == format!("{name}.expected")) else {
            continue;
        };
        let expected: serde_json::Value = serde_json::from_slice(expected).expect("JSON");
        let of =
            |len| record(Conventions::V1_41, |telemetry| drop(read(telemetry, &body, &SessionOptions::default(), len)));
        let recorded = without_times(of(body.len()));
        for len in [1, 7, 64, 300, 1400] {
            assert_eq!(without_times(of(len)), recorded, "{name} in pieces of {len} bytes");
        }
        let sum = |name: &str, label: &str| {
            let fits = |key: &&String| key.starts_with(&format!("{name}{{")) && key.contains(label);
            let counts = recorded.iter().filter(|(key, _)| fits(key)).map(|(_, value)| value.parse::<u64>());
            counts.map(|count| count.expect("a count")).sum::<u64>()
        };
        let outcome = expected["outcome"].as_str().expect("an outcome");
        assert_eq!(sum("thusfar.replies", ""), 1, "{name}");
        assert_eq!(sum("thusfar.replies", &format!("thusfar.outcome={outcome}")), 1, "{name}: {recorded:?}");
        for finish in expected["finish"].as_array().expect("ends") {
            let class = finish["class"].as_str().expect("a class");
            assert!(sum("thusfar.finishes", &format!("thusfar.finish={class}")) >= 1, "{name}: {recorded:?}");
        }
        assert_eq!(sum("thusfar.finishes", ""), expected["finish"].as_array().expect("ends").len() as u64, "{name}");
        let usage =
            |kind| recorded.get(&format!("gen_ai.client.token.usage{{gen_ai.token.type={kind}}}")).map(String::as_str);
        let shown = |count: u64| format!("[{count}.0]");
        let expected = tokens(&name);
        assert_eq!(usage("input"), expected.map(|(input, _)| shown(input)).as_deref(), "{name}");
        assert_eq!(usage("output"), expected.and_then(|(_, output)| output).map(shown).as_deref(), "{name}");
        count += 1;
    }
    assert!(count >= 45, "{count} recordings");
}

/// One count for each kind, however often and in however many lanes it was made, also where a lane failed behind it.
#[test]
fn a_repair_is_counted_once_for_a_reply() {
    let body = events::text(0, "{\"a\": [1,], \"b\": [2,], \"c\": [3}}")
        + &events::text(1, "{\"a\": [1,], \"b\": {\"c\": 2]}")
        + &events::text(2, "{\"a\": [1}, \"b\": tru")
        + &events::finish(0, "stop")
        + &events::finish(1, "stop")
        + &events::finish(2, "length")
        + DONE;
    let of = |options: SessionOptions, times: usize| {
        let recorded = record(Conventions::V1_41, |telemetry| {
            (0..times).for_each(|_| drop(read(telemetry, body.as_bytes(), &options, 50)));
        });
        let ours = recorded.into_iter().filter(|(name, _)| {
            ["thusfar.repairs", "thusfar.lanes", "thusfar.replies", "llm/"].iter().any(|front| name.starts_with(front))
        });
        ours.collect::<BTreeMap<_, _>>()
    };
    assert_is(
        &of(judged(), 2),
        &[
            ("llm/json_bracket_repair", "2"),
            ("thusfar.repairs{thusfar.repair=bracket_kind}", "2"),
            ("thusfar.repairs{thusfar.repair=trailing_comma}", "2"),
            ("thusfar.replies{thusfar.outcome=truncated_length,thusfar.failure.code=open_literal}", "2"),
            ("thusfar.lanes{thusfar.lane.kind=text,thusfar.lane.outcome=document}", "4"),
            (
                "thusfar.lanes{thusfar.lane.kind=text,thusfar.lane.outcome=truncated,thusfar.failure.code=open_literal}",
                "2",
            ),
        ],
    );
    // Where the text is not kept it is not known which repairs they were.
    let unkept = SessionOptions::default().judge_text(Expect::object().keep(Keep::Nothing));
    let recorded = of(unkept, 1);
    assert_eq!(recorded.get("thusfar.repairs{thusfar.repair=not_kept}").map(String::as_str), Some("1"));
    assert_eq!(
        recorded.get("thusfar.lanes{thusfar.lane.kind=text,thusfar.lane.outcome=verdict}").map(String::as_str),
        Some("2")
    );
}

#[test]
fn advice_and_warnings() {
    // Letters right behind a root that has closed: it closed too early, and nothing saves it.
    let first = SessionOptions::default().judge_text(Expect::object().take(Take::First));
    let body = events::text(0, "{}") + "data: what\n\ndata: else\n\n" + &events::text(0, "x");
    let recorded = record(Conventions::V1_41, |telemetry| drop(read(telemetry, body.as_bytes(), &first, 10)));
    let get = |name: &str| recorded.get(name).map(String::as_str);
    assert_eq!(get("thusfar.advice{thusfar.reason=doomed}"), Some("1"), "{recorded:?}");
    assert_eq!(get("thusfar.warnings{thusfar.warning=no_json}"), Some("1"), "{recorded:?}");

    let text = "{\"a\": 0.10000000000000000001, \"b\": 0.30000000000000000001}";
    let body = events::text(0, text) + &events::finish(0, "stop");
    let recorded = record(Conventions::V1_41, |telemetry| drop(read(telemetry, body.as_bytes(), &judged(), 10)));
    assert_eq!(recorded.get("thusfar.warnings{thusfar.warning=lossy_number}").map(String::as_str), Some("1"));
}

/// What a schema does: it wants no number.
struct NoNumbers;

impl Sink for NoNumbers {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::ScalarOpen { at, .. } => Flow::veto("schema_mismatch", at),
            _ => Flow::Continue,
        }
    }
}

/// What refuses a lane has a name of its own.
#[test]
fn a_lane_that_its_listener_refuses() {
    let options = judged().listeners(Listeners::new(|_, _| Some(Box::new(NoNumbers))));
    let body = events::text(0, "{\"a\": 1}") + &events::finish(0, "stop") + DONE;
    let recorded = record(Conventions::V1_41, |telemetry| drop(read(telemetry, body.as_bytes(), &options, 10)));
    let get = |name: &str| recorded.get(name).map(String::as_str);
    let lane = "thusfar.lane.kind=text,thusfar.lane.outcome=schema_mismatch,thusfar.failure.code=schema_mismatch";
    assert_eq!(get(&format!("thusfar.lanes{{{lane}}}")), Some("1"), "{recorded:?}");
    assert_eq!(get("thusfar.advice{thusfar.reason=schema}"), Some("1"), "{recorded:?}");
}

#[test]
fn retries_and_those_who_give_up() {
    let recorded = record(Conventions::V1_41, |telemetry| {
        telemetry.count_retry();
        telemetry.clone().count_retry();
        telemetry.count_abandoned();
    });
    assert_is(&recorded, &[("llm/parse_retry", "2"), ("llm/parse_abandoned", "1")]);
}

#[test]
fn a_reply_that_is_dropped() {
    let recorded = record(Conventions::V1_41, |telemetry| {
        let mut reply = telemetry.reply(&Asked::default());
        reply.on_chunk(Duration::from_secs(1), 0); // an empty chunk is none
        reply.on_chunk(Duration::from_secs(2), 5);
        reply.on_chunk(Duration::from_secs(1), 5); // a clock that was set back
    });
    assert_is(
        &recorded,
        &[
            ("gen_ai.client.operation.time_to_first_chunk", "[2.0]"),
            ("gen_ai.client.operation.time_per_output_chunk", "[0.0]"),
            ("thusfar.replies{thusfar.outcome=dropped}", "1"),
        ],
    );
}

// Labels.

/// No label, whatever a body holds, is anything that somebody wrote; and there are few of them.
#[test]
fn labels_are_of_few_values() {
    let mut seen = BTreeMap::<String, String>::new();
    for body in bodies() {
        for options in &options() {
            for conventions in [Conventions::V1_41, Conventions::GenAi] {
                let read = |telemetry: &Telemetry| drop(read(telemetry, &body, options, body.len().max(1)));
                seen.extend(record(conventions, read));
            }
        }
    }
    let found: Vec<_> = seen.keys().filter(|name| name.contains(CANARY)).collect();
    assert!(found.is_empty(), "{found:?}");
    // Outcomes, codes of failures, classes of errors: what there may be is fixed, whatever comes.
    assert!((60..400).contains(&seen.len()), "{} series: {:?}", seen.len(), seen.keys());
}

// Costs.

/// A recorder whose handles take values and keep nothing.
struct Nothing;

impl CounterFn for Nothing {
    fn increment(&self, _: u64) {}
    fn absolute(&self, _: u64) {}
}

impl HistogramFn for Nothing {
    fn record(&self, value: f64) {
        assert!(value >= 0.0);
    }
}

impl Recorder for Nothing {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Arc::new(Nothing))
    }
    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }
    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::new(Nothing))
    }
}

#[test]
fn a_chunk_and_an_event_allocate_nothing() {
    with_local_recorder(&Nothing, || {
        let telemetry = telemetry(Conventions::GenAi);
        let mut reply = None;
        let (calls, _) = taken(|| reply = Some(telemetry.reply(&Asked::default())));
        assert_eq!(calls, 0, "a reply");
        let mut reply = reply.expect("a reply");
        let mut session = Session::new(&SessionOptions::default());
        let (mut calls, mut events) = (0, 0);
        for chunk in recording("openai_chat_text").chunks(100) {
            calls += taken(|| reply.on_chunk(Duration::from_millis(1), chunk.len())).0;
            let _ = session.push(chunk, &mut |event: SessionEvent<'_>| {
                events += 1;
                calls += taken(|| reply.on_event(&event)).0;
            });
        }
        assert_eq!((calls, events > 10), (0, true));
    });
}

// Prometheus.

/// Names with their kinds, as the exporter writes them.
fn exported(with_recommended_naming: bool) -> BTreeMap<String, String> {
    let recorder = PrometheusBuilder::new().with_recommended_naming(with_recommended_naming).build_recorder();
    with_local_recorder(&recorder, || {
        for conventions in [Conventions::V1_41, Conventions::GenAi] {
            Telemetry::describe(conventions);
            let telemetry = telemetry(conventions);
            let body = events::text(0, "{\"a\": 0.10000000000000000001}") + &events::finish(0, "stop");
            read(&telemetry, body.as_bytes(), &judged(), 20);
            telemetry.count_retry();
            telemetry.count_abandoned();
        }
    });
    let text = recorder.handle().render();
    // Labels have their names changed too.
    assert!(text.contains("gen_ai_operation_name=\"chat\"") && text.contains("thusfar_outcome=\"complete\""), "{text}");
    let kinds = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let kinds: BTreeMap<_, _> = kinds.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect();
    for name in kinds.keys() {
        assert!(text.contains(&format!("# HELP {name} ")), "{name} is described: {text}");
    }
    kinds
}

/// The table of the documentation is what the exporter does, row for row and both ways.
#[test]
fn the_table_of_names_for_prometheus() {
    let source = include_str!("../../src/telemetry.rs");
    let rows = source.lines().filter_map(|line| line.strip_prefix("//! | `")).filter(|line| line.contains("` | "));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect::<Vec<_>>();
    let rows: Vec<_> = rows.map(cells).filter(|row| row.len() >= 5 && !row[3].is_empty()).collect();
    let (plain, recommended) = (exported(false), exported(true));
    assert_eq!(rows.len(), plain.len(), "{rows:?} {plain:?}");
    assert_eq!(rows.len(), recommended.len(), "{rows:?} {recommended:?}");
    for row in &rows {
        let kind = if row[1] == "counter" { "counter" } else { "summary" };
        assert_eq!(plain.get(&row[3]).map(String::as_str), Some(kind), "{row:?}");
        assert_eq!(recommended.get(&row[4]).map(String::as_str), Some(kind), "{row:?}");
        let changed: String =
            row[0].chars().map(|letter| if letter.is_alphanumeric() || letter == '_' { letter } else { '_' }).collect();
        assert_eq!(row[3], changed);
    }
    assert!(plain.contains_key("llm_json_bracket_repair"));
}

/// A counter is there before anything was counted: a rate sees the first one.
#[test]
fn counters_begin_with_zero() {
    let recorder = PrometheusBuilder::new().build_recorder();
    with_local_recorder(&recorder, || drop(telemetry(Conventions::V1_41)));
    let text = recorder.handle().render();
    let zero = |name: &str| text.lines().any(|line| line.starts_with(name) && line.ends_with(" 0"));
    for name in ["llm_json_bracket_repair{", "llm_parse_retry{", "llm_parse_abandoned{"] {
        assert!(zero(name), "{name}: {text}");
    }
    let outcomes = text.lines().filter(|line| line.starts_with("thusfar_replies{")).count();
    let kinds = text.lines().filter(|line| line.starts_with("thusfar_repairs{")).count();
    assert_eq!((outcomes, kinds), (7, 7), "{text}");
}
