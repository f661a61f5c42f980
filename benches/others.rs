//! A fresh value after every chunk, beside libraries of JavaScript and Python: `benches/others.sh` installs them and runs this.
//!
//! The other process gets the text in a file and the ends of the prefixes that it is to read. It is told `N` and makes `N` passes over them, and
//! answers with its CPU time; ours takes turns with it, as in every row. On W1 each prefix is read. On the texts of 100 KB a pass would take
//! minutes to hours: there a sample of prefixes is read, spread evenly, and its time is scaled up to all of them; the row says so.
//! Ours reads everything always. Each library is asked for the whole text first, which must come out as it means.

#![allow(clippy::print_stdout)] // The table is what it is for.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use thusfar::{Expect, Progress, Reply};
use thusfar_testkit::workload;

#[path = "common/ratios.rs"]
mod ratios;

use ratios::{Case, Options, Row, Unit, case};

/// How many prefixes stand for all of them.
const SAMPLE: usize = 40;

/// A variable that names where the libraries are, the program that asks them, and the libraries.
const KINDS: [(&str, &str, &[&str]); 2] = [
    ("OTHERS_NODE", "ask.mjs", &["ai parsePartialJson", "partial-json", "jsonrepair"]),
    ("OTHERS_PYTHON", "ask.py", &["json_repair", "partial-json-parser"]),
];

/// A view after every chunk, and its tip read.
fn looking<'a>(pieces: &'a [&'a str], len: usize) -> Case<'a> {
    let run = move |reply: &mut thusfar::Live| {
        for piece in black_box(pieces) {
            let _ = reply.push(piece);
            black_box(reply.view().tip().map(|tip| (tip.kind(), tip.state(), tip.span())));
        }
    };
    case(len, || Reply::live(Expect::any()), run, |reply| assert_eq!(reply.progress(), Progress::Closed))
}

/// Another process that reads prefixes.
struct Other {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// Every how manieth prefix it reads.
    scale: f64,
    /// What it has refused of so many prefixes.
    refused: (usize, usize),
}

impl Other {
    fn start(variable: &str, place: &str, script: &str, library: &str, text: &Path, count: usize) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/others").join(script);
        let is_node = variable == "OTHERS_NODE";
        let mut command = Command::new(if is_node { "node" } else { place });
        command.arg(script).arg(library).arg(text);
        if is_node {
            command.arg(place);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (questions, answers) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("piped")));
        let mut other = Self { child, questions, answers, scale: 1.0, refused: (0, 0) };
        let [refused, read] = other.answer(library)[..] else {
            panic!("{library} says what it has refused, and of how many")
        };
        other.scale = count as f64 / read as f64;
        other.refused = (refused as usize, read as usize);
        other
    }

    fn answer(&mut self, library: &str) -> Vec<u64> {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("it answers");
        assert!(!line.is_empty(), "{library} has ended");
        line.split_whitespace().map(|word| word.parse().expect("a number")).collect()
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // Its input ends, so it does.
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

fn asking(library: String, mut other: Other) -> Case<'static> {
    Box::new(move |passes| {
        let questions = other.questions.as_mut().expect("not ended");
        writeln!(questions, "{passes}").and_then(|()| questions.flush()).expect("it listens");
        Duration::from_nanos(other.answer(&library)[0]).mul_f64(other.scale)
    })
}

/// Writes the text and the ends of the prefixes to read.
fn write(directory: &Path, corpus: &str, text: &str, pieces: &[&str], sample: usize) -> PathBuf {
    let mut end = 0;
    let ends: Vec<usize> = pieces
        .iter()
        .map(|piece| {
            end += piece.len();
            end
        })
        .collect();
    // The middle of each of so many stretches.
    let chosen: Vec<usize> = (0..sample).map(|at| ends[(2 * at + 1) * ends.len() / (2 * sample)]).collect();
    let file = directory.join(format!("{corpus}.json"));
    fs::write(&file, text).expect("written");
    let list = chosen.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    fs::write(directory.join(format!("{corpus}.json.ends")), list).expect("written");
    file
}

fn main() {
    let options = Options::from_args();
    options.begin();
    let directory = env::temp_dir().join(format!("thusfar-others-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let mut refusals = Vec::new();
    for (corpus, text) in [("W1", workload::w1()), ("W2", workload::w2()), ("W4", workload::w4())] {
        let pieces = workload::chunks(&text, 4);
        let sample = if corpus == "W1" { pieces.len() } else { SAMPLE };
        let file = write(&directory, corpus, &text, &pieces, sample);
        let how = if corpus == "W1" { String::new() } else { format!(", {sample} prefixes scaled") };
        for (variable, script, libraries) in KINDS {
            let Ok(place) = env::var(variable) else { continue };
            for library in libraries {
                let Some(name) = options.wanted(format!("5 tip/{corpus}/4B{how}, times faster : {library}")) else {
                    continue;
                };
                let other = Other::start(variable, &place, script, library, &file, pieces.len());
                refusals.push(format!("{library} on {corpus}: {} of {}", other.refused.0, other.refused.1));
                let (ours, yardstick) = (looking(&pieces, text.len()), asking((*library).to_owned(), other));
                options.faster(Row { name, ours, yardstick, unit: Unit::Each(pieces.len(), "chunk"), bars: None });
            }
        }
    }
    if !refusals.is_empty() {
        println!("prefixes refused: {}", refusals.join(", "));
    }
    for (variable, _, libraries) in KINDS {
        if env::var(variable).is_err() {
            println!("left out, {variable} is not set: {}", libraries.join(", "));
        }
    }
    fs::remove_dir_all(&directory).expect("removed");
}
