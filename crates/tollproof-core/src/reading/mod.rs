//! What a reader is asked about the texts of a draft, and whether its answers can be believed.

pub(crate) mod asked;
mod instructions;
mod mask;
mod quote;
mod request;
pub(crate) mod verdict;

pub use self::instructions::{answer_schema, instructions, task};
pub use self::request::{ReadRequest, ReaderAnswer, ReaderAnswers, RequestedQuestion};
pub use self::verdict::AnswerProblem;
