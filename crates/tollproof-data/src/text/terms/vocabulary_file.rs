//! A file of the vocabulary, as people write it.

use std::collections::BTreeMap;
use std::fmt::{self, Formatter};
use std::sync::LazyLock;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::text::words::language::Language;

/// A file of the vocabulary: groups by name. A group that exists already gets more terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct VocabularyFile(pub BTreeMap<String, GroupFile>);

/// A group of terms with the same meaning. A topic has its terms under `strong`, `medium` and `weak`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupFile {
    /// The common meaning of its terms, for people who write rules. Required for a new group.
    pub means: Option<String>,
    /// The name of a topic as a part of a sentence, for the placeholder `{topic}`.
    pub title: Option<String>,
    /// Whether a sentence with one of the terms does not say what the applicant does now, so that no frame and no topic
    /// counts there.
    pub excuses: bool,
    pub terms: Terms,
    /// The terms of a topic by grade.
    graded: BTreeMap<Grade, Terms>,
}

/// Terms by language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(BTreeMap<Language, Vec<String>>);

/// The strength of a term of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Strong,
    Medium,
    Weak,
}

impl Grade {
    const ALL: [(&str, Self); 3] = [("strong", Self::Strong), ("medium", Self::Medium), ("weak", Self::Weak)];

    fn key(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// The terms of one grade and one language in a group of a file.
#[derive(Clone, Copy, Debug)]
pub struct TermList<'f> {
    /// `strong`, `medium` or `weak`, in a topic.
    pub grade: Option<&'static str>,
    pub language: Language,
    pub terms: &'f [String],
}

impl TermList<'_> {
    /// The name of the group that has these terms.
    pub fn group(&self, name: &str) -> String {
        self.grade.map_or_else(|| name.to_owned(), |grade| format!("{name}.{grade}"))
    }

    /// The list as a pointer below its group.
    pub fn pointer(&self) -> String {
        let grade = self.grade.map(|grade| format!("/{grade}")).unwrap_or_default();
        format!("{grade}/{}", self.language.key())
    }
}

impl GroupFile {
    /// The lists of terms that are not empty.
    pub fn lists(&self) -> Vec<TermList<'_>> {
        let graded = self.graded.iter().map(|(grade, terms)| (Some(grade.key()), terms));
        let all = [(None, &self.terms)].into_iter().chain(graded);
        let lists = all.flat_map(|(grade, terms)| {
            terms.0.iter().map(move |(language, terms)| TermList { grade, language: *language, terms })
        });
        lists.filter(|list| !list.terms.is_empty()).collect()
    }
}

/// The keys of languages.
static LANGUAGE_KEYS: LazyLock<Vec<&str>> =
    LazyLock::new(|| Language::all().chain([Language::ANY]).map(Language::key).collect());

/// The keys of a group.
static GROUP_KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let grades = Grade::ALL.iter().map(|(key, _)| *key);
    ["means", "title", "excuses"].into_iter().chain(LANGUAGE_KEYS.iter().copied()).chain(grades).collect()
});

impl<'de> Deserialize<'de> for GroupFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GroupVisitor)
    }
}

struct GroupVisitor;

impl<'de> Visitor<'de> for GroupVisitor {
    type Value = GroupFile;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("struct GroupFile")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GroupFile, A::Error> {
        let mut group = GroupFile::default();
        while let Some(key) = map.next_key()? {
            match key {
                GroupKey::Means => group.means = map.next_value()?,
                GroupKey::Title => group.title = map.next_value()?,
                GroupKey::Excuses => group.excuses = map.next_value()?,
                GroupKey::Terms(language) => drop(group.terms.0.insert(language.0, map.next_value()?)),
                GroupKey::Graded(grade) => {
                    let terms: Option<Terms> = map.next_value()?;
                    group.graded.extend(terms.map(|terms| (grade, terms)));
                }
            }
        }
        Ok(group)
    }
}

