//! Providers as data: their kinds, how kinds are detected, where roles are, aliases of fields, and schemas.

mod address;
pub(crate) mod aliases;
pub(crate) mod asked;
pub(crate) mod builtin;
pub(crate) mod compose;
pub mod convert;
mod convert_value;
pub(crate) mod detect;
pub(crate) mod headings;
pub(crate) mod kind;
mod left_out;
pub(crate) mod near_value;
pub(crate) mod number_names;
mod others;
mod own_names;
pub(crate) mod path;
pub(crate) mod payload;
pub(crate) mod read_fields;
pub(crate) mod renames;
pub mod role;
pub mod schema;
mod value_words;
pub(crate) mod vocabulary;
