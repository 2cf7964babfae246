//! Tests of `tollproof new --ask` on a pseudo-terminal.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use serde_json::{Value, json};
use tollproof_core::Provider;

use crate::support::Folder;

const PATIENCE: Duration = Duration::from_secs(60);

const ENTER: &str = "\r";
const ESCAPE: &str = "\u{1b}";
const DOWN: &str = "\u{1b}[B";
const CTRL_C: &str = "\u{3}";
const CTRL_U: &str = "\u{15}";

/// tollproof on a terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// The text written since the last text that was waited for, without escape sequences.
    shown: String,
}

impl Terminal {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let size = Winsize { ws_row: 50, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(Some(&size), None).expect("there are terminals");
        let slave = || Stdio::from(terminal.slave.try_clone().expect("it is open"));
        let mut command = folder.command(&[&["--color=never", "new", "--ask"], args].concat());
        command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        let child = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn().expect("tollproof starts");
        let keyboard = File::from(terminal.master);
        let mut output = keyboard.try_clone().expect("it is open");
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the terminal is closed.
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..read].to_owned()).is_err() {
                    break;
                }
            }
        });
        Self { child, keyboard, screen, shown: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the terminal is open");
    }

    /// Waits until a text is shown, and returns what was shown until its end.
    fn after(&mut self, text: &str) -> String {
        let start = Instant::now();
        loop {
            if let Some(at) = self.shown.find(text) {
                let rest = self.shown.split_off(at + text.len());
                return std::mem::replace(&mut self.shown, rest);
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => self.shown += &plain(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("`{text}` is not shown after:\n{}", self.shown),
            }
        }
    }

    /// Reads raw output up to a text, with escape sequences.
    fn raw_until(&mut self, text: &str) -> String {
        let mut raw = String::new();
        while !raw.contains(text) {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => raw += &String::from_utf8_lossy(&bytes),
                Err(_) => panic!("`{text}` is not written after {raw:?}"),
            }
        }
        self.shown += &plain(&raw);
        raw
    }

    /// Answers a prompt with keys and Enter.
    fn answer(&mut self, label: &str, keys: &str) {
        self.after(&format!("? {label}:"));
        self.press(keys);
        self.press(ENTER);
    }

    fn end(mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            // The terminal must be read for the program to end.
            while let Ok(bytes) = self.screen.try_recv() {
                self.shown += &plain(&String::from_utf8_lossy(&bytes));
            }
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end after:\n{}", self.shown);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text without the sequences that control a terminal.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain += before;
        let end = after.strip_prefix('[').and_then(|rest| rest.find(|c: char| ('@'..='~').contains(&c)));
        rest = end.map_or(after, |end| &after[end + 2..]);
    }
    (plain + rest).replace('\r', "")
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Answers all questions with the fields of a draft at the default provider.
fn answer_all(terminal: &mut Terminal, draft: &Value, schema: &Value) {
    for number in 1.. {
        // The title, the name of the field, and which of how many it is.
        let shown = terminal.after(&format!(", {number} of "));
        let (_, head) = shown.rsplit_once("  ").expect("the title is before the name");
        let name = head.split(' ').next().unwrap_or_default().to_owned();
        let is_last = terminal.after(")\n") == format!("{number})\n");
        match (&draft[&name], schema["$defs"][&name]["type"].as_str()) {
            (Value::Null, _) => terminal.answer(&name, ""),
            (Value::Array(items), _) => {
                for (at, item) in items.iter().enumerate() {
                    terminal.answer(&format!("{name} {}", at + 1), item.as_str().expect("it is a text"));
                }
                terminal.answer(&format!("{name} {}", items.len() + 1), "");
            }
            (Value::Bool(value), _) => terminal.answer(&name, if *value { "yes" } else { "no" }),
            (value, _) => terminal.answer(&name, value.as_str().expect("it is a text")),
        }
        if is_last {
            break;
        }
    }
}

