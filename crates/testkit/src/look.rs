//! A view written down: every node through the public API, which must be of one mind, as strict JSON and as a flat list.

use serde::de::IgnoredAny;
use serde_json::Value;
use thusfar_core::{Node, Span, ValueKind, ValueState, View};

use crate::flat::{Flat, flat};

/// Beyond this depth `serde_json` reads nothing.
const JUDGED: usize = 127;

/// What a view shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// How often something was taken back.
    pub generation: u32,
    /// Its values in order.
    pub list: Vec<Flat>,
    /// Where each stands.
    pub spans: Vec<Span>,
    /// All of it as JSON.
    pub json: Option<String>,
}

/// A container whose children are walked.
struct Frame<'a> {
    node: Node<'a>,
    path: String,
    children: Box<dyn Iterator<Item = Node<'a>> + 'a>,
    count: usize,
}

impl Look {
    /// Writes a view down. Linear in what is shown times its depth.
    ///
    /// # Panics
    ///
    /// If the view contradicts itself.
    #[must_use]
    pub fn of(view: &View<'_>) -> Self {
        let mut look = Self {
            generation: view.generation(),
            list: Vec::new(),
            spans: Vec::new(),
            json: view.json().map(Into::into),
        };
        let nodes = view.nodes();
        assert_eq!(nodes.len() == 0, view.is_empty());
        let mut nodes = nodes;
        let mut frames: Vec<Frame<'_>> = Vec::new();
        let mut next = view.root();
        let mut depth = 0;
        loop {
            if let Some(node) = next.take() {
                let listed = nodes.next().expect("the list holds all that the walk finds");
                assert!(same(&listed, &node), "{listed:?} {node:?}");
                let path = look.write(node, frames.last());
                frames.push(Frame { node, path, children: Box::new(node.children()), count: 0 });
                depth = depth.max(frames.len());
            }
            let Some(frame) = frames.last_mut() else { break };
            next = frame.children.next();
            if next.is_none() {
                assert_eq!(
                    (frame.node.len(), frame.node.is_empty()),
                    (frame.count, frame.count == 0),
                    "{}",
                    frame.path
                );
                frames.pop();
                if let Some(around) = frames.last_mut() {
                    around.count += 1;
                }
            }
        }
        assert!(nodes.next().is_none(), "the walk finds all that the list holds");
        look.holds(view, depth);
        look
    }

    /// Takes one node; its path.
    fn write(&mut self, node: Node<'_>, frame: Option<&Frame<'_>>) -> String {
        let (kind, known, span) = (node.kind(), node.is_known(), node.span());
        assert_eq!(node.state() == ValueState::Known, known);
        let mut path = String::new();
        match frame {
            None => assert!(node.parent().is_none() && node.key().is_none() && node.index().is_none()),
            Some(around) => {
                assert!(node.parent().is_some_and(|parent| same(&parent, &around.node)), "{node:?}");
                assert!(known || !around.node.is_known(), "what holds something open is open: {node:?}");
                let outer = around.node.span();
                assert!(outer.start < span.start && span.end <= outer.end, "{span:?} inside {outer:?}");
                let token = if around.node.kind() == ValueKind::Array {
                    assert_eq!((node.index(), node.key()), (Some(around.count), None));
                    around.count.to_string()
                } else {
                    assert!(node.index().is_none());
                    let key = node.key().expect("a member has a key");
                    key.replace('~', "~0").replace('/', "~1")
                };
                path = format!("{}/{token}", around.path);
            }
        }
        let (text, json) = (node.text(), node.json());
        assert_eq!(text.is_some(), kind == ValueKind::String, "{node:?}");
        assert_eq!(json.is_some(), known, "{node:?}");
        assert!(known || matches!(kind, ValueKind::String | ValueKind::Object | ValueKind::Array), "{node:?}");
        let json = json.map(Into::into).unwrap_or_default();
        let said = match kind {
            ValueKind::Object | ValueKind::Array => String::new(),
            ValueKind::String => text.map(Into::into).unwrap_or_default(),
            _ => String::clone(&json),
        };
        assert_eq!(node.raw().len(), span.len(), "{node:?}");
        self.list.push(Flat { path: path.clone(), kind, known, said, json });
        self.spans.push(span);
        path
    }

    /// The JSON text is strict, and is what the nodes say; the tip is the innermost value that is growing.
    fn holds(&self, view: &View<'_>, depth: usize) {
        let tip = view.tip().map(|tip| tip.pointer());
        let growing = self.list.iter().rfind(|value| !value.known);
        assert_eq!(tip.as_deref(), growing.map(|value| &*value.path), "{self:?}");
        assert_eq!(self.json.is_some(), !self.list.is_empty());
        let Some(json) = &self.json else { return };
        let read = flat(json).unwrap_or_else(|| panic!("no JSON: {json:?}"));
        let judged = serde_json::from_str::<IgnoredAny>(json);
        assert!(judged.is_ok() || depth >= JUDGED, "{judged:?}: {json:?}");
        assert_eq!(read.len(), self.list.len(), "{json:?}: {:?}", self.list);
        for (value, in_text) in self.list.iter().zip(&read) {
            let same = value.path == in_text.path && value.kind == in_text.kind && value.said == in_text.said;
            assert!(same && (!value.known || value.json == in_text.json), "{value:?} and in the text {in_text:?}");
        }
        if self.list[0].known {
            assert_eq!(*json, self.list[0].json);
        }
    }

    /// Whether each way to a node finds it: pointers, keys, indexes. Of at most so many nodes, evenly.
    ///
    /// # Panics
    ///
    /// If one finds another, or none.
    pub fn ways(&self, view: &View<'_>, most: usize) {
        let step = self.list.len() / most.max(1) + 1;
        for (node, value) in view.nodes().zip(&self.list).step_by(step) {
            let found = view.get(&value.path).unwrap_or_else(|| panic!("nothing at {:?}", value.path));
            assert!(same(&found, &node), "{found:?} at {:?}, and not {node:?}", value.path);
            assert_eq!(node.pointer(), value.path);
            if let Some(parent) = node.parent() {
                let by_key = node.key().and_then(|key| parent.member(&key));
                let found = node.index().and_then(|index| parent.at(index)).or(by_key);
                assert!(found.is_some_and(|found| same(&found, &node)), "{found:?}, and not {node:?}");
                assert!(parent.at(parent.len()).is_none() && node.index().is_none_or(|_| parent.member("").is_none()));
            }
            assert!(view.get(&format!("{}/no such key", value.path)).is_none() && node.at(node.len()).is_none());
            let value = node.deserialize::<Value>().ok().flatten();
            assert_eq!(value, node.json().and_then(|json| serde_json::from_str(&json).ok()), "{node:?}");
        }
        assert!(view.get("x").is_none() && view.get("/~2").is_none() && view.get("/~").is_none());
    }

    /// The same without the string that is open, which is as much of one mind.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[must_use]
    pub fn settled(&self, view: &View<'_>) -> Look {
        let settled = Look::of(&view.settled());
        let open = self.list.last().is_some_and(|value| !value.known && value.kind == ValueKind::String);
        let rest = &self.list[..self.list.len() - usize::from(open)];
        assert_eq!((settled.generation, &*settled.list), (self.generation, rest));
        settled.ways(&view.settled(), 4);
        settled
    }
}

fn same(one: &Node<'_>, other: &Node<'_>) -> bool {
    (one.span(), one.kind(), one.state()) == (other.span(), other.kind(), other.state())
}
