//! The validator that has the last word: made here, and its errors read here; what it says of single keywords is `leaf`'s.
//!
//! A value is valid when the crate `jsonschema` says so. It is asked with everything off that fetches, and with patterns as the options
//! say.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ReferencingError, Registry, Uri, ValidationError, ValidationOptions, Validator};
use serde_json::Value;

use super::{Draft, Patterns, SchemaError, SchemaErrorKind, SchemaOptions};

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Judge {
    validator: Validator,
}

impl Judge {
    /// Compiles a schema.
    pub(crate) fn new(schema: &Value, documents: &Registry<'_>, options: &SchemaOptions) -> Result<Self, SchemaError> {
        let mut with = with(options).with_registry(documents);
        if let (Some(draft), None) = (options.draft, schema.get("$schema")) {
            with = with.with_draft(named(draft));
        }
        let validator = with.build(schema).map_err(|error| of_build(&error, options.patterns))?;
        Ok(Self { validator })
    }

    /// Whether a value is valid.
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }
}

/// The documents that were handed over with a schema.
pub(super) fn documents(options: &SchemaOptions) -> Result<Registry<'_>, SchemaError> {
    let mut documents = Registry::new().retriever(Nowhere);
    for (uri, document) in &options.documents {
        let resource = draft(document, options).create_resource_ref(document);
        documents = documents.add(uri, resource).map_err(|error| of_reference(&error))?;
    }
    documents.prepare().map_err(|error| of_reference(&error))
}

/// The draft of a schema: the one that it names, or else that of the options.
pub(super) fn draft(schema: &Value, options: &SchemaOptions) -> jsonschema::Draft {
    options.draft.map_or_else(jsonschema::Draft::default, named).detect(schema)
}

/// The URI of a schema: its identifier, or the one that the judge gives to a schema without.
pub(super) fn base(schema: &Value, draft: jsonschema::Draft) -> Result<Uri<String>, SchemaError> {
    let id = draft.create_resource_ref(schema).id().unwrap_or_default().to_owned();
    jsonschema::uri::from_str(&id).map_err(|error| of_reference(&error))
}

/// A validator for keywords about a value alone.
pub(super) fn leaf(keywords: &Value, draft: jsonschema::Draft, options: &SchemaOptions) -> Option<Validator> {
    // What a dialect of its own makes of them is not known.
    if draft == jsonschema::Draft::Unknown {
        return None;
    }
    with(options).with_draft(draft).build(keywords).ok()
}

/// Nothing is fetched.
pub(super) struct Nowhere;

impl jsonschema::Retrieve for Nowhere {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync + 'static>> {
        Err("it stands outside the schema, and nothing is fetched".into())
    }
}

fn with(options: &SchemaOptions) -> ValidationOptions<'_> {
    let SchemaOptions { limits, formats, patterns, .. } = options;
    let mut with = jsonschema::options().with_retriever(Nowhere);
    with = match patterns {
        Patterns::Linear => with.with_pattern_options(PatternOptions::regex().size_limit(limits.pattern_size)),
        Patterns::Backtracking { limit } => with.with_pattern_options(
            PatternOptions::fancy_regex().backtrack_limit(*limit).size_limit(limits.pattern_size),
        ),
    };
    match formats {
        Some(asserted) => with.should_validate_formats(*asserted),
        None => with,
    }
}

fn named(draft: Draft) -> jsonschema::Draft {
    match draft {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    }
}

/// A draft as it is called here.
pub(super) fn known(draft: jsonschema::Draft) -> Option<Draft> {
    Draft::ALL.iter().map(|&(draft, _)| draft).find(|&known| named(known) == draft)
}

pub(super) fn of_reference(error: &ReferencingError) -> SchemaError {
    let message = match error {
        ReferencingError::Unretrievable { uri, .. } => {
            format!("`{uri}` stands outside the schema, and nothing is fetched: hand it over with the schema")
        }
        ReferencingError::UnknownSpecification { specification } => {
            return SchemaError::new(
                SchemaErrorKind::NotASchema,
                "/$schema",
                format!("`{specification}` is no draft that is known: 4, 6, 7, 2019-09 and 2020-12 are"),
            );
        }
        ReferencingError::PointerToNowhere { pointer } => {
            format!("nothing stands at `{pointer}`, which a reference names")
        }
        ReferencingError::NoSuchAnchor { anchor } => {
            format!("no schema has the anchor `{anchor}`, which a reference names")
        }
        other => format!("a reference cannot be read: {other}"),
    };
    SchemaError::new(SchemaErrorKind::Reference, "", message)
}

fn of_build(error: &ValidationError<'_>, patterns: Patterns) -> SchemaError {
    let path = error.instance_path().as_str();
    match error.kind() {
        ValidationErrorKind::Referencing(error) => of_reference(error),
        ValidationErrorKind::Format { format } if format == "regex" => {
            let why = match patterns {
                Patterns::Linear => "is no regular expression that can be matched in linear time",
                Patterns::Backtracking { .. } => "is no regular expression, or is larger than allowed",
            };
            SchemaError::new(SchemaErrorKind::Pattern, path, format!("a pattern {why}"))
        }
        _ => SchemaError::new(SchemaErrorKind::NotASchema, path, format!("not a JSON Schema: {error}")),
    }
}
