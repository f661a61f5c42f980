//! One reply held against one schema while it arrives, under every way of cutting it: the one way in which a monitor is asked here.
//!
//! Each reply is read whole, byte by byte, cut in two at every place (a sample of them in a long one) and in random pieces. All must come to the
//! same answer, and at each cut as much must be known as byte by byte. On the way it is held that
//! * a refusal is told with the very byte that it names, names a byte that had come, and stays;
//! * nothing else changes: where the schema does not refuse, the answer is that of a reply that nobody listens to;
//! * what the monitor says of the document in the end is what the full validator says.

use serde_json::Value;
use thusfar_contract::{Contract, Monitor, MonitorLimits, Timing, Violation};
use thusfar_core::{Code, Document, Ending, Expect, Failure, FailureKind, Progress, Reply, Span};
use thusfar_testkit::random::Random;

/// The code of a reply that a schema refuses.
pub(crate) const REFUSED: Code = Code::Veto("schema_mismatch");

/// Places at which a reply is cut in two; of a longer one, so many of them.
const CUTS: usize = 160;
const RANDOM: usize = 4;

/// What came of a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) end: End,
    /// What the monitor says is broken.
    pub(crate) told: Option<Told>,
    /// What the monitor says of the document that was found.
    pub(crate) verdict: Option<bool>,
}

/// A document or a failure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    Document { span: Span, text: String, is_valid: bool },
    Failure { code: Code, kind: FailureKind, offset: usize, decided_at: usize, path: String },
}

/// A violation, with everything that can be seen of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) path: String,
    pub(crate) keyword: &'static str,
    pub(crate) expected: Value,
    pub(crate) got: Value,
    pub(crate) start: usize,
    pub(crate) offset: usize,
    pub(crate) when: Timing,
    pub(crate) message: String,
}

impl Told {
    pub(crate) fn of(violation: &Violation) -> Self {
        Self {
            path: violation.path().to_owned(),
            keyword: violation.keyword(),
            expected: violation.expected().clone(),
            got: violation.got().clone(),
            start: violation.start(),
            offset: violation.offset(),
            when: violation.when(),
            message: violation.message().to_owned(),
        }
    }
}

impl Answer {
    /// Whether the schema refused the reply while it was read.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(&self.end, End::Failure { code, .. } if *code == REFUSED)
    }

    /// Whether the document that was found, or was being read, is valid; nothing where there is none for another reason.
    pub(crate) fn is_valid(&self) -> Option<bool> {
        match &self.end {
            End::Document { is_valid, .. } => Some(*is_valid),
            End::Failure { .. } => self.is_refused().then_some(false),
        }
    }

    /// What the schema refused the reply for, and the byte with which that was told.
    pub(crate) fn refusal(&self) -> Option<(&Told, usize)> {
        match (&self.end, &self.told) {
            (End::Failure { code, decided_at, .. }, Some(told)) if *code == REFUSED => Some((told, *decided_at)),
            _ => None,
        }
    }
}

/// How replies are read and judged.
#[derive(Clone, Copy)]
pub(crate) struct Feed<'c> {
    pub(crate) contract: &'c Contract,
    pub(crate) expect: Expect,
    pub(crate) ending: Ending,
    pub(crate) limits: MonitorLimits,
}

impl<'c> Feed<'c> {
    pub(crate) fn new(contract: &'c Contract, expect: Expect) -> Self {
        Self { contract, expect, ending: Ending::Stop, limits: MonitorLimits::default() }
    }

    /// A reply of which nothing has come yet.
    pub(crate) fn begin(&self) -> Reply<Monitor> {
        Reply::with_sink(self.expect, self.contract.monitor_with(&self.expect, self.limits))
    }

    /// The answer under every way of cutting; panics where two differ, or where a law does not hold.
    pub(crate) fn answer(&self, reply: &str) -> Answer {
        self.cut_at(reply, CUTS)
    }

