//! Where tools come from: a file that a flag names, a line of a batch, a recorded request.
//!
//! As with schemas, a file that a flag names is trusted, and what came with a request is not.

use std::path::PathBuf;

use serde_json::json;
use thusfar_contract::{SchemaOptions, Tools, ToolsError};
use thusfar_stream::Asked;

use crate::input::{self, Trouble};
use crate::kept::{self, Kept};
use crate::terminal;

/// Bytes of the longest list that a flag may name: a request that holds one is long.
const LONGEST: usize = 64 << 20;
/// Characters of an error on either side of what is left out: what a list holds may stand in its middle.
const SIDE: usize = 200;

/// The tools of a file. `input` is where the replies come from.
pub(crate) fn of_file(path: &PathBuf, input: Option<&PathBuf>) -> Result<Tools, Trouble> {
    // One byte more than is allowed shows that it is too long.
    let (bytes, name) = input::configuration("--tools", path, input, LONGEST + 1)?;
    read(&bytes).map_err(|why| Trouble::Unusable(name, why))
}

fn read(bytes: &[u8]) -> Result<Tools, String> {
    if bytes.len() > LONGEST {
        return Err(format!("longer than {LONGEST} bytes"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text =
        std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8 from byte {} on", error.valid_up_to() + 1))?;
    Tools::with_options(text, &SchemaOptions::trusted()).map_err(|error| told(&error))
}

/// The tools that a recorded request offers.
pub(crate) fn of_request(request: &[u8], name: &str) -> Result<Option<Tools>, Trouble> {
    let tools = Asked::tools_of(request).map_err(|error| Trouble::Unusable(name.to_owned(), error.to_string()))?;
    let Some(tools) = tools else { return Ok(None) };
    asked(&tools.to_string()).map(Some).map_err(|why| {
        let why = format!("the tools that it offers: {why} (--tools gives others)");
        Trouble::Unusable(name.to_owned(), why)
    })
}

/// A list that came with a request.
fn asked(text: &str) -> Result<Tools, String> {
    if text.len() > kept::LONGEST {
        return Err(format!("longer than {} bytes", kept::LONGEST));
    }
    Tools::with_options(text, &SchemaOptions::untrusted()).map_err(|error| told(&error))
}

fn told(error: &ToolsError) -> String {
    terminal::on_one_line(&terminal::shortened(&error.to_string(), SIDE), usize::MAX)
}

/// The lists of a batch.
pub(crate) fn offers(given: Option<Tools>) -> Kept<Tools> {
    Kept::new(given, asked)
}

/// A tool of which nothing is known but its name.
pub(crate) fn alone(name: &str) -> Result<Tools, String> {
    asked(&json!([name]).to_string())
}
