//! Keys of objects: which names are still possible, and what is asked of the members.

use serde_json::Value;
use thusfar_core::Span;

use super::{Engine, With};
use crate::monitor::stack::{Cause, Instance, NOWHERE, Role};
use crate::monitor::text::{self, Heard};
use crate::schema::leaf;
use crate::schema::pattern::{Automaton, Stepped};
use crate::schema::program::{Allowed, Kind, ObjectPlan, Rest};

impl Engine {
    /// A key begins.
    pub(in crate::monitor) fn begin_key(&mut self, with: With<'_>, at: usize) {
        self.in_number = false;
        if self.is_recorded() {
            self.key_mark = self.record.len();
            self.record.begin("\"");
        }
        if self.skipped > 0 {
            return;
        }
        let Some(top) = self.stack.frames.len().checked_sub(1) else { return };
        self.stack.event += 1;
        self.is_key_open = true;
        self.key_states.clear();
        let frame = self.stack.frames[top];
        self.keys.truncate(frame.newest);
        self.stack.frames[top].key_at = at;
        let before = if frame.count > 0 { frame.comma } else { at };
        let mut is_dead = false;
        for i in self.stack.range(top) {
            if !self.stack.instances[i].is_open() {
                continue;
            }
            let Some(plan) = &with.program.plan(self.stack.instances[i].node).object else { continue };
            if let Some(closed) = &plan.closed {
                for (at, automaton) in object_automata(plan) {
                    self.key_states.push((i as u32, at, automaton.start()));
                }
                let instance = &mut self.stack.instances[i];
                let is_spent = !plan.has_patterns && closed.len() == instance.allowed as usize;
                (instance.low, instance.high) = (0, closed.len() as u32);
                instance.spent_at = if is_spent { before } else { NOWHERE };
                if closed.is_empty() && !plan.has_patterns {
                    self.stack.kill(i, Cause::Unknown, before);
                    is_dead = true;
                    continue;
                }
            }
            if plan.most == 0 {
                self.stack.kill(i, Cause::MaxProperties, before);
                is_dead = true;
                continue;
            }
            if let Some(names) = plan.names {
                self.asked.push((i as u32, names, Role::Name));
            }
        }
        if is_dead && self.sink(with, top, before) {
            return;
        }
        if !self.asked.is_empty() {
            self.stack.open(Kind::String, true, at);
            self.open(with, Kind::String, at, NOWHERE);
        }
    }

    /// Holds more of a key against the names that closed objects allow.
    pub(super) fn narrow_key(&mut self, with: With<'_>, span: Span, text: &str) {
        let is_key_frame = self.stack.top().is_some_and(|frame| frame.is_key);
        let Some(top) = self.stack.frames.len().checked_sub(1 + usize::from(is_key_frame)) else { return };
        let frame = self.stack.frames[top];
        let len = self.keys.len() - text.len() - frame.newest;
        let offset_of = |at: usize| if span.len() == text.len() { span.start + at } else { span.end - 1 };
        for i in self.stack.range(top) {
            if !self.stack.instances[i].is_open() {
                continue;
            }
            let Some(object) = &with.program.plan(self.stack.instances[i].node).object else { continue };
            let Some(closed) = &object.closed else { continue };
            if object.has_patterns {
                if let Some(at) = self.narrow_patterns(object, closed, i, len, text) {
                    self.heard.push((at, i as u32, Heard::Dead(at, Cause::Unknown)));
                }
                continue;
            }
            let mut at = 0;
            while at < text.len() {
                let instance = &mut self.stack.instances[i];
                let (mut low, mut high) = (instance.low, instance.high);
                // Where one name is left all that came is held against it at once.
                let end = if high - low == 1 || frame.count == 0 { text.len() } else { at + 1 };
                let dead = text::narrow(closed, &mut low, &mut high, len + at, &text.as_bytes()[at..end]);
                let is_narrower = (low, high) != (instance.low, instance.high);
                (instance.low, instance.high) = (low, high);
                let may_be_spent = dead.is_none() && frame.count > 0 && (is_narrower || at + len == 0);
                let seen = instance.allowed as usize;
                if may_be_spent && instance.spent_at == NOWHERE {
                    let left = &closed[low as usize..high as usize];
                    let is_there = |allowed: &Allowed| self.stack.has_bit(i, allowed.word);
                    if left.len() <= seen && left.iter().all(is_there) {
                        self.stack.instances[i].spent_at = offset_of(at);
                    }
                }
                if let Some(index) = dead {
                    self.heard.push((at + index, i as u32, Heard::Dead(at + index, Cause::Unknown)));
                    break;
                }
                at = end;
            }
        }
    }

