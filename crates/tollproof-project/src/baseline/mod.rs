//! Baselines: a repository with old findings can adopt tollproof, because only new findings count.

mod file;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tollproof_core::{Finding, Severity, SuppressedBy, Suppression};

pub use self::file::{BaselineError, BaselineProblem};
use crate::files::Files;
use crate::repository::{Repository, without_dots};

/// The default file name.
pub const BASELINE_NAME: &str = "tollproof-baseline.json";

/// Known findings of one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    // The order of these fields is the sort order of entries.
    /// The file, as a path relative to the top of the repository.
    pub file: String,
    /// The rule that reported the findings.
    pub rule: String,
    /// The fingerprint of the findings, as in reports.
    pub fingerprint: String,
    /// Number of known findings with this fingerprint in this file.
    #[serde(deserialize_with = "file::count")]
    #[cfg_attr(test, schemars(range(min = 1, max = 4_294_967_295_u32)))]
    pub count: usize,
}

/// The known findings, and which of them occurred in this run.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// Sorted, one for each file and fingerprint.
    entries: Vec<BaselineEntry>,
    /// Occurrences of each entry's findings, by the entry's index.
    met: Vec<usize>,
    /// The indexes of the entries with a fingerprint.
    places: HashMap<String, Vec<usize>>,
    /// The files that were checked completely.
    judged: HashSet<String>,
    /// The files of which a part could not be read.
    unread: HashSet<String>,
    /// Number of findings added because fixes changed the values that known findings are about.
    followed: usize,
    scope: Scope,
}

/// The repository and the paths of a run.
#[derive(Clone, Debug)]
struct Scope {
    repository: Repository,
    /// The files and folders that are checked, as absolute paths.
    paths: Vec<PathBuf>,
}

/// An update's effect on a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaselineChange {
    /// Number of findings in the new baseline.
    pub known: usize,
    /// The number of new ones.
    pub new: usize,
    /// The number of findings removed.
    pub gone: usize,
}

impl Baseline {
    /// Reads a baseline for a run over the paths `checked`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is not a baseline of this version.
    pub fn read(files: &dyn Files, path: &Path, checked: &[PathBuf]) -> Result<Self, BaselineError> {
        Ok(Self::new(file::read(files, path)?, Scope::of(checked)))
    }

    /// Like [`Baseline::read`], but a file that does not exist is an empty baseline.
    ///
    /// # Errors
    ///
    /// Those of [`Baseline::read`].
    pub fn read_or_begin(files: &dyn Files, path: &Path, checked: &[PathBuf]) -> Result<Self, BaselineError> {
        match files.kind(path) {
            Some(_) => Self::read(files, path, checked),
            None => Ok(Self::new(Vec::new(), Scope::of(checked))),
        }
    }

