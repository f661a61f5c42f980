//! What a schema can ask for, worked out before it is compiled and before a value is judged.
//!
//! A few lines of schema can ask for more than a machine has: twenty definitions that each name the next one twice are a million ways to the
//! last. The validator keeps results of recursive references, but neither of these, nor of the branches below `unevaluated…`; and it recurses. So some
//! figures are worked out, without recursion and in time linear in the table:
//!
//! * *nesting*: the longest chain of schemas that are applied to one value. A chain of references is one. With the depth of a value it bounds
//!   the recursion.
//! * *ways*: in how many ways the schemas below one are applied to one value. Over the limit a schema is refused.
//! * *ways down*: the same along any path into a value. Over the limit each value is counted before it is judged.
//! * what one value may be held against one by one: patterns of names, arrays and objects of an `enum`, branches whose marks are joined. Their number times
//!   that of the values is bounded.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::table::{Id, Node, ROOT, Table};
use super::{SchemaError, SchemaErrorKind, SchemaLimits};

/// Applications of a schema to a value for one document.
const MOST_APPLICATIONS: u64 = 5_000_000;
/// Schemas that are applied within one another, at most: what a stack of 2 MiB holds in a build without optimisation, and some more.
const DEEPEST: usize = 800;
/// Pairs of a value with something that it is held against one by one.
const MOST_PAIRS: u64 = 5_000_000;
/// Ways to the subschemas of a schema with dynamic references, which is compiled once for each.
const MOST_SCOPES: u64 = 500;
/// How often the validator looks at one recursive schema and one value before it keeps the result.
const KEPT_AFTER: u64 = 16;
/// Schemas that refer to one another in a ring about one value. A ring asks for nothing; a dense one asks for it in every order.
const LARGEST_RING: usize = 4;

/// The figures of a schema.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    nesting: usize,
    /// Each value is to be counted.
    is_entangled: bool,
    /// The most ways along any path into a value.
    ways_down: u64,
    /// Some node asks for what has not been evaluated.
    has_marks: bool,
    /// What one value may be held against one by one, at most.
    beside: u64,
    /// Nodes that are met again below themselves.
    recursive: Vec<bool>,
}

impl Cost {
    /// Works them out.
    pub(crate) fn of(table: &Table, limits: &SchemaLimits) -> Result<Self, SchemaError> {
        let in_place = rings(table, |node| node.in_place().collect());
        if in_place.largest > LARGEST_RING {
            let message = format!("more than {LARGEST_RING} schemas that refer to one another about the same value");
            return Err(SchemaError::new(SchemaErrorKind::Limit, "", message));
        }
        let nesting = in_place.longest();
        if nesting > limits.nesting {
            return Err(SchemaError::over("schemas nested within one another about the same value", limits.nesting));
        }
        let nodes = || (0..table.len() as Id).map(|id| table.node(id));
        let has_marks = nodes().any(is_marking);
        let ways = in_place.ways(table, |node, ways| sum(node.in_place(), ways).saturating_mul(again(node)));
        if ways > limits.combinations as u64 {
            return Err(SchemaError::over("ways to apply it to one value", limits.combinations));
        }
        let all = rings(table, |node| node.in_place().chain(node.inside()).collect());
        let ways_down = all.ways(table, |node, ways| {
            let in_place = sum(node.in_place(), ways).saturating_mul(again(node));
            let contains = sum(contained(node).into_iter(), ways).saturating_mul(contains_again(node, has_marks));
            in_place.saturating_add(contains).saturating_add(ways_inside(node, ways))
        });
        let mut recursive = all.recursive(table);
        let is_dynamic = nodes().any(|node| node.is_dynamic);
        if is_dynamic {
            let scopes = all.ways(table, |node, ways| sum(node.in_place().chain(node.inside()), ways));
            if scopes > MOST_SCOPES {
                let what = "ways to its subschemas, each a scope for its dynamic references";
                return Err(SchemaError::over(what, MOST_SCOPES as usize));
            }
            // What a dynamic reference means depends on the way, so that nothing is kept.
            recursive.fill(false);
        }
        let marking = if has_marks { ways } else { 0 };
        let beside = nodes().map(beside).max().unwrap_or_default().max(marking);
        let is_entangled = is_dynamic || ways_down > limits.combinations as u64;
        Ok(Self { nesting, is_entangled, ways_down, has_marks, beside, recursive })
    }

