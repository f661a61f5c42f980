//! Replies that are to be one document and nothing else: `alone`, and the root kind `value`.

use thusfar_core::{Code, Ending, Expect, Root};

use super::grammar::{self, Candidate, Outcome, Site, is_infinite, number_state};
use super::prose::{Info, Label, nothing_found, reasoning_end, skip_raw_spaces, tag};
use super::{Class, Found, Lost, Reading};

/// Reads a reply that holds one document (of any kind, with the root kind `value`) and white space around it.
pub(super) fn read(text: &str, expect: &Expect, ending: Ending) -> Reading {
    let mut reading = Reading {
        result: Err(Lost::at_end(Code::NoDocument, ending, text.len())),
        decided_at: text.len(),
        classes: vec![Class::Open; text.len()],
        closed: Vec::new(),
        opened: Vec::new(),
        open_repairs: Vec::new(),
    };
    reading.result = document(text, expect, ending, &mut reading);
    // What follows could still spoil it, and what only the end makes certain is not certain where we stopped reading.
    let unsettled = match &reading.result {
        Ok(found) => Some(found.repairs.clone()),
        Err(lost) if lost.code == Code::TextAround && lost.decided_at >= text.len() && !reading.closed.is_empty() => {
            Some(lost.repairs.clone())
        }
        Err(_) => None,
    };
    if let (Some(repairs), Ending::Cancelled) = (unsettled, ending) {
        reading.result = Err(Lost { repairs, ..Lost::at_end(Code::Unsettled, ending, text.len()) });
    }
    if let Err(lost) = &reading.result {
        reading.decided_at = lost.decided_at;
        let is_cut = lost.cause.is_some();
        reading.open_repairs = lost.repairs.iter().copied().filter(|_| is_cut).collect();
    }
    reading
}

