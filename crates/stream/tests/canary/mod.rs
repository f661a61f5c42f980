//! Bodies in which everything that somebody writes is a canary: texts, keys, IDs, names, words for ends, errors; and broken ones.

use serde_json::{Map, Value, json};
use thusfar_core::{Ending, Expect, Keep};
use thusfar_stream::telemetry::{ReplyTelemetry, Telemetry};
use thusfar_stream::{Asked, Provider, Session, SessionOptions, Summary};
use thusfar_testkit::corpus;
use thusfar_testkit::events::{self, DONE, message};

/// What may be seen nowhere.
pub(crate) const CANARY: &str = "canary";

/// Members whose strings tell how an event is to be read: without them it would say nothing.
const STRUCTURE: [&str; 5] = ["type", "object", "role", "event", "event_type"];

/// The same event with a canary behind each string, and one more member in each object. Where `ends` is false the words for ends
/// stay, so that the streams end as they did.
fn with_canary(value: &Value, ends: bool) -> Value {
    let is_end = |key: &str| key.to_lowercase().contains("reason") && !key.starts_with("reasoning");
    match value {
        Value::Object(members) => {
            let kept =
                |key: &str, value: &Value| value.is_string() && (STRUCTURE.contains(&key) || !ends && is_end(key));
            let changed = |(key, value): (&String, &Value)| {
                (key.clone(), if kept(key, value) { value.clone() } else { with_canary(value, ends) })
            };
            let mut all: Map<String, Value> = members.iter().map(changed).collect();
            all.insert(CANARY.to_owned(), json!(CANARY));
            Value::Object(all)
        }
        Value::Array(elements) => elements.iter().map(|element| with_canary(element, ends)).collect(),
        Value::String(text) => format!("{text}{CANARY}").into(),
        other => other.clone(),
    }
}

/// A line of a body: what is JSON in it is changed.
fn changed(line: &str, ends: bool) -> String {
    let (front, text) = line.split_at(line.find(['{', '[']).unwrap_or(line.len()));
    let value = serde_json::from_str::<Value>(text);
    value.map_or_else(|_| line.to_owned(), |value| format!("{front}{}", with_canary(&value, ends)))
}

/// The recordings of all providers whose bodies are text, twice.
fn recordings() -> Vec<Vec<u8>> {
    let texts = ["sse", "ndjson", "json"].into_iter().flat_map(|end| corpus::recordings("streams", end));
    let texts: Vec<_> = texts.filter(|(name, _)| !name.ends_with(".expected")).collect();
    assert!(texts.len() >= 46, "{} recordings", texts.len());
    let body = |text: &str, ends| match serde_json::from_str::<Value>(text) {
        Ok(value) => with_canary(&value, ends).to_string(),
        Err(_) => text.lines().map(|line| changed(line, ends) + "\n").collect(),
    };
    let both = |(_, bytes): &(String, Vec<u8>)| {
        let text = String::from_utf8(bytes.clone()).expect("text");
        [body(&text, false).into_bytes(), body(&text, true).into_bytes()]
    };
    texts.iter().flat_map(both).collect()
}

