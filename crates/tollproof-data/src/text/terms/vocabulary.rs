//! The vocabulary: groups of terms with the same meaning, in each language.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::text::table::number_set::NumberSet;
use crate::text::table::stored::records;
use crate::text::words::hit::{GroupId, SetId};
use crate::text::words::language::{Language, Languages};
use crate::text::words::word::Words;

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

/// All groups, and which sets of the lexicon contain their terms.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Vocabulary<'a> {
    /// The names in the order of their numbers, each followed by a line break.
    #[serde(borrow)]
    names: Cow<'a, str>,
    /// For each group, where its name begins in `names`.
    #[serde(borrow, with = "records")]
    starts: Cow<'a, [U32]>,
    /// For each set of the lexicon, what it contains.
    #[serde(borrow, with = "records")]
    sets: Cow<'a, [SetMeaning]>,
    /// The number of groups.
    len: GroupId,
    /// The groups whose terms excuse a sentence.
    excuses: NumberSet,
    /// The languages of frequent words that users added.
    frequent: BTreeMap<String, Languages>,
    /// The titles of topics.
    titles: Vec<(String, String)>,
    /// Sets that users added to a group of before, and the set of that group which replaces them: rules that were
    /// prepared before know only that one.
    added: Vec<(SetId, SetId)>,
    /// The groups by the names that rules use. Made when the first name is looked up, which built-in rules never need.
    #[serde(skip)]
    by_name: OnceLock<BTreeMap<String, Vec<GroupId>>>,
}

/// The content of a set of phrases: terms of a group in a language.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct SetMeaning {
    /// [`NO_GROUP`] if they are not terms.
    group: U16,
    language: Language,
}

const NO_GROUP: GroupId = GroupId::MAX;

impl Vocabulary<'_> {
    /// A vocabulary of the computed groups, each of which has the set of the same number, and of the groups to which users
    /// add frequent words.
    pub fn computed() -> Self {
        let mut empty = Self::default();
        for (set, name) in (0..).zip(COMPUTED) {
            let group = empty.add(name);
            empty.bind(set, group, Language::ANY);
        }
        for language in Language::all() {
            empty.add(&language.words_group());
        }
        empty
    }

    /// The number of groups.
    pub fn group_count(&self) -> usize {
        usize::from(self.len)
    }

    /// The group and the language of a set.
    pub fn meaning(&self, set: SetId) -> Option<(GroupId, Language)> {
        let SetMeaning { group, language } = self.sets.get(usize::from(set))?;
        (group.get() != NO_GROUP).then_some((group.get(), *language))
    }

    /// The name of a group.
    pub fn name(&self, group: GroupId) -> &str {
        let start = self.starts.get(usize::from(group));
        let name = start.and_then(|start| self.names.get(start.get() as usize..));
        name.and_then(|rest| rest.split('\n').next()).unwrap_or_default()
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
            let bare = self.names().map(|name| name.split('.').next().unwrap_or(name));
            let near = crate::suggest::did_you_mean(crate::suggest::nearest(name, bare));
            return Err(format!("unknown group `{name}`{near}"));
        }
        Ok(groups)
    }

    /// The sets with the terms of a group.
    pub fn sets(&self, group: GroupId) -> impl Iterator<Item = SetId> {
        (0..self.sets.len() as SetId).filter(move |set| self.meaning(*set).is_some_and(|(it, _)| it == group))
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

    /// The languages in which users call a word frequent.
    pub fn added_frequent(&self, words: &Words, at: usize) -> Languages {
        if self.frequent.is_empty() {
            return Languages::default();
        }
        self.frequent.get(words.word(at)).copied().unwrap_or_default()
    }

    /// The language that the words of a group tell.
    pub fn told_by(group: &str) -> Option<Language> {
        Language::all().find(|language| language.words_group() == group)
    }

    /// Lets words tell a language.
    pub fn tell<'w>(&mut self, language: Language, words: impl Iterator<Item = &'w str>) {
        for word in words {
            let languages = self.frequent.entry(word.to_owned()).or_default();
            *languages = languages.or(language);
        }
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
        self.starts.to_mut().push((self.names.len() as u32).into());
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
        let none = SetMeaning { group: NO_GROUP.into(), language: Language::ANY };
        sets.resize(sets.len().max(usize::from(set) + 1), none);
        sets[usize::from(set)] = SetMeaning { group: group.into(), language };
    }
}
