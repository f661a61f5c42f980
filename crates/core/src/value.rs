//! Values of strict JSON text, compared: numbers by value, strings after unescaping, objects without regard to order.
//!
//! Exact and without recursion. A [`Tree`] is a flat list of nodes in the order of the text; nothing is decoded that the
//! comparison does not ask for.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::class::{is_space, string_stop};

/// One value, or one key.
#[derive(Clone, Copy)]
struct Node {
    /// `{`, `[`, `"`, or the first character of a number or literal.
    first: u8,
    /// Its text: of a string the content, of a container just the opener.
    start: usize,
    end: usize,
    /// Index of the node behind it and all it holds.
    next: usize,
    /// Values, or keys and values, directly inside.
    children: usize,
}

/// The values of one text.
struct Tree<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    /// Containers that the text ends in, outermost first.
    open: Vec<usize>,
    /// The text ends in the last node, or right behind it where it may be longer.
    is_cut: bool,
}

impl<'a> Tree<'a> {
    /// Reads the first value of `text`, which a scanner has accepted. Commas and colons say nothing new and are skipped.
    fn read(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut is_cut = false;
        let mut at = 0;
        while let Some(&first) = bytes.get(at) {
            let start = at;
            at += 1;
            match first {
                b'}' | b']' => {
                    let Some(container) = open.pop() else { break };
                    nodes[container].next = nodes.len();
                }
                b',' | b':' => continue,
                _ if is_space(first) => continue,
                _ => {
                    if let Some(&container) = open.last() {
                        nodes[container].children += 1;
                    }
                    let mut node = Node { first, start, end: at, next: nodes.len() + 1, children: 0 };
                    match first {
                        b'{' | b'[' => open.push(nodes.len()),
                        b'"' => {
                            node.start = at;
                            node.end = string_end(bytes, at);
                            is_cut = node.end == bytes.len();
                            at = node.end + 1;
                        }
                        _ => {
                            let more = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
                            at += bytes[at..].iter().take_while(|byte| more(byte)).count();
                            node.end = at;
                            is_cut = at == bytes.len();
                        }
                    }
                    nodes.push(node);
                }
            }
            if open.is_empty() {
                break;
            }
        }
        for &container in &open {
            nodes[container].next = nodes.len();
        }
        Self { text, nodes, open, is_cut }
    }

    fn text(&self, node: &Node) -> &'a str {
        &self.text[node.start..node.end]
    }

    /// Indices of the values directly inside, keys included.
    fn inside(&self, index: usize) -> impl Iterator<Item = usize> {
        let last = self.nodes[index].next;
        let mut at = index + 1;
        core::iter::from_fn(move || {
            let here = at;
            (here < last).then(|| {
                at = self.nodes[here].next;
                here
            })
        })
    }

    /// The members of an object, sorted by key; of equal keys (their values are equal) the first.
    fn members(&self, index: usize) -> Vec<(Cow<'a, str>, usize)> {
        let mut members = Vec::with_capacity(self.nodes[index].children / 2);
        let mut inside = self.inside(index);
        while let (Some(key), Some(value)) = (inside.next(), inside.next()) {
            members.push((unescape(self.text(&self.nodes[key])), value));
        }
        members.sort_by(|left, right| left.0.cmp(&right.0));
        members.dedup_by(|later, first| later.0 == first.0);
        members
    }
}

/// Index of the closing quote of a string whose content begins at `from`.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        at = string_stop(bytes, at);
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') | None => return at.min(bytes.len()),
            Some(_) => at += 1,
        }
    }
}

/// Whether the first values of two texts are equal. Linear in both, but for the sorting of members.
pub(crate) fn equal(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    let (left, right) = (Tree::read(left), Tree::read(right));
    !left.nodes.is_empty() && !right.nodes.is_empty() && same(&left, 0, &right, 0)
}

