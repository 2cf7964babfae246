//! Meanings of reasons without a draft: of a code, or of the words of an answer.

use std::ops::Range;

use jiff::Timestamp;
use tollproof_data::code_table::{AnsweringProvider, CodeEntry, Resubmit, squeezed_name};
use tollproof_data::fingerprint::fingerprint_of;

use super::advice::ReasonMeaning;
use super::answer_reason::AnswerReason;
use super::deadline::Deadline;
use super::next_step::{ASK_BEFORE, FIX_AND_SEND, GIVE_TO_WRITER, SEND_AS_IT_IS, time_in};
use super::parse::Answer;
use super::reasons::Wordings;
use super::saying::Saying;
use super::step::is_step;
use super::{advice, codes, pasted, shapes};
use crate::checks::AnswerPart;
use crate::finding::{Finding, Severity};
use crate::lint::{Linter, Report};
use crate::provider::kind::Provider;
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// The known meaning of a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownReason {
    /// The provider, the code and the title; or the words of the answer if they belong to no code.
    pub heading: Message,
    /// The code; the title again where providers have no codes, and empty if the words of the answer belong to none.
    pub code: String,
    /// The provider's title; or the words of the answer.
    pub title: String,
    /// The reviewers' meaning and what to change.
    pub advice: Message,
    /// The ids of the rules that check for it, the most likely first.
    pub rules: Vec<String>,
    /// Whether nothing is known of it. It may be no reason.
    pub is_unknown: bool,
    /// Whether it gives no reason but the time until which the submission may be edited, or what else is done with it.
    pub is_deadline: bool,
    /// Its place in the text that was read.
    pub at: Option<Span>,
}

impl KnownReason {
    /// The meaning of a code at a provider; without one, at each that has it. Empty if it is not known.
    #[must_use]
    pub fn of_code(code: &str, provider: Option<Provider>) -> Vec<Self> {
        let code = squeezed_name(code.trim());
        let is_meant = |entry: &&CodeEntry| {
            squeezed_name(&entry.code) == code && provider.is_none_or(|it| it.name() == entry.provider)
        };
        codes::table().codes.iter().filter(is_meant).map(|entry| Self::of_entry(entry, false)).collect()
    }

    /// The reasons that a text names: codes, or what an e-mail or a console says, with what of it is not known. Empty if
    /// nothing is known.
    #[must_use]
    pub fn all_in(text: &str, provider: Option<Provider>, linter: &Linter) -> Vec<Self> {
        let words = text.split([',', ';', ' ', '\n']).map(str::trim).filter(|word| !word.is_empty());
        let of_word = |word| Some(Self::of_code(word, provider)).filter(|found| !found.is_empty());
        // The first word of a text is seldom a code, and then no other is looked up.
        let codes: Option<Vec<Vec<Self>>> = words.map(of_word).collect();
        match (Self::of_code(text, provider), codes) {
            (whole, _) if !whole.is_empty() => whole,
            (_, Some(codes)) => codes.into_iter().flatten().collect(),
            (_, None) => {
                let provider = codes::provider_in(text).or(provider.map(Provider::name));
                let wordings = Wordings::new(linter);
                let sending = pasted::sending_in(text, &wordings);
                let is_editable = sending.as_ref().is_some_and(|(_, saying)| *saying == Saying::Editable);
                let reasons = pasted::reasons_in(provider, text, &wordings);
                let mut found = Self::all_of(provider, &reasons, &wordings, is_editable);
                let has_known = found.iter().any(Self::is_reason);
                // What is not understood is shown beside what is.
                let is_final = sending.as_ref().is_some_and(|(_, saying)| *saying != Saying::Editable);
                found.retain(|_| is_final || has_known);
                // The time of a sentence that says until when is shown for itself.
                let is_shown = |(at, _): &(Range<usize>, Saying)| {
                    is_final || !found.is_empty() && !Deadline::is_in(&text[at.clone()])
                };
                let sending = sending.filter(is_shown);
                found.extend(sending.map(|(at, saying)| Self::of_sending(provider, text, at, saying)));
                found
            }
        }
    }

    /// The reasons in an answer. Empty if nothing is known.
    #[must_use]
    pub fn all_of_answer(answer: &Answer, provider: Option<Provider>, linter: &Linter) -> Vec<Self> {
        match &answer.pasted {
            Some(_) if answer.is_approval => Vec::new(),
            Some(text) => Self::all_in(text, provider, linter),
            None => {
                let provider = answer.provider.or(provider.map(Provider::name));
                let found =
                    Self::all_of(provider, &answer.reasons, &Wordings::new(linter), answer.says_editable());
                if found.iter().any(Self::is_reason) { found } else { Vec::new() }
            }
        }
    }

    /// The time to edit the submission that an answer gives, with the next step.
    #[must_use]
    pub fn of_deadline(
        answer: &Answer,
        provider: Option<Provider>,
        now: Timestamp,
        linter: &Linter,
    ) -> Option<Self> {
        let (heading, is_over) = time_in(answer, Some(now)).filter(|_| !answer.is_approval)?;
        let provider = answer.provider.or(provider.map(Provider::name));
        let text = answer.pasted.as_deref().unwrap_or_default();
        let sending = pasted::sending_in(text, &Wordings::new(linter)).map(|(_, saying)| saying);
        let next = provider.and_then(|provider| codes::table().providers.get(provider));
        let advice = match next {
            Some(next) if is_over => next.is_over(),
            None if is_over => ASK_BEFORE,
            next => advice_after(next, sending.unwrap_or(Saying::Editable)),
        };
        Some(Self {
            title: heading.as_str().to_owned(),
            heading,
            advice: Message::own(advice),
            is_deadline: true,
            at: Some(answer.at),
            ..Self::default()
        })
    }

