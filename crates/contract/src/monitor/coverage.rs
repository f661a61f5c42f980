//! When each keyword of a schema is told: while its value is open, when it has closed, or by the full validator in the end.
//!
//! The table of a schema does not know where its subschemas stand. So they are found once more, by their address, in a walk over the schema and the
//! documents that it was read with, keyword by keyword; what is said of a keyword is what the plan of its subschema does.

use std::fmt;

use serde_json::{Value, json};

use crate::contract::Contract;
use crate::schema::pattern;
use crate::schema::program::Program;
use crate::schema::{Id, Leaf, Places, ROOT, Schema, SchemaOptions, Table, whole};
use crate::violation::Timing;

/// Bytes of all pointers together: a schema may be deep and wide.
const MOST_TEXT: usize = 1 << 20;

/// A keyword, and when it is told that a value breaks it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Covered {
    /// Where it stands: a JSON pointer (RFC 6901) into the schema, empty where all of it is `false`; in another document, that document's URI,
    /// `#` and the pointer.
    pub pointer: String,
    /// The keyword, as [`Violation::keyword`](crate::Violation::keyword) has it: `false` of a schema that allows nothing and is no direct part of an object or
    /// array.
    pub keyword: &'static str,
    /// When it is told, at the latest.
    pub when: Timing,
    /// Why not earlier, where the keyword alone does not say so.
    pub why: Option<&'static str>,
}

/// Without the place: a schema may be a client's.
impl fmt::Debug for Covered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Covered")
            .field("keyword", &self.keyword)
            .field("when", &self.when)
            .field("pointer_len", &self.pointer.len())
            .finish_non_exhaustive()
    }
}

/// The keywords of a schema that ask for something, each once, with when it is told. Made by [`Contract::coverage`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    keywords: Vec<Covered>,
    is_complete: bool,
}

/// How many keywords are told when. `Display` says it in a few words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoverageCounts {
    /// While their value is open.
    pub early: usize,
    /// When it has closed.
    pub at_close: usize,
    /// In the end, by the full validator.
    pub at_the_end: usize,
}

impl fmt::Display for CoverageCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { early, at_close, at_the_end } = self;
        write!(formatter, "{early} early, {at_close} at close, {at_the_end} final")
    }
}

impl Coverage {
    /// The keywords, in the order of the schema's map: names in theirs, items in turn; then those of other documents that it refers to.
    #[must_use]
    pub fn keywords(&self) -> &[Covered] {
        &self.keywords
    }

    /// Whether these are all: their pointers are no more than 1 MiB together, and none stands in a meta-schema.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many are told when.
    #[must_use]
    pub fn counts(&self) -> CoverageCounts {
        let of = |when| self.keywords.iter().filter(|covered| covered.when == when).count();
        CoverageCounts { early: of(Timing::Early), at_close: of(Timing::AtClose), at_the_end: of(Timing::Final) }
    }
}

impl Contract {
    /// When a [`Monitor`](crate::Monitor) tells what of the schema: each keyword that asks for something, once, with its place.
    ///
    /// Annotations, keywords that the draft does not have, and those that ask for nothing (`minLength: 0`, `additionalProperties: true`) are left out, and so are those
    /// that only apply other schemas (`properties`, `items`, `allOf`, `$ref`); of `anyOf`, `oneOf`, `not`, `if` and `dependentSchemas` the branches are listed beside them. Costs about as
    /// much as compiling the schema did.
    ///
    /// ```
    /// use thusfar_contract::{Contract, Timing};
    ///
    /// let contract = Contract::from_schema(
    ///     r#"{"properties": {"label": {"enum": ["yes", "no"]}, "score": {"maximum": 100}}, "additionalProperties": false}"#,
    /// )?;
    /// let coverage = contract.coverage();
    /// let listed: Vec<_> = coverage.keywords().iter().map(|one| (one.pointer.as_str(), one.when)).collect();
    /// assert_eq!(listed, [
    ///     ("/additionalProperties", Timing::Early), // at the first letter of a key that is none of the two
    ///     ("/properties/label/enum", Timing::Early), // at the first letter that is none of the two
    ///     ("/properties/score/maximum", Timing::AtClose), // at the end of the number: `150` may become `150e-1`
    /// ]);
    /// assert_eq!(coverage.counts().to_string(), "2 early, 1 at close, 0 final");
    /// # Ok::<(), thusfar_contract::SchemaError>(())
    /// ```
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let schema = self.shared();
        let mut walk = Walk::new(&schema);
        walk.document("", schema.text());
        for (uri, document) in &schema.options().documents {
            walk.document(uri, document);
        }
        Coverage { is_complete: !walk.is_full && walk.met == walk.places.len(), keywords: walk.keywords }
    }
}

