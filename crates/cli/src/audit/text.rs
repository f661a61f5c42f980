//! The report for people, and the line for machines.
//!
//! Foreign text stands on one line with its hidden characters shown, wherever the report goes: a log is looked at on a terminal too.

use std::fmt::{self, Write as _};
use std::io;

use serde::Serialize as _;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use unicode_width::UnicodeWidthStr;

use super::counted::EXCERPT;
use super::logs::shown;
use super::summary::{CodeCount, Count, Example, Summary};
use crate::terminal::{self, Palette};

/// The outcome of which there is nothing to tell.
pub(super) const OK: &str = "ok";
/// Columns of a bar that is all.
const BAR: usize = 24;
/// Characters of the name of a model, of an `id`.
const OWNER: usize = 60;

/// One line of JSON. What would steer a terminal is escaped, as JSON escapes it.
pub(super) fn json(summary: &Summary) -> String {
    let mut line = Vec::new();
    // Strings, numbers and lists of them always have a JSON text, and writing to a `Vec` cannot fail.
    let _ = summary.serialize(&mut Serializer::with_formatter(&mut line, Escaping(CompactFormatter)));
    line.push(b'\n');
    String::from_utf8(line).unwrap_or_default()
}

/// Compact JSON in which hidden characters are escaped, all of which have four digits.
struct Escaping(CompactFormatter);

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(terminal::is_hidden) {
            let (plain, hidden) = rest.split_at(at);
            self.0.write_string_fragment(writer, plain)?;
            let mut characters = hidden.chars();
            if let Some(character) = characters.next() {
                write!(writer, "\\u{:04x}", u32::from(character))?;
            }
            rest = characters.as_str();
        }
        self.0.write_string_fragment(writer, rest)
    }
}

/// The report.
pub(super) fn of(summary: &Summary, palette: Palette) -> String {
    let mut report = Report { text: String::new(), palette };
    report.headline(summary);
    report.bars("outcomes", &summary.outcomes);
    report.cure(summary);
    report.kinds("repairs", &summary.repairs);
    report.kinds("warnings", &summary.warnings);
    report.targets(summary);
    report.lengths(summary);
    // With an example each they are long: what sums up stands in front of them.
    report.codes(&summary.codes, summary.more_codes);
    report.unreadable(summary);
    report.text
}

struct Report {
    text: String,
    palette: Palette,
}

impl Report {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn head(&mut self, head: &str) {
        let style = self.palette.frame;
        self.line(format_args!("\n{style}{head}{style:#}"));
    }

    fn headline(&mut self, summary: &Summary) {
        let replies = summary.judged + summary.reported;
        let ok = summary.outcomes.iter().find(|outcome| outcome.name == OK).map_or(0, |outcome| outcome.count);
        let failed = replies - ok;
        let (good, bad) = (self.palette.repair, if failed > 0 { self.palette.failure } else { self.palette.repair });
        match replies {
            0 => self.line(format_args!("no replies")),
            _ => self.line(format_args!(
                "{}: {good}{} ok{good:#} ({}), {bad}{} not{bad:#}",
                counted(replies, "reply", "replies"),
                number(ok),
                percent(ok as f64 / replies as f64),
                number(failed)
            )),
        }
        if summary.reported > 0 {
            let (judged, reported) = (number(summary.judged), number(summary.reported));
            self.line(format_args!("  {judged} judged here, {reported} as others report them"));
        }
        if summary.unreadable > 0 {
            let (lines, style) = (counted(summary.unreadable, "line", "lines"), self.palette.warning);
            self.line(format_args!("  {style}{lines} could not be read{style:#}: see the end"));
        }
    }

    fn bars(&mut self, head: &str, counts: &[Count]) {
        if counts.is_empty() {
            return;
        }
        self.head(head);
        let (names, numbers) = widths(counts);
        for Count { name, count, share, .. } in counts {
            let style = if name == OK { self.palette.repair } else { self.palette.failure };
            let (bar, share, count) = (bar(*share), percent(*share), number(*count));
            self.line(format_args!("  {name:names$}  {count:>numbers$}  {share:>6}  {style}{bar}{style:#}"));
        }
    }

