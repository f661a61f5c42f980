//! What calls come to, by name: replies that are read, and calls without one.

use thusfar_contract::{Case, Check, Contract, NoReply};
use thusfar_core::{Document, Ending, Event, Expect, Failure, Flow, Reply, Sink};

const SCHEMA: &str = r#"{"properties": {"n": {"maximum": 3}}}"#;

/// What a call came to, owned.
pub(crate) enum Came {
    Document(Document, Check),
    Failure(Failure),
    NoReply(NoReply),
    Refused(Failure),
}

impl Came {
    /// The same, borrowed.
    pub(crate) fn case(&self) -> Case<'_> {
        match self {
            Came::Document(document, check) => Case::checked(document, check),
            Came::Failure(failure) => Case::failed(failure),
            Came::NoReply(why) => Case::no_reply(*why),
            Came::Refused(failure) => Case::failed(failure).refused("I will not."),
        }
    }
}

/// A reply that is read to its end, and held against the schema.
pub(crate) fn read(text: &str, ending: Ending) -> Came {
    let mut reply = Reply::new(Expect::object());
    let _ = reply.push(text);
    match reply.finish(ending) {
        Ok(document) => {
            let check = Contract::from_schema(SCHEMA).expect("a schema").check(&document);
            Came::Document(document, check)
        }
        Err(failure) => Came::Failure(failure),
    }
}

/// Outcomes of calls by name.
pub(crate) fn came(name: &str) -> Came {
    match name {
        "valid" => read("{\"n\": 1}", Ending::Stop),
        "repaired" => read("{\"n\": 1,}", Ending::Stop),
        "bracket" => read("{\"n\": [1}}", Ending::Stop),
        "mismatch" => read("{\"n\": 7}", Ending::Stop),
        "other mismatch" => read("{\"n\": 8, \"m\": 1}", Ending::Stop),
        "literal" => read("{\"n\": tru}", Ending::Stop),
        "literal elsewhere" => read("Well: {\"m\": [1, nul]}", Ending::Stop),
        "comma" => read("{\"n\": [1 2]}", Ending::Stop),
        "ambiguous" => read("{\"n\": 1} or {\"n\": 2}", Ending::Stop),
        "cut" => read("{\"n\": [1, 2", Ending::Length),
        "cut in a string" => read("{\"n\": \"1, 2", Ending::Length),
        "cut later" => read("{\"n\": [1, 2, 3, 4", Ending::Length),
        "unknown" => read("{\"n\": [1, 2", Ending::Unknown),
        "unclosed" => read("{\"n\": [1, 2]", Ending::Stop),
        "filtered" => read("{\"n\": [1, 2", Ending::Filtered),
        "cancelled" => read("{\"n\": [1, 2", Ending::Cancelled),
        "nothing" => read("Sorry, no.", Ending::Stop),
        "runaway" => read(&format!("{{\"n\": \"{}", "once more ".repeat(1000)), Ending::Length),
        "limit" => read(&"{\"a\":".repeat(200), Ending::Length),
        "slow" => read("{\"n\": [1, 2", Ending::TimedOut),
        "slower" => Came::NoReply(NoReply::TimedOut),
        "rate limit" => Came::NoReply(NoReply::RateLimited),
        "connection" => Came::NoReply(NoReply::Connection),
        "provider" => Came::NoReply(NoReply::Provider),
        "disconnected" => read("{\"n\": [1, 2", Ending::Disconnected),
        "failed" => read("{\"n\": [1, 2", Ending::Failed),
        "veto" => {
            let mut reply = Reply::with_sink(Expect::object(), Refusing);
            let _ = reply.push("{\"n\": 1}");
            Came::Failure(reply.finish(Ending::Stop).expect_err("refused"))
        }
        "refused" => match read("", Ending::Stop) {
            Came::Failure(failure) => Came::Refused(failure),
            _ => panic!("nothing was said"),
        },
        name => panic!("no outcome {name}"),
    }
}

/// Refuses every number.
struct Refusing;

impl Sink for Refusing {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::ScalarOpen { at, .. } => Flow::veto("no_numbers", at),
            _ => Flow::Continue,
        }
    }
}
