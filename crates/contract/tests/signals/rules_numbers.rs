//! Numbers as they are written, with scale and unit, and texts behind their label.

use crate::rows::{ALL, ANY_SCORE, COUNT, MILLIS, Row, SUMMARY, TO_1, TO_10, TO_100, check};

#[test]
fn plain_numbers() {
    let rows: &[Row<'_>] = &[
        (TO_10, "Score: 8", "= 8 via label"),
        (TO_10, "Score: 8.", "= 8 via label"),
        (TO_10, "Score: 8.5", "= 8.5 via label"),
        (TO_10, "Score: 8.50.", "= 8.50 via label"),
        (TO_10, "Score: 0", "= 0 via label"),
        (TO_10, "Score: 10", "= 10 via label"),
        (TO_10, "Score: 10.0", "= 10.0 via label"),
        (TO_10, "Score: 10.000000000000000000001", "out_of_range"),
        (TO_10, "Score: 0.00", "= 0.00 via label"),
        (TO_10, "Score: 11", "out_of_range"),
        (TO_10, "Score: 8, because it is clean", "= 8 via label"),
        (TO_10, "Score: 8; fine", "= 8 via label"),
        (TO_10, "Score: (8)", "= 8 via label"),
        (TO_10, "Score: **8**", "= 8 via label"),
        (TO_10, "Score: __8__", "= 8 via label"),
        (TO_10, "A score of 7.", "= 7 via label"),
        (TO_10, "I give it a score of **7**.", "= 7 via label"),
        (TO_10, "The score is 7.", "= 7 via label"),
        (TO_10, "Score (0-10): 8", "= 8 via label"),
        (TO_10, "Score (out of 10): 8", "= 8 via label"),
        (TO_10, "**Score (1 = bad, 10 = good):** 8", "= 8 via label"),
        (TO_10, "Score \u{2013} 8", "= 8 via label"),
        (TO_10, "Score\u{FF1A}8", "= 8 via label"),
        (TO_10, "Score: 8 \u{2B50}", "= 8 via label"),
        (TO_10, "Score: \u{2B50} 8", "= 8 via label"),
        (TO_10, "Score:\n\n8", "= 8 via label"),
        (TO_10, "## Score\n\n**8**", "= 8 via label"),
        (ANY_SCORE, "Score: 12345678901234567890.123456789", "= 12345678901234567890.123456789"),
        (ANY_SCORE, "Score: -3", "= -3 via label"),
        (ANY_SCORE, "Score: -0.5", "= -0.5 via label"),
        (TO_10, "Score: -3", "out_of_range"),
        (TO_10, "Score: \u{2212}3", "refused"),
        (TO_10, "Score: eight", "not_a_value"),
        (TO_1, "Score: 0.85", "= 0.85 via label"),
        (TO_1, "Score: 1", "= 1 via label"),
        (TO_1, "Score: 1.0001", "out_of_range"),
        (TO_1, "Score: 85", "out_of_range"),
        (TO_1, "0.7", "= 0.7 via text"),
        (TO_1, "0.7.", "= 0.7 via text"),
    ];
    check(rows);
}

