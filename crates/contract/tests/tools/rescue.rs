//! A reply read for printed tool calls, under every way of cutting it.

use std::fmt::Write as _;

use thusfar_contract::{RefusedCall, Rescue, RescueOptions, Rescued, ToolCall, Tools};
use thusfar_core::Ending;

/// Replies up to so many bytes are cut in two everywhere; longer ones at some places.
const CUT_EVERYWHERE: usize = 3_000;

/// What a reply comes to, which is the same however it is cut: whole, character by character, in two everywhere.
///
/// # Panics
/// When it is not, or when text that has been handed on is taken back without saying so.
#[must_use]
pub(crate) fn rescued(tools: &Tools, text: &str, ending: Ending) -> Rescued {
    rescued_with(tools, text, ending, RescueOptions::default())
}

/// The same with options.
///
/// # Panics
/// When it is not, or when text that has been handed on is taken back without saying so.
#[must_use]
pub(crate) fn rescued_with(tools: &Tools, text: &str, ending: Ending, options: RescueOptions) -> Rescued {
    let whole = read(tools, &[text], ending, options);
    let expected = told(&whole);
    let pieces: Vec<&str> = text.split_inclusive(|_| true).collect();
    assert_eq!(told(&read(tools, &pieces, ending, options)), expected, "character by character: {text:?}");
    let stride = text.len() / CUT_EVERYWHERE + 1;
    for (at, _) in text.char_indices().skip(1).step_by(stride) {
        let (front, behind) = text.split_at(at);
        let cut = read(tools, &[front, "", behind], ending, options);
        assert_eq!(told(&cut), expected, "cut at {at}: {text:?}");
    }
    holds(text, &whole);
    whole
}

pub(crate) fn read(tools: &Tools, chunks: &[&str], ending: Ending, options: RescueOptions) -> Rescued {
    let mut rescue = tools.rescue_with(options);
    let mut shown = (rescue.text().to_owned(), rescue.restarts());
    for chunk in chunks {
        let _ = rescue.push(chunk);
        grown(&rescue, &mut shown);
    }
    let rescued = rescue.finish(ending);
    assert!(
        rescued.restarts() != shown.1 || rescued.text().starts_with(&shown.0),
        "text that was handed on is taken back"
    );
    rescued
}

fn grown(rescue: &Rescue, shown: &mut (String, usize)) {
    if rescue.restarts() == shown.1 {
        assert!(rescue.text().starts_with(&shown.0), "text that was handed on is taken back");
        shown.0.push_str(&rescue.text()[shown.0.len()..]);
    } else {
        *shown = (rescue.text().to_owned(), rescue.restarts());
    }
}

/// What holds of everything that is found.
pub(crate) fn holds(text: &str, rescued: &Rescued) {
    let spans = rescued.calls().iter().map(ToolCall::span);
    let mut end = 0;
    for span in spans {
        assert!(end <= span.start && span.start < span.end && span.end <= text.len(), "{span:?} in {text:?}");
        end = span.end;
    }
    for refused in rescued.refused() {
        let (span, offset) = (refused.span(), refused.offset());
        assert!(span.end <= text.len() && offset <= text.len() && refused.decided_at() <= text.len(), "{refused:?}");
        assert!(text.is_char_boundary(offset), "{refused:?}");
    }
    let is_ok = rescued.failure().is_none();
    assert_eq!(
        is_ok,
        !rescued.calls().is_empty() && rescued.refused().is_empty() && rescued.outcome().as_str() == "ok"
    );
    assert!(rescued.text().len() <= text.len(), "more text than there is: {text:?}");
}

/// Everything a caller can see, written down.
#[must_use]
pub(crate) fn told(rescued: &Rescued) -> String {
    let mut told = format!("{}\n", rescued.outcome().as_str());
    for call in rescued.calls() {
        let _ = writeln!(told, "call {}", told_call(call));
    }
    for call in rescued.in_reasoning() {
        let _ = writeln!(told, "in reasoning {}", told_call(call));
    }
    for refused in rescued.refused().iter().chain(rescued.failure()) {
        let _ = writeln!(told, "{}", told_refused(refused));
    }
    let _ = writeln!(told, "text {:?}, repairs {:?}", rescued.text(), rescued.repairs());
    let _ = writeln!(told, "reasoning {:?}", rescued.reasoning());
    let _ = writeln!(told, "call-like {:?}, invented {:?}", rescued.call_like(), rescued.invented());
    told
}

fn told_call(call: &ToolCall) -> String {
    let (name, arguments, id) = (call.name(), call.arguments().text(), call.id());
    format!("{name} {arguments} {id:?} {} {:?} {:?}", call.dialect().as_str(), call.span(), call.check())
}

fn told_refused(refused: &RefusedCall) -> String {
    let place = (refused.span(), refused.offset(), refused.decided_at(), refused.path());
    let known = (refused.name(), refused.arguments().map(|arguments| arguments.text()), refused.candidates());
    let (code, cause) = (refused.code().as_str(), refused.cause());
    format!("{code} {cause:?} {} {place:?} {known:?} {:?}", refused.dialect().as_str(), refused.check().violations())
}
