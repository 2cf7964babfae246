//! Prepares `rules/` and `schemas/` for the build script of tollproof-core. A mistake in one of their files stops it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_yaml::Value;

use crate::code_file::CodeFile;
use crate::encoded::Encoded;
use crate::prepare_columns::{FieldTitles, columns};
use crate::prepared::{
    Aliases, Prepared, PreparedRules, ProviderKeys, RoleNames, Rows, WrappingKeys, Writing,
};
use crate::provider::data::{Clue, ProviderData};
use crate::provider::file::ProviderFile;
use crate::provider::kept::{keep, keep_all, keep_table};
use crate::provider::kind_role::KindRole;
use crate::provider::kind_set::KindSet;
use crate::provider::roles::Roles;
use crate::public_suffixes::PublicSuffixes;
use crate::rule::file::RuleFile;
use crate::suggest::bare;
use crate::text::phrases::interner::{Interned, Interner, list_lines, list_title};
use crate::text::phrases::vocabulary_check::VocabularyError;
use crate::text::table::stored::WordTable;
use crate::text::terms::vocabulary::Vocabulary;
use crate::text::terms::vocabulary_file::VocabularyFile;
use crate::text::words::hit::SetId;
use crate::text::words::language::Language;

/// Text files by their path, with `/` between its parts.
pub type SourceFiles = BTreeMap<String, String>;

/// `rules/` and `schemas/` as bytes, which [`Prepared::decode`] reads.
#[derive(Debug)]
pub struct PreparedBytes {
    /// For a program, which uses most of them where they are.
    pub program: Vec<u8>,
    /// For a page, which downloads them: without the files of the vocabulary, by which `tollproof text` names entries, and
    /// without what rule files have besides documentation.
    pub page: Vec<u8>,
}

/// Prepares the files of `rules/` and `schemas/`, whose paths begin so.
///
/// # Errors
///
/// A fault of a file, with its path.
pub fn prepare(files: &SourceFiles) -> Result<PreparedBytes, String> {
    let lists = below(files, "rules/lists/", ".txt");
    let mut rules = below(files, "rules/", ".yaml");
    rules.retain(|id, _| !id.starts_with("vocabulary/"));
    let names: RoleFile = read(files, "schemas/roles.yaml")?;
    let roles = names.prepare()?;
    let providers = providers(files, &names.names_of, &roles)?;
    let codes: CodeFile = read(files, "schemas/codes.yaml")?;
    let codes = codes.prepare(&roles.all, |id| rules.contains_key(id));
    let vocabulary = below(files, "rules/vocabulary/", ".yaml");
    let interner = Interner::new(lists.iter().map(|(name, text)| (*name, *text)));
    let mut prepared = Prepared {
        rules: prepare_rules(interner, &rules, &lists, &vocabulary)?.into(),
        rule_files: kept(&rules).into(),
        vocabulary_files: Rows::new().into(),
        lists: kept(&lists).into(),
        hosts: host_lists(&lists).into(),
        keys: provider_keys(&providers)?.into(),
        wrapping: wrapping_keys(files, &providers, &names.wrappers)?.into(),
        columns: columns(&providers, &provider_keys(&providers)?, &field_titles(files, &providers)?).into(),
        aliases: read::<AliasFile>(files, "schemas/bird/aliases.yaml")?.prepare().into(),
        codes: codes.map_err(|error| format!("schemas/codes.yaml: {error}"))?.into(),
        roles: roles.into(),
        public_suffixes: PublicSuffixes::of_data().into(),
        providers: providers.into_iter().map(|it| (it.name, Encoded::from(it))).collect(),
    };
    let shown: BTreeMap<&str, String> = rules.iter().map(|(id, text)| (*id, shown_on_page(text))).collect();
    let of_rules = std::mem::replace(
        &mut prepared.rule_files,
        kept(&shown.iter().map(|(id, text)| (*id, text.as_str())).collect()).into(),
    );
    let page = encode(&prepared)?;
    prepared.rule_files = of_rules;
    prepared.vocabulary_files = kept(&vocabulary).into();
    Ok(PreparedBytes { program: encode(&prepared)?, page })
}

fn encode(prepared: &Prepared) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(prepared).map_err(|error| error.to_string())
}

/// The files in a folder with an ending, by their path without both.
fn below<'f>(files: &'f SourceFiles, folder: &str, ending: &str) -> BTreeMap<&'f str, &'f str> {
    let name = |path: &'f str| path.strip_prefix(folder)?.strip_suffix(ending);
    files.iter().filter_map(|(path, text)| Some((name(path)?, text.as_str()))).collect()
}

