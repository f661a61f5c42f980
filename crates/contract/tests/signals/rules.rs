//! Where a value stands: each rule of labels, quotes, fences, several targets and the end, from both sides.

use thusfar_contract::{ExtractOptions, Signal, SignalCode};
use thusfar_core::{Ending, Progress};

use crate::extracted::{Asked, extracted};
use crate::rows::{
    ALL, ANY_SCORE, BLOCKING, FIRST, LAST, LETTER, LEVEL, PASS, REVIEW, Row, SUMMARY, TO_10, TO_100, VERDICT, WINNER,
    check, check_ended,
};

#[test]
fn labels_with_their_marks() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "Verdict: approve", "= approve via label"),
        (VERDICT, "verdict:approve", "= approve via label"),
        (VERDICT, "VERDICT : APPROVE", "= approve via label"),
        (VERDICT, "Verdict = reject", "= reject via label"),
        (VERDICT, "verdict=reject", "= reject via label"),
        (VERDICT, "The verdict is reject.", "= reject via label"),
        (VERDICT, "My verdict is: approve.", "= approve via label"),
        (VERDICT, "Verdict - approve", "= approve via label"),
        (VERDICT, "Verdict \u{2013} approve", "= approve via label"),
        (VERDICT, "Verdict \u{2014} approve", "= approve via label"),
        (VERDICT, "Verdict-approve", "not_found"),
        (VERDICT, "verdict_approve", "not_found"),
        (VERDICT, "<verdict>approve</verdict>", "= approve via label"),
        (VERDICT, "<verdict>\nreject\n</verdict>", "= reject"),
        (VERDICT, "<VERDICT>Reject</VERDICT>", "= reject via label"),
        (VERDICT, "Verdict: [[approve]]", "= approve via label"),
        (VERDICT, "Verdict: [approve]", "= approve via label"),
        (VERDICT, "[Verdict] approve", "= approve"),
        (VERDICT, "Verdict: (approve)", "= approve via label"),
        (VERDICT, "Verdict\u{FF1A}approve", "= approve via label"),
        (VERDICT, "Verdict \u{FF1A} approve", "= approve via label"),
        (VERDICT, "Verdict (approve or reject): reject", "= reject via label"),
        (VERDICT, "Verdict: \u{2705} approve", "= approve via label"),
        (VERDICT, "Verdict: \u{274C} Reject", "= reject via label"),
        (VERDICT, "\u{1F4DD} Verdict: approve", "= approve via label"),
        (VERDICT, "Verdict: \u{26A0}\u{FE0F} reject", "= reject via label"),
        (VERDICT, "Verdict: approve \u{1F44D}", "= approve via label"),
        (VERDICT, "Verdict:\tapprove", "= approve via label"),
        (VERDICT, "Verdict:\u{A0}approve", "= approve via label"),
        (VERDICT, "Some text.\r\nVerdict: approve\r\nMore text.\r\n", "= approve via label"),
        (VERDICT, "Verdict: approve.", "= approve via label"),
        (VERDICT, "Verdict: approve!", "= approve via label"),
        (VERDICT, "Verdict: approve, because all tests pass.", "= approve via label"),
        (VERDICT, "verdict approve", "= approve via text"),
        (VERDICT, "Overdict: approve", "= approve via text"),
        (VERDICT, "Verdicts: approve", "= approve via text"),
        (VERDICT, "Verdict:approve", "= approve via label"),
        (VERDICT, "VERDICT:APPROVE\nI'd reject a larger one.", "= approve via label"),
        (TO_10, "Score:7", "= 7 via label"),
        (TO_10, "Score:7/10", "= 7 scale 10 via label"),
        (VERDICT, "Verdict -> approve", "= approve"),
        (VERDICT, "Verdict: approve (no blockers)", "= approve via label"),
        (VERDICT, "Verdict: approve, no objections", "= approve via label"),
    ];
    check(rows);
}

