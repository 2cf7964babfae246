//! Makes documents of the fields that were found in notes and programs: which of them belong together, and of which provider.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use tollproof_data::provider::schema::shape::Shape;
use tollproof_data::provider::written::{WrittenValue, written_as};
use tollproof_data::suggest::bare;

use super::Format;
use super::field_names::{self, best, has_words, is_secret, is_text, named};
use crate::prepared::PREPARED;
use crate::syntax::document::{
    COMPUTED, Declared, Document, Member, Node, SPREAD, Style, Untaken, UntakenPart, Value,
};
use crate::syntax::span::Span;

/// The fewest fields of one provider that make a draft in a file that the user named.
const LEAST: usize = 3;

/// Whether notes or a program may have a draft: they name fields, or notes what a form asks for.
pub(super) fn may_have_draft(text: &[u8], format: Format) -> bool {
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
        let builder = AhoCorasickBuilder::new().ascii_case_insensitive(true).build(field_names::in_files());
        builder.expect("they are few and short")
    });
    static TOPICS: LazyLock<AhoCorasick> = LazyLock::new(|| {
        let builder =
            AhoCorasickBuilder::new().ascii_case_insensitive(true).build(TOPICS_OF_NOTES.split('|'));
        builder.expect("they are few and short")
    });
    let different = |words: &AhoCorasick, least: usize| {
        let mut seen = BTreeSet::new();
        words.find_iter(text).any(|found| seen.insert(found.pattern()) && seen.len() >= least)
    };
    let is_encoded = || memchr::memmem::find(text, b"-Encoding: base64").is_some();
    different(&NAMES, LEAST) || format == Format::Notes && (different(&TOPICS, LEAST) || is_encoded())
}

/// Words of notes that may have a draft; three of them do.
const TOPICS_OF_NOTES: &str = "toll-free|tollfree|toll free|tfv|sans frais|gratuito|twilio|telnyx|bandwidth|use case|opt-in|opt in\
    |volume|sample|website|screenshot|sign up|cas d|caso de uso|consent|exemple|ejemplo|mensaje|volumen|cat\u{e9}gorie\
    |categor\u{ed}a";

/// Fields of a registration for local numbers (10DLC); two of them are not in a draft of a toll-free one.
const OTHER: &str = "messageflow subscriberoptin subscriberoptout subscriberhelp embeddedlink embeddedphone hasembeddedlinks \
    hasembeddedphone numberpool directlending brandid brandregistrationsid";

/// Fields that were found beside each other.
#[derive(Clone, Debug)]
pub(super) struct Found<'s> {
    pub(super) members: Vec<Member<'s>>,
    pub(super) span: Span,
    /// The name under which they are known: what is assigned to it belongs to them.
    pub(super) name: Option<&'s str>,
    /// Whether it is said to be an earlier version.
    pub(super) is_old: bool,
}

impl Found<'_> {
    /// The number of fields of the provider that has most of them, and its index.
    pub(super) fn provider(&self) -> Option<(usize, usize)> {
        best(self.members.iter().map(|member| member.key.as_ref()))
    }

    fn has(&self, key: &str) -> bool {
        self.members.iter().any(|member| tollproof_data::suggest::is_same_name(&member.key, key))
    }
}

