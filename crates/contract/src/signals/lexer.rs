//! Prose, cut into words, marks and line ends.
//!
//! A word is what Unicode calls one (letters, digits, the marks on them), and `-` and `_` are part of it. Between digits `.`, `,` and `:` are,
//! and between letters an apostrophe, and a full stop between two that stand alone: `0.7`, `12:30`, `doesn't`, `e.g` are words. Underscores around a word are emphasis. A character without a width
//! is part of a word, so that a word with one inside is another word.

/// A word, a mark, a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<W> {
    pub(super) kind: Kind<W>,
    /// Where it stands, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// White space or the beginning of a line stands in front of it.
    pub(super) is_spaced: bool,
    /// The character directly in front of it, if that is no white space.
    pub(super) left: Option<char>,
    /// The character directly behind it, if that is no white space.
    pub(super) right: Option<char>,
    /// That character stands between it and a word: a path, a file, a version.
    pub(super) is_joined: bool,
    /// The reply ends with it.
    pub(super) is_last: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<W> {
    Word(W),
    /// One character, or a run of `-`, `_`, backticks or double quotation marks.
    Mark(char),
    /// A line end.
    Line,
    /// Something that is no prose: reasoning, a fence.
    Break,
}

/// Cuts text into tokens.
#[derive(Default)]
pub(super) struct Lexer {
    /// The word or the run of marks that is being read, its letters in one case.
    folded: String,
    run: Option<Run>,
    /// A mark behind the word that may join it to what follows.
    joint: Option<(char, usize)>,
    /// The last character, if it was no white space.
    last: Option<char>,
    is_spaced: bool,
    /// The last character was a carriage return.
    is_return: bool,
    is_begun: bool,
}

#[derive(Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    is_spaced: bool,
    left: Option<char>,
    /// Its last character.
    last: char,
    kind: RunKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RunKind {
    /// Only `-` and `_` so far.
    Dashes,
    Word,
    Quotes,
}

