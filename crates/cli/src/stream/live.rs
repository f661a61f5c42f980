//! The lanes as they grow, and the line that says how far they are.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thusfar_core::Progress;
use thusfar_stream::{Lane, LaneKey, LaneKind, Session, SessionEvent};

/// The text of the lanes in the order in which it comes, under a heading wherever another lane speaks.
#[derive(Default)]
pub(super) struct Live {
    /// What is to be printed.
    pub(super) text: String,
    speaking: Option<LaneKey>,
    is_line_open: bool,
}

impl Live {
    pub(super) fn take(&mut self, event: &SessionEvent<'_>) {
        if let SessionEvent::Text(lane, text) = event {
            if self.speaking != Some(lane.key()) {
                self.end_line();
                self.text.push_str(&heading(lane));
                self.speaking = Some(lane.key());
            }
            self.text.push_str(text);
            self.is_line_open = !text.ends_with('\n');
        }
    }

    /// Ends the line that is open.
    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_line_open) {
            self.text.push('\n');
        }
    }

    /// What is still to be printed at the end.
    pub(super) fn end(mut self) -> String {
        self.end_line();
        self.text
    }
}

fn heading(lane: &Lane<'_>) -> String {
    let mut heading = name(lane.key(), lane.name());
    heading.push('\n');
    heading
}

/// `[text]`, `[reasoning of choice 1]`, `[tool_args 0 forecast]`.
pub(crate) fn name(key: LaneKey, tool: Option<&str>) -> String {
    let mut heading = format!("[{}", key.kind.as_str());
    if let (LaneKind::ToolArgs, Some(number)) = (key.kind, key.tool) {
        heading.push_str(&format!(" {number}"));
    }
    if let Some(tool) = tool {
        heading.push(' ');
        heading.push_str(tool);
    }
    if key.choice > 0 {
        heading.push_str(&format!(" of choice {}", key.choice));
    }
    heading.push(']');
    heading
}

/// The status line on a terminal.
pub(super) struct Status(ProgressBar);

impl Status {
    pub(super) fn new(is_shown: bool) -> Self {
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Says how far a session is.
    pub(super) fn show(&self, session: &Session) {
        if self.0.is_hidden() {
            return;
        }
        let judged = || session.lanes().filter_map(|lane| lane.progress());
        let documents = judged().filter(|progress| matches!(progress, Progress::Closed | Progress::Final)).count();
        let verdict = judged().last().map_or("not judged", word);
        let provider = session.provider().map_or("unknown provider", |provider| provider.as_str());
        let repairs: usize = session.lanes().map(|lane| lane.repair_count()).sum();
        self.0.set_message(format!(
            "{provider} | bytes {} | lanes {} | documents {documents} | repairs {repairs} | {verdict}",
            session.offset(),
            session.lanes().len(),
        ));
        self.0.tick();
    }

    /// Does something while the line is out of the way.
    pub(super) fn around<T>(&self, work: impl FnOnce() -> T) -> T {
        self.0.suspend(work)
    }

    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// The word for what is known.
pub(crate) fn word(progress: Progress) -> &'static str {
    match progress {
        Progress::Searching => "searching",
        Progress::Open => "open",
        Progress::Closed => "closed",
        Progress::Final => "final",
        Progress::Doomed => "doomed",
    }
}
