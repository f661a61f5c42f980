//! Replies with a known truth, whole or damaged: documents of realistic shapes, the text that models write around them,
//! repairs to make, and damage that no repair undoes.
//!
//! A [`Case`] knows what was meant. [`Case::touches`] damages one byte of the document at every place, [`Case::blow`] does
//! something larger to the document or the reply. Equal seeds give equal cases.

use thusfar_core::{RepairKind, Root};

use crate::tree::Tree;
use crate::workload::Random;

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

impl Look {
    /// Without anything to repair.
    pub fn clean(random: &mut Random) -> Self {
        Self { space: random.below(3) as u8, repairs: Vec::new(), percent: 0, mixed: false }
    }

    /// With one to six kinds of repair, at some places or at all of them.
    pub fn dirty(random: &mut Random) -> Self {
        let mut repairs = RepairKind::ALL.to_vec();
        random.shuffle(&mut repairs);
        repairs.truncate(1 + random.below(6).min(random.below(6)));
        Self {
            space: random.below(3) as u8,
            repairs,
            percent: [10, 25, 50, 100][random.below(4)],
            mixed: random.chance(15),
        }
    }
}

/// A reply and what it means.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text in front of the document.
    pub before: String,
    /// The document as it is written.
    pub text: String,
    /// The text behind it.
    pub after: String,
    /// The tokens of `text`.
    pub tokens: Vec<Token>,
    /// The document without anything to repair.
    pub truth: String,
    /// The kind of root that is meant.
    pub root: Root,
    /// How it is written.
    pub look: Look,
    /// Whether the text around holds a document of its own that may count.
    pub example: bool,
}

/// A damaged reply.
#[derive(Clone, Debug)]
pub struct Damaged {
    /// All of its text.
    pub reply: String,
    /// What was done.
    pub kind: &'static str,
    /// What it was done with: the byte or the text that is new.
    pub with: &'static str,
    /// Which token it was done to, if to one.
    pub token: Option<Token>,
    /// Whether the document is no longer what the reply means, so that nothing may come out.
    pub lost: bool,
}

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "", "a", "x", "Ada Lovelace", "Zürich", "café 漢字 😀", "it's", "true", "42", "12:30", "a, b", "key: value", "}", "]",
    "{", "[", "}{][", "trailing comma,]", "use {name,} here", "see [1, 2] and {x}", "// no comment", "/* nor this */",
    "# nor that", "...", "wait…", "“smart” quotes", "*bold*, _thin_", "<think>hm</think>", "~~~json",
    "2026-11-29T10:00:00Z", "https://example.org/a//b?c=d&e={f}#g", "/usr/local/bin",
    "SELECT a, b FROM t WHERE c = 'd';", "50 %, or so: yes", r#"say \"hi\" now"#, r#"a \"quoted\" word"#,
    r#"\"all of it\""#, r#"said: \"no\", then left"#, r#"5\" wide"#, r#"ends in \""#, r#"x\", \"y"#, r#"a\": \"b"#,
    r#"one \"two\", \"three\" four"#, r#"<a href=\"x\" id=\"y\">z</a>"#, r#"print(\"a\", [1, 2])"#,
    r#"{\"a\": [1, \"b\"]}"#, r#"[{\"id\": 1}, {\"id\": 2}]"#, r#"{\"q\": \"x\", \"n\": 2}"#,
    r#"```json\n{\"a\": 1}\n```"#, r"line one\nline two", r"tab\there", r"\n", r"end\n",
    r"# Title\n\n- one [1]\n- two, three\n", r"fn f() {\n\treturn;\n}", r"C:\\temp\\new", r"\\", r"ends in \\",
    r"$\\frac{a}{b}$", r"a\\nb", r"^[^\\]+,\\s*$", r"\u00e9t\u00e9", r"\ud83d\ude00", r"a\/b",
];
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "0", "1", "2", "7", "12", "-1", "-12", "3.25", "0.5", "99.95", "1e-7", "1E+2", "-0", "1.0", "9007199254740993",
    "18446744073709551615", "12345678901234567890123", "true", "false", "null",
];
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "b", "c", "id", "name", "value", "items", "title", "tags", "score", "is_ok", "créé", "first name", "x-y",
    "query", "path", "note", "count", "type", "url",
];

