//! `--export` and `--import`: whoever pastes the questions into an assistant.

use super::*;

/// The requests of an export, after its first line.
fn exported(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let ran = run(folder, &[&["read", "--export=-"], more].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut lines =
        ran.out.lines().map(|entry| serde_json::from_str::<Value>(entry).expect("each line is JSON"));
    let first = lines.next().expect("it begins with the task");
    assert!(
        first["version"] == 1 && first["task"].as_str().is_some_and(|it| it.contains("never instructions"))
    );
    lines.collect()
}

/// The harmless answers to a request, as a line.
fn answers(request: &Value) -> Value {
    json!({ "version": 1, "id": request["id"], "reader": "a colleague", "answers": harmless(&requested(request)) })
}

fn import(folder: &Folder, lines: &str) -> Ran {
    fs::write(folder.0.join("answers.ndjson"), lines).expect("writable");
    run(folder, &["read", "--import=answers.ndjson", "drafts"])
}

#[test]
fn what_is_exported_is_answered_and_imported() {
    let folder = drafts("read-transfer", 3);
    let ran = run(&folder, &["read", "--export=ask.ndjson", "drafts"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "Wrote 3 requests to `ask.ndjson`.\n"), "{ran:?}");
    let again = run(&folder, &["read", "--export=ask.ndjson", "drafts"]);
    assert_eq!(again.code, Some(0), "an earlier export has nothing of the user's own: {again:?}");
    fs::write(folder.0.join("notes.txt"), "my own").expect("writable");
    let own = run(&folder, &["read", "--export=notes.txt", "drafts"]);
    assert_eq!(own.code, Some(2), "{own:?}");
    assert!(
        own.err.contains("`notes.txt` exists already and is not changed; use another name, or `--force`")
    );
    assert_eq!(run(&folder, &["read", "--export=notes.txt", "--force", "drafts"]).code, Some(0));
    let around = run(&folder, &["check", "."]);
    assert!(around.out.contains("3 documents checked"), "requests are not drafts: {around:?}");
    let requests = exported(&folder, &["drafts"]);
    let written = fs::read_to_string(folder.0.join("ask.ndjson")).expect("it was written");
    assert_eq!(written.lines().count(), 4);
    for secret in ["Irene", "Castellano", "772"] {
        assert!(!written.contains(secret), "{secret}");
    }
    assert_eq!(exported(&folder, &["drafts", "--max-drafts=2"]).len(), 2);

    // An assistant answers two of them in a block of code, as a list.
    let block =
        format!("\u{feff}```json\n[\n  {},\n{}\n]\n```\n", answers(&requests[0]), answers(&requests[1]));
    let ran = import(&folder, &block);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "the third is open: {ran:?}");
    assert_eq!(stored(&folder).len(), 2);
    assert_eq!(stored(&folder)[0]["reader"], "a colleague");
    let open = exported(&folder, &["drafts"]);
    assert!(open.len() == 1 && open[0]["id"] == requests[2]["id"], "what is open is exported: {open:?}");
    let count = |request: &Value| requested(request).len();
    assert!(
        count(&open[0]) == count(&requests[2]),
        "what another draft asked about the same text is left to it"
    );
    assert!(count(&requests[2]) < count(&requests[0]), "{requests:?}");
    let ran = folder.pipe(&["read", "--import=-", "drafts"], &answers(&requests[2]).to_string());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let ran = folder.pipe(&["read", "--import=-", "-"], "{}");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn lines_that_cannot_be_used_are_named_and_the_others_count() {
    let folder = drafts("read-import", 2);
    let requests = exported(&folder, &["drafts"]);
    let mut unknown = answers(&requests[0]);
    unknown["id"] = json!("0123");
    let mut nameless = answers(&requests[0]);
    nameless.as_object_mut().expect("an object").remove("id");
    let mut lie = answers(&requests[1]);
    lie["answers"]["consent-required"] =
        json!({ "answer": "no", "quote": "\u{1b}[31mguests must agree", "sure": true });
    let lines = [
        "Here are the answers:".to_owned(),
        unknown.to_string(),
        nameless.to_string(),
        answers(&requests[0]).to_string(),
        lie.to_string(),
        "{\"id\":\"\u{1b}[31m\",\"answers\":{}}".to_owned(),
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
    ];
    let ran = import(&folder, &lines.join("\n"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for words in [
        "warning: line 1: this is not an object with `id` and `answers`",
        "warning: line 2: no draft has these texts; were they changed since the export?",
        "warning: line 3: `id` is missing",
        "warning: line 5: consent-required: the quote is not in the texts of the question",
        "warning: 2 lines more",
    ] {
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    }
    assert!(!ran.err.contains(['\u{1b}']) && !ran.err.contains("must agree"), "{ran:?}");
    assert!(ran.out.contains("1 not read completely, 1 question open"), "{ran:?}");
}

#[test]
fn one_draft_needs_no_id_and_an_answer_that_is_none_is_refused_alone() {
    let folder = drafts("read-import-alone", 1);
    let request = &exported(&folder, &["drafts"])[0];
    let mut given = answers(request);
    given.as_object_mut().expect("an object").remove("id");
    given["answers"]["consent-required"] = json!({ "answer": false, "quote": null, "sure": "yes" });
    given["answers"]["disclosure"] = json!(null);
    let ran = import(&folder, &given.to_string());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("warning: line 1: disclosure: the answer is not one of those offered"),
        "{ran:?}"
    );
    assert!(!ran.err.contains("consent-required"), "{ran:?}");
    assert_eq!(stored(&folder).len(), 1, "the others count");
}

#[test]
fn of_two_answers_to_one_request_the_last_counts() {
    let folder = drafts("read-import-twice", 1);
    let request = &exported(&folder, &["drafts"])[0];
    let first = answers(request);
    let mut second = first.clone();
    let quote = "not required to book";
    second["answers"]["consent-required"] = json!({ "answer": "Yes ", "quote": quote, "sure": true });
    let ran = import(&folder, &format!("{first}\n{second}\n{{\"id\":{},\"answers\":{{}}}}", request["id"]));
    assert_eq!(ran.code, Some(0), "what the third line does not answer has an answer: {ran:?}");
    let ran = import(&folder, &format!("{first}\n{second}\n"));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let lines = stored(&folder);
    assert_eq!(lines.len(), 1, "one reader has one line");
    assert_eq!(
        lines[0]["answers"]["consent-required"],
        json!({ "asked": lines[0]["answers"]["consent-required"]["asked"], "answer": "yes", "quote": quote, "sure": true })
    );
}

#[test]
fn names_and_answers_of_an_import_are_bounded_and_plain() {
    let folder = drafts("read-import-names", 1);
    let mut line = answers(&exported(&folder, &["drafts"])[0]);
    line["reader"] = json!(format!("\u{1b}]0;t\u{7}me\u{202e}\n{}", "n".repeat(3_000_000)));
    line["model"] = json!("\u{9b}2J".repeat(1_000_000));
    line["answers"]["disclosure"] = json!({ "answer": vec!["rates"; 500_000], "quote": "", "sure": true });
    let ran = import(&folder, &line.to_string());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let text = fs::read_to_string(folder.0.join(STORE)).expect("it was written");
    assert!(text.len() < 20_000 && !text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{}", text.len());
    assert_eq!(stored(&folder)[0]["answers"]["disclosure"]["answer"], json!("rates"), "one defect is one");
    let ran = run(&folder, &["check", "drafts", "--output-format=json"]);
    assert!(!ran.out.contains("opt-in/missing-disclosure"), "one is too few for a defect: {ran:?}");
    assert_eq!(json(&ran)["summary"]["read"]["unread"], json!(0), "{ran:?}");
}

#[test]
fn an_export_overwrites_nothing_that_the_run_reads() {
    let folder = drafts("read-export-over", 1).file("tollproof.yaml", "fail-on: error\n");
    let draft = fs::read_to_string(folder.0.join("drafts/0.json")).expect("it is there");
    assert_eq!(ask(&folder, &Server::good(), &[]).code, Some(0));
    let store = fs::read_to_string(folder.0.join(STORE)).expect("it is there");
    for name in ["drafts/0.json", "tollproof.yaml", STORE] {
        let ran = run(&folder, &["read", "--again", "--force", "--export", name, "drafts"]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.err.contains("cannot write ") && ran.err.contains("choose another name"), "{ran:?}");
    }
    assert_eq!(fs::read_to_string(folder.0.join("drafts/0.json")).expect("it is there"), draft);
    assert_eq!(fs::read_to_string(folder.0.join(STORE)).expect("it is there"), store);
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let folder = drafts("read-options", 1);
    for args in [
        &["--export=a", "--import=b"][..],
        &["--export=a", "--reader=openai"],
        &["--import=a", "--again"],
        &["--dry-run", "--export=a"],
        &["--force"],
    ] {
        assert_eq!(run(&folder, &[&["read"], args].concat()).code, Some(2), "{args:?}");
    }
    let ran = run(&folder, &["read", "--import=missing.ndjson"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("cannot read the answers in `missing.ndjson`"), "{ran:?}");
}
