//! Makes documents of labels and values: which belong to one draft, of which provider, under which names.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use tollproof_data::provider::data::KindData;
use tollproof_data::provider::kind_role::KindRole;
use tollproof_data::provider::written::{
    ADDRESS_PARTS, CONSENT, CONSENT_WAY, CONTACT, CONTACT_PARTS, CORE, EDIT_REASON, NUMBERS,
    REGISTRATION_NUMBER, REGISTRATION_TYPE, SAMPLE, SOMEBODY, SUMMARY, TELLING, USE_CASE, WrittenValue,
    written_as,
};
use tollproof_data::suggest::bare;
use tollproof_data::tables::registration;

use super::label::Meaning;
use super::line::{NoteChar, Target, text_of, trimmed};
use super::object::{NoteField, object};
use super::read::NoteEntry;
use super::value::{FieldParts, address, city_and_state, contact, state_and_zip, takes_address, values};
use crate::prepared::PREPARED;
use crate::syntax::document::{Declared, Document, Untaken, UntakenPart};
use crate::syntax::drafts::mentioned;
use crate::syntax::field_names::{best, named};
use crate::syntax::label_words::words_of;
use crate::syntax::span::Span;

/// The fewest fields that make a draft.
const LEAST: usize = 3;

/// The most words after a label that may be a remark, and not a sentence about the field.
const LEAST_TALK: usize = 4;

/// The fewest bytes of a word that may be a key.
const LEAST_KEY: usize = 25;

/// The fewest of these that a draft must have.
const LEAST_CORE: usize = 2;

/// The documents of what was read.
pub(super) fn documents<'s>(
    text: &str,
    (entries, targets): (&[NoteEntry], &[Target]),
    wanted: Option<&str>,
) -> Vec<Document<'s>> {
    let names = entries.iter().filter_map(|entry| match &entry.meaning {
        Meaning::Field(name) => Some(name.split(['.', '/']).next().unwrap_or(name)),
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    let own = |provider: usize| {
        let is_own = |name: &&&str| named(name).iter().any(|field| field.provider == provider);
        names.iter().filter(is_own).count()
    };
    let mention = mentioned(text);
    // Where providers have the same names, the one that the notes name is meant.
    let by_names = best(names.iter().copied()).filter(|(_, known)| *known >= LEAST).map(|(provider, _)| {
        mention.map(|(other, _)| other).filter(|other| own(*other) >= own(provider)).unwrap_or(provider)
    });
    let provider = by_names.or(mention.map(|(provider, _)| provider)).or_else(|| of_codes(text));
    let provider = provider.or_else(|| PREPARED.providers.iter().position(|(name, _)| Some(*name) == wanted));
    let kind = kind_of(provider.unwrap_or_default(), KindRole::Submit);
    let Some(kind) = kind else { return Vec::new() };
    // "Description" alone may be that of a ticket.
    let summary = |entry: &&NoteEntry| entry.meaning == Meaning::Role(SUMMARY);
    let is_word = |entry: &&NoteEntry| !text.get(entry.label.range()).unwrap_or_default().contains(' ');
    let has_named = entries.iter().filter(summary).any(|entry| !is_word(&entry));
    let meant = entries.iter().filter(|entry| !(has_named && summary(entry) && is_word(entry)));
    if is_guide(entries) {
        return Vec::new();
    }
    let drafts = drafts(fields(text, meant, targets, kind));
    let mut untaken = untaken(text, entries, &drafts, kind);
    let mut documents = Vec::new();
    for fields in drafts {
        let untaken = fields.iter().filter_map(|field| untaken.remove(&field.section)).flatten().collect();
        let untaken = Untaken::of(untaken);
        let is_update = fields.iter().any(|field| field.role == EDIT_REASON);
        let update = kind_of(provider.unwrap_or_default(), KindRole::Update).filter(|_| is_update);
        let root = object(&fields, update.unwrap_or(kind));
        if root.members().len() < LEAST {
            continue;
        }
        let declared = Declared {
            provider: provider.map(|provider| {
                let span = mention.map_or(root.span, |(_, span)| span);
                (PREPARED.providers[provider].0, span)
            }),
            ..Declared::default()
        };
        documents.push(Document {
            root: Some(root),
            declared: declared.kept(),
            untaken,
            ..Document::default()
        });
    }
    documents
}

/// The labels of which no field was read, by the part of the notes.
fn untaken(
    text: &str,
    entries: &[NoteEntry],
    drafts: &[Vec<NoteField>],
    kind: &KindData,
) -> BTreeMap<usize, Vec<UntakenPart>> {
    let has_place = |field: &&NoteField| {
        field.name.is_some()
            || field.role == EDIT_REASON
            || kind.roles.is_none()
            || !kind.paths(field.role).is_empty()
    };
    let fields = || drafts.iter().flatten().filter(has_place);
    let taken: BTreeSet<Span> = fields().map(|field| field.label).collect();
    // What is written twice is read once.
    let said: BTreeSet<String> =
        fields().flat_map(|field| &field.values).map(|value| text_of(value)).collect();
    let numbers: BTreeSet<String> = fields()
        .filter(|field| field.role == NUMBERS)
        .flat_map(|field| &field.values)
        .map(|value| digits_of(value))
        .collect();
    let places: BTreeSet<usize> =
        fields().flat_map(|field| &field.values).filter_map(|value| Some(value.first()?.start)).collect();
    let mut untaken: BTreeMap<usize, Vec<UntakenPart>> = BTreeMap::new();
    for entry in entries {
        // One of several samples is with the first one, and an answer with its question.
        let is_more = entry.is_numbered && entry.meaning == Meaning::Role(SAMPLE);
        let label = text.get(entry.label.range()).unwrap_or_default().trim();
        let is_word = |word: &str| word.len() < LEAST_KEY;
        let is_label = !label.is_empty() && label.split_whitespace().all(is_word);
        let value: Vec<String> = iter::once(&entry.value)
            .chain(&entry.items)
            .map(|value| text_of(trimmed(value)))
            .filter(|value| !value.is_empty())
            .collect();
        let value = value.join("\n");
        let chars = || iter::once(&entry.value).chain(&entry.items).flatten();
        let is_taken = taken.contains(&entry.label)
            || !value.is_empty() && said.contains(&value)
            || chars().any(|char| places.contains(&char.start))
            || numbers.contains(&digits_of(&entry.value));
        if !is_more && is_label && entry.meaning != Meaning::Answer && !is_taken {
            let part = UntakenPart { name: label.to_owned(), span: entry.label, text: value };
            untaken.entry(entry.section).or_default().push(part);
        }
    }
    untaken
}

fn kind_of(provider: usize, role: KindRole) -> Option<&'static KindData> {
    PREPARED.providers.get(provider)?.1.kinds.iter().find(|kind| kind.role == role)
}

