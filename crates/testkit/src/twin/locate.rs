//! Prose, reasoning, fences and candidates: which documents a reply holds, and what ends the search.
//!
//! Whatever ends the search is noted with the byte at which it was certain, and the earliest stands; reading goes on
//! until the position has passed that byte. Nothing else here is clever: each step looks at one character, run or tag.

use thusfar_core::{Code, Ending, Expect, RepairKind, Root, Take};

use super::behind::{Behind, behind, beside, directly_behind, member_colon};
use super::choose;
use super::fence::{Fence, Inside, Run};
use super::grammar::{self, Candidate, Outcome, Site};
use super::prose::{Label, SPACES, Trail, comment_end, line_ends, reasoning_end, skip_insignificant, tag};
use super::{Class, Lost, Reading};

mod fenced;

/// A document that counts.
pub(super) struct Document {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The number of the fence it stands in; bare without.
    pub(super) fence: Option<usize>,
    /// Alone on its lines, and the byte at which that was certain.
    pub(super) alone: Option<usize>,
    /// The byte at which it counted.
    pub(super) counted: usize,
    pub(super) text: String,
    pub(super) repairs: Vec<(RepairKind, usize)>,
}

/// A candidate that the reply ended in.
pub(super) struct Unfinished {
    pub(super) code: Code,
    pub(super) is_expected: bool,
    pub(super) repairs: Vec<(RepairKind, usize)>,
}

/// A comma in prose behind which a member without its object stands.
struct Member {
    comma: usize,
    /// The byte at which that is certain.
    decided: usize,
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) expect: &'a Expect,
    pub(super) at: usize,
    pub(super) trail: Trail,
    /// Something significant has stood before.
    began: bool,
    /// The byte that broke a candidate where only JSON can have been meant, if it begins a promise; and the code.
    nested: Option<(usize, Code)>,
    /// What stands directly behind a root, or behind a value that stands there and does not count.
    beside: Option<usize>,
    /// Something stands in the JSON fence that is open; a document does.
    fence_text: bool,
    fence_document: bool,
    /// Open `{` marks, and open `[` marks; of the latter, whether they hide what is inside.
    braces: Vec<usize>,
    /// `{` marks that a closer has closed while a comma stood for another.
    closed_braces: Vec<usize>,
    squares: Vec<(usize, bool)>,
    pub(super) fence: Option<Fence>,
    pub(super) fence_count: usize,
    pub(super) documents: Vec<Document>,
    pub(super) wrong_root: Option<(usize, Vec<(RepairKind, usize)>)>,
    pub(super) first_break: Option<(Code, usize)>,
    /// Opaque text held something like a document.
    pub(super) opaque: bool,
    pub(super) in_reasoning: bool,
    /// Those that lie ahead.
    members: Vec<Member>,
    pub(super) unfinished: Option<Unfinished>,
    pub(super) doom: Option<Lost>,
    /// With `first`: the byte at which the document was final.
    pub(super) final_at: Option<usize>,
    repair_count: usize,
    classes: Vec<Class>,
    closed: Vec<(usize, usize)>,
    opened: Vec<(usize, usize)>,
}

/// Reads a reply for `only`, `first` and `last`.
pub(super) fn read(text: &str, expect: &Expect, ending: Ending) -> Reading {
    let mut reader = Reader {
        text,
        expect,
        at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
        trail: Trail::default(),
        began: false,
        nested: None,
        beside: None,
        fence_text: false,
        fence_document: false,
        braces: Vec::new(),
        closed_braces: Vec::new(),
        squares: Vec::new(),
        fence: None,
        fence_count: 0,
        documents: Vec::new(),
        wrong_root: None,
        first_break: None,
        opaque: false,
        in_reasoning: false,
        members: Vec::new(),
        unfinished: None,
        doom: None,
        final_at: None,
        repair_count: 0,
        classes: vec![Class::Open; text.len()],
        closed: Vec::new(),
        opened: Vec::new(),
    };
    if expect.begins_in_reasoning() {
        reader.reasoning(reader.at);
    }
    while reader.at < text.len() && !reader.is_over() {
        reader.step();
    }
    let (result, decided_at) = choose::verdict(&mut reader, ending);
    let open_repairs = reader.unfinished.map_or(Vec::new(), |open| open.repairs);
    let Reader { classes, closed, opened, .. } = reader;
    Reading { result, decided_at, classes, closed, opened, open_repairs }
}

