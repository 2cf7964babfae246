//! The document as checks see it; expensive results are computed at most once.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use smallvec::SmallVec;
use tollproof_data::provider::schema::shape::Shape;
use tollproof_data::text::terms::vocabulary::Vocabulary;
use tollproof_data::text::words::hit::Hit;
use tollproof_data::text::words::word::Words;

use crate::checks::named_address::NamedAddress;
use crate::checks::wordlists::Lists;
use crate::checks::{Place, Trail, slots};
use crate::facts::{Batch, Facts, Submission};
use crate::provider::kind::Kind;
use crate::provider::renames::Renames;
use crate::provider::{role, schema};
use crate::syntax::document::Node;
use crate::syntax::source::Span;
use crate::syntax::string_map;
use crate::text::asked::business_name::{BusinessName, SHARED_HOSTS};
use crate::text::asked::scan::Scan;
use crate::text::terms::text_rules::TextRules;
use crate::text::words::own_name::{NameLength, OwnName};
use crate::validators::email;
use crate::validators::phone::{self, Phone};
use crate::validators::url::{self, Address, Malformed};

/// A document, its environment and the results computed so far.
pub(crate) struct Context<'a> {
    pub(crate) text: &'a str,
    pub(crate) root: &'a Node<'a>,
    pub(crate) kind: Kind,
    pub(crate) environment: Environment<'a>,
    pub(crate) lists: &'a Lists,
    texts: TextRules<'a>,
    pub(super) found: FoundOnce,
}

/// The results computed so far.
#[derive(Debug, Default)]
pub(super) struct FoundOnce {
    scans: PerText<Scan>,
    made: PerText<(String, Scan)>,
    /// A string in which not all phrases were searched for.
    incomplete: Cell<Option<*const str>>,
    addresses: PerText<TextRead>,
    mail_domains: PerText<MailDomain>,
    phones: PerText<PhoneRead>,
    slots: PerText<[Range<usize>]>,
    country: OnceCell<Option<&'static str>>,
    brand: OnceCell<BusinessName>,
    /// By their roles, with their words.
    own_names: OnceCell<OwnNames>,
    /// The words of the business name.
    name_words: OnceCell<BTreeSet<String>>,
    pub(super) named_addresses: OnceCell<Vec<NamedAddress>>,
    /// By the pointer to the object.
    renames: RefCell<Vec<(String, Rc<Renames>)>>,
}

/// Data from outside the document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Environment<'a> {
    /// The brand of the testing use case, from the settings.
    pub(crate) vendor: Option<&'a str>,
    pub(crate) facts: &'a Facts,
    /// The numbers in earlier documents of the same file.
    pub(crate) earlier: &'a Batch,
    /// The id of the record that an update request declares that it changes.
    pub(crate) declared_record: Option<&'a str>,
    /// The document as it is written, if it is judged as that of another provider.
    pub(crate) original: Option<&'a Node<'a>>,
}

impl<'a> Environment<'a> {
    /// The record that an update request changes, from the most reliable source available.
    pub(crate) fn record(&self) -> Option<&'a Submission> {
        let id = || self.declared_record.or(self.facts.record_id.as_deref());
        self.facts.record.as_ref().or_else(|| self.facts.history.of_id(id()?))
    }
}

/// The fields with the names of the business.
const OWN_NAMES: [&str; 2] = [role::BUSINESS_NAME, role::DOING_BUSINESS_AS];

