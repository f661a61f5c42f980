//! What a schema asks for, arranged for one pass: a plan for each of its subschemas.
//!
//! The plans say the same as the table, which they are made of, and never more than the validator: what they cannot express is left to the
//! end, marked so. Made once for a schema, when it is monitored first.

use std::cell::Cell;
use std::ops::Range;

use serde_json::Value;

use super::pattern::Automaton;
use super::{Id, Leaf, Schema, SchemaOptions, Table, leaf};

/// One automaton takes no more than this part of what all of them may take.
const AUTOMATA: usize = 8;

/// What the first character of a value tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

impl Kind {
    const ALL: [Kind; 7] = [Kind::Object, Kind::Array, Kind::String, Kind::Number, Kind::True, Kind::False, Kind::Null];

    fn of(value: &Value) -> Self {
        match value {
            Value::Object(_) => Kind::Object,
            Value::Array(_) => Kind::Array,
            Value::String(_) => Kind::String,
            Value::Number(_) => Kind::Number,
            Value::Bool(true) => Kind::True,
            Value::Bool(false) => Kind::False,
            Value::Null => Kind::Null,
        }
    }

    /// That of a number or literal.
    pub(crate) const fn of_scalar(first: u8) -> Self {
        match first {
            b't' => Kind::True,
            b'f' => Kind::False,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    const ALL: Kinds = Kinds(0x7F);
    pub(crate) const NAMES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

    fn named(name: &str) -> Self {
        Kinds(match name {
            "object" => Kind::Object.bit(),
            "array" => Kind::Array.bit(),
            "string" => Kind::String.bit(),
            "number" | "integer" => Kind::Number.bit(),
            "boolean" => Kind::True.bit() | Kind::False.bit(),
            "null" => Kind::Null.bit(),
            _ => Self::ALL.0,
        })
    }

    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }
}

/// All plans, by the numbers of the table.
#[derive(Debug)]
pub(crate) struct Program {
    plans: Box<[Plan]>,
    /// `uniqueItems`, for two items that look equal.
    pub(crate) unique: Leaf,
}

/// What one subschema asks.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) verdict: Option<bool>,
    /// Nothing that is known of it is certain.
    pub(crate) is_unsure: bool,
    /// By `type`; and by `type`, `enum` and `const` together.
    pub(crate) by_type: Kinds,
    pub(crate) kinds: Kinds,
    pub(crate) text: Option<Box<TextPlan>>,
    pub(crate) asks_numbers: bool,
    pub(crate) object: Option<Box<ObjectPlan>>,
    pub(crate) array: Option<Box<ArrayPlan>>,
    /// Objects, or arrays, are held against a list as a whole.
    pub(crate) asks_whole: Kinds,
    /// What these have that was not evaluated, only the validator knows.
    pub(crate) asks_unevaluated: Kinds,
    /// Subschemas that are asked about the same value, and what they are.
    pub(crate) children: Box<[Id]>,
    pub(crate) layout: Layout,
}

/// Which of the children are what.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) all: usize,
    pub(crate) any: Option<Range<usize>>,
    pub(crate) one: Option<Range<usize>>,
    pub(crate) not: Option<usize>,
    pub(crate) test: Option<usize>,
    pub(crate) then: Option<usize>,
    pub(crate) otherwise: Option<usize>,
    /// Those that count where a field is there: the first of them, and the words of the fields.
    pub(crate) gates: usize,
    pub(crate) gate_words: Box<[u32]>,
}

/// What is asked of strings.
#[derive(Debug)]
pub(crate) struct TextPlan {
    /// The strings that are allowed, in order.
    pub(crate) words: Option<Box<[Box<[u8]>]>>,
    pub(crate) least: u64,
    pub(crate) most: u64,
    pub(crate) automaton: Option<Automaton>,
    /// The rest is asked of the whole string.
    pub(crate) asks_whole: bool,
}

