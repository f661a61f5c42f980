//! Applies the patches of `watch`, as a browser would.

use serde_json::Value;

/// Applies a patch (RFC 6902) of the operations `add` and `append`. A pointer of `serde_json` is one of RFC 6901.
pub(crate) fn apply(patch: &Value, document: &mut Value) {
    for operation in patch.as_array().expect("a patch") {
        let (path, value) = (operation["path"].as_str().expect("a path"), &operation["value"]);
        assert_eq!(operation.as_object().map(|members| members.len()), Some(3), "{operation}");
        match operation["op"].as_str() {
            Some("append") => match document.pointer_mut(path) {
                Some(Value::String(text)) => text.push_str(value.as_str().expect("text")),
                other => panic!("no string at {path}: {other:?}"),
            },
            Some("add") if path.is_empty() => *document = value.clone(),
            Some("add") => {
                let (parent, name) = path.rsplit_once('/').expect("a parent");
                match document.pointer_mut(parent).expect("the parent is there") {
                    Value::Array(array) => {
                        assert_eq!(name, array.len().to_string(), "at the end");
                        array.push(value.clone());
                    }
                    Value::Object(object) => {
                        let old = object.insert(name.replace("~1", "/").replace("~0", "~"), value.clone());
                        assert_eq!(old, None, "nothing is written over");
                    }
                    other => panic!("no container at {parent}: {other}"),
                }
            }
            other => panic!("an operation that is not known: {other:?}"),
        }
    }
}
