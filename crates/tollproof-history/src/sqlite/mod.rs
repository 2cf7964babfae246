//! A store in a file of SQLite.

mod schema;
mod transaction;

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use self::schema::{APPLICATION_ID, LATEST, MIGRATIONS};
use self::transaction::SqliteTransaction;
use crate::backend::{Backend, Mode, Work};
use crate::error::HistoryError;
use crate::location::Access;

/// How long to wait for others who write: each takes milliseconds, an import of a million records a minute.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection to a file of SQLite.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
    name: String,
}

impl Sqlite {
    /// Opens a file that is a store, or makes it one if that is wanted and it is empty or not there.
    pub(crate) fn open(path: &Path, name: &str, access: Access) -> Result<Self, HistoryError> {
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match access {
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
        let mut form = store.form();
        if access == Access::Read && form.as_ref().is_err_and(is_read_only) && !has_log(path) {
            store.connection = open_still(path).map_err(failed)?;
            form = store.form();
        }
        match form.map_err(failed)? {
            Form::Known(LATEST) => {}
            Form::Known(found) if found > LATEST => {
                return Err(HistoryError::Newer { name: name.to_owned(), found, known: LATEST });
            }
            Form::Known(_) => store.migrate()?,
            Form::Empty if access == Access::Create => {
                store.write_ahead().map_err(failed)?;
                store.migrate()?;
            }
            Form::Empty => return Err(store.not_ours("an empty database")),
            Form::Foreign => return Err(store.not_ours("a database of something else")),
        }
        // FULL: what was committed stays, even if the power goes. Pages are kept where an import needs them again, and
        // look-ups of many numbers read the file in place: one of a million then costs an eighth of the time.
        let pragmas = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; \
            PRAGMA mmap_size = 1073741824;";
        store.connection.execute_batch(pragmas).map_err(failed)?;
        Ok(store)
    }

    /// A store that ends with the process.
    pub(crate) fn in_memory(name: &str) -> Result<Self, HistoryError> {
        let connection = Connection::open_in_memory().map_err(|error| failed(name, &error))?;
        let mut store = Self { connection, name: name.to_owned() };
        store.migrate()?;
        Ok(store)
    }

    /// Turns on the write-ahead log: readers do not wait for writers. It stays on for the file.
    fn write_ahead(&self) -> rusqlite::Result<()> {
        let deadline = Instant::now() + BUSY_TIMEOUT;
        loop {
            let pragmas = "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;";
            match self.connection.execute_batch(pragmas) {
                // SQLite does not wait here by itself.
                Err(error) if is_busy(&error) && Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                result => return result,
            }
        }
    }

    /// What the file is, as it was at one moment: someone else may be making a store of it.
    fn form(&mut self) -> rusqlite::Result<Form> {
        let transaction = begin(&mut self.connection, TransactionBehavior::Deferred)?;
        form(&transaction)
    }

    /// Brings the store to the latest form, unless someone else has done so meanwhile.
    fn migrate(&mut self) -> Result<(), HistoryError> {
        let Self { connection, name } = self;
        let mut migrated = || -> rusqlite::Result<()> {
            let transaction = begin(connection, TransactionBehavior::Immediate)?;
            let found = match form(&transaction)? {
                Form::Known(found) => usize::try_from(found).unwrap_or_default(),
                _ => 0,
            };
            for sql in MIGRATIONS.iter().skip(found) {
                transaction.execute_batch(sql)?;
            }
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", LATEST.max(found as i64))?;
            transaction.commit()
        };
        migrated().map_err(|error| failed(name, &error))
    }

    fn not_ours(&self, what: &'static str) -> HistoryError {
        HistoryError::NotOurs { name: self.name.clone(), what }
    }
}

impl Backend for Sqlite {
    fn transact(&mut self, mode: Mode, work: Work<'_>) -> Result<(), HistoryError> {
        let Self { connection, name } = self;
        // A transaction that writes says so at once: it would have to give up if it read first and others wrote then.
        let behavior = match mode {
            Mode::Read => TransactionBehavior::Deferred,
            Mode::Write => TransactionBehavior::Immediate,
        };
        let transaction = begin(connection, behavior).map_err(|error| failed(name, &error))?;
        work(&mut SqliteTransaction { transaction: &transaction, name })?;
        transaction.commit().map_err(|error| failed(name, &error))
    }

    fn now(&mut self) -> Result<Timestamp, HistoryError> {
        Ok(Timestamp::now())
    }

    fn reconnect(&mut self) -> Result<(), HistoryError> {
        Ok(())
    }
}

fn begin(connection: &mut Connection, behavior: TransactionBehavior) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(behavior)
}

/// What means something else in the address of a file.
const RESERVED: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#');

/// Opens a file in a place where nothing can be written, not even the lock that readers share.
///
/// It is read as it is. All that was ever committed is in it once the log beside it is gone.
fn open_still(path: &Path) -> rusqlite::Result<Connection> {
    let path = path.to_string_lossy();
    let path = utf8_percent_encode(&path, RESERVED);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)
}

/// Whether there is a log of changes that are not in the file yet.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log).metadata().is_ok_and(|log| log.len() > 0)
}

fn is_read_only(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Makes an empty file that others cannot read: records hold personal data. Where that fails, SQLite says why.
fn make_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

/// What a database file is.
enum Form {
    /// A store of ours.
    Known(i64),
    /// Nothing yet: a file that was just made.
    Empty,
    /// Something else.
    Foreign,
}

fn form(connection: &Connection) -> rusqlite::Result<Form> {
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    Ok(match (application, version) {
        (APPLICATION_ID, version) => Form::Known(version),
        (0, 0) if number("SELECT count(*) FROM sqlite_schema")? == 0 => Form::Empty,
        _ => Form::Foreign,
    })
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// What SQLite says, in words; none of its messages holds what a record says.
fn failed(name: &str, error: &rusqlite::Error) -> HistoryError {
    let name = name.to_owned();
    let why = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            return HistoryError::NotOurs { name, what: "no database of SQLite" };
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            "the file is damaged; `sqlite3 FILE .recover` may save what it holds".to_owned()
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!("others have been writing to it for {} seconds", BUSY_TIMEOUT.as_secs())
        }
        Some(ErrorCode::CannotOpen) => "the file cannot be opened".to_owned(),
        Some(ErrorCode::ReadOnly) => "the file may only be read".to_owned(),
        Some(ErrorCode::DiskFull) => "the disk is full; nothing was changed".to_owned(),
        _ => error.to_string(),
    };
    HistoryError::Store { name, why, lost: false }
}
