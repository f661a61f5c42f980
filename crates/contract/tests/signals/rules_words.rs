//! What a sentence says about a value: whole words, negation, conditions, questions, and words that prose is made of.

use crate::rows::{BLOCKING, LETTER, PASS, REVIEW, Row, VERDICT, WINNER, check};

#[test]
fn whole_words() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "I approve.", "= approve via text"),
        (VERDICT, "I APPROVE.", "= approve via text"),
        (VERDICT, "I **approve**.", "= approve via text"),
        (VERDICT, "I _approve_.", "= approve via text"),
        (VERDICT, "I __approve__ it.", "= approve via text"),
        (VERDICT, "(approve)", "= approve via text"),
        (VERDICT, "approve", "= approve via text"),
        (VERDICT, "approve, then", "= approve via text"),
        (VERDICT, "approve;", "= approve via text"),
        (VERDICT, "approve\u{2026}", "= approve via text"),
        (VERDICT, "I approved it.", "not_found"),
        (VERDICT, "I disapprove.", "not_found"),
        (VERDICT, "preapprove", "not_found"),
        (VERDICT, "pre-approve", "not_found"),
        (VERDICT, "approve-all", "not_found"),
        (VERDICT, "auto_approve", "not_found"),
        (VERDICT, "approve_all", "not_found"),
        (VERDICT, "approve's", "not_found"),
        (VERDICT, "approve\u{2019}s", "not_found"),
        (VERDICT, "app\u{200B}rove", "not_found"),
        (VERDICT, "approve\u{200D}d", "not_found"),
        (VERDICT, "approve\u{301}", "not_found"),
        (VERDICT, "\u{E9}approve", "not_found"),
        (VERDICT, "approve\u{E9}", "not_found"),
        (VERDICT, "approve2", "not_found"),
        (VERDICT, "src/approve.rs", "not_found"),
        (VERDICT, "see approve.rs", "not_found"),
        (VERDICT, "@approve", "not_found"),
        (VERDICT, "#approve", "not_found"),
        (VERDICT, "$approve", "not_found"),
        (VERDICT, "approve+", "not_found"),
        (VERDICT, "--approve", "not_found"),
        (VERDICT, "approve@example.com", "not_found"),
        (VERDICT, "C:\\approve", "not_found"),
        (VERDICT, "approve/reject", "ambiguous"),
        (VERDICT, "approve/merge", "refused"),
        (PASS, "PASS: all good. The FAIL-prone path is covered.", "= PASS via text"),
        (PASS, "The pass-rate is 90 %. FAIL", "= FAIL via text"),
        (REVIEW, "It is not recommended.", "= reject via text"),
        (REVIEW, "It is recommended.", "not_found"),
        (REVIEW, "LGTM!", "= approve via text"),
        (REVIEW, "LGTM \u{1F44D}", "= approve via text"),
        (WINNER, "Assistant A is better.", "= A via text"),
        (WINNER, "Assistant A beats Assistant B.", "two_values"),
        (WINNER, "It is a tie.", "= tie via text"),
    ];
    check(rows);
}

/// An enumeration of the words between the bars.
fn values(words: &str) -> String {
    let words: Vec<_> = words.split('|').map(|word| format!("\"{word}\"")).collect();
    format!("{{\"name\": \"verdict\", \"type\": \"enum\", \"values\": [{}]}}", words.join(","))
}

