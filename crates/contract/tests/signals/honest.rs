//! Replies as judges really write them, each with one plain meaning: they must come out, or the reader is of no use.

use crate::rows::{
    ALL, BLOCKING, COUNT, LETTER, LEVEL, PASS, REVIEW, Row, SUMMARY, TO_1, TO_10, TO_100, VERDICT, WINNER, check,
};

/// Reasons with headings and bullets, and a labelled end.
#[test]
fn structured_reviews() {
    let rows: &[Row<'_>] = &[
        (
            VERDICT,
            "## Review Summary\n\nThis PR introduces a retry mechanism for the HTTP client.\n\n### Strengths\n- Clear separation of concerns\n- Good test coverage (94%)\n\n### Weaknesses\n- The back-off is not configurable\n\n### Verdict\n\n**Approve** \u{2014} the remaining points are minor and can be handled in a follow-up.",
            "= approve via label",
        ),
        (
            VERDICT,
            "I've reviewed the changes carefully. Here's my assessment:\n\n1. **Correctness**: The loop terminates, but the last element is never read.\n2. **Style**: Fine.\n3. **Tests**: None were added.\n\n**Verdict: reject**\n\nPlease fix the off-by-one error and add a regression test.",
            "= reject via label",
        ),
        (
            ALL,
            "**Analysis**\n\nThe function doesn't handle `None`, and the test named `approve_all` only checks the happy path.\n\n**Verdict:** reject\n**Score:** 4/10\n**Blocking:** yes",
            "verdict: = reject; score: = 4 scale 10; blocking: = true",
        ),
        (
            ALL,
            "Verdict: Approve\nScore: 9/10\nBlocking: No\n\nThe code is well structured and easy to follow. I don't see any problem with merging it.",
            "verdict: = approve; score: = 9 scale 10; blocking: = false",
        ),
        (
            ALL,
            "| Category | Result |\n|----------|--------|\n| Verdict  | Approve |\n| Score    | 8.5     |\n| Blocking | false   |\n\nOverall, a solid contribution.",
            "verdict: = approve; score: = 8.5; blocking: = false",
        ),
        (
            REVIEW,
            "## Code Review\n\nThe change looks good overall, but I have a few concerns:\n\n- `parse()` can panic on an empty input.\n- The docs mention a flag that doesn't exist.\n\n**Decision:** request_changes",
            "= request_changes via label",
        ),
        (
            REVIEW,
            "Thanks for the contribution! Unfortunately the design duplicates what `Cache` already does.\n\nFinal verdict: Not recommended.",
            "= reject via label",
        ),
        (
            PASS,
            "Requirement 1: met\nRequirement 2: met\nRequirement 3: met, although the message could be clearer.\n\nVerdict: PASS",
            "= PASS via label",
        ),
        (
            PASS,
            "Let me check each criterion.\n\n\u{2705} The output is valid JSON.\n\u{2705} All keys are present.\n\u{274C} `age` is a string.\n\n**Verdict:** \u{274C} FAIL",
            "= FAIL via label",
        ),
        (
            LEVEL,
            "### Risk Assessment\n\n**Risk Level:** Medium\n\n**Rationale:** The migration is reversible, but it locks a large table for several seconds.",
            "= medium via label",
        ),
        (LEVEL, "Risk level: Very high.\n\nThe endpoint has no authentication.", "= very high via label"),
        (
            TO_10,
            "**Strengths:**\n* Accurate and on topic\n* Cites 3 sources\n\n**Weaknesses:**\n* Somewhat long (over 500 words)\n\n**Score: 7/10**",
            "= 7 scale 10 via label",
        ),
        (
            TO_10,
            "Accuracy matters most here. The response gets 2 of 3 dates right and is otherwise fluent.\n\nScore: 6",
            "= 6 via label",
        ),
        (TO_100, "Evaluation\n==========\n\nThe answer is complete and well argued.\n\nScore: 92", "= 92 via label"),
        (TO_100, "- Coverage: 30/30\n- Depth: 25/40\n- Style: 28/30\n\n**Score:** 83/100", "= 83 scale 100 via label"),
        (
            VERDICT,
            "> Reviewer notes\n>\n> - naming is consistent\n> - no tests for the error path\n>\n> **Verdict:** reject",
            "= reject via label",
        ),
        (
            ALL,
            "<review>\n<verdict>reject</verdict>\n<score>3</score>\n<blocking>true</blocking>\n</review>",
            "verdict: = reject; score: = 3; blocking: = true",
        ),
        (ALL, "VERDICT: APPROVE\nSCORE: 10\nBLOCKING: FALSE", "verdict: = approve; score: = 10; blocking: = false"),
        (
            BLOCKING,
            "The style nit in line 14 is optional.\n\n- **Blocking:** No\n- **Severity:** minor",
            "= false via label",
        ),
        (
            SUMMARY,
            "**Summary:** Adds a cache in front of the resolver and removes the old retry loop.\n\n**Verdict:** approve",
            "= Adds a cache in front of the resolver and removes the old retry loop. via label",
        ),
        (
            COUNT,
            "I went through the file line by line.\n\nBug count: 3\n\n1. off by one\n2. leak\n3. typo",
            "= 3 via label",
        ),
    ];
    check(rows);
}