/// A key of a group.
enum GroupKey {
    Means,
    Title,
    Excuses,
    Terms(LanguageKey),
    Graded(Grade),
}

/// The key of the terms in a language.
struct LanguageKey(Language);

/// Reads a key, an unknown one as an error at its place.
struct KeyVisitor<K>(fn(&str) -> Option<K>, &'static [&'static str]);

impl<K> Visitor<'_> for KeyVisitor<K> {
    type Value = K;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("field identifier")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<K, E> {
        (self.0)(key).ok_or_else(|| E::unknown_field(key, self.1))
    }
}

impl<'de> Deserialize<'de> for LanguageKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = |key: &str| Language::of_key(key).map(Self);
        deserializer.deserialize_identifier(KeyVisitor(key, &LANGUAGE_KEYS))
    }
}

impl<'de> Deserialize<'de> for GroupKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = |key: &str| match key {
            "means" => Some(Self::Means),
            "title" => Some(Self::Title),
            "excuses" => Some(Self::Excuses),
            _ => {
                let grade = Grade::ALL.iter().find(|(known, _)| *known == key);
                let language = || Language::of_key(key).map(|language| Self::Terms(LanguageKey(language)));
                grade.map(|(_, grade)| Self::Graded(*grade)).or_else(language)
            }
        };
        deserializer.deserialize_identifier(KeyVisitor(key, &GROUP_KEYS))
    }
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TermsVisitor)
    }
}

struct TermsVisitor;

impl<'de> Visitor<'de> for TermsVisitor {
    type Value = Terms;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("struct Terms")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Terms, A::Error> {
        let mut terms = Terms::default();
        while let Some(LanguageKey(language)) = map.next_key()? {
            terms.0.insert(language, map.next_value()?);
        }
        Ok(terms)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde_json::{Map, Value, json};

    use super::{GroupFile, Language, Terms};

    /// The properties for the terms of each language.
    fn terms() -> Map<String, Value> {
        let languages = Language::all().chain([Language::ANY]);
        let property = |language: Language| {
            let description = match language {
                Language::ANY => "Terms that are the same in all languages.".to_owned(),
                _ => format!("Terms in {}.", language.name()),
            };
            let terms = json!({
                "description": description, "type": "array", "items": {"type": "string"}, "default": []
            });
            (language.key().to_owned(), terms)
        };
        languages.map(property).collect()
    }

    impl JsonSchema for Terms {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Terms".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "Terms by language.",
                "type": "object",
                "properties": terms(),
                "additionalProperties": false
            })
        }
    }

    impl JsonSchema for GroupFile {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "GroupFile".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let means =
                "What its terms have in common, for people who write rules. Required for a new group.";
            let title = "The name of a topic as a part of a sentence, for the placeholder `{topic}`.";
            let excuses = "Whether a sentence with one of the terms does not say what the applicant does now, so \
                           that no frame and no topic\ncounts there.";
            let text =
                |about: &str| json!({"description": about, "type": ["string", "null"], "default": null});
            let mut properties = Map::new();
            properties.insert("means".to_owned(), text(means));
            properties.insert("title".to_owned(), text(title));
            let excuses = json!({"description": excuses, "type": "boolean", "default": false});
            properties.insert("excuses".to_owned(), excuses);
            properties.extend(terms());
            for (key, about) in [
                ("strong", "Terms that prove the topic almost alone."),
                ("medium", "Terms that make the topic probable."),
                ("weak", "Terms that count only beside others."),
            ] {
                let terms = generator.subschema_for::<Terms>();
                let grade = json!({"description": about, "anyOf": [terms, {"type": "null"}]});
                properties.insert(key.to_owned(), grade);
            }
            json_schema!({
                "description": "A group of terms with the same meaning. A topic has its terms under `strong`, `medium` and `weak`.",
                "type": "object",
                "properties": properties,
                "additionalProperties": false
            })
        }
    }
}