#[test]
fn words_of_other_languages() {
    let rows: &[Row<'_>] = &[
        ("gut|schlecht", "Das ist GUT.", "= gut via text"),
        ("gut|schlecht", "Das ist gutm\u{FC}tig.", "not_found"),
        ("groß|klein", "Verdict: GROSS", "= groß via label"),
        ("groß|klein", "Verdict: groß", "= groß via label"),
        ("gross|klein", "Verdict: groß", "= gross via label"),
        ("große|klein", "Verdict: groß", "not_a_value"),
        ("\u{FC}bernehmen|ablehnen", "Verdict: \u{DC}BERNEHMEN", "= \u{FC}bernehmen via label"),
        ("bernehmen|ablehnen", "Verdict: \u{FC}bernehmen", "not_a_value"),
        // By the full mapping the dotted capital is not the plain one, and the dotless letter is: both have one capital.
        ("kabul|iptal", "Verdict: IPTAL", "= iptal via label"),
        ("kabul|iptal", "Verdict: \u{130}PTAL", "refused"),
        ("kabul|\u{131}ptal", "Verdict: iptal", "= \u{131}ptal via label"),
        ("kabul|\u{130}ptal", "Verdict: \u{130}ptal", "= \u{130}ptal via label"),
        ("σωστός|λάθος", "Verdict: ΣΩΣΤΌΣ", "= σωστός via label"),
        ("σωστός|λάθος", "Verdict: σωστός.", "= σωστός via label"),
        ("одобрить|отклонить", "Verdict: Одобрить", "= одобрить via label"),
        ("одобрить|отклонить", "Я одобрил.", "not_found"),
        ("通过|拒绝", "Verdict\u{FF1A}通过", "= 通过 via label"),
        ("通过|拒绝", "Verdict: 通过\u{3002}", "= 通过 via label"),
        // Where words are not set apart, a whole word cannot be told.
        ("通过|拒绝", "Verdict: 不通过", "refused"),
        ("通过|拒绝", "我不能通过这个", "not_found"),
        ("通过|拒绝", "通过", "= 通过 via text"),
        ("caf\u{E9}|th\u{E9}", "Verdict: CAF\u{C9}", "= caf\u{E9} via label"),
        ("cafe|the", "Verdict: cafe\u{301}", "refused"),
        ("मंज़ूर|नामंज़ूर", "Verdict: नामंज़ूर", "= नामंज़ूर via label"),
        ("مقبول|مرفوض", "Verdict: مقبول", "= مقبول via label"),
        ("c++|c", "Verdict: c++", "= c++ via label"),
        ("A|A+", "Verdict: A+", "= A+ via label"),
        ("A|B", "Verdict: A+", "refused"),
        ("yes|yes, but", "Verdict: yes, but", "= yes, but via label"),
        ("pass|pass with remarks", "Verdict: pass with remarks", "= pass with remarks via label"),
        ("pass|pass with remarks", "Verdict: PASS (with remarks)", "= pass via label"),
        ("partially correct|correct|incorrect", "Verdict: partially correct", "= partially correct via label"),
        ("partially correct|correct|incorrect", "It is incorrect.", "= incorrect via text"),
        ("partially correct|correct|incorrect", "It is only partially correct.", "= partially correct via text"),
    ];
    let rows: Vec<_> = rows.iter().map(|(words, reply, wanted)| (values(words), *reply, *wanted)).collect();
    check(&rows.iter().map(|(spec, reply, wanted)| (&**spec, *reply, *wanted)).collect::<Vec<Row<'_>>>());
}

#[test]
fn negation_for_certain() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "I do not approve.", "not_found"),
        (VERDICT, "I don't approve.", "not_found"),
        (VERDICT, "I don\u{2019}t approve.", "not_found"),
        (VERDICT, "I dont approve.", "refused"),
        (VERDICT, "I can't approve.", "not_found"),
        (VERDICT, "I cannot approve.", "not_found"),
        (VERDICT, "I can not approve this.", "not_found"),
        (VERDICT, "I won't approve.", "not_found"),
        (VERDICT, "I would not approve.", "not_found"),
        (VERDICT, "I wouldn\u{2019}t approve it.", "not_found"),
        (VERDICT, "I never approve such code.", "not_found"),
        (VERDICT, "I DO NOT APPROVE.", "not_found"),
        (VERDICT, "I do **not** approve.", "not_found"),
        (VERDICT, "Not approve.", "not_found"),
        (VERDICT, "Do not reject.", "not_found"),
        (VERDICT, "This is not an approve.", "not_found"),
        (VERDICT, "I do not approve. I reject.", "= reject via text"),
        (VERDICT, "I do not reject it; I approve.", "= approve via text"),
        (VERDICT, "I do not approve. I approve.", "ambiguous"),
        (VERDICT, "I approve. No, I do not approve.", "ambiguous"),
        (VERDICT, "Neither approve nor reject.", "refused"),
        (VERDICT, "I neither approve nor reject this.", "refused"),
    ];
    check(rows);
}

