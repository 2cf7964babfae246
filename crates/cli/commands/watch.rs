//! `tollproof check --watch`: checks again whenever a file changes that has to do with the run.

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
use crate::errors::Failure;
use crate::output::stdout::Stdout;
use crate::output::{first_format, stderr};
use crate::terminal::count;

/// Changes come in swarms: a run waits until there was none for so long.
const QUIET: Duration = Duration::from_millis(100);

/// Where there is never quiet, it does not wait longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Clears the screen and goes to its first line.
const CLEAR: &[u8] = b"\x1b[2J\x1b[H";

/// What wakes a watch.
enum Wake {
    Changed(Event),
    Stop,
}

/// Checks, waits and checks again until somebody ends it; it ends as the last run did.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut Stdout<impl Write>) -> Result<Exit, Failure> {
    if args.session.paths.iter().any(|it| it.as_os_str() == STDIN) {
        return Err(Failure::new("`--watch` cannot watch standard input; name files or folders"));
    }
    let (sender, wakes) = channel();
    end_on_ctrl_c(sender.clone())
        .map_err(|error| Failure::new(format_args!("cannot wait for Ctrl-C: {error}")))?;
    end_without_reader(sender.clone());
    let mut last = None;
    loop {
        let watched = Watched::of(args);
        // The old watcher goes when the new one is there, so that nothing is missed between them.
        let watcher = watched.watcher(&sender)?;
        drop(last.replace(watcher));
        // What happened until now, the run sees.
        if wakes.try_iter().any(|it| matches!(it, Wake::Stop)) {
            return Ok(Exit::Clean);
        }
        if io::stdout().is_terminal() {
            // At once, so that it takes nothing off the screen that this run says on standard error.
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
        stderr::say(&format!("watching {}, Ctrl-C ends", count(watched.files, "file")));
        if !watched.wait(&wakes) {
            return Ok(exit);
        }
    }
}

/// Lets a run come to its end; whoever cannot wait for that asks twice.
fn end_on_ctrl_c(sender: Sender<Wake>) -> Result<(), ctrlc::Error> {
    let is_asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if is_asked.swap(true, Ordering::Relaxed) {
            let _writing = wait_for_writing();
            #[expect(clippy::exit, reason = "nothing else ends a run that hangs")]
            std::process::exit(2);
        }
        // Nobody listens when the program ends.
        let _ = sender.send(Wake::Stop);
    })
}

/// Wakes the watch when what reads standard output has gone: nothing may ever change again.
#[cfg(unix)]
fn end_without_reader(sender: Sender<Wake>) {
    use std::os::fd::AsFd as _;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    std::thread::spawn(move || {
        // Signals are for the others.
        let _ = nix::sys::signal::SigSet::all().thread_block();
        let stdout = io::stdout();
        loop {
            let mut watched = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
            match poll(&mut watched, PollTimeout::NONE) {
                Err(nix::Error::EINTR) => {}
                // Nobody listens when the program ends.
                Ok(_) => return drop(sender.send(Wake::Stop)),
                Err(_) => return,
            }
        }
    });
}

#[cfg(not(unix))]
fn end_without_reader(_: Sender<Wake>) {}

/// What has to do with a run, by the paths that the system knows.
#[derive(Debug, Default)]
struct Watched {
    /// How many files are checked.
    files: usize,
    /// Folders in which any draft or rule counts.
    folders: HashSet<PathBuf>,
    /// Files that count, whether they are there or not.
    named: HashSet<PathBuf>,
    /// Files that the run itself writes.
    reports: Vec<PathBuf>,
}

