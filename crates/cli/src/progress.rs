//! A bar for a person who waits for a file.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of so many bytes on standard error; none where nobody looks, and where nobody knows how many there are.
pub(crate) fn bar(len: Option<u64>) -> ProgressBar {
    let Some(len) = len.filter(|_| io::stderr().is_terminal()) else { return ProgressBar::hidden() };
    let bar = ProgressBar::with_draw_target(Some(len), ProgressDrawTarget::stderr_with_hz(5));
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