#[test]
fn labels_in_markdown() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "**Verdict:** approve", "= approve via label"),
        (VERDICT, "**Verdict**: approve", "= approve via label"),
        (VERDICT, "**Verdict: approve**", "= approve via label"),
        (VERDICT, "**Verdict:** **approve**", "= approve via label"),
        (VERDICT, "***Verdict:*** *approve*", "= approve via label"),
        (VERDICT, "__Verdict__: __approve__", "= approve via label"),
        (VERDICT, "_Verdict:_ _approve_", "= approve via label"),
        (VERDICT, "Verdict: ~~approve~~", "refused"),
        (VERDICT, "Verdict: ~~approve~~ reject", "never approve"),
        (VERDICT, "### Verdict: approve", "= approve via label"),
        (VERDICT, "### Verdict\napprove", "= approve via label"),
        (VERDICT, "### Verdict\n\napprove", "= approve via label"),
        (VERDICT, "## **Verdict**\n\n**Reject**\n", "= reject via label"),
        (VERDICT, "### Verdict ###\napprove", "= approve"),
        (VERDICT, "Verdict\n-------\nreject", "= reject"),
        (VERDICT, "Verdict\n=======\n\nreject", "= reject"),
        (VERDICT, "**Verdict**\nreject", "= reject via label"),
        (VERDICT, "Verdict:\nreject", "= reject via label"),
        (VERDICT, "Verdict:\n\nreject", "= reject via label"),
        (VERDICT, "Verdict:\r\n\r\nreject\r\n", "= reject via label"),
        (VERDICT, "Verdict:\n\n\n  - reject", "= reject via label"),
        (VERDICT, "Verdict:\n> reject", "= reject via label"),
        (VERDICT, "**Verdict:**\n\n**approve**", "= approve via label"),
        (VERDICT, "> Verdict: approve", "= approve via label"),
        (VERDICT, "> **Verdict:** approve", "= approve via label"),
        (VERDICT, "- Verdict: approve", "= approve via label"),
        (VERDICT, "* **Verdict**: approve", "= approve via label"),
        (VERDICT, "+ Verdict: approve", "= approve via label"),
        (VERDICT, "\u{2022} Verdict: approve", "= approve via label"),
        (VERDICT, "1. Verdict: approve", "= approve via label"),
        (VERDICT, "2) Verdict: approve", "= approve via label"),
        (VERDICT, "    Verdict: approve", "= approve via label"),
        (VERDICT, "- [x] approve\n- [ ] reject", "ambiguous"),
        (VERDICT, "Final verdict: approve", "= approve via label"),
        (VERDICT, "**Overall Verdict:** reject", "= reject via label"),
        (VERDICT, "My verdict: reject", "= reject via label"),
        // Prose below a heading is its section, and says the value where it begins with it.
        (VERDICT, "### Verdict\nApprove. All tests pass.", "= approve via label"),
        (VERDICT, "### Verdict\nThe tests pass and the code is clean.", "refused"),
    ];
    check(rows);
}

#[test]
fn labels_in_tables() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "| Verdict | approve |", "= approve"),
        (VERDICT, "| Field | Value |\n|---|---|\n| Verdict | approve |\n", "= approve via label"),
        (VERDICT, "| Field | Value |\n|---|---|\n| **Verdict** | **approve** |\n", "= approve via label"),
        (VERDICT, "| Verdict | Reason |\n|---|---|\n| approve | clean |\n", "= approve via label"),
        (VERDICT, "| Reason | Verdict |\n|:---|---:|\n| clean | reject |\n", "= reject via label"),
        // Without bars around its rows it is no table: plain text.
        (VERDICT, "Reason | Verdict\n---|---\nclean | reject\n", "= reject via text"),
        (VERDICT, "| File | Verdict |\n|---|---|\n| a.rs | approve |\n| b.rs | reject |\n", "two_values"),
        (VERDICT, "| File | Verdict |\n|---|---|\n| a.rs | approve |\n| b.rs | approve |\n", "= approve via label"),
        (
            ALL,
            "| Verdict | Score | Blocking |\n|---|---|---|\n| reject | 3 | yes |\n",
            "verdict: = reject; score: = 3; blocking: = true",
        ),
        (
            ALL,
            "| Item | Result |\n|---|---|\n| Verdict | approve |\n| Score | 9 |\n| Blocking | no |\n",
            "verdict: = approve; score: = 9; blocking: = false",
        ),
        // Of a cell the next one is no part.
        (VERDICT, "| Verdict | approve | reject |", "never reject"),
        (TO_10, "| Criterion | Score |\n|---|---|\n| Style | 7 |\n| Safety | 7 |\n", "= 7"),
        (TO_10, "| Criterion | Score |\n|---|---|\n| Style | 7 |\n| Safety | 4 |\n", "two_values"),
        (TO_10, "| Criterion | Score |\n|---|---|\n| Style | 7 |\n| **Score** | 8 |\n", "ambiguous"),
        (VERDICT, "| Name | approve | reject |\n|---|---|---|\n| Ann | x |  |\n", "ambiguous"),
    ];
    check(rows);
}

