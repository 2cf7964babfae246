//! A local server that answers as the providers of toll-free numbers do, to rehearse submissions.
//!
//! ```
//! use tollproof_sandbox::{Sandbox, SandboxOptions};
//!
//! // A free port of this machine, and nothing on disk.
//! let sandbox = Sandbox::start(SandboxOptions::default())?;
//! let address = sandbox.base_url("bird").expect("the sandbox has Bird");
//! assert!(address.starts_with("http://127.0.0.1:") && address.ends_with("/bird"));
//! # Ok::<(), tollproof_sandbox::SandboxError>(())
//! ```
//!
//! The server ends when the [`Sandbox`] is dropped. What it assumes about the providers, because no source says it, is in
//! [`ASSUMPTIONS`].

mod api;
mod assumptions;
mod control;
mod deliver;
mod engine;
mod error;
mod fault;
mod guard;
mod ids;
mod openapi;
mod options;
mod page;
mod providers;
mod reply;
mod review;
mod sandbox;
mod server;
mod store;
mod webhook;

pub use api::AccessRow;
pub use assumptions::{ASSUMPTIONS, AssumedFact};
pub use error::SandboxError;
pub use options::SandboxOptions;
pub use providers::names as provider_names;
pub use review::{ReviewMode, UnknownReview};
pub use sandbox::Sandbox;
