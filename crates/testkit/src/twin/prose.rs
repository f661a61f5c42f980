//! Small questions about prose: white space, comments, tags, fence labels, and what stands to the left.

use thusfar_core::{Code, Ending};

/// The white space of JSON.
pub(super) const SPACES: [char; 4] = [' ', '\t', '\n', '\r'];

const ESCAPED_SPACES: [&str; 3] = ["\\n", "\\r", "\\t"];

pub(super) fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$-".contains(character) || character > '\u{7f}'
}

/// Behind the white space at `at`, raw only.
pub(super) fn skip_raw_spaces(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(SPACES).len()
}

/// Behind the white space and escaped white space at `at`.
pub(super) fn skip_spaces(text: &str, at: usize) -> usize {
    let mut at = skip_raw_spaces(text, at);
    while ESCAPED_SPACES.iter().any(|space| text[at..].starts_with(space)) {
        at = skip_raw_spaces(text, at + 2);
    }
    at
}

/// The text without the white space and escaped white space at its end.
pub(super) fn skip_spaces_back(text: &str) -> &str {
    let mut rest = text.trim_end_matches(SPACES);
    while let Some(shorter) = ESCAPED_SPACES.iter().find_map(|space| rest.strip_suffix(space)) {
        rest = shorter.trim_end_matches(SPACES);
    }
    rest
}

/// The end of the comment at `at`, if one begins there; an unfinished one ends with the text.
pub(super) fn comment_end(text: &str, at: usize) -> Option<usize> {
    let body = &text[at..];
    if body.starts_with("//") {
        return Some(body.find(['\n', '\r']).map_or(text.len(), |end| at + end));
    }
    let block = body.strip_prefix("/*")?;
    Some(block.find("*/").map_or(text.len(), |end| at + 2 + end + 2))
}

/// Behind white space and comments; escaped white space too if `escaped`.
pub(super) fn skip_insignificant(text: &str, mut at: usize, escaped: bool) -> usize {
    loop {
        at = if escaped { skip_spaces(text, at) } else { skip_raw_spaces(text, at) };
        match comment_end(text, at) {
            Some(end) => at = end,
            None => return at,
        }
    }
}

/// Whether only white space follows up to a line end or the end; the byte at which that is known.
pub(super) fn line_ends(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].trim_start_matches([' ', '\t']);
    (rest.is_empty() || rest.starts_with(['\n', '\r'])).then(|| text.len() - rest.len())
}

/// A reasoning tag at `at`: whether it closes, and its end.
pub(super) fn tag(text: &str, at: usize) -> Option<(bool, usize)> {
    let body = text.as_bytes().get(at..)?;
    ["<think>", "<thinking>", "<reasoning>", "</think>", "</thinking>", "</reasoning>"]
        .iter()
        .find(|tag| body.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag.as_bytes())))
        .map(|tag| (tag.starts_with("</"), at + tag.len()))
}

/// Skips reasoning from inside it, `at` being behind whatever opened it, at the given level. `None`: it does not end.
pub(super) fn reasoning_end(text: &str, mut at: usize, mut level: usize) -> Option<usize> {
    while level > 0 {
        at += text.get(at..)?.find('<')?;
        match tag(text, at) {
            Some((true, end)) => {
                level -= 1;
                at = end;
            }
            Some((false, end)) => {
                let line = text[..at].rfind(['\n', '\r']).map_or(0, |line| line + 1);
                // A byte order mark in front of everything counts as white space.
                let mark = if line == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
                if text[line + mark..at].trim_matches(SPACES).is_empty() {
                    level += 1;
                }
                at = end;
            }
            None => at += 1,
        }
    }
    Some(at)
}

/// What a fence's label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Plain,
    Json,
    Other,
}

const JSON_LABELS: [&str; 4] = ["json", "jsonc", "json5", "jsonl"];

/// Whether a word may be the beginning of a JSON label.
pub(super) fn may_be_json(word: &str) -> bool {
    JSON_LABELS.iter().any(|label| label.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
}

/// The byte at which it is known whether a JSON label, and then a line end or an opener, stands at `at`.
pub(super) fn not_json(text: &str, at: usize) -> usize {
    let is_gap = |character: char| character == ' ' || character == '\t';
    let word = text[at..].trim_start_matches(is_gap);
    let len = (0..word.len()).take_while(|&len| word.get(..=len).is_some_and(may_be_json)).count();
    let rest = &word[len..];
    let is_label = JSON_LABELS.iter().any(|label| word[..len].eq_ignore_ascii_case(label));
    text.len() - if is_label { rest.trim_start_matches(is_gap) } else { rest }.len()
}

/// The label behind a fence marker that ends at `at`: where it starts and ends and what it says.
pub(super) struct Info {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) label: Label,
}

