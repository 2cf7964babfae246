//! Finds labels with their values in the lines of notes.

use tollproof_data::provider::written::{CONSENT, SUMMARY, USE_CASE};

use super::alone::{LEAST_ALONE, alone, asks};
use super::block::{forms, joined, other_label, paragraph};
use super::columns::{Columns, columns, head};
use super::label::{Meaning, is_old, meaning};
use super::line::{FRONT, LABEL, Line, LineKind, NoteChar, append, chosen, span_of, text_of, trimmed};
use super::pair::pairs;
use super::value::is_long;
use crate::syntax::field_names::is_secret;
use crate::syntax::label_words::words_of;
use crate::syntax::span::Span;

/// The most words of a use case; more describe one.
pub(super) const MAX_CATEGORY: usize = 6;

/// A label with the characters of its value.
#[derive(Clone, Debug)]
pub(super) struct NoteEntry {
    pub(super) meaning: Meaning,
    pub(super) label: Span,
    pub(super) value: Vec<NoteChar>,
    /// The values that a list has, if the value is one.
    pub(super) items: Vec<Vec<NoteChar>>,
    /// The part of the notes.
    pub(super) section: usize,
    /// Whether the label is numbered, as one of several samples.
    pub(super) is_numbered: bool,
}

/// A label that waits for its value.
struct Pending {
    meaning: Meaning,
    label: Span,
    /// The level, if it is a heading.
    heading: Option<u8>,
    /// The item of a list that it is in, and how deep that is.
    item: (Option<usize>, usize),
    items: Vec<Vec<NoteChar>>,
    /// The paragraph from which its value is taken.
    block: Option<usize>,
    value: Vec<NoteChar>,
    /// The words after the label, which are its value if nothing else is.
    remark: Vec<NoteChar>,
}

/// The fields that were found in notes.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) entries: Vec<NoteEntry>,
    /// Blocks of code with data or a program: their language and bytes.
    pub(super) code: Vec<(String, Span)>,
    headings: Vec<(u8, String, bool)>,
    /// Whether a heading was read; the first one is that of the whole.
    has_title: bool,
    section: usize,
    pending: Option<Pending>,
    /// Of the current table: its number, the columns of labels and values, or the labels of all columns.
    table: Option<(usize, Option<Columns>)>,
    /// The paragraph of the last entry, whose lines may go on.
    open: Option<usize>,
    /// The paragraph of the last label that is not one of a field.
    beside: Option<usize>,
    /// Whether a list, a quotation or a block of code follows the line.
    has_more: bool,
    /// Whether the line is a label, and the next one its value.
    is_alone: bool,
    /// Whether most lines of the paragraph have a label.
    is_form: bool,
    /// The field that the line asks for.
    asks: Option<Meaning>,
    /// The number of the table whose columns are fields, and what each means.
    head: (usize, Vec<Option<Meaning>>),
    /// The parts of the notes that are rows of such tables, by what is in the first column.
    rows: Vec<(String, usize)>,
    /// The number of the last part.
    last: usize,
    /// The levels of headings that are mostly labels, so that similar ones count.
    likely: Vec<u8>,
    /// The levels of which more than half of the headings are labels.
    mostly: Vec<u8>,
}

/// The longest remark before a text.
const REMARK: usize = 60;

/// Languages of blocks that are code about something else, unless they have fields.
const CODE: &str = "json|http|ts|typescript|js|javascript|python|py|bash|sh|shell|sql|ruby";

