//! A schema as a table: its subschemas side by side, each with what it asks, and references as numbers.
//!
//! The table never has the last word, which is the judge's. It says *why* a value is not valid, and what a schema can cost before the
//! judge is even built. So it may know less than the judge: a node whose meaning depends on more than the table holds is *unsure*, and
//! whatever it says is then "cannot tell".
//!
//! Every subschema that the root reaches is a node once, whatever the number of references to it, and nothing is recursion.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use referencing::{Draft, Registry, Resolver};
use serde_json::{Map, Value};

use super::judge;
use super::{SchemaError, SchemaErrorKind, SchemaOptions};
use crate::violation::Names;

/// A node's number.
pub(crate) type Id = u32;

/// All nodes.
#[derive(Debug)]
pub(crate) struct Table {
    nodes: Vec<Node>,
}

/// Subschemas by where they lie: in the schema, or in one of the documents it may refer to.
pub(crate) type Places = HashMap<*const Value, Id>;

/// The root's number.
pub(crate) const ROOT: Id = 0;

/// One subschema.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// `true` or `false` instead of keywords.
    pub(crate) verdict: Option<bool>,
    /// What it asks of the value alone.
    pub(crate) leaf: Option<Box<Leaf>>,
    /// `allOf` and references: all must hold of the same value.
    pub(crate) all: Vec<Id>,
    pub(crate) any: Option<Box<[Id]>>,
    pub(crate) one: Option<Box<[Id]>>,
    pub(crate) not: Option<Id>,
    pub(crate) condition: Option<Condition>,
    /// Of an object with this key the schema must hold.
    pub(crate) dependents: Vec<(String, Id)>,
    pub(crate) members: Option<Box<Members>>,
    pub(crate) items: Option<Box<Items>>,
    pub(crate) unevaluated_members: Option<Id>,
    pub(crate) unevaluated_items: Option<Id>,
    /// What it means depends on more than the table holds.
    pub(crate) is_unsure: bool,
    /// What it evaluates depends on more than the table holds.
    pub(crate) may_mark_more: bool,
    /// A reference whose meaning depends on the way by which it is reached.
    pub(crate) is_dynamic: bool,
    /// One of those inside the meta-schemas of the drafts: it is what it seems where all ways into them lead through the same schema.
    is_of_drafts: bool,
    /// `title`, or the last token of the reference by which it was found: what a person would call it.
    pub(crate) name: Option<String>,
}

/// `if`, `then`, `else`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) test: Id,
    pub(crate) then: Option<Id>,
    pub(crate) otherwise: Option<Id>,
}

/// What is asked of the members of an object.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) named: HashMap<String, Id>,
    /// The names in the order of the schema's map.
    pub(crate) names: Arc<[String]>,
    pub(crate) patterns: Vec<(Leaf, Id)>,
    /// `additionalProperties`.
    pub(crate) rest: Option<Id>,
    /// `propertyNames`.
    pub(crate) key: Option<Id>,
}

/// What is asked of the items of an array.
#[derive(Debug, Default)]
pub(crate) struct Items {
    pub(crate) prefix: Vec<Id>,
    pub(crate) rest: Option<Id>,
    /// The keyword that `rest` stands under.
    pub(crate) rest_keyword: &'static str,
    pub(crate) contains: Option<Contains>,
}

/// `contains` with its bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contains {
    pub(crate) item: Id,
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
    /// Whether items that match count as evaluated: from draft 2020-12 on.
    pub(crate) marks: bool,
}

/// Keywords about a value alone, asked by a validator of their own.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) keywords: Value,
    draft: Draft,
    validator: OnceLock<Option<Validator>>,
}

impl Leaf {
    pub(crate) fn new(keywords: Value, draft: Draft) -> Self {
        Self { keywords, draft, validator: OnceLock::new() }
    }

    /// Whether the items of an array differ.
    pub(crate) fn unique() -> Self {
        Self::new(serde_json::json!({ "uniqueItems": true }), Draft::default())
    }

    /// The draft that it is read by.
    pub(crate) const fn draft(&self) -> Draft {
        self.draft
    }

