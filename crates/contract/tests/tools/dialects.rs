//! Calls as each dialect writes them.

use serde_json::{Map, Value};
use thusfar_contract::Dialect;

/// A call that a model means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meant {
    pub(crate) name: &'static str,
    pub(crate) arguments: Map<String, Value>,
}

/// The tools that it may mean: parameters of every type.
pub(crate) const TOOLS: &str = r#"[
    {"name": "weather", "input_schema": {"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "metric": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}}, "near": {"type": "object"}
    }, "required": ["city"], "additionalProperties": false}},
    {"name": "run-it", "input_schema": {"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "metric": {"type": "boolean"},
        "tags": {"type": "array"}, "near": {"type": "object"}
    }, "required": ["city"]}},
    {"name": "functions.x_1", "input_schema": {"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "number"}, "metric": {"type": "boolean"},
        "tags": {"type": "array"}, "near": {"type": "object"}
    }, "required": ["city"]}}
]"#;

/// Their names.
pub(crate) const NAMES: [&str; 3] = ["weather", "run-it", "functions.x_1"];

/// A way of writing calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) dialect: Dialect,
    /// Which of the forms of the dialect.
    pub(crate) form: &'static str,
    /// Whether several calls can be written behind each other, with words between.
    pub(crate) is_repeatable: bool,
    /// Whether strings stand in it as they are, so that tags in them would be tags.
    pub(crate) is_raw: bool,
    write: fn(&Meant) -> String,
}

impl Style {
    /// The call as text.
    pub(crate) fn write(&self, meant: &Meant) -> String {
        (self.write)(meant)
    }
}

macro_rules! styles {
    ($($dialect:ident $form:literal $repeats:literal $raw:literal $write:expr;)*) => {
        /// Every form of every dialect.
        pub(crate) const STYLES: &[Style] = &[$(Style {
            dialect: Dialect::$dialect, form: $form, is_repeatable: $repeats, is_raw: $raw, write: $write,
        },)*];
    };
}

styles! {
    Json "bare" false false |call| format!("{{\"name\": \"{}\", \"arguments\": {}}}", call.name, call.json());
    Json "action" false false |call| format!("{{\"action\":\"{}\",\"action_input\":{}}}", call.name, call.json());
    Json "string" false false |call| format!("{{\"tool\": \"{}\", \"args\": {}}}", call.name, Value::from(call.json()));
    Json "fenced" false false |call| format!("```json\n{{\"name\": \"{}\", \"arguments\": {}}}\n```", call.name, call.json());
    Json "pretty" false false |call| format!("{{\n  \"name\": \"{}\",\n  \"input\": {:#}\n}}", call.name, Value::from(call.arguments.clone()));
    Llama "bare" false false |call| format!("{{\"name\": \"{}\", \"parameters\": {}}}", call.name, call.json());
    OpenAi "list" false false |call| format!(
        "{{\"tool_calls\": [{{\"id\": \"c1\", \"type\": \"function\", \"function\": {{\"name\": \"{}\", \"arguments\": {}}}}}]}}",
        call.name, Value::from(call.json()));
    Key "bare" false false |call| format!("{{\"{}\": {}}}", call.name, call.json());
    Hermes "tags" true false |call| format!("<tool_call>\n{{\"name\": \"{}\", \"arguments\": {}}}\n</tool_call>", call.name, call.json());
    Qwen "bare" true true |call| format!("<function={}>\n{}</function>", call.name,
        call.fields(|key, _| format!("<parameter={key}>\n"), "\n</parameter>\n"));
    Qwen "tool_call" true true |call| format!("<tool_call>\n<function={}>\n{}</function>\n</tool_call>", call.name,
        call.fields(|key, _| format!("<parameter={key}>\n"), "\n</parameter>\n"));
    Function "json" true false |call| format!("<function={}>{}</function>", call.name, call.json());
    Function "named" true false |call| format!("<tool_call>\n<function>{}</function>\n{}\n</tool_call>", call.name, call.json());
    Invoke "bare" true true |call| format!("<invoke name=\"{}\">{}</invoke>", call.name,
        call.fields(|key, _| format!("<parameter name=\"{key}\">"), "</parameter>"));
    Invoke "wrapped" true true |call| format!("<a:function_calls>\n<a:invoke name=\"{}\">\n{}</a:invoke>\n</a:function_calls>", call.name,
        call.fields(|key, _| format!("<a:parameter name=\"{key}\">"), "</a:parameter>\n"));
    Dsml "wrapped" true true |call| format!("<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"{}\">\n{}</｜DSML｜invoke>\n</｜DSML｜tool_calls>", call.name,
        call.fields(|key, value| format!("<｜DSML｜parameter name=\"{key}\" string=\"{}\">", value.is_string()), "</｜DSML｜parameter>\n"));
    Glm "tags" true true |call| format!("<tool_call>{}\n{}</tool_call>", call.name,
        call.fields(|key, _| format!("<arg_key>{key}</arg_key>\n<arg_value>"), "</arg_value>\n"));
    Mistral "list" true false |call| format!("[TOOL_CALLS] [{{\"name\": \"{}\", \"arguments\": {}}}]", call.name, call.json());
    Mistral "name" true false |call| format!("[TOOL_CALLS]{}{}", call.name, call.json());
    Mistral "args" true false |call| format!("[TOOL_CALLS]{}[CALL_ID]abc123XYZ[ARGS]{}", call.name, call.json());
    Llama "tag" true false |call| format!("<|python_tag|>{{\"name\": \"{}\", \"parameters\": {}}}", call.name, call.json());
    Harmony "channel" true false |call| format!(
        "<|start|>assistant<|channel|>commentary to=functions.{} <|constrain|>json<|message|>{}<|call|>", call.name, call.json());
    Harmony "role" true false |call| format!(
        "<|start|>assistant to=functions.{}<|channel|>commentary json<|message|>{}<|call|>", call.name, call.json());
    React "line" true false |call| format!("Action: {}\nAction Input: {}", call.name, call.json());
    React "fenced" true false |call| format!("Action: {}\nAction Input:\n```json\n{:#}\n```", call.name, Value::from(call.arguments.clone()));
    Gemma "four" true true |call| format!("<|tool_call>call:{}{}<tool_call|>", call.name, gemma(&Value::from(call.arguments.clone())));
}

/// A value as Gemma writes it.
fn gemma(value: &Value) -> String {
    match value {
        Value::String(text) => format!("<|\"|>{text}<|\"|>"),
        Value::Array(items) => format!("[{}]", items.iter().map(gemma).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{key}:{}", gemma(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

impl Meant {
    pub(crate) fn json(&self) -> String {
        Value::from(self.arguments.clone()).to_string()
    }

    /// Parameters, each between an opening and a closing tag.
    pub(crate) fn fields(&self, open: impl Fn(&str, &Value) -> String, close: &str) -> String {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.arguments.iter().map(|(key, value)| format!("{}{}{close}", open(key, value), text(value))).collect()
    }
}
