//! reqwest: read a streaming completion, and hang up as soon as nothing that follows can matter.
//!
//! `cargo run -p thusfar-examples --example early`

use std::error::Error;
use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use thusfar::stream::session_stream::{OwnedEvent, SessionStream};
use thusfar::stream::{Reason, SessionOptions, Summary};
use thusfar::{Expect, Take};
use thusfar_examples::{Server, recording};

/// What a caller writes: the summary of a completion whose text is JSON.
async fn complete(url: &str, expect: Expect) -> Result<Arc<Summary>, Box<dyn Error>> {
    let response = reqwest::Client::new().post(url).body(r#"{"stream": true}"#).send().await?.error_for_status()?;
    let options = SessionOptions::default().judge_text(expect);
    // When hanging up is advised, the body is dropped: reqwest closes the connection, and the provider stops writing.
    let mut events = pin!(SessionStream::new(response.bytes_stream(), &options).hanging_up());
    while let Some(event) = events.next().await {
        match event? {
            OwnedEvent::Text(_, text) => print!("{text}"),
            OwnedEvent::Ended(summary) => return Ok(summary),
            _ => {}
        }
    }
    unreachable!("the summary is the last item")
}

/// Plays a recording; gives what it came to. The server has seen the connection close before all was written.
async fn play(name: &str, expect: Expect) -> Result<Arc<Summary>, Box<dyn Error>> {
    let mut server = Server::play([recording(name)?]).await?;
    let summary = complete(&server.url(), expect).await?;
    let seen = server.seen().await?;
    println!("\n  {:?}, closed after {} of {} bytes", summary.advice(), seen.written_len, seen.total_len);
    assert!(seen.is_closed_early && seen.written_len < seen.total_len, "{seen:?}");
    Ok(summary)
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    // The first document is the answer: nothing behind it can change that. The model goes on with prose.
    let summary = play("captures/097.sse", Expect::object().take(Take::First)).await?;
    assert_eq!(summary.advice().map(|(reason, _)| reason), Some(Reason::Final));
    let lane = summary.lanes().next().ok_or("no lane")?;
    let text = lane.outcome().and_then(|outcome| outcome.text());
    assert_eq!(text, Some(r#"{"name": "Dave", "age": 4, "city": "Chicago"}"#));

    // An object with a key that has no value: no continuation saves it.
    let summary = play("captures/020.sse", Expect::object()).await?;
    assert_eq!(summary.advice().map(|(reason, _)| reason), Some(Reason::Doomed));
    let lane = summary.lanes().next().ok_or("no lane")?;
    let failure = lane.outcome().and_then(|outcome| outcome.failure()).ok_or("no failure")?;
    println!("  {failure}");
    assert_eq!(failure.code(), "expected_colon");

    // The caller has heard enough: to drop the stream is to cancel.
    let mut server = Server::play([recording("streams/openai_chat_text.sse")?]).await?;
    let response = reqwest::Client::new().post(server.url()).send().await?;
    {
        let mut events = pin!(SessionStream::new(response.bytes_stream(), &SessionOptions::default()));
        while !matches!(events.next().await.ok_or("it goes on")??, OwnedEvent::Text(..)) {}
    }
    assert!(server.seen().await?.is_closed_early);
    Ok(())
}
