//! A document as a model may write it: compact or indented, with repairs to make; where each token and each repair stands.

use thusfar_core::RepairKind;

use crate::random::Random;
use crate::tree::{QUOTING, Tree};

/// What a token of a written document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// `{` or `[`.
    Opener,
    /// `}` or `]`, of the right kind or not.
    Closer,
    /// A comma between two values.
    Comma,
    /// A comma in front of a closer.
    Trailing,
    /// A colon.
    Colon,
    /// The delimiter that opens a string.
    Opening,
    /// The delimiter that closes a string.
    Closing,
    /// What stands between the delimiters.
    Content,
    /// A number or a literal.
    Word,
    /// White space, escaped or not.
    Space,
    /// A comment.
    Comment,
}

impl Role {
    /// Whether the token is one of the bytes that give a document its structure.
    #[must_use]
    pub fn is_structure(self) -> bool {
        !matches!(self, Role::Content | Role::Word | Role::Space | Role::Comment)
    }
}

/// Where a token stands in the document's text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub role: Role,
    /// Its first byte.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// How a document is written.
#[derive(Clone, Debug)]
pub struct Look {
    /// 0: compact; 1: a space behind commas and colons; 2: indented.
    pub space: u8,
    /// The repairs that it needs now and then.
    pub repairs: Vec<RepairKind>,
    /// Of a hundred places for a repair, how many need one.
    pub percent: usize,
    /// Whether a plain quote closes some of the strings that an escaped one opens.
    pub mixed: bool,
}

/// All sets of repairs, those of few first.
fn repair_sets() -> Vec<u8> {
    let mut sets: Vec<u8> = (0..1 << RepairKind::ALL.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    sets
}

impl Look {
    /// Without anything to repair.
    pub fn clean(random: &mut Random) -> Self {
        Self { space: random.below(3) as u8, repairs: Vec::new(), percent: 0, mixed: false }
    }

    /// With a set of repairs, every one as likely, at some places or at all of them.
    pub fn dirty(random: &mut Random) -> Self {
        let set = repair_sets()[1 + random.below((1 << RepairKind::ALL.len()) - 1)];
        let chosen = |kind: &RepairKind| set & (1 << *kind as u8) != 0;
        Self {
            space: random.below(3) as u8,
            repairs: RepairKind::ALL.into_iter().filter(chosen).collect(),
            percent: [100, 50, 25, 10][random.below(4)],
            mixed: random.chance(15),
        }
    }
}

/// Where a repair is made: its kind, how it looks, and in front of, in or behind what it stands.
pub type Place = (RepairKind, &'static str, &'static str);

/// A document as it is written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// The tokens of the text.
    pub tokens: Vec<Token>,
    /// The repairs to make.
    pub places: Vec<Place>,
}

/// Writes a document.
pub fn write(tree: &Tree, look: &Look, random: &mut Random) -> Written {
    let written = Written { text: String::new(), tokens: Vec::new(), places: Vec::new() };
    let mut writer = Writer { random, look, frames: Vec::new(), promised: false, written };
    writer.value(tree, "root");
    writer.written
}

/// Comments that hide nothing.
#[rustfmt::skip]
const COMMENTS: &[&str] = &[
    "/* c */", "/**/", "// note\n", "//\n", "/* it's, } ] */", "// see [1] {x}\n", "/* a \"word\" */", "// the key\r\n",
    "// https://example.org/a\n", "\n// \"old\": 1,\n", "\n/* \"old\": [1,\n  2] */\n", "// a \"quoted\" word\n", "/* { [ \" */",
    " // 5\" wide\n", "/* 名前、 */", "//\t- one: 1\n", "/***/", "// }],\n", "/* `x` */\n",
];

/// Places between tokens.
#[rustfmt::skip]
pub const SLOTS: &[&str] = &[
    "in an empty object", "in an empty array", "behind {", "behind [", "behind a key", "behind a colon", "behind a member", "behind an element",
    "behind a comma in an object", "behind a comma in an array", "in front of }", "in front of ]",
];
/// Places of strings.
pub const STRINGS: &[&str] = &["first key", "key", "value", "element"];

struct Writer<'a> {
    random: &'a mut Random,
    look: &'a Look,
    /// Whether each open container is an object.
    frames: Vec<bool>,
    /// Nothing but JSON can be meant any more: a raw line end may stand in a key.
    promised: bool,
    written: Written,
}

