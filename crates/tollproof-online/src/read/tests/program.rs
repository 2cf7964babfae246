//! Programs that answer, fail, and do not end.

use std::fs;
use std::time::Instant;

use super::*;

fn shell(script: &str) -> Reader {
    shell_within(script, Duration::from_secs(20))
}

fn shell_within(script: &str, timeout: Duration) -> Reader {
    let words = json!(["sh", "-c", script]).to_string();
    let mut settings = settings(&[("TOLLPROOF_READER_COMMAND", &words)]).expect("nothing is missing");
    settings.timeout = timeout;
    Reader::new(settings).expect("nothing is missing")
}

#[test]
fn a_program_gets_the_line_and_its_object_is_the_answer() {
    let echo = shell("read line; echo \"thinking\"; echo \"$line\"");
    assert_eq!(ask(&echo).expect("it answers").text, prompt().line);
    assert_eq!((echo.name(), echo.is_local()), ("command `sh`", false));
    let shown = shell("cat --password=moonstone").shown(&prompt());
    assert!(shown.ends_with(&format!("\n\n{}\n", prompt().line)), "{shown}");
    // One that reads nothing.
    assert_eq!(ask(&shell(&format!("echo '{OBJECT}'"))).expect("it answers").text, OBJECT);
}

#[test]
fn large_questions_and_answers_do_not_block_each_other() {
    let line = format!("{{\"text\":\"{}\"}}", "a".repeat(3 << 20));
    let long = ReaderPrompt { line: line.clone(), ..prompt() };
    let mut settings = settings(&[("TOLLPROOF_READER_COMMAND", "cat")]).expect("nothing is missing");
    settings.timeout = Duration::from_secs(30);
    let reader = Reader::new(settings).expect("nothing is missing");
    assert!(reader.ask(&long, &|| false).expect("it answers").text == line);
    // It prints much before it reads.
    let late = "head -c 1000000 /dev/zero | tr '\\0' ' '; cat >/dev/null; echo '{}'";
    assert_eq!(shell(late).ask(&long, &|| false).expect("it answers").text, "{}");
}

#[test]
fn a_program_that_fails_is_an_error_without_its_output() {
    for (script, message) in [
        ("echo 'bakery texts'", "the answer of the reader contains no JSON object"),
        ("printf '\\377{}'", "the answer of the reader contains no JSON object"),
        ("true", "the answer of the reader contains no JSON object"),
        ("echo '{}'; exit 1", "the reader `sh` failed: exit status: 1"),
        ("kill -9 $$", "the reader `sh` failed: signal: 9 (SIGKILL)"),
        ("yes '{}'", "the answer of the reader is larger than 4 MiB"),
    ] {
        let error = error(&shell(script));
        assert_eq!(error.to_string(), message, "{script}");
        assert!(!error.is_final(), "{script}");
    }
    let missing = settings(&[("TOLLPROOF_READER_COMMAND", "no-such-program")]).expect("it is named");
    let error = error(&Reader::new(missing).expect("it is named"));
    assert!(
        error.to_string().starts_with("cannot run the reader `no-such-program`: no such file"),
        "{error}"
    );
    assert!(error.is_final());
}

#[test]
fn a_program_that_does_not_end_is_ended_with_all_that_it_started() {
    let folder = std::env::temp_dir().join(format!("tollproof-reader-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    let file = folder.join("alive");
    let script = format!("(while :; do date >>'{}'; sleep 0.05; done) & wait", file.display());
    let error = error(&shell_within(&script, Duration::from_millis(600)));
    assert!(matches!(error, ReaderError::TimedOut(_)), "{error}");
    let length = || fs::metadata(&file).expect("it was written").len();
    std::thread::sleep(Duration::from_millis(200));
    let before = length();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(length(), before, "it still runs");

    let started = Instant::now();
    let stop = || started.elapsed() > Duration::from_millis(100);
    assert!(matches!(shell("sleep 60").ask(&prompt(), &stop), Err(ReaderError::Stopped)));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    // What it leaves running does not delay the answer.
    let started = Instant::now();
    assert_eq!(ask(&shell("sleep 9 & echo '{}'")).expect("it answers").text, "{}");
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    fs::remove_dir_all(folder).expect("it can be removed");
}