#[test]
fn negation_in_doubt() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "I cannot not approve.", "refused"),
        (VERDICT, "I don't see why anybody would not approve.", "refused"),
        (VERDICT, "I see no reason not to approve.", "refused"),
        (VERDICT, "I see no reason to reject.", "refused"),
        (VERDICT, "I can't say that I approve.", "doubtful"),
        (VERDICT, "I don't think you should approve.", "doubtful"),
        (VERDICT, "I can hardly approve.", "doubtful"),
        (VERDICT, "I refuse to approve.", "doubtful"),
        (VERDICT, "I could approve.", "doubtful"),
        (VERDICT, "I might approve.", "doubtful"),
        (VERDICT, "Not only do I approve, I applaud.", "refused"),
        (VERDICT, "I not only approve but applaud.", "refused"),
        (VERDICT, "There are no tests, but I approve.", "= approve via text"),
        (VERDICT, "There are no tests. I approve.", "= approve via text"),
        (VERDICT, "Not bad. I approve.", "= approve via text"),
        (VERDICT, "To approve is not an option.", "refused"),
        (VERDICT, "Approve is not what I say.", "doubtful"),
        (VERDICT, "Approve would be wrong.", "doubtful"),
        (VERDICT, "At first I wanted to reject.", "doubtful"),
        (VERDICT, "My first instinct was to reject it.", "doubtful"),
        (VERDICT, "My first instinct was to reject it, but I approve.", "ambiguous"),
        (VERDICT, "Instead of approve I say nothing.", "not_found"),
        (VERDICT, "I hesitate to approve.", "refused"),
        (VERDICT, "I am unable to approve.", "refused"),
        (VERDICT, "I fail to see why I should approve.", "refused"),
        (VERDICT, "Far from ready to approve.", "refused"),
    ];
    check(rows);
}

#[test]
fn conditions_and_questions() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "If the tests pass, approve.", "doubtful"),
        (VERDICT, "Approve if the tests pass.", "doubtful"),
        (VERDICT, "I approve, provided that CI is green.", "doubtful"),
        (VERDICT, "I approve unless somebody objects.", "doubtful"),
        (VERDICT, "I approve once the typo is fixed.", "doubtful"),
        (VERDICT, "I approve assuming the tests pass.", "doubtful"),
        (VERDICT, "I wonder whether to approve.", "doubtful"),
        (VERDICT, "Should I approve?", "doubtful"),
        (VERDICT, "Should I approve? Yes, I approve.", "= approve via text"),
        (VERDICT, "Should I approve? I do not approve.", "doubtful"),
        (VERDICT, "Approve? I reject.", "two_values"),
        (VERDICT, "Approve or reject? Hard to tell.", "two_values"),
        (VERDICT, "Is it good? I approve.", "= approve via text"),
        (VERDICT, "I approve. Any questions?", "= approve via text"),
        (VERDICT, "I approve. If you have time, add tests.", "= approve via text"),
        (VERDICT, "I'd approve.", "= approve via text"),
        (VERDICT, "I would approve.", "= approve via text"),
        (VERDICT, "Tests pass, so I approve this change.", "= approve via text"),
        (VERDICT, "Overall: approve.", "= approve via text"),
        (VERDICT, "My recommendation is to approve.", "= approve via text"),
        (VERDICT, "I recommend you reject this.", "= reject via text"),
        (VERDICT, "I approve and I approve again.", "= approve via text"),
        (VERDICT, "You could reject it. I approve.", "ambiguous"),
    ];
    check(rows);
}

