//! Replies made to hurt: each gives the answer it must, in one push and in pushes of 1,000 bytes, with bounded steps and text.
//!
//! Too large for every split; the shapes are read under every split elsewhere. Nothing here is timed: work is counted in steps.

use std::borrow::Cow;

use thusfar::{Document, Ending, Expect, Failure, Limits, Reply, Take};
use thusfar_testkit::table::Want;
use thusfar_testkit::workload::{Random, chunks};

/// No guard on repetition and white space, and room for 64 MB.
const OPEN: Limits = Limits {
    reply_len: Some(64 << 20),
    white_space: None,
    repetition: None,
    other_repetition: None,
    nesting: Some(127),
    repairs: Some(10_000),
    keys: Some(100_000),
    ..Limits::NONE
};

fn open(expect: Expect) -> Expect {
    expect.limits(OPEN)
}

type Answer = Result<Document, Failure>;

/// Reads in one push and in pushes of 1,000 bytes; gives both answers.
fn read(bytes: &[u8], expect: Expect, ending: Ending) -> [Answer; 2] {
    let limit = expect.limits_in_force().reply_len.unwrap_or(usize::MAX);
    [bytes.len().max(1), 1000].map(|len| {
        let mut reply = Reply::new(expect);
        for chunk in bytes.chunks(len) {
            if reply.push_bytes(chunk).is_decided() {
                break;
            }
        }
        let kept = reply.raw().len();
        assert!(kept <= limit.saturating_add(4), "{kept} bytes kept of at most {limit}");
        let steps = reply.scanner().steps();
        assert!(steps <= 3 * bytes.len() as u64 + 8, "{steps} steps for {} bytes", bytes.len());
        reply.finish(ending)
    })
}

/// For messages: the length of a text and its beginning.
fn brief(want: Want<'_>) -> String {
    match want {
        Ok(text) => format!("{} bytes, {:?}", text.len(), text.get(..40).unwrap_or(text)),
        Err(failure) => format!("{failure:?}"),
    }
}

fn hold_bytes(name: &str, bytes: &[u8], expect: Expect, want: Want<'_>) {
    for answer in read(bytes, expect, Ending::Stop) {
        let got = match &answer {
            Ok(document) => Ok(document.text()),
            Err(failure) => Err((failure.code().as_str(), failure.offset())),
        };
        assert!(got == want, "{name}: wanted {}, got {}", brief(want), brief(got));
    }
}

fn hold(name: &str, text: &str, expect: Expect, want: Want<'_>) {
    hold_bytes(name, text.as_bytes(), expect, want);
}

#[test]
fn openers_without_end() {
    let arrays = "[".repeat(100_000);
    let objects = "{\"a\":".repeat(100_000);
    for expect in [Expect::any(), Expect::object(), Expect::array(), Expect::value(), open(Expect::any())] {
        hold("arrays", &arrays, expect, Err(("too_deep", 127)));
        hold("objects", &objects, expect, Err(("too_deep", 635)));
    }
    // Depth is memory, one bit a frame, never recursion.
    let limitless = Expect::any().limits(Limits::NONE);
    hold("no limit", &arrays, limitless, Err(("open_frame", 100_000)));
    hold("no limit", &objects, limitless, Err(("open_frame", 500_000)));
    let closed = arrays.clone() + &"]".repeat(100_000);
    hold("no limit, closed", &closed, limitless, Ok(&closed));
}

#[test]
fn nesting_at_the_limit_in_a_large_reply() {
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let rows = |depth: usize| format!("[{}0]", (deep(depth - 1) + ",\n").repeat(4000));
    hold("at", &rows(127), open(Expect::any()), Ok(&rows(127)));
    hold("past", &rows(128), open(Expect::any()), Err(("too_deep", 127)));
}