/// Whether two values of two texts are equal.
fn same(left: &Tree<'_>, a: usize, right: &Tree<'_>, b: usize) -> bool {
    let mut pairs = Vec::from([(a, b)]);
    while let Some((a, b)) = pairs.pop() {
        let (here, there) = (&left.nodes[a], &right.nodes[b]);
        let same = match (here.first, there.first) {
            (b'{', b'{') => {
                let (mine, theirs) = (left.members(a), right.members(b));
                pairs.extend(mine.iter().zip(&theirs).map(|(mine, theirs)| (mine.1, theirs.1)));
                mine.iter().map(|member| &member.0).eq(theirs.iter().map(|member| &member.0))
            }
            (b'[', b'[') => {
                pairs.extend(left.inside(a).zip(right.inside(b)));
                here.children == there.children
            }
            (b'"', b'"') => unescape(left.text(here)) == unescape(right.text(there)),
            (b'-' | b'0'..=b'9', b'-' | b'0'..=b'9') => same_number(left.text(here), right.text(there)),
            _ => left.text(here) == right.text(there) && here.first == there.first,
        };
        if !same {
            return false;
        }
    }
    true
}

/// Whether a whole value says all that another one says which is cut: what has closed is equal, at the same place or under the same
/// key, and what is open can become what stands there.
pub(crate) fn extends(cut: &str, whole: &str) -> bool {
    let (cut, whole) = (Tree::read(cut), Tree::read(whole));
    if cut.nodes.is_empty() || whole.nodes.is_empty() {
        return false;
    }
    let mut there = 0;
    for (depth, &container) in cut.open.iter().enumerate() {
        if cut.nodes[container].first != whole.nodes[there].first {
            return false;
        }
        let inner = cut.open.get(depth + 1).copied();
        let is_open = |node: usize| Some(node) == inner || (cut.is_cut && node + 1 == cut.nodes.len());
        let found = match cut.nodes[container].first {
            b'[' => elements_extend(&cut, container, &whole, there, is_open),
            _ => members_extend(&cut, container, &whole, there, is_open),
        };
        match found {
            Extends::No => return false,
            Extends::Closed => return true,
            Extends::Open(here, counterpart) if Some(here) == inner => there = counterpart,
            Extends::Open(here, counterpart) => return can_become(&cut, here, &whole, counterpart),
        }
    }
    can_become(&cut, 0, &whole, there)
}

/// What a container that is cut has in another one.
enum Extends {
    No,
    /// All that it holds has closed, and is there.
    Closed,
    /// And its last value, which is open, has a counterpart.
    Open(usize, usize),
}

fn elements_extend(cut: &Tree<'_>, a: usize, whole: &Tree<'_>, b: usize, is_open: impl Fn(usize) -> bool) -> Extends {
    let mut others = whole.inside(b);
    for element in cut.inside(a) {
        let Some(other) = others.next() else { return Extends::No };
        if is_open(element) {
            return Extends::Open(element, other);
        }
        if !same(cut, element, whole, other) {
            return Extends::No;
        }
    }
    Extends::Closed
}

fn members_extend(cut: &Tree<'_>, a: usize, whole: &Tree<'_>, b: usize, is_open: impl Fn(usize) -> bool) -> Extends {
    let members = whole.members(b);
    let mut inside = cut.inside(a);
    while let Some(key) = inside.next() {
        let value = inside.next();
        if value.is_none() && is_open(key) {
            let name = unescape(without_cut_escape(cut.text(&cut.nodes[key])));
            let can_become = members.iter().any(|member| member.0.starts_with(&*name));
            return if can_become { Extends::Closed } else { Extends::No };
        }
        let name = unescape(cut.text(&cut.nodes[key]));
        let Ok(place) = members.binary_search_by(|member| member.0.cmp(&name)) else { return Extends::No };
        let other = members[place].1;
        match value {
            None => return Extends::Closed,
            Some(value) if is_open(value) => return Extends::Open(value, other),
            Some(value) if !same(cut, value, whole, other) => return Extends::No,
            Some(_) => {}
        }
    }
    Extends::Closed
}

