//! Damaged replies with a known truth: one byte of the document damaged at every place, or something larger done to it.
//!
//! A [`Case`] knows what was meant. [`Case::touches`] and [`Case::swaps`] damage single bytes at every place, [`Case::slip`] makes
//! one of the mistakes of [`SLIPS`], [`Case::blow`] does something to the reply as a whole, and [`Case::one`] one thing of them all.

use core::ops::Range;

use thusfar_core::Root;

use crate::around::Around;
use crate::random::Random;
use crate::shapes::document;
use crate::written::{Look, Place, Role, Token};

/// A reply and what it means.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text around the document.
    pub around: Around,
    /// The document as it is written.
    pub text: String,
    /// The tokens of `text`.
    pub tokens: Vec<Token>,
    /// The repairs to make, and where.
    pub places: Vec<Place>,
    /// The document without anything to repair.
    pub truth: String,
    /// The kind of root that is meant.
    pub root: Root,
    /// How it is written.
    pub look: Look,
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
    /// Which token it was done to, if to one; the later one of two.
    pub token: Option<Token>,
    /// Where the damaged document stands in the reply, if it is known.
    pub place: Option<Range<usize>>,
    /// Whether the document is no longer what the reply means, so that nothing may come out.
    pub lost: bool,
}

/// What a byte is replaced with.
const BYTES: &[&str] = &["{", "}", "[", "]", "\"", ",", ":", "\\", "1", "-", " ", "\n", "/", "x", "'", "."];

/// Texts that stand between two tokens.
#[rustfmt::skip]
const INSERTED: &[&str] = &[
    "and so on", "...", "…", " 1 ", "null", "\"\"", "\\", "//", "/*", "{}", "[]", "# note\n", "Sure!", "```\n",
    "\n\nSorry, again:\n", "=", ";", "\\n,", "\\\"", "<think>", "</think>", "'x'",
];

/// What a writer, or whatever carries a reply, does to a document as a whole.
pub const SLIPS: &[&str] = &[
    "single quotes",
    "curly quotes",
    "bare keys",
    "capital words",
    "a word of another language",
    "a number of another language",
    "no commas",
    "no colons",
    "inner quotes",
    "one inner quote",
    "an escape that is none",
    "a comment without its end",
    "a fence lost",
    "a fence more",
    "a token lost",
    "a token twice",
    "two tokens swapped",
    "members and so on",
    "the last closers lost",
    "closers more",
];

/// Words that JSON does not have, and numbers.
const STRANGE: [&str; 7] = ["True", "None", "NaN", "Infinity", "undefined", "nil", "yes"];
const NUMBERS: [&str; 10] = ["01", "+1", ".5", "1.", "0x1F", "1_000", "1e400", "-", "1,5", "½"];
const ESCAPES: [&str; 7] = ["\\x41", "\\", "\\u12", "\\ud83d", "\\ude00", "\\'", "\\U0001F600"];

impl Case {
    /// The reply without damage.
    #[must_use]
    pub fn reply(&self) -> String {
        self.with(&self.text)
    }

    fn with(&self, text: &str) -> String {
        [&self.around.before, text, &self.around.after].concat()
    }

    fn damaged(&self, kind: &'static str, with: &'static str, token: Option<Token>, text: &str) -> Damaged {
        let start = self.around.before.len();
        Damaged { reply: self.with(text), kind, with, token, place: Some(start..start + text.len()), lost: false }
    }