#[test]
fn white_space_without_end() {
    let space = " ".repeat(8 << 20);
    hold("guarded", &space, Expect::object(), Err(("white_space_run", 0)));
    let repeats = Limits { white_space: None, ..Limits::default() };
    hold("repeats", &space, Expect::object().limits(repeats), Err(("repetition", 0)));
    hold("open", &space, open(Expect::object()), Err(("no_document", 8 << 20)));
    let document = format!("{{\"a\":{space}1}}");
    hold("in a document", &document, Expect::object(), Err(("white_space_run", 5)));
    hold("in a document, open", &document, open(Expect::object()), Ok(&document));
    let behind = format!("{{\"a\":1}}{space}");
    hold("behind", &behind, Expect::object(), Ok("{\"a\":1}"));
    hold("behind, open", &behind, open(Expect::object()), Ok("{\"a\":1}"));
}

#[test]
fn a_string_of_50_megabytes() {
    let mut random = Random::new(50);
    let block: String = (0..100_000).map(|_| char::from(b'a' + random.below(26) as u8)).collect();
    let text = format!("{{\"k\": \"{}\"}}", block.repeat(500));
    hold("room for it", &text, open(Expect::object()), Ok(&text));
    hold("no room", &text, Expect::object(), Err(("reply_too_long", 8 << 20)));
}

#[test]
fn a_million_escaped_quotes() {
    let quotes = "\\\"".repeat(1_000_000);
    hold("prose", &quotes, Expect::object(), Err(("repetition", 0)));
    hold("prose, open", &quotes, open(Expect::object()), Err(("no_document", 2_000_000)));
    let string = format!("{{\"k\": \"{quotes}");
    // The quote in front of the first backslash belongs to the run.
    hold("string", &string, Expect::object(), Err(("repetition", 6)));
    hold("string, open", &string, open(Expect::object()), Err(("open_string", 2_000_007)));
    let closed = string.clone() + "\"}";
    hold("closed, open", &closed, open(Expect::object()), Ok(&closed));
    let escaped = format!("{{\"k\": \\\"{quotes}");
    hold("escaped string", &escaped, Expect::object(), Err(("escaped_quote_two_readings", 8)));
    // Pairs that can only be inner quotes.
    let pairs = format!("{{\"k\": \\\"{}end\\\"}}", "say \\\"so\\\" and ".repeat(100_000));
    let clean = pairs.replacen("\\\"", "\"", 1).replace("end\\\"", "end\"");
    hold("pairs, open", &pairs, open(Expect::object()), Ok(&clean));
}

#[test]
fn many_fences() {
    hold("empty", &"```\n".repeat(50_000), Expect::object(), Err(("repetition", 0)));
    hold("empty, open", &"```\n".repeat(50_000), open(Expect::object()), Err(("no_document", 200_000)));
    let equal = "```json\n{\"a\": 1}\n```\n".repeat(50_000);
    hold("equal, open", &equal, open(Expect::object()), Ok("{\"a\": 1}"));
    let code = "```py\nprint({\"a\": 1})\n```\n".repeat(50_000) + "{\"b\": 1}";
    hold("code, open", &code, open(Expect::object()), Ok("{\"b\": 1}"));
    let numbered: String = (0..50_000).map(|index| format!("```json\n{{\"a\": {index}}}\n```\n")).collect();
    hold("different", &numbered, Expect::object(), Err(("different_documents", 29)));
    hold("last", &numbered, open(Expect::object()).take(Take::Last), Ok("{\"a\": 49999}"));
    let ticks = "`{".repeat(500_000) + "`";
    hold("ticks, open", &ticks, open(Expect::object()), Err(("no_document", 1_000_001)));
    let alternating = "`~".repeat(500_000);
    hold("alternating", &alternating, Expect::object(), Err(("repetition", 0)));
    hold("alternating, open", &alternating, open(Expect::object()), Err(("no_document", 1_000_000)));
    let ever_longer: String = (3..1500).map(|len| "`".repeat(len) + "\n").collect();
    hold("ever longer", &ever_longer, open(Expect::object()), Err(("no_document", ever_longer.len())));
}

