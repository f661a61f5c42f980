//! Rows written by hand: a schema, a reply with the byte marked that loses it, and what is said of it.
//!
//! In a reply `‸` stands in front of the byte that a violation names, `⁁` in front of the character whose last byte it names. It is told with that
//! byte (a character of several with its last one), or with the byte behind `›`, or no later than with the byte behind `»`.

mod arrays;
mod branches;
mod objects;
mod replies;
mod values;

use serde_json::Value;
use thusfar_contract::Contract;
use thusfar_core::{Ending, Expect, Keep, Reply};

use crate::feeding::{Answer, Feed, Told};

/// Of a violation, what a row does not ask for.
const ANY: &str = "*";

/// Schema, marked reply, path, keyword, when, and what was found as JSON.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// A reply without its marks, and where they stood.
struct Marked {
    reply: String,
    offset: usize,
    told: Option<usize>,
    latest: Option<usize>,
}

fn marked(text: &str) -> Marked {
    let mut marked = Marked { reply: String::new(), offset: usize::MAX, told: None, latest: None };
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let at = marked.reply.len();
        match char {
            '‸' => marked.offset = at,
            '⁁' => marked.offset = at + chars.peek().map_or(0, |next| next.len_utf8() - 1),
            '›' => marked.told = Some(at),
            '»' => marked.latest = Some(at),
            _ => marked.reply.push(char),
        }
    }
    assert!(marked.offset <= marked.reply.len(), "a mark: {text}");
    marked
}

/// What differs between a row and an answer.
fn differs(row: &Row, at: &Marked, answer: &Answer) -> Option<String> {
    let &(_, _, path, keyword, when, got) = row;
    let Some((told, decided_at)) = answer.refusal() else { return Some("it was not told".to_owned()) };
    let Told { path: found, keyword: key, got: value, offset, when: timing, .. } = told;
    if *offset != at.offset {
        return Some(format!("it names byte {offset}, not {}", at.offset));
    }
    let width = at.reply.get(at.offset..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let exact = at.told.unwrap_or(at.offset + width - 1);
    let in_time = at.latest.map_or(decided_at == exact, |latest| decided_at <= latest);
    if !in_time {
        return Some(format!("told at {decided_at}, not at {exact} (or up to {:?})", at.latest));
    }
    let asked = |wanted: &str, found: &str| wanted != ANY && wanted != found;
    if asked(path, found) || asked(keyword, key) || asked(when, timing.as_str()) {
        return Some(format!("{found:?} {key} {}", timing.as_str()));
    }
    let wanted: Option<Value> = (got != ANY).then(|| serde_json::from_str(got).expect("JSON"));
    wanted.filter(|wanted| wanted != value).map(|_| format!("it found {value}"))
}

/// Where little or nothing of the text is kept, the same is told.
fn holds_without_text(feed: &Feed<'_>, reply: &str, answer: &Answer) {
    for keep in [Keep::Tail(64), Keep::Nothing] {
        let mut read = Reply::with_sink(feed.expect.keep(keep), feed.contract.monitor(&feed.expect.keep(keep)));
        for piece in reply.as_bytes().chunks(3) {
            let _ = read.push_bytes(piece);
        }
        let (code, told) = (read.doomed(), read.sink().violation().map(Told::of));
        let failed = read.verdict(feed.ending).err().map(|failure| (failure.code(), failure.decided_at()));
        let Some((violation, decided_at)) = answer.refusal() else { continue };
        if decided_at < reply.len() {
            let place = format!("{keep:?} {reply}");
            assert_eq!((code, told.as_ref()), (Some(crate::feeding::REFUSED), Some(violation)), "{place}");
            assert_eq!(failed, Some((crate::feeding::REFUSED, decided_at)), "{place}");
        }
    }
}

/// Holds rows; what does not hold is told together.
fn hold(expect: Expect, rows: &[Row]) {
    let mut wrong = Vec::new();
    for row in rows {
        let contract = Contract::from_schema(row.0).unwrap_or_else(|error| panic!("{}: {error}", row.0));
        let at = marked(row.1);
        let feed = Feed::new(&contract, expect);
        let answer = feed.answer(&at.reply);
        if let Some(how) = differs(row, &at, &answer) {
            wrong.push(format!("{} under {}: {how}\n    {answer:?}", row.1, row.0));
        } else {
            holds_without_text(&feed, &at.reply, &answer);
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Holds that replies are taken, and that nothing is ever said against them.
fn taken(expect: Expect, rows: &[(&str, &str)]) {
    for (schema, reply) in rows {
        let contract = Contract::from_schema(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
        let feed = Feed { ending: Ending::Stop, ..Feed::new(&contract, expect) };
        let answer = feed.answer(reply);
        assert_eq!((answer.is_valid(), &answer.told), (Some(true), &None), "{reply} under {schema}: {answer:?}");
        assert!(answer.verdict != Some(false), "{reply} under {schema}");
    }
}
