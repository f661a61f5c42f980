//! JSON as a flat list of values in the order of the text, read apart from the core: what views, changes and patches must come to.

use thusfar_core::ValueKind;

/// One value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Flat {
    /// Its JSON pointer.
    pub path: String,
    /// Its kind.
    pub kind: ValueKind,
    /// Whether it is whole.
    pub known: bool,
    /// Of a string: what it says so far. Of a number or literal: its text.
    pub said: String,
    /// Its JSON text where it is whole; empty where that is not told.
    pub json: String,
}

/// A strict JSON text as a list; of equal keys the first counts. `None` of what is no JSON (RFC 8259). Reads no numbers: those, and
/// the depth, are for `serde_json` to judge.
#[must_use]
pub fn flat(text: &str) -> Option<Vec<Flat>> {
    let mut reader = Reader { text, at: 0, found: Vec::new() };
    reader.document()?;
    Some(reader.found)
}

/// A container that is open: its place in the list (none where it belongs to a second key), what it is, what it holds.
struct Frame {
    place: Option<usize>,
    kind: ValueKind,
    path: String,
    start: usize,
    keys: std::collections::HashSet<String>,
    count: usize,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    found: Vec<Flat>,
}

impl Reader<'_> {
    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn next(&mut self) -> Option<u8> {
        self.space();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    /// The string that begins here, decoded.
    fn string(&mut self) -> Option<String> {
        self.next().filter(|byte| *byte == b'"')?;
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        while *bytes.get(end)? != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let written = self.text.get(self.at..=end)?;
        self.at = end + 1;
        serde_json::from_str(written).ok()
    }

    /// A loop with frames of its own: a document may be deeper than a stack.
    fn document(&mut self) -> Option<()> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            // What stands here: a closer, or a value with its key.
            let mut path = String::new();
            let mut shown = true;
            if let Some(frame) = frames.last_mut() {
                let closer = if frame.kind == ValueKind::Object { b'}' } else { b']' };
                if self.next()? == closer {
                    self.at += 1;
                    self.close(&frames.pop()?);
                    if frames.is_empty() {
                        break;
                    }
                    continue;
                }
                if frame.count > 0 {
                    self.take(b',')?;
                }
                let mut token = frame.count.to_string();
                shown = frame.place.is_some();
                if frame.kind == ValueKind::Object {
                    token = self.string()?;
                    self.take(b':')?;
                    shown &= frame.keys.insert(token.clone());
                    token = token.replace('~', "~0").replace('/', "~1");
                }
                frame.count += 1;
                path = format!("{}/{token}", frame.path);
            }
            match self.next()? {
                opener @ (b'{' | b'[') => {
                    let kind = if opener == b'{' { ValueKind::Object } else { ValueKind::Array };
                    let place = shown.then_some(self.found.len());
                    if shown {
                        self.found.push(Flat {
                            path: path.clone(),
                            kind,
                            known: false,
                            said: String::new(),
                            json: String::new(),
                        });
                    }
                    frames.push(Frame { place, kind, path, start: self.at, keys: Default::default(), count: 0 });
                    self.at += 1;
                    // `[,` and `{,` are told by what must stand here; `[1,]` by what follows the comma.
                    continue;
                }
                b'"' => {
                    let start = self.at;
                    let said = self.string()?;
                    self.leaf(shown, path, ValueKind::String, said, start);
                }
                first => {
                    let start = self.at;
                    let rest = &self.text[start..];
                    let len = rest
                        .find(|char: char| !char.is_ascii_alphanumeric() && !matches!(char, '+' | '-' | '.'))
                        .unwrap_or(rest.len());
                    let word = &rest[..len];
                    self.at += len;
                    let kind = match (first, word) {
                        (_, "true" | "false") => ValueKind::Boolean,
                        (_, "null") => ValueKind::Null,
                        (b'-' | b'0'..=b'9', _) => ValueKind::Number,
                        _ => return None,
                    };
                    self.leaf(shown, path, kind, word.to_owned(), start);
                }
            }
            if frames.is_empty() {
                break;
            }
        }
        self.space();
        (self.at == self.text.len()).then_some(())
    }

    fn leaf(&mut self, shown: bool, path: String, kind: ValueKind, said: String, start: usize) {
        if shown {
            let json = self.text[start..self.at].to_owned();
            self.found.push(Flat { path, kind, known: true, said, json });
        }
    }

    fn close(&mut self, frame: &Frame) {
        if let Some(value) = frame.place.and_then(|place| self.found.get_mut(place)) {
            value.known = true;
            self.text[frame.start..self.at].clone_into(&mut value.json);
        }
    }
}