    fn kinds(&mut self, head: &str, counts: &[Count]) {
        if counts.is_empty() {
            return;
        }
        self.head(head);
        let (names, numbers) = widths(counts);
        for Count { name, count, replies, share } in counts {
            let (count, replies, share) = (number(*count), counted(*replies, "reply", "replies"), percent(*share));
            self.line(format_args!("  {name:names$}  {count:>numbers$}  in {replies} ({share})"));
        }
    }

    fn codes(&mut self, codes: &[CodeCount], more: u64) {
        if codes.is_empty() {
            return;
        }
        self.head("codes");
        let numbers = codes.iter().map(|code| number(code.count).len()).max().unwrap_or(0);
        for CodeCount { outcome, code, count, share, example } in codes {
            let (count, share, style) = (number(*count), percent(*share), self.palette.failure);
            self.line(format_args!("  {count:>numbers$}  {share:>6}  {style}{outcome}{style:#} {code}"));
            self.example(numbers + 12, example);
        }
        if more > 0 {
            self.line(format_args!("  and {}", counted(more, "other code", "other codes")));
        }
    }

    fn example(&mut self, indent: usize, example: &Example) {
        self.line(format_args!("{:indent$}{}", "", owner(example)));
        let excerpt = terminal::on_one_line(&example.excerpt, EXCERPT + 1);
        if !excerpt.is_empty() {
            let style = self.palette.frame;
            self.line(format_args!("{:indent$}{style}|{style:#} {excerpt}", ""));
        }
    }

    fn targets(&mut self, summary: &Summary) {
        if summary.targets.is_empty() {
            return;
        }
        self.head("signals");
        for target in &summary.targets {
            let name = terminal::on_one_line(&target.name, OWNER);
            let [ok, missing, two, invalid] =
                [target.ok, target.not_found, target.ambiguous, target.invalid].map(number);
            self.line(format_args!("  {name}: {ok} ok, {missing} not found, {two} ambiguous, {invalid} invalid"));
        }
    }

    fn lengths(&mut self, summary: &Summary) {
        let (lengths, wasted) = (&summary.lengths, &summary.wasted);
        if lengths.replies == 0 && summary.reported == 0 {
            return;
        }
        self.head("lengths");
        if lengths.replies == 0 {
            return self.line(format_args!("  not known: a report does not say how long its reply was"));
        }
        let [median, p90, p99, max] = [lengths.median, lengths.p90, lengths.p99, lengths.max].map(number);
        let replies = counted(lengths.replies, "reply", "replies");
        self.line(format_args!(
            "  of {replies}, in bytes: median {median}, 90% up to {p90}, 99% up to {p99}, longest {max}"
        ));
        if lengths.has_percentile() {
            self.line(format_args!(
                "  a budget for 99 of 100 replies is what {p99} bytes are in tokens of the model, and headroom on top"
            ));
        } else {
            self.line(format_args!("  too few to size a budget by: 99% of fewer than 100 replies are all of them"));
        }
        if summary.has_cuts() {
            self.line(format_args!("  replies that were cut count as far as they came: they would have been longer"));
        }
        match wasted.replies {
            0 => self.line(format_args!("  nothing was written after an answer was certain")),
            _ => {
                let (bytes, share) = (counted(wasted.bytes, "byte", "bytes"), percent(wasted.share));
                let replies = counted(wasted.replies, "reply", "replies");
                self.line(format_args!(
                    "  {bytes} ({share}) in {replies} came after the answer was certain: hang up there"
                ));
            }
        }
    }

