//! The path scanner: one pass over the JSON text of an event, which gives the values at the paths of a table.
//!
//! # Theory
//!
//! The paths of a table are a tree: a node is a place in an event, its members lead to further nodes. The scanner is
//! always in one container, and `NONE` is the node of every container that no path goes through. Below it nothing is
//! looked up any more, only the structure is checked: brackets by a bit for each open one, commas, colons, numbers and
//! literals by their grammar, one value and nothing behind it.
//!
//! ```text
//! 0 <= at <= data.len()         every byte in front of `at` has been checked
//! open.len() <= depth           the containers that paths go through are the outermost of those that are open
//! ```
//!
//! # What it does not do
//!
//! - Of strings only the end is looked for: what stands in them is not checked, not even that it is UTF-8, and a raw line
//!   feed is as good as a letter. Whoever takes the text checks it.
//! - Keys are compared as they are written. A key with an escape is no key of the table, even if it means the same.
//! - Of two members with the same key both give their facts, in order. A reader who takes the last fact sees what most
//!   parsers see, but for a `null` behind a value: `null` is no fact and takes none back.

use smallvec::SmallVec;

use crate::facts::{Fact, Facts, Slot, Written};

/// How many containers may be open at once. The events of all providers need fewer than 20.
pub(crate) const DEEPEST: u32 = 64;
/// How many facts one event may give: an event is at most a few MiB long, and a fact is larger than the bytes it takes.
pub(crate) const MOST_FACTS: usize = 1 << 14;
/// How many rows a table may have and places they may name, and how many elements of arrays a path may go through.
const MOST_ROWS: usize = 64;
const MOST_NODES: usize = 96;
const MOST_ARRAYS: usize = 3;

/// The node of all that no path goes through, and the one of the event itself.
const NONE: u16 = u16::MAX;
const ROOT: u16 = 0;

/// Why an event gives no facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoJson {
    /// The byte at which it broke.
    pub(crate) offset: usize,
    pub(crate) reason: Reason,
}

/// What is wrong with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It is no JSON, or more than one JSON text.
    Syntax,
    /// More than [`DEEPEST`] containers are open.
    Depth,
    /// It would give more than [`MOST_FACTS`].
    Facts,
}

/// The paths of a table as a tree.
pub(crate) struct Paths {
    table: &'static [(&'static str, Slot)],
    nodes: [Node; MOST_NODES],
    /// How many of them there are.
    count: u16,
}

/// A place in an event that a path goes through or ends at. Links are `NONE` where there is nothing.
#[derive(Clone, Copy)]
struct Node {
    key: &'static [u8],
    /// The next member of the same container.
    next: u16,
    /// The first member, and the element of an array.
    member: u16,
    element: u16,
    /// A bit for each key of a member, by [`mark`]: most keys of an event are turned away by it.
    marks: u64,
    /// A bit for each row that ends here.
    rows: u64,
}

/// The bit of a key, by its length and its first letter.
const fn mark(key: &[u8]) -> u64 {
    let first = match key {
        [first, ..] => *first as usize,
        [] => 0,
    };
    1 << ((key.len() + 5 * first) & 63)
}

/// Whether two keys are the same, in what is done when the crate is compiled.
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

impl Node {
    const fn new(key: &'static [u8]) -> Self {
        Self { key, next: NONE, member: NONE, element: NONE, marks: 0, rows: 0 }
    }
}

