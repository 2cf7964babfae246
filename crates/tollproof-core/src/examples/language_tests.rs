//! All that findings of examples say is translated.

#![allow(clippy::disallowed_methods)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tollproof_data::language::{LANGUAGES, Translations};
use tollproof_data::prepare::SourceFiles;

use super::Scene;
use crate::finding::translation::{ReportLanguage, Translation};
use crate::lint::{Linter, NotChecked};
use crate::provider::kind::{Kind, Provider};
use crate::provider::schema;
use crate::response::codes;
use crate::rule::errors::decode;
use crate::rule::{RuleFile, builtin};

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
    let mut mistakes: Vec<String> = Vec::new();
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
        mistakes.extend(stale.chain(translations.mistakes));
    }
    let count = mistakes.len();
    assert!(count == 0, "{count} mistakes; languages/README.md has the form:\n{}", mistakes.join("\n"));
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
    let mut words = outside.flat_map(|part| {
        part.split(|character: char| !character.is_alphabetic() && character != '{' && character != '}')
    });
    words.any(|word| word.len() > 1 && word.starts_with(char::is_lowercase))
}

#[test]
fn findings_have_no_english_words() {
    for language in [ReportLanguage::French, ReportLanguage::Spanish] {
        let missing = untranslated(&Translation::of(language));
        let lines: Vec<String> = missing.iter().map(|(text, rule)| format!("{text:?}  # {rule}")).collect();
        assert!(
            lines.is_empty(),
            "languages/{} lacks {} texts (what `UPDATE=1` wrote counts from the next build):\n{}",
            language.code(),
            lines.len(),
            lines.join("\n")
        );
    }
}

/// Fails with the texts that a translation does not have, and the files that have such texts.
fn expect_translated(texts: &[String], files: &str) {
    let translations = [ReportLanguage::French, ReportLanguage::Spanish].map(Translation::of);
    let lacks = |text: &&String| {
        has_words(text) && translations.iter().any(|translation| translation.find(text).is_none())
    };
    let lacking: BTreeSet<&String> = texts.iter().filter(lacks).collect();
    assert!(lacking.is_empty(), "languages/fr/ or languages/es/ lacks, in {files}:\n{lacking:#?}");
}

#[test]
fn forms_and_answers_have_no_english_words() {
    let kinds = Provider::all().iter().flat_map(|it| it.kinds()).filter(|it| it.is_request());
    let mut texts: Vec<String> = Vec::new();
    for kind in kinds {
        let schema = schema::schema_of(kind);
        let mut fields = kind.form_fields(&schema);
        while let Some(field) = fields.pop() {
            let info = field.info;
            texts.extend([info.title(), info.description(), info.entries()].map(str::to_owned));
            if let Some(role) = kind.role_of(&info.pointer) {
                let listed = info.choice().values.into_iter().chain(info.item_choice().values);
                let known = kind.known_values(role).into_iter().map(str::to_owned);
                texts.extend(listed.chain(known).filter_map(|value| Kind::text_of_value(role, &value)));
            }
            fields.extend(field.below);
        }
        texts.push(kind.noun().to_owned());
    }
    for (_, text) in builtin::files() {
        let rule = decode::<RuleFile>("", text).expect("it is a rule");
        // A person answers questions on the page, and a finding names the answer.
        let question = rule.question.into_iter();
        texts.extend(
            question.flat_map(|asked| [vec![asked.ask], asked.any_of, asked.one_of, asked.harmless].concat()),
        );
    }
    texts.extend(builtin::load().titles.into_iter().map(|(_, title)| title));
    let titles = builtin::vocabulary_files().flat_map(|(_, text)| text.lines());
    texts.extend(titles.filter_map(|line| Some(line.trim().strip_prefix("title: ")?.to_owned())));
    texts.extend(NotChecked::ALWAYS.map(str::to_owned));
    texts.extend(codes::table().codes.iter().flat_map(|entry| [entry.means.clone(), entry.change.clone()]));
    expect_translated(&texts, "fields.yaml, use-cases.yaml, answers.yaml or readers.yaml");
}

/// Templates of messages in the sources, also those that no example of a rule has.
#[test]
fn templates_have_no_english_words() {
    let mut files = SourceFiles::new();
    add_files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut templates = Vec::new();
    for (_, text) in files.iter().filter(|(path, _)| path.ends_with(".rs") && !path.contains("tests")) {
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for call in text.split("message!(").skip(1) {
            let Some(literal) = call.trim_start().strip_prefix('"') else { continue };
            let mut escaped = false;
            let end = literal.find(|character: char| {
                let is_end = character == '"' && !escaped;
                escaped = character == '\\' && !escaped;
                is_end
            });
            let literal = &literal[..end.expect("a literal ends")];
            // A line that ends in a backslash goes on after the spaces of the next.
            let joined: Vec<&str> = literal.split("\\\n").collect();
            let joined = joined.iter().enumerate().map(|(at, it)| if at > 0 { it.trim_start() } else { it });
            let plain = joined.collect::<String>().replace("\\\"", "\"").replace("\\\\", "\\");
            templates.push(plain.replace("\\u{201c}", "\u{201c}").replace("\\u{201d}", "\u{201d}"));
        }
    }
    assert!(templates.len() > 150, "{}", templates.len());
    expect_translated(&templates, "checks.yaml or syntax.yaml");
}
