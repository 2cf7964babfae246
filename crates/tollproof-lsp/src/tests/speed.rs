//! How long the work for one key takes. `cargo test --release -p tollproof-lsp -- --ignored --nocapture` prints it.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{TestFolder, sample_drafts, started};

/// A hundred drafts with the mistakes that drafts have, as one file.
fn hundred(format: &str) -> String {
    let names = ["harbor-dental.json", "cedar-auto.json"];
    let samples = sample_drafts();
    let sample =
        |name: &str| samples.iter().find(|it| it.0 == name).map(|it| it.1.as_str()).expect("it is a sample");
    let mut all: Vec<serde_json::Value> = Vec::new();
    for at in 0..100 {
        let mut draft: serde_json::Value = serde_json::from_str(sample(names[at % 2])).expect("it is JSON");
        // Each draft has its own number, and says something that no other draft says.
        draft["phoneNumbers"] = json!([format!("9a1b2c3d-4e5f-4061-8273-94a5b6c7d{at:03x}")]);
        let summary = draft["useCaseSummary"].as_str().unwrap_or_default().to_owned();
        draft["useCaseSummary"] = json!(format!("{summary} Branch {at} has {} customers.", at * 37));
        all.push(draft);
    }
    match format {
        "json" => serde_json::to_string_pretty(&all).expect("it is JSON"),
        "ndjson" => all.iter().map(|it| format!("{it}\n")).collect(),
        _ => serde_yaml::to_string(&all).expect("it is YAML"),
    }
}

#[test]
#[ignore = "measures time"]
fn a_key_takes_less_than_ten_milliseconds() {
    let folder = TestFolder::new("speed");
    let mut client = started(&folder, json!({}));
    for format in ["json", "ndjson", "yaml"] {
        let text = hundred(format);
        let uri = folder.uri(&format!("hundred.{format}"));
        let begin = Instant::now();
        client.open(&uri, format, &text);
        let found = client.diagnostics(&uri).len();
        let (size, took) = (text.len() >> 10, begin.elapsed());
        writeln!(io::stderr(), "{format}: {size} KB, {found} findings, opened in {took:?}")
            .expect("it is open");
        let at = text.find("Branch 50").expect("it was written") + "Branch ".len();
        let mut times: Vec<Duration> = (0..40)
            .map(|key| {
                let begin = Instant::now();
                client.edit(&uri, at + key, at + key, "x");
                client.diagnostics(&uri);
                begin.elapsed()
            })
            .collect();
        times.sort();
        let (median, slowest) = (times[20], times[39]);
        writeln!(io::stderr(), "{format}: a key takes {median:?} (median), {slowest:?} (slowest of 40)")
            .expect("it is open");
        assert!(
            times[20] < Duration::from_millis(if cfg!(debug_assertions) { 10_000 } else { 10 }),
            "{:?}",
            times[20]
        );
    }
    client.end();
}