/// The documents of what was found.
pub(super) fn documents<'s>(text: &str, found: Vec<Found<'s>>) -> Vec<Document<'s>> {
    let found = merged(found);
    let mut documents: Vec<Document<'s>> = Vec::new();
    for mut found in found {
        let Some((provider, known)) = found.provider() else { continue };
        let is_other = |member: &&Member<'_>| OTHER.split(' ').any(|other| other == bare(&member.key));
        if known < LEAST || !is_filled(&found.members) || found.members.iter().filter(is_other).count() > 1 {
            continue;
        }
        // A name of several words beside them is meant as a field too, even if no provider has it.
        let is_own = |key: &str| named(key).iter().any(|field| field.provider == provider);
        let own: Vec<_> =
            found.members.iter().map(|member| &*member.key).filter(|key| is_own(key)).map(spelling).collect();
        let is_meant = |key: &str| {
            named(key).is_empty() && has_words(key) && own.first() == Some(&spelling(key)) && !is_secret(key)
        };
        let mut untaken = Vec::new();
        found.members.retain_mut(|member| is_said(member, &mut untaken));
        found.members.retain(|member| is_own(&member.key) || is_meant(&member.key));
        spell(&mut found, provider);
        for member in &mut found.members {
            choose(text, &member.key, &mut member.value, provider);
            let role = named(&member.key).iter().find(|field| field.provider == provider);
            compute(text, role.map_or("", |field| field.role), &mut member.value);
        }
        found.members.sort_by_key(|member| member.key_span.start);
        // The body of a form is a part of the file that has it.
        let style =
            Some(found.members[0].value.style).filter(|style| !style.is_data()).unwrap_or(Style::Notes);
        let names: Vec<Cow<'s, str>> = found.members.iter().map(|member| member.key.clone()).collect();
        let root = Node { span: found.span, style, value: Value::Object(found.members) };
        // Where providers have the same names, the one that the program names is meant.
        let declared = Declared {
            provider: mentioned(text)
                .filter(|(index, ..)| {
                    let own = |provider: usize| {
                        names
                            .iter()
                            .filter(|name| named(name).iter().any(|field| field.provider == provider))
                            .count()
                    };
                    *index == provider || own(*index) >= own(provider)
                })
                .map(|(index, span)| (PREPARED.providers[index].0, span)),
            ..Declared::default()
        };
        documents.push(Document {
            root: Some(root),
            declared: declared.kept(),
            untaken: Untaken::of(untaken),
            ..Document::default()
        });
    }
    documents.sort_by_key(|document| document.root.as_ref().map(|root| root.span.start));
    for (index, document) in documents.iter_mut().enumerate() {
        document.index = index;
    }
    if documents.is_empty() {
        documents.push(nothing(text));
    }
    documents
}

/// Whether a member says something: not an object from elsewhere that is put into this one, which is noted.
fn is_said(member: &mut Member<'_>, untaken: &mut Vec<UntakenPart>) -> bool {
    if member.key.starts_with(SPREAD) {
        let (name, span, text) = (member.key.to_string(), member.key_span, String::new());
        untaken.push(UntakenPart { name, span, text });
        return false;
    }
    let node = &mut member.value;
    let nodes = if let Value::Array(items) = &mut node.value { items } else { std::slice::from_mut(node) };
    for node in nodes {
        if let Value::Object(members) = &mut node.value {
            members.retain_mut(|member| is_said(member, untaken));
        }
    }
    true
}

/// The document of a file in which no draft was found.
pub(super) fn nothing<'s>(text: &str) -> Document<'s> {
    let end = text.lines().next().map_or(0, str::len);
    let root = Node { span: Span::new(0, end), style: Style::Notes, value: Value::Object(Vec::new()) };
    Document { root: Some(root), ..Document::default() }
}