#[test]
fn labels_that_promise() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "Verdict: unclear", "not_a_value"),
        (VERDICT, "Verdict: approved", "not_a_value"),
        (VERDICT, "Verdict: approve-ish", "not_a_value"),
        (VERDICT, "**Verdict:** N/A", "not_a_value"),
        (VERDICT, "- Verdict = pending", "not_a_value"),
        (VERDICT, "> Our verdict: pending", "not_a_value"),
        (VERDICT, "Final verdict: none", "not_a_value"),
        (VERDICT, "Verdict:\nunclear", "refused"),
        (VERDICT, "Verdict: not approve", "refused"),
        (VERDICT, "Verdict: I approve", "refused"),
        (VERDICT, "Verdict is unclear", "not_found"),
        (VERDICT, "The verdict is pending; I approve.", "= approve via text"),
        (VERDICT, "It is hard to give a verdict: the tests are missing.", "not_found"),
        (VERDICT, "The verdict comes later. I approve.", "= approve via text"),
        (VERDICT, "Verdict:", "refused"),
        (VERDICT, "Verdict: ", "refused"),
        (VERDICT, "Verdict:\n\n", "refused"),
        // What was told at the end of the first line stays so.
        (VERDICT, "Verdict: unclear\nVerdict: approve", "not_a_value"),
        (VERDICT, "Verdict: approve\nVerdict: unclear", "ambiguous"),
        (TO_10, "Score: high", "not_a_value"),
        (TO_10, "Score: N/A", "not_a_value"),
        (BLOCKING, "Blocking: maybe", "not_a_value"),
        (BLOCKING, "Blocking: 1", "not_a_value"),
        (BLOCKING, "Blocking: 0", "not_a_value"),
        // Where a promise was broken, the rest of the text is not asked.
        (VERDICT, "Verdict: unclear.\n\nI approve.", "refused"),
        (VERDICT, "Verdict: \"\"", "refused"),
        (VERDICT, "Verdict: ()", "refused"),
        (VERDICT, "Verdict: \u{2705}", "refused"),
        (VERDICT, "Verdict:\u{2705}\"Verdict", "refused"),
    ];
    check(rows);
}

