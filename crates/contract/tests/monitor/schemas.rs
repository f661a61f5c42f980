//! The schemas that people write, with replies and the earliest byte at which each can no longer be valid.
//!
//! Right verdicts, at the very byte; later only where the row says why, never earlier. What is no JSON, cut, or holds two values for one key
//! is lost for whoever reads it, and the schema changes nothing about it: what is answered there follows from three rules, in
//! [`the_readers`].

use std::collections::BTreeSet;

use thusfar_contract::{Contract, SchemaOptions, Timing};
use thusfar_core::{Code, Expect, FailureKind, RepairKind, read};

use crate::feeding::{Answer, End, Feed};
use crate::official::say;
use crate::spelling::Spelling;
use crate::written_schemas::{Row, schemas};

/// What is expected, and what stands in front and behind.
type Around = (fn() -> Expect, &'static str, &'static str);

/// How a reply may stand in a longer one.
const AROUND: [Around; 5] = [
    (Expect::value, "", ""),
    (Expect::any, "", ""),
    (Expect::any, "Here it is:\n\n", "\n\nAnything else?"),
    (Expect::any, "é ```json\n", "\n```"),
    (Expect::any, "<think>{\"a\"}</think>\n```\n", "\n```\n"),
];

/// What the rows came to.
#[derive(Debug, Default)]
struct Tally {
    valid: usize,
    exact: usize,
    late: Vec<String>,
    wrong: Vec<String>,
    readers: usize,
    bytes: usize,
    unread: usize,
}

#[test]
fn every_row_is_told_at_its_byte() {
    let mut tally = Tally::default();
    for schema in schemas() {
        for options in [SchemaOptions::trusted(), SchemaOptions::untrusted()] {
            let contract = Contract::with_options(&schema.text, &options).expect("a schema");
            for row in &schema.rows {
                let place = format!("{}: {}: {}", schema.name, row.why, row.reply);
                if row.is_for_the_reader() {
                    the_readers(&contract, row, &place);
                    tally.readers += 1;
                } else {
                    AROUND.iter().for_each(|around| hold(&contract, row, around, &place, &mut tally));
                }
                let accepted = Feed::new(&contract, Expect::value());
                for reply in row.witness().iter().chain(row.valid.then_some(&row.reply)) {
                    is_taken(&accepted.answer(reply), &place, &mut tally);
                }
            }
        }
    }
    let Tally { valid, exact, late, wrong, readers, bytes, unread } = tally;
    say(&format!("{valid} valid; {exact} told at the very byte, {} later, {readers} for the reader", late.len()));
    let rows: BTreeSet<_> = late.iter().filter_map(|late| late.split_once(": ")).map(|(_, row)| row).collect();
    rows.iter().for_each(|row| say(&format!("    later: {row}")));
    say(&format!("{unread} of {bytes} bytes of what was refused were not read"));
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    // In each of the two contracts: what stands in the rows, and more around what is no scalar.
    assert_eq!((readers, late.len() % 2), (24, 0));
    assert!(exact >= 2 * 5 * 50, "{exact}: {late:#?}");
}

fn is_taken(answer: &Answer, place: &str, tally: &mut Tally) {
    if answer.is_valid() == Some(true) && answer.verdict != Some(false) && answer.told.is_none() {
        tally.valid += 1;
    } else {
        tally.wrong.push(format!("refused: {place}: {answer:?}"));
    }
}

/// One row, with something around it.
fn hold(contract: &Contract, row: &Row, around: &Around, place: &str, tally: &mut Tally) {
    let (expect, front, back) = around;
    if expect() != Expect::value() && !row.reply.starts_with(['{', '[']) {
        return;
    }
    let reply = format!("{front}{}{back}", row.reply);
    let answer = Feed::new(contract, expect()).answer(&reply);
    let Some(earliest) = row.earliest_violation_byte else { return is_taken(&answer, place, tally) };
    let earliest = front.len() + earliest;
    // What never becomes a promise is told in the end, with the same byte.
    let never = |told| matches!(answer.end, End::Document { is_valid: false, .. }).then_some((told, reply.len() - 1));
    let Some((told, decided_at)) = answer.refusal().or_else(|| answer.told.as_ref().and_then(never)) else {
        return tally.wrong.push(format!("not told: {place}: {front:?}: {answer:?}"));
    };
    tally.bytes += reply.len();
    tally.unread += reply.len() - decided_at - 1;
    if told.offset == earliest {
        tally.exact += 1;
    } else if told.offset > earliest && row.v1_lag.is_some() {
        tally.late.push(format!("{} for {earliest}: {place}", told.offset));
    } else {
        tally.wrong.push(format!("{} for {earliest}: {place}: {front:?}: {answer:?}", told.offset));
    }
    if told.when == Timing::Final {
        tally.wrong.push(format!("final: {place}"));
    }
}

/// What is lost for whoever reads it, under any schema:
/// * what ends too early is truncated, at its length;
/// * what is no JSON is malformed: at the token that holds the byte, with that byte, unless a repair may save it, and then later;
/// * two values under one key are ambiguous, at the second key, no sooner than that key has closed.
fn the_readers(contract: &Contract, row: &Row, place: &str) {
    let earliest = row.earliest_violation_byte.expect("a place");
    let answer = Feed::new(contract, Expect::value()).answer(&row.reply);
    assert_eq!((&answer.told, answer.verdict), (&None, None), "{place}");
    let End::Failure { code, kind, offset, decided_at, .. } = answer.end else { panic!("a document: {place}") };
    if row.at_eof {
        assert_eq!((kind, offset, decided_at), (FailureKind::Truncated, earliest, row.reply.len()), "{place}");
    } else if row.why.starts_with("duplicate key") {
        let key = row.reply[..earliest].rfind('"').expect("a key");
        assert_eq!((code, offset), (Code::DuplicateKey, key), "{place}");
        assert!(decided_at > earliest, "{place}: {decided_at}");
    } else {
        let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+-!".contains(byte);
        let token = |at: usize| at - row.reply.as_bytes()[..at].iter().rev().take_while(|byte| in_word(byte)).count();
        assert_eq!((kind, offset), (FailureKind::Malformed, token(decided_at)), "{place}");
        assert!(decided_at >= earliest, "{place}: {decided_at}");
        let to_the_letter = RepairKind::ALL.iter().fold(Expect::value(), |expect, kind| expect.without(*kind));
        let strict = read(&row.reply, to_the_letter).expect_err("no JSON");
        assert_eq!((strict.offset(), strict.decided_at()), (token(earliest), earliest), "{place}");
    }
}

#[test]
fn a_valid_reply_is_taken_however_it_is_written() {
    let mut texts = 0;
    for schema in schemas() {
        let contract = Contract::from_schema(&schema.text).expect("a schema");
        for row in &schema.rows {
            for reply in row.witness().iter().chain(row.valid.then_some(&row.reply)) {
                let value = read(reply, Expect::value()).expect("a document").value();
                for spelling in Spelling::ALL {
                    let text = spelling.write(&value);
                    let answer = Feed::new(&contract, Expect::value()).cut_at(&text, 16);
                    assert!(answer.is_valid() == Some(true) && answer.told.is_none(), "{}: {text}", schema.name);
                    texts += 1;
                }
            }
        }
    }
    assert!(texts > 500, "{texts}");
}