    fn new(entries: Vec<BaselineEntry>, scope: Scope) -> Self {
        // A merge can duplicate an entry. Its count must not double.
        let mut counts = BTreeMap::new();
        for BaselineEntry { file, rule, fingerprint, count } in entries {
            let most = counts.entry((file, rule, fingerprint)).or_insert(count);
            *most = count.max(*most);
        }
        let entries: Vec<BaselineEntry> = counts.into_iter().map(BaselineEntry::new).collect();
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            places.entry(entry.fingerprint.clone()).or_default().push(at);
        }
        Self {
            met: vec![0; entries.len()],
            entries,
            places,
            judged: HashSet::new(),
            unread: HashSet::new(),
            followed: 0,
            scope,
        }
    }

    /// Marks the known findings of one file as suppressed. Findings of locked rules are never marked.
    ///
    /// `file` is the path from the top of the repository, which is the same wherever the run starts.
    pub fn mark(&mut self, file: &str, findings: &mut [Finding], is_locked: impl Fn(&str) -> bool) {
        for finding in findings.iter_mut() {
            let counts = finding.suppressed.is_none();
            if counts && finding.can_be_hidden() && !is_locked(&finding.rule) && self.meet(file, finding) {
                finding.suppressed = Some(Suppression { by: SuppressedBy::Baseline, reason: None });
            }
        }
        self.judge(file, findings);
    }

    /// Updates the entries of one file after `--fix`: a known finding stays known if a fix changed the spelling of its
    /// value, and so do findings that the fix reveals there. No other finding becomes known.
    pub fn follow(
        &mut self,
        file: &str,
        before: &[Finding],
        after: &[Finding],
        is_locked: impl Fn(&str) -> bool,
    ) {
        let known: HashSet<(usize, &str)> = before
            .iter()
            .filter(|finding| self.has(finding))
            .map(|it| (it.document, it.pointer.as_str()))
            .collect();
        let can_follow = |finding: &&Finding| {
            finding.suppressed.is_none() && finding.can_be_hidden() && !is_locked(&finding.rule)
        };
        for finding in after.iter().filter(can_follow) {
            if !self.has(finding) && known.contains(&(finding.document, finding.pointer.as_str())) {
                self.places.entry(finding.fingerprint.clone()).or_default().push(self.entries.len());
                let key = (file.to_owned(), finding.rule.to_string(), finding.fingerprint.clone());
                self.entries.push(BaselineEntry::new((key, 1)));
                self.met.push(0);
                self.followed += 1;
            }
        }
    }

    /// Writes the file if [`Baseline::follow`] added findings, and returns how many.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn keep(&self, path: &Path) -> Result<usize, BaselineError> {
        if self.followed > 0 {
            let mut entries = self.entries.clone();
            entries.sort();
            file::write(path, entries)?;
        }
        Ok(self.followed)
    }

    /// Counts known findings that are gone although their file was checked or no longer exists.
    ///
    /// `is_asked` returns whether the run included a rule: findings of other rules are not stale.
    pub fn stale(&self, is_asked: impl Fn(&str) -> bool) -> usize {
        let missed = |at: usize| self.entries[at].count - self.met[at];
        let all = 0..self.entries.len();
        all.filter(|&at| missed(at) > 0 && self.is_seen(&self.entries[at], &is_asked))
            .map(missed)
            .fold(0, usize::saturating_add)
    }

    /// Removes stale findings, as defined by [`Baseline::stale`], and writes the file if there are any.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn prune(
        self,
        path: &Path,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<BaselineChange, BaselineError> {
        let gone = self.stale(&is_asked);
        let known = total(&self.entries).saturating_sub(gone);
        if gone > 0 {
            let left = self.entries.iter().zip(&self.met).map(|(entry, &met)| {
                let count = if self.is_seen(entry, &is_asked) { met.min(entry.count) } else { entry.count };
                BaselineEntry { count, ..entry.clone() }
            });
            file::write(path, left.filter(|it| it.count > 0).collect())?;
        }
        Ok(BaselineChange { known, new: 0, gone })
    }

    /// Writes the file: the entries of checked files are replaced with `found`, all others stay.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn replace(
        self,
        path: &Path,
        found: BaselineFindings,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<BaselineChange, BaselineError> {
        let stays = self.entries.iter().filter(|it| !self.is_seen(it, &is_asked)).cloned();
        let found = found.counts.into_iter().map(BaselineEntry::new);
        let next = Self::new(stays.chain(found).collect(), self.scope);
        let beyond = |one: &[BaselineEntry], other: &[BaselineEntry]| -> usize {
            let of: HashMap<_, usize> = other.iter().map(|it| (it.key(), it.count)).collect();
            let more = |entry: &BaselineEntry| {
                entry.count.saturating_sub(of.get(&entry.key()).copied().unwrap_or(0))
            };
            one.iter().map(more).fold(0, usize::saturating_add)
        };
        let change = BaselineChange {
            known: total(&next.entries),
            new: beyond(&next.entries, &self.entries),
            gone: beyond(&self.entries, &next.entries),
        };
        file::write(path, next.entries)?;
        Ok(change)
    }

    /// Records that a file or a part of it was checked. A file that could not be read completely may have more findings,
    /// so it is not recorded.
    pub fn judge(&mut self, file: &str, findings: &[Finding]) {
        let unread = |finding: &Finding| finding.severity == Severity::Error && finding.always_counts();
        if findings.iter().any(unread) {
            self.judged.remove(file);
            self.unread.insert(file.to_owned());
        } else if !self.unread.contains(file) && !self.judged.contains(file) {
            self.judged.insert(file.to_owned());
        }
    }

    /// Whether a finding of a file is known. An entry of the same file is used first. An entry of another file is used
    /// if the document was moved from there: that file no longer exists, or was checked and does not have the finding.
    fn meet(&mut self, file: &str, finding: &Finding) -> bool {
        let left = |at: &&usize| self.met[**at] < self.entries[**at].count;
        let moved = |at: &&usize| {
            let from = &self.entries[**at].file;
            from != file && (self.judged.contains(from) || self.scope.is_gone(from))
        };
        let Some(places) = self.places.get(&finding.fingerprint) else { return false };
        let own = places.iter().find(|&&at| self.entries[at].file == file).filter(left);
        let Some(&at) = own.or_else(|| places.iter().filter(left).find(moved)) else { return false };
        self.met[at] += 1;
        true
    }

    /// Whether an entry has the fingerprint of a finding.
    fn has(&self, finding: &Finding) -> bool {
        self.places.contains_key(&finding.fingerprint)
    }

    /// Whether the run checked everything that an entry is about: its rule and its file.
    fn is_seen(&self, entry: &BaselineEntry, is_asked: impl Fn(&str) -> bool) -> bool {
        is_asked(&entry.rule) && (self.judged.contains(&entry.file) || self.scope.lacks(&entry.file))
    }
}

