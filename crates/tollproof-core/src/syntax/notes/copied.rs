//! Forms as they are copied from a console: each label alone on its line, with its value on the lines below.

use std::ops::Range;

use tollproof_data::provider::written::{ADDRESS_PARTS, CONTACT, WrittenValue, written_as};

use super::label::{Meaning, meaning};
use super::line::append;
use super::line::{Line, LineKind, NoteChar, add_mark, text_of, trimmed};
use super::pair::pairs;
use super::value::{is_long, values};

/// The fewest labels with a value, and the fewest with a value that no other text could be, such as an address or a number.
const LEAST: (usize, usize) = (5, 3);

/// The longest line that may be a label that is not known.
const MAX_LABEL: usize = 40;

/// The signs of choices, those that are chosen first.
const CHOICES: [&str; 6] = ["[x]", "[X]", "(•)", "(x)", "[ ]", "( )"];

/// The number of signs of those that are chosen.
const CHOSEN: usize = 4;

/// Lines below labels that say whether a field is required.
const MARKS: [&str; 4] = ["required", "optional", "(required)", "(optional)"];

/// The signs before a choice that is chosen, where each is on a line of its own, and those after it that take it away.
const DOTS: [char; 3] = ['●', '◉', '☑'];
const CHIPS: [char; 2] = ['×', '✕'];

/// The labels of a text, and whether it has the marks and explanations of a form that is being filled.
struct Form<'l> {
    lines: &'l [Line],
    labels: Vec<Option<Meaning>>,
    is_open: bool,
}

/// The lines of a text; where it is a form, each label with its value on one line.
pub(super) fn lines(lines: Vec<Line>) -> Vec<Line> {
    let lines = marked(lines);
    let known = |line: &Line| {
        let is_text = line.kind == LineKind::Text && line.item.is_none() && line.table.is_none();
        let found = is_text.then(|| meaning(&text_of(&line.chars), false)).flatten();
        found.filter(|found| *found != Meaning::Answer && pairs(&line.chars, false).is_empty())
    };
    let labels: Vec<Option<Meaning>> = lines.iter().map(known).collect();
    let marked = lines.iter().zip(&labels).filter(|(line, label)| label.is_some() && is_marked(line));
    let is_open = marked.count() >= LEAST.0;
    let form = Form { lines: &lines, labels, is_open };
    let filled: Vec<(usize, Range<usize>)> =
        (0..lines.len()).filter_map(|at| Some((at, form.below(at)?))).collect();
    let is_sure = |(at, below): &&(usize, Range<usize>)| match &form.labels[*at] {
        Some(Meaning::Role(role)) => {
            let is_any =
                matches!(written_as(role), WrittenValue::Text | WrittenValue::Name | WrittenValue::Choice);
            !is_any && !values(role, &form.value(role, below), false).is_empty()
        }
        _ => false,
    };
    // Labels that begin their paragraphs are found by themselves.
    let is_inside = |(at, below): &(usize, Range<usize>)| {
        *at > 0 && lines[at - 1].block == lines[*at].block || lines[below.start].block != lines[*at].block
    };
    let is_form = filled.len() >= LEAST.0 && filled.iter().filter(is_sure).count() >= LEAST.1;
    if !is_form || !is_open && !filled.iter().any(is_inside) {
        return lines;
    }
    let (mut kept, mut at) = (Vec::new(), 0);
    for (label, below) in filled {
        // A value that could be a label is none.
        let Some(before) = lines.get(at..label) else { continue };
        kept.extend_from_slice(before);
        at = below.end;
        let mut chars = lines[label].chars.clone();
        let last = chars.iter().rposition(|char| char.character.is_alphanumeric() || char.character == ')');
        chars.truncate(last.map_or(0, |last| last + 1));
        add_mark(&mut chars, ':');
        add_mark(&mut chars, ' ');
        let role = if let Some(Meaning::Role(role)) = &form.labels[label] { role } else { "" };
        chars.extend(form.value(role, &below));
        kept.push(Line { chars, block: usize::MAX - label, ..Line::new(LineKind::Text, 0) });
    }
    kept.extend_from_slice(&lines[at..]);
    kept
}

/// The lines of a text; where several lines only say that the field above is required, as a mark of its label.
fn marked(lines: Vec<Line>) -> Vec<Line> {
    let is_mark = |line: &Line| {
        line.kind == LineKind::Text && MARKS.contains(&text_of(&line.chars).trim().to_lowercase().as_str())
    };
    if lines.iter().filter(|line| is_mark(line)).count() < LEAST.0 {
        return lines;
    }
    let mut kept: Vec<Line> = Vec::new();
    for line in lines {
        match kept.last_mut().filter(|label| label.block == line.block && is_mark(&line)) {
            Some(label) => add_mark(&mut label.chars, '*'),
            None => kept.push(line),
        }
    }
    kept
}

