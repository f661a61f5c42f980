//! What holds of every live reply: a view only grows, and what follows it builds the document, however the reply is cut.
//!
//! The oracles read JSON with a reader of their own ([`crate::flat`]) and know nothing of the tree in the core. A reply is pushed byte by byte,
//! and looked at in full at [`Marks`]: at every byte of a short one. Growth is transitive, so that what holds between the
//! marks holds between the first and the last.

use std::cell::RefCell;

use serde_json::Value;
use thusfar_core::{
    Cursor, Document, Elements, Ending, Expect, Failure, FailureKind, Live, RepairKind, Reply, Root, Verbatim, View,
};

use crate::flat::{Flat, elements, flat, grows};
use crate::look::Look;
use crate::record::{Record, Tap};
use crate::replay::{Patched, Replayer};
use crate::twin::{equal_values, partial};
use crate::workload::Random;

/// Where a reply is looked at in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// Behind every byte.
    Every,
    /// At so many places at most, and fewer of a long reply.
    Most(usize),
}

/// What was seen of a reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// Prefixes that were looked at in full.
    pub prefixes: usize,
    /// Those at which something was shown.
    pub shown: usize,
    /// Those that the document contradicts: something is shown that it does not extend, and was not taken back.
    pub contradicting: usize,
    /// How often something was taken back.
    pub restarts: usize,
}

impl core::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.prefixes += other.prefixes;
        self.shown += other.shown;
        self.contradicting += other.contradicting;
        self.restarts += other.restarts;
    }
}

/// Bytes that are looked at in all of a long reply: each look is linear in what is shown.
const LOOKED_AT: usize = 1 << 18;

