//! The questions of rules about a document, with the texts that they are about.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};

use crate::checks::context::Context;
use crate::finding::Finding;
use crate::rule::target::walk;
use crate::rule::{Rule, RuleQuestion, RuleText, Target};
use crate::syntax::document::Node;

/// The most texts of a field. A list with more addresses is a mistake.
const MAX_TEXTS: usize = 50;

/// How many bytes of a hash are kept.
const HASH: usize = 16;

/// A question about a document.
pub(crate) struct AskedQuestion<'a> {
    pub(crate) rule: &'a Rule,
    /// The names of the defect; the id of the rule if it has none.
    pub(crate) concepts: Vec<&'a str>,
    pub(crate) question: RuleQuestion<'a>,
    /// The fields that it is about and that the document has.
    pub(crate) fields: Vec<Rc<AskedField<'a>>>,
    /// A hash of the question and the texts.
    pub(crate) key: String,
}

/// A field with the texts of a role.
pub(crate) struct AskedField<'a> {
    pub(crate) role: String,
    pub(crate) texts: Vec<AskedText<'a>>,
    hash: [u8; 32],
}

/// A text of a field.
pub(crate) struct AskedText<'a> {
    pub(crate) node: &'a Node<'a>,
    pub(crate) pointer: String,
    /// The name of the field.
    pub(crate) field: String,
    /// The text as it is written.
    pub(crate) text: &'a str,
    /// The text as a reader sees it: where the provider has a list of its own, what the value means.
    pub(crate) shown: &'a str,
}

/// The questions of rules about a document. A question without any text, or without one that it needs, is not asked.
pub(crate) fn asked<'a>(
    rules: impl Iterator<Item = &'a Rule>,
    context: &Context<'a>,
) -> impl Iterator<Item = AskedQuestion<'a>> {
    let mut known: BTreeMap<&'a str, Option<Rc<AskedField<'a>>>> = BTreeMap::new();
    let asks = |rule: &&Rule| rule.asks && rule.kinds.contains(context.kind.role());
    rules.filter(asks).filter_map(move |rule| {
        let RuleText { concepts, question: Some(question), .. } = rule.text() else { return None };
        if !context.holds(question.when.as_ref().unwrap_or(&rule.when)) {
            return None;
        }
        let mut fields = Vec::new();
        for role in &question.at {
            let field = known.entry(role).or_insert_with(|| AskedField::of(role, context).map(Rc::new));
            fields.extend(field.clone());
        }
        let has = |role: &&str| fields.iter().any(|it: &Rc<AskedField<'_>>| it.role == **role);
        if fields.is_empty() || !question.needs.iter().all(has) {
            return None;
        }
        let key = key(&question, &fields);
        let concepts = if concepts.is_empty() { vec![rule.id.as_ref()] } else { concepts };
        Some(AskedQuestion { rule, concepts, question, fields, key })
    })
}

impl<'a> AskedQuestion<'a> {
    /// The texts that it is about.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &AskedText<'a>> {
        self.fields.iter().flat_map(|it| &it.texts)
    }

    /// Whether a finding is about one of its texts.
    pub(crate) fn has_field_of(&self, finding: &Finding) -> bool {
        self.texts().any(|it| *it.pointer == *finding.pointer)
    }
}

impl<'a> AskedField<'a> {
    /// The texts of a role; `None` if there are none.
    fn of(role: &str, context: &Context<'a>) -> Option<Self> {
        let mut texts: Vec<AskedText<'a>> = Vec::new();
        for name in std::iter::once(role).chain(context.kind.also_in(role).iter().copied()) {
            let target = Target { steps: [Some(name.to_owned().into()), None].into_iter().collect() };
            walk(&target, context.kind, context.root, &mut |place| {
                let pointer = place.trail.pointer();
                if texts.len() < MAX_TEXTS
                    && let Some((node, text)) =
                        context.root.at(&pointer).and_then(|it| Some((it, it.as_str()?)))
                    && let Some(shown) = shown(name, text, context)
                    && !texts.iter().any(|it| it.pointer == pointer)
                {
                    texts.push(AskedText { node, pointer, field: place.field.to_owned(), text, shown });
                }
                texts.len() < MAX_TEXTS
            });
        }
        let mut hash = Sha256::new();
        for text in &texts {
            hash.update((text.shown.len() as u64).to_le_bytes());
            hash.update(text.shown);
        }
        (!texts.is_empty()).then(|| Self { role: role.to_owned(), texts, hash: hash.finalize().into() })
    }
}

/// A value as a reader sees it; `None` if it is empty.
fn shown<'a>(role: &str, value: &'a str, context: &Context<'a>) -> Option<&'a str> {
    let shown = match context.kind.meaning(role, value) {
        Some(meaning) => meaning.words,
        None => context.kind.value_by_alias(role, value).unwrap_or(value),
    };
    (!shown.trim().is_empty()).then_some(shown)
}

/// A hash of a question and its texts: another wording, another answer or another text has another one.
fn key(question: &RuleQuestion<'_>, fields: &[Rc<AskedField<'_>>]) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(question.ask.as_bytes());
    question.answers.iter().for_each(|it| add(it.as_bytes()));
    for field in fields {
        add(field.role.as_bytes());
        add(&field.hash);
    }
    in_hexadecimal(&hash.finalize())
}

/// The first bytes of a hash.
pub(super) fn in_hexadecimal(hash: &[u8]) -> String {
    hash.iter().take(HASH).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
