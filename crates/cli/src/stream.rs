//! `thusfar stream`: the body of a streaming completion in, its lanes out, and what became of them.
//!
//! The lanes are printed as they grow; or, with `--json`, one line is printed at the end. What a person should know goes to
//! standard error.

pub(crate) mod line; // the line of JSON
pub(crate) mod live; // the lanes as they grow

use std::io::{self, IsTerminal as _};

use thusfar_contract::{Check, Contract};
use thusfar_core::{Ending, Expect, FailureKind, Root};
use thusfar_stream::{Asked, Lane, LaneKind, Outcome, Session, SessionOptions, StreamOutcome, Summary};

use crate::Exit;
use crate::args::StreamArgs;
use crate::input::{Input, Trouble};
use crate::notes;
use crate::schema;
use crate::terminal::{self, Output, Palette};
use live::{Live, Status};

/// The longest request that is read, in bytes.
const LONGEST_REQUEST: usize = 64 << 20;

/// Reads a completion and prints what becomes of it.
pub(crate) fn run(args: &StreamArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let Asking { options, contract, is_text_judged } = asking(args)?;
    let mut input = Input::open(args.file.as_ref())?;
    let mut session = Session::new(&options);
    let status = Status::new(!args.json && io::stderr().is_terminal());
    let mut live = Live::default();
    loop {
        let advice = input.next_chunk(|chunk| {
            session.push(chunk, &mut |event| {
                if !args.json {
                    live.take(&event);
                }
            })
        })?;
        let Some(advice) = advice else { break };
        status.show(&session);
        status.around(|| output.text(&live.text).and_then(|()| output.flush())).map_err(Trouble::Write)?;
        live.text.clear();
        if let (true, thusfar_stream::Advice::Cancel(reason)) = (args.cancel, advice) {
            session.cancel(reason);
            break;
        }
    }
    let summary = session.finish(Ending::Unknown, &mut |event| {
        if !args.json {
            live.take(&event);
        }
    });
    status.clear();
    let checks: Vec<_> = summary.lanes().map(|lane| check(lane, contract.as_ref())).collect();
    if args.json {
        live.text = line::of(&summary, &checks);
    } else {
        live.end();
    }
    output.text(&live.text).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    let silent = if is_text_judged { silent(&summary) } else { Vec::new() };
    if !args.json {
        terminal::tell(&(notes_on_silence(&silent, &input.name) + &notes_on(&summary, &checks, &input.name, |_| true)));
    }
    let is_ok = |lane: Lane<'_>| lane.outcome().is_none_or(Outcome::is_ok);
    let is_valid = checks.iter().flatten().all(Check::is_valid);
    let is_good =
        summary.outcome() == StreamOutcome::Complete && summary.lanes().all(is_ok) && is_valid && silent.is_empty();
    Ok(if is_good { Exit::Ok } else { Exit::Failure })
}

/// What is asked of a stream.
struct Asking {
    options: SessionOptions,
    /// The schema of the text.
    contract: Option<Contract>,
    is_text_judged: bool,
}