    /// The same where names may also match patterns: the byte with which neither is possible any more.
    fn narrow_patterns(
        &mut self,
        object: &ObjectPlan,
        closed: &[Allowed],
        i: usize,
        len: usize,
        text: &str,
    ) -> Option<usize> {
        let instance = &mut self.stack.instances[i];
        let (low, high) = (&mut instance.low, &mut instance.high);
        let mut dead = if low == high { Some(0) } else { text::narrow(closed, low, high, len, text.as_bytes()) };
        // They stand in the order of the instances.
        let from = self.key_states.partition_point(|(of, ..)| (*of as usize) < i);
        for (_, at, state) in self.key_states[from..].iter_mut().take_while(|(of, ..)| *of as usize == i) {
            let automaton = object.automata[*at as usize].as_ref()?;
            let died = match Automaton::known(*state) {
                Some(false) => Some(0),
                Some(true) => None,
                None => match automaton.step(*state, text.as_bytes()) {
                    Stepped::Dead(died) => {
                        *state = Automaton::failed();
                        Some(died)
                    }
                    Stepped::Matched(_) => {
                        *state = Automaton::matched();
                        None
                    }
                    Stepped::Alive(next) => {
                        *state = next;
                        None
                    }
                },
            };
            dead = dead.zip(died).map(|(one, other)| one.max(other));
        }
        dead
    }

    /// A key has closed before `end`; `is_second`: it was there before.
    pub(in crate::monitor) fn key(&mut self, with: With<'_>, end: usize, is_second: bool) {
        if self.is_recorded() {
            if is_second { self.record.take_back(self.key_mark) } else { self.record.push("\":") }
        }
        if self.skipped > 0 {
            self.is_second |= is_second;
            return;
        }
        self.is_key_open = false;
        self.text.is_open = false;
        if self.stack.top().is_some_and(|frame| frame.is_key) {
            self.finish(with, end - 1);
            if self.is_over {
                return;
            }
        }
        self.is_second = is_second;
        if !is_second {
            self.stack.event += 1;
            let keys = std::mem::take(&mut self.keys);
            let from = self.stack.top().map_or(0, |frame| frame.newest);
            let has_died = self.member(with, keys.get(from..).unwrap_or_default(), end - 1);
            self.keys = keys;
            if has_died {
                self.sink(with, self.stack.frames.len() - 1, end - 1);
            }
        }
    }