/// How one step of a pointer is called.
#[derive(Clone, Copy)]
enum Token<'s> {
    Root,
    Key(&'s str),
    Index(usize),
}

/// A value of the schema, and what it is to the subschema around it.
struct Visit<'s> {
    value: &'s Value,
    /// Where it stands, among the steps.
    step: usize,
    /// The subschema of which it is a keyword's value.
    owner: Option<Id>,
    /// The nearest keyword above it, or itself.
    keyword: &'s str,
}

struct Walk<'s> {
    table: &'s Table,
    program: &'s Program,
    options: &'s SchemaOptions,
    places: Places,
    /// Why nothing below each is known before the end.
    reasons: Vec<Option<&'static str>>,
    /// Each value that was walked over: the one around it, and its name there.
    steps: Vec<(usize, Token<'s>)>,
    uri: &'s str,
    keywords: Vec<Covered>,
    room: usize,
    is_full: bool,
    /// Subschemas that were met.
    met: usize,
}

/// When a keyword is told, and why not earlier.
type When = (Timing, Option<&'static str>);

const EARLY: When = (Timing::Early, None);
const AT_CLOSE: When = (Timing::AtClose, None);
const COMBINED: When = (Timing::Early, Some("combined of its branches: when they are told"));
const UNEVALUATED: When = (Timing::Final, Some("asks what all other keywords have looked at"));
const NUMBERS: When = (Timing::AtClose, Some("a number is judged where it ends"));

/// Texts of which every format and encoding that is asserted refuses one.
const PROBES: [&str; 6] = ["", " ", "%", "{", "(", "a\\"];

impl<'s> Walk<'s> {
    fn new(schema: &'s Schema) -> Self {
        let (table, program) = (schema.table(), schema.program());
        Self {
            table,
            program,
            options: schema.options(),
            places: schema.places(),
            reasons: reasons(table),
            steps: Vec::new(),
            uri: "",
            keywords: Vec::new(),
            room: MOST_TEXT,
            is_full: false,
            met: 0,
        }
    }

    fn document(&mut self, uri: &'s str, document: &'s Value) {
        self.uri = uri.trim_end_matches('#');
        self.steps = vec![(0, Token::Root)];
        let mut waiting = vec![Visit { value: document, step: 0, owner: None, keyword: "" }];
        while let Some(visit) = waiting.pop() {
            if self.is_full {
                return;
            }
            let subschema = self.places.get(&std::ptr::from_ref(visit.value)).copied();
            self.met += usize::from(subschema.is_some());
            self.visit(&visit, subschema);
            let from = waiting.len();
            let mut add = |token, value, keyword| {
                self.steps.push((visit.step, token));
                waiting.push(Visit { value, step: self.steps.len() - 1, owner: subschema, keyword });
            };
            match visit.value {
                Value::Object(members) => members.iter().for_each(|(key, value)| {
                    add(Token::Key(key), value, if subschema.is_some() { key } else { visit.keyword });
                }),
                Value::Array(items) => {
                    items.iter().enumerate().for_each(|(at, item)| add(Token::Index(at), item, visit.keyword));
                }
                _ => {}
            }
            waiting[from..].reverse();
        }
    }

    fn visit(&mut self, visit: &Visit<'s>, subschema: Option<Id>) {
        let of_keyword = visit.owner.and_then(|owner| {
            let (keyword, when) = self.keyword(owner, visit.keyword, visit.value)?;
            Some((keyword, self.reasons[owner as usize].map_or(when, |why| (Timing::Final, Some(why)))))
        });
        let told = of_keyword.or_else(|| {
            let id = subschema.filter(|&id| self.table.node(id).verdict == Some(false))?;
            let reason = self.reasons[id as usize];
            Some((closing(visit.keyword), reason.map_or(EARLY, |why| (Timing::Final, Some(why)))))
        });
        if let Some((keyword, (when, why))) = told {
            self.tell(visit.step, keyword, when, why);
        }
    }

    fn tell(&mut self, step: usize, keyword: &'static str, when: Timing, why: Option<&'static str>) {
        let Some(pointer) = self.pointer(step) else {
            self.is_full = true;
            return;
        };
        self.room -= pointer.len();
        self.keywords.push(Covered { pointer, keyword, when, why });
    }

    /// The pointer to a value; none where there is no room for it.
    fn pointer(&self, step: usize) -> Option<String> {
        let (mut tokens, mut at, mut len) = (Vec::new(), step, self.uri.len() + 1);
        while let (above, token @ (Token::Key(_) | Token::Index(_))) = self.steps[at] {
            let text = match token {
                Token::Key(key) => key.replace('~', "~0").replace('/', "~1"),
                Token::Index(index) => index.to_string(),
                Token::Root => String::new(),
            };
            len += text.len() + 1;
            if len > self.room {
                return None;
            }
            tokens.push(text);
            at = above;
        }
        let mut pointer = String::with_capacity(len);
        if !self.uri.is_empty() {
            pointer.push_str(self.uri);
            pointer.push('#');
        }
        tokens.iter().rev().for_each(|token| {
            pointer.push('/');
            pointer.push_str(token);
        });
        Some(pointer)
    }

    /// What is said of a keyword of a subschema; nothing of one that asks for nothing by itself.
    fn keyword(&self, id: Id, keyword: &str, value: &Value) -> Option<(&'static str, When)> {
        let node = self.table.node(id);
        let contains = node.items.as_ref().and_then(|items| items.contains);
        let asks = |id: Option<Id>| id.is_some_and(|id| self.table.node(id).verdict != Some(true));
        let has_branches = node.condition.is_some_and(|it| it.then.or(it.otherwise).is_some());
        let applied = match keyword {
            "anyOf" if node.any.is_some() => Some(("anyOf", COMBINED)),
            "oneOf" if node.one.is_some() => Some(("oneOf", COMBINED)),
            "not" if node.not.is_some() => Some(("not", COMBINED)),
            "if" if has_branches => Some(("if", COMBINED)),
            "dependentSchemas" if !node.dependents.is_empty() => Some(("dependentSchemas", COMBINED)),
            "dependencies" if !node.dependents.is_empty() => Some(("dependencies", COMBINED)),
            "contains" if contains.is_some_and(|it| it.least > 0) => Some(("contains", AT_CLOSE)),
            "minContains" if contains.is_some_and(|it| it.least > 1) => Some(("minContains", AT_CLOSE)),
            "maxContains" if contains.is_some_and(|it| it.most.is_some()) => Some(("maxContains", EARLY)),
            "unevaluatedProperties" if asks(node.unevaluated_members) => Some(("unevaluatedProperties", UNEVALUATED)),
            "unevaluatedItems" if asks(node.unevaluated_items) => Some(("unevaluatedItems", UNEVALUATED)),
            // That it is told in the end is said of all that stands beside it.
            "$dynamicRef" if node.is_dynamic => Some(("$dynamicRef", AT_CLOSE)),
            "$recursiveRef" if node.is_dynamic => Some(("$recursiveRef", AT_CLOSE)),
            _ => None,
        };
        let leaf = node.leaf.as_deref();
        let asked = || leaf.filter(|leaf| leaf.keywords.get(keyword).is_some());
        let by_itself = asked().and_then(|leaf| self.by_itself(id, leaf, keyword, value));
        // `dependencies` may be both.
        by_itself.or(applied)
    }

    /// What is said of a keyword about a value alone.
    fn by_itself(&self, id: Id, leaf: &Leaf, keyword: &str, value: &Value) -> Option<(&'static str, When)> {
        let is_bound = whole(value) != Some(0);
        Some(match keyword {
            "type" => ("type", of_type(value)),
            "enum" => ("enum", of_values(value.as_array()?)),
            "const" => ("const", of_values(std::slice::from_ref(value))),
            "maxLength" => ("maxLength", EARLY),
            "maxItems" => ("maxItems", EARLY),
            "maxProperties" => ("maxProperties", EARLY),
            "uniqueItems" if value == true => ("uniqueItems", EARLY),
            "pattern" => ("pattern", self.of_pattern(id, value.as_str()?)),
            "minLength" if is_bound => ("minLength", AT_CLOSE),
            "minItems" if is_bound => ("minItems", AT_CLOSE),
            "minProperties" if is_bound => ("minProperties", AT_CLOSE),
            "required" if !value.as_array()?.is_empty() => ("required", AT_CLOSE),
            "minimum" => ("minimum", NUMBERS),
            "maximum" => ("maximum", NUMBERS),
            "multipleOf" => ("multipleOf", NUMBERS),
            // In draft 4 a word of `minimum` and `maximum`.
            "exclusiveMinimum" if value.is_number() => ("exclusiveMinimum", NUMBERS),
            "exclusiveMaximum" if value.is_number() => ("exclusiveMaximum", NUMBERS),
            "dependentRequired" if self.has_dependent(leaf, keyword, value) => ("dependentRequired", AT_CLOSE),
            "dependencies" if self.has_dependent(leaf, keyword, value) => ("dependencies", AT_CLOSE),
            "format" if self.is_asserted(leaf, keyword, value) => ("format", AT_CLOSE),
            "contentEncoding" if self.is_asserted(leaf, keyword, value) => ("contentEncoding", AT_CLOSE),
            "contentMediaType" if self.is_asserted(leaf, keyword, value) => ("contentMediaType", AT_CLOSE),
            _ => return None,
        })
    }

    fn of_pattern(&self, id: Id, pattern: &str) -> When {
        match &self.program.plan(id).text {
            Some(text) if text.automaton.is_some() => EARLY,
            _ => (Timing::AtClose, Some(pattern::why_none(pattern))),
        }
    }

    /// Whether a field asks for another, in a draft that knows of it.
    fn has_dependent(&self, leaf: &Leaf, keyword: &str, lists: &Value) -> bool {
        let asks = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty());
        lists.as_object().is_some_and(|lists| lists.values().any(asks))
            && self.refuses(leaf, keyword, &json!({ "a": ["b"] }), &[json!({ "a": null })])
    }

    /// Whether a keyword about texts refuses any.
    fn is_asserted(&self, leaf: &Leaf, keyword: &str, value: &Value) -> bool {
        self.refuses(leaf, keyword, value, &PROBES.map(Value::from))
    }

    /// Whether a keyword refuses one of these values: the validator is asked. Where it cannot be, it may.
    fn refuses(&self, leaf: &Leaf, keyword: &str, value: &Value, probes: &[Value]) -> bool {
        let alone = Leaf::new(json!({ keyword: value }), leaf.draft());
        alone.validator(self.options).is_none_or(|validator| probes.iter().any(|probe| !validator.is_valid(probe)))
    }
}

