//! The table of the page for whoever comes from json_repair says what comes out.

use std::fs;
use std::path::Path;

use thusfar::{Expect, read};

#[test]
fn the_replies_of_the_page_come_out_as_it_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/from-json_repair.md");
    let page = fs::read_to_string(page).expect("the page");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut count = 0;
    for row in rows {
        let (reply, rest) = row.split_once("` | ").expect("a reply");
        let said = rest.split_once(" | ").expect("two more columns").1.trim_end_matches([' ', '|']);
        let found = match read(reply, Expect::any()) {
            Ok(document) => {
                assert_eq!(document.repairs().len(), 1, "{reply}");
                "the same".to_owned()
            }
            // At the ending `stop`, which `read` means, what is cut is cut as well.
            Err(failure) => failure.kind().as_str().replace('_', " "),
        };
        assert!(said.starts_with(&found), "{reply}: {found}, and the page says {said}");
        count += 1;
    }
    assert_eq!(count, 12);
}
