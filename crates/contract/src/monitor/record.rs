//! The text of values that are compared as a whole: arrays whose items must differ, objects and arrays of a list.
//!
//! It is written again from the events, so that no text of the reply is needed, and no more of it is kept than the limit allows. What is
//! over the limit is not compared: the keyword is left to the end.

use std::collections::HashMap;

use serde_json::Value;

/// An item in the record, and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    from: usize,
    end: usize,
    index: u64,
}

/// What is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    text: String,
    /// Values that want it.
    wanted: u32,
    is_over: bool,
    /// Of each array whose items must differ: the text that equal items share, and where the first of them stands.
    items: Vec<HashMap<String, Item>>,
    most: usize,
}

impl Record {
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.wanted = 0;
        self.is_over = false;
        self.items.clear();
    }

    /// Bytes on the heap, about.
    pub(super) fn heap_bytes(&self) -> usize {
        let items = self.items.iter().flat_map(|items| items.keys()).map(|key| key.capacity() + size_of::<Item>());
        self.text.capacity() + items.sum::<usize>()
    }

    /// How many want it.
    pub(super) fn wanted(&self) -> u32 {
        self.wanted
    }

    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.wanted > 0
    }

    /// A value wants it, which begins now. Where its text will begin.
    pub(super) fn want(&mut self) -> usize {
        if self.wanted == 0 {
            self.text.clear();
            self.is_over = false;
        }
        self.wanted += 1;
        self.text.len() + usize::from(self.needs_comma())
    }

    /// It wants it no more.
    pub(super) fn release(&mut self) {
        self.wanted = self.wanted.saturating_sub(1);
    }

    /// A set of items.
    pub(super) fn open_items(&mut self) -> u32 {
        self.items.push(HashMap::new());
        self.items.len() as u32 - 1
    }

    pub(super) fn close_items(&mut self) {
        self.items.pop();
    }

    fn needs_comma(&self) -> bool {
        !matches!(self.text.as_bytes().last(), None | Some(b'[' | b'{' | b':'))
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// What came since a place is taken back.
    pub(super) fn take_back(&mut self, len: usize) {
        self.text.truncate(len);
    }

    /// A value, or key, begins. Where it does.
    pub(super) fn begin(&mut self, opener: &str) -> usize {
        if self.needs_comma() {
            self.push(",");
        }
        let at = self.text.len();
        self.push(opener);
        at
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.text.len() + text.len() > self.most {
            self.is_over = true;
        }
        if !self.is_over {
            self.text.push_str(text);
        }
    }

    /// Content of a string.
    pub(super) fn push_content(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(|char: char| matches!(char, '"' | '\\') || char.is_control()) {
            self.push(&rest[..at]);
            let Some(char) = rest[at..].chars().next() else { return };
            self.push(&format!("\\u{:04x}", u32::from(char)));
            rest = &rest[at + char.len_utf8()..];
        }
        self.push(rest);
    }

    /// The value whose text begins at `from` and ends here, if all of it is there.
    pub(super) fn value(&self, from: usize) -> Option<Value> {
        if self.is_over { None } else { serde_json::from_str(self.text.get(from..)?).ok() }
    }

    /// An item of an array has closed, which begins at `from`: the first one that looks equal with its index, and itself.
    pub(super) fn item(&mut self, items: u32, from: usize, index: u64) -> Option<(u64, [Value; 2])> {
        let value = self.value(from)?;
        let mut canonical = String::new();
        crate::schema::leaf::canonical(&value, &mut canonical);
        let end = self.text.len();
        let item = Item { from, end, index };
        let first = *self.items.get_mut(items as usize)?.entry(canonical).or_insert(item);
        if first == item {
            return None;
        }
        let other = serde_json::from_str(self.text.get(first.from..first.end)?).ok()?;
        Some((first.index, [other, value]))
    }
}