    /// Whether a value can be judged within bounds.
    pub(crate) fn allows(&self, table: &Table, value: &Value) -> bool {
        let (depth, count) = size(value);
        if (self.nesting + 1) * (depth + 1) > DEEPEST || self.beside.saturating_mul(count) > MOST_PAIRS {
            return false;
        }
        // Where the ways into it and its values together may be too many, they are counted.
        let is_small = self.ways_down.saturating_mul(count) <= MOST_APPLICATIONS;
        is_small && !self.is_entangled || self.applications(table, value) <= MOST_APPLICATIONS
    }

    /// How often a schema is applied to a value in all, counted as the validator does it: again for each way. Ends where it is too many.
    fn applications(&self, table: &Table, value: &Value) -> u64 {
        let mut waiting = vec![Level::of(table, Rc::new(self.applied(table, HashMap::from([(ROOT, 1_u64)]))), value)];
        let mut total = waiting[0].sum;
        while let Some(level) = waiting.last_mut() {
            if total > MOST_APPLICATIONS {
                return total;
            }
            // What is applied to the children is worked out one by one: they may be many, and the end may come before.
            let Some((child, key)) = level.children.next() else {
                waiting.pop();
                continue;
            };
            let is_like_others = matches!(key, Key::Index(at) if at >= level.prefix_len);
            let applied = match &level.of_others {
                Some(applied) if is_like_others => Rc::clone(applied),
                _ => Rc::new(self.applied(table, self.below(table, &level.applied, key))),
            };
            if is_like_others {
                level.of_others = Some(Rc::clone(&applied));
            }
            let below = Level::of(table, applied, child);
            total = total.saturating_add(below.sum);
            waiting.push(below);
        }
        total
    }

    /// What is applied to a child, in place aside, of a container to which this is applied.
    fn below(&self, table: &Table, above: &HashMap<Id, u64>, key: Key<'_>) -> HashMap<Id, u64> {
        let mut below: HashMap<Id, u64> = HashMap::new();
        for (&id, &ways) in above {
            let node = table.node(id);
            let mut apply = |target: Id, factor: u64| {
                let place = below.entry(target).or_default();
                *place = place.saturating_add(ways.saturating_mul(factor));
            };
            targets(node, key).for_each(|target| apply(target, 1));
            if let (Some(item), Key::Index(_)) = (contained(node), key) {
                apply(item, contains_again(node, self.has_marks));
            }
        }
        below
    }

    /// Everything that is applied to one value, and in how many ways.
    fn applied(&self, table: &Table, roots: HashMap<Id, u64>) -> HashMap<Id, u64> {
        let mut applied: HashMap<Id, u64> = HashMap::new();
        let mut waiting: Vec<(Id, u64, usize)> = roots.into_iter().map(|(id, ways)| (id, ways, 0)).collect();
        while let Some((id, ways, nested)) = waiting.pop() {
            let ways = if self.recursive[id as usize] { ways.min(KEPT_AFTER) } else { ways };
            let place = applied.entry(id).or_default();
            *place = place.saturating_add(ways);
            if *place > MOST_APPLICATIONS || nested > self.nesting {
                continue;
            }
            let node = table.node(id);
            let ways = ways.saturating_mul(again(node));
            waiting.extend(node.in_place().map(|id| (id, ways, nested + 1)));
        }
        applied
    }
}

fn sum(ids: impl Iterator<Item = Id>, ways: &dyn Fn(Id) -> u64) -> u64 {
    ids.fold(0, |sum, id| sum.saturating_add(ways(id)))
}

/// The most ways into one child: of members with names one counts, of everything else that may be asked of the same member all.
fn ways_inside(node: &Node, ways: &dyn Fn(Id) -> u64) -> u64 {
    let most = |ids: &mut dyn Iterator<Item = Id>| ids.map(ways).max().unwrap_or_default();
    let members = node.members.as_ref().map_or(0, |members| {
        let patterns = members.patterns.iter().map(|&(_, id)| id);
        let others = sum(patterns.chain(members.rest).chain(members.key), ways);
        most(&mut members.named.values().copied()).saturating_add(others)
    });
    let items = node.items.as_ref().map_or(0, |items| most(&mut items.prefix.iter().copied().chain(items.rest)));
    let unevaluated = sum(node.unevaluated_members.into_iter().chain(node.unevaluated_items), ways);
    members.max(items).saturating_add(unevaluated)
}

