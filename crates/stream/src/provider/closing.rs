//! The error that ends a stream, as each provider would write it behind events of its own: one table.
//!
//! Where a dialect has room for a code, the reason's stands there; where it has none, or a closed list of them, it stands in
//! front of the message, as everywhere. Nothing else is in it: no text of the model, no request, no server.
//!
//! What stands behind the last event that was passed on is part of it, since a client must not read the two as one: the LF of a
//! line that ended with a CR, the comma of an array.
//!
//! # If you add a dialect
//!
//! Give it a variant of `Errors` and a row, look at what the provider's own SDK does with it, and see `tests/tap` hold that a [`Session`](crate::Session)
//! calls it an error. What has no row is closed by an error of the body.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::body::Framing;
use crate::provider::{Errors, Provider};

/// What a stream is closed for. Plain ASCII without quotes and backslashes: it goes into JSON as it is.
#[derive(Clone, Copy)]
pub(crate) struct Closing {
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
}

/// The bytes behind the last event that was passed on, which ended with the byte `last`: one error event, and what ends a body
/// of this framing. Nothing where nobody would understand it.
pub(crate) fn closing(provider: Provider, framing: Framing, last: u8, why: Closing) -> Option<Vec<u8>> {
    let Closing { code, message } = why;
    let text = format!("{code}: {message}");
    let event = match (provider.dialect().errors, framing) {
        (Errors::OpenAi, Framing::Sse) => sse("", &openai(code, &text)),
        // Flat, as it is documented, and nested: the SDKs of OpenAI raise for nothing else.
        (Errors::Responses, Framing::Sse) => {
            let error = format!("{{\"type\":\"{code}\",\"message\":\"{text}\",\"param\":null,\"code\":\"{code}\"}}");
            let flat = format!("\"code\":\"{code}\",\"message\":\"{text}\",\"param\":null,\"sequence_number\":0");
            sse("error", &format!("{{\"type\":\"error\",{flat},\"error\":{error}}}"))
        }
        (Errors::Anthropic, Framing::Sse) => {
            let error = format!("{{\"type\":\"api_error\",\"message\":\"{text}\"}}");
            sse("error", &format!("{{\"type\":\"error\",\"error\":{error}}}"))
        }
        (Errors::Google, Framing::Sse) => sse("", &google(&text)),
        (Errors::Google, Framing::JsonArray) => return Some(format!(",\n{}]\n", google(&text)).into()),
        (Errors::LlamaCpp, Framing::Sse) => {
            sse("", &format!("{{\"error\":{{\"code\":500,\"message\":\"{text}\",\"type\":\"{code}\"}}}}"))
        }
        // It has no error event: the last event of a message says it.
        (Errors::Cohere, Framing::Sse) => {
            let delta = format!("{{\"error\":\"{text}\",\"finish_reason\":\"ERROR\"}}");
            sse("message-end", &format!("{{\"type\":\"message-end\",\"delta\":{delta}}}"))
        }
        (Errors::Ollama, Framing::Ndjson) => format!("{{\"error\":\"{text}\"}}\n"),
        #[cfg(feature = "aws")]
        (Errors::Aws, Framing::Aws) => return Some(exception(&text)),
        _ => return None,
    };
    let joint = match (framing, last) {
        (Framing::Sse, b'\r') => "\n",
        _ => "",
    };
    Some(format!("{joint}{event}").into())
}

/// One server-sent event.
fn sse(name: &str, data: &str) -> String {
    match name {
        "" => format!("data: {data}\n\n"),
        _ => format!("event: {name}\ndata: {data}\n\n"),
    }
}

/// OpenAI's error object, which stands in an event of its own. Servers send `[DONE]` behind it; here nothing follows.
fn openai(code: &str, text: &str) -> String {
    format!("{{\"error\":{{\"message\":\"{text}\",\"type\":\"{code}\",\"param\":null,\"code\":\"{code}\"}}}}")
}

/// Google's: the code is that of HTTP, and the status one of a closed list.
fn google(text: &str) -> String {
    format!("{{\"error\":{{\"code\":500,\"message\":\"{text}\",\"status\":\"INTERNAL\"}}}}")
}

/// A frame that is an exception of the model's stream.
#[cfg(feature = "aws")]
fn exception(text: &str) -> Vec<u8> {
    let headers = [
        (":exception-type", "modelStreamErrorException"),
        (":content-type", "application/json"),
        (":message-type", "exception"),
    ];
    crate::aws::frame_of(&headers, format!("{{\"message\":\"{text}\"}}").as_bytes())
}