#[test]
fn every_field_of_a_clean_draft_can_be_typed() {
    let draft: Value = serde_json::from_str(include_str!("drafts/harbor-dental.json")).expect("it is JSON");
    let schema: Value =
        serde_json::from_str(include_str!("../schemas/bird/submit-request.schema.json")).expect("it is JSON");
    for name in ["drafts/new.yaml", "new.json"] {
        let folder = Folder::new(&format!("ask-all-{}", name.len()));
        let mut terminal = Terminal::start(&folder, &["--provider", "bird", name]);
        answer_all(&mut terminal, &draft, &schema);
        let end = terminal.after("Next: tollproof check ");
        assert!(end.contains("Nothing was found in it."), "{end}");
        assert_eq!(terminal.end(), Some(0));
        let text = read(&folder, name);
        let written: Value = serde_yaml::from_str(&text).expect("JSON is YAML too");
        assert_eq!(written, draft, "{text}");
        let ran = folder.run(&["check", "--min-severity", "info", name]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn findings_are_shown_at_once_and_a_fix_is_offered() {
    let folder = Folder::new("ask-findings");
    let mut terminal = Terminal::start(&folder, &["--provider", "twilio", "acme.json"]);
    terminal.answer("BusinessName", "Fernhollow Flowers LLC");
    terminal.answer("BusinessWebsite", "fernhollowflowers.com");
    let shown = terminal.after("? What now?");
    assert!(shown.contains("error: `fernhollowflowers.com` is not a full web address"), "{shown}");
    assert!(shown.contains("(website/malformed-url)"), "{shown}");
    terminal.after("> Write \"https://fernhollowflowers.com\"");
    terminal.press(ENTER);
    terminal.answer("NotificationEmail", "hello@");
    terminal.after("? What now?");
    // The answer is changed, with what was typed before.
    terminal.press(ENTER);
    terminal.answer("NotificationEmail", "fernhollowflowers.com");
    // Esc goes back, and what was answered stays.
    terminal.after("? UseCaseCategories:");
    terminal.press(ESCAPE);
    terminal.after("? NotificationEmail: hello@fernhollowflowers.com");
    terminal.press(ENTER);
    terminal.after("? UseCaseCategories:");
    terminal.press(DOWN);
    terminal.press(" ");
    terminal.press(ENTER);
    terminal.after("? UseCaseSummary:");
    let written: Value = serde_json::from_str(&read(&folder, "acme.json")).expect("it is JSON");
    assert_eq!(
        written,
        json!({
            "BusinessName": "Fernhollow Flowers LLC",
            "BusinessWebsite": "https://fernhollowflowers.com",
            "NotificationEmail": "hello@fernhollowflowers.com",
            "UseCaseCategories": ["ACCOUNT_NOTIFICATIONS"],
        })
    );
    terminal.press(CTRL_C);
    let end = terminal.after("acme.json\n");
    assert!(
        end.contains("`acme.json` has 4 answers. To go on: tollproof new --ask --provider twilio acme.json"),
        "{end}"
    );
    assert_eq!(terminal.end(), Some(130));
}

#[test]
fn a_draft_is_continued_where_it_was_left_and_keeps_its_comments() {
    let folder = Folder::new("ask-again");
    let mut terminal = Terminal::start(&folder, &["--provider", "bird", "a.yaml"]);
    terminal.answer("businessName", "Cedar Hollow Auto Care LLC");
    terminal.after("? businessAddr1:");
    terminal.press(CTRL_C);
    terminal.after("`a.yaml` has 1 answer. To go on: tollproof new --ask a.yaml");
    assert_eq!(terminal.end(), Some(130));
    let text = read(&folder, "a.yaml");
    assert_eq!(text, "# tollproof: kind=submit-request\nbusinessName: \"Cedar Hollow Auto Care LLC\"\n");
    let folder = folder.file("a.yaml", text.replace("businessName", "# As in the register.\nbusinessName"));
    let mut terminal = Terminal::start(&folder, &["a.yaml"]);
    terminal.after("1 answer already.");
    // A text that is pasted with line breaks is one answer.
    terminal.after("? businessAddr1:");
    terminal.press("\u{1b}[200~12 Mill\nRoad \u{1b}[201~");
    terminal.press(ENTER);
    terminal.after("? businessAddr2:");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), Some(130));
    assert_eq!(
        read(&folder, "a.yaml"),
        "# tollproof: kind=submit-request\n# As in the register.\nbusinessName: \"Cedar Hollow Auto Care LLC\"\n\
         businessAddr1: \"12 Mill Road\"\n"
    );
}

#[test]
fn the_length_of_a_sample_is_shown_and_kept_findings_can_be_changed_at_the_end() {
    let draft = include_str!("drafts/harbor-dental.json");
    let mut value: Value = serde_json::from_str(draft).expect("it is JSON");
    let sample = value["productionMessageContent"].take();
    let folder = Folder::new("ask-sample")
        .file("a.json", value.to_string().replace("\"productionMessageContent\":null,", ""));
    let mut terminal = Terminal::start(&folder, &["a.json"]);
    terminal.answer("productionMessageContent", "Your visit is on Monday…");
    terminal.after("UCS-2, 24 of 70 characters in 1 message: each recipient costs 1 message");
    terminal.after("? What now?");
    terminal.after("Keep it and go on");
    terminal.press("keep");
    terminal.press(ENTER);
    terminal.answer("isvReseller", "");
    terminal.after("? Change a field?");
    terminal.press(DOWN);
    terminal.press(ENTER);
    terminal.after("? productionMessageContent: Your visit is on Monday…");
    terminal.press(CTRL_U);
    terminal.press(sample.as_str().expect("it is a text"));
    terminal.press(ENTER);
    terminal.after("Wrote `a.json`. Nothing was found in it.");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn the_provider_is_asked_for_unless_it_is_known() {
    let folder = Folder::new("ask-whom");
    let mut terminal = Terminal::start(&folder, &["acme.json"]);
    terminal.after("? Who do you send it to?");
    terminal.press("twil");
    terminal.press(ENTER);
    terminal.after("A draft for Twilio");
    terminal.answer("BusinessName", "Fernhollow Flowers LLC");
    terminal.after("? BusinessWebsite:");
    terminal.press(CTRL_C);
    terminal.after("To go on: tollproof new --ask --provider twilio acme.json");
    assert_eq!(terminal.end(), Some(130));

    let folder = Folder::new("ask-whom-settings").file("tollproof.yaml", "provider: telnyx\n");
    let mut terminal = Terminal::start(&folder, &["acme.json"]);
    let before = terminal.after("A draft for Telnyx");
    assert!(!before.contains("Who do you send it to?"), "{before}");
    terminal.after("? businessName:");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), Some(130));
}

