//! The page: the same as charts.

use std::io;

use super::summary::Summary;

/// Writes the page.
pub(crate) fn write(summary: &Summary, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "<!doctype html><title>thusfar audit</title><p>{} replies", summary.judged + summary.reported)
}