/// A string, a number, a literal.
fn leaf(random: &mut Random) -> Tree {
    match random.chance(60) {
        true => Tree::Text(random.pick(TEXTS).to_owned()),
        false => Tree::Word(random.pick(WORDS).to_owned()),
    }
}

fn record(random: &mut Random, depth: usize, most: usize) -> Tree {
    let mut members: Vec<(String, Tree)> = Vec::new();
    for _ in 0..random.below(most + 1) {
        let key = random.pick(KEYS);
        match members.iter().find(|(other, _)| other == key).cloned() {
            // Twice the same is no harm.
            Some(member) if random.chance(20) => members.push(member),
            Some(_) => {}
            None => members.push((key.to_owned(), value(random, depth, most))),
        }
    }
    Tree::Record(members)
}

fn value(random: &mut Random, depth: usize, most: usize) -> Tree {
    match random.below(10) {
        0..=5 => leaf(random),
        _ if depth == 0 => leaf(random),
        6 | 7 => record(random, depth - 1, most),
        8 => Tree::List((0..random.below(most + 1)).map(|_| value(random, depth - 1, most)).collect()),
        // A list of records, or a table of numbers.
        _ if random.chance(50) => Tree::List((0..random.below(most)).map(|_| record(random, 0, most)).collect()),
        _ => Tree::List((0..random.below(most)).map(|_| Tree::List(vec![leaf(random), leaf(random)])).collect()),
    }
}

/// A document of some shape; a small one has few members.
pub fn document(random: &mut Random, small: bool) -> Tree {
    let (depth, most) = if small { (2, 2) } else { (3, 5) };
    match random.below(8) {
        0 => Tree::List((0..1 + random.below(most)).map(|_| record(random, depth - 2, most)).collect()),
        1 => Tree::List((0..1 + random.below(most)).map(|_| value(random, depth - 1, most)).collect()),
        2 => {
            let inside = if random.chance(30) { leaf(random) } else { record(random, depth - 1, most) };
            Tree::Record(vec![("name".to_owned(), Tree::Text("search".to_owned())), ("arguments".to_owned(), inside)])
        }
        _ => {
            let mut tree = record(random, depth, most);
            if let Tree::Record(members) = &mut tree
                && members.is_empty()
                && random.chance(90)
            {
                members.push(("a".to_owned(), value(random, depth - 1, most)));
            }
            tree
        }
    }
}

/// Comments that hide nothing.
#[rustfmt::skip]
const COMMENTS: &[&str] = &[
    "/* c */", "/**/", "// note\n", "//\n", "/* it's, } ] */",
    "// see [1] {x}\n", "/* a \"word\" */", "// the key\r\n",
    "// https://example.org/a\n", "\n// \"old\": 1,\n", "\n/* \"old\": [1,\n  2] */\n",
    "// a \"quoted\" word\n", "/* { [ \" */",
];

/// Writes a document and remembers its tokens.
struct Writer<'a> {
    random: &'a mut Random,
    look: &'a Look,
    depth: usize,
    text: String,
    tokens: Vec<Token>,
}

