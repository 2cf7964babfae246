//! The server for assistants: checks, conversions and answers about drafts, in the Model Context Protocol.
#![doc = include_str!("../README.md")]

mod draft_folder;
mod error;
mod folder_files;
mod prompt;
mod report;
mod resources;
mod server;
mod tool_draft;
mod tool_output;
mod tools;
mod transport;
mod wording;

pub use error::ServerError;
pub use server::AssistantServer;
pub use tools::SubmitFile;
