//! facade
#![no_std]
#![forbid(unsafe_code)]
pub use thusfar_core::*;
