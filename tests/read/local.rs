//! Readers for who names none: models of this machine, and `check --read`.

use super::*;

/// A server in the shape of Ollama, with a small and a large model.
fn ollama() -> Server {
    Server::start(|_, asked| {
        let get = asked.head.split(' ').nth(1).unwrap_or_default();
        let body = match get {
            "/v1/models" => json!({ "object": "list", "data": [
                { "id": "smollm2:135m", "object": "model", "created": 1, "owned_by": "library" },
                { "id": "qwen2.5-coder:32b", "object": "model", "created": 1, "owned_by": "library" },
                { "id": "qwen3:latest", "object": "model", "created": 1, "owned_by": "library" },
            ]}),
            "/api/tags" => json!({ "models": [
                { "name": "smollm2:135m", "details": { "parameter_size": "134.52M" } },
                { "name": "qwen3:latest", "details": { "parameter_size": "8.2B" } },
            ]}),
            _ => return Play::Bytes(openai(&json!({ "answers": asked.harmless() }).to_string())),
        };
        Play::Bytes(http("200 OK", "", &body.to_string()))
    })
}

fn with_ports(folder: &Folder, ports: &str, key: &str, args: &[&str]) -> Ran {
    let mut command = command(folder, args);
    command.env("TOLLPROOF_READER_PORTS", ports).env("OPENAI_API_KEY", key);
    Ran::new(command.output().expect("tollproof starts"))
}

#[test]
fn without_a_terminal_what_was_found_is_named_and_nothing_is_asked() {
    let server = ollama();
    let folder = Folder::new("read-local").file("draft.json", DRAFT);
    let port = server.url.rsplit(':').next().expect("it has a port").to_owned();
    let ran = with_ports(&folder, &port, "", &["read"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let large = format!(
        "qwen3:latest (8 billion parameters, Ollama)\n    tollproof read --reader openai --url {}/v1 --model 'qwen3:latest'\n",
        server.url
    );
    let at = |text: &str| ran.err.find(text).unwrap_or_else(|| panic!("{text}: {ran:?}"));
    assert!(at(&large) < at("qwen2.5-coder:32b (32 billion parameters, Ollama)"), "{ran:?}");
    assert!(at(&large) < at("smollm2:135m (135 million parameters, Ollama; too small to read)"), "{ran:?}");
    let asked = server.asked();
    assert_eq!(asked.iter().map(|asked| asked.body.len()).sum::<usize>(), 0, "{asked:?}");
    assert!(!folder.0.join(STORE).exists());

    let ran = with_ports(&folder, &port, "", &["doctor", "--ask-reader"]);
    let out = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("found qwen3:latest (8 billion parameters, Ollama)"), "{out}");
    server.asked();
    let ran = with_ports(&folder, &port, "", &["doctor"]);
    let out = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("`tollproof read` looks for one on this machine"), "{out}");
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn where_none_is_found_the_ways_to_one_are_named_and_no_key_is_used() {
    let folder = Folder::new("read-none").file("draft.json", DRAFT);
    let ran = with_ports(&folder, "1", "moonstone", &["read"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    for words in
        ["ollama pull", "--reader anthropic", "--export ask.txt", "OPENAI_API_KEY is set, and is not used"]
    {
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    }
    assert!(!ran.err.contains("moonstone"), "{ran:?}");
}

#[test]
fn a_check_reads_first_if_it_is_told_to() {
    let server = Server::good();
    let folder = drafts("read-check", 2);
    let check = |args: &[&str]| {
        let mut command = command(&folder, &[&["check", "drafts", "--output-format=json"], args].concat());
        command.env("TOLLPROOF_READER", "openai").env("TOLLPROOF_READER_URL", format!("{}/v1", server.url));
        Ran::new(command.output().expect("tollproof starts"))
    };
    let read = |ran: &Ran| {
        let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        report["summary"]["read"]["drafts"].clone()
    };
    let ran = check(&[]);
    assert_eq!((read(&ran), server.asked().len()), (json!(0), 0), "{ran:?}");
    let ran = check(&["--read"]);
    assert_eq!((read(&ran), server.asked().len()), (json!(2), 2), "{ran:?}");
    let ran = check(&["--read"]);
    assert_eq!((read(&ran), server.asked().len()), (json!(2), 0), "nothing is asked twice: {ran:?}");
}

#[test]
fn settings_can_require_readings() {
    let server = Server::good();
    let folder = Folder::new("read-required")
        .file("draft.json", DRAFT)
        .file("tollproof.yaml", "require-readings: true\n");
    let gate = ["gate", "draft.json", "--history=sqlite:past.db"];
    for args in [&["check", "draft.json"][..], &gate, &["submit", "draft.json", "--dry-run"]] {
        let ran = run(&folder, args);
        assert_eq!(ran.code, Some(1), "{args:?}: {ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains("Run `tollproof read`"), "{args:?}: {ran:?}");
    }
    let options = server.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let ran = run(&folder, &[&["read"], &options[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(run(&folder, &["check", "draft.json"]).code, Some(0));
    assert_eq!(run(&folder, &gate).code, Some(0));
    let folder = folder.file(
        "draft.json",
        draft(&json!({ "useCaseSummary": "Trip reminders for guests who booked a kayak tour with us." })),
    );
    assert_eq!(run(&folder, &["check", "draft.json"]).code, Some(1), "the answers are of an older text");
}

#[test]
fn anybody_can_measure_a_reader() {
    let server = Server::good();
    let folder = Folder::new("read-measured");
    let options = server.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let ran = run(&folder, &[&["rules", "eval"], &options[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("about 60 drafts: about") && ran.err.contains("It took "), "{ran:?}");
    assert!(ran.err.contains(" tokens were sent, "), "{ran:?}");
    assert!(ran.out.contains("good, false errors") && ran.out.contains("consent-required "), "{ran:?}");
    assert_eq!(server.asked().len(), 60);
    assert!(!folder.0.join(STORE).exists());
    let ran = run(&folder, &["rules", "eval"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn drafts_that_share_a_text_share_its_answer() {
    let server = Server::good();
    let folder = drafts("read-shared", 3);
    let options = server.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let ran = run(&folder, &[&["read", "drafts", "--jobs=1"], &options[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let asked: Vec<Vec<String>> = server
        .asked()
        .iter()
        .map(|asked| {
            asked
                .questions()
                .iter()
                .map(|question| question["id"].as_str().unwrap_or_default().to_owned())
                .collect()
        })
        .collect();
    assert_eq!(asked.len(), 3);
    assert!(asked[1].len() < asked[0].len() && asked[1] == asked[2], "{asked:?}");
    let sample = "sample-fits-use-case".to_owned();
    assert!(asked[0].contains(&sample) && !asked[1].contains(&sample), "{asked:?}");
}
