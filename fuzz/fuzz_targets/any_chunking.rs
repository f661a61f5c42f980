//! However a reply is cut, the report is the same. The first bytes choose the ending and the cuts, the rest is the reply.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thusfar_core::{Ending, Expect, Repair, Reply};

/// Code, offset and the byte of certainty of a failure (`ok` and nothing for a document), text, repairs.
type Report = (&'static str, usize, usize, String, Vec<Repair>);

fn report<'a>(pieces: impl Iterator<Item = &'a [u8]>, ending: Ending) -> Report {
    let mut reply = Reply::new(Expect::any());
    pieces.for_each(|piece| _ = reply.push_bytes(piece));
    match reply.finish(ending) {
        Ok(it) => ("ok", 0, 0, it.text().to_owned(), it.repairs().to_vec()),
        Err(it) => (it.code().as_str(), it.offset(), it.decided_at(), String::new(), it.repairs().to_vec()),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&[ending, cuts @ ..], mut rest)) = data.split_first_chunk::<4>() else { return };
    let ending = Ending::ALL[usize::from(ending) % Ending::ALL.len()].0;
    let whole = report(std::iter::once(rest), ending);
    let split = cuts.into_iter().cycle().map_while(|cut| {
        let (piece, tail) = rest.split_at(rest.len().min(1 + usize::from(cut) % 24));
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    });
    assert_eq!(whole, report(split, ending));
});
