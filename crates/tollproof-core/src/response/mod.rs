//! Reports answers of the provider's API and of the reviewers as findings in the draft.

mod next_step;
mod parse;
mod reasons;

use self::parse::Said;
pub use self::parse::{Answer, NoAnswer};
use self::reasons::Reason;
use crate::checks::context::{Context, Environment};
use crate::checks::{AnswerPart, Check, Place, Trail, Violation};
use crate::facts::Facts;
use crate::facts::{Batch, Outcome};
use crate::finding::{Finding, Related, Severity};
use crate::lint::Linter;
use crate::lint::Report;
use crate::lint::render;
use crate::provider::aliases;
use crate::provider::detect::{KindHint, kind_of};
use crate::provider::kind::{Kind, KindRole};
use crate::provider::schema::{self, SchemaError, SchemaErrorKind};
use crate::rule::builtin;
use crate::rule::{Rule, RuleFile};
use crate::suggest::{did_you_mean, nearest};
use crate::syntax::SourceDocument;
use crate::syntax::message::{Message, message};

/// A draft that was sent, with its findings and the answer.
struct Sent<'a> {
    linter: &'a Linter,
    facts: &'a Facts,
    document: SourceDocument<'a>,
    context: &'a Context<'a>,
    /// The findings of the rules in the draft.
    findings: Vec<Finding>,
    answer: &'a Answer,
    reasons: Vec<Reason>,
}

/// The rules and the advice for a reason in an answer.
#[derive(Debug, Default)]
struct Cover<'a> {
    /// The rules that check for the reason, the most likely first.
    rules: Vec<&'a Rule>,
    /// The role of the field that the reason is about.
    field: Option<String>,
    advice: Option<String>,
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
        let file = document.source().name();
        let beyond = Environment { facts, earlier: &earlier, file, declared_record: None };
        let context = self.context(document.source(), root, kind, beyond);
        let reasons = reasons::all();
        let sent = Sent { linter: self, facts, document, context: &context, findings, answer, reasons };
        report.findings = answer.said.iter().map(|said| sent.explain(said)).collect();
        report.findings.sort_by_key(|finding| finding.span);
        report.findings.extend(sent.next_step());
        render::distinguish(&mut report.findings);
        report
    }
}

impl<'a> Sent<'a> {
    fn explain(&self, said: &Said) -> Finding {
        let name = said.name.as_deref();
        let pointer = name.map(|name| self.pointer_of(name));
        if let (Some(name), Some(None)) = (name, &pointer) {
            return self.unknown_name(name, said);
        }
        let pointer = pointer.flatten().or_else(|| self.pointer_in(&said.text));
        let kind = self.context.kind;
        let field = pointer.as_deref().and_then(|pointer| kind.role_at(pointer));
        let cover = self.cover(said, field);
        let is_covered = |finding: &&Finding| {
            let at_field = field.is_none_or(|field| kind.role_at(&finding.pointer) == Some(field));
            at_field && cover.rules.iter().any(|rule| rule.id == finding.rule)
        };
        let place_in_order = |finding: &&Finding| cover.rules.iter().position(|rule| rule.id == finding.rule);
        if let Some(found) = self.findings.iter().filter(is_covered).min_by_key(place_in_order) {
            return self.seen(found, said);
        }
        let pointer =
            pointer.unwrap_or_else(|| cover.field.map(|role| kind.pointer_of(&role)).unwrap_or_default());
        let unforeseen = || self.rule_of(AnswerPart::Unforeseen);
        let rule = cover.rules.first().copied().unwrap_or_else(unforeseen);
        let help = help(&cover.rules, cover.advice.as_deref());
        let mut finding = self.finding(rule, &pointer, said);
        finding.help = Some(help);
        finding
    }

