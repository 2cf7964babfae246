//! Pairs of a label and a value in one line.

use tollproof_data::provider::written::NUMBERS;

use super::label::{Meaning, asked, meaning};
use super::line::{NoteChar, text_of, trimmed};
use super::value::is_whole;
use crate::syntax::field_names::is_secret;

/// A label with what follows it.
pub(super) struct LabelledValue<'l> {
    pub(super) label: &'l [NoteChar],
    /// `None` for a label in bold letters that is not known, and for one of a password or a key.
    pub(super) meaning: Option<Meaning>,
    pub(super) value: &'l [NoteChar],
}

/// The marks that separate several pairs in a line.
const SEPARATORS: [char; 5] = ['·', '|', '•', ';', '‖'];

/// The fewest spaces between two columns.
const COLUMN: usize = 3;

/// The longest label with what is between it and its value.
const MAX_LABEL: usize = 160;

/// The longest label without a mark before its value.
const LONGEST_BARE: usize = 40;

/// The longest line that is looked at for labels.
const MAX_LINE: usize = 4_000;

/// The pairs of a line; `is_likely` where similar labels count as well.
pub(super) fn pairs(chars: &[NoteChar], is_likely: bool) -> Vec<LabelledValue<'_>> {
    let chars = trimmed(chars);
    // What is before the label, its end, and where its value begins.
    let mut labels: Vec<(usize, usize, usize, Option<Meaning>)> = Vec::new();
    for at in 0..chars.len().min(MAX_LINE) {
        if is_colon(chars, at) {
            let from = labels.last().map_or(0, |(_, _, value, _)| *value);
            labels.extend(label_before(chars, from, at, is_likely));
        }
    }
    if let [(.., value, _)] = labels.as_slice()
        && let Some(pairs) = beside(chars, *value)
    {
        return pairs;
    }
    if labels.is_empty() {
        labels.extend(without_colon(chars, is_likely));
    }
    if labels.is_empty() {
        return steps(chars);
    }
    let end_of = |at: usize| labels.get(at + 1).map_or(chars.len(), |(start, ..)| *start);
    let pair = |(at, (start, end, value, meaning)): (usize, &(usize, usize, usize, Option<Meaning>))| {
        let value = trimmed(&chars[*value..end_of(at).max(*value)]);
        let is_separator =
            |char: &NoteChar| SEPARATORS.contains(&char.character) || ", ".contains(char.character);
        let last = if at + 1 < labels.len() {
            value.iter().rposition(|char| !is_separator(char)).map_or(0, |last| last + 1)
        } else {
            value.len()
        };
        // A dash after a question belongs to neither.
        let first = value[..last].iter().position(|char| !"–— ".contains(char.character)).unwrap_or(last);
        let value = before_column(&value[first..last]);
        LabelledValue { label: trimmed(&chars[*start..*end]), meaning: meaning.clone(), value }
    };
    labels.iter().enumerate().map(pair).collect()
}

/// A value without what is in the next column of a line: `Jane Doe      Taken by: Gwen`.
fn before_column(value: &[NoteChar]) -> &[NoteChar] {
    let is_column = |at: &usize| value[*at..].iter().take(COLUMN).all(|char| char.character == ' ');
    let Some(end) = (0..value.len().saturating_sub(COLUMN)).find(is_column) else { return value };
    let next = value[end..].iter().take(MAX_LABEL).position(|char| char.character == ':');
    if next.is_some() { &value[..end] } else { value }
}

/// Labels beside each other with as many values: `City / State / ZIP: Lenox / MA / 01240`.
fn beside(chars: &[NoteChar], value: usize) -> Option<Vec<LabelledValue<'_>>> {
    fn parts(chars: &[NoteChar]) -> Vec<&[NoteChar]> {
        chars.split(|char| char.character == '/').map(trimmed).collect()
    }
    let (labels, values) = (parts(&chars[..value - 1]), parts(&chars[value..]));
    if labels.len() < 2 || labels.len() != values.len() {
        return None;
    }
    let meaning = |label: &&[NoteChar]| meaning_of(label, false).filter(|found| *found != Meaning::Answer);
    let meanings: Vec<Meaning> = labels.iter().filter_map(meaning).collect();
    let all = labels.iter().zip(values).zip(&meanings);
    let pairs =
        all.map(|((label, value), meaning)| LabelledValue { label, meaning: Some(meaning.clone()), value });
    (meanings.len() == labels.len()).then(|| pairs.collect())
}

/// Whether a label ends here: at a colon that is not the one of an address or a time, at a question mark, at a dash after
/// bold letters.
fn is_colon(chars: &[NoteChar], at: usize) -> bool {
    let ends = || {
        chars
            .get(at + 1)
            .is_none_or(|next| next.character.is_whitespace() || next.is_strong != chars[at].is_strong)
    };
    match chars[at].character {
        ':' | '：' | '?' => ends(),
        '–' | '—' | '-' => {
            at > 1
                && ends()
                && chars[at - 1].character == ' '
                && chars[at - 2].is_strong
                && !chars[at].is_strong
        }
        _ => false,
    }
}

