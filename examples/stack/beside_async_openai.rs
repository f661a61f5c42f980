//! Beside async-openai: its client and its stream of chunks, and the verdict of a `Reply` that is fed with the deltas.
//!
//! A stream of async-openai ends at the end of the body exactly as it does at `[DONE]`: it has no error where a proxy or a server cut the
//! body in two. What tells them apart is whether the document had closed, and whether the choice said why it ended.
//!
//! `cargo run -p thusfar-examples --example beside_async_openai`

use std::error::Error;
use std::pin::Pin;

use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use futures_util::{Stream, StreamExt};
use serde_json::{Value, json};
use thusfar::{Cause, Document, Ending, Expect, Failure, FailureKind, Reply};
use thusfar_examples::{Server, recording};

type Chunks = Pin<Box<dyn Stream<Item = Result<Value, OpenAIError>> + Send>>;

/// The document of a completion of async-openai.
async fn complete(url: &str) -> Result<Result<Document, Failure>, OpenAIError> {
    let client = Client::with_config(OpenAIConfig::new().with_api_base(url).with_api_key("none"));
    let request = json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "JSON, please"}]});
    let mut chunks: Chunks = client.chat().create_stream_byot(request).await?;

    let mut reply = Reply::new(Expect::object());
    let mut ending = Ending::Disconnected; // unless the choice says why it ended
    while let Some(chunk) = chunks.next().await {
        let choice = &chunk?["choices"][0];
        let _ = reply.push(choice["delta"]["content"].as_str().unwrap_or_default());
        match choice["finish_reason"].as_str() {
            None => {}
            Some("stop") => ending = Ending::Stop,
            Some("length") => ending = Ending::Length,
            Some(_) => ending = Ending::Unknown,
        }
    }
    Ok(reply.finish(ending))
}

/// The same of a recorded body, which the server ends cleanly.
async fn play(body: Vec<u8>) -> Result<Result<Document, Failure>, Box<dyn Error>> {
    let server = Server::play([body]).await?;
    let answer = complete(&server.url()).await?; // no error of async-openai, whatever is played
    Ok(answer)
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let whole = recording("streams/openai_chat_json_ok.sse")?;
    // The same body, ended cleanly behind its third event: no `[DONE]`, and no reason to have ended.
    let text = String::from_utf8(whole.clone())?;
    let cut: String = text.split_inclusive("\n\n").take(3).collect();

    assert_eq!(play(whole).await??.text(), r#"{"ok":true}"#);
    let failure = play(cut.into_bytes()).await?.err().ok_or("a cut is no document")?;
    println!("{failure}");
    assert_eq!((failure.kind(), failure.cause()), (FailureKind::Truncated, Some(Cause::Disconnected)));

    let length = play(recording("streams/openai_chat_json_length.sse")?).await?.err().ok_or("a cut is no document")?;
    assert_eq!((length.kind(), length.cause()), (FailureKind::Truncated, Some(Cause::Budget)));
    Ok(())
}
