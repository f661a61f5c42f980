//! `thusfar tools`: one reply in; the calls that it printed out, one a line; the rest to standard error.

use thusfar_contract::CallOutcome;

use crate::args::{Payload, ToolsArgs};
use crate::calls::{Calls, Reading};
use crate::input::{Input, Trouble};
use crate::terminal::{self, Output, Palette};
use crate::{Exit, notes, offer, report};

/// Bytes of the longest arguments that are read; the engine refuses shorter ones.
const LONGEST: usize = 64 << 20;

/// Reads one reply for calls of the tools that are offered. The list is read first: one that cannot be used is nobody's reply.
pub(crate) fn run(args: &ToolsArgs, output: &mut Output) -> Result<Exit, Trouble> {
    if args.tool.is_some() && args.payload == Payload::Text {
        return Err(Trouble::Unusable(
            "--tool".into(),
            "says whose arguments the input is: --payload arguments".into(),
        ));
    }
    let tools = offer::of_file(&args.tools, args.file.as_ref())?;
    let mut input = Input::open(args.file.as_ref())?;
    let (calls, seen) = match (args.payload, &args.tool) {
        (Payload::Arguments, Some(name)) => {
            let seen = input.read_whole(LONGEST)?;
            (Calls::of_arguments(&tools, name, &seen, args.ending), seen)
        }
        _ => {
            let mut reading = Reading::new(&tools);
            while input.next_chunk(|chunk| reading.push(chunk))? == Some(false) {}
            reading.finish(args.ending)
        }
    };
    let mut lines = String::new();
    if args.json {
        report::push_calls(&mut lines, None, &seen, &calls);
    } else {
        calls.calls().iter().for_each(|call| report::push_call_line(&mut lines, call));
    }
    output.text(&lines).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    if !args.json {
        let palette = Palette::stderr();
        terminal::tell(&(notes::on_calls(&calls, &input.name, &seen, palette) + &notes::on_text(&calls, palette)));
    }
    Ok(if calls.outcome() == CallOutcome::Ok { Exit::Ok } else { Exit::Failure })
}
