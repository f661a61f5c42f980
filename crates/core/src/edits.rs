//! The edits of a reply, sorted by offset, and the text they give.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::repair::{Repair, RepairKind};
use crate::scan::control_escape;
use crate::sink::{Edit, Part};
use crate::span::Span;

/// Edits, sorted by offset. Invariant: their spans do not overlap.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    pub(crate) const NONE: Self = Self { list: Vec::new() };

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// Takes the next edit. A trailing comma is recorded at its closer, behind the comments and white space between.
    pub(crate) fn push(&mut self, edit: Edit) {
        if edit.part == Part::More {
            if let Some(last) = self.list.last_mut() {
                last.span.end = edit.span.end;
                return;
            }
        }
        let behind = self.list.iter().rev().take_while(|other| other.span.start > edit.span.start).count();
        self.list.insert(self.list.len() - behind, edit);
    }

    /// The edits inside a span.
    pub(crate) fn within(&self, span: Span) -> &[Edit] {
        let place = |offset: usize| self.list.partition_point(|edit| edit.span.start < offset);
        let range: Range<usize> = place(span.start)..place(span.end);
        self.list.get(range).unwrap_or_default()
    }

    /// The text of a span of `raw` with its edits applied.
    pub(crate) fn apply<'a>(&self, raw: &'a str, span: Span) -> Cow<'a, str> {
        let edits = self.within(span);
        if edits.is_empty() {
            return Cow::Borrowed(&raw[span.range()]);
        }
        let mut text = String::with_capacity(span.len() + 16);
        let mut at = span.start;
        for edit in edits {
            text.push_str(&raw[at..edit.span.start]);
            after(edit, raw, &mut text);
            at = edit.span.end;
        }
        text.push_str(&raw[at..span.end]);
        Cow::Owned(text)
    }

    /// How many repairs are inside a span.
    pub(crate) fn repair_count(&self, span: Span) -> usize {
        self.within(span).iter().filter(|edit| edit.part == Part::First).count()
    }

    /// The repairs inside a span.
    pub(crate) fn repairs(&self, raw: &str, span: Span) -> Vec<Repair> {
        let first = self.within(span).iter().filter(|edit| edit.part == Part::First);
        let repair = |edit: &Edit| {
            let mut text = String::new();
            after(edit, raw, &mut text);
            Repair { kind: edit.kind, span: edit.span, before: raw[edit.span.range()].into(), after: text }
        };
        first.map(repair).collect()
    }
}

/// Appends what an edit puts in place of its span.
fn after(edit: &Edit, raw: &str, text: &mut String) {
    let before = &raw.as_bytes()[edit.span.range()];
    match edit.kind {
        RepairKind::EscapedDelimiter => text.push('"'),
        RepairKind::EscapedWhitespace => text.push(match before.last() {
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            _ => '\t',
        }),
        RepairKind::Comment | RepairKind::TrailingComma => {}
        RepairKind::BracketKind => text.push(if before == b"}" { ']' } else { '}' }),
        RepairKind::RawControl => {
            let mut buffer = [0; 6];
            before.iter().for_each(|&byte| text.push_str(control_escape(byte, &mut buffer)));
        }
    }
}
