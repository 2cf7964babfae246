//! Providers as data: their files, how these are prepared, and the schemas of their kinds.

pub mod data;
pub mod error;
pub mod file;
pub mod forms;
pub mod kept;
pub mod kind_role;
pub mod kind_set;
pub mod path;
pub mod prepare;
mod prepare_kind;
pub mod requirement;
pub mod roles;
pub mod schema;
pub mod spelling;
pub mod values;
pub mod written;
