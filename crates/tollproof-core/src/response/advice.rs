//! Advice about one reason: the meaning of its words or its code, how certain that is, and the rules that check for it.

use std::borrow::Cow;

use tollproof_data::code_table::{CodeEntry, CodeSeries, Resubmit};

use super::answer_reason::AnswerReason;
use super::codes::{self, Certainty};
use super::reasons::{Reason, Wordings};
use super::resemblance::is_short;
use super::step::is_step;
use super::{resemblance, shapes};
use crate::checks::Check;
use crate::provider::role;
use crate::rule::Rule;
use crate::syntax::message::{Message, message};

/// The fewest words beside a code that say something of their own.
const OWN_WORDS: usize = 3;

/// The known facts about a reason.
#[derive(Debug)]
pub(super) struct ReasonMeaning<'a> {
    pub(super) entry: Option<&'static CodeEntry>,
    certainty: Certainty,
    pub(super) reason: Option<&'a Reason>,
    /// The code of the answer, if it is not in the table.
    unknown: Option<String>,
    /// The entry of the answer's code, if the words of the answer mean something else.
    pub(super) of_code: Option<&'static CodeEntry>,
    /// Whether the entry is of another list than that of the provider that answered.
    is_foreign: bool,
    /// Whether the entry is that of the answer's code, and the words beside the code are not understood.
    is_code_alone: bool,
}

impl<'a> ReasonMeaning<'a> {
    /// The meaning of a reason: by its words, if they say more than the title of its code, or else by its code.
    pub(super) fn of(
        reason: &AnswerReason,
        provider: Option<&str>,
        field: Option<&str>,
        wordings: &'a Wordings<'_>,
    ) -> Self {
        // An aside is not understood, or said to everybody.
        let text = if reason.is_aside { "" } else { reason.text.as_str() };
        // If several reasons share a code, it is unknown which of them it belongs to.
        let own = reason.code.as_deref().filter(|_| !reason.code_is_shared);
        let in_text = codes::codes_in(provider, text);
        let written = in_text.iter().map(|it| it.code).filter(|_| !reason.code_is_shared);
        let by_code = |code| codes::by_code(provider, code).or_else(|| codes::of_any(provider, code));
        let coded = own.into_iter().chain(written).find_map(by_code);
        let unknown = own.or(in_text.first().map(|it| it.code)).filter(|_| coded.is_none());
        let words = coded.map_or(Cow::Borrowed(text), |code| codes::beside_title(text, code));
        let mut said = Said::of(provider, &words, field, wordings);
        if field.is_none() {
            said = said.or_resembled(provider, &words, coded, wordings);
        }
        // A name such as `OPT_IN_NOT_CLEAR` has words too.
        if let (None, None, Some(code)) = (said.entry, said.reason, unknown.filter(|code| code.contains('_')))
        {
            said = Said::of(provider, &code.replace('_', " "), field, wordings);
        }
        let is_standard = words.len() < text.len();
        // A code of words, as those of AWS, says what it means: what is only probable does not contradict it.
        let is_named = own.is_some_and(|code| code.contains([' ', '_']));
        let may_differ = !is_named || said.certainty == Certainty::Certain;
        let is_unheard = |code: &CodeEntry| {
            let says_more = codes::content_words(&words).len() >= OWN_WORDS;
            says_more && !is_standard && said.is_nothing() && !codes::resembles(&words, code)
        };
        match coded.filter(|code| !(may_differ && said.differs(code, &words, is_standard))) {
            Some(entry) => Self {
                entry: Some(entry),
                certainty: Certainty::Certain,
                reason: None,
                unknown: None,
                of_code: None,
                is_foreign: false,
                is_code_alone: is_unheard(entry),
            },
            None => Self {
                entry: said.entry,
                certainty: said.certainty,
                reason: said.reason,
                unknown: unknown.map(str::to_owned),
                of_code: coded,
                is_foreign: said.entry.is_some_and(|entry| provider.is_some_and(|own| own != entry.provider)),
                is_code_alone: false,
            },
        }
    }

