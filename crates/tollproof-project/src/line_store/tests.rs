//! Tests of the store of facts.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use proptest::prelude::*;
use tollproof_core::SeenFact;
use tollproof_core::seen::{BoxSeen, FormSeen, PageSeen, PageSign, PictureSeen, SeenOutcome};

use super::{FactsStore, LineProblem};
use crate::files::Disk;

fn fact(address: &str, second: i64) -> SeenFact {
    SeenFact::new(address.to_owned(), Timestamp::from_second(second).expect("it is a time"))
}

/// A store in a folder of its own that has some content.
fn store_of(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("facts.ndjson");
    fs::write(&path, content).expect("it can be written");
    (folder, path)
}

fn read(path: &std::path::Path) -> FactsStore {
    FactsStore::read(&Disk, path).expect("it can be read")
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(".tollproof").join("facts.ndjson");
    let mut store = read(&path);
    assert!(store.iter().next().is_none() && store.skipped().is_none(), "no file is an empty store");
    let boxes = vec![BoxSeen { label: "Text me \u{2028} é".to_owned(), ticked: true, required: false }];
    let forms = vec![FormSeen { has_phone: true, boxes, is_log_in: false }];
    let page = PageSeen { forms, signs: vec![PageSign::ForSale], words: 3, ..PageSeen::default() };
    let page = SeenFact { page: Some(page), ..fact("https://b.com/", 7) };
    let why = Some("bot-wall".to_owned());
    let blocked =
        SeenFact { outcome: SeenOutcome::NotChecked, why, status: Some(403), ..fact("https://a.com/", 9) };
    let picture = PictureSeen { format: "png".to_owned(), width: 3, ..PictureSeen::default() };
    let picture = SeenFact { picture: Some(picture), bytes: 5, ..fact("https://c.com/a.png", 8) };
    for fact in [&page, &blocked, &picture] {
        store.put(fact.clone());
    }
    store.write().expect("it can be written");
    let again = read(&path);
    assert_eq!(again.iter().collect::<Vec<_>>(), [&blocked, &page, &picture], "sorted by address");
    assert_eq!(again.get("https://b.com/"), Some(&page));
    let text = fs::read_to_string(&path).expect("it is there");
    let first = r#"{"address":"https://a.com/","at":"1970-01-01T00:00:09Z","version":1,"outcome":"not-checked","why":"bot-wall","status":403}"#;
    assert_eq!(text.lines().next(), Some(first));
    again.write().expect("it can be written");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), text, "nothing changes");
}

#[test]
fn lines_that_are_not_facts_are_named_and_the_others_count() {
    let good = serde_json::to_string(&fact("https://a.com/", 5)).expect("it has JSON");
    let newer = serde_json::to_string(&fact("https://a.com/", 6)).expect("it has JSON");
    let other = r#"{"version":2,"address":"https://z.com/","news":{}}"#;
    let deep = format!(r#"{{"version":1,"x":{}"#, "[".repeat(100_000));
    let long = format!(r#"{{"version":1,"address":"{}"}}"#, "a".repeat(3 << 20));
    let lines = [
        "<<<<<<< ours",
        &good,
        "=======",
        &newer,
        ">>>>>>> theirs",
        "",
        "{\"version\":1}",
        "null",
        other,
        &deep,
        &long,
        "{\"version\":1,\"address\":\"https://b.com/\",\"at\":\"soon\",\"outcome\":\"seen\"}",
    ];
    let mut content = lines.join("\r\n").into_bytes();
    content.extend(b"\n\xff\xfe\n\0\0");
    let (_folder, path) = store_of(&content);
    let store = read(&path);
    assert_eq!(store.iter().map(|it| it.at.as_second()).collect::<Vec<_>>(), [6], "the newest counts");
    let skipped = store.skipped().expect("there are such lines");
    use LineProblem::{Conflict, NotJson, OtherShape, TooLong, Version};
    let expected = [
        (1, Conflict),
        (3, Conflict),
        (5, Conflict),
        (7, OtherShape),
        (8, OtherShape),
        (9, Version(2)),
        (10, NotJson),
        (11, TooLong),
        (12, OtherShape),
        (13, NotJson),
        (14, NotJson),
    ];
    assert_eq!(skipped.lines, expected);
    let said = skipped.to_string();
    assert!(said.contains("line 1 marks a merge conflict") && said.ends_with("and 6 more lines"), "{said}");
    store.write().expect("it can be written");
    let text = fs::read_to_string(&path).expect("it is there");
    assert_eq!(text, format!("{newer}\n{other}\n"), "what another version wrote stays");
}

#[test]
fn a_file_of_nothing_but_other_lines_is_counted() {
    let (_folder, path) = store_of(&b"x\n".repeat(100_000));
    let skipped = read(&path).skipped().expect("there are such lines");
    assert!(skipped.lines.len() < 1_000, "{}", skipped.lines.len());
    assert!(skipped.to_string().ends_with("and 99995 more lines"), "{skipped}");
}

#[test]
fn a_fact_is_cut_to_its_limits() {
    let page =
        PageSeen { consent: "é".repeat(9_000), names: vec!["a".repeat(9_000); 90], ..PageSeen::default() };
    let long = Some("https://a.com/".to_owned() + &"a".repeat(9_000));
    let page = PageSeen { privacy: long.clone(), terms: long.clone(), ..page };
    let line = serde_json::to_string(&SeenFact {
        page: Some(page),
        final_address: long,
        ..fact("https://a.com/", 5)
    });
    let (_folder, path) = store_of(line.expect("it has JSON").as_bytes());
    let store = read(&path);
    let page = store.get("https://a.com/").and_then(|it| it.page.as_ref()).expect("it is a page");
    assert_eq!((page.consent.chars().count(), page.names.len()), (4_000, 10));
    assert!(page.names.iter().all(|it| it.len() <= 500));
    // Cut, an address would be another one.
    assert_eq!((&page.privacy, &page.terms), (&None, &None));
    assert_eq!(store.get("https://a.com/").and_then(|it| it.final_address.clone()), None);
}

fn facts() -> impl Strategy<Value = Vec<SeenFact>> {
    let one = ("[a-e]", 0..6_i64, 0..3_u64).prop_map(|(host, second, bytes)| SeenFact {
        bytes,
        ..fact(&format!("https://{host}.com/"), second)
    });
    proptest::collection::vec(one, 0..12)
}

proptest! {
    #[test]
    fn stores_merge_line_by_line(ours in facts(), theirs in facts()) {
        let lines = |facts: &[SeenFact]| -> String {
            facts.iter().map(|fact| serde_json::to_string(fact).expect("it has JSON") + "\n").collect()
        };
        let (_folder, path) = store_of((lines(&ours) + &lines(&theirs)).as_bytes());
        let store = read(&path);
        let mut newest: BTreeMap<String, SeenFact> = BTreeMap::new();
        for fact in ours.iter().chain(&theirs) {
            if newest.get(&fact.address).is_none_or(|it| it.at <= fact.at) {
                newest.insert(fact.address.clone(), fact.clone());
            }
        }
        prop_assert!(store.iter().eq(newest.values()));
        store.write().expect("it can be written");
        let text = fs::read_to_string(&path).expect("it is there");
        let mut sorted: Vec<&str> = text.lines().collect();
        sorted.sort_unstable();
        prop_assert!(text.lines().eq(sorted));
        prop_assert!(read(&path).iter().eq(store.iter()));
    }

    #[test]
    fn no_content_stops_the_reader(content in proptest::collection::vec(any::<u8>(), 0..200)) {
        let (_folder, path) = store_of(&content);
        read(&path);
    }
}