impl Watched {
    fn of(args: &CheckArgs) -> Self {
        let reports = check::reports(args);
        let options = &args.session;
        let mut watched = Self { reports: reports.clone(), ..Self::default() };
        // What is wrong with the settings, the run itself says.
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
                config.history.iter().for_each(|location| watched.add_history(location));
                rule_dirs.extend(session.rule_dirs(&config));
            }
        }
        let named = options.history.history.iter().filter_map(|it| it.parse().ok());
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

    /// Adds the settings of a path, where they are or may come to be.
    fn add_settings(&mut self, path: &Path) {
        let whole = path.canonicalize().unwrap_or_default();
        for folder in whole.ancestors().filter(|folder| folder.is_dir()) {
            self.named.insert(folder.join(CONFIG_NAME));
            if folder.join(".git").exists() {
                break;
            }
        }
    }

    /// Adds the records of a history; what a server keeps is out of sight.
    fn add_history(&mut self, location: &Location) {
        match location {
            Location::Files(path) if Path::new(path).exists() => self.add(Path::new(path), records),
            Location::Files(glob) => {
                let is_plain = |it: &Component<'_>| {
                    !it.as_os_str().as_encoded_bytes().iter().any(|it| b"*?[{".contains(it))
                };
                let plain: PathBuf = Path::new(glob).components().take_while(is_plain).collect();
                self.add(if plain.as_os_str().is_empty() { Path::new(".") } else { &plain }, records);
            }
            Location::Sqlite(path) => self.named.extend(places(path)),
            Location::Postgres(_) => {}
        }
    }

    /// Adds a file, or the folders of a walk.
    fn add(&mut self, path: &Path, walker: impl Fn(&Path) -> Option<WalkBuilder>) {
        match path.canonicalize() {
            Ok(folder) if folder.is_dir() => {
                let entries = walker(&folder).into_iter().flat_map(|it| it.build().flatten());
                let folders = entries.filter(|it| it.file_type().is_some_and(|it| it.is_dir()));
                self.folders.extend(folders.map(ignore::DirEntry::into_path));
            }
            _ => self.named.extend(places(path)),
        }
    }

    /// Watches the folders themselves and those of the files: a file that is replaced is another file.
    fn watcher(&self, sender: &Sender<Wake>) -> Result<RecommendedWatcher, Failure> {
        let cannot =
            |what: &str, error: &notify::Error| Failure::new(format_args!("cannot watch {what}: {error}"));
        let sender = sender.clone();
        let wake = move |event: notify::Result<Event>| {
            // Nobody listens when the program ends.
            let _ = event.map(|event| sender.send(Wake::Changed(event)));
        };
        let mut watcher = notify::recommended_watcher(wake).map_err(|error| cannot("files", &error))?;
        let parents = self.named.iter().filter_map(|it| it.parent());
        let folders: HashSet<&Path> = self.folders.iter().map(PathBuf::as_path).chain(parents).collect();
        for folder in folders {
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                // A folder that has just gone.
                Err(error) if !folder.exists() => drop(error),
                watched => watched.map_err(|error| cannot(&format!("`{}`", name_of(folder)), &error))?,
            }
        }
        Ok(watcher)
    }

    /// Waits for a change and for the quiet after it; false if somebody wants an end.
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

    /// Whether an event may change what a run says. Reading is none, nor is what a run writes.
    fn concerns(&self, event: &Event) -> bool {
        let concerns = |path: &PathBuf| {
            let is_in = path.parent().is_some_and(|folder| self.folders.contains(folder));
            // What has no ending may be a folder that went.
            let is_kind = Format::of_path(path).is_some() || path.extension().is_none() || path.is_dir();
            let is_meant = self.named.contains(path) || self.folders.contains(path) || is_in && is_kind;
            is_meant && !self.reports.iter().any(|report| is_same(&Disk, report, path))
        };
        !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(concerns)
    }
}

/// The settings of the files, each once.
fn configs(session: &Session, found: &ProjectFiles) -> Vec<Arc<ConfigFile>> {
    let files = found.checked.files.iter().chain(&found.also_read.files);
    let mut all: Vec<_> = files.filter_map(|file| session.config_of(file).ok()).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    all
}

/// A walk through a folder of rules, whatever git thinks of them.
fn rules(folder: &Path) -> Option<WalkBuilder> {
    let mut walker = WalkBuilder::new(folder);
    walker.standard_filters(false);
    Some(walker)
}

/// A walk through a folder of drafts.
fn drafts(folder: &Path) -> Option<WalkBuilder> {
    walker(folder, drop)
}

/// A walk through a folder of records: hidden ones are not read.
fn records(folder: &Path) -> Option<WalkBuilder> {
    let mut walker = rules(folder);
    walker.iter_mut().for_each(|it| {
        it.hidden(true);
    });
    walker
}

/// Where a file lies, and where it leads if it is a link.
fn places(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let here = folder.canonicalize().ok().and_then(|folder| Some(folder.join(path.file_name()?)));
    here.into_iter().chain(path.canonicalize().ok()).collect()
}
