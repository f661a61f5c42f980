//! Asks `llm_json` line by line: a request in, `{"value": …}` or `{"error": "…"}` out, each at once.

use std::io::{self, BufRead, Write};

use llm_json::RepairOptions;
use serde_json::Value;

fn main() -> io::Result<()> {
    // With the word `unicode`, characters above ASCII are left as they are.
    let ensure_ascii = std::env::args().nth(1).as_deref() != Some("unicode");
    let options = RepairOptions { ensure_ascii, ..RepairOptions::default() };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let text = request["text"].as_str().unwrap_or_default();
        // The repaired text itself, not the value: it keeps the digits that the library kept.
        match llm_json::repair_json(text, &options) {
            Ok(document) => writeln!(out, r#"{{"value":{document}}}"#)?,
            Err(error) => writeln!(out, r#"{{"error":{}}}"#, Value::String(error.to_string()))?,
        }
        out.flush()?;
    }
    Ok(())
}
