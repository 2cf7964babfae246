//! Stores of earlier versions on a server. Those in files are tested beside their tables.

use postgres::{Client, NoTls};
use tollproof_history::{Access, HistoryError, Host, Location, Store};

use super::attempts::{add, begin_at, new_attempt};
use super::stores::{Kept, NUMBER, record};

/// The tables of version 2.
const TABLES_2: &str = r#"
    CREATE TABLE submission (
        key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id TEXT COLLATE "C" NOT NULL UNIQUE,
        notified_at BIGINT
    );
    CREATE TABLE record (
        key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        submission BIGINT NOT NULL REFERENCES submission,
        updated_at BIGINT,
        status TEXT NOT NULL,
        digest BYTEA NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (submission, digest)
    );
    CREATE INDEX record_by_age ON record (submission, updated_at DESC NULLS LAST, key DESC);
    CREATE TABLE number (
        number TEXT COLLATE "C" NOT NULL,
        submission BIGINT NOT NULL REFERENCES submission,
        PRIMARY KEY (number, submission)
    );
    CREATE TABLE reservation (
        number TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        token TEXT NOT NULL,
        since BIGINT NOT NULL,
        until BIGINT NOT NULL
    );
    CREATE TABLE tollproof_form (form BIGINT NOT NULL);
    INSERT INTO tollproof_form VALUES (2);
"#;

/// Makes a store of version 2 with a submission, which is open at first and then rejected, and a reservation.
fn version_2(name: &str) -> Option<(Kept, Client)> {
    let kept = Kept::postgres(name)?;
    let mut client = Client::connect(&kept.source, NoTls).expect("the server answers");
    client.batch_execute(TABLES_2).expect("these are the tables of version 2");
    let mut bodies = ["submitted", "Rejected"].map(|it| record("a1", NUMBER, it, ""));
    for body in &mut bodies {
        body.as_object_mut().expect("it is an object").remove("updatedAt");
    }
    let [first, second] = bodies.map(|it| it.to_string());
    client
        .batch_execute(&format!(
            "INSERT INTO submission (id, notified_at) VALUES ('a1', 1000000);
             INSERT INTO record (submission, updated_at, status, digest, body) VALUES
                 (1, NULL, 'submitted', '\\x00', '{first}'), (1, NULL, 'Rejected', '\\x01', '{second}');
             INSERT INTO number VALUES ('{NUMBER}', 1);
             INSERT INTO reservation VALUES ('{NUMBER}', 't', 1, 2);"
        ))
        .expect("they can be filled");
    Some((kept, client))
}

fn open(location: &Location) -> Result<Store, HistoryError> {
    Store::open(location, Access::Read)
}

#[test]
fn a_store_of_version_2_is_migrated_when_it_is_opened() {
    let Some((kept, mut client)) = version_2("migration") else { return };
    let location = kept.location();
    // All at once: one of them migrates.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| open(&location).expect("it is migrated"));
        }
    });
    let mut store = open(&location).expect("it is there");
    let timeline = store.timeline(NUMBER).expect("it can be read");
    assert_eq!((timeline.versions.len(), timeline.reserved_until.is_some()), (2, true));
    assert!(timeline.versions[0].notified_at.is_some());
    // The same number at another host is free and without a past.
    let mut sandbox = open(&location).expect("it is there").at(Host::named("127.0.0.1:8833"));
    assert_eq!(sandbox.timeline(NUMBER).expect("it can be read").versions, []);
    assert!(begin_at(&mut sandbox, &new_attempt(&[NUMBER]), 100).is_some());
    add(&mut sandbox, &record("a1", NUMBER, "submitted", "2026-11-20T08:01:00.000Z"));
    assert!(begin_at(&mut store, &new_attempt(&[NUMBER]), 100).is_some());
    let row = client.query_one("SELECT form FROM tollproof_form", &[]).expect("it is there");
    assert_eq!(row.get::<_, i64>(0), 3);
}

#[test]
fn who_may_not_migrate_is_told_what_to_do() {
    let Some((kept, _)) = version_2("migration-denied") else { return };
    let denied = format!("{}%20-cdefault_transaction_read_only%3Don", kept.source);
    let error = open(&denied.parse().expect("it is one")).expect_err("it must not change anything");
    let message = error.to_string();
    assert!(message.contains("have schema version 2 and cannot be changed to version 3"), "{message}");
    assert!(message.ends_with("open it once as their owner"), "{message}");
    open(&kept.location()).expect("this user may");
}
