//! What is drawn: each document indented as far as it is known, marks where it grows, and a status line. Pure: views in,
//! rows out.
//!
//! A string that is growing ends with a mark instead of its quote, and where the closer of a container will stand there is a
//! mark on a line of its own, so that nothing moves when it closes.

use thusfar_core::{Progress, ValueKind, View};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::voices::{Tag, Voices};
use crate::stream::live;
use crate::{pretty, terminal};

/// Where a string grows, and where a container does.
const CURSOR: &str = "▌";
const MORE: &str = "…";

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Document,
    /// The same, of which nothing more comes.
    Ended,
    /// Of a lane.
    Heading,
    Status,
    /// The status of what is good, or of what is not.
    Good,
    Bad,
}

/// A line before it is fitted, and a row after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) role: Role,
    pub(super) text: String,
    /// A mark behind the text.
    pub(super) mark: &'static str,
}

impl Row {
    fn new(role: Role, text: String) -> Self {
        Self { role, text, mark: "" }
    }
}

/// What the status line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    bytes: u64,
    values: usize,
    growing: usize,
    repairs: usize,
    word: &'static str,
    has_lanes: bool,
    /// What it came to, and whether that is good.
    pub(super) verdict: Option<(&'static str, bool)>,
}

impl Status {
    pub(super) fn of(voices: &Voices) -> Self {
        let progress = voices.last().map_or(Progress::Searching, |voice| voice.progress);
        let (bytes, repairs, word) = (voices.bytes(), voices.repair_count(), live::word(progress));
        Self { bytes, repairs, word, ..Self::default() }
    }

    fn row(&self) -> Row {
        let Self { bytes, values, growing, repairs, word, verdict, has_lanes } = self;
        let counts = format!("bytes {bytes} | values {values} | growing {growing} | repairs {repairs}");
        match verdict {
            None => Row::new(Role::Status, format!("{counts} | {word}")),
            Some((word, true)) => Row::new(Role::Good, format!("{counts} | {word}")),
            Some((word, false)) => {
                let word = word.replace('_', " ");
                let shown = if *values > 0 && !has_lanes { ": what is shown is no document" } else { "" };
                Row::new(Role::Bad, format!("{counts} | {word}{shown}"))
            }
        }
    }
}

/// What is drawn, as lines of any length.
pub(super) struct Frame {
    lines: Vec<Row>,
    /// The line at which something happens.
    tip: usize,
    pub(super) status: Status,
    /// Nothing more comes.
    pub(super) is_over: bool,
}

impl Frame {
    pub(super) fn new(status: Status) -> Self {
        Self { lines: Vec::new(), tip: 0, status, is_over: false }
    }

    /// Adds what one voice shows, under a heading if it is a lane. `is_last`: it spoke last. Linear in what is shown.
    pub(super) fn push(&mut self, lane: Option<Tag<'_>>, view: View<'_>, is_last: bool) {
        if let Some(tag) = lane {
            let name = terminal::on_one_line(&live::name(tag.key, tag.name), usize::MAX);
            self.lines.push(Row::new(Role::Heading, name));
            self.status.has_lanes = true;
        }
        let tip = view.tip();
        let in_string = tip.is_some_and(|tip| tip.kind() == ValueKind::String);
        let growing = std::iter::successors(tip, |node| node.parent()).count();
        self.status.values += view.nodes().len();
        self.status.growing += growing;
        let Some(json) = view.json() else { return };
        let open = growing - usize::from(in_string);
        let role = if self.is_over { Role::Ended } else { Role::Document };
        // What is growing was closed so that it is JSON: with one byte for each.
        let mut text = String::new();
        let _ = pretty::indent(&json[..json.len() - growing], |piece| {
            text.push_str(piece);
            Ok(())
        });
        if growing > 0 && !in_string {
            text.truncate(text.trim_end().len());
        }
        self.lines.extend(text.split('\n').map(|line| Row::new(role, line.to_owned())));
        if is_last {
            self.tip = self.lines.len() - 1;
        }
        if let (true, Some(row)) = (in_string, self.lines.last_mut()) {
            row.mark = if self.is_over { MORE } else { CURSOR };
        }
        let closers = (0..open).rev().map(|depth| Row { role, text: pretty::INDENT.repeat(depth), mark: MORE });
        self.lines.extend(closers);
    }

    /// The rows that a terminal of this size shows, at most `height`: all of them, or the part around the tip; the status
    /// line is the last one. The cost beyond the lines themselves is that of the rows that are shown, and of the tip's line.
    pub(super) fn fit(&self, width: usize, height: usize) -> Vec<Row> {
        let (width, height) = (width.max(4), height.max(2));
        let room = height - 1;
        let wrapped = |lines: &[Row]| lines.iter().flat_map(|line| wrap(line, width)).collect::<Vec<_>>();
        let (front, behind) = self.lines.split_at(self.lines.len().min(self.tip + 1));
        let front = wrapped(&front[front.len().saturating_sub(room)..]);
        let behind = wrapped(&behind[..behind.len().min(room)]);
        let mut behind_count = behind.len();
        if front.len() + behind_count > room {
            // What stands behind the tip has a quarter, or what is left.
            behind_count = behind_count.min((room / 4).max(room.saturating_sub(front.len())));
        }
        let front_count = front.len().min(room - behind_count);
        let mut rows = front[front.len() - front_count..].to_vec();
        rows.extend_from_slice(&behind[..behind_count]);
        let Row { role, text, .. } = self.status.row();
        rows.push(Row::new(role, cut(&text, width)));
        rows
    }

    /// All of it, the lines as long as they are.
    pub(super) fn whole(&self) -> Vec<Row> {
        let shown = self.lines.iter().map(|line| Row { text: terminal::escaped(&line.text), ..line.clone() });
        shown.chain([self.status.row()]).collect()
    }
}

/// The rows that a line takes. A mark that has no room stands on a row of its own.
fn wrap(line: &Row, width: usize) -> Vec<Row> {
    let mut rows = vec![Row::new(line.role, String::new())];
    let mut used = 0;
    let mut put = |text: &str, columns: usize| {
        if used + columns > width {
            rows.push(Row::new(line.role, String::new()));
            used = 0;
        }
        used += columns;
        rows.last_mut().map(|row| row.text.push_str(text))
    };
    for character in line.text.chars() {
        match character.width() {
            Some(columns) if !terminal::is_hidden(character) => put(character.encode_utf8(&mut [0; 4]), columns),
            _ => format!("\\u{{{:x}}}", u32::from(character))
                .chars()
                .try_for_each(|c| put(c.encode_utf8(&mut [0; 4]), 1)),
        };
    }
    put("", line.mark.width());
    if let Some(row) = rows.last_mut() {
        row.mark = line.mark;
    }
    rows
}

/// As much of a line of plain text as has room.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width { text.to_owned() } else { terminal::on_one_line(text, width - 1) }
}

#[cfg(test)]
mod tests;
