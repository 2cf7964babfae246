//! What to do about one reason: the entry of its code, how certain that is, and the rules that check for it.

use tollproof_data::code_table::{CodeEntry, Resubmit};

use super::answer_reason::AnswerReason;
use super::codes::{self, Certainty};
use super::reasons::{self, Reason};
use super::shapes;
use crate::rule::Rule;
use crate::syntax::message::{Message, message};

/// What is known about a reason.
#[derive(Debug)]
pub(super) struct ReasonMeaning<'a> {
    pub(super) entry: Option<&'static CodeEntry>,
    certainty: Certainty,
    pub(super) reason: Option<&'a Reason>,
    /// The code of the answer, if it is not in the table.
    unknown: Option<String>,
    /// The entry of the answer's code, if the text of the answer says something else.
    contradicted: Option<&'static CodeEntry>,
}

impl<'a> ReasonMeaning<'a> {
    /// The meaning of a reason: by its code, then by its title, then by its words.
    pub(super) fn of(
        reason: &AnswerReason,
        provider: Option<&str>,
        field: Option<&str>,
        table: &'a [Reason],
    ) -> Self {
        // If several reasons share a code, it is unknown which of them it belongs to.
        let own = reason.code.as_deref().filter(|_| !reason.code_is_shared);
        let in_text = codes::codes_in(provider, &reason.text);
        let written = in_text.iter().map(|it| it.code).filter(|_| !reason.code_is_shared);
        let coded = own.into_iter().chain(written).find_map(|code| codes::by_code(provider, code));
        let contradicted = coded.filter(|it| contradicts(&reason.text, it, provider, table));
        // The words are the reviewers', and a code is easily mistaken.
        let by_code = coded.filter(|_| contradicted.is_none());
        let found = by_code.map(|entry| (entry, Certainty::Certain));
        let found = found.or_else(|| codes::by_title(provider, &reason.text).filter(|_| field.is_none()));
        let reason = match found {
            Some(_) => None,
            None => reasons::by_words(table, &reason.text, field),
        };
        let by_words = reason.and_then(|it| codes::by_code(provider, it.code.as_deref()?));
        let (entry, certainty) = match found {
            Some((entry, certainty)) => (Some(entry), certainty),
            None => (by_words, Certainty::Probable),
        };
        let unknown = own.or(in_text.first().map(|it| it.code)).filter(|_| coded.is_none());
        let certainty = if contradicted.is_some() { Certainty::Probable } else { certainty };
        Self { entry, certainty, reason, unknown: unknown.map(str::to_owned), contradicted }
    }

    /// Whether anything is known about the reason.
    pub(super) fn is_known(&self) -> bool {
        self.entry.is_some() || self.reason.is_some()
    }