#[test]
fn several_labelled_values() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "Verdict: approve\nVerdict: reject", "two_values"),
        (VERDICT, "Verdict: approve\n\nVerdict: APPROVE", "= approve"),
        (FIRST, "Verdict: approve\nVerdict: reject", "= approve via label"),
        (LAST, "Verdict: approve\nVerdict: reject", "= reject via label"),
        (FIRST, "Verdict: reject\nVerdict: reject", "= reject"),
        (LAST, "Verdict: approve", "= approve"),
        (FIRST, "I approve and reject.", "two_values"),
        (LAST, "I approve and reject.", "two_values"),
        (FIRST, "Verdict: approve or reject", "ambiguous"),
        (FIRST, "Verdict: unclear\nVerdict: reject", "refused"),
        (LAST, "Verdict: reject\nVerdict: unclear", "refused"),
        (REVIEW, "Verdict: approve\nDecision: reject", "two_values"),
        (REVIEW, "Verdict: approve\nDecision: LGTM", "= approve"),
        (REVIEW, "Verdict: not recommended", "= reject via label"),
        (REVIEW, "Verdict: Not Recommended.", "= reject via label"),
        (REVIEW, "Verdict: recommended", "not_a_value"),
        (REVIEW, "Verdict: request_changes", "= request_changes via label"),
        (REVIEW, "Verdict: request changes", "not_a_value"),
        (REVIEW, "Final verdict: lgtm", "= approve via label"),
        // A name that words make up is a label in both spellings.
        (LEVEL, "risk_level: high", "= high via label"),
        (LEVEL, "Risk level: high", "= high via label"),
        (LEVEL, "Risk Level: very high", "= very high via label"),
        (LEVEL, "Risk  level:  very  high", "= very high"),
        (LEVEL, "Risk-level: high", "= high"),
        (LEVEL, "Level: high", "= high via text"),
        (LEVEL, "The risk is very high.", "= very high via text"),
        (LEVEL, "The risk is very high, not just high.", "refused"),
    ];
    check(rows);
}

#[test]
fn what_stands_behind_a_labelled_value() {
    let rows: &[Row<'_>] = &[
        (LETTER, "Answer: A fails, B holds", "ambiguous"),
        (LETTER, "Answer: A. B fails.", "= A"),
        (LETTER, "Answer: A\nB fails.", "= A"),
        (VERDICT, "Verdict: approve or reject", "two_values"),
        (VERDICT, "Verdict: approve/reject", "ambiguous"),
        (VERDICT, "Verdict: approve | reject", "ambiguous"),
        (VERDICT, "Verdict: approve|reject", "refused"),
        (VERDICT, "Verdict: [approve/reject]", "ambiguous"),
        (VERDICT, "Verdict: <approve|reject>", "refused"),
        (VERDICT, "Verdict: {approve, reject}", "refused"),
        (VERDICT, "Verdict: approve, not reject", "never reject"),
        (VERDICT, "Verdict: approve (rather than reject)", "never reject"),
        (VERDICT, "Verdict: approve if the tests pass", "doubtful"),
        (VERDICT, "Verdict: approve, provided the typo is fixed.", "doubtful"),
        (VERDICT, "Verdict: approve unless CI fails", "doubtful"),
        (VERDICT, "Verdict: approve once CI is green", "doubtful"),
        (VERDICT, "Verdict: approve (assuming the tests pass)", "doubtful"),
        (VERDICT, "Verdict: reject until the tests pass.", "doubtful"),
        (VERDICT, "Verdict: approve except for the last commit", "doubtful"),
        (VERDICT, "Verdict: approve. If you like, add a test.", "= approve"),
        (VERDICT, "Verdict: approve\nIf you like, add a test.", "= approve"),
        (VERDICT, "Verdict: approve?", "doubtful"),
        (VERDICT, "Verdict: approve, right?", "doubtful"),
        (VERDICT, "Verdict: approve\nQuestions?", "= approve"),
        (VERDICT, "Verdict: approve\nThe other reviewer would reject it.", "= approve"),
        (VERDICT, "Verdict: approve\nActually, reject.", "ambiguous"),
        (VERDICT, "Verdict: approve\n\nWait, no: reject.", "ambiguous"),
        (VERDICT, "Verdict: approve. Correction: reject.", "ambiguous"),
        (VERDICT, "Verdict: approve.\n\nOn reflection I reject it.", "ambiguous"),
        (VERDICT, "Verdict: approve.\nActually, I do not approve.", "ambiguous"),
        (VERDICT, "Verdict: approve.\nActually, I approve wholeheartedly.", "= approve"),
        (VERDICT, "Verdict: approve.\nActually, it is good work.", "= approve"),
        (TO_10, "Score: 8\nActually, make that 6.", "ambiguous"),
        (TO_10, "Score: 8\nThere are 6 files.", "= 8"),
    ];
    check(rows);
}

