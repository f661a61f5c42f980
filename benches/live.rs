//! What it costs to look while the reply comes: a view and its tip, changes, elements; over other readers of unfinished JSON, and over the push alone.
//!
//! `common/ratios.rs` says how the ratios are made, and what the command line takes. All rows read the same chunks of 4 bytes.
//!
//! The rows `5` are beside readers that give a value of the whole prefix after every chunk (`jiter`, `partial-json-fixer` with
//! `serde_json`), or events (`jsonmodem`, `actson`). A prefix is given to them as a slice of the text that is there already; ours
//! puts it together. No prefix is left out, so that one pass takes seconds: such rows have 5 rounds. Below the table stands what
//! a value takes on the heap, and how often a reader shows what the document does not hold (`common/prefixes.rs`).

#![allow(clippy::print_stdout)] // The table is what it is for.

use std::hint::black_box;
use std::mem::discriminant;

use actson::feeder::PushJsonFeeder;
use actson::{JsonEvent, JsonParser};
use jiter::{JsonValue, JsonValueScratch, PartialMode};
use jsonmodem::{ParserOptions, StreamingParser};
use serde_json::Value;
use thusfar::{ChangeKind, Cursor, Elements, Ending, Expect, Live, Progress, Reply, View};
use thusfar_testkit::workload;

#[path = "common/held.rs"]
mod held;
#[path = "common/prefixes.rs"]
mod prefixes;
#[path = "common/ratios.rs"]
mod ratios;

use ratios::{Case, Options, Row, Unit, case, expect_for};

/// A text and its chunks.
struct Text {
    text: String,
    /// Where each chunk ends.
    ends: Vec<usize>,
}

impl Text {
    fn new(text: String) -> Self {
        let mut end = 0;
        let ends = workload::chunks(&text, 4).into_iter().map(|chunk| {
            end += chunk.len();
            end
        });
        Self { ends: ends.collect(), text }
    }

    #[inline(always)]
    fn each_chunk<'a>(&'a self, mut take: impl FnMut(&'a str)) {
        let (text, mut start) = (black_box(&*self.text), 0);
        for &end in &self.ends {
            take(&text[start..end]);
            start = end;
        }
    }

    /// Everything up to the end of each chunk.
    fn each_prefix<'a>(&'a self, mut take: impl FnMut(&'a str)) {
        let text = black_box(&*self.text);
        self.ends.iter().for_each(|&end| take(&text[..end]));
    }

    fn unit(&self) -> Unit {
        Unit::Each(self.ends.len(), "chunk")
    }

    fn value(&self) -> Value {
        serde_json::from_str(&self.text).expect("strict JSON")
    }
}

/// Asserts once, before any clock, that what is shown at the end is the document.
fn assert_shown(text: &Text) {
    let mut reply = Reply::live(expect_for(text.text.len()));
    text.each_chunk(|chunk| _ = reply.push(chunk));
    assert_eq!(reply.view().json().as_deref(), Some(&*text.text));
    assert_eq!(reply.view().to_value(), Some(text.value()));
    assert_eq!(reply.finish(Ending::Stop).ok().map(|document| document.text().to_owned()).as_ref(), Some(&text.text));
}

fn assert_closed(progress: Progress) {
    assert_eq!(progress, Progress::Closed);
}

fn pushing(text: &Text) -> Case<'_> {
    let run = |reply: &mut Reply| text.each_chunk(|chunk| _ = reply.push(chunk));
    case(text.text.len(), || Reply::new(expect_for(text.text.len())), run, |reply| assert_closed(reply.progress()))
}

/// A reply with a view that nobody takes.
fn pushing_live(text: &Text) -> Case<'_> {
    let run = |reply: &mut Live| text.each_chunk(|chunk| _ = reply.push(chunk));
    case(text.text.len(), || Reply::live(expect_for(text.text.len())), run, |reply| assert_closed(reply.progress()))
}

#[inline(always)]
fn look(view: View<'_>) {
    if let Some(tip) = view.tip() {
        let raw = tip.raw().as_bytes();
        black_box((tip.kind(), tip.state(), tip.span(), &raw[raw.len().saturating_sub(4)..]));
    }
}

fn looking(text: &Text) -> Case<'_> {
    assert_shown(text);
    let run = |reply: &mut Live| {
        text.each_chunk(|chunk| {
            let _ = reply.push(chunk);
            look(reply.view());
        });
    };
    case(text.text.len(), || Reply::live(expect_for(text.text.len())), run, |reply| assert_closed(reply.progress()))
}

#[inline(always)]
fn follow(view: View<'_>, cursor: &mut Cursor) {
    for change in view.changes(cursor) {
        black_box(discriminant(&change.kind));
        match &change.kind {
            ChangeKind::Grew(_, text) => _ = black_box(&**text),
            ChangeKind::Opened(node) | ChangeKind::Closed(node) => _ = black_box(node.kind()),
            _ => {}
        }
    }
}

