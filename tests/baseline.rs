//! Tests of baselines: which findings they hide, and how they are updated.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, Ran};

const FILE: &str = "tollproof-baseline.json";
const NUMBER: &str = "a801c418-a845-4f95-9e37-30c84d2adbb8";
const OTHER: &str = "c53a8e17-94bd-4d60-8f2c-6a07b1e9d3f4";

/// A draft for a number, with one error and one warning.
fn draft(number: &str) -> String {
    let clean = include_str!("drafts/harbor-dental.json").replace(NUMBER, number);
    let clean = clean.replace("leah.whitcomb@harborlanterndental.com", "leah.whitcomb@gmail.com");
    clean.replacen('{', "{\n  \"colour\": \"blue\",", 1)
}

/// A folder that is the top of a repository.
fn repository(name: &str) -> Folder {
    Folder::new(name).file(".git/HEAD", "")
}

/// The findings that count, by file and rule, and the number of those that the baseline hides.
fn counted(ran: &Ran) -> (Vec<String>, usize) {
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let all = report["findings"].as_array().expect("a report lists findings").iter();
    let (known, counting): (Vec<&Value>, Vec<&Value>) =
        all.partition(|finding| finding.get("suppressed").is_some());
    assert!(known.iter().all(|finding| finding["suppressed"] == json!({"by": "baseline"})), "{known:?}");
    assert_eq!(report["summary"]["suppressed"], known.len());
    let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
    (
        counting.iter().map(|finding| text(&finding["file"]) + " " + &text(&finding["rule"])).collect(),
        known.len(),
    )
}

fn stale(ran: &Ran) -> Value {
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    report["summary"]["staleBaseline"].clone()
}

fn check(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&[&["check", "--output-format", "json", "--baseline", FILE], more].concat())
}

fn baseline(folder: &Folder) -> Value {
    let text = fs::read_to_string(folder.0.join(FILE)).expect("it was written");
    serde_json::from_str(&text).expect("a baseline is JSON")
}

#[test]
fn what_is_known_does_not_count_wherever_it_has_moved_to_and_what_is_new_does() {
    let folder = repository("known").file("drafts/a.json", draft(NUMBER)).file("b.json", draft(OTHER));
    let ran = folder.run(&["baseline", "write"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "4 findings written to `tollproof-baseline.json`.\n"));
    let ran = check(&folder, &["--fail-on", "info"]);
    assert_eq!((ran.code, counted(&ran), stale(&ran)), (Some(0), (vec![], 4), json!(0)));

    // After changes of lines, file name and start folder, the phone number identifies the draft.
    let folder = folder.file("moved/c.json", draft(NUMBER).replacen('{', "\n\n{\n\n", 1));
    fs::remove_file(folder.0.join("drafts/a.json")).expect("it is there");
    let ran = check(&folder, &["--fail-on", "info"]);
    assert_eq!((ran.code, counted(&ran), stale(&ran)), (Some(0), (vec![], 4), json!(0)));
    let mut moved =
        folder.command(&["check", "c.json", "--baseline", "../tollproof-baseline.json", "--quiet"]);
    let moved = Ran::new(moved.current_dir(folder.0.join("moved")).output().expect("starts"));
    assert_eq!(moved.code, Some(0), "{moved:?}");
    assert_eq!(
        moved.out,
        "1 document checked, nothing new. 2 findings known from the baseline. Checked by words only. Words find about 4 of 10 reasons that reviewers find in what texts mean; `tollproof read` asks a reader.\n"
    );

    let folder = folder.file("b.json", draft(OTHER).replace("\"04101\"", "\"\""));
    let ran = check(&folder, &[]);
    assert_eq!((ran.code, counted(&ran)), (Some(1), (vec!["b.json structure/empty-field".to_owned()], 4)));
}

#[test]
fn each_of_several_drafts_of_one_number_has_its_own() {
    let folder = repository("copies").file("b.json", draft(NUMBER)).file("c.json", draft(NUMBER));
    let only = ["--ignore", "history"];
    folder.run(&[&["baseline", "write"], &only[..]].concat());
    assert_eq!(counted(&check(&folder, &only)), (vec![], 4));
    // A third draft is new, although it comes first and its fingerprints are in the baseline.
    let folder = folder.file("a.json", draft(NUMBER));
    let new = vec!["a.json structure/unknown-field".to_owned(), "a.json contact/free-mail".to_owned()];
    assert_eq!(counted(&check(&folder, &only)), (new.clone(), 4));
    assert_eq!(counted(&check(&folder, &["a.json", "--ignore", "history"])), (new, 0));
}

