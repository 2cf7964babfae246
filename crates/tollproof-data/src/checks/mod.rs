//! The checks: their names and parameters, as rule files write them. What a check does is in tollproof-core.

pub mod condition;
pub mod frame;
pub mod page;
pub mod parts;
pub mod pattern;
pub mod rule_check;
pub mod spec;
pub mod system;
pub mod texts;

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use self::frame::Frames;
use self::page::{PageElement, Pages};
use self::parts::{DeclaredWay, Element, ExpectedGroups};
pub use self::rule_check::{RuleCheck, by_name};
pub use self::spec::{CheckSpec, LooksAt};
use self::spec::{checks, plain};
pub use self::system::{AnswerPart, IgnoreProblem, SystemCheck};
use crate::checks::texts::Texts;
use crate::seen::{AddressUse, SeenOutcome};
use crate::text::phrases::interner::Phrases;
use crate::text::terms::groups::Groups;

// A check says here what it fills in messages, what it looks at, unless that is a string, whether it judges the form of a
// value, and what of its parameters the interner needs; then, after `of`, its parameters. Long ones have a file of their own.
checks! {
    /// The condition of a rule. Exactly one per rule.
    Check;

    /// An absent field.
    "absent" => Absent { looks_at: Field },
    /// The number has an open submission with the same data.
    "already-submitted" => AlreadySubmitted { fills: ["status", "ago"], looks_at: Anything },
    /// The number was verified, and no later submission of it is open.
    "already-verified" => AlreadyVerified { fills: ["status", "ago"], looks_at: Anything },
    /// Listed keywords, without one that people are told to send.
    "announced-keywords" => AnnouncedKeywords { fills: ["value", "match"], looks_at: Value, groups: (it => vec![&mut it.announced]) } of {
        /// The field that announces keywords.
        description: String,
        /// Groups of expressions that announce a word in capitals.
        announced: Groups,
        /// Words in capitals that are not keywords to opt in, such as STOP.
        #[serde(default)]
        except: Texts,
    },
    /// A text that begins with one of these strings, after any whitespace.
    "begins-with" => BeginsWith { fills: ["value", "match"], lacks: (it => it.any_of.iter().all(String::is_empty), "`any_of`") } of {
        /// The strings.
        any_of: Vec<String>,
    },
    /// A text that must contain the name of the business.
    "brand" => Brand { fills: ["value"] } of {
        /// Report a text that names the business only in a link, instead of one that does not name it.
        #[serde(default)]
        only_in_link: bool,
    },
    /// A value that is not in the closed list of its field in the schema.
    "closed-list" => ClosedList { fills: ["value", "nearest", "count", "values", "suggestion"], looks_at: ListedText, judges_form: true } of {
        /// The suffix of the testing value, which follows the name of the configured vendor: ` Testing`.
        vendor_suffix: Option<String>,
    },
    /// A YAML value that ends where ` #` begins a comment.
    "comment" => Comment { fills: ["value", "match"] },
    /// A text whose meanings do not fit another field. By default, both texts have some of the groups, and none in common.
    "compare" => Compare { fills: ["value", "match", "other"], lacks: (it => it.facts.is_empty(), "`facts`"),
        groups: (it => {
            let expected = it.expects.0.iter_mut().map(|(_, groups)| groups);
            expected.chain([&mut it.facts, &mut it.against, &mut it.unless]).collect()
        }) } of {
        /// The groups that are compared: the text has at least one of them, and the other field none that the text has.
        facts: Groups,
        /// The other field.
        with: String,
        /// Groups of which the other field has at least one, so that it says something about the matter. It has none of
        /// `facts`.
        #[serde(default)]
        against: Groups,
        /// For values of the other field, the groups that fit them: the text has none of those, but other `facts`. Values
        /// that are not listed fit everything.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Groups>"))]
        expects: ExpectedGroups,
        /// Groups; nothing is reported if either text has one of them.
        #[serde(default)]
        unless: Groups,
    },
    /// A value that is not the code of a country, though it may name one.
    "country-code" => CountryCode { fills: ["value"], judges_form: true },
    /// A country that is not written as the provider wants it: as two letters, as three letters, or as its name.
    "country-form" => CountryForm { fills: ["value", "form", "provider"], judges_form: true },
    /// A country that does not match the state and the postal code, although these two match each other.
    "country-region" => CountryRegion { fills: ["value", "state", "where", "country"], judges_form: true },
    /// A declared way to agree, where the description has other ways and not this one.
    "declared-method" => DeclaredMethod { fills: ["value", "match"], groups: (it => it.methods.iter_mut().flat_map(|it| [&mut it.fits, &mut it.others]).collect()) } of {
        /// The field with the description.
        description: String,
        /// The ways to agree.
        methods: Vec<DeclaredWay>,
    },
    /// The domain of an e-mail address, as `tollproof look` saw it: each parameter that applies is a finding.
    "domain" => Domain { fills: ["value", "match", "reason"], needs_seen: true, lacks: (it => it.outcomes.is_empty() && !it.without_mail_server, "`outcomes` or `without_mail_server`") } of {
        /// Outcomes that are reported.
        #[serde(default)]
        outcomes: Vec<SeenOutcome>,
        /// Whether a domain without a mail server (MX record) is reported.
        #[serde(default)]
        without_mail_server: bool,
    },
    /// An earlier draft of the same run contains the number.
    "duplicate-number" => DuplicateNumber { looks_at: Anything },
    /// Employer identification numbers in a text.
    "ein" => Ein { fills: ["match", "reason"] },
    /// E-mail addresses: each parameter that applies is a finding.
    #[derive(Default)]
    #[serde(default)]
    "email" => Email { fills: ["value", "match", "reason"], hosts: hosts, lacks: (
        it => it.hosts.is_empty() && it.local_words.is_empty() && !it.malformed && !it.reserved,
        "`malformed`, `hosts`, `reserved` or `local_words`"
    ) } of {
        /// Not an e-mail address, or its domain is not under a known domain ending.
        malformed: bool,
        /// Domains, or names of host lists, that are refused.
        hosts: Vec<String>,
        /// Domains that are reserved for examples and tests.
        reserved: bool,
        /// Words that must not be the whole part before the `@`.
        local_words: Texts,
    },
    /// The submission that would be updated has ended.
    "ended-submission" => EndedSubmission { fills: ["status"], looks_at: Anything },
    /// A fictional number (555-0100 to 555-0199), or a placeholder such as 555-1234 or 222-2222.
    "fictional-phone" => FictionalPhone { fills: ["value"] },
    /// A text that must not contain certain phrases.
    #[derive(Default)]
    #[serde(default)]
    "forbid" => Forbid { fills: ["value", "match", "list"], patterns: matches,
        phrases: (it => vec![&mut it.any_of, &mut it.whole, &mut it.except, &mut it.unless]),
        lacks: (
            it => it.any_of.is_empty() && it.whole.is_empty() && it.matches.is_empty(),
            "`any_of`, `whole` or `matches`"
        ) } of {
        /// Phrases that the text must not contain.
        any_of: Phrases,
        /// Phrases that must not be the whole text.
        whole: Phrases,
        /// Regular expressions that must not match.
        matches: Vec<String>,
        /// Longer phrases; a phrase inside one of them does not count.
        except: Phrases,
        /// Phrases; a forbidden phrase in the same sentence does not count.
        unless: Phrases,
        /// Whether to skip a phrase in a negated clause.
        skip_negated: bool,
        /// Whether to skip a phrase with which the text begins.
        not_first: bool,
        /// Whether to skip a phrase next to a template field, such as `[Name]`, which `slots` reports.
        outside_slots: bool,
    },
    "frame" => Frames,
    /// Text that was decoded with the wrong encoding.
    "garbled-text" => GarbledText { fills: ["value", "match"] },
    /// A name that is a user name, an e-mail address or a web address.
    "handle" => Handle { fills: ["value", "reason"] },
    /// Invisible and control characters.
    "invisible-characters" => InvisibleCharacters { fills: ["value", "match"] },
    /// A value that is not in a list that is known to be incomplete.
    "known-value" => KnownValue { fills: ["value", "nearest"], judges_form: true } of {
        /// The known values; case and spaces are ignored.
        values: Vec<String>,
    },
    /// A text with several messages, numbered or each with a way to stop, of which one does not name the business or says no way to stop.
    "later-samples" => LaterSamples { fills: ["match", "missing"], phrases: (it => vec![&mut it.opt_out]) } of {
        /// Phrases of which each message must contain at least one.
        opt_out: Phrases,
    },
    /// The length of a text.
    "length" => Length { fills: ["count", "max"] } of {
        /// The maximum number of characters.
        max: usize,
    },
    /// A name followed by another name in brackets that has a legal form.
    "name-in-brackets" => NameInBrackets { fills: ["value", "reason"] },
    /// A time that is after another time.
    "not-after" => NotAfter { fills: ["value", "other"] } of {
        /// The field with the later time.
        field: String,
    },
    /// An ordered +1 number that is not toll-free.
    "not-toll-free" => NotTollFree { fills: ["value", "code"] },
    /// An entry of a list that names a number again.
    "number-named-twice" => NumberNamedTwice { fills: ["value"] },
    /// A field whose business has several numbers: more than five in this draft, or in Canada more than one in the run.
    "numbers-of-business" => NumbersOfBusiness { looks_at: Field },
    /// Pages, pictures and mail domains of the draft that were seen long ago.
    "old-facts" => OldFacts { fills: ["count", "ago"], looks_at: Anything, needs_seen: true },
    /// A text with one message, though another field has several values, each of which needs a message.
    "one-sample" => OneSample { fills: ["count"] } of {
        /// The field with the values.
        of: String,
        /// Whether one value is enough, which covers several kinds of messages.
        #[serde(default)]
        even_of_one: bool,
    },
    /// The number has an open submission with other data.
    "open-submission" => OpenSubmission { fills: ["status", "ago"], looks_at: Anything },
    /// An ordered number that is not written as `+` and digits, or a +1 number without ten digits.
    "ordered-number-format" => OrderedNumberFormat { fills: ["value", "reason"] },
    "page" => Pages,
    /// A person's name that contains digits or symbols, is a single letter, or is the name of the business.
    "person-name" => PersonName { fills: ["value", "reason"] },
    /// A phone number that is not written as `+` and digits.
    "phone-e164" => PhoneE164 { fills: ["value", "e164"] },
    /// A value that is not a phone number that can be dialed.
    "phone-format" => PhoneFormat { fills: ["value", "reason"] },
    /// A picture that the draft names, as `tollproof look` saw it: each parameter that applies is a finding.
    #[derive(Default)]
    #[serde(default)]
    "picture" => Picture { fills: ["value", "match", "reason", "missing"], needs_seen: true, hosts: page_hosts,
        groups: (it => it.elements.iter_mut().map(|it| &mut it.any_of).chain([&mut it.about]).collect()),
        lacks: (
            it => it.outcomes.is_empty() && it.page_hosts.is_empty() && it.elements.is_empty()
                && !(it.page_instead || it.broken || it.blank) && it.min_width == 0 && it.min_height == 0,
            "one of `outcomes`, `page_instead`, `page_hosts`, `broken`, `blank`, `min_width`, `min_height`, `elements`"
        ) } of {
        /// Outcomes that are reported.
        outcomes: Vec<SeenOutcome>,
        /// Whether a page is reported that is in the place of a picture: its address ends as that of a picture does.
        page_instead: bool,
        /// Hosts, or names of host lists, at which any page is in the place of a picture.
        page_hosts: Vec<String>,
        /// Whether a picture is reported that cannot be decoded.
        broken: bool,
        /// Whether a picture is reported that has one color only.
        blank: bool,
        /// The width in pixels that a picture must have.
        min_width: u32,
        /// The height in pixels that a picture must have.
        min_height: u32,
        /// Required elements of the words in the pictures of the draft, if those of one have one of `about`.
        elements: Vec<PageElement>,
        /// Groups of which a picture shows one if it is of the text that people agree to.
        about: Groups,
    },
    /// A value that is not a postal code of its country.
    "postal-code-format" => PostalCodeFormat { fills: ["value", "where", "shape"], judges_form: true },
    /// A postal code of another state or province.
    "postal-code-region" => PostalCodeRegion { fills: ["value", "where", "state"] },
    /// A field that has a value. Use `when` to limit the check.
    "present" => Present { fills: ["value"], looks_at: Value } of {
        /// Fields that are reported together: the finding is at the first of them that has a value, and labels the others.
        #[serde(default)]
        together: Texts,
    },
    /// A kind of business registration that does not exist in the country of the registration.
    "registration-country" => RegistrationCountry { fills: ["value", "type", "where", "country"] } of {
        /// The field with the kind of registration.
        #[serde(rename = "type")]
        kind: String,
        /// Providers that accept a kind only in the countries of their own list.
        #[serde(default)]
        listed_only: Texts,
    },
    /// A number that does not fit its kind of business registration: its length, its prefix or its check digit is wrong.
    "registration-number" => RegistrationNumber { fills: ["value", "type", "reason"], judges_form: true } of {
        /// The field with the kind of registration.
        #[serde(rename = "type")]
        kind: String,
        /// The field with the country of the registration.
        country: String,
    },
    /// Items that are in a list more than once.
    "repeated" => Repeated { fills: ["value"], looks_at: List },
    /// A street that ends in the postal code of the draft, and perhaps in its city, state and country.
    "repeated-address" => RepeatedAddress { fills: ["value", "match", "street"] },
    /// A text that must contain phrases, or several elements.
    #[derive(Default)]
    #[serde(default)]
    "require" => Require { fills: ["value", "missing"],
        phrases: (it => {
            let elements = it.elements.iter_mut().map(|element| &mut element.any_of);
            elements.chain([&mut it.any_of, &mut it.except, &mut it.unless]).collect()
        }),
        lacks: (
            it => it.any_of.is_empty() && it.elements.is_empty() && it.min_chars == 0,
            "`any_of`, `elements` or `min_chars`"
        ) } of {
        /// Phrases of which the text must contain at least one.
        any_of: Phrases,
        /// Elements that the text must contain.
        elements: Vec<Element>,
        /// The number of elements that are enough; by default all.
        at_least: Option<usize>,
        /// Longer phrases; a phrase inside one of them does not count.
        except: Phrases,
        /// The minimum number of characters. A shorter text is reported even if it contains all phrases and elements.
        min_chars: usize,
        /// The maximum number of characters. A longer text is not reported.
        max_chars: Option<usize>,
        /// Phrases; a text that contains one of them is not reported.
        unless: Phrases,
        /// Whether an element counts that an opt-in page of the draft has where people agree, if the page was seen.
        or_on_page: bool,
    },
    /// A field that is absent or empty, although the data of the provider requires it: under a condition, or from a date.
    "required-by-provider" => RequiredByProvider { fills: ["provider", "since"], looks_at: Field },
    /// A field that is absent or empty, although reviewers need it by the data of the provider, whose API takes a draft without it.
    "required-by-reviewers" => RequiredByReviewers { fills: ["provider"], looks_at: Field },
    /// Someone has reserved the number to submit it.
    "reserved-number" => ReservedNumber { fills: ["until"], looks_at: Anything },
    /// The authority waits for an answer, and there is still time.
    "resubmission-due" => ResubmissionDue { fills: ["since", "left"], looks_at: Anything },
    /// The submission was rejected for good.
    "resubmission-not-allowed" => ResubmissionNotAllowed { fills: ["allowed", "field"], looks_at: Anything },
    /// The time to answer the authority has passed.
    "resubmission-overdue" => ResubmissionOverdue { fills: ["window", "since"], looks_at: Anything },
    /// A value that is the same as another field.
    "same-as" => SameAs { fills: ["value", "other"] } of {
        /// The fields that the value must not repeat, compared word by word.
        fields: Vec<String>,
    },
    /// A domain that must be the same as the domain of another field.
    "same-domain" => SameDomain { fills: ["match", "other"] } of {
        /// The field whose domain the value must share, unless its own domain contains the name of the business.
        #[serde(rename = "as")]
        other: String,
    },
    /// The parameters of a search for numbers.
    "search" => Search { fills: ["value"], looks_at: Anything },
    /// Repeated exclamation marks, or several words in a row in capitals.
    "shouting" => Shouting { fills: ["value", "match"] },
    /// An abbreviation of a state or province that is neither its code nor its name; or not the one of these that the
    /// provider wants.
    "state-abbreviation" => StateAbbreviation { fills: ["value", "state", "code"], judges_form: true },
    /// A value that is not a state or province of its country.
    "state-or-province" => StateOrProvince { fills: ["value", "where"], judges_form: true },
    /// Spaces and line breaks at the beginning or end of a text.
    "surrounding-space" => SurroundingSpace { fills: ["value"] },
    /// A template field for the business itself, or an instruction to the writer: `[Company Name]`, `INSERT LINK`.
    "template-slot" => TemplateSlot { fills: ["value", "match"] },
    /// A template field that each message fills: `{{first_name}}`, `[Date]`.
    "template-variable" => TemplateVariable { fills: ["value", "match"] },
    /// A toll-free number where the number of a person is required.
    "toll-free" => TollFree { fills: ["value"] },
    /// A text about a topic of the vocabulary. A strong term counts 3 and one of medium weight 2. Beside such a term, two weak
    /// ones count 1 each. A term counts once, however often it is said.
    "topics" => Topics { fills: ["value", "match", "topic"], lacks: (it => it.any_of.is_empty(), "`any_of`"),
        groups: (it => {
            let own = [&mut it.any_of, &mut it.offered, &mut it.goods, &mut it.unless];
            own.into_iter().chain([&mut it.unless_business, &mut it.except, &mut it.in_names]).collect()
        }) } of {
        /// The topics: graded groups of the vocabulary.
        any_of: Groups,
        /// The weight of terms that is reported.
        at_least: u16,
        /// The required number of different strong terms.
        #[serde(default)]
        strong: u16,
        /// Other fields whose terms count too, if the text has a term that is not weak.
        #[serde(default)]
        beside: Vec<String>,
        /// Groups of words that offer something; a strong term of `goods` in a sentence with one of them counts twice.
        #[serde(default)]
        offered: Groups,
        /// Those of the topics that are goods, of which an offer says enough.
        #[serde(default)]
        goods: Groups,
        /// Groups; a term in a sentence with one of them does not count.
        #[serde(default)]
        unless: Groups,
        /// Groups; a draft whose business name has one of them is not reported.
        #[serde(default)]
        unless_business: Groups,
        /// Groups; a term that is part of one of their terms does not count.
        #[serde(default)]
        except: Groups,
        /// Groups of words that make a name of what is before or after them, such as "Street".
        #[serde(default)]
        in_names: Groups,
    },
    /// Web addresses, the whole value or those in a text: each parameter that applies is a finding.
    #[derive(Default)]
    #[serde(default)]
    "url" => Url { fills: ["value", "match", "reason"], hosts: hosts, lacks: (
        it => {
            let words = [&it.path_words, &it.path_endings, &it.host_words, &it.query_words, &it.prefixes];
            let is_set = it.malformed && !it.within_text || it.reserved || it.local || it.hash_route || it.insecure;
            let is_of_page = it.home_page || it.home_page_with_query || it.page || it.unbranded || it.foreign;
            it.hosts.is_empty() && words.iter().all(|it| it.is_empty()) && !is_set && !is_of_page
        },
        "one of `malformed`, `hosts`, `reserved`, `local`, `path_words`, `path_endings`, `host_words`, `query_words`, `prefixes`, `hash_route`, `insecure`, `home_page`, `home_page_with_query`, `page`, `unbranded`, `foreign`"
    ) } of {
        /// Check the addresses in a text instead of the whole value.
        within_text: bool,
        /// Not an absolute http or https address with a host under a known domain ending.
        malformed: bool,
        /// Hosts, or names of host lists, that are refused.
        hosts: Vec<String>,
        /// Domains that are reserved for examples and tests: `example.com`, `.test`.
        reserved: bool,
        /// Addresses that work only on the writer's own network: `localhost`, IP addresses, `.local`.
        local: bool,
        /// Words that must not be a segment of the path, such as `login`.
        path_words: Texts,
        /// Words with which a segment of the path must not end, as in `guest-login`.
        path_endings: Texts,
        /// Words that must not be a part of a subdomain: `staging` in `www-staging.acme.com` and `staging2.acme.com`.
        host_words: Texts,
        /// Words with which the name of a parameter must not begin, as in `?preview_id=4`.
        query_words: Texts,
        /// Hosts with the beginning of a path: `drive.google.com/drive/folders`.
        prefixes: Texts,
        /// A route after `#/`, which is not sent to the server.
        hash_route: bool,
        /// An address with `http://`, and in a text also one without a scheme.
        insecure: bool,
        /// The home page of a site, or exactly the website of the business.
        home_page: bool,
        /// The home page of a site with parameters.
        home_page_with_query: bool,
        /// A page, not a picture or another file.
        page: bool,
        /// A domain that does not contain the name of the business.
        unbranded: bool,
        /// A domain that is not the domain of the website and does not contain the name of the business.
        foreign: bool,
    },
    /// A token of Campaign Verify that is not complete, or is for other numbers than toll-free ones.
    "vetting-token" => VettingToken { fills: ["reason"], judges_form: true },
}

impl Picture {
    /// Whether it compares words in pictures with meanings, which a reader understands better.
    fn is_of_words(&self) -> bool {
        !self.elements.is_empty()
    }
}

impl Check {
    /// Whether it compares words with meanings, which a reader understands better.
    pub fn is_of_words(&self) -> bool {
        use Check::{Compare, DeclaredMethod, Forbid, Frames, Pages, Picture, Require, Topics};
        match self {
            Pages(pages) => pages.is_of_words(),
            Picture(picture) => picture.is_of_words(),
            Compare(_) | DeclaredMethod(_) | Forbid(_) | Frames(_) | Require(_) | Topics(_) => true,
            _ => false,
        }
    }

    /// Use of the pages that it judges, if it judges pages and not the draft.
    pub fn pages(&self) -> Option<&[AddressUse]> {
        match self {
            Self::Pages(pages) => Some(&pages.of),
            Self::Picture(picture) if picture.is_of_words() => Some(&[AddressUse::Picture]),
            _ => None,
        }
    }
}
