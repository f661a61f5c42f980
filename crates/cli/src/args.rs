//! The arguments: what may be asked for, under which names, with which defaults.
//!
//! The names are those of the engine (`Ending::ALL`, `RepairKind::as_str`); requests of `batch` use the same tables.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use thusfar_contract::{Contract, When};
use thusfar_core::{Ending, Expect, RepairKind, Root, Take};
use thusfar_stream::{Framing, Provider};

/// The kinds of root with their names.
pub(crate) const ROOTS: [(Root, &str); 4] =
    [(Root::Object, "object"), (Root::Array, "array"), (Root::Any, "any"), (Root::Value, "value")];

/// The ways to take a document with their names.
pub(crate) const TAKES: [(Take, &str); 4] =
    [(Take::Only, "only"), (Take::First, "first"), (Take::Last, "last"), (Take::Alone, "alone")];

/// What a reply is to whoever looks for calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Text in which calls may have been printed.
    Text,
    /// The arguments of one call that was made.
    Arguments,
}

/// The payloads with their names.
pub(crate) const PAYLOADS: [(Payload, &str); 2] = [(Payload::Text, "text"), (Payload::Arguments, "arguments")];

/// When printed calls are looked for, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rescuing(pub(crate) Option<When>);

const RESCUES: [(Rescuing, &str); 3] =
    [(Rescuing(Some(When::Always)), "always"), (Rescuing(Some(When::Fallback)), "fallback"), (Rescuing(None), "never")];

const EXIT_CODES: &str = "\
Exit codes:
  0    a document (tools: calls; extract: a value for every target; batch, audit: every line is ok; events: all of them, and nothing else)
  1    a failure: truncated, malformed, ambiguous, not found, runaway, over a limit, not as the schema asks
       (tools: no call, or one that is refused; extract: a target without a value; events: cut, broken, no events)
  2    wrong usage, unreadable input, a schema, a list of tools or a spec that is none (batch, audit: a line that is no request)
  141  whoever read the output went away

A file that is not given, or `-`, is standard input (audit: only `-`).";

const AFTER_PARSE: &str = "\
Examples:
  thusfar parse reply.txt                         the document, as it was written
  thusfar parse --pretty reply.txt | less         the same, indented
  cat reply.txt | thusfar parse --root object --ending length
  thusfar parse --take last --no-repair comment --json reply.txt

The document goes to standard output; repairs, warnings and failures go to standard error.
Exit codes: 0 a document, 1 a failure, 2 wrong usage or unreadable input.";

const AFTER_VALIDATE: &str = r#"The schema is a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12 (if `$schema` names none: 2020-12). Nothing outside it is
fetched, and nothing is coerced, defaulted or unwrapped: the document is valid as it was written, or it is not.

A valid document goes to standard output. Otherwise standard error has what can be sent back to the model: on a terminal
below each place with its source line, elsewhere alone. With --json one line is printed, the report of `parse --json` with
what the document breaks of the schema:
  {"outcome":"schema_mismatch","document":{...},"repairs":[],"warnings":[],"violations":[{"path":"/confidence",
   "keyword":"maximum","expected":100,"got":150,"when":"at_close","offset":18,"start":15,"line":1,"column":16,"message":"..."}]}
The reply is held against the schema while it comes. The first violation is the one that was certain first: `offset` is the
byte behind which no way to go on is valid, `when` says whether its value was still open (early), had closed (at_close), or
whether the whole document had to be there (final). `thusfar schema` says that of each keyword of a schema. A reply that was
cut behind it is a mismatch too, with a `failure` whose code is schema_mismatch.

Examples:
  thusfar validate --schema answer.schema.json reply.txt
  cat reply.txt | thusfar validate --schema answer.schema.json --ending length --json

Exit codes: 0 a valid document, 1 none, or one that is not valid, 2 wrong usage, unreadable input, a schema that is none."#;

const AFTER_SCHEMA: &str = r#"Each keyword that asks for something is a line: when it is told of a reply that breaks it, and where it stands in the schema.
  early     while its value is open, at the first byte behind which no way to go on is valid
  at_close  when its value has closed
  final     by the full validator, when the whole document is there; a reason stands behind it
