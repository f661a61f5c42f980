//! What is shown as lines of JSON: a view for each piece, the changes, or patches.

use thusfar_core::{Cursor, View};
use thusfar_stream::LaneKey;

use super::voices::{End, Tag, Voices};
use crate::report::{push_json, push_on_one_line};

/// What the lines say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// What each prefix shows.
    Views,
    /// What has changed, and a report at the end.
    Changes,
    /// The same as patches, and nothing else.
    Patches,
}

/// Lines that wait to be printed.
pub(super) struct Lines {
    pub(super) text: String,
    form: Form,
    /// How far each voice was followed.
    cursors: Vec<Cursor>,
}

impl Lines {
    pub(super) fn new(form: Form) -> Self {
        Self { text: String::new(), form, cursors: Vec::new() }
    }

    /// A piece has come.
    pub(super) fn take(&mut self, voices: &Voices) {
        if self.form == Form::Views {
            return self.push_view(voices);
        }
        for voice in voices.spoke() {
            self.follow(voice.at, voice.lane, voice.view, voices.bytes());
        }
    }

    /// What a voice shows now; a line if that is more than before.
    pub(super) fn follow(&mut self, at: usize, lane: Option<Tag<'_>>, view: View<'_>, bytes: u64) {
        if self.cursors.len() <= at {
            self.cursors.resize(at + 1, Cursor::default());
        }
        let cursor = &mut self.cursors[at];
        match self.form {
            Form::Views => {}
            Form::Changes => {
                let changes: Vec<_> = view.changes(cursor).collect();
                if !changes.is_empty() {
                    push_head(&mut self.text, lane, bytes);
                    self.text.push_str(",\"changes\":");
                    push_json(&mut self.text, &changes);
                    self.text.push_str("}\n");
                }
            }
            Form::Patches => {
                let before = self.text.len();
                if let Some(lane) = lane {
                    self.text.push('{');
                    push_lane(&mut self.text, Some(lane));
                    self.text.push_str(",\"patch\":");
                }
                if view.patch(cursor, &mut self.text) == 0 {
                    return self.text.truncate(before);
                }
                self.text.push_str(if lane.is_some() { "}\n" } else { "\n" });
            }
        }
    }

    /// What it came to.
    pub(super) fn end(&mut self, end: &End, bytes: u64) {
        if self.form == Form::Changes {
            self.text.push_str(&format!("{{\"bytes\":{bytes},\"report\":"));
            end.push_report(&mut self.text);
            self.text.push_str("}\n");
        }
    }

    /// The view of whoever spoke last, and what is known of it. Linear in what is shown.
    fn push_view(&mut self, voices: &Voices) {
        let line = &mut self.text;
        let last = voices.last();
        if voices.is_body() {
            line.push('{');
            push_lane(line, last.and_then(|voice| voice.lane));
            line.push_str(&format!(",\"bytes\":{}", voices.bytes()));
        } else {
            push_head(line, None, voices.bytes());
        }
        let view = last.map(|voice| voice.view);
        line.push_str(",\"view\":");
        push_on_one_line(line, view.and_then(|view| view.json()).as_deref().unwrap_or("null"));
        let known = view.into_iter().flat_map(|view| view.nodes()).filter(|node| node.is_known());
        line.push_str(",\"closed\":");
        push_json(line, &known.map(|node| node.pointer()).collect::<Vec<_>>());
        line.push_str("}\n");
    }
}

/// Opens a line.
fn push_head(line: &mut String, lane: Option<Tag<'_>>, bytes: u64) {
    line.push('{');
    if lane.is_some() {
        push_lane(line, lane);
        line.push(',');
    }
    line.push_str(&format!("\"bytes\":{bytes}"));
}

/// Adds the member that says which lane it is.
fn push_lane(line: &mut String, lane: Option<Tag<'_>>) {
    line.push_str("\"lane\":");
    let Some(Tag { key: LaneKey { choice, kind, tool }, name }) = lane else { return line.push_str("null") };
    line.push_str(&format!("{{\"choice\":{choice},\"kind\":\"{}\",\"tool\":", kind.as_str()));
    push_json(line, &tool);
    line.push_str(",\"name\":");
    push_json(line, &name);
    line.push('}');
}
