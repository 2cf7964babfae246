//! Histories asked as one.

use tollproof_history::{Access, HistoryError, HistorySet, Location, Query, Store};

use super::stores::{NUMBER, each, record};

fn wanted(number: &str) -> Query {
    Query { numbers: vec![number.to_owned()], ids: Vec::new() }
}

#[test]
fn the_newest_record_counts_wherever_it_is() {
    each("past-newest", |kept| {
        let first = record("A7", NUMBER, "submitted", "2026-11-01T00:00:00.000Z");
        let second = record("a7 ", &NUMBER.to_uppercase(), "Rejected", "2026-11-02T00:00:00.000Z");
        let note = r#"{"id":"A7","notifiedAt":"2026-11-02T10:00:00Z"}"#;
        std::fs::create_dir_all(kept.folder.0.join("records/deep")).expect("writable");
        kept.file("records/a.json", first.to_string());
        kept.file("records/deep/b.ndjson", format!("{second}\n{note}\n"));
        kept.file("records/package.json", "{}");
        let path = |name: &str| kept.folder.0.join(name).display().to_string();
        let store = kept.location();
        assert!(matches!(
            HistorySet::open(std::slice::from_ref(&store), Access::Read),
            Err(HistoryError::NoStore(_))
        ));
        let mut made = Store::open(&store, Access::Create).expect("it can be made");
        for new in [2, 0] {
            let imported = made.import(&[path("records")], |_| {}).expect("all are records");
            assert_eq!((imported.records, imported.new, imported.notes), (2, new, 1));
            assert_eq!(imported.skipped.len(), 1);
        }
        drop(made);
        let files: Location = path("records").parse().expect("it is one");
        let glob: Location = path("records/**/*.*json").parse().expect("it is one");
        for sources in [vec![files.clone()], vec![glob], vec![store.clone()], vec![store, files]] {
            let mut past = HistorySet::open(&sources, Access::Read).expect("all are there");
            let found = past.look_up(&wanted(NUMBER)).expect("it can be read");
            let [submission] = found.history.submissions() else { panic!("{sources:?}: {found:?}") };
            assert_eq!((submission.status.as_str(), submission.is_open()), ("Rejected", false));
            assert_eq!(submission.notified_at, "2026-11-02T10:00:00Z".parse().ok());
            let written = submission.written.as_ref().expect("it stands somewhere");
            let text = found.texts.get(&written.file).cloned();
            let text = text.or_else(|| std::fs::read_to_string(&written.file).ok()).expect("it can be shown");
            assert_eq!(&text[written.status.range()], "\"Rejected\"", "{}", written.file);
            let by_id = Query { numbers: Vec::new(), ids: vec!["a7".to_owned()] };
            assert_eq!(past.look_up(&by_id).expect("it can be read").history.submissions().len(), 1);
            let other =
                past.look_up(&wanted("1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f")).expect("it can be read");
            assert!(other.history.submissions().is_empty());
        }
    });
}

#[test]
fn a_submission_that_got_another_number_leaves_the_first_one_free() {
    each("past-moved", |kept| {
        let other = "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f";
        let first = record("a7", NUMBER, "submitted", "2026-11-01T00:00:00.000Z");
        let second = record("a7", other, "in review", "2026-11-02T00:00:00.000Z");
        kept.file("a.ndjson", format!("{first}\n{second}\n"));
        kept.well(&["history", "import", "a.ndjson"]);
        let files = kept.folder.0.join("a.ndjson").display().to_string();
        for source in [kept.location(), files.parse().expect("it is one")] {
            let mut past = HistorySet::open(&[source], Access::Read).expect("it is there");
            let found = past.look_up(&wanted(NUMBER)).expect("it can be read");
            assert!(found.history.open(NUMBER).is_none());
            assert!(
                found.history.open(other).is_some(),
                "the newest record is found by every number of its past"
            );
        }
    });
}
