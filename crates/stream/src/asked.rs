//! What a recorded request asks for: JSON in the answer, by which schema, and how many answers.
//!
//! A gateway has the request, and the request says whether the text of the reply is to be JSON: each provider has its own
//! member for it. This reads those members and nothing else; what is not asked for is not judged.

use alloc::borrow::Cow;
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
    /// | provider | member | the schema in it |
    /// |---|---|---|
    /// | OpenAI chat, Mistral, vLLM, llama.cpp | `response_format`: `json_object`, `json_schema` | `json_schema.schema`, `schema` |
    /// | Cohere | `response_format`: `json_object` | `json_schema`, `schema` |
    /// | Text Generation Inference | `response_format`: `json_object`, `json`, `json_schema` | `value`, `json_schema.schema` |
    /// | OpenAI responses | `text.format` | `schema` |
    /// | Anthropic | `output_config.format`, `output_format` | `schema` |
    /// | Gemini | `generationConfig.responseMimeType` `application/json` | `responseJsonSchema` beside it |
    /// | Ollama | `format`: `json`, a schema | `format` itself |
    /// | llama.cpp, vLLM | `json_schema`, `guided_json`, `structured_outputs.json` | the same, an object or its JSON text |
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
        let request = read(request)?;
        let config = config(&request);
        let count = request["n"].as_u64().or_else(|| either(config, "candidateCount", "candidate_count").as_u64());
        let choice_count = count.and_then(|count| u32::try_from(count).ok()).map_or(1, |count| count.max(1));
        Ok(Self { text: wanted(&request).map(|wanted| wanted.root), choice_count })
    }

    /// The JSON Schema that a request asks the text to follow, out of the members that [`of_request`](Asked::of_request) names; none
    /// where it asks for JSON of any shape, or for no JSON.
    ///
    /// It is handed on as it is: whether it is a schema is for whoever compiles it to say, and it came with a request. Gemini's
    /// `responseSchema` is none: that is OpenAPI's dialect, with types in upper case and `nullable`, and means something else. What the
    /// arguments of tools are to follow is told by [`tools_of`](Asked::tools_of).
    ///
    /// # Errors
    ///
    /// The request is no JSON object.
    ///
    /// ```
    /// use thusfar_stream::Asked;
    /// let request = br#"{"text": {"format": {"type": "json_schema", "name": "n", "schema": {"type": "integer"}}}}"#;
    /// assert_eq!(Asked::schema_of(request)?, Some(serde_json::json!({"type": "integer"})));
    /// assert_eq!(Asked::schema_of(br#"{"response_format": {"type": "json_object"}}"#)?, None);
    /// # Ok::<(), thusfar_stream::NotARequest>(())
    /// ```
    pub fn schema_of(request: &[u8]) -> Result<Option<Value>, NotARequest> {
        let request = read(request)?;
        Ok(wanted(&request).and_then(|wanted| wanted.schema).map(Cow::into_owned))
    }

    /// The tools that a request offers, as it lists them; none where it offers none.
    ///
    /// | provider | member |
    /// |---|---|
    /// | OpenAI, Anthropic, Gemini, Cohere, Ollama, and whoever speaks like one of them | `tools` |
    /// | OpenAI chat, before it had tools | `functions` |
    /// | Bedrock Converse | `toolConfig.tools` |
    ///
    /// The items are handed on as they are: each provider has its own shape, and whoever reads them tells which.
    ///
    /// # Errors
    ///
    /// The request is no JSON object.
    ///
    /// ```
    /// use thusfar_stream::Asked;
    /// let request = br#"{"tools": [{"name": "weather", "input_schema": {"type": "object"}}]}"#;
    /// let tools = Asked::tools_of(request)?.expect("a list");
    /// assert_eq!(tools[0]["name"], "weather");
    /// assert_eq!(Asked::tools_of(br#"{"tools": []}"#)?, None);
    /// # Ok::<(), thusfar_stream::NotARequest>(())
    /// ```
    pub fn tools_of(request: &[u8]) -> Result<Option<Value>, NotARequest> {
        let mut request = read(request)?;
        let lists = ["/tools", "/toolConfig/tools", "/tool_config/tools", "/functions"];
        let is_list = |list: &Value| list.as_array().is_some_and(|items| !items.is_empty());
        let found = lists.into_iter().find(|list| request.pointer(list).is_some_and(is_list));
        Ok(found.and_then(|list| request.pointer_mut(list)).map(Value::take))
    }
}

