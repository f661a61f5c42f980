//! Every text of a few tokens, and which of its prefixes a valid document begins with.
//!
//! A tree of bytes. Token strings are tried in depth, as far as [`Syntax`] keeps them alive; each whole document is given to the full validator,
//! and what leads to a valid one is marked. That is a lower bound: more may be viable behind the horizon. So what is viable here is viable
//! ([`Node::strict`], [`Node::lenient`] have a witness), and what is not is looked at once more with [`Search::goes_on`]; what that finds is put into the
//! tree, and where there was something the tree is walked again.

use std::collections::HashMap;

use thusfar_contract::Contract;

use super::syntax::{Room, Syntax, Whole, whole};

/// What is tried behind a byte, besides a schema's own tokens and what is made of them, before it is said that nothing valid is possible there.
const BEHIND: &[&str] = &[
    "\"",
    "}",
    "]",
    "1}",
    "1]",
    "null}",
    "null]",
    "z\":1}",
    "\"z\":1}",
    "z\":1",
    "\"z\":1",
    ",\"z\":1",
    ",\"z\":1}",
    "z\"",
    "\"z\"",
    "z",
    "1",
    "0",
    "u0062",
    "null",
    "]]",
    "}}",
    "null]]",
    ",1",
    ",\"a\"",
    ",\"a\"]",
    ",null]",
];
/// So many steps of these; or fewer, if that takes too many tries, but more than so many.
const DEEPEST: usize = 6;
const DEEP_ENOUGH: usize = 2;
const TRIES: usize = 400_000;

/// The root of the tree.
pub(super) const ROOT: usize = 0;

/// What a whole document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Valid,
    Invalid,
    /// Two values under one key, or a number that is too large.
    Refused,
}

/// A prefix.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) byte: u8,
    parent: usize,
    pub(super) children: Vec<usize>,
    /// A valid document that is strict JSON without repeated keys begins with it.
    pub(super) strict: bool,
    /// A valid document begins with it.
    pub(super) lenient: bool,
    pub(super) whole: Option<Kind>,
    /// It ends with a token, the so manieth.
    pub(super) tokens: Option<usize>,
}

/// A tree of prefixes under one schema.
pub(super) struct Search<'c> {
    pub(super) nodes: Vec<Node>,
    contract: &'c Contract,
    tokens: &'c [&'c str],
    most: usize,
    room: Room,
    /// Token strings that were judged, with what they are.
    judged: HashMap<String, (Kind, bool)>,
    pub(super) documents: usize,
}

