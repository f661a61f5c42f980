//! What has come since somebody looked last: a flat list that, replayed from nothing, builds the document.
//!
//! Nothing is recorded for it. A [`Cursor`] is a place in the view, and what stands behind that place is what has come, so that any
//! number of readers may look, each as often as it likes, at no cost to the reply; and one that comes late is told everything.
//!
//! # Invariant of a cursor
//!
//! All values in front of `slots` were opened to the reader, all that are not `open` or around it were closed, and of the string
//! that is `open` the content up to `told` was given.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use crate::span::Span;
use crate::tree::{NONE, OPEN, Shape, Slot};
use crate::view::{Node, ValueKind, View};

/// How far a reader has followed one reply. The default has seen nothing; another reply takes another cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Changes told so far.
    seq: u64,
    generation: u32,
    slots: u32,
    /// The innermost value that was opened and not closed.
    open: u32,
    /// How many values around it are open, it included.
    depth: u32,
    told: usize,
    is_over: bool,
}

impl Default for Cursor {
    fn default() -> Self {
        Self { seq: 0, generation: 0, slots: 0, open: NONE, depth: 0, told: 0, is_over: false }
    }
}

/// A value and its slot.
pub(crate) type Found<'a> = (u32, &'a Slot);

/// One step of a cursor.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Restarted,
    Opened(Found<'a>),
    Grew(Found<'a>, Span),
    /// A value has closed; so many values are open around it.
    Closed(Found<'a>, u32),
    RootClosed,
}

impl Cursor {
    /// How many changes were told so far.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The next thing that has come; the cursor stands behind it then.
    #[inline]
    pub(crate) fn step<'a>(&mut self, view: &View<'a>) -> Option<Step<'a>> {
        let step = self.look(view)?;
        self.seq += 1;
        Some(step)
    }

    #[inline]
    fn look<'a>(&mut self, view: &View<'a>) -> Option<Step<'a>> {
        let shown = view.shown();
        if self.generation != shown.generation {
            let had_seen = self.slots > 0;
            *self = Self { seq: self.seq, generation: shown.generation, ..Self::default() };
            if had_seen {
                return Some(Step::Restarted);
            }
        }
        if self.open == NONE {
            if self.slots == 0 {
                return self.open_next(view);
            }
            return (!core::mem::replace(&mut self.is_over, true)).then_some(Step::RootClosed);
        }
        // What is growing may be hidden.
        let slot = shown.get(self.open)?;
        if slot.shape == Shape::String {
            // Never in front of the content, whose beginning was told.
            let end = view.certain_end(slot);
            if self.told < end {
                let added = Span::new(self.told, end);
                self.told = end;
                return Some(Step::Grew((self.open, slot), added));
            }
        } else if shown.get(self.slots).is_some_and(|next| next.parent == self.open) {
            return self.open_next(view);
        }
        if slot.end == OPEN {
            return None;
        }
        let closed = self.open;
        self.open = slot.parent;
        // A cursor of another reply may have seen fewer.
        self.depth = self.depth.saturating_sub(1);
        Some(Step::Closed((closed, slot), self.depth))
    }

    /// The value behind all that was opened, if it is there.
    #[inline]
    fn open_next<'a>(&mut self, view: &View<'a>) -> Option<Step<'a>> {
        let id = self.slots;
        let slot = view.shown().get(id)?;
        self.slots += 1;
        if slot.shape == Shape::Scalar {
            return Some(Step::Closed((id, slot), self.depth));
        }
        self.open = id;
        self.depth += 1;
        if slot.shape == Shape::String {
            self.told = view.content(slot).start;
        }
        Some(Step::Opened((id, slot)))
    }
}

/// One thing that has come.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// Its number among all that the reader was told, from 1.
    pub seq: u64,
    /// What it is.
    pub kind: ChangeKind<'a>,
}

/// What has come. `Debug` shows no text.
#[derive(Clone)]
#[non_exhaustive]
pub enum ChangeKind<'a> {
    /// What was told before is of no candidate any more: begin anew. Told once, however much has changed.
    Restarted,
    /// A container or a string has begun.
    Opened(Node<'a>),
    /// Text was added to a string: the text, decoded.
    Grew(Node<'a>, Cow<'a, str>),
    /// A value is whole: one that was opened before, or a number or literal, which is opened by this too.
    Closed(Node<'a>),
    /// The root is whole. What follows may still spoil the document.
    RootClosed,
}

impl ChangeKind<'_> {
    /// The stable name: `restarted`, `opened`, `grew`, `closed`, `root_closed`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            ChangeKind::Restarted => "restarted",
            ChangeKind::Opened(_) => "opened",
            ChangeKind::Grew(..) => "grew",
            ChangeKind::Closed(_) => "closed",
            ChangeKind::RootClosed => "root_closed",
        }
    }
}

