//! A provider that takes everything, to be put in the program's way.

// The server and the persons who use it come next.
#[allow(dead_code, reason = "a description without its server")]
mod provider;
#[allow(dead_code, reason = "a description without its server")]
mod world;
