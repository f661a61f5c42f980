//! Which branch of a union was meant, and what to say of it.
//!
//! Of `anyOf` and `oneOf` every branch has its complaints, and a list of them all helps nobody. A branch is *out* where the value is of another
//! kind: its type, its one constant, or the constant of one of its fields differs. If one branch is left, its complaints are told; if none is
//! left, the types, constants or kinds that would have been in are put together; if several are, the one with the fewest.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::COLLECTED;
use super::explain::{Finding, Gathered, Parts, flatten};
use super::table::{Id, Table};
use crate::shown::on_one_line;
use crate::violation::{About, Broken, named, quoted};

/// Complaints of a branch that are looked at.
const HEARD: usize = 64;
/// Values up to which a list of them holds each once.
const ONCE: usize = 256;

/// Combines the findings of the branches of `anyOf` or `oneOf`.
pub(super) fn judge<'v>(
    table: &Table,
    branches: &[Id],
    findings: &[Finding<'v>],
    value: &'v Value,
    keyword: &'static str,
    gathered: &mut Gathered<'v>,
) {
    let valid = findings.iter().filter(|finding| finding.is_valid() == Some(true)).count();
    let unknown = findings.iter().filter(|finding| finding.is_valid().is_none()).count();
    match (keyword, valid, unknown) {
        ("oneOf", 2.., _) => {
            let forms = forms(table, branches);
            let matching = forms.iter().zip(findings).filter(|(_, finding)| finding.is_valid() == Some(true));
            let closest = Some(matching.take(8).map(|(form, _)| form.as_str()).collect::<Vec<_>>().join("; "));
            gathered.break_with(value, keyword, About::Union { forms, matching: valid, closest });
        }
        ("oneOf", 1, 1..) | (_, 0, 1..) => gathered.not_known(),
        (_, 1.., _) => {}
        _ => gathered.take(told(table, branches, findings, value, keyword)),
    }
}

/// A branch that does not hold, and the first things that it complains about.
struct Branch<'v> {
    id: Id,
    parts: Rc<Parts<'v>>,
    heard: Vec<Broken<'v>>,
}

/// The value that is asked about, and the keys of its fields by their address.
struct Subject<'v> {
    value: &'v Value,
    keys: HashMap<*const Value, &'v str>,
}

impl<'v> Subject<'v> {
    fn new(value: &'v Value) -> Self {
        let members = value.as_object().into_iter().flatten();
        Self { value, keys: members.map(|(key, value)| (std::ptr::from_ref(value), key.as_str())).collect() }
    }

    fn key(&self, member: &Value) -> Option<&'v str> {
        self.keys.get(&std::ptr::from_ref(member)).copied()
    }

    /// The complaint of a branch that says that the value is of another kind.
    fn ruled_out<'b>(&self, branch: &'b Branch<'v>) -> Option<&'b Broken<'v>> {
        branch.heard.iter().find(|one| {
            let is_here = std::ptr::eq(one.at, self.value);
            match &one.about {
                About::Type(_) | About::Never => is_here,
                About::Const(_) => is_here || self.key(one.at).is_some(),
                About::Enum(allowed) => {
                    let is_one = allowed.as_array().is_some_and(|allowed| allowed.len() == 1);
                    is_here || is_one && self.key(one.at).is_some()
                }
                _ => false,
            }
        })
    }

    /// `kind = "search"`: the field by which the other branches were ruled out, with its value here; or else the branch's name.
    fn form_of(&self, out: &[Branch<'v>], table: &Table, id: Id) -> Option<String> {
        let field = out.iter().find_map(|branch| {
            let at = self.ruled_out(branch)?.at;
            Some(format!("{} = {}", named(self.key(at)?), quoted(at)))
        });
        field.or_else(|| table.node(id).name.as_ref().map(|name| on_one_line(name, 60)))
    }

    /// What a branch complains about, said from the place of the union.
    fn inner(&self, broken: &Broken<'v>) -> String {
        let index = || self.value.as_array()?.iter().position(|item| std::ptr::eq(item, broken.at));
        let place = match self.key(broken.at) {
            _ if std::ptr::eq(broken.at, self.value) => String::new(),
            Some(key) => format!("/{key}"),
            None => index().map_or_else(|| "/…".to_owned(), |index| format!("/{index}")),
        };
        // A union in a union says which forms there are, and no more.
        let mut shallow = broken.clone();
        if let About::Union { closest, .. } = &mut shallow.about {
            *closest = None;
        }
        shallow.inner_sentence(&place)
    }
}

/// What is said of a union of which no branch holds.
fn told<'v>(
    table: &Table,
    branches: &[Id],
    findings: &[Finding<'v>],
    value: &'v Value,
    keyword: &'static str,
) -> Vec<Broken<'v>> {
    let subject = Subject::new(value);
    let branch = |(&id, finding): (&Id, &Finding<'v>)| match finding {
        Finding::Invalid(parts) => Some(Branch { id, parts: Rc::clone(parts), heard: complaints(parts, HEARD) }),
        _ => None,
    };
    let all: Vec<_> = branches.iter().zip(findings).filter_map(branch).collect();
    let (out, left): (Vec<_>, Vec<_>) = all.into_iter().partition(|branch| subject.ruled_out(branch).is_some());
    if let [one] = left.as_slice() {
        let form = if out.is_empty() { None } else { subject.form_of(&out, table, one.id) };
        let mut broken = complaints(&one.parts, COLLECTED);
        broken.iter_mut().filter(|broken| broken.form.is_none()).for_each(|broken| broken.form.clone_from(&form));
        return broken;
    }
    if let Some(one) = together(&subject, &out, keyword).filter(|_| left.is_empty()) {
        return vec![one];
    }
    let closest = left.iter().min_by_key(|branch| branch.heard.len());
    let closest = closest.and_then(|branch| branch.heard.first()).map(|broken| subject.inner(broken));
    let about = About::Union { forms: forms(table, branches), matching: 0, closest };
    vec![Broken { at: value, keyword, about, form: None }]
}

