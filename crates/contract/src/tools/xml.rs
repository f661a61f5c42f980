//! Parameters as text between tags: what JSON they are.
//!
//! # Theory
//!
//! A parameter's text is a string, unless its declared schema allows no string; then it is the JSON value that it reads as. Nothing
//! else is tried: a text that is no JSON stays a string, and the schema says what is wrong with it. Where the schema allows a string
//! and something else too, and the text reads as that, there are two readings.

use std::collections::HashMap;

use serde_json::Value;
use thusfar_core::{Document, Expect, Take, read};

use super::Tool;
use super::call::CallCode;
use super::input::{Field, FieldType, Wrong};
use super::judge::{Standing, token};
use crate::contract::Contract;
use crate::schema::{FieldTypes, Types};

/// The object that these parameters are.
pub(super) fn object(tool: &Tool, text: &str, fields: &[Field]) -> Result<(Document, Standing), Box<Wrong>> {
    let mut json = String::from("{");
    let mut standing: Vec<(String, usize)> = Vec::with_capacity(fields.len());
    let mut types = tool.contract.as_ref().map(Contract::field_types);
    let mut seen: HashMap<&str, &str> = HashMap::with_capacity(fields.len());
    for field in fields {
        let path = format!("/{}", token(&field.name));
        let again = &text[field.text.range()];
        if let Some(&before) = seen.get(field.name.as_str()) {
            if before == again {
                continue;
            }
            let candidates = [before, again].map(|text| Value::from(text).to_string()).to_vec();
            let wrong = Wrong::new(CallCode::RepeatedParameter, field.text.start).at(path);
            return Err(Box::new(Wrong { candidates, ..wrong }));
        }
        seen.insert(&field.name, again);
        let value = value(types.as_mut(), text, field).map_err(|wrong| Box::new(wrong.at(path)))?;
        json.push_str(if json.len() > 1 { ", " } else { "" });
        json.push_str(&Value::from(field.name.as_str()).to_string());
        json.push_str(": ");
        json.push_str(&value);
        standing.push((token(&field.name), field.text.start));
    }
    json.push('}');
    let start = fields.first().map_or(0, |field| field.text.start);
    let document = read(&json, Expect::object().take(Take::Alone));
    let document = document.map_err(|failure| Box::new(Wrong::new(CallCode::Json(failure.code()), start)))?;
    Ok((document, Standing::Fields(standing)))
}

/// The JSON text of a parameter.
fn value(types: Option<&mut FieldTypes<'_>>, text: &str, field: &Field) -> Result<String, Box<Wrong>> {
    let written = &text[field.text.range()];
    let string = || Value::from(written).to_string();
    match field.says {
        FieldType::Text => Ok(string()),
        FieldType::Json => {
            json(written).ok_or_else(|| Box::new(Wrong::new(CallCode::ParameterNotJson, field.text.start)))
        }
        FieldType::Declared => {
            let types = types.map_or(Types::ALL, |types| types.of(&field.name));
            if types == Types::ALL {
                return Ok(string());
            }
            let other = json(written).filter(|json| types.allows_text(json));
            match (types.allows_strings(), other) {
                (true, Some(other)) => {
                    let wrong = Wrong::new(CallCode::TwoTypes, field.text.start);
                    Err(Box::new(Wrong { candidates: vec![string(), other], ..wrong }))
                }
                (true, None) => Ok(string()),
                // It reads as JSON of some type: then the schema names the type that it is.
                (false, other) => Ok(other.or_else(|| json(written)).unwrap_or_else(string)),
            }
        }
    }
}

/// A text as the one JSON value that it is, with nothing but white space around: no fence, no words. As it is written: what is repaired in
/// it is repaired, and told, where all parameters are read as one object.
fn json(text: &str) -> Option<String> {
    let document = read(text, Expect::value().take(Take::Alone)).ok()?;
    (text[document.span().range()] == *text.trim()).then(|| text.trim().to_owned())
}
