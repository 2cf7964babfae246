//! Which files are read, under which names.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use tollproof_core::{Format, KindSource, Source, UserRule};
pub(crate) use tollproof_history::{name_of, reason};

use crate::baseline;
use crate::config;
use crate::report::Failure;
use crate::repository::Repository;

/// The path that means standard input.
pub(crate) const STDIN: &str = "-";

/// What standard input is called if nobody says.
pub(crate) const UNNAMED: &str = "<stdin>";

/// A text to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// What it is called in reports: a path as its user would type it.
    pub(crate) name: String,
    /// Where it is read from; none for standard input.
    pub(crate) path: Option<PathBuf>,
    /// Whether it was named or met on a walk.
    pub(crate) met: KindSource,
}

/// The files to be checked, and what stood in the way of finding more.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// In path order, each once.
    pub(crate) files: Vec<File>,
    /// Folders that could not be walked, in words.
    pub(crate) problems: Vec<String>,
    /// Files that are not read, and why.
    pub(crate) skipped: Vec<Skipped>,
    /// Files that a walk met and passed over, since this run writes them.
    pub(crate) reports: Vec<PathBuf>,
}

/// A file that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    pub(crate) name: String,
    pub(crate) why: Why,
}

/// Why a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is a tollproof.yaml, or the configuration that the command line names.
    Settings,
    /// It is a rule of the user's.
    Rule,
    /// It is the baseline of its configuration.
    Baseline,
    /// The configuration leaves it out.
    Excluded,
    /// It was named, and a walk would not come upon it.
    OutOfSight,
    /// Its name has none of the endings that are read.
    Ending,
}

impl Why {
    /// The reason in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Settings => "settings of tollproof",
            Self::Rule => "a rule file",
            Self::Baseline => "the baseline",
            Self::Excluded => "left out by `include:` or `exclude:` in tollproof.yaml",
            Self::OutOfSight => "hidden, or its name does not end in .json, .ndjson, .jsonl, .yaml or .yml",
            Self::Ending => "its name does not end in .json, .ndjson, .jsonl, .yaml or .yml",
        }
    }
}

/// What a walk passes over, whatever it looks like.
#[derive(Debug, Default)]
pub(crate) struct PassOver {
    /// Files that this run writes.
    pub(crate) reports: Vec<PathBuf>,
    /// The configuration that the command line names.
    pub(crate) config: Option<PathBuf>,
    /// Whether the same is passed over where it is named.
    pub(crate) named: bool,
    /// Whether files with other endings are listed among those that are skipped.
    pub(crate) lists_endings: bool,
}

impl PassOver {
    /// The same with the paths that the system knows them by; what is not there is met by no walk.
    fn resolved(&self) -> Self {
        let all = |paths: &[PathBuf]| paths.iter().filter_map(|it| it.canonicalize().ok()).collect();
        let config = self.config.as_ref().and_then(|it| it.canonicalize().ok());
        Self { reports: all(&self.reports), config, ..*self }
    }

    fn is_config(&self, path: &Path) -> bool {
        self.config.as_deref() == Some(path)
            || path.file_name().is_some_and(|name| name == config::NAME || name == baseline::NAME)
    }
}

/// Whether no walk would come upon a file. Seen from here, so that a hidden folder above is none of it.
fn is_out_of_sight(path: &Path) -> bool {
    let is_hidden = |it: Component<'_>| matches!(it, Component::Normal(name) if name.as_encoded_bytes().starts_with(b"."));
    Format::of_path(path).is_none() || path.is_relative() && path.components().any(is_hidden)
}

/// Why the settings keep a walk from taking a file; none where they do not.
pub(crate) type Refuses<'a> = &'a dyn Fn(&Path) -> Result<Option<Why>, Failure>;

