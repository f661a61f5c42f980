//! Why a value is not valid.
//!
//! # Theory
//!
//! A walk over pairs of a node and a value. Each pair is looked at once, whatever the number of ways that lead to it, so that the walk is linear
//! in pairs where collecting errors branch by branch is exponential in depth. A pair is *valid*, *invalid* with what is broken, or *unknown*; the
//! three are combined by Kleene's logic, so that what the table does not know never becomes a violation. What keywords ask of a value alone is
//! asked of the validator's own code ([`leaf`](super::leaf)); what looks into a value is here.
//!
//! The walk recurses with the value's depth and the schema's nesting, whose product is bounded before ([`cost`](super::cost)).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::leaf;
use super::table::{Condition, Contains, Id, Items, Leaf, Members, ROOT, Table};
use super::union;
use super::{COLLECTED, MOST_BROKEN, SchemaOptions};
use crate::violation::{About, Broken};

/// Pairs of a node and a value that are looked at.
const MOST_PAIRS: usize = 200_000;

/// Bytes of text that all complaints hold, those that are not told among them.
const MOST_TEXT: usize = 16 << 20;

/// What is known of a pair.
#[derive(Clone, Debug)]
pub(super) enum Finding<'v> {
    Valid,
    Invalid(Rc<Parts<'v>>),
    Unknown,
}

/// What is broken: here, and in pairs below or beside.
#[derive(Debug, Default)]
pub(super) struct Parts<'v> {
    pub(super) here: Vec<Broken<'v>>,
    pub(super) others: Vec<Rc<Parts<'v>>>,
}

impl<'v> Finding<'v> {
    pub(super) fn is_valid(&self) -> Option<bool> {
        match self {
            Finding::Valid => Some(true),
            Finding::Invalid(_) => Some(false),
            Finding::Unknown => None,
        }
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Explained<'v> {
    /// What is broken, each once, in no order.
    pub(crate) broken: Vec<Broken<'v>>,
    /// Whether that is all.
    pub(crate) is_complete: bool,
    /// Whether all of it is valid, as far as the table knows.
    pub(crate) is_valid: Option<bool>,
    /// A pattern took more steps back than allowed.
    pub(crate) gave_up: bool,
    /// Values of which a bound, `enum` or `const` was asked.
    pub(crate) touched: Vec<(&'v Value, &'static str)>,
}

/// Says why a value is not valid under the root of a table.
pub(crate) fn explain<'v>(table: &Table, options: &SchemaOptions, value: &'v Value) -> Explained<'v> {
    explain_by(table, options, &[ROOT], value)
}

/// The same under some nodes, all of which must hold.
pub(crate) fn explain_by<'v>(table: &Table, options: &SchemaOptions, asked: &[Id], value: &'v Value) -> Explained<'v> {
    let mut walk = Walk::new(table, options);
    let mut gathered = Gathered::default();
    for &id in asked {
        let finding = walk.look(id, value);
        gathered.must(&finding);
    }
    let finding = gathered.finding();
    let mut broken = Vec::new();
    // Nothing that was found through a ring is certain.
    if let (Finding::Invalid(parts), false) = (&finding, walk.has_ring) {
        flatten(parts, COLLECTED, &mut broken);
    }
    let is_complete = !walk.is_spent && broken.len() <= MOST_BROKEN;
    broken.truncate(MOST_BROKEN);
    let is_valid = finding.is_valid().filter(|_| !walk.has_ring);
    Explained { broken, is_complete, is_valid, gave_up: walk.gave_up, touched: walk.touched }
}

/// What a graph of parts holds, each part once, and no more than so many.
pub(super) fn flatten<'v>(parts: &Rc<Parts<'v>>, most: usize, broken: &mut Vec<Broken<'v>>) {
    let mut seen = HashSet::new();
    let mut waiting = vec![parts];
    while let Some(parts) = waiting.pop() {
        if !seen.insert(Rc::as_ptr(parts)) {
            continue;
        }
        for one in &parts.here {
            let same = |other: &Broken<'_>| {
                std::ptr::eq(other.at, one.at) && other.keyword == one.keyword && other.about == one.about
            };
            // Equal ones come of equal keywords at one value: few, and near.
            if broken.len() >= most {
                return;
            }
            if !broken.iter().rev().take(64).any(same) {
                broken.push(one.clone());
            }
        }
        waiting.extend(parts.others.iter().rev());
    }
}

