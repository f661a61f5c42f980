//! Random replies: members that stand twice, damaged replies with text around them, and replies that go on behind a cut.

use std::cell::RefCell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use thusfar_contract::Contract;
use thusfar_core::{Ending, Expect, Reply, Root, Verbatim};
use thusfar_testkit::generate::damaged;
use thusfar_testkit::random::Random;

use crate::describing;
use crate::feeding::{End, Feed};
use crate::growing::{self, Dialect};
use crate::official::say;
use crate::properties::config;
use crate::spelling::Spelling;

/// Writes a value whose members may stand twice, and whose closers and commas may need a repair.
fn twice(value: &Value, random: &mut Random, text: &mut String) {
    let spelling = |random: &mut Random| [Spelling::Compact, Spelling::Escaped, Spelling::Dotted][random.below(3)];
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            random.shuffle(&mut members);
            let again: Vec<_> = members.iter().copied().filter(|_| random.chance(30)).collect();
            members.extend(again);
            text.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                text.push_str(&spelling(random).write(&Value::from(key.as_str())));
                text.push(':');
                twice(value, random, text);
            }
            text.push_str(if !members.is_empty() && random.chance(20) { ",}" } else { "}" });
        }
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                twice(item, random, text);
            }
            text.push_str(["]", ",]", "}"][if items.is_empty() { 0 } else { random.below(3) }]);
        }
        scalar => text.push_str(&spelling(random).write(scalar)),
    }
}

/// A member that stands twice with equal values counts once, in whatever it is counted, compared or missed.
#[test]
fn of_members_that_stand_twice() {
    let counts = RefCell::new([0_usize; 2]);
    let strategy = (vec(any::<u16>(), 0..300), vec(any::<u16>(), 0..100), vec(any::<u16>(), 0..60));
    let run = TestRunner::new(config(3_000)).run(&strategy, |(schema, document, writing)| {
        let value = growing::document(&mut Random::tape(document), 3);
        let schema = growing::schema(&mut Random::tape(schema), Dialect::Modern);
        let Ok(contract) = Contract::from_schema(&schema.to_string()) else { return Ok(()) };
        let mut text = String::new();
        twice(&value, &mut Random::tape(writing), &mut text);
        let is_valid = contract.is_valid(&value).expect("a small value");
        let answer = Feed::new(&contract, Expect::value()).cut_at(&text, 8);
        assert_eq!(answer.is_valid(), Some(is_valid), "{text} under {schema}: {answer:?}");
        counts.borrow_mut()[usize::from(answer.is_refused())] += 1;
        Ok(())
    });
    run.expect("the property holds");
    let [taken, refused] = counts.into_inner();
    assert!(taken > 600 && refused > 600, "{taken} taken, {refused} refused");
}

/// What is lost anyway is lost in the same way, or is refused before; what is found is refused only where it is not valid.
#[test]
fn of_damaged_replies() {
    let counts = RefCell::new([0_usize; 4]);
    let strategy = (damaged(), vec(any::<u16>(), 0..200), vec(any::<u16>(), 0..8));
    let run = TestRunner::new(config(2_500)).run(&strategy, |((case, damaged), schema, change)| {
        let truth: Value = serde_json::from_str(&case.truth).expect("JSON");
        let mut change = Random::tape(change);
        let about = if change.chance(50) { describing::changed(&truth, &mut change) } else { truth };
        let schema = describing::schema(&about, &mut Random::tape(schema));
        let Ok(contract) = Contract::from_schema(&schema.to_string()) else { return Ok(()) };
        for (reply, is_damaged) in [(case.reply(), false), (damaged.reply.clone(), true)] {
            let expect = Expect::root(if is_damaged { Root::Any } else { case.root });
            let answer = Feed::new(&contract, expect).cut_at(&reply, 10);
            let mut plain = Reply::new(expect);
            let _ = plain.push(&reply);
            if let (true, Ok(document)) = (answer.is_refused(), plain.finish(Ending::Stop)) {
                let (told, _) = answer.refusal().expect("told");
                let is_about_it = document.span().start <= told.start && told.start < document.span().end;
                if is_about_it {
                    assert!(!contract.check(&document).is_valid(), "{reply} under {schema}: {answer:?}");
                }
                counts.borrow_mut()[if is_about_it { 0 } else { 1 }] += 1;
            }
            counts.borrow_mut()[if matches!(answer.end, End::Document { .. }) { 2 } else { 3 }] += 1;
        }
        Ok(())
    });
    run.expect("the property holds");
    let [refused, elsewhere, documents, failures] = counts.into_inner();
    say(&format!(
        "{documents} documents, {failures} failures; refused: {refused} documents, and {elsewhere} for another candidate"
    ));
    assert!(documents > 500 && refused > 200, "the generator reaches both");
}

/// A reply that goes on behind a cut comes to what the uncut one does, if the monitor hears it from the beginning.
#[test]
fn of_replies_that_go_on() {
    let strategy = (vec(any::<u16>(), 0..80), vec(any::<u16>(), 0..200), vec(any::<u16>(), 0..30), any::<u16>());
    let went_on = RefCell::new(0_usize);
    let run = TestRunner::new(config(1_500)).run(&strategy, |(document, schema, change, cut)| {
        let value = describing::document(&mut Random::tape(document), 3);
        let schema = describing::schema(&value, &mut Random::tape(schema));
        let other = describing::changed(&value, &mut Random::tape(change));
        let contract = Contract::from_schema(&schema.to_string()).expect("a schema");
        let reply = format!("Here it is: {}", Spelling::Pretty.write(&other));
        let feed = Feed::new(&contract, Expect::any());
        let whole = feed.whole(&reply);
        let mut cut = usize::from(cut) % (reply.len() + 1);
        while !reply.is_char_boundary(cut) {
            cut -= 1;
        }
        let mut first = feed.begin();
        let _ = first.push(&reply[..cut]);
        let Err(failure) = first.finish(Ending::Length) else { return Ok(()) };
        let is_refused = failure.code() == crate::feeding::REFUSED;
        match failure.resume_with(Verbatim, contract.monitor(&feed.expect)) {
            Ok(mut second) => {
                let _ = second.push(&reply[cut..]);
                assert_eq!(feed.finish(second), whole, "cut at {cut}: {reply} under {schema}");
                *went_on.borrow_mut() += 1;
            }
            Err(_) => assert!(is_refused && whole.is_refused(), "cut at {cut}: {reply} under {schema}"),
        }
        Ok(())
    });
    run.expect("the property holds");
    assert!(went_on.into_inner() > 500, "most cuts can be gone on behind");
}