fn read(request: &[u8]) -> Result<Value, NotARequest> {
    let request: Value = serde_json::from_slice(request).map_err(|error| NotARequest(error.to_string()))?;
    if request.is_object() { Ok(request) } else { Err(NotARequest("another value".to_string())) }
}

/// The JSON that a request asks for.
struct Wanted<'a> {
    root: Root,
    schema: Option<Cow<'a, Value>>,
}

fn wanted(request: &Value) -> Option<Wanted<'_>> {
    let formats = [
        &request["response_format"],
        &request["text"]["format"],
        &request["output_config"]["format"],
        &request["output_format"],
    ];
    let guided = [&request["json_schema"], &request["guided_json"], &request["structured_outputs"]["json"]];
    let wanted = formats.into_iter().find_map(openai).or_else(|| gemini(config(request)));
    wanted.or_else(|| ollama(&request["format"])).or_else(|| guided.into_iter().find_map(alone))
}

fn config(request: &Value) -> &Value {
    either(request, "generationConfig", "generation_config")
}

/// A member under one of two spellings.
fn either<'a>(value: &'a Value, camel: &str, snake: &str) -> &'a Value {
    if value[camel].is_null() { &value[snake] } else { &value[camel] }
}

/// `{"type": "json_object"}`, or `json_schema` with the schema here or one member further in.
fn openai(format: &Value) -> Option<Wanted<'_>> {
    let here = if format["schema"].is_null() { &format["value"] } else { &format["schema"] };
    let (further, member) = (&format["json_schema"]["schema"], &format["json_schema"]);
    let root = [here, further, member].into_iter().find_map(root_of);
    let kind = format["type"].as_str()?;
    let root = match kind {
        "json_object" => root.unwrap_or(Root::Object),
        "json_schema" | "json" => root.unwrap_or(Root::Any),
        _ => return None,
    };
    // Beside `json_object` the member is the schema; beside `json_schema` it has a name, and the schema in it.
    let member = if kind == "json_object" && further.is_null() { member } else { &Value::Null };
    let schema = [here, further, member].into_iter().find(|schema| !schema.is_null());
    Some(Wanted { root, schema: schema.map(Cow::Borrowed) })
}

fn gemini(config: &Value) -> Option<Wanted<'_>> {
    let kind = either(config, "responseMimeType", "response_mime_type").as_str()?;
    let openapi = either(config, "responseSchema", "response_schema");
    let schema = either(config, "responseJsonSchema", "response_json_schema");
    let root = [openapi, schema].into_iter().find_map(root_of).unwrap_or(Root::Any);
    let schema = (!schema.is_null()).then_some(Cow::Borrowed(schema));
    (kind == "application/json").then_some(Wanted { root, schema })
}

fn ollama(format: &Value) -> Option<Wanted<'_>> {
    match format {
        Value::String(word) if word == "json" => Some(Wanted { root: Root::Any, schema: None }),
        Value::Object(_) => alone(format),
        _ => None,
    }
}

/// A schema as the member itself; where the member is a string, as its JSON text.
fn alone(member: &Value) -> Option<Wanted<'_>> {
    let schema = match member {
        Value::String(text) => Cow::Owned(serde_json::from_str(text).ok()?),
        schema => Cow::Borrowed(schema),
    };
    root_of(&schema).map(|root| Wanted { root, schema: Some(schema) })
}

