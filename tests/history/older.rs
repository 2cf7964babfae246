//! Histories that the first program with attempts wrote (2026-11-26), before it kept withdrawals and orders of several numbers.

use std::thread::sleep;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tollproof_history::{Access, HistorySet, Host};
use tollproof_sandbox::{Sandbox, SandboxOptions};

use super::stores::{Kept, each};
use crate::online::clean;
use crate::support::Ran;

/// The tables of version 3 in SQLite; for PostgreSQL, what differs is replaced.
const TABLES_3: &str = "
    CREATE TABLE submission (
        key INTEGER PRIMARY KEY, host TEXT NOT NULL, id TEXT NOT NULL, notified_at INTEGER, UNIQUE (host, id)
    ) STRICT;
    CREATE TABLE record (
        key INTEGER PRIMARY KEY, submission INTEGER NOT NULL REFERENCES submission, updated_at INTEGER,
        status TEXT NOT NULL, digest BLOB NOT NULL, body TEXT NOT NULL, seen_at INTEGER NOT NULL,
        UNIQUE (submission, digest)
    ) STRICT;
    CREATE INDEX record_by_age ON record (submission, updated_at, seen_at);
    CREATE TABLE number (
        number TEXT NOT NULL, submission INTEGER NOT NULL REFERENCES submission, PRIMARY KEY (number, submission)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reservation (
        host TEXT NOT NULL, number TEXT NOT NULL, token TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL,
        PRIMARY KEY (host, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE attempt (
        token TEXT NOT NULL PRIMARY KEY, host TEXT NOT NULL, operation TEXT NOT NULL, provider TEXT NOT NULL,
        number TEXT NOT NULL, digest TEXT NOT NULL, address TEXT NOT NULL, state TEXT NOT NULL, holder TEXT NOT NULL,
        until INTEGER NOT NULL, id TEXT, steps TEXT NOT NULL, why TEXT, record TEXT, created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL, sent_at INTEGER
    ) STRICT;
    CREATE TABLE attempt_number (
        number TEXT NOT NULL, token TEXT NOT NULL REFERENCES attempt, reserved INTEGER NOT NULL,
        PRIMARY KEY (number, token)
    ) STRICT, WITHOUT ROWID;
";

/// Statements by which a file and a server say that they are of version 3.
const FILE_3: &str = "PRAGMA application_id = 0x746c7066; PRAGMA user_version = 3;";
const SERVER_3: &str =
    "CREATE TABLE tollproof_form (form BIGINT NOT NULL); INSERT INTO tollproof_form VALUES (3);";

/// Differences in PostgreSQL.
const REPLACED: [(&str, &str); 6] = [
    ("key INTEGER", "key BIGINT GENERATED ALWAYS AS IDENTITY"),
    ("INTEGER", "BIGINT"),
    ("BLOB", "BYTEA"),
    ("TEXT", "TEXT COLLATE \"C\""),
    (" STRICT, WITHOUT ROWID", ""),
    (" STRICT", ""),
];

/// The operation, state and reservation of attempts that the older program left, each for a number of its own.
const LEFT: [(&str, &str, u8); 6] = [
    ("submit", "sent", 1),
    ("submit", "prepared", 1),
    ("submit", "accepted", 1),
    ("submit", "refused", 0),
    ("buy", "sent", 1),
    ("update", "sent", 1),
];

/// A store of the older program, and a sandbox to which it has sent.
struct Older<'k> {
    kept: &'k Kept,
    sandbox: Sandbox,
}

impl<'k> Older<'k> {
    fn new(kept: &'k Kept) -> Self {
        let options =
            SandboxOptions { review_after: SignedDuration::from_hours(48), ..SandboxOptions::default() };
        let older = Self { kept, sandbox: Sandbox::start(options).expect("it starts") };
        older.execute(TABLES_3);
        older.execute(if kept.is_file { FILE_3 } else { SERVER_3 });
        older
    }

    fn execute(&self, sql: &str) {
        if self.kept.is_file {
            let file = rusqlite::Connection::open(self.kept.folder.0.join("past.db"));
            file.and_then(|file| file.execute_batch(sql)).expect("it is SQL");
        } else {
            let sql = REPLACED.iter().fold(sql.to_owned(), |sql, (from, to)| sql.replace(from, to));
            let client = postgres::Client::connect(&self.kept.source, postgres::NoTls);
            client.and_then(|mut client| client.batch_execute(&sql)).expect("it is SQL");
        }
    }

    fn run(&self, args: &[&str]) -> Ran {
        let sandbox = format!("--sandbox={}", self.sandbox.url());
        self.kept.run(&[args, &[&sandbox, "--timeout=1s"]].concat())
    }

    fn json(&self, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--output-format=json"]].concat());
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    }

    /// Buys a number and submits it with another history. The older program sent it, and its answer was lost.
    fn arrived(&self) -> String {
        let other = ["--history=sqlite:other.db", "--provider=telnyx", "--yes"].map(str::to_owned);
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let sandbox = format!("--sandbox={}", self.sandbox.url());
        let run = |args: &[&str]| self.kept.folder.run(&[args, &other, &[sandbox.as_str()]].concat());
        let bought = run(&["number", "buy", "--output-format=json"]);
        let bought: Value = serde_json::from_str(&bought.out).expect("it is JSON");
        let number = bought["calls"][0]["number"].as_str().expect("it has one").to_owned();
        self.kept.file("draft.json", clean("telnyx", &number).to_string());
        let sent = run(&["submit", "draft.json"]);
        assert_eq!(sent.code, Some(0), "{sent:?}");
        number
    }

    /// Adds an attempt that was sent an hour ago.
    fn leave(&self, at: usize, number: &str) -> String {
        let (operation, state, reserved) = LEFT[at];
        let (token, host) = (format!("{at}").repeat(32), self.sandbox.url().replace("http://", ""));
        let since = Timestamp::now() - SignedDuration::from_hours(1);
        let since = since.as_microsecond();
        let sent = if ["sent", "accepted"].contains(&state) { since.to_string() } else { "NULL".to_owned() };
        let record = if operation == "update" { "'u-1'" } else { "NULL" };
        let steps = if operation == "submit" && state == "sent" { r#"{"known":"{}"}"# } else { "{}" };
        self.execute(&format!(
            "INSERT INTO attempt VALUES ('{token}', '{host}', '{operation}', 'telnyx', '{number}', 'd{at}', '{host}', \
             '{state}', '0011223344556677', {since}, NULL, '{steps}', NULL, {record}, {since}, {since}, {sent}); \
             INSERT INTO attempt_number VALUES ('{number}', '{token}', {reserved});"
        ));
        if reserved == 1 {
            let endless = Timestamp::MAX.as_microsecond();
            self.execute(&format!(
                "INSERT INTO reservation VALUES ('{host}', '{number}', '{token}', {since}, {endless})"
            ));
        }
        token
    }

    fn states(&self) -> Vec<(String, String)> {
        let listed = self.json(&["attempts"]);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let all = listed["attempts"].as_array().expect("it is a list").iter();
        let mut all: Vec<_> = all.map(|one| (text(&one["token"]), text(&one["state"]))).collect();
        all.sort();
        all
    }
}

#[test]
fn no_attempt_of_the_first_program_with_attempts_is_lost() {
    each("older", |kept| {
        let older = Older::new(kept);
        let number = older.arrived();
        for at in 0..LEFT.len() {
            older.leave(at, &if at == 0 { number.clone() } else { format!("+1833555019{at}") });
        }
        let states = |changed: &[(usize, &str)]| -> Vec<(String, String)> {
            let state = |at: usize| changed.iter().find(|(of, _)| *of == at).map_or(LEFT[at].1, |(_, to)| to);
            (0..LEFT.len()).map(|at| (at.to_string().repeat(32), state(at).to_owned())).collect()
        };
        assert_eq!(older.states(), states(&[]));
        // What has arrived is found, nothing else is believed, and no number is free after one look.
        let first = older.run(&["status", "--provider=telnyx"]);
        assert!(first.out.contains("submitted earlier, and found at the provider (1)"), "{first:?}");
        assert_eq!(older.states(), states(&[(0, "accepted"), (1, "withdrawn")]), "{first:?}");
        let again = older.run(&["submit", "draft.json", "--yes"]);
        assert_ne!(again.code, Some(0), "{again:?}");
        sleep(Duration::from_secs(4));
        let second = older.run(&["status", "--provider=telnyx"]);
        assert!(second.out.contains("did not arrive; can be sent again (2)"), "{second:?}");
        let settled = [(0, "accepted"), (1, "withdrawn"), (4, "withdrawn"), (5, "withdrawn")];
        assert_eq!(older.states(), states(&settled), "{second:?}");
        let location = [kept.location()];
        let set = HistorySet::open(&location, Access::Read).expect("it can be read");
        let host = Host::named(&older.sandbox.url().replace("http://", ""));
        let reserved = set.at(host).store().expect("it is one").reservations().expect("it can be read");
        let names: Vec<String> = reserved.into_iter().map(|(name, _)| name).collect();
        // The provider does not show yet what it accepted.
        assert_eq!(names, ["+18335550192"], "{second:?}");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_clock_that_jumps_ahead_between_two_looks_frees_no_number() {
    let kept = Kept::sqlite("jump");
    let older = Older::new(&kept);
    let token = older.leave(4, "+18335550191");
    let look = || older.json(&["status", "--provider=telnyx"])["calls"][0]["result"].clone();
    assert_eq!(look(), "unknown");
    // All that was written down is an hour older now: as if the clock had been set ahead.
    let unseen = "(SELECT value ->> 'unseen' FROM (SELECT steps AS value))";
    older.execute(&format!(
        "UPDATE attempt SET until = until - 3600000000, sent_at = sent_at - 3600000000, \
         steps = json_set(steps, '$.unseen', strftime('%Y-%m-%dT%H:%M:%SZ', substr({unseen}, 1, 19), '-1 hour') \
         || substr({unseen}, instr({unseen}, ' '))) WHERE token = '{token}'"
    ));
    assert_eq!(look(), "unknown");
    sleep(Duration::from_secs(4));
    assert_eq!(look(), "nothing-arrived");
}
