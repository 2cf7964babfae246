//! The sandbox through HTTP, by a client that knows nothing of its code.

mod bird;
mod client;
mod core;