    /// Whether a rule finds it in what a look at the addresses of a draft shows.
    #[must_use]
    pub fn is_seen(&self, linter: &Linter) -> bool {
        let mut of_code = codes::table().codes.iter().filter(|entry| entry.code == self.code);
        let prevents = |entry: &CodeEntry| {
            linter.rules().iter().any(|rule| advice::is_seen(rule) && advice::prevents(rule, entry))
        };
        of_code.any(prevents)
    }

    /// The reasons as findings in the text that has them, so that a report in any format can show them.
    #[must_use]
    pub fn report(reasons: &[Self], linter: &Linter) -> Report {
        let rule_of = |part| linter.rule_of_answer(part).map(|rule| rule.id.clone()).unwrap_or_default();
        let (other, next) = (rule_of(AnswerPart::Unforeseen), rule_of(AnswerPart::NextStep));
        let finding = |reason: &Self| Finding {
            rule: match reason.rules.first() {
                Some(id) => id.clone().into(),
                None if reason.is_deadline => next.clone(),
                None => other.clone(),
            },
            severity: match reason {
                Self { is_unknown: true, .. } | Self { is_deadline: true, .. } => Severity::Info,
                _ => Severity::Error,
            },
            message: reason.heading.clone(),
            help: Some(reason.advice.clone()),
            span: reason.at,
            fingerprint: format!("{:016x}", fingerprint_of(&[reason.heading.as_str()])),
            ..Finding::default()
        };
        Report { documents: 1, findings: reasons.iter().map(finding).collect(), ..Report::default() }
    }

    /// The reason that a provider gives where another one gives `code`; the one of `code` if it has none of its own.
    #[must_use]
    pub fn at_provider(provider: Provider, by: &str, code: &str) -> Option<Self> {
        let all = || codes::table().codes.iter();
        let is_named = |entry: &&CodeEntry| entry.provider == by && entry.code == code;
        let equals = |entry: &&CodeEntry| {
            entry.provider == provider.name() && entry.equals.iter().any(|it| it == code)
        };
        all().find(equals).or_else(|| all().find(is_named)).map(|entry| Self::of_entry(entry, false))
    }

    /// The reason of a code. An answer that says that the submission may be sent again counts before a provider's list of final reasons.
    fn of_entry(entry: &CodeEntry, is_editable: bool) -> Self {
        let title = shapes::title(&entry.provider);
        let heading = if entry.code == entry.title {
            Message::name(format!("{title}: {}", entry.title))
        } else {
            Message::name(format!("{title} {}: {}", entry.code, entry.title))
        };
        let is_final = match entry.resubmit {
            Resubmit::No if !is_editable => message!(" {} lists this reason as final.", Message::name(title)),
            _ => Message::default(),
        };
        let advice = message!("{} {}{}", Message::own(&entry.means), Message::own(&entry.change), is_final);
        let (code, title) = (entry.code.clone(), entry.title.clone());
        let rules = entry.rules.clone();
        Self { heading, code, title, advice, rules, ..Self::default() }
    }

    fn is_reason(&self) -> bool {
        !self.is_unknown && !self.is_deadline
    }

    /// A sentence about sending the submission again, with the next step.
    fn of_sending(provider: Option<&str>, text: &str, at: Range<usize>, saying: Saying) -> Self {
        let next = provider.and_then(|provider| codes::table().providers.get(provider));
        let title = text[at.clone()].to_owned();
        Self {
            heading: Message::value(format!("\u{201c}{title}\u{201d}")),
            title,
            advice: Message::own(advice_after(next, saying)),
            is_deadline: saying != Saying::Final,
            at: Some(Span::new(at.start, at.end)),
            ..Self::default()
        }
    }

    fn all_of(
        provider: Option<&str>,
        reasons: &[AnswerReason],
        wordings: &Wordings<'_>,
        is_editable: bool,
    ) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for reason in reasons {
            let meaning = ReasonMeaning::of(reason, provider, None, wordings);
            let is_reason = meaning.is_known() && !meaning.is_no_reason() || meaning.series().is_some();
            let is_step = !is_reason && is_step(&reason.text);
            let known = match meaning.certain() {
                Some(entry) => {
                    let known = Self::of_entry(entry, is_editable);
                    Self { advice: message!("{}{}", known.advice, meaning.beside()), ..known }
                }
                None => Self {
                    heading: Message::value(format!("\u{201c}{}\u{201d}", reason.text)),
                    title: reason.text.clone(),
                    advice: meaning.help(&reason.text, &[], is_editable, false),
                    rules: meaning.rules().to_vec(),
                    is_unknown: !is_reason && !is_step,
                    is_deadline: is_step,
                    ..Self::default()
                },
            };
            if found.iter().all(|other| other.heading != known.heading) {
                found.push(Self { at: Some(reason.at), ..known });
            }
        }
        found
    }
}

/// The next step after a sentence about sending the submission again, as the provider's pages have it.
fn advice_after(next: Option<&'static AnsweringProvider>, saying: Saying) -> &'static str {
    match saying {
        Saying::Final => next.map_or(ASK_BEFORE, |next| &next.is_final),
        Saying::Unchanged => SEND_AS_IT_IS,
        Saying::ByWriter => GIVE_TO_WRITER,
        _ => next.map_or(FIX_AND_SEND, |next| &next.may_edit),
    }
}
