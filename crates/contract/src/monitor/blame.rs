//! Why the root died: the way from it down to what died last, told as a violation.
//!
//! Of a union only the branch that died last is told, since it was the one that was still possible; where several died with the same byte
//! for the same reason, what they would have allowed is put together.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::engine::{Engine, With};
use super::kleene::Status;
use super::stack::{Cause, NOWHERE};
use crate::schema::program::{Kind, Kinds, kind_name};
use crate::schema::{Id, leaf};
use crate::violation::{About, Early, Present, Timing, Unit, Violation, named, push_masked_key, quoted, with_article};

/// Something that is broken, in a frame.
struct Found {
    frame: usize,
    keyword: &'static str,
    about: About,
    /// It is about the newest member or item of the frame.
    is_member: bool,
    /// It was found before, in a value that is gone.
    kept: Option<Box<Violation>>,
}

impl Found {
    fn new(frame: usize, keyword: &'static str, about: About) -> Self {
        Self { frame, keyword, about, is_member: false, kept: None }
    }
}

impl Engine {
    /// What the root, which is dead, died of.
    pub(super) fn blame(&self, with: With<'_>) -> Violation {
        let root = self.stack.edges.first().map_or(0, |edge| edge.child as usize);
        self.reason(with, 0, root)
    }

    /// What an instance, which is dead, died of.
    pub(super) fn reason(&self, with: With<'_>, frame: usize, at: usize) -> Violation {
        let offset = self.stack.instances[at].decided_at;
        let mut form = None;
        let found = self.found(with, frame, at, &mut form, true);
        if let Some(kept) = found.kept {
            return Violation { offset, ..*kept };
        }
        let frame = &self.stack.frames[found.frame];
        let (value, written) = match (found.is_member, frame.kind) {
            (true, Kind::Object) => (Value::from(self.key_of(found.frame)), None),
            // An item of which nothing is there yet.
            (true, _) => (Value::Null, None),
            (false, _) => self.got(&found),
        };
        let is_about_key = found.is_member || matches!(found.about, About::Begun(..) | About::Name { .. });
        let is_closing = self.closing == Some(found.frame);
        // Of a value whose text is not kept, or has only begun, there is nothing to show.
        let is_there = found.is_member
            || match &value {
                Value::String(text) => !self.text.is_open || !text.is_empty(),
                Value::Number(_) => !self.number.is_empty(),
                Value::Object(_) | Value::Array(_) => written.is_none(),
                _ => true,
            };
        Early {
            path: self.path(&found),
            masked: self.masked_path(with, &found),
            keyword: found.keyword,
            about: found.about,
            form,
            value: &value,
            written,
            start: if is_about_key && frame.kind == Kind::Object { frame.key_at } else { frame.start },
            offset,
            is_there,
            timing: if is_closing { Timing::AtClose } else { Timing::Early },
        }
        .violation()
    }