/// Reasoning first, the answer last, as they are asked to.
#[test]
fn reasoned_answers() {
    let rows: &[Row<'_>] = &[
        (
            VERDICT,
            "<think>\nOkay, so the user wants me to review this. My first thought is reject because there are no tests. But wait, the tests are in another file. So approve.\n</think>\n\nThe change is small and tested.\n\nVerdict: approve",
            "= approve via label",
        ),
        (
            VERDICT,
            "Okay, let me think. Should I approve or reject? The tests fail on Windows, so reject.\n</think>\n\nThe tests fail on Windows.\n\n**Verdict:** reject",
            "= reject via label",
        ),
        (
            VERDICT,
            "Let's think step by step. At first glance one would approve this: the code compiles and the tests pass. However, the lock is never released on the error path, which will hang the server.\n\nVerdict: reject",
            "= reject via label",
        ),
        (
            VERDICT,
            "I considered whether to reject this because of the missing docs. In the end the fix is urgent and correct.\n\n**Verdict**: Approve",
            "= approve via label",
        ),
        (
            WINNER,
            "Both assistants answer the question. Assistant A gives a correct derivation, while Assistant B makes an arithmetic mistake in step 2. Therefore, Assistant A's answer is better.\n\n[[A]]",
            "= A via brackets",
        ),
        (
            WINNER,
            "Assistant B's response is more detailed and follows the format, whereas Assistant A ignores the length limit.\n\nMy final verdict is: [[B]]",
            "= B via brackets",
        ),
        (
            WINNER,
            "Assistant A and Assistant B both give the same, correct result, with explanations of similar quality.\n\nWinner: tie",
            "= tie via label",
        ),
        (WINNER, "**Winner:** Assistant B", "= B via label"),
        (WINNER, "**Winner: Response A**\n\nResponse B invents a citation.", "= A via label"),
        (
            LETTER,
            "Option A confuses mass with weight. Option B is right about the units but has the sign wrong. Option C follows from Newton's second law.\n\nAnswer: C",
            "= C via label",
        ),
        (LETTER, "The correct answer is **B**.", "= B via label"),
        (LETTER, "The correct answer is (C) because the reaction is exothermic.", "= C via label"),
        (LETTER, "Therefore, the answer is B.", "= B via label"),
        (LETTER, "Final Answer: B", "= B via label"),
        (LETTER, "**Answer:** A) Paris", "= A via label"),
        (LETTER, "Answer: C. The mitochondrion", "= C via label"),
        (
            TO_10,
            "The response is accurate and covers all 5 points that the question asks for. It could be 20% shorter, and the second paragraph repeats the first. Overall, I would give it a score of 8.",
            "= 8 via label",
        ),
        (
            TO_10,
            "<think>Maybe 6? No, the citations are right, so 7.</think>Clear and correct, with a few rough edges.\n\nScore: 7",
            "= 7 via label",
        ),
        (TO_1, "The statement is supported by the context, apart from one date.\n\nScore: 0.85", "= 0.85 via label"),
        (TO_1, "0.92", "= 0.92 via text"),
        (
            TO_10,
            "Explanation: The answer names the capital, which is right, but adds a wrong population (2 million instead of 1.4 million).\nScore: 5",
            "= 5 via label",
        ),
        (TO_10, "Rating: [[6]]", "= 6 via brackets"),
        (TO_10, "The assistant's answer is helpful, relevant and mostly accurate. Rating: [[7]]", "= 7 via brackets"),
        (PASS, "The code compiles and all 14 tests pass.\n\nVerdict: PASS\nConfidence: 0.95", "= PASS via label"),
        (
            VERDICT,
            "The author writes \"I'm sure you will approve this\", which is not an argument. The checksum is wrong.\n\nVerdict: reject",
            "= reject via label",
        ),
        (
            VERDICT,
            "```python\ndef approve(request):\n    return True\n```\n\nThis function lets everybody in.\n\nVerdict: reject",
            "= reject via label",
        ),
    ];
    check(rows);
}