#[test]
fn numbers_with_two_readings() {
    let rows: &[Row<'_>] = &[
        (TO_10, "Score: 7-8", "unreadable_number"),
        (TO_10, "Score: 7\u{2013}8", "unreadable_number"),
        (TO_10, "Score: 7 - 8", "refused"),
        (TO_10, "Score: 7 to 8", "unreadable_number"),
        (TO_10, "Score: 7 or 8", "refused"),
        (TO_10, "Score: between 7 and 8", "refused"),
        (TO_10, "Score: 7 and 8", "refused"),
        (TO_10, "Score: ~7", "unreadable_number"),
        (TO_10, "Score: \u{2248}7", "refused"),
        (TO_10, "Score: about 7", "refused"),
        (TO_10, "Score: <7", "unreadable_number"),
        (TO_10, "Score: > 7", "unreadable_number"),
        (TO_10, "Score: \u{2265}7", "unreadable_number"),
        (TO_10, "Score: +7", "unreadable_number"),
        (TO_10, "Score: 7+", "refused"),
        (TO_10, "Score: at least 7", "refused"),
        (TO_10, "Score: 7,5", "unreadable_number"),
        (ANY_SCORE, "Score: 1,000", "unreadable_number"),
        (ANY_SCORE, "Score: 1.000.000", "refused"),
        (ANY_SCORE, "Score: 1 000", "refused"),
        (ANY_SCORE, "Score: 1e3", "unreadable_number"),
        (ANY_SCORE, "Score: 1E-3", "unreadable_number"),
        (TO_10, "Score: .5", "unreadable_number"),
        (TO_10, "Score: 08", "unreadable_number"),
        (TO_10, "Score: 007", "unreadable_number"),
        (TO_10, "Score: 0x8", "refused"),
        (TO_10, "Score: 8th", "refused"),
        (TO_10, "Score: 8-bit", "refused"),
        (TO_10, "Score: v8", "refused"),
        (TO_10, "Score: 8a", "refused"),
        (TO_10, "Score: 8_000", "refused"),
        (TO_10, "Score: #8", "refused"),
        (TO_10, "Score: $8", "refused"),
        (TO_10, "Score: 8:30", "refused"),
        (TO_10, "Score: 8.1.2", "refused"),
        (TO_10, "Score: 8\u{B2}", "refused"),
        (TO_10, "Score: \u{FF18}", "refused"),
        (TO_10, "Score: \u{0668}", "refused"),
        (TO_10, "Score: 8\u{BD}", "refused"),
        (TO_10, "Score: 8 1/2", "refused"),
        (TO_10, "Score: 8 \u{B1} 1", "refused"),
        (TO_10, "Score: 8 -> 9", "refused"),
        (TO_10, "Score: 6 \u{2192} 8", "refused"),
        (TO_10, "Score: 8, 9", "refused"),
        (TO_10, "Score: 8/10, 9/10", "refused"),
        (ANY_SCORE, "Score: NaN", "not_a_value"),
        (ANY_SCORE, "Score: Infinity", "not_a_value"),
        (TO_10, "Score: 7~", "refused"),
        (TO_10, "7~", "refused"),
        (TO_10, "%7", "refused"),
        (TO_10, "85%7", "refused"),
        (TO_10, "Score: 7^2", "refused"),
        (TO_10, "Score: 7-ish", "refused"),
        (TO_10, "Score: 7/10/10", "refused"),
        (TO_10, "Score: 7/10%", "refused"),
        (TO_10, "Score: from 7 to 8", "refused"),
    ];
    check(rows);
}