fn following(text: &Text) -> Case<'_> {
    assert_told(text);
    let run = |(reply, cursor): &mut (Live, Cursor)| {
        text.each_chunk(|chunk| {
            let _ = reply.push(chunk);
            follow(reply.view(), cursor);
        });
    };
    let make = || (Reply::live(expect_for(text.text.len())), Cursor::default());
    case(text.text.len(), make, run, |(reply, cursor)| {
        assert_closed(reply.progress());
        assert!(cursor.seq() > 0);
    })
}

/// Asserts once that every value was closed, and every letter told.
fn assert_told(text: &Text) {
    let (mut reply, mut cursor) = (Reply::live(expect_for(text.text.len())), Cursor::default());
    let (mut closed, mut letters) = (0, 0);
    text.each_chunk(|chunk| {
        let _ = reply.push(chunk);
        for change in reply.view().changes(&mut cursor) {
            match &change.kind {
                ChangeKind::Grew(_, text) => letters += text.len(),
                ChangeKind::Closed(_) => closed += 1,
                _ => {}
            }
        }
    });
    let strings = reply.view().nodes().filter_map(|node| node.text().map(|text| text.len()));
    assert_eq!((closed, letters), (reply.view().nodes().len(), strings.sum::<usize>()));
}

/// The elements of the root, handed out as they close.
fn handing_out(text: &Text) -> Case<'_> {
    let run = |(reply, elements, count): &mut (Live, Elements, usize)| {
        text.each_chunk(|chunk| {
            let _ = reply.push(chunk);
            let view = reply.view();
            while let Some(element) = elements.next(&view) {
                black_box(element.span());
                *count += 1;
            }
        });
    };
    let make = || (Reply::live(Expect::any()), Elements::new("/-").expect("a pointer"), 0);
    let wanted = text.value().as_array().map_or(0, Vec::len);
    case(text.text.len(), make, run, move |(_, _, count)| assert_eq!(count, wanted))
}

/// A value of every prefix.
fn jiter(text: &Text) -> Case<'_> {
    fn run<'a>(text: &'a Text, last: &mut Option<JsonValue<'a>>) {
        text.each_prefix(|prefix| {
            let mode = PartialMode::TrailingStrings;
            *last = black_box(JsonValue::parse_with_config(prefix.as_bytes(), false, mode).ok());
        });
    }
    let check = |last: Option<JsonValue<'_>>| assert_eq!(last.as_ref().map(prefixes::of_jiter), Some(text.value()));
    case(text.text.len(), || None, |last| run(text, last), check)
}

/// The same with buffers that are kept from one prefix to the next.
fn jiter_scratch(text: &Text) -> Case<'_> {
    type State<'a> = (JsonValueScratch<'a>, Option<JsonValue<'a>>);
    fn run<'a>(text: &'a Text, (scratch, last): &mut State<'a>) {
        text.each_prefix(|prefix| {
            *last = black_box(scratch.parse(prefix.as_bytes(), false, PartialMode::TrailingStrings).ok());
        });
    }
    let check = |(_, last): State<'_>| assert_eq!(last.as_ref().map(prefixes::of_jiter), Some(text.value()));
    case(text.text.len(), || (JsonValueScratch::new(), None), |state| run(text, state), check)
}

fn fixing(text: &Text) -> Case<'_> {
    let run = |last: &mut Option<Value>| {
        text.each_prefix(|prefix| {
            *last = black_box(serde_json::from_str(&partial_json_fixer::fix_json(prefix)).ok());
        });
    };
    case(text.text.len(), || None, run, |last| assert_eq!(last, Some(text.value())))
}

/// Events, each with its path and what was added.
fn jsonmodem(text: &Text) -> Case<'_> {
    let make = || (StreamingParser::new(ParserOptions::default()), 0);
    let run = |(parser, events): &mut (StreamingParser, usize)| {
        text.each_chunk(|chunk| {
            parser.feed(chunk);
            for event in parser.by_ref() {
                let _ = black_box(event.expect("strict JSON"));
                *events += 1;
            }
        });
    };
    case(text.text.len(), make, run, |(parser, events)| {
        assert!(events > 0 && parser.finish().all(|event| event.is_ok()));
    })
}

/// Events, each value when it is whole.
fn actson(text: &Text) -> Case<'_> {
    let make = || (JsonParser::new(PushJsonFeeder::new()), 0);
    let run = |(parser, depth): &mut (JsonParser<PushJsonFeeder>, i32)| {
        text.each_chunk(|chunk| {
            assert_eq!(parser.feeder.push_bytes(chunk.as_bytes()), chunk.len(), "it takes all of a chunk");
            while let Some(event) = parser.next_event().expect("strict JSON") {
                match event {
                    JsonEvent::NeedMoreInput => return,
                    JsonEvent::StartObject | JsonEvent::StartArray => *depth += 1,
                    JsonEvent::EndObject | JsonEvent::EndArray => *depth -= 1,
                    JsonEvent::FieldName | JsonEvent::ValueString => _ = black_box(parser.current_str()),
                    _ => {}
                }
                black_box(event);
            }
        });
    };
    case(text.text.len(), make, run, |(parser, depth)| {
        assert_eq!((depth, parser.parsed_bytes()), (0, text.text.len()));
    })
}

