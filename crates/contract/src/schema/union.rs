//! Which branch of a union was meant, and what to say of it.
//!
//! Of `anyOf` and `oneOf` every branch has its complaints, and a list of them all helps nobody. A branch is *out* where the value is of another
//! kind: its type, its one constant, or the constant of one of its fields differs. If one branch is left, its complaints are told; if none is
//! left, the types, constants or kinds that would have been in are put together; if several are, the one with the fewest.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::explain::{Finding, Gathered, Parts, flatten};
use super::table::{Id, Table};
use crate::violation::{About, Broken, quoted};

/// Forms whose complaints are compared.
const COMPARED: usize = 200;

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
            gathered.break_with(value, keyword, About::Union { forms, matching: valid, closest: None });
        }
        ("oneOf", 1, 1..) | (_, 0, 1..) => gathered.not_known(),
        (_, 1.., _) => {}
        _ => gathered.take(told(table, branches, findings, value, keyword)),
    }
}

/// A branch that does not hold, and what it complains about.
struct Branch<'v> {
    id: Id,
    broken: Vec<Broken<'v>>,
}

impl<'v> Branch<'v> {
    /// The complaint that says that the value is of another kind.
    fn is_out(&self, value: &'v Value) -> Option<&Broken<'v>> {
        let members = value.as_object();
        self.broken.iter().find(|one| match one.about {
            About::Type(_) | About::Const(_) | About::Enum(_) if std::ptr::eq(one.at, value) => true,
            About::Never => std::ptr::eq(one.at, value),
            About::Const(_) => key_of(members, one.at).is_some(),
            About::Enum(ref allowed) => {
                allowed.as_array().is_some_and(|allowed| allowed.len() == 1) && key_of(members, one.at).is_some()
            }
            _ => false,
        })
    }
}

/// The key of a direct member.
fn key_of<'v>(members: Option<&'v serde_json::Map<String, Value>>, member: &Value) -> Option<&'v str> {
    members?.iter().find(|(_, value)| std::ptr::eq(*value, member)).map(|(key, _)| key.as_str())
}

fn told<'v>(
    table: &Table,
    branches: &[Id],
    findings: &[Finding<'v>],
    value: &'v Value,
    keyword: &'static str,
) -> Vec<Broken<'v>> {
    let complaints = |finding: &Finding<'v>| match finding {
        Finding::Invalid(parts) => complaints(parts),
        _ => Vec::new(),
    };
    let all: Vec<_> = branches
        .iter()
        .zip(findings)
        .take(COMPARED)
        .map(|(&id, finding)| Branch { id, broken: complaints(finding) })
        .collect();
    let (out, left): (Vec<_>, Vec<_>) = all.into_iter().partition(|branch| branch.is_out(value).is_some());
    let forms = || forms(table, branches);
    if let [one] = left.as_slice() {
        let form = (branches.len() > 1).then(|| form_of(&out, value, table, one.id)).flatten();
        let with_form =
            |broken: &Broken<'v>| Broken { form: broken.form.clone().or_else(|| form.clone()), ..broken.clone() };
        return one.broken.iter().map(with_form).collect();
    }
    if left.is_empty() {
        if let Some(one) = together(&out, value, keyword) {
            return vec![one];
        }
    }
    let closest = left.iter().min_by_key(|branch| branch.broken.len());
    let closest = closest.and_then(|branch| branch.broken.first()).map(|broken| inner(broken, value));
    let about = About::Union { forms: forms(), matching: 0, closest };
    vec![Broken { at: value, keyword, about, form: None }]
}

fn complaints<'v>(parts: &Rc<Parts<'v>>) -> Vec<Broken<'v>> {
    let mut broken = Vec::new();
    flatten(parts, &mut broken);
    broken
}

/// What a branch complains about, said from the place of the union.
fn inner(broken: &Broken<'_>, value: &Value) -> String {
    let key = key_of(value.as_object(), broken.at);
    let place = match key {
        _ if std::ptr::eq(broken.at, value) => String::new(),
        Some(key) => format!("/{key}"),
        None => "/…".to_owned(),
    };
    broken.sentence(&place).replacen("the document", "it", 1)
}

/// `kind = "search"`: the field by which the other branches were ruled out, with its value here; or else the branch's name.
fn form_of(out: &[Branch<'_>], value: &Value, table: &Table, id: Id) -> Option<String> {
    let field = out.iter().find_map(|branch| {
        let at = branch.is_out(value)?.at;
        let key = key_of(value.as_object(), at)?;
        Some(format!("{key} = {}", quoted(at)))
    });
    field.or_else(|| table.node(id).name.clone())
}

/// Where every branch is out for the same reason: the types, the constants, or the values of a field that would have been in.
fn together<'v>(out: &[Branch<'v>], value: &'v Value, keyword: &'static str) -> Option<Broken<'v>> {
    let reasons: Vec<_> = out.iter().map(|branch| branch.is_out(value)).collect::<Option<_>>()?;
    let first = reasons.first()?;
    if !reasons.iter().all(|one| std::ptr::eq(one.at, first.at)) {
        return None;
    }
    let at = first.at;
    let mut kinds = Vec::new();
    let mut allowed = Vec::new();
    for reason in reasons {
        match &reason.about {
            About::Type(more) => {
                kinds.extend(more.iter().filter(|kind| !kinds.contains(*kind)).copied().collect::<Vec<_>>())
            }
            About::Const(one) if !allowed.contains(&**one) => allowed.push((**one).clone()),
            About::Enum(more) => {
                let more = more.as_array().into_iter().flatten().filter(|one| !allowed.contains(*one));
                allowed.extend(more.cloned().collect::<Vec<_>>());
            }
            About::Const(_) | About::Never => {}
            _ => return None,
        }
    }
    let broken = |keyword, about| Some(Broken { at, keyword, about, form: None });
    match (kinds.is_empty(), allowed.is_empty()) {
        (false, true) => broken("type", About::Type(kinds)),
        (true, false) if allowed.len() == 1 => broken("const", About::Const(Arc::new(allowed.remove(0)))),
        (true, false) => broken("enum", About::Enum(Arc::new(Value::Array(allowed)))),
        (false, false) => {
            let forms = allowed.iter().map(quoted).chain(kinds.iter().map(|kind| (*kind).to_owned())).collect();
            broken(keyword, About::Union { forms, matching: 0, closest: None })
        }
        (true, true) => None,
    }
}

/// What a person would call each branch.
fn forms(table: &Table, branches: &[Id]) -> Vec<String> {
    branches.iter().enumerate().map(|(at, &id)| form(table, id).unwrap_or_else(|| format!("form {}", at + 1))).collect()
}

fn form(table: &Table, id: Id) -> Option<String> {
    let node = table.node(id);
    if let Some(name) = &node.name {
        return Some(name.clone());
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
        return Some(name.clone());
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
            let names: Vec<_> = required.iter().filter_map(Value::as_str).take(8).collect();
            Some(format!("{kind} with {}", names.join(", ")))
        }
        None => Some(kind.to_owned()),
    }
}