impl Lexer {
    /// Takes a character at an offset, and hands on what is over. `known` tells what a word is.
    pub(super) fn take<W>(
        &mut self,
        character: char,
        at: usize,
        known: &impl Fn(&str) -> W,
        out: &mut impl FnMut(Token<W>),
    ) {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.is_spaced = true;
            if character == '\u{FEFF}' {
                return;
            }
        }
        if let Some(run) = self.run {
            if self.goes_on(run, character, at) {
                return;
            }
            self.flush(Some(character), known, out);
        }
        match character {
            '\n' if self.is_return => {}
            '\n' | '\r' => self.mark(Kind::Line, at, character, None, out),
            _ if character.is_whitespace() => {}
            _ => self.begin(character, at, out),
        }
        self.is_return = character == '\r';
        self.last = Some(character).filter(|character| !character.is_whitespace());
        self.is_spaced = self.run.is_none() && character.is_whitespace();
    }

    /// Takes lower-case ASCII letters, the first of them at an offset: the same as each of them taken.
    pub(super) fn letters<W>(
        &mut self,
        letters: &str,
        at: usize,
        known: &impl Fn(&str) -> W,
        out: &mut impl FnMut(Token<W>),
    ) {
        let mut rest = letters;
        if self.joint.is_some() || !self.run.is_some_and(|run| run.kind == RunKind::Word) {
            let Some(first) = rest.chars().next() else { return };
            self.take(first, at, known, out);
            rest = &rest[1..];
        }
        if let (Some(run), Some(last)) = (&mut self.run, rest.chars().next_back()) {
            self.folded.push_str(rest);
            (run.end, run.last) = (at + letters.len(), last);
        }
    }

    /// Takes the end of the reply, or of this piece of prose.
    pub(super) fn finish<W>(&mut self, known: &impl Fn(&str) -> W, out: &mut impl FnMut(Token<W>)) {
        self.flush(None, known, out);
    }

    /// Something that is no prose stands here.
    pub(super) fn interrupt<W>(&mut self, at: usize, known: &impl Fn(&str) -> W, out: &mut impl FnMut(Token<W>)) {
        self.flush(Some(' '), known, out);
        (self.last, self.is_spaced, self.is_return) = (None, true, false);
        out(Token {
            kind: Kind::Break,
            start: at,
            end: at,
            is_spaced: true,
            left: None,
            right: None,
            is_joined: false,
            is_last: false,
        });
    }

    fn begin<W>(&mut self, character: char, at: usize, out: &mut impl FnMut(Token<W>)) {
        let kind = match character {
            '-' | '_' => RunKind::Dashes,
            '`' | '"' => RunKind::Quotes,
            _ if character.is_alphanumeric() => RunKind::Word,
            // A bar behind a backslash ends no cell: it is read as a broken one.
            '|' if self.last == Some('\\') => return self.mark(Kind::Mark('\u{A6}'), at, character, None, out),
            _ => return self.mark(Kind::Mark(character), at, character, None, out),
        };
        self.folded.clear();
        fold(character, &mut self.folded);
        let end = at + character.len_utf8();
        let (is_spaced, left) = (self.is_spaced, self.last);
        self.run = Some(Run { start: at, end, is_spaced, left, last: character, kind });
    }

    /// Whether a character belongs to what is being read, or may.
    fn goes_on(&mut self, mut run: Run, character: char, at: usize) -> bool {
        let is_word = match run.kind {
            RunKind::Quotes => character == run.last,
            _ => is_word(character),
        };
        if let Some((joint, _)) = self.joint {
            let joins = match joint {
                // `e.g`, `i.e`
                '.' if run.last.is_alphabetic() => self.is_initial(run) && character.is_alphabetic(),
                _ if is_apostrophe(joint) => run.last.is_alphabetic() && character.is_alphabetic(),
                _ => run.last.is_ascii_digit() && character.is_ascii_digit(),
            };
            if !joins {
                return false;
            }
            self.joint = None;
            fold(joint, &mut self.folded);
        } else if !is_word {
            if run.kind == RunKind::Word && is_joint(character) {
                self.joint = Some((character, at));
                return true;
            }
            return false;
        }
        if run.kind == RunKind::Dashes && character.is_alphanumeric() {
            run.kind = RunKind::Word;
        }
        fold(character, &mut self.folded);
        (run.end, run.last) = (at + character.len_utf8(), character);
        self.run = Some(run);
        true
    }

    /// Whether all that is being read is one letter.
    fn is_initial(&self, run: Run) -> bool {
        run.end - run.start == run.last.len_utf8()
    }

    /// Hands on what is being read: this character does not belong to it.
    fn flush<W>(&mut self, next: Option<char>, known: &impl Fn(&str) -> W, out: &mut impl FnMut(Token<W>)) {
        let joint = self.joint.take();
        if let Some(mut run) = self.run.take() {
            let right = joint.map(|(joint, _)| joint).or(next).filter(|right| !right.is_whitespace());
            let is_joined = joint.is_some_and(|(joint, _)| joint == '.') && next.is_some_and(is_word);
            let may_go_on = joint.is_none_or(|(joint, _)| joins(run.last, joint) || self.is_initial(run));
            let kind = match run.kind {
                RunKind::Quotes => Kind::Mark(run.last),
                RunKind::Dashes => Kind::Mark(self.folded.chars().next().unwrap_or('-')),
                RunKind::Word => {
                    let (before, behind) = emphasis(&self.folded);
                    (run.start, run.end) = (run.start + before, run.end - behind);
                    if before > behind {
                        run.left = Some('_');
                    }
                    Kind::Word(known(&self.folded[before..self.folded.len() - behind]))
                }
            };
            self.last = Some(run.last);
            out(Token {
                kind,
                start: run.start,
                end: run.end,
                is_spaced: run.is_spaced,
                left: run.left,
                right,
                is_joined,
                is_last: next.is_none() && may_go_on,
            });
            self.is_spaced = false;
        }
        if let Some((joint, at)) = joint {
            self.mark(Kind::Mark(joint), at, joint, next, out);
            (self.last, self.is_spaced) = (Some(joint), false);
        }
    }

    fn mark<W>(
        &mut self,
        kind: Kind<W>,
        at: usize,
        character: char,
        next: Option<char>,
        out: &mut impl FnMut(Token<W>),
    ) {
        out(Token {
            kind,
            start: at,
            end: at + character.len_utf8(),
            is_spaced: self.is_spaced,
            left: self.last,
            right: next.filter(|next| !next.is_whitespace()),
            is_joined: false,
            is_last: false,
        });
    }
}