/// The provider whose codes of rejections a text has.
fn of_codes(text: &str) -> Option<usize> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| number.len() == 5);
    let mut counts: Vec<usize> = vec![0; PREPARED.providers.len()];
    for number in numbers.take(200) {
        let entry = PREPARED.codes.codes.iter().find(|entry| entry.code == number);
        let index =
            entry.and_then(|entry| PREPARED.providers.iter().position(|(name, _)| *name == entry.provider));
        counts[index.unwrap_or_default()] += usize::from(index.is_some());
    }
    let (provider, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    (*count >= 2).then_some(provider)
}

/// The fields that entries give.
fn fields<'e>(
    text: &str,
    entries: impl Iterator<Item = &'e NoteEntry>,
    targets: &[Target],
    kind: &KindData,
) -> Vec<NoteField> {
    let mut fields: Vec<NoteField> = Vec::new();
    let entries: Vec<&NoteEntry> = entries.collect();
    let has_first = entries.iter().any(|entry| entry.meaning == Meaning::Role(CONTACT_PARTS[2]));
    let has_labels = entries.iter().any(|entry| matches!(entry.meaning, Meaning::Role(_)));
    let has_type = entries.iter().any(|entry| entry.meaning == Meaning::Role(REGISTRATION_TYPE));
    for entry in entries {
        // A word alone, such as "description", may mean something else.
        let label = text.get(entry.label.range()).unwrap_or_default();
        let is_certain = matches!(entry.meaning, Meaning::Field(_)) || words_of(label).len() > 1;
        match &entry.meaning {
            Meaning::Answer | Meaning::Unknown => {}
            Meaning::Field(name) => {
                let role = role_of(name, kind);
                let found = match role {
                    "" => iter::once(&entry.value).chain(&entry.items).cloned().collect(),
                    role => values_of(entry, role, is_certain),
                };
                let found = choices(found, role, kind);
                // Beside labels, all fields get the names of the provider.
                let is_other = has_labels && !role.is_empty() && kind.path(role).is_some();
                let name = Some(name.clone()).filter(|_| !is_other);
                fields.extend(NoteField::of(entry, role, found).map(|field| NoteField { name, ..field }));
            }
            Meaning::Role(role) => match parts_of(entry, role, has_first) {
                Some(parts) => fields.extend(
                    parts
                        .into_iter()
                        .filter_map(|(role, value)| NoteField::of(entry, role, vec![value.to_vec()])),
                ),
                None => {
                    let Some(field) = field_of(entry, role, is_certain, targets, kind) else { continue };
                    if field.role == REGISTRATION_NUMBER && !has_type {
                        fields.extend(register_of(entry, label));
                    }
                    let is_more = entry.is_numbered && field.role == SAMPLE;
                    match fields.last_mut().filter(|last| is_more && last.role == SAMPLE) {
                        Some(last) => last.values.extend(field.values),
                        None => fields.push(field),
                    }
                }
            },
        }
    }
    fields
}