#[test]
fn labels_in_doubt() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "My first verdict was approve.", "doubtful"),
        (VERDICT, "The verdict was reject, the verdict is approve.", "ambiguous"),
        (VERDICT, "I cannot say that the verdict is approve.", "doubtful"),
        (VERDICT, "I don't think the verdict is approve.", "doubtful"),
        (VERDICT, "If the verdict is approve, merge it.", "doubtful"),
        (VERDICT, "Perhaps the verdict is reject.", "refused"),
        (VERDICT, "I think the verdict is reject.", "= reject via label"),
        (VERDICT, "So the verdict is reject.", "= reject via label"),
        (VERDICT, "The verdict is not approve.", "refused"),
        (VERDICT, "The verdict isn't approve.", "refused"),
        (VERDICT, "Is the verdict approve?", "refused"),
    ];
    check(rows);
}

#[test]
fn brackets() {
    let rows: &[Row<'_>] = &[
        (LETTER, "[[A]]", "= A via brackets"),
        (LETTER, "Both are good. [[B]]", "= B via brackets"),
        (LETTER, "[[ B ]]", "= B"),
        (LETTER, "[[A]] or [[B]]", "two_values"),
        (LETTER, "[[A]] and again [[A]]", "= A via brackets"),
        (LETTER, "[[A]]\nB is worse, I reject [B].", "= A via brackets"),
        (LETTER, "[[D]]", "refused"),
        (LETTER, "\"[[A]]\" says the text. [[B]]", "quoted"),
        (LETTER, "\"[[B]]\" says the text. [[B]]", "= B via brackets"),
        (LETTER, "Answer: A\n[[B]]", "never B"),
        (WINNER, "My final verdict is: [[A]]", "= A via brackets"),
        (WINNER, "[[tie]]", "= tie via brackets"),
        (TO_10, "Rating: [[7]]", "= 7 via brackets"),
        (TO_10, "Rating: [[7]] of 10 files", "never 10"),
        (TO_10, "[[11]]", "out_of_range"),
        (TO_10, "Score: [[7]]", "= 7 via label"),
    ];
    check(rows);
}

#[test]
fn quotes() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "Verdict: \"approve\"", "= approve via label"),
        (VERDICT, "Verdict: 'approve'", "= approve via label"),
        (VERDICT, "Verdict: `approve`", "= approve via label"),
        (VERDICT, "Verdict: \u{201C}approve\u{201D}", "= approve via label"),
        (VERDICT, "Verdict: \u{201E}approve\u{201C}", "= approve via label"),
        (VERDICT, "Verdict: \u{AB} approve \u{BB}", "refused"),
        (VERDICT, "Verdict: \u{300C}approve\u{300D}", "= approve"),
        (VERDICT, "**Verdict:** **`reject`**", "= reject via label"),
        (VERDICT, "\"verdict\": \"approve\"", "= approve"),
        (VERDICT, "Verdict: \"approve this\" says the author", "refused"),
        (VERDICT, "The author wrote \"approve\".", "not_found"),
        (VERDICT, "The author wrote \u{2018}approve\u{2019}.", "not_found"),
        (VERDICT, "The author wrote `approve`.", "not_found"),
        (VERDICT, "The author wrote \u{AB}approve\u{BB}.", "not_found"),
        (VERDICT, "The author wrote \"approve\". I reject.", "= reject via text"),
        (VERDICT, "It says \"Verdict: approve\".\nVerdict: reject", "= reject via label"),
        (VERDICT, "It says \"Verdict: approve\".", "not_found"),
        (VERDICT, "It says 'Verdict: approve'.", "not_found"),
        (VERDICT, "It says \"he said 'approve' twice\" and I reject.", "= reject via text"),
        (VERDICT, "It says \u{201C}she said \u{201C}approve\u{201D} again\u{201D} and I reject.", "never approve"),
        // One that does not close leaves its values in doubt, as far as it may reach.
        (VERDICT, "It says \"approve and ends", "ambiguous"),
        (VERDICT, "It says \"approve and ends.\n\nVerdict: reject", "= reject via label"),
        (VERDICT, "A `and then approve", "refused"),
        (VERDICT, "A ` stands here.\nI approve.", "= approve via text"),
        (VERDICT, "Verdict: \"approve", "refused"),
        (VERDICT, "It's the author's call, and I approve.", "= approve via text"),
        (VERDICT, "The reviewers' view: they're happy, and I approve.", "= approve via text"),
        (VERDICT, "A 6\" pipe and a 5' pole: I approve.", "= approve via text"),
        (BLOCKING, "Blocking: \"yes\"", "= true via label"),
        (TO_10, "Score: \"8\"", "= 8 via label"),
        (TO_10, "Score: `8/10`", "= 8 scale 10 via label"),
        (TO_10, "The text says \"score: 9\". Score: 3", "= 3 via label"),
        (VERDICT, "He said 'Verdict: approve and ends", "ambiguous"),
        (TO_10, "'Score: **    \n1 7``` \u{2705}", "refused"),
        (VERDICT, "A `Verdict: approve and more", "ambiguous"),
        (VERDICT, "A `Verdict: approve and more\nVerdict: reject", "ambiguous"),
    ];
    check(rows);
}

