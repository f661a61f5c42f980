//! `<tool_call>NAME` in front of `<arg_key>KEY</arg_key>` and `<arg_value>TEXT</arg_value>`, up to `</tool_call>`.
//!
//! ```text
//! <tool_call>NAME
//! <arg_key>KEY</arg_key>
//! <arg_value>TEXT</arg_value>
//! </tool_call>                      GLM-4.5 to 4.7 (chat templates)
//! ```
//!
//! It opens with the tag of another dialect, and is told from it by the name, which no JSON and no tag begins with: its row stands in front.
//! Text is raw; the templates print no line ends around it, so those that stand there belong to it. The states are those of [`Call`].

use super::super::input::{FieldType, LONGEST_TAG, Seen, starts};
use super::parameters::{Call, Header, Opened, Style};
use super::tag::{Prefix, between, head, is_name, space};
use super::{Dialect, hermes};

/// `<tool_call>NAME`.
pub(super) struct Glm;

/// Bytes of white space between the tags of a key and a text.
const MOST_SPACE: usize = 16;

/// The opener of a call.
pub(super) fn opens(text: &str) -> Result<usize, Seen> {
    Glm.header(text).map(|header| header.len)
}

/// Who reads on.
pub(super) fn reader() -> Call<Glm> {
    Call::new(Glm)
}

/// The bytes of white space between two tags.
fn gap(text: &str) -> usize {
    space(text).min(MOST_SPACE)
}

/// A literal that is as it stands there.
fn literal(text: &str, literal: &str) -> Result<usize, Seen> {
    match starts(text, literal) {
        Seen::Yes => Ok(literal.len()),
        seen => Err(seen),
    }
}

impl Style for Glm {
    fn dialect(&self) -> Dialect {
        Dialect::Glm
    }

    fn header(&self, text: &str) -> Result<Header, Seen> {
        let mut at = literal(text, hermes::OPENS)?;
        at += gap(&text[at..]);
        let is_part = |byte: &u8| !byte.is_ascii_whitespace() && !b"<>{}[]\"'`,;()".contains(byte);
        let name = text[at..].bytes().take(LONGEST_TAG - at).take_while(is_part).count();
        match text.as_bytes().get(at + name) {
            None => Err(Seen::More),
            Some(b'<' | b' ' | b'\n' | b'\r') if is_name(&text[at..at + name]) => {
                let name = &text[at..at + name];
                Ok(Header { name: name.to_owned(), id: None, prefix: String::new(), len: at + name.len() })
            }
            Some(_) => Err(Seen::No),
        }
    }

    fn opens(&self, text: &str) -> Result<Opened, Seen> {
        let (name, mut len) = between(text, "<arg_key>", "</arg_key>")?;
        len += gap(&text[len..]);
        len += literal(&text[len..], "<arg_value>")?;
        Ok(Opened { name: name.to_owned(), says: FieldType::Declared, prefix: String::new(), len })
    }

    fn closes(&self, text: &str, _prefix: &str) -> Result<usize, Seen> {
        literal(text, "</arg_value>")
    }

    fn ends(&self, text: &str, _prefix: &str) -> Result<usize, Seen> {
        literal(text, hermes::CLOSES)
    }

    fn is_own(&self, text: &str) -> Seen {
        match head(text, Prefix::Namespace) {
            Ok(head) if matches!(head.name, "arg_key" | "arg_value" | "tool_call") => Seen::Yes,
            Ok(_) => Seen::No,
            Err(seen) => seen,
        }
    }
}
