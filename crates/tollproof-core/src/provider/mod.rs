//! Payloads of the provider: kinds, how they are told, other names of their fields, and what their schemas state.

pub(crate) mod aliases;
pub(crate) mod detect;
pub(crate) mod foreign;
pub(crate) mod kind;
pub(crate) mod payload;
pub(crate) mod renames;
pub mod schema;
pub(crate) mod vocabulary;