#[test]
fn findings_at_earlier_answers_are_shown_too() {
    let mut draft: Value =
        serde_json::from_str(include_str!("../schemas/twilio/samples/submit-request.json"))
            .expect("it is JSON");
    draft.as_object_mut().expect("it is an object").remove("BusinessStateProvinceRegion");
    let folder = Folder::new("ask-earlier").file("a.json", draft.to_string());
    let mut terminal = Terminal::start(&folder, &["a.json"]);
    // The postal code is in Colorado.
    terminal.answer("BusinessStateProvinceRegion", "TX");
    let shown = terminal.after("? What now?");
    assert!(shown.contains("At `BusinessPostalCode`, which you answered before:"), "{shown}");
    terminal.press("change `");
    terminal.press(ENTER);
    terminal.after("? BusinessPostalCode: 80302");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), Some(130));
}

#[test]
fn pasted_text_cannot_control_the_terminal() {
    let folder = Folder::new("ask-pasted");
    let mut terminal = Terminal::start(&folder, &["--provider", "bird", "a.yaml"]);
    terminal.after("? businessName:");
    let long = "x".repeat(4000);
    terminal.press(&format!("\u{1b}[200~Acme\u{1b}[31m\u{1b}]0;owned\u{7}\u{202e}{long}\u{1b}[201~"));
    terminal.press(ENTER);
    let raw = terminal.raw_until("? businessAddr1:");
    assert!(
        !raw.contains("\u{1b}]0;") && !raw.contains("\u{1b}[31m") && !raw.contains('\u{202e}'),
        "{raw:?}"
    );
    // The text is drawn a few times, not once for each of its characters.
    assert!(raw.len() < 60_000, "{}", raw.len());
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), Some(130));
}

#[test]
fn an_answer_that_is_deleted_leaves_a_draft_that_can_be_continued() {
    let folder = Folder::new("ask-deleted");
    let mut terminal = Terminal::start(&folder, &["--provider", "bird", "a.yaml"]);
    terminal.answer("businessName", "Acme");
    terminal.after("? businessAddr1:");
    terminal.press(ESCAPE);
    terminal.after("? businessName: Acme");
    terminal.press(CTRL_U);
    terminal.press(ENTER);
    terminal.after("? businessAddr1:");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), Some(130));
    assert_eq!(read(&folder, "a.yaml"), "# tollproof: kind=submit-request\n{}\n");
    let mut terminal = Terminal::start(&folder, &["a.yaml"]);
    terminal.answer("businessName", "Acme");
    terminal.after("? businessAddr1:");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), Some(130));
    assert_eq!(read(&folder, "a.yaml"), "# tollproof: kind=submit-request\nbusinessName: \"Acme\"\n");
}