/// Whether a mark may join a character to another one of its kind.
fn joins(last: char, joint: char) -> bool {
    if is_apostrophe(joint) { last.is_alphabetic() } else { last.is_ascii_digit() }
}

/// What may join two digits or two letters.
const fn is_joint(character: char) -> bool {
    matches!(character, '.' | ',' | ':') || is_apostrophe(character)
}

const fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{2BC}' | '\u{B4}' | '\u{FF07}')
}

/// Whether a character is part of a word.
fn is_word(character: char) -> bool {
    match character {
        _ if character.is_ascii() => character.is_ascii_alphanumeric() || matches!(character, '-' | '_'),
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' => true,
        _ => regex_syntax::is_word_character(character),
    }
}

/// Adds a character in the one case in which words are compared.
fn fold(character: char, folded: &mut String) {
    if character.is_ascii() {
        folded.push(character.to_ascii_lowercase());
    } else if is_apostrophe(character) {
        folded.push('\'');
    } else {
        folded.extend(character.to_uppercase().flat_map(char::to_lowercase));
    }
}

/// How many underscores in front of a word and behind it are emphasis: those on both sides, and those that open one of several words.
fn emphasis(word: &str) -> (usize, usize) {
    let bare = word.trim_start_matches('_');
    let before = word.len() - bare.len();
    let behind = bare.len() - bare.trim_end_matches('_').len();
    (before, behind.min(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut lexer = Lexer::default();
        let mut out = Vec::new();
        let known = |word: &str| word.to_owned();
        let mut keep = |token: Token<String>| {
            let kind = match &token.kind {
                Kind::Word(word) => format!("{word}@{}..{}", token.start, token.end),
                Kind::Mark(mark) => format!("{mark}"),
                Kind::Line => "LINE".to_owned(),
                Kind::Break => "BREAK".to_owned(),
            };
            out.push(kind);
        };
        for (at, character) in text.char_indices() {
            lexer.take(character, at, &known, &mut keep);
        }
        lexer.finish(&known, &mut keep);
        out
    }

    #[test]
    fn words_are_what_people_call_words() {
        let cases = [
            ("A-B c_d", vec!["a-b@0..3", "c_d@4..7"]),
            ("__Verdict__: x", vec!["verdict@2..9", ":", "x@13..14"]),
            ("_Verdict:_ x_", vec!["verdict@1..8", ":", "_", "x_@11..13"]),
            ("0.7. 1,000 12:30", vec!["0.7@0..3", ".", "1,000@5..10", "12:30@11..16"]),
            ("doesn\u{2019}t 'a' b'", vec!["doesn't@0..9", "'", "a@11..12", "'", "b@14..15", "'"]),
            ("--- -5 - x", vec!["-", "-5@4..6", "-", "x@9..10"]),
            ("a\r\nb\n\rc", vec!["a@0..1", "LINE", "b@3..4", "LINE", "LINE", "c@6..7"]),
            ("``x```", vec!["`", "x@2..3", "`"]),
            ("app\u{200B}rove Stra\u{DF}e", vec!["app\u{200B}rove@0..10", "strasse@11..18"]),
            ("\u{FEFF}e\u{301}", vec!["e\u{301}@3..6"]),
            ("8/10 85%", vec!["8@0..1", "/", "10@2..4", "85@5..7", "%"]),
        ];
        for (text, expected) in cases {
            assert_eq!(tokens(text), expected, "{text:?}");
        }
    }
}
