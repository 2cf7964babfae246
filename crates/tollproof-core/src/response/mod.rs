//! Reports answers of the provider's API and of the reviewers as findings in the draft.

mod advice;
mod answer_reason;
mod approval;
mod asked;
mod clauses;
pub(crate) mod codes;
mod deadline;
mod heard;
mod known;
mod named;
mod next_step;
mod own_text;
mod parse;
mod pasted;
mod reasons;
mod resemblance;
mod saying;
mod sending;
mod sentences;
mod shapes;
mod step;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};
use tollproof_data::suggest::nearest;
use tollproof_data::text::words::word::Words;

use self::advice::ReasonMeaning;
use self::answer_reason::{AnswerReason, MAX_REASONS, quote};
pub use self::known::KnownReason;
pub use self::parse::{Answer, NoAnswer};
use self::reasons::{Reason, Wordings};
use crate::checks::context::{Context, Environment};
use crate::checks::{AnswerPart, Check, Place, Trail, Violation};
use crate::facts::Facts;
use crate::facts::{Batch, Outcome};
use crate::finding::{Finding, Related, Severity};
use crate::lint::Linter;
use crate::lint::Report;
use crate::lint::render;
use crate::prepared::PREPARED;
use crate::provider::aliases;
use crate::provider::detect::{KindHint, kind_of};
use crate::provider::kind::{Kind, KindRole};
use crate::provider::role;
use crate::provider::schema;
use crate::rule::Rule;
use crate::rule::selection::is_named;
use crate::syntax::SourceDocument;
use crate::syntax::label_words::words_of;
use crate::syntax::message::{Message, message};

/// A draft that was sent, with its findings and the answer.
struct SentDraft<'a> {
    linter: &'a Linter,
    facts: &'a Facts,
    document: SourceDocument<'a>,
    context: &'a Context<'a>,
    /// The findings of the rules in the draft.
    findings: Vec<Finding>,
    answer: &'a Answer,
    /// The reasons in the answer.
    reasons: Vec<AnswerReason>,
    wordings: Wordings<'a>,
}

impl Linter {
    /// Reports an answer as findings in the draft that it belongs to.
    ///
    /// Each finding is one reason in the answer, at the value that it is about, with the rule that checks for it. A
    /// reason without a rule is reported as `answer/unforeseen`. `answer/next-step` reports what to do next, by the
    /// time in the facts.
    #[must_use]
    pub fn explain(
        &self,
        document: SourceDocument<'_>,
        kind: KindHint,
        answer: &Answer,
        facts: &Facts,
    ) -> Report {
        let mut report = Report { documents: 1, ..Report::default() };
        let Some(root) = &document.document().root else { return report };
        let findings = self.check_document(document, kind, facts).findings;
        let kind = kind_of(&document, kind).unwrap_or_else(|| Kind::of(KindRole::Submit));
        let earlier = Batch::default();
        let vendor = self.config().vendor.as_deref();
        let environment =
            Environment { vendor, facts, earlier: &earlier, declared_record: None, original: None };
        let context = self.context(document.source(), root, kind, environment);
        let wordings = Wordings::new(self);
        let provider = provider_of(answer, kind);
        let reasons = match &answer.pasted {
            Some(_) if answer.is_approval => Vec::new(),
            Some(text) => pasted::reasons_in(provider, text, &wordings),
            None => answer
                .reasons
                .iter()
                .flat_map(|reason| divided(provider, answer, reason, &wordings))
                .collect(),
        };
        let sent = SentDraft {
            linter: self,
            facts,
            document,
            context: &context,
            findings,
            answer,
            reasons,
            wordings,
        };
        report.findings =
            sent.reasons.iter().take(MAX_REASONS).flat_map(|reason| sent.explain(reason)).collect();
        report.findings.extend(sent.next_step());
        render::distinguish(&mut report.findings);
        report
    }
}

