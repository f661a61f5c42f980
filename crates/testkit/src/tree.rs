//! JSON as a tree of source text, and its renderings: compact, indented, and with repairs to make at random places.

use thusfar_core::RepairKind;

use crate::workload::Random;

/// A value as it is written.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A number or a literal.
    Word(String),
    /// What stands between the quotes of a string.
    Text(String),
    /// An array.
    List(Vec<Tree>),
    /// An object.
    Record(Vec<(String, Tree)>),
}

/// The content of a string that may stand in escaped delimiters although it holds quotes.
pub const QUOTING: &str = r#"say \"hi\" now"#;

/// Escapes, and the raw control character that each stands for.
const CONTROLS: [(&str, char); 3] = [(r"\n", '\n'), (r"\t", '\t'), (r"\u0001", '\u{1}')];

impl Tree {
    /// Without white space.
    #[must_use]
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut Plain { indent: None });
        out
    }

    /// Indented by two spaces.
    #[must_use]
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut Plain { indent: Some(0) });
        out
    }

    /// With repairs of some kinds to make, and their kinds in no order.
    pub fn dirty(&self, random: &mut Random, kinds: &[RepairKind]) -> (String, Vec<RepairKind>) {
        let mut dirt = Dirt { random, kinds, made: Vec::new() };
        let mut out = String::new();
        self.write(&mut out, &mut dirt);
        (out, dirt.made)
    }

    fn write(&self, out: &mut String, style: &mut impl Style) {
        match self {
            Tree::Word(word) => out.push_str(word),
            Tree::Text(content) => style.string(content, false, out),
            Tree::List(items) => {
                out.push('[');
                style.open(items.is_empty(), out);
                for (index, item) in items.iter().enumerate() {
                    style.between(index > 0, out);
                    item.write(out, style);
                    style.gap(out);
                }
                style.close(items.is_empty(), ']', out);
            }
            Tree::Record(members) => {
                out.push('{');
                style.open(members.is_empty(), out);
                for (index, (key, value)) in members.iter().enumerate() {
                    style.between(index > 0, out);
                    style.string(key, true, out);
                    style.gap(out);
                    out.push(':');
                    style.gap(out);
                    value.write(out, style);
                    style.gap(out);
                }
                style.close(members.is_empty(), '}', out);
            }
        }
    }
}

/// How the places between the tokens look.
trait Style {
    fn open(&mut self, empty: bool, out: &mut String);
    fn between(&mut self, comma: bool, out: &mut String);
    fn gap(&mut self, out: &mut String);
    fn string(&mut self, content: &str, key: bool, out: &mut String);
    fn close(&mut self, empty: bool, closer: char, out: &mut String);
}

struct Plain {
    indent: Option<usize>,
}

impl Plain {
    fn line(&self, out: &mut String) {
        if let Some(depth) = self.indent {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
    }
}

impl Style for Plain {
    fn open(&mut self, _: bool, _: &mut String) {
        self.indent = self.indent.map(|depth| depth + 1);
    }

    fn between(&mut self, comma: bool, out: &mut String) {
        if comma {
            out.push(',');
        }
        self.line(out);
    }

    fn gap(&mut self, out: &mut String) {
        if self.indent.is_some() && out.ends_with(':') {
            out.push(' ');
        }
    }

    fn string(&mut self, content: &str, _: bool, out: &mut String) {
        out.extend(["\"", content, "\""]);
    }

    fn close(&mut self, empty: bool, closer: char, out: &mut String) {
        self.indent = self.indent.map(|depth| depth - 1);
        if !empty {
            self.line(out);
        }
        out.push(closer);
    }
}

struct Dirt<'a> {
    random: &'a mut Random,
    kinds: &'a [RepairKind],
    made: Vec<RepairKind>,
}

impl Dirt<'_> {
    /// Whether to leave a repair to make here.
    fn make(&mut self, kind: RepairKind) -> bool {
        let makes = self.kinds.contains(&kind) && self.random.chance(20);
        if makes {
            self.made.push(kind);
        }
        makes
    }
}

impl Style for Dirt<'_> {
    fn open(&mut self, _: bool, out: &mut String) {
        self.gap(out);
    }

    fn between(&mut self, comma: bool, out: &mut String) {
        if comma {
            out.push(',');
            self.gap(out);
        }
    }

    fn gap(&mut self, out: &mut String) {
        out.push_str(self.random.pick(&["", "", "", " ", "\n", "\r\n", "\t"]));
        if self.make(RepairKind::EscapedWhitespace) {
            out.push_str(self.random.pick(&["\\n", "\\t", "\\r"]));
        }
        if self.make(RepairKind::Comment) {
            let comments =
                ["/* c */", "// note\n", "/**/", "//\r", "/* { [ , é */", "\n// \"old\": 1\n", "/* it's * / */"];
            out.push_str(self.random.pick(&comments));
        }
    }

    fn string(&mut self, content: &str, key: bool, out: &mut String) {
        let mut raw = String::new();
        let mut rest = content;
        let mut in_run = false;
        while let Some(first) = rest.chars().next() {
            let control = CONTROLS.iter().find(|(escape, _)| rest.starts_with(escape));
            // An escaped backslash in front is no escape of its own.
            let len = if first == '\\' { 2 } else { first.len_utf8() };
            match control {
                Some((escape, character)) if in_run || self.make(RepairKind::RawControl) => {
                    raw.push(*character);
                    rest = &rest[escape.len()..];
                    in_run = true;
                }
                _ => {
                    raw.push_str(&rest[..len]);
                    rest = &rest[len..];
                    in_run = false;
                }
            }
        }
        let quoting = content == QUOTING && !key;
        let bare = CONTROLS.iter().fold(content.to_owned(), |text, (escape, _)| text.replace(escape, ""));
        if (quoting || !bare.contains(['\\', '"'])) && self.make(RepairKind::EscapedDelimiter) {
            let closing = if self.random.chance(30) { "\"" } else { "\\\"" };
            out.extend(["\\\"", &raw, closing]);
        } else {
            out.extend(["\"", &raw, "\""]);
        }
    }

    fn close(&mut self, empty: bool, closer: char, out: &mut String) {
        if !empty && self.make(RepairKind::TrailingComma) {
            out.push(',');
            self.gap(out);
        }
        let wrong = if closer == ']' { '}' } else { ']' };
        out.push(if self.make(RepairKind::BracketKind) { wrong } else { closer });
    }
}
