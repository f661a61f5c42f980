//! The elements of an array, each handed out once, when it has closed.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::changes::{Cursor, Step};
use crate::tree::OPEN;
use crate::view::{Node, View, array_index, tokens};

/// Hands out the values at a place of the document, each exactly once, when it closes, in the order in which they close.
///
/// The place is a JSON pointer (RFC 6901) in which `-` stands for every element of an array: `/items/-`, `/-` for a root that is
/// an array, `/pages/-/notes/-`, or the name of one member, `/summary`. In an object `-` is a key like any other.
///
/// ```
/// use thusfar_core::{Elements, Expect, Reply};
///
/// let mut reply = Reply::live(Expect::object());
/// let mut items = Elements::new("/items/-")?;
/// let mut started = Vec::new();
/// for chunk in ["{\"items\": [{\"id\"", ": 1}, {\"i", "d\": 2}, {\"id\": 3"] {
///     let _ = reply.push(chunk);
///     while let Some(item) = items.next(&reply.view()) {
///         started.push(item.json().unwrap_or_default().into_owned());
///     }
/// }
/// assert_eq!(started, ["{\"id\": 1}", "{\"id\": 2}"]);
/// # Ok::<(), thusfar_core::PointerError>(())
/// ```
///
/// An element has closed long before the document has: it may be worth working on, though the reply fails later. When another
/// candidate takes the place of the one that is shown, its elements are handed out from the first on; [`View::generation`] is then another
/// one. Another reply takes other `Elements`.
#[derive(Clone, PartialEq, Eq)]
pub struct Elements {
    steps: Box<[Stage]>,
    cursor: Cursor,
}

/// One step of the place.
#[derive(Clone, PartialEq, Eq)]
struct Stage {
    key: Box<str>,
    index: Option<usize>,
}

impl Elements {
    /// The values at a place.
    ///
    /// # Errors
    /// When it is no JSON pointer: it does not begin with `/`, or `~` is not followed by `0` or `1`.
    pub fn new(place: &str) -> Result<Self, PointerError> {
        let tokens = tokens(place).ok_or(PointerError)?;
        let step = |token: alloc::borrow::Cow<'_, str>| Stage { index: array_index(&token), key: token.into() };
        Ok(Self { steps: tokens.into_iter().map(step).collect(), cursor: Cursor::default() })
    }

    /// The next one that has closed. Linear in what has come since the last call.
    pub fn next<'a>(&mut self, view: &View<'a>) -> Option<Node<'a>> {
        while let Some(step) = self.cursor.step(view) {
            match step {
                // A string that is open is the last thing that there is.
                Step::Grew((_, slot), _) if slot.end == OPEN => return None,
                Step::Closed(found, depth) if depth as usize == self.steps.len() && self.is_at(view.with(found)) => {
                    return Some(view.with(found));
                }
                _ => {}
            }
        }
        None
    }

    /// Whether a value, as many steps from the root as the place has, stands there.
    fn is_at(&self, node: Node<'_>) -> bool {
        let mut node = Some(node);
        self.steps.iter().rev().all(|step| {
            let Some(here) = node else { return false };
            node = here.parent();
            match here.index() {
                Some(index) => &*step.key == "-" || step.index == Some(index),
                None => here.has_key(&step.key),
            }
        })
    }
}

impl fmt::Debug for Elements {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place: String = self.steps.iter().flat_map(|step| ["/", &*step.key]).collect();
        formatter.debug_struct("Elements").field("place", &place).field("cursor", &self.cursor).finish()
    }
}

/// That a text is no JSON pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerError;

impl fmt::Display for PointerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "expected a JSON pointer: empty, or `/` in front of each name, with `~0` for `~` and `~1` for `/`",
        )
    }
}

impl core::error::Error for PointerError {}
