//! Where the values of a document stand in the reply.
//!
//! Asked only of documents that break something. The document is read once more, by the engine, with its view; view and value are walked side by
//! side, so that a value is found by its address.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use thusfar_core::{Document, Expect, Limits, Live, Node, Reply, Root, Span};

/// A document with its view.
pub(crate) struct Reread {
    live: Live,
    span: Span,
}

impl Reread {
    pub(crate) fn new(document: &Document) -> Self {
        let span = document.span();
        Self { span, ..Self::of_text(&document.raw()[span.range()]) }
    }

    /// A value that is there as a whole, as it was written.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut live = Reply::live(Expect::root(Root::Value).limits(Limits::NONE));
        let _ = live.push(text);
        Self { live, span: Span::new(0, text.len()) }
    }

    /// The places of some values of `root`, which is the document's value.
    pub(crate) fn places<'a>(&'a self, root: &'a Value, wanted: impl Iterator<Item = &'a Value>) -> Places<'a> {
        let wanted: HashSet<_> = wanted.map(std::ptr::from_ref).collect();
        let mut nodes = HashMap::with_capacity(wanted.len());
        let mut waiting: Vec<(&Value, Node<'a>)> =
            self.live.view().root().map(|node| (root, node)).into_iter().collect();
        while let Some((value, node)) = waiting.pop() {
            if wanted.contains(&std::ptr::from_ref(value)) {
                nodes.insert(std::ptr::from_ref(value), node);
            }
            match value {
                Value::Object(members) => {
                    let child = |node: Node<'a>| Some((members.get(node.key()?.as_ref())?, node));
                    waiting.extend(node.children().filter_map(child));
                }
                Value::Array(items) => waiting.extend(items.iter().zip(node.children())),
                _ => {}
            }
        }
        Places { nodes, span: self.span }
    }
}

/// Where each of these values stands.
pub(crate) struct Places<'a> {
    nodes: HashMap<*const Value, Node<'a>>,
    span: Span,
}

impl Places<'_> {
    /// JSON pointer and place in the raw reply. A number or literal that is the whole document is no node: it stands where the document does.
    pub(crate) fn of(&self, value: &Value) -> (String, Span) {
        match self.nodes.get(&std::ptr::from_ref(value)) {
            Some(node) => {
                let span = node.span();
                (node.pointer(), Span::new(self.span.start + span.start, self.span.start + span.end))
            }
            None => (String::new(), self.span),
        }
    }
}