/// Whether a list can grow into another: every value stays, what is known as it is, strings only get longer.
///
/// # Errors
/// What was taken back or changed.
pub fn grows(before: &[Flat], after: &[Flat]) -> Result<(), String> {
    if before.len() > after.len() {
        return Err(format!("{:?} is gone", before[after.len()]));
    }
    for (was, is) in before.iter().zip(after) {
        let same = was.path == is.path && was.kind == is.kind;
        let grew = match (was.known, was.kind) {
            (true, _) => is.known && was.said == is.said && was.json == is.json,
            (false, ValueKind::String) => is.said.starts_with(&was.said),
            (false, _) => true,
        };
        if !same || !grew {
            return Err(format!("{was:?} became {is:?}"));
        }
    }
    Ok(())
}

/// Whether the value at a path stands at a place in which `-` stands for every element: both token by token. `arrays` says whether the
/// container at a path is an array.
pub fn is_at(path: &str, place: &str, arrays: &dyn Fn(&str) -> bool) -> bool {
    if path.matches('/').count() != place.matches('/').count() {
        return false;
    }
    let mut parent = 0;
    path.split('/').zip(place.split('/')).enumerate().all(|(depth, (token, wanted))| {
        let in_array = depth > 0 && arrays(&path[..parent]);
        if depth > 0 {
            parent += 1;
        }
        parent += token.len();
        token == wanted || (in_array && wanted == "-")
    })
}

/// The whole values at a place, in the order in which they close.
#[must_use]
pub fn elements(list: &[Flat], place: &str) -> Vec<String> {
    let arrays = |path: &str| list.iter().any(|value| value.path == path && value.kind == ValueKind::Array);
    // Values at one place stand at one depth: none holds another, so they close in the order of the text.
    let chosen = list.iter().filter(|value| value.known && is_at(&value.path, place, &arrays));
    chosen.map(|value| value.json.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::{elements, flat, grows};

    #[test]
    fn what_is_json() {
        for text in ["{}", "[1, [2, {\"a\": \"\\\"\"}], -3.5e+1, true]", " \"x\" ", "null", "{\"a\": {}, \"b\": []}"] {
            assert!(flat(text).is_some(), "{text}");
        }
        for text in ["", "{", "[1,]", "[,]", "{\"a\"}", "{\"a\":}", "[1 2]", "{} {}", "x", "[1}", "{\"a\":1,}", "\"x"] {
            assert!(flat(text).is_none(), "{text}");
        }
    }

    #[test]
    fn of_equal_keys_the_first_counts() {
        let list = flat("{\"a\": [1], \"b/~\": \"x\", \"a\": [1.0]}").expect("JSON");
        let paths: Vec<_> = list.iter().map(|value| &*value.path).collect();
        assert_eq!(paths, ["", "/a", "/a/0", "/b~1~0"]);
        assert_eq!(elements(&list, "/a/-"), ["1"]);
        assert!(elements(&list, "/-").is_empty(), "in an object it is a key");
    }

    #[test]
    fn what_growing_is() {
        let list = |text: &str| flat(text).expect("JSON");
        let mut open = list("{\"a\": \"x\"}");
        open.iter_mut().for_each(|value| value.known = false);
        assert_eq!(grows(&open, &list("{\"a\": \"xy\", \"b\": 1}")), Ok(()));
        for other in ["{}", "{\"a\": \"y\"}", "{\"b\": \"x\"}", "[\"x\"]"] {
            assert!(grows(&open, &list(other)).is_err(), "{other}");
        }
        assert!(grows(&list("[1]"), &open[..1]).is_err() && grows(&list("[1]"), &list("[1.0]")).is_err());
    }
}
