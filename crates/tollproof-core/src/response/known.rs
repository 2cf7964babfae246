//! What is known of reasons without a draft: of a code, or of the words of an answer.

use tollproof_data::code_table::{CodeEntry, Resubmit, squeezed_name};

use super::advice::ReasonMeaning;
use super::{codes, pasted, reasons, shapes};
use crate::provider::kind::Provider;

/// What is known of a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownReason {
    /// The provider, the code and the title; or the words of the answer if they belong to no code.
    pub heading: String,
    /// What the reviewers mean and what to change.
    pub advice: String,
    /// The ids of the rules that check for it, the most likely first.
    pub rules: Vec<String>,
}

impl KnownReason {
    /// What a code means at a provider; without one, at each that has it. Empty if it is not known.
    #[must_use]
    pub fn of_code(code: &str, provider: Option<Provider>) -> Vec<Self> {
        let code = squeezed_name(code.trim());
        let is_meant = |entry: &&CodeEntry| {
            squeezed_name(&entry.code) == code && provider.is_none_or(|it| it.name() == entry.provider)
        };
        codes::table().codes.iter().filter(is_meant).map(Self::of_entry).collect()
    }

    /// The reasons that a text names: it is a code, or what an e-mail or a console says. Empty if nothing is known.
    #[must_use]
    pub fn all_in(text: &str, provider: Option<Provider>) -> Vec<Self> {
        let of_code = Self::of_code(text, provider);
        if of_code.is_empty() { Self::in_words(text, provider.map(Provider::name)) } else { of_code }
    }

    fn of_entry(entry: &CodeEntry) -> Self {
        let title = shapes::title(&entry.provider);
        let heading = match entry.code == entry.title {
            true => format!("{title}: {}", entry.title),
            false => format!("{title} {}: {}", entry.code, entry.title),
        };
        let is_final = match entry.resubmit {
            Resubmit::No => format!(" {title} lists this reason as final."),
            Resubmit::Yes | Resubmit::Unknown => String::new(),
        };
        let advice = format!("{} {}{is_final}", entry.means, entry.change);
        Self { heading, advice, rules: entry.rules.clone() }
    }

    fn in_words(text: &str, provider: Option<&'static str>) -> Vec<Self> {
        let table = reasons::all();
        let provider = codes::provider_in(text).or(provider);
        let mut found: Vec<Self> = Vec::new();
        for said in pasted::reasons_in(provider, text) {
            let meaning = ReasonMeaning::of(&said, provider, None, &table);
            let known = match meaning.certain() {
                Some(entry) => Self::of_entry(entry),
                None if meaning.is_known() => Self {
                    heading: format!("\u{201c}{}\u{201d}", said.text),
                    advice: meaning.advice(&said.text, false),
                    rules: meaning.rules().to_vec(),
                },
                None => continue,
            };
            if !found.contains(&known) {
                found.push(known);
            }
        }
        found
    }
}