/// Reads all lines.
pub(super) fn read(lines: &[Line]) -> Reading {
    let of_level = |level| lines.iter().filter(move |line| line.kind == LineKind::Heading(level));
    let is_label = |line: &&Line| meaning(&text_of(&line.chars), false).is_some();
    let levels = |fits: fn(usize, usize) -> bool| {
        (2..LABEL)
            .filter(move |level| fits(of_level(*level).filter(is_label).count(), of_level(*level).count()))
    };
    let likely = levels(|labels, _| labels >= LEAST_ALONE).collect();
    let mostly = levels(|labels, all| 2 * labels > all).collect();
    let mut reading = Reading { likely, mostly, ..Reading::default() };
    let (alone, asks, forms) = (alone(lines), asks(lines), forms(lines));
    for (at, line) in lines.iter().enumerate() {
        // A remark precedes what is below: `**Samples:** take these two.`
        reading.has_more = lines.get(at + 1).is_some_and(|next| {
            let is_other = next.block != line.block && next.table.is_none();
            let is_text = matches!(next.kind, LineKind::Quote | LineKind::Code(_))
                || next.item.is_some_and(|item| line.item != Some(item));
            is_other && is_text && line.item.is_none() && pairs(&next.chars, false).is_empty()
        });
        (reading.is_alone, reading.asks) = (alone[at], asks[at].clone());
        reading.is_form = forms.contains(&paragraph(line));
        reading.line(line);
    }
    reading.close();
    // Who is asked for a use case describes it.
    if !reading.entries.iter().any(|entry| entry.meaning == Meaning::Role(SUMMARY)) {
        let is_text = |entry: &&mut NoteEntry| {
            entry.meaning == Meaning::Role(USE_CASE)
                && text_of(&entry.value).split_whitespace().count() > MAX_CATEGORY
        };
        reading.entries.iter_mut().filter(is_text).for_each(|entry| entry.meaning = Meaning::Role(SUMMARY));
    }
    reading.entries.sort_by_key(|entry| entry.section);
    reading
}

/// The most parts of notes that a table may be.
const COLUMNS: usize = 64;

impl Reading {
    fn line(&mut self, line: &Line) {
        match &line.kind {
            LineKind::Heading(level) => self.heading(*level, line),
            LineKind::Rule => {
                self.close();
                self.next_section();
            }
            _ if self.headings.iter().any(|(_, _, is_out)| *is_out) => {}
            LineKind::Code(language) => self.code(language, line),
            _ if line.table.is_some() => self.row(line),
            LineKind::Text | LineKind::Quote => self.text(line),
        }
    }

    /// Ends the value of the label that waits for one.
    fn close(&mut self) {
        self.open = None;
        let Some(pending) = self.pending.take() else { return };
        let is_empty = pending.value.is_empty() && pending.items.is_empty();
        let value = if is_empty { pending.remark } else { pending.value };
        self.add(pending.meaning, pending.label, value, pending.items, false);
    }

    fn add(
        &mut self,
        meaning: Meaning,
        label: Span,
        mut value: Vec<NoteChar>,
        mut items: Vec<Vec<NoteChar>>,
        is_numbered: bool,
    ) {
        if items.len() == 1 && trimmed(&value).is_empty() {
            value = items.pop().unwrap_or_default();
        }
        if trimmed(&value).is_empty() && items.is_empty() {
            return;
        }
        let meaning = self.in_context(meaning);
        self.entries.push(NoteEntry { meaning, label, value, items, section: self.section, is_numbered });
    }

    /// A description below a heading about consent describes that.
    fn in_context(&self, meaning: Meaning) -> Meaning {
        let is_consent = |heading: &str| {
            let words = words_of(heading);
            words.iter().any(|word| word.starts_with("consent") || word == "opt")
        };
        let last = self.headings.last().is_some_and(|(_, heading, _)| is_consent(heading));
        match meaning {
            Meaning::Role(SUMMARY) if last && self.has(SUMMARY) => Meaning::Role(CONSENT),
            meaning => meaning,
        }
    }

    fn has(&self, role: &'static str) -> bool {
        self.entries.iter().any(|entry| entry.meaning == Meaning::Role(role) && entry.section <= self.section)
    }

