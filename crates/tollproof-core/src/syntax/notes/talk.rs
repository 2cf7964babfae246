//! Talks in which one asks for a field and another answers: mails with answers below what they quote, `Q:` and `A:`, chats.

use std::collections::HashMap;
use std::ops::Range;

use tollproof_data::provider::written::{SUMMARY, USE_CASE};

use super::label::{Meaning, asked, meaning};
use super::line::append;
use super::line::{Line, LineKind, NoteChar, add_mark};
use super::markup::Markup;
use super::plain;
use super::read::MAX_CATEGORY;
use super::value::is_long;

/// The fewest questions with answers that make a talk, and the fewest messages that make a chat.
const LEAST: (usize, usize) = (3, 6);

/// The shortest answer that is a text, and the longest question, its rows, and the longest name of who writes.
const MIN_TEXT: usize = 20;
const MAX_QUESTION: usize = 400;
const MAX_ROWS: usize = 6;
const MAX_NAME: usize = 40;

/// The words of one writer until another one writes.
struct Turn<'t> {
    speaker: &'t str,
    rows: Vec<&'t str>,
}

/// The lines of a talk, each question with its answer in one line; `None` if the text is not one.
pub(super) fn lines(text: &str) -> Option<Vec<Line>> {
    let turns = chat(text).or_else(|| questions(text)).or_else(|| quoted(text))?;
    let mut talk = Talk { text, answers: Vec::new(), others: Vec::new(), answered: HashMap::new() };
    let mut at = 0;
    while let Some(turn) = turns.get(at) {
        let next = turns.get(at + 1).filter(|next| next.speaker != turn.speaker);
        let rows = next.map(|next| next.answer(next.speaker.is_empty() && at + 2 == turns.len()));
        let rows = rows.filter(|rows| rows.last().is_some_and(|row| !row.ends_with('?')));
        let is_answered = turn
            .question()
            .zip(rows)
            .is_some_and(|((label, question), rows)| talk.answer(&label, question, &rows));
        if !is_answered {
            talk.other(turn);
        }
        at += 1 + usize::from(is_answered);
    }
    // What is answered is meant before what is noted above.
    talk.answers.extend(talk.others);
    Some(talk.answers)
}

/// The messages of a chat: `[11/03/26, 9:14:07] Dana: text`, `11/03/26, 9:14 - Dana: text`, or `Dana  9:14 AM` above the text.
fn chat(text: &str) -> Option<Vec<Turn<'_>>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for row in text.lines() {
        match header(row) {
            Some((speaker, said)) => turns.push(Turn { speaker, rows: vec![said] }),
            None => turns.last_mut().into_iter().for_each(|last| last.rows.push(row)),
        }
    }
    for turn in &mut turns {
        turn.rows.retain(|row| !is_mark(row));
    }
    let changes = turns.windows(2).filter(|pair| pair[0].speaker != pair[1].speaker).count();
    (turns.len() >= LEAST.1 && changes >= LEAST.0).then_some(turns)
}

/// The writer of a message, and what is on the same line.
fn header(row: &str) -> Option<(&str, &str)> {
    let row =
        row.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{feff}'));
    let has_time = |text: &str| {
        let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        text.match_indices(':')
            .take(3)
            .any(|(at, _)| at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2))
    };
    let stamped = match row.strip_prefix('[') {
        Some(rest) => rest.split_once("] "),
        None => row.split_once(" - ").filter(|_| row.starts_with(|c: char| c.is_ascii_digit())),
    };
    if let Some((_, rest)) = stamped.filter(|(stamp, _)| stamp.len() <= MAX_NAME && has_time(stamp)) {
        let (name, said) = rest.split_once(':').unwrap_or(("", ""));
        return Some((name, said));
    }
    let name =
        row.split(|c: char| c.is_ascii_digit() || "—,[".contains(c)).next()?.split("  ").next()?.trim();
    let rest = row.get(name.len()..).filter(|rest| row.len() <= 2 * MAX_NAME && has_time(rest))?;
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && !word.contains(':');
    let is_ended = rest.ends_with(|c: char| c.is_ascii_digit() || matches!(c, 'M' | 'm' | ']' | '.'));
    let count = name.split_whitespace().count();
    (is_ended && (1..=4).contains(&count) && name.split_whitespace().all(is_name)).then_some((name, ""))
}

/// Whether a line is one that programs put below messages: reactions, `(edited)`, fences of code.
fn is_mark(row: &str) -> bool {
    let row = row.trim();
    row.is_empty()
        || row == "(edited)"
        || row.starts_with("```")
        || row.starts_with(':') && row[1..].contains(':')
}

/// Questions and answers with a letter before them: `Q: …`, `A: …`.
fn questions(text: &str) -> Option<Vec<Turn<'_>>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for row in text.lines() {
        let said = row.trim();
        let word = said.split([':', '.', ')']).next().unwrap_or_default();
        let speaker = match word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ') {
            "Q" | "P" | "Question" | "Pregunta" => "Q",
            "A" | "R" | "Answer" | "Réponse" | "Respuesta" => "A",
            _ => "",
        };
        let rest = said.get(word.len() + 1..).filter(|_| !speaker.is_empty());
        // A paragraph ends an answer.
        let is_more = |last: &&mut Turn<'_>| last.speaker.is_empty() || !said.is_empty();
        match turns.last_mut().filter(is_more).filter(|_| rest.is_none()) {
            Some(last) => last.rows.push(row),
            None => turns.push(Turn { speaker, rows: vec![rest.unwrap_or(row)] }),
        }
    }
    let is_answered = |pair: &&[Turn<'_>]| pair[0].speaker == "Q" && pair[1].speaker == "A";
    (turns.windows(2).filter(is_answered).count() >= LEAST.0).then_some(turns)
}

