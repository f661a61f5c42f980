//! The dialects in which models print calls: how each opens, and who reads what follows.
//!
//! Adding one is a file with its [`Reader`], a variant of [`Dialect`] and a row of [`ROWS`].

mod json; // an object or array without markup, bare or in a fence
mod hermes; // <tool_call>
mod tag; // one tag, its namespace and attributes
mod parameters; // a call whose parameters are text between tags
mod function; // <function=NAME>
mod invoke; // <invoke name="NAME">, and DeepSeek's with marks
mod around; // tags around several of these
mod glm; // <tool_call>NAME
mod invented; // what a model writes in the name of its tools
mod stray; // tags that close nothing
// Dialects with marks.
mod marked; // a value behind a mark
mod mistral; // [TOOL_CALLS]
mod llama; // <|python_tag|>
mod harmony; // <|channel|> and <|message|>
mod react; // Action: and Action Input:
mod gemma; // call:name{…}

use super::input::{Reader, Seen, starts};

pub(super) use json::{Json, Stand};
pub(super) use stray::{closer, parameter_closer};
use tag::Prefix;

/// How a call was written. Stable names: [`Dialect::as_str`].
///
/// | name | opens | closes | its text |
/// |---|---|---|---|
/// | `json` | `{` of an object with a name and arguments, bare or in a fence | `}` | JSON |
/// | `openai` | `{"tool_calls": [`, or a list of calls | `]` and `}` | JSON |
/// | `key` | `{` of an object whose only key is an offered name | `}` | JSON |
/// | `llama` | `{"name"` with `parameters`, joined by `;`; anything that names a call in JSON behind `<\|python_tag\|>` | `}` | JSON |
/// | `hermes` | `<tool_call>` (it may be missing in front of JSON) | `</tool_call>` | JSON |
/// | `mistral` | `[TOOL_CALLS]` in front of a list of calls, of a call, or of a name and `{` or `[ARGS]{` | `]`, `}` | JSON |
/// | `harmony` | a message with a recipient: `<\|channel\|>commentary to=functions.name<\|message\|>` | `<\|call\|>` | JSON |
/// | `react` | `Action: name` and, on the next line that is not blank, `Action Input: {` | `}` and the end of its line | JSON |
/// | `gemma` | `<\|tool_call>call:name{`, `<start_function_call>call:name{` | `<tool_call\|>`, `<end_function_call>` | between `<\|"\|>` or `<escape>` it has no escapes; numbers and literals are JSON |
/// | `qwen` | `<function=NAME>`, also between `<tool_call>` tags; parameters `<parameter=KEY>` | `</function>` | raw, between two line ends |
/// | `function` | `<function=NAME>{`; between `<tool_call>` tags `<function>NAME</function>{` | `</function>`; `}` | JSON |
/// | `invoke` | `<invoke name="NAME">`, any namespace, also between `<function_calls>` tags; parameters `<parameter name="KEY">` | `</invoke>` | raw |
/// | `dsml` | `<｜DSML｜invoke name="NAME">`, also between `<｜DSML｜tool_calls>` tags; parameters with `string="true"` or `"false"` | `</｜DSML｜invoke>` | raw, or JSON |
/// | `glm` | `<tool_call>NAME`; parameters `<arg_key>KEY</arg_key><arg_value>` | `</tool_call>` | raw |
/// | `native` | the provider's own channel | | JSON |
///
/// Raw text is not unescaped: `&lt;` is these four characters, since no template of these models escapes. It is a string, unless the
/// declared schema allows no string. A tag of its own dialect in it refuses the call, and all behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// A JSON object with a name and arguments.
    Json,
    /// OpenAI's list of calls.
    OpenAi,
    /// A JSON object whose only key is the name.
    Key,
    /// Llama's name and parameters.
    Llama,
    /// `<tool_call>`.
    Hermes,
    /// Mistral's `[TOOL_CALLS]`.
    Mistral,
    /// A message of OpenAI's Harmony format.
    Harmony,
    /// `Action:` and `Action Input:`.
    React,
    /// Gemma's `call:name{…}` between tags.
    Gemma,
    /// `<function=NAME>` with parameters.
    Qwen,
    /// `<function=NAME>` with JSON.
    Function,
    /// `<invoke name="NAME">`.
    Invoke,
    /// `<｜DSML｜invoke name="NAME">`.
    Dsml,
    /// `<tool_call>NAME` with keys and values.
    Glm,
    /// The provider's own channel: not printed as text.
    Native,
}

impl Dialect {
    /// All of them.
    pub const ALL: &'static [Dialect] = &[
        Dialect::Json,
        Dialect::OpenAi,
        Dialect::Key,
        Dialect::Llama,
        Dialect::Hermes,
        Dialect::Mistral,
        Dialect::Harmony,
        Dialect::React,
        Dialect::Gemma,
        Dialect::Qwen,
        Dialect::Function,
        Dialect::Invoke,
        Dialect::Dsml,
        Dialect::Glm,
        Dialect::Native,
    ];

    /// Whether parameters are text in which nothing is escaped: then it may hold what looks like its markup.
    pub(super) const fn is_raw(self) -> bool {
        matches!(self, Dialect::Qwen | Dialect::Invoke | Dialect::Dsml | Dialect::Glm | Dialect::Gemma)
    }

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Dialect::Json => "json",
            Dialect::OpenAi => "openai",
            Dialect::Key => "key",
            Dialect::Llama => "llama",
            Dialect::Hermes => "hermes",
            Dialect::Mistral => "mistral",
            Dialect::Harmony => "harmony",
            Dialect::React => "react",
            Dialect::Gemma => "gemma",
            Dialect::Qwen => "qwen",
            Dialect::Function => "function",
            Dialect::Invoke => "invoke",
            Dialect::Dsml => "dsml",
            Dialect::Glm => "glm",
            Dialect::Native => "native",
        }
    }
}

