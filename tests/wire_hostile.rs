//! Bodies made to hurt: each gives the items and the end that it must, in whatever chunks, and holds no more than its limits.
//!
//! Too large for every cut: they are read in chunks of 1,000 bytes, of 64 KiB and in one, and a short piece of each under every
//! cut. Nothing is timed: what is held and what is asked for are counted, and work that grew with the square would not end.

mod counting;

use thusfar::stream::{BodyKind, ErrorKind, Limits};
use thusfar_testkit::random::Random;
use thusfar_testkit::wire::{Decoder, End, check_wire, checksum, named};

use counting::taken;

const MIB: usize = 1 << 20;

/// What came of a body.
#[derive(Debug, PartialEq)]
struct Outcome {
    item_count: usize,
    items_len: usize,
    end: Result<End, (ErrorKind, u64)>,
}

/// Reads in chunks of some length; the most that was held, and the bytes that were asked for.
fn read(decoder: &Decoder, limits: Limits, body: &[u8], chunk_len: usize) -> (Outcome, usize, usize) {
    let mut outcome = Outcome { item_count: 0, items_len: 0, end: Err((ErrorKind::Json, 0)) };
    let mut most = 0;
    let (_, asked) = taken(|| {
        let mut wire = (decoder.make)(limits);
        'chunks: for mut chunk in body.chunks(chunk_len) {
            loop {
                match wire.next_item(&mut chunk) {
                    Ok(Some(item)) => {
                        outcome.item_count += 1;
                        outcome.items_len += item.event().map_or(0, |event| event.data().len());
                    }
                    Ok(None) => break,
                    Err(_) => break 'chunks,
                }
                most = most.max(wire.heap_len());
            }
            most = most.max(wire.heap_len());
        }
        outcome.end = wire.finish().map(|eof| End::of(&eof)).map_err(|error| (error.kind(), error.offset()));
    });
    (outcome, most, asked)
}

/// A body, and what must come of it.
struct Hostile {
    name: &'static str,
    framing: &'static str,
    limits: Limits,
    /// Stands once in front.
    front: &'static str,
    /// Stands over and over.
    piece: Vec<u8>,
    count: usize,
    /// How many items come out, of how many bytes in all.
    items: (usize, usize),
    end: Wanted,
    /// Bytes that may be held.
    most: usize,
}

enum Wanted {
    /// The end is a diagnosis of this kind, or none.
    Whole(Option<BodyKind>),
    Failed(ErrorKind, usize),
}

use Wanted::{Failed, Whole};

fn hold(hostile: &Hostile) {
    let Hostile { name, framing, limits, front, piece, count, items, end, most } = hostile;
    let decoder = named(framing);
    let short = [front.as_bytes(), &piece.repeat(40.min(600 / piece.len().max(1)).max(1))].concat();
    if short.len() < 20_000 {
        let _ = check_wire(&decoder, *limits, &short);
        let few = Limits { line_len: Some(50), event_len: Some(40), frame_len: Some(200) };
        let _ = check_wire(&decoder, few, &short);
    }
    let body = [front.as_bytes(), &piece.repeat(*count)].concat();
    let mut first = None;
    for chunk_len in [1_000, 64 << 10, body.len()] {
        let (outcome, held, asked) = read(&decoder, *limits, &body, chunk_len);
        assert!(held <= *most, "{name}: {held} bytes held, chunks of {chunk_len}");
        // A line that breaks where it began a document costs the scanner a note of some bytes.
        assert!(asked <= 12 * body.len() + (64 << 10), "{name}: {asked} bytes asked for, chunks of {chunk_len}");
        let got = (outcome.item_count, outcome.items_len);
        assert_eq!(got, *items, "{name}: items, chunks of {chunk_len}");
        match (&outcome.end, end) {
            (Err(error), Failed(kind, offset)) => assert_eq!(*error, (*kind, *offset as u64), "{name}"),
            (Ok(end), Whole(kind)) => assert_eq!(end.stray.as_ref().map(|stray| stray.kind), *kind, "{name}"),
            (end, _) => panic!("{name}: {end:?}"),
        }
        assert_eq!(first.get_or_insert_with(|| Outcome { ..outcome.shallow() }), &outcome, "{name}");
    }
}

impl Outcome {
    fn shallow(&self) -> Self {
        Self { end: self.end.clone(), ..*self }
    }
}

