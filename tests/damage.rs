//! Damaged replies with a known truth: the truth comes out, or a failure, never another value.
//!
//! What no reader can tell, and what this one does not refuse yet, is left out by where and how the damage is done, never by the
//! reply: see [`CLASSES`]. `MORE_CASES=20 cargo test --test damage` tries twenty times as many.

use std::collections::BTreeMap;

use thusfar::{Code, Document, Ending, Expect, Failure, RepairKind, Reply, Root};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::damage::{Case, Damaged, Role, Token, case};
use thusfar_testkit::twin::equal_text;
use thusfar_testkit::workload::Random;

/// Damage that is left out.
struct Class {
    name: &'static str,
    /// Whether a rule could refuse it. Otherwise the damaged text says something else, as whole as the truth.
    decidable: bool,
    why: &'static str,
    /// A reply of the class, what comes of it, what was meant.
    example: (&'static str, &'static str, &'static str),
    holds: fn(&Case, &Damaged) -> bool,
}

const CLASSES: &[Class] = &[
    Class {
        name: "inside a string or a number",
        decidable: false,
        why: "another string or number is as whole as the one meant; so it is where a delimiter is swapped with a character \
              of its string, or with white space that becomes one",
        example: ("[\"a\n\"]", "[\"a\\n\"]", "[\"a\"]"),
        holds: |_, damaged| {
            role(damaged).is_some_and(|role| !role.is_structure()) && !damaged.kind.starts_with("inserted")
                || damaged.kind == "swapped" && is(damaged, &[Role::Opening, Role::Closing])
        },
    },
    Class {
        name: "a comma beside digits",
        decidable: false,
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
        decidable: false,
        why: "a plain quote may close what an escaped one opened, so one that lost its backslash still closes, and a backslash in \
              front of a plain one opens a string that ends at the first quote of its text",
        example: ("[\\\"a1\"]", "[\"a1\"]", "[\"a\"]"),
        holds: |case, damaged| {
            let quote = matches!(role(damaged), Some(Role::Opening | Role::Closing));
            let long = damaged.token.is_some_and(|token| token.end - token.start > 1);
            case.look.mixed || quote && (long || damaged.kind == "before" || damaged.with.starts_with('\\'))
        },
    },
    Class {
        name: "commented out",
        decidable: false,
        why: "a comment that begins in front of a member drops it; models do write such members",
        example: ("[\n  //1\n]", "[\n  \n]", "[1]"),
        holds: |_, damaged| damaged.with.starts_with('/'),
    },
    Class {
        name: "a value more",
        decidable: false,
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
        decidable: false,
        why: "whole members may be what is lost; a trailing comma and a closer of the wrong kind heal the rest",
        example: ("[1,]", "[1]", "[1,2]"),
        holds: |_, damaged| matches!(damaged.kind, "run lost" | "run twice" | "part twice"),
    },
    Class {
        name: "an example as the only JSON",
        decidable: false,
        why: "an example in a sentence is the one document of a reply whose own document never became one",
        example: ("Say, {\"a\": 1} wou", "{\"a\": 1}", "{\"b\": 2}"),
        holds: |case, _| case.example,
    },
    Class {
        name: "the kind of an empty container",
        decidable: true,
        why: "nothing stands in it that tells whether its opener or its closer is wrong",
        example: ("[{]]", "[{}]", "[[]]"),
        holds: |case, damaged| {
            let next = beside(case, damaged, 1, &[Role::Space, Role::Comment]);
            is(damaged, &[Role::Opener]) && next.is_some_and(|token| token.role == Role::Closer)
        },
    },
    Class {
        name: "a closer for an opener or an opening quote",
        decidable: true,
        why: "a word or a digit directly behind a closer is no sign that it closed too early",
        example: ("[]2", "[]", "[[2]]"),
        holds: |_, damaged| is(damaged, &[Role::Opener, Role::Opening]) && matches!(damaged.with, "]" | "}"),
    },
    Class {
        name: "a string that becomes a comment",
        decidable: true,
        why: "a string that begins with slashes, without its quote, is a line comment with an odd number of quotes",
        example: ("[1,// x\"// \"y\" z\n]", "[1]", "[1,\"// x\"]"),
        holds: |case, damaged| {
            let quote = matches!(role(damaged), Some(Role::Opening | Role::Closing));
            quote && ["\"//", "\"/*"].iter().any(|slashes| case.text.contains(slashes))
        },
    },
    Class {
        name: "another document behind one that is no promise",
        decidable: true,
        why: "a weak candidate counts only alone on its lines, so a list without brackets loses it",
        example: ("so\n[3.25] [\"true\"]", "[\"true\"]", "[3.25]"),
        holds: |case, damaged| {
            let first =
                case.tokens.iter().find(|token| token.start > 0 && !matches!(token.role, Role::Space | Role::Comment));
            damaged.kind == "another behind" && first.is_none_or(|token| token.role != Role::Opening)
        },
    },
    Class {
        name: "a fence in a string",
        decidable: true,
        why: "where the root broke, a fence in one of its strings is taken for a fence of the reply, or hides what would show that \
              a document is a piece",
        example: (
            "\"a\": \"```json\n{\\\"b\\\": 1}\n```\"}",
            "{\"b\": 1}",
            "{\"a\": \"```json\\n{\\\"b\\\": 1}\\n```\"}",
        ),
        holds: |case, _| ["```json", "~~~json"].iter().any(|fence| case.text.contains(fence)),
    },
];

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

fn read(reply: &str, root: Root, ending: Ending) -> Result<Document, Failure> {
    let mut reading = Reply::new(Expect::root(root));
    let _ = reading.push(reply);
    reading.finish(ending)
}

fn cases(count: u64) -> impl Iterator<Item = (Random, bool)> {
    let more = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    (0..count * more).map(|seed| (Random::new(seed), seed % 2 == 0))
}

#[test]
fn the_truth_or_a_failure() {
    let mut wrong = Vec::new();
    let mut counts = BTreeMap::new();
    for (mut random, dirty) in cases(4_000) {
        let small = random.chance(90);
        let mut case = case(&mut random, small, dirty);
        if random.chance(50) {
            (case.before, case.after, case.example) = (String::new(), String::new(), false);
        }
        let mut all = case.touches(|token| token.role.is_structure());
        random.shuffle(&mut all);
        all.truncate(200);
        all.extend(case.insertions(&mut random));
        all.extend(case.blow(&mut random));
        for damaged in all {
            if CLASSES.iter().any(|class| (class.holds)(&case, &damaged)) {
                *counts.entry("left out").or_insert(0) += 1;
                continue;
            }
            let other = if case.root == Root::Object { Root::Array } else { Root::Object };
            // Somebody who asks for the other kind may get what stands beside the document, if that is damaged as a whole.
            let root = match random.below(8) {
                0 => Root::Any,
                1 if damaged.token.is_some() => other,
                _ => case.root,
            };
            let ending = [Ending::Unknown, Ending::Stop, Ending::Length][random.below(3)];
            let found = read(&damaged.reply, root, ending);
            let outcome = match &found {
                Ok(document) if !damaged.lost && equal_text(document.text(), &case.truth) => "the truth",
                Ok(document) => {
                    let Damaged { kind, with, token, reply, .. } = &damaged;
                    let (meant, text) = (&case.truth, document.text());
                    wrong.push(format!("{kind} {with:?} {token:?} {root:?}: {reply:?}\n  meant {meant}\n  got {text}"));
                    "wrong"
                }
                Err(failure) => failure.code().as_str(),
            };
            *counts.entry(outcome).or_insert(0) += 1;
        }
    }
    wrong.sort_by_key(String::len);
    wrong.dedup();
    let some = wrong.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}: {counts:?}\n{}", wrong.len(), some.join("\n"));
    assert!(counts["the truth"] > 10_000 && counts.len() > 25, "{counts:?}");
}

