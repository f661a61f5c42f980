//! What models write around a document, in several registers, and the fences they put it in.

use crate::random::Random;

/// The text around a document.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// In front of it.
    pub before: String,
    /// Behind it.
    pub after: String,
    /// Whether it holds a document of its own that may count.
    pub example: bool,
    /// Whether the document stands in a sentence, where one that is no promise is text.
    pub inline: bool,
    /// The name of the register.
    pub register: &'static str,
}

/// Texts that hold no document, and texts that do.
struct Register {
    name: &'static str,
    before: &'static [&'static str],
    after: &'static [&'static str],
    examples: (&'static [&'static str], &'static [&'static str]),
}

#[rustfmt::skip]
const REGISTERS: &[Register] = &[
    Register { name: "terse", before: &["", "\n", "JSON:\n", "\u{feff}", "Result: "], after: &["", "\n", "\nDone.", "\n\n\n", "\n---\n", "\n<|im_end|>"], examples: (&[], &[]) },
    Register {
        name: "assistant",
        before: &["Sure! Here is the JSON you asked for:\n\n", "Here's the result: ", "Okay -- \"quotes\", commas, colons: fine.\n\n",
            "Of course! I've read [1] and [2], so:\n", "I found 3 items (see below).\n", "He said \"go: {now}\".\n"],
        after: &["\n\nLet me know if you need changes.", "\n\nIt is \"final\", they said: yes.", "\n\nConfidence: 0.9", "\n\n[1] See the notes.",
            "\n\nWould you like (a) more, or (b) less?", "\n\nI used \"a\", \"b\" and \"c\" as keys."],
        examples: (&["For example, {\"example\": 1} would be one.\n"], &["\n\nWith more, {\"note\": \"x\"} is possible."]),
    },
    Register {
        name: "report",
        before: &["## Result\n\n", "| a | {x} |\n|---|---|\n", "**Answer** (v1.0, 3 items):\n", "1. I read [1].\n2. Then {placeholder}.\n\n",
            "# Title\n\n*one*, _two_ and ~~three~~\n\n", "[link](https://example.org/{id})\n", "It's $x_{1}$, \\frac{a}{b}.\n"],
        after: &["\n\n**Note:** the \"name\", e.g. {x}, is a guess.", "\n\n1. `a`: the [first] one.\n2. `b`: see {2}.", "\n\n| k | v |\n|---|---|\n| [x] | {y} |\n",
            "\n\n- [x] done\n- [ ] open\n", "\n\n***\n\n## Notes\n\nNone, really: 0 of 3."],
        examples: (&["The schema is {\"type\": \"object\"}.\n\n"], &[]),
    },
    Register {
        name: "reasoning",
        before: &["<think>\nMaybe {\"a\": 1}? Or [1, 2].\n</think>\n", "<thinking>The user wants \"x\", [</thinking>\n\n", "<reasoning>\n```json\n{\"draft\": 1}\n```\n</reasoning>\n",
            "<think></think>"],
        after: &["", "\n", "\n\nThat was step 3 of 3."],
        examples: (&["The user wants {\"a\": 1}.\n</think>\n\n"], &[]),
    },
    Register {
        name: "review",
        before: &["In Rust: `fn main() { f(\"hi\"); }`\n", "```python\nprint({'a': 1})\n```\n", "~~~\nif x { y }\n~~~\n", "Calling f({\"x\": 1}) gave:\n",
            "```diff\n- let a = [1];\n+ let a = [1, 2];\n```\nSo:\n", "Use `{}` or `[`.\n", "A set: {1, 2}, {\"x\", \"y\"}.\n",
            "An array looks like [1, 2, 3], an object like {}.\n", "The text \"{\\\"a\\\": 1}\" was escaped.\n"],
        after: &["\n\nI called f({\"x\": 1}).", "\n// end\n", "\n\n```rust\nlet x = [1, 2];\n```\n", "\n\n`a[0]` and `b.c()` are new.", "\n\nSee src/a.rs:12, and b.rs."],
        examples: (&[], &[]),
    },
    Register {
        name: "languages",
        before: &["好的，以下是结果：\n", "Voilà le résultat « demandé » :\n", "Вот ответ — [1], {да}:\n", "結果は「{名前}」です。\n", "Aquí está; ¿vale?\n", "إليك النتيجة:\n"],
        after: &["\n\n如需修改，请告诉我。", "\n\nC’est « tout », merci : à bientôt.", "\n\nГотово: 3 шт., да?", "\n\n以上です。", "\n\nשלום, זה הכול."],
        examples: (&[], &[]),
    },
    Register {
        name: "marks",
        before: &["> As asked:\n\n", "- one\n- two [2]\n\n", "> ", "- ", "1. ", "* * *\n", "   "],
        after: &["\n\n- one\n- two, \"three\"\n", "\n> quoted {so}\n", "\n\n3) `x`", "\n\n+ more\n  + and more, yes"],
        examples: (&[], &[]),
    },
    Register {
        name: "templates",
        before: &["Hi {name} :-] and :} too.\n", "Dear {{ user.name }}, ${x} and <%= y %>:\n", "{{greeting}}, here you go =]\n", "Fill in [NAME] and {DATE} ;-)\n", "<s>[TOOL_CALLS] "],
        after: &["\n\nHope {that} helps :-}", "\n\n😀 :-] ;}", "\n\nBye {{ name }}! ^_^", "\n\n2 of 3, as asked.", "\n\n[SIGNATURE] {0}"],
        examples: (&[], &[]),
    },
];

/// The names of the registers.
#[must_use]
pub fn registers() -> Vec<&'static str> {
    REGISTERS.iter().map(|register| register.name).collect()
}

/// Openers and closers of fences.
#[rustfmt::skip]
const FENCES: &[(&str, &str)] = &[
    ("", ""), ("", ""), ("", ""), ("```json\n", "\n```"), ("```json\n", "\n```"), ("```\n", "\n```"),
    ("~~~json\n", "\n~~~"), ("````json\n", "\n````"), ("```JSON\n", "\n```"), ("```jsonc\n", "\n```"),
    ("```json\n", ""), ("```json ", " ```"), ("```javascript\n", "\n```"), ("~~~\n", "\n~~~"),
    ("  ```json\n", "\n  ```"), ("```\n", ""), ("```json5\n// as asked\n", "\n```"), ("``` json\n", "\n```"),
];

/// Some text around a document; often none.
pub fn around(random: &mut Random) -> Around {
    if !random.chance(60) {
        return Around { register: "none", ..Around::default() };
    }
    let register = &REGISTERS[random.below(REGISTERS.len())];
    let (open, close) = FENCES[random.below(FENCES.len())];
    let mut example = false;
    let mut text = |texts: &'static [&'static str], examples: &'static [&'static str]| {
        if !examples.is_empty() && random.chance(10) {
            example = true;
            return random.pick(examples);
        }
        random.pick(texts)
    };
    let before = text(register.before, register.examples.0);
    let after = text(register.after, register.examples.1);
    // An open fence has nothing behind it; a fence begins on a line of its own, or with a label.
    let after = if open.is_empty() || !close.is_empty() { after } else { "\n" };
    let here = before.is_empty() || before.ends_with('\n') || open.ends_with(' ');
    let line = if open.is_empty() || here { "" } else { "\n" };
    let before = [before, line, open].concat();
    let last = before.rsplit('\n').next().unwrap_or("");
    let inline = !last.trim_matches([' ', '\u{feff}']).is_empty();
    Around { before, after: [close, after].concat(), example, inline, register: register.name }
}
