//! A sweep over files: each is read, its past looked up, and judged by its own settings.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tollproof_core::{
    Facts, Finding, Format, Kind, KindSource, Linter, Names, Reading, Report as Checked, Source, documents,
    kind_of,
};
use tollproof_history::Access;

use super::ignores::Ignores;
use super::linters::{Linters, Strict};
use super::past::{self, Histories};
use crate::args::SweepArgs;
use crate::changed::Changed;
use crate::config::Config;
use crate::files::{self, File, Found, PassOver, Skipped, Why};
use crate::mending::Mending;
use crate::output::summary::count;
use crate::output::{Others, stderr};
use crate::report::{Failure, Fixing, Report};
use crate::repository::Repository;

/// How many files are read before their past is looked up in one go, and how many bytes.
const BLOCK: usize = 1_000;
const BLOCK_BYTES: usize = 16 << 20;

/// Files to be judged, and what is known of them.
pub(super) struct Sweep<'a> {
    args: &'a SweepArgs,
    pub(super) linters: Linters<'a>,
    pub(super) found: Found,
    /// Drafts that are read for their numbers alone.
    pub(super) beside: Found,
    /// By the configurations that name them.
    histories: HashMap<Option<PathBuf>, Histories>,
    facts: Facts,
    repository: Repository,
    ignores: Ignores,
    /// Whether a draft names a number.
    names_numbers: bool,
    /// Files with documents that are skipped, and why, where that is asked for.
    no_drafts: Vec<(String, String)>,
}

/// A file that was judged.
pub(super) struct Judged<'s> {
    pub(super) source: &'s Source<'s>,
    pub(super) checked: Checked,
    /// What was found before fixes were applied; empty where none were.
    pub(super) before: Vec<Finding>,
    /// The settings that it was judged by.
    pub(super) config: &'s Config,
    pub(super) others: Others<'s>,
    /// Whether the text is that of the settings, and no draft.
    pub(super) is_settings: bool,
}

/// A file that was read, with the settings that it is judged by.
type Ready<'f> = (&'f File, Source<'static>, Rc<Config>);

impl<'a> Sweep<'a> {
    /// Finds the files. `spared` are reports of this run, which a walk passes over.
    pub(super) fn new(
        args: &'a SweepArgs,
        spared: Vec<PathBuf>,
        strict: Strict<'a>,
    ) -> Result<Self, Failure> {
        let linters = Linters::new(&args.rules, strict)?;
        let facts = Facts {
            record: args.record.as_deref().map(past::record).transpose()?,
            notified_at: args.time.notified_at,
            now: Some(args.time.now().map_err(Failure::new)?),
            ..Facts::default()
        };
        let pass_over = PassOver {
            reports: spared,
            config: args.rules.config.clone(),
            named: args.force_exclude,
            lists_endings: args.verbose,
        };
        // Settings that cannot be used are said to be so even where no file needs them.
        for folder in args.paths.iter().filter(|path| path.is_dir()) {
            linters.config_in(folder)?;
        }
        let refuses = |path: &Path| {
            let config = linters.config_of(path)?;
            let is_rule = || linters.rule_dirs(&config).iter().any(|folder| files::is_below(path, folder));
            let is_baseline = || config.baseline().is_some_and(|it| files::is_same(&it, path));
            Ok(match () {
                () if is_rule() => Some(Why::Rule),
                () if is_baseline() => Some(Why::Baseline),
                () if !config.takes(path) => Some(Why::Excluded),
                () => None,
            })
        };
        let mut found = files::find(&args.paths, args.stdin_filename.as_deref(), &pass_over, &refuses)?;
        let mut beside = files::find(&args.also_read, None, &pass_over, &refuses)?;
        if let Some(reference) = &args.changed {
            beside.files.extend(Changed::since(reference)?.take_the_others(&mut found.files));
        }
        Ok(Self {
            args,
            linters,
            found,
            beside,
            histories: HashMap::new(),
            facts,
            repository: Repository::around(),
            ignores: Ignores::default(),
            names_numbers: false,
            no_drafts: Vec::new(),
        })
    }

