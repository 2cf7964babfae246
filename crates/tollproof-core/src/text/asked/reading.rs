//! The understanding of a text, for people who write rules.

use std::collections::BTreeSet;
use std::ops::Range;

use tollproof_data::text::terms::vocabulary::computed;
use tollproof_data::text::words::hit::SetId;
use tollproof_data::text::words::language::Language;
use tollproof_data::text::words::polarity;
use tollproof_data::text::words::word::Words;

use crate::text::asked::scan::Scan;
use crate::text::asked::term_entries::{TermEntries, TermEntry};
use crate::text::terms::text_rules::TextRules;
use crate::text::words::split_text;

/// The vocabulary's understanding of a text. All places are byte ranges of the text. If the groups of users have very
/// many terms that match, not all of them are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextReading {
    /// The language of the text as a code of ISO 639-1; `None` if it cannot be told.
    pub language: Option<&'static str>,
    /// The name of this language.
    pub language_name: Option<&'static str>,
    /// The sentences, in order.
    pub sentences: Vec<Range<usize>>,
    /// The clauses of all sentences, in order; each is in one sentence.
    pub clauses: Vec<Range<usize>>,
    /// Ranges between quotation marks.
    pub quotations: Vec<Range<usize>>,
    /// The terms, by their first words.
    pub terms: Vec<TermReading>,
    /// The names of all groups that have a term in the text, sorted.
    pub groups: Vec<String>,
}

/// A term of the vocabulary in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TermReading {
    /// The place in the text.
    pub range: Range<usize>,
    /// The names of the groups that contain the term, sorted.
    pub groups: Vec<String>,
    /// The entries of these groups that match the term, in the order of the files. A group that tollproof
    /// finds by itself, such as `number`, has none.
    pub entries: Vec<TermEntry>,
    /// Whether the text denies it.
    pub denied: bool,
    /// Whether it does not count, because a term in its sentence says that the sentence is about something else, such as
    /// the past.
    pub excused: bool,
    /// Whether it is such a term itself.
    pub excuses: bool,
}

impl TextReading {
    /// The language of a text as a code of ISO 639-1, if the text has at least so many of its most frequent words, and more
    /// of them than of those of any other language.
    ///
    /// ```
    /// # use tollproof_core::TextReading;
    /// let text = "Nous ne partageons pas vos données avec des tiers.";
    /// assert_eq!(TextReading::language_of(text, 3), Some("fr"));
    /// assert_eq!(TextReading::language_of("Acme Diner", 1), None);
    /// ```
    pub fn language_of(text: &str, least: u32) -> Option<&'static str> {
        split_text::language_of(text, least).map(Language::key)
    }

    /// Reads a text; `files` are all vocabulary files with their names, and the first set that no rule has.
    pub(crate) fn of(text: &str, rules: TextRules<'_>, (files, first): (&[(String, &str)], SetId)) -> Self {
        let scan = Scan::of(text, rules, &[]);
        let vocabulary = rules.vocabulary;
        let words = scan.words();
        let mut clauses: Vec<Range<usize>> = Vec::new();
        for sentence in scan.sentences() {
            let mut start = sentence.start;
            while start < sentence.end {
                let end = polarity::clause((words, scan.roles()), start).end.clamp(start + 1, sentence.end);
                clauses.push(start..end);
                start = end;
            }
        }
        let excuses = vocabulary.excuses();
        let group_names: Vec<&str> = vocabulary.names().collect();
        let mut terms: Vec<TermReading> = Vec::new();
        let mut names = BTreeSet::new();
        for hit in scan.hits() {
            // The groups of frequent words tell the language, which is shown by itself.
            let Some(group) = hit.group else {
                continue;
            };
            let name = group_names[usize::from(group)];
            names.insert(name);
            // Quotations are shown by themselves.
            if group == computed::QUOTATION {
                continue;
            }
            let range = words.range(hit.first, hit.last);
            let same = terms.iter_mut().rev().take_while(|term| term.range.start == range.start);
            if let Some(term) = same.into_iter().find(|term| term.range == range) {
                term.excuses |= excuses.has(group);
                term.denied |= scan.is_negated(hit);
                if let Err(at) = term.groups.binary_search_by(|group| group.as_str().cmp(name)) {
                    term.groups.insert(at, name.to_owned());
                }
                continue;
            }
            terms.push(TermReading {
                range,
                groups: vec![name.to_owned()],
                entries: Vec::new(),
                denied: scan.is_negated(hit),
                excused: scan.sentence_has(scan.sentence_of(hit.first), excuses),
                excuses: excuses.has(group),
            });
        }
        terms.sort_by_key(|term| (term.range.start, term.range.end));
        let entries = TermEntries::of(files, &names, vocabulary, first);
        let lexicons = [rules.lexicons, &entries.lexicons].concat();
        let with_entries = Scan::of(text, TextRules { lexicons: &lexicons, ..rules }, &[]);
        for hit in with_entries.hits() {
            let range = words.range(hit.first, hit.last);
            let term = terms.iter_mut().find(|term| term.range == range);
            if let (Some(term), Some(entry)) = (term, entries.get(hit.set)) {
                term.entries.push(entry.clone());
            }
        }
        let language = Some(scan.language()).filter(|it| *it != Language::ANY);
        let extended = |parts: &[Range<usize>]| parts.iter().map(|part| extent(text, words, part)).collect();
        let quotations = words.quotations();
        let quotations = quotations.iter().filter(|it| !it.is_empty());
        let quotations = quotations.map(|it| words.range(it.start, it.end - 1)).collect();
        Self {
            language: language.map(Language::key),
            language_name: language.map(Language::name),
            sentences: extended(scan.sentences()),
            clauses: extended(&clauses),
            quotations,
            terms,
            groups: names.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// The byte range of a range of words with the punctuation around it. Punctuation belongs to the word before it, and
/// after whitespace to the word after it.
fn extent(text: &str, words: &Words, part: &Range<usize>) -> Range<usize> {
    let core = words.range(part.start, part.end - 1);
    let before = match part.start.checked_sub(1) {
        None => 0,
        Some(last) => {
            let gap = words.range(last, last).end..core.start;
            let space = text[gap.clone()].find(char::is_whitespace);
            space.map_or(core.start, |at| gap.start + at)
        }
    };
    let after = match words.get(part.end) {
        None => text.len(),
        Some(next) => {
            let gap = core.end..next.start as usize;
            let space = text[gap.clone()].find(char::is_whitespace);
            gap.start + space.unwrap_or(gap.len())
        }
    };
    let whole = &text[before..after];
    let start = before + (whole.len() - whole.trim_start().len());
    start..start + whole.trim().len()
}
