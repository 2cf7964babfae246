//! The built-in rules as a linter from which single terms of the vocabulary can be left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use tollproof_data::prepare::{SourceFiles, TermOfFile, prepare_with_terms};
use tollproof_data::prepared::PreparedRules;
use tollproof_data::text::table::lexicon::StoredPhrase;
use tollproof_data::text::terms::vocabulary::COMPUTED;

use crate::lint::Linter;
use crate::rule::builtin::Builtin;
use crate::text::asked::scan::Scan;

/// The rules with a set of phrases for each term.
pub(super) struct MaskedLinter {
    /// `None` while a text is checked.
    linter: Option<Linter>,
    terms: Vec<TermOfFile>,
    /// By term, the indexes of its phrases.
    phrases: Vec<Vec<usize>>,
    left_out: BTreeMap<usize, Vec<StoredPhrase>>,
}

impl MaskedLinter {
    pub(super) fn new() -> Self {
        let mut files = SourceFiles::new();
        add_files("rules", &mut files);
        let (rules, terms) = prepare_with_terms(&files).expect("the build prepared the same files");
        let PreparedRules { rules, phrases: lexicon, titles, vocabulary, next_set } = rules;
        let mut of_terms = vec![Vec::new(); terms.len()];
        for (index, set) in lexicon.sets().enumerate() {
            let term = usize::from(set).checked_sub(COMPUTED.len());
            if let Some(phrases) = term.and_then(|term| of_terms.get_mut(term)) {
                phrases.push(index);
            }
        }
        let linter = Linter::of(Builtin { rules, lexicon, titles, vocabulary, next_set });
        Self { linter: Some(linter), terms, phrases: of_terms, left_out: BTreeMap::new() }
    }

    /// All terms, whose numbers are their places.
    pub(super) fn terms(&self) -> &[TermOfFile] {
        &self.terms
    }

    /// A term with its place.
    pub(super) fn shown(&self, term: usize) -> String {
        let TermOfFile { file, group, language, term } = &self.terms[term];
        format!("{file}\t{group}\t{}\t{term}", language.key())
    }

    fn linter(&self) -> &Linter {
        self.linter.as_ref().expect("no text is being checked")
    }

    /// Lets a function change the settings of the linter.
    pub(super) fn set(&mut self, change: impl FnOnce(Linter) -> Linter) -> &Linter {
        let linter = self.linter.take().expect("no text is being checked");
        self.linter.insert(change(linter))
    }

    pub(super) fn leave_out(&mut self, term: usize) {
        let lexicon = self.linter.as_mut().expect("no text is being checked").lexicon_mut();
        let phrases = self.phrases[term].iter().map(|index| lexicon.leave_out(*index)).collect();
        assert!(self.left_out.insert(term, phrases).is_none(), "it is left out once");
    }

    pub(super) fn put_back(&mut self, term: usize) {
        let lexicon = self.linter.as_mut().expect("no text is being checked").lexicon_mut();
        let phrases = self.left_out.remove(&term).expect("it was left out");
        for (index, phrase) in self.phrases[term].iter().zip(phrases) {
            lexicon.put_back(*index, phrase);
        }
    }

    /// The terms in some strings.
    pub(super) fn terms_in(&self, strings: &[String]) -> BTreeSet<usize> {
        strings.iter().flat_map(|string| self.hits(string)).map(|(term, _)| term).collect()
    }

    /// The terms of a group that a string has at a place.
    pub(super) fn terms_at(&self, string: &str, place: &Range<usize>, group: &str) -> BTreeSet<usize> {
        let is_there = |(term, range): &(usize, Range<usize>)| {
            self.terms[*term].group == group && range.start < place.end && place.start < range.end
        };
        self.hits(string).into_iter().filter(is_there).map(|(term, _)| term).collect()
    }

    /// The terms in a string, with their places.
    fn hits(&self, string: &str) -> Vec<(usize, Range<usize>)> {
        let scan = Scan::of(string, self.linter().text_rules(), &[]);
        let of_term =
            |set| usize::from(set).checked_sub(COMPUTED.len()).filter(|term| *term < self.terms.len());
        let hits = scan.hits().iter();
        hits.filter_map(|hit| Some((of_term(hit.set)?, scan.words().range(hit.first, hit.last)))).collect()
    }
}

fn add_files(folder: &str, files: &mut SourceFiles) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for entry in std::fs::read_dir(path).expect("the folder can be read") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are ASCII");
        let name = format!("{folder}/{name}");
        if path.is_dir() {
            add_files(&name, files);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            files.insert(name, text);
        }
    }
}