fn complaints<'v>(parts: &Rc<Parts<'v>>, most: usize) -> Vec<Broken<'v>> {
    let mut broken = Vec::new();
    flatten(parts, most, &mut broken);
    broken
}

/// Where every branch is out for the same reason: the types, the constants, or the values of a field that would have been in.
fn together<'v>(subject: &Subject<'v>, out: &[Branch<'v>], keyword: &'static str) -> Option<Broken<'v>> {
    let reasons: Vec<_> = out.iter().map(|branch| subject.ruled_out(branch)).collect::<Option<_>>()?;
    let at = reasons.first()?.at;
    if !reasons.iter().all(|one| std::ptr::eq(one.at, at)) {
        return None;
    }
    let mut kinds = Vec::new();
    let mut allowed = Vec::new();
    for reason in reasons {
        match &reason.about {
            About::Type(more) => {
                let more: Vec<_> = more.iter().filter(|kind| !kinds.contains(*kind)).copied().collect();
                kinds.extend(more);
            }
            About::Const(one) if is_new(one, &allowed) => allowed.push((**one).clone()),
            About::Enum(more) => {
                let more: Vec<_> = more.as_array().into_iter().flatten().filter(|one| is_new(one, &allowed)).collect();
                allowed.extend(more.into_iter().cloned());
            }
            About::Const(_) | About::Never => {}
            _ => return None,
        }
    }
    let (keyword, about) = match (kinds.is_empty(), allowed.is_empty()) {
        (false, true) => ("type", About::Type(kinds)),
        (true, false) if allowed.len() == 1 => ("const", About::Const(Arc::new(allowed.remove(0)))),
        (true, false) => ("enum", About::Enum(Arc::new(Value::Array(allowed)))),
        (false, false) => {
            let kinds = kinds.iter().map(|kind| (*kind).to_owned());
            let forms = allowed.iter().map(quoted).chain(kinds).collect();
            (keyword, About::Union { forms, matching: 0, closest: None })
        }
        (true, true) => return None,
    };
    Some(Broken { at, keyword, about, form: None })
}

fn is_new(value: &Value, listed: &[Value]) -> bool {
    listed.len() > ONCE || !listed.contains(value)
}

/// What a person would call each branch.
pub(crate) fn forms(table: &Table, branches: &[Id]) -> Vec<String> {
    branches.iter().enumerate().map(|(at, &id)| form(table, id).unwrap_or_else(|| format!("form {}", at + 1))).collect()
}

/// The field of a branch of a union that has one value there, and another one in each of the others; and that value.
pub(crate) fn telling_field<'t>(table: &'t Table, branches: &[Id], branch: Id) -> Option<(&'t str, Value)> {
    let mine = constants(table, branch);
    let others: Vec<_> = branches.iter().filter(|&&id| id != branch).map(|&id| constants(table, id)).collect();
    let tells = |name: &str, value: &Value| {
        others.iter().all(|other| other.iter().any(|(other, its)| *other == name && its != value))
    };
    mine.into_iter().find(|(name, value)| tells(name, value))
}

/// The fields of a branch that may have one value only.
fn constants(table: &Table, branch: Id) -> Vec<(&str, Value)> {
    let mut found = Vec::new();
    let mut waiting = vec![branch];
    let mut room = 16;
    while let (Some(id), 1..) = (waiting.pop(), room) {
        room -= 1;
        let node = table.node(id);
        waiting.extend(&node.all);
        for (name, id) in node.members.iter().flat_map(|members| &members.named).take(ONCE) {
            let Some(leaf) = &table.node(*id).leaf else { continue };
            let one = match leaf.keywords.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
                Some([one]) => Some(one),
                _ => leaf.keywords.get("const"),
            };
            found.extend(one.map(|one| (name.as_str(), one.clone())));
        }
    }
    found.sort_by_key(|&(name, _)| name);
    found
}

fn form(table: &Table, id: Id) -> Option<String> {
    let node = table.node(id);
    if let Some(name) = &node.name {
        return Some(on_one_line(name, 60));
    }
    // A reference and nothing else.
    if let ([target], None) = (node.all.as_slice(), &node.leaf) {
        return form_here(table, *target);
    }
    form_here(table, id)
}

fn form_here(table: &Table, id: Id) -> Option<String> {
    let node = table.node(id);
    if let Some(name) = &node.name {
        return Some(on_one_line(name, 60));
    }
    let keywords = &node.leaf.as_ref()?.keywords;
    if let Some(value) = keywords.get("const") {
        return Some(quoted(value));
    }
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        return Some(format!("one of {}", values.iter().take(8).map(quoted).collect::<Vec<_>>().join(", ")));
    }
    let kind = keywords.get("type")?.as_str()?;
    match keywords.get("required").and_then(Value::as_array) {
        Some(required) => {
            let names: Vec<_> =
                required.iter().filter_map(Value::as_str).take(8).map(|name| on_one_line(name, 60)).collect();
            Some(format!("{kind} with {}", names.join(", ")))
        }
        None => Some(kind.to_owned()),
    }
}
