//! Keys, questions and dry runs: what is not wanted is not sent.

use super::{Desk, PROVIDERS};
use crate::support::Ran;

#[test]
fn without_a_yes_nothing_is_sent() {
    let desk = Desk::new("no-yes", "approve");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    let before = desk.requests();
    for args in [&["submit", "draft.json"][..], &["number", "buy", "+18335550177", "--provider", "twilio"]] {
        let ran = desk.with_history(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.contains("in the sandbox (127.0.0.1:"), "{ran:?}");
        assert!(ran.err.contains("there is no terminal; use `--yes`"), "{ran:?}");
    }
    assert_eq!(desk.requests(), before, "not even a look");
}

#[test]
fn a_dry_run_shows_the_requests_and_needs_no_key() {
    for provider in PROVIDERS {
        let desk = Desk::new(&format!("dry-{provider}"), "approve");
        desk.draft(provider, "+18335550123", "draft.json");
        let args = ["submit", "draft.json", "--dry-run", "--set", "account=ACCOUNT"];
        let args = if ["twilio", "bandwidth", "plivo"].contains(&provider) { &args[..] } else { &args[..3] };
        let shown = desk.run(args);
        assert_eq!(shown.code, Some(0), "{provider}: {shown:?}");
        assert!(shown.out.contains("\ncurl --request P"), "{provider}: {shown:?}");
        let key = shown.out.replace("{TOLLPROOF_SANDBOX_KEY:-sandbox-key}", "");
        assert!(!key.contains("sandbox-key") && key.contains("******"), "{provider}: {shown:?}");
        assert_eq!(desk.requests(), 0, "{provider}");
        assert!(!desk.folder.0.join("past.db").exists(), "{provider}");
    }
}

#[test]
fn a_dry_run_masks_personal_data_if_that_is_wanted() {
    for provider in PROVIDERS {
        let desk = Desk::new(&format!("dry-redact-{provider}"), "approve");
        desk.draft(provider, "+18335550123", "draft.json");
        let path = desk.folder.0.join("draft.json");
        let draft = std::fs::read_to_string(&path).expect("it is there");
        let email = draft.split('"').find(|text| text.contains('@')).expect("it has a contact").to_owned();
        let mut yaml = "# a draft in YAML\n".to_owned();
        yaml.push_str(&draft);
        std::fs::write(desk.folder.0.join("draft.yaml"), yaml).expect("writable");
        for file in ["draft.json", "draft.yaml"] {
            let args = ["submit", file, "--dry-run", "--redact", "--set", "account=ACCOUNT"];
            let args =
                if ["twilio", "bandwidth", "plivo"].contains(&provider) { &args[..] } else { &args[..4] };
            let shown = desk.run(args);
            assert_eq!(shown.code, Some(0), "{provider}: {shown:?}");
            let (name, _) = email.split_once('@').expect("it is an address");
            assert!(!shown.out.contains(name) && shown.out.contains("*****"), "{provider}: {shown:?}");
            assert!(shown.out.contains("\ncurl --request P"), "{provider}: {shown:?}");
        }
    }
}

#[test]
fn a_dry_run_of_several_steps_shows_each() {
    let desk = Desk::new("dry-aws", "approve");
    let draft = include_str!("../../schemas/aws/samples/submit-request.json");
    std::fs::write(desk.folder.0.join("draft.json"), draft).expect("writable");
    std::fs::write(desk.folder.0.join("class-booking-text-box.png"), b"\x89PNG\r\n\x1a\n").expect("writable");
    let shown = desk.run(&["submit", "draft.json", "--dry-run", "--number", "+18335550123"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for wanted in ["CreateRegistration\n", "NUMBER_ID", "companyInfo.city", "SubmitRegistrationVersion"] {
        assert!(shown.out.contains(wanted), "{wanted}: {shown:?}");
    }
}

#[test]
fn a_dry_run_of_a_real_host_masks_a_key_that_is_set() {
    let desk = Desk::new("dry-real", "approve");
    desk.draft("telnyx", "+18335550123", "draft.json");
    let mut command = desk.command(&["submit", "draft.json", "--dry-run"]);
    let shown = Ran::new(command.env("TELNYX_API_KEY", "KEY_S3CRET").output().expect("tollproof starts"));
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("api.telnyx.com") && !shown.out.contains("S3CRET"), "{shown:?}");
    let mut command = desk.command(&["submit", "draft.json", "--yes", "--history", "sqlite:past.db"]);
    let missing = Ran::new(command.output().expect("tollproof starts"));
    assert_eq!(missing.code, Some(4), "{missing:?}");
    assert!(missing.out.contains("TELNYX_API_KEY"), "{missing:?}");
    // A variable without a value is not set.
    let mut command = desk.command(&["submit", "draft.json", "--yes", "--history", "sqlite:past.db"]);
    let empty = Ran::new(command.env("TELNYX_API_KEY", "").output().expect("tollproof starts"));
    assert_eq!((empty.code, empty.out), (Some(4), missing.out));
}

#[test]
fn a_wrong_key_stops_the_run() {
    for provider in PROVIDERS {
        let desk = Desk::new(&format!("key-{provider}"), "approve");
        for file in ["a.json", "b.json"] {
            let number = if file == "a.json" { "+18335550123" } else { "+18335550124" };
            desk.draft(provider, number, &format!("drafts/{file}"));
        }
        let sandbox = format!("--sandbox={}", desk.sandbox.url());
        let args = ["submit", "drafts", "--yes", "--history", "sqlite:past.db", &sandbox];
        let mut command = desk.command(&args);
        let refused =
            Ran::new(command.env("TOLLPROOF_SANDBOX_KEY", "sandbox-wrong").output().expect("it starts"));
        assert_eq!(refused.code, Some(4), "{provider}: {refused:?}");
        assert!(refused.out.contains("not sent, because of the key (1)\n"), "{provider}: {refused:?}");
        assert!(refused.out.contains("not finished (1)\n"), "{provider}: {refused:?}");
        let said = format!("{}{}", refused.out, refused.err);
        assert!(!said.contains("sandbox-wrong"), "{provider}: {refused:?}");
        assert_eq!(desk.effects("submit"), 0, "{provider}");
        let reserved = desk.with_history(&["attempts", "--open"]);
        assert_eq!(reserved.out, "", "{provider}: {reserved:?}");
    }
}

#[test]
fn a_project_cannot_say_where_data_goes() {
    let desk = Desk::new("project", "approve");
    desk.draft("telnyx", "+18335550123", "draft.json");
    let settings = "hosts:\n  api: http://127.0.0.1:9\n";
    std::fs::write(desk.folder.0.join("tollproof.yaml"), settings).expect("writable");
    let refused = desk.with_history(&["submit", "draft.json", "--yes"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert_eq!(desk.requests(), 0);
}
