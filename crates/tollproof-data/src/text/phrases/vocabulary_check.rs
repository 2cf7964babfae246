//! Possible mistakes in vocabulary files, each with its place.

use crate::pointer::escaped;
use std::collections::BTreeMap;

use crate::suggest::{did_you_mean, nearest};
use crate::text::phrases::covered_terms::covered_terms;
use crate::text::phrases::phrase;
use crate::text::terms::vocabulary::{COMPUTED, Vocabulary};
use crate::text::terms::vocabulary_file::{GroupFile, VocabularyFile};
use crate::text::words::language::Language;

/// The maximum number of groups: each sentence of a text has a bit for each.
const MAX_GROUPS: usize = 4096;

/// The maximum length of a group's name in bytes.
const MAX_NAME: usize = 64;

/// The maximum number of mistakes in vocabularies that are reported at once; each has a copy of its file.
pub const MAX_ERRORS: usize = 20;

/// A mistake in a vocabulary file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VocabularyError {
    /// The index of the file.
    pub file: usize,
    /// The key or the term that is wrong, as a pointer.
    pub pointer: String,
    pub message: String,
    pub help: Option<&'static str>,
}

impl VocabularyError {
    /// An error in a group of the file at an index; `pointer` leads from the group to the place.
    pub fn new(file: usize, group: &str, pointer: &str, message: impl Into<String>) -> Self {
        let group = escaped(group);
        Self { file, pointer: format!("/{group}{pointer}"), message: message.into(), help: None }
    }

    fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

/// Returns the mistakes of the first wrong groups of files, by their names and keys, beside the groups that exist
/// already.
///
/// # Errors
///
/// There are too many groups to check them.
pub fn groups(
    files: &[(String, VocabularyFile)],
    known: &Vocabulary<'_>,
) -> Result<Vec<VocabularyError>, Vec<VocabularyError>> {
    let count: usize = files.iter().map(|(_, groups)| groups.0.len()).sum();
    // A topic has up to three groups.
    if known.group_count() + 3 * count > MAX_GROUPS {
        let first = files.iter().zip(0..).find_map(|((_, file), at)| Some((file.0.keys().next()?, at)));
        let message = format!("the vocabulary has more than {} groups", MAX_GROUPS / 3);
        return Err(first
            .map(|(name, at)| VocabularyError::new(at, name, "", message))
            .into_iter()
            .collect());
    }
    let mut defined: BTreeMap<&str, (&str, &GroupFile)> = BTreeMap::new();
    for (file, groups) in files {
        for (name, group) in groups.0.iter().filter(|(_, group)| group.means.is_some()) {
            defined.entry(name).or_insert((file, group));
        }
    }
    let groups = files.iter().zip(0..).flat_map(|((_, file), at)| file.0.iter().map(move |it| (at, it)));
    let errors = groups.filter_map(|(at, (name, group))| wrong_group(at, name, group, &defined, known));
    // A message may need a search for a similar name, which takes long for thousands of them.
    Ok(errors.take(MAX_ERRORS).collect())
}

/// Whether a text can be the name of a group.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_lowercase())
        && text.len() <= MAX_NAME
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn wrong_group(
    at: usize,
    name: &str,
    group: &GroupFile,
    defined: &BTreeMap<&str, (&str, &GroupFile)>,
    known: &Vocabulary<'_>,
) -> Option<VocabularyError> {
    let error = |pointer: &str, message: String| Some(VocabularyError::new(at, name, pointer, message));
    if !is_name(name) {
        let message =
            format!("`{name}` is not the name of a group: use lower-case letters, digits and hyphens");
        return error("", message);
    }
    if COMPUTED.contains(&name) {
        return error("", format!("tollproof finds `{name}` by itself; it has no terms"));
    }
    let existing = known.groups(name);
    let lists = group.lists();
    let is_topic = |group: &GroupFile| group.lists().iter().any(|list| list.grade.is_some());
    let is_graded = match existing.first() {
        Some(first) => {
            for (key, is_there) in [
                ("means", group.means.is_some()),
                ("title", group.title.is_some()),
                ("excuses", group.excuses),
            ] {
                if is_there {
                    return error(
                        &format!("/{key}"),
                        format!(
                            "the group `{name}` exists already; remove `{key}` to add terms to it, or choose another name"
                        ),
                    );
                }
            }
            known.name(*first).contains('.')
        }
        None => {
            let Some((file, definition)) = defined.get(name) else {
                let all = known.names().map(|name| name.split('.').next().unwrap_or(name));
                let near = did_you_mean(nearest(name, all.chain(defined.keys().copied())));
                let wrong = VocabularyError::new(at, name, "", format!("unknown group `{name}`{near}"));
                return Some(wrong.with_help("A new group needs `means`: what its terms have in common."));
            };
            if group.means.is_some() && !std::ptr::eq(group, *definition) {
                let message =
                    format!("`{name}` is defined in `{file}` too; remove `means` to add terms to it");
                return error("/means", message);
            }
            is_topic(definition)
        }
    };
    if lists.is_empty() {
        return error("", format!("the group `{name}` has no terms"));
    }
    let misplaced = lists.iter().find(|list| list.grade.is_some() != is_graded)?;
    let message = if is_graded {
        format!("`{name}` is a topic; write its terms under `strong`, `medium` or `weak`")
    } else {
        let keys: Vec<String> = Language::all().map(|language| format!("`{}`", language.key())).collect();
        format!("`{name}` is not a topic; write its terms under {} or `any`", keys.join(", "))
    };
    error(&misplaced.pointer(), message)
}

/// Returns the mistakes of the first wrong terms of files; the vocabulary has their groups.
pub fn terms(files: &[(String, VocabularyFile)], vocabulary: &Vocabulary<'_>) -> Vec<VocabularyError> {
    let mut errors = Vec::new();
    for (at, (_, groups)) in files.iter().enumerate() {
        for (name, group) in &groups.0 {
            let mut seen: BTreeMap<(&str, String), &str> = BTreeMap::new();
            for list in group.lists() {
                for (index, term) in list.terms.iter().enumerate() {
                    if errors.len() >= MAX_ERRORS {
                        return errors;
                    }
                    let error = |message: String| {
                        VocabularyError::new(at, name, &format!("{}/{index}", list.pointer()), message)
                    };
                    if term.starts_with('@') {
                        errors.push(error(format!("`{term}`: a term cannot be a list")));
                        continue;
                    }
                    match phrase::normalize(term, vocabulary) {
                        Err(message) => errors.push(error(message)),
                        Ok(normal) => {
                            if let Some(before) = seen.insert((list.language.key(), normal), term) {
                                errors.push(error(twice(term, before)));
                            }
                        }
                    }
                }
            }
        }
    }
    errors
}

/// Terms of files that add nothing to their group, because others of it match the same words; the vocabulary has the groups.
pub fn covered(files: &[(String, VocabularyFile)], vocabulary: &Vocabulary<'_>) -> Vec<VocabularyError> {
    let mut errors = Vec::new();
    for (at, (_, groups)) in files.iter().enumerate() {
        for (name, group) in &groups.0 {
            for list in group.lists().iter().filter(|_| Vocabulary::told_by(name).is_none()) {
                let normal: Result<Vec<_>, _> =
                    list.terms.iter().map(|term| phrase::normalize(term, vocabulary)).collect();
                errors.extend(covered_terms(&normal.unwrap_or_default()).iter().map(|covered| {
                    let (term, by) = (&list.terms[covered.term], &list.terms[covered.by]);
                    let message = format!("`{term}` adds nothing: `{by}` matches the same words; remove it");
                    VocabularyError::new(at, name, &format!("{}/{}", list.pointer(), covered.term), message)
                }));
            }
        }
    }
    errors
}

/// Groups of files that contain themselves, directly or through groups that their terms name.
pub fn circles(files: &[(String, VocabularyFile)]) -> Vec<VocabularyError> {
    let mut circles = Circles::default();
    for (file, (_, groups)) in files.iter().enumerate() {
        for (group, it) in &groups.0 {
            for list in it.lists() {
                for (index, term) in list.terms.iter().enumerate() {
                    let names = term.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
                    let pointer = || format!("{}/{index}", list.pointer());
                    let named = names.map(|(name, _)| NamedGroup { name, file, pointer: pointer() });
                    circles.named.entry(group).or_default().extend(named);
                }
            }
        }
    }
    let groups: Vec<&str> = circles.named.keys().copied().collect();
    groups.into_iter().for_each(|group| circles.visit(group));
    circles.errors
}

/// A group that a term of another one names.
struct NamedGroup<'f> {
    name: &'f str,
    file: usize,
    pointer: String,
}

