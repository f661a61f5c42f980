//! axum: a gateway that hands a streaming completion on, watches it on the way, and ends it with an error when it is lost.
//!
//! `cargo run -p thusfar-examples --example proxy`

use std::error::Error;
use std::pin::pin;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CONNECTION, TRANSFER_ENCODING};
use axum::http::{Response, StatusCode};
use axum::routing::post;
use axum::{Router, serve};
use futures_util::StreamExt;
use thusfar::stream::session_stream::{OwnedEvent, SessionStream};
use thusfar::stream::tap::{Act, TapOptions};
use thusfar::stream::{Asked, Reason, SessionOptions, StreamOutcome, Summary};
use thusfar_examples::{Server, recording};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

struct Gateway {
    upstream: String,
    client: reqwest::Client,
    ends: mpsc::UnboundedSender<Summary>,
}

/// What a gateway writes.
async fn complete(State(gateway): State<Arc<Gateway>>, request: Bytes) -> Result<Response<Body>, StatusCode> {
    // What the request asks for is what the reply is judged by.
    let asked = Asked::of_request(&request).map_err(|_| StatusCode::BAD_REQUEST)?;
    let upstream = gateway.client.post(&gateway.upstream).body(request).send().await;
    let mut upstream = Response::from(upstream.map_err(|_| StatusCode::BAD_GATEWAY)?);
    // They are about the connection to upstream.
    for header in [CONNECTION, TRANSFER_ENCODING] {
        upstream.headers_mut().remove(header);
    }
    let ends = gateway.ends.clone();
    let tapped = TapOptions::new(SessionOptions::default().asked(asked))
        .acting(Act::ErrorEvent) // without this line the body goes on whatever it says
        .on_end(move |summary| drop(ends.send(summary)))
        .response(upstream);
    Ok(tapped.map(Body::new))
}

/// A gateway in front of a provider that plays a recording.
async fn gateway(name: &str) -> Result<(Server, String, mpsc::UnboundedReceiver<Summary>), Box<dyn Error>> {
    let provider = Server::play([recording(name)?]).await?;
    let (ends, ended) = mpsc::unbounded_channel();
    let state = Arc::new(Gateway { upstream: provider.url(), client: reqwest::Client::new(), ends });
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let router = Router::new().route("/", post(complete)).with_state(state);
    tokio::spawn(async move { serve(listener, router).await });
    Ok((provider, url, ended))
}

async fn ask(url: &str) -> Result<reqwest::Response, Box<dyn Error>> {
    let request = r#"{"stream": true, "response_format": {"type": "json_object"}}"#;
    Ok(reqwest::Client::new().post(url).body(request).send().await?.error_for_status()?)
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    // A reply that is whole goes through byte for byte.
    let (mut provider, url, mut ended) = gateway("streams/openai_chat_json_ok.sse").await?;
    assert_eq!(ask(&url).await?.bytes().await?, recording("streams/openai_chat_json_ok.sse")?);
    assert_eq!(ended.recv().await.ok_or("an end")?.outcome(), StreamOutcome::Complete);
    assert!(!provider.seen().await?.is_closed_early);

    // One that no continuation saves: the provider is hung up on, and the client gets an error that its SDK raises.
    let (mut provider, url, mut ended) = gateway("captures/020.sse").await?;
    let body = ask(&url).await?.bytes().await?;
    let (whole, error) = body.split_at(String::from_utf8_lossy(&body).rfind("data: ").ok_or("an event")?);
    println!("{}", String::from_utf8_lossy(error).trim());
    assert!(recording("captures/020.sse")?.starts_with(whole) && error.starts_with(b"data: {\"error\":"));
    let summary = ended.recv().await.ok_or("an end")?;
    assert_eq!(summary.advice(), Some((Reason::Doomed, whole.len() as u64)));
    let seen = provider.seen().await?;
    println!("closed after {} of {} bytes", seen.written_len, seen.total_len);
    assert!(seen.is_closed_early);

    // The client goes away: so does the connection to the provider.
    let (mut provider, url, mut ended) = gateway("captures/092.sse").await?;
    {
        let mut events = pin!(SessionStream::new(ask(&url).await?.bytes_stream(), &SessionOptions::default()));
        while !matches!(events.next().await.ok_or("it goes on")??, OwnedEvent::Text(..)) {}
    }
    assert_eq!(ended.recv().await.ok_or("an end")?.outcome(), StreamOutcome::Cancelled);
    assert!(provider.seen().await?.is_closed_early);
    Ok(())
}
