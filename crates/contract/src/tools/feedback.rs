//! What to say to a model whose call was not run.

use super::Tools;
use super::call::{CallCode, CallOutcome, RefusedCall};
use crate::shown::on_one_line;
use crate::violation::named;

/// Characters of a sentence about one thing.
const SENTENCE: usize = 400;
/// Things that are told of one call.
const TOLD: usize = 20;
/// Names of tools that are told.
const LISTED: usize = 50;

impl Tools {
    /// What to send back so that the call is made again: what was not run and why, one thing on a line, and what to do. Of a broken schema
    /// the first 20 violations, of an unknown name the first 50 names that were offered. No text of the model stands in it unquoted.
    ///
    /// ```
    /// use thusfar_contract::Tools;
    /// use thusfar_core::Ending;
    ///
    /// let tools = Tools::from_json(r#"["weather", "time"]"#)?;
    /// let mut rescue = tools.rescue();
    /// let _ = rescue.push(r#"{"name": "forecast", "arguments": {"city": "Oslo"}}"#);
    /// let rescued = rescue.finish(Ending::Stop);
    /// let refused = rescued.failure().expect("no such tool");
    /// assert_eq!(
    ///     tools.feedback(refused),
    ///     "Your call of `forecast` was not run: no tool of this name was offered.\n\
    ///      The tools are `weather`, `time`.\nCall one of them by its exact name."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn feedback(&self, refused: &RefusedCall) -> String {
        let whose = refused.name().map(|name| format!(" of {}", named(name))).unwrap_or_default();
        let violations = refused.check().violations();
        let mut text = match refused.outcome() {
            CallOutcome::NotFound => "There was no tool call in your reply".to_owned(),
            _ => format!("Your call{whose} was not run"),
        };
        match (refused.outcome(), violations.is_empty()) {
            (CallOutcome::NotFound, _) => text.push('.'),
            (_, true) => text.push_str(&format!(": {}.", refused.code().message())),
            (_, false) => {
                text.push(':');
                for violation in violations.iter().take(TOLD) {
                    text.push_str("\n- ");
                    text.push_str(&on_one_line(violation.message(), SENTENCE));
                }
            }
        }
        if refused.code() == CallCode::UnknownTool {
            text.push_str(&self.listed());
        }
        text.push('\n');
        text.push_str(cure(refused.code()));
        text
    }

    fn listed(&self) -> String {
        let names: Vec<_> = self.iter().take(LISTED).map(|tool| named(tool.name())).collect();
        let more = self.len() - names.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("\nThe tools are {}{more}.", names.join(", "))
    }
}

/// The one thing to do.
const fn cure(code: CallCode) -> &'static str {
    match code {
        CallCode::UnknownTool => "Call one of them by its exact name.",
        CallCode::MissingArguments => "Call it again with its required arguments.",
        CallCode::ArgumentsNotObject => "Call it again with one JSON object as its arguments.",
        CallCode::Schema | CallCode::DeclarationEchoed => "Call it again with arguments that follow its schema.",
        CallCode::CloseTagBehind => "If you meant it, make the call again outside of your reasoning.",
        CallCode::NoCall | CallCode::UnknownDialect => {
            "If you meant to call a tool, use the tool calls of the interface."
        }
        _ => match code.outcome() {
            CallOutcome::Truncated => "Call it again in full; shorter arguments are less likely to be cut.",
            CallOutcome::Ambiguous => "Make each call once, with one name and one set of arguments.",
            _ => "Call it again; use the tool calls of the interface if you can.",
        },
    }
}
