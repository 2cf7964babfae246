//! Asks readers: a program of the user's, or a server of their choice. What is asked, and what an answer means, is said
//! elsewhere.

mod all;
mod anthropic;
mod certainty;
mod choice;
mod error;
mod extras;
mod local;
mod object;
mod openai;
mod pause;
mod program;
mod prompt;
mod reader;
mod said;
mod server;
#[cfg(test)]
mod tests;

pub use self::all::{Accept, ReadFailure, ReadResult, ReadRun};
pub use self::choice::{ReaderChoice, ReaderSettings};
pub use self::error::ReaderError;
pub use self::local::LocalModel;
pub use self::prompt::{ReaderPrompt, ReaderReply};
pub use self::reader::Reader;