    /// Judges all files in their order, after `mending` if there is any, and hands them to `see`; no more of them are held
    /// in memory than a look-up of their past takes. Counts what was read; findings are for `see` to count.
    pub(super) fn run(
        &mut self,
        report: &mut Report,
        mut mending: Option<&mut Mending<'_>>,
        see: &mut dyn FnMut(&mut Report, Judged<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        report.may_be_empty = self.args.force_exclude || self.args.changed.is_some();
        report.skipped = self.found.count(&[Why::OutOfSight]);
        report.excluded = self.found.count(&[Why::Excluded]);
        for problem in &self.found.problems {
            complain(report, problem);
        }
        let found = std::mem::take(&mut self.found);
        if !found.files.is_empty() {
            files::keep_each_once(&mut self.beside.files, &found.files);
            self.read_beside(report)?;
        }
        let mut files = found.files.iter().peekable();
        while let Some(file) = files.peek() {
            let config = self.linters.config_of(path_of(file))?;
            self.open_histories(&config)?;
            let block = self.block(&mut files, &config, report)?;
            self.judge(block, &found, report, mending.as_deref_mut(), see)?;
        }
        self.found = found;
        let known = self.histories.values().any(Histories::are_known);
        report.without_history = !known && self.names_numbers;
        for judge in self.ignores.judges(
            self.args,
            &mut self.linters,
            self.facts.now,
            (known, report.unopened == 0),
        )? {
            let config = Rc::clone(&judge.config);
            let file = File { name: config.name(), path: config.path.clone(), met: KindSource::Named };
            let identity = config.path.as_deref().and_then(|path| self.repository.name_of(path));
            let source = Source::from_bytes(file.name.as_str(), config.text.clone().into_bytes());
            let source = source.known_as(identity);
            let mut check = |source: &Source<'_>| judge.judge(source);
            let checked = check(&source);
            let (source, checked) = match &mut mending {
                Some(mending) => mending.mend(&file, (source, checked), report, &mut check)?,
                None => (source, checked),
            };
            if !checked.findings.is_empty() {
                let (before, others): (_, Others<'_>) = (Vec::new(), &|_| None);
                let judged =
                    Judged { source: &source, checked, before, config: &config, others, is_settings: true };
                see(report, judged)?;
            }
        }
        Ok(())
    }

    /// Names the files that were skipped, and why, if that is asked for.
    pub(super) fn tell_skipped(&self) {
        if !self.args.verbose {
            return;
        }
        let files = self.found.skipped.iter().map(|it| (it.name.as_str(), it.why.words()));
        let documents = self.no_drafts.iter().map(|(name, why)| (name.as_str(), why.as_str()));
        let mut all: Vec<_> = files.chain(documents).collect();
        all.sort_unstable();
        for (name, why) in all {
            stderr::say(&format!("skipped {name}: {why}"));
        }
    }

    /// The folders of rules that the settings of the files name.
    pub(super) fn all_rule_dirs(&self) -> Vec<PathBuf> {
        let configs = self.found.files.iter().filter_map(|file| self.linters.config_of(path_of(file)).ok());
        let mut folders: Vec<PathBuf> = configs.flat_map(|config| self.linters.rule_dirs(&config)).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Why a run had nothing to do: a wrong path must not look like a clean report.
    pub(super) fn nothing(&self, report: &Report) -> Failure {
        let names: Vec<_> =
            self.args.paths.iter().map(|path| format!("`{}`", files::name_of(path))).collect();
        let names = names.join(", ");
        let read = |it: &&Skipped| it.why != Why::Ending;
        let files = self.found.skipped.iter().filter(read).count();
        if self.found.files.is_empty() && files == 0 {
            return Failure::new(format_args!("nothing to check: no JSON or YAML file in {names}"));
        }
        let by_keys = report.skipped - self.found.count(&[Why::OutOfSight]);
        if by_keys + files == 0 {
            return Failure::new(format_args!("nothing to check: no document in {names}"));
        }
        let mut why = Vec::new();
        if by_keys > 0 {
            let documents = count(by_keys, "document");
            why.push(match self.args.kind {
                Some(kind) => format!("{documents} skipped because `--kind` asks for {}", kind.noun()),
                None => format!("{documents} skipped because the keys tell no kind"),
            });
        }
        if files > 0 {
            let files = count(files, "file");
            why.push(format!("{files} skipped: settings, rules, a baseline, or left out by tollproof.yaml"));
        }
        Failure::new(format_args!(
            "nothing to check: no draft in {names}; {} (`--verbose` names them; a file that you name is checked in any \
             case)",
            why.join("; "),
        ))
    }

    /// Reads the next files of one configuration: one, or as many as are looked up together.
    fn block<'f>(
        &self,
        files: &mut std::iter::Peekable<std::slice::Iter<'f, File>>,
        config: &Rc<Config>,
        report: &mut Report,
    ) -> Result<Vec<Ready<'f>>, Failure> {
        let together = self.histories.get(&config.path).is_some_and(Histories::are_known);
        let mut block = Vec::new();
        let mut bytes = 0;
        while let Some(file) = files.peek() {
            if self.linters.config_of(path_of(file))?.path != config.path {
                break;
            }
            let Some(file) = files.next() else { break };
            match files::read(file, &self.repository) {
                Ok(source) => {
                    bytes += source.text().len();
                    block.push((file, source, Rc::clone(config)));
                }
                Err(error) => complain(report, &unopened(file, &error)),
            }
            let is_full = !together || block.len() >= BLOCK || bytes >= BLOCK_BYTES;
            if is_full && !block.is_empty() {
                break;
            }
        }
        Ok(block)
    }

    fn open_histories(&mut self, config: &Config) -> Result<(), Failure> {
        if !self.histories.contains_key(&config.path) {
            let histories = Histories::open(&self.args.history, config, Access::Read)?;
            self.histories.insert(config.path.clone(), histories);
        }
        Ok(())
    }

    /// Learns the numbers that other drafts name than those to be judged.
    fn read_beside(&mut self, report: &mut Report) -> Result<(), Failure> {
        for problem in &self.beside.problems {
            complain(report, problem);
        }
        for file in &self.beside.files {
            match files::read(file, &self.repository) {
                Ok(source) => {
                    let config = self.linters.config_of(path_of(file))?;
                    self.facts.batch.read(&source, reading(None, &config, file, &source));
                }
                Err(error) => complain(report, &unopened(file, &error)),
            }
        }
        Ok(())
    }

    fn judge(
        &mut self,
        block: Vec<Ready<'_>>,
        found: &Found,
        report: &mut Report,
        mut mending: Option<&mut Mending<'_>>,
        see: &mut dyn FnMut(&mut Report, Judged<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some((_, _, config)) = block.first() else { return Ok(()) };
        let histories =
            self.histories.get_mut(&config.path).expect("they were opened before the files were read");
        let mut names = Names::default();
        if histories.are_known() || self.facts.record.is_some() {
            for (file, source, config) in &block {
                names.read(source, format(file, source));
                names.records.extend(config.record_of(path_of(file)).map(str::to_owned));
            }
        }
        if self.facts.record.is_some() {
            must_be_one_update(self.args, &block, &names, found)?;
        }
        histories.tell(names, &mut self.facts)?;
        let histories = &*histories;
        for (file, source, config) in block {
            let linter: Rc<Linter> = self.linters.of(&config, path_of(file))?;
            self.facts.record_id = config.record_of(path_of(file)).map(str::to_owned);
            let reading = reading(self.args.kind, &config, file, &source);
            let mut check = |source: &Source<'_>| linter.check_source_with(source, reading, &self.facts);
            let checked = check(&source);
            let (source, checked, before) = match &mut mending {
                Some(mending) => {
                    let (before, changed) = (checked.findings.clone(), report.changed);
                    let (source, checked) = mending.mend(file, (source, checked), report, &mut check)?;
                    let is_fixed = report.changed > changed && matches!(report.fixing, Fixing::Apply(_));
                    (source, checked, if is_fixed { before } else { Vec::new() })
                }
                None => (source, checked, Vec::new()),
            };
            self.names_numbers |= !checked.numbers.is_empty();
            self.facts.batch.extend(checked.numbers.clone());
            self.ignores.count(&config, path_of(file), &checked);
            if checked.skipped > 0 && self.args.verbose {
                self.no_drafts.push((file.name.clone(), why_no_draft(self.args.kind, &checked)));
            }
            let others: Others<'_> = &|name| histories.reopen(name);
            let judged =
                Judged { source: &source, checked, before, config: &config, others, is_settings: false };
            see(report, judged)?;
        }
        Ok(())
    }
}

/// Why documents of a file are skipped; `kind` is the one that the command line names.
fn why_no_draft(kind: Option<Kind>, checked: &Checked) -> String {
    let why = match kind {
        Some(kind) => format!("not {}, as `--kind` asks", kind.noun()),
        None => "no field names tell a kind of document".to_owned(),
    };
    match checked.documents {
        0 => why,
        read => format!("{} of {}: {why}", checked.skipped, count(read + checked.skipped, "document")),
    }
}

/// What `--record` names belongs to exactly one draft, and that is an update request.
fn must_be_one_update(
    args: &SweepArgs,
    block: &[Ready<'_>],
    names: &Names,
    found: &Found,
) -> Result<(), Failure> {
    let is_update = |(file, source, config): &Ready<'_>| {
        let reading = reading(args.kind, config, file, source);
        documents(source, reading.format).all(|it| kind_of(&it, reading.kind) != Some(Kind::SubmitRequest))
    };
    if !block.iter().all(is_update) {
        return Err(Failure::new(
            "`--record` belongs to an update request, and this is a submit request; `--kind update-request` says \
             that it is an update, `--history` compares it with earlier submissions",
        ));
    }
    if names.documents != 1 || found.files.len() != 1 {
        return Err(Failure::new("`--record` belongs to exactly one draft; name the file of one"));
    }
    Ok(())
}

fn reading(kind: Option<Kind>, config: &Config, file: &File, source: &Source<'_>) -> Reading {
    let expected = config.kind_of(path_of(file));
    let kind = match (kind, expected) {
        (Some(kind), _) if file.met == KindSource::Walked => KindSource::Sought(kind),
        (Some(kind), _) => KindSource::Forced(kind),
        (None, Some(kind)) => KindSource::Expected(kind),
        (None, None) => file.met,
    };
    Reading { format: format(file, source), kind }
}

fn format(file: &File, source: &Source<'_>) -> Format {
    Format::of_path(Path::new(&file.name)).unwrap_or_else(|| Format::of_text(source.text()))
}

/// Where a file lies; standard input lies where its name says.
pub(super) fn path_of(file: &File) -> &Path {
    file.path.as_deref().unwrap_or(Path::new(&file.name))
}

fn unopened(file: &File, error: &io::Error) -> String {
    format!("cannot open `{}`: {}", file.name, files::reason(error))
}

/// Names a file that could not be read, and goes on with the others.
fn complain(report: &mut Report, message: &str) {
    report.unopened += 1;
    stderr::say(&format!("error: {message}"));
}
