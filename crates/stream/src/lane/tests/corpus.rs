//! Streams from bug reports and of providers, read by a plain twin of two dialects: the calls are those that were meant.

use alloc::vec;

use serde_json::{Value, json};

use super::*;

/// The data of the events of a stream, in order.
fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).expect("JSON")).collect()
}

fn hear(lanes: &mut Lanes, call: &Value, index: &Value, args: &Value) {
    let string = |value: &Value| value.as_str().map(super::json);
    let (id, name) =
        (string(&call["id"]), string(call.get("function").map_or(&call["name"], |function| &function["name"])));
    let text = string(args);
    let whole = args.to_string();
    let key = Call {
        id: id.as_ref().map(|id| Written(id.as_bytes())),
        index: index.as_u64(),
        name: name.as_ref().map(|name| Written(name.as_bytes())),
        ..Call::default()
    };
    let args = match (&text, args) {
        (Some(text), _) => Args::Text(Written(text.as_bytes())),
        (_, Value::Object(_)) => Args::Placeholder(whole.as_bytes()),
        _ => Args::Nothing,
    };
    lanes.tool(0, &key, &args).expect("within the limits");
}

/// What one event says: chat completions, and messages.
fn read(lanes: &mut Lanes, event: &Value) {
    let text = |lanes: &mut Lanes, kind, text: &Value| {
        let raw = super::json(text.as_str().unwrap_or_default());
        lanes.text(0, kind, Written(raw.as_bytes())).expect("within the limits");
    };
    let class = |reason: &Value| match reason.as_str() {
        Some("length" | "max_tokens") => FinishClass::Length,
        Some("tool_calls" | "tool_use") => FinishClass::Tool,
        _ => FinishClass::Stop,
    };
    for choice in event["choices"].as_array().into_iter().flatten() {
        text(lanes, LaneKind::Text, &choice["delta"]["content"]);
        for call in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            hear(lanes, call, &call["index"], &call["function"]["arguments"]);
        }
        if !choice["finish_reason"].is_null() {
            lanes.finish(0, class(&choice["finish_reason"]));
        }
    }
    let (index, delta) = (&event["index"], &event["delta"]);
    match event["type"].as_str() {
        Some("content_block_start") if event["content_block"]["type"] == "tool_use" => {
            hear(lanes, &event["content_block"], index, &event["content_block"]["input"]);
        }
        Some("content_block_delta") if delta["type"] == "input_json_delta" => {
            hear(lanes, &Value::Null, index, &delta["partial_json"]);
        }
        Some("content_block_delta") if delta["type"] == "text_delta" => text(lanes, LaneKind::Text, &delta["text"]),
        Some("content_block_stop") => {
            lanes.block_end(0, index.as_u64().expect("a number")).expect("within the limits");
        }
        Some("message_delta") => lanes.finish(0, class(&delta["stop_reason"])),
        _ => {}
    }
}

fn lanes(stream: &str) -> Lanes {
    let mut lanes = Lanes::new(Arc::default());
    events(stream).iter().for_each(|event| read(&mut lanes, event));
    lanes
}

#[test]
fn calls_from_bug_reports() {
    let cases = include_str!("../../../../../tests/corpus/cases.jsonl");
    let rows = cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
    let mut count = 0;
    for row in rows.filter(|row| row["family"] == "tool_deltas") {
        count += 1;
        let mut lanes = lanes(row["input"].as_str().expect("a stream"));
        // Two of the rows end with their block, without a reason to finish.
        lanes.close(Ending::Stop, &mut |_, _| ());
        let outcomes: Vec<_> = lanes.iter().map(|lane| lane.outcome().expect("judged")).collect();
        match row["expected"]["outcome"].as_str() {
            Some("ok") => {
                let calls = lanes.iter().map(|lane| {
                    let text = lane.outcome().and_then(Outcome::text).expect("a document");
                    let arguments: Value = serde_json::from_str(text).expect("JSON");
                    json!({ "name": lane.name(), "arguments": arguments })
                });
                let expected = &row["expected"]["value"];
                let expected = expected.as_array().cloned().unwrap_or_else(|| vec![expected.clone()]);
                assert_eq!(calls.collect::<Vec<_>>(), expected, "{}", row["id"]);
            }
            Some("ambiguous") => {
                let failures = outcomes.iter().map(|outcome| outcome.failure().expect("no document").kind().as_str());
                assert_eq!(failures.collect::<Vec<_>>(), ["ambiguous"], "{}", row["id"]);
            }
            other => panic!("{other:?} of {}", row["id"]),
        }
    }
    assert_eq!(count, 5, "the rows are found");
}

#[test]
fn calls_of_providers() {
    macro_rules! streams {
        ($($name:literal)*) => {
            [$(($name, include_str!(concat!("../../../../../tests/corpus/streams/", $name, ".sse")),
                include_str!(concat!("../../../../../tests/corpus/streams/", $name, ".expected.json")))),*]
        };
    }
    let streams = streams!["compat_tool_no_index" "compat_tool_placeholder_args" "openai_chat_tools_parallel"
        "openai_chat_length_in_tool_args" "openai_chat_json_length" "mistral_tools" "anthropic_tools"];
    for (name, stream, expected) in streams {
        let mut lanes = lanes(stream);
        lanes.close(Ending::Unknown, &mut |_, _| ());
        let expected: Value = serde_json::from_str(expected).expect("JSON");
        let found = lanes.iter().map(|lane| {
            let key = lane.key();
            json!({
                "choice": key.choice, "kind": key.kind.as_str(), "tool": key.tool, "id": lane.id(), "name": lane.name(),
                "text": lane.text(),
            })
        });
        assert_eq!(Value::Array(found.collect()), expected["lanes"], "{name}");
        let is_complete = lanes.iter().filter_map(|lane| lane.outcome()).all(Outcome::is_ok);
        assert_eq!(is_complete, expected["outcome"] == "complete" || name == "openai_chat_json_length", "{name}");
    }
}