pub(super) struct Walk<'t, 'v> {
    table: &'t Table,
    options: &'t SchemaOptions,
    /// Nothing yet of a pair that is being looked at.
    known: HashMap<(Id, *const Value), Option<Finding<'v>>>,
    /// Bytes of text that complaints may still hold.
    room: usize,
    gave_up: bool,
    /// A schema led to itself about the same value: nothing that was found is certain.
    has_ring: bool,
    /// Pairs were left out, for there are too many.
    is_spent: bool,
    touched: Vec<(&'v Value, &'static str)>,
    /// The same by address: many subschemas may ask the same keyword of the same value.
    asked: HashSet<(*const Value, &'static str)>,
}

/// What is gathered about one pair.
#[derive(Debug, Default)]
pub(super) struct Gathered<'v> {
    parts: Parts<'v>,
    is_unknown: bool,
    is_invalid: bool,
}

impl<'v> Gathered<'v> {
    fn must(&mut self, finding: &Finding<'v>) {
        match finding {
            Finding::Valid => {}
            Finding::Invalid(parts) => {
                self.is_invalid = true;
                self.parts.others.push(Rc::clone(parts));
            }
            Finding::Unknown => self.is_unknown = true,
        }
    }

    pub(super) fn break_with(&mut self, at: &'v Value, keyword: &'static str, about: About) {
        self.is_invalid = true;
        self.parts.here.push(Broken { at, keyword, about, form: None });
    }

    pub(super) fn take(&mut self, broken: Vec<Broken<'v>>) {
        self.is_invalid = true;
        self.parts.here.extend(broken);
    }

    pub(super) fn not_known(&mut self) {
        self.is_unknown = true;
    }

    fn finding(self) -> Finding<'v> {
        match self {
            Gathered { is_invalid: true, parts, .. } => Finding::Invalid(Rc::new(parts)),
            Gathered { is_unknown: true, .. } => Finding::Unknown,
            _ => Finding::Valid,
        }
    }
}

impl<'t, 'v> Walk<'t, 'v> {
    fn new(table: &'t Table, options: &'t SchemaOptions) -> Self {
        Self {
            table,
            options,
            known: HashMap::new(),
            room: MOST_TEXT,
            gave_up: false,
            has_ring: false,
            is_spent: false,
            touched: Vec::new(),
            asked: HashSet::new(),
        }
    }