    fn heading(&mut self, level: u8, line: &Line) {
        let text = text_of(&line.chars);
        let is_below = self.pending.as_ref().is_some_and(|pending| {
            pending.heading.is_some_and(|own| own < level)
                && pending.value.is_empty()
                && pending.items.is_empty()
        });
        // What people say about the notes is below such a heading.
        let is_talk = words_of(&text) == ["comment"];
        let is_likely = self.likely.contains(&level);
        let found = meaning(&text, is_likely).filter(|found| *found != Meaning::Answer && !is_talk);
        let found = found.or_else(|| self.asks.clone());
        if is_below && found.is_none() && !is_old(&text) && level < LABEL {
            return;
        }
        self.close();
        self.headings.retain(|(own, _, _)| *own < level);
        let is_whole = level == 1 && !std::mem::replace(&mut self.has_title, true);
        let is_out = found.is_none()
            && level < LABEL
            && is_old(&text)
            && (!is_whole || text.to_lowercase().contains("10dlc"));
        self.headings.push((level, text, is_out));
        match found {
            Some(meaning) => {
                if !self.is_out() {
                    self.wait(meaning, span_of(&line.chars), Vec::new());
                    self.pending.iter_mut().for_each(|pending| pending.heading = Some(level));
                }
            }
            None => {
                // A heading beside those that are labels is one as well.
                if self.mostly.contains(&level)
                    && !is_talk
                    && !self.is_out()
                    && let Some(last) = self.entries.last()
                {
                    self.section = last.section;
                    self.unknown(&line.chars, &[]);
                }
                let name = self.headings.last().map(|(_, text, _)| words_of(text).concat());
                match self.rows.iter().find(|(row, _)| Some(row) == name.as_ref()) {
                    Some((_, section)) => self.section = *section,
                    None => self.next_section(),
                }
            }
        }
    }

    fn next_section(&mut self) {
        self.last += COLUMNS;
        self.section = self.last;
    }

    fn is_out(&self) -> bool {
        self.headings.iter().any(|(_, _, is_out)| *is_out)
    }

    fn code(&mut self, language: &str, line: &Line) {
        let text = text_of(&line.chars);
        let is_code = CODE.split('|').any(|code| code.eq_ignore_ascii_case(language));
        let is_data = text.trim_start().starts_with(['{', '[']) || text.contains("curl ");
        if is_code || is_data {
            self.code.push((language.to_owned(), span_of(&line.chars)));
            if is_code {
                return;
            }
        }
        // A form in a block of its own.
        let rows = line.chars.split(|char| char.character == '\n');
        let rows =
            joined(rows, language.eq_ignore_ascii_case("yaml") || language.eq_ignore_ascii_case("yml"));
        let known =
            rows.iter().filter(|row| pairs(row, false).iter().any(|pair| pair.meaning.is_some())).count();
        if (known >= 3 || language == FRONT) && !is_data {
            self.close();
            for (at, row) in rows.into_iter().enumerate() {
                let chars = trimmed(&row).to_vec();
                let line = Line { chars, ..Line::new(LineKind::Text, usize::MAX - at) };
                if !line.chars.is_empty() {
                    self.text(&line);
                }
            }
            return self.close();
        }
        if let Some(mut pending) = self.pending.take().filter(|pending| pending.value.is_empty()) {
            pending.value = trimmed(&line.chars).to_vec();
            self.pending = Some(pending);
            self.close();
        }
    }

