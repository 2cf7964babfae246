//! `tollproof check --watch`: checks again when a file changes that affects the run.

use std::collections::HashSet;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use ignore::WalkBuilder;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tollproof_core::Format;
use tollproof_history::{Location, name_of};
use tollproof_project::{
    CONFIG_NAME, ConfigFile, Disk, ProjectFiles, STDIN, Session, is_same, wait_for_writing, walker,
};

use super::{check, session};
use crate::args::{CheckArgs, Color};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::fix;
use crate::output::stdout::Stdout;
use crate::output::{first_format, stderr};
use crate::terminal::count;

/// Changes come in bursts: a run starts after this time without a change.
const QUIET: Duration = Duration::from_millis(100);

/// The maximum time to wait if changes do not stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// Clears the screen and moves the cursor to the first line.
const CLEAR: &[u8] = b"\x1b[2J\x1b[H";

/// A reason to wake up.
enum Wake {
    Changed(Event),
    Stop,
}

/// Checks again after each change until the user ends it. Returns the exit status of the last run.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut Stdout<impl Write>) -> Result<Exit> {
    if args.session.paths.iter().any(|it| it.as_os_str() == STDIN) {
        return Err(Failure::new("`--watch` cannot watch standard input; name files or folders"));
    }
    fix::refuse_without_mode(&args.fixes)?;
    let (sender, wakes) = channel();
    end_on_ctrl_c(sender.clone()).map_err(|error| failure!("cannot wait for Ctrl-C: {error}"))?;
    end_without_reader(sender.clone());
    let mut last = None;
    loop {
        let watched = Watched::of(args);
        // The old watcher is dropped after the new one is created, so that no change is missed.
        let watcher = watched.watcher(&sender)?;
        drop(last.replace(watcher));
        // The next run covers all changes until now.
        if wakes.try_iter().any(|it| matches!(it, Wake::Stop)) {
            return Ok(Exit::Clean);
        }
        if io::stdout().is_terminal() {
            // Flush immediately, so that this does not clear what the run prints on standard error.
            out.write_all(CLEAR).and_then(|()| out.flush()).map_err(Failure::stdout)?;
        }
        let exit = check::run(args, color, out).unwrap_or_else(|failure| {
            stderr::fail(&super::rendered(failure, first_format(&args.output_format), color));
            Exit::Unable
        });
        out.flush().map_err(Failure::stdout)?;
        if out.is_closed() {
            return Ok(exit);
        }
        stderr::say!("watching {}, Ctrl-C ends", count(watched.files, "file"));
        if !watched.wait(&wakes) {
            return Ok(exit);
        }
    }
}

/// The first Ctrl-C ends the watch after the current run, the second ends the process.
fn end_on_ctrl_c(sender: Sender<Wake>) -> Result<(), ctrlc::Error> {
    let is_asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if is_asked.swap(true, Ordering::Relaxed) {
            let _writing = wait_for_writing();
            #[expect(clippy::exit, reason = "nothing else ends a run that hangs")]
            std::process::exit(2);
        }
        // Sending fails if the program is already ending.
        let _ = sender.send(Wake::Stop);
    })
}

/// Ends the watch when the reader of standard output is gone. Without this, it would wait for the next change.
#[cfg(unix)]
fn end_without_reader(sender: Sender<Wake>) {
    use std::os::fd::AsFd as _;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    std::thread::spawn(move || {
        // Signals are handled by other threads.
        let _ = nix::sys::signal::SigSet::all().thread_block();
        let stdout = io::stdout();
        loop {
            let mut watched = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
            match poll(&mut watched, PollTimeout::NONE) {
                Err(nix::Error::EINTR) => {}
                // Sending fails if the program is already ending.
                Ok(_) => return drop(sender.send(Wake::Stop)),
                Err(_) => return,
            }
        }
    });
}

#[cfg(not(unix))]
fn end_without_reader(_: Sender<Wake>) {}

/// The files that affect a run, by canonical path.
#[derive(Debug, Default)]
struct Watched {
    /// The number of checked files.
    files: usize,
    /// Folders in which each draft or rule affects the run.
    folders: HashSet<PathBuf>,
    /// Files that affect the run, whether they exist or not.
    named: HashSet<PathBuf>,
    /// Files that the run itself writes.
    reports: Vec<PathBuf>,
}

impl Watched {
    fn of(args: &CheckArgs) -> Self {
        let reports = check::reports(args);
        let options = &args.session;
        let mut watched = Self { reports: reports.clone(), ..Self::default() };
        // Errors in the settings are ignored here, because the run reports them.
        let session = session::open(options).ok();
        let found = session.as_ref().and_then(|session| {
            Some((session, session::find(session, options, reports, args.baseline.clone()).ok()?))
        });
        for path in options.paths.iter().chain(&options.also_read) {
            watched.add(path, drafts);
            watched.add_settings(path);
        }
        let mut rule_dirs = options.rules.rules.clone();
        if let Some((session, found)) = found {
            watched.files = found.checked.files.len();
            for config in configs(session, &found) {
                watched.named.extend(config.baseline().iter().flat_map(|it| places(it)));
                watched.named.extend(config.schemas().flat_map(|it| places(&it)));
                let histories = session.locations(&config).unwrap_or_default();
                histories.iter().for_each(|location| watched.add_history(location));
                rule_dirs.extend(session.rule_dirs(&config));
            }
        }
        let named = options.history.history.iter().filter_map(|name| name.parse().ok());
        named.for_each(|location| watched.add_history(&location));
        rule_dirs.sort();
        rule_dirs.dedup();
        for folder in &rule_dirs {
            watched.add(folder, rules);
        }
        let named = options.rules.config.iter().chain(&options.record).chain(&args.baseline);
        watched.named.extend(named.flat_map(|it| places(it)));
        watched
    }

