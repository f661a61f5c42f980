//! Plays recordings to the SDKs of providers, through the tap or cut in another way: `POST /<body>/<way>/…`, the provider's own path
//! behind it. Prints its port and serves until it is killed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::error::Error;
use std::future::poll_fn;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use thusfar::Expect;
use thusfar::stream::SessionOptions;
use thusfar::stream::tap::{Act, Tap, TapOptions};
use thusfar_testkit::corpus;
use tokio::net::TcpListener;

/// A provider: its body comes in small pieces, and waits between them.
struct Upstream {
    pieces: VecDeque<Bytes>,
    has_waited: bool,
}

impl Upstream {
    fn of(body: &str) -> Self {
        Self { pieces: body.as_bytes().chunks(100).map(Bytes::copy_from_slice).collect(), has_waited: false }
    }
}

impl Body for Upstream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.has_waited = !self.has_waited;
        if self.has_waited {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.pieces.pop_front().map(|piece| Ok(Frame::data(piece))))
    }
}

/// The body of a provider: recorded, with JSON for its text, or with JSON that breaks. The pieces of a text are replaced wherever
/// they stand, since some events repeat it.
fn body(provider: &str, is_broken: bool) -> Option<String> {
    // What the model said: JSON, in five deltas.
    let said = [r#"{\"ok\""#, ":tr", "ue", "}", " "];
    let (name, texts) = match provider {
        "openai" => ("openai_chat_json_ok", vec![]),
        "responses" => ("openai_responses_text", vec!["Tide", " tables", r"\n1. ", r#"\"low\" 04:12 "#, "🌊"]),
        "anthropic" => ("anthropic_text", vec!["Kelp", " forests", r#" — \"tall\""#, r"\n\n", "🌿 ok"]),
        _ => return None,
    };
    let (_, bytes) = corpus::recordings("streams", "sse").into_iter().find(|(other, _)| other == name)?;
    let recorded = String::from_utf8(bytes).expect("UTF-8");
    let mut body = texts.iter().zip(said).fold(recorded, |body, (text, said)| body.replace(text, said));
    assert!(body.contains(":tr\""), "{name} holds what is broken");
    if is_broken {
        // In the delta alone: only there the quote stands behind it.
        body = body.replace(":tr\"", ":tx\"");
    }
    Some(body)
}

/// What the tap lets through before it closes a body: what a proxy without one would end with.
fn cut(body: &str, options: &SessionOptions) -> usize {
    let mut session = thusfar::stream::Session::new(options);
    let _ = session.push(body.as_bytes(), &mut |_| ());
    let summary = session.finish(thusfar::Ending::Unknown, &mut |_| ());
    summary.advice().map_or(body.len(), |(_, at)| at as usize)
}

/// The answer to a path.
fn answer(path: &str) -> Option<Response<Tap<Upstream>>> {
    let mut parts = path.trim_start_matches('/').split('/');
    let (provider, is_broken, way) = (parts.next()?, parts.next()? == "broken", parts.next()?);
    let mut body = body(provider, is_broken)?;
    let options = SessionOptions::default().judge_text(Expect::object());
    let tap = match way {
        "watched" => TapOptions::new(options),
        "error_event" => TapOptions::new(options).acting(Act::ErrorEvent),
        "body_error" => TapOptions::new(options).acting(Act::BodyError),
        "clean_cut" => {
            body.truncate(cut(&body, &options));
            TapOptions::new(SessionOptions::default())
        }
        _ => return None,
    };
    let mut response = Response::builder().header(CONTENT_TYPE, "text/event-stream");
    if matches!(way, "error_event" | "body_error") {
        // A length that would be wrong: it must be gone.
        response = response.header(CONTENT_LENGTH, body.len());
    }
    Some(tap.response(response.body(Upstream::of(&body)).expect("a response")))
}

async fn serve(request: Request<Incoming>) -> Result<Response<Tap<Upstream>>, Box<dyn Error + Send + Sync>> {
    let path = request.uri().path().to_owned();
    let mut asked = request.into_body();
    while poll_fn(|context| Pin::new(&mut asked).poll_frame(context)).await.transpose()?.is_some() {}
    answer(&path).ok_or_else(|| format!("nothing at {path}").into())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?.port())?;
    loop {
        let (stream, _) = listener.accept().await?;
        // Its error is the one that the tap gave to end a body.
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(serve)));
    }
}