impl Writer<'_> {
    fn put(&mut self, role: Role, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        if !text.is_empty() {
            self.tokens.push(Token { role, start, end: self.text.len() });
        }
    }

    fn needs(&mut self, kind: RepairKind) -> bool {
        self.look.repairs.contains(&kind) && self.random.chance(self.look.percent)
    }

    /// What stands between two tokens: nothing, a space, a line's end; a comment.
    fn gap(&mut self, plain: &str) {
        if !plain.is_empty() && self.needs(RepairKind::EscapedWhitespace) {
            let escaped = plain.replace('\n', "\\n");
            self.put(Role::Space, if plain == " " { "\\t" } else { &escaped });
        } else {
            self.put(Role::Space, plain);
        }
        if self.look.percent < 100 || self.random.chance(30) {
            if self.needs(RepairKind::Comment) {
                let comment = self.random.pick(COMMENTS);
                self.put(Role::Comment, comment);
            }
            if plain.is_empty() && self.random.chance(40) && self.needs(RepairKind::EscapedWhitespace) {
                self.put(Role::Space, "\\n");
            }
        }
    }

    fn line(&mut self, otherwise: &str) {
        let line = format!("\n{}", "  ".repeat(self.depth));
        self.gap(if self.look.space == 2 { &line } else { otherwise });
    }

    fn string(&mut self, content: &str, key: bool) {
        let (quotes, slashes) = (content.contains("\\\""), content.contains("\\\\"));
        let harmless = !slashes && (!quotes || (!key && content == crate::tree::QUOTING));
        let escaped = harmless && self.needs(RepairKind::EscapedDelimiter);
        let raw = !key && !slashes && self.needs(RepairKind::RawControl);
        let content = if raw { content.replace("\\n", "\n").replace("\\t", "\t") } else { content.to_owned() };
        self.put(Role::Opening, if escaped { "\\\"" } else { "\"" });
        self.put(Role::Content, &content);
        let plainly = !escaped || (self.look.mixed && self.random.chance(40));
        self.put(Role::Closing, if plainly { "\"" } else { "\\\"" });
    }

    fn close(&mut self, empty: bool, closer: &str) {
        self.depth -= 1;
        if !empty && self.needs(RepairKind::TrailingComma) {
            self.put(Role::Trailing, ",");
        }
        if !empty {
            self.line("");
        }
        let wrong = if closer == "}" { "]" } else { "}" };
        // Nothing stands in an empty one that tells of which kind it is.
        let wrongly = !empty && self.needs(RepairKind::BracketKind);
        self.put(Role::Closer, if wrongly { wrong } else { closer });
    }

    fn value(&mut self, tree: &Tree) {
        match tree {
            Tree::Word(word) => self.put(Role::Word, word),
            Tree::Text(content) => self.string(content, false),
            Tree::List(items) => {
                self.put(Role::Opener, "[");
                self.depth += 1;
                for (index, item) in items.iter().enumerate() {
                    self.between(index);
                    self.value(item);
                }
                self.close(items.is_empty(), "]");
            }
            Tree::Record(members) => {
                self.put(Role::Opener, "{");
                self.depth += 1;
                for (index, (key, value)) in members.iter().enumerate() {
                    self.between(index);
                    self.string(key, true);
                    self.gap("");
                    self.put(Role::Colon, ":");
                    self.gap(if self.look.space > 0 { " " } else { "" });
                    self.value(value);
                }
                self.close(members.is_empty(), "}");
            }
        }
    }

    fn between(&mut self, index: usize) {
        if index > 0 {
            self.gap("");
            self.put(Role::Comma, ",");
        }
        self.line(if index > 0 && self.look.space == 1 { " " } else { "" });
    }
}

/// Text in front of a document, and whether it holds a document of its own.
#[rustfmt::skip]
const BEFORE: &[(&str, bool)] = &[
    ("", false), ("", false), ("\n", false), ("Sure! Here is the JSON you asked for:\n\n", false),
    ("Here's the result: ", false), ("<think>\nMaybe {\"a\": 1}? Or [1, 2].\n</think>\n", false),
    ("The user wants {\"a\": 1}.\n</think>\n\n", true), ("## Result\n\n", false),
    ("1. I read [1].\n2. Then {placeholder}.\n\n", false), ("- one\n- two [2]\n\n", false),
    ("Hi {name} :-] and :} too.\n", false), ("Calling f({\"x\": 1}) gave:\n", false), ("> As asked:\n\n", false),
    ("The text \"{\\\"a\\\": 1}\" was escaped.\n", false),
    ("An array looks like [1, 2, 3], an object like {}.\n", false), ("Use `{}` or `[`.\n", false),
    ("In Rust: `fn main() { f(\"hi\"); }`\n", false), ("A set: {1, 2}, {\"x\", \"y\"}.\n", false),
    ("```python\nprint({'a': 1})\n```\n", false), ("~~~\nif x { y }\n~~~\n", false),
    ("It's $x_{1}$, \\frac{a}{b}.\n", false), ("He said \"go: {now}\".\n", false),
    ("[link](https://example.org/{id})\n", false), ("| a | {x} |\n|---|---|\n", false),
    ("Okay -- \"quotes\", commas, colons: fine.\n\n", false), ("**Answer** (v1.0, 3 items):\n", false),
    ("\u{feff}", false), ("For example, {\"example\": 1} would be one.\n", true),
    ("The schema is {\"type\": \"object\"}.\n\n", true),
];
/// Openers and closers of fences.
#[rustfmt::skip]
const FENCES: &[(&str, &str)] = &[
    ("", ""), ("", ""), ("", ""), ("```json\n", "\n```"), ("```json\n", "\n```"), ("```\n", "\n```"),
    ("~~~json\n", "\n~~~"), ("````json\n", "\n````"), ("```JSON\n", "\n```"), ("```jsonc\n", "\n```"),
    ("```json\n", ""), ("```json ", " ```"), ("```javascript\n", "\n```"), ("~~~\n", "\n~~~"),
    ("  ```json\n", "\n  ```"), ("```\n", ""),
];
/// Text behind a document, and whether it holds a document of its own.
#[rustfmt::skip]
const AFTER: &[(&str, bool)] = &[
    ("", false), ("", false), ("\n", false), ("\n\n\n", false), ("\n\nLet me know if you need changes.", false),
    ("\n\nHope {that} helps :-}", false), ("\n\n[1] See the notes.", false), ("\nDone.", false),
    ("\n\n- one\n- two, \"three\"\n", false), ("\n\nI called f({\"x\": 1}).", false), ("\n---\n", false),
    ("\n\nConfidence: 0.9", false), ("\n<|im_end|>", false),
    ("\n\n**Note:** the \"name\", e.g. {x}, is a guess.", false),
    ("\n\n1. `a`: the [first] one.\n2. `b`: see {2}.", false), ("\n// end\n", false), ("\n\n😀 :-] ;}", false),
    ("\n\nIt is \"final\", they said: yes.", false), ("\n\nWith more, {\"note\": \"x\"} is possible.", true),
];

