//! `thusfar schema`: a JSON Schema in; for each of its keywords when it is told that a reply breaks it, out.

use std::fmt::Write as _;

use serde::Serialize;
use thusfar_contract::{Contract, Coverage, Covered, Draft};

use crate::Exit;
use crate::args::SchemaArgs;
use crate::input::{Input, Trouble};
use crate::report::push_json;
use crate::schema;
use crate::terminal::{self, Output};

/// Compiles a schema and prints what of it is told when.
pub(crate) fn run(args: &SchemaArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let contract = schema::of_input(Input::open(args.file.as_ref())?)?;
    let coverage = contract.coverage();
    let printed = if args.json { json(&contract, &coverage) } else { lines(&coverage) };
    output.text(&printed).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    if !args.json {
        terminal::tell(&total(&contract, &coverage));
    }
    Ok(Exit::Ok)
}

/// A keyword a line: when, where it stands, and why not earlier.
fn lines(coverage: &Coverage) -> String {
    let mut lines = String::new();
    for covered in coverage.keywords() {
        let place = match covered.pointer.as_str() {
            "" => covered.keyword.to_owned(),
            pointer => terminal::on_one_line(pointer, usize::MAX),
        };
        let why = covered.why.map(|why| format!("  ({why})")).unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = writeln!(lines, "{:<8}  {place}{why}", covered.when.as_str());
    }
    lines
}

fn total(contract: &Contract, coverage: &Coverage) -> String {
    let count = coverage.keywords().len();
    let keywords = if count == 1 { "keyword" } else { "keywords" };
    let draft = draft(contract).map(|draft| format!(" of draft {draft}")).unwrap_or_default();
    let more = if coverage.is_complete() { "" } else { "; there are more" };
    format!("{count} {keywords}{draft}: {}{more}\n", coverage.counts())
}

/// The name of the draft.
fn draft(contract: &Contract) -> Option<&'static str> {
    let draft = contract.draft()?;
    Draft::ALL.iter().find(|(known, _)| *known == draft).map(|(_, name)| *name)
}

#[derive(Serialize)]
struct Report<'a> {
    draft: Option<&'static str>,
    coverage: Vec<Note<'a>>,
    early: usize,
    at_close: usize,
    r#final: usize,
    /// Not all keywords are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_keywords: bool,
}

#[derive(Serialize)]
struct Note<'a> {
    pointer: &'a str,
    keyword: &'static str,
    when: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

fn note(covered: &Covered) -> Note<'_> {
    Note { pointer: &covered.pointer, keyword: covered.keyword, when: covered.when.as_str(), why: covered.why }
}

fn json(contract: &Contract, coverage: &Coverage) -> String {
    let counts = coverage.counts();
    let report = Report {
        draft: draft(contract),
        coverage: coverage.keywords().iter().map(note).collect(),
        early: counts.early,
        at_close: counts.at_close,
        r#final: counts.at_the_end,
        more_keywords: !coverage.is_complete(),
    };
    let mut line = String::new();
    push_json(&mut line, &report);
    line.push('\n');
    line
}