impl<'a> SentDraft<'a> {
    fn explain(&self, reason: &AnswerReason) -> Vec<Finding> {
        let mut findings = self.explained(reason);
        if let (Some(advice), Some(finding)) = (&reason.advice, findings.first_mut()) {
            let who = self.answer.provider.map_or("The provider", shapes::title);
            let help = finding.help.take().unwrap_or_default();
            finding.help = Some(message!("{} says: {} {}", Message::own(who), quote(advice), help));
        }
        findings
    }

    /// The findings of the rules that check for a reason, or else one of its own.
    fn explained(&self, reason: &AnswerReason) -> Vec<Finding> {
        let name = reason.name.as_deref();
        let pointer = name.map(|name| self.pointer_of(name));
        let unknown = name.filter(|_| matches!(pointer, Some(None)));
        let pointer = pointer.flatten().or_else(|| self.pointer_in(&reason.text));
        let kind = self.context.kind;
        let field = pointer.as_deref().and_then(|pointer| kind.role_at(pointer));
        let meaning = self.meaning(reason, field);
        if let Some(name) = unknown.filter(|_| !self.is_of_other_provider() || !meaning.is_known()) {
            return vec![self.unknown_name(name, reason)];
        }
        let rules = self.rules(&meaning, field, &reason.text);
        let found = self.found(&meaning, &rules, field);
        if !found.is_empty() {
            let beside = meaning.beside();
            let advice = meaning.advice(&reason.text, self.answer.says_editable());
            let by_rule = |(is_own, found): (bool, &Finding)| {
                let before = if is_own { None } else { Some(&advice) };
                self.found_by_rule(found, before, &beside, reason)
            };
            return found.into_iter().map(by_rule).collect();
        }
        if let Some(found) = self.found_at_field(&meaning, field, reason) {
            let before = if meaning.is_known() {
                let advice = meaning.advice(&reason.text, self.answer.says_editable());
                message!("{} tollproof reports something at the field that they name.", advice)
            } else {
                "tollproof does not know these words. It reports something at the field that they name."
                    .into()
            };
            return vec![self.found_by_rule(found, Some(&before), &Message::default(), reason)];
        }
        let of_rule = rules.first().and_then(|rule| rule.at.first()?.role());
        let role = meaning.roles().chain(of_rule).find(|role| kind.roles().any(|it| it == *role));
        let is_elsewhere = pointer.is_none() && role.is_none() && meaning.roles().next().is_some();
        let rules = if is_elsewhere { Vec::new() } else { rules };
        let pointer = pointer.or_else(|| Some(kind.pointer_of(role?))).unwrap_or_default();
        let unforeseen = || self.rule_of(AnswerPart::Unforeseen);
        let rule = rules.first().copied().unwrap_or_else(unforeseen);
        let mut finding = self.finding(rule, &pointer, reason);
        let written = format!("{} {}", reason.code.as_deref().unwrap_or_default(), reason.text);
        let says_editable = self.answer.says_editable();
        let mut help = meaning.help(&written, &rules, says_editable, self.quotes_nothing(&rules));
        if is_elsewhere {
            let title = Message::name(kind.provider().title());
            help.push(&message!(
                " This draft has no field for it. Change it where you keep it at {}.",
                title
            ));
        }
        let is_seen = |rule: &Rule| advice::is_seen(rule) && meaning.is_prevented_by(rule);
        if self.facts.seen.is_empty() && self.linter.rules().iter().any(is_seen) {
            let look =
                "`tollproof look` opens the addresses of the draft as a reviewer does, and finds this.";
            help.push(&message!(" {}", Message::own(look)));
        }
        finding.help = Some(help);
        if reason.is_aside && !meaning.is_known() {
            finding.severity = Severity::Info;
        }
        vec![finding]
    }

