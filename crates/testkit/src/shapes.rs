//! Documents of the shapes that models are asked for: tool calls, records, lists of records, tables, settings, verdicts,
//! long text with markup and code in it, numbers of every form, other scripts, empty containers.
//!
//! The first choice is always the simplest, so that a tape of zeros gives `{}`.

use crate::random::Random;
use crate::tree::Tree;

/// Contents of strings, as they are written.
#[rustfmt::skip]
pub const TEXTS: &[&str] = &[
    "", "a", "x", "Ada Lovelace", "Zürich", "café 漢字 😀", "it's", "true", "42", "12:30", "a, b", "key: value", "}", "]",
    "{", "[", "}{][", "trailing comma,]", "use {name,} here", "see [1, 2] and {x}", "// no comment", "/* nor this */",
    "# nor that", "...", "wait…", "“smart” quotes", "*bold*, _thin_", "<think>hm</think>", "~~~json",
    "2026-11-29T10:00:00Z", "https://example.org/a//b?c=d&e={f}#g", "/usr/local/bin",
    "SELECT a, b FROM t WHERE c = 'd';", "50 %, or so: yes", r#"say \"hi\" now"#, r#"a \"quoted\" word"#,
    r#"\"all of it\""#, r#"said: \"no\", then left"#, r#"5\" wide"#, r#"ends in \""#, r#"x\", \"y"#, r#"a\": \"b"#,
    r#"one \"two\", \"three\" four"#, r#"<a href=\"x\" id=\"y\">z</a>"#, r#"print(\"a\", [1, 2])"#,
    r#"{\"a\": [1, \"b\"]}"#, r#"[{\"id\": 1}, {\"id\": 2}]"#, r#"{\"q\": \"x\", \"n\": 2}"#,
    r#"```json\n{\"a\": 1}\n```"#, r"line one\nline two", r"tab\there", r"\n", r"end\n", r"\tin and out\t",
    r"# Title\n\n- one [1]\n- two, three\n", r"fn f() {\n\treturn;\n}", r"C:\\temp\\new", r"\\", r"ends in \\",
    r"$\\frac{a}{b}$", r"a\\nb", r"^[^\\]+,\\s*$", r"\u00e9t\u00e9", r"\ud83d\ude00", r"a\/b", r"\u0001", r"a\r\nb",
    "שלום", "日本語、テスト", "Привет, мир", "naïve — “déjà vu”", "👩\u{200d}💻", "null", "NaN", "-", "/", "//", "/*",
];
/// Pieces of long texts: sentences, markup, code.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "It works. ", "The result, as of today, is 12 %. ", r"\n\n", r"## Findings\n\n", r"- **one**: see [1]\n", r"1. `x = {a: 1}`\n",
    r#"> \"quoted\", they said\n"#, r"```python\nprint({'a': [1, 2]})\n```\n", r#"if (a[\"b\"]) { return \"c\"; }\n"#,
    r"| a | b |\n|---|---|\n| 1 | {x} |\n", r"\tindent // note\n", r"C:\\dir\\file.txt ", r#"<p class=\"x\">y</p>"#,
    "https://example.org/?q={1,2}&r=[a] ", "…and so on, etc. ", "为什么？因为。 ", r"$x_{1} = \\sqrt{2}$ ", r#"key: \"value\", "#,
];
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "0", "1", "2", "7", "12", "-1", "-12", "3.25", "0.5", "99.95", "1e-7", "1E+2", "-0", "1.0", "9007199254740993",
    "18446744073709551615", "12345678901234567890123", "true", "false", "null",
];
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "b", "c", "id", "name", "value", "items", "title", "tags", "score", "is_ok", "créé", "first name", "x-y",
    "query", "path", "note", "count", "type", "url", r"two\nlines", "", "名前", r"a\tb",
];

/// A number, in any form that JSON has.
fn number(random: &mut Random) -> String {
    let digits = |random: &mut Random, most: usize| -> String {
        (0..1 + random.below(most)).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
    };
    let mut text = String::from(if random.chance(30) { "-" } else { "" });
    let whole = digits(random, 20);
    let whole = whole.trim_start_matches('0');
    text.push_str(if whole.is_empty() { "0" } else { whole });
    if random.chance(40) {
        text.push('.');
        text.push_str(&digits(random, 18));
    }
    if random.chance(25) {
        text.push_str(random.pick(&["e", "E", "e-", "e+", "E-", "E+"]));
        text.push_str(&digits(random, 2));
    }
    text
}

/// Some sentences, lines of markup and of code.
fn long_text(random: &mut Random) -> Tree {
    Tree::Text((0..1 + random.below(8)).map(|_| random.pick(PIECES)).collect())
}