/// Finds the files that `paths` name: files themselves, and the drafts below folders.
pub(crate) fn find(
    paths: &[PathBuf],
    stdin_name: Option<&str>,
    pass_over: &PassOver,
    refuses: Refuses<'_>,
) -> Result<Found, Failure> {
    let mut found = Found::default();
    let pass_over = pass_over.resolved();
    for path in paths {
        if path.as_os_str() == STDIN {
            let name = stdin_name.unwrap_or(UNNAMED).to_owned();
            found.files.push(File { name, path: None, met: KindSource::Named });
        } else if path.is_dir() {
            walk(path, &pass_over, refuses, &mut found)?;
        } else if pass_over.named {
            let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
            if is_out_of_sight(path) {
                found.skip(path, Why::OutOfSight);
            } else {
                meet(path.clone(), &whole, &pass_over, refuses, &mut found)?;
            }
        } else {
            found.files.push(File { name: name_of(path), path: Some(path.clone()), met: KindSource::Named });
        }
    }
    if paths.len() > 1 {
        keep_each_once(&mut found.files, &[]);
    }
    found.files.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    Ok(found)
}

/// Takes out what is among other files, or stands twice. Of a file that is named and met on a walk as well, the named
/// one stays. Standard input is like no file.
pub(crate) fn keep_each_once(files: &mut Vec<File>, others: &[File]) {
    let place = |file: &File| {
        let canonical = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| PathBuf::from(&file.name));
        file.path.as_ref().map(canonical)
    };
    let mut seen: HashSet<_> = others.iter().map(place).collect();
    files.sort_by_key(|file| file.met != KindSource::Named);
    files.retain(|file| seen.insert(place(file)));
}

/// Whether two paths lead to one file that is there.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether a path is that of a folder or lies below it, as the system knows them.
pub(crate) fn is_below(path: &Path, folder: &Path) -> bool {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    folder.canonicalize().is_ok_and(|folder| path.starts_with(folder))
}

/// Reads one file as a whole.
pub(crate) fn read(file: &File, repository: &Repository) -> io::Result<Source<'static>> {
    let bytes = match &file.path {
        Some(path) => tollproof_history::read(path)?,
        None => {
            let mut bytes = Vec::new();
            tollproof_history::read_within(io::stdin().lock(), &mut bytes)?;
            bytes
        }
    };
    let named = (file.name != UNNAMED).then_some(Path::new(&file.name));
    let identity = file.path.as_deref().or(named).and_then(|path| repository.name_of(path));
    Ok(Source::from_bytes(file.name.as_str(), bytes).known_as(identity))
}

/// The rule files (`*.yaml`) below a folder, each under the id that its path gives it.
///
/// # Errors
///
/// A folder without any rule is an error too: a wrong path must not go unnoticed.
pub(crate) fn rules(folder: &Path) -> Result<Vec<UserRule>, String> {
    let cannot_read = |path: &Path, error: &io::Error| {
        format!("cannot read the rules in `{}`: {}", name_of(path), reason(error))
    };
    if folder.is_file() {
        return Err(format!(
            "`{}` is a file; name the folder above that of its group, which holds your rules",
            name_of(folder)
        ));
    }
    let mut rules = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).map_err(|error| cannot_read(&inner, &error))? {
            let path = entry.map_err(|error| cannot_read(&inner, &error))?.path();
            if path.file_name().is_some_and(|it| it.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "yaml") {
                let text =
                    tollproof_history::read_to_string(&path).map_err(|error| cannot_read(&path, &error))?;
                let below = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
                rules.push(UserRule { id: name_of(&below), file: name_of(&path), text });
            }
        }
    }
    if rules.is_empty() {
        return Err(format!("there is no rule file (*.yaml) in `{}`", name_of(folder)));
    }
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(rules)
}

/// A walk through a folder as git would take it; the `.ignore` files of search tools are none of its business.
///
/// The walk reads files that say what git ignores to their end, so it skips folders where one of them has none; `skips`
/// is told their names.
pub(crate) fn walker(folder: &Path, skips: impl Fn(PathBuf) + Send + Sync + 'static) -> Option<WalkBuilder> {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    if let Some(path) = whole.ancestors().find_map(endless_ignore_file) {
        skips(path);
        return None;
    }
    let mut walker = WalkBuilder::new(folder);
    walker.require_git(false).ignore(false).filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        let endless = Some(entry.path()).filter(|_| is_folder).and_then(endless_ignore_file);
        let is_skipped = endless.is_some();
        endless.into_iter().for_each(&skips);
        !is_skipped
    });
    Some(walker)
}

