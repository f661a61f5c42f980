//! Streams that are watched: the view of each judged lane, and its elements.

use std::collections::HashMap;
use std::fmt::Write as _;

use thusfar::stream::{Lane, LaneKey, Session, SessionEvent, SessionOptions, Watch};
use thusfar::{Cursor, Elements, Ending, Expect, Live, Reply};
use thusfar_testkit::corpus;
use thusfar_testkit::streams::check_stream;

/// The bodies of every provider, and what a real server said.
fn bodies() -> Vec<(String, Vec<u8>)> {
    let of = |folder: &'static str, end: &'static str| corpus::recordings(folder, end).into_iter();
    let streams = ["sse", "ndjson", "bin"].into_iter().flat_map(|end| of("streams", end));
    streams
        .chain(of("captures", "sse"))
        .filter(|(name, _)| cfg!(feature = "aws") || !name.contains("bedrock"))
        .collect()
}

fn watched(place: &str) -> SessionOptions {
    let elements = Elements::new(place).expect("a pointer");
    SessionOptions::default().judge_text(Expect::any()).watch(Watch::Elements(elements))
}

/// What is told of a lane while it comes, beside a reply of its own that is given the same text.
struct Beside {
    reply: Live,
    elements: Elements,
    wanted: Vec<String>,
}

fn element(node: &thusfar::Node<'_>) -> String {
    format!("{} {}", node.pointer(), node.json().expect("it has closed"))
}

#[test]
fn the_view_of_a_lane_is_that_of_its_text() {
    let mut told = 0;
    let mut looked = 0;
    for (name, body) in bodies() {
        for place in ["/-", "", "/city", "/-/-", "/items/-"] {
            let options = watched(place);
            let mut beside: HashMap<LaneKey, Beside> = HashMap::new();
            let mut found: HashMap<LaneKey, Vec<String>> = HashMap::new();
            let mut session = Session::new(&options);
            let mut on = |event: SessionEvent<'_>| match event {
                SessionEvent::Text(lane, text) if lane.is_judged() => {
                    let expect = if lane.key().tool.is_some() { Expect::object() } else { Expect::any() };
                    let own = beside.entry(lane.key()).or_insert_with(|| Beside {
                        reply: Reply::live(expect),
                        elements: Elements::new(place).expect("a pointer"),
                        wanted: Vec::new(),
                    });
                    let _ = own.reply.push(text);
                    let view = own.reply.view();
                    own.wanted.extend(std::iter::from_fn(|| own.elements.next(&view)).map(|node| element(&node)));
                    let lane_view = lane.view().expect("it is watched");
                    assert_eq!(lane_view.json(), view.json(), "{name}");
                    assert_eq!(lane_view.generation(), view.generation(), "{name}");
                    looked += 1;
                }
                SessionEvent::Element(lane, node) => {
                    found.entry(lane.key()).or_default().push(element(&node));
                    told += 1;
                }
                _ => {}
            };
            for chunk in body.chunks(61) {
                let _ = session.push(chunk, &mut on);
            }
            let _ = session.finish(Ending::Unknown, &mut on);
            for (key, own) in beside {
                let found = found.remove(&key).unwrap_or_default();
                assert!(found.starts_with(&own.wanted), "{name} {key:?}: {found:?} {:?}", own.wanted);
                // What closes with the end only.
                assert!(found.len() - own.wanted.len() <= 1, "{name} {key:?}: {found:?} {:?}", own.wanted);
            }
            assert!(found.is_empty(), "{name}: {found:?}");
        }
    }
    assert!(looked > 5_000 && told > 100, "{looked} {told}");
}

#[test]
fn elements_are_the_same_however_the_body_is_cut() {
    let mut told = 0;
    for (name, body) in bodies().into_iter().filter(|(_, body)| body.len() < 20_000) {
        for place in ["/-", ""] {
            let report = check_stream(&body, &watched(place), Ending::Unknown);
            let elements = report.told.iter().filter(|told| told.starts_with("element ")).count();
            let documents = report.outcomes.iter().flatten().filter(|answer| answer.is_ok()).count();
            assert!(!place.is_empty() || elements >= documents, "{name}: {elements} roots, {documents} documents");
            told += elements;
        }
    }
    assert!(told > 40, "{told}");
}

/// An event of a chat completion with some text.
fn chat(text: &str, finish: Option<&str>) -> String {
    let finish = finish.map(|finish| format!(",\"finish_reason\":\"{finish}\"")).unwrap_or_default();
    let text = serde_json::to_string(text).expect("a string");
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}}{finish}}}]}}\n\n")
}

/// The elements of a body, each with the words that were told in front of it.
fn elements(body: &str, options: &SessionOptions) -> Vec<String> {
    let report = check_stream(body.as_bytes(), options, Ending::Unknown);
    let is_element = |told: &String| told.starts_with("element ");
    report
        .told
        .iter()
        .filter(|told| is_element(told))
        .map(|told| told.split_once("} ").expect("a key").1.to_owned())
        .collect()
}

#[test]
fn an_element_is_told_with_the_text_that_closed_it() {
    let mut body = chat("Here: {\"items\": [1, [2", None);
    body += &chat("], {\"a\": \"b\"", None);
    body += &chat("}, 3", None);
    body += &chat("4]}", Some("stop"));
    let report = check_stream(body.as_bytes(), &watched("/items/-"), Ending::Unknown);
    let told: Vec<_> = report.told.iter().filter_map(|told| told.split_once("} ").map(|(_, rest)| rest)).collect();
    let at = |what: &str| told.iter().position(|told| told.contains(what)).expect("it is told");
    assert!(at("/items/0 1") < at("], {") && at("], {") < at("/items/1 [2]") && at("/items/1 [2]") < at("}, 3"));
    assert_eq!(
        elements(&body, &watched("/items/-")),
        ["/items/0 1", "/items/1 [2]", "/items/2 {\"a\": \"b\"}", "/items/3 34"]
    );
}

