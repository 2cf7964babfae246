//! Any bytes as NDJSON or CSV, cut into parts and checked: parts contain the documents of the whole file, and every place
//! is a part of the text.

#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tollproof_core::{Facts, Format, KindHint, Linter, Parsed, PartStart, Source};

#[derive(Arbitrary, Debug)]
struct LinesInput {
    is_csv: bool,
    /// The cut in the file, if a row or line ends before.
    cut: u16,
    bytes: Vec<u8>,
}

fuzz_target!(|input: LinesInput| {
    let format = if input.is_csv { Format::Csv } else { Format::Ndjson };
    let source = Source::from_bytes("a", input.bytes.clone());
    let whole = check(&source, format);
    let Some(head) = format.head(&input.bytes) else { return };
    let (head, body) = input.bytes.split_at(head);
    let at = usize::from(input.cut).min(body.len());
    let mut start = PartStart::first(head);
    let first = start;
    let Some(end) = start.cut(format, head, &body[..at], false) else { return };
    let part = |start, body: &[u8]| check(&Source::part("a", [head, body].concat(), start), format);
    let mut documents = part(first, &body[..end]);
    documents.extend(part(start, &body[end..]));
    // A file that is not UTF-8, seems to be something else than text, or has no document is reported differently.
    let is_text =
        std::str::from_utf8(&input.bytes).is_ok_and(|text| !text.starts_with('\u{feff}') && !text.contains('\0'));
    let is_text = is_text && !source.text().is_empty();
    // So is one JSON value over several lines, which may be all of a file or of a part.
    let is_json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).is_ok();
    let is_text = is_text && ![&input.bytes[..], &body[..end], &body[end..]].into_iter().any(is_json);
    if is_text && start.documents > 0 {
        assert_eq!(documents, whole, "{input:?}");
    }
});

/// The indexes of the documents that can be read.
fn check(source: &Source<'_>, format: Format) -> Vec<usize> {
    static LINTER: OnceLock<Linter> = OnceLock::new();
    let parsed = Parsed::of(source, Some(format));
    let report = LINTER.get_or_init(Linter::builtin).check(&parsed, KindHint::Explicit, &Facts::default());
    for finding in &report.findings {
        let spans = finding.span.into_iter().chain(finding.related.iter().filter_map(|it| it.span));
        spans.for_each(|span| assert!(source.text().get(span.range()).is_some(), "{finding:?}"));
    }
    let all = parsed.whole();
    all.documents().filter(|it| it.root.is_some()).map(|it| it.index).collect()
}
