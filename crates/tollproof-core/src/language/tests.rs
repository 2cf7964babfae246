#![allow(clippy::disallowed_methods)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tollproof_data::language::{LANGUAGES, Translations};
use tollproof_data::prepare::SourceFiles;

use super::*;
use crate::examples::Scene;
use crate::lint::Linter;
use crate::rule::RuleFile;
use crate::rule::builtin;
use crate::rule::errors::decode;

/// The texts of a folder beside `src`, by their path.
fn add_files(folder: &Path, files: &mut SourceFiles) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            add_files(&path, files);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("it lies below");
            files.insert(name.to_str().expect("names are ASCII").replace('\\', "/"), text);
        }
    }
}

fn files() -> SourceFiles {
    let mut files = SourceFiles::new();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for folder in ["rules", "languages"] {
        add_files(&root.join(folder), &mut files);
    }
    files
}

/// `UPDATE=1` says that the translations of all changed rules were compared with their English texts.
#[test]
fn every_rule_is_translated_as_it_is_now() {
    let mut files = files();
    for code in LANGUAGES {
        let mut translations = Translations::read(&files, code).expect("all files can be read");
        if std::env::var_os("UPDATE").is_some() {
            for (path, english) in &translations.stale {
                let text = &files[path];
                let (_, rest) = text.split_once('\n').expect("the first line is `english:`");
                let text = format!("english: {english}\n{rest}");
                std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(path), &text)
                    .expect("it can be written");
                files.insert(path.clone(), text);
            }
            translations = Translations::read(&files, code).expect("all files can be read");
        }
        let stale = translations
            .stale
            .iter()
            .map(|(path, _)| format!("{path}: the rule was changed; compare the texts"));
        let mistakes: Vec<String> = stale.chain(translations.mistakes).collect();
        assert!(mistakes.is_empty(), "{} mistakes:\n{}", mistakes.len(), mistakes.join("\n"));
    }
}

/// Own words of findings that a translation does not have, with a rule that says them.
fn untranslated(translation: &Translation) -> BTreeMap<String, String> {
    let missing = RefCell::new(BTreeMap::new());
    let mut linter = Linter::builtin();
    for (id, text) in builtin::files() {
        let rule = decode::<RuleFile>(id, text).expect("it is a rule");
        for example in &rule.examples.fail {
            let scene = Scene::of(&rule, example);
            let select = [id];
            linter = scene.set(linter, if rule.enabled { &[] } else { &select }).expect("the rule exists");
            for finding in scene.judge(&linter).findings {
                let related = finding.related.iter().map(|it| &it.message);
                let all = [Some(&finding.message), finding.help.as_ref(), finding.label.as_ref()];
                for message in all.into_iter().flatten().chain(related) {
                    message.translated(&|_, english| {
                        let found = translation.find(english).map(str::to_owned);
                        if found.is_none() && has_words(english) {
                            missing.borrow_mut().insert(english.to_owned(), finding.rule.to_string());
                        }
                        found
                    });
                }
            }
        }
    }
    missing.into_inner()
}

/// Whether a text has words of its own: names begin with a capital, and values are in backticks.
fn has_words(text: &str) -> bool {
    let outside = text.split('`').step_by(2);
    let mut words = outside.flat_map(|it| it.split(|it: char| !it.is_alphabetic() && it != '{' && it != '}'));
    words.any(|word| word.len() > 1 && word.starts_with(char::is_lowercase))
}

#[test]
fn findings_have_no_english_words() {
    for language in [Language::French, Language::Spanish] {
        let missing = untranslated(&Translation::of(language));
        let lines: Vec<String> = missing.iter().map(|(text, rule)| format!("{text:?}  # {rule}")).collect();
        assert!(
            lines.is_empty(),
            "languages/{}: {} texts:\n{}",
            language.code(),
            lines.len(),
            lines.join("\n")
        );
    }
}