    /// Follows deaths from an instance. `joins`: branches that died together are put together.
    fn found(&self, with: With<'_>, frame: usize, at: usize, form: &mut Option<String>, joins: bool) -> Found {
        let (mut frame, mut at) = (frame, at);
        loop {
            let instance = &self.stack.instances[at];
            let layout = &with.program.plan(instance.node).layout;
            let event = instance.died;
            if instance.local == Status::Dead {
                let kept = || self.reasons.iter().rev().find(|(of, _)| *of as usize == at);
                match (instance.cause, self.child_of(frame, at)) {
                    (Cause::Child | Cause::Name, None) => {
                        let kept = kept().map(|(_, kept)| kept.clone());
                        return Found { kept, ..Found::new(frame, "schema", About::Unknown) };
                    }
                    (Cause::Child, Some(child)) => (frame, at) = (frame + 1, child),
                    (Cause::Name, Some(child)) => return self.found_name(with, frame, child),
                    _ => return self.found_here(with, frame, at),
                }
                continue;
            }
            let dead = |link: usize| {
                self.stack.link(at, link).filter(|&child| self.stack.instances[child].status == Status::Dead)
            };
            let latest = |links: std::ops::Range<usize>| {
                links.filter_map(dead).max_by_key(|&child| (self.stack.instances[child].died, std::cmp::Reverse(child)))
            };
            let in_turn = (0..layout.all).filter_map(dead).find(|&child| self.stack.instances[child].died == event);
            if let Some(child) = in_turn.or_else(|| latest(0..layout.all)) {
                at = child;
                continue;
            }
            let unions = [("anyOf", &layout.any), ("oneOf", &layout.one)];
            let all_dead = unions.iter().find_map(|(_, links)| {
                let links = (*links).clone()?;
                links.clone().all(|link| dead(link).is_some()).then_some(links)
            });
            if let Some(branch) = all_dead.clone().and_then(latest) {
                let links = all_dead.unwrap_or_default();
                let died = self.stack.instances[branch].died;
                let tied: Vec<_> =
                    links.clone().filter_map(dead).filter(|&child| self.stack.instances[child].died == died).collect();
                if tied.len() > 1 && joins {
                    return self.joined(with, frame, &tied, form);
                }
                if tied.len() < links.len() && form.is_none() {
                    if let Some(found) = self.told_apart(with, frame, at, links.clone(), branch) {
                        return found;
                    }
                    *form = self.form(with, frame, at, links, branch);
                }
                at = branch;
                continue;
            }
            if let Some(links) = layout.one.clone().filter(|_| layout.one.as_ref().is_some_and(|one| !one.is_empty())) {
                let valid = links.clone().filter(|&link| {
                    self.stack.link(at, link).is_some_and(|child| self.stack.instances[child].status == Status::Valid)
                });
                let matching = valid.count();
                if matching > 1 {
                    let branches = &with.program.plan(instance.node).children[links];
                    let forms = crate::schema::forms(with.schema.table(), branches);
                    let about = About::Union { forms, matching, closest: None };
                    return Found::new(frame, "oneOf", about);
                }
            }
            let is_negated = layout.not.and_then(|link| self.stack.link(at, link));
            if is_negated.is_some_and(|child| self.stack.instances[child].status == Status::Valid) {
                return Found::new(frame, "not", About::Not);
            }
            // Only what is in force.
            let test =
                layout.test.and_then(|link| self.stack.link(at, link)).map(|test| self.stack.instances[test].status);
            let then = layout.then.filter(|_| test != Some(Status::Dead));
            let otherwise = layout.otherwise.filter(|_| test != Some(Status::Valid));
            let gates = (layout.gates..).zip(&layout.gate_words).filter(|&(_, &word)| self.stack.has_bit(at, word));
            let next = then.into_iter().chain(otherwise).chain(gates.map(|(link, _)| link));
            match next.filter_map(dead).max_by_key(|&child| self.stack.instances[child].died) {
                Some(child) => at = child,
                None => return Found::new(frame, "schema", About::Unknown),
            }
        }
    }

    /// The instance of the frame above that an instance died of.
    fn child_of(&self, frame: usize, at: usize) -> Option<usize> {
        if frame + 1 >= self.stack.frames.len() {
            return None;
        }
        let edges = &self.stack.edges[self.stack.edges_of(frame + 1)];
        let dead = edges.iter().filter(|edge| {
            edge.parent as usize == at && self.stack.instances[edge.child as usize].status == Status::Dead
        });
        dead.map(|edge| edge.child as usize).max_by_key(|&child| self.stack.instances[child].died)
    }

    /// What several branches that died together would have allowed.
    fn joined(&self, with: With<'_>, frame: usize, tied: &[usize], form: &mut Option<String>) -> Found {
        let mut all: Vec<_> = tied.iter().take(64).map(|&at| self.found(with, frame, at, form, false)).collect();
        let deepest = all.iter().map(|found| found.frame).max().unwrap_or(frame);
        all.retain(|found| found.frame == deepest);
        let mut kinds: Vec<&'static str> = Vec::new();
        let mut allowed: Vec<Value> = Vec::new();
        for found in &all {
            match &found.about {
                About::Type(more) => kinds.extend(more.iter().filter(|kind| !kinds.contains(kind)).collect::<Vec<_>>()),
                About::Const(one) if !allowed.contains(one) => allowed.push((**one).clone()),
                About::Enum(more) => {
                    let more = more.as_array().into_iter().flatten().filter(|one| !allowed.contains(one));
                    allowed.extend(more.cloned().collect::<Vec<_>>());
                }
                _ => {}
            }
        }
        let first = all.swap_remove(0);
        let (keyword, about) = match (kinds.is_empty(), allowed.is_empty()) {
            _ if all.is_empty() => return first,
            (false, true) => ("type", About::Type(kinds)),
            (true, false) if allowed.len() == 1 => ("const", About::Const(Arc::new(allowed.remove(0)))),
            (true, false) => ("enum", About::Enum(Arc::new(Value::Array(allowed)))),
            _ => return first,
        };
        Found { keyword, about, ..first }
    }

