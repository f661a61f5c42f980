//! `thusfar validate`: one reply in; its document out, if it is as a schema asks; the rest to standard error.

use crate::args::ValidateArgs;
use crate::input::{Input, Trouble};
use crate::terminal::{self, Output, Palette};
use crate::{Exit, notes, parse, report, schema};

/// Reads one reply, holds its document against a schema, and prints what became of it. The schema is read first: one that cannot
/// be used is nobody's reply.
pub(crate) fn run(args: &ValidateArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let contract = schema::of_file(&args.schema, args.file.as_ref())?;
    let mut input = Input::open(args.file.as_ref())?;
    let (verdict, seen) = parse::read(&mut input, args.judging.expect(Some(&contract)), args.judging.ending)?;
    let check = report::check(&contract, verdict.as_ref());
    let is_valid = verdict.is_ok() && check.is_valid();
    if args.json {
        let mut line = String::new();
        report::push_report(&mut line, None, &seen, verdict.as_ref(), Some(&check));
        output.text(&line).map_err(Trouble::Write)?;
    } else if let (true, Ok(document)) = (is_valid, &verdict) {
        output.text(document.text()).map_err(Trouble::Write)?;
        output.text("\n").map_err(Trouble::Write)?;
    }
    output.flush().map_err(Trouble::Write)?;
    if !args.json {
        let palette = Palette::stderr();
        terminal::tell(&match &verdict {
            Ok(document) => {
                notes::on_document(document, Some(&check), &seen, palette)
                    + &notes::on_mismatch(&check, document, &input.name, &seen, palette)
            }
            Err(failure) => notes::on_failure(failure, &input.name, &seen, palette),
        });
    }
    Ok(if is_valid { Exit::Ok } else { Exit::Failure })
}
