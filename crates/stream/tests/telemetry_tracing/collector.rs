//! A subscriber that keeps all it is told: names, levels, and every value as `Debug` and as `Display` show it.

use std::fmt::{self, Debug, Write};
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

pub(crate) use tracing::Level;

/// A span or an event.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) name: &'static str,
    pub(crate) target: &'static str,
    pub(crate) level: Level,
    /// The place of the span that it is in.
    pub(crate) parent: Option<usize>,
    pub(crate) is_closed: bool,
    /// Names and values, in order.
    pub(crate) fields: Vec<(&'static str, String)>,
}

impl Seen {
    fn new(metadata: &'static Metadata<'static>, parent: Option<usize>) -> Self {
        let (name, target, level) = (metadata.name(), metadata.target(), *metadata.level());
        Self { name, target, level, parent, is_closed: false, fields: Vec::new() }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut found = self.fields.iter().filter(|(other, _)| *other == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} is recorded twice");
        value
    }

    /// These fields, and no others, in whatever order.
    pub(crate) fn assert_is(&self, expected: &[(&str, &str)]) {
        let mut fields: Vec<_> = self.fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut expected = expected.to_vec();
        fields.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fields, expected);
    }
}

/// All that was told, while some work was done.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    pub(crate) spans: Vec<Seen>,
    pub(crate) events: Vec<Seen>,
    /// Spans that are entered, the innermost last.
    entered: Vec<usize>,
    /// Whatever else could be printed.
    printed: String,
}

impl Collector {
    /// Everything as one text.
    pub(crate) fn everything(&self) -> String {
        format!("{:?}\n{:?}\n{}", self.spans, self.events, self.printed)
    }
}

/// A visitor that keeps every value.
struct Keeper<'a>(&'a mut Vec<(&'static str, String)>, &'a mut String);

impl Visit for Keeper<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.1, "{value:?}\n{value:#?}\n");
        self.0.push((field.name(), format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }
}

struct Listener {
    level: Level,
    seen: Arc<Mutex<Collector>>,
}

impl Listener {
    fn seen(&self) -> MutexGuard<'_, Collector> {
        self.seen.lock().expect("no test has panicked here")
    }

    fn place(id: &Id) -> usize {
        usize::try_from(id.into_u64()).expect("few spans") - 1
    }

    fn keep(&self, seen: &mut Seen, printed: &impl Debug, values: impl FnOnce(&mut dyn Visit)) {
        let mut text = String::new();
        values(&mut Keeper(&mut seen.fields, &mut text));
        let _ = write!(text, "{printed:?}\n{printed:#?}\n");
        self.seen().printed.push_str(&text);
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let contextual = self.seen().entered.last().copied();
        let parent = match attributes.parent() {
            Some(id) => Some(Self::place(id)),
            None if attributes.is_contextual() => contextual,
            None => None,
        };
        let mut seen = Seen::new(attributes.metadata(), parent);
        self.keep(&mut seen, attributes, |visitor| attributes.record(visitor));
        let mut all = self.seen();
        let _ = writeln!(all.printed, "{:?}", attributes.metadata());
        all.spans.push(seen);
        Id::from_u64(all.spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut seen = self.seen().spans.remove(Self::place(id));
        self.keep(&mut seen, values, |visitor| values.record(visitor));
        self.seen().spans.insert(Self::place(id), seen);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let parent = event.parent().map(Self::place).or(self.seen().entered.last().copied());
        let mut seen = Seen::new(event.metadata(), parent);
        self.keep(&mut seen, event, |visitor| event.record(visitor));
        let mut all = self.seen();
        let _ = writeln!(all.printed, "{:?}", event.metadata());
        all.events.push(seen);
    }

    fn enter(&self, id: &Id) {
        self.seen().entered.push(Self::place(id));
    }

    fn exit(&self, _: &Id) {
        self.seen().entered.pop();
    }

    fn try_close(&self, id: Id) -> bool {
        self.seen().spans[Self::place(&id)].is_closed = true;
        true
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Listener").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Keeps what is told up to a level while some work is done.
pub(crate) fn collect(level: Level, work: impl FnOnce()) -> Collector {
    let seen = Arc::new(Mutex::new(Collector::default()));
    let listener = Listener { level, seen: seen.clone() };
    tracing::subscriber::with_default(listener, work);
    std::mem::take(&mut *seen.lock().expect("no test has panicked here"))
}