impl Info {
    /// `None` while the text ends before the label has.
    pub(super) fn of(text: &str, at: usize) -> Option<Self> {
        let start = text.len() - text[at..].trim_start_matches([' ', '\t']).len();
        let end = start + text[start..].find([' ', '\t', '\n', '\r', '`', '{', '['])?;
        let word = &text[start..end];
        let is_json = JSON_LABELS.iter().any(|json| word.eq_ignore_ascii_case(json));
        let label = match word {
            "" => Label::Plain,
            _ if is_json => Label::Json,
            _ => Label::Other,
        };
        Some(Self { start, end, label })
    }

    /// Whether a JSON label stands here and then a line end or an opener. `None` while the text ends before that is
    /// known.
    pub(super) fn opens_json(&self, text: &str) -> Option<bool> {
        if self.label != Label::Json {
            return Some(false);
        }
        let behind = text[self.end..].trim_start_matches([' ', '\t']).chars().next()?;
        Some(matches!(behind, '\n' | '\r' | '{' | '['))
    }
}

/// The code and whether it is a truncation, where nothing was found and the reply just ended.
pub(super) fn nothing_found(ending: Ending, in_fence: bool) -> Code {
    match ending {
        Ending::Length | Ending::TimedOut | Ending::Disconnected | Ending::Failed | Ending::Cancelled => {
            if in_fence {
                Code::OpenFence
            } else {
                Code::NothingYet
            }
        }
        _ => Code::NoDocument,
    }
}

/// What stands to the left, as the rules of prose see it. Marks stand in it as they are written; a document is its
/// closer (and a line end if it held one); a fence marker or a tag is its last character; opaque text keeps only what
/// tells where lines begin.
#[derive(Default)]
pub(super) struct Trail {
    seen: String,
}

impl Trail {
    pub(super) fn push(&mut self, text: &str) {
        self.seen.push_str(text);
    }

    /// Something read as a whole: its line ends and its last character.
    pub(super) fn push_whole(&mut self, text: &str) {
        if text.contains(['\n', '\r']) {
            self.seen.push('\n');
        }
        self.seen.extend(text.chars().last());
    }

    /// Opaque text: lines go on, nothing else does.
    pub(super) fn push_opaque(&mut self, text: &str) {
        let kept = |character: char| SPACES.contains(&character) || ">-*+.)0123456789".contains(character);
        self.seen.extend(text.chars().map(|character| if kept(character) { character } else { '\u{1}' }));
    }

    pub(super) fn clear(&mut self) {
        self.seen.clear();
    }

    fn line(&self) -> &str {
        self.seen.rsplit(['\n', '\r']).next().unwrap_or("")
    }

    pub(super) fn blank(&self) -> bool {
        self.line().trim_matches(SPACES).is_empty()
    }

    /// Nothing but white space, quote marks, bullets and list numbers.
    pub(super) fn marks(&self) -> bool {
        let mut rest = self.line();
        while !rest.is_empty() {
            let behind = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let numbered = behind.len() < rest.len() && behind.starts_with(['.', ')']);
            if numbered {
                rest = &behind[1..];
            } else if rest.starts_with([' ', '\t', '>', '-', '*', '+']) {
                rest = &rest[1..];
            } else {
                return false;
            }
        }
        true
    }

    pub(super) fn odd(&self) -> bool {
        self.line().matches('"').count() % 2 == 1
    }

    /// A quote and a colon stand directly to the left.
    pub(super) fn colon(&self) -> bool {
        self.seen
            .trim_end_matches(SPACES)
            .strip_suffix(':')
            .is_some_and(|rest| rest.trim_end_matches(SPACES).ends_with(['"', '\'', '”', '’']))
    }

    /// A colon stands to the left.
    pub(super) fn announced(&self) -> bool {
        self.seen.trim_end_matches(SPACES).ends_with(':')
    }

    pub(super) fn ends_with(&self, character: char) -> bool {
        self.seen.ends_with(character)
    }

    /// A word and `(` stand directly to the left.
    pub(super) fn call(&self) -> bool {
        self.seen.strip_suffix('(').is_some_and(|rest| rest.ends_with(is_word))
    }

    /// The character to the left makes a face of a closer.
    pub(super) fn face(&self) -> bool {
        self.seen.ends_with([':', ';', '=', '-', '^'])
    }
}