#[test]
fn scales() {
    let rows: &[Row<'_>] = &[
        (TO_10, "Score: 8/10", "= 8 scale 10 via label"),
        (TO_10, "Score: 8 / 10", "= 8 scale 10 via label"),
        (TO_10, "Score: **8/10**", "= 8 scale 10 via label"),
        (TO_10, "Score: **8**/10", "= 8 scale 10"),
        (TO_10, "Score: 8.5/10.", "= 8.5 scale 10 via label"),
        (TO_10, "Score: 8 out of 10", "= 8 scale 10 via label"),
        (TO_10, "Score: 8 (out of 10)", "= 8 scale 10 via label"),
        (TO_10, "Score: 8 points of 10", "= 8 scale 10 via label"),
        (TO_10, "Score: 8/10 \u{2014} solid", "= 8 scale 10 via label"),
        (TO_10, "I'd rate it 8/10.", "= 8 scale 10 via text"),
        (TO_10, "I rate this 7 out of 10.", "= 7 scale 10 via text"),
        (TO_10, "Score: 8/10.0", "never 10"),
        (TO_10, "Score: 8/5", "other_scale"),
        (TO_10, "Score: 4/5", "other_scale"),
        (TO_10, "Score: 80/100", "refused"),
        (TO_100, "Score: 8/10", "other_scale"),
        (TO_100, "Score: 80/100", "= 80 scale 100 via label"),
        (TO_100, "Score: 8 out of 10", "other_scale"),
        (TO_10, "Score: 11/10", "out_of_range"),
        (ANY_SCORE, "Score: 8/10", "= 8 scale 10 via label"),
        (ANY_SCORE, "Score: 3 out of 7", "= 3 scale 7 via label"),
        (TO_10, "Score: 8/10/2024", "refused"),
        (TO_10, "Score: 8/10 or 7/10", "refused"),
        (TO_10, "3 out of 10 tests fail; score: 9/10", "= 9 scale 10 via label"),
        (TO_1, "Score: 0.8/1", "= 0.8 scale 1 via label"),
        (r#"{"name": "score", "type": "number", "max": 10, "scale": 20}"#, "Score: 8/20", "= 8 scale 20"),
        (r#"{"name": "score", "type": "number", "max": 10, "scale": 20}"#, "Score: 8/10", "other_scale"),
        (COUNT, "Bug count: 3/50", "= 3 scale 50 via label"),
    ];
    check(rows);
}

#[test]
fn units() {
    let rows: &[Row<'_>] = &[
        (TO_100, "Score: 85%", "= 85 unit % via label"),
        (TO_100, "Score: 85 %", "= 85 unit % via label"),
        (TO_100, "Score: 85 percent", "= 85 unit % via label"),
        (TO_100, "Score: **85%**", "= 85 unit % via label"),
        (TO_100, "Score: 85\u{A0}%.", "= 85 unit %"),
        (TO_100, "I am 85% sure.", "= 85 unit % via text"),
        (TO_100, "Score: 85", "= 85 via label"),
        (TO_100, "Score: 120%", "out_of_range"),
        (ANY_SCORE, "Score: 120%", "= 120 unit % via label"),
        (TO_1, "Score: 85%", "other_unit"),
        (TO_1, "Score: 1%", "other_unit"),
        (TO_10, "Score: 8%", "other_unit"),
        (TO_10, "Score: 8 percent", "other_unit"),
        (MILLIS, "Latency: 12 ms", "= 12 unit ms via label"),
        (MILLIS, "Latency: 12.5 ms on average", "= 12.5 unit ms via label"),
        (MILLIS, "Latency: 12ms", "= 12 unit ms via label"),
        (MILLIS, "Latency: 12", "other_unit"),
        (MILLIS, "Latency: 12 s", "other_unit"),
        (MILLIS, "Latency: 12 %", "other_unit"),
        (MILLIS, "Latency: 12 msec", "other_unit"),
        (r#"{"name": "score", "type": "number", "max": 100, "unit": "%"}"#, "Score: 85%", "= 85 unit %"),
        (r#"{"name": "score", "type": "number", "max": 100, "unit": "%"}"#, "Score: 85", "other_unit"),
    ];
    check(rows);
}

#[test]
fn integers() {
    let rows: &[Row<'_>] = &[
        (COUNT, "Bug count: 3", "= 3 via label"),
        (COUNT, "bug_count: 3", "= 3 via label"),
        (COUNT, "bug_count=3", "= 3 via label"),
        (COUNT, "Bug count: 3.", "= 3 via label"),
        (COUNT, "Bug count: 3.0", "not_an_integer"),
        (COUNT, "Bug count: 3.5", "not_an_integer"),
        (COUNT, "Bug count: 51", "out_of_range"),
        (COUNT, "Bug count: -1", "out_of_range"),
        (COUNT, "Bug count: three", "not_a_value"),
        (COUNT, "Bug count: none", "not_a_value"),
        (COUNT, "Bug count: 1e1", "unreadable_number"),
        (COUNT, "I found 3 bugs.", "= 3 via text"),
        (COUNT, "I found 3 bugs in 2 files.", "two_values"),
    ];
    check(rows);
}

#[test]
fn numbers_in_plain_text() {
    let rows: &[Row<'_>] = &[
        (TO_10, "7", "= 7 via text"),
        (TO_10, "I'd say 7.", "= 7 via text"),
        (TO_10, "I list 4 points; overall a score of 7", "= 7 via label"),
        (TO_10, "4 points, and I'd say 7.", "two_values"),
        (TO_10, "1. Clean\n2. Tested\n\nI'd say 7.", "= 7 via text"),
        (TO_10, "1) Clean\n2) Tested\n\nI'd say 7.", "= 7 via text"),
        (TO_10, "1. Clean\n2. Tested", "not_found"),
        (TO_10, "See #3. I'd say 7.", "= 7 via text"),
        (TO_10, "_7", "not_found"),
        (TO_10, "_7_", "= 7"),
        (TO_10, "See #3.", "not_found"),
        (TO_10, "It costs $5.", "not_found"),
        (TO_10, "It costs 5 \u{20AC} a month.", "never 5"),
        (TO_10, "On 2024-05-03 it broke.", "not_found"),
        (TO_10, "On 3/5/2024 it broke.", "not_found"),
        (TO_10, "On 3/5/2024 it broke. I'd say 4.", "= 4 via text"),
        (TO_10, "At 8:30 it broke.", "not_found"),
        (TO_10, "Version 1.2.3 broke.", "not_found"),
        (TO_10, "It needs v2 of it.", "not_found"),
        (TO_10, "GPT-4 wrote it.", "not_found"),
        (TO_10, "The 3rd line broke.", "not_found"),
        (TO_10, "It is 7-8.", "refused"),
        (TO_10, "It is about 7.", "doubtful"),
        (TO_10, "It is ~7.", "unreadable_number"),
        (TO_10, "It is roughly a 7.", "refused"),
        (ANY_SCORE, "It is 1,000.", "unreadable_number"),
        (TO_10, "It is not a 7.", "refused"),
        (TO_10, "It would be 7 if it had tests.", "doubtful"),
        (TO_10, "Is it a 7?", "doubtful"),
        (TO_10, "The text says \"7\".", "not_found"),
        (TO_10, "The text says `7`. I say 4.", "= 4 via text"),
        (TO_10, "Certainty 90%. I say 4.", "refused"),
        (TO_10, "It is 7. Yes, 7.", "= 7 via text"),
        (TO_10, "It is 42.", "refused"),
        (TO_1, "Certainty 90%. Score: 0.2", "= 0.2 via label"),
    ];
    check(rows);
}

#[test]
fn equal_numbers_are_one() {
    let rows: &[Row<'_>] = &[
        (TO_10, "Score: 8\nFinal score: 8", "= 8"),
        (TO_10, "Score: 8\nFinal score: 8/10", "never 10"),
        (TO_10, "Score: 8\nFinal score: 8.5", "two_values"),
        (TO_10, "Score: 8\nFinal score: 80", "ambiguous"),
        (
            ALL,
            "Score: 8\nVerdict: approve\nScore: 8\nBlocking: no",
            "verdict: = approve; score: = 8; blocking: = false",
        ),
    ];
    check(rows);
}

#[test]
fn texts() {
    let rows: &[Row<'_>] = &[
        (SUMMARY, "Summary: The code is clean.", "= The code is clean. via label"),
        (SUMMARY, "**Summary:** The code is clean.", "= The code is clean. via label"),
        (SUMMARY, "Summary: The code is clean.\nIt has tests.", "= The code is clean. via label"),
        (SUMMARY, "Summary: a, b and c", "= a, b and c via label"),
        (SUMMARY, "Summary:\n\nThe code is clean.", "= The code is clean. via label"),
        (
            SUMMARY,
            "## Summary\n\nThe code is clean.\nIt has tests.\n\nMore.",
            "= The code is clean.\nIt has tests. via label",
        ),
        (SUMMARY, "Summary: It isn't bad.\r\nMore.", "= It isn't bad. via label"),
        (SUMMARY, "The code is clean.", "not_found"),
        (SUMMARY, "In summary, the code is clean.", "not_found"),
        (SUMMARY, "Summary:", "refused"),
        (SUMMARY, "Summary: one\nSummary: two", "two_values"),
        (SUMMARY, "Summary: one\nSummary: one", "= one"),
        (SUMMARY, "<think>Summary: one</think>\nSummary: two", "= two via label"),
        (SUMMARY, "```\nSummary: one\n```\nSummary: two", "= two via label"),
        (SUMMARY, "\"Summary: one\" stands there.\nSummary: two", "= two via label"),
        (SUMMARY, "<summary>The code is clean.</summary>", "= The code is clean. via label"),
        (SUMMARY, "<summary>\nThe code is clean.\n</summary>", "= The code is clean. via label"),
        (SUMMARY, "Summary: ```\ncode\n```", "refused"),
        (SUMMARY, "Summary: `x` is \"y\"", "= `x` is \"y\" via label"),
    ];
    check(rows);
}