impl Writer<'_> {
    fn put(&mut self, role: Role, text: &str) {
        let start = self.written.text.len();
        self.written.text.push_str(text);
        if !text.is_empty() {
            self.written.tokens.push(Token { role, start, end: self.written.text.len() });
        }
    }

    fn needs(&mut self, kind: RepairKind) -> bool {
        self.look.repairs.contains(&kind) && self.random.chance(self.look.percent)
    }

    /// What stands between two tokens: white space; a comment; escaped white space.
    fn gap(&mut self, plain: &str, slot: &'static str) {
        if !plain.is_empty() && self.needs(RepairKind::EscapedWhitespace) {
            self.escaped_space(plain, slot);
        } else {
            self.put(Role::Space, plain);
        }
        if self.look.percent < 100 || self.random.chance(30) {
            if self.needs(RepairKind::Comment) {
                let comment = self.random.pick(COMMENTS);
                let shown = comment.trim_start();
                let form = if comment.starts_with('\n') {
                    "on its own line"
                } else if shown.starts_with("//") {
                    "//"
                } else {
                    "/* */"
                };
                // What stands in front of it is white space of its own.
                self.put(Role::Space, &comment[..comment.len() - shown.len()]);
                self.put(Role::Comment, shown);
                self.written.places.push((RepairKind::Comment, form, slot));
            }
            if plain.is_empty() && self.random.chance(40) && self.needs(RepairKind::EscapedWhitespace) {
                self.escaped_space("\n", slot);
            }
        }
    }

    /// A tab for a space; a carriage return in front of some line ends.
    fn escaped_space(&mut self, plain: &str, slot: &'static str) {
        let (form, line) = if self.random.chance(20) { ("\\r\\n", "\\r\\n") } else { ("\\n", "\\n") };
        let (form, text) = if plain == " " { ("\\t", "\\t".to_owned()) } else { (form, plain.replace('\n', line)) };
        self.put(Role::Space, &text);
        self.written.places.push((RepairKind::EscapedWhitespace, form, slot));
        if form == "\\r\\n" {
            self.written.places.push((RepairKind::EscapedWhitespace, "\\n", slot));
        }
    }

    fn line(&mut self, otherwise: &str, slot: &'static str) {
        let line = format!("\n{}", "  ".repeat(self.frames.len()));
        self.gap(if self.look.space == 2 { &line } else { otherwise }, slot);
    }

    fn string(&mut self, content: &str, place: &'static str) {
        let key = place.ends_with("key");
        let (quotes, slashes) = (content.contains("\\\""), content.contains("\\\\"));
        let harmless = !slashes && (!quotes || (!key && content == QUOTING));
        let escaped = harmless && self.needs(RepairKind::EscapedDelimiter);
        let content = self.content(content, place, key && !self.promised, slashes);
        self.put(Role::Opening, if escaped { "\\\"" } else { "\"" });
        self.put(Role::Content, &content);
        let plainly = !escaped || (self.look.mixed && self.random.chance(40));
        self.put(Role::Closing, if plainly { "\"" } else { "\\\"" });
        if escaped {
            let form = match (quotes, plainly) {
                (true, _) => "with inner quotes",
                (false, true) => "closed by a plain one",
                (false, false) => "closed",
            };
            self.written.places.push((RepairKind::EscapedDelimiter, form, place));
        }
        self.promised = true;
    }

    /// The content of a string, some of its escapes as the raw characters that they name.
    fn content(&mut self, content: &str, place: &'static str, one_line: bool, slashes: bool) -> String {
        const CONTROLS: [(&str, char); 4] = [(r"\n", '\n'), (r"\r", '\r'), (r"\t", '\t'), (r"\u0001", '\u{1}')];
        let mut raw = content.to_owned();
        let allowed = |name: &str| !one_line || matches!(name, r"\t" | r"\u0001");
        let found = CONTROLS.iter().any(|(name, _)| allowed(name) && content.contains(name));
        if slashes || !found || !self.needs(RepairKind::RawControl) {
            return raw;
        }
        for (name, character) in CONTROLS.iter().filter(|(name, _)| allowed(name)) {
            raw = raw.replace(name, &character.to_string());
        }
        for run in raw.split_inclusive(|one: char| !one.is_control()).filter(|run| run.starts_with(char::is_control)) {
            let form = match run.chars().next() {
                Some('\n') => "\\n",
                Some('\r') => "\\r",
                Some('\t') => "\\t",
                _ => "\\u0001",
            };
            self.written.places.push((RepairKind::RawControl, form, place));
        }
        raw
    }

    fn close(&mut self, empty: bool, object: bool, inner: &'static str) {
        self.frames.pop();
        let slot = if object { "in front of }" } else { "in front of ]" };
        if !empty && self.needs(RepairKind::TrailingComma) {
            let form = if object { "in an object" } else { "in an array" };
            self.put(Role::Trailing, ",");
            self.written.places.push((RepairKind::TrailingComma, form, inner));
        }
        match (empty, object) {
            (false, _) => self.line("", slot),
            (true, true) => self.gap("", "in an empty object"),
            (true, false) => self.gap("", "in an empty array"),
        }
        let wrongly = self.needs(RepairKind::BracketKind);
        self.put(Role::Closer, if object == wrongly { "]" } else { "}" });
        if wrongly {
            let form = match (empty, object) {
                (false, true) => "for }",
                (false, false) => "for ]",
                (true, true) => "for } in an empty one",
                (true, false) => "for ] in an empty one",
            };
            self.written.places.push((RepairKind::BracketKind, form, inner));
        }
    }

    fn value(&mut self, tree: &Tree, place: &'static str) {
        let inner = if self.frames.is_empty() { "root" } else { "inside" };
        match tree {
            Tree::Word(word) => self.put(Role::Word, word),
            Tree::Text(content) => self.string(content, place),
            Tree::List(items) => {
                self.put(Role::Opener, "[");
                self.frames.push(false);
                for (index, item) in items.iter().enumerate() {
                    self.between(index, "behind an element", "behind a comma in an array", "behind [");
                    self.value(item, "element");
                }
                self.close(items.is_empty(), false, inner);
            }
            Tree::Record(members) => {
                self.put(Role::Opener, "{");
                self.frames.push(true);
                for (index, (key, value)) in members.iter().enumerate() {
                    self.between(index, "behind a member", "behind a comma in an object", "behind {");
                    self.string(key, if index == 0 { "first key" } else { "key" });
                    self.gap("", "behind a key");
                    self.put(Role::Colon, ":");
                    self.gap(if self.look.space > 0 { " " } else { "" }, "behind a colon");
                    self.value(value, "value");
                }
                self.close(members.is_empty(), true, inner);
            }
        }
    }

    fn between(&mut self, index: usize, behind: &'static str, comma: &'static str, opener: &'static str) {
        if index == 0 {
            return self.line("", opener);
        }
        self.gap("", behind);
        self.put(Role::Comma, ",");
        self.line(if self.look.space == 1 { " " } else { "" }, comma);
    }
}
