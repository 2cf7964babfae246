//! What is known of reasons without a draft: of a code, or of the words of an answer.

use tollproof_data::code_table::{CodeEntry, Resubmit, squeezed_name};

use super::advice::ReasonMeaning;
use super::{codes, pasted, reasons, shapes};
use crate::provider::kind::Provider;
use crate::syntax::message::{Message, message};

/// What is known of a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownReason {
    /// The provider, the code and the title; or the words of the answer if they belong to no code.
    pub heading: String,
    /// The code; the title again where providers have no codes, and empty if the words of the answer belong to none.
    pub code: String,
    /// The provider's title; or the words of the answer.
    pub title: String,
    /// What the reviewers mean and what to change.
    pub advice: Message,
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

    /// The reason that a provider gives where another one gives `code`; the one of `code` if it has none of its own.
    #[must_use]
    pub fn at_provider(provider: Provider, by: &str, code: &str) -> Option<Self> {
        let all = || codes::table().codes.iter();
        let is_named = |entry: &&CodeEntry| entry.provider == by && entry.code == code;
        let equals = |entry: &&CodeEntry| {
            entry.provider == provider.name() && entry.equals.iter().any(|it| it == code)
        };
        all().find(equals).or_else(|| all().find(is_named)).map(Self::of_entry)
    }

    fn of_entry(entry: &CodeEntry) -> Self {
        let title = shapes::title(&entry.provider);
        let heading = match entry.code == entry.title {
            true => format!("{title}: {}", entry.title),
            false => format!("{title} {}: {}", entry.code, entry.title),
        };
        let is_final = match entry.resubmit {
            Resubmit::No => message!(" {} lists this reason as final.", Message::name(title)),
            Resubmit::Yes | Resubmit::Unknown => Message::default(),
        };
        let advice = message!("{} {}{}", Message::own(&entry.means), Message::own(&entry.change), is_final);
        let (code, title) = (entry.code.clone(), entry.title.clone());
        Self { heading, code, title, advice, rules: entry.rules.clone() }
    }

    fn in_words(text: &str, provider: Option<&'static str>) -> Vec<Self> {
        let table = reasons::all();
        let provider = codes::provider_in(text).or(provider);
        let mut found: Vec<Self> = Vec::new();
        for reason in pasted::reasons_in(provider, text) {
            let meaning = ReasonMeaning::of(&reason, provider, None, &table);
            let known = match meaning.certain() {
                Some(entry) => Self::of_entry(entry),
                None if meaning.is_known() => Self {
                    heading: format!("\u{201c}{}\u{201d}", reason.text),
                    code: String::new(),
                    title: reason.text.clone(),
                    advice: meaning.advice(&reason.text, false),
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