/// A reply without damage gives its document, under every split; with an example beside it, nothing else.
#[test]
fn whole_replies() {
    let mut refused = Vec::new();
    for (mut random, dirty) in cases(800) {
        let case = case(&mut random, true, dirty);
        // See the class of documents that are no promise.
        if case.example && case.before.ends_with(": ") {
            continue;
        }
        let reply = case.reply();
        match check(&reply, Expect::root(case.root), Ending::Stop) {
            Report::Document { text, repairs, .. } => {
                assert!(equal_text(&text, &case.truth), "{reply:?}: {text}");
                assert!(dirty || repairs.is_empty(), "{reply:?}");
            }
            // In a sentence a document that does not begin with a string is text.
            Report::Failure { code: Code::NoDocument | Code::WrongRoot, .. } if case.before.ends_with(": ") => {}
            Report::Failure { code, .. } if case.example => {
                assert!(matches!(code, Code::DifferentDocuments | Code::CloseTagBehind), "{code:?}: {reply:?}");
            }
            Report::Failure { code, .. } => refused.push(format!("{code:?}: {reply:?}")),
        }
    }
    assert!(refused.is_empty(), "{}:\n{}", refused.len(), refused.join("\n"));
}

/// What the classes say of themselves.
#[test]
fn classes() {
    for class in CLASSES {
        let Class { name, why, example: (reply, comes, meant), .. } = class;
        let root = if comes.starts_with('{') { Root::Object } else { Root::Array };
        let found = read(reply, root, Ending::Unknown);
        let text = found.as_ref().map(Document::text);
        assert!(text.is_ok_and(|text| equal_text(text, comes)), "{name} ({why}): {reply:?} gives {text:?}");
        assert!(class.decidable || !equal_text(comes, meant), "{name}");
    }
}

/// A run of tokens that is lost or there twice, with nothing that heals it: valid JSON or a failure.
#[test]
fn runs() {
    for (mut random, _) in cases(2_000) {
        let mut case = case(&mut random, true, false);
        (case.before, case.after) = (String::new(), String::new());
        for damaged in case.runs(&mut random) {
            let expect = Expect::root(case.root).without(RepairKind::TrailingComma).without(RepairKind::BracketKind);
            let mut reading = Reply::new(expect);
            let _ = reading.push(&damaged.reply);
            if let Ok(document) = reading.finish(Ending::Stop) {
                let valid = serde_json::from_str::<serde_json::Value>(&damaged.reply).is_ok();
                assert!(valid || equal_text(document.text(), &case.truth), "{:?}: {}", damaged.reply, document.text());
            }
        }
    }
}