#[test]
fn one_letter_and_everyday_words() {
    let rows: &[Row<'_>] = &[
        (LETTER, "A", "= A via text"),
        (LETTER, "A.", "= A via text"),
        (LETTER, "(B)", "= B via text"),
        (LETTER, "**C**", "= C via text"),
        (LETTER, "I pick B.", "= B via text"),
        (LETTER, "I pick b.", "not_found"),
        (LETTER, "The answer is A.", "= A via label"),
        (LETTER, "The answer is a.", "= A via label"),
        (LETTER, "The answer is a mess.", "refused"),
        (LETTER, "The answer is A, since B fails.", "= A via label"),
        (LETTER, "Answer: (B)", "= B via label"),
        (LETTER, "Answer: B) because it is right", "= B via label"),
        (LETTER, "Answer: **C**", "= C via label"),
        (LETTER, "Answer: \\boxed{B}", "not_a_value"),
        (LETTER, "Answer: A good one", "refused"),
        (LETTER, "A good answer needs more.", "doubtful"),
        (LETTER, "I miss a good answer.", "not_found"),
        (LETTER, "Plan B is better.", "doubtful"),
        (LETTER, "A/B testing is fine.", "refused"),
        (LETTER, "A) this\nB) that", "refused"),
        (LETTER, "B+ work", "refused"),
        (LETTER, "C# is nice", "refused"),
    ];
    check(rows);
    let everyday: &[Row<'_>] = &[
        ("all|none|some", "All tests pass.", "refused"),
        ("all|none|some", "There are none.", "= none via text"),
        ("all|none|some", "Verdict: None", "= none via label"),
        ("all|none|some", "Verdict: all of them", "doubtful"),
        ("yes|no", "There is no doubt.", "not_found"),
        ("yes|no", "Verdict: No", "= no via label"),
        ("yes|no", "Verdict: no doubt about it", "refused"),
        ("yes|no", "No tests were added.", "refused"),
        ("yes|no", "No.", "= no via text"),
        ("yes|no", "no", "= no via text"),
        ("Yes|No", "No.", "= No via text"),
        ("good|bad", "A good answer.", "= good via text"),
        ("good|bad", "Not a good answer.", "refused"),
    ];
    let rows: Vec<_> = everyday.iter().map(|(words, reply, wanted)| (values(words), *reply, *wanted)).collect();
    check(&rows.iter().map(|(spec, reply, wanted)| (&**spec, *reply, *wanted)).collect::<Vec<Row<'_>>>());
}

#[test]
fn booleans() {
    let rows: &[Row<'_>] = &[
        (BLOCKING, "Blocking: true", "= true via label"),
        (BLOCKING, "Blocking: False", "= false via label"),
        (BLOCKING, "Blocking: yes", "= true via label"),
        (BLOCKING, "Blocking: NO", "= false via label"),
        (BLOCKING, "**Blocking:** no \u{2014} only style", "= false via label"),
        (BLOCKING, "Blocking: not really", "not_a_value"),
        (BLOCKING, "Blocking: y", "not_a_value"),
        (BLOCKING, "Blocking: on", "not_a_value"),
        (BLOCKING, "Blocking: yes and no", "two_values"),
        (BLOCKING, "Blocking: true\nBlocking: yes", "= true"),
        (BLOCKING, "Blocking: true\nBlocking: no", "two_values"),
        (BLOCKING, "Is it blocking? No.", "= false via text"),
        (BLOCKING, "Yes.", "= true via text"),
        (BLOCKING, "No.", "= false via text"),
        (BLOCKING, "yes", "= true via text"),
        (BLOCKING, "There is no problem.", "not_found"),
        (BLOCKING, "No problem.", "not_found"),
        (BLOCKING, "No problem was found.", "refused"),
        (BLOCKING, "I say yes to this.", "not_found"),
        (BLOCKING, "It is true that it blocks.", "not_found"),
        (BLOCKING, "True story.", "refused"),
        (BLOCKING, "This is blocking.", "not_found"),
        (BLOCKING, "Yes. No.", "two_values"),
        (BLOCKING, "Yes, this blocks the release.", "= true via text"),
        (BLOCKING, "No, this is fine.", "= false via text"),
        (BLOCKING, "Blocking is true.", "= true via label"),
    ];
    check(rows);
    let aliased =
        r#"{"name": "safety", "type": "boolean", "aliases": {"true": ["safe"], "false": ["unsafe", "not safe"]}}"#;
    let rows: &[Row<'_>] = &[
        (aliased, "Safety: yes", "= true via label"),
        (aliased, "Safety: unsafe", "= false via label"),
        (aliased, "Safety: not safe", "= false via label"),
        (aliased, "unsafe", "= false via text"),
        (aliased, "It is unsafe to go on.", "not_found"),
    ];
    check(rows);
}
