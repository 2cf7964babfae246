//! The language of what people read.

use std::sync::OnceLock;

use tollproof_core::{Finding, Message, ReportLanguage, Translation};

use super::Look;

/// The value of `--language`.
static CHOSEN: OnceLock<ReportLanguage> = OnceLock::new();

/// The texts of each language. Decoding thousands of them takes longer than a draft, so only those of a language in use are.
static TRANSLATIONS: [OnceLock<Translation>; 3] = [const { OnceLock::new() }; 3];

/// Chooses the language of everything that people read in this process.
pub(crate) fn choose(language: Option<ReportLanguage>) {
    if let Some(language) = language {
        CHOSEN.get_or_init(|| language);
    }
}

/// The language of a stream: the chosen one; without one, that of the system for a terminal, and English for what a program
/// may read.
pub(super) fn of_stream(is_terminal: bool) -> ReportLanguage {
    let of_system = || if is_terminal { of_system() } else { ReportLanguage::English };
    CHOSEN.get().copied().unwrap_or_else(of_system)
}

/// The language of the system's settings, if tollproof has it.
fn of_system() -> ReportLanguage {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
    names.iter().find_map(set).and_then(|value| value.parse().ok()).unwrap_or_default()
}

impl Look {
    /// The texts of the language.
    pub(crate) fn translation(self) -> &'static Translation {
        let at = ReportLanguage::ALL.iter().position(|it| *it == self.language).unwrap_or_default();
        TRANSLATIONS[at].get_or_init(|| Translation::of(self.language))
    }

    /// A sentence or label.
    pub(crate) fn say(self, english: &'static str) -> &'static str {
        debug_assert!(self.translation().has(english), "languages/ has no {english:?}");
        self.translation().text(english)
    }

    /// A sentence with a `{name}` for each part.
    pub(crate) fn with(self, english: &'static str, parts: &[(&str, Message)]) -> String {
        debug_assert!(self.translation().has(english), "languages/ has no {english:?}");
        self.message(&Message::with(english, parts))
    }

    /// A sentence about a number, `{count}`, in one form for 1, which French has for 0 too, and one for all others.
    pub(crate) fn counted(self, count: usize, one: &'static str, others: &'static str) -> String {
        let is_one = count == 1 || count == 0 && self.language == ReportLanguage::French;
        let template = if is_one { one } else { others };
        self.with(template, &[("count", count.into())])
    }

    /// A message in the language.
    pub(crate) fn message(self, message: &Message) -> String {
        self.translation().message(message).into()
    }

    /// A finding in the language.
    pub(crate) fn finding(self, finding: &Finding) -> Finding {
        self.translation().finding(finding)
    }
}