/// The keyword of a schema that allows nothing.
fn closing(keyword: &str) -> &'static str {
    const CLOSING: [&str; 7] = [
        "additionalItems",
        "additionalProperties",
        "items",
        "patternProperties",
        "prefixItems",
        "properties",
        "propertyNames",
    ];
    CLOSING.into_iter().find(|closing| *closing == keyword).unwrap_or("false")
}

fn of_type(names: &Value) -> When {
    let has = |name: &str| names == name || names.as_array().is_some_and(|names| names.iter().any(|one| one == name));
    match has("integer") && !has("number") {
        true => (Timing::AtClose, Some("a fraction is known where the number ends; another type at once")),
        false => EARLY,
    }
}

fn of_values(values: &[Value]) -> When {
    if values.iter().any(|value| value.is_array() || value.is_object()) {
        return (Timing::AtClose, Some("arrays and objects are compared as a whole"));
    }
    if values.iter().any(Value::is_number) { NUMBERS } else { EARLY }
}

/// Of each subschema, why the monitor leaves it to the full validator, if it does.
fn reasons(table: &Table) -> Vec<Option<&'static str>> {
    let rings = table.in_rings();
    let reason = |id: Id| match table.node(id) {
        node if node.is_dynamic => Some("what it refers to depends on the way by which it is reached"),
        node if node.is_unsure => Some("its dialect, or what it refers to, is not known"),
        _ if rings[id as usize] => Some("it refers to itself about the same value"),
        _ => None,
    };
    let beneath = Some("it stands beneath what only the full validator knows");
    let mut reasons = vec![beneath; table.len()];
    let mut is_met = vec![false; table.len()];
    let mut waiting = vec![ROOT];
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut is_met[id as usize], true) {
            continue;
        }
        reasons[id as usize] = reason(id);
        if reasons[id as usize].is_none() {
            let node = table.node(id);
            let is_unevaluated = |id: &Id| [node.unevaluated_members, node.unevaluated_items].contains(&Some(*id));
            waiting.extend(node.in_place().chain(node.inside().filter(|id| !is_unevaluated(id))));
        }
    }
    reasons
}

#[cfg(test)]
mod tests;