#[test]
fn what_is_gone_is_said_and_taken_out_and_nothing_else() {
    let folder = repository("stale")
        .file("in/a.json", draft(NUMBER))
        .file("in/b.json", draft(OTHER))
        .file("out/c.json", draft("233544ac-57cd-4163-bcfd-9a8f448863c3"));
    folder.run(&["baseline", "write"]);
    let folder = folder.file("in/a.json", draft(NUMBER).replace("\"colour\": \"blue\",", ""));
    fs::remove_file(folder.0.join("in/b.json")).expect("it is there");
    fs::remove_file(folder.0.join("out/c.json")).expect("it is there");
    let folder = folder.file("out/d.json", draft("348544ac-57cd-4163-bcfd-9a8f448863c3"));

    // Findings of files and rules outside of the run are not stale.
    for (args, wanted) in [
        (&["."][..], 5),
        (&["in"], 3),
        (&["in/a.json"], 1),
        (&["out"], 2),
        (&[".", "--select", "structure"], 3),
        (&[".", "--ignore", "contact/free-mail"], 3),
    ] {
        let ran = check(&folder, &[args, &["--fail-on", "never"]].concat());
        assert_eq!((ran.code, stale(&ran)), (Some(0), json!(wanted)), "{args:?}");
    }
    let ran = folder.run(&["check", "in", "--baseline", FILE, "--quiet"]);
    assert_eq!(ran.code, Some(0), "what is gone fails no run: {ran:?}");
    assert!(ran.out.contains(" 3 findings of the baseline are gone (`tollproof baseline prune`"), "{ran:?}");
    let without = folder.run(&["check", "--output-format", "json"]);
    assert_eq!(stale(&without), Value::Null);

    for (args, out) in [
        (
            &["in/a.json", "--ignore", "structure"][..],
            "`tollproof-baseline.json` is not changed: it has 6 findings, and none is gone.\n",
        ),
        (&["in"], "3 findings removed from `tollproof-baseline.json`, 3 left.\n"),
        (&["."], "2 findings removed from `tollproof-baseline.json`, 1 left.\n"),
    ] {
        let ran = folder.run(&[&["baseline", "prune"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), out), "{ran:?}");
    }
    assert_eq!(baseline(&folder)["findings"][0]["rule"], "contact/free-mail");
    let ran = folder.run(&["baseline", "write", "out"]);
    assert_eq!(ran.out, "3 findings written to `tollproof-baseline.json`: 2 new, 0 gone.\n");

    fs::remove_dir_all(folder.0.join("in")).expect("it is there");
    fs::remove_dir_all(folder.0.join("out")).expect("it is there");
    let ran = folder.run(&["baseline", "prune"]);
    assert_eq!(ran.out, "3 findings removed from `tollproof-baseline.json`, 0 left.\n");
}

#[test]
fn a_text_that_cannot_be_read_is_never_known() {
    let folder = repository("unread").file("a.json", draft(NUMBER)).file("b.json", draft(OTHER));
    folder.run(&["baseline", "write"]);
    let folder = folder.file("a.json", draft(NUMBER).replace("\"04101\"", "\"04101"));
    let ran = folder.run(&["baseline", "write"]);
    assert!(
        ran.out.contains("\n1 finding left out: a baseline never hides files that cannot be read, "),
        "{ran:?}"
    );
    let ran = check(&folder, &[]);
    let (counting, _) = counted(&ran);
    assert_eq!((ran.code, counting), (Some(1), vec!["a.json input/syntax".to_owned()]));
    // The file cannot be read completely, so its other findings are not stale.
    let folder = folder.file("a.json", "{\"businessName\": \"");
    assert_eq!(stale(&check(&folder, &["--fail-on", "never"])), json!(0));
}