/// The values of an entry, as its role has them.
fn values_of(entry: &NoteEntry, role: &str, is_certain: bool) -> Vec<Vec<NoteChar>> {
    let all = iter::once(&entry.value).chain(&entry.items);
    all.flat_map(|value| values(role, value, is_certain)).map(<[NoteChar]>::to_vec).collect()
}

/// The parts of a person or an address that is written as one value; `None` if it is not.
fn parts_of<'e>(entry: &'e NoteEntry, role: &str, has_first: bool) -> Option<FieldParts<'e>> {
    let value = &entry.value;
    let commas = value.iter().filter(|char| char.character == ',').count();
    match role {
        CONTACT => {
            // A name beside a first name is the last one.
            let is_name = trimmed(value).iter().all(|char| char.character.is_alphabetic());
            let of = entry.items.first().unwrap_or(value);
            Some(if is_name && has_first { vec![(CONTACT_PARTS[3], trimmed(value))] } else { contact(of) })
        }
        role if role == ADDRESS_PARTS[3] => state_and_zip(value),
        // What is more than a city is not one.
        role if role == ADDRESS_PARTS[1] && commas > 0 => Some(city_and_state(value).unwrap_or_default()),
        role if role == ADDRESS_PARTS[0] => address(value).or((commas > 1).then(Vec::new)),
        _ => None,
    }
}

/// The field of an entry with a label.
fn field_of(
    entry: &NoteEntry,
    role: &'static str,
    is_certain: bool,
    targets: &[Target],
    kind: &KindData,
) -> Option<NoteField> {
    let has_way = kind.roles.is_none() || !kind.paths(CONSENT_WAY).is_empty();
    let role = if role == CONSENT && has_way && is_way(entry) { CONSENT_WAY } else { role };
    let found = values_of(entry, role, is_certain);
    // A toll-free number is the one to verify, whatever it is called.
    let is_toll_free = |value: &Vec<NoteChar>| is_toll_free(value);
    let is_to_verify = role == CONTACT_PARTS[1] && found.first().is_some_and(is_toll_free);
    let role = if is_to_verify { NUMBERS } else { role };
    let mut found = choices(found, role, kind);
    if found.is_empty() && takes_address(role) {
        // The text of a link is not its address.
        let end = entry.value.last().map_or(entry.label.end as usize, |last| last.end);
        let is_inside = |target: &&Target| (entry.label.start as usize..=end).contains(&target.start);
        found.extend(targets.iter().filter(is_inside).map(|target| target.chars.clone()));
    }
    if role == NUMBERS {
        found.retain(is_toll_free);
        let mut known = BTreeSet::new();
        found.retain(|number| known.insert(digits_of(number)));
    }
    NoteField::of(entry, role, found)
}

/// The register that the label of a number names: `EIN: 12-3456789`.
fn register_of(entry: &NoteEntry, label: &str) -> Option<NoteField> {
    let words = label.split(|c: char| !c.is_alphanumeric());
    let name = iter::once(label).chain(words).find_map(registration::find)?.name();
    let (start, end) = (entry.label.start as usize, entry.label.end as usize);
    let plain = NoteChar { start, end, character: ' ', is_strong: false, is_slanted: false, is_code: false };
    let chars = name.chars().map(|character| NoteChar { character, ..plain }).collect();
    NoteField::of(entry, REGISTRATION_TYPE, vec![chars])
}

/// Whether labels of addresses and numbers are followed by sentences about them, as in a guide: more than by such values.
fn is_guide(entries: &[NoteEntry]) -> bool {
    let (mut wrong, mut fitting) = (0, 0);
    for entry in entries {
        let Meaning::Role(role) = entry.meaning else { continue };
        let is_typed = matches!(
            written_as(role),
            WrittenValue::Url
                | WrittenValue::Urls
                | WrittenValue::Email
                | WrittenValue::Phone
                | WrittenValue::Volume
        );
        if !is_typed || !entry.items.is_empty() {
            continue;
        }
        let has_value = !values(role, &entry.value, false).is_empty();
        let is_sentence = || text_of(&entry.value).split_whitespace().count() > LEAST_TALK;
        fitting += usize::from(has_value);
        wrong += usize::from(!has_value && is_sentence());
    }
    wrong > fitting.max(1)
}

