//! What became of one request: a document's verdict, calls or signals, and what a line is held against.
//!
//! `batch` prints a [`Judged`], `audit` counts one: the rules are the same. What a request asks for stands above the options.

use std::path::PathBuf;

use thusfar_contract::{CallOutcome, Contract, Signals, Tools};
use thusfar_core::{Progress, Reply};

use crate::args::Judging;
use crate::calls::{Calls, Failing, Reading};
use crate::found::{Finding, Found};
use crate::input::Trouble;
use crate::kept::Kept;
use crate::offer;
use crate::report;
use crate::request::{NoRequest, Request, Wanted};
use crate::schema::{self, Schemas};
use crate::signalled::{Listening, Signalled};
use crate::spec;

/// Bytes that are read at once where the byte is sought that decides.
const BLOCK: usize = 1 << 10;

/// What became of one request.
pub(crate) enum Judged {
    /// A document was asked for.
    Document(Box<Found>),
    /// Calls were asked for.
    Calls(Calls),
    /// Signals were asked for.
    Signals(Signalled),
}

impl Judged {
    /// Whether the reply is what was asked for.
    pub(crate) fn is_ok(&self) -> bool {
        match self {
            Judged::Document(found) => found.is_ok(),
            Judged::Calls(calls) => calls.outcome() == CallOutcome::Ok,
            Judged::Signals(signalled) => signalled.is_ok(),
        }
    }

    /// Adds the report, with its line feed. `seen` is the reply.
    pub(crate) fn push_report(&self, line: &mut String, id: &str, seen: &[u8]) {
        match self {
            Judged::Document(found) => found.push_report(line, Some(id), seen),
            Judged::Calls(calls) => report::push_calls(line, Some(id), seen, calls),
            Judged::Signals(signalled) => report::push_signals(line, Some(id), seen, signalled),
        }
    }
}

/// The schemas, lists of tools and specs that lines are held against.
pub(crate) struct Known {
    schemas: Schemas,
    offers: Kept<Tools>,
    specs: Kept<Signals>,
}

