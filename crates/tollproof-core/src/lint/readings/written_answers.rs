//! Answers in what a person or a chat wrote: JSON, in a fence or between sentences, or lines in words.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Deserializer, Value};

use super::message::{DRAFT, UNSURE};
use super::request::{ReadRequest, ReaderAnswer, ReaderAnswers, RequestedQuestion};
use crate::finding::translation::Translation;

/// The fewest digits of an id that name a request.
const LEAST_ID: usize = 8;

/// Other words for answers, and words for a doubt. Chats answer in the language in which they are asked.
const SAME: [(&str, &str); 4] = [("oui", "yes"), ("sí", "yes"), ("si", "yes"), ("non", "no")];
const DOUBTS: [&str; 4] = [UNSURE, "not sure", "incertain", "no seguro"];

const OPENING: [char; 4] = ['"', '“', '„', '«'];
const CLOSING: [char; 4] = ['"', '”', '“', '»'];

impl ReadRequest {
    /// The answers to `requests` in a text of any form, each with its request; `None` where no request has these texts.
    /// Without an id, they are about the only request. Words may be English or of `language`.
    pub fn answers_in<'r>(
        requests: &'r [Self],
        text: &str,
        language: &Translation,
    ) -> Vec<(Option<&'r Self>, ReaderAnswers)> {
        let only = || if let [request] = requests { Some(request) } else { None };
        let named =
            |id: &str| requests.iter().find(|request| id.len() >= LEAST_ID && request.id.starts_with(id));
        let objects = objects(requests, text).into_iter();
        let mut found: Vec<_> =
            objects.map(|answers| (answers.id.as_deref().map_or_else(only, named), answers)).collect();
        if found.is_empty() {
            let parts = parts(text).into_iter().map(|(id, part)| (id.map_or_else(only, named), part));
            found = parts
                .map(|(request, part)| {
                    let answers = |request: &Self| request.answers_in_words(part, language);
                    (request, request.map_or_else(nothing, answers))
                })
                .filter(|(request, answers)| request.is_none() || !answers.answers.is_empty())
                .collect();
        }
        found
    }

    /// The answers in lines that begin with the name of a question. One that is not offered counts if there is no other.
    fn answers_in_words(&self, text: &str, language: &Translation) -> ReaderAnswers {
        let mut starts: Vec<(usize, usize, &RequestedQuestion)> = Vec::new();
        for (at, line) in lines(text) {
            let name = line.trim_start_matches(|letter: char| !letter.is_alphabetic());
            if let Some(question) = self.questions.iter().find(|question| begins_with(name, &question.id)) {
                starts.push((at, at + line.len() - name.len() + question.id.len(), question));
            }
        }
        let mut all = nothing();
        let ends = starts.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
        for ((_, start, question), end) in starts.iter().zip(ends) {
            let Some(answer) = self.answer_in_words(question, &text[*start..end], language) else { continue };
            let known = all.answers.entry(question.id.clone()).or_insert_with(|| answer.clone());
            if known.answer.is_empty() {
                *known = answer;
            }
        }
        all
    }

    fn answer_in_words(
        &self,
        question: &RequestedQuestion,
        text: &str,
        language: &Translation,
    ) -> Option<ReaderAnswer> {
        if !text.contains(char::is_alphanumeric) {
            return None;
        }
        let quotes = quotes(text);
        let (mut said, mut from) = (String::new(), 0);
        for quote in &quotes {
            said.push_str(&text[from..quote.start]);
            from = quote.end;
        }
        said.push_str(&text[from..]);
        let said = said.to_lowercase();
        let answer = |quote: &str| ReaderAnswer {
            answer: question.answers_said(&said, language),
            quote: quote
                .trim_matches(|letter: char| OPENING.contains(&letter) || CLOSING.contains(&letter))
                .trim()
                .to_owned(),
            sure: !DOUBTS.iter().any(|doubt| said.contains(doubt)),
        };
        // A quote may have quotation marks inside.
        let whole = quotes.first().zip(quotes.last()).map(|(first, last)| &text[first.start..last.end]);
        let all = whole.into_iter().chain(quotes.iter().map(|quote| &text[quote.clone()]));
        let mut all = all.map(answer);
        let first = all.next().unwrap_or_else(|| answer(""));
        Some(match self.verify_one(question, &first) {
            Ok(_) => first,
            Err(_) => all.find(|answer| self.verify_one(question, answer).is_ok()).unwrap_or(first),
        })
    }
}

