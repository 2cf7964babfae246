//! A store in an SQLite file.

mod schema;
mod spill;
mod transaction;

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use self::schema::{APPLICATION_ID, TABLES, VERSION};
pub use self::spill::SpillTable;
use self::transaction::SqliteTransaction;
use crate::backend::{Backend, Mode, Work};
use crate::error::{HistoryError, Result};
use crate::host::Host;
use crate::location::Access;

/// The time to wait for other writers. Most writes take milliseconds, an import of a million records takes a minute.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection to an SQLite file.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
    name: String,
}

impl Sqlite {
    /// Opens a store. With [`Access::Create`], a missing or empty file becomes a store.
    pub(crate) fn open(path: &Path, name: &str, access: Access) -> Result<Self> {
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match access {
            Access::Create
                if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.exists()) =>
            {
                let folder = path.parent().unwrap_or(path).display();
                let why = format!("the folder `{folder}` does not exist; create it first");
                return Err(HistoryError::Store { name: name.to_owned(), why, lost: false });
            }
            Access::Create => {
                flags |= OpenFlags::SQLITE_OPEN_CREATE;
                make_private(path);
            }
            Access::Read if !path.exists() => return Err(HistoryError::NoStore(name.to_owned())),
            Access::Read => {}
        }
        let failed = |error| failed(name, &error);
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        let mut store = Self { connection, name: name.to_owned() };
        let mut kind = store.database_kind();
        if access == Access::Read && kind.as_ref().is_err_and(is_read_only) && !has_log(path) {
            store.connection = open_immutable(path).map_err(failed)?;
            kind = store.database_kind();
        }
        match kind.map_err(failed)? {
            DatabaseKind::Store(VERSION) => {}
            DatabaseKind::Store(found) => {
                return Err(HistoryError::OtherVersion { name: name.to_owned(), found, known: VERSION });
            }
            DatabaseKind::Empty if access == Access::Create => {
                store.enable_wal().map_err(failed)?;
                store.create().map_err(failed)?;
            }
            DatabaseKind::Empty => return Err(store.not_ours("an empty database")),
            DatabaseKind::Foreign => return Err(store.not_ours("a database of another program")),
        }
        // FULL: committed data survives a power failure. The cache (64 MiB) keeps pages that an import needs again, and
        // memory-mapping the file makes looking up a million numbers eight times as fast.
        let pragmas = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; \
            PRAGMA mmap_size = 1073741824;";
        store.connection.execute_batch(pragmas).map_err(failed)?;
        Ok(store)
    }

    /// A store in memory.
    pub(crate) fn in_memory(name: &str) -> Result<Self> {
        let connection = Connection::open_in_memory().map_err(|error| failed(name, &error))?;
        let mut store = Self { connection, name: name.to_owned() };
        store.create().map_err(|error| failed(name, &error))?;
        Ok(store)
    }

    /// Enables the write-ahead log, so that readers do not wait for writers. The setting is stored in the file.
    fn enable_wal(&self) -> rusqlite::Result<()> {
        let deadline = Instant::now() + BUSY_TIMEOUT;
        loop {
            let pragmas = "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;";
            match self.connection.execute_batch(pragmas) {
                // SQLite ignores the busy timeout here.
                Err(error) if is_busy(&error) && Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                result => return result,
            }
        }
    }

    /// The file's kind. Read in a transaction, because another process may be creating the store.
    fn database_kind(&mut self) -> rusqlite::Result<DatabaseKind> {
        let transaction = begin(&mut self.connection, TransactionBehavior::Deferred)?;
        database_kind(&transaction)
    }

    /// Creates the tables, unless another process has just done so.
    fn create(&mut self) -> rusqlite::Result<()> {
        let transaction = begin(&mut self.connection, TransactionBehavior::Immediate)?;
        if !matches!(database_kind(&transaction)?, DatabaseKind::Store(_)) {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()
    }

    fn not_ours(&self, what: &'static str) -> HistoryError {
        HistoryError::NotOurs { name: self.name.clone(), what }
    }
}

impl Backend for Sqlite {
    fn transact(&mut self, mode: Mode, host: &Host, work: Work<'_>) -> Result<()> {
        let Self { connection, name } = self;
        // A transaction that writes takes the write lock at once. If it read first and another process wrote before it
        // did, it would fail.
        let behavior = match mode {
            Mode::Read => TransactionBehavior::Deferred,
            Mode::Write => TransactionBehavior::Immediate,
        };
        let transaction = begin(connection, behavior).map_err(|error| failed(name, &error))?;
        work(&mut SqliteTransaction { transaction: &transaction, name, host: host.as_str() })?;
        transaction.commit().map_err(|error| failed(name, &error))
    }

    fn now(&mut self) -> Result<Timestamp> {
        Ok(Timestamp::now())
    }

    fn reconnect(&mut self) -> Result<()> {
        Ok(())
    }
}

fn begin(connection: &mut Connection, behavior: TransactionBehavior) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(behavior)
}

/// Characters with a special meaning in a `file:` URI.
const RESERVED: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#');

/// Opens a file in a read-only folder, where SQLite cannot create the files that readers share.
///
/// The file is read without locks. It contains all committed data if there is no write-ahead log.
fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let path = path.to_string_lossy();
    let path = utf8_percent_encode(&path, RESERVED);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)
}

/// Whether there is a write-ahead log, with changes that are not in the file yet.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log).metadata().is_ok_and(|log| log.len() > 0)
}

fn is_read_only(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Creates an empty file that only its owner can read, because records contain personal data. Errors are ignored:
/// SQLite reports them when it opens the file.
fn make_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

/// A kind of SQLite file.
enum DatabaseKind {
    /// A store, with its schema version.
    Store(i64),
    /// An empty file, which may have just been created.
    Empty,
    /// A database of another program.
    Foreign,
}

fn database_kind(connection: &Connection) -> rusqlite::Result<DatabaseKind> {
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    Ok(match (application, version) {
        (APPLICATION_ID, version) => DatabaseKind::Store(version),
        (0, 0) if number("SELECT count(*) FROM sqlite_schema")? == 0 => DatabaseKind::Empty,
        _ => DatabaseKind::Foreign,
    })
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// An error of SQLite as a message. SQLite never quotes the content of a record.
fn failed(name: &str, error: &rusqlite::Error) -> HistoryError {
    let name = name.to_owned();
    let why = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            return HistoryError::NotOurs { name, what: "not an SQLite database" };
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            "the file is damaged; try to recover its data with `sqlite3 FILE .recover`".to_owned()
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!(
                "other processes have been writing to it for {} seconds; try again later",
                BUSY_TIMEOUT.as_secs()
            )
        }
        Some(ErrorCode::CannotOpen) => "the file cannot be opened; check its path and permissions".to_owned(),
        Some(ErrorCode::ReadOnly) => "the file is read-only".to_owned(),
        Some(ErrorCode::DiskFull) => "the disk is full, and nothing was changed; free some space".to_owned(),
        _ => error.to_string(),
    };
    HistoryError::Store { name, why, lost: false }
}