impl Reader<'_> {
    fn is_over(&self) -> bool {
        self.final_at.is_some() || self.doom.as_ref().is_some_and(|doom| doom.decided_at < self.at)
    }

    fn step(&mut self) {
        match self.fence.as_ref().map(|fence| (fence.label, fence.inside)) {
            Some((label, Inside::Lead)) => self.lead(label),
            Some((label, Inside::Opaque)) => self.opaque(label),
            Some((_, Inside::Prose)) | None => self.prose(),
        }
        let at = self.at;
        for member in self.members.extract_if(.., |member| member.decided <= at).collect::<Vec<_>>() {
            let repairs = self.debris().map_or(Vec::new(), |document| document.repairs.clone());
            self.doom(Code::ClosedTooEarly, member.comma, member.decided, &repairs);
        }
    }

    fn is_expected(&self, opener: u8) -> bool {
        match self.expect.expected_root() {
            Root::Object => opener == b'{',
            Root::Array => opener == b'[',
            Root::Any | Root::Value => true,
        }
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b' ')
    }

    /// The earliest end of the search stands.
    pub(super) fn doom(&mut self, code: Code, offset: usize, decided_at: usize, repairs: &[(RepairKind, usize)]) {
        if self.doom.as_ref().is_none_or(|doom| decided_at < doom.decided_at) {
            self.doom = Some(Lost { code, cause: None, offset, decided_at, repairs: repairs.to_vec() });
        }
    }

    fn set_class(&mut self, start: usize, end: usize, class: Class) {
        let end = end.min(self.classes.len());
        if start < end {
            self.classes[start..end].fill(class);
        }
    }

    /// The outermost opener in prose that hides what is inside it.
    fn inside(&self) -> Option<usize> {
        let square = self.squares.iter().find(|square| square.1).map(|square| square.0);
        self.braces.first().copied().into_iter().chain(square).min()
    }

    /// Openers that turned out to be text.
    fn mark(&mut self, frames: &[(u8, usize)], hides: bool) {
        for &(opener, offset) in frames {
            if opener == b'{' {
                self.braces.push(offset);
            } else {
                let hides = hides || self.squares.iter().any(|square| square.1);
                self.squares.push((offset, hides));
            }
        }
    }

    /// Reads on to `end` as plain text; a byte inside a character counts as that character.
    pub(super) fn advance(&mut self, end: usize) {
        let end = (self.at..=end).rev().find(|&end| self.text.is_char_boundary(end)).unwrap_or(self.at);
        let text = &self.text[self.at..end];
        if self.in_opaque() {
            self.trail.push_opaque(text);
        } else {
            self.trail.push(text);
            self.began |= !text.trim_matches(SPACES).is_empty();
        }
        self.at = end;
    }

    fn in_opaque(&self) -> bool {
        self.fence.as_ref().is_some_and(|fence| fence.inside == Inside::Opaque)
    }

    fn advance_character(&mut self) {
        let len = self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        self.advance(self.at + len);
    }

    /// Reads on to `end`, without looking into comments.
    fn pass_over(&mut self, end: usize) {
        while self.at < end {
            match comment_end(self.text, self.at) {
                Some(behind) => {
                    self.set_class(self.at, behind, Class::Apart);
                    self.trail.push_whole(&self.text[self.at..behind]);
                    self.at = behind;
                }
                None => self.advance_character(),
            }
        }
    }

    fn reasoning(&mut self, inside: usize) {
        let end = reasoning_end(self.text, inside, 1);
        self.in_reasoning = end.is_none();
        self.opened.push((self.at, end.unwrap_or(self.text.len() + 1)));
        let end = end.unwrap_or(self.text.len());
        self.set_class(self.at, end, Class::Apart);
        self.trail.push_whole(&self.text[self.at..end]);
        // Reasoning counts as nothing: a line begins behind it.
        self.trail.push("\n");
        self.at = end;
    }

    fn prose(&mut self) {
        let at = self.at;
        if !self.began {
            self.begins_torn();
        }
        match self.byte(at) {
            b'<' => self.angle(),
            b'`' | b'~' => self.run(),
            b'{' | b'[' if self.is_quoted_mark() => self.advance_character(),
            b'{' | b'[' => self.candidate(false),
            b'}' | b']' if self.is_quoted_mark() => self.advance_character(),
            closer @ (b'}' | b']') => {
                let mark = if closer == b'}' { self.close_brace() } else { self.squares.pop().map(|square| square.0) };
                let debris = self.debris().filter(|document| mark.is_none_or(|mark| mark < document.end));
                if let Some(repairs) = debris.filter(|_| !self.trail.face()).map(|document| document.repairs.clone()) {
                    // Behind a backtick the next character tells that it is no bracket alone between two.
                    let decided = at + usize::from(self.trail.ends_with('`'));
                    self.doom(Code::ClosedTooEarly, at, decided, &repairs);
                }
                self.advance_character();
            }
            b',' => {
                if let (Some(_), Some(colon)) = (self.debris(), member_colon(self.text, at + 1)) {
                    self.members.push(Member { comma: at, decided: colon });
                }
                self.advance_character();
            }
            _ => self.advance_character(),
        }
    }

    /// At the first significant byte of the reply or of a JSON fence: nothing begins with a comma but the rest of something.
    fn begins_torn(&mut self) {
        if self.byte(self.at) == b',' {
            self.braces.push(self.at);
        }
    }

    /// Takes the innermost `{` mark away; the one that the closer closes: a comma that hides what follows is no opener, and takes no
    /// closer from one.
    fn close_brace(&mut self) -> Option<usize> {
        let is_open = |mark: &usize| self.text.as_bytes()[*mark] != b',' && !self.closed_braces.contains(mark);
        let closed = self.braces.iter().copied().rfind(is_open);
        self.braces.pop();
        self.closed_braces.extend(closed);
        closed
    }

    /// The last document behind which debris still counts.
    fn debris(&self) -> Option<&Document> {
        let fence = self.fence.as_ref().map(|fence| fence.number);
        self.documents.iter().rfind(|document| document.fence.is_none() || document.fence == fence)
    }

    /// A bracket alone between two backticks.
    fn is_quoted_mark(&self) -> bool {
        self.trail.ends_with('`') && self.byte(self.at + 1) == b'`'
    }

    fn angle(&mut self) {
        let at = self.at;
        match tag(self.text, at) {
            Some((true, end)) => {
                if !self.documents.is_empty() {
                    self.doom(Code::CloseTagBehind, at, end - 1, &[]);
                }
                // Everything in front was reasoning.
                self.trail.clear();
                self.began = false;
                self.braces.clear();
                self.squares.clear();
                self.fence = None;
                self.wrong_root = None;
                self.first_break = None;
                self.opaque = false;
                self.at = end;
            }
            Some((false, end)) if self.trail.blank() => self.reasoning(end),
            _ => self.advance_character(),
        }
    }

    /// A run of backticks or tildes in prose or in a fence.
    fn run(&mut self) {
        let at = self.at;
        match self.fence_run(at) {
            Run::Text { resume } => {
                self.fence_text = true;
                self.advance(resume);
            }
            Run::Held => {
                let behind = self.text[at..].trim_start_matches(char::from(self.byte(at)));
                if behind.trim_matches([' ', '\t']).is_empty() {
                    self.leave_fence();
                }
                self.at = self.text.len();
            }
            Run::Close { end, .. } => {
                self.leave_fence();
                self.trail.push_whole(&self.text[at..end]);
                self.began = true;
                self.at = end;
            }
            Run::Open { marker_end, label, content, .. } => {
                self.leave_fence();
                self.members.clear();
                self.fence_count += 1;
                self.fence = Some(Fence {
                    number: self.fence_count,
                    mark: self.byte(at),
                    len: marker_end - at,
                    label,
                    inside: Inside::Lead,
                });
                self.trail.push_whole(&self.text[at..marker_end]);
                self.began = true;
                self.at = content;
            }
        }
    }

    /// A JSON fence with something in it and no document may hold the answer, broken.
    pub(super) fn leave_fence(&mut self) {
        if self.documents.iter().all(|document| document.fence.is_some()) {
            // Debris counts up to here.
            self.members.clear();
        }
        let is_json = self.fence.take().is_some_and(|fence| fence.label == Label::Json);
        self.opaque |= is_json && self.fence_text && !self.fence_document;
        self.fence_text = false;
        self.fence_document = false;
    }

    /// The beginning of a fence's content.
    fn lead(&mut self, label: Label) {
        self.pass_over(skip_insignificant(self.text, self.at, false));
        if self.at == self.text.len() {
            return;
        }
        let is_quoted = label != Label::Json && self.is_quoted_mark();
        let is_opener = matches!(self.byte(self.at), b'{' | b'[') && !is_quoted;
        if let Some(fence) = &mut self.fence {
            fence.inside = if label == Label::Json { Inside::Prose } else { Inside::Opaque };
        }
        self.fence_text |= !matches!(self.byte(self.at), b'`' | b'~');
        if label == Label::Json {
            self.begins_torn();
        }
        match label {
            Label::Json if is_opener => self.candidate(true),
            Label::Plain | Label::Other if is_opener => self.content(label),
            _ => {}
        }
    }

    /// `may_be`: it can be the document, if it is of the expected kind.
    fn read_candidate(&mut self, forced: bool, may_be: bool) -> Candidate {
        let is_expected = self.is_expected(self.byte(self.at));
        let site = Site {
            expect: self.expect,
            forced,
            line_end_in_key: forced || !self.began,
            unique_keys: is_expected && may_be,
            odd: self.trail.odd() && !self.in_opaque(),
            weak_closers: forced || !self.began || self.in_opaque() || self.debris().is_none(),
            repairs_before: self.repair_count,
        };
        let candidate = grammar::read(self.text, self.at, &site);
        self.repair_count += candidate.repairs.len();
        for &(start, end) in &candidate.strings {
            self.set_class(start, end, Class::InString);
        }
        for &(start, end) in &candidate.comments {
            self.set_class(start, end, Class::Apart);
        }
        candidate
    }

    fn was_open(&mut self, candidate: &Candidate) {
        let closed = candidate.outcome == Outcome::Closed;
        self.opened.push((candidate.start, if closed { candidate.end } else { candidate.end + 1 }));
    }

    /// An opener in prose or in a JSON fence.
    fn candidate(&mut self, forced: bool) {
        let start = self.at;
        let is_first = !self.began;
        let is_expected = self.is_expected(self.byte(start));
        let (blank, odd, call, colon) = (self.trail.blank(), self.trail.odd(), self.trail.call(), self.trail.colon());
        let announced = self.trail.announced();
        let mut candidate = self.read_candidate(forced, !call);
        // Nothing but JSON begins like this.
        candidate.promise |= is_first && candidate.comma_first;
        let passed = call || (odd && candidate.quoted);
        if !passed {
            self.was_open(&candidate);
        }
        let repairs = if candidate.promise { candidate.repairs.clone() } else { Vec::new() };
        let nested = self.nested.filter(|nested| nested.0 == start && is_expected && !passed);
        if let (Some((_, code)), Some(at)) = (nested, candidate.promised_at) {
            // A promise directly inside an opener makes that one a broken promise.
            let so_far: Vec<_> = repairs
                .iter()
                .copied()
                .filter(|&(kind, offset)| offset < at && (kind == RepairKind::RawControl || offset + 2 <= at))
                .collect();
            self.doom(code, start, at, &so_far);
        }
        self.nested = None;
        if let Outcome::Broken(..) = candidate.outcome {
            // What began in the key of a member without its object was text.
            self.members.iter_mut().for_each(|member| member.decided = member.decided.max(candidate.end));
        } else {
            self.members.clear();
        }
        match candidate.outcome {
            Outcome::Limit(code, offset) => {
                self.doom(code, offset, candidate.end, &repairs);
                self.at = self.text.len();
            }
            Outcome::Open(code) => {
                self.unfinished = (!passed).then_some(Unfinished { code, is_expected, repairs });
                self.at = self.text.len();
            }
            Outcome::Broken(code, offset) => {
                let torn = self.beside == Some(start) && candidate.comma_first;
                if !passed && (candidate.promise || torn) {
                    if is_expected && candidate.promise {
                        self.doom(code, offset, candidate.end, &repairs);
                    } else if let Some(repairs) = self.debris().map(|document| document.repairs.clone()) {
                        self.doom(Code::ClosedTooEarly, start, candidate.end, &repairs);
                    }
                }
                let alone = code == Code::ExpectedKey && candidate.frames.len() == 1 && is_expected;
                let quote = code == Code::EscapedQuoteTwoReadings;
                let lost = (code == Code::ExpectedCommaOrCloser || quote) && !candidate.promise;
                let directly = (offset == candidate.end || quote) && !passed;
                let told = if quote { Code::ExpectedCommaOrCloser } else { code };
                self.nested = (directly && (alone || lost)).then_some((candidate.end, told));
                if !passed && (is_first || (forced && !is_expected)) {
                    self.first_break.get_or_insert((code, offset));
                }
                self.mark(&candidate.frames, candidate.promise);
                self.advance(candidate.end);
            }
            Outcome::Closed => {
                self.trail.push_whole(&self.text[start..candidate.end]);
                self.began = true;
                self.at = candidate.end;
                if !passed {
                    self.closed(candidate, blank, is_first, is_expected, colon, announced);
                }
            }
        }
    }

    /// A whole candidate in prose or in a JSON fence: whether it counts, and what stands behind it.
    fn closed(
        &mut self,
        candidate: Candidate,
        blank: bool,
        is_first: bool,
        is_expected: bool,
        colon: bool,
        announced: bool,
    ) {
        let Candidate { start, end, .. } = candidate;
        let is_beside = self.beside == Some(start);
        if is_beside && candidate.trailing && !(is_expected && candidate.promise) {
            let repairs = self.debris().map_or(Vec::new(), |document| document.repairs.clone());
            return self.doom(Code::ClosedTooEarly, start, end - 1, &repairs);
        }
        let is_list = self.byte(start) == b'[';
        let alone = line_ends(self.text, end).filter(|_| blank);
        let closed_at = if candidate.promise || is_first {
            end - 1
        } else {
            let waits = blank && self.braces.is_empty() && self.squares.is_empty();
            if !waits {
                // `Result: {}` may be the answer, though a sentence goes on behind it.
                let may_be = !is_list || self.expect.expected_root() == Root::Array;
                self.opaque |= announced && is_expected && may_be;
                return self.does_not_count(end, is_beside);
            }
            let Some(line_end) = alone else {
                self.waited_in_vain(end, is_expected);
                return self.does_not_count(end, is_beside);
            };
            line_end
        };
        if !is_expected {
            self.fence_document = true;
            self.wrong_root.get_or_insert((start, candidate.repairs));
            return self.does_not_count(end, is_beside);
        }
        if colon {
            self.doom(Code::InsideBroken, start, closed_at, &candidate.repairs);
            return;
        }
        let repairs = candidate.repairs.clone();
        let inside = self.inside();
        match behind(self.text, end, candidate.thin && closed_at + 1 == end) {
            Behind::TooEarly { offset, decided } => {
                self.doom(Code::ClosedTooEarly, offset, decided, &repairs);
                self.count(candidate, alone, closed_at, decided);
                self.at = self.text.len();
            }
            Behind::Settled { resume, decided } => {
                let settled = decided.max(closed_at);
                if let Some(outermost) = inside {
                    self.doom(Code::InsideBroken, outermost, settled, &repairs);
                }
                self.count(candidate, alone, closed_at, settled);
                self.pass_over(resume);
                self.beside = directly_behind(self.text, end);
            }
        }
    }

    /// A value that does not count, directly behind a root: it may be more of what the root was torn from.
    fn does_not_count(&mut self, end: usize, is_beside: bool) {
        if !is_beside {
            return;
        }
        match beside(self.text, end) {
            Behind::TooEarly { offset, decided } => {
                let repairs = self.debris().map_or(Vec::new(), |document| document.repairs.clone());
                self.doom(Code::ClosedTooEarly, offset, decided, &repairs);
                self.at = self.text.len();
            }
            Behind::Settled { resume, .. } => {
                self.pass_over(resume);
                self.beside = directly_behind(self.text, end);
            }
        }
    }

    /// A weak candidate whose line went on. A tag that closes there finds a document waiting.
    fn waited_in_vain(&mut self, end: usize, is_expected: bool) {
        let at = self.text.len() - self.text[end..].trim_start_matches([' ', '\t']).len();
        if is_expected {
            // It and what follows may be of a list that lost its brackets.
            self.opaque |= self.text[at..].starts_with(['{', '[', ',']);
            self.closed.push((end, at));
            if let Some((true, tag_end)) = tag(self.text, at) {
                self.doom(Code::CloseTagBehind, at, tag_end - 1, &[]);
            }
        }
    }

    /// A document counts at one byte; with `first` it is final when what stands behind it is settled.
    fn count(&mut self, candidate: Candidate, alone: Option<usize>, counted: usize, settled: usize) {
        self.closed.push((candidate.end, usize::MAX));
        self.fence_document = true;
        self.documents.push(Document {
            start: candidate.start,
            end: candidate.end,
            fence: self.fence.as_ref().map(|fence| fence.number),
            alone,
            counted,
            text: candidate.text,
            repairs: candidate.repairs,
        });
        match self.expect.taken() {
            // What only the end settles is not certain before it.
            Take::First => self.final_at = Some(settled).filter(|&at| at < self.text.len()),
            Take::Only => {
                let certain = choose::incurable(&self.documents).filter(|&(_, at)| at < self.text.len());
                if let Some((offset, decided)) = certain {
                    self.doom(Code::DifferentDocuments, offset, decided, &choose::repairs_at(&self.documents, offset));
                }
            }
            _ => {}
        }
    }
}
