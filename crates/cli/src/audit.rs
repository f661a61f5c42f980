//! `thusfar audit`: over many logged replies, what failed and why.
//!
//! One thread reads the files in blocks of whole lines, the others judge them, each with a tally of its own; at the end the tallies are
//! put together. Whatever the number of threads, and whoever took which block, the result is the same. No list grows with the log.

mod summary; // what is told
mod names; // names that are counted, a bounded number of them
mod lengths; // a histogram
mod targets; // what became of targets of signals
mod counted; // what one reply counts as
mod told; // a line that is a report
mod sample; // a line that is shown
mod tally; // what is counted
mod queue; // what waits
mod logs; // files in, blocks out
mod line; // one line to the tally
mod text; // the report for people
mod page; // the page
mod save; // a file, whole or not at all

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use indicatif::ProgressBar;

use crate::Exit;
use crate::args::AuditArgs;
use crate::input::Trouble;
use crate::judged::Known;
use crate::progress;
use crate::terminal::{Output, Palette};
use line::Worker;
use logs::Logs;
use queue::Queue;
use summary::Summary;
use tally::Tally;

/// Counts what became of every line, and tells it.
pub(crate) fn run(args: &AuditArgs, output: &mut Output) -> Result<Exit, Trouble> {
    // Only standard input is of interest to whoever reads what a flag names.
    let standard = args.files.iter().find(|file| file.as_path() == Path::new("-"));
    let input = standard.or(args.files.first());
    let known = Known::of_files(args.schema.as_ref(), args.tools.as_ref(), args.spec.as_ref(), input)?;
    let logs = Logs::open(&args.files)?;
    args.html.as_deref().map_or(Ok(()), |page| check(page, &logs))?;
    let names = logs.names.clone();
    let bar = progress::bar(logs.len);
    let tally = count(args, &known, logs, &bar);
    bar.finish_and_clear();
    let summary = tally?.summary(&names);
    tell(args, &summary, output)?;
    Ok(exit(&summary))
}

/// Whether the page can be written, as far as that is known before anything is judged.
fn check(page: &Path, logs: &Logs) -> Result<(), Trouble> {
    match () {
        () if page == Path::new("-") => {
            Err(Trouble::Unusable("--html".into(), "the page needs the name of a file".into()))
        }
        () if logs.hold(page) => {
            Err(Trouble::Unusable(logs::shown(&page.to_string_lossy()), "the page would replace a log".into()))
        }
        () => save::check(page, page::BEGINNING.as_bytes()).map_err(|error| unsaved(page, error)),
    }
}

/// How many threads judge.
fn jobs(args: &AuditArgs) -> usize {
    let found = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    args.jobs.map_or_else(found, usize::from)
}

fn count(args: &AuditArgs, known: &Known, logs: Logs, bar: &ProgressBar) -> Result<Tally, Trouble> {
    let jobs = jobs(args);
    let queue = Queue::new(jobs);
    thread::scope(|scope| {
        let work = || {
            let mut worker = Worker::new(known.another(), &args.judging);
            queue.take_all(|block| {
                worker.take(block);
                bar.inc(block.bytes.len() as u64);
            });
            worker.tally
        };
        let mut workers = Vec::new();
        for _ in 0..jobs {
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(worker) => workers.push(worker),
                Err(_) if !workers.is_empty() => queue.leave(),
                Err(error) => return Err(Trouble::Unusable("--jobs".into(), format!("no thread: {error}"))),
            }
        }
        let read = logs.read(&queue, |skipped| bar.inc(skipped as u64));
        queue.close();
        let mut all = Tally::default();
        for worker in workers {
            match worker.join() {
                Ok(tally) => all.merge(tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        read.map(|()| all)
    })
}

fn tell(args: &AuditArgs, summary: &Summary, output: &mut Output) -> Result<(), Trouble> {
    let told = if args.json { text::json(summary) } else { text::of(summary, Palette::stdout()) };
    output.painted(&told).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    match &args.html {
        Some(path) => save::whole(path, |file| page::write(summary, file)).map_err(|error| unsaved(path, error)),
        None => Ok(()),
    }
}

fn unsaved(path: &Path, error: std::io::Error) -> Trouble {
    Trouble::Save(logs::shown(&path.to_string_lossy()), error)
}

/// A line that nobody could read stands above replies that are not ok.
fn exit(summary: &Summary) -> Exit {
    match () {
        () if summary.unreadable > 0 => Exit::Usage,
        () if summary.outcomes.iter().any(|outcome| outcome.name != text::OK) => Exit::Failure,
        () => Exit::Ok,
    }
}