#[test]
fn many_tags() {
    let opened = "<think>\n".repeat(50_000);
    hold("opened", &opened, Expect::object(), Err(("repetition", 0)));
    hold("opened, open", &opened, open(Expect::object()), Err(("open_reasoning", 400_000)));
    let closed = opened.clone() + &"</think>".repeat(50_000) + "{\"a\": 1}";
    hold("closed, open", &closed, open(Expect::object()), Ok("{\"a\": 1}"));
    let unopened = "so {x </think>".repeat(50_000) + "{\"a\": 1}";
    hold("unopened, open", &unopened, open(Expect::object()), Ok("{\"a\": 1}"));
}

#[test]
fn many_keys() {
    let equal = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(99_999));
    hold("equal members", &equal, Expect::object(), Err(("repetition", 1)));
    hold("equal members, open", &equal, open(Expect::object()), Ok(&equal));
    let numbered: String = (0..100_000).map(|index| format!("\"a\":{index},")).collect();
    hold("equal keys", &format!("{{{numbered}"), Expect::object(), Err(("duplicate_key", 7)));
    let prefix = "the_same_long_beginning_of_every_key_of_the_object_";
    let members: String = (0..100_000).map(|index| format!(",\"{prefix}{index}\":1")).collect();
    let different = format!("{{{}}}", &members[1..]);
    hold("different keys", &different, Expect::object(), Ok(&different));
    let one_more = format!("{{{},\"one\":1}}", &members[1..]);
    hold("one more", &one_more, Expect::object(), Err(("too_many_keys", different.len())));
    let again = format!("{{{},\"{prefix}0\":2}}", &members[1..]);
    hold("the first again", &again, Expect::object(), Err(("duplicate_key", different.len())));
    // Each value is compared with the one before: a long one is not read a hundred thousand times.
    let long = format!("{{\"a\":1.{}{}}}", "0".repeat(500_000), ",\"a\":1".repeat(99_999));
    hold("a long value first", &long, open(Expect::object()), Ok(&long));
}

#[test]
fn many_documents() {
    let equal = "{\"a\":1}".repeat(1_000_000);
    hold("equal, open", &equal, open(Expect::object()), Ok("{\"a\":1}"));
    let lines = "{\"a\":1}\n".repeat(900_000);
    hold("on lines, open", &lines, open(Expect::object()), Ok("{\"a\":1}"));
    let lengths: String = (0..100_000).map(|index| format!("{{\"a\":{}1}}\n", " ".repeat(index % 97))).collect();
    hold("lengths, open", &lengths, open(Expect::object()), Ok("{\"a\":1}"));
    let zeros = "0".repeat(500_000);
    let long_first = format!("{{\"a\":1.{zeros}}}\n{}", "{\"a\":1}\n".repeat(100_000));
    let first = format!("{{\"a\":1.{zeros}}}");
    hold("a long one first, open", &long_first, open(Expect::object()), Ok(&first));
    hold("first", &equal, Expect::object().take(Take::First), Ok("{\"a\":1}"));
    let marks = "{x ".repeat(1_000_000);
    hold("marks, open", &marks, open(Expect::object()), Err(("expected_key", 1)));
    let passed = "f({\"a\": 1}) ".repeat(300_000);
    hold("passed over, open", &passed, open(Expect::object()), Err(("no_document", passed.len())));
    let others = "[\"x\"] ".repeat(300_000);
    hold("of the other kind, open", &others, open(Expect::object()), Err(("wrong_root", 0)));
}

