//! Arguments of a known tool, held against its schema while they come.
//!
//! # Theory
//!
//! What is read is a value of which the dialect says that it is the arguments of a tool, or one that may describe calls. In the second the
//! name has to be known first: a member that names an offered tool stands in the same object, in front of the arguments, or the key is
//! the name. Arguments that stand in front of the name, or in a string, are checked when the call is judged, and not here.
//!
//! Nothing is refused here: that the value is a call is certain only when it has closed. What was found waits for that.

use thusfar_core::{Event, Expect, Kind, Sink, Span, Take};

use super::Tools;
use super::list::LONGEST_NAME;
use super::shape::{ARGUMENTS, NAMES};
use crate::monitor::Monitor;
use crate::violation::Violation;

/// Frames that may stand around arguments: a list of calls under a key, a call, its function.
const MOST_LEVELS: usize = 5;

/// What arguments break. Offsets are bytes of the reply, or of the value while that is read.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    /// Where the arguments begin.
    pub(super) start: usize,
    pub(super) tool: String,
    pub(super) violation: Violation,
    /// The byte with which it was told.
    pub(super) decided_at: usize,
}

impl Heard {
    /// The same of a value that begins at an offset of the reply.
    pub(super) fn behind(mut self, offset: usize) -> Self {
        self.start += offset;
        self.decided_at += offset;
        self.violation.start += offset;
        self.violation.offset += offset;
        self
    }
}

/// Listens to a value.
#[derive(Default)]
pub(super) struct Ear {
    /// The tools, if anything is listened for.
    tools: Option<Tools>,
    /// The tool whose arguments the value is.
    named: Option<String>,
    /// Frames that are open, outside of arguments.
    levels: Vec<Level>,
    /// Frames that are open further inside.
    deeper: usize,
    /// The key or the name that is open.
    text: Option<String>,
    open: Option<Box<Open>>,
    pub(super) found: Vec<Heard>,
}

struct Level {
    kind: Kind,
    key: String,
    /// The tool that it names.
    name: Option<String>,
}

/// Arguments that are open.
struct Open {
    start: usize,
    tool: String,
    depth: usize,
    monitor: Monitor,
}

impl Ear {
    /// For the arguments of a tool.
    pub(super) fn named(tools: &Tools, name: &str) -> Self {
        Self { named: Some(name.to_owned()), ..Self::inside(tools) }
    }

    /// For a value that may describe calls.
    pub(super) fn inside(tools: &Tools) -> Self {
        Self { tools: Some(tools.clone()), ..Self::default() }
    }

    pub(super) fn event(&mut self, event: Event) {
        if self.open.is_some() {
            return self.tell(certain_at(event), |monitor| _ = monitor.event(event), depth_of(event));
        }
        match event {
            Event::Open { kind, at } => self.begin(kind, at),
            Event::Close { .. } if self.deeper > 0 => self.deeper -= 1,
            Event::Close { .. } => _ = self.levels.pop(),
            Event::StringOpen { key, .. } => {
                let is_told = self.level().is_some_and(|level| key || NAMES.contains(&&*level.key));
                self.text = is_told.then(String::new);
            }
            Event::Key { .. } => {
                let key = self.text.take().unwrap_or_default();
                if let Some(level) = self.level() {
                    level.key = key;
                }
            }
            Event::String { .. } => self.name(),
            _ => {}
        }
    }

    pub(super) fn content(&mut self, span: Span, text: &str) {
        if self.open.is_some() {
            let is_plain = text.len() == span.len();
            return self.tell(Certain::In(span, is_plain), |monitor| _ = monitor.content(span, text), Depth::Same);
        }
        if let Some(known) = &mut self.text {
            // What is longer is no name, and stays longer.
            if known.len() <= LONGEST_NAME {
                known.push_str(text);
            }
        }
    }

    /// The object or array in which a member or item may begin, if none that is deeper is open.
    fn level(&mut self) -> Option<&mut Level> {
        self.levels.last_mut().filter(|_| self.deeper == 0)
    }

