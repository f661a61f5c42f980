//! `thusfar batch`: requests as JSON Lines in, one report a line out, in the same order.
//!
//! One line is held at a time and its buffers are used again. Reports are handed on before anything is waited for, so
//! that another process can talk to this one line by line.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thusfar_contract::{CallOutcome, Check, Contract, Tools};
use thusfar_core::Reply;

use crate::Exit;
use crate::args::{BatchArgs, Judging};
use crate::calls::{Calls, Reading};
use crate::input::{Input, Trouble};
use crate::offer::{self, Offers};
use crate::report::{self, Verdict};
use crate::request::{self, NoRequest, Request, Wanted};
use crate::schema::{self, Schemas};
use crate::terminal::Output;

/// Bytes of the longest line that is read.
const LONGEST_LINE: usize = 64 << 20;
/// Bytes that a buffer keeps from one line to the next.
const KEPT: usize = 1 << 20;

/// Judges each line and prints its report.
pub(crate) fn run(args: &BatchArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let schema = args.schema.as_ref().map(|path| schema::of_file(path, args.file.as_ref())).transpose()?;
    let tools = args.tools.as_ref().map(|path| offer::of_file(path, args.file.as_ref())).transpose()?;
    let known = Known { schemas: Schemas::new(schema), offers: Offers::new(tools) };
    let mut input = Input::open(args.file.as_ref())?;
    let bar = progress_bar(&input, output);
    let done = judge_lines(&mut input, &args.judging, known, output, &bar);
    bar.finish_and_clear();
    done
}

/// The schemas and lists of tools that lines are held against.
struct Known {
    schemas: Schemas,
    offers: Offers,
}

/// What one line is held against.
enum Held<'k> {
    Document(Option<&'k Contract>),
    Calls(Tools),
    Arguments(Tools, &'k str),
}

impl Known {
    fn of_line<'k>(&'k mut self, request: &'k Request) -> Result<Held<'k>, NoRequest> {
        let of_tools = |why: String| NoRequest::of_tools(&why);
        match request.wanted()? {
            Wanted::Schema(schema) => {
                self.schemas.of_line(schema).map(Held::Document).map_err(|error| NoRequest::of_schema(&error))
            }
            Wanted::Calls(tools) => self.offers.of_line(tools).map(Held::Calls).map_err(of_tools),
            Wanted::Arguments(name, listed) => {
                let tools = match (listed, self.offers.given()) {
                    (Some(tools), _) => self.offers.of_line(tools),
                    (None, Some(given)) => Ok(given),
                    (None, None) => Offers::alone(name),
                };
                tools.map(|tools| Held::Arguments(tools, name)).map_err(of_tools)
            }
            Wanted::Default => match self.offers.given() {
                Some(tools) => Ok(Held::Calls(tools)),
                None => Ok(Held::Document(self.schemas.given())),
            },
        }
    }
}

fn judge_lines(
    input: &mut Input,
    defaults: &Judging,
    mut known: Known,
    output: &mut Output,
    bar: &ProgressBar,
) -> Result<Exit, Trouble> {
    let mut line = Vec::new();
    let mut request = Request::default();
    let mut report = String::new();
    let mut exit = Exit::Ok;
    let mut number = 0_u64;
    while let Some(read) = input.next_line(&mut line, LONGEST_LINE, || output.flush().map_err(Trouble::Write))? {
        number += 1;
        let line_text = if number == 1 { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line) } else { &line };
        if read.is_whole && line_text.trim_ascii().is_empty() {
            bar.inc(read.read_len as u64);
            continue;
        }
        let asked = if read.is_whole { request.read(line_text) } else { Err(too_long()) };
        let asked = asked.and_then(|id| known.of_line(&request).map(|held| (id, held)));
        report.clear();
        let line_exit = match asked {
            Ok((id, held)) => push_line(&mut report, id, &request, defaults, &held),
            Err(NoRequest { at, why }) => {
                let place = if at == 0 { format!("line {number}") } else { format!("line {number}, byte {at}") };
                report::push_error(&mut report, request::readable_id(line_text), &format!("{place}: {why}"));
                Exit::Usage
            }
        };
        exit = exit.max(line_exit);
        output.text(&report).map_err(Trouble::Write)?;
        bar.inc(read.read_len as u64);
        line.clear();
        line.shrink_to(KEPT);
        request.shrink(KEPT);
        report.clear();
        report.shrink_to(KEPT);
    }
    output.flush().map_err(Trouble::Write)?;
    Ok(exit)
}

/// Adds the report of a request.
fn push_line(report: &mut String, id: &str, request: &Request, defaults: &Judging, held: &Held<'_>) -> Exit {
    let seen = request.text.as_bytes();
    let ending = request.ending.unwrap_or(defaults.ending);
    let calls = match held {
        Held::Document(contract) => {
            let verdict = judge(request, defaults, *contract);
            let check = contract.map(|contract| report::check(contract, verdict.as_ref()));
            report::push_report(report, Some(id), seen, verdict.as_ref(), check.as_ref());
            let is_ok = verdict.is_ok() && check.as_ref().is_none_or(Check::is_valid);
            return if is_ok { Exit::Ok } else { Exit::Failure };
        }
        Held::Arguments(tools, name) => Calls::of_arguments(tools, name, seen, ending),
        Held::Calls(tools) => {
            let mut reading = Reading::new(tools);
            let _ = request.chunks().any(|chunk| reading.push(chunk.as_bytes()));
            reading.finish(ending).0
        }
    };
    report::push_calls(report, Some(id), seen, &calls);
    if calls.outcome() == CallOutcome::Ok { Exit::Ok } else { Exit::Failure }
}

/// What a request asks for stands above the options.
fn judge(request: &Request, defaults: &Judging, contract: Option<&Contract>) -> Verdict {
    let judging = Judging {
        root: request.root.or(defaults.root),
        take: request.take.unwrap_or(defaults.take),
        ending: request.ending.unwrap_or(defaults.ending),
        no_repair: defaults.no_repair.clone(),
    };
    let mut reply = Reply::new(judging.expect(contract));
    for chunk in request.chunks() {
        if reply.push(chunk).is_decided() {
            break;
        }
    }
    reply.finish(judging.ending)
}

fn too_long() -> NoRequest {
    NoRequest { at: 0, why: format!("longer than {LONGEST_LINE} bytes") }
}

/// A bar for a person who waits for a file; it would only be in the way of reports on the same terminal.
fn progress_bar(input: &Input, output: &Output) -> ProgressBar {
    let Some(len) = input.len.filter(|_| io::stderr().is_terminal() && !output.is_terminal()) else {
        return ProgressBar::hidden();
    };
    let bar = ProgressBar::with_draw_target(Some(len), ProgressDrawTarget::stderr_with_hz(5));
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