/// The roles of names, with their words and their lengths.
type OwnNames = SmallVec<[(&'static str, Rc<Scan>, NameLength); 2]>;

/// Results for strings of the document. The key is the pointer to the string.
#[derive(Debug)]
struct PerText<T: ?Sized>(RefCell<Vec<(*const str, Rc<T>)>>);

impl<T: ?Sized> Default for PerText<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: ?Sized> PerText<T> {
    /// The maximum number of results; further ones are made each time.
    const KEPT: usize = 64;

    fn get_or_make(&self, text: &str, make: impl FnOnce() -> Rc<T>) -> Rc<T> {
        let key = std::ptr::from_ref(text);
        if let Some((_, known)) = self.0.borrow().iter().find(|(known, _)| std::ptr::eq(*known, key)) {
            return Rc::clone(known);
        }
        let made = make();
        let mut kept = self.0.borrow_mut();
        if kept.len() < Self::KEPT {
            kept.push((key, Rc::clone(&made)));
        }
        made
    }
}

/// The result of parsing a value as a URL.
type TextRead = Result<Address, Malformed>;

/// The domain of a value that is an e-mail address, or why it is none.
type MailDomain = Result<String, &'static str>;

/// The result of parsing a value as a phone number.
type PhoneRead = Result<Phone, &'static str>;

impl<'a> Context<'a> {
    pub(crate) fn new(
        text: &'a str,
        root: &'a Node<'a>,
        kind: Kind,
        environment: Environment<'a>,
        lists: &'a Lists,
        texts: TextRules<'a>,
    ) -> Self {
        Self { text, root, kind, environment, lists, texts, found: FoundOnce::default() }
    }

    /// The groups of the vocabulary.
    pub(crate) fn vocabulary(&self) -> &'a Vocabulary<'a> {
        self.texts.vocabulary
    }

    /// The words and phrases of a string of the document or its facts, scanned once.
    pub(crate) fn scan(&self, text: &str) -> Rc<Scan> {
        self.found.scans.get_or_make(text, || Rc::new(self.scan_made(text)))
    }

    /// A string that a check makes of one of the facts, with its words and phrases; made once.
    pub(super) fn read_made(&self, text: &str, make: impl FnOnce() -> String) -> Rc<(String, Scan)> {
        self.found.made.get_or_make(text, || {
            let made = make();
            let scan = self.scan_made(&made);
            Rc::new((made, scan))
        })
    }

    /// Reads the words and phrases of a string.
    fn scan_made(&self, text: &str) -> Scan {
        let names = self.own_names(text);
        let mut own: SmallVec<[OwnName<'_>; 2]> = SmallVec::new();
        for (role, name, length) in names {
            let text = self.field(role).unwrap_or_default();
            own.push(OwnName::of(text, (name.words(), name.hits()), *length));
        }
        let scan = Scan::of(text, self.texts, &own);
        if !scan.is_complete() {
            self.found.incomplete.set(Some(std::ptr::from_ref(text)));
        }
        scan
    }

    /// The names of the business by their roles, with their words, that a text may have; it is not one of them itself.
    fn own_names(&self, text: &str) -> &[(&'static str, Rc<Scan>, NameLength)] {
        // Of a known name, the text was read already.
        if let Some(names) = self.found.own_names.get() {
            return names;
        }
        let fields = || OWN_NAMES.iter().filter_map(|role| Some((*role, self.field(role)?)));
        if fields().any(|(_, name)| std::ptr::eq(name, text)) {
            return &[];
        }
        let read = |(role, text)| {
            let name = self.scan(text);
            NameLength::of(text, name.words()).map(|length| (role, name, length))
        };
        self.found.own_names.get_or_init(|| fields().filter_map(read).collect())
    }

    /// The value in which not all phrases were searched for, because there are too many; the document, if the value is
    /// not one of its fields with text.
    pub(crate) fn incomplete(&self) -> Option<&'a Node<'a>> {
        let key = self.found.incomplete.get()?;
        let mut texts = self.kind.texts(self.root).into_iter().map(|(_, node)| node);
        let is_it = |node: &&Node<'_>| node.as_str().is_some_and(|text| std::ptr::eq(text, key));
        Some(texts.find(is_it).unwrap_or(self.root))
    }

    /// A value of the document, parsed as a URL once.
    pub(crate) fn address(&self, text: &str) -> Rc<TextRead> {
        self.found.addresses.get_or_make(text, || Rc::new(url::parse(text.trim())))
    }

    /// The domain of a value that is an e-mail address, found once.
    pub(crate) fn mail_domain(&self, text: &str) -> Rc<MailDomain> {
        self.found.mail_domains.get_or_make(text, || Rc::new(email::domain_of(text.trim())))
    }

    /// A value of the document, parsed as a phone number once; without `+`, it belongs to the country of the business.
    pub(crate) fn phone(&self, text: &str) -> Rc<PhoneRead> {
        self.found.phones.get_or_make(text, || Rc::new(phone::parse(text, self.country())))
    }

    /// The template fields in a string of the document, searched for once.
    pub(crate) fn slots(&self, text: &str) -> Rc<[Range<usize>]> {
        self.found.slots.get_or_make(text, || slots::slots(text).into())
    }

    /// The host of a value that is a URL or lacks only the scheme, or the domain of an e-mail address.
    pub(crate) fn host_of(&self, text: &str) -> Option<String> {
        if let Ok(domain) = email::domain_of(text.trim()) {
            return Some(domain);
        }
        match self.address(text).as_ref() {
            Ok(address) => Some(address.host.clone()),
            Err(_) => url::host_of(text),
        }
    }

    /// The shape of the value at a place, in the schema of the document's kind.
    pub(crate) fn shape_at(&self, place: &Place<'_>) -> Option<&'static Shape> {
        let shape = schema::shape(self.kind);
        let shape = match &place.trail {
            Trail::Key(key) => shape.at([Some(*key)]),
            trail => shape.at_pointer(&trail.pointer()),
        };
        match shape {
            // One value without its list.
            Some(Shape::List { item, or_one: true, .. })
                if place.node.is_some_and(|node| node.as_str().is_some()) =>
            {
                Some(item)
            }
            shape => shape,
        }
    }

    /// The field with a role.
    pub(crate) fn node(&self, role: &str) -> Option<&'a Node<'a>> {
        self.kind.field(self.root, role)
    }

    /// Whether the additional information names a domain by itself, as an explanation does, and not in an address.
    pub(super) fn explains(&self, domain: &str) -> bool {
        let text = self.field(role::ADDITIONAL_INFORMATION).unwrap_or_default();
        let words = text.split(|letter: char| !letter.is_alphanumeric() && !".-/:@".contains(letter));
        words
            .map(|word| word.trim_end_matches(['.', ':']).to_lowercase())
            .any(|word| word.strip_suffix(domain).is_some_and(|before| ["", "www."].contains(&before)))
    }

    /// The string in the field with a role.
    pub(crate) fn field(&self, role: &str) -> Option<&'a str> {
        self.node(role).and_then(Node::as_str)
    }

    /// The values of a role, each with its text for comparisons with other texts: the value, or what it means where the
    /// provider has a list of its own.
    pub(crate) fn values_in_words(&self, role: &str) -> Vec<(&'a str, &'a str)> {
        let values = self.kind.values(self.root, role).into_iter().filter_map(|node| node.as_str());
        let in_words = |value: &'a str| match self.kind.meaning(role, value) {
            Some(meaning) => meaning.words,
            None => self.kind.value_by_alias(role, value).unwrap_or(value),
        };
        values.map(|value| (value, in_words(value))).filter(|(_, words)| !words.is_empty()).collect()
    }

    /// The values with the content of a role: those of its field, and of the fields in which the provider's users write it
    /// as well.
    pub(crate) fn values_with(&self, role: &str) -> Vec<&'a Node<'a>> {
        let roles = std::iter::once(role).chain(self.kind.also_in(role).iter().copied());
        roles.flat_map(|role| self.kind.values(self.root, role)).collect()
    }

    /// Other texts that may say what the text at a place has to say: the other texts with its role, and those of the roles
    /// in which the provider's users write it.
    pub(crate) fn other_texts(&self, place: &Place<'_>) -> Vec<&'a str> {
        if self.kind.is_default() {
            return Vec::new();
        }
        let same = self.kind.values(self.root, place.role).into_iter();
        let same = same.filter(|node| !place.node.is_some_and(|own| std::ptr::eq(own, *node)));
        let others = self.kind.also_in(place.role).iter().flat_map(|role| self.kind.values(self.root, role));
        same.chain(others).filter_map(|node| node.as_str()).collect()
    }

    /// The names by which a reader would recognize the business.
    pub(crate) fn brand(&self) -> &BusinessName {
        self.found.brand.get_or_init(|| {
            let scans = OWN_NAMES.iter().filter_map(|role| Some(self.scan(self.field(role)?)));
            let scans: SmallVec<[Rc<Scan>; 2]> = scans.collect();
            let names: SmallVec<[&Words; 2]> = scans.iter().map(|scan| scan.words()).collect();
            let texts = [role::ADDITIONAL_INFORMATION, role::BUSINESS_NAME];
            let texts = texts.map(|role| self.field(role).unwrap_or_default());
            let site = self.field(role::CORPORATE_WEBSITE).and_then(|site| self.host_of(site));
            let is_own = |host: &String| self.lists.host_entry(&SHARED_HOSTS, host).is_none();
            BusinessName::of(&names, texts, site.filter(is_own).as_deref())
        })
    }

    /// Whether a term is written as the business name has it. The name itself is judged in its own field.
    pub(crate) fn is_in_business_name(&self, text: &str, scan: &Scan, hit: &Hit) -> bool {
        if !scan.is_capital(text, hit.first) {
            return false;
        }
        let Some(name) = self.field(role::BUSINESS_NAME) else { return false };
        let words = self.found.name_words.get_or_init(|| {
            let name = self.scan(name);
            (0..name.words().len()).map(|at| name.words().word(at).to_owned()).collect()
        });
        (hit.first..=hit.last).all(|at| words.contains(scan.words().word(at)))
    }

    /// The fields that the unknown fields of the object at a pointer probably mean.
    ///
    /// Compares at most as many names as the schema check reports errors.
    pub(crate) fn renames(&self, pointer: &str) -> Rc<Renames> {
        let mut known = self.found.renames.borrow_mut();
        if let Some((_, renames)) = known.iter().find(|(at, _)| at == pointer) {
            return Rc::clone(renames);
        }
        let compared: usize = known.iter().map(|(_, it)| it.compared).sum();
        let fields: Vec<&str> = match schema::shape(self.kind).at_pointer(pointer) {
            Some(Shape::Object(object)) => object.fields.iter().map(|field| field.name.as_str()).collect(),
            _ => Vec::new(),
        };
        let most = schema::MAX_SCHEMA_ERRORS.saturating_sub(compared);
        let renames = self.root.at(pointer).map(|object| Renames::of(self.kind, object, &fields, most));
        let renames = Rc::new(renames.unwrap_or_default());
        known.push((pointer.to_owned(), Rc::clone(&renames)));
        renames
    }

    /// The country of the business, ISO 3166-1 alpha-2, if its field contains a known country. Where the payload has no
    /// field for it, that of the state or province.
    pub(crate) fn country(&self) -> Option<&'static str> {
        *self.found.country.get_or_init(|| self.kind.country(self.root))
    }

    /// The span in the source of a byte range of a node's string.
    pub(crate) fn inner(&self, node: &Node<'_>, range: Range<usize>) -> Span {
        string_map::inner_span(self.text, node, range)
    }
}
