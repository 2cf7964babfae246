//! Lost answers, refusals and limits: each has its exit status, and nothing is sent twice.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::Desk;

/// Waits until what a call sent cannot arrive any more.
pub(super) fn wait_for(call: &Value) {
    let until: Timestamp = call["againAt"].as_str().expect("it is known").parse().expect("it is a time");
    let left = until.duration_since(Timestamp::now()) + SignedDuration::from_millis(1_100);
    std::thread::sleep(left.try_into().unwrap_or_default());
}

#[test]
fn a_lost_answer_is_unknown_until_status_finds_it() {
    for (provider, fault) in [("twilio", "lost-answer"), ("telnyx", "cut-body"), ("plivo", "500-after")] {
        let desk = Desk::new(&format!("lost-{provider}"), "approve");
        let number = desk.buy(provider);
        desk.draft(provider, &number, "draft.json");
        desk.fault(provider, fault, "submit");
        let lost = desk.with_history(&["submit", "draft.json", "--yes"]);
        assert_eq!(lost.code, Some(6), "{provider}: {lost:?}");
        assert!(lost.out.starts_with("unknown (1)\n  draft.json  "), "{provider}: {lost:?}");
        assert!(
            lost.out.contains("Run `tollproof status` with the same options after "),
            "{provider}: {lost:?}"
        );
        let attempts = desk.with_history(&["attempts", "--open"]);
        assert!(attempts.out.contains("  submit  ") && attempts.out.contains("  unknown"), "{attempts:?}");

        let found = desk.with_history(&["status"]);
        assert_eq!(found.code, Some(0), "{provider}: {found:?}");
        assert!(
            found.out.contains("submitted earlier, and found at the provider (1)\n"),
            "{provider}: {found:?}"
        );
        let again = desk.with_history(&["submit", "draft.json", "--yes"]);
        assert!(desk.effects("submit") == 1, "{provider}: {again:?}");
        assert!(!again.out.starts_with("submitted (1)"), "{provider}: {again:?}");
    }
}

#[test]
fn a_lost_purchase_is_settled_before_the_next_one() {
    let desk = Desk::new("lost-purchase", "approve");
    desk.fault("twilio", "lost-answer", "buy");
    let buy = ["number", "buy", "--provider", "twilio", "--yes"];
    let lost = desk.with_history(&buy);
    assert_eq!(lost.code, Some(6), "{lost:?}");
    for command in [&["status"][..], &buy] {
        let again = desk.with_history(command);
        assert_eq!(again.code, Some(0), "{again:?}");
        let titles = ["bought earlier, and found at the provider", "bought earlier; not sent again"];
        assert!(titles.iter().any(|title| again.out.starts_with(title)), "{again:?}");
    }
    assert_eq!(desk.effects("buy"), 1);
}

#[test]
fn a_lost_purchase_is_never_shown_under_the_number_of_another_one() {
    let desk = Desk::new("other-purchase", "approve");
    desk.fault("bird", "lost-answer", "buy");
    let buy = |number| desk.json(&["number", "buy", number, "--provider", "bird", "--yes"]);
    assert_eq!(buy("+18335550007").1.code, Some(6));
    let (bought, ran) = buy("+18335550008");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown = |at: usize| (bought["calls"][at]["number"].as_str(), bought["calls"][at]["result"].as_str());
    assert_eq!(shown(0), (Some("+18335550007"), Some("found")), "{ran:?}");
    assert_eq!(shown(1), (Some("+18335550008"), Some("done")), "{ran:?}");
    assert_ne!(bought["calls"][0]["id"], bought["calls"][1]["id"], "{ran:?}");
    assert_eq!(desk.effects("buy"), 2);
}