    /// A row of a table: its first cell is a label, or each cell of the head is one.
    fn row(&mut self, line: &Line) {
        let cells = line.cells();
        let texts: Vec<String> = cells.iter().map(|cell| text_of(cell)).collect();
        let number = line.table.unwrap_or_default();
        if self.table.as_ref().is_none_or(|(own, _)| *own != number) {
            self.close();
            if let Some(head) = head(&texts) {
                (self.table, self.head) = (Some((number, None)), (number, head));
                return;
            }
            self.table = Some((number, columns(&texts)));
            // Without a head, the first row is one as well.
            if texts.first().is_none_or(|first| meaning(first, false).is_none()) {
                return;
            }
            self.table = Some((number, (texts.len() >= 2).then(|| (0, vec![1]))));
        }
        if self.head.0 == number && !self.head.1.is_empty() {
            self.next_section();
            self.rows.push((words_of(&texts[0]).concat(), self.section));
            for (meaning, cell) in self.head.1.clone().into_iter().zip(cells) {
                if let Some(meaning) = meaning {
                    self.add(meaning, span_of(cell), cell.to_vec(), Vec::new(), false);
                }
            }
            return;
        }
        let Some((_, Some((label, values)))) = self.table.clone() else { return };
        let Some(label) = cells.get(label) else { return };
        let text = text_of(label);
        let found = meaning(&text, true);
        if found.is_none() {
            let value = values.first().and_then(|value| cells.get(*value)).copied().unwrap_or_default();
            self.unknown(label, value);
        }
        if let Some(found) = found {
            let is_numbered = text.trim_end().ends_with(|c: char| c.is_ascii_digit());
            // Each column is a draft of its own, and so a part of the notes.
            let section = self.section;
            for (at, value) in
                values.iter().enumerate().filter_map(|(at, value)| Some((at, cells.get(*value)?)))
            {
                self.section = section + at;
                self.add(found.clone(), span_of(label), value.to_vec(), Vec::new(), is_numbered);
            }
            self.section = section;
        }
    }

    fn text(&mut self, line: &Line) {
        if line.ticked == Some(false) || trimmed(&line.chars).is_empty() {
            return;
        }
        let alone = self.is_alone.then(|| meaning(&text_of(&line.chars), false)).flatten();
        if let Some(found) = alone.or_else(|| self.asks.take()) {
            self.close();
            self.wait(found, span_of(&line.chars), Vec::new());
            return self.pending.iter_mut().for_each(|pending| pending.item = (line.item, line.depth));
        }
        // Before one of several answers: which it is.
        let is_named =
            self.pending.as_ref().is_some_and(|pending| pending.item.1 > 0 && line.depth > pending.item.1);
        if is_named && meaning(&text_of(&line.chars), false) == Some(Meaning::Answer) {
            return;
        }
        let is_quote = line.kind == LineKind::Quote;
        let takes_all = is_quote && self.pending.is_some();
        let found = if takes_all { Vec::new() } else { pairs(&line.chars, false) };
        if found.iter().any(|pair| pair.meaning.is_some())
            || found.first().is_some_and(|pair| pair.meaning.is_none())
        {
            return self.pairs(line, &found);
        }
        if self.is_form
            && !self.entries.is_empty()
            && let Some((label, value)) = other_label(&line.chars)
            && !self.is_named_before(label)
        {
            self.close();
            self.unknown(label, value);
            self.beside = Some(line.block);
            return;
        }
        if self.goes_on(line) || self.takes(line) {
            return;
        }
        // A label alone on its line.
        let text = text_of(&line.chars);
        let is_marked = line.chars.iter().all(|char| char.is_strong || char.character.is_whitespace());
        if is_marked && let Some(found) = meaning(&text, false).filter(|found| *found != Meaning::Answer) {
            self.close();
            self.wait(found, span_of(&line.chars), Vec::new());
            self.pending.iter_mut().for_each(|pending| pending.item = (line.item, line.depth));
        } else if let Some(colon) =
            line.chars.windows(2).position(|pair| pair[0].character == ':' && pair[1].character == ' ')
        {
            let label = trimmed(&line.chars[..colon]);
            let said = text_of(label);
            if said.split_whitespace().count() <= MAX_CATEGORY && !said.contains('.') {
                self.unknown(label, trimmed(&line.chars[colon + 1..]));
                self.beside = Some(line.block);
            }
        } else if self.beside == Some(line.block)
            && let Some(last) = self.entries.last_mut().filter(|last| last.meaning == Meaning::Unknown)
        {
            append(&mut last.value, &line.chars);
        }
    }

