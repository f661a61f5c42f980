//! A sink beside the view: what it hears, what it refuses, and that nothing else changes.

use thusfar::{
    Code, Elements, Ending, Event, Expect, FailureKind, Flow, Keep, Listener, Live, Progress, Reply, Sink, Span,
    ValueState, Verbatim,
};
use thusfar_testkit::corpus;

/// Writes down what it hears, and refuses the event that has a number.
#[derive(Clone, Default)]
struct Scribe {
    events: Vec<String>,
    content: String,
    refuses: Option<usize>,
}

impl Scribe {
    fn refusing(event: usize) -> Self {
        Self { refuses: Some(event), ..Self::default() }
    }
}

impl Sink for Scribe {
    const BYTES: bool = false;
    const CONTENT: bool = true;

    fn event(&mut self, event: Event) -> Flow {
        self.events.push(format!("{event:?}"));
        match event {
            _ if self.refuses != Some(self.events.len()) => Flow::Continue,
            Event::Open { at, .. } | Event::Close { at, .. } | Event::Comma { at } => Flow::veto("refused", at),
            _ => Flow::veto("refused", 0),
        }
    }

    fn content(&mut self, _: Span, text: &str) -> Flow {
        self.content += text;
        Flow::Continue
    }
}

fn texts() -> Vec<String> {
    let known = corpus::known_truth().into_iter().map(|row| row.text);
    known.chain(corpus::captures().into_iter().map(|row| row.text)).collect()
}

/// Where a text may be cut, so many bytes apart or a few more.
fn pieces(text: &str, len: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = (len.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end))?;
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

#[test]
fn who_only_listens_changes_nothing() {
    let mut heard = 0;
    for text in texts() {
        let expect = Expect::any();
        let mut plain = Reply::live(expect);
        let mut beside = Reply::live_with(expect, Scribe::default());
        let boxed: Box<dyn Listener> = Box::new(Scribe::default());
        let mut boxed: Live<Box<dyn Listener>> = Reply::live_with(expect, boxed);
        let mut blind = Reply::with_sink(expect, Scribe::default());
        for piece in pieces(&text, 9) {
            let progress = plain.push(piece);
            assert_eq!([beside.push(piece), boxed.push(piece), blind.push(piece)], [progress; 3], "{text}");
            let shown = (plain.view().json(), plain.view().generation());
            assert_eq!((beside.view().json(), beside.view().generation()), shown, "{text}");
            assert_eq!((boxed.view().json(), boxed.view().generation()), shown, "{text}");
        }
        let mut last = None;
        let (answer, scribe) = beside.finish_into_with(Ending::Stop, |view| last = view.to_value());
        let mut wanted = None;
        let plain = plain.finish_with(Ending::Stop, |view| wanted = view.to_value());
        assert_eq!(last, wanted, "{text}");
        let told = |answer: Result<thusfar::Document, thusfar::Failure>| {
            answer.map(|document| document.text().to_owned()).map_err(|failure| (failure.code(), failure.offset()))
        };
        assert_eq!(told(answer), told(plain), "{text}");
        let (_, tree) = boxed.finish_into(Ending::Stop);
        let boxed = tree.into_inner().downcast::<Scribe>().expect("it is one");
        let (_, blind) = blind.finish_into(Ending::Stop);
        assert!(scribe.events == boxed.events && scribe.content == boxed.content, "{text}");
        assert!(scribe.events == blind.events && scribe.content == blind.content, "{text}");
        heard += scribe.events.len();
    }
    assert!(heard > 10_000, "{heard} events");
}

/// What is shown where each event of one reply is refused: nothing of what it would have added.
#[test]
fn what_is_refused_is_not_shown() {
    const TEXT: &str = "{\"a\": [1, \"xy\"], \"b\": {}}";
    let mut plain = Reply::with_sink(Expect::object(), Scribe::default());
    let _ = plain.push(TEXT);
    let events = plain.sink().events.clone();
    let mut shown = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let mut reply = Reply::live_with(Expect::object(), Scribe::refusing(at + 1));
        let _ = reply.push(TEXT);
        let name = event.split([' ', '(']).next().expect("a word");
        let json = reply.view().json().unwrap_or_default().into_owned();
        let state =
            reply.view().root().map_or("none", |root| if root.state() == ValueState::Known { "known" } else { "open" });
        shown.push(format!("{name} {state} {json}"));
        if name != "Document" && reply.progress() == Progress::Doomed {
            assert_eq!(reply.doomed(), Some(Code::Veto("refused")), "{event}");
        }
    }
    assert_eq!(
        shown,
        [
            "Begin none ",
            "Preview known {\"a\": [1, \"xy\"], \"b\": {}}",
            "Open none ",
            "StringOpen none ",
            "Key none ",
            "Promise open {}",
            "Open open {}",
            "ScalarOpen open {\"a\": []}",
            "Number open {\"a\": []}",
            "Comma open {\"a\": [1]}",
            "StringOpen open {\"a\": [1]}",
            "String open {\"a\": [1, \"xy\"]}",
            "Close open {\"a\": [1, \"xy\"]}",
            "Comma open {\"a\": [1, \"xy\"]}",
            "StringOpen open {\"a\": [1, \"xy\"]}",
            "Key open {\"a\": [1, \"xy\"]}",
            "Open open {\"a\": [1, \"xy\"]}",
            "Close open {\"a\": [1, \"xy\"], \"b\": {}}",
            "Close open {\"a\": [1, \"xy\"], \"b\": {}}",
            // It has closed; that it counts is refused.
            "Document known {\"a\": [1, \"xy\"], \"b\": {}}",
        ]
    );
}