/// The largest file that says what git ignores, in bytes.
const MAX_IGNORE_FILE: u64 = 16 << 20;

/// A file that says what git ignores in a folder and is a device, a pipe or very large.
fn endless_ignore_file(folder: &Path) -> Option<PathBuf> {
    let files = [".gitignore", ".git/info/exclude"].map(|name| folder.join(name));
    let is_endless = |path: &PathBuf| {
        let found = fs::metadata(path);
        found.is_ok_and(|it| !it.is_file() && !it.is_dir() || it.len() > MAX_IGNORE_FILE)
    };
    files.into_iter().find(is_endless)
}

fn walk(folder: &Path, pass_over: &PassOver, refuses: Refuses<'_>, found: &mut Found) -> Result<(), Failure> {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let (sender, endless) = std::sync::mpsc::channel();
    // The receiver lives as long as the walk.
    let walker = walker(folder, move |path| sender.send(path).unwrap_or_default());
    for entry in walker.iter().flat_map(WalkBuilder::build) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.problems.push(walk_problem(folder, &error));
                continue;
            }
        };
        let is_file = entry.file_type().is_some_and(|it| it.is_file());
        if !is_file || Format::of_path(entry.path()).is_none() {
            if is_file && pass_over.lists_endings {
                found.skip(entry.path(), Why::Ending);
            }
            continue;
        }
        // No link is followed, so this is the path that the system knows the file by.
        let path = whole.join(entry.path().strip_prefix(folder).unwrap_or(entry.path()));
        meet(entry.into_path(), &path, pass_over, refuses, found)?;
    }
    let problem = |path: PathBuf| {
        let name = name_of(&path);
        format!("cannot use `{name}`: it must be a file of at most 16 MiB; its folder was not checked")
    };
    found.problems.extend(endless.try_iter().map(problem));
    Ok(())
}

/// Takes a file as a walk does; `whole` is the path that the system knows it by.
fn meet(
    path: PathBuf,
    whole: &Path,
    pass_over: &PassOver,
    refuses: Refuses<'_>,
    found: &mut Found,
) -> Result<(), Failure> {
    let is_report = pass_over.reports.iter().any(|report| report == whole);
    let why = if pass_over.is_config(whole) { Some(Why::Settings) } else { refuses(&path)? };
    if let Some(why) = why {
        // What a run writes is no more skipped than it is read.
        if !is_report {
            found.skip(&path, why);
        }
        return Ok(());
    }
    if is_report {
        found.reports.push(path);
        return Ok(());
    }
    found.files.push(File { name: name_of(&path), path: Some(path), met: KindSource::Walked });
    Ok(())
}

impl Found {
    fn skip(&mut self, path: &Path, why: Why) {
        self.skipped.push(Skipped { name: name_of(path), why });
    }

    /// How many files are skipped for one of some reasons.
    pub(crate) fn count(&self, reasons: &[Why]) -> usize {
        self.skipped.iter().filter(|it| reasons.contains(&it.why)).count()
    }
}

fn walk_problem(folder: &Path, error: &ignore::Error) -> String {
    let path = match error {
        ignore::Error::WithPath { path, .. } => path.as_path(),
        _ => folder,
    };
    let why = error.io_error().map_or_else(|| error.to_string(), reason);
    format!("cannot read the folder `{}`: {why}", name_of(path))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let found = find(&paths, None, &PassOver::default(), &|_| Ok(None)).expect("they can be found");
        let names: Vec<_> = found.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["<stdin>", "a.json", "b.json"]);
        let found =
            find(&paths, Some("a.json"), &PassOver::default(), &|_| Ok(None)).expect("they can be found");
        let names: Vec<_> = found.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a.json", "a.json", "b.json"], "standard input is no file, whatever it is called");
    }
}
