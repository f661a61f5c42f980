//! The dialects of the providers: each one file, a table of paths and a function from facts to what they mean. None has state.
//!
//! # If you add a dialect
//!
//! Say things in the order of [`Said`], whatever the order of the facts: people who write events do not promise one. Go
//! through the facts a fixed number of times, not once for each of them: an event may have very many.

use crate::facts::{Facts, Slot};
use crate::walk::Paths;

mod members; // the members of one object, without a table
mod read; // what the dialects share
mod finish; // why a choice ended, by name
mod failure; // errors as they are reported
mod detect; // who wrote an event
#[cfg(feature = "http-body")]
mod closing; // the error that ends a stream, as each would write it
mod anthropic;
mod bedrock;
mod cohere;
mod gemini;
mod llamacpp;
mod ollama;
mod openai_chat;
mod openai_responses;
#[cfg(test)]
pub(crate) mod plain; // the same facts, read plainly
#[cfg(test)]
mod tests;

pub(crate) use bedrock::base64;
#[cfg(feature = "http-body")]
pub(crate) use closing::{Closing, closing};
pub(crate) use detect::detect;
pub(crate) use failure::{UNKNOWN, error_in, error_of, error_of_message};
pub(crate) use members::members;
pub(crate) use read::Tell;

/// How one provider writes its events.
pub(crate) struct Dialect {
    /// Paths of members, joined by `/`; `*` is any element of an array. At most 64.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it plainly"))]
    pub(crate) paths: &'static [(&'static str, Slot)],
    /// The same as a tree.
    pub(crate) tree: &'static Paths,
    /// Whether the provider says itself that a choice ended to call tools.
    pub(crate) says_tools: bool,
    /// How it tells an error behind its events.
    #[cfg_attr(not(feature = "http-body"), expect(dead_code, reason = "only a tap closes streams"))]
    pub(crate) errors: Errors,
    pub(crate) read: Read,
}

/// The ways to tell an error behind events; what is written is a table in `closing`.
#[derive(Clone, Copy)]
pub(crate) enum Errors {
    OpenAi,
    Responses,
    Anthropic,
    Google,
    LlamaCpp,
    Cohere,
    Ollama,
    Aws,
}

/// Tells what the facts of one event mean. `name` is the event's type on the wire, which most providers leave empty.
pub(crate) type Read = fn(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>);

/// Whose events a body holds. Servers that speak another provider's protocol are that provider here.
///
/// Most of the dialects of OpenAI's chat completions differ so little that they are read as one, and are found out as
/// [`Provider::OpenAi`]; they have names so that a caller may say what it has.
///
/// ```
/// use thusfar_stream::Provider;
/// assert_eq!(Provider::of_name("gemini"), Some(Provider::Gemini));
/// assert_eq!(Provider::BedrockConverse.as_str(), "bedrock-converse");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI's chat completions and completions, and whoever speaks them: the `/v1` of Ollama and llama.cpp too.
    OpenAi,
    /// OpenAI's responses.
    OpenAiResponses,
    /// OpenAI at Azure: `content_filter` beside choices.
    Azure,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `streamGenerateContent`, at Google AI and at Vertex.
    Gemini,
    /// Mistral: content in typed pieces.
    Mistral,
    /// Ollama's own `/api/chat` and `/api/generate`.
    Ollama,
    /// Cohere's `/v2/chat`.
    Cohere,
    /// Bedrock's `ConverseStream`.
    BedrockConverse,
    /// Bedrock's `InvokeModelWithResponseStream`: the events of the model's own provider, in base64.
    BedrockInvoke,
    /// The `/completion` of llama.cpp's server.
    LlamaCpp,
    /// vLLM: `reasoning`, and finish reasons of its own.
    Vllm,
    /// OpenRouter: `reasoning_details`, and errors beside choices.
    OpenRouter,
    /// DeepSeek: `reasoning_content`.
    DeepSeek,
    /// Groq: usage in `x_groq`.
    Groq,
}

impl Provider {
    /// All providers with their names on the command line.
    pub const ALL: &[(Provider, &'static str)] = &[
        (Provider::OpenAi, "openai"),
        (Provider::OpenAiResponses, "openai-responses"),
        (Provider::Azure, "azure"),
        (Provider::Anthropic, "anthropic"),
        (Provider::Gemini, "gemini"),
        (Provider::Mistral, "mistral"),
        (Provider::Ollama, "ollama"),
        (Provider::Cohere, "cohere"),
        (Provider::BedrockConverse, "bedrock-converse"),
        (Provider::BedrockInvoke, "bedrock-invoke"),
        (Provider::LlamaCpp, "llama.cpp"),
        (Provider::Vllm, "vllm"),
        (Provider::OpenRouter, "openrouter"),
        (Provider::DeepSeek, "deepseek"),
        (Provider::Groq, "groq"),
    ];

    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(provider, _)| *provider == self).map_or("", |(_, name)| name)
    }

    /// The provider of a name, if there is one.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, other)| *other == name).map(|(provider, _)| *provider)
    }

    /// How it writes its events.
    pub(crate) const fn dialect(self) -> &'static Dialect {
        match self {
            Provider::OpenAi
            | Provider::Azure
            | Provider::Mistral
            | Provider::Vllm
            | Provider::OpenRouter
            | Provider::DeepSeek
            | Provider::Groq => &openai_chat::DIALECT,
            Provider::OpenAiResponses => &openai_responses::DIALECT,
            Provider::Anthropic => &anthropic::DIALECT,
            Provider::Gemini => &gemini::DIALECT,
            Provider::Ollama => &ollama::DIALECT,
            Provider::Cohere => &cohere::DIALECT,
            Provider::BedrockConverse => &bedrock::CONVERSE,
            Provider::BedrockInvoke => &bedrock::INVOKE,
            Provider::LlamaCpp => &llamacpp::DIALECT,
        }
    }
}