/// What one value is held against one by one.
fn beside(node: &Node) -> u64 {
    let patterns = node.members.as_ref().map_or(0, |members| members.patterns.len());
    let allowed = node.leaf.as_ref().and_then(|leaf| leaf.keywords.get("enum")?.as_array());
    let containers =
        allowed.map_or(0, |allowed| allowed.iter().filter(|value| value.is_array() || value.is_object()).count());
    (patterns + containers) as u64
}

/// How often the branches of a node that asks for what is not evaluated are looked at, at most: measured 3.4.
const MARKING: u64 = 4;

/// How often what a node asks of the same value is looked at.
fn again(node: &Node) -> u64 {
    if is_marking(node) { MARKING } else { 1 }
}

/// The schema of `contains`.
fn contained(node: &Node) -> Option<Id> {
    Some(node.items.as_ref()?.contains?.item)
}

/// How often `contains` is looked at: once more where what it matches may count as evaluated.
fn contains_again(node: &Node, has_marks: bool) -> u64 {
    if has_marks { 2 * again(node) } else { 1 }
}

/// Whether what a node's branches evaluate is looked at once more.
fn is_marking(node: &Node) -> bool {
    node.unevaluated_members.is_some() || node.unevaluated_items.is_some()
}

/// A value on the way down, while what is applied to it and below it is counted.
struct Level<'v> {
    applied: Rc<HashMap<Id, u64>>,
    sum: u64,
    children: Box<dyn Iterator<Item = (&'v Value, Key<'v>)> + 'v>,
    /// To items from this one on the same is applied, and what.
    prefix_len: usize,
    of_others: Option<Rc<HashMap<Id, u64>>>,
}

impl<'v> Level<'v> {
    fn of(table: &Table, applied: Rc<HashMap<Id, u64>>, value: &'v Value) -> Self {
        let sum = applied.values().fold(0_u64, |sum, ways| sum.saturating_add(*ways));
        let prefix_len = |id: &Id| table.node(*id).items.as_ref().map_or(0, |items| items.prefix.len());
        let is_array = value.is_array();
        let prefix_len = if is_array { applied.keys().map(prefix_len).max().unwrap_or_default() } else { 0 };
        Self { applied, sum, children: Box::new(children(value)), prefix_len, of_others: None }
    }
}

/// How a child stands in its container.
#[derive(Clone, Copy)]
enum Key<'v> {
    Name(&'v str),
    Index(usize),
}

fn children(value: &Value) -> impl Iterator<Item = (&Value, Key<'_>)> {
    let members = value.as_object().into_iter().flatten().map(|(key, value)| (value, Key::Name(key)));
    let items = value.as_array().into_iter().flatten().enumerate().map(|(at, value)| (value, Key::Index(at)));
    members.chain(items)
}

/// The nodes that a node may ask of a child: at least those that it does.
fn targets<'t>(node: &'t Node, key: Key<'_>) -> impl Iterator<Item = Id> + use<'t> {
    let mut targets = Vec::new();
    match key {
        Key::Name(key) => {
            if let Some(members) = &node.members {
                targets.extend(members.named.get(key).copied());
                targets.extend(members.patterns.iter().map(|&(_, id)| id));
                targets.extend(members.rest.filter(|_| !members.named.contains_key(key)));
                targets.extend(members.key);
            }
            targets.extend(node.unevaluated_members);
        }
        Key::Index(at) => {
            if let Some(items) = &node.items {
                targets.extend(items.prefix.get(at).copied().or(items.rest));
            }
            targets.extend(node.unevaluated_items);
        }
    }
    targets.into_iter()
}

/// How deep a value is, 0 of one that is no container, and how many values it is.
fn size(value: &Value) -> (usize, u64) {
    let (mut deepest, mut count) = (0, 0);
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        count += 1;
        match value {
            Value::Object(members) => waiting.extend(members.values().map(|value| (value, depth + 1))),
            Value::Array(items) => waiting.extend(items.iter().map(|value| (value, depth + 1))),
            _ => {}
        }
    }
    (deepest, count)
}