/// By hand: what is broken, and what recordings do not hold.
fn by_hand() -> Vec<String> {
    let finish = events::finish(0, CANARY);
    let ollama = json!({"model": "m", "message": {"role": "assistant", "content": CANARY}, "done": false});
    vec![
        events::text(0, CANARY) + &finish + DONE,
        events::text(0, "{\"canary\": \"canary") + &events::finish(0, "stop"),
        events::text(0, "{\"canary\": \"canary\", \"canary\": 1e999}") + &events::finish(0, "stop") + DONE,
        events::text(0, "{\"canary\": [\"canary\", 1.0000000000000000001 /* canary */,}}") + &events::finish(0, "stop"),
        events::text(0, "{canary canary") + &finish,
        events::text(0, "{'canary'") + &events::text(0, CANARY),
        events::chat(0, &json!({"reasoning_content": CANARY, "refusal": CANARY}), None),
        events::call(0, 0, CANARY, CANARY) + &events::arguments(0, 0, "{\"canary\": \"canary\"}") + DONE,
        events::call(0, 0, CANARY, CANARY) + &events::arguments(0, 0, "{'canary'"),
        events::call(0, 0, &CANARY.repeat(2000), "f"),
        format!(
            "data: {}\n\n",
            json!({"error": {"message": CANARY, "type": CANARY, "code": CANARY, "status": CANARY}})
        ),
        format!("data: {}\n\n", json!({"choices": [], "usage": {"canary": 1, "prompt_tokens": CANARY}})),
        events::text(0, "x") + "data: {\"choices\": canary\n\ndata: canary\n\n",
        "error: {\"message\": \"canary\"}\n\n".to_owned(),
        "event: canary\ndata: {\"type\": \"canary\"}\n\n".to_owned(),
        "{\"error\": {\"message\": \"canary\"}}".to_owned(),
        "<html><title>canary</title></html>".to_owned(),
        CANARY.to_owned(),
        events::text_message([CANARY, "{\"canary\""], CANARY),
        converse(),
        message(&json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "tool_use", "id": CANARY, "name": CANARY, "input": {"canary": CANARY}}}))
            + &message(&json!({"type": "content_block_stop", "index": 0})),
        message(&json!({"type": "error", "error": {"type": CANARY, "message": CANARY}})),
        format!("{ollama}\n{}\n", json!({"model": CANARY, "done": true, "done_reason": CANARY})),
        format!(
            "data: {}\n\n",
            json!({"candidates": [{"content": {"parts": [
            {"functionCall": {"name": CANARY, "args": {"canary": CANARY}}}]}, "finishReason": CANARY}]})
        ),
    ]
}

/// Events of Bedrock's `ConverseStream`, in another framing than theirs.
fn converse() -> String {
    let named = |(name, event): (&str, Value)| format!("event: {name}\ndata: {event}\n\n");
    let tool = json!({"toolUse": {"toolUseId": CANARY, "name": CANARY}});
    let all = [
        ("messageStart", json!({"role": "assistant", "p": CANARY})),
        ("contentBlockDelta", json!({"contentBlockIndex": 0, "delta": {"text": CANARY}})),
        ("contentBlockStart", json!({"contentBlockIndex": 1, "start": tool})),
        (
            "contentBlockDelta",
            json!({"contentBlockIndex": 1, "delta": {"toolUse": {"input": "{\"canary\": \"canary"}}}),
        ),
        ("contentBlockStop", json!({"contentBlockIndex": 1})),
        ("messageStop", json!({"stopReason": CANARY})),
        ("metadata", json!({"usage": {"inputTokens": 1, "canary": CANARY}})),
    ];
    all.into_iter().map(named).collect::<String>() + "error: canaryException\n\n"
}

/// All of them, and each cut in its middle.
pub(crate) fn bodies() -> Vec<Vec<u8>> {
    let whole: Vec<_> = recordings().into_iter().chain(by_hand().into_iter().map(String::into_bytes)).collect();
    let cut: Vec<_> = whole.iter().map(|body| body[..body.len() / 2].to_vec()).collect();
    whole.into_iter().chain(cut).collect()
}

/// With and without a judge for texts, with all of them kept or none, and with providers that may be the wrong ones.
pub(crate) fn options() -> [SessionOptions; 5] {
    let judged = |expect| SessionOptions::default().judge_text(expect);
    [
        SessionOptions::default(),
        judged(Expect::any()),
        judged(Expect::object().keep(Keep::Nothing)),
        judged(Expect::object()).provider(Provider::Anthropic),
        judged(Expect::object()).provider(Provider::BedrockConverse),
    ]
}

/// Reads a body in chunks of some length; the reply is told of all of it, and of the end.
pub(crate) fn read(telemetry: &Telemetry, body: &[u8], options: &SessionOptions, len: usize) -> Summary {
    let (mut session, mut reply) = (Session::new(options), telemetry.reply(&Asked::default()));
    let mut elapsed = core::time::Duration::from_millis(500);
    for chunk in body.chunks(len) {
        reply.on_chunk(elapsed, chunk.len());
        let _ = session.push(chunk, &mut |event| reply.on_event(&event));
        elapsed += core::time::Duration::from_millis(250);
    }
    end(session, reply, elapsed)
}

fn end(session: Session, mut reply: ReplyTelemetry, elapsed: core::time::Duration) -> Summary {
    let summary = session.finish(Ending::Unknown, &mut |event| reply.on_event(&event));
    reply.finish(&summary, elapsed);
    summary
}
