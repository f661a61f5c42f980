//! Where a schema comes from: a file that a flag names, a line of a batch, a recorded request.
//!
//! A file that a flag names is configuration and trusted. What came with a request is not: patterns that could be matched in more
//! than linear time are refused, and the limits are closer.

use std::path::PathBuf;

use thusfar_contract::{Contract, SchemaError, SchemaErrorKind, SchemaLimits, SchemaOptions};
use thusfar_stream::Asked;

use crate::input::{self, Input, Trouble};
use crate::terminal;

/// Characters of an error on either side of what is left out: what a schema holds may stand in its middle.
const SIDE: usize = 200;

/// The schema of a file. `input` is where the replies come from.
pub(crate) fn of_file(path: &PathBuf, input: Option<&PathBuf>) -> Result<Contract, Trouble> {
    // One byte more than is allowed shows that it is too long.
    let (bytes, name) = input::configuration("--schema", path, input, SchemaLimits::TRUSTED.len + 1)?;
    compile(&bytes).map_err(|why| Trouble::Unusable(name, why))
}

/// The schema of an input of its own.
pub(crate) fn of_input(mut input: Input) -> Result<Contract, Trouble> {
    let bytes = input.read_whole(SchemaLimits::TRUSTED.len + 1)?;
    compile(&bytes).map_err(|why| Trouble::Unusable(input.name, why))
}

fn compile(bytes: &[u8]) -> Result<Contract, String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let options = SchemaOptions::trusted();
    if bytes.len() > SchemaLimits::TRUSTED.len {
        let (most, code) = (SchemaLimits::TRUSTED.len, SchemaErrorKind::Limit.as_str());
        return Err(format!("longer than {most} bytes [{code}]"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        format!("not UTF-8 from byte {} on [{}]", error.valid_up_to() + 1, SchemaErrorKind::NotJson.as_str())
    })?;
    Contract::with_options(text, &options).map_err(|error| told(&error))
}

/// The schema that a recorded request asks for.
pub(crate) fn of_request(request: &[u8], name: &str) -> Result<Option<Contract>, Trouble> {
    let schema = Asked::schema_of(request).map_err(|error| Trouble::Unusable(name.to_owned(), error.to_string()))?;
    let Some(schema) = schema else { return Ok(None) };
    Contract::from_value(&schema, &SchemaOptions::untrusted()).map(Some).map_err(|error| {
        let why = format!("the schema that it asks for: {} (--schema gives another one)", told(&error));
        Trouble::Unusable(name.to_owned(), why)
    })
}

fn told(error: &SchemaError) -> String {
    terminal::on_one_line(&terminal::shortened(&error.to_string(), SIDE), usize::MAX)
}

/// The schemas of a batch: the one that a flag gave, and the one of the line before, since many lines have the same.
#[derive(Default)]
pub(crate) struct Schemas {
    given: Option<Contract>,
    last: Option<(String, Result<Contract, SchemaError>)>,
}

impl Schemas {
    pub(crate) fn new(given: Option<Contract>) -> Self {
        Self { given, last: None }
    }

    /// The one that a flag gave.
    pub(crate) fn given(&self) -> Option<&Contract> {
        self.given.as_ref()
    }

    /// The schema of a line that brings this one.
    pub(crate) fn of_line(&mut self, text: &str) -> Result<Option<&Contract>, SchemaError> {
        if self.last.as_ref().is_none_or(|(last, _)| last != text) {
            let compiled = Contract::with_options(text, &SchemaOptions::untrusted());
            // Of one that is too long there is nothing to keep.
            let kept = if text.len() <= SchemaLimits::UNTRUSTED.len { text } else { "" };
            self.last = Some((kept.to_owned(), compiled));
        }
        match &self.last {
            Some((_, Ok(contract))) => Ok(Some(contract)),
            Some((_, Err(error))) => Err(error.clone()),
            None => Ok(None),
        }
    }
}