/// Joins what belongs together: parts of one draft with different fields, and what several drafts share.
fn merged(mut found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    found.retain(|found| found.provider().is_some());
    found.sort_by_key(|found| found.span.start);
    // An earlier version of another one, and what is spread into another one, are not drafts of their own.
    let is_more = |own: &Found<'_>, other: &Found<'_>| {
        let has = |member: &Member<'_>| other.members.iter().any(|more| more.key_span == member.key_span);
        let is_version =
            own.is_old && !other.is_old && own.members.iter().any(|member| other.has(&member.key));
        is_version || other.members.len() > own.members.len() && own.members.iter().all(has)
    };
    let is_kept = |own: &Found<'_>| !found.iter().any(|other| is_more(own, other));
    let kept: Vec<bool> = found.iter().map(is_kept).collect();
    let mut kept = kept.into_iter();
    found.retain(|_| kept.next().unwrap_or(true));
    let mut at = 0;
    while at < found.len() {
        let is_disjoint =
            |other: usize| !found[other].members.iter().any(|member| found[at].has(&member.key));
        let own = found[at].provider().map(|(provider, _)| provider);
        let is_same = |other: usize| {
            let provider = found[other].provider().map(|(provider, _)| provider);
            let has =
                |member: &Member<'_>| named(&member.key).iter().any(|field| Some(field.provider) == provider);
            other != at && (provider == own || found[at].members.iter().all(has))
        };
        let others: Vec<usize> = (0..found.len()).filter(|other| is_same(*other)).collect();
        if others.is_empty() || !others.iter().all(|other| is_disjoint(*other)) {
            at += 1;
            continue;
        }
        // What several drafts have in common is a part of each; without any, all are parts of one.
        let whole = |other: &usize| found[*other].provider().is_some_and(|(_, known)| known >= LEAST);
        let mut into: Vec<usize> = others.iter().copied().filter(whole).collect();
        if into.is_empty() {
            into = vec![others[0]];
        }
        let shared = found.remove(at);
        for other in into.into_iter().map(|other| other - usize::from(other > at)) {
            found[other].members.extend(shared.members.iter().cloned());
        }
        at = 0;
    }
    found
}

/// Whether the values are those of a draft: not types, titles of form fields, or messages about them.
pub(super) fn is_filled(members: &[Member<'_>]) -> bool {
    let Some((provider, _)) = best(members.iter().map(|member| member.key.as_ref())) else { return false };
    let (mut said, mut fitting, mut long, mut wrong) = (0, 0, 0, 0);
    for member in members {
        let Some(field) = named(&member.key).iter().find(|field| field.provider == provider) else {
            continue;
        };
        let text = match &member.value.value {
            Value::Computed => continue,
            Value::String(text) if text.trim().is_empty() => continue,
            Value::String(text) => text.trim(),
            _ => {
                said += 1;
                continue;
            }
        };
        said += 1;
        match fits(field.role, text) {
            _ if is_text(field.role) => long += usize::from(text.len() > 60),
            Some(true) => fitting += 1,
            Some(false) => wrong += 1,
            None if field_names::is_title(&member.key, text) => wrong += 1,
            None => {}
        }
    }
    // A message to people who fill a form may be as long as a text.
    said >= LEAST && wrong <= (fitting + long.min(1)).max(1)
}

/// Whether a value can be one of its field, if that can be told by its letters.
fn fits(role: &str, text: &str) -> Option<bool> {
    let lower = role.to_ascii_lowercase();
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    if lower.ends_with("email") {
        return Some(text.contains('@') || text.contains('…'));
    }
    if lower.ends_with("url") || lower.ends_with("website") {
        return Some(text.contains(['.', '/', '…']) && !text.contains(' '));
    }
    if ["phone", "zip", "addr1", "messagevolume"].iter().any(|end| lower.ends_with(end)) {
        return Some(has_digit || text.contains(COMPUTED));
    }
    // Placeholders and questions of forms.
    let is_asked = text.ends_with('?') || text.starts_with("e.g. ") || text.starts_with("Select ");
    let is_choice = written_as(role) == WrittenValue::Choice;
    (is_asked || is_choice && text.split_whitespace().count() >= MANY).then_some(false)
}

/// The fewest words that are hardly one of a list of choices.
const MANY: usize = 4;

/// The spelling of a name: whether it has separators, and whether it begins with a capital letter.
fn spelling(name: &str) -> (bool, bool) {
    (name.contains('_'), name.starts_with(char::is_uppercase))
}

/// Writes the names of fields as the provider has them, where a program has its own: `BUSINESS_NAME`, `--business-name`; and in
/// the spelling of most, also those that methods set: `.setBusinessCity(…)`.
fn spell(found: &mut Found<'_>, provider: usize) {
    let is_exact = |member: &Member<'_>| named(&member.key).iter().any(|field| field.key == member.key);
    let exact: Vec<_> =
        found.members.iter().filter(|member| is_exact(member)).map(|member| spelling(&member.key)).collect();
    let most = exact.iter().max_by_key(|one| exact.iter().filter(|other| other == one).count());
    for member in &mut found.members {
        let own = || named(&member.key).iter().filter(|field| field.provider == provider);
        let same = own().find(|field| most.is_some_and(|most| spelling(field.key) == *most));
        let other = own().next().filter(|_| !is_exact(member));
        if let Some(field) = same.or(other) {
            member.key = Cow::Borrowed(field.key);
        }
    }
}

/// Makes a constant that a program names a value of the closed list of its field: `OptInTypeEnum.WebForm`.
fn choose<'s>(text: &str, key: &str, node: &mut Node<'s>, provider: usize) {
    if let Value::Array(items) = &mut node.value {
        return items.iter_mut().for_each(|item| choose(text, key, item, provider));
    }
    let said = text.get(node.span.range()).unwrap_or_default();
    let name = said.rsplit(['.', ':']).next().unwrap_or_default();
    if !matches!(node.value, Value::Computed) || name.len() == said.len() {
        return;
    }
    let fields = PREPARED.providers[provider].1.kinds.iter().flat_map(|kind| kind.shape.root_fields());
    let values = fields.filter(|field| field.name == key).flat_map(|field| match &field.shape {
        Shape::Text(text) => text.values.as_slice(),
        Shape::List { item, .. } => match item.as_ref() {
            Shape::Text(text) => text.values.as_slice(),
            _ => &[],
        },
        _ => &[],
    });
    if let Some(value) = values.into_iter().find(|value| bare(value) == bare(name)) {
        node.span = Span::new(node.span.range().end - name.len(), node.span.range().end);
        node.value = Value::String(Cow::Borrowed(value));
    }
}

