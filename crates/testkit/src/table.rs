//! Tables of cases: a name, a reply, what must come of it, and why. Every row is read by `check()`.

use thusfar_core::{Ending, Expect};

use crate::check::{Report, check};

/// What must come of a reply: the document's text, or the code and the offset of the failure.
pub type Want<'a> = Result<&'a str, (&'a str, usize)>;

/// Name, reply, what must come of it, why.
pub type Row<'a, Text = &'a str> = (&'a str, Text, Want<'a>, &'a str);

/// Reads every row under every split; panics with all rows that differ.
pub fn table<Text: AsRef<str>>(expect: Expect, ending: Ending, rows: &[Row<'_, Text>]) {
    let mut wrong = Vec::new();
    for (name, reply, want, why) in rows {
        let report = check(reply.as_ref(), expect, ending);
        if got(&report) != *want {
            wrong.push(format!("{name} ({why}): wanted {want:?}\n  got {}", short(&report)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows at {ending:?}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// A report in the form of a table.
pub fn got(report: &Report) -> Want<'_> {
    match report {
        Report::Document { text, .. } => Ok(text),
        Report::Failure { code, offset, .. } => Err((code.as_str(), *offset)),
    }
}

/// A report for people: a long one is cut.
fn short(report: &Report) -> String {
    let text = format!("{report:?}");
    match text.char_indices().nth(600) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
