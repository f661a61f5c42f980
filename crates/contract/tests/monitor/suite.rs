//! The official suite of JSON Schema, case by case, while it arrives: the data of each written in several ways, whole, byte by byte and in pieces.
//!
//! The verdict is the suite's; what is valid is never told; what is told is not valid for the full validator either. The suite is found as in
//! `tests/suite.rs`; without it the tests say that they skipped.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use thusfar_contract::{Contract, Draft, SchemaOptions, Violation};
use thusfar_core::{Expect, read};

use crate::feeding::{Answer, End, Feed, Told};
use crate::official::{Suite, files, json, name, say};
use crate::spelling::Spelling;

/// Cuts in two of each text, besides byte by byte and in random pieces.
const CUTS: usize = 3;

/// Where one of these stands, a violation may be told as another than in the end: of the branch that died last.
const COMBINING: [&str; 4] = ["\"anyOf\"", "\"oneOf\"", "\"not\"", "\"if\""];

/// How what is not valid was found out.
#[derive(Debug, Default)]
struct Tally {
    cases: usize,
    texts: usize,
    valid: usize,
    /// Early, with the last byte, by the full validator alone.
    found_out: [usize; 3],
    /// The same by keyword.
    keywords: BTreeMap<String, [usize; 3]>,
    wrong: Vec<String>,
    /// Told of something that the full check does not say.
    other: Vec<String>,
}

struct Group<'g> {
    place: String,
    contract: &'g Contract,
    tally: &'g mut Tally,
}

impl Group<'_> {
    fn case(&mut self, case: &Value, draft: Draft) {
        let valid = case["valid"].as_bool().expect("a verdict");
        let name = case["description"].as_str().expect("a name");
        for spelling in Spelling::ALL {
            // In draft 4 alone `1.0` is no integer.
            if draft == Draft::Draft4 && spelling.respells_numbers() {
                continue;
            }
            self.text(&spelling.write(&case["data"]), valid, name);
        }
        self.tally.cases += 1;
    }

    fn text(&mut self, text: &str, valid: bool, name: &str) {
        let answer = Feed::new(self.contract, Expect::value()).cut_at(text, CUTS);
        let place = format!("{}: {name}: {text}", self.place);
        self.tally.texts += 1;
        let document = read(text, Expect::value()).expect("JSON");
        let check = self.contract.check(&document);
        assert_eq!(check.limit(), None, "{place}");
        if answer.is_valid() != Some(valid) || check.is_valid() != valid {
            self.tally.wrong.push(format!("{place}: {answer:?}"));
            return;
        }
        if valid {
            self.tally.valid += 1;
            return;
        }
        let last = document.span().end - 1;
        let how = match (answer.refusal(), &answer) {
            (Some((told, decided_at)), _) => {
                let same = |of: &Violation| is_same(of, told);
                let schema = self.contract.schema().to_string();
                let combines = COMBINING.iter().any(|keyword| schema.contains(keyword));
                if !combines && !check.violations().iter().any(same) {
                    self.tally.other.push(format!(
                        "{place}: {} at {:?}, {:?}",
                        told.keyword,
                        told.path,
                        check.violations().iter().map(|of| (of.keyword(), of.path())).collect::<Vec<_>>()
                    ));
                }
                usize::from(decided_at >= last)
            }
            (None, Answer { end: End::Document { .. }, .. }) => 2,
            _ => unreachable!("not valid"),
        };
        self.tally.found_out[how] += 1;
        let keyword = answer.told.as_ref().map_or_else(|| check.violations()[0].keyword(), |told| told.keyword);
        self.tally.keywords.entry(keyword.to_owned()).or_default()[how] += 1;
    }
}

/// Whether a violation of the full check is the one that was told: of a key that is still open the object, of a union what broke in it.
fn is_same(of: &Violation, told: &Told) -> bool {
    let is_open_key = matches!(told.keyword, "additionalProperties" | "propertyNames")
        && of.path().rsplit_once('/').is_some_and(|(object, _)| object == told.path);
    let is_union = matches!(of.keyword(), "anyOf" | "oneOf") && told.path.starts_with(of.path());
    is_union || of.keyword() == told.keyword && (of.path() == told.path || is_open_key)
}

