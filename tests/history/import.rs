//! Into a store and out of it.

use serde_json::{Value, json};

use super::stores::{Kept, NUMBER, each, record};

const OTHER: &str = "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f";

fn records() -> String {
    let untimed =
        r#"{"id":"c3","phoneNumbers":["1C2D3E4F-5A6B-4C7D-8E9F-0A1B2C3D4E5F"],"status":"on hold","x":1.50}"#;
    [
        record("b2", NUMBER, "Rejected", "2026-11-02T00:00:00.000Z").to_string(),
        record("a1", NUMBER, "submitted", "2026-11-03T00:00:00.000Z").to_string(),
        record("a1", NUMBER, "in review", "2026-11-05T00:00:00.000Z").to_string(),
        untimed.to_owned(),
    ]
    .join("\n")
}

#[test]
fn an_export_is_imported_byte_for_byte() {
    each("history-export", |kept| {
        kept.file("a.ndjson", records());
        assert_eq!(kept.well(&["history", "import", "a.ndjson"]), "4 records read, 4 new.\n");
        assert_eq!(kept.well(&["history", "import", "a.ndjson"]), "4 records read, 0 new.\n");
        let noted = kept.well(&["history", "note", NUMBER, "--notified-at", "2026-11-06T08:00:00+01:00"]);
        assert_eq!(
            noted,
            "Noted for submission a1: the notification was received at 2026-11-06T07:00:00Z.\n"
        );
        let exported = kept.well(&["history", "export"]);
        let lines: Vec<&str> = exported.lines().collect();
        assert_eq!(lines.len(), 5, "{exported}");
        assert_eq!(lines[4], r#"{"id":"a1","notifiedAt":"2026-11-06T07:00:00Z"}"#);
        assert!(lines[3].ends_with(r#""x":1.50}"#), "numbers stay as they are written");
        // An export is a history of files too, and goes into any other store.
        kept.file("export.ndjson", &exported);
        let files = kept.folder.run(&["history", "export", "--history", "export.ndjson"]);
        assert_eq!(files.out, exported);
        let copies = [Some(Kept::sqlite("history-export-copy")), Kept::postgres("history-export-copy")];
        for copy in copies.into_iter().flatten() {
            copy.file("export.ndjson", &exported);
            let said = copy.well(&["history", "import", "export.ndjson"]);
            assert_eq!(said, "4 records read, 4 new, and 1 note.\n");
            assert_eq!(copy.well(&["history", "export"]), exported);
        }
        // What has been noted last counts; an older note of an import does not.
        kept.well(&["history", "note", NUMBER, "--notified-at", "2026-11-05T08:00:00Z"]);
        assert!(kept.well(&["history", "export"]).contains("2026-11-05T08:00:00Z"));
        kept.well(&["history", "import", "export.ndjson"]);
        assert!(kept.well(&["history", "export"]).contains("2026-11-06T07:00:00Z"));
    });
}

#[test]
fn the_life_of_a_number_is_shown() {
    each("history-show", |kept| {
        kept.file("a.ndjson", records());
        kept.well(&["history", "import", "a.ndjson"]);
        let shown = kept.well(&["history", "show", &NUMBER.to_uppercase()]);
        for line in [
            "  submission a1\n",
            "    2026-11-03T00:00:00Z  submitted\n    2026-11-05T00:00:00Z  in review\n",
        ] {
            assert!(shown.contains(line), "{shown}");
        }
        let shown = kept.well(&["history", "show", NUMBER, "--output-format", "json"]);
        let shown: Value = serde_json::from_str(&shown).expect("it is JSON");
        assert_eq!(shown["submissions"].as_array().expect("a list").len(), 2);
        let listed = kept.well(&["history", "list", "--now", "2026-11-12T01:00:00Z"]);
        let row = |number: &str, id: &str, status: &str, rest: &str| {
            format!("{number:36}  {id:36}  {status:20}  {rest}\n")
        };
        let expected = [
            row(&OTHER.to_uppercase(), "c3", "on hold", "-         -"),
            row(NUMBER, "a1", "in review", "7 days    Acme"),
            row(NUMBER, "b2", "Rejected", "10 days   Acme"),
        ];
        assert_eq!(listed, expected.concat());
        let open = kept.well(&["history", "list", "--open", "--now", "2026-11-05T05:00:00Z"]);
        let expected = [
            row(&OTHER.to_uppercase(), "c3", "on hold", "-         -"),
            row(NUMBER, "a1", "in review", "5 hours   Acme"),
        ];
        assert_eq!(open, expected.concat());
        let listed = kept.well(&["history", "list", "--output-format", "json"]);
        let listed: Value = serde_json::from_str(&listed).expect("it is JSON");
        assert_eq!(listed[2]["status"], "Rejected");
    });
}

#[test]
fn only_numbers_and_their_ids_are_shown() {
    each("history-unknown", |kept| {
        kept.file("a.ndjson", records());
        kept.well(&["history", "import", "a.ndjson"]);
        let unknown = "0f1e2d3c-4b5a-4697-8877-665544332211";
        let ran = kept.run(&["history", "show", unknown]);
        assert!(ran.out.contains("no submission with this number or id is known"), "{ran:?}");
        assert_eq!(ran.code, Some(1));
        for typed in ["+442079460958", "Sparrow Lane Books LLC", ""] {
            let ran = kept.run(&["history", "show", typed]);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{typed}");
            assert_eq!(
                ran.err,
                "error: this is not a number of this history; `tollproof history list` shows its numbers\n",
                "what was typed may be personal, and is not repeated"
            );
        }
        // A number is one in any spelling, whether the history has it or not.
        let ran = kept.run(&["history", "show", "833-472-6150"]);
        assert!(ran.out.starts_with("+18334726150\n  no submission"), "{ran:?}");
        kept.file(
            "b.json",
            record("d4", "+18334726150", "submitted", "2026-11-06T00:00:00.000Z").to_string(),
        );
        kept.well(&["history", "import", "b.json"]);
        assert!(kept.well(&["history", "show", "+18334726150"]).contains("submission d4"));
    });
}

const SID: &str = "PN5d0c4b3a2918f7e6d5c4b3a29180f7e6";

/// A record of Twilio.
fn approved() -> Value {
    json!({
        "sid": "HH1a2b3c4d5e6f70819203a4b5c6d7e8f9", "status": "TWILIO_APPROVED", "tollfree_phone_number_sid": SID,
        "date_updated": "2026-11-03T09:00:00Z", "use_case_categories": ["EVENTS"], "business_name": "Quarry Lane Events",
    })
}

#[test]
fn identifiers_are_shown_as_they_are_written_and_found_by_either() {
    each("history-case", |kept| {
        kept.file("record.json", approved().to_string());
        kept.well(&["history", "import", "record.json"]);
        let listed = kept.well(&["history", "list"]);
        assert!(listed.contains(SID) && listed.contains("HH1a2b3c4d5e6f70819203a4b5c6d7e8f9"), "{listed}");
        for name in [SID, "HH1a2b3c4d5e6f70819203a4b5c6d7e8f9", "hh1a2b3c4d5e6f70819203a4b5c6d7e8f9"] {
            let shown = kept.well(&["history", "show", name]);
            assert!(shown.starts_with(SID), "{name}: {shown}");
            assert!(shown.contains("submission HH1a2b3c4d5e6f70819203a4b5c6d7e8f9\n"), "{name}: {shown}");
        }
    });
}

#[test]
fn files_without_a_record_are_an_error() {
    each("history-none", |kept| {
        kept.file("package.json", r#"{"name": "shop"}"#);
        let ran = kept.run(&["history", "import", "package.json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("no verification record"), "{ran:?}");
    });
}

#[test]
fn a_day_is_enough_for_a_notification() {
    each("history-day", |kept| {
        kept.file("a.ndjson", records());
        kept.well(&["history", "import", "a.ndjson"]);
        let noted = kept.well(&["history", "note", NUMBER, "--notified-at", "2026-11-06"]);
        assert!(noted.contains("received at 2026-11-06T00:00:00Z"), "{noted}");
    });
}

#[test]
fn a_sqlite_file_needs_its_scheme_and_a_store_its_folder() {
    let kept = Kept::sqlite("history-scheme");
    kept.file("a.ndjson", records());
    kept.well(&["history", "import", "a.ndjson"]);
    let name = kept.source.trim_start_matches("sqlite:");
    let ran = kept.folder.run(&["history", "list", "--history", name]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains(&format!("is a SQLite file; write `sqlite:{name}`")), "{ran:?}");
    let ran = kept.folder.run(&["history", "import", "a.ndjson", "--history", "sqlite:none/h.db"]);
    assert!(ran.err.contains("the folder `none` does not exist"), "{ran:?}");
}

#[test]
fn all_records_are_taken_or_none_and_each_bad_one_is_named() {
    each("history-bad", |kept| {
        kept.file("good.ndjson", records());
        kept.well(&["history", "import", "good.ndjson"]);
        let before = kept.well(&["history", "export"]);
        let good = record("d4", NUMBER, "submitted", "2026-11-03T00:00:00.000Z");
        let no_id = r#"{"status": "submitted", "phoneNumbers": ["x"]}"#;
        let no_time = format!(
            r#"{{"id": "e5", "status": "submitted", "phoneNumbers": ["{NUMBER}"], "updatedAt": "soon"}}"#
        );
        kept.file(
            "bad.ndjson",
            format!("{good}\n{no_id}\n\n{no_time}\n{{\"id\": \n{{\"name\": \"none\"}}\n"),
        );
        kept.file("note.ndjson", "{\"id\": \"nobody\", \"notifiedAt\": \"2026-11-03T00:00:00.000Z\"}\n");
        let ran = kept.run(&["history", "import", "bad.ndjson", "note.ndjson", "good.ndjson"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        let lines: Vec<&str> = ran.err.lines().collect();
        assert_eq!(
            lines[0],
            "error: nothing was imported: 3 records are invalid; fix or remove them and import again"
        );
        assert_eq!(lines[1], "  bad.ndjson:2:1: this record has no id, so it cannot be identified");
        assert_eq!(lines[2], "  bad.ndjson:4:108: the `updatedAt` of this record is not a valid time");
        assert!(lines[3].starts_with("  bad.ndjson:5:"), "{ran:?}");
        assert_eq!(kept.well(&["history", "export"]), before);
        let ran = kept.run(&["history", "import", "note.ndjson"]);
        let why = "note.ndjson:1:1: this note is for a submission that is not in the history; import its record too\n";
        assert!(ran.code == Some(2) && ran.err.ends_with(why), "{ran:?}");
        let ran = kept.run(&["history", "import", "none/", "*.xml"]);
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (Some(2), "error: history `none/` not found: no such file or folder; check the path\n")
        );
        assert_eq!(kept.well(&["history", "export"]), before);
    });
}

#[test]
fn a_note_needs_a_submission() {
    each("history-note", |kept| {
        kept.file("a.ndjson", records());
        kept.well(&["history", "import", "a.ndjson"]);
        let unknown = "00000000-0000-4000-8000-000000000000";
        let ran = kept.run(&["history", "note", unknown, "--notified-at", "2026-11-06T08:00:00Z"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_eq!(
            ran.err,
            format!(
                "error: the history contains no submission for {unknown}; `tollproof history list` shows its numbers\n"
            )
        );
    });
}
