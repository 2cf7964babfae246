//! Finds entries of `ignore:` in configurations that no longer match a finding.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use tollproof_core::document::Node;
use tollproof_core::{Edit, IgnoreEntry, Linter, Parsed, Report as Checked, Source, Span, decode};

use crate::config::{ConfigFile, IgnoreSetting, Pattern, Settings};
use crate::discover::is_below;
use crate::error::Result;
use crate::files::{FileKind, Files};
use crate::linter_cache::LinterCache;

/// The extent of a run, which decides whether an entry without a finding is unused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunScope<'a> {
    /// The files and folders that were checked.
    pub(crate) paths: &'a [PathBuf],
    /// Whether all files below them were checked and could be read.
    pub(crate) is_complete: bool,
    /// Whether a history was read.
    pub(crate) knows_history: bool,
    /// Whether there are facts about pages.
    pub(crate) knows_pages: bool,
    /// The current time, for entries that expire.
    pub(crate) now: Option<Timestamp>,
}

/// The entries of all configurations of a run.
#[derive(Debug, Default)]
pub(crate) struct UnusedIgnores {
    /// By the paths of the configurations.
    seen: BTreeMap<PathBuf, Seen>,
}

/// The entries of one configuration, by their indexes.
#[derive(Debug)]
struct Seen {
    config: Arc<ConfigFile>,
    used: BTreeSet<usize>,
    /// Entries that name a single file, which was checked and has no finding to ignore.
    idle: BTreeSet<usize>,
}

impl UnusedIgnores {
    /// Records the entries that were used in a file.
    pub(crate) fn count(&mut self, config: &Arc<ConfigFile>, file: &Path, checked: &Checked) {
        let Some(path) = config.path.as_ref().filter(|_| !config.settings.ignore.is_empty()) else { return };
        if !self.seen.contains_key(path) {
            let seen = Seen { config: Arc::clone(config), used: BTreeSet::new(), idle: BTreeSet::new() };
            self.seen.insert(path.clone(), seen);
        }
        let Some(seen) = self.seen.get_mut(path) else { return };
        // The linter only has the entries for this file, so its indexes refer to this list.
        let about = config.ignores_of(file);
        if !checked.damaged.is_empty() {
            // Any of the entries may match a finding in the part that could not be read.
            seen.used.extend(about);
            return;
        }
        let entry = |at: &usize| about.get(*at).copied();
        seen.used.extend(checked.used_ignores.iter().filter_map(entry));
        let is_alone =
            |at: &usize| config.settings.ignore[*at].files.as_ref().is_some_and(|it| config.names(it, file));
        seen.idle.extend(checked.unused_ignores.iter().filter_map(entry).filter(is_alone));
    }

    /// The checks of the entries, one for each configuration.
    ///
    /// # Errors
    ///
    /// Those of [`LinterCache::of`].
    pub(crate) fn checks(
        &self,
        files: &dyn Files,
        scope: RunScope<'_>,
        linters: &LinterCache,
    ) -> Result<Vec<ConfigIgnores>> {
        if linters.options().no_ignores {
            return Ok(Vec::new());
        }
        let check = |(path, Seen { config, used, idle }): (&PathBuf, &Seen)| {
            // An entry is unused if the whole folder of its configuration was checked and no file used it.
            let is_folder = |path: &PathBuf| files.kind(path) == Some(FileKind::Folder);
            let is_walked = |path: &PathBuf| is_folder(path) && is_below(files, config.folder(), path);
            let is_whole = scope.is_complete && scope.paths.iter().any(is_walked);
            let is_unused = |at: &usize| !used.contains(at) && (is_whole || idle.contains(at));
            let linter = linters.of(config, path)?;
            let could_be_used = |entry: &IgnoreSetting| {
                (scope.knows_history || !entry.rule.starts_with("history"))
                    && (scope.knows_pages || !linter.needs_seen(&entry.rule))
            };
            let entries = config.settings.ignore.iter().enumerate();
            let unused = entries.filter(|(at, entry)| is_unused(at) && could_be_used(entry));
            let unused = unused.map(|(_, entry)| said(entry)).collect();
            Ok(ConfigIgnores {
                config: Arc::clone(config),
                linter: Arc::clone(&linter),
                unused,
                now: scope.now,
            })
        };
        self.seen.iter().map(check).collect()
    }
}

/// Reports unknown, expired and unused entries of one configuration, before and after its fixes.
pub(crate) struct ConfigIgnores {
    /// The configuration.
    pub(crate) config: Arc<ConfigFile>,
    linter: Arc<Linter>,
    /// The content of the unused entries.
    unused: HashSet<String>,
    now: Option<Timestamp>,
}

impl ConfigIgnores {
    /// Checks the entries in a text of the configuration.
    pub(crate) fn run(&self, parsed: &Parsed<'_>) -> Checked {
        let source = parsed.source();
        let settings: Settings = decode(source.name(), source.text()).unwrap_or_default();
        let root = parsed.only().and_then(|file| file.document().root.as_ref());
        let Some(list) = root.and_then(|root| root.member("ignore")) else { return Checked::default() };
        let items = list.value.items();
        let entry = |(entry, node): (&IgnoreSetting, &Node<'_>)| IgnoreEntry {
            ignore: entry.plain(),
            rule: node.get("rule").map_or(node.span, |rule| rule.span),
            until: node.get("until").map(|until| until.span),
            removal: removal(source, node.span)
                .filter(|edit| is_fit(source, edit, settings.ignore.len() - 1)),
            unused: self.unused.contains(&said(entry)),
        };
        let entries: Vec<_> = settings.ignore.iter().zip(items).map(entry).collect();
        self.linter.check_ignores(source, &entries, self.now)
    }
}

/// The content of an entry, which identifies it after other entries were removed.
fn said(entry: &IgnoreSetting) -> String {
    format!("{:?} {:?}", entry.plain(), entry.files.as_ref().map(Pattern::text))
}

/// The edit that removes the lines of a list item; `None` if the lines contain something else.
fn removal(source: &Source<'_>, item: Span) -> Option<Edit> {
    let text = source.text();
    let dash = text[..item.start as usize].trim_end().strip_suffix('-')?.len();
    let start = text[..dash].rfind('\n').map_or(0, |at| at + 1);
    let end = text[item.end as usize..].find('\n').map_or(text.len(), |at| item.end as usize + at + 1);
    let after = text[item.end as usize..end].trim();
    let is_alone = text[start..dash].trim().is_empty() && (after.is_empty() || after.starts_with('#'));
    is_alone.then(|| Edit { span: Span::new(start, end), text: String::new() })
}

/// Whether the configuration is valid after an edit and has this number of entries.
fn is_fit(source: &Source<'_>, edit: &Edit, entries: usize) -> bool {
    let mut text = source.text().to_owned();
    text.replace_range(edit.span.range(), &edit.text);
    decode::<Settings>(source.name(), &text).is_ok_and(|settings| settings.ignore.len() == entries)
}
