//! The page holds what it should, and nothing that a log says becomes more than text.

mod summaries; // what pages are made of
mod walk; // a strict reader of pages

use super::{BEGINNING, HEAD, STYLE, words, write};
use crate::audit::summary::Summary;
use walk::{Piece, walk};

fn page(summary: &Summary) -> String {
    let mut bytes = Vec::new();
    write(summary, &mut bytes).expect("memory");
    String::from_utf8(bytes).expect("UTF-8")
}

/// The tags of a page, and between them nothing.
fn tags(page: &str) -> Vec<String> {
    let pieces = walk(page).unwrap_or_else(|why| panic!("{why}"));
    pieces.into_iter().filter_map(|piece| if let Piece::Tag(tag) = piece { Some(tag) } else { None }).collect()
}

/// All text of a page as a reader sees it.
fn text(page: &str) -> String {
    let pieces = walk(page).unwrap_or_else(|why| panic!("{why}"));
    let text = pieces.into_iter().filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None });
    text.collect::<Vec<_>>().join("\u{1}")
}

/// Base64 of the digest, as a policy names it.
fn digest(style: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = hmac_sha256::Hash::hash(style.as_bytes());
    let group = |three: &[u8]| {
        let bits = three.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - three.len()));
        (0..4).map(move |at| (bits >> (18 - 6 * at)) & 63).take(three.len() + 1).map(|at| char::from(LETTERS[at]))
    };
    let mut text: String = digest.chunks(3).flat_map(group).collect();
    text.extend(std::iter::repeat_n('=', text.len().next_multiple_of(4) - text.len()));
    text
}