#[test]
fn nothing_is_written_without_an_answer() {
    let folder = Folder::new("ask-nothing");
    let mut terminal = Terminal::start(&folder, &["--provider", "bird", "a.yaml"]);
    terminal.after("? businessName:");
    terminal.press(CTRL_C);
    terminal.after("Nothing was answered, and `a.yaml` was not written.");
    assert_eq!(terminal.end(), Some(130));
    assert_eq!(fs::read_dir(&folder.0).expect("it is there").count(), 0);
}

#[test]
fn what_cannot_be_continued_is_refused_and_stays() {
    let folder = Folder::new("ask-refused")
        .file("inside.yaml", "# tollproof: kind=submit-request\nbusinessName: Acme # as registered\n")
        .file("two.yaml", "businessName: A\n---\nbusinessName: B\n")
        .file("broken.json", "{\"businessName\": ")
        .file("bytes.yaml", b"businessName: \xff\xfe\n")
        .file("other.json", "{\"BusinessName\": \"A\", \"TollfreePhoneNumberSid\": \"PN1\"}")
        .file("package.json", "{\"name\": \"x\"}")
        .file("folder.yaml/x", "")
        .file("settings/tollproof.yaml", "vendr: x\n");
    for (args, said) in [
        (&["inside.yaml"][..], "a comment in line 2 that would be lost"),
        (&["two.yaml"], "must have exactly one draft"),
        (&["broken.json"], "cannot be read"),
        (&["bytes.yaml"], "cannot be read"),
        (&["--provider", "telnyx", "other.json"], "a submit request for Twilio"),
        (&["package.json"], "is not a draft"),
        (&["folder.yaml"], "is a directory"),
        (&["draft.txt"], "does not end in .yaml or .json"),
        (&["clients.csv"], "one draft for Bird is written as YAML or JSON"),
        (&["settings/a.yaml"], "unknown key `vendr`"),
        (&["two.yaml/a.yaml", "--from", "other.json"], "cannot write"),
        (&["two.yaml", "--from", "other.json"], "exists already"),
    ] {
        let before: Vec<_> = args.iter().map(|name| fs::read(folder.0.join(name)).ok()).collect();
        let mut terminal = Terminal::start(&folder, args);
        terminal.after(said);
        assert_eq!(terminal.end(), Some(2), "{args:?}");
        let after: Vec<_> = args.iter().map(|name| fs::read(folder.0.join(name)).ok()).collect();
        assert_eq!(before, after, "{args:?}");
    }
}

#[test]
fn a_record_is_continued_with_its_empty_fields() {
    let folder = Folder::new("ask-from")
        .file("r.json", include_str!("../schemas/twilio/samples/verification-record.json"));
    let mut terminal = Terminal::start(&folder, &["--from", "r.json", "again.json"]);
    terminal.after("answers already.");
    terminal.after("? ");
    terminal.press(CTRL_C);
    terminal.after("To go on: tollproof new --ask --provider twilio again.json");
    assert_eq!(terminal.end(), Some(130));
    let written: Value = serde_json::from_str(&read(&folder, "again.json")).expect("it is JSON");
    let record: Value = serde_json::from_str(&read(&folder, "r.json")).expect("it is JSON");
    assert_eq!(written["BusinessName"], record["BusinessName"]);
    assert!(written.get("Sid").is_none() && written.get("Status").is_none(), "{written}");
}

#[test]
fn what_new_writes_is_continued_with_all_of_its_comments() {
    let comments = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.trim_start().starts_with('#')).map(str::to_owned).collect()
    };
    for provider in Provider::all() {
        let folder = Folder::new(&format!("ask-comments-{}", provider.name()));
        folder.run(&["new", "--provider", provider.name(), "a.yaml"]);
        let before = read(&folder, "a.yaml");
        let mut terminal = Terminal::start(&folder, &["a.yaml"]);
        terminal.after(&format!("A draft for {provider}, saved as `a.yaml` after each answer"));
        terminal.after("? ");
        terminal.press("Cedar Hollow Auto Care LLC");
        terminal.press(ENTER);
        terminal.after(", 2 of ");
        terminal.after("Ctrl-C: save and end.]");
        terminal.press(CTRL_C);
        assert_eq!(terminal.end(), Some(130));
        let after = read(&folder, "a.yaml");
        assert!(after.contains("\"Cedar Hollow Auto Care LLC\""), "{after}");
        assert_eq!(comments(&after), comments(&before), "{provider}");
    }
}
