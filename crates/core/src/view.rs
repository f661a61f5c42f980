//! What is known so far: a look at the document while it is being written.
//!
//! A [`View`] borrows the reply and costs nothing to take. It shows what stands in the reply and nothing else: no value is
//! closed, completed or assumed. A value is *known* (it will not change) or *growing* (something can only be added to it), or it
//! is not there yet. What is not there yet: numbers and literals that may go on, half an escape, half a surrogate pair, a key
//! without the first thing that can be shown of its value, and a second equal key before its value has closed and is equal.
//!
//! It is a preview. What has been shown belongs to the document only when [`finish`](crate::Reply::finish) gives one.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::DeserializeOwned;

use crate::edits::Edits;
use crate::span::Span;
use crate::tree::{NONE, OPEN, Shape, Shown, Slot};
use crate::value::unescape;

/// Up to this length a search costs more than looking byte by byte.
const SHORT: usize = 16;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `{ }`
    Object,
    /// `[ ]`
    Array,
    /// A string.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
}

impl ValueKind {
    /// The name that JSON Schema has for the type (draft 2020-12, validation, section 6.1.1).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ValueKind::Object => "object",
            ValueKind::Array => "array",
            ValueKind::String => "string",
            ValueKind::Number => "number",
            ValueKind::Boolean => "boolean",
            ValueKind::Null => "null",
        }
    }
}

/// Whether a value can still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueState {
    /// It is whole, and will not change as long as this candidate is shown.
    Known,
    /// It is open: something can be added to it, and nothing else can happen.
    Growing,
}

/// The document as far as it is known. Taken by [`Live::view`](crate::Reply::view).
///
/// ```
/// use thusfar_core::{Expect, Reply, ValueState};
///
/// let mut reply = Reply::live(Expect::object());
/// let _ = reply.push("{\"title\": \"Minutes\", \"pages\": 12, \"summary\": \"It was dec");
/// let view = reply.view();
/// let summary = view.get("/summary").expect("it has begun");
/// assert_eq!((summary.state(), summary.text().as_deref()), (ValueState::Growing, Some("It was dec")));
/// assert_eq!(view.get("/pages").and_then(|pages| pages.json()).as_deref(), Some("12"));
/// assert_eq!(view.json().as_deref(), Some("{\"title\": \"Minutes\", \"pages\": 12, \"summary\": \"It was dec\"}"));
/// ```
///
/// `Copy`; all getters are O(1) unless they say otherwise, and nothing is recursion. While nothing comes it stays as it is.
#[derive(Clone, Copy)]
pub struct View<'a> {
    raw: &'a str,
    edits: &'a Edits,
    shown: Shown<'a>,
    /// How far the reply was read, and how far the string is certain that is open.
    read: usize,
    string_end: usize,
    /// Whether that string holds escapes.
    is_escaped: bool,
    /// The container of a value that is not shown although it is there.
    hidden_in: u32,
}

