//! Prepares `languages/`: what a person reads, in other languages than English.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_yaml::Value;

use crate::fingerprint::fingerprint_of;
use crate::prepare::SourceFiles;

/// The codes of the languages that have a folder.
pub const LANGUAGES: [&str; 2] = ["es", "fr"];

/// The texts of a rule file that a person reads, by their key; `help_when` has one for each of its entries.
const KEYS: [&str; 6] = ["title", "message", "help", "help_when", "question", "docs"];

/// A file of translations of one rule: its texts under the keys of the rule, and words that its check inserts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TranslatedRule {
    /// The value of [`english_hash`] for the rule when it was translated.
    english: String,
    title: String,
    message: Option<String>,
    help: Option<String>,
    #[serde(default)]
    help_when: Vec<String>,
    #[serde(default)]
    question: BTreeMap<String, String>,
    docs: String,
    #[serde(default)]
    words: BTreeMap<String, String>,
}

/// The translations of one language, and what is wrong with them.
#[derive(Debug, Default)]
pub struct Translations {
    /// English to translated.
    pub texts: BTreeMap<String, String>,
    /// Missing translations and placeholders, each with its file.
    pub mistakes: Vec<String>,
    /// The files of rules that were changed since, with the hash of the rule as it is now.
    pub stale: Vec<(String, String)>,
}

impl Translations {
    /// Reads `languages/CODE/` and the rules that it translates. A rule whose translation is stale stays English.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, with its path.
    pub fn read(files: &SourceFiles, code: &str) -> Result<Self, String> {
        let mut all = Self::default();
        let folder = format!("languages/{code}/");
        for (path, text) in files.range(folder.clone()..).take_while(|(path, _)| path.starts_with(&folder)) {
            let of_rule = path[folder.len()..].strip_prefix("rules/");
            match of_rule {
                Some(rule) => match files.get(&format!("rules/{rule}")) {
                    Some(english) => all.add_rule(path, text, english)?,
                    None => all.mistakes.push(format!("{path}: this rule does not exist")),
                },
                None => {
                    let texts: BTreeMap<String, String> = yaml(path, text)?;
                    texts.into_iter().for_each(|(english, translated)| all.add(path, english, translated));
                }
            }
        }
        let rules = files.keys().filter(|path| is_rule(path));
        let missing = rules.map(|path| format!("{folder}{path}")).filter(|it| !files.contains_key(it));
        all.mistakes.extend(missing.map(|path| format!("{path}: the rule is not translated")));
        Ok(all)
    }

    fn add_rule(&mut self, path: &str, text: &str, english: &str) -> Result<(), String> {
        let translated: TranslatedRule = yaml(path, text)?;
        if translated.english != english_hash(english) {
            self.stale.push((path.to_owned(), english_hash(english)));
            return Ok(());
        }
        let rule: Value = yaml(path, english)?;
        let own = [
            ("/title", Some(&translated.title)),
            ("/message", translated.message.as_ref()),
            ("/help", translated.help.as_ref()),
            ("/docs", Some(&translated.docs)),
            ("/question/message", translated.question.get("message")),
            ("/question/help", translated.question.get("help")),
        ];
        let mut pairs: Vec<(&str, Option<String>, Option<&String>)> =
            own.into_iter().map(|(key, it)| (key, text_at(&rule, key), it)).collect();
        let when = rule["help_when"].as_sequence().map(Vec::as_slice).unwrap_or_default();
        for at in 0..when.len().max(translated.help_when.len()) {
            let english = when.get(at).and_then(|it| text_at(it, "/help"));
            pairs.push(("/help_when", english, translated.help_when.get(at)));
        }
        for (key, english, translated) in pairs {
            match (english, translated) {
                (Some(english), Some(translated)) => self.add(path, english, translated.clone()),
                (None, None) => {}
                (Some(_), None) => self.mistakes.push(format!("{path}: {key} is missing")),
                (None, Some(_)) => self.mistakes.push(format!("{path}: the rule has no {key}")),
            }
        }
        for (english, word) in translated.words {
            self.add(path, english, word);
        }
        Ok(())
    }

    fn add(&mut self, path: &str, english: String, translated: String) {
        let (wanted, found) = (placeholders(&english), placeholders(&translated));
        if wanted != found {
            let short: String = english.chars().take(60).collect();
            self.mistakes
                .push(format!("{path}: \u{201c}{short}\u{201d}: placeholders {wanted:?}, not {found:?}"));
        }
        // Spaces join it with others.
        let edge = |text: &str| (text.starts_with(' '), text.ends_with(' '));
        if edge(&english) != edge(&translated) {
            self.mistakes.push(format!("{path}: \u{201c}{english}\u{201d}: other spaces around it"));
        }
        if let Some(other) = self.texts.get(&english).filter(|it| **it != translated) {
            self.mistakes
                .push(format!("{path}: \u{201c}{english}\u{201d} is \u{201c}{other}\u{201d} elsewhere"));
        }
        self.texts.insert(english, translated);
    }

    /// The translations as bytes, by hashes of the English texts, as a program uses them.
    ///
    /// # Errors
    ///
    /// Two texts with the same hash.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        let mut texts: Vec<(u64, &str)> =
            self.texts.iter().map(|(english, it)| (fingerprint_of(&[english]), it.as_str())).collect();
        texts.sort_unstable();
        if let Some(pair) = texts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("\u{201c}{}\u{201d} and another text have the same hash", pair[0].1));
        }
        postcard::to_allocvec(&texts).map_err(|error| error.to_string())
    }
}

/// Whether a path is that of a rule file.
fn is_rule(path: &str) -> bool {
    path.starts_with("rules/") && path.ends_with(".yaml") && !path.starts_with("rules/vocabulary/")
}

/// A hash of all that is translated of a rule file.
fn english_hash(rule: &str) -> String {
    let rule: Value = serde_yaml::from_str(rule).unwrap_or_default();
    let texts: Vec<String> = KEYS.iter().map(|key| text_of(key, &rule[*key])).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    format!("{:016x}", fingerprint_of(&texts))
}

/// The text to translate of a value under a key.
fn text_of(key: &str, value: &Value) -> String {
    match (key, value) {
        ("question", _) => {
            [text_at(value, "/message"), text_at(value, "/help")].into_iter().flatten().collect()
        }
        ("help_when", Value::Sequence(all)) => all.iter().filter_map(|it| text_at(it, "/help")).collect(),
        (_, value) => value.as_str().unwrap_or_default().to_owned(),
    }
}

fn text_at(value: &Value, pointer: &str) -> Option<String> {
    let mut keys = pointer.split('/').skip(1);
    keys.try_fold(value, |value, key| value.get(key))?.as_str().map(str::to_owned)
}

fn yaml<T: serde::de::DeserializeOwned>(path: &str, text: &str) -> Result<T, String> {
    serde_yaml::from_str(text).map_err(|error| format!("{path}: {error}"))
}

/// The placeholders of a text, sorted; `{0}` is one without a name.
fn placeholders(text: &str) -> Vec<&str> {
    let names = text.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(name, _)| name);
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut names: Vec<&str> = names.filter(is_name).collect();
    names
        .iter_mut()
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .for_each(|name| *name = "");
    names.sort_unstable();
    // A translation may repeat a name less often.
    names.dedup_by(|next, name| next == name && !name.is_empty());
    names
}
