//! The notes: what a person is told about a reply on standard error.

mod called; // about calls of tools
mod signalled; // about signals

use std::fmt::Write as _;

use anstyle::Style;
use thusfar_contract::{Check, Timing, Violation};
use thusfar_core::{Cause, Code, Document, Failure, FailureKind, Position, Repair};

use crate::report::{self, Places};
use crate::seen::Damage;
use crate::terminal::{self, Excerpt, Palette};

pub(crate) use called::{on_calls, on_lane, on_text};
pub(crate) use signalled::{on_signals, on_signals_of_lane};

/// Characters of the text of a repair that are shown.
const SHOWN: usize = 48;
/// Characters of a name that are shown.
const NAME: usize = 60;
/// Open frames that are named, the innermost ones.
const FRAMES: usize = 4;
/// Violations that are shown, the first ones.
const VIOLATIONS: usize = 20;
/// Characters of the sentence on a violation that are shown.
const SENTENCE: usize = 400;

/// The notes on a document: its repairs, its warnings; of a number that a schema was asked of, the keyword. Empty when it has none.
pub(crate) fn on_document(document: &Document, check: Option<&Check>, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    let about = About::whole(seen);
    push_repairs(&mut notes, document.repairs(), &about, palette);
    push_warnings(&mut notes, document, check, &about, palette);
    notes
}

/// What repairs and warnings are about.
struct About<'a> {
    seen: &'a [u8],
    /// Words for it behind a place, if it is a part of what was seen.
    of: &'a str,
    /// Where in what was seen an offset of theirs stands.
    in_seen: &'a dyn Fn(usize) -> usize,
}

impl<'a> About<'a> {
    /// All that was seen.
    fn whole(seen: &'a [u8]) -> Self {
        Self { seen, of: "", in_seen: &|offset| offset }
    }
}

fn push_warnings(notes: &mut String, document: &Document, check: Option<&Check>, about: &About<'_>, palette: Palette) {
    let (mut places, of) = (Places::of(about.seen), about.of);
    for warning in document.warnings() {
        let Position { line, column } = places.at((about.in_seen)(warning.span.start));
        let message = terminal::escaped(warning.kind.message());
        let mut kind = warning.kind.as_str().to_owned();
        if let Some(keyword) = check.and_then(|check| report::keyword(check, warning)) {
            kind = format!("{kind}, {keyword}");
        }
        push_head(notes, palette.warning, "warning");
        push_line(notes, format_args!(": {message} at line {line}, column {column}{of} [{kind}]"));
    }
}

/// The notes on a failure: the repairs so far, the message, the source line with its caret, what to do next.
pub(crate) fn on_failure(failure: &Failure, name: &str, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    push_repairs(&mut notes, failure.repairs(), &About::whole(seen), palette);
    let kind = failure.kind().as_str().replace('_', " ");
    let message = terminal::on_one_line(&failure.to_string(), usize::MAX);
    push_head(&mut notes, palette.failure, &kind);
    let cause = failure.cause().map(|cause| format!(", {}", cause.as_str())).unwrap_or_default();
    push_line(&mut notes, format_args!(": {message} [{}{cause}]", failure.code().as_str()));

    let place = Places::of(seen).at(failure.offset());
    let mut framed = Framed::place(&mut notes, palette, name, seen, failure.offset(), place);
    framed.path(failure.path());
    if let Some(open) = open_frames(failure, seen) {
        framed.line(&format!("not closed yet: {open}"));
    }
    framed.line(&format!("next: {}", hint(failure, place.line, place.column)));
    notes
}