/// What a value takes on the heap: what a reply with a view holds beyond one without.
fn print_heap(texts: &[(&str, Text)]) {
    println!("\n{:<60} {:>14} {:>14}", "heap of the view", "values", "bytes/value");
    for (corpus, text) in texts.iter().filter(|(corpus, _)| matches!(*corpus, "W2" | "W5" | "W6")) {
        let mut count = 0;
        let with = held::count(|| {
            let mut reply = Reply::live(Expect::any());
            text.each_chunk(|chunk| _ = reply.push(chunk));
            count = reply.view().nodes().len();
            reply
        });
        let without = held::count(|| {
            let mut reply = Reply::new(Expect::any());
            text.each_chunk(|chunk| _ = reply.push(chunk));
            reply
        });
        let each = (with.held - without.held) as f64 / count as f64;
        println!("{corpus:<60} {count:>14} {each:>14.1}");
    }
}

type Yardstick = for<'a> fn(&'a Text) -> Case<'a>;

const PEERS: [(&str, Yardstick); 5] = [
    ("jiter", jiter),
    ("jiter with scratch", jiter_scratch),
    ("partial-json-fixer+serde_json", fixing),
    ("jsonmodem", jsonmodem),
    ("actson", actson),
];

/// Row 5: beside those who read unfinished JSON.
fn rows_of_peers(options: &Options, texts: &[(&str, Text)]) {
    for (corpus, must, want) in [("W2", 2_000.0, 5_000.0), ("W4", 800.0, 1_800.0)] {
        let Some((_, text)) = texts.iter().find(|(name, _)| *name == corpus) else { continue };
        for (peer, yardstick) in PEERS {
            let Some(name) = options.wanted(format!("5 tip/{corpus}/4B, times faster : {peer}")) else { continue };
            let bars = (peer == "jiter").then_some((must, want));
            let (ours, yardstick) = (looking(text), yardstick(text));
            options.faster(Row { name, ours, yardstick, unit: text.unit(), bars });
        }
    }
}

/// Rows 5 and 6: from 100 KB to 10 MB; and what a reader of the whole prefix does from 10 to 100 KB.
fn rows_of_growth(options: &Options) {
    for (corpus, make) in [("W2", workload::w2_of as fn(usize) -> String), ("W4", workload::w4_of)] {
        let (tip, changes) = (format!("5 growth of tip/{corpus}/4B"), format!("6 growth of changes/{corpus}/4B"));
        let unit = |text: &Text| (text.ends.len(), text.unit());
        if options.wanted_growth(&tip) || options.wanted_growth(&changes) {
            let texts = options.growing_lens().map(|len| Text::new(make(len)));
            options.growths(&tip, &texts, looking, unit);
            options.growths(&changes, &texts, following, unit);
        }
        let Some(name) = options.wanted(format!("5 growth of jiter/{corpus}/4B, 100 KB : 10 KB")) else { continue };
        let [long, short] =
            if options.test { [3_000, 1_000] } else { [100_000, 10_000] }.map(|len| Text::new(make(len)));
        let longer = long.ends.len() as f64 / short.ends.len() as f64;
        let row = Row { name, ours: jiter(&long), yardstick: jiter(&short), unit: long.unit(), bars: None };
        options.growth(row, short.unit(), longer);
    }
}

/// Row 6: over the push alone.
fn rows_over_push(options: &Options, texts: &[(&str, Text)]) {
    let ways: [(&str, Yardstick, _); 3] =
        [("push with a view", pushing_live, None), ("tip", looking, None), ("changes", following, Some((3.0, 2.0)))];
    for (way, ours, bars) in ways {
        for (corpus, text) in texts.iter().filter(|(name, _)| *name != "W3") {
            let Some(name) = options.wanted(format!("6 {way}/{corpus}/4B : push")) else { continue };
            let (ours, yardstick) = (ours(text), pushing(text));
            options.measure(Row { name, ours, yardstick, unit: text.unit(), bars });
        }
    }
    let Some((_, text)) = texts.iter().find(|(name, _)| *name == "W2") else { return };
    let Some(name) = options.wanted("6 elements/W2/4B : push".to_owned()) else { return };
    let (ours, yardstick) = (handing_out(text), pushing(text));
    options.measure(Row { name, ours, yardstick, unit: text.unit(), bars: None });
}

fn main() {
    let options = Options::from_args();
    let texts: Vec<(&str, Text)> = if options.test {
        let texts = [("W1", workload::w1()), ("W2", shortened(&workload::w2())), ("W4", workload::w4_of(3_000))];
        texts.map(|(name, text)| (name, Text::new(text))).into()
    } else {
        workload::all().into_iter().map(|workload| (workload.name, Text::new(workload.text))).collect()
    };
    options.begin();
    rows_of_peers(&options, &texts);
    rows_of_growth(&options);
    rows_over_push(&options, &texts);
    if options.wanted("heap".to_owned()).is_some() {
        print_heap(&texts);
    }
    if options.wanted("prefixes".to_owned()).is_some() {
        prefixes::print(options.test);
    }
}

/// The first records of W2.
fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(12).collect();
    format!("{}\n]", lines.join("\n").trim_end_matches(','))
}
