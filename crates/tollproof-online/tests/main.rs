//! The calls of providers against the sandbox.

mod attack;
mod calls;
mod cut;
mod model;
mod storm;
mod walk;
