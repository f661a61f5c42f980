//! The rules of the policy, each a table; and what no sequence of replies may break.

mod outcomes; // what calls come to, by name
mod going_on; // what follows a cut
mod said; // what a policy says

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use thusfar_contract::{
    Attempt, Budget, Case, Confidence, Continuation, Counter, Diagnosis, Quote, Reason, Remedy, Repaired, Retry,
    RetryOptions, Step, Wording, Words,
};
use thusfar_core::{Ending, Verbatim};

use crate::outcomes::{Came, came, read};

const NOW: Duration = Duration::from_secs(100);

/// A step in a word, with the budget of a call.
fn word(step: &Step) -> String {
    match step {
        Step::Accept { attempt, confidence } => format!("accept {attempt} {}", confidence.as_str()),
        Step::Call(call) => match call.budget {
            Some(budget) => format!("{} {budget}", call.remedy.as_str()),
            None => call.remedy.as_str().to_owned(),
        },
        Step::Escalate { reason, .. } => format!("escalate {}", reason.as_str()),
        Step::GiveUp(diagnosis) => format!("give_up {}", diagnosis.as_str()),
        step => panic!("{step:?}"),
    }
}

/// The steps behind a row of outcomes.
fn steps(options: &RetryOptions, outcomes: &[&str]) -> (Retry, Vec<String>) {
    let mut retry = Retry::new(options.clone());
    let steps = outcomes.iter().map(|name| word(&retry.after(&came(name).case(), NOW, 0))).collect();
    (retry, steps)
}

