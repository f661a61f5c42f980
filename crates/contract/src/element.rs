//! One value of a document, held against what its place asks of it when it has closed: the rest may still be written.

use serde_json::Value;
use thusfar_core::{Node, PointerError, Span};

use crate::contract::{Check, Contract, EngineLimit};
use crate::places::Reread;
use crate::schema::Step;
use crate::violation::{Names, Timing, masked_pointer, push_masked_key};

impl Contract {
    /// What a value that has closed breaks of what the schema asks at its place; nothing while it is open.
    ///
    /// Asked is what holds there whatever stands elsewhere: what `properties`, `patternProperties`, `additionalProperties`, `prefixItems` and `items`
    /// lead to, through `$ref` and `allOf`. The branches of unions and conditions, `not`, `dependentSchemas`, `contains` and `unevaluated…` depend on the
    /// rest of the document and are not. So a value that breaks something makes the document invalid; of one that breaks nothing that is not said.
    /// Where a keyword could not be answered, [`Check::is_complete`] is false. Lossy numbers are not told.
    ///
    /// Paths and offsets are those of the reply; the [offset](crate::Violation::offset) is the last byte of the value. Linear in the value; with
    /// something broken it is read once more.
    ///
    /// ```
    /// use thusfar_contract::Contract;
    /// use thusfar_core::{Elements, Expect, Reply};
    ///
    /// let contract = Contract::from_schema(
    ///     r#"{"properties": {"items": {"items": {"required": ["id"], "properties": {"price": {"minimum": 0}}}}}}"#,
    /// )?;
    /// let mut reply = Reply::live(Expect::object());
    /// let mut items = Elements::new("/items/-")?;
    /// let mut told = Vec::new();
    /// for chunk in ["{\"items\": [{\"id\": 1, \"price\": 2}, {\"id\"", ": 2, \"price\": -3}, {\"pri"] {
    ///     let _ = reply.push(chunk);
    ///     while let Some(item) = items.next(&reply.view()) {
    ///         let check = contract.check_element(&item).expect("it has closed");
    ///         told.extend(check.violations().iter().map(|violation| (violation.message().to_owned(), violation.start())));
    ///     }
    /// }
    /// assert_eq!(told, [("`/items/1/price` must be at least 0; you returned -3".to_owned(), 53)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn check_element(&self, element: &Node<'_>) -> Option<Check> {
        let json = element.json()?;
        let mut steps = Vec::new();
        let mut next = Some(*element);
        while let Some(node) = next {
            next = node.parent();
            match (node.key(), node.index()) {
                (Some(key), _) => steps.push(Step::Key(key.into_owned())),
                (None, Some(index)) => steps.push(Step::Index(index)),
                (None, None) => {}
            }
        }
        steps.reverse();
        let at = Place { steps, pointer: element.pointer(), start: element.span().start };
        Some(self.check_within(&at, &json, element.raw()))
    }

    /// The same of the JSON text of a value that stands at a pointer of the document: of an element that left its reply, as a stream of elements
    /// hands it out. Offsets count from the beginning of the text.
    ///
    /// A token that may be an index or a key is what the types say that stand above it; where they leave both open, nothing is asked.
    ///
    /// ```
    /// # use thusfar_contract::Contract;
    /// let contract = Contract::from_schema(r#"{"additionalProperties": {"type": "string"}}"#)?;
    /// let check = contract.check_element_text("/name", "12")?;
    /// assert_eq!(check.to_string(), "`/name` must be a string; you returned 12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the pointer is none.
    pub fn check_element_text(&self, pointer: &str, json: &str) -> Result<Check, PointerError> {
        let at = Place { steps: steps(pointer)?, pointer: pointer.to_owned(), start: 0 };
        Ok(self.check_within(&at, json, json))
    }

    fn check_within(&self, at: &Place, json: &str, raw: &str) -> Check {
        // Deeper than a value can be, where the limit of the reader was raised.
        let Ok(value) = serde_json::from_str::<Value>(json) else { return Check::limited(EngineLimit::Combinations) };
        let schema = self.shared();
        if !schema.allows(&value) {
            return Check::limited(EngineLimit::Combinations);
        }
        let Some(explained) = schema.explain_at(&at.steps, &value) else { return Check::default() };
        let mut check = Check { is_cut: !explained.is_complete || explained.is_valid.is_none(), ..Check::default() };
        if explained.broken.is_empty() {
            return check;
        }
        let reread = Reread::of_text(raw);
        let places = reread.places(&value, explained.broken.iter().map(|broken| broken.at));
        let last = at.start + raw.len().saturating_sub(1);
        for broken in &explained.broken {
            let (path, span) = places.of(broken.at);
            let whole = Span::new(0, raw.len());
            let masked = at.masked(schema.names()) + &masked_pointer(&path, &value, schema.names());
            let mut violation = broken.violation((at.pointer.clone() + &path, &masked), span, whole, raw);
            violation.start += at.start;
            violation.offset = last;
            violation.timing = Timing::AtClose;
            check.violations.push(violation);
        }
        check.violations.sort_by_key(|violation| violation.start);
        check
    }
}

/// Where a value stands.
struct Place {
    steps: Vec<Step>,
    pointer: String,
    start: usize,
}

impl Place {
    /// The pointer without what the model wrote.
    fn masked(&self, names: &Names) -> String {
        let mut masked = String::new();
        for step in &self.steps {
            match step {
                Step::Index(index) => masked.push_str(&format!("/{index}")),
                Step::Key(key) | Step::Either(key, _) => push_masked_key(&mut masked, key, names),
            }
        }
        masked
    }
}

/// The steps of a JSON pointer (RFC 6901).
fn steps(pointer: &str) -> Result<Vec<Step>, PointerError> {
    // Whether it is a pointer, the one place says that knows.
    thusfar_core::Elements::new(pointer)?;
    let tokens = pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let step = |token: String| {
        let is_index = token == "0" || !token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit());
        match token.parse().ok().filter(|_| is_index) {
            Some(index) => Step::Either(token, index),
            None => Step::Key(token),
        }
    };
    Ok(tokens.map(step).collect())
}
