//! `thusfar batch`: requests as JSON Lines in, one report a line out, in the same order.
//!
//! One line is held at a time and its buffers are used again. Reports are handed on before anything is waited for, so
//! that another process can talk to this one line by line.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thusfar_contract::{Check, Contract};
use thusfar_core::Reply;

use crate::Exit;
use crate::args::{BatchArgs, Judging};
use crate::input::{Input, Trouble};
use crate::report::{self, Verdict};
use crate::request::{self, NoRequest, Request};
use crate::schema::{self, Schemas};
use crate::terminal::Output;

/// Bytes of the longest line that is read.
const LONGEST_LINE: usize = 64 << 20;
/// Bytes that a buffer keeps from one line to the next.
const KEPT: usize = 1 << 20;

/// Judges each line and prints its report.
pub(crate) fn run(args: &BatchArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let given = args.schema.as_ref().map(|path| schema::of_file(path, args.file.as_ref())).transpose()?;
    let mut input = Input::open(args.file.as_ref())?;
    let bar = progress_bar(&input, output);
    let done = judge_lines(&mut input, &args.judging, Schemas::new(given), output, &bar);
    bar.finish_and_clear();
    done
}

fn judge_lines(
    input: &mut Input,
    defaults: &Judging,
    mut schemas: Schemas,
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
        let asked = asked.and_then(|id| match schemas.of_line(request.schema()) {
            Ok(contract) => Ok((id, contract)),
            Err(error) => Err(NoRequest::of_schema(&error)),
        });
        report.clear();
        let line_exit = match asked {
            Ok((id, contract)) => {
                let verdict = judge(&request, defaults, contract);
                let check = contract.map(|contract| report::check(contract, verdict.as_ref()));
                report::push_report(&mut report, Some(id), request.text.as_bytes(), verdict.as_ref(), check.as_ref());
                let is_ok = verdict.is_ok() && check.as_ref().is_none_or(Check::is_valid);
                if is_ok { Exit::Ok } else { Exit::Failure }
            }
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
