//! A store on a PostgreSQL server, shared by several machines.

mod password;
mod schema;
mod target;
mod tls;
mod transaction;

use std::error::Error as _;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fmt, thread};

use jiff::Timestamp;
use postgres::error::SqlState;
use postgres::{Client, Error, IsolationLevel};

use self::schema::{TABLES, VERSION};
pub(crate) use self::target::hosts;
use self::target::{SCHEMA, Server};
use self::transaction::PostgresTransaction;
use crate::backend::{Backend, Mode, Work};
use crate::error::{HistoryError, Result};
use crate::host::Host;
use crate::location::{Access, StoreUrl};

/// The time to retry while a server starts, has no free connection, or was lost.
const RETRY_TIMEOUT: Duration = Duration::from_secs(15);

/// The time limit of the handshake after the connection was accepted.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to a PostgreSQL server.
pub(crate) struct Postgres {
    target: Server,
    client: Client,
    name: String,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Opens a store. With [`Access::Create`], a missing store is created.
    pub(crate) fn open(url: &StoreUrl, access: Access) -> Result<Self> {
        let name = url.to_string();
        let refused = |why| HistoryError::Store { name: name.clone(), why, lost: false };
        let target = Server::new(url).map_err(refused)?;
        let client = connect(&target, &name, is_busy)?;
        let mut store = Self { target, client, name };
        match store.schema_version()? {
            Some(VERSION) => {}
            Some(found) => {
                return Err(HistoryError::OtherVersion { name: store.name, found, known: VERSION });
            }
            None if access == Access::Read => return Err(HistoryError::NoStore(store.name)),
            None => store.prepare()?,
        }
        Ok(store)
    }

    /// The schema version of the store, if there is one.
    fn schema_version(&mut self) -> Result<Option<i64>> {
        let Self { client, name, .. } = self;
        schema_version(|sql| client.query_opt(sql, &[])).map_err(|error| failed(name, &error))
    }

    /// Creates the tables, unless another process has just done so.
    fn prepare(&mut self) -> Result<()> {
        let Self { client, name, target } = self;
        let mut prepared = || -> Result<(), Error> {
            // One process at a time in the whole database, because a store that does not exist yet cannot be locked.
            // The lock is taken before the transaction begins, because the transaction would not see tables created
            // after.
            client.execute("SELECT pg_advisory_lock(1953263718)", &[])?;
            let mut transaction = client.transaction()?;
            if !target.has_schema {
                transaction.batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))?;
            }
            if schema_version(|sql| transaction.query_opt(sql, &[]))?.is_none() {
                transaction.batch_execute(TABLES)?;
            }
            transaction.commit()?;
            client.execute("SELECT pg_advisory_unlock(1953263718)", &[]).map(drop)
        };
        // On failure the connection is closed, which releases the lock.
        prepared().map_err(|error| failed(name, &error))
    }
}

/// The schema version of the store in the schema of the connection.
fn schema_version(
    mut query: impl FnMut(&str) -> Result<Option<postgres::Row>, Error>,
) -> Result<Option<i64>, Error> {
    let is_there = "SELECT 1 WHERE to_regclass('tollproof_form') IS NOT NULL";
    if query(is_there)?.is_none() {
        return Ok(None);
    }
    query("SELECT form FROM tollproof_form")?.map(|row| row.try_get(0)).transpose()
}