/// What is asked of objects.
#[derive(Debug)]
pub(crate) struct ObjectPlan {
    /// Every name that a keyword knows, in order.
    pub(crate) words: Box<[Word]>,
    /// Of an object that allows no other names, patterns aside: the words that are allowed. None where a pattern has no automaton.
    pub(crate) closed: Option<Box<[Allowed]>>,
    pub(crate) rest: Rest,
    pub(crate) has_patterns: bool,
    /// Those of the patterns of names, as far as there are any.
    pub(crate) automata: Box<[Option<Automaton>]>,
    pub(crate) names: Option<Id>,
    pub(crate) least: u64,
    pub(crate) most: u64,
    pub(crate) required: u32,
    /// Fields that ask for others.
    pub(crate) dependent: Box<[(u32, Box<[u32]>)]>,
}

/// A name that is allowed where others are not.
#[derive(Debug)]
pub(crate) struct Allowed {
    pub(crate) name: Box<str>,
    pub(crate) word: u32,
}

impl AsRef<[u8]> for Allowed {
    fn as_ref(&self) -> &[u8] {
        self.name.as_bytes()
    }
}

/// A name of a field.
#[derive(Debug, Default)]
pub(crate) struct Word {
    pub(crate) name: Box<str>,
    pub(crate) member: Option<Rest>,
    pub(crate) is_required: bool,
}

/// What is asked of a value in an object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing.
    Any,
    /// That it is not there.
    Closed,
    /// A schema.
    Schema(Id),
}

/// What is asked of arrays.
#[derive(Debug)]
pub(crate) struct ArrayPlan {
    pub(crate) prefix: Box<[Rest]>,
    pub(crate) rest: Rest,
    pub(crate) rest_keyword: &'static str,
    pub(crate) least: u64,
    pub(crate) most: u64,
    pub(crate) is_unique: bool,
    pub(crate) contains: Option<super::Contains>,
}

impl Word {
    /// Whether a field may have this name where others are not allowed.
    pub(crate) fn is_allowed(&self) -> bool {
        self.member.is_some_and(|member| member != Rest::Closed)
    }
}

impl ObjectPlan {
    /// The word that a name is.
    pub(crate) fn word(&self, name: &str) -> Option<u32> {
        self.words.binary_search_by(|word| (*word.name).cmp(name)).ok().map(|word| word as u32)
    }
}

impl ArrayPlan {
    /// What is asked of the item with an index.
    pub(crate) fn of_item(&self, index: u64) -> Rest {
        let prefix = usize::try_from(index).ok().and_then(|index| self.prefix.get(index));
        prefix.copied().unwrap_or(self.rest)
    }
}

impl Program {
    pub(crate) fn new(schema: &Schema) -> Self {
        let (table, options) = (schema.table(), schema.options());
        let room = Cell::new(options.limits.automata);
        let maker = |id| Maker { table, options, room: &room, id };
        let plans = (0..table.len() as Id).map(|id| maker(id).plan()).collect();
        Self { plans, unique: Leaf::unique() }
    }

    #[inline]
    pub(crate) fn plan(&self, id: Id) -> &Plan {
        &self.plans[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.plans.len()
    }
}

impl Plan {
    fn unsure() -> Self {
        Self {
            verdict: None,
            is_unsure: true,
            by_type: Kinds::ALL,
            kinds: Kinds::ALL,
            text: None,
            asks_numbers: false,
            object: None,
            array: None,
            asks_whole: Kinds(0),
            asks_unevaluated: Kinds(0),
            children: Box::default(),
            layout: Layout::default(),
        }
    }

    /// Whether it asks nothing else about the same value.
    #[inline]
    pub(crate) fn is_simple(&self) -> bool {
        self.children.is_empty()
    }

    /// Whether a part of it counts only if another does.
    pub(crate) fn is_conditional(&self) -> bool {
        self.layout.test.is_some() || !self.layout.gate_words.is_empty()
    }