/// What stands in front of what may be an opener.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// Nothing but white space on its line.
    pub(super) is_line_start: bool,
    /// A call, white space and closing tags aside.
    pub(super) is_behind_call: bool,
    /// A quote mark, directly.
    pub(super) is_behind_quote: bool,
    /// The last thing that was found, if it is a call, or was meant as one.
    pub(super) last: Option<Dialect>,
    /// The dialect whose messages the reply is made of, once one has been seen.
    pub(super) within: Option<Dialect>,
    /// The reply has ended: what stands here is all there is.
    pub(super) is_end: bool,
}

/// How a dialect opens.
struct Row {
    /// The first byte of its opener, which is ASCII.
    first: u8,
    /// The length of the opener, if it stands at the beginning of a text.
    opens: fn(&str, Before) -> Result<usize, Seen>,
    /// Who reads what follows.
    reader: fn() -> Box<dyn Reader>,
}

/// Every dialect with markup. The first row whose opener stands there counts.
const ROWS: &[Row] = &[
    Row { first: b'<', opens: |text, _| glm::opens(text), reader: || Box::new(glm::reader()) },
    Row { first: b'<', opens: |text, _| literal(text, hermes::OPENS), reader: || Box::new(hermes::Hermes::new()) },
    Row { first: b'<', opens: |text, _| function::opens(text), reader: || Box::new(function::reader()) },
    Row { first: b'<', opens: |text, _| function::opens_named(text), reader: || Box::new(function::reader_named()) },
    Row {
        first: b'<',
        opens: |text, _| invoke::opens(text, Prefix::Namespace),
        reader: || Box::new(invoke::reader(Prefix::Namespace)),
    },
    Row {
        first: b'<',
        opens: |text, _| around::opens(text, Prefix::Namespace),
        reader: || Box::new(around::Around::new(Prefix::Namespace)),
    },
    Row {
        first: b'<',
        opens: |text, _| invoke::opens(text, Prefix::Dsml),
        reader: || Box::new(invoke::reader(Prefix::Dsml)),
    },
    Row {
        first: b'<',
        opens: |text, _| around::opens(text, Prefix::Dsml),
        reader: || Box::new(around::Around::new(Prefix::Dsml)),
    },
    // Dialects with marks.
    Row { first: b'[', opens: |text, _| literal(text, mistral::OPENS), reader: || Box::new(mistral::Mistral::new()) },
    Row { first: b'<', opens: |text, _| literal(text, llama::OPENS), reader: || Box::new(llama::Llama::new()) },
    Row { first: b'<', opens: |text, _| literal(text, harmony::START), reader: || Box::new(harmony::Harmony::new()) },
    Row { first: b'<', opens: |text, _| literal(text, harmony::CHANNEL), reader: || Box::new(harmony::Harmony::new()) },
    Row { first: b'A', opens: react::opens, reader: || Box::new(react::React::new()) },
    Row { first: b'<', opens: |text, _| literal(text, gemma::FOUR.opens), reader: || gemma::reader(&gemma::FOUR) },
    Row { first: b'<', opens: |text, _| literal(text, gemma::THREE.opens), reader: || gemma::reader(&gemma::THREE) },
    // What no model knows.
    Row { first: b'<', opens: invented::tag, reader: || Box::new(invented::Invented) },
    Row { first: b'[', opens: invented::bracket, reader: || Box::new(invented::Invented) },
    Row { first: b'O', opens: invented::word, reader: || Box::new(invented::Invented) },
    Row { first: b'*', opens: invented::bold, reader: || Box::new(invented::Invented) },
];

/// The bytes that openers begin with.
const FIRST: [bool; 256] = {
    let (mut first, mut row) = ([false; 256], 0);
    while row < ROWS.len() {
        // Runs of these letters are passed in prose.
        assert!(!ROWS[row].first.is_ascii_lowercase());
        first[ROWS[row].first as usize] = true;
        row += 1;
    }
    first
};

/// Whether an opener can begin with a byte: asked of every byte of prose.
pub(super) fn may_open(byte: u8) -> bool {
    FIRST[usize::from(byte)]
}

/// The opener at the beginning of a text: its length, and who reads on.
pub(super) fn opener(text: &str, before: Before) -> Result<(usize, Box<dyn Reader>), Seen> {
    let mut none = Seen::No;
    // A message may end in a quotation: its end is markup behind a quote mark too.
    if before.within == Some(Dialect::Harmony) {
        match harmony::end(text) {
            Ok(len) => return Ok((len, Box::new(harmony::End))),
            Err(seen) => none = seen,
        }
    }
    if before.is_behind_quote {
        return Err(none);
    }
    for row in ROWS.iter().filter(|row| text.as_bytes().first() == Some(&row.first)) {
        match (row.opens)(text, before) {
            Ok(len) => return Ok((len, (row.reader)())),
            // An earlier row may still stand here, and would count.
            Err(Seen::More) if !before.is_end => return Err(Seen::More),
            Err(Seen::More) => none = Seen::More,
            Err(_) => {}
        }
    }
    Err(none)
}

/// An opener that is always the same.
fn literal(text: &str, opener: &str) -> Result<usize, Seen> {
    match starts(text, opener) {
        Seen::Yes => Ok(opener.len()),
        seen => Err(seen),
    }
}
