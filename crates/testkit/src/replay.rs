//! Changes and patches replayed by readers that know nothing but the serialised JSON, as a browser would.

use std::collections::HashMap;

use serde_json::Value;
use thusfar_core::{Cursor, ValueKind, View};

use crate::flat::Flat;

/// Builds a document from serialised changes. Whatever they must not say is an error.
#[derive(Debug, Default)]
pub struct Replayer {
    /// What was built, in the order in which it was opened.
    pub built: Vec<Flat>,
    /// How often it was to begin anew.
    pub restarts: usize,
    /// Whether the root was said to be whole.
    pub root_closed: bool,
    seq: u64,
    places: HashMap<String, usize>,
    /// How many values each container holds, and whether it is an array.
    held: HashMap<String, (usize, bool)>,
}

fn kind(name: &str) -> Result<ValueKind, String> {
    let all = [
        ValueKind::Object,
        ValueKind::Array,
        ValueKind::String,
        ValueKind::Number,
        ValueKind::Boolean,
        ValueKind::Null,
    ];
    all.into_iter().find(|kind| kind.as_str() == name).ok_or_else(|| format!("no kind: {name}"))
}

impl Replayer {
    /// Takes the next change, as JSON.
    ///
    /// # Errors
    /// When it does not go with what was told before.
    pub fn take(&mut self, line: &str) -> Result<(), String> {
        let change: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let text = |name: &str| change[name].as_str().ok_or_else(|| format!("no {name}: {line}"));
        self.seq += 1;
        if change["seq"].as_u64() != Some(self.seq) {
            return Err(format!("not the {}th: {line}", self.seq));
        }
        match text("change")? {
            "restarted" if self.built.is_empty() => Err("nothing was told that could be taken back".into()),
            "restarted" => {
                *self = Self { restarts: self.restarts + 1, seq: self.seq, ..Self::default() };
                Ok(())
            }
            "root_closed" => {
                let known = self.built.first().is_some_and(|root| root.known);
                let ok = known && !std::mem::replace(&mut self.root_closed, true);
                if ok { Ok(()) } else { Err("the root closes once, when it is known".into()) }
            }
            _ if self.root_closed => Err(format!("behind the root: {line}")),
            "opened" => self.open(text("path")?, kind(text("kind")?)?, false, ""),
            "grew" => {
                let added = text("text")?;
                let value = self.growing(text("path")?)?;
                let ok = value.kind == ValueKind::String && !added.is_empty();
                value.said.push_str(added);
                if ok { Ok(()) } else { Err(format!("a string grows by some text: {line}")) }
            }
            "closed" => match change["json"].as_str() {
                Some(json) => self.open(text("path")?, kind(text("kind")?)?, true, json),
                None => {
                    let kind = kind(text("kind")?)?;
                    let value = self.growing(text("path")?)?;
                    value.known = true;
                    if value.kind == kind { Ok(()) } else { Err(format!("another kind: {line}")) }
                }
            },
            other => Err(format!("no change: {other}")),
        }
    }

    fn open(&mut self, path: &str, kind: ValueKind, known: bool, said: &str) -> Result<(), String> {
        if let Some((parent, token)) = path.rsplit_once('/') {
            let (count, is_array) = self.held.get_mut(parent).ok_or_else(|| format!("no container: {path}"))?;
            if *is_array && token != count.to_string() {
                return Err(format!("element {count} is the next one: {path}"));
            }
            *count += 1;
            if self.built[self.places[parent]].known {
                return Err(format!("in a closed container: {path}"));
            }
        } else if !self.built.is_empty() {
            return Err("there is one root".into());
        }
        if self.places.insert(path.to_owned(), self.built.len()).is_some() {
            return Err(format!("opened twice: {path}"));
        }
        if matches!(kind, ValueKind::Object | ValueKind::Array) {
            self.held.insert(path.to_owned(), (0, kind == ValueKind::Array));
        }
        self.built.push(Flat { path: path.to_owned(), kind, known, said: said.to_owned(), json: String::new() });
        Ok(())
    }

    fn growing(&mut self, path: &str) -> Result<&mut Flat, String> {
        let place = *self.places.get(path).ok_or_else(|| format!("never opened: {path}"))?;
        let value = &mut self.built[place];
        if value.known { Err(format!("it was closed: {path}")) } else { Ok(value) }
    }

    /// Takes what has come since a cursor; panics where that does not go with what was told before.
    pub fn follow(&mut self, view: &View<'_>, cursor: &mut Cursor) {
        for change in view.changes(cursor) {
            let line = serde_json::to_string(&change).unwrap_or_else(|error| panic!("{error}: {change:?}"));
            self.take(&line).unwrap_or_else(|error| panic!("{error}\n  built: {:?}", self.built));
        }
        assert_eq!(cursor.seq(), self.seq, "as many as were told");
    }
}

/// Applies JSON Patches with the one operation that RFC 6902 does not have: `append`.
#[derive(Debug, Default)]
pub struct Patched {
    /// What was built.
    pub root: Option<Value>,
}

impl Patched {
    /// Applies a patch.
    ///
    /// # Errors
    /// When one of its operations cannot be done.
    pub fn apply(&mut self, patch: &str) -> Result<usize, String> {
        let operations: Vec<Value> = serde_json::from_str(patch).map_err(|error| format!("{error}: {patch}"))?;
        for operation in &operations {
            self.one(operation).ok_or_else(|| format!("{operation} on {:?}", self.root))?;
        }
        Ok(operations.len())
    }

    fn one(&mut self, operation: &Value) -> Option<()> {
        let (path, value) = (operation["path"].as_str()?, operation.get("value")?);
        match operation["op"].as_str()? {
            "append" => match self.root.as_mut()?.pointer_mut(path)? {
                Value::String(text) => text.push_str(value.as_str()?),
                _ => return None,
            },
            "add" if path.is_empty() => self.root = Some(value.clone()),
            "add" => {
                let (parent, token) = path.rsplit_once('/')?;
                match self.root.as_mut()?.pointer_mut(parent)? {
                    Value::Object(members) => {
                        let key = token.replace("~1", "/").replace("~0", "~");
                        // Nothing is added twice: it would replace what stood there.
                        if members.insert(key, value.clone()).is_some() {
                            return None;
                        }
                    }
                    Value::Array(elements) if token == elements.len().to_string() => elements.push(value.clone()),
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Applies what has come since a cursor; panics where that cannot be done.
    pub fn follow(&mut self, view: &View<'_>, cursor: &mut Cursor) {
        let mut patch = String::new();
        let count = view.patch(cursor, &mut patch);
        let applied = self.apply(&patch).unwrap_or_else(|error| panic!("{error}\n  in {patch}"));
        assert_eq!(applied, count, "{patch}");
    }
}
