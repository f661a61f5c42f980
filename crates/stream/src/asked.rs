//! What a recorded request asks for: JSON in the answer, and how many answers.
//!
//! A gateway has the request, and the request says whether the text of the reply is to be JSON: each provider has its own
//! member for it. This reads those members and nothing else; what is not asked for is not judged.

use alloc::string::{String, ToString};
use core::fmt;

use serde_json::Value;
use thusfar_core::Root;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The kind of JSON value that the text is to be; none if it may be anything.
    pub text: Option<Root>,
    /// How many choices there will be.
    pub choice_count: u32,
}

/// A request that is no JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotARequest(String);

impl fmt::Display for NotARequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the request is no JSON object: {}", self.0)
    }
}

impl core::error::Error for NotARequest {}

impl Default for Asked {
    fn default() -> Self {
        Self { text: None, choice_count: 1 }
    }
}

impl Asked {
    /// Reads a request's body.
    ///
    /// | provider | member |
    /// |---|---|
    /// | OpenAI chat, Mistral, Cohere, vLLM, llama.cpp | `response_format`: `json_object`, `json_schema` |
    /// | OpenAI responses | `text.format` |
    /// | Anthropic | `output_config.format`, `output_format` |
    /// | Gemini | `generationConfig.responseMimeType` `application/json` |
    /// | Ollama | `format`: `json`, a schema |
    /// | llama.cpp, vLLM | `json_schema`, `guided_json` |
    ///
    /// Where there is a schema, its `type` says which kind of root; otherwise JSON mode means an object with OpenAI and
    /// those who follow it, and an object or array elsewhere. `n`, or Gemini's `candidateCount`, says how many choices.
    ///
    /// # Errors
    ///
    /// The request is no JSON object.
    ///
    /// ```
    /// use thusfar_stream::{Asked, Root};
    /// let asked = Asked::of_request(br#"{"n": 2, "response_format": {"type": "json_object"}}"#)?;
    /// assert_eq!((asked.text, asked.choice_count), (Some(Root::Object), 2));
    /// # Ok::<(), thusfar_stream::NotARequest>(())
    /// ```
    pub fn of_request(request: &[u8]) -> Result<Self, NotARequest> {
        let request: Value = serde_json::from_slice(request).map_err(|error| NotARequest(error.to_string()))?;
        if !request.is_object() {
            return Err(NotARequest("another value".to_string()));
        }
        let config = either(&request, "generationConfig", "generation_config");
        let text = [&request["response_format"], &request["text"]["format"]].into_iter().find_map(openai);
        let text =
            text.or_else(|| openai(&request["output_config"]["format"])).or_else(|| openai(&request["output_format"]));
        let text = text.or_else(|| gemini(config)).or_else(|| ollama(&request["format"]));
        let text = text.or_else(|| schema(&request["json_schema"])).or_else(|| schema(&request["guided_json"]));
        let count = request["n"].as_u64().or_else(|| either(config, "candidateCount", "candidate_count").as_u64());
        let choice_count = count.and_then(|count| u32::try_from(count).ok()).map_or(1, |count| count.max(1));
        Ok(Self { text, choice_count })
    }
}

/// A member under one of two spellings.
fn either<'a>(value: &'a Value, camel: &str, snake: &str) -> &'a Value {
    if value[camel].is_null() { &value[snake] } else { &value[camel] }
}

/// `{"type": "json_object"}`, or `json_schema` with the schema here or one member further in.
fn openai(format: &Value) -> Option<Root> {
    let schemas = [&format["schema"], &format["json_schema"]["schema"], &format["json_schema"]];
    let root = schemas.into_iter().find_map(schema);
    match format["type"].as_str()? {
        "json_object" => root.or(Some(Root::Object)),
        "json_schema" | "json" => root.or(Some(Root::Any)),
        _ => None,
    }
}

fn gemini(config: &Value) -> Option<Root> {
    let kind = either(config, "responseMimeType", "response_mime_type").as_str()?;
    let schemas = [
        either(config, "responseSchema", "response_schema"),
        either(config, "responseJsonSchema", "response_json_schema"),
    ];
    (kind == "application/json").then(|| schemas.into_iter().find_map(schema).unwrap_or(Root::Any))
}

fn ollama(format: &Value) -> Option<Root> {
    match format {
        Value::String(word) if word == "json" => Some(Root::Any),
        other => schema(other),
    }
}

/// The kind of root that a schema asks for.
fn schema(schema: &Value) -> Option<Root> {
    let kind = match &schema.as_object()?.get("type") {
        Some(Value::String(kind)) => kind.to_ascii_lowercase(),
        _ if schema.as_object()?.contains_key("properties") => "object".to_string(),
        _ => return (!schema.as_object()?.is_empty()).then_some(Root::Any),
    };
    Some(match kind.as_str() {
        "object" => Root::Object,
        "array" => Root::Array,
        "string" | "number" | "integer" | "boolean" | "null" => Root::Value,
        _ => Root::Any,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_says_it_in_its_own_way() {
        for (request, text) in [
            (r#"{"messages": []}"#, None),
            (r#"{"response_format": {"type": "text"}}"#, None),
            (r#"{"response_format": {"type": "json_object"}}"#, Some(Root::Object)),
            (
                r#"{"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "array"}}}}"#,
                Some(Root::Array),
            ),
            (r#"{"response_format": {"type": "json_object", "schema": {"type": "object"}}}"#, Some(Root::Object)),
            (
                r#"{"text": {"format": {"type": "json_schema", "name": "a", "schema": {"properties": {}}}}}"#,
                Some(Root::Object),
            ),
            (r#"{"text": {"format": {"type": "text"}}}"#, None),
            (
                r#"{"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}}"#,
                Some(Root::Object),
            ),
            (r#"{"generationConfig": {"responseMimeType": "application/json"}}"#, Some(Root::Any)),
            (
                r#"{"generation_config": {"response_mime_type": "application/json", "response_schema": {"type": "STRING"}}}"#,
                Some(Root::Value),
            ),
            (r#"{"generationConfig": {"responseMimeType": "text/plain"}}"#, None),
            (r#"{"format": "json"}"#, Some(Root::Any)),
            (r#"{"format": {"type": "object"}}"#, Some(Root::Object)),
            (r#"{"format": ""}"#, None),
            (r#"{"json_schema": {"type": "array"}}"#, Some(Root::Array)),
        ] {
            assert_eq!(Asked::of_request(request.as_bytes()).map(|asked| asked.text), Ok(text), "{request}");
        }
    }

    #[test]
    fn how_many_choices() {
        let count = |request: &str| Asked::of_request(request.as_bytes()).map(|asked| asked.choice_count);
        assert_eq!(count(r#"{"n": 3}"#), Ok(3));
        assert_eq!(count(r#"{"generationConfig": {"candidateCount": 2}}"#), Ok(2));
        assert_eq!(count(r#"{"n": 0}"#), Ok(1));
        assert_eq!(count(r#"{"n": "x"}"#), Ok(1));
        assert!(count("[]").is_err() && count("{").is_err());
    }
}