/// The label that a colon ends: as much of the line as is known, or a whole run of bold letters.
fn label_before(
    chars: &[NoteChar],
    from: usize,
    colon: usize,
    is_likely: bool,
) -> Option<(usize, usize, usize, Option<Meaning>)> {
    let starts_part = |at: &usize| {
        let before = |back: usize| at.checked_sub(back).map(|at| chars[at].character);
        let is_space = before(1).is_some_and(char::is_whitespace);
        *at == from
            || is_space
                && before(2).is_some_and(|before| {
                    SEPARATORS.contains(&before) || ",.".contains(before) || before.is_whitespace()
                })
            || chars[*at].is_strong && !chars[at - 1].is_strong
            || chars[*at].is_code && !chars[at - 1].is_code
    };
    // A label that begins further away is too long.
    let first = from.max(colon.saturating_sub(MAX_LABEL));
    for start in (first..colon).filter(starts_part) {
        let label = &chars[start..colon];
        let text = text_of(label);
        if let Some(meaning) = meaning(&text, is_likely && start == 0) {
            return Some((start, colon, colon + 1, Some(meaning)));
        }
        if is_secret(&text) && text.split_whitespace().count() <= 2 {
            return Some((start, colon, colon + 1, None));
        }
        // Only the bold letters, or the name in code, are the label: `**Sample**, as agreed:`.
        let first = label.iter().position(|char| !char.character.is_whitespace()).unwrap_or(0);
        let is_marked = |char: &NoteChar| char.is_strong || char.is_code;
        if label.get(first).is_some_and(is_marked) {
            let end = label
                .iter()
                .skip(first)
                .position(|char| !is_marked(char))
                .map_or(label.len(), |end| first + end);
            let asks = chars[colon].character == '?' && label[first].is_strong;
            let asked =
                || asked(&(text_of(&label[first..end]) + "?")).and_then(|label| meaning(&label, false));
            let found = meaning_of(&label[first..end], is_likely).or_else(|| asks.then(asked).flatten());
            let is_question = chars[colon].character == '?' && found.is_none();
            if is_question || label[end..].iter().any(|char| "\"“«–—".contains(char.character)) {
                continue;
            }
            if found.is_some() || end == label.len() && label[first].is_strong {
                return Some((start, start + end, colon + 1, found));
            }
        }
    }
    None
}

/// The most letters between a label in a sentence and its value.
const STEP: usize = 24;

/// Labels in emphasised letters in a sentence, each with its value in code: ``In *Legal name*, enter `Foo LLC`.``
fn steps(chars: &[NoteChar]) -> Vec<LabelledValue<'_>> {
    let chars = &chars[..chars.len().min(MAX_LINE)];
    let is_label = |char: &NoteChar| (char.is_slanted || char.is_strong) && !char.is_code;
    let run = |from: usize, fits: &dyn Fn(&NoteChar) -> bool| {
        from + chars[from..].iter().take_while(|char| fits(char)).count()
    };
    let (mut pairs, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let end = run(at, &is_label);
        if end == at {
            at += 1;
            continue;
        }
        let from = run(end, &|char| !char.is_code && !is_label(char) && !".!?".contains(char.character));
        let to = run(from, &|char| char.is_code);
        if to > from && from - end <= STEP {
            let label = &chars[at..end];
            let meaning = meaning_of(label, false).filter(|meaning| *meaning != Meaning::Answer);
            let pair = |meaning| LabelledValue { label, meaning: Some(meaning), value: &chars[from..to] };
            pairs.extend(meaning.map(pair));
        }
        at = end;
    }
    pairs
}

fn meaning_of(chars: &[NoteChar], is_likely: bool) -> Option<Meaning> {
    meaning(&text_of(chars), is_likely)
}

/// A label that dots, an equals sign, a dash or spaces separate from its value, or one before a number or another value that has the
/// form of its field: `Email dana@ferncafe.com`.
fn without_colon(chars: &[NoteChar], is_likely: bool) -> Option<(usize, usize, usize, Option<Meaning>)> {
    let is = |at: usize, character: char| chars.get(at).is_some_and(|char| char.character == character);
    let is_space = |at: usize| chars.get(at).is_some_and(|char| char.character.is_whitespace());
    for at in 1..chars.len().min(100) {
        let run = |fits: &dyn Fn(usize) -> bool| (at..chars.len()).take_while(|at| fits(*at)).count();
        let dots = run(&|at| is(at, '.') || is(at, '…') || is(at, '_'));
        let spaces = run(&is_space);
        let sign = is_space(at - 1) && is_space(at + 1) && "=–—→-".contains(chars[at].character);
        let is_number = is_space(at - 1) && (is(at, '+') || chars[at].character.is_ascii_digit());
        let is_value = || {
            let begins = is_space(at - 1) && !is_space(at) && at <= LONGEST_BARE;
            begins && (is(at, '(') || !chars[at..].iter().any(|char| char.character.is_whitespace()))
        };
        let length = match () {
            () if dots >= 3 => Some(dots),
            () if spaces >= 3 || is(at, '\t') => Some(spaces),
            () if sign => Some(1),
            () if is_number || is_value() => None,
            () => continue,
        };
        let found = meaning_of(&chars[..at], is_likely && dots + spaces >= 3);
        let fits = match &found {
            Some(Meaning::Role(role)) => {
                length.is_some() || is_number && *role == NUMBERS || is_whole(role, &chars[at..])
            }
            Some(_) => length.is_some(),
            None => false,
        };
        if fits {
            return Some((0, at, at + length.unwrap_or_default(), found));
        }
    }
    None
}