    /// The validator, made when it is asked for first. None where it cannot be made alone: then nothing is known.
    pub(crate) fn validator(&self, options: &SchemaOptions) -> Option<&Validator> {
        self.validator.get_or_init(|| judge::leaf(&self.keywords, self.draft, options)).as_ref()
    }
}

/// Keywords about a value alone. Those that a draft does not have mean nothing in it, and the leaf's validator knows.
pub(super) const LEAF: [&str; 22] = [
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "format",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "dependencies",
    "contentEncoding",
    "contentMediaType",
];

impl Table {
    /// The table of a schema. References are looked up as the judge does: in the schema, in the documents that were handed over, and in
    /// the meta-schemas of the drafts.
    pub(crate) fn new(schema: &Value, documents: &Registry<'_>, options: &SchemaOptions) -> Result<Self, SchemaError> {
        Self::with_places(schema, documents, options).map(|(table, _)| table)
    }

    /// The same, with where each subschema lies.
    pub(super) fn with_places(
        schema: &Value,
        documents: &Registry<'_>,
        options: &SchemaOptions,
    ) -> Result<(Self, Places), SchemaError> {
        let draft = judge::draft(schema, options);
        let base = judge::base(schema, draft)?;
        let registry = documents
            .add(base.as_str(), draft.create_resource_ref(schema))
            .and_then(|registry| registry.retriever(judge::Nowhere).draft(draft).prepare())
            .map_err(|error| judge::of_reference(&error))?;
        let root = registry.resolver(base).lookup("#").map_err(|error| judge::of_reference(&error))?;
        let (contents, resolver, draft) = root.into_inner();

        let most = options.limits.values;
        let mut maker = Maker {
            nodes: Vec::new(),
            ids: HashMap::new(),
            waiting: Vec::new(),
            anchors: Anchors::of(schema, options),
            entries: HashMap::new(),
        };
        maker.id(contents, &resolver, draft, None);
        while let Some((id, contents, resolver, draft)) = maker.waiting.pop() {
            maker.fill(id, contents, &resolver, draft);
            if maker.nodes.len() > most {
                return Err(SchemaError::over("subschemas, those that it refers to among them", most));
            }
        }
        if options.is_untrusted && maker.nodes.iter().any(|node| node.is_dynamic) {
            let message = "a dynamic reference that may mean several schemas is not taken from a request";
            return Err(SchemaError::new(SchemaErrorKind::Limit, "", message));
        }
        // The way into a meta-schema decides what its dynamic references mean: only one by which the whole of a draft is entered is plain.
        let is_plain = |(uri, is_root): (&String, &bool)| *is_root && uri.ends_with("/schema");
        if maker.entries.len() > 1 || !maker.entries.iter().all(is_plain) {
            maker.nodes.iter_mut().for_each(|node| node.is_unsure |= node.is_of_drafts);
        }
        Ok((Self { nodes: maker.nodes }, maker.ids))
    }

    #[inline]
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }
}

impl Table {
    /// The names that some node has for a field.
    pub(super) fn names(&self) -> Names {
        let mut names = Names::new();
        for node in &self.nodes {
            let declared = node.members.iter().flat_map(|members| members.named.keys());
            let dependents = node.dependents.iter().map(|(name, _)| name);
            names.extend(declared.chain(dependents).map(|name| Box::from(name.as_str())));
            let keywords = node.leaf.iter().flat_map(|leaf| leaf.keywords.as_object()).flatten();
            let lists = keywords
                .filter(|(keyword, _)| matches!(keyword.as_str(), "required" | "dependentRequired" | "dependencies"));
            let mut waiting: Vec<&Value> = lists.map(|(_, list)| list).collect();
            while let Some(value) = waiting.pop() {
                match value {
                    Value::String(name) => drop(names.insert(Box::from(name.as_str()))),
                    Value::Array(values) => waiting.extend(values),
                    Value::Object(lists) => {
                        names.extend(lists.keys().map(|name| Box::from(name.as_str())));
                        waiting.extend(lists.values());
                    }
                    _ => {}
                }
            }
        }
        names
    }
}

