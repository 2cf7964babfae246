//! After any edits, the diagnostics are the findings that a session has for the final text.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use tollproof_core::{Parsed, Severity};
use tollproof_project::{Disk, InputFile, Repository, Session};

use super::client::{TestClient, position};
use super::{TestFolder, language, sample_drafts, session_options, started};
use crate::diagnostics::shown as shown_findings;

/// Findings of `check` in text: rule, severity, range.
fn found(path: &Path, text: &str) -> Vec<(String, u64, Value)> {
    let session = Session::new(Arc::new(Disk), session_options()).expect("there are no settings");
    let file = InputFile { met: tollproof_core::KindHint::Discovered, ..InputFile::named(path) };
    let source = file.source(text.as_bytes().to_vec(), &Repository::around());
    let report =
        session.check(&file, &Parsed::of(&source, None)).expect("the built-in rules can be used").report;
    shown_findings(&report)
        .iter()
        .map(|finding| {
            let severity = match finding.severity {
                Severity::Error => 1,
                Severity::Warning => 2,
                Severity::Info => 3,
            };
            let span = finding.span.expect("there is a text");
            let end = |at: u32| position(source.text(), at as usize);
            (finding.rule.to_string(), severity, json!({ "start": end(span.start), "end": end(span.end) }))
        })
        .collect()
}

fn shown(diagnostics: &[Value]) -> Vec<(String, u64, Value)> {
    let one = |diagnostic: &Value| {
        let text = |key: &str| diagnostic[key].as_str().expect("it has a rule").to_owned();
        (text("code"), diagnostic["severity"].as_u64().expect("it has one"), diagnostic["range"].clone())
    };
    diagnostics.iter().map(one).collect()
}

/// Text typed, pasted or removed.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "",
        "a",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "\n\n",
        "  ",
        "#",
        "é",
        "😀",
        "\t",
        "-",
        "---\n",
        "\"businessName\": \"Acme\",",
        "businessName: Acme\n",
        "# tollproof: ignore[contact] why\n",
        "STOP",
        "null",
        "\\",
        "http://example.com",
        "{\"useCase\": \"2fa\"}\n",
        "x,y\n",
        "\u{202e}",
    ]);
    piece.prop_map(str::to_owned)
}

type TestEdit = (Index, usize, String);

fn apply(client: &mut TestClient, uri: &str, (at, length, new): &TestEdit) {
    let text = client.text(uri).to_owned();
    let mut start = at.index(text.len() + 1);
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    // The tests count lines by `\n`; an editor that keeps `\r\n` does not cut it.
    if !text[..end].contains('\r') {
        client.edit(uri, start, end, new);
    }
}

#[test]
fn diagnostics_after_edits_are_the_findings_of_the_final_text() {
    let drafts = sample_drafts();
    let folder = TestFolder::new("properties");
    let client = std::cell::RefCell::new(started(&folder, json!({})));
    let count = std::cell::Cell::new(0);
    let edit = (any::<Index>(), 0..40_usize, pieces());
    let cases = (prop::sample::select(drafts), prop::collection::vec(edit, 0..6));
    let config = ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = prop::test_runner::TestRunner::new(config);
    let result = runner.run(&cases, |((name, text), edits)| {
        let client = &mut *client.borrow_mut();
        count.set(count.get() + 1);
        let name = format!("{}-{name}", count.get());
        let uri = folder.uri(&name);
        client.open(&uri, language(&name), &text);
        edits.iter().for_each(|edit| apply(client, &uri, edit));
        let shown = shown(&client.diagnostics(&uri));
        let wanted = found(&folder.0.join(&name), client.text(&uri));
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        prop_assert_eq!(shown, wanted);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    client.into_inner().end();
}

/// Nothing that is asked anywhere in a broken text kills the server, and it answers each request.
#[test]
fn requests_anywhere_are_answered() {
    let folder = TestFolder::new("anywhere");
    let mut client = started(&folder, super::abilities());
    for (name, text) in sample_drafts() {
        let uri = folder.uri(&name);
        client.open(&uri, language(&name), &text);
        let cut: String = text.chars().take(text.chars().count() * 2 / 3).collect();
        let end = text.len();
        client.edit(&uri, cut.len(), end, "");
        let mut at = 0;
        while at < cut.len() {
            if cut.is_char_boundary(at) {
                client.completions(&uri, at);
                client.hover(&uri, at);
            }
            at += 97;
        }
        let whole =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
        client.actions(&uri, &whole, None);
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    client.end();
}