/// The part of a rule file shown on a page: not what its rule is prepared from.
fn shown_on_page(text: &str) -> String {
    const SHOWN: [&str; 8] =
        ["title", "severity", "message", "help", "docs", "source", "prevents", "examples"];
    let mut is_shown = false;
    let shown = |line: &&str| {
        if let Some((key, _)) = line.split_once(':').filter(|_| !line.starts_with(' ')) {
            is_shown = SHOWN.contains(&key);
        }
        is_shown
    };
    text.lines().filter(shown).flat_map(|line| [line, "\n"]).collect()
}

fn kept(files: &BTreeMap<&str, &str>) -> Rows<&'static str> {
    files.iter().map(|(name, text)| (keep(name), keep(text))).collect()
}

fn text<'f>(files: &'f SourceFiles, path: &str) -> Result<&'f str, String> {
    files.get(path).map(String::as_str).ok_or_else(|| format!("{path} is missing"))
}

fn read<T: DeserializeOwned>(files: &SourceFiles, path: &str) -> Result<T, String> {
    serde_yaml::from_str(text(files, path)?).map_err(|error| format!("{path}: {error}"))
}

/// A term of the vocabulary, for tests that leave out one of them.
#[derive(Clone, Debug)]
pub struct TermOfFile {
    /// The file, such as `consent`.
    pub file: String,
    /// The group, with the grade of a topic.
    pub group: String,
    pub language: Language,
    pub term: String,
}

/// The rules with a set of phrases for each term of the vocabulary: the first term has the first number after those of the
/// computed groups.
///
/// # Errors
///
/// As [`prepare`].
pub fn prepare_with_terms(files: &SourceFiles) -> Result<(PreparedRules, Vec<TermOfFile>), String> {
    let lists = below(files, "rules/lists/", ".txt");
    let mut rules = below(files, "rules/", ".yaml");
    rules.retain(|id, _| !id.starts_with("vocabulary/"));
    let vocabulary = below(files, "rules/vocabulary/", ".yaml");
    let interner = Interner::splitting_groups(lists.iter().map(|(name, text)| (*name, *text)));
    let prepared = prepare_rules(interner, &rules, &lists, &vocabulary)?;
    let mut terms = Vec::new();
    for (name, text) in vocabulary {
        let groups: VocabularyFile =
            serde_yaml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        for (group, content) in &groups.0 {
            for list in content.lists().into_iter().filter(|_| Vocabulary::told_by(group).is_none()) {
                let (file, group, language) = (name.to_owned(), list.group(group), list.language);
                let of = |term: &String| TermOfFile {
                    file: file.clone(),
                    group: group.clone(),
                    language,
                    term: term.clone(),
                };
                terms.extend(list.terms.iter().map(of));
            }
        }
    }
    Ok((prepared, terms))
}

/// Rules, the table of their phrases, list titles and the vocabulary.
fn prepare_rules<'l>(
    mut interner: Interner<'l>,
    files: &BTreeMap<&str, &str>,
    lists: &BTreeMap<&'l str, &'l str>,
    vocabulary: &BTreeMap<&str, &str>,
) -> Result<PreparedRules, String> {
    let mut groups: Vec<(String, VocabularyFile)> = Vec::new();
    for (name, text) in vocabulary {
        let file = serde_yaml::from_str(text);
        groups.push((
            (*name).to_owned(),
            file.map_err(|error| format!("rules/vocabulary/{name}.yaml: {error}"))?,
        ));
    }
    let added = interner.add_vocabulary(&groups);
    let errors = added.err().unwrap_or_else(|| interner.covered_terms(&groups));
    if !errors.is_empty() {
        let line = |error: &VocabularyError| {
            let name = groups[error.file].0.as_str();
            let line = line_of(vocabulary[name], &error.pointer);
            format!("rules/vocabulary/{name}.yaml:{line}: {}", error.message)
        };
        let lines: Vec<String> = errors.iter().map(line).collect();
        return Err(format!("mistakes in the vocabulary:\n{}", lines.join("\n")));
    }
    let mut rules = Vec::new();
    for (id, text) in files {
        let file: RuleFile =
            serde_yaml::from_str(text).map_err(|error| format!("rules/{id}.yaml: {error}"))?;
        let rule = file.prepare(id, &mut interner);
        rules.push(rule.map_err(|error| format!("rules/{id}.yaml at {}: {}", error.pointer, error.message))?);
    }
    let Interned { phrases, lists: known, vocabulary, next_set } = interner.finish();
    let title = |(name, set): (&String, &SetId)| Some((*set, list_title(lists[name.as_str()])?.to_owned()));
    Ok(PreparedRules {
        rules,
        phrases: phrases.build(),
        titles: known.iter().filter_map(title).collect(),
        vocabulary,
        next_set,
    })
}