    /// The findings of the rules for a reason that `check` shows: for its words before its code, the gravest first, and
    /// at words before at a whole field. Where the rules leave a value to others, what these find, marked as not their own.
    fn found(
        &self,
        meaning: &ReasonMeaning<'_>,
        rules: &[&Rule],
        field: Option<&str>,
    ) -> Vec<(bool, &Finding)> {
        let kind = self.context.kind;
        let place_in_order = |rule: &Rule| rules.iter().position(|other| other.id == rule.id);
        let leave_to = |rule: &Rule| {
            rules.iter().any(|other| other.text().yields_to.iter().any(|name| is_named(name, &rule.id)))
        };
        let ranked = |finding: &'_ Finding| {
            let rule = self.linter.rule(&finding.rule)?;
            let order = place_in_order(rule);
            let rank = match () {
                () if order.is_some() || meaning.is_prevented_by(rule) => 0,
                () if meaning.of_code.is_some_and(|entry| advice::prevents(rule, entry)) => 1,
                () if leave_to(rule) => 2,
                () => return None,
            };
            let node = self.context.root.at(&finding.pointer);
            let is_whole = node.is_none_or(|node| finding.span == Some(node.span));
            Some((rank, Reverse(finding.severity), is_whole, order.unwrap_or(usize::MAX)))
        };
        let is_shown = |finding: &&Finding| {
            let is_there = field.is_none_or(|field| kind.role_at(&finding.pointer) == Some(field));
            is_there && finding.severity > Severity::Info && finding.suppressed.is_none()
        };
        let mut found: Vec<_> = self
            .findings
            .iter()
            .filter(is_shown)
            .filter_map(|finding| Some((ranked(finding)?, finding)))
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        let is_own = found.first().is_some_and(|(rank, _)| rank.0 == 0);
        let found = found.into_iter().filter(|(rank, _)| rank.0 < 2 || !is_own);
        found.map(|(rank, finding)| (rank.0 < 2, finding)).collect()
    }

    /// The gravest finding at the field that a reason of unknown or probable meaning names, by its own name or as people call it.
    fn found_at_field(
        &self,
        meaning: &ReasonMeaning<'_>,
        field: Option<&str>,
        reason: &AnswerReason,
    ) -> Option<&Finding> {
        if meaning.is_known() && !meaning.is_resembled() || reason.is_aside {
            return None;
        }
        let kind = self.context.kind;
        let said = format!(" {} ", words_of(&reason.text).join(" "));
        let called = |(role, headings): &'static (&'static str, Vec<&'static str>)| {
            let names = headings.iter().map(|heading| words_of(heading).join(" "));
            let longest =
                names.filter(|name| said.contains(&format!(" {name} "))).map(|name| name.len()).max()?;
            Some((longest, *role))
        };
        let in_words = || PREPARED.roles.headings.iter().filter_map(called).max().map(|(_, role)| role);
        let field = field.or_else(in_words)?;
        let is_there = |finding: &&Finding| {
            kind.role_at(&finding.pointer) == Some(field)
                && finding.severity > Severity::Info
                && finding.suppressed.is_none()
        };
        self.findings.iter().filter(is_there).max_by_key(|finding| finding.severity)
    }

    /// Whether the first rule compares the words that people agree to, and the draft quotes none.
    fn quotes_nothing(&self, rules: &[&Rule]) -> bool {
        let role = rules.first().and_then(|rule| rule.at.first()?.role());
        let is_short = |text: &str| {
            Words::of(text).quotations().iter().all(|quotation| quotation.len() < SHORT_QUOTATION)
        };
        role == Some(role::OPT_IN_DESCRIPTION)
            && self.context.field(role::OPT_IN_DESCRIPTION).is_some_and(is_short)
            && self.context.field(role::ADDITIONAL_INFORMATION).is_none_or(is_short)
    }

    /// Adds the reason to a finding that a rule reports for the same problem; or, with the advice about the reason, for one
    /// that hides it.
    fn found_by_rule(
        &self,
        found: &Finding,
        advice: Option<&Message>,
        beside: &Message,
        reason: &AnswerReason,
    ) -> Finding {
        let help = found.help.clone().unwrap_or_default();
        let help = match advice {
            None => message!("tollproof reports it too: {}. {}{}", found.message, help, beside),
            Some(advice) => message!("{} Fix this first: {}. {}{}", advice, found.message, help, beside),
        };
        let mut related = vec![self.place_in_answer(reason)];
        related.extend(found.related.iter().cloned());
        Finding {
            severity: self.severity(),
            message: self.message(reason),
            help: Some(help),
            related,
            ..found.clone()
        }
    }

    fn unknown_name(&self, name: &str, reason: &AnswerReason) -> Finding {
        let mut finding = self.finding(self.rule_of(AnswerPart::UnknownName), "", reason);
        let fields: Vec<&str> = schema::field_names(self.context.kind).collect();
        let near = aliases::field(name, &fields).or_else(|| nearest(name, fields.iter().copied()));
        let near = Message::did_you_mean(near);
        let api = self.api();
        let quoted = quote(&reason.text);
        finding.message =
            message!("{} says about `{}`, which is not a field of this draft: {}", api, name, quoted);
        finding.help = Some(if self.is_of_other_provider() {
            message!("Read the text of the answer. This draft has no field `{}`{}", name, near)
        } else {
            message!("Read the text of the answer. {} has no field `{}`{}", api, name, near)
        });
        finding
    }

    fn finding(&self, rule: &Rule, pointer: &str, reason: &AnswerReason) -> Finding {
        let root = self.context.root;
        let node = root.at(pointer).filter(|_| !pointer.is_empty());
        let role = self.context.kind.role_at(pointer).unwrap_or_default();
        let field = self.context.kind.field_name(role);
        let place = Place { node, trail: Trail::Written(pointer), field, role };
        let violation = Violation {
            span: node.is_none().then(|| root.opening()),
            message: Some(self.message(reason)),
            related: vec![self.place_in_answer(reason)],
            ..Violation::default()
        };
        let finding = render::finding(rule, violation, &place, self.document, Some(self.context));
        Finding { severity: self.severity(), ..finding }
    }

    /// Notes in an approval need no change to the draft.
    fn severity(&self) -> Severity {
        let needs_nothing = self.answer.outcome() == Some(Outcome::Verified) && !self.answer.is_blocked();
        if needs_nothing { Severity::Info } else { Severity::Error }
    }

    fn message(&self, reason: &AnswerReason) -> Message {
        let title = self.answer.provider.map(shapes::title);
        let who = match title {
            _ if self.answer.pasted.is_some() => "the answer says".into(),
            Some(title) if self.answer.verdict.is_some() => {
                message!("{}'s reviewers say", Message::name(title))
            }
            None if self.answer.record.is_some() => "the reviewers say".into(),
            _ => message!("{} says", self.api()),
        };
        // Bird's code is for the whole record, so it says nothing about one of its reasons.
        let is_review = self.answer.verdict.is_some();
        let code = reason.code.as_deref().filter(|code| is_review && !reason.text.contains(code));
        let code = code.map(|it| message!(" (`{}`)", it)).unwrap_or_default();
        // The name of a field at another provider is not that of the place in the draft.
        let name = reason.name.as_deref().filter(|_| self.is_of_other_provider());
        let name = name.map(|it| message!(" about `{}`", it)).unwrap_or_default();
        message!("{}{}{}: {}", who, name, code, quote(&reason.text))
    }

    /// The API that answered, at the beginning of a sentence.
    fn api(&self) -> Message {
        let title = self.answer.provider.map_or_else(|| self.context.kind.provider().title(), shapes::title);
        message!("{}'s API", Message::name(title))
    }

    fn place_in_answer(&self, reason: &AnswerReason) -> Related {
        Related {
            file: Some(self.answer.file.clone()),
            span: Some(reason.at),
            place: None,
            message: "this answer".into(),
        }
    }

    /// Whether the answer has the form of another provider than the draft.
    fn is_of_other_provider(&self) -> bool {
        self.answer.provider.is_some_and(|provider| provider != self.context.kind.provider().name())
    }

    fn meaning(&self, reason: &AnswerReason, field: Option<&str>) -> ReasonMeaning<'_> {
        let provider = provider_of(self.answer, self.context.kind);
        let mut meaning = ReasonMeaning::of(reason, provider, field, &self.wordings);
        // Such as "an approved submission cannot be changed" in a refusal before review.
        let is_refusal = !self.answer.refusal.1.is_empty();
        let says_something =
            |reason: &&Reason| !reason.is_no_reason() || reason.advice.is_some() && !is_refusal;
        meaning.reason = meaning.reason.filter(says_something);
        meaning
    }

    /// The rules for a reason: those of its code or words, then those of its field and the type of the error.
    fn rules(&self, meaning: &ReasonMeaning<'_>, field: Option<&str>, text: &str) -> Vec<&'a Rule> {
        let linter = self.linter;
        let looks_at = |rule: &Rule, field: &str| rule.at.iter().any(|at| at.role() == Some(field));
        let at_field = |rule: &&Rule| field.is_none_or(|field| looks_at(rule, field));
        let mut rules: Vec<&Rule> = meaning.rules().iter().filter_map(|id| linter.rule(id)).collect();
        if meaning.reason.is_none() {
            rules.retain(at_field);
        }
        // The codes of users' rules are not in the table.
        if rules.is_empty() && meaning.entry.is_none() {
            rules =
                linter.rules().iter().filter(|rule| meaning.is_prevented_by(rule)).filter(at_field).collect();
        }
        match field {
            Some(field) if rules.is_empty() => self.by_form(field, text, &looks_at),
            _ => rules,
        }
    }

    /// Rules for a field by the usual messages of the API: the field is missing, or its value is invalid.
    fn by_form(&self, field: &str, text: &str, looks_at: &dyn Fn(&Rule, &str) -> bool) -> Vec<&'a Rule> {
        let text = text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if says(&["required", "blank", "missing", "empty", "provide"]) {
            let kind = match self.context.node(field) {
                None => SchemaErrorKind::Missing,
                Some(_) => SchemaErrorKind::Empty,
            };
            let error = SchemaError { kind, pointer: String::new() };
            return self.linter.rule_of_schema_error(Some(self.context.kind), &error).into_iter().collect();
        }
        if !says(&[
            "valid", "format", "pattern", "one of", "allowed", "accepted", "must be", "unknown", "support",
        ]) {
            return Vec::new();
        }
        let judges_form = |rule: &&Rule| {
            looks_at(rule, field)
                && (rule.refuses_value || rule.check.content().is_some_and(Check::judges_form))
        };
        self.linter.rules().iter().filter(judges_form).collect()
    }

    fn rule_of(&self, part: AnswerPart) -> &'a Rule {
        self.linter.rule_of_answer(part).expect("there is a rule file for each part of an answer")
    }
}

/// A quotation with fewer words is a name or a keyword, and not what people agree to.
const SHORT_QUOTATION: usize = 4;

/// The reasons in one of a record: its lines, if it has several.
fn divided(
    provider: Option<&str>,
    answer: &Answer,
    reason: &AnswerReason,
    wordings: &Wordings<'_>,
) -> Vec<AnswerReason> {
    let is_whole = reason.code.is_some() || reason.name.is_some() || answer.verdict.is_none();
    let parts = if is_whole { Vec::new() } else { pasted::reasons_in(provider, &reason.text, wordings) };
    match parts.len() {
        0 | 1 => vec![reason.clone()],
        _ => parts.into_iter().map(|part| AnswerReason { at: reason.at, ..part }).collect(),
    }
}

/// The name of the provider whose codes an answer has: the one that answered, or else the draft's.
fn provider_of(answer: &Answer, kind: Kind) -> Option<&'static str> {
    answer.provider.or_else(|| Some(kind.provider().name()))
}