#[test]
fn long_tokens() {
    let mut random = Random::new(9);
    let digits: String = (0..1_000_000).map(|_| char::from(b'1' + random.below(9) as u8)).collect();
    hold("integer", &format!("{{\"a\": {digits}}}"), Expect::object(), Err(("number_out_of_range", 6)));
    let fraction = format!("{{\"a\": 0.{digits}}}");
    hold("fraction", &fraction, Expect::object(), Ok(&fraction));
    let exponent = format!("{{\"a\": 1e-{digits}}}");
    hold("exponent", &exponent, Expect::object(), Ok(&exponent));
    hold("open number", &format!("[{digits}"), Expect::any(), Err(("open_number", 1_000_001)));
    hold("bad number", &format!("[\"a\", {digits}x]"), Expect::any(), Err(("invalid_number", 6)));
    let comment = format!("{{\"a\": 1 /*{digits}*/ // {digits}\n}}");
    hold("comments", &comment, Expect::object(), Ok("{\"a\": 1  \n}"));
    let comments = format!("{{\"a\": 1 {}}}", "/**/".repeat(10_001));
    hold("many comments", &comments, open(Expect::object()), Err(("too_many_repairs", 8 + 40_000)));
    let controls = format!("{{\"a\": \"{}\"}}", "\u{1}x".repeat(10_001));
    hold("raw controls", &controls, open(Expect::object()), Err(("too_many_repairs", 7 + 20_000)));
    let escapes = format!("{{\"a\": \"{}\"}}", "\\u00e9\\n\\ud83d\\ude00".repeat(100_000));
    hold("escapes", &escapes, open(Expect::object()), Ok(&escapes));
}

#[test]
fn noise() {
    let mut random = Random::new(1);
    let noise: Vec<u8> = (0..1_000_000).map(|_| random.next_number() as u8).collect();
    let valid = std::str::from_utf8(&noise).map_or_else(|error| error.valid_up_to(), str::len);
    hold_bytes("bytes", &noise, Expect::object(), Err(("invalid_utf8", valid)));
    let text: String = noise.iter().map(|byte| char::from(byte & 0x7F)).filter(|letter| *letter != '{').collect();
    let answers = read(text.as_bytes(), Expect::object(), Ending::Stop);
    let codes = answers.map(|answer| answer.map_err(|failure| (failure.code(), failure.offset())).err());
    assert!(codes[0].is_some() && codes[0] == codes[1], "{codes:?}");
}

/// Steps for a text of so many bytes or a little more, all limits off.
fn steps(shape: fn(usize) -> Cow<'static, str>, len: usize) -> u64 {
    let mut block = String::new();
    while block.len() < len {
        block.push_str(&shape(block.len()));
    }
    let mut reply = Reply::new(Expect::object().limits(Limits::NONE));
    for chunk in chunks(&block, 64) {
        assert!(!reply.push(chunk).is_decided());
    }
    reply.scanner().steps()
}

/// Eight times the text takes eight times the steps.
#[test]
fn steps_grow_with_the_text() {
    type Shape = (&'static str, fn(usize) -> Cow<'static, str>);
    let shapes: [Shape; 8] = [
        ("prose", |at| format!("Line {at:08} says (this) and \"that\", {{x}} [{at:08}] `code`.\n").into()),
        ("document", |at| match at {
            0 => "{\"a\": 1".into(),
            _ => format!(", \"k{at:08}\": [true, null, {{\"x\": -1.5e3}}, \"text\"]").into(),
        }),
        ("fences", |_| "```json\n{\"a\": 1}\n```\nor\n```py\nx = {}\n```\n".into()),
        ("escapes", |at| if at == 0 { "{\"a\": \"".into() } else { "\\\" \\\\ \\n \\u00e9 \\ud83d\\ude00 é".into() }),
        ("escaped string", |at| if at == 0 { "{\"a\": \\\"".into() } else { "say \\\"so\\\" and ".into() }),
        ("white space", |_| " \n\t    \r\n".into()),
        ("white space in a document", |at| if at == 0 { "{\"a\":".into() } else { "  \n \t ".into() }),
        ("marks and tags", |_| "{x {y [z <think> </thin {\"a\", b `` ~~ </\n".into()),
    ];
    for (name, shape) in shapes {
        let (one, eight) = (steps(shape, 1 << 20), steps(shape, 8 << 20));
        assert!(one > 0 && eight as f64 / one as f64 <= 8.2, "{name}: {one} and {eight} steps");
    }
}