/// A case. A small one has a short document.
pub fn case(random: &mut Random, small: bool, dirty: bool) -> Case {
    let tree = document(random, small);
    let look = if dirty { Look::dirty(random) } else { Look::clean(random) };
    let mut writer = Writer { random, look: &look, depth: 0, text: String::new(), tokens: Vec::new() };
    writer.value(&tree);
    let (text, tokens) = (writer.text, writer.tokens);
    let (before, first) = BEFORE[random.below(BEFORE.len())];
    let (open, close) = FENCES[random.below(FENCES.len())];
    let (after, second) = AFTER[random.below(AFTER.len())];
    // An open fence has nothing behind it; a fence begins on a line of its own, or with a label.
    let after = if open.is_empty() || !close.is_empty() { after } else { "\n" };
    let line =
        if open.is_empty() || before.is_empty() || before.ends_with('\n') || open.ends_with(' ') { "" } else { "\n" };
    Case {
        before: [before, line, open].concat(),
        text,
        after: [close, after].concat(),
        tokens,
        truth: tree.compact(),
        root: if matches!(tree, Tree::List(_)) { Root::Array } else { Root::Object },
        look,
        example: first || second,
    }
}

/// What a byte is replaced with.
const BYTES: &[&str] = &["{", "}", "[", "]", "\"", ",", ":", "\\", "1", "-", " ", "\n", "/", "x", "'", "."];

/// Texts that stand between two tokens.
#[rustfmt::skip]
const INSERTED: &[&str] = &[
    "and so on", "...", "…", " 1 ", "null", "\"\"", "\\", "//", "/*", "{}", "[]", "# note\n", "Sure!", "```\n",
    "\n\nSorry, again:\n", "=", ";", "\\n,", "\\\"", "<think>", "</think>", "'x'",
];

impl Case {
    /// The reply without damage.
    #[must_use]
    pub fn reply(&self) -> String {
        self.with(&self.text)
    }

    fn with(&self, text: &str) -> String {
        [&self.before, text, &self.after].concat()
    }

    fn damaged(&self, kind: &'static str, with: &'static str, token: Token, text: String) -> Damaged {
        Damaged { reply: self.with(&text), kind, with, token: Some(token), lost: false }
    }

