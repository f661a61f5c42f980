//! Small schemas and small documents, out of choices: so few names and values that they often meet.

use serde_json::{Map, Value, json};
use thusfar_testkit::random::Random;

const NAMES: [&str; 4] = ["a", "b", "ab", "c~/"];

/// A document of a few levels.
pub(crate) fn document(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 5 } else { 7 };
    match random.below(kinds) {
        0 => Value::from(random.below(4)),
        1 => Value::from(random.pick(&["", "a", "b", "ab", "aaa", "1.2.3.4", "é"])),
        2 => Value::from(random.chance(50)),
        3 => Value::Null,
        4 => [json!(0.5), json!(1.0), json!(-1), json!(2.5), json!(1e3)][random.below(5)].clone(),
        5 => (0..random.below(4)).map(|_| document(random, depth - 1)).collect(),
        _ => {
            let members = (0..random.below(4)).map(|_| (random.pick(&NAMES).to_owned(), document(random, depth - 1)));
            Value::Object(members.collect())
        }
    }
}

/// How a schema is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Draft 7.
    Seven,
    /// Draft 2020-12.
    Modern,
}

/// A schema with definitions that refer to one another and to the root.
pub(crate) fn schema(random: &mut Random, dialect: Dialect) -> Value {
    let mut grower = Grower { random, dialect };
    let root = grower.schema(3);
    let definitions: Map<String, Value> = (0..3).map(|at| (format!("d{at}"), grower.schema(2))).collect();
    match root {
        Value::Object(mut members) => {
            members.insert(dialect.definitions().to_owned(), Value::Object(definitions));
            Value::Object(members)
        }
        other => other,
    }
}

impl Dialect {
    const fn definitions(self) -> &'static str {
        match self {
            Dialect::Seven => "definitions",
            Dialect::Modern => "$defs",
        }
    }
}

struct Grower<'r> {
    random: &'r mut Random,
    dialect: Dialect,
}

impl Grower<'_> {
    fn schema(&mut self, depth: usize) -> Value {
        if self.random.chance(6) {
            return Value::from(self.random.chance(40));
        }
        let mut members = Map::new();
        if self.random.chance(8) {
            members.insert("title".into(), Value::from(self.random.pick(&["Point", "a name"])));
        }
        for _ in 0..self.random.below(3) {
            let (keyword, value) = self.assertion();
            members.insert(keyword.to_owned(), value);
        }
        for _ in 0..if depth == 0 { 0 } else { self.random.below(3) } {
            self.applicator(depth - 1, &mut members);
        }
        if self.random.chance(12) {
            let to = self.target();
            members.insert("$ref".into(), to);
        }
        Value::Object(members)
    }

    fn target(&mut self) -> Value {
        let at = self.random.below(4);
        Value::from(if at == 3 { "#".to_owned() } else { format!("#/{}/d{at}", self.dialect.definitions()) })
    }

    fn assertion(&mut self) -> (&'static str, Value) {
        let random = &mut *self.random;
        let count = random.below(4);
        let number = [json!(0), json!(1), json!(1.5), json!(2.0), json!(-1)][random.below(5)].clone();
        match random.below(18) {
            0 => ("type", random.pick(&["object", "array", "string", "integer", "number", "null", "boolean"]).into()),
            1 => ("type", json!(["string", random.pick(&["object", "array", "integer", "null"])])),
            2 => ("enum", (0..=random.below(3)).map(|_| document(random, 1)).collect()),
            3 => ("const", document(random, 2)),
            4 => ("minimum", number),
            5 => ("maximum", number),
            6 => ("exclusiveMinimum", number),
            7 => ("exclusiveMaximum", number),
            8 => ("multipleOf", [json!(1), json!(0.5), json!(2)][random.below(3)].clone()),
            9 => ("minLength", count.into()),
            10 => ("maxLength", count.into()),
            11 => ("pattern", random.pick(&["a", "^a*$", "^[ab]", "^(?=a)", "(a)\\1"]).into()),
            12 => ("minItems", count.into()),
            13 => ("maxItems", count.into()),
            14 => ("uniqueItems", true.into()),
            15 => ("required", names(random)),
            16 => ("minProperties", count.into()),
            _ => ("maxProperties", count.into()),
        }
    }

    fn some(&mut self, depth: usize) -> Value {
        (0..=self.random.below(3)).map(|_| self.schema(depth)).collect()
    }

    fn named(&mut self, depth: usize) -> Value {
        let members = (0..=self.random.below(3)).map(|_| (self.random.pick(&NAMES).to_owned(), self.schema(depth)));
        Value::Object(members.collect())
    }

    fn applicator(&mut self, depth: usize, members: &mut Map<String, Value>) {
        let mut put = |keyword: &str, value: Value| _ = members.insert(keyword.to_owned(), value);
        match self.random.below(17) {
            0 | 1 => put("properties", self.named(depth)),
            2 => put("allOf", self.some(depth)),
            3 => put("anyOf", self.some(depth)),
            4 => put("oneOf", self.some(depth)),
            5 => put("not", self.schema(depth)),
            6 => {
                put("if", self.schema(depth));
                put("then", self.schema(depth));
                put("else", self.schema(depth));
            }
            7 => put("items", self.schema(depth)),
            8 => put("contains", self.schema(depth)),
            9 => put("additionalProperties", self.schema(depth)),
            10 => put("propertyNames", self.schema(0)),
            11 => put("patternProperties", json!({ self.random.pick(&["a", "^b", "^(?!a)"]): self.schema(depth) })),
            kind => self.of_the_dialect(kind, depth, members),
        }
    }

    fn of_the_dialect(&mut self, kind: usize, depth: usize, members: &mut Map<String, Value>) {
        let mut put = |keyword: &str, value: Value| _ = members.insert(keyword.to_owned(), value);
        match (kind, self.dialect) {
            (12, Dialect::Seven) => {
                put("items", self.some(depth));
                put("additionalItems", self.schema(depth));
            }
            (13, Dialect::Seven) => put("dependencies", self.named(depth)),
            (14, Dialect::Seven) => put("dependencies", json!({ self.random.pick(&NAMES): names(self.random) })),
            (_, Dialect::Seven) => put("format", self.random.pick(&["ipv4", "date", "email"]).into()),
            (12, _) => put("prefixItems", self.some(depth)),
            (13, _) => put("dependentSchemas", self.named(depth)),
            (14, _) => put("dependentRequired", json!({ self.random.pick(&NAMES): names(self.random) })),
            (15, _) => {
                put("unevaluatedProperties", self.schema(depth));
                put("unevaluatedItems", self.schema(depth));
            }
            _ => {
                put("contains", self.schema(depth));
                put("minContains", self.random.below(3).into());
                put("maxContains", self.random.below(3).into());
            }
        }
    }
}

/// A list of names, each once.
fn names(random: &mut Random) -> Value {
    let mut names: Vec<_> = NAMES[..=random.below(3)].to_vec();
    random.shuffle(&mut names);
    json!(names)
}
