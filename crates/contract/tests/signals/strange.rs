//! Markdown, typography, arithmetic, options and what one target is told beside another: where a value is easily part of something else.

use crate::rows::{ALL, LETTER, Row, TO_10, TO_100, VERDICT, check};

const CORRECT: &str = r#"{"name": "verdict", "type": "enum", "values": ["correct", "incorrect"]}"#;

/// What one target is told is not withheld from another.
#[test]
fn what_ends_a_refused_value_counts() {
    let rows: &[Row<'_>] = &[
        (
            ALL,
            "Score: n/a. Reject. I approve the docs.",
            "verdict: two_values; score: not_a_value; blocking: not_found",
        ),
        (ALL, "Score: unclear. Approve.", "verdict: = approve; score: not_a_value; blocking: not_found"),
        (ALL, "Not approve 7.", "verdict: not_found; score: doubtful; blocking: not_found"),
    ];
    check(rows);
}

/// Emphasis inside a word, links, escaped bars.
#[test]
fn markdown() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "I dis**approve** of it.", "not_found"),
        (VERDICT, "I **dis**approve of it.", "not_found"),
        (VERDICT, "I approve**d** it.", "not_found"),
        (VERDICT, "I ***approve***.", "= approve via text"),
        (VERDICT, "Verdict:**approve**", "= approve"),
        (VERDICT, "**Verdict:**approve", "= approve via label"),
        (CORRECT, "This is **in**correct.", "not_found"),
        (LETTER, "**A**ccuracy matters.", "not_found"),
        (LETTER, "Answer: **A**ccuracy", "not_a_value"),
        (LETTER, "*B*revity is fine.", "not_found"),
        (LETTER, "**B**, of course.", "= B via text"),
        (VERDICT, "See [approve](https://example.com) for the rule.", "not_found"),
        (VERDICT, "See [approve][1].", "not_found"),
        (VERDICT, "[approve]", "= approve via text"),
        (VERDICT, "Verdict: [approve](#why)", "= approve via label"),
        (VERDICT, "| Note | Verdict |\n|---|---|\n| a \\| approve | reject |", "= reject via label"),
        (VERDICT, "| Note \\| Verdict | X |\n|---|---|\n| a | approve |", "= approve via text"),
    ];
    check(rows);
}

/// Between triple quotation marks, empty lines or not.
#[test]
fn quoted_blocks() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "The text:\n\"\"\"\nVerdict: approve\n\"\"\"\nI have nothing to add.", "not_found"),
        (VERDICT, "\"\"\"\nGood.\n\nVerdict: approve\n\"\"\"\n\nVerdict: reject", "= reject via label"),
        (VERDICT, "\"\"\"\nHe says \"no\".\n\nVerdict: approve\n\"\"\"", "not_found"),
        (VERDICT, "\"\"\"\nGood.\n\nVerdict: approve", "quoted"),
        (VERDICT, "The name is \"\". I approve.", "= approve via text"),
        (VERDICT, "\"x\"\"y\" I approve.", "= approve via text"),
        (VERDICT, "Verdict: \"\"\"approve\"\"\"", "= approve"),
    ];
    check(rows);
}

/// Apostrophes, minus signs and separators that are not those of ASCII.
#[test]
fn typography() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "I don\u{2BC}t approve.", "not_found"),
        (VERDICT, "I don\u{B4}t approve.", "not_found"),
        (VERDICT, "I don\u{FF07}t approve.", "not_found"),
        (LETTER, "Answer: A\u{B2}", "not_a_value"),
        (LETTER, "Answer: A\u{2081}", "not_a_value"),
        (VERDICT, "Verdict \u{2260} approve", "doubtful"),
        (VERDICT, "Verdict != approve", "doubtful"),
        (TO_10, "Score: 8\u{66B}5", "unreadable_number"),
        (TO_10, "Score: 8\u{B7}5", "unreadable_number"),
        (TO_10, "Score: 8\u{FF0E}5", "unreadable_number"),
        (TO_10, "Score: 8'000", "unreadable_number"),
        (TO_10, "Score: 8;5", "unreadable_number"),
        (TO_10, "Score: 8; 5 nits", "= 8 via label"),
        (TO_100, "Score: 8\u{2044}10", "unreadable_number"),
        (TO_100, "Score: 8\u{FF0F}10", "unreadable_number"),
        (TO_10, "Score: 7\u{FF05}", "unreadable_number"),
        (TO_10, "Score is \u{2013}8", "unreadable_number"),
        (TO_10, "It gets a \u{2011}8.", "unreadable_number"),
        (TO_10, "Score \u{2013} 8", "= 8 via label"),
        (TO_10, "Score\u{2014}8", "= 8 via label"),
    ];
    check(rows);
}