/// The notes on what a reply came to: a document, and what a schema says of it where there is one; or a failure.
pub(crate) fn on_reply(
    verdict: Result<&Document, &Failure>,
    check: Option<&Check>,
    name: &str,
    seen: &[u8],
    palette: Palette,
) -> String {
    let mismatch = |check: &Check, start: usize| on_mismatch(check, start, name, seen, palette);
    match (verdict, check) {
        (Ok(document), None) => on_document(document, None, seen, palette),
        (Ok(document), Some(check)) => {
            on_document(document, Some(check), seen, palette) + &mismatch(check, document.span().start)
        }
        (Err(failure), Some(check)) if report::refusal(failure, Some(check)).is_some() => {
            let mut notes = String::new();
            push_repairs(&mut notes, failure.repairs(), &About::whole(seen), palette);
            notes + &mismatch(check, failure.offset())
        }
        (Err(failure), _) => on_failure(failure, name, seen, palette),
    }
}

/// The notes on a document that is not as a schema asks, which begins at `start`: each violation with its source line. Empty when it is
/// valid.
pub(crate) fn on_mismatch(check: &Check, start: usize, name: &str, seen: &[u8], palette: Palette) -> String {
    let mut notes = String::new();
    let shown = &check.violations()[..check.violations().len().min(VIOLATIONS)];
    let places = report::places_of(seen, shown.iter().map(Violation::start));
    let ends = report::places_of(seen, shown.iter().map(Violation::offset));
    for ((violation, place), certain) in shown.iter().zip(places).zip(ends) {
        let message = terminal::on_one_line(violation.message(), SENTENCE);
        push_head(&mut notes, palette.failure, "schema mismatch");
        push_line(&mut notes, format_args!(": {message} [{}]", violation.keyword()));
        // The sentence names the path.
        let mut framed = Framed::place(&mut notes, palette, name, seen, violation.start(), place);
        if violation.when() != Timing::Final {
            framed.line(&format!("certain at {}:{}", certain.line, certain.column));
        }
    }
    let hidden_count = check.violations().len() - shown.len();
    if hidden_count > 0 {
        let bound = if check.is_complete() { "" } else { ", at least" };
        push_line(&mut notes, format_args!("and {hidden_count} more{bound}"));
    }
    if let Some(limit) = report::open_question(check) {
        push_head(&mut notes, palette.failure, "limit");
        push_line(&mut notes, format_args!(": {} [{}]", limit.message(), limit.as_str()));
        let place = Places::of(seen).at(start);
        Framed::place(&mut notes, palette, name, seen, start, place)
            .line("next: change the schema: it says neither yes nor no to this document");
    }
    notes
}

/// The lines below a note, behind a margin.
struct Framed<'n> {
    notes: &'n mut String,
    palette: Palette,
    margin: String,
}

impl<'n> Framed<'n> {
    /// The place, and the source line with its caret.
    fn place(notes: &'n mut String, palette: Palette, name: &str, seen: &[u8], offset: usize, place: Position) -> Self {
        let Position { line, column } = place;
        let excerpt = Excerpt::of(seen, offset);
        let number = line.to_string();
        let mut framed = Self { notes, palette, margin: " ".repeat(number.len()) };
        framed.push("-->", &format!("{name}:{line}:{column}"));
        framed.push(" |", "");
        push_head(framed.notes, palette.frame, &format!("{number} |"));
        push_line(framed.notes, format_args!("{}{}", if excerpt.line.is_empty() { "" } else { " " }, excerpt.line));
        framed.push(" |", &excerpt.carets());
        framed
    }

    /// The JSON pointer, if it is not that of the root.
    fn path(&mut self, path: &str) {
        if !path.is_empty() {
            self.line(&format!("at: {}", terminal::on_one_line(path, 2 * SHOWN)));
        }
    }

    fn line(&mut self, text: &str) {
        self.push(" =", text);
    }

    fn push(&mut self, bar: &str, text: &str) {
        push_head(self.notes, self.palette.frame, &format!("{}{bar}", self.margin));
        push_line(self.notes, format_args!("{}{text}", if text.is_empty() { "" } else { " " }));
    }
}

