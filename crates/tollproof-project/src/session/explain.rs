//! A provider's answer explained on the draft that it belongs to.

use tollproof_core::document::{SyntaxError, SyntaxErrorKind};
use tollproof_core::{
    Answer, Document, Kind, KindHint, KindRole, NoAnswer, NumberKey, Parsed, Position, Report,
    SourceDocument, kind_of,
};

use super::Session;
use crate::discover::InputFile;
use crate::error::ProjectError;

/// The reason that an answer cannot be explained on a draft.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The draft and the answer are in the wrong order.
    #[error("the draft comes first: `{answer}` is an answer, and `{draft}` is a draft")]
    Swapped {
        /// The name of the text that is an answer.
        answer: String,
        /// The name of the text that is a draft.
        draft: String,
    },
    /// It is not known which draft of the text the answer is about.
    #[error("cannot tell which draft of `{name}` was sent: {why}")]
    UnknownDraft {
        /// The name of the text.
        name: String,
        /// The reason that it is not known.
        why: &'static str,
    },
    /// The text is not a draft.
    #[error("`{name}` is not a draft that a provider answers, but {}", kind.noun())]
    NotADraft {
        /// The name of the text.
        name: String,
        /// The kind of document that it is.
        kind: Kind,
    },
    /// The answer cannot be read.
    #[error("cannot read the answer `{name}`{}: {error}", at(place))]
    NoAnswer {
        /// The name of the answer.
        name: String,
        /// The place that cannot be read.
        place: Option<Position>,
        /// The error in it.
        #[source]
        error: NoAnswer,
    },
    /// The settings, rules or histories of the draft cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
}

/// A place in an error.
fn at(place: &Option<Position>) -> String {
    place.map(|place| format!(" (line {}, column {})", place.line, place.column)).unwrap_or_default()
}

impl Session {
    /// Explains the answer in a text on the draft in another text that it belongs to. `pasted` says that the answer may be any
    /// text, such as an e-mail.
    ///
    /// # Errors
    ///
    /// The answer cannot be read, no draft belongs to it, or the settings of the draft cannot be used.
    pub fn explain_text(
        &self,
        file: &InputFile,
        parsed: &Parsed<'_>,
        answer_parsed: &Parsed<'_>,
        pasted: bool,
    ) -> Result<(Answer, Report), ExplainError> {
        let name = parsed.source().name();
        if is_swapped(parsed, answer_parsed) {
            let draft = answer_parsed.source().name().to_owned();
            return Err(ExplainError::Swapped { answer: name.to_owned(), draft });
        }
        let whole = parsed.whole();
        let all: Vec<SourceDocument<'_>> = whole.documents().collect();
        let of_drafts: Vec<&str> = all.iter().flat_map(|document| numbers(document)).collect();
        let answer = answer(answer_parsed, pasted, &of_drafts)?;
        let document =
            sent(&all, &answer).map_err(|why| ExplainError::UnknownDraft { name: name.to_owned(), why })?;
        let hint = self.kind_hint(&*self.config_of(file)?, file);
        if let Some(kind) = kind_of(&document, hint).filter(|kind| !kind.is_request()) {
            return Err(ExplainError::NotADraft { name: name.to_owned(), kind });
        }
        let report = self.explain(file, document, &answer)?;
        Ok((answer, report))
    }
}

/// Whether the first file is an answer and the second one a draft.
fn is_swapped(first: &Parsed<'_>, second: &Parsed<'_>) -> bool {
    let is_request = |parsed: &Parsed<'_>| {
        let whole = parsed.whole();
        whole
            .documents()
            .filter_map(|document| kind_of(&document, KindHint::Discovered))
            .any(Kind::is_request)
    };
    is_request(second) && !is_request(first) && Answer::of(first, &[]).is_ok()
}

/// The answer in a file, or a pasted text.
fn answer(parsed: &Parsed<'_>, pasted: bool, numbers: &[&str]) -> Result<Answer, ExplainError> {
    let source = parsed.source();
    let read = if pasted { Answer::of_pasted(parsed, numbers) } else { Answer::of(parsed, numbers) };
    read.map_err(|error| {
        let place = error.at.map(|at| source.place(at.start));
        ExplainError::NoAnswer { name: source.name().to_owned(), place, error }
    })
}

/// The draft that an answer is about: the only draft, or the one with the answer's number.
fn sent<'d>(all: &[SourceDocument<'d>], answer: &Answer) -> Result<SourceDocument<'d>, &'static str> {
    let readable = all.iter().copied().filter(|document| document.root.is_some());
    // Invalid UTF-8 does not make the rest of a draft unreadable, so only other syntax errors count.
    let is_broken = |syntax_error: &SyntaxError| {
        matches!(syntax_error.problem, SyntaxErrorKind::Syntax | SyntaxErrorKind::Limit)
    };
    if let &[only] = all {
        if only.root.is_none() || only.syntax_errors.iter().any(is_broken) {
            return Err("it cannot be read; run `tollproof check` for the reason");
        }
        let numbers = numbers(&only);
        // Some answers name a number by another identifier than the draft, such as a UUID and +1 800 555 0100. Identifiers
        // of one kind have the same length.
        let length = |name: &str| NumberKey::of(name).as_str().len();
        let is_alike = |one: &str| answer.numbers().iter().any(|other| length(one) == length(other));
        return if !numbers.iter().any(|number| is_alike(number.trim())) || names(&only, answer) {
            Ok(only)
        } else {
            Err("the answer is about another number")
        };
    }
    let mut found = readable.filter(|document| names(document, answer));
    match (found.next(), found.next()) {
        (Some(document), None) => Ok(document),
        (Some(_), Some(_)) => Err("it contains several with the number of the answer"),
        _ => Err("it contains several, and none has the number of the answer"),
    }
}

fn numbers<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let kind = kind_of(document, KindHint::Explicit).unwrap_or_else(|| Kind::of(KindRole::Submit));
    let numbers = document.root.as_ref().map(|root| kind.numbers(root));
    numbers.unwrap_or_default().into_iter().filter_map(|number| number.as_str()).collect()
}

/// Whether a draft contains a number of the answer.
fn names(document: &Document<'_>, answer: &Answer) -> bool {
    let is_answered =
        |number: &&str| answer.numbers().iter().any(|known| NumberKey::of(known) == NumberKey::of(number));
    numbers(document).iter().any(is_answered)
}
