//! Fields of a request to a reader with what the pages of a draft show.

use tollproof_data::seen::AddressUse;

use super::fact::SeenFact;
use super::page::{FormSeen, PageSeen};
use crate::syntax::printable::is_mark;

/// The longest text of a page that a reader gets, in characters.
const MAX_SHOWN: usize = 3_000;

/// Content of the pages and pictures of a draft, as a field that a question can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageField {
    OptIn,
    /// The forms of an opt-in page in words of our own: a page cannot imitate them.
    OptInForms,
    /// The words of a picture of the page on which people agree.
    OptInPicture,
    Privacy,
    Terms,
    Website,
}

impl PageField {
    /// The fields by their names in requests and rules.
    pub(crate) const NAMES: [(&str, Self); 6] = [
        ("optInPage", Self::OptIn),
        ("optInPageForms", Self::OptInForms),
        ("optInPicture", Self::OptInPicture),
        ("privacyPolicyPage", Self::Privacy),
        ("termsPage", Self::Terms),
        ("websitePage", Self::Website),
    ];

    /// The field with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }

    /// The use of the pages in a draft.
    pub(crate) fn used(self) -> AddressUse {
        match self {
            Self::OptIn | Self::OptInForms => AddressUse::OptIn,
            Self::OptInPicture => AddressUse::Picture,
            Self::Privacy => AddressUse::Privacy,
            Self::Terms => AddressUse::Terms,
            Self::Website => AddressUse::Website,
        }
    }

    /// Whether the field has text, without making it.
    pub(crate) fn has_text(self, fact: &SeenFact) -> bool {
        let shows = |text: &str| text.chars().any(|shown| !is_mark(shown) && !shown.is_whitespace());
        match (self, fact.seen_page()) {
            (Self::OptInPicture, _) => {
                fact.seen_picture().and_then(|picture| picture.text.as_deref()).is_some_and(shows)
            }
            (field, Some(page)) if page.signs.is_empty() => {
                field == Self::OptInForms || field.parts(page).iter().any(|part| shows(part))
            }
            _ => false,
        }
    }

    /// The part of what was seen that is in the field; empty if it was not the page of a business.
    pub(crate) fn text(self, fact: &SeenFact) -> String {
        let picture = fact.seen_picture().and_then(|picture| picture.text.as_deref());
        match (self, fact.seen_page()) {
            (Self::OptInPicture, _) => plain(&[picture.unwrap_or_default()]),
            (field, Some(page)) if page.signs.is_empty() => field.of_page(page),
            _ => String::new(),
        }
    }

    fn of_page(self, page: &PageSeen) -> String {
        if self == Self::OptInForms { forms(&page.forms) } else { plain(&self.parts(page)) }
    }

    fn parts(self, page: &PageSeen) -> Vec<&String> {
        let labels = page.forms.iter().flat_map(|form| &form.boxes).map(|found| &found.label);
        match self {
            Self::OptInForms | Self::OptInPicture => Vec::new(),
            Self::OptIn => [&page.title, &page.about, &page.consent].into_iter().chain(labels).collect(),
            Self::Privacy if page.policy.is_empty() => vec![&page.sharing, &page.consent],
            Self::Privacy => vec![&page.policy],
            Self::Terms => vec![&page.consent],
            Self::Website => [&page.title, &page.about].into_iter().chain(&page.names).collect(),
        }
    }
}

/// Lines of texts without characters that hide or turn others, each once.
fn plain(parts: &[impl AsRef<str>]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in parts.iter().flat_map(|part| part.as_ref().lines()) {
        let plain: String = line.chars().filter(|shown| !is_mark(*shown)).collect();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        if !plain.is_empty() && !lines.iter().any(|known| known.contains(&plain)) {
            lines.push(plain);
        }
    }
    lines.join("\n").chars().take(MAX_SHOWN).collect()
}

/// Ways to agree that people find on a page.
fn forms(forms: &[FormSeen]) -> String {
    let with_phone = forms.iter().filter(|form| form.has_phone).count();
    let boxes = || forms.iter().flat_map(|form| &form.boxes);
    format!(
        "forms with a field for a phone number: {with_phone}; boxes: {}, of them ticked when the page opens: {}, required: {}",
        boxes().count(),
        boxes().filter(|found| found.ticked).count(),
        boxes().filter(|found| found.required).count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_page_is_bounded_and_plain() {
        let line = "Yes,\u{202e} text\u{200b} me\u{e0041}.\u{1b}[31m".to_owned();
        let consent = format!("{line}\n\u{2066} \n{line}\r\n\"}}]}}\n```\n{}", "é".repeat(1 << 20));
        let page = PageSeen { consent, ..PageSeen::default() };
        let text = PageField::OptIn.of_page(&page);
        assert!(text.starts_with("Yes, text me.[31m\n\"}]}\n```\néé"), "{text:.60}");
        assert_eq!(text.chars().count(), MAX_SHOWN);
        assert_eq!(PageField::Privacy.of_page(&PageSeen { policy: "a".to_owned(), ..page }), "a");
    }
}
