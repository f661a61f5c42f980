//! What holds of a reply that was cut and goes on, and of one whose text is not all kept: the verdict is that of the whole.

use thusfar_core::{Ending, Expect, Failure, FailureKind, Keep, Limits, Position, Reply, Span, Verbatim, Verdict};

use crate::check::Report;
use crate::workload::Random;

/// Cuts that are tried of a reply that is longer; of a very long one, as many as read 1 MiB in all.
const CUTS: usize = 48;

/// A reply that is longer is not read byte by byte once more.
const LONG: usize = 16 << 10;

/// A reply that is cut anywhere, and goes on where it was cut, is the reply that was not: at every place, up to so many. One that had
/// failed before the cut does not go on: its failure is that of the whole, but that less of the text behind it may be quoted.
///
/// # Panics
///
/// If it is not.
pub fn resumed(bytes: &[u8], expect: Expect, ending: Ending, whole: &Report) {
    let mut random = Random::new(bytes.len() as u64 ^ 0x5eed);
    let places: Vec<usize> = match bytes.len() <= CUTS {
        true => (0..=bytes.len()).collect(),
        false => (0..((1 << 20) / bytes.len()).clamp(2, CUTS)).map(|_| random.below(bytes.len() + 1)).collect(),
    };
    let cuts = [Ending::Length, Ending::Stop, Ending::Cancelled, Ending::Unknown];
    for (index, at) in places.into_iter().enumerate() {
        let mut reply = Reply::new(expect);
        let _ = reply.push_bytes(&bytes[..at]);
        let Err(failure) = reply.finish(cuts[index % cuts.len()]) else { continue };
        let text = || String::from_utf8_lossy(bytes).into_owned();
        match failure.resume(Verbatim) {
            Ok(mut reply) => {
                let _ = reply.push_bytes(&bytes[at..]);
                let report = Report::of(&reply.finish(ending));
                assert_eq!(report, *whole, "cut at {at}: {:?}", text());
            }
            Err(failure) => {
                let mut early = Report::of(&Err(failure));
                if let (Report::Failure { excerpt: short, .. }, Report::Failure { excerpt, .. }) = (&mut early, whole) {
                    assert!(excerpt.starts_with(&**short), "cut at {at}: {:?}", text());
                    short.clone_from(excerpt);
                }
                assert_eq!(early, *whole, "failed before {at}: {:?}", text());
            }
        }
    }
}

/// What can be said where not all of the text is kept.
#[derive(Debug, PartialEq)]
enum Said {
    Document(Span, usize),
    Failure(&'static str, FailureKind, usize, usize),
}

impl Said {
    fn of(verdict: &Result<Verdict, Failure>) -> Self {
        match verdict {
            Ok(verdict) => Said::Document(verdict.span(), verdict.repair_count()),
            Err(it) => Said::Failure(it.code().as_str(), it.kind(), it.offset(), it.decided_at()),
        }
    }
}

/// What is said of the text that is kept.
type Quoted = Option<(String, Option<Position>, String)>;

fn read<'a>(chunks: impl Iterator<Item = &'a [u8]>, expect: Expect, ending: Ending) -> (Said, Quoted) {
    let mut reply = Reply::new(expect);
    chunks.for_each(|chunk| _ = reply.push_bytes(chunk));
    let verdict = reply.verdict(ending);
    let quoted = verdict.as_ref().err().map(|it| (it.excerpt().to_owned(), it.position(), it.path().to_owned()));
    (Said::of(&verdict), quoted)
}

/// The verdict does not depend on how much is kept, but that a repetition is only seen as far as the text is kept.
///
/// # Panics
///
/// If it does.
pub fn kept(bytes: &[u8], expect: Expect, ending: Ending) {
    same(bytes, expect, ending);
    let Limits { repetition, other_repetition, .. } = *expect.limits_in_force();
    let blind = Limits { repetition: None, other_repetition: None, ..*expect.limits_in_force() };
    let all = read([bytes].into_iter(), expect.limits(blind), ending);
    let text = || String::from_utf8_lossy(bytes).into_owned();
    let (piece, keeps) = match bytes.len() > LONG {
        true => (997, &[Keep::Tail(100)][..]),
        false => (1, &[Keep::Nothing, Keep::Tail(1), Keep::Tail(100)][..]),
    };
    for &keep in keeps {
        let expect = expect.limits(blind).keep(keep);
        let whole = read([bytes].into_iter(), expect, ending);
        assert_eq!(whole.0, all.0, "{keep:?}: {:?}", text());
        for len in [piece, 7 * piece] {
            assert_eq!(read(bytes.chunks(len), expect, ending), whole, "{keep:?}, in pieces of {len}: {:?}", text());
        }
        let Some(((excerpt, position, path), (full, right, pointer))) = whole.1.as_ref().zip(all.1.as_ref()) else {
            continue;
        };
        assert!(full.contains(&**excerpt), "{keep:?}: {excerpt:?} of {full:?}");
        assert!(path.is_empty() || path == pointer, "{keep:?}: {path}");
        assert!(position.is_none() || position == right, "{keep:?}: {position:?} for {right:?}");
    }
    if (repetition, other_repetition) != (None, None) {
        let all = read([bytes].into_iter(), expect, ending);
        let tail = expect.keep(Keep::Tail(4096));
        let whole = read([bytes].into_iter(), tail, ending);
        assert_eq!(whole.0, all.0, "a tail: {:?}", text());
        assert_eq!(read(bytes.chunks(61 * piece), tail, ending), whole, "a tail: {:?}", text());
    }
}

/// A verdict is the answer without the text.
fn same(bytes: &[u8], expect: Expect, ending: Ending) {
    let mut reply = Reply::new(expect);
    let _ = reply.push_bytes(bytes);
    match (reply.clone().finish(ending), reply.verdict(ending)) {
        (Ok(document), Ok(verdict)) => {
            assert_eq!((document.span(), document.repairs().len()), (verdict.span(), verdict.repair_count()));
            assert_eq!(document.warnings(), verdict.warnings());
        }
        (Err(answer), Err(verdict)) => assert_eq!(answer.to_string(), verdict.to_string()),
        (answer, verdict) => panic!("{answer:?} and {verdict:?}"),
    }
}