    /// The entry, if the answer has its code or its whole title.
    pub(super) fn certain(&self) -> Option<&'static CodeEntry> {
        self.entry.filter(|_| self.certainty == Certainty::Certain)
    }

    /// The rules that the table names, the most likely first.
    pub(super) fn rules(&self) -> &[String] {
        let of_entry = self.entry.map(|it| it.rules.as_slice()).unwrap_or_default();
        self.reason.map(|it| it.rules.as_slice()).filter(|it| !it.is_empty()).unwrap_or(of_entry)
    }

    /// The roles of the field, the first that a draft has counts.
    pub(super) fn roles(&self) -> impl Iterator<Item = &str> {
        let of_reason = self.reason.map(|it| it.field.as_str());
        let of_entry = self.entry.map(|it| it.roles.as_slice()).unwrap_or_default();
        of_reason.into_iter().chain(of_entry.iter().map(String::as_str))
    }

    /// Whether a rule names one of the codes in `prevents`.
    pub(super) fn is_prevented_by(&self, rule: &Rule) -> bool {
        let is_equal = |code: &str| match self.entry {
            Some(entry) => entry.equals.iter().any(|it| it == code),
            None => self.unknown.as_deref() == Some(code),
        };
        rule.text().codes().any(is_equal)
    }

    /// What the reviewers mean and what to change, with how certain that is. Empty if nothing is known.
    pub(super) fn advice(&self, text: &str, says_editable: bool) -> Message {
        let mut advice = Message::default();
        // A short text instead of a code is in the message already.
        let is_number = |code: &&String| code.bytes().all(|it| it.is_ascii_digit());
        if let Some(code) = self.unknown.as_ref().filter(is_number) {
            advice.push(&message!("The code `{}` is not known to tollproof. ", Message::name(code)));
        }
        if let Some(entry) = self.contradicted {
            advice.push(&message!(
                "The code `{}` means \u{201c}{}\u{201d}, which contradicts the text. This help is for the text. ",
                Message::name(&entry.code),
                Message::name(&entry.title)
            ));
        }
        match (self.entry, self.reason) {
            (Some(entry), _) => {
                match self.certainty {
                    Certainty::Probable => {
                        let title = Message::name(&entry.title);
                        advice.push(&message!("This is probably about \u{201c}{}\u{201d}. ", title));
                    }
                    Certainty::Certain if !codes::has_title(text, entry) => {
                        advice.push(&message!("This is \u{201c}{}\u{201d}. ", Message::name(&entry.title)));
                    }
                    Certainty::Certain => {}
                }
                advice.push(&message!("{} {}", Message::own(&entry.means), Message::own(&entry.change)));
                let is_final = entry.resubmit == Resubmit::No && self.certainty == Certainty::Certain;
                if is_final && !says_editable {
                    let provider = shapes::title(&entry.provider);
                    advice.push(&message!(" {} lists this reason as final.", Message::name(provider)));
                }
            }
            (None, Some(reason)) => {
                advice.push(&Message::own(reason.advice.as_deref().unwrap_or_default()));
            }
            (None, None) => {}
        }
        advice
    }

    /// The help for a reason that no finding in the draft shows. `text` is the reason, and `rules` are those that check
    /// for it. If the answer itself says whether the submission may be edited, the list of codes is not needed for that.
    pub(super) fn help(&self, text: &str, rules: &[&Rule], says_editable: bool) -> Message {
        let advice = self.advice(text, says_editable);
        // The text contains no personal data: rule ids, titles and advice come from our files, codes are digits.
        let id = |rule: &Rule| Message::name(rule.id.as_ref());
        let ask = "Read the text, and ask your verification provider if it is not clear.";
        match rules {
            [] if !self.is_known() && advice.is_empty() => {
                message!("No rule checks for this reason. {}", Message::own(ask))
            }
            [] if !self.is_known() => message!("{}{}", advice, Message::own(ask)),
            [] => advice,
            [first, others @ ..] if advice.is_empty() => {
                let help = message!(
                    "The rule `{}` ({}) is about this reason, but finds nothing in this draft. `tollproof rule {}` \
                     explains what reviewers want.",
                    id(first),
                    Message::own(first.text().title),
                    id(first)
                );
                let others: Vec<String> =
                    others.iter().take(3).map(|rule| format!("`{}`", rule.id)).collect();
                match others.is_empty() {
                    true => help,
                    false => message!("{} See also {}.", help, Message::name(others.join(", "))),
                }
            }
            [first] => message!(
                "{} The rule `{}` checks for this, but finds nothing in this draft; `tollproof rule {}` has examples.",
                advice,
                id(first),
                id(first)
            ),
            [first, second, ..] => message!(
                "{} The rules `{}` and `{}` check for this, but find nothing in this draft; `tollproof rule {}` has \
                 examples.",
                advice,
                id(first),
                id(second),
                id(first)
            ),
        }
    }
}

/// Whether the words of a text have another meaning than its code: they are about another field, and share no word with the
/// title of the code.
fn contradicts(text: &str, entry: &CodeEntry, provider: Option<&str>, table: &[Reason]) -> bool {
    if codes::resembles(text, entry) {
        return false;
    }
    let by_title = codes::by_title(provider, text).map(|(entry, _)| entry.roles.first());
    let of_text = by_title.flatten().map(String::as_str);
    let of_text = of_text.or_else(|| reasons::by_words(table, text, None).map(|it| it.field.as_str()));
    of_text.is_some_and(|role| !role.is_empty() && !entry.roles.iter().any(|it| it == role))
}
