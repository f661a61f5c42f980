//! `thusfar watch --provider`, as a shell sees it: the lanes of a body.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::patch::apply;
use support::{Run, run};

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/streams")
}

fn recording(name: &str) -> String {
    recordings().join(name).into_os_string().into_string().expect("a path in UTF-8")
}

/// All bodies that are recorded.
fn bodies() -> Vec<String> {
    let paths = fs::read_dir(recordings()).expect("the recordings").flatten().map(|entry| entry.path());
    let names = paths.filter_map(|path| path.into_os_string().into_string().ok());
    let is_body = |name: &String| !name.ends_with(".expected.json") && !name.ends_with(".md");
    let mut bodies: Vec<_> = names.filter(is_body).collect();
    bodies.sort();
    assert_eq!(bodies.len(), 50);
    bodies
}

fn lines(told: &Run) -> Vec<Value> {
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The key of a lane, as a text to compare.
fn key(lane: &Value) -> String {
    format!("{} {} {}", lane["choice"], lane["kind"], lane["tool"])
}

#[test]
fn lines_carry_their_lane() {
    let body = recording("anthropic_tools.sse");
    let told = run(&["watch", "--provider", "anthropic", "--chunk", "600", &body], "");
    let first = r#"{"lane":{"choice":0,"kind":"tool_args","tool":1,"name":"weather"},"bytes":1200,"changes":[{"seq":1,"change":"opened","path":"","kind":"object"},{"#;
    assert!(told.stdout.starts_with(first), "{}", told.stdout);
    let told = run(&["watch", "--provider", "auto", "--json-patch", "--chunk", "1000", &body], "");
    let patches = r#"{"lane":{"choice":0,"kind":"tool_args","tool":1,"name":"weather"},"patch":[{"op":"add","path":"","value":{}},{"op":"add","path":"/location","value":"Lisboa"},{"op":"add","path":"/unit","value":"c"}]}
{"lane":{"choice":0,"kind":"tool_args","tool":2,"name":"sum"},"patch":[{"op":"add","path":"","value":{}},{"op":"add","path":"/n","value":[]},{"op":"add","path":"/n/0","value":1},{"op":"add","path":"/n/1","value":2}]}
"#;
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), patches));
    assert_eq!(told.stderr.lines().count(), 1, "words around calls are no failure: {}", told.stderr);
    assert!(told.stderr.starts_with("complete: ") && told.stderr.ends_with(": tool_use\n"), "{}", told.stderr);
}

#[test]
fn views_are_of_the_lane_that_spoke_last() {
    let told =
        run(&["watch", "--provider", "auto", "--views", "--chunk", "400", &recording("anthropic_tools.sse")], "");
    let weather = r#"{"lane":{"choice":0,"kind":"tool_args","tool":1,"name":"weather"},"bytes""#;
    let expected = [
        r#"{"lane":null,"bytes":400,"view":null,"closed":[]}"#.into(),
        r#"{"lane":{"choice":0,"kind":"text","tool":null,"name":null},"bytes":800,"view":null,"closed":[]}"#.into(),
        format!(r#"{weather}:1200,"view":{{"location": "Lisboa"}},"closed":["/location"]}}"#),
        format!(r#"{weather}:1600,"view":{{"location": "Lisboa", "unit": "c"}},"closed":["","/location","/unit"]}}"#),
    ];
    assert_eq!(told.stdout.lines().take(4).collect::<Vec<_>>(), expected);
    assert_eq!((told.code, told.stdout.lines().count()), (Some(0), 6));
    assert!(
        told.stdout.ends_with("\"view\":{\"n\": [1, 2]},\"closed\":[\"\",\"/n\",\"/n/0\",\"/n/1\"]}\n"),
        "{}",
        told.stdout
    );
}

#[test]
fn reasoning_is_no_lane_that_is_shown() {
    let mut body = String::new();
    for delta in [
        json!({"reasoning_content": "{\"no\": 1}"}),
        json!({"content": "{\"a\": [1,"}),
        json!({"reasoning_content": "Hm."}),
    ] {
        body.push_str(&format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]})));
    }
    let told = run(&["watch", "--provider", "deepseek", "--views", "--chunk", &body.len().to_string()], &body);
    let lane = r#"{"lane":{"choice":0,"kind":"text","tool":null,"name":null}"#;
    let expected = format!("{lane},\"bytes\":{},\"view\":{{\"a\": [1]}},\"closed\":[\"/a/0\"]}}\n", body.len());
    assert_eq!((told.code, told.stdout), (Some(1), expected));
}