    /// Adds the reason to a finding that a rule reports for the same problem.
    fn seen(&self, found: &Finding, said: &Said) -> Finding {
        let help = found.help.clone().unwrap_or_default();
        let mut related = vec![self.place_in_answer(said)];
        related.extend(found.related.iter().cloned());
        Finding {
            severity: self.severity(),
            message: self.message(said),
            help: Some(message!("tollproof reports it too: {}. {}", found.message, help)),
            related,
            ..found.clone()
        }
    }

    fn unknown_name(&self, name: &str, said: &Said) -> Finding {
        let mut finding = self.finding(self.rule_of(AnswerPart::UnknownName), "", said);
        let fields: Vec<&str> = schema::field_names(self.context.kind).collect();
        let near = aliases::field(name, &fields).or_else(|| nearest(name, fields.iter().copied()));
        let near = Message::own(did_you_mean(near));
        finding.message = message!(
            "Bird's API says about `{}`, which is not a field of this draft: {}",
            name,
            quote(&said.text)
        );
        finding.help =
            Some(message!("Read the text of the answer. Bird's API has no field `{}`{}", name, near));
        finding
    }

    fn finding(&self, rule: &Rule, pointer: &str, said: &Said) -> Finding {
        let root = self.context.root;
        let node = root.at(pointer).filter(|_| !pointer.is_empty());
        let role = self.context.kind.role_at(pointer).unwrap_or_default();
        let field = self.context.kind.field_name(role);
        let place = Place { node, trail: Trail::Written(pointer), field, role };
        let violation = Violation {
            span: node.is_none().then(|| root.opening()),
            message: Some(self.message(said)),
            related: vec![self.place_in_answer(said)],
            ..Violation::default()
        };
        let finding = render::finding(rule, violation, &place, self.document, Some(self.context));
        Finding { severity: self.severity(), ..finding }
    }

    /// Notes in an approval need no change to the draft.
    fn severity(&self) -> Severity {
        let is_verified = self.answer.record.as_ref().is_some_and(|it| it.outcome() == Outcome::Verified);
        if is_verified { Severity::Info } else { Severity::Error }
    }

    fn message(&self, said: &Said) -> Message {
        let who = if self.answer.record.is_some() { "the reviewers say" } else { "Bird's API says" };
        message!("{}: {}", Message::own(who), quote(&said.text))
    }

    fn place_in_answer(&self, said: &Said) -> Related {
        Related {
            file: Some(self.answer.file.clone()),
            span: Some(said.at),
            place: None,
            message: "this answer".into(),
        }
    }

    /// The rules for a reason: by its code, then by its words, then by its field and the type of the error.
    fn cover(&self, said: &Said, field: Option<&str>) -> Cover<'a> {
        let linter = self.linter;
        let codes: Vec<&str> = said.code.as_deref().into_iter().chain(codes_in(&said.text)).collect();
        let by_words = reasons::by_words(&self.reasons, &said.text, field);
        // If several reasons share a code, it is unknown which of them it belongs to.
        let codes = if said.code_is_shared { Vec::new() } else { codes };
        let reason = codes.iter().find_map(|code| reasons::by_code(&self.reasons, code)).or(by_words);
        let looks_at = |rule: &Rule, field: &str| rule.at.iter().any(|at| at.role() == Some(field));
        let mut rules: Vec<&Rule> = linter
            .rules()
            .iter()
            .filter(|rule| rule.text().codes().any(|code| codes.contains(&code)))
            .filter(|rule| field.is_none_or(|field| looks_at(rule, field)))
            .collect();
        let named = reason.map(|reason| reason.rules.as_slice()).unwrap_or_default();
        let order = |rule: &&Rule| named.iter().position(|id| *id == rule.id).unwrap_or(usize::MAX);
        rules.sort_by_key(order);
        if rules.is_empty() {
            rules = named.iter().filter_map(|id| linter.rule(id)).collect();
        }
        if let Some(field) = field.filter(|_| rules.is_empty()) {
            rules = self.by_form(field, &said.text, &looks_at);
        }
        let at = rules.first().and_then(|rule| rule.at.first()?.role().map(str::to_owned));
        Cover {
            field: reason.map(|reason| reason.field.clone()).or(at),
            advice: reason.and_then(|reason| reason.advice.clone()),
            rules,
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
        if !says(&["valid", "format", "one of", "allowed", "accepted", "must be", "unknown", "support"]) {
            return Vec::new();
        }
        let judges_form = |rule: &&Rule| {
            looks_at(rule, field)
                && (rule.refuses_value || rule.check.content().is_some_and(Check::judges_form))
        };
        self.linter.rules().iter().filter(judges_form).collect()
    }

