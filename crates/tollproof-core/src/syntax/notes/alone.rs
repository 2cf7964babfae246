//! Lines that are a label or a question alone, with the value on those below.

use super::label::{Meaning, asked, meaning};
use super::line::{Line, LineKind, text_of};
use super::pair::pairs;

/// The longest question.
const MAX_QUESTION: usize = 200;

/// The fewest labels or questions alone on their lines; one could be a title.
pub(super) const LEAST_ALONE: usize = 3;

/// For each line, whether it is a label alone, with its value on the next line or in the next paragraph of an item.
pub(super) fn alone(lines: &[Line]) -> Vec<bool> {
    let is_label = |line: &Line| {
        let is_text = line.kind == LineKind::Text && line.table.is_none() && line.ticked.is_none();
        let found = || meaning(&text_of(&line.chars), false).filter(|found| *found != Meaning::Answer);
        is_text && found().is_some() && pairs(&line.chars, false).is_empty()
    };
    let labels: Vec<bool> = lines.iter().map(is_label).collect();
    let is_alone = |at: usize| {
        let (line, next) = (&lines[at], lines.get(at + 1));
        let begins = at == 0 || lines[at - 1].block != line.block;
        let has_value = next.is_some_and(|next| {
            let is_in =
                next.item.is_some() && (next.item == line.item || next.depth > line.depth && line.depth > 0);
            let is_same = next.block == line.block || is_in;
            is_same && !labels[at + 1] && !matches!(next.kind, LineKind::Heading(_) | LineKind::Rule)
        });
        labels[at] && begins && has_value
    };
    let alone: Vec<bool> = (0..lines.len()).map(is_alone).collect();
    let is_enough = alone.iter().filter(|is_alone| **is_alone).count() >= LEAST_ALONE;
    alone.into_iter().map(|is_alone| is_alone && is_enough).collect()
}

/// For each line, the field that it asks for: a heading or a line that is a question, if there are several.
pub(super) fn asks(lines: &[Line]) -> Vec<Option<Meaning>> {
    let asks = |line: &Line| {
        let text = text_of(&line.chars);
        let is_question = text.trim_end().ends_with('?') && line.table.is_none() && text.len() < MAX_QUESTION;
        let is_said = matches!(line.kind, LineKind::Text | LineKind::Heading(_));
        (is_question && is_said).then(|| asked(&text).and_then(|label| meaning(&label, false)))?
    };
    let asks: Vec<Option<Meaning>> = lines.iter().map(asks).collect();
    let is_enough = asks.iter().flatten().count() >= LEAST_ALONE;
    asks.into_iter().map(|asks| asks.filter(|_| is_enough)).collect()
}
