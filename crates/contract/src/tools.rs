//! The tools that a request offers, and the calls of them that a model printed instead of making.
//!
//! Each tool has a name and, mostly, the schema of its arguments. What a reply says is held against both: only offered names are
//! calls, and no arguments are anything but what the model wrote.

mod list; // the lists that providers know
mod call; // what was found: calls, and what is none and why
mod input; // the text so far, and the pieces a dialect is read with
mod heard; // arguments held against their schema as they come
mod body; // a JSON value in it, read as it comes
mod shape; // JSON that means a call
mod judge; // names and arguments held against what was offered
mod xml; // parameters as text between tags
mod dialect; // how each dialect opens, and who reads it
mod finder; // what stands where: prose, fences, reasoning, calls
mod hint; // call-like text that no dialect knows
mod feedback; // what to say about a call that was not run
mod rescue; // all of it behind push and finish

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::json;
use thusfar_core::{Document, Ending, Expect};

pub use call::{CallCode, CallOutcome, RefusedCall, Rescued, ToolCall};
pub use dialect::Dialect;
pub use list::ToolsError;
pub use rescue::{Rescue, RescueOptions, When};

use crate::contract::Contract;
use crate::monitor::Monitor;
use crate::schema::SchemaOptions;

/// The tools of a request: made once, cheap to clone, `Send + Sync`.
///
/// ```
/// use thusfar_contract::Tools;
/// use thusfar_core::Ending;
///
/// let tools = Tools::from_json(
///     r#"[{"name": "weather", "input_schema": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}]"#,
/// )?;
/// let mut rescue = tools.rescue();
/// for chunk in ["Let me look.\n<tool", "_call>{\"name\": \"weather\", \"argu", "ments\": {\"city\": \"Oslo\"}}</tool_call>"] {
///     let _ = rescue.push(chunk);
/// }
/// let rescued = rescue.finish(Ending::Stop);
/// let [call] = rescued.calls() else { panic!("one") };
/// assert_eq!((call.name(), call.arguments().text()), ("weather", r#"{"city": "Oslo"}"#));
/// assert_eq!(rescued.text(), "Let me look.\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// * Made by [`from_json`](Tools::from_json), [`with_options`](Tools::with_options).
/// * Calls printed as text: [`rescue`](Tools::rescue). The arguments of a native call: [`arguments`](Tools::arguments), and while they come
///   [`monitor`](Tools::monitor).
#[derive(Clone)]
pub struct Tools {
    all: Arc<All>,
}

struct All {
    tools: Vec<Tool>,
    by_name: HashMap<String, usize>,
}

/// One tool.
pub struct Tool {
    name: String,
    contract: Option<Contract>,
    /// Whether a call may come without arguments.
    needs_none: bool,
}

impl Tools {
    /// Reads the tools that a program offers. Of those that came with somebody's request: [`with_options`](Tools::with_options) and
    /// [`SchemaOptions::untrusted`].
    ///
    /// | list | item |
    /// |---|---|
    /// | OpenAI chat, Mistral, Cohere | `{"type": "function", "function": {"name", "parameters"}}` |
    /// | OpenAI responses | `{"type": "function", "name", "parameters"}` |
    /// | OpenAI `functions` | `{"name", "parameters"}` |
    /// | Anthropic | `{"name", "input_schema"}` |
    /// | Bedrock Converse | `{"toolSpec": {"name", "inputSchema": {"json"}}}` |
    /// | Model Context Protocol | `{"name", "inputSchema"}` |
    /// | Gemini | `{"functionDeclarations": [{"name", "parametersJsonSchema"}]}`; of OpenAPI's `parameters` only whether some are required |
    /// | names alone | `"name"` |
    ///
    /// An array of these, or an object that has it as `tools`, `functions`, `toolConfig.tools` or `result.tools`: a request, or what
    /// an MCP server answered. Tools that a provider runs itself, which have a type and no name of their own to call, are left out.
    ///
    /// # Errors
    /// When it is no such list, two tools have the same name, or a schema cannot be used.
    pub fn from_json(json: &str) -> Result<Self, ToolsError> {
        Self::with_options(json, &SchemaOptions::default())
    }