/// The nodes of a graph by their rings (strongly connected components), those that are reached before those that reach them.
struct Rings {
    /// The ring of each node.
    of: Vec<u32>,
    /// Nodes in the order in which their rings were closed.
    order: Vec<Id>,
    /// Nodes in each ring.
    sizes: Vec<usize>,
    /// Whether a node of the ring reaches itself.
    is_cyclic: Vec<bool>,
    largest: usize,
    edges: Vec<Vec<Id>>,
}

impl Table {
    /// Which nodes lead to themselves about the same value.
    pub(crate) fn in_rings(&self) -> Vec<bool> {
        rings(self, |node| node.in_place().collect()).recursive(self)
    }
}

/// Finds the rings (Tarjan 1972), without recursion.
fn rings(table: &Table, edges: impl Fn(&Node) -> Vec<Id>) -> Rings {
    let len = table.len();
    let edges: Vec<Vec<Id>> = (0..len as Id).map(|id| edges(table.node(id))).collect();
    let mut rings = Rings {
        of: vec![u32::MAX; len],
        order: Vec::with_capacity(len),
        sizes: Vec::new(),
        is_cyclic: Vec::new(),
        largest: 0,
        edges,
    };
    let mut index = vec![u32::MAX; len];
    let mut low = vec![0_u32; len];
    let mut open: Vec<Id> = Vec::new();
    let mut next = 0_u32;
    for start in 0..len as Id {
        if index[start as usize] != u32::MAX {
            continue;
        }
        let mut path: Vec<(Id, usize)> = vec![(start, 0)];
        while let Some(top) = path.last_mut() {
            let (id, at) = (top.0 as usize, top.1);
            if at == 0 && index[id] == u32::MAX {
                index[id] = next;
                low[id] = next;
                next += 1;
                open.push(id as Id);
            }
            if let Some(&target) = rings.edges[id].get(at) {
                top.1 += 1;
                let target = target as usize;
                if index[target] == u32::MAX {
                    path.push((target as Id, 0));
                } else if rings.of[target] == u32::MAX {
                    low[id] = low[id].min(index[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[id]);
            }
            if low[id] == index[id] {
                rings.close(id as Id, &mut open);
            }
        }
    }
    rings
}

impl Rings {
    fn close(&mut self, root: Id, open: &mut Vec<Id>) {
        let ring = self.sizes.len() as u32;
        let start = open.iter().rposition(|&id| id == root).unwrap_or_default();
        let members = open.split_off(start);
        for &id in &members {
            self.of[id as usize] = ring;
        }
        let loops = self.edges[root as usize].contains(&root);
        self.is_cyclic.push(members.len() > 1 || loops);
        self.largest = self.largest.max(if members.len() > 1 { members.len() } else { 0 });
        self.sizes.push(members.len());
        self.order.extend(members);
    }

    /// The longest chain; a ring counts with all its nodes.
    fn longest(&self) -> usize {
        let mut longest = vec![0_usize; self.sizes.len()];
        for &id in &self.order {
            let ring = self.of[id as usize] as usize;
            let below = self.edges[id as usize].iter().map(|&to| self.of[to as usize] as usize);
            let below = below.filter(|&other| other != ring).map(|other| longest[other]).max().unwrap_or_default();
            longest[ring] = longest[ring].max(below + self.sizes[ring]);
        }
        longest.into_iter().max().unwrap_or_default()
    }

    /// The largest number of ways below a node, itself among them, where `below` says how many there are below one of which those below the others
    /// are known. Of a ring all nodes count together, and nothing goes round.
    fn ways(&self, table: &Table, below: impl Fn(&Node, &dyn Fn(Id) -> u64) -> u64) -> u64 {
        let mut ways = vec![0_u64; self.sizes.len()];
        for &id in &self.order {
            let ring = self.of[id as usize] as usize;
            let known = |to: Id| match self.of[to as usize] as usize {
                other if other == ring => 0,
                other => ways[other],
            };
            let more = below(table.node(id), &known).saturating_add(1);
            ways[ring] = ways[ring].saturating_add(more);
        }
        ways.into_iter().max().unwrap_or_default()
    }

    fn recursive(&self, table: &Table) -> Vec<bool> {
        (0..table.len()).map(|id| self.is_cyclic[self.of[id] as usize]).collect()
    }
}