With --json one line is printed:
  {"draft":"2020-12","coverage":[{"pointer":"/properties/label/enum","keyword":"enum","when":"early"}],"early":1,"at_close":0,"final":0}

Examples:
  thusfar schema answer.schema.json
  jq '.response_format.json_schema.schema' request.json | thusfar schema --json

Exit codes: 0 the schema can be used, 2 wrong usage, unreadable input, a schema that is none."#;

const AFTER_TOOLS: &str = r#"The list is that of a provider (OpenAI, Anthropic, Gemini, Bedrock), a request that holds one, what an MCP server listed, or
an array of names. Calls are looked for in every dialect that is known, only of these tools, and never in reasoning. None is
guessed, completed or repaired beyond what `parse` repairs: a call that is cut, that breaks its schema or that can be read in
two ways is refused. With --payload arguments the input is the text of the arguments of one call that was made.

Each call goes to standard output as a line of its own; what is refused, and the text that is left, to standard error:
  {"name":"weather","arguments":{"city":"Oslo"}}
With --json one line is printed:
  {"outcome":"ok","calls":[{"name":"weather","arguments":{"city":"Oslo"},"dialect":"hermes","start":5,"end":74}],"text":"Sure."}

Examples:
  thusfar tools --tools tools.json reply.txt
  thusfar tools --tools request.json --ending length --json reply.txt
  thusfar tools --tools tools.json --payload arguments --tool weather arguments.txt

Exit codes: 0 there are calls, and nothing else was meant as one, 1 anything else, 2 wrong usage, unreadable input, or a list that
is none."#;

const AFTER_EXTRACT: &str = r#"The spec names the targets, of type enum, number, integer, boolean or text:
  {"targets":[{"name":"verdict","type":"enum","values":["approve","reject"],"labels":["Verdict","Decision"]},
   {"name":"score","type":"number","min":0,"max":100},{"name":"blocking","type":"boolean"}]}
Any target may have `labels` (else its name is the label) and `which` (only, first, last), an enum `aliases`, a number `min`,
`max`, `scale` and `unit`.

A value behind its label counts first (`Verdict: approve`); the whole text is looked at only where no label is there. Two
different values are ambiguous, one under negation is none, and nothing is clamped, rescaled, defaulted or rounded. Where you
control the producer, ask for JSON, or at least for labels.

Each target that has a value is a line on standard output, its name, a tab, the value; why another one has none is told on
standard error:
  verdict	approve
With --json one line is printed; a target that is not ok has `code`, and `candidates` or `got`:
  {"outcome":"ok","targets":{"verdict":{"outcome":"ok","value":"approve","via":"label","start":31,"end":38}}}

Examples:
  thusfar extract --spec verdict.json reply.txt
  cat reply.txt | thusfar extract --spec verdict.json --ending length --json

Exit codes: 0 a value for every target, 1 a target without one, or input that is no text, 2 wrong usage, unreadable input, or a
spec that is none."#;

const AFTER_BATCH: &str = r#"Each line of the input is a request, each line of the output its report, in the same order:
  {"id":"a1","text":"..."}
  {"id":"a2","chunks":["...","..."],"root":"object","take":"last","ending":"stop"}

  {"id":"a3","text":"...","tools":[...]}
  {"id":"a4","text":"...","tools":[...],"payload":"arguments","tool":"weather"}
  {"id":"a5","text":"...","spec":{"targets":[...]}}

`root`, `take`, `ending`, `schema`, `tools` and `spec` of a request stand above the options; `id` may be any JSON value. Where
there is a schema, the report has `violations`. With `tools` it is that of `tools --json`; `payload` `arguments` needs a `tool`,
and without `tools` any object is right. With `spec` it is that of `extract --json`. What came in a request is held to closer
limits than a file of --schema, --tools or --spec.
A line that is no request gets a line with an `error` in its place.

Example:
  thusfar batch --root object replies.jsonl > reports.jsonl

Exit codes: 0 every line is ok, 1 some line is a failure, 2 some line is no request, or its schema, list of tools or spec is none,
or unreadable input."#;