/// What the arguments and the request ask for.
fn asking(args: &StreamArgs) -> Result<Asking, Trouble> {
    let mut options = SessionOptions::default().provider(args.provider);
    let mut contract = args.schema.as_ref().map(|path| schema::of_file(path, args.file.as_ref())).transpose()?;
    let mut root = None;
    if let Some(path) = &args.request {
        let mut input = Input::open(Some(path))?;
        let request = input.read_whole(LONGEST_REQUEST)?;
        let asked = Asked::of_request(&request).map_err(|error| {
            Trouble::Read(input.name.clone(), io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
        })?;
        root = asked.text;
        options = options.asked(asked);
        if contract.is_none() {
            contract = schema::of_request(&request, &input.name)?;
        }
    }
    // The schema tells more than the request's kind of root: a document of the other kind breaks it.
    let root = contract.as_ref().map(Contract::root).or(root);
    let is_text_judged = args.judge.is_some() || root.is_some();
    if is_text_judged {
        let root = args.root.or(root).unwrap_or(Root::Any);
        options = options.judge_text(Expect::root(root).take(args.take));
    }
    Ok(Asking { options, contract, is_text_judged })
}

/// The choices that say nothing that could be judged: no text, and no call in its place. Of a stream without any choice, the first. One
/// that is not complete says by that why.
pub(crate) fn silent(summary: &Summary) -> Vec<u32> {
    if summary.outcome() != StreamOutcome::Complete {
        return Vec::new();
    }
    let says = |lane: &Lane<'_>| matches!(lane.key().kind, LaneKind::Text | LaneKind::ToolArgs);
    let lanes = summary.lanes().map(|lane| lane.key().choice);
    let mut choices: Vec<_> = summary.finishes().iter().map(|finish| finish.choice).chain(lanes).collect();
    choices.sort_unstable();
    choices.dedup();
    if choices.is_empty() {
        choices.push(0);
    }
    choices.retain(|choice| !summary.lanes().any(|lane| lane.key().choice == *choice && says(&lane)));
    choices
}

/// What a person is told of them.
pub(crate) fn notes_on_silence(silent: &[u32], name: &str) -> String {
    let palette = Palette::stderr();
    let (kind, style) = (FailureKind::NotFound.as_str().replace('_', " "), palette.failure);
    let note = |choice: &u32| format!("{style}{kind}{style:#}: {name}, choice {choice}: neither text nor a call\n");
    silent.iter().map(note).collect()
}

/// What the schema says of a lane; none where it says nothing of that kind of lane.
fn check(lane: Lane<'_>, contract: Option<&Contract>) -> Option<Check> {
    let contract = contract.filter(|_| lane.key().kind == LaneKind::Text)?;
    match lane.outcome()? {
        Outcome::Document(document) => Some(contract.check(document)),
        _ => Some(Check::default()),
    }
}

/// What a person is told at the end: of the lanes those alone that count. The checks are those of the lanes, in their order.
pub(crate) fn notes_on(
    summary: &Summary,
    checks: &[Option<Check>],
    name: &str,
    counts: impl Fn(&Lane<'_>) -> bool,
) -> String {
    let palette = Palette::stderr();
    let mut told = String::new();
    for (at, lane) in summary.lanes().enumerate().filter(|(_, lane)| counts(lane)) {
        let check = checks.get(at).and_then(Option::as_ref);
        let text = lane.text().unwrap_or_default();
        let key = lane.key();
        let tool = key.tool.map(|tool| format!(" {tool}")).unwrap_or_default();
        let place = format!("{name}, choice {} {}{tool}", key.choice, key.kind.as_str());
        match lane.outcome() {
            Some(Outcome::Document(document)) => {
                told.push_str(&notes::on_document(document, check, text.as_bytes(), palette));
                told.push_str(&check.map_or_else(String::new, |check| {
                    notes::on_mismatch(check, document, &place, text.as_bytes(), palette)
                }));
            }
            Some(Outcome::Failure(failure)) => match failure.reply() {
                Some(failure) => told.push_str(&notes::on_failure(failure, &place, text.as_bytes(), palette)),
                None => {
                    let (kind, style) = (failure.kind().as_str(), palette.failure);
                    told.push_str(&format!("{style}{kind}{style:#}: {place}: {failure} [{}]\n", failure.code()));
                }
            },
            _ => {}
        }
    }
    for (warning, at) in summary.warnings() {
        let style = palette.warning;
        told.push_str(&format!("{style}warning{style:#}: {name}: at byte {at} [{}]\n", warning.as_str()));
    }
    if let Some(error) = summary.error() {
        let style = palette.failure;
        told.push_str(&format!("{style}error{style:#}: {name}: {}\n", terminal::on_one_line(error, 400)));
    }
    if let Some((reason, at)) = summary.advice() {
        let style = palette.warning;
        told.push_str(&format!("{style}advice{style:#}: hang up at byte {at} [{}]\n", reason.as_str()));
    }
    let ends: Vec<_> = summary.finishes().iter().map(|finish| terminal::on_one_line(&finish.raw, 60)).collect();
    let ends = if ends.is_empty() { "no finish reason".to_owned() } else { ends.join(", ") };
    let outcome = summary.outcome();
    let style = if outcome == StreamOutcome::Complete { palette.repair } else { palette.failure };
    told.push_str(&format!("{style}{}{style:#}: {name}: {ends}\n", outcome.as_str()));
    told
}