fn document(text: &str, expect: &Expect, ending: Ending, reading: &mut Reading) -> Result<Found, Lost> {
    let len = text.len();
    let takes_any = expect.expected_root() == Root::Value;
    let lost = |code, offset, decided_at| Lost { code, cause: None, offset, decided_at, repairs: Vec::new() };
    let around = |at| Err(lost(Code::TextAround, at, at));
    let next = |at: usize| text.as_bytes().get(at).copied();

    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut line_is_blank = true;
    if expect.begins_in_reasoning() {
        let end = reasoning_end(text, at, 1);
        reading.classes[at..end.unwrap_or(len)].fill(Class::Apart);
        at = end.ok_or_else(|| Lost::at_end(Code::OpenReasoning, ending, len))?;
    }
    loop {
        let behind = skip_raw_spaces(text, at);
        line_is_blank |= text[at..behind].contains(['\n', '\r']);
        at = behind;
        let Some((false, inside)) = tag(text, at).filter(|_| takes_any && line_is_blank) else { break };
        let end = reasoning_end(text, inside, 1);
        reading.classes[at..end.unwrap_or(len)].fill(Class::Apart);
        at = end.ok_or_else(|| Lost::at_end(Code::OpenReasoning, ending, len))?;
    }

    let mut fence = None;
    if let Some(mark @ (b'`' | b'~')) = next(at) {
        let run_len = text[at..].bytes().take_while(|&byte| byte == mark).count();
        if run_len < 3 {
            return Err(lost(Code::TextAround, at, at + run_len));
        }
        if line_is_blank && text[at + run_len..].starts_with(['"', '\\']) {
            // The end of a string.
            return Err(lost(Code::TextAround, at, at + run_len));
        }
        let Some(info) = Info::of(text, at + run_len) else {
            return Err(Lost::at_end(nothing_found(ending, false), ending, len));
        };
        let opens = match info.label {
            Label::Json => line_is_blank || info.opens_json(text) == Some(true),
            Label::Plain => takes_any && line_is_blank && next(info.end) != Some(b'`'),
            Label::Other => false,
        };
        if !opens {
            let behind = text.len() - text[info.end..].trim_start_matches([' ', '\t']).len();
            let decided = if info.label == Label::Json { behind } else { info.end };
            return Err(lost(Code::TextAround, at, decided));
        }
        fence = Some((mark, run_len));
        at = skip_raw_spaces(text, info.end);
    }

    let Some(first) = next(at) else {
        return Err(Lost::at_end(nothing_found(ending, fence.is_some()), ending, len));
    };
    let begins_scalar = first.is_ascii_alphanumeric() || b"\"-+.".contains(&first);
    let begins_value = matches!(first, b'{' | b'[') || (takes_any && begins_scalar);
    if !begins_value {
        // A fence with nothing in it, a tag that is still arriving, or text.
        if let Some((mark, run_len)) = fence.filter(|fence| fence.0 == first) {
            let run_end = text.len() - text[at..].trim_start_matches(char::from(mark)).len();
            let rest = skip_raw_spaces(text, run_end);
            return match (run_end - at >= run_len, rest == len) {
                (true, true) => Err(Lost::at_end(nothing_found(ending, false), ending, len)),
                (true, false) => around(rest),
                (false, _) => Err(lost(Code::TextAround, at, run_end)),
            };
        }
        let may_be_tag = takes_any && line_is_blank && fence.is_none();
        let decided = if may_be_tag { at + open_tag_begun(text, at) } else { at };
        return Err(lost(Code::TextAround, at, decided));
    }
    let site = Site {
        expect,
        forced: true,
        line_end_in_key: true,
        unique_keys: true,
        odd: false,
        weak_closers: true,
        repairs_before: 0,
    };
    let candidate = grammar::read(text, at, &site);
    note(&candidate, reading);
    let Candidate { start, end, repairs, .. } = candidate;
    let found_text = match candidate.outcome {
        Outcome::Closed => candidate.text,
        Outcome::Open(Code::OpenNumber) if is_whole_number(&text[start..]) && ending == Ending::Stop => {
            return Ok(Found { text: text[start..].to_owned(), span: (start, len), repairs });
        }
        Outcome::Open(Code::OpenNumber) if ending == Ending::Stop && is_infinite(&text[start..]) => {
            return Err(Lost { repairs, ..lost(Code::NumberOutOfRange, start, len) });
        }
        Outcome::Open(code) => return Err(Lost { repairs, ..Lost::at_end(code, ending, len) }),
        Outcome::Broken(code, offset) | Outcome::Limit(code, offset) => {
            return Err(Lost { repairs, ..lost(code, offset, end) });
        }
    };
    let is_expected = match expect.expected_root() {
        Root::Object => first == b'{',
        Root::Array => first == b'[',
        _ => true,
    };
    if !is_expected {
        return Err(Lost { repairs, ..lost(Code::WrongRoot, start, end - 1) });
    }
    let mut behind = skip_raw_spaces(text, end);
    let mut decided = behind;
    if let Some((mark, run_len)) = fence {
        decided = len - text[behind..].trim_start_matches(char::from(mark)).len();
        if decided - behind >= run_len {
            behind = skip_raw_spaces(text, decided);
            decided = behind;
        }
    }
    if behind < len {
        return Err(Lost { repairs, ..lost(Code::TextAround, behind, decided) });
    }
    Ok(Found { text: found_text, span: (start, end), repairs })
}

/// How many bytes at `at` may be the beginning of a tag that opens reasoning.
fn open_tag_begun(text: &str, at: usize) -> usize {
    let begun = |tag: &str| {
        tag.bytes().zip(text[at..].bytes()).take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count()
    };
    ["<think>", "<thinking>", "<reasoning>"].into_iter().map(begun).max().unwrap_or(0)
}

fn is_whole_number(token: &str) -> bool {
    number_state(token) == Some(true) && !is_infinite(token)
}

fn note(candidate: &Candidate, reading: &mut Reading) {
    let len = reading.classes.len();
    for &(start, end) in &candidate.strings {
        reading.classes[start..end.min(len)].fill(Class::InString);
    }
    for &(start, end) in &candidate.comments {
        reading.classes[start..end.min(len)].fill(Class::Apart);
    }
    let closed = candidate.outcome == Outcome::Closed;
    reading.opened.push((candidate.start, if closed { candidate.end } else { candidate.end + 1 }));
    if closed {
        reading.closed.push((candidate.end, usize::MAX));
    }
}
