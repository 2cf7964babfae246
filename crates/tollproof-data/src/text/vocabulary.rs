//! The vocabulary: groups of terms with the same meaning, in English, French and Spanish.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::hit::{GroupId, SetId};
use super::number_set::NumberSet;
use super::words::hash_of;

/// A file of the vocabulary: groups by name. A group that exists already gets more terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct VocabularyFile(pub BTreeMap<String, GroupFile>);

/// A group of terms with the same meaning. A topic has its terms under `strong`, `medium` and `weak`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    /// What its terms have in common, for people who write rules. Required for a new group.
    #[serde(default)]
    pub means: Option<String>,
    /// The name of a topic as a part of a sentence, for the placeholder `{topic}`.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether a sentence with one of the terms does not say what the applicant does now, so that no frame and no topic
    /// counts there.
    #[serde(default)]
    pub excuses: bool,
    /// Terms in English.
    #[serde(default)]
    pub en: Vec<String>,
    /// Terms in French.
    #[serde(default)]
    pub fr: Vec<String>,
    /// Terms in Spanish.
    #[serde(default)]
    pub es: Vec<String>,
    /// Terms that are the same in all languages.
    #[serde(default)]
    pub any: Vec<String>,
    /// Terms that prove the topic almost alone.
    #[serde(default)]
    pub strong: Option<Terms>,
    /// Terms that make the topic probable.
    #[serde(default)]
    pub medium: Option<Terms>,
    /// Terms that count only beside others.
    #[serde(default)]
    pub weak: Option<Terms>,
}

/// Terms by language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Terms in English.
    #[serde(default)]
    pub en: Vec<String>,
    /// Terms in French.
    #[serde(default)]
    pub fr: Vec<String>,
    /// Terms in Spanish.
    #[serde(default)]
    pub es: Vec<String>,
    /// Terms that are the same in all languages.
    #[serde(default)]
    pub any: Vec<String>,
}

impl Terms {
    fn by_language(&self) -> [(Language, &[String]); 4] {
        use Language::{Any, English, French, Spanish};
        [(Any, &self.any), (English, &self.en), (French, &self.fr), (Spanish, &self.es)]
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
        use Language::{Any, English, French, Spanish};
        let plain = [(Any, &*self.any), (English, &*self.en), (French, &*self.fr), (Spanish, &*self.es)];
        let grades = [("strong", &self.strong), ("medium", &self.medium), ("weak", &self.weak)];
        let graded = grades.into_iter().filter_map(|(grade, terms)| Some((grade, terms.as_ref()?)));
        let graded = graded.flat_map(|(grade, terms)| {
            terms.by_language().map(|(language, terms)| TermList { grade: Some(grade), language, terms })
        });
        let plain = plain.map(|(language, terms)| TermList { grade: None, language, terms });
        plain.into_iter().chain(graded).filter(|list| !list.terms.is_empty()).collect()
    }
}

/// The language of a term or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Language {
    /// Not known, or the same in all languages.
    Any,
    English,
    French,
    Spanish,
}

impl Language {
    pub const ALL: [Self; 4] = [Self::Any, Self::English, Self::French, Self::Spanish];

    /// Its key in vocabulary files, which is also its code in ISO 639-1.
    pub fn key(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::English => "en",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }
}

/// The languages that a sentence may be in; all of them if it cannot be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Languages(u8);

impl Languages {
    /// Whether the languages could be told.
    pub fn are_known(self) -> bool {
        self.0 != 0
    }

    /// Whether the sentence may be in a language.
    pub fn may_be(self, language: Language) -> bool {
        self.0 == 0 || self.0 >> language as u8 & 1 == 1
    }

    /// Adds a language.
    pub fn or(self, language: Language) -> Self {
        Self(self.0 | 1 << language as u8)
    }

    /// The language, if it is only one.
    pub fn sole(self) -> Language {
        let is_it = |language: &&Language| self.0 == 1 << **language as u8;
        Language::ALL.iter().find(is_it).copied().unwrap_or(Language::Any)
    }
}

/// The groups that no file fills: what a token is, not what it means. They have the first numbers of groups and sets.
pub const COMPUTED: [&str; 7] =
    ["url", "number", "amount", "box-glyph", "ticked-box-glyph", "capitals", "quotation"];

/// The numbers of the groups in [`COMPUTED`].
pub mod computed {
    use super::GroupId;

