//! Questions of rules and people about a text.

pub(crate) mod business_name;
pub(crate) mod reading;
pub(crate) mod scan;
pub(crate) mod term_entries;