fn hostile(name: &'static str, framing: &'static str, piece: &str, count: usize) -> Hostile {
    Hostile {
        name,
        framing,
        limits: Limits::default(),
        front: "",
        piece: piece.as_bytes().to_vec(),
        count,
        items: (0, 0),
        end: Whole(None),
        most: 16 << 10,
    }
}

#[test]
fn lines_without_end() {
    const MOST: usize = 8 * MIB;
    let long = |name, front| Hostile {
        front,
        end: Failed(ErrorKind::LineTooLong(MOST), MOST),
        most: 2 * MOST + (16 << 10),
        ..hostile(name, "sse", "xxxxxxxxxxxxxxxx", MOST / 16)
    };
    hold(&long("data", "data: "));
    hold(&long("an unknown field", "unknown: "));
    hold(&long("no field", "x"));
    hold(&long("a type", "event: "));
    hold(&long("an id", "id: "));
    hold(&long("an error", "error: "));
    // Of a comment nothing is kept.
    hold(&Hostile { most: 0, ..long("a comment", ": ") });
    let free = Hostile {
        limits: Limits::NONE,
        count: 2 * MIB,
        end: Whole(Some(BodyKind::NoEvents)),
        most: 0,
        ..long("a comment, free", ": ")
    };
    hold(&free);
    // Behind data, which are kept.
    let behind = "data: 1\nunknown: ";
    hold(&Hostile { end: Failed(ErrorKind::LineTooLong(MOST), MOST + 8), ..long("behind data", behind) });
}

