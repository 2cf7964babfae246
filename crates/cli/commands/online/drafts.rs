//! Reads the drafts that are to be sent, and checks all of them first.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::document::Node;
use tollproof_core::{
    Batch, Facts, Kind, KindChoice, KindHint, Parsed, Report, Severity, Source, json_of, kind_of,
};
use tollproof_history::reason;
use tollproof_online::forgive_numbers;
use tollproof_project::{
    ConfigFile, Disk, FailOn, Files as _, FindOptions, InputFile, STDIN, Session, StoredFacts,
};

use super::super::session::read_stored;
use super::findings::FindingsOutput;
use crate::counts::RunCounts;
use crate::errors::Result;
use crate::input::{InputPart, await_drafts, read_texts, refuse_forms};
use crate::output::stderr::say;
use crate::output::{Outputs, stderr};
use crate::terminal::one_line;

/// A draft that was read, with its number.
#[derive(Debug)]
pub(crate) struct DraftToSend {
    /// The name of its file, with `#N` if the file has several drafts.
    pub(crate) name: String,
    pub(crate) file: InputFile,
    pub(crate) config: Arc<ConfigFile>,
    /// The text with this draft alone.
    pub(crate) source: Source<'static>,
    pub(crate) hint: KindHint,
    pub(crate) kind: Kind,
    /// The number as the draft names it; empty if it does not.
    pub(crate) number: String,
    /// The rules whose errors refuse it; none if it may be sent as far as its text shows.
    pub(crate) errors: Vec<String>,
}

impl DraftToSend {
    /// Reads a file that the draft names, such as a picture. It must be in the folder of the draft or below, so that a draft
    /// cannot have other files of its user sent.
    pub(crate) fn read_file(&self, name: &str) -> Result<Vec<u8>, String> {
        let folder =
            self.file.path.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let cannot = |error: std::io::Error| reason(&error);
        let path = folder.join(name).canonicalize().map_err(cannot)?;
        if !path.starts_with(folder.canonicalize().map_err(cannot)?) {
            return Err("it is not in the folder of the draft; move it there".to_owned());
        }
        Disk.read(&path).map_err(cannot)
    }
}

/// The drafts of a run, in the order of their files.
#[derive(Debug, Default)]
pub(crate) struct CheckedDrafts {
    pub(crate) drafts: Vec<DraftToSend>,
    /// Whether a file could not be read.
    pub(crate) is_incomplete: bool,
}

/// Reads and checks all drafts in files and folders. Findings are printed on standard error.
pub(crate) fn read_drafts(
    session: &Session,
    paths: &[PathBuf],
    output: FindingsOutput,
) -> Result<CheckedDrafts> {
    await_drafts(paths)?;
    let found = session.find(FindOptions { paths: paths.to_vec(), ..FindOptions::default() })?;
    let mut reading = Reading {
        session,
        counts: RunCounts::default(),
        batch: Batch::default(),
        read: CheckedDrafts::default(),
    };
    for error in &found.checked.errors {
        say!("error: {error}");
        reading.read.is_incomplete = true;
    }
    output.report(session, |outputs| {
        found.checked.files.iter().try_for_each(|file| reading.file(file, outputs))?;
        Ok(std::mem::take(&mut reading.counts))
    })?;
    Ok(reading.read)
}

/// The drafts read so far.
struct Reading<'s> {
    session: &'s Session,
    counts: RunCounts,
    /// The numbers of earlier files.
    batch: Batch,
    read: CheckedDrafts,
}

