//! The `thusfar` command: arguments in, an exit code out.

mod args; // names and defaults
mod terminal; // what a terminal is shown
mod input; // bytes in
mod schema; // schemas in
mod kept; // what many lines bring, read once
mod offer; // lists of tools in
mod spec; // specs of signals in
mod request; // one line of a batch
mod pretty; // indentation
mod seen; // the bytes of a reply, and how far they are text
mod calls; // what became of a reply that may call tools
mod signalled; // what became of a reply that is read for signals
mod report; // one line of JSON out
mod found; // what became of a reply that holds a document
mod judged; // what became of one request
mod notes; // words on standard error
mod progress; // a bar for who waits
mod parse; // the command for one reply
mod validate; // the command for one reply and a schema
mod coverage; // the command for a schema alone
mod tools; // the command for one reply and the tools that it may call
mod extract; // the command for one reply and the signals that are to be read out of it
mod batch; // the command for many
mod audit; // the command that counts many
mod events; // the command for a body
mod stream; // the command for a streaming completion
mod watch; // the command that shows a document as it grows

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::terminal::Output;

/// How a command ends, from good to bad: the worse one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// A document, valid if there is a schema; calls, and nothing else that was meant as one; a value for every target; every line is ok; a
    /// body that ended behind an event; a schema that can be used.
    Ok = 0,
    /// A failure; some line is one; a body that was cut, broken or no events.
    Failure = 1,
    /// Wrong usage, unreadable input, a schema, a list of tools or a spec that is none; some line is no request.
    Usage = 2,
    /// Whoever read the output went away. As a shell says it of a command that SIGPIPE ended: neither good nor bad, for
    /// not everything was judged.
    BrokenPipe = 141,
}

fn main() -> ExitCode {
    // Usage errors end here with code 2.
    let cli = Cli::parse();
    let mut output = Output::stdout();
    let done = match &cli.command {
        Command::Parse(args) => parse::run(args, &mut output),
        Command::Validate(args) => validate::run(args, &mut output),
        Command::Schema(args) => coverage::run(args, &mut output),
        Command::Tools(args) => tools::run(args, &mut output),
        Command::Extract(args) => extract::run(args, &mut output),
        Command::Batch(args) => batch::run(args, &mut output),
        Command::Audit(args) => audit::run(args, &mut output),
        Command::Events(args) => events::run(args, &mut output),
        Command::Stream(args) => stream::run(args, &mut output),
        Command::Watch(args) => watch::run(args, &mut output),
    };
    let exit = done.unwrap_or_else(|trouble| {
        if trouble.is_broken_pipe() {
            return Exit::BrokenPipe;
        }
        terminal::tell(&format!("thusfar: {}\n", trouble.message()));
        Exit::Usage
    });
    ExitCode::from(exit as u8)
}
