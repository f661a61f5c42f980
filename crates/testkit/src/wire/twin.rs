//! The naive twin of the decoder of event streams: WHATWG HTML 9.2.5 and 9.2.6, read sentence by sentence, slowly.
//!
//! It takes a whole body, decodes it first, makes lines of it, and only then looks at them. What is more than the
//! specification stands at the end of the file: limits, fields named `error`, and what is whole although nothing closed it.

use serde::de::IgnoredAny;
use serde_json::Value;
use thusfar_stream::ErrorKind::{self, EventTooLong, LineTooLong};
use thusfar_stream::Limits;

use super::record::Said;

/// What the twin says of a body.
#[derive(Debug)]
pub struct Told {
    /// The items, in order.
    pub items: Vec<Said>,
    /// What is over a limit.
    pub over: Option<Over>,
    /// The body ends inside a line.
    pub partial_line: bool,
    /// The body ends behind data that no blank line closed.
    pub pending_event: bool,
    /// The body ends inside a line that is no comment, or an event of which something was told.
    pub is_cut: bool,
    /// Where a field `error` begins that is cut and not whole.
    pub cut_error: Option<u64>,
    /// The last event ID string.
    pub last_event_id: String,
    /// The reconnection time.
    pub retry: Option<u64>,
    /// What is whole although nothing closed it.
    pub whole: Option<Said>,
}

/// Something that is over a limit.
#[derive(Debug)]
pub struct Over {
    /// Which limit.
    pub kind: ErrorKind,
    /// The byte at which that shows.
    pub offset: u64,
    /// It is certain now, and not only if nothing follows.
    pub is_certain: bool,
}

/// A line without its end: its text, where it stood in the body and how many bytes it was there.
#[derive(Default)]
struct Line {
    text: String,
    at: usize,
    len: usize,
}

/// "Streams must be decoded using the UTF-8 decode algorithm", which strips one byte order mark. Each character with the
/// number of bytes that it was.
fn decode(body: &[u8]) -> Vec<(char, usize)> {
    let mut letters = Vec::new();
    for piece in body.utf8_chunks() {
        letters.extend(piece.valid().chars().map(|letter| (letter, letter.len_utf8())));
        if !piece.invalid().is_empty() {
            letters.push((char::REPLACEMENT_CHARACTER, piece.invalid().len()));
        }
    }
    letters
}

/// "Lines must be separated by either a CRLF pair, a single LF, or a single CR": those that ended, and what is behind them.
fn lines(letters: &[(char, usize)]) -> (Vec<Line>, Line) {
    let mut ended = Vec::new();
    let mut line = Line::default();
    let mut at = 0;
    let mut last = None;
    for (index, &(letter, len)) in letters.iter().enumerate() {
        at += len;
        match letter {
            '\u{FEFF}' if index == 0 => line.at = at,
            '\n' if last == Some('\r') => line.at = at,
            '\n' | '\r' => ended.push(std::mem::replace(&mut line, Line { at, ..Line::default() })),
            _ => {
                line.text.push(letter);
                line.len += len;
            }
        }
        last = Some(letter);
    }
    (ended, line)
}

/// A line with a colon is a name and a value, less one space at its front; a line without is a name.
fn field(line: &str) -> (&str, &str) {
    match line.split_once(':') {
        Some((name, value)) => (name, value.strip_prefix(' ').unwrap_or(value)),
        None => (line, ""),
    }
}

/// The buffers of the specification.
#[derive(Default)]
struct Twin {
    data: Vec<String>,
    data_len: usize,
    event_type: String,
    event_type_len: usize,
    id: String,
    last_event_id: String,
    reconnection_time: Option<u64>,
    retry: Option<u64>,
    has_id: bool,
    items: Vec<Said>,
}

impl Twin {
    fn line(&mut self, line: &Line) {
        let text = &*line.text;
        if text.is_empty() {
            return self.dispatch();
        }
        if text.starts_with(':') {
            return;
        }
        let (name, value) = field(text);
        // Name, colon and space of a field that is known are one byte a character.
        let value_len = || line.len - (text.len() - value.len());
        match name {
            "event" => {
                self.event_type = value.to_owned();
                self.event_type_len = value_len();
            }
            "data" => {
                self.data_len = self.data_len_with(value_len());
                self.data.push(value.to_owned());
            }
            "id" if !value.contains('\0') => {
                self.id = value.to_owned();
                self.has_id = true;
            }
            "retry" if !value.is_empty() && value.chars().all(|letter| letter.is_ascii_digit()) => {
                // What no number holds is as long as can be.
                self.retry = Some(value.parse().unwrap_or(u64::MAX));
                self.reconnection_time = self.retry;
            }
            "error" => self.items.push(error(value)),
            _ => {}
        }
    }

    fn dispatch(&mut self) {
        self.last_event_id = self.id.clone();
        if !self.data.is_empty() {
            let event = self.event(&self.data.join("\n"));
            self.items.push(event);
        }
        self.data = Vec::new();
        self.data_len = 0;
        self.event_type = String::new();
        self.event_type_len = 0;
        self.retry = None;
        self.has_id = false;
    }

