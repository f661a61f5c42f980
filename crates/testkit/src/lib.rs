//! Test tools of thusfar: corpus readers, the check of every way of cutting, generators of damage and workloads, and the naive twin.

pub mod random; // choices, from a seed or a tape
pub mod report; // everything a caller can see of an answer
pub mod token; // what a document holds, in order
pub mod record; // what a sink was told
pub mod flat; // JSON as a flat list, read apart from the core
pub mod look; // a view written down
pub mod replay; // changes and patches, replayed from their JSON
mod heard; // a sink that writes down and refuses
pub mod live; // what holds of every live reply
pub mod law; // what holds for every reply
pub mod check; // one reply under every way of cutting it
pub mod corpus; // the vectors, as rows
pub mod kept; // a reply that goes on behind a cut, and one that is not all kept
pub mod honest; // replies that repeat themselves on purpose
pub mod tree; // JSON as source text, with repairs to make
pub mod shapes; // documents of realistic shapes
pub mod written; // a document as a model may write it, and where its tokens and repairs stand
pub mod around; // what models write around documents
pub mod damage; // damaged replies with a known truth
pub mod classes; // the wrong values that come of damage, and why
pub mod generate; // replies, whole and damaged, as strategies that shrink
pub mod table; // rows of cases, each read by `check()`
pub mod twin; // the slow reader that the machine is tested against
pub mod workload; // replies of realistic shapes and sizes
pub mod wire; // bytes of the wire under every way of cutting them, and the twin of event streams
pub mod events; // events as providers write them
pub mod streams; // a streaming completion under many ways of cutting it
pub mod stream_law; // what holds for every body that is read as a stream