    /// The same with no more than so many cuts in two.
    pub(crate) fn cut_at(&self, reply: &str, most: usize) -> Answer {
        let bytes = reply.as_bytes();
        let whole = self.whole(reply);
        let same = |other: &Answer, how: &dyn Fn() -> String| {
            assert_eq!(*other, whole, "{}: {reply} under {}", how(), self.contract.schema());
        };
        let (by_bytes, known) = self.byte_by_byte(bytes);
        same(&by_bytes, &|| "byte by byte".to_owned());
        let mut random = Random::new(bytes.len() as u64 + 1);
        let places: Vec<_> = match bytes.len() < most {
            true => (1..bytes.len()).collect(),
            false => (0..most).map(|_| random.below(bytes.len() + 1)).collect(),
        };
        for at in places {
            let (front, back) = bytes.split_at(at);
            let mut reply = self.begin();
            let _ = reply.push_bytes(front);
            let now = (reply.progress(), reply.sink().violation().map(Told::of));
            assert_eq!(now, known[at], "at {at} of {:?} under {}", whole, self.contract.schema());
            let _ = reply.push_bytes(back);
            same(&self.finish(reply), &|| format!("cut at {at}"));
        }
        for _ in 0..RANDOM.min(bytes.len()) {
            let mut reply = self.begin();
            let mut cuts: Vec<_> = (0..1 + random.below(6)).map(|_| random.below(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            cuts.push(bytes.len());
            let mut from = 0;
            for &to in &cuts {
                let _ = reply.push_bytes(&bytes[std::mem::replace(&mut from, to)..to]);
            }
            same(&self.finish(reply), &|| format!("cut at {cuts:?}"));
        }
        self.laws(reply, &whole);
        whole
    }

    /// The answer of a reply that comes in one piece.
    pub(crate) fn whole(&self, reply: &str) -> Answer {
        let mut read = self.begin();
        let _ = read.push(reply);
        self.finish(read)
    }

    /// The answer, and what was known in front of each byte and at the end.
    fn byte_by_byte(&self, bytes: &[u8]) -> (Answer, Vec<(Progress, Option<Told>)>) {
        let mut reply = self.begin();
        let mut known = vec![(reply.progress(), reply.sink().violation().map(Told::of))];
        let mut doomed_at = None;
        for (at, byte) in bytes.iter().enumerate() {
            let _ = reply.push_bytes(std::slice::from_ref(byte));
            let now = (reply.progress(), reply.sink().violation().map(Told::of));
            if let Some(before) = doomed_at {
                let place = format!("{at}, lost at {before}, of {}", String::from_utf8_lossy(bytes));
                assert_eq!(Some(&now), known.last(), "what is lost stays lost, for the same reason: {place}");
            } else if now.0 == Progress::Doomed {
                doomed_at = Some(at);
            }
            known.push(now);
        }
        let answer = self.finish(reply);
        let text = String::from_utf8_lossy(bytes);
        if let (Some(at), End::Failure { decided_at, .. }) = (doomed_at, &answer.end) {
            assert_eq!(at, *decided_at, "told at the byte that it names: {text} under {}", self.contract.schema());
        }
        assert!(doomed_at.is_none() || matches!(answer.end, End::Failure { .. }), "lost, and yet there: {text}");
        (answer, known)
    }

    pub(crate) fn finish(&self, reply: Reply<Monitor>) -> Answer {
        let (end, monitor) = reply.finish_into(self.ending);
        let told = monitor.violation().map(Told::of);
        match end {
            Ok(document) => {
                let (end, verdict) = self.judged(&document, &monitor);
                Answer { end, told, verdict }
            }
            Err(failure) => Answer { end: failed(&failure), told, verdict: None },
        }
    }

    /// The document as the full validator sees it, and as the monitor does.
    fn judged(&self, document: &Document, monitor: &Monitor) -> (End, Option<bool>) {
        let check = self.contract.check(document);
        assert_eq!(check.limit(), None, "{} under {}", document.text(), self.contract.schema());
        let is_valid = check.is_valid();
        let verdict = monitor.verdict(document.span());
        let text = document.text().to_owned();
        let what = || format!("{text} under {}", self.contract.schema());
        assert!(verdict.is_none_or(|said| said == is_valid), "the monitor says {verdict:?}: {}", what());
        (End::Document { span: document.span(), text, is_valid }, verdict)
    }

    /// What holds of every answer.
    fn laws(&self, reply: &str, answer: &Answer) {
        let what = || format!("{reply} under {}: {answer:?}", self.contract.schema());
        let mut plain = Reply::new(self.expect);
        let _ = plain.push(reply);
        let plain = plain.finish(self.ending);
        if let End::Failure { code: REFUSED, kind, offset, decided_at, .. } = &answer.end {
            let told = answer.told.as_ref().unwrap_or_else(|| panic!("refused for nothing: {}", what()));
            assert_eq!(*kind, FailureKind::Vetoed, "{}", what());
            assert_eq!(told.offset, *offset, "one offset: {}", what());
            assert!(told.start.max(told.offset) <= *decided_at, "in order: {}", what());
            assert!(*decided_at <= reply.len(), "{}", what());
            assert!(told.when != Timing::Final, "told while it is read: {}", what());
            assert!(!told.message.is_empty() && !told.message.contains('\n'), "one line: {}", what());
            if let Err(failure) = plain {
                // Refused no later than the reply is lost anyway.
                assert!(*decided_at <= failure.decided_at(), "lost before: {failure:?}: {}", what());
            }
            return;
        }
        match (plain, &answer.end) {
            (Ok(document), End::Document { span, text, is_valid }) => {
                assert_eq!((document.span(), document.text()), (*span, text.as_str()), "{}", what());
                assert!(!is_valid || answer.told.is_none(), "valid, and yet told: {}", what());
                assert!(!is_valid || answer.verdict != Some(false), "valid, and yet not: {}", what());
            }
            (Err(failure), end) => assert_eq!(failed(&failure), *end, "another failure: {}", what()),
            (Ok(_), _) => panic!("a document is lost: {}", what()),
        }
    }
}

fn failed(failure: &Failure) -> End {
    End::Failure {
        code: failure.code(),
        kind: failure.kind(),
        offset: failure.offset(),
        decided_at: failure.decided_at(),
        path: failure.path().to_owned(),
    }
}