#[test]
fn fences_and_reasoning() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "```\nVerdict: approve\n```\nVerdict: reject", "= reject via label"),
        (VERDICT, "```\nVerdict: approve\n```", "not_found"),
        (VERDICT, "~~~\napprove\n~~~\nI reject.", "= reject via text"),
        (VERDICT, "```text\nreject\n```\nI approve.", "= approve via text"),
        (VERDICT, "```\nVerdict: approve", "not_found"),
        (VERDICT, "Verdict: reject\n```diff\n- approve\n```\n", "= reject"),
        (VERDICT, "````\n```\napprove\n```\nVerdict: approve\n````\nVerdict: reject", "= reject via label"),
        (VERDICT, "<think>Verdict: approve</think>\nVerdict: reject", "= reject via label"),
        (VERDICT, "<think>reject?</think>I approve.", "= approve via text"),
        (VERDICT, "<thinking>\nreject\n</thinking>\nVerdict: approve", "= approve via label"),
        (VERDICT, "<reasoning>approve</reasoning>", "not_found"),
        (VERDICT, "<think>I approve.", "open_reasoning"),
        (VERDICT, "Let me see, reject?\n</think>\nVerdict: approve", "= approve via label"),
        (VERDICT, "Verdict: approve\n</think>\nVerdict: approve", "= approve via label"),
        (LAST, "Verdict: reject\n</think>\nVerdict: approve", "= approve via label"),
        // Whoever writes the text that is judged could plant the tag: as behind a closed document.
        (VERDICT, "Verdict: reject\n</think>\nVerdict: approve", "close_tag_behind"),
        (VERDICT, "Verdict: reject\n</think>\n", "close_tag_behind"),
        (VERDICT, "Verdict: reject\n</think>\nI approve.", "close_tag_behind"),
        // What was certain in front of the tag was told, and stays.
        (VERDICT, "Verdict: reject\nVerdict: approve\n</think>\nVerdict: approve", "two_values"),
        (VERDICT, "I like the word <think> here and approve.", "= approve via text"),
        (VERDICT, "<think><think>approve</think>approve</think>Verdict: reject", "= reject via label"),
    ];
    check(rows);
}

