//! `check()`: one reply, read under every way of cutting it, must give one report. Nothing else runs a parser test.
//!
//! Whole, byte by byte, at every 2-split (up to 2 KiB; sampled beyond), at 64 random 3-splits (fewer of a long one), with empty
//! pushes between and a clone half-way. On the way it holds the [laws](crate::law): pieces tile the reply, each verdict is told at the byte it names, progress
//! never goes back from a decision, a document is what `serde_json` reads, the scanner's cleaned stream is the document, a live view
//! only grows into it; and that steps are bounded.

use thusfar_core::{Ending, Expect, Reply};

use crate::kept::{kept, resumed};
use crate::law::{self, Input};
pub use crate::report::Report;
use crate::workload::Random;

/// Looks at the view of a reply, which is read byte by byte for it; a longer one is looked at by tests of its own.
const LOOKS: usize = 6;
const LOOKED_AT: usize = 16 << 10;

/// Reads a reply under every way of cutting it; panics where two differ.
pub fn check(text: &str, expect: Expect, ending: Ending) -> Report {
    check_bytes(text.as_bytes(), expect, ending)
}

/// The same for bytes that may be no text.
pub fn check_bytes(bytes: &[u8], expect: Expect, ending: Ending) -> Report {
    let whole = read([bytes], expect, ending);
    let same = |other: &Report, how: &str| assert_eq!(*other, whole, "{how}: {:?}", String::from_utf8_lossy(bytes));
    same(&byte_by_byte(bytes, expect, ending), "byte by byte");
    for at in places(bytes.len()) {
        let (front, back) = bytes.split_at(at);
        same(&read([front, back], expect, ending), &format!("split at {at}"));
    }
    let mut random = Random::new(bytes.len() as u64 + 1);
    for _ in 0..samples(bytes.len()).div_ceil(8) {
        let mut cuts = [random.below(bytes.len() + 1), random.below(bytes.len() + 1)];
        cuts.sort_unstable();
        let chunks = [&bytes[..cuts[0]], &bytes[cuts[0]..cuts[1]], &bytes[cuts[1]..]];
        same(&read(chunks, expect, ending), &format!("split at {cuts:?}"));
    }
    let half = bytes.len() / 2;
    same(&cloned(&bytes[..half], &bytes[half..], expect, ending), "a clone half-way");
    resumed(bytes, expect, ending, &whole);
    kept(bytes, expect, ending);
    if let Ok(text) = core::str::from_utf8(bytes) {
        let mut reply = Reply::new(expect);
        let _ = reply.push(text);
        let _ = law::tiled(&reply);
        same(&Report::of(&reply.finish(ending)), "pushed as text");
    }
    let input = Input { expect, ending, cuts: [0, 1, 1], reply: bytes };
    for law in [law::strict, law::cleaned, law::reread] {
        law(&input);
    }
    if bytes.len() <= LOOKED_AT {
        law::live_at(&Input { cuts: [0, 3, 8], ..input }, LOOKS);
    }
    whole
}

/// How many cuts are tried where not all are: 512, and of a long reply as many as push 8 MiB in all.
fn samples(len: usize) -> usize {
    ((8 << 20) / len.max(1)).clamp(4, 512)
}

/// Every place up to 2 KiB, a sample of them beyond.
fn places(len: usize) -> Vec<usize> {
    if len <= 2048 {
        return (0..=len).collect();
    }
    let mut random = Random::new(len as u64);
    (0..samples(len)).map(|_| random.below(len + 1)).collect()
}

fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, expect: Expect, ending: Ending) -> Report {
    let (reply, verdict) = law::push(chunks.into_iter(), expect);
    law::finish(reply, verdict, ending)
}

fn cloned(front: &[u8], back: &[u8], expect: Expect, ending: Ending) -> Report {
    let mut reply = Reply::new(expect);
    let _ = reply.push_bytes(front);
    let mut copy = reply.clone();
    let _ = reply.push_bytes(b"{\"never\": \"read\"}");
    drop(reply);
    let _ = copy.push_bytes(back);
    Report::of(&copy.finish(ending))
}

/// One byte a push, with empty pushes between. Steps are bounded.
fn byte_by_byte(bytes: &[u8], expect: Expect, ending: Ending) -> Report {
    let chunks = bytes.iter().flat_map(|byte| [&[], core::slice::from_ref(byte)]);
    let (mut reply, verdict) = law::push(chunks, expect);
    let steps = reply.scanner().steps();
    assert!(steps <= 3 * bytes.len() as u64 + 8, "{steps} steps for {} bytes", bytes.len());
    law::finish(reply, verdict, ending)
}
