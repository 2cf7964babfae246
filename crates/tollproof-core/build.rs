//! Prepares and embeds `rules/`, `schemas/` and `data/` at build time, so that no work is left for start-up.

// The modules below are shared with the library; this script uses only a part of them.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports, unused_macros)]
// A build script reports errors by panicking.
#![allow(clippy::unwrap_used)]
// This script may read files, which is not allowed in the library.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/checks/mod.rs"]
mod checks;
#[path = "build/code_file.rs"]
mod code_file;
#[path = "build/data.rs"]
mod data;
#[path = "src/finding.rs"]
mod finding;
#[path = "src/provider"]
mod provider {
    pub mod data;
    mod encoded;
    pub mod file;
    pub mod forms;
    pub mod kind;
    pub mod kind_role;
    pub mod kind_set;
    pub mod path;
    pub mod prepare;
    pub mod requirement;
    pub mod role;
    pub mod schema {
        pub mod compile;
        pub mod error;
        pub mod shape;
    }
    pub mod spelling;
    pub mod values;
}
#[path = "src/response"]
mod response {
    pub mod code_table;
}
#[path = "src/rule"]
mod rule {
    pub mod file;
    pub mod prefilter;
}
#[path = "src/suggest.rs"]
mod suggest;
#[path = "src/syntax"]
mod syntax {
    pub mod column_names;
    pub mod document;
    pub mod edit;
    pub mod encoding;
    pub mod message;
    pub mod message_parts;
    pub mod part_start;
    pub mod pointer;
    pub mod source;
    pub mod span;
    pub mod syntax_error;
}
#[path = "src/text"]
mod text {
    pub mod covered_terms;
    pub mod entry;
    pub mod groups;
    pub mod hit;
    pub mod invisible;
    pub mod lexicon;
    pub mod lexicon_builder;
    pub mod number_set;
    pub mod phrase;
    pub mod phrase_parts;
    pub mod phrases;
    pub mod polarity;
    pub mod prefilter;
    pub mod prepared;
    pub mod tokenize;
    pub mod vocabulary;
    pub mod vocabulary_check;
    pub mod words;
}

#[path = "src/validators"]
mod validators {
    pub mod host_hash;
    /// The path of the word lists in the library, for the modules shared with it.
    pub(crate) use crate::data as word_lists;
}

use code_file::CodeFile;
use provider::data::Clue;
use provider::file::ProviderFile;
use provider::prepare::Roles;
use provider::schema::shape::Shape;
use provider::{kind_set, role};
use rule::file::RuleFile;
use text::phrases::{Interned, Interner, list_lines, list_title};
use text::vocabulary::VocabularyFile;
use validators::host_hash::host_hashes;

fn main() {
    println!("cargo::rustc-cfg=engine");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=schemas");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    data::prepare(&out);
    let lists = named(Path::new("rules/lists"), "txt");
    let vocabulary = named(Path::new("rules/vocabulary"), "yaml");
    let mut files = named(Path::new("rules"), "yaml");
    files.retain(|name, _| !name.starts_with("vocabulary/"));
    fs::write(out.join("lists.rs"), table(&lists)).unwrap();
    let hosts = host_lists(&lists);
    fs::write(out.join("host_filter.bin"), host_filter(&hosts)).unwrap();
    fs::write(out.join("hosts.rs"), table(&hosts)).unwrap();
    fs::write(out.join("rule_files.rs"), table(&files)).unwrap();
    fs::write(out.join("vocabulary_files.rs"), table(&vocabulary)).unwrap();
    fs::write(out.join("rules.bin"), prepare_rules(&files, &lists, &vocabulary)).unwrap();
    fs::write(out.join("aliases.bin"), prepare_aliases()).unwrap();
    prepare_providers(&out);
    fs::write(out.join("codes.bin"), prepare_codes(&files)).unwrap();
}

/// The content of `schemas/bird/aliases.yaml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct AliasFile {
    fields: NamesByMeaning,
    noted_in: String,
    noted: Vec<String>,
    values: BTreeMap<String, NamesByMeaning>,
    several: BTreeMap<String, String>,
}

type NamesByMeaning = BTreeMap<String, Vec<String>>;

/// Prepares the aliases of fields and values, in the normalized form that the library compares.
fn prepare_aliases() -> Vec<u8> {
    let written: AliasFile = from_yaml("schemas/bird/aliases.yaml");
    let bare = |names: &[String]| names.iter().map(|name| suggest::bare(name)).collect::<Vec<_>>();
    let all = |names: &NamesByMeaning| {
        names.iter().map(|(meant, it)| (meant.clone(), bare(it))).collect::<Vec<_>>()
    };
    let values: Vec<_> = written.values.iter().map(|(field, names)| (field, all(names))).collect();
    let several: Vec<_> = written.several.iter().collect();
    let noted = (&written.noted_in, bare(&written.noted));
    postcard::to_allocvec(&(all(&written.fields), noted, values, several)).unwrap()
}

