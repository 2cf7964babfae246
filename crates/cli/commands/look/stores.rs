//! The stores of facts of a run, and the addresses of the drafts that use each.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use tollproof_core::seen::{AddressUse, SeenFact, SeenFacts, SeenOutcome};
use tollproof_online::{Asked, LookResult, needs_look};
use tollproof_project::{ConfigFile, Disk, FactsStore, InputFile, InputRole, RunEvent, Session};

use crate::errors::{Failure, Result};
use crate::output::look::LookState;
use crate::output::stderr::say;

/// The stores, by their files.
#[derive(Debug, Default)]
pub(super) struct Stores(BTreeMap<PathBuf, AddressStore>);

/// A store, and the addresses whose facts belong to it.
#[derive(Debug)]
pub(super) struct AddressStore {
    path: PathBuf,
    store: FactsStore,
    /// Facts of the store, for reading drafts.
    pub(super) facts: SeenFacts,
    max_age: SignedDuration,
    addresses: BTreeMap<String, Asked>,
    /// Addresses seen by this run.
    done: HashSet<String>,
    pub(super) is_offline: bool,
}

impl Stores {
    pub(super) fn iter(&self) -> impl Iterator<Item = &AddressStore> {
        self.0.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut AddressStore> {
        self.0.values_mut()
    }

    /// The store of a configuration. It must not be a file that the run reads as something else.
    pub(super) fn of(
        &mut self,
        session: &Session,
        config: &ConfigFile,
        files: &[InputFile],
    ) -> Result<&mut AddressStore> {
        let path = session.facts_path(config);
        if session.options().facts.is_none() && !config.is_own_facts() {
            let message =
                "`facts:` in tollproof.yaml must be below its folder; name another file with --facts";
            return Err(Failure::new(message));
        }
        if !self.0.contains_key(&path) {
            session.check_store_path(files, &path, InputRole::Facts)?;
            let store = AddressStore::open(&path, config.facts_max_age())?;
            self.0.insert(path.clone(), store);
        }
        Ok(self.0.get_mut(&path).expect("it was inserted"))
    }
}

impl AddressStore {
    fn open(path: &Path, max_age: SignedDuration) -> Result<Self> {
        let store: FactsStore = FactsStore::read_to_write(&Disk, path).map_err(Failure::new)?;
        store.skipped().into_iter().for_each(|lines| say!("{}", RunEvent::SkippedLines(lines).line()));
        let (path, addresses, done) = (path.to_owned(), BTreeMap::new(), HashSet::new());
        Ok(Self { path, facts: store.facts(), store, max_age, addresses, done, is_offline: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a use of an address, with the words that name the business whose website it is.
    pub(super) fn add(&mut self, address: &str, used: AddressUse, names: BTreeSet<String>) {
        let new = || Asked { address: address.to_owned(), used: [].into(), names: [].into() };
        let asked = self.addresses.entry(address.to_owned()).or_insert_with(new);
        asked.used.insert(used);
        asked.names.extend(names);
    }

    /// Returns due addresses that this run has not seen.
    pub(super) fn due(&self, again: bool, now: Timestamp) -> Vec<Asked> {
        let is_due = |address: &str| {
            !self.done.contains(address) && (again || needs_look(self.store.get(address), now, self.max_age))
        };
        self.addresses.values().filter(|asked| is_due(&asked.address)).cloned().collect()
    }

    /// Stores what was seen. What another program has stored meanwhile is kept.
    pub(super) fn keep(&mut self, looked: LookResult) -> Result<()> {
        self.is_offline |= looked.is_offline;
        let _lock = FactsStore::lock(&self.path).map_err(Failure::new)?;
        let mut store = FactsStore::read(&Disk, &self.path).map_err(Failure::new)?;
        let mut is_changed = false;
        for fact in looked.facts {
            // What was seen earlier is worth more than a look that saw nothing.
            let was_seen = store.get(&fact.address).is_some_and(|it| it.outcome == SeenOutcome::Seen);
            if fact.outcome != SeenOutcome::NotChecked || !was_seen {
                self.done.insert(fact.address.clone());
                store.renew(fact);
                is_changed = true;
            }
        }
        if is_changed {
            store.write().map_err(Failure::new)?;
        }
        self.facts = store.facts();
        self.store = store;
        Ok(())
    }

    /// The addresses with what is known of each, and where that comes from.
    pub(super) fn known(
        &self,
    ) -> impl Iterator<Item = (&str, &BTreeSet<AddressUse>, LookState, Option<&SeenFact>)> {
        self.addresses.values().map(|Asked { address, used, .. }| {
            let fact = self.store.get(address);
            let state = match fact {
                Some(_) if self.done.contains(address) => LookState::New,
                Some(_) => LookState::Stored,
                None => LookState::Left,
            };
            (address.as_str(), used, state, fact)
        })
    }
}