    /// A string has closed: the name of a tool, perhaps.
    fn name(&mut self) {
        let (Some(name), Some(tools)) = (self.text.take(), &self.tools) else { return };
        if tools.get(&name).is_some() {
            if let Some(level) = self.level() {
                level.name.get_or_insert(name);
            }
        }
    }

    /// A frame opens: arguments, or something around them.
    fn begin(&mut self, kind: Kind, at: usize) {
        let Some(tools) = &self.tools else { return };
        if self.deeper > 0 || self.levels.len() == MOST_LEVELS {
            self.deeper += 1;
            return;
        }
        let tool = match (self.levels.last(), &self.named) {
            (None, name) => name.as_deref(),
            (Some(level), None) if level.kind == Kind::Object && kind == Kind::Object => {
                let by_key = || Some(&*level.key).filter(|key| tools.get(key).is_some());
                level.name.as_deref().filter(|_| ARGUMENTS.contains(&&*level.key)).or_else(by_key)
            }
            _ => None,
        };
        match tool.and_then(|name| Some((name.to_owned(), tools.monitor(name, &expect())?))) {
            Some((tool, mut monitor)) => {
                let _ = monitor.event(Event::Begin { kind, at });
                self.open = Some(Box::new(Open { start: at, tool, depth: 0, monitor }));
                let open = Event::Open { kind, at };
                self.tell(certain_at(open), |monitor| _ = monitor.event(open), Depth::Deeper);
            }
            None => self.levels.push(Level { kind, key: String::new(), name: None }),
        }
    }

    /// Tells the monitor, and notes what it found.
    fn tell(&mut self, certain: Certain, tell: impl FnOnce(&mut Monitor), depth: Depth) {
        let Some(open) = &mut self.open else { return };
        tell(&mut open.monitor);
        match depth {
            Depth::Same => {}
            Depth::Deeper => open.depth += 1,
            Depth::Shallower => open.depth -= 1,
        }
        let is_over = open.depth == 0;
        if let Some(violation) = open.monitor.violation() {
            let (start, tool, violation) = (open.start, open.tool.clone(), violation.clone());
            let decided_at = certain.at(&open.monitor, violation.offset);
            self.found.push(Heard { start, tool, violation, decided_at });
            // Of these arguments nothing more is to be found.
            self.deeper = open.depth;
            self.open = None;
        } else if is_over {
            self.open = None;
        }
    }
}

/// How arguments are read.
fn expect() -> Expect {
    Expect::any().take(Take::Alone)
}

/// What an event does to the depth.
enum Depth {
    Same,
    Deeper,
    Shallower,
}

const fn depth_of(event: Event) -> Depth {
    match event {
        Event::Open { .. } => Depth::Deeper,
        Event::Close { .. } => Depth::Shallower,
        _ => Depth::Same,
    }
}

/// The byte with which something is told.
#[derive(Clone, Copy)]
enum Certain {
    At(usize),
    /// Content that stands here; whether its bytes are the characters.
    In(Span, bool),
}

impl Certain {
    /// The byte with which a violation is told that has this offset.
    fn at(self, monitor: &Monitor, offset: usize) -> usize {
        match self {
            Certain::At(at) => at,
            Certain::In(span, true) => monitor.refused_with().unwrap_or(offset).clamp(span.start, span.end - 1),
            Certain::In(span, false) => span.end - 1,
        }
    }
}

const fn certain_at(event: Event) -> Certain {
    Certain::At(match event {
        Event::Open { at, .. } | Event::Close { at, .. } | Event::Comma { at } => at,
        Event::StringOpen { at, .. } | Event::ScalarOpen { at, .. } => at,
        Event::Key { end, .. } | Event::String { end, .. } => end - 1,
        // The byte behind it ends it.
        Event::Number { span } | Event::Literal { span } => span.end,
        Event::Edit(edit) => edit.span.start,
        _ => 0,
    })
}