/// Encodes rules, their prefilter, lexicon, list titles and vocabulary in the format that the library decodes.
fn prepare_rules(
    files: &BTreeMap<String, String>,
    lists: &BTreeMap<String, String>,
    vocabulary: &BTreeMap<String, String>,
) -> Vec<u8> {
    let mut interner = Interner::new(lists.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let read = |(name, text): (&String, &String)| -> (String, VocabularyFile) {
        let file = serde_yaml::from_str(text);
        (name.clone(), file.unwrap_or_else(|error| panic!("rules/vocabulary/{name}.yaml: {error}")))
    };
    let groups: Vec<(String, VocabularyFile)> = vocabulary.iter().map(read).collect();
    let added = interner.add_vocabulary(&groups);
    let errors = added.err().unwrap_or_else(|| interner.covered_terms(&groups));
    if !errors.is_empty() {
        let lines: Vec<String> = errors
            .iter()
            .map(|error| {
                let name = &groups[error.file].0;
                let line = line_of(&vocabulary[name], &error.pointer);
                format!("rules/vocabulary/{name}.yaml:{line}: {}", error.message)
            })
            .collect();
        panic!("mistakes in the vocabulary:\n{}", lines.join("\n"));
    }
    let mut rules = Vec::new();
    for (id, text) in files {
        let file: RuleFile =
            serde_yaml::from_str(text).unwrap_or_else(|error| panic!("rules/{id}.yaml: {error}"));
        let rule = file.prepare(id, &mut interner);
        rules.push(
            rule.unwrap_or_else(|error| panic!("rules/{id}.yaml at {}: {}", error.pointer, error.message)),
        );
    }
    let Interned { phrases, lists: known, vocabulary, next_set } = interner.finish();
    let titles: Vec<(u16, &str)> =
        known.iter().filter_map(|(name, set)| Some((*set, list_title(&lists[name])?))).collect();
    let prefilter = rule::prefilter::RulePrefilter::of(&rules);
    // What a page downloads contains the phrases instead of their table, which it builds when it starts.
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|it| it == "wasm") {
        return postcard::to_allocvec(&(rules, prefilter, phrases, titles, vocabulary, next_set)).unwrap();
    }
    postcard::to_allocvec(&(rules, prefilter, phrases.build(), titles, vocabulary, next_set)).unwrap()
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

/// The lists of hosts, one entry per line, sorted for binary search.
fn host_lists(lists: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let hosts = |text: &str| {
        let mut hosts: Vec<String> = list_lines(text).map(str::to_owned).collect();
        hosts.sort();
        let all = hosts.iter().all(|host| host.contains('.') && !host.contains(' '));
        (all && !hosts.is_empty()).then(|| hosts.join("\n"))
    };
    lists.iter().filter_map(|(name, text)| Some((name.clone(), hosts(text)?))).collect()
}

/// The size of the filter of hosts in bytes.
const HOST_FILTER: usize = 1 << 13;

/// A bit for the hash of each entry of the host lists.
fn host_filter(lists: &BTreeMap<String, String>) -> Vec<u8> {
    let mut filter = vec![0; HOST_FILTER];
    for hash in lists.values().flat_map(|text| text.lines()).filter_map(|host| host_hashes(host).last()) {
        let bit = hash as usize % (HOST_FILTER * 8);
        filter[bit / 8] |= 1 << (bit % 8);
    }
    filter
}

/// The content of `schemas/roles.yaml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleNames {
    names_of: String,
    submission: Vec<String>,
    texts: Vec<String>,
    other: Vec<String>,
    lists: Vec<String>,
    asked: Vec<String>,
    groups: serde_yaml::Mapping,
    wrappers: Vec<String>,
    unknown: BTreeMap<String, Vec<String>>,
}