/// Makes an address, a number or a choice that a program computes in part computed as a whole, because its form cannot be judged.
fn compute(text: &str, role: &str, node: &mut Node<'_>) {
    if let Value::Array(items) = &mut node.value {
        return items.iter_mut().for_each(|item| compute(text, role, item));
    }
    let Some((before, _)) = node.as_str().and_then(|said| said.split_once(COMPUTED)) else { return };
    let is_literal = text.get(node.span.range()).is_some_and(|written| written.contains(COMPUTED));
    // Of an address whose host is said, only the path is open.
    let address = before.split_once("://").map_or(before, |(_, rest)| rest);
    let has_host = address.split_once('/').is_some_and(|(host, _)| host.contains('.'));
    if !is_literal && !has_host && !matches!(written_as(role), WrittenValue::Text | WrittenValue::Name) {
        node.value = Value::Computed;
    }
}

/// The provider that a text names most often, and where it does first. Names that are words of the language do not count.
pub(super) fn mentioned(text: &str) -> Option<(usize, Span)> {
    const NAMES: [(&str, &str); 8] = [
        ("twilio", "twilio"),
        ("telnyx", "telnyx"),
        ("bandwidth", "bandwidth"),
        ("plivo", "plivo"),
        ("vonage", "vonage"),
        ("infobip", "infobip"),
        ("aws", "aws"),
        ("end user messaging", "aws"),
    ];
    let lower = text.to_ascii_lowercase();
    let is_word = |at: usize, length: usize| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(lower[..at].chars().next_back()) && !letter(lower[at + length..].chars().next())
    };
    let mut found: Vec<(usize, usize, Span)> = Vec::new();
    for (name, provider) in NAMES {
        let places: Vec<usize> =
            lower.match_indices(name).map(|(at, _)| at).filter(|at| is_word(*at, name.len())).collect();
        let index = PREPARED.providers.iter().position(|(known, _)| *known == provider);
        if let (Some(first), Some(index)) = (places.first(), index) {
            found.push((places.len(), index, Span::new(*first, first + name.len())));
        }
    }
    found.sort_by_key(|(count, _, span)| (std::cmp::Reverse(*count), span.start));
    found.first().map(|(_, provider, span)| (*provider, *span))
}