impl Paths {
    /// The tree of a table; an empty path is the event itself. It is made when the crate is compiled: the streams of a
    /// provider share one.
    ///
    /// # Panics
    ///
    /// When a table has more than 64 rows or too many places, or a path goes through the elements of more than three arrays.
    pub(crate) const fn new(table: &'static [(&'static str, Slot)]) -> Self {
        assert!(table.len() <= MOST_ROWS, "a row is a bit");
        let mut paths = Self { table, nodes: [const { Node::new(b"") }; MOST_NODES], count: 1 };
        let mut row = 0;
        while row < table.len() {
            paths.add(row);
            row += 1;
        }
        paths
    }

    /// Adds the path of a row.
    const fn add(&mut self, row: usize) {
        let (mut rest, mut node, mut arrays) = (self.table[row].0.as_bytes(), ROOT, 0);
        while !rest.is_empty() {
            let mut len = 0;
            while len < rest.len() && rest[len] != b'/' {
                len += 1;
            }
            let (key, behind) = rest.split_at(len);
            rest = match behind {
                [_, behind @ ..] => behind,
                [] => behind,
            };
            arrays += is_same(key, b"*") as usize;
            node = self.grow(node, key);
        }
        assert!(arrays <= MOST_ARRAYS, "a place has three numbers");
        self.nodes[node as usize].rows |= 1 << row;
    }

    /// The node below another one, which is made if there is none.
    const fn grow(&mut self, from: u16, key: &'static [u8]) -> u16 {
        let (parent, made) = (self.nodes[from as usize], self.count);
        let mut next = if is_same(key, b"*") { parent.element } else { parent.member };
        while next != NONE && !is_same(self.nodes[next as usize].key, key) {
            next = self.nodes[next as usize].next;
        }
        if next != NONE {
            return next;
        }
        assert!((made as usize) < MOST_NODES, "there is room for all places");
        self.count += 1;
        let parent_node = &mut self.nodes[from as usize];
        if is_same(key, b"*") {
            parent_node.element = made;
        } else {
            parent_node.member = made;
            parent_node.marks |= mark(key);
            self.nodes[made as usize].next = parent.member;
        }
        self.nodes[made as usize].key = key;
        made
    }

    /// The node of a member of the container at a node.
    #[inline(always)]
    fn member(&self, from: u16, key: &[u8]) -> u16 {
        let Some(parent) = self.nodes.get(usize::from(from)) else { return NONE };
        if parent.marks & mark(key) == 0 {
            return NONE;
        }
        let mut next = parent.member;
        while let Some(node) = self.nodes.get(usize::from(next)) {
            if node.key == key {
                break;
            }
            next = node.next;
        }
        next
    }

    /// The node of the elements of the array at a node.
    fn element(&self, from: u16) -> u16 {
        self.nodes.get(usize::from(from)).map_or(NONE, |node| node.element)
    }

    /// The rows that end at a node.
    #[inline(always)]
    fn rows(&self, node: u16) -> u64 {
        self.nodes.get(usize::from(node)).map_or(0, |node| node.rows)
    }
}

/// A string or a number of an event that is a value: what changes from event to event.
#[derive(Clone, Copy)]
pub(crate) struct Scalar {
    pub(crate) begin: usize,
    pub(crate) end: usize,
    pub(crate) is_string: bool,
}

/// Who is told of each scalar.
pub(crate) trait Scalars {
    fn see(&mut self, scalar: Scalar);
}

/// Nobody.
impl Scalars for () {
    #[inline(always)]
    fn see(&mut self, _: Scalar) {}
}

/// A container that paths go through, while it is open.
struct Open {
    node: u16,
    /// Where it begins, and its first fact.
    begin: usize,
    fact: usize,
}

/// What is known in the middle of an event.
struct Walk<'p, 'a, 'f> {
    paths: &'p Paths,
    data: &'a [u8],
    at: usize,
    /// How many containers are open, and a bit for each, the innermost lowest: whether it is an array.
    depth: u32,
    arrays: u64,
    /// The node of the innermost container, and those around it.
    container: u16,
    open: SmallVec<[Open; 8]>,
    /// The positions in the arrays that paths go through, and how many such arrays are open; zeros behind them.
    place: [u16; MOST_ARRAYS],
    places: usize,
    facts: &'f mut Facts<'a>,
}

/// Puts the values at the paths into `facts`, which is emptied first.
///
/// # Errors
///
/// The data are not one JSON text, are nested too deep, or give too many facts; then there is no fact.
#[inline(never)]
pub(crate) fn walk<'a>(paths: &Paths, data: &'a [u8], facts: &mut Facts<'a>) -> Result<(), NoJson> {
    walk_and_see(paths, data, facts, &mut ())
}

/// The same, and tells each scalar that is a value.
#[inline(always)]
pub(crate) fn walk_and_see<'a>(
    paths: &Paths,
    data: &'a [u8],
    facts: &mut Facts<'a>,
    scalars: &mut impl Scalars,
) -> Result<(), NoJson> {
    facts.clear();
    let (container, open, place) = (NONE, SmallVec::new(), [0; MOST_ARRAYS]);
    let mut walk = Walk { paths, data, at: 0, depth: 0, arrays: 0, container, open, place, places: 0, facts };
    let result = walk.event(scalars);
    if let Err(reason) = result {
        let offset = walk.at;
        walk.facts.clear();
        return Err(NoJson { offset, reason });
    }
    Ok(())
}

