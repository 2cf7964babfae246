//! What is known of texts, in four rooms: each imports only those above it in this list.

pub mod words;

pub mod table;

pub mod terms;

pub mod phrases;
