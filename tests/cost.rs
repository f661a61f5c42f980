//! What reading costs: steps and allocations are counted, bytes and sizes are held, and everything can be sent to another thread.
//!
//! Figures stand in tables of ceilings. Where one is broken the failure shows what was counted, in the form of the table.

mod counting;

use thusfar::stream::{self, Body, Eof, Item, Session, SessionOptions, Summary, array, ndjson, sse};
use thusfar::{Change, Cursor, Elements, Live, Node, Partial, Tree, View};
use thusfar::{Document, Ending, Expect, Failure, Keep, Limits, Progress, Repair, Reply, Scanner, Verdict, Warning};
use thusfar_contract::{Contract, Monitor};
use thusfar_testkit::workload::{chunks, dirty_w2, named, s, schema_of};

use counting::{held, peak, taken};

/// Bytes of a scanner: ten thousand streams take a few megabytes.
const SCANNER_MOST: usize = 512;

/// How many allocations some work makes.
fn allocations(work: impl FnOnce()) -> usize {
    taken(work).0
}

/// Streams of a busy gateway.
const STREAMS: usize = 10_000;

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
    assert!((10_000_000..17_000_000).contains(&bytes), "{bytes} bytes for {} replies without text", replies.len());
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

/// Bytes of what is held while a reply comes, and of what is handed out, with all features. Ten thousand scanners take a few megabytes.
const SIZES: [(&str, usize, usize); 28] = [
    ("Scanner", size_of::<Scanner>(), 176),
    ("Reply", size_of::<Reply>(), 448),
    ("Reply<Monitor>", size_of::<Reply<Monitor>>(), 1152),
    ("Live", size_of::<Live>(), 704),
    ("Tree", size_of::<Tree>(), 216),
    ("Monitor", size_of::<Monitor>(), 664),
    ("Session", size_of::<Session>(), 712),
    ("Expect", size_of::<Expect>(), 184),
    ("Document", size_of::<Document>(), 112),
    ("Verdict", size_of::<Verdict>(), 56),
    ("Failure", size_of::<Failure>(), size_of::<usize>()),
    ("Option<Failure>", size_of::<Option<Failure>>(), size_of::<usize>()),
    ("Partial", size_of::<Partial>(), 704),
    ("Repair", size_of::<Repair>(), 72),
    ("View", size_of::<View<'_>>(), 88),
    ("Node", size_of::<Node<'_>>(), 104),
    ("Change", size_of::<Change<'_>>(), 136),
    ("Cursor", size_of::<Cursor>(), 40),
    ("Elements", size_of::<Elements>(), 56),
    ("sse::Decoder", size_of::<sse::Decoder>(), 216),
    ("ndjson::Decoder", size_of::<ndjson::Decoder>(), 96),
    ("array::Decoder", size_of::<array::Decoder>(), 152),
    ("Body", size_of::<Body>(), 272),
    ("stream::Event", size_of::<stream::Event<'_>>(), 64),
    ("Item", size_of::<Item<'_>>(), 64),
    ("stream::Error", size_of::<stream::Error>(), 24),
    ("Eof", size_of::<Eof>(), 128),
    ("Summary", size_of::<Summary>(), 312),
];

#[test]
fn sizes() {
    let over = SIZES.iter().filter(|(_, size, most)| size > most);
    let over: Vec<String> = over.map(|(name, size, most)| format!("{name}: {size} bytes, not {most}")).collect();
    assert!(over.is_empty(), "{over:#?}");
    let mut scanner = Scanner::new(&Expect::any());
    let _ = scanner.push("Here: {\"items\": [{\"note\": \"so far", &mut ());
    let len = size_of::<Scanner>() + scanner.heap_len();
    assert!(len <= SCANNER_MOST, "{len} bytes, what lies elsewhere among them");
}

/// W1 to W6, and W2 with repairs to make.
fn corpora() -> Vec<(&'static str, String)> {
    let mut all: Vec<_> = ["W1", "W2", "W3", "W4", "W5", "W6"].map(|name| (name, named(name).text)).into();
    all.push(("dirty W2", dirty_w2()));
    all
}

/// Rows of figures, each at most that of its place. What was counted is shown where one is not.
fn hold<const N: usize>(counted: &[(&str, [usize; N])], most: &[(&str, [usize; N])]) {
    assert!(counted.iter().map(|row| row.0).eq(most.iter().map(|row| row.0)), "the same rows");
    let figures = |rows: &[(&str, [usize; N])]| rows.iter().flat_map(|row| row.1).collect::<Vec<_>>();
    let holds = figures(counted).iter().zip(&figures(most)).all(|(counted, most)| counted <= most);
    let rows: String = counted.iter().map(|row| format!("    {row:?},\n")).collect();
    assert!(holds, "counted:\n{rows}");
}

const CUTS: [usize; 4] = [usize::MAX, 250, 4, 1];

/// Steps for a million bytes: whole, in chunks of 250 bytes, of 4, and byte by byte. A step may take many tokens: what is counted is how often the machine begins, not what that costs, which `.ci/instructions` counts. W3 is ten times as long as W2:
/// steps out of proportion to the text would show there.
const STEPS: [(&str, [usize; 4]); 7] = [
    ("W1", [1503, 7512, 255384, 1000000]),
    ("W2", [31, 4215, 260915, 1006007]),
    ("W3", [4, 4223, 260858, 1005965]),
    ("W4", [31, 4362, 268663, 1037596]),
    ("W5", [31, 4033, 250041, 1000011]),
    ("W6", [31, 4031, 250028, 1000011]),
    ("dirty W2", [7690, 14517, 270138, 1011482]),
];

#[test]
fn steps_of_a_byte() {
    let steps = |text: &str, len| {
        let mut scanner = Scanner::new(&Expect::any());
        chunks(text, len).into_iter().for_each(|chunk| _ = scanner.push(chunk, &mut ()));
        assert_eq!((scanner.progress(), scanner.len()), (Progress::Closed, text.len()));
        (scanner.steps() * 1_000_000).div_ceil(text.len() as u64) as usize
    };
    let counted: Vec<_> = corpora().into_iter().map(|(name, text)| (name, CUTS.map(|len| steps(&text, len)))).collect();
    hold(&counted, &STEPS);
}

/// What is held at most for a thousand bytes of a reply, the `Reply` itself included: with a hint of the size and without, whole and in
/// chunks of 4 bytes. The bars are 1,100 and 2,100. Two rows are over the first: W1 is hardly longer than what is held beside a text, the
/// `Reply` and the keys of its open objects, 1.7 KB; each repair is kept, 24 bytes in a list that doubles.
const PEAKS: [(&str, [usize; 4]); 8] = [
    ("W1", [1834, 1834, 1834, 1859]),
    ("W2", [1016, 1016, 1016, 1328]),
    ("W3", [1002, 1002, 1002, 1051]),
    ("W4", [1014, 1014, 1014, 1325]),
    ("W5", [1067, 1067, 1067, 1379]),
    ("W6", [1011, 1011, 1011, 1322]),
    ("dirty W2", [1134, 1134, 1134, 1389]),
    ("W2, 65,537 bytes", [1024, 1024, 1024, 2024]),
];

#[test]
fn bytes_held_for_a_byte() {
    let held = |text: &str, len, make: &dyn Fn() -> Reply| {
        let pieces = chunks(text, len);
        let (bytes, mut reply) = peak(|| {
            let mut reply = make();
            pieces.iter().for_each(|chunk| _ = reply.push(chunk));
            reply
        });
        assert_eq!(reply.scanner().len(), text.len());
        ((bytes + size_of::<Reply>()) * 1_000).div_ceil(text.len())
    };
    let mut texts = corpora();
    // One byte too many for a buffer that doubles.
    texts.push(("W2, 65,537 bytes", texts[1].1[..65_537].to_owned()));
    let row = |(name, text): (&'static str, String)| {
        let hinted = || Reply::new(Expect::any()).with_capacity(text.len());
        let unhinted = || Reply::new(Expect::any());
        let [whole, cut] = [usize::MAX, 4].map(|len| [held(&text, len, &hinted), held(&text, len, &unhinted)]);
        (name, [whole[0], cut[0], whole[1], cut[1]])
    };
    hold(&texts.into_iter().map(row).collect::<Vec<_>>(), &PEAKS);
}

/// Allocations in steady state: for the chunks of the second half but the last three, in which the document closes. They are taken too,
/// and the state that is left behind them is given back.
fn steadily<T, C>(mut state: T, chunks: &[C], mut take: impl FnMut(&mut T, &C)) -> (usize, T) {
    let (open, end) = chunks.split_at(chunks.len() - 3);
    let (front, back) = open.split_at(chunks.len() / 2);
    front.iter().for_each(|chunk| take(&mut state, chunk));
    let made = allocations(|| back.iter().for_each(|chunk| take(&mut state, chunk)));
    end.iter().for_each(|chunk| take(&mut state, chunk));
    (made, state)
}

/// Allocations in steady state, chunks of 4 bytes. In this order, each with a hint of the size but the second:
///
/// * a push: nothing. Repairs are a list, which doubles.
/// * a push without a hint: the text doubles.
/// * a view and its tip behind each push: the list of values doubles, in W4 there is nothing to add to it.
/// * changes behind each push: what was written with an escape is told as text of its own, which is made.
/// * a push with a monitor: it keeps the longest text so far that it needs, up to a bound.
const ALLOCATIONS: [(&str, [usize; 5]); 7] = [
    ("W1", [0, 1, 1, 3, 1]),
    ("W2", [0, 1, 1, 125, 0]),
    ("W3", [0, 1, 1, 1221, 0]),
    ("W4", [0, 1, 0, 1883, 0]),
    ("W5", [0, 1, 1, 1, 0]),
    ("W6", [0, 1, 1, 1, 0]),
    ("dirty W2", [1, 2, 2, 131, 1]),
];

#[test]
fn allocations_in_steady_state() {
    let expect = Expect::any();
    let row = |(name, text): (&'static str, String)| {
        let (pieces, len) = (chunks(&text, 4), text.len());
        // The comments and commas of dirty W2 are no JSON to make a schema of; what it means is W2.
        let schema = schema_of(&if name == "dirty W2" { named("W2").text } else { text.clone() });
        let contract = Contract::from_schema(&schema).expect("a schema");
        let push = |reply: &mut Reply, chunk: &&str| _ = reply.push(chunk);
        let live = || Reply::live(expect).with_capacity(len);
        let (hinted, reply) = steadily(Reply::new(expect).with_capacity(len), &pieces, push);
        assert!(reply.finish(Ending::Stop).is_ok());
        let (unhinted, reply) = steadily(Reply::new(expect), &pieces, push);
        assert!(reply.finish(Ending::Stop).is_ok());
        let (looked, reply) = steadily(live(), &pieces, |reply, chunk| {
            let _ = reply.push(chunk);
            assert!(reply.view().tip().is_none_or(|tip| !tip.is_known() && !tip.raw().is_empty()));
        });
        assert!(reply.view().root().is_some_and(|root| root.is_known()));
        let (followed, (reply, cursor)) = steadily((live(), Cursor::default()), &pieces, |(reply, cursor), chunk| {
            let _ = reply.push(chunk);
            reply.view().changes(cursor).for_each(drop);
        });
        assert!(cursor.seq() > reply.view().nodes().len() as u64);
        let reply = Reply::with_sink(expect, contract.monitor(&expect)).with_capacity(len);
        let (judged, reply) = steadily(reply, &pieces, |reply, chunk| _ = reply.push(chunk));
        let (document, monitor) = reply.finish_into(Ending::Stop);
        assert_eq!(document.ok().map(|document| monitor.verdict(document.span())), Some(Some(true)), "{name}");
        let counted = [hinted, unhinted, looked, followed, judged];
        (name, counted)
    };
    hold(&corpora().into_iter().map(row).collect::<Vec<_>>(), &ALLOCATIONS);
}

/// S whole, in chunks of 4 and 250 bytes, and an event a chunk. The last three are its last text, why it ended, and the mark of the end.
#[test]
fn a_session_allocates_nothing_in_steady_state() {
    let events: Vec<String> = s().into_iter().map(|event| event.text).collect();
    let body = events.concat();
    // Short of what closes the document, which is far more than three chunks of 4 bytes.
    let open = &body[..body.len() - events[events.len() - 5..].concat().len()];
    let each: Vec<&str> = events.iter().map(String::as_str).collect();
    for (what, pieces) in [("4 B", chunks(open, 4)), ("250 B", chunks(open, 250)), ("an event", each)] {
        for keep in [Keep::Tail(2_048), Keep::Nothing] {
            let options = SessionOptions::default().judge_text(Expect::any().keep(keep));
            let (made, session) = steadily(Session::new(&options), &pieces, |session, chunk| {
                let _ = session.push(chunk.as_bytes(), &mut |_| ());
            });
            assert_eq!((made, session.lanes().len()), (0, 1), "{what}, {keep:?}");
        }
    }
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