impl Node {
    /// The nodes that are asked about the same value.
    pub(crate) fn in_place(&self) -> impl Iterator<Item = Id> {
        let condition = self.condition.into_iter().flat_map(|it| [Some(it.test), it.then, it.otherwise]).flatten();
        let branches = self.any.iter().chain(&self.one).flat_map(|branches| branches.iter().copied());
        let dependents = self.dependents.iter().map(|&(_, id)| id);
        self.all.iter().copied().chain(branches).chain(self.not).chain(condition).chain(dependents)
    }

    /// The nodes that are asked about values inside it, and about keys.
    pub(crate) fn inside(&self) -> impl Iterator<Item = Id> {
        let members = self.members.iter().flat_map(|members| {
            let named = members.named.values().copied().chain(members.patterns.iter().map(|&(_, id)| id));
            named.chain(members.rest).chain(members.key)
        });
        let items = self.items.iter().flat_map(|items| {
            items.prefix.iter().copied().chain(items.rest).chain(items.contains.map(|contains| contains.item))
        });
        members.chain(items).chain(self.unevaluated_members).chain(self.unevaluated_items)
    }
}

/// How often an anchor stands that a dynamic reference may mean.
#[derive(Default)]
struct Anchors {
    named: HashMap<String, usize>,
    recursive: usize,
}

impl Anchors {
    fn of(schema: &Value, options: &SchemaOptions) -> Self {
        let mut anchors = Self::default();
        let mut waiting: Vec<&Value> = vec![schema];
        waiting.extend(options.documents.iter().map(|(_, document)| &**document));
        while let Some(value) = waiting.pop() {
            match value {
                Value::Array(items) => waiting.extend(items),
                Value::Object(members) => {
                    if let Some(name) = members.get("$dynamicAnchor").and_then(Value::as_str) {
                        *anchors.named.entry(name.to_owned()).or_default() += 1;
                    }
                    anchors.recursive += usize::from(members.contains_key("$recursiveAnchor"));
                    waiting.extend(members.values());
                }
                _ => {}
            }
        }
        anchors
    }

    /// Whether a reference means the same wherever it is met.
    fn is_static(&self, keyword: &str, reference: &str) -> bool {
        match (keyword, reference.rsplit_once('#')) {
            ("$recursiveRef", _) => self.recursive <= 1,
            // No anchor: a pointer, or a whole document.
            (_, None | Some((_, ""))) => true,
            (_, Some((_, fragment))) => {
                fragment.starts_with('/') || self.named.get(fragment).is_none_or(|count| *count == 1)
            }
        }
    }
}

/// The making of a table.
struct Maker<'r> {
    nodes: Vec<Node>,
    /// A subschema is known by where it lies.
    ids: Places,
    waiting: Vec<(Id, &'r Value, Resolver<'r>, Draft)>,
    anchors: Anchors,
    /// The schemas of the meta-schemas that something outside them refers to, and whether each is a whole document.
    entries: HashMap<String, bool>,
}

impl<'r> Maker<'r> {
    /// The number of a subschema, which is filled later.
    fn id(&mut self, contents: &'r Value, resolver: &Resolver<'r>, draft: Draft, name: Option<&str>) -> Id {
        let next = self.nodes.len() as Id;
        let id = *self.ids.entry(std::ptr::from_ref(contents)).or_insert(next);
        if id == next {
            let title = contents.get("title").and_then(Value::as_str).or(name);
            self.nodes.push(Node { name: title.map(str::to_owned), ..Node::default() });
            self.waiting.push((id, contents, resolver.clone(), draft));
        }
        id
    }

    fn fill(&mut self, id: Id, contents: &'r Value, outer: &Resolver<'r>, outer_draft: Draft) {
        let draft = outer_draft.detect(contents);
        let node = match contents {
            Value::Bool(verdict) => Node { verdict: Some(*verdict), ..Node::default() },
            Value::Object(keywords) => match inside(contents, outer, draft) {
                Some(resolver) => Keywords { keywords, resolver, draft }.read(self),
                None => Node { is_unsure: true, ..Node::default() },
            },
            // The judge refuses it.
            _ => Node { is_unsure: true, ..Node::default() },
        };
        let place = &mut self.nodes[id as usize];
        *place = Node { name: place.name.take(), ..node };
    }
}

/// Whether references are resolved inside the meta-schemas of the drafts, which nobody hands over.
fn is_of_drafts(resolver: &Resolver<'_>) -> bool {
    let base = resolver.base_uri();
    ["http://json-schema.org/", "https://json-schema.org/"].iter().any(|start| base.as_str().starts_with(start))
}

