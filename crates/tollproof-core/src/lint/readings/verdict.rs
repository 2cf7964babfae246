//! Whether an answer can be believed: it is among those offered, and what it quotes is in the texts.

use std::ops::Range;

use super::quote::find;
use crate::facts::readings::ReadAnswer;
use crate::rule::RuleQuestion;

/// The longest quote that is searched for, in bytes.
pub(super) const MAX_QUOTE: usize = 4_000;

/// An answer that can be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerVerdict {
    pub(crate) is_defect: bool,
    pub(crate) is_sure: bool,
    /// Whether it says for sure that nothing of the defect is there.
    pub(crate) is_denial: bool,
    /// The text with the quote, by its position, and the place of the quote in it.
    pub(crate) quoted: Option<(usize, Range<usize>)>,
}

/// The reason an answer is not a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerProblem {
    /// The question has no answer.
    #[error("the answer is missing")]
    Missing,
    /// The answer is not among those that were offered.
    #[error("the answer is not one of those offered")]
    NotOffered,
    /// Of several answers, one says that there is nothing wrong.
    #[error("the answer contradicts itself")]
    Contradiction,
    /// A defect has no quote.
    #[error("the answer needs a quote")]
    NoQuote,
    /// The quote is not in the texts of the question.
    #[error("the quote is not in the texts of the question")]
    QuoteNotFound,
}

impl AnswerVerdict {
    /// Judges an answer to a question about texts.
    pub(crate) fn of<'t>(
        question: &RuleQuestion<'_>,
        answer: &ReadAnswer,
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<Self, AnswerProblem> {
        let is_offered = |answer: &String| question.answers.contains(&answer.as_str());
        let is_one = answer.answer.len() == 1 || question.is_many;
        if answer.answer.is_empty() || !is_one || !answer.answer.iter().all(is_offered) {
            return Err(AnswerProblem::NotOffered);
        }
        let is_defect = question.is_defect(&answer.answer);
        let is_harmless = |answer: &String| !question.defects.contains(&answer.as_str());
        let is_denial = answer.sure && answer.answer.iter().all(is_harmless);
        if answer.answer.len() > 1 && answer.answer.iter().any(is_harmless) {
            return Err(AnswerProblem::Contradiction);
        }
        let quote = answer.quote.trim();
        let place = |(at, text)| find(text, quote).map(|it| (at, it));
        let quoted = match quote.is_empty() {
            true => None,
            false if quote.len() > MAX_QUOTE => return Err(AnswerProblem::QuoteNotFound),
            false => Some(texts.enumerate().find_map(place).ok_or(AnswerProblem::QuoteNotFound)?),
        };
        if is_defect && !question.is_absence && quoted.is_none() {
            return Err(AnswerProblem::NoQuote);
        }
        Ok(Self { is_defect, is_sure: answer.sure, is_denial, quoted })
    }
}