    /// The same with options for their schemas.
    ///
    /// # Errors
    /// When it is no such list, two tools have the same name, or a schema cannot be used.
    pub fn with_options(json: &str, options: &SchemaOptions) -> Result<Self, ToolsError> {
        let mut tools = Vec::new();
        let mut by_name = HashMap::new();
        for listed in list::read(json)? {
            let contract = listed.schema.map(|schema| Contract::from_value(&schema, options)).transpose();
            let contract = contract.map_err(|error| ToolsError::of_schema(&listed.name, error))?;
            if by_name.insert(listed.name.clone(), tools.len()).is_some() {
                return Err(ToolsError::twice(&listed.name));
            }
            let needs_none =
                !listed.requires && contract.as_ref().is_none_or(|contract| contract.is_valid(&json!({})) == Ok(true));
            tools.push(Tool { name: listed.name, contract, needs_none });
        }
        Ok(Self { all: Arc::new(All { tools, by_name }) })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.tools.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.tools.is_empty()
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Tool> {
        self.all.tools.iter()
    }

    /// The tool of a name, which is compared byte by byte.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.all.by_name.get(name).map(|&at| &self.all.tools[at])
    }

    /// A sink that holds the arguments of a call against the schema of its tool while they come; none where no such tool was offered, or it
    /// declares no schema.
    ///
    /// Of native calls a session of `thusfar-stream` asks for it: `Listeners::new(move |lane, expect| …)`, with the lane's name.
    ///
    /// ```
    /// use thusfar_contract::Tools;
    /// use thusfar_core::{Expect, Progress, Reply};
    ///
    /// let tools = Tools::from_json(
    ///     r#"[{"name": "weather", "input_schema": {"properties": {"days": {"type": "integer", "maximum": 14}}}}]"#,
    /// )?;
    /// let expect = Expect::object();
    /// let mut reply = Reply::with_sink(expect, tools.monitor("weather", &expect).expect("it has a schema"));
    /// assert_eq!(reply.push("{\"days\": 30"), Progress::Open); // it may become 30e-1
    /// assert_eq!(reply.push(", "), Progress::Doomed);
    /// assert_eq!(reply.sink().violation().expect("why").message(), "`/days` must be at most 14; you returned 30");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn monitor(&self, name: &str, expect: &Expect) -> Option<Monitor> {
        Some(self.get(name)?.contract()?.monitor(expect))
    }

    /// Reads a reply for calls that were printed as text.
    #[must_use]
    pub fn rescue(&self) -> Rescue {
        Rescue::new(self.clone(), RescueOptions::default())
    }

    /// The same with options.
    #[must_use]
    pub fn rescue_with(&self, options: RescueOptions) -> Rescue {
        Rescue::new(self.clone(), options)
    }

    /// Judges the text of a native call's arguments, read as the engine reads any reply. No text at all is `{}` where the reply ended
    /// by itself and the tool declares no required parameter. Linear.
    ///
    /// # Errors
    /// What keeps it from being a call: another tool's name, no arguments, a cut, two objects, a broken schema.
    pub fn arguments(&self, name: &str, text: &str, ending: Ending) -> Result<ToolCall, Box<RefusedCall>> {
        judge::native(self, name, text, ending)
    }

    /// Holds arguments that a session has read against the tool's schema.
    ///
    /// # Errors
    /// No such tool, no object, or the schema is broken.
    pub fn accept(&self, name: &str, arguments: Document) -> Result<ToolCall, Box<RefusedCall>> {
        judge::document(self, name, arguments)
    }
}

impl Tool {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema of its arguments, compiled; none where it declares none.
    #[must_use]
    pub fn contract(&self) -> Option<&Contract> {
        self.contract.as_ref()
    }

    /// Whether `{}` is valid for it: then a call may come without arguments.
    #[must_use]
    pub fn needs_no_arguments(&self) -> bool {
        self.needs_none
    }
}

/// Counts only: tools may be a client's.
impl fmt::Debug for Tools {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tools").field("len", &self.len()).finish()
    }
}

/// Lengths only: tools may be a client's.
impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Tool");
        shown.field("name_len", &self.name.len()).field("contract", &self.contract);
        shown.field("needs_no_arguments", &self.needs_none).finish()
    }
}