/// The findings of a run that a baseline can contain.
#[derive(Debug, Default)]
pub struct BaselineFindings {
    /// The number of findings, by file, rule and fingerprint.
    counts: BTreeMap<(String, String, String), usize>,
    /// The findings that count but cannot be added to a baseline.
    pub left_out: usize,
}

impl BaselineFindings {
    /// Adds the findings of one file that are not suppressed. Those of locked rules are only counted in `left_out`.
    pub fn add(&mut self, file: &str, findings: &[Finding], is_locked: impl Fn(&str) -> bool) {
        for finding in findings.iter().filter(|it| it.suppressed.is_none()) {
            if !finding.can_be_hidden() || is_locked(&finding.rule) {
                self.left_out += 1;
                continue;
            }
            let key = (file.to_owned(), finding.rule.to_string(), finding.fingerprint.clone());
            *self.counts.entry(key).or_default() += 1;
        }
    }
}

impl BaselineEntry {
    fn new(((file, rule, fingerprint), count): ((String, String, String), usize)) -> Self {
        Self { file, rule, fingerprint, count }
    }

    fn key(&self) -> (&str, &str, &str) {
        (&self.file, &self.rule, &self.fingerprint)
    }
}

impl Scope {
    fn of(checked: &[PathBuf]) -> Self {
        let repository = Repository::around();
        let paths = checked.iter().map(|path| repository.whole(path)).collect();
        Self { repository, paths }
    }

    /// Whether the file does not exist any more.
    fn is_gone(&self, file: &str) -> bool {
        !self.repository.path_of(file).exists()
    }

    /// Whether a file below the checked paths does not exist any more.
    fn lacks(&self, file: &str) -> bool {
        let path = without_dots(&self.repository.path_of(file));
        self.paths.iter().any(|above| path.starts_with(above)) && self.is_gone(file)
    }
}

/// The sum of the entries' counts.
fn total(entries: &[BaselineEntry]) -> usize {
    entries.iter().map(|it| it.count).fold(0, usize::saturating_add)
}
