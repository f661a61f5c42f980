//! `thusfar stream`: the body of a streaming completion in, its lanes out, and what became of them.
//!
//! The lanes are printed as they grow; or, with `--json`, one line is printed at the end. What a person should know goes to
//! standard error.

pub(crate) mod line; // the line of JSON
pub(crate) mod live; // the lanes as they grow
mod offered; // the tools that are offered
mod held; // the schemas that lanes are held against
mod heard; // the signals of text
mod silence; // choices that say nothing

use std::io::{self, IsTerminal as _};

use thusfar_contract::{CallOutcome, Contract, Signals, When};
use thusfar_core::{Ending, Expect, Root};
use thusfar_stream::{
    Advice, Asked, Lane, LaneKind, Outcome, Reason, Session, SessionEvent, SessionOptions, StreamOutcome, Summary,
};

use crate::Exit;
use crate::args::{Rescuing, StreamArgs};
use crate::calls::Calls;
use crate::input::{Input, Trouble};
use crate::signalled::Signalled;
use crate::terminal::{self, Output, Palette};
use crate::{notes, offer, schema, spec};
use heard::Heard;
use held::{Held, Judged};
use live::{Live, Status};
use offered::Offered;
pub(crate) use silence::Silence;

/// The longest request that is read, in bytes.
const LONGEST_REQUEST: usize = 64 << 20;

/// Reads a completion and prints what becomes of it.
pub(crate) fn run(args: &StreamArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let Asking { options, held, offered, signals, is_text_judged } = asking(args)?;
    let mut input = Input::open(args.file.as_ref())?;
    let mut session = Session::new(&options);
    let heard = signals.map(|signals| Heard::new(signals, options.choice_count));
    let mut ears = Ears { live: (!args.json).then(Live::default), heard };
    let status = Status::new(!args.json && io::stderr().is_terminal());
    listen(args, &mut input, &mut session, &mut ears, &status, output)?;
    let summary = session.finish(Ending::Unknown, &mut |event| ears.take(&event));
    status.clear();
    let silence = match &ears.heard {
        Some(_) => Some(Silence::NoText),
        None => is_text_judged.then_some(Silence::NoAnswer),
    };
    let advice = ears.heard.as_ref().map_or(summary.advice(), Heard::advice);
    let mut signals = ears.heard.map(|heard| heard.finish(&summary)).unwrap_or_default();
    let checked = |lane: Lane<'_>| {
        let schema = held.judged(&summary, lane);
        let calls = offered.as_ref().and_then(|offered| offered.calls(&summary, lane, schema.as_ref()));
        Checked { schema, calls, signals: signals.remove(&lane.key()) }
    };
    let checks: Vec<_> = summary.lanes().map(checked).collect();
    let text = match ears.live {
        Some(live) => live.end(),
        None => line::of(&summary, &checks, advice),
    };
    output.text(&text).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    let silent = silence.map(|silence| silence.choices(&summary)).unwrap_or_default();
    if !args.json {
        let silent = silence.map(|silence| silence.notes(&summary, &input.name)).unwrap_or_default();
        terminal::tell(&(silent + &notes_on(&summary, &checks, advice, &input.name, |_| true)));
    }
    let has_all = summary.lanes().zip(&checks).all(|(lane, checked)| checked.is_good(lane));
    let is_good = summary.outcome() == StreamOutcome::Complete && has_all && silent.is_empty();
    Ok(if is_good { Exit::Ok } else { Exit::Failure })
}

/// Reads to the end, or to where it is to hang up, and prints the lanes as they grow.
fn listen(
    args: &StreamArgs,
    input: &mut Input,
    session: &mut Session,
    ears: &mut Ears,
    status: &Status,
    output: &mut Output,
) -> Result<(), Trouble> {
    while let Some(advice) = input.next_chunk(|chunk| ears.push(session, chunk, args.cancel))? {
        status.show(session);
        if let Some(live) = &mut ears.live {
            status.around(|| output.text(&live.text).and_then(|()| output.flush())).map_err(Trouble::Write)?;
            live.text.clear();
        }
        if let (true, Some(reason)) = (args.cancel, advice) {
            session.cancel(reason);
            break;
        }
    }
    Ok(())
}

/// Who hears what the lanes say.
struct Ears {
    /// A person.
    live: Option<Live>,
    /// Whoever reads signals.
    heard: Option<Heard>,
}

impl Ears {
    fn take(&mut self, event: &SessionEvent<'_>) {
        if let Some(live) = &mut self.live {
            live.take(event);
        }
        if let Some(heard) = &mut self.heard {
            heard.take(event);
        }
    }