/// Writes the roles and the providers as Rust source; each provider includes the schemas and samples of its kinds.
fn prepare_providers(out: &Path) {
    let names: RoleNames = from_yaml("schemas/roles.yaml");
    let submission: Vec<&str> = names.submission.iter().map(String::as_str).collect();
    let all: Vec<&str> =
        [&names.submission, &names.other, &names.asked].into_iter().flatten().map(String::as_str).collect();
    fs::write(out.join("submission_roles.rs"), format!("&{submission:?}")).unwrap();
    let stray = names.texts.iter().find(|it| !names.submission.contains(it));
    assert!(stray.is_none(), "schemas/roles.yaml: `texts` has {stray:?}, which `submission` has not");
    fs::write(out.join("text_roles.rs"), format!("&{:?}", names.texts)).unwrap();
    fs::write(out.join("roles.rs"), format!("&{all:?}")).unwrap();
    let unknown: String =
        names.unknown.iter().map(|(title, keys)| format!("({title:?}, &{keys:?}),\n")).collect();
    fs::write(out.join("others.rs"), format!("&[\n{unknown}]")).unwrap();
    fs::write(out.join("list_roles.rs"), format!("&{:?}", names.lists)).unwrap();
    let mut asked = names.asked.clone();
    asked.sort();
    fs::write(out.join("asked_roles.rs"), format!("&{asked:?}")).unwrap();
    fs::write(out.join("role_groups.rs"), role_groups(&names.groups, &all)).unwrap();
    let lists: Vec<&str> = names.lists.iter().map(String::as_str).collect();
    let mut source = String::from("&[\n");
    let (mut entry_names, mut entry_values, mut resources) = (Vec::new(), Vec::new(), Vec::new());
    let (mut wrappers, mut payload_keys) = (names.wrappers, BTreeSet::new());
    let mut all_shapes: Vec<&[u8]> = Vec::new();
    let mut keys: BTreeMap<String, u32> = BTreeMap::new();
    let mut writings: Vec<(usize, usize, bool)> = Vec::new();
    let all_providers = providers(&names.names_of);
    fs::write(out.join("provider_names.rs"), format!("&{all_providers:?}")).unwrap();
    for (number, provider) in all_providers.iter().enumerate() {
        let provider = provider.as_str();
        let file: ProviderFile = from_yaml(&format!("schemas/{provider}/provider.yaml"));
        entry_names.extend(file.entries.names);
        entry_values.extend(file.entries.values);
        resources.extend(file.resources);
        wrappers.extend(file.lists);
        let roles = Roles { all: &all, submission: &submission, numbers: role::PHONE_NUMBERS, lists: &lists };
        let data = prepare_provider(provider, roles);
        let encoded = postcard::to_allocvec(&data).unwrap();
        writeln!(source, "(&{encoded:?}, &[").unwrap();
        all_shapes.extend(data.kinds.iter().map(|it| it.encoded_shape));
        for spelling in 0..data.spellings {
            let of = |first: usize, count: usize| &data.kinds[first + spelling * count..][..count];
            let variants = of(data.count * data.spellings, data.variants.len());
            for kind in of(0, data.count).iter().chain(variants) {
                let Shape::Object(object) = postcard::from_bytes(kind.encoded_shape).unwrap() else {
                    continue;
                };
                for field in object.fields {
                    if !matches!(
                        kind.role,
                        provider::kind_role::KindRole::Purchase
                            | provider::kind_role::KindRole::Search
                            | provider::kind_role::KindRole::Error
                    ) {
                        payload_keys.insert(field.name.clone());
                    }
                    *keys.entry(field.name).or_default() |= 1 << writings.len();
                }
            }
            writings.push((number, spelling, data.clues.iter().any(Clue::is_nested)));
        }
        for (at, kind) in data.kinds.iter().enumerate() {
            // The other spellings of a kind have its schema and its sample.
            let (mut schema, mut sample) = (String::new(), String::new());
            if at < data.count {
                let path = format!("schemas/{provider}/samples/{}.json", kind.role.name());
                sample = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
                kind.schema.clone_into(&mut schema);
            }
            writeln!(source, "({schema:?}, &{:?}, {sample:?}),", kind.encoded_shape).unwrap();
        }
        source += "]),\n";
        let has_all = data.count == kind_set::KindSet::ALL.count();
        assert!(
            has_all || provider != names.names_of,
            "{provider} is the default, so it has kinds of all roles"
        );
    }
    fs::write(out.join("providers.rs"), source + "]").unwrap();
    fs::write(out.join("columns.rs"), columns(&all_shapes)).unwrap();
    fs::write(out.join("column_names.rs"), column_names(&keys)).unwrap();
    assert!(writings.len() <= 32, "the library counts the spellings of all providers in 32 bits");
    let keys: Vec<_> = keys.into_iter().collect();
    fs::write(out.join("keys.rs"), format!("&{keys:?}")).unwrap();
    fs::write(out.join("writings.rs"), format!("&{writings:?}")).unwrap();
    let payload_keys = payload_keys.into_iter().collect();
    for (name, keys) in [
        ("entry_names", entry_names),
        ("entry_values", entry_values),
        ("resources", resources),
        ("wrappers", wrappers),
        ("payload_keys", payload_keys),
    ] {
        fs::write(out.join(format!("{name}.rs")), format!("&{keys:?}")).unwrap();
    }
}