impl<'a> Walk<'_, 'a, '_> {
    /// One value and nothing behind it.
    fn event(&mut self, scalars: &mut impl Scalars) -> Result<(), Reason> {
        let mut node = ROOT;
        self.skip_white();
        loop {
            let opened = self.value(node, scalars)?;
            let next = if opened { self.first()? } else { self.next()? };
            match next {
                Some(next) => node = next,
                None => return self.end(),
            }
        }
    }

    /// Takes a scalar, or the bracket that opens a container, which it tells.
    #[inline(always)]
    fn value(&mut self, node: u16, scalars: &mut impl Scalars) -> Result<bool, Reason> {
        let begin = self.at;
        match self.byte() {
            b'"' => {
                let end = self.string()?;
                scalars.see(Scalar { begin: begin + 1, end, is_string: true });
                self.tell(node, Written::String, begin + 1, end)?;
            }
            b'{' => {
                self.open(node, false)?;
                return Ok(true);
            }
            b'[' => {
                self.open(node, true)?;
                return Ok(true);
            }
            b'-' | b'0'..=b'9' => {
                self.at = number_end(self.data, begin).ok_or(Reason::Syntax)?;
                scalars.see(Scalar { begin, end: self.at, is_string: false });
                self.tell(node, Written::Number, begin, self.at)?;
            }
            b'n' => self.literal(b"null")?,
            b't' => {
                self.literal(b"true")?;
                self.tell(node, Written::Boolean, begin, self.at)?;
            }
            b'f' => {
                self.literal(b"false")?;
                self.tell(node, Written::Boolean, begin, self.at)?;
            }
            _ => return Err(Reason::Syntax),
        }
        Ok(false)
    }

    /// From behind an opening bracket to the first value in it, or to what follows an empty container.
    #[inline(always)]
    fn first(&mut self) -> Result<Option<u16>, Reason> {
        self.skip_white();
        match (self.byte(), self.arrays & 1) {
            (b'}', 0) | (b']', 1) => {
                self.close();
                self.next()
            }
            (_, 1) => Ok(Some(self.paths.element(self.container))),
            _ => self.key().map(Some),
        }
    }

