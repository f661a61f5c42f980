//! `thusfar parse`: one reply in, its document out, the rest to standard error.

use thusfar_contract::Contract;
use thusfar_core::{Ending, Expect};

use crate::args::ParseArgs;
use crate::found::{Finding, Found};
use crate::input::{Input, Trouble};
use crate::report;
use crate::terminal::{self, Output, Palette};
use crate::{Exit, notes, pretty};

/// Reads one reply and prints what became of it.
pub(crate) fn run(args: &ParseArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let mut input = Input::open(args.file.as_ref())?;
    let (found, seen) = read(&mut input, args.judging.expect(None), None, args.judging.ending)?;
    let verdict = found.verdict;
    if args.json {
        let mut line = String::new();
        report::push_report(&mut line, None, &seen, verdict.as_ref(), None);
        output.text(&line).map_err(Trouble::Write)?;
    } else if let Ok(document) = &verdict {
        if args.pretty {
            pretty::indent(document.text(), |piece| output.text(piece)).map_err(Trouble::Write)?;
        } else {
            output.text(document.text()).map_err(Trouble::Write)?;
        }
        output.text("\n").map_err(Trouble::Write)?;
    }
    output.flush().map_err(Trouble::Write)?;
    if !args.json {
        let palette = Palette::stderr();
        terminal::tell(&match &verdict {
            Ok(document) => notes::on_document(document, None, &seen, palette),
            Err(failure) => notes::on_failure(failure, &input.name, &seen, palette),
        });
    }
    Ok(if verdict.is_ok() { Exit::Ok } else { Exit::Failure })
}

/// Reads until the answer is certain, and gives it with the bytes that were read. What stands behind a certain answer
/// cannot change it, so the ending is the caller's, however much was left unread.
pub(crate) fn read(
    input: &mut Input,
    expect: Expect,
    contract: Option<&Contract>,
    ending: Ending,
) -> Result<(Found, Vec<u8>), Trouble> {
    let mut finding = Finding::new(expect, contract);
    let mut seen = Vec::new();
    loop {
        let is_decided = input.next_chunk(|chunk| {
            seen.extend_from_slice(chunk);
            finding.take(&seen)
        })?;
        if is_decided.is_none_or(|is_decided| is_decided) {
            return Ok((finding.finish(&seen, ending), seen));
        }
    }
}