/// All cases of some files.
fn run(suite: &Suite, (draft, folder): (Draft, &str), paths: &[PathBuf], formats: Option<bool>) -> Tally {
    let mut options = SchemaOptions::trusted().draft(draft);
    for (uri, value) in suite.remotes(folder) {
        options = options.document(&uri, value);
    }
    if let Some(formats) = formats {
        options = options.formats(formats);
    }
    let mut tally = Tally::default();
    for path in paths {
        let file = name(path, &suite.drafts.join(folder));
        for group in json(path).as_array().expect("groups") {
            let place = format!("{folder}/{file}: {}", group["description"].as_str().expect("a name"));
            let contract = Contract::with_options(&group["schema"].to_string(), &options);
            let contract = contract.unwrap_or_else(|error| panic!("{place}: {error}"));
            let mut group_of = Group { place, contract: &contract, tally: &mut tally };
            for case in group["tests"].as_array().expect("cases") {
                group_of.case(case, draft);
            }
        }
    }
    tally
}

fn tell(what: &str, tally: &Tally) {
    let Tally { cases, texts, valid, found_out: [early, last, by_validator], wrong, .. } = tally;
    say(&format!(
        "{what}: {cases} cases, {texts} texts, {valid} valid; not valid: {early} told early, {last} with the last byte, {by_validator} by the validator; {} wrong",
        wrong.len()
    ));
    let late = tally.keywords.iter().filter(|(_, counts)| counts[2] > 0);
    let late: Vec<_> = late.map(|(keyword, [early, last, end])| format!("{keyword} {early}/{last}/{end}")).collect();
    say(&format!("    for the validator: {}", late.join(", ")));
}

fn held(what: &str, tally: &Tally, least: usize) {
    tell(what, tally);
    assert!(tally.cases >= least, "{what}: {} cases are too few", tally.cases);
    let wrong = &tally.wrong;
    let other = &tally.other;
    assert!(
        other.is_empty(),
        "{} are not what the full check says:\n{}",
        other.len(),
        other[..other.len().min(20)].join("\n")
    );
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// Required cases of a draft, all of which hold.
fn required(draft: Draft, folder: &str, least: usize) {
    let Some(suite) = Suite::found() else { return };
    let below = suite.drafts.join(folder);
    let paths: Vec<_> = files(&below).into_iter().filter(|path| !path.starts_with(below.join("optional"))).collect();
    held(folder, &run(&suite, (draft, folder), &paths, None), least);
}

#[test]
fn required_cases_of_draft_7() {
    required(Draft::Draft7, "draft7", 900);
}

#[test]
fn required_cases_of_draft_2020_12() {
    required(Draft::Draft202012, "draft2020-12", 1_250);
}

/// What is optional in those two: formats, patterns, large numbers.
#[test]
fn optional_cases() {
    let Some(suite) = Suite::found() else { return };
    for (draft, folder) in [(Draft::Draft7, "draft7"), (Draft::Draft202012, "draft2020-12")] {
        let optional = suite.drafts.join(folder).join("optional");
        let is_format = |path: &PathBuf| path.starts_with(optional.join("format"));
        // Those two are asserted with tables of Unicode alone, which are not in this build.
        let is_asserted = |path: &PathBuf| !path.ends_with("idn-hostname.json") && !path.ends_with("idn-email.json");
        let paths = files(&optional).into_iter().filter(is_asserted);
        let (formats, others): (Vec<_>, Vec<_>) = paths.partition(is_format);
        for (what, paths, formats) in [("optional", others, None), ("formats", formats, Some(true))] {
            held(&format!("{folder}, {what}"), &run(&suite, (draft, folder), &paths, formats), 100);
        }
    }
}

/// The other drafts, where they are there: each has keywords that others do not have.
#[test]
fn required_cases_of_other_drafts() {
    let Some(suite) = Suite::found() else { return };
    let others =
        [(Draft::Draft4, "draft4", 600), (Draft::Draft6, "draft6", 800), (Draft::Draft201909, "draft2019-09", 1_200)];
    for (draft, folder, least) in others {
        match suite.drafts.join(folder).is_dir() {
            true => required(draft, folder, least),
            false => say(&format!("{folder}: not in this suite")),
        }
    }
}