/// The groups of a form with their roles, in the order of the file, as Rust source.
fn role_groups(groups: &serde_yaml::Mapping, roles: &[&str]) -> String {
    let mut seen = BTreeSet::new();
    let mut rows = String::new();
    for (name, members) in groups {
        let name: String = serde_yaml::from_value(name.clone()).unwrap();
        let members: Vec<String> = serde_yaml::from_value(members.clone()).unwrap();
        for role in &members {
            assert!(roles.contains(&role.as_str()), "schemas/roles.yaml: `groups`: {role} is not a role");
            assert!(seen.insert(role.clone()), "schemas/roles.yaml: `groups` has {role} twice");
        }
        writeln!(rows, "({name:?}, &{members:?}),").unwrap();
    }
    format!("&[\n{rows}]")
}

/// The fields that are not strings, with their types in a table: a list of strings may be one cell. A field with
/// another type at another provider has the type of the default one.
fn columns(encoded_shapes: &[&[u8]]) -> String {
    let mut types: BTreeMap<String, &str> = BTreeMap::new();
    for shape in encoded_shapes {
        let Shape::Object(object) = postcard::from_bytes(shape).unwrap() else { continue };
        for field in object.fields {
            let named = match field.shape {
                Shape::List { item, .. } if matches!(*item, Shape::Text(_)) => "List",
                Shape::Bool { .. } => "Boolean",
                Shape::Integer { .. } => "Integer",
                _ => "",
            };
            types.entry(field.name).or_insert(named);
        }
    }
    types.retain(|_, named| !named.is_empty());
    let rows: String = types.iter().map(|(name, is)| format!("({name:?}, ColumnType::{is}),\n")).collect();
    format!("&[\n{rows}]")
}

/// The names of all fields, by their letters and digits without case, each with a bit for every provider and spelling.
fn column_names(keys: &BTreeMap<String, u32>) -> String {
    let mut names: BTreeMap<String, Vec<(&str, u32)>> = BTreeMap::new();
    for (key, writings) in keys {
        names.entry(syntax::column_names::plain_name(key)).or_default().push((key, *writings));
    }
    let rows: String = names.iter().map(|(name, keys)| format!("({name:?}, &{keys:?}),\n")).collect();
    format!("&[\n{rows}]")
}

/// The folders in `schemas/` with a provider; first the provider whose field names are also the names of the roles.
fn providers(first: &str) -> Vec<String> {
    let mut found: Vec<String> = named(Path::new("schemas"), "yaml")
        .into_keys()
        .filter_map(|name| name.strip_suffix("/provider").map(str::to_owned))
        .collect();
    found.sort_by_key(|name| name != first);
    assert_eq!(
        found.first().map(String::as_str),
        Some(first),
        "`names_of` of schemas/roles.yaml is a provider"
    );
    found
}

fn prepare_provider(name: &str, roles: Roles<'_>) -> provider::data::ProviderData {
    let folder = format!("schemas/{name}");
    let schemas = named(Path::new(&folder), "schema.json");
    let schemas: BTreeMap<String, serde_json::Value> = schemas
        .into_iter()
        .map(|(kind, text)| {
            let json = serde_json::from_str(&text);
            let json = json.unwrap_or_else(|error| panic!("{folder}/{kind}.schema.json: {error}"));
            (kind, json)
        })
        .collect();
    let file: ProviderFile = from_yaml(&format!("{folder}/provider.yaml"));
    file.prepare(name, &schemas, roles).unwrap_or_else(|error| {
        let file = error.schema.map_or("provider.yaml".to_owned(), |it| format!("{}.schema.json", it.name()));
        panic!("{folder}/{file} at {}: {}", error.pointer, error.message)
    })
}

fn from_yaml<T: serde::de::DeserializeOwned>(path: &str) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Encodes the table of providers' answers and codes, in the format that the library decodes.
fn prepare_codes(rules: &BTreeMap<String, String>) -> Vec<u8> {
    let names: RoleNames = from_yaml("schemas/roles.yaml");
    let roles: Vec<&str> =
        names.submission.iter().chain(&names.other).chain(&names.asked).map(String::as_str).collect();
    let file: CodeFile = from_yaml("schemas/codes.yaml");
    let table = file.prepare(&roles, |id| rules.contains_key(id));
    postcard::to_allocvec(&table.unwrap_or_else(|error| panic!("schemas/codes.yaml: {error}"))).unwrap()
}

/// A table of names and file contents, as Rust source.
fn table(files: &BTreeMap<String, String>) -> String {
    let rows: String = files.iter().map(|(name, text)| format!("({name:?}, {text:?}),\n")).collect();
    format!("&[\n{rows}]")
}

/// The files in a folder and its subfolders with an extension, by their path without it.
fn named(folder: &Path, ending: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            if let Some(name) = name.strip_suffix(&format!(".{ending}")) {
                let name = name.to_owned();
                found.insert(name, fs::read_to_string(&path).unwrap().replace("\r\n", "\n"));
            }
        }
    }
    found
}