/// The resolver for the references of a subschema: one that names itself is their base. Who came by a reference has that base already.
fn inside<'r>(contents: &'r Value, outer: &Resolver<'r>, draft: Draft) -> Option<Resolver<'r>> {
    let is_at =
        |resolver: &Resolver<'r>| resolver.lookup("#").is_ok_and(|found| std::ptr::eq(found.contents(), contents));
    let resource = draft.create_resource_ref(contents);
    if resource.id().is_none() || is_at(outer) {
        return Some(outer.clone());
    }
    outer.in_subresource(resource).ok()
}

/// The keywords of a subschema, while they are read. Those of a wrong shape are passed over: the judge refuses such a schema.
struct Keywords<'r> {
    keywords: &'r Map<String, Value>,
    resolver: Resolver<'r>,
    draft: Draft,
}

impl<'r> Keywords<'r> {
    fn read(&self, maker: &mut Maker<'r>) -> Node {
        // A dialect of its own may leave keywords out.
        let mut node = Node { is_unsure: self.draft == Draft::Unknown, ..Node::default() };
        if self.draft <= Draft::Draft7 && self.get("$ref").is_some_and(Value::is_string) {
            self.references(maker, &mut node);
            return node;
        }
        self.references(maker, &mut node);
        self.same_value(maker, &mut node);
        self.members(maker, &mut node);
        self.items(maker, &mut node);
        node.leaf = self.leaf(self.keywords.iter());
        node
    }

