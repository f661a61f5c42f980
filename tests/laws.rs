//! The laws of `testkit::law` on what is at hand: what a fuzzer once found, its seeds, and every row of the corpora.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use thusfar::{Ending, Expect, Limits, Reply};
use thusfar_testkit::law::{self, Input};
use thusfar_testkit::workload::Random;
use thusfar_testkit::{corpus, generate};

/// Every file of a folder under every law; how many there are.
fn replay(folder: &str) -> usize {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder").flatten();
    let (mut count, mut broken) = (0, Vec::new());
    for path in files.map(|file| file.path()) {
        let bytes = fs::read(&path).expect("a file");
        let input = Input::of(&bytes).unwrap_or_else(|| panic!("no first line: {}", path.display()));
        let breaks = |law: law::Law| catch_unwind(|| law(&input)).is_err();
        let laws = law::ALL.into_iter().filter(|(_, law)| breaks(*law));
        broken.extend(laws.map(|(name, _)| format!("{name}: {}", path.display())));
        count += 1;
    }
    assert!(broken.is_empty(), "broken, and told above:\n{}", broken.join("\n"));
    count
}

/// Named by what broke.
#[test]
fn what_a_fuzzer_found() {
    assert!(replay("tests/corpus/regressions") > 0);
}

#[test]
fn the_seeds_of_the_fuzzer() {
    assert!(replay("fuzz/seeds") > 0);
}

/// As the row says, and as chance says.
#[test]
fn the_corpora() {
    let mut random = Random::new(11);
    for (_, root, text) in corpus::replies() {
        let reply = text.as_bytes();
        let first_line: Vec<u8> = (0..7).map(|_| random.below(256) as u8).collect();
        let bytes = [&*first_line, reply].concat();
        let by_chance = Input::of(&bytes).expect("a first line");
        let cuts = [random.below(16), random.below(16), 1 + random.below(16)];
        let as_meant = Input { expect: Expect::root(root), ending: Ending::Unknown, cuts, reply };
        for (_, law) in law::ALL {
            law(&as_meant);
            law(&by_chance);
        }
    }
}

/// What the generator of damage does to a document, cut by chance. `MORE_CASES=20` tries twenty times as many, from a seed of their own.
#[test]
fn damaged_replies() {
    let more = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    let mut random = Random::new(12 + more as u64);
    for _ in 0..400 * more {
        let case = generate::case(&mut random);
        for _ in 0..16 {
            let damaged = case.one(&mut random);
            let cuts = [random.below(16), random.below(16), 1 + random.below(16)];
            let ending = Ending::ALL[random.below(9)].0;
            let input = Input { expect: Expect::root(case.root), ending, cuts, reply: damaged.reply.as_bytes() };
            law::ALL.into_iter().for_each(|(_, law)| law(&input));
        }
    }
}

/// Numbers in a row and what may stand between them, in chunks of a few bytes and of many; with a break, what it leaves to the prose behind it.
#[test]
fn numbers_in_a_row() {
    const PIECES: [&str; 24] = [
        "1",
        "0",
        "-7",
        "12.5",
        "1234567",
        "123456789012345",
        "1234567890123456",
        "3e8",
        "2E-30",
        "1e309",
        "01",
        ",",
        ",",
        ",",
        ", ",
        ",\n",
        "\n",
        "  ",
        "\t",
        "// c\n",
        "/* c */",
        "]",
        "[",
        "\"s\"",
    ];
    let more = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    let mut random = Random::new(13 + more as u64);
    for _ in 0..20_000 * more {
        let mut reply = String::from(if random.chance(70) { "[1," } else { "So: {\"a\": [" });
        // Sometimes anything, sometimes mostly elements: then what is read at once is long.
        let elements = [0, 60, 95][random.below(3)];
        for _ in 0..4 + random.below(40) {
            if random.chance(1) {
                // Too large from about two hundred digits on.
                reply.push_str(&"9".repeat(150 + random.below(120)));
                reply.push_str("e99,");
            } else if random.chance(2) {
                // Another frame; white space that is too long from 128 bytes on.
                let space = " ".repeat(random.below(300));
                reply.push_str([",", "],\"k\":", "{\"k\":", "},", &space][random.below(5)]);
            } else if random.chance(elements) {
                reply.push_str(PIECES[random.below(9)]);
                let behind = if random.chance(10) { 7 } else { 3 };
                reply.push_str(PIECES[11 + random.below(behind)]);
            } else {
                reply.push_str(random.pick(&PIECES));
            }
        }
        reply.push_str(["]", "]}", " x\n1. [{\"b\": 2}]", "\n```\n{}\n```", ""][random.below(5)]);
        let most = [4, 9, 64][random.below(3)];
        let cuts = [1 + random.below(most), 1 + random.below(most), 1 + random.below(most)];
        let root = law::ROOTS[random.below(4)];
        let expect = Expect::root(root).limits(Limits { white_space: Some(0), ..Limits::default() });
        let input = Input { expect, ending: Ending::Stop, cuts, reply: reply.as_bytes() };
        law::plain(&input);
        law::any_chunking(&input);
        let (text, mut cut, mut whole) = (input.text(), Reply::new(input.expect), Reply::new(input.expect));
        for (number, chunk) in input.chunks_of_text(&text).enumerate() {
            let _ = if number % 5 == 4 { cut.push_bytes(chunk.as_bytes()) } else { cut.push(chunk) };
        }
        let _ = whole.push(&text);
        assert_eq!((cut.progress(), cut.pieces()), (whole.progress(), whole.pieces()), "{input:?}: {text:?}");
        let answer = |reply: Reply| match reply.finish(Ending::Stop) {
            Ok(document) => Ok(document.text().to_owned()),
            Err(failure) => Err((failure.code(), failure.offset(), failure.decided_at())),
        };
        assert_eq!(answer(cut), answer(whole), "{input:?}: {text:?}");
    }
}

/// All that an input can choose can be written as text.
#[test]
fn every_choice_can_be_written() {
    let letters = || b'?'..=b'~';
    let choices = |place: usize| {
        let chosen = letters().map(|letter| {
            let mut bytes = *b"@@@@@@\n";
            bytes[place] = letter;
            let input = Input::of(&bytes).expect("a first line");
            format!("{:?} {:?} {:?}", input.expect, input.ending, input.cuts)
        });
        chosen.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!([0, 1, 2, 3, 4, 5].map(choices), [18, 64, 64, 64, 64, 64]);
}
