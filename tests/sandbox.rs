//! `tollproof sandbox`, and the walk that its page shows.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Folder;
use crate::walk::start;

/// A newcomer rehearses a rejection and its repair: the page, typed as it is.
#[cfg(unix)]
#[test]
fn the_walk_prints_what_the_page_shows() {
    crate::walk::type_walk("docs/sandbox.md", &[]);
}

#[test]
fn the_command_line_is_checked() {
    let folder = Folder::new("sandbox-options");
    for (args, error) in [
        (&["--listen", "0.0.0.0:0"][..], "use `--expose`"),
        (&["--review", "reject 99999"], "unknown code `99999`"),
        (&["--review-after", "soon"], "use a time such as 2d or 30m"),
        (&["--provider", "acme"], "possible values"),
        (&["--bird-path", "nowhere"], "is not a path"),
        (&["--webhook", "https://hooks.example.com/"], "is not an address of this machine"),
        (&["--store", "no/such/folder/store.sqlite"], "cannot open the store"),
    ] {
        let ran = folder.run(&[&["sandbox"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(error), "{args:?}: {}", ran.err);
    }
    let (_running, address) = start(&folder, &[]);
    let ran = folder.run(&["sandbox", "--listen", &address]);
    assert!(ran.code == Some(2) && ran.err.starts_with("error: cannot listen on"), "{}", ran.err);
}

/// Ends with status 0, and a file that the next sandbox can use.
#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let folder = Folder::new("sandbox-ends");
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL] {
        let (mut running, _) = start(&folder, &["--store", "store.sqlite"]);
        let process = Pid::from_raw(running.0.id().try_into().expect("it fits"));
        kill(process, signal).expect("it runs");
        let status = running.0.wait().expect("it ends");
        assert_eq!(status.code(), (signal != Signal::SIGKILL).then_some(0), "{signal}");
    }
}

/// Sends a request; `None` if no whole answer comes back.
fn send(address: &str, method: &str, path: &str, body: &str) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: AccessKey sandbox-key");
    let length = body.len();
    write!(stream, "{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, serde_json::from_str(body).ok()?))
}

/// The ids of numbers that were bought, and of those that were submitted.
#[derive(Default)]
struct Acknowledged {
    bought: Vec<Value>,
    submitted: Vec<Value>,
}

/// Buys and submits one number after the other, until the sandbox is gone.
fn work_until_the_end(address: &str, first: usize) -> Acknowledged {
    let workspace = "/bird/workspaces/w";
    let mut done = Acknowledged::default();
    let sample = include_str!("../schemas/bird/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(sample).expect("it is JSON");
    for at in first.. {
        let order = json!({ "numbers": [{ "number": format!("+1833555{at:04}"), "country": "US" }] });
        let path = format!("{workspace}/numbers");
        let Some((201, bought)) = send(address, "POST", &path, &order.to_string()) else { break };
        let id = bought["results"][0]["id"].clone();
        done.bought.push(id.clone());
        draft["phoneNumbers"] = json!([id]);
        let path = format!("{workspace}/toll-free-verifications");
        let Some((201, _)) = send(address, "POST", &path, &draft.to_string()) else { break };
        done.submitted.push(id);
    }
    done
}

/// Every answer is in the file, and nothing is in it twice. `SANDBOX_KILLS=200` kills it more often.
#[test]
fn a_killed_sandbox_keeps_what_it_answered_and_nothing_twice() {
    let kills: u64 = std::env::var("SANDBOX_KILLS").ok().and_then(|value| value.parse().ok()).unwrap_or(5);
    let folder = Folder::new("sandbox-killed");
    let mut all = Acknowledged::default();
    for round in 0..kills {
        let (running, address) = start(&folder, &["--store", "store.sqlite"]);
        // Each round leaves out the number that the last one may have bought without an answer.
        let first = all.bought.len() + usize::try_from(round).expect("it fits");
        let worker = thread::spawn(move || work_until_the_end(&address, first));
        thread::sleep(Duration::from_millis(20 + round * 7919 % 150));
        drop(running);
        let done = worker.join().expect("it ends");
        all.bought.extend(done.bought);
        all.submitted.extend(done.submitted);
    }
    let (_running, address) = start(&folder, &["--store", "store.sqlite"]);
    let (_, numbers) = send(&address, "GET", "/bird/workspaces/w/numbers", "").expect("it answers");
    let kept: Vec<String> =
        numbers["results"].as_array().expect("it is a list").iter().map(|it| it["id"].to_string()).collect();
    let (_, filings) = send(&address, "GET", "/_sandbox/submissions", "").expect("it answers");
    let filings = filings["submissions"].as_array().expect("it is a list").clone();
    let named: Vec<String> = filings.iter().map(|it| it["numbers"].to_string()).collect();
    for list in [&kept, &named] {
        assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len(), "nothing is there twice");
    }
    assert!(all.bought.iter().all(|id| kept.contains(&id.to_string())), "a number is missing");
    let unanswered = usize::try_from(kills).expect("it fits");
    assert!(kept.len() <= all.bought.len() + unanswered && filings.len() <= all.submitted.len() + unanswered);
    assert!(filings.len() >= all.submitted.len() && !all.submitted.is_empty(), "a submission is missing");
}