#[test]
fn the_digest_is_that_of_the_style() {
    assert_eq!(digest("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", "the digest that FIPS 180 names");
    let needed = digest(STYLE);
    assert!(
        HEAD.contains(&format!("style-src 'sha256-{needed}'")),
        "the style changed: the policy has to name {needed}"
    );
    assert!(["</", "url(", "@import", "@font-face"].iter().all(|word| !STYLE.contains(word)), "it fetches nothing");
}

#[test]
fn the_policy_stands_in_front_of_all_that_it_is_for() {
    let page = page(&summaries::week());
    let policy = page.find("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
    let front = &page[..policy];
    assert!(page.starts_with(BEGINNING), "an earlier page is known by it");
    assert_eq!(front, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
}

#[test]
fn every_page_is_well_formed() {
    for (name, summary) in summaries::all() {
        let page = page(&summary);
        walk(&page).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn the_same_summary_gives_the_same_bytes() {
    assert_eq!(page(&summaries::week()), page(&summaries::week()));
}

#[test]
fn hostile_text_changes_no_tag() {
    let harmless = tags(&page(&summaries::of("harmless")));
    for hostile in summaries::HOSTILE {
        let page = page(&summaries::of(hostile));
        assert_eq!(tags(&page), harmless, "{hostile:?}");
    }
}

/// One string after another, so that none leans on what another one leaves open.
#[test]
fn hostile_text_in_one_place_changes_no_tag() {
    let harmless = tags(&page(&summaries::of("harmless")));
    let places = summaries::places();
    assert!(places > 12, "the places are found");
    for at in 0..places {
        for hostile in &summaries::HOSTILE[..8] {
            let page = page(&summaries::of_one("harmless", hostile, at));
            assert_eq!(tags(&page), harmless, "{hostile:?} in place {at}");
        }
    }
}

#[test]
fn hostile_text_is_shown_as_it_is() {
    for hostile in
        ["</script><img src=x onerror=alert(1)>", "\" onmouseover=\"x", "&lt;b&gt; &amp; &#60; &nosuch;", "a'b`c${d}"]
    {
        let page = page(&summaries::of(hostile));
        let shown = text(&page).matches(hostile).count();
        assert!(shown >= summaries::places(), "{hostile:?}: {shown}");
    }
}

#[test]
fn what_nobody_sees_is_shown_by_its_number() {
    let page = page(&summaries::of("a\0b\u{202E}c\u{2028}d\u{7F}e\u{FEFF}f\u{85}g\rh\ni\tj\u{FFFF}k\u{E0041}l"));
    let shown = r"a\u{0}b\u{202e}c\u{2028}d\u{7f}e\u{feff}f\u{85}g\u{d}h\ni\tj\u{ffff}k\u{e0041}l";
    assert!(page.contains(shown));
    let odd = page.chars().find(|character| character.is_control() && *character != '\n');
    assert_eq!(odd, None);
}

#[test]
fn a_page_is_bounded_whatever_the_strings_are() {
    let long = "\u{202E}\u{10FFFF}<".repeat(150_000);
    let page = page(&summaries::of(&long));
    walk(&page).unwrap_or_else(|why| panic!("{why}"));
    assert!(page.len() < 200_000, "{}", page.len());
    assert!(text(&page).contains("<\\u{202e}\\u{10ffff}<…"), "that there is more is said");
}

#[test]
fn a_page_is_bounded_whatever_was_counted() {
    let page = page(&summaries::crowded());
    walk(&page).unwrap_or_else(|why| panic!("{why}"));
    assert!(page.len() < 200_000, "{}", page.len());
    let text = text(&page);
    assert!(text.contains("285 more names") && text.contains("18 more targets not shown"));
}

#[test]
fn nothing_is_said_of_what_a_log_has_nothing_of() {
    let empty = page(&Summary::default());
    let shown = text(&empty);
    assert!(shown.contains("No replies") && shown.contains("the logs are empty"), "{shown}");
    assert!(!empty.contains("<table") && !empty.contains("histogram\""), "{shown}");
    let fine = page(&summaries::all_ok());
    let shown = text(&fine);
    assert!(shown.contains("480 replies: 100% ok") && shown.contains("every reply is ok"), "{shown}");
    assert!(!shown.contains("were cut"), "{shown}");
    assert!(!fine.contains("id=\"kinds\"") && !fine.contains("id=\"codes\"") && !fine.contains("id=\"cure\""));
}

#[test]
fn a_page_says_what_was_counted() {
    let shown = text(&page(&summaries::week()));
    for words in [
        "12,480 replies: 95.4% ok",
        "11,902",
        "99th percentile 18.4\u{202F}kB",
        "8,112 judged here, 4,368 read from reports, 3 lines not readable",
        "3 lines are neither requests nor reports",
        "logs/monday.jsonl",
        "Give the budget headroom",
        "trailing_comma",
        "unexpected_character",
        "Replies that were cut count as far as they came",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// Writes the pages into a directory, to look at: `THUSFAR_PAGES=dir cargo test -p thusfar-cli pages_to_look_at -- --ignored`.
#[test]
#[ignore = "writes files where it is told to"]
fn pages_to_look_at() {
    let directory = std::env::var_os("THUSFAR_PAGES").expect("THUSFAR_PAGES names a directory");
    let directory = std::path::Path::new(&directory);
    std::fs::create_dir_all(directory).expect("a directory");
    for (name, summary) in summaries::all() {
        std::fs::write(directory.join(format!("{name}.html")), page(&summary)).expect("a file");
    }
}

#[test]
fn a_percentile_of_few_replies_is_called_what_it_is() {
    for (replies, few) in [(99, true), (100, false)] {
        let mut summary = summaries::week();
        summary.lengths.replies = replies;
        let text = text(&page(&summary));
        let has = |part: &str| text.contains(part);
        assert_eq!(
            (has("the longest of fewer than 100 replies"), has("Too few to size a budget by")),
            (few, few),
            "{text}"
        );
        assert_eq!((has("99 of 100 are no longer"), has("cuts one reply in a hundred")), (!few, !few), "{text}");
    }
}

#[test]
fn every_outcome_has_words() {
    let outcomes =
        ["ok", "schema_mismatch", "invalid", "ambiguous", "not_found", "malformed", "truncated", "runaway", "limit"];
    let of_streams = ["truncated_length", "truncated_cut", "filtered", "error", "cancelled"];
    for name in outcomes.into_iter().chain(of_streams) {
        assert!(!words::outcome(name).is_empty(), "{name}");
    }
    assert_eq!(words::outcome("a_stranger"), "");
}
