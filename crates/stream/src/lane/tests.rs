//! What the tests of lanes share: a stream of deltas, and what its lanes come to.

mod calls;
mod corpus;
mod ends;
mod keep;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::*;

/// A tool call's ID, number and name.
type Key<'a> = (&'a str, Option<u64>, &'a str);

/// Arguments as they are written in an event.
pub(super) fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).expect("a string");
    quoted[1..quoted.len() - 1].to_string()
}

/// Lanes that are fed by hand.
pub(super) struct Fed(pub(super) Lanes);

impl Fed {
    pub(super) fn new(options: LaneOptions) -> Self {
        Self(Lanes::new(Arc::new(options)))
    }

    fn say(&mut self, key: Key<'_>, args: Args<'_>) -> Result<Option<Progress>, LaneError> {
        self.say_of(0, key, args)
    }

    pub(super) fn say_of(
        &mut self,
        choice: u32,
        (id, index, name): Key<'_>,
        args: Args<'_>,
    ) -> Result<Option<Progress>, LaneError> {
        let (id, name) = (Some(Written(id.as_bytes())), Some(Written(name.as_bytes())));
        let call = Call { id, index, name, ..Call::default() };
        Ok(self.0.tool(choice, &call, &args)?.and_then(|heard| heard.lane.progress()))
    }

    /// A delta of arguments, given as the text that they are.
    pub(super) fn args(&mut self, key: Key<'_>, text: &str) -> Option<Progress> {
        self.say(key, Args::Text(Written(json(text).as_bytes()))).expect("within the limits")
    }

    pub(super) fn whole(&mut self, key: Key<'_>, text: &str) -> Option<Progress> {
        self.say(key, Args::Json(text.as_bytes())).expect("within the limits")
    }

    /// What stands at the beginning of a block.
    pub(super) fn held(&mut self, key: Key<'_>, text: &str) {
        self.say(key, Args::Placeholder(text.as_bytes())).expect("within the limits");
    }

    pub(super) fn nothing(&mut self, key: Key<'_>) {
        self.say(key, Args::Nothing).expect("within the limits");
    }

    /// A patch: a string as it is written, with `…` behind it if it goes on, or another value.
    pub(super) fn patch(&mut self, key: Key<'_>, path: &str, value: &str) -> Option<Progress> {
        let (value, goes_on) = value.strip_suffix('…').map_or((value, false), |value| (value, true));
        let (value, is_string) = value.strip_prefix('\'').map_or((value, false), |value| (value, true));
        let path = json(path);
        let args = Args::Patch { path: Written(path.as_bytes()), value: value.as_bytes(), is_string, goes_on };
        self.say(key, args).expect("within the limits")
    }

    /// Text of a choice as it is written in an event.
    pub(super) fn text(&mut self, choice: u32, kind: LaneKind, raw: &str) -> Option<Progress> {
        let heard = self.0.text(choice, kind, Written(raw.as_bytes())).expect("within the limits");
        heard.and_then(|heard| heard.lane.progress())
    }

    /// The lanes, once all choices have ended.
    pub(super) fn rows(mut self, class: FinishClass) -> Vec<String> {
        for choice in 0..4 {
            self.0.finish(choice, class);
        }
        self.0.close(Ending::Disconnected, &mut |_, _| ());
        rows(&self.0)
    }
}

/// Number, ID, name, text and outcome of each lane.
pub(super) fn rows(lanes: &Lanes) -> Vec<String> {
    let row = |lane: Lane<'_>| {
        let number = lane.key().tool.map_or("-".to_string(), |tool| tool.to_string());
        let (id, name) = (lane.id().unwrap_or("-"), lane.name().unwrap_or("-"));
        let text = lane.text().unwrap_or("not kept");
        let outcome = match lane.outcome() {
            None => "not judged".to_string(),
            Some(Outcome::Failure(failure)) => {
                format!("{} {} at {}", failure.kind().as_str(), failure.code(), failure.offset())
            }
            Some(outcome) => outcome.text().map_or("ok".to_string(), |text| format!("ok {text}")),
        };
        format!("{number} {id} {name} {text} => {outcome}")
    };
    lanes.iter().map(row).collect()
}

/// A key without anything.
pub(super) const NONE: Key<'static> = ("", None, "");

/// A key with a number only.
pub(super) fn at(index: u64) -> Key<'static> {
    ("", Some(index), "")
}
