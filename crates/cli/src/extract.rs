//! `thusfar extract`: one reply in; the signals that it gives out, one a line; the rest to standard error.

use crate::args::ExtractArgs;
use crate::input::{Input, Trouble};
use crate::signalled::Listening;
use crate::terminal::{self, Output, Palette};
use crate::{Exit, notes, report, spec};

/// Reads one reply for signals. The spec is read first: one that cannot be used is nobody's reply.
pub(crate) fn run(args: &ExtractArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let signals = spec::of_file(&args.spec, args.file.as_ref())?;
    let mut input = Input::open(args.file.as_ref())?;
    let mut listening = Listening::new(&signals);
    while input.next_chunk(|chunk| listening.push(chunk))? == Some(false) {}
    let (signalled, seen) = listening.finish(args.ending);
    let mut lines = String::new();
    if args.json {
        report::push_signals(&mut lines, None, &seen, &signalled);
    } else {
        report::push_signal_lines(&mut lines, signalled.extracted());
    }
    output.text(&lines).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    if !args.json {
        terminal::tell(&notes::on_signals(&signalled, &input.name, &seen, Palette::stderr()));
    }
    Ok(if signalled.is_ok() { Exit::Ok } else { Exit::Failure })
}