#[test]
fn a_million_lines() {
    let lines = |name, piece| hostile(name, "sse", piece, 1_000_000);
    let no_events = Whole(Some(BodyKind::NoEvents));
    hold(&Hostile { end: Whole(Some(BodyKind::Empty)), most: 0, ..lines("blank, LF", "\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::Empty)), most: 0, ..lines("blank, CR", "\r") });
    hold(&Hostile { end: Whole(Some(BodyKind::Empty)), most: 0, ..lines("blank, CRLF", "\r\n") });
    hold(&Hostile { end: no_events, most: 0, ..lines("comments", ":\n") });
    hold(&Hostile { end: Whole(None), items: (1_000_000, 0), ..lines("empty events", "data\n\n") });
    hold(&Hostile { end: Whole(None), items: (1_000_000, 0), most: 1 << 10, ..lines("errors", "error: 1\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::NoEvents)), most: 1 << 10, ..lines("ids", "id: 1\n\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::NoEvents)), most: 1 << 10, ..lines("types", "event: x\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::NoEvents)), most: 1 << 10, ..lines("retries", "retry: 9\n\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::Text)), ..lines("unknown fields", "x: 1\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::Binary)), ..lines("no JSON", "{\n\u{0}\n") });
    // Each may be the beginning of a document, and the last one is quoted.
    let strays = lines("strays between events", "{\ndata: 1\n\n");
    hold(&Hostile { end: Whole(Some(BodyKind::Json)), items: (1_000_000, 1_000_000), ..strays });
}

#[test]
fn a_million_lines_of_one_event() {
    let lines = |name, piece, count| Hostile { most: 4 * MIB + (64 << 10), ..hostile(name, "sse", piece, count) };
    hold(&Hostile { end: Whole(Some(BodyKind::NoEvents)), ..lines("data", "data: x\n", 1_000_000) });
    hold(&Hostile { end: Whole(Some(BodyKind::NoEvents)), ..lines("data, CRLF", "data:xx\r\n", 1_000_000) });
    // Each line is one byte and the line feed before it.
    let limits = Limits { event_len: Some(MIB - 1), ..Limits::default() };
    let end = Failed(ErrorKind::EventTooLong(MIB - 1), (MIB / 2) * 8);
    hold(&Hostile { limits, end, ..lines("data, limited", "data: x\n", 1_000_000) });
    let end = Failed(ErrorKind::EventTooLong(8 * MIB), (8 * MIB + 1) * 5);
    hold(&Hostile { end, most: 16 * MIB + (64 << 10), ..lines("empty data", "data\n", 9 * MIB) });
}

#[test]
fn noise() {
    let mut random = Random::new(3);
    let noise: Vec<u8> = (0..4 * MIB).map(|_| random.next_number() as u8).collect();
    for framing in ["sse", "ndjson", "array", "aws", "body"] {
        let kinds = [BodyKind::Binary];
        let outcomes = [1_000, 64 << 10, noise.len()].map(|chunk_len| {
            let (outcome, held, asked) = read(&named(framing), Limits::default(), &noise, chunk_len);
            assert!(held <= 32 << 10, "{framing}: {held} bytes held, chunks of {chunk_len}");
            assert!(asked <= 4 * noise.len(), "{framing}: {asked} bytes asked for, chunks of {chunk_len}");
            outcome
        });
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{framing}");
        let stray = outcomes[0].end.as_ref().ok().and_then(|end| end.stray.as_ref());
        assert!(
            outcomes[0].item_count == 0 && stray.is_some_and(|stray| kinds.contains(&stray.kind)),
            "{framing}: {stray:?}"
        );
    }
}

#[test]
fn json_lines() {
    const MOST: usize = 8 * MIB;
    let lines = |name, piece| hostile(name, "ndjson", piece, 1_000_000);
    hold(&Hostile { end: Whole(Some(BodyKind::Empty)), most: 0, ..lines("blank", "\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::Empty)), most: 1 << 10, ..lines("white space", " \t\r\n") });
    hold(&Hostile { items: (1_000_000, 2_000_000), most: 1 << 10, ..lines("records", "{}\n") });
    // A bit for each frame that is open.
    let frames = Hostile { most: (16 << 10) + (1 << 17), ..lines("openers of arrays", "[\n") };
    hold(&Hostile { end: Whole(Some(BodyKind::Json)), ..frames });
    hold(&Hostile { end: Whole(Some(BodyKind::Text)), ..lines("openers of objects", "{\n") });
    hold(&Hostile { end: Whole(Some(BodyKind::Text)), ..lines("words", "word\n") });
    let long = Hostile {
        front: "{\"a\": \"",
        end: Failed(ErrorKind::LineTooLong(MOST), MOST),
        most: 2 * MOST + (16 << 10),
        ..hostile("a line without end", "ndjson", "xxxxxxxxxxxxxxxx", MOST / 16)
    };
    hold(&long);
}

#[test]
fn json_arrays() {
    const MOST: usize = 8 * MIB;
    let pieces = |name, front, piece| Hostile { front, ..hostile(name, "array", piece, 1_000_000) };
    hold(&Hostile { items: (1_000_000, 1_000_000), ..pieces("numbers", "[", "1,") });
    hold(&Hostile { items: (1_000_000, 2_000_000), ..pieces("objects", "[", "{},") });
    hold(&Hostile { end: Whole(Some(BodyKind::NoEvents)), ..pieces("white space", "[", " \n") });
    let limits = Limits { event_len: Some(MIB / 2), ..Limits::default() };
    let end = || Failed(ErrorKind::EventTooLong(MIB / 2), MIB / 2 + 1);
    hold(&Hostile { limits, end: end(), most: 2 * MIB, ..pieces("openers", "[", "[") });
    hold(&Hostile { limits, end: end(), most: 2 * MIB, ..pieces("closers in strings", "[\"", "}]") });
    hold(&Hostile { limits, end: end(), most: 2 * MIB, ..pieces("closers in strings of an array", "[[[[\"", "}]") });
    let long = Hostile {
        front: "[{\"a\": \"",
        end: Failed(ErrorKind::EventTooLong(MOST), MOST + 1),
        most: 2 * MOST + (64 << 10),
        ..hostile("a string without end", "array", "xxxxxxxxxxxxxxxx", MOST / 16 + 1)
    };
    hold(&long);
}

/// A frame of 4 GiB that never comes reserves nothing.
#[test]
fn lengths_that_are_only_said() {
    let limits = Limits { frame_len: None, ..Limits::default() };
    // The prelude of a frame of 0xFFFFFF00 bytes without headers, and its checksum.
    let prelude = [0xFF, 0xFF, 0xFF, 0x00, 0, 0, 0, 0];
    let body = [&prelude[..], &checksum(&prelude).to_be_bytes(), &vec![0; MIB]].concat();
    for chunk_len in [1_000, body.len()] {
        let (outcome, held, _) = read(&named("aws"), limits, &body, chunk_len);
        assert!(held <= 3 * MIB, "{held} bytes held");
        assert!(outcome.end.is_ok_and(|end| end.is_cut) && outcome.item_count == 0);
        let (outcome, held, _) = read(&named("aws"), Limits::default(), &body, chunk_len);
        assert!(held <= 1 << 10, "{held} bytes held");
        assert_eq!(outcome.end.err(), Some((ErrorKind::FrameTooLong(32 * MIB), 0)));
    }
}
