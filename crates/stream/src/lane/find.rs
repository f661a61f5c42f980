//! Which tool call a delta belongs to.
//!
//! By its ID if it has one, else by its item, else by its number, else it is of the latest call of its choice. A new ID, or a
//! new name, opens another call even under a number that is in use: some servers give each call the number 0. Nothing is
//! joined that may be two calls: where a delta has two readings, the call fails.

use super::entry::{Entry, is_white};
use super::outcome::FaultCode;
use crate::said::{Args, LaneKind};

/// What a delta says of its call. An empty ID or name says nothing.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) id: &'a str,
    pub(super) item: &'a str,
    pub(super) index: Option<u64>,
    pub(super) name: &'a str,
    /// It begins a call, whatever came before.
    pub(super) is_new: bool,
}

impl Named<'_> {
    /// Whether nothing says which call it is.
    pub(super) const fn is_nameless(&self) -> bool {
        self.id.is_empty() && self.item.is_empty() && self.index.is_none() && self.name.is_empty()
    }
}

/// Where a delta belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// To a call of which nothing has come yet.
    New,
    /// To this one.
    At(usize),
    /// To this one, or not: the call fails.
    Doubt(usize, FaultCode),
}

/// Finds the call of a delta. Linear in the number of lanes, which is limited.
pub(super) fn find(entries: &[Entry], choice: u32, named: &Named<'_>, args: &Args<'_>) -> Found {
    let calls = || {
        let all = entries.iter().enumerate().rev();
        all.filter(|(_, entry)| entry.choice == choice && entry.kind == LaneKind::ToolArgs)
    };
    let by_index = || calls().find(|(_, entry)| entry.index == named.index);
    let by_item = || calls().find(|(_, entry)| !named.item.is_empty() && *entry.item == *named.item);
    if !named.id.is_empty() {
        if let Some((at, entry)) = calls().find(|(_, entry)| *entry.id == *named.id) {
            let is_other = !named.name.is_empty() && !entry.name.is_empty() && *entry.name != *named.name;
            return if is_other { Found::Doubt(at, FaultCode::NameChanged) } else { Found::At(at) };
        }
        if let Some((at, _)) = by_item().filter(|(_, entry)| entry.id.is_empty()) {
            return Found::At(at);
        }
        // The number and the name may have come before the ID, but no arguments.
        let before = if named.index.is_some() { by_index() } else { calls().next() };
        return match before.filter(|_| !named.is_new) {
            Some((at, entry)) if entry.id.is_empty() && !entry.has_arguments() && fits(entry, named) => Found::At(at),
            _ => Found::New,
        };
    }
    if let Some((at, _)) = by_item() {
        return Found::At(at);
    }
    if named.is_new {
        return Found::New;
    }
    let latest = calls().next();
    if named.index.is_none() {
        return latest.map_or(Found::New, |(at, entry)| goes_on(at, entry, named, args));
    }
    match by_index() {
        Some((at, entry)) => goes_on(at, entry, named, args),
        // The call began without its number.
        None => match latest {
            Some((at, entry)) if entry.index.is_none() && named.name.is_empty() && !entry.is_complete() => {
                Found::At(at)
            }
            _ => Found::New,
        },
    }
}

/// Whether a name and an item can be those of a call.
fn fits(entry: &Entry, named: &Named<'_>) -> bool {
    let same = |a: &str, b: &str| a.is_empty() || b.is_empty() || a == b;
    same(&entry.name, named.name) && same(&entry.item, named.item)
}

/// Whether a delta goes on with a call that its number, or being the latest one, points at.
fn goes_on(at: usize, entry: &Entry, named: &Named<'_>, args: &Args<'_>) -> Found {
    let is_same = if !fits(entry, named) {
        false
    } else if named.name.is_empty() {
        return Found::At(at);
    } else if entry.name.is_empty() {
        !entry.is_ended && !entry.is_complete()
    } else {
        // The same name again: a server that repeats it, or the next call of the same tool.
        match args {
            Args::Repeat(_) => true,
            Args::Nothing => named.index.is_some(),
            Args::Json(_) | Args::Placeholder(_) => named.index.is_some() && !entry.has_arguments(),
            Args::Text(text) => !(entry.is_ended || entry.is_complete() && opens(text.0)),
            Args::Patch { .. } if entry.patch.is_some() && !entry.is_ended => {
                return Found::Doubt(at, FaultCode::SecondArguments);
            }
            Args::Patch { .. } => !entry.is_ended && !entry.has_arguments(),
        }
    };
    if is_same { Found::At(at) } else { Found::New }
}

/// Whether a string begins with an object, white space aside, which may be escaped.
fn opens(raw: &[u8]) -> bool {
    let mut rest = raw;
    loop {
        rest = match rest {
            [byte, behind @ ..] if is_white(byte) => behind,
            [b'\\', b'n' | b't' | b'r', behind @ ..] => behind,
            _ => return rest.first() == Some(&b'{'),
        };
    }
}
