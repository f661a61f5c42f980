//! The official suite of JSON Schema through the whole path: the data of each case, written in several ways, is read by the engine under
//! every way of cutting it and checked by a contract.
//!
//! Two things must hold. A verdict is the suite's: of all required cases, and of all optional ones but those in [`NOT_ASSERTED`]. And it
//! is that of the crate `jsonschema` for the value that `serde_json` reads, for every case.
//!
//! The suite is no part of this repository. It is looked for where `THUSFAR_SCHEMA_SUITE` says (it must be there then), otherwise
//! beside the project, in `../shared/json-schema-suite`. Without it the tests say that they skipped. `.ci/schema_suite` gets it.

#[path = "support/official.rs"]
mod official;
#[path = "support/spelling.rs"]
mod spelling;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

use official::{Suite, files, json, name, say};
use serde_json::Value;
use spelling::Spelling;
use thusfar_contract::{Check, Contract, Draft, SchemaOptions};
use thusfar_core::{Document, Ending, Expect, Reply, read};
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::random::Random;

/// The formats that the judge asserts only with tables of Unicode, which are not in this build (`idna` of `jsonschema`).
const NOT_ASSERTED: [&str; 2] = ["optional/format/idn-hostname.json", "optional/format/idn-email.json"];

/// A draft, its folder, and the least number of required cases that a suite worth its name has.
const DRAFTS: [(Draft, &str, usize); 5] = [
    (Draft::Draft4, "draft4", 600),
    (Draft::Draft6, "draft6", 800),
    (Draft::Draft7, "draft7", 900),
    (Draft::Draft201909, "draft2019-09", 1_200),
    (Draft::Draft202012, "draft2020-12", 1_250),
];

fn named(draft: Draft) -> jsonschema::Draft {
    match draft {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
        other => panic!("a draft that is not run here: {other:?}"),
    }
}

/// What a run over files has met.
#[derive(Default)]
struct Tally {
    cases: usize,
    texts: usize,
    /// Cases with another verdict than the suite's, each with its file in front.
    wrong: Vec<String>,
}

impl Tally {
    fn say(&self, what: &str) {
        say(&format!(
            "{what}: {} cases in {} texts, {} not as the suite says",
            self.cases,
            self.texts,
            self.wrong.len()
        ));
    }
}

/// One group of cases under one schema.
struct Group {
    draft: Draft,
    place: String,
    contract: Contract,
    judge: jsonschema::Validator,
}

/// Runs all cases of some files of a draft.
fn run(suite: &Suite, draft: Draft, folder: &str, paths: &[PathBuf], formats: Option<bool>) -> Tally {
    let remotes = suite.remotes(folder);
    let mut options = SchemaOptions::trusted().draft(draft);
    let mut registry = jsonschema::Registry::new();
    for (uri, value) in &remotes {
        options = options.document(uri, value.clone());
        let resource = named(draft).detect(value).create_resource_ref(value);
        registry = registry.add(uri, resource).expect("a document with a URI");
    }
    let registry = registry.prepare().expect("all references are there");
    let mut judge = jsonschema::options().with_draft(named(draft)).with_registry(&registry);
    if let Some(formats) = formats {
        options = options.formats(formats);
        judge = judge.should_validate_formats(formats);
    }
    let mut tally = Tally::default();
    for path in paths {
        let file = name(path, &suite.drafts.join(folder));
        for group in json(path).as_array().expect("groups") {
            let schema = &group["schema"];
            let place = format!("{file}: {}", group["description"].as_str().expect("a name"));
            let contract = Contract::with_options(&schema.to_string(), &options);
            let contract = contract.unwrap_or_else(|error| panic!("{folder}/{place}: {error}"));
            let judge = judge.build(schema).unwrap_or_else(|error| panic!("{folder}/{place}: {error}"));
            let group_of = Group { draft, place, contract, judge };
            for case in group["tests"].as_array().expect("cases") {
                group_of.hold(case, &mut tally);
            }
        }
    }
    tally
}