/// What a view is made of beside its tree.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) raw: &'a str,
    pub(crate) edits: &'a Edits,
    pub(crate) read: usize,
    pub(crate) string_end: usize,
    pub(crate) is_escaped: bool,
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn new(shown: Shown<'a>, ground: Ground<'a>) -> Self {
        let Ground { raw, edits, read, string_end, is_escaped } = ground;
        Self { raw, edits, shown, read, string_end, is_escaped, hidden_in: NONE }
    }

    #[inline]
    pub(crate) fn shown(&self) -> &Shown<'a> {
        &self.shown
    }

    /// The root, once there is a document.
    #[must_use]
    #[inline]
    pub fn root(&self) -> Option<Node<'a>> {
        self.node(0)
    }

    /// The innermost value that is growing: a string, or else a container. None before the root and behind it.
    #[must_use]
    #[inline]
    pub fn tip(&self) -> Option<Node<'a>> {
        if self.shown.in_string {
            return self.node(self.shown.len.checked_sub(1)? as u32);
        }
        self.node(*self.shown.open.last()?)
    }

    /// The value that a JSON pointer (RFC 6901) names, if it is there; the empty pointer is the root. The cost is that of
    /// [`Node::key`] and [`Node::at`], step by step.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<Node<'a>> {
        let mut node = self.root()?;
        for token in tokens(pointer)? {
            node = match node.kind() {
                ValueKind::Object => node.member(&token)?,
                ValueKind::Array => node.at(array_index(&token)?)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// All values in the order of the text, a container in front of what it holds.
    #[inline]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'a>> + use<'a> {
        let view = *self;
        (0..self.shown.len as u32).map(move |id| view.at(id))
    }

    /// How often something that was shown has been taken back: another candidate took its place, or it was no document. It goes up
    /// by one each time.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.shown.generation
    }

    /// Whether nothing is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown.len == 0
    }

    /// The same without the string that is growing: for whoever can do nothing with half a word. Containers are shown as far
    /// as they have come.
    ///
    /// ```
    /// use thusfar_core::{Expect, Reply};
    /// let mut reply = Reply::live(Expect::object());
    /// let _ = reply.push("{\"id\": 7, \"verdict\": \"appr");
    /// assert_eq!(reply.view().settled().json().as_deref(), Some("{\"id\": 7}"));
    /// ```
    #[must_use]
    pub fn settled(mut self) -> Self {
        if self.shown.in_string {
            self.shown.in_string = false;
            if let Some(last) = self.shown.len.checked_sub(1) {
                self.hidden_in = self.shown.at(last as u32).parent;
                self.shown.len = last;
            }
        }
        self
    }

    /// What is shown as strict JSON text (RFC 8259): as it was written, repairs applied, and closed where it is open. What is
    /// unfinished is left out, a string that is growing is there as far as it is known; a second equal key, whose value has closed, stands there as it
    /// was written, though it is no [node](View::nodes). None before there is a document.
    ///
    /// Linear in the text that is shown: for each chunk use [`changes`](View::changes).
    #[must_use]
    pub fn json(&self) -> Option<Cow<'a, str>> {
        let root = self.root()?;
        if let Some(whole) = root.json() {
            return Some(whole);
        }
        let (end, quote) = self.shown_end();
        let mut text = self.edits.apply(self.raw, Span::new(root.slot().start as usize, end)).into_owned();
        if quote {
            text.push('"');
        }
        for &id in self.shown.open.iter().rev() {
            text.push(if self.slot(id).shape == Shape::Object { '}' } else { ']' });
        }
        Some(Cow::Owned(text))
    }

    /// One past the last thing that is shown, and whether that is a string that is open.
    fn shown_end(&self) -> (usize, bool) {
        if self.shown.in_string {
            return (self.string_end, true);
        }
        let Some(&container) = self.shown.open.last() else { return (self.read, false) };
        let slot = self.slot(container);
        if self.count(container) == 0 {
            return (slot.start as usize + 1, false);
        }
        let mut last = self.shown.len as u32 - 1;
        while self.slot(last).parent != container {
            last = self.slot(last).parent;
        }
        (self.slot(last).end as usize, false)
    }

    /// The same as a `serde_json::Value`. None before there is a document, and where it is deeper than the 128 frames that
    /// `serde_json` reads. Linear in the text that is shown.
    #[must_use]
    pub fn to_value(&self) -> Option<serde_json::Value> {
        self.deserialize().ok().flatten()
    }

    /// Deserialises what is shown: into a type whose fields are optional or have defaults, since any of them may not be there
    /// yet. `None` before there is a document. Linear in the text that is shown.
    ///
    /// ```
    /// use thusfar_core::{Expect, Reply};
    ///
    /// let mut reply = Reply::live(Expect::object());
    /// let _ = reply.push("{\"name\": \"Ada\", \"age\": 3");
    /// type Person = std::collections::BTreeMap<String, serde_json::Value>; // or a struct with `#[serde(default)]`
    /// let person: Option<Person> = reply.view().deserialize()?;
    /// let person = person.expect("the object has begun");
    /// assert_eq!(person.get("name"), Some(&"Ada".into()));
    /// assert_eq!(person.get("age"), None); // it may become 36
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// When what is shown does not have the shape of `T`: a required field is not there yet, or a string that is growing is none of
    /// the words that an enum takes (see [`settled`](View::settled)). As of a [`Document`](crate::Document), a struct refuses an object in which
    /// a key stands twice, with equal values.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        self.json().map(|text| serde_json::from_str(&text)).transpose()
    }

    #[inline]
    fn node(&self, id: u32) -> Option<Node<'a>> {
        self.shown.get(id).map(|slot| self.with((id, slot)))
    }

    #[inline]
    pub(crate) fn slot(&self, id: u32) -> &'a Slot {
        self.shown.at(id)
    }

    /// How many values stand directly in a container.
    fn count(&self, id: u32) -> u32 {
        self.slot(id).count - u32::from(id == self.hidden_in)
    }

    /// The node with an id that is there.
    #[inline]
    fn at(&self, id: u32) -> Node<'a> {
        self.with((id, self.slot(id)))
    }

    /// The same, its slot known.
    #[inline]
    pub(crate) fn with(&self, (id, slot): (u32, &'a Slot)) -> Node<'a> {
        Node { view: *self, id, slot }
    }

    /// One past the last slot of a value.
    #[inline]
    fn past(&self, id: u32) -> u32 {
        match self.slot(id) {
            slot if !slot.shape.is_container() => id + 1,
            slot if slot.end == OPEN => self.shown.len as u32,
            slot => slot.last,
        }
    }

    /// Content of a string: from where, up to where it is certain.
    #[inline]
    pub(crate) fn content(&self, slot: &Slot) -> Span {
        let start = slot.start as usize;
        let delimiter = if self.raw.as_bytes().get(start) == Some(&b'\\') { 2 } else { 1 };
        let start = start + delimiter;
        Span::new(start, self.certain_end(slot).max(start))
    }

    /// Up to where a string is certain; it may be nothing.
    #[inline]
    pub(crate) fn certain_end(&self, slot: &Slot) -> usize {
        if slot.end == OPEN { self.string_end } else { slot.last as usize }
    }

    /// Some of the content of a string, decoded.
    #[inline]
    pub(crate) fn decoded(&self, slot: &Slot, content: Span) -> Cow<'a, str> {
        let is_escaped = if slot.end == OPEN { self.is_escaped } else { slot.is_escaped };
        let content = self.raw.get(content.range()).unwrap_or_default();
        // What has come since the last look is short: it is cheaper to look than to ask for a search.
        if !is_escaped || content.len() <= SHORT && !content.bytes().any(|byte| byte == b'\\') {
            return Cow::Borrowed(content);
        }
        unescape(content)
    }
}