    /// Adds the configurations that apply to a path, and the places where one may be created.
    fn add_settings(&mut self, path: &Path) {
        let whole = path.canonicalize().unwrap_or_default();
        for folder in whole.ancestors().filter(|folder| folder.is_dir()) {
            self.named.insert(folder.join(CONFIG_NAME));
            if folder.join(".git").exists() {
                break;
            }
        }
    }

    /// Adds the records of a history. A database server cannot be watched.
    fn add_history(&mut self, location: &Location) {
        match location {
            Location::Files(path) if Path::new(path).exists() => self.add(Path::new(path), records),
            Location::Files(glob) => {
                let is_plain = |path: &Component<'_>| {
                    !path.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[{".contains(byte))
                };
                let plain: PathBuf = Path::new(glob).components().take_while(is_plain).collect();
                self.add(if plain.as_os_str().is_empty() { Path::new(".") } else { &plain }, records);
            }
            Location::Sqlite(path) => self.named.extend(places(path)),
            Location::Postgres(_) => {}
        }
    }

    /// Adds a file, or all folders of a folder walk.
    fn add(&mut self, path: &Path, walker: impl Fn(&Path) -> Option<WalkBuilder>) {
        match path.canonicalize() {
            Ok(folder) if folder.is_dir() => {
                let entries = walker(&folder).into_iter().flat_map(|walker| walker.build().flatten());
                let folders = entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()));
                self.folders.extend(folders.map(ignore::DirEntry::into_path));
            }
            _ => self.named.extend(places(path)),
        }
    }

    /// Watches folders, including those of the files, because replacing a file creates a new one.
    fn watcher(&self, sender: &Sender<Wake>) -> Result<RecommendedWatcher> {
        let cannot = |what: &str, error: &notify::Error| failure!("cannot watch {what}: {error}");
        let sender = sender.clone();
        let wake = move |event: notify::Result<Event>| {
            // Sending fails if the program is already ending.
            let _ = event.map(|event| sender.send(Wake::Changed(event)));
        };
        let mut watcher = notify::recommended_watcher(wake).map_err(|error| cannot("files", &error))?;
        let parents = self.named.iter().filter_map(|it| it.parent());
        let folders: HashSet<&Path> = self.folders.iter().map(PathBuf::as_path).chain(parents).collect();
        for folder in folders {
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                // The folder was just deleted.
                Err(error) if !folder.exists() => drop(error),
                watched => watched.map_err(|error| cannot(&format!("`{}`", name_of(folder)), &error))?,
            }
        }
        Ok(watcher)
    }

    /// Waits for a change and then until changes stop. Returns false if the user ends the watch.
    fn wait(&self, wakes: &Receiver<Wake>) -> bool {
        loop {
            match wakes.recv() {
                Ok(Wake::Changed(event)) if self.concerns(&event) => break,
                Ok(Wake::Changed(_)) => {}
                Ok(Wake::Stop) | Err(_) => return false,
            }
        }
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            match wakes.recv_timeout(QUIET) {
                Ok(Wake::Changed(_)) => {}
                Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        true
    }

    /// Whether an event may affect a run. Reading a file does not, nor do the files that the run writes.
    fn concerns(&self, event: &Event) -> bool {
        let concerns = |path: &PathBuf| {
            let is_in = path.parent().is_some_and(|folder| self.folders.contains(folder));
            // A path without an extension may be a folder that was deleted.
            let is_kind = Format::of_path(path).is_some() || path.extension().is_none() || path.is_dir();
            let is_meant = self.named.contains(path) || self.folders.contains(path) || is_in && is_kind;
            is_meant && !self.reports.iter().any(|report| is_same(&Disk, report, path))
        };
        !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(concerns)
    }
}

/// The configurations of the files, without duplicates.
fn configs(session: &Session, found: &ProjectFiles) -> Vec<Arc<ConfigFile>> {
    let files = found.checked.files.iter().chain(&found.also_read.files);
    let mut all: Vec<_> = files.filter_map(|file| session.config_of(file).ok()).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    all
}

/// A walk of a rule folder, including files that git ignores.
fn rules(folder: &Path) -> Option<WalkBuilder> {
    let mut walker = WalkBuilder::new(folder);
    walker.standard_filters(false);
    Some(walker)
}

/// A walk of a folder of drafts.
fn drafts(folder: &Path) -> Option<WalkBuilder> {
    walker(folder, None, drop)
}

/// A walk of a folder of records, without hidden files.
fn records(folder: &Path) -> Option<WalkBuilder> {
    let mut walker = rules(folder);
    walker.iter_mut().for_each(|walker| {
        walker.hidden(true);
    });
    walker
}

/// The absolute path of a file and, if it is a link, the path of its target.
fn places(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let here = folder.canonicalize().ok().and_then(|folder| Some(folder.join(path.file_name()?)));
    here.into_iter().chain(path.canonicalize().ok()).collect()
}