/// The search for groups that contain themselves.
#[derive(Default)]
struct Circles<'f> {
    named: BTreeMap<&'f str, Vec<NamedGroup<'f>>>,
    /// The groups that were visited, and whether the search is still inside them.
    visited: BTreeMap<&'f str, bool>,
    errors: Vec<VocabularyError>,
}

impl<'f> Circles<'f> {
    fn visit(&mut self, group: &'f str) {
        if self.visited.contains_key(group) {
            return;
        }
        self.visited.insert(group, true);
        for NamedGroup { name, file, pointer } in self.named.remove(group).unwrap_or_default() {
            self.visit(name);
            if self.visited.get(name) == Some(&true) && self.errors.len() < MAX_ERRORS {
                let message = if name == group {
                    format!("the group `{group}` contains itself")
                } else {
                    format!("`<{name}>` contains the group `{group}`, so this group cannot contain it")
                };
                self.errors.push(VocabularyError::new(file, group, &pointer, message));
            }
        }
        self.visited.insert(group, false);
    }
}

fn twice(term: &str, before: &str) -> String {
    if term == before {
        format!("`{term}` is in this group twice")
    } else {
        format!("`{term}` is in this group already, as `{before}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::phrases::interner::Interner;

    #[test]
    fn the_search_ends_after_the_first_mistakes() {
        let terms: Vec<String> = (0..30).map(|at| format!("'@{at}'")).collect();
        let wrong_terms = format!("own: {{ means: a test, en: [{}] }}", terms.join(", "));
        let wrong_groups: String = (0..30).map(|at| format!("g{at}: {{ en: [harbor] }}\n")).collect();
        for text in [wrong_terms, wrong_groups] {
            let groups: VocabularyFile = serde_yaml::from_str(&text).expect("it is a vocabulary");
            let errors = Interner::new([]).add_vocabulary(&[("own.yaml".to_owned(), groups)]);
            assert_eq!(errors.expect_err("all are wrong").len(), MAX_ERRORS, "{text}");
        }
    }

    #[test]
    fn groups_cannot_contain_themselves() {
        let messages = |text: &str| {
            let groups: VocabularyFile = serde_yaml::from_str(text).expect("it is a vocabulary");
            let errors = Interner::new([]).add_vocabulary(&[("own.yaml".to_owned(), groups)]);
            let errors = errors.err().unwrap_or_default();
            errors.into_iter().map(|it| format!("{} {}", it.pointer, it.message)).collect::<Vec<_>>()
        };
        let group = |name: &str, term: &str| format!("{name}: {{ means: a test, en: [dock, \"{term}\"] }}\n");
        assert_eq!(messages(&group("a", "the <a>")), ["/a/en/1 the group `a` contains itself"]);
        let two = group("a", "<b> pier") + &group("b", "<c> <a> pier") + &group("c", "harbor");
        assert_eq!(messages(&two), ["/b/en/1 `<a>` contains the group `b`, so this group cannot contain it"]);
        let fine = group("a", "<b> <c>") + &group("b", "<c> pier") + &group("c", "harbor");
        assert_eq!(messages(&fine), Vec::<String>::new());
        let long: String =
            (0..1_000).map(|at| group(&format!("g{at}"), &format!("<g{}> x", (at + 1) % 1_000))).collect();
        assert_eq!(messages(&long).len(), 1);
    }
}
