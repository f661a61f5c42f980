//! An agent loop with serde types: tool calls are judged while they come, and only whole ones are run.
//!
//! `cargo run -p thusfar-examples --example agent`

use std::error::Error;
use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use serde::Deserialize;
use thusfar::stream::session_stream::{OwnedEvent, SessionStream};
use thusfar::stream::{Lane, LaneKind, Outcome, SessionOptions, StreamOutcome, Summary};
use thusfar_examples::{Server, recording};

#[derive(Deserialize)]
struct Forecast {
    city: String,
    days: u8,
}

#[derive(Deserialize)]
struct Plan {
    list: Vec<serde_json::Value>,
}

/// A call of one of our tools, with its arguments.
enum Call {
    Forecast(Forecast),
    Plan(Plan),
}

impl Call {
    /// The call of a lane, if it is whole. `Err` has what the model is told when it is asked again.
    fn of(lane: Lane<'_>) -> Result<Self, String> {
        let name = lane.name().unwrap_or_default();
        let arguments = match lane.outcome() {
            Some(Outcome::Failure(failure)) => return Err(format!("{name}: {}: {failure}", failure.kind().as_str())),
            outcome => outcome.and_then(Outcome::text).unwrap_or_default(),
        };
        let call = match name {
            "forecast" => serde_json::from_str(arguments).map(Call::Forecast),
            "plan" => serde_json::from_str(arguments).map(Call::Plan),
            other => return Err(format!("there is no tool {other:?}")),
        };
        call.map_err(|error| format!("{name}: {error}"))
    }

    fn run(self) -> String {
        match self {
            Call::Forecast(Forecast { city, days }) => format!("{city}: {days} days of rain"),
            Call::Plan(Plan { list }) => format!("{} steps planned", list.len()),
        }
    }
}

/// One turn of the model.
async fn ask(url: &str, messages: &[String]) -> Result<Arc<Summary>, Box<dyn Error>> {
    let request = serde_json::json!({"stream": true, "messages": messages}).to_string();
    let response = reqwest::Client::new().post(url).body(request).send().await?.error_for_status()?;
    let mut events = pin!(SessionStream::new(response.bytes_stream(), &SessionOptions::default()));
    while let Some(event) = events.next().await {
        if let OwnedEvent::Ended(summary) = event? {
            return Ok(summary);
        }
    }
    unreachable!("the summary is the last item")
}

/// What the tools said. Where a call is not whole the model is asked again, once.
async fn agent(url: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut messages = vec!["What is the weather, and what do we do?".to_owned()];
    for _ in 0..2 {
        let summary = ask(url, &messages).await?;
        let lanes = summary.lanes().filter(|lane| lane.key().kind == LaneKind::ToolArgs);
        let calls: Result<Vec<_>, _> = lanes.map(Call::of).collect();
        // Nothing of a turn is run that may lack a call, or in which one is none.
        let error = match (calls, summary.outcome()) {
            (Ok(calls), StreamOutcome::Complete) => return Ok(calls.into_iter().map(Call::run).collect()),
            (Ok(_), outcome) => outcome.as_str().to_owned(),
            (Err(error), _) => error,
        };
        messages.push(format!("No tool was run. {error}. Please write the calls again."));
    }
    Err(messages.pop().unwrap_or_default().into())
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    // The first completion ran out of tokens inside the arguments; the second one is whole.
    let turns = [
        recording("streams/openai_chat_length_in_tool_args.sse")?,
        recording("streams/openai_chat_tools_parallel.sse")?,
    ];
    let mut server = Server::play(turns).await?;
    let results = agent(&server.url()).await?;
    println!("{results:#?}");
    assert_eq!(results, ["Reykjavík: 3 days of rain", "3 steps planned"]);

    let (first, second) = (server.seen().await?, server.seen().await?);
    println!("{}", second.request);
    assert!(!first.request.contains("No tool was run"));
    assert!(second.request.contains("write_file: truncated: cut inside an escape at byte"), "{}", second.request);
    Ok(())
}