    /// From behind a value to the next one; none when the outermost has ended.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<u16>, Reason> {
        while self.depth > 0 {
            self.skip_white();
            match (self.byte(), self.arrays & 1) {
                (b',', 0) => {
                    self.at += 1;
                    self.skip_white();
                    return self.key().map(Some);
                }
                (b',', _) => {
                    self.at += 1;
                    self.skip_white();
                    let element = self.paths.element(self.container);
                    if element != NONE {
                        let place = &mut self.place[self.places - 1];
                        *place = place.saturating_add(1);
                    }
                    return Ok(Some(element));
                }
                (b'}', 0) | (b']', 1) => self.close(),
                _ => return Err(Reason::Syntax),
            }
        }
        Ok(None)
    }

    /// A key and its colon; the node of the value.
    #[inline(always)]
    fn key(&mut self) -> Result<u16, Reason> {
        let begin = self.at + 1;
        if self.byte() != b'"' {
            return Err(Reason::Syntax);
        }
        let end = self.string()?;
        self.skip_white();
        if self.byte() != b':' {
            return Err(Reason::Syntax);
        }
        self.at += 1;
        self.skip_white();
        Ok(self.paths.member(self.container, &self.data[begin..end]))
    }

    #[inline(always)]
    fn open(&mut self, node: u16, is_array: bool) -> Result<(), Reason> {
        if self.depth == DEEPEST {
            return Err(Reason::Depth);
        }
        self.depth += 1;
        self.arrays = self.arrays << 1 | u64::from(is_array);
        if node != NONE {
            let (begin, fact) = (self.at, self.facts.len());
            self.tell(node, Written::Json, begin, begin)?;
            self.open.push(Open { node, begin, fact });
            if is_array && self.paths.element(node) != NONE {
                self.places += 1;
            }
        }
        self.container = node;
        self.at += 1;
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self) {
        let is_array = self.arrays & 1 == 1;
        self.at += 1;
        self.depth -= 1;
        self.arrays >>= 1;
        if self.open.len() > self.depth as usize {
            self.leave(is_array);
        }
        if self.open.len() == self.depth as usize {
            self.container = self.open.last().map_or(NONE, |open| open.node);
        }
    }

    /// Closes a container that paths go through: now its text is known.
    #[inline(always)]
    fn leave(&mut self, is_array: bool) {
        let Some(Open { node, begin, fact }) = self.open.pop() else { return };
        if is_array && self.paths.element(node) != NONE {
            self.places -= 1;
            self.place[self.places] = 0;
        }
        let rows = self.paths.rows(node);
        if rows != 0 {
            let text = &self.data[begin..self.at];
            self.facts[fact..].iter_mut().take(rows.count_ones() as usize).for_each(|fact| fact.text = text);
        }
    }

    /// Nothing but white space may follow.
    fn end(&mut self) -> Result<(), Reason> {
        self.skip_white();
        if self.at < self.data.len() { Err(Reason::Syntax) } else { Ok(()) }
    }

    /// From an opening quote to behind the closing one; where the closing one is.
    #[inline(always)]
    fn string(&mut self) -> Result<usize, Reason> {
        let end = string_end(self.data, self.at + 1).ok_or(Reason::Syntax)?;
        self.at = end + 1;
        Ok(end)
    }

    #[inline(always)]
    fn literal(&mut self, word: &[u8]) -> Result<(), Reason> {
        if !self.data[self.at..].starts_with(word) {
            return Err(Reason::Syntax);
        }
        self.at += word.len();
        Ok(())
    }

    /// Notes a value, once for each row that ends at its node.
    #[inline(always)]
    fn tell(&mut self, node: u16, written: Written, begin: usize, end: usize) -> Result<(), Reason> {
        let mut rows = self.paths.rows(node);
        while rows != 0 {
            let row = rows.trailing_zeros() as u8;
            rows &= rows - 1;
            if self.facts.len() == MOST_FACTS {
                return Err(Reason::Facts);
            }
            let (slot, text) = (self.paths.table[usize::from(row)].1, &self.data[begin..end]);
            self.facts.push(Fact { slot, written, row, place: self.place, text });
        }
        Ok(())
    }

    /// The byte that is next; 0, which is no token, behind the end.
    #[inline(always)]
    fn byte(&self) -> u8 {
        self.data.get(self.at).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn skip_white(&mut self) {
        while matches!(self.byte(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }
}

/// The high bit of each byte that is a quote or a backslash; of those behind the first it may be wrong.
#[inline(always)]
const fn ends(word: u64) -> u64 {
    const fn zeros(word: u64) -> u64 {
        word.wrapping_sub(u64::from_ne_bytes([0x01; 8])) & !word & u64::from_ne_bytes([0x80; 8])
    }
    zeros(word ^ u64::from_ne_bytes([b'"'; 8])) | zeros(word ^ u64::from_ne_bytes([b'\\'; 8]))
}

/// The eight bytes at a place, as far as there are any; zeros behind them. None near the end of short data.
#[inline(always)]
fn word(data: &[u8], at: usize) -> Option<u64> {
    if let Some(bytes) = data.get(at..)?.first_chunk::<8>() {
        return Some(u64::from_le_bytes(*bytes));
    }
    let behind = at + 8 - data.len();
    let bytes = data.last_chunk::<8>()?;
    u64::from_le_bytes(*bytes).checked_shr(8 * behind as u32)
}

/// Where the closing quote of a string is whose content begins at `at`.
///
/// Most strings are short: eight bytes at a time is quicker than a search that has to be started.
#[inline(always)]
pub(crate) fn string_end(data: &[u8], mut at: usize) -> Option<usize> {
    let near = at + 32;
    while at < near {
        let Some(word) = word(data, at) else { break };
        let found = ends(word);
        if found == 0 {
            at += 8;
            continue;
        }
        at += found.trailing_zeros() as usize / 8;
        if data.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
    long_string_end(data, at)
}

/// The same for a string that is long, or near the end of the data.
#[inline(never)]
fn long_string_end(data: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', data.get(at..)?)?;
        if data[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Where a number ends that begins at `at` (RFC 8259, section 6).
#[inline(always)]
pub(crate) fn number_end(data: &[u8], mut at: usize) -> Option<usize> {
    let byte = |at: usize| data.get(at).copied().unwrap_or(0);
    if byte(at) == b'-' {
        at += 1;
    }
    at = match byte(at) {
        b'0' => at + 1,
        _ => digits_end(data, at)?,
    };
    if byte(at) == b'.' {
        at = digits_end(data, at + 1)?;
    }
    if matches!(byte(at), b'e' | b'E') {
        at += 1 + usize::from(matches!(byte(at + 1), b'+' | b'-'));
        at = digits_end(data, at)?;
    }
    Some(at)
}

/// Where digits end, of which there is at least one.
#[inline(always)]
fn digits_end(data: &[u8], begin: usize) -> Option<usize> {
    let digits = data.get(begin..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then_some(begin + digits)
}

#[cfg(test)]
mod tests;
