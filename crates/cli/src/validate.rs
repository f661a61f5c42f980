//! `thusfar validate`: one reply in; its document out, if it is as a schema asks; the rest to standard error.
//!
//! What is wrong is told to a person with source lines and carets, and below them stands what can be sent back to the model. A program
//! that reads standard error gets that alone.

use std::io::{self, IsTerminal as _};

use crate::args::ValidateArgs;
use crate::found::Found;
use crate::input::{Input, Trouble};
use crate::terminal::{self, Output, Palette};
use crate::{Exit, notes, parse, schema};

/// Reads one reply, holds its document against a schema, and prints what became of it. The schema is read first: one that cannot
/// be used is nobody's reply.
pub(crate) fn run(args: &ValidateArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let contract = schema::of_file(&args.schema, args.file.as_ref())?;
    let mut input = Input::open(args.file.as_ref())?;
    let (found, seen) =
        parse::read(&mut input, args.judging.expect(Some(&contract)), Some(&contract), args.judging.ending)?;
    if args.json {
        let mut line = String::new();
        found.push_report(&mut line, None, &seen);
        output.text(&line).map_err(Trouble::Write)?;
    } else if let (true, Ok(document)) = (found.is_ok(), &found.verdict) {
        output.text(document.text()).map_err(Trouble::Write)?;
        output.text("\n").map_err(Trouble::Write)?;
    }
    output.flush().map_err(Trouble::Write)?;
    if !args.json {
        let listener = if io::stderr().is_terminal() { Listener::Person } else { Listener::Program };
        terminal::tell(&told(&found, &input.name, &seen, listener, Palette::stderr()));
    }
    Ok(if found.is_ok() { Exit::Ok } else { Exit::Failure })
}

/// Who reads standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listener {
    Person,
    Program,
}

/// The notes, and the text that can be sent back to the model where there is one.
fn told(found: &Found, name: &str, seen: &[u8], listener: Listener, palette: Palette) -> String {
    let feedback = found.feedback().map(|feedback| terminal::escaped(&feedback.to_string()) + "\n");
    if let (Some(feedback), Listener::Program) = (&feedback, listener) {
        return feedback.clone();
    }
    let mut told = notes::on_reply(found.verdict.as_ref(), found.check.as_ref(), name, seen, palette);
    if let Some(feedback) = feedback {
        let style = palette.frame;
        told.push_str(&format!("{style}feedback:{style:#}\n{feedback}"));
    }
    told
}

#[cfg(test)]
mod tests {
    use thusfar_contract::Contract;
    use thusfar_core::{Ending, Expect};

    use super::*;
    use crate::found::Finding;

    fn heard(schema: &str, reply: &str, listener: Listener) -> String {
        let contract = Contract::from_schema(schema).expect("a schema");
        let mut finding = Finding::new(Expect::any(), Some(&contract));
        let _ = finding.take(reply.as_bytes());
        let found = finding.finish(reply.as_bytes(), Ending::Stop);
        told(&found, "reply.txt", reply.as_bytes(), listener, Palette::default())
    }

    const BOUND: &str = r#"{"properties": {"confidence": {"maximum": 100}}}"#;

    #[test]
    fn a_person_sees_the_line_and_then_what_to_send() {
        let reply = "Sure:\n{\"confidence\": 150,}";
        let notes = "repaired: `,` to nothing at line 2, column 19 [trailing_comma]\n\
             schema mismatch: `/confidence` must be at most 100; you returned 150 [maximum]\n \
             --> reply.txt:2:16\n  |\n2 | {\"confidence\": 150,}\n  |                ^\n  = certain at 2:19\nfeedback:\n";
        let feedback = heard(BOUND, reply, Listener::Program);
        assert!(
            feedback.contains("`/confidence` must be at most 100; you returned 150") && feedback.ends_with("```\n")
        );
        assert_eq!(heard(BOUND, reply, Listener::Person), notes.to_owned() + &feedback);
    }

    #[test]
    fn a_reply_without_a_document_has_feedback_too() {
        let reply = "{\"confidence\": [1 2]}";
        let feedback = heard(BOUND, reply, Listener::Program);
        assert!(feedback.starts_with("expected `,` or a closer, found `2`, at line 1, column 19, in"), "{feedback}");
        let person = heard(BOUND, reply, Listener::Person);
        let (notes, below) = person.split_once("feedback:\n").expect("both");
        assert!(notes.starts_with("malformed: ") && notes.contains("  = next: ask again"), "{notes}");
        assert_eq!(below, feedback);
    }

    #[test]
    fn of_many_violations_the_first_are_shown() {
        let reply = format!("[{}]", (0..25).map(|number| format!("\n\"{number}\"")).collect::<Vec<_>>().join(","));
        let person = heard(r#"{"items": {"type": "integer"}}"#, &reply, Listener::Person);
        let (notes, _) = person.split_once("feedback:\n").expect("both");
        assert_eq!(notes.matches("schema mismatch: ").count(), 20);
        assert!(notes.contains("`/19` must be") && notes.ends_with("\nand 5 more\n"), "{notes}");
    }

    #[test]
    fn of_a_valid_document_there_is_nothing_to_send() {
        for listener in [Listener::Person, Listener::Program] {
            assert_eq!(heard(BOUND, "{\"confidence\": 15}", listener), "");
            let repaired = heard(BOUND, "{\"confidence\": 15,}", listener);
            assert_eq!(repaired, "repaired: `,` to nothing at line 1, column 18 [trailing_comma]\n");
        }
    }

    #[test]
    fn nobody_is_steered() {
        let hostile = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{2067}";
        let escaped = hostile.replace('\u{1b}', "\\u001b").replace('\u{7}', "\\u0007");
        let schema = format!(r#"{{"required": ["{escaped}"], "properties": {{"a": {{"enum": ["{escaped}"]}}}}}}"#);
        for reply in [format!("{hostile} {{\"a\": \"{escaped}b\"}}"), format!("{hostile} {{\"{escaped}\": '")] {
            for listener in [Listener::Person, Listener::Program] {
                let told = heard(&schema, &reply, listener);
                assert!(!told.contains(|shown| shown != '\n' && terminal::is_hidden(shown)), "{}", told.escape_debug());
                assert!(told.contains("\\u{202e}"), "{told}");
            }
        }
    }
}