impl Marks {
    fn places(self, len: usize) -> Vec<usize> {
        let most = match self {
            Marks::Every => return (0..=len).collect(),
            Marks::Most(most) => most.min((LOOKED_AT / len.max(1)).max(3)),
        };
        if len < most {
            return (0..=len).collect();
        }
        let mut random = Random::new(len as u64);
        let mut places: Vec<usize> = (0..most).map(|_| random.below(len)).collect();
        places.push(len);
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Values at one place, as they were handed out since something was last taken back.
struct Followed {
    place: String,
    reader: Elements,
    given: Vec<String>,
}

/// All that can follow a view, polled together.
struct Followers {
    changes: Replayer,
    patched: Patched,
    cursors: [Cursor; 2],
    elements: Vec<Followed>,
    generation: u32,
}

impl Followers {
    fn new(places: &[String]) -> Self {
        let followed = |place: &String| {
            let reader = Elements::new(place).unwrap_or_else(|error| panic!("{error}: {place:?}"));
            Followed { place: place.clone(), reader, given: Vec::new() }
        };
        Self {
            changes: Replayer::default(),
            patched: Patched::default(),
            cursors: [Cursor::default(); 2],
            elements: places.iter().map(followed).collect(),
            generation: 0,
        }
    }

    /// Takes what has come. What was told is taken back once, and only if it is no more.
    fn follow(&mut self, view: &View<'_>) {
        let is_another = view.generation() != self.generation;
        self.generation = view.generation();
        let due = usize::from(is_another && !self.changes.built.is_empty());
        let before = self.changes.restarts;
        self.changes.follow(view, &mut self.cursors[0]);
        assert_eq!(self.changes.restarts - before, due, "taken back once, if something was told");
        self.patched.follow(view, &mut self.cursors[1]);
        for followed in &mut self.elements {
            if is_another {
                followed.given.clear();
            }
            while let Some(element) = followed.reader.next(view) {
                followed.given.push(element.json().expect("an element is handed out when it has closed").into_owned());
            }
        }
    }

    /// What was followed is what is seen.
    fn hold(&self, look: &Look, value: Option<&Value>) {
        let built = &self.changes.built;
        assert_eq!(built.len(), look.list.len(), "changes built {built:?}, and the view is {:?}", look.list);
        for (built, shown) in built.iter().zip(&look.list) {
            let same = built.path == shown.path && built.kind == shown.kind && built.known == shown.known;
            assert!(same && built.said == shown.said, "changes built {built:?} of {shown:?}");
        }
        assert_eq!(self.changes.root_closed, look.list.first().is_some_and(|root| root.known));
        if let Some(value) = value {
            let patched = self.patched.root.as_ref();
            let same = patched.is_some_and(|patched| equal_values(patched, value));
            assert!(same, "patched: {patched:?}\n  shown: {value:?}");
        }
        for followed in &self.elements {
            assert_eq!(followed.given, elements(&look.list, &followed.place), "at {:?}", followed.place);
        }
    }
}

/// Places that elements are asked for: some that are usual, and some of what is there.
fn places(list: &[Flat]) -> Vec<String> {
    let mut places: Vec<String> = ["", "/-", "/items/-", "/-/-"].map(str::to_owned).to_vec();
    for value in list.iter().skip(1).step_by(list.len() / 3 + 1) {
        let is_index = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        let every = |token| if is_index(token) { "-" } else { token };
        places.push(value.path.split('/').map(every).collect::<Vec<_>>().join("/"));
        places.push(value.path.clone());
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// One reply, and what is asked of it.
struct Trial<'a> {
    bytes: &'a [u8],
    expect: Expect,
    ending: Ending,
    marks: Vec<usize>,
    /// What is seen at the marks, pushed byte by byte.
    looks: Vec<Look>,
    places: Vec<String>,
}

/// Reads a reply as a live one in many ways; panics where they differ, or where a view does what it must not. Contradictions are
/// counted, and are for the caller to refuse.
#[must_use]
pub fn live(bytes: &[u8], expect: Expect, ending: Ending, cuts: [usize; 3], marks: Marks) -> Seen {
    let mut whole = Reply::live(expect);
    let _ = whole.push_bytes(bytes);
    let places = places(&Look::of(&whole.view()).list);
    let marks = marks.places(bytes.len());
    let mut trial = Trial { bytes, expect, ending, marks, looks: Vec::new(), places };
    trial.byte_by_byte();
    trial.in_chunks(&mut cuts.into_iter().cycle());
    trial.in_chunks(&mut core::iter::repeat(bytes.len()));
    trial.cut_short();
    trial.ended()
}

impl Trial<'_> {
    /// Pushes byte by byte, and writes down what is seen.
    fn byte_by_byte(&mut self) {
        let mut reply = Reply::live(self.expect);
        let [mut each, mut some, mut late, mut calm] = [(); 4].map(|()| Followers::new(&self.places));
        let marks = self.marks.clone();
        let mut marks = marks.iter().peekable();
        let (mut generation, mut root) = (0, None);
        for end in 0..=self.bytes.len() {
            if let Some(last) = end.checked_sub(1) {
                let _ = reply.push_bytes(&self.bytes[last..end]);
            }
            let view = reply.view();
            // What was taken back is counted, and nothing else is.
            let now = (view.generation(), view.root().map(|root| root.span().start));
            let is_another = now.0 > generation && root.is_some() && now.1 != root;
            assert!(now.0 == generation || is_another, "{:?} {now:?} at {end}", (generation, root));
            (generation, root) = now;
            each.follow(&view);
            let is_polled = end % 7 == 3;
            if is_polled {
                some.follow(&view);
            }
            // One sees no string before it has closed.
            calm.follow(&view.settled());
            let is_late = end >= self.bytes.len() / 2;
            if is_late {
                late.follow(&view);
            }
            if marks.next_if_eq(&&end).is_none() {
                continue;
            }
            let look = Look::of(&view);
            let is_fourth = self.looks.len().is_multiple_of(4);
            let value = if is_fourth { view.to_value() } else { None };
            each.hold(&look, value.as_ref());
            if is_polled {
                some.hold(&look, value.as_ref());
            }
            if is_late {
                late.hold(&look, value.as_ref());
            }
            if is_fourth {
                look.ways(&view, 12);
                calm.hold(&look.settled(&view), view.settled().to_value().as_ref());
                let _ = reply.push_bytes(b"");
                assert_eq!(Look::of(&reply.view()), look, "nothing came, and it is the same");
            }
            self.grows_to(&look, end);
            self.looks.push(look);
        }
    }

    /// What was seen last grows into what is seen now, or was taken back, and for a reason.
    fn grows_to(&self, look: &Look, end: usize) {
        let Some(before) = self.looks.last() else { return };
        let growth = grows(&before.list, &look.list);
        let shown = || String::from_utf8_lossy(&self.bytes[..end]);
        if before.generation == look.generation {
            growth.unwrap_or_else(|error| panic!("{error}: {:?}", shown()));
            let started = |look: &Look| look.spans.first().map(|span| span.start);
            assert!(before.list.is_empty() || started(before) == started(look), "another root: {:?}", shown());
        }
    }

    /// Pushes in chunks: what is seen at a mark is what was seen byte by byte.
    fn in_chunks(&self, lens: &mut dyn Iterator<Item = usize>) {
        let mut reply = Reply::live(self.expect);
        let mut followers = Followers::new(&self.places);
        let mut end = 0;
        loop {
            let chunk = lens.next().unwrap_or(1).min(self.bytes.len() - end);
            let _ = reply.push_bytes(&self.bytes[end..end + chunk]);
            end += chunk;
            let view = reply.view();
            followers.follow(&view);
            if let Ok(mark) = self.marks.binary_search(&end) {
                let look = &self.looks[mark];
                assert_eq!(Look::of(&view), *look, "in a chunk of {chunk} up to {end}");
                let value = if mark.is_multiple_of(4) { view.to_value() } else { None };
                followers.hold(look, value.as_ref());
            }
            if end == self.bytes.len() {
                return;
            }
        }
    }

    /// The prefix up to a mark, at once.
    fn pushed(&self, mark: usize) -> Live {
        let mut reply = Reply::live(self.expect);
        let _ = reply.push_bytes(&self.bytes[..self.marks[mark]]);
        reply
    }

    /// A reply that is cut shows at its end what it showed, and goes on from there.
    fn cut_short(&self) {
        for mark in (0..self.marks.len()).step_by(self.marks.len() / 8 + 1) {
            let reply = self.pushed(mark);
            let look = &self.looks[mark];
            assert_eq!(Look::of(&reply.view()), *look, "at once, up to {}", self.marks[mark]);
            let Err(failure) = reply.finish(Ending::Length) else { continue };
            keeps(&failure, look, self.expect);
            if let Ok(mut going_on) = failure.resume_live(Verbatim) {
                assert_eq!(Look::of(&going_on.view()), *look, "resumed at {}", self.marks[mark]);
                let _ = going_on.push_bytes(&self.bytes[self.marks[mark]..]);
                assert_eq!(Some(&Look::of(&going_on.view())), self.looks.last(), "resumed at {}", self.marks[mark]);
            }
        }
    }

    /// The end: the last view is the document, and no earlier one contradicts it.
    fn ended(&self) -> Seen {
        let last = self.looks.last().expect("the whole reply is a mark");
        let reply = self.pushed(self.marks.len() - 1);
        let mut followers = Followers::new(&self.places);
        followers.follow(&reply.view());
        let mut at_end = None;
        let answer = reply.finish_with(self.ending, |view| {
            followers.follow(&view);
            let (look, value) = (Look::of(&view), view.to_value());
            followers.hold(&look, value.as_ref());
            at_end = Some((look, value));
        });
        let (look, value) = at_end.expect("it is shown once more");
        assert!(look.generation >= last.generation);
        if look.generation == last.generation {
            grows(&last.list, &look.list).unwrap_or_else(|error| panic!("at the end: {error}"));
        }
        let mut plain = Reply::new(self.expect);
        let _ = plain.push_bytes(self.bytes);
        let plain = plain.finish(self.ending);
        match (&answer, &plain) {
            (Ok(one), Ok(other)) => assert_eq!((one.text(), one.span()), (other.text(), other.span())),
            (Err(one), Err(other)) => {
                assert_eq!((one.code(), one.offset(), one.frames()), (other.code(), other.offset(), other.frames()));
                keeps(one, last, self.expect);
                keeps(other, last, self.expect);
            }
            _ => panic!("live {answer:?}, and else {plain:?}"),
        }
        let shown = self.looks.iter().filter(|look| !look.list.is_empty()).count();
        let mut seen = Seen {
            prefixes: self.looks.len(),
            shown,
            contradicting: 0,
            restarts: self.looks.last().map_or(0, |look| look.generation as usize),
        };
        if let Ok(document) = &answer {
            let truth = flat(document.text()).expect("a document is JSON");
            assert_eq!(look.list, truth, "the last view, and the document {:?}", document.text());
            assert_eq!(look.spans[0], document.span());
            let value = value.filter(|value| equal_values(value, &document.value()));
            assert!(value.is_some(), "{:?}", document.text());
            let same = self.looks.iter().filter(|seen| seen.generation == look.generation);
            seen.contradicting = same.filter(|seen| grows(&seen.list, &truth).is_err()).count();
        }
        self.as_the_naive_reader_says(&answer);
        seen
    }

    /// Whether no repair had a part in it, nor one that had only begun.
    fn is_cut_without_repairs(&self, failure: &Failure) -> bool {
        let expect = RepairKind::ALL.into_iter().fold(self.expect, Expect::without);
        let mut strict = Reply::new(expect);
        let _ = strict.push_bytes(self.bytes);
        strict.finish(self.ending).is_err_and(|strict| {
            (strict.kind(), strict.offset(), strict.frames()) == (failure.kind(), failure.offset(), failure.frames())
        })
    }

    /// Of a bare document without repairs, whole or cut: what the naive reader says.
    fn as_the_naive_reader_says(&self, answer: &Result<Document, Failure>) {
        let (start, end) = match answer {
            Ok(document) if !document.is_repaired() => (document.span().start, document.span().end),
            Err(failure) if failure.kind() == FailureKind::Truncated && self.is_cut_without_repairs(failure) => {
                match failure.frames().first() {
                    Some(frame) if fits(self.expect.expected_root(), frame.opener) => (frame.offset, self.bytes.len()),
                    _ => return,
                }
            }
            _ => return,
        };
        let is_first = self.bytes[..start].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        if !is_first {
            return;
        }
        for (look, mark) in self.looks.iter().zip(&self.marks).filter(|(_, mark)| **mark <= end) {
            let prefix = &self.bytes[..*mark];
            let text = prefix.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let shown = look.json.as_ref().and_then(|json| serde_json::from_str::<Value>(json).ok());
            let wanted = partial(text);
            let same = match (&shown, &wanted) {
                (Some(shown), Some(wanted)) => equal_values(shown, wanted),
                (None, None) => true,
                _ => false,
            };
            assert!(same, "{text:?} shows {shown:?}, and the naive reader says {wanted:?}");
        }
    }
}

/// What was shown can still be seen of a reply that was cut or stopped, and of no other; unless that is a document in front of what
/// was cut, or one of several that differ.
fn keeps(failure: &Failure, look: &Look, expect: Expect) {
    let is_cut = matches!(failure.kind(), FailureKind::Truncated | FailureKind::Runaway | FailureKind::Limit);
    let is_other = !failure.frames().is_empty() && !look.list.is_empty() && look.list.iter().all(|value| value.known);
    let kept = failure.partial().map(|partial| Look::of(&partial.view()));
    if kept.is_none() && is_cut && !is_other && differ(failure.raw(), expect) {
        return;
    }
    assert_eq!(kept.as_ref(), (is_cut && !is_other).then_some(look), "{failure}: {:?}", failure.raw());
}

/// Whether a reply holds documents whose texts differ.
fn differ(text: &str, expect: Expect) -> bool {
    let record = RefCell::new(Record::default());
    let _ = Reply::with_sink(expect, Tap(&record)).push(text);
    let record = record.into_inner();
    let mut texts = record.documents.iter().map(|told| &told.clean);
    texts.next().is_some_and(|first| texts.any(|other| other != first))
}

/// Whether an opener begins a root that is expected.
fn fits(root: Root, opener: char) -> bool {
    match root {
        Root::Object => opener == '{',
        Root::Array => opener == '[',
        Root::Any | Root::Value => true,
    }
}