    /// Whether anything is known about the reason.
    pub(super) fn is_known(&self) -> bool {
        self.entry.is_some() || self.reason.is_some()
    }

    /// Whether the words say nothing about a draft, such as thanks.
    pub(super) fn is_no_reason(&self) -> bool {
        self.reason.is_some_and(|reason| reason.is_no_reason())
    }

    /// Whether the words resemble known sentences.
    pub(super) fn is_resembled(&self) -> bool {
        self.reason.is_some_and(|reason| reason.is_resembled)
    }

    /// The entry, if the answer has its code or its whole title, no words that are not understood, and it is not of another
    /// provider.
    pub(super) fn certain(&self) -> Option<&'static CodeEntry> {
        self.entry.filter(|_| self.certainty == Certainty::Certain && !self.is_foreign && !self.is_code_alone)
    }

    /// The entry, if its provider lists it as one that is not to be sent again. Words that only resemble others do not prove it.
    pub(super) fn is_final(&self) -> Option<&'static CodeEntry> {
        let is_told = !self.is_foreign && !self.is_resembled();
        self.entry.filter(|entry| entry.resubmit == Resubmit::No && is_told)
    }

    /// The same for two reasons that mean the same.
    pub(super) fn key(&self) -> String {
        let root = self.entry.and_then(|entry| entry.equals.last().cloned());
        root.or_else(|| Some(self.reason?.words.concat())).or(self.unknown.clone()).unwrap_or_default()
    }

    /// The rules that the table names, the most likely first.
    pub(super) fn rules(&self) -> &[String] {
        let of_entry = self.entry.map(|it| it.rules.as_slice()).unwrap_or_default();
        self.reason.map(|it| it.rules.as_slice()).filter(|it| !it.is_empty()).unwrap_or(of_entry)
    }

    /// The roles of the field, the first that a draft has counts.
    pub(super) fn roles(&self) -> impl Iterator<Item = &str> {
        let of_reason = self.reason.into_iter().flat_map(Reason::roles);
        let of_entry = self.entry.map(|it| it.roles.as_slice()).unwrap_or_default();
        let of_series = self.series().and_then(|series| series.role.as_deref());
        of_reason.chain(of_entry.iter().map(String::as_str)).chain(of_series)
    }

    /// Whether a rule names one of the codes in `prevents`.
    pub(super) fn is_prevented_by(&self, rule: &Rule) -> bool {
        match self.entry {
            Some(entry) => prevents(rule, entry),
            None => rule.text().codes().any(|code| self.unknown.as_deref() == Some(code)),
        }
    }

    /// The series of a code that is not in the table.
    pub(super) fn series(&self) -> Option<&'static CodeSeries> {
        codes::series_of(self.unknown.as_deref()?)
    }

    /// Explains the reviewers' meaning and what to change, with how certain that is. Empty if nothing is
    /// known.
    pub(super) fn advice(&self, text: &str, says_editable: bool) -> Message {
        let mut advice = Message::default();
        let is_number = |code: &&String| code.bytes().all(|it| it.is_ascii_digit());
        match (self.series(), &self.unknown) {
            (Some(series), Some(code)) => {
                let about = Message::own(&series.about);
                advice.push(&message!("The code `{}` is not known here. {} ", Message::name(code), about));
            }
            // A short text instead of a code is in the message already.
            (None, Some(code)) if is_number(&code) => {
                advice.push(&message!("The code `{}` is not known here. ", Message::name(code)));
            }
            _ => {}
        }
        match (self.entry, self.reason) {
            (Some(entry), _) => {
                match self.certainty {
                    Certainty::Certain if self.is_code_alone => {
                        advice.push(&message!("tollproof does not know these words. Read them first: they say more than the code. "));
                        if entry.code != entry.title {
                            let (code, title) = (Message::name(&entry.code), Message::name(&entry.title));
                            advice.push(&message!("`{}` usually means \u{201c}{}\u{201d}. ", code, title));
                        }
                    }
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
                if self.is_final().is_some() && !says_editable {
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

    /// The demand of the answer's code, if its words mean something else; begins with a space.
    pub(super) fn beside(&self) -> Message {
        self.of_code.map_or_else(Message::default, |entry| {
            let (code, change) = (Message::name(&entry.code), Message::own(&entry.change));
            message!(" The code `{}` usually means something else. Check this too: {}", code, change)
        })
    }

    /// The help for a reason that no finding in the draft shows. `text` is the reason, and `rules` are those that check
    /// for it. If the answer itself says whether the submission may be edited, the list of codes is not needed for that.
    pub(super) fn help(
        &self,
        text: &str,
        rules: &[&Rule],
        says_editable: bool,
        quotes_nothing: bool,
    ) -> Message {
        let mut help = self.advice(text, says_editable);
        // The text contains no personal data: rule ids, titles and advice come from our files, codes are digits.
        let id = |rule: &Rule| Message::name(rule.id.as_ref());
        if rules.is_empty() && !self.is_known() && is_step(text) {
            help.push(&message!("The answer asks for this. Do it as it is written."));
        } else if rules.is_empty() && !self.is_known() {
            help.push(&message!(
                "tollproof does not understand this. Read the text, and ask your verification provider if it is not clear."
            ));
        }
        if !rules.is_empty() && !help.is_empty() {
            help.push_own(" ");
        }
        match rules {
            [] => {}
            [first, ..] if quotes_nothing => help.push(&message!(
                "The draft quotes no words that people agree to. Quote them, so that the rule `{}` can check them.",
                id(first)
            )),
            [first] => help.push(&message!(
                "A rule checks for this, but finds nothing in this draft: see \u{201c}`tollproof rule {}`\u{201d}.",
                id(first)
            )),
            [first, second, ..] => help.push(&message!(
                "Two rules check for this, but find nothing in this draft: see \u{201c}`tollproof rule {}`\u{201d} and \
                 \u{201c}`tollproof rule {}`\u{201d}.",
                id(first),
                id(second)
            )),
        }
        help.push(&self.beside());
        help
    }
}

/// Whether a rule prevents the code of an entry, or another one with the same meaning.
pub(super) fn prevents(rule: &Rule, entry: &CodeEntry) -> bool {
    rule.text().codes().any(|code| entry.equals.iter().any(|equal| equal == code))
}

/// Whether a rule judges what a look at the addresses of a draft shows.
pub(super) fn is_seen(rule: &Rule) -> bool {
    matches!(rule.check.content(), Some(Check::Pages(_) | Check::Picture(_) | Check::Domain(_)))
}

/// The meaning of words: a title, or a row of the table of reasons.
struct Said<'a> {
    entry: Option<&'static CodeEntry>,
    certainty: Certainty,
    reason: Option<&'a Reason>,
    /// Whether a rule found the entry.
    is_by_rules: bool,
}

impl<'a> Said<'a> {
    fn of(provider: Option<&str>, text: &str, field: Option<&str>, wordings: &'a Wordings<'_>) -> Self {
        let row = wordings.by_words(text, field);
        let titled = codes::by_title(provider, text).filter(|(_, certainty)| {
            // A row with words of its own says more than a title that the text resembles.
            field.is_none() && (*certainty == Certainty::Certain || row.is_none_or(Reason::is_vague))
        });
        let own = |entry| codes::at_provider(provider, entry);
        // What a rule finds in the words says more than a title that they resemble.
        let is_certain = titled.is_some_and(|(_, certainty)| certainty == Certainty::Certain);
        let of_row = row.and_then(|row| row.entry(provider));
        let agrees = |rule: &&Rule| {
            let rules =
                row.iter().flat_map(|row| &row.rules).chain(of_row.iter().flat_map(|entry| &entry.rules));
            rules.into_iter().any(|id| *id == *rule.id)
        };
        // Rules read a sentence as a description of the opt-in; what it says of a policy or a sample is not that.
        let is_elsewhere = row.is_some_and(|row| !row.is_vague() && !row.is_about(role::OPT_IN_DESCRIPTION));
        let may_find = !is_certain && !is_elsewhere && field.is_none();
        let found = if may_find { wordings.rule_for(text) } else { None };
        let found = found.filter(|rule| !agrees(rule));
        let by_rules = found.and_then(|rule| rule.text().codes().find_map(|code| codes::by_code(None, code)));
        let is_by_rules = by_rules.is_some();
        match by_rules.map(|entry| (entry, Certainty::Probable)).or(titled) {
            Some((entry, certainty)) => {
                Self { entry: Some(own(entry)), certainty, reason: None, is_by_rules }
            }
            None => Self { entry: of_row, certainty: Certainty::Probable, reason: row, is_by_rules },
        }
    }

    /// The meaning of the known sentences that a text resembles, if it is another one. `coded` is the entry of its code.
    fn or_resembled(
        mut self,
        provider: Option<&str>,
        text: &str,
        coded: Option<&'static CodeEntry>,
        wordings: &'a Wordings<'_>,
    ) -> Self {
        let root = |entry: &'static CodeEntry| entry.equals.last().map(String::as_str);
        let of_row = self.entry.filter(|_| self.reason.is_some()).and_then(root);
        let sets = self.reason.map_or(2, |row| row.words.len());
        let is_clear = is_short(text, sets) || sets > 2 && coded.is_some();
        if !is_clear && of_row.is_some_and(|meaning| resemblance::is_unlike(text, meaning)) {
            self = Self { entry: None, reason: None, ..self };
        }
        let is_titled = self.certainty == Certainty::Certain && !self.is_nothing();
        // A row without a code is of a few words that mean one thing.
        let says_all = |row: &Reason| row.code.is_none() || is_short(text, 0);
        let is_certain = |row: &Reason| !row.vague && !row.is_no_reason() && says_all(row);
        if is_titled || self.reason.is_some_and(is_certain) {
            return self;
        }
        let said = self.entry.and_then(root);
        let times = u8::try_from(sets.saturating_sub(1)).unwrap_or(u8::MAX);
        let hint = said.or(coded.and_then(root)).map(|meaning| (meaning, times));
        match wordings.by_resemblance(text, hint) {
            Some(reason) if said.is_none() || reason.code.as_deref() != said => Self {
                entry: reason.entry(provider),
                certainty: Certainty::Probable,
                reason: Some(reason),
                is_by_rules: false,
            },
            _ => self,
        }
    }

    /// Whether the words are not understood.
    fn is_nothing(&self) -> bool {
        self.entry.is_none() && self.reason.is_none()
    }

    /// Whether the words mean something else than the code that is beside them. `is_standard`: the title of the code was
    /// with them, so that only what has no word of it counts.
    fn differs(&self, code: &CodeEntry, words: &str, is_standard: bool) -> bool {
        let role = self.reason.and_then(|reason| reason.roles().next());
        let role = role.or_else(|| self.entry?.roles.first().map(String::as_str)).unwrap_or_default();
        let is_other = match (self.entry, self.reason) {
            (Some(entry), _) => entry.equals.last() != code.equals.last(),
            (None, reason) => reason.is_some(),
        };
        let is_elsewhere = !role.is_empty() && !code.roles.iter().any(|other| other == role);
        let is_clear = match self.reason {
            Some(reason) => !reason.is_vague() || (is_elsewhere && !reason.vague && !reason.is_no_reason()),
            None => self.certainty == Certainty::Certain || is_elsewhere || self.is_by_rules,
        };
        let resembles = (is_standard || self.certainty == Certainty::Probable && is_elsewhere)
            && codes::resembles(words, code);
        is_other && is_clear && !role.is_empty() && !resembles
    }
}
