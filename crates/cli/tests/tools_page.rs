//! The table of `DESIGN.md` on tool calls, run through `thusfar batch`.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::run;
use thusfar_contract::{CallCode, Dialect};

/// A row: the reply, what it comes to, the calls.
fn rows() -> Vec<(String, String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DESIGN.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, table) = page.split_once("| reply | it comes to | calls | why |\n|---|---|---|---|\n").expect("the table");
    table.lines().take_while(|line| line.starts_with('|')).map(row).collect()
}

fn row(line: &str) -> (String, String, String) {
    let cells: Vec<_> = line.split('|').map(str::trim).collect();
    let ["", reply, outcome, calls, _, ""] = cells[..] else { panic!("four cells: {line}") };
    let marks = if reply.starts_with("```` ") { "````" } else { "`" };
    let reply = reply.strip_prefix(marks).and_then(|reply| reply.strip_suffix(marks)).expect("code");
    (reply.trim().replace('⏎', "\n"), outcome.replace('`', ""), calls.to_owned())
}

/// The calls of a report as the table writes them.
fn calls(report: &Value) -> String {
    let mut calls = String::new();
    for call in report["calls"].as_array().expect("a list") {
        let space = if calls.is_empty() { "" } else { " " };
        let name = call["name"].as_str().expect("a name");
        // The table writes JSON with spaces.
        let arguments = call["arguments"].to_string().replace(':', ": ").replace(",\"", ", \"");
        write!(calls, "{space}`{name} {arguments}`").expect("a string");
    }
    calls
}

#[test]
fn each_reply_of_the_page_comes_to_what_it_says() {
    let tools = json!([
        {"name": "weather", "input_schema": {
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}},
        {"name": "now"}
    ]);
    let rows = rows();
    assert!(rows.len() > 20, "the table is read");
    let whole = |(text, _, _): &(String, String, String)| json!({"text": text, "tools": tools, "ending": "stop"});
    let cut = |(text, _, _): &(String, String, String)| {
        let pieces: Vec<_> = text.chars().map(String::from).collect();
        json!({"chunks": pieces, "tools": tools, "ending": "stop"})
    };
    let lines: Vec<_> = rows.iter().map(whole).chain(rows.iter().map(cut)).map(|line| line.to_string()).collect();
    let told = run(&["batch"], lines.join("\n"));
    let reports: Vec<Value> = told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), 2 * rows.len(), "{}", told.stderr);
    for ((text, outcome, wanted), report) in rows.iter().chain(&rows).zip(&reports) {
        let code = report.get("failure").map_or(&report["outcome"], |failure| &failure["code"]);
        assert_eq!((code, &calls(report)), (&json!(outcome), wanted), "{text}");
    }
}

#[test]
fn the_page_has_every_code_and_every_dialect() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DESIGN.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, section) = page.split_once("### Tool calls\n").expect("the section");
    let (section, _) = section.split_once("\n### ").expect("its end");
    for code in CallCode::ALL {
        let row = format!("| `{}` | ", code.outcome().as_str());
        let row = section.lines().find(|line| line.starts_with(&row)).expect("a row for each outcome");
        assert!(row.contains(&format!("`{}`", code.as_str())), "{}", code.as_str());
    }
    for dialect in Dialect::ALL {
        assert!(section.contains(&format!("`{}`", dialect.as_str())), "{}", dialect.as_str());
    }
}
