//! Whole bodies: the streams made for every provider, recordings of a real server, streams of bug reports.

use std::fs;
use std::path::PathBuf;
use std::string::{String, ToString};
use std::vec::Vec;

use serde_json::{Value, json};

use super::assemble::{Lane, Session, Told};
use super::std;
use crate::body::Framing;
use crate::provider::Provider;
use crate::said::{FinishClass, LaneKind};

fn corpus(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../tests/corpus", path].iter().collect()
}

/// Bodies with a file beside each that says something of it.
fn bodies(directory: &str, beside: &str) -> Vec<(String, Vec<u8>, Value)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(corpus(directory)).expect("a directory").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((stem, end)) = name.rsplit_once('.').filter(|(_, end)| *end != "json" || name.ends_with("array.json"))
        else {
            continue;
        };
        if end == "bin" && !cfg!(feature = "aws") {
            continue;
        }
        let text = fs::read_to_string(path.with_file_name([stem, beside].concat())).expect("what is expected");
        found.push((name.clone(), fs::read(&path).expect("a body"), serde_json::from_str(&text).expect("JSON")));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// What was told, in the form of the files beside the streams.
fn shown(told: &Told) -> Value {
    let lane = |lane: &Lane| {
        json!({"choice": lane.choice, "kind": lane.kind.as_str(), "tool": lane.number, "id": lane.id,
            "name": lane.name, "text": lane.text()})
    };
    let finish = told.finish.iter();
    let finish = finish.map(|(choice, (raw, class))| json!({"choice": choice, "raw": raw, "class": class.as_str()}));
    json!({
        "lanes": told.lanes.iter().map(lane).collect::<Vec<_>>(),
        "finish": finish.collect::<Vec<_>>(),
        "terminal": told.terminal,
        "usage": told.usage,
        "error": told.error,
    })
}

#[test]
fn streams_come_to_what_is_expected() {
    let streams = bodies("streams", ".expected.json");
    assert_eq!(streams.len(), if cfg!(feature = "aws") { 50 } else { 46 });
    for (name, body, expected) in &streams {
        let session = Session::read(body, None, false);
        let told = shown(&session.told);
        for member in ["lanes", "finish", "terminal", "usage", "error"] {
            assert_eq!(told[member], expected[member], "{name}: {member}");
        }
        let provider = session.provider.expect(name).as_str();
        let kind = name.split('_').next().unwrap_or_default();
        let is_known = match kind {
            "anthropic" | "gemini" | "cohere" => provider == kind,
            "ollama" if name != "ollama_v1.sse" => provider == kind,
            "bedrock" => name.starts_with(&provider.replace('-', "_")),
            "openai" if name.contains("_responses_") => provider == "openai-responses",
            _ => provider == "openai",
        };
        assert!(is_known, "{name}: {provider}");
    }
}

#[test]
fn no_order_of_keys_changes_what_is_said() {
    let (streams, recordings) = (bodies("streams", ".expected.json"), bodies("captures", ".meta.json"));
    for (name, body, _) in streams.iter().chain(&recordings) {
        let (told, turned) = (Session::read(body, None, false), Session::read(body, None, true));
        assert_eq!(told.provider, turned.provider, "{name}");
        assert_eq!(told.told.said, turned.told.said, "{name}");
    }
}