/// The verdict is that of `stream`, and the patches of a lane build the document that its report has.
#[test]
fn every_recording_grows_into_what_stream_says() {
    let (mut whole, mut failed) = (0, 0);
    for body in bodies() {
        let said = run(&["stream", "--json", "--judge", "text", &body], "");
        let told = run(&["watch", "--provider", "auto", "--chunk", "77", &body], "");
        let last = told.stdout.lines().last().expect("a line");
        let bytes = fs::metadata(&body).expect("a file").len();
        assert_eq!(last, format!("{{\"bytes\":{bytes},\"report\":{}}}", said.stdout.trim_end()), "{body}");
        let said = lines(&said).remove(0);
        for len in ["1", "50", "4000"] {
            let told = run(&["watch", "--provider", "auto", "--json-patch", "--chunk", len, &body], "");
            let mut lanes = BTreeMap::new();
            for line in lines(&told) {
                apply(&line["patch"], lanes.entry(key(&line["lane"])).or_insert(Value::Null));
            }
            for lane in said["lanes"].as_array().expect("lanes") {
                let report = &lane["report"];
                let shown = lanes.remove(&key(lane));
                if report["outcome"] == "ok" && lane["text"] != "" {
                    assert_eq!(shown, Some(report["document"].clone()), "{body} by {len}");
                    whole += 1;
                } else if report["outcome"] == "not_found" {
                    assert_eq!(shown, None, "{body} by {len}");
                }
            }
            assert!(lanes.is_empty(), "{body}: lanes that are none: {lanes:?}");
            failed += i32::from(told.code != Some(0));
        }
    }
    assert!(whole > 3 * 15 && failed > 3 * 5, "{whole} documents, {failed} failures");
}

#[test]
fn the_exit_code_is_that_of_stream_but_for_words_around_calls() {
    for body in bodies() {
        let judged = run(&["stream", "--json", "--judge", "text", &body], "");
        let told = run(&["watch", "--provider", "auto", &body], "");
        let said = lines(&judged).remove(0);
        let all = said["lanes"].as_array().expect("lanes");
        let has_call =
            |lane: &Value| all.iter().any(|other| other["kind"] == "tool_args" && other["choice"] == lane["choice"]);
        let is_excused =
            |lane: &Value| lane["kind"] == "text" && lane["report"]["outcome"] == "not_found" && has_call(lane);
        let is_ok = |lane: &Value| lane["report"].is_null() || lane["report"]["outcome"] == "ok" || is_excused(lane);
        let speaks = |lane: &Value| lane["kind"] == "text" || lane["kind"] == "tool_args";
        let is_silent = |at: &Value| !all.iter().any(|lane| lane["choice"] == at["choice"] && speaks(lane));
        let ends = said["finish"].as_array().expect("ends");
        let expected = said["outcome"] == "complete" && all.iter().all(is_ok) && !ends.iter().any(is_silent);
        assert_eq!(told.code, Some(i32::from(!expected)), "{body}");
        if !all.iter().any(is_excused) {
            assert_eq!(told.code, judged.code, "{body}");
        }
    }
}

#[test]
fn text_is_judged_as_the_options_say() {
    let mut body = String::new();
    for delta in ["Sure: {\"a\"", ": [1,", "]} or {\"b\": 2}"] {
        body.push_str(&format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": delta}}]})));
    }
    body.push_str(&format!(
        "data: {}\n\ndata: [DONE]\n\n",
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    ));
    for (options, code, shown) in [
        (&["--take", "first"][..], 0, json!({"a": [1]})),
        (&["--take", "last"], 0, json!({"b": 2})),
        (&["--take", "first", "--no-repair", "trailing_comma"], 1, json!({"a": [1]})),
        (&["--take", "only"], 1, json!({"a": [1]})),
    ] {
        let told = run(&[&["watch", "--provider", "openai", "--json-patch"], options].concat(), &body);
        let mut document = Value::Null;
        lines(&told).iter().for_each(|line| apply(&line["patch"], &mut document));
        assert_eq!((told.code, document), (Some(code), shown), "{options:?}");
    }
}

#[test]
fn what_is_no_stream_is_a_failure() {
    for body in ["", "<html>\n<title>502 Bad Gateway</title>", "{\"error\": {\"type\": \"no_such_model\"}}"] {
        let told = run(&["watch", "--provider", "auto", "--views", "--chunk", "1000"], body);
        assert_eq!((told.code, told.stdout.lines().count()), (Some(1), usize::from(!body.is_empty())), "{body}");
        assert!(!told.stderr.is_empty(), "{body}");
    }
}

/// Of a lane that failed no more is shown with the end than was certain before: a number at a cut may go on.
#[test]
fn the_end_of_a_cut_lane_closes_nothing() {
    let body = |finish: &str| {
        format!(
            "data: {}\n\ndata: {}\n\n",
            json!({"choices": [{"index": 0, "delta": {"content": "12"}}]}),
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        )
    };
    for (finish, patches) in [("length", 0), ("stop", 1)] {
        let told = run(&["watch", "--provider", "openai", "--root", "value", "--json-patch"], body(finish));
        assert_eq!(told.stdout.lines().count(), patches, "{finish}: {}", told.stdout);
    }
}
