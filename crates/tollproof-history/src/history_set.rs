//! Several histories, queried as one.

use crate::entry::key;
use crate::error::{HistoryError, Result};
use crate::files::RecordFiles;
use crate::host::Host;
use crate::location::{Access, Location};
use crate::lookup::{Query, QueryResult, gather};
use crate::store::Store;

/// Open histories: record files and stores.
#[derive(Debug, Default)]
pub struct HistorySet {
    files: Vec<RecordFiles>,
    stores: Vec<Store>,
    host: Host,
}

impl HistorySet {
    /// Opens histories. Record files are read completely; of a store only its schema version is read.
    ///
    /// # Errors
    ///
    /// A history does not exist or cannot be read, or a record file contains a record without an id or a number.
    pub fn open(locations: &[Location], access: Access) -> Result<Self> {
        let mut set = Self::default();
        for location in locations {
            match location {
                Location::Files(pattern) => set.files.push(RecordFiles::open(pattern)?),
                location => set.stores.push(Store::open(location, access)?),
            }
        }
        Ok(set)
    }

    /// These histories, for what belongs to a host. Record files belong to the provider's own servers.
    #[must_use]
    pub fn at(mut self, host: Host) -> Self {
        self.stores = self.stores.into_iter().map(|store| store.at(host.clone())).collect();
        self.host = host;
        self
    }

    /// Looks up submissions by number and id. Each result is the newest record of a submission in all histories.
    ///
    /// # Errors
    ///
    /// A store cannot be read, or contains something that is not a record.
    pub fn look_up(&mut self, query: &Query) -> Result<QueryResult> {
        let Self { files, stores, host } = self;
        let files = if host.is_provider() { files.as_slice() } else { &[] };
        let builder = gather(query, |query, builder| {
            for files in files {
                for submission in files.look_up(query) {
                    let noted = files.notes.get(&key(&submission.id)).copied();
                    builder.add(submission, noted);
                }
            }
            for store in stores.iter_mut() {
                let found = store.look_up(query)?;
                builder.add_records(&store.name(), found.records)?;
                builder.reservations.extend(found.reservations);
            }
            Ok(())
        })?;
        Ok(builder.build())
    }

    /// The documents in record files that were skipped because they are not records: position and reason.
    pub fn skipped(&self) -> impl Iterator<Item = &str> {
        let files = if self.host.is_provider() { self.files.as_slice() } else { &[] };
        files.iter().flat_map(|it| &it.skipped).map(String::as_str)
    }

    /// The only store of the set.
    ///
    /// # Errors
    ///
    /// The set contains no store, or several.
    pub fn store(&mut self) -> Result<&mut Store> {
        match self.stores.as_mut_slice() {
            [store] => Ok(store),
            [] => Err(HistoryError::of_files()),
            _ => Err(HistoryError::Usage(
                "several histories are stores, but only one store can be written to; name one store"
                    .to_owned(),
            )),
        }
    }
}
