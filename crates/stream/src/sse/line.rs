//! Lines of server-sent events: where they end, their names and values, and the usual event at one look.

use memchr::memchr2;

/// Up to so many bytes are searched where they are asked for.
#[cfg(target_arch = "x86_64")]
const SHORT_LEN: usize = 128;

/// A line's end.
pub(super) struct LineEnd {
    /// Where the next line begins.
    pub(super) behind: usize,
    /// It was a CR at the end of the chunk: an LF may follow.
    pub(super) may_go_on: bool,
}

/// What stands at the front of a chunk behind an event.
pub(super) enum Quick<'c> {
    /// An event of so many bytes, the blank line among them.
    Event { name: &'c [u8], data: &'c [u8], len: usize },
    /// A piece of a line and nothing else.
    Piece,
    /// Anything else.
    Other,
}

/// Finds the usual event: perhaps a type, one data line, the blank line, and line ends that leave no doubt.
#[inline]
pub(super) fn quick(chunk: &[u8]) -> Quick<'_> {
    let Some(mut end) = find_end(chunk) else { return Quick::Piece };
    let (mut name, mut start): (&[u8], _) = (b"", 0);
    if chunk.starts_with(b"event:") {
        name = split(&chunk[..end]).1;
        start = end + 1 + usize::from(chunk[end..].starts_with(b"\r\n"));
        let Some(len) = find_end(&chunk[start..]) else { return Quick::Other };
        end = start + len;
    }
    let blank_len = match &chunk[end..] {
        [b'\n', b'\n', ..] => 2,
        [b'\r', b'\n', b'\r', b'\n', ..] => 4,
        _ => return Quick::Other,
    };
    match data_of(&chunk[start..end]) {
        Some(data) => Quick::Event { name, data, len: end + blank_len },
        None => Quick::Other,
    }
}

/// The first LF or CR.
#[inline]
pub(super) fn find_end(bytes: &[u8]) -> Option<usize> {
    // In so few bytes the way to wider vectors, chosen at run time, takes longer than they save.
    #[cfg(target_arch = "x86_64")]
    if bytes.len() <= SHORT_LEN
        && let Some(search) = memchr::arch::x86_64::sse2::memchr::Two::new(b'\n', b'\r')
    {
        return search.find(bytes);
    }
    memchr2(b'\n', b'\r', bytes)
}

/// Where a line ends whose LF or CR stands at an index.
#[inline]
pub(super) fn line_end(chunk: &[u8], at: usize) -> LineEnd {
    let is_cr = chunk[at] == b'\r';
    let is_crlf = is_cr && chunk.get(at + 1) == Some(&b'\n');
    LineEnd { behind: at + 1 + usize::from(is_crlf), may_go_on: is_cr && at + 1 == chunk.len() }
}

/// The value of a data line.
#[inline]
pub(super) fn data_of(line: &[u8]) -> Option<&[u8]> {
    match line.strip_prefix(b"data")? {
        [] => Some(&[]),
        [b':', b' ', value @ ..] | [b':', value @ ..] => Some(value),
        _ => None,
    }
}

/// Name and value of a field; a comment has no name.
pub(super) fn split(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|&byte| byte == b':') {
        None => (line, &[]),
        Some(colon) => {
            let value = &line[colon + 1..];
            (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
        }
    }
}

/// Whether a line that was not ended is no beginning of a field that the specification knows.
pub(super) fn is_stray(line: &[u8]) -> bool {
    let (name, _) = split(line);
    let known = [&b"data"[..], b"event", b"id", b"retry", b"error"];
    let is_known = |field: &&[u8]| if name.len() == line.len() { field.starts_with(name) } else { *field == name };
    !line.is_empty() && !known.iter().any(is_known)
}