#[test]
fn several_targets() {
    let rows: &[Row<'_>] = &[
        (ALL, "Verdict: approve, score: 8, blocking: no", "verdict: = approve; score: = 8; blocking: = false"),
        (
            ALL,
            "Verdict: approve | Score: 8/10 | Blocking: no",
            "verdict: = approve; score: = 8 scale 10; blocking: = false",
        ),
        (
            ALL,
            "**Verdict:** reject\n**Score:** 2\n**Blocking:** yes",
            "verdict: = reject; score: = 2; blocking: = true",
        ),
        (ALL, "Verdict: approve (score: 8)", "verdict: = approve; score: = 8; blocking: not_found"),
        (
            ALL,
            "Verdict: reject\nScore: 11\nBlocking: perhaps",
            "verdict: = reject; score: out_of_range; blocking: not_a_value",
        ),
        (ALL, "Verdict: approve, score: 8, verdict: reject", "verdict: two_values; score: = 8; blocking: not_found"),
        (ALL, "Score: 8\nI approve.", "verdict: = approve via text; score: = 8; blocking: not_found"),
        (
            ALL,
            "<verdict>approve</verdict><score>9</score><blocking>false</blocking>",
            "verdict: = approve; score: = 9; blocking: = false",
        ),
        (
            ALL,
            "{\"verdict\": \"approve\", \"score\": 9, \"blocking\": false}",
            "verdict: never reject; score: never 8; blocking: never true",
        ),
    ];
    check(rows);
}

#[test]
fn the_end() {
    use Ending::{Cancelled, Disconnected, Failed, Filtered, Length, Stop, TimedOut, ToolUse, Unknown};
    let mut rows: Vec<(&str, &str, Ending, &str)> = Vec::new();
    for whole in [Stop, ToolUse, Unknown] {
        rows.push((VERDICT, "Verdict: approve", whole, "= approve"));
        rows.push((VERDICT, "Verdict: APPR", whole, "not_a_value"));
        rows.push((VERDICT, "I approve", whole, "= approve via text"));
        rows.push((TO_10, "Score: 8", whole, "= 8"));
        rows.push((VERDICT, "Nothing.", whole, "no_value"));
    }
    for cut in [Length, Filtered, TimedOut, Disconnected, Failed, Cancelled] {
        rows.push((VERDICT, "Verdict: approve", cut, "cut_value"));
        rows.push((VERDICT, "Verdict: APPR", cut, "cut_value"));
        rows.push((TO_10, "Score: 8", cut, "cut_value"));
        rows.push((TO_10, "Score: 8.", cut, "refused"));
        rows.push((TO_10, "Score: 8/1", cut, "refused"));
        rows.push((TO_10, "Score: 8/10", cut, "refused"));
        // The reason says nothing of the value any more.
        rows.push((VERDICT, "Verdict: approve because", cut, "= approve via label"));
        rows.push((VERDICT, "Verdict: approve,", cut, "cut_behind"));
        rows.push((VERDICT, "Verdict: approve ", cut, "cut_behind"));
        rows.push((VERDICT, "Verdict: approve\n", cut, "= approve"));
        rows.push((VERDICT, "Verdict: approve\nThe code", cut, "= approve"));
        rows.push((VERDICT, "Verdict: approve. The code", cut, "= approve"));
        rows.push((FIRST, "Verdict: approve\nVerdict: rej", cut, "= approve"));
        rows.push((LAST, "Verdict: approve\nThe code", cut, "cut_behind"));
        rows.push((VERDICT, "Verdict: approve\nVerdict: rej", cut, "refused"));
        rows.push((VERDICT, "I approve. The code", cut, "cut_behind"));
        rows.push((VERDICT, "The code", cut, "cut_before"));
        rows.push((VERDICT, "Verdict:", cut, "not_found"));
        rows.push((VERDICT, "<think>hmm", cut, "open_reasoning"));
        rows.push((VERDICT, "Verdict: approve\nVerdict: reject\nThe", cut, "two_values"));
        rows.push((SUMMARY, "Summary: the code is", cut, "refused"));
    }
    check_ended(&rows);
}