impl<'c> Search<'c> {
    pub(super) fn new(contract: &'c Contract, tokens: &'c [&'c str], most: usize, room: Room) -> Self {
        let nodes = vec![Node::default()];
        let mut search = Self { nodes, contract, tokens, most, room, judged: HashMap::new(), documents: 0 };
        search.grow(ROOT, &Syntax::new(room), 0, &mut String::new());
        search
    }

    fn grow(&mut self, at: usize, syntax: &Syntax, used: usize, text: &mut String) {
        if self.nodes[at].tokens.is_some_and(|before| before <= used) {
            return;
        }
        self.nodes[at].tokens = Some(used);
        if syntax.is_whole() && self.nodes[at].whole.is_none() {
            self.judge(at, text);
        }
        if used == self.most {
            return;
        }
        for &token in self.tokens {
            let mut next = syntax.clone();
            if next.push_token(token) {
                let to = token.bytes().fold(at, |at, byte| self.child(at, byte));
                text.push_str(token);
                self.grow(to, &next, used + 1, text);
                text.truncate(text.len() - token.len());
            }
        }
    }

    fn child(&mut self, at: usize, byte: u8) -> usize {
        let is_it = |child: &&usize| self.nodes[**child].byte == byte;
        if let Some(&child) = self.nodes[at].children.iter().find(is_it) {
            return child;
        }
        let child = self.nodes.len();
        self.nodes.push(Node { byte, parent: at, ..Node::default() });
        self.nodes[at].children.push(child);
        child
    }

    /// What a whole text is, and whether it is strict.
    fn kind(&mut self, text: &str) -> (Kind, bool) {
        if let Some(&known) = self.judged.get(text) {
            return known;
        }
        let (value, is_strict) = match whole(text) {
            Whole::Refused => return (Kind::Refused, false),
            Whole::Strict(value) => (value, true),
            Whole::Lenient(value) => (value, false),
        };
        let is_valid = self.contract.is_valid(&value).expect("a small value");
        let known = (if is_valid { Kind::Valid } else { Kind::Invalid }, is_strict);
        self.judged.insert(text.to_owned(), known);
        known
    }

    fn judge(&mut self, at: usize, text: &str) {
        let (kind, is_strict) = self.kind(text);
        self.documents += 1;
        self.nodes[at].whole = Some(kind);
        if kind != Kind::Valid {
            return;
        }
        let mut above = at;
        loop {
            let node = &mut self.nodes[above];
            if node.lenient && (node.strict || !is_strict) {
                break;
            }
            node.lenient = true;
            node.strict |= is_strict;
            if above == ROOT {
                break;
            }
            above = node.parent;
        }
    }

    /// The text that leads to a node.
    pub(super) fn text(&self, mut at: usize) -> String {
        let mut bytes = Vec::new();
        while at != ROOT {
            bytes.push(self.nodes[at].byte);
            at = self.nodes[at].parent;
        }
        bytes.reverse();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A valid document that begins with a node.
    pub(super) fn witness(&self, mut at: usize) -> String {
        while self.nodes[at].whole != Some(Kind::Valid) {
            let next = self.nodes[at].children.iter().find(|&&child| self.nodes[child].lenient);
            at = *next.expect("a node that leads to one");
        }
        self.text(at)
    }

    /// What is tried behind a byte: what a token ends with, for the first step alone, and what is tried in each.
    fn behind(&self) -> (Vec<String>, Vec<String>) {
        let ends =
            |token: &&str| (1..token.len()).filter_map(|at| token.get(at..)).map(str::to_owned).collect::<Vec<_>>();
        let first = self.tokens.iter().flat_map(ends).collect();
        let keys = self.tokens.iter().filter(|token| token.ends_with(':'));
        let members = keys.flat_map(|key| ["1", "null", "1}"].map(|value| format!("{key}{value}")));
        let mut all: Vec<String> = members.collect();
        all.extend(all.clone().into_iter().map(|member| format!(",{member}")));
        all.extend(self.tokens.iter().chain(BEHIND).map(|&token| token.to_owned()));
        (first, all)
    }

    /// Whether a few steps lead from a node to a valid strict document, with more room than before. It is put into the tree.
    pub(super) fn goes_on(&mut self, at: usize) -> bool {
        let Some(witness) = self.further(at) else { return false };
        let at = witness.bytes().fold(ROOT, |at, byte| self.child(at, byte));
        self.judge(at, &witness);
        true
    }

    fn further(&mut self, at: usize) -> Option<String> {
        let Room { chars, digits, depth } = self.room;
        let text = self.text(at);
        let mut syntax = Syntax::new(Room { chars: chars + 3, digits: digits + 3, depth: depth + 1 });
        assert!(syntax.push_all(text.as_bytes()), "it was alive before: {text}");
        let (first, all) = self.behind();
        let mut tries = TRIES;
        for left in 0..=DEEPEST {
            for end in first.iter().map(String::as_str).chain([""]) {
                let mut next = syntax.clone();
                let mut text = format!("{text}{end}");
                if next.push_all(end.as_bytes()) {
                    match self.reaches(&next, left, &all, &mut text, &mut tries) {
                        Some(true) => return Some(text),
                        None if left > DEEP_ENOUGH => return None,
                        _ => {}
                    }
                }
            }
        }
        None
    }

    /// Makes the text whole; nothing where that takes too many tries.
    fn reaches(
        &mut self,
        syntax: &Syntax,
        left: usize,
        all: &[String],
        text: &mut String,
        tries: &mut usize,
    ) -> Option<bool> {
        if left == 0 {
            return Some(syntax.is_whole() && self.kind(text) == (Kind::Valid, true));
        }
        for token in all {
            *tries = tries.checked_sub(1)?;
            let mut next = syntax.clone();
            if !next.push_all(token.as_bytes()) {
                continue;
            }
            text.push_str(token);
            let reaches = self.reaches(&next, left - 1, all, text, tries);
            if reaches != Some(false) {
                return reaches;
            }
            text.truncate(text.len() - token.len());
        }
        Some(false)
    }
}

/// Whether a text, as far as it goes, is strict JSON without repeated keys.
pub(super) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut open, mut at, mut before) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'{' | b'[' => open.push(Vec::new()),
            b'}' | b']' => {
                if before == b',' {
                    return false;
                }
                open.pop();
            }
            b'"' => {
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                if bytes.get(at) == Some(&b':') {
                    let key: String = serde_json::from_str(&text[start..at]).expect("a key");
                    let keys: &mut Vec<String> = open.last_mut().expect("an object");
                    if keys.contains(&key) {
                        return false;
                    }
                    keys.push(key);
                }
            }
            _ => {}
        }
        before = bytes[start];
    }
    true
}

#[test]
fn what_is_plain() {
    for text in
        ["{\"a\":1,\"b\":{\"a\":[1,", "[{\"a\":1},{\"a\":2}]", "{\"a\":1,\"a\"", "[\"a\",\"a\"", "{\"a\":\"\\\"a\\\":"]
    {
        assert!(is_plain(text), "{text}");
    }
    for text in ["{\"a\":1,\"a\":", "{\"a\":1,}", "[1,]", "{\"a\":{\"a\":1},\"\\u0061\":"] {
        assert!(!is_plain(text), "{text}");
    }
}
