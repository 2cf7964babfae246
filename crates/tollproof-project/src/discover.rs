//! File discovery: which of the files below the given paths are read, and their names in reports.

use std::collections::HashSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use tollproof_core::{KindHint, Source};
use tollproof_history::{name_of, reason};

use crate::baseline::BASELINE_NAME;
use crate::config::{CONFIG_NAME, ConfigError, Configs};
use crate::files::{FileKind, Files};
use crate::formats::is_input;
use crate::forms::{has_draft, is_form};
use crate::repository::Repository;

/// The path that means standard input.
pub const STDIN: &str = "-";

/// The name of standard input in reports if none is given.
pub const UNNAMED: &str = "<stdin>";

/// A file or standard input to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The name in reports: the path as the user would type it.
    pub name: String,
    /// The path to read; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Whether the file was named or found in a folder.
    pub met: KindHint,
}

impl InputFile {
    /// A file that was named. [`STDIN`] means standard input.
    #[must_use]
    pub fn named(path: &Path) -> Self {
        if path.as_os_str() == STDIN {
            Self { name: UNNAMED.to_owned(), path: None, met: KindHint::Explicit }
        } else {
            Self { name: name_of(path), path: Some(path.to_owned()), met: KindHint::Explicit }
        }
    }

    /// The path that settings are matched against. For standard input, this is its name.
    pub fn place(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(&self.name))
    }

    /// The source with these bytes, identified by its path in the repository.
    pub fn source(&self, bytes: Vec<u8>, repository: &Repository) -> Source<'static> {
        Source::from_bytes(self.name.as_str(), bytes).known_as(self.identity(repository))
    }

    /// Checks that the file can be read as it is.
    ///
    /// # Errors
    ///
    /// By its name, it is a workbook or compressed, which only a run and conversions read.
    pub fn refuse_packed(&self) -> Result<(), PackedFile> {
        let extension = self.place().extension().unwrap_or_default();
        let ends_in = |end: &str| extension.eq_ignore_ascii_case(end);
        let is_workbook = ends_in("xlsx");
        if is_workbook || ends_in("gz") || ends_in("zst") {
            Err(PackedFile { name: self.name.clone(), is_workbook })
        } else {
            Ok(())
        }
    }

    /// The message for a file that cannot be opened.
    pub fn unreadable(&self, error: &io::Error) -> String {
        format!("cannot open `{}`: {}", self.name, reason(error))
    }

    /// The path in the repository.
    pub(crate) fn identity(&self, repository: &Repository) -> Option<String> {
        let named = (self.name != UNNAMED).then_some(Path::new(&self.name));
        self.path.as_deref().or(named).and_then(|path| repository.name_of(path))
    }
}

/// A file whose text is in another file format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` {}", if *is_workbook { WORKBOOK } else { COMPRESSED })]
pub struct PackedFile {
    /// The name of the file.
    pub name: String,
    /// Whether it is a workbook; otherwise it is compressed.
    pub is_workbook: bool,
}

const WORKBOOK: &str = "is a workbook; save the sheet as CSV, and use that";
const COMPRESSED: &str = "is compressed; unpack it, and use that";

/// The files to check, and the errors of finding them.
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// Sorted by path, without duplicates.
    pub files: Vec<InputFile>,
    /// Folders that could not be listed.
    pub errors: Vec<WalkError>,
    /// Files that are not read, with the reason.
    pub skipped: Vec<SkippedFile>,
}

/// A folder that could not be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// The folder or one below it cannot be read.
    #[error("cannot read the folder `{}`: {why}", name_of(folder))]
    Unreadable {
        /// The path of the folder.
        folder: PathBuf,
        /// The error of the operating system.
        why: String,
    },
    /// A `.gitignore` or `.git/info/exclude` is a device, a pipe or very large, or leads out of the folder that is read.
    #[error("cannot use `{}`: it must be a file of at most 16 MiB; its folder was not checked", name_of(_0))]
    EndlessIgnoreFile(PathBuf),
}

/// A file that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    /// Its name in reports.
    pub name: String,
    /// Reason to skip it.
    pub reason: SkipReason,
}

