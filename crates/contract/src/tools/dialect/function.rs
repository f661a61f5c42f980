//! `<function=NAME>` around parameters or JSON, alone or between `<tool_call>` tags; and `<function>NAME</function>` in front of JSON.
//!
//! ```text
//! <function=NAME> <parameter=KEY>TEXT</parameter> … </function>      Qwen3-Coder, Qwen3.5, Nemotron 3, Seed-OSS (chat templates)
//! <function=NAME>{"KEY": …}</function>                               Llama 3.1 (custom tools), functionary
//! <tool_call><function>NAME</function>{"KEY": …}</tool_call>         what a model makes of both
//! ```
//!
//! Qwen's templates print a line end in front of each text and one behind it: these two, LF or CRLF, are markup, and no others are. The
//! states are those of [`Call`].

use thusfar_core::Span;

use super::super::input::{FieldType, Seen};
use super::parameters::{Call, Header, JsonBody, Opened, Style};
use super::tag::{self, Prefix, between, head};
use super::{Dialect, hermes};

const ENDS: &str = "</function>";

/// `<function=NAME>`.
pub(super) struct Function;

/// `<function>NAME</function>`.
pub(super) struct Named;

/// The opener of a call.
pub(super) fn opens(text: &str) -> Result<usize, Seen> {
    Function.header(text).map(|header| header.len)
}

/// Who reads on.
pub(super) fn reader() -> Call<Function> {
    Call::new(Function)
}

/// The same of the form with the name between tags.
pub(super) fn opens_named(text: &str) -> Result<usize, Seen> {
    Named.header(text).map(|header| header.len)
}

/// The same of the form with the name between tags.
pub(super) fn reader_named() -> Call<Named> {
    Call::new(Named)
}

fn header((name, len): (&str, usize)) -> Header {
    Header { name: name.to_owned(), id: None, prefix: String::new(), len }
}

/// A tag that closes, without a namespace.
fn closing(text: &str, name: &str) -> Result<usize, Seen> {
    let head = head(text, Prefix::Namespace)?;
    let is_it = head.is_closing && head.prefix.is_empty() && head.name == name;
    if is_it { tag::closed(text, &head) } else { Err(Seen::No) }
}

impl Style for Function {
    fn dialect(&self) -> Dialect {
        Dialect::Qwen
    }

    fn header(&self, text: &str) -> Result<Header, Seen> {
        between(text, "<function=", ">").map(header)
    }

    fn opens(&self, text: &str) -> Result<Opened, Seen> {
        let (name, len) = between(text, "<parameter=", ">")?;
        Ok(Opened { name: name.to_owned(), says: FieldType::Declared, prefix: String::new(), len })
    }

    fn closes(&self, text: &str, _prefix: &str) -> Result<usize, Seen> {
        closing(text, "parameter")
    }

    fn ends(&self, text: &str, _prefix: &str) -> Result<usize, Seen> {
        closing(text, "function")
    }

    fn is_own(&self, text: &str) -> Seen {
        let head = match head(text, Prefix::Namespace) {
            Ok(head) => head,
            Err(seen) => return seen,
        };
        let next = text.as_bytes().get(head.len);
        let is_own = match head.name {
            "tool_call" => true,
            "function" | "parameter" => head.prefix.is_empty() && (head.is_closing || next == Some(&b'=')),
            _ => false,
        };
        if is_own { Seen::Yes } else { Seen::No }
    }

    fn json(&self) -> JsonBody {
        JsonBody::Closed
    }

    fn content(&self, text: &str, span: Span) -> Span {
        let inner = &text[span.range()];
        let inner = inner.strip_prefix("\r\n").or_else(|| inner.strip_prefix('\n')).unwrap_or(inner);
        let start = span.end - inner.len();
        let inner = inner.strip_suffix('\n').map_or(inner, |inner| inner.strip_suffix('\r').unwrap_or(inner));
        Span::new(start, start + inner.len())
    }
}

impl Style for Named {
    fn dialect(&self) -> Dialect {
        Dialect::Function
    }

    fn header(&self, text: &str) -> Result<Header, Seen> {
        between(text, "<function>", ENDS).map(header)
    }

    fn opens(&self, _text: &str) -> Result<Opened, Seen> {
        Err(Seen::No)
    }

    fn closes(&self, _text: &str, _prefix: &str) -> Result<usize, Seen> {
        Err(Seen::No)
    }

    fn ends(&self, _text: &str, _prefix: &str) -> Result<usize, Seen> {
        Err(Seen::No)
    }

    fn is_own(&self, _text: &str) -> Seen {
        Seen::No
    }

    fn json(&self) -> JsonBody {
        JsonBody::Bare
    }

    /// JSON ends it, so only what stands around both says that it is a call.
    fn stands_behind(&self, before: &str) -> bool {
        before.trim_end().ends_with(hermes::OPENS)
    }
}