    /// What is known of a node and a value. One that is being looked at holds, as a reference to itself asks nothing.
    pub(super) fn look(&mut self, id: Id, value: &'v Value) -> Finding<'v> {
        let pair = (id, std::ptr::from_ref(value));
        match self.known.get(&pair) {
            Some(Some(known)) => return known.clone(),
            Some(None) => {
                self.has_ring = true;
                return Finding::Valid;
            }
            None => {}
        }
        if self.known.len() >= MOST_PAIRS {
            self.is_spent = true;
            return Finding::Unknown;
        }
        self.known.insert(pair, None);
        let finding = self.find(id, value);
        self.known.insert(pair, Some(finding.clone()));
        finding
    }

    fn find(&mut self, id: Id, value: &'v Value) -> Finding<'v> {
        let table = self.table;
        let node = table.node(id);
        let mut gathered = Gathered::default();
        match node.verdict {
            Some(true) => return Finding::Valid,
            Some(false) => gathered.break_with(value, "false", About::Never),
            None => {}
        }
        if let Some(leaf) = &node.leaf {
            self.leaf(leaf, value, &mut gathered);
        }
        for &id in &node.all {
            let finding = self.look(id, value);
            gathered.must(&finding);
        }
        self.branches(id, value, &mut gathered);
        match value {
            Value::Object(members) => self.object(id, value, members, &mut gathered),
            Value::Array(items) => self.array(id, value, items, &mut gathered),
            _ => {}
        }
        self.hold(&mut gathered.parts.here);
        match gathered.finding() {
            // Nothing that is said of it is certain.
            _ if node.is_unsure => Finding::Unknown,
            finding => finding,
        }
    }

    /// Keeps complaints as long as there is room for their text: a name in a schema may be long, and missed in each of many items.
    fn hold(&mut self, broken: &mut [Broken<'v>]) {
        for one in broken {
            match self.room.checked_sub(one.about.len()) {
                Some(rest) => self.room = rest,
                None => {
                    self.is_spent = true;
                    one.about = About::Unknown;
                }
            }
        }
    }

    fn leaf(&mut self, leaf: &Leaf, value: &'v Value, gathered: &mut Gathered<'v>) {
        let said = leaf::ask(leaf, value, self.options);
        self.gave_up |= said.gave_up;
        match said.is_valid {
            Some(true) => {}
            Some(false) => gathered.take(said.broken),
            None => gathered.not_known(),
        }
        for keyword in NUMERIC {
            let is_asked = leaf.keywords.get(keyword).is_some();
            let may_touch = value.is_number() || matches!(keyword, "enum" | "const");
            if is_asked && may_touch && self.asked.insert((std::ptr::from_ref(value), keyword)) {
                self.touched.push((value, keyword));
            }
        }
    }

    fn branches(&mut self, id: Id, value: &'v Value, gathered: &mut Gathered<'v>) {
        let node = self.table.node(id);
        if let Some(branches) = &node.any {
            self.union(branches, "anyOf", value, gathered);
        }
        if let Some(branches) = &node.one {
            self.union(branches, "oneOf", value, gathered);
        }
        if let Some(not) = node.not {
            self.negation(not, value, gathered);
        }
        if let Some(condition) = node.condition {
            self.condition(condition, value, gathered);
        }
    }

    fn union(&mut self, branches: &[Id], keyword: &'static str, value: &'v Value, gathered: &mut Gathered<'v>) {
        let mut findings = Vec::with_capacity(branches.len());
        for &id in branches {
            findings.push(self.look(id, value));
        }
        union::judge(self.table, branches, &findings, value, keyword, gathered);
    }

    fn negation(&mut self, id: Id, value: &'v Value, gathered: &mut Gathered<'v>) {
        match self.look(id, value).is_valid() {
            Some(true) => gathered.break_with(value, "not", About::Not),
            Some(false) => {}
            None => gathered.not_known(),
        }
    }

    fn condition(&mut self, condition: Condition, value: &'v Value, gathered: &mut Gathered<'v>) {
        let next = match self.look(condition.test, value).is_valid() {
            Some(true) => condition.then,
            Some(false) => condition.otherwise,
            None => return gathered.not_known(),
        };
        if let Some(next) = next {
            let finding = self.look(next, value);
            gathered.must(&finding);
        }
    }

    fn object(&mut self, id: Id, value: &'v Value, members: &'v Map<String, Value>, gathered: &mut Gathered<'v>) {
        let node = self.table.node(id);
        for (key, id) in &node.dependents {
            if members.contains_key(key) {
                let finding = self.look(*id, value);
                gathered.must(&finding);
            }
        }
        if let Some(asked) = &node.members {
            for (key, member) in members {
                self.member(asked, key, member, gathered);
            }
        }
        if let Some(rest) = node.unevaluated_members {
            self.unevaluated_members(id, rest, value, members, gathered);
        }
    }

    fn member(&mut self, asked: &Members, key: &str, member: &'v Value, gathered: &mut Gathered<'v>) {
        let mut is_named = false;
        let mut is_certain = true;
        if let Some(&id) = asked.named.get(key) {
            is_named = true;
            self.child(id, member, "properties", About::Field(None), gathered);
        }
        for (pattern, id) in &asked.patterns {
            match self.matches(pattern, key) {
                Some(true) => {
                    is_named = true;
                    self.child(*id, member, "patternProperties", About::Field(None), gathered);
                }
                Some(false) => {}
                None => is_certain = false,
            }
        }
        match asked.rest {
            Some(_) if !is_certain && !is_named => gathered.not_known(),
            Some(rest) if !is_named => {
                let allowed = asked.patterns.is_empty().then(|| Arc::clone(&asked.names));
                self.child(rest, member, "additionalProperties", About::Field(allowed), gathered);
            }
            _ => {}
        }
        if let Some(id) = asked.key {
            self.name(id, key, member, gathered);
        }
    }

    /// A value inside: where nothing is allowed, the keyword above says so.
    fn child(&mut self, id: Id, value: &'v Value, keyword: &'static str, about: About, gathered: &mut Gathered<'v>) {
        if self.table.node(id).verdict == Some(false) {
            return gathered.break_with(value, keyword, about);
        }
        let finding = self.look(id, value);
        gathered.must(&finding);
    }

    /// Whether a pattern matches a key.
    fn matches(&mut self, pattern: &Leaf, key: &str) -> Option<bool> {
        let key = Value::from(key);
        let said = leaf::ask(pattern, &key, self.options);
        self.gave_up |= said.gave_up;
        said.is_valid
    }

    /// What is asked of a key: looked at by itself, since the key is no value of the document.
    fn name(&mut self, id: Id, key: &str, member: &'v Value, gathered: &mut Gathered<'v>) {
        let name = Value::from(key);
        let mut walk = Walk::new(self.table, self.options);
        let finding = walk.look(id, &name);
        let (gave_up, is_spent, has_ring) = (walk.gave_up, walk.is_spent, walk.has_ring);
        drop(walk);
        self.gave_up |= gave_up;
        self.is_spent |= is_spent;
        self.has_ring |= has_ring;
        match &finding {
            Finding::Valid => {}
            Finding::Unknown => gathered.not_known(),
            Finding::Invalid(parts) => {
                let mut broken = Vec::new();
                flatten(parts, 1, &mut broken);
                let why = broken.first().map(why_not_a_name).unwrap_or_default();
                gathered.break_with(member, "propertyNames", About::Name { name: key.to_owned(), why });
            }
        }
    }

    fn array(&mut self, id: Id, value: &'v Value, items: &'v [Value], gathered: &mut Gathered<'v>) {
        let node = self.table.node(id);
        if let Some(asked) = &node.items {
            self.items(asked, value, items, gathered);
        }
        if let Some(rest) = node.unevaluated_items {
            self.unevaluated_items(id, rest, value, items, gathered);
        }
    }

    fn items(&mut self, asked: &Items, value: &'v Value, items: &'v [Value], gathered: &mut Gathered<'v>) {
        for (at, item) in items.iter().enumerate() {
            match (asked.prefix.get(at), asked.rest) {
                (Some(&id), _) => self.child(id, item, "prefixItems", About::Item(None), gathered),
                (None, Some(rest)) => {
                    let about = About::Item(Some(asked.prefix.len()));
                    self.child(rest, item, asked.rest_keyword, about, gathered);
                }
                (None, None) => break,
            }
        }
        if let Some(Contains { item, least, most, .. }) = asked.contains {
            let findings: Vec<_> = items.iter().map(|value| self.look(item, value).is_valid()).collect();
            let got = findings.iter().filter(|valid| **valid == Some(true)).count() as u64;
            let unknown = findings.iter().filter(|valid| valid.is_none()).count() as u64;
            let too_many = most.is_some_and(|most| got > most);
            if got + unknown < least || too_many {
                let keyword = if too_many { "maxContains" } else { "contains" };
                gathered.break_with(value, keyword, About::Contains { least, most, got });
            } else if got < least || most.is_some_and(|most| got + unknown > most) {
                gathered.not_known();
            }
        }
    }

    fn unevaluated_members(
        &mut self,
        id: Id,
        rest: Id,
        value: &'v Value,
        members: &'v Map<String, Value>,
        gathered: &mut Gathered<'v>,
    ) {
        let mut marks = Marks::default();
        self.mark(id, value, true, &mut marks);
        for (_, member) in members.iter().filter(|(key, _)| !marks.all && !marks.keys.contains(key.as_str())) {
            if marks.is_unknown {
                return gathered.not_known();
            }
            self.child(rest, member, "unevaluatedProperties", About::Field(None), gathered);
        }
    }

    fn unevaluated_items(
        &mut self,
        id: Id,
        rest: Id,
        value: &'v Value,
        items: &'v [Value],
        gathered: &mut Gathered<'v>,
    ) {
        let mut marks = Marks::default();
        self.mark(id, value, true, &mut marks);
        for (at, item) in items.iter().enumerate() {
            if marks.all || at < marks.front || marks.items.contains(&at) {
                continue;
            }
            if marks.is_unknown {
                return gathered.not_known();
            }
            self.child(rest, item, "unevaluatedItems", About::Item(None), gathered);
        }
    }

    /// Marks what a node that holds of a value evaluates of it (draft 2020-12, core, section 11). Of the node that asks, all but its own
    /// `unevaluated…`.
    fn mark(&mut self, id: Id, value: &'v Value, is_asking: bool, marks: &mut Marks<'v>) {
        if !marks.seen.insert(id) {
            return;
        }
        let node = self.table.node(id);
        marks.is_unknown |= node.is_unsure || node.may_mark_more;
        match value {
            Value::Object(members) => {
                marks.all |= !is_asking && node.unevaluated_members.is_some();
                if let Some(asked) = &node.members {
                    self.mark_members(asked, members, marks);
                }
            }
            Value::Array(items) => {
                marks.all |= !is_asking && node.unevaluated_items.is_some();
                if let Some(asked) = &node.items {
                    self.mark_items(asked, items, marks);
                }
            }
            _ => {}
        }
        let present = |key: &String| value.as_object().is_some_and(|members| members.contains_key(key));
        let dependents = node.dependents.iter().filter(|(key, _)| present(key)).map(|&(_, id)| id);
        let mut applied: Vec<Id> = node.all.iter().copied().chain(dependents).collect();
        if let Some(Condition { test, then, otherwise }) = node.condition {
            match self.look(test, value).is_valid() {
                Some(true) => applied.extend([test].into_iter().chain(then)),
                Some(false) => applied.extend(otherwise),
                None => marks.is_unknown = true,
            }
        }
        // They must hold. Where one does not, that is told, and not that what it knows is not allowed.
        for id in applied {
            match self.look(id, value).is_valid() {
                Some(_) => self.mark(id, value, false, marks),
                None => marks.is_unknown = true,
            }
        }
        for branches in [&node.any, &node.one].into_iter().flatten() {
            self.mark_branches(branches, value, marks);
        }
    }

    /// Marks what the branches that hold evaluate; where none does, what any would.
    fn mark_branches(&mut self, branches: &[Id], value: &'v Value, marks: &mut Marks<'v>) {
        let findings: Vec<_> = branches.iter().map(|&id| self.look(id, value).is_valid()).collect();
        let has_none = findings.iter().all(|valid| *valid == Some(false));
        for (&id, valid) in branches.iter().zip(findings) {
            match valid {
                Some(valid) if valid || has_none => self.mark(id, value, false, marks),
                Some(_) => {}
                None => marks.is_unknown = true,
            }
        }
    }

    fn mark_members(&mut self, asked: &Members, members: &'v Map<String, Value>, marks: &mut Marks<'v>) {
        marks.all |= asked.rest.is_some();
        for key in members.keys() {
            let mut is_named = asked.named.contains_key(key);
            for (pattern, _) in &asked.patterns {
                match self.matches(pattern, key) {
                    Some(matches) => is_named |= matches,
                    None => marks.is_unknown = true,
                }
            }
            if is_named {
                marks.keys.insert(key);
            }
        }
    }

    fn mark_items(&mut self, asked: &Items, items: &'v [Value], marks: &mut Marks<'v>) {
        marks.all |= asked.rest.is_some();
        marks.front = marks.front.max(asked.prefix.len());
        if let Some(contains) = asked.contains.filter(|contains| contains.marks) {
            for (at, item) in items.iter().enumerate() {
                match self.look(contains.item, item).is_valid() {
                    Some(true) => {
                        marks.items.insert(at);
                    }
                    Some(false) => {}
                    None => marks.is_unknown = true,
                }
            }
        }
    }
}

/// What is said of a key: it is a string, and no value that could be returned otherwise.
fn why_not_a_name(broken: &Broken<'_>) -> String {
    match broken.about {
        About::Never => "no name is".to_owned(),
        About::Type(_) => "names are strings".to_owned(),
        _ => broken.inner_sentence(""),
    }
}

/// Keywords that a number is held against.
const NUMERIC: [&str; 7] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum", "const"];

/// What has been evaluated of an object or array.
#[derive(Default)]
struct Marks<'v> {
    keys: HashSet<&'v str>,
    items: HashSet<usize>,
    /// So many items at the front.
    front: usize,
    all: bool,
    is_unknown: bool,
    seen: HashSet<Id>,
}