/// Reason to skip a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It is a `tollproof.yaml`, or the configuration named on the command line.
    Settings,
    /// It is a rule file of the user.
    Rule,
    /// It is the baseline of its configuration.
    Baseline,
    /// It is a schema of the user.
    Schema,
    /// It is the store of facts that the configuration names.
    Facts,
    /// It is the store of readings that the configuration names.
    Readings,
    /// The configuration excludes it.
    Excluded,
    /// It was named, but a folder walk would not find it: it is hidden, or git ignores it.
    OutOfSight,
    /// It is neither data, by its extension, nor notes or a program with a draft.
    Ending,
    /// It is notes or a program with parts of a draft, but too few of them.
    Unsure,
}

/// File search options.
#[derive(Debug, Default)]
pub(crate) struct WalkOptions {
    /// The name of standard input; `None` means `<stdin>`.
    pub(crate) stdin_name: Option<String>,
    /// The configuration named on the command line, which is skipped like other configurations.
    pub(crate) config: Option<PathBuf>,
    /// Folders with the user's rules, in addition to those in the settings.
    pub(crate) rule_dirs: Vec<PathBuf>,
    /// Whether folder rules also apply to named files.
    pub(crate) named: bool,
    /// Whether files with other extensions are listed as skipped.
    pub(crate) lists_endings: bool,
}

impl WalkOptions {
    /// The same options with the canonical path of the configuration. A configuration that does not exist cannot be
    /// found in a folder.
    fn resolved(&self, files: &dyn Files) -> Self {
        let config = self.config.as_ref().and_then(|path| files.canonical(path).ok());
        Self { stdin_name: None, config, rule_dirs: self.rule_dirs.clone(), ..*self }
    }

    fn is_config(&self, path: &Path) -> bool {
        self.config.as_deref() == Some(path)
            || path.file_name().is_some_and(|name| name == CONFIG_NAME || name == BASELINE_NAME)
    }
}

/// Whether a folder walk would not find a file. The path is relative to the current folder, so that a hidden folder
/// above it does not matter.
fn is_out_of_sight(path: &Path) -> bool {
    let is_hidden = |it: Component<'_>| matches!(it, Component::Normal(name) if name.as_encoded_bytes().starts_with(b"."));
    !is_input(path) && !is_form(path) || path.is_relative() && path.components().any(is_hidden)
}

/// Finds the files that `paths` name: the files themselves, and drafts below folders.
///
/// # Errors
///
/// The configuration of a file cannot be used.
pub(crate) fn find_files(
    files: &dyn Files,
    paths: &[PathBuf],
    options: &WalkOptions,
    configs: &Configs,
) -> Result<FoundFiles, ConfigError> {
    let mut found = FoundFiles::default();
    let walk = Walk { files, options: options.resolved(files), configs };
    for path in paths {
        if path.as_os_str() == STDIN {
            let name = options.stdin_name.as_deref().unwrap_or(UNNAMED).to_owned();
            found.files.push(InputFile { name, path: None, met: KindHint::Explicit });
        } else if files.kind(path) == Some(FileKind::Folder) {
            walk.folder(path, &mut found)?;
        } else if options.named {
            let whole = files.canonical(path).unwrap_or_else(|_| path.clone());
            if is_out_of_sight(path) {
                found.skip(path, SkipReason::OutOfSight);
            } else if !is_form(path) || walk.form_reason(path, &whole)?.is_none() {
                walk.meet(path.clone(), &whole, &mut found)?;
            }
        } else {
            found.files.push(InputFile::named(path));
        }
    }
    if paths.len() > 1 {
        keep_each_once(files, &mut found.files, &[]);
    }
    found.files.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    Ok(found)
}

/// Removes files that are in `others`, and duplicates. If a file is both named and found in a folder, the named one is
/// kept. Standard input is never a duplicate.
pub(crate) fn keep_each_once(disk: &dyn Files, files: &mut Vec<InputFile>, others: &[InputFile]) {
    let place = |file: &InputFile| {
        let canonical = |path: &PathBuf| disk.canonical(path).unwrap_or_else(|_| PathBuf::from(&file.name));
        file.path.as_ref().map(canonical)
    };
    let mut seen: HashSet<_> = others.iter().map(place).collect();
    files.sort_by_key(|file| file.met != KindHint::Explicit);
    files.retain(|file| seen.insert(place(file)));
}