#[test]
fn an_order_of_several_numbers_is_repeated_until_all_are_bought() {
    let desk = Desk::new("order", "approve");
    let buy = ["number", "buy", "--count", "3", "--provider", "twilio", "--yes"];
    desk.fault("twilio", "lost-answer", "buy");
    let lost = desk.with_history(&buy);
    assert_eq!(lost.code, Some(6), "{lost:?}");
    assert!(lost.out.contains("not tried (2)\n"), "{lost:?}");
    let status = desk.with_history(&["status"]);
    // Nothing of it is unknown, so a status that runs every hour has nothing to report.
    assert_eq!(status.code, Some(0), "{status:?}");
    assert!(status.out.starts_with("bought in part (1)\n"), "{status:?}");
    assert!(status.out.contains("1 of 3 numbers; `tollproof attempts resolve "), "{status:?}");
    assert!(status.out.contains("Run the same `tollproof number buy` again"), "{status:?}");
    let (bought, ran) = desk.json(&buy);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let results: Vec<_> =
        bought["calls"].as_array().expect("it is a list").iter().map(|call| &call["result"]).collect();
    assert_eq!(results, ["done-earlier", "done", "done"], "{ran:?}");
    let again = desk.with_history(&buy);
    assert!(again.out.starts_with("bought earlier; not sent again (3)\n"), "{again:?}");
    assert_eq!((again.code, desk.effects("buy")), (Some(0), 3), "{again:?}");
    let more = desk.with_history(&[&buy[..], &["--again"]].concat());
    assert_eq!((more.code, desk.effects("buy")), (Some(0), 6), "{more:?}");
}

#[test]
fn a_rehearsal_of_a_purchase_needs_its_number() {
    let desk = Desk::new("rehearsed-order", "approve");
    for wish in [&["--count", "2"][..], &["--area", "833"], &["--contains", "5"], &[]] {
        let buy = [&["number", "buy", "--dry-run", "--provider", "twilio"], wish].concat();
        let refused = desk.with_history(&buy);
        assert_eq!(refused.code, Some(2), "{refused:?}");
    }
    assert_eq!(desk.effects("buy"), 0);
}

