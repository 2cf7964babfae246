//! Cost of each stage of checking one draft (parse, content), and of making a linter.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};
use tollproof_core::{Facts, Format, Kind, KindHint, KindRole, Linter, Parsed, Source, clean_document};

fn main() {
    divan::main();
}

/// A draft that no rule has anything to say of.
fn clean_draft() -> Value {
    clean_document(Kind::of(KindRole::Submit))
}

/// The same with faults of structure, of plausibility and of content.
fn faulty_draft() -> Value {
    let mut draft = clean_draft();
    let fields = draft.as_object_mut().expect("a draft is an object");
    fields.remove("businessCity");
    fields.insert("useCase".to_owned(), json!("booking confirmations"));
    fields.insert("businessContactPhone".to_owned(), json!("(207) 772-4831"));
    fields.insert("productionMessageContent".to_owned(), json!("Your trip is on! Details: bit.ly/3xQkayak"));
    fields.insert("optInWorkflowDescription".to_owned(), json!("Guests sign up on our website."));
    draft
}

fn json(draft: &Value) -> String {
    serde_json::to_string_pretty(draft).expect("a value is JSON")
}

fn yaml(draft: &Value) -> String {
    serde_yaml::to_string(draft).expect("a value is YAML")
}

/// A list of clean drafts, each with a number of its own.
fn batch(count: usize) -> String {
    let draft = |index: usize| {
        let mut draft = clean_draft();
        draft["phoneNumbers"] = json!([format!("9a1b2c3d-4e5f-4061-8273-{index:012x}")]);
        draft
    };
    json(&(0..count).map(draft).collect::<Value>())
}

fn parse(bencher: Bencher<'_, '_>, text: String, format: Format) {
    let source = Source::new("draft", text);
    bencher
        .counter(BytesCount::of_str(source.text()))
        .bench_local(|| Parsed::of(black_box(&source), Some(format)).whole().documents().count());
}

/// A document of the text that has been parsed, judged by the rules; its schema is one of them.
fn judge(bencher: Bencher<'_, '_>, text: String, format: Format) {
    let linter = Linter::builtin();
    let source = Source::new("draft", text);
    let parsed = Parsed::of(&source, Some(format));
    let document = parsed.only().expect("it is a draft");
    bencher.counter(BytesCount::of_str(source.text())).bench_local(|| {
        linter.check_document(black_box(document), KindHint::Explicit, &Facts::default()).findings.len()
    });
}

/// All stages.
fn lint(bencher: Bencher<'_, '_>, text: String, format: Format) {
    let linter = Linter::builtin();
    let source = Source::new("draft", text);
    bencher.counter(BytesCount::of_str(source.text())).bench_local(|| {
        let parsed = Parsed::of(black_box(&source), Some(format));
        linter.check(&parsed, KindHint::Explicit, &Facts::default()).findings.len()
    });
}

#[divan::bench]
fn stage_1_parse_json(bencher: Bencher<'_, '_>) {
    parse(bencher, json(&clean_draft()), Format::Json);
}

#[divan::bench]
fn stage_1_parse_yaml(bencher: Bencher<'_, '_>) {
    parse(bencher, yaml(&clean_draft()), Format::Yaml);
}

#[divan::bench]
fn stage_2_content_json(bencher: Bencher<'_, '_>) {
    judge(bencher, json(&clean_draft()), Format::Json);
}

#[divan::bench]
fn stage_2_content_yaml(bencher: Bencher<'_, '_>) {
    judge(bencher, yaml(&clean_draft()), Format::Yaml);
}

#[divan::bench]
fn lint_clean_json(bencher: Bencher<'_, '_>) {
    lint(bencher, json(&clean_draft()), Format::Json);
}

#[divan::bench]
fn lint_clean_yaml(bencher: Bencher<'_, '_>) {
    lint(bencher, yaml(&clean_draft()), Format::Yaml);
}

#[divan::bench]
fn lint_faulty_json(bencher: Bencher<'_, '_>) {
    lint(bencher, json(&faulty_draft()), Format::Json);
}

/// A check of a purchase is little else than its schema.
#[divan::bench]
fn check_a_purchase(bencher: Bencher<'_, '_>) {
    lint(bencher, json(&clean_document(Kind::of(KindRole::Purchase))), Format::Json);
}

#[divan::bench(args = [10, 1_000])]
fn lint_clean_batch(bencher: Bencher<'_, '_>, drafts: usize) {
    lint(bencher, batch(drafts), Format::Json);
}

#[divan::bench]
fn make_a_linter() -> Linter {
    Linter::builtin()
}
