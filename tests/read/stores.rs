//! Stores that are not what they should be, two runs at once, and a run that is stopped.

use super::*;

#[test]
fn a_store_after_a_merge_keeps_both_sides() {
    let server = Server::good();
    let folder = drafts("read-merged", 3);
    assert_eq!(ask(&folder, &server, &[]).code, Some(0));
    let text = fs::read_to_string(folder.0.join(STORE)).expect("it was written");
    let lines: Vec<&str> = text.lines().collect();
    let other = lines[2].replace("\"version\":1", "\"version\":2");
    let merged = [
        "<<<<<<< ours",
        lines[0],
        "=======",
        lines[1],
        ">>>>>>> theirs",
        "",
        "not JSON",
        "[1, 2]",
        &other,
        &other,
        "{\"version\":1,\"id\":\"a\"}",
        "{\"version\":1,\"id\":\"\u{1b}[31m\",\"answers\":",
        "\u{0}\u{0}",
    ]
    .join("\r\n");
    let folder = folder.file(STORE, merged);
    let ran = run(&folder, &["check", "drafts"]);
    assert!(ran.err.contains("line 1 marks a merge conflict") && ran.err.contains("more lines"), "{ran:?}");
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
    server.asked();
    let ran = ask(&folder, &server, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("line 4 is in the format of version 2"), "{ran:?}");
    assert_eq!(server.asked().len(), 1, "both sides count, and the third is in another format");
    let mut kept = stored(&folder);
    assert_eq!(kept.iter().filter(|it| it["version"] == 2).count(), 1, "what a newer version wrote is kept");
    kept.retain(|it| it["version"] == 1);
    assert_eq!(kept.len(), 3);
}

#[test]
fn a_file_that_is_not_a_store_is_left_as_it_is() {
    let server = Server::good();
    let folder = Folder::new("read-files").file("draft.json", DRAFT).file("notes.txt", "Call Irene.\n");
    fs::create_dir(folder.0.join("folder")).expect("writable");
    for (name, words) in [
        ("notes.txt", "`notes.txt` has no readings and is not changed; use another file"),
        ("draft.json", "`draft.json`: it is a draft that this run reads"),
        ("folder", "cannot read the readings `folder`"),
        ("tollproof.yaml", "`tollproof.yaml`: it is "),
    ] {
        let folder = Folder(folder.0.clone()).file("tollproof.yaml", "fail-on: error\n");
        let ran = ask(&folder, &server, &["draft.json", "--readings", name]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.err.contains(words) && !ran.err.contains("Call Irene"), "{name}: {ran:?}");
    }
    assert_eq!(fs::read_to_string(folder.0.join("notes.txt")).expect("it is there"), "Call Irene.\n");
    assert_eq!(fs::read_to_string(folder.0.join("draft.json")).expect("it is there"), DRAFT);
    assert_eq!(server.asked().len(), 0, "it is noticed before anything is sent");
    // A project does not have a file elsewhere written.
    for outside in ["../read-outside.ndjson", "/tmp/read-outside.ndjson"] {
        let folder = Folder::new("read-outside")
            .file("draft.json", DRAFT)
            .file("tollproof.yaml", format!("readings: {outside}\n"));
        let ran = ask(&folder, &server, &[]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("`readings:` in tollproof.yaml must be below its folder"), "{ran:?}");
    }
    assert_eq!(server.asked().len(), 0);
}

