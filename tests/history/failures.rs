//! Unusable input: a clear word, exit 2, and nothing changed.

use std::fs;

use super::stores::{Kept, NUMBER, draft, each, record};
use crate::support::Folder;

/// Every command that reads a history.
const READING: [&[&str]; 4] = [
    &["history", "list"],
    &["history", "export"],
    &["history", "show", NUMBER],
    &["gate", "release", NUMBER],
];

#[test]
fn a_store_that_is_not_there_is_not_made_by_reading() {
    each("no-store", |kept| {
        kept.file("record.json", record("a", NUMBER, "Verified", "2026-11-20T08:01:00.000Z").to_string());
        let note: &[&str] = &["history", "note", NUMBER, "--notified-at", "2026-11-20T08:01:00Z"];
        for args in READING.iter().chain([&note, &&["gate", "confirm", "record.json"][..]]) {
            let ran = kept.run(args);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
            assert!(ran.err.starts_with("error: history `"), "{ran:?}");
            assert!(
                ran.err.ends_with("` not found; check its name, or create it with `tollproof history import` or `tollproof gate`\n"),
                "{ran:?}"
            );
        }
        assert!(!kept.folder.0.join("past.db").exists());
        kept.well(&["history", "import", "record.json"]);
        kept.well(&["history", "list"]);
    });
}

#[test]
fn a_store_of_another_version_is_left_alone() {
    each("other-version", |kept| {
        kept.file("record.json", record("a", NUMBER, "Verified", "2026-11-20T08:01:00.000Z").to_string());
        kept.file("draft.json", draft().to_string());
        kept.well(&["history", "import", "record.json"]);
        for version in [2, 99] {
            set_version(kept, version);
            let before = kept.is_file.then(|| fs::read(kept.folder.0.join("past.db")).expect("it is there"));
            let import: &[&str] = &["history", "import", "record.json"];
            let said = format!(
                "has schema version {version}, but this version of tollproof supports only version 3; use the version that \
                 created it"
            );
            for args in READING.iter().chain([&import, &&["gate", "draft.json"][..]]) {
                let ran = kept.run(args);
                assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
                assert!(ran.err.contains(&said), "{ran:?}");
            }
            let after = kept.is_file.then(|| fs::read(kept.folder.0.join("past.db")).expect("it is there"));
            assert!(before == after, "nothing was changed");
        }
    });
}

/// Lets a store look like one of another version.
fn set_version(kept: &Kept, version: u32) {
    if kept.is_file {
        // The version stands in the header: 4 bytes from offset 60 on.
        let path = kept.folder.0.join("past.db");
        let mut bytes = fs::read(&path).expect("it is there");
        bytes[60..64].copy_from_slice(&version.to_be_bytes());
        fs::write(&path, bytes).expect("writable");
    } else {
        postgres::Client::connect(&kept.source, postgres::NoTls)
            .and_then(|mut client| {
                client.batch_execute(&format!("UPDATE tollproof_form SET form = {version}"))
            })
            .expect("the store is there");
    }
}

#[test]
fn a_file_that_is_something_else_is_left_alone() {
    let folder = Folder::new("other-files").file("draft.json", draft().to_string());
    let record = record("a", NUMBER, "Verified", "2026-11-20T08:01:00.000Z").to_string();
    let folder = folder.file("record.json", record).file("text.db", "this is no database at all".repeat(99));
    let ran = folder.run(&["history", "import", "record.json", "--history", "sqlite:past.db"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let good = fs::read(folder.0.join("past.db")).expect("it is there");
    let mut foreign = good.clone();
    foreign[68..72].copy_from_slice(&7_u32.to_be_bytes());
    let mut damaged = good.clone();
    damaged[8192..].fill(0xa5);
    let folder = folder.file("foreign.db", &foreign).file("damaged.db", &damaged).file("empty.db", "");
    for (name, words) in [
        ("text.db", "is not a history: it is not an SQLite database, and was not changed"),
        ("foreign.db", "is not a history: it is a database of another program, and was not changed"),
        ("damaged.db", "the file is damaged"),
        ("empty.db", "is not a history: it is an empty database, and was not changed"),
    ] {
        let before = fs::read(folder.0.join(name)).expect("it is there");
        let source = format!("sqlite:{name}");
        let import: &[&str] = &["history", "import", "record.json"];
        for args in READING.iter().chain([&import, &&["gate", "draft.json"][..]]) {
            let writes = args[1] == "import" || args[1] == "draft.json";
            if name == "empty.db" && writes {
                continue;
            }
            let ran = folder.run(&[args, &["--history", &source][..]].concat());
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{name}: {args:?}: {ran:?}");
            assert!(ran.err.contains(words), "{name}: {args:?}: {ran:?}");
        }
        assert!(fs::read(folder.0.join(name)).expect("it is there") == before, "{name} was changed");
    }
    // A process that was killed at the very beginning leaves an empty file.
    let ran = folder.run(&["history", "import", "record.json", "--history", "sqlite:empty.db"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn records_that_cannot_be_read_are_named_with_their_place() {
    let folder = Folder::new("bad-records").file("draft.json", draft().to_string());
    let folder = folder
        .file("records/no-id.json", "{\n  \"status\": \"submitted\",\n  \"phoneNumbers\": [\"x\"]\n}\n");
    let ran = folder.run(&["history", "list", "--history", "records/no-id.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains("records/no-id.json:1:1: this record has no id"), "{ran:?}");
    let store = ["gate", "draft.json", "--history", "sqlite:past.db", "--history"];
    for (source, words) in [
        ("records", "error: records/no-id.json:1:1: this record has no id"),
        ("recrods", "error: history `recrods` not found: no such file or folder"),
        ("recrods/*.json", "error: history `recrods/*.json` not found: no file matches"),
        ("mysql://ana:s3cret@db/past", "error: a history at `mysql://` is not supported"),
        ("sqlite:", "error: the path after `sqlite:` is missing"),
    ] {
        let ran = folder.run(&[&store[..], &[source]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{source}: {ran:?}");
        assert!(ran.err.starts_with(words) && !ran.err.contains("s3cret"), "{source}: {ran:?}");
    }
}

#[test]
fn a_server_that_does_not_answer_is_no_wait() {
    let folder = Folder::new("no-server").file("draft.json", draft().to_string());
    // A port that was free a moment ago, and one that takes connections and says nothing.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let silent = listener.local_addr().expect("it has one").port();
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|it| it.local_addr())
        .expect("there is one")
        .port();
    for (port, words) in [(free, "onnection refused"), (silent, "the server does not respond")] {
        let source = format!("postgres://ana:s3cret@127.0.0.1:{port}/past?connect_timeout=1&sslmode=disable");
        let started = std::time::Instant::now();
        let ran = folder.run(&["gate", "draft.json", "--history", &source]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        let name = format!("error: cannot use the history `postgres://ana@127.0.0.1:{port}/past`: ");
        assert!(ran.err.starts_with(&name) && ran.err.contains(words), "{ran:?}");
        assert!(!ran.err.contains("s3cret"), "{ran:?}");
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
