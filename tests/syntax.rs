//! Tests that invalid JSON is reported as `input/syntax`, wherever it is in a file.

use proptest::prelude::*;
use serde_json::Value;
use tollproof_core::{Facts, Format, Kind, KindHint, KindRole, Linter, Parsed, Source, clean_document};

use super::support::Folder;

fn draft() -> String {
    clean_document(Kind::of(KindRole::Search)).to_string()
}

/// Text after the last value of a file, or between two values.
const TAILS: [&str; 14] = [
    "/**/",
    "// x",
    "//",
    "/* never closed",
    "/*",
    "\n\n/* a\n b */\n",
    "\n//x\n//y\n",
    "/",
    "#x",
    "\u{c}",
    "\u{b}",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
];

#[test]
fn what_follows_the_last_value_is_reported() {
    for tail in TAILS {
        let (one, list) = (format!("{}{tail}", draft()), format!("[{}]{tail}", draft()));
        let lines = format!("{0}\n{0}{tail}\n{0}\n", draft());
        let line = format!("{0}\n{tail}\n", draft());
        for (name, text) in [("d.json", one), ("d.json", list), ("d.ndjson", lines), ("d.ndjson", line)] {
            let folder = Folder::new("what_follows_the_last_value").file(name, &text);
            let ran = folder.run(&["check", "--no-config", "--output-format", "concise", name]);
            assert!(ran.out.contains("error[input/syntax]"), "{text:?}: {ran:?}");
            assert_eq!(ran.code, Some(1), "{text:?}: {ran:?}");
        }
    }
}

#[test]
fn a_comment_behind_a_draft_keeps_it_from_the_gate() {
    let text = format!("{}//x", clean_document(Kind::of(KindRole::Submit)));
    let folder = Folder::new("a_comment_behind_a_draft").file("d.json", text);
    let ran = folder.run(&["gate", "d.json", "--history", "sqlite:h.db", "--no-config"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("input/syntax") || ran.out.contains("input/syntax"), "{ran:?}");
}

#[test]
fn an_invisible_character_is_named() {
    let folder = Folder::new("an_invisible_character").file("d.ndjson", format!("{}\n\u{a0}\n", draft()));
    let ran = folder.run(&["check", "--no-config", "--output-format", "concise", "d.ndjson"]);
    assert!(ran.out.contains("the character U+00A0 is not allowed here"), "{ran:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(400), ..ProptestConfig::default() })]

    #[test]
    fn what_surrounds_json_is_read_as_serde_json_reads_it(
        before in "[ \t\n\r/*#\u{a0}\u{c}x]{0,4}",
        after in "[ \t\n\r/*#\u{a0}\u{c}\u{feff}x,\\]}]{0,6}",
    ) {
        let text = format!("{before}{}{after}", draft());
        let valid = serde_json::from_str::<Value>(&text).is_ok();
        let source = Source::new("d", text.as_str());
        let linter = Linter::builtin();
        for format in [Format::Json, Format::Ndjson] {
            // In NDJSON, a line break ends a value.
            if format == Format::Ndjson && !valid && text.contains('\n') {
                continue;
            }
            let parsed = Parsed::of(&source, Some(format));
            let report = linter.check(&parsed, KindHint::Forced(Kind::of(KindRole::Search).into()), &Facts::default());
            let syntax = report.findings.iter().any(|it| it.rule == "input/syntax");
            prop_assert_eq!(valid, !syntax, "{:?} as {:?}", text, format);
        }
    }
}