    /// One character deleted, doubled, swapped with its neighbour or replaced, at every place in a token that fits.
    pub fn touches(&self, fits: impl Fn(&Token) -> bool) -> Vec<Damaged> {
        let mut all = Vec::new();
        for token in self.tokens.iter().filter(|token| fits(token)) {
            for (inside, char) in self.text[token.start..token.end].char_indices() {
                let (front, rest) = self.text.split_at(token.start + inside);
                let (this, back) = rest.split_at(char.len_utf8());
                let mut add = |kind, with, parts: &[&str]| all.push(self.damaged(kind, with, *token, parts.concat()));
                add("deleted", "", &[front, back]);
                add("doubled", "", &[front, this, this, back]);
                add("before", "\\", &[front, "\\", this, back]);
                if let Some(next) = back.chars().next() {
                    let (next, back) = back.split_at(next.len_utf8());
                    add("swapped", "", &[front, next, this, back]);
                }
                for byte in BYTES.iter().filter(|byte| **byte != this) {
                    add("replaced", byte, &[front, byte, back]);
                }
            }
        }
        all
    }

    /// Text between two tokens, at every place.
    pub fn insertions(&self, random: &mut Random) -> Vec<Damaged> {
        let places = self.tokens.iter().filter(|token| token.role != Role::Content && token.role != Role::Closing);
        let inserted = |token: &Token| {
            let (front, back) = self.text.split_at(token.start);
            let new = INSERTED[random.below(INSERTED.len())];
            self.damaged("inserted", new, *token, [front, new, back].concat())
        };
        places.map(inserted).collect()
    }

    /// A run of whole tokens lost, or there twice.
    pub fn runs(&self, random: &mut Random) -> Vec<Damaged> {
        let mut all = Vec::new();
        for _ in 0..8 {
            let mut ends = [random.below(self.tokens.len()), random.below(self.tokens.len())];
            ends.sort_unstable();
            let (start, end) = (self.tokens[ends[0]].start, self.tokens[ends[1]].end);
            let (front, run, back) = (&self.text[..start], &self.text[start..end], &self.text[end..]);
            all.push(self.damaged("run lost", "", self.tokens[ends[0]], [front, back].concat()));
            all.push(self.damaged("run twice", "", self.tokens[ends[0]], [front, run, run, back].concat()));
        }
        all
    }

    /// Something done to the reply: cut, a part of it twice, another document in it, the document inside a broken one.
    pub fn blow(&self, random: &mut Random) -> Vec<Damaged> {
        let reply = self.reply();
        let whole = |at: &usize| reply.is_char_boundary(*at);
        let place = |random: &mut Random| (0..=random.below(reply.len() + 1)).rev().find(whole).unwrap_or(0);
        let mut all = Vec::new();
        let mut add = |kind, with, reply| all.push(Damaged { reply, kind, with, token: None, lost: kind == "nested" });
        for _ in 0..4 {
            add("cut", "", reply[..place(random)].to_owned());
            let mut ends = [place(random), place(random)];
            ends.sort_unstable();
            add("part twice", "", [&reply[..ends[1]], &reply[ends[0]..]].concat());
        }
        add("cut and again", "", [&reply[..self.before.len() + random.below(2).min(self.text.len())], &reply].concat());
        add("all twice", "", [&*reply, "\n\n", &reply].concat());
        let other = document(random, true).compact();
        for between in ["\n", "\n\nOr rather:\n", " ", ",", ""] {
            add("another behind", between, [&*self.before, &self.text, between, &other, &self.after].concat());
        }
        for (front, back) in NESTS {
            add("nested", front, [&*self.before, front, &self.text, back, &self.after].concat());
        }
        all
    }
}

/// Broken documents around another one. None of them means the one inside.
#[rustfmt::skip]
const NESTS: &[(&str, &str)] = &[
    ("{\"arguments\": \"x", "\"y\"}"), ("{result: ", "}"), ("{'result': ", "}"), ("[1 ", "]"),
    ("{\"a\": 1 \"b\": ", "}"), ("{\"a\": True, \"b\": ", "}"), ("{\"a\": \"x\"y\", \"b\": ", "}"), ("[\"a\" ", "]"),
    ("{\"a\": ", ""), ("", "}"), ("\"a\": ", "}"), ("{\"a\": [", "]"), ("[NaN, ", "]"), ("{a, ", "}"),
    ("{\n  a: 1,\n  b: ", "\n}"), ("[x, ", "]"), ("{\"a\": .5, \"b\": ", "}"), ("{“a”: ", "}"), ("{\"a\" = ", "}"),
    ("{\"a\": (", ")}"),
];