#[test]
fn an_order_that_a_person_ended_in_part_is_not_bought_whole() {
    let desk = Desk::new("ended-order", "approve");
    let buy = ["number", "buy", "--count", "3", "--provider", "twilio", "--yes"];
    desk.fault("twilio", "lost-answer", "buy");
    let (lost, ran) = desk.json(&buy);
    let token = lost["calls"][0]["attempt"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    // The first is found, and the rest is not wanted any more.
    desk.with_history(&["status"]);
    let ended = desk.with_history(&["attempts", "resolve", token, "--nothing-arrived", "--yes"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (bought, ran) = desk.json(&buy);
    let results: Vec<_> =
        bought["calls"].as_array().expect("it is a list").iter().map(|call| &call["result"]).collect();
    assert_eq!(results, ["done-earlier", "not-tried", "not-tried"], "{ran:?}");
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert_eq!(desk.effects("buy"), 1);
}

#[test]
fn a_person_ends_one_number_of_an_order_and_the_others_stay() {
    let desk = Desk::new("resolved-order", "approve");
    let buy = ["number", "buy", "--count", "3", "--provider", "bandwidth", "--yes", "--timeout", "1s"];
    let resolve = |end: &[&str]| {
        let (lost, ran) = desk.json(&buy);
        assert_eq!(ran.code, Some(6), "{ran:?}");
        let unknown =
            lost["calls"].as_array().and_then(|calls| calls.iter().find(|call| call["result"] == "unknown"));
        let unknown = unknown.unwrap_or_else(|| panic!("{ran:?}"));
        let token = unknown["attempt"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
        wait_for(unknown);
        let number = unknown["number"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
        let other = ["attempts", "resolve", token, "--arrived", "+18335559999", "--yes"];
        let refused = desk.with_history(&other);
        assert!(refused.err.contains(&format!("is that of {number}")), "{refused:?}");
        let end = end.iter().map(|arg| if *arg == "NUMBER" { number } else { arg });
        let end = &end.collect::<Vec<_>>()[..];
        let noted = desk.with_history(&[&["attempts", "resolve", token, "--yes"], end].concat());
        assert_eq!(noted.code, Some(0), "{noted:?}");
    };
    desk.fault("bandwidth", "lost-answer", "buy");
    resolve(&["--arrived", "NUMBER"]);
    desk.fault("bandwidth", "500-before", "buy");
    resolve(&["--nothing-arrived"]);
    let (bought, ran) = desk.json(&buy);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let results: Vec<_> =
        bought["calls"].as_array().expect("it is a list").iter().map(|call| &call["result"]).collect();
    assert_eq!(results, ["done-earlier", "done", "done"], "{ran:?}");
    assert_eq!(desk.effects("buy"), 3);
}

#[test]
fn a_lost_withdrawal_ends_and_what_is_gone_is_not_called_submitted() {
    for (name, fault) in [("lost", "lost-answer"), ("500", "500-after")] {
        let desk = Desk::reviewing_after(&format!("withdrawal-{name}"), "approve", 2);
        let number = desk.buy("twilio");
        desk.draft("twilio", &number, "draft.json");
        desk.with_history(&["submit", "draft.json", "--yes"]);
        desk.fault("twilio", fault, "delete");
        let cancel = ["cancel", &number, "--provider", "twilio", "--yes"];
        let lost = desk.with_history(&cancel);
        assert_eq!(lost.code, Some(6), "{lost:?}");
        let settled = desk.with_history(if name == "lost" { &cancel } else { &["status"] });
        assert_eq!(settled.code, Some(0), "{settled:?}");
        assert!(settled.out.starts_with("withdrawn earlier, and "), "{settled:?}");
        let sent = desk.with_history(&["submit", "draft.json", "--yes"]);
        assert!(sent.out.starts_with("submitted (1)\n"), "{sent:?}");
        assert_eq!(desk.effects("submit"), 2);
    }
}

#[test]
fn what_was_never_submitted_cannot_be_withdrawn() {
    let desk = Desk::new("never-submitted", "approve");
    let number = desk.buy("telnyx");
    let nothing = desk.with_history(&["cancel", &number, "--provider", "telnyx", "--yes"]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
    assert!(
        nothing.err.contains(&format!("the history has no submission of {number}; name the id")),
        "{nothing:?}"
    );
}

#[test]
fn what_was_deleted_elsewhere_says_where_it_was_looked_for_and_what_to_do() {
    let desk = Desk::reviewing_after("gone", "approve", 2);
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    let (sent, _) = desk.json(&["submit", "draft.json", "--yes"]);
    let id = sent["calls"][0]["id"].as_str().expect("it has one").to_owned();
    let other = ["--history", "sqlite:other.db", "--provider", "twilio"];
    desk.run(&[&["status", "--import"], &other[..]].concat());
    let deleted = desk.run(&[&["cancel", &id, "--yes"], &other[..]].concat());
    assert_eq!(deleted.code, Some(0), "{deleted:?}");
    for command in [&["status"][..], &["cancel", &id, "--provider", "twilio", "--yes"]] {
        let gone = desk.with_history(command);
        assert_eq!(gone.code, Some(5), "{gone:?}");
        assert!(gone.out.starts_with("no longer at the provider (1)\n"), "{gone:?}");
        assert!(gone.out.contains(&format!("`tollproof cancel {id} --gone`")), "{gone:?}");
        assert!(gone.out.contains("account AC5a6d0b0c7e1f4d2a9b3c8e7f60718293"), "{gone:?}");
    }
    // Just after it was sent, a provider may not show it yet; but no review of it has ended.
    let waited = desk.with_history(&["submit", "draft.json", "--yes", "--wait=1s"]);
    assert_eq!(waited.code, Some(5), "{waited:?}");
    let noted = desk.with_history(&["cancel", &id, "--gone", "--yes", "--provider", "twilio"]);
    assert_eq!(noted.code, Some(0), "{noted:?}");
    assert_eq!(desk.with_history(&["status"]).code, Some(0));
}

#[test]
fn another_account_is_named_and_not_taken_for_gone() {
    let desk = Desk::reviewing_after("account", "approve", 2);
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    desk.with_history(&["submit", "draft.json", "--yes"]);
    let other = "account=AC00000000000000000000000000000002";
    let status = desk.with_history(&["status", "--set", other]);
    assert_ne!(status.code, Some(0), "{status:?}");
    assert!(status.out.contains("account AC00000000000000000000000000000002"), "{status:?}");
    assert!(status.out.contains("it was sent to") && status.out.contains("another account"), "{status:?}");
    assert!(!status.out.contains("gone"), "{status:?}");
}

#[test]
fn what_another_account_has_is_left_beside_what_this_one_has() {
    let desk = Desk::reviewing_after("two-accounts", "approve", 2);
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "first.json");
    desk.with_history(&["submit", "first.json", "--yes"]);
    let other = "account=AC00000000000000000000000000000002";
    let ran = desk.with_history(&["number", "buy", "--yes", "--provider", "twilio", "--set", other]);
    let second =
        ran.out.split_whitespace().find(|word| word.starts_with("+1")).unwrap_or_else(|| panic!("{ran:?}"));
    desk.draft("twilio", second, "second.json");
    let sent = desk.with_history(&["submit", "second.json", "--yes", "--set", other]);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    let status = desk.with_history(&["status"]);
    assert_eq!(status.code, Some(0), "{status:?}");
    assert!(status.err.contains("1 submission of another account at Twilio"), "{status:?}");
}

#[test]
fn an_approved_submission_is_changed_only_with_its_own_yes() {
    let desk = Desk::new("approved", "approve");
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    desk.with_history(&["submit", "draft.json", "--yes"]);
    desk.with_history(&["status"]);
    let update = ["update", "draft.json", "--yes"];
    let refused = desk.with_history(&update);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("use `--approved` to change it"), "{refused:?}");
    assert_eq!(desk.calls("update"), 0);
    desk.with_history(&[&update[..], &["--approved"]].concat());
    assert_eq!(desk.calls("update"), 1);
}

#[test]
fn too_many_requests_and_a_dead_server_have_their_own_status() {
    let desk = Desk::new("limits", "approve");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    // The client waits as long as the provider says, as far as that fits into the time for a request.
    for _ in 0..8 {
        desk.fault("twilio", "429", "submit");
    }
    let limited = desk.with_history(&["submit", "draft.json", "--yes", "--timeout", "1s"]);
    assert_eq!(limited.code, Some(7), "{limited:?}");
    assert!(limited.out.contains("Run the command again after "), "{limited:?}");
    assert_eq!(desk.effects("submit"), 0);

    let address = "--sandbox=http://127.0.0.1:9";
    let args = ["submit", "draft.json", "--yes", "--history", "sqlite:other.db", address];
    let dead = desk.command(&args).output().expect("tollproof starts");
    assert_eq!(dead.status.code(), Some(5), "{}", String::from_utf8_lossy(&dead.stderr));
    let said = String::from_utf8_lossy(&dead.stdout);
    assert!(said.contains("refused the connection; start the sandbox with `tollproof sandbox`"), "{said}");
}

#[test]
fn a_refusal_before_review_is_explained_and_releases_the_number() {
    let desk = Desk::new("refused", "approve");
    // The account does not have this number, which Telnyx says when the draft arrives.
    desk.draft("telnyx", "+18335550199", "draft.json");
    let (refused, ran) = desk.json(&["submit", "draft.json", "--yes"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(refused["calls"][0]["result"], "refused-by-provider", "{ran:?}");
    assert!(ran.err.contains("Telnyx refused it with status 4"), "{ran:?}");
    let reserved = desk
        .command(&["gate", "list", "--history", "sqlite:past.db", "--host", &desk.sandbox.url()])
        .output()
        .expect("tollproof starts");
    assert_eq!(String::from_utf8_lossy(&reserved.stdout), "No number is reserved.\n");
}

#[test]
fn what_did_not_arrive_is_sent_again_once_a_person_says_so() {
    let desk = Desk::new("nothing", "approve");
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    desk.fault("telnyx", "500-before", "submit");
    let submit = ["submit", "draft.json", "--yes", "--timeout", "1s"];
    let (lost, ran) = desk.json(&submit);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    let token = lost["calls"][0]["attempt"].as_str().expect("it has a token");
    wait_for(&lost["calls"][0]);
    let noted = desk.with_history(&["attempts", "resolve", token, "--nothing-arrived", "--yes"]);
    assert_eq!(noted.code, Some(0), "{noted:?}");
    let sent = desk.with_history(&submit);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    assert_eq!(desk.effects("submit"), 1);
}

#[test]
fn what_somebody_filed_in_the_console_is_adopted() {
    let desk = Desk::reviewing_after("console", "approve", 2);
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    desk.with_history(&["submit", "draft.json", "--yes"]);
    let other = ["--history", "sqlite:other.db"];
    let open = desk.run(&[&["submit", "draft.json", "--yes"], &other[..]].concat());
    assert_eq!(open.code, Some(1), "{open:?}");
    assert!(open.out.starts_with("under review already, but not sent from here (1)\n"), "{open:?}");
    assert_eq!(desk.effects("submit"), 1);
    let third = ["--history", "sqlite:third.db"];
    let imported = desk.run(&[&["status", "--import", "--provider", "telnyx"], &third[..]].concat());
    assert_eq!(imported.code, Some(0), "{imported:?}");
    assert!(imported.out.contains(&number), "{imported:?}");
}

#[test]
fn an_import_at_aws_knows_the_number_of_each_registration() {
    let desk = Desk::reviewing_after("import-aws", "approve", 2);
    let number = desk.buy("aws");
    let draft = include_str!("../../schemas/aws/samples/submit-request.json");
    desk.write("draft.json", &serde_json::from_str(draft).expect("it is JSON"));
    let picture = desk.folder.0.join("class-booking-text-box.png");
    std::fs::write(picture, b"\x89PNG\r\n\x1a\npicture").expect("the folder is writable");
    let submit = ["submit", "draft.json", "--number", &number, "--yes"];
    let sent = desk.with_history(&submit);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    // Records of registrations have no number: the list of numbers says which registration each has.
    let other = ["--history", "sqlite:other.db"];
    let imported = desk.run(&[&["status", "--import", "--provider", "aws"], &other[..]].concat());
    assert_eq!(imported.code, Some(0), "{imported:?}");
    assert!(imported.out.starts_with(&format!("{number}  registration-")), "{imported:?}");
    let refused = desk.run(&[&submit, &other[..]].concat());
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.out.starts_with("refused by the gate, and not sent (1)\n"), "{refused:?}");
    assert!(refused.out.contains("has a submission that is still open: `SUBMITTED`"), "{refused:?}");
    assert_eq!(desk.effects("submit"), 1);
}

#[test]
fn a_search_that_fails_does_not_hide_what_was_bought() {
    let desk = Desk::new("search-fails", "approve");
    let buy = ["number", "buy", "--provider", "twilio", "--count", "2", "--yes"];
    desk.fault("twilio", "lost-answer", "buy");
    let lost = desk.with_history(&buy);
    assert_eq!(lost.code, Some(6), "{lost:?}");
    (0..5).for_each(|_| desk.fault("twilio", "500-before", "search"));
    let (bought, ran) = desk.json(&buy);
    let results: Vec<_> =
        bought["calls"].as_array().expect("it is a list").iter().map(|call| &call["result"]).collect();
    assert_eq!((ran.code, results.len()), (Some(5), 2), "{ran:?}");
    assert_eq!((results[0].as_str(), results[1].as_str()), (Some("found"), Some("not-finished")), "{ran:?}");
}

#[test]
fn the_unknown_number_of_an_order_is_named_everywhere() {
    let desk = Desk::new("unknown-of-order", "approve");
    let count =
        |count| ["number", "buy", "--count", count, "--provider", "bandwidth", "--yes", "--timeout", "1s"];
    desk.fault("bandwidth", "500-before", "buy");
    let (lost, ran) = desk.json(&count("2"));
    let first = &lost["calls"][0];
    wait_for(first);
    let token = first["attempt"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    let number = first["number"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    let bought = desk.with_history(&["attempts", "resolve", token, "--arrived", number, "--yes"]);
    assert!(bought.err.contains(&format!("of {number} arrived at Bandwidth (")), "{bought:?}");
    desk.fault("bandwidth", "500-before", "buy");
    let (lost, ran) = desk.json(&count("2"));
    let second = lost["calls"][1]["number"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    assert_ne!(second, number, "{ran:?}");
    for command in [&["attempts", "--open"][..], &["status"]] {
        let shown = desk.with_history(command);
        assert!(shown.out.contains(second) && !shown.out.contains(number), "{shown:?}");
    }
    let resolved = desk.with_history(&["attempts", "resolve", token, "--arrived", second, "--yes"]);
    assert!(resolved.err.contains(&format!("of {second} arrived")), "{resolved:?}");
}

#[test]
fn an_order_for_another_account_is_another_order() {
    let desk = Desk::new("order-account", "approve");
    for account in ["AC00000000000000000000000000000001", "AC00000000000000000000000000000002"] {
        let set = format!("account={account}");
        let buy = ["number", "buy", "--count", "2", "--provider", "twilio", "--yes", "--set", &set];
        for title in ["bought (2)\n", "bought earlier; not sent again (2)\n"] {
            let bought = desk.with_history(&buy);
            assert!(bought.out.starts_with(title), "{bought:?}");
        }
    }
    assert_eq!(desk.effects("buy"), 4);
}

#[test]
fn an_update_changes_no_submission_of_another_number() {
    for provider in ["twilio", "telnyx"] {
        let desk = Desk::reviewing_after(&format!("other-update-{provider}"), "approve", 2);
        let numbers = [desk.buy(provider), desk.buy(provider)];
        for (number, file) in numbers.iter().zip(["first.json", "second.json"]) {
            desk.draft(provider, number, file);
        }
        let (sent, ran) = desk.json(&["submit", "second.json", "--yes"]);
        let id = sent["calls"][0]["id"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
        let refused = desk.with_history(&["update", "first.json", "--yes", "--id", id]);
        assert_eq!((refused.code, desk.calls("update")), (Some(2), 0), "{refused:?}");
        assert!(refused.err.contains("name the submission of that number"), "{refused:?}");
        let updated = desk.with_history(&["update", "second.json", "--yes", "--id", id]);
        assert_eq!((updated.code, desk.calls("update")), (Some(0), 1), "{updated:?}");
    }
}

#[test]
fn an_update_that_a_person_saw_arrive_is_not_done_while_its_submission_is_rejected() {
    let desk = Desk::new("seen-update", "reject 30513");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    let (sent, ran) = desk.json(&["submit", "draft.json", "--yes"]);
    let id = sent["calls"][0]["id"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    desk.with_history(&["status"]);
    desk.fault("twilio", "500-before", "update");
    let update = ["update", "draft.json", "--yes", "--timeout", "1s"];
    let (lost, ran) = desk.json(&update);
    let token = lost["calls"][0]["attempt"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    wait_for(&lost["calls"][0]);
    desk.with_history(&["attempts", "resolve", token, "--arrived", id, "--yes"]);
    let again = desk.with_history(&update);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(
        again.out.contains("earlier and rejected; the draft is the same") && again.out.contains("--again"),
        "{again:?}"
    );
}
