//! What reading costs: allocations are counted, sizes are held, and everything can be sent to another thread.

mod counting;

use thusfar::{Document, Ending, Expect, Failure, Keep, Limits, Progress, Repair, Reply, Scanner, Verdict, Warning};
use thusfar_testkit::workload::{chunks, dirty_w2, named};

use counting::{held, taken};

/// Bytes of a scanner: ten thousand streams take a few megabytes.
const SCANNER_MOST: usize = 512;

/// How many allocations some work makes.
fn allocations(work: impl FnOnce()) -> usize {
    taken(work).0
}

/// Streams of a busy gateway.
const STREAMS: usize = 10_000;

/// Pushes 4-byte chunks; the allocations from the middle on.
fn from_the_middle(mut reply: Reply, text: &str) -> usize {
    let pieces = chunks(text, 4);
    let (front, back) = pieces.split_at(pieces.len() / 2);
    front.iter().for_each(|chunk| _ = reply.push(chunk));
    assert!(!matches!(reply.progress(), Progress::Closed | Progress::Final | Progress::Doomed));
    let made = allocations(|| back.iter().for_each(|chunk| _ = reply.push(chunk)));
    assert_eq!(reply.progress(), Progress::Closed);
    made
}

#[test]
fn a_reply_with_room_allocates_nothing_for_a_chunk() {
    for name in ["W2", "W4", "W5", "W6"] {
        let text = named(name).text;
        let reply = Reply::new(Expect::any()).with_capacity(text.len());
        assert_eq!(from_the_middle(reply, &text), 0, "{name}");
    }
}

#[test]
fn without_room_only_the_text_grows() {
    let text = named("W2").text;
    let made = from_the_middle(Reply::new(Expect::any()), &text);
    assert!(made <= 1, "the second half doubles the text at most once: {made}");
}

#[test]
fn repairs_grow_a_list_and_nothing_else() {
    let text = dirty_w2();
    let reply = Reply::new(Expect::any()).with_capacity(text.len());
    let made = from_the_middle(reply, &text);
    assert!(made <= 2, "four hundred repairs, two hundred in the second half: {made}");
}

/// Room for what it finds in the text, for a fence, for what stands behind the document: each when the first of it comes.
#[test]
fn a_scanner_allocates_a_few_times() {
    for name in ["W1", "W2", "W4", "W5", "W6"] {
        let text = format!("Here:\n```json\n{}\n```\nDone.", named(name).text);
        let pieces = chunks(&text, 4);
        let mut scanner = Scanner::new(&Expect::any());
        let made = allocations(|| pieces.iter().for_each(|chunk| _ = scanner.push(chunk, &mut ())));
        assert_eq!((scanner.progress(), made), (Progress::Closed, 3), "{name}");
    }
    // A frame is one bit; 64 of them need no room of their own.
    let deep = "[".repeat(64) + &"]".repeat(64);
    let mut scanner = Scanner::new(&Expect::any().limits(Limits::NONE));
    assert_eq!(allocations(|| _ = scanner.push(&deep, &mut ())), 1);
}

#[test]
fn a_new_reply_allocates_nothing() {
    assert_eq!(allocations(|| drop(Reply::new(Expect::any()))), 0);
}

#[test]
fn ten_thousand_idle_scanners() {
    let idle = || {
        let mut scanner = Scanner::new(&Expect::object());
        let _ = scanner.push("Here: {\"items\": [{\"note\": \"so far", &mut ());
        scanner
    };
    let (bytes, scanners) = held(|| (0..STREAMS).map(|_| idle()).collect::<Vec<_>>());
    assert!(scanners.iter().all(|scanner| scanner.progress() == Progress::Open));
    assert!((2_000_000..STREAMS as isize * SCANNER_MOST as isize).contains(&bytes), "{bytes} bytes");
}

#[test]
fn ten_thousand_idle_replies_with_a_tail() {
    let text = format!("Here: {{\"items\": [{{\"id\": 7, \"note\": \"{}", "some more text and ".repeat(300));
    let (text, limits) = (&text[..5_000], Limits { repetition: None, other_repetition: None, ..Limits::default() });
    let idle = |keep| {
        let mut reply = Reply::new(Expect::object().limits(limits).keep(keep));
        chunks(text, 61).into_iter().for_each(|chunk| _ = reply.push(chunk));
        reply
    };
    let (bytes, replies) = held(|| (0..STREAMS).map(|_| idle(Keep::Tail(4096))).collect::<Vec<_>>());
    assert!(replies.iter().all(|reply| reply.progress() == Progress::Open));
    assert!((40_960_000..60_000_000).contains(&bytes), "{bytes} bytes");
    let failure = replies.into_iter().next().map(|reply| reply.verdict(Ending::Length));
    assert!(failure.is_some_and(|verdict| verdict.is_err_and(|failure| failure.raw().len() == 4096)));

    let (bytes, replies) = held(|| (0..STREAMS).map(|_| idle(Keep::Nothing)).collect::<Vec<_>>());
    assert!((10_000_000..20_000_000).contains(&bytes), "{bytes} bytes for {} replies without text", replies.len());
}

#[test]
fn a_tail_allocates_nothing_for_a_chunk() {
    for name in ["W2", "W4", "W6"] {
        let text = named(name).text;
        let pieces = chunks(&text, 4);
        let mut reply = Reply::new(Expect::any().keep(Keep::Tail(4096)));
        let (front, back) = pieces.split_at(pieces.len() / 2);
        front.iter().for_each(|chunk| _ = reply.push(chunk));
        assert_eq!(
            allocations(|| back.iter().for_each(|chunk| _ = reply.push(chunk))),
            1,
            "{name}: the root that closed"
        );
        assert_eq!(reply.progress(), Progress::Closed);
    }
}

#[test]
fn sizes() {
    let mut scanner = Scanner::new(&Expect::any());
    let _ = scanner.push("Here: {\"items\": [{\"note\": \"so far", &mut ());
    let len = size_of::<Scanner>() + scanner.heap_len();
    assert!(len <= SCANNER_MOST, "{len} bytes, what lies elsewhere among them");
    assert_eq!(size_of::<Failure>(), size_of::<usize>(), "a failure is one pointer wide");
    assert_eq!(size_of::<Option<Failure>>(), size_of::<usize>(), "and so is an optional one");
}

#[test]
fn everything_can_be_sent_and_shared() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Reply>();
    shared::<Scanner>();
    shared::<Document>();
    shared::<Failure>();
    shared::<Verdict>();
    shared::<Repair>();
    shared::<Warning>();
    shared::<Expect>();
}
