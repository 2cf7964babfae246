//! Where earlier submissions are: what a user names, and what a project may name.

use std::path::Path;

use tollproof_history::{HistoryError, Location};

use crate::boundary::refuse_outward_link;
use crate::config::ConfigFile;
use crate::error::ProjectError;
use crate::files::Disk;
use crate::own_settings::check_project_server;

/// The locations of earlier submissions: `named`, or if it is empty, those of the configuration. A project names no server
/// that the user's own settings do not list, and no file through a link that leads out of it.
///
/// # Errors
///
/// An invalid name of a history, or one that a project may not name.
pub fn history_locations(named: &[String], config: &ConfigFile) -> Result<Vec<Location>, ProjectError> {
    match named.is_empty() {
        true => project_histories(config, |_| true),
        false => Ok(named.iter().map(|name| name.parse()).collect::<Result<_, HistoryError>>()?),
    }
}

/// Those of the locations in a configuration that are wanted.
///
/// # Errors
///
/// A wanted location that a project may not name.
pub(crate) fn project_histories(
    config: &ConfigFile,
    is_wanted: impl Fn(&Location) -> bool,
) -> Result<Vec<Location>, ProjectError> {
    let wanted = config.history.iter().enumerate().filter(|(_, location)| is_wanted(location));
    let checked = wanted.map(|(at, location)| match refusal(location) {
        None => Ok(location.clone()),
        Some((message, help)) => {
            Err(ProjectError::Invalid(vec![*config.error(&format!("/history/{at}"), message, help)]))
        }
    });
    checked.collect()
}

/// Why a project may not name a history, and what to do instead.
fn refusal(location: &Location) -> Option<(String, Option<String>)> {
    let path = match location {
        Location::Postgres(url) => {
            return check_project_server(url).err().map(|error| (error.to_string(), error.help()));
        }
        Location::Files(path) => Path::new(path),
        Location::Sqlite(path) => path,
    };
    let error = refuse_outward_link(&Disk, path).err()?;
    Some((format!("cannot read the history `{location}`: {error}"), None))
}