#[cfg(unix)]
#[test]
fn a_link_of_a_project_leads_to_no_file_elsewhere() {
    let server = Server::good();
    let elsewhere = Folder::new("read-link-elsewhere").file("empty", "").file("private", "key: moonstone\n");
    for name in ["empty", "private", "missing"] {
        let folder = Folder::new("read-link").file("draft.json", DRAFT).file(".tollproof/a", "");
        std::os::unix::fs::symlink(elsewhere.0.join(name), folder.0.join(STORE)).expect("writable");
        let ran = ask(&folder, &server, &[]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(!ran.err.contains("moonstone"), "{ran:?}");
        assert_eq!(server.asked().len(), 0, "{name}");
    }
    assert_eq!(fs::read_to_string(elsewhere.0.join("empty")).expect("it is there"), "");
    assert!(!elsewhere.0.join("missing").exists());
    // Whoever names the file may have a link there.
    let folder = Folder::new("read-link-own").file("draft.json", DRAFT).file("real.ndjson", "");
    std::os::unix::fs::symlink("real.ndjson", folder.0.join("mine.ndjson")).expect("writable");
    let ran = ask(&folder, &server, &["draft.json", "--readings=mine.ndjson"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(folder.0.join("mine.ndjson").is_symlink(), "the link stays");
    assert_eq!(fs::read_to_string(folder.0.join("real.ndjson")).expect("it is there").lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_noticed() {
    let server = Server::good();
    let folder = Folder::new("read-blocked").file("draft.json", DRAFT).file(".tollproof", "a file\n");
    let ran = ask(&folder, &server, &[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains(".tollproof"), "{ran:?}");
}

#[test]
fn two_runs_at_once_lose_nothing() {
    let server = Server::start(|_, asked| {
        std::thread::sleep(Duration::from_millis(20));
        Play::Bytes(openai(&json!({ "answers": asked.harmless() }).to_string()))
    });
    let folder = drafts("read-both", 12);
    let options = server.options();
    let run = |first: usize| {
        let files: Vec<String> = (first..12).step_by(4).map(|at| format!("drafts/{at}.json")).collect();
        let args: Vec<&str> =
            ["read"].into_iter().chain(options.iter().chain(&files).map(String::as_str)).collect();
        command(&folder, &args)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("tollproof starts")
    };
    let runs = [0, 1, 2, 3].map(run);
    for child in runs {
        let ran = Ran::new(child.wait_with_output().expect("tollproof ends"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert_eq!(stored(&folder).len(), 12);
    let names = fs::read_dir(folder.0.join(".tollproof")).expect("it is there");
    let names: Vec<_> = names.map(|entry| entry.expect("it is there").file_name()).collect();
    assert_eq!(names, ["readings.ndjson"], "nothing else is left");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_keeps_what_was_answered() {
    let server = Server::start(|at, asked| {
        let answer = openai(&json!({ "answers": asked.harmless() }).to_string());
        if at < 2 { Play::Bytes(answer) } else { Play::Stall(Vec::new(), 30) }
    });
    let folder = drafts("read-stopped", 4);
    let options = server.options();
    let args: Vec<&str> =
        ["read", "--jobs=1"].into_iter().chain(options.iter().map(String::as_str)).collect();
    let ran = stopped(&server, 3, &mut command(&folder, &args));
    assert!(ran.err.contains("not answered, because the run was stopped: 2 drafts; run it again"), "{ran:?}");
    assert_eq!(stored(&folder).len(), 2);
    server.asked();

    // A check asks about four drafts at once.
    let folder = drafts("read-stopped-check", 4);
    let mut check = command(&folder, &["check", "drafts", "--read"]);
    check.env("TOLLPROOF_READER", "openai").env("TOLLPROOF_READER_URL", format!("{}/v1", server.url));
    let ran = stopped(&server, 4, &mut check);
    assert!(ran.err.contains("because the run was stopped: 2 drafts"), "{ran:?}");
    assert_eq!(stored(&folder).len(), 2);
}

/// Runs a command and stops it, once so many requests came and those with an answer had the time to arrive.
#[cfg(unix)]
fn stopped(server: &Server, requests: usize, command: &mut std::process::Command) -> Ran {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("tollproof starts");
    while !server.asked.lock().is_ok_and(|asked| asked.len() == requests) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let started = std::time::Instant::now();
    kill(Pid::from_raw(child.id().try_into().expect("it fits")), Signal::SIGINT).expect("it runs");
    let ran = Ran::new(child.wait_with_output().expect("tollproof ends"));
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(started.elapsed() < Duration::from_secs(10), "the request on its way is left: {ran:?}");
    ran
}

#[test]
fn hostile_lines_take_neither_memory_nor_place() {
    let folder = Folder::new("read-hostile-store").file("draft.json", DRAFT);
    let line = |more: &str| {
        format!(
            "{{\"id\":\"a\",\"version\":1,\"at\":\"2026-01-01T00:00:00Z\",\"reader\":\"x\",\"answers\":{more}}}\n"
        )
    };
    let deep = line(&"{\"a\":".repeat(100_000));
    let many: String = (0..10_000)
        .map(|at| format!("\"{at}\":{{\"asked\":\"{at}\",\"answer\":\"yes\",\"sure\":true}},"))
        .collect();
    let many = line(&format!("{{{}}}", many.trim_end_matches(',')));
    let quote = line(&format!(
        "{{\"a\":{{\"asked\":\"b\",\"answer\":\"yes\",\"quote\":\"{}\",\"sure\":true}}}}",
        "q".repeat(1_900_000)
    ));
    let far = line("{}").replace("2026-01-01T00:00:00Z", "9999-12-31T00:00:00Z");
    let name = line("{}").replace("\"x\"", &format!("\"{}\\u001b[31m\"", "n".repeat(1_000_000)));
    let bad = "x\n".repeat(3_000_000);
    let folder = folder.file(STORE, [deep, many, quote, far, name, bad].concat());
    let started = std::time::Instant::now();
    let ran = run(&folder, &["check", "draft.json"]);
    assert_ne!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.len() < 1_000 && !ran.err.contains('\u{1b}'), "{}", ran.err.len());
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    let ran = ask(&folder, &Server::good(), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let size = fs::metadata(folder.0.join(STORE)).expect("it is there").len();
    assert!(size < 4 << 20, "{size}");
}
