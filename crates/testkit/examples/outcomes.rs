//! What the captured streams come to when their text is judged as JSON of any kind, by category: `outcomes`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use thusfar_core::{Ending, Expect};
use thusfar_stream::{Outcome, Session, SessionOptions, Summary};
use thusfar_testkit::corpus;

/// What one lane came to, and how many repairs it took.
fn lane(outcome: &Outcome) -> (String, usize) {
    match outcome {
        Outcome::Document(document) => ("document".to_owned(), document.repairs().len()),
        Outcome::Failure(failure) => (format!("{} {}", failure.kind().as_str(), failure.code()), 0),
        _ => ("no arguments".to_owned(), 0),
    }
}

fn read(body: &[u8]) -> Summary {
    let mut session = Session::new(&SessionOptions::default().judge_text(Expect::any()));
    for chunk in body.chunks(1400) {
        // All of it is read, whatever the advice is: what hanging up would save is counted.
        let _ = session.push(chunk, &mut |_| ());
    }
    session.finish(Ending::Unknown, &mut |_| ())
}

fn main() -> io::Result<()> {
    let categories: BTreeMap<_, _> = corpus::captures().into_iter().map(|row| (row.id, row.category)).collect();
    // Category, outcome of the stream, outcome of the lane, advice: lanes, repairs, bytes behind the advice, of so many.
    let mut rows: BTreeMap<_, [usize; 4]> = BTreeMap::new();
    for (name, body) in corpus::recordings("captures", "sse") {
        let category = categories.get(&name).map_or("other", |category| category);
        let summary = read(&body);
        let advice = summary.advice().map(|(reason, at)| (reason.as_str(), body.len() - at as usize));
        let (reason, behind) = advice.unwrap_or(("-", 0));
        let mut lanes: Vec<_> = summary.lanes().filter_map(|of| of.outcome().map(lane)).collect();
        if lanes.is_empty() {
            lanes.push(("no lane".to_owned(), 0));
        }
        for (at, (outcome, repairs)) in lanes.into_iter().enumerate() {
            let key = (category.to_owned(), summary.outcome().as_str(), outcome, reason);
            let row = rows.entry(key).or_default();
            // The body counts once.
            let (behind, len) = if at == 0 { (behind, body.len()) } else { (0, 0) };
            for (sum, more) in row.iter_mut().zip([1, repairs, behind, len]) {
                *sum += more;
            }
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "| category | stream | lane | advice | lanes | repairs | bytes behind the advice | of bytes |")?;
    writeln!(out, "|---|---|---|---|--:|--:|--:|--:|")?;
    for ((category, stream, lane, reason), [lanes, repairs, behind, len]) in rows {
        writeln!(out, "| {category} | {stream} | {lane} | {reason} | {lanes} | {repairs} | {behind} | {len} |")?;
    }
    Ok(())
}