impl RequestedQuestion {
    /// The offered answers that a text in lower case says: all on its first line if several may be given, else the first.
    fn answers_said(&self, said: &str, language: &Translation) -> Vec<String> {
        let said = if self.several { said.trim_start().lines().next().unwrap_or_default() } else { said };
        let same = SAME.iter().filter(|_| self.is_yes_or_no()).copied();
        let offered = self.answers.iter().map(|answer| (answer.as_str(), answer.as_str()));
        let translated = self.answers.iter().map(|answer| (language.text(answer), answer.as_str()));
        let places = offered.chain(translated).chain(same).filter_map(|(word, answer)| {
            let word = word.to_lowercase();
            Some((place_of(said, &word)?, std::cmp::Reverse(word.len()), answer.to_owned()))
        });
        let mut places: Vec<_> = places.collect();
        places.sort();
        places.truncate(if self.several { places.len() } else { 1 });
        places.into_iter().map(|(.., answer)| answer).collect()
    }
}

fn nothing() -> ReaderAnswers {
    ReaderAnswers { id: None, reader: None, model: None, answers: BTreeMap::new() }
}

/// The answers in the JSON objects of a text.
fn objects(requests: &[ReadRequest], text: &str) -> Vec<ReaderAnswers> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let mut objects = Deserializer::from_str(rest).into_iter::<Value>();
        let end = match objects.next() {
            Some(Ok(object)) => {
                found.extend(answers_of(requests, object));
                objects.byte_offset()
            }
            _ => 1,
        };
        rest = &rest[end..];
    }
    found
}

/// An object with `answers`, or one with the names of questions.
fn answers_of(requests: &[ReadRequest], object: Value) -> Option<ReaderAnswers> {
    if object.get("answers").is_some() {
        return serde_json::from_value(object).ok();
    }
    let Value::Object(entries) = object else { return None };
    let questions = || requests.iter().flat_map(|request| &request.questions);
    let asked = entries.into_iter().filter(|(name, _)| questions().any(|question| question.id == *name));
    let answers: BTreeMap<String, ReaderAnswer> =
        asked.filter_map(|(name, answer)| Some((name, serde_json::from_value(answer).ok()?))).collect();
    (!answers.is_empty()).then(|| ReaderAnswers { answers, ..nothing() })
}

/// The parts of a text that begin with the name of a draft, and what is before them.
fn parts(text: &str) -> Vec<(Option<&str>, &str)> {
    let mut parts = vec![(None, text)];
    for (at, line) in lines(text) {
        let is_mark = |letter: char| !letter.is_alphanumeric();
        let Some(id) = line.trim_matches(is_mark).strip_prefix(DRAFT) else { continue };
        let id = id.trim_matches(is_mark);
        if id.len() >= LEAST_ID && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let (_, last) = parts.last_mut().expect("there is a first part");
            *last = &last[..last.len() - (text.len() - at)];
            parts.push((Some(id), &text[at + line.len()..]));
        }
    }
    // What is before the first name is seldom more than a greeting.
    if parts.len() > 1 {
        parts.remove(0);
    }
    parts
}

/// The lines of a text with their ends, by their places.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let at = *next;
        *next += line.len();
        Some((at, line))
    })
}

/// The places of quotes, with their marks. One without an end goes to the end of its line.
fn quotes(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(start) = text[from..].find(OPENING).map(|at| from + at) {
        let inside = start + text[start..].chars().next().map_or(1, char::len_utf8);
        let line = text[inside..].find('\n').map_or(text.len(), |at| inside + at);
        let close = text[inside..line].char_indices().find(|(_, letter)| CLOSING.contains(letter));
        let end = close.map_or(line, |(at, letter)| inside + at + letter.len_utf8());
        found.push(start..end);
        from = end;
    }
    found
}

fn begins_with(text: &str, name: &str) -> bool {
    let beginning = text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    beginning && !text[name.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '-')
}

/// The place of a word in a text, where it is not part of another word.
fn place_of(text: &str, word: &str) -> Option<usize> {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let is_whole = |at: &usize| {
        !is_letter(text[..*at].chars().next_back()) && !is_letter(text[at + word.len()..].chars().next())
    };
    text.match_indices(word).map(|(at, _)| at).find(is_whole)
}
