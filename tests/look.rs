//! `tollproof look`: it opens what drafts name, stores what it saw, and `check` judges that without a network.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Folder, Ran};

const DRAFT: &str = include_str!("../schemas/bird/samples/submit-request.json");
const STORE: &str = ".tollproof/facts.ndjson";

/// A website on this machine: pages by path, and the requests for them.
#[derive(Clone)]
struct Site {
    host: String,
    pages: Arc<Mutex<Vec<(String, String)>>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let host = listener.local_addr().expect("it is bound").to_string();
        let site = Self { host, pages: Arc::default(), requests: Arc::default() };
        pages.iter().for_each(|(path, html)| site.set(path, html));
        let server = site.clone();
        // The threads end with the test program.
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let server = server.clone();
                std::thread::spawn(move || server.answer(connection));
            }
        });
        site
    }

    /// Sets a page, in place of what was there.
    fn set(&self, path: &str, html: &str) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(known, _)| known != path);
        pages.push((path.to_owned(), html.to_owned()));
    }

    fn answer(&self, mut connection: TcpStream) {
        let mut request = String::new();
        let mut lines = BufReader::new(&connection);
        while !request.ends_with("\r\n\r\n") && lines.read_line(&mut request).is_ok_and(|it| it > 0) {}
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        if path == "/slow" {
            std::thread::sleep(Duration::from_secs(30));
        }
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let page = pages.into_iter().find(|(known, _)| *known == path).map(|(_, html)| html);
        let status = if page.is_some() { "200 OK" } else { "404 Not Found" };
        let body = page.unwrap_or_default();
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n");
        // It fails where the other side has gone.
        let _ = connection.write_all((head + &body).as_bytes());
    }

    /// The paths that were asked for since the last call, sorted, with the requests.
    fn asked(&self) -> (Vec<String>, Vec<String>) {
        let requests = std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner));
        let mut paths: Vec<String> =
            requests.iter().map(|request| request.split(' ').nth(1).unwrap_or_default().to_owned()).collect();
        paths.sort();
        (paths, requests)
    }

    /// The clean draft, with its addresses at this site and an e-mail address whose domain is not looked up.
    fn draft(&self) -> String {
        DRAFT
            .replace("https://www.quillbackkayak.com", &format!("http://{}", self.host))
            .replace("irene.castellano@quillbackkayak.com", "")
    }
}

const HOME: &str = "<html lang=en><title>Quillback Kayak Tours</title><body><h1>Day trips in Casco Bay</h1>
    <p>We guide small groups to the islands, harbors and lighthouses of Casco Bay, from May to October, whatever your level.
    Boats, paddles, vests and lunch are included; the guides were all born here.
    <footer>© 2026 Quillback Kayak Tours LLC <a href=/terms>Terms of service</a></footer>";
const BOOK: &str = "<html lang=en><title>Book a trip</title><body><form action=/done method=post>
    <label>Name <input name=name></label> <label>Mobile phone <input type=tel name=phone></label>
    <label><input type=checkbox name=texts TICKED> Text me about my trip from Quillback Kayak Tours. About 3 messages per
    trip. Message and data rates may apply. Reply STOP to opt out, HELP for help.</label><button>Book</button></form>
    <p>Read the <a href=/privacy>privacy policy</a> and the <a href=/terms>terms</a>.";
const PRIVACY: &str = "<html lang=en><title>Privacy policy</title><body><h1>Privacy policy</h1>
    <p>We collect your name, your phone number and the trips that you book. Mobile numbers and consent to text messages are
    not shared with third parties for their marketing. Write to us to have your data deleted.";
const TERMS: &str = "<html lang=en><title>Terms</title><body><h1>Terms of service</h1><p>Trips depend on the weather. \
    About 3 messages per trip. Message and data rates may apply. Reply STOP to opt out, HELP for help.";

