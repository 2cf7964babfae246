//! The location of a history, parsed from what a user writes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tollproof_core::without_secrets;

use crate::error::{HistoryError, Result};
use crate::files::{WILDCARDS, not_a_glob};

/// The access to a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The history must exist. A wrong path is an error, so that it does not look like an empty history.
    Read,
    /// A store that does not exist is created.
    Create,
}

/// The location of submission records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Files of verification records: the path of a file or folder, or a glob.
    Files(String),
    /// `sqlite:PATH`.
    Sqlite(PathBuf),
    /// `postgres://…` or `postgresql://…`.
    Postgres(StoreUrl),
}

/// The URL of a PostgreSQL database. It may contain a password, so `Display` and `Debug` leave that out.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl {
    text: String,
    /// Whether a project names the server, and not its user.
    is_of_project: bool,
}

impl StoreUrl {
    /// The complete URL, password included.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "only the PostgreSQL client uses it"))]
    pub(crate) fn expose_secret(&self) -> &str {
        &self.text
    }

    /// Whether a project names the server, so that its certificate is always verified.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "only the PostgreSQL client uses it"))]
    pub(crate) fn is_of_project(&self) -> bool {
        self.is_of_project
    }
}

impl Location {
    /// This location as one that a project names, which may be somebody else's.
    #[must_use]
    pub fn of_project(self) -> Self {
        match self {
            Self::Postgres(url) => Self::Postgres(StoreUrl { is_of_project: true, ..url }),
            file => file,
        }
    }

    /// This location with relative paths resolved against `folder`.
    #[must_use]
    pub fn below(self, folder: &Path) -> Self {
        match self {
            Self::Files(path) => Self::Files(crate::reading::name_of(&folder.join(path))),
            Self::Sqlite(path) => Self::Sqlite(folder.join(path)),
            Self::Postgres(url) => Self::Postgres(url),
        }
    }
}

impl FromStr for Location {
    type Err = HistoryError;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: &str| Err(HistoryError::Location(why.to_owned()));
        let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if matches!(scheme.as_str(), "postgres" | "postgresql") && text[scheme.len()..].starts_with("://") {
            if is_connection_string(text.split("://").nth(1).unwrap_or_default()) {
                return wrong(SERVER_HELP);
            }
            return if cfg!(feature = "postgres") {
                Ok(Self::Postgres(StoreUrl { text: text.to_owned(), is_of_project: false }))
            } else {
                wrong(NO_POSTGRES)
            };
        }
        match text.split_once(':') {
            Some(("sqlite", "")) => wrong("the path after `sqlite:` is missing; write `sqlite:PATH`"),
            Some(("sqlite", path)) if is_server_url(path) || is_connection_string(path) => {
                wrong("`sqlite:` is for files; remove it from the address of a server")
            }
            Some(("sqlite", path)) => Ok(Self::Sqlite(path.into())),
            _ if text.is_empty() => {
                wrong("the name of the history is empty; use a path, `sqlite:PATH` or `postgres://…`")
            }
            // The rest of the text is not shown, because it may contain a password.
            Some((scheme, rest)) if rest.starts_with("//") => Err(HistoryError::Location(format!(
                "a history at `{scheme}://` is not supported; use a path, `sqlite:PATH` or `postgres://…`"
            ))),
            Some((_, rest)) if rest.contains('@') && !Path::new(text).exists() => wrong(SERVER_HELP),
            _ if is_connection_string(text) && !Path::new(text).exists() => wrong(SERVER_HELP),
            _ => match crate::globs::glob(text) {
                Err(why) if text.contains(WILDCARDS) && !Path::new(text).exists() => {
                    Err(not_a_glob(text, &why))
                }
                _ => Ok(Self::Files(text.to_owned())),
            },
        }
    }
}

/// The message for a server if PostgreSQL is not supported.
pub(crate) const NO_POSTGRES: &str = "this tollproof was built without PostgreSQL; build it with `cargo install --locked --path . --features postgres`";

/// The message for a server address in an unsupported notation.
const SERVER_HELP: &str = "this looks like the address of a server; write `postgres://USER@HOST/DATABASE` and put the \
     password into PGPASSWORD or ~/.pgpass";

/// Whether a text is the URL of a PostgreSQL server.
fn is_server_url(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// Whether a text is a connection string of libpq: `host=… password=…`.
fn is_connection_string(text: &str) -> bool {
    let keys = ["host", "hostaddr", "password", "user", "dbname", "port", "service"];
    let (key, _) = text.split_once('=').unwrap_or_default();
    keys.contains(&key.trim().to_ascii_lowercase().as_str())
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files(path) => f.write_str(&without_secrets(path)),
            Self::Sqlite(path) => write!(f, "sqlite:{}", without_secrets(&path.display().to_string())),
            Self::Postgres(url) => url.fmt(f),
        }
    }
}

impl fmt::Display for StoreUrl {
    /// The URL without password and parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = self.text.split(['?', '#']).next().unwrap_or_default();
        let (scheme, rest) = bare.split_once("://").unwrap_or(("postgres", bare));
        let shown = match rest.rsplit_once('@') {
            Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
            // An unescaped `?` or `#` may be part of the password, so nothing of the URL is shown.
            None if self.text.contains('@') => "…".to_owned(),
            None => rest.to_owned(),
        };
        f.write_str(&without_secrets(&format!("{scheme}://{shown}")))
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (text, shown) in [
            (
                "postgres://ana:s3cret@db.example:5433/past?sslmode=require",
                "postgres://ana@db.example:5433/past",
            ),
            ("postgresql://ana:s3cret@db/past?password=s3cret", "postgresql://ana@db/past"),
            ("postgres://ana:s3@cret@db/past", "postgres://ana@db/past"),
            ("postgres://db/past#s3cret", "postgres://db/past"),
            ("postgres://ana:s3?ret@db/past", "postgres://…"),
            ("postgres://ana:s3/ret@db/past", "postgres://ana@db/past"),
            ("postgres://ana%3As3cret@db/past", "postgres://ana%3A******@db/past"),
            ("postgres://ana:s3cret%40db/past", "postgres://ana:******%40db/past"),
            ("records/password=s3cret", "records/password=******"),
        ] {
            let location: Location = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(location.to_string(), shown);
        }
        for text in [
            "mysql://ana:s3cret@db/past",
            "host=db password=s3cret",
            "password = s3cret",
            "postgres://host=db password=s3cret",
            "sqlite:postgres://ana:s3cret@db/past",
            "sqlite:password=s3cret",
            "ana:s3cret@db",
        ] {
            let error = text.parse::<Location>().expect_err("it is not a supported location");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        let url = "postgres://ana:s3cret@db/past".parse::<Location>().expect("it is a server");
        assert!(!format!("{url:?}").contains("s3"), "{url:?}");
    }

    #[test]
    fn a_text_without_a_scheme_is_a_path() {
        for text in ["records", "records/*.json", "C:\\records", "./a:b.json"] {
            assert!(matches!(text.parse(), Ok(Location::Files(path)) if path == text), "{text}");
        }
        assert!(matches!("sqlite:a.db".parse(), Ok(Location::Sqlite(path)) if path == Path::new("a.db")));
        for text in ["", "sqlite:"] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