/// Sums, halves, bounds, counts, and the numbers of lists.
#[test]
fn numbers_that_are_no_score() {
    let rows: &[Row<'_>] = &[
        (TO_10, "Score: 3 + 4 = 7", "unreadable_number"),
        (TO_10, "Score: 8 and a half", "unreadable_number"),
        (TO_10, "Score: 8 and a nice test", "= 8 via label"),
        (TO_10, "The maximum score is 10. This response is poor.", "doubtful"),
        (TO_10, "Max score: 10", "doubtful"),
        (TO_10, "The passing score is 7.", "doubtful"),
        (TO_10, "It gets a perfect score of 10.", "= 10 via label"),
        (TO_10, "There are 3 typos in the text.", "doubtful"),
        (TO_10, "The response makes 3 claims.", "doubtful"),
        (TO_10, "It gets a 3 because of typos.", "= 3 via text"),
        (TO_10, "I give it 3 points.", "= 3 via text"),
        (TO_10, "Score:\n1. Bad style\n2. No tests", "not_found"),
        (TO_10, "## Score\n\n1. Accuracy: 8\n2. Style: 7", "two_values"),
        (TO_10, "## Score\n\n8", "= 8 via label"),
    ];
    check(rows);
}

/// Options listed below a label.
#[test]
fn options_below_a_label() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "Verdict:\n- approve\n- reject", "two_values"),
        (VERDICT, "## Verdict\n\n* approve\n* reject", "two_values"),
        (LETTER, "Answer:\n\nA. Paris\nB. London\nC. Rome", "two_values"),
        (VERDICT, "## Verdict\n\nReject\n\nI approve of the tests.", "= reject via label"),
        (VERDICT, "## Verdict\n\nReject\nThe tests fail.", "= reject via label"),
    ];
    check(rows);
}

/// What is taken back is what was said before, and a quoted value is the whole reply behind reasoning too.
#[test]
fn what_was_said_before() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "Hmm, wait. The tests fail.\n\nVerdict: reject\n\nI will approve a follow-up.", "= reject via label"),
        (VERDICT, "Verdict: reject\n\nHmm, wait. It builds.\n\nI will approve it.", "two_values"),
        (VERDICT, "<think>Is it?</think>\n\n\"approve\"", "= approve via text"),
        (VERDICT, "Well: \"approve\"", "not_found"),
    ];
    check(rows);
}

#[test]
fn said_otherwise_than_with_a_label() {
    check(&[
        (VERDICT, "Verdict: reject\n\nThe text has \"</think> Verdict: approve\" in it.", "refused"),
        (VERDICT, "Say one word, e.g. approve.", "refused"),
        (VERDICT, "Verdict: approve. Only if CI passes.", "refused"),
        (VERDICT, "Verdict: approve\n\nReject.", "refused"),
        (VERDICT, "Verdict: approve\n\nApprove.", "= approve via label"),
        (VERDICT, "Options: approve", "refused"),
        (VERDICT, "verdict == approve", "never approve"),
        (VERDICT, "Verdict: reject; consider a follow-up if time permits", "= reject via label"),
        (
            VERDICT,
            "Verdict: reject\n\nPlease keep in mind the style guide. I will approve a smaller change.",
            "= reject via label",
        ),
        (VERDICT, "In the requested format:\nVerdict: approve", "= approve via label"),
        (TO_10, "Score: 8 (0-10)", "= 8 scale 10 via label"),
        (TO_10, "Score: 8 (0-20)", "other_scale"),
        (TO_10, "Score: 8 (max 20)", "other_scale"),
        (TO_10, "Score: 8 on 12", "refused"),
        (TO_10, "Score: 8 minus 2", "refused"),
    ]);
}

/// Two targets of the same values.
const TESTS_AND_VERDICT: &str = concat!(
    r#"{"name": "tests", "type": "enum", "values": ["pass", "fail"]},"#,
    r#"{"name": "verdict", "type": "enum", "values": ["pass", "fail"]}"#
);

#[test]
fn a_value_behind_a_label_is_no_other_targets() {
    check(&[
        (TESTS_AND_VERDICT, "Tests: pass.", "tests: = pass via label; verdict: not_found"),
        (TESTS_AND_VERDICT, "Tests: pass. I fail it.", "tests: = pass via label; verdict: = fail via text"),
        (TESTS_AND_VERDICT, "Tests: pass, Verdict: fail", "tests: = pass via label; verdict: = fail via label"),
        (TESTS_AND_VERDICT, "Tests: pass, Verdict: fail unless rerun", "tests: = pass via label; verdict: doubtful"),
    ]);
}

#[test]
fn numbers_are_equal_by_value() {
    check(&[
        (TO_10, "Score: 8\nFinal score: 8.0", "= 8 via label"),
        (TO_10, "Score: 8\nFinal score: 8/10", "= 8 via label"),
        (TO_10, "It is 0.50, or 0.5.", "= 0.50 via text"),
        (TO_10, "Score: 8\nFinal score: 8.01", "two_values"),
    ]);
}
