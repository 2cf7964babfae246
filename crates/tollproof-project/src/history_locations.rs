//! Locations of earlier submissions: those of a user, and those that a project may name.

use tollproof_history::{HistoryError, Location};

use crate::config::ConfigFile;
use crate::error::{ProjectError, Result};
use crate::own_settings::check_project_server;

/// The locations of earlier submissions: `named`, or if it is empty, those of the configuration. A project names no server
/// that the user's own settings do not list.
///
/// # Errors
///
/// An invalid name of a history, or one that a project may not name.
pub fn history_locations(named: &[String], config: &ConfigFile) -> Result<Vec<Location>> {
    if named.is_empty() {
        project_histories(config, |_| true)
    } else {
        Ok(named.iter().map(|name| name.parse()).collect::<Result<_, HistoryError>>()?)
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
) -> Result<Vec<Location>> {
    let wanted = config.history.iter().enumerate().filter(|(_, location)| is_wanted(location));
    let checked = wanted.map(|(at, location)| match location {
        Location::Postgres(url) => match check_project_server(url) {
            Ok(()) => Ok(location.clone()),
            Err(error) => {
                let error = config.error(&format!("/history/{at}"), error.to_string(), error.help());
                Err(ProjectError::Invalid(vec![*error]))
            }
        },
        Location::Files(_) | Location::Sqlite(_) => Ok(location.clone()),
    });
    checked.collect()
}
