//! The language server of tollproof: findings, explanations, completions and fixes for drafts in an editor.
#![doc = include_str!("../README.md")]

mod actions;
mod checker;
mod client;
#[cfg(unix)]
mod client_process;
mod completion;
mod diagnostics;
mod documents;
mod draft;
mod hover;
mod ignores;
mod numbers;
mod place;
mod project;
mod rules;
mod scalar;
mod server;
#[cfg(test)]
mod tests;
mod text;
mod transport;
mod uri;

pub use server::{ServerEnd, ServerOptions, serve};
