//! Questions to a reader about the texts of a draft, whether its answers can be believed, and what they say.

mod asked;
mod instructions;
mod judge;
mod mask;
mod message;
mod quote;
mod read_use;
mod request;
#[cfg(test)]
mod tests;
mod verdict;
mod written_answers;

pub use self::read_use::ReadUse;
pub use self::request::{ReadRequest, ReaderAnswer, ReaderAnswers, RequestedQuestion};
pub use self::verdict::AnswerProblem;
