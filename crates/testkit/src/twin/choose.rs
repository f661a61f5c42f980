//! Which document counts, and what the end of the reply makes of everything that was found.

use thusfar_core::{Cause, Code, Ending, RepairKind, Take};

use super::equal::equal_text;
use super::locate::{Document, Reader};
use super::prose::nothing_found;
use super::{Found, Lost};

/// The verdict on a reply that was read, and the byte at which it was certain.
pub(super) fn verdict(reader: &mut Reader<'_>, ending: Ending) -> (Result<Found, Lost>, usize) {
    let len = reader.text.len();
    // Where we stopped reading, what only the end makes certain is not.
    let unread = ending == Ending::Cancelled && !reader.documents.is_empty();
    let stands =
        |doom: &mut Lost| reader.final_at.is_none_or(|at| doom.decided_at <= at) && !(unread && doom.decided_at >= len);
    if let Some(doom) = reader.doom.take_if(stands) {
        let decided_at = doom.decided_at;
        return (Err(doom), decided_at);
    }
    let result = ended(reader, ending);
    (result, reader.final_at.unwrap_or(len))
}

fn ended(reader: &mut Reader<'_>, ending: Ending) -> Result<Found, Lost> {
    let len = reader.text.len();
    let in_fence = reader.fence.is_some();
    if reader.final_at.is_none() {
        reader.leave_fence();
    }
    if reader.in_reasoning {
        return Err(Lost::at_end(Code::OpenReasoning, ending, len));
    }
    if let Some(open) = &reader.unfinished {
        // An open one of the other kind does not outweigh a document that has closed.
        if open.is_expected || reader.documents.is_empty() {
            return Err(Lost { repairs: open.repairs.clone(), ..Lost::at_end(open.code, ending, len) });
        }
    }
    if !reader.documents.is_empty() {
        if ending == Ending::Cancelled && reader.final_at.is_none() {
            let repairs = reader.documents.last().map_or(Vec::new(), |document| document.repairs.clone());
            return Err(Lost { repairs, ..Lost::at_end(Code::Unsettled, ending, len) });
        }
        return chosen(reader);
    }
    if let Some((code, offset)) = reader.first_break {
        return Err(Lost { offset, ..Lost::at_end(code, ending, len) });
    }
    if let Some((offset, repairs)) = reader.wrong_root.take() {
        return Err(Lost { offset, repairs, ..Lost::at_end(Code::WrongRoot, ending, len) });
    }
    Err(Lost::at_end(nothing_found(ending, in_fence), ending, len))
}

fn chosen(reader: &Reader<'_>) -> Result<Found, Lost> {
    let documents = &reader.documents;
    let len = reader.text.len();
    if reader.expect.taken() == Take::Only {
        if let Some(offset) = different(documents) {
            let repairs = repairs_at(documents, offset);
            return Err(Lost { offset, repairs, ..Lost::at_end(Code::DifferentDocuments, Ending::Unknown, len) });
        }
    }
    let document = match reader.expect.taken() {
        Take::Last => documents.last(),
        Take::First => documents.first(),
        _ => documents.iter().find(|document| document.fence.is_some()).or(documents.first()),
    };
    let Some(document) = document else { return Err(Lost::at_end(Code::NoDocument, Ending::Unknown, len)) };
    if reader.opaque && document.fence.is_none() {
        let (offset, repairs) = (document.start, document.repairs.clone());
        let decided_at = reader.final_at.unwrap_or(len);
        return Err(Lost { offset, decided_at, repairs, ..Lost::at_end(Code::OpaqueDocument, Ending::Unknown, len) });
    }
    Ok(Found { text: document.text.clone(), span: (document.start, document.end), repairs: document.repairs.clone() })
}

/// The repairs of the document that starts at `offset`.
pub(super) fn repairs_at(documents: &[Document], offset: usize) -> Vec<(RepairKind, usize)> {
    documents.iter().find(|document| document.start == offset).map_or(Vec::new(), |found| found.repairs.clone())
}

/// The first document whose difference from the chosen one makes the reply ambiguous, if it ended here.
fn different(documents: &[Document]) -> Option<usize> {
    let last_fenced = documents.iter().rfind(|document| document.fence.is_some()).map(|document| document.start);
    let chosen = documents.iter().find(|document| document.fence.is_some()).or(documents.first())?;
    let speaks = |document: &&Document| match last_fenced {
        Some(last) => document.fence.is_some() || document.start > last || document.alone.is_some(),
        None => true,
    };
    documents
        .iter()
        .filter(speaks)
        .find(|document| !equal_text(&document.text, &chosen.text))
        .map(|document| document.start)
}

/// A difference that no later text cures: where it stands and the byte at which it was certain.
pub(super) fn incurable(documents: &[Document]) -> Option<(usize, usize)> {
    // What a document that always speaks is: fenced, or bare and alone on its lines.
    let certain = |document: &Document| match (document.fence, document.alone) {
        (Some(_), _) => Some(document.counted),
        (None, alone) => alone.map(|at| at.max(document.counted)),
    };
    let mut decided: Option<usize> = None;
    for (index, one) in documents.iter().enumerate() {
        for other in &documents[index + 1..] {
            if let (Some(at), Some(other_at)) = (certain(one), certain(other)) {
                if !equal_text(&one.text, &other.text) {
                    let at = at.max(other_at);
                    decided = Some(decided.map_or(at, |earlier| earlier.min(at)));
                }
            }
        }
    }
    Some((different(documents)?, decided?))
}

impl Lost {
    /// A failure that the end of the reply brings; the cause is kept for what was cut.
    pub(super) fn at_end(code: Code, ending: Ending, len: usize) -> Self {
        let cause = (code.kind() == thusfar_core::FailureKind::Truncated).then(|| Cause::of(ending));
        Self { code, cause, offset: len, decided_at: len, repairs: Vec::new() }
    }
}
