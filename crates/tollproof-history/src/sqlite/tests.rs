//! Files of earlier versions.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use tollproof_core::{Format, Parsed, Source};

use super::{APPLICATION_ID, Sqlite};
use crate::backend::{Backend as _, Mode};
use crate::{Access, HistorySet, Host, Location, Query, Store};

/// The tables of version 2.
const TABLES_2: &str = "
    CREATE TABLE submission (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        notified_at INTEGER
    ) STRICT;
    CREATE TABLE record (
        key INTEGER PRIMARY KEY,
        submission INTEGER NOT NULL REFERENCES submission,
        updated_at INTEGER,
        status TEXT NOT NULL,
        digest BLOB NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (submission, digest)
    ) STRICT;
    CREATE INDEX record_by_age ON record (submission, updated_at);
    CREATE TABLE number (
        number TEXT NOT NULL,
        submission INTEGER NOT NULL REFERENCES submission,
        PRIMARY KEY (number, submission)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reservation (
        number TEXT NOT NULL PRIMARY KEY,
        token TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

const NUMBER: &str = "+18335550142";

/// Makes a file of version 2 with two submissions, a note and a reservation that has not ended.
fn version_2(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tollproof-{name}-{}.db", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let connection = Connection::open(&path).expect("the folder is writable");
    let fill = format!(
        "PRAGMA journal_mode = WAL;
         BEGIN; {TABLES_2}
         PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 2;
         INSERT INTO submission (id, notified_at) VALUES ('a1', 1000000), ('b2', NULL);
         INSERT INTO record (submission, updated_at, status, digest, body) VALUES
             (1, NULL, 'submitted', x'00', '{}'), (1, NULL, 'Rejected', x'01', '{}'), (2, 5, 'Verified', x'02', '{}');
         INSERT INTO number VALUES ('{NUMBER}', 1), ('+18335550143', 2);
         INSERT INTO reservation VALUES ('{NUMBER}', 't', 1, 9000000000000000);
         COMMIT;",
        body("a1", NUMBER, "submitted"),
        body("a1", NUMBER, "Rejected"),
        body("b2", "+18335550143", "Verified"),
    );
    connection.execute_batch(&fill).expect("these are the tables of version 2");
    path
}

fn body(id: &str, number: &str, status: &str) -> String {
    format!(r#"{{"id":"{id}","phoneNumbers":["{number}"],"status":"{status}"}}"#)
}

/// The statuses and numbers of all submissions.
fn statuses(store: &mut Store) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let list = store.list(|submission| {
        found.push((submission.number.clone(), submission.status.clone()));
        Ok(())
    });
    list.expect("it can be read");
    found
}

#[test]
fn a_file_of_version_2_is_migrated_when_it_is_opened() {
    let path = version_2("migrate");
    let location = Location::Sqlite(path.clone());
    // All at once: one of them migrates.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Store::open(&location, Access::Read).expect("it is migrated"));
        }
    });
    let mut store = Store::open(&location, Access::Read).expect("it is there");
    let expected = [(NUMBER, "Rejected"), ("+18335550143", "Verified")];
    let expected = expected.map(|(number, status)| (number.to_owned(), status.to_owned()));
    assert_eq!(statuses(&mut store), expected);
    let timeline = store.timeline(NUMBER).expect("it can be read");
    assert_eq!(timeline.versions.len(), 2);
    assert_eq!(timeline.versions[0].notified_at, Timestamp::from_second(1).ok());
    assert_eq!(timeline.reserved_until, Timestamp::from_microsecond(9_000_000_000_000_000).ok());
    // What was seen first becomes the newest again.
    let again = body("a1", NUMBER, "submitted");
    let stored = store
        .add_records(&Parsed::of(&Source::new("a.json", again.as_str()), Some(Format::Json)))
        .expect("it is a record");
    assert_eq!((stored[0].before.as_deref(), stored[0].status.as_str()), (Some("Rejected"), "submitted"));
    assert!(!stored[0].is_new);
    // The same id at another host is another submission.
    let mut sandbox = store.at(Host::named("127.0.0.1:8833"));
    assert_eq!(statuses(&mut sandbox), []);
    sandbox
        .add_records(&Parsed::of(&Source::new("a.json", again.as_str()), Some(Format::Json)))
        .expect("it is a record");
    assert_eq!(statuses(&mut sandbox), [(NUMBER.to_owned(), "submitted".to_owned())]);
    let keys = Connection::open(&path).and_then(|connection| {
        let row = connection
            .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get::<_, i64>(0))?;
        let version = connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))?;
        Ok((row, version))
    });
    assert_eq!(keys.expect("it can be read"), (0, 3));
    drop(sandbox);
    remove(&path);
}

#[test]
fn a_file_of_version_2_that_cannot_be_changed_can_be_read() {
    let path = version_2("read-only");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&path, flags).expect("it is there");
    let mut store = Sqlite { connection, name: "read-only".to_owned() };
    assert!(store.migrate().is_err_and(|error| super::is_read_only(&error)));
    store.view_version_2().expect("temporary views need no file");
    let query = Query { numbers: vec![NUMBER.to_owned()], ids: vec!["b2".to_owned()] };
    for (host, records, reservations) in [(Host::default(), 2, 1), (Host::named("127.0.0.1:8833"), 0, 0)] {
        let mut found = None;
        let looked_up = store.transact(Mode::Read, &host, &mut |transaction| {
            found = Some(transaction.look_up(&query)?);
            transaction.list(&mut |_| Ok(()))
        });
        looked_up.expect("it can be read");
        let found = found.expect("it was looked up");
        assert_eq!((found.records.len(), found.reservations.len()), (records, reservations), "{host}");
    }
    drop(store);
    let location = Location::Sqlite(path.clone());
    let mut past = HistorySet::open(&[location], Access::Read).expect("this one may migrate it");
    let found = past.look_up(&query).expect("it can be read").history;
    assert_eq!(found.submissions().len(), 2);
    assert!(found.reservation(NUMBER).is_some());
    drop(past);
    remove(&path);
}

fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}
