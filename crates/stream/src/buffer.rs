//! What the decoders share about bytes that wait for their end.

use alloc::vec::Vec;

/// The byte order mark in UTF-8, which may stand in front of a body.
pub(crate) const BOM: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// A buffer that has grown beyond this many bytes is let go behind the event that needed it.
pub(crate) const RETAINED_LEN: usize = 16 << 10;

/// Empties a buffer, and lets it go if it has grown large.
pub(crate) fn empty(buffer: &mut Vec<u8>) {
    if buffer.capacity() > RETAINED_LEN {
        *buffer = Vec::new();
    }
    buffer.clear();
}
