//! Damaged replies with a known truth: the truth comes out, or a failure, or a value of a class that is listed, and nothing else.
//!
//! The classes ([`CLASSES`]) are told by where and how the damage is done, never by the reply. The seeds are fixed;
//! `MORE_CASES=20 cargo test --test damage` tries twenty times as many, and `TALLY=directory` keeps what came of them.

use std::collections::BTreeMap;

use thusfar::{Document, Ending, Expect, Failure, RepairKind, Reply, Root};
use thusfar_testkit::around::{Around, around};
use thusfar_testkit::classes::{CLASSES, Class, Verdict};
use thusfar_testkit::damage::{Case, Damaged};
use thusfar_testkit::generate::{case, of};
use thusfar_testkit::shapes::small_documents;
use thusfar_testkit::twin::equal_text;
use thusfar_testkit::workload::Random;
use thusfar_testkit::written::Look;

fn read(reply: &str, root: Root, ending: Ending) -> Result<Document, Failure> {
    let mut reading = Reply::new(Expect::root(root));
    let _ = reading.push(reply);
    reading.finish(ending)
}

fn more() -> u64 {
    std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1)
}

/// Seeds, each of a random generator of its own.
fn seeds(count: u64) -> impl Iterator<Item = Random> {
    (0..count * more()).map(Random::new)
}

/// What came of damaged replies.
#[derive(Default)]
struct Tally {
    replies: u64,
    counts: BTreeMap<&'static str, u64>,
    wrong: Vec<String>,
}

impl Tally {
    fn read(&mut self, case: &Case, damaged: &Damaged, random: &mut Random) {
        let other = if case.root == Root::Object { Root::Array } else { Root::Object };
        // Somebody who asks for the other kind may get what stands beside the document, if that is damaged as a whole.
        let root = match random.below(8) {
            0 => Root::Any,
            1 if damaged.token.is_some() => other,
            _ => case.root,
        };
        let ending = [Ending::Unknown, Ending::Stop, Ending::Length][random.below(3)];
        let answer = read(&damaged.reply, root, ending);
        let name = match Verdict::of(case, damaged, &answer) {
            Verdict::Truth => "the truth",
            Verdict::Failed(code) => code.as_str(),
            Verdict::Classed(name) => name,
            Verdict::Wrong => {
                let Damaged { kind, with, token, reply, .. } = damaged;
                let (meant, text) = (&case.truth, answer.map(|document| document.text().to_owned()));
                self.wrong
                    .push(format!("{kind} {with:?} {token:?} {root:?}: {reply:?}\n  meant {meant}\n  got {text:?}"));
                "wrong"
            }
        };
        self.replies += 1;
        *self.counts.entry(name).or_insert(0) += 1;
    }

    /// Panics with the shortest wrong values; gives the counts.
    fn end(mut self, name: &str) -> BTreeMap<&'static str, u64> {
        if let Ok(directory) = std::env::var("TALLY") {
            let rows: String = self.counts.iter().map(|(name, count)| format!("{count:>12} {name}\n")).collect();
            let text = format!("{:>12} replies\n{rows}", self.replies);
            std::fs::write(format!("{directory}/{name}.txt"), text).expect("a directory to write to");
        }
        self.wrong.sort_by_key(String::len);
        self.wrong.dedup();
        let some: Vec<_> = self.wrong.iter().take(20).cloned().collect();
        assert!(some.is_empty(), "{} of {}: {:?}\n{}", self.wrong.len(), self.replies, self.counts, some.join("\n"));
        self.counts
    }
}

/// Documents of every shape: a sample of what can be done to single bytes, and all that can be done to the whole.
#[test]
fn the_truth_or_a_failure() {
    let mut tally = Tally::default();
    for mut random in seeds(3_000) {
        let case = case(&mut random);
        let mut all = case.touches(|token| token.role.is_structure());
        random.shuffle(&mut all);
        all.truncate(150);
        all.extend(case.insertions(&mut random));
        all.extend(case.blow(&mut random));
        all.extend((0..40).map(|_| case.one(&mut random)));
        for damaged in &all {
            tally.read(&case, damaged, &mut random);
        }
    }
    let counts = tally.end("every_shape");
    assert!(counts["the truth"] > 10_000 && counts.len() > 30, "{counts:?}");
}

/// Every small document, with every byte of its structure deleted, doubled, replaced, or swapped with any other.
#[test]
fn small_documents_byte_by_byte() {
    let mut tally = Tally::default();
    for (at, tree) in small_documents().iter().enumerate() {
        let mut random = Random::new(at as u64);
        for round in 0..more() {
            let look = Look { space: ((at as u64 + round) % 3) as u8, repairs: Vec::new(), percent: 0, mixed: false };
            let around = if round == 0 { Around::default() } else { around(&mut random) };
            let case = of(tree, look, around, &mut random);
            for damaged in case.touches(|token| token.role.is_structure()).iter().chain(&case.swaps()) {
                tally.read(&case, damaged, &mut random);
            }
        }
    }
    let counts = tally.end("small");
    assert!(counts["the truth"] > 10_000 && counts.len() > 20, "{counts:?}");
}

/// What the classes say of themselves.
#[test]
fn classes() {
    for Class { name, why, example: (reply, comes, meant), .. } in CLASSES {
        let root = if comes.starts_with('{') { Root::Object } else { Root::Array };
        let found = read(reply, root, Ending::Unknown);
        let text = found.as_ref().map(Document::text);
        assert!(text.is_ok_and(|text| equal_text(text, comes)), "{name} ({why}): {reply:?} gives {text:?}");
        assert!(!equal_text(comes, meant), "{name}");
    }
}

/// The classes as rows of a table.
fn table() -> String {
    let code = |text: &str| {
        let text = text.replace('\n', "⏎");
        if text.contains('`') { format!("```` {text} ````") } else { format!("`{text}`") }
    };
    let row = |class: &Class| {
        let (reply, comes, meant) = class.example;
        let all = if class.whole { "all" } else { "a part" };
        format!("| {} | {} | {} | {} | {all} | {} |", class.name, code(reply), code(comes), code(meant), class.why)
    };
    CLASSES.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// The table of `DESIGN.md` is the list of the classes.
#[test]
fn the_design_lists_the_classes() {
    let design = include_str!("../DESIGN.md");
    let section = design.split("## What no reader can tell").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows =
        section.expect("a section").lines().filter(|line| line.starts_with("| ") && !line.starts_with("| damage"));
    assert_eq!(rows.collect::<Vec<_>>().join("\n"), table(), "\n{}\n", table());
}

/// A run of tokens that is lost or there twice, with nothing that heals it: valid JSON or a failure.
#[test]
fn runs() {
    for mut random in seeds(4_000) {
        let mut case = case(&mut random);
        if !case.look.repairs.is_empty() {
            continue;
        }
        case.around = Around::default();
        for damaged in (0..8).flat_map(|_| case.runs(&mut random)) {
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