/// A string, a number, a literal.
fn leaf(random: &mut Random) -> Tree {
    match random.below(20) {
        0..=7 => Tree::Word(random.pick(WORDS).to_owned()),
        8..=17 => Tree::Text(random.pick(TEXTS).to_owned()),
        18 => Tree::Word(number(random)),
        _ => long_text(random),
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

fn list(random: &mut Random, depth: usize, most: usize) -> Tree {
    Tree::List((0..random.below(most + 1)).map(|_| value(random, depth, most)).collect())
}

fn value(random: &mut Random, depth: usize, most: usize) -> Tree {
    match random.below(10) {
        0..=5 => leaf(random),
        _ if depth == 0 => leaf(random),
        6 | 7 => record(random, depth - 1, most),
        8 => list(random, depth - 1, most),
        // A list of records, or a table.
        _ if random.chance(50) => Tree::List((0..random.below(most)).map(|_| record(random, 0, most)).collect()),
        _ => Tree::List((0..random.below(most)).map(|_| Tree::List(vec![leaf(random), leaf(random)])).collect()),
    }
}

fn text(content: &str) -> Tree {
    Tree::Text(content.to_owned())
}

fn members(members: Vec<(&str, Tree)>) -> Tree {
    Tree::Record(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn tool_call(random: &mut Random, depth: usize, most: usize) -> Tree {
    let arguments = if random.chance(30) { leaf(random) } else { record(random, depth - 1, most) };
    if random.chance(30) {
        // The arguments are JSON in a string.
        let inner = text(&arguments.compact().replace('\\', r"\\").replace('"', r#"\""#));
        let function = members(vec![("name", text("search")), ("arguments", inner)]);
        return members(vec![("id", text("call_1")), ("type", text("function")), ("function", function)]);
    }
    members(vec![("name", text("search")), ("arguments", arguments)])
}

/// The same keys in each record.
fn same_records(random: &mut Random, most: usize) -> Tree {
    let keys: Vec<&str> = KEYS[random.below(8)..].iter().take(1 + random.below(most)).copied().collect();
    let one = |random: &mut Random| members(keys.iter().map(|key| (*key, leaf(random))).collect());
    Tree::List((0..1 + random.below(most)).map(|_| one(random)).collect())
}

fn table(random: &mut Random, most: usize) -> Tree {
    let width = 1 + random.below(most);
    let row = |random: &mut Random| Tree::List((0..width).map(|_| leaf(random)).collect());
    let rows = Tree::List((0..random.below(most + 1)).map(|_| row(random)).collect());
    if random.chance(50) {
        return rows;
    }
    members(vec![("columns", Tree::List(KEYS.iter().take(width).map(|key| text(key)).collect())), ("rows", rows)])
}

fn settings(random: &mut Random, depth: usize, most: usize) -> Tree {
    let mut tree = record(random, 0, most);
    for name in ["server", "limits", "paths"].iter().take(depth + random.below(2)) {
        let inner = if random.chance(20) { list(random, 0, most) } else { record(random, 0, most) };
        tree = members(vec![("version", Tree::Word("1.0".to_owned())), (name, inner), ("inherits", tree)]);
    }
    tree
}

fn verdict(random: &mut Random) -> Tree {
    let score = Tree::Word(random.below(11).to_string());
    members(vec![("reasoning", long_text(random)), ("score", score), ("pass", Tree::Word("true".to_owned()))])
}

/// A document of some shape; a small one has few members.
pub fn document(random: &mut Random, small: bool) -> Tree {
    let (depth, most) = if small { (2, 2) } else { (3, 5) };
    match random.below(20) {
        0..=7 => {
            let mut tree = record(random, depth, most);
            if let Tree::Record(members) = &mut tree
                && members.is_empty()
                && random.chance(90)
            {
                members.push(("a".to_owned(), value(random, depth - 1, most)));
            }
            tree
        }
        8..=9 => Tree::List((0..random.below(most + 1)).map(|_| value(random, depth - 1, most)).collect()),
        10..=11 => Tree::List((0..1 + random.below(most)).map(|_| record(random, depth - 2, most)).collect()),
        12..=13 => tool_call(random, depth, most),
        14 => same_records(random, most),
        15 => table(random, most),
        16 => settings(random, depth - 1, most),
        17 => verdict(random),
        18 => Tree::List((0..1 + random.below(2 * most)).map(|_| Tree::Word(number(random))).collect()),
        _ => members(vec![("text", long_text(random)), ("note", leaf(random))]),
    }
}

/// Every document of up to two levels with up to two members, of a few leaves.
#[must_use]
pub fn small_documents() -> Vec<Tree> {
    let leaves = [Tree::Word("1".to_owned()), text("a"), text("")];
    let mut within: Vec<Tree> = leaves.to_vec();
    let mut all = Vec::new();
    for _ in 0..2 {
        let pairs = |make: &dyn Fn(&[&Tree]) -> Tree| -> Vec<Tree> {
            let ones = within.iter().map(|one| make(&[one]));
            let twos = within.iter().flat_map(|one| within.iter().map(move |other| (one, other)));
            ones.chain(twos.map(|(one, other)| make(&[one, other]))).collect()
        };
        let keys = ["a", "b"];
        let record =
            |values: &[&Tree]| members(keys.into_iter().zip(values.iter().map(|value| (*value).clone())).collect());
        let list = |values: &[&Tree]| Tree::List(values.iter().map(|value| (*value).clone()).collect());
        all = [vec![members(Vec::new()), list(&[])], pairs(&record), pairs(&list)].concat();
        within = [&leaves[..], &all].concat();
    }
    all
}