/// Short answers, and plain prose that says one thing.
#[test]
fn short_answers() {
    let rows: &[Row<'_>] = &[
        (VERDICT, "approve", "= approve via text"),
        (VERDICT, "Reject.", "= reject via text"),
        (VERDICT, "**APPROVE**", "= approve via text"),
        (VERDICT, "\u{2705} Approve", "= approve via text"),
        (VERDICT, "# Reject\n\nThe build is broken.", "= reject via text"),
        (VERDICT, "Approve: the change is small and tested.", "= approve via text"),
        (VERDICT, "Reject \u{2013} the lock is never released.", "= reject via text"),
        (VERDICT, "I recommend to reject this pull request.", "= reject via text"),
        (VERDICT, "This looks good to me. I approve this change.", "= approve via text"),
        (VERDICT, "After careful consideration, I approve.", "= approve via text"),
        (VERDICT, "I'm happy to approve this.", "= approve via text"),
        (VERDICT, "My verdict is **approve**.", "= approve via label"),
        (VERDICT, "I'd reject this.", "= reject via text"),
        (VERDICT, "Verdict: approve (with minor comments)", "= approve via label"),
        (VERDICT, "Verdict: Reject. The tests don't pass.", "= reject via label"),
        (VERDICT, "Verdict: reject, since the tests do not pass", "= reject via label"),
        (VERDICT, "Verdict: approve \u{2705}\n\nNice work! Let me know if you have questions.", "= approve via label"),
        (VERDICT, "Here's my verdict: approve", "= approve via label"),
        (VERDICT, "Sure! Here is the verdict:\n\nreject", "= reject"),
        (REVIEW, "LGTM! \u{1F680}", "= approve via text"),
        (REVIEW, "LGTM, ship it.", "= approve via text"),
        (PASS, "PASS", "= PASS via text"),
        (PASS, "FAIL\n\nThe output has a trailing comma.", "= FAIL via text"),
        (PASS, "PASS \u{2014} the answer matches the reference.", "= PASS via text"),
        (PASS, "Result: FAIL", "= FAIL via text"),
        (LETTER, "B", "= B via text"),
        (LETTER, "**B**", "= B via text"),
        (LETTER, "(C)", "= C via text"),
        (TO_10, "7", "= 7 via text"),
        (TO_10, "8/10", "= 8 scale 10 via text"),
        (TO_10, "I'd rate this response 7 out of 10.", "= 7 scale 10 via text"),
        (TO_10, "I would give this a 6/10.", "= 6 scale 10 via text"),
        (TO_100, "85%", "= 85 unit % via text"),
        (TO_100, "Score: 85%", "= 85 unit % via label"),
        (BLOCKING, "Yes.", "= true via text"),
        (BLOCKING, "No", "= false via text"),
        (BLOCKING, "Blocking: false (style only)", "= false via label"),
        (LEVEL, "The risk level is low.", "= low via label"),
        (LEVEL, "The risk is high, because the key is in the repository.", "= high via text"),
        (LEVEL, "I would say the risk is low.", "= low via text"),
        (ALL, "Verdict: approve; Score: 9; Blocking: no", "verdict: = approve; score: = 9; blocking: = false"),
        (
            ALL,
            "Verdict: reject \u{2014} Score: 2/10 \u{2014} Blocking: yes",
            "verdict: = reject; score: = 2 scale 10; blocking: = true",
        ),
        (LETTER, "B) Paris", "= B via text"),
        (LETTER, "B. Because the units match.", "= B via text"),
        (LETTER, "I would choose option B.", "= B via text"),
        (LETTER, "The answer is **B) 42**.", "= B via label"),
        (LETTER, "Answer: B because a cat is an animal", "= B via label"),
        (LETTER, "Answer: C (a noble gas)", "= C via label"),
        (VERDICT, "Verdict: reject\n\nI'll be happy to approve once the tests pass.", "= reject via label"),
        (VERDICT, "Verdict: reject. Please fix the leak, then I can approve.", "= reject via label"),
        (VERDICT, "Verdict: reject\n\nI cannot approve this as it is.", "= reject via label"),
        (VERDICT, "Verdict: approve. I see no reason to reject.", "= approve via label"),
        (VERDICT, "Verdict: approve\n\nNo further comments. Wait for CI before merging.", "= approve via label"),
        (VERDICT, "Verdict: approve\n\nActually, this is one of the nicest patches this year.", "= approve via label"),
        (VERDICT, "Verdict: reject because it does not compile", "= reject via label"),
        (VERDICT, "Verdict: reject. It crashes if the list is empty.", "= reject via label"),
        (VERDICT, "**Verdict:** Reject \u{2014} the loop never ends when `n` is 0.", "= reject via label"),
        (VERDICT, "**Verdict: Approve** with two nits (see above).", "= approve via label"),
        (VERDICT, "## 4. Verdict: approve", "= approve via label"),
        (VERDICT, "### 4. Verdict\n\nApprove", "= approve via label"),
        (TO_10, "Score: 7/10\n\nSuggestion: use 1 loop instead of 3.", "= 7 scale 10 via label"),
        (TO_10, "Score: 7, because 2 of 5 facts are wrong", "= 7 via label"),
        (TO_10, "Score: 7 (2 of 5 facts are wrong)", "= 7 via label"),
        (TO_10, "Score: 7 \u{2014} 2 of 5 facts are wrong", "= 7 via label"),
        (TO_10, "Score: 7. It would be 9 with sources.", "= 7 via label"),
        (TO_10, "Style: 8\nSafety: 6\nScore: 7", "= 7 via label"),
        (TO_10, "**Score:** 7 / 10 (70%)", "= 7 scale 10 via label"),
        (TO_10, "On a scale from 1 to 10, I give it a score of 8.", "= 8 via label"),
        (TO_10, "Score: 8 (scale 0-10)", "= 8 via label"),
        (TO_10, "# 7/10\n\nGood.", "= 7 scale 10 via text"),
        (TO_10, "7/10 - good", "= 7 scale 10 via text"),
        (BLOCKING, "**Blocking:** No blocking issues found.", "= false via label"),
        (BLOCKING, "Blocking: Yes, it crashes.", "= true via label"),
        (BLOCKING, "Blocking? Yes", "= true via text"),
    ];
    check(rows);
}