/// The line to which a pointer leads in a vocabulary file whose keys and terms are on lines of their own, from 1. Otherwise
/// the line of the innermost key that is.
fn line_of(text: &str, pointer: &str) -> usize {
    let mut found = 0;
    for key in pointer.split('/').skip(1) {
        let lines = (1..).zip(text.lines()).skip(found);
        let inside =
            |(_, line): &(usize, &str)| found == 0 || line.is_empty() || line.starts_with([' ', '#', '-']);
        let mut lines = lines.take_while(inside).map(|(number, line)| (number, line.trim_start()));
        let next = match key.parse() {
            Ok(index) => {
                let of_list = lines.take_while(|(_, line)| line.is_empty() || line.starts_with(['#', '-']));
                of_list.filter(|(_, line)| line.starts_with('-')).nth(index)
            }
            Err(_) => lines.find(|(_, line)| line.split_once(':').is_some_and(|(it, _)| it == key)),
        };
        let Some((number, _)) = next else { break };
        found = number;
    }
    found.max(1)
}

/// The lists of hosts.
fn host_lists(lists: &BTreeMap<&str, &str>) -> Rows<WordTable<'static>> {
    let hosts = |text: &str| {
        let hosts: Vec<&str> = list_lines(text).collect();
        let all = hosts.iter().all(|host| host.contains('.') && !host.contains(' '));
        (all && !hosts.is_empty()).then(|| WordTable::of(&hosts).0)
    };
    lists.iter().filter_map(|(name, text)| Some((keep(name), hosts(text)?))).collect()
}

/// The content of `schemas/bird/aliases.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AliasFile {
    fields: BTreeMap<String, Vec<String>>,
    noted_in: String,
    noted: Vec<String>,
    values: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    several: BTreeMap<String, String>,
}

impl AliasFile {
    fn prepare(&self) -> Aliases {
        let all_bare = |names: &Vec<String>| names.iter().map(|name| keep(&bare(name))).collect::<Vec<_>>();
        let all = |names: &BTreeMap<String, Vec<String>>| {
            names.iter().map(|(meant, names)| (keep(meant), all_bare(names))).collect()
        };
        Aliases {
            fields: all(&self.fields),
            noted: (keep(&self.noted_in), all_bare(&self.noted)),
            values: self.values.iter().map(|(field, names)| (keep(field), all(names))).collect(),
            several: self.several.iter().map(|(role, value)| (keep(role), keep(value))).collect(),
        }
    }
}

/// The content of `schemas/roles.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleFile {
    names_of: String,
    submission: Vec<String>,
    texts: Vec<String>,
    other: Vec<String>,
    lists: Vec<String>,
    asked: Vec<String>,
    groups: serde_yaml::Mapping,
    wrappers: Vec<String>,
    unknown: BTreeMap<String, Vec<String>>,
    headings: BTreeMap<String, Vec<String>>,
}

impl RoleFile {
    fn prepare(&self) -> Result<RoleNames, String> {
        let wrong = |message: String| format!("schemas/roles.yaml: {message}");
        if let Some(stray) = self.texts.iter().find(|it| !self.submission.contains(it)) {
            return Err(wrong(format!("`texts` has {stray}, which `submission` does not have")));
        }
        let all: Vec<_> =
            [&self.submission, &self.other, &self.asked].into_iter().flat_map(|it| keep_all(it)).collect();
        let mut asked = keep_all(&self.asked);
        asked.sort_unstable();
        let mut seen = BTreeSet::new();
        let mut groups = Vec::new();
        for (name, members) in &self.groups {
            let members: Vec<String> =
                serde_yaml::from_value(members.clone()).map_err(|error| wrong(error.to_string()))?;
            for role in &members {
                if !all.contains(&role.as_str()) || !seen.insert(role.clone()) {
                    return Err(wrong(format!("`groups`: {role} is not a role, or is there twice")));
                }
            }
            groups.push((keep(name.as_str().unwrap_or_default()), keep_all(&members)));
        }
        Ok(RoleNames {
            all,
            submission: keep_all(&self.submission),
            texts: keep_all(&self.texts),
            lists: keep_all(&self.lists),
            asked,
            groups: groups.into(),
            unknown: keep_table(&self.unknown).into(),
            headings: keep_table(&self.headings).into(),
        })
    }
}

