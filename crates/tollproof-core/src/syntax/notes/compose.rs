//! Makes documents of labels and values: which belong to one draft, of which provider, under which names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use tollproof_data::provider::data::KindData;
use tollproof_data::provider::kind_role::KindRole;
use tollproof_data::provider::path::{Path, Step};
use tollproof_data::provider::written::{
    ADDRESS_PARTS, CONSENT, CONSENT_WAY, CONTACT, CONTACT_PARTS, CORE, EDIT_REASON, NUMBERS, SAMPLE,
    SOMEBODY, SUMMARY, TELLING, USE_CASE, WrittenValue, written_as,
};
use tollproof_data::suggest::bare;

use super::label::Meaning;
use super::line::{NoteChar, Target, span_of, text_of, trimmed};
use super::read::NoteEntry;
use super::value::{FieldParts, address, city_and_state, contact, state_and_zip, takes_address, values};
use crate::prepared::PREPARED;
use crate::syntax::document::{Declared, Document, Member, Node, Style, Untaken, Value};
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

/// A field of a draft: its role, or its own name, with the places of its values.
#[derive(Clone, Debug)]
struct NoteField {
    role: &'static str,
    name: Option<String>,
    label: Span,
    values: Vec<Vec<NoteChar>>,
    section: usize,
}

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
    let fields = fields(text, meant, targets, kind);
    let mut untaken = untaken(text, entries, &fields, kind);
    let mut documents = Vec::new();
    for fields in drafts(fields) {
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
    fields: &[NoteField],
    kind: &KindData,
) -> BTreeMap<usize, Vec<(String, Span)>> {
    let has_place = |field: &&NoteField| {
        field.name.is_some()
            || field.role == EDIT_REASON
            || kind.roles.is_none()
            || !kind.paths(field.role).is_empty()
    };
    let taken: BTreeSet<Span> = fields.iter().filter(has_place).map(|field| field.label).collect();
    let mut untaken: BTreeMap<usize, Vec<(String, Span)>> = BTreeMap::new();
    for entry in entries {
        // One of several samples is with the first one, and an answer with its question.
        let is_more = entry.is_numbered && entry.meaning == Meaning::Role(SAMPLE);
        let said = text.get(entry.label.range()).unwrap_or_default().trim();
        let is_word = |word: &str| word.len() < LEAST_KEY;
        let is_label = !said.is_empty() && said.split_whitespace().all(is_word);
        if !is_more && is_label && entry.meaning != Meaning::Answer && !taken.contains(&entry.label) {
            untaken.entry(entry.section).or_default().push((said.to_owned(), entry.label));
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

impl NoteField {
    /// The field of an entry; `None` without values.
    fn of(entry: &NoteEntry, role: &'static str, values: Vec<Vec<NoteChar>>) -> Option<Self> {
        let (label, section) = (entry.label, entry.section);
        (!values.is_empty()).then_some(Self { role, name: None, label, values, section })
    }
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
    let is_toll_free = |value: &Vec<NoteChar>| is_toll_free(&text_of(value));
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
    }
    NoteField::of(entry, role, found)
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

fn is_toll_free(number: &str) -> bool {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let local = digits.strip_prefix('1').filter(|local| local.len() == 10).unwrap_or(&digits);
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
            if !last.iter().any(|known| key(known) == key(field)) {
                last.push(field.clone());
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

/// The object of a draft in the names of a kind.
fn object<'s>(fields: &[NoteField], kind: &'static KindData) -> Node<'s> {
    let (style, span) = (Style::Notes, Span::default());
    let mut root = Node { span, style, value: Value::Object(Vec::new()) };
    for field in fields {
        let is_list = |path: &Path| path.is_list || path.each;
        let (keys, is_list) = match &field.name {
            // Some names contain dots themselves.
            Some(name) if named(name).iter().any(|known| known.key == name.as_str()) => {
                (vec![name.as_str()], kind.path(field.role).is_some_and(is_list))
            }
            Some(name) => (name.split(['.', '/']).collect(), kind.path(field.role).is_some_and(is_list)),
            None if kind.roles.is_none() => (vec![field.role], PREPARED.roles.lists.contains(&field.role)),
            None => (Vec::new(), false),
        };
        if !keys.is_empty() {
            let steps: Vec<Step> = keys.into_iter().map(|key| Some(Cow::Owned(key.to_owned()))).collect();
            let path = Path { steps: steps.into(), name: "", is_list, each: false };
            put(&mut root, &path, field.label, &field.values);
            continue;
        }
        let paths = kind.paths(field.role);
        match paths {
            [] => {}
            [(_, path)] => put(&mut root, path, field.label, &field.values),
            // Several fields, each with one of the values.
            paths => paths.iter().zip(&field.values).for_each(|((_, path), value)| {
                put(&mut root, path, field.label, std::slice::from_ref(value));
            }),
        }
    }
    close(&mut root);
    root
}

/// Puts values at a path, unless something is there.
fn put<'s>(root: &mut Node<'s>, path: &Path, label: Span, values: &[Vec<NoteChar>]) {
    let Some((Some(key), rest)) = path.steps.split_first() else { return };
    let key: Cow<'s, str> = Cow::Owned(key.to_string());
    let Value::Object(members) = &mut root.value else { return };
    let has_more = rest.first().is_some_and(Option::is_some);
    let known = members.iter().position(|member| member.key == key);
    if has_more {
        let at = known.unwrap_or_else(|| {
            let value = Node { span: label, style: Style::Notes, value: Value::Object(Vec::new()) };
            members.push(Member { key, key_span: label, value });
            members.len() - 1
        });
        let below = Path { steps: rest.iter().cloned().collect(), ..path.clone() };
        return put(&mut members[at].value, &below, label, values);
    }
    if known.is_some() {
        return;
    }
    let text = |value: &Vec<NoteChar>| Node {
        span: span_of(value),
        style: Style::Notes,
        value: Value::String(Cow::Owned(text_of(value))),
    };
    let item_key = rest.get(1).and_then(|step| step.as_deref());
    let item = |value: &Vec<NoteChar>| match item_key {
        Some(key) => {
            let inner = text(value);
            let member = Member { key: Cow::Owned(key.to_owned()), key_span: inner.span, value: inner };
            Node { span: member.key_span, style: Style::Notes, value: Value::Object(vec![member]) }
        }
        None => text(value),
    };
    let is_list = path.is_list || path.each || !rest.is_empty();
    let (first, last) = (span_of(&values[0]), span_of(&values[values.len() - 1]));
    let whole = Span { end: last.end.max(first.end), ..first };
    let node = match values {
        _ if is_list => {
            Node { span: whole, style: Style::Notes, value: Value::Array(values.iter().map(item).collect()) }
        }
        [value] => text(value),
        values => {
            let joined: Vec<String> = values.iter().map(|value| text_of(value)).collect();
            Node { span: whole, style: Style::Notes, value: Value::String(Cow::Owned(joined.join("\n"))) }
        }
    };
    members.push(Member { key, key_span: label, value: node });
}

/// Gives objects the place of what they contain, in its order.
fn close(node: &mut Node<'_>) {
    let Value::Object(members) = &mut node.value else { return };
    members.iter_mut().for_each(|member| close(&mut member.value));
    members.sort_by_key(|member| member.key_span.start.min(member.value.span.start));
    let start = members.iter().map(|member| member.key_span.start.min(member.value.span.start)).min();
    let end = members.iter().map(|member| member.value.span.end.max(member.key_span.end)).max();
    if let (Some(start), Some(end)) = (start, end) {
        node.span = Span { start, end };
    }
}