impl Group {
    /// Holds one case in every spelling.
    fn hold(&self, case: &Value, tally: &mut Tally) {
        let valid = case["valid"].as_bool().expect("a verdict");
        let place = format!("{}: {}", self.place, case["description"].as_str().expect("a name"));
        let mut is_wrong = false;
        for spelling in Spelling::ALL {
            // In draft 4 alone `1.0` is no integer.
            if self.draft == Draft::Draft4 && spelling.respells_numbers() {
                continue;
            }
            let text = spelling.write(&case["data"]);
            let value: Value = serde_json::from_str(&text).expect("JSON");
            let is_valid = self.check(&text, &place).is_valid();
            assert_eq!(is_valid, self.judge.is_valid(&value), "not as the validator: {place}: {text}");
            is_wrong |= is_valid != valid;
            tally.texts += 1;
        }
        tally.cases += 1;
        if is_wrong {
            tally.wrong.push(place);
        }
    }

    /// The check of a text, which is the same however it is cut.
    fn check(&self, text: &str, place: &str) -> Check {
        under_every_split(text);
        let whole = read(text, Expect::value()).unwrap_or_else(|failure| panic!("{place}: {text}: {failure}"));
        let check = self.contract.check(&whole);
        assert_eq!(check.limit(), None, "{place}: {text}");
        let mut random = Random::new(text.len() as u64);
        let (bytes, mut cuts) = (text.as_bytes(), [0, 0].map(|_| random.below(text.len() + 1)));
        cuts.sort_unstable();
        let cut = in_pieces([&bytes[..cuts[0]], &bytes[cuts[0]..cuts[1]], &bytes[cuts[1]..]]);
        for document in [in_pieces(bytes.chunks(1)), cut] {
            assert_eq!(self.contract.check(&document), check, "{place}: {text}");
        }
        check
    }
}

fn in_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Document {
    let mut reply = Reply::new(Expect::value());
    for piece in pieces {
        let _ = reply.push_bytes(piece);
    }
    reply.finish(Ending::Stop).expect("a document")
}

/// The engine takes a text as it is, however it is cut. Many cases have the same data: each text is asked once.
fn under_every_split(text: &str) {
    static ASKED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    if ASKED.lock().expect("no panic in between").insert(text.to_owned()) {
        match check(text, Expect::value(), Ending::Stop) {
            Report::Document { text: found, repairs, .. } => assert!(found == text && repairs.is_empty(), "{text}"),
            refused => panic!("{text}: {refused:?}"),
        }
    }
}

/// All required cases of a draft hold.
fn required(draft: Draft) {
    let Some(suite) = Suite::found() else { return };
    let (_, folder, least) = DRAFTS.into_iter().find(|(of, ..)| *of == draft).expect("a row");
    let below = suite.drafts.join(folder);
    if !below.is_dir() {
        assert!(!matches!(draft, Draft::Draft7 | Draft::Draft202012), "{folder} must be there");
        return say(&format!("{folder}: not in this suite"));
    }
    let is_required = |path: &PathBuf| !path.starts_with(below.join("optional"));
    let paths: Vec<_> = files(&below).into_iter().filter(is_required).collect();
    let tally = run(&suite, draft, folder, &paths, None);
    tally.say(folder);
    assert!(tally.cases >= least, "{folder}: {} cases are too few", tally.cases);
    assert_eq!(tally.wrong, Vec::<String>::new(), "not as the suite says");
}

#[test]
fn required_cases_of_draft_4() {
    required(Draft::Draft4);
}

#[test]
fn required_cases_of_draft_6() {
    required(Draft::Draft6);
}

#[test]
fn required_cases_of_draft_7() {
    required(Draft::Draft7);
}

#[test]
fn required_cases_of_draft_2019_09() {
    required(Draft::Draft201909);
}

#[test]
fn required_cases_of_draft_2020_12() {
    required(Draft::Draft202012);
}

#[test]
fn optional_cases() {
    let Some(suite) = Suite::found() else { return };
    let mut cases = 0;
    for (draft, folder, _) in DRAFTS {
        let optional = suite.drafts.join(folder).join("optional");
        let is_format = |path: &PathBuf| path.starts_with(optional.join("format"));
        let (formats, others): (Vec<_>, Vec<_>) = files(&optional).into_iter().partition(is_format);
        for (what, paths, formats) in [("optional", others, None), ("formats", formats, Some(true))] {
            let tally = run(&suite, draft, folder, &paths, formats);
            tally.say(&format!("{folder}, {what}"));
            cases += tally.cases;
            let is_asserted = |place: &&String| !NOT_ASSERTED.iter().any(|file| place.starts_with(file));
            let wrong: Vec<_> = tally.wrong.iter().filter(is_asserted).collect();
            assert!(wrong.is_empty(), "not as the suite says: {wrong:#?}");
        }
    }
    assert!(cases > 1_000, "{cases} cases are too few");
}
