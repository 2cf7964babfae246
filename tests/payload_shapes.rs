//! Shapes of payloads that providers publish and programs write: each is recognized, and its structure is not reported.

use std::path::Path;

use serde::Deserialize;
use tollproof_core::{Facts, Kind, KindHint, Linter, Parsed, Source, kind_of};

/// A file of `tests/payloads/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    #[serde(rename = "about")]
    _about: String,
    /// The kind of each document; `none` if it has none.
    is: Vec<String>,
    #[serde(default = "body")]
    file: String,
    /// Each finding about the structure: the rule and the pointer, of which `*` is any.
    #[serde(default)]
    findings: Vec<String>,
    text: String,
}

fn body() -> String {
    "body.json".to_owned()
}

/// The rules about structure: whether a text can be read, and whether its fields and values are those of the provider.
const STRUCTURE: [&str; 9] = [
    "input/",
    "structure/",
    "number/",
    "record/",
    "registration/",
    "use-case/unknown",
    "opt-in/unknown",
    "website/malformed",
    "contact/malformed",
];

#[test]
fn every_shape_is_recognized_and_its_structure_is_not_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/payloads");
    let linter = Linter::builtin();
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it is text");
        let shape: Shape = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let source = Source::from_bytes(&shape.file, shape.text.trim_end().as_bytes().to_vec());
        let parsed = Parsed::of(&source, None);
        let kinds = parsed.whole().documents().map(|it| kind_of(&it, KindHint::Explicit)).collect::<Vec<_>>();
        let kinds: Vec<String> =
            kinds.into_iter().map(|kind| kind.map_or_else(|| "none".to_owned(), Kind::full_name)).collect();
        if kinds != shape.is {
            wrong.push(format!("{name}: {kinds:?}, not {:?}", shape.is));
        }
        let report = linter.check(&parsed, KindHint::Explicit, &Facts::default());
        let of_structure = report.findings.iter().filter(|finding| {
            // These drafts are what the API takes; what reviewers need besides is another matter.
            finding.rule != "structure/missing-for-reviewers"
                && STRUCTURE.iter().any(|start| finding.rule.starts_with(start))
        });
        let found: Vec<String> = of_structure.map(|it| format!("{} {}", it.rule, it.pointer)).collect();
        let fits = |wanted: &&String, found: &String| match wanted.strip_suffix(" *") {
            Some(rule) => found.starts_with(rule),
            None => found.trim_end() == *wanted,
        };
        let unforeseen =
            found.iter().filter(|finding| !shape.findings.iter().any(|wanted| fits(&wanted, finding)));
        wrong.extend(unforeseen.map(|it| format!("{name}: {it}")));
        let missed = shape.findings.iter().filter(|wanted| !found.iter().any(|found| fits(wanted, found)));
        wrong.extend(missed.map(|it| format!("{name}: no {it}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
