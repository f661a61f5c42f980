//! Which types of JSON a schema leaves open, as far as its keywords about types say.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::table::{Id, ROOT, Table};

/// A set of the types of JSON. What is not in it is certainly not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

const NAMES: [&str; 6] = ["object", "array", "string", "number", "boolean", "null"];

impl Types {
    /// Every type.
    pub(crate) const ALL: Types = Types(0b11_1111);

    /// None: nothing is valid.
    pub(crate) const NONE: Types = Types(0);

    fn named(name: &str) -> Self {
        // Every integer is a number, and whether a number is one is not a question of its type.
        let name = if name == "integer" { "number" } else { name };
        NAMES.iter().position(|known| *known == name).map_or(Types::ALL, |at| Types(1 << at))
    }

    fn of_value(value: &Value) -> Self {
        Self::named(match value {
            Value::Object(_) => "object",
            Value::Array(_) => "array",
            Value::String(_) => "string",
            Value::Number(_) => "number",
            Value::Bool(_) => "boolean",
            Value::Null => "null",
        })
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Types(self.0 & other.0)
    }

    const fn or(self, other: Self) -> Self {
        Types(self.0 | other.0)
    }

    /// Whether objects or arrays are among them.
    pub(crate) const fn allows_containers(self) -> bool {
        self.0 & 0b11 != 0
    }

    /// Whether objects are among them.
    pub(crate) const fn allows_objects(self) -> bool {
        self.0 & 0b1 != 0
    }

    /// Whether arrays are among them.
    pub(crate) const fn allows_arrays(self) -> bool {
        self.0 & 0b10 != 0
    }

    /// Whether strings are.
    pub(crate) const fn allows_strings(self) -> bool {
        self.0 & 0b100 != 0
    }

    /// Whether the type of a JSON text is.
    pub(crate) fn allows_text(self, json: &str) -> bool {
        let name = match json.trim_start().as_bytes().first() {
            Some(b'{') => "object",
            Some(b'[') => "array",
            Some(b'"') => "string",
            Some(b't' | b'f') => "boolean",
            Some(b'n') => "null",
            _ => "number",
        };
        name != "string" && self.and(Self::named(name)) != Types::NONE
    }
}

/// What keywords about a value alone leave open.
fn of_keywords(keywords: &Value) -> Types {
    let any = |values: &[Value], of: fn(&Value) -> Types| values.iter().map(of).fold(Types::NONE, Types::or);
    let by_name = |name: &Value| name.as_str().map_or(Types::ALL, Types::named);
    let by_type = match keywords.get("type") {
        Some(Value::Array(names)) => any(names, by_name),
        Some(name) => by_name(name),
        None => Types::ALL,
    };
    let by_list = keywords.get("enum").and_then(Value::as_array).map_or(Types::ALL, |list| any(list, Types::of_value));
    by_type.and(by_list).and(keywords.get("const").map_or(Types::ALL, Types::of_value))
}

impl Table {
    /// The types that a subschema leaves open.
    pub(crate) fn types(&self, id: Id) -> Types {
        self.types_known(id, &mut HashMap::new())
    }

    /// The same, with what has been found out already. Linear in what has not, without recursion.
    fn types_known(&self, id: Id, known: &mut HashMap<Id, Types>) -> Types {
        for id in self.in_place(id, known) {
            let node = self.node(id);
            let own = match node.verdict {
                Some(false) => Types::NONE,
                _ => node.leaf.as_ref().map_or(Types::ALL, |leaf| of_keywords(&leaf.keywords)),
            };
            let types = self.combined(id, own, known);
            known.insert(id, types);
        }
        known.get(&id).copied().unwrap_or(Types::ALL)
    }

    /// The subschemas that are applied to the same value as one, itself last, each behind those that it applies; without those that are
    /// known. In a ring, one of them stands in front.
    fn in_place(&self, id: Id, known: &HashMap<Id, Types>) -> Vec<Id> {
        let (mut order, mut asked) = (Vec::new(), HashSet::new());
        let mut waiting = vec![(id, false)];
        while let Some((id, is_behind)) = waiting.pop() {
            if is_behind {
                order.push(id);
            } else if !known.contains_key(&id) && asked.insert(id) {
                let node = self.node(id);
                let branches = [&node.any, &node.one].into_iter().flatten().flatten();
                waiting.push((id, true));
                waiting.extend(node.all.iter().chain(branches).map(|&id| (id, false)));
            }
        }
        order
    }

    /// What a subschema leaves open with those that it applies. One that is not known yet, in a ring, leaves everything open.
    fn combined(&self, id: Id, own: Types, known: &HashMap<Id, Types>) -> Types {
        let node = self.node(id);
        let of = |id: &Id| known.get(id).copied().unwrap_or(Types::ALL);
        let all = node.all.iter().map(of).fold(own, Types::and);
        let branches = [&node.any, &node.one].into_iter().flatten();
        branches.map(|branches| branches.iter().map(of).fold(Types::NONE, Types::or)).fold(all, Types::and)
    }

    /// The types that are left open to fields of the root.
    pub(crate) fn field_types(&self) -> FieldTypes<'_> {
        let order = self.in_place(ROOT, &HashMap::new());
        let members = order.iter().filter_map(|&id| self.node(id).members.as_ref());
        let declared = members.flat_map(|members| members.named.keys().map(String::as_str)).collect();
        FieldTypes { table: self, order, declared, known: HashMap::new(), undeclared: None }
    }
}

/// The types that are left open to fields of an object, asked field by field.
pub(crate) struct FieldTypes<'s> {
    table: &'s Table,
    /// The subschemas that say something about the object, each behind those that it applies.
    order: Vec<Id>,
    /// Every name that one of them declares.
    declared: HashSet<&'s str>,
    known: HashMap<Id, Types>,
    /// What is left open to a field that none of them declares.
    undeclared: Option<Types>,
}

impl FieldTypes<'_> {
    /// The types that are left open to a field. Where branches of a union declare it otherwise, all of theirs.
    pub(crate) fn of(&mut self, name: &str) -> Types {
        let is_declared = self.declared.contains(name);
        if let Some(types) = self.undeclared.filter(|_| !is_declared) {
            return types;
        }
        let mut found = HashMap::with_capacity(self.order.len());
        for at in 0..self.order.len() {
            let id = self.order[at];
            let own = self.own(id, name);
            found.insert(id, self.table.combined(id, own, &found));
        }
        let types = found.get(&ROOT).copied().unwrap_or(Types::ALL);
        if !is_declared {
            self.undeclared = Some(types);
        }
        types
    }

    /// What one subschema says of a field.
    fn own(&mut self, id: Id, name: &str) -> Types {
        let Some(members) = &self.table.node(id).members else { return Types::ALL };
        let rest = members.rest.filter(|_| members.patterns.is_empty());
        let field = members.named.get(name).copied().or(rest);
        field.map_or(Types::ALL, |id| self.table.types_known(id, &mut self.known))
    }
}
