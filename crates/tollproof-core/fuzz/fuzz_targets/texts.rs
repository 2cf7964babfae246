//! Any text as a content field of a clean draft, checked with all built-in rules, and read as `tollproof text` does.

#![no_main]

use std::ops::Range;
use std::sync::OnceLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tollproof_core::{Config, Facts, Kind, KindHint, Linter, Parsed, Source, TextReading};
use tollproof_core_fuzz::{Notation, TextRecipe, assert_places, content_fields, draft};

/// Longer texts are not checked.
const MAX_TEXT: usize = 40_000;

#[derive(Arbitrary, Debug)]
struct TextInput {
    kind: u8,
    field: u8,
    notation: Notation,
    text: TextRecipe,
}

fuzz_target!(|input: TextInput| {
    let kinds = kinds();
    let (kind, fields) = &kinds[usize::from(input.kind) % kinds.len()];
    let field = &fields[usize::from(input.field) % fields.len()];
    let text = input.text.text(MAX_TEXT);
    assert_reading(&text, &linter().read_text(&text));
    let (written, format) = draft(*kind, field, &text, input.notation);
    let source = Source::new("a", written);
    let parsed = Parsed::of(&source, Some(format));
    let report = linter().check(&parsed, KindHint::Forced((*kind).into()), &Facts::default());
    assert_places(&parsed, &report, field, input.notation);
});

/// The requests of all providers, with their content fields.
fn kinds() -> &'static [(Kind, Vec<String>)] {
    static KINDS: OnceLock<Vec<(Kind, Vec<String>)>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let kinds = Kind::requests().map(|kind| (kind, content_fields(kind)));
        kinds.filter(|(_, fields)| !fields.is_empty()).collect()
    })
}

/// A linter with all built-in rules, those that are off by default included.
fn linter() -> &'static Linter {
    static LINTER: OnceLock<Linter> = OnceLock::new();
    LINTER.get_or_init(|| {
        let select = Linter::builtin().rules().iter().map(|rule| rule.id.to_string()).collect();
        let config = Config { select, ..Config::default() };
        Linter::builder().config(config).build().expect("these rules exist")
    })
}

/// Sentences and clauses follow each other, and everything is a part of the text.
fn assert_reading(text: &str, reading: &TextReading) {
    let TextReading { sentences, clauses, quotations, terms, .. } = reading;
    let terms = terms.iter().map(|it| &it.range);
    for range in sentences.iter().chain(clauses).chain(quotations).chain(terms) {
        assert!(
            text.get(range.clone()).is_some_and(|it| !it.is_empty()),
            "{range:?} is not a part of {text:?}"
        );
    }
    let follows = |pair: &[Range<usize>]| pair[0].end <= pair[1].start;
    assert!(sentences.windows(2).all(follows), "{sentences:?} overlap in {text:?}");
    assert!(clauses.windows(2).all(follows), "{clauses:?} overlap in {text:?}");
    let is_in_sentence =
        |clause: &Range<usize>| sentences.iter().any(|sentence| sentence.start <= clause.start && clause.end <= sentence.end);
    assert!(clauses.iter().take(100).all(is_in_sentence), "{clauses:?} are not in {sentences:?} of {text:?}");
}
