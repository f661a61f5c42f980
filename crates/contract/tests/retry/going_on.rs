//! What follows a cut: a larger budget, or going on behind it.

use super::*;

#[test]
fn a_truncation_is_never_sent_again_with_the_same_budget() {
    hold(
        &budget(100, 300).attempts(9),
        &[
            (&["cut", "cut", "cut"], &["raise_budget 200", "raise_budget 300", "escalate budget_used_up"]),
            (&["unknown", "valid"], &["raise_budget 200", "accept 1 full"]),
            (&["unclosed", "unclosed", "unclosed"], &["re_ask 200", "re_ask 300", "escalate budget_used_up"]),
            // What was raised stays raised.
            (&["cut", "literal", "cut"], &["raise_budget 200", "re_ask 200", "raise_budget 300"]),
            (&["cut", "slow"], &["raise_budget 200", "re_issue 200"]),
        ],
    );
    for options in [RetryOptions::default(), budget(100, 100), budget(100, 99), budget(u64::MAX, u64::MAX)] {
        hold(
            &options,
            &[
                (&["cut"], &["escalate budget_used_up"]),
                (&["cut in a string"], &["escalate budget_used_up"]),
                (&["unknown"], &["escalate budget_used_up"]),
            ],
        );
    }
    hold(&budget(0, 1), &[(&["cut", "cut"], &["raise_budget 1", "escalate budget_used_up"])]);
    hold(
        &budget(u64::MAX - 1, u64::MAX),
        &[(&["cut", "cut"], &["raise_budget 18446744073709551615", "escalate budget_used_up"])],
    );
    // A model that thinks it is done has used up no budget that is known.
    hold(&RetryOptions::default(), &[(&["unclosed", "valid"], &["re_ask", "accept 1 full"])]);
    hold(&budget(100, 100), &[(&["unclosed"], &["escalate budget_used_up"])]);
}

#[test]
fn a_provider_that_goes_on_does() {
    for continuation in [Continuation::Prefill, Continuation::Repeat] {
        for (options, with) in [(RetryOptions::default(), ""), (budget(100, 100), " 100")] {
            let goes_on = format!("continue{with}");
            let (_, steps) = steps(&options.continuation(continuation), &["cut", "cut later", "valid"]);
            assert_eq!(steps, [&*goes_on, &*goes_on, "accept 2 full"]);
        }
    }
    let Came::Failure(cut) = came("cut") else { panic!("cut") };
    let mut retry = Retry::new(RetryOptions::default().continuation(Continuation::Prefill));
    let Step::Call(call) = retry.after(&Case::failed(&cut), NOW, 0) else { panic!("goes on") };
    assert_eq!((call.prefill.as_deref(), call.text), (Some(cut.raw()), None));
    let mut retry = Retry::new(RetryOptions::default().continuation(Continuation::Repeat));
    let Step::Call(call) = retry.after(&Case::failed(&cut), NOW, 0) else { panic!("goes on") };
    assert!(call.prefill.is_none() && call.text.is_some_and(|text| text.contains("\n```\n{\"n\": [1, 2\n```\n")));
}

#[test]
fn a_call_that_went_on_and_brought_nothing_is_not_made_again_as_it_was() {
    for continuation in [Continuation::Prefill, Continuation::Repeat] {
        hold(
            &budget(100, 300).attempts(9).continuation(continuation),
            &[
                (&["cut", "cut", "valid"], &["continue 100", "continue 200", "accept 2 full"]),
                (
                    &["cut", "cut", "cut", "cut"],
                    &["continue 100", "continue 200", "continue 300", "escalate budget_used_up"],
                ),
                (&["cut", "cut later", "cut later"], &["continue 100", "continue 100", "continue 200"]),
                (&["cut later", "cut"], &["continue 100", "continue 200"]),
                // It is not the call before that brought nothing.
                (&["cut", "literal", "cut"], &["continue 100", "re_ask 100", "continue 100"]),
            ],
        );
        let unknown = RetryOptions::default().continuation(continuation);
        hold(&unknown, &[(&["cut", "cut"], &["continue", "escalate budget_used_up"])]);
    }
}

#[test]
fn a_cut_reply_is_put_together() {
    const WHOLE: &str = "{\"title\": \"Minutes of the meeting\", \"n\": 2, \"pages\": [12, 13]}";
    for at in 40..WHOLE.len() {
        let Came::Failure(cut) = read(&WHOLE[..at], Ending::Length) else { panic!("cut at {at}") };
        let mut retry = Retry::new(RetryOptions::default().continuation(Continuation::Prefill));
        let Step::Call(call) = retry.after(&Case::failed(&cut), NOW, 0) else { panic!("goes on") };
        let mut reply = cut.clone().resume(Verbatim).expect("it was cut");
        assert_eq!(call.prefill.as_deref(), Some(&WHOLE[..at]));
        let _ = reply.push(&WHOLE[at..]);
        let document = reply.finish(Ending::Stop).expect("a document");
        assert_eq!(document.text(), WHOLE);
        let step = retry.after(&Case::document(&document), NOW, 0);
        assert_eq!(step, Step::Accept { attempt: 1, confidence: Confidence::Full });

        let mut retry = Retry::new(RetryOptions::default().continuation(Continuation::Repeat));
        let Step::Call(call) = retry.after(&Case::failed(&cut), NOW, 0) else { panic!("goes on") };
        // As a model would that does what it is told.
        let text = call.text.expect("what to repeat");
        let repeated = text.split("```\n").nth(1).and_then(|tail| tail.strip_suffix('\n')).expect("a tail");
        let document = cut.stitch(&format!("{repeated}{}", &WHOLE[at..]), Ending::Stop).expect("one place");
        assert_eq!(document.text(), WHOLE);
        let step = retry.after(&Case::document(&document), NOW, 0);
        assert_eq!(step, Step::Accept { attempt: 1, confidence: Confidence::Full });
    }
}

#[test]
fn a_completion_that_does_not_fit_is_kept_and_shown() {
    let text = "{\"title\": \"Minutes of the meeting of the board\", \"pages\": [1";
    let Came::Failure(cut) = read(text, Ending::Length) else { panic!("cut") };
    let mut retry = Retry::new(RetryOptions::default().continuation(Continuation::Repeat));
    let _ = retry.after(&Case::failed(&cut), NOW, 0);
    let next = "Sure: 2, 13]}";
    let uncertain = cut.stitch(next, Ending::Stop).expect_err("neither");
    let Step::Call(call) = retry.after(&Case::failed(&uncertain).completion(next), NOW, 0) else { panic!("asked") };
    assert_eq!(call.remedy, Remedy::ReAsk);
    let said = call.text.expect("what is wrong");
    assert!(said.contains("\n```\nSure: 2, 13]}\n```\n") && !said.contains("Minutes"), "{said}");
    let kept: Vec<_> = retry.attempts().iter().map(|attempt| &*attempt.raw).collect();
    assert_eq!(kept, [text, next]);
}

#[test]
fn what_a_model_goes_on_from_is_shown_to_it_even_if_it_is_not_quoted() {
    let options = RetryOptions::default().quote(Quote::Nothing).continuation(Continuation::Repeat);
    let Step::Call(call) = Retry::new(options).after(&came("cut").case(), NOW, 0) else { panic!("goes on") };
    assert!(call.text.is_some_and(|text| text.contains("{\"n\": [1, 2")));
}