/// Whether two paths lead to the same existing file.
pub fn is_same(files: &dyn Files, one: &Path, other: &Path) -> bool {
    match (files.canonical(one), files.canonical(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether a path is that of a folder or is below it. Links are followed.
pub(crate) fn is_below(files: &dyn Files, path: &Path, folder: &Path) -> bool {
    let path = files.canonical(path).unwrap_or_else(|_| path.to_owned());
    files.canonical(folder).is_ok_and(|folder| path.starts_with(folder))
}

/// A folder walk that skips the files that git ignores, but not those in the `.ignore` files of search tools. Nothing above
/// `top` is read.
///
/// `ignore` reads these files to their end, so the walk skips a folder in which one is a device, a pipe or very large, or
/// a link that leads out of `top`. `skips` receives the path of each such file.
pub fn walker(
    folder: &Path,
    top: Option<&Path>,
    skips: impl Fn(PathBuf) + Send + Sync + 'static,
) -> Option<WalkBuilder> {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let top = top.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    let mut above =
        whole.ancestors().take_while(|ancestor| top.as_deref().is_none_or(|top| ancestor.starts_with(top)));
    if let Some(path) = above.find_map(|folder| unusable_ignore_file(folder, top.as_deref())) {
        skips(path);
        return None;
    }
    let mut walker = WalkBuilder::new(folder);
    walker.require_git(false).ignore(false);
    if top.is_some() {
        walker.parents(false).git_global(false);
    }
    walker.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        let unusable = |folder| unusable_ignore_file(folder, top.as_deref());
        let unusable = Some(entry.path()).filter(|_| is_folder).and_then(unusable);
        let is_skipped = unusable.is_some();
        unusable.into_iter().for_each(&skips);
        !is_skipped
    });
    Some(walker)
}

/// The maximum size of a git ignore file, in bytes.
const MAX_IGNORE_FILE: u64 = 16 << 20;

/// A git ignore file of a folder that is a device, a pipe or very large, or is not below `top`.
fn unusable_ignore_file(folder: &Path, top: Option<&Path>) -> Option<PathBuf> {
    let files = [".gitignore", ".git/info/exclude"].map(|name| folder.join(name));
    let is_unusable = |path: &PathBuf| {
        let found = std::fs::metadata(path);
        let is_endless = found.is_ok_and(|metadata| {
            !metadata.is_file() && !metadata.is_dir() || metadata.len() > MAX_IGNORE_FILE
        });
        let leads_out =
            || top.is_some_and(|top| path.canonicalize().is_ok_and(|whole| !whole.starts_with(top)));
        is_endless || leads_out()
    };
    files.into_iter().find(is_unusable)
}

/// A search for files with these options.
struct Walk<'a> {
    files: &'a dyn Files,
    options: WalkOptions,
    configs: &'a Configs,
}