#[test]
fn recordings_come_to_what_was_recorded() {
    let recordings = bodies("captures", ".meta.json");
    assert_eq!(recordings.len(), 92);
    for (name, body, recorded) in &recordings {
        let told = Session::read(body, None, false).told;
        let texts = told.lanes.iter().filter(|lane| lane.kind == LaneKind::Text);
        let texts: Value = texts.map(|lane| (lane.choice.to_string(), Value::from(lane.text()))).collect();
        let wanted: Value = match recorded["text"].as_object() {
            Some(texts) => texts.clone().into_iter().filter(|(_, text)| text != "").collect(),
            None => json!({}),
        };
        assert_eq!(texts, wanted, "{name}");
        let finish: Value = told.finish.iter().map(|(choice, (raw, _))| (choice.to_string(), raw.clone())).collect();
        // The recorder noted the last event in the status's place.
        let wanted = recorded["finish"].to_string().replace("response.completed", "completed");
        assert_eq!(finish, serde_json::from_str::<Value>(&wanted).expect("JSON"), "{name}");
        let calls = told.lanes.iter().filter(|lane| lane.kind == LaneKind::ToolArgs);
        let mut calls: Vec<_> = calls.map(|lane| lane.text()).collect();
        let wanted = recorded["tool_calls"].as_object().expect("calls").values();
        let mut wanted: Vec<_> = wanted.map(|call| call["arguments"].as_str().expect("a string").to_string()).collect();
        calls.sort();
        wanted.sort();
        assert_eq!(calls, wanted, "{name}");
        assert_eq!(told.error.is_some(), name == "124.sse", "{name}");
    }
}

/// Rows of `cases.jsonl`.
fn cases(is_wanted: impl Fn(&str, &Value) -> bool) -> Vec<(String, Value, Session)> {
    let text = fs::read_to_string(corpus("cases.jsonl")).expect("cases");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows = rows.filter(|row| is_wanted(row["id"].as_str().expect("an ID"), row));
    let read = |row: Value| {
        let body = row["input"].as_str().expect("a string").as_bytes();
        (
            row["id"].as_str().expect("an ID").to_string(),
            row["expected"].clone(),
            Session::read(body, Some(Framing::Sse), false),
        )
    };
    rows.map(read).collect()
}

#[test]
fn calls_of_bug_reports() {
    let rows = cases(|id, _| id.starts_with("tcd-"));
    assert_eq!(rows.len(), 5);
    for (id, expected, session) in rows {
        let lanes = session.told.lanes.iter();
        let calls: Vec<_> = lanes.map(|lane| (lane.name.clone(), lane.text())).collect();
        if id == "tcd-no-index-no-id" {
            // One call or two: nothing says so, so it is one, and no document.
            assert_eq!(calls, [(None, r#"{"a":1}{"b":2}"#.to_string())]);
            continue;
        }
        let wanted = expected["value"].as_array().cloned().unwrap_or_else(|| [expected["value"].clone()].into());
        let call = |(name, args): (Option<String>, String)| json!({"name": name, "arguments": serde_json::from_str::<Value>(&args).expect("arguments")});
        assert_eq!(calls.into_iter().map(call).collect::<Vec<_>>(), wanted, "{id}");
    }
}

#[test]
fn texts_and_errors_of_bug_reports() {
    let rows =
        cases(|_, row| row["kind"] == "sse" && ["text", "error"].iter().any(|key| row["expected"].get(key).is_some()));
    assert_eq!(rows.len(), 8);
    for (id, expected, session) in rows {
        let told = session.told;
        let text = told.lanes.first().map(|lane| lane.text());
        assert_eq!(text.as_deref(), expected["text"].as_str(), "{id}");
        if let Some(raw) = expected["finish_reason"].as_str() {
            assert_eq!(told.finish[&0].0, raw, "{id}");
        }
        if expected["reason"] == "length" {
            assert_eq!(told.finish[&0].1, FinishClass::Length, "{id}");
        }
        let wanted = match &expected["error"] {
            Value::Null => None,
            Value::String(message) => Some(json!({"message": message})),
            error => Some(error.clone()),
        };
        assert_eq!(told.error, wanted, "{id}");
    }
}

#[test]
fn every_provider_has_one_name() {
    for (provider, name) in Provider::ALL {
        assert_eq!(provider.as_str(), *name);
        assert_eq!(Provider::of_name(name), Some(*provider), "{name}");
        assert!(provider.dialect().paths.len() <= 64);
    }
    assert_eq!(Provider::of_name("OpenAI"), None);
}
