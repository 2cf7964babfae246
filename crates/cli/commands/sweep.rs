//! A sweep over files: each is read, its past looked up, and judged by its own settings.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

use tollproof_core::{
    Block, Facts, Finding, Format, Kind, KindSource, Linter, Names, Parsed, Report as Checked, Source,
    kind_of,
};
use tollproof_history::name_of;
use tollproof_project::{
    ConfigFile, Disk, FoundFiles, GitChanges, Histories, InputFile, LinterCache, Repository, RunScope,
    SkipReason, SkippedFile, UnusedIgnores, WalkOptions, find_files, keep_each_once, read_record,
};

use super::warn;
use crate::args::SweepArgs;
use crate::errors::Failure;
use crate::input;
use crate::mending::Mending;
use crate::output::summary::count;
use crate::output::{Others, stderr};
use crate::report::{Fixing, Report};

/// How many files are read before their past is looked up in one go, and how many bytes.
const BLOCK: usize = 1_000;
const BLOCK_BYTES: usize = 4 << 20;

/// Files to be judged, and what is known of them.
pub(super) struct Sweep<'a> {
    args: &'a SweepArgs,
    pub(super) linters: LinterCache,
    pub(super) found: FoundFiles,
    /// Drafts that are read for their numbers alone.
    pub(super) beside: FoundFiles,
    /// By the configurations that name them.
    histories: HashMap<Option<PathBuf>, Histories>,
    facts: Facts,
    repository: Repository,
    ignores: UnusedIgnores,
    /// Whether a draft names a number.
    names_numbers: bool,
    /// Files with documents that are skipped, and why, where that is asked for.
    no_drafts: Vec<(String, String)>,
}

/// A file that was judged.
pub(super) struct Judged<'s> {
    pub(super) parsed: &'s Parsed<'s>,
    pub(super) checked: Checked,
    /// What was found before fixes were applied; empty where none were.
    pub(super) before: Vec<Finding>,
    /// The settings that it was judged by.
    pub(super) config: &'s ConfigFile,
    pub(super) others: Others<'s>,
    /// Whether the text is that of the settings, and no draft.
    pub(super) is_settings: bool,
}

/// A file that was opened, with the settings that it is judged by.
type Opened<'f> = (&'f InputFile, Source<'static>, Arc<ConfigFile>);

/// The same, read.
type Ready<'b> = (&'b InputFile, Parsed<'b>, Arc<ConfigFile>);