/// Counts only: never the text.
impl fmt::Debug for View<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("View")
            .field("values", &self.shown.len)
            .field("growing", &(self.shown.open.len() + usize::from(self.shown.in_string)))
            .field("generation", &self.shown.generation)
            .finish()
    }
}

/// One value of a [`View`]. `Copy`; it belongs to the view it was taken from.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    view: View<'a>,
    id: u32,
    slot: &'a Slot,
}

impl<'a> Node<'a> {
    #[inline]
    fn slot(&self) -> &'a Slot {
        self.slot
    }

    /// Its kind.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> ValueKind {
        let slot = self.slot();
        match slot.shape {
            Shape::Object => ValueKind::Object,
            Shape::Array => ValueKind::Array,
            Shape::String => ValueKind::String,
            Shape::Scalar => match self.view.raw.as_bytes().get(slot.start as usize) {
                Some(b't' | b'f') => ValueKind::Boolean,
                Some(b'n') => ValueKind::Null,
                _ => ValueKind::Number,
            },
        }
    }

    /// Whether it can still change.
    #[must_use]
    #[inline]
    pub fn state(&self) -> ValueState {
        if self.slot().end == OPEN { ValueState::Growing } else { ValueState::Known }
    }

    /// Whether it is whole.
    #[must_use]
    #[inline]
    pub fn is_known(&self) -> bool {
        self.state() == ValueState::Known
    }

    /// Where it stands in the raw reply, in bytes, its delimiters included. Of a growing one: as far as it is certain, of a
    /// container as far as the reply was read.
    #[must_use]
    #[inline]
    pub fn span(&self) -> Span {
        let slot = self.slot();
        let end = match slot.shape {
            _ if slot.end != OPEN => slot.end as usize,
            Shape::String => self.view.content(slot).end,
            _ => self.view.read,
        };
        Span::new(slot.start as usize, end)
    }

    /// The bytes of the reply that it stands in, as they were written.
    #[must_use]
    #[inline]
    pub fn raw(&self) -> &'a str {
        self.view.raw.get(self.span().range()).unwrap_or_default()
    }

    /// The text of a string as far as it is certain, decoded. Borrowed where it holds no escapes; otherwise linear in its length.
    #[must_use]
    #[inline]
    pub fn text(&self) -> Option<Cow<'a, str>> {
        let slot = self.slot();
        (slot.shape == Shape::String).then(|| self.view.decoded(slot, self.view.content(slot)))
    }

    /// The JSON text of a known value: byte for byte what the document will hold there, so that numbers keep their digits. Borrowed
    /// where nothing in it was repaired; otherwise linear in its length.
    #[must_use]
    #[inline]
    pub fn json(&self) -> Option<Cow<'a, str>> {
        self.is_known().then(|| self.view.edits.apply(self.view.raw, self.span()))
    }

    /// Deserialises a known value. `None` while it is growing. Linear in its text.
    ///
    /// # Errors
    /// When it does not have the shape of `T`, or is deeper than `serde_json` reads.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        self.json().map(|text| serde_json::from_str(&text)).transpose()
    }

    /// The key under which it stands in an object, decoded: linear in its length where it holds escapes.
    #[must_use]
    #[inline]
    pub fn key(&self) -> Option<Cow<'a, str>> {
        let slot = self.slot();
        slot.has_key.then(|| {
            let key = self.view.raw.get(slot.label as usize..(slot.label + slot.key_len) as usize).unwrap_or_default();
            if slot.is_key_escaped { unescape(key) } else { Cow::Borrowed(key) }
        })
    }

    /// Whether it stands under a key. Linear in `name`, however long the key is: of six bytes that are written (`\u0061`) one is meant at least.
    pub(crate) fn has_key(&self, name: &str) -> bool {
        let written = self.slot().key_len as usize;
        let may_be = name.len() <= written && written <= name.len().saturating_mul(6);
        may_be && self.key().is_some_and(|key| key == name)
    }

    /// Its index in an array.
    #[must_use]
    #[inline]
    pub fn index(&self) -> Option<usize> {
        let slot = self.slot();
        (slot.parent != NONE && !slot.has_key).then_some(slot.label as usize)
    }

    /// The [generation](View::generation) of the view it was taken from.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.view.generation()
    }

    /// The container that it stands in.
    #[must_use]
    #[inline]
    pub fn parent(&self) -> Option<Node<'a>> {
        self.view.node(self.slot().parent)
    }

    /// How many values stand directly in it so far; zero of a value that is no container.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.view.count(self.id) as usize
    }

    /// Whether no value stands in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values that stand directly in it, in the order of the text.
    pub fn children(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let view = self.view;
        let (mut next, past) = (self.id + 1, view.past(self.id));
        core::iter::from_fn(move || {
            let id = next;
            (id < past).then(|| {
                next = view.past(id);
                view.at(id)
            })
        })
    }

    /// The member with a key. Linear in the members in front of it.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<Node<'a>> {
        self.children().find(|child| child.has_key(key))
    }

    /// The element with an index. O(depth · log n) for n values.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<Node<'a>> {
        let slot = self.slot();
        if slot.shape != Shape::Array || index >= self.len() {
            return None;
        }
        // `low` is an element, and the one that is searched is not in front of it; it is in front of `past`.
        let (mut low, mut past) = (self.id + 1, self.view.past(self.id));
        loop {
            let mut middle = low + (past - low) / 2;
            while middle != NONE && self.view.slot(middle).parent != self.id {
                middle = self.view.slot(middle).parent;
            }
            match (self.view.slot(middle).label as usize).cmp(&index) {
                core::cmp::Ordering::Equal => return Some(self.view.at(middle)),
                core::cmp::Ordering::Greater => past = middle,
                core::cmp::Ordering::Less => low = self.view.past(middle),
            }
        }
    }

    /// Its JSON pointer (RFC 6901). Linear in the depth and in the keys on its way.
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write_pointer(&mut pointer);
        pointer
    }

    /// Writes its JSON pointer (RFC 6901). Linear in the depth and in the keys on its way.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_pointer(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let mut path: smallvec::SmallVec<[u32; 16]> = smallvec::SmallVec::new();
        let mut id = self.id;
        while self.view.slot(id).parent != NONE {
            path.push(id);
            id = self.view.slot(id).parent;
        }
        for &id in path.iter().rev() {
            let node = self.view.at(id);
            match node.key() {
                None => write!(out, "/{}", self.view.slot(id).label)?,
                Some(key) => {
                    out.write_char('/')?;
                    write_token(&key, out)?;
                }
            }
        }
        Ok(())
    }
}

