//! What closes a body, dialect by dialect, to the letter; and that it is an error to whoever reads it.

use thusfar_core::{Ending, Expect, Take};
use thusfar_stream::tap::{Act, TapOptions};
use thusfar_stream::{Framing, LaneLimits, Limits, Provider, Session, SessionOptions, StreamOutcome, Summary, aws};
use thusfar_testkit::corpus;
use thusfar_testkit::events::{self, DONE};

use crate::wire::{End, Length, Step, Wire, drain, pieces};

/// What every message begins with where the reply is doomed.
const DOOMED: &str = "thusfar_doomed: no continuation makes this reply the JSON that was asked for";

/// Text that is no JSON is doomed with its first letter.
fn alone() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object().take(Take::Alone))
}

/// What a client gets, in frames of any length, and how it ends: the same for each.
fn closed(body: &[u8], options: &SessionOptions, act: Act) -> (Vec<u8>, End) {
    let tapped = |frames: Vec<Step>| {
        drain(&mut TapOptions::new(options.clone()).acting(act).body(Wire::of(frames, Length::Unknown)))
    };
    let whole = tapped(pieces(body, body.len().max(1)));
    for len in [1, 2, 3, 7, 64, 300] {
        assert_eq!(tapped(pieces(body, len)), whole, "in frames of {len}: {}", body.escape_ascii());
    }
    for cut in 0..body.len().min(2000) {
        let frames = [&body[..cut], &body[cut..]].map(|frame| Step::Data(bytes::Bytes::copy_from_slice(frame)));
        assert_eq!(tapped(frames.into()), whole, "cut at {cut}: {}", body.escape_ascii());
    }
    whole
}

/// What is known of a body to whoever reads it.
fn read(body: &[u8]) -> Summary {
    let mut session = Session::new(&SessionOptions::default());
    let _ = session.push(body, &mut |_| ());
    session.finish(Ending::Unknown, &mut |_| ())
}

fn recorded(name: &str, end: &str) -> Vec<u8> {
    let mut all = corpus::recordings("streams", end).into_iter();
    all.find(|(other, _)| other == name).unwrap_or_else(|| panic!("{name}")).1
}

/// A body of each dialect, and what closes it.
fn dialects() -> Vec<(Provider, Vec<u8>, String)> {
    let llama = "data: {\"content\":\"Hi\",\"stop\":false}\n\ndata: {\"content\":\".\",\"stop\":true}\n\n";
    let openai = format!(
        "data: {{\"error\":{{\"message\":\"{DOOMED}\",\"type\":\"thusfar_doomed\",\"param\":null,\"code\":\"thusfar_doomed\"}}}}\n\n"
    );
    let google = format!("{{\"error\":{{\"code\":500,\"message\":\"{DOOMED}\",\"status\":\"INTERNAL\"}}}}");
    vec![
        (Provider::OpenAi, recorded("openai_chat_text", "sse"), openai),
        (
            Provider::OpenAiResponses,
            recorded("openai_responses_text", "sse"),
            format!(
                "event: error\ndata: {{\"type\":\"error\",\"code\":\"thusfar_doomed\",\"message\":\"{DOOMED}\",\"param\":null,\
                 \"sequence_number\":0,\"error\":{{\"type\":\"thusfar_doomed\",\"message\":\"{DOOMED}\",\"param\":null,\
                 \"code\":\"thusfar_doomed\"}}}}\n\n"
            ),
        ),
        (
            Provider::Anthropic,
            recorded("anthropic_text", "sse"),
            format!(
                "event: error\ndata: {{\"type\":\"error\",\"error\":{{\"type\":\"api_error\",\"message\":\"{DOOMED}\"}}}}\n\n"
            ),
        ),
        (Provider::Gemini, recorded("gemini_text", "sse"), format!("data: {google}\n\n")),
        (Provider::Gemini, recorded("gemini_array", "json"), format!(",\n{google}]\n")),
        (Provider::Ollama, recorded("ollama_chat", "ndjson"), format!("{{\"error\":\"{DOOMED}\"}}\n")),
        (
            Provider::Cohere,
            recorded("cohere_v2_text", "sse"),
            format!(
                "event: message-end\ndata: {{\"type\":\"message-end\",\"delta\":{{\"error\":\"{DOOMED}\",\
                 \"finish_reason\":\"ERROR\"}}}}\n\n"
            ),
        ),
        (
            Provider::LlamaCpp,
            llama.into(),
            format!("data: {{\"error\":{{\"code\":500,\"message\":\"{DOOMED}\",\"type\":\"thusfar_doomed\"}}}}\n\n"),
        ),
    ]
}

#[test]
fn each_dialect_has_its_error() {
    for (provider, body, wanted) in dialects() {
        let (all, end) = closed(&body, &alone(), Act::ErrorEvent);
        let text = String::from_utf8(all.clone()).expect("UTF-8");
        assert_eq!(end, End::Clean, "{provider:?}");
        let front = text.strip_suffix(&wanted).unwrap_or_else(|| panic!("{provider:?}: {text}"));
        assert!(body.starts_with(front.as_bytes()) && front.len() < body.len(), "{provider:?}: {text}");
        let summary = read(&all);
        assert_eq!((summary.provider(), summary.outcome()), (Some(provider), StreamOutcome::Error), "{provider:?}");
        let error = summary.error().expect("an error");
        let parsed: serde_json::Value = serde_json::from_str(error).expect("JSON");
        assert!(error.contains(DOOMED) && parsed.is_object(), "{provider:?}: {error}");

        let (all, end) = closed(&body, &alone(), Act::BodyError);
        // The LF of a line that ended with a CR is no part of it: then nothing follows.
        let (all, front) = (all.trim_ascii_end(), front.as_bytes().trim_ascii_end());
        assert!(all == front && end != End::Clean, "{provider:?}: {}", all.escape_ascii());
    }
}