    /// The pointer of the value that a name in an answer refers to, in any notation: `a_name`, `/aName`,
    /// `body.aName[0]`.
    fn pointer_of(&self, name: &str) -> Option<String> {
        let squeezed = |text: &str| text.replace(['_', '-', ' '], "").to_lowercase();
        let mut tokens = name.split(['/', '.', '[', ']', '$']).filter(|token| !token.is_empty());
        let kind = self.context.kind;
        let role = tokens.find_map(|token| {
            let token = squeezed(token);
            let is_meant = |name: &str| squeezed(name.rsplit('.').next().unwrap_or_default()) == token;
            kind.roles().find(|role| is_meant(role) || is_meant(kind.field_name(role)))
        })?;
        let mut pointer = kind.pointer_of(role);
        for token in tokens {
            let deeper = format!("{pointer}/{token}");
            if self.context.root.at(&deeper).is_none() {
                break;
            }
            pointer = deeper;
        }
        Some(pointer)
    }

    /// The pointer of the first field that a message names.
    fn pointer_in(&self, text: &str) -> Option<String> {
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        let kind = self.context.kind;
        let role = words.find_map(|word| kind.roles().find(|role| kind.field_name(role) == word))?;
        Some(kind.pointer_of(role))
    }

    fn rule_of(&self, part: AnswerPart) -> &'a Rule {
        self.linter.rule_of_answer(part).expect("there is a rule file for each part of an answer")
    }
}

/// The help for a reason that no finding in the draft shows.
fn help(rules: &[&Rule], advice: Option<&str>) -> Message {
    let Some((first, others)) = rules.split_first() else {
        let honest = "No rule checks for this reason.";
        return Message::own(match advice {
            Some(advice) => format!("{honest} {advice}"),
            None => format!("{honest} Read it, and ask your verification provider if it is not clear."),
        });
    };
    let title = builtin::files()
        .find(|(id, _)| *id == first.id)
        .and_then(|(id, text)| RuleFile::parse(id, text).ok())
        .map(|file| format!(" ({})", file.title));
    let title = title.unwrap_or_default();
    let mut help = format!(
        "The rule `{0}`{title} is about this reason, but finds nothing in this draft. `tollproof rule {0}` explains \
         what reviewers want.",
        first.id
    );
    if !others.is_empty() {
        let others: Vec<String> = others.iter().take(3).map(|rule| format!("`{}`", rule.id)).collect();
        help += &format!(" See also {}.", others.join(", "));
    }
    if let Some(advice) = advice {
        help += " ";
        help += advice;
    }
    // The text contains no personal data: rule ids and titles come from rule files, advice from `reasons.yaml`.
    Message::own(help)
}

/// Numbers of five digits that start with 3. These are the codes of the largest provider, which other providers also
/// use.
fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_alphanumeric())
        .filter(|word| word.len() == 5 && word.starts_with('3') && word.bytes().all(|it| it.is_ascii_digit()))
}

/// Longer answers are cut, in characters.
const QUOTED: usize = 1_000;

/// An answer on one line, in quotes.
fn quote(text: &str) -> Message {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => message!("\u{201c}{}…\u{201d}", &line[..end]),
        None if line.is_empty() => "nothing".into(),
        None => message!("\u{201c}{}\u{201d}", line),
    }
}