    pub const URL: GroupId = 0;
    pub const NUMBER: GroupId = 1;
    pub const AMOUNT: GroupId = 2;
    pub const BOX: GroupId = 3;
    pub const TICKED_BOX: GroupId = 4;
    pub const CAPITALS: GroupId = 5;
    pub const QUOTATION: GroupId = 6;
}

/// The names of the groups whose terms are the most frequent words of a language.
const LANGUAGES: [(&str, Language); 3] = [
    ("english-words", Language::English),
    ("french-words", Language::French),
    ("spanish-words", Language::Spanish),
];

/// All groups, and which sets of the lexicon contain their terms.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Vocabulary<'a> {
    /// The names in the order of their numbers, each followed by a line break.
    #[serde(borrow)]
    names: Cow<'a, str>,
    /// For each group, where its name begins in `names`, in four bytes.
    #[serde(borrow)]
    starts: Cow<'a, [u8]>,
    /// For each set of the lexicon: its group in two bytes, little-endian, and its language. [`NO_GROUP`] for others.
    #[serde(borrow)]
    sets: Cow<'a, [u8]>,
    /// The number of groups.
    len: GroupId,
    /// The groups whose terms excuse a sentence.
    excuses: NumberSet,
    /// A hash table of the frequent words that tell the language of a text, in slots of [`FREQUENT`] bytes: hash (4) and
    /// languages (1), which are 0 in an empty slot.
    #[serde(borrow)]
    frequent: Cow<'a, [u8]>,
    /// The titles of topics.
    titles: Vec<(String, String)>,
    /// Sets that users added to a group of before, and the set of that group which stands for them: rules that were
    /// prepared before know only that one.
    added: Vec<(SetId, SetId)>,
    /// The groups by the names that rules use. Made when the first name is looked up, which built-in rules never need.
    #[serde(skip)]
    by_name: OnceLock<BTreeMap<String, Vec<GroupId>>>,
}

/// The size of an entry in [`Vocabulary::frequent`].
const FREQUENT: usize = 5;

/// The number of slots in it.
const FREQUENT_SLOTS: usize = 1024;

const NO_GROUP: GroupId = GroupId::MAX;

/// The size of an entry in [`Vocabulary::sets`].
const ENTRY: usize = 3;