fn push_repairs(notes: &mut String, repairs: &[Repair], about: &About<'_>, palette: Palette) {
    let (mut places, of) = (Places::of(about.seen), about.of);
    for repair in repairs {
        let Position { line, column } = places.at((about.in_seen)(repair.span.start));
        let before = terminal::on_one_line(&repair.before, SHOWN);
        let after = match repair.after.as_str() {
            "" => "nothing".into(),
            after => format!("`{}`", terminal::on_one_line(after, SHOWN)),
        };
        let kind = repair.kind.as_str();
        push_head(notes, palette.repair, "repaired");
        push_line(notes, format_args!(": `{before}` to {after} at line {line}, column {column}{of} [{kind}]"));
    }
}

/// Where what was read stops being text.
fn push_damage(notes: &mut String, damage: &Damage, name: &str, seen: &[u8], palette: Palette) {
    let place = Places::of(seen).at(damage.offset);
    push_head(notes, palette.failure, FailureKind::Malformed.as_str());
    push_line(notes, format_args!(": {} {} [{}]", damage.message, at(damage.offset, place), damage.code));
    Framed::place(notes, palette, name, seen, damage.offset, place)
        .line("next: ask again; nothing behind this place was read");
}

/// A place in words.
fn at(offset: usize, Position { line, column }: Position) -> String {
    format!("at byte {offset} (line {line}, column {column})")
}

fn quoted(name: &str) -> String {
    format!("`{}`", terminal::on_one_line(name, NAME))
}

fn push_head(notes: &mut String, style: Style, head: &str) {
    // Writing to a `String` cannot fail.
    let _ = write!(notes, "{style}{head}{style:#}");
}

fn push_line(notes: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(notes, "{line}");
}

fn open_frames(failure: &Failure, seen: &[u8]) -> Option<String> {
    let frames = failure.frames();
    if failure.kind() != FailureKind::Truncated || frames.is_empty() {
        return None;
    }
    let mut places = Places::of(seen);
    let mut named = Vec::new();
    let hidden_count = frames.len().saturating_sub(FRAMES);
    if hidden_count > 0 {
        named.push(format!("{hidden_count} more"));
    }
    for frame in &frames[hidden_count..] {
        let Position { line, column } = places.at(frame.offset);
        named.push(format!("`{}` of {line}:{column}", frame.opener));
    }
    Some(named.join(", "))
}

/// What to do next about a cut.
fn hint_on_cut(cause: Option<Cause>) -> &'static str {
    match cause {
        Some(Cause::Unclosed) => "ask again: the model believes that it is done",
        Some(Cause::Filtered) => "ask for something else: a filter stopped this, and will again",
        Some(Cause::TimedOut | Cause::Disconnected | Cause::Failed) => "ask again, or let the model go on",
        Some(Cause::Cancelled) => "read on: the reply was not read to its end",
        _ => "ask again with a larger budget, or let the model go on",
    }
}

/// What to do next.
fn hint(failure: &Failure, line: usize, column: usize) -> String {
    match (failure.kind(), failure.code()) {
        (FailureKind::Truncated, _) => hint_on_cut(failure.cause()).into(),
        (FailureKind::Malformed, Code::WrongRoot) => {
            "ask for the other kind of root, or allow it with --root any".into()
        }
        (FailureKind::Malformed, Code::TextAround) => {
            "ask for the document alone; --take only reads one with text around it".into()
        }
        (FailureKind::Malformed, _) => format!("ask again, naming line {line}, column {column} and what stands there"),
        (FailureKind::Ambiguous, Code::DifferentDocuments) => {
            "ask for one document, or say which one counts with --take first or --take last".into()
        }
        (FailureKind::Ambiguous, _) => {
            format!("ask which is meant, naming line {line}, column {column}; none was picked")
        }
        (FailureKind::NotFound, _) => "ask for JSON, and for nothing around it".into(),
        (FailureKind::Runaway, _) => "ask again rather than go on: more of it is more of the same".into(),
        (FailureKind::Limit, _) => "ask for less at a time".into(),
        _ => "ask again".into(),
    }
}
