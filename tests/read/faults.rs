//! Readers that fail: the store stays whole, keeps what was answered before, and the run says what happened.

use std::time::Instant;

use super::*;

/// Asks about drafts of which the first was answered by a good server before. Nothing of that answer is lost.
fn after_one(name: &str, count: usize, server: &Server, more: &[&str]) -> (Folder, Ran) {
    let folder = drafts(name, count);
    let ran = ask(&folder, &Server::good(), &["drafts/0.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let before = fs::read_to_string(folder.0.join(STORE)).expect("it was written");
    let ran = ask(&folder, server, more);
    let after = fs::read_to_string(folder.0.join(STORE)).expect("it is there");
    assert!(after.contains(before.trim_end()), "{name}: what was answered is kept: {after}");
    let checked = run(&folder, &["check", "drafts"]);
    assert!(!checked.err.contains("line ") && checked.code != Some(2), "{name}: it can be read: {checked:?}");
    (folder, ran)
}

#[test]
fn a_server_that_refuses_ends_the_run() {
    let message = |text: &str| json!({ "error": { "message": text } }).to_string();
    for (name, status, headers, body, words) in [
        (
            "401",
            "401 No",
            "",
            message("bad key"),
            "the reader needs a key (status 401); set `TOLLPROOF_READER_KEY`",
        ),
        ("402", "402 No", "", message("no money"), "the reader answered with status 402: no money"),
        (
            "404",
            "404 No",
            "",
            message("no such model"),
            "does not know this `url` or `model` (status 404): no such model",
        ),
        (
            "302",
            "302 Found",
            "Location: http://127.0.0.1:1/\r\n",
            String::new(),
            "the redirect 302, which is not followed",
        ),
        (
            "429",
            "429 Busy",
            "Retry-After: 4000\r\n",
            String::new(),
            "the reader asks to wait 67 minutes; continue then",
        ),
    ] {
        let answer = http(status, headers, &body);
        let server = Server::start(move |_, _| Play::Bytes(answer.clone()));
        let (folder, ran) = after_one(&format!("read-refused-{name}"), 3, &server, &[]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.err.contains(words), "{name}: {ran:?}");
        assert_eq!(
            (server.asked().len(), stored(&folder).len()),
            (1, 1),
            "{name}: the others would fail too"
        );
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    drop(listener);
    let gone = Server { url, asked: Arc::default() };
    let (_, ran) = after_one("read-refused-port", 3, &gone, &[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("the reader cannot be reached: "), "{ran:?}");
}

#[test]
fn a_server_that_is_busy_is_asked_again_when_it_says() {
    let server = Server::start(|at, asked| {
        Play::Bytes(match at {
            0 => http("429 Busy", "Retry-After: 1\r\n", ""),
            _ => openai(&json!({ "answers": asked.harmless() }).to_string()),
        })
    });
    let started = Instant::now();
    let (folder, ran) = after_one("read-busy", 2, &server, &[]);
    assert_eq!((ran.code, stored(&folder).len()), (Some(0), 2), "{ran:?}");
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[test]
fn nonsense_is_asked_for_once_more_and_then_counts_as_not_read() {
    let wrong = |content: &str| openai(content);
    let plays: Vec<(&str, Vec<u8>, &str)> = vec![
        ("html", http("200 OK", "", "<html>log in</html>"), "not that of a server for the reader `openai`"),
        ("list", http("200 OK", "", "{\"object\":\"list\"}"), "not that of a server for the reader `openai`"),
        ("words", wrong("I cannot tell."), "the answer of the reader contains no JSON object"),
        ("empty", wrong("{}"), "it is not JSON in the shape that was asked for"),
        ("answers", wrong("{\"answers\":[1,2]}"), "it is not JSON in the shape that was asked for"),
        (
            "null",
            wrong("{\"answers\":{\"consent-required\":null}}"),
            "consent-required: the answer is not one of those offered",
        ),
        (
            "number",
            wrong("{\"answers\":{\"consent-required\":{\"answer\":7}}}"),
            "consent-required: the answer is not one of those offered",
        ),
        ("none", wrong("{\"answers\":{}}"), "consent-required: the answer is missing"),
        (
            "unknown",
            wrong("{\"answers\":{\"send-money\":{\"answer\":\"yes\"}}}"),
            "consent-required: the answer is missing",
        ),
    ];
    for (name, bytes, words) in plays {
        let server = Server::start(move |_, _| Play::Bytes(bytes.clone()));
        let (folder, ran) = after_one(&format!("read-nonsense-{name}"), 2, &server, &[]);
        assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
        assert!(ran.err.contains("warning: request 1 of 1: ") && ran.err.contains(words), "{name}: {ran:?}");
        assert_eq!((server.asked().len(), stored(&folder).len()), (2, 1), "{name}");
    }
}

#[test]
fn answers_that_cannot_be_believed_are_not_stored_and_the_others_are() {
    let lies = [
        (
            "consent-required",
            json!({ "answer": "perhaps", "quote": "", "sure": true }),
            "not one of those offered",
        ),
        (
            "consent-bundled",
            json!({ "answer": "yes", "quote": "", "sure": true }),
            "the answer needs a quote",
        ),
        (
            "consent-prechecked",
            json!({ "answer": "yes", "quote": "the box is ticked", "sure": true }),
            "not in the texts",
        ),
        // It is in the draft, and not in a field of the question.
        (
            "consent-implicit",
            json!({ "answer": "yes", "quote": "your harbor trip is on", "sure": true }),
            "not in the texts",
        ),
        (
            "business-allowed",
            json!({ "answer": ["none", "adult"], "quote": "", "sure": true }),
            "not one of those offered",
        ),
    ];
    let told = lies.clone();
    let server = Server::start(move |_, asked| {
        let mut answers = asked.harmless();
        answers.extend(told.iter().map(|(id, answer, _)| ((*id).to_owned(), answer.clone())));
        Play::Bytes(openai(&json!({ "answers": answers }).to_string()))
    });
    let (folder, ran) = after_one("read-lies", 2, &server, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("2 drafts: 1 not read completely, 5 questions open"), "{ran:?}");
    let lines = stored(&folder);
    let line = lines
        .iter()
        .find(|entry| entry["answers"].get("consent-required").is_none())
        .expect("the others are stored");
    for (id, _, words) in lies {
        assert!(line["answers"].get(id).is_none(), "{line}");
        assert!(ran.err.contains(&format!("{id}: ")) && ran.err.contains(words), "{id}: {ran:?}");
    }
    assert!(line["answers"].get("summary-concrete").is_some(), "{line}");
    // The next run asks what is open, and no more.
    let good = Server::good();
    let ran = ask(&folder, &good, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(good.asked()[0].questions().len(), 5);
}

#[test]
fn answers_that_do_not_end_are_given_up() {
    let cut = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let whole = openai("{\"answers\":{}}");
    let (half, begun) = (cut(&whole), b"HTTP/1.1 200 OK\r\n\r\n{".to_vec());
    let server = Server::start(move |_, _| Play::Bytes(half.clone()));
    let (_, ran) = after_one("read-cut", 2, &server, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("the reader gave no complete answer: "), "{ran:?}");
    assert_eq!(server.asked().len(), 4, "it is tried four times");

    let server = Server::start(move |_, _| Play::Endless(begun.clone()));
    let (_, ran) = after_one("read-endless", 2, &server, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("larger than 4096 KiB"), "{ran:?}");

    let server = Server::start(|_, _| Play::Stall(Vec::new(), 20));
    let folder = drafts("read-slow", 1);
    let settings = format!("reader: {{ kind: openai, url: '{}/v1', timeout: 1 }}\n", server.url);
    let folder = folder.file("own/settings.yaml", settings);
    let mut command = command(&folder, &["read"]);
    command.env("TOLLPROOF_SETTINGS", folder.0.join("own/settings.yaml"));
    let started = Instant::now();
    let ran = Ran::new(command.output().expect("tollproof starts"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("no complete answer in 1 second; raise its `timeout` in your settings"),
        "{ran:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(server.asked().len(), 1, "what is too slow is not faster the next time");
}

#[test]
fn what_was_answered_before_a_server_fails_is_stored() {
    for (name, status, code) in [("500", "500 Oh", 1), ("401", "401 No", 2)] {
        let server = Server::start(move |at, asked| {
            Play::Bytes(match at {
                0 | 1 => openai(&json!({ "answers": asked.harmless() }).to_string()),
                _ => http(status, "", "{\"error\":\"out of memory\"}"),
            })
        });
        let folder = drafts(&format!("read-ends-{name}"), 4);
        let ran = ask(&folder, &server, &["--output-format=json"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(stored(&folder).len(), 2, "{ran:?}");
        if code == 1 {
            assert!(ran.err.contains("the reader answered with status 500: out of memory"), "{ran:?}");
            assert_eq!(json(&ran)["open"], json!(2));
        }
        let good = Server::good();
        assert_eq!(ask(&folder, &good, &[]).code, Some(0));
        assert_eq!(good.asked().len(), 2, "the next run asks about the others");
    }
}

#[test]
fn words_of_a_server_show_neither_the_draft_nor_the_key_nor_escapes() {
    let server = Server::start(|_, asked| {
        let (_, material) = asked.parts();
        let says = format!("\u{1b}[31mred\u{1b}]0;title\u{7} \u{202e}key {KEY} in {material}\u{9b}2J");
        Play::Bytes(http("400 No", "", &json!({ "error": { "message": says } }).to_string()))
    });
    let folder = drafts("read-words", 1);
    let options = server.options();
    let args: Vec<&str> = ["read"].into_iter().chain(options.iter().map(String::as_str)).collect();
    for key in [KEY, "another-secret-key"] {
        let mut command = command(&folder, &args);
        let ran = Ran::new(command.env("TOLLPROOF_READER_KEY", key).output().expect("tollproof starts"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("the reader answered with status 400"), "{ran:?}");
        for never in ["\u{1b}", "\u{7}", "\u{202e}", "\u{9b}", "guests of tour", key] {
            assert!(!ran.err.contains(never) && !ran.out.contains(never), "{never:?}: {ran:?}");
        }
    }
}

#[test]
fn a_name_of_a_model_reaches_neither_terminal_nor_store_with_escapes() {
    let server = Server::start(|_, asked| {
        let content = json!({ "answers": asked.harmless() }).to_string();
        let body = json!({
            "model": format!("\u{1b}[31mtiny\u{202e} {}\n", "x".repeat(100_000)),
            "choices": [{ "message": { "content": content } }],
            "usage": { "prompt_tokens": u64::MAX, "completion_tokens": u64::MAX },
        });
        Play::Bytes(http("200 OK", "", &body.to_string()))
    });
    let folder = drafts("read-model", 3);
    let ran = ask(&folder, &server, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{ran:?}");
    for line in stored(&folder) {
        let model = line["model"].as_str().expect("it has one");
        assert!(model.starts_with("[31mtiny xxx") && model.chars().count() <= 101, "{model}");
    }
}

#[test]
fn a_key_that_a_server_repeats_is_not_stored() {
    let server = Server::start(|_, asked| {
        let body = json!({
            "model": format!("model of {KEY}"),
            "choices": [{ "message": { "content": json!({ "answers": asked.harmless() }).to_string() } }],
        });
        Play::Bytes(http("200 OK", "", &body.to_string()))
    });
    let folder = drafts("read-repeats", 1);
    let options = server.options();
    let args: Vec<&str> = ["read"].into_iter().chain(options.iter().map(String::as_str)).collect();
    let ran = Ran::new(
        command(&folder, &args).env("TOLLPROOF_READER_KEY", KEY).output().expect("tollproof starts"),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let line = stored(&folder)[0].to_string();
    assert!(!line.contains("moonstone") && !format!("{ran:?}").contains("moonstone"), "{line}");
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_is_named() {
    for (name, script, code, words) in [
        ("status", "cat > /dev/null; exit 3", 1, "the reader `sh` failed: exit status: 3"),
        ("silent", "cat > /dev/null", 1, "the answer of the reader contains no JSON object"),
        ("endless", "yes", 1, "the answer of the reader is larger than 4 MiB"),
        ("early", "exec echo no", 1, "contains no JSON object"),
    ] {
        let folder = drafts(&format!("read-program-{name}"), 1).file("reader.sh", script);
        let ran = run(&folder, &["read", "--command=[\"sh\",\"reader.sh\"]", "drafts"]);
        assert_eq!(ran.code, Some(code), "{name}: {ran:?}");
        assert!(ran.err.contains(words), "{name}: {ran:?}");
        assert_eq!(stored(&folder).len(), 0);
    }
    let folder = drafts("read-program-missing", 1);
    let ran = run(&folder, &["read", "--command=./not-here", "drafts"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("cannot run the reader `./not-here`") && ran.err.contains("check its `command`"),
        "{ran:?}"
    );
}