impl<'a> Sweep<'a> {
    /// Finds the files. `outputs` are files that this run writes, which a walk skips.
    pub(super) fn new(args: &'a SweepArgs, outputs: Vec<PathBuf>) -> Result<Self, Failure> {
        let linters = LinterCache::new(Arc::new(Disk), args.rules.options())?;
        let facts = Facts {
            record: args.record.as_deref().map(|path| read_record(&Disk, path)).transpose()?,
            notified_at: args.time.notified_at,
            now: Some(args.time.now().map_err(Failure::new)?),
            ..Facts::default()
        };
        let mut options = WalkOptions {
            stdin_name: args.stdin_filename.clone(),
            outputs,
            config: args.rules.config.clone(),
            rule_dirs: args.rules.rules.clone(),
            named: args.force_exclude,
            lists_endings: args.verbose,
        };
        // Settings that cannot be used are said to be so even where no file needs them.
        for folder in args.paths.iter().filter(|path| path.is_dir()) {
            linters.configs().of_folder(folder)?;
        }
        let mut found = find_files(&args.paths, &options, linters.configs())?;
        options.stdin_name = None;
        let mut beside = find_files(&args.also_read, &options, linters.configs())?;
        if let Some(reference) = &args.changed {
            beside.files.extend(GitChanges::since(reference)?.take_unchanged(&mut found.files));
        }
        Ok(Self {
            args,
            linters,
            found,
            beside,
            histories: HashMap::new(),
            facts,
            repository: Repository::around(),
            ignores: UnusedIgnores::default(),
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
        report.skipped = self.found.count(&[SkipReason::OutOfSight]);
        report.excluded = self.found.count(&[SkipReason::Excluded]);
        for error in &self.found.errors {
            complain(report, error);
        }
        let found = std::mem::take(&mut self.found);
        if !found.files.is_empty() {
            keep_each_once(&mut self.beside.files, &found.files);
            self.read_beside(report)?;
        }
        let mut files = found.files.iter().peekable();
        while let Some(file) = files.peek() {
            let config = self.linters.configs().of(file.place())?;
            self.open_histories(&config)?;
            let block = self.block(&mut files, &config, report)?;
            self.judge(&block, &found, report, mending.as_deref_mut(), see)?;
        }
        self.found = found;
        let known = self.histories.values().any(Histories::are_known);
        report.without_history = !known && self.names_numbers;
        let scope = RunScope {
            paths: &self.args.paths,
            is_complete: report.unopened == 0 && self.args.changed.is_none(),
            knows_history: known,
            now: self.facts.now,
        };
        for ignores in self.ignores.checks(scope, &mut self.linters)? {
            let config = Arc::clone(&ignores.config);
            let file = InputFile { name: config.name(), path: config.path.clone(), met: KindSource::Named };
            let identity = config.path.as_deref().and_then(|path| self.repository.name_of(path));
            let source = Source::from_bytes(file.name.as_str(), config.text.clone().into_bytes());
            let source = source.known_as(identity);
            let parsed = Parsed::of(&source, Some(Format::Yaml));
            let mut check = |parsed: &Parsed<'_>| ignores.run(parsed);
            let checked = check(&parsed);
            let (new, checked) = match &mut mending {
                Some(mending) => mending.mend(&file, &parsed, checked, report, &mut check)?,
                None => (None, checked),
            };
            if !checked.findings.is_empty() {
                let (before, others): (_, Others<'_>) = (Vec::new(), &|_| None);
                let new = new.as_ref().map(|new| Parsed::of(new, Some(parsed.format())));
                let parsed = new.as_ref().unwrap_or(&parsed);
                let judged = Judged { parsed, checked, before, config: &config, others, is_settings: true };
                see(report, judged)?;
            }
        }
        warn(self.linters.warnings());
        Ok(())
    }

    /// Names the files that were skipped, and why, if that is asked for.
    pub(super) fn tell_skipped(&self) {
        if !self.args.verbose {
            return;
        }
        let files = self.found.skipped.iter().map(|it| (it.name.as_str(), words(it.reason)));
        let documents = self.no_drafts.iter().map(|(name, why)| (name.as_str(), why.as_str()));
        let mut all: Vec<_> = files.chain(documents).collect();
        all.sort_unstable();
        for (name, why) in all {
            stderr::say(&format!("skipped {name}: {why}"));
        }
    }

    /// The folders of rules that the settings of the files name.
    pub(super) fn all_rule_dirs(&self) -> Vec<PathBuf> {
        let configs = self.found.files.iter().filter_map(|file| self.linters.configs().of(file.place()).ok());
        let mut folders: Vec<PathBuf> = configs.flat_map(|config| self.linters.rule_dirs(&config)).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Why a run had nothing to do: a wrong path must not look like a clean report.
    pub(super) fn nothing(&self, report: &Report) -> Failure {
        let names: Vec<_> = self.args.paths.iter().map(|path| format!("`{}`", name_of(path))).collect();
        let names = names.join(", ");
        let read = |it: &&SkippedFile| it.reason != SkipReason::Ending;
        let files = self.found.skipped.iter().filter(read).count();
        if self.found.files.is_empty() && files == 0 {
            return Failure::new(format_args!("nothing to check: no JSON or YAML file in {names}"));
        }
        let by_keys = report.skipped - self.found.count(&[SkipReason::OutOfSight]);
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
        files: &mut std::iter::Peekable<std::slice::Iter<'f, InputFile>>,
        config: &Arc<ConfigFile>,
        report: &mut Report,
    ) -> Result<Vec<Opened<'f>>, Failure> {
        let together = self.histories.get(&config.path).is_some_and(Histories::are_known);
        let mut block = Vec::new();
        let mut bytes = 0;
        while let Some(file) = files.peek() {
            if self.linters.configs().of(file.place())?.path != config.path {
                break;
            }
            let Some(file) = files.next() else { break };
            match input::read(file, &self.repository) {
                Ok(source) => {
                    bytes += source.text().len();
                    block.push((file, source, Arc::clone(config)));
                }
                Err(error) => complain(report, &input::unreadable(file, &error)),
            }
            let is_full = !together || block.len() >= BLOCK || bytes >= BLOCK_BYTES;
            if is_full && !block.is_empty() {
                break;
            }
        }
        Ok(block)
    }

    fn open_histories(&mut self, config: &ConfigFile) -> Result<(), Failure> {
        if !self.histories.contains_key(&config.path) {
            let histories = super::open_histories(&self.args.history, config)?;
            self.histories.insert(config.path.clone(), histories);
        }
        Ok(())
    }

    /// Learns the numbers that other drafts name than those to be judged.
    fn read_beside(&mut self, report: &mut Report) -> Result<(), Failure> {
        for error in &self.beside.errors {
            complain(report, error);
        }
        for file in &self.beside.files {
            match input::read(file, &self.repository) {
                Ok(source) => {
                    let config = self.linters.configs().of(file.place())?;
                    self.facts.batch.read(&Parsed::of(&source, None), told_by(None, &config, file));
                }
                Err(error) => complain(report, &input::unreadable(file, &error)),
            }
        }
        Ok(())
    }

    fn judge(
        &mut self,
        block: &[Opened<'_>],
        found: &FoundFiles,
        report: &mut Report,
        mut mending: Option<&mut Mending<'_>>,
        see: &mut dyn FnMut(&mut Report, Judged<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some((_, _, config)) = block.first() else { return Ok(()) };
        let histories =
            self.histories.get_mut(&config.path).expect("they were opened before the files were read");
        let block: Vec<Ready<'_>> = block
            .iter()
            .map(|(file, source, config)| (*file, Parsed::of(source, None), Arc::clone(config)))
            .collect();
        let mut names = Names::default();
        if histories.are_known() || self.facts.record.is_some() {
            for (file, parsed, config) in &block {
                names.read(parsed);
                names.records.extend(config.record_of(file.place()).map(str::to_owned));
            }
        }
        if self.facts.record.is_some() {
            must_be_one_update(self.args, &block, &names, found)?;
        }
        histories.tell(names, &mut self.facts)?;
        let histories = &*histories;
        for (file, parsed, config) in block {
            let linter: Arc<Linter> = self.linters.of(&config, file.place())?;
            self.facts.record_id = config.record_of(file.place()).map(str::to_owned);
            let told_by = told_by(self.args.kind, &config, file);
            let mut check = |parsed: &Parsed<'_>| linter.lint(parsed, told_by, &self.facts);
            let checked = check(&parsed);
            let (new, checked, before) = match &mut mending {
                Some(mending) => {
                    let (before, changed) = (checked.findings.clone(), report.changed);
                    let (new, checked) = mending.mend(file, &parsed, checked, report, &mut check)?;
                    let is_fixed = report.changed > changed && matches!(report.fixing, Fixing::Apply(_));
                    (new, checked, if is_fixed { before } else { Vec::new() })
                }
                None => (None, checked, Vec::new()),
            };
            let new = new.as_ref().map(|new| Parsed::of(new, Some(parsed.format())));
            let parsed = new.as_ref().unwrap_or(&parsed);
            self.names_numbers |= !checked.numbers.is_empty();
            self.facts.batch.extend(checked.numbers.clone());
            self.ignores.count(&config, file.place(), &checked);
            if checked.skipped > 0 && self.args.verbose {
                self.no_drafts.push((file.name.clone(), why_no_draft(self.args.kind, &checked)));
            }
            let others: Others<'_> = &|name| histories.reopen(name);
            let judged = Judged { parsed, checked, before, config: &config, others, is_settings: false };
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
    found: &FoundFiles,
) -> Result<(), Failure> {
    let is_update = |(file, parsed, config): &Ready<'_>| {
        let told_by = told_by(args.kind, config, file);
        let is_submit =
            |block: Block<'_>| block.documents().any(|it| kind_of(&it, told_by) == Some(Kind::SubmitRequest));
        !parsed.blocks().any(is_submit)
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

/// What tells the kinds of a file's documents; `kind` is the one that the command line names.
fn told_by(kind: Option<Kind>, config: &ConfigFile, file: &InputFile) -> KindSource {
    match (kind, config.kind_of(file.place())) {
        (Some(kind), _) if file.met == KindSource::Walked => KindSource::Sought(kind),
        (Some(kind), _) => KindSource::Forced(kind),
        (None, Some(kind)) => KindSource::Expected(kind),
        (None, None) => file.met,
    }
}

/// Why a file is skipped, in words.
fn words(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Settings => "settings of tollproof",
        SkipReason::Rule => "a rule file",
        SkipReason::Baseline => "the baseline",
        SkipReason::Excluded => "left out by `include:` or `exclude:` in tollproof.yaml",
        SkipReason::OutOfSight => "hidden, or its name does not end in .json, .ndjson, .jsonl, .yaml or .yml",
        SkipReason::Ending => "its name does not end in .json, .ndjson, .jsonl, .yaml or .yml",
    }
}

/// Names a file that could not be read, and goes on with the others.
fn complain(report: &mut Report, message: &(impl Display + ?Sized)) {
    report.unopened += 1;
    stderr::say(&format!("error: {message}"));
}