/// Frames with right checksums, of the type that the SDKs of AWS raise for.
#[test]
fn bedrock_has_its_exception() {
    let options = SessionOptions { lanes: limited(2), ..SessionOptions::default() };
    for (name, provider) in [
        ("bedrock_converse_max_tokens", Provider::BedrockConverse),
        ("bedrock_invoke_anthropic", Provider::BedrockInvoke),
    ] {
        let (all, end) = closed(&recorded(name, "bin"), &options, Act::ErrorEvent);
        assert_eq!(end, End::Clean);
        let (mut decoder, mut rest, mut last) = (aws::Decoder::new(), &all[..], None);
        while let Some(frame) = decoder.next_frame(&mut rest).expect("frames") {
            let header = |name| frame.header(name).and_then(|value| value.as_str()).map(str::to_owned);
            let payload = String::from_utf8_lossy(frame.payload()).into_owned();
            let names = [":message-type", ":exception-type", ":content-type"];
            last = Some((names.map(header), payload));
        }
        assert!(decoder.finish().expect("whole").is_clean());
        let (headers, payload) = last.expect("a frame");
        let wanted = ["exception", "modelStreamErrorException", "application/json"];
        assert_eq!(headers, wanted.map(|value| Some(value.to_owned())), "{name}");
        assert_eq!(payload, "{\"message\":\"thusfar_limit: this reply is over a limit\"}", "{name}");
        let summary = read(&all);
        assert_eq!((summary.provider(), summary.outcome()), (Some(provider), StreamOutcome::Error), "{name}");
    }
}

fn limited(session_len: usize) -> std::sync::Arc<thusfar_stream::LaneOptions> {
    let limits = LaneLimits { session_len: Some(session_len), ..LaneLimits::default() };
    thusfar_stream::LaneOptions { limits, ..Default::default() }.into()
}

#[test]
fn each_reason_has_its_code() {
    let body = |text: &str| {
        let more = (0..40).map(|_| events::text(0, "and more and so on "));
        events::text(0, text) + &more.collect::<String>() + &events::finish(0, "stop") + DONE
    };
    let plain = SessionOptions::default;
    let endless = "ab".repeat(3000);
    for (text, options, code) in [
        ("{\"a\": 'x'", plain().judge_text(Expect::object()), "thusfar_doomed"),
        (&format!("{{\"a\": \"{endless}"), plain().judge_text(Expect::object()), "thusfar_runaway"),
        ("x", SessionOptions { lanes: limited(99), ..plain() }, "thusfar_limit"),
    ] {
        let (all, end) = closed(body(text).as_bytes(), &options, Act::ErrorEvent);
        let all = String::from_utf8(all).expect("UTF-8");
        let event = all.rsplit("\n\n").nth(1).expect("an event").strip_prefix("data: ").expect("data");
        let event: serde_json::Value = serde_json::from_str(event).expect("JSON");
        assert_eq!((&event["error"]["code"], end), (&code.into(), End::Clean));
        assert!(event["error"]["message"].as_str().expect("a message").starts_with(&format!("{code}: ")));
        assert!(!all.contains("[DONE]"));
    }
}

/// A CR ends a line at once; whether an LF belongs to it is only known behind it. Clients that look for `\n\n` see the event.
#[test]
fn lines_may_end_with_cr() {
    let body = events::text(0, "Hi") + &events::finish(0, "stop") + DONE;
    for (end, front) in [("\r\n", "\r\n\r\n"), ("\r", "\r\r\n")] {
        let (all, _) = closed(body.replace('\n', end).as_bytes(), &alone(), Act::ErrorEvent);
        let all = String::from_utf8(all).expect("UTF-8");
        let (event, closing) = all.split_once(front).expect("two events");
        assert_eq!(event, events::text(0, "Hi").trim_end());
        assert!(closing.starts_with("data: {\"error\":") && closing.ends_with("\n\n"), "{closing}");
        assert_eq!(read(all.as_bytes()).outcome(), StreamOutcome::Error);
    }
}

/// Where nobody would understand an event there is an error of the body.
#[test]
fn what_has_no_error_event() {
    let long = Limits { line_len: Some(40), ..Limits::default() };
    let lines = |body: &str| body.replace("data: ", "").replace("\n\n", "\n");
    let cases = [
        // Nobody's.
        ("data: {\"a\": 1}\n\n".repeat(3) + &"x".repeat(50), SessionOptions { limits: long, ..alone() }),
        // Inside an event.
        ("data: {\"choices\":[]}\n\n".to_owned() + &events::text(0, "Hi"), SessionOptions { limits: long, ..alone() }),
        // OpenAI's on lines.
        (lines(&events::text(0, "Hi").repeat(3)), alone().framing(Framing::Ndjson)),
        // A broken array.
        (
            "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]}}]}, nothing]".to_owned(),
            SessionOptions::default(),
        ),
    ];
    for (body, options) in cases {
        let (all, end) = closed(body.as_bytes(), &options, Act::ErrorEvent);
        assert!(matches!(end, End::Error(_)), "{body}");
        assert!(body.as_bytes().starts_with(&all), "{body}");
    }
}
