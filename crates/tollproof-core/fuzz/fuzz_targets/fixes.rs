//! Any bytes as drafts, with all their fixes applied: every place is a part of the text, and no fix is left to be applied
//! in a second run.

#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tollproof_core::{Facts, Fixer, Format, KindHint, Linter, Parsed, Report, Safety, Severity, Source};

const FORMATS: [Format; 4] = [Format::Json, Format::Yaml, Format::Ndjson, Format::Csv];

#[derive(Arbitrary, Debug)]
struct DraftInput {
    format: u8,
    unsafe_too: bool,
    bytes: Vec<u8>,
}

fuzz_target!(|input: DraftInput| {
    let format = FORMATS[usize::from(input.format) % FORMATS.len()];
    let source = Source::from_bytes("a", input.bytes.clone());
    let parsed = Parsed::of(&source, Some(format));
    let reach = if input.unsafe_too { Safety::Unsafe } else { Safety::Safe };
    let fixer = Fixer { reach, least: Severity::Info };
    let report = check(&parsed);
    let Some(fixed) = fixer.fix(&parsed, &report, &mut check) else { return };
    let again = Parsed::of(&fixed.source, Some(format));
    let left = fixer.fix(&again, &fixed.report, &mut check);
    assert!(left.is_none(), "{:?} is left in {:?}", left.map(|it| it.fixed), fixed.source.text());
});

fn check(parsed: &Parsed<'_>) -> Report {
    static LINTER: OnceLock<Linter> = OnceLock::new();
    let report = LINTER.get_or_init(Linter::builtin).check(parsed, KindHint::Explicit, &Facts::default());
    let text = parsed.source().text();
    for finding in &report.findings {
        let spans = finding.span.into_iter().chain(finding.related.iter().filter_map(|it| it.span));
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        spans.chain(edits).for_each(|span| assert!(text.get(span.range()).is_some(), "{finding:?}"));
    }
    report
}
