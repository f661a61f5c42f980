//! `<invoke name="NAME">` around `<parameter name="KEY">TEXT</parameter>`, and the tags around several of them.
//!
//! ```text
//! <function_calls> <invoke name="NAME"> <parameter name="KEY">TEXT</parameter> … </invoke> … </function_calls>     Anthropic's style
//! <minimax:tool_call> <invoke name="NAME"> … </invoke> … </minimax:tool_call>                                     MiniMax M2 (model card)
//! <｜DSML｜function_calls> <｜DSML｜invoke name="NAME"> <｜DSML｜parameter name="KEY" string="true">TEXT…         DeepSeek V3.2, V4
//! ```
//!
//! Any namespace may stand in front of a tag, and a tag is closed by one with the same. DeepSeek marks its tags with `｜DSML｜`, with one
//! bar or two, full width or ASCII, and says of each parameter whether its text is a string or JSON. Attributes are quoted with `"` or `'`;
//! a tag with an attribute that nothing is known of is none. Text is raw, `&lt;` and line ends included. The states are those of [`Call`].

use super::super::input::{FieldType, Seen};
use super::Dialect;
use super::parameters::{Call, Header, Opened, Style};
use super::tag::{self, Head, Prefix, attributes, head};

/// Names of tags around calls.
const AROUND: [&str; 2] = ["function_calls", "tool_calls"];
/// The same, where a namespace stands in front: without one it is a dialect of its own.
const AROUND_NAMESPACED: &str = "tool_call";

/// `<invoke>` with one kind of prefix.
pub(super) struct Invoke(pub(super) Prefix);

/// The opener of a call.
pub(super) fn opens(text: &str, prefix: Prefix) -> Result<usize, Seen> {
    Invoke(prefix).header(text).map(|header| header.len)
}

/// Who reads on.
pub(super) fn reader(prefix: Prefix) -> Call<Invoke> {
    Call::new(Invoke(prefix))
}

/// The tag around calls that opens here; how it is closed.
pub(super) fn around(text: &str, prefix: Prefix) -> Result<(usize, String), Seen> {
    let head = head(text, prefix)?;
    if head.is_closing || !is_around(&head) {
        return Err(Seen::No);
    }
    let len = tag::closed(text, &head)?;
    Ok((len, format!("</{}{}>", head.prefix, head.name)))
}

fn is_around(head: &Head<'_>) -> bool {
    AROUND.contains(&head.name) || (head.name == AROUND_NAMESPACED && !head.prefix.is_empty())
}

impl Invoke {
    fn closing(&self, text: &str, name: &str, prefix: &str) -> Result<usize, Seen> {
        let head = head(text, self.0)?;
        let is_it = head.is_closing && head.prefix == prefix && head.name == name;
        if is_it { tag::closed(text, &head) } else { Err(Seen::No) }
    }
}

impl Style for Invoke {
    fn dialect(&self) -> Dialect {
        match self.0 {
            Prefix::Namespace => Dialect::Invoke,
            Prefix::Dsml => Dialect::Dsml,
        }
    }

    fn header(&self, text: &str) -> Result<Header, Seen> {
        let head = head(text, self.0)?;
        if head.is_closing || head.name != "invoke" {
            return Err(Seen::No);
        }
        let (found, len) = attributes(text, &head)?;
        let (mut name, mut id) = (None, None);
        for (key, value) in found {
            match key {
                "name" if tag::is_name(value) => name = Some(value.to_owned()),
                "id" => id = Some(value.to_owned()),
                _ => return Err(Seen::No),
            }
        }
        Ok(Header { name: name.ok_or(Seen::No)?, id, prefix: head.prefix.to_owned(), len })
    }

    fn opens(&self, text: &str) -> Result<Opened, Seen> {
        let head = head(text, self.0)?;
        if head.is_closing || head.name != "parameter" {
            return Err(Seen::No);
        }
        let (found, len) = attributes(text, &head)?;
        let (mut name, mut says) = (None, FieldType::Declared);
        for (key, value) in found {
            match (key, value) {
                ("name", value) if tag::is_name(value) => name = Some(value.to_owned()),
                ("string", "true") => says = FieldType::Text,
                ("string", "false") => says = FieldType::Json,
                _ => return Err(Seen::No),
            }
        }
        Ok(Opened { name: name.ok_or(Seen::No)?, says, prefix: head.prefix.to_owned(), len })
    }

    fn closes(&self, text: &str, prefix: &str) -> Result<usize, Seen> {
        self.closing(text, "parameter", prefix)
    }

    fn ends(&self, text: &str, prefix: &str) -> Result<usize, Seen> {
        self.closing(text, "invoke", prefix)
    }

    fn is_own(&self, text: &str) -> Seen {
        match head(text, self.0) {
            Ok(head) => {
                let is_own = matches!(head.name, "parameter" | "invoke" | AROUND_NAMESPACED) || is_around(&head);
                if is_own { Seen::Yes } else { Seen::No }
            }
            Err(seen) => seen,
        }
    }
}