    fn get(&self, keyword: &str) -> Option<&'r Value> {
        self.keywords.get(keyword)
    }

    fn id(&self, maker: &mut Maker<'r>, contents: &'r Value) -> Id {
        maker.id(contents, &self.resolver, self.draft, None)
    }

    fn one(&self, maker: &mut Maker<'r>, keyword: &str) -> Option<Id> {
        self.get(keyword).map(|contents| self.id(maker, contents))
    }

    fn list(&self, maker: &mut Maker<'r>, keyword: &str) -> Option<Box<[Id]>> {
        let contents = self.get(keyword)?.as_array()?;
        Some(contents.iter().map(|contents| self.id(maker, contents)).collect())
    }

    fn leaf(&self, keywords: impl Iterator<Item = (&'r String, &'r Value)>) -> Option<Box<Leaf>> {
        let mut leaf = Map::new();
        // Draft 4 has no `const`, and others are to read what is here.
        let is_ours = |keyword: &str| LEAF.contains(&keyword) && (keyword != "const" || self.draft > Draft::Draft4);
        for (keyword, value) in keywords.filter(|(keyword, _)| is_ours(keyword)) {
            let value = match (keyword.as_str(), value) {
                ("dependencies", Value::Object(dependencies)) => {
                    let lists = dependencies.iter().filter(|(_, value)| value.is_array());
                    Value::Object(lists.map(|(key, value)| (key.clone(), value.clone())).collect())
                }
                _ => value.clone(),
            };
            leaf.insert(keyword.clone(), value);
        }
        (!leaf.is_empty()).then(|| Box::new(Leaf::new(Value::Object(leaf), self.draft)))
    }

    fn references(&self, maker: &mut Maker<'r>, node: &mut Node) {
        let dynamic = match self.draft {
            Draft::Draft201909 => Some("$recursiveRef"),
            Draft::Draft202012 | Draft::Unknown => Some("$dynamicRef"),
            _ => None,
        };
        // Where the judge looks for what is evaluated, it follows this one in later drafts too, which do not have it.
        node.may_mark_more = self.draft > Draft::Draft201909 && self.get("$recursiveRef").is_some();
        for keyword in ["$ref"].into_iter().chain(dynamic) {
            let Some(reference) = self.get(keyword).and_then(Value::as_str) else { continue };
            node.is_dynamic |= keyword != "$ref" && !maker.anchors.is_static(keyword, reference);
            node.is_unsure |= node.is_dynamic;
            let is_inside = is_of_drafts(&self.resolver);
            node.is_of_drafts |= keyword != "$ref" && is_inside;
            let Ok(target) = self.resolver.lookup(reference) else {
                node.is_unsure = true;
                continue;
            };
            let (contents, resolver, draft) = target.into_inner();
            if !is_inside && is_of_drafts(&resolver) {
                let is_root = resolver.lookup("#").is_ok_and(|root| std::ptr::eq(root.contents(), contents));
                let uri = resolver.base_uri().as_str().trim_end_matches('#').to_owned();
                maker.entries.insert(uri, is_root);
            }
            let name = reference.rsplit(['/', '#']).next().filter(|name| !name.is_empty());
            node.all.push(maker.id(contents, &resolver, draft, name));
        }
    }

    fn same_value(&self, maker: &mut Maker<'r>, node: &mut Node) {
        node.all.extend(self.list(maker, "allOf").unwrap_or_default());
        node.any = self.list(maker, "anyOf");
        node.one = self.list(maker, "oneOf");
        node.not = self.one(maker, "not");
        if self.draft >= Draft::Draft7 {
            node.condition = self.one(maker, "if").map(|test| Condition {
                test,
                then: self.one(maker, "then"),
                otherwise: self.one(maker, "else"),
            });
        }
        let later = (self.draft >= Draft::Draft201909).then_some("dependentSchemas");
        for keyword in ["dependencies"].into_iter().chain(later) {
            let dependents = self.get(keyword).and_then(Value::as_object).into_iter().flatten();
            for (key, contents) in dependents.filter(|(_, contents)| !contents.is_array()) {
                node.dependents.push((key.clone(), self.id(maker, contents)));
            }
        }
    }

    fn members(&self, maker: &mut Maker<'r>, node: &mut Node) {
        let mut members =
            Members { named: HashMap::new(), names: Arc::new([]), patterns: Vec::new(), rest: None, key: None };
        for (key, contents) in self.get("properties").and_then(Value::as_object).into_iter().flatten() {
            members.named.insert(key.clone(), self.id(maker, contents));
        }
        members.names = self
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect();
        for (pattern, contents) in self.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
            let keywords = serde_json::json!({ "pattern": pattern });
            members.patterns.push((Leaf::new(keywords, self.draft), self.id(maker, contents)));
        }
        members.rest = self.one(maker, "additionalProperties");
        if self.draft >= Draft::Draft6 {
            members.key = self.one(maker, "propertyNames");
        }
        let is_empty = members.named.is_empty() && members.patterns.is_empty();
        if !is_empty || members.rest.is_some() || members.key.is_some() {
            node.members = Some(Box::new(members));
        }
        if self.draft >= Draft::Draft201909 {
            node.unevaluated_members = self.one(maker, "unevaluatedProperties");
            node.unevaluated_items = self.one(maker, "unevaluatedItems");
        }
    }

    fn items(&self, maker: &mut Maker<'r>, node: &mut Node) {
        let mut items = Items { rest_keyword: "items", ..Items::default() };
        if self.draft >= Draft::Draft202012 {
            items.prefix = self.list(maker, "prefixItems").unwrap_or_default().into_vec();
        }
        match self.get("items") {
            Some(Value::Array(_)) => {
                items.prefix = self.list(maker, "items").unwrap_or_default().into_vec();
                items.rest = self.one(maker, "additionalItems");
                items.rest_keyword = "additionalItems";
            }
            Some(contents) => items.rest = Some(self.id(maker, contents)),
            None => {}
        }
        if self.draft >= Draft::Draft6 {
            items.contains = self.one(maker, "contains").map(|item| self.contains(item));
        }
        if !items.prefix.is_empty() || items.rest.is_some() || items.contains.is_some() {
            node.items = Some(Box::new(items));
        }
    }

    fn contains(&self, item: Id) -> Contains {
        let later = self.draft >= Draft::Draft201909;
        let bound = |keyword| self.get(keyword).filter(|_| later).and_then(whole);
        let least = bound("minContains").unwrap_or(1);
        Contains { item, least, most: bound("maxContains"), marks: self.draft >= Draft::Draft202012 }
    }
}

/// A bound on a count: `2` and `2.0` are the same.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    value
        .as_u64()
        .or_else(|| value.as_f64().filter(|value| value.fract() == 0.0 && *value >= 0.0).map(|value| value as u64))
}