    /// A member of an object has its key. Whether something may have died of it.
    fn member(&mut self, with: With<'_>, key: &str, offset: usize) -> bool {
        let Some(top) = self.stack.frames.len().checked_sub(1) else { return false };
        let frame = &mut self.stack.frames[top];
        frame.count += 1;
        let count = frame.count;
        let before = if count > 1 { frame.comma } else { offset };
        let mut is_changed = false;
        for i in self.stack.range(top) {
            if !self.stack.instances[i].is_open() {
                continue;
            }
            let node = self.stack.instances[i].node;
            let plan = with.program.plan(node);
            let Some(object) = &plan.object else { continue };
            let mut is_named = false;
            let mut cause = None;
            if let Some(word) = self.word(object, i, key) {
                let is_new = self.stack.set_bit(i, word);
                let word = &object.words[word as usize];
                let instance = &mut self.stack.instances[i];
                instance.missing -= u32::from(is_new && word.is_required);
                instance.allowed += u32::from(is_new && word.is_allowed());
                is_changed |= !plan.layout.gate_words.is_empty();
                is_named = word.member.is_some();
                match word.member {
                    Some(Rest::Schema(id)) => self.asked.push((i as u32, id, Role::Must)),
                    Some(Rest::Closed) => cause = Some((Cause::Forbidden, offset)),
                    _ => {}
                }
            }
            let mut is_certain = true;
            if object.has_patterns {
                is_certain = self.patterns(with, i, key, &mut is_named, &mut cause, offset);
            }
            match object.rest {
                Rest::Any => {}
                _ if is_named => {}
                _ if !is_certain => self.stack.instances[i].is_tainted = true,
                Rest::Closed => {
                    cause = cause.or(Some((Cause::Unknown, self.stack.instances[i].spent_at.min(offset))));
                }
                Rest::Schema(id) => self.asked.push((i as u32, id, Role::Must)),
            }
            if count > object.most {
                cause = cause.or(Some((Cause::MaxProperties, before)));
            } else if u64::from(self.stack.instances[i].missing) > object.most - count {
                cause = cause.or(Some((Cause::Required, offset)));
            }
            if let Some((cause, offset)) = cause {
                self.stack.kill(i, cause, offset);
                is_changed = true;
            }
        }
        is_changed
    }

    /// The word that a key is, which has closed.
    fn word(&self, object: &ObjectPlan, i: usize, key: &str) -> Option<u32> {
        if let Some(closed) = &object.closed {
            // The names were narrowed down to those that begin with the key.
            let Instance { low, high, .. } = self.stack.instances[i];
            let first = closed[low as usize..high as usize].first().filter(|first| first.name.len() == key.len());
            if first.is_some() || closed.len() == object.words.len() {
                return first.map(|first| first.word);
            }
        }
        object.word(key)
    }

    /// Whether a field that a plan knows by its name is there.
    pub(in crate::monitor) fn has_member(&self, with: With<'_>, top: usize, key: &str) -> bool {
        self.stack.range(top).any(|i| {
            let object = with.program.plan(self.stack.instances[i].node).object.as_ref();
            let word = object.and_then(|object| object.word(key));
            word.is_some_and(|word| self.stack.has_bit(i, word))
        })
    }

    /// What patterns of names ask of a member; whether it is known which match.
    fn patterns(
        &mut self,
        with: With<'_>,
        i: usize,
        key: &str,
        is_named: &mut bool,
        cause: &mut Option<(Cause, usize)>,
        offset: usize,
    ) -> bool {
        let table = with.schema.table();
        let Some(members) = &table.node(self.stack.instances[i].node).members else { return true };
        let mut is_certain = true;
        let object = with.program.plan(self.stack.instances[i].node).object.as_deref();
        for (at, (pattern, id)) in members.patterns.iter().enumerate() {
            let automaton = object.and_then(|object| object.automata.get(at)).and_then(Option::as_ref);
            let is_match = match automaton {
                Some(automaton) => Some(automaton.is_match(key)),
                None => leaf::ask(pattern, &Value::from(key), with.schema.options()).is_valid,
            };
            match is_match {
                Some(true) => {
                    *is_named = true;
                    match table.node(*id).verdict {
                        Some(true) => {}
                        Some(false) => *cause = cause.or(Some((Cause::ForbiddenByPattern, offset))),
                        None => self.asked.push((i as u32, *id, Role::Must)),
                    }
                }
                Some(false) => {}
                None => {
                    is_certain = false;
                    self.stack.instances[i].is_tainted = true;
                }
            }
        }
        is_certain
    }
}

/// The automata of the patterns of names, each with its number.
fn object_automata(plan: &ObjectPlan) -> impl Iterator<Item = (u32, &Automaton)> {
    plan.automata.iter().enumerate().filter_map(|(at, automaton)| Some((at as u32, automaton.as_ref()?)))
}