/// Whether a token that is cut may be the beginning of another one.
fn can_become(cut: &Tree<'_>, a: usize, whole: &Tree<'_>, b: usize) -> bool {
    let (here, there) = (&cut.nodes[a], &whole.nodes[b]);
    let (text, other) = (cut.text(here), whole.text(there));
    match (here.first, there.first) {
        (b'"', b'"') => unescape(other).starts_with(&*unescape(without_cut_escape(text))),
        (b'"' | b'{' | b'[', _) | (_, b'"' | b'{' | b'[') => false,
        _ => other.starts_with(text),
    }
}

/// The content of a string that is cut, without an escape that is.
fn without_cut_escape(content: &str) -> &str {
    let mut at = 0;
    while let Some(escape) = content[at..].find('\\').map(|found| at + found) {
        let len = match content.as_bytes().get(escape + 1) {
            Some(b'u') if (0xD800..0xDC00).contains(&hex_unit(content, escape + 2)) => 12,
            Some(b'u') => 6,
            _ => 2,
        };
        at = escape + len;
        if at > content.len() {
            return &content[..escape];
        }
    }
    content
}

/// The text that the content of a JSON string stands for. Raw control characters stand for themselves.
pub(crate) fn unescape(content: &str) -> Cow<'_, str> {
    if !content.contains('\\') {
        return Cow::Borrowed(content);
    }
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((front, escape)) = rest.split_once('\\') {
        text.push_str(front);
        let (char, taken) = escaped_char(escape);
        text.push(char);
        rest = escape.get(taken..).unwrap_or_default();
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character that an escape stands for, and its length; without the backslash. It may be one of a surrogate pair.
pub(crate) fn escaped_char(escape: &str) -> (char, usize) {
    let char = match escape.as_bytes().first() {
        Some(b'u') => {
            let units = [hex_unit(escape, 1), hex_unit(escape, 7)];
            let count = if (0xD800..0xDC00).contains(&units[0]) { 2 } else { 1 };
            let unit = char::decode_utf16(units.into_iter().take(count)).next().and_then(Result::ok);
            return (unit.unwrap_or(char::REPLACEMENT_CHARACTER), 6 * count - 1);
        }
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(&other) => char::from(other),
        None => char::REPLACEMENT_CHARACTER,
    };
    (char, 1)
}

/// Four hexadecimal digits of a text that the scanner has accepted.
fn hex_unit(text: &str, at: usize) -> u16 {
    text.get(at..at + 4).and_then(|digits| u16::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// A number taken apart: sign, digits without zeros at either end, and the decimal exponent behind them.
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    /// Significant digits, as a range over `whole` and `fraction` written together.
    from: usize,
    to: usize,
    /// Power of ten of the last significant digit, the exponent aside; and with it, `None` if it cannot be held.
    shift: i64,
    power: Option<i64>,
    /// The exponent as it is written: whether it is negative, its digits from the first that is not zero on.
    exponent: (bool, &'a str),
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let len = whole.len() + fraction.len();
        let digit =
            |at: usize| if at < whole.len() { whole.as_bytes()[at] } else { fraction.as_bytes()[at - whole.len()] };
        let from = (0..len).find(|&at| digit(at) != b'0').unwrap_or(len);
        let to = (from..len).rev().find(|&at| digit(at) != b'0').map_or(from, |at| at + 1);
        let value = exponent.strip_prefix('+').unwrap_or(exponent).parse::<i64>().ok();
        let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
        let shift = len as i64 - to as i64 - fraction.len() as i64;
        Self {
            negative,
            whole,
            fraction,
            from,
            to,
            shift,
            power: value.and_then(|exponent| exponent.checked_add(shift)),
            exponent: (exponent.starts_with('-'), digits),
        }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        let all = self.whole.bytes().chain(self.fraction.bytes());
        all.skip(self.from).take(self.to - self.from)
    }
}

/// Whether two JSON numbers are numerically equal. Exponents beyond 64 bits are equal only if their digits are.
pub(crate) fn same_number(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    let (left, right) = (Decimal::read(left), Decimal::read(right));
    match (left.from == left.to, right.from == right.to) {
        (true, true) => true,
        (false, false) => {
            let huge = left.power.is_some() || (left.shift == right.shift && left.exponent == right.exponent);
            left.negative == right.negative
                && left.power == right.power
                && huge
                && left.digits().cmp(right.digits()) == Ordering::Equal
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_by_meaning() {
        let equal_pairs = [
            ("1", "1.0"),
            ("10", "1e1"),
            ("0.1", "1E-1"),
            ("-0", "0e5"),
            ("100e-2", "1"),
            ("\"\\u0061\"", "\"a\""),
            ("\"\\ud83d\\ude00\"", "\"😀\""),
            ("{\"a\":1,\"b\":[2]}", " { \"b\" : [ 2.0 ] , \"a\" : 1 }"),
            ("{\"a\":1,\"a\":1}", "{\"a\":1}"),
            ("[]", "[ ]"),
            ("{}", "{ }"),
            ("\"a\\/b\"", "\"a/b\""),
            ("true", "true"),
        ];
        for (left, right) in equal_pairs {
            assert!(equal(left, right) && equal(right, left), "{left} {right}");
        }
        let different = [
            ("1", "1.0000000000000000000000001"),
            ("1", "\"1\""),
            ("[1,2]", "[2,1]"),
            ("{}", "[]"),
            ("[1]", "[1,1]"),
            ("{\"a\":1}", "{\"a\":1,\"b\":1}"),
            ("{\"a\":1}", "{\"b\":1}"),
            ("true", "false"),
            ("null", "0"),
            ("1e99999999999999999999", "1e99999999999999999998"),
            ("[[1],2]", "[[1,2]]"),
            ("1", "-1"),
            ("\"\"", "\"\\n\""),
        ];
        for (left, right) in different {
            assert!(!equal(left, right) && !equal(right, left), "{left} {right}");
        }
    }

    #[test]
    fn a_whole_value_extends_one_that_is_cut() {
        let extended = [
            ("{", "{}"),
            ("{", "{\"a\":1}"),
            ("{\"a", "{\"b\":1,\"ab\":2}"),
            ("{\"a\"", "{\"b\":1,\"a\":2}"),
            ("{\"a\": ", "{\"a\":2}"),
            ("{\"a\": 1", "{\"a\":12}"),
            ("{\"a\": 1, ", "{\"b\":2,\"a\":1.0}"),
            ("{\"a\": \"x\\u00", "{\"a\":\"x\u{e9}y\"}"),
            ("{\"a\": \"\\\\", "{\"a\":\"\\\\n\"}"),
            ("{\"a\": \"x\\ud83d\\ude", "{\"a\":\"x😀\"}"),
            ("[{\"a\": 1}, {\"b\": [2, {\"c\": tr", "[{\"a\":1},{\"b\":[2,{\"c\":true}]},3]"),
            ("[[1, 2], ", "[[1,2]]"),
            ("\"Hello wor", "\"Hello world\""),
            ("tru", "true"),
        ];
        for (cut, whole) in extended {
            assert!(extends(cut, whole), "{cut} {whole}");
        }
        let different = [
            ("{", "[]"),
            ("{\"a\": ", "{\"b\":2}"),
            ("{\"a", "{\"b\":2}"),
            ("{\"a\": 1, ", "{\"a\":12}"),
            ("{\"a\": 1", "{\"a\":2}"),
            ("{\"a\": \"x", "{\"a\":\"yx\"}"),
            ("{\"a\": [", "{\"a\":{}}"),
            ("{\"a\": [1, 2, ", "{\"a\":[1]}"),
            ("{\"a\": [1, 2, ", "{\"a\":[2, 2, 3]}"),
            ("[{\"id\": 1}, {\"id\": 2", "[{\"id\":2},{\"id\":3}]"),
            ("{\"a\": \"x\", \"a\": \"x\", \"b\": ", "{\"a\":\"x\"}"),
            ("tru", "false"),
            ("\"Hello wor", "\"ld\""),
            ("1", "\"1\""),
            ("", "{}"),
        ];
        for (cut, whole) in different {
            assert!(!extends(cut, whole), "{cut} {whole}");
        }
    }

    #[test]
    fn depth_is_no_recursion() {
        let deep = alloc::format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let spaced = alloc::format!("{} 1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(equal(&deep, &spaced));
    }
}
