//! Pieces of torn documents, which look whole: what shows that they are pieces, and what looks alike and is none.

use thusfar::{Ending, Expect};
use thusfar_testkit::table::table;

#[test]
fn behind_a_root() {
    table(
        Expect::array(),
        Ending::Unknown,
        &[
            (
                "a comma became a closer",
                "[1]\n[], \"{\"]",
                Err(("closed_too_early", 6)),
                "a comma behind what stands beside the root",
            ),
            ("one further", "[1]\n{}\n[], 2,", Err(("closed_too_early", 9)), "beside what is beside"),
            (
                "of the other kind",
                "[1]\n{\"a\": 1}, \"{\"]",
                Err(("closed_too_early", 12)),
                "a whole one does not count either",
            ),
            ("a word in brackets", "[1] [x] and", Ok("[1]"), "prose"),
            ("a footnote on its line", "[\"a\"] [1].", Ok("[\"a\"]"), "no comma behind it"),
            ("of the other kind on its line", "[1] {\"a\": 1}", Ok("[1]"), "passed over, as below"),
            ("equal on its line", "[\"a\"] [\"a\"]", Ok("[\"a\"]"), "a promise of the expected kind is a document"),
            ("on a line of its own", "[1]\n\n{x} is said.", Ok("[1]"), "prose may begin with a bracket"),
            ("a footnote", "[\"a\"]\n\n[1] See there.", Ok("[\"a\"]"), "no comma behind it"),
            (
                "the comma at the end",
                "[{\"a\": 1}]\n{\"b\": 2,}",
                Err(("closed_too_early", 11)),
                "the comma and the closer changed places",
            ),
            (
                "the comma at the beginning",
                "[{\"a\": 1}]\n[,\n]",
                Err(("closed_too_early", 11)),
                "the same, in front of an empty list",
            ),
            ("of the other kind below", "[1]\n{\"a\": 1}", Ok("[1]"), "another document is passed over"),
            ("a number and a comma", "[1] 2,", Err(("closed_too_early", 5)), "the comma and the closer changed places"),
            ("a negative one", "[1]\n-2.5e-3 ,", Err(("closed_too_early", 12)), "white space aside"),
            ("more of them", "[1]\n2, 3]", Err(("closed_too_early", 5)), "a number and a closer behind the comma"),
            ("numbers in a sentence", "[1]\n12, 13 and 14", Ok("[1]"), "what stands behind the comma is a sentence"),
            ("a date", "[1]\n2026-11-29, noon", Ok("[1]"), "this is no number"),
            ("a list mark", "[1]\n- 2, 3", Ok("[1]"), "nor is this"),
            ("a number in a sentence", "[1]\n0.9 of them, yes", Ok("[1]"), "no comma behind the number"),
            ("a closer for an opener", "[]2", Err(("closed_too_early", 2)), "`[[2` with the wrong bracket"),
            ("behind a comma", "[1,]2", Err(("closed_too_early", 4)), "`[1,[2`, as well"),
            ("another opener", "[][2]", Err(("closed_too_early", 2)), "`[[],[2]` without its beginning"),
            ("behind a value", "[1]st", Ok("[1]"), "a closer behind a value may be the root's"),
            ("with a space", "[] none", Ok("[]"), "a word of a sentence"),
            ("a point", "[].", Ok("[]"), "a sentence ends"),
        ],
    );
}

#[test]
fn in_front() {
    table(
        Expect::array(),
        Ending::Unknown,
        &[
            ("a comma first", ",{}[\"a\"]", Err(("inside_broken", 0)), "nothing begins with a comma"),
            ("in a fence", "```json\n, [\"a\"]\n```", Err(("inside_broken", 8)), "nor does a fence"),
            ("behind reasoning", ", hm </think> [\"a\"]", Ok("[\"a\"]"), "what a close tag ends was reasoning"),
            ("a comma in a sentence", "So, [\"a\"]", Ok("[\"a\"]"), "commas stand in prose"),
            (
                "behind the opener",
                "[,1][\"a\"]",
                Err(("expected_value", 1)),
                "nothing but broken JSON begins like this",
            ),
            ("behind white space", "[\n,[\"a\"]]", Err(("expected_value", 2)), "white space aside"),
            ("in a sentence", "An [,] and [\"a\"]", Ok("[\"a\"]"), "a mark"),
            (
                "a list without brackets",
                "so\n[3.25] [\"a\"]",
                Err(("opaque_document", 10)),
                "the first may be the answer",
            ),
            ("with a comma", "so\n[1], [\"a\"]", Err(("opaque_document", 8)), "the first may be the answer"),
            ("with a word", "so\n[1] and [\"a\"]", Ok("[\"a\"]"), "a sentence"),
        ],
    );
}

#[test]
fn fences_of_strings() {
    table(
        Expect::object(),
        Ending::Unknown,
        &[
            (
                "behind a quote",
                "\"a\": \"```json\n{\\\"b\\\": 1}\n```\"}",
                Err(("closed_too_early", 29)),
                "the end of the object stands behind it",
            ),
            (
                "behind a closer",
                "{\"a\": 1}```json\n{\"b\": 2}\n```",
                Err(("different_documents", 16)),
                "no fence that outranks the first",
            ),
            (
                "in a fence",
                "```json\n\"\"a\":\"```json\n{\\\"a\\\": 1}\n```\"}\n```",
                Err(("closed_too_early", 37)),
                "the run closes the fence",
            ),
            ("a label on a line", "Here: ```json\n{\"a\": 1}\n```", Ok("{\"a\": 1}"), "a fence"),
            ("in front of a quote", "\n```\"\n{\"a\": 1}", Ok("{\"a\": 1}"), "no fence that hides what follows"),
        ],
    );
}

#[test]
fn comments_of_strings() {
    table(
        Expect::array(),
        Ending::Unknown,
        &[
            (
                "a quote lost",
                "[1,// x\"// \"y\" z\n]",
                Err(("comment_swallowed", 3)),
                "directly where a string may begin",
            ),
            ("a quote more", "[\\\" \"// no\"// note\n]", Err(("comment_swallowed", 5)), "directly behind a quote"),
            ("behind a backslash and a quote", "[\\\"a\\\"// 5\" x\n]", Err(("comment_swallowed", 6)), "as well"),
            ("inches", "[15, // 15\" wide\n2]", Ok("[15, \n2]"), "white space in front: a comment"),
            ("inches behind a value", "[15// 15\" wide\n]", Ok("[15\n]"), "no string may begin there"),
            ("two", "[1,// \"x\" or so\n2]", Ok("[1,\n2]"), "an even number"),
        ],
    );
}