const AFTER_AUDIT: &str = r#"Each line is a request, as `batch` reads it, and is judged here; or a report, as `batch`, `stream --json` and the --json of
`parse`, `validate`, `tools` and `extract` print it: a line with an `outcome` and neither `text` nor `chunks`, or with `calls`.
  {"id":"a1","model":"m","text":"...","ending":"length"}
  {"id":"a2","outcome":"ok","document":{...},"repairs":[],"warnings":[]}

What a request says stands above the options; `ending` says what ended its reply, in the words of --ending. The `id` and the
`model` of a line are shown with its example.

Counted are outcomes, repairs, warnings and codes, each with its share of all replies, and what became of each target of
signals; of requests the length of their replies, and the bytes that were written after the answer was certain. For the
commonest failure the cure is told. A file that is named twice counts twice. Memory does not grow with the log.

Examples:
  thusfar audit monday.jsonl tuesday.jsonl
  jq -c '{id, model, text: .response}' gateway.jsonl | thusfar audit --schema answer.schema.json -
  thusfar batch --schema answer.schema.json replies.jsonl | tee reports.jsonl | thusfar audit -
  thusfar audit --json --html week.html logs/*.jsonl

Exit codes: 0 every reply is ok, 1 some reply is not, 2 some line is neither a request nor a report, wrong usage, or unreadable
input."#;

const AFTER_EVENTS: &str = r#"Each event is a line of its own; the last line says what was left when the body ended:
  {"event":"message","data":"{\"n\":1}","id":"","retry":null}
  {"eof":{"partial_line":false,"pending_event":false}}

Without --framing the first byte decides: `[` a JSON array, `{` JSON lines, a zero byte AWS frames, anything else
server-sent events. What is no event (an error in JSON, a page, a cut) is told on standard error.

Example:
  curl -sN https://provider.example/v1/chat/completions -d @request.json | thusfar events

Exit codes: 0 all events were read, 1 the body was cut, broken, said an error beside its events, or holds none,
2 wrong usage or unreadable input."#;

const AFTER_STREAM: &str = r#"The lanes are the text of each choice, its reasoning, a refusal, and the arguments of each tool call. Arguments are
always judged; text only where the request asks for JSON, or with --judge text or --schema. Text is held against the
schema of --schema, else that of the request; arguments against that of their tool, where --tools or the request offers tools:
while they come, so that the advice to hang up names the byte of the body at which they could no longer be valid (text that may
be calls is judged at its end; --rescue never says that it may not).
A call of a tool that is not offered is a failure. Where a choice made no call and the stream is complete, calls are looked for
in its text too (--rescue); calls in reasoning are told, and are none. With --spec the text of each choice, which need be no JSON
then, is to have a value for every target.

With --json one line is printed at the end:
  {"provider":"openai","outcome":"complete","terminal":"[DONE]","lanes":[{"choice":0,"kind":"text","tool":null,"id":null,
   "name":null,"text":"...","report":null}],"finish":[...],"usage":null,"error":null,"advice":null}
`outcome` is complete, truncated_length, truncated_cut, filtered, error or cancelled; `report` is that of `parse --json`,
with a schema that of `validate --json`. Where calls were looked for or checked, a lane has a `tool_report`, that of
`tools --json`; with --spec one of text has a `signal_report`, that of `extract --json`.

Example:
  curl -sN https://provider.example/v1/chat/completions -d @request.json | thusfar stream --request request.json

Exit codes: 0 the stream is complete, each judged lane has its document, as the schema asks, no call is refused, and with --spec
each choice has text with a value for every target, 1 anything else, 2 wrong usage, unreadable input, or a schema, a list of
tools or a spec that is none."#;

const AFTER_WATCH: &str = r#"On a terminal the document is drawn as it grows: a string that is growing ends with a mark, and a mark stands where a
container will close. Elsewhere each chunk that changed something is a line, and the last line is the report of
`parse --json`, whose excerpt ends where reading stopped (of a body: the line of `stream --json`):
  {"bytes":14,"changes":[{"seq":1,"change":"opened","path":"","kind":"object"},
   {"seq":2,"change":"opened","path":"/name","kind":"string"},{"seq":3,"change":"grew","path":"/name","text":"Ad"}]}
  {"bytes":30,"report":{"outcome":"ok","document":{...},"repairs":[],"warnings":[]}}
With --json-patch a line is a patch (RFC 6902), with one operation more, `append`, for strings that grow:
  [{"op":"add","path":"","value":{}},{"op":"add","path":"/name","value":"Ad"}]
With --views a line says what each prefix shows, and what is known of it for good:
  {"bytes":64,"view":{"items":[1,2]},"closed":["/items/0","/items/1"]}
Of a body each line begins with its lane, {"lane":{"choice":0,"kind":"text","tool":null,"name":null},...}, and holds the
patch as "patch"; text that carries no document fails only where the choice calls no tool.

Examples:
  thusfar watch --rate 200 reply.txt              as if a model wrote it
  curl -sN https://provider.example/v1/chat/completions -d @request.json | thusfar watch --provider auto
  thusfar watch --views --chunk 1 reply.txt       what is shown at every byte

Exit codes: 0 a document, 1 a failure, 2 wrong usage or unreadable input. What failed is shown as far as it came."#;

/// The framings with their names, and none of them.
fn framings() -> Vec<(Option<Framing>, &'static str)> {
    let named = Framing::ALL.iter().map(|&(framing, name)| (Some(framing), name));
    [(None, "auto")].into_iter().chain(named).collect()
}

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "thusfar", version, about, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read one reply and print its document
    #[command(after_help = AFTER_PARSE, next_line_help = true)]
    Parse(ParseArgs),
    /// Read one reply and hold its document against a JSON Schema
    #[command(after_help = AFTER_VALIDATE, next_line_help = true)]
    Validate(ValidateArgs),
    /// Say of each keyword of a JSON Schema when it is told that a reply breaks it
    #[command(after_help = AFTER_SCHEMA, next_line_help = true)]
    Schema(SchemaArgs),
    /// Read one reply for calls of tools that were printed as text
    #[command(after_help = AFTER_TOOLS, next_line_help = true)]
    Tools(ToolsArgs),
    /// Read one reply for verdicts, scores, flags and short texts in its prose
    #[command(after_help = AFTER_EXTRACT, next_line_help = true)]
    Extract(ExtractArgs),
    /// Read requests as JSON Lines and print a report for each
    #[command(after_help = AFTER_BATCH, next_line_help = true)]
    Batch(BatchArgs),
    /// Read many logged replies, or reports of them, and tell what failed and why
    #[command(after_help = AFTER_AUDIT, next_line_help = true)]
    Audit(AuditArgs),
    /// Read the body of a streaming response and print its events as JSON Lines
    #[command(after_help = AFTER_EVENTS, next_line_help = true)]
    Events(EventsArgs),
    /// Read a streaming completion of any provider: what each lane says, how it ended, when to hang up
    #[command(after_help = AFTER_STREAM, next_line_help = true)]
    Stream(StreamArgs),
    /// Show the document as it grows: drawn on a terminal, as lines of JSON elsewhere
    #[command(after_help = AFTER_WATCH, next_line_help = true)]
    Watch(WatchArgs),
}

/// The arguments of `parse`.
#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Print one line, the report, instead of the document
    #[arg(long)]
    pub(crate) json: bool,
    /// Indent the document; digits and escapes stay as written
    #[arg(long, conflicts_with = "json")]
    pub(crate) pretty: bool,
    /// The reply [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `validate`.
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// The JSON Schema that the document is to follow
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) schema: PathBuf,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Print one line, the report, instead of the document
    #[arg(long)]
    pub(crate) json: bool,
    /// The reply [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The schema [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `tools`.
#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// The tools that are offered
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) tools: PathBuf,
    /// What the input is: text in which calls may have been printed, or the arguments of one call
    #[arg(long, value_name = "KIND", default_value = "text", value_parser = one_of(&PAYLOADS))]
    pub(crate) payload: Payload,
    /// The tool that is called with these arguments
    #[arg(long, value_name = "NAME", required_if_eq("payload", "arguments"))]
    pub(crate) tool: Option<String>,
    /// What ended the reply
    #[arg(long, value_name = "HOW", default_value = "unknown", value_parser = one_of(&Ending::ALL))]
    pub(crate) ending: Ending,
    /// Print one line, the report, instead of the calls
    #[arg(long)]
    pub(crate) json: bool,
    /// The reply [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `extract`.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// The targets that are to be read out of the reply
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) spec: PathBuf,
    /// What ended the reply
    #[arg(long, value_name = "HOW", default_value = "unknown", value_parser = one_of(&Ending::ALL))]
    pub(crate) ending: Ending,
    /// Print one line, the report, instead of the values
    #[arg(long)]
    pub(crate) json: bool,
    /// The reply [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `batch`.
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// The JSON Schema for lines that bring none
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) schema: Option<PathBuf>,
    /// The tools for lines that bring none, and no schema
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "schema")]
    pub(crate) tools: Option<PathBuf>,
    /// The spec of signals for lines that bring none, no schema and no tools
    #[arg(
        long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with_all = ["schema", "tools"]
    )]
    pub(crate) spec: Option<PathBuf>,
    /// The requests [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// The JSON Schema for requests that bring none
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) schema: Option<PathBuf>,
    /// The tools for requests that bring none, and no schema
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "schema")]
    pub(crate) tools: Option<PathBuf>,
    /// The spec of signals for requests that bring none, no schema and no tools
    #[arg(
        long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with_all = ["schema", "tools"]
    )]
    pub(crate) spec: Option<PathBuf>,
    /// Print one line of JSON instead of the report for people
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page with the same as charts; it replaces an earlier page, and nothing else
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// Judge in so many threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// The logs; `-` is standard input
    #[arg(value_name = "LOGS", required = true, value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
}

/// The arguments of `events`.
#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    /// How events are put into the body
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = framing())]
    pub(crate) framing: MaybeFraming,
    /// Print a last event that no blank line closed, if its data are one whole JSON text or [DONE]
    #[arg(long)]
    pub(crate) take_unclosed: bool,
    /// The body [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `stream`.
#[derive(Debug, Args)]
pub(crate) struct StreamArgs {
    /// Whose events they are [default: the first event tells]
    #[arg(long, value_name = "NAME", value_parser = one_of(Provider::ALL))]
    pub(crate) provider: Option<Provider>,
    /// The request that was sent: what it asks for is expected
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) request: Option<PathBuf>,
    /// The JSON Schema that the text is to follow [default: the one that the request asks for]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) schema: Option<PathBuf>,
    /// The tools that are offered [default: those of the request]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) tools: Option<PathBuf>,
    /// When calls are looked for in text: always, never, or where the choice made none and the stream is complete
    #[arg(long, value_name = "WHEN", default_value = "fallback", value_parser = one_of(&RESCUES))]
    pub(crate) rescue: Rescuing,
    /// The signals that are to be read out of the text of each choice
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) spec: Option<PathBuf>,
    /// What is judged besides the arguments of tool calls
    #[arg(long, value_name = "LANE", value_parser = ["text"])]
    pub(crate) judge: Option<String>,
    /// Stop reading when nothing that follows can matter
    #[arg(long)]
    pub(crate) cancel: bool,
    /// Print one line at the end instead of the lanes as they grow
    #[arg(long)]
    pub(crate) json: bool,
    /// The kind of root that judged text is expected to have [default: what the schema or the request says, else any]
    #[arg(long, value_name = "KIND", value_parser = one_of(&ROOTS))]
    pub(crate) root: Option<Root>,
    /// Which document of judged text counts when there are several
    #[arg(long, value_name = "WHICH", default_value = "only", value_parser = one_of(&TAKES))]
    pub(crate) take: Take,
    /// The body [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The arguments of `watch`.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// The input is the body of a streaming response of this provider; auto: the first event tells. Else it is a reply
    #[arg(long, value_name = "NAME", value_parser = provider())]
    pub(crate) provider: Option<MaybeProvider>,
    /// Print what is shown at each prefix, piece by piece
    #[arg(long)]
    pub(crate) views: bool,
    /// Print patches instead of changes, and nothing else
    #[arg(long, conflicts_with = "views")]
    pub(crate) json_patch: bool,
    /// Read pieces of exactly so many bytes [default: with --views 64, else what the input gives]
    #[arg(long, value_name = "BYTES")]
    pub(crate) chunk: Option<NonZeroUsize>,
    /// Read so many bytes a second
    #[arg(long, value_name = "BYTES_PER_S")]
    pub(crate) rate: Option<NonZeroU64>,
    /// The reply, or the body [default: standard input]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// A provider, or none: the first event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaybeProvider(pub(crate) Option<Provider>);

/// A framing, or none: it is guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaybeFraming(pub(crate) Option<Framing>);

/// What is expected of a reply and how it ended.
#[derive(Clone, Debug, Args)]
pub(crate) struct Judging {
    /// The kind of root: `any` is an object or an array, `value` a whole reply of any kind [default: any; with a schema,
    /// what that asks for]
    #[arg(long, value_name = "KIND", value_parser = one_of(&ROOTS))]
    pub(crate) root: Option<Root>,
    /// Which document counts when there are several
    #[arg(long, value_name = "WHICH", default_value = "only", value_parser = one_of(&TAKES))]
    pub(crate) take: Take,
    /// What ended the reply
    #[arg(long, value_name = "HOW", default_value = "unknown", value_parser = one_of(&Ending::ALL))]
    pub(crate) ending: Ending,
    /// A repair to refuse; may be given several times
    #[arg(long, value_name = "KIND", value_parser = repairs())]
    pub(crate) no_repair: Vec<RepairKind>,
}

impl Judging {
    /// What the engine is to expect.
    pub(crate) fn expect(&self, contract: Option<&Contract>) -> Expect {
        let root = self.root.or(contract.map(Contract::root)).unwrap_or(Root::Any);
        let expect = Expect::root(root).take(self.take);
        self.no_repair.iter().fold(expect, |expect, &kind| expect.without(kind))
    }
}

/// The value of a name in a table; `_` and `-` are the same, for providers write `tool_use` and the like.
pub(crate) fn named<T: Copy>(table: &[(T, &str)], name: &str) -> Option<T> {
    let same = |known: &str| known.len() == name.len() && known.replace('_', "-") == name.replace('_', "-");
    table.iter().find(|(_, known)| same(known)).map(|&(value, _)| value)
}

/// The names of a table, as the help and a usage error list them.
fn one_of<T: Copy + Send + Sync + 'static>(table: &'static [(T, &'static str)]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(table.iter().map(|&(_, name)| PossibleValue::new(name)))
        .try_map(|name| named(table, &name).ok_or("unknown name"))
}

fn provider() -> impl TypedValueParser<Value = MaybeProvider> {
    let names = ["auto"].into_iter().chain(Provider::ALL.iter().map(|&(_, name)| name));
    PossibleValuesParser::new(names.map(PossibleValue::new)).map(|name| MaybeProvider(named(Provider::ALL, &name)))
}

fn framing() -> impl TypedValueParser<Value = MaybeFraming> {
    let table = framings();
    PossibleValuesParser::new(table.iter().map(|&(_, name)| PossibleValue::new(name)))
        .try_map(move |name| named(&table, &name).map(MaybeFraming).ok_or("unknown name"))
}

fn repairs() -> impl TypedValueParser<Value = RepairKind> {
    PossibleValuesParser::new(RepairKind::ALL.map(RepairKind::as_str))
        .try_map(|name| RepairKind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or("unknown name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn names_may_be_written_with_either_dash() {
        assert_eq!(named(&Ending::ALL, "tool_use"), Some(Ending::ToolUse));
        assert_eq!(named(&Ending::ALL, "tool-use"), Some(Ending::ToolUse));
        assert_eq!(named(&Ending::ALL, "tool use"), None);
        assert_eq!(named(&TAKES, "firs"), None);
    }

    #[test]
    fn a_refused_repair_is_not_allowed() {
        let cli =
            Cli::try_parse_from(["thusfar", "parse", "-", "--no-repair", "comment", "--no-repair", "raw_control"]);
        let Ok(Cli { command: Command::Parse(args) }) = cli else { panic!("a usage error") };
        let expect = args.judging.expect(None);
        assert!(!expect.allows(RepairKind::Comment) && !expect.allows(RepairKind::RawControl));
        assert!(expect.allows(RepairKind::TrailingComma));
        assert_eq!((expect.expected_root(), expect.taken()), (Root::Any, Take::Only));
    }
}
