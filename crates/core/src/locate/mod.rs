//! Finding the document: what stands around it, each as a small machine of its own with O(1) state.
//!
//! None of them knows the others; `scan` drives them. All see the reply byte by byte, once.
//!
//! Three of them are shared with the readers of other things in the same replies; they are no part of the public interface.
//!
//! * [`mod@line`]: what stands to the left.
//! * [`tag`]: reasoning tags.
//! * [`fence`]: code fences.
//! * `behind`: what stands behind a closed root.
//! * `debris`: signs, further behind, that the document was a piece of something larger.

pub mod line; // what stands to the left
pub mod tag; // reasoning tags
pub mod fence; // code fences
pub(crate) mod behind; // directly behind a closed root
pub(crate) mod debris; // further behind it
