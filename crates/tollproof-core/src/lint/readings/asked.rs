//! The questions of rules about a document, with the texts that they are about.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};

use crate::checks::context::Context;
use crate::checks::{NamedAddress, naming_roles};
use crate::facts::seen::{AddressUse, PageField, SeenFact};
use crate::finding::Finding;
use crate::rule::target::walk;
use crate::rule::{Rule, RuleQuestion, RuleText, Target};
use crate::syntax::document::Node;

/// The most texts of a field. A list with more addresses is a mistake.
const MAX_TEXTS: usize = 50;

/// The most pages of a field.
const MAX_PAGES: usize = 3;

/// The number of kept bytes of a hash.
const HASH: usize = 16;

/// A question about a document.
pub(crate) struct AskedQuestion<'a> {
    pub(crate) rule: &'a Rule,
    /// The names of the defect; the id of the rule if it has none.
    pub(crate) concepts: Vec<&'a str>,
    pub(crate) question: RuleQuestion<'a>,
    /// The fields that it is about and that the document has.
    pub(crate) fields: Vec<Rc<AskedField<'a>>>,
    key: OnceCell<String>,
}

/// A field with the texts of a role.
pub(crate) struct AskedField<'a> {
    pub(crate) role: String,
    pub(crate) texts: Vec<AskedText<'a>>,
    hash: OnceCell<[u8; 32]>,
}

/// A text of a field.
pub(crate) struct AskedText<'a> {
    pub(crate) node: &'a Node<'a>,
    pub(crate) pointer: String,
    /// The name of the field.
    pub(crate) field: String,
    /// The text as it is written.
    pub(crate) text: &'a str,
    /// The meaning of the value, where the provider has a list of its own; else the text.
    meaning: &'a str,
    pub(crate) page: Option<AskedPage<'a>>,
}

/// A page whose text is asked about.
pub(crate) struct AskedPage<'a> {
    field: PageField,
    fact: &'a SeenFact,
    /// The part of what it shows that is in the field; made when it is needed.
    shown: OnceCell<String>,
    pub(crate) used: AddressUse,
    pub(crate) address: String,
    /// Place of its address in the value, if it is not the whole value.
    pub(crate) range: Option<Range<usize>>,
}

impl AskedText<'_> {
    /// The text as a reader sees it: what the value means, or of a page that it names, what that shows.
    pub(crate) fn shown(&self) -> &str {
        match &self.page {
            Some(page) => page.shown.get_or_init(|| page.field.text(page.fact)),
            None => self.meaning,
        }
    }

    /// The text for a reader, with the value before what it means where that is several things.
    pub(super) fn named(&self) -> Cow<'_, str> {
        let shown = self.shown();
        let is_meaning = self.page.is_none() && shown != self.text;
        if is_meaning { format!("{} (covers: {shown})", self.text).into() } else { shown.into() }
    }
}

/// The questions of rules about a document. A question without any text, or without one that it needs, is not asked.
pub(crate) fn asked<'a>(
    rules: impl DoubleEndedIterator<Item = &'a Rule>,
    context: &Context<'a>,
) -> impl DoubleEndedIterator<Item = AskedQuestion<'a>> {
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
            if field.is_none() && question.needs.contains(role) {
                return None;
            }
            fields.extend(field.clone());
        }
        if fields.is_empty() {
            return None;
        }
        let concepts = if concepts.is_empty() { vec![rule.id.as_ref()] } else { concepts };
        Some(AskedQuestion { rule, concepts, question, fields, key: OnceCell::new() })
    })
}

impl<'a> AskedQuestion<'a> {
    /// A hash of the question and its texts: another wording, another answer or another text has another one.
    pub(crate) fn key(&self) -> &str {
        self.key.get_or_init(|| {
            let mut hash = Sha256::new();
            let mut add = |part: &[u8]| {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            };
            add(self.question.ask.as_bytes());
            self.question.answers.iter().for_each(|answer| add(answer.as_bytes()));
            for field in &self.fields {
                add(field.role.as_bytes());
                add(field.hash());
            }
            in_hexadecimal(&hash.finalize())
        })
    }

