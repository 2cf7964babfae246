//! The hosts that the address of a server names.

use crate::error::{HistoryError, Result};
use crate::location::StoreUrl;

/// The hosts and addresses that a connection may go to, in lower case; for a local socket, its folder.
///
/// # Errors
///
/// An invalid URL, as a message without a part of it, or a build without PostgreSQL.
pub fn server_hosts(url: &StoreUrl) -> Result<Vec<String>> {
    #[cfg(feature = "postgres")]
    return crate::postgres::hosts(url).map_err(HistoryError::Location);
    #[cfg(not(feature = "postgres"))]
    {
        let _ = url;
        Err(HistoryError::Location(crate::location::NO_POSTGRES.to_owned()))
    }
}
