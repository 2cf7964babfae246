//! The heads of tables: whether their rows or their columns are fields.

use super::label::{Meaning, meaning};
use crate::syntax::label_words::words_of;

/// The columns of a table: that of the labels, and those of values.
pub(super) type Columns = (usize, Vec<usize>);

/// The meanings of the columns of a table whose rows are drafts, if it is one.
pub(super) fn head(texts: &[String]) -> Option<Vec<Option<Meaning>>> {
    let is_other = |text: &String| OTHER.contains(&words_of(text).join(" ").as_str());
    let field = |text: &String| meaning(text, true).filter(|found| *found != Meaning::Answer);
    let head: Vec<Option<Meaning>> = texts.iter().map(field).collect();
    let known: Vec<&Meaning> = head.iter().flatten().collect();
    let has_others = |at: usize| !known[..at].contains(&known[at]);
    let count = (0..known.len()).filter(|at| has_others(*at)).count();
    (count >= 4 && 3 * count >= 2 * texts.len() && !texts.iter().any(is_other)).then_some(head)
}

/// Heads of columns about fields.
const OTHER: [&str; 5] = ["type", "required", "meaning", "status", "example"];

/// The columns of a table that have labels and values, by its head.
pub(super) fn columns(head: &[String]) -> Option<Columns> {
    const VALUES: [&str; 15] = [
        "value",
        "answer",
        "enter",
        "valeur",
        "reponse",
        "valor",
        "respuesta",
        "text",
        "texte",
        "texto",
        "content",
        "response",
        "input",
        "draft",
        "copy",
    ];
    let name = |text: &String| words_of(text).join(" ");
    if head.len() < 2 || head.iter().any(|text| OTHER.contains(&name(text).as_str())) {
        return None;
    }
    const LABELS: [&str; 6] = ["field", "champ", "campo", "label", "question", "pregunta"];
    let has =
        |text: &String, known: &[&str]| words_of(text).iter().any(|word| known.contains(&word.as_str()));
    let value = head.iter().skip(1).position(|text| has(text, &VALUES)).map(|at| at + 1);
    match value {
        None if head.len() == 2 || has(&head[0], &LABELS) => Some((0, vec![1])),
        // Several drafts beside each other.
        None => head[0].trim().is_empty().then(|| (0, (1..head.len()).collect())),
        Some(value) => Some((0, vec![value])),
    }
}
