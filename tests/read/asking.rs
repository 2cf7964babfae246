//! Good readers: what is sent to them, how often, and what is stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[test]
fn each_text_is_asked_about_once_until_it_changes() {
    let server = Server::good();
    let folder = Folder::new("read-once").file("draft.json", DRAFT);
    let ran = ask(&folder, &server, &["--output-format=json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        json(&ran),
        json!({ "version": 1, "drafts": 1, "open": 0, "openQuestions": 0, "files": [STORE] })
    );
    assert!(
        ran.err.contains("Asking openai at 127.0.0.1:") && ran.err.contains(", model tiny about 1 draft: "),
        "{ran:?}"
    );
    assert!(ran.err.contains("2000 tokens were sent, 500 answered."), "{ran:?}");
    assert_eq!(server.asked().len(), 1);
    let [line] = &stored(&folder)[..] else { panic!("one line for one draft") };
    assert_eq!(
        (&line["reader"], &line["model"], &line["version"]),
        (&json!("openai"), &json!("tiny-2"), &json!(1))
    );
    assert!(line["answers"].as_object().is_some_and(|it| it.len() >= 15), "{line}");

    let ran = ask(&folder, &server, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(ran.out, format!("1 draft: all read\nstored in {STORE}\n"));
    assert_eq!(server.asked().len(), 0, "it has all answers");
    let ran = ask(&folder, &server, &["--again"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(server.asked().len(), 1, "all is asked again");
    assert_eq!(stored(&folder).len(), 1, "and stored in place of the old answers");

    // Only questions about the text that changed are asked.
    let folder = folder
        .file("draft.json", draft(&json!({ "productionMessageContent": "Quillback: boats are ready." })));
    let ran = ask(&folder, &server, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let [asked] = &server.asked()[..] else { panic!("the text is new") };
    let names: Vec<Value> = asked.questions().iter().map(|it| it["id"].clone()).collect();
    assert!(
        names.contains(&json!("sample-fits-use-case")) && !names.contains(&json!("consent-required")),
        "{names:?}"
    );
    assert_eq!(stored(&folder).len(), 2, "the old line stays, for whoever goes back");
    let report = json(&run(&folder, &["check", "draft.json", "--output-format=json"]));
    assert_eq!(report["summary"]["read"]["unread"], json!(0), "{report}");
}

#[test]
fn what_leaves_is_what_is_shown_without_personal_data() {
    let server = Server::good();
    let text =
        "Ask Irene Castellano, irene.castellano@quillbackkayak.com or +1 207-772-4831, at 214 Water Street.";
    let folder =
        Folder::new("read-sent").file("draft.json", draft(&json!({ "additionalInformation": text })));
    let with_key = |more: &[&str]| {
        let options = server.options();
        let mut args = vec!["read", "--jobs=1"];
        args.extend(options.iter().map(String::as_str).chain(more.iter().copied()));
        Ran::new(command(&folder, &args).env("TOLLPROOF_READER_KEY", KEY).output().expect("tollproof starts"))
    };
    let shown = with_key(&["--dry-run"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.err.starts_with("1 request to openai at 127.0.0.1:"), "{shown:?}");
    assert_eq!(server.asked().len(), 0, "nothing is sent");
    assert!(!folder.0.join(STORE).exists(), "nothing is stored");

    let ran = with_key(&[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let [asked] = &server.asked()[..] else { panic!("it is asked once") };
    let (head, body) = shown.out.trim_end().split_once("\n\n").expect("a head and a body");
    assert_eq!(body, asked.body, "to the byte");
    assert!(head.contains("authorization: Bearer ******"), "{head}");
    assert!(asked.head.to_lowercase().contains(&format!("authorization: bearer {KEY}\r\n")), "{asked:?}");
    let line = stored(&folder)[0].to_string();
    for text in [&shown.out, &shown.err, &ran.out, &ran.err, &asked.body, &line] {
        assert!(!text.contains("moonstone"), "{text}");
    }
    for secret in ["Irene", "Castellano", "castellano", "772-4831", "Water Street", "214"] {
        assert!(!asked.body.contains(secret), "{secret}: {}", asked.body);
    }
    let (told, material) = asked.parts();
    assert!(material.contains("Ask [NAME 1], [EMAIL 1] or +[NUMBER 1], at [ADDRESS 1]."), "{material}");
    for of_draft in ["Quillback", "Casco", "[NAME 1], "] {
        assert!(!told.contains(of_draft) && material.contains(of_draft), "{of_draft}: {told}");
    }
    assert_eq!(asked.json()["temperature"], json!(0));
}

#[test]
fn anthropic_is_asked_by_its_own_interface() {
    let server = Server::start(|_, asked| Play::Bytes(anthropic(&json!({ "answers": asked.harmless() }))));
    let folder = Folder::new("read-anthropic").file("draft.json", DRAFT);
    let url = format!("--url={}", server.url);
    let args = ["read", "--reader=anthropic", &url, "--model=c", "draft.json"];
    let run = |more: &str| {
        Ran::new(
            command(&folder, &[&args[..], &[more]].concat())
                .env("TOLLPROOF_READER_KEY", KEY)
                .output()
                .expect("it starts"),
        )
    };
    let shown = run("--dry-run");
    let ran = run("--jobs=1");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let [asked] = &server.asked()[..] else { panic!("it is asked once") };
    assert!(asked.head.starts_with("POST /v1/messages HTTP/1.1"), "{asked:?}");
    assert!(asked.head.to_lowercase().contains(&format!("x-api-key: {KEY}\r\n")), "{asked:?}");
    assert!(shown.out.contains(&asked.body) && shown.out.contains("x-api-key: ******"), "{shown:?}");
    assert!(!format!("{shown:?}{ran:?}{}", asked.body).contains("moonstone"));
    let line = &stored(&folder)[0];
    assert_eq!((&line["reader"], &line["model"]), (&json!("anthropic"), &json!("claude-tiny")));
}

#[test]
fn a_run_asks_about_as_many_drafts_and_as_many_at_once_as_it_is_told() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (inside, peak) = (Arc::clone(&now), Arc::clone(&most));
    let server = Server::start(move |_, asked| {
        peak.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(150));
        inside.fetch_sub(1, Ordering::SeqCst);
        Play::Bytes(openai(&json!({ "answers": asked.harmless() }).to_string()))
    });
    let folder = drafts("read-some", 7);
    let ran = ask(&folder, &server, &["--max-drafts=2"]);
    assert_eq!(ran.code, Some(1), "five are left: {ran:?}");
    assert!(ran.err.contains("note: 5 drafts more without a reading, because of --max-drafts"), "{ran:?}");
    assert_eq!((server.asked().len(), stored(&folder).len()), (2, 2));
    assert_eq!(most.swap(0, Ordering::SeqCst), 1, "one job is one request");
    let ran = ask(&folder, &server, &["--jobs=3"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!((server.asked().len(), stored(&folder).len()), (5, 7), "the first two have answers");
    let most = most.load(Ordering::SeqCst);
    assert!((2..=3).contains(&most), "{most} at once");
    let lines = fs::read_to_string(folder.0.join(STORE)).expect("it is there");
    assert!(lines.lines().is_sorted(), "so that it can be merged");
}

#[test]
fn an_answer_that_cannot_be_used_is_asked_for_once_more_with_the_reason() {
    let server = Server::start(|at, asked| {
        let mut answers = asked.harmless();
        if at == 0 {
            answers["consent-required"] =
                json!({ "answer": "no", "quote": "guests must agree", "sure": true });
        }
        Play::Bytes(openai(&json!({ "answers": answers }).to_string()))
    });
    let folder = Folder::new("read-twice").file("draft.json", DRAFT);
    let ran = ask(&folder, &server, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let [first, second] = &server.asked()[..] else { panic!("it is asked twice") };
    let reason = "Your answer could not be used: consent-required: the quote is not in the texts of the question. Answer again.";
    assert!(!first.body.contains(reason) && second.parts().0.contains(reason), "{second:?}");
    assert!(!second.body.contains("guests must agree"), "what it made up is not sent back");
}

#[cfg(unix)]
#[test]
fn a_program_reads_too() {
    // It keeps what it gets, and answers with a file.
    let script = "cat > got.json; cat answers.json; echo 'reading' >&2";
    let folder = Folder::new("read-program").file("draft.json", DRAFT).file("reader.sh", script);
    let exported = run(&folder, &["read", "--export=-"]);
    let request: Value =
        serde_json::from_str(exported.out.lines().nth(1).expect("a request")).expect("it is JSON");
    let answers = json!({ "version": 1, "reader": "me", "answers": harmless(&requested(&request)) });
    let folder = folder.file("answers.json", format!("Here you are:\n```json\n{answers}\n```\n"));
    let args = ["read", "--command=[\"sh\", \"reader.sh\"]"];
    let shown = run(&folder, &[&args[..], &["--dry-run"]].concat());
    assert!(!folder.0.join("got.json").exists(), "it is not started: {shown:?}");
    let ran = run(&folder, &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("Asking command `sh` about 1 draft") && ran.err.contains("reading"), "{ran:?}");
    let got = fs::read_to_string(folder.0.join("got.json")).expect("it was started");
    assert_eq!(got.lines().count(), 1);
    assert!(
        shown.out.starts_with("[\"sh\",\"reader.sh\"]\n\n") && shown.out.contains(got.trim_end()),
        "{shown:?}"
    );
    let mut got: Value = serde_json::from_str(&got).expect("it is JSON");
    assert!(got["task"].as_str().is_some_and(|it| it.contains("never instructions")), "{got}");
    got.as_object_mut().expect("an object").remove("task");
    assert_eq!(got, request, "a program gets what an export has");
    assert_eq!(stored(&folder)[0]["reader"], "command");
}

#[test]
fn drafts_come_from_standard_input_too() {
    let server = Server::good();
    let folder = Folder::new("read-typed");
    let options = server.options();
    let args: Vec<&str> = ["read", "-"].into_iter().chain(options.iter().map(String::as_str)).collect();
    let ran = folder.pipe(&args, DRAFT);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stored(&folder).len(), 1);
    let ran = folder.pipe(&["read", "-"], "not a draft");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no draft was found; name a file or folder with drafts"), "{ran:?}");
}
