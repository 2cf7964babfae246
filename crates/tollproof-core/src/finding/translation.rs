//! The languages in which people read findings: `languages/` has the translations of what is written in English here.

use std::collections::HashMap;
use std::str::FromStr;

use tollproof_data::fingerprint::fingerprint_of;

use super::Finding;
use crate::provider::kind::Kind;
use crate::syntax::message::Message;
use crate::syntax::message_template::English;

/// A language in which people read findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportLanguage {
    /// English, in which rules are written.
    #[default]
    English,
    /// French, as in Québec and France.
    French,
    /// Spanish, as in Mexico, Puerto Rico and Spain.
    Spanish,
}

/// A language that tollproof does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language of tollproof; use one of en, es, fr")]
pub struct UnknownLanguage(String);

impl ReportLanguage {
    /// All languages, by their code.
    pub const ALL: [Self; 3] = [Self::English, Self::Spanish, Self::French];

    /// `en`, `es` or `fr`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::French => "fr",
        }
    }
}

impl FromStr for ReportLanguage {
    type Err = UnknownLanguage;

    /// Reads a code, with or without a region: `fr`, `fr-CA`, `es_MX.UTF-8`.
    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        let code = text.split(['-', '_', '.', '@']).next().unwrap_or_default();
        let known = Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(code));
        known.ok_or_else(|| UnknownLanguage(text.to_owned()))
    }
}

/// The texts of another language. The default has none, so that everything stays English.
#[derive(Clone, Debug, Default)]
pub struct Translation(HashMap<u64, &'static str>);

impl Translation {
    /// The texts of a language.
    #[cfg(feature = "embedded")]
    #[must_use]
    pub fn of(language: ReportLanguage) -> Self {
        let bytes: &[u8] = match language {
            ReportLanguage::English => return Self::default(),
            ReportLanguage::French => include_bytes!(concat!(env!("OUT_DIR"), "/fr.bin")),
            ReportLanguage::Spanish => include_bytes!(concat!(env!("OUT_DIR"), "/es.bin")),
        };
        Self::decode(bytes).expect("the build script wrote it")
    }

    /// Reads a file `CODE.bin` that the build script wrote. `None` if it is not one of this version.
    pub fn decode(bytes: &'static [u8]) -> Option<Self> {
        let texts: Vec<(u64, &'static str)> = postcard::from_bytes(bytes).ok()?;
        Some(Self(texts.into_iter().collect()))
    }

    /// A text in this language; in English if it has no translation.
    pub fn text<'t>(&self, english: &'t str) -> &'t str {
        self.find(english).unwrap_or(english)
    }

    /// Whether a text has a translation, or needs none.
    pub fn has(&self, english: &str) -> bool {
        self.0.is_empty() || self.find(english).is_some()
    }

    pub(crate) fn find(&self, english: &str) -> Option<&'static str> {
        if self.0.is_empty() { None } else { self.0.get(&fingerprint_of(&[english])).copied() }
    }

    /// A message in this language. Values of drafts stay as they are, and so does what has no translation.
    pub fn message(&self, message: &Message) -> Message {
        self.message_for(message, None)
    }

    /// The same for a message about a document, whose provider has names of its own for fields.
    fn message_for(&self, message: &Message, kind: Option<Kind>) -> Message {
        if self.0.is_empty() {
            return message.clone();
        }
        message.translated(&|origin, english| {
            let translated = self.find(english)?;
            Some(match (origin, kind) {
                (English::Rule(_), Some(kind)) => kind.in_own_names(translated).into_owned(),
                _ => translated.to_owned(),
            })
        })
    }

    /// A finding whose sentences are in this language. All else, its fingerprint too, is the same.
    pub fn finding(&self, finding: &Finding) -> Finding {
        let mut translated = finding.clone();
        let put = |message: &mut Message| *message = self.message_for(message, finding.kind);
        put(&mut translated.message);
        translated.help.iter_mut().for_each(put);
        translated.label.iter_mut().for_each(put);
        translated.related.iter_mut().for_each(|it| put(&mut it.message));
        translated
    }
}
