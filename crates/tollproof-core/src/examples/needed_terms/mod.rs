//! Terms of the vocabulary that no text of the project needs.
//!
//! A text needs a term if what is found in it changes without the term. Where others of its group have the same effect, the
//! term counts if it has the effect alone. The texts are the examples of all rules, the labelled sentences and drafts of
//! `tests/meaning/`, and `terms.ndjson` there: sentences with a place at which each of some terms has an effect.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod masked_linter;
mod proof_text;

use std::collections::{BTreeMap, BTreeSet};

use self::masked_linter::MaskedLinter;
use self::proof_text::{FoundPlaces, ProofText, SentenceFamily};

/// Groups that have all words of a kind that the language has, whether a text needs each of them or not.
const CLOSED: [&str; 2] = ["negative", "small-number"];

/// The number of terms that have no effect of their own in any text, such as one of two excuses of the same sentence.
/// Lower it when it falls.
const NO_EFFECT_ALONE: usize = 663;

/// Fails if a term is new and no text needs it. `UNNEEDED=path` writes the list of all that no text needs. `GROUP=name` tries
/// only the sentences of one group in `terms.ndjson`, which takes seconds.
#[test]
#[ignore = "takes four minutes without optimization: `.ci/run all` runs it"]
fn texts_need_all_terms() {
    let mut linter = MaskedLinter::new();
    let mut needed = BTreeSet::new();
    let mut wrong = Vec::new();
    let group = std::env::var("GROUP").ok();
    let is_tried = |family: &SentenceFamily| group.as_ref().is_none_or(|group| *group == family.group);
    for family in SentenceFamily::all().into_iter().filter(is_tried) {
        wrong.extend(family.terms.iter().filter_map(|term| tried(&mut linter, &family, term, &mut needed)));
    }
    assert!(wrong.is_empty(), "tests/meaning/terms.ndjson:\n{}", wrong.join("\n"));
    if group.is_some() {
        return;
    }
    for text in ProofText::all() {
        needed_by(&mut linter, &text, &mut needed);
    }
    let is_closed = |term: &usize| CLOSED.contains(&linter.terms()[*term].group.as_str());
    let unneeded = (0..linter.terms().len()).filter(|term| !needed.contains(term) && !is_closed(term));
    let shown: Vec<String> = unneeded.map(|term| linter.shown(term)).collect();
    if let Some(path) = std::env::var_os("UNNEEDED") {
        std::fs::write(path, shown.join("\n")).expect("it can be written");
    }
    let (count, known) = (shown.len(), NO_EFFECT_ALONE);
    let shown = shown.join("\n");
    assert!(count <= known, "no text needs {count} terms, and {known} are known; yours are among:\n{shown}");
}

/// Tries a sentence with a term: notes which terms it needs, or returns what is wrong with it.
fn tried(
    linter: &mut MaskedLinter,
    family: &SentenceFamily,
    term: &str,
    needed: &mut BTreeSet<usize>,
) -> Option<String> {
    let text = family.draft(term);
    let found = text.found(linter);
    let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule.as_str()).collect();
    if rules != family.reported.iter().map(String::as_str).collect() {
        return Some(format!("`{term}` in `{}`: {rules:?} report it", family.text));
    }
    let mut has_effect = false;
    for term in linter.terms_at(&family.text.replace("{}", term), &family.place(term), &family.group) {
        linter.leave_out(term);
        if text.found(linter) != found {
            has_effect = true;
            needed.insert(term);
        }
        linter.put_back(term);
    }
    (!has_effect).then(|| format!("`{term}` in `{}` has no effect", family.text))
}

/// Notes the terms that a text needs and that are not known as needed.
fn needed_by(linter: &mut MaskedLinter, text: &ProofText, needed: &mut BTreeSet<usize>) {
    let found = text.found(linter);
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for term in linter.terms_in(&text.strings()) {
        let group = linter.terms()[term].group.split('.').next().unwrap_or_default();
        groups.entry(group.to_owned()).or_default().push(term);
    }
    for group in groups.values() {
        let unknown: Vec<usize> = group.iter().copied().filter(|term| !needed.contains(term)).collect();
        if unknown.is_empty() {
            continue;
        }
        // Most groups in a text have no effect.
        group.iter().for_each(|term| linter.leave_out(*term));
        let has_effect = text.found(linter) != found;
        group.iter().for_each(|term| linter.put_back(*term));
        if has_effect {
            needed.extend(unknown.into_iter().filter(|term| is_needed(linter, text, (*term, group), &found)));
        }
    }
}

/// Whether a text needs a term: alone, or with as few others of its group in the text as possible.
fn is_needed(
    linter: &mut MaskedLinter,
    text: &ProofText,
    (term, group): (usize, &[usize]),
    found: &FoundPlaces,
) -> bool {
    let mut left_out = Vec::new();
    for other in group.iter().copied().filter(|other| *other != term) {
        linter.leave_out(other);
        if text.found(linter) == *found {
            left_out.push(other);
        } else {
            linter.put_back(other);
        }
    }
    linter.leave_out(term);
    let is_needed = text.found(linter) != *found;
    left_out.into_iter().chain([term]).for_each(|term| linter.put_back(term));
    is_needed
}
