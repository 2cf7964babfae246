//! Providers as data: their kinds, how kinds are detected, where roles are, aliases of fields, and schemas.

pub(crate) mod aliases;
pub(crate) mod asked;
pub(crate) mod builtin;
pub(crate) mod compose;
pub mod convert;
mod convert_value;
pub(crate) mod data;
pub(crate) mod detect;
mod encoded;
pub(crate) mod file;
pub(crate) mod forms;
pub(crate) mod kind;
mod kind_role;
pub(crate) mod kind_set;
pub(crate) mod number_names;
mod others;
pub(crate) mod path;
pub(crate) mod payload;
pub(crate) mod prepare;
pub(crate) mod renames;
pub(crate) mod requirement;
pub mod role;
pub mod schema;
mod spelling;
mod value_words;
pub(crate) mod values;
pub(crate) mod vocabulary;