/// The quotations of a mail, each with what is written below it.
fn quoted(text: &str) -> Option<Vec<Turn<'_>>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for row in text.lines() {
        let said = row.strip_prefix('>');
        let (speaker, said) = (said.map_or("", |_| ">"), said.unwrap_or(row).trim());
        match turns.last_mut().filter(|last| last.speaker == speaker || said.is_empty()) {
            Some(last) => last.rows.push(said),
            None => turns.push(Turn { speaker, rows: vec![said] }),
        }
    }
    let asks = |pair: &&[Turn<'_>]| pair[0].speaker == ">" && pair[0].question().is_some();
    (turns.windows(2).filter(asks).count() >= LEAST.0).then_some(turns)
}

impl<'t> Turn<'t> {
    /// The label of the field that the last words ask for, and their first row.
    fn question(&self) -> Option<(String, &'t str)> {
        // In a chat, each line is a sentence.
        let most = if matches!(self.speaker, ">" | "Q") { MAX_ROWS } else { 1 };
        let rows = self.rows.iter().rev().map(|row| row.trim()).skip_while(|row| row.is_empty());
        let mut rows: Vec<&str> = rows.take_while(|row| !row.is_empty()).take(most).collect();
        rows.reverse();
        let text = rows.join(" ");
        let label = asked(&text).filter(|_| text.len() <= MAX_QUESTION)?;
        Some((label, rows.first()?))
    }

    /// The rows of an answer; of the last one in a mail, the first paragraph.
    fn answer(&self, is_last: bool) -> Vec<&'t str> {
        let rows = self.rows.iter().map(|row| row.trim().trim_start_matches('>').trim());
        let rows = rows.skip_while(|row| row.is_empty()).take_while(|row| !is_last || !row.is_empty());
        rows.filter(|row| !row.is_empty()).collect()
    }
}

/// The lines that were read of a talk.
struct Talk<'t> {
    text: &'t str,
    answers: Vec<Line>,
    others: Vec<Line>,
    /// The line of each field that was answered: what is said later is meant.
    answered: HashMap<&'static str, usize>,
}

impl<'t> Talk<'t> {
    fn range(&self, row: &str) -> Range<usize> {
        let start = row.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + row.len()
    }

    /// Adds an answer after the label of its question, if it can be one.
    fn answer(&mut self, label: &str, question: &str, rows: &[&'t str]) -> bool {
        let length: usize = rows.iter().map(|row| row.len()).sum();
        let words = rows.iter().flat_map(|row| row.split_whitespace()).count();
        let (role, label) = match meaning(label, false) {
            Some(Meaning::Role(USE_CASE)) if words > MAX_CATEGORY => (SUMMARY, "use case summary"),
            Some(Meaning::Role(role)) => (role, label),
            _ => return false,
        };
        if length == 0 || is_long(role) && length < MIN_TEXT {
            return false;
        }
        let place = self.range(question.trim());
        let mut line = Line::new(LineKind::Text, usize::MAX - self.answers.len());
        line.add(place.start, label, false, false);
        line.add(place.start, ": ", false, false);
        line.chars.iter_mut().for_each(|char| (char.start, char.end) = (place.start, place.end));
        let mut value: Vec<NoteChar> = Vec::new();
        for row in rows {
            let mut written = Line::new(LineKind::Text, 0);
            if !is_long(role) {
                add_mark(&mut value, ',');
            }
            written.add(self.range(row).start, row, false, false);
            append(&mut value, &written.chars);
        }
        line.chars.extend(value);
        if let Some(before) = self.answered.insert(role, self.answers.len()) {
            self.answers[before].chars.clear();
        }
        self.answers.push(line);
        true
    }

    /// Adds what does not answer: a field with its value in one message, or other lines.
    fn other(&mut self, turn: &Turn<'t>) {
        let (Some(first), Some(last)) = (turn.rows.first(), turn.rows.last()) else { return };
        let label = first.trim_end().strip_suffix(':').and_then(asked);
        let rest = Turn { speaker: "", rows: turn.rows[1..].to_vec() };
        let is_answered = |label: String| self.answer(&label, first, &rest.answer(false));
        if turn.speaker == ">" || label.is_some_and(is_answered) {
            return;
        }
        let range = self.range(first).start..self.range(last).end;
        let mut lines = plain::lines(self.text.get(range.clone()).unwrap_or_default(), Markup::Plain);
        let block = self.others.last().map_or(1, |line| line.block + 1);
        for line in &mut lines {
            line.block += block;
            line.item = line.item.map(|item| item + block);
            for char in &mut line.chars {
                (char.start, char.end) = (char.start + range.start, char.end + range.start);
            }
        }
        self.others.extend(lines);
    }
}
