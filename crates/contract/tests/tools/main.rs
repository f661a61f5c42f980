//! Tool calls that a model printed: found in every dialect, refused where there are two readings, and never there when they are cut.

mod rescue; // a reply under every way of cutting it
mod cutting; // what holds of every reply, under few ways
mod dialects; // calls as each dialect writes them
mod cases; // re-created public reports
mod heard; // arguments held against their schema as they come
mod rules; // each rule of JSON, fences and reasoning
mod xml; // dialects with tags
mod typed; // parameters by their declared type
mod marks; // dialects with marks
mod marks_refused; // what is none in them
mod hard; // what must not come out as a call
mod properties; // what holds of every call
mod soup; // pieces in any order
mod near; // what is nearly a call
mod cost; // what looking costs