    /// Takes more of the body, and says why to hang up once that is certain. Where the text is read for signals, each byte is taken by itself
    /// up to there: the session does not know when that is, and a caller who hangs up takes no byte behind it.
    fn push(&mut self, session: &mut Session, chunk: &[u8], is_cancelled: bool) -> Option<Reason> {
        let step = if self.heard.is_some() { 1 } else { chunk.len().max(1) };
        let mut reason = None;
        for piece in chunk.chunks(step) {
            let advice = session.push(piece, &mut |event| self.take(&event));
            reason = match (&mut self.heard, advice) {
                (Some(heard), advice) => heard.hang_up(session, advice),
                (None, Advice::Cancel(reason)) => Some(reason),
                (None, _) => None,
            };
            if reason.is_some() && is_cancelled {
                break;
            }
        }
        reason
    }
}

/// What a lane was held against, besides what the session says of it.
pub(crate) struct Checked {
    /// What its schema says of it.
    schema: Option<Judged>,
    /// What became of its calls.
    calls: Option<Calls>,
    /// What became of its signals.
    signals: Option<Signalled>,
}

impl Checked {
    /// Whether a lane is as it should be. Text in which calls were found is those calls and need be no document.
    fn is_good(&self, lane: Lane<'_>) -> bool {
        if self.signals.as_ref().is_some_and(|signals| !signals.is_ok()) {
            return false;
        }
        let is_text = lane.key().kind == LaneKind::Text;
        match &self.calls {
            Some(calls) if calls.is_refusal() => false,
            Some(calls) if is_text && calls.outcome() == CallOutcome::Ok => true,
            _ => lane.outcome().is_none_or(Outcome::is_ok) && self.schema.as_ref().is_none_or(Judged::is_valid),
        }
    }
}

/// What is asked of a stream.
struct Asking {
    options: SessionOptions,
    /// The schemas.
    held: Held,
    /// The tools.
    offered: Option<Offered>,
    /// The signals of the text.
    signals: Option<Signals>,
    is_text_judged: bool,
}

/// What the arguments and the request ask for.
fn asking(args: &StreamArgs) -> Result<Asking, Trouble> {
    let mut options = SessionOptions::default().provider(args.provider);
    let mut contract = args.schema.as_ref().map(|path| schema::of_file(path, args.file.as_ref())).transpose()?;
    let mut tools = args.tools.as_ref().map(|path| offer::of_file(path, args.file.as_ref())).transpose()?;
    let signals = args.spec.as_ref().map(|path| spec::of_file(path, args.file.as_ref())).transpose()?;
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
    let expect = Expect::root(args.root.or(root).unwrap_or(Root::Any)).take(args.take);
    if is_text_judged {
        options = options.judge_text(expect);
    }
    let may_call = tools.is_some() && args.rescue.0.is_some();
    let held = Held { text: contract, may_call, tools: tools.clone(), expect };
    let options = options.listeners(held.listeners());
    let offered = tools.map(|tools| Offered { tools, when: args.rescue });
    Ok(Asking { options, held, offered, signals, is_text_judged })
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
    advice: Option<(Reason, u64)>,
    name: &str,
    counts: impl Fn(&Lane<'_>) -> bool,
) -> String {
    let palette = Palette::stderr();
    let mut told = String::new();
    for (at, lane) in summary.lanes().enumerate().filter(|(_, lane)| counts(lane)) {
        let checked = checks.get(at);
        let schema = checked.and_then(|checked| checked.schema.as_ref());
        let text = lane.text().unwrap_or_default();
        let key = lane.key();
        let tool = key.tool.map(|tool| format!(" {tool}")).unwrap_or_default();
        let place = format!("{name}, choice {} {}{tool}", key.choice, key.kind.as_str());
        if let Some(signals) = checked.and_then(|checked| checked.signals.as_ref()) {
            told.push_str(&notes::on_signals_of_lane(signals, &place, text.as_bytes(), palette));
        }
        if let Some(calls) = checked.and_then(|checked| checked.calls.as_ref()) {
            told.push_str(&notes_on_calls(calls, &place, lane));
            // Text that is calls need be no document, and what arguments break was told.
            let is_told = match key.kind {
                LaneKind::Text => calls.outcome() == CallOutcome::Ok,
                _ => calls.outcome() == CallOutcome::SchemaMismatch && matches!(schema, Some(Judged::Again(_))),
            };
            if is_told {
                continue;
            }
        }
        match (lane.outcome(), schema) {
            (_, Some(Judged::Again(found))) => {
                let (verdict, check) = (found.verdict.as_ref(), found.check.as_ref());
                told.push_str(&notes::on_reply(verdict, check, &place, text.as_bytes(), palette));
            }
            (Some(Outcome::Document(document)), schema) => {
                let check = schema.and_then(Judged::check);
                told.push_str(&notes::on_reply(Ok(document), check, &place, text.as_bytes(), palette));
            }
            (Some(Outcome::Failure(failure)), _) => match failure.reply() {
                Some(failure) => told.push_str(&notes::on_failure(failure, &place, text.as_bytes(), palette)),
                None => {
                    let (kind, style) = (failure.outcome(), palette.failure);
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
    if let Some((reason, at)) = advice {
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