impl Walk<'_> {
    /// Adds the drafts below a folder: first those on the disk, then those that exist only in memory.
    fn folder(&self, folder: &Path, found: &mut FoundFiles) -> Result<(), ConfigError> {
        let whole = self.files.canonical(folder).unwrap_or_else(|_| folder.to_owned());
        if folder.is_dir() {
            self.walk(folder, &whole, found)?;
        }
        for path in self.files.in_memory(folder) {
            let below = path.strip_prefix(folder).unwrap_or(&path);
            if !path.exists() && !is_out_of_sight(below) {
                let whole = whole.join(below);
                if !is_form(below) || self.form_reason(&path, &whole)?.is_none() {
                    self.meet(path, &whole, found)?;
                }
            }
        }
        Ok(())
    }

    fn walk(&self, folder: &Path, whole: &Path, found: &mut FoundFiles) -> Result<(), ConfigError> {
        let (sender, endless) = std::sync::mpsc::channel();
        // `send` cannot fail: the receiver lives until the walk ends.
        let walker = walker(folder, self.files.top(), move |path| sender.send(path).unwrap_or_default());
        for entry in walker.iter().flat_map(WalkBuilder::build) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found.errors.push(WalkError::new(folder, &error));
                    continue;
                }
            };
            let is_file = entry.file_type().is_some_and(|it| it.is_file());
            let is_form = is_file && is_form(entry.path().strip_prefix(folder).unwrap_or(entry.path()));
            if !is_file || !is_input(entry.path()) && !is_form {
                if is_file && self.options.lists_endings {
                    found.skip(entry.path(), SkipReason::Ending);
                }
                continue;
            }
            // Links are not followed, so this is the canonical path.
            let path = whole.join(entry.path().strip_prefix(folder).unwrap_or(entry.path()));
            if is_form && let Some(reason) = self.form_reason(entry.path(), &path)? {
                if self.options.lists_endings || reason == SkipReason::Unsure {
                    found.skip(entry.path(), reason);
                }
                continue;
            }
            self.meet(entry.into_path(), &path, found)?;
        }
        found.errors.extend(endless.try_iter().map(WalkError::EndlessIgnoreFile));
        Ok(())
    }

    /// Adds a file found in a folder, or the reason to skip it. `whole` is its canonical path.
    fn meet(&self, path: PathBuf, whole: &Path, found: &mut FoundFiles) -> Result<(), ConfigError> {
        if let Some(reason) = self.skip_reason(&path, whole)? {
            found.skip(&path, reason);
            return Ok(());
        }
        found.files.push(InputFile { name: name_of(&path), path: Some(path), met: KindHint::Discovered });
        Ok(())
    }

    /// Reason for a folder walk to skip notes or a program; `None` if the settings do not exclude it, and it is sure to have a
    /// draft.
    fn form_reason(&self, path: &Path, whole: &Path) -> Result<Option<SkipReason>, ConfigError> {
        let is_wanted = self.configs.of(path)?.takes_form(path) && self.skip_reason(path, whole)?.is_none();
        Ok(match is_wanted.then(|| has_draft(self.files, path)) {
            Some(Some(true)) => None,
            Some(None) => Some(SkipReason::Unsure),
            Some(Some(false)) | None => Some(SkipReason::Ending),
        })
    }

    /// Reason for a walk to skip a file; `None` if none.
    fn skip_reason(&self, path: &Path, whole: &Path) -> Result<Option<SkipReason>, ConfigError> {
        if self.options.is_config(whole) {
            return Ok(Some(SkipReason::Settings));
        }
        let config = self.configs.of(path)?;
        let is_rule = || {
            let folders = self.options.rule_dirs.iter().cloned().chain(config.rule_dirs());
            folders.into_iter().any(|folder| is_below(self.files, path, &folder))
        };
        let is_baseline = || config.baseline().is_some_and(|it| is_same(self.files, &it, path));
        let is_facts = || config.settings.facts.is_some() && is_same(self.files, &config.facts(), path);
        let is_readings =
            || config.settings.readings.is_some() && is_same(self.files, &config.readings(), path);
        Ok(match () {
            () if is_rule() => Some(SkipReason::Rule),
            () if is_baseline() => Some(SkipReason::Baseline),
            () if is_facts() => Some(SkipReason::Facts),
            () if is_readings() => Some(SkipReason::Readings),
            () if config.schemas().any(|it| is_same(self.files, &it, path)) => Some(SkipReason::Schema),
            () if !config.takes(path) => Some(SkipReason::Excluded),
            () => None,
        })
    }
}

impl FoundFiles {
    fn skip(&mut self, path: &Path, reason: SkipReason) {
        self.skipped.push(SkippedFile { name: name_of(path), reason });
    }

    /// Counts the files skipped for one of these reasons.
    pub fn count(&self, reasons: &[SkipReason]) -> usize {
        self.skipped.iter().filter(|it| reasons.contains(&it.reason)).count()
    }
}

impl WalkError {
    fn new(folder: &Path, error: &ignore::Error) -> Self {
        let path = match error {
            ignore::Error::WithPath { path, .. } => path.as_path(),
            _ => folder,
        };
        let why = error.io_error().map_or_else(|| error.to_string(), reason);
        Self::Unreadable { folder: path.to_owned(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigFile;
    use crate::files::Disk;

    #[test]
    fn names_are_as_typed() {
        for (path, name) in [
            ("./drafts/./a.json", "drafts/a.json"),
            ("drafts//a.json", "drafts/a.json"),
            ("../a.json", "../a.json"),
            ("/srv/a.json", "/srv/a.json"),
            ("a.json", "a.json"),
            (".", "."),
        ] {
            assert_eq!(name_of(Path::new(path)), name);
        }
    }

    #[test]
    fn a_file_that_was_named_twice_is_read_once() {
        let paths = ["b.json", "-", "./b.json", "a.json"].map(PathBuf::from);
        let configs = Configs::only(ConfigFile::default());
        let found = |stdin_name: Option<&str>| {
            let options = WalkOptions { stdin_name: stdin_name.map(str::to_owned), ..WalkOptions::default() };
            find_files(&Disk, &paths, &options, &configs).expect("they can be found")
        };
        let all = found(None);
        let names: Vec<_> = all.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["<stdin>", "a.json", "b.json"]);
        let all = found(Some("a.json"));
        let names: Vec<_> = all.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a.json", "a.json", "b.json"], "standard input is not a file, whatever its name");
    }
}