/// What stands behind a label, and what does not change it; and plain words of one meaning.
#[test]
fn remarks_behind_an_answer() {
    let rows: &[Row<'_>] = &[
        (TO_10, "Score: 8\n\nHowever, 3 tests are flaky.", "= 8 via label"),
        (
            TO_10,
            "Score: 8/10\n\nThe code is good. However, there are 2 minor issues:\n1. naming\n2. docs",
            "= 8 scale 10 via label",
        ),
        (TO_10, "Score: 8/10\n\nWait for the 2 pending reviews.", "= 8 scale 10 via label"),
        (TO_10, "Score: 8/10. No, I would not go higher.", "= 8 scale 10 via label"),
        (TO_10, "Score: 8/10\nConfidence: 9/10", "= 8 scale 10 via label"),
        (TO_10, "Score: 8/10\n\nInstead of 3 helpers, 1 would do.", "= 8 scale 10 via label"),
        (TO_10, "Correctness: 9/10\nClarity: 8/10\n\n**Overall Score: 8.5/10**", "= 8.5 scale 10 via label"),
        (TO_10, "Score: 8, as it covers 3 of 4 aspects", "= 8 via label"),
        (TO_10, "Score: 8; 2 issues remain", "= 8 via label"),
        (TO_10, "Score: 8, but 2 issues remain", "= 8 via label"),
        (VERDICT, "Verdict: approve\n\nHowever, please add a test before the next release.", "= approve via label"),
        (VERDICT, "Verdict: approve (not perfect, but fine)", "= approve via label"),
        (VERDICT, "Verdict: approve - great work! Any questions?", "= approve via label"),
        (VERDICT, "**Example:** `f(1)` returns 2, which is right.\n\n**Verdict:** approve", "= approve via label"),
        (VERDICT, "For example:\n\n- the loop is fine\n- the lock is fine\n\nVerdict: approve", "= approve via label"),
        (VERDICT, "The draft is good.\n\nVerdict: approve", "= approve via label"),
        (VERDICT, "Verdict: reject\n\nIf you add tests, I will approve.", "= reject via label"),
        (VERDICT, "Verdict: reject (not ready)", "= reject via label"),
        (VERDICT, "Verdict: reject - tests don't pass", "= reject via label"),
        (VERDICT, "Expected: 3\nActual: 4\n\nVerdict: reject", "= reject via label"),
        (VERDICT, "I've decided to approve this PR.", "= approve via text"),
        (VERDICT, "I think we should approve this.", "= approve via text"),
        (VERDICT, "I vote to approve.", "= approve via text"),
        (VERDICT, "Recommendation: **approve**", "= approve via text"),
        (VERDICT, "No problems found, so I approve.", "= approve via text"),
        (VERDICT, "It is not perfect, but I approve.", "= approve via text"),
        (VERDICT, "You should reject this.", "= reject via text"),
        (VERDICT, "I have to reject this.", "= reject via text"),
        (VERDICT, "It does not compile. Therefore I reject it.", "= reject via text"),
        (VERDICT, "The code can't be merged as is; I reject it.", "= reject via text"),
        (LETTER, "**Correct Answer: B) Paris**", "= B via label"),
        (LETTER, "The correct answer is B. Paris is the capital.", "= B via label"),
        (LETTER, "I believe the answer is B, not A.", "= B via label"),
        (LETTER, "A is wrong. B is wrong. The answer is C.", "= C via label"),
        (LETTER, "Answer: A\n\nB and C are wrong. However, C is close.", "= A via label"),
        (BLOCKING, "Blocking: yes. No tests exist.", "= true via label"),
    ];
    check(rows);
}