    fn event(&self, data: &str) -> Said {
        let name = if self.event_type.is_empty() { "message" } else { &*self.event_type };
        Said::Event { name: name.to_owned(), data: data.into(), id: self.id.clone(), retry: self.retry }
    }

    /// Bytes of the data with one more line.
    fn data_len_with(&self, value_len: usize) -> usize {
        self.data_len + usize::from(!self.data.is_empty()) + value_len
    }

    /// Whether data, a type, an ID or a reconnection time were told behind the last blank line.
    fn is_open(&self) -> bool {
        !self.data.is_empty() || !self.event_type.is_empty() || self.has_id || self.retry.is_some()
    }

    /// The pending data and an open last line of them, if that is whole; or an error that is.
    fn whole(&self, open: &Line, limits: &Limits) -> Option<Said> {
        let (name, value) = field(&open.text);
        let mut data = self.data.clone();
        // A line `data` without a colon might be over the limit by being there.
        let is_over = over(self, open, true, limits).is_some();
        let open_value = match name {
            // No line is open, or a comment is.
            "" => None,
            "data" if is_over => return None,
            "data" => {
                data.push(value.to_owned());
                Some(value)
            }
            "error" => return is_whole_json(value, Some(value)).then(|| error(value)),
            _ => return None,
        };
        let text = data.join("\n");
        (text == "[DONE]" || is_whole_json(&text, open_value)).then(|| self.event(&text))
    }
}

/// Where the open line begins, if it is an error and not whole.
fn cut_error(open: &Line) -> Option<u64> {
    let (name, value) = field(&open.text);
    let is_error = name == "error" && open.text.contains(':');
    (is_error && !is_whole_json(value, Some(value))).then_some(open.at as u64)
}

fn error(value: &str) -> Said {
    Said::Error { name: "error".to_owned(), data: value.into() }
}

/// Whether data are one JSON text. A number in a line that is open may go on.
fn is_whole_json(text: &str, open_line: Option<&str>) -> bool {
    let is_number = text.trim_start().starts_with(|letter: char| letter == '-' || letter.is_ascii_digit());
    let may_go_on = is_number && open_line.is_some_and(|line| !line.trim().is_empty());
    is_json(text) && !may_go_on
}

/// As `serde_json` judges; deeper than it goes, as it judges the grammar.
fn is_json(text: &str) -> bool {
    match serde_json::from_str::<Value>(text) {
        Ok(_) => true,
        Err(error) if error.to_string().starts_with("recursion limit") => {
            serde_json::from_str::<IgnoredAny>(text).is_ok()
        }
        Err(_) => false,
    }
}

/// Whether data whose line may be open can be taken although nothing closed the event.
#[must_use]
pub fn is_whole_data(text: &str, is_open: bool) -> bool {
    text == "[DONE]" || is_whole_json(text, is_open.then(|| text.rsplit('\n').next().unwrap_or_default()))
}

/// What a line puts over a limit, and the first byte of it that is: of the line, or of an event that the line belongs to. A
/// type is known when its line ends, data as they come behind their colon.
fn over(twin: &Twin, line: &Line, is_ended: bool, limits: &Limits) -> Option<Over> {
    let of_line = limits.line_len.filter(|limit| line.len > *limit).map(|limit| (line.at + limit, LineTooLong(limit)));
    let of_event = limits.event_len.and_then(|limit| {
        let (name, value) = field(&line.text);
        let value_len = || line.len - (line.text.len() - value.len());
        let before = match name {
            "data" if is_ended || line.text.contains(':') => twin.data_len_with(0) + twin.event_type_len,
            // By then the line has been judged.
            "event" if is_ended && of_line.is_none() => twin.data_len,
            _ => return None,
        };
        let Some(room) = limit.checked_sub(before) else {
            // By being there at all.
            return Some((line.at, EventTooLong(limit)));
        };
        let first = line.at + line.len - value_len() + room;
        (value_len() > room).then_some((first, EventTooLong(limit)))
    });
    let (offset, kind) = match (of_line, of_event) {
        (Some(line), Some(event)) if event.0 < line.0 => event,
        (line, event) => line.or(event)?,
    };
    Some(Over { kind, offset: offset as u64, is_certain: true })
}

/// What an event stream says.
pub(crate) fn event_stream(body: &[u8], limits: &Limits) -> Told {
    let (ended, open) = lines(&decode(body));
    let mut twin = Twin::default();
    let mut first_over = None;
    for line in &ended {
        first_over = over(&twin, line, true, limits);
        if first_over.is_some() {
            break;
        }
        twin.line(line);
    }
    if first_over.is_none() {
        first_over = over(&twin, &open, false, limits);
        // Two bytes that begin the byte order mark would be no line if the third followed.
        if let Some(over) = &mut first_over {
            over.is_certain = !"\u{FEFF}".as_bytes().starts_with(body);
        }
    }
    Told {
        partial_line: open.len > 0,
        pending_event: !twin.data.is_empty(),
        is_cut: twin.is_open() || (open.len > 0 && !open.text.starts_with(':')),
        last_event_id: twin.last_event_id.clone(),
        retry: twin.reconnection_time,
        cut_error: cut_error(&open),
        whole: twin.whole(&open, limits),
        items: twin.items,
        over: first_over,
    }
}
