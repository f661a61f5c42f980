//! The wrong values that come of damage: what kinds of damage may make them, and why.
//!
//! A class is told by where and how the damage is done, never by the reply: whatever is not of a class must give the truth or a
//! failure. Most wrong values are *whole*: the damaged text is as good a document as the one that was meant, so that no reader can
//! tell. Where a class says so, what comes out must be all of the damaged document, and never a piece of it.

use thusfar_core::{Code, Document, Failure, RepairKind};

use crate::damage::{Case, Damaged};
use crate::twin::equal_text;
use crate::written::{Role, Token};

/// A kind of damage of which another value may come than the one that was meant.
pub struct Class {
    /// Its name.
    pub name: &'static str,
    /// Whether what comes out is all of the damaged text: another document, as whole as the truth.
    pub whole: bool,
    /// Why no reader can tell, or why this one does not.
    pub why: &'static str,
    /// A reply, what comes of it, what was meant.
    pub example: (&'static str, &'static str, &'static str),
    /// Whether a damage is of the class.
    pub holds: fn(&Case, &Damaged) -> bool,
}

/// All of them; a damage may be of several.
pub const CLASSES: &[Class] = &[
    Class {
        name: "inside a string or a number",
        whole: true,
        why: "another string or number is as whole as the one meant; so it is where a delimiter is swapped with a character \
              of its string, or with white space that becomes one",
        example: ("[\"a\n\"]", "[\"a\\n\"]", "[\"a\"]"),
        holds: |_, damaged| {
            role(damaged).is_some_and(|role| !role.is_structure()) && damaged.kind != "inserted"
                || damaged.kind == "swapped" && is(damaged, &[Role::Opening, Role::Closing])
        },
    },
    Class {
        name: "a comma beside digits",
        whole: true,
        why: "two numbers become one, or one digit changes hands",
        example: ("[12]", "[12]", "[1,2]"),
        holds: |case, damaged| {
            is(damaged, &[Role::Comma, Role::Trailing])
                && [-1, 1]
                    .iter()
                    .any(|step| beside(case, damaged, *step, &[]).is_some_and(|token| token.role == Role::Word))
        },
    },
    Class {
        name: "an escaped delimiter",
        whole: true,
        why: "a plain quote may close what an escaped one opened, so one that lost its backslash still closes, and a backslash in \
              front of a plain one opens a string that ends at the first quote of its text",
        example: ("[\\\"a1\"]", "[\"a1\"]", "[\"a\"]"),
        holds: |_, damaged| {
            let quote = matches!(role(damaged), Some(Role::Opening | Role::Closing));
            let long = damaged.token.is_some_and(|token| token.end - token.start > 1);
            quote && (long || damaged.kind == "before" || damaged.with.starts_with('\\'))
        },
    },
    Class {
        name: "an opener swapped with a quote",
        whole: false,
        why: "what stands in front of the opener then is text, and the quote behind it opens a string that ends further on",
        example: ("\\{\"\\\":0,\\\"a\":1}", "{\"\\\":0,\\\"a\":1}", "{\"\":0,\"a\":1}"),
        holds: |_, damaged| damaged.kind == "swapped" && is(damaged, &[Role::Opener, Role::Opening]),
    },
    Class {
        name: "a closer for a comma in front of a literal",
        whole: false,
        why: "a word directly behind a root is prose, and an opener in a string behind it hides the last closer",
        example: ("[null]null,\"{\"]", "[null]", "[null,null,\"{\"]"),
        holds: |case, damaged| {
            let next = beside(case, damaged, 1, &[Role::Space, Role::Comment]);
            let word = next.is_some_and(|token| token.role == Role::Word);
            word && is(damaged, &[Role::Comma]) && matches!(damaged.with, "]" | "}")
        },
    },
    Class {
        name: "commented out",
        whole: true,
        why: "a comment that begins in front of a member drops it; models do write such members",
        example: ("[\n  //1\n]", "[\n  \n]", "[1]"),
        holds: |_, damaged| damaged.with.starts_with('/'),
    },
    Class {
        name: "a value more",
        whole: true,
        why: "where a value may stand, one more is as good as the others",
        example: ("[1]", "[1]", "[]"),
        holds: |case, damaged| {
            let value = matches!(damaged.with, "1" | " 1 " | "null" | "\"\"" | "{}" | "[]");
            let before = beside(case, damaged, -1, &[Role::Space, Role::Comment]);
            let behind_value =
                before.is_some_and(|token| matches!(token.role, Role::Closing | Role::Word | Role::Closer));
            value && (is(damaged, &[Role::Trailing]) || damaged.kind == "inserted" && !behind_value)
        },
    },
    Class {
        name: "a part lost or twice",
        whole: false,
        why: "whole members may be what is lost; a trailing comma and a closer of the wrong kind heal the rest",
        example: ("[1,]", "[1]", "[1,2]"),
        holds: |_, damaged| matches!(damaged.kind, "run lost" | "run twice" | "part twice"),
    },
    Class {
        name: "an example as the only JSON",
        whole: false,
        why: "an example in a sentence is the one document of a reply whose own document never became one",
        example: ("Say, {\"a\": 1} wou", "{\"a\": 1}", "{\"b\": 2}"),
        holds: |case, _| case.around.example,
    },
    Class {
        name: "the kind of an empty container",
        whole: true,
        why: "nothing stands in it that tells whether its opener or its closer is wrong",
        example: ("[{]]", "[{}]", "[[]]"),
        holds: |case, damaged| {
            let next = beside(case, damaged, 1, &[Role::Space, Role::Comment]);
            is(damaged, &[Role::Opener]) && next.is_some_and(|token| token.role == Role::Closer)
        },
    },
    Class {
        name: "a closer for an opener or an opening quote",
        whole: false,
        why: "what follows the closer can look like a comment, or like text around a document of another kind",
        example: ("```js\n[]//\", \"x\"]\n```", "[]", "[\"//\",\"x\"]"),
        holds: |_, damaged| is(damaged, &[Role::Opener, Role::Opening]) && matches!(damaged.with, "]" | "}"),
    },
    Class {
        name: "a string that becomes a comment",
        whole: true,
        why: "a string that begins with slashes, without its quote, is a line comment with an odd number of quotes",
        example: ("[1, // x\"// \"y\" z\n]", "[1]", "[1,\"// x\"]"),
        holds: |case, damaged| {
            let quote = matches!(role(damaged), Some(Role::Opening | Role::Closing));
            quote && ["\"//", "\"/*"].iter().any(|slashes| case.text.contains(slashes))
        },
    },
    Class {
        name: "another document behind one that is no promise",
        whole: false,
        why: "what never was a promise is text in a sentence, so another document beside it is the only one",
        example: ("- {}{\"a\": 1}", "{\"a\": 1}", "{}"),
        holds: |case, damaged| {
            let first =
                case.tokens.iter().find(|token| token.start > 0 && !matches!(token.role, Role::Space | Role::Comment));
            damaged.kind == "another behind" && first.is_none_or(|token| token.role != Role::Opening)
        },
    },
    Class {
        name: "a fence in a string",
        whole: false,
        why: "where the root broke or closed too early, a fence in one of its strings is taken for a fence of the reply, or ends the one \
              that is open and hides what would show that a document is a piece",
        example: (
            "\"a\": \"x\n```json\n{\\\"b\\\": 1}\n```\n\"}",
            "{\"b\": 1}",
            "{\"a\": \"x\\n```json\\n{\\\"b\\\": 1}\\n```\\n\"}",
        ),
        holds: |case, damaged| {
            let other = damaged.kind == "another behind" && damaged.reply.contains("\"```");
            other || ["```", "~~~"].iter().any(|fence| case.text.contains(fence))
        },
    },
    Class {
        name: "prose in a fence",
        whole: false,
        why: "where a fence opens in front of prose, or its document is commented out, a bracket of the prose is a document in a fence",
        example: ("Result: [7]\n```json\n[1] See there.", "[1]", "[7]"),
        holds: |_, damaged| {
            damaged.kind == "a fence more" || damaged.with.starts_with('/') || damaged.with.contains("```")
        },
    },
    Class {
        name: "a bracket in a string",
        whole: false,
        why: "where a string, or the object that holds it, is none any more, a bracket in its text can begin a document",
        example: ("[[x a[\\\"b\\\"] y\",\"{\"]]", "[\"b\"]", "[[\"x a[\\\"b\\\"] y\",\"{\"]]"),
        holds: |case, damaged| {
            let inside =
                |token: &Token| token.role == Role::Content && case.text[token.start..token.end].contains(['[', '{']);
            let delimiter = is(damaged, &[Role::Opener, Role::Opening, Role::Closing]);
            let quotes = ["single quotes", "curly quotes"].contains(&damaged.kind);
            (delimiter || quotes) && case.tokens.iter().any(inside)
        },
    },
    Class {
        name: "a quote among the quotes",
        whole: true,
        why: "quotes pair anew: what stood between two strings becomes a string, and the rest still is a document",
        example: ("[\"a],[\"]", "[\"a],[\"]", "[\"a\",[]]"),
        holds: |case, damaged| {
            let quote = matches!(role(damaged), Some(Role::Opening | Role::Closing));
            let escaped = case.look.repairs.contains(&RepairKind::EscapedDelimiter);
            let between = matches!(role(damaged), Some(Role::Comma | Role::Colon)) && escaped;
            damaged.kind == "exchanged"
                || quote
                || between
                || damaged.with.contains('"')
                || damaged.kind.ends_with("inner quotes")
        },
    },
    Class {
        name: "two bytes that changed places",
        whole: false,
        why: "two errors that hide each other: the first closes the root, the second takes away the closer that would show it",
        example: ("{\n  }名\": null\n\"", "{\n  }", "{\"名\": null}"),
        holds: |_, damaged| damaged.kind == "exchanged",
    },
];

/// What an answer to a damaged reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The document that was meant.
    Truth,
    /// A failure.
    Failed(Code),
    /// Another value, of the class of this name.
    Classed(&'static str),
    /// Another value, of no class.
    Wrong,
}

impl Verdict {
    /// The answer to a damaged reply, judged.
    #[must_use]
    pub fn of(case: &Case, damaged: &Damaged, answer: &Result<Document, Failure>) -> Self {
        let document = match answer {
            Ok(document) => document,
            Err(failure) => return Verdict::Failed(failure.code()),
        };
        if !damaged.lost && equal_text(document.text(), &case.truth) {
            return Verdict::Truth;
        }
        let whole = is_whole(damaged, document);
        let class = CLASSES.iter().find(|class| (whole || !class.whole) && (class.holds)(case, damaged));
        class.map_or(Verdict::Wrong, |class| Verdict::Classed(class.name))
    }
}

/// Whether a document is all of the damaged one, white space aside.
fn is_whole(damaged: &Damaged, document: &Document) -> bool {
    damaged.place.clone().is_some_and(|place| {
        let text = &damaged.reply[place.clone()];
        let [front, back] = [text.trim_start().len(), text.trim_end().len()];
        (place.end - front, place.start + back) == (document.span().start, document.span().end)
    })
}

fn role(damaged: &Damaged) -> Option<Role> {
    damaged.token.map(|token| token.role)
}

fn is(damaged: &Damaged, roles: &[Role]) -> bool {
    damaged.kind != "inserted" && role(damaged).is_some_and(|role| roles.contains(&role))
}

/// The token beside the damaged one, those of some roles aside.
fn beside(case: &Case, damaged: &Damaged, step: isize, skip: &[Role]) -> Option<Token> {
    let start = damaged.token?.start;
    let mut at = case.tokens.iter().position(|token| token.start == start)?;
    loop {
        at = at.checked_add_signed(step)?;
        let token = case.tokens.get(at)?;
        if !skip.contains(&token.role) {
            return Some(*token);
        }
    }
}