/// The text up to the byte that settles it, and what follows; the second part cannot save it.
#[test]
fn what_is_told_while_it_comes() {
    let rows = [
        (VERDICT, "Verdict: approve\nVerdict: reject", " indeed.\nVerdict: reject\n"),
        (TO_100, "Score: 80\nScore: 90", " or so.\nScore: 80\n"),
        (ANY_SCORE, "Score: none", " of them.\nScore: 7\n"),
        (PASS, "Verdict: so-so", " then.\nVerdict: PASS\n"),
        (TO_10, "Score: 11", " points.\nScore: 10\n"),
    ];
    for (spec, settled, behind) in rows {
        let asked = Asked::of(spec);
        let mut extraction = asked.signals.begin();
        // The character behind shows where the word ends.
        assert!(!extraction.push(settled).is_decided(), "{settled:?}");
        assert_eq!(extraction.push(&behind[..behind.len() - 1]), Progress::Doomed, "{settled:?}");
        let _ = extraction.push(&behind[behind.len() - 1..]);
        assert!(!extraction.finish(Ending::Stop).is_ok(), "{settled:?}");
        let whole = extracted(&asked, &format!("{settled}{behind}"), Ending::Stop);
        let decided: Vec<_> = whole.iter().map(|(_, signal)| signal.decided_at()).collect();
        assert!(decided[0] <= settled.len() + behind.find('\n').expect("a line end") + 1, "{settled:?}: {decided:?}");
    }
}

#[test]
fn first_is_final_once_its_sentence_is_over() {
    let asked = Asked::of(FIRST);
    let mut extraction = asked.signals.begin();
    assert!(!extraction.push("Verdict: approve").is_decided());
    // A condition may follow on the line.
    assert!(!extraction.push(" this").is_decided());
    let _ = extraction.push("\nVerdict: reject\n");
    let found = extraction.finish(Ending::Stop);
    assert_eq!(found.get("verdict").and_then(|signal| signal.value()?.as_str()), Some("approve"));
}

/// The signal of a verdict that is read with options, in one piece and character by character.
fn verdict_with(text: &str, options: ExtractOptions, ending: Ending) -> Signal {
    let asked = Asked::of(VERDICT);
    let mut whole = asked.signals.begin_with(options);
    let _ = whole.push(text);
    let mut pieces = asked.signals.begin_with(options);
    for piece in text.split_inclusive(|_| true) {
        let _ = pieces.push(piece);
    }
    let [whole, pieces] = [whole, pieces].map(|extraction| extraction.finish(ending).get("verdict").cloned());
    assert_eq!(whole, pieces, "{text:?}");
    whole.expect("a verdict")
}

#[test]
fn a_reply_may_begin_in_reasoning() {
    let mut options = ExtractOptions::default();
    options.starts_in_reasoning = true;
    let rows = [
        ("Verdict: approve\n</think>\nVerdict: reject", Some("reject"), None),
        ("Verdict: approve\nVerdict: reject\n</think>\nVerdict: reject", Some("reject"), None),
        ("Verdict: approve\n", None, Some(SignalCode::OpenReasoning)),
        ("approve</think>", None, Some(SignalCode::NoValue)),
    ];
    for (text, value, code) in rows {
        let signal = verdict_with(text, options, Ending::Stop);
        assert_eq!(signal.value().and_then(|value| value.as_str()), value, "{text:?}");
        assert_eq!(signal.code(), code, "{text:?}");
    }
}

#[test]
fn a_reply_may_be_too_long() {
    let mut options = ExtractOptions::default();
    options.reply_len = 40;
    let filler = "x ".repeat(30);
    let behind = verdict_with(&format!("{filler}\nVerdict: approve\n"), options, Ending::Stop);
    assert_eq!(behind.code(), Some(SignalCode::ReplyTooLong));
    // What follows might have said otherwise.
    assert!(!verdict_with(&format!("I approve. {filler}"), options, Ending::Stop).is_ok());
    assert!(
        !verdict_with(&format!("{}approve it", "x ".repeat(17)), options, Ending::Stop).is_ok(),
        "cut at the limit"
    );
    let fits = verdict_with("I approve.", options, Ending::Stop);
    assert_eq!(fits.value().and_then(|value| value.as_str()), Some("approve"));
}