/// Kind and state only: never the text.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Node")
            .field("kind", &self.kind())
            .field("state", &self.state())
            .field("span", &self.span())
            .finish()
    }
}

/// The reference tokens of a JSON pointer; none of a text that is no pointer (RFC 6901, section 3).
pub(crate) fn tokens(pointer: &str) -> Option<Vec<Cow<'_, str>>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(token).collect()
}

fn token(written: &str) -> Option<Cow<'_, str>> {
    if !written.contains('~') {
        return Some(Cow::Borrowed(written));
    }
    let mut token = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((front, escape)) = rest.split_once('~') {
        token.push_str(front);
        token.push(match escape.as_bytes().first()? {
            b'0' => '~',
            b'1' => '/',
            _ => return None,
        });
        rest = &escape[1..];
    }
    token.push_str(rest);
    Some(Cow::Owned(token))
}

fn write_token(key: &str, out: &mut impl fmt::Write) -> fmt::Result {
    let mut rest = key;
    while let Some(at) = rest.find(['~', '/']) {
        out.write_str(&rest[..at])?;
        out.write_str(if rest.as_bytes()[at] == b'~' { "~0" } else { "~1" })?;
        rest = &rest[at + 1..];
    }
    out.write_str(rest)
}

/// The index that a reference token is: digits without a leading zero (RFC 6901, section 4).
pub(crate) fn array_index(token: &str) -> Option<usize> {
    let is_index = token.bytes().all(|byte| byte.is_ascii_digit()) && (token.len() == 1 || !token.starts_with('0'));
    token.parse().ok().filter(|_| is_index)
}
