//! All values, aliases and labels of a spec in one tree of words.

use std::collections::HashMap;

use super::lexer::{Kind, Lexer, Token};
use super::number;
use super::words::{self, Class, WORDS};

/// Words and marks of the longest phrase.
const LONGEST: usize = 16;

/// What a phrase is to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// The value with this number, or an alias of it.
    Value(u32),
    Label,
}

/// A word of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Its number, if a phrase has it.
    id: Option<u32>,
    pub(super) class: Class,
    pub(super) numeral: Numeral,
}

/// Whether a word is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    /// No digit begins it.
    None,
    /// As JSON writes numbers, without an exponent.
    Plain,
    /// A range from 0 or 1, as scales are written: `0-10`.
    Range,
    /// It begins with a digit: `7-8`, `1,000`, `3rd`.
    Odd,
}

/// A word or a mark, as phrases know them, and whether white space stands in front of it.
type Step = (Symbol, bool);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Symbol {
    Word(u32),
    Mark(char),
}

/// A phrase that ends here.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    pub(super) target: usize,
    pub(super) what: Use,
    /// A word that prose is made of, as the spec spells it.
    pub(super) common: Option<Box<str>>,
    /// The label says itself that a value follows: `the rating is`.
    pub(super) announces: bool,
}

#[derive(Default)]
struct Node {
    steps: HashMap<Step, u32>,
    phrases: Vec<Phrase>,
}

/// The phrases.
pub(super) struct Phrases {
    ids: HashMap<Box<str>, u32>,
    classes: Vec<Class>,
    nodes: Vec<Node>,
    /// The node that a word leads to from the root; 0 where no phrase begins with it.
    first: Vec<u32>,
    /// Whether some phrase begins with a mark.
    has_first_mark: bool,
    len: usize,
}

impl Default for Phrases {
    fn default() -> Self {
        let ids = WORDS.iter().zip(0..).map(|((word, _), id)| (Box::from(*word), id)).collect();
        let classes = WORDS.iter().map(|(_, class)| *class).collect();
        let first = vec![0; WORDS.len()];
        Self { ids, classes, nodes: vec![Node::default()], first, has_first_mark: false, len: 0 }
    }
}

impl Phrases {
    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// What a word is, in the case in which words are compared.
    pub(super) fn word(&self, folded: &str) -> Word {
        let id = self.ids.get(folded).copied();
        let class = id.map_or_else(|| words::class_of_unknown(folded), |id| self.classes[id as usize]);
        let numeral = match folded.as_bytes() {
            [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] if number::is_plain(folded) => Numeral::Plain,
            [b'0' | b'1', b'-', end @ ..] if !end.is_empty() && end.iter().all(u8::is_ascii_digit) => Numeral::Range,
            [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => Numeral::Odd,
            _ => Numeral::None,
        };
        Word { id, class, numeral }
    }

    /// Adds a phrase of a target.
    pub(super) fn add(&mut self, text: &str, target: usize, what: Use) -> Result<(), &'static str> {
        let mut tokens = Vec::new();
        let mut lexer = Lexer::default();
        let known = |word: &str| Box::<str>::from(word);
        for (at, character) in text.char_indices() {
            lexer.take(character, at, &known, &mut |token| tokens.push(token));
        }
        lexer.finish(&known, &mut |token| tokens.push(token));
        if tokens.len() > LONGEST {
            return Err("longer than 16 words and marks");
        }
        if !tokens.iter().any(|token| matches!(token.kind, Kind::Word(_))) {
            return Err("expected a text with a letter or a digit in it");
        }
        let common = match tokens.as_slice() {
            [Token { kind: Kind::Word(word), .. }] if words::is_common(word) => Some(text.into()),
            _ => None,
        };
        let mut node = 0;
        let mut class = Class::default();
        for (at, token) in tokens.iter().enumerate() {
            let symbol = match &token.kind {
                Kind::Word(word) => {
                    let id = self.id(word);
                    class = self.classes[id as usize];
                    Symbol::Word(id)
                }
                Kind::Mark(mark) => Symbol::Mark(*mark),
                Kind::Line | Kind::Break => return Err("expected one line"),
            };
            node = self.step(node, (symbol, at > 0 && token.is_spaced));
        }
        let announces = class.has(Class::IS) || class.has(Class::OF);
        self.end(node, Phrase { target, what, common, announces })
    }

    fn id(&mut self, word: &str) -> u32 {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        // There are at most 160,000 words of phrases.
        let id = self.classes.len() as u32;
        self.ids.insert(word.into(), id);
        self.classes.push(words::class_of_unknown(word));
        self.first.push(0);
        id
    }

    fn step(&mut self, node: usize, step: Step) -> usize {
        let next = self.nodes.len() as u32;
        let found = *self.nodes[node].steps.entry(step).or_insert(next);
        if found == next {
            self.nodes.push(Node::default());
        }
        match step.0 {
            Symbol::Word(id) if node == 0 => self.first[id as usize] = found,
            Symbol::Mark(_) => self.has_first_mark |= node == 0,
            Symbol::Word(_) => {}
        }
        found as usize
    }

    fn end(&mut self, node: usize, phrase: Phrase) -> Result<(), &'static str> {
        for known in &self.nodes[node].phrases {
            match (known.what, phrase.what) {
                _ if known.target == phrase.target && known.what == phrase.what => return Ok(()),
                (Use::Value(_), Use::Value(_)) if known.target == phrase.target => {
                    return Err("stands for two values, for case does not count");
                }
                (Use::Label, Use::Label) => return Err("is a label of another target"),
                _ => {}
            }
        }
        self.nodes[node].phrases.push(phrase);
        self.len += 1;
        Ok(())
    }

    /// Walks from a token on. `None` where more tokens are needed; else what ends behind how many tokens, from short to long.
    pub(super) fn walk<'p>(&'p self, tokens: &[Token<Word>], is_end: bool) -> Option<Walk<'p>> {
        let mut walk = Walk { matches: Vec::new(), is_open: false };
        let mut node = &self.nodes[0];
        for (at, token) in tokens.iter().enumerate() {
            let symbol = match token.kind {
                Kind::Word(Word { id: Some(id), .. }) => Symbol::Word(id),
                Kind::Mark(mark) => Symbol::Mark(mark),
                _ => return Some(walk),
            };
            let next = match symbol {
                Symbol::Word(id) if at == 0 => Some(self.first[id as usize]).filter(|next| *next > 0),
                Symbol::Mark(_) if at == 0 && !self.has_first_mark => None,
                _ => node.steps.get(&(symbol, at > 0 && token.is_spaced)).copied(),
            };
            let Some(next) = next else { return Some(walk) };
            node = &self.nodes[next as usize];
            if !node.phrases.is_empty() {
                walk.matches.push((at + 1, node.phrases.as_slice()));
            }
        }
        walk.is_open = !node.steps.is_empty();
        (is_end || !walk.is_open).then_some(walk)
    }
}

/// The phrases that begin at a token.
pub(super) struct Walk<'p> {
    /// Behind how many tokens they end, and which ones.
    pub(super) matches: Vec<(usize, &'p [Phrase])>,
    /// The reply ended where a longer one could have gone on.
    pub(super) is_open: bool,
}