/// Whether a line ends with the mark of fields that are required, or of those that are not.
fn is_marked(line: &Line) -> bool {
    let text = text_of(&line.chars);
    ["*", "(optional)"].iter().any(|mark| text.trim_end().ends_with(mark))
}

impl Form<'_> {
    /// The lines with the value of the label at an index, if it is one and has any.
    fn below(&self, at: usize) -> Option<Range<usize>> {
        self.labels[at].as_ref()?;
        let (line, first) = (&self.lines[at], self.lines.get(at + 1)?);
        let is_over = |next: &usize| {
            let below = &self.lines[*next];
            // The first line below a label is not one as well, even if it could be: `EIN`.
            let is_value = *next == at + 1 && below.block == line.block && !is_marked(below);
            let is_part = below.block == first.block || below.ticked.is_some();
            let has_label = || pairs(&below.chars, false).iter().any(|pair| pair.meaning.is_some());
            !is_part
                || self.labels[*next].is_some() && !is_value
                || below.kind != LineKind::Text
                || below.table.is_some()
                || if self.is_open { is_marked(below) } else { has_label() }
        };
        let end = (at + 1..self.lines.len()).find(is_over).unwrap_or(self.lines.len());
        let is_apart = first.block != line.block && first.ticked.is_none();
        let is_beside = !(self.is_open && is_apart) && (first.item.is_none() || first.ticked.is_some());
        (end > at + 1 && is_beside).then_some(at + 1..end)
    }

    /// The value in the lines below a label: without explanations, and how many characters there are, of how many.
    fn value(&self, role: &str, below: &Range<usize>) -> Vec<NoteChar> {
        let is_chosen = |line: &&Line| {
            line.ticked != Some(false) || find(&text_of(&line.chars), 0, &CHOICES[..CHOSEN]).is_some()
        };
        let lines = self.lines[below.clone()].iter().filter(is_chosen);
        let mut rows: Vec<&[NoteChar]> = lines.map(|line| trimmed(&line.chars)).collect();
        let counted = rows.last().and_then(|row| {
            let text = text_of(row);
            let (count, most) = text.split_once('/')?;
            most.trim().parse::<usize>().ok().and(count.trim().parse::<usize>().ok())
        });
        rows.truncate(rows.len() - usize::from(counted.is_some()));
        // What is pressed to add another value is not one; of choices, those that are chosen are the value.
        rows.retain(|row| !text_of(row).starts_with("+ "));
        let mut value: Vec<NoteChar> = Vec::new();
        for row in &rows {
            match row {
                [first, rest @ ..] if DOTS.contains(&first.character) => append(&mut value, rest),
                [rest @ .., last] if CHIPS.contains(&last.character) => {
                    add_mark(&mut value, ',');
                    append(&mut value, rest);
                }
                _ => {}
            }
        }
        if !value.is_empty() {
            return value;
        }
        let mut length = 0;
        let is_whole = |row: &&[NoteChar]| {
            length += row.len() + 1;
            counted.is_some_and(|count| length + 1 >= count)
        };
        let last = |row: &[NoteChar]| row.last().map(|last| last.character);
        let (first, count) = match counted {
            Some(_) => (rows.iter().rposition(is_whole).unwrap_or_default(), rows.len()),
            None if self.is_open && !is_long(role) => (rows.len().saturating_sub(1), rows.len()),
            None if self.is_open => (usize::from(rows.len() > 1 && last(rows[0]) == Some('.')), rows.len()),
            None if is_long(role) => {
                let is_label =
                    |row: &&[NoteChar]| row.len() < MAX_LABEL && last(row).is_some_and(char::is_alphanumeric);
                (0, rows.iter().skip(1).position(is_label).map_or(rows.len(), |at| at + 1))
            }
            None => (0, if role == ADDRESS_PARTS[0] || role == CONTACT { rows.len() } else { 1 }),
        };
        rows.iter().take(count).skip(first).for_each(|row| append(&mut value, chosen(row)));
        value
    }
}

/// The choice that is marked in a line, or the line without the sign of a list that opens.
fn chosen(row: &[NoteChar]) -> &[NoteChar] {
    let text = text_of(row);
    let Some(start) = find(&text, 0, &CHOICES[..CHOSEN]).map(|at| at + 3) else {
        return trimmed(&row[..find(&text, 0, &["   "]).unwrap_or(row.len())]);
    };
    trimmed(&row[start..find(&text, start, &CHOICES).unwrap_or(row.len())])
}

/// The place of the first of some signs, counted in characters, at or after one.
fn find(text: &str, from: usize, signs: &[&str]) -> Option<usize> {
    let mut places = text.char_indices().enumerate().skip(from);
    places.find(|(_, (at, _))| signs.iter().any(|sign| text[*at..].starts_with(sign))).map(|(at, _)| at)
}
