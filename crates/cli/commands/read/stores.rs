//! The stores of readings of a run, and what is asked about the drafts that belong to each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tollproof_core::{AnswerProblem, DraftReading, Facts, ReadRequest, ReaderAnswers, Readings, SeenFacts};
use tollproof_project::{ConfigFile, Disk, InputFile, InputRole, ReadingsStore, RunEvent, Session};

use super::super::draft_texts::DraftTexts;
use super::asking::{AnswerSink, AnsweredBy};
use crate::errors::{Failure, Result};
use crate::output::stderr::say;

/// The stores, by their files.
#[derive(Debug, Default)]
pub(super) struct ReadingStores {
    open: BTreeMap<PathBuf, OpenStore>,
    /// Facts about pages, by the files with facts.
    seen: BTreeMap<PathBuf, SeenFacts>,
}

/// A store, and the drafts whose answers belong to it.
#[derive(Debug)]
pub(super) struct OpenStore {
    path: PathBuf,
    known: Readings,
    /// Answers that are not written yet.
    new: Vec<DraftReading>,
    /// Requests to send, once for drafts with the same texts.
    requests: BTreeMap<String, ReadRequest>,
}

impl ReadingStores {
    /// Collects what is asked about all drafts: what has no answer, or everything. Returns how many drafts there are.
    pub(super) fn collect(&mut self, texts: &mut DraftTexts<'_>, again: bool) -> Result<usize> {
        let mut drafts = 0;
        let (session, files) = (texts.session, texts.files);
        texts.each(&mut |text| {
            let seen = self.seen(session, text.config)?;
            let store = self.of(session, text.config, files)?;
            let facts = Facts { readings: store.known.clone(), seen, ..Facts::default() };
            let requests = text.linter.read_requests(text.parsed, text.hint, &facts, again);
            drafts += requests.len();
            store.requests.extend(requests.into_iter().map(|it| (it.id.clone(), it)));
            Ok(())
        })?;
        Ok(drafts)
    }

    /// Facts about the pages of drafts with a configuration.
    fn seen(&mut self, session: &Session, config: &ConfigFile) -> Result<SeenFacts> {
        let path = session.facts_path(config);
        if let Some(seen) = self.seen.get(&path) {
            return Ok(seen.clone());
        }
        let seen = session.facts_of(config).map_err(Failure::new)?.facts();
        self.seen.insert(path, seen.clone());
        Ok(seen)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &OpenStore> {
        self.open.values()
    }

    /// Open requests, each with its store's file.
    pub(super) fn open_requests(&self) -> Vec<(PathBuf, ReadRequest)> {
        let open = |store: &OpenStore| {
            let open = store.requests.values().filter(|it| !it.questions.is_empty());
            open.map(|request| (store.path.clone(), request.clone())).collect::<Vec<_>>()
        };
        self.open.values().flat_map(open).collect()
    }

    /// The same without what another draft asks about the same texts, whose answer is valid for both.
    pub(super) fn requests_to_ask(&self) -> Vec<(PathBuf, ReadRequest)> {
        let mut asked: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
        let open = self.open_requests().into_iter();
        let requests = open.map(|(path, request)| {
            let request = request.without_asked(asked.entry(path.clone()).or_default());
            (path, request)
        });
        requests.filter(|(_, request)| !request.questions.is_empty()).collect()
    }

    /// The store of a file.
    pub(super) fn at(&mut self, path: &Path) -> &mut OpenStore {
        self.open.get_mut(path).expect("requests are of known stores")
    }

    /// Writes all stores.
    pub(super) fn write(&mut self) -> Result<()> {
        self.open.values_mut().try_for_each(OpenStore::write)
    }

    /// The store of a configuration. It must not be a file that the run reads as something else.
    fn of(&mut self, session: &Session, config: &ConfigFile, files: &[InputFile]) -> Result<&mut OpenStore> {
        let path = session.readings_path(config);
        if session.options().readings.is_none() && !config.is_own_readings() {
            return Err(Failure::new(
                "`readings:` in tollproof.yaml must be below its folder, without links to elsewhere; \
                 or name a file with --readings",
            ));
        }
        if !self.open.contains_key(&path) {
            session.check_store_path(files, &path, InputRole::Readings)?;
            self.open.insert(path.clone(), OpenStore::open(&path)?);
        }
        Ok(self.open.get_mut(&path).expect("it was inserted"))
    }
}

/// Stores, and what was asked about their drafts.
pub(super) struct StoreSink<'s> {
    pub(super) stores: &'s mut ReadingStores,
    pub(super) requests: &'s [(PathBuf, ReadRequest)],
}

impl AnswerSink for StoreSink<'_> {
    fn keep(&mut self, at: usize, answers: &ReaderAnswers, by: &AnsweredBy) -> Vec<(String, AnswerProblem)> {
        let (path, request) = &self.requests[at];
        self.stores.at(path).keep(request, answers, by)
    }

    fn write(&mut self) -> Result<()> {
        self.stores.write()
    }
}

impl OpenStore {
    fn open(path: &Path) -> Result<Self> {
        let store: ReadingsStore = ReadingsStore::read_to_write(&Disk, path).map_err(Failure::new)?;
        store.skipped().into_iter().for_each(|lines| say!("{}", RunEvent::SkippedLines(lines).line()));
        let known = store.readings();
        let (path, requests, new) = (path.to_owned(), BTreeMap::new(), Vec::new());
        Ok(Self { path, known, new, requests })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The requests by their ids.
    pub(super) fn requests(&self) -> impl Iterator<Item = (&str, &ReadRequest)> {
        self.requests.iter().map(|(id, request)| (id.as_str(), request))
    }

    /// The request with an id.
    pub(super) fn request(&self, id: &str) -> Option<&ReadRequest> {
        self.requests.get(id)
    }

    /// Keeps the answers to a request that can be believed. Returns what is wrong with the others.
    pub(super) fn keep(
        &mut self,
        request: &ReadRequest,
        answers: &ReaderAnswers,
        by: &AnsweredBy,
    ) -> Vec<(String, AnswerProblem)> {
        let (answers, problems) = request.verify(answers);
        if !answers.is_empty() {
            let AnsweredBy { reader, model } = by.clone();
            let (id, at, version) = (request.id.clone(), Timestamp::now(), DraftReading::VERSION);
            self.new.push(DraftReading { id, version, at, reader, model, answers });
        }
        problems
    }

    /// Writes the file. What another program has stored meanwhile is kept.
    fn write(&mut self) -> Result<()> {
        let _lock = ReadingsStore::lock(&self.path).map_err(Failure::new)?;
        let mut store = ReadingsStore::read(&Disk, &self.path).map_err(Failure::new)?;
        if !self.new.is_empty() {
            store.add(self.new.iter().cloned());
            store.write().map_err(Failure::new)?;
            self.new.clear();
        }
        Ok(())
    }
}