impl Vocabulary<'_> {
    /// A vocabulary of the computed groups only; each has the set of the same number.
    pub fn computed() -> Self {
        let mut empty = Self::default();
        for (set, name) in (0..).zip(COMPUTED) {
            let group = empty.add(name);
            empty.bind(set, group, Language::Any);
        }
        empty
    }

    /// The number of groups.
    pub fn group_count(&self) -> usize {
        usize::from(self.len)
    }

    /// The group and the language of a set.
    pub fn meaning(&self, set: SetId) -> Option<(GroupId, Language)> {
        let at = usize::from(set) * ENTRY;
        let entry = self.sets.get(at..at + ENTRY)?;
        let group = GroupId::from_le_bytes([entry[0], entry[1]]);
        (group != NO_GROUP).then(|| (group, Language::ALL[usize::from(entry[2]) % Language::ALL.len()]))
    }

    /// The name of a group.
    pub fn name(&self, group: GroupId) -> &str {
        let start = self.starts.get(usize::from(group) * 4..).and_then(<[u8]>::first_chunk);
        let name = start.and_then(|it| self.names.get(u32::from_le_bytes(*it) as usize..));
        name.and_then(|it| it.split('\n').next()).unwrap_or_default()
    }

    /// The names of all groups, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.lines()
    }

    /// The groups with a name: one, or one for each grade of a topic.
    pub fn groups(&self, name: &str) -> Vec<GroupId> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: BTreeMap<String, Vec<GroupId>> = BTreeMap::new();
            for (group, name) in (0..).zip(self.names()) {
                let topic = name.split_once('.').map(|(topic, _)| topic);
                for name in topic.into_iter().chain([name]) {
                    by_name.entry(name.to_owned()).or_default().push(group);
                }
            }
            by_name
        });
        by_name.get(name).cloned().unwrap_or_default()
    }

    /// The groups with a name, or a message with the nearest name.
    pub fn known_groups(&self, name: &str) -> Result<Vec<GroupId>, String> {
        let groups = self.groups(name);
        if groups.is_empty() {
            let bare = self.names().map(|it| it.split('.').next().unwrap_or(it));
            let near = crate::suggest::did_you_mean(crate::suggest::nearest(name, bare));
            return Err(format!("unknown group `{name}`{near}"));
        }
        Ok(groups)
    }

    /// The sets with the terms of a group.
    pub fn sets(&self, group: GroupId) -> impl Iterator<Item = SetId> {
        let count = self.sets.len() / ENTRY;
        (0..count as SetId).filter(move |set| self.meaning(*set).is_some_and(|(it, _)| it == group))
    }

    /// The set that rules know in place of a set that was added to a group later.
    pub fn known_set(&self, set: SetId) -> SetId {
        // Sets are numbered as they are added.
        self.added.binary_search_by_key(&set, |(added, _)| *added).map_or(set, |at| self.added[at].1)
    }

    /// Whether users added sets to groups of before.
    pub fn is_extended(&self) -> bool {
        !self.added.is_empty()
    }

    /// The groups of terms that excuse a sentence.
    pub fn excuses(&self) -> &NumberSet {
        &self.excuses
    }

    /// The languages in which a word with this hash is frequent.
    pub fn frequent_in(&self, hash: u32) -> Option<Languages> {
        let mut slot = hash as usize % FREQUENT_SLOTS;
        while let Some(&[a, b, c, d, languages]) = self.frequent.get(slot * FREQUENT..(slot + 1) * FREQUENT) {
            if languages == 0 {
                return None;
            }
            if u32::from_le_bytes([a, b, c, d]) == hash {
                return Some(Languages(languages));
            }
            slot = (slot + 1) % FREQUENT_SLOTS;
        }
        None
    }

    /// Whether the words of a group tell a language.
    pub fn tells_language(group: &str) -> bool {
        LANGUAGES.iter().any(|(known, _)| *known == group)
    }

    /// Lets words tell the language that a group is for; `false` if it is for none.
    pub fn tell<'w>(&mut self, group: &str, words: impl Iterator<Item = &'w str>) -> bool {
        let Some((_, language)) = LANGUAGES.iter().find(|(known, _)| *known == group) else { return false };
        let mut all: BTreeMap<u32, Languages> = BTreeMap::new();
        for entry in self.frequent.chunks_exact(FREQUENT).filter(|entry| entry[4] != 0) {
            let hash = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            all.insert(hash, Languages(entry[4]));
        }
        for word in words {
            let languages = all.entry(hash_of(word.as_bytes())).or_default();
            *languages = languages.or(*language);
        }
        // Users may add words too, but a table that is full tells nothing more.
        let mut table = vec![0; FREQUENT_SLOTS * FREQUENT];
        for (hash, languages) in all.into_iter().take(FREQUENT_SLOTS / 2) {
            let mut slot = hash as usize % FREQUENT_SLOTS;
            while table[slot * FREQUENT + 4] != 0 {
                slot = (slot + 1) % FREQUENT_SLOTS;
            }
            table[slot * FREQUENT..slot * FREQUENT + 4].copy_from_slice(&hash.to_le_bytes());
            table[slot * FREQUENT + 4] = languages.0;
        }
        self.frequent = table.into();
        true
    }

    /// The title of a topic, as a part of a sentence.
    pub fn title(&self, topic: &str) -> Option<&str> {
        self.titles.iter().find(|(known, _)| known == topic).map(|(_, title)| title.as_str())
    }

    pub fn entitle(&mut self, topic: &str, title: &str) {
        self.titles.push((topic.to_owned(), title.to_owned()));
    }

    /// Adds a group, or returns the number of the one that has the name.
    pub fn add(&mut self, name: &str) -> GroupId {
        if let Some(at) = self.names().position(|it| it == name) {
            return at as GroupId;
        }
        let group = self.len;
        self.by_name.take();
        self.starts.to_mut().extend((self.names.len() as u32).to_le_bytes());
        self.names.to_mut().extend([name, "\n"]);
        self.len += 1;
        group
    }

    /// Lets a group excuse its sentences.
    pub fn let_excuse(&mut self, group: GroupId) {
        self.excuses = self.excuses.iter().chain([group]).collect();
    }

    /// Lets the terms of a set count as those of a set that rules know already.
    pub fn extend(&mut self, known: SetId, added: SetId) {
        self.added.push((added, known));
    }

    /// States that a set contains terms of a group in a language.
    pub fn bind(&mut self, set: SetId, group: GroupId, language: Language) {
        let sets = self.sets.to_mut();
        let end = (usize::from(set) + 1) * ENTRY;
        while sets.len() < end {
            let [low, high] = NO_GROUP.to_le_bytes();
            sets.extend([low, high, 0]);
        }
        let [low, high] = group.to_le_bytes();
        sets[end - ENTRY..].copy_from_slice(&[low, high, language as u8]);
    }
}