    fn cure(&mut self, summary: &Summary) {
        let Some(cure) = &summary.cure else { return };
        self.head("what was wrong");
        let names = summary.diagnoses.iter().map(|diagnosis| diagnosis.name.len()).max().unwrap_or(0);
        let numbers = summary.diagnoses.iter().map(|diagnosis| number(diagnosis.count).len()).max().unwrap_or(0);
        for diagnosis in &summary.diagnoses {
            let (name, count) = (&diagnosis.name, number(diagnosis.count));
            self.line(format_args!("  {name:names$}  {count:>numbers$}"));
        }
        let style = self.palette.repair;
        self.line(format_args!("  {style}cure{style:#} of {}: {}", cure.diagnosis, cure.text));
    }

    fn unreadable(&mut self, summary: &Summary) {
        if summary.unreadable == 0 {
            return;
        }
        let style = self.palette.warning;
        let lines = counted(summary.unreadable, "line is", "lines are");
        self.line(format_args!("\n{style}{lines} neither a request nor a report{style:#}"));
        for example in &summary.unreadable_examples {
            let why = terminal::on_one_line(&example.excerpt, EXCERPT + 1);
            self.line(format_args!("  {}: {why}", owner(example)));
        }
        let more = summary.unreadable - summary.unreadable_examples.len() as u64;
        if more > 0 {
            self.line(format_args!("  and {} more", number(more)));
        }
        self.line(format_args!(
            "  a line is one object with `text` or `chunks`, or with `outcome`: `thusfar audit --help` shows both"
        ));
    }
}

/// Where a line stands and whose it is.
fn owner(example: &Example) -> String {
    let mut told = format!("{}:{}", shown(&example.file), example.line);
    for (what, whose) in [("id", &example.id), ("model", &example.model)] {
        if let Some(whose) = whose {
            told.push_str(&format!(", {what} {}", terminal::on_one_line(whose, OWNER)));
        }
    }
    told
}

/// Columns of the longest name and of the longest number.
fn widths(counts: &[Count]) -> (usize, usize) {
    let names = counts.iter().map(|count| count.name.width()).max().unwrap_or(0);
    let numbers = counts.iter().map(|count| number(count.count).len()).max().unwrap_or(0);
    (names, numbers)
}

/// A number with its thousands apart.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut told = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A share in per cent. What is not all is not 100, and what is there is not 0.
fn percent(share: f64) -> String {
    match share * 100.0 {
        share if share > 0.0 && share < 0.05 => "<0.1%".into(),
        share if (99.95..100.0).contains(&share) => ">99.9%".into(),
        share => format!("{share:.1}%"),
    }
}

/// A bar of whole columns; of what is less than half of one there is a sliver.
fn bar(share: f64) -> String {
    match (share.clamp(0.0, 1.0) * BAR as f64).round() as usize {
        0 if share > 0.0 => "▏".into(),
        columns => "█".repeat(columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_shares_for_people() {
        let told = [0, 7, 999, 1000, 12_480, 1_000_000].map(number);
        assert_eq!(told, ["0", "7", "999", "1,000", "12,480", "1,000,000"]);
        let told = [0.0, 0.0001, 0.0005, 0.25, 0.9994, 0.9996, 1.0].map(percent);
        assert_eq!(told, ["0.0%", "<0.1%", "0.1%", "25.0%", "99.9%", ">99.9%", "100.0%"]);
        assert_eq!([0.0, 0.0001, 0.5, 1.0].map(|share| bar(share).width()), [0, 1, 12, 24]);
    }

    #[test]
    fn json_has_no_hidden_character_as_it_is() {
        let hostile = "\u{0}\u{1b}[2J\u{7f}\u{85}\u{202e}\u{2066}\n\t\"\\é漢</script>";
        let example = Example { excerpt: hostile.into(), ..Example::default() };
        let line = json(&Summary { unreadable_examples: vec![example], ..Summary::default() });
        assert!(!line.trim_end().contains(terminal::is_hidden) && line.ends_with("}\n"), "{line}");
        let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(read["unreadable_examples"][0]["excerpt"], hostile);
    }

    #[test]
    fn an_empty_log_is_told() {
        assert_eq!(of(&Summary::default(), Palette::default()), "no replies\n");
    }
}
