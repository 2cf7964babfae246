//! The time an editor waits for the findings after a key, in files of a hundred drafts.
//!
//! `cargo bench -p tollproof-lsp` prints the time for each format, and the part of it that opening the file takes.

#[path = "../src/tests/client.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod client;

use std::io::{self, Write as _, pipe};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tollproof_lsp::{ServerOptions, serve};
use tollproof_project::SessionOptions;

use self::client::TestClient;

/// Drafts with the mistakes that drafts have.
const SAMPLES: [&str; 2] = [
    include_str!("../../../tests/drafts/harbor-dental.json"),
    include_str!("../../../tests/drafts/cedar-auto.json"),
];

/// The keys that are typed in each file.
const KEYS: usize = 40;

fn main() -> io::Result<()> {
    let mut client = connected()?;
    client.initialize(None, json!({}));
    let mut out = io::stdout().lock();
    for format in ["json", "ndjson", "yaml"] {
        let text = hundred(format);
        let uri = format!("untitled:hundred.{format}");
        let begin = Instant::now();
        client.open(&uri, format, &text);
        let found = client.diagnostics(&uri).len();
        let opened = begin.elapsed();
        assert!(found > 100, "the drafts have mistakes, but {found} findings");
        let at = text.find("Branch 50").expect("it was written") + "Branch ".len();
        let mut keys: Vec<Duration> = (0..KEYS).map(|key| press(&mut client, &uri, at + key)).collect();
        keys.sort();
        let (median, slowest) = (keys[KEYS / 2], keys[KEYS - 1]);
        let part = median.as_secs_f64() / opened.as_secs_f64() * 100.0;
        writeln!(
            out,
            "{format:<8}{:>4} KB, {found} findings: a key takes {median:.1?} (slowest {slowest:.1?}), {part:.1} % of opening",
            text.len() >> 10
        )?;
    }
    client.end();
    Ok(())
}

/// The time from a key to the findings.
fn press(client: &mut TestClient, uri: &str, at: usize) -> Duration {
    let begin = Instant::now();
    client.edit(uri, at, at, "x");
    client.diagnostics(uri);
    begin.elapsed()
}

/// A client of a server in this process.
fn connected() -> io::Result<TestClient> {
    let (server_input, client_output) = pipe()?;
    let (client_input, mut server_output) = pipe()?;
    thread::spawn(move || {
        let session =
            || SessionOptions { now: "2026-11-21T08:00:00Z".parse().ok(), ..SessionOptions::default() };
        let options = ServerOptions { session: Box::new(session), rule_url: |_| None, version: "0" };
        serve(options, server_input, &mut server_output)
    });
    Ok(TestClient::new(client_output, client_input))
}

/// A hundred drafts as one file. Each has its own number, and says something that no other draft says.
fn hundred(format: &str) -> String {
    let drafts = (0..100).map(|at| {
        let mut draft: Value = serde_json::from_str(SAMPLES[at % 2]).expect("it is JSON");
        draft["phoneNumbers"] = json!([format!("9a1b2c3d-4e5f-4061-8273-94a5b6c7d{at:03x}")]);
        let summary = draft["useCaseSummary"].as_str().unwrap_or_default().to_owned();
        draft["useCaseSummary"] = json!(format!("{summary} Branch {at} has {} customers.", at * 37));
        draft
    });
    let drafts: Vec<Value> = drafts.collect();
    match format {
        "json" => serde_json::to_string_pretty(&drafts).expect("it is JSON"),
        "ndjson" => drafts.iter().map(|it| format!("{it}\n")).collect(),
        _ => serde_yaml::to_string(&drafts).expect("it is YAML"),
    }
}
