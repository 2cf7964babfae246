//! Any text as notes and as a program in each language: it is read within limits, and every span is in it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tollproof_core::{Facts, KindHint, Linter, Parsed, ReadField, Source};

const NAMES: [&str; 21] = [
    "a.md", "a.txt", "a.html", "a.ts", "a.py", "a.sh", "a.rb", "a.php", "a.ps1", "a.cs", "a.kt", "a.tf", "a.rs",
    "a.sql", "a.ipynb", "a.adoc", "a.org", "a.rst", "a.wiki", "a.http",
    "a.postman_collection.json",
];

fuzz_target!(|input: (u8, String)| {
    let (at, text) = input;
    let source = Source::new(NAMES[usize::from(at) % NAMES.len()], text.as_str());
    let parsed = Parsed::of(&source, None);
    for document in parsed.whole().documents() {
        let root = document.document().root.as_ref().expect("there is always one");
        for field in ReadField::of(root) {
            assert!(text.get(field.span.range()).is_some(), "{}", field.name);
        }
    }
    let report = Linter::builtin().check(&parsed, KindHint::Explicit, &Facts::default());
    for span in report.findings.iter().filter_map(|finding| finding.span) {
        assert!(text.get(span.range()).is_some());
    }
});
