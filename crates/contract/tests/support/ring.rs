//! Whether the definitions of a schema lead to themselves about the same value.

use serde_json::Value;

/// Whether references lead from the root or a definition back to it without going into the value.
pub(crate) fn has_ring(schema: &Value) -> bool {
    let definitions = ["$defs", "definitions"].into_iter().find_map(|keyword| schema.get(keyword)?.as_object());
    let mut targets = vec![("#".to_owned(), schema)];
    for (name, definition) in definitions.into_iter().flatten() {
        let keyword = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        targets.push((format!("#/{keyword}/{name}"), definition));
    }
    let next: Vec<Vec<usize>> = targets
        .iter()
        .map(|(_, target)| {
            let mut found = Vec::new();
            in_place(target, &mut found);
            let place = |reference: &str| targets.iter().position(|(name, _)| name == reference);
            found.into_iter().filter_map(place).collect()
        })
        .collect();
    (0..targets.len()).any(|start| {
        let mut reached = vec![false; targets.len()];
        let mut waiting = next[start].clone();
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                waiting.extend(&next[at]);
            }
        }
        reached[start]
    })
}

/// The references that are followed about the same value.
fn in_place<'s>(schema: &'s Value, found: &mut Vec<&'s str>) {
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, value) in keywords {
        match keyword.as_str() {
            "$ref" => found.extend(value.as_str()),
            "allOf" | "anyOf" | "oneOf" => value.as_array().into_iter().flatten().for_each(|one| in_place(one, found)),
            "not" | "if" | "then" | "else" => in_place(value, found),
            "dependencies" | "dependentSchemas" => {
                value.as_object().into_iter().flatten().for_each(|(_, one)| in_place(one, found));
            }
            _ => {}
        }
    }
}