#[test]
fn a_locked_rule_is_never_known_and_the_settings_name_a_baseline() {
    let folder = repository("locked")
        .file("drafts/a.json", draft(NUMBER))
        .file("drafts/tollproof.yaml", "baseline: known.json\nkinds: { '*.json': submit-request }\n");
    let ran = folder.run(&["baseline", "write", "drafts"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "2 findings written to `drafts/known.json`.\n"),
        "{ran:?}"
    );
    assert_eq!(ran.err, "");
    let hidden = folder.run(&["check", "--output-format", "json"]);
    assert_eq!(counted(&hidden), (vec![], 2));
    let all = folder.run(&["check", "--output-format", "json", "--no-ignores"]);
    assert_eq!(counted(&all).1, 0);

    let locked = "baseline: known.json\nlocked-rules: [contact]\n";
    let folder = folder.file("drafts/tollproof.yaml", locked);
    let ran = folder.run(&["check", "--output-format", "json", "drafts/a.json"]);
    assert_eq!((ran.code, counted(&ran)), (Some(1), (vec!["drafts/a.json contact/free-mail".to_owned()], 1)));
    let ran = folder.run(&["baseline", "write", "drafts"]);
    let wanted = "1 finding written to `drafts/known.json`: 0 new, 1 gone.\n1 finding left out: ";
    assert!(ran.out.starts_with(wanted), "{ran:?}");
}

#[test]
fn what_a_comment_hides_uses_up_nothing() {
    let text = "# tollproof: kind=submit-request\ncolour: blue\nphoneNumbers: [\"a801c418-a845-4f95-9e37-30c84d2adbb8\"]\n";
    let folder = repository("comment").file("a.yaml", text);
    folder.run(&["baseline", "write", "--select", "structure/unknown-field"]);
    let ignored = text.replace("colour", "# tollproof: ignore[structure/unknown-field] our own\ncolour");
    let folder = folder.file("a.yaml", ignored);
    let ran = check(&folder, &["--select", "structure/unknown-field"]);
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    assert_eq!(report["findings"][0]["suppressed"]["by"], "comment", "{report}");
    assert_eq!(stale(&ran), json!(1));
}

#[test]
fn a_baseline_that_cannot_be_used_ends_the_run_and_is_not_quoted() {
    let folder = repository("unusable")
        .file("a.json", draft(NUMBER))
        .file("v2.json", "{\"version\": 2, \"known\": {}}")
        .file("torn.json", "{\"version\": 1, \"findings\": [\n<<<<<<< ours\n");
    for (name, says) in [
        ("v2.json", "`v2.json` is a baseline of version 2, and this tollproof reads version 1: "),
        ("torn.json", "`torn.json` is not a baseline: at line 2, column 1, it is not JSON"),
        (
            "none.json",
            "cannot read the baseline `none.json`: no such file or directory; `tollproof baseline write` creates one",
        ),
        ("a.json", "`a.json` is not a baseline: "),
    ] {
        for command in [&["check"][..], &["baseline", "prune"], &["baseline", "write"]] {
            if name == "none.json" && command == ["baseline", "write"] {
                continue;
            }
            let before = fs::read(folder.0.join(name)).ok();
            let ran = folder.run(&[command, &["a.json", "--baseline", name]].concat());
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{command:?} {name}: {ran:?}");
            assert!(ran.err.starts_with(&format!("error: {says}")), "{ran:?}");
            assert!(!ran.err.contains("Harbor") && ran.err.lines().count() == 1, "{ran:?}");
            assert_eq!(fs::read(folder.0.join(name)).ok(), before);
        }
    }
}

