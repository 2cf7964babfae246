//! The numbers in all drafts of the folders and open documents: two drafts with one number are a finding of both.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use tollproof_core::{Batch, Mention};

/// The most numbers that are remembered, which take about 200 MB.
const MAX_NUMBERS: usize = 1_000_000;

/// Files that name each number.
#[derive(Debug, Default)]
pub(crate) struct NumberIndex {
    /// The numbers of each file, by its canonical path.
    files: HashMap<PathBuf, BTreeSet<String>>,
    /// The first mention of each number in each file that names it.
    mentions: HashMap<String, BTreeMap<PathBuf, Mention>>,
}

impl NumberIndex {
    /// Sets the numbers of a file, and returns those that it names now and did not before, or the other way round.
    pub(crate) fn set(&mut self, path: &Path, batch: &Batch) -> BTreeSet<String> {
        let mut numbers = BTreeSet::new();
        for (number, mention) in batch.mentions() {
            let is_known = self.mentions.contains_key(number);
            if !is_known && self.mentions.len() >= MAX_NUMBERS {
                continue;
            }
            self.mentions.entry(number.to_owned()).or_default().insert(path.to_owned(), mention.clone());
            numbers.insert(number.to_owned());
        }
        let before = if numbers.is_empty() {
            self.files.remove(path)
        } else {
            self.files.insert(path.to_owned(), numbers.clone())
        };
        let before = before.unwrap_or_default();
        for gone in before.difference(&numbers) {
            if let Some(files) = self.mentions.get_mut(gone) {
                files.remove(path);
                if files.is_empty() {
                    self.mentions.remove(gone);
                }
            }
        }
        before.symmetric_difference(&numbers).cloned().collect()
    }

    /// Of the numbers of a file, those that other files name, each with the first of these.
    pub(crate) fn others(&self, path: &Path, own: &Batch) -> Batch {
        let mut known = Batch::default();
        for (number, _) in own.mentions() {
            let others = self.mentions.get(number).into_iter().flatten();
            if let Some((_, mention)) = others.into_iter().find(|(file, _)| *file != path) {
                known.add(number, mention.clone());
            }
        }
        known
    }

    /// Whether a file names one of some numbers.
    pub(crate) fn names_any(&self, path: &Path, numbers: &BTreeSet<String>) -> bool {
        self.files.get(path).is_some_and(|own| !own.is_disjoint(numbers))
    }

    /// The files that name numbers.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }
}

#[cfg(test)]
mod tests {
    use tollproof_core::Span;

    use super::*;

    fn batch(file: &str, numbers: &[&str]) -> Batch {
        let mut batch = Batch::default();
        for number in numbers {
            batch.add(number, Mention { file: file.to_owned(), span: Span::default(), place: None });
        }
        batch
    }

    #[test]
    fn a_number_is_known_while_another_file_names_it() {
        let (a, b) = (Path::new("/a"), Path::new("/b"));
        let mut index = NumberIndex::default();
        assert_eq!(index.set(a, &batch("/a", &["n1", "n2"])).len(), 2);
        assert_eq!(index.set(b, &batch("/b", &["n2", "n3"])).len(), 2);
        let others = index.others(a, &batch("/a", &["n1", "n2"]));
        assert_eq!(
            others.mentions().map(|(number, it)| (number, it.file.as_str())).collect::<Vec<_>>(),
            [("n2", "/b")]
        );
        let changed = index.set(b, &batch("/b", &["n3"]));
        assert_eq!(changed.iter().collect::<Vec<_>>(), ["n2"]);
        assert!(index.names_any(a, &changed) && !index.names_any(b, &changed));
        assert!(index.others(a, &batch("/a", &["n1", "n2"])).is_empty());
        index.set(b, &Batch::default());
        assert_eq!(index.files().collect::<Vec<_>>(), [a]);
    }
}