/// The folders in `schemas/` with a provider; first the provider whose field names are also the names of the roles.
fn providers(files: &SourceFiles, first: &str, roles: &RoleNames) -> Result<Vec<ProviderData>, String> {
    let folders = below(files, "schemas/", "/provider.yaml");
    let mut names: Vec<&str> = folders.into_keys().collect();
    names.sort_by_key(|name| *name != first);
    if names.first() != Some(&first) {
        return Err("schemas/roles.yaml: `names_of` is not a provider".to_owned());
    }
    let roles = Roles { all: &roles.all, submission: &roles.submission, lists: &roles.lists };
    let mut providers = Vec::new();
    for name in names {
        let folder = format!("schemas/{name}/");
        let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
        for (kind, text) in below(files, &folder, ".schema.json") {
            let json = serde_json::from_str(text);
            schemas.insert(
                kind.to_owned(),
                json.map_err(|error| format!("{folder}{kind}.schema.json: {error}"))?,
            );
        }
        let file: ProviderFile = read(files, &format!("{folder}provider.yaml"))?;
        let mut data = file.prepare(name, &schemas, roles).map_err(|error| {
            let file = error
                .schema
                .map_or("provider.yaml".to_owned(), |schema| format!("{}.schema.json", schema.name()));
            format!("{folder}{file} at {}: {}", error.pointer, error.message)
        })?;
        for (at, kind) in data.kinds.iter_mut().enumerate() {
            // The other spellings of a kind have its schema and its sample.
            (kind.schema, kind.sample) = if at < data.count {
                let path = format!("{folder}samples/{}.json", kind.role.name());
                (kind.schema, keep(text(files, &path)?))
            } else {
                ("", "")
            };
        }
        if name == first && data.count != KindSet::ALL.count() {
            return Err(format!("{name} is the default, so it has kinds of all roles"));
        }
        providers.push(data);
    }
    Ok(providers)
}

/// The titles of fields in every language.
fn field_titles(files: &SourceFiles, providers: &[ProviderData]) -> Result<FieldTitles, String> {
    let schema = |data: &ProviderData| {
        read(files, &format!("schemas/{}/{}.schema.json", data.name, KindRole::Submit.name()))
    };
    let translated =
        files.keys().filter(|path| path.starts_with("languages/") && path.ends_with("/fields.yaml"));
    Ok(FieldTitles {
        schemas: providers.iter().map(schema).collect::<Result<_, _>>()?,
        translated: translated.map(|path| read(files, path)).collect::<Result<_, _>>()?,
    })
}

/// The keys at the root of all documents, with the providers and spellings that have them.
fn provider_keys(providers: &[ProviderData]) -> Result<ProviderKeys, String> {
    let mut keys: BTreeMap<&str, u32> = BTreeMap::new();
    let mut writings = Vec::new();
    for (provider, data) in providers.iter().enumerate() {
        for spelling in 0..data.spellings {
            let of = |first: usize, count: usize| &data.kinds[first + spelling * count..][..count];
            let variants = of(data.count * data.spellings, data.variants.len());
            for field in of(0, data.count).iter().chain(variants).flat_map(|kind| kind.shape.root_fields()) {
                let bit = u32::try_from(writings.len()).ok().and_then(|bit| 1_u32.checked_shl(bit));
                *keys.entry(&field.name).or_default() |= bit.ok_or("there are more than 32 spellings")?;
            }
            let by_items = data.clues.iter().any(Clue::is_nested);
            writings.push(Writing { provider, spelling, by_items });
        }
    }
    Ok(ProviderKeys { keys: keys.into_iter().map(|(key, bits)| (keep(key), bits)).collect(), writings })
}

/// The keys around the fields of a submission, and those of requests and records.
fn wrapping_keys(
    files: &SourceFiles,
    providers: &[ProviderData],
    wrappers: &[String],
) -> Result<WrappingKeys, String> {
    let mut found = WrappingKeys { wrappers: keep_all(wrappers), ..WrappingKeys::default() };
    let mut keys = BTreeSet::new();
    for data in providers {
        let file: ProviderFile = read(files, &format!("schemas/{}/provider.yaml", data.name))?;
        found.entry_names.extend(keep_all(&file.entries.names));
        found.entry_values.extend(keep_all(&file.entries.values));
        found.resources.extend(keep_all(&file.resources));
        found.wrappers.extend(keep_all(&file.lists));
        let is_payload = |role| !matches!(role, KindRole::Purchase | KindRole::Search | KindRole::Error);
        let kinds = data.kinds.iter().filter(|kind| is_payload(kind.role));
        keys.extend(kinds.flat_map(|kind| kind.shape.root_fields()).map(|field| &*field.name));
    }
    found.payload_keys = WordTable::of(&Vec::from_iter(keys)).0;
    Ok(found)
}
