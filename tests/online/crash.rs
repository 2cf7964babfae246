//! The program is killed at random moments, and run by many at once: each number is submitted once, and is in the history.
//!
//! `TOLLPROOF_KILLS` says how often it is killed. PostgreSQL is used too where `TOLLPROOF_TEST_POSTGRES` has its address.

use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Desk, PROVIDERS, clean};
use crate::support::Ran;

/// The accounts that the sandbox has for each provider without settings.
const ACCOUNTS: [&str; 6] = [
    "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
    "AC5a6d0b0c7e1f4d2a9b3c8e7f60718293",
    "",
    "9900000",
    "",
    "MASANDBOX00000000000",
];

/// What is sent counts as lost after three times this time.
const TIMEOUT: &str = "--timeout=1s";

/// How many programs are killed at the same time.
const LANES: usize = 4;

/// How many programs run at once.
const PROGRAMS: usize = 8;

/// How many programs are started at most for each that is killed while it runs.
const MOST_RUNS: usize = 8;

/// How long a number may take in the end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes a number one of the account, and writes a draft for it.
fn prepare(desk: &Desk, provider: usize, number: &str, file: &str) {
    let (name, account) = (PROVIDERS[provider], ACCOUNTS[provider]);
    let digits = &number[2..];
    let id = match name {
        "bird" => format!("5f1c8f0e-7a7b-4d55-9c1e-{digits:0>12}"),
        "twilio" => format!("PN{digits:0>32}"),
        "infobip" => format!("{digits:0>32}"),
        _ => format!("id-{digits}"),
    };
    let body = json!({ "provider": name, "account": account, "number": number, "id": id });
    desk.control("POST", "/_sandbox/numbers", &body.to_string());
    desk.write(file, &clean(name, number));
}

fn start(desk: &Desk, files: &str, history: &str) -> Child {
    let sandbox = format!("--sandbox={}", desk.sandbox.url());
    let args = ["submit", files, "--yes", TIMEOUT, "--history", history, &sandbox];
    let mut command = desk.command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tollproof starts")
}

/// Runs the command until everything is submitted.
fn finish(desk: &Desk, files: &str, history: &str) {
    let end = Instant::now() + PATIENCE;
    loop {
        let ran = Ran::new(start(desk, files, history).wait_with_output().expect("it ends"));
        if ran.code == Some(0) {
            return;
        }
        let may_go_on = ran.code != Some(2) && Instant::now() < end;
        assert!(may_go_on, "{files} is not submitted: {ran:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Each number has one submission, which is in the history.
fn check(desk: &Desk, numbers: &[String], history: &str) {
    let all = desk.control("GET", "/_sandbox/submissions", "");
    let all = all["submissions"].as_array().expect("it is a list");
    let host = desk.sandbox.url();
    let list = ["history", "list", "--history", history, "--output-format", "json", "--host", &host];
    let kept = Ran::new(desk.command(&list).output().expect("tollproof starts"));
    for number in numbers {
        let of_number: Vec<&Value> =
            all.iter().filter(|it| it["numbers"].to_string().contains(number.as_str())).collect();
        assert_eq!(of_number.len(), 1, "{number}: {of_number:#?}");
        let id = of_number[0]["id"].as_str().expect("it has one").to_lowercase();
        assert!(kept.out.to_lowercase().contains(&id), "{number} is not in the history: {kept:?}");
    }
}

/// The fraction of 1 that a number of steps of the golden ratio ends at: spread evenly, and different in each run.
fn moment(step: usize) -> f64 {
    let start = f64::from(std::process::id() % 1000) / 1000.0;
    (start + f64::from(u32::try_from(step).expect("it is small")) * 0.618_033_988_75).fract()
}

#[test]
fn a_program_that_is_killed_goes_on_and_sends_nothing_twice() {
    let kills = std::env::var("TOLLPROOF_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let desk = Desk::reviewing_after("killed", "approve", 2);
    let history = "sqlite:past.db";
    let mut numbers = Vec::new();
    let mut whole = [Duration::ZERO; PROVIDERS.len()];
    for (provider, whole) in whole.iter_mut().enumerate() {
        let number = format!("+1844555{provider:04}");
        prepare(&desk, provider, &number, "whole.json");
        let begun = Instant::now();
        finish(&desk, "whole.json", history);
        *whole = begun.elapsed();
        numbers.push(number);
    }
    // A program that ended before it was killed shows nothing, and does not count.
    let next = AtomicUsize::new(0);
    let in_flight = AtomicUsize::new(0);
    let numbers = Mutex::new(numbers);
    std::thread::scope(|scope| {
        for lane in 0..LANES {
            let (desk, next, in_flight, whole, numbers) = (&desk, &next, &in_flight, &whole, &numbers);
            scope.spawn(move || {
                let file = format!("draft-{lane}.json");
                while in_flight.load(Ordering::Relaxed) < kills {
                    let run = next.fetch_add(1, Ordering::Relaxed);
                    assert!(run < kills * MOST_RUNS, "too few programs were running when they were killed");
                    let provider = run % PROVIDERS.len();
                    let number = format!("+1855555{run:04}");
                    prepare(desk, provider, &number, &file);
                    let mut child = start(desk, &file, history);
                    std::thread::sleep(whole[provider].mul_f64(moment(run)));
                    child.kill().expect("it is ours");
                    let has_ended = child.wait().expect("it ended").code().is_some();
                    in_flight.fetch_add(usize::from(!has_ended), Ordering::Relaxed);
                    finish(desk, &file, history);
                    numbers.lock().expect("no lane failed").push(number);
                }
            });
        }
    });
    check(&desk, &numbers.into_inner().expect("no lane failed"), history);
}

fn many_at_once(name: &str, history: &str) {
    let desk = Desk::reviewing_after(name, "approve", 2);
    let mut numbers = Vec::new();
    for at in 0..PROVIDERS.len() * 2 {
        let number = format!("+1866555{at:04}");
        prepare(&desk, at % PROVIDERS.len(), &number, &format!("drafts/{at}.json"));
        numbers.push(number);
    }
    let programs: Vec<Child> = (0..PROGRAMS).map(|_| start(&desk, "drafts", history)).collect();
    for mut program in programs {
        program.wait().expect("it ends");
    }
    finish(&desk, "drafts", history);
    check(&desk, &numbers, history);
    assert_eq!(desk.calls("submit"), numbers.len());
}

#[test]
fn many_programs_submit_the_same_drafts_once() {
    many_at_once("at-once", "sqlite:past.db");
}

#[cfg(feature = "postgres")]
#[test]
fn many_programs_submit_the_same_drafts_once_with_postgresql() {
    let Ok(url) = std::env::var("TOLLPROOF_TEST_POSTGRES") else { return };
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the server answers");
    client
        .batch_execute("DROP SCHEMA IF EXISTS t_at_once CASCADE; CREATE SCHEMA t_at_once")
        .expect("a schema can be made");
    many_at_once("at-once-postgres", &format!("{url}?options=-csearch_path%3Dt_at_once"));
}