    /// Where the branch that died last died of the very field that tells the branches apart: what that field may be; or, where it is what another
    /// branch wants, which died before of something else, that none fits.
    fn told_apart(
        &self,
        with: With<'_>,
        frame: usize,
        at: usize,
        links: std::ops::Range<usize>,
        branch: usize,
    ) -> Option<Found> {
        let table = with.schema.table();
        let plan = with.program.plan(self.stack.instances[at].node);
        let keyword = if plan.layout.one.as_ref() == Some(&links) { "oneOf" } else { "anyOf" };
        let branches = &plan.children[links];
        let (name, _) = crate::schema::telling_field(table, branches, self.stack.instances[branch].node)?;
        let found = self.found(with, frame, branch, &mut None, false);
        if found.frame != frame + 1 || !matches!(found.keyword, "const" | "enum") || self.key_of(frame) != name {
            return None;
        }
        let fields = branches.iter().filter_map(|&id| crate::schema::telling_field(table, branches, id));
        let wanted: Vec<_> = fields.filter(|(field, _)| *field == name).map(|(_, value)| value).collect();
        let (so_far, _) = self.got(&found);
        let fits = |wanted: &Value| match (wanted.as_str(), so_far.as_str()) {
            (Some(wanted), Some(so_far)) if self.text.is_open => wanted.starts_with(so_far),
            _ => *wanted == so_far,
        };
        if wanted.iter().any(fits) {
            let forms = crate::schema::forms(table, branches);
            return Some(Found::new(frame, keyword, About::Union { forms, matching: 0, closest: None }));
        }
        Some(Found { keyword: "enum", about: About::Enum(Arc::new(Value::Array(wanted))), ..found })
    }

    /// What a branch of a union is called by the field that tells it from the others, if that is there.
    fn form(
        &self,
        with: With<'_>,
        frame: usize,
        at: usize,
        links: std::ops::Range<usize>,
        branch: usize,
    ) -> Option<String> {
        let branches = &with.program.plan(self.stack.instances[at].node).children[links];
        let node = self.stack.instances[branch].node;
        let (name, value) = crate::schema::telling_field(with.schema.table(), branches, node)?;
        self.has_member(with, frame, name).then(|| format!("{} = {}", named(name), quoted(&value)))
    }

    fn found_name(&self, with: With<'_>, frame: usize, child: usize) -> Found {
        let inner = self.found(with, frame + 1, child, &mut None, true);
        let (value, _) = self.got(&inner);
        let why = match &inner.about {
            About::Never => "no name is".to_owned(),
            About::Type(_) => "names are strings".to_owned(),
            about => Early::name_sentence(about, &value),
        };
        let mut name = self.key_of(frame).to_owned();
        if self.is_key_open {
            // Only its beginning.
            name.push_str("...");
        }
        Found { is_member: !self.is_key_open, ..Found::new(frame, "propertyNames", About::Name { name, why }) }
    }