#[test]
fn what_only_the_end_closes_is_told_with_it() {
    let value = || {
        let root = Watch::Elements(Elements::new("").expect("a pointer"));
        SessionOptions::default().judge_text(Expect::value()).watch(root)
    };
    let body = chat("4", None) + &chat("2", Some("stop"));
    assert_eq!(elements(&body, &value()), [" 42"]);
    // Nobody said that it had ended there.
    assert_eq!(elements(&(chat("4", None) + &chat("2", None)), &value()), [""; 0]);
    // A last event that no blank line closed.
    let cut = chat("{\"items\": [1, ", None) + chat("2]}", Some("stop")).trim_end();
    assert_eq!(elements(&cut, &watched("/items/-")), ["/items/0 1", "/items/1 2"]);
}

#[test]
fn arguments_that_come_as_patches_close_with_the_call() {
    let body = concat!(
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"partialArgs\":[",
        "{\"jsonPath\":\"$.items[0]\",\"numberValue\":1}],\"willContinue\":true}}]}}]}\n\n",
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"partialArgs\":[",
        "{\"jsonPath\":\"$.items[1]\",\"numberValue\":2}],\"willContinue\":true}}]}}]}\n\n",
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{}}]},\"finishReason\":\"STOP\"}]}\n\n",
    );
    assert_eq!(elements(body, &watched("/items/-")), ["/items/0 1", "/items/1 2"]);
    assert_eq!(elements(body, &watched("")), [" {\"items\":[1,2]}"]);
}

#[test]
fn two_calls_have_elements_of_their_own() {
    let call = |index: u32, args: &str| {
        let args = serde_json::to_string(args).expect("a string");
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":{index},\"id\":\"c{index}\",\"type\":\"function\",\
             \"function\":{{\"name\":\"f\",\"arguments\":{args}}}}}]}}}}]}}\n\n"
        )
    };
    let body = call(0, "{\"items\": [1, ") + &call(1, "{\"items\": [10, 2") + &call(0, "2]}") + &call(1, "0]}");
    assert_eq!(elements(&body, &watched("/items/-")), ["/items/0 1", "/items/0 10", "/items/1 2", "/items/1 20"]);
}

#[test]
fn lanes_that_are_not_watched_have_no_view() {
    let seen = |options: SessionOptions, body: &str| {
        let mut session = Session::new(&options);
        let _ = session.push(body.as_bytes(), &mut |_| ());
        session.lanes().map(|lane: Lane<'_>| lane.view().is_some()).collect::<Vec<_>>()
    };
    let body = chat("{\"a\": 1", None);
    assert_eq!(seen(SessionOptions::default().judge_text(Expect::any()), &body), [false]);
    assert_eq!(seen(SessionOptions::default().watch(Watch::View), &body), [false], "it is not judged");
    assert_eq!(seen(SessionOptions::default().judge_text(Expect::any()).watch(Watch::View), &body), [true]);
}

#[test]
fn a_watched_lane_keeps_its_text() {
    let options = SessionOptions::default().judge_text(Expect::any().keep(thusfar::Keep::Nothing)).watch(Watch::View);
    let mut session = Session::new(&options);
    let _ = session.push(chat("{\"a\": \"b", None).as_bytes(), &mut |_| ());
    let lane = session.lanes().next().expect("a lane");
    assert_eq!(lane.view().and_then(|view| view.json()).as_deref(), Some("{\"a\": \"b\"}"));
    assert_eq!(lane.text(), Some("{\"a\": \"b"));
}

#[test]
fn changes_can_be_pulled_where_the_text_is_told() {
    let body = chat("{\"a\": \"b", None) + &chat("c\", \"d\": 1", None) + &chat("2}", Some("stop"));
    let mut told = String::new();
    let mut cursor = Cursor::default();
    let mut session = Session::new(&SessionOptions::default().judge_text(Expect::any()).watch(Watch::View));
    let _ = session.push(body.as_bytes(), &mut |event| {
        if let SessionEvent::Text(lane, _) = event {
            lane.view().expect("it is watched").patch(&mut cursor, &mut told);
            let _ = writeln!(told);
        }
    });
    let wanted = [
        r#"[{"op":"add","path":"","value":{}},{"op":"add","path":"/a","value":"b"}]"#,
        r#"[{"op":"append","path":"/a","value":"c"}]"#,
        r#"[{"op":"add","path":"/d","value":12}]"#,
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), wanted);
}

/// What is missing may be the rest of one value and the beginning of another.
#[test]
fn nothing_is_told_behind_what_is_lost() {
    let items = |events: &[String]| elements(&events.concat(), &watched("/-"));
    let lost =
        [chat("[{\"id\": 0}, {\"id\": 1", None), "data: {\"choices\": [\n\n".to_owned(), chat("4}]", Some("stop"))];
    assert_eq!(items(&lost), ["/0 {\"id\": 0}"]);
    let damaged = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"[5, \\\"a\\ud800\"}}]}\n\n".to_owned();
    assert_eq!(items(&[damaged, chat("b\", 7]", Some("stop"))]), ["/0 5"]);
    let mut session = Session::new(&watched("/-"));
    for event in &lost {
        let _ = session.push(event.as_bytes(), &mut |_| ());
    }
    assert!(session.lanes().all(|lane| lane.view().is_none()));
}