fn site() -> Site {
    let ticked = BOOK.replace("TICKED", "checked");
    let picture = "<html><title>Sign in</title><body>Sign in to see this file";
    let pages =
        [("/", HOME), ("/book", &ticked), ("/terms", TERMS), ("/images/booking-text-box.png", picture)];
    Site::start(&pages)
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn facts(folder: &Folder) -> Vec<Value> {
    let text = fs::read_to_string(folder.0.join(STORE)).expect("facts were stored");
    text.lines().map(|line| serde_json::from_str(line).expect("a fact is JSON")).collect()
}

/// The rules that a site on this machine breaks.
const OTHERS: &str = "--ignore=structure,website/not-the-business,content/reserved-domain,opt-in/image-not-public,opt-in/insecure-url,website/insecure-url";

/// The rules that a check reports.
fn found(folder: &Folder) -> Vec<String> {
    let report = json(&folder.run(&["check", "draft.json", "--output-format", "json", OTHERS]));
    let findings = report["findings"].as_array().expect("a list").iter();
    let mut rules: Vec<String> =
        findings.map(|finding| finding["rule"].as_str().expect("it has one").to_owned()).collect();
    rules.sort();
    rules
}

#[test]
fn what_is_seen_is_judged_until_it_is_repaired() {
    let site = site();
    let folder = Folder::new("look-repaired").file("draft.json", site.draft());
    let ran = folder.run(&["look", "--dry-run"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.out.contains("/book  ") && ran.out.contains("opt-in page"), "{ran:?}");
    assert_eq!(site.asked().0, Vec::<String>::new(), "nothing is opened");
    assert!(!folder.0.join(STORE).exists(), "nothing is stored");

    let ran = folder.run(&["look", "--allow-private"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.out.contains("/privacy  "), "{ran:?}");
    assert!(ran.out.contains("not found (404)"), "{ran:?}");
    assert!(ran.out.contains("5 addresses: 4 seen, 1 did not open"), "{ran:?}");
    let (paths, requests) = site.asked();
    assert_eq!(paths, ["/", "/book", "/images/booking-text-box.png", "/privacy", "/terms"]);
    for request in &requests {
        let request = request.to_ascii_lowercase();
        assert!(request.starts_with("get ") && request.contains("user-agent: tollproof/"), "{request}");
        for never in ["cookie", "referer", "authorization", "castellano"] {
            assert!(!request.contains(never), "{request}");
        }
    }
    let stored = facts(&folder);
    let addresses: Vec<&str> =
        stored.iter().map(|fact| fact["address"].as_str().expect("it has one")).collect();
    assert!(addresses.is_sorted() && addresses.len() == 5, "{addresses:?}");
    assert_eq!(found(&folder), ["disclosure/not-found", "opt-in/page-differs", "picture/page-instead"]);
    assert_eq!(site.asked().0, Vec::<String>::new(), "a check opens nothing");

    // What did not open is opened again; what was seen is not.
    site.set("/privacy", PRIVACY);
    let ran = folder.run(&["look", "--allow-private"]);
    assert!(ran.out.contains("5 addresses: 5 seen\n4 facts from earlier looks"), "{ran:?}");
    assert_eq!(site.asked().0, ["/privacy"]);
    site.set("/book", &BOOK.replace("TICKED", ""));
    folder.run(&["look", "--allow-private", "--again"]);
    assert_eq!(found(&folder), ["picture/page-instead"]);
}

#[test]
fn private_addresses_are_not_opened_unless_the_command_line_says_so() {
    let site = site();
    let folder = Folder::new("look-private")
        .file("draft.json", site.draft())
        .file("tollproof.yaml", "facts: seen.ndjson\n");
    let ran = folder.run(&["look", "--output-format", "json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let seen = json(&ran);
    let all = seen["addresses"].as_array().expect("a list");
    let is_refused = |address: &Value| {
        address["outcome"] == "not-checked"
            && matches!(address["why"].as_str(), Some("private-address" | "other-port"))
    };
    assert!(all.len() == 4 && all.iter().all(is_refused), "{seen}");
    assert_eq!(seen["files"], json!(["seen.ndjson"]));
    assert_eq!(site.asked().0, Vec::<String>::new());
    assert_eq!(found(&folder), Vec::<String>::new(), "what was not seen is not a finding");
    let ran = folder.run(&["check", "draft.json", OTHERS]);
    assert!(ran.out.contains("4 addresses that could not be seen"), "{ran:?}");

    // A project says neither that they are allowed, nor that a file elsewhere is written.
    let outside = "facts: ../look-outside.ndjson\n";
    let elsewhere =
        Folder::new("look-elsewhere").file("draft.json", site.draft()).file("tollproof.yaml", outside);
    let ran = elsewhere.run(&["look"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("`facts:` in tollproof.yaml must be below its folder"), "{ran:?}");
    assert!(!elsewhere.0.join("../look-outside.ndjson").exists());
    for line in ["allow-private: true\n", "look: {allow-private: true}\n"] {
        let folder =
            Folder::new("look-allowed").file("draft.json", site.draft()).file("tollproof.yaml", line);
        let ran = folder.run(&["look"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
    assert_eq!(site.asked().0, Vec::<String>::new());
}

#[test]
fn a_file_that_is_not_a_store_is_left_as_it_is() {
    let site = site();
    let folder =
        Folder::new("look-files").file("draft.json", site.draft()).file("notes.txt", "Call Irene.\n");
    let ran = folder.run(&["look", "--allow-private", "--facts", "notes.txt"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("`notes.txt` has no facts and is not changed; use another file"), "{ran:?}");
    assert_eq!(fs::read_to_string(folder.0.join("notes.txt")).expect("it is there"), "Call Irene.\n");
    let ran = folder.run(&["look", "--allow-private", "--facts", "draft.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(fs::read_to_string(folder.0.join("draft.json")).expect("it is there"), site.draft());
    assert_eq!(site.asked().0, Vec::<String>::new());

    // Lines that are not facts are named, and go when the store is written.
    let folder = folder.file(
        "mine.ndjson",
        "<<<<<<< mine\n{\"address\":\"https://acme.com/\",\"at\":\"2026-11-01T08:00:00Z\",\"version\":1,\"outcome\":\"seen\"}\n",
    );
    let ran = folder.run(&["look", "--allow-private", "--facts", "mine.ndjson"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("line 1"), "{ran:?}");
    let stored = fs::read_to_string(folder.0.join("mine.ndjson")).expect("it is there");
    assert!(stored.contains("https://acme.com/") && stored.contains("/book"), "{stored}");
}

#[test]
fn drafts_come_from_standard_input_too() {
    let site = site();
    let folder = Folder::new("look-typed");
    let ran = folder.pipe(&["look", "-", "--allow-private"], &site.draft());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(facts(&folder).len(), 5);
    let ran = folder.pipe(&["look", "-"], "not a draft");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no draft was found; name a file or folder with drafts"), "{ran:?}");
    let ran = folder.run(&["look", "https://www.quillbackkayak.com/"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("is an address; name a file with a draft, or use `-` for standard input"),
        "{ran:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_keeps_what_it_saw() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let site = site();
    let slow = site.draft().replace("/privacy.", "/slow.");
    let folder = Folder::new("look-stopped").file("draft.json", slow);
    let child = folder
        .command(&["look", "--allow-private", "--output-format", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("tollproof starts");
    std::thread::sleep(Duration::from_millis(1_500));
    kill(Pid::from_raw(child.id().try_into().expect("it fits")), Signal::SIGINT).expect("it runs");
    let ran = Ran::new(child.wait_with_output().expect("tollproof ends"));
    assert_eq!(ran.code, Some(130), "{ran:?}");
    let mut kept = facts(&folder);
    kept.retain(|it| it["outcome"] == "seen");
    assert_eq!(kept.len(), 3, "{kept:?}");
}

/// A page with a script that makes the form, as site builders have them.
#[cfg(target_os = "linux")]
const SCRIPTED: &str = "<html lang=en><title>Book a trip</title><body><div id=root></div><script>
    document.getElementById('root').innerHTML = `<h1>Book a trip</h1><form><label>Mobile phone <input type=tel name=phone></label>
    <label><input type=checkbox id=texts> Text me about my trip from Quillback Kayak Tours. About 3 messages per trip. Message and
    data rates may apply. Reply STOP to opt out, HELP for help.</label><button>Book</button></form>`;
    document.getElementById('texts').checked = true;
    </script>";

#[cfg(target_os = "linux")]
#[test]
fn a_page_of_scripts_is_seen_in_a_browser_and_its_form_is_pictured() {
    use std::os::unix::fs::MetadataExt as _;

    let has_browser = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("chromium").exists()));
    if !has_browser && std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none() {
        // .ci/run installs it, and asks for it.
        return;
    }
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    let word: &[&str] = if is_root { &["--no-sandbox"] } else { &[] };
    let site = site();
    site.set("/book", SCRIPTED);
    let folder = Folder::new("look-browser").file("draft.json", site.draft());
    let ran = folder.run(&["look", "--allow-private", "--no-browser"]);
    assert!(
        ran.out.contains("/book  ") && ran.out.contains("not checked: the page needs a browser"),
        "{ran:?}"
    );
    if is_root {
        let ran = folder.run(&["look", "--allow-private"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.contains("--no-sandbox"), "{ran:?}");
    }
    let ran = folder.run(&[&["look", "--allow-private"], word].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(found(&folder), ["disclosure/not-found", "opt-in/page-differs", "picture/page-instead"]);

    let address = format!("http://{}/book", site.host);
    let picture = |more: &[&str]| {
        folder.run(
            &[&["look", "--picture", &address, "-o", "opt-in.png", "--allow-private"], word, more].concat(),
        )
    };
    let ran = picture(&[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.starts_with("Wrote `opt-in.png`: ") && !ran.err.contains("warning"), "{ran:?}");
    let png = fs::read(folder.0.join("opt-in.png")).expect("it was written");
    assert!(png.starts_with(b"\x89PNG") && png.len() <= 400_000, "{} bytes", png.len());
    let ran = picture(&[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("`opt-in.png` exists already and is not changed"), "{ran:?}");
    assert_eq!(picture(&["--force"]).code, Some(0));
}