impl fmt::Debug for ChangeKind<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangeKind::Opened(node) | ChangeKind::Closed(node) => {
                formatter.debug_tuple(self.as_str()).field(node).finish()
            }
            ChangeKind::Grew(node, text) => {
                formatter.debug_tuple(self.as_str()).field(node).field(&text.len()).finish()
            }
            ChangeKind::Restarted | ChangeKind::RootClosed => formatter.write_str(self.as_str()),
        }
    }
}

/// A number or literal as its JSON text, so that no digit is lost whatever it is serialised to.
///
/// `{"seq":3,"change":"opened","path":"/a","kind":"string"}`, `{"seq":4,"change":"grew","path":"/a","text":"x"}`,
/// `{"seq":6,"change":"closed","path":"/n","kind":"number","json":"1.50"}`.
impl Serialize for Change<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("seq", &self.seq)?;
        map.serialize_entry("change", self.kind.as_str())?;
        match &self.kind {
            ChangeKind::Restarted | ChangeKind::RootClosed => {}
            ChangeKind::Opened(node) => {
                map.serialize_entry("path", &Pointer(*node))?;
                map.serialize_entry("kind", node.kind().as_str())?;
            }
            ChangeKind::Grew(node, text) => {
                map.serialize_entry("path", &Pointer(*node))?;
                map.serialize_entry("text", text)?;
            }
            ChangeKind::Closed(node) => {
                map.serialize_entry("path", &Pointer(*node))?;
                map.serialize_entry("kind", node.kind().as_str())?;
                if let Some(json) = scalar(node) {
                    map.serialize_entry("json", &json)?;
                }
            }
        }
        map.end()
    }
}

/// The JSON text of a number or literal.
fn scalar<'a>(node: &Node<'a>) -> Option<Cow<'a, str>> {
    let is_scalar = matches!(node.kind(), ValueKind::Number | ValueKind::Boolean | ValueKind::Null);
    node.json().filter(|_| is_scalar)
}

/// The JSON pointer of a value, written where it is asked for.
struct Pointer<'a>(Node<'a>);

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_pointer(formatter)
    }
}

impl Serialize for Pointer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What has come since a cursor; an iterator. Dropped half-way, it goes on there with the next one.
pub struct Changes<'a, 'c> {
    view: View<'a>,
    cursor: &'c mut Cursor,
    /// All was told: a string that is open is the last thing that there is.
    is_told: bool,
}

impl<'a> Iterator for Changes<'a, '_> {
    type Item = Change<'a>;

    #[inline]
    fn next(&mut self) -> Option<Change<'a>> {
        if self.is_told {
            return None;
        }
        let step = self.cursor.step(&self.view)?;
        let kind = match step {
            Step::Restarted => ChangeKind::Restarted,
            Step::Opened(found) => ChangeKind::Opened(self.view.with(found)),
            Step::Grew(found @ (_, slot), added) => {
                self.is_told = slot.end == OPEN;
                ChangeKind::Grew(self.view.with(found), self.view.decoded(slot, added))
            }
            Step::Closed(found, _) => ChangeKind::Closed(self.view.with(found)),
            Step::RootClosed => ChangeKind::RootClosed,
        };
        Some(Change { seq: self.cursor.seq, kind })
    }
}

impl fmt::Debug for Changes<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Changes").field("cursor", &self.cursor).finish_non_exhaustive()
    }
}