    /// The texts that it is about.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &AskedText<'a>> {
        self.fields.iter().flat_map(|it| &it.texts)
    }

    /// Whether it is about pages with one of these uses, or without any about the draft alone.
    pub(crate) fn is_about_pages(&self, pages: Option<&[AddressUse]>) -> bool {
        let mut read = self.texts().filter_map(|text| text.page.as_ref());
        match pages {
            Some(uses) => read.any(|page| uses.contains(&page.used)),
            None => read.next().is_none(),
        }
    }

    /// Whether a finding is about one of its texts: of the pages with some uses, or of the draft.
    pub(crate) fn has_field_of(&self, finding: &Finding, pages: Option<&[AddressUse]>) -> bool {
        let is_judged = |text: &AskedText<'_>| match (&text.page, pages) {
            (Some(page), Some(uses)) => uses.contains(&page.used),
            (page, uses) => page.is_none() && uses.is_none(),
        };
        let has_it = |text: &AskedText<'_>| *text.pointer == *finding.pointer && is_judged(text);
        self.is_about_pages(pages) && self.texts().any(has_it)
    }
}

impl<'a> AskedField<'a> {
    /// The texts of a role, or of pages; `None` if there are none.
    fn of(role: &str, context: &Context<'a>) -> Option<Self> {
        let texts = match PageField::named(role) {
            Some(field) => texts_of_pages(field, context),
            None => texts_of_role(role, context),
        };
        (!texts.is_empty()).then(|| Self { role: role.to_owned(), texts, hash: OnceCell::new() })
    }

    fn hash(&self) -> &[u8; 32] {
        self.hash.get_or_init(|| {
            let mut hash = Sha256::new();
            for text in &self.texts {
                hash.update((text.shown().len() as u64).to_le_bytes());
                hash.update(text.shown());
            }
            hash.finalize().into()
        })
    }
}

/// A value of a role that is a text.
struct TextPlace<'a> {
    node: &'a Node<'a>,
    text: &'a str,
    pointer: String,
    field: String,
}

/// Hands over the texts of a role, until `see` has enough.
fn each_text<'a>(role: &str, context: &Context<'a>, see: &mut dyn FnMut(TextPlace<'a>) -> bool) {
    let target = Target { steps: [Some(role.to_owned().into()), None].into_iter().collect() };
    walk(&target, context.kind, context.root, &mut |place| {
        let pointer = place.trail.pointer();
        let text = context.root.at(&pointer).and_then(|node| Some((node, node.as_str()?)));
        text.is_none_or(|(node, text)| see(TextPlace { node, text, pointer, field: place.field.to_owned() }))
    });
}

fn texts_of_role<'a>(role: &str, context: &Context<'a>) -> Vec<AskedText<'a>> {
    let mut texts: Vec<AskedText<'a>> = Vec::new();
    for name in std::iter::once(role).chain(context.kind.also_in(role).iter().copied()) {
        each_text(name, context, &mut |TextPlace { node, text, pointer, field }| {
            if let Some(meaning) = shown(name, text, context)
                && !texts.iter().any(|known| known.pointer == pointer)
            {
                texts.push(AskedText { node, pointer, field, text, meaning, page: None });
            }
            texts.len() < MAX_TEXTS
        });
    }
    texts
}

/// Content of pages that were seen and are those of a business, at the values that name them.
fn texts_of_pages<'a>(asked: PageField, context: &Context<'a>) -> Vec<AskedText<'a>> {
    let mut texts = Vec::new();
    if context.environment.facts.seen.is_empty() {
        return texts;
    }
    let is_asked = |named: &&NamedAddress| named.used == asked.used();
    for named in context.named_addresses().iter().filter(is_asked) {
        let Some(fact) = context.fact(named).filter(|fact| asked.has_text(fact)) else { continue };
        let Some(TextPlace { node, text, pointer, field }) = naming_place(named, context) else { continue };
        let (address, range) = (named.address.clone(), named.range.clone());
        let page = AskedPage { field: asked, fact, shown: OnceCell::new(), used: named.used, address, range };
        texts.push(AskedText { node, pointer, field, text, meaning: text, page: Some(page) });
        if texts.len() == MAX_PAGES {
            break;
        }
    }
    texts
}

/// The value that names an address.
fn naming_place<'a>(named: &NamedAddress, context: &Context<'a>) -> Option<TextPlace<'a>> {
    naming_roles().find_map(|role| {
        let mut found = None;
        each_text(role, context, &mut |place| {
            found = Some(place).filter(|place| named.is_in(place.node));
            found.is_none()
        });
        found
    })
}

/// A value as a reader sees it; `None` if it is empty.
fn shown<'a>(role: &str, value: &'a str, context: &Context<'a>) -> Option<&'a str> {
    let shown = match context.kind.near_meaning(role, value) {
        Some(meaning) => meaning.words,
        None => context.kind.value_by_alias(role, value).unwrap_or(value),
    };
    (!shown.trim().is_empty()).then_some(shown)
}

/// The first bytes of a hash.
pub(super) fn in_hexadecimal(hash: &[u8]) -> String {
    hash.iter().take(HASH).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