/// A candidate that need not be the document is text once it is refused, and another one may come.
#[test]
fn a_refused_candidate_leaves_its_place() {
    struct NoX;
    impl Sink for NoX {
        const CONTENT: bool = true;
        fn content(&mut self, span: Span, text: &str) -> Flow {
            text.find('x').map_or(Flow::Continue, |at| Flow::veto("no_x", span.start + at))
        }
    }
    for (text, generation) in [("{\"x\"} or {\"a\": 1}", 1), ("so {\"x\"} or {\"a\": 1}", 0)] {
        let mut reply = Reply::live_with(Expect::object(), NoX);
        pieces(text, 1).for_each(|piece| _ = reply.push(piece));
        assert_eq!(reply.view().json().as_deref(), Some("{\"a\": 1}"), "{text}");
        assert_eq!(reply.view().generation(), generation, "{text}");
        assert_eq!(
            reply.finish(Ending::Stop).map(|document| document.text().to_owned()).ok().as_deref(),
            Some("{\"a\": 1}")
        );
    }
}

/// An element that is refused as it closes is not handed out.
#[test]
fn an_element_that_is_refused() {
    #[derive(Default)]
    struct TwoItems(usize);
    impl Sink for TwoItems {
        fn event(&mut self, event: Event) -> Flow {
            match event {
                Event::Close { at, .. } => {
                    self.0 += 1;
                    if self.0 > 2 { Flow::veto("too_many", at) } else { Flow::Continue }
                }
                _ => Flow::Continue,
            }
        }
    }
    let mut reply = Reply::live_with(Expect::object(), TwoItems::default());
    let mut items = Elements::new("/items/-").expect("a pointer");
    let _ = reply.push("{\"items\": [{\"a\": 1}, {\"a\": 2}, {\"a\": 3}, {\"a\": 4}]}");
    let found: Vec<_> = std::iter::from_fn(|| items.next(&reply.view())).map(|item| item.pointer()).collect();
    assert_eq!(found, ["/items/0", "/items/1"]);
    let third = reply.view().get("/items/2").expect("it is shown");
    assert!(third.state() == ValueState::Growing, "what was refused has not closed");
}

#[test]
fn going_on_with_a_sink() {
    const TEXT: &str = "Well: {\"a\": [1, \"b\", {\"c\": null}]}";
    let whole = || {
        let mut reply = Reply::with_sink(Expect::object(), Scribe::default());
        let _ = reply.push(TEXT);
        reply.finish_into(Ending::Stop).1
    };
    for cut in 6..TEXT.len() {
        let (front, back) = TEXT.split_at(cut);
        let mut reply = Reply::live_with(Expect::object(), Scribe::default());
        let _ = reply.push(front);
        let (answer, _) = reply.finish_into_with(Ending::Length, |_| ());
        let failure = answer.expect_err("it was cut");
        let mut reply = failure.resume_live_with(Verbatim, Scribe::default()).expect("it can go on");
        let _ = reply.push(back);
        assert_eq!(reply.view().json().as_deref(), Some(&TEXT[6..]));
        let (answer, scribe) = reply.finish_into_with(Ending::Stop, |_| ());
        assert!(answer.is_ok() && scribe.events == whole().events && scribe.content == whole().content, "{cut}");
    }
}

/// The verdict alone, and who listened, where no text is kept.
#[test]
fn a_verdict_with_its_sink() {
    for keep in [Keep::All, Keep::Nothing, Keep::Tail(3)] {
        let mut reply = Reply::with_sink(Expect::object().keep(keep), Scribe::default());
        let _ = reply.push("{\"a\": \"b\\u0063d\"}");
        let (verdict, scribe) = reply.verdict_into(Ending::Stop);
        assert!(verdict.is_ok());
        assert_eq!(scribe.content, "abcd", "{keep:?}");
        let mut reply = Reply::with_sink(Expect::object().keep(keep), Scribe::refusing(7));
        let _ = reply.push("{\"a\": \"b\"}");
        let (verdict, scribe) = reply.verdict_into(Ending::Stop);
        let failure = verdict.expect_err("it was refused");
        assert_eq!((failure.kind(), failure.code().as_str()), (FailureKind::Vetoed, "refused"));
        assert_eq!(scribe.events.len(), 7, "nothing is heard behind a veto");
    }
}

#[test]
fn a_listener_of_another_type() {
    let listener: Box<dyn Listener> = Box::new(Scribe::default());
    assert!(listener.downcast_ref::<()>().is_none());
    assert!(listener.downcast_ref::<Scribe>().is_some());
    assert!(listener.downcast::<()>().is_none());
}