    fn keyword<'s>(&self, with: With<'s>, node: Id, keyword: &str) -> Option<&'s Value> {
        with.schema.table().node(node).leaf.as_ref()?.keywords.get(keyword)
    }

    /// What an instance died of by itself.
    fn found_here(&self, with: With<'_>, frame: usize, at: usize) -> Found {
        let instance = &self.stack.instances[at];
        let node = instance.node;
        let plan = with.program.plan(node);
        let count = self.stack.frames[frame].count;
        let list = |keyword| self.keyword(with, node, keyword).cloned().unwrap_or_default();
        let of = |unit, bound, limit, got| About::Count { unit, bound, limit, got };
        let (object, array) = (plan.object.as_deref(), plan.array.as_deref());
        let mut is_member = false;
        let (keyword, about) = match instance.cause {
            Cause::Never => ("false", About::Never),
            Cause::Type => ("type", About::Type(type_names(&list("type")))),
            Cause::Listed => match self.keyword(with, node, "enum") {
                Some(list) => ("enum", About::Enum(Arc::new(list.clone()))),
                None => ("const", About::Const(Arc::new(list("const")))),
            },
            Cause::MaxLength => {
                let limit = plan.text.as_ref().map_or(0, |text| text.most);
                ("maxLength", About::TooMany { unit: Unit::Character, limit })
            }
            Cause::MinLength => {
                let limit = plan.text.as_ref().map_or(0, |text| text.least);
                ("minLength", of(Unit::Character, "at least", limit, self.text.chars))
            }
            Cause::Pattern => ("pattern", About::Pattern(list("pattern").as_str().unwrap_or_default().to_owned())),
            Cause::Unknown => {
                is_member = !self.is_key_open;
                let allowed = object.filter(|object| !object.has_patterns).map(|object| {
                    let names = object.closed.iter().flat_map(|closed| closed.iter());
                    names.map(|allowed| allowed.name.to_string()).collect::<Arc<[String]>>()
                });
                let about = match self.is_key_open {
                    true => About::Begun(self.key_of(frame).to_owned(), allowed),
                    false => About::Field(allowed),
                };
                ("additionalProperties", about)
            }
            cause @ (Cause::Forbidden | Cause::ForbiddenByPattern) => {
                is_member = true;
                let keyword = if cause == Cause::Forbidden { "properties" } else { "patternProperties" };
                (keyword, About::Field(None))
            }
            Cause::Required => {
                let missing = object.and_then(|object| {
                    let words = object.words.iter().enumerate();
                    words.clone().find(|(at_word, word)| word.is_required && !self.stack.has_bit(at, *at_word as u32))
                });
                let name = missing.map(|(_, word)| word.name.to_string()).unwrap_or_default();
                ("required", About::Missing { present: self.present(with, frame, &name), name, because: None })
            }
            Cause::Dependent => {
                let (name, because) = self.dependent(with, at);
                let keyword = if self.keyword(with, node, "dependentRequired").is_some() {
                    "dependentRequired"
                } else {
                    "dependencies"
                };
                let present = self.present(with, frame, &name);
                (keyword, About::Missing { name, present, because: Some(because) })
            }
            Cause::MaxProperties => {
                let limit = object.map_or(0, |object| object.most);
                ("maxProperties", About::TooMany { unit: Unit::Field, limit })
            }
            Cause::MinProperties => {
                ("minProperties", of(Unit::Field, "at least", object.map_or(0, |object| object.least), count))
            }
            Cause::MaxItems => {
                ("maxItems", About::TooMany { unit: Unit::Item, limit: array.map_or(0, |array| array.most) })
            }
            Cause::MinItems => ("minItems", of(Unit::Item, "at least", array.map_or(0, |array| array.least), count)),
            Cause::Item => {
                is_member = true;
                let most = array.map_or(0, |array| array.prefix.len());
                (array.map_or("items", |array| array.rest_keyword), About::Item(Some(most)))
            }
            Cause::PrefixItem => {
                is_member = true;
                ("prefixItems", About::Item(None))
            }
            Cause::Unique => {
                let (first, second) = self.equal;
                ("uniqueItems", About::Unique(Some((first as usize, second as usize))))
            }
            cause @ (Cause::MaxContains | Cause::Contains) => {
                let contains = array.and_then(|array| array.contains);
                let (least, most) = contains.map_or((1, None), |contains| (contains.least, contains.most));
                let keyword = if cause == Cause::MaxContains { "maxContains" } else { "contains" };
                (keyword, About::Contains { least, most, got: instance.contained })
            }
            Cause::Whole => self.found_whole(with, frame, at),
            Cause::None | Cause::Child | Cause::Name => ("schema", About::Unknown),
        };
        Found { is_member, ..Found::new(frame, keyword, about) }
    }

    /// What the validator said of the whole value.
    fn found_whole(&self, with: With<'_>, frame: usize, at: usize) -> (&'static str, About) {
        let value = match self.stack.frames[frame].kind {
            Kind::String => self.text.whole().map(Value::from),
            Kind::Number => serde_json::from_str(&self.number).ok(),
            _ => self.record.value(self.stack.frames[frame].record),
        };
        let leaf = with.schema.table().node(self.stack.instances[at].node).leaf.as_deref();
        let said = leaf.zip(value.as_ref()).map(|(leaf, value)| leaf::ask(leaf, value, with.schema.options()));
        let first = said.and_then(|said| said.broken.into_iter().next());
        first.map_or(("schema", About::Unknown), |broken| (broken.keyword, broken.about))
    }

    /// A field that is missing beside another, and that one.
    fn dependent(&self, with: With<'_>, at: usize) -> (String, String) {
        let object = with.program.plan(self.stack.instances[at].node).object.as_deref();
        let broken = object.and_then(|object| {
            let name = |word: u32| object.words[word as usize].name.to_string();
            object.dependent.iter().find_map(|(word, others)| {
                let missing = others.iter().find(|&&other| !self.stack.has_bit(at, other))?;
                self.stack.has_bit(at, *word).then(|| (name(*missing), name(*word)))
            })
        });
        broken.unwrap_or_default()
    }

    /// The fields that are there, as far as the schema knows their names.
    fn present(&self, with: With<'_>, frame: usize, missing: &str) -> Present {
        let there = self.stack.range(frame).flat_map(|at| {
            let object = with.program.plan(self.stack.instances[at].node).object.as_deref();
            let words = object.into_iter().flat_map(|object| object.words.iter().enumerate());
            words.filter(move |(word, _)| self.stack.has_bit(at, *word as u32)).map(|(_, word)| &*word.name)
        });
        let mut names: Vec<_> = there.map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        Present::known(names, self.stack.frames[frame].count as usize, missing)
    }

    /// The value, or key, of a frame as far as it is there; and how a sentence has it, where that is not its JSON text.
    fn got(&self, found: &Found) -> (Value, Option<String>) {
        let frame = &self.stack.frames[found.frame];
        match frame.kind {
            Kind::String => {
                let all = self.text.text.as_str();
                let text = Value::from(self.shown.and_then(|shown| all.get(..shown)).unwrap_or(all));
                let is_cut = self.text.is_open || self.text.is_over;
                let written = is_cut.then(|| {
                    let short: String =
                        text.as_str().unwrap_or_default().chars().take(60).chain("...".chars()).collect();
                    Value::from(short).to_string()
                });
                (text, written)
            }
            Kind::Number => match (self.number.is_empty(), serde_json::from_str(&self.number)) {
                (false, Ok(number)) => (number, Some(crate::shown::on_one_line(&self.number, 60))),
                _ => (Value::from(0), Some("a number".to_owned())),
            },
            Kind::True => (Value::Bool(true), None),
            Kind::False => (Value::Bool(false), None),
            Kind::Null => (Value::Null, None),
            kind => {
                // Where it was compared as a whole it is there.
                let is_whole = self.closing == Some(found.frame) && frame.record != NOWHERE;
                if let Some(value) = self.record.value(frame.record).filter(|_| is_whole) {
                    return (value, None);
                }
                let empty = if kind == Kind::Object { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
                (empty, Some(with_article(kind_name(kind))))
            }
        }
    }

    /// The newest key of an object, as far as it is there.
    fn key_of(&self, frame: usize) -> &str {
        let from = self.stack.frames[frame].newest;
        let above = self.stack.frames[frame + 1..].iter();
        let end = above.filter(|frame| frame.kind == Kind::Object).map(|frame| frame.newest).next();
        self.keys.get(from..end.or(self.key_shown).unwrap_or(self.keys.len())).unwrap_or_default()
    }

    /// The pointer to what was found.
    fn path(&self, found: &Found) -> String {
        let end = found.frame + usize::from(found.is_member);
        let mut path = String::new();
        for (at, frame) in self.stack.frames.iter().enumerate().take(end) {
            path.push('/');
            match frame.kind {
                Kind::Array => path.push_str(&frame.count.saturating_sub(1).to_string()),
                _ => path.push_str(&self.key_of(at).replace('~', "~0").replace('/', "~1")),
            }
        }
        path
    }

    /// The same for a log.
    fn masked_path(&self, with: With<'_>, found: &Found) -> String {
        let end = found.frame + usize::from(found.is_member);
        let mut path = String::new();
        for (at, frame) in self.stack.frames.iter().enumerate().take(end) {
            match frame.kind {
                Kind::Array => path.push_str(&format!("/{}", frame.count.saturating_sub(1))),
                _ => push_masked_key(&mut path, self.key_of(at), with.schema.names()),
            }
        }
        path
    }
}

/// The types that a keyword names, in its order.
fn type_names(wanted: &Value) -> Vec<&'static str> {
    let known = |name: &Value| Kinds::NAMES.into_iter().find(|known| name == known);
    match wanted {
        Value::Array(names) => names.iter().filter_map(known).collect(),
        one => known(one).into_iter().collect(),
    }
}
