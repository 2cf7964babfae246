//! Tests of `tollproof preview`: every provider's samples are found, and hostile texts are shown safely.

use serde_json::Value;
use tollproof_core::Provider;

use crate::support::{Folder, Ran};

fn samples(ran: &Ran) -> Vec<Value> {
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    serde_json::from_str(&ran.out).expect("it is JSON")
}

#[test]
fn the_samples_of_every_provider_are_found() {
    let folder = Folder::new("preview-providers");
    for provider in Provider::all() {
        for kind in provider.kinds().filter(|it| it.is_request()) {
            // What Vonage asks for has no sample message.
            let path = format!(
                "{}/schemas/{}/samples/{}.json",
                env!("CARGO_MANIFEST_DIR"),
                provider.name(),
                kind.name()
            );
            let ran = folder.run(&["preview", &path, "--output-format", "json"]);
            if !kind.roles().any(|role| role == "productionMessageContent") {
                assert_eq!(ran.code, Some(2), "{ran:?}");
                assert!(ran.err.contains("has no sample message"), "{ran:?}");
                continue;
            }
            let found = samples(&ran);
            assert!(!found.is_empty(), "{path}");
            for sample in found {
                assert_eq!(sample["provider"], provider.name());
                assert!(
                    sample["text"].as_str().is_some_and(|text| text.contains("STOP") || text.len() > 20),
                    "{sample}"
                );
                assert!(sample["segments"].as_u64().is_some_and(|it| (1..4).contains(&it)), "{sample}");
            }
        }
    }
}

#[test]
fn each_row_of_a_sheet_and_each_line_has_its_draft() {
    let folder = Folder::new("preview-rows").file("clients.csv", include_str!("drafts/bulk-csv/clients.csv"));
    let found = samples(&folder.run(&["preview", "clients.csv", "--output-format", "json"]));
    let documents: Vec<u64> = found.iter().filter_map(|it| it["document"].as_u64()).collect();
    assert_eq!(documents, (0..found.len() as u64).collect::<Vec<_>>());
    assert!(found.len() > 1, "{found:?}");
}

#[test]
fn the_end_of_the_last_line_is_not_part_of_a_text() {
    let folder = Folder::new("preview-lines");
    for (text, length) in [("abc\n", 3), ("abc\r\n", 3), ("a\nb\n\n", 4), ("", 0), ("a\rb", 3)] {
        let found = samples(&folder.pipe(&["preview", "--text", "-", "--output-format", "json"], text));
        assert_eq!(found[0]["units"], length, "{text:?}");
    }
}

#[test]
fn hostile_texts_are_shown_safely() {
    let folder = Folder::new("preview-hostile");
    let long = "’".repeat(200_000) + &"x\u{301}\u{301}\u{301}".repeat(50_000);
    let lines = "a\n".repeat(100_000);
    let marks = format!("a{}", "\u{301}".repeat(300_000));
    for text in [
        "\u{1b}[2J\u{9b}31m\u{202e}\u{7}::error::x\n##[error]y",
        &long,
        &lines,
        &marks,
        "👩\u{200d}👩\u{200d}👧\u{200d}👦\u{fe0f}",
    ] {
        for format in ["full", "json"] {
            let ran = folder.pipe(&["preview", "--text", "-", "--output-format", format], text);
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            assert!(!ran.out.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}']), "{format}");
            if format == "full" {
                assert!(ran.out.lines().count() < 200, "{}", ran.out.lines().count());
            }
        }
    }
    let folder = folder
        .file("bytes.yaml", b"productionMessageContent: \xff\xfe hi\nbusinessName: A\n")
        .file("bytes.txt", b"\xff\xfe\x00")
        .file("empty.yaml", "businessName: A\nproductionMessageContent: ''\n")
        .file("number.yaml", "businessName: A\nproductionMessageContent: 12\n");
    for (name, code) in
        [("bytes.yaml", 0), ("bytes.txt", 0), ("empty.yaml", 0), ("number.yaml", 2), ("nothing.yaml", 2)]
    {
        let ran = folder.run(&["preview", name]);
        assert_eq!(ran.code, Some(code), "{name}: {ran:?}");
    }
}