#[test]
fn half_a_run_changes_no_baseline() {
    let folder = repository("half-a-run").file("a.json", draft(NUMBER));
    folder.run(&["baseline", "write"]);
    let before = baseline(&folder);
    for step in ["write", "prune"] {
        let ran = folder.run(&["baseline", step, "a.json", "none.json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        let wanted =
            "error: cannot open `none.json`: no such file or directory\nerror: no baseline was changed, ";
        assert!(ran.err.starts_with(wanted), "{ran:?}");
    }
    let ran = folder.run(&["baseline", "write", "--baseline", "none/known.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot write the baseline `none/known.json`: "), "{ran:?}");
    assert_eq!(baseline(&folder), before);
    let ran = check(&folder, &["--output-format", &format!("json={FILE}")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("it is the baseline of this run"), "{ran:?}");
}

#[test]
fn a_baseline_fits_its_schema_and_says_nothing_of_the_drafts() {
    let folder = repository("form").file("a.json", draft(NUMBER)).file("b.json", draft(OTHER));
    folder.run(&["baseline", "write"]);
    let written = baseline(&folder);
    let schema: Value =
        serde_json::from_str(include_str!("../schemas/baseline.schema.json")).expect("a schema is JSON");
    assert!(jsonschema::validator_for(&schema).expect("the schema is one").is_valid(&written), "{written}");
    let entry = &written["findings"][0];
    let wanted = json!({"file": "a.json", "rule": "contact/free-mail", "fingerprint": entry["fingerprint"], "count": 1});
    assert_eq!(written["findings"][0], wanted);

    // A merge may duplicate and reorder entries. This must not hide more findings.
    let mut merged = written.clone();
    let entries = merged["findings"].as_array_mut().expect("a list");
    entries.extend(entries.clone());
    entries.reverse();
    let folder = folder.file(FILE, merged.to_string());
    assert_eq!(stale(&check(&folder, &[])), json!(0));
    let ran = folder.run(&["baseline", "write"]);
    assert_eq!(ran.out, "4 findings written to `tollproof-baseline.json`, the same as before.\n");
    assert_eq!(baseline(&folder), written);
}

#[test]
fn a_count_that_cannot_be_is_refused_and_no_sum_of_counts_is_too_large() {
    let entry = |fingerprint: &str, count: &str| {
        format!(
            "{{\"file\":\"gone.json\",\"rule\":\"a/b\",\"fingerprint\":\"{fingerprint}\",\"count\":{count}}}"
        )
    };
    let of = |entries: &[String]| format!("{{\"version\":1,\n\"findings\":[{}]}}", entries.join(",\n"));
    let folder = repository("counts").file("a.json", draft(NUMBER));
    for count in ["0", "-1", "1.5", "4294967296", "18446744073709551615"] {
        let text = of(&[entry("aa", "1"), entry("bb", count)]);
        fs::write(folder.0.join(FILE), text).expect("it is ours");
        for args in [&["check", "--baseline", FILE][..], &["baseline", "write"], &["baseline", "prune"]] {
            let ran = folder.run(args);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{count}: {ran:?}");
            assert!(ran.err.contains(&format!("`{FILE}` is not a baseline: at line 3, column ")), "{ran:?}");
        }
    }
    fs::write(folder.0.join(FILE), of(&[entry("aa", "4294967295"), entry("bb", "4294967295")]))
        .expect("ours");
    assert_eq!(stale(&check(&folder, &[])), json!(8_589_934_590_u64));
    let ran = folder.run(&["baseline", "prune"]);
    assert_eq!(ran.out, format!("8589934590 findings removed from `{FILE}`, 0 left.\n"), "{ran:?}");
}

#[test]
fn the_line_that_makes_a_baseline_known_is_for_the_settings_that_count() {
    let folder = repository("next").file("tollproof.yaml", "").file("drafts/a.json", draft(NUMBER));
    let run = |args: &[&str]| {
        let mut command = folder.command(args);
        Ran::new(command.current_dir(folder.0.join("drafts")).output().expect("it starts"))
    };
    let top = folder.0.join("tollproof.yaml");
    let ran = run(&["baseline", "write", "--baseline", "known.json"]);
    let said = format!(
        "Next: add `baseline: drafts/known.json` in {}, or run: tollproof check --baseline known.json\n",
        top.display()
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), said.as_str()), "{ran:?}");
    // After the suggested line is added, the hint disappears and a check uses the baseline.
    fs::write(&top, "baseline: drafts/known.json\n").expect("it is ours");
    let ran = run(&["check", "--quiet"]);
    assert!(ran.out.contains(" 2 findings known from the baseline."), "{ran:?}");
    fs::remove_file(folder.0.join("drafts/known.json")).expect("it is there");
    let ran = run(&["baseline", "write"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    // A baseline above the settings, and two configurations with the same baseline.
    fs::write(&top, "").expect("it is ours");
    let folder = folder.file("other/tollproof.yaml", "").file("other/b.json", draft(OTHER));
    let ran = folder.run(&["baseline", "write", "--baseline", "all.json"]);
    let said = "Next: add `baseline: ../all.json` in other/tollproof.yaml and `baseline: all.json` in \
                tollproof.yaml, or run: tollproof check --baseline all.json\n";
    assert_eq!(ran.err, said, "{ran:?}");
}

#[test]
fn after_a_baseline_is_written_fixes_make_nothing_new() {
    let clean = include_str!("drafts/harbor-dental.json");
    let site = "https://www.harborlanterndental.com";
    assert!(clean.contains(site));
    // The baseline has the missing scheme and a mismatched name of this value; after the fix only the mismatched name.
    let other_site = clean.replacen(site, "casco-smiles.com", 1);
    // A text in the baseline whose spaces a fix trims, for a rule that still reports it; and a number in another case.
    let spaced = clean.replacen(
        "\"productionMessageContent\": \"",
        "\"productionMessageContent\": \" Come by! \", \"x\": \"",
        1,
    );
    let samples = ["batch.yaml", "cedar-auto.json", "maple-grove.yaml"];
    for (round, fixes) in [&["--fix"][..], &["--fix", "--unsafe-fixes"]].into_iter().enumerate() {
        let mut folder = repository(&format!("fixed-{round}"))
            .file("drafts/site.json", other_site.replace(NUMBER, OTHER))
            .file("drafts/spaced.json", &spaced);
        for sample in samples {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/drafts/").to_owned() + sample;
            folder = folder.file(&format!("drafts/{sample}"), fs::read(path).expect("it is there"));
        }
        folder.run(&["baseline", "write"]);
        let before = fs::read_to_string(folder.0.join("drafts/site.json")).expect("it is there");
        let ran = check(&folder, &[fixes, &["--min-severity", "info"]].concat());
        assert_eq!(counted(&ran).0, [""; 0], "{fixes:?}");
        assert!(ran.err.starts_with("note: `tollproof-baseline.json` now contains "), "{}", ran.err);
        let after = fs::read_to_string(folder.0.join("drafts/site.json")).expect("it is there");
        assert!(before != after && after.contains("https://casco-smiles.com"), "{after}");
        let ran = check(&folder, &["--min-severity", "info"]);
        assert_eq!((counted(&ran).0, ran.code), (vec![], Some(0)), "{fixes:?}");
        // A change by a person counts as usual.
        let changed = after.replace("https://casco-smiles.com", "https://bayside-smiles.com");
        fs::write(folder.0.join("drafts/site.json"), changed).expect("writable");
        let found = counted(&check(&folder, &["--min-severity", "info"])).0;
        assert_eq!(found, ["drafts/site.json website/name-mismatch"]);
    }
}

#[test]
fn the_number_identifies_a_draft_of_every_provider_wherever_it_moves() {
    let drafts = [
        include_str!("drafts/twilio/juniper-stage.json"),
        include_str!("drafts/telnyx/ambleside-animal-hospital.json"),
        include_str!("drafts/bandwidth/heron-point-books.json"),
        include_str!("drafts/infobip/alderbrook-dental.json"),
        include_str!("drafts/plivo/ferncrest-pantry.json"),
    ];
    for (at, draft) in drafts.iter().enumerate() {
        let draft = draft.replacen('{', "{\"colour\": \"blue\",", 1);
        let folder = repository(&format!("moved-{at}")).file("a.json", draft);
        folder.run(&["baseline", "write"]);
        fs::create_dir(folder.0.join("new")).expect("it can be made");
        fs::rename(folder.0.join("a.json"), folder.0.join("new/b.json")).expect("it is there");
        let (new, known) = counted(&check(&folder, &["--fail-on", "info"]));
        assert!(new.is_empty() && known > 0, "{at}: {new:?}");
    }
}

#[test]
fn a_row_at_the_top_of_a_table_changes_nothing() {
    let table =
        include_str!("drafts/bulk-csv/clients-with-mistakes.csv").replacen("ISVReseller", "Colour", 1);
    let clean = include_str!("drafts/bulk-csv/clients.csv").lines().nth(1).expect("it has rows");
    let clean = clean.replace("+18449172653", "+18449172661");
    let folder = repository("row").file("k.csv", &table);
    folder.run(&["baseline", "write"]);
    let (_, known) = counted(&check(&folder, &[]));
    let head = table.find('\n').expect("it has a head") + 1;
    let folder = folder.file("k.csv", format!("{}{clean}\n{}", &table[..head], &table[head..]));
    let ran = check(&folder, &[]);
    assert_eq!((counted(&ran), stale(&ran)), ((vec![], known), json!(0)));
}

#[test]
fn white_space_and_escapes_of_json_change_no_fingerprint() {
    let prints = |text: &str| -> Vec<Value> {
        let folder = repository("space").file("a.json", text);
        let report: Value =
            serde_json::from_str(&folder.run(&["check", "--format", "json"]).out).expect("JSON");
        report["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|finding| finding["fingerprint"].clone())
            .collect()
    };
    let draft: Value = serde_json::from_str(&draft(NUMBER)).expect("a draft is JSON");
    let mut draft = draft;
    draft["tollFreeNumbers"] = json!([NUMBER, OTHER]);
    draft["optInWorkflowImageURLs"] = json!("Café");
    let compact = draft.to_string();
    let all = prints(&compact);
    assert!(all.len() > 2);
    assert_eq!(prints(&serde_json::to_string_pretty(&draft).expect("it is JSON")), all);
    assert_eq!(prints(&compact.replace('é', "\\u00e9")), all);
}
