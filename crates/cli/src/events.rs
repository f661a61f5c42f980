//! `thusfar events`: the body of a response in, its events out as JSON Lines, then what was left.
//!
//! Each event is handed on with the bytes that end it, so that a stream can be watched. Standard output holds events and
//! the end alone; what is no event is told on standard error, and by the exit code.

use serde::Serialize;
use thusfar_stream::{Body, Diagnosis, Eof, Error, Event, Framing, Item};

use crate::Exit;
use crate::args::EventsArgs;
use crate::input::{Input, Trouble};
use crate::terminal::{self, Output, Palette};

/// Characters of a quotation that are shown.
const SHOWN: usize = 400;

#[derive(Serialize)]
struct EventLine<'a> {
    event: &'a str,
    data: &'a str,
    id: &'a str,
    retry: Option<u64>,
}

#[derive(Serialize)]
struct LastLine {
    eof: Left,
}

#[derive(Serialize)]
struct Left {
    partial_line: bool,
    pending_event: bool,
}

/// Decodes a body and prints its events.
pub(crate) fn run(args: &EventsArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let mut input = Input::open(args.file.as_ref())?;
    let mut body = Body::new(args.framing.0);
    let mut notes = Notes { name: input.name.clone(), palette: Palette::stderr(), text: String::new(), any: false };
    let mut lines = String::new();
    while let Some(read) = input.next_chunk(|chunk| pull(&mut body, chunk, &mut lines, &mut notes))? {
        output.text(&lines).and_then(|()| output.flush()).map_err(Trouble::Write)?;
        lines.clear();
        notes.tell();
        if read.is_err() {
            break;
        }
    }
    let framing = body.framing();
    match body.finish() {
        Ok(eof) => {
            // A line end behind the last record is no part of JSON lines, but of server-sent events the blank line is.
            let takes_unclosed = args.take_unclosed || framing == Some(Framing::Ndjson);
            end(&eof, takes_unclosed, &mut lines, &mut notes);
        }
        Err(error) => notes.push("broken", &error.to_string(), error.kind().as_str()),
    }
    output.text(&lines).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    notes.tell();
    Ok(if notes.any { Exit::Failure } else { Exit::Ok })
}

/// Pulls a chunk empty.
fn pull(body: &mut Body, mut chunk: &[u8], lines: &mut String, notes: &mut Notes) -> Result<(), Error> {
    while let Some(item) = body.next_item(&mut chunk)? {
        push_item(&item, lines, notes);
    }
    Ok(())
}

fn push_item(item: &Item<'_>, lines: &mut String, notes: &mut Notes) {
    match item {
        Item::Event(event) => push_event(event, lines),
        Item::Error(error) => {
            let message = format!("{}: {}", error.name(), error.text());
            notes.push("error", &terminal::on_one_line(&message, SHOWN), "beside_the_events");
        }
        _ => {}
    }
}

fn push_event(event: &Event<'_>, lines: &mut String) {
    let (name, data, id) = (event.name(), event.text(), event.id());
    push_line(lines, &EventLine { event: &name, data: &data, id: &id, retry: event.retry() });
}

fn push_line(lines: &mut String, line: &impl Serialize) {
    // Strings, numbers and truth values always have a JSON text.
    lines.push_str(&serde_json::to_string(line).unwrap_or_default());
    lines.push('\n');
}

/// What was left at the end.
fn end(eof: &Eof, takes_unclosed: bool, lines: &mut String, notes: &mut Notes) {
    match eof.whole_item() {
        Some(item) if takes_unclosed || matches!(item, Item::Error(_)) => push_item(&item, lines, notes),
        Some(_) => {
            notes.push("cut", "nothing closes the last event, which is whole: see --take-unclosed", "unclosed_event")
        }
        None if !eof.is_cut() => {}
        None if eof.partial_line => {
            notes.push("cut", "the body ends inside a line, an element or a frame", "partial_line")
        }
        None => notes.push("cut", "nothing closes what the body ends with", "pending_event"),
    }
    if let Some(diagnosis) = eof.diagnosis() {
        notes.push_diagnosis(diagnosis);
    }
    push_line(lines, &LastLine { eof: Left { partial_line: eof.partial_line, pending_event: eof.pending_event } });
}

/// What a person is told; nothing if all is well.
struct Notes {
    name: String,
    palette: Palette,
    text: String,
    /// Whether there was one.
    any: bool,
}

impl Notes {
    /// Hands on what was noted.
    fn tell(&mut self) {
        terminal::tell(&self.text);
        self.text.clear();
    }

    fn push(&mut self, head: &str, message: &str, code: &str) {
        self.any = true;
        let style = self.palette.failure;
        self.text.push_str(&format!("{style}{head}{style:#}: {}: {message} [{code}]\n", self.name));
    }

    fn push_diagnosis(&mut self, diagnosis: &Diagnosis) {
        self.push("no events", &diagnosis.to_string(), diagnosis.kind().as_str());
        let quotation = terminal::on_one_line(&diagnosis.text(), SHOWN);
        if !quotation.is_empty() {
            let style = self.palette.frame;
            self.text.push_str(&format!("  {style}|{style:#} {quotation}\n"));
        }
    }
}
