//! Findings that are known already: a dirty repository starts today, and what is new still counts.

mod file;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tollproof_core::{Finding, Severity, SuppressedBy, Suppression};

pub use self::file::{BaselineError, BaselineProblem};
use crate::files::Files;
use crate::repository::{Repository, without_dots};

/// What the file is called if nobody says.
pub const BASELINE_NAME: &str = "tollproof-baseline.json";

/// Findings of one file that are known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    // The order of these is the order of entries.
    /// The file, by its path from the top of the repository.
    pub file: String,
    /// The rule that found something.
    pub rule: String,
    /// The fingerprint of the finding, as reports have it.
    pub fingerprint: String,
    /// How many findings are known by it in this file.
    #[serde(deserialize_with = "file::count")]
    #[cfg_attr(test, schemars(range(min = 1, max = 4_294_967_295_u32)))]
    pub count: usize,
}

/// The findings that are known, and what a run met of them.
#[derive(Debug)]
pub struct Baseline {
    /// In order, one for a file and a fingerprint.
    entries: Vec<BaselineEntry>,
    /// How many of each entry's findings occurred.
    met: Vec<usize>,
    /// Where the entries of a fingerprint stand.
    places: HashMap<String, Vec<usize>>,
    /// The files whose findings are all there.
    judged: HashSet<String>,
    /// How many findings are known since fixes changed the values that they are about.
    followed: usize,
    scope: Scope,
}

/// Where the files of a run lie.
#[derive(Debug)]
struct Scope {
    repository: Repository,
    /// The files and folders that are checked, as whole paths.
    paths: Vec<PathBuf>,
}

/// What became of an earlier version of a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaselineChange {
    /// How many findings it knows now.
    pub known: usize,
    /// How many of these it did not know.
    pub new: usize,
    /// How many it knew before and does not any more.
    pub gone: usize,
}

impl Baseline {
    /// Reads a file for a run over some paths.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is not a baseline of this version.
    pub fn read(files: &dyn Files, path: &Path, checked: &[PathBuf]) -> Result<Self, BaselineError> {
        Ok(Self::new(file::read(files, path)?, Scope::of(checked)))
    }

    /// The same, where a file that is not there yet knows nothing.
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
        // A merge can leave an entry twice; that lets no more findings through.
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
        Self { met: vec![0; entries.len()], entries, places, judged: HashSet::new(), followed: 0, scope }
    }

    /// Marks the findings of one file that are known, those of locked rules excepted.
    ///
    /// `file` is what the file is called wherever it is checked from.
    pub fn mark(&mut self, file: &str, findings: &mut [Finding], is_locked: impl Fn(&str) -> bool) {
        for finding in findings.iter_mut() {
            let counts = finding.suppressed.is_none();
            if counts && finding.can_be_hidden() && !is_locked(&finding.rule) && self.meet(file, finding) {
                finding.suppressed = Some(Suppression { by: SuppressedBy::Baseline, reason: None });
            }
        }
        self.judge(file, findings);
    }

    /// Follows the fixes of one file: what was known of a value stays known when `--fix` has changed how the value is
    /// written, and so does what the fix brings to light there. Nothing else becomes known.
    pub fn follow(
        &mut self,
        file: &str,
        before: &[Finding],
        after: &[Finding],
        is_locked: impl Fn(&str) -> bool,
    ) {
        let known: HashSet<(usize, &str)> = before
            .iter()
            .filter(|it| self.places.contains_key(&it.fingerprint))
            .map(|it| (it.document, it.pointer.as_str()))
            .collect();
        let can_follow =
            |it: &&Finding| it.suppressed.is_none() && it.can_be_hidden() && !is_locked(&it.rule);
        for finding in after.iter().filter(can_follow) {
            let is_new = !self.places.contains_key(&finding.fingerprint);
            if is_new && known.contains(&(finding.document, finding.pointer.as_str())) {
                self.places.entry(finding.fingerprint.clone()).or_default().push(self.entries.len());
                let key = (file.to_owned(), finding.rule.to_string(), finding.fingerprint.clone());
                self.entries.push(BaselineEntry::new((key, 1)));
                self.met.push(0);
                self.followed += 1;
            }
        }
    }

    /// Writes the file if fixes were followed; says how many findings became known.
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

    /// How many known findings did not occur, though their files were looked at or are gone.
    ///
    /// `is_asked` tells which rules the run was asked for: of others nobody knows.
    pub fn stale(&self, is_asked: impl Fn(&str) -> bool) -> usize {
        let missed = |at: usize| self.entries[at].count - self.met[at];
        let all = 0..self.entries.len();
        all.filter(|&at| missed(at) > 0 && self.is_seen(&self.entries[at], &is_asked))
            .map(missed)
            .fold(0, usize::saturating_add)
    }

    /// Takes out what did not occur, as [`Baseline::stale`] has it, and writes the file if that is anything.
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

    /// Writes the file: what it said of all that was looked at is replaced by what was found, the rest stays.
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
            let more = |it: &BaselineEntry| it.count.saturating_sub(of.get(&it.key()).copied().unwrap_or(0));
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

    /// Takes note of a file; of one that could not be read whole, nobody knows what else is wrong.
    pub fn judge(&mut self, file: &str, findings: &[Finding]) {
        let unread = |it: &Finding| it.severity == Severity::Error && it.always_counts();
        if !findings.iter().any(unread) {
            self.judged.insert(file.to_owned());
        }
    }

    /// Whether a finding of a file is known. Its own entry goes first; that of another file counts if the document
    /// has moved from there, which is so if that file is gone or was checked already and has no such finding.
    fn meet(&mut self, file: &str, finding: &Finding) -> bool {
        let Some(places) = self.places.get(&finding.fingerprint) else { return false };
        let left = |at: &&usize| self.met[**at] < self.entries[**at].count;
        let own = places.iter().find(|&&at| self.entries[at].file == file).filter(left);
        let moved = |at: &&usize| {
            let from = &self.entries[**at].file;
            from != file && (self.judged.contains(from) || self.scope.is_gone(from))
        };
        let Some(&at) = own.or_else(|| places.iter().filter(left).find(moved)) else { return false };
        self.met[at] += 1;
        true
    }

    /// Whether a run has seen all that there is of an entry's file, by an entry's rule.
    fn is_seen(&self, entry: &BaselineEntry, is_asked: impl Fn(&str) -> bool) -> bool {
        is_asked(&entry.rule) && (self.judged.contains(&entry.file) || self.scope.lacks(&entry.file))
    }
}

/// The findings of a run that a baseline can know.
#[derive(Debug, Default)]
pub struct BaselineFindings {
    /// How many, by file, rule and fingerprint.
    counts: BTreeMap<(String, String, String), usize>,
    /// How many findings count, and cannot be known by a baseline.
    pub left_out: usize,
}

impl BaselineFindings {
    /// Takes those of one file which count, and whose rules are not locked.
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

    /// Whether no file has this name any more.
    fn is_gone(&self, file: &str) -> bool {
        !self.repository.path_of(file).exists()
    }

    /// Whether a file is gone from what is checked.
    fn lacks(&self, file: &str) -> bool {
        let path = without_dots(&self.repository.path_of(file));
        self.paths.iter().any(|above| path.starts_with(above)) && self.is_gone(file)
    }
}

/// How many findings entries know.
fn total(entries: &[BaselineEntry]) -> usize {
    entries.iter().map(|it| it.count).fold(0, usize::saturating_add)
}
