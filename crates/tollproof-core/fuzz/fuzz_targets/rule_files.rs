//! Any rule files and vocabulary files beside the built-in ones. If they can be loaded, a draft is checked with them.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tollproof_core::{Facts, Kind, KindHint, KindRole, Linter, LinterError, Parsed, Source, UserRule};
use tollproof_core_fuzz::{FileRecipe, Notation, TextRecipe, assert_places, draft, roles};

/// The longest text that a field can have.
const MAX_TEXT: usize = 32 * 1024;

/// The most files.
const MAX_FILES: usize = 5;

#[derive(Arbitrary, Debug)]
struct FilesInput {
    files: Vec<FileRecipe>,
    field: u8,
    text: TextRecipe,
}

fuzz_target!(|input: FilesInput| {
    let files: Vec<UserRule> =
        input.files.iter().take(MAX_FILES).enumerate().map(|(at, file)| file.file(at)).collect();
    let linter = match Linter::builder().rules(files).build() {
        Ok(linter) => linter,
        Err(LinterError::Rules(errors)) => {
            for error in errors {
                let is_placed = error.span.is_none_or(|span| error.text.get(span.range()).is_some());
                assert!(is_placed, "{:?} is not a part of {:?}: {error}", error.span, error.text);
            }
            return;
        }
        Err(error) => panic!("only the files can be wrong: {error}"),
    };
    let kind = Kind::of(KindRole::Submit);
    let text = input.text.text(MAX_TEXT);
    let _ = linter.read_text(&text);
    let field = kind.field_name(roles()[usize::from(input.field) % roles().len()]);
    let (written, format) = draft(kind, field, &text, Notation::Json);
    let source = Source::new("a", written);
    let parsed = Parsed::of(&source, Some(format));
    let report = linter.check(&parsed, KindHint::Forced(kind.into()), &Facts::default());
    assert_places(&parsed, &report, field, Notation::Json);
});