    /// Whether the text of the last entry begins with the name on a line, as samples begin with that of the business.
    fn is_named_before(&self, name: &[NoteChar]) -> bool {
        let begin = text_of(name);
        self.pending.is_some()
            || self.entries.last().is_some_and(|entry| text_of(&entry.value).starts_with(&begin))
    }

    /// Notes a label that is not one of a field, with what follows it.
    fn unknown(&mut self, label: &[NoteChar], value: &[NoteChar]) {
        let (meaning, section, is_numbered) = (Meaning::Unknown, self.section, false);
        let (value, items) = (value.to_vec(), Vec::new());
        if !is_secret(&text_of(label)) {
            let label = span_of(label);
            self.entries.push(NoteEntry { meaning, label, value, items, section, is_numbered });
        }
    }

    fn pairs(&mut self, line: &Line, found: &[super::pair::LabelledValue<'_>]) {
        for pair in found {
            let value = pair.value.to_vec();
            let label = span_of(pair.label);
            match &pair.meaning {
                Some(Meaning::Answer) => {
                    if let Some(pending) = &mut self.pending {
                        (pending.value, pending.block) = (value, None);
                        if !pending.value.is_empty() {
                            self.close();
                            let last = self.entries.last().map(|entry| &entry.meaning);
                            let is_text =
                                |last: &Meaning| matches!(last, Meaning::Role(role) if is_long(role));
                            self.open = last.is_some_and(is_text).then_some(line.block);
                        }
                    }
                }
                Some(found) => {
                    self.close();
                    let text = text_of(pair.label);
                    let is_numbered = text.trim_end().ends_with(|c: char| c.is_ascii_digit());
                    let goes_on = matches!(found, Meaning::Role(role) if is_long(role)) || value.is_empty();
                    let is_remark = self.has_more && goes_on && value.len() < REMARK;
                    if value.is_empty() || is_remark {
                        self.wait(found.clone(), label, value);
                    } else {
                        self.add(found.clone(), label, value, Vec::new(), is_numbered);
                        self.open = goes_on.then_some(line.block);
                    }
                }
                // Another label ends what was before it.
                None => {
                    self.close();
                    self.unknown(pair.label, pair.value);
                    self.beside = Some(line.block);
                }
            }
        }
    }

    fn wait(&mut self, meaning: Meaning, label: Span, remark: Vec<NoteChar>) {
        let (items, value) = (Vec::new(), Vec::new());
        let (heading, item, block) = (None, (None, 0), None);
        self.pending = Some(Pending { meaning, label, heading, item, items, block, value, remark });
    }

    /// Adds a line to the text of the last entry, if it is of the same paragraph.
    fn goes_on(&mut self, line: &Line) -> bool {
        let is_same = self.open == Some(line.block) && self.pending.is_none();
        if is_same && let Some(entry) = self.entries.last_mut() {
            append(&mut entry.value, &line.chars);
            return true;
        }
        false
    }

    /// Gives a line to the label that waits.
    fn takes(&mut self, line: &Line) -> bool {
        // Another item of the same list is not its value.
        let is_beside = |pending: &Pending| {
            pending.item.0.is_some() && line.item != pending.item.0 && line.depth <= pending.item.1
        };
        if self.pending.as_ref().is_some_and(is_beside) {
            self.close();
        }
        let Some(pending) = &mut self.pending else { return false };
        if line.item.is_some() && line.kind == LineKind::Text && pending.value.is_empty() {
            let (is_chosen, chars) = chosen(&line.chars);
            if is_chosen && pending.block != Some(line.block) {
                pending.items.push(chars.to_vec());
            } else if let Some(last) = pending.items.last_mut().filter(|_| is_chosen) {
                append(last, &line.chars);
            }
            pending.block = Some(line.block);
            return true;
        }
        match pending.block {
            Some(block) if block == line.block => append(&mut pending.value, &line.chars),
            Some(_) => {
                self.close();
                return false;
            }
            None => {
                pending.block = Some(line.block);
                pending.value = line.chars.clone();
            }
        }
        true
    }
}
