//! What the caller says of its requests: whom they ask for what.

use alloc::borrow::Cow;

use crate::provider::Provider;

/// Which names are recorded. See [`names`](super::names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Conventions {
    /// [`names::v1_41`](super::names::v1_41): what was published last.
    #[default]
    V1_41,
    /// [`names::genai`](super::names::genai): what they have become, not published yet.
    GenAi,
}

/// What the model is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Operation {
    /// A conversation goes on.
    #[default]
    Chat,
    /// Gemini's `generateContent`.
    GenerateContent,
    /// A text goes on.
    TextCompletion,
}

impl Operation {
    /// The name that the conventions give to it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Operation::Chat => "chat",
            Operation::GenerateContent => "generate_content",
            Operation::TextCompletion => "text_completion",
        }
    }
}

/// What all replies of one [`Telemetry`](super::Telemetry) have in common. It stands on every span and metric as it is given here:
/// nothing of it may be private, or of many values.
///
/// ```
/// use thusfar_stream::Provider;
/// use thusfar_stream::telemetry::Labels;
/// let labels = Labels::of(Provider::Azure).model("gpt-4.1-mini").server("eu.example.com", 443);
/// assert_eq!((&*labels.provider, labels.operation.as_str()), ("azure.ai.openai", "chat"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Labels {
    /// What the model is asked to do.
    pub operation: Operation,
    /// Whose API it is: one of the names of the conventions if there is one.
    pub provider: Cow<'static, str>,
    /// The model that is asked for.
    pub model: Option<Cow<'static, str>>,
    /// The server and its port.
    pub server: Option<(Cow<'static, str>, u16)>,
}

impl Labels {
    /// Chats with a provider.
    #[must_use]
    pub fn new(provider: impl Into<Cow<'static, str>>) -> Self {
        Self { operation: Operation::Chat, provider: provider.into(), model: None, server: None }
    }

    /// The same, with the name that the conventions have for it.
    #[must_use]
    pub fn of(provider: Provider) -> Self {
        let labels = Self::new(name_of(provider));
        match provider {
            Provider::Gemini => labels.operation(Operation::GenerateContent),
            _ => labels,
        }
    }

    /// Says what the model is asked to do.
    #[must_use]
    pub fn operation(mut self, operation: Operation) -> Self {
        self.operation = operation;
        self
    }

    /// Says which model is asked for.
    #[must_use]
    pub fn model(mut self, model: impl Into<Cow<'static, str>>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Says which server is asked.
    #[must_use]
    pub fn server(mut self, address: impl Into<Cow<'static, str>>, port: u16) -> Self {
        self.server = Some((address.into(), port));
        self
    }
}

/// `gen_ai.provider.name` of a provider. Those that the conventions do not know have our name.
const fn name_of(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi | Provider::OpenAiResponses => "openai",
        Provider::Azure => "azure.ai.openai",
        Provider::Anthropic => "anthropic",
        Provider::Gemini => "gcp.gemini",
        Provider::Mistral => "mistral_ai",
        Provider::Cohere => "cohere",
        Provider::BedrockConverse | Provider::BedrockInvoke => "aws.bedrock",
        Provider::DeepSeek => "deepseek",
        Provider::Groq => "groq",
        Provider::Ollama => "ollama",
        Provider::LlamaCpp => "llama.cpp",
        Provider::Vllm => "vllm",
        Provider::OpenRouter => "openrouter",
    }
}
