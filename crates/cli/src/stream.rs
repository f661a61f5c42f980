//! `thusfar stream`: the body of a streaming completion in, its lanes out, and what became of them.
//!
//! The lanes are printed as they grow; or, with `--json`, one line is printed at the end. What a person should know goes to
//! standard error.

pub(crate) mod line; // the line of JSON
pub(crate) mod live; // the lanes as they grow
mod offered; // the tools that are offered

use std::io::{self, IsTerminal as _};

use thusfar_contract::{CallOutcome, Check, Contract, When};
use thusfar_core::{Ending, Expect, FailureKind, Root};
use thusfar_stream::{Asked, Lane, LaneKind, Outcome, Session, SessionOptions, StreamOutcome, Summary};

use crate::Exit;
use crate::args::{Rescuing, StreamArgs};
use crate::calls::Calls;
use crate::input::{Input, Trouble};
use crate::terminal::{self, Output, Palette};
use crate::{notes, offer, schema};
use live::{Live, Status};
use offered::Offered;

/// The longest request that is read, in bytes.
const LONGEST_REQUEST: usize = 64 << 20;

/// Reads a completion and prints what becomes of it.
pub(crate) fn run(args: &StreamArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let Asking { options, contract, offered, is_text_judged } = asking(args)?;
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
    let checked = |lane| Checked {
        schema: check(lane, contract.as_ref()),
        calls: offered.as_ref().and_then(|offered| offered.calls(&summary, lane)),
    };
    let checks: Vec<_> = summary.lanes().map(checked).collect();
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
    let has_all = summary.lanes().zip(&checks).all(|(lane, checked)| checked.is_good(lane));
    let is_good = summary.outcome() == StreamOutcome::Complete && has_all && silent.is_empty();
    Ok(if is_good { Exit::Ok } else { Exit::Failure })
}

/// What a lane was held against, besides what the session says of it.
pub(crate) struct Checked {
    /// What the schema says of its document.
    schema: Option<Check>,
    /// What became of its calls.
    calls: Option<Calls>,
}

impl Checked {
    /// Whether a lane is as it should be. Text in which calls were found is those calls, whatever else it is not.
    fn is_good(&self, lane: Lane<'_>) -> bool {
        let is_text = lane.key().kind == LaneKind::Text;
        match &self.calls {
            Some(calls) if calls.is_refusal() => false,
            Some(calls) if is_text && calls.outcome() == CallOutcome::Ok => true,
            _ => lane.outcome().is_none_or(Outcome::is_ok) && self.schema.as_ref().is_none_or(Check::is_valid),
        }
    }
}

/// What is asked of a stream.
struct Asking {
    options: SessionOptions,
    /// The schema of the text.
    contract: Option<Contract>,
    /// The tools.
    offered: Option<Offered>,
    is_text_judged: bool,
}

/// What the arguments and the request ask for.
fn asking(args: &StreamArgs) -> Result<Asking, Trouble> {
    let mut options = SessionOptions::default().provider(args.provider);
    let mut contract = args.schema.as_ref().map(|path| schema::of_file(path, args.file.as_ref())).transpose()?;
    let mut tools = args.tools.as_ref().map(|path| offer::of_file(path, args.file.as_ref())).transpose()?;
    let is_default = args.rescue == Rescuing(Some(When::default()));
    if tools.is_none() && args.request.is_none() && !is_default {
        return Err(Trouble::Unusable(
            "--rescue".into(),
            "no tools to look for: --tools or --request names them".into(),
        ));
    }
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
        if tools.is_none() {
            tools = offer::of_request(&request, &input.name)?;
        }
    }
    // The schema tells more than the request's kind of root: a document of the other kind breaks it.
    let root = contract.as_ref().map(Contract::root).or(root);
    let is_text_judged = args.judge.is_some() || root.is_some();
    if is_text_judged {
        let root = args.root.or(root).unwrap_or(Root::Any);
        options = options.judge_text(Expect::root(root).take(args.take));
    }
    let offered = tools.map(|tools| Offered { tools, when: args.rescue });
    Ok(Asking { options, contract, offered, is_text_judged })
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

/// What a person is told of the calls of a lane. The repairs of arguments are told with the lane.
fn notes_on_calls(calls: &Calls, place: &str, lane: Lane<'_>) -> String {
    let (palette, seen) = (Palette::stderr(), lane.text().unwrap_or_default().as_bytes());
    match lane.key().kind {
        LaneKind::ToolArgs if calls.outcome() == CallOutcome::Ok => String::new(),
        LaneKind::ToolArgs => notes::on_calls(calls, place, seen, palette),
        _ => notes::on_lane(calls, place, seen, palette),
    }
}

/// What a person is told at the end: of the lanes those alone that count. The checks are those of the lanes, in their order.
pub(crate) fn notes_on(
    summary: &Summary,
    checks: &[Checked],
    name: &str,
    counts: impl Fn(&Lane<'_>) -> bool,
) -> String {
    let palette = Palette::stderr();
    let mut told = String::new();
    for (at, lane) in summary.lanes().enumerate().filter(|(_, lane)| counts(lane)) {
        let checked = checks.get(at);
        let check = checked.and_then(|checked| checked.schema.as_ref());
        let text = lane.text().unwrap_or_default();
        let key = lane.key();
        let tool = key.tool.map(|tool| format!(" {tool}")).unwrap_or_default();
        let place = format!("{name}, choice {} {}{tool}", key.choice, key.kind.as_str());
        if let Some(calls) = checked.and_then(|checked| checked.calls.as_ref()) {
            told.push_str(&notes_on_calls(calls, &place, lane));
            // Text that is calls need be no document.
            if key.kind == LaneKind::Text && calls.outcome() == CallOutcome::Ok {
                continue;
            }
        }
        match lane.outcome() {
            Some(Outcome::Document(document)) => {
                told.push_str(&notes::on_document(document, check, text.as_bytes(), palette));
                told.push_str(&check.map_or_else(String::new, |check| {
                    notes::on_mismatch(check, document.span().start, &place, text.as_bytes(), palette)
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