    fn structure(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| token.role.is_structure())
    }

    fn without(&self, token: Token) -> String {
        [&self.text[..token.start], &self.text[token.end..]].concat()
    }

    /// What can be done to the character at an offset inside a token.
    fn touch(&self, token: Token, inside: usize, mut add: impl FnMut(Damaged)) {
        let (front, rest) = self.text.split_at(token.start + inside);
        let Some(this) = rest.chars().next() else { return };
        let (this, back) = rest.split_at(this.len_utf8());
        let mut add = |kind, with, parts: &[&str]| add(self.damaged(kind, with, Some(token), &parts.concat()));
        add("deleted", "", &[front, back]);
        add("doubled", "", &[front, this, this, back]);
        if let Some(next) = back.chars().next() {
            let (next, back) = back.split_at(next.len_utf8());
            add("swapped", "", &[front, next, this, back]);
        }
        add("before", "\\", &[front, "\\", this, back]);
        for byte in BYTES.iter().filter(|byte| **byte != this) {
            add("replaced", byte, &[front, byte, back]);
        }
    }

    /// One character deleted, doubled, swapped with its neighbour or replaced, at every place in a token that fits.
    pub fn touches(&self, fits: impl Fn(&Token) -> bool) -> Vec<Damaged> {
        let mut all = Vec::new();
        for token in self.tokens.iter().filter(|token| fits(token)) {
            for (inside, _) in self.text[token.start..token.end].char_indices() {
                self.touch(*token, inside, |damaged| all.push(damaged));
            }
        }
        all
    }

    /// Two tokens of its structure that differ, each in the place of the other: every pair.
    #[must_use]
    pub fn swaps(&self) -> Vec<Damaged> {
        let tokens: Vec<Token> = self.structure().copied().collect();
        let pairs =
            tokens.iter().enumerate().flat_map(|(at, one)| tokens[at + 1..].iter().map(move |other| (one, other)));
        pairs.filter_map(|(one, other)| self.swap(*one, *other)).collect()
    }

    fn swap(&self, one: Token, other: Token) -> Option<Damaged> {
        let [first, second] = [one, other].map(|token| &self.text[token.start..token.end]);
        let (front, between, back) =
            (&self.text[..one.start], &self.text[one.end..other.start], &self.text[other.end..]);
        let text = [front, second, between, first, back].concat();
        (first != second).then(|| self.damaged("exchanged", "", Some(other), &text))
    }

    /// Text between two tokens, at every place.
    pub fn insertions(&self, random: &mut Random) -> Vec<Damaged> {
        let places = self.tokens.iter().filter(|token| is_gap(token));
        places.map(|token| self.insertion(*token, random)).collect()
    }

    fn insertion(&self, token: Token, random: &mut Random) -> Damaged {
        let (front, back) = self.text.split_at(token.start);
        let new = INSERTED[random.below(INSERTED.len())];
        self.damaged("inserted", new, Some(token), &[front, new, back].concat())
    }

    /// A run of whole tokens lost, or there twice.
    pub fn runs(&self, random: &mut Random) -> [Damaged; 2] {
        let mut ends = [random.below(self.tokens.len()), random.below(self.tokens.len())];
        ends.sort_unstable();
        let (start, end) = (self.tokens[ends[0]].start, self.tokens[ends[1]].end);
        let (front, run, back) = (&self.text[..start], &self.text[start..end], &self.text[end..]);
        let token = Some(self.tokens[ends[0]]);
        [
            self.damaged("run lost", "", token, &[front, back].concat()),
            self.damaged("run twice", "", token, &[front, run, run, back].concat()),
        ]
    }

    /// Something done to the reply: cut, a part of it twice, another document in it, the document inside a broken one.
    pub fn blow(&self, random: &mut Random) -> Vec<Damaged> {
        let reply = self.reply();
        let (before, after) = (&*self.around.before, &*self.around.after);
        let whole = |at: &usize| reply.is_char_boundary(*at);
        let place = |random: &mut Random| (0..=random.below(reply.len() + 1)).rev().find(whole).unwrap_or(0);
        let mut all = Vec::new();
        let mut add = |kind, with, reply| {
            all.push(Damaged { reply, kind, with, token: None, place: None, lost: kind == "nested" });
        };
        for _ in 0..4 {
            add("cut", "", reply[..place(random)].to_owned());
            let mut ends = [place(random), place(random)];
            ends.sort_unstable();
            add("part twice", "", [&reply[..ends[1]], &reply[ends[0]..]].concat());
        }
        add("cut and again", "", [&reply[..before.len() + random.below(2).min(self.text.len())], &reply].concat());
        add("all twice", "", [&*reply, "\n\n", &reply].concat());
        let other = document(random, true).compact();
        for between in ["\n", "\n\nOr rather:\n", " ", ",", ""] {
            add("another behind", between, [before, &self.text, between, &other, after].concat());
        }
        for (front, back) in NESTS {
            add("nested", front, [before, front, &self.text, back, after].concat());
        }
        all
    }

    /// One of the [`SLIPS`], if the document has what it needs.
    pub fn slip(&self, kind: &'static str, random: &mut Random) -> Option<Damaged> {
        let text = &self.text;
        let roles = |wanted: &'static [Role]| move |token: &&Token| wanted.contains(&token.role);
        let mut pick = |wanted: &'static [Role]| {
            let tokens: Vec<Token> = self.tokens.iter().filter(roles(wanted)).copied().collect();
            (!tokens.is_empty()).then(|| tokens[random.below(tokens.len())])
        };
        let spliced = |token: Token, new: &str| [&text[..token.start], new, &text[token.end..]].concat();
        let all = |change: &dyn Fn(usize, &Token) -> Option<&'static str>| -> String {
            let tokens = self.tokens.iter().enumerate();
            tokens.map(|(at, token)| change(at, token).unwrap_or(&text[token.start..token.end])).collect()
        };
        let is_key = |at: usize| {
            let mut rest = self.tokens[at..].iter().map(|token| token.role);
            let passed = [Role::Content, Role::Closing, Role::Space, Role::Comment, Role::Opening];
            rest.find(|role| !passed.contains(role)) == Some(Role::Colon)
        };
        let mut token = None;
        let mut with = "";
        let damaged = match kind {
            "single quotes" | "curly quotes" => {
                let [open, close] = if kind == "single quotes" { ["'", "'"] } else { ["“", "”"] };
                all(&|_, token| match token.role {
                    Role::Opening => Some(open),
                    Role::Closing => Some(close),
                    _ => None,
                })
            }
            "bare keys" => {
                all(&|at, token| (matches!(token.role, Role::Opening | Role::Closing) && is_key(at)).then_some(""))
            }
            "capital words" => all(&|_, token| match &text[token.start..token.end] {
                _ if token.role != Role::Word => None,
                "true" => Some("True"),
                "false" => Some("False"),
                "null" => Some("None"),
                _ => None,
            }),
            "a word of another language" => {
                token = Some(pick(&[Role::Word])?);
                with = STRANGE[random.below(STRANGE.len())];
                spliced(token?, with)
            }
            "a number of another language" => {
                token = Some(pick(&[Role::Word])?);
                with = NUMBERS[random.below(NUMBERS.len())];
                spliced(token?, with)
            }
            "no commas" => all(&|_, token| (token.role == Role::Comma).then_some(" ")),
            "no colons" => all(&|_, token| (token.role == Role::Colon).then_some(" ")),
            "inner quotes" | "one inner quote" => {
                token = Some(pick(&[Role::Content])?);
                let content = &text[token?.start..token?.end];
                let most = if kind == "inner quotes" { usize::MAX } else { 1 };
                spliced(token?, &content.replacen("\\\"", "\"", most))
            }
            "an escape that is none" => {
                token = Some(pick(&[Role::Content])?);
                with = ESCAPES[random.below(ESCAPES.len())];
                spliced(token?, &[with, &text[token?.start..token?.end]].concat())
            }
            "a comment without its end" => {
                token = Some(pick(&[Role::Comment])?);
                let comment = &text[token?.start..token?.end];
                spliced(token?, comment.trim_end_matches(['\r', '\n']).strip_suffix("*/").unwrap_or(comment.trim_end()))
            }
            "a fence lost" | "a fence more" => return self.fence_slip(kind, random),
            "a token lost" | "a token twice" => {
                let at = self.tokens[random.below(self.tokens.len())];
                token = Some(at);
                let new = &text[at.start..at.end];
                spliced(at, &if kind == "a token lost" { String::new() } else { new.repeat(2) })
            }
            "two tokens swapped" => {
                let tokens: Vec<Token> = self.structure().copied().collect();
                let mut ends = [random.below(tokens.len()), random.below(tokens.len())];
                ends.sort_unstable();
                return if ends[0] < ends[1] { self.swap(tokens[ends[0]], tokens[ends[1]]) } else { None };
            }
            "members and so on" => {
                token = Some(pick(&[Role::Comma])?);
                with = ["...", "…", "/* ... */", "// and so on\n", "etc."][random.below(5)];
                [&text[..token?.end], with, &text[self.tokens.last()?.start..]].concat()
            }
            "the last closers lost" => {
                let closers = text.bytes().rev().take_while(|byte| b"}] \n".contains(byte)).count();
                text[..text.len() - 1 - random.below(closers.max(1))].to_owned()
            }
            _ => [text, ["}", "]", "}}", "]}", "\n}"][random.below(5)]].concat(),
        };
        (damaged != *text).then(|| self.damaged(kind, with, token, &damaged))
    }

    /// A line of a fence's marks that is lost, or one that is too many, in front of the document or behind it.
    fn fence_slip(&self, kind: &'static str, random: &mut Random) -> Option<Damaged> {
        let sides = [&*self.around.before, &self.around.after];
        let front = random.chance(50);
        let lines: Vec<&str> = sides[usize::from(!front)].split_inclusive('\n').collect();
        let is_fence = |line: &&str| line.trim_start().starts_with(['`', '~']);
        let (at, marks) = if kind == "a fence lost" {
            let fences: Vec<usize> = (0..lines.len()).filter(|at| is_fence(&lines[*at])).collect();
            (*fences.get(random.below(fences.len()))?, "")
        } else {
            (random.below(lines.len() + 1), ["```\n", "```json\n", "~~~\n"][random.below(3)])
        };
        let rest = if kind == "a fence lost" { &lines[at + 1..] } else { &lines[at..] };
        let side = [&*lines[..at].concat(), marks, &rest.concat()].concat();
        let [before, after] = if front { [&*side, sides[1]] } else { [sides[0], &*side] };
        let reply = [before, &self.text, after].concat();
        let place = Some(before.len()..before.len() + self.text.len());
        Some(Damaged { reply, kind, with: marks, token: None, place, lost: false })
    }

    /// One thing of all that can be done.
    pub fn one(&self, random: &mut Random) -> Damaged {
        let structure: Vec<Token> = self.structure().copied().collect();
        let token = structure[random.below(structure.len())];
        let choice = |mut all: Vec<Damaged>, random: &mut Random| all.swap_remove(random.below(all.len()));
        match random.below(20) {
            0..=7 => {
                let mut all = Vec::new();
                self.touch(token, 0, |damaged| all.push(damaged));
                choice(all, random)
            }
            8..=13 => {
                let kind = SLIPS[random.below(SLIPS.len())];
                self.slip(kind, random)
                    .unwrap_or_else(|| self.damaged("deleted", "", Some(token), &self.without(token)))
            }
            14..=15 => {
                let gaps: Vec<Token> = self.tokens.iter().filter(|token| is_gap(token)).copied().collect();
                self.insertion(gaps[random.below(gaps.len())], random)
            }
            16 => choice(self.runs(random).into(), random),
            _ => {
                // Which one, before what it is done with: a tape may end there.
                let which = random.below(1 << 16);
                let mut all = self.blow(random);
                all.swap_remove((which * all.len()) >> 16)
            }
        }
    }
}

/// Whether something can stand between two tokens in front of this one.
fn is_gap(token: &Token) -> bool {
    token.role != Role::Content && token.role != Role::Closing
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