/// Whether the answer to how people agree is only a choice: `Web form`.
fn is_way(entry: &NoteEntry) -> bool {
    let maps = PREPARED.providers.iter().flat_map(|(_, provider)| &provider.values);
    let maps: Vec<_> = maps.filter(|map| map.role == CONSENT_WAY).collect();
    let is_choice = |said: &Vec<NoteChar>| {
        let said = text_of(trimmed(said));
        let is_it = |value: &str| bare(value) == bare(&said);
        maps.iter()
            .any(|map| map.meant(&said, None).is_some() || map.meanings().any(|meaning| is_it(meaning.value)))
    };
    let mut said =
        entry.items.iter().chain(Some(&entry.value)).filter(|said| !trimmed(said).is_empty()).peekable();
    said.peek().is_some() && said.all(is_choice)
}

/// The use cases in a list of them, where the provider takes several.
fn choices(found: Vec<Vec<NoteChar>>, role: &str, kind: &KindData) -> Vec<Vec<NoteChar>> {
    if role != USE_CASE || !kind.path(role).is_some_and(|path| path.is_list || path.each) {
        return found;
    }
    let parts = found.iter().flat_map(|value| value.split(|char| char.character == ','));
    parts.map(|part| trimmed(part).to_vec()).filter(|part| !part.is_empty()).collect()
}

/// The digits of a number without the code of the country.
fn digits_of(number: &[NoteChar]) -> String {
    let digits: String = number.iter().map(|char| char.character).filter(char::is_ascii_digit).collect();
    digits.strip_prefix('1').filter(|local| local.len() == 10).map(str::to_owned).unwrap_or(digits)
}

fn is_toll_free(number: &[NoteChar]) -> bool {
    let local = digits_of(number);
    local.len() == 10
        && ["800", "833", "844", "855", "866", "877", "888"].iter().any(|code| local.starts_with(code))
}

/// The role of a field by its name.
fn role_of(name: &str, kind: &KindData) -> &'static str {
    let dotted = name.replace('/', ".");
    let by_path = kind.roles.as_deref().into_iter().flatten().find(|(_, path)| path.name == dotted);
    let by_name = || named(name).iter().find(|field| field.key == name).map(|field| field.role);
    by_path.map(|(role, _)| *role).or_else(by_name).unwrap_or_default()
}

/// Divides fields into drafts: where a part of the notes has again what there was before, another one begins.
fn drafts(fields: Vec<NoteField>) -> Vec<Vec<NoteField>> {
    let key = |field: &NoteField| field.name.clone().unwrap_or_else(|| field.role.to_owned());
    let is_list = |field: &NoteField| PREPARED.roles.lists.contains(&field.role);
    // A number may be written in several ways.
    let same = |field: &NoteField, value: &Vec<NoteChar>| {
        if field.role == NUMBERS { digits_of(value) } else { text_of(value) }
    };
    let mut drafts: Vec<Vec<NoteField>> = vec![Vec::new()];
    let mut rest = fields.as_slice();
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|field| field.section == first.section).count();
        let (section, others) = rest.split_at(length);
        rest = others;
        let last = drafts.last_mut().expect("it begins with one");
        let is_known = |field: &&NoteField| last.iter().any(|known| key(known) == key(field));
        let again = section.iter().filter(is_known).count();
        if again >= 2 && 2 * again >= section.len() {
            drafts.push(Vec::new());
        }
        let last = drafts.last_mut().expect("it begins with one");
        for field in section {
            let known = last.iter_mut().find(|known| key(known) == key(field));
            match known.map(|known| (known.section == field.section && is_list(field), known)) {
                None => last.push(field.clone()),
                Some((true, known)) => {
                    let said: Vec<String> = known.values.iter().map(|value| same(field, value)).collect();
                    let is_new = |value: &&Vec<NoteChar>| !said.contains(&same(field, value));
                    let more: Vec<_> = field.values.iter().filter(is_new).cloned().collect();
                    known.values.extend(more);
                }
                Some((false, _)) => {}
            }
        }
    }
    let most = drafts.iter().map(Vec::len).max().unwrap_or_default();
    drafts.retain(|draft| {
        let core = draft.iter().filter(|field| CORE.contains(&field.role)).count();
        let is_somebody = draft.iter().any(|field| SOMEBODY.contains(&field.role));
        let tells = draft.iter().any(|field| TELLING.contains(&field.role));
        draft.len() >= LEAST && core >= LEAST_CORE && is_somebody && tells && 2 * draft.len() >= most
    });
    drafts
}