impl<'a> View<'a> {
    /// What has come since the cursor, in order, and moves it. Linear in what has come; nothing is allocated but for the text
    /// of a string with escapes.
    ///
    /// ```
    /// use thusfar_core::{ChangeKind, Cursor, Expect, Reply};
    ///
    /// let mut reply = Reply::live(Expect::object());
    /// let mut cursor = Cursor::default();
    /// let mut told = Vec::new();
    /// for chunk in ["{\"name\": \"A", "da\", \"age\": 3", "6}"] {
    ///     let _ = reply.push(chunk);
    ///     for change in reply.view().changes(&mut cursor) {
    ///         told.push(match &change.kind {
    ///             ChangeKind::Opened(node) => format!("{} opened", node.pointer()),
    ///             ChangeKind::Grew(node, text) => format!("{} + {text}", node.pointer()),
    ///             ChangeKind::Closed(node) => format!("{} = {}", node.pointer(), node.json().unwrap_or_default()),
    ///             other => other.as_str().to_owned(),
    ///         });
    ///     }
    /// }
    /// assert_eq!(told, [
    ///     " opened", "/name opened", "/name + A", "/name + da", "/name = \"Ada\"", "/age = 36",
    ///     " = {\"name\": \"Ada\", \"age\": 36}", "root_closed",
    /// ]);
    /// ```
    #[inline]
    pub fn changes<'c>(&self, cursor: &'c mut Cursor) -> Changes<'a, 'c> {
        Changes { view: *self, cursor, is_told: false }
    }

    /// What has come since the cursor as a JSON Patch (RFC 6902), an array of operations, at the end of `out`; how many
    /// they are. Moves the cursor.
    ///
    /// Values are added where they begin: `{"op":"add","path":"/n","value":12}`, containers empty, strings with the text that is
    /// there; the root at the path that is empty, `null` in its place when everything begins anew. Linear in what has come and in the
    /// pointers, each of which is as long as the keys on its way. RFC 6902 has no word for a string
    /// that grows but `replace`, which sends all of it again each time. So there is one more operation,
    /// `{"op":"append","path":"/a","value":"…"}`: the string there, and this behind it. ChatGPT's own stream names it so.
    ///
    /// ```
    /// use thusfar_core::{Cursor, Expect, Reply};
    ///
    /// let mut reply = Reply::live(Expect::object());
    /// let (mut cursor, mut patch) = (Cursor::default(), String::new());
    /// let _ = reply.push("{\"name\": \"A");
    /// assert_eq!(reply.view().patch(&mut cursor, &mut patch), 2);
    /// assert_eq!(patch, r#"[{"op":"add","path":"","value":{}},{"op":"add","path":"/name","value":"A"}]"#);
    /// patch.clear();
    /// let _ = reply.push("da\", \"age\": 36}");
    /// assert_eq!(reply.view().patch(&mut cursor, &mut patch), 2);
    /// assert_eq!(patch, r#"[{"op":"append","path":"/name","value":"da"},{"op":"add","path":"/age","value":36}]"#);
    /// ```
    pub fn patch(&self, cursor: &mut Cursor, out: &mut String) -> usize {
        let mut count = 0;
        out.push('[');
        // A string whose `add` is still open, to be closed with the text that is there.
        let mut begun = false;
        while let Some(step) = cursor.step(self) {
            if begun && !matches!(step, Step::Grew(..)) {
                out.push_str("\"\"}");
                begun = false;
            }
            match step {
                Step::Restarted => {
                    operation("add", None, &mut count, out);
                    out.push_str("null}");
                }
                Step::Opened(found @ (_, slot)) => {
                    operation("add", Some(self.with(found)), &mut count, out);
                    match slot.shape {
                        Shape::Object => out.push_str("{}}"),
                        Shape::Array => out.push_str("[]}"),
                        _ => begun = true,
                    }
                }
                Step::Grew(found @ (_, slot), added) => {
                    if !core::mem::take(&mut begun) {
                        operation("append", Some(self.with(found)), &mut count, out);
                    }
                    out.push('"');
                    escape(&self.decoded(slot, added), out);
                    out.push_str("\"}");
                }
                Step::Closed(found, _) => {
                    let node = self.with(found);
                    if let Some(json) = scalar(&node) {
                        operation("add", Some(node), &mut count, out);
                        out.push_str(&json);
                        out.push('}');
                    }
                }
                Step::RootClosed => {}
            }
        }
        if begun {
            out.push_str("\"\"}");
        }
        out.push(']');
        count
    }
}

/// Begins an operation, up to its value.
fn operation(name: &str, node: Option<Node<'_>>, count: &mut usize, out: &mut String) {
    if *count > 0 {
        out.push(',');
    }
    *count += 1;
    out.push_str("{\"op\":\"");
    out.push_str(name);
    out.push_str("\",\"path\":\"");
    if let Some(node) = node {
        // Writing to a `String` cannot fail.
        let _ = node.write_pointer(&mut Escaped(out));
    }
    out.push_str("\",\"value\":");
}

/// Writes what is written as the content of a JSON string.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(text, self.0);
        Ok(())
    }
}

/// Writes text as the content of a JSON string (RFC 8259, section 7).
fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(|char: char| matches!(char, '"' | '\\' | '\0'..='\x1f')) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            control => out.push_str(crate::scan::control_escape(control, &mut [0; 6])),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}