impl Reading<'_> {
    fn file(&mut self, file: &InputFile, outputs: &mut Outputs<'_>) -> Result<()> {
        let config = self.session.config_of(file)?;
        let path = file.path.clone().unwrap_or_else(|| PathBuf::from(STDIN));
        let is_data = |parts: &Vec<InputPart>| parts.iter().try_for_each(|part| refuse_forms(&part.source));
        let configured = |source| self.session.configured(source, &config, file);
        let parts = read_texts(&path, &configured).and_then(|parts| is_data(&parts).map(|()| parts));
        let parts = match parts {
            Ok(parts) => parts,
            // A folder has notes beside its drafts.
            Err(_) if file.met != KindHint::Explicit => return Ok(()),
            Err(failure) => {
                stderr::fail(&failure.plain());
                self.read.is_incomplete = true;
                return Ok(());
            }
        };
        let is_only = parts.len() == 1;
        let mut before = 0;
        for part in parts {
            before += self.part(file, &config, part, before, is_only, outputs)?;
        }
        Ok(())
    }

    /// Reads the drafts of a text. Returns how many documents it has.
    fn part(
        &mut self,
        file: &InputFile,
        config: &Arc<ConfigFile>,
        part: InputPart,
        before: usize,
        is_only: bool,
        outputs: &mut Outputs<'_>,
    ) -> Result<usize> {
        let hint = self.session.kind_hint(config, file);
        let linter = self.session.linter_of(config, file)?;
        let options = self.session.options();
        let batch = std::mem::take(&mut self.batch);
        let (now, notified_at) = (options.now, options.notified_at);
        let StoredFacts { seen, readings } = read_stored(self.session, config)?;
        let facts = Facts { now, notified_at, batch, seen, readings, ..Facts::default() };
        let mut found = Vec::new();
        let count = {
            let parsed = Parsed::of(&part.source, None);
            let mut report = linter.check(&parsed, hint, &facts);
            self.batch = facts.batch;
            let whole = parsed.whole();
            forgive_numbers(&mut report, &whole.documents().collect::<Vec<_>>(), hint);
            self.batch.read(&parsed, hint);
            self.counts.add(&report, FailOn::Error);
            let related = self.session.related(Default::default());
            outputs
                .file(&parsed, &report, &|reference| related.open_place(parsed.source().name(), reference))?;
            let count = whole.documents().count();
            for document in whole.documents() {
                let is_single = is_only && count == 1;
                let name = if is_single {
                    file.name.clone()
                } else {
                    format!("{}#{}", file.name, before + document.index + 1)
                };
                let errors = errors(&report, document.index, count);
                let kind = kind_of(&document, hint);
                let Some(kind) = kind.filter(|it| it.is_request()) else {
                    self.skip(file, &name, kind, &errors);
                    continue;
                };
                let root = document.document().root.as_ref();
                let number = root.and_then(|root| kind.numbers(root).into_iter().find_map(Node::as_str));
                let number = number.unwrap_or_default().trim().to_owned();
                let own = (!is_single).then(|| root.map(json_of).unwrap_or_default());
                found.push((name, kind, number, own, errors));
            }
            count
        };
        let mut text = Some(part.source);
        for (name, kind, number, own, errors) in found {
            let (source, hint) = match own {
                Some(json) => (Source::new(name.as_str(), json), KindHint::Forced(KindChoice::from(kind))),
                None => (text.take().expect("it is the only draft of the text"), hint),
            };
            let (file, config) = (file.clone(), Arc::clone(config));
            self.read.drafts.push(DraftToSend { name, file, config, source, hint, kind, number, errors });
        }
        Ok(count)
    }

    /// Says why a document of a file that was named is not sent.
    fn skip(&mut self, file: &InputFile, at: &str, kind: Option<Kind>, errors: &[String]) {
        if file.met == KindHint::Discovered {
            return;
        }
        self.read.is_incomplete = true;
        if errors.is_empty() {
            let what = kind.map_or("a document of unknown kind", Kind::noun);
            say!("error: `{}` is {what}, not a draft that can be sent", one_line(at));
        }
    }
}

/// The rules whose errors are about a document; without a document of its own, an error is about all.
fn errors(report: &Report, document: usize, documents: usize) -> Vec<String> {
    let is_about = |index: usize| index == document || index >= documents;
    let errors = report.findings.iter().filter(|finding| {
        finding.severity == Severity::Error && finding.suppressed.is_none() && is_about(finding.document)
    });
    let mut rules: Vec<String> = errors.map(|it| it.rule.to_string()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}
