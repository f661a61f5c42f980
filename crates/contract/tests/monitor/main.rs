//! A schema held against replies while they arrive: what is told, where, and when; and that it is never told too early.

#[path = "../support/describing.rs"]
mod describing;
#[path = "../support/growing.rs"]
mod growing;
#[path = "../support/official.rs"]
mod official;
#[path = "../support/placing.rs"]
mod placing;
#[path = "../support/spelling.rs"]
mod spelling;
#[path = "../support/written_schemas.rs"]
mod written_schemas;

mod feeding; // one reply, under every way of cutting it
mod rows; // written by hand, keyword by keyword
mod schemas; // schemas as people write them, each with the earliest byte
mod suite; // the official suite
mod properties; // random schemas and documents
mod replies; // members that stand twice, damage, going on behind a cut
mod edges; // what others bring along, many documents, guards, limits
mod blow_up; // what multiplies stays within bounds
mod oracle; // every text of a few tokens under tiny schemas