    /// Whether a value of a kind is valid as soon as it begins, as far as the plan itself goes.
    pub(crate) fn is_content(&self, kind: Kind) -> bool {
        let asks = match kind {
            Kind::Object => self.object.is_some(),
            Kind::Array => self.array.is_some(),
            Kind::String => self.text.is_some(),
            Kind::Number => self.asks_numbers,
            _ => false,
        };
        !asks && !self.is_unsure && !self.asks_whole.has(kind) && !self.asks_unevaluated.has(kind)
    }
}

/// Makes one plan.
struct Maker<'s> {
    table: &'s Table,
    options: &'s SchemaOptions,
    /// Bytes that automata may still take.
    room: &'s Cell<usize>,
    id: Id,
}

impl Maker<'_> {
    fn plan(&self) -> Plan {
        let node = self.table.node(self.id);
        if node.is_unsure {
            return Plan::unsure();
        }
        let (children, layout) = self.children();
        let by_type = self.by_type();
        let by_list =
            |list: &[Value]| list.iter().fold(Kinds(0), |kinds, value| Kinds(kinds.0 | Kind::of(value).bit()));
        let by_enum = self.get("enum").and_then(Value::as_array).map_or(Kinds::ALL, |list| by_list(list));
        let by_const = self.get("const").map_or(Kinds::ALL, |value| by_list(std::slice::from_ref(value)));
        let kinds = Kinds(by_type.0 & by_enum.0 & by_const.0);
        let is_listed = self.get("enum").is_some() || self.get("const").is_some();
        let containers = Kinds(Kind::Object.bit() | Kind::Array.bit());
        let asks = |id: Option<Id>| id.is_some_and(|id| self.table.node(id).verdict != Some(true));
        let mut plan = Plan {
            verdict: node.verdict,
            is_unsure: node.is_unsure,
            by_type,
            kinds,
            text: self.text(),
            asks_numbers: self.asks_numbers(),
            object: None,
            array: self.array(),
            asks_whole: if is_listed { Kinds(kinds.0 & containers.0) } else { Kinds(0) },
            asks_unevaluated: Kinds(
                if asks(node.unevaluated_members) { Kind::Object.bit() } else { 0 }
                    | if asks(node.unevaluated_items) { Kind::Array.bit() } else { 0 },
            ),
            children,
            layout,
        };
        plan.object = self.object(&mut plan.layout);
        plan
    }

    fn get(&self, keyword: &str) -> Option<&Value> {
        self.table.node(self.id).leaf.as_ref()?.keywords.get(keyword)
    }

    fn bound(&self, keyword: &str) -> Option<u64> {
        self.get(keyword).and_then(super::whole)
    }

    fn rest(&self, id: Id) -> Rest {
        match self.table.node(id).verdict {
            Some(true) => Rest::Any,
            Some(false) => Rest::Closed,
            None => Rest::Schema(id),
        }
    }

    fn by_type(&self) -> Kinds {
        let name = |name: &Value| name.as_str().map_or(Kinds::ALL, Kinds::named);
        match self.get("type") {
            Some(Value::Array(names)) => names.iter().map(name).fold(Kinds(0), |kinds, more| Kinds(kinds.0 | more.0)),
            Some(one) => name(one),
            None => Kinds::ALL,
        }
    }

    fn children(&self) -> (Box<[Id]>, Layout) {
        let node = self.table.node(self.id);
        let mut children = node.all.clone();
        let mut layout = Layout { all: children.len(), ..Layout::default() };
        let list = |children: &mut Vec<Id>, branches: &Option<Box<[Id]>>| {
            let start = children.len();
            let branches = branches.as_ref()?;
            children.extend(branches.iter());
            Some(start..children.len())
        };
        layout.any = list(&mut children, &node.any);
        layout.one = list(&mut children, &node.one);
        let one = |children: &mut Vec<Id>, id: Option<Id>| {
            children.push(id?);
            Some(children.len() - 1)
        };
        layout.not = one(&mut children, node.not);
        if let Some(condition) = node.condition {
            layout.test = one(&mut children, Some(condition.test));
            layout.then = one(&mut children, condition.then);
            layout.otherwise = one(&mut children, condition.otherwise);
        }
        layout.gates = children.len();
        children.extend(node.dependents.iter().map(|&(_, id)| id));
        (children.into(), layout)
    }

    fn text(&self) -> Option<Box<TextPlan>> {
        let mut words: Option<Vec<Box<str>>> = None;
        let strings = |list: &[Value]| list.iter().filter_map(Value::as_str).map(Box::from).collect::<Vec<Box<str>>>();
        if let Some(list) = self.get("enum").and_then(Value::as_array) {
            words = Some(strings(list));
        }
        if let Some(one) = self.get("const") {
            let mut only = strings(std::slice::from_ref(one));
            if let Some(words) = &words {
                only.retain(|word| words.contains(word));
            }
            words = Some(only);
        }
        if let Some(words) = &mut words {
            words.sort_unstable();
            words.dedup();
        }
        let least = self.bound("minLength");
        let most = self.bound("maxLength");
        let is_odd = |keyword, bound: Option<u64>| self.get(keyword).is_some() && bound.is_none();
        let pattern = self.get("pattern").and_then(Value::as_str);
        let automaton = pattern.and_then(|pattern| self.automaton(pattern));
        let whole = ["format", "contentEncoding", "contentMediaType"];
        let asks_whole = self.get("pattern").is_some() && automaton.is_none()
            || whole.iter().any(|keyword| self.get(keyword).is_some())
            || is_odd("minLength", least)
            || is_odd("maxLength", most);
        let is_asked = words.is_some() || least.is_some() || most.is_some() || automaton.is_some() || asks_whole;
        is_asked.then(|| {
            Box::new(TextPlan {
                words: words
                    .map(|words| words.into_iter().map(|word| word.into_string().into_bytes().into()).collect()),
                least: least.unwrap_or_default(),
                most: most.unwrap_or(u64::MAX),
                automaton,
                asks_whole,
            })
        })
    }

    /// The automaton of a pattern, if there is room for it. What was tried in vain has cost as much.
    fn automaton(&self, pattern: &str) -> Option<Automaton> {
        let most = (self.options.limits.automata / AUTOMATA).min(self.room.get());
        if most == 0 {
            return None;
        }
        let automaton = Automaton::new(pattern, most);
        self.room.set(self.room.get() - automaton.as_ref().map_or(most, Automaton::len).min(most));
        automaton
    }

    fn asks_numbers(&self) -> bool {
        let names = |value: &Value| match value {
            Value::Array(names) => {
                let has = |name: &str| names.iter().any(|one| one == name);
                has("integer") && !has("number")
            }
            name => name == "integer",
        };
        self.get("type").is_some_and(names)
            || ["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
                .iter()
                .any(|keyword| self.get(keyword).is_some())
    }

    fn object(&self, layout: &mut Layout) -> Option<Box<ObjectPlan>> {
        let node = self.table.node(self.id);
        let mut words: Vec<Word> = Vec::new();
        let strings = |value: &Value| -> Vec<Box<str>> {
            value.as_array().into_iter().flatten().filter_map(Value::as_str).map(Box::from).collect()
        };
        let required = self.get("required").map(strings).unwrap_or_default();
        let dependent = self.dependent();
        let dependent_names = dependent.iter().flat_map(|(name, others)| std::iter::once(name).chain(others));
        let named = node.members.iter().flat_map(|members| members.named.keys().map(|name| Box::from(name.as_str())));
        let gates = node.dependents.iter().map(|(name, _)| Box::from(name.as_str()));
        let mut names: Vec<Box<str>> =
            named.chain(gates).chain(required.iter().cloned()).chain(dependent_names.cloned()).collect();
        names.sort_unstable();
        names.dedup();
        let place = |name: &str| names.binary_search_by(|known| (**known).cmp(name)).unwrap_or_default() as u32;
        for name in &names {
            let member = node.members.as_ref().and_then(|members| members.named.get(&**name));
            words.push(Word { name: name.clone(), member: member.map(|&id| self.rest(id)), is_required: false });
        }
        let mut count = 0;
        for name in &required {
            let word = &mut words[place(name) as usize];
            count += u32::from(!word.is_required);
            word.is_required = true;
        }
        layout.gate_words = node.dependents.iter().map(|(name, _)| place(name)).collect();
        let dependent = dependent
            .iter()
            .map(|(name, others)| (place(name), others.iter().map(|other| place(other)).collect()))
            .collect();
        let has_patterns = node.members.as_ref().is_some_and(|members| !members.patterns.is_empty());
        let rest = node.members.as_ref().and_then(|members| members.rest).map_or(Rest::Any, |id| self.rest(id));
        let allowed = words.iter().enumerate().filter(|(_, word)| word.is_allowed());
        let allowed = allowed.map(|(at, word)| Allowed { name: word.name.clone(), word: at as u32 });
        let patterns = node.members.iter().flat_map(|members| &members.patterns);
        let pattern = |leaf: &Leaf| leaf.keywords.get("pattern").and_then(Value::as_str).map(str::to_owned);
        let automata: Box<[_]> = patterns.map(|(leaf, _)| self.automaton(&pattern(leaf)?)).collect();
        let is_read = automata.iter().all(Option::is_some);
        let closed = (rest == Rest::Closed && is_read).then(|| allowed.collect());
        let (least, most) = (self.bound("minProperties"), self.bound("maxProperties"));
        let names = node.members.as_ref().and_then(|members| members.key);
        let names = names.filter(|&id| self.table.node(id).verdict != Some(true));
        let is_asked = !words.is_empty()
            || has_patterns
            || rest != Rest::Any
            || names.is_some()
            || least.is_some()
            || most.is_some();
        is_asked.then(|| {
            Box::new(ObjectPlan {
                words: words.into(),
                closed,
                rest,
                has_patterns,
                automata,
                names,
                least: least.unwrap_or_default(),
                most: most.unwrap_or(u64::MAX),
                required: count,
                dependent,
            })
        })
    }

    /// Fields that ask for others, where the draft knows of it: the validator is asked whether it minds.
    fn dependent(&self) -> Vec<(Box<str>, Vec<Box<str>>)> {
        let mut dependent = Vec::new();
        for keyword in ["dependentRequired", "dependencies"] {
            let Some(lists) = self.get(keyword).and_then(Value::as_object) else { continue };
            let draft = self.table.node(self.id).leaf.as_ref().map(|leaf| leaf.draft());
            let probe = Leaf::new(serde_json::json!({ keyword: { "a": ["b"] } }), draft.unwrap_or_default());
            if leaf::ask(&probe, &serde_json::json!({ "a": null }), self.options).is_valid != Some(false) {
                continue;
            }
            for (name, others) in lists {
                let others = others.as_array().into_iter().flatten().filter_map(Value::as_str).map(Box::from);
                dependent.push((Box::from(name.as_str()), others.collect()));
            }
        }
        dependent
    }

    fn array(&self) -> Option<Box<ArrayPlan>> {
        let items = self.table.node(self.id).items.as_deref();
        let prefix: Box<[Rest]> =
            items.into_iter().flat_map(|items| items.prefix.iter().map(|&id| self.rest(id))).collect();
        let rest = items.and_then(|items| items.rest).map_or(Rest::Any, |id| self.rest(id));
        let contains = items.and_then(|items| items.contains);
        let (least, most) = (self.bound("minItems"), self.bound("maxItems"));
        let is_unique = self.get("uniqueItems").is_some_and(|value| value == true);
        let is_asked = prefix.iter().any(|rest| *rest != Rest::Any)
            || rest != Rest::Any
            || contains.is_some()
            || least.is_some()
            || most.is_some()
            || is_unique;
        is_asked.then(|| {
            Box::new(ArrayPlan {
                prefix,
                rest,
                rest_keyword: items.map_or("items", |items| items.rest_keyword),
                least: least.unwrap_or_default(),
                most: most.unwrap_or(u64::MAX),
                is_unique,
                contains,
            })
        })
    }
}

/// The names of all kinds, for a sentence.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    debug_assert!(Kind::ALL.contains(&kind));
    match kind {
        Kind::Object => "object",
        Kind::Array => "array",
        Kind::String => "string",
        Kind::Number => "number",
        Kind::True | Kind::False => "boolean",
        Kind::Null => "null",
    }
}
