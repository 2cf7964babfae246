//! Knowledge about texts, in four modules: each imports only those above it in this list.

pub mod words;

pub mod table;

pub mod terms;

pub mod phrases;
