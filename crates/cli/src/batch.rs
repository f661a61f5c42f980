//! `thusfar batch`: requests as JSON Lines in, one report a line out, in the same order.
//!
//! One line is held at a time and its buffers are used again. Reports are handed on before anything is waited for, so
//! that another process can talk to this one line by line.

use indicatif::ProgressBar;

use crate::Exit;
use crate::args::{BatchArgs, Judging};
use crate::input::{Input, Trouble};
use crate::judged::Known;
use crate::progress;
use crate::report;
use crate::request::{self, KEPT, LONGEST_LINE, NoRequest, Request};
use crate::terminal::Output;

/// Judges each line and prints its report.
pub(crate) fn run(args: &BatchArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let known = Known::of_files(args.schema.as_ref(), args.tools.as_ref(), args.spec.as_ref(), args.file.as_ref())?;
    let mut input = Input::open(args.file.as_ref())?;
    // It would be in the way of reports on the same terminal.
    let bar = progress::bar(input.len.filter(|_| !output.is_terminal()));
    let done = judge_lines(&mut input, &args.judging, known, output, &bar);
    bar.finish_and_clear();
    done
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
        let asked = if read.is_whole { request.read(line_text) } else { Err(NoRequest::too_long()) };
        let judged = asked.and_then(|id| known.judge(&request, defaults).map(|judged| (id, judged)));
        report.clear();
        let line_exit = match judged {
            Ok((id, judged)) => {
                judged.push_report(&mut report, id, request.text.as_bytes());
                if judged.is_ok() { Exit::Ok } else { Exit::Failure }
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
