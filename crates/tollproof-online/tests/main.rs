//! The calls of providers against the sandbox.

mod calls;
mod cut;
mod walk;