/// What one line is held against.
enum Held<'k> {
    Document(Option<&'k Contract>),
    Calls(Tools),
    Arguments(Tools, &'k str),
    Signals(Signals),
}

impl Known {
    /// What the options name. `input` is where the requests come from.
    pub(crate) fn of_files(
        schema: Option<&PathBuf>,
        tools: Option<&PathBuf>,
        spec: Option<&PathBuf>,
        input: Option<&PathBuf>,
    ) -> Result<Self, Trouble> {
        let schema = schema.map(|path| schema::of_file(path, input)).transpose()?;
        let tools = tools.map(|path| offer::of_file(path, input)).transpose()?;
        let spec = spec.map(|path| spec::of_file(path, input)).transpose()?;
        Ok(Self { schemas: Schemas::new(schema), offers: offer::offers(tools), specs: spec::specs(spec) })
    }

    /// Judges a request that was read.
    pub(crate) fn judge(&mut self, request: &Request, defaults: &Judging) -> Result<Judged, NoRequest> {
        self.of_line(request).map(|held| held.judge(request, defaults))
    }

    /// The same schemas, lists and specs for somebody else, without those of lines.
    pub(crate) fn another(&self) -> Self {
        Self {
            schemas: Schemas::new(self.schemas.given().cloned()),
            offers: offer::offers(self.offers.given()),
            specs: spec::specs(self.specs.given()),
        }
    }

    /// Bytes of the shortest beginning of the reply that makes the answer certain, or all of it. Where reading does not tell that by
    /// itself, what is decided is read again: at most twice as much as there is.
    pub(crate) fn certain_len(&mut self, request: &Request, defaults: &Judging, judged: &Judged) -> usize {
        let len = request.text.len();
        if matches!(judged, Judged::Document(found) if !found.progress.is_decided()) {
            return len;
        }
        let Ok(held) = self.of_line(request) else { return len };
        match (judged, held) {
            (Judged::Document(found), Held::Document(contract)) => match (found.doomed_at, found.progress) {
                (Some(doomed_at), _) => len.min(doomed_at + 1),
                (None, Progress::Final) => {
                    let expect = judging(request, defaults).expect(contract);
                    shortest(&request.text, || Reply::new(expect), |reply, text| reply.push(text).is_decided())
                }
                _ => len,
            },
            (Judged::Calls(calls), Held::Calls(tools)) if calls.is_decided() => {
                shortest(&request.text, || tools.rescue(), |rescue, text| rescue.push(text).is_decided())
            }
            (Judged::Calls(calls), Held::Arguments(..)) => match calls.failing() {
                Some(Failing::Call(refused)) => len.min(refused.decided_at() + 1),
                _ => len,
            },
            (Judged::Signals(signalled), _) => len.min(signalled.certain_len()),
            _ => len,
        }
    }

    fn of_line<'k>(&'k mut self, request: &'k Request) -> Result<Held<'k>, NoRequest> {
        let of_tools = |why: String| NoRequest::of_tools(&why);
        match request.wanted()? {
            Wanted::Schema(schema) => {
                self.schemas.of_line(schema).map(Held::Document).map_err(|error| NoRequest::of_schema(&error))
            }
            Wanted::Calls(tools) => self.offers.of_line(tools).map(Held::Calls).map_err(of_tools),
            Wanted::Arguments(name, listed) => {
                let tools = match (listed, self.offers.given()) {
                    (Some(tools), _) => self.offers.of_line(tools),
                    (None, Some(given)) => Ok(given),
                    (None, None) => offer::alone(name),
                };
                tools.map(|tools| Held::Arguments(tools, name)).map_err(of_tools)
            }
            Wanted::Signals(spec) => {
                self.specs.of_line(spec).map(Held::Signals).map_err(|why| NoRequest::of_spec(&why))
            }
            // The options name one of them at most.
            Wanted::Default => match (self.offers.given(), self.specs.given()) {
                (Some(tools), _) => Ok(Held::Calls(tools)),
                (None, Some(signals)) => Ok(Held::Signals(signals)),
                (None, None) => Ok(Held::Document(self.schemas.given())),
            },
        }
    }
}

impl Held<'_> {
    fn judge(&self, request: &Request, defaults: &Judging) -> Judged {
        let ending = request.ending.unwrap_or(defaults.ending);
        match self {
            Held::Document(contract) => {
                let judging = judging(request, defaults);
                let mut finding = Finding::new(judging.expect(*contract), *contract);
                let (text, mut end) = (request.text.as_bytes(), 0);
                let _ = request.chunks().any(|chunk| {
                    end += chunk.len();
                    finding.take(&text[..end])
                });
                Judged::Document(Box::new(finding.finish(&text[..end], ending)))
            }
            Held::Arguments(tools, name) => {
                Judged::Calls(Calls::of_arguments(tools, name, request.text.as_bytes(), ending))
            }
            Held::Calls(tools) => {
                let mut reading = Reading::new(tools);
                let _ = request.chunks().any(|chunk| reading.push(chunk.as_bytes()));
                Judged::Calls(reading.finish(ending).0)
            }
            Held::Signals(signals) => {
                let mut listening = Listening::new(signals);
                let _ = request.chunks().any(|chunk| listening.push(chunk.as_bytes()));
                Judged::Signals(listening.finish(ending).0)
            }
        }
    }
}

/// What a request asks for stands above the options.
fn judging(request: &Request, defaults: &Judging) -> Judging {
    Judging {
        root: request.root.or(defaults.root),
        take: request.take.unwrap_or(defaults.take),
        ending: request.ending.unwrap_or(defaults.ending),
        no_repair: defaults.no_repair.clone(),
    }
}

/// Bytes of the shortest beginning of a text that decides, which some beginning does. The text is read in blocks, and up to the end of
/// the block that decides once more, that block character by character.
fn shortest<R>(text: &str, begin: impl Fn() -> R, decides: impl Fn(&mut R, &str) -> bool) -> usize {
    let next = |from: usize| (from + BLOCK..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let mut reader = begin();
    let mut from = 0;
    while from < text.len() && !decides(&mut reader, &text[from..next(from)]) {
        from = next(from);
    }
    let mut reader = begin();
    if decides(&mut reader, &text[..from]) {
        return from;
    }
    let mut end = from;
    for character in text[from..].chars() {
        let start = end;
        end += character.len_utf8();
        if decides(&mut reader, &text[start..end]) {
            break;
        }
    }
    end
}
