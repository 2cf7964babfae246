//! Prints the failing examples of every rule as whole files, for the pages of rules on the site.
//!
//! One line per example that a file alone is enough for, without a reader's answer: the rule, the number of the example in its rule file, the name
//! of the file, its kind (`provider/kind`, or null if it is detected) and its text.

use std::io::Write as _;

use serde_json::json;
use tollproof_core::examples::Scene;
use tollproof_core::{RuleFile, builtin_rules, decode};

#[expect(clippy::disallowed_methods, reason = "the example prints what the library returns")]
fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (id, text) in builtin_rules() {
        let rule =
            decode::<RuleFile>(id, text).expect("built-in rules were parsed when the library was built");
        // The others are reported once a reader has answered.
        if !rule.has_check() {
            continue;
        }
        let scenes = rule.examples.fail.iter().map(|example| Scene::of(&rule, example));
        for (number, scene) in scenes.enumerate().filter(|(_, scene)| scene.stands_alone()) {
            let kind = scene.kind().map(|kind| format!("{}/{}", kind.provider().name(), kind.name()));
            let line = json!({
                "rule": id,
                "number": number,
                "file": scene.file_name(),
                "kind": kind,
                "text": scene.text,
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