type Row<'a> = (&'a [&'a str], &'a [&'a str]);

fn hold(options: &RetryOptions, rows: &[Row<'_>]) {
    for (outcomes, wanted) in rows {
        assert_eq!(steps(options, outcomes).1, *wanted, "{outcomes:?}");
    }
}

fn budget(first: u64, most: u64) -> RetryOptions {
    RetryOptions::default().budget(Budget { first, most })
}

#[test]
fn a_valid_document_is_accepted() {
    hold(
        &RetryOptions::default(),
        &[
            (&["valid"], &["accept 0 full"]),
            (&["literal", "valid"], &["re_ask", "accept 1 full"]),
            (&["mismatch", "nothing", "valid"], &["re_ask", "restate_schema", "accept 2 full"]),
        ],
    );
}

#[test]
fn the_same_syntax_error_twice_ends_the_call() {
    hold(
        &RetryOptions::default().attempts(9),
        &[
            (&["literal", "literal"], &["re_ask", "escalate same_error"]),
            // Wherever it stands.
            (&["literal", "literal elsewhere"], &["re_ask", "escalate same_error"]),
            (&["literal", "comma"], &["re_ask", "re_ask"]),
            // Nor does it matter what came between.
            (&["literal", "comma", "literal"], &["re_ask", "re_ask", "escalate same_error"]),
            (&["literal", "mismatch", "literal"], &["re_ask", "re_ask", "escalate same_error"]),
        ],
    );
}

#[test]
fn violations_of_a_schema_do_not_count_as_the_same_error() {
    hold(
        &RetryOptions::default().attempts(5),
        &[
            (&["mismatch", "mismatch", "mismatch", "valid"], &["re_ask", "re_ask", "re_ask", "accept 3 full"]),
            (&["mismatch", "other mismatch"], &["re_ask", "re_ask"]),
            (&["veto", "veto", "veto"], &["re_ask", "re_ask", "re_ask"]),
            (&["ambiguous", "ambiguous"], &["re_ask", "re_ask"]),
            (&["nothing", "nothing"], &["restate_schema", "restate_schema"]),
        ],
    );
}

#[test]
fn codes_of_a_cut_are_no_syntax_errors() {
    hold(
        &budget(100, 10_000).attempts(5),
        &[
            (&["cut", "cut", "cut"], &["raise_budget 200", "raise_budget 400", "raise_budget 800"]),
            (&["unclosed", "unclosed"], &["re_ask 200", "re_ask 400"]),
        ],
    );
}

#[test]
fn a_rate_limit_or_a_connection_is_raised_at_once() {
    let rows: &[Row<'_>] = &[
        (&["rate limit"], &["give_up provider_error"]),
        (&["connection"], &["give_up provider_error"]),
        (&["provider"], &["give_up provider_error"]),
        (&["disconnected"], &["give_up provider_error"]),
        (&["failed"], &["give_up provider_error"]),
        (&["literal", "rate limit"], &["re_ask", "give_up provider_error"]),
        // We stopped reading.
        (&["cancelled"], &["give_up truncation"]),
    ];
    hold(&RetryOptions::default(), rows);
    hold(&RetryOptions::default().continuation(Continuation::Prefill), rows);
}

#[test]
fn a_timeout_is_issued_again_once() {
    hold(
        &budget(100, 1000).attempts(9),
        &[
            (&["slow", "valid"], &["re_issue 100", "accept 1 full"]),
            (&["slow", "slow"], &["re_issue 100", "escalate same_again"]),
            (&["slower", "slow"], &["re_issue 100", "escalate same_again"]),
            (&["slow", "literal", "slower"], &["re_issue 100", "re_ask 100", "escalate same_again"]),
            (&["runaway", "runaway"], &["re_issue 100", "escalate same_again"]),
            (&["runaway", "slow", "valid"], &["re_issue 100", "re_issue 100", "accept 2 full"]),
        ],
    );
}

#[test]
fn a_person_is_asked_what_no_call_cures() {
    hold(
        &budget(100, 1000).continuation(Continuation::Prefill),
        &[
            (&["filtered"], &["escalate remedy"]),
            (&["refused"], &["escalate remedy"]),
            (&["limit"], &["escalate remedy"]),
            (&["literal", "refused"], &["re_ask 100", "escalate remedy"]),
        ],
    );
}

#[test]
fn at_most_so_many_calls() {
    hold(
        &RetryOptions::default(),
        &[
            (&["mismatch", "mismatch", "mismatch"], &["re_ask", "re_ask", "escalate attempts_used_up"]),
            (&["slow", "nothing", "comma"], &["re_issue", "restate_schema", "escalate attempts_used_up"]),
        ],
    );
    for attempts in [0, 1] {
        let rows: &[Row<'_>] =
            &[(&["mismatch"], &["escalate attempts_used_up"]), (&["cut"], &["escalate attempts_used_up"])];
        hold(&budget(1, 9).attempts(attempts), rows);
    }
    let many = RetryOptions::default().attempts(100);
    let (retry, steps) = steps(&many, &["mismatch"; 100]);
    assert_eq!((steps[98].as_str(), steps[99].as_str()), ("re_ask", "escalate attempts_used_up"));
    assert_eq!(retry.attempts().len(), 100);
}

#[test]
fn an_end_stays_and_keeps_nothing_more() {
    for (first, end) in
        [("valid", "accept 0 full"), ("filtered", "escalate remedy"), ("rate limit", "give_up provider_error")]
    {
        let (retry, steps) = steps(&RetryOptions::default(), &[first, "literal", "valid"]);
        assert_eq!(steps, [end; 3]);
        assert_eq!(retry.attempts().len(), 1);
        let (once, _) = self::steps(&RetryOptions::default(), &[first]);
        assert!(retry.counts().eq(once.counts()), "{first}");
    }
}

#[test]
fn waits_double_up_to_the_most() {
    let (base, most) = (Duration::from_millis(500), Duration::from_secs(3));
    let options = RetryOptions::default().attempts(9).backoff(base, most);
    let waits = |random: u64| {
        let mut retry = Retry::new(options.clone());
        let wait = |_| match retry.after(&came("mismatch").case(), NOW, random) {
            Step::Call(call) => call.not_before - NOW,
            step => panic!("{step:?}"),
        };
        (0..5).map(wait).map(|wait| wait.as_millis()).collect::<Vec<_>>()
    };
    assert_eq!(waits(0), [250, 500, 1000, 1500, 1500]);
    assert_eq!(waits(1 << 63), [375, 750, 1500, 2250, 2250]);
    // All but the last 2^-32 of it.
    assert_eq!(waits(u64::MAX), [499, 999, 1999, 2999, 2999]);
}

#[test]
fn no_wait_is_too_long_to_be_reckoned_with() {
    for (base, most, now) in [
        (Duration::MAX, Duration::MAX, Duration::ZERO),
        (Duration::MAX, Duration::MAX, Duration::MAX),
        (Duration::ZERO, Duration::ZERO, Duration::MAX),
        (Duration::from_nanos(1), Duration::MAX, Duration::ZERO),
        (Duration::from_secs(9), Duration::from_secs(1), Duration::ZERO),
    ] {
        let mut retry = Retry::new(RetryOptions::default().attempts(70).backoff(base, most));
        for _ in 0..69 {
            let Step::Call(call) = retry.after(&came("mismatch").case(), now, u64::MAX) else { panic!("a call") };
            assert!(call.not_before >= now && call.not_before.saturating_sub(now) <= most);
        }
    }
}

#[test]
fn no_call_is_made_behind_the_deadline() {
    let options = RetryOptions::default().backoff(Duration::from_secs(2), Duration::from_secs(2));
    // Half of two seconds behind `NOW`.
    for (deadline, wanted) in
        [(101_000, "re_ask"), (100_999, "escalate time_used_up"), (5_000, "escalate time_used_up")]
    {
        let options = options.clone().deadline(Duration::from_millis(deadline));
        assert_eq!(steps(&options, &["mismatch"]).1, [wanted]);
        assert_eq!(steps(&options, &["valid"]).1, ["accept 0 full"]);
    }
}

#[test]
fn a_repaired_document_is_less_certain() {
    hold(
        &RetryOptions::default(),
        &[(&["repaired"], &["accept 0 repaired"]), (&["literal", "bracket"], &["re_ask", "accept 1 repaired"])],
    );
    let (retry, _) = steps(&RetryOptions::default(), &["repaired"]);
    let [attempt] = retry.attempts() else { panic!("one") };
    assert_eq!((&*attempt.raw, attempt.strict.as_deref()), ("{\"n\": 1,}", Some("{\"n\": 1}")));
    assert_eq!(Confidence::Full.as_str(), "full");
}

#[test]
fn a_repaired_document_may_be_asked_for_again() {
    let options = RetryOptions::default().repaired(Repaired::ReAsk);
    hold(
        &options,
        &[
            (&["repaired", "valid"], &["re_ask", "accept 1 full"]),
            (&["repaired", "bracket", "repaired"], &["re_ask", "re_ask", "accept 2 repaired"]),
            // Where no better one comes, the last of them.
            (&["repaired", "bracket", "literal"], &["re_ask", "re_ask", "accept 1 repaired"]),
            (&["repaired", "rate limit"], &["re_ask", "accept 0 repaired"]),
            (&["repaired", "filtered"], &["re_ask", "accept 0 repaired"]),
            (&["repaired", "literal", "literal"], &["re_ask", "re_ask", "accept 0 repaired"]),
            (&["valid"], &["accept 0 full"]),
        ],
    );
    // One that does not follow the schema is none.
    let mismatch = read("{\"n\": 7,}", Ending::Stop);
    let mut retry = Retry::new(options.clone().attempts(1));
    let Step::Escalate { reason, attempts } = retry.after(&mismatch.case(), NOW, 0) else { panic!("a person") };
    assert_eq!((reason, &*attempts), (Reason::AttemptsUsedUp, retry.attempts()));
    assert_eq!(retry.attempts()[0].strict.as_deref(), Some("{\"n\": 7}"));

    let mut retry = Retry::new(options);
    let Step::Call(call) = retry.after(&came("bracket").case(), NOW, 0) else { panic!("asked again") };
    let text = call.text.expect("what was repaired");
    assert!(
        text.starts_with("Your last reply is JSON only after repairs: it needed bracket_kind, at line 1, column 9\n"),
        "{text}"
    );
}

#[test]
fn every_attempt_is_kept() {
    let (retry, _) = steps(&budget(100, 1000), &["cut", "refused"]);
    let kept: Vec<_> = retry.attempts().iter().map(|it| (&*it.raw, it.diagnosis, it.budget)).collect();
    assert_eq!(
        kept,
        [("{\"n\": [1, 2", Some(Diagnosis::Truncation), Some(100)), ("", Some(Diagnosis::Refusal), Some(200))]
    );
    // A person is given them all, and again where the end is asked for again.
    let mut retry = retry;
    for _ in 0..2 {
        let Step::Escalate { attempts, .. } = retry.after(&came("valid").case(), NOW, 0) else {
            panic!("an end stays")
        };
        assert_eq!(&*attempts, retry.attempts());
        assert_eq!(attempts[0].raw, "{\"n\": [1, 2");
    }
    let attempts = retry.into_attempts();
    assert_eq!(attempts[0].code.map(|code| code.as_str()), Some("open_number"));
    assert_eq!(attempts[1].refusal.as_deref(), Some("I will not."));
}

#[test]
fn steps_and_replies_are_counted() {
    let all = |outcomes: &[&str], options: &RetryOptions| {
        steps(options, outcomes).0.counts().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>()
    };
    let plain = budget(100, 1000).attempts(4);
    for (outcomes, wanted) in [
        (&["valid"][..], &["llm/step/accept 1"][..]),
        (&["bracket"], &["llm/json_bracket_repair 1", "llm/step/accept 1"]),
        (&["repaired"], &["llm/step/accept 1"]),
        (
            &["literal", "cut", "nothing", "valid"],
            &[
                "llm/parse_retry 3",
                "llm/step/accept 1",
                "llm/step/raise_budget 1",
                "llm/step/re_ask 1",
                "llm/step/restate_schema 1",
            ],
        ),
        (
            &["literal", "literal"],
            &["llm/parse_retry 1", "llm/parse_abandoned 1", "llm/step/re_ask 1", "llm/step/escalate 1"],
        ),
        (&["slow", "valid"], &["llm/step/accept 1", "llm/step/re_issue 1"]),
        (&["slow", "slow"], &["llm/step/re_issue 1", "llm/step/escalate 1"]),
        (&["runaway"], &["llm/parse_retry 1", "llm/step/re_issue 1"]),
        (&["filtered"], &["llm/parse_abandoned 1", "llm/step/escalate 1"]),
        (&["refused"], &["llm/step/escalate 1"]),
        (&["rate limit"], &["llm/step/give_up 1"]),
    ] {
        assert_eq!(all(outcomes, &plain), wanted, "{outcomes:?}");
    }
    let going_on = plain.clone().continuation(Continuation::Prefill);
    assert_eq!(all(&["cut"], &going_on), ["llm/parse_retry 1", "llm/step/continue 1"]);
    // A document that had to be repaired could be used.
    let strict = plain.repaired(Repaired::ReAsk);
    assert_eq!(
        all(&["bracket", "bracket", "valid"], &strict),
        ["llm/json_bracket_repair 2", "llm/step/accept 1", "llm/step/re_ask 2"]
    );
}

#[test]
fn each_step_has_the_counter_of_its_name() {
    for name in OUTCOMES {
        for continuation in CONTINUATIONS {
            let mut retry = Retry::new(budget(1, 9).continuation(continuation));
            let step = retry.after(&came(name).case(), NOW, 0);
            let counter = format!("llm/step/{}", step.as_str());
            assert_eq!(retry.counts().filter(|(name, count)| *name == counter && *count == 1).count(), 1, "{name}");
        }
    }
}

#[test]
fn all_can_be_sent_and_shared() {
    fn hold<T: Send + Sync>() {}
    hold::<Retry>();
    hold::<RetryOptions>();
    hold::<Step>();
    hold::<Attempt>();
    hold::<Case<'_>>();
    hold::<Words>();
    hold::<thusfar_contract::Feedback>();
}

#[test]
fn the_table_of_the_counters_is_theirs() {
    let source = include_str!("../../src/retry.rs");
    let table = source.split("/// # Counters").nth(1).expect("a table").split("pub struct").next().expect("a table");
    let listed: Vec<_> = table.split('`').filter(|name| name.starts_with("llm/")).collect();
    let names: Vec<_> = Counter::ALL.iter().map(|counter| counter.as_str()).collect();
    assert_eq!(listed, names);
    for remedy in Remedy::ALL {
        assert!(names.contains(&&*format!("llm/step/{}", remedy.as_str())), "{remedy:?}");
    }
}

#[test]
fn debug_shows_no_text() {
    let canary = read("{\"canary\": canary}", Ending::Stop);
    let Came::Failure(failure) = &canary else { panic!("broken") };
    let options = RetryOptions::default().schema("\"canary\"").attempts(5);
    let mut retry = Retry::new(options.clone());
    let step = retry.after(&Case::failed(failure).refused("canary"), NOW, 0);
    let repaired = read("{\"canary\": \"canary\",}", Ending::Stop);
    let accepted = retry.after(&repaired.case(), NOW, 0);
    let prefill = Retry::new(options.clone().continuation(Continuation::Prefill)).after(
        &read("{\"canary", Ending::Length).case(),
        NOW,
        0,
    );
    let attempts: &[Attempt] = retry.attempts();
    let shown = format!("{retry:?}{step:?}{accepted:?}{prefill:?}{attempts:?}{options:?}");
    assert!(!shown.contains("canary"), "{shown}");
}

const OUTCOMES: [&str; 25] = [
    "valid",
    "repaired",
    "bracket",
    "mismatch",
    "other mismatch",
    "literal",
    "comma",
    "ambiguous",
    "cut",
    "cut in a string",
    "cut later",
    "unknown",
    "unclosed",
    "filtered",
    "cancelled",
    "nothing",
    "runaway",
    "limit",
    "slow",
    "slower",
    "rate limit",
    "disconnected",
    "failed",
    "veto",
    "refused",
];

const CONTINUATIONS: [Continuation; 3] = [Continuation::None, Continuation::Prefill, Continuation::Repeat];

/// `MORE_CASES=20` tries twenty times as many, with a seed of its own.
fn cases() -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(8) };
    let cases = 600 * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed: seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_no_sequence_breaks(
        attempts in 1..7_usize,
        base in 0..2000_u64,
        most in 0..9000_u64,
        budgets in prop_oneof![Just(None), (0..300_u64, 0..1000_u64).prop_map(Some)],
        continuation in select(&CONTINUATIONS[..]),
        repaired in select(&[Repaired::Accept, Repaired::ReAsk][..]),
        outcomes in vec((select(&OUTCOMES[..]), any::<u64>(), 0..1_000_000_u64), 1..9),
    ) {
        let (base, most) = (Duration::from_millis(base.min(most)), Duration::from_millis(most));
        let mut options = RetryOptions::default()
            .attempts(attempts)
            .backoff(base, most)
            .continuation(continuation)
            .repaired(repaired);
        if let Some((first, most)) = budgets {
            options = options.budget(Budget { first, most });
        }
        let mut retry = Retry::new(options);
        let mut calls = 1;
        let mut ended: Option<Step> = None;
        let mut behind: Option<usize> = None;
        for (name, random, now) in outcomes {
            let came = came(name);
            let case = came.case();
            let (now, before) = (Duration::from_millis(now), retry.budget());
            let step = retry.after(&case, now, random);
            if let Some(end) = &ended {
                prop_assert_eq!(&step, end);
                prop_assert!(retry.attempts().len() == calls);
                continue;
            }
            prop_assert!(retry.attempts().len() == calls && calls <= attempts);
            prop_assert_eq!(&retry.attempts()[calls - 1].raw, case.raw());
            match &step {
                Step::Call(call) => {
                    let doubled = base.saturating_mul(1 << (calls - 1)).min(most);
                    prop_assert!(call.not_before >= now + doubled / 2 && call.not_before <= now + doubled);
                    let is_cut = case.diagnosis() == Some(Diagnosis::Truncation);
                    let goes_on = (call.remedy == Remedy::Continue).then_some(case.raw().len());
                    let goes_further = goes_on.is_some_and(|len| behind.is_none_or(|behind| len > behind));
                    behind = goes_on;
                    if is_cut && !goes_further {
                        prop_assert!(call.budget > before || (before.is_none() && name == "unclosed"), "{}", name);
                    } else {
                        prop_assert_eq!(call.budget, before);
                    }
                    prop_assert!(case.diagnosis() != Some(Diagnosis::ProviderError));
                    prop_assert_eq!(call.budget, retry.budget());
                    calls += 1;
                }
                Step::Accept { attempt, .. } => {
                    prop_assert_eq!(retry.attempts()[*attempt].diagnosis, None);
                    ended = Some(step);
                }
                _ => ended = Some(step),
            }
        }
        let steps: u64 = retry.counts().filter(|(name, _)| name.starts_with("llm/step/")).map(|(_, count)| count).sum();
        prop_assert_eq!(steps, retry.attempts().len() as u64);
    }
}
