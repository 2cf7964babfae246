//! The facts about a page: no more of its text than rules need.

use serde::{Deserialize, Serialize};
use tollproof_data::seen::PageSign;

use super::limits::{cut, drop_long};

/// The most names of a page, and the most postal addresses.
const MAX_NAMES: usize = 10;
/// The most forms of a page.
const MAX_FORMS: usize = 10;
/// The most boxes of a form.
const MAX_BOXES: usize = 50;
/// The longest label, name or title, in characters.
const MAX_LABEL: usize = 500;
/// The longest text about consent or sharing, and of a picture, in characters.
pub(super) const MAX_TEXT: usize = 4_000;
/// The longest texts for a reader, in characters.
const MAX_POLICY: usize = 2_000;
const MAX_ABOUT: usize = 800;

/// Facts seen of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PageSeen {
    /// The title.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The language of the text, such as `en`; empty if it is unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// The number of words in the visible text.
    pub words: u32,
    /// Signs that this is not the page of a business.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<PageSign>,
    /// Names of businesses: in structured data, the footer, the name of the site and parts of the title; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Postal addresses in structured data and the footer; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<String>,
    /// The absolute link to the privacy policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy: Option<String>,
    /// The absolute link to the terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<String>,
    /// The forms; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<FormSeen>,
    /// The visible text around phone fields and boxes of forms that ask for a phone number. Without such a form, the
    /// sentences about text messages, of terms also what is below a heading about them. At most 4,000 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub consent: String,
    /// The sentences about sharing and selling data and about third parties, a question with its answer; at most 4,000
    /// characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sharing: String,
    /// Of a privacy policy, for a reader: the sentences about sharing data, phone numbers and text messages below their headings,
    /// in their order; at most 2,000 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub policy: String,
    /// Of a website or an opt-in page, for a reader: its description and its first headings; at most 800 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Whether it was seen in a browser, with its scripts.
    pub rendered: bool,
    /// Boxes that its HTML has in another state than the browser shows; at most 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub html_boxes: Vec<BoxSeen>,
    /// The words of the names of businesses that drafts have this website for, which are nowhere in its HTML; at most 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unnamed: Vec<String>,
}

impl PageSeen {
    /// Cuts texts and lists that are longer than they may be.
    pub(super) fn keep_limits(&mut self) {
        for list in [&mut self.names, &mut self.addresses] {
            list.truncate(MAX_NAMES);
            list.iter_mut().for_each(|name| cut(Some(name), MAX_LABEL));
        }
        self.unnamed.truncate(MAX_BOXES);
        self.unnamed.iter_mut().for_each(|word| cut(Some(word), MAX_LABEL));
        self.signs.truncate(MAX_NAMES);
        self.forms.truncate(MAX_FORMS);
        for boxes in self.forms.iter_mut().map(|form| &mut form.boxes).chain([&mut self.html_boxes]) {
            boxes.truncate(MAX_BOXES);
            boxes.iter_mut().for_each(|checkbox| cut(Some(&mut checkbox.label), MAX_LABEL));
        }
        drop_long(&mut self.privacy);
        drop_long(&mut self.terms);
        cut(Some(&mut self.title), MAX_LABEL);
        cut(Some(&mut self.language), MAX_LABEL);
        cut(Some(&mut self.consent), MAX_TEXT);
        cut(Some(&mut self.sharing), MAX_TEXT);
        cut(Some(&mut self.policy), MAX_POLICY);
        cut(Some(&mut self.about), MAX_ABOUT);
    }

    /// Whether the page asks for phone numbers, or says something about text messages.
    pub(crate) fn asks_for_consent(&self) -> bool {
        !self.consent.trim().is_empty() || self.forms.iter().any(|form| form.has_phone)
    }
}

/// A form on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FormSeen {
    /// Whether it has a field for a phone number.
    pub has_phone: bool,
    /// Its boxes to tick; at most 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<BoxSeen>,
    /// Whether it asks for a password.
    pub is_log_in: bool,
}

/// A box to tick in a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BoxSeen {
    /// The text beside it; at most 500 characters.
    pub label: String,
    /// Whether it is ticked when the page opens.
    pub ticked: bool,
    /// Whether the form cannot be sent without it.
    pub required: bool,
}