impl Backend for Postgres {
    fn transact(&mut self, mode: Mode, host: &Host, work: Work<'_>) -> Result<()> {
        let Self { client, name, .. } = self;
        let transaction = match mode {
            Mode::Read => {
                client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true)
            }
            // Each statement sees everything that was committed before it, so a query after `lock` sees the current
            // state.
            Mode::Write => client.build_transaction().isolation_level(IsolationLevel::ReadCommitted),
        };
        let transaction = transaction.start().map_err(|error| failed(name, &error))?;
        let mut transaction = PostgresTransaction { transaction, name, host: host.as_str() };
        work(&mut transaction)?;
        transaction.transaction.commit().map_err(|error| failed(name, &error))
    }

    /// The clock of the server, because the clocks of its clients may differ.
    fn now(&mut self) -> Result<Timestamp> {
        let Self { client, name, .. } = self;
        let row = client.query_one("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint", &[]);
        let microseconds: i64 = row.and_then(|row| row.try_get(0)).map_err(|error| failed(name, &error))?;
        Ok(Timestamp::from_microsecond(microseconds).unwrap_or_default())
    }

    fn reconnect(&mut self) -> Result<()> {
        self.client = connect(&self.target, &self.name, is_lost)?;
        Ok(())
    }
}

/// Connects, and retries for up to [`RETRY_TIMEOUT`] after an error for which `may_help` returns true.
fn connect(target: &Server, name: &str, may_help: fn(&Error) -> bool) -> Result<Client> {
    let deadline = Instant::now() + RETRY_TIMEOUT;
    let mut pause = Duration::from_millis(20);
    loop {
        match connect_once(target, name)? {
            Ok(client) => return Ok(client),
            Err(error) if may_help(&error) && Instant::now() + pause < deadline => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_secs(1));
            }
            Err(error) => return Err(failed(name, &error)),
        }
    }
}

/// Connects in a separate thread, because a server that accepts the connection and never responds would block for ever.
fn connect_once(target: &Server, name: &str) -> Result<Result<Client, Error>> {
    let refused = |why| HistoryError::Store { name: name.to_owned(), why, lost: false };
    let tls = tls::connector(target.verify, target.root_certificates.as_deref()).map_err(refused)?;
    let config = target.config.clone();
    let hosts = config.get_hosts().len().max(1);
    let each = config.get_connect_timeout().copied().unwrap_or_default();
    let (sender, receiver) = mpsc::channel();
    let path = if target.has_schema { String::new() } else { format!("SET search_path = {SCHEMA};") };
    thread::spawn(move || {
        block_signals();
        let connected = config.connect(tls).and_then(|mut client| {
            client.batch_execute(&format!("{path} SET lock_timeout = '60s'"))?;
            Ok(client)
        });
        // After a timeout the receiver is gone, and the connection is closed with this thread.
        let _ = sender.send(connected);
    });
    let bound = each * u32::try_from(hosts).unwrap_or(1) + HANDSHAKE_TIMEOUT;
    receiver
        .recv_timeout(bound)
        .map_err(|_| refused("the server does not respond; check its address".to_owned()))
}

/// Blocks signals in this thread and in the threads that the client starts, because the thread that writes files delays
/// signals, which must not end the process through another thread.
fn block_signals() {
    #[cfg(unix)]
    let _ = nix::sys::signal::SigSet::all().thread_block();
}

/// Whether the server is running and may accept a connection soon.
fn is_busy(error: &Error) -> bool {
    let states = [SqlState::TOO_MANY_CONNECTIONS, SqlState::CANNOT_CONNECT_NOW];
    error.code().is_some_and(|code| states.contains(code))
}

/// Whether a retry over a new connection may succeed.
fn is_lost(error: &Error) -> bool {
    let states = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
    ];
    let by_io = || error.source().is_some_and(|it| it.is::<std::io::Error>());
    is_busy(error)
        || error.is_closed()
        || by_io()
        || error.code().is_some_and(|code| states.contains(code) || code.code().starts_with("08"))
}

/// An error of the server or the connection as a message. The detail of a server's error is left out, because it may
/// contain data of a record.
fn failed(name: &str, error: &Error) -> HistoryError {
    let why = match error.as_db_error() {
        Some(error) if *error.code() == SqlState::LOCK_NOT_AVAILABLE => {
            "other clients have been writing to it for 60 seconds; try again later".to_owned()
        }
        Some(error) => error.message().to_owned(),
        None => match error.source() {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    };
    HistoryError::Store { name: name.to_owned(), why, lost: is_lost(error) }
}