/// The kind of root that a schema asks for.
fn root_of(schema: &Value) -> Option<Root> {
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
            (r#"{"guided_json": "{\"type\": \"array\"}"}"#, Some(Root::Array)),
            (r#"{"guided_json": "no JSON"}"#, None),
            (r#"{"structured_outputs": {"json": {"type": "object"}}}"#, Some(Root::Object)),
            (r#"{"structured_outputs": {"regex": "a+"}}"#, None),
        ] {
            assert_eq!(Asked::of_request(request.as_bytes()).map(|asked| asked.text), Ok(text), "{request}");
        }
    }

    #[test]
    fn the_schema_is_the_one_that_was_sent() {
        for (request, has_schema) in [
            (
                r#"{"response_format": {"type": "json_schema", "json_schema": {"name": "a", "strict": true, "schema": SCHEMA}}}"#,
                true,
            ),
            (r#"{"response_format": {"type": "json_schema", "json_schema": {"name": "a", "strict": true}}}"#, false),
            (r#"{"response_format": {"type": "json_schema", "schema": SCHEMA}}"#, true),
            (r#"{"response_format": {"type": "json_object", "schema": SCHEMA}}"#, true),
            (r#"{"response_format": {"type": "json_object", "json_schema": SCHEMA}}"#, true),
            (r#"{"response_format": {"type": "json_object", "value": SCHEMA}}"#, true),
            (r#"{"response_format": {"type": "json", "value": SCHEMA}}"#, true),
            (r#"{"response_format": {"type": "regex", "value": "a+"}}"#, false),
            (r#"{"response_format": {"type": "json_object"}}"#, false),
            (r#"{"response_format": {"type": "text", "schema": SCHEMA}}"#, false),
            (r#"{"text": {"format": {"type": "json_schema", "name": "a", "schema": SCHEMA}}}"#, true),
            (r#"{"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}"#, true),
            (r#"{"output_format": {"type": "json_schema", "schema": SCHEMA}}"#, true),
            (r#"{"generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}}"#, true),
            (
                r#"{"generation_config": {"response_mime_type": "application/json", "response_json_schema": SCHEMA}}"#,
                true,
            ),
            (r#"{"generationConfig": {"responseMimeType": "application/json", "responseSchema": SCHEMA}}"#, false),
            (r#"{"generationConfig": {"responseMimeType": "text/x.enum", "responseJsonSchema": SCHEMA}}"#, false),
            (r#"{"format": SCHEMA}"#, true),
            (r#"{"format": "json"}"#, false),
            (r#"{"json_schema": SCHEMA}"#, true),
            (r#"{"guided_json": SCHEMA}"#, true),
            (r#"{"guided_json": TEXT}"#, true),
            (r#"{"structured_outputs": {"json": SCHEMA}}"#, true),
            (r#"{"structured_outputs": {"json": TEXT}}"#, true),
            (r#"{"tools": [{"type": "function", "function": {"name": "a", "parameters": SCHEMA}}]}"#, false),
        ] {
            let schema = r#"{"type": "object", "properties": {"type": {"enum": ["a", 1.50]}}, "required": ["type"]}"#;
            let text = Value::from(schema).to_string();
            let request = request.replace("SCHEMA", schema).replace("TEXT", &text);
            let wanted = has_schema.then(|| serde_json::from_str(schema).expect("JSON"));
            assert_eq!(Asked::schema_of(request.as_bytes()), Ok(wanted), "{request}");
            let asked = Asked::of_request(request.as_bytes()).expect("a request");
            assert!(!has_schema || asked.text == Some(Root::Object), "what is to follow a schema is JSON: {request}");
        }
        let boolean = r#"{"response_format": {"type": "json_schema", "json_schema": {"schema": false}}}"#;
        assert_eq!(Asked::schema_of(boolean.as_bytes()), Ok(Some(Value::Bool(false))));
        assert!(Asked::schema_of(b"[]").is_err() && Asked::schema_of(b"{").is_err());
    }

    #[test]
    fn the_tools_are_those_that_were_sent() {
        for (request, has_tools) in [
            (r#"{"tools": LIST}"#, true),
            (r#"{"functions": LIST}"#, true),
            (r#"{"toolConfig": {"tools": LIST, "toolChoice": {"auto": {}}}}"#, true),
            (r#"{"tool_config": {"tools": LIST}}"#, true),
            (r#"{"tools": [], "functions": LIST}"#, true),
            (r#"{"tools": null, "toolConfig": {"tools": LIST}}"#, true),
            (r#"{"tools": []}"#, false),
            (r#"{"tools": {"name": "a"}}"#, false),
            (r#"{"tools": "a"}"#, false),
            (r#"{"toolConfig": []}"#, false),
            (r#"{"messages": [{"tools": LIST}]}"#, false),
            (r#"{}"#, false),
        ] {
            let list = r#"[{"functionDeclarations": [{"name": "a", "parameters": {"maximum": 1.50}}]}, {"type": "b"}]"#;
            let tools = has_tools.then(|| serde_json::from_str(list).expect("JSON"));
            assert_eq!(Asked::tools_of(request.replace("LIST", list).as_bytes()), Ok(tools), "{request}");
        }
        assert!(Asked::tools_of(b"[]").is_err() && Asked::tools_of(b"{").is_err());
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
