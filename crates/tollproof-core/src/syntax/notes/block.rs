//! Paragraphs that are forms, and the rows of a block of code.

use std::collections::{BTreeMap, BTreeSet};

use super::line::{Line, LineKind, NoteChar, append, text_of, trimmed};
use super::pair::pairs;

/// The rows of a block; in YAML, each with what goes on below it: `key: >`, `key: |`.
pub(super) fn joined<'c>(rows: impl Iterator<Item = &'c [NoteChar]>, is_yaml: bool) -> Vec<Vec<NoteChar>> {
    let mut joined: Vec<Vec<NoteChar>> = Vec::new();
    for row in rows {
        let is_more = is_yaml
            && row.first().is_some_and(|first| first.character == ' ')
            && trimmed(row).first().is_none_or(|first| first.character != '-')
            && pairs(row, false).is_empty();
        let Some(last) = joined.last_mut().filter(|_| is_more) else {
            joined.push(row.to_vec());
            continue;
        };
        let said = last.iter().rposition(|char| !">|+- ".contains(char.character));
        if let Some(colon) = said.filter(|said| last[*said].character == ':') {
            last.truncate(colon + 1);
        }
        append(last, row);
    }
    joined
}

/// The paragraph of a line; that of an item is all items of lists.
pub(super) fn paragraph(line: &Line) -> usize {
    line.item.map_or(line.block, |_| usize::MAX - line.depth)
}

/// The paragraphs of which most lines have a label, as in a form.
pub(super) fn forms(lines: &[Line]) -> BTreeSet<usize> {
    const LEAST: usize = 4;
    const LONGEST: usize = 300;
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.kind == LineKind::Text && line.table.is_none()) {
        let (labels, all) = counts.entry(paragraph(line)).or_default();
        let is_short = line.chars.len() <= LONGEST;
        *labels +=
            usize::from(is_short && pairs(&line.chars, false).iter().any(|pair| pair.meaning.is_some()));
        *all += 1;
    }
    let is_form = |(block, (labels, all)): (usize, (usize, usize))| {
        (labels >= LEAST && 2 * labels > all).then_some(block)
    };
    counts.into_iter().filter_map(is_form).collect()
}

/// A label that is not known, and what is after it: a few words that begin with a capital letter, and a colon or another sign.
pub(super) fn other_label(chars: &[NoteChar]) -> Option<(&[NoteChar], &[NoteChar])> {
    const WORDS: usize = 4;
    let chars = trimmed(chars);
    let is = |at: usize, sign: char| chars.get(at).is_some_and(|char| char.character == sign);
    let ends = |at: &usize| {
        is(*at, ':') && is(at + 1, ' ')
            || "=–—-".contains(chars[*at].character) && is(at - 1, ' ') && is(at + 1, ' ')
    };
    let end = (1..chars.len()).find(ends)?;
    let (label, value) = (trimmed(&chars[..end]), trimmed(&chars[end + 1..]));
    let said = text_of(label);
    let is_label = (said.starts_with(char::is_uppercase) || is(end, '='))
        && said.split_whitespace().count() <= WORDS
        && !said.contains(['.', '"', '“', '(']);
    (is_label && !value.is_empty()).then_some((label, value))
}
