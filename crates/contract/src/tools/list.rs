//! The lists of tools that providers know, told apart by their shape.

use std::fmt;

use serde_json::Value;

use crate::schema::SchemaError;
use crate::shown::quoted;

/// Bytes of the longest name that is read.
pub(super) const LONGEST_NAME: usize = 256;
/// Characters of a name that an error quotes.
const QUOTED: usize = 60;

/// A tool as it is listed.
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) schema: Option<Value>,
    /// It has required parameters, in a dialect of schemas that is not read.
    pub(super) requires: bool,
}

/// Why a list of tools cannot be used. It is the fault of whoever wrote it, never of a model.
#[derive(Clone, Debug)]
pub struct ToolsError {
    message: String,
    schema: Option<SchemaError>,
}

impl ToolsError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), schema: None }
    }

    pub(super) fn of_schema(name: &str, error: SchemaError) -> Self {
        Self { message: format!("the schema of tool {}", quoted(name, QUOTED)), schema: Some(error) }
    }

    pub(super) fn twice(name: &str) -> Self {
        Self::new(format!("two tools are named {}", quoted(name, QUOTED)))
    }

    /// What is wrong with a schema, if it is that.
    #[must_use]
    pub const fn schema(&self) -> Option<&SchemaError> {
        self.schema.as_ref()
    }
}

impl fmt::Display for ToolsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(error) => write!(formatter, "{}: {error}", self.message),
            None => formatter.write_str(&self.message),
        }
    }
}

impl std::error::Error for ToolsError {}

/// Reads a list.
pub(super) fn read(json: &str) -> Result<Vec<Listed>, ToolsError> {
    let list: Value = serde_json::from_str(json).map_err(|error| ToolsError::new(format!("not JSON: {error}")))?;
    let items =
        items(&list).ok_or_else(|| ToolsError::new("expected an array of tools, or an object that has `tools`"))?;
    let mut tools = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        match item.get("functionDeclarations").or_else(|| item.get("function_declarations")) {
            Some(Value::Array(declarations)) => {
                for (inner, item) in declarations.iter().enumerate() {
                    push(item, declared(item), &format!("{at}, declaration {inner}"), &mut tools)?;
                }
            }
            _ => push(item, listed(item), &at.to_string(), &mut tools)?,
        }
    }
    Ok(tools)
}

fn items(list: &Value) -> Option<&Vec<Value>> {
    let wrapped = [&list["tools"], &list["functions"], &list["toolConfig"]["tools"], &list["result"]["tools"]];
    list.as_array().or_else(|| wrapped.into_iter().find_map(Value::as_array))
}

fn push(item: &Value, listed: Option<Listed>, at: &str, tools: &mut Vec<Listed>) -> Result<(), ToolsError> {
    let Some(listed) = listed else {
        // A tool that the provider runs has a type, and what the provider wants to know.
        if item.get("type").is_some_and(|kind| kind.is_string() && kind != "function") || is_built_in(item) {
            return Ok(());
        }
        return Err(ToolsError::new(format!("tool {at} has no name")));
    };
    if listed.name.is_empty() || listed.name.len() > LONGEST_NAME {
        return Err(ToolsError::new(format!("tool {at} has an empty name, or one longer than {LONGEST_NAME} bytes")));
    }
    tools.push(listed);
    Ok(())
}

/// Gemini's own tools are one member that says which.
fn is_built_in(item: &Value) -> bool {
    let is_part =
        |key: &String| ["function", "toolSpec", "parameters", "input_schema", "inputSchema"].contains(&key.as_str());
    let one = item.as_object().filter(|members| members.len() == 1);
    one.is_some_and(|members| members.values().all(Value::is_object) && !members.keys().any(is_part))
}

fn listed(item: &Value) -> Option<Listed> {
    if let Value::String(name) = item {
        return Some(Listed { name: name.clone(), schema: None, requires: false });
    }
    let tool = [&item["function"], &item["toolSpec"]].into_iter().find(|tool| tool.is_object()).unwrap_or(item);
    let name = tool["name"].as_str()?.to_owned();
    let bedrock = &tool["inputSchema"]["json"];
    let schemas = [bedrock, &tool["parameters"], &tool["input_schema"], &tool["inputSchema"]];
    // Anthropic's own tools have a name, a type with a date, and no schema.
    let schema = schemas.into_iter().find(|schema| schema.is_object() || schema.is_boolean());
    Some(Listed { name, schema: schema.cloned(), requires: false })
}

/// A declaration of Gemini's. Its `parameters` are OpenAPI's dialect, which is no JSON Schema: types in upper case, `nullable`.
fn declared(item: &Value) -> Option<Listed> {
    let name = item["name"].as_str()?.to_owned();
    let schemas = [&item["parametersJsonSchema"], &item["parameters_json_schema"]];
    let schema = schemas.into_iter().find(|schema| schema.is_object() || schema.is_boolean()).cloned();
    let required = item["parameters"]["required"].as_array();
    let requires = schema.is_none() && required.is_some_and(|names| !names.is_empty());
    Some(Listed { name, schema, requires })
}
